/*
 * The simulation study of J. B. Weissman and A. S. Grimshaw (section 3.2, tables 2 and 3): how near to the optimum their
 * heuristic comes on random metasystems and programs. The generator is the one that the printed tables imply:
 * `bandwidth_constant` and `latency_constant` of figure 12 come from one random number a cluster, and arch_cost from the
 * rate.
 */
#ifndef BENCH_STUDY_H
#define BENCH_STUDY_H

#include <inlay/select.h>
#include <inlay/select_plain.h>

/* ---- The generator ---- */

enum { STUDY_CLUSTERS = 5, STUDY_PROCESSORS = 10, STUDY_RATE = 100, STUDY_INSTRUCTIONS = 10000 };

/** A cell of tables 2 and 3. */
typedef struct study_cell {
    inlay_pattern topology;
    bool mixed;   /**< table 3: half of the clusters are meshes; table 2 has buses alone */
    bool routers; /**< (b): routers and coercion cost time; (a): they cost none */
} study_cell;

typedef struct study_metasystem {
    int32_t clusters;
    inlay_select_cluster cluster[STUDY_CLUSTERS];
    double router_latency, router_per_byte; /**< usec; r2 with coercion */
} study_metasystem;

/** The state of a stream of its own for each number. */
uint64_t study_stream(uint64_t seed, uint64_t number);

/** The next metasystem of a stream whose state is any seed. Rates in instructions a usec. */
void study_draw_metasystem(uint64_t *state, const study_cell *cell, study_metasystem *made);

/**
 * Program number `instance` from 0: the units go through 1, 100, 500, 1000, 5000, 10000 in turn. It has the integer
 * map; its clusters belong to the metasystem.
 */
inlay_select_problem study_draw_program(uint64_t *state, const study_cell *cell, const study_metasystem *metasystem,
                                        int64_t instance);

/* ---- The study ---- */

/** One row of tables 2 and 3. Percentages of the runs that are within 5 % and within 10 % of the optimum. */
typedef struct study_row {
    inlay_pattern pattern;
    bool mixed;            /**< table 3: buses and meshes; table 2 has buses alone */
    bool routers;          /**< (b); (a) has no router and no coercion cost */
    double paper[2][2];    /**< as printed: [0] with ordering, [1] without; [0] within 5 %, [1] within 10 % */
    double h2[2][2];       /**< what H2 gives here */
    double h3[2];          /**< H3, with ordering */
    double exact[2];       /**< INLAY_SELECT_EXACT; against exhaustive search on the runs checked */
    int64_t runs, checked; /**< all; those that exhaustive search was made for */
    int64_t unequal;       /**< of the checked ones those where the exact method was not the best. 0 */
} study_row;

enum { STUDY_CELLS = 12 };

typedef struct study_options {
    int32_t metasystems;  /**< a cell; 0: 2000 */
    int32_t instances;    /**< programs a metasystem; 0: 36 */
    int64_t exhaustive;   /**< runs of each cell that are checked by exhaustive search, the first ones; 0: 2000 */
    inlay_select_map map; /**< of H2 and H3, INTEGER by the rule of REMAINDER; the optimum they are held against is that
                               of the real map */
    uint64_t seed;
    int threads; /**< 0: all cores. The result does not depend on it */
} study_options;

/** The cells in the order of the tables: 2a, 2b, 3a, 3b; in each ring, line, tree. `options` NULL: zeroes. */
int study_run(const study_options *options, study_row cell[STUDY_CELLS]);

/** Root mean square distance of the 48 percentages of H2 to those printed, in points. */
double study_distance(const study_row cell[STUDY_CELLS]);

#endif

/*
 * The random metasystems and programs of the paper's simulation study (section 3.2, figure 12), as its printed tables
 * imply them: for a study that repeats tables 2 and 3. `bandwidth_constant` and `latency_constant` of figure 12 come
 * from one random number a cluster, and arch_cost from the rate.
 */
#ifndef SELECT_STUDY_H
#define SELECT_STUDY_H

#include <inlay/select_plain.h>

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

#endif

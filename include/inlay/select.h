/*
 * Processor selection: which processors of a network of unlike clusters an SPMD program should use, and how much of its
 * data each of them gets.
 *
 * A program repeats cycles: it computes on its units of data (PDUs) and then communicates. A configuration P says how
 * many processors P_i of each cluster take part. More of them share the work and lengthen the communication, so that
 * somewhere between one and all lies the shortest cycle. inlay_select() finds it for a program that describes itself by
 * callbacks (<inlay/domain.h>) on a metasystem (<inlay/metasystem.h>):
 *
 *     inlay_selection *selection = NULL;
 *     int status = inlay_select(&stencil, metasystem, NULL, NULL, &selection, diag);
 *
 * The model (J. B. Weissman, A. S. Grimshaw, "A framework for partitioning parallel computations in heterogeneous
 * environments"; equations 1 to 9, with misprints put right):
 *
 *     T_i(p) = c1 + c2 f(p) + b (c3 + c4 f(p)), T_i(0) = 0     a cycle's communication within cluster i       (EQ 1)
 *     R      = k (r1 + r2 b + e1 b)                            from one cluster to the next                   (EQ 2)
 *     T_comm = max T_i + R (u - 1)                             line: all exchange with both neighbours        (EQ 3)
 *              sum T_i + R (u - 1)                             ring: one message goes around
 *              largest T_i + second largest + R (u - 1)        tree: the root's cluster and the slowest other
 *              sum of stages over the slowest links            patterns that are algorithms (docs/select.md); T_i is that
 *     d1_i + d2_i A_i                                          time of a processor that has A_i units         (EQ 4)
 *              0                                               of a lone processor, which has nobody to talk to
 *     T_comp = max (d1_i + d2_i A_i)                           over the used clusters
 *     T_c    = T_comp + T_comm, or where they overlap the larger of the two                                   (EQ 9)
 *     T_elapsed = startup + cycles T_c                                                                        (EQ 8)
 *
 * with u clusters that have P_i > 0, d2_i = work on a unit x arch_cost, d1_i = fixed work x arch_cost. The shares A_i
 * balance the computation and sum to the units n:
 *
 *     A_i = n r_i / sum r_j P_j                                where no d1 is above 0, r_i = 1 / d2_i         (EQ 6)
 *     A_i = (T - d1_i) / d2_i, T = (n + sum P_j d1_j / d2_j) / (sum P_j / d2_j)                               (EQ 5)
 *
 * In print EQ 5 has a sign wrong and its sum upside down. Where d1_i is above T, processors of cluster i get no units:
 * the one with the largest d1 is left out and T is found once more. Where units take no time, r_i is 1 / arch_cost of
 * the dominant computation.
 *
 * What goes beyond these equations:
 *
 * - Clusters of one network share its bandwidth. Used ones of them act in EQ 3 as one cluster, whose T is the largest
 *   of theirs with f of all their processors together.
 * - Where routers, routes or coercion differ, R (u - 1) becomes the cheapest way to join the used clusters: a chain for
 *   the line and the ring, a tree for the tree; between clusters of one network only coercion is paid. Chains of up to
 *   12 clusters whose costs differ are the shortest there are, longer ones the best that a search finds.
 * - Where messages grow with the PDUs of a processor, b of cluster i is fixed + per_unit A_i with the largest share of
 *   its processors, and b of R the largest of all.
 * - All phases (terms.all_phases): T_c is the sum over the computation phases of their T_comp, or where communication
 *   overlaps the larger of T_comp and the sum of what overlaps it, plus the T_comm of what overlaps nothing. Shares
 *   balance the sum of all computation phases; a phase of n' units uses A_i n' / n of them, n those of the dominant one.
 *
 * Ownership: what is passed in is only read during the call; free the selection with inlay_selection_free(). What a
 * selection returns pointers to lives as long as it does.
 *
 * Errors: INLAY_BAD_ARGUMENT where the domain, the metasystem or the options say something that cannot be;
 * INLAY_OVERFLOW where a time is too large or too small for a number; INLAY_NO_ANSWER where a method would need more
 * work than its limit, or a cluster has no communication function for the program's pattern; what a callback returns.
 * `selection` is then unchanged.
 */
#ifndef INLAY_SELECT_H
#define INLAY_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlay/curves.h>
#include <inlay/domain.h>
#include <inlay/metasystem.h>
#include <inlay/status.h>
#include <inlay/task_placement.h>
#include <inlay/wish.h>

/* ---- Terms ---- */

/** How the balanced shares become what processors get. */
typedef enum inlay_select_map {
    INLAY_SELECT_INTEGER, /**< the whole shares of the least makespan: each unit goes to the processor that is done with
                               it first, of equals to the cluster with the lower number. Sums to n */
    INLAY_SELECT_CEIL,    /**< rounded up: what no rounding of the shares exceeds; sums to n or more */
    INLAY_SELECT_REAL,    /**< fractions of a unit, as in the paper's figures */
    INLAY_SELECT_REMAINDER /**< rounded down; what is left goes to the clusters with the largest fractions, one unit a
                                processor. Sums to n */
} inlay_select_map;

/** How often R is paid. */
typedef enum inlay_select_router {
    INLAY_SELECT_SUM,  /**< R (u - 1): once for each of the links that join u clusters */
    INLAY_SELECT_CHAIN /**< in T_i, as the text at EQ 2 says: R for each neighbour of cluster i in a chain of the used
                            clusters by number. EQ 3 goes over these sums, without R (u - 1) */
} inlay_select_router;

/** T_comp of a configuration that does not hold the units. */
#define INLAY_SELECT_UNFIT 1e290

/** What is counted, and how. Zero-initialised: the dominant phases, whole units, routers paid link by link. */
typedef struct inlay_select_terms {
    bool all_phases;
    inlay_select_map map;
    inlay_select_router router;
    /**
     * Of each cluster: what the computation of a cycle takes on one of its processors for so many PDUs, in the
     * metasystem's unit; NULL: EQ 4. Whole shares are then those that end at once. Curves that fall, other maps, all
     * phases and what equations 1 to 9 do not have are refused with them. Where the units do not fit a configuration, its
     * T_comp is INLAY_SELECT_UNFIT.
     */
    const inlay_curve *curve;
} inlay_select_terms;

/* ---- Methods ---- */

enum {
    INLAY_SELECT_CLUSTERS = 4096,     /**< most clusters */
    INLAY_SELECT_PROCESSORS = 1 << 24 /**< most processors of all clusters together */
};

typedef enum inlay_select_method {
    INLAY_SELECT_EXACT, /**< the shortest cycle, or within a proven gap of it */
    INLAY_SELECT_H1,    /**< clusters by falling r_i N_i, each filled to its best; ends where one adds nothing */
    INLAY_SELECT_H2,    /**< clusters by their best cycle alone; filled, then traded one for one with the cluster of
                                 the longest communication */
    INLAY_SELECT_H3,    /**< H2, then cluster after cluster is set to its best until nothing gains. Not in the paper */
    INLAY_SELECT_EXHAUSTIVE /**< all of (N_1 + 1) (N_2 + 1) ... - 1 configurations */
} inlay_select_method;

/**
 * INLAY_SELECT_EXACT needs T_i that never fall as p rises, from T_i(0) = 0 on, and refuses others. Where one computation
 * and one communication count whose amounts are numbers, and all networks have one price, the maps INTEGER and REAL with
 * router SUM are solved by halving ranges of times. All else, and what comes after the best one where more than one
 * configuration is asked for, goes through branch and bound over boxes of configurations. Each ends after `limit` steps
 * with the bound that it has proven by then.
 */
typedef struct inlay_select_options {
    inlay_select_method method;
    bool as_given; /**< H2, H3: take the clusters in the order given. What the paper calls 'without ordering' */
    int32_t best;  /**< configurations to give, best first; 0: 1. The heuristics give the best that they came across */
    int64_t limit; /**< most steps of EXACT (0: 200000), most configurations of EXHAUSTIVE (0: 10^7) */
} inlay_select_options;

/** "exact", "h1", "h2", "h3", "exhaustive"; NULL for others. */
INLAY_API const char *inlay_select_method_name(inlay_select_method method);

/* ---- Results ---- */

typedef struct inlay_selection inlay_selection;

/** What the processors of one cluster get: P_i - extra of them `share` units each, and `extra` of them one more. */
typedef struct inlay_select_share {
    double share;  /**< whole but in the real map */
    int32_t extra; /**< integer map only; below P_i */
} inlay_select_share;

/** Arrays have an entry a cluster. */
typedef struct inlay_configuration {
    const int32_t *processors;       /**< P_i */
    const inlay_select_share *share; /**< zeroes where P_i = 0 */
    const double *time;      /**< T_i, of all communications that count together, without routers; 0 where P_i = 0,
                                  and of a lone processor */
    int32_t clusters, total; /**< u; sum of P_i */
    double t_comp, t_comm, t_cycle; /**< T_c */
    double t_elapsed;               /**< startup + cycles T_c (EQ 8); T_c of a plain problem */
    double price;                   /**< of processors used for t_elapsed, in the metasystem's currency; NAN: no cluster
                                       has a price, or times are in ticks */
    double energy;                  /**< likewise by their power, in joules */
    int64_t units;                  /**< n, what the shares sum to (the ceil map may give more) */
    const char
        *algorithm; /**< of the dominant communication's largest message; NULL: its pattern is none, or nothing is
                                sent */
} inlay_configuration;

INLAY_API void inlay_selection_free(inlay_selection *selection);

/** Best first; fewer than were asked for where there are no more. At least one. */
INLAY_API size_t inlay_selection_count(const inlay_selection *selection);
INLAY_API const inlay_configuration *inlay_selection_at(const inlay_selection *selection, size_t i);

/**
 * The best T_c that any configuration can have, as far as it is proven; 0 after a heuristic or an evaluation. Where
 * `optimal`, no configuration is better than the first one given by more than rounding (10^-12 of T_c).
 */
INLAY_API double inlay_selection_lower_bound(const inlay_selection *selection);
INLAY_API bool inlay_selection_optimal(const inlay_selection *selection);

/** How many configurations were evaluated, or boxes bounded. */
INLAY_API int64_t inlay_selection_looked_at(const inlay_selection *selection);

/* ---- Selecting ---- */

/**
 * The best configurations; `terms` and `options` NULL: zeroes. Of configurations with the same T_c the one found first
 * comes first, which nothing but the arguments decides; but of those that EXACT and EXHAUSTIVE keep, as many as
 * options->best, one with the fewest processors. Clusters without available processors, and, where some
 * other cluster has one, without a function for the pattern, are not used.
 */
INLAY_API int inlay_select(const inlay_domain *domain, const inlay_metasystem *metasystem,
                           const inlay_select_terms *terms, const inlay_select_options *options,
                           inlay_selection **selection, inlay_diag *diag);

/** The cost of one configuration of the caller's, `processors` with an entry a cluster. */
INLAY_API int inlay_select_evaluate(const inlay_domain *domain, const inlay_metasystem *metasystem,
                                    const inlay_select_terms *terms, const int32_t *processors,
                                    inlay_selection **selection, inlay_diag *diag);

/**
 * The best T_c of each total number of processors from 1 to all that are available, or `points` numbers spread evenly
 * (1 and all among them) where there are more: one configuration each, by rising total. All configurations are looked
 * at where there are at most options->limit (0: 200000) and inlay_selection_optimal() is then true; else each total
 * starts from its neighbours' best and trades processors until nothing gains. `options->method` is not looked at.
 */
INLAY_API int inlay_select_curve(const inlay_domain *domain, const inlay_metasystem *metasystem,
                                 const inlay_select_terms *terms, const inlay_select_options *options, int32_t points,
                                 inlay_selection **curve, inlay_diag *diag);

/** What counts beside time and price. */
typedef enum inlay_select_beside {
    INLAY_SELECT_NOTHING,
    INLAY_SELECT_ENERGY,
    INLAY_SELECT_EFFICIENCY /**< processors x time */
} inlay_select_beside;

/**
 * The front: all configurations that no other one equals or betters in elapsed time, price and `beside` at once, by rising
 * time. Where no cluster has a price, the number of processors stands for it. By EXACT, which looks into `limit` boxes, or by
 * EXHAUSTIVE; inlay_selection_optimal() tells whether it is all of the front. `options->best` is not looked at.
 */
INLAY_API int inlay_select_front(const inlay_domain *domain, const inlay_metasystem *metasystem,
                                 const inlay_select_terms *terms, const inlay_select_options *options,
                                 inlay_select_beside beside, inlay_selection **front, inlay_diag *diag);

/** What was decided about the domain: the dominant phases (communication -1: none), whether they overlap. */
typedef struct inlay_select_phases {
    int32_t computation, communication;
    bool overlap;
} inlay_select_phases;

INLAY_API int inlay_select_dominant(const inlay_domain *domain, const inlay_metasystem *metasystem,
                                    inlay_select_phases *phases, inlay_diag *diag);

/* ---- All that `inlay select` tells, by one call ---- */

typedef struct inlay_select_question {
    const inlay_domain_file *program;
    const inlay_metasystem *metasystem;
    const char *program_name, *metasystem_name; /**< in the result, of those that have none */
    inlay_select_terms terms;
    inlay_select_options options; /**< `best`: of the next best ones, from 0 on */
    const int32_t *given;         /**< processors of a configuration of the caller's, by cluster; NULL: none */
    int32_t points;               /**< of the curve; 0: none is wanted */
    bool tells_tasks;             /**< where each task runs, not the pieces alone */
    inlay_wish wish;              /**< beside the shortest cycle; then the methods EXACT and EXHAUSTIVE alone answer */
} inlay_select_question;

typedef struct inlay_select_result {
    inlay_select_question
        asked; /**< what it points to is the caller's, and has to live as long; names are those used */
    inlay_select_phases phases;
    const inlay_configuration *chosen;
    const inlay_configuration *given;       /**< NULL: none */
    const inlay_configuration *single;      /**< the best on one processor; NULL: none holds all units */
    const inlay_configuration *exact;       /**< of a heuristic: what the exact method finds, NULL where it cannot */
    bool exact_is_optimal;                  /**< that is proven */
    const inlay_configuration *const *next; /**< the best but the chosen one */
    size_t next_count;
    double cycles, startup; /**< of a run on as many processors as are chosen, in the metasystem's unit */
    double lower_bound;     /**< of T_c; 0: not known */
    bool optimal;
    int64_t looked_at;
    inlay_pattern pattern;                 /**< of the dominant communication, where there is one */
    double bytes;                          /**< of its longest message */
    const inlay_task_placement *placement; /**< NULL where nothing is communicated */
    const inlay_selection *front;          /**< that the wish was chosen from; NULL: nothing was wished. `next` is empty
                                              then, `optimal` says that the front is all of it */
    const inlay_selection *curve;          /**< by the number of processors; NULL where none is wanted */
} inlay_select_result;

/**
 * Finds all of it. Where the method cannot take the question and another one can, the diagnostic's remedy is its --method.
 * Free the result with inlay_select_result_free().
 */
INLAY_API int inlay_select_ask(const inlay_select_question *question, inlay_select_result **result, inlay_diag *diag);
INLAY_API void inlay_select_result_free(inlay_select_result *result);

#endif

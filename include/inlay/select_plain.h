/*
 * Processor selection in plain numbers: one computation and one communication phase, each cluster in a network of its
 * own, one R for all. <inlay/select.h> has the model, the methods and the results; this is what asks for least when
 * nothing else is needed, and what the fast methods work on.
 *
 *     inlay_select_cluster clusters[2] = {{.processors = 6, .rate = 45, .c2 = 88, .c3 = 0.56, .c4 = 1.04},
 *                                         {.processors = 10, .rate = 55, .c2 = 91, .c3 = 0.58, .c4 = 1.07}};
 *     inlay_select_problem problem = {
 *         .clusters = 2, .cluster = clusters, .units = 100, .unit_work = 9522, .bytes = 100};
 *     inlay_selection *selection = NULL;
 *     int status = inlay_select_plain(&problem, NULL, &selection, diag);
 *
 * Times are in one unit of the caller's choice; rates are work per that unit (instructions per microsecond, say).
 */
#ifndef INLAY_SELECT_PLAIN_H
#define INLAY_SELECT_PLAIN_H

#include <inlay/select.h>

/* ---- The problem ---- */

typedef struct inlay_select_cluster {
    const char *name;   /**< for messages; NULL: its number */
    int32_t processors; /**< N_i that are available, at least 0 */
    double rate;        /**< r_i: work per time of one processor, above 0 */
    double fixed_time;  /**< part of d1_i that does not depend on the program, at least 0 */
    double c1, c2;      /**< latency in time */
    double c3, c4;      /**< time per byte */
    inlay_growth growth;
} inlay_select_cluster;

/** Zero-initialised, every member that is not set has its plain meaning. */
typedef struct inlay_select_problem {
    size_t clusters; /**< m, 1 to INLAY_SELECT_CLUSTERS */
    const inlay_select_cluster *cluster;

    int64_t units;     /**< n = numPDUs, 1 to 2^53 */
    double unit_work;  /**< work on one unit in a cycle, above 0 */
    double fixed_work; /**< work of every processor in a cycle whatever its units, at least 0 */
    double bytes;      /**< b of one message, at least 0 */
    bool overlap;      /**< communication goes on while processors compute */

    double router_latency;  /**< r1 */
    double router_per_byte; /**< r2 */
    double coercion;        /**< e1, per byte */
    double crossings;       /**< k messages between neighbouring clusters in a cycle; 0: 1 */

    inlay_pattern topology;
    inlay_select_map map;
    inlay_select_router router;
} inlay_select_problem;

/* ---- Selecting ---- */

/** The best configurations of a problem, as inlay_select() gives them. */
INLAY_API int inlay_select_plain(const inlay_select_problem *problem, const inlay_select_options *options,
                                 inlay_selection **selection, inlay_diag *diag);

/** The cost of one configuration of the caller's, `processors` with an entry a cluster. */
INLAY_API int inlay_select_plain_evaluate(const inlay_select_problem *problem, const int32_t *processors,
                                          inlay_selection **selection, inlay_diag *diag);

#endif

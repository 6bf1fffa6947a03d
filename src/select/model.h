/* Processor selection inside: the problem in flat arrays, and the cost of a configuration. */
#ifndef SELECT_MODEL_H
#define SELECT_MODEL_H

#include "base/memory.h"
#include "curves/curves.h"
#include <inlay/select_plain.h>

/** Sums of rates times units, exactly. */
__extension__ typedef unsigned __int128 select_wide;

/** Room for one partition map. Entries of clusters with P_i = 0 mean nothing. */
typedef struct select_map {
    int64_t *whole;    /**< A_i rounded down */
    select_wide *part; /**< what was cut off, to one scale for all */
    int32_t *heap;     /**< clusters by falling part */
    int32_t *extra;    /**< processors that get a unit more */
    double *share;     /**< A_i as they are */
} select_map;

/** A checked problem. Made by select_model_make(); the map is scratch room, so a model serves one thread. */
typedef struct select_model {
    memory_pool arrays;             /**< owns them */
    struct select_general *general; /**< what equations 1 to 9 do not have (spmd/general.h); NULL: nothing of it */
    int32_t clusters;               /**< m */
    const char **name;              /**< for messages; an entry may be NULL */
    int64_t processors;             /**< of all clusters */
    inlay_pattern topology;
    inlay_select_map map;
    inlay_select_router router;
    bool overlap;
    bool fixed; /**< some d1 is above 0 */
    int64_t units;
    double work;            /**< W = units * unit_work */
    double router_cost;     /**< R */
    int32_t *most;          /**< N_i */
    double *rate;           /**< r_i */
    bool whole_rates;       /**< all r_i are whole and below 2^31, so that shares without d1 are exact */
    int64_t *whole_rate;    /**< these */
    double *fixed_time;     /**< d1_i */
    double *unit_time;      /**< d2_i */
    double *offset, *slope; /**< T_i(p) = offset + slope f(p) */
    inlay_growth *growth;
    const double **time;      /**< time[i][p] = T_i(p), p = 0 .. N_i */
    double *times;            /**< all of these */
    const inlay_curve *curve; /**< of each cluster, in place of d1 and d2; NULL: none */
    curve_span *span;         /**< scratch: of the longest curve */
    select_map scratch;
} select_model;

/** Checks the problem and unfolds it; cleared with select_model_clear(), also after a failure. */
int select_model_make(const inlay_select_problem *problem, select_model *model, inlay_diag *diag);
void select_model_clear(select_model *model);

/** Room for a model of model->clusters clusters and model->processors processors; false where there is no memory. */
bool select_model_room(select_model *model);

/** Takes curves of each cluster, which live as long; INLAY_BAD_ARGUMENT where they cannot be. */
int select_model_take_curves(select_model *model, const inlay_curve *curve, inlay_diag *diag);

/** T_comp by curves, INLAY_SELECT_UNFIT where the units do not fit; the map is left as select_shares() does. */
double select_curve_time(const select_model *model, const int32_t *processors);

/** Sets whole_rates and whole_rate from rate. */
void select_model_study_rates(select_model *model);

/** f(p) of EQ 1. */
double select_grown(inlay_growth growth, int32_t p);

enum { SELECT_NAME = 64 };

/** Cluster i as messages call it. */
const char *select_called(const select_model *model, int32_t i, char room[SELECT_NAME]);

/** INLAY_BAD_ARGUMENT where some T_i falls as p rises. */
int select_model_monotone(const select_model *model, inlay_diag *diag);

/** How many processors a configuration has. */
int64_t select_total(const select_model *model, const int32_t *processors);

/** T_comm of a configuration, 0 for fewer than two processors; and T_c of one that has some. */
double select_communication(const select_model *model, const int32_t *processors);
double select_cycle(const select_model *model, const int32_t *processors);

/** EQ 9. */
static inline double select_combined(const select_model *model, double computation, double communication)
{
    return !model->overlap ? computation + communication : computation > communication ? computation : communication;
}

/** T of EQ 5: what no map on these processors, nor on fewer, falls below. */
double select_balanced_time(const select_model *model, const int32_t *processors);

/** The same for other d1 and d2, which are above 0. */
double select_balance(const select_model *model, const double *fixed_time, const double *unit_time,
                      const int32_t *processors);

/** Leaves the map in model->scratch: `share`, or `whole` and `extra` in whole units. */
void select_shares(const select_model *model, const int32_t *processors);

/** The same T_comp as select_computation(), with the map left as select_shares() does. */
double select_partition(const select_model *model, const int32_t *processors);

#endif

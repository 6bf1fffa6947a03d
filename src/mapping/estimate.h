/* The closed-form estimate of the elapsed time: one pass over the modules in execution order. */
#ifndef MAPPING_ESTIMATE_H
#define MAPPING_ESTIMATE_H

#include "layout/link_load.h"
#include "layout/overheads.h"
#include "layout/rendezvous.h"
#include "layout/sent.h"
#include "mapping/mapping.h"

typedef struct estimator {
    const problem *p;
    const inlay_id *order; /**< execution_order() */
    const placement *place;
    double *m, *start, *free_at; /**< scratch: times on its processor, starts, end of the last module of a cluster */
    double *
        stretch; /**< scratch: of every module, by what it takes longer than m where cores share memory; NULL: by nothing */
    double *moved;   /**< bytes that the modules of a cluster move, then of a board; NULL with that */
    double *arrival; /**< scratch: of every copy; NULL where none is passed on */
    sendings sent;
    overheads overheads;
    rendezvous rendezvous;
    double *
        ready; /**< scratch: of every entry when it is due, for as long as it waits for its receiver, else -1; NULL: none does */
    link_load load; /**< of a machine with links */
    double demand;  /**< placement_demand() */
} estimator;

/**
 * @param weighted  the placement's weighted traffic; not looked at where the machine has links, and where `at` of
 *                  estimate_at() comes from elsewhere
 * `order` and `place` have to outlive the estimator.
 */
int estimator_make(const problem *p, const inlay_id *order, const placement *place, double weighted, estimator *result,
                   inlay_diag *diag);
void estimator_clear(estimator *e);

/**
 * The network within T, and with it what estimate_at() charges for messages from then on. With links, `tau` is the mean
 * over traffic and the links that it passes. INLAY_NO_ANSWER where it is saturated. T = INFINITY: without traffic.
 */
int estimate_network(estimator *e, double time_frame, network_point *at);

/**
 * Elapsed time E with the network as estimate_network() left it, in the application's unit; e->start is filled in.
 * @param at  what that gave; NULL: messages take their latency alone
 */
double estimate_at(estimator *e, const network_point *at);

/**
 * E with T = E: the time frame that equals the estimate under the utilisation that it makes itself. NaN where no time
 * frame below saturation has it.
 */
int estimate_fixed_point(estimator *e, double *result, inlay_diag *diag);

#endif

/*
 * The parts of the front of elapsed time against processors.
 *
 *   pareto_plan.c    which time frames and which numbers of processors
 *   pareto_chain.c   one clustering reduced to one number of processors after the other
 *   pareto_board.c   the best candidate of every number of clusters
 *   pareto_tasks.c   candidates made in threads
 *   pareto_recipe.c  one candidate made once more, on its own
 *   pareto_result.c  points, front and knee
 *   pareto.c         the whole
 */
#ifndef SEARCH_PARETO_H
#define SEARCH_PARETO_H

#include "cluster/partition.h"
#include "search/figures.h"
#include <inlay/pareto.h>

/** The ways to reduce, in the order in which equal mappings are preferred. */
typedef struct reduction_rule {
    inlay_reduce heuristic;
    bool by_traffic;
} reduction_rule;

enum { PARETO_RULES = 3 };
extern const reduction_rule pareto_rules[PARETO_RULES];

/* ---- Recipes (pareto_recipe.c) ---- */

/** All that it takes to make a candidate again. */
typedef struct recipe {
    inlay_pareto_method method;
    int rule;            /**< of pareto_rules; 0 where nothing is reduced */
    inlay_id processors; /**< reduced to; 0 where nothing is */
    frame at;            /**< clustered under; of modules that are not clustered the least that there is */
} recipe;

/** The same raised above saturation where the traffic needs it. */
int recipe_frame_with_traffic(const problem *p, const recipe *r, inlay_id clusters, double demand, frame *result,
                              inlay_diag *diag);

/** Where clusters and blocks of a candidate stand. @param limit  most work of a cluster; INT64_MAX after a reduction */
int recipe_place(const problem *p, const inlay_id *cluster_of, inlay_id clusters, inlay_time limit, placement *place,
                 inlay_diag *diag);

/** The mapping of a recipe, made by the way of inlay_map(); on at most `processors`. */
int recipe_map(const problem *p, const recipe *r, inlay_id processors, inlay_mapping **mapping, inlay_diag *diag);

/** Its simulated elapsed time, whatever the time frame; NAN where the simulation has no answer. */
int recipe_simulate(const problem *p, const recipe *r, uint64_t seed, double *simulated, inlay_diag *diag);

/* ---- Reduction to fewer and fewer (pareto_chain.c) ---- */

/**
 * H1 and H2 thin out crowded levels until no more than P clusters stand on one, then merge until P are left. To P - 1
 * the first part goes on where that to P ended; the second starts again from there, unless the first does nothing.
 */
typedef struct chain {
    const problem *p;
    const reduction_rule *rule;
    inlay_id start;  /**< clusters at the start */
    partition thin;  /**< after the first part */
    inlay_id most;   /**< clusters on its fullest level */
    bool has_rest;   /**< else there is no `rest` */
    partition rest;  /**< after the second part */
    inlay_id *label; /**< scratch, one a module */
} chain;

/** @param cluster_of  NULL: the modules; those pinned together are one */
int chain_make(const problem *p, const reduction_rule *rule, const inlay_id *cluster_of, inlay_id clusters,
               chain *result);
void chain_clear(chain *c);

/**
 * Go on to at most `processors`, no more than the last time; time does not bind. c->rest is what is left, of more
 * clusters where memory or pins forbid the rest.
 */
int chain_to(chain *c, inlay_id processors);

/* ---- The best (pareto_board.c) ---- */

/** A mapping and what it costs. */
typedef struct candidate {
    bool exists;
    recipe recipe;
    inlay_id clusters;
    inlay_id reduced_from; /**< -1 where nothing was */
    frame in_force;
    double elapsed;     /**< what it is ranked by */
    double fixed_point; /**< E with T = E */
    int64_t messages, traffic, weighted;
    inlay_sweep_cost cost;
} candidate;

/** The best candidate of every number of clusters. */
typedef struct board {
    inlay_id most;   /**< clusters */
    candidate *best; /**< of c clusters best[c], 0 is not used */
} board;

int board_make(inlay_id most, board *result);
void board_clear(board *b);

/** Keep a candidate where it is better than what is there: an order without ties, so that threads do not matter. */
void board_put(board *b, const candidate *c);
void board_merge(board *into, const board *from);

/* ---- What to look at (pareto_plan.c) ---- */

typedef struct pareto_plan {
    inlay_id from, to;
    inlay_id *processors; /**< numbers to reduce to, rising, the last is `to`; owned */
    size_t processor_count;
    inlay_time *frames; /**< of the clusterings to reduce, rising; owned. Grains */
    size_t frame_count;
    bool processors_sampled, complete;
} pareto_plan;

/** How many time frames the sweep may list before a sample takes their place, and how many that sample has. */
size_t pareto_plan_most_rows(const problem *p);
inlay_id pareto_plan_sample(const problem *p);

int pareto_plan_make(const problem *p, const inlay_pareto_options *options, const inlay_sweep_result *sweep,
                     pareto_plan *result, inlay_diag *diag);
void pareto_plan_clear(pareto_plan *plan);

/* ---- Making candidates (pareto_tasks.c) ---- */

typedef struct pareto_search {
    const problem *p;
    const figures *f;
    const pareto_plan *plan;
    inlay_pareto_rank rank;
    size_t threads;
} pareto_search;

/** Make all candidates of the plan: the best go on the board, *made tells how many were reduced. */
int pareto_make_candidates(const pareto_search *s, board *best, int64_t *made, inlay_diag *diag);

/* ---- The answer (pareto_result.c) ---- */

struct inlay_pareto_result {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_options options; /**< of the problem */
    inlay_pareto_summary summary;
    inlay_pareto_point *points;
    recipe *recipes; /**< of the points */
    size_t count;
};

/** Simulate the points of at most so many transfers; others have NAN. */
int pareto_simulate_points(const problem *p, int64_t most, uint64_t seed, inlay_pareto_result *result,
                           inlay_diag *diag);

/** Points, front and knee from the board. INLAY_NO_ANSWER without a message where there is no candidate. */
int pareto_fill_points(const problem *p, const pareto_plan *plan, const board *best, inlay_pareto_result *result,
                       inlay_diag *diag);

#endif

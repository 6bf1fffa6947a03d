/*
 * What a clustering costs, for many clusterings of one problem: the links stand in execution order in flat arrays that
 * all share, and each thread has a workspace of its own to work at. The numbers are those of mapping_cost(), to the last digit
 * where it computes them too.
 */
#ifndef SEARCH_FIGURES_H
#define SEARCH_FIGURES_H

#include "base/memory.h"
#include "mapping/estimate.h"
#include "mapping/mapping.h"
#include <inlay/sweep.h>

/** Links between two modules, which are named by their place in the execution order. */
typedef struct figures {
    memory_pool arrays; /**< owns them */
    const problem *p;
    inlay_id *order; /**< module at every place */
    double *m;       /**< processing times by place, in the application's unit */

    int64_t *begin; /**< links with precedence from place k: begin[k] .. begin[k+1]-1 */
    inlay_id *to;
    double *lag;  /**< time from the producer's start until the link is satisfied, messages aside */
    double *late; /**< latency of its messages; NULL where there is none */
    int64_t *traffic, *messages;

    inlay_id *other_from, *other_to; /**< links without precedence */
    int64_t *other_traffic, *other_messages;
    int64_t others;

    double idle_tau; /**< of the network without traffic */
} figures;

int figures_make(const problem *p, figures *result, inlay_diag *diag);
void figures_clear(figures *f);

/** What one cluster has to do. */
typedef struct figures_cluster {
    inlay_time work; /**< grains */
    int64_t sent;    /**< traffic to other processors, weighted with its distance */
} figures_cluster;

/** Scratch of one thread, and what it knows of the clustering that lies on it. */
typedef struct figures_workspace {
    memory_pool arrays;        /**< owns them */
    inlay_id *cluster_of;      /**< by place */
    double *weight, *late;     /**< of every link with precedence: traffic x distance, latency; 0 within a cluster */
    double *start, *carried;   /**< by place: start, and the weight on the path that leads to it */
    double *free_at, *brought; /**< by cluster: end of its last module, and the weight on the path to that */
    figures_cluster *clusters;
    inlay_id *seen, *count;   /**< by slot */
    inlay_id *sorted, *begin; /**< modules cluster by cluster */
    inlay_id cluster_count;
    int64_t messages, traffic, weighted;
    double demand; /**< placement_demand() */

    /* Where processors differ or messages go over links (figures_exact.h). */
    estimator exact;
    double *own_work; /**< by cluster: work on its own processor, in the application's unit; else NULL */
    bool placed;      /**< there are as many processors as clusters */
} figures_workspace;

int figures_workspace_make(const figures *f, figures_workspace *workspace, inlay_diag *diag);
void figures_workspace_clear(figures_workspace *workspace);

/** Lay a placement on the workspace; the other functions speak of the one that lies there. INLAY_NO_MEMORY without a message. */
int figures_lay(const figures *f, figures_workspace *workspace, const placement *place);

/** Cost at a time frame. */
void figures_cost(const figures *f, figures_workspace *workspace, double time_frame, inlay_sweep_cost *cost);

/** Most clusters with a module in one slot. */
inlay_id figures_parallelism(const figures *f, figures_workspace *workspace);

/** The time frame that equals its own estimate, NaN where there is none below saturation. */
double figures_fixed_point(const figures *f, figures_workspace *workspace);

/**
 * The least time frame from `from` on at which work and messages of every processor fit into it; NaN where none below
 * `until` does. tau falls as T grows, so beyond it all fits, too. `from` must be above saturation.
 */
double figures_fit(const figures *f, figures_workspace *workspace, double from, double until);

#endif

/* Many clusterings costed at once: jobs shared out to threads. What comes out does not depend on how many there are. */
#ifndef SEARCH_TEAM_H
#define SEARCH_TEAM_H

#include "base/workers.h"
#include "search/figures.h"

/** A clustering, and the time frames from..until for which it holds: what is asked. Times in grains. */
typedef struct job {
    placement place; /**< owned */
    inlay_time from, until;
    bool bounded; /**< whether there is an `until` */

    /* What is answered. */
    inlay_sweep_row row;
    bool opens; /**< whether at some time frame of the row the network is below its limit */
    frame open; /**< the least such */
    inlay_sweep_cost open_cost;
    int status;
} job;

void job_clear(job *j);

/** Whether a time frame is one of the job's. */
bool job_holds(const job *j, const frame *at);

/** Answer a job; its placement then lies on the workspace. */
void job_do(const figures *f, figures_workspace *workspace, job *j);

typedef struct team {
    const figures *f;
    figures_workspace *workspaces; /**< one a thread, the first is that of the caller's own */
    size_t size;                   /**< threads, with the caller's */
    job *jobs;                     /**< at work */
    workers workers;
} team;

/** @param threads  at least 1, the caller's with them */
int team_make(const figures *f, size_t threads, team *result, inlay_diag *diag);
void team_clear(team *c);

/** Begin with jobs, which stay where they are until team_finish() has joined in and ended. One lot at a time. */
void team_begin(team *c, job *jobs, size_t count);
void team_finish(team *c);

#endif

/* Jobs shared out to threads. */
#include "search/team.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "search/row_time.h"
#include <math.h>
#include <stdlib.h>

void job_clear(job *j)
{
    placement_clear(&j->place);
    *j = (job){0};
}

bool job_holds(const job *j, const frame *at)
{
    return at->limit >= j->from && (!j->bounded || at->limit < j->until);
}

/* ---- One job ---- */

/* The least time frame of the job below saturation. */
static int find_open(const figures *f, const figures_workspace *workspace, job *j)
{
    const problem *p = f->p;
    j->open = frame_of_grains(p, j->from);
    j->opens = !j->row.cost.saturated;
    if (j->opens || isnan(j->row.cost.u)) {
        return INLAY_OK;
    }
    int status = frame_above_saturation(p, workspace->demand, &j->open, NULL);
    j->opens = status == INLAY_OK && job_holds(j, &j->open);
    return status;
}

static void find_fit(const figures *f, figures_workspace *workspace, job *j)
{
    double until = j->bounded ? frame_of_grains(f->p, j->until).value : INFINITY;
    j->row.fits_from = j->opens ? figures_fit(f, workspace, j->open.value, until) : NAN;
    j->row.fits = !isnan(j->row.fits_from);
}

void job_do(const figures *f, figures_workspace *workspace, job *j)
{
    j->status = figures_lay(f, workspace, &j->place);
    if (j->status != INLAY_OK) {
        return;
    }
    j->row = (inlay_sweep_row){.time_frame = j->from,
                               .bounded = j->bounded,
                               .until = j->until,
                               .clusters = j->place.clusters,
                               .parallelism = figures_parallelism(f, workspace),
                               .messages = workspace->messages,
                               .traffic = workspace->traffic,
                               .weighted_traffic = workspace->weighted,
                               .elapsed = NAN};
    figures_cost(f, workspace, frame_of_grains(f->p, j->from).value, &j->row.cost);
    j->row.estimate_fixed_point = figures_fixed_point(f, workspace);
    j->status = find_open(f, workspace, j);
    j->open_cost = j->row.cost;
    if (j->opens && j->row.cost.saturated) {
        figures_cost(f, workspace, j->open.value, &j->open_cost);
    }
    find_fit(f, workspace, j);
    if (j->status == INLAY_OK && j->place.clusters <= inlay_machine_processors(f->p->machine)) {
        j->status = row_time(f->p, &j->place, &j->row);
    }
}

/* ---- Threads ---- */

typedef struct helper {
    team *of;
    figures_workspace *workspace;
} helper;

static void do_jobs(team *c, figures_workspace *workspace)
{
    for (size_t i; (i = atomic_fetch_add(&c->next, 1)) < c->count;) {
        job_do(c->f, workspace, &c->jobs[i]);
    }
}

static void *help(void *context)
{
    helper *h = context;
    do_jobs(h->of, h->workspace);
    free(h);
    return NULL;
}

void team_clear(team *c)
{
    for (size_t i = 0; c->workspaces != NULL && i < c->size; i++) {
        figures_workspace_clear(&c->workspaces[i]);
    }
    free(c->workspaces);
    free(c->threads);
    c->workspaces = NULL;
    c->threads = NULL;
}

int team_make(const figures *f, size_t threads, team *result, inlay_diag *diag)
{
    *result = (team){.f = f, .size = threads};
    result->workspaces = memory_zeroed(threads, sizeof *result->workspaces);
    result->threads = memory_array(threads, sizeof *result->threads);
    int status = result->workspaces == NULL || result->threads == NULL ? diag_no_memory(diag) : INLAY_OK;
    for (size_t i = 0; i < threads && status == INLAY_OK; i++) {
        status = figures_workspace_make(f, &result->workspaces[i], diag);
    }
    if (status != INLAY_OK) {
        team_clear(result);
    }
    return status;
}

/* A helper that cannot be had is not missed: the caller's own thread does what is left. */
static bool hire(team *c)
{
    helper *h = memory_array(1, sizeof *h);
    if (h == NULL) {
        return false;
    }
    *h = (helper){c, &c->workspaces[1 + c->helping]};
    if (pthread_create(&c->threads[c->helping], NULL, help, h) != 0) {
        free(h);
        return false;
    }
    c->helping++;
    return true;
}

void team_begin(team *c, job *jobs, size_t count)
{
    c->jobs = jobs;
    c->count = count;
    c->helping = 0;
    atomic_store(&c->next, 0);
    while (c->helping + 1 < c->size && c->helping < count && hire(c)) {
    }
}

void team_finish(team *c)
{
    do_jobs(c, &c->workspaces[0]);
    for (size_t i = 0; i < c->helping; i++) {
        pthread_join(c->threads[i], NULL);
    }
    c->helping = 0;
    c->count = 0;
}

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

static void do_one(void *context, int worker, size_t k)
{
    const team *c = context;
    job_do(c->f, &c->workspaces[worker], &c->jobs[k]);
}

void team_clear(team *c)
{
    for (size_t i = 0; c->workspaces != NULL && i < c->size; i++) {
        figures_workspace_clear(&c->workspaces[i]);
    }
    free(c->workspaces);
    c->workspaces = NULL;
}

int team_make(const figures *f, size_t threads, team *result, inlay_diag *diag)
{
    *result = (team){.f = f, .size = threads};
    result->workspaces = memory_zeroed(threads, sizeof *result->workspaces);
    int status = result->workspaces == NULL ? diag_no_memory(diag) : INLAY_OK;
    for (size_t i = 0; i < threads && status == INLAY_OK; i++) {
        status = figures_workspace_make(f, &result->workspaces[i], diag);
    }
    if (status != INLAY_OK) {
        team_clear(result);
    }
    return status;
}

void team_begin(team *c, job *jobs, size_t count)
{
    c->jobs = jobs;
    workers_begin(&c->workers, (int)c->size, count, do_one, c);
}

void team_finish(team *c)
{
    workers_finish(&c->workers);
}

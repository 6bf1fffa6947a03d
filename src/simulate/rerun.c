/* One schedule after another. */
#include "simulate/rerun.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

void rerun_clear(rerun *r)
{
    run_clear(&r->run);
    plan_clear(&r->plan);
    free(r->mapping.cluster_of);
    free(r->mapping.clusters);
    free(r->on);
    free(r->cluster_there);
    free(r->list);
    *r = (rerun){0};
}

/* All modules on the first processor, and nothing on the others: so that every processor has a place in the plan. */
static int begin(const problem *p, rerun *r, inlay_diag *diag)
{
    size_t places = (size_t)r->places;
    struct inlay_mapping *m = &r->mapping;
    m->app = p->app;
    m->machine = p->machine;
    m->summary = (inlay_summary){.options = p->options,
                                 .clusters = r->places,
                                 .streamed = p->timing.streamed,
                                 .messages = p->app->links, /* there may be some */
                                 .traffic = p->app->links};
    m->cluster_of = memory_zeroed((size_t)p->modules, sizeof *m->cluster_of);
    m->clusters = memory_zeroed(places, sizeof *m->clusters);
    r->on = memory_array(places, sizeof *r->on);
    r->cluster_there = memory_array(places, sizeof *r->cluster_there);
    r->list = memory_array((size_t)p->modules, sizeof *r->list);
    if (m->cluster_of == NULL || m->clusters == NULL || r->on == NULL || r->cluster_there == NULL || r->list == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id c = 0; c < r->places; c++) {
        m->clusters[c].processor = c;
    }
    return INLAY_OK;
}

int rerun_make(const problem *p, inlay_id places, const inlay_simulation_options *options, rerun *result,
               inlay_diag *diag)
{
    rerun *r = result;
    *r = (rerun){.places = places};
    int status = begin(p, r, diag);
    if (status == INLAY_OK) {
        status = plan_make_moving(&r->mapping, options, &r->plan, diag);
    }
    if (status == INLAY_OK) {
        memcpy(r->on, r->plan.processor, (size_t)places * sizeof *r->on);
        status = run_make(&r->plan, &r->run, diag);
    }
    if (status != INLAY_OK) {
        rerun_clear(r);
    }
    return status;
}

/* Clusters as a mapping numbers them, by their smallest modules, and what stands in each. */
static void set_schedule(rerun *r, const inlay_id *processor_of, const inlay_id *order)
{
    plan *p = &r->plan;
    inlay_id modules = p->app->modules, at = 0;
    p->processors = 0;
    memset(r->cluster_there, 0xFF, (size_t)r->places * sizeof *r->cluster_there); /* -1: none yet */
    for (inlay_id i = 0; i < modules; i++) {
        inlay_id *cluster = &r->cluster_there[processor_of[i]];
        if (*cluster < 0) {
            *cluster = p->processors++;
            p->processor[*cluster] = r->on[processor_of[i]];
            r->mapping.clusters[*cluster].processor = processor_of[i];
            p->processor[*cluster].modules = 0;
        }
        r->mapping.cluster_of[i] = *cluster;
        p->processor[*cluster].modules++;
    }
    r->mapping.summary.clusters = p->processors;
    for (inlay_id c = 0; c < p->processors; c++) {
        p->processor[c].module = r->list + at;
        at += p->processor[c].modules;
        p->processor[c].modules = 0;
    }
    for (inlay_id k = 0; k < modules; k++) {
        plan_processor *there = &p->processor[r->mapping.cluster_of[order[k]]];
        r->list[there->module - r->list + there->modules++] = order[k];
    }
}

int rerun_schedule(rerun *r, const inlay_id *processor_of, const inlay_id *order, const double *tail, double limit,
                   double *elapsed)
{
    *elapsed = INFINITY;
    set_schedule(r, processor_of, order);
    int status = plan_move(&r->plan, NULL);
    if (status == INLAY_OK) {
        status = run_within(&r->run, tail, limit);
    }
    if (status == INLAY_OK) {
        *elapsed = r->run.last;
    }
    return status == INLAY_NO_ANSWER ? INLAY_OK : status;
}

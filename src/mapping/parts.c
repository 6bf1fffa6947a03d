/* Parts of the main job, by themselves: clustering under T, and reduction from a given clustering. */
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/method.h"
#include "cluster/reduce.h"
#include "mapping/feasible.h"
#include "mapping/solve.h"
#include <stdlib.h>

void inlay_clustering_clear(inlay_clustering *clustering)
{
    if (clustering != NULL) {
        free(clustering->cluster_of);
        *clustering = (inlay_clustering){0};
    }
}

static int describe(const partition *part, inlay_time next, inlay_clustering *result, inlay_diag *diag)
{
    inlay_id *cluster_of = memory_array((size_t)part->p->modules, sizeof *cluster_of);
    if (cluster_of == NULL) {
        return diag_no_memory(diag);
    }
    partition_label(part, cluster_of);
    *result = (inlay_clustering){.clusters = part->count,
                                 .cluster_of = cluster_of,
                                 .next_known = next != INT64_MAX,
                                 .next_frame = next == INT64_MAX ? 0 : next,
                                 .queue_operations = part->queue_operations};
    return INLAY_OK;
}

static int check_frame(const problem *p, const frame *f, inlay_diag *diag)
{
    inlay_time largest;
    inlay_id module = 0;
    int status = largest_start(p, &largest, &module, diag);
    if (status == INLAY_OK && largest > f->limit) {
        char least[DECIMAL_TEXT];
        decimal_text(frame_of_grains(p, largest).exact, least);
        diag_remedy(diag, "-T", "%s", least);
        return diag_fail(diag, INLAY_NO_ANSWER, "module '%s' alone needs a time frame of %s",
                         inlay_app_module_name(p->app, module), least);
    }
    return status;
}

int inlay_cluster(const inlay_app *app, const inlay_machine *machine, const inlay_options *options,
                  inlay_clustering *clustering, inlay_diag *diag)
{
    DIAG_CALL(diag);
    problem p;
    partition part = {0};
    frame f;
    inlay_time next = INT64_MAX;
    if (options == NULL || !options->has_time_frame) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "clustering needs a time frame");
    }
    int status = method_needs_frame(options, diag);
    if (status == INLAY_OK) {
        status = problem_make(app, machine, options, &p, diag);
    }
    if (status != INLAY_OK) {
        return status;
    }
    status = check_feasible(&p, diag);
    if (status == INLAY_OK) {
        status = frame_from_options(&p, &f, diag);
    }
    if (status == INLAY_OK) {
        status = check_frame(&p, &f, diag);
    }
    if (status == INLAY_OK) {
        status = partition_make(&p, &part, diag);
    }
    if (status == INLAY_OK) {
        status = method_of(&p.options)->merge_under(&part, f.limit, true, &next, diag);
        if (status == INLAY_OK) {
            status = describe(&part, next, clustering, diag);
        }
        partition_clear(&part);
    }
    problem_clear(&p);
    return status;
}

static bool is_clustering(const inlay_clustering *c, inlay_id modules)
{
    for (inlay_id i = 0; i < modules; i++) {
        if (c->cluster_of[i] < 0 || c->cluster_of[i] >= c->clusters) {
            return false;
        }
    }
    return true;
}

int inlay_reduce_clusters(const inlay_app *app, const inlay_machine *machine, const inlay_options *options,
                          const inlay_clustering *start, inlay_clustering *clustering, inlay_diag *diag)
{
    DIAG_CALL(diag);
    problem p;
    partition part = {0};
    frame f = {.limit = INT64_MAX};
    inlay_time next = INT64_MAX;
    if (app == NULL || start == NULL || !is_clustering(start, inlay_app_modules(app))) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "reduction starts from a cluster for every module");
    }
    int status = problem_make(app, machine, options, &p, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (p.options.has_time_frame) {
        status = frame_from_options(&p, &f, diag);
    }
    if (status == INLAY_OK) {
        status = partition_from(&p, start->cluster_of, start->clusters, &part, diag);
    }
    if (status == INLAY_OK) {
        if (part.count > p.processors && p.options.reduce != INLAY_REDUCE_NONE) {
            status = reduce_parallelism(&part, p.processors, p.options.reduce, p.options.reduce_by_traffic, f.limit,
                                        &next, diag);
        }
        if (status == INLAY_OK && part.count > p.processors) {
            status = diag_fail(diag, INLAY_NO_ANSWER, "%d clusters are left where %d processors are allowed",
                               part.count, p.processors);
        }
        if (status == INLAY_OK) {
            status = describe(&part, next, clustering, diag);
        }
        partition_clear(&part);
    }
    problem_clear(&p);
    return status;
}

/* What every mapping keeps to, and what its method promises beyond it. */
#include "check/check.h"

#include <stdlib.h>

/* ---- Every mapping ---- */

/* Of those that are nobody's guest on another processor; of guests alone, the smallest behind all others. */
static int64_t smallest_module(const check *k, inlay_id c)
{
    int64_t smallest = INT64_MAX;
    for (inlay_id at = k->cluster[c].first; at < k->cluster[c].end; at++) {
        inlay_id module = k->listed[at];
        int64_t number = k->cluster_of[module] == c ? module : (int64_t)k->modules + module;
        if (number < smallest) smallest = number;
    }
    return smallest;
}

static void clusters_ascend(check *k)
{
    for (inlay_id c = 1; c < k->clusters; c++)
        if (smallest_module(k, c - 1) > smallest_module(k, c))
            check_find(k, "cluster %ld: its smallest module '%.100s' comes before '%.100s' of cluster %ld", (long)c,
                       inlay_app_module_name(k->app, (inlay_id)(smallest_module(k, c) % k->modules)),
                       inlay_app_module_name(k->app, (inlay_id)(smallest_module(k, c - 1) % k->modules)),
                       (long)(c - 1));
    if (k->clusters > k->processors)
        check_find(k, "there are %ld clusters for %ld processors", (long)k->clusters, (long)k->processors);
}

static void reduction_reduced(check *k)
{
    if (k->reduced_from < 0) return;
    if (k->reduce == CHECK_REDUCE_NONE)
        check_find(k, "reduced_from is null where options ask for no reduction, the file says %ld",
                   (long)k->reduced_from);
    inlay_id left = 0; /* those with no module of their own are further cores of others */
    for (inlay_id c = 0; c < k->clusters; c++)
        left += smallest_module(k, c) < k->modules;
    if (k->reduced_from <= left)
        check_find(k, "reduced_from is %ld, but %ld clusters are left", (long)k->reduced_from, (long)left);
}

/* Whatever the method is: there is no time of such a module there. */
static void types_are_kept(check *k)
{
    for (inlay_id c = 0; c < k->clusters; c++)
        for (inlay_id at = k->cluster[c].first; at < k->cluster[c].end; at++)
            if (!check_may_run_on(k, k->listed[at], check_class_of(k, k->cluster[c].processor)))
                check_find(k, "cluster %ld: module '%.100s' may not run on processor %ld's type", (long)c,
                           inlay_app_module_name(k->app, k->listed[at]), (long)k->cluster[c].processor);
}

/* ---- Time, memory ---- */

/* A cluster, and the host that it stands on. */
typedef struct check_tenant {
    inlay_id host, processor;
    int64_t memory;
} check_tenant;

/* Whether a cluster keeps within T; at another speed times are no whole grains. */
static bool within_frame(const check *k, const check_cluster *cluster)
{
    if (k->plain) return cluster->work <= k->frame_grains;
    return cluster->own_work <= k->time_frame * (1 + 1e-9);
}

/*
 * Where processors differ, what is slow may take longer than T: clusters that no fast processor is left for. Then the
 * longest takes the least that can be (check_assign.c).
 */
static void work_fits(check *k)
{
    if (k->classes > 1 || (k->reduced_from >= 0 && !k->frame_given)) return;
    for (inlay_id c = 0; c < k->clusters; c++)
        if (!within_frame(k, &k->cluster[c]))
            check_find(k, "cluster %ld: its work of %.15g is more than the time frame %.15g", (long)c,
                       k->cluster[c].own_work, k->time_frame);
    check_counted(k, (size_t)k->clusters);
}

static int compare_hosts(const void *a, const void *b)
{
    const check_tenant *x = a, *y = b;
    return (x->host > y->host) - (x->host < y->host);
}

/* The clusters of a host, which share its memory; where the next host's begin. */
static inlay_id host_fits(check *k, const check_tenant *tenant, inlay_id at)
{
    inlay_id first = at;
    int64_t used = 0, memory = inlay_machine_processor(k->machine, tenant[at].processor).memory;
    for (; at < k->clusters && tenant[at].host == tenant[first].host; at++)
        used = check_add(used, tenant[at].memory);
    if (memory >= 0 && used > memory)
        check_find(k, "processor %ld: the memory of %lld bytes of what runs on its host is more than the %lld there",
                   (long)tenant[first].processor, (long long)used, (long long)memory);
    return at;
}

static int memory_fits(check *k)
{
    check_tenant *tenant = malloc(((size_t)k->clusters + 1) * sizeof *tenant);
    if (!tenant) return INLAY_NO_MEMORY;
    for (inlay_id c = 0; c < k->clusters; c++) {
        inlay_id processor = k->cluster[c].processor;
        tenant[c] = (check_tenant){inlay_machine_host(k->machine, processor), processor, k->cluster[c].memory};
    }
    qsort(tenant, (size_t)k->clusters, sizeof *tenant, compare_hosts);
    for (inlay_id at = 0; at < k->clusters;)
        at = host_fits(k, tenant, at);
    free(tenant);
    return INLAY_OK;
}

int check_constraints(check *k)
{
    clusters_ascend(k);
    types_are_kept(k);
    reduction_reduced(k);
    int status = check_default_frame(k);
    if (status != INLAY_OK || k->method == NULL) return status;
    if (k->method->memory) status = memory_fits(k);
    if (k->method->time_frame) work_fits(k);
    if (status == INLAY_OK && !k->method->places) status = check_assignment(k);
    bool apart = k->method->apart && k->reduced_from < 0;
    return status == INLAY_OK && apart ? check_parallel_modules(k) : status;
}

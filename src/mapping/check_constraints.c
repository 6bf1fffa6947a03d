/* What every mapping keeps to, and what the method `houstis` promises beyond it. */
#include "mapping/check.h"

#include <math.h>

/* ---- Every mapping ---- */

static inlay_id smallest_module(const check *k, inlay_id c)
{
    inlay_id smallest = k->listed[k->cluster[c].first];
    for (inlay_id at = k->cluster[c].first; at < k->cluster[c].end; at++)
        if (k->listed[at] < smallest) smallest = k->listed[at];
    return smallest;
}

static void clusters_ascend(check *k)
{
    for (inlay_id c = 1; c < k->clusters; c++)
        if (smallest_module(k, c - 1) > smallest_module(k, c))
            check_find(k, "cluster %ld: its smallest module '%.100s' comes before '%.100s' of cluster %ld", (long)c,
                       inlay_app_module_name(k->app, smallest_module(k, c)),
                       inlay_app_module_name(k->app, smallest_module(k, c - 1)), (long)(c - 1));
    if (k->clusters > k->processors)
        check_find(k, "there are %ld clusters for %ld processors", (long)k->clusters, (long)k->processors);
}

static void reduction_reduced(check *k)
{
    if (k->reduced_from < 0) return;
    if (k->reduce == CHECK_REDUCE_NONE)
        check_find(k, "reduced_from is null where options ask for no reduction, the file says %ld",
                   (long)k->reduced_from);
    if (k->reduced_from <= k->clusters)
        check_find(k, "reduced_from is %ld, but %ld clusters are left", (long)k->reduced_from, (long)k->clusters);
}

/* ---- Time, memory ---- */

/* Where the caller gave no T it is chosen as max(largest work, total work / P), and only ever raised. */
static void default_frame(check *k)
{
    inlay_time largest = 0, all = 0;
    if (k->frame_given) return;
    for (inlay_id i = 0; i < k->modules; i++) {
        inlay_time work = check_add(k->time[i], k->work_ready[i]);
        if (work > largest) largest = work;
    }
    for (inlay_id c = 0; c < k->clusters; c++)
        all = check_add(all, k->cluster[c].work);
    double least = fmax(check_units(k, largest), check_units(k, all) / k->processors);
    if (k->time_frame < least * (1 - 1e-12))
        check_find(k, "time_frame is at least %.15g by default, the file says %.15g", least, k->time_frame);
    check_counted(k, 1);
}

static void work_fits(check *k)
{
    if (k->reduced_from >= 0 && !k->frame_given) return;
    for (inlay_id c = 0; c < k->clusters; c++)
        if (k->cluster[c].work > k->frame_grains)
            check_find(k, "cluster %ld: its work of %.15g is more than the time frame %.15g", (long)c,
                       check_units(k, k->cluster[c].work), k->time_frame);
    check_counted(k, (size_t)k->clusters);
}

static void memory_fits(check *k)
{
    int64_t own = inlay_machine_processor_memory(k->machine);
    for (inlay_id c = 0; c < k->clusters; c++)
        if (own >= 0 && k->cluster[c].memory > own)
            check_find(k, "cluster %ld: its memory of %lld bytes is more than the %lld of a processor", (long)c,
                       (long long)k->cluster[c].memory, (long long)own);
}

int check_constraints(check *k)
{
    clusters_ascend(k);
    default_frame(k);
    reduction_reduced(k);
    if (k->method != CHECK_HOUSTIS) return INLAY_OK;
    memory_fits(k);
    work_fits(k);
    return k->reduced_from < 0 ? check_parallel_modules(k) : INLAY_OK;
}

/* What every mapping keeps to, and what the method `houstis` promises beyond it. */
#include "mapping/check.h"

#include <math.h>
#include <stdlib.h>

static int compare_ids(const void *a, const void *b)
{
    inlay_id x = *(const inlay_id *)a, y = *(const inlay_id *)b;
    return (x > y) - (x < y);
}

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

/* `sorted` has room for one number a cluster. */
static void processors_differ(check *k, inlay_id *sorted)
{
    for (inlay_id c = 0; c < k->clusters; c++)
        sorted[c] = k->cluster[c].processor;
    qsort(sorted, (size_t)k->clusters, sizeof *sorted, compare_ids);
    for (inlay_id c = 1; c < k->clusters; c++)
        if (sorted[c] == sorted[c - 1]) check_find(k, "processor %ld has more than one cluster", (long)sorted[c]);
    check_counted(k, (size_t)k->clusters);
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
    int64_t own = inlay_machine_processor_memory(k->machine), common = inlay_machine_common_memory(k->machine), all = 0;
    for (inlay_id c = 0; c < k->clusters; c++)
        if (own >= 0 && k->cluster[c].memory > own)
            check_find(k, "cluster %ld: its memory of %lld bytes is more than the %lld of a processor", (long)c,
                       (long long)k->cluster[c].memory, (long long)own);
    if (inlay_machine_memory_kind(k->machine) != INLAY_MEMORY_COMMON || common < 0) return;
    for (inlay_id d = 0; d < k->blocks; d++)
        all = check_add(all, inlay_app_block_size(k->app, d));
    if (all > common)
        check_find(k, "the data blocks' %lld bytes are more than the %lld of the common memory", (long long)all,
                   (long long)common);
}

/* ---- Pins and the numbering of processors ---- */

/* The processor that a module of the cluster is pinned to, or -1; every pinned module runs where it wants to. */
static inlay_id pin_of(check *k, inlay_id c)
{
    inlay_id pin = -1;
    for (inlay_id at = k->cluster[c].first; at < k->cluster[c].end; at++) {
        inlay_id wanted = inlay_app_pin(k->app, k->listed[at]);
        if (wanted < 0) continue;
        pin = wanted;
        if (wanted != k->cluster[c].processor)
            check_find(k, "cluster %ld: module '%.100s' is pinned to processor %ld, but runs on %ld", (long)c,
                       inlay_app_module_name(k->app, k->listed[at]), (long)wanted, (long)k->cluster[c].processor);
    }
    return pin;
}

/* Clusters without pins take the processors that no pin names, in ascending order. `pins`: one entry a cluster. */
static void processors_in_order(check *k, inlay_id *pins, inlay_id *sorted)
{
    inlay_id next = 0, pinned = 0;
    for (inlay_id c = 0; c < k->clusters; c++) {
        pins[c] = pin_of(k, c);
        if (pins[c] >= 0) sorted[pinned++] = pins[c];
    }
    qsort(sorted, (size_t)pinned, sizeof *sorted, compare_ids);
    for (inlay_id c = 0; c < k->clusters; c++) {
        if (pins[c] >= 0) continue;
        while (bsearch(&next, sorted, (size_t)pinned, sizeof *sorted, compare_ids))
            next++;
        if (k->cluster[c].processor != next)
            check_find(k, "cluster %ld: processor is %ld, the file says %ld", (long)c, (long)next,
                       (long)k->cluster[c].processor);
        next++;
    }
    check_counted(k, (size_t)k->clusters);
}

static int houstis_promises(check *k, inlay_id *pins, inlay_id *sorted)
{
    processors_in_order(k, pins, sorted);
    memory_fits(k);
    work_fits(k);
    return k->reduced_from < 0 ? check_parallel_modules(k) : INLAY_OK;
}

int check_constraints(check *k)
{
    size_t n = (size_t)k->clusters + 1;
    inlay_id *pins = calloc(n, sizeof *pins), *sorted = calloc(n, sizeof *sorted);
    int status = INLAY_NO_MEMORY;

    if (pins && sorted) {
        clusters_ascend(k);
        processors_differ(k, sorted);
        default_frame(k);
        reduction_reduced(k);
        status = k->method == CHECK_HOUSTIS ? houstis_promises(k, pins, sorted) : INLAY_OK;
    }
    free(pins);
    free(sorted);
    return status;
}

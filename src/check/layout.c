/* Clusters on processors: pins, numbering, and what the layout gained. */
#include "check/check.h"

#include <math.h>
#include <stdlib.h>

static int compare_ids(const void *a, const void *b)
{
    inlay_id x = *(const inlay_id *)a, y = *(const inlay_id *)b;
    return (x > y) - (x < y);
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

/* ---- The method's own layout ---- */

/* The processor that a module of the cluster is pinned to, or -1; every pinned module runs where it wants to. */
static inlay_id pin_of(check *k, inlay_id c)
{
    inlay_id pin = -1;
    for (inlay_id at = k->cluster[c].first; at < k->cluster[c].end; at++) {
        inlay_id wanted = inlay_app_pin(k->app, k->listed[at]);
        if (wanted < 0 || k->cluster_of[k->listed[at]] != c) continue;
        pin = wanted;
        if (wanted != k->cluster[c].processor)
            check_find(k, "cluster %ld: module '%.100s' is pinned to processor %ld, but runs on %ld", (long)c,
                       inlay_app_module_name(k->app, k->listed[at]), (long)wanted, (long)k->cluster[c].processor);
    }
    return pin;
}

/* Clusters without pins take the processors that no pin names, in ascending order. `sorted`: one entry a cluster. */
static void number_in_order(check *k, inlay_id *processor, inlay_id *sorted)
{
    inlay_id next = 0, pinned = 0;
    for (inlay_id c = 0; c < k->clusters; c++) {
        processor[c] = pin_of(k, c);
        if (processor[c] >= 0) sorted[pinned++] = processor[c];
    }
    qsort(sorted, (size_t)pinned, sizeof *sorted, compare_ids);
    for (inlay_id c = 0; c < k->clusters; c++) {
        if (processor[c] >= 0) continue;
        while (bsearch(&next, sorted, (size_t)pinned, sizeof *sorted, compare_ids))
            next++;
        processor[c] = next++;
    }
}

/* Where all processors are equally far apart, the order is the layout. */
static void processors_in_order(check *k, const inlay_id *processor)
{
    for (inlay_id c = 0; c < k->clusters; c++)
        if (k->cluster[c].processor != processor[c])
            check_find(k, "cluster %ld: processor is %ld, the file says %ld", (long)c, (long)processor[c],
                       (long)k->cluster[c].processor);
    check_counted(k, (size_t)k->clusters);
}

/* ---- What it gained ---- */

static void expect_null(check *k, const json_t *layout, const char *name)
{
    bool null;
    const json_t *value = check_field_or_null(k, "layout", layout, name, CHECK_INTEGER, &null);
    check_counted(k, 1);
    if (value) check_find(k, "layout: %s is null, the file says %lld", name, (long long)json_integer_value(value));
}

/* Whether any cluster may stand anywhere, so that the order is a layout as good as others; copies meet on hosts. */
static bool anywhere(const check *k)
{
    return inlay_machine_has_links(k->machine) && !check_copies(k) && k->classes == 1 && k->class[0].memory < 0;
}

/* The layout is the best of several starts, the order and the nearest placement among them, and what improves them. */
static void compare_gain(check *k, const json_t *layout, const inlay_id *in_order)
{
    int64_t order = check_weighted(k, in_order);
    check_count(k, "layout", layout, "in_order", order);
    check_counted(k, 1);
    if (anywhere(k) && k->layout != CHECK_LAYOUT_SCOTCH && k->weighted > order)
        check_find(k, "weighted_traffic of %lld is more than the %lld of the clusters in order", (long long)k->weighted,
                   (long long)order);
    if (k->layout == CHECK_LAYOUT_SCOTCH) {
        expect_null(k, layout, "nearest");
        return;
    }
    const json_t *nearest = check_field(k, "layout", layout, "nearest", CHECK_INTEGER);
    check_counted(k, 1);
    if (nearest && json_integer_value(nearest) < k->weighted)
        check_find(k, "layout: nearest is at least the %lld of the layout, the file says %lld", (long long)k->weighted,
                   (long long)json_integer_value(nearest));
}

/* The clusters change to other processors, and what they had comes back in the same array. */
static void exchange_processors(check *k, inlay_id *processor)
{
    for (inlay_id c = 0; c < k->clusters; c++) {
        inlay_id there = k->cluster[c].processor;
        k->cluster[c].processor = processor[c];
        processor[c] = there;
    }
}

/* The busiest link as it would be with the clusters there, where the file tells of that. */
static int compare_before(check *k, const json_t *layout, inlay_id *in_order)
{
    const json_t *before = json_object_get(layout, "before");
    check_links links = k->links;
    if (!before) return INLAY_OK;
    k->links = (check_links){0};
    exchange_processors(k, in_order);
    int status = check_links_load(k);
    double u = (double)(k->links.busiest / k->time_frame);
    if (status == INLAY_OK && u < 1) {
        check_number(k, "layout.before", before, "utilisation", u);
        status = check_simulated(k, "layout.before", before, "elapsed");
    } else if (status == INLAY_OK) {
        check_find(k, "layout: before is missing where a link would be saturated");
    }
    exchange_processors(k, in_order);
    check_links_clear(&k->links);
    k->links = links;
    return status;
}

int check_layout(check *k)
{
    size_t n = (size_t)k->clusters + 1;
    bool wide = k->cluster[k->clusters - 1].end > k->modules; /* modules of several cores: packed on hosts */
    bool own = k->method != NULL && !k->method->places, far = inlay_machine_has_distance(k->machine);
    inlay_id *processor = calloc(n, sizeof *processor), *sorted = calloc(n, sizeof *sorted);
    const json_t *layout = check_field(k, NULL, k->root, "layout", CHECK_OBJECT);
    int status = processor && sorted ? INLAY_OK : INLAY_NO_MEMORY;

    if (status == INLAY_OK) {
        processors_differ(k, sorted);
        for (inlay_id c = 0; own && wide && c < k->clusters; c++)
            (void)pin_of(k, c);
        own = own && !wide;
        if (own) number_in_order(k, processor, sorted);
        if (own && !far) processors_in_order(k, processor);
    }
    if (status == INLAY_OK && layout && own && far) {
        compare_gain(k, layout, processor);
        if (inlay_machine_has_links(k->machine)) status = compare_before(k, layout, processor);
    } else if (status == INLAY_OK && layout) {
        expect_null(k, layout, "in_order");
        expect_null(k, layout, "nearest");
    }
    free(processor);
    free(sorted);
    return status;
}

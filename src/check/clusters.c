/* The clusters of the file: whether they are a partition of the modules, and their figures. */
#include "check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHERE = 40 };

static const char *cluster_name(inlay_id cluster, char text[WHERE])
{
    snprintf(text, WHERE, "cluster %ld", (long)cluster);
    return text;
}

/* ---- Several cores ---- */

inlay_id check_cores(const check *k, inlay_id module)
{
    return k->ignore_cores ? 1 : inlay_app_cores(k->app, module);
}

/* Processors that share a memory, and have no links between them, are cores of one host. */
static bool one_host(const check *k, inlay_id one, inlay_id other)
{
    if (one < 0 || other < 0 || one == other) return false;
    if (!inlay_machine_has_links(k->machine)) return inlay_machine_memory_kind(k->machine) == INLAY_MEMORY_COMMON;
    return inlay_machine_host(k->machine, one) == inlay_machine_host(k->machine, other);
}

/* ---- Reading ---- */

/* Put one module of the file into its cluster; false where it cannot be there. */
static bool place_module(check *k, inlay_id cluster, const json_t *value)
{
    const char *name = json_string_value(value);
    if (!name) {
        check_find(k, "cluster %ld: a module is not named by a text", (long)cluster);
        return false;
    }
    inlay_id module = inlay_app_find_module(k->app, name);
    if (module < 0) {
        check_find(k, "cluster %ld: module '%.100s' is not in the application", (long)cluster, name);
        return false;
    }
    if (k->seats[module] == check_cores(k, module)) {
        check_find(k, "cluster %ld: module '%.100s' is in cluster %ld already", (long)cluster, name,
                   (long)k->cluster_of[module]);
        return false;
    }
    inlay_id before = k->cluster_of[module];
    bool lower = before < 0 || k->cluster[cluster].processor < k->cluster[before].processor;
    if (before >= 0 && !one_host(k, k->cluster[before].processor, k->cluster[cluster].processor)) {
        check_find(k, "cluster %ld: module '%.100s' holds processors %ld and %ld, which are of different hosts",
                   (long)cluster, name, (long)k->cluster[before].processor, (long)k->cluster[cluster].processor);
        return false;
    }
    k->seats[module]++;
    k->cluster_of[module] = lower ? cluster : before;
    k->listed[k->cluster[cluster].end++] = module;
    return true;
}

static bool place_modules(check *k, inlay_id cluster)
{
    char where[WHERE];
    const json_t *names =
        check_field(k, cluster_name(cluster, where), k->cluster[cluster].said, "modules", CHECK_ARRAY);
    bool all = names != NULL;
    for (size_t i = 0; i < json_array_size(names); i++)
        all = place_module(k, cluster, json_array_get(names, i)) && all;
    if (names && json_array_size(names) == 0) {
        check_find(k, "cluster %ld: it has no modules", (long)cluster);
        return false;
    }
    return all;
}

/* ---- Data blocks by name ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const check_name *)a)->text, ((const check_name *)b)->text);
}

static void sort_block_names(check *k)
{
    for (inlay_id d = 0; d < k->blocks; d++)
        k->block_name[d] = (check_name){inlay_app_block_name(k->app, d), d};
    qsort(k->block_name, (size_t)k->blocks, sizeof *k->block_name, compare_names);
}

inlay_id check_find_block(const check *k, const char *name)
{
    check_name wanted = {name, -1};
    const check_name *found =
        name ? bsearch(&wanted, k->block_name, (size_t)k->blocks, sizeof wanted, compare_names) : NULL;
    return found ? found->block : -1;
}

static bool place_blocks(check *k, inlay_id cluster)
{
    char where[WHERE];
    const json_t *names = check_field(k, cluster_name(cluster, where), k->cluster[cluster].said, "blocks", CHECK_ARRAY);
    bool all = names != NULL;
    inlay_id last = -1;
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        inlay_id block = check_find_block(k, name);
        if (block < 0)
            check_find(k, "cluster %ld: data block '%.100s' is not in the application", (long)cluster,
                       name ? name : "?");
        else if (k->home[block] >= 0)
            check_find(k, "cluster %ld: data block '%.100s' lives in cluster %ld already", (long)cluster, name,
                       (long)k->home[block]);
        else
            k->home[block] = cluster;
        if (block >= 0 && block < last)
            check_find(k, "cluster %ld: data block '%.100s' stands behind '%.100s', but its number is smaller",
                       (long)cluster, name, inlay_app_block_name(k->app, last));
        last = block;
        all = all && block >= 0 && k->home[block] == cluster;
    }
    return all;
}

static bool read_cluster(check *k, const json_t *said, inlay_id c, inlay_id first)
{
    char where[WHERE];
    check_cluster *cluster = &k->cluster[c];
    *cluster = (check_cluster){.said = said, .first = first, .end = first, .processor = -1};
    if (!json_is_object(said)) {
        check_find(k, "cluster %ld: it is not an object", (long)c);
        return false;
    }
    const json_t *processor = check_field(k, cluster_name(c, where), said, "processor", CHECK_INTEGER);
    json_int_t number = json_integer_value(processor);
    bool within = processor && number >= 0 && number < inlay_machine_processors(k->machine);
    if (within)
        cluster->processor = (inlay_id)number;
    else if (processor)
        check_find(k, "cluster %ld: processor is %lld, the machine has %ld", (long)c, (long long)number,
                   (long)inlay_machine_processors(k->machine));
    bool modules = place_modules(k, c);
    bool blocks = place_blocks(k, c);
    return within && modules && blocks;
}

/* Modules, and data blocks with users, that no cluster has. */
static bool nothing_missing(check *k)
{
    bool all = true;
    for (inlay_id i = 0; i < k->modules; i++)
        if (k->seats[i] < check_cores(k, i)) {
            if (k->seats[i] == 0)
                check_find(k, "module '%.100s' is in no cluster", inlay_app_module_name(k->app, i));
            else
                check_find(k, "module '%.100s' holds %ld cores and is in %ld clusters",
                           inlay_app_module_name(k->app, i), (long)check_cores(k, i), (long)k->seats[i]);
            all = false;
        }
    for (inlay_id d = 0; d < k->blocks; d++)
        if (k->home[d] < 0 && inlay_app_uses(k->app, d).count > 0) {
            check_find(k, "data block '%.100s' lives in no cluster", inlay_app_block_name(k->app, d));
            all = false;
        }
    return all;
}

static bool allocate(check *k)
{
    k->cluster = calloc((size_t)k->clusters + 1, sizeof *k->cluster);
    k->cluster_of = malloc(((size_t)k->modules + 1) * sizeof *k->cluster_of);
    size_t seats = 1;
    for (inlay_id i = 0; i < k->modules; i++)
        seats += (size_t)check_cores(k, i);
    k->seats = calloc((size_t)k->modules + 1, sizeof *k->seats);
    k->listed = malloc(seats * sizeof *k->listed);
    k->home = malloc(((size_t)k->blocks + 1) * sizeof *k->home);
    k->block_name = malloc(((size_t)k->blocks + 1) * sizeof *k->block_name);
    k->datum_from = calloc((size_t)k->modules + 1, sizeof *k->datum_from);
    size_t keepers = (size_t)k->clusters + (size_t)inlay_machine_processors(k->machine);
    k->kept = malloc(keepers * sizeof *k->kept);
    k->holder = malloc(((size_t)k->clusters + 1) * sizeof *k->holder);
    if (!k->cluster || !k->cluster_of || !k->seats || !k->listed || !k->home || !k->block_name || !k->datum_from ||
        !k->kept || !k->holder)
        return false;
    for (size_t h = 0; h < keepers; h++)
        k->kept[h] = -1;
    for (inlay_id d = 0; d < inlay_app_data(k->app); d++)
        k->datum_from[inlay_app_datum(k->app, d).producer + 1] = d + 1;
    for (inlay_id i = 0; i < k->modules; i++)
        if (k->datum_from[i + 1] < k->datum_from[i]) k->datum_from[i + 1] = k->datum_from[i];
    for (inlay_id i = 0; i < k->modules; i++)
        k->cluster_of[i] = -1;
    for (inlay_id d = 0; d < k->blocks; d++)
        k->home[d] = -1;
    sort_block_names(k);
    return true;
}

bool check_read_clusters(check *k, int *status)
{
    const json_t *clusters = check_field(k, NULL, k->root, "clusters", CHECK_ARRAY);
    *status = INLAY_OK;
    if (!clusters) return false;
    if (json_array_size(clusters) > (size_t)inlay_machine_processors(k->machine)) {
        check_find(k, "there are %zu clusters for the %ld processors of the machine", json_array_size(clusters),
                   (long)inlay_machine_processors(k->machine));
        return false;
    }
    k->clusters = (inlay_id)json_array_size(clusters);
    if (!allocate(k)) {
        *status = INLAY_NO_MEMORY;
        return false;
    }
    bool all = true;
    for (inlay_id c = 0; c < k->clusters; c++)
        all = read_cluster(k, json_array_get(clusters, (size_t)c), c, c > 0 ? k->cluster[c - 1].end : 0) && all;
    return nothing_missing(k) && all;
}

/* ---- Comparing ---- */

/* The modules of a cluster stand in the order in which they run. */
static void compare_order(check *k, inlay_id c)
{
    const check_cluster *cluster = &k->cluster[c];
    for (inlay_id i = cluster->first + 1; i < cluster->end; i++) {
        inlay_id before = k->listed[i - 1], after = k->listed[i];
        check_counted(k, 1);
        if (k->rank[before] > k->rank[after])
            check_find(k, "cluster %ld: module '%.100s' stands before '%.100s', but runs after it", (long)c,
                       inlay_app_module_name(k->app, before), inlay_app_module_name(k->app, after));
    }
}

void check_cluster_figures(check *k)
{
    char where[WHERE];
    for (inlay_id c = 0; c < k->clusters; c++) {
        const check_cluster *cluster = &k->cluster[c];
        cluster_name(c, where);
        compare_order(k, c);
        if (k->plain) {
            check_time(k, where, cluster->said, "work", cluster->work);
            check_time(k, where, cluster->said, "busy", cluster->busy);
        } else {
            check_number(k, where, cluster->said, "work", cluster->own_work);
            check_number(k, where, cluster->said, "busy", cluster->own_busy);
        }
        check_count(k, where, cluster->said, "memory", cluster->memory);
        check_count(k, where, cluster->said, "messages_out", cluster->messages_out);
        check_count(k, where, cluster->said, "traffic_out", cluster->traffic_out);
        check_count(k, where, cluster->said, "weighted_traffic_out", cluster->weighted_out);
        check_number(k, where, cluster->said, "utilisation", check_utilisation(k, c));
    }
}

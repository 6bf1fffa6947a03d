/* A partition of the modules into clusters that only ever merge. */
#include "mapping/partition.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

static void merged_free(merged *more)
{
    if (more != NULL) {
        traffic_table_clear(&more->neighbours);
        slot_set_clear(&more->slots);
        free(more->conflict);
        free(more->members);
        free(more);
    }
}

void partition_clear(partition *part)
{
    for (inlay_id i = 0; part->clusters != NULL && i < part->p->modules; i++) {
        merged_free(part->clusters[i].more);
    }
    free(part->clusters);
    free(part->parent);
    free(part->changed);
    *part = (partition){0};
}

static int make_singletons(const problem *p, partition *part, inlay_diag *diag)
{
    size_t n = (size_t)p->modules;
    *part = (partition){.p = p, .count = p->modules};
    part->parent = memory_array(n, sizeof *part->parent);
    part->clusters = memory_zeroed(n, sizeof *part->clusters);
    part->changed = memory_array(n, sizeof *part->changed);
    if (part->parent == NULL || part->clusters == NULL || part->changed == NULL) {
        partition_clear(part);
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        part->parent[i] = i;
        part->clusters[i] = (cluster){.work = p->work[i],
                                      .memory = p->memory == NULL ? 0 : p->memory[i],
                                      .least = i,
                                      .pin = inlay_app_pin(p->app, i)};
    }
    return INLAY_OK;
}

int partition_from(const problem *p, const inlay_id *cluster_of, inlay_id clusters, partition *result, inlay_diag *diag)
{
    partition part;
    int status = make_singletons(p, &part, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_id *first = memory_array((size_t)clusters, sizeof *first);
    if (first == NULL) {
        partition_clear(&part);
        return diag_no_memory(diag);
    }
    for (inlay_id c = 0; c < clusters; c++) {
        first[c] = -1;
    }
    for (inlay_id i = 0; i < p->modules && status == INLAY_OK; i++) {
        inlay_id *root = &first[cluster_of[i]];
        if (*root < 0) {
            *root = i;
        } else {
            status = partition_merge(&part, *root, i, root);
        }
    }
    free(first);
    if (status != INLAY_OK) {
        partition_clear(&part);
        return diag_no_memory(diag);
    }
    *result = part;
    return INLAY_OK;
}

int partition_make(const problem *p, partition *result, inlay_diag *diag)
{
    partition part;
    int status = make_singletons(p, &part, diag);
    if (status != INLAY_OK) {
        return status;
    }
    id_map pinned = {0}; /* processor -> a module pinned to it, plus 1 */
    for (inlay_id i = 0; i < p->modules && status == INLAY_OK; i++) {
        inlay_id pin = part.clusters[i].pin;
        if (pin < 0) {
            continue;
        }
        inlay_id other = (inlay_id)id_map_get(&pinned, pin, -1);
        if (other >= 0) {
            inlay_id root;
            status = partition_merge(&part, partition_root(&part, other), i, &root);
        } else if (id_map_add(&pinned, pin, i) < 0) {
            status = INLAY_NO_MEMORY;
        }
    }
    id_map_clear(&pinned);
    if (status != INLAY_OK) {
        partition_clear(&part);
        return diag_no_memory(diag);
    }
    *result = part;
    return INLAY_OK;
}

/* ---- Questions ---- */

int64_t partition_degree(const partition *part, inlay_id root)
{
    const merged *more = part->clusters[root].more;
    return more != NULL ? more->neighbours.used : part->p->begin[root + 1] - part->p->begin[root];
}

bool partition_next_neighbour(const partition *part, inlay_id root, walk *w, inlay_id *neighbour, int64_t *traffic)
{
    const merged *more = part->clusters[root].more;
    if (more != NULL) {
        return traffic_table_next(&more->neighbours, &w->slot, neighbour, traffic);
    }
    int64_t at = part->p->begin[root] + w->at;
    if (at >= part->p->begin[root + 1]) {
        return false;
    }
    *neighbour = partition_root(part, part->p->neighbour[at]);
    *traffic = part->p->traffic[at];
    w->at++;
    return true;
}

bool partition_next_slot(const partition *part, inlay_id root, walk *w, int32_t *slot)
{
    const merged *more = part->clusters[root].more;
    if (more != NULL) {
        return slot_set_next(&more->slots, &w->slot, slot);
    }
    *slot = part->p->first_slot[root] + (int32_t)w->at;
    return *slot <= part->p->last_slot[root] && (w->at++, true);
}

bool partition_has_slot(const partition *part, inlay_id root, int32_t slot)
{
    const merged *more = part->clusters[root].more;
    return more != NULL ? slot_set_has(&more->slots, slot)
                        : part->p->first_slot[root] <= slot && slot <= part->p->last_slot[root];
}

/* Both single: the neighbours of a module are ordered. */
static int64_t traffic_of_modules(const problem *p, inlay_id a, inlay_id b)
{
    int64_t low = p->begin[a], high = p->begin[a + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (p->neighbour[middle] < b) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < p->begin[a + 1] && p->neighbour[low] == b ? p->traffic[low] : 0;
}

int64_t partition_traffic(const partition *part, inlay_id a, inlay_id b)
{
    const merged *of_a = part->clusters[a].more, *of_b = part->clusters[b].more;
    if (of_a != NULL) {
        return traffic_table_get(&of_a->neighbours, b, 0);
    }
    if (of_b != NULL) {
        return traffic_table_get(&of_b->neighbours, a, 0);
    }
    return traffic_of_modules(part->p, a, b);
}

bool partition_fits(const partition *part, inlay_id a, inlay_id b)
{
    const cluster *x = &part->clusters[a], *y = &part->clusters[b];
    if (x->pin >= 0 && y->pin >= 0 && x->pin != y->pin) {
        return false;
    }
    return part->p->memory_limit < 0 || x->memory + y->memory <= part->p->memory_limit;
}

static bool rows_meet(const partition *part, inlay_id a, inlay_id b)
{
    const problem *p = part->p;
    const merged *of_a = part->clusters[a].more, *of_b = part->clusters[b].more;
    const uint64_t *row = of_a != NULL ? of_a->conflict : p->conflict + (size_t)a * p->conflict_words;
    inlay_id count = of_b != NULL ? of_b->size : 1;
    for (inlay_id i = 0; i < count; i++) {
        inlay_id member = of_b != NULL ? of_b->members[i] : b;
        if (row[member / 64] >> (member % 64) & 1) {
            return true;
        }
    }
    return false;
}

bool partition_parallel(const partition *part, inlay_id a, inlay_id b)
{
    if (part->p->conflict != NULL) {
        bool a_smaller = part->clusters[a].more == NULL;
        return a_smaller ? rows_meet(part, b, a) : rows_meet(part, a, b);
    }
    const merged *of_a = part->clusters[a].more, *of_b = part->clusters[b].more;
    if (of_a != NULL && of_b != NULL) {
        return slot_set_meets(&of_a->slots, &of_b->slots);
    }
    /* by level a single module has one slot */
    inlay_id single = of_a == NULL ? a : b;
    return partition_has_slot(part, single == a ? b : a, part->p->first_slot[single]);
}

void partition_label(const partition *part, inlay_id *cluster_of)
{
    inlay_id labels = 0;
    for (inlay_id i = 0; i < part->p->modules; i++) {
        inlay_id root = partition_root(part, i);
        inlay_id least = part->clusters[root].least;
        cluster_of[i] = least == i ? labels++ : cluster_of[least];
    }
}

/* ---- Merging ---- */

/* Turn a single module into a cluster that can grow. */
static int expand(partition *part, inlay_id root)
{
    const problem *p = part->p;
    merged *more = memory_zeroed(1, sizeof *more);
    if (more == NULL) {
        return INLAY_NO_MEMORY;
    }
    slot_set_make(&more->slots, p->slots);
    bool fine = traffic_table_reserve(&more->neighbours, (uint32_t)(p->begin[root + 1] - p->begin[root]));
    walk w = {0};
    inlay_id neighbour;
    int64_t traffic;
    while (fine && partition_next_neighbour(part, root, &w, &neighbour, &traffic)) {
        fine = traffic_table_add(&more->neighbours, neighbour, traffic) >= 0;
    }
    w = (walk){0};
    for (int32_t slot; fine && partition_next_slot(part, root, &w, &slot);) {
        fine = slot_set_add(&more->slots, slot);
    }
    more->size = 1;
    if (fine && p->conflict != NULL) {
        more->conflict = memory_array(p->conflict_words, sizeof *more->conflict);
        more->members = memory_array(1, sizeof *more->members);
        fine = more->conflict != NULL && more->members != NULL;
        if (fine) {
            memcpy(more->conflict, p->conflict + (size_t)root * p->conflict_words,
                   p->conflict_words * sizeof *more->conflict);
            more->members[0] = root;
        }
    }
    if (!fine) {
        merged_free(more);
        return INLAY_NO_MEMORY;
    }
    part->clusters[root].more = more;
    return INLAY_OK;
}

/* Neighbours of `from` become neighbours of `into`, at both ends. */
static int merge_neighbours(partition *part, inlay_id into, inlay_id from)
{
    traffic_table *map = &part->clusters[into].more->neighbours;
    traffic_table_remove(map, from, 0);
    part->changed_count = 0;
    walk w = {0};
    inlay_id x;
    int64_t traffic;
    while (partition_next_neighbour(part, from, &w, &x, &traffic)) {
        if (x == into) {
            continue;
        }
        int64_t sum = traffic_table_add(map, x, traffic);
        if (sum < 0) {
            return INLAY_NO_MEMORY;
        }
        if (sum > traffic) {
            part->changed[part->changed_count++] = x;
        }
        merged *other = part->clusters[x].more;
        int64_t moved = other == NULL ? -1 : traffic_table_remove(&other->neighbours, from, -1);
        if (moved >= 0 && traffic_table_add(&other->neighbours, into, moved) < 0) {
            return INLAY_NO_MEMORY;
        }
    }
    return INLAY_OK;
}

static int merge_slots(partition *part, inlay_id into, inlay_id from)
{
    merged *more = part->clusters[into].more;
    walk w = {0};
    for (int32_t slot; partition_next_slot(part, from, &w, &slot);) {
        if (!slot_set_add(&more->slots, slot)) {
            return INLAY_NO_MEMORY;
        }
    }
    return INLAY_OK;
}

static int merge_conflicts(partition *part, inlay_id into, inlay_id from)
{
    const problem *p = part->p;
    merged *more = part->clusters[into].more;
    const merged *other = part->clusters[from].more;
    inlay_id added = other != NULL ? other->size : 1;
    inlay_id *members = realloc(more->members, (size_t)(more->size + added) * sizeof *members);
    if (members == NULL) {
        return INLAY_NO_MEMORY;
    }
    more->members = members;
    memcpy(members + more->size, other != NULL ? other->members : &from, (size_t)added * sizeof *members);
    more->size += added;
    const uint64_t *row = other != NULL ? other->conflict : p->conflict + (size_t)from * p->conflict_words;
    for (size_t w = 0; w < p->conflict_words; w++) {
        more->conflict[w] |= row[w];
    }
    return INLAY_OK;
}

int partition_merge(partition *part, inlay_id a, inlay_id b, inlay_id *root)
{
    inlay_id into = partition_degree(part, a) >= partition_degree(part, b) ? a : b;
    inlay_id from = into == a ? b : a;
    int status = part->clusters[into].more == NULL ? expand(part, into) : INLAY_OK;
    if (status == INLAY_OK) {
        status = merge_neighbours(part, into, from);
    }
    if (status == INLAY_OK) {
        status = merge_slots(part, into, from);
    }
    if (status == INLAY_OK && part->p->conflict != NULL) {
        status = merge_conflicts(part, into, from);
    }
    if (status != INLAY_OK) {
        return status;
    }
    cluster *x = &part->clusters[into], *y = &part->clusters[from];
    x->work += y->work;
    x->memory += y->memory;
    x->least = x->least < y->least ? x->least : y->least;
    x->pin = x->pin >= 0 ? x->pin : y->pin;
    merged_free(y->more);
    y->more = NULL;
    part->parent[from] = into;
    part->count--;
    *root = into;
    return INLAY_OK;
}

/* A partition of the modules into clusters that only ever merge. */
#include "cluster/partition.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/sorted.h"
#include <stdlib.h>
#include <string.h>

static void crew_free(crew *gone)
{
    if (gone != NULL) {
        free(gone->conflict);
        free(gone->members);
        free(gone);
    }
}

static void merged_free(merged *more)
{
    if (more != NULL) {
        traffic_table_clear(&more->neighbours);
        slot_set_clear(&more->slots);
        crew_free(more->crew);
        free(more);
    }
}

void cluster_forget(cluster *c)
{
    merged_free(c->more);
    c->more = NULL;
}

void partition_clear(partition *part)
{
    for (inlay_id i = 0; part->clusters != NULL && i < part->p->modules; i++) {
        merged_free(part->clusters[i].more);
    }
    free(part->clusters);
    free(part->parent);
    free(part->changed);
    eligible_free(part->eligible);
    *part = (partition){0};
}

static int make_singletons(const problem *p, partition *part, inlay_diag *diag)
{
    size_t n = (size_t)p->modules;
    *part = (partition){.p = p, .count = p->modules};
    part->parent = memory_array(n, sizeof *part->parent);
    part->clusters = memory_zeroed(n, sizeof *part->clusters);
    if (part->parent == NULL || part->clusters == NULL) {
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
    int64_t end = p->begin[a + 1], at = sorted_at(p->neighbour, p->begin[a], end, b);
    return at < end && p->neighbour[at] == b ? p->traffic[at] : 0;
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
    if (part->p->memory_limit >= 0 && x->memory + y->memory > part->p->memory_limit) {
        return false;
    }
    return part->eligible == NULL ||
           eligible_allows(part->eligible, a, b, x->memory + y->memory, x->pin >= 0 ? x->pin : y->pin);
}

int partition_bind(partition *part, inlay_time limit)
{
    size_t n = (size_t)part->p->modules;
    if (part->p->kinds.count < 2) {
        return INLAY_OK;
    }
    if (part->eligible == NULL) {
        part->eligible = eligible_new(part->p);
    }
    inlay_id *root = memory_array(n, sizeof *root), *pin = memory_array(n, sizeof *pin);
    int64_t *memory = memory_array(n, sizeof *memory);
    bool fine = part->eligible != NULL && root != NULL && pin != NULL && memory != NULL;
    for (inlay_id i = 0; fine && i < part->p->modules; i++) {
        root[i] = partition_root(part, i);
        pin[i] = part->clusters[i].pin;
        memory[i] = part->clusters[i].memory;
    }
    if (fine) {
        eligible_begin(part->eligible, root, memory, pin, limit);
    }
    free(root);
    free(pin);
    free(memory);
    return fine ? INLAY_OK : INLAY_NO_MEMORY;
}

static bool rows_meet(const partition *part, inlay_id a, inlay_id b)
{
    const problem *p = part->p;
    const merged *of_a = part->clusters[a].more, *of_b = part->clusters[b].more;
    const uint64_t *row = of_a != NULL ? of_a->crew->conflict : p->conflict + (size_t)a * p->conflict_words;
    inlay_id count = of_b != NULL ? of_b->crew->size : 1;
    for (inlay_id i = 0; i < count; i++) {
        inlay_id member = of_b != NULL ? of_b->crew->members[i] : b;
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

inlay_id *partition_count_slots(const partition *part)
{
    inlay_id *here = memory_zeroed((size_t)part->p->slots, sizeof *here);
    for (inlay_id i = 0; here != NULL && i < part->p->modules; i++) {
        walk w = {0};
        for (int32_t slot; partition_root(part, i) == i && partition_next_slot(part, i, &w, &slot);) {
            here[slot]++;
        }
    }
    return here;
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

static crew *crew_of_one(const problem *p, inlay_id module)
{
    crew *made = memory_zeroed(1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->size = 1;
    made->conflict = memory_array(p->conflict_words, sizeof *made->conflict);
    made->members = memory_array(1, sizeof *made->members);
    if (made->conflict == NULL || made->members == NULL) {
        crew_free(made);
        return NULL;
    }
    memcpy(made->conflict, p->conflict + (size_t)module * p->conflict_words,
           p->conflict_words * sizeof *made->conflict);
    made->members[0] = module;
    return made;
}

/* A single module becomes a cluster that can grow, without neighbours yet. */
static int open_cluster(partition *part, inlay_id root)
{
    const problem *p = part->p;
    merged *more = memory_zeroed(1, sizeof *more);
    if (more == NULL) {
        return INLAY_NO_MEMORY;
    }
    slot_set_make(&more->slots, p->slots);
    bool fine = true;
    walk w = {0};
    for (int32_t slot; fine && partition_next_slot(part, root, &w, &slot);) {
        fine = slot_set_add(&more->slots, slot);
    }
    if (fine && p->conflict != NULL) {
        more->crew = crew_of_one(p, root);
        fine = more->crew != NULL;
    }
    if (!fine) {
        merged_free(more);
        return INLAY_NO_MEMORY;
    }
    part->clusters[root].more = more;
    return INLAY_OK;
}

/* The same with its neighbours, which the problem's rows name. */
static int expand(partition *part, inlay_id root)
{
    const problem *p = part->p;
    int status = open_cluster(part, root);
    if (status != INLAY_OK) {
        return status;
    }
    traffic_table *map = &part->clusters[root].more->neighbours;
    bool fine = true;
    for (int64_t e = p->begin[root]; fine && e < p->begin[root + 1]; e++) {
        fine = traffic_table_add(map, partition_root(part, p->neighbour[e]), p->traffic[e]) >= 0;
    }
    return fine ? INLAY_OK : INLAY_NO_MEMORY;
}

/* A single module reads its links from the problem: what it should forget stays there, and does no harm. */
static bool is_forgotten(const partition *part, inlay_id a, inlay_id b)
{
    return part->forgetful && part->p->conflict == NULL &&
           (partition_parallel(part, a, b) || !partition_fits(part, a, b));
}

static bool note_changed(partition *part, inlay_id root)
{
    if (!memory_grow((void **)&part->changed, &part->changed_capacity, part->changed_count + 1,
                     sizeof *part->changed)) {
        return false;
    }
    part->changed[part->changed_count++] = root;
    return true;
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
        merged *other = part->clusters[x].more;
        int64_t moved = other == NULL ? -1 : traffic_table_remove(&other->neighbours, from, -1);
        if (is_forgotten(part, into, x)) {
            continue;
        }
        int64_t sum = traffic_table_add(map, x, traffic);
        if (sum < 0 || (moved >= 0 && traffic_table_add(&other->neighbours, into, moved) < 0)) {
            return INLAY_NO_MEMORY;
        }
        if (sum > traffic && !note_changed(part, x)) {
            return INLAY_NO_MEMORY;
        }
    }
    return INLAY_OK;
}

/* Small into large, whichever has more neighbours. */
static int merge_slots(partition *part, inlay_id into, inlay_id from)
{
    merged *more = part->clusters[into].more, *other = part->clusters[from].more;
    if (other != NULL && other->slots.count > more->slots.count) {
        slot_set swap = more->slots;
        more->slots = other->slots;
        other->slots = swap;
    }
    walk w = {0};
    for (int32_t slot; partition_next_slot(part, from, &w, &slot);) {
        if (!slot_set_add(&more->slots, slot)) {
            return INLAY_NO_MEMORY;
        }
    }
    return INLAY_OK;
}

static int merge_crews(partition *part, inlay_id into, inlay_id from)
{
    const problem *p = part->p;
    crew *own = part->clusters[into].more->crew;
    const merged *other = part->clusters[from].more;
    inlay_id added = other != NULL ? other->crew->size : 1;
    inlay_id *members = realloc(own->members, (size_t)(own->size + added) * sizeof *members);
    if (members == NULL) {
        return INLAY_NO_MEMORY;
    }
    own->members = members;
    memcpy(members + own->size, other != NULL ? other->crew->members : &from, (size_t)added * sizeof *members);
    own->size += added;
    const uint64_t *row = other != NULL ? other->crew->conflict : p->conflict + (size_t)from * p->conflict_words;
    for (size_t w = 0; w < p->conflict_words; w++) {
        own->conflict[w] |= row[w];
    }
    return INLAY_OK;
}

void cluster_add(cluster *into, const cluster *from)
{
    into->work += from->work;
    into->memory += from->memory;
    into->least = into->least < from->least ? into->least : from->least;
    into->pin = into->pin >= 0 ? into->pin : from->pin;
}

int partition_merge(partition *part, inlay_id a, inlay_id b, inlay_id *root)
{
    inlay_id into = partition_degree(part, a) >= partition_degree(part, b) ? a : b;
    inlay_id from = into == a ? b : a;
    int status = part->clusters[into].more == NULL ? expand(part, into) : INLAY_OK;
    if (status == INLAY_OK) {
        status = merge_slots(part, into, from);
    }
    if (status == INLAY_OK && part->p->conflict != NULL) {
        status = merge_crews(part, into, from);
    }
    if (status == INLAY_OK) {
        cluster_add(&part->clusters[into], &part->clusters[from]);
        if (part->eligible != NULL) {
            eligible_merge(part->eligible, into, from, part->clusters[into].memory, part->clusters[into].pin);
        }
        status = merge_neighbours(part, into, from);
    }
    if (status != INLAY_OK) {
        return status;
    }
    cluster_forget(&part->clusters[from]);
    part->parent[from] = into;
    part->count--;
    *root = into;
    return INLAY_OK;
}

/* ---- Remembering ---- */

/* Every link of every module of a merged cluster, from both ends. */
int partition_remember(partition *part)
{
    const problem *p = part->p;
    part->forgetful = false;
    for (inlay_id i = 0; i < p->modules; i++) {
        if (part->clusters[i].more != NULL) {
            traffic_table_clear(&part->clusters[i].more->neighbours);
        }
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id root = partition_root(part, i);
        merged *more = part->clusters[root].more;
        for (int64_t e = p->begin[i]; more != NULL && e < p->begin[i + 1]; e++) {
            inlay_id other = partition_root(part, p->neighbour[e]);
            if (other != root && traffic_table_add(&more->neighbours, other, p->traffic[e]) < 0) {
                return INLAY_NO_MEMORY;
            }
        }
    }
    return INLAY_OK;
}

/* ---- From a clustering ---- */

/* Module `i` into the cluster of `root`; neighbours come later, all at once. */
static int join(partition *part, inlay_id root, inlay_id i)
{
    int status = part->clusters[root].more == NULL ? open_cluster(part, root) : INLAY_OK;
    if (status == INLAY_OK) {
        status = merge_slots(part, root, i);
    }
    if (status == INLAY_OK && part->p->conflict != NULL) {
        status = merge_crews(part, root, i);
    }
    cluster_add(&part->clusters[root], &part->clusters[i]);
    part->parent[i] = root;
    part->count--;
    return status;
}

int partition_from(const problem *p, const inlay_id *cluster_of, inlay_id clusters, partition *result, inlay_diag *diag)
{
    partition part;
    int status = make_singletons(p, &part, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_id *first = memory_array((size_t)clusters, sizeof *first);
    status = first == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    for (inlay_id c = 0; status == INLAY_OK && c < clusters; c++) {
        first[c] = -1;
    }
    for (inlay_id i = 0; i < p->modules && status == INLAY_OK; i++) {
        inlay_id *root = &first[cluster_of[i]];
        if (*root < 0) {
            *root = i;
        } else {
            status = join(&part, *root, i);
        }
    }
    free(first);
    if (status == INLAY_OK) {
        status = partition_remember(&part);
    }
    if (status != INLAY_OK) {
        partition_clear(&part);
        return diag_no_memory(diag);
    }
    *result = part;
    return INLAY_OK;
}

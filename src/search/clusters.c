/* Clusters that merge and come apart again. */
#include "search/clusters.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"

static size_t words_of(const problem *p)
{
    return (size_t)p->slots / 64 + 1;
}

double clusters_bytes(const problem *p)
{
    return (double)p->modules * (double)(sizeof(group) + sizeof(joint) + words_of(p) * sizeof(uint64_t));
}

void clusters_clear(clusters *c)
{
    for (inlay_id i = 0; c->groups != NULL && i < c->p->modules; i++) {
        traffic_table_clear(&c->groups[i].neighbours);
    }
    pool_clear(&c->arrays);
    *c = (clusters){0};
}

/* ---- Making ---- */

static bool fill_group(clusters *c, inlay_id i)
{
    const problem *p = c->p;
    group *g = &c->groups[i];
    c->root[i] = c->after[i] = i;
    g->work = p->work[i];
    g->memory = p->memory == NULL ? 0 : p->memory[i];
    g->least = i;
    g->pin = inlay_app_pin(p->app, i);
    for (int32_t slot = p->first_slot[i]; slot <= p->last_slot[i]; slot++) {
        c->levels[(size_t)i * c->words + (size_t)slot / 64] |= UINT64_C(1) << (slot % 64);
    }
    bool fine = true;
    for (int64_t e = p->begin[i]; e < p->begin[i + 1] && fine; e++) {
        fine = traffic_table_add(&g->neighbours, p->neighbour[e], p->traffic[e]) >= 0;
    }
    return fine;
}

static bool join_pinned(clusters *c)
{
    id_map pinned = {0}; /* processor -> a module pinned to it */
    bool fine = true;
    for (inlay_id i = 0; i < c->p->modules && fine; i++) {
        inlay_id pin = inlay_app_pin(c->p->app, i), root;
        inlay_id other = pin < 0 ? -1 : (inlay_id)id_map_get(&pinned, pin, -1);
        if (other >= 0) {
            fine = clusters_merge(c, c->root[other], i, &root);
        } else if (pin >= 0) {
            fine = id_map_add(&pinned, pin, i) >= 0;
        }
    }
    id_map_clear(&pinned);
    c->joined = 0;
    return fine;
}

int clusters_make(const problem *p, clusters *result, inlay_diag *diag)
{
    size_t n = (size_t)p->modules;
    clusters c = {.p = p, .words = words_of(p)};
    c.root = pool_array(&c.arrays, n, sizeof *c.root);
    c.after = pool_array(&c.arrays, n, sizeof *c.after);
    c.groups = pool_zeroed(&c.arrays, n, sizeof *c.groups);
    c.levels = pool_zeroed(&c.arrays, n * c.words, sizeof *c.levels);
    c.joints = pool_array(&c.arrays, n, sizeof *c.joints);
    c.changed = pool_array(&c.arrays, n, sizeof *c.changed);
    bool fine = !c.arrays.failed;
    for (inlay_id i = 0; i < p->modules && fine; i++) {
        fine = fill_group(&c, i);
    }
    if (!fine || !join_pinned(&c)) {
        clusters_clear(&c);
        return diag_no_memory(diag);
    }
    *result = c;
    return INLAY_OK;
}

/* ---- Questions ---- */

pair clusters_pair(const clusters *c, inlay_id a, inlay_id b, int64_t traffic)
{
    const group *x = &c->groups[a], *y = &c->groups[b];
    bool ordered = x->least < y->least;
    return (pair){traffic, x->work + y->work, ordered ? x->least : y->least, ordered ? y->least : x->least};
}

bool clusters_compatible(const clusters *c, inlay_id a, inlay_id b)
{
    const group *x = &c->groups[a], *y = &c->groups[b];
    const uint64_t *of_a = clusters_levels(c, a), *of_b = clusters_levels(c, b);
    for (size_t w = 0; w < c->words; w++) {
        if (of_a[w] & of_b[w]) {
            return false;
        }
    }
    if (x->pin >= 0 && y->pin >= 0 && x->pin != y->pin) {
        return false;
    }
    return c->p->memory_limit < 0 || x->memory + y->memory <= c->p->memory_limit;
}

/* ---- Merging and taking back ---- */

static void name_members(clusters *c, inlay_id first, inlay_id root)
{
    inlay_id i = first;
    do {
        c->root[i] = root;
        i = c->after[i];
    } while (i != first);
}

/* Two rings become one, and one that was two becomes these again. */
static void swap_after(clusters *c, inlay_id a, inlay_id b)
{
    inlay_id after = c->after[a];
    c->after[a] = c->after[b];
    c->after[b] = after;
}

/* Neighbours of `from` become neighbours of `into`, at both ends; the table of `from` stays as it is. */
static bool join_neighbours(clusters *c, inlay_id into, inlay_id from)
{
    traffic_table *table = &c->groups[into].neighbours;
    int32_t x;
    int64_t traffic;
    traffic_table_remove(table, from, 0);
    c->changed_count = 0;
    for (uint32_t at = 0; traffic_table_next(&c->groups[from].neighbours, &at, &x, &traffic);) {
        if (x == into) {
            continue;
        }
        int64_t sum = traffic_table_add(table, x, traffic);
        traffic_table *other = &c->groups[x].neighbours;
        traffic_table_remove(other, from, 0);
        if (sum < 0 || traffic_table_add(other, into, traffic) < 0) {
            return false;
        }
        if (sum > traffic) {
            c->changed[c->changed_count++] = x;
        }
    }
    return true;
}

/* Take traffic off an entry, which goes where nothing is left; what there is is never less. */
static void take_off(traffic_table *table, int32_t neighbour, int64_t traffic)
{
    if (traffic_table_add(table, neighbour, -traffic) == 0) {
        traffic_table_remove(table, neighbour, 0);
    }
}

static bool part_neighbours(clusters *c, inlay_id into, inlay_id from)
{
    traffic_table *table = &c->groups[into].neighbours;
    int32_t x;
    int64_t traffic;
    bool fine = true;
    for (uint32_t at = 0; fine && traffic_table_next(&c->groups[from].neighbours, &at, &x, &traffic);) {
        if (x == into) {
            fine = traffic_table_add(table, from, traffic) >= 0;
            continue;
        }
        take_off(table, x, traffic);
        take_off(&c->groups[x].neighbours, into, traffic);
        fine = traffic_table_add(&c->groups[x].neighbours, from, traffic) >= 0;
    }
    return fine;
}

bool clusters_merge(clusters *c, inlay_id a, inlay_id b, inlay_id *root)
{
    bool a_larger = c->groups[a].neighbours.used >= c->groups[b].neighbours.used;
    inlay_id into = a_larger ? a : b, from = a_larger ? b : a;
    group *x = &c->groups[into];
    const group *y = &c->groups[from];
    if (!join_neighbours(c, into, from)) {
        return false;
    }
    c->joints[c->joined++] = (joint){into, from, x->least, x->pin};
    x->work += y->work;
    x->memory += y->memory;
    x->least = x->least < y->least ? x->least : y->least;
    x->pin = x->pin >= 0 ? x->pin : y->pin;
    for (size_t w = 0; w < c->words; w++) {
        c->levels[(size_t)into * c->words + w] |= c->levels[(size_t)from * c->words + w];
    }
    name_members(c, from, into);
    swap_after(c, into, from);
    *root = into;
    return true;
}

bool clusters_part(clusters *c, size_t joined)
{
    while (c->joined > joined) {
        joint last = c->joints[--c->joined];
        group *x = &c->groups[last.into];
        const group *y = &c->groups[last.from];
        swap_after(c, last.into, last.from);
        name_members(c, last.from, last.from);
        for (size_t w = 0; w < c->words; w++) {
            c->levels[(size_t)last.into * c->words + w] &= ~c->levels[(size_t)last.from * c->words + w];
        }
        x->work -= y->work;
        x->memory -= y->memory;
        x->least = last.least;
        x->pin = last.pin;
        if (!part_neighbours(c, last.into, last.from)) {
            return false;
        }
    }
    return true;
}

/* Elimination of modules, and the two solutions that come of it. */
#include "graph/stochastic_eliminate.h"
#include "base/heap.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

/*
 * Entries that the lists of a part may have: elimination ends where they would pass 3/2 of what they begin with and
 * some more, doublets and eliminated modules that still stand in them included. Taken up again, it has as much room again for what is left.
 */
enum { SPARE_ENTRIES = 1 << 15, SHORT_LIST = 64 };

/* Where something was subtracted, a pivot is right to about this much: a smaller one may as well be 0. */
static const double least_difference = 1e-12;

bool sg_matrix_open(sg_matrix *m, inlay_id modules, inlay_id parts)
{
    size_t n = (size_t)modules;
    *m = (sg_matrix){.modules = modules};
    m->row = pool_zeroed(&m->arrays, n, sizeof *m->row);
    m->column = pool_zeroed(&m->arrays, n, sizeof *m->column);
    m->back = pool_zeroed(&m->arrays, n, sizeof *m->back);
    m->leak = pool_zeroed(&m->arrays, n, sizeof *m->leak);
    m->clean = pool_zeroed(&m->arrays, n, sizeof *m->clean);
    m->pivot = pool_zeroed(&m->arrays, n, sizeof *m->pivot);
    m->gone = pool_zeroed(&m->arrays, n, sizeof *m->gone);
    m->order = pool_zeroed(&m->arrays, n, sizeof *m->order);
    m->core = pool_zeroed(&m->arrays, (size_t)parts, sizeof *m->core);
    m->mark = pool_zeroed(&m->arrays, n, sizeof *m->mark);
    bool pool = memory_grow((void **)&m->pool, &m->capacity, n + 1, sizeof *m->pool);
    return pool && !m->arrays.failed;
}

void sg_matrix_clear(sg_matrix *m)
{
    free(m->pool);
    pool_clear(&m->arrays);
    *m = (sg_matrix){0};
}

/* ---- Rows and columns ---- */

static bool add_entry(sg_matrix *m, sg_row *list, inlay_id id, double value)
{
    if (list->count == list->room) { /* to the end of the pool, with twice the room */
        size_t room = 2 * (size_t)list->count + 2;
        if (room > INT32_MAX || !memory_grow((void **)&m->pool, &m->capacity, m->used + room, sizeof *m->pool)) {
            return false;
        }
        if (list->count > 0) {
            memcpy(m->pool + m->used, m->pool + list->begin, (size_t)list->count * sizeof *m->pool);
        }
        list->begin = m->used;
        list->room = (int32_t)room;
        m->used += room;
    }
    m->pool[list->begin + (size_t)list->count++] = (sg_entry){id, value};
    return true;
}

/* Join doublets and leave out eliminated modules. */
static void tidy(sg_matrix *m, sg_row *list)
{
    sg_entry *entry = m->pool + list->begin;
    int32_t kept = 0;
    for (int32_t t = 0; t < list->count; t++) {
        sg_entry e = entry[t];
        if (m->gone[e.id]) {
            continue;
        }
        if (m->mark[e.id] > 0) {
            entry[m->mark[e.id] - 1].value += e.value;
        } else {
            entry[kept++] = e;
            m->mark[e.id] = kept;
        }
    }
    for (int32_t t = 0; t < kept; t++) {
        m->mark[entry[t].id] = 0;
    }
    list->count = list->tidy = kept;
}

/* Short lists always, so that their counts are right; long ones where they have grown: a hub has many neighbours. */
static void tidy_seldom(sg_matrix *m, sg_row *list)
{
    if (list->count <= SHORT_LIST || list->count > list->tidy + list->tidy / 4) {
        tidy(m, list);
    }
}

/* ---- Beginning ---- */

static bool set_up_module(sg_matrix *m, const inlay_stochastic *graph, const sg_parts *parts, inlay_id i)
{
    const sg_links *control = &graph->control;
    double inside = 0, outside = 0;
    for (size_t l = control->begin[i]; l < control->begin[i + 1]; l++) {
        const sg_link *link = &control->link[l];
        bool stays = parts->of[link->to] == parts->of[i];
        inside += stays ? link->probability : 0;
        outside += stays ? 0 : link->probability;
        if (stays && link->to == i) {
            m->back[i] += link->probability;
        } else if (stays && (!add_entry(m, &m->row[i], link->to, link->probability) ||
                             !add_entry(m, &m->column[link->to], i, link->probability))) {
            return false;
        }
    }
    bool draws = graph->module[i].eor && control->begin[i] < control->begin[i + 1];
    m->clean[i] = draws || inside <= 1; /* whole numbers where it does not draw */
    m->leak[i] = draws ? outside : 1 - inside;
    return true;
}

sg_outcome sg_begin_part(sg_matrix *m, const inlay_stochastic *graph, const sg_parts *parts, inlay_id part)
{
    inlay_id begin = parts->begin[part], end = parts->begin[part + 1];
    bool leaves = false;
    for (inlay_id t = begin; t < end; t++) {
        inlay_id k = parts->member[t];
        if (!set_up_module(m, graph, parts, k)) {
            return SG_NO_MEMORY;
        }
        leaves = leaves || !m->clean[k] || m->leak[k] > 0;
        m->order[t] = k;
    }
    m->core[part] = end - begin;
    return leaves ? SG_DONE : SG_STAYS;
}

/* ---- Which module is next: a heap of links that would be made, with old entries left in it ---- */

typedef struct key_heap {
    uint64_t *key; /* (entries into times entries out of) x 2^32 + module */
    size_t count, capacity;
} key_heap;

static uint64_t key_of(const sg_matrix *m, inlay_id module)
{
    uint64_t made = (uint64_t)m->row[module].count * (uint64_t)m->column[module].count;
    return (made < UINT32_MAX ? made : UINT32_MAX) << 32 | (uint64_t)module;
}

static bool lower_key(const void *context, const void *a, const void *b)
{
    (void)context;
    return *(const uint64_t *)a < *(const uint64_t *)b;
}

static bool push(key_heap *h, uint64_t key)
{
    if (!memory_grow((void **)&h->key, &h->capacity, h->count + 1, sizeof *h->key)) {
        return false;
    }
    h->key[h->count] = key;
    heap_put((heap){h->key, sizeof *h->key, lower_key, NULL}, h->count++);
    return true;
}

static uint64_t pop(key_heap *h)
{
    uint64_t top = h->key[0];
    heap_drop((heap){h->key, sizeof *h->key, lower_key, NULL}, --h->count);
    return top;
}

/* ---- One part ---- */

typedef struct elimination {
    sg_matrix *m;
    key_heap next;
    int64_t entries; /* in the rows of modules that are not eliminated */
} elimination;

/* Of a module whose row is tidy; false where no visits would be left. */
static bool find_pivot(sg_matrix *m, inlay_id k)
{
    const sg_entry *row = m->pool + m->row[k].begin;
    double pivot = m->clean[k] ? m->leak[k] : 1 - m->back[k];
    for (int32_t t = 0; m->clean[k] && t < m->row[k].count; t++) {
        pivot += row[t].value;
    }
    m->pivot[k] = pivot;
    return pivot > (m->clean[k] ? 0 : least_difference);
}

/* The ways i -> k -> j, for one i. */
static bool bypass(elimination *e, inlay_id k, sg_entry in)
{
    sg_matrix *m = e->m;
    double share = in.value / m->pivot[k];
    for (int32_t t = 0; t < m->row[k].count; t++) {
        sg_entry out = m->pool[m->row[k].begin + (size_t)t];
        if (out.id == in.id) {
            m->back[in.id] += share * out.value;
        } else if (!add_entry(m, &m->row[in.id], out.id, share * out.value) ||
                   !add_entry(m, &m->column[out.id], in.id, share * out.value)) {
            return false;
        }
    }
    m->leak[in.id] += share * m->leak[k];
    m->clean[in.id] = m->clean[in.id] && m->clean[k];
    return true;
}

static bool refresh(elimination *e, sg_row *changed, inlay_id module)
{
    tidy_seldom(e->m, changed);
    return push(&e->next, key_of(e->m, module));
}

static bool eliminate(elimination *e, inlay_id k)
{
    sg_matrix *m = e->m;
    m->gone[k] = true;
    e->entries -= m->row[k].count;
    for (int32_t t = 0; t < m->column[k].count; t++) {
        sg_entry in = m->pool[m->column[k].begin + (size_t)t];
        int32_t before = m->row[in.id].count;
        if (!bypass(e, k, in) || !refresh(e, &m->row[in.id], in.id)) {
            return false;
        }
        e->entries += m->row[in.id].count - before;
    }
    for (int32_t t = 0; t < m->row[k].count; t++) {
        inlay_id to = m->pool[m->row[k].begin + (size_t)t].id;
        if (!refresh(e, &m->column[to], to)) {
            return false;
        }
    }
    return true;
}

/* Takes modules off the heap until one has as few ways as it is listed with; -1: there is none, or too much to do. */
static inlay_id choose(elimination *e, int64_t most, bool *failed)
{
    sg_matrix *m = e->m;
    while (e->next.count > 0) {
        uint64_t listed = pop(&e->next);
        inlay_id k = (inlay_id)(listed & UINT32_MAX);
        if (m->gone[k]) {
            continue;
        }
        int32_t before = m->row[k].count;
        tidy(m, &m->row[k]);
        tidy(m, &m->column[k]);
        e->entries += m->row[k].count - before;
        uint64_t key = key_of(m, k);
        if (key > listed) {
            if (!push(&e->next, key)) {
                *failed = true;
                return -1;
            }
            continue;
        }
        return e->entries + (int64_t)(key >> 32) > most ? -1 : k;
    }
    return -1;
}

/* ---- The core ---- */

/* Breadth-first over the core from its first module on; false when out of memory. */
static bool order_core(const sg_matrix *m, const inlay_id *member, inlay_id members, inlay_id *order)
{
    bool *found = memory_zeroed((size_t)m->modules, sizeof *found);
    inlay_id count = 0, next = 0;
    for (inlay_id t = 0; found != NULL && t < members; t++) {
        if (!m->gone[member[t]] && !found[member[t]]) {
            found[member[t]] = true;
            order[count++] = member[t];
        }
        for (; next < count; next++) {
            const sg_row *row = &m->row[order[next]];
            for (int32_t a = 0; a < row->count; a++) {
                inlay_id to = m->pool[row->begin + (size_t)a].id;
                if (!found[to]) {
                    found[to] = true;
                    order[count++] = to;
                }
            }
        }
    }
    bool done = found != NULL;
    free(found);
    return done;
}

/* What elimination has left: rows without doublets, pivots, and an order. */
static sg_outcome set_up_core(sg_matrix *m, const inlay_id *member, inlay_id members, inlay_id *order,
                              inlay_id *culprit)
{
    for (inlay_id t = 0; t < members; t++) {
        inlay_id k = member[t];
        if (m->gone[k]) {
            continue;
        }
        tidy(m, &m->row[k]);
        tidy(m, &m->column[k]);
        if (!find_pivot(m, k)) {
            *culprit = k;
            return SG_GROWS;
        }
    }
    return order_core(m, member, members, order) ? SG_DONE : SG_NO_MEMORY;
}

/* All modules that are left go to the heap. */
static bool list_modules(elimination *e, const inlay_id *member, inlay_id members)
{
    bool listed = true;
    for (inlay_id t = 0; t < members && listed; t++) {
        inlay_id k = member[t];
        if (!e->m->gone[k]) {
            tidy(e->m, &e->m->row[k]);
            tidy(e->m, &e->m->column[k]);
            e->entries += e->m->row[k].count;
            listed = push(&e->next, key_of(e->m, k));
        }
    }
    return listed;
}

static sg_outcome eliminate_part(elimination *e, const sg_parts *parts, inlay_id part, inlay_id *culprit)
{
    sg_matrix *m = e->m;
    inlay_id begin = parts->begin[part], members = parts->begin[part + 1] - begin, k;
    const inlay_id *member = parts->member + begin;
    bool failed = !list_modules(e, member, members);
    int64_t most = e->entries + e->entries / 2 + SPARE_ENTRIES;
    while (!failed && (k = choose(e, most, &failed)) >= 0) {
        if (!find_pivot(m, k)) {
            *culprit = k;
            return SG_GROWS;
        }
        if (!eliminate(e, k)) {
            return SG_NO_MEMORY;
        }
        m->order[begin + members - m->core[part]--] = k;
    }
    inlay_id left = m->core[part];
    return failed     ? SG_NO_MEMORY
           : left > 0 ? set_up_core(m, member, members, m->order + begin + members - left, culprit)
                      : SG_DONE;
}

sg_outcome sg_eliminate(sg_matrix *m, const sg_parts *parts, inlay_id part, inlay_id *culprit, double *gain)
{
    elimination e = {.m = m};
    sg_outcome outcome = eliminate_part(&e, parts, part, culprit);
    if (outcome == SG_GROWS) {
        *gain = m->back[*culprit];
    }
    free(e.next.key);
    return outcome;
}

/* ---- Solutions ---- */

/* What eliminated modules have goes to those that are left. */
static void hand_over(const sg_matrix *m, const sg_row *ahead, const inlay_id *order, inlay_id count, double *b)
{
    for (inlay_id t = 0; t < count; t++) {
        inlay_id k = order[t];
        const sg_entry *entry = m->pool + ahead[k].begin;
        double share = b[k] / m->pivot[k];
        for (int32_t a = 0; a < ahead[k].count; a++) {
            b[entry[a].id] += share * entry[a].value;
        }
    }
}

/* The core, where there is one: with what enters it, from outside and by modules that are eliminated. */
static sg_outcome solve_core(const sg_matrix *m, const inlay_id *order, inlay_id gone, inlay_id core, int sweeps,
                             const sg_flow_through *through, const double *b, double *x)
{
    double *entering = through == NULL || core == 0 ? NULL : memory_array((size_t)m->modules, sizeof *entering);
    sg_outcome outcome = SG_DONE;
    if (core > 0 && through != NULL && entering == NULL) {
        return SG_NO_MEMORY;
    }
    if (entering != NULL) {
        for (inlay_id t = 0; t < gone + core; t++) {
            entering[order[t]] = through->entering[order[t]];
        }
        hand_over(m, m->row, order, gone, entering);
        const sg_flow_through of_core = {through->visits, entering};
        outcome = sg_sweep(m, order + gone, core, sweeps, &of_core, b, x);
    } else if (core > 0) {
        outcome = sg_sweep(m, order + gone, core, sweeps, NULL, b, x);
    }
    free(entering);
    return outcome;
}

sg_outcome sg_solve_part(const sg_matrix *m, const sg_parts *parts, inlay_id part, int sweeps,
                         const sg_flow_through *through, double *b, double *x)
{
    const sg_row *ahead = through == NULL ? m->row : m->column, *behind = through == NULL ? m->column : m->row;
    inlay_id begin = parts->begin[part], count = parts->begin[part + 1] - begin - m->core[part];
    const inlay_id *order = m->order + begin;
    hand_over(m, ahead, order, count, b);
    sg_outcome outcome = solve_core(m, order, count, m->core[part], sweeps, through, b, x);
    for (inlay_id t = count; t-- > 0 && outcome == SG_DONE;) {
        inlay_id k = order[t];
        const sg_entry *entry = m->pool + behind[k].begin;
        double sum = b[k];
        for (int32_t a = 0; a < behind[k].count; a++) {
            sum += entry[a].value * x[entry[a].id];
        }
        x[k] = sum / m->pivot[k];
    }
    return outcome;
}

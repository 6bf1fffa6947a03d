/*
 * The pair of a slot with the most traffic. A slot's communicating pairs are collected when they are first asked for, and
 * wait in a queue; those that come to be by a merger are added. A pair whose key has changed is found out when it comes
 * up: it only grows heavier, unless its traffic grew, and then it waits a second time.
 */
#include "base/memory.h"
#include "cluster/narrow_slots.h"
#include "cluster/greedy.h"
#include <stdlib.h>

enum { SMALL = 1, LARGE = 2 };

/* With fewer clusters in a slot, looking at all their pairs is less work than keeping these current. */
enum { WORTH_LISTING = 16 };

/* Time forbids a pair for good, as pins and memory do; only where processors differ it may become possible again. */
static bool add(narrow_slots *c, narrow_slot *s, inlay_id a, inlay_id b)
{
    pair p = greedy_pair(c->part, a, b, partition_traffic(c->part, a, b));
    bool fits = partition_fits(c->part, a, b);
    if (fits && p.work > c->rule.limit) {
        c->next = p.work < c->next ? p.work : c->next;
        return true;
    }
    if (!fits && c->part->eligible == NULL) {
        return true;
    }
    return s->busy_listed ? pair_heap_push(&s->busy, p) : pair_heap_append(&s->busy, p);
}

/* The pairs of one cluster; of two in the list of a slot, those of the one with the smaller number suffice. */
static bool add_all(narrow_slots *c, int32_t number, inlay_id root, bool larger_only)
{
    const partition *part = c->part;
    walk w = {0};
    inlay_id x;
    int64_t traffic;
    bool fine = true;
    while (fine && partition_next_neighbour(part, root, &w, &x, &traffic)) {
        bool wanted = !larger_only || part->clusters[x].least > part->clusters[root].least;
        fine = !wanted || !partition_has_slot(part, x, number) || add(c, &c->items[number], root, x);
    }
    return fine;
}

static bool collect(narrow_slots *c, int32_t number)
{
    narrow_slot *s = &c->items[number];
    bool fine = true;
    for (size_t i = 0; fine && i < s->count; i++) {
        fine = add_all(c, number, s->roots[s->first + i], true);
    }
    fine = fine && pair_heap_order(&s->busy);
    s->busy_listed = true;
    return fine;
}

static int by_number(const void *a, const void *b)
{
    inlay_id x = *(const inlay_id *)a, y = *(const inlay_id *)b;
    return (x > y) - (x < y);
}

static bool add_newcomers(narrow_slots *c, int32_t number)
{
    narrow_slot *s = &c->items[number];
    for (size_t i = 0; i < s->newcomer_count; i++) {
        s->newcomers[i] = partition_root(c->part, s->newcomers[i]);
    }
    if (s->newcomer_count > 0) { /* else there may be no array */
        qsort(s->newcomers, s->newcomer_count, sizeof *s->newcomers, by_number);
    }
    bool fine = true;
    for (size_t i = 0; fine && i < s->newcomer_count; i++) {
        fine = (i > 0 && s->newcomers[i] == s->newcomers[i - 1]) || add_all(c, number, s->newcomers[i], false);
    }
    s->newcomer_count = 0;
    return fine;
}

/* The first pair in the queue that stands as it is there and is allowed; those that may be allowed later go aside. */
static bool find_first(narrow_slots *c, narrow_slot *s, pair_heap *aside, candidate *best)
{
    const partition *part = c->part;
    bool fine = true;
    while (fine && best->a < 0 && s->busy.count > 0) {
        pair top = pair_heap_pop(&s->busy);
        inlay_id a = partition_root(part, top.low), b = partition_root(part, top.high);
        if (a == b) {
            continue;
        }
        pair now = greedy_pair(part, a, b, partition_traffic(part, a, b));
        if (now.traffic != top.traffic) {
            continue; /* it waits a second time */
        }
        if (!partition_fits(part, a, b)) {
            fine = part->eligible == NULL || pair_heap_push(aside, now);
        } else if (now.work > c->rule.limit) {
            c->next = now.work < c->next ? now.work : c->next;
        } else if (!pair_same(&now, &top)) {
            fine = pair_heap_push(&s->busy, now);
        } else {
            bool first = part->clusters[a].work <= part->clusters[b].work; /* as they stand in the slot */
            *best = narrow_candidate(part, first ? a : b, first ? b : a);
            fine = pair_heap_push(&s->busy, now);
        }
    }
    return fine;
}

static void unlist(narrow_slot *s)
{
    pair_heap_clear(&s->busy);
    s->busy_listed = false;
    s->newcomer_count = 0;
}

bool narrow_traffic_best(narrow_slots *c, int32_t number, candidate *best)
{
    narrow_slot *s = &c->items[number];
    pair_heap aside = {0};
    if (s->count < WORTH_LISTING) {
        unlist(s);
        for (size_t i = 0; i < s->count; i++) {
            narrow_consider_neighbours(c, s->roots[s->first + i], number, -1, best);
        }
        return true;
    }
    bool fine = s->busy_listed ? add_newcomers(c, number) : collect(c, number);
    fine = fine && find_first(c, s, &aside, best);
    while (fine && aside.count > 0) {
        fine = pair_heap_push(&s->busy, pair_heap_pop(&aside));
    }
    pair_heap_clear(&aside);
    return fine;
}

/* ---- Merging ---- */

static void mark(narrow_slots *c, inlay_id root, uint8_t side)
{
    walk w = {0};
    for (int32_t number; partition_next_slot(c->part, root, &w, &number);) {
        c->side[number] |= side;
    }
}

bool narrow_traffic_before(narrow_slots *c, inlay_id a, inlay_id b)
{
    bool a_small = partition_degree(c->part, a) < partition_degree(c->part, b);
    inlay_id small = a_small ? a : b, large = a_small ? b : a, x;
    mark(c, small, SMALL);
    mark(c, large, LARGE);
    c->near_count = 0;
    walk w = {0};
    int64_t traffic;
    while (partition_next_neighbour(c->part, small, &w, &x, &traffic)) {
        if (!memory_grow((void **)&c->near, &c->near_capacity, c->near_count + 1, sizeof *c->near)) {
            return false;
        }
        c->near[c->near_count++] = x;
    }
    return true;
}

static bool add_newcomer(narrow_slot *s, inlay_id root)
{
    if (!memory_grow((void **)&s->newcomers, &s->newcomer_capacity, s->newcomer_count + 1, sizeof *s->newcomers)) {
        return false;
    }
    s->newcomers[s->newcomer_count++] = root;
    return true;
}

/* A pair with the merged cluster waits in every slot of theirs where it is new, or its traffic grew. */
static bool add_where(narrow_slots *c, inlay_id root, inlay_id x, uint8_t side)
{
    bool fine = true;
    walk w = {0};
    for (int32_t number; fine && x != root && partition_next_slot(c->part, x, &w, &number);) {
        narrow_slot *s = &c->items[number];
        fine = c->side[number] != side || !s->busy_listed || add(c, s, root, x);
    }
    return fine;
}

/*
 * Where the cluster with more neighbours stood already, the other's neighbours are news; where it did not, its own are,
 * too, and are looked at once somebody asks. In slots of both, pairs are news whose traffic grew. Where a side of no work
 * left the work as it was, the smaller number may put every pair before others.
 */
bool narrow_traffic_after(narrow_slots *c, inlay_id root, bool idle_side)
{
    const partition *part = c->part;
    bool all = c->every_sum || idle_side, fine = true;
    walk w = {0};
    for (int32_t number; fine && partition_next_slot(part, root, &w, &number);) {
        narrow_slot *s = &c->items[number];
        fine = !s->busy_listed || (c->side[number] != SMALL && !all) || add_newcomer(s, root);
    }
    for (size_t i = 0; fine && !all && i < c->near_count; i++) {
        fine = add_where(c, root, partition_root(part, c->near[i]), LARGE);
    }
    for (size_t i = 0; fine && !all && i < part->changed_count; i++) {
        fine = add_where(c, root, part->changed[i], SMALL | LARGE);
    }
    w = (walk){0};
    for (int32_t number; partition_next_slot(part, root, &w, &number);) {
        c->side[number] = 0;
    }
    return fine;
}

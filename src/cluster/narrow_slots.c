/*
 * The slots of a narrowing. A slot's best pair stands until one of its two clusters is merged: whatever is merged becomes
 * heavier. The best of the slots' pairs is found by a tournament, of which a merge plays the touched slots' games anew.
 */
#include "cluster/narrow_slots.h"
#include "base/memory.h"
#include "cluster/pair_heap.h"
#include <stdlib.h>
#include <string.h>

/* ---- One slot in order ---- */

static size_t position(const narrow_slots *c, const narrow_slot *s, inlay_id root)
{
    const cluster *own = &c->part->clusters[root];
    size_t low = s->first, high = s->first + s->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const cluster *other = &c->part->clusters[s->roots[middle]];
        bool before = other->work != own->work ? other->work < own->work : other->least < own->least;
        if (before) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void set_count(narrow_slots *c, narrow_slot *s, size_t count)
{
    c->holding[s->count]--;
    s->count = count;
    c->holding[s->count]++;
}

/* The lightest go first as a rule, so that what stands before them moves. */
static void leave(narrow_slots *c, narrow_slot *s, inlay_id root)
{
    size_t at = position(c, s, root);
    memmove(s->roots + s->first + 1, s->roots + s->first, (at - s->first) * sizeof *s->roots);
    s->first++;
    set_count(c, s, s->count - 1);
}

static int enter(narrow_slots *c, narrow_slot *s, inlay_id root)
{
    size_t at = position(c, s, root);
    if (s->first > 0) {
        s->first--;
        memmove(s->roots + s->first, s->roots + s->first + 1, (at - s->first - 1) * sizeof *s->roots);
        s->roots[at - 1] = root;
    } else {
        if (!memory_grow((void **)&s->roots, &s->capacity, s->count + 1, sizeof *s->roots)) {
            return INLAY_NO_MEMORY;
        }
        memmove(s->roots + at + 1, s->roots + at, (s->count - at) * sizeof *s->roots);
        s->roots[at] = root;
    }
    set_count(c, s, s->count + 1);
    return INLAY_OK;
}

static bool next_slot(const narrow_slots *c, inlay_id root, walk *w, int32_t *number)
{
    if (c->rule.one_slot) {
        *number = 0;
        return w->at++ == 0;
    }
    return partition_next_slot(c->part, root, w, number);
}

/* ---- The tournament ---- */

static const candidate *best_of(narrow_slots *c, int32_t number)
{
    narrow_slot *s = &c->items[number];
    if (!s->known) {
        c->starved = !narrow_slot_find_best(c, number) || c->starved;
        s->known = true;
    }
    return &s->best;
}

/* Where only the fullest slots count, the pairs of the others are not asked for. */
static int32_t play(narrow_slots *c, int32_t x, int32_t y)
{
    if (x < 0 || y < 0) {
        return x < 0 ? y : x;
    }
    if (c->rule.fullest_only) {
        size_t of_x = c->items[x].count, of_y = c->items[y].count;
        if (of_x != of_y || of_x < c->most) {
            return of_x >= of_y ? x : y;
        }
    }
    return narrow_better(&c->rule, best_of(c, y), best_of(c, x)) ? y : x;
}

static void play_node(narrow_slots *c, int32_t node)
{
    const int32_t *below = c->winner + 2 * (size_t)node;
    c->winner[node] = play(c, below[0], below[1]);
}

static void play_all(narrow_slots *c)
{
    for (int32_t node = c->leaves - 1; node > 0; node--) {
        play_node(c, node);
    }
}

static void play_touched(narrow_slots *c)
{
    for (int32_t i = 0; i < c->touched_count; i++) {
        for (int32_t node = (c->leaves + c->touched[i]) / 2; node > 0; node /= 2) {
            play_node(c, node);
        }
    }
}

int narrow_slots_best(narrow_slots *c, candidate *best)
{
    *best = *best_of(c, c->winner[1]);
    return c->starved ? INLAY_NO_MEMORY : INLAY_OK;
}

/* ---- Merging ---- */

static void touch(narrow_slots *c, int32_t number, inlay_id a, inlay_id b, bool idle_side)
{
    narrow_slot *s = &c->items[number];
    bool concerned = s->best.a == a || s->best.a == b || s->best.b == a || s->best.b == b;
    if (concerned || idle_side || c->rule.by_traffic) {
        s->known = false;
    }
    if (idle_side) {
        s->tied_work = -1;
    }
    c->touched[c->touched_count++] = number;
}

static void leave_all(narrow_slots *c, inlay_id root)
{
    walk w = {0};
    for (int32_t number; next_slot(c, root, &w, &number);) {
        leave(c, &c->items[number], root);
    }
}

static int enter_all(narrow_slots *c, inlay_id root)
{
    int status = INLAY_OK;
    walk w = {0};
    for (int32_t number; status == INLAY_OK && next_slot(c, root, &w, &number);) {
        status = enter(c, &c->items[number], root);
    }
    return status;
}

/* Games that are played again one path each cost more than all of them, from so many touched slots in 16 on. */
static void play_again(narrow_slots *c, size_t most_before)
{
    if (c->most != most_before || c->touched_count > c->leaves / 16) {
        play_all(c);
    } else {
        play_touched(c);
    }
}

int narrow_slots_merge(narrow_slots *c, inlay_id a, inlay_id b)
{
    /* a side of no work may leave the work as it is and make the traffic or the number better */
    bool idle_side = c->part->clusters[a].work == 0 || c->part->clusters[b].work == 0;
    bool by_traffic = c->rule.by_traffic;
    leave_all(c, a);
    leave_all(c, b);
    inlay_id root;
    int status =
        by_traffic && !narrow_traffic_before(c, a, b) ? INLAY_NO_MEMORY : partition_merge(c->part, a, b, &root);
    if (status == INLAY_OK) {
        status = by_traffic && !narrow_traffic_after(c, root, idle_side) ? INLAY_NO_MEMORY : enter_all(c, root);
    }
    if (status != INLAY_OK) {
        return status;
    }
    c->touched_count = 0;
    walk w = {0};
    for (int32_t number; next_slot(c, root, &w, &number);) {
        touch(c, number, a, b, idle_side);
    }
    size_t most = c->most;
    while (c->most > 0 && c->holding[c->most] == 0) {
        c->most--;
    }
    play_again(c, most);
    return INLAY_OK;
}

/* ---- Making ---- */

/* Clusters come by work, so that each enters its slots at the end. */
static int fill(narrow_slots *c, pair_heap *order)
{
    const partition *part = c->part;
    for (inlay_id i = 0; i < part->p->modules; i++) {
        const cluster *own = &part->clusters[i];
        if (partition_root(part, i) == i &&
            !pair_heap_append(order, (pair){.work = own->work, .low = own->least, .high = i})) {
            return INLAY_NO_MEMORY;
        }
    }
    int status = pair_heap_order(order) ? INLAY_OK : INLAY_NO_MEMORY;
    while (status == INLAY_OK && order->count > 0) {
        status = enter_all(c, pair_heap_pop(order).high);
    }
    return status;
}

static int start(narrow_slots *c)
{
    pair_heap order = {0};
    int status = fill(c, &order);
    pair_heap_clear(&order);
    for (int32_t i = 0; i < c->count; i++) {
        c->most = c->items[i].count > c->most ? c->items[i].count : c->most;
        c->winner[c->leaves + i] = i;
    }
    for (int32_t i = c->leaves + c->count; i < 2 * c->leaves; i++) {
        c->winner[i] = -1;
    }
    if (status == INLAY_OK) {
        play_all(c);
    }
    return status;
}

int narrow_slots_make(partition *part, const narrow_rule *rule, bool only_time, narrow_slots *result)
{
    narrow_slots c = {.part = part, .rule = *rule, .only_time = only_time, .next = INT64_MAX, .leaves = 1};
    c.count = rule->one_slot ? 1 : part->p->slots;
    while (c.leaves < c.count) {
        c.leaves *= 2;
    }
    c.items = memory_zeroed((size_t)c.count, sizeof *c.items);
    c.holding = memory_zeroed((size_t)part->count + 1, sizeof *c.holding);
    c.winner = memory_array(2 * (size_t)c.leaves, sizeof *c.winner);
    c.touched = memory_array((size_t)c.count, sizeof *c.touched);
    c.side = rule->by_traffic ? memory_zeroed((size_t)c.count, sizeof *c.side) : NULL;
    c.every_sum = rule->want_next && rule->limit < INT64_MAX;
    for (int32_t i = 0; c.items != NULL && i < c.count; i++) {
        c.items[i].tied_work = -1;
    }
    bool fine = c.items != NULL && c.holding != NULL && c.winner != NULL && c.touched != NULL &&
                (c.side != NULL || !rule->by_traffic);
    if (fine) {
        c.holding[0] = c.count;
    }
    if (!fine || start(&c) != INLAY_OK) {
        narrow_slots_clear(&c);
        return INLAY_NO_MEMORY;
    }
    *result = c;
    return INLAY_OK;
}

void narrow_slots_clear(narrow_slots *c)
{
    for (int32_t i = 0; c->items != NULL && i < c->count; i++) {
        free(c->items[i].roots);
        pair_heap_clear(&c->items[i].tied);
        pair_heap_clear(&c->items[i].busy);
        free(c->items[i].newcomers);
    }
    free(c->items);
    free(c->holding);
    free(c->winner);
    free(c->touched);
    free(c->side);
    free(c->near);
    *c = (narrow_slots){0};
}

/*
 * Thinning out crowded slots. Every slot keeps its clusters ordered by work, and its best pair until one of its
 * clusters changes. Where nothing but time can forbid a pair, the two smallest works make the least sum and ties are
 * settled along the links; else the pairs are walked through in the order of their sums.
 */
#include "mapping/crowd.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

typedef struct candidate {
    inlay_id a, b; /* roots; a < 0: none */
    inlay_time work;
    int64_t traffic;
    inlay_id low, high;
} candidate;

typedef struct slot {
    inlay_id *roots; /* ordered by (work, least) */
    size_t count, capacity;
    candidate best;
    bool known;
} slot;

typedef struct crowd {
    partition *part;
    crowd_rule rule;
    inlay_time next;
    slot *slots;
    int32_t count;
    bool only_time; /* neither memory nor pins can forbid a pair */
} crowd;

static const candidate nobody = {.a = -1, .b = -1};

static bool better(const crowd *c, const candidate *x, const candidate *y)
{
    if (x->a < 0 || y->a < 0) {
        return y->a < 0 && x->a >= 0;
    }
    if (c->rule.by_traffic && x->traffic != y->traffic) {
        return x->traffic > y->traffic;
    }
    if (x->work != y->work) {
        return x->work < y->work;
    }
    if (x->traffic != y->traffic) {
        return x->traffic > y->traffic;
    }
    return x->low != y->low ? x->low < y->low : x->high < y->high;
}

static candidate make_candidate(const partition *part, inlay_id a, inlay_id b)
{
    const cluster *x = &part->clusters[a], *y = &part->clusters[b];
    bool ordered = x->least < y->least;
    return (candidate){.a = a,
                       .b = b,
                       .work = x->work + y->work,
                       .traffic = partition_traffic(part, a, b),
                       .low = ordered ? x->least : y->least,
                       .high = ordered ? y->least : x->least};
}

static void consider(crowd *c, inlay_id a, inlay_id b, candidate *best)
{
    if (!partition_fits(c->part, a, b)) {
        return;
    }
    candidate found = make_candidate(c->part, a, b);
    if (found.work > c->rule.limit) {
        c->next = found.work < c->next ? found.work : c->next;
    } else if (better(c, &found, best)) {
        *best = found;
    }
}

static bool in_slot(const crowd *c, inlay_id root, int32_t number)
{
    return c->rule.one_slot || partition_has_slot(c->part, root, number);
}

/* ---- The best pair of one slot ---- */

static inlay_time work_at(const crowd *c, const slot *s, size_t i)
{
    return c->part->clusters[s->roots[i]].work;
}

/* Every pair in the order of sums, as far as a better one can come. */
static candidate walk_pairs(crowd *c, const slot *s)
{
    candidate best = nobody;
    for (size_t i = 0; i + 1 < s->count; i++) {
        for (size_t j = i + 1; j < s->count; j++) {
            bool beyond = best.a >= 0 && work_at(c, s, i) + work_at(c, s, j) > best.work;
            if (beyond && !c->rule.by_traffic) {
                break;
            }
            consider(c, s->roots[i], s->roots[j], &best);
        }
    }
    return best;
}

/* Neighbours of one cluster within the slot; with `work` >= 0 only those of that work. */
static void consider_neighbours(crowd *c, inlay_id root, int32_t number, inlay_time work, candidate *best)
{
    walk w = {0};
    inlay_id x;
    int64_t traffic;
    while (partition_next_neighbour(c->part, root, &w, &x, &traffic)) {
        if ((work < 0 || c->part->clusters[x].work == work) && in_slot(c, x, number)) {
            consider(c, root, x, best);
        }
    }
}

/* The two smallest works make the least sum; among equals the links decide, then the numbers. */
static candidate lightest_pair(crowd *c, const slot *s, int32_t number)
{
    candidate best = nobody;
    inlay_time first = work_at(c, s, 0), second = work_at(c, s, 1);
    consider(c, s->roots[0], s->roots[1], &best);
    for (size_t i = 0; i < s->count && work_at(c, s, i) == first && best.a >= 0; i++) {
        consider_neighbours(c, s->roots[i], number, second, &best);
        if (first != second) {
            break;
        }
    }
    return best;
}

/* The most traffic within the slot, or none where nothing communicates. */
static candidate busiest_pair(crowd *c, const slot *s, int32_t number)
{
    candidate best = nobody;
    for (size_t i = 0; i < s->count; i++) {
        consider_neighbours(c, s->roots[i], number, -1, &best);
    }
    return best;
}

static const candidate *best_of(crowd *c, int32_t number)
{
    slot *s = &c->slots[number];
    if (s->known) {
        return &s->best;
    }
    s->known = true;
    s->best = nobody;
    if (s->count < 2) {
        return &s->best;
    }
    if (c->rule.by_traffic) {
        s->best = busiest_pair(c, s, number);
    }
    if (s->best.a < 0) {
        s->best = c->only_time ? lightest_pair(c, s, number) : walk_pairs(c, s);
    }
    return &s->best;
}

/* ---- Keeping the slots in order ---- */

static size_t position(const crowd *c, const slot *s, inlay_id root)
{
    const cluster *own = &c->part->clusters[root];
    size_t low = 0, high = s->count;
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

static void leave(crowd *c, int32_t number, inlay_id root)
{
    slot *s = &c->slots[number];
    size_t at = position(c, s, root);
    s->count--;
    memmove(s->roots + at, s->roots + at + 1, (s->count - at) * sizeof *s->roots);
    s->known = false;
}

static int enter(crowd *c, int32_t number, inlay_id root)
{
    slot *s = &c->slots[number];
    if (!memory_grow((void **)&s->roots, &s->capacity, s->count + 1, sizeof *s->roots)) {
        return INLAY_NO_MEMORY;
    }
    size_t at = position(c, s, root);
    memmove(s->roots + at + 1, s->roots + at, (s->count - at) * sizeof *s->roots);
    s->roots[at] = root;
    s->count++;
    s->known = false;
    return INLAY_OK;
}

static bool next_slot(const crowd *c, inlay_id root, walk *w, int32_t *number)
{
    if (c->rule.one_slot) {
        *number = 0;
        return w->at++ == 0;
    }
    return partition_next_slot(c->part, root, w, number);
}

static void leave_all(crowd *c, inlay_id root)
{
    walk w = {0};
    for (int32_t number; next_slot(c, root, &w, &number);) {
        leave(c, number, root);
    }
}

static int enter_all(crowd *c, inlay_id root)
{
    int status = INLAY_OK;
    walk w = {0};
    for (int32_t number; status == INLAY_OK && next_slot(c, root, &w, &number);) {
        status = enter(c, number, root);
    }
    return status;
}

static int fill(crowd *c)
{
    int status = INLAY_OK;
    for (inlay_id i = 0; i < c->part->p->modules && status == INLAY_OK; i++) {
        if (partition_root(c->part, i) == i) {
            status = enter_all(c, i);
        }
    }
    return status;
}

/* ---- Thinning ---- */

static size_t fullest(const crowd *c)
{
    size_t most = 0;
    for (int32_t i = 0; i < c->count; i++) {
        most = c->slots[i].count > most ? c->slots[i].count : most;
    }
    return most;
}

static candidate choose(crowd *c, size_t most)
{
    candidate best = nobody;
    for (int32_t i = 0; i < c->count; i++) {
        if (!c->rule.fullest_only || c->slots[i].count == most) {
            const candidate *here = best_of(c, i);
            best = better(c, here, &best) ? *here : best;
        }
    }
    return best;
}

static int thin(crowd *c)
{
    size_t most;
    while ((most = fullest(c)) > (size_t)c->rule.most) {
        candidate pair = choose(c, most);
        if (pair.a < 0) {
            return INLAY_OK;
        }
        inlay_id root;
        leave_all(c, pair.a);
        leave_all(c, pair.b);
        int status = partition_merge(c->part, pair.a, pair.b, &root);
        if (status == INLAY_OK) {
            status = enter_all(c, root);
        }
        if (status != INLAY_OK) {
            return status;
        }
    }
    return INLAY_OK;
}

static void crowd_clear(crowd *c)
{
    for (int32_t i = 0; c->slots != NULL && i < c->count; i++) {
        free(c->slots[i].roots);
    }
    free(c->slots);
}

static int crowd_make(partition *part, const crowd_rule *rule, crowd *result)
{
    crowd c = {.part = part, .rule = *rule, .next = INT64_MAX, .count = rule->one_slot ? 1 : part->p->slots};
    c.only_time = part->p->memory_limit < 0 || part->p->memory == NULL;
    for (inlay_id i = 0; c.only_time && i < part->p->modules; i++) {
        c.only_time = inlay_app_pin(part->p->app, i) < 0;
    }
    c.slots = memory_zeroed((size_t)c.count, sizeof *c.slots);
    if (c.slots == NULL || fill(&c) != INLAY_OK) {
        crowd_clear(&c);
        return INLAY_NO_MEMORY;
    }
    *result = c;
    return INLAY_OK;
}

int crowd_thin(partition *part, const crowd_rule *rule, inlay_time *next, inlay_diag *diag)
{
    crowd c;
    int status = crowd_make(part, rule, &c);
    if (status == INLAY_OK) {
        status = thin(&c);
        if (next != NULL && c.next < *next) {
            *next = c.next;
        }
        crowd_clear(&c);
    }
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

inlay_id crowd_most(const partition *part)
{
    inlay_id *here = memory_zeroed((size_t)part->p->slots, sizeof *here);
    if (here == NULL) {
        return -1;
    }
    inlay_id most = 0;
    for (inlay_id i = 0; i < part->p->modules; i++) {
        walk w = {0};
        int32_t number;
        while (partition_root(part, i) == i && partition_next_slot(part, i, &w, &number)) {
            most = ++here[number] > most ? here[number] : most;
        }
    }
    free(here);
    return most;
}

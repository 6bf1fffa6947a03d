/*
 * The best pair of one slot. Where nothing but time can forbid a pair, the two smallest works make the least sum and
 * ties are settled along the links; else the pairs are walked through in the order of their sums.
 */
#include "cluster/narrow_slots.h"
#include "cluster/greedy.h"

static const candidate nobody = {.a = -1, .b = -1};

bool narrow_better(const narrow_rule *rule, const candidate *x, const candidate *y)
{
    if (x->a < 0 || y->a < 0) {
        return y->a < 0 && x->a >= 0;
    }
    if (rule->by_traffic && x->traffic != y->traffic) {
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

candidate narrow_candidate(const partition *part, inlay_id a, inlay_id b)
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

static void consider(narrow_slots *c, inlay_id a, inlay_id b, candidate *best)
{
    if (!partition_fits(c->part, a, b)) {
        return;
    }
    candidate found = narrow_candidate(c->part, a, b);
    if (found.work > c->rule.limit) {
        c->next = found.work < c->next ? found.work : c->next;
    } else if (narrow_better(&c->rule, &found, best)) {
        *best = found;
    }
}

static bool in_slot(const narrow_slots *c, inlay_id root, int32_t number)
{
    return c->rule.one_slot || partition_has_slot(c->part, root, number);
}

static inlay_id root_at(const narrow_slot *s, size_t i)
{
    return s->roots[s->first + i];
}

static inlay_time work_at(const narrow_slots *c, const narrow_slot *s, size_t i)
{
    return c->part->clusters[root_at(s, i)].work;
}

/*
 * Every pair in the order of sums, as far as a better one can come. Where traffic comes first no pair that is left
 * communicates; yet the least sum rejected for time is among those behind, where it is asked for.
 */
static candidate walk_pairs(narrow_slots *c, const narrow_slot *s)
{
    candidate best = nobody;
    bool whole = c->rule.by_traffic && c->every_sum;
    for (size_t i = 0; i + 1 < s->count; i++) {
        for (size_t j = i + 1; j < s->count; j++) {
            bool beyond = best.a >= 0 && work_at(c, s, i) + work_at(c, s, j) > best.work;
            if (beyond && !whole) {
                if (j == i + 1) {
                    return best;
                }
                break;
            }
            consider(c, root_at(s, i), root_at(s, j), &best);
        }
    }
    return best;
}

void narrow_consider_neighbours(narrow_slots *c, inlay_id root, int32_t number, inlay_time work, candidate *best)
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

/* Communicating pairs among the clusters of the slot's least work. */
static bool collect_tied(narrow_slots *c, narrow_slot *s, int32_t number)
{
    const partition *part = c->part;
    s->tied_work = work_at(c, s, 0);
    pair_heap_clear(&s->tied);
    for (size_t i = 0; i < s->count && work_at(c, s, i) == s->tied_work; i++) {
        inlay_id root = root_at(s, i), x;
        walk w = {0};
        int64_t traffic;
        while (partition_next_neighbour(part, root, &w, &x, &traffic)) {
            const cluster *other = &part->clusters[x];
            if (other->work == s->tied_work && other->least > part->clusters[root].least && in_slot(c, x, number) &&
                !pair_heap_append(&s->tied, greedy_pair(part, root, x, partition_traffic(part, root, x)))) {
                return false;
            }
        }
    }
    return pair_heap_order(&s->tied);
}

static bool as_it_was(const narrow_slots *c, inlay_id root, inlay_id least, inlay_time work)
{
    return c->part->clusters[root].least == least && c->part->clusters[root].work == work;
}

/*
 * The first of those pairs that is left. Merged clusters are heavier: no new one comes to be as light, unless one
 * without work is merged, after which all is collected anew.
 */
static bool best_tied(narrow_slots *c, narrow_slot *s, int32_t number, candidate *best)
{
    if (s->tied_work != work_at(c, s, 0) && !collect_tied(c, s, number)) {
        return false;
    }
    while (s->tied.count > 0) {
        pair top = pair_heap_pop(&s->tied);
        inlay_id a = partition_root(c->part, top.low), b = partition_root(c->part, top.high);
        if (as_it_was(c, a, top.low, s->tied_work) && as_it_was(c, b, top.high, s->tied_work)) {
            consider(c, a, b, best);
            return pair_heap_push(&s->tied, top);
        }
    }
    return true;
}

/* The two smallest works make the least sum; among equals the links decide, then the numbers. */
static bool lightest_pair(narrow_slots *c, narrow_slot *s, int32_t number, candidate *best)
{
    inlay_time first = work_at(c, s, 0), second = work_at(c, s, 1);
    consider(c, root_at(s, 0), root_at(s, 1), best);
    if (best->a < 0 || s->count == 2 || work_at(c, s, 2) != second) {
        return true;
    }
    if (first == second) {
        return best_tied(c, s, number, best);
    }
    narrow_consider_neighbours(c, root_at(s, 0), number, second, best);
    return true;
}

bool narrow_slot_find_best(narrow_slots *c, int32_t number)
{
    narrow_slot *s = &c->items[number];
    s->best = nobody;
    if (s->count < 2) {
        return true;
    }
    if (c->rule.by_traffic && !narrow_traffic_best(c, number, &s->best)) {
        return false;
    }
    if (s->best.a < 0 && c->only_time) {
        return lightest_pair(c, s, number, &s->best);
    }
    if (s->best.a < 0) {
        s->best = walk_pairs(c, s);
    }
    return true;
}

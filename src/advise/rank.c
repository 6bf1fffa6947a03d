/* Which candidate is the choice, which may be as good, and why the others are not. */
#include "advise/advise.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The order ---- */

static double or_infinite(double figure)
{
    return isnan(figure) ? INFINITY : figure;
}

double advise_cost(const inlay_advice *all, const inlay_advise_point *p)
{
    return all->summary.priced ? or_infinite(p->price) : p->processors;
}

bool advise_meets(const inlay_advice *all, double time, double price)
{
    return !(all->asked.has_deadline && time > all->asked.deadline) &&
           !(all->asked.has_budget && or_infinite(price) > all->asked.budget);
}

/* The less the better. */
static double objective(const inlay_advice *all, const inlay_advise_point *p)
{
    switch (all->summary.by) {
    case INLAY_ADVISE_PRICE: return advise_cost(all, p);
    case INLAY_ADVISE_ENERGY: return or_infinite(p->energy);
    case INLAY_ADVISE_EFFICIENCY: return or_infinite(-p->efficiency);
    case INLAY_ADVISE_KNEE: return advise_cost(all, p) * p->time * (all->summary.priced ? 1 : p->time);
    case INLAY_ADVISE_TIME:
    case INLAY_ADVISE_USUAL: break;
    }
    return p->time;
}

/* Equal objectives go by time, price, number, and offer. */
static bool is_better(const inlay_advice *all, const inlay_advise_point *p, const inlay_advise_point *q)
{
    const double a[] = {objective(all, p), p->time,    advise_cost(all, p), (double)p->count[0] + p->count[1],
                        (double)p->offer,  p->count[0]};
    const double b[] = {objective(all, q), q->time,    advise_cost(all, q), (double)q->count[0] + q->count[1],
                        (double)q->offer,  q->count[0]};
    for (size_t i = 0; i < sizeof a / sizeof *a; i++) {
        if (a[i] < b[i] || a[i] > b[i]) {
            return a[i] < b[i];
        }
    }
    return false;
}

static int by_offer(const void *left, const void *right)
{
    const inlay_advise_point *a = left, *b = right;
    return a->offer != b->offer         ? (a->offer < b->offer ? -1 : 1)
           : a->count[0] != b->count[0] ? (a->count[0] < b->count[0] ? -1 : 1)
           : a->count[1] < b->count[1]  ? -1
                                        : a->count[1] > b->count[1];
}

/* ---- The front ---- */

typedef struct cost_place {
    double time, cost;
    size_t point;
} cost_place;

static int by_time(const void *left, const void *right)
{
    const cost_place *a = left, *b = right;
    return a->time < b->time   ? -1
           : a->time > b->time ? 1
           : a->cost < b->cost ? -1
           : a->cost > b->cost ? 1
                               : (a->point > b->point) - (a->point < b->point);
}

/* Of equal points the first one: that of fewer hosts. */
static void find_front(inlay_advice *all, cost_place *places)
{
    double cheapest = INFINITY;
    for (size_t i = 0; i < all->point_count; i++) {
        places[i] = (cost_place){all->points[i].time, advise_cost(all, &all->points[i]), i};
    }
    if (all->point_count > 0) {
        qsort(places, all->point_count, sizeof *places, by_time);
    }
    for (size_t i = 0; i < all->point_count; i++) {
        all->points[places[i].point].front = places[i].cost < cheapest;
        cheapest = fmin(cheapest, places[i].cost);
    }
}

/* ---- The choice, and what would be one ---- */

static void choose(inlay_advice *all)
{
    inlay_advise_summary *s = &all->summary;
    s->choice = SIZE_MAX;
    s->least_budget = s->least_deadline = NAN;
    for (size_t i = 0; i < all->point_count; i++) {
        const inlay_advise_point *p = &all->points[i];
        if (p->feasible && (s->choice == SIZE_MAX || is_better(all, p, &all->points[s->choice]))) {
            s->choice = i;
        }
        if (!(all->asked.has_deadline && p->time > all->asked.deadline)) {
            s->least_budget = fmin(s->least_budget, p->price);
        }
        if (!(all->asked.has_budget && or_infinite(p->price) > all->asked.budget)) {
            s->least_deadline = fmin(s->least_deadline, p->time);
        }
    }
}

/* ---- What cannot be told ---- */

/* The point at the low or the high end of its interval; where it has none, as it is. */
static inlay_advise_point at_end(const inlay_advise_point *p, bool low)
{
    inlay_advise_point end = *p;
    if (isfinite(p->low) && isfinite(p->high)) {
        double share = p->time > 0 ? (low ? p->low : p->high) / p->time : 1;
        end.time = low ? p->low : p->high;
        end.price = low ? p->price_low : p->price_high;
        end.energy = p->energy * share;
        end.efficiency = p->efficiency * (p->run / (end.time - p->start_up));
    }
    return end;
}

/* The choice at the bad end of its interval against each rival at the good end of its own. The same errors hold for all
 * numbers of one offer, so that only others are rivals. */
static void find_rivals(inlay_advice *all)
{
    inlay_advise_summary *s = &all->summary;
    if (s->choice == SIZE_MAX) {
        return;
    }
    const inlay_advise_point *choice = &all->points[s->choice];
    inlay_advise_point worst = at_end(choice, false);
    bool kept = advise_meets(all, worst.time, worst.price);
    s->may_be_missed = !kept;
    for (size_t i = 0; i < all->point_count; i++) {
        inlay_advise_point *p = &all->points[i], best = at_end(p, true);
        bool doubt = isfinite(p->low) || isfinite(choice->low);
        bool open =
            advise_meets(all, best.time, best.price) && (!kept || objective(all, &best) < objective(all, &worst));
        p->rival = doubt && open && p->offer != choice->offer;
        s->rivals += p->rival;
    }
}

/* ---- Verdicts ---- */

static inlay_advise_verdict verdict_of(const inlay_advice *all, const advise_offer *offer, bool fast, bool cheap)
{
    const inlay_advise_summary *s = &all->summary;
    if (offer->of.candidates == 0) {
        return INLAY_VERDICT_NO_COUNT;
    }
    if (offer->of.best == SIZE_MAX) {
        return offer->diag != NULL ? INLAY_VERDICT_NO_ANSWER : INLAY_VERDICT_BEATEN;
    }
    const inlay_advise_point *best = &all->points[offer->of.best];
    bool needs = all->asked.has_budget || s->by == INLAY_ADVISE_PRICE || s->by == INLAY_ADVISE_KNEE;
    if (s->choice != SIZE_MAX && all->points[s->choice].offer == best->offer) {
        return INLAY_VERDICT_CHOICE;
    }
    if (isnan(best->price) && needs && s->priced) {
        return INLAY_VERDICT_NO_PRICE;
    }
    return best->feasible ? INLAY_VERDICT_WORSE
           : !fast        ? INLAY_VERDICT_DEADLINE
           : !cheap       ? INLAY_VERDICT_BUDGET
                          : INLAY_VERDICT_BOTH;
}

static bool is_late(const inlay_advice *all, const inlay_advise_point *p)
{
    return all->asked.has_deadline && p->time > all->asked.deadline;
}

/* Of points that are not feasible those in time come first, the cheapest of them, then the fastest. */
static bool is_nearer(const inlay_advice *all, const inlay_advise_point *p, const inlay_advise_point *q)
{
    bool late = is_late(all, p), other = is_late(all, q);
    return late != other ? other : late ? p->time < q->time : or_infinite(p->price) < or_infinite(q->price);
}

/* Its best point, and why it is not the choice. Points first .. end-1 are its own. */
static void judge(inlay_advice *all, size_t number, size_t first, size_t end)
{
    advise_offer *offer = &all->offers[number];
    bool fast = false, cheap = false;
    for (size_t i = first; i < end; i++) {
        const inlay_advise_point *p = &all->points[i];
        const inlay_advise_point *best = offer->of.best != SIZE_MAX ? &all->points[offer->of.best] : NULL;
        bool other = best == NULL                    ? true
                     : p->feasible != best->feasible ? p->feasible
                     : p->feasible                   ? is_better(all, p, best)
                                                     : is_nearer(all, p, best);
        offer->of.best = other ? i : offer->of.best;
        fast = fast || !is_late(all, p);
        cheap = cheap || !(all->asked.has_budget && or_infinite(p->price) > all->asked.budget);
    }
    offer->of.verdict = verdict_of(all, offer, fast, cheap);
}

int advise_rank(inlay_advice *all)
{
    size_t first = 0;
    cost_place *places = memory_array(all->point_count, sizeof *places);
    if (places == NULL) {
        return INLAY_NO_MEMORY;
    }
    if (all->point_count > 0) {
        qsort(all->points, all->point_count, sizeof *all->points, by_offer);
    }
    find_front(all, places);
    free(places);
    choose(all);
    find_rivals(all);
    for (size_t o = 0; o < all->offer_count; o++) {
        size_t end = first;
        while (end < all->point_count && all->points[end].offer == o) {
            end++;
        }
        judge(all, o, first, end);
        first = end;
    }
    all->summary.candidates = all->candidate_count;
    all->summary.mapped = all->point_count;
    return INLAY_OK;
}

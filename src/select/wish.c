/* The best of several answers under a deadline and a budget. */
#include "select/wish.h"
#include "base/diag.h"
#include "base/plain.h"
#include <math.h>
#include <stdio.h>

inlay_advise_by inlay_wish_by(const inlay_wish *wish)
{
    return wish->by != INLAY_ADVISE_USUAL ? wish->by
           : wish->has_deadline           ? INLAY_ADVISE_PRICE
           : wish->has_budget             ? INLAY_ADVISE_TIME
                                          : INLAY_ADVISE_KNEE;
}

int wish_check(const inlay_wish *wish, const wish_terms *terms, inlay_diag *diag)
{
    inlay_advise_by by = inlay_wish_by(wish);
    bool timeless = !(inlay_unit_seconds(terms->unit) > 0);
    if ((unsigned)wish->by > INLAY_ADVISE_KNEE || (wish->has_deadline && !(wish->deadline > 0)) ||
        (wish->has_budget && !(wish->budget >= 0 && isfinite(wish->budget)))) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "bad wishes; expected a deadline above 0, a budget from 0 and an objective that there is");
    }
    if (timeless && (wish->has_deadline || wish->has_budget || by == INLAY_ADVISE_ENERGY || terms->priced)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "its times are ticks, which have no length, and so no deadline, price or energy; expected "
                         "times in seconds");
    }
    if (!terms->priced && (wish->has_budget || wish->by == INLAY_ADVISE_PRICE)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "nothing has a price; expected a 'price' of its processors");
    }
    return terms->powered || by != INLAY_ADVISE_ENERGY
               ? INLAY_OK
               : diag_fail(diag, INLAY_BAD_ARGUMENT, "nothing has a power; expected a 'power' of its processors");
}

static double seconds_of(const wish_terms *terms, double time)
{
    double length = inlay_unit_seconds(terms->unit);
    return length > 0 ? time * length : time;
}

static bool is_late(const inlay_wish *wish, const wish_terms *terms, const wish_point *p)
{
    return wish->has_deadline && seconds_of(terms, p->time) > wish->deadline;
}

bool wish_meets(const inlay_wish *wish, const wish_terms *terms, const wish_point *p)
{
    return !is_late(wish, terms, p) && !(wish->has_budget && p->price > wish->budget);
}

static double cost_of(const wish_terms *terms, const wish_point *p)
{
    return terms->priced ? p->price : p->processors;
}

/* The less the better. */
static double objective(inlay_advise_by by, const wish_terms *terms, const wish_point *p)
{
    switch (by) {
    case INLAY_ADVISE_PRICE: return cost_of(terms, p);
    case INLAY_ADVISE_ENERGY: return p->energy;
    case INLAY_ADVISE_EFFICIENCY: return p->processors * p->time;
    case INLAY_ADVISE_KNEE: return cost_of(terms, p) * p->time * (terms->priced ? 1 : p->time);
    default: return p->time;
    }
}

/* Equal objectives go by time, price, processors, and as they stand. */
static bool is_better(inlay_advise_by by, const wish_terms *terms, const wish_point *p, const wish_point *q)
{
    const double a[] = {objective(by, terms, p), p->time, cost_of(terms, p), p->processors};
    const double b[] = {objective(by, terms, q), q->time, cost_of(terms, q), q->processors};
    for (size_t i = 0; i < sizeof a / sizeof *a; i++) {
        if (a[i] < b[i] || a[i] > b[i]) {
            return a[i] < b[i];
        }
    }
    return false;
}

/* Rounded up to four digits. */
static double rounded_up(double value)
{
    double scale = pow(10, 3 - floor(log10(value)));
    return value > 0 && isfinite(scale) ? ceil(value * scale * (1 - 1e-12)) / scale : value;
}

/* What the deadline costs at least, and how fast the budget can be. */
static int refuse(const inlay_wish *wish, const wish_terms *terms, const wish_point *point, size_t count,
                  inlay_diag *diag)
{
    double budget = INFINITY, deadline = INFINITY;
    enum { ROOM = 200 };
    char text[ROOM];
    for (size_t i = 0; i < count; i++) {
        if (!is_late(wish, terms, &point[i])) {
            budget = fmin(budget, point[i].price);
        }
        if (!(wish->has_budget && point[i].price > wish->budget)) {
            deadline = fmin(deadline, seconds_of(terms, point[i].time));
        }
    }
    budget = rounded_up(budget);
    deadline = rounded_up(deadline);
    bool cheaper = wish->has_budget && isfinite(budget), faster = wish->has_deadline && isfinite(deadline);
    text[0] = '\0';
    int at = cheaper ? plain_print(text, ROOM, "; a budget of %.4g does", budget) : 0;
    if (faster) {
        (void)plain_print(text + at, (size_t)(ROOM - at), "; a deadline of %.4g s does", deadline);
    }
    if (cheaper) {
        char value[32];
        (void)plain_print(value, sizeof value, "%.4g", budget);
        diag_remedy(diag, "--budget", "%s", value);
    } else if (faster) {
        char value[32];
        (void)plain_print(value, sizeof value, "%.4gs", deadline);
        diag_remedy(diag, "--deadline", "%s", value);
    }
    return diag_fail(diag, INLAY_NO_ANSWER, "nothing meets the %s%s",
                     wish->has_deadline && wish->has_budget ? "deadline within the budget"
                     : wish->has_deadline                   ? "deadline"
                                                            : "budget",
                     text);
}

int wish_choose(const inlay_wish *wish, const wish_terms *terms, const wish_point *point, size_t count, size_t *choice,
                inlay_diag *diag)
{
    inlay_advise_by by = inlay_wish_by(wish);
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        if (wish_meets(wish, terms, &point[i]) && (best == count || is_better(by, terms, &point[i], &point[best]))) {
            best = i;
        }
    }
    if (best == count) {
        return refuse(wish, terms, point, count, diag);
    }
    *choice = best;
    return INLAY_OK;
}

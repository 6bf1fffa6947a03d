/* An advice in words: the answer as a sentence, what cannot be told, why the others are not chosen, what would work. */
#include "base/diag.h"
#include "base/plain.h"
#include "advise/advise.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { NAMED_RIVALS = 3 };

/* ---- Figures ---- */

char *inlay_advise_time_text(const inlay_advice *all, double time, double low, double high,
                             char text[INLAY_ADVISE_TIME_TEXT])
{
    double length = 1;
    const char *unit = all->unit == INLAY_UNIT_TICK ? "ticks" : inlay_seconds_unit(time, &length);
    bool interval = isfinite(low) && isfinite(high);
    /* Digits as the interval needs them. */
    int digits = interval && high > low && high - low < 0.02 * fabs(time) ? 5
                 : fmax(time, interval ? high : 0) / length >= 999.5      ? 6
                                                                          : 3;
    if (interval) {
        (void)plain_print(text, INLAY_ADVISE_TIME_TEXT, "%.*g %s (%.*g to %.*g)", digits, time / length, unit, digits,
                          low / length, digits, high / length);
    } else {
        (void)plain_print(text, INLAY_ADVISE_TIME_TEXT, "%.*g %s", digits, time / length, unit);
    }
    return text;
}

static const char *number_format(double price)
{
    return price < 1e9 && (price >= 0.1 || !(price > 0)) ? "%.2f" : "%.3g";
}

char *inlay_advise_price_text(const inlay_advice *all, double price, char text[INLAY_ADVISE_TIME_TEXT])
{
    const char *currency = all->summary.currency;
    char number[40];
    if (number_format(price)[2] == '2') {
        (void)plain_print(number, sizeof number, "%.2f", price);
    } else {
        (void)plain_print(number, sizeof number, "%.3g", price);
    }
    (void)plain_print(text, INLAY_ADVISE_TIME_TEXT, "%s%s%.40s", number, currency != NULL ? " " : "",
                      currency != NULL ? currency : "");
    return text;
}

static void add_time(const inlay_advice *all, text_buffer *to, double time)
{
    char text[INLAY_ADVISE_TIME_TEXT];
    text_add(to, inlay_advise_time_text(all, time, NAN, NAN, text));
}

static void add_price(const inlay_advice *all, text_buffer *to, double price)
{
    char text[INLAY_ADVISE_TIME_TEXT];
    text_add(to, inlay_advise_price_text(all, price, text));
}

char *inlay_advise_point_name(const inlay_advice *all, const inlay_advise_point *p, char name[INLAY_ADVISE_NAME])
{
    const inlay_advise_offer *offer = &all->offers[p->offer].of;
    int at = 0;
    for (size_t i = 0; i < INLAY_ADVISE_PARTS && offer->part[i] != NULL && at < INLAY_ADVISE_NAME; i++) {
        const char *of = !advise_is_types(offer) ? (p->count[i] == 1 ? "processor of " : "processors of ") : "of ";
        at += plain_print(name + at, (size_t)(INLAY_ADVISE_NAME - at), "%s%" PRId32 " %s%.90s", i > 0 ? " and " : "",
                          p->count[i], of, offer->part[i]->name);
    }
    return name;
}

static void add_name(const inlay_advice *all, text_buffer *to, const inlay_advise_point *p)
{
    char name[INLAY_ADVISE_NAME];
    text_add(to, inlay_advise_point_name(all, p, name));
}

/* What all of it costs in an hour, or in what else its prices are for. */
static void add_rate(const inlay_advice *all, text_buffer *to, const inlay_advise_point *p)
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{3600, "h"}, {1, "s"}, {60, "min"}, {86400, "d"}};
    const inlay_advise_offer *offer = &all->offers[p->offer].of;
    double rate = 0;
    size_t unit = 0;
    if (isnan(p->price)) {
        return;
    }
    if (advise_is_types(offer)) {
        for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
            unit = units[i].seconds == offer->part[0]->type->per ? i : unit;
        }
        for (size_t i = 0; i < INLAY_ADVISE_PARTS && offer->part[i] != NULL; i++) {
            const inlay_machine_type *type = offer->part[i]->type;
            rate += p->count[i] * type->price / type->per * units[unit].seconds;
        }
    } else {
        (void)inlay_machine_price(offer->part[0]->machine, &rate);
        rate *= p->processors;
    }
    text_add(to, " at ");
    add_price(all, to, rate);
    text_addf(to, "/%s", units[unit].name);
}

/* ": 41 min (38 to 44), 0.82" */
static void add_figures(const inlay_advice *all, text_buffer *to, const inlay_advise_point *p)
{
    char text[INLAY_ADVISE_TIME_TEXT];
    text_add(to, inlay_advise_time_text(all, p->time, p->low, p->high, text));
    if (p->start_up > 0) {
        text_add(to, " with ");
        add_time(all, to, p->start_up);
        text_add(to, " of start-up");
    }
    if (!isnan(p->price)) {
        text_add(to, ", ");
        add_price(all, to, p->price);
    }
}

/* ---- The sentence ---- */

/* What the next smaller number of the choice's offer does to the deadline. */
static void add_fewer(const inlay_advice *all, text_buffer *to)
{
    const inlay_advise_point *choice = &all->points[all->summary.choice];
    const inlay_advise_point *fewer = choice > all->points ? choice - 1 : NULL; /* by offer, then count */
    if (fewer == NULL || fewer->offer != choice->offer || choice->count[1] > 0 ||
        !(fewer->time > all->asked.deadline)) {
        return;
    }
    text_addf(to, "; %" PRId32 " %s miss it", fewer->count[0], fewer->low <= all->asked.deadline ? "may" : "would");
}

static void add_limits(const inlay_advice *all, text_buffer *to)
{
    const inlay_advise_point *p = &all->points[all->summary.choice];
    if (all->asked.has_deadline) {
        text_add(to, "; the deadline of ");
        add_time(all, to, all->asked.deadline);
        text_add(to, " is met with ");
        add_time(all, to, all->asked.deadline - p->time);
        text_add(to, " to spare");
        if (p->high > all->asked.deadline) {
            text_add(to, ", but may be missed");
        }
        add_fewer(all, to);
    }
    if (all->asked.has_budget) {
        text_add(to, "; of the budget of ");
        add_price(all, to, all->asked.budget);
        text_add(to, " ");
        add_price(all, to, all->asked.budget - p->price);
        text_add(to, p->price_high > all->asked.budget ? " is left, but it may be exceeded" : " is left");
    }
}

/* A number that is not less than x, with few digits. */
static void print_above(char text[ADVISE_REMEDY_TEXT], double x, const char *unit)
{
    double step = x > 0 ? pow(10, floor(log10(x)) - 3) : 1;
    double above = ceil(x / step) * step;
    above = above < x ? above + step : above;
    (void)plain_print(text, ADVISE_REMEDY_TEXT, "%.12g%s", above, unit);
    above = plain_number(text, NULL) < x ? above + step : above;
    (void)plain_print(text, ADVISE_REMEDY_TEXT, "%.12g%s", above, unit);
}

static void add_remedy(inlay_advice *all, const char *option, double least, const char *unit)
{
    all->remedy[all->remedies].option = option;
    print_above(all->remedy[all->remedies++].value, least, unit);
}

static const inlay_advise_point *least_point(const inlay_advice *all, bool of_time)
{
    const inlay_advise_point *least = NULL;
    for (size_t i = 0; i < all->point_count; i++) {
        const inlay_advise_point *p = &all->points[i];
        bool less = least == NULL || (of_time ? p->time < least->time : p->price < least->price || isnan(least->price));
        least = less ? p : least;
    }
    return least;
}

static void add_point(const inlay_advice *all, text_buffer *to, const inlay_advise_point *p)
{
    add_name(all, to, p);
    text_add(to, ": ");
    add_figures(all, to, p);
}

/* Where nothing meets what is asked: what would have to be given. */
static void say_none(inlay_advice *all)
{
    text_buffer *to = &all->sentence;
    const inlay_advise_summary *s = &all->summary;
    const inlay_advise_point *fastest = least_point(all, true), *cheapest = least_point(all, false);
    bool both = all->asked.has_deadline && all->asked.has_budget;
    if (fastest == NULL) {
        text_addf(to, "nothing can run %s", all->apps > 1 ? "all applications" : "the application");
        return;
    }
    text_add(to, all->asked.has_deadline ? "nothing meets the deadline of " : "nothing is within the budget of ");
    if (all->asked.has_deadline) {
        add_time(all, to, all->asked.deadline);
        text_add(to, both ? " within the budget of " : "");
    }
    if (all->asked.has_budget) {
        add_price(all, to, all->asked.budget);
    }
    if (both && (!isnan(s->least_budget) || !isnan(s->least_deadline))) {
        const char *lead = "; ";
        if (!isnan(s->least_budget)) {
            text_add(to, "; the deadline takes a budget of ");
            add_price(all, to, s->least_budget);
            add_remedy(all, "--budget", s->least_budget, "");
            lead = ", and ";
        }
        if (!isnan(s->least_deadline)) {
            text_addf(to, "%sthe budget a deadline of ", lead);
            add_time(all, to, s->least_deadline);
        }
        if (isnan(s->least_budget)) {
            add_remedy(all, "--deadline", s->least_deadline, "s");
        }
        return;
    }
    if (all->asked.has_deadline) {
        text_add(to, "; the fastest is ");
        add_point(all, to, fastest);
        add_remedy(all, "--deadline", fastest->time, "s");
        if (both && !isnan(fastest->price)) {
            add_remedy(all, "--budget", fastest->price, "");
        }
    }
    if (all->asked.has_budget) {
        text_add(to, both ? ", the cheapest " : "; the cheapest is ");
        add_point(all, to, cheapest);
        if (!both) {
            add_remedy(all, "--budget", cheapest->price, "");
        }
    }
}

static void say_choice(inlay_advice *all)
{
    text_buffer *to = &all->sentence;
    const inlay_advise_point *p = &all->points[all->summary.choice];
    add_name(all, to, p);
    add_rate(all, to, p);
    text_add(to, ": ");
    add_figures(all, to, p);
    add_limits(all, to);
}

/* ---- What cannot be told ---- */

/* The best rival of each offer. */
static const inlay_advise_point *next_rival(const inlay_advice *all, size_t *at)
{
    for (; *at < all->offer_count; (*at)++) {
        const inlay_advise_point *found = NULL;
        for (size_t i = 0; i < all->point_count; i++) {
            const inlay_advise_point *p = &all->points[i];
            if (p->offer == *at && p->rival && (found == NULL || i == all->offers[*at].of.best)) {
                found = p;
            }
        }
        if (found != NULL) {
            (*at)++;
            return found;
        }
    }
    return NULL;
}

static const char *better_word(inlay_advise_by by)
{
    static const char *const words[] = {[INLAY_ADVISE_TIME] = "faster",
                                        [INLAY_ADVISE_PRICE] = "cheaper",
                                        [INLAY_ADVISE_ENERGY] = "more sparing",
                                        [INLAY_ADVISE_EFFICIENCY] = "more efficient",
                                        [INLAY_ADVISE_KNEE] = "less in price times time"};
    return words[by];
}

static void say_doubt(inlay_advice *all)
{
    text_buffer *to = &all->doubt;
    const inlay_advise_summary *s = &all->summary;
    const inlay_advise_point *rival;
    size_t at = 0, named = 0, others = 0;
    if (s->choice == SIZE_MAX) {
        return;
    }
    if (!s->doubts) {
        text_add(to,
                 "how sure this is cannot be told: nothing says how sure its figures are (time_error, network_error, "
                 "time_spread)");
        return;
    }
    while ((rival = next_rival(all, &at)) != NULL) {
        if (named == NAMED_RIVALS) {
            others++;
            continue;
        }
        if (named++ == 0) {
            text_addf(to, "cannot tell: within the 90 %% intervals may be %s: ",
                      s->may_be_missed ? "better" : better_word(s->by));
        } else {
            text_add(to, "; ");
        }
        add_point(all, to, rival);
    }
    if (others > 0) {
        text_addf(to, "; and %zu more", others);
    }
}

/* ---- Why not the others ---- */

static void add_comparison(const inlay_advice *all, text_buffer *to, const inlay_advise_point *p)
{
    const inlay_advise_point *choice = &all->points[all->summary.choice];
    double cost = advise_cost(all, p), least = advise_cost(all, choice);
    const char *dear = all->summary.priced ? "dearer" : "more processors";
    const char *cheap = all->summary.priced ? "cheaper" : "fewer processors";
    if (p->time > choice->time) {
        text_add(to, "slower");
    } else {
        text_add(to, p->time < choice->time ? "faster" : "as fast");
    }
    bool good = p->time < choice->time, low = cost < least;
    if (cost > least || low) {
        text_addf(to, good != low ? ", but %s: " : " and %s: ", low ? cheap : dear);
    } else {
        text_add(to, all->summary.priced ? ", at the same price: " : ", on as many processors: ");
    }
    add_point(all, to, p);
}

/* Of an offer with a candidate that was mapped, the best of its. */
static void say_why_point(const inlay_advice *all, text_buffer *to, inlay_advise_verdict verdict,
                          const inlay_advise_point *p)
{
    switch (verdict) {
    case INLAY_VERDICT_WORSE: add_comparison(all, to, p); return;
    case INLAY_VERDICT_DEADLINE:
        text_add(to, "the deadline is missed by ");
        add_time(all, to, p->time - all->asked.deadline);
        text_add(to, " at least: ");
        break;
    case INLAY_VERDICT_BUDGET:
        text_add(to, "above the budget by ");
        add_price(all, to, p->price - all->asked.budget);
        text_add(to, " at least: ");
        break;
    case INLAY_VERDICT_BOTH: text_add(to, "in time only above the budget: "); break;
    default: return;
    }
    add_point(all, to, p);
}

static void say_why(inlay_advice *all, advise_offer *offer)
{
    text_buffer *to = &offer->why;
    const inlay_machine_type *type = offer->of.part[0]->type;
    if (offer->of.verdict == INLAY_VERDICT_NO_ANSWER) {
        return; /* said when it was mapped */
    }
    to->size = 0;
    text_add(to, "");
    switch (offer->of.verdict) {
    case INLAY_VERDICT_NO_PRICE: text_add(to, "no price is given"); break;
    case INLAY_VERDICT_NO_COUNT:
        text_add(to, "no number of it is asked for");
        if (type != NULL && offer->of.part[1] == NULL) {
            text_addf(to, ": there are %" PRId32 " to %" PRId32, type->count_min, type->count_max);
        }
        break;
    case INLAY_VERDICT_BEATEN:
        text_addf(to, "slower and %s than another by its bounds; not mapped",
                  all->summary.priced ? "dearer" : "on more processors");
        break;
    default:
        if (offer->of.best != SIZE_MAX) {
            say_why_point(all, to, offer->of.verdict, &all->points[offer->of.best]);
        }
    }
}

int advise_say(inlay_advice *all, inlay_diag *diag)
{
    bool failed = false;
    if (all->summary.choice != SIZE_MAX) {
        say_choice(all);
    } else {
        say_none(all);
    }
    say_doubt(all);
    for (size_t o = 0; o < all->offer_count; o++) {
        advise_offer *offer = &all->offers[o];
        say_why(all, offer);
        failed = failed || offer->why.failed;
        offer->of.why = text_content(&offer->why);
        offer->of.said = offer->diag;
    }
    return failed || all->sentence.failed || all->doubt.failed ? diag_no_memory(diag) : INLAY_OK;
}

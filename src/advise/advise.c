/* The advice as a whole: what is asked, and what it says. */
#include "advise/advise.h"
#include "base/diag.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *inlay_advise_by_name(inlay_advise_by by)
{
    static const char *const names[] = {"usual", "time", "price", "energy", "efficiency", "knee"};
    return names[by];
}

const char *inlay_advise_verdict_name(inlay_advise_verdict verdict)
{
    static const char *const names[] = {"choice",   "worse",     "deadline", "budget", "both",
                                        "no price", "no answer", "no count", "beaten"};
    return names[verdict];
}

/* ---- What is asked ---- */

static bool price_of(const inlay_advise_input *in, double *price)
{
    *price = in->type != NULL ? in->type->price : NAN;
    return in->type != NULL ? !isnan(*price) : in->machine != NULL && inlay_machine_price(in->machine, price);
}

static bool has_power(const inlay_advise_input *in)
{
    return in->type != NULL ? !isnan(in->type->power) : in->machine != NULL && inlay_machine_power(in->machine, NULL);
}

static bool has_doubts(const inlay_advise_input *in)
{
    for (size_t i = 0; in->type != NULL && i < in->type->attribute_count; i++) {
        const char *name = in->type->attributes[i].name;
        if (strcmp(name, "time_error") == 0 || strcmp(name, "time_spread") == 0 || strcmp(name, "network_error") == 0) {
            return true;
        }
    }
    inlay_doubts d = in->machine != NULL ? inlay_machine_doubts(in->machine) : (inlay_doubts){0};
    return d.time_error > 0 || d.time_spread > 0 || d.network_error > 0;
}

static const char *currency_of(const inlay_advise_input *in)
{
    const char *currency = in->type != NULL ? in->type->currency : inlay_machine_currency(in->machine);
    return currency != NULL ? currency : "";
}

/* What all applications' times are in: seconds, but ticks where none has a length. */
static int find_unit(inlay_advice *all, inlay_diag *diag)
{
    size_t ticks = 0, types = 0;
    for (size_t i = 0; i < all->input_count; i++) {
        const inlay_app *app = all->inputs[i].app;
        ticks += app != NULL && inlay_app_unit(app) == INLAY_UNIT_TICK;
        types += all->inputs[i].type != NULL;
    }
    all->unit = INLAY_UNIT_S;
    if (ticks == 0 || all->asked.mapping.tick_seconds > 0) {
        return INLAY_OK;
    }
    all->unit = INLAY_UNIT_TICK;
    const char *why = ticks < all->apps         ? "those of others in seconds"
                      : types > 0               ? "a catalogue has prices and networks by the second"
                      : all->asked.has_deadline ? "the deadline in seconds"
                      : all->asked.has_budget   ? "the budget needs prices by the hour"
                                                : NULL;
    if (why != NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "times are in ticks, %s; expected the length of a tick (--tick)",
                         why);
    }
    return INLAY_OK;
}

static int find_prices(inlay_advice *all, inlay_diag *diag)
{
    inlay_advise_summary *s = &all->summary;
    const char *currency = NULL;
    bool power = false;
    for (size_t i = 0; i < all->input_count; i++) {
        const inlay_advise_input *in = &all->inputs[i];
        double price;
        if (in->app != NULL) {
            continue;
        }
        power = power || has_power(in);
        s->doubts = s->doubts || has_doubts(in);
        if (price_of(in, &price)) {
            if (currency != NULL && strcmp(currency, currency_of(in)) != 0) {
                return diag_fail(diag, INLAY_BAD_ARGUMENT, "prices are in '%s' and in '%s'; expected one currency",
                                 currency, currency_of(in));
            }
            currency = currency_of(in);
        }
    }
    s->priced = currency != NULL && all->unit == INLAY_UNIT_S;
    s->currency = currency != NULL && *currency != '\0' ? currency : NULL;
    bool asks = all->asked.has_budget || all->asked.by == INLAY_ADVISE_PRICE;
    if (asks && !s->priced) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s: %s",
                         all->asked.has_budget ? "the budget" : "the objective price",
                         currency == NULL ? "nothing has a price; expected price=NUMBER in one of the machines"
                                          : "times in ticks have no price; expected the length of a tick (--tick)");
    }
    if (all->asked.by == INLAY_ADVISE_ENERGY && (!power || all->unit == INLAY_UNIT_TICK)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the objective energy: %s",
                         !power ? "nothing has a power; expected power=WATTS in one of the machines"
                                : "times in ticks have no energy; expected the length of a tick (--tick)");
    }
    return INLAY_OK;
}

static int check_options(const inlay_advise_options *o, inlay_diag *diag)
{
    const char *wrong = o->has_deadline && !(o->deadline > 0 && isfinite(o->deadline)) ? "a deadline above 0"
                        : o->has_budget && !(o->budget >= 0 && isfinite(o->budget))    ? "a budget of 0 or more"
                        : o->from < 0 || o->to < 0 || (o->to > 0 && o->from > o->to)
                            ? "numbers of hosts from 1, the first not above the last"
                        : (unsigned)o->by > INLAY_ADVISE_KNEE ? "an objective that there is"
                                                              : NULL;
    return wrong == NULL ? INLAY_OK
                         : diag_fail(diag, INLAY_BAD_ARGUMENT, "bad options of an advice; expected %s", wrong);
}

static int take_inputs(inlay_advice *all, const inlay_advise_input *inputs, size_t count, inlay_diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        all->apps += inputs[i].app != NULL;
    }
    if (all->apps == 0 || all->apps == count) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "an advice needs an application, and a machine or a type of machines");
    }
    all->inputs = memory_array(count, sizeof *all->inputs);
    if (all->inputs == NULL) {
        return diag_no_memory(diag);
    }
    memcpy(all->inputs, inputs, count * sizeof *inputs);
    all->input_count = count;
    return INLAY_OK;
}

static void find_objective(inlay_advice *all)
{
    const inlay_advise_options *asked = &all->asked;
    all->summary.by = asked->by != INLAY_ADVISE_USUAL ? asked->by
                      : asked->has_deadline           ? INLAY_ADVISE_PRICE
                      : asked->has_budget             ? INLAY_ADVISE_TIME
                                                      : INLAY_ADVISE_KNEE;
}

static int find_advice(inlay_advice *all, inlay_diag *diag)
{
    int status = find_unit(all, diag);
    status = status == INLAY_OK ? find_prices(all, diag) : status;
    find_objective(all);
    status = status == INLAY_OK ? advise_list(all, diag) : status;
    status = status == INLAY_OK ? advise_map(all, diag) : status;
    if (status == INLAY_OK && advise_rank(all) != INLAY_OK) {
        status = diag_no_memory(diag);
    }
    return status == INLAY_OK ? advise_say(all, diag) : status;
}

int inlay_advise(const inlay_advise_input *inputs, size_t count, const inlay_advise_options *options,
                 inlay_advice **advice, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_advise_options usual = {0};
    options = options != NULL ? options : &usual;
    if (inputs == NULL || advice == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "an advice needs inputs, and a place for the result");
    }
    int status = check_options(options, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_advice *all = memory_zeroed(1, sizeof *all);
    if (all == NULL) {
        return diag_no_memory(diag);
    }
    all->asked = *options;
    status = take_inputs(all, inputs, count, diag);
    status = status == INLAY_OK ? find_advice(all, diag) : status;
    if (status != INLAY_OK) {
        inlay_advice_free(all);
        return status;
    }
    *advice = all;
    return INLAY_OK;
}

void inlay_advice_free(inlay_advice *advice)
{
    if (advice == NULL) {
        return;
    }
    for (size_t i = 0; i < advice->offer_count; i++) {
        text_clear(&advice->offers[i].why);
        inlay_diag_free(advice->offers[i].diag);
    }
    free(advice->inputs);
    free(advice->offers);
    free(advice->candidates);
    free(advice->points);
    free(advice->best);
    text_clear(&advice->sentence);
    text_clear(&advice->doubt);
    free(advice);
}

/* ---- What it says ---- */

size_t inlay_advice_points(const inlay_advice *advice)
{
    return advice->point_count;
}

const inlay_advise_point *inlay_advice_point(const inlay_advice *advice, size_t i)
{
    return &advice->points[i];
}

size_t inlay_advice_offers(const inlay_advice *advice)
{
    return advice->offer_count;
}

const inlay_advise_offer *inlay_advice_offer(const inlay_advice *advice, size_t i)
{
    return &advice->offers[i].of;
}

const inlay_advise_summary *inlay_advice_summary(const inlay_advice *advice)
{
    return &advice->summary;
}

const inlay_advise_options *inlay_advice_options(const inlay_advice *advice)
{
    return &advice->asked;
}

inlay_unit inlay_advice_unit(const inlay_advice *advice)
{
    return advice->unit;
}

const char *inlay_advice_sentence(const inlay_advice *advice)
{
    return text_content(&advice->sentence);
}

const char *inlay_advice_doubt(const inlay_advice *advice)
{
    return advice->doubt.size > 0 ? advice->doubt.data : NULL;
}

int inlay_advice_outcome(const inlay_advice *advice, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    if (advice->summary.choice != SIZE_MAX) {
        return INLAY_OK;
    }
    for (size_t i = 0; i < advice->remedies; i++) {
        if (i == 0) {
            diag_remedy(diag, advice->remedy[i].option, "%s", advice->remedy[i].value);
        } else {
            (void)diag_remedy_too(diag, advice->remedy[i].option, advice->remedy[i].value);
        }
    }
    return diag_fail(diag, INLAY_NO_ANSWER, "%s", inlay_advice_sentence(advice));
}

/* The answer of `inlay advise` for people: the sentence, the front, and why the others are not chosen. */
#include "advise.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LABEL = 12 };

/* ---- The front ---- */

/* Columns that some row has. */
typedef struct table_form {
    bool price, energy, start_up;
} table_form;

static table_form find_form(const inlay_advice *all)
{
    table_form form = {0};
    for (size_t i = 0; i < inlay_advice_points(all); i++) {
        const inlay_advise_point *p = inlay_advice_point(all, i);
        form.price |= !isnan(p->price);
        form.energy |= !isnan(p->energy);
        form.start_up |= p->start_up > 0;
    }
    return form;
}

static void add_time(table *rows, const inlay_advice *all, double time, double low, double high)
{
    char text[INLAY_ADVISE_TIME_TEXT];
    table_cell(rows, "%s", inlay_advise_time_text(all, time, low, high, text));
}

static const char *mark_of(const inlay_advice *all, size_t i)
{
    const inlay_advise_point *p = inlay_advice_point(all, i);
    return i == inlay_advice_summary(all)->choice ? "choice" : p->rival ? "may be better" : p->feasible ? "" : "misses";
}

static void add_row(table *rows, const inlay_advice *all, const table_form *form, size_t i)
{
    const inlay_advise_point *p = inlay_advice_point(all, i);
    char name[INLAY_ADVISE_NAME];
    table_cell(rows, "%s", inlay_advise_point_name(all, p, name));
    table_cell(rows, "%" PRId32, p->processors);
    if (form->start_up) {
        add_time(rows, all, p->start_up, NAN, NAN);
    }
    add_time(rows, all, p->time, p->low, p->high);
    if (form->price) {
        char price[INLAY_ADVISE_TIME_TEXT];
        table_cell(rows, "%s", isnan(p->price) ? "-" : inlay_advise_price_text(all, p->price, price));
    }
    if (form->energy) {
        table_cell(rows, isnan(p->energy) ? "-" : "%.4g kJ", p->energy / 1e3);
    }
    table_cell(rows, isnan(p->efficiency) ? "-" : "%.3f", p->efficiency);
    table_cell(rows, "%s", mark_of(all, i));
}

static int by_cost(const inlay_advice *all, size_t a, size_t b)
{
    const inlay_advise_point *p = inlay_advice_point(all, a), *q = inlay_advice_point(all, b);
    return p->time > q->time ? -1 : p->time < q->time ? 1 : (a > b) - (a < b);
}

/* The next row behind `last`, from the slowest on; SIZE_MAX: none. */
static size_t next_row(const inlay_advice *all, bool every, size_t last)
{
    size_t next = SIZE_MAX;
    for (size_t i = 0; i < inlay_advice_points(all); i++) {
        bool shown = every || inlay_advice_point(all, i)->front || i == inlay_advice_summary(all)->choice;
        bool behind = last == SIZE_MAX || by_cost(all, last, i) < 0;
        next = shown && behind && (next == SIZE_MAX || by_cost(all, i, next) < 0) ? i : next;
    }
    return next;
}

/* `every`: all that was mapped. */
static int print_front(const inlay_advice *all, bool every)
{
    table rows = {.left = {true}};
    table_form form = find_form(all);
    table_headings(&rows, form.start_up ? "candidate|processors|start-up^2|time" : "candidate|processors|time");
    table_headings(&rows, form.price && form.energy ? "price|energy^1|efficiency^3|"
                          : form.price              ? "price|efficiency^3|"
                          : form.energy             ? "energy|efficiency^3|"
                                                    : "efficiency|");
    rows.left[rows.columns - 1] = true;
    for (size_t i = next_row(all, every, SIZE_MAX); i != SIZE_MAX; i = next_row(all, every, i)) {
        add_row(&rows, all, &form, i);
    }
    return table_print(&rows, stdout);
}

/* ---- Why not the others ---- */

static const char *name_of(const inlay_advise_offer *offer)
{
    return offer->part[0]->name;
}

/* Lines of offers of one type or machine; of mixtures only the best. */
static void print_others(const inlay_advice *all)
{
    const inlay_advise_offer *mixed = NULL;
    size_t wide = LABEL, mixtures = 0;
    bool any = false;
    for (size_t i = 0; i < inlay_advice_offers(all); i++) {
        const inlay_advise_offer *offer = inlay_advice_offer(all, i);
        if (offer->part[1] == NULL && offer->verdict != INLAY_VERDICT_CHOICE) {
            size_t width = text_width(name_of(offer));
            wide = width > wide && width <= 40 ? width : wide;
        }
        bool better = offer->part[1] != NULL && offer->best != SIZE_MAX &&
                      (mixed == NULL || (offer->verdict == INLAY_VERDICT_WORSE && mixed->verdict != offer->verdict));
        mixed = better ? offer : mixed;
        mixtures += offer->part[1] != NULL ? offer->mapped : 0;
    }
    for (size_t i = 0; i < inlay_advice_offers(all); i++) {
        const inlay_advise_offer *offer = inlay_advice_offer(all, i);
        if (offer->verdict == INLAY_VERDICT_CHOICE || (offer->part[1] != NULL && offer != mixed)) {
            continue;
        }
        say(stdout, any ? "" : "\nwhy not the others\n");
        any = true;
        say_label(stdout, (int)wide, offer->part[1] != NULL ? "mixtures" : name_of(offer));
        say(stdout, "%-s", offer->why);
        if (offer->part[1] != NULL) {
            say(stdout, " (one of %zu mapped)", mixtures);
        }
        say(stdout, "\n");
    }
}

/* ---- The whole ---- */

static const char *objective_words(const inlay_advice *all)
{
    static const char *const words[][2] = {
        [INLAY_ADVISE_TIME] = {"the least time", "the least time"},
        [INLAY_ADVISE_PRICE] = {"the fewest processors, as nothing has a price", "the least price"},
        [INLAY_ADVISE_ENERGY] = {"the least energy", "the least energy"},
        [INLAY_ADVISE_EFFICIENCY] = {"the highest efficiency", "the highest efficiency"},
        [INLAY_ADVISE_KNEE] = {"the knee: the least processors times time squared, as nothing has a price",
                               "the knee: the least price times time"},
    };
    const inlay_advise_summary *s = inlay_advice_summary(all);
    return words[s->by][s->priced];
}

static void print_looked_at(const inlay_advice *all)
{
    const inlay_advise_summary *s = inlay_advice_summary(all);
    const inlay_advise_options *asked = inlay_advice_options(all);
    say_label(stdout, LABEL, "objective");
    say(stdout, "%s%s%s%s\n", objective_words(all), asked->has_deadline ? " within the deadline" : "",
        asked->has_budget ? (asked->has_deadline ? " and the budget" : " within the budget") : "",
        asked->by == INLAY_ADVISE_USUAL ? " (--objective names another)" : "");
    say_label(stdout, LABEL, "looked at");
    say(stdout, "%zu of %zu candidates mapped%s", s->mapped, s->candidates,
        s->mapped < s->candidates ? "; the others cannot run it, or cannot be better by their bounds" : "");
    if (s->counts_left_out > 0) {
        say(stdout, "; %zu numbers above 32 left out, -p A..B looks at all", s->counts_left_out);
    }
    if (s->mixtures_left_out > 0) {
        say(stdout, "; %zu mixtures left out, there being so many", s->mixtures_left_out);
    }
    say(stdout, "\n");
}

int advise_print_table(const cli_answer *a)
{
    const inlay_advice *all = a->of;
    if (inlay_advice_summary(all)->choice != SIZE_MAX) {
        say(stdout, "%-s\n", inlay_advice_sentence(all));
    }
    if (inlay_advice_doubt(all) != NULL) {
        say(stdout, "%-s\n", inlay_advice_doubt(all));
    }
    if (inlay_advice_points(all) > 0) {
        say(stdout, inlay_advice_summary(all)->choice != SIZE_MAX ? "\n" : "");
        int status = print_front(all, a->call->common->verbose);
        if (status != INLAY_OK) {
            return status;
        }
        say(stdout, "\n");
    }
    print_looked_at(all);
    print_others(all);
    return INLAY_OK;
}

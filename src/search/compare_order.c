/* The order of rows and totals, and what is to be said of the machines beside it. */
#include "base/diag.h"
#include "base/plain.h"
#include "base/text.h"
#include "search/compare.h"
#include <math.h>
#include <string.h>

const char *inlay_compare_sort_name(inlay_compare_sort sort)
{
    static const char *const names[] = {"elapsed", "price", "energy", "efficiency"};
    return names[sort];
}

/* ---- What the order needs ---- */

/* Whether any machine has a price, or a power. */
static bool any_has(const inlay_comparison *all, bool has(const inlay_machine *machine, double *value))
{
    for (size_t i = 0; i < all->input_count; i++) {
        if (all->inputs[i].machine != NULL && has(all->inputs[i].machine, NULL)) {
            return true;
        }
    }
    return false;
}

static const char *currency_of(const inlay_machine *machine)
{
    const char *currency = inlay_machine_currency(machine);
    return currency != NULL ? currency : "";
}

static bool have_one_currency(const inlay_comparison *all)
{
    const inlay_machine *first = NULL;
    for (size_t i = 0; i < all->input_count; i++) {
        const inlay_machine *machine = all->inputs[i].machine;
        if (machine == NULL || !inlay_machine_price(machine, NULL)) {
            continue;
        }
        first = first != NULL ? first : machine;
        if (strcmp(currency_of(first), currency_of(machine)) != 0) {
            return false;
        }
    }
    return true;
}

int compare_check_sort(inlay_comparison *all, inlay_diag *diag)
{
    const char *missing = NULL;
    all->prices_compare = have_one_currency(all);
    if (all->sort == INLAY_SORT_PRICE && !any_has(all, inlay_machine_price)) {
        missing = "no machine has a price; expected price=NUMBER in one of them";
    } else if (all->sort == INLAY_SORT_PRICE && !all->prices_compare) {
        missing = "the machines' prices are in different currencies; expected one currency";
    } else if (all->sort == INLAY_SORT_ENERGY && !any_has(all, inlay_machine_power)) {
        missing = "no machine has a power; expected power=WATTS in one of them";
    }
    return missing == NULL ? INLAY_OK : diag_fail(diag, INLAY_BAD_ARGUMENT, "%s", missing);
}

/* ---- Places ---- */

/* What is not known comes last. */
static double known(double figure)
{
    return isnan(figure) ? INFINITY : figure;
}

compare_place compare_place_of(const inlay_comparison *all, const inlay_compare_figures *figures,
                               const inlay_compare_input *machine)
{
    compare_place place = {{INFINITY, INFINITY, INFINITY, INFINITY}, machine};
    if (figures != NULL) {
        const double sorts[] = {figures->elapsed, figures->price, figures->energy, -figures->efficiency};
        place.key[0] = known(sorts[all->sort]);
        place.key[1] = figures->elapsed;
        place.key[2] = figures->processors;
        place.key[3] = all->prices_compare ? known(figures->price) : 0;
    }
    return place;
}

int compare_places(const void *left, const void *right)
{
    const compare_place *a = left, *b = right;
    for (size_t i = 0; i < SORT_KEYS; i++) {
        if (a->key[i] != b->key[i]) {
            return a->key[i] < b->key[i] ? -1 : 1;
        }
    }
    return (a->machine > b->machine) - (a->machine < b->machine);
}

/* ---- What is said of the machines ---- */

/* Operations a second of a processor of speed 1; 0: not known, or no machine. */
static double flops_of(const inlay_compare_input *in)
{
    double flops = 0;
    return in->machine != NULL && inlay_machine_flops(in->machine, &flops) ? flops : 0;
}

/* Whether speeds are known absolutely of several machines, and differ: module times hold on the fastest of each. */
static bool speeds_differ(const inlay_comparison *all)
{
    double first = 0;
    bool differ = false;
    for (size_t i = 0; i < all->input_count; i++) {
        double flops = flops_of(&all->inputs[i]);
        differ = differ || (first > 0 && flops > 0 && (flops < first || flops > first));
        first = first > 0 ? first : flops;
    }
    return differ;
}

static void warn_of_speeds(const inlay_comparison *all, inlay_diag *diag)
{
    text_buffer text = {0};
    text_add(&text,
             "the speeds of machines are not compared: the times of modules hold on a processor of speed 1 of each");
    const char *before = ", of ";
    for (size_t i = 0; i < all->input_count; i++) {
        double flops = flops_of(&all->inputs[i]);
        if (flops > 0) {
            text_addf(&text, "%s%s %g Gflop/s", before, all->inputs[i].source, flops / 1e9);
            before = ", ";
        }
    }
    if (!text.failed) {
        diag_warn(diag, "%s", text.data);
    }
    text_clear(&text);
}

/* The first machine of model 2 with as many transfers as one of model 1; NULL where there is none. */
static const inlay_compare_input *find_second(const inlay_comparison *all, const inlay_machine *first)
{
    for (size_t i = 0; i < all->input_count; i++) {
        const inlay_machine *second = all->inputs[i].machine;
        if (second != NULL && inlay_machine_model(second) == 2 &&
            inlay_machine_transfers(first) == inlay_machine_transfers(second)) {
            return &all->inputs[i];
        }
    }
    return NULL;
}

/* Of machines of models 1 and 2 with equal `transfers`. */
static void note_pair(inlay_comparison *all)
{
    for (size_t i = 0; i < all->input_count; i++) {
        const inlay_machine *first = all->inputs[i].machine;
        bool is_first = first != NULL && inlay_machine_model(first) == 1;
        const inlay_compare_input *second = is_first ? find_second(all, first) : NULL;
        if (second != NULL) {
            (void)plain_print(all->note, COMPARE_NOTE,
                              "models 1 and 2 have one delay function: with equal transfers, %.100s and %.100s can "
                              "differ only by processors, capacity, latency and memory; transfers=2 counts that a "
                              "message is written into a common memory and read from it",
                              all->inputs[i].name, second->name);
            return;
        }
    }
}

void compare_look_at_machines(inlay_comparison *all, inlay_diag *diag)
{
    if (speeds_differ(all)) {
        warn_of_speeds(all, diag);
    }
    note_pair(all);
}

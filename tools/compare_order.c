/* The order of rows and totals: what they are sorted by, and what decides between equal ones. */
#include "compare.h"
#include "simulated.h"
#include <inlay/inlay.h>
#include <math.h>
#include <string.h>

const char *compare_sort_name(const comparison *all)
{
    static const char *const names[] = {"estimate", "simulated", "price", "energy", "efficiency"};
    return names[all->sort];
}

const char *compare_currency(const compare_input *machine)
{
    const char *currency = inlay_machine_currency(machine->machine);
    return currency != NULL ? currency : "";
}

/* Whether any machine has a price, or a power. */
static bool any_has(const comparison *all, bool has(const inlay_machine *machine, double *value))
{
    for (size_t i = 0; i < all->input_count; i++) {
        if (all->inputs[i].machine != NULL && has(all->inputs[i].machine, NULL)) {
            return true;
        }
    }
    return false;
}

static bool have_one_currency(const comparison *all)
{
    const compare_input *first = NULL;
    for (size_t i = 0; i < all->input_count; i++) {
        const compare_input *input = &all->inputs[i];
        if (input->machine == NULL || !inlay_machine_price(input->machine, NULL)) {
            continue;
        }
        first = first != NULL ? first : input;
        if (strcmp(compare_currency(first), compare_currency(input)) != 0) {
            return false;
        }
    }
    return true;
}

/* Whether any application is to be simulated. */
static bool any_simulated(const comparison *all, const mapping_values *with)
{
    for (size_t i = 0; i < all->input_count; i++) {
        if (all->inputs[i].app != NULL && simulated_most(with, all->inputs[i].app) > 0) {
            return true;
        }
    }
    return false;
}

const char *compare_check_sort(comparison *all, const mapping_values *with)
{
    all->prices_compare = have_one_currency(all);
    if (all->sort == SORT_PRICE && !any_has(all, inlay_machine_price)) {
        return "no machine has a price; expected price=NUMBER in one of them, or another --sort";
    }
    if (all->sort == SORT_PRICE && !all->prices_compare) {
        return "the machines' prices are in different currencies; expected one currency, or another --sort";
    }
    if (all->sort == SORT_ENERGY && !any_has(all, inlay_machine_power)) {
        return "no machine has a power; expected power=WATTS in one of them, or another --sort";
    }
    if (all->sort == SORT_SIMULATED && !any_simulated(all, with)) {
        return "nothing is simulated; expected --simulate yes, or another --sort";
    }
    return NULL;
}

/* What is not known comes last. */
static double known(double figure)
{
    return isnan(figure) ? INFINITY : figure;
}

compare_place compare_place_of(const comparison *all, const compare_figures *figures, const compare_input *machine)
{
    compare_place place = {.machine = machine};
    if (figures == NULL) {
        for (size_t i = 0; i < SORT_KEYS; i++) {
            place.key[i] = INFINITY;
        }
        return place;
    }
    const double sorts[] = {figures->estimate, figures->simulated, figures->price, figures->energy,
                            -figures->efficiency};
    place.key[0] = known(sorts[all->sort]);
    place.key[1] = figures->estimate;
    place.key[2] = figures->processors;
    place.key[3] = all->prices_compare ? known(figures->price) : 0;
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

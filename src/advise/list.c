/* Offers, and how many of each there may be. */
#include "base/diag.h"
#include "base/memory.h"
#include "advise/advise.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every number up to here is looked at where nothing is asked; beyond, 48, 64, 96, 128 and so on, as `best` does. */
enum { EVERY = 32, MIXED_TYPES = 100, MOST_CANDIDATES = 1000000 };

/* ---- Numbers ---- */

/* Hosts, or processors, that all modules together can hold; INT32_MAX where modules are pinned to processors. */
static inlay_id most_held(const inlay_advice *all, bool hosts)
{
    int64_t most = 1;
    for (size_t a = 0; a < all->input_count; a++) {
        const inlay_app *app = all->inputs[a].app;
        int64_t held = 0;
        for (inlay_id i = 0; app != NULL && i < inlay_app_modules(app); i++) {
            held += hosts || all->asked.mapping.ignore_cores ? 1 : inlay_app_cores(app, i);
            if (inlay_app_pin(app, i) >= 0) {
                return INT32_MAX;
            }
        }
        most = held > most ? held : most;
    }
    return most < INT32_MAX ? (inlay_id)most : INT32_MAX;
}

/* The number behind one; those behind EVERY are thinned unless they were asked for. */
static inlay_id next_count(const inlay_advice *all, inlay_id count, inlay_id most)
{
    inlay_id step = 1;
    if (all->asked.to == 0 && count >= EVERY) {
        for (step = EVERY / 2; step <= count / 4; step *= 2) {
        }
        step = count % step == 0 ? step : step - count % step;
    }
    return count < most && step > most - count ? most : count + step;
}

static int add_candidate(inlay_advice *all, candidate one, inlay_diag *diag)
{
    if (all->candidate_count == MOST_CANDIDATES) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "more than %d candidates; expected fewer numbers of hosts (-p) or offers", MOST_CANDIDATES);
    }
    if (!memory_grow((void **)&all->candidates, &all->candidate_room, all->candidate_count + 1, sizeof one)) {
        return diag_no_memory(diag);
    }
    all->candidates[all->candidate_count++] = one;
    all->offers[one.offer].of.candidates++;
    return INLAY_OK;
}

/* ---- Offers of one part ---- */

static void range_of(const inlay_advice *all, const inlay_advise_input *in, inlay_id *from, inlay_id *to)
{
    inlay_id least = in->type != NULL ? in->type->count_min : 1;
    inlay_id most = in->type != NULL ? in->type->count_max : inlay_machine_processors(in->machine);
    inlay_id held = all->held[in->type != NULL];
    *from = all->asked.from > least ? all->asked.from : least;
    *to = all->asked.to > 0 && all->asked.to < most ? all->asked.to : most;
    if (*to > held && *from <= *to) {
        *to = held > *from ? held : *from; /* more stay empty */
    }
}

static int add_numbers(inlay_advice *all, size_t offer, inlay_diag *diag)
{
    inlay_id from, to;
    int status = INLAY_OK;
    size_t before = all->candidate_count;
    range_of(all, all->offers[offer].of.part[0], &from, &to);
    for (inlay_id n = from; status == INLAY_OK && n <= to; n = next_count(all, n, to)) {
        status = add_candidate(all, (candidate){offer, {n, 0}, 0}, diag);
        if (n == INT32_MAX) {
            break;
        }
    }
    if (from <= to && status == INLAY_OK) {
        all->summary.counts_left_out += (size_t)(to - from) + 1 - (all->candidate_count - before);
    }
    return status;
}

/* ---- Mixtures ---- */

static size_t find_types(const inlay_advice *all, const inlay_advise_input *types[MIXED_TYPES])
{
    size_t count = 0;
    for (size_t i = 0; i < all->input_count; i++) {
        if (all->inputs[i].type != NULL) {
            if (count < MIXED_TYPES) {
                types[count] = &all->inputs[i];
            }
            count++;
        }
    }
    return count;
}

static inlay_id more_of(inlay_id a, inlay_id b)
{
    return a > b ? a : b;
}

static inlay_id less_of(inlay_id a, inlay_id b)
{
    return a < b ? a : b;
}

/* Numbers of the first part where there are `hosts` in all. */
static bool mixed_range(const inlay_advise_offer *offer, inlay_id hosts, inlay_id *from, inlay_id *to)
{
    const inlay_machine_type *a = offer->part[0]->type, *b = offer->part[1]->type;
    *from = more_of(a->count_min, hosts > b->count_max ? hosts - b->count_max : 1);
    *to = less_of(a->count_max, hosts - b->count_min);
    return *from <= *to;
}

/* The smallest first, pairs as they were given. */
static int add_mixtures(inlay_advice *all, size_t first, inlay_diag *diag)
{
    inlay_id least = all->asked.from > 2 ? all->asked.from : 2, most = all->held[true], largest = 0;
    size_t added = 0;
    int status = INLAY_OK;
    most = all->asked.to > 0 && all->asked.to < most ? all->asked.to : most;
    for (size_t o = first; o < all->offer_count; o++) {
        const inlay_advise_offer *of = &all->offers[o].of;
        int64_t both = (int64_t)of->part[0]->type->count_max + of->part[1]->type->count_max;
        largest = more_of(largest, both < most ? (inlay_id)both : most);
    }
    for (inlay_id hosts = least; status == INLAY_OK && hosts <= largest; hosts++) {
        for (size_t o = first; status == INLAY_OK && o < all->offer_count; o++) {
            inlay_id from, to;
            if (!mixed_range(&all->offers[o].of, hosts, &from, &to)) {
                continue;
            }
            for (; from <= to && added < INLAY_ADVISE_MIXTURES && status == INLAY_OK; from++, added++) {
                status = add_candidate(all, (candidate){o, {from, hosts - from}, 0}, diag);
            }
            all->summary.mixtures_left_out += from <= to ? (size_t)(to - from) + 1 : 0;
        }
    }
    return status;
}

/* ---- The whole ---- */

static int by_size(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    int64_t size_a = (int64_t)a->count[0] + a->count[1], size_b = (int64_t)b->count[0] + b->count[1];
    bool mixed_a = a->count[1] > 0, mixed_b = b->count[1] > 0;
    return mixed_a != mixed_b          ? (int)mixed_a - (int)mixed_b
           : size_a != size_b          ? (size_a < size_b ? -1 : 1)
           : a->offer != b->offer      ? (a->offer < b->offer ? -1 : 1)
           : a->count[0] < b->count[0] ? -1
                                       : a->count[0] > b->count[0];
}

/* Speed of a type's processors: of one host, related to the reference. */
static int find_speed(const inlay_advice *all, advise_offer *offer, inlay_diag *diag)
{
    for (size_t p = 0; p < INLAY_ADVISE_PARTS && offer->of.part[p] != NULL && advise_is_types(&offer->of); p++) {
        inlay_machine *one = NULL;
        int status = inlay_types_machine(&(inlay_type_count){offer->of.part[p]->type, 1}, 1, &one, diag);
        if (status == INLAY_OK && all->asked.reference > 0 && inlay_machine_flops(one, NULL)) {
            status = inlay_machine_refer(one, all->asked.reference, diag);
        }
        offer->speed[p] = status == INLAY_OK ? inlay_machine_processor(one, 0).speed : 0;
        inlay_machine_free(one);
        if (status != INLAY_OK) {
            return status;
        }
    }
    return INLAY_OK;
}

static int add_offers(inlay_advice *all, size_t types, const inlay_advise_input *type[MIXED_TYPES], inlay_diag *diag)
{
    size_t pairs = all->asked.mixtures ? types * (types - (types > 0)) / 2 : 0;
    int status = INLAY_OK;
    all->offers = memory_zeroed(all->input_count + pairs, sizeof *all->offers);
    if (all->offers == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; i < all->input_count; i++) {
        if (all->inputs[i].app == NULL) {
            all->offers[all->offer_count++].of.part[0] = &all->inputs[i];
        }
    }
    for (size_t i = 0; pairs > 0 && i < types; i++) {
        for (size_t j = i + 1; j < types; j++) {
            inlay_advise_offer *pair = &all->offers[all->offer_count++].of;
            pair->part[0] = type[i];
            pair->part[1] = type[j];
        }
    }
    for (size_t o = 0; status == INLAY_OK && o < all->offer_count; o++) {
        all->offers[o].of.best = SIZE_MAX;
        status = find_speed(all, &all->offers[o], diag);
    }
    return status;
}

int advise_list(inlay_advice *all, inlay_diag *diag)
{
    const inlay_advise_input *type[MIXED_TYPES];
    size_t types = find_types(all, type);
    if (all->asked.mixtures && types > MIXED_TYPES) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "mixtures of %zu types; expected at most %d types", types,
                         MIXED_TYPES);
    }
    all->held[false] = most_held(all, false);
    all->held[true] = most_held(all, true);
    int status = add_offers(all, types, type, diag);
    size_t first_mixture = 0;
    while (first_mixture < all->offer_count && all->offers[first_mixture].of.part[1] == NULL) {
        first_mixture++;
    }
    for (size_t o = 0; status == INLAY_OK && o < first_mixture; o++) {
        status = add_numbers(all, o, diag);
    }
    if (status == INLAY_OK && first_mixture < all->offer_count) {
        status = add_mixtures(all, first_mixture, diag);
    }
    if (status == INLAY_OK && all->candidate_count > 0) {
        qsort(all->candidates, all->candidate_count, sizeof *all->candidates, by_size);
    }
    return status;
}

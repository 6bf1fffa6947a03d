/*
 * Candidates mapped, and those left out that cannot matter: one whose least time and least price a point reaches or beats,
 * one of the two truly, is neither the choice nor on the front, since all that is made best but the efficiency grows with
 * time, price and energy, and deadline and budget are limits of the first two.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "base/tell.h"
#include "advise/advise.h"
#include "search/compare.h"
#include <inlay/simulate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- A candidate's machine ---- */

static size_t parts_of(const inlay_advice *all, const candidate *c, inlay_type_count part[INLAY_ADVISE_PARTS])
{
    const inlay_advise_offer *offer = &all->offers[c->offer].of;
    size_t parts = 0;
    for (size_t i = 0; i < INLAY_ADVISE_PARTS && offer->part[i] != NULL; i++) {
        part[parts++] = (inlay_type_count){offer->part[i]->type, c->count[i]};
    }
    return parts;
}

static int make_machine(const inlay_advice *all, const candidate *c, inlay_machine **machine, inlay_diag *diag)
{
    inlay_type_count part[INLAY_ADVISE_PARTS];
    size_t parts = parts_of(all, c, part);
    int status = inlay_types_machine(part, parts, machine, diag);
    if (status == INLAY_OK && all->asked.reference > 0 && inlay_machine_flops(*machine, NULL)) {
        status = inlay_machine_refer(*machine, all->asked.reference, diag);
        if (status != INLAY_OK) {
            inlay_machine_free(*machine);
            *machine = NULL;
        }
    }
    return status;
}

/* ---- Bounds ---- */

typedef struct least {
    double time, cost, energy;
} least;

static double or_infinite(double figure)
{
    return isnan(figure) ? INFINITY : figure;
}

/* Of a plain machine: one processor at least has the critical path, and all of them the work. */
static least least_of_machine(const inlay_advice *all, const candidate *c)
{
    const advise_offer *offer = &all->offers[c->offer];
    const rental_work *work = &offer->work;
    const double under = work->known ? 1 - 1e-12 : 0; /* of the sums that they bound, however rounded */
    double price = NAN;
    (void)inlay_machine_price(offer->of.part[0]->machine, &price);
    double busy = fmax(work->path, work->work) * under;
    return (least){fmax(work->path, work->work / c->count[0]) * under,
                   all->summary.priced ? or_infinite(price * (busy / 3600)) : 1, 0};
}

static least least_of(const inlay_advice *all, const candidate *c)
{
    inlay_type_count part[INLAY_ADVISE_PARTS];
    if (!advise_is_types(&all->offers[c->offer].of)) {
        return least_of_machine(all, c);
    }
    size_t parts = parts_of(all, c, part);
    double time = rental_start_up(part, parts) + rental_least_run(part, all->offers[c->offer].speed, parts, &all->work);
    return (least){time, all->summary.priced ? or_infinite(rental_price(part, parts, time)) : rental_cores(part, parts),
                   or_infinite(rental_energy(part, parts, time))};
}

static bool is_beaten(const inlay_advice *all, const candidate *c)
{
    const double equal = 1 + 1e-11; /* what differs by rounding alone; bounds are cut by less */
    least bound = least_of(all, c);
    for (size_t i = 0; i < all->best_count && all->summary.by != INLAY_ADVISE_EFFICIENCY; i++) {
        const inlay_advise_point *p = &all->points[all->best[i]];
        double cost = advise_cost(all, p);
        bool as_good = p->time <= bound.time * equal && cost <= bound.cost * equal &&
                       (p->time < bound.time || cost * equal < bound.cost);
        if (as_good && (all->summary.by != INLAY_ADVISE_ENERGY || or_infinite(p->energy) <= bound.energy)) {
            return true;
        }
    }
    return false;
}

static double known(double bound)
{
    return isnan(bound) ? 0 : bound;
}

/* What the first mappings of a machine, or of any type, say of all numbers of it. */
typedef struct sums {
    double run, low, high, busy, occupied, price, energy;
    inlay_id processors;
    rental_work work;
} sums;

static void learn(inlay_advice *all, const candidate *c, const sums *s)
{
    advise_offer *offer = &all->offers[c->offer];
    bool types = advise_is_types(&offer->of);
    rental_work *to = types ? &all->work : &offer->work;
    if (to->known || c->count[1] > 0) {
        return;
    }
    double speed = types ? offer->speed[0] : 1;
    bool uniform = types || !inlay_machine_unlike(offer->of.part[0]->machine);
    *to = (rental_work){true, s->work.path * speed, uniform ? s->work.work * speed : 0};
}

/* ---- Mapping ---- */

static double seconds_of(const inlay_advice *all, const inlay_app *app, double time)
{
    inlay_unit unit = inlay_app_unit(app);
    return unit == all->unit         ? time
           : unit == INLAY_UNIT_TICK ? time * all->asked.mapping.tick_seconds
                                     : time * inlay_unit_seconds(unit);
}

static void add_up(const inlay_advice *all, const inlay_app *app, const inlay_mapping *mapping, sums *s)
{
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    inlay_doubts doubts = inlay_machine_doubts(inlay_mapping_machine(mapping));
    double elapsed = seconds_of(all, app, sum->elapsed), low = NAN, high = NAN;
    if (doubts.time_spread > 0 || doubts.time_error > 0 || doubts.network_error > 0) {
        inlay_mapping_interval(mapping, &low, &high);
    }
    s->run += elapsed;
    s->low += seconds_of(all, app, low);
    s->high += seconds_of(all, app, high);
    for (inlay_id k = 0; k < sum->clusters; k++) {
        s->busy += seconds_of(all, app, inlay_mapping_cluster(mapping, k).busy);
    }
    s->occupied += sum->clusters * elapsed;
    s->price += sum->price;
    s->energy += sum->energy;
    s->processors = sum->clusters > s->processors ? sum->clusters : s->processors;
    s->work.path += seconds_of(all, app, fmax(known(sum->bound_critical_path), known(sum->bound_longest)));
    s->work.work += seconds_of(all, app, known(sum->bound_work)) * sum->processors;
}

/* All applications, one after another; the first that has no answer ends it. */
static int map_all(const inlay_advice *all, const candidate *c, const inlay_machine *machine, sums *s, inlay_diag *said)
{
    inlay_options options = all->asked.mapping;
    options.progress = NULL; /* candidates are told */
    options.processors = advise_is_types(&all->offers[c->offer].of) ? 0 : c->count[0];
    for (size_t i = 0; i < all->input_count; i++) {
        const inlay_app *app = all->inputs[i].app;
        inlay_mapping *mapping = NULL;
        int status = app == NULL ? INLAY_OK : inlay_map(app, machine, &options, &mapping, said);
        if (status != INLAY_OK) {
            return status;
        }
        if (app != NULL) {
            add_up(all, app, mapping, s);
        }
        inlay_mapping_free(mapping);
    }
    return INLAY_OK;
}

static inlay_advise_point rented_point(const inlay_advice *all, const candidate *c, const sums *s)
{
    inlay_type_count part[INLAY_ADVISE_PARTS];
    size_t parts = parts_of(all, c, part);
    double start_up = rental_start_up(part, parts), processors = rental_cores(part, parts);
    inlay_advise_point point = {.processors = (inlay_id)fmin(processors, INT32_MAX), .start_up = start_up};
    double time = start_up + s->run;
    point.price = rental_price(part, parts, time);
    point.price_low = rental_price(part, parts, start_up + s->low);
    point.price_high = rental_price(part, parts, start_up + s->high);
    point.energy = rental_energy(part, parts, time);
    point.efficiency = s->run > 0 ? s->busy / (processors * s->run) : NAN;
    return point;
}

static inlay_advise_point plain_point(const inlay_advice *all, const sums *s)
{
    inlay_advise_point point = {.processors = s->processors, .price = s->price, .energy = s->energy};
    point.price_low = s->run > 0 ? s->price * (s->low / s->run) : NAN;
    point.price_high = s->run > 0 ? s->price * (s->high / s->run) : NAN;
    point.efficiency = s->occupied > 0 ? s->busy / s->occupied : NAN;
    if (all->unit == INLAY_UNIT_TICK) {
        point.price = point.price_low = point.price_high = point.energy = NAN;
    }
    return point;
}

/* Whether one is as fast and as cheap as another, and as sparing where that is asked. */
static bool reaches(const inlay_advice *all, const inlay_advise_point *p, const inlay_advise_point *q)
{
    return p->time <= q->time && advise_cost(all, p) <= advise_cost(all, q) &&
           (all->summary.by != INLAY_ADVISE_ENERGY || or_infinite(p->energy) <= or_infinite(q->energy));
}

/* Keeps in `best` what no point reaches. */
static void keep_best(inlay_advice *all, size_t number)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->best_count; i++) {
        if (reaches(all, &all->points[all->best[i]], &all->points[number])) {
            return;
        }
    }
    for (size_t i = 0; i < all->best_count; i++) {
        if (!reaches(all, &all->points[number], &all->points[all->best[i]])) {
            all->best[kept++] = all->best[i];
        }
    }
    all->best[kept++] = number;
    all->best_count = kept;
}

static int add_point(inlay_advice *all, const candidate *c, const sums *s)
{
    bool types = advise_is_types(&all->offers[c->offer].of);
    inlay_advise_point point = types ? rented_point(all, c, s) : plain_point(all, s);
    point.offer = c->offer;
    memcpy(point.count, c->count, sizeof point.count);
    point.run = s->run;
    point.time = point.start_up + s->run;
    point.low = point.start_up + s->low;
    point.high = point.start_up + s->high;
    point.feasible = advise_meets(all, point.time, point.price);
    if (!memory_grow((void **)&all->points, &all->point_room, all->point_count + 1, sizeof point)) {
        return INLAY_NO_MEMORY;
    }
    all->points[all->point_count++] = point;
    keep_best(all, all->point_count - 1);
    return INLAY_OK;
}

/* A text in which the name of the candidate stands for its machine's string. */
static void add_renamed(const inlay_advice *all, const candidate *c, const inlay_machine *machine, const char *text,
                        text_buffer *to)
{
    const inlay_advise_point named = {.offer = c->offer, .count = {c->count[0], c->count[1]}};
    const char *string =
        machine != NULL && advise_is_types(&all->offers[c->offer].of) ? inlay_machine_text(machine) : "";
    char name[INLAY_ADVISE_NAME];
    (void)inlay_advise_point_name(all, &named, name);
    for (const char *at; *string != '\0' && (at = strstr(text, string)) != NULL; text = at + strlen(string)) {
        text_append(to, text, (size_t)(at - text));
        text_add(to, name);
    }
    text_add(to, text);
}

/* An offer keeps the words of its first candidate that has an answer, else of its last one. */
static void keep_said(inlay_advice *all, const candidate *c, inlay_diag *said, int status, const inlay_machine *machine)
{
    advise_offer *offer = &all->offers[c->offer];
    bool answered = offer->of.mapped > 0;
    if (!answered || offer->diag == NULL) {
        inlay_diag_free(offer->diag);
        offer->diag = said;
        if (status != INLAY_OK) {
            offer->why.size = 0;
            text_add(&offer->why, "no answer: ");
            add_renamed(all, c, machine, compare_reason(said, machine, status), &offer->why);
        }
        return;
    }
    inlay_diag_free(said);
}

static int map_candidate(inlay_advice *all, const candidate *c, inlay_diag *diag)
{
    advise_offer *offer = &all->offers[c->offer];
    bool types = advise_is_types(&offer->of);
    inlay_machine *made = NULL;
    sums s = {0};
    inlay_diag *said = inlay_diag_new();
    if (said == NULL) {
        return diag_no_memory(diag);
    }
    inlay_diag_keep_warnings(said, true);
    int status = types ? make_machine(all, c, &made, said) : INLAY_OK;
    const inlay_machine *machine = types ? made : offer->of.part[0]->machine;
    status = status == INLAY_OK ? map_all(all, c, machine, &s, said) : status;
    bool answered = status == INLAY_OK;
    if (status == INLAY_NO_MEMORY || status == INLAY_SYSTEM) {
        diag_fail(diag, status, "%s", inlay_diag_message(said));
        inlay_diag_free(said);
        inlay_machine_free(made);
        return status;
    }
    keep_said(all, c, said, status, machine);
    inlay_machine_free(made);
    if (!answered) {
        return INLAY_OK;
    }
    offer->of.mapped++;
    learn(all, c, &s);
    status = add_point(all, c, &s);
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

static int by_promise(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    return a->promise < b->promise      ? -1
           : a->promise > b->promise    ? 1
           : a->offer != b->offer       ? (a->offer < b->offer ? -1 : 1)
           : a->count[0] != b->count[0] ? (a->count[0] < b->count[0] ? -1 : 1)
           : a->count[1] < b->count[1]  ? -1
                                        : a->count[1] > b->count[1];
}

/* Those to come, the most promising first: what one type says of the applications bounds all types. */
static void order(inlay_advice *all, size_t from)
{
    for (size_t i = from; i < all->candidate_count; i++) {
        least bound = least_of(all, &all->candidates[i]);
        double promise = bound.time * bound.cost;
        all->candidates[i].promise = isnan(promise) ? INFINITY : promise;
    }
    if (from < all->candidate_count) {
        qsort(&all->candidates[from], all->candidate_count - from, sizeof *all->candidates, by_promise);
    }
}

int advise_map(inlay_advice *all, inlay_diag *diag)
{
    int status = INLAY_OK;
    bool ordered = false;
    all->best = memory_array(all->candidate_count + 1, sizeof *all->best);
    if (all->best == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; status == INLAY_OK && i < all->candidate_count; i++) {
        tell_share(all->asked.mapping.progress, (double)i / (double)all->candidate_count);
        if (is_beaten(all, &all->candidates[i])) {
            continue;
        }
        const candidate next = all->candidates[i]; /* the others may be put into another order */
        status = map_candidate(all, &next, diag);
        if (all->work.known && !ordered) {
            order(all, i + 1);
            ordered = true;
        }
    }
    return status;
}

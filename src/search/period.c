/* Local search on the least period of a placement. */
#include "search/period.h"
#include "base/splitmix.h"
#include "graph/app.h"
#include "mapping/mapping.h"
#include "problem/order.h"
#include "search/trial.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * STEPS, MOST: as in improve.c. LOOKS: moves that are looked at for each evaluation. STUCK: so many times as many moves as there are
 * modules without any that is taken, and some are shaken. SHAKEN: how many.
 */
enum { STEPS = 1500000, MOST = 4000, LOOKS = 16, STUCK = 4, SHAKEN = 3 };
static const double ROUNDING = 1e-12;

typedef struct search {
    const problem *p;
    inlay_id places;
    memory_pool pool;
    uint64_t state;
    inlay_id *place_of, *best_of, *order; /* the order is one for all: a period knows none */
    double *load;                         /* of every place */
    int64_t *room;                        /* of every host; NULL: memory is unlimited */
    double period, squares;               /* of place_of: what is made small, first the period */
    double best;
    int64_t evaluations, most;
    bool wired; /* messages count */
    double iterations;
} search;

/* ---- Moves ---- */

static bool takes_memory(const search *s)
{
    return s->room != NULL;
}

static inlay_id host_of(const search *s, inlay_id place)
{
    return inlay_machine_host(s->p->machine, place);
}

/* For one iteration. */
static double time_on(const search *s, inlay_id module, inlay_id place)
{
    return problem_time_on(s->p, module, place) / s->iterations;
}

static void put(search *s, inlay_id module, inlay_id place)
{
    inlay_id from = s->place_of[module];
    double off = time_on(s, module, from), on = time_on(s, module, place);
    double left = s->load[from] - off, grown = s->load[place] + on;
    if (from == place) {
        return;
    }
    s->squares += left * left - s->load[from] * s->load[from] + grown * grown - s->load[place] * s->load[place];
    s->load[from] = left;
    s->load[place] = grown;
    s->place_of[module] = place;
    if (takes_memory(s)) {
        s->room[host_of(s, from)] += s->p->memory[module];
        s->room[host_of(s, place)] -= s->p->memory[module];
    }
}

/* Loads, summed up anew: so that what is added and taken off leaves no rounding behind. */
static void sum_up(search *s)
{
    const problem *p = s->p;
    memset(s->load, 0, (size_t)s->places * sizeof *s->load);
    for (inlay_id c = 0; takes_memory(s) && c < s->places; c++) {
        int64_t memory = kinds_of(&p->kinds, c)->memory;
        s->room[host_of(s, c)] = memory < 0 ? INT64_MAX : memory;
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id c = s->place_of[i];
        s->load[c] += time_on(s, i, c);
        if (takes_memory(s)) {
            s->room[host_of(s, c)] -= p->memory[i];
        }
    }
    s->squares = 0;
    for (inlay_id c = 0; c < s->places; c++) {
        s->squares += s->load[c] * s->load[c];
    }
}

static inlay_id busiest(const search *s)
{
    inlay_id most = 0;
    for (inlay_id c = 1; c < s->places; c++) {
        most = s->load[c] > s->load[most] ? c : most;
    }
    return most;
}

/* A module of a place where one is found from a drawn one on; else the drawn one. */
static inlay_id draw_module(search *s, inlay_id place)
{
    inlay_id n = s->p->modules, first = splitmix_below(&s->state, n);
    for (inlay_id k = 0; k < n; k++) {
        inlay_id i = first + k < n ? first + k : first + k - n;
        if (s->place_of[i] == place) {
            return i;
        }
    }
    return first;
}

/* Where one is that it exchanges messages with; any place where it has none. */
static inlay_id draw_place(search *s, inlay_id module, bool near)
{
    const problem *p = s->p;
    int64_t neighbours = p->begin[module + 1] - p->begin[module];
    return near && neighbours > 0
               ? s->place_of[p->neighbour[p->begin[module] + splitmix_below(&s->state, (inlay_id)neighbours)]]
               : splitmix_below(&s->state, s->places);
}

/* ---- One step ---- */

typedef struct step {
    inlay_id module, other, from, to; /* the other goes back to where the module was; -1: none does */
} step;

static step draw(search *s)
{
    uint64_t *state = &s->state;
    inlay_id hot = busiest(s);
    bool computes = s->period <= s->load[hot] * (1 + ROUNDING), near = s->wired && splitmix_below(state, 2) == 0;
    step move = {.other = -1};
    move.module = computes && splitmix_below(state, 4) > 0 ? draw_module(s, hot) : splitmix_below(state, s->p->modules);
    move.from = s->place_of[move.module];
    move.to = draw_place(s, move.module, near);
    if (splitmix_below(state, 2) == 0) {
        inlay_id other = draw_module(s, move.to);
        move.other = s->place_of[other] == move.to ? other : -1;
    }
    return move;
}

static bool may(const search *s, const step *move)
{
    const inlay_app *app = s->p->app;
    bool runs = problem_runs_on(s->p, move->module, move->to) &&
                (move->other < 0 || problem_runs_on(s->p, move->other, move->from));
    return runs && move->from != move->to && inlay_app_pin(app, move->module) < 0 &&
           (move->other < 0 || inlay_app_pin(app, move->other) < 0);
}

static void go(search *s, const step *move)
{
    put(s, move->module, move->to);
    if (move->other >= 0) {
        put(s, move->other, move->from);
    }
}

static void go_back(search *s, const step *move)
{
    put(s, move->module, move->from);
    if (move->other >= 0) {
        put(s, move->other, move->to);
    }
}

static bool fits(const search *s, const step *move)
{
    return !takes_memory(s) || (s->room[host_of(s, move->to)] >= 0 && s->room[host_of(s, move->from)] >= 0);
}

/* Of place_of; INLAY_NO_MEMORY, or another status where it is none. */
static int evaluate(search *s, double *period)
{
    inlay_mapping *mapping = NULL;
    s->evaluations++;
    int status = trial_make(s->p, s->place_of, s->order, &mapping, period);
    inlay_mapping_free(mapping);
    return status;
}

/* Whether a placement whose period is known is no worse than that before. */
static bool is_taken(const search *s, double period, double squares)
{
    double hair = ROUNDING * s->period;
    return period < s->period - hair || (period <= s->period + hair && squares <= s->squares);
}

static int take(search *s, bool shaken, bool *taken)
{
    const step move = draw(s);
    double period, squares = s->squares;
    *taken = false;
    if (!may(s, &move)) {
        return INLAY_OK;
    }
    go(s, &move);
    double after = s->squares, most = s->load[busiest(s)];
    s->squares = squares;
    bool worth = fits(s, &move) && (shaken || is_taken(s, most, after));
    int status = worth ? evaluate(s, &period) : INLAY_OK;
    *taken = worth && status == INLAY_OK && (shaken || is_taken(s, period, after));
    s->squares = after;
    if (*taken) {
        s->period = period;
    } else {
        go_back(s, &move);
        s->squares = squares;
    }
    return status == INLAY_NO_MEMORY ? status : INLAY_OK;
}

/* ---- One search ---- */

static int shake(search *s)
{
    int status = INLAY_OK;
    bool taken;
    memcpy(s->place_of, s->best_of, (size_t)s->p->modules * sizeof *s->place_of);
    sum_up(s);
    for (int k = 0; status == INLAY_OK && k < SHAKEN; k++) {
        status = take(s, true, &taken);
    }
    return status;
}

/* No placement has a shorter period: work shared out among the fastest; the longest module; a cycle. */
static double least_of(const search *s)
{
    const problem *p = s->p;
    double work = 0, longest = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        double least = inlay_app_in_units(p->app, p->timing.m[i]) / p->kinds.speed;
        work += least;
        longest = fmax(longest, least);
    }
    double all = fmax(work / s->places, longest) / s->iterations, cycle = mapping_cycle(p, NULL);
    return cycle > all ? cycle : all;
}

static int descend(search *s)
{
    double least = least_of(s);
    int64_t idle = 0, stuck = STUCK * ((int64_t)s->p->modules + s->places);
    int status = evaluate(s, &s->period);
    s->best = s->period;
    memcpy(s->best_of, s->place_of, (size_t)s->p->modules * sizeof *s->best_of);
    for (int64_t looks = 0;
         status == INLAY_OK && looks < LOOKS * s->most && s->evaluations < s->most && s->best > least * (1 + ROUNDING);
         looks++) {
        bool taken;
        if (idle++ > stuck) {
            status = shake(s);
            idle = 0;
            continue;
        }
        double before = s->period;
        status = take(s, false, &taken);
        idle = taken && s->period < before * (1 - ROUNDING) ? 0 : idle;
        if (taken && s->period < s->best * (1 - ROUNDING)) {
            sum_up(s);
            s->best = s->period;
            memcpy(s->best_of, s->place_of, (size_t)s->p->modules * sizeof *s->best_of);
        }
    }
    return status;
}

/* ---- Where searches begin ---- */

typedef struct timed {
    double time;
    inlay_id module;
} timed;

static int compare_timed(const void *a, const void *b)
{
    const timed *x = a, *y = b;
    return x->time != y->time ? (x->time < y->time) - (x->time > y->time)
                              : (x->module > y->module) - (x->module < y->module);
}

/* The longest first, each to where it ends soonest (R. L. Graham 1969); false where one finds no room. */
static bool share_out(search *s, timed *sorted)
{
    const problem *p = s->p;
    memset(s->place_of, 0, (size_t)p->modules * sizeof *s->place_of);
    sum_up(s);
    memset(s->load, 0, (size_t)s->places * sizeof *s->load);
    for (inlay_id i = 0; i < p->modules; i++) {
        sorted[i] = (timed){inlay_app_in_units(p->app, p->timing.m[i]), i};
        if (takes_memory(s)) {
            s->room[host_of(s, 0)] += p->memory[i];
        }
    }
    qsort(sorted, (size_t)p->modules, sizeof *sorted, compare_timed);
    for (inlay_id k = 0; k < p->modules; k++) {
        inlay_id i = sorted[k].module, pin = inlay_app_pin(p->app, i), best = -1;
        double soonest = INFINITY;
        for (inlay_id c = pin < 0 ? 0 : pin; c < (pin < 0 ? s->places : pin + 1); c++) {
            double end = s->load[c] + time_on(s, i, c);
            bool runs = problem_runs_on(p, i, c);
            bool room = !takes_memory(s) || s->room[host_of(s, c)] >= p->memory[i];
            if (runs && room && end < soonest) {
                soonest = end;
                best = c;
            }
        }
        if (best < 0) {
            return false;
        }
        s->place_of[i] = best;
        s->load[best] = soonest;
        if (takes_memory(s)) {
            s->room[host_of(s, best)] -= p->memory[i];
        }
    }
    sum_up(s);
    return true;
}

/* ---- A count ---- */

static bool suits(const problem *p, const improve_count *count)
{
    bool pinned_out = false;
    for (inlay_id i = 0; i < p->modules; i++) {
        pinned_out = pinned_out || inlay_app_pin(p->app, i) >= count->processors;
    }
    return count->schedules > 0 && count->processors > 1 && count->processors <= IMPROVE_PLACES && p->modules > 1 &&
           p->app->blocks == 0 && p->cores == NULL && p->options.effort.evaluations >= 0 && !pinned_out;
}

/* What the search found, where it is better than what the count has. */
static int offer(search *s, int64_t max_events, const improve_schedule *start, improve_count *count)
{
    improve_schedule *first = &count->schedule[0];
    size_t bytes = (size_t)s->p->modules * sizeof(inlay_id);
    trial found, before = {first->elapsed, first->period};
    int status = trial_judge(s->p, s->best_of, s->order, max_events, &found);
    if (status == INLAY_OK && !isnan(found.elapsed) && trial_compare(&found, &before) < 0) {
        double from = start->period;
        first->method = start->method;
        first->elapsed = first->unimproved = found.elapsed;
        first->period = found.period;
        first->period_unimproved = from;
        memcpy(first->processor_of, s->best_of, bytes);
        memcpy(first->order, s->order, bytes);
    }
    return status == INLAY_NO_MEMORY ? status : INLAY_OK;
}

static int make_search(const problem *p, const improve_count *count, search *s)
{
    size_t n = (size_t)p->modules;
    int64_t given = p->options.effort.evaluations, usual = STEPS / (p->modules + inlay_app_links(p->app));
    uint64_t seed = p->options.seed ^ (uint64_t)count->processors << 32;
    *s = (search){
        .p = p, .places = count->processors, .state = splitmix_next(&seed), .iterations = fmax(1, p->app->iterations)};
    s->most = (given > 0 ? given : usual < MOST ? usual : MOST) / (count->schedules + 1) + 1;
    s->wired = !p->network.free && inlay_machine_contention(p->machine) == INLAY_CONTENTION_QUEUES;
    s->place_of = pool_array(&s->pool, n, sizeof *s->place_of);
    s->best_of = pool_array(&s->pool, n, sizeof *s->best_of);
    s->order = pool_array(&s->pool, n, sizeof *s->order);
    s->load = pool_array(&s->pool, (size_t)s->places, sizeof *s->load);
    s->room =
        p->memory == NULL ? NULL : pool_array(&s->pool, (size_t)inlay_machine_processors(p->machine), sizeof *s->room);
    return s->pool.failed ? INLAY_NO_MEMORY : execution_order(p, NULL, s->order, NULL);
}

int period_improve(const problem *p, int64_t max_events, improve_count *count)
{
    improve_schedule start[IMPROVE_CHAINS];
    search s;
    int starts = 0;
    if (!suits(p, count)) {
        return INLAY_OK;
    }
    int status = make_search(p, count, &s);
    inlay_id *placed = pool_array(&s.pool, (size_t)p->modules * IMPROVE_CHAINS, sizeof *placed);
    timed *sorted = pool_array(&s.pool, (size_t)p->modules, sizeof *sorted);
    status = status == INLAY_OK && s.pool.failed ? INLAY_NO_MEMORY : status;
    for (int k = 0; status == INLAY_OK && k < count->schedules; k++) {
        if (improve_within(p, &count->schedule[k], count->processors)) {
            start[starts] = count->schedule[k];
            start[starts].processor_of = placed + (size_t)starts * (size_t)p->modules;
            memcpy(start[starts].processor_of, count->schedule[k].processor_of, (size_t)p->modules * sizeof *placed);
            starts++;
        }
    }
    for (int k = starts; status == INLAY_OK && starts > 0 && k >= 0; k--) {
        bool found = true;
        s.evaluations = 0;
        if (k == starts) {
            found = share_out(&s, sorted);
        } else {
            memcpy(s.place_of, start[k].processor_of, (size_t)p->modules * sizeof *s.place_of);
            sum_up(&s);
        }
        status = found ? descend(&s) : INLAY_OK;
        status = found && status == INLAY_OK ? offer(&s, max_events, &start[k == starts ? 0 : k], count) : status;
        status = status == INLAY_NO_MEMORY ? status : INLAY_OK;
        count->evaluations += s.evaluations;
    }
    pool_clear(&s.pool);
    return status;
}

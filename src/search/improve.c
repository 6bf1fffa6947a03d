/* The schedules of a portfolio improved by local search. */
#include "search/improve.h"
#include "base/clock.h"
#include "base/workers.h"
#include "base/tell.h"
#include "search/climb.h"
#include "search/exact.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * STEPS: modules and links that the
 * searches of a count may look at in all where no effort is given; MOST, FEWEST: evaluations, with fewer there is no point in it.
 * EXACT: so many times as much where the engine need not be asked. ONE: evaluations that are worth a search of their own.
 */
enum { STEPS = 1500000, MOST = 4000, FEWEST = 200, EXACT = 4, ONE = 500 };

/* What of the time of a count is for the searches, where what is found can be proven after them. */
static const double SEARCHING = 0.75;

/* ---- Effort ---- */

static int64_t default_effort(const problem *p)
{
    int64_t evaluations = STEPS / (p->modules + p->app->precedence_links);
    return evaluations > MOST ? MOST : evaluations < FEWEST ? 0 : evaluations;
}

bool improve_suits(const problem *p)
{
    const inlay_effort *e = &p->options.effort;
    bool some = e->seconds > 0 || e->evaluations > 0 || (e->evaluations == 0 && default_effort(p) > 0);
    bool ruled = p->options.order != INLAY_ORDER_GIVEN; /* and not the schedule's own */
    bool trees = problem_copies(p) && inlay_machine_broadcasts_in_trees(p->machine);
    return some && p->options.max_events >= 0 && p->processors > 1 && p->modules > 1 && p->app->blocks == 0 &&
           p->cores == NULL && !trees && !ruled;
}

/* A power of two, or half way between two. */
static bool is_round(inlay_id q)
{
    inlay_id third = q % 3 == 0 ? q / 3 : q;
    return (third & (third - 1)) == 0;
}

/*
 * The evaluations of a count. Where it gained next to nothing over fewer processors before, it is hardly looked at: that
 * depends on no larger count, so that more processors stay no worse.
 */
static int64_t effort_of(const problem *p, inlay_id processors, bool gains, bool exact_times)
{
    int64_t given = p->options.effort.evaluations;
    int64_t whole = given > 0 ? given : exact_times ? EXACT * default_effort(p) : default_effort(p);
    int64_t own = gains ? whole : whole / 4;
    return (is_round(processors) ? own : own / 4) + 1;
}

/* ---- The searches of one count ---- */

typedef struct chain {
    climb climb;
    improve_schedule start;
    int status;
} chain;

typedef struct crew {
    const improvement *of;
    const terms *t;
    chain chain[IMPROVE_CHAINS];
    int chains;
} crew;

static void run_chain(void *context, int worker, size_t k)
{
    crew *c = context;
    chain *own = &c->chain[k];
    const problem *p = c->of->p;
    (void)worker;
    const inlay_simulation_options options = {.threads = 1, .seed = p->options.seed, .max_events = c->of->max_events};
    rerun again;
    own->status = rerun_make(p, c->t->places, &options, &again, NULL);
    if (own->status != INLAY_OK) {
        return;
    }
    own->climb.rerun = &again;
    own->status = rerun_schedule(&again, own->climb.place_of, own->climb.order, NULL, INFINITY, &own->climb.elapsed);
    if (own->status == INLAY_OK && isfinite(own->climb.elapsed)) {
        own->status = climb_run(&own->climb);
    }
    rerun_clear(&again);
}

bool improve_within(const problem *p, const improve_schedule *schedule, inlay_id processors)
{
    for (inlay_id i = 0; i < p->modules; i++) {
        if (schedule->processor_of[i] >= processors) {
            return false;
        }
    }
    return true;
}

/* The schedules of a count that searches can begin with. */
static int find_starts(const problem *p, const improve_count *count, improve_schedule start[IMPROVE_CHAINS])
{
    int starts = 0;
    for (int k = 0; k < count->schedules; k++) {
        if (improve_within(p, &count->schedule[k], count->processors)) {
            start[starts++] = count->schedule[k];
        }
    }
    return starts;
}

int improve_terms(const improvement *of, inlay_id processors, rerun *again, terms *t)
{
    const problem *p = of->p;
    const inlay_simulation_options options = {.threads = 1, .seed = p->options.seed, .max_events = of->max_events};
    int status = rerun_make(p, processors, &options, again, NULL);
    if (status == INLAY_OK) {
        status = terms_make(p, &again->plan, processors, t);
    }
    if (status != INLAY_OK) {
        rerun_clear(again);
    }
    return status;
}

static void begin_chain(const improvement *of, const improve_schedule *start, int k, climb_effort effort,
                        const terms *t, memory_pool *pool, chain *own)
{
    size_t n = (size_t)of->p->modules;
    uint64_t state = of->p->options.seed ^ (uint64_t)t->places << 32 ^ (uint64_t)k;
    *own = (chain){.start = *start};
    own->climb = (climb){.t = t, .kept = of->kept, .state = splitmix_next(&state), .effort = effort};
    own->climb.place_of = pool_array(pool, n, sizeof *own->climb.place_of);
    own->climb.order = pool_array(pool, n, sizeof *own->climb.order);
    if (!pool->failed) {
        memcpy(own->climb.place_of, start->processor_of, n * sizeof *start->processor_of);
        memcpy(own->climb.order, start->order, n * sizeof *start->order);
    }
}

/* The best of the searches, of equal ones the first, takes the place of the first schedule where it is better. */
static int end_crew(const problem *p, improve_count *count, const crew *c, double grain)
{
    size_t bytes = (size_t)p->modules * sizeof(inlay_id);
    for (int k = 0; k < c->chains; k++) {
        const chain *own = &c->chain[k];
        if (own->status == INLAY_NO_MEMORY) {
            return own->status;
        }
        count->evaluations += own->climb.evaluations;
        improve_schedule *best = &count->schedule[0];
        double elapsed = own->climb.elapsed / grain;
        if (own->status == INLAY_OK && elapsed < best->elapsed) {
            best->elapsed = elapsed;
            best->unimproved = own->start.unimproved;
            best->method = own->start.method;
            memcpy(best->processor_of, own->climb.place_of, bytes);
            memcpy(best->order, own->climb.order, bytes);
        }
    }
    return INLAY_OK;
}

/* How long each search goes on: of the whole effort a share, in evaluations; in seconds they go on side by side. */
static climb_effort effort_of_chain(int64_t evaluations, double seconds, int chains)
{
    double now = clock_seconds();
    return seconds > 0 ? (climb_effort){.from = now, .until = now + seconds}
                       : (climb_effort){.evaluations = evaluations / chains + 1};
}

/* Whether the portfolio's best of a count is shorter than with fewer processors by more than next to nothing. */
static bool gains(const improvement *of, size_t k)
{
    static const double next_to_nothing = 0.005;
    double least = INFINITY;
    for (size_t i = 0; i < k; i++) {
        least = of->count[i].schedules > 0 ? fmin(least, of->count[i].portfolio) : least;
    }
    return of->count[k].portfolio < least * (1 - next_to_nothing);
}

/* The best of all counts so far. */
static double best_of(const improvement *of)
{
    double best = INFINITY;
    for (size_t k = 0; k < of->counts; k++) {
        best = of->count[k].schedules > 0 ? fmin(best, of->count[k].schedule[0].elapsed) : best;
    }
    return best;
}

static int run_searches(const improvement *of, size_t k, const improve_schedule *start, int starts, const terms *t,
                        double seconds)
{
    const problem *p = of->p;
    improve_count *count = &of->count[k];
    memory_pool pool = {0};
    int64_t evaluations = effort_of(p, count->processors, gains(of, k), t->exact), chains = evaluations / ONE + 1;
    int threads = workers_of(p->options.threads, IMPROVE_CHAINS);
    crew c = {.of = of, .t = t, .chains = chains < IMPROVE_CHAINS ? (int)chains : IMPROVE_CHAINS};
    c.chains = seconds > 0 ? threads : c.chains;
    climb_effort effort = effort_of_chain(evaluations, seconds, c.chains);
    for (int i = 0; i < c.chains; i++) {
        begin_chain(of, &start[i % starts], i, effort, t, &pool, &c.chain[i]);
    }
    int status = pool.failed ? INLAY_NO_MEMORY : INLAY_OK;
    if (status == INLAY_OK) {
        workers_share(threads, (size_t)c.chains, run_chain, &c);
        status = end_crew(p, count, &c, pow(10, p->app->decimals));
    }
    pool_clear(&pool);
    return status;
}

/* @param seconds  how long, where the effort is a time */
static int improve_one(const improvement *of, size_t k, double seconds)
{
    const problem *p = of->p;
    improve_count *count = &of->count[k];
    improve_schedule start[IMPROVE_CHAINS];
    int starts = find_starts(p, count, start);
    terms t;
    if (starts == 0 || count->processors < 2 || count->processors > IMPROVE_PLACES || (of->end > 0 && seconds <= 0)) {
        return INLAY_OK;
    }
    rerun again;
    int status = improve_terms(of, count->processors, &again, &t);
    if (status != INLAY_OK) {
        return status == INLAY_NO_MEMORY ? status : INLAY_OK;
    }
    double least = t.least / pow(10, p->app->decimals);
    if (least <= best_of(of) && least < count->schedule[0].elapsed) {
        status = run_searches(of, k, start, starts, &t, seconds);
    }
    terms_clear(&t);
    rerun_clear(&again);
    return status;
}

improvement improve_begin(const problem *p, int64_t max_events)
{
    double seconds = p->options.effort.seconds;
    return (improvement){.p = p, .max_events = max_events, .end = seconds > 0 ? clock_seconds() + seconds : 0};
}

int improve_all(improvement *of, double until)
{
    int status = INLAY_OK;
    for (size_t k = of->counts; status == INLAY_OK && k-- > 0;) {
        tell_share(of->p->options.progress, 1 - (1 - IMPROVE_FROM) * (double)(k + 1) / (double)of->counts);
        double left = of->end > 0 ? until - clock_seconds() : 0;
        status = improve_one(of, k, k == 0 ? left : left / 2);
    }
    return status;
}

double improve_share(const improvement *of)
{
    const problem *p = of->p;
    inlay_id counts = p->processors - of->count[of->counts - 1].processors + 1;
    return of->end > 0 ? (of->end - clock_seconds()) / counts : 0;
}

int improve_last(improvement *of)
{
    double seconds = improve_share(of);
    return improve_one(of, of->counts - 1, of->p->modules <= EXACT_MODULES ? SEARCHING * seconds : seconds);
}

/* The best schedules of a portfolio proven, count by count. */
#include "search/prove.h"
#include "base/clock.h"
#include "search/climb.h"
#include "search/exact.h"
#include <math.h>
#include <string.h>

/* STEPS: what an evaluation of the local search counts as. */
enum { STEPS = 1000, EVALUATIONS = 4000 };

/* The fewer the more processors, so that all counts together take no longer than twice the first. */
static int64_t steps_of(const problem *p, inlay_id processors)
{
    int64_t given = p->options.effort.evaluations, most = INT64_MAX / STEPS;
    int64_t evaluations = p->options.effort.seconds > 0 ? most : given > 0 ? given : EVALUATIONS;
    int64_t steps = STEPS * (evaluations < most ? evaluations : most);
    return p->options.effort.seconds > 0 ? steps : 2 * steps / ((int64_t)processors * (processors - 1)) + 1;
}

/* The shortest on at most so many processors. */
static const improve_schedule *best_until(const improvement *of, size_t k)
{
    const improve_schedule *best = NULL;
    for (size_t i = 0; i <= k; i++) {
        const improve_count *count = &of->count[i];
        if (count->schedules > 0 && (best == NULL || count->schedule[0].elapsed < best->elapsed)) {
            best = &count->schedule[0];
        }
    }
    return best;
}

/* Whether what holds for the first so many processors holds for any so many. */
static bool holds_for_any(const problem *p, const terms *t)
{
    return t->places == inlay_machine_processors(p->machine) ||
           (t->anywhere && p->kinds.of == NULL && p->app->pin == NULL);
}

static int search(const improvement *of, size_t k, const improve_schedule *known, double until, const terms *t,
                  rerun *again)
{
    const problem *p = of->p;
    improve_count *count = &of->count[k];
    memory_pool pool = {0};
    size_t n = (size_t)p->modules, bytes = n * sizeof(inlay_id);
    double grain = pow(10, p->app->decimals);
    exact e = {.t = t,
               .rerun = again,
               .steps = steps_of(p, count->processors),
               .until = of->end > 0 ? until : 0,
               .place_of = pool_array(&pool, n, sizeof *e.place_of),
               .order = pool_array(&pool, n, sizeof *e.order)};
    int status = pool.failed ? INLAY_NO_MEMORY : INLAY_OK;
    if (status == INLAY_OK) {
        memcpy(e.place_of, known->processor_of, bytes);
        memcpy(e.order, known->order, bytes);
        status = rerun_schedule(again, e.place_of, e.order, NULL, INFINITY, &e.elapsed);
    }
    if (status == INLAY_OK && isfinite(e.elapsed)) {
        double before = e.elapsed;
        status = exact_run(&e);
        count->least = e.least < e.elapsed ? e.least / grain : fmin(e.elapsed / grain, known->elapsed);
        if (e.elapsed < before) {
            improve_schedule *own = &count->schedule[0];
            own->elapsed = e.elapsed / grain;
            own->unimproved = known->unimproved;
            own->method = known->method;
            memcpy(own->processor_of, e.place_of, bytes);
            memcpy(own->order, e.order, bytes);
        }
    }
    pool_clear(&pool);
    return status == INLAY_NO_MEMORY ? status : INLAY_OK;
}

int prove_count(const improvement *of, size_t k, double until)
{
    improve_count *count = &of->count[k];
    const improve_schedule *known = best_until(of, k);
    if (known == NULL || count->schedules == 0 || count->processors < 2 || count->processors > EXACT_PLACES ||
        of->p->modules > EXACT_MODULES || !improve_within(of->p, known, count->processors)) {
        return INLAY_OK;
    }
    terms t;
    rerun again;
    int status = improve_terms(of, count->processors, &again, &t);
    if (status != INLAY_OK) {
        return status == INLAY_NO_MEMORY ? status : INLAY_OK;
    }
    double least = t.least / pow(10, of->p->app->decimals);
    if (t.below) {
        count->least = fmin(least, known->elapsed);
        status = least < known->elapsed ? search(of, k, known, until, &t, &again) : INLAY_OK;
        count->least = holds_for_any(of->p, &t) ? count->least : 0;
    }
    terms_clear(&t);
    rerun_clear(&again);
    return status;
}

int prove_last(const improvement *of)
{
    return prove_count(of, of->counts - 1, clock_seconds() + improve_share(of));
}

int prove_in_time(improvement *of)
{
    static const double first = 0.1, proof = 0.6;
    size_t last = of->counts - 1;
    double begin = clock_seconds(), whole = of->end - begin;
    int status = improve_all(of, of->p->modules <= EXACT_MODULES ? begin + first * whole : of->end);
    if (status == INLAY_OK) {
        status = prove_count(of, last, begin + proof * whole);
    }
    const improve_schedule *best = best_until(of, last);
    if (status != INLAY_OK || best == NULL || of->count[last].least >= best->elapsed) {
        return status;
    }
    return improve_all(of, of->end);
}

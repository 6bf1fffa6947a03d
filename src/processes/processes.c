/*
 * The best numbers of processes: all l are gone through, but only those are solved that can be among the best. Whether
 * an l can is asked first: do the processors take l processes within the time to beat?
 */
#include "base/diag.h"
#include "base/memory.h"
#include "processes/plan.h"
#include "processes/walk.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct inlay_process_plan {
    inlay_process_answer *answer; /* `count`, and the one with the fewest processes */
    size_t count;
    inlay_process_share *share; /* a row of shares for each answer, and one for HoHe */
    inlay_process_rivals rivals;
};

/* The best so far: each a total and a time, by rising time and then total; times that hardly differ are equal. */
typedef struct entry {
    int64_t total;
    double time;
} entry;

typedef struct search {
    const inlay_process_problem *problem;
    inlay_process_options options;
    double limit; /* t_HoHo where it binds, else infinite */
    spread dealer;
    walk walk;
    entry *best;
    size_t kept, room;
} search;

/* ---- Result ---- */

void inlay_process_plan_free(inlay_process_plan *plan)
{
    if (plan != NULL) {
        free(plan->answer);
        free(plan->share);
        free(plan);
    }
}

size_t inlay_process_plan_count(const inlay_process_plan *plan)
{
    return plan->count;
}

const inlay_process_answer *inlay_process_plan_at(const inlay_process_plan *plan, size_t i)
{
    return i < plan->count ? &plan->answer[i] : NULL;
}

const inlay_process_answer *inlay_process_plan_fewest(const inlay_process_plan *plan)
{
    return &plan->answer[plan->count];
}

const inlay_process_rivals *inlay_process_plan_rivals(const inlay_process_plan *plan)
{
    return &plan->rivals;
}

/* ---- One l ---- */

/* Prepares the dealer for a total. */
static void set_total(search *s, int64_t total)
{
    spread_set(&s->dealer, false, process_unit(s->problem, total, s->options.whole_units), total);
}

static bool solve(search *s, int64_t total, double guess)
{
    set_total(s, total);
    return spread_solve(&s->dealer, guess);
}

/* Whether a total can be dealt with all times up to `time`. */
static bool fits(search *s, int64_t total, double time)
{
    set_total(s, total);
    return spread_fits(&s->dealer, time);
}

/* ---- The scan ---- */

/* Times that differ by less are equal, and the smaller l wins: W / l is rounded, so that equal times come out unequal. */
static const double tie = 1e-12;

/* What an l must not exceed to be among the best: an equal time comes too late. */
static double to_beat(const search *s)
{
    double last = s->kept < s->room ? INFINITY : s->best[s->kept - 1].time * (1 - tie);
    return fmin(s->limit, last);
}

static void keep(search *s, int64_t total, double time)
{
    size_t at = s->kept < s->room ? s->kept++ : s->kept - 1;
    for (; at > 0 && s->best[at - 1].time * (1 - tie) > time; at--) {
        s->best[at] = s->best[at - 1];
    }
    s->best[at] = (entry){total, time};
}

/* Takes the total that the walk found among the best; the next ones have to be faster. */
static int take(search *s, double time, inlay_diag *diag)
{
    walk *w = &s->walk;
    set_total(s, w->total);
    double least = walk_least(w);
    /* one row alone, which has all: what the dealer looks at, and refuses where it is no number */
    bool told = least <= time && isnormal(least) && isnormal(spread_alone(&s->dealer, 0));
    if (!told) {
        if (!fits(s, w->total, time)) {
            return INLAY_OK;
        }
        if (!spread_solve(&s->dealer, time)) {
            return process_overflow(diag);
        }
        least = s->dealer.time;
    }
    keep(s, w->total, least);
    time = to_beat(s);
    if (time < w->time) {
        walk_shorten(w, time);
    }
    return INLAY_OK;
}

static int scan(search *s, inlay_diag *diag)
{
    int status = INLAY_OK;
    int64_t total = s->options.from;
    for (; total <= s->options.to && !isfinite(to_beat(s)); total++) {
        if (!solve(s, total, s->dealer.time)) {
            return process_overflow(diag);
        }
        keep(s, total, s->dealer.time);
    }
    if (total <= s->options.to) {
        walk_begin(&s->walk, total, s->options.to, to_beat(s));
    }
    while (status == INLAY_OK && walk_next(&s->walk)) {
        status = take(s, s->walk.time, diag);
    }
    if (status != INLAY_OK || s->kept > 0) {
        return status;
    }
    return diag_fail(diag, INLAY_NO_ANSWER,
                     "no placement of %" PRId64 " to %" PRId64
                     " processes keeps all processors within %g, the time of one process on each",
                     s->options.from, s->options.to, s->limit);
}

/* The smallest total whose time is near to the best. */
static int64_t fewest(search *s)
{
    double time = fmin(s->limit, s->best[0].time * (1 + s->options.within));
    if (s->best[0].total == s->options.from) {
        return s->options.from;
    }
    walk_begin(&s->walk, s->options.from, s->best[0].total - 1, time);
    return walk_next(&s->walk) ? s->walk.total : s->best[0].total;
}

/* ---- Answers ---- */

/* Whether all that a row does is measured; warns where `diag` is given and it is not. */
static bool is_measured(const search *s, size_t row, const inlay_process_share *share, inlay_diag *diag)
{
    const inlay_process_problem *p = s->problem;
    for (int64_t k = share->each; k <= share->each + (share->extra > 0); k++) {
        double y = (double)k * s->dealer.unit;
        double x = s->dealer.divided ? 1 : (double)k;
        if (k > 0 && !performance_covers(p->row[row].performance, x, y)) {
            if (diag != NULL) {
                process_warn_outside(p, row, x, y, s->dealer.divided ? "HoHe" : "the best placement", diag);
            }
            return false;
        }
    }
    return true;
}

/* Solves a total once more and unfolds it. */
static int unfold(search *s, int64_t total, double guess, inlay_process_share *share, inlay_process_answer *answer,
                  inlay_diag *warned, inlay_diag *diag)
{
    if (!solve(s, total, guess)) {
        return process_overflow(diag);
    }
    *answer = (inlay_process_answer){
        .total = total, .time = s->dealer.time, .unit = s->dealer.unit, .share = share, .measured = true};
    memcpy(share, s->dealer.share, s->dealer.rows * sizeof *share);
    for (size_t q = s->dealer.rows; q-- > 0;) {
        int64_t most = share[q].each + (share[q].extra > 0);
        answer->used += share[q].each > 0 ? s->problem->row[q].count : share[q].extra;
        answer->last = most > 0 && spread_time(&s->dealer, q, most) >= answer->time ? q : answer->last;
        answer->measured = is_measured(s, q, &share[q], warned) && answer->measured;
    }
    return INLAY_OK;
}

static int add_rivals(search *s, inlay_process_plan *plan, inlay_process_share *share, inlay_diag *diag)
{
    const inlay_process_problem *p = s->problem;
    bool whole = s->options.whole_units;
    double each = process_unit(p, process_problem_processors(p), whole);
    memset(s->dealer.reach, 0, s->dealer.rows * sizeof *s->dealer.reach);
    spread_set(&s->dealer, true, 1, p->data);
    if (!spread_solve(&s->dealer, 0)) {
        return process_overflow(diag);
    }
    memcpy(share, s->dealer.share, s->dealer.rows * sizeof *share);
    plan->rivals = (inlay_process_rivals){.hoho = process_hoho(p, whole),
                                          .hohe = s->dealer.time,
                                          .data = share,
                                          .from = s->options.from,
                                          .to = s->options.to};
    for (size_t q = 0; q < p->rows; q++) {
        (void)is_measured(s, q, &share[q], diag);
        if (!performance_covers(p->row[q].performance, 1, each)) {
            process_warn_outside(p, q, 1, each, "HoHo", diag);
        }
    }
    return INLAY_OK;
}

static int fill_plan(search *s, inlay_process_plan *plan, inlay_diag *diag)
{
    size_t rows = s->problem->rows;
    int64_t few = fewest(s);
    int status = INLAY_OK;
    plan->count = s->kept;
    for (size_t n = 0; n < s->kept && status == INLAY_OK; n++) {
        status = unfold(s, s->best[n].total, s->best[n].time, plan->share + n * rows, &plan->answer[n],
                        n == 0 ? diag : NULL, diag);
    }
    plan->answer[s->kept] = plan->answer[0];
    if (status == INLAY_OK && few < s->best[0].total) {
        status = unfold(s, few, s->best[0].time, plan->share + s->kept * rows, &plan->answer[s->kept], NULL, diag);
    }
    return status == INLAY_OK ? add_rivals(s, plan, plan->share + (s->kept + 1) * rows, diag) : status;
}

static int make_plan(search *s, inlay_process_plan **plan, inlay_diag *diag)
{
    inlay_process_plan *made = memory_zeroed(1, sizeof *made);
    int status = INLAY_OK;
    if (made == NULL || !(made->answer = memory_zeroed(s->kept + 1, sizeof *made->answer)) ||
        !(made->share = memory_zeroed((s->kept + 2) * s->problem->rows, sizeof *made->share))) {
        status = diag_no_memory(diag);
    } else {
        status = fill_plan(s, made, diag);
    }
    if (status != INLAY_OK) {
        inlay_process_plan_free(made);
        return status;
    }
    *plan = made;
    return INLAY_OK;
}

/* ---- Asking ---- */

static void search_clear(search *s)
{
    spread_clear(&s->dealer);
    walk_clear(&s->walk);
    free(s->best);
}

static int search_make(search *s, const inlay_process_problem *problem, const inlay_process_options *options,
                       inlay_diag *diag)
{
    *s = (search){.problem = problem, .limit = INFINITY};
    int status = process_problem_check(problem, diag);
    status = status == INLAY_OK ? process_options_settle(problem, options, &s->options, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    if (!s->options.beyond_hoho) {
        s->limit = process_hoho(problem, s->options.whole_units);
    }
    int64_t range = s->options.to - s->options.from + 1;
    s->room = (size_t)(s->options.best < range ? s->options.best : range);
    s->best = memory_array(s->room, sizeof *s->best);
    bool made = spread_make(&s->dealer, problem) && walk_make(&s->walk, problem, &s->dealer, s->options.whole_units);
    return made && s->best != NULL ? INLAY_OK : diag_no_memory(diag);
}

int inlay_processes(const inlay_process_problem *problem, const inlay_process_options *options,
                    inlay_process_plan **plan, inlay_diag *diag)
{
    DIAG_CALL(diag);
    search s;
    int status = search_make(&s, problem, options, diag);
    status = status == INLAY_OK ? scan(&s, diag) : status;
    status = status == INLAY_OK ? make_plan(&s, plan, diag) : status;
    search_clear(&s);
    return status;
}

/* ---- Time over l ---- */

static int draw(search *s, size_t points, inlay_process_point *point, inlay_diag *diag)
{
    int64_t range = s->options.to - s->options.from;
    double last = 0;
    for (size_t n = 0; n < points; n++) {
        double share = points > 1 ? (double)n / (double)(points - 1) : 0;
        int64_t total = s->options.from + (int64_t)floor((double)range * share + 0.5);
        point[n] = (inlay_process_point){total, NAN};
        if (isfinite(s->limit) && !fits(s, total, s->limit)) {
            continue;
        }
        if (!solve(s, total, last)) {
            return process_overflow(diag);
        }
        point[n].time = last = s->dealer.time;
    }
    return INLAY_OK;
}

int inlay_processes_curve(const inlay_process_problem *problem, const inlay_process_options *options, size_t most,
                          inlay_process_point *point, size_t *count, inlay_diag *diag)
{
    DIAG_CALL(diag);
    search s;
    if (most < 2) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%zu points are asked for; expected at least 2", most);
    }
    int status = search_make(&s, problem, options, diag);
    size_t points = 0;
    inlay_process_point *drawn = NULL; /* so that the caller's stay as they are when something fails */
    if (status == INLAY_OK) {
        uint64_t range = (uint64_t)(s.options.to - s.options.from) + 1;
        points = range < most ? (size_t)range : most;
        drawn = memory_array(points, sizeof *drawn);
        status = drawn == NULL ? diag_no_memory(diag) : draw(&s, points, drawn, diag);
    }
    if (status == INLAY_OK) {
        memcpy(point, drawn, points * sizeof *point);
        *count = points;
    }
    free(drawn);
    search_clear(&s);
    return status;
}

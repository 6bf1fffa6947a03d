/*
 * The best of all methods: each on every count of processors, each schedule simulated once, the best of each count improved
 * (improve.h), the shortest taken; of equal ones that on fewer processors, then that of the earlier row of the table. A schedule is judged as it would be handed over:
 * processors, order, and data blocks where they go then.
 *
 * What a graph is too large for is left out by counts of modules and links alone, never by the clock, and whether it is
 * depends on the count that it is for, not on P: more processors are never worse, up to LADDER of them, of graphs
 * that get every count.
 */
#include "search/best.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/tell.h"
#include "base/workers.h"
#include "cluster/cluster_list.h"
#include "graph/levels.h"
#include "mapping/feasible.h"
#include "mapping/mapping.h"
#include "mapping/solve.h"
#include "problem/order.h"
#include "search/improve.h"
#include "search/period.h"
#include "search/prove.h"
#include "search/risk.h"
#include "search/trial.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * LADDER: up to so many processors every count is tried, above it powers of two and halfway between them. EVERY, DOUBLED:
 * modules and links up to which that is so, and up to which powers of two are; beyond it 1 and P remain. MOST: what may be
 * looked at for one schedule, about 10 ns each; MOST_OF_ALL: for one on all processors, with its simulation, which takes as
 * long as SIMULATED looks at each module and link.
 */
enum {
    LADDER = 32,
    EVERY = 5000,
    DOUBLED = 200000,
    MOST = 4000000,
    MOST_OF_ALL = 200000000,
    SIMULATED = 100,
    MERGERS = 30,
    PARTS = 20,
    WIDTHS = 4,
    BOOKINGS = 16,
    FOLLOWING = 3,
    TRIALS = 10,
    EVENTS = 100000,
    EVENTS_EACH = 8
};

typedef struct contest {
    const problem *p;
    const best_search *search;
    memory_pool *pool;
    int workers;
    inlay_id **processor_of, **order; /* of each worker: the schedule at hand */
    inlay_id *best_of, *best_order;
    inlay_id width; /* most modules on one level */
    double fan;     /* most links from one module */
    bool improves;
    improvement improvement; /* with the best of every count so far */
    inlay_winner winner;

    /* Of one count of processors. */
    problem view;
    const cluster_method **entered;
    size_t entries;
    pthread_mutex_t lock; /* of what all entries change */
    bool no_memory;
} contest;

static bool is_power(inlay_id q)
{
    return (q & (q - 1)) == 0;
}

static bool is_count(const problem *p, inlay_id q)
{
    return q <= LADDER || q == p->processors || is_power(q) || (q % 3 == 0 && is_power(q / 3));
}

static double steps_of(const problem *p)
{
    return (double)p->modules + (double)inlay_app_links(p->app);
}

static bool keeps_count(const problem *p, inlay_id q)
{
    double steps = steps_of(p);
    return q == 1 || q == p->processors || steps <= EVERY || (steps <= DOUBLED && is_power(q));
}

/* Of the method whose time grows least with the graph, and of those that look at nothing, there is always one. */
static bool keeps_method(const contest *c, const cluster_method *method, inlay_id q)
{
    const problem *p = c->p;
    bool plain = method == &one_method || method == &round_robin_method || method == &blocks_method ||
                 method == &random_method || method == &heft_method;
    bool books = method == &heft_contention_method || method == &dsc_contention_method || method == &acyclic_method;
    double looks = method == &lookahead_method    ? (double)q * q * FOLLOWING + q * c->fan * c->fan / steps_of(p)
                   : method == &max_min_method    ? (double)q + WIDTHS * (double)c->width
                   : books                        ? (double)q * BOOKINGS
                   : method == &sarkar_method     ? steps_of(p) / TRIALS
                   : method->is.places            ? q
                   : method == &multilevel_method ? PARTS
                                                  : MERGERS;
    return plain || steps_of(p) * looks <= MOST ||
           (q == p->processors && (q > LADDER || steps_of(p) > EVERY) &&
            steps_of(p) * (looks + SIMULATED) <= MOST_OF_ALL);
}

/* ---- One schedule ---- */

/* Of one schedule among hundreds: each module and link has a few events; messages in many packets are screened. */
static int64_t events_most(const problem *p)
{
    int64_t given = p->options.max_events != 0 ? p->options.max_events : INLAY_MAX_EVENTS;
    double most = EVENTS + EVENTS_EACH * steps_of(p);
    return (double)given < most ? given : (int64_t)most;
}

/* The clusters of a method that merges, on the processors that it would have by itself, in the order of the rule. */
static int merge(const contest *c, const problem *view, int worker)
{
    inlay_mapping *mapping = NULL;
    int status = mapping_find(view->app, view->machine, &view->options, &mapping, NULL);
    for (inlay_id i = 0; status == INLAY_OK && i < view->modules; i++) {
        c->processor_of[worker][i] = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, i)).processor;
    }
    inlay_mapping_free(mapping);
    return status == INLAY_OK ? execution_order(c->p, NULL, c->order[worker], NULL) : status;
}

/*
 * The same clusters in the order of a list that books messages, where the graph is not too large for that. The order of the
 * rule stays where it is no longer.
 */
static int reorder(contest *c, const problem *view, int worker, trial *found, int *judged)
{
    inlay_id *order = c->order[worker];
    if (!keeps_method(c, &heft_contention_method, view->processors)) {
        return INLAY_OK;
    }
    trial listed;
    int status = cluster_list_order(view, c->processor_of[worker], order, NULL);
    status =
        status == INLAY_OK ? trial_judge(c->p, c->processor_of[worker], order, events_most(c->p), &listed) : status;
    if (status == INLAY_NO_MEMORY) {
        return status;
    }
    *judged += status == INLAY_OK;
    if (status == INLAY_OK && trial_compare(&listed, found) < 0) {
        *found = listed;
        return INLAY_OK;
    }
    return execution_order(c->p, NULL, order, NULL);
}

static trial found_by(const improve_schedule *s)
{
    return (trial){s->elapsed, s->period};
}

/* Of two that are as good, the one of the earlier row of the table. */
static bool is_better(const trial *found, const cluster_method *method, const improve_schedule *than)
{
    trial other = found_by(than);
    int by = trial_compare(found, &other);
    return by < 0 || (by == 0 && method_row(&method->is) < than->row);
}

static bool is_as_good(const trial *found, const improve_schedule *as)
{
    trial other = found_by(as);
    return trial_compare(found, &other) == 0;
}

/*
 * The best of a count in their order, one of equal ones alone: where they are not to be improved, one of all counts. What
 * is kept in the end does not depend on who came first.
 */
static int keep(contest *c, const cluster_method *method, const trial *found, int worker)
{
    improve_count *count = &c->improvement.count[c->improvement.counts - 1];
    size_t n = (size_t)c->p->modules;
    bool many = c->improves || c->p->options.objective == INLAY_OBJECTIVE_PERIOD;
    int most = many ? IMPROVE_CHAINS : 1, at = 0;
    if (isnan(found->elapsed)) {
        return INLAY_OK;
    }
    while (at < count->schedules && !is_better(found, method, &count->schedule[at])) {
        at++;
    }
    bool again = at > 0 && is_as_good(found, &count->schedule[at - 1]);
    bool replaces = at < count->schedules && is_as_good(found, &count->schedule[at]);
    if (at == most || again) {
        return INLAY_OK;
    }
    int last = replaces ? at : count->schedules < most ? count->schedules : most - 1;
    improve_schedule own = count->schedule[last];
    if (last == count->schedules) {
        own.processor_of = pool_array(c->pool, n, sizeof *own.processor_of);
        own.order = pool_array(c->pool, n, sizeof *own.order);
        if (c->pool->failed) {
            return INLAY_NO_MEMORY;
        }
        count->schedules++;
    }
    for (int k = last; k > at; k--) {
        count->schedule[k] = count->schedule[k - 1];
    }
    own.elapsed = own.unimproved = found->elapsed;
    own.period = own.period_unimproved = found->period;
    own.method = method->is.name;
    own.row = method_row(&method->is);
    memcpy(own.processor_of, c->processor_of[worker], n * sizeof *own.order);
    memcpy(own.order, c->order[worker], n * sizeof *own.order);
    count->schedule[at] = own;
    count->portfolio = count->schedule[0].elapsed;
    return INLAY_OK;
}

/* INLAY_OK or INLAY_NO_MEMORY: a method without an answer is as good as none. */
static int enter(contest *c, const cluster_method *method, int worker)
{
    trial found;
    problem view = c->view;
    view.options.method = &method->is;
    int status = check_feasible(&view, NULL);
    status = status == INLAY_OK ? method_check(&view, NULL) : status;
    if (status == INLAY_OK) {
        status = method->place != NULL ? method->place(&view, c->processor_of[worker], c->order[worker], NULL)
                                       : merge(c, &view, worker);
    }
    if (status == INLAY_OK) {
        status = trial_judge(c->p, c->processor_of[worker], c->order[worker], events_most(c->p), &found);
    }
    double own = status == INLAY_OK ? found.elapsed : NAN;
    int judged = 1;
    bool reorders = method->place == NULL && c->search->only == NULL && view.processors > 1;
    if (status == INLAY_OK && reorders) {
        status = reorder(c, &view, worker, &found, &judged);
    }
    if (status != INLAY_OK) {
        return status == INLAY_NO_MEMORY ? status : INLAY_OK;
    }
    pthread_mutex_lock(&c->lock);
    c->winner.judged += judged;
    if (method == &houstis_method && view.processors == c->p->processors) {
        c->winner.houstis = own;
    }
    status = keep(c, method, &found, worker);
    pthread_mutex_unlock(&c->lock);
    return status;
}

static void enter_job(void *context, int worker, size_t job)
{
    contest *c = context;
    if (enter(c, c->entered[job], worker) != INLAY_OK) {
        pthread_mutex_lock(&c->lock);
        c->no_memory = true;
        pthread_mutex_unlock(&c->lock);
    }
}

/* ---- The best of a count ---- */

static int find_risk(const contest *c, improve_schedule *s)
{
    inlay_mapping *mapping = NULL;
    s->risk = INFINITY;
    int status = trial_make(c->p, s->processor_of, s->order, &mapping, NULL);
    if (status == INLAY_OK) {
        double risk;
        status = risk_of(mapping, c->p->options.risk, events_most(c->p), &risk);
        s->risk = status == INLAY_OK && !isnan(risk) ? risk : INFINITY;
    }
    inlay_mapping_free(mapping);
    return status == INLAY_NO_MEMORY ? status : INLAY_OK;
}

/* Of the schedules of a count, and of the first as it was before it was improved, the one that bears spread times best. */
static int choose_by_risk(contest *c, improve_count *count, const improve_schedule *before)
{
    improve_schedule candidate[IMPROVE_CHAINS + 1], *least = &candidate[0];
    int candidates = 0, status = INLAY_OK;
    for (int k = 0; k < count->schedules; k++) {
        candidate[candidates++] = count->schedule[k];
    }
    if (candidates > 0 && count->schedule[0].elapsed < before->elapsed) {
        candidate[candidates++] = *before;
    }
    for (int k = 0; status == INLAY_OK && k < candidates; k++) {
        status = find_risk(c, &candidate[k]);
        least = candidate[k].risk < least->risk ? &candidate[k] : least;
    }
    if (status == INLAY_OK && candidates > 0) {
        const improve_schedule *exact = &candidate[0];
        if (!(c->winner.exact <= exact->elapsed)) {
            c->winner.exact = exact->elapsed;
            c->winner.exact_risk = exact->risk;
        }
        count->schedule[0] = *least;
    }
    return status;
}

/* A copy of the best of the portfolio, which its improvement overwrites. */
static int copy_first(contest *c, const improve_count *count, improve_schedule *copy)
{
    size_t n = (size_t)c->p->modules;
    if (c->p->options.risk == INLAY_RISK_NONE || count->schedules == 0) {
        return INLAY_OK;
    }
    *copy = count->schedule[0];
    copy->processor_of = pool_array(c->pool, n, sizeof *copy->processor_of);
    copy->order = pool_array(c->pool, n, sizeof *copy->order);
    if (c->pool->failed) {
        return INLAY_NO_MEMORY;
    }
    memcpy(copy->processor_of, count->schedule[0].processor_of, n * sizeof *copy->order);
    memcpy(copy->order, count->schedule[0].order, n * sizeof *copy->order);
    return INLAY_OK;
}

/* The best of a count is the winner where it is shorter, or bears spread times better, than with fewer processors. */
static void declare(contest *c, const improve_count *count)
{
    const improve_schedule *best = &count->schedule[0];
    bool by_risk = c->p->options.risk != INLAY_RISK_NONE;
    trial found = found_by(best), before = {c->winner.elapsed, c->winner.period};
    c->winner.evaluations += count->evaluations;
    c->winner.least = count->least;
    if (count->schedules > 0 &&
        (c->winner.method == NULL || (by_risk ? best->risk < c->winner.risk : trial_compare(&found, &before) < 0))) {
        size_t bytes = (size_t)c->p->modules * sizeof *c->best_order;
        c->winner.method = best->method;
        c->winner.processors = count->processors;
        c->winner.elapsed = best->elapsed;
        c->winner.unimproved = best->unimproved;
        c->winner.period = best->period;
        c->winner.period_unimproved = best->period_unimproved;
        c->winner.risk = by_risk ? best->risk : NAN;
        memcpy(c->best_of, best->processor_of, bytes);
        memcpy(c->best_order, best->order, bytes);
    }
}

/* The count's schedules having been improved and proven. @param before  the first of them until then */
static int end_count(contest *c, size_t k, const improve_schedule *before)
{
    improve_count *count = &c->improvement.count[k];
    bool period = c->p->options.objective == INLAY_OBJECTIVE_PERIOD;
    int status = period ? period_improve(c->p, events_most(c->p), count) : INLAY_OK;
    if (status == INLAY_OK && c->p->options.risk != INLAY_RISK_NONE) {
        status = choose_by_risk(c, count, before);
    }
    if (status == INLAY_OK) {
        declare(c, count);
    }
    return status;
}

/* ---- All of them ---- */

/* On one processor all methods do the same. */
static bool enters(const contest *c, const cluster_method *method, inlay_id q)
{
    const cluster_method *only = c->search->only;
    if (only != NULL) {
        return method == only;
    }
    return method->choose == NULL && !method->is.by_name &&
           (q > 1 || method == &one_method || method == &houstis_method);
}

static int make_room(contest *c)
{
    size_t n = (size_t)c->p->modules, methods = inlay_methods();
    c->workers = workers_of(c->p->options.threads, (int)methods);
    c->entered = pool_array(c->pool, methods, sizeof(cluster_method *));
    c->processor_of = pool_zeroed(c->pool, (size_t)c->workers, sizeof *c->processor_of);
    c->order = pool_zeroed(c->pool, (size_t)c->workers, sizeof *c->order);
    for (int k = 0; !c->pool->failed && k < c->workers; k++) {
        c->processor_of[k] = pool_array(c->pool, n, sizeof **c->processor_of);
        c->order[k] = pool_array(c->pool, n, sizeof **c->order);
    }
    return c->pool->failed ? INLAY_NO_MEMORY : INLAY_OK;
}

static int find_width(contest *c)
{
    int32_t *level = pool_array(c->pool, (size_t)c->p->modules, sizeof *level);
    if (level == NULL) {
        return INLAY_NO_MEMORY;
    }
    int32_t depth = graph_levels(c->p->app, level);
    c->width = graph_level_width(c->p->app, level, depth);
    for (inlay_id i = 0; i < c->p->modules; i++) {
        c->fan = fmax(c->fan, (double)(c->p->app->out_begin[i + 1] - c->p->app->out_begin[i]));
    }
    return c->width < 0 ? INLAY_NO_MEMORY : INLAY_OK;
}

/* What was found with this count and fewer processors. */
static int tell(contest *c, problem *view)
{
    size_t last = c->improvement.counts - 1;
    improve_schedule before;
    int status = copy_first(c, &c->improvement.count[last], &before);
    status = status == INLAY_OK && c->improves ? improve_last(&c->improvement) : status;
    status = status == INLAY_OK && c->improves ? prove_last(&c->improvement) : status;
    status = status == INLAY_OK ? end_count(c, last, &before) : status;
    if (status != INLAY_OK || c->winner.method == NULL) {
        return status;
    }
    view->options.method = c->p->options.method;
    const best_schedule found = {view, &c->winner, c->best_of, c->best_order};
    return c->search->each(c->search->context, &found);
}

/* The same of all counts together. */
static int end_all(contest *c)
{
    improvement *of = &c->improvement;
    improve_schedule *before = pool_array(c->pool, of->counts, sizeof *before);
    int status = before == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    for (size_t k = 0; status == INLAY_OK && k < of->counts; k++) {
        status = copy_first(c, &of->count[k], &before[k]);
    }
    bool timed = of->end > 0;
    if (status == INLAY_OK && c->improves) {
        status = timed ? prove_in_time(of) : improve_all(of, 0);
    }
    for (size_t k = 0; status == INLAY_OK && k < of->counts; k++) {
        status = c->improves && !timed ? prove_count(of, k, 0) : INLAY_OK;
        status = status == INLAY_OK ? end_count(c, k, &before[k]) : status;
    }
    return status;
}

static int enter_all(contest *c, inlay_id q)
{
    inlay_options options = c->p->options;
    options.processors = q;
    int status = problem_make(c->p->app, c->p->machine, &options, &c->view, NULL);
    if (status != INLAY_OK) {
        return status == INLAY_NO_MEMORY ? status : INLAY_OK;
    }
    c->entries = 0;
    for (size_t i = 0; i < inlay_methods(); i++) {
        const cluster_method *method = (const cluster_method *)inlay_method_at(i);
        if (!enters(c, method, q)) {
            continue;
        }
        if (c->search->only != NULL || (keeps_count(c->p, q) && keeps_method(c, method, q))) {
            c->entered[c->entries++] = method;
        } else {
            c->winner.left_out++;
        }
    }
    workers_share(c->workers, c->entries, enter_job, c);
    status = c->no_memory ? INLAY_NO_MEMORY : INLAY_OK;
    if (status == INLAY_OK && c->search->each != NULL) {
        status = tell(c, &c->view);
    }
    problem_clear(&c->view);
    return status;
}

/* A count of its own in the improvement. */
static int enter_count(contest *c, inlay_id q)
{
    improvement *of = &c->improvement;
    if (!memory_grow((void **)&of->count, &of->room, of->counts + 1, sizeof *of->count)) {
        return INLAY_NO_MEMORY;
    }
    of->count[of->counts++] = (improve_count){.processors = q};
    return enter_all(c, q);
}

int best_find(const problem *p, const best_search *search, inlay_id *processor_of, inlay_id *order,
              inlay_winner *winner)
{
    memory_pool pool = {0};
    contest c = {.p = p,
                 .search = search,
                 .pool = &pool,
                 .improves =
                     search->only == NULL && p->options.objective == INLAY_OBJECTIVE_MAKESPAN && improve_suits(p),
                 .winner = {.houstis = NAN, .risk = NAN, .exact = NAN, .exact_risk = NAN}};
    c.best_of = processor_of;
    c.best_order = order;
    c.improvement = improve_begin(p, events_most(p));
    int status = make_room(&c);
    status = status == INLAY_OK ? find_width(&c) : status;
    pthread_mutex_init(&c.lock, NULL);
    for (inlay_id q = 1; status == INLAY_OK && q <= p->processors; q++) {
        tell_share(p->options.progress, (search->each != NULL ? 1 : IMPROVE_FROM) * (q - 1) / p->processors);
        status = is_count(p, q) ? enter_count(&c, q) : INLAY_OK;
    }
    if (status == INLAY_OK && search->each == NULL) {
        status = end_all(&c);
    }
    pthread_mutex_destroy(&c.lock);
    free(c.improvement.count);
    pool_clear(&pool);
    *winner = c.winner;
    return status;
}

static int choose(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_winner *winner, inlay_diag *diag)
{
    static const best_search all = {0};
    bool by_period = p->options.objective == INLAY_OBJECTIVE_PERIOD;
    if (by_period && (p->options.risk != INLAY_RISK_NONE || p->options.effort.seconds > 0)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "objective period takes no risk, and an effort in evaluations alone");
    }
    if (best_find(p, &all, processor_of, order, winner) != INLAY_OK) {
        return diag_no_memory(diag);
    }
    if (winner->method != NULL) {
        return INLAY_OK;
    }
    /* where nothing can be run, one that nearly could tells why */
    problem nearly = *p;
    nearly.options.method = &heft_method.is;
    int status = check_feasible(&nearly, diag);
    return status == INLAY_OK ? heft_method.place(&nearly, processor_of, order, diag) : status;
}

const cluster_method best_method = {
    .is = {.name = "best",
           .description = "the shortest schedule of all methods on every count of processors, as simulated",
           .memory = true,
           .pins = true,
           .unlike = true,
           .types = true,
           .distance = true,
           .cores = true,
           .places = true},
    .choose = choose,
};

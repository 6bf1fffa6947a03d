/*
 * Candidates made in threads. A task is what shares work: all reductions of one clustering, or of the modules to some
 * numbers of processors with all clusterings of what is left. Each thread has a board of its own.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/greedy.h"
#include "mapping/solve.h"
#include "search/pareto.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of processors in one task that reduces modules. */
enum { STRETCH = 4 };

typedef enum task_kind {
    TASK_AFTER,  /* one clustering of the plan, reduced by all rules to all numbers of processors */
    TASK_BEFORE, /* modules reduced by one rule to some numbers of processors, and clustered */
    TASK_DEFAULT /* what mapping makes of one number of processors, and the other rules at its time frame */
} task_kind;

typedef struct task {
    task_kind kind;
    int rule;
    size_t first, count; /* of the plan's time frames, or of its numbers of processors */
} task;

typedef struct shop {
    const pareto_search *s;
    task *tasks;
    size_t count;
    inlay_time least; /* time frame that there is */
    atomic_size_t next;
    atomic_bool failed;
} shop;

typedef struct worker {
    shop *of;
    pthread_t thread;
    figures_workspace workspace;
    board best;
    inlay_id *clustered, *label; /* scratch, one a module */
    int64_t made;
    int status;
} worker;

/* ---- One candidate ---- */

static int cost(worker *w, const placement *place, candidate *c)
{
    const pareto_search *s = w->of->s;
    int status = figures_lay(s->f, &w->workspace, place);
    if (status != INLAY_OK) {
        return status;
    }
    status = recipe_frame_with_traffic(s->p, &c->recipe, c->clusters, w->workspace.demand, &c->in_force, NULL);
    if (status != INLAY_OK) {
        return status;
    }
    figures_cost(s->f, &w->workspace, c->in_force.value, &c->cost);
    c->messages = w->workspace.messages;
    c->traffic = w->workspace.traffic;
    c->weighted = w->workspace.weighted;
    c->elapsed = c->cost.estimate;
    c->fixed_point = NAN;
    bool ranks = s->rank == INLAY_PARETO_FIXED_POINT;
    const candidate *before = &w->best.best[c->clusters];
    if (ranks || !before->exists || c->elapsed <= before->elapsed) { /* of others nobody asks for it */
        c->fixed_point = figures_fixed_point(s->f, &w->workspace);
    }
    c->elapsed = ranks ? c->fixed_point : c->elapsed;
    return INLAY_OK;
}

/* A clustering that came about by a recipe. More clusters than processors are no answer to it. */
static int look_at(worker *w, const recipe *r, const inlay_id *cluster_of, inlay_id clusters, inlay_id reduced_from)
{
    const problem *p = w->of->s->p;
    candidate c = {.exists = true, .recipe = *r, .clusters = clusters, .reduced_from = reduced_from};
    if (reduced_from < 0) {
        c.recipe.method = r->method == INLAY_PARETO_APART ? r->method : INLAY_PARETO_CLUSTERED;
        c.recipe.rule = 0;
        c.recipe.processors = 0;
    } else {
        w->made++;
    }
    if (clusters > w->best.most || (r->processors > 0 && clusters > r->processors)) {
        return INLAY_OK;
    }
    placement place;
    int status = recipe_place(p, cluster_of, clusters, reduced_from < 0 ? r->at.limit : INT64_MAX, &place, NULL);
    if (status != INLAY_OK) {
        return status;
    }
    status = cost(w, &place, &c);
    placement_clear(&place);
    if (status == INLAY_OK && !isnan(c.elapsed)) {
        board_put(&w->best, &c);
    }
    return status;
}

static int look_at_partition(worker *w, const recipe *r, const partition *part, inlay_id reduced_from)
{
    partition_label(part, w->label);
    return look_at(w, r, w->label, part->count, reduced_from);
}

/* Modules, or clusters of them, clustered under T. */
static int cluster_under(worker *w, partition *part, inlay_time limit)
{
    const problem *p = w->of->s->p;
    greedy_rule rule = {.limit = limit, .unrelated = !p->options.keep_unrelated, .stop_at = 1, .forget = true};
    return greedy_merge(part, &rule, NULL, NULL);
}

/* Into w->clustered. */
static int cluster_modules(worker *w, inlay_time limit, inlay_id *clusters)
{
    partition part;
    int status = partition_make(w->of->s->p, &part, NULL);
    if (status != INLAY_OK) {
        return status;
    }
    status = cluster_under(w, &part, limit);
    if (status == INLAY_OK) {
        partition_label(&part, w->clustered);
        *clusters = part.count;
    }
    partition_clear(&part);
    return status;
}

/*
 * Whether all rules come to the same: where no level holds more clusters than there are processors, none has anything to
 * thin out. The first rule, to which ties go, is enough then.
 */
static bool is_first_again(const chain *c, inlay_id processors)
{
    return c->rule != &pareto_rules[0] && c->p->kinds.count < 2 && c->thin.count == c->start && c->most <= processors;
}

/* ---- Clustered, then reduced ---- */

/* w->clustered reduced by one rule to some numbers of processors. */
static int reduce_clusters(worker *w, recipe *r, inlay_id clusters, size_t first, size_t count)
{
    const pareto_search *s = w->of->s;
    chain c;
    r->method = INLAY_PARETO_AFTER;
    int status = chain_make(s->p, &pareto_rules[r->rule], w->clustered, clusters, &c);
    if (status != INLAY_OK) {
        return status;
    }
    for (size_t i = first + count; i-- > first && status == INLAY_OK;) {
        r->processors = s->plan->processors[i];
        if (r->processors >= clusters) {
            continue;
        }
        if (is_first_again(&c, r->processors)) {
            w->made++;
            continue;
        }
        status = chain_to(&c, r->processors);
        status = status == INLAY_OK ? look_at_partition(w, r, &c.rest, clusters) : status;
    }
    chain_clear(&c);
    return status;
}

static int do_after(worker *w, const task *t)
{
    const pareto_search *s = w->of->s;
    inlay_id clusters = 0;
    recipe r = {.method = INLAY_PARETO_CLUSTERED, .at = frame_of_grains(s->p, s->plan->frames[t->first])};
    int status = cluster_modules(w, r.at.limit, &clusters);
    status = status == INLAY_OK ? look_at(w, &r, w->clustered, clusters, -1) : status;
    for (r.rule = 0; r.rule < PARETO_RULES && status == INLAY_OK; r.rule++) {
        status = reduce_clusters(w, &r, clusters, 0, s->plan->processor_count);
    }
    return status;
}

/* ---- Reduced, then clustered ---- */

/* What the chain has left, clustered under T. */
static int cluster_rest(worker *w, recipe *r, const chain *c, const frame *at)
{
    partition part;
    r->method = INLAY_PARETO_BEFORE;
    r->at = *at;
    partition_label(&c->rest, w->clustered);
    int status = partition_from(c->p, w->clustered, c->rest.count, &part, NULL);
    if (status != INLAY_OK) {
        return status;
    }
    status = cluster_under(w, &part, at->limit);
    status = status == INLAY_OK ? look_at_partition(w, r, &part, c->start) : status;
    partition_clear(&part);
    return status;
}

/* T as mapping chooses it for so many processors. */
static int default_frame(const worker *w, inlay_id processors, frame *result)
{
    problem on = *w->of->s->p;
    on.processors = processors;
    return frame_default(&on, w->of->least, result, NULL);
}

/* @param counted  the candidates are another rule's, too, and need to be counted only */
static int look_at_rest(worker *w, recipe *r, const chain *c, bool counted)
{
    const pareto_search *s = w->of->s;
    frame by_default = {0};
    r->method = INLAY_PARETO_REDUCED;
    r->at = frame_of_grains(s->p, w->of->least);
    int status = default_frame(w, r->processors, &by_default);
    if (counted) {
        w->made += 1 + (int64_t)s->plan->frame_count + (by_default.limit > w->of->least);
        return status;
    }
    status = status == INLAY_OK ? look_at_partition(w, r, &c->rest, c->start) : status;
    for (size_t i = 0; i < s->plan->frame_count && status == INLAY_OK; i++) {
        frame at = frame_of_grains(s->p, s->plan->frames[i]);
        status = cluster_rest(w, r, c, &at);
    }
    if (status == INLAY_OK && by_default.limit > w->of->least) {
        status = cluster_rest(w, r, c, &by_default);
    }
    return status;
}

static int look_at_modules(worker *w, const chain *c)
{
    recipe r = {.method = INLAY_PARETO_APART, .at = frame_of_grains(c->p, w->of->least)};
    return look_at_partition(w, &r, &c->thin, -1);
}

static int do_before(worker *w, const task *t)
{
    const pareto_search *s = w->of->s;
    chain c;
    recipe r = {.rule = t->rule};
    int status = chain_make(s->p, &pareto_rules[t->rule], NULL, 0, &c);
    if (status != INLAY_OK) {
        return status;
    }
    if (t->rule == 0 && t->first == 0) { /* once is enough */
        status = look_at_modules(w, &c);
    }
    for (size_t i = t->first + t->count; i-- > t->first && status == INLAY_OK;) {
        r.processors = s->plan->processors[i];
        if (r.processors >= c.start) {
            continue;
        }
        bool again = is_first_again(&c, r.processors);
        status = again ? INLAY_OK : chain_to(&c, r.processors);
        status = status == INLAY_OK ? look_at_rest(w, &r, &c, again) : status;
    }
    chain_clear(&c);
    return status;
}

/* ---- As mapping does by default ---- */

/* @param clusters  not NULL: what was reduced goes into w->clustered, and its number there */
static int look_at_attempt(worker *w, const problem *p, const frame *at, bool *saturated, inlay_id *clusters)
{
    attempt a;
    recipe r = {.method = INLAY_PARETO_AFTER, .processors = p->processors, .at = *at};
    int status = attempt_at(p, at, false, &a, NULL);
    if (status != INLAY_OK) {
        return status;
    }
    double u = interconnect_utilisation(&p->network, a.demand, at->value);
    *saturated = a.clusters <= p->processors && !(u < p->network.u_limit);
    status = look_at(w, &r, a.cluster_of, a.clusters, a.reduced_from);
    if (clusters != NULL) {
        bool reduced = a.unreduced_of != NULL;
        memcpy(w->clustered, reduced ? a.unreduced_of : a.cluster_of, (size_t)p->modules * sizeof *w->clustered);
        *clusters = reduced ? a.reduced_from : a.clusters;
    }
    attempt_clear(&a);
    return status;
}

/*
 * By H2, after clustering, at the default T, or where that saturates the network at the next that does not. The clusters
 * at the default T go into w->clustered.
 */
static int map_by_default(worker *w, inlay_id processors, const frame *by_default, inlay_id *clusters)
{
    problem on = *w->of->s->p;
    on.processors = processors;
    bool saturated = false;
    int status = look_at_attempt(w, &on, by_default, &saturated, clusters);
    if (status == INLAY_OK && saturated) {
        frame raised;
        bool least;
        status = least_frame(&on, by_default, &raised, &least, NULL);
        status = status == INLAY_OK ? look_at_attempt(w, &on, &raised, &saturated, NULL) : status;
        status = status == INLAY_NO_ANSWER ? INLAY_OK : status; /* other ways may have one */
    }
    return status;
}

static int do_default(worker *w, const task *t)
{
    inlay_id processors = w->of->s->plan->processors[t->first], clusters = 0;
    recipe r = {0};
    int status = default_frame(w, processors, &r.at);
    status = status == INLAY_OK ? map_by_default(w, processors, &r.at, &clusters) : status;
    if (status != INLAY_OK || r.at.limit == w->of->least) {
        return status; /* the least time frame is in the plan */
    }
    for (r.rule = 1; r.rule < PARETO_RULES && status == INLAY_OK; r.rule++) {
        status = reduce_clusters(w, &r, clusters, t->first, 1);
    }
    return status;
}

/* ---- Threads ---- */

static void *work(void *context)
{
    worker *w = context;
    shop *of = w->of;
    for (size_t i; (i = atomic_fetch_add(&of->next, 1)) < of->count && !atomic_load(&of->failed);) {
        const task *t = &of->tasks[i];
        w->status = t->kind == TASK_AFTER    ? do_after(w, t)
                    : t->kind == TASK_BEFORE ? do_before(w, t)
                                             : do_default(w, t);
        if (w->status != INLAY_OK) {
            atomic_store(&of->failed, true);
            break;
        }
    }
    return NULL;
}

static void worker_clear(worker *w)
{
    figures_workspace_clear(&w->workspace);
    board_clear(&w->best);
    free(w->clustered);
    free(w->label);
}

static int worker_make(shop *of, worker *w)
{
    const problem *p = of->s->p;
    *w = (worker){.of = of};
    w->clustered = memory_array((size_t)p->modules, sizeof *w->clustered);
    w->label = memory_array((size_t)p->modules, sizeof *w->label);
    int status = w->clustered == NULL || w->label == NULL ? INLAY_NO_MEMORY : board_make(of->s->plan->to, &w->best);
    return status == INLAY_OK ? figures_workspace_make(of->s->f, &w->workspace, NULL) : status;
}

/* The caller is the first worker. A thread that cannot be had is not missed. */
static int work_together(worker *workers, size_t size)
{
    size_t helping = 1;
    while (helping < size && pthread_create(&workers[helping].thread, NULL, work, &workers[helping]) == 0) {
        helping++;
    }
    work(&workers[0]);
    int status = workers[0].status;
    for (size_t i = 1; i < helping; i++) {
        pthread_join(workers[i].thread, NULL);
        status = status == INLAY_OK ? workers[i].status : status;
    }
    return status;
}

static int hire(shop *of, board *best, int64_t *made)
{
    size_t size = of->s->threads < of->count ? of->s->threads : of->count;
    worker *workers = memory_zeroed(size, sizeof *workers);
    int status = workers == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    for (size_t i = 0; i < size && status == INLAY_OK; i++) {
        status = worker_make(of, &workers[i]);
    }
    status = status == INLAY_OK ? work_together(workers, size) : status;
    for (size_t i = 0; workers != NULL && i < size; i++) {
        if (status == INLAY_OK) {
            board_merge(best, &workers[i].best);
            *made += workers[i].made;
        }
        worker_clear(&workers[i]);
    }
    free(workers);
    return status;
}

/* ---- Tasks ---- */

static void add(shop *of, task_kind kind, int rule, size_t first, size_t count)
{
    of->tasks[of->count++] = (task){kind, rule, first, count};
}

static bool list_tasks(shop *of)
{
    const pareto_plan *plan = of->s->plan;
    size_t stretches = (plan->processor_count + STRETCH - 1) / STRETCH;
    of->tasks = memory_array(plan->frame_count + PARETO_RULES * stretches + plan->processor_count, sizeof *of->tasks);
    if (of->tasks == NULL) {
        return false;
    }
    for (size_t i = 0; i < plan->frame_count; i++) {
        add(of, TASK_AFTER, 0, i, 1);
    }
    for (size_t i = 0; i < PARETO_RULES * stretches; i++) {
        size_t first = i / PARETO_RULES * STRETCH, left = plan->processor_count - first;
        add(of, TASK_BEFORE, (int)(i % PARETO_RULES), first, left < STRETCH ? left : STRETCH);
    }
    for (size_t i = 0; i < plan->processor_count; i++) {
        add(of, TASK_DEFAULT, 0, i, 1);
    }
    return true;
}

int pareto_make_candidates(const pareto_search *s, board *best, int64_t *made, inlay_diag *diag)
{
    shop of = {.s = s};
    inlay_id module;
    int status = largest_start(s->p, &of.least, &module, diag);
    if (status != INLAY_OK) {
        return status;
    }
    of.least = of.least > 0 ? of.least : 1; /* modules of no time: any T above 0 */
    status = list_tasks(&of) ? hire(&of, best, made) : INLAY_NO_MEMORY;
    free(of.tasks);
    if (status == INLAY_NO_MEMORY) {
        return diag_no_memory(diag);
    }
    return status == INLAY_OK ? INLAY_OK : diag_fail(diag, status, "a time frame that the front needs passes 64 bits");
}

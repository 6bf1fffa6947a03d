/*
 * The sweep: from one time frame to the next at which the run is another, rows where its result is another. This thread
 * makes the clusterings, lot by lot; while it makes one lot, others cost the one before.
 */
#include "search/sweep.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/workers.h"
#include "base/tell.h"
#include "cluster/method.h"
#include "graph/app.h"
#include "machine/variant.h"
#include "mapping/bounds.h"
#include "mapping/feasible.h"
#include "mapping/studied_error.h"
#include "problem/remedy.h"
#include "search/steps.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A lot has so many jobs, and no more than so many bytes of clusterings, but one a thread. */
enum { LOT_JOBS = 32, LOT_BYTES = 32 << 20 };

/*
 * Unless all are asked for: what all steps may cost, and the sample that takes the place of those beyond, in about
 * nanoseconds; but so many time frames at the least.
 */
static const int64_t most_of_steps = 2000000000, most_of_sample = 1000000000;
enum { FEWEST_STEPS = 20, FEWEST_SAMPLED = 20, EACH_ITEM = 64, LEAST_OPERATION = 100, MOST_OPERATION = 1000 };

typedef struct lot {
    job *jobs;
    size_t count;
} lot;

typedef struct sweeper {
    const problem *p;
    const inlay_sweep_options *options;
    sweep_range range;
    size_t at;      /* of a sample: the next time frame */
    int64_t looked; /* at so many time frames */
    figures f;
    team team;
    steps steps;
    job open; /* the row that may go on; no placement: none */
    lot making, costing;
    size_t room; /* of a lot */
    inlay_sweep_result *result;
    inlay_diag *diag;
} sweeper;

/* ---- Lots ---- */

static void lot_empty(lot *l)
{
    for (size_t i = 0; i < l->count; i++) {
        job_clear(&l->jobs[i]);
    }
    l->count = 0;
}

/* Wait for the lot that is being costed, and take its rows. */
static int collect(sweeper *s)
{
    int status = INLAY_OK;
    team_finish(&s->team);
    for (size_t i = 0; i < s->costing.count && status == INLAY_OK; i++) {
        const job *done = &s->costing.jobs[i];
        status = done->status == INLAY_NO_MEMORY ? diag_no_memory(s->diag)
                 : done->status != INLAY_OK
                     ? diag_fail(s->diag, done->status, "the time frame that the traffic needs passes 64 bits")
                     : sweep_add_row(s->result, &s->range, &s->f, &s->team.workspaces[0], done, s->diag);
    }
    lot_empty(&s->costing);
    return status;
}

static int change_lots(sweeper *s)
{
    int status = collect(s);
    lot full = s->making;
    s->making = s->costing;
    s->costing = full;
    team_begin(&s->team, s->costing.jobs, s->costing.count);
    return status;
}

/* ---- Rows ---- */

/* The row that was open ends at `until`: INT64_MAX for never. */
static int close_row(sweeper *s, inlay_time until)
{
    if (s->open.place.cluster_of == NULL) {
        return INLAY_OK;
    }
    s->open.bounded = until != INT64_MAX;
    s->open.until = s->open.bounded ? until : 0;
    const placement *place = &s->open.place;
    inlay_sweep_step step = {s->open.from, place->clusters, place->cluster_of, place->home};
    int status = s->options->each != NULL ? s->options->each(s->options->context, &step) : INLAY_OK;
    if (status != INLAY_OK) {
        return status;
    }
    s->making.jobs[s->making.count++] = s->open;
    s->open = (job){0};
    return s->making.count == s->room ? change_lots(s) : INLAY_OK;
}

/* The clusters with their blocks where mapping would leave them; `next` is lowered where time keeps a block away. */
static int place_step(sweeper *s, inlay_time limit, placement *place, inlay_time *next)
{
    const problem *p = s->p;
    int status = placement_make(p, "", s->steps.cluster_of, s->steps.clusters, place, s->diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = placement_move_blocks(p, place, limit, next, s->diag);
    /* with more clusters than processors they stand in order, as if there were as many */
    if (status == INLAY_OK && inlay_machine_has_distance(p->machine) &&
        place->clusters <= inlay_machine_processors(p->machine)) {
        status = placement_lay_out(p, place, s->diag);
    }
    if (status != INLAY_OK) {
        placement_clear(place);
    }
    return status;
}

static bool same_placement(const problem *p, const placement *a, const placement *b)
{
    return a->cluster_of != NULL && a->clusters == b->clusters &&
           memcmp(a->cluster_of, b->cluster_of, (size_t)p->modules * sizeof *a->cluster_of) == 0 &&
           memcmp(a->home, b->home, (size_t)p->app->blocks * sizeof *a->home) == 0;
}

/* ---- Time frames ---- */

/* Look at one time frame; *known is up to where its clustering surely holds. */
static int look(sweeper *s, inlay_time limit, inlay_time held, inlay_time *known)
{
    placement place;
    int status = steps_to(&s->steps, limit, s->diag);
    s->looked++;
    if (status != INLAY_OK) {
        return status;
    }
    *known = s->steps.next;
    status = place_step(s, limit, &place, known);
    if (status != INLAY_OK) {
        return status;
    }
    if (held == limit && same_placement(s->p, &s->open.place, &place)) {
        placement_clear(&place);
        return INLAY_OK;
    }
    status = close_row(s, held);
    if (status != INLAY_OK) {
        placement_clear(&place);
        return status;
    }
    s->open = (job){.place = place, .from = limit};
    return INLAY_OK;
}

/*
 * What the time frames so far cost: their modules and links, where runs share work each with the levels that clusters are
 * compared by, 64 a word, and where they do not what their queues did, which takes longer in a large memory.
 */
static int64_t spent(const sweeper *s)
{
    int64_t items = (int64_t)s->p->modules + s->p->app->links + 1, words = s->steps.shared ? s->p->slots / 64 : 0;
    int64_t operation = items / 200 > LEAST_OPERATION ? items / 200 : LEAST_OPERATION;
    operation = operation < MOST_OPERATION ? operation : MOST_OPERATION;
    return s->looked * items * (EACH_ITEM + words) + s->steps.queue_operations * operation;
}

/* Too many have been looked at: of those from here on, a sample. */
static int go_on_with_sample(sweeper *s, inlay_time from)
{
    int64_t affordable = most_of_sample / (spent(s) / s->looked + 1);
    inlay_id points = (inlay_id)(affordable > FEWEST_SAMPLED ? affordable : FEWEST_SAMPLED);
    char text[DECIMAL_TEXT];
    diag_warn(s->diag,
              "very many time frames make another clustering: of those above %s %s, %d were tried; expected --all to "
              "try every one, or --from and --to",
              decimal_text(frame_of_grains(s->p, from).exact, text), inlay_unit_word(inlay_app_unit(s->p->app)),
              points);
    return sweep_range_sample(s->p, from, points, &s->range, s->diag);
}

/* The time frame to look at next; INT64_MAX where there is none. */
static int next_frame(sweeper *s, inlay_time known, inlay_time *next)
{
    const sweep_range *r = &s->range;
    int status = INLAY_OK;
    bool enough = s->looked >= FEWEST_STEPS && spent(s) >= most_of_steps;
    if (r->frames == NULL && !s->options->all && known <= r->last && enough) {
        status = go_on_with_sample(s, known);
    }
    if (r->frames == NULL) {
        *next = known <= r->last ? known : INT64_MAX;
    } else {
        *next = s->at < r->count ? r->frames[s->at++] : INT64_MAX;
    }
    return status;
}

/* By the time frame, since clusterings become fewer as it grows; of a sample by how many there were. */
static double share_at(const sweeper *s, inlay_time at)
{
    const sweep_range *r = &s->range;
    double all = r->last < INT64_MAX ? (double)r->last : (double)s->p->total_work, first = (double)r->first;
    double share = log((double)at / first) / log(all / first);
    return r->frames != NULL ? (double)s->at / (double)r->count : share > 0 && share < 1 ? share : 0;
}

static int look_at_all(sweeper *s)
{
    inlay_time held = INT64_MAX, at;
    int status = next_frame(s, s->range.first, &at);
    while (at != INT64_MAX && status == INLAY_OK) {
        inlay_time known = INT64_MAX;
        tell_share(s->p->options.progress, share_at(s, at));
        status = look(s, at, held, &known);
        status = status == INLAY_OK ? next_frame(s, known, &at) : status;
        held = known < at ? known : at;
    }
    status = status == INLAY_OK ? close_row(s, held) : status;
    status = status == INLAY_OK ? change_lots(s) : status;
    return status == INLAY_OK ? collect(s) : status;
}

/* ---- The whole ---- */

static int open_sweeper(sweeper *s, size_t threads)
{
    size_t bytes = (size_t)s->p->modules * 2 * sizeof(inlay_id);
    size_t fit = LOT_BYTES / bytes;
    s->room = fit > LOT_JOBS ? LOT_JOBS : fit < threads ? threads : fit;
    s->making.jobs = memory_zeroed(s->room, sizeof *s->making.jobs);
    s->costing.jobs = memory_zeroed(s->room, sizeof *s->costing.jobs);
    return s->making.jobs == NULL || s->costing.jobs == NULL ? diag_no_memory(s->diag)
                                                             : steps_make(s->p, true, &s->steps, s->diag);
}

static void close_sweeper(sweeper *s)
{
    team_finish(&s->team);
    lot_empty(&s->making);
    lot_empty(&s->costing);
    free(s->making.jobs);
    free(s->costing.jobs);
    job_clear(&s->open);
    steps_clear(&s->steps);
}

static int describe(const problem *p, const sweeper *s, inlay_sweep_result *result)
{
    bounds_found bounds;
    if (bounds_of_problem(p, &bounds) != INLAY_OK) {
        return diag_no_memory(s->diag);
    }
    result->app = p->app;
    result->machine = p->machine;
    result->summary = (inlay_sweep_summary){.processors = p->processors,
                                            .streamed = p->timing.streamed,
                                            .work_has_blocking = p->work_has_blocking,
                                            .blocking_derived = p->blocking_derived,
                                            .traffic_in_bytes = p->network.in_bytes,
                                            .free_network = p->network.free,
                                            .u_limit = p->network.u_limit,
                                            .largest_module = s->range.largest_module,
                                            .largest_work = s->range.largest_work,
                                            .speed = p->kinds.speed,
                                            .lower_bound = bounds_largest(&bounds, false)};
    return INLAY_OK;
}

/* With range and figures made. */
static int run(sweeper *s)
{
    size_t threads = (size_t)workers_of(s->options->threads, LOT_JOBS);
    int status = team_make(&s->f, threads, &s->team, s->diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = open_sweeper(s, threads);
    status = status == INLAY_OK ? look_at_all(s) : status;
    s->result->summary.sample = s->range.frames != NULL;
    s->result->summary.complete = s->range.whole && s->range.frames == NULL;
    close_sweeper(s);
    team_clear(&s->team);
    return status;
}

static void warn_of_estimates(const inlay_sweep_result *result, inlay_diag *diag)
{
    size_t uncertain = 0;
    for (size_t i = 0; i < result->row_count; i++) {
        const inlay_sweep_cost *cost = &result->rows[i].cost;
        uncertain += !cost->saturated && studied_error_tells(result->machine, cost->load);
    }
    if (uncertain > 0) {
        diag_warn(
            diag,
            "the estimates of %zu of %zu clusterings are uncertain: at such loads estimates for model %d (%s) were "
            "off by more than 10 %% on average; look at the elapsed times",
            uncertain, result->row_count, inlay_machine_model(result->machine),
            inlay_family_name(inlay_machine_family(result->machine)));
    }
}

static int sweep_problem(const problem *p, const inlay_sweep_options *options, inlay_sweep_result *result,
                         inlay_diag *diag)
{
    sweeper s = {.p = p, .options = options, .result = result, .diag = diag};
    int status = sweep_range_make(p, options, &s.range, diag);
    status = status == INLAY_OK ? figures_make(p, &s.f, diag) : status;
    if (status == INLAY_OK) {
        status = describe(p, &s, result);
        status = status == INLAY_OK ? run(&s) : status;
        figures_clear(&s.f);
    }
    if (status == INLAY_OK) {
        warn_of_estimates(result, diag);
    }
    sweep_range_clear(&s.range);
    return status;
}

int sweep_once(const inlay_app *app, const inlay_machine *machine, const inlay_sweep_options *asked,
               inlay_sweep_result **sweep, inlay_diag *diag)
{
    problem p;
    int status = method_needs_frame(&asked->mapping, diag);
    status = status == INLAY_OK ? problem_make(app, machine, &asked->mapping, &p, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    status = problem_refuse_cores(&p, "sweep", diag);
    if (status != INLAY_OK) {
        problem_clear(&p);
        return status;
    }
    inlay_sweep_result *result = memory_zeroed(1, sizeof *result);
    status = result == NULL ? diag_no_memory(diag) : check_feasible(&p, diag);
    status = status == INLAY_OK ? sweep_problem(&p, asked, result, diag) : status;
    problem_clear(&p);
    if (status != INLAY_OK) {
        inlay_sweep_free(result);
        return status;
    }
    *sweep = result;
    return INLAY_OK;
}

/* ---- What would work ---- */

typedef struct sweep_question {
    const inlay_app *app;
    const inlay_sweep_options *options;
} sweep_question;

/* Whether some time frame leaves as few clusters as are asked for is a part of the question. */
static int refuse_processors(const inlay_sweep_result *sweep, inlay_id processors, inlay_diag *diag)
{
    const inlay_sweep_summary *s = &sweep->summary;
    if (processors == 0 || s->t_processors.exists) {
        return INLAY_OK;
    }
    if (s->fewest_clusters <= inlay_machine_processors(sweep->machine)) {
        diag_remedy(diag, "--processors", "%d", s->fewest_clusters);
        return INLAY_NO_ANSWER;
    }
    char *larger = machine_text_with(sweep->machine, "processors", s->fewest_clusters);
    if (larger != NULL) {
        diag_remedy(diag, "MACHINE", "%s", larger);
    }
    free(larger);
    return INLAY_NO_ANSWER;
}

static int ask_again(const void *context, const inlay_machine *machine, const inlay_options *options,
                     const inlay_diag *with, inlay_diag *diag)
{
    const sweep_question *question = context;
    const char *to = remedy_value(with, "--to");
    inlay_sweep_options asked = *question->options;
    inlay_sweep_result *sweep = NULL;
    asked.mapping = *options;
    asked.each = NULL;
    asked.mapping.max_events = -1;
    int status = to != NULL ? inlay_duration_parse(to, &asked.to) : INLAY_OK;
    status = status == INLAY_OK ? sweep_once(question->app, machine, &asked, &sweep, diag) : status;
    status = status == INLAY_OK ? refuse_processors(sweep, options->processors, diag) : status;
    inlay_sweep_free(sweep);
    return status;
}

int inlay_sweep(const inlay_app *app, const inlay_machine *machine, const inlay_sweep_options *options,
                inlay_sweep_result **sweep, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_sweep_options defaults;
    const inlay_sweep_options *asked = options != NULL ? options : &defaults;
    const sweep_question question = {app, asked};
    int status = sweep_once(app, machine, asked, sweep, diag);
    return remedy_prove(status, machine, &asked->mapping, ask_again, &question, diag);
}

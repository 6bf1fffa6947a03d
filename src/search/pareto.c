/* The front of elapsed time against processors: the sweep, its clusterings reduced, the best of every number. */
#include "base/diag.h"
#include "base/memory.h"
#include "mapping/feasible.h"
#include "mapping/studied_error.h"
#include "problem/remedy.h"
#include "search/pareto.h"
#include "search/sweep.h"
#include <math.h>
#include <unistd.h>

/* ---- The sweep ---- */

enum { TOO_MANY_ROWS = 1, MOST_THREADS = 64 };

/* Ends a sweep that would list more clusterings than the size of the graph allows. */
static int count_row(void *context, const inlay_sweep_step *step)
{
    size_t *left = context;
    (void)step;
    return (*left)-- > 0 ? INLAY_OK : TOO_MANY_ROWS;
}

static int sweep_with(const problem *p, const inlay_pareto_options *asked, inlay_sweep_result **sweep, inlay_diag *diag)
{
    size_t left = pareto_plan_most_rows(p);
    inlay_sweep_options options = {
        .mapping = p->options, .points = asked->points, .all = true, .threads = asked->threads};
    if (asked->points == 0) {
        options.each = count_row;
        options.context = &left;
    }
    int status = sweep_once(p->app, p->machine, &options, sweep, diag);
    if (status == TOO_MANY_ROWS) {
        options.each = NULL;
        options.points = pareto_plan_sample(p);
        status = sweep_once(p->app, p->machine, &options, sweep, diag);
    }
    return status;
}

/* What the sweep warns of are its own rows: only its failure is passed on. */
static int sweep_clusterings(const problem *p, const inlay_pareto_options *asked, inlay_sweep_result **sweep,
                             inlay_diag *diag)
{
    inlay_diag *own = inlay_diag_new();
    int status = own != NULL ? sweep_with(p, asked, sweep, own) : diag_no_memory(diag);
    if (status != INLAY_OK) {
        remedy_pass_on(own, diag);
        diag_fail(diag, status, "%s", inlay_diag_message(own));
    }
    inlay_diag_free(own);
    return status;
}

static void warn_of_estimates(const inlay_pareto_result *result, inlay_diag *diag)
{
    size_t uncertain = 0;
    for (size_t i = 0; i < result->count; i++) {
        uncertain += studied_error_at(result->machine, result->points[i].load) != NULL;
    }
    if (uncertain > 0) {
        diag_warn(
            diag,
            "the estimates of %zu of %zu points are uncertain: at such loads estimates for model %d (%s) were off "
            "by more than 10 %% on average; look at the simulated times",
            uncertain, result->count, inlay_machine_model(result->machine),
            inlay_family_name(inlay_machine_family(result->machine)));
    }
}

/* The clusterings as they are, as far as they leave the network below saturation. */
static void take_rows(const problem *p, const inlay_sweep_result *sweep, inlay_pareto_rank rank, board *best)
{
    for (size_t i = 0; i < inlay_sweep_rows(sweep); i++) {
        const inlay_sweep_row *row = inlay_sweep_row_at(sweep, i);
        frame at = frame_of_grains(p, row->time_frame);
        candidate c = {.exists = true,
                       .recipe = {.method = INLAY_PARETO_CLUSTERED, .at = at},
                       .clusters = row->clusters,
                       .reduced_from = -1,
                       .in_force = at,
                       .elapsed = rank == INLAY_PARETO_ESTIMATE ? row->cost.estimate : row->estimate_fixed_point,
                       .fixed_point = row->estimate_fixed_point,
                       .messages = row->messages,
                       .traffic = row->traffic,
                       .weighted = row->weighted_traffic,
                       .cost = row->cost};
        if (row->clusters <= best->most && !row->cost.saturated && !isnan(c.elapsed)) {
            board_put(best, &c);
        }
    }
}

/* ---- The whole ---- */

static size_t threads_of(const inlay_pareto_options *options)
{
    long cores = options->threads > 0 ? options->threads : sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MOST_THREADS ? MOST_THREADS : (size_t)cores;
}

static void describe(const problem *p, const pareto_plan *plan, const inlay_sweep_result *sweep,
                     const inlay_pareto_options *options, inlay_pareto_result *result)
{
    result->app = p->app;
    result->machine = p->machine;
    result->options = p->options;
    result->summary = (inlay_pareto_summary){.from = plan->from,
                                             .to = plan->to,
                                             .rank = options->rank,
                                             .clusterings = inlay_sweep_rows(sweep),
                                             .sweep_complete = inlay_sweep_summary_of(sweep)->complete,
                                             .time_frames = plan->frame_count,
                                             .processors = (inlay_id)plan->processor_count,
                                             .processors_sampled = plan->processors_sampled,
                                             .complete = plan->complete,
                                             .traffic_in_bytes = p->network.in_bytes,
                                             .u_limit = p->network.u_limit};
}

/* Where nothing is found mapping finds nothing either, and says why and what would work. */
static int refuse(const problem *p, const pareto_plan *plan, inlay_pareto_rank rank, inlay_diag *diag)
{
    inlay_mapping *mapping = NULL;
    int status = inlay_map(p->app, p->machine, &p->options, &mapping, diag);
    if (status == INLAY_OK) {
        inlay_mapping_free(mapping);
        status = INLAY_NO_ANSWER;
    }
    if (rank == INLAY_PARETO_FIXED_POINT) {
        diag_remedy(diag, "--rank", "estimate");
    }
    return diag_fail(diag, status, "no mapping on at most %d processors was found%s", plan->to,
                     rank == INLAY_PARETO_FIXED_POINT ? " with a time frame that equals its own elapsed time" : "");
}

static int find_points(const problem *p, const pareto_plan *plan, const inlay_sweep_result *sweep,
                       const inlay_pareto_options *options, inlay_pareto_result *result, inlay_diag *diag)
{
    board best = {0};
    figures f;
    int status = figures_make(p, &f, diag);
    if (status != INLAY_OK) {
        return status;
    }
    const pareto_search s = {p, &f, plan, options->rank, threads_of(options)};
    status = board_make(plan->to, &best) == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
    if (status == INLAY_OK) {
        take_rows(p, sweep, options->rank, &best);
        status = pareto_make_candidates(&s, &best, &result->summary.candidates, diag);
    }
    if (status == INLAY_OK) {
        status = pareto_fill_points(p, plan, &best, result, diag);
        status = status == INLAY_NO_ANSWER ? refuse(p, plan, options->rank, diag) : status;
    }
    if (status == INLAY_OK) {
        warn_of_estimates(result, diag);
        status = pareto_simulate_points(p, options->simulate, options->seed, result, diag);
    }
    board_clear(&best);
    figures_clear(&f);
    return status;
}

static int solve(const problem *p, const inlay_pareto_options *options, inlay_pareto_result *result, inlay_diag *diag)
{
    inlay_sweep_result *sweep = NULL;
    pareto_plan plan = {0};
    int status = check_feasible(p, diag);
    status = status == INLAY_OK ? sweep_clusterings(p, options, &sweep, diag) : status;
    status = status == INLAY_OK ? pareto_plan_make(p, options, sweep, &plan, diag) : status;
    if (status == INLAY_OK) {
        describe(p, &plan, sweep, options, result);
        status = find_points(p, &plan, sweep, options, result, diag);
    }
    pareto_plan_clear(&plan);
    inlay_sweep_free(sweep);
    return status;
}

static int check_options(const inlay_pareto_options *options, inlay_diag *diag)
{
    if (options->mapping.has_time_frame) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a front looks at many time frames; expected none in the options");
    }
    if (options->candidates < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "fewer than no candidates; expected 1 or more, or 0");
    }
    return options->from < 0 || options->to < 0
               ? diag_fail(diag, INLAY_BAD_ARGUMENT, "fewer than no processors; expected 1 or more, or 0")
               : INLAY_OK;
}

static int search_once(const inlay_app *app, const inlay_machine *machine, const inlay_pareto_options *asked,
                       inlay_pareto_result **result, inlay_diag *diag)
{
    problem p;
    int status = problem_make(app, machine, &asked->mapping, &p, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_pareto_result *made = memory_zeroed(1, sizeof *made);
    status = made != NULL ? problem_refuse_cores(&p, "pareto", diag) : diag_no_memory(diag);
    status = status == INLAY_OK ? solve(&p, asked, made, diag) : status;
    problem_clear(&p);
    if (status != INLAY_OK) {
        inlay_pareto_free(made);
        return status;
    }
    *result = made;
    return INLAY_OK;
}

typedef struct pareto_question {
    const inlay_app *app;
    const inlay_pareto_options *options;
} pareto_question;

static int ask_again(const void *context, const inlay_machine *machine, const inlay_options *options,
                     const inlay_diag *with, inlay_diag *diag)
{
    const pareto_question *question = context;
    inlay_pareto_options asked = *question->options;
    inlay_pareto_result *result = NULL;
    asked.mapping = *options;
    asked.to = options->processors;
    asked.from = asked.to == question->options->to ? asked.from : 0;
    asked.simulate = 0;
    if (remedy_value(with, "--rank") != NULL) {
        asked.rank = INLAY_PARETO_ESTIMATE;
    }
    int status = search_once(question->app, machine, &asked, &result, diag);
    inlay_pareto_free(result);
    return status;
}

int inlay_pareto(const inlay_app *app, const inlay_machine *machine, const inlay_pareto_options *options,
                 inlay_pareto_result **result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_pareto_options defaults = {0};
    inlay_pareto_options asked = options != NULL ? *options : defaults;
    const pareto_question question = {app, &asked};
    int status = check_options(&asked, diag);
    if (status != INLAY_OK) {
        return status;
    }
    asked.mapping.processors = asked.to;
    asked.mapping.reduce = INLAY_REDUCE_H2;
    asked.mapping.reduce_when = INLAY_REDUCE_AFTER;
    asked.mapping.reduce_by_traffic = false;
    status = search_once(app, machine, &asked, result, diag);
    return remedy_prove(status, machine, &asked.mapping, ask_again, &question, diag);
}

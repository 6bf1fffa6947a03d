/*
 * What a front looks at. All numbers of processors and all clusterings where the budget of candidates allows it; else
 * fewer time frames, then fewer numbers of processors.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "search/pareto.h"
#include <math.h>
#include <stdlib.h>

/*
 * One number of processors takes six candidates at each time frame (three rules, before and after), and ten besides: the
 * same at the time frame that a mapping to it has by default, one more where that saturates the network, and the modules
 * reduced alone.
 */
enum { EACH_FRAME = 2 * PARETO_RULES, BESIDES = 3 * PARETO_RULES + 1 };
_Static_assert(EACH_FRAME + BESIDES == INLAY_PARETO_LEAST, "the header says so");

/* By default: modules and links that all candidates together, and all clusterings of the sweep, may come to. */
static const int64_t most_candidate_steps = 80000000, most_sweep_steps = 10000000;
enum { MOST_CANDIDATES = 20000, FEWEST_CANDIDATES = 60, MOST_SAMPLE = 64, FEWEST_SAMPLE = 8 };

static int64_t within(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

static int64_t steps_of(const problem *p)
{
    return (int64_t)p->modules + p->app->links + 1;
}

size_t pareto_plan_most_rows(const problem *p)
{
    return (size_t)within(most_sweep_steps / steps_of(p), FEWEST_SAMPLE, INT32_MAX);
}

inlay_id pareto_plan_sample(const problem *p)
{
    return (inlay_id)within(most_sweep_steps / steps_of(p), FEWEST_SAMPLE, MOST_SAMPLE);
}

void pareto_plan_clear(pareto_plan *plan)
{
    free(plan->processors);
    free(plan->frames);
    *plan = (pareto_plan){0};
}

/* ---- Numbers of processors ---- */

static int find_range(const problem *p, const inlay_pareto_options *options, pareto_plan *plan, inlay_diag *diag)
{
    plan->from = options->from > 0 ? options->from : 1;
    plan->to = p->processors;
    if (plan->from > plan->to) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "from %d processors, but no more than %d; expected a number that is not above the other",
                         plan->from, plan->to);
    }
    if (plan->to > p->modules) { /* more change nothing */
        plan->to = plan->from > p->modules ? plan->from : p->modules;
    }
    return INLAY_OK;
}

/* `count` numbers of processors in equal ratios, ends included; where two fall together, one is missed. */
static bool sample_processors(pareto_plan *plan, int64_t count)
{
    inlay_id last = 0;
    plan->processors = memory_array((size_t)count, sizeof *plan->processors);
    for (int64_t i = 0; plan->processors != NULL && i < count; i++) {
        double share = count > 1 ? (double)i / (double)(count - 1) : 1;
        double at = (double)plan->from * pow((double)plan->to / (double)plan->from, share);
        inlay_id number = i == count - 1 ? plan->to : (inlay_id)at;
        if (number > last) {
            plan->processors[plan->processor_count++] = last = number;
        }
    }
    return plan->processors != NULL;
}

static bool choose_processors(pareto_plan *plan, int64_t budget)
{
    int64_t all = (int64_t)plan->to - plan->from + 1, most = budget / INLAY_PARETO_LEAST;
    plan->processors_sampled = all > most;
    if (plan->processors_sampled) {
        return sample_processors(plan, most);
    }
    plan->processors = memory_array((size_t)all, sizeof *plan->processors);
    for (inlay_id number = plan->from; plan->processors != NULL && number <= plan->to; number++) {
        plan->processors[plan->processor_count++] = number;
    }
    return plan->processors != NULL;
}

/* ---- Time frames ---- */

/* Marks rows of the sweep that are chosen: those that stand out come first, then evenly spread ones. */
typedef struct choice {
    bool *taken;
    size_t rows, left; /* that may still be chosen */
} choice;

static void take(choice *c, size_t row)
{
    if (c->left > 0 && !c->taken[row]) {
        c->taken[row] = true;
        c->left--;
    }
}

static void take_point(choice *c, const inlay_sweep_point *point)
{
    if (point->exists) {
        take(c, point->row);
    }
}

static void choose_rows(choice *c, const inlay_sweep_summary *s)
{
    take(c, 0);
    take_point(c, &s->best);
    take_point(c, &s->t_fit);
    take_point(c, &s->t_par);
    take(c, c->rows - 1);
    take_point(c, &s->t_min);
    for (size_t gaps = c->left + 1, i = 1; i < gaps; i++) {
        take(c, (size_t)((double)c->rows * (double)i / (double)gaps));
    }
    for (size_t row = 0; row < c->rows; row++) { /* in place of spread ones that were taken already */
        take(c, row);
    }
}

static bool choose_frames(pareto_plan *plan, int64_t budget, const inlay_sweep_result *sweep)
{
    int64_t each = budget / within((int64_t)plan->processor_count, 1, budget);
    int64_t frames = within((each - BESIDES) / EACH_FRAME, 1, INT32_MAX);
    choice c = {.rows = inlay_sweep_rows(sweep)};
    c.left = (size_t)frames < c.rows ? (size_t)frames : c.rows;
    c.taken = memory_zeroed(c.rows, sizeof *c.taken);
    plan->frames = memory_array(c.left, sizeof *plan->frames);
    if (c.taken == NULL || plan->frames == NULL) {
        free(c.taken);
        return false;
    }
    choose_rows(&c, inlay_sweep_summary_of(sweep));
    for (size_t row = 0; row < c.rows; row++) {
        if (c.taken[row]) {
            plan->frames[plan->frame_count++] = inlay_sweep_row_at(sweep, row)->time_frame;
        }
    }
    free(c.taken);
    return true;
}

/* ---- The whole ---- */

int pareto_plan_make(const problem *p, const inlay_pareto_options *options, const inlay_sweep_result *sweep,
                     pareto_plan *result, inlay_diag *diag)
{
    pareto_plan plan = {0};
    int status = find_range(p, options, &plan, diag);
    if (status != INLAY_OK) {
        return status;
    }
    int64_t budget = options->candidates > 0
                         ? options->candidates
                         : within(most_candidate_steps / steps_of(p), FEWEST_CANDIDATES, MOST_CANDIDATES);
    budget = budget > INLAY_PARETO_LEAST ? budget : INLAY_PARETO_LEAST;
    if (!choose_processors(&plan, budget) || !choose_frames(&plan, budget, sweep)) {
        pareto_plan_clear(&plan);
        return diag_no_memory(diag);
    }
    plan.complete = !plan.processors_sampled && plan.frame_count == inlay_sweep_rows(sweep) &&
                    inlay_sweep_summary_of(sweep)->complete;
    *result = plan;
    return INLAY_OK;
}

/* A selection problem, checked and unfolded into flat arrays. */
#include "select/model.h"
#include "base/diag.h"
#include "base/memory.h"
#include "select/general.h"
#include <math.h>
#include <stdio.h>

/* ---- Checks ---- */

static const char *called(const char *name, int32_t i, char room[SELECT_NAME])
{
    if (name != NULL) {
        (void)snprintf(room, SELECT_NAME, "cluster %.48s", name);
    } else {
        (void)snprintf(room, SELECT_NAME, "cluster %d", (int)i);
    }
    return room;
}

const char *select_called(const select_model *model, int32_t i, char room[SELECT_NAME])
{
    return called(model->name[i], i, room);
}

/* Both also refuse NaN. */
static bool is_amount(double x)
{
    return x >= 0 && isfinite(x);
}

static bool is_positive(double x)
{
    return x > 0 && isfinite(x);
}

static int check_cluster(const inlay_select_problem *problem, int32_t i, inlay_diag *diag)
{
    const inlay_select_cluster *c = &problem->cluster[i];
    char room[SELECT_NAME];
    if (c->processors < 0 || c->processors > INLAY_SELECT_PROCESSORS) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s has %d processors; expected 0 to %d", called(c->name, i, room),
                         (int)c->processors, INLAY_SELECT_PROCESSORS);
    }
    if (!is_positive(c->rate)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s has rate %g; expected a number above 0",
                         called(c->name, i, room), c->rate);
    }
    if (!is_amount(c->fixed_time)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s has fixed time %g; expected a number that is not below 0",
                         called(c->name, i, room), c->fixed_time);
    }
    if (!isfinite(c->c1) || !isfinite(c->c2) || !isfinite(c->c3) || !isfinite(c->c4)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s has c1 to c4 of %g, %g, %g, %g; expected finite numbers",
                         called(c->name, i, room), c->c1, c->c2, c->c3, c->c4);
    }
    if ((unsigned)c->growth > INLAY_GROWTH_CONSTANT) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s has growth %d; expected 0 to %d", called(c->name, i, room),
                         (int)c->growth, INLAY_GROWTH_CONSTANT);
    }
    return INLAY_OK;
}

static int check_program(const inlay_select_problem *p, inlay_diag *diag)
{
    const struct {
        const char *what;
        double amount;
    } amounts[] = {{"fixed work", p->fixed_work},         {"message", p->bytes},
                   {"router latency", p->router_latency}, {"router time per byte", p->router_per_byte},
                   {"coercion per byte", p->coercion},    {"number of crossings", p->crossings}};
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
        if (!is_amount(amounts[i].amount)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "the %s is %g; expected a number that is not below 0",
                             amounts[i].what, amounts[i].amount);
        }
    }
    if (p->units < 1 || p->units > INT64_C(1) << 53) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the program has %lld units; expected 1 to 2^53",
                         (long long)p->units);
    }
    if (!is_positive(p->unit_work)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the work on a unit is %g; expected a number above 0", p->unit_work);
    }
    if ((unsigned)p->topology > INLAY_PATTERN_TREE || (unsigned)p->map > INLAY_SELECT_REMAINDER ||
        (unsigned)p->router > INLAY_SELECT_CHAIN) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "topology %d, map %d or router %d is unknown; expected 0-2, 0-3, 0-1", (int)p->topology,
                         (int)p->map, (int)p->router);
    }
    return INLAY_OK;
}

static int check_problem(const inlay_select_problem *problem, select_model *model, inlay_diag *diag)
{
    if (problem->clusters < 1 || problem->clusters > INLAY_SELECT_CLUSTERS || problem->cluster == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%zu clusters; expected 1 to %d", problem->clusters,
                         INLAY_SELECT_CLUSTERS);
    }
    model->clusters = (int32_t)problem->clusters;
    for (int32_t i = 0; i < model->clusters; i++) {
        int status = check_cluster(problem, i, diag);
        if (status != INLAY_OK) {
            return status;
        }
        model->processors += problem->cluster[i].processors;
    }
    if (model->processors < 1 || model->processors > INLAY_SELECT_PROCESSORS) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the clusters have %lld processors together; expected 1 to %d",
                         (long long)model->processors, INLAY_SELECT_PROCESSORS);
    }
    return check_program(problem, diag);
}

/* ---- Unfolding ---- */

bool select_model_room(select_model *model)
{
    size_t m = (size_t)model->clusters;
    select_map *s = &model->scratch;
    model->name = pool_zeroed(&model->arrays, m, sizeof *model->name);
    model->most = pool_array(&model->arrays, m, sizeof *model->most);
    model->rate = pool_array(&model->arrays, m, sizeof *model->rate);
    model->whole_rate = pool_array(&model->arrays, m, sizeof *model->whole_rate);
    model->fixed_time = pool_array(&model->arrays, m, sizeof *model->fixed_time);
    model->unit_time = pool_array(&model->arrays, m, sizeof *model->unit_time);
    model->offset = pool_array(&model->arrays, m, sizeof *model->offset);
    model->slope = pool_array(&model->arrays, m, sizeof *model->slope);
    model->growth = pool_array(&model->arrays, m, sizeof *model->growth);
    model->time = pool_array(&model->arrays, m, sizeof *model->time);
    model->times = pool_array(&model->arrays, (size_t)model->processors + m, sizeof *model->times);
    s->whole = pool_array(&model->arrays, m, sizeof *s->whole);
    s->part = pool_array(&model->arrays, m, sizeof *s->part);
    s->heap = pool_array(&model->arrays, m, sizeof *s->heap);
    s->extra = pool_array(&model->arrays, m, sizeof *s->extra);
    s->share = pool_array(&model->arrays, m, sizeof *s->share);
    return !model->arrays.failed;
}

double select_grown(inlay_growth growth, int32_t p)
{
    switch (growth) {
    case INLAY_GROWTH_LINEAR: return p;
    case INLAY_GROWTH_LOG2: return log2(p);
    default: return 1;
    }
}

void select_model_study_rates(select_model *model)
{
    model->whole_rates = true;
    for (int32_t i = 0; i < model->clusters; i++) {
        double r = model->rate[i];
        bool whole = r < 0x1p31 && r == floor(r);
        model->whole_rate[i] = whole ? (int64_t)r : 0;
        model->whole_rates = model->whole_rates && whole;
    }
}

static void unfold_cluster(const inlay_select_problem *problem, int32_t i, double *times, select_model *model)
{
    const inlay_select_cluster *c = &problem->cluster[i];
    model->name[i] = c->name;
    model->most[i] = c->processors;
    model->rate[i] = c->rate;
    model->fixed_time[i] = c->fixed_time + problem->fixed_work / c->rate;
    model->unit_time[i] = problem->unit_work / c->rate;
    model->fixed = model->fixed || model->fixed_time[i] > 0;
    model->offset[i] = c->c1 + problem->bytes * c->c3;
    model->slope[i] = c->c2 + problem->bytes * c->c4;
    model->growth[i] = c->growth;
    model->time[i] = times;
    times[0] = 0;
    for (int32_t p = 1; p <= c->processors; p++) {
        times[p] = model->offset[i] + model->slope[i] * select_grown(c->growth, p);
    }
}

/* The largest numbers that any sum can reach are finite, and no time is 0 by underflow. */
static int check_range(const select_model *model, inlay_diag *diag)
{
    char room[SELECT_NAME];
    double sum = 2 * model->router_cost * model->clusters;
    double rates = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        double most = 0;
        for (int32_t p = 1; p <= model->most[i]; p++) {
            most = fmax(most, fabs(model->time[i][p]));
            if (isnan(model->time[i][p])) {
                most = INFINITY;
            }
        }
        sum += most + model->fixed_time[i] + (double)model->units * model->unit_time[i];
        rates += model->rate[i] * model->most[i];
        if (!isfinite(sum) || !(model->unit_time[i] > 0) || !isfinite(model->fixed_time[i] / model->unit_time[i])) {
            return diag_fail(diag, INLAY_OVERFLOW, "times of %s are too large or too small for a number",
                             select_called(model, i, room));
        }
    }
    if (!isfinite(sum) || !isfinite(model->work) || !isfinite(rates)) {
        return diag_fail(diag, INLAY_OVERFLOW, "the times of all clusters together are too large for a number");
    }
    return INLAY_OK;
}

int select_model_make(const inlay_select_problem *problem, select_model *model, inlay_diag *diag)
{
    *model = (select_model){0};
    int status = check_problem(problem, model, diag);
    if (status != INLAY_OK) {
        return status;
    }
    model->topology = problem->topology;
    model->map = problem->map;
    model->router = problem->router;
    model->overlap = problem->overlap;
    model->units = problem->units;
    model->work = (double)problem->units * problem->unit_work;
    model->router_cost = (problem->crossings > 0 ? problem->crossings : 1) *
                         (problem->router_latency + problem->bytes * (problem->router_per_byte + problem->coercion));
    if (!select_model_room(model)) {
        return diag_no_memory(diag);
    }
    double *times = model->times;
    for (int32_t i = 0; i < model->clusters; i++) {
        unfold_cluster(problem, i, times, model);
        times += problem->cluster[i].processors + 1;
    }
    select_model_study_rates(model);
    return check_range(model, diag);
}

void select_model_clear(select_model *model)
{
    if (model->general != NULL) {
        general_model_clear(model->general);
    }
    pool_clear(&model->arrays);
    *model = (select_model){0};
}

int select_model_monotone(const select_model *model, inlay_diag *diag)
{
    char room[SELECT_NAME];
    for (int32_t i = 0; i < model->clusters; i++) {
        for (int32_t p = 1; p <= model->most[i]; p++) {
            if (model->time[i][p] < model->time[i][p - 1]) {
                return diag_fail(diag, INLAY_BAD_ARGUMENT,
                                 "communication in %s falls from %g for p = %d to %g for p = %d; expected times that "
                                 "do not fall: the exact method needs that, exhaustive and h1 to h3 do not",
                                 select_called(model, i, room), model->time[i][p - 1], (int)p - 1, model->time[i][p],
                                 (int)p);
            }
        }
    }
    return INLAY_OK;
}

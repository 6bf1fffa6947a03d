/* Processor selection: a method is chosen and run, and its best configurations are unfolded into a result. */
#include "base/diag.h"
#include "base/memory.h"
#include "spmd/select_best.h"
#include <stdlib.h>
#include <string.h>

struct inlay_selection {
    inlay_configuration *configuration;
    size_t count;
    int32_t *processors; /* one row a configuration */
    inlay_select_share *share;
    double lower_bound;
    bool proven;
    int64_t looked_at;
};

/* ---- Result ---- */

void inlay_selection_free(inlay_selection *selection)
{
    if (selection != NULL) {
        free(selection->configuration);
        free(selection->processors);
        free(selection->share);
        free(selection);
    }
}

static inlay_select_share share_of(const select_model *model, const int32_t *processors, int32_t i)
{
    const select_map *s = &model->scratch;
    if (model->map == INLAY_SELECT_REAL) {
        return (inlay_select_share){.share = s->share[i]};
    }
    bool all = s->extra[i] == processors[i];
    return (inlay_select_share){(double)(s->whole[i] + all), all ? 0 : s->extra[i]};
}

static void unfold(const select_model *model, const int32_t *processors, inlay_select_share *share,
                   inlay_configuration *c)
{
    *c = (inlay_configuration){.processors = processors, .share = share};
    c->t_comm = select_communication(model, processors);
    c->t_cycle = select_cycle(model, processors);
    c->t_comp = select_partition(model, processors);
    for (int32_t i = 0; i < model->clusters; i++) {
        share[i] = (inlay_select_share){0};
        if (processors[i] > 0) {
            share[i] = share_of(model, processors, i);
            c->clusters++;
            c->total += processors[i];
        }
    }
}

static int make_result(const select_model *model, const select_best *best, inlay_selection **selection,
                       inlay_diag *diag)
{
    size_t m = (size_t)model->clusters;
    size_t count = (size_t)best->kept;
    inlay_selection *made = memory_zeroed(1, sizeof *made);
    if (made == NULL || !(made->configuration = memory_array(count, sizeof *made->configuration)) ||
        !(made->processors = memory_array(count * m, sizeof *made->processors)) ||
        !(made->share = memory_array(count * m, sizeof *made->share))) {
        inlay_selection_free(made);
        return diag_no_memory(diag);
    }
    made->count = count;
    made->lower_bound = best->lower_bound;
    made->proven = best->proven;
    made->looked_at = best->looked_at;
    memcpy(made->processors, best->processors, count * m * sizeof *made->processors);
    for (size_t n = 0; n < count; n++) {
        unfold(model, made->processors + n * m, made->share + n * m, &made->configuration[n]);
    }
    *selection = made;
    return INLAY_OK;
}

size_t inlay_selection_count(const inlay_selection *selection)
{
    return selection->count;
}

const inlay_configuration *inlay_selection_at(const inlay_selection *selection, size_t i)
{
    return i < selection->count ? &selection->configuration[i] : NULL;
}

double inlay_selection_lower_bound(const inlay_selection *selection)
{
    return selection->lower_bound;
}

bool inlay_selection_optimal(const inlay_selection *selection)
{
    return selection->proven;
}

int64_t inlay_selection_looked_at(const inlay_selection *selection)
{
    return selection->looked_at;
}

const char *inlay_select_method_name(inlay_select_method method)
{
    static const char *const names[] = {"exact", "h1", "h2", "h3", "exhaustive"};
    return (unsigned)method < sizeof names / sizeof *names ? names[method] : NULL;
}

/* ---- Methods ---- */

enum { BOXES = 200000, CONFIGURATIONS = 10000000, MOST_KEPT = 100000 };

static int run_h3(const select_model *model, bool as_given, int32_t *processors, select_best *best, inlay_diag *diag)
{
    int status = select_h2(model, as_given, processors, best, diag);
    if (status == INLAY_OK) {
        select_descend(model, processors, best);
    }
    return status;
}

static int sweep(const select_model *model, select_best *best, inlay_diag *diag)
{
    return model->topology == INLAY_PATTERN_TREE ? select_sweep_tree(model, best, diag)
                                                 : select_sweep_line(model, best, diag);
}

/* Whether a sweep over the T_i gives the answer. */
static bool has_sweep(const select_model *model, const select_best *best)
{
    return model->map == INLAY_SELECT_REAL && model->router == INLAY_SELECT_SUM && !model->fixed && best->room == 1;
}

/*
 * The real map without d1 bounds all maps; a chain costs no less than no router. Its best configuration is near to the
 * best one with the map in force.
 */
static int relax(const select_model *model, select_best *best, inlay_diag *diag)
{
    select_model relaxed = *model;
    select_best real = {0};
    relaxed.map = INLAY_SELECT_REAL;
    relaxed.fixed = false;
    relaxed.router = INLAY_SELECT_SUM;
    relaxed.router_cost = model->router == INLAY_SELECT_SUM ? model->router_cost : 0;
    int status = select_best_make(&real, model->clusters, 1) ? sweep(&relaxed, &real, diag) : diag_no_memory(diag);
    if (status == INLAY_OK) {
        select_descend(model, real.processors, best);
        best->lower_bound = real.lower_bound * (1 - 1e-12);
    }
    select_best_clear(&real);
    return status;
}

static int run_exact(const select_model *model, int64_t limit, int32_t *processors, select_best *best, inlay_diag *diag)
{
    int status = INLAY_OK;
    if (model->topology != INLAY_PATTERN_RING) {
        if (has_sweep(model, best)) {
            return sweep(model, best, diag);
        }
        status = relax(model, best, diag);
    }
    /* the bound of a ring itself leads to good configurations */
    if (status == INLAY_OK && (model->topology != INLAY_PATTERN_RING || model->map != INLAY_SELECT_REAL)) {
        status = run_h3(model, false, processors, best, diag);
    }
    return status == INLAY_OK ? select_boxes(model, limit, best, diag) : status;
}

static int run(const inlay_select_problem *problem, const inlay_select_options *options, const select_model *model,
               int32_t *processors, select_best *best, inlay_diag *diag)
{
    int64_t limit = options->limit;
    int status = INLAY_OK;
    switch (options->method) {
    case INLAY_SELECT_H1: return select_h1(model, processors, best, diag);
    case INLAY_SELECT_H2: return select_h2(model, options->as_given, processors, best, diag);
    case INLAY_SELECT_H3: return run_h3(model, options->as_given, processors, best, diag);
    case INLAY_SELECT_EXHAUSTIVE:
        return select_exhaustive(model, limit > 0 ? limit : CONFIGURATIONS, processors, best, diag);
    default:
        status = select_model_monotone(problem, model, diag);
        return status == INLAY_OK ? run_exact(model, limit > 0 ? limit : BOXES, processors, best, diag) : status;
    }
}

static int check_options(const inlay_select_options *options, inlay_diag *diag)
{
    if (inlay_select_method_name(options->method) == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "method %d is unknown; expected 0 to %d", (int)options->method,
                         INLAY_SELECT_EXHAUSTIVE);
    }
    if (options->best < 0 || options->best > MOST_KEPT) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%d configurations are asked for; expected 1 to %d, or 0",
                         (int)options->best, MOST_KEPT);
    }
    if (options->limit < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the limit is %lld; expected 1 or more, or 0",
                         (long long)options->limit);
    }
    return INLAY_OK;
}

int inlay_select_plain(const inlay_select_problem *problem, const inlay_select_options *options,
                       inlay_selection **selection, inlay_diag *diag)
{
    static const inlay_select_options none = {0};
    options = options == NULL ? &none : options;
    select_model model = {0};
    select_best best = {0};
    int32_t *processors = NULL;
    int status = check_options(options, diag);
    if (status == INLAY_OK) {
        status = select_model_make(problem, &model, diag);
    }
    if (status == INLAY_OK && (!select_best_make(&best, model.clusters, options->best > 1 ? options->best : 1) ||
                               !(processors = memory_array((size_t)model.clusters, sizeof *processors)))) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        status = run(problem, options, &model, processors, &best, diag);
    }
    if (status == INLAY_OK) {
        status = make_result(&model, &best, selection, diag);
    }
    free(processors);
    select_best_clear(&best);
    select_model_clear(&model);
    return status;
}

/* ---- One configuration ---- */

static int check_configuration(const select_model *model, const int32_t *processors, inlay_diag *diag)
{
    int64_t total = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        if (processors[i] < 0 || processors[i] > model->most[i]) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "%d processors are asked of cluster %d; expected 0 to %d",
                             (int)processors[i], (int)i, (int)model->most[i]);
        }
        total += processors[i];
    }
    return total > 0 ? INLAY_OK
                     : diag_fail(diag, INLAY_BAD_ARGUMENT, "no processor is in the configuration; expected 1 or more");
}

int inlay_select_plain_evaluate(const inlay_select_problem *problem, const int32_t *processors,
                                inlay_selection **selection, inlay_diag *diag)
{
    select_model model = {0};
    select_best best = {0};
    int status = select_model_make(problem, &model, diag);
    if (status == INLAY_OK) {
        status = check_configuration(&model, processors, diag);
    }
    if (status == INLAY_OK && !select_best_make(&best, model.clusters, 1)) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        select_best_offer(&best, processors, select_cycle(&model, processors));
        best.looked_at = 1;
        status = make_result(&model, &best, selection, diag);
    }
    select_best_clear(&best);
    select_model_clear(&model);
    return status;
}

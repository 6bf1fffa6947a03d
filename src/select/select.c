/* Processor selection: the question becomes a model, and a method is run on it. */
#include "base/diag.h"
#include "base/memory.h"
#include "select/front.h"
#include "select/networks.h"
#include "select/run.h"
#include <stdlib.h>
#include <string.h>

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

/*
 * Each processor alone, which communicates with nobody. Sweeps and boxes count T_i(1) for it as for one among others:
 * what they find and bound is right for two processors and more, and no lone one is better than is known beforehand.
 */
static void offer_each_alone(const select_model *model, int32_t *processors, select_best *best)
{
    memset(processors, 0, (size_t)model->clusters * sizeof *processors);
    for (int32_t i = 0; i < model->clusters; i++) {
        if (model->most[i] > 0) {
            processors[i] = 1;
            select_best_offer(best, processors, select_cycle(model, processors));
            processors[i] = 0;
        }
    }
}

/*
 * The thresholds' answer. Maps and routers that they do not take cost no less than whole shares of the least makespan
 * and no routers: the best configuration of these is near to that of what is in force, and bounds it.
 */
static int run_thresholds(const select_model *model, int64_t steps, int32_t *processors, select_best *best,
                          inlay_diag *diag)
{
    select_model relaxed = *model;
    select_best near = {0};
    relaxed.map = model->map == INLAY_SELECT_REAL ? INLAY_SELECT_REAL : INLAY_SELECT_INTEGER;
    if (model->general == NULL && model->router == INLAY_SELECT_CHAIN) {
        relaxed.router = INLAY_SELECT_SUM;
        relaxed.router_cost = 0;
    }
    if (!select_networks_take(&relaxed)) {
        return INLAY_OK;
    }
    if (relaxed.map == model->map && relaxed.router == model->router) {
        return select_thresholds(model, steps, best, diag);
    }
    int status = INLAY_OK;
    if (!select_best_make(&near, model->clusters, 1)) {
        status = diag_no_memory(diag);
    } else {
        offer_each_alone(&relaxed, processors, &near);
        status = select_thresholds(&relaxed, steps, &near, diag);
    }
    if (status == INLAY_OK) {
        select_descend(model, near.processors, best);
        best->lower_bound = near.lower_bound * (1 - 1e-12);
    }
    select_best_clear(&near);
    return status;
}

static int run_exact(const select_model *model, int64_t limit, int32_t *processors, select_best *best, inlay_diag *diag)
{
    offer_each_alone(model, processors, best);
    int status = run_thresholds(model, limit, processors, best, diag);
    if (status != INLAY_OK || (best->proven && best->room == 1)) {
        return status;
    }
    if (!best->proven) {
        status = run_h3(model, false, processors, best, diag);
    }
    return status == INLAY_OK ? select_boxes(model, limit, NULL, best, diag) : status;
}

static int run(const inlay_select_options *options, select_model *model, int32_t *processors, select_best *best,
               inlay_diag *diag)
{
    int64_t limit = options->limit;
    int status = INLAY_OK;
    switch (options->method) {
    case INLAY_SELECT_H1: return select_h1(model, processors, best, diag);
    case INLAY_SELECT_H2: return select_h2(model, options->as_given, processors, best, diag);
    case INLAY_SELECT_H3: return run_h3(model, options->as_given, processors, best, diag);
    case INLAY_SELECT_EXHAUSTIVE:
        return select_exhaustive(model, limit > 0 ? limit : CONFIGURATIONS, processors, NULL, best, diag);
    default:
        status = model->general != NULL ? general_make_exact(model, diag) : select_model_monotone(model, diag);
        return status == INLAY_OK ? run_exact(model, limit > 0 ? limit : BOXES, processors, best, diag) : status;
    }
}

int select_check_options(const inlay_select_options *options, inlay_diag *diag)
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

/* Runs the method and unfolds what it keeps. */
static int answer(const inlay_select_options *options, const general_question *question, select_model *model,
                  inlay_selection **selection, inlay_diag *diag)
{
    select_best best = {0};
    int32_t *processors = memory_array((size_t)model->clusters, sizeof *processors);
    int status = INLAY_OK;
    if (processors == NULL || !select_best_make(&best, model->clusters, options->best > 1 ? options->best : 1)) {
        status = diag_no_memory(diag);
    }
    status = status == INLAY_OK ? run(options, model, processors, &best, diag) : status;
    if (status == INLAY_OK && (options->method == INLAY_SELECT_EXACT || options->method == INLAY_SELECT_EXHAUSTIVE)) {
        select_best_prefer_fewer(&best);
    }
    status = status == INLAY_OK ? select_result(model, question, &best, selection, diag) : status;
    free(processors);
    select_best_clear(&best);
    return status;
}

static const inlay_select_options no_options = {0};

int inlay_select_plain(const inlay_select_problem *problem, const inlay_select_options *options,
                       inlay_selection **selection, inlay_diag *diag)
{
    DIAG_CALL(diag);
    options = options == NULL ? &no_options : options;
    int status = select_check_options(options, diag);
    if (status != INLAY_OK) {
        return status;
    }
    select_model model;
    status = select_model_make(problem, &model, diag);
    status = status == INLAY_OK ? answer(options, NULL, &model, selection, diag) : status;
    select_model_clear(&model);
    return status;
}

/* ---- Programs that describe themselves ---- */

int select_subject_make(const inlay_domain *domain, const inlay_metasystem *metasystem, const inlay_select_terms *terms,
                        select_subject *subject, inlay_diag *diag)
{
    *subject = (select_subject){0};
    general_question *question = &subject->question;
    int status = general_ask(domain, metasystem, terms, question, diag);
    if (status != INLAY_OK) {
        return status;
    }
    const inlay_curve *curve = question->terms.curve;
    if (!general_is_plain(question)) {
        status = general_model_make(question, &subject->model, diag);
        return status == INLAY_OK && curve != NULL ? select_model_take_curves(&subject->model, curve, diag) : status;
    }
    subject->cluster = memory_array((size_t)question->clusters, sizeof *subject->cluster);
    if (subject->cluster == NULL) {
        return diag_no_memory(diag);
    }
    inlay_select_problem problem;
    general_unfold(question, subject->cluster, &problem);
    status = select_model_make(&problem, &subject->model, diag);
    return status == INLAY_OK && curve != NULL ? select_model_take_curves(&subject->model, curve, diag) : status;
}

void select_subject_clear(select_subject *subject)
{
    select_model_clear(&subject->model);
    free(subject->cluster);
    general_clear(&subject->question);
}

int inlay_select(const inlay_domain *domain, const inlay_metasystem *metasystem, const inlay_select_terms *terms,
                 const inlay_select_options *options, inlay_selection **selection, inlay_diag *diag)
{
    DIAG_CALL(diag);
    options = options == NULL ? &no_options : options;
    int status = select_check_options(options, diag);
    if (status != INLAY_OK) {
        return status;
    }
    select_subject subject;
    status = select_subject_make(domain, metasystem, terms, &subject, diag);
    status = status == INLAY_OK ? answer(options, &subject.question, &subject.model, selection, diag) : status;
    select_subject_clear(&subject);
    return status;
}

/* ---- The front ---- */

/* No bound knows of lone processors. */
static void offer_lone(const select_model *model, int32_t *processors, select_front *front)
{
    memset(processors, 0, (size_t)model->clusters * sizeof *processors);
    for (int32_t i = 0; i < model->clusters; i++) {
        if (model->most[i] > 0) {
            processors[i] = 1;
            select_front_offer(front, processors);
            processors[i] = 0;
        }
    }
}

static int search_front(const inlay_select_options *options, select_model *model, int32_t *processors,
                        select_front *front, select_best *searched, inlay_diag *diag)
{
    int64_t limit = options->limit;
    if (options->method == INLAY_SELECT_EXHAUSTIVE) {
        return select_exhaustive(model, limit > 0 ? limit : CONFIGURATIONS, processors, front, searched, diag);
    }
    int status = model->general != NULL ? general_make_exact(model, diag) : select_model_monotone(model, diag);
    if (status == INLAY_OK) {
        offer_lone(model, processors, front);
        status = select_boxes(model, limit > 0 ? limit : BOXES, front, searched, diag);
    }
    return status;
}

/* The front as what was kept. */
static int unfold_front(select_front *front, const select_best *searched, inlay_selection **selection, inlay_diag *diag)
{
    if (front->count == 0) {
        return diag_fail(diag, INLAY_NO_ANSWER, "the units do not fit all processors together");
    }
    if (front->count > INT32_MAX) {
        return diag_no_memory(diag);
    }
    const select_best all = {.clusters = front->model->clusters,
                             .kept = (int32_t)front->count,
                             .processors = front->processors,
                             .looked_at = searched->looked_at,
                             .proven = searched->proven};
    return select_result(front->model, front->question, &all, selection, diag);
}

int inlay_select_front(const inlay_domain *domain, const inlay_metasystem *metasystem, const inlay_select_terms *terms,
                       const inlay_select_options *options, inlay_select_beside beside, inlay_selection **front,
                       inlay_diag *diag)
{
    DIAG_CALL(diag);
    options = options == NULL ? &no_options : options;
    select_front found = {0};
    select_best searched = {0};
    select_subject subject;
    int status = select_check_options(options, diag);
    if (status == INLAY_OK && options->method != INLAY_SELECT_EXACT && options->method != INLAY_SELECT_EXHAUSTIVE) {
        status = diag_fail(diag, INLAY_BAD_ARGUMENT, "the method %s knows of time alone; expected exact or exhaustive",
                           inlay_select_method_name(options->method));
    }
    if (status != INLAY_OK) {
        return status;
    }
    status = select_subject_make(domain, metasystem, terms, &subject, diag);
    int32_t *processors = status == INLAY_OK ? memory_array((size_t)subject.model.clusters, sizeof *processors) : NULL;
    if (status == INLAY_OK && processors == NULL) {
        status = diag_no_memory(diag);
    }
    status = status == INLAY_OK ? select_front_make(&subject.question, &subject.model, beside, &found, diag) : status;
    status = status == INLAY_OK ? search_front(options, &subject.model, processors, &found, &searched, diag) : status;
    status = status == INLAY_OK && found.failed ? diag_no_memory(diag) : status;
    status = status == INLAY_OK ? unfold_front(&found, &searched, front, diag) : status;
    free(processors);
    select_front_clear(&found);
    select_subject_clear(&subject);
    return status;
}

/* ---- One configuration ---- */

static int check_configuration(const select_model *model, const int32_t *processors, inlay_diag *diag)
{
    char room[SELECT_NAME];
    for (int32_t i = 0; i < model->clusters; i++) {
        if (processors[i] < 0 || processors[i] > model->most[i]) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "%d processors are asked of %s; expected 0 to %d",
                             (int)processors[i], select_called(model, i, room), (int)model->most[i]);
        }
    }
    return select_total(model, processors) > 0
               ? INLAY_OK
               : diag_fail(diag, INLAY_BAD_ARGUMENT, "no processor is in the configuration; expected 1 or more");
}

static int evaluate(const select_model *model, const general_question *question, const int32_t *processors,
                    inlay_selection **selection, inlay_diag *diag)
{
    select_best best = {0};
    int status = check_configuration(model, processors, diag);
    if (status == INLAY_OK && !select_best_make(&best, model->clusters, 1)) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        select_best_offer(&best, processors, select_cycle(model, processors));
        best.looked_at = 1;
        status = select_result(model, question, &best, selection, diag);
    }
    select_best_clear(&best);
    return status;
}

int inlay_select_plain_evaluate(const inlay_select_problem *problem, const int32_t *processors,
                                inlay_selection **selection, inlay_diag *diag)
{
    DIAG_CALL(diag);
    select_model model;
    int status = select_model_make(problem, &model, diag);
    status = status == INLAY_OK ? evaluate(&model, NULL, processors, selection, diag) : status;
    select_model_clear(&model);
    return status;
}

/* Processors that are there, on a cluster without a function for the program's pattern. */
static int check_functions(const general_question *question, const int32_t *processors, inlay_diag *diag)
{
    for (int32_t i = 0; i < question->clusters; i++) {
        const inlay_metasystem_cluster *cluster = &question->metasystem->cluster[i];
        const char *pattern = general_lacks(question, i);
        if (processors[i] > 0 && processors[i] <= cluster->available && pattern != NULL) {
            return diag_fail(
                diag, INLAY_NO_ANSWER,
                "cluster %s has no communication function for the pattern %s; expected no processors of it",
                cluster->name, pattern);
        }
    }
    return INLAY_OK;
}

int inlay_select_evaluate(const inlay_domain *domain, const inlay_metasystem *metasystem,
                          const inlay_select_terms *terms, const int32_t *processors, inlay_selection **selection,
                          inlay_diag *diag)
{
    DIAG_CALL(diag);
    select_subject subject;
    int status = select_subject_make(domain, metasystem, terms, &subject, diag);
    status = status == INLAY_OK ? check_functions(&subject.question, processors, diag) : status;
    status = status == INLAY_OK ? evaluate(&subject.model, &subject.question, processors, selection, diag) : status;
    select_subject_clear(&subject);
    return status;
}

/*
 * Formulas fitted to measurements. With terms 1, x^2 and y^2, each over its largest value, and factors above 0
 *
 *     1 / f = sum of factor_n term_n
 *
 * so that the logarithms of the factors are free. Each set of terms that the form allows is fitted by itself: a term that
 * the measurements do not want would drive the logarithm of its factor to minus infinity.
 */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/turn.h"
#include "processes/performance.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS = 3, ONE = 1, X = 2, Y = 4, STEPS = 500 };

typedef struct fit {
    const inlay_measurement *measurement;
    size_t count;
    double (*term)[TERMS];    /* of each measurement: speed x (1, x^2, y^2) over the largest x and y */
    unsigned terms;           /* bits of those that are used now */
    double unit[TERMS];       /* 1, largest x^2, largest y^2 */
    double log_factor[TERMS]; /* of the terms used */
} fit;

/* What one set of terms comes to. */
typedef struct outcome {
    unsigned terms;
    double squares; /* sum of squared relative errors */
    double log_factor[TERMS];
} outcome;

/* ---- Terms ---- */

static size_t terms_in(unsigned terms)
{
    return (terms & ONE ? 1U : 0U) + (terms & X ? 1U : 0U) + (terms & Y ? 1U : 0U);
}

/* The number of the n-th term that is used. */
static size_t term_at(unsigned terms, size_t n)
{
    size_t at = 0;
    while ((terms >> at & 1U) == 0 || n-- > 0) {
        at++;
    }
    return at;
}

static void prepare(fit *f, const inlay_performance_range *range)
{
    double x = (double)range->processes[1];
    double y = range->data[1];
    f->unit[0] = 1;
    f->unit[1] = x * x;
    f->unit[2] = y * y;
    for (size_t i = 0; i < f->count; i++) {
        const inlay_measurement *m = &f->measurement[i];
        const double share[2] = {(double)m->processes / x, m->data / y};
        f->term[i][0] = m->speed;
        f->term[i][1] = m->speed * share[0] * share[0];
        f->term[i][2] = m->speed * share[1] * share[1];
    }
}

/* ---- Levenberg and Marquardt's method, by GSL ---- */

/* measured / f, from the factors' logarithms. */
static double inverse_at(const fit *f, size_t i, const gsl_vector *log_factor)
{
    double sum = 0;
    for (size_t n = 0; n < log_factor->size; n++) {
        sum += exp(gsl_vector_get(log_factor, n)) * f->term[i][term_at(f->terms, n)];
    }
    return sum;
}

static int errors_at(const gsl_vector *log_factor, void *context, gsl_vector *error)
{
    const fit *f = context;
    for (size_t i = 0; i < f->count; i++) {
        gsl_vector_set(error, i, 1 / inverse_at(f, i, log_factor) - 1);
    }
    return GSL_SUCCESS;
}

static int slopes_at(const gsl_vector *log_factor, void *context, gsl_matrix *slope)
{
    const fit *f = context;
    for (size_t i = 0; i < f->count; i++) {
        double inverse = inverse_at(f, i, log_factor);
        for (size_t n = 0; n < log_factor->size; n++) {
            double part = exp(gsl_vector_get(log_factor, n)) * f->term[i][term_at(f->terms, n)];
            gsl_matrix_set(slope, i, n, -part / inverse / inverse);
        }
    }
    return GSL_SUCCESS;
}

/*
 * A term that a form must have although the measurements do not want it would have a factor of 0, and the form no finite
 * constant: it keeps a part of the largest that none of them feels.
 */
static void raise_least(double *log_factor, size_t count)
{
    static const double unfelt = 1e-12;
    double least = log_factor[0];
    for (size_t n = 1; n < count; n++) {
        least = fmax(least, log_factor[n]);
    }
    least += log(unfelt);
    for (size_t n = 0; n < count; n++) {
        log_factor[n] = fmax(log_factor[n], least);
    }
}

/* From f->log_factor on; it ends at the least sum of squares, or as near as the steps allow. */
static int descend(fit *f, double *squares)
{
    size_t count = terms_in(f->terms);
    gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_workspace *work =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, f->count, count);
    if (work == NULL) {
        return GSL_ENOMEM;
    }
    gsl_multifit_nlinear_fdf model = {.f = errors_at, .df = slopes_at, .n = f->count, .p = count, .params = f};
    gsl_vector_view start = gsl_vector_view_array(f->log_factor, count);
    int why = 0;
    int failed = gsl_multifit_nlinear_init(&start.vector, &model, work);
    if (failed == GSL_SUCCESS) {
        int ended = gsl_multifit_nlinear_driver(STEPS, 1e-12, 1e-12, 0, NULL, NULL, &why, work);
        failed = ended == GSL_EMAXITER || ended == GSL_ENOPROG ? GSL_SUCCESS : ended;
    }
    if (failed == GSL_SUCCESS) {
        const gsl_vector *error = gsl_multifit_nlinear_residual(work);
        *squares = 0;
        for (size_t i = 0; i < f->count; i++) {
            *squares += gsl_vector_get(error, i) * gsl_vector_get(error, i);
        }
        for (size_t n = 0; n < count; n++) {
            f->log_factor[n] = gsl_vector_get(gsl_multifit_nlinear_position(work), n);
        }
    }
    gsl_multifit_nlinear_free(work);
    if (failed == GSL_SUCCESS) {
        raise_least(f->log_factor, count);
    }
    return failed;
}

/* ---- Where to start: the factors for which measured / f is closest to 1, a linear problem ---- */

typedef struct line {
    gsl_matrix *term;
    gsl_vector *ones, *factor;
    gsl_matrix *covariance;
    gsl_multifit_linear_workspace *work;
} line;

static void line_clear(line *l)
{
    gsl_multifit_linear_free(l->work);
    gsl_matrix_free(l->covariance);
    gsl_vector_free(l->factor);
    gsl_vector_free(l->ones);
    gsl_matrix_free(l->term);
}

static bool line_make(line *l, const fit *f)
{
    size_t count = terms_in(f->terms);
    *l = (line){gsl_matrix_alloc(f->count, count), gsl_vector_alloc(f->count), gsl_vector_alloc(count),
                gsl_matrix_alloc(count, count), gsl_multifit_linear_alloc(f->count, count)};
    if (l->term == NULL || l->ones == NULL || l->factor == NULL || l->covariance == NULL || l->work == NULL) {
        return false;
    }
    gsl_vector_set_all(l->ones, 1);
    for (size_t i = 0; i < f->count; i++) {
        for (size_t n = 0; n < count; n++) {
            gsl_matrix_set(l->term, i, n, f->term[i][term_at(f->terms, n)]);
        }
    }
    return true;
}

/* GSL_ESING where the terms cannot be told apart. */
static int start(fit *f)
{
    static const double rank_tolerance = 1e-9;
    size_t count = terms_in(f->terms);
    line l;
    double squares = 0;
    if (f->count < count) {
        return GSL_ESING;
    }
    int failed =
        line_make(&l, f) ? gsl_multifit_linear(l.term, l.ones, l.factor, l.covariance, &squares, l.work) : GSL_ENOMEM;
    if (failed == GSL_SUCCESS && gsl_multifit_linear_rank(rank_tolerance, l.work) < count) {
        failed = GSL_ESING;
    }
    if (failed == GSL_SUCCESS) {
        double least = gsl_vector_max(l.factor) * 1e-3;
        for (size_t n = 0; n < count; n++) {
            f->log_factor[n] = log(fmax(gsl_vector_get(l.factor, n), least));
        }
    }
    line_clear(&l);
    return failed;
}

/* ---- The best set of terms ---- */

/* Tries `terms`; a larger set must pay for itself by more than rounding. */
static int try_terms(fit *f, unsigned terms, outcome *best)
{
    static const double gain = 1e-9;
    static const double rounding = 1e-24; /* a sum of squares that is nothing */
    double squares = 0;
    f->terms = terms;
    int failed = start(f);
    if (failed == GSL_SUCCESS) {
        failed = descend(f, &squares);
    }
    if (failed == GSL_SUCCESS && (best->terms == 0 || squares < best->squares * (1 - gain) - rounding)) {
        best->terms = terms;
        best->squares = squares;
        memcpy(best->log_factor, f->log_factor, sizeof best->log_factor);
    }
    return failed;
}

/* All sets with the terms that `must` be there and some of those that `may` be; small ones first. */
static int try_all(fit *f, unsigned must, unsigned may, outcome *best)
{
    int failed = GSL_SUCCESS;
    for (size_t size = 1; size <= TERMS && failed == GSL_SUCCESS; size++) {
        for (unsigned terms = 1; terms <= (must | may) && failed == GSL_SUCCESS; terms++) {
            if (terms_in(terms) == size && (terms & must) == must && (terms & ~(must | may)) == 0) {
                failed = try_terms(f, terms, best);
            }
        }
    }
    return failed;
}

static int search(fit *f, unsigned must, unsigned may, outcome *best, inlay_diag *diag)
{
    turn_take(); /* GSL's error handler is a variable of its own */
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    int failed = try_all(f, must, may, best);
    gsl_set_error_handler(before);
    turn_give();
    if (failed == GSL_ENOMEM) {
        return diag_no_memory(diag);
    }
    if (failed == GSL_ESING) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "the measurements cannot tell the effect of the processes from that of the data; expected "
                         "some with more processes and the same data, and some with more data");
    }
    return failed == GSL_SUCCESS ? INLAY_OK
                                 : diag_fail(diag, INLAY_BAD_ARGUMENT,
                                             "the fit does not end: %s; expected speeds "
                                             "that fall with processes and data",
                                             gsl_strerror(failed));
}

/* ---- Forms ---- */

/* Which terms a form has to have, and may have. What all measurements share cannot be told from a constant. */
static void terms_of(inlay_performance_form form, const inlay_performance_range *r, unsigned *must, unsigned *may)
{
    bool some_x = r->processes[0] < r->processes[1];
    bool some_y = r->data[0] < r->data[1];
    *must = form == INLAY_PERFORMANCE_PAPER ? 0 : ONE;
    *may = (some_x ? X : 0U) | (some_y ? Y : 0U);
    if (form == INLAY_PERFORMANCE_CONSTANT) {
        *may = 0;
    } else if (form == INLAY_PERFORMANCE_PAPER) {
        *may = some_x || some_y ? X | Y : X;
    }
}

static inlay_performance_numbers numbers_of(const fit *f, const outcome *best, inlay_performance_form form)
{
    double factor[TERMS] = {0};
    for (size_t n = 0; n < terms_in(best->terms); n++) {
        size_t at = term_at(best->terms, n);
        factor[at] = exp(best->log_factor[n]) / f->unit[at];
    }
    /* c of the paper's form is a matter of choice: with a = 1 or b = 1 it is the speed of x = 1 or y = 1 alone */
    double c = form != INLAY_PERFORMANCE_PAPER ? 1 / factor[0] : 1 / (factor[1] > 0 ? factor[1] : factor[2]);
    return (inlay_performance_numbers){c, factor[1] > 0 ? sqrt(1 / (c * factor[1])) : 0,
                                       factor[2] > 0 ? sqrt(1 / (c * factor[2])) : 0};
}

static void fill_errors(inlay_performance *p, const inlay_measurement *measurement, size_t count)
{
    double squares = 0;
    memcpy(p->measurement, measurement, count * sizeof *measurement);
    p->errors = (inlay_performance_errors){
        .measurements = count, .missed = measurement[0], .error = p->error, .measurement = p->measurement};
    for (size_t i = 0; i < count; i++) {
        const inlay_measurement *m = &measurement[i];
        double error = inlay_performance_speed(p, (double)m->processes, m->data) / m->speed - 1;
        p->error[i] = error;
        squares += error * error;
        if (fabs(error) > fabs(p->errors.worst)) {
            p->errors.worst = error;
            p->errors.missed = *m;
        }
    }
    p->errors.rms = sqrt(squares / (double)count);
}

static int fit_form(inlay_performance_form form, const inlay_measurement *measurement, size_t count,
                    inlay_performance **performance, inlay_diag *diag)
{
    inlay_performance_range range = performance_range(measurement, count);
    fit f = {.measurement = measurement, .count = count};
    outcome best = {0};
    unsigned must = 0;
    unsigned may = 0;
    f.term = memory_array(count, sizeof *f.term);
    if (f.term == NULL) {
        return diag_no_memory(diag);
    }
    prepare(&f, &range);
    terms_of(form, &range, &must, &may);
    int status = search(&f, must, may, &best, diag);
    free(f.term);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_performance *made = performance_make(form, numbers_of(&f, &best, form));
    if (made == NULL || !(made->error = memory_array(count, sizeof *made->error)) ||
        !(made->measurement = memory_array(count, sizeof *made->measurement))) {
        inlay_performance_free(made);
        return diag_no_memory(diag);
    }
    made->range = range;
    fill_errors(made, measurement, count);
    *performance = made;
    return INLAY_OK;
}

/* ---- Warnings ---- */

static void warn_of_missing(inlay_performance_form form, const inlay_performance_range *r, inlay_diag *diag)
{
    if (form != INLAY_PERFORMANCE_OFFSET) {
        return;
    }
    if (r->processes[0] == r->processes[1]) {
        diag_warn(diag, "all measurements have x = %" PRId64 ": the speed is taken not to depend on the processes",
                  r->processes[0]);
    }
    if (r->data[0] == r->data[1]) {
        char data[DOUBLE_TEXT];
        diag_warn(diag, "all measurements have y = %s: the speed is taken not to depend on the data",
                  double_text(r->data[0], data));
    }
}

/* Where a formula misses some measurement by more than a tenth: whether the other one does better. */
static int warn_of_errors(const inlay_performance *p, const inlay_measurement *measurement, size_t count,
                          inlay_diag *diag)
{
    static const double tolerated = 0.1;
    char data[DOUBLE_TEXT];
    double worst = p->errors.worst;
    if (fabs(worst) <= tolerated) {
        return INLAY_OK;
    }
    inlay_performance *other = NULL;
    inlay_performance_form form =
        p->form == INLAY_PERFORMANCE_OFFSET ? INLAY_PERFORMANCE_PAPER : INLAY_PERFORMANCE_OFFSET;
    int status = fit_form(form, measurement, count, &other, NULL);
    bool better = status == INLAY_OK && fabs(other->errors.worst) < 0.8 * fabs(worst);
    char remedy[64] = "";
    if (better) {
        (void)plain_print(remedy, sizeof remedy, "; '%s' misses by at most %.0f %%", inlay_performance_form_name(form),
                          100 * fabs(other->errors.worst));
    }
    diag_warn(diag,
              "the form '%s' cannot follow the measurements: at x = %" PRId64
              ", y = %s it is off by %+.0f %%%s; a table goes through all of them",
              inlay_performance_form_name(p->form), p->errors.missed.processes,
              double_text(p->errors.missed.data, data), 100 * worst, remedy);
    inlay_performance_free(other);
    return status == INLAY_NO_MEMORY ? status : INLAY_OK;
}

int inlay_performance_fit(inlay_performance_form form, const inlay_measurement *measurement, size_t count,
                          inlay_performance **performance, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (form != INLAY_PERFORMANCE_CONSTANT && form != INLAY_PERFORMANCE_PAPER && form != INLAY_PERFORMANCE_OFFSET) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "this form cannot be fitted; expected 'constant', 'paper' or 'offset'");
    }
    inlay_performance *made = NULL;
    int status = performance_check(measurement, count, diag);
    status = status == INLAY_OK ? fit_form(form, measurement, count, &made, diag) : status;
    if (status == INLAY_OK) {
        warn_of_missing(form, &made->range, diag);
        status = warn_of_errors(made, measurement, count, diag);
    }
    if (status != INLAY_OK) {
        inlay_performance_free(made);
        return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
    }
    *performance = made;
    return INLAY_OK;
}

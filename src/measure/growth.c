/* Fits of how a cycle of communication grows. */
#include "measure/squares.h"
#include <inlay/measure.h>
#include <gsl/gsl_errno.h>
#include <math.h>

const inlay_growth inlay_growth_order[INLAY_GROWTHS] = {INLAY_GROWTH_CONSTANT, INLAY_GROWTH_LOG2, INLAY_GROWTH_LINEAR};

/* f(p). */
static double growth_of(inlay_growth growth, int processors)
{
    switch (growth) {
    case INLAY_GROWTH_LINEAR: return processors;
    case INLAY_GROWTH_LOG2: return log2(processors);
    default: return 1;
    }
}

double inlay_growth_seconds(const inlay_growth_fit *fit, inlay_growth growth, int processors, double bytes)
{
    double f = growth_of(growth, processors);
    return fit->c[0] + fit->c[1] * f + bytes * (fit->c[2] + fit->c[3] * f);
}

/* ---- Least squares ---- */

/* What a coefficient is multiplied with at a point. */
static double term(int coefficient, inlay_growth growth, const inlay_growth_point *point)
{
    double bytes = coefficient < 2 ? 1 : point->bytes;
    return coefficient % 2 == 0 ? bytes : bytes * growth_of(growth, point->processors);
}

/* The coefficients of `set`, a bit each, that fit best whatever their signs; the others are 0. Weights are 1/t^2. */
static int fit_set(const inlay_pattern_fit *pattern, inlay_growth growth, unsigned set, double c[INLAY_COEFFICIENTS])
{
    size_t terms = 0, column = 0;
    double sum = 0;
    squares_room r;
    for (unsigned left = set; left != 0; left /= 2) {
        terms += left % 2;
    }
    bool made = squares_make(pattern->points, terms, &r);
    for (int k = 0; k < INLAY_COEFFICIENTS && made; k++) {
        c[k] = 0;
        for (size_t i = 0; i < pattern->points && (set >> k & 1) != 0; i++) {
            gsl_matrix_set(r.terms, i, column, term(k, growth, &pattern->point[i]) / pattern->point[i].seconds);
        }
        column += set >> k & 1;
    }
    int status = made ? INLAY_OK : INLAY_NO_MEMORY;
    if (made) {
        gsl_vector_set_all(r.value, 1);
        status = gsl_multifit_linear(r.terms, r.value, r.found, r.covariance, &sum, r.work) == 0 ? INLAY_OK
                                                                                                 : INLAY_NO_MEMORY;
    }
    column = 0;
    for (int k = 0; k < INLAY_COEFFICIENTS && status == INLAY_OK; k++) {
        c[k] = (set >> k & 1) != 0 ? gsl_vector_get(r.found, column++) : 0;
    }
    squares_free(&r);
    return status;
}

static void find_errors(const inlay_pattern_fit *pattern, inlay_growth growth, inlay_growth_fit *fit)
{
    double squares = 0;
    fit->largest = 0;
    for (size_t i = 0; i < pattern->points; i++) {
        const inlay_growth_point *point = &pattern->point[i];
        double error = inlay_growth_seconds(fit, growth, point->processors, point->bytes) / point->seconds - 1;
        squares += error * error;
        fit->largest = fmax(fit->largest, fabs(error));
    }
    fit->residual = sqrt(squares / (double)pattern->points);
}

/*
 * The best fit without a negative coefficient leaves some of them out and is the best of the others whatever their
 * signs. There are few enough of them to look at every choice.
 */
static int fit_growth(const inlay_pattern_fit *pattern, inlay_growth growth, inlay_growth_fit *fit)
{
    const unsigned all = growth == INLAY_GROWTH_CONSTANT ? 0x5 /* c1 and c3 */ : 0xf;
    inlay_growth_fit best = {.residual = INFINITY};
    for (unsigned set = 1; set <= all; set++) {
        inlay_growth_fit next = {.fitted = true};
        if ((set & ~all) != 0) {
            continue;
        }
        int status = fit_set(pattern, growth, set, next.c);
        if (status != INLAY_OK) {
            return status;
        }
        find_errors(pattern, growth, &next);
        if (fmin(fmin(next.c[0], next.c[1]), fmin(next.c[2], next.c[3])) >= 0 && next.residual < best.residual) {
            best = next;
        }
    }
    *fit = best;
    return INLAY_OK;
}

/* ---- Which one ---- */

/* n ln(mean square) + 2 k + 2 k (k + 1) / (n - k - 1), with the variance counted among the k that are fitted. */
static double akaike(const inlay_growth_fit *fit, inlay_growth growth, size_t points)
{
    const double least = 1e-9; /* error that a time has with the digits that are kept */
    double n = (double)points, k = growth == INLAY_GROWTH_CONSTANT ? 3 : 5;
    double error = fmax(fit->residual, least);
    return n > k + 1 ? n * log(error * error) + 2 * k + 2 * k * (k + 1) / (n - k - 1) : INFINITY;
}

static int choose(const inlay_pattern_fit *pattern)
{
    const double tie = 2;
    double least = INFINITY;
    int chosen = 0;
    for (int i = 0; i < INLAY_GROWTHS; i++) {
        least = pattern->fit[i].fitted ? fmin(least, pattern->fit[i].criterion) : least;
    }
    while (isfinite(least) && !(pattern->fit[chosen].fitted && pattern->fit[chosen].criterion <= least + tie)) {
        chosen++;
    }
    return chosen;
}

int inlay_fit_growths(inlay_pattern_fit *pattern)
{
    int fits = pattern->counts < INLAY_GROWTHS ? pattern->counts : INLAY_GROWTHS, status = INLAY_OK;
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    for (int i = 0; i < fits && status == INLAY_OK; i++) {
        inlay_growth_fit *fit = &pattern->fit[i];
        status = fit_growth(pattern, inlay_growth_order[i], fit);
        fit->criterion = status == INLAY_OK ? akaike(fit, inlay_growth_order[i], pattern->points) : INFINITY;
    }
    (void)gsl_set_error_handler(before);
    pattern->chosen = choose(pattern);
    return status;
}

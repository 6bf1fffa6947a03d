/*
 * Times of tasks by kind and size. The size of a run, for a kind, is how many modules of the kind it has. The mean time of a
 * kind is a power of that: constant where tasks stay as they are and there are more of them, and the power -1 where as much work is
 * cut into more of them.
 */
#include "capture/model.h"
#include "base/diag.h"
#include <gsl/gsl_fit.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Modules of one kind in one sample, in their order. */
typedef struct sample_kind {
    inlay_id *modules;
    size_t count, capacity;
    double mean; /* s */
} sample_kind;

static bool is_kind(const inlay_app *app, inlay_id module, const char *kind)
{
    const char *own = inlay_app_module_kind(app, module);
    return own != NULL && strcmp(own, kind) == 0;
}

static double seconds(const inlay_app *app, inlay_id module)
{
    return inlay_app_in_units(app, inlay_app_time(app, module)) * inlay_unit_seconds(inlay_app_unit(app));
}

static int gather(const inlay_app *app, const char *kind, sample_kind *of, inlay_diag *diag)
{
    double sum = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        if (is_kind(app, i, kind)) {
            if (!memory_grow((void **)&of->modules, &of->capacity, of->count + 1, sizeof *of->modules)) {
                return diag_no_memory(diag);
            }
            of->modules[of->count++] = i;
            sum += seconds(app, i);
        }
    }
    of->mean = of->count > 0 ? sum / (double)of->count : 0;
    return INLAY_OK;
}

/* The mean time where there are so many, by least squares of logarithms over the samples that have the kind. */
static double expected_mean(const sample_kind *samples, const double *x, const double *y, size_t points, size_t largest,
                            double modules)
{
    double power = 0, constant = 0, ignored[4], least = HUGE_VAL, most = -HUGE_VAL;
    for (size_t i = 0; i < points; i++) {
        least = fmin(least, x[i]);
        most = fmax(most, x[i]);
        constant += y[i] / (double)points;
    }
    if (points == 0) {
        return samples[largest].mean; /* 0 */
    }
    if (most > least) {
        (void)gsl_fit_linear(x, 1, y, 1, points, &constant, &power, &ignored[0], &ignored[1], &ignored[2], &ignored[3]);
    }
    return exp(constant + power * log(modules));
}

static int set_times(trace *t, int32_t kind, size_t modules, const inlay_app *app, const sample_kind *like, double mean,
                     inlay_diag *diag)
{
    size_t at = 0;
    for (size_t i = 0; i < t->count; i++) {
        stretch *s = &t->stretches[i];
        if (s->task && s->kind == kind) {
            double time = 1e9 * mean;
            if (like->mean > 0) {
                size_t same = (size_t)((double)at / (double)modules * (double)like->count);
                time *= seconds(app, like->modules[same < like->count ? same : like->count - 1]) / like->mean;
            }
            if (!(time < (double)INT64_MAX)) {
                return diag_fail(diag, INLAY_OVERFLOW, "kind %s: its times grow beyond what can be counted",
                                 t->kinds[kind]);
            }
            s->time = llround(time);
            at++;
        }
    }
    return INLAY_OK;
}

static int model_kind(trace *t, int32_t kind, size_t modules, const inlay_app *const *samples, size_t count,
                      sample_kind *found, double *x, double *y, inlay_diag *diag)
{
    size_t largest = 0, points = 0;
    int status = INLAY_OK;
    for (size_t k = 0; status == INLAY_OK && k < count; k++) {
        status = gather(samples[k], t->kinds[kind], &found[k], diag);
        largest = found[k].count > found[largest].count ? k : largest;
        if (found[k].mean > 0) {
            x[points] = log((double)found[k].count);
            y[points++] = log(found[k].mean);
        }
    }
    if (status == INLAY_OK && found[largest].count == 0) {
        return diag_fail(
            diag, INLAY_NO_ANSWER,
            "%zu tasks are of a kind that no sample has: %s; expected samples of the same program, captured "
            "at smaller sizes",
            modules, t->kinds[kind]);
    }
    return status == INLAY_OK ? set_times(t, kind, modules, samples[largest], &found[largest],
                                          expected_mean(found, x, y, points, largest, (double)modules), diag)
                              : status;
}

int model_times(trace *t, const inlay_app *const *samples, size_t count, inlay_diag *diag)
{
    sample_kind *found = memory_zeroed(count, sizeof *found);
    double *xy = memory_array(2 * count, sizeof *xy);
    int status = found != NULL && xy != NULL ? INLAY_OK : diag_no_memory(diag);
    for (int32_t kind = 0; status == INLAY_OK && kind < (int32_t)t->kind_count; kind++) {
        size_t modules = 0;
        for (size_t i = 0; i < t->count; i++) {
            modules += t->stretches[i].task && t->stretches[i].kind == kind;
        }
        if (modules > 0) {
            status = model_kind(t, kind, modules, samples, count, found, xy, xy + count, diag);
            for (size_t k = 0; k < count; k++) {
                free(found[k].modules);
                found[k] = (sample_kind){0};
            }
        }
    }
    free(found);
    free(xy);
    return status;
}

/* A curve: the time of a size, and the sizes of a time. */
#include "base/diag.h"
#include "curves/curves.h"
#include <gsl/gsl_cdf.h>
#include <math.h>

#define MOST_UNITS (INT64_C(1) << 53)

/* ---- The time of a size ---- */

/* Between two ends, and never outside of their times: rounding must not make a line that is not monotone. */
static double on_line(const inlay_curve_point *from, const inlay_curve_point *to, int64_t size)
{
    double part = (double)(size - from->size) / (double)(to->size - from->size);
    double time = from->time + (to->time - from->time) * part;
    return fmax(fmin(time, fmax(from->time, to->time)), fmin(from->time, to->time));
}

/* The first point whose size is at least `size`; curve->points where there is none. */
static size_t place(const inlay_curve *curve, int64_t size)
{
    size_t low = 0, high = curve->points;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (curve->point[middle].size < size) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static const inlay_curve_point nothing = {0, 0};

double inlay_curve_time(const inlay_curve *curve, int64_t size)
{
    if (size <= 0) {
        return 0;
    }
    if (curve->most > 0 && size > curve->most) {
        return INFINITY;
    }
    size_t at = place(curve, size);
    if (at == curve->points) {
        const inlay_curve_point *last = &curve->point[curve->points - 1];
        return last->time * ((double)size / (double)last->size);
    }
    return on_line(at > 0 ? &curve->point[at - 1] : &nothing, &curve->point[at], size);
}

bool inlay_curve_rises(const inlay_curve *curve)
{
    for (size_t i = 1; i < curve->points; i++) {
        if (curve->point[i].time < curve->point[i - 1].time) {
            return false;
        }
    }
    return true;
}

double inlay_curve_half_width(double deviation, int64_t count)
{
    return count < 2 ? INFINITY : gsl_cdf_tdist_Pinv(0.975, (double)(count - 1)) * deviation / sqrt((double)count);
}

/* ---- Checks ---- */

int inlay_curve_check(const inlay_curve *curve, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const char *name = curve->name != NULL ? curve->name : "a curve";
    if (curve->points < 1 || curve->points > INLAY_CURVE_POINTS || curve->point == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%.80s has %zu points; expected 1 to %d", name, curve->points,
                         INLAY_CURVE_POINTS);
    }
    int64_t before = 0;
    for (size_t i = 0; i < curve->points; i++) {
        const inlay_curve_point *p = &curve->point[i];
        if (p->size <= before || p->size > MOST_UNITS) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "%.80s has the size %lld behind %lld; expected rising sizes up to 2^53", name,
                             (long long)p->size, (long long)before);
        }
        if (!(p->time > 0) || !isfinite(p->time / (double)p->size * (double)MOST_UNITS)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "%.80s takes %g for the size %lld; expected a number above 0 that leaves room for 2^53",
                             name, p->time, (long long)p->size);
        }
        before = p->size;
    }
    if (curve->most != 0 && curve->most < before) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%.80s was measured with %lld units, but %lld are its limit; expected a limit not below", name,
                         (long long)before, (long long)curve->most);
    }
    return INLAY_OK;
}

int64_t curve_limit(const inlay_curve *curve, int64_t most)
{
    return curve->most > 0 && curve->most < most ? curve->most : most;
}

/* ---- The sizes of a time ---- */

/*
 * Of the sizes low to high, at whose ends the time is on different sides of `time`, the last one on low's side. Where a
 * line leads there two looks are enough; else halves do.
 */
static int64_t crossing(const inlay_curve *curve, double time, int64_t low, int64_t high, double at_low, double at_high)
{
    bool within = at_low <= time;
    double part = fmin(fmax((time - at_low) / (at_high - at_low), 0), 1);
    int64_t guess = low + (int64_t)((double)(high - low) * part);
    for (int step = 0; high - low > 1; step++) {
        int64_t middle = step < 2 && guess > low && guess < high ? guess : low + (high - low) / 2;
        if ((inlay_curve_time(curve, middle) <= time) == within) {
            low = middle;
            guess = middle + 1;
        } else {
            high = middle;
            guess = middle - 1;
        }
    }
    return low;
}

static void add(curve_span *span, size_t *count, int64_t low, int64_t high)
{
    if (low > high) {
        return;
    }
    if (*count > 0 && low <= span[*count - 1].high + 1) {
        span[*count - 1].high = high;
    } else {
        span[(*count)++] = (curve_span){low, high};
    }
}

size_t curve_within(const inlay_curve *curve, double time, int64_t most, curve_span *span)
{
    size_t count = 0;
    int64_t from = 0;
    double before = 0;
    most = curve_limit(curve, most);
    add(span, &count, 0, 0);
    for (size_t i = 0; i <= curve->points && from < most; i++) {
        int64_t to = i < curve->points && curve->point[i].size < most ? curve->point[i].size : most;
        double then = inlay_curve_time(curve, to);
        if (before <= time && then <= time) {
            add(span, &count, from, to);
        } else if (before <= time) {
            add(span, &count, from, crossing(curve, time, from, to, before, then));
        } else if (then <= time) {
            add(span, &count, crossing(curve, time, from, to, before, then) + 1, to);
        }
        from = to;
        before = then;
    }
    return count;
}

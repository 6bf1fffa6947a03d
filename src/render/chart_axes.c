/* Scales of a chart and the round numbers on them. */
#include "render/chart_parts.h"
#include <math.h>
#include <stdint.h>

/* Room for rounding where a value is compared with a tick, as a share of a step or of the value. */
static const double hair = 1e-9;

/** 1, 2 or 5 times a power of ten. */
typedef struct round_step {
    double mantissa;
    int exponent;
} round_step;

/** number x 10^exponent. Powers of ten are exact up to 10^22: one rounding, and the double nearest to the decimal. */
static double scaled(double number, int exponent)
{
    return exponent >= 0 ? number * pow(10, exponent) : number / pow(10, -exponent);
}

static double step_value(round_step step, double times)
{
    return scaled(times * step.mantissa, step.exponent);
}

/** The least round step of which no more than `intervals` lie in `width`. */
static round_step find_step(double width, int intervals)
{
    double raw = width / intervals;
    int exponent = (int)floor(log10(raw));
    double mantissa = scaled(raw, -exponent);
    double least = mantissa * (1 - hair);
    if (least <= 1) return (round_step){1, exponent};
    if (least <= 2) return (round_step){2, exponent};
    if (least <= 5) return (round_step){5, exponent};
    return (round_step){1, exponent + 1};
}

/* ---- Scales ---- */

/** Which ends an axis asks for: they stay where they are. */
typedef struct fixed_ends {
    bool from, to;
} fixed_ends;

/** Make a scale that is too narrow to be drawn wider. */
static void widen(chart_scale *scale, fixed_ends fixed)
{
    double size = fmax(fabs(scale->from), fabs(scale->to));
    bool nothing = size <= 1 / CHART_LARGEST;
    double pad = nothing ? 1 : size / 2;
    if (nothing || scale->to - scale->from <= 1e-6 * size) {
        scale->from -= fixed.from ? 0 : pad;
        scale->to += fixed.to && !fixed.from ? 0 : pad;
    }
}

static void fit_linear(chart_scale *scale, fixed_ends fixed, int intervals)
{
    bool positive = scale->from >= 0;
    bool negative = scale->to <= 0;
    widen(scale, fixed);
    double margin = (scale->to - scale->from) / 25;
    double from = fixed.from ? scale->from : scale->from - margin;
    double to = fixed.to ? scale->to : scale->to + margin;
    /* A scale of one sign does not go beyond 0. */
    if (positive && to > 0) from = fmax(from, 0);
    if (negative && from < 0) to = fmin(to, 0);
    /* Rounding out makes the scale wider, at times so wide that it needs a larger step. */
    double step;
    double wider = step_value(find_step(to - from, intervals), 1);
    do {
        step = wider;
        scale->from = fixed.from ? from : floor(from / step + hair) * step;
        scale->to = fixed.to ? to : ceil(to / step - hair) * step;
        wider = step_value(find_step(scale->to - scale->from, intervals), 1);
    } while (wider > step * (1 + hair));
}

/** The nearest of ..., 0.5, 1, 2, 5, 10, ... that is not above x. */
static double round_down(double x)
{
    int exponent = (int)floor(log10(x));
    double mantissa = scaled(x, -exponent) * (1 + hair);
    return scaled(mantissa >= 5 ? 5 : mantissa >= 2 ? 2 : mantissa >= 1 ? 1 : 0.5, exponent);
}

static void fit_logarithmic(chart_scale *scale, fixed_ends fixed)
{
    if (scale->to <= scale->from * (1 + 1e-6)) {
        scale->from /= fixed.from ? 1 : 2;
        scale->to *= fixed.to && !fixed.from ? 1 : 2;
    }
    if (!fixed.from) scale->from = round_down(scale->from / 1.05);
    if (!fixed.to) scale->to = 1 / round_down(1 / (scale->to * 1.05));
}

static void extend(chart_extent *extent, double value)
{
    /* fmin and fmax pass over NaN. */
    extent->least = fmin(extent->least, value);
    extent->largest = fmax(extent->largest, value);
}

chart_scale chart_fit(const chart_axis *axis, chart_extent data, int intervals)
{
    extend(&data, axis->from);
    extend(&data, axis->to);
    if (data.least > data.largest) {
        data = axis->logarithmic ? (chart_extent){1, 10} : (chart_extent){0, 1};
    }
    chart_scale scale = {.from = data.least, .to = data.largest, .logarithmic = axis->logarithmic};
    fixed_ends fixed = {scale.from == axis->from, scale.to == axis->to};
    if (scale.logarithmic) {
        fit_logarithmic(&scale, fixed);
    } else {
        fit_linear(&scale, fixed, intervals);
    }
    return scale;
}

double chart_place(const chart_scale *scale, double value)
{
    double share = scale->logarithmic ? log10(value / scale->from) / log10(scale->to / scale->from)
                                      : (value - scale->from) / (scale->to - scale->from);
    return scale->start + share * (scale->end - scale->start);
}

/* ---- Ticks ---- */

static void add_tick(chart_ticks *ticks, double value, bool labelled)
{
    if (ticks->count < CHART_TICKS) {
        ticks->value[ticks->count] = value;
        ticks->labelled[ticks->count] = labelled;
        ticks->count++;
    }
}

static void linear_ticks(const chart_scale *scale, int intervals, chart_ticks *ticks)
{
    round_step step = find_step(scale->to - scale->from, intervals);
    double unit = step_value(step, 1);
    /* A scale is never so narrow that its ticks were numbers above 10^8. */
    int64_t last = (int64_t)floor(scale->to / unit + hair);
    for (int64_t times = (int64_t)ceil(scale->from / unit - hair); times <= last; times++) {
        add_tick(ticks, step_value(step, (double)times), true);
    }
}

static void decade_ticks(const chart_scale *scale, int intervals, chart_ticks *ticks)
{
    double decades = log10(scale->to / scale->from);
    bool fine = decades <= 3; /* 2 and 5 have numbers too */
    int stride = (int)ceil(decades / intervals);
    int last = (int)ceil(log10(scale->to));
    for (int exponent = (int)floor(log10(scale->from)); exponent <= last; exponent++) {
        for (int mantissa = 1; mantissa <= 9; mantissa++) {
            double value = scaled(mantissa, exponent);
            bool labelled =
                fine ? mantissa == 1 || mantissa == 2 || mantissa == 5 : mantissa == 1 && exponent % stride == 0;
            bool inside = value >= scale->from * (1 - hair) && value <= scale->to * (1 + hair);
            if (inside && (labelled || stride == 1)) add_tick(ticks, value, labelled);
        }
    }
}

void chart_find_ticks(const chart_scale *scale, int intervals, chart_ticks *ticks)
{
    ticks->count = 0;
    if (scale->logarithmic && scale->to >= scale->from * 10) {
        decade_ticks(scale, intervals, ticks);
    } else {
        linear_ticks(scale, intervals, ticks);
    }
}

/* The delay functions of machines in one chart: tau over load, where it is valid, and how far the truth may be. */
#include "base/diag.h"
#include "base/memory.h"
#include "render/chart.h"
#include <inlay/render.h>
#include <math.h>
#include <stdlib.h>

/*
 * A curve has so many samples, their distances to the limit falling geometrically up to LAST_LOAD, since tau bends ever
 * more there; and one where dashes begin, one at its last mark.
 */
enum { INTERVALS = 40, SAMPLES = INTERVALS + 3 };
static const double last_load = 0.995;
static const double axis_end = 1.05;

/* A scale of tau is logarithmic where the largest value is above so many times the smallest. */
static const double linear_ratio = 20;

/** The delay function of one machine as a curve. y is tau in the machine's unit until rescale(). */
typedef struct trace {
    const inlay_delay *delay;
    chart_point points[SAMPLES];
    size_t count;
    chart_span band[SAMPLES];
    size_t band_count;
    double known_to;   /**< the error is known below this load; 0 nowhere, 1 everywhere */
    bool wrong;        /**< some known error is not 0 */
    double idle;       /**< tau at u = 0 */
    double reach;      /**< load below which a rate gives u: see inlay_delay_u_reachable() */
    inlay_unit unit;   /**< that tau is written in */
    double unit_ratio; /**< tau in `unit` over tau in the machine's own */
    text_buffer words; /**< of the legend */
} trace;

typedef struct picture {
    const inlay_delay_picture *asked;
    trace *traces; /**< owned, with their words */
    size_t count;
    bool relative; /**< y is tau over its value on the idle network */
    chart_curve *curves;
    chart_mark *marks;
    text_buffer *mark_words; /**< one a mark; owned, as the arrays above */
    text_buffer y_title, valid_words;
} picture;

/* ---- Sampling ---- */

static double load_reachable(const inlay_delay *delay)
{
    return fmin(inlay_delay_u_reachable(delay) / inlay_delay_u_limit(delay), 1);
}

/**
 * The true tau where D is wrong by this relative error. In model 5 D is the waiting alone, to which the time of the
 * transfer on the idle network comes; in the others tau is in proportion to D.
 */
static double true_tau(const trace *of, double tau, double error)
{
    double constant = inlay_machine_model(inlay_delay_machine(of->delay)) == 5 ? of->idle : 0;
    return constant + (tau - constant) / (1 + error);
}

static void add_span(trace *to, const inlay_delay_point *point, const inlay_known_error *error)
{
    to->wrong |= error->delay != 0 || error->within != 0;
    to->band[to->band_count++] = (chart_span){.x = point->load,
                                              .low = true_tau(to, point->tau, error->delay + error->within),
                                              .high = true_tau(to, point->tau, error->delay - error->within)};
}

static int known_error_at(const trace *of, const inlay_delay_point *point, inlay_known_error *error, inlay_diag *diag)
{
    int status = inlay_delay_known_error(of->delay, point->rho, error);
    return status == INLAY_OK ? status
                              : diag_fail_at(diag, status, inlay_machine_text(inlay_delay_machine(of->delay)), 0,
                                             "the known error of the delay: %s", inlay_status_text(status));
}

/** Let the band end where knowledge does: between two loads, up to a ten-thousandth. */
static int end_band(trace *to, double known, double unknown, inlay_diag *diag)
{
    double u_limit = inlay_delay_u_limit(to->delay);
    inlay_delay_point last = {0};
    inlay_known_error last_error = {0};
    while (unknown - known > 1e-4) {
        double load = (known + unknown) / 2;
        inlay_delay_point point;
        inlay_known_error error;
        int status = inlay_delay_at_utilisation(to->delay, load * u_limit, &point, diag);
        status = status == INLAY_OK ? known_error_at(to, &point, &error, diag) : status;
        if (status != INLAY_OK) {
            return status;
        }
        if (error.known) {
            known = load;
            last = point;
            last_error = error;
        } else {
            unknown = load;
        }
    }
    if (last_error.known) {
        add_span(to, &last, &last_error);
    }
    to->known_to = known;
    return INLAY_OK;
}

/** What is known of the error at a sample; the band ends at the first of which nothing is. */
static int extend_band(trace *to, const inlay_delay_point *point, double before, inlay_diag *diag)
{
    inlay_known_error error;
    if (to->known_to < 1) {
        return INLAY_OK;
    }
    int status = known_error_at(to, point, &error, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (error.known) {
        add_span(to, point, &error);
    } else if (to->band_count == 0) {
        to->known_to = 0;
    } else {
        return end_band(to, before, point->load, diag);
    }
    return INLAY_OK;
}

static int add_point(trace *to, const inlay_delay_point *point, inlay_diag *diag)
{
    double before = to->count > 0 ? to->points[to->count - 1].x : 0;
    if (to->count == 0) {
        to->idle = point->tau;
    }
    to->points[to->count++] =
        (chart_point){point->load, point->tau, point->load <= to->reach ? CHART_SOLID : CHART_DASHED};
    return extend_band(to, point, before, diag);
}

static int add_sample(trace *to, double load, inlay_diag *diag)
{
    inlay_delay_point point;
    int status = inlay_delay_at_utilisation(to->delay, load * inlay_delay_u_limit(to->delay), &point, diag);
    if (status != INLAY_OK) {
        return status;
    }
    point.load = load;
    return add_point(to, &point, diag);
}

/** The mark of a machine with the highest load, or NULL. */
static const inlay_delay_point *highest_mark(const inlay_delay_picture *asked, size_t machine)
{
    const inlay_delay_point *highest = NULL;
    for (size_t i = 0; i < asked->mark_count; i++) {
        const inlay_delay_mark *mark = &asked->marks[i];
        if (mark->machine == machine && (highest == NULL || mark->point.load > highest->load)) highest = &mark->point;
    }
    return highest;
}

/** @param highest  a point that the curve has to reach, or NULL */
static int make_trace(const inlay_delay *delay, const inlay_delay_point *highest, trace *to, inlay_diag *diag)
{
    *to = (trace){.delay = delay, .known_to = 1, .reach = load_reachable(delay)};
    double end = highest && highest->load > last_load ? fmin(highest->load, 1 - 1e-12) : last_load;
    double before = 0;
    int status = INLAY_OK;
    for (int i = 0; i <= INTERVALS && status == INLAY_OK; i++) {
        double load = i < INTERVALS ? 1 - pow(1 - end, (double)i / INTERVALS) : end;
        if (before < to->reach && to->reach < load) {
            status = add_sample(to, to->reach, diag);
        }
        status = status == INLAY_OK ? add_sample(to, load, diag) : status;
        before = load;
    }
    if (status == INLAY_OK && highest && highest->load > end) {
        status = add_point(to, highest, diag);
    }
    return status;
}

/* ---- Units ---- */

/** Whether tau of all machines can stand in one unit. */
static bool comparable(const trace *traces, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        bool as_bytes = inlay_delay_in_bytes(traces[i].delay) == inlay_delay_in_bytes(traces[0].delay);
        bool as_ticks = (inlay_unit_seconds(inlay_delay_unit(traces[i].delay)) > 0) ==
                        (inlay_unit_seconds(inlay_delay_unit(traces[0].delay)) > 0);
        if (!as_bytes || !as_ticks) return false;
    }
    return true;
}

/** The largest unit in which so many seconds are at least 1; nanoseconds where none is. */
static inlay_unit fitting_unit(double seconds)
{
    static const inlay_unit units[] = {INLAY_UNIT_S, INLAY_UNIT_MS, INLAY_UNIT_US};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (seconds >= inlay_unit_seconds(units[i]) * (1 - 1e-9)) return units[i];
    }
    return INLAY_UNIT_NS;
}

static void set_unit(trace *of, double seconds)
{
    double own = inlay_unit_seconds(inlay_delay_unit(of->delay));
    of->unit = own > 0 ? fitting_unit(seconds) : INLAY_UNIT_TICK;
    of->unit_ratio = own > 0 ? own / inlay_unit_seconds(of->unit) : 1;
}

/** Choose the units in which tau is written: one for all, or where it is relative one a machine. */
static void choose_units(picture *of)
{
    double least = INFINITY;
    of->relative = !comparable(of->traces, of->count);
    for (size_t i = 0; i < of->count; i++) {
        least = fmin(least, of->traces[i].idle * inlay_unit_seconds(inlay_delay_unit(of->traces[i].delay)));
    }
    for (size_t i = 0; i < of->count; i++) {
        trace *t = &of->traces[i];
        set_unit(t, of->relative ? t->idle * inlay_unit_seconds(inlay_delay_unit(t->delay)) : least);
    }
}

/** y of a tau in the machine's own unit. */
static double height(const picture *of, const trace *at, double tau)
{
    return of->relative ? tau / at->idle : tau * at->unit_ratio;
}

static int rescale(picture *of, inlay_diag *diag)
{
    for (size_t i = 0; i < of->count; i++) {
        trace *t = &of->traces[i];
        if (of->relative && !(t->idle > 0)) {
            return diag_fail_at(diag, INLAY_BAD_ARGUMENT, inlay_machine_text(inlay_delay_machine(t->delay)), 0,
                                "traffic takes no time on the idle network; expected machines whose units compare, "
                                "or a picture of this machine alone");
        }
        for (size_t p = 0; p < t->count; p++) {
            t->points[p].y = height(of, t, t->points[p].y);
        }
        for (size_t p = 0; p < t->band_count; p++) {
            t->band[p].low = height(of, t, t->band[p].low);
            t->band[p].high = height(of, t, t->band[p].high);
        }
    }
    return INLAY_OK;
}

/* ---- Words ---- */

/** " (model 4: omega network to common memories; error known up to load 0.7)" */
static void add_legend_words(trace *of)
{
    const inlay_machine *machine = inlay_delay_machine(of->delay);
    text_addf(&of->words, " (model %d: %s; ", inlay_machine_model(machine), inlay_machine_model_words(machine));
    if (of->known_to == 0) {
        text_add(&of->words, "error not known");
    } else if (of->known_to < 1) {
        text_add(&of->words, "error known up to load ");
        chart_number(&of->words, of->known_to, 2);
    } else {
        text_add(&of->words, of->wrong                          ? "error known"
                             : inlay_machine_has_links(machine) ? "exact for one link"
                                                                : "exact for random lengths");
    }
    text_add(&of->words, ")");
}

/** "ms a message", "ticks a byte" */
static void add_unit_words(text_buffer *to, const trace *of)
{
    const char *plural = of->unit == INLAY_UNIT_TICK ? "s" : "";
    text_addf(to, "%s%s a %s", inlay_unit_name(of->unit), plural, inlay_delay_in_bytes(of->delay) ? "byte" : "message");
}

/** Digits of u with which the distance to its limit is seen too. */
static int utilisation_digits(double load)
{
    double room = 1 - load;
    return room > 0 && room < 0.1 ? (int)fmin(2 + ceil(-log10(room)), 12) : 3;
}

/** "u 0.94, tau 2.3 ms a message"; also the load where the limit of u is not 1. */
static void add_mark_words(const picture *of, const inlay_delay_mark *mark, text_buffer *to)
{
    const trace *at = &of->traces[mark->machine];
    int digits = utilisation_digits(mark->point.load);
    text_add(to, mark->label ? ": u " : "u ");
    chart_number(to, mark->point.u, digits);
    if (inlay_delay_u_limit(at->delay) != 1) {
        text_add(to, ", load ");
        chart_number(to, mark->point.load, digits);
    }
    text_add(to, ", tau ");
    chart_number(to, mark->point.tau * at->unit_ratio, 3);
    text_add(to, " ");
    add_unit_words(to, at);
    if (of->relative) {
        text_add(to, ", ");
        chart_number(to, height(of, at, mark->point.tau), 3);
        text_add(to, " times idle");
    }
}

static void add_y_title(picture *of, bool logarithmic)
{
    bool latency = false;
    for (size_t i = 0; i < of->count; i++) {
        latency |= inlay_delay_latency(of->traces[i].delay) > 0;
    }
    if (of->relative) {
        text_add(&of->y_title, "tau over its value on the idle network (the units of these machines do not compare)");
    } else {
        text_add(&of->y_title, "tau, in ");
        add_unit_words(&of->y_title, &of->traces[0]);
        text_add(&of->y_title, latency ? ", latency not counted" : "");
    }
    text_add(&of->y_title, logarithmic ? "; logarithmic" : "");
}

/* ---- The chart ---- */

static void extend(chart_point *extent, double value)
{
    extent->x = fmin(extent->x, value);
    extent->y = fmax(extent->y, value);
}

static bool needs_logarithm(const picture *of)
{
    chart_point extent = {INFINITY, -INFINITY, CHART_APART}; /* least and largest */
    for (size_t i = 0; i < of->count; i++) {
        for (size_t p = 0; p < of->traces[i].count; p++) {
            extend(&extent, of->traces[i].points[p].y);
        }
        for (size_t p = 0; p < of->curves[i].band_count; p++) {
            extend(&extent, of->traces[i].band[p].low);
            extend(&extent, of->traces[i].band[p].high);
        }
    }
    return extent.x > 0 && extent.y > linear_ratio * extent.x;
}

static void fill_curves(picture *of)
{
    for (size_t i = 0; i < of->count; i++) {
        trace *t = &of->traces[i];
        add_legend_words(t);
        of->curves[i] = (chart_curve){.label = {inlay_machine_text(inlay_delay_machine(t->delay)), t->words.data},
                                      .points = t->points,
                                      .count = t->count,
                                      .band = t->band,
                                      .band_count = t->wrong ? t->band_count : 0};
    }
}

static void fill_marks(picture *of)
{
    for (size_t i = 0; i < of->asked->mark_count; i++) {
        const inlay_delay_mark *mark = &of->asked->marks[i];
        add_mark_words(of, mark, &of->mark_words[i]);
        of->marks[i] = (chart_mark){.x = mark->point.load,
                                    .y = height(of, &of->traces[mark->machine], mark->point.tau),
                                    .curve = mark->machine,
                                    .label = {mark->label, of->mark_words[i].data}};
    }
}

/** The load up to which all machines' functions are valid, with its words; and what the picture shows besides. */
static double add_validity(picture *of, chart_key *key)
{
    double valid = 1;
    for (size_t i = 0; i < of->count; i++) {
        const trace *t = &of->traces[i];
        valid = fmin(valid, t->reach);
        if (t->points[t->count - 1].lead == CHART_DASHED)
            key->dashed = "dashed: no finite rate of requests gives so high a load";
        if (of->curves[i].band_count > 0) key->band = "pale band: where the truth lies, as far as the error is known";
    }
    text_add(&of->valid_words, of->count > 1 ? "valid for all: load below " : "valid: load below ");
    chart_number(&of->valid_words, valid, 4);
    return valid;
}

static bool has_failed(const picture *of)
{
    bool failed = of->y_title.failed || of->valid_words.failed;
    for (size_t i = 0; i < of->count; i++) {
        failed |= of->traces[i].words.failed;
    }
    for (size_t i = 0; i < of->asked->mark_count; i++) {
        failed |= of->mark_words[i].failed;
    }
    return failed;
}

static int write_picture(picture *of, const char *path, inlay_diag *diag)
{
    fill_curves(of);
    fill_marks(of);
    bool logarithmic = needs_logarithm(of);
    add_y_title(of, logarithmic);
    chart_key key = {.mark = of->asked->mark_count > 0 ? "operating points" : NULL};
    double valid = add_validity(of, &key);
    if (has_failed(of)) {
        return diag_no_memory(diag);
    }
    double u_limit = inlay_delay_u_limit(of->traces[0].delay);
    bool with_u = of->count == 1 && u_limit != 1;
    chart_range ranges[] = {{0, valid, CHART_SHADED, of->valid_words.data},
                            {1, axis_end, CHART_HATCHED, "load 1 and above: saturated, no delay is defined"}};
    chart whole = {
        .title = "Time of one unit of traffic against load",
        .x = {.title = "load = u / u_limit, the share in use of what the network can carry",
              .from = 0,
              .to = axis_end,
              .row = with_u ? "load" : NULL,
              .second_row = with_u ? "u" : NULL,
              .second_factor = u_limit},
        .y = {.title = of->y_title.data, .logarithmic = logarithmic, .from = logarithmic ? NAN : 0, .to = NAN},
        .curves = of->curves,
        .curve_count = of->count,
        .ranges = ranges,
        .range_count = 2,
        .marks = of->marks,
        .mark_count = of->asked->mark_count,
        .key = key};
    return chart_write_svg(&whole, path, diag);
}

/* ---- The whole ---- */

static int check_asked(const inlay_delay *const *delays, size_t count, const inlay_delay_picture *asked,
                       inlay_diag *diag)
{
    if (delays == NULL || count == 0 || count > CHART_CURVES) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a picture of the delay functions of %zu machines; expected 1 to %d",
                         delays ? count : 0, CHART_CURVES);
    }
    for (size_t i = 0; i < asked->mark_count; i++) {
        const inlay_delay_mark *mark = &asked->marks[i];
        if (mark->machine >= count) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "an operating point of machine %zu; the picture has %zu",
                             mark->machine, count);
        }
        const inlay_delay_point *at = &mark->point;
        if (!isfinite(at->u) || !isfinite(at->tau) || at->tau < 0 || !(at->load >= 0 && at->load <= 1)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "an operating point with u = %g, load = %g, tau = %g; expected finite numbers and a load "
                             "from 0 to 1",
                             at->u, at->load, at->tau);
        }
    }
    return INLAY_OK;
}

static int draw(picture *of, const inlay_delay *const *delays, const char *path, inlay_diag *diag)
{
    of->traces = memory_zeroed(of->count, sizeof *of->traces);
    of->curves = memory_zeroed(of->count, sizeof *of->curves);
    of->marks = memory_zeroed(of->asked->mark_count, sizeof *of->marks);
    of->mark_words = memory_zeroed(of->asked->mark_count, sizeof *of->mark_words);
    if (!of->traces || !of->curves || !of->marks || !of->mark_words) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; i < of->count; i++) {
        int status = make_trace(delays[i], highest_mark(of->asked, i), &of->traces[i], diag);
        if (status != INLAY_OK) {
            return status;
        }
    }
    choose_units(of);
    int status = rescale(of, diag);
    return status == INLAY_OK ? write_picture(of, path, diag) : status;
}

static void picture_clear(picture *of)
{
    for (size_t i = 0; of->traces && i < of->count; i++) {
        text_clear(&of->traces[i].words);
    }
    for (size_t i = 0; of->mark_words && i < of->asked->mark_count; i++) {
        text_clear(&of->mark_words[i]);
    }
    text_clear(&of->y_title);
    text_clear(&of->valid_words);
    free(of->traces);
    free(of->curves);
    free(of->marks);
    free(of->mark_words);
}

int inlay_delay_draw_svg(const inlay_delay *const *delays, size_t count, const inlay_delay_picture *picture_asked,
                         const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_delay_picture nothing;
    picture of = {.asked = picture_asked ? picture_asked : &nothing, .count = count};
    int status = check_asked(delays, count, of.asked, diag);
    if (status == INLAY_OK) {
        status = draw(&of, delays, path, diag);
        picture_clear(&of);
    }
    return status;
}

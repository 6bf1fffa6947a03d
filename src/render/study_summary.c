/* Rows of a study as curves: medians over a column of numbers, and performance profiles. The boxes are study_boxes.c's. */
#include "render/study_summary.h"
#include "base/diag.h"
#include "base/memory.h"
#include "render/chart.h"
#include <math.h>
#include <stdlib.h>

/* Scales of values are logarithmic where they reach so far; what values stand against sooner. */
static const double decades = 100, linear_ratio = 24;

/* Of more steps of a profile only some are drawn. */
enum { MOST_STEPS = 1500 };

/* Bands of more lines hide each other. */
enum { MOST_BANDS = 3 };

bool study_reaches_far(double least, double most)
{
    return least >= 1 / CHART_LARGEST && most > decades * least;
}

void study_add_key(text_buffer *to, const char *const *key, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_addf(to, "%s%s", i > 0 ? ", " : "", *key[i] != '\0' ? key[i] : "-");
    }
}

bool study_same_key(const char *const *a, const char *const *b, size_t count)
{
    size_t same = 0;
    while (same < count && a[same] == b[same]) { /* one text of a summary is one string */
        same++;
    }
    return same == count;
}

/* ---- Curves ---- */

typedef struct picture {
    const inlay_study_summary *of;
    const inlay_study_summary_facts *facts;
    chart_curve curves[CHART_CURVES];
    text_buffer names[CHART_CURVES];
    size_t count;
    memory_pool arrays;
    double least, most, first, last; /* of values, and of what they stand against */
    bool dashed, spread;
    text_buffer title, x_title, y_title, band;
} picture;

static void reach(double value, double *least, double *most)
{
    *least = fmin(*least, value);
    *most = fmax(*most, value);
}

static bool is_drawn(const inlay_study_group *group)
{
    return group->count > 0 && isfinite(group->against);
}

/* One line: the groups from `first` to before `end`, which have one key. */
static void add_line(picture *p, size_t first, size_t end)
{
    chart_curve *curve = &p->curves[p->count];
    chart_point *points = pool_array(&p->arrays, end - first, sizeof *points);
    chart_span *band = pool_array(&p->arrays, end - first, sizeof *band);
    size_t last = p->facts->quantile_count - 1, count = 0;
    bool broken = false;
    for (size_t i = first; i < end && !p->arrays.failed; i++) {
        const inlay_study_group *group = inlay_study_summary_group(p->of, i);
        if (!is_drawn(group)) {
            broken = broken || isfinite(group->against);
            continue;
        }
        points[count] = (chart_point){group->against, group->median, broken ? CHART_DASHED : CHART_SOLID};
        band[count++] = (chart_span){group->against, group->quantiles[0], group->quantiles[last]};
        p->dashed = p->dashed || (broken && count > 1);
        p->spread = p->spread || group->quantiles[0] < group->quantiles[last];
        broken = false;
        reach(group->quantiles[0], &p->least, &p->most);
        reach(group->quantiles[last], &p->least, &p->most);
        reach(group->median, &p->least, &p->most);
        reach(group->against, &p->first, &p->last);
    }
    study_add_key(&p->names[p->count], inlay_study_summary_group(p->of, first)->key, p->facts->by_count);
    const char *name = p->facts->by_count > 0 ? text_content(&p->names[p->count]) : NULL;
    *curve = (chart_curve){.label = {.name = name, .words = name == NULL ? "all rows" : NULL},
                           .points = points,
                           .count = count,
                           .band = band,
                           .band_count = count};
    p->count += count > 0;
}

static int add_lines(picture *p, inlay_diag *diag)
{
    size_t groups = inlay_study_summary_groups(p->of), lines = 0;
    for (size_t first = 0, end; first < groups; first = end) {
        const inlay_study_group *group = inlay_study_summary_group(p->of, first);
        for (end = first + 1; end < groups; end++) {
            if (!study_same_key(group->key, inlay_study_summary_group(p->of, end)->key, p->facts->by_count)) {
                break;
            }
        }
        lines++;
        if (lines <= CHART_CURVES && p->count < CHART_CURVES) {
            add_line(p, first, end);
        }
    }
    return lines <= CHART_CURVES
               ? INLAY_OK
               : diag_fail(diag, INLAY_BAD_ARGUMENT,
                           "a picture of %zu lines; expected at most %d groups, which can be told apart", lines,
                           CHART_CURVES);
}

static int draw_lines(picture *p, const char *path, inlay_diag *diag)
{
    int status = add_lines(p, diag);
    if (status != INLAY_OK) {
        return status;
    }
    const inlay_study_summary_facts *facts = p->facts;
    bool x = p->first >= 1 / CHART_LARGEST && p->last > linear_ratio * p->first,
         y = study_reaches_far(p->least, p->most);
    text_addf(&p->title, "%.60s over %.60s", facts->value, facts->against);
    text_addf(&p->x_title, "%s%s", facts->against, x ? "; logarithmic" : "");
    text_addf(&p->y_title, "median of %s" STUDY_UNIT "%s", facts->value, y ? "; logarithmic" : "");
    text_add(&p->band, "from quantile ");
    chart_number(&p->band, facts->quantiles[0], 6);
    text_add(&p->band, " to ");
    chart_number(&p->band, facts->quantiles[facts->quantile_count - 1], 6);
    p->spread = p->spread && p->count <= MOST_BANDS;
    for (size_t i = 0; i < p->count && !p->spread; i++) {
        p->curves[i].band_count = 0;
    }
    const chart drawn = {
        .title = text_content(&p->title),
        .x = {.title = text_content(&p->x_title), .logarithmic = x, .from = NAN, .to = NAN},
        .y = {.title = text_content(&p->y_title), .logarithmic = y, .from = !y && p->least >= 0 ? 0 : NAN, .to = NAN},
        .curves = p->curves,
        .curve_count = p->count,
        .key = {.dashed = p->dashed ? "no value in between" : NULL, .band = p->spread ? text_content(&p->band) : NULL}};
    bool failed = p->arrays.failed || p->title.failed || p->x_title.failed || p->y_title.failed || p->band.failed;
    return failed ? diag_no_memory(diag) : chart_write_svg(&drawn, path, diag);
}

/* ---- Profiles ---- */

/* Steps of one competitor: at each of its ratios, and at the end of the axis. */
static void add_profile(picture *p, const inlay_study_standing *one, double cases)
{
    size_t stride = one->ratio_count / MOST_STEPS + 1, count = 0;
    chart_point *points = pool_array(&p->arrays, one->ratio_count / stride + 3, sizeof *points);
    if (points == NULL) {
        return;
    }
    size_t best = 0; /* ratios of 1 are where the axis begins */
    while (best < one->ratio_count && one->ratios[best] <= 1) {
        best++;
    }
    points[count++] = (chart_point){1, (double)best / cases, CHART_SOLID};
    for (size_t i = best + stride - 1; i < one->ratio_count; i += stride) {
        points[count++] = (chart_point){fmin(one->ratios[i], p->last), (double)(i + 1) / cases, CHART_SOLID};
    }
    points[count++] = (chart_point){p->last, (double)one->ratio_count / cases, CHART_SOLID};
    p->curves[p->count++] =
        (chart_curve){.label = {.name = one->name}, .points = points, .count = count, .steps = true};
}

static int draw_profile(picture *p, const char *path, inlay_diag *diag)
{
    const inlay_study_summary_facts *facts = p->facts;
    size_t cases = facts->compared - facts->unrated, rivals = 0;
    for (size_t i = 0; i < inlay_study_summary_standings(p->of); i++) {
        const inlay_study_standing *one = inlay_study_summary_standing(p->of, i);
        rivals += one->key == NULL;
        p->last = one->ratio_count > 0 ? fmax(p->last, one->ratio_worst) : p->last;
    }
    if (cases == 0 || rivals > CHART_CURVES) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "a profile of %zu lines over %zu cases whose best is above 0; expected at most %d, and a case",
                         rivals, cases, CHART_CURVES);
    }
    p->last = p->last > 1 ? fmin(p->last, CHART_LARGEST) : 2;
    for (size_t i = 0; i < rivals; i++) {
        add_profile(p, inlay_study_summary_standing(p->of, i), (double)cases);
    }
    bool x = p->last > linear_ratio;
    text_addf(&p->title, "How near to the best: %.60s, %zu case%s", facts->value, cases, cases == 1 ? "" : "s");
    text_addf(&p->x_title, facts->most_wins ? "the best %s of a case over it%s" : "%s over the best of its case%s",
              facts->value, x ? "; logarithmic" : "");
    const chart drawn = {.title = text_content(&p->title),
                         .x = {.title = text_content(&p->x_title), .logarithmic = x, .from = 1, .to = p->last},
                         .y = {.title = "share of the cases with at most this ratio", .from = 0, .to = 1},
                         .curves = p->curves,
                         .curve_count = p->count};
    bool failed = p->arrays.failed || p->title.failed || p->x_title.failed;
    return failed ? diag_no_memory(diag) : chart_write_svg(&drawn, path, diag);
}

/* ---- Which ---- */

static int draw_curves_of(const inlay_study_summary *summary, inlay_study_plot plot, const char *path, inlay_diag *diag)
{
    picture *p = memory_zeroed(1, sizeof *p);
    if (p == NULL) {
        return diag_no_memory(diag);
    }
    p->of = summary;
    p->facts = inlay_study_summary_facts_of(summary);
    p->least = p->first = INFINITY;
    p->most = p->last = -INFINITY;
    int status = plot == INLAY_STUDY_LINES ? draw_lines(p, path, diag) : draw_profile(p, path, diag);
    for (size_t i = 0; i < CHART_CURVES; i++) {
        text_clear(&p->names[i]);
    }
    text_clear(&p->title);
    text_clear(&p->x_title);
    text_clear(&p->y_title);
    text_clear(&p->band);
    pool_clear(&p->arrays);
    free(p);
    return status;
}

int inlay_study_summary_draw_svg(const inlay_study_summary *summary, inlay_study_plot plot, const char *path,
                                 inlay_diag *diag)
{
    DIAG_CALL(diag);
    const inlay_study_summary_facts *facts = inlay_study_summary_facts_of(summary);
    if (plot == INLAY_STUDY_AUTO) {
        plot = facts->against != NULL ? INLAY_STUDY_LINES : INLAY_STUDY_BOXES;
    }
    if (plot == INLAY_STUDY_LINES && facts->against == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "lines need a column of numbers that values stand against");
    }
    if (plot == INLAY_STUDY_PROFILE && facts->wins == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a profile needs rows that compete, as methods do");
    }
    return plot == INLAY_STUDY_BOXES ? study_draw_boxes(summary, path, diag)
                                     : draw_curves_of(summary, plot, path, diag);
}

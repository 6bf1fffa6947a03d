/* What `inlay sweep` gives out: JSON and CSV. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <math.h>

/* A clustering, with what else its line tells. */
typedef struct row_view {
    inlay_sweep_row row;
    char from[INLAY_TIME_TEXT], until[INLAY_TIME_TEXT];
    const char *time_unit, *traffic_unit, *elapsed_is;
    double u_limit, lower_bound, fits_from;
} row_view;

/* A time frame that stands out, with the clusters and the time of its row. */
typedef struct point_view {
    inlay_sweep_point point;
    int32_t clusters;
    double elapsed;
    const char *elapsed_is;
} point_view;

/* clang-format off */
/* NOLINTBEGIN(bugprone-macro-parentheses): the arguments are names of members */
#define FIGURES(type, of) \
    FIELD(type, "u", of.u), FIELD(type, "load", of.load), FIELD(type, "delay", of.delay), FIELD(type, "tau", of.tau), \
    FIELD(type, "communication_cost", of.communication), FIELD_BEGIN("utilisation"), \
        FIELD(type, "least", of.utilisation_least), FIELD(type, "mean", of.utilisation_mean), \
        FIELD(type, "greatest", of.utilisation_most), FIELD_END
/* NOLINTEND(bugprone-macro-parentheses) */

#define ROW(member) FIELD(row_view, #member, member)
#define OF_ROW(member) FIELD(row_view, #member, row.member)
#define OF_COST(member) FIELD(row_view, #member, row.cost.member)
#define TIME_FRAME FIELD_EXACT(row_view, "time_frame", from), FIELD_EXACT(row_view, "until", until)

static const field rows[] = {
    TIME_FRAME, OF_ROW(elapsed), ROW(elapsed_is), OF_ROW(clusters), OF_ROW(parallelism), OF_ROW(messages), OF_ROW(traffic), OF_ROW(weighted_traffic),
    FIGURES(row_view, row.cost),
    FIELD_BEGIN("makespan"), OF_COST(estimate), OF_ROW(estimate_fixed_point), ROW(lower_bound),
        FIELD_END,
    ROW(fits_from), FIELD_LAST};

static const field csv[] = {
    TIME_FRAME, ROW(time_unit), OF_ROW(clusters), OF_ROW(parallelism), OF_ROW(messages), OF_ROW(traffic),
    OF_ROW(weighted_traffic), ROW(traffic_unit), OF_COST(u), ROW(u_limit), OF_COST(load), OF_COST(delay), OF_COST(tau),
    FIELD(row_view, "communication_cost", row.cost.communication), OF_COST(utilisation_least), OF_COST(utilisation_mean),
    FIELD(row_view, "utilisation_greatest", row.cost.utilisation_most), OF_COST(estimate), OF_ROW(estimate_fixed_point),
    ROW(fits_from), OF_ROW(elapsed), ROW(elapsed_is), FIELD_LAST};

#define OF_POINT(name, member) FIELD(point_view, name, member)
static const field points[] = {
    OF_POINT("time_frame", point.time_frame), OF_POINT("breakpoint", point.row), OF_POINT("clusters", clusters),
    FIGURES(point_view, point.cost), OF_POINT("estimate", point.cost.estimate), OF_POINT("elapsed", elapsed),
    OF_POINT("elapsed_is", elapsed_is),
    FIELD_LAST};
/* clang-format on */

static const char *traffic_unit(const inlay_sweep_summary *s)
{
    return s->traffic_in_bytes ? "bytes" : "messages";
}

static row_view view_row(const inlay_sweep_result *sweep, size_t i)
{
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    const inlay_sweep_row *row = inlay_sweep_row_at(sweep, i);
    row_view view = {.row = *row,
                     .time_unit = inlay_unit_name(inlay_app_unit(inlay_sweep_app(sweep))),
                     .traffic_unit = traffic_unit(s),
                     .elapsed_is = isnan(row->elapsed) ? NULL : inlay_elapsed_is_name(row->elapsed_is),
                     .u_limit = s->u_limit,
                     .lower_bound = s->lower_bound.value,
                     .fits_from = row->fits ? row->fits_from : NAN};
    inlay_sweep_time_text(sweep, row->time_frame, view.from);
    if (row->bounded) {
        inlay_sweep_time_text(sweep, row->until, view.until);
    }
    return view;
}

static void put_point(inlay_json *out, const inlay_sweep_result *sweep, const char *key, const inlay_sweep_point *point)
{
    point_view view = {.point = *point};
    if (point->exists) {
        view.clusters = inlay_sweep_row_at(sweep, point->row)->clusters;
        const inlay_sweep_row *row = inlay_sweep_row_at(sweep, point->row);
        view.elapsed = row->elapsed;
        view.elapsed_is = isnan(row->elapsed) ? NULL : inlay_elapsed_is_name(row->elapsed_is);
    }
    fields_put_object(out, key, points, point->exists ? &view : NULL);
}

static void put_fits(inlay_json *out, const inlay_sweep_result *sweep)
{
    size_t count;
    const inlay_sweep_interval *fits = inlay_sweep_fits(sweep, &count);
    inlay_json_array(out, "fits");
    for (size_t i = 0; i < count; i++) {
        result_put_numbers(out, NULL, (const double[]){fits[i].from, fits[i].to}, 2); /* no end: null */
    }
    inlay_json_array_end(out);
}

static void put_question(inlay_json *out, const inlay_sweep_result *sweep)
{
    const inlay_app *app = inlay_sweep_app(sweep);
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    char least[INLAY_TIME_TEXT];
    inlay_json_put(out,
                   "application %s machine %s processors %d time_unit %s traffic_unit %s u_limit %g complete %hhd "
                   "sample %hhd lower_bound %g lower_bound_of %s least { time_frame %-s module %s }",
                   inlay_app_name(app), inlay_machine_text(inlay_sweep_machine(sweep)), s->processors,
                   inlay_unit_name(inlay_app_unit(app)), traffic_unit(s), s->u_limit, s->complete, s->sample,
                   s->lower_bound.value, s->lower_bound.name, inlay_sweep_time_text(sweep, s->largest_work, least),
                   inlay_app_module_name(app, s->largest_module));
}

static int put_members(inlay_json *out, const void *of)
{
    const inlay_sweep_result *sweep = of;
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    put_question(out, sweep);
    inlay_json_put(out, "t_min %g t_fit %g t_par %g", s->t_min.exists ? s->t_min.time_frame : NAN,
                   s->t_fit.exists ? s->t_fit.time_frame : NAN, s->t_par.exists ? s->t_par.time_frame : NAN);
    put_fits(out, sweep);
    inlay_json_object(out, "points");
    put_point(out, sweep, "t_min", &s->t_min);
    put_point(out, sweep, "t_fit", &s->t_fit);
    put_point(out, sweep, "t_par", &s->t_par);
    put_point(out, sweep, "t_processors", &s->t_processors);
    put_point(out, sweep, "best", &s->best);
    put_point(out, sweep, "given", &s->given);
    inlay_json_put(out, "} breakpoints [");
    for (size_t i = 0; i < inlay_sweep_rows(sweep); i++) {
        row_view view = view_row(sweep, i);
        fields_put_object(out, NULL, rows, &view);
    }
    inlay_json_array_end(out);
    return INLAY_OK;
}

int inlay_sweep_write_json(const inlay_sweep_result *sweep, const inlay_result_context *context, const char *path,
                           inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, sweep, path, diag);
}

int inlay_sweep_write_csv(const inlay_sweep_result *sweep, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    csv_heading(&text, csv);
    for (size_t i = 0; i < inlay_sweep_rows(sweep); i++) {
        row_view view = view_row(sweep, i);
        csv_line(&text, csv, &view);
    }
    return csv_write(&text, path, diag);
}

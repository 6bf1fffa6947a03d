/* What `inlay pareto` gives out: JSON and CSV. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <inttypes.h>

/* A point, with what else its line tells. */
typedef struct point_view {
    inlay_pareto_point point;
    const char *elapsed_is, *time_unit, *traffic_unit;
    const char *on_front, *is_knee; /* as CSV has them */
} point_view;

/* clang-format off */
#define ROW(member) FIELD(point_view, #member, member)
#define ROW_AS(name, member) FIELD(point_view, name, member)
#define OF_POINT(member) FIELD(point_view, #member, point.member)
#define FIGURES \
    OF_POINT(method), OF_POINT(elapsed), ROW(elapsed_is), OF_POINT(lower_bound), OF_POINT(gap), OF_POINT(speedup), \
    OF_POINT(efficiency), OF_POINT(price), OF_POINT(energy), OF_POINT(messages), OF_POINT(traffic)

static const field json[] = {OF_POINT(processors), OF_POINT(clusters), OF_POINT(front), FIGURES, OF_POINT(load), FIELD_LAST};
static const field csv[] = {
    OF_POINT(processors), OF_POINT(clusters), ROW_AS("front", on_front), ROW_AS("knee", is_knee), ROW(time_unit), FIGURES,
    ROW(traffic_unit), OF_POINT(load), FIELD_LAST};
/* clang-format on */

static const char *traffic_unit(const inlay_pareto_result *front)
{
    return inlay_pareto_summary_of(front)->traffic_in_bytes ? "bytes" : "messages";
}

static const char *yes_or_no(bool flag)
{
    return flag ? "yes" : "no";
}

static point_view view_point(const inlay_pareto_result *front, size_t i)
{
    const inlay_pareto_point *point = inlay_pareto_point_at(front, i);
    return (point_view){.point = *point,
                        .elapsed_is = inlay_elapsed_is_name(point->elapsed_is),
                        .time_unit = inlay_unit_name(inlay_app_unit(inlay_pareto_app(front))),
                        .traffic_unit = traffic_unit(front),
                        .on_front = yes_or_no(point->front),
                        .is_knee = yes_or_no(i == inlay_pareto_summary_of(front)->knee)};
}

static int put_members(inlay_json *out, const void *of)
{
    const inlay_pareto_result *front = of;
    const inlay_app *app = inlay_pareto_app(front);
    const inlay_pareto_summary *s = inlay_pareto_summary_of(front);
    const inlay_pareto_point *knee = inlay_pareto_point_at(front, s->knee);
    inlay_json_put(out, "application %s machine %s time_unit %s traffic_unit %s from %d to %d judged %d left_out %d",
                   inlay_app_name(app), inlay_machine_text(inlay_pareto_machine(front)),
                   inlay_unit_name(inlay_app_unit(app)), traffic_unit(front), s->from, s->to, s->winner.judged,
                   s->winner.left_out);
    inlay_json_put(out, "knee { point %" PRId64 " processors %d elapsed %g } points [", (int64_t)s->knee,
                   knee->processors, knee->elapsed);
    for (size_t i = 0; i < inlay_pareto_points(front); i++) {
        point_view view = view_point(front, i);
        fields_put_object(out, NULL, json, &view);
    }
    inlay_json_array_end(out);
    return INLAY_OK;
}

int inlay_pareto_write_json(const inlay_pareto_result *front, const inlay_result_context *context, const char *path,
                            inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, front, path, diag);
}

int inlay_pareto_write_csv(const inlay_pareto_result *front, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    csv_heading(&text, csv);
    for (size_t i = 0; i < inlay_pareto_points(front); i++) {
        point_view view = view_point(front, i);
        csv_line(&text, csv, &view);
    }
    return csv_write(&text, path, diag);
}

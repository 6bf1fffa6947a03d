/* What `inlay pareto` gives out: JSON and CSV. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <inttypes.h>

/* A point, with what else its line tells. */
typedef struct point_view {
    inlay_pareto_point point;
    const char *method, *reduce, *time_unit, *traffic_unit, *rank;
    const char *on_front, *is_knee, *words, *by_traffic; /* as CSV has them */
    double u_limit;
} point_view;

/* clang-format off */
#define ROW(member) FIELD(point_view, #member, member)
#define ROW_AS(name, member) FIELD(point_view, name, member)
#define OF_POINT(member) FIELD(point_view, #member, point.member)
#define REDUCED \
    FIELD_ABOVE(point_view, "reduced_from", point.reduced_from), \
    FIELD_ABOVE(point_view, "reduced_to", point.reduced_to), \
    FIELD_EXACT(point_view, "clustered_at", point.clustered_text), \
    FIELD_EXACT(point_view, "time_frame", point.time_frame_text)

static const field json[] = {
    OF_POINT(processors), OF_POINT(clusters), OF_POINT(front), ROW(method), ROW(reduce), OF_POINT(reduce_by_traffic),
    REDUCED,
    FIELD_BEGIN("makespan"), OF_POINT(elapsed), OF_POINT(estimate), OF_POINT(estimate_fixed_point),
        OF_POINT(simulated), OF_POINT(lower_bound), OF_POINT(gap), ROW_AS("all_used", point.elapsed_all), FIELD_END,
    OF_POINT(speedup), OF_POINT(efficiency), OF_POINT(messages), OF_POINT(traffic), OF_POINT(weighted_traffic),
    OF_POINT(u), OF_POINT(load), OF_POINT(delay), OF_POINT(tau), FIELD_LAST};

static const field csv[] = {
    OF_POINT(processors), OF_POINT(clusters), ROW_AS("front", on_front), ROW_AS("knee", is_knee), OF_POINT(elapsed),
    ROW(rank), ROW(time_unit), OF_POINT(estimate), OF_POINT(estimate_fixed_point), OF_POINT(lower_bound), OF_POINT(gap),
    OF_POINT(speedup), OF_POINT(efficiency), ROW_AS("all_used", point.elapsed_all), ROW_AS("method", words), ROW(reduce),
    ROW_AS("reduce_by_traffic", by_traffic), REDUCED, OF_POINT(messages), OF_POINT(traffic), OF_POINT(weighted_traffic),
    ROW(traffic_unit), OF_POINT(u), ROW(u_limit), OF_POINT(load), OF_POINT(delay), OF_POINT(tau), OF_POINT(simulated),
    FIELD_LAST};
/* clang-format on */

static const char *traffic_unit(const inlay_pareto_result *front)
{
    return inlay_pareto_summary_of(front)->traffic_in_bytes ? "bytes" : "messages";
}

static const char *rank_word(const inlay_pareto_result *front)
{
    return inlay_pareto_summary_of(front)->rank == INLAY_PARETO_ESTIMATE ? "estimate" : "fixed-point";
}

static const char *yes_or_no(bool flag)
{
    return flag ? "yes" : "no";
}

static point_view view_point(const inlay_pareto_result *front, size_t i)
{
    static const char *const reduce[] = {[INLAY_REDUCE_H2] = "h2", [INLAY_REDUCE_H1] = "h1"};
    const inlay_pareto_point *point = inlay_pareto_point_at(front, i);
    const inlay_pareto_summary *s = inlay_pareto_summary_of(front);
    bool reduced = point->reduce != INLAY_REDUCE_NONE;
    return (point_view){.point = *point,
                        .method = inlay_pareto_method_name(point->method),
                        .reduce = reduced ? reduce[point->reduce] : NULL,
                        .time_unit = inlay_unit_name(inlay_app_unit(inlay_pareto_app(front))),
                        .traffic_unit = traffic_unit(front),
                        .rank = rank_word(front),
                        .on_front = yes_or_no(point->front),
                        .is_knee = yes_or_no(i == s->knee),
                        .words = inlay_pareto_method_words(point),
                        .by_traffic = reduced ? yes_or_no(point->reduce_by_traffic) : NULL,
                        .u_limit = s->u_limit};
}

static void put_question(inlay_json *out, const inlay_pareto_result *front)
{
    const inlay_app *app = inlay_pareto_app(front);
    const inlay_pareto_summary *s = inlay_pareto_summary_of(front);
    inlay_json_put(out, "application %s machine %s time_unit %s traffic_unit %s u_limit %g rank %s from %d to %d",
                   inlay_app_name(app), inlay_machine_text(inlay_pareto_machine(front)),
                   inlay_unit_name(inlay_app_unit(app)), traffic_unit(front), s->u_limit, rank_word(front), s->from,
                   s->to);
}

static int put_members(inlay_json *out, const void *of)
{
    const inlay_pareto_result *front = of;
    const inlay_pareto_summary *s = inlay_pareto_summary_of(front);
    const inlay_pareto_point *knee = inlay_pareto_point_at(front, s->knee);
    put_question(out, front);
    inlay_json_put(
        out, "looked_at { complete %hhd clusterings %zu all_clusterings %hhd reduced_clusterings %zu processors %d",
        s->complete, s->clusterings, s->sweep_complete, s->time_frames, s->processors);
    inlay_json_put(out,
                   "all_processors %hhd candidates %" PRId64 " } knee { point %" PRId64
                   " processors %d elapsed %g } points [",
                   (bool)(!s->processors_sampled), s->candidates, (int64_t)s->knee, knee->processors, knee->elapsed);
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

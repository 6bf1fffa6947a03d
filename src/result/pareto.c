/* What `inlay pareto` prints, as JSON. */
#include "base/diag.h"
#include <inlay/inlay.h>

static const char *traffic_unit(const inlay_pareto_result *front)
{
    return inlay_pareto_summary_of(front)->traffic_in_bytes ? "bytes" : "messages";
}

static const char *reduce_word(const inlay_pareto_point *point)
{
    static const char *const words[] = {[INLAY_REDUCE_H2] = "h2", [INLAY_REDUCE_H1] = "h1"};
    return point->reduce == INLAY_REDUCE_NONE ? NULL : words[point->reduce];
}

static const char *rank_word(const inlay_pareto_result *front)
{
    return inlay_pareto_summary_of(front)->rank == INLAY_PARETO_ESTIMATE ? "estimate" : "fixed-point";
}

static void put_method(inlay_json *out, const inlay_pareto_point *point)
{
    inlay_json_string(out, "method", inlay_pareto_method_name(point->method));
    inlay_json_string(out, "reduce", reduce_word(point));
    inlay_json_bool(out, "reduce_by_traffic", point->reduce_by_traffic);
    inlay_json_count(out, "reduced_from", point->reduced_from);
    inlay_json_count(out, "reduced_to", point->reduced_to);
    inlay_json_literal(out, "clustered_at", point->clustered_text[0] != '\0' ? point->clustered_text : "null");
    inlay_json_literal(out, "time_frame", point->time_frame_text);
}

static void put_point(inlay_json *out, const inlay_pareto_point *point)
{
    inlay_json_object(out, NULL);
    inlay_json_integer(out, "processors", point->processors);
    inlay_json_integer(out, "clusters", point->clusters);
    inlay_json_bool(out, "front", point->front);
    put_method(out, point);
    inlay_json_object(out, "makespan");
    inlay_json_number(out, "elapsed", point->elapsed);
    inlay_json_number(out, "estimate", point->estimate);
    inlay_json_number(out, "estimate_fixed_point", point->estimate_fixed_point);
    inlay_json_number(out, "simulated", point->simulated);
    inlay_json_number(out, "lower_bound", point->lower_bound);
    inlay_json_number(out, "gap", point->gap);
    inlay_json_number(out, "all_used", point->elapsed_all);
    inlay_json_object_end(out);
    inlay_json_number(out, "speedup", point->speedup);
    inlay_json_number(out, "efficiency", point->efficiency);
    inlay_json_integer(out, "messages", point->messages);
    inlay_json_integer(out, "traffic", point->traffic);
    inlay_json_integer(out, "weighted_traffic", point->weighted_traffic);
    inlay_json_number(out, "u", point->u);
    inlay_json_number(out, "load", point->load);
    inlay_json_number(out, "delay", point->delay);
    inlay_json_number(out, "tau", point->tau);
    inlay_json_object_end(out);
}

static void put_question(inlay_json *out, const inlay_pareto_result *front)
{
    const inlay_app *app = inlay_pareto_app(front);
    const inlay_pareto_summary *s = inlay_pareto_summary_of(front);
    inlay_json_string(out, "application", inlay_app_name(app));
    inlay_json_string(out, "machine", inlay_machine_text(inlay_pareto_machine(front)));
    inlay_json_string(out, "time_unit", inlay_unit_name(inlay_app_unit(app)));
    inlay_json_string(out, "traffic_unit", traffic_unit(front));
    inlay_json_number(out, "u_limit", s->u_limit);
    inlay_json_string(out, "rank", rank_word(front));
    inlay_json_integer(out, "from", s->from);
    inlay_json_integer(out, "to", s->to);
}

static void put_looked_at(inlay_json *out, const inlay_pareto_summary *s)
{
    inlay_json_object(out, "looked_at");
    inlay_json_bool(out, "complete", s->complete);
    inlay_json_integer(out, "clusterings", (int64_t)s->clusterings);
    inlay_json_bool(out, "all_clusterings", s->sweep_complete);
    inlay_json_integer(out, "reduced_clusterings", (int64_t)s->time_frames);
    inlay_json_integer(out, "processors", s->processors);
    inlay_json_bool(out, "all_processors", !s->processors_sampled);
    inlay_json_integer(out, "candidates", s->candidates);
    inlay_json_object_end(out);
}

static void put_knee(inlay_json *out, const inlay_pareto_result *front)
{
    size_t knee = inlay_pareto_summary_of(front)->knee;
    const inlay_pareto_point *point = inlay_pareto_point_at(front, knee);
    inlay_json_object(out, "knee");
    inlay_json_integer(out, "point", (int64_t)knee);
    inlay_json_integer(out, "processors", point->processors);
    inlay_json_number(out, "elapsed", point->elapsed);
    inlay_json_object_end(out);
}

static int put_members(inlay_json *out, const void *of)
{
    const inlay_pareto_result *front = of;
    put_question(out, front);
    put_looked_at(out, inlay_pareto_summary_of(front));
    put_knee(out, front);
    inlay_json_array(out, "points");
    for (size_t i = 0; i < inlay_pareto_points(front); i++) {
        put_point(out, inlay_pareto_point_at(front, i));
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

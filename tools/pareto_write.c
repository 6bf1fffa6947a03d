/* JSON and CSV of `inlay pareto`. */
#include "pareto.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

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

/* ---- JSON ---- */

static void put_method(inlay_json *out, const inlay_pareto_point *point)
{
    inlay_json_string(out, "method", inlay_pareto_method_name(point->method));
    if (reduce_word(point) != NULL) {
        inlay_json_string(out, "reduce", reduce_word(point));
    } else {
        inlay_json_null(out, "reduce");
    }
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

int pareto_put_members(inlay_json *out, const cli_answer *a)
{
    const inlay_pareto_result *front = a->of;
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

/* ---- CSV: what there is not is an empty field ---- */

static const char heading[] =
    "processors,clusters,front,knee,elapsed,rank,time_unit,estimate,estimate_fixed_point,lower_bound,gap,speedup,"
    "efficiency,all_used,method,reduce,reduce_by_traffic,reduced_from,reduced_to,clustered_at,time_frame,messages,"
    "traffic,weighted_traffic,traffic_unit,u,u_limit,load,delay,tau,simulated\n";

static void put_number(FILE *to, double number)
{
    say(to, ",");
    if (isfinite(number)) {
        char text[INLAY_NUMBER_TEXT];
        say(to, "%s", inlay_number_text(number, text));
    }
}

static void put_count(FILE *to, inlay_id number)
{
    say(to, ",");
    if (number >= 0) {
        say(to, "%" PRId32, number);
    }
}

static void put_numbers(FILE *to, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put_number(to, numbers[i]);
    }
}

static const char *yes_or_no(bool flag)
{
    return flag ? "yes" : "no";
}

static void put_line(FILE *to, const inlay_pareto_result *front, size_t i)
{
    const inlay_pareto_point *point = inlay_pareto_point_at(front, i);
    const inlay_pareto_summary *s = inlay_pareto_summary_of(front);
    const double times[] = {point->estimate, point->estimate_fixed_point, point->lower_bound, point->gap,
                            point->speedup,  point->efficiency,           point->elapsed_all};
    const double network[] = {point->u, s->u_limit, point->load, point->delay, point->tau, point->simulated};
    const char *reduce = reduce_word(point);
    say(to, "%" PRId32 ",%" PRId32 ",%s,%s", point->processors, point->clusters, yes_or_no(point->front),
        yes_or_no(i == s->knee));
    put_number(to, point->elapsed);
    say(to, ",%s,%s", rank_word(front), inlay_unit_name(inlay_app_unit(inlay_pareto_app(front))));
    put_numbers(to, times, sizeof times / sizeof *times);
    say(to, ",%s,%s,%s", pareto_method_words(point), reduce != NULL ? reduce : "",
        reduce != NULL ? yes_or_no(point->reduce_by_traffic) : "");
    put_count(to, point->reduced_from);
    put_count(to, point->reduced_to);
    say(to, ",%s,%s", point->clustered_text, point->time_frame_text);
    say(to, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%s", point->messages, point->traffic, point->weighted_traffic,
        traffic_unit(front));
    put_numbers(to, network, sizeof network / sizeof *network);
    say(to, "\n");
}

void pareto_put_csv(FILE *to, const cli_answer *a)
{
    const inlay_pareto_result *front = a->of;
    say(to, "%s", heading);
    for (size_t i = 0; i < inlay_pareto_points(front); i++) {
        put_line(to, front, i);
    }
}

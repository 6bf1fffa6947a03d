/* JSON and CSV of `inlay pareto`. */
#include "pareto.h"
#include "report.h"
#include "result.h"
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

static void put_method(result *out, const inlay_pareto_point *point)
{
    result_string(out, "method", inlay_pareto_method_name(point->method));
    if (reduce_word(point) != NULL) {
        result_string(out, "reduce", reduce_word(point));
    } else {
        result_exact(out, "reduce", "null");
    }
    result_bool(out, "reduce_by_traffic", point->reduce_by_traffic);
    result_count(out, "reduced_from", point->reduced_from);
    result_count(out, "reduced_to", point->reduced_to);
    result_exact(out, "clustered_at", point->clustered_text[0] != '\0' ? point->clustered_text : "null");
    result_exact(out, "time_frame", point->time_frame_text);
}

static void put_point(result *out, const inlay_pareto_point *point)
{
    result_open(out, NULL, '{');
    result_integer(out, "processors", point->processors);
    result_integer(out, "clusters", point->clusters);
    result_bool(out, "front", point->front);
    put_method(out, point);
    result_open(out, "makespan", '{');
    result_number(out, "elapsed", point->elapsed);
    result_number(out, "estimate", point->estimate);
    result_number(out, "estimate_fixed_point", point->estimate_fixed_point);
    result_number(out, "simulated", point->simulated);
    result_number(out, "lower_bound", point->lower_bound);
    result_number(out, "gap", point->gap);
    result_number(out, "all_used", point->elapsed_all);
    result_close(out, '}');
    result_number(out, "speedup", point->speedup);
    result_number(out, "efficiency", point->efficiency);
    result_integer(out, "messages", point->messages);
    result_integer(out, "traffic", point->traffic);
    result_integer(out, "weighted_traffic", point->weighted_traffic);
    result_number(out, "u", point->u);
    result_number(out, "load", point->load);
    result_number(out, "delay", point->delay);
    result_number(out, "tau", point->tau);
    result_close(out, '}');
}

static void put_question(result *out, const inlay_pareto_result *front)
{
    const inlay_app *app = inlay_pareto_app(front);
    const inlay_pareto_summary *s = inlay_pareto_summary_of(front);
    result_string(out, "application", inlay_app_name(app));
    result_string(out, "machine", inlay_machine_text(inlay_pareto_machine(front)));
    result_string(out, "time_unit", inlay_unit_name(inlay_app_unit(app)));
    result_string(out, "traffic_unit", traffic_unit(front));
    result_number(out, "u_limit", s->u_limit);
    result_string(out, "rank", rank_word(front));
    result_integer(out, "from", s->from);
    result_integer(out, "to", s->to);
}

static void put_looked_at(result *out, const inlay_pareto_summary *s)
{
    result_open(out, "looked_at", '{');
    result_bool(out, "complete", s->complete);
    result_integer(out, "clusterings", (int64_t)s->clusterings);
    result_bool(out, "all_clusterings", s->sweep_complete);
    result_integer(out, "reduced_clusterings", (int64_t)s->time_frames);
    result_integer(out, "processors", s->processors);
    result_bool(out, "all_processors", !s->processors_sampled);
    result_integer(out, "candidates", s->candidates);
    result_close(out, '}');
}

static void put_knee(result *out, const inlay_pareto_result *front)
{
    size_t knee = inlay_pareto_summary_of(front)->knee;
    const inlay_pareto_point *point = inlay_pareto_point_at(front, knee);
    result_open(out, "knee", '{');
    result_integer(out, "point", (int64_t)knee);
    result_integer(out, "processors", point->processors);
    result_number(out, "elapsed", point->elapsed);
    result_close(out, '}');
}

int pareto_put_members(result *out, const cli_answer *a)
{
    const inlay_pareto_result *front = a->of;
    put_question(out, front);
    put_looked_at(out, inlay_pareto_summary_of(front));
    put_knee(out, front);
    result_open(out, "points", '[');
    for (size_t i = 0; i < inlay_pareto_points(front); i++) {
        put_point(out, inlay_pareto_point_at(front, i));
    }
    result_close(out, ']');
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
        result_number(&(result){.to = to}, NULL, number);
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

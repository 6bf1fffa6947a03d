/* CSV of `inlay pareto`. */
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

/* JSON and CSV of `inlay sweep`. */
#include "report.h"
#include "result.h"
#include "sweep.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

static const char *traffic_unit(const inlay_sweep_summary *s)
{
    return s->traffic_in_bytes ? "bytes" : "messages";
}

/* ---- JSON ---- */

static void put_network(result *out, const inlay_sweep_cost *cost)
{
    result_number(out, "u", cost->u);
    result_number(out, "load", cost->load);
    result_number(out, "delay", cost->delay);
    result_number(out, "tau", cost->tau);
    result_number(out, "communication_cost", cost->communication);
    result_open(out, "utilisation", '{');
    result_number(out, "least", cost->utilisation_least);
    result_number(out, "mean", cost->utilisation_mean);
    result_number(out, "greatest", cost->utilisation_most);
    result_close(out, '}');
}

static void put_row(result *out, const inlay_sweep_result *sweep, const inlay_sweep_row *row)
{
    const inlay_app *app = inlay_sweep_app(sweep);
    char time[TIME_TEXT];
    result_open(out, NULL, '{');
    result_exact(out, "time_frame", time_text(app, row->time_frame, time));
    result_exact(out, "until", row->bounded ? time_text(app, row->until, time) : "null");
    result_integer(out, "clusters", row->clusters);
    result_integer(out, "parallelism", row->parallelism);
    result_integer(out, "messages", row->messages);
    result_integer(out, "traffic", row->traffic);
    result_integer(out, "weighted_traffic", row->weighted_traffic);
    put_network(out, &row->cost);
    result_open(out, "makespan", '{');
    result_number(out, "estimate", row->cost.estimate);
    result_number(out, "estimate_fixed_point", row->estimate_fixed_point);
    result_number(out, "simulated", row->simulated);
    result_number(out, "lower_bound", inlay_sweep_summary_of(sweep)->lower_bound);
    result_close(out, '}');
    result_number(out, "fits_from", row->fits ? row->fits_from : NAN);
    result_close(out, '}');
}

static void put_point(result *out, const inlay_sweep_result *sweep, size_t i)
{
    const inlay_sweep_point *point = sweep_point(sweep, i);
    if (!point->exists) {
        result_exact(out, sweep_point_names[i].key, "null");
        return;
    }
    result_open(out, sweep_point_names[i].key, '{');
    result_number(out, "time_frame", point->time_frame);
    result_integer(out, "breakpoint", (int64_t)point->row);
    result_integer(out, "clusters", inlay_sweep_row_at(sweep, point->row)->clusters);
    put_network(out, &point->cost);
    result_number(out, "estimate", point->cost.estimate);
    result_number(out, "simulated", inlay_sweep_row_at(sweep, point->row)->simulated);
    result_close(out, '}');
}

static void put_fits(result *out, const inlay_sweep_result *sweep)
{
    size_t count;
    const inlay_sweep_interval *fits = inlay_sweep_fits(sweep, &count);
    result_open(out, "fits", '[');
    for (size_t i = 0; i < count; i++) {
        result_open(out, NULL, '[');
        result_number(out, NULL, fits[i].from);
        result_number(out, NULL, fits[i].to); /* no end: null */
        result_close(out, ']');
    }
    result_close(out, ']');
}

static void put_question(result *out, const inlay_sweep_result *sweep)
{
    const inlay_app *app = inlay_sweep_app(sweep);
    const inlay_machine *machine = inlay_sweep_machine(sweep);
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    char time[TIME_TEXT];
    result_string(out, "application", inlay_app_name(app));
    result_string(out, "machine", inlay_machine_text(machine));
    result_integer(out, "processors", s->processors);
    result_string(out, "time_unit", inlay_unit_name(inlay_app_unit(app)));
    result_string(out, "traffic_unit", traffic_unit(s));
    result_number(out, "u_limit", s->u_limit);
    result_bool(out, "complete", s->complete);
    result_bool(out, "sample", s->sample);
    result_open(out, "least", '{');
    result_exact(out, "time_frame", time_text(app, s->largest_work, time));
    result_string(out, "module", inlay_app_module_name(app, s->largest_module));
    result_close(out, '}');
}

int sweep_put_members(result *out, const cli_answer *a)
{
    const inlay_sweep_result *sweep = a->of;
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    put_question(out, sweep);
    result_number(out, "t_min", s->t_min.exists ? s->t_min.time_frame : NAN);
    result_number(out, "t_fit", s->t_fit.exists ? s->t_fit.time_frame : NAN);
    result_number(out, "t_par", s->t_par.exists ? s->t_par.time_frame : NAN);
    put_fits(out, sweep);
    result_open(out, "points", '{');
    for (size_t i = 0; i < SWEEP_POINTS; i++) {
        put_point(out, sweep, i);
    }
    result_close(out, '}');
    result_open(out, "breakpoints", '[');
    for (size_t i = 0; i < inlay_sweep_rows(sweep); i++) {
        put_row(out, sweep, inlay_sweep_row_at(sweep, i));
    }
    result_close(out, ']');
    return INLAY_OK;
}

/* ---- CSV: what there is not is an empty field ---- */

static const char heading[] =
    "time_frame,until,time_unit,clusters,parallelism,messages,traffic,weighted_traffic,traffic_unit,u,u_limit,load,"
    "delay,tau,communication_cost,utilisation_least,utilisation_mean,utilisation_greatest,estimate,"
    "estimate_fixed_point,fits_from,simulated\n";

static void put_number(FILE *to, double number)
{
    say(to, ",");
    if (isfinite(number)) {
        result_number(&(result){.to = to}, NULL, number);
    }
}

static void put_line(FILE *to, const inlay_sweep_result *sweep, const inlay_sweep_row *row)
{
    const inlay_app *app = inlay_sweep_app(sweep);
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    const inlay_sweep_cost *cost = &row->cost;
    const double numbers[] = {cost->u,
                              s->u_limit,
                              cost->load,
                              cost->delay,
                              cost->tau,
                              cost->communication,
                              cost->utilisation_least,
                              cost->utilisation_mean,
                              cost->utilisation_most,
                              cost->estimate,
                              row->estimate_fixed_point,
                              row->fits ? row->fits_from : NAN,
                              row->simulated};
    char from[TIME_TEXT], until[TIME_TEXT] = "";
    say(to, "%s,%s,%s", time_text(app, row->time_frame, from), row->bounded ? time_text(app, row->until, until) : until,
        inlay_unit_name(inlay_app_unit(app)));
    say(to, ",%" PRId32 ",%" PRId32 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%s", row->clusters, row->parallelism,
        row->messages, row->traffic, row->weighted_traffic, traffic_unit(s));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        put_number(to, numbers[i]);
    }
    say(to, "\n");
}

void sweep_put_csv(FILE *to, const cli_answer *a)
{
    const inlay_sweep_result *sweep = a->of;
    say(to, "%s", heading);
    for (size_t i = 0; i < inlay_sweep_rows(sweep); i++) {
        put_line(to, sweep, inlay_sweep_row_at(sweep, i));
    }
}

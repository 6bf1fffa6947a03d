/* What `inlay sweep` prints, as JSON. */
#include "base/decimal.h"
#include "base/diag.h"
#include <inlay/inlay.h>
#include <math.h>

static const char *traffic_unit(const inlay_sweep_summary *s)
{
    return s->traffic_in_bytes ? "bytes" : "messages";
}

static void put_time(inlay_json *out, const char *key, const inlay_sweep_result *sweep, inlay_time grains)
{
    char text[INLAY_TIME_TEXT];
    inlay_json_literal(out, key, inlay_sweep_time_text(sweep, grains, text));
}

static void put_network(inlay_json *out, const inlay_sweep_cost *cost)
{
    inlay_json_number(out, "u", cost->u);
    inlay_json_number(out, "load", cost->load);
    inlay_json_number(out, "delay", cost->delay);
    inlay_json_number(out, "tau", cost->tau);
    inlay_json_number(out, "communication_cost", cost->communication);
    inlay_json_object(out, "utilisation");
    inlay_json_number(out, "least", cost->utilisation_least);
    inlay_json_number(out, "mean", cost->utilisation_mean);
    inlay_json_number(out, "greatest", cost->utilisation_most);
    inlay_json_object_end(out);
}

static void put_row(inlay_json *out, const inlay_sweep_result *sweep, const inlay_sweep_row *row)
{
    inlay_json_object(out, NULL);
    put_time(out, "time_frame", sweep, row->time_frame);
    if (row->bounded) {
        put_time(out, "until", sweep, row->until);
    } else {
        inlay_json_null(out, "until");
    }
    inlay_json_integer(out, "clusters", row->clusters);
    inlay_json_integer(out, "parallelism", row->parallelism);
    inlay_json_integer(out, "messages", row->messages);
    inlay_json_integer(out, "traffic", row->traffic);
    inlay_json_integer(out, "weighted_traffic", row->weighted_traffic);
    put_network(out, &row->cost);
    inlay_json_object(out, "makespan");
    inlay_json_number(out, "estimate", row->cost.estimate);
    inlay_json_number(out, "estimate_fixed_point", row->estimate_fixed_point);
    inlay_json_number(out, "simulated", row->simulated);
    inlay_json_number(out, "lower_bound", inlay_sweep_summary_of(sweep)->lower_bound);
    inlay_json_object_end(out);
    inlay_json_number(out, "fits_from", row->fits ? row->fits_from : NAN);
    inlay_json_object_end(out);
}

static void put_point(inlay_json *out, const inlay_sweep_result *sweep, const char *key, const inlay_sweep_point *point)
{
    if (!point->exists) {
        inlay_json_null(out, key);
        return;
    }
    inlay_json_object(out, key);
    inlay_json_number(out, "time_frame", point->time_frame);
    inlay_json_integer(out, "breakpoint", (int64_t)point->row);
    inlay_json_integer(out, "clusters", inlay_sweep_row_at(sweep, point->row)->clusters);
    put_network(out, &point->cost);
    inlay_json_number(out, "estimate", point->cost.estimate);
    inlay_json_number(out, "simulated", inlay_sweep_row_at(sweep, point->row)->simulated);
    inlay_json_object_end(out);
}

static void put_fits(inlay_json *out, const inlay_sweep_result *sweep)
{
    size_t count;
    const inlay_sweep_interval *fits = inlay_sweep_fits(sweep, &count);
    inlay_json_array(out, "fits");
    for (size_t i = 0; i < count; i++) {
        inlay_json_array(out, NULL);
        inlay_json_number(out, NULL, fits[i].from);
        inlay_json_number(out, NULL, fits[i].to); /* no end: null */
        inlay_json_array_end(out);
    }
    inlay_json_array_end(out);
}

static void put_question(inlay_json *out, const inlay_sweep_result *sweep)
{
    const inlay_app *app = inlay_sweep_app(sweep);
    const inlay_machine *machine = inlay_sweep_machine(sweep);
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    inlay_json_string(out, "application", inlay_app_name(app));
    inlay_json_string(out, "machine", inlay_machine_text(machine));
    inlay_json_integer(out, "processors", s->processors);
    inlay_json_string(out, "time_unit", inlay_unit_name(inlay_app_unit(app)));
    inlay_json_string(out, "traffic_unit", traffic_unit(s));
    inlay_json_number(out, "u_limit", s->u_limit);
    inlay_json_bool(out, "complete", s->complete);
    inlay_json_bool(out, "sample", s->sample);
    inlay_json_object(out, "least");
    put_time(out, "time_frame", sweep, s->largest_work);
    inlay_json_string(out, "module", inlay_app_module_name(app, s->largest_module));
    inlay_json_object_end(out);
}

static int put_members(inlay_json *out, const void *of)
{
    const inlay_sweep_result *sweep = of;
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    put_question(out, sweep);
    inlay_json_number(out, "t_min", s->t_min.exists ? s->t_min.time_frame : NAN);
    inlay_json_number(out, "t_fit", s->t_fit.exists ? s->t_fit.time_frame : NAN);
    inlay_json_number(out, "t_par", s->t_par.exists ? s->t_par.time_frame : NAN);
    put_fits(out, sweep);
    inlay_json_object(out, "points");
    put_point(out, sweep, "t_min", &s->t_min);
    put_point(out, sweep, "t_fit", &s->t_fit);
    put_point(out, sweep, "t_par", &s->t_par);
    put_point(out, sweep, "t_processors", &s->t_processors);
    put_point(out, sweep, "best", &s->best);
    put_point(out, sweep, "given", &s->given);
    inlay_json_object_end(out);
    inlay_json_array(out, "breakpoints");
    for (size_t i = 0; i < inlay_sweep_rows(sweep); i++) {
        put_row(out, sweep, inlay_sweep_row_at(sweep, i));
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

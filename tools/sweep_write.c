/* CSV of `inlay sweep`. */
#include "report.h"
#include "sweep.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

static const char *traffic_unit(const inlay_sweep_summary *s)
{
    return s->traffic_in_bytes ? "bytes" : "messages";
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
        char text[INLAY_NUMBER_TEXT];
        say(to, "%s", inlay_number_text(number, text));
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
    char from[INLAY_TIME_TEXT], until[INLAY_TIME_TEXT] = "";
    say(to, "%s,%s,%s", inlay_sweep_time_text(sweep, row->time_frame, from),
        row->bounded ? inlay_sweep_time_text(sweep, row->until, until) : until,
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

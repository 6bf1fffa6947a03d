/* The table of `inlay sweep`: a row a clustering, then the time frames that stand out. */
#include "report.h"
#include "simulated.h"
#include "sweep.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

/* Of more rows the first and the last are shown. */
enum { FIRST_ROWS = 40, LAST_ROWS = 20, LABEL = 15 };

/* ---- Rows ---- */

static char *elapsed_of(const inlay_sweep_result *sweep, const inlay_sweep_row *row, const char *unit,
                        char text[ELAPSED_TEXT])
{
    return simulated_elapsed_text(row->elapsed, row->elapsed_is, unit, inlay_sweep_machine(sweep), row->cost.load,
                                  text);
}

static void add_row(table *rows, const inlay_sweep_result *sweep, const inlay_sweep_row *row, bool all)
{
    char time[INLAY_TIME_TEXT], elapsed[ELAPSED_TEXT];
    const inlay_sweep_cost *cost = &row->cost;
    table_cell(rows, "%s", inlay_sweep_time_text(sweep, row->time_frame, time));
    table_cells(rows, "%" PRId32 "|%" PRId32 "|%" PRId64, row->clusters, row->parallelism, row->traffic);
    table_cell(rows, "%s", isnan(row->elapsed) ? "-" : elapsed_of(sweep, row, NULL, elapsed));
    table_cells(rows, "%.6g|%.1f %%|%.1f %%|%.1f %%", cost->u, 100 * cost->utilisation_least,
                100 * cost->utilisation_mean, 100 * cost->utilisation_most);
    table_cells(rows, "%.10g", row->fits ? row->fits_from : (double)NAN);
    if (all) {
        char band[INLAY_BAND_TEXT];
        table_cells(rows, "%.6g|%.6g|%#.6g", cost->delay, cost->communication, cost->estimate);
        table_cell(rows, "%s",
                   isnan(cost->estimate) ? "-"
                                         : inlay_estimate_band_text(inlay_sweep_machine(sweep), cost->load, band));
        table_cells(rows, "%#.6g", row->estimate_fixed_point);
    }
}

static int print_rows(const inlay_sweep_result *sweep, bool all)
{
    size_t count = inlay_sweep_rows(sweep);
    bool whole = all || count <= FIRST_ROWS + LAST_ROWS;
    table rows = {0};
    table_headings(&rows, "T from|clusters|active^2|traffic^3|elapsed|u^4|least busy^6|mean^5|busiest^1|fits from^1");
    if (all) {
        table_headings(&rows, "D^7|messages take^7|estimate^7|error^7|with T = E^7");
    }
    for (size_t i = 0; i < count; i++) {
        if (whole || i < FIRST_ROWS || i + LAST_ROWS >= count) {
            add_row(&rows, sweep, inlay_sweep_row_at(sweep, i), all);
        }
    }
    int status = rows.failed ? INLAY_NO_MEMORY : INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < table_rows(&rows); i++) {
        if (!whole && i == FIRST_ROWS + 1) {
            say(stdout, "... (%zu more clusterings; --verbose lists all)\n", count - FIRST_ROWS - LAST_ROWS);
        }
        table_print_row(&rows, i, false, stdout);
        say(stdout, "\n");
    }
    table_end(&rows, stdout);
    return status;
}

/* ---- What stands out ---- */

static void print_point(const inlay_sweep_result *sweep, size_t i, const char *unit)
{
    const inlay_sweep_point *point = sweep_point(sweep, i);
    say_label(stdout, LABEL, sweep_point_names[i].label);
    if (!point->exists) {
        say(stdout, "none");
    } else {
        char elapsed[ELAPSED_TEXT];
        const inlay_sweep_row *row = inlay_sweep_row_at(sweep, point->row);
        say(stdout, "%s %s: %" PRId32 " cluster%s, ", point->text, unit, row->clusters, row->clusters == 1 ? "" : "s");
        say(stdout, isnan(row->elapsed) ? "more than there are processors" : "elapsed %s",
            elapsed_of(sweep, row, unit, elapsed));
    }
    say(stdout, " (%s)\n", sweep_point_names[i].meaning);
}

/* "139.8 to 151, 156 to 164, from 417.1 on"; the end of an interval is not in it. */
static void print_fits(const inlay_sweep_result *sweep, bool all)
{
    enum { MOST = 12 };
    size_t count;
    const inlay_sweep_interval *fits = inlay_sweep_fits(sweep, &count);
    size_t shown = all || count <= MOST ? count : MOST;
    say(stdout, "all fits        %s", count == 0 ? "at no T" : "");
    for (size_t i = 0; i < shown; i++) {
        const char *comma = i > 0 ? ", " : "";
        if (isinf(fits[i].to)) {
            say(stdout, "%sfrom %.10g on", comma, fits[i].from);
        } else {
            say(stdout, "%s%.10g to %.10g", comma, fits[i].from, fits[i].to);
        }
    }
    if (shown < count) {
        say(stdout, ", ... (%zu more intervals; --verbose lists all)", count - shown);
    }
    say(stdout, "\n");
}

/* -T: how many processors it takes, and whether all fits. */
static void print_given(const inlay_sweep_result *sweep)
{
    const inlay_sweep_point *given = &inlay_sweep_summary_of(sweep)->given;
    if (!given->exists) {
        return;
    }
    inlay_id clusters = inlay_sweep_row_at(sweep, given->row)->clusters;
    say(stdout, "processors      %" PRId32 " for %s: ", clusters, given->text);
    if (given->cost.saturated) {
        say(stdout, "u would be %.6g, not below its limit %.6g\n", given->cost.u,
            inlay_sweep_summary_of(sweep)->u_limit);
        return;
    }
    bool fits = given->cost.utilisation_most <= 1;
    say(stdout, "%s, the busiest at %.1f %%\n", fits ? "all fits" : "messages do not fit",
        100 * given->cost.utilisation_most);
}

/* ---- The whole ---- */

static void print_heading(const inlay_sweep_result *sweep, const char *unit)
{
    const inlay_app *app = inlay_sweep_app(sweep);
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    size_t count = inlay_sweep_rows(sweep);
    say(stdout, "%-s on %-s, times in %s\n%zu clustering%s%s\n\n", inlay_app_name(app),
        inlay_machine_text(inlay_sweep_machine(sweep)), unit, count, count == 1 ? "" : "s",
        s->sample     ? ", a sample: between the time frames that were tried there may be others"
        : s->complete ? ", all that there are"
                      : ", of the time frames that were asked for");
}

int sweep_print_table(const cli_answer *a)
{
    const inlay_sweep_result *sweep = a->of;
    bool all = a->call->common->verbose;
    const inlay_app *app = inlay_sweep_app(sweep);
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    const char *unit = inlay_unit_word(inlay_app_unit(app));
    char least[INLAY_TIME_TEXT];
    print_heading(sweep, unit);
    int status = print_rows(sweep, all);
    if (status != INLAY_OK) {
        return status;
    }
    say(stdout, "\n");
    say(stdout, "least T         %s %s: the work of module %-s\n", inlay_sweep_time_text(sweep, s->largest_work, least),
        unit, inlay_app_module_name(app, s->largest_module));
    say(stdout, "P               %" PRId32 " processors allowed\n", s->processors);
    for (size_t i = 0; i < SWEEP_POINTS; i++) {
        if (sweep_point(sweep, i) != &s->given || s->given.exists) {
            print_point(sweep, i, unit);
        }
    }
    print_given(sweep);
    print_fits(sweep, all);
    say(stdout, "lower bound     %#.6g %s on %" PRId32 " processor%s (%s)\n", s->lower_bound.value, unit, s->processors,
        s->processors == 1 ? "" : "s", s->lower_bound.words);
    return INLAY_OK;
}

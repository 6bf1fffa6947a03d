/* The table of `inlay pareto`: a row a number of processors, then the knee and what was looked at. */
#include "pareto.h"
#include "report.h"
#include "simulated.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

/* Of more points the first and the last are shown. */
enum { FIRST_ROWS = 40, LAST_ROWS = 20, LABEL = 12 };

/* ---- Rows ---- */

/* Without any simulated point the table has no columns for them. */
static bool is_simulated(const inlay_pareto_result *front)
{
    for (size_t i = 0; i < inlay_pareto_points(front); i++) {
        if (isfinite(inlay_pareto_point_at(front, i)->simulated)) {
            return true;
        }
    }
    return false;
}

static void add_headings(table *rows, bool simulated)
{
    table_headings(rows, "processors|used|elapsed");
    if (simulated) {
        table_headings(rows, "simulated|error");
    }
    table_headings(rows, "lower bound|gap|speedup|efficiency|traffic|load|all used|T|clustered at|method|");
    rows->left[rows->columns - 2] = rows->left[rows->columns - 1] = true;
}

static void add_row(table *rows, const inlay_pareto_result *front, size_t i, bool simulated)
{
    const inlay_pareto_point *point = inlay_pareto_point_at(front, i);
    bool knee = i == inlay_pareto_summary_of(front)->knee;
    table_cells(rows, "%" PRId32 "|%" PRId32 "|%.10g", point->processors, point->clusters, point->elapsed);
    if (simulated) {
        char error[ERROR_TEXT];
        table_cells(rows, "%.10g|%s", point->simulated, simulated_error_text(point->elapsed, point->simulated, error));
    }
    table_cells(rows, "%.6g|%.1f %%|%.4g|%.3f|%" PRId64 "|%.4g|%.10g|%.10g|%.10g|%s|%s", point->lower_bound,
                100 * point->gap, point->speedup, point->efficiency, point->traffic, point->load,
                point->front ? (double)NAN : point->elapsed_all, point->time_frame, point->clustered_at,
                inlay_pareto_method_words(point),
                knee           ? "knee"
                : point->front ? ""
                               : "no gain");
}

static int print_rows(const inlay_pareto_result *front, bool all)
{
    size_t count = inlay_pareto_points(front);
    bool whole = all || count <= FIRST_ROWS + LAST_ROWS, simulated = is_simulated(front);
    table rows = {0};
    add_headings(&rows, simulated);
    for (size_t i = 0; i < count; i++) {
        if (whole || i < FIRST_ROWS || i + LAST_ROWS >= count) {
            add_row(&rows, front, i, simulated);
        }
    }
    int status = rows.failed ? INLAY_NO_MEMORY : INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < table_rows(&rows); i++) {
        if (!whole && i == FIRST_ROWS + 1) {
            say(stdout, "... (%zu more points; --verbose lists all)\n", count - FIRST_ROWS - LAST_ROWS);
        }
        table_print_row(&rows, i, false, stdout);
        say(stdout, "\n");
    }
    table_clear(&rows);
    return status;
}

/* ---- The whole ---- */

static void print_heading(const inlay_pareto_result *front, const char *unit)
{
    const inlay_pareto_summary *s = inlay_pareto_summary_of(front);
    say(stdout, "%-s on %-s, times in %s\nelapsed time %s\n\n", inlay_app_name(inlay_pareto_app(front)),
        inlay_machine_text(inlay_pareto_machine(front)), unit,
        s->rank == INLAY_PARETO_ESTIMATE ? "at the time frame T in force" : "with T equal to it");
}

static void print_point(const inlay_pareto_point *point, const char *unit)
{
    say(stdout, "%" PRId32 " processor%s, %.10g %s", point->clusters, point->clusters == 1 ? "" : "s", point->elapsed,
        unit);
    if (!isnan(point->speedup)) {
        say(stdout, ": speedup %.4g, efficiency %.3f", point->speedup, point->efficiency);
    }
}

static const inlay_pareto_point *shortest(const inlay_pareto_result *front)
{
    return inlay_pareto_point_at(front, inlay_pareto_points(front) - 1);
}

static void print_looked_at(const inlay_pareto_result *front)
{
    const inlay_pareto_summary *s = inlay_pareto_summary_of(front);
    say(stdout,
        "looked at    %s%zu clustering%s; %zu of them and the modules reduced to %s%" PRId32
        " number%s of processors, %" PRId64 " mappings\n",
        s->sweep_complete ? "all " : "a sample of ", s->clusterings, s->clusterings == 1 ? "" : "s", s->time_frames,
        s->processors_sampled ? "a sample of " : "", s->processors, s->processors == 1 ? "" : "s", s->candidates);
}

int pareto_print_table(const cli_answer *a)
{
    const inlay_pareto_result *front = a->of;
    const inlay_pareto_summary *s = inlay_pareto_summary_of(front);
    const char *unit = unit_word(inlay_app_unit(inlay_pareto_app(front)));
    print_heading(front, unit);
    int status = print_rows(front, a->call->common->verbose);
    if (status != INLAY_OK) {
        return status;
    }
    say(stdout, "\n");
    say_label(stdout, LABEL, "knee");
    print_point(inlay_pareto_point_at(front, s->knee), unit);
    say(stdout, " (the largest efficiency over elapsed time)\n");
    say_label(stdout, LABEL, "shortest");
    print_point(shortest(front), unit);
    say(stdout, "\n");
    say_label(stdout, LABEL, "front");
    say(stdout, "%zu of %zu points: shorter than all of fewer processors\n", s->front, inlay_pareto_points(front));
    print_looked_at(front);
    return INLAY_OK;
}

/* The table of `inlay pareto`: a row a number of processors, then the knee and what was looked at. */
#include "pareto.h"
#include "report.h"
#include "simulated.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

enum { LABEL = 12 };

/* ---- Rows ---- */

static char *elapsed_of(const inlay_pareto_result *front, const inlay_pareto_point *point, const char *unit,
                        char text[ELAPSED_TEXT])
{
    return simulated_elapsed_text(point->elapsed, point->elapsed_is, unit, inlay_pareto_machine(front), point->load,
                                  text);
}

static void add_row(table *rows, const inlay_pareto_result *front, size_t i, bool all)
{
    const inlay_pareto_point *point = inlay_pareto_point_at(front, i);
    char elapsed[ELAPSED_TEXT];
    bool knee = i == inlay_pareto_summary_of(front)->knee;
    table_cells(rows, "%" PRId32, point->processors);
    if (all) {
        table_cells(rows, "%" PRId32, point->clusters);
    }
    table_cell(rows, "%s", elapsed_of(front, point, NULL, elapsed));
    table_cells(rows, "%.4g|%.3f|%#.6g|%.1f %%|%" PRId64 "|%s|%s", point->speedup, point->efficiency,
                point->lower_bound, 100 * fmax(0, point->gap), point->traffic, point->method,
                knee           ? "knee"
                : point->front ? ""
                               : "no gain");
}

/* The front; `all`: points without gain, too. */
static int print_rows(const inlay_pareto_result *front, bool all)
{
    table rows = {0};
    table_headings(&rows, all ? "processors|used^4|elapsed" : "processors|elapsed");
    table_headings(&rows, "speedup^2|efficiency|lower bound^5|gap|traffic^6|method^3|");
    rows.left[rows.columns - 2] = rows.left[rows.columns - 1] = true;
    for (size_t i = 0; i < inlay_pareto_points(front); i++) {
        if (all || inlay_pareto_point_at(front, i)->front) {
            add_row(&rows, front, i, all);
        }
    }
    return table_print(&rows, stdout);
}

/* ---- The whole ---- */

static void print_heading(const inlay_pareto_result *front, const char *unit)
{
    say(stdout, "%-s on %-s, times in %s\n\n", inlay_app_name(inlay_pareto_app(front)),
        inlay_machine_text(inlay_pareto_machine(front)), unit);
}

static void print_point(const inlay_pareto_result *front, const inlay_pareto_point *point, const char *unit)
{
    char elapsed[ELAPSED_TEXT];
    say(stdout, "%" PRId32 " processor%s, %s", point->clusters, point->clusters == 1 ? "" : "s",
        elapsed_of(front, point, unit, elapsed));
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
    const inlay_winner *w = &inlay_pareto_summary_of(front)->winner;
    say(stdout, "looked at    %" PRId32 " schedules", w->judged);
    if (w->left_out > 0) {
        say(stdout, "; %" PRId32 " left out, the graph being large", w->left_out);
    }
    say(stdout, "\n");
}

int pareto_print_table(const cli_answer *a)
{
    const inlay_pareto_result *front = a->of;
    const inlay_pareto_summary *s = inlay_pareto_summary_of(front);
    const char *unit = inlay_unit_word(inlay_app_unit(inlay_pareto_app(front)));
    print_heading(front, unit);
    int status = print_rows(front, a->call->common->verbose);
    if (status != INLAY_OK) {
        return status;
    }
    say(stdout, "\n");
    say_label(stdout, LABEL, "knee");
    print_point(front, inlay_pareto_point_at(front, s->knee), unit);
    say(stdout, " (the largest efficiency over elapsed time)\n");
    say_label(stdout, LABEL, "shortest");
    print_point(front, shortest(front), unit);
    say(stdout, "\n");
    say_label(stdout, LABEL, "front");
    say(stdout, "%zu of %zu points: shorter than all of fewer processors\n", s->front, inlay_pareto_points(front));
    print_looked_at(front);
    return INLAY_OK;
}

/* The table of `inlay speedup`: a row a number of cores, with a bar as long as its speed-up. */
#include "speedup.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BAR = 20, LABEL = 16 };

static void bar_of(double speedup, double most, char text[BAR + 1])
{
    size_t length = most > 0 && speedup > 0 ? (size_t)lround(BAR * speedup / most) : 0;
    memset(text, '#', length);
    text[length] = '\0';
}

static int print_rows(const inlay_speedup_result *of)
{
    table rows = {0};
    bool spread = inlay_speedup_replications(of) > 1;
    size_t count = inlay_speedup_points(of);
    double most = 0;
    table_headings(&rows, spread ? "cores|elapsed|5 %^1|95 %^1|lower bound^2|speedup|efficiency|"
                                 : "cores|elapsed|lower bound^2|speedup|efficiency|");
    rows.left[rows.columns - 1] = true;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, inlay_speedup_point_at(of, i).speedup);
    }
    for (size_t i = 0; i < count; i++) {
        inlay_speedup_point at = inlay_speedup_point_at(of, i);
        char bar[BAR + 1];
        bar_of(at.speedup, most, bar);
        table_cells(&rows, "%" PRId32 "|%#.6g", at.processors, at.elapsed);
        if (spread) {
            table_cells(&rows, "%#.6g|%#.6g", at.p05, at.p95);
        }
        table_cells(&rows, "%#.6g|%.4g|%.3f|%s", at.lower_bound, at.speedup, at.efficiency, bar);
    }
    return table_print(&rows, stdout);
}

/* What a main memory and its accelerators moved. */
static int print_memories(const inlay_speedup_result *of)
{
    table rows = {0};
    bool rate = isfinite(inlay_speedup_point_at(of, 0).rate);
    bool best = strcmp(inlay_speedup_point_at(of, 0).winner, inlay_speedup_scheduler(of)) != 0;
    char headings[128];
    (void)snprintf(headings, sizeof headings, "cores|bytes moved|at least|evictions|write-backs|waiting%s%s",
                   rate ? "|Gflop/s" : "", best ? "|scheduler" : "");
    table_headings(&rows, headings);
    for (size_t i = 0; i < inlay_speedup_points(of); i++) {
        inlay_speedup_point at = inlay_speedup_point_at(of, i);
        table_cells(&rows, "%" PRId32 "|%" PRId64 "|%" PRId64 "|%" PRId64 "|%" PRId64 "|%.1f %%", at.processors,
                    at.moved, at.least_moved, at.evictions, at.write_backs, 100 * at.waiting);
        if (rate) {
            table_cells(&rows, "%.5g", at.rate / 1e9);
        }
        if (best) {
            table_cells(&rows, "%s", at.winner);
        }
    }
    say(stdout, "\n");
    return table_print(&rows, stdout);
}

int speedup_print_table(const cli_answer *a)
{
    const inlay_speedup_result *of = a->of;
    const inlay_app *app = inlay_speedup_app(of);
    say(stdout, "%-s on %-s under %s, times in %s\n\n", inlay_app_name(app), inlay_speedup_machine(of),
        inlay_speedup_scheduler(of), inlay_unit_word(inlay_app_unit(app)));
    int status = print_rows(of);
    if (status == INLAY_OK && inlay_speedup_point_at(of, 0).has_memories) {
        status = print_memories(of);
    }
    if (status != INLAY_OK) {
        return status;
    }
    double work = inlay_speedup_work(of), path = inlay_speedup_path(of);
    say(stdout, "\n");
    say_label(stdout, LABEL, "work");
    say(stdout, "%.10g, all modules one after the other\n", work);
    say_label(stdout, LABEL, "critical path");
    say(stdout, "%.10g", path);
    if (path > 0) {
        say(stdout, ": no speed-up above %.4g", work / path);
    }
    say(stdout, "\n");
    return INLAY_OK;
}

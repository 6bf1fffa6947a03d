/* The table of `inlay reduce`. */
#include "reduce.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

enum { MOST_ROWS = 100, DIGITS = 6, LABEL = 15 };

static const char *kind_word(const reduced *of, inlay_id module)
{
    return inlay_stochastic_is_eor(of->graph, module) ? "eor" : "and";
}

static double executions(const reduced *of)
{
    return (double)of->options.executions;
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* All executions together: they do not depend on each other. */
static double work_deviation(const reduced *of)
{
    return sqrt(executions(of)) * inlay_stochastic_summary_of(of->graph)->work_deviation;
}

/* ---- The tables ---- */

static void add_row(table *rows, const reduced *of, inlay_id i, double work)
{
    double time = inlay_stochastic_time(of->graph, i);
    table_cell(rows, "%s", inlay_stochastic_module_name(of->graph, i));
    table_cells(rows, "%s|%.*g|%.*g|%.1f %%", kind_word(of, i), DIGITS,
                executions(of) * inlay_stochastic_visits(of->graph, i), DIGITS, executions(of) * time,
                work > 0 ? 100 * time / work : 0);
    table_cell(rows, "%s", inlay_stochastic_place(of->graph, &of->options, of->app, i));
}

static int print_modules(const reduced *of, bool all)
{
    const inlay_stochastic_summary *s = inlay_stochastic_summary_of(of->graph);
    inlay_id shown = all || s->modules <= MOST_ROWS ? s->modules : MOST_ROWS;
    table rows = {.left = {true, true, [5] = true}};
    table_headings(&rows, "module|kind|visits|time|share|becomes");
    for (inlay_id i = 0; i < shown; i++) {
        add_row(&rows, of, i, s->work);
    }
    int status = table_print(&rows, stdout);
    if (shown < s->modules) {
        say(stdout, "... (%" PRId32 " more modules; --verbose lists all)\n", s->modules - shown);
    }
    return status;
}

static void print_work(const reduced *of)
{
    const inlay_stochastic_summary *s = inlay_stochastic_summary_of(of->graph);
    const char *unit = inlay_unit_word(inlay_stochastic_unit(of->graph));
    double mean = executions(of) * s->work, deviation = work_deviation(of);
    say(stdout, "%-*s mean %.*g %s, standard deviation %.*g", LABEL, "total work", DIGITS, mean, unit, DIGITS,
        deviation);
    if (mean > 0) {
        say(stdout, " (%.1f %%)", 100 * deviation / mean);
    }
    say(stdout, "\n");
    if (s->blocks > 0) {
        say(stdout, "%-*s mean %.*g %s\n", LABEL, "data blocks", DIGITS, executions(of) * s->block_time, unit);
    }
}

static void print_loops(const reduced *of)
{
    const inlay_stochastic_summary *s = inlay_stochastic_summary_of(of->graph);
    if (s->loops > 0) {
        say(stdout, "%-*s %" PRId32 " of %" PRId32 " module%s, %s\n", LABEL, "loops", s->loops, s->looped,
            plural(s->looped),
            of->options.cycles == INLAY_CYCLES_FOLD ? "each folded into one" : "links that go back made traffic");
    }
}

static void print_app(const reduced *of)
{
    inlay_app_totals sum = inlay_app_sum(of->app);
    char text[TIME_TEXT];
    say(stdout,
        "%-*s %" PRId32 " module%s, %" PRId64 " link%s, %" PRId64 " message%s, %" PRId64 " bytes, %s %s of work%s%s\n",
        LABEL, "application", inlay_app_modules(of->app), plural(inlay_app_modules(of->app)), inlay_app_links(of->app),
        plural(inlay_app_links(of->app)), sum.messages, plural(sum.messages), sum.bytes,
        time_text(of->app, sum.work, text), inlay_unit_word(inlay_app_unit(of->app)), of->path != NULL ? " -> " : "",
        of->path != NULL ? of->path : "");
}

int reduced_print(const cli_answer *a)
{
    const reduced *of = a->of;
    const inlay_stochastic_summary *s = inlay_stochastic_summary_of(of->graph);
    say(stdout, "%s: %" PRId32 " module%s (%" PRId32 " EOR), %" PRId64 " link%s, %" PRId32 " data block%s; ",
        inlay_stochastic_name(of->graph), s->modules, plural(s->modules), s->eor_modules, s->links, plural(s->links),
        s->blocks, plural(s->blocks));
    if (of->options.executions == 1) {
        say(stdout, "one execution");
    } else {
        say(stdout, "%" PRId64 " executions", of->options.executions);
    }
    say(stdout, ", times in %s\n\n", inlay_unit_word(inlay_stochastic_unit(of->graph)));
    int status = print_modules(of, a->call->common->verbose);
    if (status == INLAY_OK) {
        say(stdout, "\n");
        print_work(of);
        print_loops(of);
        print_app(of);
    }
    return status;
}

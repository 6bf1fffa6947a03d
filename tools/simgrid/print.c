/* The table of a run on SimGrid. */
#include "report.h"
#include "simgrid.h"
#include "table.h"
#include <inttypes.h>
#include <math.h>

/* Of more rows the first are shown. */
enum { MOST_PROCESSORS = 100, LABEL = 15, DIGITS = 10 };

static inlay_id clusters_of(const inlay_engine_run *c)
{
    return inlay_mapping_summary(c->mapping)->clusters;
}

static void add_processor(table *rows, const inlay_engine_run *c, inlay_id cluster)
{
    const inlay_engine_processor *of = &c->processor[cluster];
    table_cells(rows, "%" PRId32 "|%.*g|%.1f %%|%" PRId64 "|%" PRId64,
                inlay_mapping_cluster(c->mapping, cluster).processor, DIGITS, of->busy,
                c->makespan > 0 ? 100 * of->busy / c->makespan : 0, of->sent, of->received);
}

static int print_processors(const inlay_engine_run *c, bool all)
{
    inlay_id shown = all || clusters_of(c) <= MOST_PROCESSORS ? clusters_of(c) : MOST_PROCESSORS;
    table rows = {0};
    table_headings(&rows, "processor|busy|busy share|sent|received");
    for (inlay_id k = 0; k < shown; k++) {
        add_processor(&rows, c, k);
    }
    int status = table_print(&rows, stdout);
    if (status == INLAY_OK && shown < clusters_of(c)) {
        say(stdout, "... (%" PRId32 " more processors; --verbose lists all)\n", clusters_of(c) - shown);
    }
    return status;
}

/* To three digits. */
static double round_off(double x)
{
    double unit = x > 0 ? pow(10, floor(log10(x)) - 2) : 1;
    return round(x / unit) * unit;
}

static void print_elapsed(const inlay_engine_run *c, const char *unit)
{
    double difference = inlay_engine_difference(c);
    say(stdout, "elapsed time    %.*g %s", DIGITS, c->makespan, unit);
    if (c->last_module < c->makespan) {
        say(stdout, " (the last module ends at %.*g)", DIGITS, c->last_module);
    }
    say(stdout, "\n");
    say(stdout, "Inlay's engine  %.*g %s", DIGITS, c->inlay, unit);
    if (isfinite(difference)) {
        say(stdout, ", %.2f %% %s", 100 * fabs(difference), difference < 0 ? "less" : "more");
    }
    say(stdout, "\n");
}

int simgrid_print_table(const simulate_values *values, const inlay_engine_run *c)
{
    const inlay_app *app = inlay_mapping_app(c->mapping);
    const char *unit = inlay_unit_word(inlay_app_unit(app));
    const inlay_summary *sum = inlay_mapping_summary(c->mapping);
    char band[INLAY_BAND_TEXT];
    say(stdout, "%-s on %-s, simulated by SimGrid %s (%s); times in %s\n\n", inlay_app_name(app),
        inlay_machine_text(inlay_mapping_machine(c->mapping)), c->version,
        simgrid_model(inlay_mapping_machine(c->mapping)), unit);
    int status = print_processors(c, values->common.verbose);
    if (status != INLAY_OK) {
        return status;
    }
    say(stdout, "\n");
    print_elapsed(c, unit);
    say_label(stdout, LABEL, "estimate");
    say(stdout, "%.*g %s by the mapping (%s)\n", DIGITS, sum->estimate, unit,
        inlay_estimate_band_text(inlay_mapping_machine(c->mapping), sum->load, band));
    say_label(stdout, LABEL, "simulated");
    say(stdout, "%" PRId32 " modules, %" PRId64 " messages\n", inlay_app_modules(app), c->messages);
    say(stdout, "speed           SimGrid %.0f, Inlay %.0f modules a second\n",
        round_off(inlay_engine_speed(c, c->engine_seconds)), round_off(inlay_engine_speed(c, c->inlay_seconds)));
    return INLAY_OK;
}

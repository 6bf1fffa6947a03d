/* The table that `map` and `evaluate` print: one line a processor, then the figures of the whole. */
#include "mapping.h"
#include "report.h"
#include "simulated.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { LABEL = 19 };

/* ---- Processors ---- */

enum { MOST_ROWS = 100, FIXED_COLUMNS = 6, LEAST_LIST = 30 };

static void add_heading(table *rows)
{
    static const char *const headings[FIXED_COLUMNS] = {"processor",   "busy",         "work",
                                                        "utilisation", "messages out", "memory"};
    for (size_t i = 0; i < FIXED_COLUMNS; i++) {
        table_cell(rows, "%s", headings[i]);
    }
}

static void add_processor(table *rows, const inlay_cluster_info *cluster)
{
    char memory[BYTES_TEXT];
    table_cells(rows, "%" PRId32 "|%.15g|%.15g|%.1f %%|%" PRId64, cluster->processor, cluster->busy, cluster->work,
                100 * cluster->utilisation, cluster->messages_out);
    table_cell(rows, "%s", bytes_text(cluster->memory, memory));
}

/* Columns that "... (N more)" takes. */
static size_t more_width(inlay_id count)
{
    return count == 0 ? 0 : (size_t)snprintf(NULL, 0, "... (%" PRId32 " more)", count);
}

/* Module names in execution order, from column `indent` on: as many as fit one line, or all over several lines. */
static void print_modules(const inlay_app *app, const inlay_cluster_info *cluster, size_t indent, bool all, FILE *to)
{
    size_t width = output_width(to);
    width = width < indent + LEAST_LIST ? indent + LEAST_LIST : width;
    size_t column = indent;
    for (inlay_id i = 0; i < cluster->modules; i++) {
        const char *name = inlay_app_module_name(app, cluster->module[i]);
        size_t needed = text_width(name) + (column > indent);
        inlay_id rest = cluster->modules - i;
        if (!all && i > 0 && column + needed + (rest > 1 ? 1 + more_width(rest - 1) : 0) > width) {
            say(to, " ... (%" PRId32 " more)", rest);
            break;
        }
        if (column > indent && column + needed > width) {
            say(to, "\n%*s", (int)indent, "");
            column = indent;
            needed--;
        }
        say(to, "%s%-s", column > indent ? " " : "", name);
        column += needed;
    }
    say(to, "\n");
}

static int print_processors(const inlay_mapping *mapping, bool all, FILE *to)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    inlay_id clusters = inlay_mapping_summary(mapping)->clusters;
    inlay_id shown = all || clusters <= MOST_ROWS ? clusters : MOST_ROWS;
    table rows = {.columns = FIXED_COLUMNS};
    add_heading(&rows);
    for (inlay_id i = 0; i < shown; i++) {
        inlay_cluster_info cluster = inlay_mapping_cluster(mapping, i);
        add_processor(&rows, &cluster);
    }
    if (rows.failed) {
        table_clear(&rows);
        return INLAY_NO_MEMORY;
    }
    table_print_row(&rows, 0, true, to);
    say(to, "  modules\n");
    for (inlay_id i = 0; i < shown; i++) {
        inlay_cluster_info cluster = inlay_mapping_cluster(mapping, i);
        table_print_row(&rows, (size_t)i + 1, true, to);
        say(to, "  ");
        print_modules(app, &cluster, table_width(&rows) + 2, all, to);
    }
    if (shown < clusters) {
        say(to, "... (%" PRId32 " more processors; --verbose lists all)\n", clusters - shown);
    }
    table_clear(&rows);
    return INLAY_OK;
}

/* ---- Figures ---- */

static void print_constraints(const inlay_summary *sum, const inlay_machine *machine, const char *unit, FILE *to)
{
    say(to, "clusters            %" PRId32 " (%" PRId32 " processors allowed)", sum->clusters, sum->processors);
    if (sum->reduced_from >= 0) {
        say(to, ", reduced from %" PRId32, sum->reduced_from);
        if (sum->estimate_unreduced > 0) {
            say(to, ", which would take %.10g %s: %+.1f %%", sum->estimate_unreduced, unit,
                100 * (sum->estimate / sum->estimate_unreduced - 1));
        }
    }
    say(to, "\n");
    say_label(to, LABEL, "time frame T");
    say(to, "%s %s (%s)\n", sum->time_frame_text, unit, sum->time_frame_given ? "given" : "chosen; -T sets it");
    say(to, "work                %s\n",
        !sum->work_has_blocking ? "processing time"
        : sum->blocking_derived ? "processing time + blocking time (derived: the earliest start)"
                                : "processing time + blocking time");
    say_label(to, LABEL, "start");
    say(to, "%s\n", sum->streamed ? "streamed: while producers still run" : "when producers have finished");
    say_label(to, LABEL, "parallelism");
    bool overlap = sum->options.parallel == INLAY_PARALLEL_OVERLAP;
    say(to, "%" PRId32 " clusters %s (application: level width %" PRId32, sum->parallelism,
        overlap ? "at one instant" : "on one level", sum->level_width);
    if (sum->exact_width >= 0) {
        say(to, ", exact width %" PRId32, sum->exact_width);
    }
    say(to, ")\n");
    if (sum->common_blocks > 0) {
        char bytes[BYTES_TEXT];
        inlay_id memories = inlay_machine_memories(machine);
        say(to, "common memory       %s in %" PRId32 " data block%s, %" PRId32 " %s\n",
            bytes_text(sum->common_memory, bytes), sum->common_blocks, sum->common_blocks == 1 ? "" : "s", memories,
            memories == 1 ? "memory" : "memories");
    }
}

static void print_network(const inlay_summary *sum, const inlay_machine *machine, const char *unit, FILE *to)
{
    say_label(to, LABEL, "traffic");
    if (sum->traffic_in_bytes) {
        say(to, "%" PRId64 " bytes in ", sum->traffic);
    }
    say(to, "%" PRId64 " messages between processors\n", sum->messages);
    if (sum->weighted_traffic != sum->traffic || sum->weighted_in_order >= 0) {
        say(to, "traffic x distance  %" PRId64, sum->weighted_traffic);
        if (sum->weighted_in_order >= 0) {
            say(to, " (%" PRId64 " with processors in order", sum->weighted_in_order);
            if (sum->weighted_nearest >= 0) {
                say(to, ", %" PRId64 " by nearest placement, before exchanges", sum->weighted_nearest);
            }
            say(to, ")");
        }
        say(to, "\n");
    }
    say_label(to, LABEL, "network");
    if (sum->free_network) {
        say(to, "free: the machine has no %s\n", inlay_machine_switch(machine) > 0 ? "cycle" : "capacity");
        return;
    }
    say(to, "u %.6g of u_limit %.6g (load %.6g), rho %.6g\n", sum->u, sum->u_limit, sum->load, sum->rho);
    say_label(to, LABEL, "message delay");
    say(to, "D %.6g, tau %.6g %s a %s", sum->delay, sum->tau, unit, sum->traffic_in_bytes ? "byte" : "message");
    if (sum->latency > 0) {
        say(to, ", latency %.6g %s", sum->latency, unit);
    }
    say(to, "\n");
}

/* On a machine with links: which of them is at work for longest, of those that are used. */
static int print_busiest_link(const inlay_mapping *mapping, FILE *to)
{
    const inlay_machine *machine = inlay_mapping_machine(mapping);
    inlay_link_load *loads = NULL;
    size_t count = 0;
    int status = inlay_mapping_links(mapping, &loads, &count, NULL);
    if (status == INLAY_OK && count > 0) {
        char name[INLAY_MACHINE_NAME];
        bool bytes = inlay_mapping_summary(mapping)->traffic_in_bytes;
        say(to,
            "busiest link        %-s: u %.6g, %" PRId64 " %s%s, %" PRId32 " flow%s; %zu of %" PRId32
            " links are used\n",
            inlay_machine_link_name(machine, loads[0].link, name), loads[0].utilisation, loads[0].traffic,
            bytes ? "byte" : "message", loads[0].traffic == 1 ? "" : "s", loads[0].flows,
            loads[0].flows == 1 ? "" : "s", count, inlay_machine_links(machine));
    }
    free(loads);
    return status;
}

/* Which of the three bounds is the largest. */
static const char *bound_name(const inlay_summary *sum)
{
    if (sum->bound_critical_path >= sum->lower_bound) {
        return "critical path";
    }
    return sum->bound_work >= sum->lower_bound ? "work / processors" : "longest module";
}

static void print_simulated(const inlay_summary *sum, double simulated, const char *unit, FILE *to)
{
    if (!isfinite(simulated)) {
        return;
    }
    say(to, "simulated time      %.10g %s", simulated, unit);
    if (simulated > 0) {
        char error[ERROR_TEXT];
        say(to, "; the estimate is off by %s", simulated_error_text(sum->estimate, simulated, error));
    }
    say(to, "\n");
}

/* What the user planned, beside the simulation or the estimate. */
static void print_plan(const mapping_outcome *of, const char *unit, FILE *to)
{
    inlay_plan_distance d;
    bool simulated = of->simulation != NULL && inlay_simulation_plan_distance(of->simulation, &d);
    if (simulated || inlay_mapping_plan_distance(of->mapping, &d)) {
        say_label(to, LABEL, "planned time");
        say_plan(&d, inlay_mapping_app(of->mapping), unit, simulated ? "simulated" : "estimated", to);
    }
}

static void print_makespan(const inlay_summary *sum, double simulated, const char *unit, FILE *to)
{
    say(to, "elapsed time        %.10g %s estimated; ", sum->estimate, unit);
    if (isfinite(sum->estimate_fixed_point)) {
        say(to, "%.10g with T equal to it\n", sum->estimate_fixed_point);
    } else {
        say(to, "none with T equal to it\n");
    }
    print_simulated(sum, simulated, unit, to);
    say_label(to, LABEL, "lower bound");
    say(to, "%.10g %s (%s), gap %.1f %%\n", sum->lower_bound, unit, bound_name(sum), 100 * sum->gap);
    say_label(to, LABEL, "speedup");
    if (isfinite(sum->speedup)) {
        say(to, "%.4g, efficiency %.4g\n", sum->speedup, sum->efficiency);
    } else {
        say(to, "none: the elapsed time is 0\n");
    }
    say_label(to, LABEL, "fits with delay");
    say(to, "%s\n", sum->fits_with_delay ? "yes" : "no: a processor's work and messages need more than T");
}

/* Behind a price: a blank and the currency, if there is one. */
static void say_currency(const inlay_machine *machine, FILE *to)
{
    const char *currency = inlay_machine_currency(machine);
    if (currency != NULL) {
        say(to, " %-s", currency);
    }
}

static void say_who_pays(const inlay_summary *sum, FILE *to)
{
    say(to, " (%" PRId32 " processor%s for %.4g s, each ", sum->clusters, sum->clusters == 1 ? "" : "s", sum->seconds);
}

/* What a run takes, of machines that tell; nothing where a tick has no length. */
static void print_run(const inlay_summary *sum, const inlay_machine *machine, FILE *to)
{
    double price = 0, power = 0;
    inlay_machine_price(machine, &price);
    inlay_machine_power(machine, &power);
    if (isfinite(sum->price)) {
        say(to, "price of a run      %.4g", sum->price);
        say_currency(machine, to);
        say_who_pays(sum, to);
        say(to, "%.4g", price);
        say_currency(machine, to);
        say(to, " an hour)\n");
    }
    if (isfinite(sum->energy)) {
        bool large = sum->energy >= 1000;
        say_label(to, LABEL, "energy of a run");
        say(to, "%.4g %s, %.4g Wh", large ? sum->energy / 1000 : sum->energy, large ? "kJ" : "J", sum->energy / 3600);
        say_who_pays(sum, to);
        say(to, "%.4g W)\n", power);
    }
}

/* What the layout has changed. */
static void print_before(const mapping_outcome *of, const char *unit, FILE *to)
{
    if (of->in_order == NULL) {
        return;
    }
    const inlay_summary *before = inlay_mapping_summary(of->in_order);
    say(to, "before the layout   busiest link u %.6g, %.10g %s estimated", before->u, before->estimate, unit);
    if (isfinite(of->in_order_simulated)) {
        say(to, ", %.10g simulated", of->in_order_simulated);
    }
    say(to, " (processors in order)\n");
}

static void print_winner(const inlay_winner *w, const char *unit, FILE *to)
{
    if (w->method == NULL) {
        return;
    }
    say(to, "method best         %s on %d processor%s, the shortest of %d schedules simulated", w->method,
        w->processors, w->processors == 1 ? "" : "s", w->judged);
    if (w->left_out > 0) {
        say(to, "; %d left out, the graph being large", w->left_out);
    }
    if (isfinite(w->houstis)) {
        say(to, "; houstis takes %.10g %s", w->houstis, unit);
    }
    say(to, "\n");
}

int mapping_print(const mapping_outcome *of, bool all, FILE *to)
{
    const inlay_mapping *mapping = of->mapping;
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    const inlay_app *app = inlay_mapping_app(mapping);
    const inlay_machine *machine = inlay_mapping_machine(mapping);
    const char *unit = unit_word(inlay_app_unit(app));
    say(to, "%-s on %-s, method %s, times in %s\n\n", inlay_app_name(app), inlay_machine_text(machine), sum->method,
        unit);
    int status = print_processors(mapping, all, to);
    if (status == INLAY_OK) {
        say(to, "\n");
        print_constraints(sum, machine, unit, to);
        print_network(sum, machine, unit, to);
        status = print_busiest_link(mapping, to);
        print_plan(of, unit, to);
        print_makespan(sum, simulated_time(of->simulation), unit, to);
        print_winner(&sum->winner, unit, to);
        print_before(of, unit, to);
        print_run(sum, machine, to);
    }
    return status;
}

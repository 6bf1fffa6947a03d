/* The table that `map` and `evaluate` print: one line a processor, then the figures of the whole. */
#include "mapping.h"
#include "report.h"
#include "simulated.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 19 };

/* ---- Processors ---- */

enum { MOST_ROWS = 100, LEAST_LIST = 24 };

/* Work and utilisation are of T: they are told where there is one to keep to, or all is asked for. */
static bool tells_frame(const inlay_mapping *mapping, bool all)
{
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    const inlay_method *method = inlay_method_named(sum->method);
    return all || sum->time_frame_given || (method != NULL && method->time_frame);
}

static void add_processor(table *rows, const inlay_mapping *mapping, const inlay_cluster_info *cluster, bool frame)
{
    char memory[BYTES_TEXT];
    double elapsed = inlay_mapping_summary(mapping)->elapsed;
    table_cells(rows, "%" PRId32 "|%.15g|%.1f %%", cluster->processor, cluster->busy,
                elapsed > 0 ? 100 * cluster->busy / elapsed : (double)NAN);
    if (frame) {
        table_cells(rows, "%.15g|%.1f %%", cluster->work, 100 * cluster->utilisation);
    }
    table_cells(rows, "%" PRId64, cluster->messages_out);
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
    bool frame = tells_frame(mapping, all);
    table rows = {.margin = 2 + LEAST_LIST};
    table_headings(&rows, "processor|busy|of elapsed^1");
    if (frame) {
        table_headings(&rows, "work^3|utilisation^2");
    }
    table_headings(&rows, "messages out^4|memory^5");
    for (inlay_id i = 0; i < shown; i++) {
        inlay_cluster_info cluster = inlay_mapping_cluster(mapping, i);
        add_processor(&rows, mapping, &cluster, frame);
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
    table_end(&rows, to);
    return INLAY_OK;
}

/* ---- Figures ---- */

static void print_frame(const inlay_summary *sum, const char *unit, FILE *to)
{
    say_label(to, LABEL, "time frame T");
    say(to, "%s %s (%s); ", sum->time_frame_text, unit, sum->time_frame_given ? "given" : "chosen; -T sets it");
    say(to, sum->fits_with_delay ? "all work and messages fit\n" : "a processor's work and messages need more\n");
}

static void print_rules(const inlay_summary *sum, const char *unit, FILE *to)
{
    if (sum->estimate_unreduced > 0) {
        say(to, "before reduction    %#.6g %s estimated on %" PRId32 " processors (unstudied): %+.1f %%\n",
            sum->estimate_unreduced, unit, sum->reduced_from, 100 * (sum->estimate / sum->estimate_unreduced - 1));
    }
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
}

static void print_memory(const inlay_summary *sum, const inlay_machine *machine, FILE *to)
{
    if (sum->common_blocks > 0) {
        char bytes[BYTES_TEXT];
        inlay_id memories = inlay_machine_memories(machine);
        say(to, "common memory       %s in %" PRId32 " data block%s, %" PRId32 " %s\n",
            bytes_text(sum->common_memory, bytes), sum->common_blocks, sum->common_blocks == 1 ? "" : "s", memories,
            memories == 1 ? "memory" : "memories");
    }
}

static void print_traffic(const inlay_summary *sum, FILE *to)
{
    say_label(to, LABEL, "traffic");
    if (sum->traffic_in_bytes) {
        say(to, "%" PRId64 " bytes in ", sum->traffic);
    }
    say(to, "%" PRId64 " message%s between processors\n", sum->messages, sum->messages == 1 ? "" : "s");
}

static void print_network(const inlay_summary *sum, const inlay_machine *machine, const char *unit, FILE *to)
{
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

/* Below which time no mapping comes, and not this placement. */
static void print_bounds(const inlay_mapping *mapping, const char *unit, FILE *to)
{
    inlay_bound any = inlay_mapping_largest_bound(mapping, false), placed = inlay_mapping_largest_bound(mapping, true);
    say_label(to, LABEL, "lower bound");
    say(to, "%#.6g %s (%s)\n", any.value, unit, any.words);
    if (placed.value > any.value) {
        say_label(to, LABEL, "of this placement");
        say(to, "%#.6g %s (%s)\n", placed.value, unit, placed.words);
    }
}

/* What the user planned, beside what it comes to. */
static void print_plan(const inlay_mapping *mapping, const char *unit, FILE *to)
{
    inlay_plan_distance d;
    if (inlay_mapping_plan_distance(mapping, &d)) {
        bool simulated = inlay_mapping_summary(mapping)->elapsed_is == INLAY_ELAPSED_SIMULATED;
        say_label(to, LABEL, "planned time");
        say_plan(&d, inlay_mapping_app(mapping), unit, simulated ? "simulated" : "estimated", to);
    }
}

/* "simulated, at most 3.1 % above the optimum"; hundredths of a percent are none. */
static void print_elapsed(const inlay_mapping *mapping, const char *unit, FILE *to)
{
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    say_label(to, LABEL, "elapsed time");
    char interval[INTERVAL_TEXT];
    double low, high;
    inlay_mapping_interval(mapping, &low, &high);
    say(to, "%#.6g %s%s ", sum->elapsed, unit, simulated_interval_text(low, high, interval));
    if (sum->elapsed_is == INLAY_ELAPSED_SCREEN) {
        char band[INLAY_BAND_TEXT];
        say(to, "by one pass over the links (%s; --max-events simulates)",
            inlay_screen_band_text(inlay_mapping_machine(mapping), sum->load, band));
    } else {
        say(to, "simulated");
    }
    if (sum->elapsed_is == INLAY_ELAPSED_SIMULATED && sum->gap < 5e-5) {
        say(to, ", the optimum");
    } else if (sum->elapsed_is == INLAY_ELAPSED_SIMULATED && isfinite(sum->gap)) {
        say(to, ", at most %.1f %% above the optimum", fmax(0.1, 100 * sum->gap));
    }
    say(to, "\n");
}

static void print_times(const inlay_mapping *mapping, const char *unit, FILE *to)
{
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    print_elapsed(mapping, unit, to);
    print_plan(mapping, unit, to);
    say_label(to, LABEL, "processors");
    say(to, "%" PRId32 " of %" PRId32, sum->clusters, sum->processors);
    if (sum->reduced_from >= 0) {
        say(to, ", reduced from %" PRId32 " clusters", sum->reduced_from);
    }
    say(to, "\n");
    say_label(to, LABEL, "speedup");
    if (isfinite(sum->speedup)) {
        say(to, "%.4g, efficiency %.4g\n", sum->speedup, sum->efficiency);
    } else {
        say(to, "none: the elapsed time is 0\n");
    }
    print_bounds(mapping, unit, to);
}

/* What keeps runs apart in this placement. */
static void say_limit(const inlay_machine *machine, const inlay_bound *limit, FILE *to)
{
    char name[INLAY_MACHINE_NAME];
    if (strcmp(limit->name, "compute") == 0) {
        say(to, "processor %" PRId32, limit->at);
    } else if (strcmp(limit->name, "link") == 0 && inlay_machine_has_links(machine)) {
        say(to, "link %-s", inlay_machine_link_name(machine, limit->at, name));
    } else {
        say(to, "%s", limit->words);
    }
}

/* Of what is run again and again: how closely runs can follow each other, and whether that is close enough. */
static void print_period(const inlay_mapping *mapping, const char *unit, FILE *to)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    bool asked = inlay_mapping_summary(mapping)->options.objective == INLAY_OBJECTIVE_PERIOD;
    double wanted = inlay_app_period(app);
    if (!(wanted > 0) && inlay_app_sdf(app) == NULL && !asked) {
        return;
    }
    inlay_least_period least = inlay_mapping_least_period(mapping);
    say_label(to, LABEL, "least period");
    say(to, "%#.6g %s (", least.of_placement.value, unit);
    say_limit(inlay_mapping_machine(mapping), &least.of_placement, to);
    say(to, ")");
    if (least.gap < 5e-5) {
        say(to, ", the optimum");
    } else if (isfinite(least.gap)) {
        say(to, ", at most %.1f %% above the optimum", fmax(0.1, 100 * least.gap));
    }
    if (wanted > 0) {
        bool kept = least.of_placement.value <= wanted;
        say(to, kept ? "; that of %.10g can be kept" : "; that of %.10g cannot be kept", wanted);
    }
    say(to, "\n");
}

/* By the paper's formula. */
static void print_estimate(const inlay_mapping *mapping, const char *unit, bool all, FILE *to)
{
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    char error[ERROR_TEXT], band[INLAY_BAND_TEXT];
    say_label(to, LABEL, "estimate");
    say(to, "%#.6g %s by formula: %s (%s)", sum->estimate, unit,
        simulated_error_text(sum->estimate, sum->elapsed, error),
        inlay_estimate_band_text(inlay_mapping_machine(mapping), sum->load, band));
    if (all && isfinite(sum->estimate_fixed_point)) {
        say(to, "; %#.6g with T equal to it (unstudied)", sum->estimate_fixed_point);
    } else if (all) {
        say(to, "; none with T equal to it");
    }
    say(to, "\n");
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
    say(to, "before the layout   busiest link u %.6g, %#.6g %s (processors in order)\n", before->u, before->elapsed,
        unit);
}

/* What local search has changed in a placement of the user's. */
static void print_unimproved(const mapping_outcome *of, const char *unit, FILE *to)
{
    if (!isnan(of->unimproved)) {
        say(to, "before the search   %#.6g %s\n", of->unimproved, unit);
    }
}

/* From what local search came to this, and how long it took. */
static void say_search(const inlay_winner *w, double from, bool improved, FILE *to)
{
    if (improved) {
        say(to, "; improved from %#.6g by local search, %" PRId64 " evaluations", from, w->evaluations);
    } else if (w->evaluations > 0) {
        say(to, "; local search found none shorter, %" PRId64 " evaluations", w->evaluations);
    }
}

static void print_winner(const inlay_summary *sum, const char *unit, FILE *to)
{
    const inlay_winner *w = &sum->winner;
    bool by_period = sum->options.objective == INLAY_OBJECTIVE_PERIOD;
    if (w->method == NULL) {
        return;
    }
    say(to, "method best         %s on %d processor%s, the shortest%s of %d schedules simulated", w->method,
        w->processors, w->processors == 1 ? "" : "s", by_period ? " period" : "", w->judged);
    if (w->left_out > 0) {
        say(to, "; %d left out, the graph being large", w->left_out);
    }
    if (by_period) {
        say_search(w, w->period_unimproved, w->period < w->period_unimproved, to);
    } else {
        say_search(w, w->unimproved, w->elapsed < w->unimproved, to);
    }
    if (isfinite(w->houstis)) {
        say(to, "; houstis takes %#.6g %s", w->houstis, unit);
    }
    say(to, "\n");
    if (isfinite(w->risk)) {
        say(to,
            "with spread times   %#.6g %s, %s of %d runs with times spread by 10 %% and by 30 %%; the shortest with "
            "exact "
            "times, %#.6g, has %#.6g\n",
            w->risk, unit, sum->options.risk == INLAY_RISK_Q90 ? "0.9 quantile" : "mean", INLAY_RISK_REPLICATIONS,
            w->exact, w->exact_risk);
    }
}

int mapping_print(const mapping_outcome *of, bool all, FILE *to)
{
    const inlay_mapping *mapping = of->mapping;
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    const inlay_app *app = inlay_mapping_app(mapping);
    const inlay_machine *machine = inlay_mapping_machine(mapping);
    const char *unit = inlay_unit_word(inlay_app_unit(app));
    say(to, "%-s on %-s, method %s, times in %s\n\n", inlay_app_name(app), inlay_machine_text(machine), sum->method,
        unit);
    int status = print_processors(mapping, all, to);
    if (status == INLAY_OK) {
        say(to, "\n");
        print_times(mapping, unit, to);
        print_traffic(sum, to);
        print_period(mapping, unit, to);
        if (tells_frame(mapping, all)) {
            print_frame(sum, unit, to);
        }
        print_estimate(mapping, unit, all, to);
        print_memory(sum, machine, to);
        if (all) {
            print_rules(sum, unit, to);
            print_network(sum, machine, unit, to);
        }
        status = status == INLAY_OK ? print_busiest_link(mapping, to) : status;
        print_winner(sum, unit, to);
        print_before(of, unit, to);
        print_unimproved(of, unit, to);
        print_run(sum, machine, to);
    }
    return status;
}

/* The tables of `inlay simulate`: processors, resources of the network, critical path, then the figures of the whole. */
#include "report.h"
#include "simulate.h"
#include "simulated.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Of more rows the first are shown; of more pieces of the path the longest. */
enum { MOST_PROCESSORS = 100, MOST_RESOURCES = 40, MOST_STEPS = 20, LABEL = 15, DIGITS = 10, STEP_NAME = 80 };

/* All rows, then how many are not there; frees them. */
static int print_table(table *rows, size_t left_out, const char *of_what)
{
    int status = table_print(rows, stdout);
    if (status == INLAY_OK && left_out > 0) {
        say(stdout, "... (%zu %s; --verbose lists all)\n", left_out, of_what);
    }
    say(stdout, "\n");
    return status;
}

static double share(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

/* ---- Processors ---- */

static int print_processors(const inlay_simulation *simulation, bool all)
{
    inlay_id clusters = inlay_mapping_summary(inlay_simulation_mapping(simulation))->clusters;
    inlay_id shown = all || clusters <= MOST_PROCESSORS ? clusters : MOST_PROCESSORS;
    double makespan = inlay_simulation_result(simulation)->makespan;
    table rows = {0};
    bool copied = clusters > 0 && inlay_simulation_processor(simulation, 0).memory_peak >= 0;
    table_headings(&rows,
                   copied ? "processor|busy|communicating^2|blocked^2|idle^1|busy share|sent^3|received^3|peak memory^4"
                          : "processor|busy|communicating|blocked|idle|busy share|sent|received");
    for (inlay_id c = 0; c < shown; c++) {
        inlay_simulated_processor of = inlay_simulation_processor(simulation, c);
        const char *form = "%" PRId32 "|%.*g|%.*g|%.*g|%.*g|%.1f %%|%" PRId64 "|%" PRId64 "|%" PRId64;
        form = copied ? form : "%" PRId32 "|%.*g|%.*g|%.*g|%.*g|%.1f %%|%" PRId64 "|%" PRId64;
        table_cells(&rows, form, of.processor, DIGITS, of.busy, DIGITS, of.communicating, DIGITS, of.blocked, DIGITS,
                    of.idle, share(of.busy, makespan), of.sent, of.received, of.memory_peak);
    }
    return print_table(&rows, (size_t)(clusters - shown), "more processors");
}

/* ---- Resources ---- */

static void add_resource(table *rows, const inlay_resource *of)
{
    table_cell(rows, "%s", of->name);
    table_cells(rows, "%.1f %%|%.4g|%" PRId64 "|%.6g|%" PRId64, 100 * of->utilisation, of->mean_queue,
                of->largest_queue, of->mean_delay, of->transfers);
}

/* By utilisation, the largest first. */
static int compare_resources(const void *a, const void *b)
{
    const inlay_resource *x = a, *y = b;
    int by_use = (x->utilisation < y->utilisation) - (x->utilisation > y->utilisation);
    return by_use != 0 ? by_use : (x->index > y->index) - (x->index < y->index);
}

/* Links by utilisation; other resources as they stand. */
static inlay_resource *sorted_resources(const inlay_simulation *simulation, size_t count)
{
    inlay_resource *list = calloc(count, sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++) {
        list[i] = inlay_simulation_resource(simulation, i);
    }
    if (list != NULL && list[0].kind == INLAY_RESOURCE_LINK) {
        qsort(list, count, sizeof *list, compare_resources);
    }
    return list;
}

/* Those that nobody asked for anything are left out. */
static int print_resources(const inlay_simulation *simulation, bool all)
{
    size_t count = inlay_simulation_resources(simulation), shown = 0;
    table rows = {.left = {true}};
    if (count == 0 || (inlay_simulation_result(simulation)->messages == 0 && !all)) {
        return INLAY_OK;
    }
    inlay_resource *list = sorted_resources(simulation, count);
    if (list == NULL) {
        return INLAY_NO_MEMORY;
    }
    table_headings(&rows, "resource|utilisation|mean queue^1|largest queue^2|mean delay^1|requests^3");
    for (size_t i = 0; i < count; i++) {
        if (all || (list[i].transfers > 0 && shown < MOST_RESOURCES)) {
            add_resource(&rows, &list[i]);
            shown++;
        }
    }
    free(list);
    return print_table(&rows, count - shown, "more resources");
}

/* ---- The critical path ---- */

static double length_of(const inlay_step *step)
{
    return step->to - step->from;
}

/* Longer pieces first; of equal ones the earlier. */
static int longer_step(const void *a, const void *b)
{
    const inlay_step *x = *(const inlay_step *const *)a, *y = *(const inlay_step *const *)b;
    if (length_of(x) != length_of(y)) {
        return length_of(x) > length_of(y) ? -1 : 1;
    }
    return (x > y) - (x < y);
}

static int earlier_step(const void *a, const void *b)
{
    const inlay_step *x = *(const inlay_step *const *)a, *y = *(const inlay_step *const *)b;
    return (x > y) - (x < y);
}

/* The longest pieces in the order of time; the caller frees them. NULL when out of memory. */
static const inlay_step **choose_steps(const inlay_step *steps, size_t count, size_t shown)
{
    const inlay_step **chosen = calloc(count + 1, sizeof(const inlay_step *));
    if (chosen != NULL) {
        for (size_t i = 0; i < count; i++) {
            chosen[i] = &steps[i];
        }
        qsort(chosen, count, sizeof *chosen, longer_step);
        qsort(chosen, shown, sizeof *chosen, earlier_step);
    }
    return chosen;
}

/* Copies printable characters to *at as long as they fit before `end`; a longer name is cut. */
static void add_name(char **at, const char *end, const char *name)
{
    for (const char *c = name; *c != '\0' && *at < end; c++) {
        bool continues = ((unsigned char)*c & 0xC0) == 0x80; /* a character is not cut */
        if (*at + 4 >= end && !continues) {
            break;
        }
        *(*at)++ = (char)((unsigned char)*c < ' ' || *c == 127 ? '?' : *c);
    }
    **at = '\0';
}

/* A module, or "a -> b" of a message. */
static void step_name(const inlay_simulation *simulation, const inlay_step *step, char name[STEP_NAME])
{
    const inlay_app *app = inlay_mapping_app(inlay_simulation_mapping(simulation));
    size_t count;
    char *at = name, *end = name + STEP_NAME - 1;
    if (step->module >= 0) {
        add_name(&at, end, inlay_app_module_name(app, step->module));
        return;
    }
    const inlay_simulated_message *message = &inlay_simulation_messages(simulation, &count)[step->message];
    const char *from =
        message->from >= 0 ? inlay_app_module_name(app, message->from) : inlay_app_block_name(app, message->block);
    add_name(&at, name + STEP_NAME / 2, from);
    add_name(&at, end, " -> ");
    add_name(&at, end, inlay_app_module_name(app, message->to));
}

static void add_step(table *rows, const inlay_simulation *simulation, const inlay_step *step)
{
    char name[STEP_NAME];
    const inlay_mapping *mapping = inlay_simulation_mapping(simulation);
    size_t count;
    inlay_id cluster = step->module >= 0 ? inlay_mapping_cluster_of(mapping, step->module)
                                         : inlay_simulation_messages(simulation, &count)[step->message].sender;
    step_name(simulation, step, name);
    table_cell(rows, "%s", inlay_step_name(step->kind));
    table_cell(rows, "%s", name);
    table_cells(rows, "%" PRId32 "|%.*g|%.*g|%.*g|%.1f %%", inlay_mapping_cluster(mapping, cluster).processor, DIGITS,
                step->from, DIGITS, step->to, DIGITS, length_of(step),
                share(length_of(step), inlay_simulation_recorded_makespan(simulation)));
}

static int print_path(const inlay_simulation *simulation, bool all)
{
    const inlay_simulation_summary *sum = inlay_simulation_result(simulation);
    size_t count;
    const inlay_step *steps = inlay_simulation_path(simulation, &count);
    size_t shown = all || count <= MOST_STEPS ? count : MOST_STEPS;
    const inlay_step **chosen = choose_steps(steps, count, shown);
    if (chosen == NULL) {
        return INLAY_NO_MEMORY;
    }
    say(stdout, "critical path%s: ", sum->replications > 1 ? " of the first replication" : "");
    if (isfinite(sum->compute)) {
        say(stdout, "compute %.1f %%, wait %.1f %%, network %.1f %%\n", 100 * sum->compute, 100 * sum->wait,
            100 * sum->network);
    } else {
        say(stdout, "nothing takes time\n\n");
        free(chosen);
        return INLAY_OK;
    }
    table rows = {.left = {true, true}};
    table_headings(&rows, "piece|of|processor^1|from^2|to^2|takes|share");
    for (size_t i = 0; i < shown; i++) {
        add_step(&rows, simulation, chosen[i]);
    }
    free(chosen);
    return print_table(&rows, count - shown, "shorter pieces");
}

/* ---- The whole ---- */

/* The study simulates with overlap, queues, constant times and a core for each processor. */
static bool is_studied(const simulate_values *values, const inlay_simulation *simulation)
{
    const inlay_simulation_options *o = inlay_simulation_chosen(simulation);
    return values->scale == NULL && o->contention == INLAY_CONTENTION_QUEUES && !o->no_overlap &&
           o->module_time.kind == INLAY_SPREAD_CONSTANT && o->transfer_time.kind == INLAY_SPREAD_CONSTANT &&
           !inlay_simulation_shares_cores(simulation);
}

static void print_estimate(const simulate_values *values, const inlay_simulation *simulation, const char *unit)
{
    double error = values->scale == NULL ? inlay_simulation_estimate_error(simulation) : (double)NAN;
    const inlay_mapping *mapping = inlay_simulation_mapping(simulation);
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    char band[INLAY_BAND_TEXT];
    say(stdout, "estimate        %.*g %s by the mapping", DIGITS, sum->estimate, unit);
    if (isfinite(error)) {
        say(stdout, ", %.2f %% %s", 100 * fabs(error), error < 0 ? "too short" : "too long");
    } else {
        say(stdout, "%s%s", values->scale != NULL ? ", without --scale" : "",
            inlay_simulation_shares_cores(simulation) ? ", with a core for each processor" : "");
    }
    say(stdout, " (%s)\n",
        is_studied(values, simulation) ? inlay_estimate_band_text(inlay_mapping_machine(mapping), sum->load, band)
                                       : inlay_error_band_text(NULL, band));
}

/* Words for --cores. */
static void print_cores(const inlay_simulation *simulation)
{
    inlay_id cores = inlay_simulation_chosen(simulation)->cores;
    inlay_id used = inlay_mapping_summary(inlay_simulation_mapping(simulation))->clusters;
    if (inlay_simulation_shares_cores(simulation)) {
        say(stdout, "cores           %" PRId32 ", shared by %" PRId32 " processors\n", cores, used);
    } else if (cores > 0) {
        say(stdout, "cores           %" PRId32 ": every processor that is used has one\n", cores);
    }
}

static void print_replications(const inlay_simulation_summary *sum, const char *unit)
{
    say(stdout, "replications    %" PRId64 ": mean %.*g %s, give or take %.4g (95 %% confidence)\n", sum->replications,
        DIGITS, sum->makespan, unit, sum->half_width);
    say(stdout, "                half of them take at most %.6g, 95 %% at most %.6g, all from %.6g to %.6g\n", sum->p50,
        sum->p95, sum->least, sum->most);
}

static void print_figures(const simulate_values *values, const inlay_simulation *simulation, const char *unit)
{
    const inlay_simulation_summary *sum = inlay_simulation_result(simulation);
    say(stdout, "elapsed time    %.*g %s", DIGITS, sum->makespan, unit);
    if (isfinite(sum->low)) {
        say(stdout, " (%.4g to %.4g, %.4g %%)", sum->low, sum->high,
            100 * inlay_simulation_chosen(simulation)->confidence);
    } else if (sum->replications > 1) {
        say(stdout, " (%.4g to %.4g, 90 %% of the runs)", sum->p05, sum->p95);
    }
    if (sum->last_module < sum->makespan) {
        say(stdout, " (the last module ends at %.*g)", DIGITS, sum->last_module);
    }
    say(stdout, "\n");
    if (sum->replications > 1) {
        print_replications(sum, unit);
    }
    print_cores(simulation);
    print_estimate(values, simulation, unit);
    inlay_plan_distance d;
    if (inlay_simulation_plan_distance(simulation, &d)) {
        say_label(stdout, LABEL, "planned");
        say_plan(&d, inlay_mapping_app(inlay_simulation_mapping(simulation)), unit, "simulated", stdout);
    }
    say(stdout, "simulated       %" PRId64 " modules, %" PRId64 " messages, %" PRId64 " events%s\n", sum->modules,
        sum->messages, sum->events, sum->random ? ", at random: --seed repeats them" : "");
}

int simulate_print_table(const cli_answer *a)
{
    const simulate_values *values = a->call->values;
    const inlay_simulation *simulation = a->of;
    bool all = values->common.verbose;
    const inlay_mapping *mapping = inlay_simulation_mapping(simulation);
    const inlay_app *app = inlay_mapping_app(mapping);
    const char *unit = inlay_unit_word(inlay_app_unit(app));
    say(stdout, "%-s on %-s, simulated; times in %s\n\n", inlay_app_name(app),
        inlay_machine_text(inlay_mapping_machine(mapping)), unit);
    int status = print_processors(simulation, all);
    status = status == INLAY_OK ? print_resources(simulation, all) : status;
    status = status == INLAY_OK ? print_path(simulation, all) : status;
    if (status == INLAY_OK) {
        print_figures(values, simulation, unit);
    }
    return status;
}

/* `inlay info`: facts about applications, and about machines. */
#include "answer.h"
#include "commands.h"
#include "info.h"
#include "reading.h"
#include "raster.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct info_values {
    reading_values reading;
    const char *format;
    inlay_id processors;
    const char *bandwidth, *svg;
    bool parallelism;
} info_values;

static const cli_option options[] = {
    {"processors", 'p', OPTION_COUNT, "P",
     "also tell the bounds on P processors: work / P, and that of Fernandez and Bussell", NULL,
     offsetof(info_values, processors)},
    {"format", 0, OPTION_STRING, "FORMAT", "format of all APP; `inlay --version` lists them",
     "told by content and extension", offsetof(info_values, format)},
};
static const cli_option figures[] = {
    {"bandwidth", 0, OPTION_STRING, "RATE",
     "also tell the communication-to-computation ratio: all traffic at that rate, such as 1GB/s, or messages a tick, "
     "over "
     "the work",
     NULL, offsetof(info_values, bandwidth)},
    {"parallelism", 0, OPTION_FLAG, NULL, "also tell how many modules run at once over time", NULL,
     offsetof(info_values, parallelism)},
    {"svg", 0, OPTION_STRING, "FILE", "draw that as SVG", NULL, offsetof(info_values, svg)},
};
static const cli_group more = {"More of applications", figures, sizeof figures / sizeof *figures};

static const cli_group input = {"Input", options, sizeof options / sizeof *options};

/* The operands: applications, or machines, the other ones are NULL. */
typedef struct described {
    size_t count;
    inlay_app **app;
    inlay_machine **machine;
} described;

static bool are_machines(const described *all)
{
    return all->machine[0] != NULL;
}

/* Bytes a second, or messages a tick; 0 where none is given, or it is no rate. */
static double bandwidth_of(const info_values *values)
{
    inlay_rate rate;
    if (values->bandwidth == NULL || inlay_rate_parse(values->bandwidth, &rate) != INLAY_OK) {
        return 0;
    }
    double seconds = inlay_unit_seconds(rate.per); /* ticks have no length, nor has no unit */
    return seconds > 0 ? rate.value / seconds : rate.value;
}

static int write_json(const cli_answer *a, const char *path)
{
    const info_values *values = a->call->values;
    const described *all = a->of;
    const inlay_result_context context = result_context(a->call, a->diag);
    const inlay_app_facts facts = {values->processors, bandwidth_of(values), values->parallelism};
    return are_machines(all)
               ? inlay_machines_write_json((const inlay_machine *const *)all->machine, all->count, &context, path,
                                           a->diag)
               : inlay_apps_write_json((const inlay_app *const *)all->app, all->count, &facts, &context, path, a->diag);
}

/* ---- The table ---- */

static bool any_data(const described *all)
{
    bool any = false;
    for (size_t i = 0; i < all->count; i++) {
        any = any || inlay_app_data(all->app[i]) > 0;
    }
    return any;
}

static bool any_dataflow(const described *all)
{
    bool any = false;
    for (size_t i = 0; i < all->count; i++) {
        any = any || inlay_app_sdf(all->app[i]) != NULL;
    }
    return any;
}

static bool any_period(const described *all)
{
    bool any = false;
    for (size_t i = 0; i < all->count; i++) {
        any = any || inlay_app_period(all->app[i]) > 0;
    }
    return any;
}

/* Actors and channels, iterations, and the least period as a whole number or a fraction. */
static void add_dataflow(table *rows, const inlay_app *app)
{
    const inlay_sdf *sdf = inlay_app_sdf(app);
    if (sdf == NULL) {
        table_cells(rows, "-|-|-|-");
        return;
    }
    inlay_sdf_period period = inlay_sdf_least_period(sdf);
    table_cells(rows, "%" PRId32 "|%" PRId64 "|%" PRId32, inlay_sdf_actors(sdf), inlay_sdf_channels(sdf),
                inlay_app_iterations(app));
    if (!period.bounded) {
        table_cell(rows, "none");
    } else if (period.denominator == 1) {
        table_cell(rows, "%" PRId64, period.numerator);
    } else {
        table_cell(rows, "%" PRId64 "/%" PRId64, period.numerator, period.denominator);
    }
}

/* The bounds of so many processors. */
static int add_shared_bounds(table *rows, const inlay_app *app, inlay_id processors, inlay_diag *diag)
{
    inlay_bound *bounds = calloc(inlay_bounds(), sizeof *bounds);
    int status = bounds == NULL ? INLAY_NO_MEMORY : inlay_app_bounds(app, processors, bounds, diag);
    for (size_t i = 0; status == INLAY_OK && i < inlay_bounds(); i++) {
        if (strcmp(bounds[i].name, "work") == 0 || strcmp(bounds[i].name, "fernandez_bussell") == 0) {
            table_cell(rows, "%.10g", bounds[i].value);
        }
    }
    free(bounds);
    return status;
}

static int add_row(table *rows, const inlay_app *app, const described *all, const info_values *values, inlay_diag *diag)
{
    inlay_id processors = values->processors;
    inlay_app_info info;
    char text[TIME_TEXT];
    int status = inlay_app_describe(app, &info, diag);
    if (status != INLAY_OK) {
        return status;
    }
    table_cell(rows, "%s", inlay_app_name(app));
    table_cells(rows, "%s|%" PRId32 "|%" PRId64 "|%" PRId32 "|%" PRId32, inlay_unit_word(inlay_app_unit(app)),
                inlay_app_modules(app), inlay_app_links(app), info.depth, info.level_width);
    table_cell(rows, info.exact_width < 0 ? "-" : "%" PRId32, info.exact_width);
    table_cells(rows, "%" PRId64 "|%" PRId64, info.messages, info.bytes);
    if (any_data(all)) {
        table_cells(rows, "%" PRId32 "|%" PRId64 "|%" PRId64, inlay_app_data(app), info.data_bytes,
                    info.data_bytes_each);
    }
    table_cell(rows, "%s", time_text(app, info.work, text));
    table_cell(rows, "%s", time_text(app, info.longest_module, text));
    table_cell(rows, "%s", time_text(app, info.critical_path, text));
    if (any_period(all)) {
        table_cell(rows, inlay_app_period(app) > 0 ? "%.10g" : "-", inlay_app_period(app));
    }
    if (any_dataflow(all)) {
        add_dataflow(rows, app);
    }
    if (values->bandwidth != NULL) {
        table_cells(rows, "%.4g", inlay_app_ccr(app, bandwidth_of(values)));
    }
    return processors > 0 ? add_shared_bounds(rows, app, processors, diag) : INLAY_OK;
}

/* A line of the run that the file records, beside the times below which its hosts could not come. */
static int print_recorded(const inlay_app *app, inlay_diag *diag)
{
    const inlay_recorded *run = inlay_app_recorded(app);
    inlay_app_info info;
    char text[TIME_TEXT];
    int status = run == NULL ? INLAY_OK : inlay_app_describe(app, &info, diag);
    if (run == NULL || status != INLAY_OK) {
        return status;
    }
    say(stdout, "recorded run of %s: ", inlay_app_name(app));
    say(stdout, run->makespan > 0 ? "%.10g s" : "no makespan", run->makespan);
    if (run->system != NULL) {
        say(stdout, " under %s", run->system);
    }
    say(stdout, ", %" PRId32 " host%s", run->hosts, run->hosts == 1 ? "" : "s");
    if (run->cores > 0) {
        say(stdout, " with %" PRId64 " core%s", run->cores, run->cores == 1 ? "" : "s");
    }
    say(stdout, "; longest path %s s", time_text(app, info.critical_path, text));
    if (run->cores > 0) {
        say(stdout, ", work / cores %.6g s", inlay_app_in_units(app, info.work) / (double)run->cores);
    }
    say(stdout, "\n");
    return INLAY_OK;
}

static int print_apps(const described *all, const info_values *values, inlay_diag *diag)
{
    inlay_id processors = values->processors;
    table rows = {.left = {true, true}};
    int status = INLAY_OK;
    table_headings(&rows, "application|unit|modules|links^1|depth^3|width^2|exact width^5|messages^4|bytes^4");
    if (any_data(all)) {
        table_headings(&rows, "data^5|data bytes^5|bytes to each^6");
    }
    table_headings(&rows, "work|longest module^3|critical path");
    if (any_period(all)) {
        table_headings(&rows, "period^1");
    }
    if (any_dataflow(all)) {
        table_headings(&rows, "actors^3|channels^6|iterations^6|least period^1");
    }
    if (values->bandwidth != NULL) {
        table_headings(&rows, "ccr^1");
    }
    if (processors > 0) {
        char work[32];
        (void)snprintf(work, sizeof work, "work / %" PRId32, processors);
        table_headings(&rows, work);
        table_headings(&rows, "Fernandez-Bussell");
    }
    for (size_t i = 0; status == INLAY_OK && i < all->count; i++) {
        status = add_row(&rows, all->app[i], all, values, diag);
    }
    status = status == INLAY_OK ? table_print(&rows, stdout) : status;
    table_clear(&rows);
    for (size_t i = 0; status == INLAY_OK && i < all->count; i++) {
        status = print_recorded(all->app[i], diag);
    }
    for (size_t i = 0; status == INLAY_OK && values->parallelism && i < all->count; i++) {
        status = parallelism_print(all->app[i], diag);
    }
    return status;
}

static int print_machines(const described *all, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < all->count; i++) {
        inlay_machine_facts facts = {0};
        status = inlay_machine_describe(all->machine[i], &facts, diag);
        if (status == INLAY_OK) {
            say(stdout, i > 0 ? "\n" : "");
            facts_print(&facts);
        }
        inlay_machine_facts_clear(&facts);
    }
    return status;
}

static int print_either(const cli_answer *a)
{
    const described *all = a->of;
    return are_machines(all) ? print_machines(all, a->diag) : print_apps(all, a->call->values, a->diag);
}

/* ---- The command ---- */

static int write_svg(const cli_answer *a, const char *path)
{
    const described *all = a->of;
    return inlay_parallelism_draw_svg((const inlay_app *const *)all->app, all->count, path, a->diag);
}

static const cli_output info_files[] = {
    {"JSON", .write = write_json},
    {"--svg", offsetof(info_values, svg), .write = write_svg},
    {0},
};

static int check_bandwidth(const invocation *call)
{
    const info_values *values = call->values;
    return values->bandwidth == NULL || bandwidth_of(values) > 0
               ? EXIT_DONE
               : report_usage(call->command, "--bandwidth %s; expected a rate above 0, such as 1GB/s or 2msg/tick",
                              values->bandwidth);
}

/* Machines and applications have different facts, and are told one kind at a time. */
static int check_kinds(const invocation *call, const described *all)
{
    const info_values *values = call->values;
    size_t machines = 0, odd = 0;
    for (size_t i = 0; i < all->count; i++) {
        bool is_machine = all->machine[i] != NULL;
        machines += is_machine;
        odd = is_machine == (machines == i + 1) ? odd : i;
    }
    if (machines > 0 && machines < all->count) {
        return report_usage(call->command, "'%s' is %s, others are not; expected applications or machines alone",
                            call->operands[odd], all->machine[odd] != NULL ? "a machine" : "no machine");
    }
    if (machines > 0 &&
        (values->processors > 0 || values->bandwidth != NULL || values->parallelism || values->svg != NULL)) {
        return report_usage(call->command, "%s goes with applications alone",
                            values->processors > 0      ? "--processors"
                            : values->bandwidth != NULL ? "--bandwidth"
                            : values->parallelism       ? "--parallelism"
                                                        : "--svg");
    }
    return EXIT_DONE;
}

static int read_operands(const invocation *call, described *all, inlay_diag *diag)
{
    const info_values *values = call->values;
    reading how;
    int status = reading_of(call, &values->reading, values->format, &how);
    for (size_t i = 0; status == INLAY_OK && i < all->count; i++) {
        const char *operand = call->operands[i];
        status = reading_asks(&how) ? inlay_app_read_as(operand, &how.how, &all->app[i], diag)
                                    : inlay_app_or_machine_read(operand, NULL, &all->app[i], &all->machine[i], diag);
    }
    free(how.names);
    return status == INLAY_OK ? check_kinds(call, all) : status;
}

static int answer_info(const invocation *call, inlay_diag *diag)
{
    size_t count = (size_t)call->operand_count;
    described all = {count, calloc(count, sizeof *all.app), calloc(count, sizeof *all.machine)};
    bool room = all.app != NULL && all.machine != NULL;
    int status = room ? read_operands(call, &all, diag) : INLAY_NO_MEMORY;
    status = status == INLAY_OK ? give_out(call, &all, diag) : status;
    for (size_t i = 0; room && i < count; i++) {
        inlay_app_free(all.app[i]);
        inlay_machine_free(all.machine[i]);
    }
    free(all.app);
    free(all.machine);
    return status;
}

const cli_command info_command = {
    .name = "info",
    .summary = "size, width, depth, critical path and bounds; or a machine's parts",
    .description =
        "Tells of each application how many modules and links it has, on how many levels (depth), how many "
        "modules stand on the fullest level (width) and how many could at most run at once (exact width, - where "
        "the graph is too large for it), what it sends, how many data it has, "
        "with the bytes of all of them, each once or once to each of its consumers, and below which elapsed time no "
        "machine can come: the "
        "critical path, the longest module and, with -p, the work divided by the processors and the bound of Fernandez "
        "and Bussell (docs/bounds.md). Where a file of WfFormat records a run, a line tells how long that took and on "
        "how many hosts.\n"
        "Tells of each machine its processors by type, speed and memory, its switches and links, the most and the "
        "mean links between two hosts, and, where it is known, how many links lie between two halves of it. A machine "
        "is "
        "a string such as mesh:8x8, a file, or host, which is this computer.",
    .example = "inlay info graphs/cholesky4.dot graphs/cholesky5.dot -p 4\n"
               "inlay info mesh:8x8,capacity=1GB/s",
    .operands = {{.name = "APP|MACHINE",
                  .help = "application graphs (- is standard input), or machines",
                  .repeats = true}},
    .groups = {&input, &more, &reading_options, &result_options, &picture_options, &common_options},
    .values_size = sizeof(info_values),
    .outputs = info_files,
    .print = print_either,
    .check = check_bandwidth,
    .answer = answer_info,
};

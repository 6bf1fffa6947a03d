/* `inlay info`: facts about applications, and about machines. */
#include "allowed.h"
#include "commands.h"
#include "info.h"
#include "report.h"
#include "result.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

typedef struct info_values {
    common_values common;
    const char *format;
    inlay_id processors;
} info_values;

static const cli_option options[] = {
    {"processors", 'p', OPTION_COUNT, "P", "also tell the bound work / P", NULL, offsetof(info_values, processors)},
    {"format", 0, OPTION_STRING, "FORMAT", "format of all APP; `inlay --version` lists them",
     "told by content and extension", offsetof(info_values, format)},
};
static const cli_group input = {"Input", options, sizeof options / sizeof *options};

/* Work over P processors in the application's unit; NaN where no P is given. */
static double work_bound(const described *one, inlay_id processors)
{
    return processors > 0 ? inlay_app_in_units(one->app, one->info.work) / processors : NAN;
}

/* ---- JSON ---- */

static void put_time(result *out, const char *key, const described *one, inlay_time time)
{
    char text[TIME_TEXT];
    result_exact(out, key, time_text(one->app, time, text));
}

static void put_members(result *out, const described *one, inlay_id processors)
{
    const inlay_app_info *info = &one->info;
    result_string(out, "application", inlay_app_name(one->app));
    result_string(out, "time_unit", inlay_unit_name(inlay_app_unit(one->app)));
    result_integer(out, "modules", inlay_app_modules(one->app));
    result_integer(out, "links", inlay_app_links(one->app));
    result_integer(out, "precedence_links", info->precedence_links);
    result_integer(out, "blocks", inlay_app_blocks(one->app));
    result_integer(out, "depth", info->depth);
    result_integer(out, "width", info->level_width);
    result_count(out, "exact_width", info->exact_width);
    result_string(out, "start", info->streamed ? "stream" : "finish");
    put_time(out, "work", one, info->work);
    put_time(out, "critical_path", one, info->critical_path);
    result_integer(out, "traffic", info->messages);
    result_integer(out, "messages", info->messages);
    result_integer(out, "bytes", info->bytes);
    result_open(out, "lower_bounds", '{');
    put_time(out, "critical_path", one, info->critical_path);
    put_time(out, "longest_module", one, info->longest_module);
    result_number(out, "work", work_bound(one, processors));
    result_close(out, '}');
}

static void print_json(const invocation *call, const described *all, const inlay_diag *diag)
{
    const info_values *values = call->values;
    result out = {.to = stdout};
    result_open(&out, NULL, '{');
    result_common(&out, call, diag);
    if (call->operand_count == 1) {
        put_members(&out, all, values->processors);
    } else {
        result_open(&out, "applications", '[');
        for (int i = 0; i < call->operand_count; i++) {
            result_open(&out, NULL, '{');
            put_members(&out, &all[i], values->processors);
            result_close(&out, '}');
        }
        result_close(&out, ']');
    }
    result_close(&out, '}');
}

/* ---- The table ---- */

static void add_row(table *rows, const described *one, inlay_id processors)
{
    const inlay_app_info *info = &one->info;
    char text[TIME_TEXT];
    table_cell(rows, "%s", inlay_app_name(one->app));
    table_cell(rows, "%s", unit_word(inlay_app_unit(one->app)));
    table_cell(rows, "%" PRId32, inlay_app_modules(one->app));
    table_cell(rows, "%" PRId64, inlay_app_links(one->app));
    table_cell(rows, "%" PRId32, info->depth);
    table_cell(rows, "%" PRId32, info->level_width);
    table_cell(rows, info->exact_width < 0 ? "-" : "%" PRId32, info->exact_width);
    table_cell(rows, "%" PRId64, info->messages);
    table_cell(rows, "%" PRId64, info->bytes);
    table_cell(rows, "%s", time_text(one->app, info->work, text));
    table_cell(rows, "%s", time_text(one->app, info->longest_module, text));
    table_cell(rows, "%s", time_text(one->app, info->critical_path, text));
    if (processors > 0) {
        table_cell(rows, "%.10g", work_bound(one, processors));
    }
}

static int print_table(const invocation *call, const described *all)
{
    static const char *const headings[] = {"application", "unit",  "modules",        "links",
                                           "depth",       "width", "exact width",    "messages",
                                           "bytes",       "work",  "longest module", "critical path"};
    const info_values *values = call->values;
    size_t fixed = sizeof headings / sizeof *headings;
    table rows = {.columns = fixed + (values->processors > 0), .left = {true, true}};
    for (size_t i = 0; i < fixed; i++) {
        table_cell(&rows, "%s", headings[i]);
    }
    if (values->processors > 0) {
        table_cell(&rows, "work / %" PRId32, values->processors);
    }
    for (int i = 0; i < call->operand_count; i++) {
        add_row(&rows, &all[i], values->processors);
    }
    int status = rows.failed ? INLAY_NO_MEMORY : INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < table_rows(&rows); i++) {
        table_print_row(&rows, i, false, stdout);
        say(stdout, "\n");
    }
    table_clear(&rows);
    return status;
}

/* ---- The command ---- */

static int describe(const invocation *call, described *all, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (int i = 0; status == INLAY_OK && i < call->operand_count; i++) {
        status = inlay_app_describe(all[i].app, &all[i].info, diag);
    }
    if (status == INLAY_OK && call->common->json) {
        print_json(call, all, diag);
    } else if (status == INLAY_OK) {
        status = print_table(call, all);
    }
    return status;
}

/* Machines and applications have different facts, and are told one kind at a time. */
static int check_kinds(const invocation *call, const described *all)
{
    const info_values *values = call->values;
    int machines = 0, odd = 0;
    for (int i = 0; i < call->operand_count; i++) {
        bool is_machine = all[i].machine != NULL;
        machines += is_machine;
        odd = is_machine == (machines == i + 1) ? odd : i;
    }
    if (machines > 0 && machines < call->operand_count) {
        return report_usage(call->command, "'%s' is %s, others are not; expected applications or machines alone",
                            call->operands[odd], all[odd].machine != NULL ? "a machine" : "no machine");
    }
    if (machines > 0 && values->processors > 0) {
        return report_usage(call->command, "--processors goes with applications alone");
    }
    return EXIT_DONE;
}

static int read_and_describe(const invocation *call, described *all, inlay_diag *diag)
{
    const info_values *values = call->values;
    int status = INLAY_OK, machines = 0;
    for (int i = 0; status == INLAY_OK && i < call->operand_count; i++) {
        const char *operand = call->operands[i];
        status = values->format != NULL ? inlay_app_read(operand, values->format, &all[i].app, diag)
                                        : inlay_app_or_machine_read(operand, NULL, &all[i].app, &all[i].machine, diag);
        machines += all[i].machine != NULL;
    }
    int end = status == INLAY_OK ? check_kinds(call, all) : EXIT_DONE;
    if (end != EXIT_DONE) {
        return end;
    }
    if (status == INLAY_OK) {
        status = machines > 0 ? INLAY_OK : describe(call, all, diag);
    }
    return machines == call->operand_count && status == INLAY_OK ? info_machines(call, all, diag)
                                                                 : report_end(call, status, diag);
}

static int run(const invocation *call)
{
    inlay_diag *diag = new_diag();
    described *all = calloc((size_t)call->operand_count, sizeof *all);
    int end = diag != NULL && all != NULL ? read_and_describe(call, all, diag) : report_no_memory();
    for (int i = 0; all != NULL && i < call->operand_count; i++) {
        inlay_app_free(all[i].app);
        inlay_machine_free(all[i].machine);
    }
    free(all);
    inlay_diag_free(diag);
    return end;
}

const cli_command info_command = {
    .name = "info",
    .summary = "size, width, depth, critical path and bounds; or a machine's parts",
    .description =
        "Tells of each application how many modules and links it has, on how many levels (depth), how many "
        "modules stand on the fullest level (width) and how many could at most run at once (exact width, - where "
        "the graph is too large for it), what it sends, and below which elapsed time no machine can come: the "
        "critical path, the longest module and, with -p, the work divided by the processors.\n"
        "Tells of each machine its processors by type, speed and memory, its switches and links, the most and the "
        "mean links between two hosts, and, where it is known, how many links lie between two halves of it. A machine "
        "is "
        "a string such as mesh:8x8, a file, or host, which is this computer.",
    .example = "inlay info graphs/cholesky4.dot graphs/cholesky5.dot -p 4\n"
               "inlay info mesh:8x8,capacity=1GB/s",
    .operands = {{"APP|MACHINE", "application graphs (- is standard input), or machines", false, true}},
    .groups = {&input, &result_options, &common_options},
    .values_size = sizeof(info_values),
    .run = run,
};

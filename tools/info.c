/* `inlay info`: facts about applications, and about machines. */
#include "answer.h"
#include "commands.h"
#include "info.h"
#include "report.h"
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

static void put_time(inlay_json *out, const char *key, const described *one, inlay_time time)
{
    char text[TIME_TEXT];
    inlay_json_literal(out, key, time_text(one->app, time, text));
}

static void put_members(inlay_json *out, const described *one, inlay_id processors)
{
    const inlay_app_info *info = &one->info;
    inlay_json_string(out, "application", inlay_app_name(one->app));
    inlay_json_string(out, "time_unit", inlay_unit_name(inlay_app_unit(one->app)));
    inlay_json_integer(out, "modules", inlay_app_modules(one->app));
    inlay_json_integer(out, "links", inlay_app_links(one->app));
    inlay_json_integer(out, "precedence_links", info->precedence_links);
    inlay_json_integer(out, "blocks", inlay_app_blocks(one->app));
    inlay_json_integer(out, "depth", info->depth);
    inlay_json_integer(out, "width", info->level_width);
    inlay_json_count(out, "exact_width", info->exact_width);
    inlay_json_string(out, "start", info->streamed ? "stream" : "finish");
    put_time(out, "work", one, info->work);
    put_time(out, "critical_path", one, info->critical_path);
    inlay_json_integer(out, "traffic", info->messages);
    inlay_json_integer(out, "messages", info->messages);
    inlay_json_integer(out, "bytes", info->bytes);
    inlay_json_object(out, "lower_bounds");
    put_time(out, "critical_path", one, info->critical_path);
    put_time(out, "longest_module", one, info->longest_module);
    inlay_json_number(out, "work", work_bound(one, processors));
    inlay_json_object_end(out);
}

static int put_applications(inlay_json *out, const cli_answer *a)
{
    const info_values *values = a->call->values;
    const described *all = ((const info_answer *)a->of)->all;
    if (a->call->operand_count == 1) {
        put_members(out, all, values->processors);
        return INLAY_OK;
    }
    inlay_json_array(out, "applications");
    for (int i = 0; i < a->call->operand_count; i++) {
        inlay_json_object(out, NULL);
        put_members(out, &all[i], values->processors);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
    return INLAY_OK;
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
    return table_print(&rows, stdout);
}

/* ---- The command ---- */

static int put_either(inlay_json *out, const cli_answer *a)
{
    const info_answer *of = a->of;
    return of->facts != NULL ? facts_put_members(out, a->call, of->facts) : put_applications(out, a);
}

static int print_either(const cli_answer *a)
{
    const info_answer *of = a->of;
    if (of->facts == NULL) {
        return print_table(a->call, of->all);
    }
    for (int i = 0; i < a->call->operand_count; i++) {
        say(stdout, i > 0 ? "\n" : "");
        facts_print(&of->facts[i]);
    }
    return INLAY_OK;
}

static const cli_output info_files[] = {
    {"JSON", .members = put_either},
    {0},
};

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

static int read_operands(const invocation *call, described *all, inlay_diag *diag)
{
    const info_values *values = call->values;
    int status = INLAY_OK;
    for (int i = 0; status == INLAY_OK && i < call->operand_count; i++) {
        const char *operand = call->operands[i];
        status = values->format != NULL ? inlay_app_read(operand, values->format, &all[i].app, diag)
                                        : inlay_app_or_machine_read(operand, NULL, &all[i].app, &all[i].machine, diag);
    }
    return status == INLAY_OK ? check_kinds(call, all) : status;
}

/* What is known about each operand, all of which are of one kind. */
static int describe(const invocation *call, info_answer *of, inlay_diag *diag)
{
    size_t count = (size_t)call->operand_count;
    bool machines = of->all[0].machine != NULL;
    of->facts = machines ? calloc(count, sizeof *of->facts) : NULL;
    int status = machines && of->facts == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < count; i++) {
        status = machines ? facts_find(&of->facts[i], of->all[i].machine)
                          : inlay_app_describe(of->all[i].app, &of->all[i].info, diag);
    }
    return status;
}

static int answer_info(const invocation *call, inlay_diag *diag)
{
    info_answer of = {.all = calloc((size_t)call->operand_count, sizeof *of.all)};
    int status = of.all != NULL ? read_operands(call, of.all, diag) : INLAY_NO_MEMORY;
    if (status == INLAY_OK) {
        status = describe(call, &of, diag);
    }
    if (status == INLAY_OK) {
        status = give_out(call, &of, diag);
    }
    for (int i = 0; of.all != NULL && i < call->operand_count; i++) {
        if (of.facts != NULL) {
            facts_clear(&of.facts[i]);
        }
        inlay_app_free(of.all[i].app);
        inlay_machine_free(of.all[i].machine);
    }
    free(of.facts);
    free(of.all);
    return status;
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
    .operands = {{.name = "APP|MACHINE",
                  .help = "application graphs (- is standard input), or machines",
                  .repeats = true}},
    .groups = {&input, &result_options, &common_options},
    .values_size = sizeof(info_values),
    .outputs = info_files,
    .print = print_either,
    .answer = answer_info,
};

/* The rows of `inlay compare` as a table and as JSON. */
#include "compare.h"
#include "report.h"
#include "result.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const inlay_summary *summary_of(const compare_row *row)
{
    return inlay_mapping_summary(row->mapping);
}

static inlay_unit unit_of(const compare_row *row)
{
    return inlay_app_unit(row->app->app);
}

/* ---- What has to be said of machines of models 1 and 2 ---- */

enum { NOTE_TEXT = 512 };

/* Machines of models 1 and 2 with equal `transfers`; false where there are none. */
static bool find_pair(const comparison *all, const compare_input **one, const compare_input **two)
{
    for (size_t i = 0; i < all->input_count; i++) {
        const inlay_machine *first = all->inputs[i].machine;
        if (first == NULL || inlay_machine_model(first) != 1) {
            continue;
        }
        for (size_t j = 0; j < all->input_count; j++) {
            const inlay_machine *second = all->inputs[j].machine;
            if (second != NULL && inlay_machine_model(second) == 2 &&
                inlay_machine_transfers(first) == inlay_machine_transfers(second)) {
                *one = &all->inputs[i];
                *two = &all->inputs[j];
                return true;
            }
        }
    }
    return false;
}

/* The note in words; empty where there is nothing to say. Returns `text`. */
static const char *note(const comparison *all, char text[NOTE_TEXT])
{
    const compare_input *one, *two;
    text[0] = '\0';
    if (find_pair(all, &one, &two)) {
        (void)snprintf(
            text, NOTE_TEXT,
            "models 1 and 2 have one delay function: with equal transfers, %.100s and %.100s can differ only "
            "by processors, capacity, latency and memory; transfers=2 counts that a message is written into "
            "a common memory and read from it",
            one->name, two->name);
    }
    return text;
}

/* ---- The table ---- */

static const char *const headings[] = {"application", "machine",  "model",   "processors", "T",         "load",
                                       "tau",         "estimate", "speedup", "efficiency", "bottleneck"};
enum { COLUMNS = sizeof headings / sizeof *headings, FIGURES = 7 }; /* FIGURES: from processors to efficiency */

/* What keeps the estimate from being shorter, and how much of it that is. */
static void add_bottleneck(table *rows, const compare_row *row)
{
    char processor[16] = "";
    if (row->parts.limit == LIMIT_PROCESSOR) {
        (void)snprintf(processor, sizeof processor, " %" PRId32, row->parts.processor);
    }
    table_cell(rows, "%s%s: %.4g of %.4g %s", compare_limit_name(row->parts.limit), processor,
               compare_limit_time(&row->parts), summary_of(row)->estimate, unit_word(unit_of(row)));
}

static void add_figures(table *rows, const compare_row *row)
{
    const inlay_summary *sum = summary_of(row);
    table_cell(rows, "%" PRId32 " of %" PRId32, sum->clusters, inlay_machine_processors(row->machine->machine));
    table_cell(rows, "%s", sum->time_frame_text);
    if (sum->free_network) {
        table_cell(rows, "-");
        table_cell(rows, "free");
    } else {
        table_cell(rows, "%.4g", sum->load);
        table_cell(rows, "%.6g/%s", sum->tau, sum->traffic_in_bytes ? "byte" : "msg");
    }
    table_cell(rows, "%.7g %s", sum->estimate, unit_word(unit_of(row)));
    table_cell(rows, isfinite(sum->speedup) ? "%.4g" : "-", sum->speedup);
    table_cell(rows, isfinite(sum->efficiency) ? "%.4g" : "-", sum->efficiency);
    add_bottleneck(rows, row);
}

static void add_row(table *rows, const compare_row *row)
{
    const inlay_machine *machine = row->machine->machine;
    table_cell(rows, "%s", row->app->name);
    table_cell(rows, "%s", row->machine->name);
    table_cell(rows, "%d %s", inlay_machine_model(machine), inlay_family_name(inlay_machine_family(machine)));
    if (row->mapping != NULL) {
        add_figures(rows, row);
        return;
    }
    for (size_t i = 0; i < FIGURES; i++) {
        table_cell(rows, "-");
    }
    table_cell(rows, "no answer: %s", compare_reason(row));
}

int compare_print_table(const comparison *all)
{
    char text[NOTE_TEXT];
    table rows = {.columns = COLUMNS, .left = {true, true, true}};
    rows.left[COLUMNS - 1] = true;
    for (size_t i = 0; i < COLUMNS; i++) {
        table_cell(&rows, "%s", headings[i]);
    }
    for (size_t i = 0; i < all->row_count; i++) {
        add_row(&rows, &all->rows[i]);
    }
    int status = rows.failed ? INLAY_NO_MEMORY : INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < table_rows(&rows); i++) {
        table_print_row(&rows, i, false, stdout);
        say(stdout, "\n");
    }
    table_clear(&rows);
    if (status == INLAY_OK && note(all, text)[0] != '\0') {
        say(stdout, "\nnote: ");
        say_wrapped(stdout, text, strlen("note: "), 0, output_width(stdout));
    }
    return status;
}

/* ---- JSON ---- */

static void put_warnings(result *out, const inlay_diag *diag)
{
    for (size_t i = 0; i < inlay_diag_warnings(diag); i++) {
        result_string(out, NULL, inlay_diag_warning(diag, i));
    }
}

static void put_common(result *out, const invocation *call, const comparison *all)
{
    char text[NOTE_TEXT];
    result_string(out, "inlay", inlay_version());
    result_string(out, "command", call->command->name);
    result_integer(out, "seed", (int64_t)call->common->seed);
    result_open(out, "warnings", '[');
    for (size_t i = 0; i < all->input_count; i++) {
        put_warnings(out, all->inputs[i].diag);
    }
    result_close(out, ']');
    result_open(out, "notes", '[');
    if (note(all, text)[0] != '\0') {
        result_string(out, NULL, text);
    }
    result_close(out, ']');
}

static void put_network(result *out, const compare_row *row)
{
    const inlay_summary *sum = summary_of(row);
    result_open(out, "network", '{');
    result_bool(out, "free", sum->free_network);
    result_number(out, "u", sum->u);
    result_number(out, "u_limit", sum->u_limit);
    result_number(out, "load", sum->load);
    result_number(out, "tau", sum->tau);
    result_number(out, "latency", sum->latency);
    result_close(out, '}');
}

static void put_makespan(result *out, const compare_row *row)
{
    const inlay_summary *sum = summary_of(row);
    result_open(out, "makespan", '{');
    result_number(out, "estimate", sum->estimate);
    result_number(out, "estimate_fixed_point", sum->estimate_fixed_point);
    result_number(out, "lower_bound", sum->lower_bound);
    result_open(out, "bounds", '{');
    result_number(out, "critical_path", sum->bound_critical_path);
    result_number(out, "work", sum->bound_work);
    result_number(out, "longest_module", sum->bound_longest);
    result_close(out, '}');
    result_number(out, "gap", sum->gap);
    result_close(out, '}');
}

static void put_parts(result *out, const compare_parts *parts)
{
    result_string(out, "bottleneck", compare_limit_name(parts->limit));
    result_open(out, "parts", '{');
    result_number(out, "critical_path", parts->critical_path);
    result_number(out, "excess", parts->excess);
    result_integer(out, "processor", parts->processor);
    result_number(out, "waiting", parts->waiting);
    result_number(out, "messages", parts->messages);
    result_close(out, '}');
}

static void put_figures(result *out, const compare_row *row)
{
    const inlay_summary *sum = summary_of(row);
    result_exact(out, "time_frame", sum->time_frame_text);
    result_integer(out, "processors", sum->clusters);
    result_integer(out, "traffic", sum->traffic);
    result_integer(out, "weighted_traffic", sum->weighted_traffic);
    result_string(out, "traffic_unit", sum->traffic_in_bytes ? "bytes" : "messages");
    put_network(out, row);
    put_makespan(out, row);
    result_bool(out, "fits_with_delay", sum->fits_with_delay);
    result_number(out, "speedup", sum->speedup);
    result_number(out, "efficiency", sum->efficiency);
    put_parts(out, &row->parts);
}

static void put_nulls(result *out)
{
    static const char *const names[] = {"time_frame",   "processors", "traffic",    "weighted_traffic",
                                        "traffic_unit", "network",    "makespan",   "fits_with_delay",
                                        "speedup",      "efficiency", "bottleneck", "parts"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        result_exact(out, names[i], "null");
    }
}

static void put_row(result *out, const compare_row *row)
{
    const inlay_machine *machine = row->machine->machine;
    result_open(out, NULL, '{');
    result_string(out, "application", row->app->name);
    result_string(out, "application_path", row->app->operand);
    result_string(out, "machine", row->machine->name);
    result_string(out, "machine_text", inlay_machine_text(machine));
    result_string(out, "model", inlay_family_name(inlay_machine_family(machine)));
    result_integer(out, "model_number", inlay_machine_model(machine));
    result_integer(out, "machine_processors", inlay_machine_processors(machine));
    result_count(out, "rank", row->rank > 0 ? row->rank : -1);
    result_string(out, "time_unit", inlay_unit_name(unit_of(row)));
    if (row->mapping != NULL) {
        put_figures(out, row);
        result_exact(out, "reason", "null");
    } else {
        put_nulls(out);
        result_string(out, "reason", compare_reason(row));
    }
    result_open(out, "warnings", '[');
    put_warnings(out, row->diag);
    result_close(out, ']');
    result_close(out, '}');
}

void compare_print_json(const invocation *call, const comparison *all)
{
    result out = {.to = stdout};
    result_open(&out, NULL, '{');
    put_common(&out, call, all);
    result_open(&out, "rows", '[');
    for (size_t i = 0; i < all->row_count; i++) {
        put_row(&out, &all->rows[i]);
    }
    result_close(&out, ']');
    result_close(&out, '}');
}

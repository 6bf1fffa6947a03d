/* The rows of `inlay compare` as JSON, as docs/compare.md has it. */
#include "compare.h"
#include "report.h"
#include "result.h"
#include <inlay/inlay.h>
#include <math.h>

static const inlay_summary *summary_of(const compare_row *row)
{
    return inlay_mapping_summary(row->mapping);
}

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
    if (all->speeds != NULL) {
        result_string(out, NULL, all->speeds);
    }
    for (size_t i = 0; i < all->input_count; i++) {
        put_warnings(out, all->inputs[i].diag);
    }
    result_close(out, ']');
    result_open(out, "notes", '[');
    if (compare_note(all, text)[0] != '\0') {
        result_string(out, NULL, text);
    }
    if (compare_unsummed(all) != NULL) {
        result_string(out, NULL, compare_unsummed(all));
    }
    result_close(out, ']');
    result_string(out, "sort", compare_sort_name(all));
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
    result_number(out, "simulated", row->figures.simulated);
    result_number(out, "lower_bound", sum->lower_bound);
    result_open(out, "bounds", '{');
    result_number(out, "critical_path", sum->bound_critical_path);
    result_number(out, "work", sum->bound_work);
    result_number(out, "longest_module", sum->bound_longest);
    result_close(out, '}');
    result_number(out, "gap", sum->gap);
    result_close(out, '}');
}

static void put_parts(result *out, const compare_row *row)
{
    const inlay_bottleneck *parts = &row->bottleneck;
    result_string(out, "bottleneck", inlay_limit_name(parts->limit));
    result_open(out, "parts", '{');
    result_number(out, "critical_path", parts->critical_path);
    result_number(out, "compute", parts->compute);
    result_number(out, "network", parts->network);
    result_close(out, '}');
    result_open(out, "busiest", '{');
    result_integer(out, "processor", parts->processor);
    result_number(out, "busy", parts->busy);
    result_number(out, "share", row->figures.estimate > 0 ? parts->busy / row->figures.estimate : NAN);
    result_close(out, '}');
}

/* What a run takes: null where the machine does not tell. */
static void put_run(result *out, const compare_figures *figures, const compare_input *machine)
{
    const char *currency = compare_currency(machine);
    result_number(out, "price", figures->price);
    if (isfinite(figures->price) && currency[0] != '\0') {
        result_string(out, "currency", currency);
    } else {
        result_exact(out, "currency", "null");
    }
    result_number(out, "energy", figures->energy);
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
    put_parts(out, row);
    result_number(out, "seconds", sum->seconds);
    put_run(out, &row->figures, row->machine);
}

static void put_nulls(result *out)
{
    static const char *const names[] = {
        "time_frame", "processors",      "traffic", "weighted_traffic", "traffic_unit", "network",
        "makespan",   "fits_with_delay", "speedup", "efficiency",       "bottleneck",   "parts",
        "busiest",    "seconds",         "price",   "currency",         "energy"};
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
    result_string(out, "time_unit", inlay_unit_name(inlay_app_unit(row->app->app)));
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

static void put_total(result *out, const comparison *all, const compare_total *total)
{
    static const char *const nulls[] = {"estimate",   "simulated", "processors", "speedup",
                                        "efficiency", "price",     "currency",   "energy"};
    const compare_figures *figures = &total->figures;
    result_open(out, NULL, '{');
    result_string(out, "machine", total->machine->name);
    result_string(out, "machine_text", inlay_machine_text(total->machine->machine));
    result_integer(out, "answers", (int64_t)total->answers);
    result_count(out, "rank", total->rank > 0 ? total->rank : -1);
    result_string(out, "time_unit", inlay_unit_name(all->total_unit));
    for (size_t i = 0; total->rank == 0 && i < sizeof nulls / sizeof *nulls; i++) {
        result_exact(out, nulls[i], "null");
    }
    if (total->rank > 0) {
        result_number(out, "estimate", figures->estimate);
        result_number(out, "simulated", figures->simulated);
        result_integer(out, "processors", figures->processors);
        result_number(out, "speedup", figures->speedup);
        result_number(out, "efficiency", figures->efficiency);
        put_run(out, figures, total->machine);
    }
    result_close(out, '}');
}

void compare_put_json(FILE *to, const cli_answer *a)
{
    const comparison *all = a->of;
    result out = {.to = to};
    result_open(&out, NULL, '{');
    put_common(&out, a->call, all);
    result_open(&out, "rows", '[');
    for (size_t i = 0; i < all->row_count; i++) {
        put_row(&out, &all->rows[i]);
    }
    result_close(&out, ']');
    result_open(&out, "totals", '[');
    for (size_t i = 0; i < all->total_count; i++) {
        put_total(&out, all, &all->totals[i]);
    }
    result_close(&out, ']');
    result_close(&out, '}');
}

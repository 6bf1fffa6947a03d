/* The rows of `inlay compare` as JSON, as docs/compare.md has it. */
#include "compare.h"
#include "report.h"
#include <inlay/inlay.h>
#include <math.h>

static const inlay_summary *summary_of(const compare_row *row)
{
    return inlay_mapping_summary(row->mapping);
}

static void put_warnings(inlay_json *out, const inlay_diag *diag)
{
    for (size_t i = 0; i < inlay_diag_warnings(diag); i++) {
        inlay_json_string(out, NULL, inlay_diag_warning(diag, i));
    }
}

static void put_notes(inlay_json *out, const comparison *all)
{
    char text[NOTE_TEXT];
    inlay_json_array(out, "notes");
    if (compare_note(all, text)[0] != '\0') {
        inlay_json_string(out, NULL, text);
    }
    if (compare_unsummed(all) != NULL) {
        inlay_json_string(out, NULL, compare_unsummed(all));
    }
    inlay_json_array_end(out);
    inlay_json_string(out, "sort", compare_sort_name(all));
}

static void put_network(inlay_json *out, const compare_row *row)
{
    const inlay_summary *sum = summary_of(row);
    inlay_json_object(out, "network");
    inlay_json_bool(out, "free", sum->free_network);
    inlay_json_number(out, "u", sum->u);
    inlay_json_number(out, "u_limit", sum->u_limit);
    inlay_json_number(out, "load", sum->load);
    inlay_json_number(out, "tau", sum->tau);
    inlay_json_number(out, "latency", sum->latency);
    inlay_json_object_end(out);
}

static void put_makespan(inlay_json *out, const compare_row *row)
{
    const inlay_summary *sum = summary_of(row);
    inlay_json_object(out, "makespan");
    inlay_json_number(out, "estimate", sum->estimate);
    inlay_json_number(out, "estimate_fixed_point", sum->estimate_fixed_point);
    inlay_json_number(out, "simulated", row->figures.simulated);
    inlay_json_number(out, "lower_bound", sum->lower_bound);
    inlay_json_object(out, "bounds");
    inlay_json_number(out, "critical_path", sum->bound_critical_path);
    inlay_json_number(out, "work", sum->bound_work);
    inlay_json_number(out, "longest_module", sum->bound_longest);
    inlay_json_object_end(out);
    inlay_json_number(out, "gap", sum->gap);
    inlay_json_object_end(out);
}

static void put_parts(inlay_json *out, const compare_row *row)
{
    const inlay_bottleneck *parts = &row->bottleneck;
    inlay_json_string(out, "bottleneck", inlay_limit_name(parts->limit));
    inlay_json_object(out, "parts");
    inlay_json_number(out, "critical_path", parts->critical_path);
    inlay_json_number(out, "compute", parts->compute);
    inlay_json_number(out, "network", parts->network);
    inlay_json_object_end(out);
    inlay_json_object(out, "busiest");
    inlay_json_integer(out, "processor", parts->processor);
    inlay_json_number(out, "busy", parts->busy);
    inlay_json_number(out, "share", row->figures.estimate > 0 ? parts->busy / row->figures.estimate : NAN);
    inlay_json_object_end(out);
}

/* What a run takes: null where the machine does not tell. */
static void put_run(inlay_json *out, const compare_figures *figures, const compare_input *machine)
{
    const char *currency = compare_currency(machine);
    inlay_json_number(out, "price", figures->price);
    if (isfinite(figures->price) && currency[0] != '\0') {
        inlay_json_string(out, "currency", currency);
    } else {
        inlay_json_null(out, "currency");
    }
    inlay_json_number(out, "energy", figures->energy);
}

static void put_figures(inlay_json *out, const compare_row *row)
{
    const inlay_summary *sum = summary_of(row);
    inlay_json_literal(out, "time_frame", sum->time_frame_text);
    inlay_json_integer(out, "processors", sum->clusters);
    inlay_json_integer(out, "traffic", sum->traffic);
    inlay_json_integer(out, "weighted_traffic", sum->weighted_traffic);
    inlay_json_string(out, "traffic_unit", sum->traffic_in_bytes ? "bytes" : "messages");
    put_network(out, row);
    put_makespan(out, row);
    inlay_json_bool(out, "fits_with_delay", sum->fits_with_delay);
    inlay_json_number(out, "speedup", sum->speedup);
    inlay_json_number(out, "efficiency", sum->efficiency);
    put_parts(out, row);
    inlay_json_number(out, "seconds", sum->seconds);
    put_run(out, &row->figures, row->machine);
}

static void put_nulls(inlay_json *out)
{
    static const char *const names[] = {
        "time_frame", "processors",      "traffic", "weighted_traffic", "traffic_unit", "network",
        "makespan",   "fits_with_delay", "speedup", "efficiency",       "bottleneck",   "parts",
        "busiest",    "seconds",         "price",   "currency",         "energy"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        inlay_json_null(out, names[i]);
    }
}

static void put_row(inlay_json *out, const compare_row *row)
{
    const inlay_machine *machine = row->machine->machine;
    inlay_json_object(out, NULL);
    inlay_json_string(out, "application", row->app->name);
    inlay_json_string(out, "application_path", row->app->operand);
    inlay_json_string(out, "machine", row->machine->name);
    inlay_json_string(out, "machine_text", inlay_machine_text(machine));
    inlay_json_string(out, "model", inlay_family_name(inlay_machine_family(machine)));
    inlay_json_integer(out, "model_number", inlay_machine_model(machine));
    inlay_json_integer(out, "machine_processors", inlay_machine_processors(machine));
    inlay_json_count(out, "rank", row->rank > 0 ? row->rank : -1);
    inlay_json_string(out, "time_unit", inlay_unit_name(inlay_app_unit(row->app->app)));
    if (row->mapping != NULL) {
        put_figures(out, row);
        inlay_json_null(out, "reason");
    } else {
        put_nulls(out);
        inlay_json_string(out, "reason", compare_reason(row));
    }
    inlay_json_array(out, "warnings");
    put_warnings(out, row->diag);
    inlay_json_array_end(out);
    inlay_json_object_end(out);
}

static void put_total(inlay_json *out, const comparison *all, const compare_total *total)
{
    static const char *const nulls[] = {"estimate",   "simulated", "processors", "speedup",
                                        "efficiency", "price",     "currency",   "energy"};
    const compare_figures *figures = &total->figures;
    inlay_json_object(out, NULL);
    inlay_json_string(out, "machine", total->machine->name);
    inlay_json_string(out, "machine_text", inlay_machine_text(total->machine->machine));
    inlay_json_integer(out, "answers", (int64_t)total->answers);
    inlay_json_count(out, "rank", total->rank > 0 ? total->rank : -1);
    inlay_json_string(out, "time_unit", inlay_unit_name(all->total_unit));
    for (size_t i = 0; total->rank == 0 && i < sizeof nulls / sizeof *nulls; i++) {
        inlay_json_null(out, nulls[i]);
    }
    if (total->rank > 0) {
        inlay_json_number(out, "estimate", figures->estimate);
        inlay_json_number(out, "simulated", figures->simulated);
        inlay_json_integer(out, "processors", figures->processors);
        inlay_json_number(out, "speedup", figures->speedup);
        inlay_json_number(out, "efficiency", figures->efficiency);
        put_run(out, figures, total->machine);
    }
    inlay_json_object_end(out);
}

int compare_put_members(inlay_json *out, const cli_answer *a)
{
    const comparison *all = a->of;
    put_notes(out, all);
    inlay_json_array(out, "rows");
    for (size_t i = 0; i < all->row_count; i++) {
        put_row(out, &all->rows[i]);
    }
    inlay_json_array_end(out);
    inlay_json_array(out, "totals");
    for (size_t i = 0; i < all->total_count; i++) {
        put_total(out, all, &all->totals[i]);
    }
    inlay_json_array_end(out);
    return INLAY_OK;
}

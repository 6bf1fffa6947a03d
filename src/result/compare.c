/* What `inlay compare` gives out: JSON and CSV. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <math.h>

/* A row with what its members are made of. */
typedef struct row_view {
    const char *application, *application_path, *machine, *machine_text, *model, *time_unit, *reason;
    int32_t model_number, machine_processors, rank;
    inlay_summary sum;
    inlay_bottleneck parts;
    const char *traffic_unit, *bottleneck, *currency, *elapsed_is;
    double share, low, high;
    bool tied;
} row_view;

/* NULL where there is no price, or where it has no currency. */
static const char *currency_of(double price, const inlay_compare_input *machine)
{
    return isfinite(price) ? inlay_machine_currency(machine->machine) : NULL;
}

static void view_answer(row_view *view, const inlay_compare_row *row)
{
    view->sum = *inlay_mapping_summary(row->mapping);
    view->parts = row->bottleneck;
    view->traffic_unit = view->sum.traffic_in_bytes ? "bytes" : "messages";
    view->bottleneck = inlay_limit_name(row->bottleneck.limit);
    view->currency = currency_of(view->sum.price, row->machine);
    view->elapsed_is = inlay_elapsed_is_name(view->sum.elapsed_is);
    view->share = view->sum.elapsed > 0 ? row->bottleneck.busy / view->sum.elapsed : NAN;
}

static row_view view_of(const inlay_compare_row *row)
{
    const inlay_machine *machine = row->machine->machine;
    row_view view = {
        .application = row->app->name,
        .application_path = row->app->source,
        .machine = row->machine->name,
        .machine_text = inlay_machine_text(machine),
        .model = inlay_family_name(inlay_machine_family(machine)),
        .time_unit = inlay_unit_name(inlay_app_unit(row->app->app)),
        .reason = row->reason,
        .model_number = inlay_machine_model(machine),
        .machine_processors = inlay_machine_processors(machine),
        .rank = row->rank > 0 ? row->rank : -1,
        .low = row->low,
        .high = row->high,
        .tied = row->tied,
    };
    if (row->mapping != NULL) {
        view_answer(&view, row);
    }
    return view;
}

/* A total with the same. */
typedef struct total_view {
    const char *machine, *machine_text, *time_unit, *currency;
    inlay_compare_total total;
} total_view;

/* clang-format off */ /* a table's rows stand as its objects have them */
#define ROW(member) FIELD(row_view, #member, member)
#define ROW_AS(name, member) FIELD(row_view, name, member)
#define OF_SUM(member) FIELD(row_view, #member, sum.member)
#define OF_PARTS(member) FIELD(row_view, #member, parts.member)
#define RANK FIELD_ABOVE(row_view, "rank", rank)
#define TIME_FRAME FIELD_EXACT(row_view, "time_frame", sum.time_frame_text)

static const field named[] = {
    ROW(application), ROW(application_path), ROW(machine), ROW(machine_text), ROW(model), ROW(model_number),
    ROW(machine_processors), RANK, ROW(time_unit), FIELD_LAST};

static const field answered[] = {
    OF_SUM(elapsed), ROW(elapsed_is), ROW(low), ROW(high), ROW(tied), TIME_FRAME, ROW_AS("processors", sum.clusters), OF_SUM(traffic), OF_SUM(weighted_traffic), ROW(traffic_unit),
    FIELD_BEGIN("network"), ROW_AS("free", sum.free_network), OF_SUM(u), OF_SUM(u_limit), OF_SUM(load), OF_SUM(tau),
        OF_SUM(latency), FIELD_END,
    FIELD_BEGIN("makespan"), OF_SUM(estimate), OF_SUM(estimate_fixed_point), OF_SUM(lower_bound),
        FIELD_BEGIN("bounds"), ROW_AS("critical_path", sum.bound_critical_path), ROW_AS("work", sum.bound_work),
            ROW_AS("longest_module", sum.bound_longest), FIELD_END,
        OF_SUM(gap), FIELD_END,
    OF_SUM(fits_with_delay), OF_SUM(speedup), OF_SUM(efficiency), ROW(bottleneck),
    FIELD_BEGIN("parts"), OF_PARTS(critical_path), OF_PARTS(compute), OF_PARTS(network), FIELD_END,
    FIELD_BEGIN("busiest"), OF_PARTS(processor), OF_PARTS(busy), ROW(share), FIELD_END,
    OF_SUM(seconds), OF_SUM(price), ROW(currency), OF_SUM(energy), FIELD_LAST};

static const field csv_named[] = {
    ROW(application), ROW(application_path), ROW(machine), ROW(machine_text), ROW(model), ROW(model_number),
    ROW(machine_processors), RANK, ROW(reason), ROW(time_unit), FIELD_LAST};

static const field csv_answered[] = {
    OF_SUM(elapsed), ROW(elapsed_is), ROW(low), ROW(high), ROW(tied), TIME_FRAME, ROW_AS("processors", sum.clusters), OF_SUM(traffic), OF_SUM(weighted_traffic), ROW(traffic_unit),
    OF_SUM(fits_with_delay), ROW(bottleneck), OF_SUM(u), OF_SUM(u_limit), OF_SUM(load), OF_SUM(tau), OF_SUM(latency),
    OF_SUM(estimate), OF_SUM(estimate_fixed_point), OF_SUM(lower_bound), OF_SUM(speedup), OF_SUM(efficiency),
    OF_PARTS(critical_path), OF_PARTS(compute), OF_PARTS(network), ROW_AS("busiest", parts.processor), OF_PARTS(busy),
    OF_SUM(seconds), OF_SUM(price), ROW(currency), OF_SUM(energy), FIELD_LAST};

#define TOTAL(member) FIELD(total_view, #member, member)
#define OF_TOTAL(member) FIELD(total_view, #member, total.member)
#define OF_FIGURES(member) FIELD(total_view, #member, total.figures.member)

static const field total_named[] = {
    TOTAL(machine), TOTAL(machine_text), OF_TOTAL(answers), FIELD_ABOVE(total_view, "rank", total.rank),
    TOTAL(time_unit), FIELD_LAST};

static const field total_answered[] = {
    OF_FIGURES(elapsed), OF_FIGURES(processors), OF_FIGURES(speedup), OF_FIGURES(efficiency),
    OF_FIGURES(price), TOTAL(currency), OF_FIGURES(energy), FIELD_LAST};
/* clang-format on */

/* ---- JSON ---- */

static void put_row(inlay_json *out, const inlay_compare_row *row)
{
    row_view view = view_of(row);
    inlay_json_object(out, NULL);
    fields_put(out, named, &view);
    fields_put(out, answered, row->mapping != NULL ? &view : NULL);
    inlay_json_put(out, "reason %s warnings [", row->reason);
    for (size_t i = 0; i < inlay_diag_warnings(row->said); i++) {
        inlay_json_string(out, NULL, inlay_diag_warning(row->said, i));
    }
    inlay_json_put(out, "] }");
}

static void put_total(inlay_json *out, const inlay_comparison *all, const inlay_compare_total *total)
{
    bool answers = total->rank > 0;
    total_view view = {total->machine->name, inlay_machine_text(total->machine->machine),
                       inlay_unit_name(inlay_comparison_total_unit(all)),
                       currency_of(total->figures.price, total->machine), *total};
    view.total.rank = answers ? total->rank : -1;
    inlay_json_object(out, NULL);
    fields_put(out, total_named, &view);
    fields_put(out, total_answered, answers ? &view : NULL);
    inlay_json_object_end(out);
}

static int put_members(inlay_json *out, const void *of)
{
    const inlay_comparison *all = of;
    const char *const notes[] = {inlay_comparison_note(all), inlay_comparison_unsummed(all)};
    inlay_json_array(out, "notes");
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (notes[i] != NULL) {
            inlay_json_string(out, NULL, notes[i]);
        }
    }
    inlay_json_put(out, "] sort %s rows [", inlay_compare_sort_name(inlay_comparison_sort(all)));
    for (size_t i = 0; i < inlay_comparison_rows(all); i++) {
        put_row(out, inlay_comparison_row(all, i));
    }
    inlay_json_put(out, "] totals [");
    for (size_t i = 0; i < inlay_comparison_totals(all); i++) {
        put_total(out, all, inlay_comparison_total(all, i));
    }
    inlay_json_array_end(out);
    return INLAY_OK;
}

int inlay_comparison_write_json(const inlay_comparison *comparison, const inlay_result_context *context,
                                const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, comparison, path, diag);
}

/* ---- CSV ---- */

int inlay_comparison_write_csv(const inlay_comparison *comparison, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    csv_names(&text, csv_named);
    csv_names(&text, csv_answered);
    csv_end_line(&text);
    for (size_t i = 0; i < inlay_comparison_rows(comparison); i++) {
        const inlay_compare_row *row = inlay_comparison_row(comparison, i);
        row_view view = view_of(row);
        csv_fields(&text, csv_named, &view);
        csv_fields(&text, csv_answered, row->mapping != NULL ? &view : NULL);
        csv_end_line(&text);
    }
    return csv_write(&text, path, diag);
}

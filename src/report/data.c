/* The data of the page: what its script draws, and what `inlay report --json` prints. */
#include "report/report.h"
#include "base/diag.h"
#include "result/fields.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Points ---- */

typedef struct point_view {
    inlay_pareto_point point;
    const char *elapsed_is;
    double low, high;
    bool knee;
} point_view;

/* clang-format off */
#define OF_POINT(member) FIELD(point_view, #member, point.member)
static const field of_point[] = {
    OF_POINT(processors), OF_POINT(clusters), OF_POINT(method), OF_POINT(elapsed), FIELD(point_view, "elapsed_is", elapsed_is),
    FIELD(point_view, "low", low), FIELD(point_view, "high", high), OF_POINT(lower_bound), OF_POINT(gap), OF_POINT(speedup),
    OF_POINT(efficiency), OF_POINT(price), OF_POINT(energy), OF_POINT(messages), OF_POINT(traffic), OF_POINT(load),
    FIELD(point_view, "knee", knee), FIELD_LAST};
static const field of_front[] = {
    OF_POINT(processors), OF_POINT(clusters), OF_POINT(front), OF_POINT(elapsed), OF_POINT(lower_bound), OF_POINT(price),
    FIELD_LAST};
/* clang-format on */

static point_view view_of(const inlay_report *of, size_t i)
{
    const inlay_pareto_point *point = inlay_pareto_point_at(of->front, i);
    return (point_view){.point = *point,
                        .elapsed_is = inlay_elapsed_is_name(point->elapsed_is),
                        .low = NAN,
                        .high = NAN,
                        .knee = i == inlay_pareto_summary_of(of->front)->knee};
}

/* Modules by number, of a large application so many alone. */
static void put_used(inlay_json *out, const inlay_mapping *mapping)
{
    enum { LISTED = 200 };
    inlay_id clusters = inlay_mapping_summary(mapping)->clusters;
    inlay_json_array(out, "used");
    for (inlay_id c = 0; c < clusters && c < REPORT_ROWS; c++) {
        inlay_cluster_info own = inlay_mapping_cluster(mapping, c);
        inlay_json_flat_object(out, NULL);
        inlay_json_put(out, "processor %d modules %d busy %g utilisation %g", (int)own.processor, (int)own.modules,
                       own.busy, own.utilisation);
        result_put_ids(out, "first", own.module, own.modules < LISTED ? (size_t)own.modules : LISTED);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
}

static int put_point(inlay_json *out, const inlay_report *of, size_t i, inlay_diag *diag)
{
    inlay_mapping *made = NULL;
    inlay_simulation *made_run = NULL;
    bool last = i + 1 == of->count;
    point_view view = view_of(of, of->shown[i]);
    int status = last ? INLAY_OK : report_point(of, i, &made, &made_run, diag);
    const inlay_mapping *mapping = last ? of->mapping : made;
    if (status == INLAY_OK) {
        view.low = of->low;
        view.high = of->high;
        if (!last) {
            inlay_mapping_interval(mapping, &view.low, &view.high);
        }
        inlay_json_object(out, NULL);
        fields_put(out, of_point, &view);
        put_used(out, mapping);
        status =
            report_put_gantt(out, mapping, last ? of->run : made_run, last ? REPORT_BLOCKS : REPORT_OTHER_BLOCKS, diag);
        inlay_json_object_end(out);
    }
    inlay_simulation_free(made_run);
    inlay_mapping_free(made);
    return status;
}

/* ---- The rest ---- */

static void put_machines(inlay_json *out, const inlay_report *of)
{
    inlay_json_array(out, "comparison");
    for (size_t i = 0; i < inlay_comparison_rows(of->compared); i++) {
        const inlay_compare_row *row = inlay_comparison_row(of->compared, i);
        bool found = row->mapping != NULL;
        inlay_json_put(out, "{ machine %s text %s", row->machine->name, inlay_machine_text(row->machine->machine));
        inlay_json_put(out, "rank %i elapsed %g low %g high %g processors %i", row->rank > 0 ? row->rank : -1,
                       found ? row->figures.elapsed : NAN, found ? row->low : NAN, found ? row->high : NAN,
                       found ? (int)row->figures.processors : -1);
        inlay_json_put(out, "price %g reason %s }", found ? row->figures.price : NAN, row->reason);
    }
    inlay_json_array_end(out);
}

/* Names and kinds of modules, where there are not too many. */
static void put_modules(inlay_json *out, const inlay_report *of)
{
    const inlay_app *app = of->app->app;
    inlay_id modules = inlay_app_modules(app), named = modules <= REPORT_NAMES ? modules : 0;
    inlay_json_flat_array(out, "names");
    for (inlay_id i = 0; i < named; i++) {
        inlay_json_string(out, NULL, inlay_app_module_name(app, i));
    }
    inlay_json_array_end(out);
    inlay_json_flat_array(out, "kinds");
    for (inlay_id i = 0; i < named; i++) {
        inlay_json_string(out, NULL, inlay_app_module_kind(app, i));
    }
    inlay_json_array_end(out);
}

static void put_delay(inlay_json *out, const inlay_report *of)
{
    report_delay d = {0};
    if (!report_delay_make(of, &d)) {
        inlay_json_null(out, "delay");
        report_delay_clear(&d);
        return;
    }
    inlay_json_put(out, "delay { time_unit %s points [", inlay_unit_name(inlay_delay_unit(d.delay)));
    for (size_t i = 0; i < d.study.points; i++) {
        const inlay_delay_point *p = &d.study.row[i].point;
        inlay_json_flat_object(out, NULL);
        inlay_json_put(out, "load %g u %g tau %g }", p->load, p->u, p->tau);
    }
    inlay_json_put(out, "] at { load %g u %g tau %g } }", d.marked ? d.at.load : NAN, d.marked ? d.at.u : NAN,
                   d.marked ? d.at.tau : NAN);
    report_delay_clear(&d);
}

static int put_profile(inlay_json *out, const inlay_report *of, inlay_diag *diag)
{
    enum { MOST = 4000 };
    inlay_parallelism_step *steps = NULL;
    size_t count = 0;
    int status = inlay_app_parallelism(of->app->app, &steps, &count, diag);
    size_t stride = count / MOST + 1; /* of more only some */
    inlay_json_flat_array(out, "parallelism");
    for (size_t i = 0; i < count; i += stride) {
        inlay_json_put(out, "[ %g %d ]", inlay_app_in_units(of->app->app, steps[i].from), (int)steps[i].modules);
    }
    inlay_json_array_end(out);
    free(steps);
    return status;
}

/* What a clustering under each time frame does: by the rules of sweep, not by the method that is asked for. */
static void put_frames(inlay_json *out, const inlay_report *of)
{
    size_t rows = of->frames != NULL ? inlay_sweep_rows(of->frames) : 0;
    inlay_json_array(out, "frames");
    for (size_t i = 0; i < rows; i++) {
        const inlay_sweep_row *row = inlay_sweep_row_at(of->frames, i);
        inlay_json_flat_object(out, NULL);
        inlay_json_put(out, "time_frame %g clusters %d elapsed %g least %g mean %g most %g }",
                       inlay_sweep_time(of->frames, row->time_frame), (int)row->clusters, row->elapsed,
                       row->cost.utilisation_least, row->cost.utilisation_mean, row->cost.utilisation_most);
    }
    inlay_json_array_end(out);
}

static void put_bounds(inlay_json *out, const inlay_report *of)
{
    inlay_json_array(out, "bounds");
    for (size_t i = 0; i < inlay_bounds(); i++) {
        const inlay_bound b = inlay_mapping_bound(of->mapping, i);
        inlay_json_put(out, "{ name %s of_placement %hhd value %g holds %s }", b.name, b.of_placement, b.value,
                       b.holds);
    }
    inlay_json_array_end(out);
}

typedef struct asked {
    const inlay_report *of;
    inlay_diag *diag;
} asked;

static int put_members(inlay_json *out, const void *context)
{
    const asked *with = context;
    const inlay_report *of = with->of;
    inlay_diag *diag = with->diag;
    const inlay_app *app = of->app->app;
    inlay_json_put(out, "application { name %s path %s modules %d links %" PRId64 " time_unit %s } machine %s",
                   of->app->name, of->app->source, (int)inlay_app_modules(app), inlay_app_links(app),
                   inlay_unit_name(inlay_app_unit(app)), of->machine->name);
    inlay_json_put(out, "question %s answer %s commands [", text_content(&of->question), text_content(&of->answer));
    for (int i = 0; i < REPORT_COMMANDS; i++) {
        text_buffer command = {0};
        report_add_command(&command, of, (report_command)i);
        inlay_json_string(out, NULL, text_content(&command));
        text_clear(&command);
    }
    inlay_json_array_end(out);
    put_machines(out, of);
    inlay_json_array(out, "front");
    for (size_t i = 0; i < inlay_pareto_points(of->front); i++) {
        const point_view view = view_of(of, i);
        inlay_json_flat_object(out, NULL);
        fields_put(out, of_front, &view);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
    put_frames(out, of);
    put_bounds(out, of);
    put_delay(out, of);
    int status = put_profile(out, of, diag);
    put_modules(out, of);
    inlay_json_array(out, "points");
    for (size_t i = 0; i < of->count && status == INLAY_OK; i++) {
        status = put_point(out, of, i, diag);
    }
    inlay_json_array_end(out);
    return status;
}

/* ---- Giving out ---- */

int inlay_report_write_json(const inlay_report *report, const inlay_result_context *context, const char *path,
                            inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    const asked with = {report, diag};
    return inlay_result_write(context, put_members, &with, path, diag);
}

int report_data(const inlay_report *of, const inlay_result_context *context, text_buffer *to, inlay_diag *diag)
{
    inlay_diag *own = inlay_diag_new();
    if (own == NULL) {
        return diag_no_memory(diag);
    }
    diag_capture(own, to);
    int status = inlay_report_write_json(of, context, "", own);
    status = status == INLAY_OK ? status : diag_fail(diag, status, "%s", inlay_diag_message(own));
    inlay_diag_free(own);
    return status;
}

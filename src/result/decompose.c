/* What `inlay decompose` gives out: JSON and CSV. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <inttypes.h>

/* A method in the ranking, with its name and its tables. */
typedef struct method_view {
    const char *name;
    inlay_grid_row row;
    int64_t lookup_bytes;
} method_view;

/* clang-format off */
#define OF_ROW(member) FIELD(method_view, #member, row.member)
#define OF_COST(member) FIELD(method_view, #member, row.cost.member)
#define COSTS OF_COST(seconds), OF_COST(computation), OF_COST(latency), OF_COST(transmission), OF_COST(messages), \
    OF_COST(bytes)
static const field method[] = {
    FIELD(method_view, "name", name), OF_ROW(ratio), COSTS, OF_COST(framed), OF_COST(latency_units),
    OF_COST(imbalance), OF_COST(least_bytes), OF_ROW(processors), OF_ROW(seconds_all),
    FIELD(method_view, "lookup_bytes", lookup_bytes), FIELD_LAST};
static const field csv[] = {
    FIELD(method_view, "method", name), OF_ROW(ratio), COSTS, OF_COST(imbalance), OF_COST(least_bytes),
    OF_ROW(seconds_all), OF_ROW(processors), FIELD_LAST};
/* clang-format on */

/* ---- The question ---- */

static void put_processors(inlay_json *out, const inlay_grid_result *of)
{
    inlay_json_array(out, "processors");
    for (int32_t i = 0; i < of->asked.problem.processors; i++) {
        char room[INLAY_GRID_NAME];
        inlay_json_put(out, "{ name %s speed %g }", inlay_grid_processor_name(of->asked.machines, i, room),
                       of->asked.problem.speed[i]);
    }
    inlay_json_array_end(out);
}

static void put_routes(inlay_json *out, const inlay_grid_routes *routes)
{
    if (routes->pairs == 0) {
        inlay_json_null(out, "routes");
        return;
    }
    inlay_json_put(out, "routes { pairs %" PRId64 " assumed %" PRId64, routes->pairs, routes->other);
    result_put_numbers(out, "latency", (const double[]){routes->least_latency, routes->most_latency}, 2);
    result_put_numbers(out, "per_byte", (const double[]){routes->least_per_byte, routes->most_per_byte}, 2);
    inlay_json_object_end(out);
}

static void put_network(inlay_json *out, const inlay_grid_result *of)
{
    bool several = of->asked.network.wiring == INLAY_GRID_SEVERAL;
    inlay_json_put(out, "network { wiring %s networks %d", inlay_grid_wiring_name(of->asked.network.wiring),
                   several ? of->asked.network.networks : 1);
    inlay_json_put(out, "latency %g per_byte %g payload %" PRId64 " frame %" PRId64 " assumed %hhd",
                   of->asked.network.latency, of->asked.network.per_byte, of->asked.network.payload,
                   of->asked.network.frame, (bool)(of->asked.latency_assumed || of->asked.per_byte_assumed));
    put_routes(out, &of->asked.routes);
    inlay_json_object_end(out);
}

static void put_phase(inlay_json *out, const inlay_grid_phase *phase, int64_t item, bool in_space)
{
    inlay_json_put(out, "{ name %s pattern %s offsets [", inlay_grid_phase_name(phase),
                   inlay_grid_communication_name(phase->pattern.communication));
    for (size_t i = 0; i < phase->pattern.offsets; i++) {
        const inlay_grid_offset *o = &phase->pattern.offset[i];
        if (in_space) {
            inlay_json_put(out, "[ %" PRId64 " %" PRId64 " %" PRId64 " ]", o->through, o->down, o->across);
        } else {
            inlay_json_put(out, "[ %" PRId64 " %" PRId64 " ]", o->down, o->across);
        }
    }
    inlay_json_put(out, "] flops %g weight %g item %" PRId64 " }", phase->work, phase->weight,
                   phase->item > 0 ? phase->item : item);
}

/* ---- Methods ---- */

/* By processor; of those without cells zeroes. */
static void put_blocks(inlay_json *out, const inlay_decomposition *decomposition, int32_t processors)
{
    if (!inlay_decomposition_summary_of(decomposition)->rectangles) {
        inlay_json_null(out, "blocks");
        return;
    }
    inlay_json_array(out, "blocks");
    for (int32_t i = 0; i < processors; i++) {
        inlay_grid_block block = {0};
        (void)inlay_decomposition_block(decomposition, i, &block);
        if (inlay_decomposition_summary_of(decomposition)->planes > 1) {
            inlay_json_put(out, "[ %" PRId64 " %" PRId64 " %" PRId64, block.front, block.top, block.left);
            inlay_json_put(out, "%" PRId64 " %" PRId64 " %" PRId64 " ]", block.back, block.bottom, block.right);
        } else {
            inlay_json_put(out, "[ %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " ]", block.top, block.left,
                           block.bottom, block.right);
        }
    }
    inlay_json_array_end(out);
}

static method_view view_method(const inlay_grid_ranking *ranking, size_t i)
{
    const inlay_grid_row *row = inlay_grid_ranking_row(ranking, i);
    return (method_view){inlay_grid_method_name(row->method), *row,
                         inlay_decomposition_summary_of(row->decomposition)->lookup_bytes};
}

static void put_methods(inlay_json *out, const inlay_grid_result *of)
{
    inlay_json_array(out, "methods");
    for (size_t i = 0; i < inlay_grid_ranking_rows(of->ranking); i++) {
        method_view view = view_method(of->ranking, i);
        inlay_json_object(out, NULL);
        fields_put(out, method, &view);
        inlay_json_array(out, "cells");
        for (int32_t p = 0; p < of->asked.problem.processors; p++) {
            inlay_json_integer(out, NULL, inlay_decomposition_cells(view.row.decomposition, p));
        }
        inlay_json_array_end(out);
        put_blocks(out, view.row.decomposition, of->asked.problem.processors);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
}

static void put_redistribution(inlay_json *out, const inlay_grid_result *of)
{
    const inlay_grid_redistribution *way = inlay_grid_ranking_redistribution(of->ranking);
    if (way == NULL) {
        inlay_json_null(out, "redistribution");
        return;
    }
    inlay_json_put(out, "redistribution { pays %hhd seconds %g ways %g seconds_without %g methods [", way->pays,
                   way->seconds, way->ways, way->seconds_without);
    for (size_t i = 0; i < of->asked.program->phases; i++) {
        inlay_json_string(out, NULL, inlay_grid_method_name(inlay_grid_ranking_row(of->ranking, way->row[i])->method));
    }
    inlay_json_put(out, "] }");
}

/* ---- Sizes ---- */

static void put_size(inlay_json *out, const inlay_grid_crossover *crossover, size_t i)
{
    inlay_json_put(out, "{ rows %" PRId64 " seconds {", crossover->rows[i]);
    for (int m = 0; m < INLAY_GRID_METHODS; m++) {
        if (crossover->seconds[m] != NULL) {
            inlay_json_number(out, inlay_grid_method_name((inlay_grid_method)m), crossover->seconds[m][i]);
        }
    }
    inlay_json_put(out, "} }");
}

static void put_crossover(inlay_json *out, const inlay_grid_crossover *crossover)
{
    if (crossover->sizes == 0) {
        inlay_json_null(out, "crossover");
        return;
    }
    inlay_json_put(out, "crossover { ranges [");
    for (size_t i = 0; i < crossover->ranges; i++) {
        inlay_json_put(out, "{ from %" PRId64 " to %" PRId64 " method %s }", crossover->range[i].from,
                       crossover->range[i].to, inlay_grid_method_name(crossover->range[i].method));
    }
    inlay_json_put(out, "] sizes [");
    for (size_t i = 0; i < crossover->sizes; i++) {
        put_size(out, crossover, i);
    }
    inlay_json_put(out, "] }");
}

/* ---- The whole ---- */

static int put_members(inlay_json *out, const void *told)
{
    const inlay_grid_result *of = told;
    inlay_json_put(out, "grid { rows %" PRId64 " columns %" PRId64, of->asked.problem.rows, of->asked.problem.columns);
    if (of->asked.problem.planes > 1) {
        inlay_json_integer(out, "planes", of->asked.problem.planes);
    }
    inlay_json_put(out, "bounded %hhd item %" PRId64 " }", of->asked.problem.bounded, of->asked.problem.item);
    put_processors(out, of);
    inlay_json_bool(out, "speed_assumed", of->asked.machines->speed_assumed);
    put_network(out, of);
    inlay_json_array(out, "phases");
    for (size_t i = 0; i < of->asked.program->phases; i++) {
        put_phase(out, &of->asked.program->phase[i], of->asked.problem.item, of->asked.problem.planes > 1);
    }
    inlay_json_array_end(out);
    put_methods(out, of);
    put_redistribution(out, of);
    put_crossover(out, &of->crossover);
    return INLAY_OK;
}

int inlay_grid_result_write_json(const inlay_grid_result *result, const inlay_result_context *context, const char *path,
                                 inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, result, path, diag);
}

int inlay_grid_ranking_write_csv(const inlay_grid_ranking *ranking, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    csv_heading(&text, csv);
    for (size_t i = 0; i < inlay_grid_ranking_rows(ranking); i++) {
        method_view view = view_method(ranking, i);
        csv_line(&text, csv, &view);
    }
    return csv_write(&text, path, diag);
}

/* The JSON and the CSV of `inlay decompose`. */
#include "compare.h"
#include "decompose.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

/* ---- The question ---- */

static void put_grid(inlay_json *out, const inlay_grid_problem *problem)
{
    inlay_json_object(out, "grid");
    inlay_json_integer(out, "rows", problem->rows);
    inlay_json_integer(out, "columns", problem->columns);
    inlay_json_bool(out, "bounded", problem->bounded);
    inlay_json_integer(out, "item", problem->item);
    inlay_json_object_end(out);
}

static void put_processors(inlay_json *out, const decompose_question *asked)
{
    inlay_json_array(out, "processors");
    for (int32_t i = 0; i < asked->problem.processors; i++) {
        char room[PROCESSOR_NAME];
        inlay_json_object(out, NULL);
        inlay_json_string(out, "name", decompose_processor_name(asked, i, room));
        inlay_json_number(out, "speed", asked->problem.speed[i]);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
}

static void put_range(inlay_json *out, const char *key, double least, double most)
{
    inlay_json_array(out, key);
    inlay_json_number(out, NULL, least);
    inlay_json_number(out, NULL, most);
    inlay_json_array_end(out);
}

static void put_routes(inlay_json *out, const inlay_grid_routes *routes)
{
    if (routes->pairs == 0) {
        inlay_json_null(out, "routes");
        return;
    }
    inlay_json_object(out, "routes");
    inlay_json_integer(out, "pairs", routes->pairs);
    inlay_json_integer(out, "assumed", routes->other);
    put_range(out, "latency", routes->least_latency, routes->most_latency);
    put_range(out, "per_byte", routes->least_per_byte, routes->most_per_byte);
    inlay_json_object_end(out);
}

static void put_network(inlay_json *out, const decompose_question *asked)
{
    const inlay_grid_network *network = &asked->network;
    inlay_json_object(out, "network");
    inlay_json_string(out, "wiring", inlay_grid_wiring_name(network->wiring));
    inlay_json_integer(out, "networks", network->wiring == INLAY_GRID_SEVERAL ? network->networks : 1);
    inlay_json_number(out, "latency", network->latency);
    inlay_json_number(out, "per_byte", network->per_byte);
    inlay_json_integer(out, "payload", network->payload);
    inlay_json_integer(out, "frame", network->frame);
    inlay_json_bool(out, "assumed", asked->latency_assumed || asked->per_byte_assumed);
    put_routes(out, &asked->routes);
    inlay_json_object_end(out);
}

static void put_offsets(inlay_json *out, const inlay_grid_pattern *pattern)
{
    inlay_json_array(out, "offsets");
    for (size_t i = 0; i < pattern->offsets; i++) {
        inlay_json_array(out, NULL);
        inlay_json_integer(out, NULL, pattern->offset[i].down);
        inlay_json_integer(out, NULL, pattern->offset[i].across);
        inlay_json_array_end(out);
    }
    inlay_json_array_end(out);
}

static void put_phases(inlay_json *out, const decompose_question *asked)
{
    inlay_json_array(out, "phases");
    for (size_t i = 0; i < asked->program->phases; i++) {
        const inlay_grid_phase *phase = &asked->program->phase[i];
        inlay_json_object(out, NULL);
        inlay_json_string(out, "name", decompose_phase_name(asked, i));
        inlay_json_string(out, "pattern", inlay_grid_communication_name(phase->pattern.communication));
        put_offsets(out, &phase->pattern);
        inlay_json_number(out, "flops", phase->work);
        inlay_json_number(out, "weight", phase->weight);
        inlay_json_integer(out, "item", phase->item > 0 ? phase->item : asked->problem.item);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
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
        const int64_t edges[] = {block.top, block.left, block.bottom, block.right};
        inlay_json_array(out, NULL);
        for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
            inlay_json_integer(out, NULL, edges[e]);
        }
        inlay_json_array_end(out);
    }
    inlay_json_array_end(out);
}

static void put_method(inlay_json *out, const inlay_grid_row *row, int32_t processors)
{
    const inlay_grid_cost *cost = &row->cost;
    const inlay_decomposition_summary *summary = inlay_decomposition_summary_of(row->decomposition);
    inlay_json_object(out, NULL);
    inlay_json_string(out, "name", inlay_grid_method_name(row->method));
    inlay_json_number(out, "ratio", row->ratio);
    inlay_json_number(out, "seconds", cost->seconds);
    inlay_json_number(out, "computation", cost->computation);
    inlay_json_number(out, "latency", cost->latency);
    inlay_json_number(out, "transmission", cost->transmission);
    inlay_json_number(out, "messages", cost->messages);
    inlay_json_number(out, "bytes", cost->bytes);
    inlay_json_number(out, "framed", cost->framed);
    inlay_json_number(out, "latency_units", cost->latency_units);
    inlay_json_number(out, "imbalance", cost->imbalance);
    inlay_json_number(out, "least_bytes", cost->least_bytes);
    inlay_json_integer(out, "processors", row->processors);
    inlay_json_number(out, "seconds_all", row->seconds_all);
    inlay_json_integer(out, "lookup_bytes", summary->lookup_bytes);
    inlay_json_array(out, "cells");
    for (int32_t i = 0; i < processors; i++) {
        inlay_json_integer(out, NULL, inlay_decomposition_cells(row->decomposition, i));
    }
    inlay_json_array_end(out);
    put_blocks(out, row->decomposition, processors);
    inlay_json_object_end(out);
}

static void put_redistribution(inlay_json *out, const decomposed *of)
{
    const inlay_grid_redistribution *ways = inlay_grid_ranking_redistribution(of->ranking);
    if (ways == NULL) {
        inlay_json_null(out, "redistribution");
        return;
    }
    inlay_json_object(out, "redistribution");
    inlay_json_bool(out, "pays", ways->pays);
    inlay_json_number(out, "seconds", ways->seconds);
    inlay_json_number(out, "ways", ways->ways);
    inlay_json_number(out, "seconds_without", ways->seconds_without);
    inlay_json_array(out, "methods");
    for (size_t i = 0; i < of->question.program->phases; i++) {
        const inlay_grid_row *row = inlay_grid_ranking_row(of->ranking, ways->row[i]);
        inlay_json_string(out, NULL, inlay_grid_method_name(row->method));
    }
    inlay_json_array_end(out);
    inlay_json_object_end(out);
}

/* ---- Sizes ---- */

static void put_sizes(inlay_json *out, const decompose_crossover *crossover)
{
    inlay_json_array(out, "sizes");
    for (size_t i = 0; i < crossover->sizes; i++) {
        inlay_json_object(out, NULL);
        inlay_json_integer(out, "rows", crossover->rows[i]);
        inlay_json_object(out, "seconds");
        for (int m = 0; m < INLAY_GRID_METHODS; m++) {
            if (crossover->seconds[m] != NULL) {
                inlay_json_number(out, inlay_grid_method_name((inlay_grid_method)m), crossover->seconds[m][i]);
            }
        }
        inlay_json_object_end(out);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
}

static void put_crossover(inlay_json *out, const decompose_crossover *crossover)
{
    if (crossover->sizes == 0) {
        inlay_json_null(out, "crossover");
        return;
    }
    inlay_json_object(out, "crossover");
    inlay_json_array(out, "ranges");
    for (size_t i = 0; i < crossover->ranges; i++) {
        inlay_json_object(out, NULL);
        inlay_json_integer(out, "from", crossover->range[i].from);
        inlay_json_integer(out, "to", crossover->range[i].to);
        inlay_json_string(out, "method", inlay_grid_method_name(crossover->range[i].method));
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
    put_sizes(out, crossover);
    inlay_json_object_end(out);
}

/* ---- The object ---- */

int decompose_put_members(inlay_json *out, const cli_answer *a)
{
    const decomposed *of = a->of;
    const decompose_question *asked = &of->question;
    put_grid(out, &asked->problem);
    put_processors(out, asked);
    inlay_json_bool(out, "speed_assumed", asked->machines->speed_assumed);
    put_network(out, asked);
    put_phases(out, asked);
    inlay_json_array(out, "methods");
    for (size_t i = 0; i < inlay_grid_ranking_rows(of->ranking); i++) {
        put_method(out, inlay_grid_ranking_row(of->ranking, i), asked->problem.processors);
    }
    inlay_json_array_end(out);
    put_redistribution(out, of);
    put_crossover(out, &of->crossover);
    return INLAY_OK;
}

/* ---- CSV ---- */

void decompose_put_csv(FILE *to, const cli_answer *a)
{
    const decomposed *of = a->of;
    say(to, "method,ratio,seconds,computation,latency,transmission,messages,bytes,imbalance,least_bytes,seconds_all,"
            "processors\n");
    for (size_t i = 0; i < inlay_grid_ranking_rows(of->ranking); i++) {
        const inlay_grid_row *row = inlay_grid_ranking_row(of->ranking, i);
        const inlay_grid_cost *cost = &row->cost;
        const double figures[] = {row->ratio,         cost->seconds,   cost->computation, cost->latency,
                                  cost->transmission, cost->messages,  cost->bytes,       cost->imbalance,
                                  cost->least_bytes,  row->seconds_all};
        say(to, "%s", inlay_grid_method_name(row->method));
        for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
            say_csv_number(to, figures[f]);
        }
        say(to, ",%" PRId32 "\n", row->processors);
    }
}

/* The JSON and the CSV of `inlay decompose`. */
#include "compare.h"
#include "decompose.h"
#include "report.h"
#include "result.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

/* ---- The question ---- */

static void put_grid(result *out, const inlay_grid_problem *problem)
{
    result_open(out, "grid", '{');
    result_integer(out, "rows", problem->rows);
    result_integer(out, "columns", problem->columns);
    result_bool(out, "bounded", problem->bounded);
    result_integer(out, "item", problem->item);
    result_close(out, '}');
}

static void put_processors(result *out, const decompose_question *asked)
{
    result_open(out, "processors", '[');
    for (int32_t i = 0; i < asked->problem.processors; i++) {
        char room[PROCESSOR_NAME];
        result_open(out, NULL, '{');
        result_string(out, "name", decompose_processor_name(asked, i, room));
        result_number(out, "speed", asked->problem.speed[i]);
        result_close(out, '}');
    }
    result_close(out, ']');
}

static void put_range(result *out, const char *key, double least, double most)
{
    result_open(out, key, '[');
    result_number(out, NULL, least);
    result_number(out, NULL, most);
    result_close(out, ']');
}

static void put_routes(result *out, const inlay_grid_routes *routes)
{
    if (routes->pairs == 0) {
        result_exact(out, "routes", "null");
        return;
    }
    result_open(out, "routes", '{');
    result_integer(out, "pairs", routes->pairs);
    result_integer(out, "assumed", routes->other);
    put_range(out, "latency", routes->least_latency, routes->most_latency);
    put_range(out, "per_byte", routes->least_per_byte, routes->most_per_byte);
    result_close(out, '}');
}

static void put_network(result *out, const decompose_question *asked)
{
    const inlay_grid_network *network = &asked->network;
    result_open(out, "network", '{');
    result_string(out, "wiring", inlay_grid_wiring_name(network->wiring));
    result_integer(out, "networks", network->wiring == INLAY_GRID_SEVERAL ? network->networks : 1);
    result_number(out, "latency", network->latency);
    result_number(out, "per_byte", network->per_byte);
    result_integer(out, "payload", network->payload);
    result_integer(out, "frame", network->frame);
    result_bool(out, "assumed", asked->latency_assumed || asked->per_byte_assumed);
    put_routes(out, &asked->routes);
    result_close(out, '}');
}

static void put_offsets(result *out, const inlay_grid_pattern *pattern)
{
    result_open(out, "offsets", '[');
    for (size_t i = 0; i < pattern->offsets; i++) {
        result_open(out, NULL, '[');
        result_integer(out, NULL, pattern->offset[i].down);
        result_integer(out, NULL, pattern->offset[i].across);
        result_close(out, ']');
    }
    result_close(out, ']');
}

static void put_phases(result *out, const decompose_question *asked)
{
    result_open(out, "phases", '[');
    for (size_t i = 0; i < asked->program->phases; i++) {
        const inlay_grid_phase *phase = &asked->program->phase[i];
        result_open(out, NULL, '{');
        result_string(out, "name", decompose_phase_name(asked, i));
        result_string(out, "pattern", inlay_grid_communication_name(phase->pattern.communication));
        put_offsets(out, &phase->pattern);
        result_number(out, "flops", phase->work);
        result_number(out, "weight", phase->weight);
        result_integer(out, "item", phase->item > 0 ? phase->item : asked->problem.item);
        result_close(out, '}');
    }
    result_close(out, ']');
}

/* ---- Methods ---- */

/* By processor; of those without cells zeroes. */
static void put_blocks(result *out, const inlay_decomposition *decomposition, int32_t processors)
{
    if (!inlay_decomposition_summary_of(decomposition)->rectangles) {
        result_exact(out, "blocks", "null");
        return;
    }
    result_open(out, "blocks", '[');
    for (int32_t i = 0; i < processors; i++) {
        inlay_grid_block block = {0};
        (void)inlay_decomposition_block(decomposition, i, &block);
        const int64_t edges[] = {block.top, block.left, block.bottom, block.right};
        result_open(out, NULL, '[');
        for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
            result_integer(out, NULL, edges[e]);
        }
        result_close(out, ']');
    }
    result_close(out, ']');
}

static void put_method(result *out, const inlay_grid_row *row, int32_t processors)
{
    const inlay_grid_cost *cost = &row->cost;
    const inlay_decomposition_summary *summary = inlay_decomposition_summary_of(row->decomposition);
    result_open(out, NULL, '{');
    result_string(out, "name", inlay_grid_method_name(row->method));
    result_number(out, "ratio", row->ratio);
    result_number(out, "seconds", cost->seconds);
    result_number(out, "computation", cost->computation);
    result_number(out, "latency", cost->latency);
    result_number(out, "transmission", cost->transmission);
    result_number(out, "messages", cost->messages);
    result_number(out, "bytes", cost->bytes);
    result_number(out, "framed", cost->framed);
    result_number(out, "latency_units", cost->latency_units);
    result_number(out, "imbalance", cost->imbalance);
    result_number(out, "least_bytes", cost->least_bytes);
    result_integer(out, "processors", row->processors);
    result_number(out, "seconds_all", row->seconds_all);
    result_integer(out, "lookup_bytes", summary->lookup_bytes);
    result_open(out, "cells", '[');
    for (int32_t i = 0; i < processors; i++) {
        result_integer(out, NULL, inlay_decomposition_cells(row->decomposition, i));
    }
    result_close(out, ']');
    put_blocks(out, row->decomposition, processors);
    result_close(out, '}');
}

static void put_redistribution(result *out, const decomposed *of)
{
    const inlay_grid_redistribution *ways = inlay_grid_ranking_redistribution(of->ranking);
    if (ways == NULL) {
        result_exact(out, "redistribution", "null");
        return;
    }
    result_open(out, "redistribution", '{');
    result_bool(out, "pays", ways->pays);
    result_number(out, "seconds", ways->seconds);
    result_number(out, "ways", ways->ways);
    result_number(out, "seconds_without", ways->seconds_without);
    result_open(out, "methods", '[');
    for (size_t i = 0; i < of->question.program->phases; i++) {
        const inlay_grid_row *row = inlay_grid_ranking_row(of->ranking, ways->row[i]);
        result_string(out, NULL, inlay_grid_method_name(row->method));
    }
    result_close(out, ']');
    result_close(out, '}');
}

/* ---- Sizes ---- */

static void put_sizes(result *out, const decompose_crossover *crossover)
{
    result_open(out, "sizes", '[');
    for (size_t i = 0; i < crossover->sizes; i++) {
        result_open(out, NULL, '{');
        result_integer(out, "rows", crossover->rows[i]);
        result_open(out, "seconds", '{');
        for (int m = 0; m < INLAY_GRID_METHODS; m++) {
            if (crossover->seconds[m] != NULL) {
                result_number(out, inlay_grid_method_name((inlay_grid_method)m), crossover->seconds[m][i]);
            }
        }
        result_close(out, '}');
        result_close(out, '}');
    }
    result_close(out, ']');
}

static void put_crossover(result *out, const decompose_crossover *crossover)
{
    if (crossover->sizes == 0) {
        result_exact(out, "crossover", "null");
        return;
    }
    result_open(out, "crossover", '{');
    result_open(out, "ranges", '[');
    for (size_t i = 0; i < crossover->ranges; i++) {
        result_open(out, NULL, '{');
        result_integer(out, "from", crossover->range[i].from);
        result_integer(out, "to", crossover->range[i].to);
        result_string(out, "method", inlay_grid_method_name(crossover->range[i].method));
        result_close(out, '}');
    }
    result_close(out, ']');
    put_sizes(out, crossover);
    result_close(out, '}');
}

/* ---- The object ---- */

int decompose_put_members(result *out, const cli_answer *a)
{
    const decomposed *of = a->of;
    const decompose_question *asked = &of->question;
    put_grid(out, &asked->problem);
    put_processors(out, asked);
    result_bool(out, "speed_assumed", asked->machines->speed_assumed);
    put_network(out, asked);
    put_phases(out, asked);
    result_open(out, "methods", '[');
    for (size_t i = 0; i < inlay_grid_ranking_rows(of->ranking); i++) {
        put_method(out, inlay_grid_ranking_row(of->ranking, i), asked->problem.processors);
    }
    result_close(out, ']');
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
            csv_number(to, figures[f]);
        }
        say(to, ",%" PRId32 "\n", row->processors);
    }
}

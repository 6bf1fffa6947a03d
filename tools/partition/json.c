/* The JSON of inlay-partition (docs/schema/partition.schema.json). */
#include "partition.h"
#include "answer.h"
#include <inlay/inlay.h>

static void put_spread(inlay_json *out, const char *key, const spread *s, int64_t factor)
{
    inlay_json_object(out, key);
    inlay_json_integer(out, "least", s->least * factor);
    inlay_json_number(out, "mean", s->mean * (double)factor);
    inlay_json_integer(out, "most", s->most * factor);
    inlay_json_object_end(out);
}

static void put_gathering(inlay_json *out, const char *key, const gathering *g, int64_t item)
{
    inlay_json_object(out, key);
    put_spread(out, "ghosts", &g->ghosts, 1);
    put_spread(out, "messages", &g->messages, 1);
    put_spread(out, "bytes", &g->ghosts, item);
    inlay_json_object_end(out);
}

static void put_question(inlay_json *out, const partitioned *of)
{
    const partition_values *values = of->call->values;
    static const char *const rules[] = {"max-owner", "owner", "balanced"};
    inlay_json_string(out, "mesh", of->source);
    inlay_json_string(out, "format", of->format);
    inlay_json_integer(out, "vertices", of->vertices);
    inlay_json_integer(out, "edges", of->edges);
    inlay_json_integer(out, "ranks", of->ranks);
    inlay_json_integer(out, "parts", of->parts);
    inlay_json_string(out, "method", of->method);
    inlay_json_number(out, "imbalance_allowed", partition_imbalance(values));
    inlay_json_string(out, "rule", rules[values->rule]);
    inlay_json_integer(out, "item", partition_item(values));
}

static void put_costs(inlay_json *out, const inlay_partition_figures *f)
{
    inlay_json_integer(out, "edge_cut", f->edge_cut);
    inlay_json_integer(out, "volume", f->volume);
    inlay_json_integer(out, "largest_volume", f->largest_volume);
    inlay_json_number(out, "mean_neighbours", f->mean_neighbours);
    inlay_json_integer(out, "most_neighbours", f->most_neighbours);
    inlay_json_integer(out, "smallest", f->smallest);
    inlay_json_integer(out, "largest", f->largest);
    inlay_json_number(out, "imbalance", f->imbalance);
    inlay_json_integer(out, "empty", f->empty);
}

static void put_iterations(inlay_json *out, const partitioned *of)
{
    inlay_json_object(out, "iterations");
    put_spread(out, "edges", &of->iterations, 1);
    inlay_json_integer(out, "local_ends", of->local);
    inlay_json_integer(out, "ends", of->elements);
    inlay_json_object_end(out);
}

static int put_members(inlay_json *out, const void *what)
{
    const partitioned *of = what;
    int64_t item = partition_item(of->call->values);
    put_question(out, of);
    put_costs(out, &of->figures);
    put_iterations(out, of);
    put_gathering(out, "gather_of_parts", &of->vertices_of, item);
    if (partition_is_by_rank(of)) {
        put_gathering(out, "gather_of_ranks", &of->loop, item);
    } else {
        inlay_json_null(out, "gather_of_ranks");
    }
    inlay_json_object(out, "times");
    for (int i = 0; i < PHASES; i++) {
        inlay_json_number(out, partition_phase_names[i], of->seconds[i]);
    }
    inlay_json_object_end(out);
    return INLAY_OK;
}

int partition_print_json(const partitioned *of, inlay_diag *diag)
{
    return result_write(of->call, put_members, of, "-", diag);
}

/* The JSON of inlay-partition (docs/schema/partition.schema.json). */
#include "partition.h"
#include "result.h"
#include <inlay/inlay.h>

static void put_spread(result *out, const char *key, const spread *s, int64_t factor)
{
    result_open(out, key, '{');
    result_integer(out, "least", s->least * factor);
    result_number(out, "mean", s->mean * (double)factor);
    result_integer(out, "most", s->most * factor);
    result_close(out, '}');
}

static void put_gathering(result *out, const char *key, const gathering *g, int64_t item)
{
    result_open(out, key, '{');
    put_spread(out, "ghosts", &g->ghosts, 1);
    put_spread(out, "messages", &g->messages, 1);
    put_spread(out, "bytes", &g->ghosts, item);
    result_close(out, '}');
}

static void put_question(result *out, const partitioned *of)
{
    const partition_values *values = of->call->values;
    static const char *const rules[] = {"max-owner", "owner", "balanced"};
    result_string(out, "mesh", of->source);
    result_string(out, "format", of->format);
    result_integer(out, "vertices", of->vertices);
    result_integer(out, "edges", of->edges);
    result_integer(out, "ranks", of->ranks);
    result_integer(out, "parts", of->parts);
    result_string(out, "method", of->method);
    result_number(out, "imbalance_allowed", partition_imbalance(values));
    result_string(out, "rule", rules[values->rule]);
    result_integer(out, "item", partition_item(values));
}

static void put_costs(result *out, const inlay_partition_figures *f)
{
    result_integer(out, "edge_cut", f->edge_cut);
    result_integer(out, "volume", f->volume);
    result_integer(out, "largest_volume", f->largest_volume);
    result_number(out, "mean_neighbours", f->mean_neighbours);
    result_integer(out, "most_neighbours", f->most_neighbours);
    result_integer(out, "smallest", f->smallest);
    result_integer(out, "largest", f->largest);
    result_number(out, "imbalance", f->imbalance);
    result_integer(out, "empty", f->empty);
}

static void put_iterations(result *out, const partitioned *of)
{
    result_open(out, "iterations", '{');
    put_spread(out, "edges", &of->iterations, 1);
    result_integer(out, "local_ends", of->local);
    result_integer(out, "ends", of->elements);
    result_close(out, '}');
}

void partition_print_json(const partitioned *of, const inlay_diag *diag, FILE *to)
{
    int64_t item = partition_item(of->call->values);
    result out = {.to = to};
    result_open(&out, NULL, '{');
    result_common(&out, of->call, diag);
    put_question(&out, of);
    put_costs(&out, &of->figures);
    put_iterations(&out, of);
    put_gathering(&out, "gather_of_parts", &of->vertices_of, item);
    if (partition_is_by_rank(of)) {
        put_gathering(&out, "gather_of_ranks", &of->loop, item);
    } else {
        result_exact(&out, "gather_of_ranks", "null");
    }
    result_open(&out, "times", '{');
    for (int i = 0; i < PHASES; i++) {
        result_number(&out, partition_phase_names[i], of->seconds[i]);
    }
    result_close(&out, '}');
    result_close(&out, '}');
}

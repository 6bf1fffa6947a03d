/* The JSON of inlay-partition (docs/schema/partition.schema.json). */
#include "partition.h"
#include "answer.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

static void put_spread(inlay_json *out, const char *key, const spread *s, int64_t factor)
{
    inlay_json_object(out, key);
    inlay_json_put(out, "least %" PRId64 " mean %g most %" PRId64 " }", s->least * factor, s->mean * (double)factor,
                   s->most * factor);
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
    inlay_json_put(out,
                   "mesh %s format %s vertices %" PRId64 " edges %" PRId64
                   " ranks %d parts %d method %s imbalance_allowed %g rule %s item %" PRId64,
                   of->source, of->format, of->vertices, of->edges, of->ranks, of->parts, of->method,
                   partition_imbalance(values), rules[values->rule], partition_item(values));
}

static void put_costs(inlay_json *out, const partitioned *of)
{
    const inlay_partition_figures *f = &of->figures;
    double imbalance = partition_loads(of, partition_worst_weight(of)).imbalance;
    inlay_json_put(out,
                   "edge_cut %" PRId64 " volume %" PRId64 " largest_volume %" PRId64
                   " mean_neighbours %g most_neighbours %d smallest %" PRId64 " largest %" PRId64
                   " imbalance %g empty %d",
                   f->edge_cut, f->volume, f->largest_volume, f->mean_neighbours, f->most_neighbours, f->smallest,
                   f->largest, imbalance, f->empty);
}

/* What is above of each weight, where there are several. */
static void put_weights(inlay_json *out, const partitioned *of)
{
    if (of->figures.weights == 1) {
        inlay_json_null(out, "weights");
        return;
    }
    inlay_json_array(out, "weights");
    for (int32_t w = 0; w < of->figures.weights; w++) {
        part_loads one = partition_loads(of, w);
        inlay_json_object(out, NULL);
        inlay_json_put(out, "smallest %" PRId64 " largest %" PRId64 " imbalance %g }", one.smallest, one.largest,
                       one.imbalance);
    }
    inlay_json_array_end(out);
}

/* Of each part, in shares of the whole load. */
static void put_targets(inlay_json *out, const partitioned *of)
{
    double sum = 0;
    if (of->target == NULL) {
        inlay_json_null(out, "targets");
        return;
    }
    for (int32_t p = 0; p < of->parts; p++) {
        sum += of->target[p];
    }
    inlay_json_array(out, "targets");
    for (int32_t p = 0; p < of->parts; p++) {
        inlay_json_number(out, NULL, of->target[p] / sum);
    }
    inlay_json_array_end(out);
}

static void put_machine(inlay_json *out, const partitioned *of)
{
    if (of->machine == NULL) {
        inlay_json_null(out, "machine");
        return;
    }
    double item = (double)partition_item(of->call->values);
    inlay_json_object(out, "machine");
    double known =
        ((const partition_values *)of->call->values)->from != NULL ? NAN : item; /* else no place was sought */
    inlay_json_put(out, "name %s processors %d byte_hops %g byte_hops_in_order %g", inlay_machine_name(of->machine),
                   inlay_machine_processors(of->machine), (double)of->places.after * known,
                   (double)of->places.before * known);
    inlay_json_array(out, "processor");
    for (int32_t p = 0; p < of->parts; p++) {
        inlay_json_integer(out, NULL, of->processor[p]);
    }
    inlay_json_array_end(out);
    inlay_json_object_end(out);
}

static void put_change(inlay_json *out, const partitioned *of)
{
    const partition_values *values = of->call->values;
    const inlay_repartition_figures *f = &of->change;
    if (values->from == NULL) {
        inlay_json_null(out, "repartition");
        return;
    }
    inlay_json_object(out, "repartition");
    inlay_json_put(out, "from %s migration_cost %g edge_cut_before %" PRId64 " moved %" PRId64 " cost %g fresh %hhd }",
                   partition_name(values->from), partition_migration_cost(values), f->edge_cut_before, f->moved,
                   f->cost, f->fresh);
}

static void put_numbers(inlay_json *out, const partitioned *of)
{
    const partition_values *values = of->call->values;
    const inlay_numbering_figures *f = of->numbering;
    if (values->renumber == RENUMBER_NO) {
        inlay_json_null(out, "renumbered");
        return;
    }
    inlay_json_object(out, "renumbered");
    inlay_json_put(
        out, "how %s bandwidth %" PRId64 " mean_distance %g bandwidth_before %" PRId64 " mean_distance_before %g }",
        values->renumber == RENUMBER_RCM ? "rcm" : "hilbert", f[1].bandwidth, f[1].mean_distance, f[0].bandwidth,
        f[0].mean_distance);
}

static void put_iterations(inlay_json *out, const partitioned *of)
{
    inlay_json_object(out, "iterations");
    put_spread(out, "edges", &of->iterations, 1);
    inlay_json_put(out, "local_ends %" PRId64 " ends %" PRId64 " }", of->local, of->elements);
}

static int put_members(inlay_json *out, const void *what)
{
    const partitioned *of = what;
    int64_t item = partition_item(of->call->values);
    put_question(out, of);
    put_costs(out, of);
    put_weights(out, of);
    put_targets(out, of);
    put_machine(out, of);
    put_change(out, of);
    put_numbers(out, of);
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

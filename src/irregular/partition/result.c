/* What `inlay partition` gives out: JSON (docs/schema/partition.schema.json). */
#include "base/diag.h"
#include <inlay/irregular_result.h>
#include <inttypes.h>
#include <math.h>

static void put_spread(inlay_json *out, const char *key, const inlay_extent *s, int64_t factor)
{
    inlay_json_object(out, key);
    inlay_json_put(out, "least %" PRId64 " mean %g most %" PRId64 " }", s->least * factor, s->mean * (double)factor,
                   s->most * factor);
}

static void put_gathering(inlay_json *out, const char *key, const inlay_gathering *g, int64_t item)
{
    inlay_json_object(out, key);
    put_spread(out, "ghosts", &g->ghosts, 1);
    put_spread(out, "messages", &g->messages, 1);
    put_spread(out, "bytes", &g->ghosts, item);
    inlay_json_object_end(out);
}

static void put_costs(inlay_json *out, const inlay_partition_result *r)
{
    const inlay_partition_figures *f = &r->figures;
    int32_t worst = inlay_quotient_worst_weight(r->quotient, r->target);
    inlay_json_put(out,
                   "mesh %s format %s vertices %" PRId64 " edges %" PRId64
                   " ranks %d parts %d method %s imbalance_allowed %g rule %s item %" PRId64,
                   r->mesh, r->format, r->vertices, r->edges, r->ranks, r->parts, r->method, r->imbalance_allowed,
                   r->rule, r->item);
    inlay_json_put(out,
                   "edge_cut %" PRId64 " volume %" PRId64 " largest_volume %" PRId64
                   " mean_neighbours %g most_neighbours %d smallest %" PRId64 " largest %" PRId64
                   " imbalance %g empty %d",
                   f->edge_cut, f->volume, f->largest_volume, f->mean_neighbours, f->most_neighbours, f->smallest,
                   f->largest, inlay_quotient_loads(r->quotient, r->target, worst).imbalance, f->empty);
}

/* What is above of each weight, where there are several. */
static void put_weights(inlay_json *out, const inlay_partition_result *r)
{
    if (r->figures.weights == 1) {
        inlay_json_null(out, "weights");
        return;
    }
    inlay_json_array(out, "weights");
    for (int32_t w = 0; w < r->figures.weights; w++) {
        inlay_part_loads one = inlay_quotient_loads(r->quotient, r->target, w);
        inlay_json_object(out, NULL);
        inlay_json_put(out, "smallest %" PRId64 " largest %" PRId64 " imbalance %g }", one.smallest, one.largest,
                       one.imbalance);
    }
    inlay_json_array_end(out);
}

/* Of each part, in shares of the whole load. */
static void put_targets(inlay_json *out, const inlay_partition_result *r)
{
    double sum = 0;
    if (r->target == NULL) {
        inlay_json_null(out, "targets");
        return;
    }
    for (int32_t p = 0; p < r->parts; p++) {
        sum += r->target[p];
    }
    inlay_json_array(out, "targets");
    for (int32_t p = 0; p < r->parts; p++) {
        inlay_json_number(out, NULL, r->target[p] / sum);
    }
    inlay_json_array_end(out);
}

static void put_machine(inlay_json *out, const inlay_partition_result *r)
{
    if (r->machine == NULL) {
        inlay_json_null(out, "machine");
        return;
    }
    double known = r->from != NULL ? NAN : (double)r->item; /* else no place was sought */
    inlay_json_object(out, "machine");
    inlay_json_put(out, "name %s processors %d byte_hops %g byte_hops_in_order %g processor [", r->machine,
                   r->processors, (double)r->places.after * known, (double)r->places.before * known);
    for (int32_t p = 0; p < r->parts; p++) {
        inlay_json_integer(out, NULL, r->processor[p]);
    }
    inlay_json_array_end(out);
    inlay_json_object_end(out);
}

static void put_change(inlay_json *out, const inlay_partition_result *r)
{
    const inlay_repartition_figures *f = &r->change;
    if (r->from == NULL) {
        inlay_json_null(out, "repartition");
        return;
    }
    inlay_json_object(out, "repartition");
    inlay_json_put(out, "from %s migration_cost %g edge_cut_before %" PRId64 " moved %" PRId64 " cost %g fresh %hhd }",
                   r->from, r->migration_cost, f->edge_cut_before, f->moved, f->cost, f->fresh);
}

static void put_numbers(inlay_json *out, const inlay_partition_result *r)
{
    const inlay_numbering_figures *f = r->numbering;
    if (r->renumbered == NULL) {
        inlay_json_null(out, "renumbered");
        return;
    }
    inlay_json_object(out, "renumbered");
    inlay_json_put(
        out, "how %s bandwidth %" PRId64 " mean_distance %g bandwidth_before %" PRId64 " mean_distance_before %g }",
        r->renumbered, f[1].bandwidth, f[1].mean_distance, f[0].bandwidth, f[0].mean_distance);
}

static void put_loop(inlay_json *out, const inlay_partition_result *r)
{
    inlay_json_object(out, "iterations");
    put_spread(out, "edges", &r->iterations, 1);
    inlay_json_put(out, "local_ends %" PRId64 " ends %" PRId64 " }", r->local, r->elements);
    put_gathering(out, "gather_of_parts", &r->vertices_of, r->item);
    if (r->parts == r->ranks) {
        put_gathering(out, "gather_of_ranks", &r->loop, r->item);
    } else {
        inlay_json_null(out, "gather_of_ranks");
    }
}

static int put_members(inlay_json *out, const void *what)
{
    static const char *const phases[] = {"read", "graph", "partition", "table", "iterations", "remap", "localize"};
    const inlay_partition_result *r = what;
    put_costs(out, r);
    put_weights(out, r);
    put_targets(out, r);
    put_machine(out, r);
    put_change(out, r);
    put_numbers(out, r);
    put_loop(out, r);
    inlay_json_object(out, "times");
    for (int i = 0; i < INLAY_PHASES; i++) {
        inlay_json_number(out, phases[i], r->seconds[i]);
    }
    inlay_json_object_end(out);
    return INLAY_OK;
}

int inlay_partition_write_json(const inlay_partition_result *result, const inlay_result_context *context,
                               const char *path, inlay_diag *diag)
{
    DIAG_CALL(diag);
    return inlay_result_write(context, put_members, result, path, diag);
}

/*
 * Interfaces of a graph that an actor consists of: one firing of the actor is one run of the graph.
 *
 * A run has the least firings of the graph's actors that agree with each other, and so many times as many that they take or
 * put at least what each interface has. An input from which they take more hands on its tokens again and again; of an output
 * into which they put more the last tokens count (J. Piat et al., "Interface-based hierarchy for synchronous data-flow
 * graphs", SiPS 2009).
 */
#include "base/diag.h"
#include "graph/sdf.h"
#include "io/preesm/build.h"
#include <stdlib.h>

typedef struct runs {
    inlay_sdf *sdf;  /* of the actors alone */
    int32_t *actor;  /* by node, -1 none */
    int32_t *part;   /* of actors that fifos connect: the actor that stands for them */
    int64_t *factor; /* by that: so many times the least firings */
} runs;

static bool is_inside(const pi_graph *g, int32_t node)
{
    pi_kind kind = g->node[node].kind;
    return kind == PI_ACTOR || kind == PI_SPECIAL;
}

static bool is_interface(const pi_graph *g, int32_t node)
{
    return g->node[node].kind == PI_SOURCE || g->node[node].kind == PI_SINK;
}

static int32_t part_of(const runs *r, int32_t actor)
{
    while (r->part[actor] != actor) {
        r->part[actor] = r->part[r->part[actor]];
        actor = r->part[actor];
    }
    return actor;
}

static int add_channel(building *b, const instance *in, const pi_fifo *fifo, const runs *r)
{
    int64_t put = 0, taken = 0;
    inlay_sdf_channel made = {.name = fifo->from_port,
                              .from = r->actor[fifo->from],
                              .to = r->actor[fifo->to],
                              .produced = &put,
                              .consumed = &taken,
                              .line = fifo->line};
    int status = preesm_rate_at(b, in, fifo, true, &put);
    status = status == INLAY_OK ? preesm_rate_at(b, in, fifo, false, &taken) : status;
    r->part[part_of(r, made.from)] = part_of(r, made.to);
    return status == INLAY_OK ? inlay_sdf_add_channel(r->sdf, &made, b->diag) : status;
}

static int find_runs(building *b, const instance *in, runs *r)
{
    const pi_graph *g = in->g;
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < g->nodes; i++) {
        r->actor[i] = is_inside(g, (int32_t)i) ? inlay_sdf_actors(r->sdf) : -1;
        if (r->actor[i] >= 0) {
            r->part[r->actor[i]] = r->actor[i];
            r->factor[r->actor[i]] = 1;
            status = inlay_sdf_add_actor(r->sdf, g->node[i].id, 1, b->diag);
        }
    }
    for (size_t i = 0; status == INLAY_OK && i < g->fifos; i++) {
        const pi_fifo *fifo = &g->fifo[i];
        if (is_inside(g, fifo->from) && is_inside(g, fifo->to)) {
            status = add_channel(b, in, fifo, r);
        }
    }
    return status == INLAY_OK && inlay_sdf_actors(r->sdf) > 0 ? sdf_balance(r->sdf, g->path, b->diag) : status;
}

/* What an interface has, and what the actor at the other end of its fifo takes or puts in the least run. */
static int find_both(building *b, const instance *in, const pi_fifo *fifo, const runs *r, int64_t *has, int64_t *least,
                     int32_t *actor)
{
    bool input = is_interface(in->g, fifo->from);
    *actor = r->actor[input ? fifo->to : fifo->from];
    int status = preesm_rate_at(b, in, fifo, input, has);
    status = status == INLAY_OK ? preesm_rate_at(b, in, fifo, !input, least) : status;
    int64_t firings = *actor >= 0 ? inlay_sdf_repetitions(r->sdf, *actor) : 1;
    if (status == INLAY_OK && __builtin_mul_overflow(*least, firings, least)) {
        return preesm_fail(b, in, fifo->line, "too many tokens at interface", fifo->from_port, "fewer than 2^63");
    }
    return status;
}

static int set_total(building *b, const instance *in, const pi_fifo *fifo, const runs *r)
{
    bool input = is_interface(in->g, fifo->from);
    int64_t has = 0, least = 0, total = 0;
    int32_t actor = -1;
    int status = find_both(b, in, fifo, r, &has, &least, &actor);
    if (status != INLAY_OK) {
        return status;
    }
    int64_t factor = actor >= 0 ? r->factor[part_of(r, actor)] : 1;
    if (__builtin_mul_overflow(least, factor, &total) || (has == 0 ? total != 0 : total % has != 0)) {
        return diag_fail_at(
            b->diag, INLAY_BAD_INPUT, in->g->path, fifo->line,
            "interface '%.80s' has %lld tokens, of which a run of the graph %s %lld; expected a multiple",
            in->g->node[input ? fifo->from : fifo->to].id, (long long)has, input ? "takes" : "gets", (long long)total);
    }
    in->total[input ? fifo->from : fifo->to] = total;
    return INLAY_OK;
}

static int set_factor(building *b, const instance *in, const pi_fifo *fifo, const runs *r)
{
    int64_t has = 0, least = 0;
    int32_t actor = -1;
    int status = find_both(b, in, fifo, r, &has, &least, &actor);
    if (status == INLAY_OK && actor >= 0 && least > 0) {
        int64_t *factor = &r->factor[part_of(r, actor)], wanted = has / least + (has % least > 0);
        *factor = wanted > *factor ? wanted : *factor;
    }
    return status;
}

static int for_interfaces(building *b, const instance *in, const runs *r,
                          int (*set)(building *, const instance *, const pi_fifo *, const runs *))
{
    const pi_graph *g = in->g;
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < g->fifos; i++) {
        const pi_fifo *fifo = &g->fifo[i];
        if (is_interface(g, fifo->from) != is_interface(g, fifo->to)) {
            status = set(b, in, fifo, r);
        } else if (is_interface(g, fifo->from)) {
            status = preesm_rate_at(b, in, fifo, true, &in->total[fifo->from]);
            in->total[fifo->to] = in->total[fifo->from];
        }
    }
    return status;
}

int preesm_find_totals(building *b, const instance *in)
{
    size_t nodes = in->g->nodes;
    runs r = {.sdf = inlay_sdf_new("runs", INLAY_UNIT_TICK),
              .actor = memory_array(nodes, sizeof *r.actor),
              .part = memory_array(nodes, sizeof *r.part),
              .factor = memory_array(nodes, sizeof *r.factor)};
    bool room = r.sdf != NULL && r.actor != NULL && r.part != NULL && r.factor != NULL;
    int status = room ? find_runs(b, in, &r) : diag_no_memory(b->diag);
    status = status == INLAY_OK ? for_interfaces(b, in, &r, set_factor) : status;
    status = status == INLAY_OK ? for_interfaces(b, in, &r, set_total) : status;
    inlay_sdf_free(r.sdf);
    free(r.actor);
    free(r.part);
    free(r.factor);
    return status;
}

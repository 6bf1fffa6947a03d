/* Who owns which elements, and who runs which iterations. */
#include "base/clock.h"
#include "base/diag.h"
#include "irregular/exchange/collective.h"
#include "irregular/whole/whole.h"
#include <inlay/irregular_graph.h>
#include <inlay/irregular_partition.h>
#include <stdlib.h>
#include <string.h>

/* What the iterations touch, in clusters: those of iteration i are of[start[i]] .. of[start[i + 1] - 1], each once. */
typedef struct lists {
    int64_t *start;
    int32_t *of;
    int32_t *vertex;        /* [clusters] its place in the graph; -1: it has none */
    int64_t vertices, anew; /* clusters of several iterations, and how many of them no partition has decided */
    int64_t most;           /* more iterations than that: it has no place, for all would be one */
} lists;

static void lists_clear(lists *c)
{
    free(c->start);
    free(c->of);
    free(c->vertex);
}

/* Local. */
static int lists_make(whole_state *w, lists *c)
{
    const inspection *in = &w->in;
    int64_t count = 0;
    for (int64_t k = 0; k < w->clusters; k++) {
        w->cluster[k].mark = NO_ITERATION;
        w->cluster[k].iterations = 0;
    }
    c->start = memory_array((size_t)in->iterations + 1, sizeof *c->start);
    c->of = memory_array((size_t)in->touches + 1, sizeof *c->of);
    c->vertex = memory_array((size_t)w->clusters + 1, sizeof *c->vertex);
    if (c->start == NULL || c->of == NULL || c->vertex == NULL) {
        return diag_no_memory(w->whole.diag);
    }
    for (int64_t i = 0; i < in->iterations; i++) {
        c->start[i] = count;
        for (int64_t t = in->start[i]; t < in->start[i + 1]; t++) {
            int32_t k = w->element[in->touched[t]].cluster;
            if (w->cluster[k].mark != i) {
                w->cluster[k].mark = (int32_t)i;
                w->cluster[k].iterations++;
                c->of[count++] = k;
            }
        }
    }
    c->start[in->iterations] = count;
    c->most = in->iterations / 8 > 1000 ? in->iterations / 8 : 1000;
    for (int64_t k = 0; k < w->clusters; k++) {
        bool shared = w->cluster[k].iterations > 1 && w->cluster[k].iterations <= c->most;
        c->vertex[k] = shared ? (int32_t)c->vertices++ : -1;
        c->anew += shared && !w->cluster[k].decided;
    }
    return INLAY_OK;
}

/* ---- The graph ---- */

enum { CLIQUE = 8, BATCH = 4096 };

typedef struct batch {
    int64_t a[BATCH], b[BATCH];
    int64_t count;
} batch;

static int flush(inlay_rdg *rdg, batch *pairs, inlay_diag *diag)
{
    int status = inlay_rdg_add_pairs(rdg, pairs->a, pairs->b, pairs->count, diag);
    pairs->count = 0;
    return status;
}

static int join(inlay_rdg *rdg, batch *pairs, int32_t a, int32_t b, inlay_diag *diag)
{
    pairs->a[pairs->count] = a;
    pairs->b[pairs->count++] = b;
    return pairs->count == BATCH ? flush(rdg, pairs, diag) : INLAY_OK;
}

/* This rank's share of the iterations: each joins what it touches, every two, or where there are many the first and the others. */
static int join_all(const whole_state *w, const lists *c, inlay_rdg *rdg, batch *pairs)
{
    int64_t n = w->in.iterations, from = inlay_block_first(n, w->whole.ranks, w->whole.rank);
    int64_t to = inlay_block_first(n, w->whole.ranks, w->whole.rank + 1);
    int status = INLAY_OK;
    for (int64_t i = from; i < to && status == INLAY_OK; i++) {
        int64_t firsts = c->start[i + 1] - c->start[i] > CLIQUE ? 1 : CLIQUE, seen = 0;
        for (int64_t t = c->start[i]; t < c->start[i + 1] && seen < firsts; t++) {
            if (c->vertex[c->of[t]] < 0) {
                continue;
            }
            seen++;
            for (int64_t u = t + 1; u < c->start[i + 1] && status == INLAY_OK; u++) {
                if (c->vertex[c->of[u]] >= 0) {
                    status = join(rdg, pairs, c->vertex[c->of[t]], c->vertex[c->of[u]], w->whole.diag);
                }
            }
        }
    }
    return status == INLAY_OK ? flush(rdg, pairs, w->whole.diag) : status;
}

static int graph_make(const whole_state *w, const lists *c, const inlay_table *rows, inlay_graph **graph)
{
    inlay_rdg *rdg = NULL;
    batch *pairs = memory_zeroed(1, sizeof *pairs);
    int status = pairs == NULL ? diag_no_memory(w->whole.diag)
                               : inlay_rdg_new(c->vertices, 2 * c->vertices / w->whole.ranks, &rdg, w->whole.diag);
    if (status == INLAY_OK) {
        status = join_all(w, c, rdg, pairs);
    }
    free(pairs);
    status = collective_agree(w->whole.comm, status, w->whole.diag);
    if (status == INLAY_OK) {
        status = inlay_rdg_generate(rdg, rows, graph, w->whole.diag);
    }
    inlay_rdg_free(rdg);
    return status;
}

/* Loads are iterations. */
static int graph_load(const whole_state *w, const lists *c, inlay_graph *g)
{
    int64_t *load = memory_zeroed((size_t)g->rows + 1, sizeof *load), first = g->first;
    int status = load == NULL ? diag_no_memory(w->whole.diag) : INLAY_OK;
    for (int64_t k = 0; k < w->clusters && status == INLAY_OK; k++) {
        int64_t row = c->vertex[k] - first;
        if (c->vertex[k] >= 0 && row >= 0 && row < g->rows) {
            load[row] = w->cluster[k].iterations;
        }
    }
    g->load = load;
    return collective_agree(w->whole.comm, status, w->whole.diag);
}

/* ---- A partition decides ---- */

/* part[] of all vertices: each rank has those of its block. */
static int gather_parts(const whole_state *w, int64_t vertices, int32_t *part)
{
    int ranks = w->whole.ranks;
    int *counts = memory_array(2 * (size_t)ranks, sizeof *counts);
    int status = counts == NULL ? diag_no_memory(w->whole.diag) : INLAY_OK;
    status = collective_agree(w->whole.comm, status, w->whole.diag);
    if (status == INLAY_OK && counts != NULL) {
        for (int r = 0; r < ranks; r++) {
            counts[ranks + r] = (int)inlay_block_first(vertices, ranks, r);
            counts[r] = (int)inlay_block_first(vertices, ranks, r + 1) - counts[ranks + r];
        }
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, part, counts, counts + ranks, MPI_INT32_T, w->whole.comm);
    }
    free(counts);
    return status;
}

/* Parts of this rank's vertices by one method, and how many ghosts they make. */
static int parts_by(const whole_state *w, const inlay_graph *graph, const char *method, int32_t *part, int64_t *ghosts)
{
    const inlay_partition_options options = {.method = method, .parts = w->whole.ranks, .empty = true, .seed = 1};
    int status = inlay_partition(graph, &options, part, w->whole.diag);
    if (status == INLAY_NO_ANSWER || status == INLAY_OVERFLOW) { /* no partition is good: any will do */
        diag_clear_error(w->whole.diag);
        for (int32_t i = 0; i < graph->rows; i++) {
            part[i] = w->whole.rank;
        }
        status = INLAY_OK;
    }
    inlay_partition_figures figures = {0};
    if (status == INLAY_OK) {
        status = inlay_partition_evaluate(graph, part, w->whole.ranks, &figures, w->whole.diag);
    }
    *ghosts = figures.volume;
    return status;
}

enum { WORTH = 2 };

/*
 * Where the caller named no method, blocks of vertices in the order of their first touch are taken, unless a partitioner needs far
 * fewer ghosts: a rank then goes over memory from one end to the other, in one long range, which is worth more to it than
 * a few ghosts less.
 */
static int best_parts(const whole_state *w, const inlay_graph *graph, int32_t *part)
{
    const char *method = w->options.method == NULL ? "ptscotch" : w->options.method;
    int64_t ghosts = 0, block_ghosts = 0;
    int status = parts_by(w, graph, method, part, &ghosts);
    if (status != INLAY_OK || w->options.method != NULL) {
        return status;
    }
    int32_t *block = memory_array((size_t)graph->rows + 1, sizeof *block);
    status = collective_agree(w->whole.comm, block == NULL ? diag_no_memory(w->whole.diag) : INLAY_OK, w->whole.diag);
    if (status == INLAY_OK && block != NULL) {
        status = parts_by(w, graph, "block", block, &block_ghosts);
    }
    if (status == INLAY_OK && block != NULL && block_ghosts <= WORTH * ghosts) {
        memcpy(part, block, (size_t)graph->rows * sizeof *part);
    }
    free(block);
    return status;
}

static int partition(whole_state *w, const lists *c, int32_t *part)
{
    inlay_table *rows = NULL;
    inlay_graph *graph = NULL;
    int64_t first = inlay_block_first(c->vertices, w->whole.ranks, w->whole.rank);
    int status = inlay_table_block(w->whole.comm, c->vertices, &rows, w->whole.diag);
    if (status == INLAY_OK) {
        status = graph_make(w, c, rows, &graph);
    }
    if (status == INLAY_OK) {
        status = graph_load(w, c, graph);
    }
    if (status == INLAY_OK) {
        status = best_parts(w, graph, part + first);
    }
    inlay_graph_free(graph);
    inlay_table_free(rows);
    return status == INLAY_OK ? gather_parts(w, c->vertices, part) : status;
}

/* Owners anew of all that several iterations touch; of what no partition has decided, nothing is known any more. */
static int decide(whole_state *w, const lists *c)
{
    int32_t *part = memory_array((size_t)c->vertices + 1, sizeof *part);
    int status =
        collective_agree(w->whole.comm, part == NULL ? diag_no_memory(w->whole.diag) : INLAY_OK, w->whole.diag);
    if (status == INLAY_OK && part != NULL) {
        status = partition(w, c, part);
    }
    if (status == INLAY_OK && part != NULL) {
        for (int64_t k = 0; k < w->clusters; k++) {
            cluster *to = &w->cluster[k];
            if (c->vertex[k] >= 0) {
                to->owner = part[c->vertex[k]];
                to->decided = true;
            } else if (!to->decided) {
                to->owner = -1;
            }
        }
        w->distribution++;
        w->settle_made = false;
    }
    free(part);
    return status;
}

/* ---- Iterations ---- */

/* The rank that owns most of what iteration i touches, one with few iterations where there are several; -1 where nothing is
 * owned. tally[] is 0 before and after. */
static int32_t most_of(const whole_state *w, const lists *c, int64_t i, int32_t *tally, const int64_t *has)
{
    int32_t best = -1;
    for (int64_t t = c->start[i]; t < c->start[i + 1]; t++) {
        const cluster *k = &w->cluster[c->of[t]];
        if (k->owner >= 0 && k->iterations <= c->most) {
            int32_t r = k->owner;
            tally[r]++;
            bool idle = best < 0 || (has[r] != has[best] ? has[r] < has[best] : best > r);
            if (best < 0 || tally[r] > tally[best] || (tally[r] == tally[best] && idle)) {
                best = r;
            }
        }
    }
    for (int64_t t = c->start[i]; t < c->start[i + 1]; t++) {
        int32_t r = w->cluster[c->of[t]].owner;
        if (r >= 0) {
            tally[r] = 0;
        }
    }
    return best;
}

static int share_out(whole_state *w, const lists *c)
{
    inspection *in = &w->in;
    int ranks = w->whole.ranks;
    int32_t *tally = memory_zeroed((size_t)ranks, sizeof *tally);
    int64_t *has = memory_zeroed((size_t)ranks, sizeof *has);
    int status = tally == NULL || has == NULL ? diag_no_memory(w->whole.diag) : INLAY_OK;
    for (int64_t i = 0; i < in->iterations && status == INLAY_OK; i++) {
        int32_t r = most_of(w, c, i, tally, has);
        r = r < 0 ? (int32_t)inlay_block_owner(in->iterations, ranks, i) : r;
        in->rank_of[i] = r;
        has[r]++;
        for (int64_t t = c->start[i]; t < c->start[i + 1]; t++) {
            cluster *k = &w->cluster[c->of[t]];
            k->owner = k->owner < 0 ? r : k->owner; /* the first iteration that touches it */
        }
    }
    free(tally);
    free(has);
    return status;
}

int whole_owners(whole_state *w, loop_state *l)
{
    inspection *in = &w->in;
    lists c = {0};
    in->rank_of = memory_zeroed((size_t)in->iterations + 1, sizeof *in->rank_of);
    int status = in->rank_of == NULL ? diag_no_memory(w->whole.diag) : INLAY_OK;
    if (w->whole.ranks == 1) {
        return status;
    }
    if (status == INLAY_OK) {
        status = lists_make(w, &c);
    }
    status = collective_agree(w->whole.comm, status, w->whole.diag);
    if (status == INLAY_OK && 2 * c.anew > c.vertices) {
        double from = clock_seconds();
        status = decide(w, &c);
        l->partitioning += clock_seconds() - from;
    }
    if (status == INLAY_OK) {
        status = share_out(w, &c);
    }
    lists_clear(&c);
    return collective_agree(w->whole.comm, status, w->whole.diag);
}

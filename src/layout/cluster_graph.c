/* Traffic between clusters. */
#include "layout/cluster_graph.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "layout/sent.h"
#include <stdlib.h>
#include <string.h>

void cluster_graph_clear(cluster_graph *graph)
{
    free(graph->begin);
    free(graph->neighbour);
    free(graph->traffic);
    *graph = (cluster_graph){0};
}

typedef void (*pair_sink)(cluster_graph *graph, inlay_id a, inlay_id b, int64_t traffic);

static void count_pair(cluster_graph *graph, inlay_id a, inlay_id b, int64_t traffic)
{
    (void)traffic;
    graph->begin[a + 1]++;
    graph->begin[b + 1]++;
}

/* Rows fill from begin[] on, which ends up one row ahead. */
static void put_pair(cluster_graph *graph, inlay_id a, inlay_id b, int64_t traffic)
{
    graph->neighbour[graph->begin[a]] = b;
    graph->traffic[graph->begin[a]++] = traffic;
    graph->neighbour[graph->begin[b]] = a;
    graph->traffic[graph->begin[b]++] = traffic;
}

static void each_pair(const problem *p, const placement *place, const sendings *s, cluster_graph *graph, pair_sink sink)
{
    const inlay_app *app = p->app;
    for (inlay_id i = 0; i < p->modules; i++) {
        for (int64_t e = s->begin[i]; e < s->begin[i + 1]; e++) {
            sent_entry entry = sent_at(s, e);
            inlay_id a = place->cluster_of[i], b = place->cluster_of[entry.to];
            int64_t c = interconnect_traffic(&p->network, entry.messages, entry.bytes);
            if (a != b && c > 0) {
                sink(graph, a, b, c);
            }
        }
    }
    for (inlay_id d = 0; d < app->blocks; d++) {
        for (int64_t u = app->use_begin[d]; u < app->use_begin[d + 1]; u++) {
            inlay_id a = place->home[d], b = place->cluster_of[app->use_module[u]];
            int64_t c = interconnect_traffic(&p->network, app->use_messages[u], app->use_bytes[u]);
            if (a != b && c > 0) {
                sink(graph, a, b, c);
            }
        }
    }
}

/* Equal neighbours of a row become one, where the first of them stood. `seen`: one entry a cluster, below every row. */
static void merge_rows(cluster_graph *graph, int64_t *seen)
{
    int64_t kept = 0;
    for (inlay_id c = 0; c < graph->clusters; c++) {
        int64_t from = graph->begin[c], to = graph->begin[c + 1];
        graph->begin[c] = kept;
        for (int64_t e = from; e < to; e++) {
            inlay_id other = graph->neighbour[e];
            if (seen[other] >= graph->begin[c]) {
                graph->traffic[seen[other]] += graph->traffic[e];
            } else {
                seen[other] = kept;
                graph->neighbour[kept] = other;
                graph->traffic[kept++] = graph->traffic[e];
            }
        }
    }
    graph->begin[graph->clusters] = kept;
}

int cluster_graph_make(const problem *p, const placement *place, cluster_graph *result, inlay_diag *diag)
{
    cluster_graph graph = {.clusters = place->clusters};
    size_t n = (size_t)place->clusters;
    sendings s = {0};
    int64_t *seen = memory_array(n, sizeof *seen);
    graph.begin = memory_zeroed(n + 1, sizeof *graph.begin);
    if (seen == NULL || graph.begin == NULL ||
        sent_make(p->app, p->machine, p->options.copies, place->cluster_of, place->clusters, NULL, &s) != INLAY_OK) {
        goto no_memory;
    }
    each_pair(p, place, &s, &graph, count_pair);
    for (size_t c = 0; c < n; c++) {
        graph.begin[c + 1] += graph.begin[c];
    }
    size_t entries = (size_t)graph.begin[n];
    graph.neighbour = memory_array(entries, sizeof *graph.neighbour);
    graph.traffic = memory_array(entries, sizeof *graph.traffic);
    if (graph.neighbour == NULL || graph.traffic == NULL) {
        goto no_memory;
    }
    each_pair(p, place, &s, &graph, put_pair);
    memmove(graph.begin + 1, graph.begin, n * sizeof *graph.begin);
    graph.begin[0] = 0;
    memset(seen, 0xFF, n * sizeof *seen); /* -1: below every row */
    merge_rows(&graph, seen);
    free(seen);
    sent_clear(&s);
    *result = graph;
    return INLAY_OK;

no_memory:
    free(seen);
    sent_clear(&s);
    cluster_graph_clear(&graph);
    return diag_no_memory(diag);
}

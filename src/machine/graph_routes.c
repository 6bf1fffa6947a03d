/* Shortest paths: igraph finds the distances, the trees follow from them. */
#include "machine/graph_routes.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/turn.h"
#include "machine/cables.h"
#include <igraph.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * `into` has a row of `nodes` for every host: the link by which a message from that host reaches a node, -1 for the host
 * itself.
 */
typedef struct route_table {
    inlay_id nodes;
    inlay_id *into;
    double *weight; /* of every link; NULL: 1 */
} route_table;

/* Distances are sums of rounded numbers: two within this share of each other are equal. */
static const double equal_share = 1e-9;

/* Distances are asked of igraph for so many hosts at once. */
enum { BATCH = 64, LONGEST_NAME = 64 };

static void free_table(void *own)
{
    route_table *table = own;
    if (table != NULL) {
        free(table->into);
        free(table->weight);
        free(table);
    }
}

bool graph_routes_are(const topology *t)
{
    return t->free_own == free_table;
}

double graph_routes_weight(const topology *t, inlay_id link)
{
    const route_table *table = graph_routes_are(t) ? t->own : NULL;
    return table == NULL || table->weight == NULL ? 1 : table->weight[link];
}

/* ---- Routes out of the table ---- */

/* The node from which a link leads into `node`. */
static inlay_id node_before(const topology *t, inlay_id link, inlay_id node)
{
    return t->link[link].to == node ? t->link[link].from : t->link[link].to;
}

static int distance(const topology *t, inlay_id from, inlay_id to)
{
    const route_table *table = t->own;
    const inlay_id *into = table->into + (size_t)from * (size_t)table->nodes;
    int length = 0;
    for (inlay_id at = to; at != from; at = node_before(t, into[at], at)) {
        length++;
    }
    return length;
}

static bool route(const topology *t, inlay_id from, inlay_id to, route_list *list)
{
    const route_table *table = t->own;
    const inlay_id *into = table->into + (size_t)from * (size_t)table->nodes;
    size_t length = (size_t)distance(t, from, to);
    if (!memory_grow((void **)&list->link, &list->capacity, list->count + length, sizeof *list->link)) {
        return false;
    }
    list->count += length;
    inlay_id *end = list->link + list->count;
    for (inlay_id at = to; at != from; at = node_before(t, *end, at)) {
        *--end = into[at];
    }
    return true;
}

/* ---- Distances ---- */

/* What the trees are grown from. */
typedef struct search {
    const topology *t;
    const double *weight; /* NULL: 1 each */
    const char *source;
    inlay_diag *diag;
    cables ways; /* of every node, by the node that they lead to */
    route_table *table;
    int status;
} search;

static double weight_of(const search *s, inlay_id link)
{
    return s->weight == NULL ? 1 : s->weight[link];
}

/* The same network for igraph, whose edges have the order of `ways`. */
static igraph_error_t draw(const search *s, igraph_t *network, igraph_vector_t *weights)
{
    igraph_vector_int_t arcs;
    int64_t count = s->ways.begin[s->t->nodes];
    IGRAPH_CHECK(igraph_vector_int_init(&arcs, 2 * count));
    IGRAPH_FINALLY(igraph_vector_int_destroy, &arcs);
    for (inlay_id node = 0; node < s->t->nodes; node++) {
        for (int64_t i = s->ways.begin[node]; i < s->ways.begin[node + 1]; i++) {
            VECTOR(arcs)[2 * i] = node;
            VECTOR(arcs)[2 * i + 1] = s->ways.to[i];
            igraph_vector_set(weights, i, weight_of(s, s->ways.link[i]));
        }
    }
    IGRAPH_CHECK(igraph_create(network, &arcs, s->t->nodes, IGRAPH_DIRECTED));
    igraph_vector_int_destroy(&arcs);
    IGRAPH_FINALLY_CLEAN(1);
    return IGRAPH_SUCCESS;
}

static void name_of(const topology *t, inlay_id host, char name[LONGEST_NAME])
{
    if (t->node_name != NULL) {
        (void)snprintf(name, LONGEST_NAME, "%s", t->node_name[host]);
    } else {
        (void)snprintf(name, LONGEST_NAME, "p%" PRId32, host);
    }
}

static int refuse_apart(const search *s, inlay_id from, inlay_id to)
{
    char first[LONGEST_NAME], second[LONGEST_NAME];
    name_of(s->t, from, first);
    name_of(s->t, to, second);
    return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, 0,
                        "no links lead from '%s' to '%s'; expected a way from every host to every other", first,
                        second);
}

/* ---- The tree of one host ---- */

/* The arcs first .. behind-1 lead to one node: how many of them are shortest ways into it, or the nth of these. */
static inlay_id shortest(const search *s, int64_t first, int64_t behind, double room, inlay_id nth, inlay_id *link)
{
    inlay_id count = 0;
    for (int64_t i = first; i < behind; i++) {
        if (weight_of(s, s->ways.link[i]) <= room && count++ == nth) {
            *link = s->ways.link[i];
        }
    }
    return count;
}

/* Nodes in the order of their numbers, so that the lowest leads into each node. */
static void grow(const search *s, const igraph_matrix_t *distances, igraph_integer_t row, inlay_id host, inlay_id *into)
{
    for (inlay_id node = 0; node < s->t->nodes; node++) {
        double far = MATRIX(*distances, row, node);
        int64_t behind;
        for (int64_t first = s->ways.begin[node]; first < s->ways.begin[node + 1]; first = behind) {
            inlay_id to = s->ways.to[first];
            for (behind = first + 1; behind < s->ways.begin[node + 1] && s->ways.to[behind] == to;) {
                behind++;
            }
            double there = MATRIX(*distances, row, to);
            if (into[to] >= 0 || to == host || !(far < there) || isinf(there)) {
                continue;
            }
            double room = there * (1 + equal_share) - far;
            inlay_id count = shortest(s, first, behind, room, -1, NULL);
            if (count > 0) {
                shortest(s, first, behind, room, host % count, &into[to]);
            }
        }
    }
}

static bool grow_batch(search *s, const igraph_matrix_t *distances, inlay_id first, inlay_id behind)
{
    for (inlay_id host = first; host < behind; host++) {
        inlay_id *into = s->table->into + (size_t)host * (size_t)s->t->nodes;
        for (inlay_id node = 0; node < s->t->nodes; node++) {
            into[node] = -1;
        }
        grow(s, distances, host - first, host, into);
        for (inlay_id other = 0; other < s->t->hosts; other++) {
            if (other != host && into[other] < 0) {
                s->status = refuse_apart(s, host, other);
                return false;
            }
        }
    }
    return true;
}

static igraph_error_t grow_all(search *s, const igraph_t *network, const igraph_vector_t *weights)
{
    igraph_matrix_t distances;
    IGRAPH_CHECK(igraph_matrix_init(&distances, 0, 0));
    IGRAPH_FINALLY(igraph_matrix_destroy, &distances);
    bool going = true;
    for (inlay_id first = 0; first < s->t->hosts && going; first += BATCH) {
        inlay_id behind = s->t->hosts - first < BATCH ? s->t->hosts : first + BATCH;
        IGRAPH_CHECK(igraph_distances_dijkstra(network, &distances, igraph_vss_range(first, behind), igraph_vss_all(),
                                               s->weight == NULL ? NULL : weights, IGRAPH_OUT));
        going = grow_batch(s, &distances, first, behind);
    }
    igraph_matrix_destroy(&distances);
    IGRAPH_FINALLY_CLEAN(1);
    return IGRAPH_SUCCESS;
}

static igraph_error_t find_all(search *s)
{
    igraph_t network;
    igraph_vector_t weights;
    IGRAPH_CHECK(igraph_vector_init(&weights, s->ways.begin[s->t->nodes]));
    IGRAPH_FINALLY(igraph_vector_destroy, &weights);
    IGRAPH_CHECK(draw(s, &network, &weights));
    IGRAPH_FINALLY(igraph_destroy, &network);
    IGRAPH_CHECK(grow_all(s, &network, &weights));
    igraph_destroy(&network);
    igraph_vector_destroy(&weights);
    IGRAPH_FINALLY_CLEAN(2);
    return IGRAPH_SUCCESS;
}

static int search_all(search *s)
{
    turn_take();
    igraph_error_handler_t *before = igraph_set_error_handler(igraph_error_handler_ignore);
    igraph_error_t error = find_all(s);
    if (error != IGRAPH_SUCCESS) {
        IGRAPH_FINALLY_FREE();
    }
    igraph_set_error_handler(before);
    turn_give();
    if (error != IGRAPH_SUCCESS) {
        return diag_fail(s->diag, error == IGRAPH_ENOMEM ? INLAY_NO_MEMORY : INLAY_SYSTEM, "the routes: %s",
                         igraph_strerror(error));
    }
    return s->status;
}

/* ---- Making ---- */

static int check_size(const topology *t, const char *source, inlay_diag *diag)
{
    int64_t bytes = (int64_t)t->hosts * t->nodes * (int64_t)sizeof(inlay_id);
    int64_t mib = (bytes >> 20) + (bytes % (1 << 20) != 0);
    return mib <= GRAPH_ROUTES_LIMIT_MIB
               ? INLAY_OK
               : diag_fail_at(diag, INLAY_BAD_INPUT, source, 0,
                              "the routes of %" PRId32 " hosts through %" PRId32 " nodes would take %" PRId64
                              " MiB; expected at most %d MiB, or a family such as torus, which needs none",
                              t->hosts, t->nodes, mib, GRAPH_ROUTES_LIMIT_MIB);
}

static route_table *new_table(const topology *t, const double *weight)
{
    route_table *table = memory_zeroed(1, sizeof *table);
    if (table == NULL) {
        return NULL;
    }
    table->nodes = t->nodes;
    table->into = memory_array((size_t)t->hosts * (size_t)t->nodes, sizeof *table->into);
    table->weight = weight == NULL ? NULL : memory_array((size_t)t->links, sizeof *table->weight);
    if (table->into == NULL || (weight != NULL && table->weight == NULL)) {
        free_table(table);
        return NULL;
    }
    if (weight != NULL) {
        memcpy(table->weight, weight, (size_t)t->links * sizeof *weight);
    }
    return table;
}

int graph_routes_make(topology *t, const double *weight, const char *source, inlay_diag *diag)
{
    int status = check_size(t, source, diag);
    if (status != INLAY_OK) {
        return status;
    }
    search s = {.t = t, .weight = weight, .source = source, .diag = diag, .table = new_table(t, weight)};
    if (s.table == NULL || !cables_sort(t, &s.ways)) {
        free_table(s.table);
        return diag_no_memory(diag);
    }
    status = search_all(&s);
    cables_clear(&s.ways);
    if (status != INLAY_OK) {
        free_table(s.table);
        return status;
    }
    t->route = route;
    t->distance = distance;
    t->own = s.table;
    t->free_own = free_table;
    return INLAY_OK;
}

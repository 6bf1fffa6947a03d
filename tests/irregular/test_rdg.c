/* The runtime data graph against a matrix of counts that every rank has whole. */
#include "harness.h"
#include <inlay/irregular_graph.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 60 };

/* All statements of all ranks, and the distribution of rows. */
typedef struct reference {
    int32_t n;
    int64_t count[MOST][MOST]; /* how often the two were met, from both ends */
    int32_t owner[MOST];
    int64_t own[MOST]; /* of this rank, by offset */
    int32_t owned;
} reference;

/* One call that fails on all ranks alike, with a fresh diagnostic. */
#define fails(h, call, status, text)                                                                                   \
    do {                                                                                                               \
        inlay_diag *diag = inlay_diag_new();                                                                           \
        check_fails(h, call, status, text, diag);                                                                      \
        inlay_diag_free(diag);                                                                                         \
    } while (0)

static void count(reference *r, int64_t f, int64_t g)
{
    if (f != g) {
        r->count[f][g]++;
        r->count[g][f]++;
    }
}

/* Statements with some elements read, few elements apart or any; all ranks draw all, each adds those of its own. */
static void draw_statements(harness *h, uint64_t *state, int statements, reference *r, inlay_rdg *rdg)
{
    for (int s = 0; s < statements; s++) {
        int rank = (int)harness_draw(state, (uint64_t)h->ranks), reads = (int)harness_draw(state, 5);
        uint64_t span = harness_draw(state, 2) == 0 ? 3 : (uint64_t)r->n;
        int64_t written = (int64_t)harness_draw(state, (uint64_t)r->n), read[4], same[4];
        for (int i = 0; i < reads; i++) {
            read[i] = (written + (int64_t)harness_draw(state, span)) % r->n;
            same[i] = written;
            count(r, written, read[i]);
        }
        if (rank != h->rank) {
            continue;
        }
        if (s % 2 == 0) {
            check_ok(h, inlay_rdg_add(rdg, written, read, reads, h->diag));
        } else {
            check_ok(h, inlay_rdg_add_pairs(rdg, same, read, reads, h->diag));
        }
    }
}

static void draw_rows(harness *h, uint64_t *state, reference *r)
{
    int busy = 1 + (int)harness_draw(state, (uint64_t)h->ranks);
    r->owned = 0;
    for (int32_t i = 0; i < r->n; i++) {
        int32_t g = (int32_t)((i * 37 + 11) % r->n); /* in no order, where n is not 37 */
        r->owner[g] = (int32_t)harness_draw(state, (uint64_t)busy);
        if (r->owner[g] == h->rank) {
            r->own[r->owned++] = g;
        }
    }
}

static int64_t row_number(const inlay_graph *graph, int32_t row)
{
    return graph->global == NULL ? graph->first + row : graph->global[row];
}

static void check_graph(harness *h, const inlay_graph *graph, const reference *r)
{
    int64_t arcs = 0;
    for (int32_t f = 0; f < r->n; f++) {
        for (int32_t g = 0; g < r->n; g++) {
            arcs += r->count[f][g] > 0;
        }
    }
    check(h, graph->vertices == r->n && graph->arcs == arcs);
    check(h, graph->load == NULL && graph->start[0] == 0);
    for (int32_t row = 0; row < graph->rows; row++) {
        int64_t f = row_number(graph, row), next = graph->start[row];
        for (int64_t g = 0; g < r->n; g++) {
            if (r->count[f][g] > 0) {
                bool here = next < graph->start[row + 1] && graph->column[next] == g;
                check(h, here && (graph->weight == NULL ? 1 : graph->weight[next]) == r->count[f][g]);
                next++;
            }
        }
        check(h, next == graph->start[row + 1]);
    }
    check_ok(h, inlay_graph_check(graph, h->diag));
}

static void check_lists(harness *h, const inlay_graph *graph, const reference *r)
{
    check(h, graph->rows == r->owned && (graph->rows == 0 || graph->global != NULL));
    for (int32_t row = 0; row < graph->rows; row++) {
        check(h, graph->global[row] == r->own[row]);
    }
}

static void check_blocks(harness *h, const inlay_graph *graph, const reference *r)
{
    check(h, graph->global == NULL && graph->first == (int64_t)h->rank * r->n / h->ranks);
    check(h, graph->rows == (int64_t)(h->rank + 1) * r->n / h->ranks - graph->first);
}

/* The same statements into a block distribution, and into any. The second graph begins where the first was emptied. */
static void test_random(harness *h)
{
    uint64_t state = 4;
    for (int trial = 0; trial < 40; trial++) {
        reference r = {.n = 1 + (int32_t)harness_draw(&state, trial < 10 ? 5 : MOST - 1)};
        r.n += r.n == 37;
        int statements = (int)harness_draw(&state, trial % 4 == 0 ? 4000 : 200);
        harness_case(h, "graph %d: %d elements, %d statements", trial, (int)r.n, statements);
        draw_rows(h, &state, &r);
        inlay_rdg *rdg = NULL;
        inlay_table *block = NULL, *list = NULL;
        inlay_graph *graph = NULL;
        check_ok(h, inlay_rdg_new(r.n, trial % 3, &rdg, h->diag));
        check_ok(h, inlay_table_block(h->comm, r.n, &block, h->diag));
        check_ok(h, inlay_table_owned(h->comm, r.n, r.own, r.owned, &list, h->diag));
        draw_statements(h, &state, statements, &r, rdg);
        if (check_ok(h, inlay_rdg_generate(rdg, block, &graph, h->diag))) {
            check_blocks(h, graph, &r);
            check_graph(h, graph, &r);
        }
        inlay_graph_free(graph);
        graph = NULL;
        memset(r.count, 0, sizeof r.count);
        draw_statements(h, &state, statements / 2, &r, rdg);
        if (check_ok(h, inlay_rdg_generate(rdg, list, &graph, h->diag))) {
            check_lists(h, graph, &r);
            check_graph(h, graph, &r);
        }
        inlay_graph_free(graph);
        inlay_table_free(block);
        inlay_table_free(list);
        inlay_rdg_free(rdg);
    }
}

/* More statements than the room for different edges has, and the same edges far apart in time. Each rank walks along the path as often as its number says, and once more. */
static void test_long(harness *h)
{
    enum { POINTS = 3000, ROUNDS = 5 };
    harness_case(h, "a path of %d points, again and again", POINTS);
    inlay_rdg *rdg = NULL;
    inlay_table *table = NULL;
    inlay_graph *graph = NULL;
    check_ok(h, inlay_rdg_new(POINTS, 0, &rdg, h->diag));
    check_ok(h, inlay_table_block(h->comm, POINTS, &table, h->diag));
    for (int round = 0; round <= h->rank + ROUNDS; round++) {
        for (int64_t i = 0; i + 1 < POINTS; i++) {
            int64_t next = i + 1;
            check_ok(h, inlay_rdg_add(rdg, i, &next, 1, h->diag));
        }
    }
    if (check_ok(h, inlay_rdg_generate(rdg, table, &graph, h->diag))) {
        int64_t rounds = 0;
        for (int rank = 0; rank < h->ranks; rank++) {
            rounds += rank + ROUNDS + 1;
        }
        check(h, graph->arcs == 2 * (POINTS - 1) && (graph->rows == 0 || graph->weight != NULL));
        for (int32_t row = 0; row < graph->rows; row++) {
            int64_t g = graph->first + row, arc = graph->start[row];
            check(h, graph->start[row + 1] - arc == (g > 0) + (g < POINTS - 1));
            check(h, graph->column[arc] == (g > 0 ? g - 1 : 1) && graph->weight[arc] == rounds);
        }
        check_ok(h, inlay_graph_check(graph, h->diag));
    }
    inlay_graph_free(graph);
    inlay_table_free(table);
    inlay_rdg_free(rdg);
}

static void test_uniform_counts(harness *h)
{
    harness_case(h, "each edge once: a graph without weights");
    reference r = {.n = 9};
    inlay_rdg *rdg = NULL;
    inlay_table *table = NULL;
    inlay_graph *graph = NULL;
    check_ok(h, inlay_rdg_new(r.n, 20, &rdg, h->diag));
    check_ok(h, inlay_table_block(h->comm, r.n, &table, h->diag));
    int64_t from[8], to[8];
    for (int64_t i = 0; i < 8; i++) {
        from[i] = i + 1;
        to[i] = i;
        count(&r, i, i + 1);
    }
    if (h->rank == h->ranks - 1) {
        check_ok(h, inlay_rdg_add_pairs(rdg, from, to, 8, h->diag));
    }
    if (check_ok(h, inlay_rdg_generate(rdg, table, &graph, h->diag))) {
        check(h, graph->weight == NULL);
        check_graph(h, graph, &r);
    }
    inlay_graph_free(graph);
    harness_case(h, "each edge from both ends: weights of 2");
    if (h->rank == 0) {
        for (int i = 0; i < 8; i++) {
            check_ok(h, inlay_rdg_add(rdg, from[i], to + i, 1, h->diag));
            check_ok(h, inlay_rdg_add(rdg, to[i], from + i, 1, h->diag));
        }
    }
    for (int64_t i = 0; i < 8; i++) {
        count(&r, i, i + 1);
    }
    graph = NULL;
    if (check_ok(h, inlay_rdg_generate(rdg, table, &graph, h->diag))) {
        check_graph(h, graph, &r);
    }
    inlay_graph_free(graph);
    harness_case(h, "no edge at all");
    memset(r.count, 0, sizeof r.count);
    graph = NULL;
    if (check_ok(h, inlay_rdg_generate(rdg, table, &graph, h->diag))) {
        check_graph(h, graph, &r);
    }
    inlay_graph_free(graph);
    inlay_table_free(table);
    inlay_rdg_free(rdg);
}

static void test_refusals(harness *h)
{
    inlay_rdg *rdg = NULL;
    inlay_table *table = NULL;
    inlay_graph *graph = NULL;
    harness_case(h, "elements out of range");
    fails(h, inlay_rdg_new(-1, 0, &rdg, diag), INLAY_BAD_ARGUMENT, "-1 elements");
    fails(h, inlay_rdg_new(1, -1, &rdg, diag), INLAY_BAD_ARGUMENT, "-1 edges");
    check(h, rdg == NULL);
    check_ok(h, inlay_rdg_new(5, 0, &rdg, h->diag));
    check_ok(h, inlay_table_block(h->comm, 5, &table, h->diag));
    static const int64_t good[3] = {0, 1, 2}, bad[3] = {1, 3, 5}, negative[3] = {1, 3, -1};
    fails(h, inlay_rdg_add(rdg, 5, good, 3, diag), INLAY_BAD_ARGUMENT, "element 5 is written; expected 0 to 4");
    fails(h, inlay_rdg_add(rdg, -1, good, 3, diag), INLAY_BAD_ARGUMENT, "element -1 is written; expected 0 to 4");
    fails(h, inlay_rdg_add(rdg, 0, bad, 3, diag), INLAY_BAD_ARGUMENT, "element 5 is read; expected 0 to 4");
    fails(h, inlay_rdg_add_pairs(rdg, good, negative, 3, diag), INLAY_BAD_ARGUMENT,
          "element -1 is read; expected 0 to 4");
    fails(h, inlay_rdg_add_pairs(rdg, bad, good, 3, diag), INLAY_BAD_ARGUMENT, "element 5 is written; expected 0 to 4");
    if (check_ok(h, inlay_rdg_generate(rdg, table, &graph, h->diag))) {
        check(h, graph->arcs == 0); /* what was refused was not counted */
    }
    inlay_graph_free(graph);
    inlay_table_free(table);
    harness_case(h, "a table of another number of elements");
    graph = NULL;
    check_ok(h, inlay_table_block(h->comm, 6, &table, h->diag));
    fails(h, inlay_rdg_generate(rdg, table, &graph, diag), INLAY_BAD_ARGUMENT,
          "a graph over 5 elements, a table of 6; expected the same");
    check(h, graph == NULL);
    inlay_table_free(table);
    inlay_rdg_free(rdg);
}

/* ---- inlay_graph_check() ---- */

/* A ring of 3 vertices a rank, in blocks; vertex v has the columns v - 1 and v + 1, which ascend but at the ends. */
typedef struct ring {
    inlay_graph graph;
    int64_t start[4], column[6], weight[6], load[3];
} ring;

static void make_ring(const harness *h, ring *made)
{
    int64_t n = (int64_t)3 * h->ranks, first = (int64_t)3 * h->rank;
    made->graph = (inlay_graph){.comm = h->comm,
                                .vertices = n,
                                .arcs = 2 * n,
                                .rows = 3,
                                .first = first,
                                .start = made->start,
                                .column = made->column,
                                .weight = made->weight,
                                .load = made->load};
    made->start[0] = 0;
    for (int64_t i = 0; i < 3; i++) {
        int64_t before = (first + i + n - 1) % n, after = (first + i + 1) % n;
        made->start[i + 1] = 2 * (i + 1);
        made->column[2 * i] = before < after ? before : after;
        made->column[2 * i + 1] = before < after ? after : before;
        made->load[i] = i;
        made->weight[2 * i] = made->weight[2 * i + 1] = 4;
    }
}

static void test_checks(harness *h)
{
    ring r;
    bool last = h->rank == h->ranks - 1;
    long long n = 3LL * h->ranks, end = n - 1; /* the last vertex: its columns are 0 and n - 2 */
    char text[120];
    harness_case(h, "a ring is what it must be");
    make_ring(h, &r);
    check_ok(h, inlay_graph_check(&r.graph, h->diag));
    r.graph.weight = r.graph.load = NULL;
    check_ok(h, inlay_graph_check(&r.graph, h->diag));

    harness_case(h, "columns out of range");
    make_ring(h, &r);
    r.column[5] = last ? n : r.column[5];
    snprintf(text, sizeof text, "arc %lld -> %lld leads out of the graph; expected 0 to %lld", end, n, end);
    fails(h, inlay_graph_check(&r.graph, diag), INLAY_BAD_INPUT, text);
    make_ring(h, &r);
    r.column[4] = last ? -7 : r.column[4];
    snprintf(text, sizeof text, "arc %lld -> -7 leads out of the graph; expected 0 to %lld", end, end);
    fails(h, inlay_graph_check(&r.graph, diag), INLAY_BAD_INPUT, text);

    harness_case(h, "a loop");
    make_ring(h, &r);
    r.column[5] = last ? end : r.column[5];
    snprintf(text, sizeof text, "arc %lld -> %lld is a loop; expected none", end, end);
    fails(h, inlay_graph_check(&r.graph, diag), INLAY_BAD_INPUT, text);

    harness_case(h, "columns that do not ascend");
    make_ring(h, &r);
    r.column[4] = last ? n - 2 : r.column[4];
    snprintf(text, sizeof text, "arc %lld -> %lld comes after %lld -> %lld; expected ascending columns", end, n - 2,
             end, n - 2);
    fails(h, inlay_graph_check(&r.graph, diag), INLAY_BAD_INPUT, text);

    harness_case(h, "weights and loads out of range");
    make_ring(h, &r);
    r.weight[5] = last ? 0 : r.weight[5];
    snprintf(text, sizeof text, "arc %lld -> %lld weighs 0; expected at least 1", end, n - 2);
    fails(h, inlay_graph_check(&r.graph, diag), INLAY_BAD_INPUT, text);
    make_ring(h, &r);
    r.load[2] = last ? -1 : r.load[2];
    snprintf(text, sizeof text, "vertex %lld has load -1; expected at least 0", end);
    fails(h, inlay_graph_check(&r.graph, diag), INLAY_BAD_INPUT, text);

    harness_case(h, "rows that do not follow each other");
    make_ring(h, &r);
    r.start[2] = last ? 1 : r.start[2];
    fails(h, inlay_graph_check(&r.graph, diag), INLAY_BAD_INPUT, "begins at 2 and ends at 1");
    make_ring(h, &r);
    r.start[0] = last ? 1 : 0;
    fails(h, inlay_graph_check(&r.graph, diag), INLAY_BAD_INPUT, "the first row begins at 1; expected 0");
    make_ring(h, &r);
    r.graph.arcs++;
    fails(h, inlay_graph_check(&r.graph, diag), INLAY_BAD_INPUT, "; expected ");

    harness_case(h, "rows that are no distribution of the vertices");
    make_ring(h, &r);
    r.graph.rows = last ? 2 : 3;
    r.graph.arcs -= 2;
    fails(h, inlay_graph_check(&r.graph, diag), INLAY_BAD_INPUT, "is owned by no rank");
}

/* Each arc of the ring in turn is left out, or gets another weight; what it opposes is named. */
static void test_opposites(harness *h)
{
    int64_t n = (int64_t)3 * h->ranks;
    char text[120];
    for (int64_t vertex = 0; vertex < n; vertex++) {
        for (int side = 0; side < 2; side++) {
            ring r;
            make_ring(h, &r);
            int64_t i = 2 * (vertex % 3) + side;
            int64_t column = vertex / 3 == h->rank ? r.column[i] : 0;
            MPI_Bcast(&column, 1, MPI_INT64_T, (int)(vertex / 3), h->comm);
            harness_case(h, "without arc %d -> %d", (int)vertex, (int)column);
            if (vertex / 3 == h->rank) {
                memmove(r.column + i, r.column + i + 1, (size_t)(5 - i) * sizeof *r.column);
                for (int64_t row = vertex % 3; row < 3; row++) {
                    r.start[row + 1]--;
                }
            }
            r.graph.arcs--;
            snprintf(text, sizeof text, "arc %d -> %d has no opposite; expected each arc both ways", (int)column,
                     (int)vertex);
            fails(h, inlay_graph_check(&r.graph, diag), INLAY_BAD_INPUT, text);

            harness_case(h, "another weight of arc %d -> %d", (int)vertex, (int)column);
            make_ring(h, &r);
            if (vertex / 3 == h->rank) {
                r.weight[i] = 5;
            }
            int low_first = vertex < column; /* the first of the two, in the order of rows, is told */
            snprintf(text, sizeof text, "arc %d -> %d weighs %d, its opposite %d;", (int)(low_first ? vertex : column),
                     (int)(low_first ? column : vertex), low_first ? 5 : 4, low_first ? 4 : 5);
            fails(h, inlay_graph_check(&r.graph, diag), INLAY_BAD_INPUT, text);
        }
    }
}

void suite_rdg(harness *h)
{
    test_random(h);
    test_long(h);
    test_uniform_counts(h);
    test_refusals(h);
    test_checks(h);
    test_opposites(h);
}

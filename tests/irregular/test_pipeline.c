/*
 * All steps of the paper one after the other, on random graphs whose elements, rows and iterations lie anywhere at first,
 * against a serial program that every rank runs. All values are whole numbers, so that sums do not depend on their order
 * and must be equal.
 */
#include "distribution.h"
#include <inlay/irregular.h>
#include <stdlib.h>
#include <string.h>

enum { GRAPHS = 40, ELEMENTS = 120, EDGES = 400, SWEEPS = 2, DIMENSIONS = 3 };

/* What a case draws: every rank has all of it. */
typedef struct problem {
    int64_t n;
    int32_t edges;
    int64_t end[2 * EDGES]; /* nde: both ends may be the same, and edges may be there twice */
    int32_t holder[EDGES];  /* the rank that has the edge at first */
    int64_t x[ELEMENTS];
    double place[ELEMENTS][DIMENSIONS];
    distribution from;
    inlay_partition_options wanted;
    inlay_iteration_rule rule;
} problem;

/* Ends are drawn near each other in two cases of three, as in a mesh, and else anywhere. */
static int64_t draw_other_end(uint64_t *state, int64_t n, int64_t end, int draw)
{
    int64_t reach = draw % 3 == 0 ? n : 1 + n / 10;
    return (end + (int64_t)harness_draw(state, (uint64_t)reach)) % n;
}

static void draw_edges(const harness *h, uint64_t *state, int draw, problem *p)
{
    p->edges = draw % GRAPHS == 0 ? 0 : (int32_t)harness_draw(state, EDGES);
    int holders = draw % 4 == 1 ? 1 : h->ranks; /* all on one rank, or anywhere */
    for (int32_t e = 0; e < p->edges; e++) {
        p->end[2 * e] = (int64_t)harness_draw(state, (uint64_t)p->n);
        p->end[2 * e + 1] = draw_other_end(state, p->n, p->end[2 * e], draw);
        p->holder[e] = h->ranks - 1 - (int32_t)harness_draw(state, (uint64_t)holders);
    }
}

/* One after the other, all that run on several ranks. */
static const inlay_partitioner *draw_method(int draw)
{
    size_t methods = 0;
    while (inlay_partitioner_at(methods) != NULL && !inlay_partitioner_at(methods)->one_rank) {
        methods++;
    }
    return inlay_partitioner_at((size_t)draw % methods);
}

static bool draw_problem(harness *h, int draw, problem *p)
{
    uint64_t state = 1000 + (uint64_t)draw;
    *p = (problem){.n = 1 + (int64_t)harness_draw(&state, draw % 5 == 0 ? 10 : ELEMENTS),
                   .rule = (inlay_iteration_rule)harness_draw(&state, 3)};
    draw_edges(h, &state, draw, p);
    for (int64_t g = 0; g < p->n; g++) {
        p->x[g] = (int64_t)harness_draw(&state, 1000) - 500;
        for (int i = 0; i < DIMENSIONS; i++) {
            p->place[g][i] = (double)harness_draw(&state, 100);
        }
    }
    const inlay_partitioner *method = draw_method(draw);
    p->wanted = (inlay_partition_options){.method = method->name,
                                          .parts = h->ranks,
                                          .imbalance = 1,
                                          .empty = true,
                                          .seed = (uint64_t)draw,
                                          .dimensions = DIMENSIONS};
    harness_case(h, "%d elements, %d edges, %s", (int)p->n, (int)p->edges, method->name);
    distribution_kind kind = (distribution_kind)harness_draw(&state, DISTRIBUTION_KINDS);
    return distribution_draw(h, &state, p->n, kind, &p->from);
}

/* The edges that this rank has at first. */
static int32_t held_edges(const harness *h, const problem *p, int64_t *number, int64_t *end)
{
    int32_t held = 0;
    for (int32_t e = 0; e < p->edges; e++) {
        if (p->holder[e] == h->rank) {
            number[held] = e;
            memcpy(end + 2 * held++, p->end + 2 * e, 2 * sizeof *end);
        }
    }
    return held;
}

/* ---- The runtime data graph and its partition ---- */

/* How many edges join g and c. */
static int64_t edges_between(const problem *p, int64_t g, int64_t c)
{
    int64_t count = 0;
    for (int32_t e = 0; e < p->edges; e++) {
        const int64_t *end = p->end + 2 * e;
        count += (end[0] == g && end[1] == c) || (end[0] == c && end[1] == g);
    }
    return count;
}

static void check_graph(harness *h, const problem *p, const inlay_graph *graph)
{
    check(h, graph->rows == p->from.count && graph->vertices == p->n);
    for (int32_t i = 0; i < graph->rows; i++) {
        int64_t g = p->from.own[i], k = graph->start[i];
        for (int64_t c = 0; c < p->n; c++) {
            int64_t weight = c == g ? 0 : edges_between(p, g, c);
            bool there = k < graph->start[i + 1] && graph->column[k] == c;
            check(h, there ? (graph->weight != NULL ? graph->weight[k] : 1) == weight : weight == 0);
            k += there;
        }
        check(h, k == graph->start[i + 1]);
    }
    check_ok(h, inlay_graph_check(graph, h->diag));
}

static inlay_graph *make_graph(harness *h, const problem *p)
{
    int64_t number[EDGES], end[2 * EDGES], written[EDGES], read[EDGES];
    int32_t held = held_edges(h, p, number, end);
    inlay_rdg *rdg = NULL;
    inlay_graph *graph = NULL;
    check_ok(h, inlay_rdg_new(p->n, held, &rdg, h->diag));
    for (int32_t e = 0; e < held; e++) {
        written[e] = end[2 * e];
        read[e] = end[2 * e + 1];
        if (p->edges % 2 == 0) {
            check_ok(h, inlay_rdg_add(rdg, written[e], &read[e], 1, h->diag));
        }
    }
    if (p->edges % 2 == 1) {
        check_ok(h, inlay_rdg_add_pairs(rdg, written, read, held, h->diag));
    }
    if (check_ok(h, inlay_rdg_generate(rdg, p->from.table, &graph, h->diag))) {
        check_graph(h, p, graph);
    }
    inlay_rdg_free(rdg);
    return graph;
}

/* The table of the new owners; NULL where a step failed. */
static inlay_table *map_data(harness *h, problem *p)
{
    inlay_table *table = NULL;
    inlay_graph *graph = make_graph(h, p);
    if (graph != NULL) {
        double place[ELEMENTS * DIMENSIONS];
        int32_t part[ELEMENTS];
        for (int32_t i = 0; i < p->from.count; i++) {
            memcpy(place + DIMENSIONS * i, p->place[p->from.own[i]], sizeof p->place[0]);
        }
        p->wanted.coordinate = place;
        if (check_ok(h, inlay_partition(graph, &p->wanted, part, h->diag))) {
            check_ok(h, inlay_table_of_parts(p->from.table, part, &table, h->diag));
        }
        p->wanted.coordinate = NULL;
    }
    inlay_graph_free(graph);
    return table;
}

/* ---- Arrays at their new owners, with room for ghosts ---- */

static double *moved_values(harness *h, const problem *p, const inlay_schedule *schedule, int32_t all)
{
    double old[ELEMENTS], *moved = calloc((size_t)all + 1, sizeof *moved);
    for (int32_t i = 0; i < p->from.count; i++) {
        old[i] = (double)p->x[p->from.own[i]];
    }
    check_ok(h, inlay_schedule_move(schedule, old, moved, sizeof *moved, h->diag));
    return moved;
}

/* value[] of the elements that this rank owns is as the serial program has it. */
static void check_values(harness *h, const inlay_table *table, const double *value, const int64_t *serial)
{
    int64_t globals[ELEMENTS];
    inlay_table_globals(table, globals);
    for (int32_t i = 0; i < inlay_table_local(table); i++) {
        check(h, value[i] == (double)serial[globals[i]]);
    }
}

/* Each element of others that is referred to is a ghost once, and a neighbour sends one message. */
static void check_halo(harness *h, const inlay_table *table, const inlay_halo *halo, const int64_t *g, int64_t count)
{
    bool own[ELEMENTS] = {false}, seen[ELEMENTS] = {false};
    int64_t globals[ELEMENTS], most[2] = {0, 0};
    int32_t ghosts = 0;
    inlay_table_globals(table, globals);
    for (int32_t i = 0; i < inlay_table_local(table); i++) {
        own[globals[i]] = true;
    }
    for (int64_t i = 0; i < count; i++) {
        ghosts += !own[g[i]] && !seen[g[i]];
        seen[g[i]] = true;
    }
    inlay_halo_figures figures = inlay_halo_figures_of(halo);
    check(h, figures.own == inlay_table_local(table) && figures.ghosts == ghosts);
    check(h, figures.neighbours_in < h->ranks && figures.neighbours_in <= ghosts);
    int64_t balance[2] = {figures.ghosts - figures.sends, figures.neighbours_in - figures.neighbours_out};
    MPI_Allreduce(balance, most, 2, MPI_INT64_T, MPI_SUM, h->comm);
    check(h, most[0] == 0 && most[1] == 0);
}

/* ---- The sweep over edges, Figure 2 ---- */

static void serial_sweep(const problem *p, int64_t *y)
{
    for (int32_t e = 0; e < p->edges; e++) {
        int64_t n1 = p->end[2 * e], n2 = p->end[2 * e + 1];
        y[n1] += p->x[n1] + p->x[n2];
        y[n2] += -p->x[n1] + p->x[n2];
    }
}

/* The iterations that this rank shall compute; NULL where a step failed. */
static inlay_iterations *map_iterations(harness *h, const problem *p, const inlay_table *table)
{
    int64_t number[EDGES], end[2 * EDGES], all = 0;
    inlay_rig rig = {.iterations = held_edges(h, p, number, end), .iteration = number, .touched = 2, .element = end};
    inlay_ripa *ripa = NULL;
    inlay_iterations *mine = NULL;
    if (check_ok(h, inlay_ripa_make(table, &rig, &ripa, h->diag)) &&
        check_ok(h, inlay_iterations_make(table, &rig, ripa, p->rule, 0.1, &mine, h->diag))) {
        MPI_Allreduce(&(int64_t){mine->count}, &all, 1, MPI_INT64_T, MPI_SUM, h->comm);
        check(h, all == p->edges);
    }
    inlay_ripa_free(ripa);
    return mine;
}

/* Several sweeps in a row, for a sweep must leave the ghosts of y empty for the next. */
static void sweep(harness *h, const problem *p, const inlay_table *table, inlay_halo *halo, const int32_t *local,
                  int32_t edges, double *x, double *y)
{
    int64_t serial[ELEMENTS] = {0};
    for (int s = 0; s < SWEEPS; s++) {
        check_ok(h, inlay_halo_gather(halo, x, 1, h->diag));
        for (int32_t e = 0; e < edges; e++) {
            int32_t n1 = local[2 * e], n2 = local[2 * e + 1];
            y[n1] += x[n1] + x[n2];
            y[n2] += -x[n1] + x[n2];
        }
        check_ok(h, inlay_halo_scatter_add(halo, y, 1, h->diag));
        serial_sweep(p, serial);
        check_values(h, table, y, serial);
    }
}

static void run_edges(harness *h, const problem *p, const inlay_table *table, const inlay_schedule *schedule)
{
    inlay_iterations *mine = map_iterations(h, p, table);
    inlay_halo *halo = NULL;
    int32_t local[2 * EDGES];
    if (mine != NULL &&
        check_ok(h, inlay_halo_make(table, mine->element, 2 * (int64_t)mine->count, local, &halo, h->diag))) {
        check_halo(h, table, halo, mine->element, 2 * (int64_t)mine->count);
        inlay_halo_figures figures = inlay_halo_figures_of(halo);
        double *x = moved_values(h, p, schedule, figures.own + figures.ghosts);
        double *y = calloc((size_t)figures.own + (size_t)figures.ghosts + 1, sizeof *y);
        sweep(h, p, table, halo, local, mine->count, x, y);
        free(x);
        free(y);
    }
    if (halo != NULL) {
        inlay_halo_free(halo);
    }
    inlay_iterations_free(mine);
}

/* ---- The product of a sparse matrix, Figure 1 ---- */

/* Entry of edge e of row end[2 e]; the diagonal of row g. */
static int64_t entry_value(int64_t e)
{
    return e % 17 - 8;
}

static int64_t diagonal_value(int64_t g)
{
    return g % 11 + 1;
}

static void serial_product(const problem *p, int64_t *kp)
{
    for (int64_t j = 0; j < p->n; j++) {
        kp[j] += diagonal_value(j) * p->x[j];
    }
    for (int64_t e = 0; e < p->edges; e++) {
        int64_t j = p->end[2 * e], col = p->end[2 * e + 1];
        kp[j] += p->x[col] * entry_value(e);
        kp[col] += p->x[j] * entry_value(e);
    }
}

/* The rows that this rank owns at first; an edge is an entry of its first end's row. */
typedef struct rows {
    int64_t ptr[ELEMENTS + 1], cols[EDGES];
    double vals[EDGES], diags[ELEMENTS];
} rows;

static void first_rows(const problem *p, rows *a)
{
    int64_t next = 0;
    a->ptr[0] = 0;
    for (int32_t i = 0; i < p->from.count; i++) {
        int64_t row = p->from.own[i];
        for (int32_t e = 0; e < p->edges; e++) {
            if (p->end[2 * e] == row) {
                a->cols[next] = p->end[2 * e + 1];
                a->vals[next++] = (double)entry_value(e);
            }
        }
        a->ptr[i + 1] = next;
        a->diags[i] = (double)diagonal_value(row);
    }
}

static void product(harness *h, const problem *p, const inlay_table *table, const inlay_schedule *schedule,
                    const inlay_csr *csr, const rows *a)
{
    double vals[EDGES], diags[ELEMENTS];
    int32_t local[EDGES];
    inlay_halo *halo = NULL;
    check_ok(h, inlay_schedule_move(csr->entries, a->vals, vals, sizeof *vals, h->diag));
    check_ok(h, inlay_schedule_move(csr->conformal, a->diags, diags, sizeof *diags, h->diag));
    if (!check_ok(h, inlay_halo_make(table, csr->column, csr->start[csr->rows], local, &halo, h->diag))) {
        return;
    }
    check_halo(h, table, halo, csr->column, csr->start[csr->rows]);
    inlay_halo_figures figures = inlay_halo_figures_of(halo);
    double *x = moved_values(h, p, schedule, figures.own + figures.ghosts);
    double *kp = calloc((size_t)figures.own + (size_t)figures.ghosts + 1, sizeof *kp);
    check_ok(h, inlay_halo_gather(halo, x, 1, h->diag));
    for (int32_t j = 0; j < csr->rows; j++) {
        kp[j] += diags[j] * x[j];
        for (int64_t k = csr->start[j]; k < csr->start[j + 1]; k++) {
            kp[j] += x[local[k]] * vals[k];
            kp[local[k]] += x[j] * vals[k];
        }
    }
    check_ok(h, inlay_halo_scatter_add(halo, kp, 1, h->diag));
    int64_t serial[ELEMENTS] = {0};
    serial_product(p, serial);
    check_values(h, table, kp, serial);
    free(x);
    free(kp);
    inlay_halo_free(halo);
}

static void run_rows(harness *h, const problem *p, const inlay_table *table, const inlay_schedule *schedule)
{
    rows a;
    inlay_csr *csr = NULL;
    first_rows(p, &a);
    if (check_ok(h, inlay_csr_remap(p->from.table, table, a.ptr, a.cols, &csr, h->diag))) {
        check(h, csr->rows == inlay_table_local(table));
        product(h, p, table, schedule, csr, &a);
    }
    inlay_csr_free(csr);
}

void suite_pipeline(harness *h);
void suite_pipeline(harness *h)
{
    for (int draw = 0; draw < GRAPHS; draw++) {
        problem p;
        inlay_table *table = draw_problem(h, draw + GRAPHS * h->ranks, &p) ? map_data(h, &p) : NULL;
        inlay_schedule *schedule = NULL;
        if (table != NULL && check_ok(h, inlay_remap(p.from.table, table, &schedule, h->diag))) {
            run_edges(h, &p, table, schedule);
            run_rows(h, &p, table, schedule);
        }
        inlay_schedule_free(schedule);
        inlay_table_free(table);
        distribution_clear(&p.from);
    }
}

/*
 * Stochastic graphs: the time to check and solve one (visits, mean and variance of the work) and to make its application,
 * for graphs that are hard in different ways.
 */
#include "bench.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZES = 2, FULL_SIZES = 3 };

static const int sizes[FULL_SIZES] = {10000, 100000, 1000000};

/* ---- Graphs: each adds its links to modules 0 .. n-1; module n is the way out ---- */

typedef struct drawing {
    inlay_stochastic_builder *builder;
    int modules; /* without the way out */
    uint64_t state;
    int status;
} drawing;

static void add_link(drawing *d, int from, int to, double probability)
{
    inlay_stochastic_link link = {
        .from = from, .to = to, .has_probability = probability < 1, .probability = probability, .messages = 1};
    if (d->status == INLAY_OK) {
        d->status = inlay_stochastic_add_link(d->builder, &link, NULL);
    }
}

/* 0 .. below-1 (splitmix64: Steele, Lea and Flood 2014). */
static int draw(drawing *d, int below)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (int)((z ^ (z >> 31)) % (uint64_t)below);
}

/* One ring that is hardly ever left. */
static void add_ring(drawing *d)
{
    for (int i = 0; i + 1 < d->modules; i++) {
        add_link(d, i, i + 1, 1);
    }
    add_link(d, d->modules - 1, 0, 0.999999);
    add_link(d, d->modules - 1, d->modules, 1 - 0.999999);
}

/* One after the other, each with the one before it tried again in 3 of 10 cases, and itself in 2. */
static void add_chain(drawing *d)
{
    for (int i = 0; i < d->modules; i++) {
        add_link(d, i, i, 0.2);
        add_link(d, i, i + 1, i % 2 == 1 ? 0.5 : 0.8);
        if (i % 2 == 1) {
            add_link(d, i, i - 1, 0.3);
        }
    }
}

/* All in one part: a ring, and two links more from each module to any others. One module leads out. */
static void add_tangle(drawing *d, double leak)
{
    for (int i = 0; i < d->modules; i++) {
        double share = i == 0 ? 1 - leak : 1;
        add_link(d, i, (i + 1) % d->modules, 0.4 * share);
        add_link(d, i, draw(d, d->modules), 0.3 * share);
        add_link(d, i, draw(d, d->modules), 0.3 * share);
    }
    add_link(d, 0, d->modules, leak);
}

static void add_random(drawing *d)
{
    add_tangle(d, 0.5);
}

static void add_sticky(drawing *d)
{
    add_tangle(d, 1e-6);
}

/* The neighbours in a square or cube, each as likely; the first leads out. */
static void add_lattice(drawing *d, int dimensions)
{
    int side = 1;
    while (pow(side + 1, dimensions) <= d->modules) {
        side++;
    }
    for (int i = 0; i < d->modules; i++) {
        int to[7], count = 0, stride = 1;
        for (int axis = 0; axis < dimensions; axis++, stride *= side) {
            bool last = axis == dimensions - 1; /* what does not fill the square or cube is on top of it */
            int at = last ? i / stride : i / stride % side;
            if (at > 0) to[count++] = i - stride;
            if ((last || at < side - 1) && i + stride < d->modules) to[count++] = i + stride;
        }
        if (i == 0) to[count++] = d->modules;
        for (int t = 0; t < count; t++) {
            add_link(d, i, to[t], count == 1 ? 1 : 1.0 / count);
        }
    }
}

static void add_square(drawing *d)
{
    add_lattice(d, 2);
}

static void add_cube(drawing *d)
{
    add_lattice(d, 3);
}

/* One module that calls all others, one at a time. */
static void add_star(drawing *d)
{
    for (int i = 1; i < d->modules; i++) {
        add_link(d, 0, i, 1.0 / d->modules);
        add_link(d, i, 0, 1);
    }
    add_link(d, 0, d->modules, 1.0 / d->modules);
}

typedef struct shape {
    const char *name;
    void (*add)(drawing *d);
    int most; /* modules that are measured */
} shape;

static const shape shapes[] = {{"ring, gain 0.999999", add_ring, 1000000},
                               {"chain of loops", add_chain, 1000000},
                               {"random, 1 part", add_random, 1000000},
                               {"random, gain 0.999999", add_sticky, 1000000},
                               {"square grid", add_square, 100000},
                               {"cubic grid", add_cube, 100000},
                               {"star", add_star, 1000000}};

/* Whether each module draws: those with one link do not need to. */
static inlay_stochastic_builder *draw_graph(const shape *kind, int modules)
{
    drawing d = {.builder = inlay_stochastic_builder_new(kind->name, INLAY_UNIT_TICK), .modules = modules};
    for (int i = 0; d.builder != NULL && i <= modules && d.status == INLAY_OK; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "m%d", i);
        inlay_stochastic_module module = {.name = name,
                                          .eor = true,
                                          .has_entries = true,
                                          .entries = i == 0 ? 1 : 0,
                                          .time = {{1 + i % 7, 0}, INLAY_UNIT_NONE}};
        d.status = inlay_stochastic_add_module(d.builder, &module, NULL);
    }
    if (d.builder != NULL) {
        kind->add(&d);
    }
    if (d.status != INLAY_OK) {
        inlay_stochastic_builder_free(d.builder);
        d.builder = NULL;
    }
    return d.builder;
}

/* ---- What is measured ---- */

typedef struct question {
    const shape *kind;
    int modules;
} question;

typedef struct answer {
    double links, visits;
    bench_time draw, solve, reduce; /* solving with drawing, which it uses up */
} answer;

typedef struct job {
    const question *asked;
    const inlay_stochastic *graph;
} job;

static int run_draw(void *context)
{
    const job *j = context;
    inlay_stochastic_builder *builder = draw_graph(j->asked->kind, j->asked->modules);
    inlay_stochastic_builder_free(builder);
    return builder == NULL ? INLAY_NO_MEMORY : INLAY_OK;
}

static int solve(const question *asked, inlay_stochastic **graph)
{
    inlay_stochastic_builder *builder = draw_graph(asked->kind, asked->modules);
    int status = builder == NULL ? INLAY_NO_MEMORY : inlay_stochastic_build(builder, graph, NULL);
    inlay_stochastic_builder_free(builder);
    return status;
}

static int run_solve(void *context)
{
    const job *j = context;
    inlay_stochastic *graph = NULL;
    int status = solve(j->asked, &graph);
    inlay_stochastic_free(graph);
    return status;
}

static int run_reduce(void *context)
{
    const job *j = context;
    const inlay_stochastic_options options = {.cycles = INLAY_CYCLES_TRAFFIC, .executions = 1};
    inlay_app *app = NULL;
    int status = inlay_stochastic_reduce(j->graph, &options, &app, NULL);
    inlay_app_free(app);
    return status;
}

static int answer_question(const void *question_asked, void *result)
{
    const question *asked = question_asked;
    answer *a = result;
    inlay_stochastic *graph = NULL;
    int status = solve(asked, &graph);
    if (status != INLAY_OK) {
        return status;
    }
    job j = {asked, graph};
    a->links = (double)inlay_stochastic_summary_of(graph)->links;
    a->visits = inlay_stochastic_summary_of(graph)->visits;
    status = bench_measure(run_draw, &j, &a->draw);
    if (status == INLAY_OK) {
        status = bench_measure(run_solve, &j, &a->solve);
    }
    if (status == INLAY_OK) {
        status = bench_measure(run_reduce, &j, &a->reduce);
    }
    inlay_stochastic_free(graph);
    return status;
}

/* ---- The table ---- */

static int measure_shape(bench_table *table, const shape *kind, int rows)
{
    int before = 0, status = INLAY_OK;
    double seconds_before = 0;
    for (int i = 0; i < rows && sizes[i] <= kind->most && status == INLAY_OK; i++) {
        question asked = {kind, sizes[i]};
        answer a = {0};
        status = bench_apart(answer_question, &asked, &a, sizeof a);
        double seconds = a.solve.seconds - a.draw.seconds;
        bench_cell(table, "%s", kind->name);
        bench_cell(table, "%d", asked.modules);
        bench_cell(table, "%.0f", a.links);
        bench_cell(table, "%.4g", a.visits);
        bench_cell_time(table, seconds);
        bench_cell_time(table, a.reduce.seconds);
        bench_cell_number(table, bench_exponent(seconds_before, seconds, before, asked.modules), 2);
        bench_cell_number(table, 100 * a.solve.noise, 0);
        before = asked.modules;
        seconds_before = seconds;
    }
    return status;
}

int main(int count, char **argument)
{
    static const bench_column columns[] = {{"graph", -22}, {"modules", 8}, {"links", 8},    {"visits", 10},
                                           {"solve", 9},   {"reduce", 9},  {"exponent", 9}, {"noise %", 8}};
    bool full;
    if (!bench_arguments(count, argument, &full)) {
        return 2;
    }
    bench_table table = bench_table_begin("Stochastic graphs: checking and solving, making the application", columns,
                                          sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && status == INLAY_OK; i++) {
        status = measure_shape(&table, &shapes[i], full ? FULL_SIZES : SIZES);
    }
    return status == INLAY_OK ? 0 : 1;
}

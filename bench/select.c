/*
 * What a processor selection costs: one question in a running program (5 clusters of 10 processors), the exact answer
 * for 50 clusters of 1000, and questions of a program that describes itself, on shared networks.
 */
#include "bench.h"
#include <inlay/select_plain.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_CLUSTERS = 50, DRAWS = 20, BOXES = 20000 };

typedef struct network {
    inlay_select_problem problem;
    inlay_select_cluster cluster[MOST_CLUSTERS];
} network;

typedef struct job {
    const network *draw; /* DRAWS of them, run one after the other */
    inlay_select_options options;
    int proven;
    double gap; /* the largest */
} job;

/* ---- Networks ---- */

/* splitmix64 (Steele, Lea and Flood 2014) */
static double next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Of the ranges of figure 12; large clusters have slower steps and much more work, so that many processors pay. */
static void draw(uint64_t *state, inlay_pattern topology, inlay_select_map map, int clusters, int processors,
                 network *made)
{
    double scale = 10.0 / processors;
    *made = (network){0};
    made->problem = (inlay_select_problem){.clusters = (size_t)clusters,
                                           .units = processors > 10 ? 1000000 : 1000,
                                           .unit_work = 1 + 9999 * next(state),
                                           .bytes = 1 + 999 * next(state),
                                           .topology = topology,
                                           .map = map};
    double router = next(state);
    made->problem.router_latency = 1000 * router;
    made->problem.router_per_byte = 6.4 * router;
    for (int i = 0; i < clusters; i++) {
        double u = 0.01 + 0.99 * next(state);
        made->cluster[i] = (inlay_select_cluster){.processors = processors,
                                                  .rate = 1 + (int)(100 * next(state)),
                                                  .c2 = 1000 * u * scale,
                                                  .c3 = 6.4 * u,
                                                  .c4 = 11.9 * u * scale};
        if (topology == INLAY_PATTERN_TREE && i % 2 == 1) {
            made->cluster[i].growth = INLAY_GROWTH_LOG2;
        }
    }
}

/* ---- Measuring ---- */

static int run(void *context)
{
    job *j = context;
    int status = INLAY_OK;
    j->proven = 0;
    j->gap = 0;
    for (int n = 0; n < DRAWS && status == INLAY_OK; n++) {
        inlay_select_problem problem = j->draw[n].problem;
        problem.cluster = j->draw[n].cluster;
        inlay_selection *selection = NULL;
        status = inlay_select_plain(&problem, &j->options, &selection, NULL);
        if (status == INLAY_OK) {
            double bound = inlay_selection_lower_bound(selection);
            double gap = bound > 0 ? inlay_selection_at(selection, 0)->t_cycle / bound - 1 : 0;
            j->gap = gap > j->gap ? gap : j->gap;
            j->proven += inlay_selection_optimal(selection);
            inlay_selection_free(selection);
        }
    }
    return status;
}

typedef struct question {
    inlay_select_method method;
    inlay_select_map map;
    int clusters, processors;
    bool full; /* only where the largest sizes are asked for */
} question;

static const question questions[] = {
    {INLAY_SELECT_H1, INLAY_SELECT_REAL, 5, 10, false},        {INLAY_SELECT_H2, INLAY_SELECT_REAL, 5, 10, false},
    {INLAY_SELECT_H3, INLAY_SELECT_REAL, 5, 10, false},        {INLAY_SELECT_EXACT, INLAY_SELECT_REAL, 5, 10, false},
    {INLAY_SELECT_H2, INLAY_SELECT_INTEGER, 5, 10, false},     {INLAY_SELECT_EXACT, INLAY_SELECT_INTEGER, 5, 10, false},
    {INLAY_SELECT_H2, INLAY_SELECT_REAL, 50, 1000, false},     {INLAY_SELECT_EXACT, INLAY_SELECT_REAL, 50, 1000, false},
    {INLAY_SELECT_EXACT, INLAY_SELECT_INTEGER, 50, 1000, true}};

static int bench_question(const question *q, inlay_pattern topology, network *draws, bench_table *table)
{
    static const char *const topologies[] = {"line", "ring", "tree"};
    static const char *const maps[] = {"integer", "ceil", "real", "remainder"};
    uint64_t state = 1;
    for (int n = 0; n < DRAWS; n++) {
        draw(&state, topology, q->map, q->clusters, q->processors, &draws[n]);
    }
    job j = {.draw = draws, .options = {.method = q->method, .limit = BOXES}};
    bench_time time = {0};
    int status = bench_measure(run, &j, &time);
    bench_cell(table, "%d x %d", q->clusters, q->processors);
    bench_cell(table, "%s", topologies[topology]);
    bench_cell(table, "%s", maps[q->map]);
    bench_cell(table, "%s", inlay_select_method_name(q->method));
    bench_cell_time(table, time.seconds / DRAWS);
    bench_cell(table, "%d", j.proven);
    bench_cell_number(table, 100 * j.gap, 4);
    bench_cell_number(table, 100 * time.noise, 0);
    return status;
}

static int bench_questions(bool full, network *draws)
{
    static const bench_column columns[] = {{"clusters", -9}, {"pattern", -7}, {"map", -7},  {"method", -6},
                                           {"time", 8},      {"proven", 6},   {"gap %", 8}, {"noise %", 7}};
    bench_table table =
        bench_table_begin("One selection, the mean of 20 networks (proven: how many of them are optimal)", columns,
                          sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (size_t n = 0; n < sizeof questions / sizeof *questions; n++) {
        for (int topology = 0; topology < 3 && status == INLAY_OK && (full || !questions[n].full); topology++) {
            status = bench_question(&questions[n], (inlay_pattern)topology, draws, &table);
        }
    }
    return status;
}

/* ---- Programs that describe themselves ---- */

/* What such a question has beyond plain numbers. */
typedef enum told_kind { PLAIN, SHARED, BYTES, PROCESSORS, KINDS } told_kind;

/* A plain problem, told by callbacks. */
typedef struct program {
    const network *plain;
    told_kind kind;
    inlay_domain domain;
    inlay_metasystem metasystem;
    inlay_metasystem_cluster cluster[MOST_CLUSTERS];
    inlay_metasystem_network network[MOST_CLUSTERS];
    inlay_metasystem_route route;
    char name[MOST_CLUSTERS][4];
} program;

static int tell_units(void *context, int32_t computation, int64_t *units, inlay_diag *diag)
{
    const program *p = context;
    (void)computation;
    (void)diag;
    *units = p->plain->problem.units;
    return INLAY_OK;
}

static int tell_work(void *context, int32_t processors, int32_t computation, inlay_complexity *work, inlay_diag *diag)
{
    const program *p = context;
    (void)processors;
    (void)computation;
    (void)diag;
    work->per_unit = p->plain->problem.unit_work;
    return INLAY_OK;
}

static int tell_pattern(void *context, int32_t communication, inlay_pattern *pattern, inlay_diag *diag)
{
    const program *p = context;
    (void)communication;
    (void)diag;
    *pattern = p->plain->problem.topology;
    return INLAY_OK;
}

static int tell_bytes(void *context, int32_t processors, int32_t communication, inlay_complexity *bytes,
                      inlay_diag *diag)
{
    const program *p = context;
    (void)communication;
    (void)diag;
    bytes->fixed = p->plain->problem.bytes / (p->kind == PROCESSORS ? processors : 1);
    bytes->per_unit = p->kind == BYTES ? 1 : 0;
    return INLAY_OK;
}

/* Clusters two by two in a network, and one way that costs twice as much as the others. */
static void share_networks(program *made, int clusters)
{
    for (int i = 0; i < clusters; i++) {
        made->cluster[i].network = i / 2;
    }
    for (int n = 0; n < (clusters + 1) / 2; n++) {
        made->network[n] = (inlay_metasystem_network){.name = made->name[n], .parent = -1};
    }
    made->metasystem.networks = (size_t)(clusters + 1) / 2;
    made->metasystem.network = made->network;
    made->route = (inlay_metasystem_route){0, clusters - 1, 2 * made->metasystem.router_latency,
                                           2 * made->metasystem.router_per_byte, 0};
    made->metasystem.routes = 1;
    made->metasystem.route = &made->route;
}

static void tell(const network *plain, told_kind kind, program *made)
{
    const inlay_select_problem *p = &plain->problem;
    *made = (program){.plain = plain, .kind = kind};
    made->domain = (inlay_domain){.context = made,
                                  .computations = 1,
                                  .communications = 1,
                                  .by_processors = kind == PROCESSORS,
                                  .units = tell_units,
                                  .work = tell_work,
                                  .pattern = tell_pattern,
                                  .bytes = tell_bytes};
    made->metasystem = (inlay_metasystem){.clusters = p->clusters,
                                          .cluster = made->cluster,
                                          .router_latency = p->router_latency,
                                          .router_per_byte = p->router_per_byte};
    for (size_t i = 0; i < p->clusters; i++) {
        const inlay_select_cluster *c = &plain->cluster[i];
        (void)snprintf(made->name[i], sizeof made->name[i], "%d", (int)i);
        made->cluster[i] = (inlay_metasystem_cluster){
            .name = made->name[i], .total = c->processors, .available = c->processors, .rate = c->rate};
        made->cluster[i].communication[p->topology] =
            (inlay_communication){true, c->c1, c->c2, c->c3, c->c4, c->growth};
    }
    if (kind == SHARED) {
        share_networks(made, (int)p->clusters);
    }
}

/* Clusters five by five in a network, one price between all networks. */
static void share_evenly(program *made)
{
    size_t networks = made->metasystem.clusters / 5;
    for (size_t i = 0; i < made->metasystem.clusters; i++) {
        made->cluster[i].network = (int32_t)i / 5;
    }
    for (size_t n = 0; n < networks; n++) {
        made->network[n] = (inlay_metasystem_network){.name = made->name[n], .parent = -1};
    }
    made->metasystem.networks = networks;
    made->metasystem.network = made->network;
}

typedef struct told_job {
    const program *draw;
    int draws;
    inlay_select_method method;
    inlay_select_map map;
    int proven;
    double gap; /* the largest */
} told_job;

static int run_told(void *context)
{
    told_job *j = context;
    const inlay_select_terms terms = {.map = j->map};
    const inlay_select_options options = {.method = j->method};
    int status = INLAY_OK;
    j->proven = 0;
    j->gap = 0;
    for (int n = 0; n < j->draws && status == INLAY_OK; n++) {
        const program *p = &j->draw[n];
        inlay_selection *selection = NULL;
        status = inlay_select(&p->domain, &p->metasystem, &terms, &options, &selection, NULL);
        if (status == INLAY_OK) {
            double bound = inlay_selection_lower_bound(selection);
            double gap = bound > 0 ? inlay_selection_at(selection, 0)->t_cycle / bound - 1 : 0;
            j->gap = gap > j->gap ? gap : j->gap;
            j->proven += inlay_selection_optimal(selection);
            inlay_selection_free(selection);
        }
    }
    return status;
}

static int bench_shared(network *plain, program *draws)
{
    enum { FEW = 3 };
    static const bench_column columns[] = {{"pattern", -7}, {"map", -7}, {"time", 8}, {"proven", 6}, {"gap %", 8}};
    static const char *const topologies[] = {"line", "ring", "tree"};
    static const inlay_select_map maps[] = {INLAY_SELECT_INTEGER, INLAY_SELECT_REAL};
    bench_table table = bench_table_begin("The exact method, 50 clusters of 1000 in 10 networks, the mean of 3",
                                          columns, sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (int n = 0; n < 6 && status == INLAY_OK; n++) {
        uint64_t state = 1;
        told_job j = {.draw = draws, .draws = FEW, .map = maps[n / 3]};
        bench_time time = {0};
        for (int d = 0; d < FEW; d++) {
            draw(&state, (inlay_pattern)(n % 3), j.map, 50, 1000, &plain[d]);
            tell(&plain[d], PLAIN, &draws[d]);
            share_evenly(&draws[d]);
        }
        status = bench_measure(run_told, &j, &time);
        bench_cell(&table, "%s", topologies[n % 3]);
        bench_cell(&table, "%s", j.map == INLAY_SELECT_REAL ? "real" : "integer");
        bench_cell_time(&table, time.seconds / FEW);
        bench_cell(&table, "%d", j.proven);
        bench_cell_number(&table, 100 * j.gap, 4);
    }
    return status;
}

static int bench_told(told_kind kind, inlay_pattern topology, inlay_select_method method, const program *draws,
                      bench_table *table)
{
    static const char *const kinds[] = {"plain", "networks", "bytes", "by P"};
    static const char *const topologies[] = {"line", "ring", "tree"};
    told_job j = {.draw = draws, .draws = DRAWS, .method = method, .map = INLAY_SELECT_INTEGER};
    bench_time time = {0};
    int status = bench_measure(run_told, &j, &time);
    bench_cell(table, "%s", kinds[kind]);
    bench_cell(table, "%s", topologies[topology]);
    bench_cell(table, "%s", inlay_select_method_name(method));
    bench_cell_time(table, time.seconds / DRAWS);
    bench_cell(table, "%d", j.proven);
    bench_cell_number(table, 100 * time.noise, 0);
    return status;
}

static int bench_programs(network *plain, program *draws)
{
    static const bench_column columns[] = {{"question", -9}, {"pattern", -7}, {"method", -6},
                                           {"time", 8},      {"proven", 6},   {"noise %", 7}};
    static const inlay_select_method methods[] = {INLAY_SELECT_H2, INLAY_SELECT_EXACT};
    bench_table table = bench_table_begin(
        "inlay_select(), 5 clusters of 10, integer map: networks shared by two, bytes with the units, bytes / P",
        columns, sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (int n = 0; n < KINDS * 3 && status == INLAY_OK; n++) {
        uint64_t state = 1;
        for (int d = 0; d < DRAWS; d++) {
            draw(&state, (inlay_pattern)(n % 3), INLAY_SELECT_INTEGER, 5, 10, &plain[d]);
            tell(&plain[d], (told_kind)(n / 3), &draws[d]);
        }
        for (int m = 0; m < 2 && status == INLAY_OK; m++) {
            status = bench_told((told_kind)(n / 3), (inlay_pattern)(n % 3), methods[m], draws, &table);
        }
    }
    return status;
}

int main(int argc, char **argv)
{
    bool full = false;
    if (!bench_arguments(argc, argv, &full)) {
        return 2;
    }
    network *draws = calloc(DRAWS, sizeof *draws);
    program *programs = calloc(DRAWS, sizeof *programs);
    int status = draws == NULL || programs == NULL ? INLAY_NO_MEMORY : bench_questions(full, draws);
    if (status == INLAY_OK) {
        status = bench_programs(draws, programs);
    }
    if (status == INLAY_OK) {
        status = bench_shared(draws, programs);
    }
    free(programs);
    free(draws);
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

/*
 * What grid decomposition costs: every method whose pieces are rectangles or runs, decomposed and costed for a 5-point
 * stencil, up to 10,000 unlike processors on 10^6 x 10^6 cells; scattering; finding owners; and what the search gains.
 */
#include "bench.h"
#include <inlay/decompose.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PROCESSORS = 100000, LOOKUPS = 100000, DRAWS = 20 };
static const size_t room = 200; /* processors of one platform of the search */

static const inlay_grid_method rectangles[] = {INLAY_GRID_ROW,  INLAY_GRID_COLUMN, INLAY_GRID_BLOCK,
                                               INLAY_GRID_BRBD, INLAY_GRID_FBRD,   INLAY_GRID_FBRD_ALTERNATE,
                                               INLAY_GRID_PHD,  INLAY_GRID_JAGGED, INLAY_GRID_COLUMN_BASED};
enum { RECTANGLES = sizeof rectangles / sizeof *rectangles };

static const inlay_grid_network ethernet = {.latency = 2.5e-3, .per_byte = 1.5e-6, .payload = 1460, .frame = 58};
static const inlay_grid_phase five_points = {.pattern = {.communication = INLAY_GRID_STENCIL5}, .work = 10};
/* A cluster of today: 50 us a message, 100 MB/s. */
static const inlay_grid_network cluster = {.latency = 5e-5, .per_byte = 1e-8};

/* splitmix64 (Steele, Lea and Flood 2014) */
static uint64_t next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Speeds of 1 to 40 times 10^8 operations a second. */
static void draw(uint64_t *state, int32_t processors, double *speed)
{
    for (int32_t i = 0; i < processors; i++) {
        speed[i] = 1e8 * (double)(1 + next(state) % 40);
    }
}

/* ---- Decomposing and costing ---- */

typedef struct job {
    inlay_grid_problem problem;
    const inlay_grid_method *method; /* `methods` of them, one after the other */
    size_t methods;
    inlay_grid_cost cost; /* of the last */
} job;

static int decompose(void *context)
{
    job *j = context;
    int status = INLAY_OK;
    for (size_t i = 0; i < j->methods && status == INLAY_OK; i++) {
        inlay_decomposition *d = NULL;
        status = inlay_decompose(&j->problem, j->method[i], NULL, &d, NULL);
        if (status == INLAY_OK) {
            status = inlay_decomposition_cost(d, &ethernet, &five_points, 1, &j->cost, NULL);
        }
        inlay_decomposition_free(d);
    }
    return status;
}

static int bench_method(job *j, const char *name, bench_table *table)
{
    bench_time time = {0};
    int status = bench_measure(decompose, j, &time);
    if (status == INLAY_OK) {
        bench_cell(table, "%d", (int)j->problem.processors);
        bench_cell(table, "%s", name);
        bench_cell_time(table, time.seconds);
        bench_cell_number(table, j->methods == 1 ? j->cost.messages : NAN, 0);
        bench_cell_number(table, j->methods == 1 ? j->cost.imbalance : NAN, 4);
        bench_cell_number(table, 100 * time.noise, 0);
    }
    return status;
}

static int bench_methods(int32_t processors, const double *speed, bench_table *table)
{
    static const inlay_grid_method others[] = {INLAY_GRID_POINT, INLAY_GRID_INTERLEAVED};
    job j = {.problem = {.rows = 1000000, .columns = 1000000, .item = 8, .processors = processors, .speed = speed}};
    int status = INLAY_OK;
    for (size_t i = 0; i < RECTANGLES + 2 && status == INLAY_OK; i++) {
        j.method = i < RECTANGLES ? &rectangles[i] : &others[i - RECTANGLES];
        j.methods = 1;
        status = bench_method(&j, inlay_grid_method_name(*j.method), table);
    }
    j.method = rectangles;
    j.methods = RECTANGLES;
    return status == INLAY_OK ? bench_method(&j, "rectangles", table) : status;
}

static int bench_decomposing(bool full, double *speed)
{
    static const bench_column columns[] = {{"processors", 10}, {"method", -14},  {"time", 8},
                                           {"messages", 10},   {"imbalance", 9}, {"noise %", 7}};
    static const int32_t processors[] = {100, 1000, 10000, MOST_PROCESSORS};
    bench_table table = bench_table_begin("A 10^6 x 10^6 grid decomposed and costed for a 5-point stencil (rectangles: "
                                          "all methods before point together)",
                                          columns, sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (size_t i = 0; i < sizeof processors / sizeof *processors && status == INLAY_OK; i++) {
        uint64_t state = 12;
        draw(&state, processors[i], speed);
        if (full || processors[i] < MOST_PROCESSORS) {
            status = bench_methods(processors[i], speed, &table);
        }
    }
    return status;
}

/* A scatter has a table of all cells, and every one of them is visited; in a ranking its counts are those expected. */
static int bench_scattering(double *speed)
{
    static const inlay_grid_method scatter = INLAY_GRID_SCATTER;
    static const bench_column columns[] = {{"rows", 6}, {"processors", 10}, {"time", 8}, {"noise %", 7}};
    static const int32_t processors[] = {16, 1000};
    bench_table table = bench_table_begin("Square grids scattered and costed for a 5-point stencil", columns,
                                          sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (int64_t rows = 512; rows <= 4096 && status == INLAY_OK; rows *= 2) {
        for (size_t i = 0; i < sizeof processors / sizeof *processors && status == INLAY_OK; i++) {
            uint64_t state = 12;
            bench_time time = {0};
            draw(&state, processors[i], speed);
            job j = {.problem = {.rows = rows, .columns = rows, .item = 8, .processors = processors[i], .speed = speed},
                     .method = &scatter,
                     .methods = 1};
            status = bench_measure(decompose, &j, &time);
            bench_cell(&table, "%d", (int)rows);
            bench_cell(&table, "%d", (int)processors[i]);
            bench_cell_time(&table, time.seconds);
            bench_cell_number(&table, 100 * time.noise, 0);
        }
    }
    return status;
}

/* ---- Owners ---- */

typedef struct lookup {
    const inlay_decomposition *decomposition;
    int64_t sum; /* of the owners, so that they are asked for */
} lookup;

static int ask_owners(void *context)
{
    lookup *l = context;
    uint64_t state = 1;
    const inlay_decomposition_summary *s = inlay_decomposition_summary_of(l->decomposition);
    for (int i = 0; i < LOOKUPS; i++) {
        uint64_t drawn = next(&state);
        l->sum += inlay_decomposition_owner(l->decomposition, (int64_t)((drawn >> 32) % (uint64_t)s->rows),
                                            (int64_t)((drawn & UINT32_MAX) % (uint64_t)s->columns));
    }
    return INLAY_OK;
}

static int bench_owners(double *speed)
{
    static const bench_column columns[] = {{"method", -14}, {"owner", 8}, {"table kB", 9}, {"noise %", 7}};
    bench_table table = bench_table_begin("Whose cell: 10,000 processors, 4096 x 4096 cells in no order", columns,
                                          sizeof columns / sizeof *columns);
    uint64_t state = 12;
    draw(&state, 10000, speed);
    inlay_grid_problem problem = {.rows = 4096, .columns = 4096, .item = 8, .processors = 10000, .speed = speed};
    int status = INLAY_OK;
    for (int m = 0; m <= INLAY_GRID_SCATTER && status == INLAY_OK; m++) {
        inlay_decomposition *d = NULL;
        bench_time time = {0};
        status = inlay_decompose(&problem, (inlay_grid_method)m, NULL, &d, NULL);
        if (status == INLAY_OK) {
            status = bench_measure(ask_owners, &(lookup){.decomposition = d}, &time);
        }
        if (status == INLAY_OK) {
            bench_cell(&table, "%s", inlay_grid_method_name((inlay_grid_method)m));
            bench_cell_time(&table, time.seconds / LOOKUPS);
            bench_cell_number(&table, 1e-3 * (double)inlay_decomposition_summary_of(d)->lookup_bytes, 1);
            bench_cell_number(&table, 100 * time.noise, 0);
        }
        inlay_decomposition_free(d);
    }
    return status;
}

/* ---- The search ---- */

typedef struct hunt {
    inlay_grid_problem problem[DRAWS];
    inlay_grid_phase phase;
    int64_t tries;
    double mean, least; /* of what is left of the best named method's cycle */
} hunt;

static double named_seconds(const inlay_grid_problem *problem, const inlay_grid_phase *phase)
{
    double least = INFINITY;
    for (int m = 0; m < INLAY_GRID_SCATTER; m++) {
        inlay_decomposition *d = NULL;
        inlay_grid_cost cost = {.seconds = INFINITY};
        if (inlay_decompose(problem, (inlay_grid_method)m, NULL, &d, NULL) == INLAY_OK &&
            inlay_decomposition_cost(d, &cluster, phase, 1, &cost, NULL) == INLAY_OK) {
            least = fmin(least, cost.seconds);
        }
        inlay_decomposition_free(d);
    }
    return least;
}

static int search(void *context)
{
    hunt *h = context;
    int status = INLAY_OK;
    h->mean = 0;
    h->least = 1;
    for (int i = 0; i < DRAWS && status == INLAY_OK; i++) {
        inlay_decomposition *d = NULL;
        inlay_grid_cost cost = {0};
        status = inlay_decompose_best(&h->problem[i], &cluster, &h->phase, 1, NULL, h->tries, &d, NULL);
        if (status == INLAY_OK) {
            status = inlay_decomposition_cost(d, &cluster, &h->phase, 1, &cost, NULL);
        }
        double left = cost.seconds / named_seconds(&h->problem[i], &h->phase);
        h->mean += left / DRAWS;
        h->least = fmin(h->least, left);
        inlay_decomposition_free(d);
    }
    return status;
}

static int bench_search(bool full, double *speed)
{
    static const bench_column columns[] = {{"processors", 10}, {"tries", 7}, {"time", 8},
                                           {"mean", 7},        {"least", 7}, {"noise %", 7}};
    static const int32_t processors[] = {8, 32, 128};
    static const int64_t tries[] = {500, 5000, 50000};
    bench_table table =
        bench_table_begin("The search on 2000 x 2000 cells: one platform, and its cycle over that of the best named "
                          "method, mean and least of 20",
                          columns, sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (int n = 0; n < 9 && status == INLAY_OK; n++) {
        hunt h = {.phase = five_points, .tries = tries[n % 3]};
        uint64_t state = 5;
        for (size_t i = 0; i < DRAWS; i++) {
            h.problem[i] = (inlay_grid_problem){
                .rows = 2000, .columns = 2000, .item = 8, .processors = processors[n / 3], .speed = speed + room * i};
            draw(&state, processors[n / 3], speed + room * i);
        }
        bench_time time = {0};
        if (!full && n % 3 + n / 3 > 2) {
            continue;
        }
        status = bench_measure(search, &h, &time);
        if (status == INLAY_OK) {
            bench_cell(&table, "%d", (int)processors[n / 3]);
            bench_cell(&table, "%d", (int)tries[n % 3]);
            bench_cell_time(&table, time.seconds / DRAWS);
            bench_cell_number(&table, h.mean, 4);
            bench_cell_number(&table, h.least, 4);
            bench_cell_number(&table, 100 * time.noise, 0);
        }
    }
    return status;
}

/* ---- Never worse ---- */

enum { PLATFORMS = 1000, LEAST = 2, MOST = 256 };

typedef struct promise {
    double *speed;
    int worse, better;      /* than the best named method, of PLATFORMS */
    double columns, halves; /* bytes over the perimeter bound, mean from 64 processors on */
    int many;
} promise;

static double over_bound(const inlay_grid_problem *problem, inlay_grid_method method)
{
    inlay_decomposition *d = NULL;
    inlay_grid_cost cost = {.bytes = NAN};
    if (inlay_decompose(problem, method, NULL, &d, NULL) == INLAY_OK) {
        (void)inlay_decomposition_cost(d, &cluster, &five_points, 1, &cost, NULL);
    }
    inlay_decomposition_free(d);
    return cost.bytes / cost.least_bytes;
}

static int keep_promise(void *context)
{
    promise *of = context;
    uint64_t state = 36;
    int status = INLAY_OK;
    *of = (promise){.speed = of->speed};
    for (int i = 0; i < PLATFORMS && status == INLAY_OK; i++) {
        int64_t rows = 100 + (int64_t)(next(&state) % 4000);
        inlay_grid_problem problem = {.rows = rows,
                                      .columns = 100 + (int64_t)(next(&state) % 4000),
                                      .item = 8,
                                      .processors = (int32_t)(LEAST + next(&state) % (MOST - LEAST + 1)),
                                      .bounded = next(&state) % 3 == 0,
                                      .speed = of->speed};
        inlay_decomposition *d = NULL;
        inlay_grid_cost cost = {0};
        draw(&state, problem.processors, of->speed);
        status = inlay_decompose_best(&problem, &cluster, &five_points, 1, NULL, 100, &d, NULL);
        if (status == INLAY_OK) {
            status = inlay_decomposition_cost(d, &cluster, &five_points, 1, &cost, NULL);
        }
        inlay_decomposition_free(d);
        double named = named_seconds(&problem, &five_points);
        of->worse += cost.seconds > named;
        of->better += cost.seconds < named;
        if (problem.processors >= 64 && !problem.bounded) {
            of->columns += over_bound(&problem, INLAY_GRID_COLUMN_BASED);
            of->halves += over_bound(&problem, INLAY_GRID_FBRD);
            of->many++;
        }
    }
    return status;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): filled anew for each platform */
static int bench_promise(double *speed)
{
    static const bench_column columns[] = {{"platforms", 9}, {"time", 8},          {"worse", 6},
                                           {"better", 7},    {"column-based", 12}, {"fbrd", 6}};
    bench_table table =
        bench_table_begin("best beside the best named method, 2 to 256 processors, 100 tries; and bytes over "
                          "the perimeter bound, mean from 64 processors on",
                          columns, sizeof columns / sizeof *columns);
    promise of = {.speed = speed};
    bench_time time = {0};
    int status = bench_measure(keep_promise, &of, &time);
    if (status == INLAY_OK) {
        bench_cell(&table, "%d", PLATFORMS);
        bench_cell_time(&table, time.seconds);
        bench_cell(&table, "%d", of.worse);
        bench_cell(&table, "%d", of.better);
        bench_cell_number(&table, of.columns / of.many, 4);
        bench_cell_number(&table, of.halves / of.many, 4);
    }
    return status;
}

int main(int argc, char **argv)
{
    bool full = false;
    if (!bench_arguments(argc, argv, &full)) {
        return 2;
    }
    double *speed = calloc(MOST_PROCESSORS, sizeof *speed);
    int status = speed == NULL ? INLAY_NO_MEMORY : bench_decomposing(full, speed);
    if (status == INLAY_OK) {
        status = bench_scattering(speed);
    }
    if (status == INLAY_OK) {
        status = bench_owners(speed);
    }
    if (status == INLAY_OK) {
        status = bench_search(full, speed);
    }
    if (status == INLAY_OK && full) {
        status = bench_promise(speed);
    }
    free(speed);
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

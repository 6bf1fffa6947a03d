/*
 * Time and memory of clustering on the task graphs of the tiled Cholesky factorisation, by themselves (inlay_cluster)
 * and with all that inlay_map adds for 16 processors: reduction, layout, estimate, bounds.
 *
 * A matrix of N x N tiles gives N(N+1)(N+2)/6 modules. Times are in ticks, in proportion to the operations of a tile:
 * POTRF 1/3, TRSM and SYRK 1, GEMM 2 (times b^3 for tiles of b x b numbers).
 */
#include "bench.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROCESSORS = 16, SIZES = 4, FULL_SIZES = 5 };

static const int sizes[FULL_SIZES] = {10, 20, 50, 100, 200};

/* Carries everything, so that no network decides. */
static const char machine_text[] = "bus:32768,memory=distributed,capacity=1e9msg/tick";

/* ---- The graph ---- */

enum { POTRF_TICKS = 1, TRSM_TICKS = 3, SYRK_TICKS = 3, GEMM_TICKS = 6 };

static const int64_t tile_bytes = 80000; /* 100 x 100 doubles */

/* A graph that is being built: the first error stays and ends it. */
typedef struct factorisation {
    int tiles;
    inlay_app_builder *builder; /* ours */
    inlay_id *writer;           /* ours: of tile (i, j), at i tiles + j, the module that wrote it last; -1: none */
    inlay_id modules;
    int status;
} factorisation;

static inlay_id *writer_of(const factorisation *f, int i, int j)
{
    return &f->writer[(size_t)i * (size_t)f->tiles + (size_t)j];
}

/* The module that is being added reads the tile. */
static void read_tile(factorisation *f, int i, int j)
{
    inlay_id from = *writer_of(f, i, j);
    if (f->status == INLAY_OK && from >= 0) {
        f->status = inlay_app_add_link(f->builder, from, f->modules, 1, tile_bytes, 0, NULL);
    }
}

/* Adds a module of step k that updates tile (i, j). */
static void add_module(factorisation *f, const char *kind, int64_t ticks, int i, int j, int k)
{
    char name[48];
    (void)snprintf(name, sizeof name, "%s(%d,%d,%d)", kind, i, j, k);
    inlay_module module = {.name = name, .kind = kind, .time = {{ticks, 0}, INLAY_UNIT_TICK}};
    if (f->status == INLAY_OK) {
        f->status = inlay_app_add_module(f->builder, &module, NULL);
    }
    read_tile(f, i, j);
}

/* The module that is being added is complete and has written the tile. */
static void write_tile(factorisation *f, int i, int j)
{
    *writer_of(f, i, j) = f->modules++;
}

/* Step k brings row i up to date. */
static void update_row(factorisation *f, int i, int k)
{
    add_module(f, "SYRK", SYRK_TICKS, i, i, k);
    read_tile(f, i, k);
    write_tile(f, i, i);
    for (int j = k + 1; j < i; j++) {
        add_module(f, "GEMM", GEMM_TICKS, i, j, k);
        read_tile(f, i, k);
        read_tile(f, j, k);
        write_tile(f, i, j);
    }
}

static void factorise(factorisation *f)
{
    for (int k = 0; k < f->tiles; k++) {
        add_module(f, "POTRF", POTRF_TICKS, k, k, k);
        write_tile(f, k, k);
        for (int i = k + 1; i < f->tiles; i++) {
            add_module(f, "TRSM", TRSM_TICKS, i, k, k);
            read_tile(f, k, k);
            write_tile(f, i, k);
        }
        for (int i = k + 1; i < f->tiles; i++) {
            update_row(f, i, k);
        }
    }
}

static int cholesky(int tiles, inlay_app **app)
{
    size_t count = (size_t)tiles * (size_t)tiles;
    factorisation f = {.tiles = tiles,
                       .builder = inlay_app_builder_new("cholesky", INLAY_UNIT_TICK),
                       .writer = malloc(count * sizeof *f.writer)};
    f.status = f.builder == NULL || f.writer == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    for (size_t i = 0; f.status == INLAY_OK && i < count; i++) {
        f.writer[i] = -1;
    }
    if (f.status == INLAY_OK) {
        factorise(&f);
    }
    if (f.status == INLAY_OK) {
        f.status = inlay_app_build(f.builder, app, NULL);
    }
    free(f.writer);
    inlay_app_builder_free(f.builder);
    return f.status;
}

/* ---- What is measured ---- */

/*
 * T as a share of the total work. A share of a tile, N^2 of them, is less than the clusters would grow to, and four are
 * not; that of a processor, the default T of inlay_map, does not bind from N = 20 on: parallelism does.
 */
typedef enum share { PER_TILE, FOUR_TILES, PER_PROCESSOR } share;

static const char *const share_names[] = {"work/N^2", "4work/N^2", "work/16"};

typedef struct call {
    const char *name;
    bool map; /* inlay_map, which chooses T by itself; else inlay_cluster */
    inlay_blocking blocking;
    share frame;
} call;

static const call calls[] = {
    {"cluster", false, INLAY_BLOCKING_NO, PER_TILE},       {"cluster", false, INLAY_BLOCKING_NO, FOUR_TILES},
    {"cluster", false, INLAY_BLOCKING_NO, PER_PROCESSOR},  {"cluster", false, INLAY_BLOCKING_YES, PER_TILE},
    {"cluster", false, INLAY_BLOCKING_YES, PER_PROCESSOR}, {"map", true, INLAY_BLOCKING_NO, PER_PROCESSOR},
    {"map", true, INLAY_BLOCKING_YES, PER_PROCESSOR},
};

/* One call on one graph, in a process of its own. */
typedef struct question {
    const call *call;
    int tiles;
} question;

typedef struct answer {
    inlay_id modules, clusters;
    bench_time time;
    double graph_bytes; /* peak memory when the graph was built */
    double bytes;       /* and at the end; what the program takes before it does anything counts in neither */
} answer;

typedef struct job {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_options options;
    inlay_id clusters; /* the result */
} job;

static int run_cluster(void *context)
{
    job *j = context;
    inlay_clustering clustering = {0};
    int status = inlay_cluster(j->app, j->machine, &j->options, &clustering, NULL);
    if (status == INLAY_OK) {
        j->clusters = clustering.clusters;
        inlay_clustering_clear(&clustering);
    }
    return status;
}

static int run_map(void *context)
{
    job *j = context;
    inlay_mapping *mapping;
    int status = inlay_map(j->app, j->machine, &j->options, &mapping, NULL);
    if (status == INLAY_OK) {
        j->clusters = inlay_mapping_summary(mapping)->clusters;
        inlay_mapping_free(mapping);
    }
    return status;
}

/*
 * What counts against T, in all and in the largest module: m, or m + b, where b is the earliest start with free
 * messages. Modules are numbered in an order in which they could run.
 */
static int sum_work(const inlay_app *app, inlay_blocking blocking, inlay_time *total, inlay_time *largest)
{
    inlay_id modules = inlay_app_modules(app);
    inlay_time *end = malloc((size_t)modules * sizeof *end);
    if (end == NULL) {
        return INLAY_NO_MEMORY;
    }
    *total = *largest = 0;
    for (inlay_id i = 0; i < modules; i++) {
        int64_t count;
        const inlay_id *before = inlay_app_predecessors(app, i, &count);
        inlay_time start = 0;
        for (int64_t j = 0; j < count; j++) {
            start = end[before[j]] > start ? end[before[j]] : start;
        }
        end[i] = start + inlay_app_time(app, i);
        inlay_time work = blocking == INLAY_BLOCKING_YES ? end[i] : inlay_app_time(app, i);
        *total += work;
        *largest = work > *largest ? work : *largest;
    }
    free(end);
    return INLAY_OK;
}

static inlay_time time_frame(inlay_time total, share part, int tiles)
{
    inlay_time squared = (inlay_time)tiles * tiles;
    switch (part) {
    case PER_TILE: return total / squared;
    case FOUR_TILES: return 4 * total / squared;
    default: return total / PROCESSORS;
    }
}

static int choose_options(const question *q, const inlay_app *app, inlay_options *options)
{
    const call *c = q->call;
    *options = (inlay_options){.blocking = c->blocking, .processors = c->map ? PROCESSORS : 0};
    if (c->map) {
        return INLAY_OK;
    }
    inlay_time total;
    inlay_time largest;
    int status = sum_work(app, c->blocking, &total, &largest);
    if (status == INLAY_OK) {
        inlay_time frame = time_frame(total, c->frame, q->tiles);
        options->has_time_frame = true;
        options->time_frame = (inlay_duration){{frame > largest ? frame : largest, 0}, INLAY_UNIT_TICK};
    }
    return status;
}

static int measure(const question *q, const inlay_app *app, answer *a)
{
    inlay_machine *machine = NULL;
    job j = {.app = app};
    int status = choose_options(q, app, &j.options);
    if (status == INLAY_OK) {
        status = inlay_machine_parse(machine_text, &machine, NULL);
    }
    if (status == INLAY_OK) {
        j.machine = machine;
        status = bench_measure(q->call->map ? run_map : run_cluster, &j, &a->time);
    }
    a->modules = inlay_app_modules(app);
    a->clusters = j.clusters;
    inlay_machine_free(machine);
    return status;
}

static int answer_question(const void *asked, void *result)
{
    const question *q = asked;
    answer *a = result;
    double empty = bench_peak_memory();
    inlay_app *app = NULL;
    int status = cholesky(q->tiles, &app);
    if (status == INLAY_OK) {
        a->graph_bytes = bench_peak_memory() - empty;
        status = measure(q, app, a);
        a->bytes = bench_peak_memory() - empty;
        inlay_app_free(app);
    }
    return status;
}

/* ---- The table ---- */

/* `before` is the answer for the size before; its modules are 0 where there is none. */
static void print_row(bench_table *table, const question *q, const answer *a, const answer *before)
{
    const call *c = q->call;
    double modules = a->modules;
    bench_cell(table, "%s", c->name);
    bench_cell(table, "%s", c->blocking == INLAY_BLOCKING_YES ? "yes" : "no");
    bench_cell(table, "%s", share_names[c->frame]);
    bench_cell(table, "%d", q->tiles);
    bench_cell(table, "%d", (int)a->modules);
    bench_cell(table, "%d", (int)a->clusters);
    bench_cell_time(table, a->time.seconds);
    bench_cell_time(table, a->time.seconds / modules);
    bench_cell_number(table, bench_exponent(before->time.seconds, a->time.seconds, before->modules, modules), 2);
    bench_cell_number(table, a->bytes / 0x100000, 1);
    bench_cell_number(table, a->graph_bytes / modules, 0);
    bench_cell_number(table, a->bytes / modules, 0);
    bench_cell_number(table, 100 * a->time.noise, 0);
}

static int bench_call(bench_table *table, const call *c, int count)
{
    answer before = {0};
    for (int i = 0; i < count; i++) {
        const question q = {c, sizes[i]};
        answer a = {0};
        int status = bench_apart(answer_question, &q, &a, sizeof a);
        if (status != INLAY_OK) {
            return status;
        }
        print_row(table, &q, &a, &before);
        before = a;
    }
    return INLAY_OK;
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {
        {"call", -7},    {"blocking", -8}, {"T", -9},  {"N", 3},         {"modules", 7},  {"clusters", 8}, {"time", 7},
        {"t/module", 8}, {"power", 5},     {"MiB", 6}, {"B/m graph", 9}, {"B/module", 8}, {"noise %", 7}};
    bool full;
    if (!bench_arguments(argc, argv, &full)) {
        return 2;
    }
    bench_table table =
        bench_table_begin("Clustering the tiled Cholesky graph of N x N tiles (inlay_cluster, inlay_map)", columns,
                          sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (size_t i = 0; i < sizeof calls / sizeof *calls && status == INLAY_OK; i++) {
        status = bench_call(&table, &calls[i], full ? FULL_SIZES : SIZES);
    }
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

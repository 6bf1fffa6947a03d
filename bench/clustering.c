/*
 * Time and memory of clustering on the task graphs of the tiled Cholesky factorisation, by themselves (inlay_cluster)
 * and with all that inlay_map adds for 16 processors: reduction, layout, estimate, bounds.
 */
#include "bench.h"
#include "graphs.h"
#include <stdio.h>

enum { PROCESSORS = 16, SIZES = 4, FULL_SIZES = 5 };

static const int sizes[FULL_SIZES] = {10, 20, 50, 100, 200};

/* Carries everything, so that no network decides. */
static const char machine_text[] = "bus:32768,memory=distributed,capacity=1e9msg/tick";

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
    *options = (inlay_options){
        .method = inlay_method_named("houstis"), .blocking = c->blocking, .processors = c->map ? PROCESSORS : 0};
    if (c->map) {
        return INLAY_OK;
    }
    bench_work work;
    int status = bench_sum_work(app, c->blocking, &work);
    if (status == INLAY_OK) {
        bench_set_frame(options, &work, time_frame(work.total, c->frame, q->tiles));
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
    int status = bench_cholesky(q->tiles, &app);
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

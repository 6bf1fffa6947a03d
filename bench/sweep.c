/*
 * What a sweep over all time frames costs beside runs by themselves, on the task graphs of the tiled Cholesky
 * factorisation: time of the processor in all threads, over that of as many runs as there are clusterings (of 1000, if
 * there are more).
 */
#include "bench.h"
#include "graphs.h"
#include <stdio.h>
#include <stdlib.h>

enum { SIZES = 3, FULL_SIZES = 4, MOST_RUNS = 1000, TIMED_RUNS = 24 };

static const int sizes[FULL_SIZES] = {10, 20, 38, 60};

/* Carries everything, so that no network decides. */
static const char machine_text[] = "bus:65536,memory=distributed,capacity=1e9msg/tick";

typedef struct question {
    int tiles;
    inlay_blocking blocking;
} question;

typedef struct answer {
    inlay_id modules;
    int clusterings;
    bench_time sweep, cluster, map; /* of one run each */
} answer;

typedef struct job {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_blocking blocking;
    inlay_time *frames; /* of all clusterings */
    size_t count, capacity;
} job;

/* ---- What is measured ---- */

static int run_sweep(void *context)
{
    const job *j = context;
    inlay_sweep_options options = {.mapping = {.blocking = j->blocking}, .threads = 1};
    inlay_sweep_result *sweep = NULL;
    int status = inlay_sweep(j->app, j->machine, &options, &sweep, NULL);
    inlay_sweep_free(sweep);
    return status;
}

static size_t timed_runs(const job *j)
{
    return j->count < TIMED_RUNS ? j->count : TIMED_RUNS;
}

/* The i-th of the time frames that are timed, evenly over all clusterings. */
static inlay_options options_of(const job *j, size_t i)
{
    inlay_time frame = j->frames[i * j->count / timed_runs(j)];
    return (inlay_options){.blocking = j->blocking,
                           .reduce = INLAY_REDUCE_NONE,
                           .has_time_frame = true,
                           .time_frame = {{frame, inlay_app_decimals(j->app)}, INLAY_UNIT_TICK}};
}

static int run_cluster(void *context)
{
    const job *j = context;
    int status = INLAY_OK;
    for (size_t i = 0; i < timed_runs(j) && status == INLAY_OK; i++) {
        inlay_options options = options_of(j, i);
        inlay_clustering clustering = {0};
        status = inlay_cluster(j->app, j->machine, &options, &clustering, NULL);
        inlay_clustering_clear(&clustering);
    }
    return status;
}

static int run_map(void *context)
{
    const job *j = context;
    int status = INLAY_OK;
    for (size_t i = 0; i < timed_runs(j) && status == INLAY_OK; i++) {
        inlay_options options = options_of(j, i);
        inlay_mapping *mapping = NULL;
        status = inlay_map(j->app, j->machine, &options, &mapping, NULL);
        inlay_mapping_free(mapping);
    }
    return status;
}

static int keep_frame(void *context, const inlay_sweep_step *step)
{
    job *j = context;
    if (j->count == j->capacity) {
        j->capacity = 2 * j->capacity + 64;
        inlay_time *frames = realloc(j->frames, j->capacity * sizeof *frames);
        if (frames == NULL) {
            return INLAY_NO_MEMORY;
        }
        j->frames = frames;
    }
    j->frames[j->count++] = step->time_frame;
    return INLAY_OK;
}

static int find_frames(job *j)
{
    inlay_sweep_options options = {.mapping = {.blocking = j->blocking}, .each = keep_frame, .context = j};
    inlay_sweep_result *sweep = NULL;
    int status = inlay_sweep(j->app, j->machine, &options, &sweep, NULL);
    inlay_sweep_free(sweep);
    return status;
}

/* The time of one of the runs that were timed together. */
static void share_out(bench_time *time, size_t runs)
{
    time->seconds /= (double)runs;
    time->worked /= (double)runs;
}

static int measure(job *j, answer *a)
{
    int status = find_frames(j);
    if (status == INLAY_OK) {
        status = bench_measure(run_sweep, j, &a->sweep);
    }
    if (status == INLAY_OK) {
        status = bench_measure(run_cluster, j, &a->cluster);
    }
    if (status == INLAY_OK) {
        status = bench_measure(run_map, j, &a->map);
    }
    share_out(&a->cluster, timed_runs(j));
    share_out(&a->map, timed_runs(j));
    a->clusterings = (int)j->count;
    return status;
}

static int answer_question(const void *asked, void *result)
{
    const question *q = asked;
    answer *a = result;
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    int status = bench_cholesky(q->tiles, &app);
    if (status == INLAY_OK) {
        status = inlay_machine_parse(machine_text, &machine, NULL);
    }
    if (status == INLAY_OK) {
        job j = {.app = app, .machine = machine, .blocking = q->blocking};
        a->modules = inlay_app_modules(app);
        status = measure(&j, a);
        free(j.frames);
    }
    inlay_machine_free(machine);
    inlay_app_free(app);
    return status;
}

/* ---- The table ---- */

static void print_row(bench_table *table, const question *q, const answer *a)
{
    double runs = a->clusterings < MOST_RUNS ? a->clusterings : MOST_RUNS;
    bench_cell(table, "%d", q->tiles);
    bench_cell(table, "%d", (int)a->modules);
    bench_cell(table, "%s", q->blocking == INLAY_BLOCKING_YES ? "yes" : "no");
    bench_cell(table, "%d", a->clusterings);
    bench_cell_time(table, a->sweep.worked);
    bench_cell_time(table, a->sweep.worked / a->clusterings);
    bench_cell_time(table, a->cluster.worked);
    bench_cell_time(table, a->map.worked);
    bench_cell_number(table, a->sweep.worked / (runs * a->cluster.worked), 3);
    bench_cell_number(table, a->sweep.worked / (runs * a->map.worked), 3);
    bench_cell_number(table, 100 * a->sweep.noise, 0);
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {
        {"N", 3},       {"modules", 7}, {"blocking", -8},       {"clusterings", 11}, {"sweep", 7},  {"of each", 7},
        {"cluster", 7}, {"map", 7},     {"sweep/clusters", 14}, {"sweep/maps", 10},  {"noise %", 7}};
    static const inlay_blocking blocking[] = {INLAY_BLOCKING_NO, INLAY_BLOCKING_YES};
    bool full;
    if (!bench_arguments(argc, argv, &full)) {
        return 2;
    }
    bench_table table = bench_table_begin("A sweep beside runs by themselves, tiled Cholesky of N x N tiles", columns,
                                          sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (int i = 0; i < 2 * (full ? FULL_SIZES : SIZES) && status == INLAY_OK; i++) {
        question q = {sizes[i / 2], blocking[i % 2]};
        answer a = {0};
        status = bench_apart(answer_question, &q, &a, sizeof a);
        if (status == INLAY_OK) {
            print_row(&table, &q, &a);
        }
    }
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

/*
 * Inlay beside METIS and Scotch on the tiled Cholesky graphs of N x N tiles, in one run, all in one thread.
 *
 * The partitioners make 16 parts of equal work with little traffic between them. Inlay clusters under T = work/16,
 * which says nothing about the number of clusters, and then reduces them to 16 processors (H2). Time is the processor's,
 * without reading and writing: that is what METIS prints, and what other programs on the computer change least.
 */
#include "bench.h"
#include "graphs.h"
#include "partitioner.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZES = 2, FULL_SIZES = 3, RUNS = 3 };

static const int sizes[FULL_SIZES] = {50, 100, 200};

/*
 * One bus that carries 2000 messages in the time of 10^9 operations: tiles of 512 KiB at 1 GB/s, for processors of
 * 1 Gflop/s. It is busy for about a quarter of the time frame with the cut of METIS.
 */
static const char machine_text[] = "bus:32768,memory=distributed,capacity=2e-6msg/tick";

static const char app_file[] = "cholesky.tg";

/* ---- What is compared ---- */

typedef struct contender {
    const char *name;
    const bench_partitioner *program; /* NULL: Inlay */
    inlay_blocking blocking;
    bool reduce;        /* to 16 processors, behind the clustering */
    double most_ratio;  /* the goal for its time over METIS's; NaN: there is none */
    double most_growth; /* and for p in `time grows as modules^p` */
} contender;

enum { CONTENDERS = 6, METIS = 0 };

static const contender contenders[CONTENDERS] = {
    {"METIS", &bench_partitioners[0], INLAY_BLOCKING_NO, false, NAN, NAN},
    {"Scotch", &bench_partitioners[1], INLAY_BLOCKING_NO, false, NAN, NAN},
    {"cluster", NULL, INLAY_BLOCKING_NO, false, 1.2, 1.25},
    {"cluster", NULL, INLAY_BLOCKING_YES, false, 2, 1.25},
    {"cluster, H2", NULL, INLAY_BLOCKING_NO, true, NAN, 1.25},
    {"cluster, H2", NULL, INLAY_BLOCKING_YES, true, NAN, 1.25},
};

static const double most_bytes = 600e6;
static const double most_queue_growth = 1.10;

/* What one of them took on one graph, and what its result is worth. */
typedef struct result {
    bool measured;
    double modules;
    double worked; /* seconds of the processor, without reading: the median */
    double whole;  /* elapsed seconds with reading: the median */
    double noise;  /* how far elapsed times lie above the processor's; of partitioners, reading counted in both */
    double bytes;
    inlay_id parts;
    double cut;        /* links between parts, of all */
    double operations; /* of the queue of candidate pairs; NaN: it has none */
    double estimate;   /* elapsed time on the machine above, over work/16; NaN where the bus is saturated */
} result;

/* ---- What a partition is worth ---- */

static double cut_share(const inlay_app *app, const inlay_id *part_of)
{
    int64_t cut = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t j = 0; j < out.count; j++) {
            cut += part_of[i] != part_of[out.module[j]];
        }
    }
    return (double)cut / (double)inlay_app_links(app);
}

/* The same options for all, whatever they were made with: T = work/16, work without blocking. */
static int estimate(const inlay_app *app, const inlay_machine *machine, const inlay_id *part_of, double *over_frame)
{
    bench_work work;
    inlay_options options = {.blocking = INLAY_BLOCKING_NO};
    inlay_mapping *mapping = NULL;
    int status = bench_sum_work(app, options.blocking, &work);
    if (status != INLAY_OK) {
        return status;
    }
    bench_set_frame(&options, &work, work.total / BENCH_PARTS);
    status = inlay_evaluate(app, machine, part_of, &options, &mapping, NULL);
    if (status == INLAY_OK) {
        const inlay_summary *summary = inlay_mapping_summary(mapping);
        *over_frame = summary->estimate / summary->time_frame;
        inlay_mapping_free(mapping);
    }
    return status;
}

static int judge(const inlay_app *app, const inlay_machine *machine, const inlay_id *part_of, result *r)
{
    r->modules = inlay_app_modules(app);
    r->cut = cut_share(app, part_of);
    r->estimate = NAN;
    int status = estimate(app, machine, part_of, &r->estimate);
    return status == INLAY_NO_ANSWER ? INLAY_OK : status;
}

/* ---- A process each: the graph is in no other ---- */

typedef struct question {
    const contender *contender;
    int tiles;
    const char *folder;
} question;

static int with_machine(const inlay_app *app, const question *q, result *r,
                        int (*work)(const inlay_app *app, const inlay_machine *machine, const question *q, result *r))
{
    inlay_machine *machine;
    int status = inlay_machine_parse(machine_text, &machine, NULL);
    if (status == INLAY_OK) {
        status = work(app, machine, q, r);
        inlay_machine_free(machine);
    }
    return status;
}

/* ---- Inlay ---- */

typedef struct job {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_options options;
    bool reduce;
    inlay_clustering clustering; /* the result of the last run */
    int64_t operations;          /* of the queue, reduction included */
    double bytes;                /* peak memory after the first: a heap that was used before may be in pieces */
} job;

/* T does not bind in a reduction: with few processors, no other T might do. */
static int reduce(job *j)
{
    inlay_options options = j->options;
    options.has_time_frame = false;
    inlay_clustering reduced = {0};
    int status = inlay_reduce_clusters(j->app, j->machine, &options, &j->clustering, &reduced, NULL);
    if (status == INLAY_OK) {
        j->operations += reduced.queue_operations;
        inlay_clustering_clear(&j->clustering);
        j->clustering = reduced;
    }
    return status;
}

static int run(void *context)
{
    job *j = context;
    inlay_clustering_clear(&j->clustering);
    int status = inlay_cluster(j->app, j->machine, &j->options, &j->clustering, NULL);
    j->operations = j->clustering.queue_operations;
    if (status == INLAY_OK && j->reduce) {
        status = reduce(j);
    }
    j->bytes = j->bytes > 0 ? j->bytes : bench_peak_memory();
    return status;
}

static int cluster(const inlay_app *app, const inlay_machine *machine, const question *q, result *r)
{
    bench_work work;
    bench_time time;
    job j = {.app = app, .machine = machine, .reduce = q->contender->reduce};
    j.options = (inlay_options){.blocking = q->contender->blocking, .processors = BENCH_PARTS};
    int status = bench_sum_work(app, j.options.blocking, &work);
    if (status == INLAY_OK) {
        bench_set_frame(&j.options, &work, work.total / BENCH_PARTS);
        status = bench_measure(run, &j, &time);
    }
    if (status == INLAY_OK) {
        r->measured = true;
        r->worked = time.worked;
        r->whole = time.seconds * (1 + time.noise);
        r->noise = time.noise;
        r->bytes = j.bytes;
        r->parts = j.clustering.clusters;
        r->operations = (double)j.operations;
        status = judge(app, machine, j.clustering.cluster_of, r);
    }
    inlay_clustering_clear(&j.clustering);
    return status;
}

static int answer_cluster(const void *asked, void *answer)
{
    const question *q = asked;
    inlay_app *app;
    int status = bench_cholesky(q->tiles, &app);
    if (status == INLAY_OK) {
        status = with_machine(app, q, answer, cluster);
        inlay_app_free(app);
    }
    return status;
}

/* ---- METIS and Scotch ---- */

static int judge_parts(const inlay_app *app, const inlay_machine *machine, const question *q, result *r)
{
    inlay_id modules = inlay_app_modules(app);
    inlay_id *part_of = malloc((size_t)modules * sizeof *part_of);
    int status = part_of == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    if (status == INLAY_OK) {
        status = bench_partitioner_read(q->contender->program, q->folder, modules, part_of);
    }
    if (status == INLAY_OK) {
        status = judge(app, machine, part_of, r);
    }
    free(part_of);
    return status;
}

static int answer_parts(const void *asked, void *answer)
{
    const question *q = asked;
    inlay_app *app;
    int status = bench_cholesky(q->tiles, &app);
    if (status == INLAY_OK) {
        status = with_machine(app, q, answer, judge_parts);
        inlay_app_free(app);
    }
    return status;
}

/* Also what a failed run leaves: not measured. */
static int partition(const question *q, result *r)
{
    double worked[RUNS];
    double whole[RUNS];
    double noise[RUNS];
    bench_run run = {0};
    for (int i = 0; i < RUNS; i++) {
        if (bench_partitioner_run(q->contender->program, q->folder, &run) != 0) {
            return INLAY_OK;
        }
        worked[i] = q->contender->program->partitioning(&run);
        whole[i] = run.seconds;
        noise[i] = run.seconds / run.worked - 1;
    }
    result judged = {.parts = BENCH_PARTS, .operations = NAN};
    int status = bench_apart(answer_parts, q, &judged, sizeof judged);
    if (status == INLAY_OK) {
        judged.measured = true;
        judged.worked = bench_median(worked, RUNS);
        judged.whole = bench_median(whole, RUNS);
        judged.noise = bench_median(noise, RUNS);
        judged.bytes = run.bytes;
        judged.parts = BENCH_PARTS;
        *r = judged;
    }
    return status;
}

/* ---- Files: written once a graph, read by all ---- */

static int write_files(const void *asked, void *answer)
{
    (void)answer;
    const question *q = asked;
    inlay_app *app;
    int status = bench_cholesky(q->tiles, &app);
    if (status != INLAY_OK) {
        return status;
    }
    char path[BENCH_PATH];
    bench_folder_path(q->folder, app_file, path);
    status = inlay_app_write(app, path, NULL, NULL);
    for (int i = 0; i < BENCH_PARTITIONERS && status == INLAY_OK; i++) {
        status = bench_partitioner_write(&bench_partitioners[i], app, q->folder);
    }
    inlay_app_free(app);
    return status;
}

static int read_app(void *context)
{
    const question *q = context;
    char path[BENCH_PATH];
    inlay_app *app;
    bench_folder_path(q->folder, app_file, path);
    int status = inlay_app_read(path, NULL, &app, NULL);
    if (status == INLAY_OK) {
        inlay_app_free(app);
    }
    return status;
}

static int measure_reading(const void *asked, void *answer)
{
    question q = *(const question *)asked;
    return bench_measure(read_app, &q, answer);
}

/* ---- One graph ---- */

static int compare_on(int tiles, const char *folder, result results[CONTENDERS])
{
    question q = {.tiles = tiles, .folder = folder};
    bench_time reading;
    int status = bench_apart(write_files, &q, NULL, 0);
    if (status == INLAY_OK) {
        status = bench_apart(measure_reading, &q, &reading, sizeof reading);
    }
    for (int i = 0; i < CONTENDERS && status == INLAY_OK; i++) {
        q.contender = &contenders[i];
        results[i] = (result){.measured = false};
        if (q.contender->program != NULL) {
            status = partition(&q, &results[i]);
        } else {
            status = bench_apart(answer_cluster, &q, &results[i], sizeof results[i]);
            results[i].whole += reading.seconds;
        }
    }
    return status;
}

/* ---- The tables ---- */

static void print_name(bench_table *table, const contender *c)
{
    bench_cell(table, "%s", c->name);
    bench_cell(table, "%s", c->program != NULL ? "" : c->blocking == INLAY_BLOCKING_YES ? "yes" : "no");
}

static void print_results(bench_table *table, int tiles, const result results[CONTENDERS])
{
    const result *metis = &results[METIS];
    for (int i = 0; i < CONTENDERS; i++) {
        const result *r = &results[i];
        if (!r->measured) {
            continue;
        }
        print_name(table, &contenders[i]);
        bench_cell(table, "%d", tiles);
        bench_cell(table, "%.0f", r->modules);
        bench_cell(table, "%d", (int)r->parts);
        bench_cell_time(table, r->worked);
        bench_cell_number(table, metis->measured ? r->worked / metis->worked : NAN, 2);
        bench_cell_time(table, r->whole);
        bench_cell_number(table, metis->measured ? r->whole / metis->whole : NAN, 2);
        bench_cell_number(table, r->bytes / 1e6, 1);
        bench_cell_number(table, 100 * r->cut, 1);
        bench_cell_number(table, r->estimate, 3);
        bench_cell_number(table, 100 * r->noise, 0);
    }
}

static double seconds_of(const result *r)
{
    return r->worked;
}

static double operations_of(const result *r)
{
    return r->operations;
}

/* p in `it grows as modules^p` through all sizes: the slope of the logarithms by least squares. */
static double fitted_exponent(result results[][CONTENDERS], int count, int who, double (*it)(const result *r))
{
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
    for (int i = 0; i < count; i++) {
        double a = log(results[i][who].modules);
        double b = log(it(&results[i][who]));
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
    }
    return (count * xy - x * y) / (count * xx - x * x);
}

static void print_goal(bench_table *table, double number, double goal, int decimals)
{
    bench_cell_number(table, number, decimals);
    bench_cell_number(table, goal, decimals);
    bench_cell(table, "%s", isnan(number) || isnan(goal) ? "-" : number <= goal ? "yes" : "NO");
}

/* Of the largest graph, and through all. */
static void print_goals(result results[][CONTENDERS], int count)
{
    static const bench_column columns[] = {{"what", -11}, {"blocking", -8}, {"/METIS", 6}, {"goal", 4},  {"met", 3},
                                           {"power", 5},  {"goal", 4},      {"met", 3},    {"queue", 5}, {"goal", 4},
                                           {"met", 3},    {"MB", 5},        {"goal", 4},   {"met", 3}};
    char title[128];
    (void)snprintf(title, sizeof title,
                   "Goals: /METIS and MB with N = %d; power of time and of queue operations from N = %d to %d",
                   sizes[count - 1], sizes[0], sizes[count - 1]);
    bench_table table = bench_table_begin(title, columns, sizeof columns / sizeof *columns);
    const result *last = results[count - 1];
    for (int i = 0; i < CONTENDERS; i++) {
        if (last[i].measured) {
            const contender *c = &contenders[i];
            bool ours = c->program == NULL;
            print_name(&table, c);
            print_goal(&table, last[METIS].measured ? last[i].worked / last[METIS].worked : NAN, c->most_ratio, 2);
            print_goal(&table, fitted_exponent(results, count, i, seconds_of), c->most_growth, 2);
            print_goal(&table, fitted_exponent(results, count, i, operations_of), ours ? most_queue_growth : NAN, 2);
            print_goal(&table, last[i].bytes / 1e6, ours ? most_bytes / 1e6 : NAN, 0);
        }
    }
}

static void print_missing(const result results[CONTENDERS])
{
    for (int i = 0; i < CONTENDERS; i++) {
        const bench_partitioner *p = contenders[i].program;
        if (p == NULL || results[i].measured) {
            continue;
        }
        (void)printf("%s: %s %s\n", p->name, p->program,
                     bench_program_found(p->program) ? "failed on a graph"
                                                     : "is not installed; `make bench-setup` does that");
    }
}

static int bench_in(const char *folder, int count)
{
    static const bench_column columns[] = {{"what", -11}, {"blocking", -8}, {"N", 3},      {"modules", 7}, {"parts", 5},
                                           {"time", 7},   {"/METIS", 6},    {"whole", 7},  {"/METIS", 6},  {"MB", 5},
                                           {"cut %", 5},  {"E/T", 5},       {"noise %", 7}};
    result results[FULL_SIZES][CONTENDERS] = {0};
    bench_table table = bench_table_begin("Beside METIS and Scotch: tiled Cholesky graphs, 16 parts, T = work/16",
                                          columns, sizeof columns / sizeof *columns);
    for (int i = 0; i < count; i++) {
        int status = compare_on(sizes[i], folder, results[i]);
        if (status != INLAY_OK) {
            return status;
        }
        print_results(&table, sizes[i], results[i]);
    }
    print_missing(results[count - 1]);
    print_goals(results, count);
    return INLAY_OK;
}

static int run_in(const char *folder, bool full)
{
    return bench_in(folder, full ? FULL_SIZES : SIZES);
}

int main(int argc, char **argv)
{
    return bench_with_folder(argc, argv, run_in);
}

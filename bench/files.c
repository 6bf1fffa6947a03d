/*
 * Large graphs and results as files: made, written and read; and the mapping of one, written and checked.
 */
#include "bench.h"
#include "graphs.h"
#include "program.h"
#include <stdio.h>
#include <string.h>

enum { SIZES = 2, FULL_SIZES = 3, PROCESSORS = 16 };

static const int sizes[FULL_SIZES] = {50, 100, 200};

/* So fast that it never decides. */
static const char machine_text[] = "bus:32768,memory=distributed,capacity=1e9msg/tick";

static const double most_checking = 10; /* seconds: the goal for the largest graph */

/* ---- The files ---- */

typedef struct paths {
    char app[BENCH_PATH];
    char mapping[BENCH_PATH];
} paths;

static paths paths_in(const char *folder)
{
    paths p = {0};
    bench_folder_path(folder, "cholesky.tg", p.app);
    bench_folder_path(folder, "mapping.json", p.mapping);
    return p;
}

/* ---- What is timed ---- */

typedef struct job {
    int tiles;
    inlay_reduce reduce; /* H2: to 16 processors; none: as many as there are clusters */
    paths files;
    inlay_app *app;         /* ours, where the step needs one beforehand */
    inlay_machine *machine; /* ours, where it needs a mapping */
    inlay_mapping *mapping; /* ours */
    size_t findings, checked;
    char finding[200]; /* the first */
} job;

static int run_generate(void *context)
{
    job *j = context;
    inlay_app *app;
    int status = bench_cholesky(j->tiles, &app);
    if (status == INLAY_OK) {
        inlay_app_free(app);
    }
    return status;
}

static int run_write(void *context)
{
    job *j = context;
    return inlay_app_write(j->app, j->files.app, NULL, NULL);
}

static int run_read(void *context)
{
    job *j = context;
    inlay_app *app;
    int status = inlay_app_read(j->files.app, NULL, &app, NULL);
    if (status == INLAY_OK) {
        inlay_app_free(app);
    }
    return status;
}

static int run_write_mapping(void *context)
{
    job *j = context;
    const inlay_origin origin = {.command = "map", .app_path = j->files.app};
    return inlay_mapping_write(j->mapping, &origin, j->files.mapping, NULL);
}

static int run_check(void *context)
{
    job *j = context;
    inlay_findings *findings;
    int status = inlay_check_file(j->files.mapping, NULL, &findings, NULL);
    if (status == INLAY_OK) {
        j->findings = inlay_findings_count(findings);
        j->checked = inlay_findings_checked(findings);
        (void)snprintf(j->finding, sizeof j->finding, "%s", j->findings > 0 ? inlay_findings_text(findings, 0) : "");
        inlay_findings_free(findings);
    }
    return status;
}

/* ---- What is made ready beforehand ---- */

static int make_nothing(job *j)
{
    (void)j;
    return INLAY_OK;
}

static int make_app(job *j)
{
    return bench_cholesky(j->tiles, &j->app);
}

static int make_mapping(job *j)
{
    bench_work work;
    inlay_options options = {
        .method = inlay_method_named("houstis"), .blocking = INLAY_BLOCKING_NO, .reduce = j->reduce};
    int status = inlay_app_read(j->files.app, NULL, &j->app, NULL); /* named after the file, as the checker sees it */
    if (status == INLAY_OK) {
        status = inlay_machine_parse(machine_text, &j->machine, NULL);
    }
    if (status == INLAY_OK && j->reduce == INLAY_REDUCE_NONE) {
        status = bench_sum_work(j->app, options.blocking, &work);
        bench_set_frame(&options, &work, work.total / PROCESSORS);
    } else {
        options.processors = PROCESSORS;
    }
    return status == INLAY_OK ? inlay_map(j->app, j->machine, &options, &j->mapping, NULL) : status;
}

/* In the order in which they need each other's files. */
typedef struct step {
    const char *name;
    inlay_reduce reduce;
    int (*make)(job *j);
    int (*run)(void *context);
} step;

static const step steps[] = {
    {"generate", INLAY_REDUCE_NONE, make_nothing, run_generate},
    {"write graph", INLAY_REDUCE_NONE, make_app, run_write},
    {"read graph", INLAY_REDUCE_NONE, make_nothing, run_read},
    {"write mapping, 16 processors", INLAY_REDUCE_H2, make_mapping, run_write_mapping},
    {"check mapping, 16 processors", INLAY_REDUCE_H2, make_nothing, run_check},
    {"write mapping, all clusters", INLAY_REDUCE_NONE, make_mapping, run_write_mapping},
    {"check mapping, all clusters", INLAY_REDUCE_NONE, make_nothing, run_check},
};

enum { STEPS = sizeof steps / sizeof *steps };

/* ---- A process for each ---- */

typedef struct question {
    const step *step;
    int tiles;
    const char *folder;
} question;

typedef struct answer {
    bench_time time;
    double bytes;
    size_t findings, checked; /* of the checks */
    char finding[200];
} answer;

static int answer_question(const void *asked, void *result)
{
    const question *q = asked;
    answer *a = result;
    job j = {.tiles = q->tiles, .reduce = q->step->reduce, .files = paths_in(q->folder)};
    int status = q->step->make(&j);
    if (status == INLAY_OK) {
        status = bench_measure(q->step->run, &j, &a->time);
    }
    a->bytes = bench_peak_memory();
    a->findings = j.findings;
    a->checked = j.checked;
    memcpy(a->finding, j.finding, sizeof a->finding);
    inlay_mapping_free(j.mapping);
    inlay_machine_free(j.machine);
    inlay_app_free(j.app);
    return status;
}

/* ---- The table ---- */

static void print_row(bench_table *table, const question *q, const answer *a, const answer *before, int tiles_before)
{
    double modules = bench_cholesky_modules(q->tiles);
    double modules_before = tiles_before > 0 ? bench_cholesky_modules(tiles_before) : 0;
    bool checks = q->step->run == run_check;
    bench_cell(table, "%s", q->step->name);
    bench_cell(table, "%d", q->tiles);
    bench_cell(table, "%.0f", modules);
    bench_cell_time(table, a->time.seconds);
    bench_cell_time(table, a->time.seconds / modules);
    bench_cell_number(table, bench_exponent(before->time.seconds, a->time.seconds, modules_before, modules), 2);
    bench_cell_number(table, a->bytes / 1e6, 1);
    if (checks) {
        bench_cell(table, "%zu", a->checked);
        bench_cell(table, "%s", a->findings > 0 ? "FAILED" : "yes");
        bench_cell(table, "%s", a->time.seconds <= most_checking ? "yes" : "NO");
    } else {
        for (int i = 0; i < 3; i++) {
            bench_cell(table, "-");
        }
    }
    bench_cell_number(table, 100 * a->time.noise, 0);
    if (a->findings > 0) {
        (void)printf("    %zu findings; the first: %s\n", a->findings, a->finding);
    }
}

static int bench_in(const char *folder, int count)
{
    static const bench_column columns[] = {{"what", -28},   {"N", 3},       {"modules", 7}, {"time", 7},
                                           {"t/module", 8}, {"power", 5},   {"MB", 6},      {"checked", 8},
                                           {"holds", 6},    {"in 10 s", 7}, {"noise %", 7}};
    answer before[STEPS] = {0};
    bench_table table = bench_table_begin("Graphs and mappings as files: the tiled Cholesky graph of N x N tiles",
                                          columns, sizeof columns / sizeof *columns);
    for (int i = 0; i < count; i++) {
        for (int s = 0; s < STEPS; s++) {
            const question q = {&steps[s], sizes[i], folder};
            answer a = {0};
            int status = bench_apart(answer_question, &q, &a, sizeof a);
            if (status != INLAY_OK) {
                return status;
            }
            print_row(&table, &q, &a, &before[s], i > 0 ? sizes[i - 1] : 0);
            before[s] = a;
        }
    }
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

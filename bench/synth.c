/*
 * Synthetic programs: how long they take to make, to write and to compile, and how large they are, for graphs that fold
 * and for graphs that do not.
 */
#include "bench.h"
#include "program.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { PROCESSORS = 16, SIDE = 4 /* of the processors as a grid */, SIZES = 4, SHAPES = 3 };

static const char machine_text[] = "bus:16,capacity=1.25GB/s,latency=5us";

static const double most_compiling = 10; /* seconds: the goal for 100,000 modules */

/* ---- The graphs ---- */

/* Iterations are all equal, tasks of a factorisation come in patterns, and what is drawn at random comes in none. */
typedef enum shape { STENCIL, CHOLESKY, RANDOM } shape;

static const char *const shape_names[SHAPES] = {"stencil", "cholesky", "random"};

/* About 16, 1000, 100,000 and 1,000,000 modules: steps of 16 blocks, tiles, layers of 16 modules. */
static const int64_t shape_sizes[SHAPES][SIZES] = {{1, 62, 6250, 62500}, {4, 17, 84, 181}, {1, 62, 6250, 62500}};

static int make_graph(shape kind, int64_t size, inlay_app **app)
{
    inlay_generator_options options = {.rate = 1e9};
    switch (kind) {
    case STENCIL:
        options.kind = "stencil";
        options.sizes[INLAY_SIZE_SIZE] = PROCESSORS;
        options.sizes[INLAY_SIZE_DIMENSIONS] = 1;
        options.sizes[INLAY_SIZE_STEPS] = size;
        break;
    case CHOLESKY:
        options.kind = "cholesky";
        options.sizes[INLAY_SIZE_TILES] = size;
        break;
    case RANDOM:
        options.kind = "layered";
        options.sizes[INLAY_SIZE_WIDTH] = PROCESSORS;
        options.sizes[INLAY_SIZE_LEVELS] = size;
        options.heterogeneity = 1;
        break;
    }
    return inlay_generate(&options, app, NULL);
}

/* Tile (i, j) of a task's result to processor (i mod 4, j mod 4) of the grid. */
static void place_tiles(int64_t tiles, inlay_id modules, inlay_id *processor)
{
    inlay_id task = 0;
    for (int64_t k = 0; k < tiles; k++) {
        for (int64_t i = k; i < tiles && task < modules; i++) {
            processor[task++] = (inlay_id)(i % SIDE * SIDE + k % SIDE); /* the factor, and the column under it */
        }
        for (int64_t i = k + 1; i < tiles; i++) {
            for (int64_t j = k + 1; j <= i && task < modules; j++) {
                processor[task++] = (inlay_id)(i % SIDE * SIDE + j % SIDE); /* the rest of the triangle */
            }
        }
    }
}

static int place(shape kind, int64_t size, const inlay_app *app, const inlay_machine *machine, inlay_mapping **mapping)
{
    inlay_id modules = inlay_app_modules(app);
    inlay_id *processor = malloc((size_t)modules * sizeof *processor);
    if (processor == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (inlay_id i = 0; i < modules; i++) {
        processor[i] = i % PROCESSORS;
    }
    if (kind == CHOLESKY) {
        place_tiles(size, modules, processor);
    }
    int status = inlay_evaluate(app, machine, processor, NULL, mapping, NULL);
    free(processor);
    return status;
}

/* ---- One program, in a process of its own ---- */

typedef struct question {
    shape kind;
    int64_t size;
    bool compiles; /* there is a compiler */
} question;

typedef struct answer {
    inlay_synth_summary program;
    bench_time make, write;
    double bytes, compile; /* of the file; seconds, NaN where it was not compiled */
} answer;

typedef struct job {
    const inlay_mapping *mapping;
    inlay_synth *synth;
    char path[BENCH_PATH], binary[BENCH_PATH];
} job;

/* As `inlay run` makes it: modules take their times, which graphs without operation counts have alone. */
static int run_make(void *context)
{
    job *j = context;
    const inlay_synth_options options = {.work = INLAY_SYNTH_TIMES};
    inlay_synth_free(j->synth);
    j->synth = NULL;
    return inlay_synthesise(j->mapping, &options, &j->synth, NULL);
}

static int run_write(void *context)
{
    job *j = context;
    return inlay_synth_write(j->synth, j->path, NULL);
}

static int compile(const job *j, answer *a)
{
    const char *const command[] = {"mpicc", "-std=c17", "-O2", "-o", j->binary, j->path, "-lm", NULL};
    bench_run run;
    if (bench_program_run(command, &run) != 0) {
        return INLAY_SYSTEM;
    }
    a->compile = run.seconds;
    return INLAY_OK;
}

static int measure(const question *q, job *j, answer *a)
{
    struct stat file;
    int status = bench_measure(run_make, j, &a->make);
    if (status == INLAY_OK) {
        status = bench_measure(run_write, j, &a->write);
    }
    if (status == INLAY_OK) {
        a->program = *inlay_synth_result(j->synth);
        a->bytes = stat(j->path, &file) == 0 ? (double)file.st_size : NAN;
        status = q->compiles ? compile(j, a) : INLAY_OK;
    }
    inlay_synth_free(j->synth);
    return status;
}

static int measure_in_folder(const question *q, const inlay_mapping *mapping, answer *a)
{
    char folder[BENCH_PATH];
    job j = {.mapping = mapping};
    if (bench_folder_make(folder) != 0) {
        return INLAY_SYSTEM;
    }
    bench_folder_path(folder, "program.c", j.path);
    bench_folder_path(folder, "program", j.binary);
    int status = measure(q, &j, a);
    bench_folder_remove(folder);
    return status;
}

static int answer_question(const void *asked, void *result)
{
    const question *q = asked;
    answer *a = result;
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    a->compile = NAN;
    int status = make_graph(q->kind, q->size, &app);
    if (status == INLAY_OK) {
        status = inlay_machine_parse(machine_text, &machine, NULL);
    }
    if (status == INLAY_OK) {
        status = place(q->kind, q->size, app, machine, &mapping);
    }
    if (status == INLAY_OK) {
        status = measure_in_folder(q, mapping, a);
    }
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
    return status;
}

/* ---- The table ---- */

static void print_row(bench_table *table, const question *q, const answer *a)
{
    const inlay_synth_summary *p = &a->program;
    bench_cell(table, "%s", shape_names[q->kind]);
    bench_cell(table, "%d", (int)p->modules);
    bench_cell(table, "%lld", (long long)p->steps);
    bench_cell(table, "%lld", (long long)p->entries);
    bench_cell(table, "%lld", (long long)p->kinds);
    bench_cell(table, "%d", (int)p->depth);
    bench_cell_time(table, a->make.seconds);
    bench_cell_number(table, a->make.seconds / (double)p->steps * 1e9, 0);
    bench_cell_time(table, a->write.seconds);
    bench_cell_number(table, a->bytes / 1024, 0);
    bench_cell_time(table, a->compile);
    bench_cell(table, "%s", isnan(a->compile) ? "-" : a->compile <= most_compiling ? "yes" : "no");
    bench_cell_number(table, 100 * fmax(a->make.noise, a->write.noise), 0);
}

static int print_rows(bench_table *table, int sizes, bool compiles)
{
    int status = INLAY_OK;
    for (int size = 0; size < sizes; size++) {
        for (int kind = 0; kind < SHAPES && status == INLAY_OK; kind++) {
            const question q = {(shape)kind, shape_sizes[kind][size], compiles};
            answer a;
            status = bench_apart(answer_question, &q, &a, sizeof a);
            if (status == INLAY_OK) {
                print_row(table, &q, &a);
            }
        }
    }
    return status;
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {
        {"graph", -8},  {"modules", 7}, {"steps", 8}, {"entries", 8}, {"kinds", 8},    {"depth", 5},  {"make", 7},
        {"ns/step", 7}, {"write", 7},   {"KiB", 7},   {"compile", 7}, {"in 10 s", -7}, {"noise %", 7}};
    bool full, compiles = bench_program_found("mpicc");
    if (!bench_arguments(argc, argv, &full)) {
        return 2;
    }
    bench_table table = bench_table_begin("Synthetic programs of graphs on 16 processors (inlay_synthesise, "
                                          "inlay_synth_write), compiled by mpicc -O2",
                                          columns, sizeof columns / sizeof *columns);
    int status = print_rows(&table, full ? SIZES : SIZES - 1, compiles);
    if (!compiles) {
        (void)printf("not compiled: there is no mpicc here\n");
    }
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

/*
 * What the main questions cost on one application as it grows: the tiled Cholesky factorisation on a bus of 64 processors;
 * for compare on a star beside it. Time of the processor, in one run of each, everything in one thread but where the
 * library starts its own.
 */
#include "bench.h"
#include "graphs.h"
#include <stdio.h>

enum { SIZES = 2, FULL_SIZES = 3, QUESTIONS = 6 };

static const int sizes[FULL_SIZES] = {17, 83, 200};

typedef struct job {
    const inlay_app *app;
    const inlay_machine *bus, *star;
    inlay_options options;
} job;

typedef struct answer {
    inlay_id modules;
    bench_time time[QUESTIONS];
} answer;

/* ---- The questions ---- */

static int map_by(job *j, const char *method)
{
    inlay_mapping *mapping = NULL;
    j->options.method = inlay_method_named(method);
    int status = inlay_map(j->app, j->bus, &j->options, &mapping, NULL);
    inlay_mapping_free(mapping);
    return status;
}

static int map_houstis(void *context)
{
    return map_by(context, "houstis");
}

static int map_heft(void *context)
{
    return map_by(context, "heft");
}

static int map_best(void *context)
{
    return map_by(context, "best");
}

static int compare(void *context)
{
    const job *j = context;
    const inlay_compare_input inputs[] = {{.app = j->app}, {.machine = j->bus}, {.machine = j->star}};
    const inlay_compare_options options = {.mapping = {.method = inlay_method_named("houstis")}};
    inlay_comparison *comparison = NULL;
    int status = inlay_compare(inputs, sizeof inputs / sizeof *inputs, &options, &comparison, NULL);
    inlay_comparison_free(comparison);
    return status;
}

static int sweep(void *context)
{
    const job *j = context;
    inlay_sweep_result *rows = NULL;
    int status = inlay_sweep(j->app, j->bus, &(inlay_sweep_options){.threads = 1}, &rows, NULL);
    inlay_sweep_free(rows);
    return status;
}

static int pareto(void *context)
{
    const job *j = context;
    inlay_pareto_result *front = NULL;
    int status = inlay_pareto(j->app, j->bus, &(inlay_pareto_options){0}, &front, NULL);
    inlay_pareto_free(front);
    return status;
}

static int (*const questions[QUESTIONS])(void *) = {map_houstis, map_heft, map_best, compare, sweep, pareto};

/* ---- The table ---- */

static int answer_all(const void *asked, void *result)
{
    answer *a = result;
    inlay_app *app = NULL;
    inlay_machine *bus = NULL, *star = NULL;
    int status = bench_cholesky(*(const int *)asked, &app);
    status = status == INLAY_OK ? inlay_machine_parse("bus:64,capacity=64msg/tick", &bus, NULL) : status;
    status = status == INLAY_OK ? inlay_machine_parse("star:64,capacity=1msg/tick", &star, NULL) : status;
    job j = {.app = app, .bus = bus, .star = star, .options = {.threads = 1}};
    for (int q = 0; status == INLAY_OK && q < QUESTIONS; q++) {
        status = bench_measure(questions[q], &j, &a->time[q]);
    }
    a->modules = status == INLAY_OK ? inlay_app_modules(app) : 0;
    inlay_machine_free(star);
    inlay_machine_free(bus);
    inlay_app_free(app);
    return status;
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {{"N", 3},    {"modules", 7}, {"houstis", 8}, {"heft", 8},
                                           {"best", 8}, {"compare", 8}, {"sweep", 8},   {"pareto", 8}};
    bool full;
    if (!bench_arguments(argc, argv, &full)) {
        return 2;
    }
    bench_table table = bench_table_begin("The main questions, tiled Cholesky of N x N tiles on bus:64", columns,
                                          sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (int i = 0; i < (full ? FULL_SIZES : SIZES) && status == INLAY_OK; i++) {
        answer a = {0};
        status = bench_apart(answer_all, &sizes[i], &a, sizeof a);
        if (status == INLAY_OK) {
            bench_cell(&table, "%d", sizes[i]);
            bench_cell(&table, "%d", (int)a.modules);
            for (int q = 0; q < QUESTIONS; q++) {
                bench_cell_time(&table, a.time[q].worked);
            }
        }
    }
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

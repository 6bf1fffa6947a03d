/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Usage: mpirun -n N real graph RUNS PROGRAM SIZE...    the application graph on standard output, with the times that kernels
 *                                                   take where N ranks do the same, each for itself
 *        mpirun -n 1 real threads RUNS PROGRAM SIZE...         runs by OpenMP, after one that warms up
 *        mpirun -n N real PLACEMENT.csv RUNS PROGRAM SIZE...   runs as placed (module,processor,order), likewise
 *
 * PROGRAM SIZE... is cholesky TILES TILE, lu TILES TILE, stencil SIDE STEPS STRIPS, gradient SIDE ITERATIONS PARTS or
 * pipeline ITEMS NUMBERS. Runs print a line: the sum that stands for all results, and the seconds of each run.
 */
#include "real.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    void (*make)(struct program *);
} programs[] = {
#ifndef NO_BLAS
    {"cholesky", make_cholesky},
    {"lu", make_lu},
#endif
    {"stencil", make_stencil},
    {"gradient", make_gradient},
    {"pipeline", make_pipeline}};

static void fail(const char *what, const char *which)
{
    fprintf(stderr, "real: %s %s\n", what, which);
    exit(2);
}

static struct program make_program(int argc, char **argv)
{
    struct program p = {0};
    for (int i = 1; i < argc && i <= 3; i++) {
        p.size[i - 1] = atoi(argv[i]);
    }
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        if (strcmp(programs[i].name, argv[0]) == 0) {
            programs[i].make(&p);
            return p;
        }
    }
    fail("no program", argv[0]);
    return p;
}

static void name_task(const struct program *p, int i, char name[64])
{
    const struct task *t = &p->task[i];
    snprintf(name, 64, "%s_%d_%d_%d", p->kinds[t->kind].name, t->at[0], t->at[1], t->at[2]);
}

static int in_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The time of a task is the median over its kind's tasks and the runs, with a tenth cut off at either end and the rest averaged. */
static void kind_times(const struct program *p, const double *seconds, int runs, double *times)
{
    double *all = malloc((size_t)p->count * (size_t)runs * sizeof *all);
    for (int kind = 0; kind < p->kind_count; kind++) {
        int count = 0;
        for (int i = 0; i < p->count * runs; i++) {
            if (p->task[i % p->count].kind == kind) {
                all[count++] = seconds[i];
            }
        }
        qsort(all, (size_t)count, sizeof *all, in_order);
        int from = count / 10, to = count - count / 10;
        times[kind] = 0;
        for (int i = from; i < to; i++) {
            times[kind] += all[i] / (to - from);
        }
    }
    free(all);
}

static void print_graph(const struct program *p, const double *times)
{
    char name[64], from[64];
    printf("digraph program {\n  graph [time_unit=s];\n");
    for (int i = 0; i < p->count; i++) {
        const struct task *t = &p->task[i];
        name_task(p, i, name);
        printf("  %s [time=%.9f, kind=%s];\n", name, times[t->kind], p->kinds[t->kind].name);
        for (int k = 0; k < t->inputs; k++) {
            int producer = t->input[k] / OUTPUTS;
            name_task(p, producer, from);
            printf("  %s -> %s [bytes=%zu, data=v%d];\n", from, name, p->task[producer].bytes[t->input[k] % OUTPUTS],
                   t->input[k]);
        }
    }
    printf("}\n");
}

/*
 * An order in which every task comes after those that it needs, and else any: a task of those that are ready, drawn anew each
 * time. As the program has them, tasks find in the cache what the one before left there; placed ones do not.
 */
static void any_order(const struct program *p, int run, int *order)
{
    int *needs = calloc((size_t)p->count, sizeof *needs), *ready = malloc((size_t)p->count * sizeof *ready), count = 0;
    for (int i = 0; i < p->count; i++) {
        needs[i] = p->task[i].inputs;
        if (needs[i] == 0) {
            ready[count++] = i;
        }
    }
    for (int n = 0; n < p->count; n++) {
        int pick = (int)((number_at((uint64_t)(run * p->count + n)) + 1) / 2 * count);
        int task = ready[pick];
        ready[pick] = ready[--count];
        order[n] = task;
        for (int i = task + 1; i < p->count; i++) {
            for (int k = 0; k < p->task[i].inputs; k++) {
                if (p->task[i].input[k] / OUTPUTS == task && --needs[i] == 0) {
                    ready[count++] = i;
                }
            }
        }
    }
    free(needs);
    free(ready);
}

/* All tasks by each rank, for itself. */
static void measure_graph(const struct program *p, int rank, int runs)
{
    int *place = malloc((size_t)p->count * sizeof *place), *order = malloc((size_t)p->count * sizeof *order);
    double *seconds = malloc((size_t)p->count * (size_t)runs * sizeof *seconds), times[16];
    uint64_t sum;
    for (int i = 0; i < p->count; i++) {
        place[i] = rank;
    }
    for (int run = -1; run < runs; run++) {
        any_order(p, run + 1, order);
        run_ranks(p, place, order, seconds + (size_t)(run > 0 ? run : 0) * (size_t)p->count, &sum);
    }
    kind_times(p, seconds, runs, times);
    if (rank == 0) {
        print_graph(p, times);
    }
}

/* ---- Placements ---------------------------------------------------------------------------------------------------------- */

struct placed {
    double position;
    int task;
};

static int by_position(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return x->position != y->position ? (x->position > y->position) - (x->position < y->position) : x->task - y->task;
}

static int task_named(const struct program *p, const char *name)
{
    for (int i = 0; i < p->count; i++) {
        char candidate[64];
        name_task(p, i, candidate);
        if (strcmp(candidate, name) == 0) {
            return i;
        }
    }
    fail("no task", name);
    return -1;
}

static void read_placement(const struct program *p, const char *path, int *place, int *order)
{
    FILE *file = fopen(path, "r");
    char line[256], name[64], processor[64];
    struct placed *placed = malloc((size_t)p->count * sizeof *placed);
    if (file == NULL) {
        fail("cannot read", path);
    }
    int count = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        double position;
        if (sscanf(line, "%63[^,],%63[^,],%lf", name, processor, &position) == 3 && count < p->count) {
            int task = task_named(p, name);
            place[task] = atoi(processor + strcspn(processor, "0123456789"));
            placed[count++] = (struct placed){position, task};
        }
    }
    fclose(file);
    if (count != p->count) {
        fail("tasks without a place in", path);
    }
    qsort(placed, (size_t)count, sizeof *placed, by_position);
    for (int i = 0; i < count; i++) {
        order[i] = placed[i].task;
    }
    free(placed);
}

int main(int argc, char **argv)
{
    int rank, runs = argc > 4 ? atoi(argv[2]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (runs < 1) {
        fail("usage:", "real graph|threads|PLACEMENT RUNS PROGRAM SIZE...");
    }
    struct program p = make_program(argc - 3, argv + 3);
    if (strcmp(argv[1], "graph") == 0) {
        measure_graph(&p, rank, runs);
    } else {
        int *place = malloc((size_t)p.count * sizeof *place), *order = malloc((size_t)p.count * sizeof *order);
        bool threads = strcmp(argv[1], "threads") == 0;
        uint64_t sum = 0;
        double *seconds = malloc((size_t)runs * sizeof *seconds);
        if (!threads) {
            read_placement(&p, argv[1], place, order);
        }
        for (int run = -1; run < runs; run++) {
            seconds[run > 0 ? run : 0] = threads ? run_threads(&p, &sum) : run_ranks(&p, place, order, NULL, &sum);
        }
        if (rank == 0) {
            printf("%016llx", (unsigned long long)sum);
            for (int run = 0; run < runs; run++) {
                printf(" %.6f", seconds[run]);
            }
            printf("\n");
        }
    }
    MPI_Finalize();
    return 0;
}

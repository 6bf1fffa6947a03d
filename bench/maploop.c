/*
 * Programs with marked loops on two ranks: what `inlay maploop` makes of five kernels (mpi/kernels.c), beside the same written
 * for MPI by hand (mpi/by_hand.c), and the serial programs. Times are of a step, on rank 0: the least of all steps and runs.
 * `full` runs them more often.
 */
#include "bench.h"
#include "program.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What is made may take so many times as long as what is written by hand. */
static const double goal = 1.1;

typedef struct kernel {
    const char *name, *what, *size, *steps;
} kernel;

static const kernel kernels[] = {
    {"edges", "edges of a mesh", "600", "200"},
    {"gradients", "conjugate gradients", "60", "150"},
    {"web", "PageRank", "100000", "150"},
    {"elements", "assembly of triangles", "250", "100"},
    {"atoms", "atoms with neighbour lists", "24", "60"},
};

enum { SERIAL, BY_HAND, GENERATED, WAYS, RUNS = 3, FULL_RUNS = 10 };

typedef struct figures {
    double wall, work, result;
} figures;

static int run_once(const char *program, bool serial, const kernel *k, figures *least)
{
    const char *parallel[] = {"mpirun", "-n", "2", program, k->name, k->size, k->steps, NULL};
    bench_run run;
    if (bench_program_run(serial ? parallel + 3 : parallel, &run) != 0) {
        return -1;
    }
    least->wall = fmin(least->wall, bench_number_after(run.output, "wall"));
    least->work = fmin(least->work, bench_number_after(run.output, "work"));
    least->result = bench_number_after(run.output, "result");
    return isnan(least->result) ? -1 : 0;
}

/* One after the other, in turns, so that all meet the same computer. */
static int measure(char program[WAYS][BENCH_PATH], const kernel *k, int runs, figures *f)
{
    for (int w = 0; w < WAYS; w++) {
        f[w] = (figures){INFINITY, INFINITY, NAN};
    }
    for (int i = 0; i < runs; i++) {
        for (int w = 0; w < WAYS; w++) {
            if (run_once(program[w], w == SERIAL, k, &f[w]) != 0) {
                return -1;
            }
        }
    }
    bool same = true;
    for (int w = BY_HAND; w < WAYS; w++) {
        same = same && fabs(f[w].result - f[SERIAL].result) <= 1e-6 * fabs(f[SERIAL].result);
    }
    return same ? 0 : -1;
}

static void print_row(const kernel *k, const figures *f, bench_table *table)
{
    double work = f[GENERATED].work / f[BY_HAND].work;
    bench_cell(table, "%s", k->what);
    for (int w = 0; w < WAYS; w++) {
        bench_cell_time(table, f[w].work);
    }
    bench_cell(table, "%.2f%s", work, work <= goal ? "" : " NO");
    for (int w = 0; w < WAYS; w++) {
        bench_cell_time(table, f[w].wall);
    }
    bench_cell_number(table, f[GENERATED].wall / f[BY_HAND].wall, 2);
}

int main(int count, char **argument)
{
    static const char *const names[WAYS] = {"kernels", "by_hand", "kernels-mpi"};
    static const bench_column columns[] = {{"kernel", -26}, {"serial", 8},  {"by hand", 8},
                                           {"maploop", 8},  {"<= 1.1", 8},  {"wall: serial", 12},
                                           {"by hand", 8},  {"maploop", 8}, {"ratio", 6}};
    char program[WAYS][BENCH_PATH];
    bool full, found = true;
    if (!bench_arguments(count, argument, &full)) {
        return 2;
    }
    for (int w = 0; w < WAYS; w++) {
        found = bench_mpi_program(names[w], program[w]) == 0 && found;
    }
    if (!found || !bench_program_found("mpirun")) {
        printf("Marked loops: not measured, for MPI, PT-Scotch or libclang is missing\n");
        return 0;
    }
    bench_mpi_allow();
    bench_table table =
        bench_table_begin("Marked loops, 2 ranks: processor time of a step, and by the clock on the wall", columns,
                          sizeof columns / sizeof *columns);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        figures f[WAYS];
        if (measure(program, &kernels[i], full ? FULL_RUNS : RUNS, f) != 0) {
            fprintf(stderr, "maploop: %s: a program failed, or had another result\n", kernels[i].name);
            return 1;
        }
        print_row(&kernels[i], f, &table);
    }
    return 0;
}

/*
 * Irregular loops on two ranks: what the runtime data graph and the partition of the iterations cost, in sweeps over the
 * edges of an Euler-like solver, docs/examples/irregular/euler.c, which mpirun starts; what a gather moves; the peak
 * memory of ten million edges; a step of conjugate gradients (cg.c there) by the order of numbers; and what ghosts cost a sweep
 * (mpi/exchange.c), beside PETSc's PetscSF.
 */
#include "bench.h"
#include "program.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 3, STAGES = 5, FIGURES = 12 };

/* Of the measures: sweeps that a graph may take, and with the iterations; bytes on a rank. */
static const double graph_goal = 4, both_goal = 10, memory_goal = 2.5e9;

typedef struct subject {
    const char *points; /* of a cube of tetrahedra */
    bool ordered;       /* numbered row by row; else at random */
    const char *steps;
    const char *numbers; /* on each rank; NULL: as in the mesh */
} subject;

static const subject subjects[] = {
    {"38,38,38", true, "20", NULL},    {"38,38,38", false, "20", NULL},    {"100,100,100", true, "4", NULL},
    {"100,100,100", false, "2", NULL}, {"100,100,100", false, "4", "rcm"}, {"100,100,100", false, "4", "hilbert"},
};
static const subject systems[] = {{"100,100,100", false, "20", NULL},
                                  {"100,100,100", false, "20", "rcm"},
                                  {"100,100,100", false, "20", "hilbert"},
                                  {"100,100,100", true, "20", NULL}};
static const subject largest = {"113,113,113", false, "1", NULL};

/* What the solver prints: seconds of phases, the least of all runs. */
typedef struct figures {
    double vertices, edges, graph, mapper, iterations, localize, computation, ghosts, messages, megabytes;
} figures;

/* The figures behind the program's name, in the second line. */
static int read_figures(const char *output, figures *f)
{
    double number[FIGURES];
    const char *at = strchr(output, '\n');
    for (int i = 0; i < FIGURES && at != NULL; i++) {
        at = strchr(at, ',');
        number[i] = at != NULL ? strtod(++at, NULL) : NAN;
    }
    if (at == NULL) {
        return -1;
    }
    *f = (figures){.vertices = number[0],
                   .edges = number[1],
                   .graph = number[3],
                   .mapper = number[4],
                   .iterations = number[5],
                   .localize = number[6],
                   .computation = number[8],
                   .ghosts = number[9],
                   .messages = number[10],
                   .megabytes = number[11]};
    return 0;
}

static int run_once(const char *solver, const subject *s, figures *f)
{
    const char *numbers = s->numbers != NULL ? "--numbers" : s->ordered ? "--ordered" : NULL;
    const char *argument[] = {"mpirun",  "-n",     "2",     solver,  "--tetrahedra", s->points,
                              "--steps", s->steps, "--csv", numbers, s->numbers,     NULL};
    bench_run run;
    return bench_program_run(argument, &run) == 0 ? read_figures(run.output, f) : -1;
}

static int measure(const char *solver, const subject *s, int runs, figures *least)
{
    int status = run_once(solver, s, least);
    for (int i = 1; i < runs && status == 0; i++) {
        figures f;
        status = run_once(solver, s, &f);
        if (status == 0) {
            least->graph = fmin(least->graph, f.graph);
            least->mapper = fmin(least->mapper, f.mapper);
            least->iterations = fmin(least->iterations, f.iterations);
            least->localize = fmin(least->localize, f.localize);
            least->computation = fmin(least->computation, f.computation);
        }
    }
    return status;
}

/* ---- Tables ---- */

static void cell_goal(bench_table *table, double value, double goal)
{
    bench_cell(table, "%.2f%s", value, value <= goal ? "" : " NO");
}

static const char *numbers_of(const subject *s)
{
    return s->numbers != NULL ? s->numbers : s->ordered ? "natural" : "random";
}

static void print_row(const subject *s, const figures *f, bench_table *table)
{
    double sweep = f->computation / STAGES;
    bench_cell(table, "%.0f", f->vertices);
    bench_cell(table, "%s", numbers_of(s));
    bench_cell_time(table, sweep);
    bench_cell_number(table, 2e9 * sweep / f->edges, 0);
    bench_cell_time(table, f->graph);
    cell_goal(table, f->graph / sweep, graph_goal);
    bench_cell_time(table, f->iterations);
    cell_goal(table, (f->graph + f->iterations) / sweep, both_goal);
    bench_cell_time(table, f->mapper);
    bench_cell_time(table, f->localize);
    bench_cell_number(table, f->ghosts, 0);
    bench_cell_number(table, f->messages, 0);
}

static int measure_sweeps(const char *solver)
{
    static const bench_column columns[] = {{"vertices", 8}, {"numbers", -7}, {"sweep", 8},       {"ns/edge", 7},
                                           {"RDG", 8},      {"<= 4", 7},     {"iterations", 10}, {"<= 10", 7},
                                           {"mapper", 8},   {"localize", 8}, {"ghosts", 7},      {"messages", 8}};
    bench_table table = bench_table_begin("Irregular loops, 2 ranks: RDG, and RDG with iterations, in sweeps", columns,
                                          sizeof columns / sizeof *columns);
    int status = 0;
    for (size_t i = 0; status == 0 && i < sizeof subjects / sizeof *subjects; i++) {
        figures f;
        status = measure(solver, &subjects[i], RUNS, &f);
        if (status == 0) {
            print_row(&subjects[i], &f, &table);
        }
    }
    return status;
}

static int measure_memory(const char *solver)
{
    figures f;
    int status = measure(solver, &largest, 1, &f);
    if (status == 0) {
        printf("\n%.0f edges: %.0f MB at most on each of 2 ranks, the solver's arrays among them; goal %.0f: %s\n",
               f.edges, f.megabytes, memory_goal / 1e6, f.megabytes * 1e6 <= memory_goal ? "yes" : "NO");
    }
    return status;
}

/* A step of conjugate gradients by the numbers of its rows, and what it is of the first: of those at random. */
static int measure_steps(const char *solver)
{
    static const bench_column columns[] = {{"rows", 8},      {"numbers", -7}, {"step", 8},
                                           {"of random", 9}, {"mapper", 8},   {"localize", 8}};
    printf("\n");
    bench_table table = bench_table_begin("Conjugate gradients, 2 ranks: a step, before and after renumbering", columns,
                                          sizeof columns / sizeof *columns);
    int status = 0;
    double first = NAN;
    for (size_t i = 0; status == 0 && i < sizeof systems / sizeof *systems; i++) {
        figures f;
        status = measure(solver, &systems[i], RUNS, &f);
        first = i == 0 && status == 0 ? f.computation : first;
        if (status == 0) {
            bench_cell(&table, "%.0f", f.vertices);
            bench_cell(&table, "%s", numbers_of(&systems[i]));
            bench_cell_time(&table, f.computation);
            bench_cell_number(&table, f.computation / first, 2);
            bench_cell_time(&table, f.mapper);
            bench_cell_time(&table, f.localize);
        }
    }
    return status;
}

/* ---- Ghosts ---- */

typedef struct exchange {
    const char *side, *width; /* of the cube, and numbers a vertex */
} exchange;

static const exchange exchanges[] = {{"38", "1"}, {"38", "5"}, {"100", "1"}, {"100", "5"}};

/* What the program times, as it calls it, in the order of the columns. */
static const char *const ways[] = {"requests", "neighbourhood", "petsc-alone",  "rows",
                                   "before",   "while",         "petsc-before", "petsc-while"};

static int print_exchange(const char *program, const exchange *x, bench_table *table)
{
    const char *argument[] = {"mpirun", "-n", "2", program, x->side, x->side, x->side, x->width, NULL};
    bench_run run;
    if (bench_program_run(argument, &run) != 0) {
        return -1;
    }
    bench_cell(table, "%s^3", x->side);
    bench_cell(table, "%s", x->width);
    bench_cell_number(table, bench_number_after(run.output, "ghosts"), 0);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        bench_cell_time(table, bench_number_after(run.output, ways[i]));
    }
    return 0;
}

static int measure_exchanges(const char *program)
{
    static const bench_column columns[] = {{"mesh", -5},   {"width", 5},    {"ghosts", 7}, {"requests", 8},
                                           {"nbh.", 8},    {"PetscSF", 8},  {"rows", 8},   {"gather,", 8},
                                           {"overlap", 8}, {"PetscSF,", 8}, {"overlap", 8}};
    printf("\n");
    bench_table table = bench_table_begin(
        "A gather by each transport and by PetscSF; a sweep over rows: without ghosts, with a gather before, meanwhile",
        columns, sizeof columns / sizeof *columns);
    int status = 0;
    for (size_t i = 0; status == 0 && i < sizeof exchanges / sizeof *exchanges; i++) {
        status = print_exchange(program, &exchanges[i], &table);
    }
    return status;
}

int main(int count, char **argument)
{
    bool full;
    char solver[BENCH_PATH], gradients[BENCH_PATH], exchanger[BENCH_PATH];
    if (!bench_arguments(count, argument, &full)) {
        return 2;
    }
    if (bench_mpi_program("euler", solver) != 0 || bench_mpi_program("cg", gradients) != 0 ||
        bench_mpi_program("exchange", exchanger) != 0 || !bench_program_found("mpirun")) {
        printf("Irregular loops: not measured, for MPI or PT-Scotch is missing (libopenmpi-dev, libptscotch-dev)\n");
        return 0;
    }
    bench_mpi_allow();
    int status = measure_sweeps(solver);
    status = status == 0 ? measure_memory(solver) : status;
    status = status == 0 ? measure_steps(gradients) : status;
    status = status == 0 ? measure_exchanges(exchanger) : status;
    if (status != 0) {
        fprintf(stderr, "irregular: a program that mpirun started failed\n");
    }
    return status == 0 ? 0 : 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program of tasks on blocks of numbers, that can be written as an application graph with the times of its kernels, and
 * run: by one rank, by MPI ranks as a placement has it (owner computes: a task is run where it was placed, in the order it
 * was given), or by OpenMP's own scheduler. All three leave the same bits.
 *
 * A task makes values, which are never changed once they are made, so that any placement is right. Where a task is the last
 * user of a value it may take over its memory and write its own into it (`update`).
 */
#ifndef REAL_H
#define REAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INPUTS = 6, OUTPUTS = 3 };

struct program;

struct task {
    int kind;  /* a row of the program's kinds */
    int at[3]; /* what it is of its kind: steps, rows, columns */
    int inputs;
    int input[INPUTS]; /* values: number of the task that makes it * OUTPUTS + which of its outputs */
    int update;        /* the input whose memory its output 0 takes; -1 for none */
    bool begins;       /* its output 0 lies ready before the run, filled by the program */
    int outputs;
    size_t bytes[OUTPUTS];
};

struct kind {
    const char *name;
    void (*run)(const struct program *, const struct task *, double *const *in, double *const *out);
};

struct program {
    const struct kind *kinds;
    int kind_count;
    int size[3]; /* what the command line says of it */
    void (*fill)(const struct program *, const struct task *, double *out);
    int count, room;
    struct task *task;
};

/* Adds a task without inputs and outputs; its number. */
int add_task(struct program *p, int kind, int i, int j, int k);
void add_input(struct program *p, int task, int from, int output);
/* The same, and the memory of this input becomes that of output 0. */
void add_update(struct program *p, int task, int from, int output);
void add_output(struct program *p, int task, size_t bytes);

/* A number in [-1, 1) that depends on its place alone. */
double number_at(uint64_t place);

/* The programs: each sets kinds and adds tasks, as size says. */
void make_cholesky(struct program *p); /* tiles, tile */
void make_lu(struct program *p);       /* tiles, tile */
void make_stencil(struct program *p);  /* side, steps, strips */
void make_gradient(struct program *p); /* side, iterations, parts */
void make_pipeline(struct program *p); /* items, numbers of an item */

/* ---- Memory of values -------------------------------------------------------------------------------------------------- */

void *block_take(size_t bytes); /* at least as large, aligned for vectors; ends the program where there is none */
void block_give(void *block, size_t bytes);

/* ---- Runs ---------------------------------------------------------------------------------------------------------------- */

double now(void); /* seconds */

/*
 * Runs the tasks of this rank once: place[i] is the rank of task i, order[] all tasks so that each rank finds its own in
 * the order in which it runs them. seconds[i], where seconds is not NULL, gets what task i took. Gives the elapsed time of
 * the slowest rank from a common beginning, and in *sum, of the first rank, what stands for all results.
 */
double run_ranks(const struct program *p, const int *place, const int *order, double *seconds, uint64_t *sum);

/* Runs all tasks once by OpenMP tasks with their dependences. */
double run_threads(const struct program *p, uint64_t *sum);

/* What stands for a value that no task uses. */
uint64_t value_sum(int value, const double *at, size_t bytes);

#endif

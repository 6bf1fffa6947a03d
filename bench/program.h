/* Other people's programs: whether they are here, and what a run of one takes; and a folder for the files they need. */
#ifndef BENCH_PROGRAM_H
#define BENCH_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/** Whether a program of this name is on the PATH. */
bool bench_program_found(const char *name);

enum { BENCH_PATH = 256 };

typedef struct bench_run {
    double seconds;    /**< from its start to its end */
    double worked;     /**< the processor's time, in the program and for it in the system */
    double bytes;      /**< its peak memory */
    char output[8192]; /**< the beginning of its standard output */
} bench_run;

/**
 * Runs argument[0] with its arguments, which end with NULL. Returns 0 where it ended with status 0, else -1. Its memory
 * is measured well only where that of the calling process is less.
 */
int bench_program_run(const char *const *argument, bench_run *run);

/** Root is asked before it may start programs with Open MPI: says that it may. */
void bench_mpi_allow(void);

/** The path of a program that mpirun starts: they stand in bench/ beside inlay. Returns 0, or -1 where it is not there. */
int bench_mpi_program(const char *program, char path[BENCH_PATH]);

/** The number that stands behind `label` in a text; NaN where there is none. */
double bench_number_after(const char *text, const char *label);

/** Makes a folder of its own for files, under TMPDIR or /tmp. Returns 0 or -1. */
int bench_folder_make(char folder[BENCH_PATH]);

/** The path of a file in the folder. */
void bench_folder_path(const char *folder, const char *file, char path[BENCH_PATH]);

/** Removes the folder and the files in it. */
void bench_folder_remove(const char *folder);

/** The whole of a benchmark that writes files: reads the arguments, makes a folder for `run` and removes it. An exit status. */
int bench_with_folder(int count, char **argument, int (*run)(const char *folder, bool full));

#endif

/*
 * What the benchmarks share: a clock, repetition until a time can be trusted, peak memory, and a table.
 *
 * A benchmark is a program of its own, bench/NAME.c; `make bench` builds and runs them all. It sees the public headers
 * alone, prints tables, and ends with 0 when it could measure everything. It takes one argument, `full`, or none.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>

/** Reads the arguments. False after a message on standard error where they are wrong. */
bool bench_arguments(int count, char **argument, bool *full);

/* ---- Time ---- */

typedef struct bench_time {
    double seconds; /**< for one run, the least that was seen: what other work on the computer adds is not ours */
    double noise;   /**< how far the median lies above that or, where it is less, the least time of the processor: time
                         that the processor gave to others shows even where no run was free of it */
    double worked;  /**< the processor's time in one run, the median: as other programs tell theirs */
} bench_time;

/**
 * The time of run(context), which returns 0 or an error that ends the measurement and is returned. Short runs are timed
 * in batches. Repeats three times and for 0.15 s at least, and on until the two least times agree to 1 % or 0.45 s are
 * over; but nothing after 20 s.
 */
int bench_measure(int (*run)(void *context), void *context, bench_time *time);

/* ---- Memory ---- */

/** The most memory that this process has had in use so far, in bytes. */
double bench_peak_memory(void);

/**
 * Runs work(question, answer) in a process of its own, whose peak memory no other measurement has raised. `answer`
 * points to `size` bytes, at most 496, which come back from there; they must not hold pointers. Returns what `work`
 * returns (0 or an error, negative), or -1 where there was no such process.
 */
int bench_apart(int (*work)(const void *question, void *answer), const void *question, void *answer, size_t size);

/* ---- Tables ---- */

typedef struct bench_column {
    const char *heading;
    int width; /**< negative: the column starts at the left, as text does */
} bench_column;

typedef struct bench_table {
    const bench_column *column;
    size_t columns;
    size_t filled; /**< cells of the last row that are printed */
} bench_table;

/** Prints a title on a line of its own and the headings; the cells follow row by row. */
bench_table bench_table_begin(const char *title, const bench_column *column, size_t columns);

void bench_cell(bench_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A time to three digits, in the unit that suits it; "-" for NaN. */
void bench_cell_time(bench_table *table, double seconds);

/** A number to `decimals`; "-" for NaN. */
void bench_cell_number(bench_table *table, double number, int decimals);

/** The middle one of `count` numbers, which it sorts; the mean of the middle two where they are even. */
double bench_median(double *number, size_t count);

/** p in `time grows as size^p`, from one size to the next; NaN where there is no size before (0). */
double bench_exponent(double time_before, double time, double size_before, double size);

#endif

/*
 * Random applications that have everything, for other numbers on the same graph; and what those must be, by sums and
 * products on paper.
 */
#ifndef UNIT_SCALE_SUBJECT_H
#define UNIT_SCALE_SUBJECT_H

#include "slow_paper.h"
#include <inlay/app.h>

enum { MOST_MODULES = 8, MOST_TIMES = 5 * MOST_MODULES, MOST_DECIMALS = 12 };

/** An application of up to MOST_MODULES modules; freed by the caller. */
inlay_app *random_subject(uint64_t *state, inlay_unit unit);

/** 0 .. 10^digits - 1, where digits is drawn from 1 .. most. */
int64_t random_digits(uint64_t *state, int most);

/** A module and its successor, with a link of 3 messages between them. */
typedef struct pair {
    inlay_unit unit;
    inlay_module first, second;
    int64_t bytes;
} pair;

inlay_app *app_of_pair(const pair *p);

/** A bare number, to initialise a duration with. */
#define TIME(digits, scale)                                                                                            \
    {                                                                                                                  \
        {(digits), (scale)}, INLAY_UNIT_NONE                                                                           \
    }

/* ---- All times of an application, in one order: modules, blocks, by type, blocking ---- */

typedef struct time_list {
    int count;
    inlay_time time[MOST_TIMES]; /**< -1: a type has none */
    paper exact[MOST_TIMES];     /**< what they should be before they are rounded, in the new unit */
} time_list;

time_list all_times_of(const inlay_app *app, bool blocking);

/** The most decimals, up to `wanted`, at which the rounded times add up to 2^62 at most; -1: none. */
int slow_decimals(const time_list *t, int wanted);

/** How many times above 0 are rounded to 0, and how many are not. */
int slow_lost(const time_list *t, int decimals, int *left);

/** The new times are the exact ones, rounded to so many decimals; their own may be fewer where all end in 0. */
void expect_times(const time_list *old, const time_list *new, int decimals, int new_decimals);

/* ---- The rest ---- */

/** A number times the factor, rounded, at least 1 where there was something; -1 where that passes 2^62. */
int64_t slow_whole(double number, inlay_decimal factor);

/** The same for a count of operations, which the factor 1 leaves alone. */
double slow_operations(double count, inlay_decimal factor);

/** Names, kinds, pins, cores, types and precedence are the same, with the memory multiplied. */
void expect_modules(const inlay_app *a, const inlay_app *b, inlay_decimal memory);

/** Links, blocks and uses are the same, with bytes times the factor. */
void expect_bytes(const inlay_app *a, const inlay_app *b, inlay_decimal factor);

/** Counts of operations are those of `a` times the factor. */
void expect_counts(const inlay_app *a, const inlay_app *b, inlay_decimal factor);

#endif

/* Numbers of 0 or more worked out on paper: decimal digits from 10^-PAPER_POINT on. The test ends where they do not do. */
#ifndef UNIT_SLOW_PAPER_H
#define UNIT_SLOW_PAPER_H

#include <stdbool.h>
#include <stdint.h>

enum { PAPER_POINT = 60, PAPER_DIGITS = 120 };

typedef struct paper {
    int digit[PAPER_DIGITS]; /**< of 10^(i - PAPER_POINT) */
} paper;

paper paper_of(int64_t number, int scale); /**< number x 10^-scale */
paper paper_add(paper a, const paper *b);

/** a x b x 10^-scale: b added up, as often as each digit of a says. */
paper paper_times(int64_t a, int64_t b, int scale);

/** Half away from zero. */
paper paper_round(paper a, int decimals);

int paper_compare(const paper *a, const paper *b); /**< -1, 0 or 1 */
bool paper_is_zero(const paper *a);

/** The power of ten of the first digit of a number above 0. */
int paper_power(const paper *a);

#endif

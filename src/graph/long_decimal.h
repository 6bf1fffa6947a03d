/* Decimals of up to 38 digits, none below 0: exact products of two decimals of 64 bits. */
#ifndef GRAPH_LONG_DECIMAL_H
#define GRAPH_LONG_DECIMAL_H

#include <inlay/units.h>

/** digits x 10^-scale; the scale may be negative. */
typedef struct long_decimal {
    unsigned __int128 digits;
    int scale;
} long_decimal;

/** Both are 0 or more. */
long_decimal long_decimal_product(inlay_decimal a, inlay_decimal b);

/** Exact up to 38 digits; what lies behind the digits that fit is dropped. */
long_decimal long_decimal_sum(long_decimal a, long_decimal b);

/**
 * value x 10^decimals, rounded half away from zero; false where that is more than `most`.
 * @param exact  set to false where something was rounded, else left alone
 */
bool long_decimal_grains(long_decimal value, int decimals, int64_t most, int64_t *grains, bool *exact);

/** Decimals that show so many significant digits of a value above 0; may be negative. */
int long_decimal_decimals(long_decimal value, int significant);

#endif

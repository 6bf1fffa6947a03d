/* Decimals of up to 38 digits, none below 0: exact products of two decimals of 64 bits. */
#ifndef GRAPH_WIDE_H
#define GRAPH_WIDE_H

#include <inlay/units.h>

/** digits x 10^-scale; the scale may be negative. */
typedef struct wide {
    unsigned __int128 digits;
    int scale;
} wide;

/** Both are 0 or more. */
wide wide_product(inlay_decimal a, inlay_decimal b);

/** Exact up to 38 digits; what lies behind the digits that fit is dropped. */
wide wide_sum(wide a, wide b);

/**
 * value x 10^decimals, rounded half away from zero; false where that is more than `most`.
 * @param exact  set to false where something was rounded, else left alone
 */
bool wide_grains(wide value, int decimals, int64_t most, int64_t *grains, bool *exact);

/** Decimals that show so many significant digits of a value above 0; may be negative. */
int wide_decimals(wide value, int significant);

#endif

/* Exact products of decimals in 128 bits. */
#include "graph/wide.h"

enum { WIDE_POWERS = 38 }; /* the largest power of ten in 128 bits */

static const unsigned __int128 wide_most = ~(unsigned __int128)0;

wide wide_product(inlay_decimal a, inlay_decimal b)
{
    return (wide){(unsigned __int128)(uint64_t)a.digits * (uint64_t)b.digits, a.scale + b.scale};
}

wide wide_sum(wide a, wide b)
{
    wide coarse = a.scale < b.scale ? a : b, fine = a.scale < b.scale ? b : a;
    /* half of the range each, so that the sum fits */
    while (coarse.scale < fine.scale && coarse.digits <= wide_most / 2 / 10) {
        coarse.digits *= 10;
        coarse.scale++;
    }
    for (; coarse.scale < fine.scale; fine.scale--) {
        fine.digits /= 10;
    }
    return (wide){coarse.digits + fine.digits, fine.scale};
}

static unsigned __int128 ten_to(int power)
{
    unsigned __int128 result = 1;
    for (int i = 0; i < power; i++) {
        result *= 10;
    }
    return result;
}

static bool divide_grains(wide value, int power, int64_t most, int64_t *grains, bool *exact)
{
    unsigned __int128 quotient = 0, remainder = value.digits, divisor = wide_most;
    if (power <= WIDE_POWERS) {
        divisor = ten_to(power);
        quotient = value.digits / divisor;
        remainder = value.digits % divisor;
        quotient += remainder >= divisor - remainder;
    }
    if (quotient > (unsigned __int128)most) {
        return false;
    }
    *exact = *exact && remainder == 0;
    *grains = (int64_t)quotient;
    return true;
}

bool wide_grains(wide value, int decimals, int64_t most, int64_t *grains, bool *exact)
{
    if (value.scale > decimals) {
        return divide_grains(value, value.scale - decimals, most, grains, exact);
    }
    for (int i = value.scale; i < decimals && value.digits > 0 && value.digits <= (unsigned __int128)most; i++) {
        value.digits *= 10;
    }
    if (value.digits > (unsigned __int128)most) {
        return false;
    }
    *grains = (int64_t)value.digits;
    return true;
}

int wide_decimals(wide value, int significant)
{
    int digits = 0;
    for (unsigned __int128 rest = value.digits; rest > 0; rest /= 10) {
        digits++;
    }
    return significant - digits + value.scale;
}

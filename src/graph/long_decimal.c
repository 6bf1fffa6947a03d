/* Exact products of decimals in 128 bits. */
#include "graph/long_decimal.h"

enum { WIDE_POWERS = 38 }; /* the largest power of ten in 128 bits */

static const unsigned __int128 wide_most = ~(unsigned __int128)0;

long_decimal long_decimal_product(inlay_decimal a, inlay_decimal b)
{
    return (long_decimal){(unsigned __int128)(uint64_t)a.digits * (uint64_t)b.digits, a.scale + b.scale};
}

long_decimal long_decimal_sum(long_decimal a, long_decimal b)
{
    long_decimal coarse = a.scale < b.scale ? a : b, fine = a.scale < b.scale ? b : a;
    /* half of the range each, so that the sum fits */
    while (coarse.scale < fine.scale && coarse.digits <= wide_most / 2 / 10) {
        coarse.digits *= 10;
        coarse.scale++;
    }
    for (; coarse.scale < fine.scale; fine.scale--) {
        fine.digits /= 10;
    }
    return (long_decimal){coarse.digits + fine.digits, fine.scale};
}

static unsigned __int128 ten_to(int power)
{
    unsigned __int128 result = 1;
    for (int i = 0; i < power; i++) {
        result *= 10;
    }
    return result;
}

static bool divide_grains(long_decimal value, int power, int64_t most, int64_t *grains, bool *exact)
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

bool long_decimal_grains(long_decimal value, int decimals, int64_t most, int64_t *grains, bool *exact)
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

int long_decimal_decimals(long_decimal value, int significant)
{
    int digits = 0;
    for (unsigned __int128 rest = value.digits; rest > 0; rest /= 10) {
        digits++;
    }
    return significant - digits + value.scale;
}

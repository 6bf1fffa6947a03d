/* The greatest common divisor (Euclid, Elements VII.2). */
#ifndef BASE_COMMON_DIVISOR_H
#define BASE_COMMON_DIVISOR_H

#include <stdint.h>

/** Of two numbers from 0 on; that of a number and 0 is the number. */
static inline int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif

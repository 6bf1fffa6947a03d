/* What accumulations start from, and how they are put together. */
#include "irregular/whole/whole.h"
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Types of numbers: name, type, smallest, largest. */
#define INTEGERS(x)                                                                                                    \
    x(INT8, int8_t, INT8_MIN, INT8_MAX) x(INT16, int16_t, INT16_MIN, INT16_MAX)                                        \
        x(INT32, int32_t, INT32_MIN, INT32_MAX) x(INT64, int64_t, INT64_MIN, INT64_MAX)                                \
            x(UINT8, uint8_t, 0, UINT8_MAX) x(UINT16, uint16_t, 0, UINT16_MAX) x(UINT32, uint32_t, 0, UINT32_MAX)      \
                x(UINT64, uint64_t, 0, UINT64_MAX)
#define POINTS(x)                                                                                                      \
    x(DOUBLE, double, -HUGE_VAL, HUGE_VAL) x(FLOAT, float, -HUGE_VALF, HUGE_VALF)                                      \
        x(LONG_DOUBLE, long double, -HUGE_VALL, HUGE_VALL)
#define COMPLEXES(x) x(COMPLEX_DOUBLE, double _Complex, 0, 0) x(COMPLEX_FLOAT, float _Complex, 0, 0)
#define ORDERED(x)   INTEGERS(x) POINTS(x) x(BOOL, _Bool, 0, 1)

size_t whole_number_size(inlay_number number)
{
#define SIZE(name, type, least, most)                                                                                  \
    case INLAY_NUMBER_##name: return sizeof(type);
    switch (number) {
        ORDERED(SIZE)
        COMPLEXES(SIZE)
    default: return 1;
    }
}

/* ---- What they start from ---- */

void whole_number_neutral(inlay_access access, inlay_number number, void *at)
{
    memset(at, 0, whole_number_size(number));
#define STORE(name, type, value)                                                                                       \
    case INLAY_NUMBER_##name: {                                                                                        \
        const type start = (type)(value);                                                                              \
        memcpy(at, &start, sizeof start);                                                                              \
        break;                                                                                                         \
    }
#define STORE_ONE(name, type, least, most)   STORE(name, type, 1)
#define STORE_LEAST(name, type, least, most) STORE(name, type, least)
#define STORE_MOST(name, type, least, most)  STORE(name, type, most)
    if (access == INLAY_ACCESS_MULTIPLY || access == INLAY_ACCESS_LOGICAL_AND) {
        switch (number) {
            ORDERED(STORE_ONE)
            COMPLEXES(STORE_ONE)
        default: break;
        }
    } else if (access == INLAY_ACCESS_MIN) {
        switch (number) {
            ORDERED(STORE_MOST)
        default: break;
        }
    } else if (access == INLAY_ACCESS_MAX) {
        switch (number) {
            ORDERED(STORE_LEAST)
        default: break;
        }
    } else if (access == INLAY_ACCESS_AND) {
        memset(at, number == INLAY_NUMBER_BOOL ? 1 : 0xff, whole_number_size(number));
    }
}

/* ---- How they are put together ---- */

/* One loop for each access and type: `a` is what is there, `b` what comes. */
#define EACH(type, computed)                                                                                           \
    for (int32_t k = 0; k < count; k++) {                                                                              \
        type a, b;                                                                                                     \
        memcpy(&a, at[k], sizeof a);                                                                                   \
        memcpy(&b, value + (size_t)k * sizeof b, sizeof b);                                                            \
        a = (type)(computed);                                                                                          \
        memcpy(at[k], &a, sizeof a);                                                                                   \
    }
#define CASE(name, type, computed)                                                                                     \
    case INLAY_NUMBER_##name: EACH(type, computed) break;

/* Sums and products of integers wrap around, as unsigned ones do: partial sums may, where the serial program's do not. */
#define WRAPPED(op)                                                                                                    \
    CASE(INT8, uint8_t, a op b)                                                                                        \
    CASE(UINT8, uint8_t, a op b)                                                                                       \
    CASE(INT16, uint16_t, (unsigned)a op b)                                                                            \
    CASE(UINT16, uint16_t, (unsigned)a op b)                                                                           \
    CASE(INT32, uint32_t, a op b)                                                                                      \
    CASE(UINT32, uint32_t, a op b)                                                                                     \
    CASE(INT64, uint64_t, a op b) CASE(UINT64, uint64_t, a op b)
#define WITH_POINT(op)                                                                                                 \
    CASE(DOUBLE, double, a op b)                                                                                       \
    CASE(FLOAT, float, a op b)                                                                                         \
    CASE(LONG_DOUBLE, long double, a op b)                                                                             \
    CASE(COMPLEX_DOUBLE, double _Complex, a op b) CASE(COMPLEX_FLOAT, float _Complex, a op b)

static void sums(inlay_number number, char *const *at, const char *value, int32_t count)
{
    switch (number) {
        WRAPPED(+)
        WITH_POINT(+)
        CASE(BOOL, _Bool, a || b)
    default: break;
    }
}

static void products(inlay_number number, char *const *at, const char *value, int32_t count)
{
    switch (number) {
        WRAPPED(*)
        WITH_POINT(*)
        CASE(BOOL, _Bool, a && b)
    default: break;
    }
}

#define LESS(name, type, least, most) CASE(name, type, b < a ? b : a)
#define MORE(name, type, least, most) CASE(name, type, b > a ? b : a)

static void leasts(inlay_number number, char *const *at, const char *value, int32_t count)
{
    switch (number) {
        ORDERED(LESS)
    default: break;
    }
}

static void mosts(inlay_number number, char *const *at, const char *value, int32_t count)
{
    switch (number) {
        ORDERED(MORE)
    default: break;
    }
}

/* Of bits: the same for all types of a size. */
static void bits(inlay_access access, size_t size, char *const *at, const char *value, int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        for (size_t i = 0; i < size; i++) {
            char *a = &at[k][i], b = value[(size_t)k * size + i];
            *a = (char)(access == INLAY_ACCESS_AND ? *a & b : access == INLAY_ACCESS_OR ? *a | b : *a ^ b);
        }
    }
}

#define BOTH(name, type, least, most) CASE(name, type, b != 0 ? a : 0)
#define ANY(name, type, least, most)  CASE(name, type, b != 0 ? 1 : a)

/* What an iteration that did nothing left (true, or false) changes nothing. */
static void logical(inlay_access access, inlay_number number, char *const *at, const char *value, int32_t count)
{
    if (access == INLAY_ACCESS_LOGICAL_AND) {
        switch (number) {
            ORDERED(BOTH)
        default: break;
        }
    } else {
        switch (number) {
            ORDERED(ANY)
        default: break;
        }
    }
}

void whole_number_combine(inlay_access access, inlay_number number, char *const *at, const char *value, int32_t count)
{
    switch (access) {
    case INLAY_ACCESS_ADD: sums(number, at, value, count); break;
    case INLAY_ACCESS_MULTIPLY: products(number, at, value, count); break;
    case INLAY_ACCESS_MIN: leasts(number, at, value, count); break;
    case INLAY_ACCESS_MAX: mosts(number, at, value, count); break;
    case INLAY_ACCESS_AND:
    case INLAY_ACCESS_OR:
    case INLAY_ACCESS_XOR: bits(access, whole_number_size(number), at, value, count); break;
    case INLAY_ACCESS_LOGICAL_AND:
    case INLAY_ACCESS_LOGICAL_OR: logical(access, number, at, value, count); break;
    default: break;
    }
}

int whole_number_compare(inlay_number number, const void *a, const void *b)
{
#define COMPARE(name, type, least, most)                                                                               \
    case INLAY_NUMBER_##name: {                                                                                        \
        type x, y;                                                                                                     \
        memcpy(&x, a, sizeof x);                                                                                       \
        memcpy(&y, b, sizeof y);                                                                                       \
        return (x > y) - (x < y);                                                                                      \
    }
    switch (number) {
        ORDERED(COMPARE)
    default: return 0;
    }
}

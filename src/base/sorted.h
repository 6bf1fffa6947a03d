/* Where a value stands, or would stand, in rising numbers. */
#ifndef BASE_SORTED_H
#define BASE_SORTED_H

#include <stdint.h>

#define SORTED_AT(name, type)                                                                                          \
    static inline int64_t name(const type *numbers, int64_t low, int64_t high, type value)                             \
    {                                                                                                                  \
        while (low < high) {                                                                                           \
            int64_t middle = low + (high - low) / 2;                                                                   \
            if (numbers[middle] < value) {                                                                             \
                low = middle + 1;                                                                                      \
            } else {                                                                                                   \
                high = middle;                                                                                         \
            }                                                                                                          \
        }                                                                                                              \
        return low;                                                                                                    \
    }

/** The first place from `low` on whose number is not below `value`; `high`, which is behind the last, where there is none. */
SORTED_AT(sorted_at, int32_t)
SORTED_AT(sorted_at_wide, int64_t)

/** Rows that begin at rising places, the first at or before `place`: the last of `rows` that begins there or before. */
static inline int64_t sorted_row(const int64_t *begin, int64_t rows, int64_t place)
{
    return sorted_at_wide(begin, 1, rows, place + 1) - 1;
}

#endif

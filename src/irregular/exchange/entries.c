/* Entries picked and put, with the usual sizes known to the compiler, so that each is a load and a store. */
#include "irregular/exchange/entries.h"
#include <string.h>

static inline void copy(char *restrict to, const int32_t *target, const char *restrict from, const int32_t *source,
                        int64_t count, size_t bytes)
{
    for (int64_t k = 0; k < count; k++) {
        int64_t at = target == NULL ? k : target[k], of = source == NULL ? k : source[k];
        memcpy(to + (size_t)at * bytes, from + (size_t)of * bytes, bytes);
    }
}

void entries_copy(void *to, const int32_t *target, const void *from, const int32_t *source, int64_t count, size_t bytes)
{
    switch (bytes) {
    case 4: copy(to, target, from, source, count, 4); return;
    case 8: copy(to, target, from, source, count, 8); return;
    case 16: copy(to, target, from, source, count, 16); return;
    case 24: copy(to, target, from, source, count, 24); return;
    case 32: copy(to, target, from, source, count, 32); return;
    case 40: copy(to, target, from, source, count, 40); return;
    default: copy(to, target, from, source, count, bytes); return;
    }
}

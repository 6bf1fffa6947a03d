/* Entries of arrays that are picked and put: what packing is made of. */
#ifndef IRREGULAR_EXCHANGE_ENTRIES_H
#define IRREGULAR_EXCHANGE_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

/** Copies `count` entries of `bytes` bytes: the k-th is entry source[k] and becomes entry target[k]; NULL: entry k. */
void entries_copy(void *to, const int32_t *target, const void *from, const int32_t *source, int64_t count,
                  size_t bytes);

#endif

/* Arrays with checked sizes. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/** count x size bytes, uninitialised; NULL where the product overflows or memory is out. count 0 gives a pointer. */
void *memory_array(size_t count, size_t size);

/** The same, zeroed. */
void *memory_zeroed(size_t count, size_t size);

/**
 * Make room for at least `needed` elements in a growing array; false when out of memory (array unchanged).
 * Used as: memory_grow((void **)&array, &capacity, needed, sizeof *array).
 */
bool memory_grow(void **array, size_t *capacity, size_t needed, size_t size);

/**
 * Arrays that are made one after the other and freed together. Zero-initialised is empty. Where memory is out, an array
 * is NULL, and the pool has failed: none of its arrays is to be used.
 */
typedef struct memory_pool {
    struct pool_block *last;
    bool failed;
} memory_pool;

void *pool_array(memory_pool *pool, size_t count, size_t size);  /**< as memory_array() */
void *pool_zeroed(memory_pool *pool, size_t count, size_t size); /**< as memory_zeroed() */
void pool_clear(memory_pool *pool);

/** A copy of a string, or NULL. */
char *memory_string(const char *text);

#endif

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

/** A copy of a string, or NULL. */
char *memory_string(const char *text);

#endif

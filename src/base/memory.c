/* Arrays with checked sizes. */
#include "base/memory.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *memory_array(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    size_t bytes = count * size;
    return malloc(bytes == 0 ? 1 : bytes);
}

void *memory_zeroed(size_t count, size_t size)
{
    return calloc(count == 0 ? 1 : count, size == 0 ? 1 : size);
}

bool memory_grow(void **array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity) {
        return true;
    }
    size_t wanted = *capacity < 8 ? 8 : *capacity + *capacity / 2;
    if (wanted < needed) {
        wanted = needed;
    }
    if (wanted > SIZE_MAX / size) {
        return false;
    }
    void *moved = realloc(*array, wanted * size);
    if (moved == NULL) {
        return false;
    }
    *array = moved;
    *capacity = wanted;
    return true;
}

char *memory_string(const char *text)
{
    if (text == NULL) {
        return NULL;
    }
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

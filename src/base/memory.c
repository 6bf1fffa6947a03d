/* Arrays with checked sizes. */
#include "base/memory.h"
#include <stdalign.h>
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

/* Stands in front of each array. */
typedef struct pool_block {
    alignas(max_align_t) struct pool_block *before;
} pool_block;

static void *pool_add(memory_pool *pool, pool_block *block)
{
    if (block == NULL) {
        pool->failed = true;
        return NULL;
    }
    block->before = pool->last;
    pool->last = block;
    return block + 1;
}

/* Of a block with its array; 0 where that is too much. */
static size_t block_size(size_t count, size_t size)
{
    bool fits = size == 0 || count <= (SIZE_MAX - sizeof(pool_block)) / size;
    return fits ? sizeof(pool_block) + count * size : 0;
}

void *pool_array(memory_pool *pool, size_t count, size_t size)
{
    size_t bytes = block_size(count, size);
    return pool_add(pool, bytes == 0 ? NULL : malloc(bytes));
}

void *pool_zeroed(memory_pool *pool, size_t count, size_t size)
{
    size_t bytes = block_size(count, size);
    return pool_add(pool, bytes == 0 ? NULL : calloc(1, bytes));
}

void pool_clear(memory_pool *pool)
{
    for (pool_block *block = pool->last, *before; block != NULL; block = before) {
        before = block->before;
        free(block);
    }
    *pool = (memory_pool){0};
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

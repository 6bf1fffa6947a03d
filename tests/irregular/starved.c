/* Memory that is refused. */
#include "starved.h"
#include <stddef.h>

/* The names that the linker gives them. */
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *data, size_t size);
void __real_free(void *data);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *data, size_t size);
void __wrap_free(void *data);

static long number, refused_from = -1, live;
static bool refused_rest;

void starved_begin(long first, bool rest)
{
    number = 0;
    refused_from = first;
    refused_rest = rest;
}

long starved_end(void)
{
    refused_from = -1;
    return number;
}

long starved_live(void)
{
    return live;
}

static bool refused(void)
{
    long own = number++;
    return refused_from >= 0 && (own == refused_from || (refused_rest && own > refused_from));
}

/* A block more, where there is one. */
static void *had(void *data)
{
    live += data != NULL;
    return data;
}

void *__wrap_malloc(size_t size)
{
    return refused() ? NULL : had(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refused() ? NULL : had(__real_calloc(count, size));
}

void *__wrap_realloc(void *data, size_t size)
{
    if (refused()) {
        return NULL;
    }
    void *moved = __real_realloc(data, size);
    live += data == NULL && moved != NULL;
    return moved;
}

void __wrap_free(void *data)
{
    live -= data != NULL;
    __real_free(data);
}

// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

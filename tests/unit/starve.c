/* The linker sends the library's own malloc and its like through here (--wrap); other libraries keep theirs. */
#include "starve.h"

#include <check.h>
#include <inlay/status.h>
#include <stdbool.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *data, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *data, size_t size);

static bool counting;
static long left; /* allocations that still succeed */

static bool refuse(void)
{
    return counting && left-- <= 0;
}

void *__wrap_malloc(size_t size)
{
    return refuse() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *data, size_t size)
{
    return refuse() ? NULL : __real_realloc(data, size);
}

void starve(attempt try, const void *subject, long least)
{
    int status = INLAY_NO_MEMORY;
    long allocations = 0;
    /* one by one at first; a long loop of like steps is sampled ever more thinly */
    for (; status != INLAY_OK; allocations += 1 + allocations / 100) {
        ck_assert_int_lt(allocations, 100000);
        left = allocations;
        counting = true;
        status = try(subject);
        counting = false;
        ck_assert_msg(status == INLAY_OK || status == INLAY_NO_MEMORY, "allocation %ld fails: %s", allocations,
                      inlay_status_text(status));
    }
    ck_assert_int_ge(allocations, least);
}

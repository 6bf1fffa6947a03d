/*
 * Own elements are told by arithmetic where their numbers follow each other, as in block distributions, else by a hash
 * table, which also tells the others that were met before.
 */
#include "irregular/references.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>

void references_clear(references *r)
{
    element_map_clear(&r->map);
    free(r->other);
}

static bool in_a_row(const int64_t *global, int32_t count)
{
    for (int32_t i = 1; i < count; i++) {
        if (global[i] != global[0] + i) {
            return false;
        }
    }
    return true;
}

/* References are announced so far ahead. */
enum { AHEAD = 16 };

static void put_own(element_map *map, const int64_t *global, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        if (i + AHEAD < count) {
            element_map_announce(map, global[i + AHEAD]);
        }
        element_map_fill(map, element_map_find(map, global[i]), global[i], i);
    }
}

static int begin(references *r, const inlay_table *table, inlay_diag *diag)
{
    r->own = inlay_table_local(table);
    int64_t *global = memory_array((size_t)r->own, sizeof *global);
    if (global == NULL) {
        return diag_no_memory(diag);
    }
    inlay_table_globals(table, global);
    r->in_a_row = in_a_row(global, r->own);
    r->first = r->own == 0 ? 0 : global[0];
    bool room = element_map_reserve(&r->map, r->in_a_row ? 1 : (size_t)r->own + 1);
    if (room && !r->in_a_row) {
        put_own(&r->map, global, r->own);
    }
    free(global);
    return room ? INLAY_OK : diag_no_memory(diag);
}

static int add_other(references *r, element_slot *slot, int64_t global, int32_t *number, inlay_diag *diag)
{
    if (r->others >= (size_t)(INT32_MAX - 1 - r->own)) {
        return diag_fail(diag, INLAY_OVERFLOW,
                         "2^31 elements owned by or referred to on a rank; expected fewer: use more ranks");
    }
    if (!memory_grow((void **)&r->other, &r->capacity, r->others + 1, sizeof *r->other)) {
        return diag_no_memory(diag);
    }
    *number = r->own + (int32_t)r->others;
    r->other[r->others++] = global;
    element_map_fill(&r->map, slot, global, *number);
    return element_map_reserve(&r->map, r->map.used + 1) ? INLAY_OK : diag_no_memory(diag);
}

static inline bool own_in_a_row(const references *r, int64_t g)
{
    return r->in_a_row && g >= r->first && g < r->first + r->own;
}

static int number_one(references *r, int64_t g, int32_t *number, inlay_diag *diag)
{
    if (own_in_a_row(r, g)) {
        *number = (int32_t)(g - r->first);
        return INLAY_OK;
    }
    element_slot *slot = element_map_find(&r->map, g);
    if (slot->mark != 0) {
        *number = slot->mark - 1;
        return INLAY_OK;
    }
    return add_other(r, slot, g, number, diag);
}

int references_number(references *r, const inlay_table *table, const int64_t *g, int64_t count, int32_t *number,
                      inlay_diag *diag)
{
    int status = begin(r, table, diag);
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        if (i + AHEAD < count) {
            element_map_announce(&r->map, g[i + AHEAD]);
        }
        status = number_one(r, g[i], &number[i], diag);
    }
    return status;
}

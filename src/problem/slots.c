/*
 * Which modules are parallel. By level: they stand on the same level. With overlap: neither precedes the other and
 * their intervals [b, b+m) overlap; the slots are then the instants at which some module begins.
 */
#include "base/sorted.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "graph/levels.h"
#include "problem/problem.h"
#include <stdlib.h>
#include <string.h>

/* Overlap looks at every pair of modules and keeps a bit for each. */
enum { MOST_FOR_OVERLAP = 20000 };

static int compare_times(const void *a, const void *b)
{
    inlay_time x = *(const inlay_time *)a, y = *(const inlay_time *)b;
    return (x > y) - (x < y);
}

/* The instants that [b, b+m) covers among the distinct b. */
static int slots_by_instant(problem *p, const inlay_time *b)
{
    inlay_time *instants = memory_array((size_t)p->modules, sizeof *instants);
    if (instants == NULL) {
        return INLAY_NO_MEMORY;
    }
    memcpy(instants, b, (size_t)p->modules * sizeof *instants);
    qsort(instants, (size_t)p->modules, sizeof *instants, compare_times);
    int32_t count = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        if (count == 0 || instants[count - 1] != instants[i]) {
            instants[count++] = instants[i];
        }
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        p->first_slot[i] = (int32_t)sorted_at_wide(instants, 0, count, b[i]);
        p->last_slot[i] = (int32_t)sorted_at_wide(instants, 0, count, b[i] + p->timing.m[i]) - 1;
    }
    p->slots = count;
    free(instants);
    return INLAY_OK;
}

static bool get_bit(const uint64_t *row, inlay_id bit)
{
    return row[bit / 64] >> (bit % 64) & 1;
}

static void set_bit(uint64_t *row, inlay_id bit)
{
    row[bit / 64] |= UINT64_C(1) << (bit % 64);
}

/* Row i: the modules that i leads to. */
static uint64_t *closure(const problem *p)
{
    uint64_t *reach = memory_zeroed((size_t)p->modules * p->conflict_words, sizeof *reach);
    if (reach == NULL) {
        return NULL;
    }
    for (inlay_id k = p->modules - 1; k >= 0; k--) {
        inlay_id i = p->app->topological[k];
        uint64_t *row = reach + (size_t)i * p->conflict_words;
        for (int64_t l = p->app->out_begin[i]; l < p->app->out_begin[i + 1]; l++) {
            inlay_id j = p->app->out_to[l];
            if (p->app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY) {
                continue;
            }
            set_bit(row, j);
            for (size_t w = 0; w < p->conflict_words; w++) {
                row[w] |= reach[(size_t)j * p->conflict_words + w];
            }
        }
    }
    return reach;
}

static bool intervals_overlap(const problem *p, const inlay_time *b, inlay_id i, inlay_id j)
{
    const inlay_time *m = p->timing.m;
    return m[i] > 0 && m[j] > 0 && b[i] < b[j] + m[j] && b[j] < b[i] + m[i];
}

static int find_conflicts(problem *p, const inlay_time *b)
{
    p->conflict_words = (size_t)p->modules / 64 + 1;
    uint64_t *reach = closure(p);
    p->conflict = memory_zeroed((size_t)p->modules * p->conflict_words, sizeof *p->conflict);
    if (reach == NULL || p->conflict == NULL) {
        free(reach);
        return INLAY_NO_MEMORY;
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        for (inlay_id j = i + 1; j < p->modules; j++) {
            bool ordered =
                get_bit(reach + (size_t)i * p->conflict_words, j) || get_bit(reach + (size_t)j * p->conflict_words, i);
            if (!ordered && intervals_overlap(p, b, i, j)) {
                set_bit(p->conflict + (size_t)i * p->conflict_words, j);
                set_bit(p->conflict + (size_t)j * p->conflict_words, i);
            }
        }
    }
    free(reach);
    return INLAY_OK;
}

int problem_find_slots(problem *p, inlay_diag *diag)
{
    p->first_slot = memory_array((size_t)p->modules, sizeof *p->first_slot);
    p->last_slot = p->options.parallel == INLAY_PARALLEL_LEVEL ? p->first_slot
                                                               : memory_array((size_t)p->modules, sizeof *p->last_slot);
    if (p->first_slot == NULL || p->last_slot == NULL) {
        return diag_no_memory(diag);
    }
    int status = INLAY_OK;
    if (p->options.parallel == INLAY_PARALLEL_LEVEL) {
        p->slots = graph_levels(p->app, p->first_slot);
    } else if (p->modules > MOST_FOR_OVERLAP) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "overlap looks at every pair of modules; expected at most %d of them "
                         "(--parallel level)",
                         MOST_FOR_OVERLAP);
    } else {
        status = slots_by_instant(p, p->timing.b);
        if (status == INLAY_OK) {
            status = find_conflicts(p, p->timing.b);
        }
    }
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

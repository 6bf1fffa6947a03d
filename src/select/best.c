/* The best configurations so far. */
#include "select/best.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

bool select_best_make(select_best *best, int32_t clusters, int32_t room)
{
    *best = (select_best){.clusters = clusters, .room = room};
    best->cost = memory_array((size_t)room, sizeof *best->cost);
    best->processors = memory_array((size_t)room, sizeof *best->processors * (size_t)clusters);
    return best->cost != NULL && best->processors != NULL;
}

void select_best_clear(select_best *best)
{
    free(best->cost);
    free(best->processors);
    *best = (select_best){0};
}

void select_best_offer(select_best *best, const int32_t *processors, double cost)
{
    if (!(cost < select_best_limit(best))) {
        return;
    }
    size_t width = (size_t)best->clusters;
    int32_t at = best->kept;
    while (at > 0 && best->cost[at - 1] >= cost) {
        if (best->cost[at - 1] == cost &&
            memcmp(best->processors + (size_t)(at - 1) * width, processors, width * sizeof *processors) == 0) {
            return;
        }
        at--;
    }
    while (at < best->kept && best->cost[at] == cost) {
        at++; /* after those with the same cost that were found before */
    }
    best->kept += best->kept < best->room;
    size_t moved = (size_t)(best->kept - 1 - at);
    int32_t *row = best->processors + (size_t)at * width;
    memmove(best->cost + at + 1, best->cost + at, moved * sizeof *best->cost);
    memmove(row + width, row, moved * width * sizeof *row);
    memcpy(row, processors, width * sizeof *row);
    best->cost[at] = cost;
}

static int64_t total_of(const select_best *best, int32_t row)
{
    int64_t total = 0;
    for (int32_t i = 0; i < best->clusters; i++) {
        total += best->processors[(size_t)row * (size_t)best->clusters + (size_t)i];
    }
    return total;
}

void select_best_prefer_fewer(select_best *best)
{
    int32_t fewest = 0;
    for (int32_t row = 1; row < best->kept && best->cost[row] == best->cost[0]; row++) {
        if (total_of(best, row) < total_of(best, fewest)) {
            fewest = row;
        }
    }
    /* to the front, the others after it as they were */
    for (int32_t i = 0; fewest > 0 && i < best->clusters; i++) {
        int32_t *at = best->processors + i;
        int32_t processors = at[(size_t)fewest * (size_t)best->clusters];
        for (int32_t row = fewest; row > 0; row--) {
            at[(size_t)row * (size_t)best->clusters] = at[(size_t)(row - 1) * (size_t)best->clusters];
        }
        at[0] = processors;
    }
}

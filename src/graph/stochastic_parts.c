/* Strongly connected parts: one is found after all that it leads to, the solution needs them the other way round. */
#include "base/memory.h"
#include "base/strong_parts.h"
#include "graph/stochastic.h"
#include <stdlib.h>

/* Parts in the order in which visits come to them, and their modules. */
static bool list_parts(sg_parts *parts, inlay_id count, size_t modules)
{
    parts->count = count;
    parts->begin = memory_zeroed((size_t)count + 2, sizeof *parts->begin);
    parts->member = memory_array(modules, sizeof *parts->member);
    if (parts->begin == NULL || parts->member == NULL) {
        return false;
    }
    for (size_t i = 0; i < modules; i++) {
        parts->of[i] = count - 1 - parts->of[i];
        parts->begin[parts->of[i] + 2]++;
    }
    for (inlay_id p = 2; p < count + 2; p++) {
        parts->begin[p] += parts->begin[p - 1];
    }
    for (size_t i = 0; i < modules; i++) {
        parts->member[parts->begin[parts->of[i] + 1]++] = (inlay_id)i;
    }
    return true;
}

bool sg_find_parts(const inlay_stochastic *graph, sg_parts *parts)
{
    const sg_links *control = &graph->control;
    const inlay_id *to = control->link == NULL ? NULL : &control->link->to;
    const strong_rows rows = {(inlay_id)graph->modules, control->begin, to, sizeof *control->link};
    *parts = (sg_parts){.of = memory_array(graph->modules, sizeof *parts->of)};
    inlay_id count = parts->of == NULL ? -1 : strong_parts_find(&rows, parts->of);
    bool found = count >= 0 && list_parts(parts, count, graph->modules);
    if (!found) {
        sg_parts_clear(parts);
    }
    return found;
}

void sg_parts_clear(sg_parts *parts)
{
    free(parts->of);
    free(parts->begin);
    free(parts->member);
    *parts = (sg_parts){0};
}

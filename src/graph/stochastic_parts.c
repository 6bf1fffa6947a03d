/*
 * Strongly connected parts: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972), with
 * a stack of its own in place of recursion. It finds a part after all that the part leads to, which is the order that
 * the solution needs; igraph's function does not promise one.
 */
#include "base/memory.h"
#include "graph/stochastic.h"
#include <stdlib.h>

typedef struct search {
    const inlay_stochastic *graph;
    inlay_id *index; /* order of discovery from 1; 0: not yet found */
    inlay_id *low;   /* least index that is surely in the same part */
    size_t *next;    /* link of each module that is looked at next */
    inlay_id *path;  /* modules from the root of the search to the one under way */
    inlay_id *open;  /* found, but not yet in a part */
    inlay_id *of;    /* parts, the last first; -1: none yet */
    inlay_id found, open_count, parts;
} search;

static void discover(search *s, inlay_id module)
{
    s->index[module] = s->low[module] = ++s->found;
    s->next[module] = s->graph->control.begin[module];
    s->open[s->open_count++] = module;
}

static void lower(search *s, inlay_id module, inlay_id value)
{
    s->low[module] = value < s->low[module] ? value : s->low[module];
}

/* All that was found since the first module of a part and is still open is that part. */
static void close_part(search *s, inlay_id first)
{
    inlay_id module;
    do {
        module = s->open[--s->open_count];
        s->of[module] = s->parts;
    } while (module != first);
    s->parts++;
}

static void search_from(search *s, inlay_id root)
{
    size_t depth = 0;
    discover(s, root);
    s->path[depth++] = root;
    while (depth > 0) {
        inlay_id module = s->path[depth - 1];
        if (s->next[module] < s->graph->control.begin[module + 1]) {
            inlay_id to = s->graph->control.link[s->next[module]++].to;
            if (s->index[to] == 0) {
                discover(s, to);
                s->path[depth++] = to;
            } else if (s->of[to] < 0) {
                lower(s, module, s->index[to]);
            }
            continue;
        }
        if (s->low[module] == s->index[module]) {
            close_part(s, module);
        }
        depth--;
        if (depth > 0) {
            lower(s, s->path[depth - 1], s->low[module]);
        }
    }
}

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
    size_t n = graph->modules;
    *parts = (sg_parts){.of = memory_array(n, sizeof(inlay_id))};
    search s = {.graph = graph,
                .index = memory_zeroed(n, sizeof(inlay_id)),
                .low = memory_array(n, sizeof(inlay_id)),
                .next = memory_array(n, sizeof(size_t)),
                .path = memory_array(n, sizeof(inlay_id)),
                .open = memory_array(n, sizeof(inlay_id)),
                .of = parts->of};
    bool found = s.index != NULL && s.low != NULL && s.next != NULL && s.path != NULL && s.open != NULL && s.of != NULL;
    for (size_t i = 0; found && i < n; i++) {
        s.of[i] = -1;
    }
    for (size_t i = 0; found && i < n; i++) {
        if (s.index[i] == 0) {
            search_from(&s, (inlay_id)i);
        }
    }
    found = found && list_parts(parts, s.parts, n);
    free(s.index);
    free(s.low);
    free(s.next);
    free(s.path);
    free(s.open);
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

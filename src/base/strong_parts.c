/*
 * R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972), with a stack of its own in
 * place of recursion. igraph's function does not promise an order of the parts.
 */
#include "base/strong_parts.h"
#include "base/memory.h"

typedef struct search {
    const strong_rows *rows;
    memory_pool arrays; /* owns them */
    int32_t *index;     /* order of discovery from 1; 0: not yet found */
    int32_t *low;       /* least index that is surely in the same part */
    size_t *next;       /* link of each node that is looked at next */
    int32_t *path;      /* nodes from the root of the search to the one under way */
    int32_t *open;      /* found, but not yet in a part */
    int32_t *part;
    int32_t found, depth, open_count, parts;
} search;

static void discover(search *s, int32_t node)
{
    s->index[node] = s->low[node] = ++s->found;
    s->next[node] = s->rows->begin[node];
    s->open[s->open_count++] = node;
    s->path[s->depth++] = node;
}

static void lower(search *s, int32_t node, int32_t value)
{
    s->low[node] = value < s->low[node] ? value : s->low[node];
}

/* All that was found since the first node of a part and is still open is that part. */
static void close_part(search *s, int32_t first)
{
    int32_t node;
    do {
        node = s->open[--s->open_count];
        s->part[node] = s->parts;
    } while (node != first);
    s->parts++;
}

static int32_t follow(search *s, int32_t node)
{
    return *(const int32_t *)((const char *)s->rows->to + s->next[node]++ * s->rows->stride);
}

static void search_from(search *s, int32_t root)
{
    discover(s, root);
    while (s->depth > 0) {
        int32_t node = s->path[s->depth - 1];
        if (s->next[node] < s->rows->begin[node + 1]) {
            int32_t to = follow(s, node);
            if (s->index[to] == 0) {
                discover(s, to);
            } else if (s->part[to] < 0) {
                lower(s, node, s->index[to]);
            }
            continue;
        }
        if (s->low[node] == s->index[node]) {
            close_part(s, node);
        }
        if (--s->depth > 0) {
            lower(s, s->path[s->depth - 1], s->low[node]);
        }
    }
}

int32_t strong_parts_find(const strong_rows *rows, int32_t *part)
{
    size_t n = (size_t)rows->nodes;
    search s = {.rows = rows, .part = part};
    s.index = pool_zeroed(&s.arrays, n, sizeof *s.index);
    s.low = pool_array(&s.arrays, n, sizeof *s.low);
    s.next = pool_array(&s.arrays, n, sizeof *s.next);
    s.path = pool_array(&s.arrays, n, sizeof *s.path);
    s.open = pool_array(&s.arrays, n, sizeof *s.open);
    bool made = !s.arrays.failed;
    for (size_t i = 0; i < n; i++) {
        part[i] = -1;
    }
    for (int32_t i = 0; made && i < rows->nodes; i++) {
        if (s.index[i] == 0) {
            search_from(&s, i);
        }
    }
    pool_clear(&s.arrays);
    return made ? s.parts : -1;
}

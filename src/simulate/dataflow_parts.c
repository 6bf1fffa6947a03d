/*
 * Strongly connected parts by R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Computing 1 (1972),
 * with a stack of its own in place of recursion.
 */
#include "base/memory.h"
#include "simulate/dataflow_profile.h"
#include <stdlib.h>

typedef struct search {
    int64_t *begin; /* of every module's channels in `to`, and one more */
    inlay_id *to;
    int64_t *next;  /* of every module: its first channel that was not followed yet */
    inlay_id *seen; /* of every module: when it was first met, from 1; 0: not yet */
    inlay_id *low;  /* the least `seen` that is known to be in its part */
    inlay_id *path; /* modules from where the search began to where it is */
    inlay_id *open; /* modules that were met and have no part yet, in that order */
    inlay_id met, opened, parts;
} search;

static void search_clear(search *s)
{
    free(s->begin);
    free(s->to);
    free(s->next);
    free(s->seen);
    free(s->low);
    free(s->path);
    free(s->open);
}

/* Where modules put something, row by row. */
static void fill_rows(const engine *e, search *s)
{
    const inlay_program *p = e->program;
    for (size_t c = 0; c < p->channels; c++) {
        s->begin[p->channel[c].from] += dataflow_values(e, c) > 0;
    }
    int64_t sum = 0;
    for (size_t i = 0; i <= p->modules; i++) {
        sum += s->begin[i];
        s->begin[i] = sum;
    }
    for (size_t c = p->channels; c-- > 0;) {
        if (dataflow_values(e, c) > 0) {
            s->to[--s->begin[p->channel[c].from]] = p->channel[c].to;
        }
    }
    for (size_t i = 0; i < p->modules; i++) {
        s->next[i] = s->begin[i];
    }
}

static bool search_make(const engine *e, search *s)
{
    size_t n = e->program->modules;
    *s = (search){.begin = memory_zeroed(n + 1, sizeof *s->begin),
                  .to = memory_array(e->program->channels, sizeof *s->to),
                  .next = memory_array(n, sizeof *s->next),
                  .seen = memory_zeroed(n, sizeof *s->seen),
                  .low = memory_zeroed(n, sizeof *s->low),
                  .path = memory_array(n, sizeof *s->path),
                  .open = memory_array(n, sizeof *s->open)};
    return s->begin != NULL && s->to != NULL && s->next != NULL && s->seen != NULL && s->low != NULL &&
           s->path != NULL && s->open != NULL;
}

static inline void lower(inlay_id *low, inlay_id to)
{
    *low = to < *low ? to : *low;
}

/* All that was opened since a module, and is in its part. */
static void close_part(search *s, inlay_id module, inlay_id *part)
{
    inlay_id last;
    do {
        last = s->open[--s->opened];
        part[last] = s->parts;
    } while (last != module);
    s->parts++;
}

static void meet(search *s, inlay_id module, inlay_id *length)
{
    s->seen[module] = s->low[module] = ++s->met;
    s->open[s->opened++] = module;
    s->path[(*length)++] = module;
}

static void search_from(search *s, inlay_id root, inlay_id *part)
{
    inlay_id length = 0;
    meet(s, root, &length);
    while (length > 0) {
        inlay_id at = s->path[length - 1];
        if (s->next[at] < s->begin[at + 1]) {
            inlay_id to = s->to[s->next[at]++];
            if (s->seen[to] == 0) {
                meet(s, to, &length);
            } else if (part[to] < 0) {
                lower(&s->low[at], s->seen[to]);
            }
            continue;
        }
        if (s->low[at] == s->seen[at]) {
            close_part(s, at, part);
        }
        if (--length > 0) {
            lower(&s->low[s->path[length - 1]], s->low[at]);
        }
    }
}

int dataflow_parts(const engine *e, inlay_id *part)
{
    search s;
    bool made = search_make(e, &s);
    inlay_id modules = (inlay_id)e->program->modules;
    if (made) {
        fill_rows(e, &s);
    }
    for (inlay_id i = 0; i < modules; i++) {
        part[i] = -1;
    }
    for (inlay_id i = 0; made && i < modules; i++) {
        if (s.seen[i] == 0) {
            search_from(&s, i, part);
        }
    }
    search_clear(&s);
    return made ? INLAY_OK : INLAY_NO_MEMORY;
}

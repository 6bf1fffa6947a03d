/* Which modules and clusters can be active at once: by level, or by the intervals [b, b+m). */
#include "check/check.h"

#include <stdlib.h>

inlay_time check_begins(const check *k, inlay_id module)
{
    return k->parallel == CHECK_LEVEL ? k->level[module] : k->ready[module];
}

inlay_time check_ends(const check *k, inlay_id module)
{
    return k->parallel == CHECK_LEVEL ? k->level[module] + 1 : check_add(k->ready[module], k->time[module]);
}

/* ---- The largest number of clusters at once ---- */

typedef struct event {
    inlay_time when;
    int change; /**< -1 a module ends, 1 one begins */
    inlay_id cluster;
} event;

/* By time; at one instant ends come before beginnings, since intervals are open at their ends. */
static int compare_events(const void *a, const void *b)
{
    const event *x = a, *y = b;
    if (x->when != y->when) return x->when < y->when ? -1 : 1;
    return x->change - y->change;
}

static size_t make_events(const check *k, event *events)
{
    size_t count = 0;
    for (inlay_id c = 0; c < k->clusters; c++)
        for (inlay_id at = k->cluster[c].first; at < k->cluster[c].end; at++) {
            inlay_id i = k->listed[at];
            if (check_begins(k, i) >= check_ends(k, i)) continue;
            events[count++] = (event){check_begins(k, i), 1, c};
            events[count++] = (event){check_ends(k, i), -1, c};
        }
    qsort(events, count, sizeof *events, compare_events);
    return count;
}

int check_parallelism(const check *k, inlay_id *most)
{
    event *events = calloc(2 * (size_t)k->cluster[k->clusters - 1].end + 1, sizeof *events);
    inlay_id *active = calloc((size_t)k->clusters + 1, sizeof *active);
    int status = INLAY_NO_MEMORY;

    if (events && active) {
        size_t count = make_events(k, events);
        inlay_id now = 0;
        *most = 0;
        for (size_t e = 0; e < count; e++) {
            inlay_id *here = &active[events[e].cluster];
            bool was = *here > 0;
            *here += events[e].change;
            now += (*here > 0) - was;
            if (now > *most) *most = now;
        }
        status = INLAY_OK;
    }
    free(events);
    free(active);
    return status;
}

int check_level_width(const check *k, inlay_id *width)
{
    inlay_id *count = calloc((size_t)k->modules + 1, sizeof *count);
    if (!count) return INLAY_NO_MEMORY;
    *width = 0;
    for (inlay_id i = 0; i < k->modules; i++)
        if (++count[k->level[i]] > *width) *width = count[k->level[i]];
    free(count);
    return INLAY_OK;
}

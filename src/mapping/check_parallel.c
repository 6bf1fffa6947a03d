/* Which modules and clusters can be active at once: by level, or by the intervals [b, b+m). */
#include "mapping/check.h"

#include <stdlib.h>

/* From when to when a module counts as active: its level, or its interval on unlimited processors. */
static inlay_time begins(const check *k, inlay_id i)
{
    return k->parallel == CHECK_LEVEL ? k->level[i] : k->ready[i];
}

static inlay_time ends(const check *k, inlay_id i)
{
    return k->parallel == CHECK_LEVEL ? k->level[i] + 1 : check_add(k->ready[i], k->time[i]);
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
    for (inlay_id i = 0; i < k->modules; i++) {
        if (begins(k, i) >= ends(k, i)) continue;
        events[count++] = (event){begins(k, i), 1, k->cluster_of[i]};
        events[count++] = (event){ends(k, i), -1, k->cluster_of[i]};
    }
    qsort(events, count, sizeof *events, compare_events);
    return count;
}

int check_parallelism(const check *k, inlay_id *most)
{
    event *events = calloc(2 * (size_t)k->modules + 1, sizeof *events);
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

/* ---- Parallel modules in one cluster ---- */

static bool overlap(const check *k, inlay_id i, inlay_id j)
{
    return begins(k, i) < ends(k, i) && begins(k, j) < ends(k, j) && begins(k, i) < ends(k, j) &&
           begins(k, j) < ends(k, i);
}

/* Two modules pinned to one processor are together whatever else holds. */
static bool pinned_together(const check *k, inlay_id i, inlay_id j)
{
    return inlay_app_pin(k->app, i) >= 0 && inlay_app_pin(k->app, i) == inlay_app_pin(k->app, j);
}

/* Mark every module that a path of links leads to from i. `waiting` has room for all modules. */
static void mark_followers(const check *k, inlay_id i, bool *follows, inlay_id *waiting)
{
    inlay_id count = 0;
    for (inlay_id j = 0; j < k->modules; j++)
        follows[j] = false;
    waiting[count++] = i;
    while (count > 0) {
        inlay_links out = inlay_app_out(k->app, waiting[--count]);
        for (int64_t l = 0; l < out.count; l++) {
            inlay_id j = out.module[l];
            if ((out.flags[l] & INLAY_LINK_TRAFFIC_ONLY) || follows[j]) continue;
            follows[j] = true;
            waiting[count++] = j;
        }
    }
}

/* A module of the same cluster, after i in its order, that is parallel to i; -1 where there is none. */
static inlay_id parallel_to(const check *k, inlay_id i, inlay_id at, bool *follows, inlay_id *waiting)
{
    const check_cluster *cluster = &k->cluster[k->cluster_of[i]];
    bool marked = false;
    for (inlay_id other = at + 1; other < cluster->end; other++) {
        inlay_id j = k->listed[other];
        if (!overlap(k, i, j) || pinned_together(k, i, j)) continue;
        if (k->parallel == CHECK_LEVEL) return j;
        inlay_id first = k->rank[i] < k->rank[j] ? i : j;
        if (!marked || first != i) mark_followers(k, first, follows, waiting);
        marked = first == i;
        if (!follows[first == i ? j : i]) return j;
    }
    return -1;
}

int check_parallel_modules(check *k)
{
    bool *follows = calloc((size_t)k->modules + 1, sizeof *follows);
    inlay_id *waiting = calloc((size_t)k->modules + 1, sizeof *waiting);
    int status = follows && waiting ? INLAY_OK : INLAY_NO_MEMORY;

    for (inlay_id c = 0; c < k->clusters && status == INLAY_OK; c++) {
        for (inlay_id at = k->cluster[c].first; at < k->cluster[c].end; at++) {
            inlay_id i = k->listed[at], j = parallel_to(k, i, at, follows, waiting);
            if (j < 0) continue;
            check_find(k,
                       "cluster %ld: modules '%.100s' and '%.100s' are parallel, the method keeps such modules apart",
                       (long)c, inlay_app_module_name(k->app, i), inlay_app_module_name(k->app, j));
            break;
        }
    }
    free(follows);
    free(waiting);
    return status;
}

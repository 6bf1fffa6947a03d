/* Parallel modules, which the method keeps in different clusters. */
#include "check/check.h"

#include <stdlib.h>

/* What a module of the cluster at hand is sorted by. */
typedef struct member {
    inlay_time begins;
    inlay_id at; /* in check.listed */
} member;

typedef struct search {
    const check *k;
    inlay_id *first;   /* of every level: where the first module of the cluster on it is listed, or a smaller number */
    member *members;   /* of the cluster, sorted */
    int64_t *marked;   /* of every module: the last round that reached it */
    inlay_id *waiting; /* room for all modules */
    int64_t round;
} search;

/* Two modules of a cluster, or -1 and -1. */
typedef struct pair {
    inlay_id i, j;
} pair;

/* Two modules pinned to one processor are together whatever else holds. */
static bool pinned_together(const check *k, inlay_id i, inlay_id j)
{
    return inlay_app_pin(k->app, i) >= 0 && inlay_app_pin(k->app, i) == inlay_app_pin(k->app, j);
}

/* ---- Parallel by level ---- */

/*
 * Being pinned together is transitive. So, where two modules of a level are not, one of them is not pinned together with
 * the level's first: it is enough to look at that.
 */
static pair same_level(search *s, const check_cluster *cluster)
{
    const check *k = s->k;
    pair found = {-1, -1};
    inlay_id found_at = cluster->end;
    for (inlay_id at = cluster->first; at < cluster->end; at++) {
        inlay_id *first = &s->first[k->level[k->listed[at]]];
        if (*first < cluster->first) *first = at;
        if (*first >= found_at || *first == at || pinned_together(k, k->listed[*first], k->listed[at])) continue;
        found_at = *first;
        found = (pair){k->listed[found_at], k->listed[at]};
    }
    return found;
}

/* ---- Parallel by overlapping intervals ---- */

/* Begin a round that marks what a path of links leads to from i, down to a level. All paths descend. */
static void mark_followers(search *s, inlay_id i, int32_t deepest)
{
    const check *k = s->k;
    inlay_id count = 0;
    s->round++;
    s->waiting[count++] = i;
    while (count > 0) {
        inlay_links out = inlay_app_out(k->app, s->waiting[--count]);
        for (int64_t l = 0; l < out.count; l++) {
            inlay_id j = out.module[l];
            if ((out.flags[l] & INLAY_LINK_TRAFFIC_ONLY) || s->marked[j] == s->round || k->level[j] > deepest) continue;
            s->marked[j] = s->round;
            s->waiting[count++] = j;
        }
    }
}

static int compare_members(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->begins != y->begins) return x->begins < y->begins ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* The modules of the cluster that take time, by when they begin. */
static inlay_id sort_members(search *s, const check_cluster *cluster)
{
    inlay_id count = 0;
    for (inlay_id at = cluster->first; at < cluster->end; at++) {
        inlay_id i = s->k->listed[at];
        if (check_begins(s->k, i) < check_ends(s->k, i)) s->members[count++] = (member){check_begins(s->k, i), at};
    }
    qsort(s->members, (size_t)count, sizeof *s->members, compare_members);
    return count;
}

/*
 * Whether a path leads from one to the other; what follows i has been marked, in the round `marks`. Those marks are all
 * below the level of i, and a path to i from above leaves them as they are.
 */
static bool related(search *s, inlay_id i, inlay_id j, int64_t marks)
{
    if (s->k->level[j] >= s->k->level[i]) return s->marked[j] == marks;
    mark_followers(s, j, s->k->level[i]);
    return s->marked[i] == s->round;
}

/* A module among `others`, which begin before i ends, that is parallel to it; -1 where there is none. */
static inlay_id parallel_to(search *s, inlay_id i, const member *others, inlay_id count)
{
    const check *k = s->k;
    int32_t deepest = -1;
    for (inlay_id o = 0; o < count; o++)
        if (k->level[k->listed[others[o].at]] > deepest) deepest = k->level[k->listed[others[o].at]];
    mark_followers(s, i, deepest);
    int64_t marks = s->round;
    for (inlay_id o = 0; o < count; o++) {
        inlay_id j = k->listed[others[o].at];
        if (!pinned_together(k, i, j) && !related(s, i, j, marks)) return j;
    }
    return -1;
}

static pair overlapping(search *s, const check_cluster *cluster)
{
    inlay_id count = sort_members(s, cluster);
    for (inlay_id m = 0; m < count; m++) {
        inlay_id i = s->k->listed[s->members[m].at];
        inlay_id end = m + 1;
        while (end < count && s->members[end].begins < check_ends(s->k, i))
            end++;
        inlay_id j = end > m + 1 ? parallel_to(s, i, s->members + m + 1, end - m - 1) : -1;
        if (j >= 0) return (pair){i, j};
    }
    return (pair){-1, -1};
}

/* ---- All clusters ---- */

static void search_all(search *s, check *k)
{
    for (inlay_id i = 0; i < k->modules; i++)
        s->first[i] = -1;
    for (inlay_id c = 0; c < k->clusters; c++) {
        pair found = k->parallel == CHECK_LEVEL ? same_level(s, &k->cluster[c]) : overlapping(s, &k->cluster[c]);
        if (found.i >= 0)
            check_find(k,
                       "cluster %ld: modules '%.100s' and '%.100s' are parallel, the method keeps such modules apart",
                       (long)c, inlay_app_module_name(k->app, found.i), inlay_app_module_name(k->app, found.j));
    }
}

int check_parallel_modules(check *k)
{
    size_t n = (size_t)k->modules + 1;
    search s = {.k = k};
    s.first = calloc(n, sizeof *s.first);
    s.members = calloc(n, sizeof *s.members);
    s.marked = calloc(n, sizeof *s.marked);
    s.waiting = calloc(n, sizeof *s.waiting);
    int status = s.first && s.members && s.marked && s.waiting ? INLAY_OK : INLAY_NO_MEMORY;
    if (status == INLAY_OK) search_all(&s, k);
    free(s.first);
    free(s.members);
    free(s.marked);
    free(s.waiting);
    return status;
}

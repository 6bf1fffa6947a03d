/*
 * Partial homogeneous decomposition (figures 24 to 26): regions for groups of processors of one speed, even blocks
 * within them. Sets of groups are filled while the next group would not take them above half of the speed, as the
 * example in the text has it, and all cuts go across the longer edge.
 */
#include "grid/halves.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

/* `count` processors of one speed from rank `first` on. */
typedef struct group {
    int32_t first, count;
    int64_t speed;
} group;

static int64_t total_of(const group *g)
{
    return g->count * g->speed;
}

/* The group with the largest sum comes first; of equal sums that with the faster processors. */
static int by_total(const void *a, const void *b)
{
    const group *x = a;
    const group *y = b;
    int64_t s = total_of(x);
    int64_t t = total_of(y);
    return s != t ? (s < t) - (s > t) : (x->speed < y->speed) - (x->speed > y->speed);
}

static int32_t make_groups(const int64_t *whole, int32_t processors, group *list)
{
    int32_t groups = 0;
    for (int32_t i = 0; i < processors; i++) {
        if (i == 0 || whole[i] != whole[i - 1]) {
            list[groups++] = (group){i, 0, whole[i]};
        }
        list[groups - 1].count++;
    }
    qsort(list, (size_t)groups, sizeof *list, by_total);
    return groups;
}

typedef struct sets {
    group *list, *room;
    grid_sides sides;
    int32_t first, second; /* where the first set ends in the list; how many wait in the room */
} sets;

static void join(sets *s, int set, group g)
{
    s->sides.speed[set] += total_of(&g);
    s->sides.processors[set] += g.count;
    if (set == 0) {
        s->list[s->first++] = g;
    } else {
        s->room[s->second++] = g;
    }
}

/* Groups [low, high) in two sets, each in its order; gives where the second one begins. */
static int32_t split_groups(sets *s, int32_t low, int32_t high)
{
    int64_t total = 0;
    for (int32_t i = low; i < high; i++) {
        total += total_of(&s->list[i]);
    }
    s->sides = (grid_sides){0};
    s->first = low;
    s->second = 0;
    int32_t next = low;
    for (int set = 0; set < 2; set++) {
        while (next < high && 2 * (s->sides.speed[set] + total_of(&s->list[next])) <= total) {
            join(s, set, s->list[next++]);
        }
    }
    for (; next < high; next++) {
        join(s, s->sides.speed[1] < s->sides.speed[0], s->list[next]);
    }
    memcpy(s->list + s->first, s->room, (size_t)s->second * sizeof *s->list);
    return s->first;
}

/* A prime number of like processors: one of them | the others, which wait as the same group. */
static void cut_off_one(inlay_decomposition *d, grid_jobs *jobs, const grid_job *job, group *g)
{
    int axis = grid_longest(&job->region);
    grid_sides sides = {{g->speed, total_of(g) - g->speed}, {1, g->count - 1}};
    int64_t at = grid_cut_at(d->weights, &job->region, &sides, &axis);
    int32_t node = grid_tree_cut(&d->tree, job->region, axis, at);
    grid_jobs_done(&d->tree, job, node);
    d->tree.node[node].child[0] = grid_tree_leaf(&d->tree, g->first, grid_part(job->region, axis, at, 0));
    g->first++;
    g->count--;
    jobs->job[jobs->waiting++] = (grid_job){.region = grid_part(job->region, axis, at, 1),
                                            .low = job->low,
                                            .high = job->high,
                                            .parent = node,
                                            .side = 1,
                                            .depth = job->depth + 1};
}

static void place_group(inlay_decomposition *d, grid_jobs *jobs, const grid_job *job, group *g)
{
    if (g->count == 1) {
        grid_jobs_done(&d->tree, job, grid_tree_leaf(&d->tree, g->first, job->region));
    } else if (grid_smaller_factor(g->count) == 1) {
        cut_off_one(d, jobs, job, g);
    } else {
        grid_jobs_done(&d->tree, job, grid_tree_even(&d->tree, job->region, g->count, g->first));
    }
}

int grid_make_phd(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag)
{
    (void)options;
    size_t p = (size_t)d->processors;
    grid_jobs jobs = {0};
    sets s = {.list = memory_array(p, sizeof *s.list), .room = memory_array(p, sizeof *s.room)};
    int32_t groups = s.list != NULL ? make_groups(whole, d->processors, s.list) : 0;
    int status = s.list != NULL && s.room != NULL && grid_tree_make_for(d) &&
                         grid_jobs_make(&jobs, d->processors, grid_whole(d), groups)
                     ? INLAY_OK
                     : diag_no_memory(diag);
    for (grid_job job; status == INLAY_OK && grid_jobs_next(&jobs, &job);) {
        if (job.high - job.low == 1) {
            place_group(d, &jobs, &job, &s.list[job.low]);
        } else {
            int32_t middle = split_groups(&s, job.low, job.high);
            grid_jobs_cut(&jobs, &d->tree, &job, middle, &s.sides, grid_longest(&job.region));
        }
    }
    grid_jobs_clear(&jobs);
    free(s.list);
    free(s.room);
    return status;
}

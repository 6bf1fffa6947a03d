/*
 * Fair binary recursive decomposition (figure 22): two lists that take turns until one would have more than half of the
 * speed; what is left goes to the list with less, at a tie to the second. That reading gives the numbers of figures 27
 * and 28.
 */
#include "grid/halves.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

typedef struct split {
    int32_t *rank; /* the list that is being split; both lists in place afterwards, each in its order */
    int32_t *room;
    grid_sides sides;
} split;

/* Which list the next processor joins. `taking_turns` ends for good once a list would have too much. */
static int next_list(const grid_sides *sides, int64_t speed, int64_t total, int turn, bool *taking_turns)
{
    if (*taking_turns && 2 * (sides->speed[turn] + speed) > total) {
        *taking_turns = false;
    }
    return *taking_turns ? turn : sides->speed[0] < sides->speed[1] ? 0 : 1;
}

/* Splits entries [low, high) of the list; gives where the second list begins. */
static int32_t split_fairly(split *s, const int64_t *whole, int32_t low, int32_t high)
{
    int64_t total = 0;
    for (int32_t i = low; i < high; i++) {
        total += whole[s->rank[i]];
    }
    bool taking_turns = true;
    int32_t first = low; /* the first list grows in place, behind what has been read */
    int32_t second = 0;
    s->sides = (grid_sides){0};
    for (int32_t i = low; i < high; i++) {
        int32_t rank = s->rank[i];
        int list = next_list(&s->sides, whole[rank], total, (i - low) % 2, &taking_turns);
        s->sides.speed[list] += whole[rank];
        s->sides.processors[list]++;
        if (list == 0) {
            s->rank[first++] = rank;
        } else {
            s->room[second++] = rank;
        }
    }
    memcpy(s->rank + first, s->room, (size_t)second * sizeof *s->rank);
    return first;
}

static void cut_all(inlay_decomposition *d, const int64_t *whole, split *s, grid_jobs *jobs)
{
    static const int turn[] = {GRID_ACROSS, GRID_DOWN, GRID_THROUGH};
    const inlay_grid_block grid = grid_whole(d);
    bool alternate = d->summary.method == INLAY_GRID_FBRD_ALTERNATE;
    for (grid_job job; grid_jobs_next(jobs, &job);) {
        if (job.high - job.low == 1) {
            grid_jobs_done(&d->tree, &job, grid_tree_leaf(&d->tree, s->rank[job.low], job.region));
            continue;
        }
        int32_t middle = split_fairly(s, whole, job.low, job.high);
        int axis = alternate ? turn[job.depth % grid_dimensions(&grid)] : grid_longest(&job.region);
        grid_jobs_cut(jobs, &d->tree, &job, middle, &s->sides, axis);
    }
}

int grid_make_fbrd(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag)
{
    (void)options;
    size_t p = (size_t)d->processors;
    grid_jobs jobs = {0};
    split s = {.rank = memory_array(p, sizeof *s.rank), .room = memory_array(p, sizeof *s.room)};
    int status = s.rank != NULL && s.room != NULL && grid_tree_make_for(d) &&
                         grid_jobs_make(&jobs, d->processors, grid_whole(d), d->processors)
                     ? INLAY_OK
                     : diag_no_memory(diag);
    if (status == INLAY_OK) {
        for (int32_t i = 0; i < d->processors; i++) {
            s.rank[i] = i;
        }
        cut_all(d, whole, &s, &jobs);
    }
    grid_jobs_clear(&jobs);
    free(s.rank);
    free(s.room);
    return status;
}

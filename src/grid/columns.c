/*
 * Columns of blocks: each column is a strip of full height, cut into the blocks of its processors. Which processors go
 * together either follows from their number alone (jagged), or makes the edges of all blocks shortest: by Beaumont,
 * Boudet, Rastello and Robert (2001) columns of processors that are neighbours by speed are enough, and dynamic
 * programming finds them. In three dimensions slabs come first.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "grid/halves.h"
#include <math.h>
#include <stdlib.h>

/* What so many groups cost at the least, of the ranks before each. */
typedef struct plan {
    double *sum;     /* speeds of the ranks before each */
    double *least;   /* of what the ranks before each cost */
    int32_t *before; /* where the last group of those begins */
    int32_t *queue;  /* beginnings of groups that may still be the best ones, and from which end on each is */
    int32_t *from;
    int32_t *first; /* what is found: where groups begin, and the end */
    int64_t *share, *edge, *speed;
} plan;

/* What a group costs: `each`, and what its edges are. */
typedef struct price {
    double each, side;
    int64_t most; /* processors in a group */
    bool slabs;   /* groups are cut further into columns, else into blocks */
} price;

static bool make_plan(plan *p, int32_t processors)
{
    size_t n = (size_t)processors + 1;
    *p =
        (plan){memory_array(n, sizeof *p->sum),   memory_array(n, sizeof *p->least), memory_array(n, sizeof *p->before),
               memory_array(n, sizeof *p->queue), memory_array(n, sizeof *p->from),  memory_array(n, sizeof *p->first),
               memory_array(n, sizeof *p->share), memory_array(n, sizeof *p->edge),  memory_array(n, sizeof *p->speed)};
    return p->sum != NULL && p->least != NULL && p->before != NULL && p->queue != NULL && p->from != NULL &&
           p->first != NULL && p->share != NULL && p->edge != NULL && p->speed != NULL;
}

static void clear_plan(plan *p)
{
    free(p->sum);
    free(p->least);
    free(p->before);
    free(p->queue);
    free(p->from);
    free(p->first);
    free(p->share);
    free(p->edge);
    free(p->speed);
}

/* ---- The groups with the shortest edges ---- */

/* Of all ranks before `end` where the last group begins at `begin`. */
static double cost_of(const plan *p, const price *of, int32_t begin, int32_t end)
{
    double ranks = end - begin;
    return p->least[begin] + of->each + of->side * (p->sum[end] - p->sum[begin]) * (of->slabs ? sqrt(ranks) : ranks);
}

/* Whether a later beginning is the better one: once it is, it stays so, for these costs have the property of Monge. */
static bool is_better(const plan *p, const price *of, int32_t later, int32_t begin, int32_t end)
{
    return end - begin > of->most || cost_of(p, of, later, end) < cost_of(p, of, begin, end);
}

/* The first end from `low` on for which the later beginning is better; `ranks` + 1: none. */
static int32_t turn_of(const plan *p, const price *of, int32_t later, int32_t begin, int32_t low, int32_t ranks)
{
    int32_t high = ranks + 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (is_better(p, of, later, begin, middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return high;
}

/* The groups of so many ranks, in first[]; gives how many, and what they cost. Beginnings in the queue are the best one
   after the other, each up to where the next one takes over. */
static int32_t group(plan *p, const price *of, int32_t ranks, double *cost)
{
    int32_t head = 0, tail = 1, groups = 0;
    p->least[0] = 0;
    p->queue[0] = 0;
    p->from[0] = 1;
    for (int32_t end = 1; end <= ranks; end++) {
        while (tail - head > 1 && p->from[head + 1] <= end) {
            head++;
        }
        p->before[end] = p->queue[head];
        p->least[end] = cost_of(p, of, p->queue[head], end);
        while (tail > head && p->from[tail - 1] > end && is_better(p, of, end, p->queue[tail - 1], p->from[tail - 1])) {
            tail--;
        }
        int32_t low = tail > head && p->from[tail - 1] > end ? p->from[tail - 1] : end + 1;
        int32_t turn = tail > head ? turn_of(p, of, end, p->queue[tail - 1], low, ranks) : low;
        if (turn <= ranks) {
            p->queue[tail] = end;
            p->from[tail++] = turn;
        }
    }
    for (int32_t end = ranks; end > 0; end = p->before[end]) {
        groups++;
    }
    p->first[groups] = ranks;
    for (int32_t end = ranks, i = groups; i > 0; end = p->before[end]) {
        p->first[--i] = p->before[end];
    }
    *cost = p->least[ranks];
    return groups;
}

/* Fewer groups than there are lines: each is made dearer until they are few enough. */
static int32_t group_within(plan *p, price of, int32_t ranks, int64_t lines, double *cost)
{
    int32_t groups = group(p, &of, ranks, cost);
    while (groups > lines) {
        of.each *= 2;
        groups = group(p, &of, ranks, cost);
    }
    return groups;
}

/* Cells of a strip that is one line thick, of the axes that are not cut yet: the grid is no thicker. */
static int64_t face_of(const grid_job *job, int axis)
{
    int64_t face = 1;
    for (int other = 0; other < GRID_AXES; other++) {
        face *= other != axis && (job->axes >> other & 1) != 0 ? grid_length(&job->region, other) : 1;
    }
    return face;
}

/* The axis and the groups along it with the shortest edges; of equal ones the axis that comes first. */
static int32_t choose_groups(plan *p, const grid_job *job, int *axis)
{
    static const int order[] = {GRID_ACROSS, GRID_DOWN, GRID_THROUGH};
    int32_t ranks = job->high - job->low, groups = 0;
    double least = INFINITY, total = p->sum[ranks];
    int best = GRID_ACROSS;
    for (int turn = 0; turn <= GRID_AXES; turn++) { /* in the end the best axis once more */
        int along = turn < GRID_AXES ? order[turn] : best;
        if ((job->axes >> along & 1) == 0) {
            continue;
        }
        int64_t lines = grid_length(&job->region, along);
        int64_t face = face_of(job, along);
        double cost = 0;
        price of = {.each = total * (double)face, .side = (double)lines, .most = face};
        if (__builtin_popcount(job->axes) == GRID_AXES) { /* within a slab, squares with edges as long as it is thick */
            of.slabs = true;
            of.side *= 2 * sqrt((double)face);
        }
        groups = group_within(p, of, ranks, lines, &cost);
        if (turn < GRID_AXES && cost < least) {
            least = cost;
            best = along;
        }
    }
    *axis = best;
    return groups;
}

/* ---- Groups of like numbers ---- */

/* As many strips along the longest axis as make blocks square, or cubes. */
static int32_t choose_evenly(plan *p, const grid_job *job, int *axis)
{
    static const int order[] = {GRID_ACROSS, GRID_DOWN, GRID_THROUGH};
    int32_t ranks = job->high - job->low;
    int longest = -1;
    for (int turn = 0; turn < GRID_AXES; turn++) {
        int64_t there = longest < 0 ? 0 : grid_length(&job->region, longest);
        bool is_open = (job->axes >> order[turn] & 1) != 0;
        longest = is_open && grid_length(&job->region, order[turn]) > there ? order[turn] : longest;
    }
    int64_t length = grid_length(&job->region, longest), face = face_of(job, longest);
    double each = (double)length * (double)face / ranks;
    double side = __builtin_popcount(job->axes) == GRID_AXES ? cbrt(each) : sqrt(each);
    int64_t groups = llround((double)length / side);
    int64_t least = (ranks + face - 1) / face, most = ranks < length ? ranks : length;
    groups = groups < least ? least : groups > most ? most : groups;
    for (int64_t i = 0; i <= groups; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): there is one group at the least */
        p->first[i] = (int32_t)(ranks * i / groups);
    }
    *axis = longest;
    return (int32_t)groups;
}

/* ---- The strips ---- */

/* Nobody is left without a line: who has several gives one away. */
static void fill_gaps(int64_t *share, int32_t parts)
{
    int64_t gaps = 0;
    for (int32_t i = 0; i < parts; i++) {
        gaps += share[i] == 0;
        share[i] += share[i] == 0;
    }
    for (int32_t i = 0; gaps > 0; i = (i + 1) % parts) {
        gaps -= share[i] > 1;
        share[i] -= share[i] > 1;
    }
}

/* The last axis is cut into a strip for each rank. */
static int32_t choose(plan *p, const inlay_decomposition *d, const grid_job *job, int *axis)
{
    int32_t ranks = job->high - job->low;
    if (__builtin_popcount(job->axes) == 1) {
        *axis = __builtin_ctz(job->axes);
        for (int32_t i = 0; i <= ranks; i++) {
            p->first[i] = i;
        }
        return ranks;
    }
    return d->summary.method == INLAY_GRID_JAGGED ? choose_evenly(p, job, axis) : choose_groups(p, job, axis);
}

static int cut_strips(plan *p, inlay_decomposition *d, grid_jobs *jobs, const grid_job *job, const int64_t *whole,
                      const inlay_grid_options *options, inlay_diag *diag)
{
    int axis = GRID_ACROSS;
    int32_t ranks = job->high - job->low;
    p->sum[0] = 0;
    for (int32_t i = 0; i < ranks; i++) {
        p->sum[i + 1] = p->sum[i] + (double)whole[job->low + i];
    }
    int32_t parts = choose(p, d, job, &axis);
    for (int32_t i = 0; i < parts; i++) {
        p->speed[i] = 0;
        for (int32_t r = p->first[i]; r < p->first[i + 1]; r++) {
            p->speed[i] += whole[job->low + r];
        }
    }
    int status = grid_share_lines(d->weights, &job->region, axis, options->shares, parts, p->speed, p->share, diag);
    if (status == INLAY_OK) {
        fill_gaps(p->share, parts);
        p->edge[0] = grid_begin(&job->region, axis);
        for (int32_t i = 0; i < parts; i++) {
            p->edge[i + 1] = p->edge[i] + p->share[i];
        }
        for (int32_t i = 0; i <= parts; i++) {
            p->first[i] += job->low;
        }
        grid_jobs_split(jobs, &d->tree, job, axis, parts, p->first, p->edge);
    }
    return status;
}

int grid_make_columns(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag)
{
    plan p = {0};
    grid_jobs jobs = {0};
    int status = make_plan(&p, d->processors) && grid_tree_make_for(d) &&
                         grid_jobs_make(&jobs, d->processors, grid_whole(d), d->processors)
                     ? INLAY_OK
                     : diag_no_memory(diag);
    for (grid_job job; status == INLAY_OK && grid_jobs_next(&jobs, &job);) {
        if (job.high - job.low == 1) {
            grid_jobs_done(&d->tree, &job, grid_tree_leaf(&d->tree, job.low, job.region));
        } else {
            status = cut_strips(&p, d, &jobs, &job, whole, options, diag);
        }
    }
    grid_jobs_clear(&jobs);
    clear_plan(&p);
    return status;
}

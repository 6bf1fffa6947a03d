/*
 * Recursive bisection by coordinates: each group of vertices is cut across one direction, and its halves again, until a
 * group is one part. The groups of a level are cut together, each by weighted selection; vertices stay on their ranks.
 *
 *     rcb       the direction is the longest side of the group's bounding box
 *     inertial  it is the principal axis of inertia, along which the group is longest in the mean
 *
 * Vertices of equal coordinate in that direction are ordered by the other axes, then by global number.
 */
#include "irregular/partition/frames.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/exchange/selection.h"
#include <limits.h>
#include <math.h>

/* One level. While it runs, part[] holds the first part of each vertex's group. */
typedef struct level {
    memory_pool arrays; /**< owns them */
    frames f;           /* with the groups to be cut */
    int32_t *size;      /* [parts] how many parts the group has that begins with this one; 0: none does */
    int32_t *slot;      /* [parts] number of that group in `f`, -1 */
    int32_t *group;     /* [rows] that of each vertex */
    int64_t *weight;    /* [rows] */
    int64_t *sums;      /* [2 x parts] loads and vertices by first part */
    int64_t *goal;      /* [groups] weight of the first half */
    uint8_t *selected;  /* [rows] is the vertex in the first half? */
} level;

static int level_make(const inlay_graph *graph, const partition_job *job, level *l, inlay_diag *diag)
{
    size_t rows = (size_t)graph->rows, parts = (size_t)job->parts, groups = parts / 2 + 1;
    *l = (level){.f = {.graph = graph, .job = job}};
    if (groups > INT_MAX / FRAME_MOMENTS) {
        return diag_fail(diag, INLAY_OVERFLOW, "%d parts; expected fewer than 2^28", (int)job->parts);
    }
    l->size = pool_zeroed(&l->arrays, parts, sizeof *l->size);
    l->slot = pool_array(&l->arrays, parts, sizeof *l->slot);
    l->group = pool_array(&l->arrays, rows, sizeof *l->group);
    l->weight = pool_array(&l->arrays, rows, sizeof *l->weight);
    l->sums = pool_array(&l->arrays, 2 * parts, sizeof *l->sums);
    l->goal = pool_array(&l->arrays, groups, sizeof *l->goal);
    l->selected = pool_zeroed(&l->arrays, rows, sizeof *l->selected);
    l->f.frame = pool_array(&l->arrays, groups, sizeof *l->f.frame);
    l->f.moments = pool_array(&l->arrays, groups * FRAME_MOMENTS, sizeof *l->f.moments);
    if (l->arrays.failed) {
        return diag_no_memory(diag);
    }
    l->f.group = l->group;
    l->f.weight = l->weight;
    l->size[0] = job->parts;
    return INLAY_OK;
}

/* Numbers the groups to be cut, and sets what their first halves shall weigh. Where a group has no load, vertices count. */
static void begin(level *l, const int32_t *part)
{
    const inlay_graph *graph = l->f.graph;
    int32_t parts = l->f.job->parts;
    const int64_t *load = l->sums, *vertices = l->sums + parts;
    partition_weigh(graph, part, parts, l->sums, l->sums + parts);
    l->f.groups = 0;
    for (int32_t p = 0; p < parts; p++) {
        l->slot[p] = l->size[p] > 1 ? l->f.groups : -1;
        if (l->size[p] > 1) {
            int64_t weight = load[p] > 0 ? load[p] : vertices[p];
            int32_t half = l->size[p] / 2;
            l->goal[l->f.groups++] = partition_share(l->f.job, weight, p, half, l->size[p]);
        }
    }
    for (int32_t i = 0; i < graph->rows; i++) {
        l->group[i] = l->slot[part[i]];
        l->weight[i] = load[part[i]] > 0 ? row_load(graph, i) : 1;
    }
}

/* Turns each group that was cut into two. */
static void end(level *l, int32_t *part)
{
    for (int32_t i = 0; i < l->f.graph->rows; i++) {
        if (l->group[i] >= 0 && !l->selected[i]) {
            part[i] += l->size[part[i]] / 2;
        }
    }
    for (int32_t p = 0; p < l->f.job->parts; p++) {
        if (l->slot[p] >= 0) {
            int32_t half = l->size[p] / 2;
            l->size[p + half] = l->size[p] - half;
            l->size[p] = half;
        }
    }
}

enum { WORD_BITS = 62 };

/* The place of a vertex along an axis of its group, in 2^-62 of the group's length; behind the axes its global number. */
static uint64_t key(const void *context, int32_t row, int word)
{
    const frames *f = context;
    if (word == f->job->dimensions) {
        return (uint64_t)row_global(f->graph, row);
    }
    const frame *own = &f->frame[f->group[row]];
    double length = own->high[word] - own->low[word];
    double place = length > 0 ? (frames_projection(f, row, word) - own->low[word]) / length : 0;
    return (uint64_t)(fmin(fmax(place, 0), 1) * 0x1p61);
}

static int cut(level *l, inlay_diag *diag)
{
    const inlay_graph *graph = l->f.graph;
    int words = l->f.job->dimensions + 1, bits[FRAME_DIMENSIONS + 1] = {WORD_BITS, WORD_BITS, WORD_BITS, WORD_BITS};
    bits[words - 1] = 1;
    while ((graph->vertices - 1) >> bits[words - 1] > 0) {
        bits[words - 1]++;
    }
    selection s = {.comm = graph->comm,
                   .rows = graph->rows,
                   .group = l->group,
                   .weight = l->weight,
                   .groups = l->f.groups,
                   .goal = l->goal,
                   .words = words,
                   .bits = bits,
                   .key = key,
                   .context = &l->f};
    return selection_run(&s, l->selected, diag);
}

static int bisect(const inlay_graph *graph, const partition_job *job, int (*look)(frames *f, inlay_diag *diag),
                  int32_t *part, inlay_diag *diag)
{
    level l;
    int status = collective_agree(graph->comm, level_make(graph, job, &l, diag), diag);
    if (status == INLAY_OK) {
        frames_scale(&l.f);
    }
    for (int32_t i = 0; i < graph->rows; i++) {
        part[i] = 0;
    }
    for (int32_t most = job->parts; most > 1 && status == INLAY_OK; most -= most / 2) {
        begin(&l, part);
        status = look(&l.f, diag);
        status = status == INLAY_OK ? cut(&l, diag) : status;
        if (status == INLAY_OK) {
            end(&l, part);
        }
    }
    pool_clear(&l.arrays);
    return status;
}

int partition_rcb(const inlay_graph *graph, const partition_job *job, int32_t *part, inlay_diag *diag)
{
    return bisect(graph, job, frames_of_boxes, part, diag);
}

int partition_inertial(const inlay_graph *graph, const partition_job *job, int32_t *part, inlay_diag *diag)
{
    return bisect(graph, job, frames_of_inertia, part, diag);
}

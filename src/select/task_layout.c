/*
 * Lines, rings and trees within a cluster. A line follows a walk through all processors from neighbour to neighbour: a
 * snake through the mesh and Gray codes in the hypercube, which both are reflected Gray codes. Where some of them must
 * not be used, the walk is taken where it jumps least.
 */
#include "select/task_layout.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

int32_t task_distance(const inlay_metasystem_cluster *cluster, int32_t from, int32_t to)
{
    int32_t width = cluster->columns;
    int32_t apart = abs(from - to);
    switch (cluster->interconnect) {
    case INLAY_INTERCONNECT_RING: return apart < cluster->total - apart ? apart : cluster->total - apart;
    case INLAY_INTERCONNECT_MESH: return abs(from / width - to / width) + abs(from % width - to % width);
    case INLAY_INTERCONNECT_HYPERCUBE: return __builtin_popcount((unsigned)(from ^ to));
    default: return from != to;
    }
}

void task_layout_first(const inlay_metasystem_cluster *cluster, int32_t tasks, int32_t *processor)
{
    for (int32_t n = 0, i = 0; n < tasks; i++) {
        if (task_usable(cluster, i)) {
            processor[n++] = i;
        }
    }
}

/* ---- Walks ---- */

typedef enum walk { WALK_NUMBERS, WALK_ROWS, WALK_COLUMNS, WALK_GRAY } walk;

static int32_t gray(int32_t n)
{
    return n ^ n >> 1;
}

static int32_t snake(int32_t line, int32_t at, int32_t length)
{
    return line % 2 == 0 ? at : length - 1 - at;
}

/* The n-th processor of a walk. */
static int32_t walked(const inlay_metasystem_cluster *c, walk by, int32_t n)
{
    switch (by) {
    case WALK_ROWS: return n / c->columns * c->columns + snake(n / c->columns, n % c->columns, c->columns);
    case WALK_COLUMNS: return snake(n / c->rows, n % c->rows, c->rows) * c->columns + n / c->rows;
    case WALK_GRAY: return gray(n);
    default: return n;
    }
}

/* ---- Stretches of a walk ---- */

/* How tasks follow a stretch of usable processors. */
typedef enum course {
    COURSE_LINE,
    COURSE_CLOSED, /* a ring that closes from the last one to the first */
    COURSE_FOLDED  /* a ring that goes out by every second one, and back by the others */
} course;

/* What a course costs: smaller where the longest way is, of equals where the sum is. */
typedef struct stretch {
    walk walk;
    course course;
    int32_t begin; /* its place among the usable ones; behind the last comes the first */
    int32_t longest;
    int64_t sum;
} stretch;

static bool is_better(const stretch *a, const stretch *b)
{
    return a->longest != b->longest ? a->longest < b->longest : a->sum < b->sum;
}

/* The usable processors along a walk, all of them. */
typedef struct trail {
    const inlay_metasystem_cluster *cluster;
    int32_t *processor, count;
    int32_t *queue; /* 2 count, scratch: places of hops, whose lengths fall */
} trail;

/* At a place below 2 count. */
static int32_t at_place(const trail *t, int32_t place)
{
    return t->processor[place < t->count ? place : place - t->count];
}

static int32_t hop(const trail *t, int32_t from, int32_t to)
{
    return task_distance(t->cluster, at_place(t, from), at_place(t, to));
}

/* The ways of a stretch besides those from one to the next, or of a folded one to the next but one. */
static void add_ends(const trail *t, int32_t tasks, stretch *s)
{
    int32_t last = s->begin + tasks - 1;
    int32_t ends[2] = {0};
    if (s->course == COURSE_CLOSED) {
        ends[0] = hop(t, last, s->begin);
    } else if (s->course == COURSE_FOLDED) {
        ends[0] = hop(t, s->begin, s->begin + 1);
        ends[1] = hop(t, last - 1, last);
    }
    for (int i = 0; i < 2; i++) {
        s->longest = ends[i] > s->longest ? ends[i] : s->longest;
        s->sum += ends[i];
    }
}

/* Looks at every begin. `least` holds the best stretch so far. */
static void look_along(const trail *t, walk by, course how, int32_t tasks, stretch *least)
{
    const int32_t step = how == COURSE_FOLDED ? 2 : 1;
    const int32_t hops = tasks - step; /* at least 1 */
    int64_t sum = 0;
    size_t head = 0, tail = 0;
    for (int32_t at = 0; at < t->count + hops - 1; at++) {
        int32_t here = hop(t, at, at + step);
        sum += here;
        while (tail > head && hop(t, t->queue[tail - 1], t->queue[tail - 1] + step) <= here) {
            tail--;
        }
        t->queue[tail++] = at;
        int32_t begin = at - hops + 1;
        if (begin < 0) {
            continue;
        }
        head += t->queue[head] < begin;
        stretch s = {by, how, begin, hop(t, t->queue[head], t->queue[head] + step), sum};
        add_ends(t, tasks, &s);
        if (is_better(&s, least)) {
            *least = s;
        }
        sum -= hop(t, begin, begin + step);
    }
}

static void fill_trail(walk by, trail *t)
{
    int32_t count = 0;
    for (int32_t n = 0; n < t->cluster->total; n++) {
        int32_t processor = walked(t->cluster, by, n);
        if (task_usable(t->cluster, processor)) {
            t->processor[count++] = processor;
        }
    }
}

/* Of a folded stretch 0, 2, 4, ..., 5, 3, 1. */
static void take_stretch(const trail *t, const stretch *s, int32_t tasks, int32_t *processor)
{
    for (int32_t n = 0; n < tasks; n++) {
        int32_t back = 2 * (tasks - 1 - n) + 1;
        int32_t at = s->course != COURSE_FOLDED ? n : 2 * n < tasks ? 2 * n : back;
        processor[n] = at_place(t, s->begin + at);
    }
}

/* A ring has three tasks or more. */
static void lay_best_stretch(trail *t, bool ring, int32_t tasks, int32_t *processor)
{
    static const struct {
        walk first, last;
    } walks[] = {[INLAY_INTERCONNECT_RING] = {WALK_NUMBERS, WALK_NUMBERS},
                 [INLAY_INTERCONNECT_MESH] = {WALK_ROWS, WALK_COLUMNS},
                 [INLAY_INTERCONNECT_HYPERCUBE] = {WALK_GRAY, WALK_GRAY}};
    stretch least = {.longest = INT32_MAX};
    walk first = walks[t->cluster->interconnect].first, last = walks[t->cluster->interconnect].last;
    for (walk w = first; w <= last; w++) {
        fill_trail(w, t);
        if (ring) {
            look_along(t, w, COURSE_CLOSED, tasks, &least);
            look_along(t, w, COURSE_FOLDED, tasks, &least);
        } else {
            look_along(t, w, COURSE_LINE, tasks, &least);
        }
    }
    fill_trail(least.walk, t);
    take_stretch(t, &least, tasks, processor);
}

static int lay_stretch(const inlay_metasystem_cluster *cluster, bool ring, int32_t tasks, int32_t *processor)
{
    trail t = {.cluster = cluster, .count = cluster->available};
    t.processor = memory_array((size_t)cluster->total, sizeof *t.processor);
    t.queue = memory_array((size_t)cluster->total, 2 * sizeof *t.queue);
    bool whole = t.processor != NULL && t.queue != NULL;
    if (whole) {
        lay_best_stretch(&t, ring, tasks, processor);
    }
    free(t.processor);
    free(t.queue);
    return whole ? INLAY_OK : INLAY_NO_MEMORY;
}

/* ---- Lines and rings ---- */

/*
 * In a subcube a line follows the Gray codes. A ring goes out by the first half of them and comes back by the same ones
 * with the next higher bit set; of an odd one the last processor is passed over.
 */
static void lay_in_cube(const task_cube *cube, bool ring, int32_t tasks, int32_t *processor)
{
    int32_t half = (tasks + 1) / 2, side = 1;
    while (side < half) {
        side *= 2;
    }
    for (int32_t n = 0; n < tasks; n++) {
        int32_t code = !ring || n < half ? gray(n) : side | gray(2 * half - 1 - n);
        processor[n] = task_cube_at(cube, (uint32_t)code);
    }
}

static int32_t longest_way(const inlay_metasystem_cluster *cluster, int32_t tasks, const int32_t *processor)
{
    int32_t longest = 0;
    for (int32_t n = 1; n < tasks; n++) {
        int32_t way = task_distance(cluster, processor[n - 1], processor[n]);
        longest = way > longest ? way : longest;
    }
    return longest;
}

/* A cycle without its last way is a line too: it goes around processors that must not be used, where a walk jumps. */
static int lay_mesh_line(const inlay_metasystem_cluster *mesh, int32_t tasks, int32_t *processor)
{
    int status = lay_stretch(mesh, false, tasks, processor);
    int32_t longest = status == INLAY_OK ? longest_way(mesh, tasks, processor) : 0;
    if (longest <= 1) {
        return status;
    }
    int32_t *around = memory_array((size_t)tasks, sizeof *around);
    bool found = false;
    status = around != NULL ? task_cycle_find(mesh, tasks, around, &found) : INLAY_NO_MEMORY;
    if (found && longest_way(mesh, tasks, around) < longest) {
        memcpy(processor, around, (size_t)tasks * sizeof *processor);
    }
    free(around);
    return status;
}

static int lay_mesh_ring(const inlay_metasystem_cluster *mesh, int32_t tasks, int32_t *processor)
{
    bool found = false;
    int status = task_cycle_find(mesh, tasks, processor, &found);
    return status == INLAY_OK && !found ? lay_stretch(mesh, true, tasks, processor) : status;
}

int task_layout_line(const inlay_metasystem_cluster *cluster, bool ring, int32_t tasks, int32_t *processor)
{
    task_cube cube;
    if (task_is_flat(cluster) || tasks == 1) {
        task_layout_first(cluster, tasks, processor);
        return INLAY_OK;
    }
    bool closed = ring && tasks > 2;
    switch (cluster->interconnect) {
    case INLAY_INTERCONNECT_MESH:
        return closed ? lay_mesh_ring(cluster, tasks, processor) : lay_mesh_line(cluster, tasks, processor);
    case INLAY_INTERCONNECT_HYPERCUBE:
        if (task_cube_find(cluster, tasks, &cube)) {
            lay_in_cube(&cube, closed, tasks, processor);
            return INLAY_OK;
        }
        return lay_stretch(cluster, closed, tasks, processor);
    default: return lay_stretch(cluster, closed, tasks, processor);
    }
}

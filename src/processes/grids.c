/* Process grids: all shapes for a number of processes, each filled, and what is sent in it. */
#include "base/diag.h"
#include "base/memory.h"
#include "processes/grid.h"
#include "processes/plan.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct inlay_process_grids {
    inlay_process_grid *grid;
    size_t count, room;
    int32_t *processor; /* an array of all ranks for each grid */
};

/* What all shapes share. */
typedef struct plan {
    memory_pool arrays; /**< owns them */
    int64_t data[3];
    int64_t halo;
    int32_t dimensions;
    int32_t cells;
    grid_parts parts;
    int32_t *processor; /* of each part */
    int32_t *size;
    double *sent; /* scratch, of each part */
    grid_room room;
} plan;

/* ---- Result ---- */

void inlay_process_grids_free(inlay_process_grids *grids)
{
    if (grids != NULL) {
        free(grids->grid);
        free(grids->processor);
        free(grids);
    }
}

size_t inlay_process_grids_count(const inlay_process_grids *grids)
{
    return grids->count;
}

const inlay_process_grid *inlay_process_grids_at(const inlay_process_grids *grids, size_t i)
{
    return i < grids->count ? &grids->grid[i] : NULL;
}

/* ---- What is asked for ---- */

static int settle(const inlay_process_grid_options *options, plan *p, inlay_diag *diag)
{
    static const int64_t most = INT64_C(1) << 53;
    int64_t points = 1;
    p->halo = options->halo == 0 ? 1 : options->halo;
    p->dimensions = options->dimensions == 0 ? 3 : options->dimensions;
    for (int d = 0; d < 3; d++) {
        p->data[d] = options->data[d] == 0 ? 1 : options->data[d];
        if (p->data[d] < 1 || p->data[d] > most / points) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "the data grid has %" PRId64
                             " points along axis %d; expected 1 or more, and at most 2^53 of "
                             "them altogether",
                             p->data[d], d + 1);
        }
        points *= p->data[d];
    }
    if (p->halo < 1 || p->halo > most / points) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%" PRId64 " layers are exchanged; expected 1 or more, within reason", p->halo);
    }
    if (p->dimensions < 1 || p->dimensions > 3) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a process grid of %d dimensions; expected 1 to 3",
                         (int)p->dimensions);
    }
    return INLAY_OK;
}

/* A processor that has processes. */
typedef struct holder {
    int32_t processor, size;
} holder;

static int by_size(const void *a, const void *b)
{
    const holder *x = a;
    const holder *y = b;
    return x->size != y->size ? (x->size > y->size ? -1 : 1)
                              : (x->processor > y->processor) - (x->processor < y->processor);
}

/* The processors that have processes, largest first; `holders` has room for all of them. */
static void list_parts(const inlay_process_problem *problem, const inlay_process_answer *answer, plan *p,
                       holder *holders)
{
    int32_t number = 0;
    int32_t count = 0;
    for (size_t q = 0; q < problem->rows; q++) {
        for (int64_t n = 0; n < problem->row[q].count; n++, number++) {
            int64_t size = answer->share[q].each + (n < answer->share[q].extra);
            if (size > 0) {
                holders[count++] = (holder){number, (int32_t)size};
            }
        }
    }
    qsort(holders, (size_t)count, sizeof *holders, by_size);
    for (int32_t i = 0; i < count; i++) {
        p->processor[i] = holders[i].processor;
        p->size[i] = holders[i].size;
    }
    p->parts = (grid_parts){count, p->size};
}

static int plan_make(const inlay_process_problem *problem, const inlay_process_answer *answer, plan *p,
                     inlay_diag *diag)
{
    size_t parts = (size_t)answer->used;
    size_t cells = (size_t)answer->total;
    holder *holders = memory_array(parts, sizeof *holders);
    p->cells = (int32_t)answer->total;
    p->processor = pool_array(&p->arrays, parts, sizeof *p->processor);
    p->size = pool_array(&p->arrays, parts, sizeof *p->size);
    p->sent = pool_array(&p->arrays, parts, sizeof *p->sent);
    p->room = (grid_room){0};
    p->room.run = pool_array(&p->arrays, cells, sizeof *p->room.run);
    p->room.halved = pool_array(&p->arrays, cells, sizeof *p->room.halved);
    p->room.order = pool_array(&p->arrays, cells, sizeof *p->room.order);
    p->room.position = pool_array(&p->arrays, cells, sizeof *p->room.position);
    p->room.begin = pool_array(&p->arrays, parts, sizeof *p->room.begin);
    p->room.key = pool_array(&p->arrays, cells, sizeof *p->room.key);
    bool made = holders != NULL && !p->arrays.failed;
    if (made) {
        list_parts(problem, answer, p, holders);
    }
    free(holders);
    return made ? INLAY_OK : diag_no_memory(diag);
}

/* ---- Shapes ---- */

/* Whether a shape fits on the data and is not the same as one that is longer along an earlier axis. */
static bool is_wanted(const plan *p, const int64_t shape[3])
{
    int dimensions = 0;
    for (int d = 0; d < 3; d++) {
        dimensions += shape[d] > 1;
        if (shape[d] > p->data[d]) {
            return false;
        }
        for (int e = 0; e < d; e++) {
            if (p->data[e] == p->data[d] && shape[e] < shape[d]) {
                return false;
            }
        }
    }
    return dimensions <= p->dimensions;
}

static bool add_shape(inlay_process_grids *to, int64_t a, int64_t b, int64_t c)
{
    if (!memory_grow((void **)&to->grid, &to->room, to->count + 1, sizeof *to->grid)) {
        return false;
    }
    to->grid[to->count++] = (inlay_process_grid){
        .shape = {a, b, c}, .dimensions = (a > 1) + (b > 1) + (c > 1) + (a == 1 && b == 1 && c == 1)};
    return true;
}

static int list_shapes(const plan *p, inlay_process_grids *to, inlay_diag *diag)
{
    for (int64_t a = p->cells; a >= 1; a--) {
        int64_t rest = p->cells % a == 0 ? p->cells / a : 0;
        for (int64_t b = rest; b >= 1; b--) {
            int64_t shape[3] = {a, b, rest / b};
            if (rest % b == 0 && is_wanted(p, shape) && !add_shape(to, shape[0], shape[1], shape[2])) {
                return diag_no_memory(diag);
            }
        }
    }
    return to->count > 0 ? INLAY_OK
                         : diag_fail(diag, INLAY_NO_ANSWER,
                                     "no grid of %d processes in up to %d dimensions fits on %" PRId64 " x %" PRId64
                                     " x %" PRId64 " data: some axis would have more processes than data",
                                     (int)p->cells, (int)p->dimensions, p->data[0], p->data[1], p->data[2]);
}

/* ---- What is sent ---- */

/* Points along an axis of the blocks at a place: what does not divide evenly goes to the first ones. */
static double block(int64_t points, int32_t blocks, int32_t at)
{
    int64_t even = points / blocks;
    return (double)(even + (at < points % blocks));
}

static double face_of(const plan *p, const grid *g, const int32_t place[3], int axis)
{
    double points = (double)p->halo;
    for (int d = 0; d < 3; d++) {
        points *= d == axis ? 1 : block(p->data[d], g->shape[d], place[d]);
    }
    return points;
}

static void count_links(const plan *p, const grid *g, const int32_t *part, inlay_process_grid *to)
{
    int32_t neighbour[6];
    int32_t place[3];
    int axis[6];
    memset(p->sent, 0, (size_t)p->parts.count * sizeof *p->sent);
    for (int32_t cell = 0; cell < g->cells; cell++) {
        int count = grid_neighbours(g, cell, neighbour, axis);
        grid_place(g, cell, place);
        for (int n = 0; n < count; n++) {
            bool internal = part[neighbour[n]] == part[cell];
            double points = face_of(p, g, place, axis[n]);
            to->volume += points;
            to->external += internal ? 0 : points;
            p->sent[part[cell]] += internal ? 0 : points;
            to->links += neighbour[n] > cell;
            to->internal += neighbour[n] > cell && internal;
        }
    }
    for (int32_t i = 0; i < p->parts.count; i++) {
        to->busiest = fmax(to->busiest, p->sent[i]);
    }
}

/* Fills a shape; `processor` is first its placement by parts. */
static void fill(const plan *p, int32_t *processor, inlay_process_grid *to)
{
    grid g = {.cells = p->cells};
    for (int d = 0; d < 3; d++) {
        g.shape[d] = (int32_t)to->shape[d];
        g.face[d] = (double)p->halo;
        for (int e = 0; e < 3; e++) {
            g.face[d] *= e == d ? 1 : (double)p->data[e] / (double)to->shape[e];
        }
    }
    process_grid_fill(&g, &p->parts, &p->room, processor);
    count_links(p, &g, processor, to);
    for (int32_t cell = 0; cell < p->cells; cell++) {
        processor[cell] = p->processor[processor[cell]];
    }
    to->processor = processor;
}

static int by_volume(const void *a, const void *b)
{
    const inlay_process_grid *g = a;
    const inlay_process_grid *h = b;
    if (g->external != h->external) {
        return g->external < h->external ? -1 : 1;
    }
    if (g->volume != h->volume) {
        return g->volume < h->volume ? -1 : 1;
    }
    if (g->dimensions != h->dimensions) {
        return g->dimensions < h->dimensions ? -1 : 1;
    }
    for (int d = 0; d < 3; d++) {
        if (g->shape[d] != h->shape[d]) {
            return g->shape[d] > h->shape[d] ? -1 : 1;
        }
    }
    return 0;
}

static int make_grids(const plan *p, inlay_process_grids *made, inlay_diag *diag)
{
    int status = list_shapes(p, made, diag);
    if (status != INLAY_OK) {
        return status;
    }
    size_t cells = (size_t)p->cells;
    made->processor = memory_array(made->count, cells * sizeof *made->processor);
    if (made->processor == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t n = 0; n < made->count; n++) {
        fill(p, made->processor + n * cells, &made->grid[n]);
    }
    qsort(made->grid, made->count, sizeof *made->grid, by_volume);
    return INLAY_OK;
}

int inlay_process_grids_make(const inlay_process_problem *problem, const inlay_process_answer *answer,
                             const inlay_process_grid_options *options, inlay_process_grids **grids, inlay_diag *diag)
{
    DIAG_CALL(diag);
    plan p = {0};
    if (answer->total > INLAY_PROCESS_GRID_PROCESSES) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%" PRId64 " processes in a grid; expected at most %d",
                         answer->total, INLAY_PROCESS_GRID_PROCESSES);
    }
    int status = settle(options, &p, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_process_grids *made = memory_zeroed(1, sizeof *made);
    status = plan_make(problem, answer, &p, diag);
    if (status == INLAY_OK) {
        status = made == NULL ? diag_no_memory(diag) : make_grids(&p, made, diag);
    }
    pool_clear(&p.arrays);
    if (status != INLAY_OK) {
        inlay_process_grids_free(made);
        return status;
    }
    *grids = made;
    return INLAY_OK;
}

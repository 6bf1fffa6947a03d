/*
 * Cycles on a mesh. A strip of two rows is one; it grows where it goes along two processors that have two free ones
 * beside them: it goes around by those. On a mesh that is free the strip is as wide as the mesh, and growing row by row
 * reaches every even number of processors up to all of them, or all but one where both sides are odd.
 */
#include "base/memory.h"
#include "select/task_layout.h"
#include <stdlib.h>

typedef struct cycle {
    const inlay_metasystem_cluster *mesh;
    int32_t *next;  /* behind each processor in the cycle; -1: not in it */
    int32_t *queue; /* processors whose way to the next one has not been looked at, first come first served */
    size_t head, tail;
    int32_t start, size, wanted;
} cycle;

static bool is_free(const cycle *c, int32_t row, int32_t column)
{
    if (row < 0 || row >= c->mesh->rows || column < 0 || column >= c->mesh->columns) {
        return false;
    }
    int32_t processor = row * c->mesh->columns + column;
    return c->next[processor] < 0 && task_usable(c->mesh, processor);
}

/* Whether the way from a to b can go around by the two beside them, that many rows and columns away. */
static bool go_around(cycle *c, int32_t a, int32_t rows, int32_t columns)
{
    int32_t width = c->mesh->columns;
    int32_t b = c->next[a];
    if (!is_free(c, a / width + rows, a % width + columns) || !is_free(c, b / width + rows, b % width + columns)) {
        return false;
    }
    const int32_t beside[2] = {a + rows * width + columns, b + rows * width + columns};
    c->next[a] = beside[0];
    c->next[beside[0]] = beside[1];
    c->next[beside[1]] = b;
    c->queue[c->tail++] = a;
    c->queue[c->tail++] = beside[0];
    c->queue[c->tail++] = beside[1];
    c->size += 2;
    return true;
}

static void grow(cycle *c)
{
    while (c->size < c->wanted && c->head < c->tail) {
        int32_t a = c->queue[c->head++];
        bool along_row = a / c->mesh->columns == c->next[a] / c->mesh->columns;
        if (along_row ? !go_around(c, a, 1, 0) : !go_around(c, a, 0, 1)) {
            (void)(along_row ? go_around(c, a, -1, 0) : go_around(c, a, 0, -1));
        }
    }
}

/* Along the lower row and back along the upper one, as wide as the mesh is free and the cycle is to be long. */
static void lay_strip(cycle *c, int32_t row, int32_t column)
{
    int32_t width = 0;
    while (2 * width < c->wanted && is_free(c, row, column + width) && is_free(c, row + 1, column + width)) {
        width++;
    }
    c->size = 0;
    if (width < 2) {
        return;
    }
    c->size = 2 * width;
    c->start = (row + 1) * c->mesh->columns + column;
    c->head = c->tail = 0;
    int32_t upper = row * c->mesh->columns + column;
    for (int32_t k = 0; k < width; k++) {
        c->next[c->start + k] = k + 1 < width ? c->start + k + 1 : upper + k;
        c->queue[c->tail++] = c->start + k;
    }
    for (int32_t k = width - 1; k >= 0; k--) {
        c->next[upper + k] = k > 0 ? upper + k - 1 : c->start;
        c->queue[c->tail++] = upper + k;
    }
}

static void clear(cycle *c)
{
    for (int32_t n = 0, a = c->start; n < c->size; n++) {
        int32_t next = c->next[a];
        c->next[a] = -1;
        a = next;
    }
}

/* The first cycle of `wanted` processors that is found, an even number from 4 on; true where there is one. */
static bool search(cycle *c, int32_t wanted)
{
    c->wanted = wanted;
    int64_t trials = (INT64_C(1) << 24) / wanted; /* of large meshes not all begins are tried */
    for (int32_t row = 0; row + 1 < c->mesh->rows; row++) {
        for (int32_t column = 0; column + 1 < c->mesh->columns && trials > 0; column++, trials--) {
            lay_strip(c, row, column);
            grow(c);
            if (c->size == wanted) {
                return true;
            }
            clear(c);
        }
    }
    return false;
}

/* A processor beside the cycle comes in, between one that it is next to and one that is two links away. */
static bool take_one_in(cycle *c)
{
    static const int32_t sides[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    for (int32_t n = 0, a = c->start; n < c->size; n++, a = c->next[a]) {
        int32_t row = a / c->mesh->columns, column = a % c->mesh->columns;
        for (int side = 0; side < 4; side++) {
            int32_t to[2] = {row + sides[side][0], column + sides[side][1]};
            if (is_free(c, to[0], to[1])) {
                int32_t taken = to[0] * c->mesh->columns + to[1];
                c->next[taken] = c->next[a];
                c->next[a] = taken;
                c->size++;
                return true;
            }
        }
    }
    return false;
}

static bool search_any(cycle *c, int32_t tasks)
{
    if (tasks % 2 == 0) {
        return tasks >= 4 && search(c, tasks);
    }
    /* one of a larger cycle may be passed over: the way around it is of two links */
    return tasks >= 3 && (search(c, tasks + 1) || (tasks >= 5 && search(c, tasks - 1) && take_one_in(c)));
}

int task_cycle_find(const inlay_metasystem_cluster *mesh, int32_t tasks, int32_t *processor, bool *found)
{
    cycle c = {.mesh = mesh};
    c.next = memory_array((size_t)mesh->total, sizeof *c.next);
    c.queue = memory_array((size_t)mesh->total, 3 * sizeof *c.queue);
    bool whole = c.next != NULL && c.queue != NULL;
    for (int32_t i = 0; whole && i < mesh->total; i++) {
        c.next[i] = -1;
    }
    *found = whole && search_any(&c, tasks);
    for (int32_t n = 0, a = c.start; *found && n < tasks; n++, a = c.next[a]) {
        processor[n] = a;
    }
    free(c.next);
    free(c.queue);
    return whole ? INLAY_OK : INLAY_NO_MEMORY;
}

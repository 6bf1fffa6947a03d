/*
 * Reverse Cuthill-McKee (E. Cuthill, J. McKee, "Reducing the bandwidth of sparse symmetric matrices", 1969), from a vertex
 * at the edge of the graph (A. George, J. Liu, "An implementation of a pseudoperipheral node finder", 1979).
 */
#include "irregular/renumber.h"
#include "base/diag.h"
#include <stdlib.h>

/* A vertex, and how many neighbours it has: fewer first. */
typedef struct candidate {
    int64_t degree;
    int32_t row;
} candidate;

typedef struct search {
    const own_edges *edges;
    bool *seen;      /* in the order already */
    int32_t *level;  /* [rows] in a look from some vertex; -1 outside of it */
    int32_t *queue;  /* [rows] */
    candidate *next; /* [rows] */
} search;

static int64_t degree(const own_edges *e, int32_t row)
{
    return e->start[row + 1] - e->start[row];
}

static int by_degree(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->degree != y->degree ? (x->degree > y->degree) - (x->degree < y->degree)
                                  : (x->row > y->row) - (x->row < y->row);
}

/* Levels from `row` on; the last vertex of fewest neighbours is `*far`, its level is given. `level` is clean again. */
static int32_t look(search *s, int32_t row, int32_t *far)
{
    int32_t count = 1;
    s->queue[0] = row;
    s->level[row] = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t at = s->queue[i];
        for (int64_t a = s->edges->start[at]; a < s->edges->start[at + 1]; a++) {
            int32_t other = s->edges->row[a];
            if (s->level[other] < 0) {
                s->level[other] = s->level[at] + 1;
                s->queue[count++] = other;
            }
        }
    }
    int32_t depth = s->level[s->queue[count - 1]];
    *far = s->queue[count - 1];
    for (int32_t i = count - 1; i >= 0 && s->level[s->queue[i]] == depth; i--) {
        const candidate a = {degree(s->edges, s->queue[i]), s->queue[i]}, b = {degree(s->edges, *far), *far};
        *far = by_degree(&a, &b) < 0 ? s->queue[i] : *far;
    }
    for (int32_t i = 0; i < count; i++) {
        s->level[s->queue[i]] = -1;
    }
    return depth;
}

/* A vertex from which others are far: as long as that gets more, the one that is furthest. */
static int32_t find_begin(search *s, int32_t row)
{
    int32_t far = row, depth = look(s, row, &far), deeper = depth;
    do {
        int32_t next = far;
        depth = deeper;
        deeper = look(s, next, &far);
        row = next;
    } while (deeper > depth);
    return row;
}

/* Breadth first from order[count - 1] on: how many rows have a place then. */
static int32_t spread(search *s, int32_t *order, int32_t count)
{
    for (int32_t i = count - 1; i < count; i++) {
        size_t found = 0;
        for (int64_t a = s->edges->start[order[i]]; a < s->edges->start[order[i] + 1]; a++) {
            int32_t other = s->edges->row[a];
            if (!s->seen[other]) {
                s->seen[other] = true;
                s->next[found++] = (candidate){degree(s->edges, other), other};
            }
        }
        qsort(s->next, found, sizeof *s->next, by_degree);
        for (size_t k = 0; k < found; k++) {
            order[count++] = s->next[k].row;
        }
    }
    return count;
}

static void reverse(int32_t *order, int32_t count)
{
    for (int32_t i = 0, j = count - 1; i < j; i++, j--) {
        int32_t swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

int renumber_rcm(const own_edges *edges, int32_t *order, inlay_diag *diag)
{
    memory_pool arrays = {0};
    size_t rows = (size_t)edges->rows;
    int32_t *given = pool_array(&arrays, rows, sizeof *given);
    search s = {edges, pool_zeroed(&arrays, rows, sizeof *s.seen), pool_array(&arrays, rows, sizeof *s.level),
                pool_array(&arrays, rows, sizeof *s.queue), pool_array(&arrays, rows, sizeof *s.next)};
    int status = arrays.failed ? diag_no_memory(diag) : INLAY_OK;
    for (int32_t i = 0; i < edges->rows && status == INLAY_OK; i++) {
        s.level[i] = -1;
        given[i] = order[i];
    }
    for (int32_t i = 0, placed = 0; i < edges->rows && status == INLAY_OK; i++) {
        if (!s.seen[given[i]]) {
            int32_t first = placed;
            order[placed] = find_begin(&s, given[i]);
            s.seen[order[placed]] = true;
            placed = spread(&s, order, placed + 1);
            reverse(order + first, placed - first);
        }
    }
    pool_clear(&arrays);
    return status;
}

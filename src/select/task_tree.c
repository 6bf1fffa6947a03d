/*
 * Trees within a cluster: binomial where every number is a neighbour of itself with its lowest bit cleared, which is so
 * in a hypercube, and on a bus or a switch; else breadth first from where that ends soonest.
 */
#include "base/memory.h"
#include "select/task_layout.h"

static void lay_binomial(int32_t tasks, int32_t *parent)
{
    parent[0] = -1;
    for (int32_t n = 1; n < tasks; n++) {
        parent[n] = n & (n - 1);
    }
}

/* ---- Breadth first ---- */

enum { NEIGHBOURS = 32 };

static int neighbours(const inlay_metasystem_cluster *c, int32_t of, int32_t to[NEIGHBOURS])
{
    int count = 0;
    if (c->interconnect == INLAY_INTERCONNECT_RING) {
        to[count++] = of > 0 ? of - 1 : c->total - 1;
        to[count++] = of + 1 < c->total ? of + 1 : 0;
    } else if (c->interconnect == INLAY_INTERCONNECT_HYPERCUBE) {
        for (int32_t bit = 1; bit < c->total; bit *= 2) {
            to[count++] = of ^ bit;
        }
    } else {
        int32_t row = of / c->columns, column = of % c->columns;
        const int32_t beside[4][2] = {{row - 1, column}, {row, column - 1}, {row, column + 1}, {row + 1, column}};
        for (int side = 0; side < 4; side++) {
            int32_t r = beside[side][0], k = beside[side][1];
            if (r >= 0 && r < c->rows && k >= 0 && k < c->columns) {
                to[count++] = r * c->columns + k;
            }
        }
    }
    return count;
}

/* A search from one processor. */
typedef struct front {
    memory_pool arrays; /**< owns them */
    const inlay_metasystem_cluster *cluster;
    int32_t tasks;
    bool through; /* also through processors that must not be used: no task comes there, but the search goes on */
    int32_t *queue;
    int32_t *seen;                       /* the number of the search that came to each processor */
    int32_t *task;                       /* there, the task on it, or the last one on the way to it */
    int32_t search;                      /* number of this search, from 1 */
    int32_t *processor, *parent, *depth; /* of each task so far */
    int32_t placed;
} front;

static void visit(front *f, int32_t processor, int32_t from, size_t *tail)
{
    bool usable = task_usable(f->cluster, processor);
    f->seen[processor] = f->search;
    if (!usable && !f->through) {
        return;
    }
    f->task[processor] = from;
    f->queue[(*tail)++] = processor;
    if (usable) {
        f->processor[f->placed] = processor;
        f->parent[f->placed] = from;
        f->depth[f->placed] = from < 0 ? 0 : f->depth[from] + 1;
        f->task[processor] = f->placed++;
    }
}

/* Places as many tasks as it comes to; gives the depth of the tree. */
static int32_t search_from(front *f, int32_t start)
{
    size_t head = 0, tail = 0;
    f->search++;
    f->placed = 0;
    visit(f, start, -1, &tail);
    while (head < tail && f->placed < f->tasks) {
        int32_t at = f->queue[head++];
        int32_t to[NEIGHBOURS];
        int count = neighbours(f->cluster, at, to);
        for (int n = 0; n < count && f->placed < f->tasks; n++) {
            if (f->seen[to[n]] != f->search) {
                visit(f, to[n], f->task[at], &tail);
            }
        }
    }
    int32_t depth = 0;
    for (int32_t n = 0; n < f->placed; n++) {
        depth = f->depth[n] > depth ? f->depth[n] : depth;
    }
    return depth;
}

/* The start whose tree is least deep; -1 where no search comes to enough processors. */
static int32_t best_start(front *f)
{
    /* of large clusters not all starts are tried: 2^22 steps */
    int64_t starts = (INT64_C(1) << 22) / f->tasks;
    int32_t stride = (int32_t)((f->cluster->total + starts - 1) / starts);
    int32_t best = -1, least = INT32_MAX;
    for (int32_t start = 0; start < f->cluster->total; start += stride) {
        int32_t depth = task_usable(f->cluster, start) ? search_from(f, start) : INT32_MAX;
        if (depth < least && f->placed == f->tasks) {
            least = depth;
            best = start;
        }
    }
    return best;
}

static void lay_breadth_first(front *f)
{
    int32_t start = best_start(f);
    if (start < 0) {
        f->through = true;
        start = best_start(f);
    }
    for (int32_t i = 0; start < 0; i++) { /* large clusters of which few may be used: none of them was tried */
        start = task_usable(f->cluster, i) ? i : -1;
    }
    (void)search_from(f, start);
}

static int lay_searched(front *f)
{
    size_t total = (size_t)f->cluster->total;
    f->queue = pool_array(&f->arrays, total, sizeof *f->queue);
    f->seen = pool_zeroed(&f->arrays, total, sizeof *f->seen);
    f->task = pool_array(&f->arrays, total, sizeof *f->task);
    f->depth = pool_array(&f->arrays, (size_t)f->tasks, sizeof *f->depth);
    bool whole = !f->arrays.failed;
    if (whole) {
        lay_breadth_first(f);
    }
    pool_clear(&f->arrays);
    return whole ? INLAY_OK : INLAY_NO_MEMORY;
}

int task_layout_tree(const inlay_metasystem_cluster *cluster, int32_t tasks, int32_t *processor, int32_t *parent)
{
    task_cube cube;
    if (task_is_flat(cluster) || tasks == 1) {
        task_layout_first(cluster, tasks, processor);
        lay_binomial(tasks, parent);
        return INLAY_OK;
    }
    if (cluster->interconnect == INLAY_INTERCONNECT_HYPERCUBE && task_cube_find(cluster, tasks, &cube)) {
        for (int32_t n = 0; n < tasks; n++) {
            processor[n] = task_cube_at(&cube, (uint32_t)n);
        }
        lay_binomial(tasks, parent);
        return INLAY_OK;
    }
    front f = {.cluster = cluster, .tasks = tasks, .processor = processor, .parent = parent};
    return lay_searched(&f);
}

/* What no run can stay below: work by type, and bytes that have to come where memory is short. */
#include "base/heap.h"
#include "problem/work_bound.h"
#include "runtime/nodes.h"
#include <stdlib.h>

double nodes_area(const runtime_plan *p)
{
    const kinds *all = &p->kinds;
    size_t modules = (size_t)p->app->modules;
    double *time = memory_array(modules * (size_t)all->count, sizeof *time), weight[KINDS_MOST];
    inlay_id count[KINDS_MOST] = {0};
    if (time == NULL) {
        return -1;
    }
    for (size_t at = 0; at < modules * (size_t)all->count; at++) {
        time[at] = INFINITY;
    }
    for (int k = 0; k < all->count; k++) {
        weight[k] = all->kind[k].rate;
    }
    for (inlay_id k = 0; k < p->cores; k++) {
        int kind = (int)(p->processor[k].kind - all->kind);
        count[kind]++;
        for (inlay_id i = 0; p->nodes->worker[p->processor[k].host] == k && i < p->app->modules; i++) {
            bool may = (p->nodes->may[i] >> p->processor[k].host & 1) != 0;
            double *at = &time[(size_t)i * (size_t)all->count + (size_t)kind];
            *at = may ? runtime_time(p, i, k) : *at;
        }
    }
    const work_question work = {all->count, count, p->cores, p->app->modules, time};
    double bound = work_bound(&work, weight);
    free(time);
    return bound;
}

/* ---- Loads of a node, by next use ---- */

enum { NO_MORE = INT64_MAX };

/* A module in the order in which a node starts them. */
typedef struct started {
    double start;
    inlay_id rank, module; /**< in a topological order */
} started;

static int by_start(const void *a, const void *b)
{
    const started *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start ? 1 : (x->rank > y->rank) - (x->rank < y->rank);
}

/* A datum, and when it is used again, as it was said some time: what it says last holds. */
typedef struct next_use {
    int64_t at;
    inlay_id item;
} next_use;

typedef struct loads {
    const node_plan *n;
    int64_t *next; /* by use, in order: the next one of its item */
    int64_t *now;  /* of every item: its next use, NO_MORE: none */
    int64_t *here; /* bytes of every item */
    int64_t *last; /* scratch, by item */
    next_use *heap;
    size_t heaped;
    int64_t used, loaded;
} loads;

static bool before_later(const void *context, const void *a, const void *b)
{
    const next_use *x = a, *y = b;
    (void)context;
    return x->at > y->at;
}

/* Uses are numbered: of every module its inputs, then its outputs. From the last to the first. */
static void find_next(loads *l, const started *order, inlay_id count)
{
    const node_plan *n = l->n;
    int64_t uses = 0;
    for (inlay_id k = 0; k < count; k++) {
        inlay_id i = order[k].module;
        uses += n->read_begin[i + 1] - n->read_begin[i] + n->write_begin[i + 1] - n->write_begin[i];
    }
    for (inlay_id k = 0; k < n->items; k++) {
        l->last[k] = NO_MORE;
    }
    for (inlay_id k = count; k-- > 0;) {
        inlay_id i = order[k].module;
        for (int64_t w = n->write_begin[i + 1]; w-- > n->write_begin[i];) {
            l->next[--uses] = l->last[n->write[w]];
            l->last[n->write[w]] = uses;
        }
        for (int64_t d = n->read_begin[i + 1]; d-- > n->read_begin[i];) {
            l->next[--uses] = l->last[n->read[d]];
            l->last[n->read[d]] = uses;
        }
    }
}

/* A use of all of an item; then what is used last gives way, in parts if need be. */
static void use(loads *l, inlay_id item, int64_t at, bool made, int64_t capacity)
{
    const heap h = {l->heap, sizeof *l->heap, before_later, NULL};
    int64_t lacks = l->n->item[item].bytes - l->here[item];
    l->loaded += made ? 0 : lacks;
    l->used += lacks;
    l->here[item] += lacks;
    l->now[item] = l->next[at];
    l->heap[l->heaped] = (next_use){l->next[at], item};
    heap_put(h, l->heaped++);
    while (capacity >= 0 && l->used > capacity) {
        next_use last = l->heap[0];
        int64_t *here = &l->here[last.item], over = l->used - capacity;
        bool holds = l->now[last.item] == last.at;
        int64_t goes = !holds ? 0 : *here < over ? *here : over;
        *here -= goes;
        l->used -= goes;
        if (!holds || *here == 0) {
            heap_drop(h, --l->heaped);
        }
    }
}

static int64_t loads_of(loads *l, const started *order, inlay_id count, int64_t capacity, bool main)
{
    const node_plan *n = l->n;
    find_next(l, order, count);
    l->heaped = 0;
    l->used = l->loaded = 0;
    for (inlay_id k = 0; k < n->items; k++) {
        l->here[k] = main && n->item[k].producer < 0 ? n->item[k].bytes : 0;
    }
    int64_t at = 0;
    for (inlay_id k = 0; k < count; k++) {
        inlay_id i = order[k].module;
        for (int64_t d = n->read_begin[i]; d < n->read_begin[i + 1]; d++) {
            use(l, n->read[d], at++, false, capacity);
        }
        for (int64_t w = n->write_begin[i]; w < n->write_begin[i + 1]; w++) {
            use(l, n->write[w], at++, true, capacity);
        }
    }
    return l->loaded;
}

int nodes_least_loads(const runtime_plan *p, const inlay_id *place, const double *start, int64_t *bytes)
{
    const node_plan *n = p->nodes;
    memory_pool pool = {0};
    size_t items = (size_t)n->items, modules = (size_t)p->app->modules;
    size_t uses = (size_t)n->read_begin[modules] + (size_t)n->write_begin[modules];
    started *order = pool_array(&pool, modules, sizeof *order);
    loads l = {.n = n,
               .next = pool_array(&pool, uses, sizeof *l.next),
               .now = pool_array(&pool, items, sizeof *l.now),
               .here = pool_array(&pool, items, sizeof *l.here),
               .last = pool_array(&pool, items, sizeof *l.last),
               .heap = pool_array(&pool, uses, sizeof *l.heap)};
    for (inlay_id node = 0; !pool.failed && node < n->nodes; node++) {
        inlay_id count = 0;
        for (inlay_id rank = 0; rank < p->app->modules; rank++) {
            inlay_id i = p->app->topological[rank];
            if (p->processor[place[i]].host == node) {
                order[count++] = (started){start[i], rank, i};
            }
        }
        qsort(order, (size_t)count, sizeof *order, by_start);
        bytes[node] = loads_of(&l, order, count, n->capacity[node], node == n->main);
    }
    int status = pool.failed ? INLAY_NO_MEMORY : INLAY_OK;
    pool_clear(&pool);
    return status;
}

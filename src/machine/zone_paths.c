/*
 * Zones with routes in a table: the routes from a point to another one, given as such or put together from the fewest
 * links. Where several ways are as short, Floyd's and Dijkstra's algorithms take the one that they take in SimGrid.
 */
#include "machine/zone.h"
#include "base/heap.h"
#include "base/memory.h"
#include <inlay/status.h>
#include <stdlib.h>

/* ---- The table of routes ---- */

static int by_ends(const void *left, const void *right)
{
    const zone_route *a = left;
    const zone_route *b = right;
    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    if (a->to != b->to) {
        return a->to < b->to ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

const zone_route *zone_route_given(const zone *z, int32_t from, int32_t to)
{
    size_t low = z->row[from];
    size_t high = z->row[from + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (z->route[middle].to < to) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < z->row[from + 1] && z->route[low].to == to ? &z->route[low] : NULL;
}

static bool index_rows(zone *z)
{
    z->row = memory_zeroed((size_t)z->points + 1, sizeof *z->row);
    if (z->row == NULL) {
        return false;
    }
    for (size_t i = 0; i < z->routes; i++) {
        z->row[z->route[i].from + 1]++;
    }
    for (int32_t i = 0; i < z->points; i++) {
        z->row[i + 1] += z->row[i];
    }
    return true;
}

static bool same_way(const zone_tree *tree, const zone_route *a, const zone_route *b)
{
    bool same = a->from == b->from && a->to == b->to && a->gw_from == b->gw_from && a->gw_to == b->gw_to &&
                a->way.count == b->way.count;
    for (size_t i = 0; same && i < (size_t)a->way.count; i++) {
        same = tree->hop[a->way.first + i] == tree->hop[b->way.first + i];
    }
    return same;
}

/* Of sorted routes between zones that say the same the first one stays; how many go. */
static size_t drop_repeated(const zone_tree *tree, zone *z)
{
    size_t kept = 0;
    for (size_t i = 0; i < z->routes; i++) {
        if (!z->nests || kept == 0 || !same_way(tree, &z->route[kept - 1], &z->route[i])) {
            z->route[kept++] = z->route[i];
        }
    }
    size_t repeated = z->routes - kept;
    z->routes = kept;
    return repeated;
}

/* The first route of the file that says something else than an earlier one of the same ends. */
static const zone_route *find_twice(const zone *z)
{
    const zone_route *found = NULL;
    for (size_t i = 1; i < z->routes; i++) {
        const zone_route *a = &z->route[i - 1];
        const zone_route *b = &z->route[i];
        if (a->from == b->from && a->to == b->to && (found == NULL || b->order < found->order)) {
            found = b;
        }
    }
    return found;
}

/* ---- Floyd ---- */

/* Lengths of ways, INT32_MAX where there is none. */
static void floyd(const zone *z, int32_t *length)
{
    size_t n = (size_t)z->points;
    for (size_t c = 0; c < n; c++) {
        const int32_t *onward = length + c * n;
        const int32_t *before = z->before + c * n;
        for (size_t a = 0; a < n; a++) {
            int32_t there = length[a * n + c];
            if (there == INT32_MAX) {
                continue;
            }
            for (size_t b = 0; b < n; b++) {
                if (onward[b] != INT32_MAX && there + onward[b] < length[a * n + b]) {
                    length[a * n + b] = there + onward[b];
                    z->before[a * n + b] = before[b];
                }
            }
        }
    }
}

static bool fill_floyd(zone *z)
{
    size_t n = (size_t)z->points;
    int32_t *length = memory_array(n * n, sizeof *length);
    if (length == NULL) {
        return false;
    }
    for (size_t i = 0; i < n * n; i++) {
        length[i] = INT32_MAX;
    }
    for (size_t i = 0; i < z->routes; i++) {
        size_t at = (size_t)z->route[i].from * n + (size_t)z->route[i].to;
        length[at] = z->route[i].way.count;
        z->before[at] = z->route[i].from;
    }
    floyd(z, length);
    free(length);
    return true;
}

/* ---- Dijkstra ---- */

/* A point on the front: nearer ones first, then those that the file's routes named first. */
typedef struct front_point {
    int32_t length, order, point;
} front_point;

typedef struct front {
    front_point *heap;
    size_t count;
} front;

static bool nearer(const void *context, const void *left, const void *right)
{
    const front_point *a = left, *b = right;
    (void)context;
    return a->length != b->length ? a->length < b->length : a->order < b->order;
}

static void push(front *f, front_point point)
{
    f->heap[f->count] = point;
    heap_put((heap){f->heap, sizeof *f->heap, nearer, NULL}, f->count++);
}

static front_point pop(front *f)
{
    front_point least = f->heap[0];
    heap_drop((heap){f->heap, sizeof *f->heap, nearer, NULL}, --f->count);
    return least;
}

/* The points before every other one on the shortest ways from one. `f` has room for every route and one more. */
static void shortest_from(const zone *z, int32_t from, int32_t *length, int32_t *before, front *f)
{
    for (int32_t i = 0; i < z->points; i++) {
        length[i] = INT32_MAX;
        before[i] = -1;
    }
    length[from] = 0;
    push(f, (front_point){0, z->order[from], from});
    while (f->count > 0) {
        front_point at = pop(f);
        if (at.length > length[at.point]) {
            continue;
        }
        for (size_t i = z->row[at.point]; i < z->row[at.point + 1]; i++) {
            int32_t to = z->route[i].to;
            int32_t there = at.length + z->route[i].way.count;
            if (there < length[to]) {
                length[to] = there;
                before[to] = at.point;
                push(f, (front_point){there, z->order[to], to});
            }
        }
    }
}

/* Rows of `before` for some points of departure. */
static bool seek_ways(const zone *z, int32_t first, int32_t count, int32_t *before)
{
    int32_t *length = memory_array((size_t)z->points, sizeof *length);
    front f = {memory_array(z->routes + 1, sizeof *f.heap), 0};
    bool done = length != NULL && f.heap != NULL;
    for (int32_t i = 0; done && i < count; i++) {
        shortest_from(z, first + i, length, before + (size_t)i * (size_t)z->points, &f);
    }
    free(f.heap);
    free(length);
    return done;
}

/* Numbers points as the routes name them; routes still stand in the order of the file. */
static bool number_points(zone *z)
{
    z->order = memory_array((size_t)z->points, sizeof *z->order);
    if (z->order == NULL) {
        return false;
    }
    for (int32_t i = 0; i < z->points; i++) {
        z->order[i] = INT32_MAX;
    }
    int32_t next = 0;
    for (size_t i = 0; i < z->routes; i++) {
        const int32_t ends[] = {z->route[i].from, z->route[i].to};
        for (int end = 0; end < 2; end++) {
            if (z->order[ends[end]] == INT32_MAX) {
                z->order[ends[end]] = next++;
            }
        }
    }
    return true;
}

/* ---- Both ---- */

static bool find_ways(zone *z)
{
    if (z->kind == ZONE_FULL || z->points > ZONE_MAX_TABLE) {
        return true;
    }
    size_t n = (size_t)z->points;
    z->before = memory_array(n * n, sizeof *z->before);
    if (z->before == NULL) {
        return false;
    }
    for (size_t i = 0; i < n * n; i++) {
        z->before[i] = -1;
    }
    return z->kind == ZONE_FLOYD ? fill_floyd(z) : seek_ways(z, 0, z->points, z->before);
}

static int seal_zone(const zone_tree *tree, zone *z, zone_fault *fault)
{
    if (z->kind != ZONE_FULL && !number_points(z)) {
        return INLAY_NO_MEMORY;
    }
    if (z->routes > 1) {
        qsort(z->route, z->routes, sizeof *z->route, by_ends);
    }
    fault->repeated += drop_repeated(tree, z);
    fault->twice = find_twice(z);
    if (fault->twice != NULL) {
        return INLAY_BAD_INPUT;
    }
    return index_rows(z) && find_ways(z) ? INLAY_OK : INLAY_NO_MEMORY;
}

int zone_seal_routes(zone_tree *tree, zone_fault *fault)
{
    int status = INLAY_OK;
    for (size_t i = 0; i < tree->zones && status == INLAY_OK; i++) {
        zone *z = &tree->zone[i];
        if (z->kind == ZONE_FULL || z->kind == ZONE_FLOYD || z->kind == ZONE_DIJKSTRA) {
            status = seal_zone(tree, z, fault);
            fault->twice_zone = (int32_t)i;
        }
    }
    return status;
}

/* From the end back to the begin, then turned round. */
static bool collect(const zone *z, const int32_t *before, int32_t from, int32_t to, const zone_route ***path,
                    size_t *count)
{
    const zone_route **found = NULL;
    size_t length = 0;
    size_t room = 0;
    for (int32_t at = to; at != from && before[at] >= 0; at = before[at]) {
        if (!memory_grow((void **)&found, &room, length + 1, sizeof *found)) {
            free(found);
            return false;
        }
        found[length++] = zone_route_given(z, before[at], at);
    }
    for (size_t i = 0; i < length / 2; i++) {
        const zone_route *kept = found[i];
        found[i] = found[length - 1 - i];
        found[length - 1 - i] = kept;
    }
    *path = found;
    *count = length;
    return true;
}

bool zone_path(const zone *z, int32_t from, int32_t to, const zone_route ***path, size_t *count)
{
    if (z->kind == ZONE_FULL) {
        const zone_route *route = zone_route_given(z, from, to);
        *path = memory_array(1, sizeof **path);
        if (*path != NULL) {
            **path = route;
        }
        *count = route != NULL ? 1 : 0;
        return *path != NULL;
    }
    if (z->before != NULL) {
        return collect(z, z->before + (size_t)from * (size_t)z->points, from, to, path, count);
    }
    int32_t *before = memory_array((size_t)z->points, sizeof *before);
    bool done = before != NULL && seek_ways(z, from, 1, before) && collect(z, before, from, to, path, count);
    free(before);
    return done;
}

/* Task placement between clusters: the used ones are joined, and each gets a connected piece of the pattern. */
#include <inlay/task_placement.h>
#include "base/diag.h"
#include "base/memory.h"
#include "select/join.h"
#include "select/task_layout.h"
#include <math.h>
#include <stdlib.h>

struct inlay_task_placement {
    inlay_task *task;
    inlay_task_piece *piece;
    int32_t tasks, pieces;
    int32_t crossings, router_crossings;
    double cost;
};

void inlay_task_placement_free(inlay_task_placement *placement)
{
    if (placement != NULL) {
        free(placement->task);
        free(placement->piece);
        free(placement);
    }
}

/* ---- Checks ---- */

static int check_processors(const inlay_metasystem *metasystem, const int32_t *processors, inlay_diag *diag)
{
    int64_t sum = 0;
    for (size_t i = 0; i < metasystem->clusters; i++) {
        const inlay_metasystem_cluster *c = &metasystem->cluster[i];
        if (processors[i] < 0 || processors[i] > c->available) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "%d processors are asked of cluster %s; expected 0 to %d",
                             (int)processors[i], c->name, (int)c->available);
        }
        sum += processors[i];
    }
    if (sum < 1 || sum > INT32_MAX) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%lld processors are to be used; expected 1 to %d", (long long)sum,
                         INT32_MAX);
    }
    return INLAY_OK;
}

static int check(const inlay_metasystem *metasystem, inlay_pattern pattern, const int32_t *processors, double bytes,
                 const double *time, inlay_diag *diag)
{
    int status = inlay_metasystem_check(metasystem, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (inlay_pattern_name(pattern) == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "pattern %d is unknown; expected 0 to %d", (int)pattern,
                         INLAY_ALL_PATTERNS - 1);
    }
    if (!(bytes >= 0 && isfinite(bytes))) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a message has %g bytes; expected a number that is not below 0",
                         bytes);
    }
    for (size_t i = 0; time != NULL && i < metasystem->clusters; i++) {
        if (isnan(time[i])) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "the time of cluster %s is no number",
                             metasystem->cluster[i].name);
        }
    }
    return check_processors(metasystem, processors, diag);
}

/* ---- Between clusters ---- */

/* The used clusters in the order of their pieces; each but the first answers to one before it (a tree). */
typedef struct joint {
    const inlay_metasystem *metasystem;
    const int32_t *processors;
    double bytes;
    int32_t used;
    int32_t *cluster;
    int32_t *parent; /* place in `cluster` */
} joint;

static void clear_joint(joint *j)
{
    free(j->cluster);
    free(j->parent);
}

static double way_cost(const joint *j, int32_t from, int32_t to)
{
    inlay_metasystem_route way = inlay_metasystem_way(j->metasystem, from, to);
    return way.latency + (way.per_byte + way.coercion) * j->bytes;
}

static bool networks_differ(const inlay_metasystem *metasystem, int32_t a, int32_t b)
{
    return a != b && (metasystem->networks == 0 || metasystem->cluster[a].network != metasystem->cluster[b].network);
}

/* The costs of all pairs; between networks so much more that no way crosses more often than it must. NULL: no memory. */
static double *price_ways(const joint *j)
{
    size_t n = (size_t)j->used;
    double *cost = memory_array(n, n * sizeof *cost);
    double most = 0;
    for (size_t a = 0; cost != NULL && a < n; a++) {
        cost[a * n + a] = 0;
        for (size_t b = 0; b < a; b++) {
            cost[a * n + b] = cost[b * n + a] = way_cost(j, j->cluster[a], j->cluster[b]);
            most = fmax(most, cost[a * n + b]);
        }
    }
    double crossing = most > 0 ? 2 * most * (double)n : 1;
    for (size_t i = 0; cost != NULL && i < n * n; i++) {
        cost[i] += networks_differ(j->metasystem, j->cluster[i / n], j->cluster[i % n]) ? crossing : 0;
    }
    return cost;
}

/* The used cluster of the longest communication, the first of equals. */
static int32_t choose_root(const joint *j, const double *time)
{
    int32_t root = 0;
    for (int32_t n = 1; time != NULL && n < j->used; n++) {
        root = time[j->cluster[n]] > time[j->cluster[root]] ? n : root;
    }
    return root;
}

/*
 * Numbers the clusters of a tree so that each comes after its parent, with all that is below it together; of several
 * children the smallest number first.
 */
static void number_tree(int32_t count, const int32_t *parent, int32_t root, int32_t *order)
{
    int32_t placed = 0;
    int32_t at = root;
    order[placed++] = root;
    for (int32_t next = 0; placed < count;) {
        while (next < count && parent[next] != at) {
            next++;
        }
        if (next < count) {
            order[placed++] = at = next;
            next = 0;
        } else {
            next = at + 1; /* the brothers of this one */
            at = parent[at];
        }
    }
}

/* `order` and `parent` are of numbers among the used clusters; `place` is scratch. */
static void take_order(joint *j, const int32_t *order, const int32_t *parent, int32_t *place)
{
    for (int32_t n = 0; n < j->used; n++) {
        place[order[n]] = n;
    }
    for (int32_t n = 0; n < j->used; n++) {
        int32_t above = parent == NULL ? n - 1 : parent[order[n]];
        j->parent[n] = parent == NULL || above < 0 ? above : place[above];
    }
    for (int32_t n = 0; n < j->used; n++) {
        place[n] = j->cluster[order[n]];
    }
    for (int32_t n = 0; n < j->used; n++) {
        j->cluster[n] = place[n];
    }
}

static int join_clusters(joint *j, inlay_pattern pattern, const double *time)
{
    size_t n = (size_t)j->used;
    double *cost = price_ways(j);
    void *room = malloc(spmd_join_room(j->used));
    int32_t *order = memory_array(n, 3 * sizeof *order);
    bool whole = cost != NULL && room != NULL && order != NULL;
    if (whole && pattern == INLAY_PATTERN_TREE) {
        int32_t *parent = order + n;
        int32_t root = choose_root(j, time);
        (void)spmd_join_tree(j->used, cost, root, room, parent);
        number_tree(j->used, parent, root, order);
        take_order(j, order, parent, order + 2 * n);
    } else if (whole) {
        (void)spmd_join_chain(j->used, cost, room, order);
        take_order(j, order, NULL, order + 2 * n);
    }
    free(cost);
    free(room);
    free(order);
    return whole ? INLAY_OK : INLAY_NO_MEMORY;
}

static int make_joint(joint *j, inlay_pattern pattern, const double *time)
{
    j->cluster = memory_array(j->metasystem->clusters, sizeof *j->cluster);
    j->parent = memory_array(j->metasystem->clusters, sizeof *j->parent);
    if (j->cluster == NULL || j->parent == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; i < j->metasystem->clusters; i++) {
        if (j->processors[i] > 0) {
            j->cluster[j->used++] = (int32_t)i;
        }
    }
    return join_clusters(j, pattern, time);
}

/* ---- Within clusters ---- */

/* Room for the largest piece: processors, and parents as numbers within the piece. */
typedef struct numbers {
    int32_t *processor, *parent;
} numbers;

static int lay_piece(const joint *j, inlay_pattern pattern, int32_t n, const numbers *room, inlay_task_placement *made)
{
    inlay_task_piece *piece = &made->piece[n];
    const inlay_metasystem_cluster *c = &j->metasystem->cluster[j->cluster[n]];
    *piece = (inlay_task_piece){.cluster = j->cluster[n], .tasks = j->processors[j->cluster[n]]};
    piece->first = n > 0 ? made->piece[n - 1].first + made->piece[n - 1].tasks : 0;
    bool tree = pattern == INLAY_PATTERN_TREE;
    bool ring = pattern == INLAY_PATTERN_RING && j->used == 1;
    int status = tree ? task_layout_tree(c, piece->tasks, room->processor, room->parent)
                      : task_layout_line(c, ring, piece->tasks, room->processor);
    for (int32_t i = 0; i < piece->tasks && status == INLAY_OK; i++) {
        int32_t parent = piece->first + i - 1;
        if (tree) {
            parent = i > 0 ? piece->first + room->parent[i] : n > 0 ? made->piece[j->parent[n]].first : -1;
        }
        made->task[piece->first + i] = (inlay_task){piece->cluster, room->processor[i], parent};
    }
    return status;
}

static int lay_pieces(const joint *j, inlay_pattern pattern, inlay_task_placement *made)
{
    int32_t most = 0;
    for (int32_t n = 0; n < j->used; n++) {
        most = j->processors[j->cluster[n]] > most ? j->processors[j->cluster[n]] : most;
    }
    numbers room = {memory_array((size_t)most, sizeof *room.processor),
                    memory_array((size_t)most, sizeof *room.parent)};
    int status = room.processor != NULL && room.parent != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    for (int32_t n = 0; n < j->used && status == INLAY_OK; n++) {
        status = lay_piece(j, pattern, n, &room, made);
    }
    if (status == INLAY_OK && pattern == INLAY_PATTERN_RING && made->tasks > 1) {
        made->task[0].parent = made->tasks - 1;
    }
    free(room.processor);
    free(room.parent);
    return status;
}

/* ---- Figures ---- */

/* Dilation of the neighbours within a piece. */
static void measure_piece(const joint *j, const inlay_task_placement *made, inlay_task_piece *piece)
{
    int64_t sum = 0;
    int32_t neighbours = 0;
    for (int32_t t = piece->first; t < piece->first + piece->tasks; t++) {
        int32_t parent = made->task[t].parent;
        if (parent >= 0 && made->task[parent].cluster == piece->cluster) {
            int32_t hops = task_distance(&j->metasystem->cluster[piece->cluster], made->task[t].processor,
                                         made->task[parent].processor);
            piece->dilation = hops > piece->dilation ? hops : piece->dilation;
            sum += hops;
            neighbours++;
        }
    }
    piece->mean_dilation = neighbours > 0 ? (double)sum / neighbours : 0;
}

/* The longest way from the first task of a tree's piece, each parent coming before its children. */
static int measure_depth(const inlay_task_placement *made, inlay_task_piece *piece)
{
    int32_t *depth = memory_zeroed((size_t)piece->tasks, sizeof *depth);
    for (int32_t i = 1; depth != NULL && i < piece->tasks; i++) {
        depth[i] = depth[made->task[piece->first + i].parent - piece->first] + 1;
        piece->depth = depth[i] > piece->depth ? depth[i] : piece->depth;
    }
    free(depth);
    return depth != NULL ? INLAY_OK : INLAY_NO_MEMORY;
}

static void measure_crossings(const joint *j, inlay_task_placement *made)
{
    for (int32_t t = 0; t < made->tasks; t++) {
        int32_t parent = made->task[t].parent;
        int32_t here = made->task[t].cluster;
        int32_t there = parent >= 0 ? made->task[parent].cluster : here;
        if (here != there) {
            made->crossings++;
            made->router_crossings += networks_differ(j->metasystem, here, there);
            made->cost += way_cost(j, here, there);
        }
    }
}

static int measure(const joint *j, inlay_pattern pattern, inlay_task_placement *made)
{
    measure_crossings(j, made);
    int status = INLAY_OK;
    for (int32_t n = 0; n < made->pieces && status == INLAY_OK; n++) {
        measure_piece(j, made, &made->piece[n]);
        status = pattern == INLAY_PATTERN_TREE ? measure_depth(made, &made->piece[n]) : INLAY_OK;
    }
    return status;
}

/* ---- The whole ---- */

static int make(const joint *j, inlay_pattern pattern, inlay_task_placement **placement)
{
    inlay_task_placement *made = memory_zeroed(1, sizeof *made);
    if (made == NULL) {
        return INLAY_NO_MEMORY;
    }
    made->pieces = j->used;
    for (int32_t n = 0; n < j->used; n++) {
        made->tasks += j->processors[j->cluster[n]];
    }
    made->task = memory_array((size_t)made->tasks, sizeof *made->task);
    made->piece = memory_array((size_t)made->pieces, sizeof *made->piece);
    int status = made->task != NULL && made->piece != NULL ? lay_pieces(j, pattern, made) : INLAY_NO_MEMORY;
    status = status == INLAY_OK ? measure(j, pattern, made) : status;
    if (status == INLAY_OK) {
        *placement = made;
    } else {
        inlay_task_placement_free(made);
    }
    return status;
}

int inlay_task_placement_make(const inlay_metasystem *metasystem, inlay_pattern pattern, const int32_t *processors,
                              double bytes, const double *time, inlay_task_placement **placement, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = check(metasystem, pattern, processors, bytes, time, diag);
    if (status != INLAY_OK) {
        return status;
    }
    joint j = {.metasystem = metasystem, .processors = processors, .bytes = bytes};
    status = make_joint(&j, pattern, time);
    status = status == INLAY_OK ? make(&j, pattern, placement) : status;
    clear_joint(&j);
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

int32_t inlay_task_placement_tasks(const inlay_task_placement *placement)
{
    return placement->tasks;
}

const inlay_task *inlay_task_placement_at(const inlay_task_placement *placement, int32_t task)
{
    return task >= 0 && task < placement->tasks ? &placement->task[task] : NULL;
}

int32_t inlay_task_placement_pieces(const inlay_task_placement *placement)
{
    return placement->pieces;
}

const inlay_task_piece *inlay_task_placement_piece(const inlay_task_placement *placement, int32_t i)
{
    return i >= 0 && i < placement->pieces ? &placement->piece[i] : NULL;
}

int32_t inlay_task_placement_crossings(const inlay_task_placement *placement)
{
    return placement->crossings;
}

int32_t inlay_task_placement_router_crossings(const inlay_task_placement *placement)
{
    return placement->router_crossings;
}

double inlay_task_placement_cost(const inlay_task_placement *placement)
{
    return placement->cost;
}

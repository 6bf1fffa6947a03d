/*
 * Repair of a partition that has empty parts, or parts above the limit.
 *
 * Empty parts get a vertex each, out of all parts in proportion to what these can spare.
 *
 * Parts above the limit then give vertices away, in rounds. In a round each rank plans moves of its own vertices, those that
 * cost the least cut first; as ranks do not see each other's plans, they are then accepted in the order of ranks, as far as the
 * receiving parts have room and the giving ones are above the limit. Vertices move to parts that they have neighbours in; in a
 * round that follows one in which nothing could, they move to the parts that are furthest below their share.
 *
 * That ends: the lightest part weighs less than its share minus heaviest / parts while another is above the limit, which is at
 * least its share plus heaviest (1 - 1 / parts), and so it has room for any vertex; the moves into it of the lowest rank that
 * plans some are accepted. No part comes above the limit, and none becomes empty: one that gives is above it until then.
 *
 * Of several loads a vertex each has a limit, and a vertex may leave a part that is above that of any weight which the vertex
 * has some of, for one where what all parts are above their limits is less then. What lower ranks plan is counted such that
 * more of it can only make a move better, so that each round lowers that sum; where no move can, the repair ends.
 */
#include "irregular/partition/partitioner.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/exchange/neighbours.h"
#include <stdlib.h>
#include <string.h>

/* A vertex of a part above the limit, and where it could go. */
typedef struct move {
    int64_t gain; /* what the cut loses by it; may be negative */
    int32_t row, to;
} move;

typedef struct repair {
    const inlay_graph *graph;
    const partition_job *job;
    int32_t *part;
    int32_t weights;
    int64_t *load;     /* [parts x weights], as the next three; of all ranks; all are in `sums` */
    int64_t *out, *in; /* loads that this rank moves in a round */
    int64_t *before;   /* [2 x parts x weights] those of lower ranks: out, then in */
    int64_t *vertices; /* [parts] of all ranks */
    int64_t *sums;
    int64_t *bond;    /* [parts] weight of the edges between a vertex and the part */
    int32_t *touched; /* [parts] parts with a bond */
    move *moves;      /* [rows] */
    int32_t planned;
    neighbours n;
} repair;

static void repair_clear(repair *r)
{
    free(r->sums);
    free(r->bond);
    free(r->touched);
    free(r->moves);
    neighbours_clear(&r->n);
}

static int repair_make(repair *r, inlay_diag *diag)
{
    size_t parts = (size_t)r->job->parts, all = parts * (size_t)r->weights;
    r->sums = memory_zeroed(5 * all + parts, sizeof *r->sums);
    if (r->sums == NULL) {
        return diag_no_memory(diag);
    }
    r->load = r->sums;
    r->out = r->sums + all;
    r->in = r->sums + 2 * all;
    r->before = r->sums + 3 * all;
    r->vertices = r->sums + 5 * all;
    return INLAY_OK;
}

/* ---- Empty parts ---- */

/* floor(a x b / c), a <= c. */
static int64_t share(int64_t a, int64_t b, int64_t c)
{
    return (int64_t)((unsigned __int128)a * (unsigned __int128)b / (unsigned __int128)c);
}

/* Of the vertices that go to empty parts, which lie in `empty[]`, part p gives numbers given[p] .. given[p + 1] - 1. */
static void plan_fill(const repair *r, int32_t empty, int64_t *given)
{
    int32_t parts = r->job->parts;
    int64_t spare = r->graph->vertices - (parts - empty), sum = 0;
    for (int32_t p = 0; p < parts; p++) {
        given[p] = share(sum, empty, spare);
        sum += r->vertices[p] > 0 ? r->vertices[p] - 1 : 0;
    }
    given[parts] = empty;
}

/* The first vertices of each part, in the order of ranks and rows, are given. */
static void fill(repair *r, const int32_t *empty, const int64_t *given)
{
    int32_t parts = r->job->parts;
    int64_t *mine = r->out, *next = r->in; /* vertices of each part: of this rank, and before the next one */
    memset(mine, 0, (size_t)parts * sizeof *mine);
    memset(next, 0, (size_t)parts * sizeof *next);
    for (int32_t i = 0; i < r->graph->rows; i++) {
        mine[r->part[i]]++;
    }
    MPI_Exscan(mine, next, parts, MPI_INT64_T, MPI_SUM, r->graph->comm);
    for (int32_t i = 0; i < r->graph->rows; i++) {
        int32_t p = r->part[i];
        int64_t number = given[p] + next[p]++;
        if (number < given[p + 1]) {
            r->part[i] = empty[number];
        }
    }
}

static int fill_empty(repair *r, inlay_diag *diag)
{
    int32_t parts = r->job->parts, found = 0;
    int32_t *empty = memory_array((size_t)parts, sizeof *empty);
    int64_t *given = memory_array((size_t)parts + 1, sizeof *given);
    int status =
        collective_agree(r->graph->comm, empty == NULL || given == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    for (int32_t p = 0; p < parts && status == INLAY_OK; p++) {
        if (r->vertices[p] == 0) {
            empty[found++] = p;
        }
    }
    if (found > 0) {
        plan_fill(r, found, given);
        fill(r, empty, given);
        partition_weigh(r->graph, r->part, parts, r->load, r->vertices);
        diag_warn(diag, "%s left %d of %d parts empty; each has got one vertex", r->job->method, (int)found,
                  (int)parts);
    }
    free(empty);
    free(given);
    return status;
}

/* ---- Parts above the limit ---- */

/* Where the numbers of a part begin in arrays of loads. */
static ptrdiff_t at(const repair *r, int32_t part)
{
    return (ptrdiff_t)part * r->weights;
}

static int64_t limit_of(const repair *r, int32_t part, int32_t weight)
{
    return partition_limit(partition_weight(r->job, weight), part);
}

static bool above(const repair *r, int32_t part)
{
    bool any = false;
    for (int32_t w = 0; w < r->weights; w++) {
        any = any || r->load[at(r, part) + w] > limit_of(r, part, w);
    }
    return any;
}

/* Whether a part, without what it gives away for certain and by plan, is above the limit of a weight that a row has some of. */
static bool gives(const repair *r, int32_t part, int32_t row)
{
    bool any = false;
    for (int32_t w = 0; w < r->weights; w++) {
        ptrdiff_t i = at(r, part) + w;
        any = any || (r->load[i] - r->before[i] - r->out[i] > limit_of(r, part, w) && row_weight(r->graph, row, w) > 0);
    }
    return any;
}

/* Whether it has room for all loads of a row, beside what it gets for certain and by plan. */
static bool has_room(const repair *r, int32_t part, int32_t row)
{
    bool all = true;
    for (int32_t w = 0; w < r->weights; w++) {
        ptrdiff_t i = at(r, part) + w;
        int64_t then = r->load[i] + r->before[at(r, r->job->parts) + i] + r->in[i] + row_weight(r->graph, row, w);
        all = all && then <= limit_of(r, part, w);
    }
    return all;
}

static int32_t parts_above(const repair *r)
{
    int32_t count = 0;
    for (int32_t p = 0; p < r->job->parts; p++) {
        count += above(r, p);
    }
    return count;
}

/* Sums the edges of a row by part; how many parts are touched. */
static int32_t find_bonds(repair *r, int32_t row)
{
    int32_t count = 0;
    for (int64_t a = r->graph->start[row]; a < r->graph->start[row + 1]; a++) {
        int32_t p = neighbours_number(&r->n, a);
        if (r->bond[p] == 0) {
            r->touched[count++] = p;
        }
        r->bond[p] += r->graph->weight == NULL ? 1 : r->graph->weight[a];
    }
    return count;
}

static int64_t over(const repair *r, int32_t weight, int64_t amount)
{
    return amount > 0 ? partition_scaled(r->job, weight, amount) : 0;
}

/* By how much a move lowers what several weights are above the limits; 0 or less: it may not, or by what rounding can be. */
static int64_t decrease(const repair *r, int32_t from, int32_t to, int32_t row)
{
    int64_t less = 0;
    for (int32_t w = 0; w < r->weights; w++) {
        ptrdiff_t i = at(r, from) + w, j = at(r, to) + w;
        int64_t load = row_weight(r->graph, row, w),
                left = r->load[i] - r->before[i] - r->out[i] - limit_of(r, from, w);
        int64_t there = r->load[j] + r->before[at(r, r->job->parts) + j] + r->in[j] - limit_of(r, to, w);
        less += over(r, w, left) - over(r, w, left - load) + over(r, w, there) - over(r, w, there + load);
    }
    return less - 2 * (int64_t)r->weights;
}

static bool may_take(const repair *r, int32_t from, int32_t to, int32_t row)
{
    return r->weights == 1 ? has_room(r, to, row) : decrease(r, from, to, row) > 0;
}

/* The part with room that has the strongest bond with the row; -1: none. `far`: any part will do, and none is chosen. */
static move find_move(repair *r, int32_t row, bool far)
{
    int32_t best = -1, count = find_bonds(r, row);
    int64_t own = r->bond[r->part[row]];
    for (int32_t i = 0; i < count && !far; i++) {
        int32_t p = r->touched[i];
        if (p != r->part[row] && may_take(r, r->part[row], p, row) && (best < 0 || r->bond[p] > r->bond[best])) {
            best = p;
        }
    }
    move m = {(best < 0 ? 0 : r->bond[best]) - own, row, best};
    for (int32_t i = 0; i < count; i++) {
        r->bond[r->touched[i]] = 0;
    }
    return m;
}

static int best_first(const void *a, const void *b)
{
    const move *x = a, *y = b;
    return x->gain != y->gain ? (x->gain < y->gain) - (x->gain > y->gain) : (x->row > y->row) - (x->row < y->row);
}

/* All moves that could help, the best first. */
static void list_moves(repair *r, bool far)
{
    r->planned = 0;
    memset(r->out, 0, 4 * (size_t)at(r, r->job->parts) * sizeof *r->out); /* in and before, too */
    for (int32_t i = 0; i < r->graph->rows; i++) {
        if (gives(r, r->part[i], i)) {
            move m = find_move(r, i, far);
            if (far || m.to >= 0) {
                r->moves[r->planned++] = m;
            }
        }
    }
    qsort(r->moves, (size_t)r->planned, sizeof *r->moves, best_first);
}

/* What a part weighs above its share, with what this rank has planned to move there; by the weight that is worst off. */
static int64_t surplus(const repair *r, int32_t part)
{
    int64_t most = INT64_MIN;
    for (int32_t w = 0; w < r->weights; w++) {
        ptrdiff_t i = at(r, part) + w;
        int64_t more = r->load[i] + r->in[i] - partition_goal(partition_weight(r->job, w), part);
        more = partition_scaled(r->job, w, more);
        most = more > most ? more : most;
    }
    return most;
}

/* What a row adds to that at most. */
static int64_t weight_of(const repair *r, int32_t row)
{
    int64_t most = 0;
    for (int32_t w = 0; w < r->weights; w++) {
        int64_t more = partition_scaled(r->job, w, row_weight(r->graph, row, w));
        most = more > most ? more : most;
    }
    return most;
}

static int32_t lightest(const repair *r)
{
    int32_t best = 0;
    for (int32_t p = 1; p < r->job->parts; p++) {
        best = surplus(r, p) < surplus(r, best) ? p : best;
    }
    return best;
}

/* Of several weights: the part where a row lowers most what is above the limits; of equal ones that which is lightest. */
static int32_t best_far(const repair *r, int32_t row, int32_t light)
{
    int32_t best = light;
    int64_t most = light == r->part[row] ? 0 : decrease(r, r->part[row], light, row);
    for (int32_t p = 0; p < r->job->parts; p++) {
        int64_t now = p == r->part[row] ? 0 : decrease(r, r->part[row], p, row);
        if (now > most) {
            most = now;
            best = p;
        }
    }
    return best;
}

/* Keeps of the list what is enough and has room; loads of lower ranks come first, by before[]. */
static void choose_moves(repair *r, bool far)
{
    int32_t kept = 0, light = far ? lightest(r) : 0;
    memset(r->out, 0, 2 * (size_t)at(r, r->job->parts) * sizeof *r->out);
    for (int32_t i = 0; i < r->planned; i++) {
        move m = r->moves[i];
        int32_t from = r->part[m.row];
        if (far && surplus(r, light) + weight_of(r, m.row) > 0) {
            light = lightest(r);
        }
        m.to = !far ? m.to : r->weights == 1 ? light : best_far(r, m.row, light);
        if (from != m.to && gives(r, from, m.row) && may_take(r, from, m.to, m.row)) {
            for (int32_t w = 0; w < r->weights; w++) {
                r->out[at(r, from) + w] += row_weight(r->graph, m.row, w);
                r->in[at(r, m.to) + w] += row_weight(r->graph, m.row, w);
            }
            r->moves[kept++] = m;
        }
    }
    r->planned = kept;
}

/* One round: plans, accepts and makes moves; how many, of all ranks. */
static int64_t shed(repair *r, bool far)
{
    int32_t parts = r->job->parts;
    size_t all = (size_t)at(r, parts);
    list_moves(r, far);
    choose_moves(r, far);
    for (int32_t w = 0; w < r->weights; w++) { /* a piece at a time: MPI counts in 32 bits */
        ptrdiff_t piece = (ptrdiff_t)w * 2 * parts;
        MPI_Exscan(r->out + piece, r->before + piece, 2 * parts, MPI_INT64_T, MPI_SUM, r->graph->comm);
    }
    if (collective_rank(r->graph->comm) == 0) {
        memset(r->before, 0, 2 * all * sizeof *r->before);
    }
    choose_moves(r, false); /* as chosen, as far as lower ranks leave room */
    for (int32_t i = 0; i < r->planned; i++) {
        r->part[r->moves[i].row] = r->moves[i].to;
    }
    partition_weigh(r->graph, r->part, parts, r->load, r->vertices);
    return collective_sum(r->graph->comm, r->planned);
}

static int prepare_shed(repair *r, inlay_diag *diag)
{
    size_t parts = (size_t)r->job->parts;
    r->bond = memory_zeroed(parts, sizeof *r->bond);
    r->touched = memory_array(parts, sizeof *r->touched);
    r->moves = memory_array((size_t)r->graph->rows, sizeof *r->moves);
    bool there = r->bond != NULL && r->touched != NULL && r->moves != NULL;
    int status = collective_agree(r->graph->comm, there ? INLAY_OK : diag_no_memory(diag), diag);
    return status == INLAY_OK ? neighbours_make(r->graph, &r->n, diag) : status;
}

static int shed_load(repair *r, inlay_diag *diag)
{
    int32_t heavy = parts_above(r);
    if (heavy == 0) {
        return INLAY_OK;
    }
    int status = prepare_shed(r, diag);
    int64_t moved = 0;
    bool far = false, stuck = false;
    while (status == INLAY_OK && parts_above(r) > 0 && !stuck) {
        status = neighbours_fetch(r->graph, &r->n, r->part, diag);
        if (status == INLAY_OK) {
            int64_t now = shed(r, far);
            stuck = far && now == 0;
            far = now == 0;
            moved += now;
        }
    }
    if (status == INLAY_OK && moved > 0) {
        diag_warn(diag, "%s made %d of %d parts too heavy; %lld vertices were moved out of them", r->job->method,
                  (int)heavy, (int)r->job->parts, (long long)moved);
    }
    return status;
}

int partition_repair(const inlay_graph *graph, const partition_job *job, int32_t *part, inlay_diag *diag)
{
    repair r = {.graph = graph, .job = job, .part = part, .weights = job->weights};
    int status = collective_agree(graph->comm, repair_make(&r, diag), diag);
    if (status == INLAY_OK) {
        partition_weigh(graph, part, job->parts, r.load, r.vertices);
        status = fill_empty(&r, diag);
    }
    status = status == INLAY_OK ? shed_load(&r, diag) : status;
    repair_clear(&r);
    return status;
}

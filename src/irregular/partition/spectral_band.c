/* The band around a cut: found breadth first, gathered, improved, handed back. */
#include "irregular/partition/spectral_band.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/partition/spectral_sweep.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH = 4,      /* edges from the cut, at most */
    AWAY = 127,     /* distance of vertices that are not in the band */
    SMALLEST = 4000 /* vertices that any band may have */
};

/* Some times the separator of a cube with as many vertices. */
static int64_t most_vertices(const spectral_level *g)
{
    int64_t side = 1;
    while (side * side * side < g->vertices) {
        side++;
    }
    int64_t most = 8 * side * side;
    return most < SMALLEST ? SMALLEST : most;
}

/* ---- Who is in the band ---- */

/* How much of the weight of its edges leads to the other side: -1 none, 1 all. */
static double pull(const spectral_level *g, const uint8_t *side, int32_t i)
{
    double gain = 0;
    for (int64_t a = g->start[i]; a < g->start[i + 1]; a++) {
        gain += (double)(side[g->column[a]] == side[i] ? -g->weight[a] : g->weight[a]);
    }
    return g->degree[i] > 0 ? gain / g->degree[i] : -1;
}

/* Of more vertices at the cut than there is room for, those that are pulled most. */
static void keep_pulled(const spectral_level *g, const uint8_t *side, int64_t most, uint8_t *distance)
{
    enum { CLASSES = 256 };
    int64_t count[CLASSES + 1] = {0};
    for (int32_t i = 0; i < g->rows; i++) {
        if (distance[i] == 0) {
            count[(int)((pull(g, side, i) + 1) * (CLASSES / 2.0))]++;
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, count, CLASSES + 1, MPI_INT64_T, MPI_SUM, g->comm);
    int least = CLASSES + 1;
    for (int64_t sum = 0; least > 0 && sum + count[least - 1] <= most; least--) {
        sum += count[least - 1];
    }
    for (int32_t i = 0; i < g->rows; i++) {
        if (distance[i] == 0 && (int)((pull(g, side, i) + 1) * (CLASSES / 2.0)) < least) {
            distance[i] = AWAY;
        }
    }
}

/* The vertices at distance `hop`, given those nearer; how many of all ranks. */
static int64_t reach(const spectral_level *g, const uint8_t *side, int hop, uint8_t *distance)
{
    int64_t found = 0;
    for (int32_t i = 0; i < g->rows; i++) {
        bool near = false;
        for (int64_t a = g->start[i]; distance[i] == AWAY && !near && a < g->start[i + 1]; a++) {
            int32_t j = g->column[a];
            near = hop == 0 ? side[j] != side[i] : distance[j] == hop - 1;
        }
        if (near) {
            distance[i] = (uint8_t)hop;
            found++;
        }
    }
    return g->ranks > 1 ? collective_sum(g->comm, found) : found;
}

/* distance[rows + ghosts] of the band's vertices; AWAY elsewhere. A graph that has room for all is all band. */
static void find_band(const spectral_level *g, const uint8_t *side, uint8_t *distance)
{
    int64_t most = most_vertices(g), found = 0;
    bool all = g->vertices <= most && g->ranks == 1;
    memset(distance, all ? 0 : AWAY, (size_t)g->rows + (size_t)g->ghosts);
    for (int hop = 0; hop < DEPTH && !all; hop++) {
        int64_t more = reach(g, side, hop, distance);
        if (hop == 0 && more > most) {
            keep_pulled(g, side, most, distance);
        }
        bool full = found + more > most;
        for (int32_t i = 0; i < g->rows && full && hop > 0; i++) {
            distance[i] = distance[i] == hop ? AWAY : distance[i];
        }
        spectral_share(g, distance, 1);
        if (full || more == 0) {
            break;
        }
        found += more;
    }
}

/* ---- Gathering it ---- */

/* A vertex of the band as it is sent; its edges within the band follow as spectral_arc. */
typedef struct member {
    int64_t load, outside[2], arcs, side;
} member;

/* name[rows + ghosts]: numbers within the band, -1 outside. */
static void name_members(const spectral_level *g, const uint8_t *distance, int64_t *name)
{
    int64_t mine = 0;
    for (int32_t i = 0; i < g->rows; i++) {
        mine += distance[i] != AWAY;
    }
    int64_t next = g->ranks > 1 ? collective_before(g->comm, mine) : 0;
    for (int32_t i = 0; i < g->rows; i++) {
        name[i] = distance[i] != AWAY ? next++ : -1;
    }
    spectral_share(g, name, sizeof *name);
}

/* What this rank has of the band. */
static void pack(const spectral_level *g, const uint8_t *side, const int64_t *name, member *members, spectral_arc *arcs)
{
    for (int32_t i = 0; i < g->rows; i++) {
        if (name[i] < 0) {
            continue;
        }
        member m = {.load = g->load[i], .side = side[i]};
        for (int64_t a = g->start[i]; a < g->start[i + 1]; a++) {
            int32_t j = g->column[a];
            if (name[j] < 0) {
                m.outside[side[j]] += g->weight[a];
            } else {
                arcs[m.arcs++] = (spectral_arc){name[j], g->weight[a]};
            }
        }
        arcs += m.arcs;
        *members++ = m;
    }
}

/* count[0] members and count[1] arcs of this rank. */
static void count_band(const spectral_level *g, const int64_t *name, int64_t count[2])
{
    count[0] = count[1] = 0;
    for (int32_t i = 0; i < g->rows; i++) {
        for (int64_t a = g->start[i]; name[i] >= 0 && a < g->start[i + 1]; a++) {
            count[1] += name[g->column[a]] >= 0;
        }
        count[0] += name[i] >= 0;
    }
}

/* All ranks' entries of `bytes` bytes, in their order: count[r] of rank r. `*all` comes back. */
static int gather_all(MPI_Comm comm, const void *mine, const int64_t *count, int64_t sum, size_t bytes, void **all,
                      inlay_diag *diag)
{
    int ranks = collective_ranks(comm);
    int *counts = memory_array(2 * (size_t)ranks, sizeof *counts);
    void *gathered = memory_array((size_t)sum, bytes);
    bool room = counts != NULL && gathered != NULL;
    int status = room ? INLAY_OK : diag_no_memory(diag);
    if (room && sum > INT_MAX) {
        status = diag_fail(diag, INLAY_OVERFLOW, "the band around a cut has 2^31 edges or more");
    }
    status = collective_agree(comm, status, diag);
    if (status == INLAY_OK && room) {
        for (int r = 0, place = 0; r < ranks; r++) {
            counts[r] = (int)count[r];
            counts[ranks + r] = place;
            place += counts[r];
        }
        MPI_Datatype type;
        MPI_Type_contiguous((int)bytes, MPI_BYTE, &type);
        MPI_Type_commit(&type);
        MPI_Allgatherv(mine, counts[collective_rank(comm)], type, gathered, counts, counts + ranks, type, comm);
        MPI_Type_free(&type);
        *all = gathered;
        gathered = NULL;
    }
    free(gathered);
    free(counts);
    return status;
}

static int unpack(const member *members, int64_t count, const spectral_arc *arcs, int64_t arc_count,
                  spectral_band *band, inlay_diag *diag)
{
    size_t n = (size_t)count;
    *band = (spectral_band){.vertices = (int32_t)count};
    band->start = pool_array(&band->arrays, n + 1, sizeof *band->start);
    band->neighbour = pool_array(&band->arrays, (size_t)arc_count, sizeof *band->neighbour);
    band->weight = pool_array(&band->arrays, (size_t)arc_count, sizeof *band->weight);
    band->load = pool_array(&band->arrays, n, sizeof *band->load);
    band->outside[0] = pool_array(&band->arrays, n, sizeof *band->outside[0]);
    band->outside[1] = pool_array(&band->arrays, n, sizeof *band->outside[1]);
    band->side = pool_array(&band->arrays, n, sizeof *band->side);
    if (band->arrays.failed) {
        return diag_no_memory(diag);
    }
    band->start[0] = 0;
    for (size_t v = 0; v < n; v++) {
        band->start[v + 1] = band->start[v] + members[v].arcs;
        band->load[v] = members[v].load;
        band->outside[0][v] = members[v].outside[0];
        band->outside[1][v] = members[v].outside[1];
        band->side[v] = (uint8_t)members[v].side;
    }
    for (int64_t a = 0; a < arc_count; a++) {
        band->neighbour[a] = (int32_t)arcs[a].column;
        band->weight[a] = arcs[a].weight;
    }
    return INLAY_OK;
}

/* members[ranks] and arcs[ranks], of each rank, and their sums. */
typedef struct sizes {
    int64_t *members, *arcs, all_members, all_arcs;
} sizes;

/* Of this rank's count. */
static void sum_sizes(const spectral_level *g, const int64_t count[2], sizes *s)
{
    MPI_Allgather(&count[0], 1, MPI_INT64_T, s->members, 1, MPI_INT64_T, g->comm);
    MPI_Allgather(&count[1], 1, MPI_INT64_T, s->arcs, 1, MPI_INT64_T, g->comm);
    s->all_members = s->all_arcs = 0;
    for (int r = 0; r < g->ranks; r++) {
        s->all_members += s->members[r];
        s->all_arcs += s->arcs[r];
    }
}

static int gather_packed(const spectral_level *g, const member *members, const spectral_arc *arcs, const sizes *s,
                         spectral_band *band, inlay_diag *diag)
{
    if (g->ranks == 1) {
        return unpack(members, s->all_members, arcs, s->all_arcs, band, diag);
    }
    void *all_members = NULL, *all_arcs = NULL;
    int status = gather_all(g->comm, members, s->members, s->all_members, sizeof *members, &all_members, diag);
    if (status == INLAY_OK) {
        status = gather_all(g->comm, arcs, s->arcs, s->all_arcs, sizeof *arcs, &all_arcs, diag);
    }
    if (status == INLAY_OK) {
        status = unpack(all_members, s->all_members, all_arcs, s->all_arcs, band, diag);
        status = collective_agree(g->comm, status, diag);
    }
    free(all_members);
    free(all_arcs);
    return status;
}

/* The band, whole on each rank. */
static int gather_band(const spectral_level *g, const uint8_t *side, const int64_t *name, spectral_band *band,
                       inlay_diag *diag)
{
    int64_t count[2];
    count_band(g, name, count);
    member *members = memory_array((size_t)count[0], sizeof *members);
    spectral_arc *arcs = memory_array((size_t)count[1], sizeof *arcs);
    int64_t *counts = memory_array(2 * (size_t)g->ranks, sizeof *counts);
    bool room = members != NULL && arcs != NULL && counts != NULL;
    int status = collective_agree(g->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status == INLAY_OK && room) {
        sizes s = {.members = counts, .arcs = counts + g->ranks};
        sum_sizes(g, count, &s);
        pack(g, side, name, members, arcs);
        status = gather_packed(g, members, arcs, &s, band, diag);
    }
    free(members);
    free(arcs);
    free(counts);
    return status;
}

/* ---- Improving it ---- */

/* The tries of this rank; the best sides into best[vertices]. */
static int try_here(const spectral_level *g, const spectral_band *band, const spectral_goal *goal,
                    const int64_t load[2], int64_t cut, uint64_t seed, int tries, uint8_t *best, spectral_worth *worth,
                    inlay_diag *diag)
{
    uint8_t *side = memory_array((size_t)band->vertices, sizeof *side);
    int status = side == NULL ? diag_no_memory(diag) : INLAY_OK;
    for (int t = g->rank; t < tries && status == INLAY_OK; t += g->ranks) {
        spectral_worth reached;
        status = spectral_fm(band, goal, load, cut, seed, t, side, &reached, diag);
        if (status == INLAY_OK && spectral_better(reached, *worth)) {
            *worth = reached;
            memcpy(best, side, (size_t)band->vertices);
        }
    }
    free(side);
    return status;
}

/* The rank with the best of all; the lowest of several. */
static int best_rank(const spectral_level *g, spectral_worth *worth, spectral_worth *all)
{
    MPI_Allgather(worth, 3, MPI_INT64_T, all, 3, MPI_INT64_T, g->comm);
    int best = 0;
    for (int r = 1; r < g->ranks; r++) {
        best = spectral_better(all[r], all[best]) ? r : best;
    }
    *worth = all[best];
    return best;
}

/* One round; *worth is that of `side` before and after. */
static int improve_band(const spectral_level *g, const spectral_band *band, const spectral_goal *goal,
                        const int64_t load[2], uint64_t seed, int tries, const int64_t *name, uint8_t *side,
                        spectral_worth *worth, inlay_diag *diag)
{
    uint8_t *best = memory_array((size_t)band->vertices, sizeof *best);
    spectral_worth *all = memory_array((size_t)g->ranks, sizeof *all);
    int status = best != NULL && all != NULL ? INLAY_OK : diag_no_memory(diag);
    if (status == INLAY_OK) {
        memcpy(best, band->side, (size_t)band->vertices);
        status = try_here(g, band, goal, load, worth->cut, seed, tries, best, worth, diag);
    }
    status = collective_agree(g->comm, status, diag);
    if (status == INLAY_OK) {
        MPI_Bcast(best, band->vertices, MPI_UINT8_T, best_rank(g, worth, all), g->comm);
        for (int32_t i = 0; i < g->rows; i++) {
            side[i] = name[i] < 0 ? side[i] : best[name[i]];
        }
        spectral_share(g, side, 1);
    }
    free(best);
    free(all);
    return status;
}

static int improve_once(const spectral_level *g, const spectral_goal *goal, uint64_t seed, int tries, uint8_t *distance,
                        int64_t *name, uint8_t *side, spectral_worth *worth, inlay_diag *diag)
{
    int64_t load[2];
    *worth = spectral_evaluate(g, goal, side, load);
    find_band(g, side, distance);
    name_members(g, distance, name);
    spectral_band band = {0};
    int status = gather_band(g, side, name, &band, diag);
    status = status == INLAY_OK ? improve_band(g, &band, goal, load, seed, tries, name, side, worth, diag) : status;
    spectral_band_clear(&band);
    return status;
}

int spectral_improve(const spectral_level *level, const spectral_goal *goal, uint64_t seed, int tries, uint8_t *side,
                     spectral_worth *worth, inlay_diag *diag)
{
    enum { ROUNDS = 4 };
    size_t all = (size_t)level->rows + (size_t)level->ghosts;
    uint8_t *distance = memory_array(all, sizeof *distance);
    int64_t *name = memory_array(all, sizeof *name);
    bool room = distance != NULL && name != NULL;
    int status = collective_agree(level->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    bool better = status == INLAY_OK;
    for (int round = 0; round < ROUNDS && better; round++) {
        spectral_worth now;
        status = improve_once(level, goal, seed + (uint64_t)round, tries, distance, name, side, &now, diag);
        better = status == INLAY_OK && (round == 0 || spectral_better(now, *worth));
        *worth = now;
    }
    free(distance);
    free(name);
    return status;
}

/*
 * H. Simon, Partitioning of unstructured problems for parallel processing, 1991, in the multilevel form of S. Barnard and
 * H. Simon, 1993: the vector of a small graph, carried from level to level, is improved at each, and so is the cut.
 */
#include "irregular/partition/spectral_bisect.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/partition/spectral_band.h"
#include "irregular/partition/spectral_coarsen.h"
#include "irregular/partition/spectral_fiedler.h"
#include "irregular/partition/spectral_sweep.h"
#include <stdlib.h>
#include <string.h>

enum {
    GATHERED = 2000, /* vertices of a graph that each rank has whole */
    SMALLEST = 60,   /* vertices of the smallest */
    TRIES = 2,       /* ways down from the gathered graph */
    BAND_TRIES = 1,
    SMALLEST_TRIES = 12,
    CYCLES = 1, /* ways down and up again, by levels that keep the cut */
    STEPS = 10, /* of the eigensolver on a level; on the smallest MOST_STEPS */
    MOST_STEPS = 400
};

typedef struct bisection {
    const spectral_goal *goal;
    uint64_t seed;
    int64_t heaviest; /* load of a vertex of coarser graphs, at most */
    bool tried;       /* below the gathered graph */
    bool again;       /* solutions have sides to begin with, which no pair is to cross */
    inlay_diag *diag;
} bisection;

/* What is known of a level. */
typedef struct solution {
    double *x;     /* [rows + ghosts] */
    uint8_t *side; /* [rows + ghosts] */
    spectral_worth worth;
} solution;

/* The functions below call each other: once for each level, whose number is the logarithm of the vertices'. */
static int solve(spectral_level *g, const bisection *b, solution *s);

static bool solution_room(const spectral_level *g, solution *s)
{
    size_t all = (size_t)g->rows + (size_t)g->ghosts;
    *s = (solution){0};
    s->x = memory_array(all, sizeof *s->x);
    s->side = memory_array(all, sizeof *s->side);
    return s->x != NULL && s->side != NULL;
}

static void solution_clear(solution *s)
{
    free(s->x);
    free(s->side);
}

/* ---- One level ---- */

/* The best cut along x, improved, where that is better than what there is. */
static int cut_along(const spectral_level *g, const bisection *b, int tries, bool first, solution *s)
{
    size_t all = (size_t)g->rows + (size_t)g->ghosts;
    uint8_t *side = memory_array(all, sizeof *side);
    int status = collective_agree(g->comm, side == NULL ? diag_no_memory(b->diag) : INLAY_OK, b->diag);
    spectral_worth worth = {0, 0, 0};
    status = status == INLAY_OK ? spectral_sweep(g, b->goal, s->x, side, &worth, b->diag) : status;
    status = status == INLAY_OK ? spectral_improve(g, b->goal, b->seed, tries, side, &worth, b->diag) : status;
    if (status == INLAY_OK && (first || spectral_better(worth, s->worth))) {
        uint8_t *worse = s->side;
        s->worth = worth;
        s->side = side;
        side = worse;
    }
    free(side);
    return status;
}

/* The smallest graph, or one that cannot be made smaller. */
static int solve_smallest(const spectral_level *g, const bisection *b, solution *s)
{
    if (b->again) {
        return spectral_improve(g, b->goal, b->seed, SMALLEST_TRIES, s->side, &s->worth, b->diag);
    }
    spectral_fiedler_draw(g, b->seed, s->x);
    int status = spectral_fiedler_refine(g, MOST_STEPS, 1e-4, s->x, NULL, b->diag);
    return status == INLAY_OK ? cut_along(g, b, SMALLEST_TRIES, true, s) : status;
}

/* The sides that pairs have in common. */
static void restrict_sides(const spectral_level *g, const spectral_level *coarser, const uint8_t *fine, uint8_t *coarse)
{
    for (int32_t i = 0; i < g->rows; i++) {
        if (g->coarse[i] >= 0) {
            coarse[g->coarse[i]] = fine[i];
        }
    }
    spectral_share(coarser, coarse, 1);
}

/* By way of a coarser graph. */
/* NOLINTNEXTLINE(misc-no-recursion): once a level */
static int solve_coarser(spectral_level *g, spectral_level *coarser, const bisection *b, solution *s)
{
    solution c;
    int status = solution_room(coarser, &c) ? INLAY_OK : diag_no_memory(b->diag);
    status = collective_agree(g->comm, status, b->diag);
    if (status == INLAY_OK && b->again) {
        restrict_sides(g, coarser, s->side, c.side);
    }
    status = status == INLAY_OK ? solve(coarser, b, &c) : status;
    if (status == INLAY_OK) {
        spectral_project(g, c.side, s->side, 1);
        status = spectral_improve(g, b->goal, b->seed, BAND_TRIES, s->side, &s->worth, b->diag);
    }
    if (status == INLAY_OK && !b->again) {
        spectral_project(g, c.x, s->x, sizeof *s->x);
        status = spectral_fiedler_refine(g, STEPS, 1e-3, s->x, NULL, b->diag);
    }
    solution_clear(&c);
    return status == INLAY_OK && !b->again ? cut_along(g, b, BAND_TRIES, false, s) : status;
}

/* NOLINTNEXTLINE(misc-no-recursion): once a level */
static int descend(spectral_level *g, const bisection *b, solution *s)
{
    spectral_level *coarser = NULL;
    int status = spectral_coarsen(g, b->heaviest, b->seed, b->again ? s->side : NULL, &coarser, b->diag);
    if (status == INLAY_OK && coarser->vertices > g->vertices - g->vertices / 20) {
        status = solve_smallest(g, b, s);
    } else if (status == INLAY_OK) {
        status = solve_coarser(g, coarser, b, s);
    }
    spectral_level_free(coarser);
    return status;
}

/* ---- The gathered graph ---- */

/* This rank's share of the tries on the whole graph. */
/* NOLINTNEXTLINE(misc-no-recursion): once a level */
static int try_here(spectral_level *whole, const bisection *b, int rank, int ranks, solution *best)
{
    solution s;
    int status = solution_room(whole, &s) ? INLAY_OK : diag_no_memory(b->diag);
    for (int t = rank; t < TRIES && status == INLAY_OK; t += ranks) {
        bisection try = *b;
        try.seed = spectral_mix(b->seed + (uint64_t)t);
        try.tried = true;
        status = solve(whole, &try, &s);
        if (status == INLAY_OK && (t == rank || spectral_better(s.worth, best->worth))) {
            solution swap = *best;
            *best = s;
            s = swap;
        }
    }
    solution_clear(&s);
    return status;
}

/* The best of all ranks, and its vector, on all of them. */
static int take_best(const spectral_level *g, spectral_level *whole, solution *best, inlay_diag *diag)
{
    spectral_worth *all = memory_zeroed((size_t)g->ranks, sizeof *all);
    bool room = all != NULL;
    int status = collective_agree(g->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status == INLAY_OK && room) {
        int winner = 0, tried = g->ranks < TRIES ? g->ranks : TRIES;
        MPI_Allgather(&best->worth, 3, MPI_INT64_T, all, 3, MPI_INT64_T, g->comm);
        for (int r = 1; r < tried; r++) {
            winner = spectral_better(all[r], all[winner]) ? r : winner;
        }
        MPI_Bcast(best->x, whole->rows, MPI_DOUBLE, winner, g->comm);
        MPI_Bcast(best->side, whole->rows, MPI_UINT8_T, winner, g->comm);
        MPI_Bcast(&best->worth, 3, MPI_INT64_T, winner, g->comm);
    }
    free(all);
    return status;
}

/* NOLINTNEXTLINE(misc-no-recursion): once a level */
static int solve_whole(const spectral_level *g, spectral_level *whole, const bisection *b, solution *s)
{
    solution best;
    int status = solution_room(whole, &best) ? INLAY_OK : diag_no_memory(b->diag);
    if (status == INLAY_OK) {
        best.worth = (spectral_worth){INT64_MAX, INT64_MAX, INT64_MAX};
        status = try_here(whole, b, g->rank, g->ranks, &best);
    }
    status = collective_agree(g->comm, status, b->diag);
    status = status == INLAY_OK ? take_best(g, whole, &best, b->diag) : status;
    for (int32_t i = 0; i < g->rows + g->ghosts && status == INLAY_OK; i++) {
        s->x[i] = best.x[g->number[i]];
        s->side[i] = best.side[g->number[i]];
    }
    s->worth = best.worth;
    solution_clear(&best);
    return status;
}

/* NOLINTNEXTLINE(misc-no-recursion): once a level */
static int solve_gathered(spectral_level *g, const bisection *b, solution *s)
{
    spectral_level *whole = NULL;
    int status = spectral_gather(g, MPI_COMM_SELF, &whole, b->diag);
    status = status == INLAY_OK ? solve_whole(g, whole, b, s) : status;
    spectral_level_free(whole);
    return status;
}

/* NOLINTNEXTLINE(misc-no-recursion): once a level */
static int solve(spectral_level *g, const bisection *b, solution *s)
{
    if (g->vertices <= GATHERED && !b->tried) {
        return solve_gathered(g, b, s);
    }
    return g->vertices <= (g->ranks == 1 ? SMALLEST : GATHERED) ? solve_smallest(g, b, s) : descend(g, b, s);
}

int spectral_bisect(spectral_level *level, const spectral_goal *goal, uint64_t seed, uint8_t *side, double *fiedler,
                    spectral_worth *worth, inlay_diag *diag)
{
    solution s;
    size_t all = (size_t)level->rows + (size_t)level->ghosts;
    int status = solution_room(level, &s) ? INLAY_OK : diag_no_memory(diag);
    status = collective_agree(level->comm, status, diag);
    if (status == INLAY_OK) {
        int64_t total = goal->load[0] + goal->load[1];
        bisection b = {.goal = goal, .seed = seed, .heaviest = total / 40, .diag = diag};
        status = solve(level, &b, &s);
        b.tried = true;
        b.again = true;
        for (int c = 0; c < CYCLES && status == INLAY_OK; c++) {
            b.seed = spectral_mix(b.seed);
            status = solve(level, &b, &s);
        }
    }
    if (status == INLAY_OK) {
        memcpy(side, s.side, all);
        if (fiedler != NULL) {
            memcpy(fiedler, s.x, all * sizeof *fiedler);
        }
        *worth = s.worth;
    }
    solution_clear(&s);
    return status;
}

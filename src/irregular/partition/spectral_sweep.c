/* The best cut along an order, without sorting: histograms over the range of values. */
#include "irregular/partition/spectral_sweep.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

spectral_worth spectral_evaluate(const spectral_level *level, const spectral_goal *goal, uint8_t *side, int64_t load[2])
{
    spectral_share(level, side, 1);
    int64_t sum[3] = {0, 0, 0};
    for (int32_t i = 0; i < level->rows; i++) {
        sum[side[i]] += level->load[i];
        for (int64_t a = level->start[i]; a < level->start[i + 1]; a++) {
            sum[2] += side[level->column[a]] != side[i] ? level->weight[a] : 0;
        }
    }
    if (level->ranks > 1) {
        MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_INT64_T, MPI_SUM, level->comm);
    }
    load[0] = sum[0];
    load[1] = sum[1];
    return spectral_worth_of(goal, load, sum[2] / 2);
}

/* Values in `from` .. `to` have the bins 1 .. BINS; smaller ones bin 0, greater ones bin BINS + 1. */
enum { BINS = 2048, ALL_BINS = BINS + 2 };

typedef struct sweep {
    const spectral_level *level;
    const spectral_goal *goal;
    const double *x;
    uint8_t *side;
    int low; /* the side of the small values */
    double from, to;
    int64_t *below;    /* [ALL_BINS + 1]: load of the bins before each */
    int64_t *crossing; /* [ALL_BINS + 1]: weight of the edges that a threshold before the bin cuts, twice */
} sweep;

static int bin_of(const sweep *s, double x)
{
    if (!(x >= s->from)) {
        return 0;
    }
    if (x > s->to) {
        return BINS + 1;
    }
    double share = s->to > s->from ? (x - s->from) / (s->to - s->from) : 0;
    int bin = 1 + (int)(share * BINS);
    return bin > BINS ? BINS : bin;
}

static void add_up(const spectral_level *g, int64_t *value)
{
    if (g->ranks > 1) {
        MPI_Allreduce(MPI_IN_PLACE, value, ALL_BINS + 1, MPI_INT64_T, MPI_SUM, g->comm);
    }
    for (int b = 0; b < ALL_BINS; b++) {
        value[b + 1] += value[b];
    }
}

static void count_loads(const sweep *s)
{
    memset(s->below, 0, (ALL_BINS + 1) * sizeof *s->below);
    for (int32_t i = 0; i < s->level->rows; i++) {
        s->below[bin_of(s, s->x[i]) + 1] += s->level->load[i];
    }
    add_up(s->level, s->below);
}

static void count_edges(const sweep *s)
{
    const spectral_level *g = s->level;
    memset(s->crossing, 0, (ALL_BINS + 1) * sizeof *s->crossing);
    for (int32_t i = 0; i < g->rows; i++) {
        int bin = bin_of(s, s->x[i]);
        for (int64_t a = g->start[i]; a < g->start[i + 1]; a++) {
            int other = bin_of(s, s->x[g->column[a]]);
            if (other != bin) {
                s->crossing[(other < bin ? other : bin) + 1] += g->weight[a];
                s->crossing[(other < bin ? bin : other) + 1] -= g->weight[a];
            }
        }
    }
    add_up(g, s->crossing);
}

/* Narrows the range to the bins whose thresholds may keep the limits; false where that is no longer less. */
static bool narrow(sweep *s)
{
    int64_t least = s->below[ALL_BINS] - s->goal->limit[1 - s->low], most = s->goal->limit[s->low];
    int first = 1, last = BINS;
    while (first < BINS && s->below[first + 1] <= least) {
        first++;
    }
    while (last > first && s->below[last] >= most) {
        last--;
    }
    if (last - first + 1 > BINS / 2) {
        return false;
    }
    double width = (s->to - s->from) / BINS, from = s->from;
    double begin = from + width * (first - 1), end = from + width * last;
    bool less = end - begin < 0.75 * (s->to - s->from) && end > begin;
    if (less) {
        s->from = first == 1 ? s->from : begin;
        s->to = last == BINS ? s->to : end;
    }
    return less;
}

static void range_of(sweep *s)
{
    double ends[2] = {-HUGE_VAL, -HUGE_VAL}; /* greatest of -x and of x */
    for (int32_t i = 0; i < s->level->rows; i++) {
        ends[0] = fmax(ends[0], -s->x[i]);
        ends[1] = fmax(ends[1], s->x[i]);
    }
    if (s->level->ranks > 1) {
        MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_DOUBLE, MPI_MAX, s->level->comm);
    }
    s->from = -ends[0];
    s->to = ends[1];
}

/* Bins before `threshold` go low. */
static void cut_before(const sweep *s, int threshold)
{
    for (int32_t i = 0; i < s->level->rows; i++) {
        s->side[i] = (uint8_t)(bin_of(s, s->x[i]) < threshold ? s->low : 1 - s->low);
    }
}

/* The bin in which the goal is met goes low in part: the first of its vertices by number. */
static void share_bin(const sweep *s)
{
    const spectral_level *g = s->level;
    int bin = 0;
    while (bin + 1 < ALL_BINS && s->below[bin + 1] < s->goal->load[s->low]) {
        bin++;
    }
    cut_before(s, bin);
    int64_t mine = 0, wanted = s->goal->load[s->low] - s->below[bin];
    for (int32_t i = 0; i < g->rows; i++) {
        mine += bin_of(s, s->x[i]) == bin ? g->load[i] : 0;
    }
    int64_t before = g->ranks > 1 ? collective_before(g->comm, mine) : 0;
    for (int32_t i = 0; i < g->rows; i++) {
        if (bin_of(s, s->x[i]) == bin) {
            s->side[i] = (uint8_t)(before + g->load[i] / 2 < wanted ? s->low : 1 - s->low);
            before += g->load[i];
        }
    }
}

static spectral_worth sweep_once(sweep *s)
{
    enum { ROUNDS = 8 };
    range_of(s);
    count_loads(s);
    for (int round = 0; round < ROUNDS && narrow(s); round++) {
        count_loads(s);
    }
    count_edges(s);
    spectral_worth best = {0};
    int threshold = -1;
    for (int b = 1; b < ALL_BINS; b++) {
        int64_t load[2];
        load[s->low] = s->below[b];
        load[1 - s->low] = s->below[ALL_BINS] - s->below[b];
        spectral_worth worth = spectral_worth_of(s->goal, load, s->crossing[b] / 2);
        if (threshold < 0 || spectral_better(worth, best)) {
            best = worth;
            threshold = b;
        }
    }
    if (best.excess == 0) {
        cut_before(s, threshold);
    } else {
        share_bin(s);
    }
    int64_t load[2];
    return spectral_evaluate(s->level, s->goal, s->side, load);
}

int spectral_sweep(const spectral_level *level, const spectral_goal *goal, const double *x, uint8_t *side,
                   spectral_worth *worth, inlay_diag *diag)
{
    sweep s = {.level = level, .goal = goal, .x = x, .side = side};
    s.below = memory_array(ALL_BINS + 1, sizeof *s.below);
    s.crossing = memory_array(ALL_BINS + 1, sizeof *s.crossing);
    uint8_t *other = memory_array((size_t)level->rows + (size_t)level->ghosts, sizeof *other);
    bool room = s.below != NULL && s.crossing != NULL && other != NULL;
    int status = collective_agree(level->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status == INLAY_OK) {
        *worth = sweep_once(&s);
    }
    if (status == INLAY_OK && (goal->load[0] != goal->load[1] || goal->limit[0] != goal->limit[1])) {
        s.low = 1;
        s.side = other;
        spectral_worth turned = sweep_once(&s);
        if (spectral_better(turned, *worth)) {
            *worth = turned;
            memcpy(side, other, (size_t)level->rows + (size_t)level->ghosts);
        }
    }
    free(s.below);
    free(s.crossing);
    free(other);
    return status;
}

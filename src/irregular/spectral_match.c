/* Pairs by mutual proposals along the best edges. */
#include "irregular/spectral_match.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/collective.h"
#include <stdlib.h>
#include <string.h>

enum { ALONE = -1, TAKEN = -2 }; /* proposals that are none: nobody is left; has a partner */

typedef struct matching {
    const spectral_level *level;
    int64_t heaviest;
    uint64_t seed;
    const int8_t *side;
    int64_t *proposal; /* [rows + ghosts]: number of the vertex proposed to, ALONE or TAKEN */
    int32_t *best;     /* [rows]: the same as a local number; -1: none */
    int32_t *partner;  /* [rows]: -1: none yet */
    int32_t *waiting;  /* rows without a partner that still propose */
    int32_t waits;
    int32_t *queue; /* [rows]: those taken, in that order, up to `followed` with its consequences */
    int32_t queued, followed;
} matching;

/* The order of edges of equal value; the same from both ends. */
static uint64_t edge_draw(const matching *m, int64_t a, int64_t b)
{
    uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    return spectral_mix(low * 0x9e3779b97f4a7c15U ^ spectral_mix(high ^ m->seed));
}

/* The free neighbour along the best edge, -1 where there is none. */
static int32_t best_neighbour(const matching *m, int32_t i)
{
    const spectral_level *g = m->level;
    double most = -1;
    uint64_t draw = 0;
    int32_t best = -1;
    for (int64_t a = g->start[i]; a < g->start[i + 1]; a++) {
        int32_t j = g->column[a];
        if (m->proposal[j] == TAKEN || g->load[i] > m->heaviest - g->load[j] ||
            (m->side != NULL && m->side[i] != m->side[j])) {
            continue;
        }
        double value = (double)g->weight[a] / ((double)g->mass[i] * (double)g->mass[j]);
        if (value < most) {
            continue;
        }
        uint64_t drawn = edge_draw(m, g->number[i], g->number[j]);
        if (value > most || drawn > draw || (drawn == draw && g->number[j] > g->number[best])) {
            most = value;
            draw = drawn;
            best = j;
        }
    }
    return best;
}

static void propose(matching *m, int32_t i)
{
    m->best[i] = best_neighbour(m, i);
    m->proposal[i] = m->best[i] < 0 ? ALONE : m->level->number[m->best[i]];
}

static void take(matching *m, int32_t i, int32_t j)
{
    m->partner[i] = j;
    m->proposal[i] = TAKEN;
    m->queue[m->queued++] = i;
    if (j < m->level->rows) {
        m->partner[j] = i;
        m->queue[m->queued++] = j;
    }
    m->proposal[j] = TAKEN;
}

static void take_mutual(matching *m, int32_t i)
{
    int32_t j = m->best[i];
    if (j >= 0 && j < m->level->rows && m->best[j] == i) {
        take(m, i, j);
    }
}

/* Those that had proposed to somebody who is taken now propose anew, which may make more pairs on this rank. */
static void follow(matching *m)
{
    const spectral_level *g = m->level;
    for (; m->followed < m->queued; m->followed++) {
        int32_t i = m->queue[m->followed];
        for (int64_t a = g->start[i]; a < g->start[i + 1]; a++) {
            int32_t j = g->column[a];
            if (j < g->rows && m->partner[j] < 0 && m->best[j] == i) {
                propose(m, j);
                take_mutual(m, j);
            }
        }
    }
}

/* New proposals where the old one is taken; pairs of two rows of this rank are made as they are found. */
static void propose_here(matching *m)
{
    int32_t kept = 0;
    for (int32_t w = 0; w < m->waits; w++) {
        int32_t i = m->waiting[w];
        if (m->partner[i] < 0 && m->best[i] >= 0 && m->proposal[m->best[i]] == TAKEN) {
            propose(m, i);
        }
        if (m->partner[i] < 0) {
            take_mutual(m, i);
        }
        follow(m);
    }
    for (int32_t w = 0; w < m->waits; w++) {
        int32_t i = m->waiting[w];
        if (m->partner[i] < 0 && m->best[i] >= 0) {
            m->waiting[kept++] = i;
        }
    }
    m->waits = kept;
}

/* Pairs with ghosts, which both ranks find at once. */
static int64_t take_ghosts(matching *m)
{
    const spectral_level *g = m->level;
    int64_t taken = 0;
    for (int32_t w = 0; w < m->waits; w++) {
        int32_t i = m->waiting[w], j = m->best[i];
        if (m->partner[i] < 0 && j >= g->rows && m->proposal[j] == g->number[i]) {
            take(m, i, j);
            taken++;
        }
    }
    return taken;
}

/* Rounds until hardly any pair comes of them. */
static void pair_neighbours(matching *m)
{
    const spectral_level *g = m->level;
    memset(m->proposal, 0xff, ((size_t)g->rows + (size_t)g->ghosts) * sizeof *m->proposal); /* ALONE */
    for (int32_t i = 0; i < g->rows; i++) {
        m->partner[i] = -1;
        propose(m, i);
        m->waiting[i] = i;
    }
    m->waits = g->rows;
    for (int64_t taken = g->vertices; taken > g->vertices / 1000;) {
        int32_t before = m->waits;
        propose_here(m);
        spectral_share(g, m->proposal, sizeof *m->proposal);
        taken = take_ghosts(m) + before - m->waits;
        taken = g->ranks == 1 ? 0 : collective_sum(g->comm, taken);
    }
}

/* ---- Those left over ---- */

typedef struct lonely {
    int64_t at; /* number of the neighbour that draws it most, -1: none */
    int32_t row;
} lonely;

static int by_neighbour(const void *a, const void *b)
{
    const lonely *x = a, *y = b;
    return x->at != y->at ? (x->at < y->at ? -1 : 1) : (x->row > y->row) - (x->row < y->row);
}

static int64_t strongest(const spectral_level *g, int32_t i)
{
    int64_t at = -1, most = 0;
    for (int64_t a = g->start[i]; a < g->start[i + 1]; a++) {
        int64_t number = g->number[g->column[a]];
        if (g->weight[a] > most || (g->weight[a] == most && number < at)) {
            most = g->weight[a];
            at = number;
        }
    }
    return at;
}

static int pair_lonely(matching *m, inlay_diag *diag)
{
    const spectral_level *g = m->level;
    int32_t count = 0;
    for (int32_t i = 0; i < g->rows; i++) {
        count += m->partner[i] < 0;
    }
    lonely *list = memory_array((size_t)count, sizeof *list);
    if (list == NULL) {
        return diag_no_memory(diag);
    }
    count = 0;
    for (int32_t i = 0; i < g->rows; i++) {
        if (m->partner[i] < 0) {
            list[count++] = (lonely){strongest(g, i), i};
        }
    }
    qsort(list, (size_t)count, sizeof *list, by_neighbour);
    for (int32_t c = 0; c + 1 < count; c++) {
        int32_t i = list[c].row, j = list[c + 1].row;
        bool same = list[c].at == list[c + 1].at && (m->side == NULL || m->side[i] == m->side[j]);
        if (same && g->load[i] <= m->heaviest - g->load[j]) {
            take(m, i, j);
            c++;
        }
    }
    free(list);
    return INLAY_OK;
}

int spectral_match(const spectral_level *level, int64_t heaviest, uint64_t seed, const int8_t *side, int32_t *partner,
                   inlay_diag *diag)
{
    size_t rows = (size_t)level->rows;
    matching m = {.level = level, .heaviest = heaviest, .seed = seed, .side = side, .partner = partner};
    m.proposal = memory_array(rows + (size_t)level->ghosts, sizeof *m.proposal);
    m.best = memory_array(rows, sizeof *m.best);
    m.waiting = memory_array(rows, sizeof *m.waiting);
    m.queue = memory_array(rows, sizeof *m.queue);
    bool room = m.proposal != NULL && m.best != NULL && m.waiting != NULL && m.queue != NULL;
    int status = collective_agree(level->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status == INLAY_OK) {
        pair_neighbours(&m);
        status = collective_agree(level->comm, pair_lonely(&m, diag), diag);
    }
    for (int32_t i = 0; i < level->rows && status == INLAY_OK; i++) {
        partner[i] = partner[i] < 0 ? i : partner[i];
    }
    free(m.proposal);
    free(m.best);
    free(m.waiting);
    free(m.queue);
    return status;
}

/* Pairs by mutual proposals along the best edges. */
#include "irregular/partition/spectral_match.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <stdlib.h>
#include <string.h>

enum { ALONE = -1, TAKEN = -2 }; /* proposals that are none: nobody is left; has a partner */

/* What a neighbour must know of a vertex; together, so that it costs one access to memory. */
typedef struct mate {
    uint64_t draw; /* of the edges' order */
    int64_t load;  /* TOO_HEAVY where it is taken */
    double mass;
    int64_t side;
} mate;

#define TOO_HEAVY INT64_MAX

typedef struct matching {
    memory_pool arrays; /**< owns them */
    const spectral_level *level;
    int64_t heaviest;
    mate *mate;        /* [rows + ghosts] */
    int64_t *proposal; /* [rows + ghosts]: number of the vertex proposed to, ALONE or TAKEN */
    int32_t *best;     /* [rows]: the same as a local number; -1: none */
    int32_t *partner;  /* [rows]: -1: none yet */
    int32_t *waiting;  /* rows without a partner that still propose */
    int32_t waits;
    int32_t *queue; /* [rows]: those taken, in that order, up to `followed` with its consequences */
    int32_t queued, followed;
} matching;

static void describe(matching *m, uint64_t seed, const uint8_t *side)
{
    const spectral_level *g = m->level;
    for (int32_t i = 0; i < g->rows + g->ghosts; i++) {
        m->mate[i] = (mate){.draw = spectral_mix(seed ^ spectral_mix((uint64_t)g->number[i])),
                            .load = g->load[i],
                            .mass = (double)g->mass[i],
                            .side = side == NULL ? 0 : side[i]};
    }
}

/* The free neighbour along the best edge, -1 where there is none. Both ends of an edge find the same value and draw. */
static int32_t best_neighbour(const matching *m, int32_t i)
{
    const spectral_level *g = m->level;
    const mate *mine = &m->mate[i];
    int64_t room = m->heaviest - mine->load;
    double most = -1;
    uint64_t draw = 0;
    int32_t best = -1;
    for (int64_t a = g->start[i]; a < g->start[i + 1]; a++) {
        int32_t j = g->column[a];
        const mate *other = &m->mate[j];
        if (other->load > room || other->side != mine->side) {
            continue;
        }
        double value = (double)g->weight[a] / (mine->mass * other->mass);
        uint64_t drawn = (mine->draw ^ other->draw) * 0x9e3779b97f4a7c15U;
        if (value > most || (value == most && drawn > draw)) {
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
    m->mate[i].load = TOO_HEAVY;
    m->queue[m->queued++] = i;
    if (j < m->level->rows) {
        m->partner[j] = i;
        m->queue[m->queued++] = j;
    }
    m->proposal[j] = TAKEN;
    m->mate[j].load = TOO_HEAVY;
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
        for (int32_t j = g->rows; j < g->rows + g->ghosts; j++) {
            m->mate[j].load = m->proposal[j] == TAKEN ? TOO_HEAVY : m->mate[j].load;
        }
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
        bool same = list[c].at == list[c + 1].at && m->mate[i].side == m->mate[j].side;
        if (same && g->load[i] <= m->heaviest - g->load[j]) {
            take(m, i, j);
            c++;
        }
    }
    free(list);
    return INLAY_OK;
}

int spectral_match(const spectral_level *level, int64_t heaviest, uint64_t seed, const uint8_t *side, int32_t *partner,
                   inlay_diag *diag)
{
    size_t rows = (size_t)level->rows;
    matching m = {.level = level, .heaviest = heaviest, .partner = partner};
    m.mate = pool_array(&m.arrays, rows + (size_t)level->ghosts, sizeof *m.mate);
    m.proposal = pool_array(&m.arrays, rows + (size_t)level->ghosts, sizeof *m.proposal);
    m.best = pool_array(&m.arrays, rows, sizeof *m.best);
    m.waiting = pool_array(&m.arrays, rows, sizeof *m.waiting);
    m.queue = pool_array(&m.arrays, rows, sizeof *m.queue);
    int status = collective_agree(level->comm, m.arrays.failed ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK) {
        describe(&m, seed, side);
        pair_neighbours(&m);
        status = collective_agree(level->comm, pair_lonely(&m, diag), diag);
    }
    for (int32_t i = 0; i < level->rows && status == INLAY_OK; i++) {
        partner[i] = partner[i] < 0 ? i : partner[i];
    }
    pool_clear(&m.arrays);
    return status;
}

/* Contraction of pairs: each row is sent to the rank that has the pair's leader, which joins the rows. */
#include "irregular/partition/spectral_coarsen.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include "irregular/partition/spectral_match.h"
#include <stdlib.h>
#include <string.h>

/* Of two partners the one that stays; on different ranks it is drawn, so that ranks keep about equally many. */
static int32_t leader_of(const spectral_level *g, int32_t i, int32_t j)
{
    int64_t a = g->number[i], b = g->number[j];
    int64_t low = a < b ? a : b, high = a < b ? b : a;
    bool draw = j >= g->rows && (spectral_mix((uint64_t)low ^ spectral_mix((uint64_t)high)) & 1) != 0;
    return (draw ? high : low) == a ? i : j;
}

/* Numbers the leaders and tells all of it: name[rows + ghosts] are numbers in the coarser graph. */
static void name_pairs(spectral_level *g, int64_t *first, int64_t *name)
{
    int32_t leaders = 0;
    for (int32_t i = 0; i < g->rows; i++) {
        g->leader[i] = leader_of(g, i, g->leader[i]);
        g->coarse[i] = g->leader[i] == i ? leaders++ : -1;
    }
    int64_t mine = leaders;
    first[0] = 0;
    MPI_Allgather(&mine, 1, MPI_INT64_T, first + 1, 1, MPI_INT64_T, g->comm);
    for (int r = 0; r < g->ranks; r++) {
        first[r + 1] += first[r];
    }
    for (int32_t i = 0; i < g->rows; i++) {
        name[i] = g->coarse[i] < 0 ? 0 : first[g->rank] + g->coarse[i];
    }
    spectral_share(g, name, sizeof *name);
    for (int32_t i = 0; i < g->rows; i++) {
        name[i] = name[g->leader[i]];
    }
    spectral_share(g, name, sizeof *name);
}

/* All rows, in the names of the coarser graph, and their owners there. */
static void name_rows(const spectral_level *g, const int64_t *name, spectral_rows *rows, int32_t *owner)
{
    for (int32_t i = 0; i < g->rows; i++) {
        int64_t begin = g->start[i], end = g->start[i + 1];
        rows->row[i] = (spectral_row){name[i], g->load[i], g->mass[i], g->origin[i], end - begin};
        owner[i] = g->leader[i] < g->rows ? g->rank : spectral_owner(g, g->number[g->leader[i]]);
        for (int64_t a = begin; a < end; a++) {
            rows->arc[a] = (spectral_arc){name[g->column[a]], g->weight[a]};
        }
    }
}

static int contract(spectral_level *g, spectral_level **coarser, inlay_diag *diag)
{
    spectral_rows rows = {0}, received = {0};
    int64_t *name = memory_array((size_t)g->rows + (size_t)g->ghosts, sizeof *name);
    int64_t *first = memory_array((size_t)g->ranks + 1, sizeof *first);
    int32_t *owner = memory_array((size_t)g->rows, sizeof *owner);
    bool room = name != NULL && first != NULL && owner != NULL && spectral_rows_room(&rows, g->rows, g->start[g->rows]);
    int status = collective_agree(g->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status == INLAY_OK) {
        name_pairs(g, first, name);
        name_rows(g, name, &rows, owner);
        if (g->ranks > 1) {
            status = spectral_rows_send(g->comm, &rows, owner, &received, diag);
            spectral_rows_clear(&rows);
        }
    }
    if (status == INLAY_OK) {
        status = spectral_level_make(g->comm, first, g->ranks > 1 ? &received : &rows, coarser, diag);
    }
    spectral_rows_clear(&rows);
    spectral_rows_clear(&received);
    free(name);
    free(first);
    free(owner);
    return status;
}

int spectral_coarsen(spectral_level *level, int64_t heaviest, uint64_t seed, const uint8_t *side,
                     spectral_level **coarser, inlay_diag *diag)
{
    free(level->leader);
    free(level->coarse);
    level->leader = memory_array((size_t)level->rows, sizeof *level->leader);
    level->coarse = memory_array((size_t)level->rows, sizeof *level->coarse);
    bool room = level->leader != NULL && level->coarse != NULL;
    int status = collective_agree(level->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    status = status == INLAY_OK ? spectral_match(level, heaviest, seed, side, level->leader, diag) : status;
    return status == INLAY_OK ? contract(level, coarser, diag) : status;
}

void spectral_project(const spectral_level *level, const void *coarse, void *fine, size_t bytes)
{
    for (int32_t i = 0; i < level->rows; i++) {
        if (level->coarse[i] >= 0) {
            memcpy((char *)fine + (size_t)i * bytes, (const char *)coarse + (size_t)level->coarse[i] * bytes, bytes);
        }
    }
    spectral_share(level, fine, bytes);
    for (int32_t i = 0; i < level->rows; i++) {
        if (level->coarse[i] < 0) {
            memcpy((char *)fine + (size_t)i * bytes, (char *)fine + (size_t)level->leader[i] * bytes, bytes);
        }
    }
    spectral_share(level, fine, bytes);
}

/* ---- Small graphs, whole on each rank ---- */

/* This rank's rows `times` over, one copy for each rank. */
static void copy_rows(const spectral_level *g, int times, spectral_rows *rows, int32_t *owner)
{
    spectral_row *row = rows->row;
    spectral_arc *arc = rows->arc;
    for (int r = 0; r < times; r++) {
        for (int32_t i = 0; i < g->rows; i++) {
            int64_t begin = g->start[i], end = g->start[i + 1];
            *owner++ = r;
            *row++ = (spectral_row){g->number[i], g->load[i], g->mass[i], g->origin[i], end - begin};
            for (int64_t a = begin; a < end; a++) {
                *arc++ = (spectral_arc){g->number[g->column[a]], g->weight[a]};
            }
        }
    }
}

int spectral_gather(const spectral_level *level, MPI_Comm self, spectral_level **whole, inlay_diag *diag)
{
    spectral_rows rows = {0}, received = {0};
    int64_t copies = (int64_t)level->rows * level->ranks;
    int32_t *owner = memory_array((size_t)copies, sizeof *owner);
    bool room = owner != NULL && spectral_rows_room(&rows, copies, level->start[level->rows] * level->ranks);
    int status = collective_agree(level->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status == INLAY_OK) {
        copy_rows(level, level->ranks, &rows, owner);
        status = spectral_rows_send(level->comm, &rows, owner, &received, diag);
    }
    if (status == INLAY_OK) {
        int64_t first[2] = {0, level->vertices};
        spectral_level *made = NULL;
        status = collective_agree(level->comm, spectral_level_make(self, first, &received, &made, diag), diag);
        if (status == INLAY_OK) {
            *whole = made;
        } else {
            spectral_level_free(made);
        }
    }
    spectral_rows_clear(&rows);
    spectral_rows_clear(&received);
    free(owner);
    return status;
}

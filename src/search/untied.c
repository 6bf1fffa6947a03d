/* The greedy rule on pairs without traffic, which can go on under a longer time frame. */
#include "search/untied.h"
#include "base/diag.h"
#include "base/heap.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

static size_t slots_of(const problem *p)
{
    return (size_t)p->slots;
}

double untied_bytes(const problem *p)
{
    double pieces = 2.0 * p->modules + 64;
    return pieces * (double)(sizeof(piece) + 2 * sizeof(offer)) + pieces / 64 * (double)slots_of(p) * sizeof(uint64_t);
}

void untied_clear(untied *m)
{
    free(m->pieces);
    free(m->piece_of);
    free(m->levels);
    free(m->alive);
    free(m->standing);
    free(m->offers);
    free(m->own);
    free(m->label);
    *m = (untied){0};
}

int untied_make(const clusters *c, untied *result, inlay_diag *diag)
{
    untied m = {.p = c->p, .clusters = c};
    m.piece_of = memory_array((size_t)c->p->modules, sizeof *m.piece_of);
    m.own = memory_array(slots_of(c->p), sizeof *m.own);
    if (m.piece_of == NULL || m.own == NULL) {
        untied_clear(&m);
        return diag_no_memory(diag);
    }
    *result = m;
    return INLAY_OK;
}

/* ---- Pieces ---- */

static bool is_alive(const untied *m, inlay_id i)
{
    return m->alive[i / 64] >> (i % 64) & 1;
}

static const uint64_t *levels_of(const untied *m, inlay_id i)
{
    return m->levels + (size_t)i * m->clusters->words;
}

/* Lists the levels of a piece in m->own; how many there are. */
static int32_t list_levels(const untied *m, inlay_id i)
{
    const uint64_t *levels = levels_of(m, i);
    int32_t count = 0;
    for (size_t w = 0; w < m->clusters->words; w++) {
        for (uint64_t rest = levels[w]; rest != 0; rest &= rest - 1) {
            m->own[count++] = (int32_t)(w * 64) + __builtin_ctzll(rest);
        }
    }
    return count;
}

static uint64_t *standing_at(const untied *m, inlay_id i)
{
    return m->standing + (size_t)(i / 64) * slots_of(m->p);
}

/* Put a piece whose levels are set on them. */
static void stand(untied *m, inlay_id i)
{
    int32_t count = list_levels(m, i);
    uint64_t *standing = standing_at(m, i), bit = UINT64_C(1) << (i % 64);
    for (int32_t l = 0; l < count; l++) {
        standing[m->own[l]] |= bit;
    }
    m->alive[i / 64] |= bit;
}

static bool fit_together(const untied *m, const piece *a, const piece *b)
{
    if (a->pin >= 0 && b->pin >= 0 && a->pin != b->pin) {
        return false;
    }
    return m->p->memory_limit < 0 || a->memory + b->memory <= m->p->memory_limit;
}

/* ---- Partners ---- */

/* Of the pieces first..end-1, the first whose levels are not among the `count` in m->own and that fits; else `end`. */
static inlay_id first_partner(const untied *m, inlay_id of, int32_t count, inlay_id first, inlay_id end)
{
    for (inlay_id block = first / 64; block * 64 < end; block++) {
        uint64_t free_ones = m->alive[block];
        free_ones &= block == first / 64 ? ~UINT64_C(0) << (first % 64) : ~UINT64_C(0);
        free_ones &= block == end / 64 ? (UINT64_C(1) << (end % 64)) - 1 : ~UINT64_C(0);
        const uint64_t *standing = m->standing + (size_t)block * slots_of(m->p);
        for (int32_t l = 0; l < count && free_ones != 0; l++) {
            free_ones &= ~standing[m->own[l]];
        }
        for (; free_ones != 0; free_ones &= free_ones - 1) {
            inlay_id i = block * 64 + __builtin_ctzll(free_ones);
            if (fit_together(m, &m->pieces[of], &m->pieces[i])) {
                return i;
            }
        }
    }
    return end;
}

static bool lighter(const piece *a, const piece *b)
{
    return a->work != b->work ? a->work < b->work : a->least < b->least;
}

static bool offer_before(const void *context, const void *left, const void *right)
{
    const offer *a = left, *b = right;
    (void)context;
    if (a->work != b->work) {
        return a->work < b->work;
    }
    return a->low != b->low ? a->low < b->low : a->high < b->high;
}

static bool put_offer(untied *m, offer o)
{
    if (!memory_grow((void **)&m->offers, &m->offer_capacity, m->offer_count + 1, sizeof *m->offers)) {
        return false;
    }
    m->offers[m->offer_count] = o;
    heap_put((heap){m->offers, sizeof *m->offers, offer_before, NULL}, m->offer_count++);
    return true;
}

static void drop_first_offer(untied *m)
{
    heap_drop((heap){m->offers, sizeof *m->offers, offer_before, NULL}, --m->offer_count);
}

/*
 * A piece offers itself with its best partner: each pair is offered by the one that came to be later, and of two that
 * were there from the start by the lighter one.
 */
static bool offer_best(untied *m, inlay_id i)
{
    piece *own = &m->pieces[i];
    int32_t count = list_levels(m, i);
    inlay_id end = i < m->merged_from ? m->merged_from : i;
    inlay_id old = own->tried_old = first_partner(m, i, count, own->tried_old, m->came);
    inlay_id fresh = own->tried_new = first_partner(m, i, count, own->tried_new, end);
    if (old == m->came && fresh == end) {
        return true;
    }
    bool takes_old = fresh == end || (old < m->came && lighter(&m->pieces[old], &m->pieces[fresh]));
    inlay_id partner = takes_old ? old : fresh, least = m->pieces[partner].least;
    bool ordered = own->least < least;
    return put_offer(m, (offer){own->work + m->pieces[partner].work, ordered ? own->least : least,
                                ordered ? least : own->least, i, partner});
}

/* ---- Beginning ---- */

static bool make_room(untied *m, size_t count)
{
    size_t blocks = (count + 63) / 64 * 2 + 1, pieces = blocks * 64, words = m->clusters->words;
    bool fine =
        memory_grow((void **)&m->pieces, &m->piece_capacity, pieces, sizeof *m->pieces) &&
        memory_grow((void **)&m->levels, &m->level_capacity, pieces * words, sizeof *m->levels) &&
        memory_grow((void **)&m->alive, &m->alive_capacity, blocks, sizeof *m->alive) &&
        memory_grow((void **)&m->standing, &m->standing_capacity, blocks * slots_of(m->p), sizeof *m->standing) &&
        memory_grow((void **)&m->label, &m->label_capacity, pieces, sizeof *m->label) &&
        memory_grow((void **)&m->offers, &m->offer_capacity, count, sizeof *m->offers);
    if (fine) {
        memset(m->alive, 0, blocks * sizeof *m->alive);
        memset(m->standing, 0, blocks * slots_of(m->p) * sizeof *m->standing);
    }
    return fine;
}

static int compare_pieces(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    return lighter(x, y) ? -1 : lighter(y, x);
}

/* The pieces as they come: `part_of` holds the root until they are in order. */
static void list_pieces(untied *m)
{
    const clusters *c = m->clusters;
    m->came = 0;
    for (inlay_id i = 0; i < m->p->modules; i++) {
        if (c->root[i] == i) {
            const group *g = &c->groups[i];
            m->pieces[m->came++] =
                (piece){.work = g->work, .memory = g->memory, .least = g->least, .pin = g->pin, .part_of = i};
        }
    }
    qsort(m->pieces, (size_t)m->came, sizeof *m->pieces, compare_pieces);
}

bool untied_begin(untied *m)
{
    const clusters *c = m->clusters;
    if (!make_room(m, (size_t)m->p->modules - c->joined)) {
        return false;
    }
    list_pieces(m);
    m->merged_from = (m->came + 63) / 64 * 64;
    m->merged = 0;
    m->offer_count = 0;
    for (inlay_id i = 0; i < m->came; i++) {
        piece *own = &m->pieces[i];
        m->piece_of[own->part_of] = i;
        memcpy(m->levels + (size_t)i * c->words, clusters_levels(c, own->part_of), c->words * sizeof *m->levels);
        own->part_of = -1;
        own->tried_old = i + 1;
        own->tried_new = m->merged_from;
        stand(m, i);
    }
    for (inlay_id i = 0; i + 1 < m->came; i++) { /* rising, so a heap */
        m->offers[m->offer_count++] = (offer){m->pieces[i].work + m->pieces[i + 1].work, -1, -1, i, -1};
    }
    return true;
}

/* ---- Running ---- */

static void leave(untied *m, inlay_id i, inlay_id into)
{
    m->pieces[i].part_of = into;
    m->alive[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/*
 * Merged pieces come in the order of (work, smallest module), too. Sums do not fall. Of one sum s, a pair with a smaller
 * number than the one before has a side that has just come to be, of work s, and another of no work; but that one would
 * fit each of the two from which the other came, and one of these pairs had a smaller sum than s or, where s is 0, a
 * number that is no smaller.
 */
static bool merge(untied *m, inlay_id a, inlay_id b)
{
    const piece *x = &m->pieces[a], *y = &m->pieces[b];
    inlay_id i = m->merged_from + m->merged++;
    size_t words = m->clusters->words;
    m->pieces[i] = (piece){.work = x->work + y->work,
                           .memory = x->memory + y->memory,
                           .least = x->least < y->least ? x->least : y->least,
                           .pin = x->pin >= 0 ? x->pin : y->pin,
                           .part_of = -1,
                           .tried_new = m->merged_from};
    for (size_t w = 0; w < words; w++) {
        m->levels[(size_t)i * words + w] = levels_of(m, a)[w] | levels_of(m, b)[w];
    }
    leave(m, a, i);
    leave(m, b, i);
    stand(m, i);
    return offer_best(m, i);
}

bool untied_run(untied *m, inlay_time limit, inlay_time *next)
{
    *next = INT64_MAX;
    for (bool fine = true; m->offer_count > 0;) {
        offer top = m->offers[0];
        bool there = is_alive(m, top.piece), ready = top.partner >= 0 && is_alive(m, top.partner);
        if (there && ready && top.work > limit) {
            *next = top.work;
            return true;
        }
        drop_first_offer(m);
        if (there) {
            fine = ready ? merge(m, top.piece, top.partner) : offer_best(m, top.piece);
        }
        if (!fine) {
            return false;
        }
    }
    return true;
}

/* ---- Labels ---- */

static inlay_id whole_of(untied *m, inlay_id i)
{
    while (m->pieces[i].part_of >= 0) {
        i = m->pieces[i].part_of;
    }
    return i;
}

inlay_id untied_label(untied *m, inlay_id *cluster_of)
{
    inlay_id labels = 0;
    memset(m->label, 0xFF, (size_t)(m->merged_from + m->merged) * sizeof *m->label); /* -1: none yet */
    for (inlay_id i = 0; i < m->p->modules; i++) {
        inlay_id *label = &m->label[whole_of(m, m->piece_of[m->clusters->root[i]])];
        *label = *label < 0 ? labels++ : *label;
        cluster_of[i] = *label;
    }
    return labels;
}

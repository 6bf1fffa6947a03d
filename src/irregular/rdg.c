/*
 * The local part of the runtime data graph. Edges are appended as they come. Where the room is used up they are sorted and
 * equal ones become one; where more than half of the room is still used then, it is doubled. So the room is at most four
 * times that of the different edges, whatever the number of statements, or twice what was expected. On a mesh of 1 M
 * points this takes 12 to 15 ns a statement, and a hash table with an entry an edge 60 to 90 ns.
 */
#include "irregular/rdg.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/radix.h"
#include <stdlib.h>

enum { LEAST_ROOM = 1024 };

int inlay_rdg_new(int64_t n, int64_t expected, inlay_rdg **rdg, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (n < 0 || expected < 0 || expected > INT64_MAX / 4) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%lld elements and %lld edges; expected 0 or more", (long long)n,
                         (long long)expected);
    }
    inlay_rdg *made = memory_zeroed(1, sizeof *made);
    if (made == NULL) {
        return diag_no_memory(diag);
    }
    made->n = n;
    made->room = expected < LEAST_ROOM ? LEAST_ROOM : 2 * expected;
    made->edge = memory_array((size_t)made->room, sizeof *made->edge);
    if (made->edge == NULL) {
        free(made);
        return diag_no_memory(diag);
    }
    *rdg = made;
    return INLAY_OK;
}

void inlay_rdg_free(inlay_rdg *rdg)
{
    if (rdg != NULL) {
        free(rdg->edge);
        free(rdg);
    }
}

/* ---- Equal edges become one ---- */

static int64_t merge(rdg_edge *edge, int64_t count)
{
    int64_t last = 0;
    for (int64_t i = 1; i < count; i++) {
        if (edge[i].low == edge[last].low && edge[i].high == edge[last].high) {
            edge[last].count += edge[i].count;
        } else {
            edge[++last] = edge[i];
        }
    }
    return count == 0 ? 0 : last + 1;
}

static int eliminate_duplicates(inlay_rdg *rdg, inlay_diag *diag)
{
    rdg_edge *spare = memory_array((size_t)rdg->room, sizeof *spare);
    if (spare == NULL) {
        return diag_no_memory(diag);
    }
    enum { WORDS = sizeof(rdg_edge) / sizeof(uint64_t), LOW = 0, HIGH = 1 };
    int bits = radix_bits((uint64_t)rdg->n);
    uint64_t *edge = (uint64_t *)rdg->edge, *other = (uint64_t *)spare;
    uint64_t *sorted = radix_sort(edge, other, rdg->used, WORDS, HIGH, 0, bits);
    sorted = radix_sort(sorted, sorted == edge ? other : edge, rdg->used, WORDS, LOW, 0, bits);
    free(sorted == edge ? other : edge);
    rdg->edge = (rdg_edge *)sorted;
    rdg->used = merge(rdg->edge, rdg->used);
    return INLAY_OK;
}

/* Makes room for another edge at least. */
static int make_room(inlay_rdg *rdg, inlay_diag *diag)
{
    int status = rdg->used < rdg->room ? INLAY_OK : eliminate_duplicates(rdg, diag);
    if (status != INLAY_OK || rdg->used <= rdg->room / 2) {
        return status;
    }
    rdg_edge *moved = realloc(rdg->edge, 2 * (size_t)rdg->room * sizeof *moved);
    if (moved == NULL) {
        return diag_no_memory(diag);
    }
    rdg->edge = moved;
    rdg->room *= 2;
    return INLAY_OK;
}

/* ---- Statements ---- */

static int check_element(const inlay_rdg *rdg, int64_t g, const char *what, inlay_diag *diag)
{
    if (g < 0 || g >= rdg->n) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "element %lld is %s; expected 0 to %lld", (long long)g, what,
                         (long long)rdg->n - 1);
    }
    return INLAY_OK;
}

/* The statements of a loop often name an edge twice in turn: from its two ends. */
static inline void append(inlay_rdg *rdg, uint64_t f, uint64_t g)
{
    uint64_t low = f < g ? f : g, high = f < g ? g : f;
    rdg_edge *next = rdg->edge + rdg->used;
    if (rdg->used > 0 && next[-1].low == low && next[-1].high == high) {
        next[-1].count++;
    } else if (low != high) {
        *next = (rdg_edge){low, high, 1};
        rdg->used++;
    }
}

int inlay_rdg_add(inlay_rdg *rdg, int64_t written, const int64_t *read, int32_t count, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = check_element(rdg, written, "written", diag);
    for (int32_t i = 0; status == INLAY_OK && i < count; i++) {
        status = check_element(rdg, read[i], "read", diag);
    }
    for (int32_t i = 0; status == INLAY_OK && i < count; i++) {
        if (rdg->used == rdg->room) {
            status = make_room(rdg, diag);
        }
        if (status == INLAY_OK) {
            append(rdg, (uint64_t)written, (uint64_t)read[i]);
        }
    }
    return status;
}

int inlay_rdg_add_pairs(inlay_rdg *rdg, const int64_t *written, const int64_t *read, int64_t count, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = INLAY_OK;
    for (int64_t i = 0; status == INLAY_OK && i < count; i++) {
        status = check_element(rdg, written[i], "written", diag);
        status = status == INLAY_OK ? check_element(rdg, read[i], "read", diag) : status;
    }
    int64_t done = 0;
    while (status == INLAY_OK && done < count) {
        if (rdg->used == rdg->room && (status = make_room(rdg, diag)) != INLAY_OK) {
            break;
        }
        int64_t piece = count - done < rdg->room - rdg->used ? count - done : rdg->room - rdg->used;
        for (int64_t end = done + piece; done < end; done++) {
            append(rdg, (uint64_t)written[done], (uint64_t)read[done]);
        }
    }
    return status;
}

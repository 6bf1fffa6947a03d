/* Memory made whole, and blocks that are freed. */
#define _DEFAULT_SOURCE // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): for malloc_usable_size
#include "base/clock.h"
#include "base/diag.h"
#include "irregular/exchange/collective.h"
#include "irregular/whole/whole.h"
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is to be settled ---- */

void whole_settle_clear(whole_state *w)
{
    free(w->settle);
    free(w->settle_at);
    w->settle = NULL;
    w->settle_at = NULL;
    w->settles = 0;
    w->settle_made = false;
}

enum { SIZES = 4 };

/* A bucket for each owner, group and size; -1 for what no loop writes, and what nobody owns, which is whole. */
static int64_t bucket_of(const whole_state *w, const int32_t *place, int32_t groups, const element *e)
{
    int32_t owner = e->cluster < 0 ? -1 : w->cluster[e->cluster].owner;
    if (!e->written || e->at == NULL || owner < 0) {
        return -1;
    }
    return ((int64_t)owner * groups + place[e->group]) * SIZES + __builtin_ctz(e->bytes);
}

/* place[site]: its group among the groups; how many there are. */
static int32_t count_groups(whole_state *w, int32_t *place)
{
    int32_t groups = 0;
    for (int32_t s = 0; s < w->groups; s++) {
        if (whole_group(w, s) == s) {
            place[s] = groups++;
        }
    }
    for (int32_t s = 0; s < w->groups; s++) {
        place[s] = place[whole_group(w, s)];
    }
    return groups;
}

/* start[b + 1] counts bucket b; runs and their elements follow. */
static bool fill_settle(whole_state *w, const int32_t *place, int32_t groups, int64_t *start, int64_t buckets)
{
    size_t room = 0;
    for (int64_t id = 0; id < w->elements; id++) {
        int64_t b = bucket_of(w, place, groups, &w->element[id]);
        if (b >= 0) {
            start[b + 1]++;
        }
    }
    for (int64_t b = 0; b < buckets; b++) {
        int64_t count = start[b + 1];
        start[b + 1] += start[b];
        if (count > 0) {
            if (!memory_grow((void **)&w->settle, &room, w->settles + 1, sizeof *w->settle)) {
                return false;
            }
            w->settle[w->settles++] = (settle_run){.owner = (int32_t)(b / SIZES / groups),
                                                   .group = (int32_t)(b / SIZES % groups), /* its site below */
                                                   .first = start[b],
                                                   .count = count,
                                                   .bytes = (uint8_t)(1 << b % SIZES)};
        }
    }
    w->settle_at = memory_array((size_t)start[buckets] + 1, sizeof *w->settle_at);
    if (w->settle_at == NULL) {
        return false;
    }
    for (int64_t id = 0; id < w->elements; id++) {
        int64_t b = bucket_of(w, place, groups, &w->element[id]);
        if (b >= 0) {
            w->settle_at[start[b]++] = w->element[id].at;
        }
    }
    return true;
}

static bool make_settle(whole_state *w)
{
    whole_settle_clear(w);
    int32_t *place = memory_array(2 * ((size_t)w->groups + 1), sizeof *place);
    if (place == NULL) {
        return false;
    }
    int32_t groups = count_groups(w, place), *site = place + w->groups + 1;
    int64_t buckets = (int64_t)w->whole.ranks * groups * SIZES;
    int64_t *start = memory_zeroed((size_t)buckets + 1, sizeof *start);
    w->settle_made = start != NULL && fill_settle(w, place, groups, start, buckets);
    for (int32_t s = 0; s < w->groups; s++) {
        if (whole_group(w, s) == s) {
            site[place[s]] = s;
        }
    }
    for (size_t r = 0; r < w->settles; r++) {
        w->settle[r].group = site[w->settle[r].group];
    }
    free(start);
    free(place);
    return w->settle_made;
}

/* ---- Settling ---- */

static bool is_stale(const whole_state *w, const settle_run *r)
{
    const group *g = &w->group[r->group];
    return g->version != g->whole;
}

/* Runs from..to - 1 are of one owner. Packs them there, and unpacks them elsewhere. */
static void copy_runs(const whole_state *w, size_t from, size_t to, char *buffer, bool out)
{
    for (size_t r = from; r < to; r++) {
        const settle_run *run = &w->settle[r];
        if (!is_stale(w, run)) {
            continue;
        }
        char **at = w->settle_at + run->first;
        for (int64_t k = 0; k < run->count; k++, buffer += run->bytes) {
            memcpy(out ? buffer : at[k], out ? at[k] : buffer, run->bytes);
        }
    }
}

static size_t bytes_of(const whole_state *w, size_t from, size_t to)
{
    size_t bytes = 0;
    for (size_t r = from; r < to; r++) {
        bytes += is_stale(w, &w->settle[r]) ? (size_t)w->settle[r].count * w->settle[r].bytes : 0;
    }
    return bytes;
}

static size_t end_of_owner(const whole_state *w, size_t from)
{
    size_t to = from;
    while (to < w->settles && w->settle[to].owner == w->settle[from].owner) {
        to++;
    }
    return to;
}

static int give_all(whole_state *w, char *buffer)
{
    const size_t most = (size_t)1 << 30;
    int code = MPI_SUCCESS;
    for (size_t from = 0, to; from < w->settles && code == MPI_SUCCESS; from = to) {
        to = end_of_owner(w, from);
        size_t bytes = bytes_of(w, from, to);
        int owner = w->settle[from].owner;
        if (owner == w->whole.rank) {
            copy_runs(w, from, to, buffer, true);
        }
        for (size_t done = 0; done < bytes && code == MPI_SUCCESS; done += most) {
            size_t piece = bytes - done < most ? bytes - done : most;
            code = MPI_Bcast(buffer + done, (int)piece, MPI_BYTE, owner, w->whole.comm);
        }
        if (owner != w->whole.rank && code == MPI_SUCCESS) {
            copy_runs(w, from, to, buffer, false);
        }
    }
    return collective_mpi(code, w->whole.diag);
}

int inlay_whole_settle(inlay_whole *whole)
{
    whole_state *w = state_of(whole);
    DIAG_CALL(whole->diag);
    if (!whole->stale) {
        return INLAY_OK;
    }
    double begun = clock_seconds();
    bool made = w->settle_made || make_settle(w);
    size_t most = 0;
    for (size_t from = 0, to; made && from < w->settles; from = to) {
        to = end_of_owner(w, from);
        size_t bytes = bytes_of(w, from, to);
        most = bytes > most ? bytes : most;
    }
    char *buffer = made ? memory_array(most + 1, 1) : NULL;
    int status = collective_agree(whole->comm, buffer == NULL ? diag_no_memory(whole->diag) : INLAY_OK, whole->diag);
    if (status == INLAY_OK && buffer != NULL) {
        status = give_all(w, buffer);
    }
    free(buffer);
    if (status == INLAY_OK) {
        for (int32_t g = 0; g < w->groups; g++) {
            w->group[g].whole = w->group[g].version;
        }
        whole->stale = false;
        w->settled++;
    }
    w->settling += clock_seconds() - begun;
    return status;
}

/* ---- Blocks that are freed ---- */

/* Whether there were elements in a block. */
static bool forget_elements(whole_state *w, uintptr_t begin, uintptr_t end)
{
    bool any = false;
    for (uintptr_t at = begin & ~(uintptr_t)7; at < end; at += 8) {
        page *p = whole_page(w, at);
        if (p == NULL) {
            at |= PAGE_BYTES - 8; /* the last word of the page */
            continue;
        }
        uint32_t word = p->word[at % PAGE_BYTES / 8];
        for (int32_t k = 0; word != 0 && k < 8 >> (word & 3); k++) {
            element *e = &w->element[(int32_t)(word >> 2) - 1 + k];
            w->settle_made &= !e->written;
            e->at = NULL;
            w->forgotten++;
            any = true;
        }
        p->word[at % PAGE_BYTES / 8] = 0;
    }
    return any;
}

static bool has_forgotten(const whole_state *w, const plan *p)
{
    for (int64_t k = 0; k < p->elements / 64 + 1; k++) {
        for (uint64_t bits = p->touched[k]; bits != 0; bits &= bits - 1) {
            if (w->element[k * 64 + __builtin_ctzll(bits)].at == NULL) {
                return true;
            }
        }
    }
    return false;
}

static void drop_plans(whole_state *w, bool elements, const char *begin, const char *end)
{
    for (loop_state *l = w->loops; l != NULL; l = l->next) {
        for (int i = 0; i < PLANS; i++) {
            plan *p = &l->plan[i];
            if (p->made && ((elements && has_forgotten(w, p)) || whole_sources_meet(p, begin, end))) {
                whole_plan_clear(p);
            }
        }
    }
}

int inlay_whole_forget(inlay_whole *whole, const void *block, size_t size)
{
    whole_state *w = state_of(whole);
    DIAG_CALL(whole->diag);
    w->frees++;
    bool elements = forget_elements(w, (uintptr_t)block, (uintptr_t)block + size);
    drop_plans(w, elements, block, (const char *)block + size);
    return INLAY_OK;
}

int inlay_whole_free(inlay_whole *whole, void *block)
{
    int status = block == NULL ? INLAY_OK : inlay_whole_forget(whole, block, malloc_usable_size(block));
    if (status == INLAY_OK) {
        free(block);
    }
    return status;
}

int inlay_whole_realloc(inlay_whole *whole, void **block, size_t size)
{
    int status = *block == NULL ? INLAY_OK : inlay_whole_settle(whole); /* what is in it stays */
    if (status == INLAY_OK && *block != NULL) {
        status = inlay_whole_forget(whole, *block, malloc_usable_size(*block));
    }
    if (status == INLAY_OK) {
        *block = realloc(*block, size); // NOLINT(bugprone-suspicious-realloc-usage): as realloc() does
    }
    return status;
}

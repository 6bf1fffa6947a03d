/* Data blocks in common memories: bin packing with preferences. */
#include "layout/memories.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include "graph/app.h"
#include "problem/remedy.h"
#include <inttypes.h>
#include <stdlib.h>

/* Steps of the exact search. */
enum { STEPS = 1000000 };

/* Blocks by falling size, and the memories they go into. */
typedef struct packing {
    const inlay_app *app;
    inlay_id memories;
    int64_t limit;     /* bytes of each; -1 unlimited */
    inlay_id *block;   /* by falling size, then by number */
    inlay_id *memory;  /* of every block */
    id_map used;       /* bytes of every memory that holds something */
    inlay_id homeless; /* after a failure: the block that found no room */
} packing;

typedef struct sized_block {
    int64_t size;
    inlay_id block;
} sized_block;

static int compare_sizes(const void *a, const void *b)
{
    const sized_block *x = a, *y = b;
    return x->size != y->size ? (x->size < y->size) - (x->size > y->size)
                              : (x->block > y->block) - (x->block < y->block);
}

static void packing_clear(packing *k)
{
    free(k->block);
    free(k->memory);
    id_map_clear(&k->used);
}

static bool packing_make(const problem *p, packing *k)
{
    size_t blocks = (size_t)p->app->blocks;
    sized_block *sorted = memory_array(blocks, sizeof *sorted);
    *k = (packing){.app = p->app,
                   .memories = inlay_machine_memories(p->machine),
                   .limit = inlay_machine_common_memory(p->machine),
                   .block = memory_array(blocks, sizeof *k->block),
                   .memory = memory_array(blocks, sizeof *k->memory)};
    bool fine = sorted != NULL && k->block != NULL && k->memory != NULL;
    for (size_t d = 0; fine && d < blocks; d++) {
        sorted[d] = (sized_block){p->app->block_size[d], (inlay_id)d};
    }
    if (fine) {
        qsort(sorted, blocks, sizeof *sorted, compare_sizes);
    }
    for (size_t d = 0; fine && d < blocks; d++) {
        k->block[d] = sorted[d].block;
    }
    free(sorted);
    return fine;
}

static bool has_room(const packing *k, inlay_id memory, int64_t size)
{
    return k->limit < 0 || id_map_get(&k->used, memory, 0) <= k->limit - size;
}

/* Take a block into a memory; false when out of memory. A limit below 0 needs no sums. */
static bool put(packing *k, inlay_id block, inlay_id memory)
{
    k->memory[block] = memory;
    return k->limit < 0 || id_map_add(&k->used, memory, k->app->block_size[block]) >= 0;
}

/* ---- By falling size, into the preferred memory or the first after it that has room ---- */

/* INLAY_NO_ANSWER: some block found no room. `preferred`: of every block; NULL: memory 0. */
static int pack_first_fit(packing *k, const inlay_id *preferred)
{
    id_map_clear(&k->used);
    k->used = (id_map){0};
    for (inlay_id i = 0; i < k->app->blocks; i++) {
        inlay_id block = k->block[i], memory = preferred == NULL ? 0 : preferred[block];
        inlay_id tries = 0;
        while (tries < k->memories && !has_room(k, memory, k->app->block_size[block])) {
            /* as many memories as blocks before this one may be in use: one more is empty */
            if (++tries > i) {
                k->homeless = block;
                return INLAY_NO_ANSWER;
            }
            memory = memory + 1 == k->memories ? 0 : memory + 1;
        }
        if (tries == k->memories) {
            k->homeless = block;
            return INLAY_NO_ANSWER;
        }
        if (!put(k, block, memory)) {
            return INLAY_NO_MEMORY;
        }
    }
    return INLAY_OK;
}

/* ---- Exactly: depth first, memories that are equally full tried once ---- */

typedef struct search {
    const packing *k;
    int64_t room[MEMORIES_EXACT];
    inlay_id memory[MEMORIES_EXACT];   /* of the first blocks by size */
    inlay_id open[MEMORIES_EXACT + 1]; /* memories in use before each of them: the first ones */
    inlay_id most;
} search;

static bool tried_before(const search *s, inlay_id memory)
{
    for (inlay_id m = 0; m < memory; m++) {
        if (s->room[m] == s->room[memory]) {
            return true;
        }
    }
    return false;
}

/* The first memory from `from` on that can take the block at `at`, or -1. One that is not in use yet is as good as any. */
static inlay_id next_memory(const search *s, inlay_id at, inlay_id from)
{
    int64_t size = s->k->app->block_size[s->k->block[at]];
    for (inlay_id m = from; m <= s->open[at] && m < s->most; m++) {
        if (s->room[m] >= size && !tried_before(s, m)) {
            return m;
        }
    }
    return -1;
}

static bool pack_exactly(search *s)
{
    inlay_id at = 0, from = 0;
    for (int64_t step = 0; at < s->k->app->blocks; step++) {
        inlay_id m = step < STEPS ? next_memory(s, at, from) : -1;
        if (m >= 0) {
            s->memory[at] = m;
            s->room[m] -= s->k->app->block_size[s->k->block[at]];
            s->open[at + 1] = m == s->open[at] ? m + 1 : s->open[at];
            at++;
            from = 0;
        } else if (at == 0 || step >= STEPS) {
            return false;
        } else {
            at--;
            s->room[s->memory[at]] += s->k->app->block_size[s->k->block[at]];
            from = s->memory[at] + 1;
        }
    }
    for (at = 0; at < s->k->app->blocks; at++) {
        s->k->memory[s->k->block[at]] = s->memory[at];
    }
    return true;
}

/* Wherever there is room, preferences aside. */
static int pack(packing *k)
{
    int status = pack_first_fit(k, NULL);
    if (status != INLAY_NO_ANSWER || k->app->blocks > MEMORIES_EXACT || k->app->block_size[k->homeless] > k->limit) {
        return status;
    }
    search s = {.k = k, .most = k->memories < MEMORIES_EXACT ? k->memories : MEMORIES_EXACT};
    for (inlay_id m = 0; m < s.most; m++) {
        s.room[m] = k->limit;
    }
    return pack_exactly(&s) ? INLAY_OK : INLAY_NO_ANSWER;
}

/* Blocks go home where room is left after a packing that did not ask what they prefer. */
static bool bring_home(packing *k, const inlay_id *preferred)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (inlay_id i = 0; i < k->app->blocks; i++) {
            inlay_id block = k->block[i], home = preferred[block], away = k->memory[block];
            int64_t size = k->app->block_size[block];
            if (home != away && has_room(k, home, size)) {
                if (id_map_add(&k->used, away, -size) < 0 || !put(k, block, home)) {
                    return false;
                }
                moved = true;
            }
        }
    }
    return true;
}

static bool count_used(packing *k)
{
    id_map_clear(&k->used);
    k->used = (id_map){0};
    for (inlay_id d = 0; d < k->app->blocks; d++) {
        if (!put(k, d, k->memory[d])) {
            return false;
        }
    }
    return true;
}

/* ---- What mapping asks ---- */

/* A size at which first fit cannot fail: no memory may be left with less than the mean in it. */
static int64_t sufficient_size(const packing *k, int64_t total)
{
    int64_t largest = k->app->block_size[k->block[0]];
    int64_t mean = total / k->memories + (total % k->memories != 0);
    if (k->memories == 1) {
        return total;
    }
    packing smaller = *k;
    smaller.limit = mean > largest ? mean : largest;
    smaller.used = (id_map){0};
    bool enough = pack(&smaller) == INLAY_OK;
    id_map_clear(&smaller.used);
    return enough ? smaller.limit : mean + largest;
}

static int refuse(const problem *p, const packing *k, int64_t total, inlay_diag *diag)
{
    inlay_id block = k->homeless;
    remedy_machine(p->machine, diag, "common_memory", sufficient_size(k, total));
    const char *several = k->memories == 1 ? "memory" : "memories";
    return diag_fail(diag, INLAY_NO_ANSWER,
                     "data block '%s' (%" PRId64 " bytes) finds no room: all data blocks need %" PRId64
                     " bytes, and %s has %d common %s of %" PRId64,
                     inlay_app_block_name(p->app, block), p->app->block_size[block], total,
                     inlay_machine_text(p->machine), k->memories, several, k->limit);
}

int memories_check(const problem *p, inlay_diag *diag)
{
    int64_t total = 0;
    if (inlay_machine_memories(p->machine) == 0 || p->app->blocks == 0) {
        return INLAY_OK;
    }
    for (inlay_id d = 0; d < p->app->blocks; d++) {
        total += p->app->block_size[d];
    }
    packing k;
    int status = packing_make(p, &k) ? pack(&k) : INLAY_NO_MEMORY;
    if (status == INLAY_NO_MEMORY) {
        diag_no_memory(diag);
    } else if (status == INLAY_NO_ANSWER) {
        refuse(p, &k, total, diag);
    }
    packing_clear(&k);
    return status;
}

static void prefer(const problem *p, const placement *place, inlay_id *preferred)
{
    for (inlay_id d = 0; d < p->app->blocks; d++) {
        preferred[d] = place->processor[place->home[d]] % inlay_machine_memories(p->machine);
    }
}

int memories_fill(const problem *p, placement *place, bool *fits, inlay_diag *diag)
{
    if (fits != NULL) {
        *fits = true;
    }
    if (inlay_machine_memories(p->machine) == 0 || p->app->blocks == 0) {
        return INLAY_OK;
    }
    packing k;
    prefer(p, place, place->memory);
    int status = packing_make(p, &k) ? pack_first_fit(&k, place->memory) : INLAY_NO_MEMORY;
    if (status == INLAY_NO_ANSWER) {
        status = pack(&k);
        if (status == INLAY_OK && !(count_used(&k) && bring_home(&k, place->memory))) {
            status = INLAY_NO_MEMORY;
        }
    }
    for (inlay_id d = 0; status == INLAY_OK && d < p->app->blocks; d++) {
        place->memory[d] = k.memory[d];
    }
    packing_clear(&k);
    if (status == INLAY_NO_ANSWER && fits != NULL) {
        *fits = false;
    }
    return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : INLAY_OK;
}

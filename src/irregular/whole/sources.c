/* Memory that addresses hang on, and whether it has changed since. */
#include "base/clock.h"
#include "base/diag.h"
#include "irregular/exchange/collective.h"
#include "irregular/whole/whole.h"
#include <stdlib.h>
#include <string.h>

/* ---- Told ---- */

/* Marks bytes within a word of 64; false where all of them are marked already. */
static bool mark(page *p, uint32_t stamp, size_t from, size_t size)
{
    if (p->source_of != stamp) {
        memset(p->source, 0, sizeof p->source);
        p->source_of = stamp;
    }
    uint64_t bits = (size == 64 ? ~UINT64_C(0) : (UINT64_C(1) << size) - 1) << from % 64;
    if ((p->source[from / 64] & bits) == bits) {
        return false;
    }
    p->source[from / 64] |= bits;
    p->ever[from / 64] |= bits;
    return true;
}

/* All bytes; false where they were marked already. What the loop itself writes is a source of later runs alone. */
static bool mark_all(whole_state *w, uintptr_t at, size_t size, bool own)
{
    bool any = false;
    for (size_t done = 0; done < size;) {
        size_t from = (at + done) % PAGE_BYTES, piece = 64 - from % 64;
        piece = piece < size - done ? piece : size - done;
        page *p = whole_page_made(w, at + done);
        if (p == NULL) {
            w->in.status = INLAY_NO_MEMORY;
            return false;
        }
        if (own) {
            p->ever[from / 64] |= (piece == 64 ? ~UINT64_C(0) : (UINT64_C(1) << piece) - 1) << from % 64;
        }
        any |= own || mark(p, w->in.stamp, from, piece);
        done += piece;
    }
    return any;
}

static void add_source(whole_state *w, const char *begin, const char *end, bool own)
{
    inspection *in = &w->in;
    range *last = in->sources == 0 ? NULL : &in->source[in->sources - 1];
    if ((last != NULL && begin >= last->begin && end <= last->end) ||
        !mark_all(w, (uintptr_t)begin, (size_t)(end - begin), own)) {
        return;
    }
    if (last != NULL && last->end == begin) {
        last->end = end;
        return;
    }
    if (!memory_grow((void **)&in->source, &in->source_room, in->sources + 1, sizeof *in->source)) {
        in->status = INLAY_NO_MEMORY;
        return;
    }
    in->source[in->sources++] = (range){.begin = begin, .end = end};
}

void inlay_loop_source(inlay_loop *loop, const void *at, size_t size)
{
    whole_state *w = loop_of(loop)->whole;
    inspection *in = &w->in;
    if (in->loop != NULL && in->status == INLAY_OK && !in->conflict.found && !whole_reads_private(in, at, size)) {
        add_source(w, at, (const char *)at + size, false);
    }
}

bool inlay_loop_own(inlay_loop *loop, const void *at, size_t size, bool tried)
{
    whole_state *w = loop_of(loop)->whole;
    inspection *in = &w->in;
    if (in->loop == NULL || in->status != INLAY_OK || in->conflict.found) {
        return false;
    }
    if (whole_reads_private(in, at, size)) {
        return !in->unfilled;
    }
    bool stored = false; /* by this iteration, before, which is not seen here */
    for (uintptr_t byte = (uintptr_t)at; byte < (uintptr_t)at + size && !tried; byte++) {
        const page *p = whole_page(w, byte);
        uint32_t word = p == NULL ? 0 : p->word[byte % PAGE_BYTES / 8];
        const element *e = word == 0 ? NULL : &w->element[(word >> 2) - 1 + (byte % 8 >> (word & 3))];
        stored = stored || (e != NULL && e->seen == in->stamp && (e->kinds & ~(unsigned)READS) != 0);
    }
    add_source(w, at, (const char *)at + size, !stored); /* which whole_sources_check() finds */
    return !stored;
}

bool whole_sources_were_at(const whole_state *w, const element *e)
{
    uintptr_t at = (uintptr_t)e->at;
    const page *p = whole_page(w, at);
    return p != NULL && (p->ever[at % PAGE_BYTES / 64] >> at % 64 & ((UINT64_C(1) << e->bytes) - 1)) != 0;
}

/* ---- The loop must not write there ---- */

int whole_sources_check(whole_state *w)
{
    const inspection *in = &w->in;
    for (int64_t t = 0; t < in->touches; t++) {
        const element *e = &w->element[in->touched[t]];
        if (e->kinds == READS || e->at == NULL) {
            continue;
        }
        uintptr_t at = (uintptr_t)e->at;
        const page *p = whole_page(w, at);
        uint64_t bits = ((UINT64_C(1) << e->bytes) - 1) << at % 64;
        if (p != NULL && p->source_of == in->stamp && (p->source[at % PAGE_BYTES / 64] & bits) != 0) {
            const inlay_site *s = &in->loop->about.site[e->site];
            return diag_fail(
                w->whole.diag, INLAY_BAD_INPUT,
                "%s: iteration %lld stores to %s, and indices or conditions of the loop hang on it; expected that "
                "what the loop uses can be told before it runs",
                s->where, (long long)in->value[e->first], s->text);
        }
    }
    return INLAY_OK;
}

/* ---- Checksums ---- */

/* Of bytes, in four streams, so that one need not wait for the other. */
static uint64_t sum_of(uint64_t sum, const char *at, size_t size)
{
    const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t s[4] = {sum, sum ^ 1, sum ^ 2, sum ^ 3}, word[4];
    for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
        memcpy(word, at, sizeof word);
        for (int k = 0; k < 4; k++) {
            s[k] = (s[k] ^ word[k]) * factor;
            s[k] ^= s[k] >> 32;
        }
    }
    memset(word, 0, sizeof word);
    memcpy(word, at, size);
    sum = size;
    for (int k = 0; k < 4; k++) {
        s[k] = (s[k] ^ word[k]) * factor;
        s[k] ^= s[k] >> 32;
        sum = (sum ^ s[k]) * factor;
        sum ^= sum >> 32;
    }
    return sum;
}

/* This rank's share of the bytes: all have them, and each looks at some. */
static uint64_t share_of(const whole_state *w, const plan *p)
{
    uint64_t total = 0, sum = 1;
    for (size_t i = 0; i < p->sources; i++) {
        total += (uint64_t)(p->source[i].end - p->source[i].begin);
    }
    uint64_t ranks = (uint64_t)w->whole.ranks, rank = (uint64_t)w->whole.rank, each = total / ranks + 1;
    uint64_t from = each * rank, to = from + each, place = 0;
    for (size_t i = 0; i < p->sources && place < to; i++) {
        uint64_t size = (uint64_t)(p->source[i].end - p->source[i].begin);
        uint64_t low = place > from ? place : from, high = place + size < to ? place + size : to;
        if (low < high) {
            sum = sum_of(sum, p->source[i].begin + (low - place), (size_t)(high - low));
        }
        place += size;
    }
    return sum;
}

/* A group in which sources lie, to be looked at when the loop is next begun. */
static bool add_group(plan *p, int32_t g)
{
    for (size_t j = 0; j < p->source_groups; j++) {
        if (p->source_in[j].group == g) {
            return true;
        }
    }
    size_t room = p->source_groups; /* they are few */
    if (!memory_grow((void **)&p->source_in, &room, p->source_groups + 1, sizeof *p->source_in)) {
        return false;
    }
    p->source_in[p->source_groups++] = (source_group){.group = g, .version = -1};
    return true;
}

int whole_sources_groups(whole_state *w, plan *p)
{
    int32_t last = -1;
    for (size_t i = 0; i < p->sources; i++) {
        for (uintptr_t at = (uintptr_t)p->source[i].begin & ~(uintptr_t)7; at < (uintptr_t)p->source[i].end; at += 8) {
            const page *on = whole_page(w, at);
            uint32_t word = on == NULL ? 0 : on->word[at % PAGE_BYTES / 8];
            for (int32_t k = 0; word != 0 && k < 8 >> (word & 3); k++) {
                int32_t g = w->element[(int32_t)(word >> 2) - 1 + k].group;
                if (g >= 0 && g != last && !add_group(p, g)) {
                    return INLAY_NO_MEMORY;
                }
                last = g;
            }
        }
    }
    return INLAY_OK;
}

static void looked_at(whole_state *w, plan *p)
{
    for (size_t i = 0; i < p->source_groups; i++) {
        p->source_in[i].version = w->group[whole_group(w, p->source_in[i].group)].version;
    }
    p->epoch = w->whole.epoch;
}

/* The sources of the inspection are the plan's, as they are now. */
int whole_sources_keep(whole_state *w, plan *p)
{
    p->source = w->in.source;
    p->sources = w->in.sources;
    w->in.source = NULL;
    w->in.sources = w->in.source_room = 0;
    p->checksum = share_of(w, p);
    int status = whole_sources_groups(w, p);
    looked_at(w, p);
    return status;
}

bool whole_sources_suspect(whole_state *w, const plan *p)
{
    if (!w->options.no_guard && p->epoch != w->whole.epoch && p->sources > 0) {
        return true;
    }
    for (size_t i = 0; i < p->source_groups; i++) {
        if (w->group[whole_group(w, p->source_in[i].group)].version != p->source_in[i].version) {
            return true;
        }
    }
    return false;
}

/* Memory is whole. Collective. */
int whole_sources_changed(whole_state *w, loop_state *l, plan *p, bool *changed)
{
    double from = clock_seconds();
    int differs = share_of(w, p) != p->checksum, any = 0;
    MPI_Allreduce(&differs, &any, 1, MPI_INT, MPI_MAX, w->whole.comm);
    looked_at(w, p);
    *changed = any != 0;
    l->guarding += clock_seconds() - from;
    return INLAY_OK;
}

bool whole_sources_meet(const plan *p, const char *begin, const char *end)
{
    for (size_t i = 0; i < p->sources; i++) {
        if (p->source[i].begin < end && begin < p->source[i].end) {
            return true;
        }
    }
    return false;
}

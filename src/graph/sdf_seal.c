/*
 * The repetition vector: the least whole numbers of cycles through the phases such that every channel gets as many tokens
 * as are taken from it (E. A. Lee and D. G. Messerschmitt, IEEE Trans. Computers 36 (1987)); and whether an iteration can
 * be made: whether firings of one iteration wait for each other in a circle.
 */
#include "base/common_divisor.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/sdf.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Cycles of an actor, as a share of those of the actor that its part of the graph was entered by. */
typedef struct share {
    int64_t above, below; /* 0/0: not yet known */
} share;

typedef struct solver {
    inlay_sdf *sdf;
    const char *source;
    inlay_diag *diag;
    memory_pool arrays;
    share *share;
    size_t *begin;     /* rows of channels at each actor, by both ends */
    int32_t *at;       /* channels */
    inlay_id *reached; /* actors of one part, in the order in which they are reached */
} solver;

static int too_many(const solver *s)
{
    return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, 0,
                        "an iteration of dataflow graph '%s' has more than %d firings; expected at most so many",
                        s->sdf->name, SDF_FIRINGS);
}

/* ---- Rates that agree ---- */

static void make_rows(solver *s)
{
    const inlay_sdf *sdf = s->sdf;
    for (size_t c = 0; c < sdf->channels; c++) {
        s->begin[sdf->channel[c].given.from]++;
        s->begin[sdf->channel[c].given.to]++;
    }
    for (size_t i = 0; i < sdf->actors; i++) {
        s->begin[i + 1] += s->begin[i];
    }
    for (size_t c = sdf->channels; c-- > 0;) {
        s->at[--s->begin[sdf->channel[c].given.from]] = (int32_t)c;
        s->at[--s->begin[sdf->channel[c].given.to]] = (int32_t)c;
    }
}

/* share x up / down; false where it passes 64 bits. */
static bool share_times(share of, int64_t up, int64_t down, share *result)
{
    int64_t common = common_divisor(up, down);
    up /= common;
    down /= common;
    common = common_divisor(of.above, down);
    of.above /= common;
    down /= common;
    common = common_divisor(up, of.below);
    up /= common;
    of.below /= common;
    return !__builtin_mul_overflow(of.above, up, &result->above) &&
           !__builtin_mul_overflow(of.below, down, &result->below);
}

/* The share of the actor at the other end of a channel follows from that of one. */
static int reach(solver *s, inlay_id actor, const sdf_channel *channel, size_t *reached)
{
    bool forward = channel->given.from == actor;
    inlay_id other = forward ? channel->given.to : channel->given.from;
    if (channel->put == 0 || channel->taken == 0 || s->share[other].below != 0) {
        return INLAY_OK;
    }
    int64_t up = forward ? channel->put : channel->taken, down = forward ? channel->taken : channel->put;
    if (!share_times(s->share[actor], up, down, &s->share[other])) {
        return too_many(s);
    }
    s->reached[(*reached)++] = other;
    return INLAY_OK;
}

/* The shares of a part become whole numbers. As one of them was 1, they have no common divisor. */
static int make_whole(const solver *s, const inlay_id *actor, size_t count)
{
    int64_t multiple = 1;
    for (size_t i = 0; i < count; i++) {
        share of = s->share[actor[i]];
        if (__builtin_mul_overflow(multiple, of.below / common_divisor(multiple, of.below), &multiple)) {
            return too_many(s);
        }
    }
    for (size_t i = 0; i < count; i++) {
        share of = s->share[actor[i]];
        sdf_actor *made = &s->sdf->actor[actor[i]];
        if (__builtin_mul_overflow(of.above, multiple / of.below, &made->repetitions) ||
            __builtin_mul_overflow(made->repetitions, made->phases, &made->repetitions) ||
            made->repetitions > SDF_FIRINGS) {
            return too_many(s);
        }
    }
    return INLAY_OK;
}

static int solve_part(solver *s, inlay_id first)
{
    size_t reached = 1;
    int status = INLAY_OK;
    s->reached[0] = first;
    s->share[first] = (share){1, 1};
    for (size_t i = 0; status == INLAY_OK && i < reached; i++) {
        inlay_id actor = s->reached[i];
        for (size_t l = s->begin[actor]; status == INLAY_OK && l < s->begin[actor + 1]; l++) {
            status = reach(s, actor, &s->sdf->channel[s->at[l]], &reached);
        }
    }
    return status == INLAY_OK ? make_whole(s, s->reached, reached) : status;
}

static int64_t cycles_of(const inlay_sdf *sdf, inlay_id actor)
{
    return sdf->actor[actor].repetitions / sdf->actor[actor].phases;
}

static int check_channel(const solver *s, const sdf_channel *c)
{
    const inlay_sdf *sdf = s->sdf;
    int64_t put, taken;
    if (__builtin_mul_overflow(cycles_of(sdf, c->given.from), c->put, &put) ||
        __builtin_mul_overflow(cycles_of(sdf, c->given.to), c->taken, &taken) || (put == taken && put >> 61 != 0)) {
        return diag_fail_at(s->diag, INLAY_OVERFLOW, s->source, c->given.line,
                            "the tokens of an iteration in channel '%s' pass 2^61; expected fewer", c->given.name);
    }
    return put == taken
               ? INLAY_OK
               : diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, c->given.line,
                              "channel '%s': '%s' puts %" PRId64 " tokens where '%s' takes %" PRId64
                              "; expected rates that agree over an iteration",
                              c->given.name, sdf->actor[c->given.from].name, put, sdf->actor[c->given.to].name, taken);
}

static int find_repetitions(solver *s)
{
    inlay_sdf *sdf = s->sdf;
    int status = INLAY_OK;
    int64_t firings = 0;
    make_rows(s);
    for (size_t i = 0; status == INLAY_OK && i < sdf->actors; i++) {
        if (s->share[i].below == 0) {
            status = solve_part(s, (inlay_id)i);
        }
    }
    for (size_t c = 0; status == INLAY_OK && c < sdf->channels; c++) {
        status = check_channel(s, &sdf->channel[c]);
    }
    for (size_t i = 0; status == INLAY_OK && i < sdf->actors; i++) {
        sdf->actor[i].first_firing = (int32_t)firings;
        firings += sdf->actor[i].repetitions;
        status = firings > SDF_FIRINGS ? too_many(s) : INLAY_OK;
    }
    sdf->firings = (int32_t)firings;
    return status;
}

/* ---- An iteration that can be made ---- */

/* Takes firings that wait for none that is left; `waits` counts for how many links each one waits. */
static int32_t count_makeable(const inlay_sdf *sdf, const sdf_link *links, const size_t *begin, const size_t *by_from,
                              int32_t *waits, int32_t *queue)
{
    int32_t ready = 0;
    for (int32_t f = 0; f < sdf->firings; f++) {
        if (waits[f] == 0) {
            queue[ready++] = f;
        }
    }
    for (int32_t i = 0; i < ready; i++) {
        for (size_t l = begin[queue[i]]; l < begin[queue[i] + 1]; l++) {
            const sdf_link *link = &links[by_from[l]];
            if (link->iterations == 0 && --waits[link->to] == 0) {
                queue[ready++] = link->to;
            }
        }
    }
    return ready;
}

/* From a firing that waits back along firings that wait too, until one comes again: a circle, told by its actors. */
static int tell_deadlock(const solver *s, const sdf_link *links, size_t count, const int32_t *waits)
{
    enum { TOLD = 4 };
    const inlay_sdf *sdf = s->sdf;
    int32_t *waits_for = memory_array((size_t)sdf->firings, sizeof *waits_for);
    if (waits_for == NULL) {
        return diag_no_memory(s->diag);
    }
    for (size_t l = count; l-- > 0;) {
        if (links[l].iterations == 0 && waits[links[l].from] > 0 && waits[links[l].to] > 0) {
            waits_for[links[l].to] = (int32_t)l;
        }
    }
    int32_t firing = 0;
    while (waits[firing] == 0) {
        firing++;
    }
    for (int32_t i = 0; i < sdf->firings; i++) { /* long enough to be in the circle */
        firing = links[waits_for[firing]].from;
    }
    char told[512];
    int used = 0;
    int32_t at = firing, i = 0;
    do {
        const sdf_link *link = &links[waits_for[at]];
        used += snprintf(told + used, sizeof told - (size_t)used, "%s'%.40s' for '%.40s' by '%.40s'",
                         i == 0 ? "" : ", ", sdf->actor[sdf_actor_of(sdf, at)].name,
                         sdf->actor[sdf_actor_of(sdf, link->from)].name, sdf->channel[link->channel].given.name);
        at = link->from;
        i++;
    } while (at != firing && i < TOLD && (size_t)used < sizeof told - 150);
    long line = sdf->channel[links[waits_for[firing]].channel].given.line;
    free(waits_for);
    return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, line,
                        "deadlock: firings wait for each other (%s%s); expected tokens in a channel of every circle",
                        told, at != firing ? ", ..." : "");
}

static int check_live(solver *s, const sdf_link *links, size_t count)
{
    const inlay_sdf *sdf = s->sdf;
    size_t firings = (size_t)sdf->firings;
    int32_t *waits = pool_zeroed(&s->arrays, firings, sizeof *waits);
    int32_t *queue = pool_array(&s->arrays, firings, sizeof *queue);
    size_t *begin = pool_zeroed(&s->arrays, firings + 1, sizeof *begin);
    size_t *by_from = pool_array(&s->arrays, count, sizeof *by_from);
    if (s->arrays.failed) {
        return diag_no_memory(s->diag);
    }
    for (size_t l = 0; l < count; l++) {
        waits[links[l].to] += links[l].iterations == 0;
        begin[links[l].from]++;
    }
    for (size_t f = 0; f < firings; f++) {
        begin[f + 1] += begin[f];
    }
    for (size_t l = count; l-- > 0;) {
        by_from[--begin[links[l].from]] = l;
    }
    return count_makeable(sdf, links, begin, by_from, waits, queue) == sdf->firings
               ? INLAY_OK
               : tell_deadlock(s, links, count, waits);
}

static int open_solver(solver *s)
{
    const inlay_sdf *sdf = s->sdf;
    s->share = pool_zeroed(&s->arrays, sdf->actors, sizeof *s->share);
    s->begin = pool_zeroed(&s->arrays, sdf->actors + 1, sizeof *s->begin);
    s->at = pool_array(&s->arrays, 2 * sdf->channels, sizeof *s->at);
    s->reached = pool_array(&s->arrays, sdf->actors, sizeof *s->reached);
    return s->arrays.failed ? diag_no_memory(s->diag) : find_repetitions(s);
}

int sdf_balance(inlay_sdf *sdf, const char *source, inlay_diag *diag)
{
    solver s = {.sdf = sdf, .source = source, .diag = diag};
    int status = open_solver(&s);
    pool_clear(&s.arrays);
    return status;
}

int inlay_sdf_seal(inlay_sdf *sdf, const char *source, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (sdf->actors == 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, source, 0, "no actors; expected at least one");
    }
    solver s = {.sdf = sdf, .source = source, .diag = diag};
    sdf_link *links = NULL;
    size_t count = 0;
    int status = open_solver(&s);
    status = status == INLAY_OK ? sdf_links_make(sdf, source, &links, &count, diag) : status;
    status = status == INLAY_OK ? check_live(&s, links, count) : status;
    pool_clear(&s.arrays);
    status = status == INLAY_OK ? sdf_find_period(sdf, source, links, count, diag) : status;
    free(links);
    return status;
}

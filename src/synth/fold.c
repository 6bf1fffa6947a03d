/* Folding: rounds over a sequence, each of which replaces repetitions that do not overlap by loops. */
#include "synth/fold.h"
#include "base/memory.h"
#include "synth/synth.h"
#include <stdlib.h>
#include <string.h>

typedef struct fold_loop {
    int64_t size;
    int32_t depth;
} fold_loop;

enum { TIMES_WORDS = 2 };

void folder_clear(folder *f)
{
    intern_clear(&f->loop);
    free(f->facts);
    repeat_finder_clear(&f->finder);
    free(f->period);
    free(f->times);
    free(f->key);
    *f = (folder){0};
}

/* ---- Loops ---- */

int64_t folder_size(const folder *f, int32_t symbol)
{
    return symbol >= 0 ? 1 : f->facts[~symbol].size;
}

int32_t folder_depth(const folder *f, int32_t symbol)
{
    return symbol >= 0 ? 0 : f->facts[~symbol].depth;
}

const int32_t *folder_body(const folder *f, int32_t loop, size_t *symbols, int64_t *times)
{
    const int32_t *word = intern_at(&f->loop, loop, symbols);
    memcpy(times, word, sizeof *times);
    *symbols -= TIMES_WORDS;
    return word + TIMES_WORDS;
}

static fold_loop measure(const folder *f, const int32_t *symbol, size_t symbols)
{
    fold_loop all = {1, 0};
    for (size_t k = 0; k < symbols; k++) {
        int32_t depth = folder_depth(f, symbol[k]);
        all.size += folder_size(f, symbol[k]);
        all.depth = depth > all.depth ? depth : all.depth;
    }
    all.depth++;
    return all;
}

/* Words to number a loop by. They are a copy: a body may stand among the words that grow. */
static const int32_t *loop_key(folder *f, const int32_t *symbol, size_t symbols, int64_t times)
{
    if (!memory_grow((void **)&f->key, &f->key_room, symbols + TIMES_WORDS, sizeof *f->key)) {
        return NULL;
    }
    memcpy(f->key, &times, sizeof times);
    memcpy(f->key + TIMES_WORDS, symbol, symbols * sizeof *symbol);
    return f->key;
}

int folder_loop(folder *f, const int32_t *symbol, size_t symbols, int64_t times, int32_t *result)
{
    int64_t inner = 1;
    if (symbols == 1 && *symbol < 0) { /* a loop alone in a loop is one loop */
        symbol = folder_body(f, ~*symbol, &symbols, &inner);
    }
    fold_loop facts = measure(f, symbol, symbols);
    if (facts.depth > SYNTH_DEPTH) {
        return INLAY_NO_ANSWER;
    }
    const int32_t *key = loop_key(f, symbol, symbols, inner * times);
    if (key == NULL || !memory_grow((void **)&f->facts, &f->facts_room, (size_t)f->loop.count + 1, sizeof *f->facts)) {
        return INLAY_NO_MEMORY;
    }
    int32_t number = intern_put(&f->loop, key, symbols + TIMES_WORDS);
    if (number < 0) {
        return INLAY_NO_MEMORY;
    }
    f->facts[number] = facts;
    *result = ~number;
    return INLAY_OK;
}

/* ---- A round: what is folded where ---- */

/* Whether a stretch repeats indeed. What was found by hashes is not believed. */
static bool is_periodic(const int32_t *symbol, int32_t begin, int32_t end, int32_t period)
{
    return memcmp(symbol + begin, symbol + begin + period, (size_t)(end - begin - period) * sizeof *symbol) == 0;
}

/* Whether the table gets shorter, and loops not too deep. */
static bool is_worth_it(const folder *f, const int32_t *symbol, int32_t period, int32_t times)
{
    if (period == 1 && *symbol < 0) {
        return true; /* the loop that is there is done more often */
    }
    fold_loop facts = measure(f, symbol, (size_t)period);
    return facts.depth <= SYNTH_DEPTH && (facts.size - 1) * (times - 1) > 1;
}

/* Takes a stretch where nothing is taken yet; what is left of it at its end is less than a period. */
static bool take_stretch(folder *f, const int32_t *symbol, int32_t begin, int32_t end, int32_t period)
{
    int32_t times = (end - begin) / period;
    end = begin + times * period;
    if (times < 2 || !is_worth_it(f, symbol + begin, period, times) || !is_periodic(symbol, begin, end, period)) {
        return false;
    }
    f->period[begin] = period;
    f->times[begin] = times;
    for (int32_t k = begin + 1; k < end; k++) {
        f->period[k] = -1;
    }
    return true;
}

/* The parts of a repetition that are still free. */
static bool take_repeat(folder *f, const int32_t *symbol, const repeat *r)
{
    bool taken = false;
    for (int32_t begin = r->begin, end; r->end - begin >= 2 * r->period; begin = end + 1) {
        for (end = begin; end < r->end && f->period[end] == 0;) {
            end++;
        }
        taken |= take_stretch(f, symbol, begin, end, r->period);
    }
    return taken;
}

static int choose(folder *f, const int32_t *symbol, int32_t count, bool *chosen)
{
    size_t n = (size_t)count;
    *chosen = false;
    if (!memory_grow((void **)&f->period, &f->period_room, n, sizeof *f->period) ||
        !memory_grow((void **)&f->times, &f->times_room, n, sizeof *f->times) ||
        repeat_finder_run(&f->finder, symbol, count) != 0) {
        return INLAY_NO_MEMORY;
    }
    memset(f->period, 0, n * sizeof *f->period);
    for (size_t k = 0; k < f->finder.repeats; k++) {
        *chosen |= take_repeat(f, symbol, &f->finder.found[k]);
    }
    return INLAY_OK;
}

/* ---- Rounds ---- */

/* The sequence with its loops, over itself: what is written stands before what is read. */
static int replace(folder *f, int32_t *symbol, size_t *symbols)
{
    size_t written = 0, read = 0;
    int status = INLAY_OK;
    while (read < *symbols && status == INLAY_OK) {
        int32_t period = f->period[read];
        if (period == 0) {
            symbol[written++] = symbol[read++];
            continue;
        }
        int32_t loop = 0;
        status = folder_loop(f, symbol + read, (size_t)period, f->times[read], &loop);
        symbol[written++] = loop;
        read += (size_t)period * (size_t)f->times[read];
    }
    *symbols = written;
    return status;
}

/* Each round folds what stands innermost; more of them only where loops end and begin in step with each other. */
enum { ROUNDS = 4 * SYNTH_DEPTH };

int folder_fold(folder *f, int32_t *symbol, size_t *symbols)
{
    if (*symbols >= INT32_MAX) {
        return INLAY_OVERFLOW;
    }
    if (*symbols < 2) {
        return INLAY_OK;
    }
    bool chosen = true;
    int status = INLAY_OK;
    for (int round = 0; round < ROUNDS && chosen && status == INLAY_OK; round++) {
        status = choose(f, symbol, (int32_t)*symbols, &chosen);
        if (status == INLAY_OK && chosen) {
            status = replace(f, symbol, symbols);
        }
    }
    return status;
}

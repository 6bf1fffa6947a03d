/*
 * Sequences folded to loops in loops.
 *
 * A symbol is a number (>= 0) that the caller gave, or ~number of a loop: a body of symbols that is done so many times.
 * Equal loops have one number, in whichever sequence they stand. A sequence is folded in rounds: repetitions with the
 * shortest period first, then those of what came out. Each loop makes the table shorter, which counts an entry for
 * every symbol and one more for every loop; it is not always as short as can be.
 */
#ifndef SYNTH_FOLD_H
#define SYNTH_FOLD_H

#include "synth/intern.h"
#include "synth/repeats.h"

/** Zero-initialised is empty. */
typedef struct folder {
    intern loop;             /**< times (two words), then the body */
    struct fold_loop *facts; /**< of every loop */
    size_t facts_room;
    repeat_finder finder;
    int32_t *period, *times; /**< of what is folded at a position; period 0: nothing, -1: it is inside */
    int32_t *key;            /**< scratch: a loop on its way to its number */
    size_t period_room, times_room, key_room;
} folder;

void folder_clear(folder *f);

/**
 * The symbol of `symbols` of them done `times` times, at least twice. INLAY_NO_MEMORY, or INLAY_NO_ANSWER where there
 * would be more than SYNTH_DEPTH loops in each other.
 */
int folder_loop(folder *f, const int32_t *symbol, size_t symbols, int64_t times, int32_t *result);

/** Fold a sequence in place. INLAY_OVERFLOW from 2^31 symbols on; INLAY_NO_MEMORY, the sequence being lost then. */
int folder_fold(folder *f, int32_t *symbol, size_t *symbols);

/** The body of a loop, until the next one is made, and how often it is done. */
const int32_t *folder_body(const folder *f, int32_t loop, size_t *symbols, int64_t *times);

/** Entries of a symbol in the table; loops in each other. */
int64_t folder_size(const folder *f, int32_t symbol);
int32_t folder_depth(const folder *f, int32_t symbol);

#endif

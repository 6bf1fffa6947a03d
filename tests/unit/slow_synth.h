/*
 * A slow, plain reference for what the ranks of a synthetic program do, step by step, by the rules of docs/synth.md. It
 * knows the public headers alone, looks at every link for every module, and unrolls everything.
 */
#ifndef UNIT_SLOW_SYNTH_H
#define UNIT_SLOW_SYNTH_H

#include <inlay/inlay.h>

enum { SLOW_SYNTH_RANKS = 40 };

/** A step, and what it is for: that tells messages apart which look alike. */
typedef struct slow_synth_step {
    inlay_synth_step step;
    inlay_id module; /**< whose work it is; -1 of messages */
    int64_t link;    /**< number of the link, or all links plus that of the use of a data block; -1 of work */
    int64_t message; /**< of that link, from 0 */
} slow_synth_step;

typedef struct slow_synth_rank {
    inlay_id cluster, processor;
    slow_synth_step *step;
    size_t steps;
} slow_synth_rank;

typedef struct slow_synth {
    inlay_id ranks;
    slow_synth_rank rank[SLOW_SYNTH_RANKS];
    int32_t lanes;       /**< the most between two ranks */
    double tick_seconds; /**< in force */
} slow_synth;

/** Room for one more than `count` entries of so many bytes: twice as many each time that it is full. */
void *slow_synth_room(void *array, size_t count, size_t size);

/** Whether a step does nothing at all: the program may have such work or leave it out. */
bool slow_synth_nothing(const inlay_synth_step *step);

/** Steps that do nothing are there, with the time that their module takes. Freed with slow_synth_clear(). */
void slow_synthesise(const inlay_mapping *mapping, const inlay_synth_options *options, slow_synth *result);
void slow_synth_clear(slow_synth *result);

#endif

/*
 * The synthetic program as tables: what the writer prints and a walk goes through.
 *
 * A sequence is entries sequence_begin[s] .. sequence_begin[s + 1] - 1. An entry is a step, by its number, or a loop,
 * as ~number: the loop[number].length entries behind it are done loop[number].times. A rank does the sequence
 * rank_sequence[rank]. Peers are told as (peer - rank): ranks that do the same for their neighbours share a sequence.
 */
#ifndef SYNTH_SYNTH_H
#define SYNTH_SYNTH_H

#include <inlay/synth.h>

enum { SYNTH_DEPTH = 16 /**< loops in each other, at most: of inlay_synth_walk */ };

/** One piece of work. */
typedef struct synth_work {
    int64_t arithmetic, functions;
    int64_t memory; /**< bytes */
    double seconds;
    bool counted;
} synth_work;

/** One kind of step. */
typedef struct synth_kind {
    inlay_synth_kind kind;
    int32_t distance; /**< peer - rank; 0 of work */
    int32_t lane;
    int64_t size; /**< bytes of the message; of work its row in `work` */
} synth_kind;

typedef struct synth_loop {
    int64_t times, length;
} synth_loop;

struct inlay_synth {
    const inlay_mapping *mapping;
    inlay_synth_summary summary;

    synth_work *work; /**< summary.works */
    synth_kind *kind; /**< summary.kinds */
    synth_loop *loop; /**< loops */
    int64_t loops;
    int32_t *entry;          /**< summary.entries: number of a kind, or ~number of a loop */
    int64_t *sequence_begin; /**< summary.sequences + 1 */
    inlay_id *rank_sequence; /**< of every rank */
    inlay_id *rank_cluster;  /**< of every rank; -1 where its processor is not used */
};

#endif

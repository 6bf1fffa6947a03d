/*
 * Compressed synthetic code: a small program that uses the same resources as a mapped application, and runs.
 *
 * What it is. One C17 program with MPI, in one file. Each rank stands for a processor that the mapping uses and goes
 * through that processor's modules in the mapping's order: it waits for what the module waits for, does the module's
 * work, and sends what the module sends. "Compressed" (Houstis, Houstis and Rice, section 1, step (b)): the code is the
 * same for every application; what differs stands in tables, in which runs of equal steps are loops, equal steps stand
 * once and ranks that do the same share their steps.
 *
 * Steps. A rank does, one after the other:
 *
 *   work     so many arithmetic operations and function evaluations, or a loop of so many seconds; and goes through the
 *            module's memory
 *   send     starts a message to a rank, and goes on at once
 *   receive  waits for a message from a rank
 *   accept   lets a message from a rank arrive that nobody waits for, and goes on at once
 *
 * A module is its receives, its work, its sends. Of one of several cores a rank for each works: before that the others send
 * the lowest processor's that their turn has come, and receive that the module begins. Under the streaming rule its work is cut where its links become due,
 * and their sends stand between the pieces. A link with precedence and without messages is a message of 0 bytes: ranks
 * have no other way to wait for each other.
 *
 * Messages that nobody waits for: traffic-only links are sent where their producer ends, and accepted before the first
 * module of the receiver that starts later by the estimate. A module whose data block lives with another processor
 * accepts it before its work, and the block's home sends it before its first module that starts later.
 *
 * Lanes. Two messages from one rank to another may be received in another order than they are sent. Each goes in a lane,
 * its MPI tag: in one lane the orders agree. A lane is the lowest whose last message was received before.
 *
 * No deadlock. Only receives wait, and only for a send of a module that comes before in the order by which every
 * processor runs (inlay_synthesise() refuses orders that wait for each other). Sends never wait for their receives.
 */
#ifndef INLAY_SYNTH_H
#define INLAY_SYNTH_H

#include <inlay/mapping.h>

typedef struct inlay_synth inlay_synth;

/* ---- Making one ---- */

/** What a module's work is made of. */
typedef enum inlay_synth_work {
    INLAY_SYNTH_AUTO,   /**< its operation counts where it has any, else its time */
    INLAY_SYNTH_COUNTS, /**< its counts alone: a module without any only goes through its memory */
    INLAY_SYNTH_TIMES   /**< its time on its processor */
} inlay_synth_work;

/** Zero-initialised, these are the defaults. */
typedef struct inlay_synth_options {
    double tick_seconds;  /**< length of a tick, for applications in ticks; 0: the mapping's */
    int64_t message_size; /**< bytes of a message whose link tells none; 0: the machine's message_size, or else 8 */
    bool model_sizes; /**< what the model has, not the application: the messages of a link are one, as long as all of
                               them. Where the machine counts messages each is message_size bytes, also where the link
                               has bytes */
    inlay_synth_work work;
    bool no_memory;      /**< modules go through no memory */
    bool all_processors; /**< a rank for each processor of the machine, numbered as it is; else for those used, in the
                              order of their numbers */
} inlay_synth_options;

/**
 * Make the synthetic program of a mapping. INLAY_BAD_ARGUMENT where the application is in ticks whose length nobody
 * tells and a module's time is needed; INLAY_NO_ANSWER where the orders of two processors wait for each other;
 * INLAY_OVERFLOW where sizes or counts pass 2^53. It keeps pointers to the mapping, which must outlive it.
 */
INLAY_API int inlay_synthesise(const inlay_mapping *mapping, const inlay_synth_options *options, inlay_synth **synth,
                               inlay_diag *diag);

INLAY_API void inlay_synth_free(inlay_synth *synth);

/**
 * Write the program to a file: whole or not at all, "-" is standard output, `.gz` packs it. Names of the application
 * are escaped wherever they stand.
 */
INLAY_API int inlay_synth_write(const inlay_synth *synth, const char *path, inlay_diag *diag);

/* ---- The whole ---- */

INLAY_API const inlay_mapping *inlay_synth_mapping(const inlay_synth *synth);

typedef struct inlay_synth_summary {
    inlay_id ranks;
    inlay_id modules;
    int64_t steps;     /**< that all ranks do */
    int64_t entries;   /**< of the tables that they are folded to: steps and loops of all sequences */
    int64_t kinds;     /**< different steps */
    int64_t works;     /**< different pieces of work */
    int64_t sequences; /**< of steps: ranks that do the same share one */
    int64_t messages, bytes;
    int32_t lanes;       /**< the most between two ranks; 0 without messages */
    int32_t depth;       /**< of loops in each other */
    int64_t largest;     /**< bytes of the largest message */
    int64_t memory;      /**< bytes that the rank with the most memory goes through */
    bool counted, timed; /**< whether some work is counts, and some a time */
    double tick_seconds; /**< in force; 0 where times are in seconds */
} inlay_synth_summary;

INLAY_API const inlay_synth_summary *inlay_synth_result(const inlay_synth *synth);

/** Cluster of a rank; -1 of a rank whose processor is not used. */
INLAY_API inlay_id inlay_synth_cluster(const inlay_synth *synth, inlay_id rank);
INLAY_API inlay_id inlay_synth_processor(const inlay_synth *synth, inlay_id rank);

/* ---- What a rank does ---- */

typedef enum inlay_synth_kind {
    INLAY_SYNTH_DO, /**< work */
    INLAY_SYNTH_SEND,
    INLAY_SYNTH_RECEIVE,
    INLAY_SYNTH_ACCEPT
} inlay_synth_kind;

/** One step. */
typedef struct inlay_synth_step {
    inlay_synth_kind kind;
    inlay_id peer; /**< rank at the other end; -1 of work */
    int32_t lane;
    int64_t bytes;      /**< of the message; of work the memory that it goes through */
    int64_t arithmetic; /**< operations */
    int64_t functions;  /**< evaluations */
    double seconds;     /**< of a loop where there are no counts; else what the module takes by the mapping, 0 where
                             that is in ticks of unknown length */
    bool counted;       /**< work is its counts */
} inlay_synth_step;

/** A walk through the steps of one rank, loops unrolled. The library's own; zero-initialised it stands at the start. */
typedef struct inlay_synth_walk {
    int64_t at;
    int32_t depth;
    struct {
        int64_t begin, end, left;
    } loop[16];
} inlay_synth_walk;

/** The next step of a rank; false at its end. */
INLAY_API bool inlay_synth_next(const inlay_synth *synth, inlay_id rank, inlay_synth_walk *walk,
                                inlay_synth_step *step);

#endif

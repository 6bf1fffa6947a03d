/* What a rank does, one step after the other, before steps are numbered and folded. */
#ifndef SYNTH_STEPS_H
#define SYNTH_STEPS_H

#include "synth/job.h"

/** One step, or equal ones: the messages of an item stand together. */
typedef struct raw_step {
    inlay_synth_kind kind;
    inlay_id peer;       /**< cluster at the other end; -1 of work */
    int64_t item;        /**< what is sent or comes */
    inlay_id module;     /**< of work */
    inlay_time from, to; /**< part of the module's m, in grains, that the work is */
} raw_step;

/** Takes a step; what it returns but INLAY_OK ends the walk, which returns it. */
typedef int (*take_step)(void *context, const raw_step *step);

/** Which of the steps are asked for. */
typedef enum step_sides {
    STEPS_IN = 1,  /**< receives and accepts */
    STEPS_OUT = 2, /**< work and sends */
    STEPS_ALL = 3
} step_sides;

/** The steps of a cluster's rank, in order. */
int synth_each_step(const synth_job *job, inlay_id cluster, step_sides sides, take_step take, void *context);

#endif

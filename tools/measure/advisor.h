/*
 * What --hosts comes to: the speeds and the network for `inlay decompose`, after the first and third phase of the advisor
 * in P. E. Crandall, "Data-Parallel Processing", section 7.2.
 */
#ifndef TOOLS_MEASURE_ADVISOR_H
#define TOOLS_MEASURE_ADVISOR_H

#include "analysis.h"

typedef struct inlay_advisor_rank {
    inlay_figure seconds; /**< of the fixed operations */
    double rate;          /**< operations a second; the same for those that are taken for alike */
} inlay_advisor_rank;

/** A step of the ring with messages of one size. */
typedef struct inlay_advisor_step {
    inlay_figure seconds;
    double fitted; /**< seconds */
} inlay_advisor_step;

/** Zero-initialise. */
typedef struct inlay_advisor_fit {
    inlay_machine_fit notes;  /**< its measurement and its warnings alone */
    inlay_advisor_rank *rank; /**< ours, as the steps are */
    int fastest;
    bool unlike;              /**< the rates differ */
    inlay_advisor_step *step; /**< by size; NULL where there is one rank, and then nothing of the below */
    inlay_medium kind;
    double shared;   /**< how many times as long a byte takes in the ring as alone; 0 where alone it takes no time */
    double latency;  /**< lambda, seconds of a message */
    double per_byte; /**< tau, seconds of a byte on the medium */
    double residual, largest; /**< of the errors of the steps, relative: root mean square, and the largest */
} inlay_advisor_fit;

/** @return INLAY_NO_MEMORY; `result` is the caller's to clear where this succeeds. `measured` has to live as long. */
int advisor_make(const inlay_raw *measured, inlay_advisor_fit *result);
void advisor_clear(inlay_advisor_fit *a);

/** Bytes that the medium carries in a step of the ring, of messages of one byte. */
double advisor_share(const inlay_advisor_fit *a);

#endif

/*
 * A mapping as SimGrid is to run it: what every module takes, and what it sends, in seconds and bytes.
 *
 * The rules are those of Inlay's own engine (docs/simulation.md) where SimGrid has something like them:
 *
 *   modules    each processor runs its own in the mapping's order, one at a time
 *   messages   all of a link go as one transfer, which sets out when the link is due. Between cores of a host they take
 *              the machine's latency alone. Where the machine counts messages, one is message_size bytes, or 1 byte
 *              where there is none
 *   latency    the machine's is part of the platform, once a transfer; each further message of the link adds one
 *   data       a copy goes to each processor that runs consumers, over links to each host, when the first of its links
 *              there is due. Common memories are written for each
 *   reads      of a data block that lives with another processor: its home sends when the module starts
 */
#ifndef TOOLS_SIMGRID_JOB_H
#define TOOLS_SIMGRID_JOB_H

#include <inlay/inlay.h>

/** What one module sends to one other, or reads from one block. */
typedef struct simgrid_message {
    inlay_id from, to; /**< clusters that the data leave and reach */
    int64_t waiting;   /**< modules that wait for it: job.waiting[first_waiting] and so on */
    int64_t first_waiting;
    bool travels; /**< over links; else it is there when it is due */
    int64_t messages;
    double lag;   /**< seconds from the module's start until it is due; below 0: when the module ends */
    double bytes; /**< in the platform's sense */
    double delay; /**< seconds by which it is there later than its last byte */
} simgrid_message;

typedef struct job {
    const inlay_mapping *mapping;
    inlay_id clusters, modules;
    inlay_id *host;  /**< of each cluster: number of its host in the machine */
    double *seconds; /**< of each module, on its processor */
    int64_t *begin;  /**< first message of each module, and one more */
    simgrid_message *message;
    inlay_id *waiting;
    int64_t all_waiting;
    int32_t *awaited;  /**< of each module: messages that it waits for */
    int64_t transfers; /**< messages between processors in all, as Inlay counts them */
} job;

/**
 * @param machine  the mapping's, or one that differs from it in message_size alone
 * @param seconds  in one unit of the application's time
 * @return INLAY_NO_MEMORY
 */
int simgrid_job_make(const inlay_mapping *mapping, const inlay_machine *machine, double seconds, job *result);
void simgrid_job_clear(job *j);

#endif

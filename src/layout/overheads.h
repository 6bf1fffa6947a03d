/*
 * What messages to other hosts take of the processors that send and receive them (LogGP's o).
 *
 * When a module has ended its processor sends the module's messages one after another, in the order of the entries; each
 * leaves when its own overhead is over. What left while the module ran (streaming) is charged behind those, and delays none
 * of them. Before a module its processor takes the messages that the module waited for: a copy of a datum goes to the
 * account of the first module that awaits it. What is passed on, or read of a data block, keeps nobody.
 */
#ifndef LAYOUT_OVERHEADS_H
#define LAYOUT_OVERHEADS_H

#include "layout/sent.h"

/** Zero-initialised: none. */
typedef struct overheads {
    double *
        after; /**< of every entry: from the end of its module, or where it is due earlier from then, until it leaves */
    double *send, *receive; /**< of every module: behind it, and before it */
} overheads;

/** Who stands where, and in what unit of time. */
typedef struct overheads_at {
    const interconnect *network;
    const inlay_id *cluster_of; /**< of every module */
    const inlay_id *processor;  /**< of every cluster */
    double grains;              /**< in a unit of the network's time */
    bool (*early)(const void *context, inlay_id module,
                  int64_t entry); /**< due before its module's end; NULL: none is */
    const void *context;
} overheads_at;

/** Nothing where the machine states none. INLAY_NO_MEMORY without a message. */
int overheads_make(const sendings *s, const overheads_at *at, overheads *result);
void overheads_clear(overheads *o);

/** Of a module, where there may be none: before it, and behind it. */
static inline double overheads_before(const overheads *o, inlay_id module)
{
    return o->receive == NULL ? 0 : o->receive[module];
}

static inline double overheads_behind(const overheads *o, inlay_id module)
{
    return o->send == NULL ? 0 : o->send[module];
}

/** Of an entry. */
static inline double overheads_of(const overheads *o, int64_t entry)
{
    return o->after == NULL ? 0 : o->after[entry];
}

#endif

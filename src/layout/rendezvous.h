/*
 * Which entries wait for their receivers (rendezvous=late): longer messages than eager_limit to another host, which some
 * module awaits. Data that go in trees do not: who passes them on has asked for them before, else two could wait for each
 * other.
 */
#ifndef LAYOUT_RENDEZVOUS_H
#define LAYOUT_RENDEZVOUS_H

#include "layout/sent.h"

/** Zero-initialised: none waits. */
typedef struct rendezvous {
    uint8_t *waits; /**< of every entry, whether it does; NULL: none */
    int64_t *begin; /**< modules + 1: rows of `entry` */
    int64_t *entry; /**< those that wait for a module, in their order */
} rendezvous;

/**
 * @param cluster_of  of every module
 * @param processor   of every cluster
 * @return INLAY_NO_MEMORY without a message
 */
int rendezvous_make(const sendings *s, const interconnect *network, const inlay_id *cluster_of,
                    const inlay_id *processor, rendezvous *result);
void rendezvous_clear(rendezvous *r);

/** Whether an entry waits, where there may be none. */
static inline bool rendezvous_of(const rendezvous *r, int64_t entry)
{
    return r->waits != NULL && r->waits[entry];
}

/** The links of an entry: of a copy all that await it. `own` is the caller's place for the link of one that is none. */
static inline sent_links rendezvous_links(const sendings *s, int64_t entry, int64_t *own)
{
    sent_entry of = sent_at(s, entry);
    *own = of.link;
    return of.copy != NULL ? sent_awaiting(s, of.copy) : (sent_links){own, 1};
}

#endif

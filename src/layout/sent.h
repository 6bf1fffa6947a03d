/*
 * What a placement sends: entries, in the rows of the modules that send them.
 *
 * Where data count once an entry is a link, with what it carries of its own, or a copy: a datum on its way to one
 * destination, a cluster or, over links, a host. A copy stands behind the first of its links to that destination, and is
 * awaited by all of them. Consumers on their producer's host take what a link states, which costs latency alone. Without
 * data the entries are the application's links, and nothing is allocated.
 */
#ifndef LAYOUT_SENT_H
#define LAYOUT_SENT_H

#include "layout/placement.h"

typedef struct sendings {
    const inlay_app *app;
    const int64_t *begin; /**< modules + 1 */
    const inlay_id *to;   /**< the module; of a copy the first that awaits it */
    const int64_t *messages, *bytes;
    int64_t entries;

    /* NULL where entries are links. */
    int64_t *link;        /**< of every entry; of a copy the first that awaits it */
    inlay_id *datum;      /**< of a copy; else -1 */
    uint8_t *further;     /**< a copy of what another has taken out of its producer's hands before */
    int64_t *await_begin; /**< entries + 1; empty rows where the entry is a link */
    int64_t *await;       /**< links that wait for a copy */
    int32_t *awaited;     /**< copies that a module waits for, each as often as links of it do */
    void *own[4];         /**< the arrays above that are not the application's */
} sendings;

/**
 * @param processor  of every cluster; NULL before the layout, when all clusters are hosts of their own
 * @return INLAY_NO_MEMORY without a message
 */
int sent_make(const inlay_app *app, const inlay_machine *machine, inlay_copies copies, const inlay_id *cluster_of,
              inlay_id clusters, const inlay_id *processor, sendings *result);
int sent_by(const problem *p, const placement *place, sendings *result);
void sent_clear(sendings *s);

/** The link of an entry, in the application's rows. */
static inline int64_t sent_link(const sendings *s, int64_t entry)
{
    return s->link == NULL ? entry : s->link[entry];
}

/** The datum of a copy, else -1. */
static inline inlay_id sent_datum(const sendings *s, int64_t entry)
{
    return s->link == NULL ? -1 : s->datum[entry];
}

static inline bool sent_is_copy(const sendings *s, int64_t entry)
{
    return sent_datum(s, entry) >= 0;
}

/** Common memories: a datum is written once, and read again for every further copy. */
static inline bool sent_written_once(const interconnect *network)
{
    return network->transfers >= 2 && network->near == 0 && !inlay_machine_has_links(network->machine);
}

/**
 * Traffic that need not be written again for further copies: the utilisation of such a network is made by as much less.
 */
double sent_spared(const sendings *s, const interconnect *network);

#endif

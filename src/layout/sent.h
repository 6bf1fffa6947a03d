/*
 * What a placement sends: entries, in the rows of the modules that send them.
 *
 * Where data count once an entry is a link, with what it carries of its own, or a copy: a datum on its way to one
 * destination, a cluster or, over links, a host. A copy stands behind the first of its links to that destination, and is
 * awaited by all of them. Consumers on their producer's host take what a link states, which costs latency alone. Without
 * data the entries are the application's links, and nothing is allocated.
 *
 * Where the machine broadcasts in trees, holder 0 of a datum is its producer, then come the destinations by number. Holder
 * h has it from holder h less the highest power of two in h, and passes it on to others in the order of their numbers.
 */
#ifndef LAYOUT_SENT_H
#define LAYOUT_SENT_H

#include "layout/placement.h"

/** How an entry stands in the tree of its datum. */
typedef struct sent_pass {
    inlay_id sender; /**< the cluster that sends it */
    int64_t holder;  /**< the copy that it has before, as entry; -1: it is the producer */
    int64_t first;   /**< of the copies that who receives it sends, as entry; -1: it sends none */
    int64_t next;    /**< of the same sender's, behind this one; -1: the last */
} sent_pass;

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
    sent_pass *pass;      /**< of every entry, where data go in trees; else NULL */
    void *own[4];         /**< the arrays above that are not the application's */
} sendings;

/**
 * @param processor  of every cluster; NULL before the layout, when all clusters are hosts of their own and producers send
 *                   to each of them
 * @return INLAY_NO_MEMORY without a message
 */
int sent_make(const inlay_app *app, const inlay_machine *machine, inlay_copies copies, const inlay_id *cluster_of,
              inlay_id clusters, const inlay_id *processor, sendings *result);
int sent_by(const problem *p, const placement *place, sendings *result);
void sent_clear(sendings *s);

/** What goes from one cluster to another: an entry, as far as traffic asks for it. */
typedef struct sent_message {
    inlay_id from, to; /**< clusters */
    int64_t messages, bytes;
    bool further;
} sent_message;

/**
 * Visits all that sent_by() would have between clusters, in some order, without making it: sums need no more.
 * INLAY_NO_MEMORY without a message.
 */
int sent_each(const problem *p, const placement *place, void (*visit)(void *context, const sent_message *m),
              void *context);

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

/** The cluster that sends an entry of a module in cluster `own`. */
static inline inlay_id sent_sender(const sendings *s, int64_t entry, inlay_id own)
{
    return s->pass == NULL ? own : s->pass[entry].sender;
}

/** Whether somebody sends it who has got it before. */
static inline bool sent_is_passed_on(const sendings *s, int64_t entry)
{
    return s->pass != NULL && s->pass[entry].holder >= 0;
}

/** The copies that who receives this one sends: `for (e = sent_first(s, entry); e >= 0; e = s->pass[e].next)`. */
static inline int64_t sent_first(const sendings *s, int64_t entry)
{
    return s->pass == NULL ? -1 : s->pass[entry].first;
}

/**
 * Behind one entry the next of those that come of `root`, -1 behind the last; who sends one comes before it. In a tree:
 * `for (on = root; on >= 0; on = sent_behind(s, root, on))`.
 */
static inline int64_t sent_behind(const sendings *s, int64_t root, int64_t on)
{
    if (sent_first(s, on) >= 0) {
        return s->pass[on].first;
    }
    while (on != root && s->pass[on].next < 0) {
        on = s->pass[on].holder;
    }
    return on == root ? -1 : s->pass[on].next;
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

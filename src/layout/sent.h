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

#include "graph/app.h"
#include "layout/placement.h"

/** How an entry stands in the tree of its datum. */
typedef struct sent_pass {
    inlay_id sender; /**< the cluster that sends it */
    int64_t holder;  /**< the copy that it has before, as entry; -1: it is the producer */
    int64_t first;   /**< of the copies that who receives it sends, as entry; -1: it sends none */
    int64_t next;    /**< of the same sender's, behind this one; -1: the last */
} sent_pass;

/** A copy of a datum. The link that it stands behind is the first of those that await it. */
typedef struct sent_copy {
    int64_t await_begin; /**< of its links in sendings.await, which end where those of the next copy begin */
    inlay_id datum;
    bool further; /**< another has taken the datum out of its producer's hands before */
} sent_copy;

typedef struct sendings {
    const inlay_app *app;
    const int64_t *begin; /**< modules + 1 */
    int64_t entries;

    /* NULL where entries are links. */
    uint32_t
        *before; /**< entries + 1: copies before each, times 2; and 1 where it is a link that carries its own alone */
    sent_copy *copy; /**< copies + 1, in the order of their entries */
    int64_t copies;
    int64_t *await;   /**< links that wait for a copy */
    int32_t *awaited; /**< copies that a module waits for, each as often as links of it do */
    sent_pass *pass;  /**< of every entry, where data go in trees; else NULL */
    int64_t *own_begin;
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

/** What an entry is. */
typedef struct sent_entry {
    int64_t link;    /**< in the application's rows; of a copy the first that awaits it */
    sent_copy *copy; /**< NULL: a link */
    inlay_id to;     /**< module; of a copy the first that awaits it */
    int64_t messages, bytes;
} sent_entry;

/** Where entries are links. */
__attribute__((always_inline)) static inline sent_entry sent_as_link(const inlay_app *app, int64_t link)
{
    return (sent_entry){link, NULL, app->out_to[link], app->out_messages[link], app->out_bytes[link]};
}

/** Where they are not. */
__attribute__((always_inline)) static inline sent_entry sent_apart(const sendings *s, int64_t entry)
{
    const inlay_app *app = s->app;
    int64_t before = s->before[entry] / 2;
    if (s->before[entry + 1] / 2 > before) {
        sent_copy *copy = &s->copy[before];
        int64_t link = entry - before - 1;
        return (sent_entry){link, copy, app->out_to[link], app->datum_messages[copy->datum],
                            app->datum_bytes[copy->datum]};
    }
    sent_entry e = sent_as_link(app, entry - before);
    if (s->before[entry] % 2 == 1) {
        e.messages = app->own_messages[e.link] < 0 ? 0 : app->own_messages[e.link];
        e.bytes = app->own_bytes[e.link];
    }
    return e;
}

__attribute__((always_inline)) static inline sent_entry sent_at(const sendings *s, int64_t entry)
{
    return s->before == NULL ? sent_as_link(s->app, entry) : sent_apart(s, entry);
}

static inline inlay_id sent_to(const sendings *s, int64_t entry)
{
    return sent_at(s, entry).to;
}

static inline int64_t sent_link(const sendings *s, int64_t entry)
{
    return sent_at(s, entry).link;
}

static inline bool sent_is_copy(const sendings *s, int64_t entry)
{
    return s->before != NULL && s->before[entry + 1] / 2 > s->before[entry] / 2;
}

/** The datum of a copy, else -1. */
static inline inlay_id sent_datum(const sendings *s, int64_t entry)
{
    const sent_copy *copy = sent_at(s, entry).copy;
    return copy == NULL ? -1 : copy->datum;
}

/** Whether it is a copy of what another has taken out of its producer's hands before. */
static inline bool sent_is_further(const sendings *s, int64_t entry)
{
    const sent_copy *copy = sent_at(s, entry).copy;
    return copy != NULL && copy->further;
}

/** The entry that a link is. */
int64_t sent_entry_of(const sendings *s, int64_t link);

/** Links, as numbers in the application's rows. */
typedef struct sent_links {
    const int64_t *link;
    int64_t count;
} sent_links;

/** Those that await a copy. */
static inline sent_links sent_awaiting(const sendings *s, const sent_copy *copy)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): who asks has an entry that is a copy */
    return (sent_links){s->await + copy[0].await_begin, copy[1].await_begin - copy[0].await_begin};
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

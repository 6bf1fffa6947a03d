/*
 * What all replications of a simulation share: the mapping as a run wants it, in grains.
 *
 * The items of a module are what becomes due while it runs: what it sends (layout/sent.h) and, where the mapping reads
 * data blocks from other processors, those reads. Most mappings have no more than links that are due at the end: then the
 * application's own rows are the items, and nothing is copied.
 */
#ifndef SIMULATE_PLAN_H
#define SIMULATE_PLAN_H

#include "graph/app.h"
#include "layout/overheads.h"
#include "layout/rendezvous.h"
#include "mapping/mapping.h"
#include "simulate/fabric.h"
#include "simulate/module_times.h"
#include <inlay/simulate.h>

/** One cluster's share. */
typedef struct plan_processor {
    inlay_id processor, modules;
    const inlay_id *module;      /**< in execution order */
    const inlay_time *type_time; /**< of all modules on its type of processor, -1 where one has none; or NULL */
    double scale;                /**< factor of module times */
    double speed;                /**< which they are divided by */
} plan_processor;

typedef struct plan {
    const inlay_mapping *mapping;
    const inlay_app *app;
    inlay_simulation_options options; /**< with defaults filled in */
    double grain;                     /**< grains in a unit of time */

    inlay_id processors;        /**< clusters */
    const inlay_id *cluster_of; /**< the mapping's, of every module */
    plan_processor *processor;
    bool streamed;
    inlay_id cores; /**< that the processors share; 0 where each has one of its own */

    sendings sent;
    bool copies;               /**< some entries are copies */
    const int64_t *item_begin; /**< modules + 1 */
    int64_t *item;             /**< entries of `sent`, and reads as ~use; NULL: item k is entry k */
    int64_t *own_begin;        /**< item_begin where it is not that of `sent` */
    int64_t crossing;          /**< items with messages between processors; 0 where none are recorded */

    fabric_plan fabric; /**< FABRIC_NONE where messages meet no queue */
    fabric_plan alone;  /**< what a message takes by itself; FABRIC_NONE: nothing */
    links_plan *links;  /**< owned; NULL where messages do not go over links, or are free */
    bool moving;       /**< the mapping is to change: `links` knows the ways between all processors, by their numbers */
    bool written_once; /**< further copies of a datum take one transfer less ... */
    double again;      /**< ... each of this share of a first copy's */
    double latency;    /**< grains a message */
    double by_size;    /**< grains a unit of the latency that messages have by their size; 0: none */
    int64_t message_size;
    bool in_bytes;
    interconnect network; /**< what overheads ask for: nothing of it is owned */
    overheads overheads;  /**< in grains */
    rendezvous rendezvous;
    bool memory; /**< modules move bytes, and hosts have a bandwidth for them: that of `network`, by units of time */
    module_times times;
    bool random;
    bool screen; /**< all messages of an item go as one, and over links its whole way at once: screen.c */
} plan;

int plan_make(const inlay_mapping *mapping, const inlay_simulation_options *options, plan *result, inlay_diag *diag);

/**
 * The same where the mapping is to change, and with it who talks to whom: it has no data blocks and no module of several
 * cores, and its cluster c is on processor c now.
 */
int plan_make_moving(const inlay_mapping *mapping, const inlay_simulation_options *options, plan *result,
                     inlay_diag *diag);

/** What follows from who is where, once more; `processors` and `processor` are the caller's to change before. */
int plan_move(plan *p, inlay_diag *diag);

void plan_clear(plan *p);

/** A module's m in grains on a processor with these times, before any factor. */
static inline inlay_time plan_time(const plan *p, const inlay_time *type_time, inlay_id module)
{
    inlay_time own = type_time == NULL ? -1 : type_time[module];
    return own < 0 ? p->app->time[module] : own;
}

/** Whether messages of a processor queue with it: those over links do not. */
static inline bool plan_has_senders(const plan *p)
{
    return p->fabric.kind != FABRIC_NONE && p->fabric.kind != FABRIC_LINKS;
}

static inline int64_t plan_link(const plan *p, int64_t k)
{
    return p->item == NULL ? k : p->item[k];
}

/** interconnect_messages(), at hand: a run asks for it at every link, twice. */
static inline int64_t plan_pieces(const plan *p, int64_t messages, int64_t bytes)
{
    return p->message_size > 0 && bytes > 0 ? (bytes - 1) / p->message_size + 1 : messages;
}

/** Messages that a link or use takes where it goes from one processor to another. Traffic without messages takes one. */
static inline int64_t plan_messages(const plan *p, int64_t messages, int64_t bytes)
{
    int64_t pieces = plan_pieces(p, messages, bytes);
    pieces = pieces > 0 ? pieces : p->in_bytes && bytes > 0;
    return p->screen && pieces > 1 ? 1 : pieces;
}

/** Latency of all messages of a link or use, in grains. */
static inline double plan_latency(const plan *p, int64_t messages, int64_t bytes)
{
    double latency = (double)plan_pieces(p, messages, bytes) * p->latency;
    return p->by_size > 0
               ? latency + p->by_size * interconnect_along(&p->network.latency_by_size, &p->network, messages, bytes)
               : latency;
}

/** A number for every item: entries, then uses. */
static inline int64_t plan_number(const plan *p, int64_t item)
{
    return item >= 0 ? item : p->sent.entries + ~item;
}

static inline int64_t plan_numbers(const plan *p)
{
    return p->sent.entries + p->app->use_begin[p->app->blocks];
}

/** Entries, or as many as there may ever be where the mapping is to change: links, and a copy for each consumer. */
static inline int64_t plan_entries_most(const plan *p)
{
    return p->moving && p->copies ? p->app->links + p->app->consumer_begin[p->app->data] : p->sent.entries;
}

/** Whether a module waits for an item: not traffic alone, no read. */
static inline bool plan_awaited(const plan *p, int64_t item)
{
    return item >= 0 && !(p->app->out_flags[sent_link(&p->sent, item)] & INLAY_LINK_TRAFFIC_ONLY);
}

/** Whether an item of `module` goes from one processor to another. */
bool plan_crosses(const plan *p, inlay_id module, int64_t item);

/** When an item of `module` is due, in grains behind the module's start, before any factor and without overheads. */
inlay_time plan_due(const plan *p, inlay_id module, int64_t item);

/** The module whose item it is, found in log n steps. */
inlay_id plan_module(const plan *p, int64_t item);

/** The data block of a read. */
inlay_id plan_block(const plan *p, int64_t item);

#endif

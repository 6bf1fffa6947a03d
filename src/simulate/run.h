/*
 * One run of the mapped application: its state, its loop, and what it counted. Times are grains.
 *
 * What a module has done is told by a clock: the time or, where processors share cores, the clock of work (shared.h). Its
 * dues and its end stand in the calendar by that clock; everything else is by time.
 */
#ifndef SIMULATE_RUN_H
#define SIMULATE_RUN_H

#include "simulate/bandwidth.h"
#include "simulate/plan.h"
#include "simulate/shared.h"

/** Where memory has a bandwidth: what a processor's module is about. */
typedef enum memory_phase {
    MEMORY_WAITS,    /**< its start has not come */
    MEMORY_COMPUTES, /**< as fast as memory lets it */
    MEMORY_SENDS     /**< overheads behind it, which memory does not slow down */
} memory_phase;

/** What a run needs to know of a module, in one place: a satisfied link touches nothing else. */
typedef struct run_module {
    double ready;     /**< latest of its links that are satisfied */
    int32_t pending;  /**< links that are not */
    inlay_id cluster; /**< its processor */
} run_module;

/** The link that a processor is sending: the message that is under way, and the rest. */
typedef struct run_message {
    int64_t item;
    int64_t messages;  /**< of the link */
    int64_t left;      /**< to go, the one under way counted */
    int64_t transfers; /**< of each */
    int64_t visits;    /**< transfers of that one to go, the one under way counted */
    int64_t pieces;    /**< of a screen, what one message stands for */
    double share;      /**< traffic of each */
    double asked;      /**< when the one under way was */
    double latency;    /**< of all of them, behind the last transfer */
    inlay_id there;    /**< cluster at the other end */
    inlay_id memory;   /**< -1 none */
    inlay_id port_from, port_to;
    inlay_simulated_message *record; /**< or NULL */
} run_message;

typedef struct run_processor {
    const inlay_id *module; /**< in execution order */
    inlay_id modules;
    inlay_id at;      /**< position of the module that runs, or comes next */
    inlay_id awaited; /**< that one, where links of it are missing; else -1 */
    bool running;     /**< it has got a start, perhaps in the future; on shared cores that has come */
    bool sending;     /**< `message` is under way; with links, `trains` are */
    bool holding;     /**< no overlap: the next module waits for the messages of the one before */
    double scale;     /**< factor of module times */
    double speed;     /**< which they are divided by */
    const inlay_time *type_time;
    double start, end; /**< of the module that runs, by the clock; behind its work its processor sends until `end` */
    double receives;   /**< for how long it receives before that start */
    double sends;      /**< for how long of that time it does no more than send */
    memory_phase phase;
    double work, next;  /**< memory: when its work is done, and what comes next, both by its clock ... */
    double began, took; /**< ... its start and how long it took, by time */
    int64_t due;        /**< items of the module at `at` before this one are due */
    inlay_id send_at;   /**< position of the module whose items are being sent */
    int64_t send;       /**< those before this one are sent, or under way */
    int64_t waiting;    /**< messages that are due, but not under way */
    double until;       /**< its messages have arrived by then, as far as they have a time already */
    run_message message;
    inlay_id trains;     /**< links: items of which messages have not arrived */
    int64_t first, last; /**< the items that wait, as run.behind has them; -1 none */

    double accounted; /**< until when the times below are complete */
    double busy, communicating, blocked, idle;
    int64_t sent, received;
    double queue_at, queue_area; /**< sum over time of `waiting`, up to queue_at */
    int64_t largest;
    double under_way; /**< sum of the times of its messages in the network */
} run_processor;

/** Of a train in a screen: when it got its last link, and of its first and last message when they ask for the next; when all is there. */
typedef struct train_ends {
    double begin, first, last, there;
} train_ends;

/** All messages of an item on their way over links, one behind another. */
typedef struct run_train {
    run_message message; /**< messages.left: those that have not come to their last link */
    inlay_id sender;     /**< cluster */
    int32_t next;        /**< of one that is not used: the next such, -1 none */
    int64_t behind;      /**< messages that have not set out */
    link_route route;
    double sent;     /**< latest arrival so far */
    train_ends ends; /**< of a screen */
    /* Where it is recorded, the same train by itself, from time 0 on: */
    double alone_ask;    /**< the next message sets out */
    double alone_sent;   /**< latest arrival so far */
    double *alone_until; /**< of every link; owned. NULL before the first that has several messages */
} run_train;

/** What is kept of a recorded run. */
typedef struct run_record {
    double *start, *end; /**< of every module */
    double *due;         /**< shared cores: when every link, then use, was due; else NULL */
    inlay_simulated_message *message;
    size_t messages;
} run_record;

/** What a run has where data are passed on in trees: what a processor sends is not its modules' items alone. */
typedef struct run_passing {
    calendar due; /**< a slot an entry: when who passes it on has got it */
    double *had;  /**< of every entry that is passed on, that time */
} run_passing;

/** What a run has where messages wait for their receivers. */
typedef struct run_rendezvous {
    bool *come;    /**< of every module: it is at the head of its processor, or was */
    bool *waiting; /**< of every entry: it is due, and waits for one that is not */
} run_rendezvous;

typedef struct run {
    const plan *plan;
    run_module *module;
    run_processor *processor;
    calendar calendar;          /**< a slot a processor, by the clock; the network has its own, by time */
    shared_cores *shared;       /**< owned; NULL: a core each, and the clock is the time */
    bandwidth *memory;          /**< owned; NULL: nobody is slowed down. Else every processor has a clock of its own */
    run_passing *passing;       /**< owned; NULL: producers send all copies */
    run_rendezvous *rendezvous; /**< owned; NULL: no message waits for its receiver */
    int64_t *behind; /**< of every item in a queue, by plan_number(): the next of its processor, -1 none; NULL: they are
                        sent in the order in which they are due */
    fabric fabric;
    random_streams random;
    run_train *train; /**< links */
    size_t trains, trains_room;
    int32_t free_train;
    bool no_memory;     /**< for a train, or a message of one */
    double *until;      /**< scratch: of every link of a route, where nobody else is */
    double *factor;     /**< of every module's time; NULL: 1 */
    bool doubtful;      /**< the machine's doubts are drawn ... */
    double network;     /**< ... and make this factor of all times of messages; else 1 */
    const double *tail; /**< by module: from its start to the end of all at least; NULL: unknown ... */
    double limit;       /**< ... and what is to take longer than this is given up */
    bool given_up;
    double last; /**< end of the last message or module so far */
    double last_module;
    inlay_id ended; /**< modules */
    int64_t events, events_most;
    bool cut_short;     /**< there were more */
    run_record *record; /**< of this run; NULL: none is kept */
} run;

/** A run to be done any number of times; `p` has to outlive it. */
int run_make(const plan *p, run *r, inlay_diag *diag);
void run_clear(run *r);

/** From now on it draws the machine's doubts. False when out of memory. */
bool run_doubt(run *r);

/** Room for a record. */
int record_make(const plan *p, run_record *record, inlay_diag *diag);
void record_clear(run_record *record);

/**
 * Run replication number `replication` from begin to end; the figures stand in `r` until the next.
 * @param record  filled in, or NULL
 * @return INLAY_NO_ANSWER where not all modules could run, INLAY_OVERFLOW where times leave the range, INLAY_NO_MEMORY
 */
int run_replication(run *r, int64_t replication, run_record *record);

/** The same where no record is kept, given up as soon as it is to take longer than `limit`: INLAY_NO_ANSWER then too. */
int run_within(run *r, const double *tail, double limit);

/** Something never ends, and is not waiting. */
bool run_passes_range(const run *r);

/** Says why run_replication() failed. */
void run_refuse(const run *r, inlay_diag *diag);

/** Put everything back to time 0: a chapter of run_replication(). */
void run_reset(run *r, int64_t replication);

/* ---- Shared cores: run_shared.c ---- */

/** A module of that processor starts at `time`, with so much work to do. */
void run_shared_begin(run *r, inlay_id c, double time, double work, double now);

/** It ends. */
void run_shared_end(run *r, inlay_id c, double now);

/**
 * Modules start whose time has come, and the clock goes on to what happens next, where the network's next event is at
 * `network`. Gives the time of what comes first in `calendar`, INFINITY where it is empty.
 */
double run_shared_next(run *r, double network);

/* ---- The bandwidth of memory: run_memory.c ---- */

/** Everything is put back to time 0. */
void run_memory_reset(run *r);

/** A module of that processor starts at `start`, with so much work to do. */
void run_memory_begin(run *r, inlay_id c, double start, double work, double now);

/** What comes next of a processor stands in the calendar. */
void run_memory_set_next(run *r, inlay_id c);

/** That has come. False: it was no more than the start. */
bool run_memory_event(run *r, inlay_id c, double now);

/** All is sent that is due by now: the work may be done. */
void run_memory_done(run *r, inlay_id c, double now);

/* ---- Clocks: run_messages.c ---- */

/** What the clock of a processor shows now. */
static inline double run_clock(const run *r, inlay_id c, double now)
{
    return r->shared != NULL ? r->shared->clock.work : r->memory != NULL ? bandwidth_work(r->memory, c, now) : now;
}

/** Items are due now. Where clocks are no times that cannot be worked out later: it is recorded, where anything is. */
void run_record_due(const run *r, inlay_id c, double now);

/* ---- Modules of several cores: run.c ---- */

/** Clusters whose processors a module holds beside its own: guests. */
static inline inlay_id run_guests(const run *r, inlay_id module, const inlay_id **guest)
{
    const inlay_mapping *m = r->plan->mapping;
    if (m->guest_begin == NULL) {
        return 0;
    }
    *guest = m->guest + m->guest_begin[module];
    return (inlay_id)(m->guest_begin[module + 1] - m->guest_begin[module]);
}

/** A module starts on all of them, as on its own processor; `now` is no time of the clock. */
void run_hold_guests(run *r, inlay_id module, double now);

/** Of the time of a module on its processor. */
static inline double run_factor(const run *r, const run_processor *w, inlay_id module)
{
    return r->factor == NULL ? w->scale : w->scale * r->factor[module];
}

/** When an item of a module that starts then is due, and its overhead over, both by one clock. */
static inline double run_due_time(const run *r, inlay_id c, inlay_id module, int64_t item, double start)
{
    const run_processor *w = &r->processor[c];
    double due = (double)plan_due(r->plan, module, item) * run_factor(r, w, module) / w->speed;
    return start + (item < 0 ? due : due + overheads_of(&r->plan->overheads, item));
}

/** Put into `calendar` what comes next of the running module: something is due, or it ends. */
void run_set_next(run *r, inlay_id c);

/* ---- What the networks share: run.c ---- */

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/**
 * Bring a processor's times up to `now`. Since it was last asked it did not change what it does, but a module may have begun.
 */
static inline void run_account(run_processor *w, double now)
{
    double from = w->accounted;
    double begins = w->running ? w->start : now;
    double to = begins < now ? begins : now;
    if (to > from) {
        double heard = w->sending ? to : larger(from, w->until < to ? w->until : to);
        double receives = w->running ? larger(to - larger(heard, begins - w->receives), 0) : 0;
        w->communicating += heard - from + receives;
        if (w->at < w->modules) {
            w->blocked += to - heard - receives;
        } else {
            w->idle += to - heard;
        }
    }
    w->accounted = larger(from, now);
}

/** The module that runs, or comes next; -1 behind the last. */
static inline inlay_id run_module_at(const run_processor *w)
{
    return w->at < w->modules ? w->module[w->at] : -1;
}

/** What an item sends, where it does. */
void run_describe(const run *r, int64_t item, run_message *m);

/** All messages of an item of cluster `c` arrive by that time. */
static inline void run_count_item(run *r, inlay_id c, const run_message *m, double arrival)
{
    r->processor[c].sent += m->messages;
    r->processor[m->there].received += m->messages;
    r->last = larger(r->last, arrival);
}

/** All that waits for an item is satisfied from `time` on. */
void run_arrive(run *r, int64_t item, double time, double now);

/** An item sets out, or goes into the queue of the processor that sends it, which may be about anything. */
void run_set_out(run *r, inlay_id c, int64_t item, double now);

/** The processor has nothing to run: what comes next? */
void run_next_module(run *r, inlay_id c, double now);

/** Factor of the time of a message in the network. */
static inline double run_transfer_factor(run *r)
{
    const inlay_spread *spread = &r->plan->options.transfer_time;
    return spread_is_random(spread) ? r->network * spread_draw(spread, &r->random, STREAM_TRANSFERS) : r->network;
}

/* ---- Messages beside the loop: run_messages.c ---- */

/**
 * A new record of what is known when an item's first message asks; NULL where none is kept.
 * @param from  the module whose item it is; not looked at where data are passed on
 */
inlay_simulated_message *run_record_message(run *r, inlay_id c, inlay_id from, const run_message *m, double now);

/** Where run.behind is, an item waits for its processor to send it, behind others; the first of them. */
void run_queue_item(run *r, inlay_id c, int64_t item);
int64_t run_take_queued(run *r, inlay_id c);

/** An item is due whose messages do not queue with their processor. */
void run_send_apart(run *r, inlay_id c, int64_t item, double now);

/* ---- Messages that wait for their receivers: run_rendezvous.c ---- */

bool run_rendezvous_make(const plan *p, run *r);
void run_rendezvous_reset(run *r);
void run_rendezvous_clear(run *r);

/** An item is due, or has been passed on: whether it has to wait, and from then on does. */
bool run_has_to_wait(run *r, int64_t item);

/** A module comes to the head of its processor: what waited for that sets out. */
void run_receive(run *r, inlay_id module, double now);

/* ---- Links: run_links.c ---- */

/** The messages of an item of the running module set out. */
void run_links_send(run *r, inlay_id c, int64_t item, double now);

/** The first message that asks for a link does. */
void run_links_event(run *r);

#endif

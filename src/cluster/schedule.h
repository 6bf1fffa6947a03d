/*
 * What list schedulers share: the processors' timelines, when the data of a module can be at each of them, pins and
 * memory, and the modules that are ready. Times are grains on an idle network (idle.h).
 *
 * Where messages are booked (booking.h), its data are there behind what is booked already. A module is ready when all its predecessors have a processor. It starts when its data are there, in the first gap of
 * its processor in which it fits or, where nothing is inserted, behind all that the processor has. The order that results is
 * that of the starts; of equal ones that of who got a processor first.
 */
#ifndef CLUSTER_SCHEDULE_H
#define CLUSTER_SCHEDULE_H

#include "base/memory.h"
#include "cluster/booking.h"

/** Where all distances are 1, all that is to be known of a module's data. */
typedef struct schedule_data {
    double last;   /**< when they are at processors that sent nothing */
    double other;  /**< the same of what `from` did not send */
    double own;    /**< what `from` sent, on that processor itself */
    inlay_id from; /**< processor that sent the last, -1 none */
} schedule_data;

/** `from` sends more: it is `there` on that processor itself, and `elsewhere`. At first `last` is 0, `from` -1. */
static inline void schedule_note(schedule_data *d, inlay_id from, double there, double elsewhere)
{
    if (d->from == from) {
        d->own = there > d->own ? there : d->own;
        d->last = elsewhere > d->last ? elsewhere : d->last;
    } else if (elsewhere > d->last || d->from < 0) {
        *d = (schedule_data){.last = elsewhere, .other = d->last, .own = there, .from = from};
    } else {
        d->other = elsewhere > d->other ? elsewhere : d->other;
    }
}

/** When they are at the processor that sent the last. */
static inline double schedule_at_sender(const schedule_data *d)
{
    return d->own > d->other ? d->own : d->other;
}

typedef struct schedule {
    const problem *p;
    idle_network network;
    bool inserts;
    memory_pool pool; /**< of all arrays but the rows of `arrival` */
    timeline line;
    message_book *messages; /**< NULL: they meet nobody */

    /* Of modules. */
    inlay_id *processor_of; /**< the caller's; -1 as yet */
    double *start;
    inlay_id *taken; /**< in which they got their processors */
    inlay_id taken_count;
    inlay_id *waiting;   /**< predecessors without a processor */
    schedule_data *data; /**< or NULL */
    double **arrival;    /**< else, at every processor; NULL: nothing was sent */
    inlay_id *ready;     /**< a heap */
    inlay_id ready_count;

    /* Of processors. */
    inlay_id *held; /**< modules; one of several cores on all that it holds */
    int64_t *room;  /**< of hosts, whose processors share it: bytes left beside what is pinned there */
} schedule;

/** @param processor_of  filled in, module by module */
int schedule_make(const problem *p, bool inserts, inlay_id *processor_of, schedule *result, inlay_diag *diag);

/** When a ready module's data can be at a processor. */
static inline double schedule_ready(const schedule *s, inlay_id module, inlay_id processor)
{
    if (s->messages != NULL) {
        return booking_ready(s->messages, module, processor, false);
    }
    if (s->data != NULL) {
        const schedule_data *d = &s->data[module];
        return processor != d->from ? d->last : schedule_at_sender(d);
    }
    return s->arrival[module] == NULL ? 0 : s->arrival[module][processor];
}

/** The first start of what takes `time` on a processor alone, from `ready` on. */
static inline double schedule_slot_on_one(const schedule *s, inlay_id processor, double ready, double time)
{
    double tail = s->line.tail[processor];
    return s->inserts ? timeline_find(&s->line, processor, ready, time) : ready > tail ? ready : tail;
}

/** The same of a module there, and on as many processors behind it as it holds besides. */
double schedule_slot_on_all(const schedule *s, inlay_id module, inlay_id processor, double ready, double time);

static inline double schedule_slot(const schedule *s, inlay_id module, inlay_id processor, double ready, double time)
{
    return s->p->cores == NULL ? schedule_slot_on_one(s, processor, ready, time)
                               : schedule_slot_on_all(s, module, processor, ready, time);
}

/** Whether pins, memory and hosts allow it. */
bool schedule_may(const schedule *s, inlay_id module, inlay_id processor);

/** The processors that a pin and the module's cores leave: from `first` to before `end`. */
typedef struct schedule_range {
    inlay_id first, end;
} schedule_range;

schedule_range schedule_range_of(const schedule *s, inlay_id module);

/**
 * The processor where a ready module ends first, the lower one of two; -1 where none has room.
 * @param finish  when; may be NULL
 */
inlay_id schedule_earliest_finish(const schedule *s, inlay_id module, double *finish);

/** The same, starts first; of equal starts the earlier finish counts. */
inlay_id schedule_earliest_start(const schedule *s, inlay_id module, double *start);

/** A ready module gets a processor, which it may run on, and as many behind that as it holds besides. */
int schedule_put(schedule *s, inlay_id module, inlay_id processor, inlay_diag *diag);

/**
 * Give every module a processor: of the ready ones, the one of the greatest priority goes where `choose` says, -1 being
 * nowhere; of equal ones the smallest.
 */
typedef inlay_id schedule_choice(schedule *s, inlay_id module, const void *own);
int schedule_by_priority(schedule *s, const double *priority, schedule_choice *choose, const void *own,
                         inlay_diag *diag);

/** INLAY_NO_ANSWER: no processor has room for a module. */
int schedule_refuse(const schedule *s, inlay_id module, inlay_diag *diag);

/** The end: where `status` is INLAY_OK, all modules as their processors run them. Clears `s`; returns the status. */
int schedule_finish(schedule *s, int status, inlay_id *order, inlay_diag *diag);

#endif

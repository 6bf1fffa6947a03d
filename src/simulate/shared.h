/*
 * The clock of processors that share cores. While n of them compute on C cores, each gets on with min(1, C/n) of its speed.
 * That is the same for all, so one clock of work tells of each how far it is: what a module that starts at work w has to do
 * is done at w + m, whoever starts or ends meanwhile. How fast the clock goes is all that changes then.
 *
 * Where never more compute than there are cores, it shows the time itself, to the last bit.
 */
#ifndef SIMULATE_SHARED_H
#define SIMULATE_SHARED_H

#include "simulate/calendar.h"
#include <inlay/app.h>

typedef struct shared_clock {
    inlay_id cores;
    inlay_id computing;          /**< processors */
    double time, work;           /**< now, in grains */
    double from_time, from_work; /**< when the stretch last changed */
    double stretch;              /**< time that a grain of work has taken since then */
} shared_clock;

/** A processor's module that runs, or is to start. */
typedef struct shared_module {
    double work;  /**< the clock shows so much more at its end than at its start */
    double began; /**< the time of its start */
} shared_module;

/** What a run has where processors share cores. */
typedef struct shared_cores {
    shared_clock clock;
    shared_module *module; /**< of every processor */
    calendar starts;       /**< a slot a processor, by time: modules that are to start in the future */
} shared_cores;

static inline void shared_clock_reset(shared_clock *c, inlay_id cores)
{
    *c = (shared_clock){.cores = cores, .stretch = 1};
}

static inline double shared_clock_stretch(const shared_clock *c)
{
    return c->computing > c->cores ? (double)c->computing / (double)c->cores : 1;
}

/** When the clock comes to `work`, if nobody starts or ends before. */
static inline double shared_clock_time(const shared_clock *c, double work)
{
    double stretch = shared_clock_stretch(c);
    double time =
        stretch == c->stretch ? c->from_time + (work - c->from_work) * stretch : c->time + (work - c->work) * stretch;
    return time > c->time ? time : c->time; /* not earlier, by rounding */
}

/*
 * Time is about to pass. Only then does it matter who computes: of those that start and end at one time the clock knows
 * nothing. While nobody computes nothing hangs on it, and it may show the time: what is whole stays whole.
 */
static inline void shared_clock_settle(shared_clock *c)
{
    double stretch = shared_clock_stretch(c);
    if (c->computing == 0) {
        c->from_time = c->from_work = 0;
    } else if (stretch != c->stretch) {
        c->from_time = c->time;
        c->from_work = c->work;
    }
    c->stretch = stretch;
}

/** Now it is `time`, and nothing that is computed is due. */
static inline void shared_clock_move(shared_clock *c, double time)
{
    if (time > c->time) {
        shared_clock_settle(c);
        c->time = time;
        c->work = c->from_work + (time - c->from_time) / c->stretch;
    }
}

/** Now it is shared_clock_time(c, work). */
static inline void shared_clock_move_to_work(shared_clock *c, double work)
{
    double time = shared_clock_time(c, work);
    if (time > c->time) {
        shared_clock_settle(c);
        c->time = time;
    }
    c->work = work;
}

#endif

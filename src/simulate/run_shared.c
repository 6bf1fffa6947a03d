/*
 * Processors that share cores: how many compute now says how fast each does, so a module that is to start later has an
 * event of its own, and what is due of the others comes at a time that moves with it.
 */
#include "simulate/run.h"

/* The module at hand computes from now on. The clock is never ahead of the time, up to which everything is accounted. */
static void start(run *r, inlay_id c)
{
    run_processor *w = &r->processor[c];
    shared_clock *clock = &r->shared->clock;
    run_account(w, clock->time);
    w->running = true;
    r->shared->module[c].began = clock->time;
    w->start = clock->work;
    w->end = w->start + r->shared->module[c].work;
    inlay_id module = w->module[w->at];
    const inlay_id *guest;
    clock->computing += 1 + run_guests(r, module, &guest);
    run_hold_guests(r, module, clock->time);
    run_set_next(r, c);
}

void run_shared_begin(run *r, inlay_id c, double time, double work, double now)
{
    r->shared->module[c].work = work;
    if (time > now) {
        calendar_set(&r->calendar, c, INFINITY);
        calendar_set(&r->shared->starts, c, time);
    } else {
        start(r, c);
    }
}

void run_shared_end(run *r, inlay_id c, double now)
{
    run_processor *w = &r->processor[c];
    const inlay_id *guest;
    r->shared->clock.computing -= 1 + run_guests(r, w->module[w->at], &guest);
    w->busy += now - r->shared->module[c].began;
    if (r->record != NULL) {
        r->record->end[w->module[w->at]] = now;
    }
}

/* Of one time starts come first: then what they change stands in the calendar before anything happens. */
static bool start_first(run *r, double other)
{
    calendar_node first = calendar_first(&r->shared->starts);
    if (isinf(first.time) || first.time > other) {
        return false;
    }
    shared_clock_move(&r->shared->clock, first.time);
    calendar_set(&r->shared->starts, first.slot, INFINITY);
    start(r, first.slot);
    return true;
}

double run_shared_next(run *r, double network)
{
    shared_clock *clock = &r->shared->clock;
    double work, due;
    do {
        work = calendar_first(&r->calendar).time;
        due = shared_clock_time(clock, work);
    } while (start_first(r, due < network ? due : network));
    if (due > network) {
        shared_clock_move(clock, network);
    } else if (!isinf(due)) {
        shared_clock_move_to_work(clock, work);
    }
    return due;
}

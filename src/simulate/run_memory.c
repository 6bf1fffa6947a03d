/*
 * Modules that move bytes between memory and their cores: each goes on at the rate that its host's bandwidth leaves it, so
 * that what is due of it, and its end, move when others of its host start or end.
 */
#include "simulate/run.h"

static void rate_changed(void *context, inlay_id c)
{
    run_memory_set_next(context, c);
}

void run_memory_reset(run *r)
{
    const plan *p = r->plan;
    bandwidth *b = r->memory;
    b->users = p->processors;
    b->changed = rate_changed;
    b->context = r;
    for (inlay_id c = 0; c < p->processors; c++) {
        b->user[c].board = inlay_machine_board(p->network.machine, p->processor[c].processor);
    }
    bandwidth_reset(b);
}

static void join(run *r, inlay_id c, double now)
{
    run_processor *w = &r->processor[c];
    inlay_id module = w->module[w->at];
    const inlay_app *app = r->plan->app;
    /* who doubts how long it takes alone doubts that it moves so much at once: else memory would hide the doubt */
    double bytes = (double)app->traffic_memory[module] * (r->doubtful ? r->factor[module] : 1);
    w->phase = MEMORY_COMPUTES;
    bandwidth_join(r->memory, c, bytes, w->work - w->start, inlay_app_cores(app, module), now);
}

void run_memory_begin(run *r, inlay_id c, double start, double work, double now)
{
    run_processor *w = &r->processor[c];
    w->start = w->began = start;
    w->work = start + work;
    w->end = start + (work + w->sends);
    w->communicating += w->sends;
    w->running = true;
    w->phase = MEMORY_WAITS;
    run_hold_guests(r, w->module[w->at], now);
    if (start <= now) {
        join(r, c, now);
    }
    run_memory_set_next(r, c);
}

void run_memory_set_next(run *r, inlay_id c)
{
    run_processor *w = &r->processor[c];
    const plan *p = r->plan;
    inlay_id module = w->module[w->at];
    if (w->phase == MEMORY_WAITS) {
        calendar_set(&r->calendar, c, w->start);
        return;
    }
    w->next = w->phase == MEMORY_COMPUTES ? w->work : w->end;
    if (p->item != NULL && w->due < p->item_begin[module + 1]) {
        double due = run_due_time(r, c, module, p->item[w->due], w->start);
        w->next = due < w->next ? due : w->next;
    }
    calendar_set(&r->calendar, c, bandwidth_time(r->memory, c, w->next));
}

bool run_memory_event(run *r, inlay_id c, double now)
{
    run_processor *w = &r->processor[c];
    if (w->phase == MEMORY_WAITS) {
        join(r, c, now);
        run_memory_set_next(r, c);
        return false;
    }
    bandwidth_reached(r->memory, c, w->next, now);
    return true;
}

void run_memory_done(run *r, inlay_id c, double now)
{
    run_processor *w = &r->processor[c];
    if (w->phase != MEMORY_COMPUTES || bandwidth_work(r->memory, c, now) < w->work) {
        return;
    }
    w->phase = MEMORY_SENDS;
    w->took = now - w->began;
    w->busy += w->took;
    bandwidth_leave(r->memory, c, now);
    if (r->record != NULL) {
        r->record->end[w->module[w->at]] = now;
    }
}

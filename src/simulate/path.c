/* The critical path of a recorded run: from its end back, always to what the last step waited for. */
#include "base/diag.h"
#include "base/memory.h"
#include "simulate/simulation.h"
#include <math.h>
#include <stdlib.h>

typedef struct path {
    const inlay_simulation *s;
    inlay_id *before;    /* module that its processor, or of several the last, runs before it, -1 none */
    inlay_id *behind;    /* the same of its own processor alone: behind that it comes */
    double *held;        /* until when that one holds it up */
    int64_t *message_of; /* record of every item, by plan_number(); -1 none */
    int64_t *last_of;    /* record of every link; NULL: message_of */
    inlay_step *step;    /* backwards */
    size_t steps, capacity;
    bool full; /* no memory for a step */
} path;

/* plan_number() of the item that a message is of. */
static int64_t number_of(const plan *of, const inlay_simulated_message *m)
{
    if (m->from < 0) {
        return of->sent.entries + m->link - of->app->links;
    }
    int64_t entry = sent_entry_of(&of->sent, m->link);
    while (sent_datum(&of->sent, entry) != m->datum) {
        entry++;
    }
    return entry;
}

int64_t *simulation_messages_by_item(const inlay_simulation *s)
{
    size_t items = (size_t)plan_numbers(&s->plan);
    int64_t *message_of = memory_array(items, sizeof *message_of);
    for (size_t k = 0; message_of != NULL && k < items; k++) {
        message_of[k] = -1;
    }
    for (size_t m = 0; message_of != NULL && m < s->record.messages; m++) {
        message_of[number_of(&s->plan, &s->record.message[m])] = (int64_t)m;
    }
    return message_of;
}

/* When a processor has done with a module, and sent what it sends. */
static double free_after(const path *p, inlay_id module)
{
    return p->s->record.end[module] + overheads_behind(&p->s->plan.overheads, module);
}

/* How long a module holds up a processor: until it is free or, without overlap where it sends, until its messages have arrived. */
static double holds_until(const path *p, inlay_id module, inlay_id cluster)
{
    const plan *of = &p->s->plan;
    bool sends = of->options.no_overlap && of->cluster_of[module] == cluster;
    double time = free_after(p, module);
    for (int64_t k = of->item_begin[module]; sends && k < of->item_begin[module + 1]; k++) {
        int64_t message = p->message_of[plan_number(of, plan_link(of, k))];
        double arrival = message >= 0 ? p->s->record.message[message].arrival : 0;
        time = arrival > time ? arrival : time;
    }
    return time;
}

static void find_before(path *p)
{
    const plan *of = &p->s->plan;
    for (inlay_id i = 0; i < of->app->modules; i++) {
        p->before[i] = p->behind[i] = -1;
        p->held[i] = -1;
    }
    for (inlay_id c = 0; c < of->processors; c++) {
        const plan_processor *own = &of->processor[c];
        for (inlay_id k = 1; k < own->modules; k++) {
            inlay_id module = own->module[k];
            double held = holds_until(p, own->module[k - 1], c);
            if (of->cluster_of[module] == c) {
                p->behind[module] = own->module[k - 1];
            }
            if (held > p->held[module]) {
                p->held[module] = held;
                p->before[module] = own->module[k - 1];
            }
        }
    }
}

/* Of every link the message that is the last to arrive of those that it awaits. */
static bool find_last(path *p)
{
    const run_record *record = &p->s->record;
    const sendings *sent = &p->s->plan.sent;
    p->last_of = memory_array((size_t)p->s->plan.app->links, sizeof *p->last_of);
    for (int64_t l = 0; p->last_of != NULL && l < p->s->plan.app->links; l++) {
        p->last_of[l] = -1;
    }
    for (int64_t e = 0; p->last_of != NULL && e < sent->entries; e++) {
        int64_t message = p->message_of[e];
        sent_entry of = sent_at(sent, e);
        sent_links links = of.copy != NULL ? sent_awaiting(sent, of.copy) : (sent_links){&of.link, 1};
        for (int64_t k = 0; message >= 0 && k < links.count; k++) {
            int64_t *last = &p->last_of[links.link[k]];
            bool later = *last < 0 || record->message[message].arrival > record->message[*last].arrival;
            *last = later ? message : *last;
        }
    }
    return p->last_of != NULL;
}

static bool make(path *p)
{
    const plan *of = &p->s->plan;
    p->before = memory_array((size_t)of->app->modules, sizeof *p->before);
    p->behind = memory_array((size_t)of->app->modules, sizeof *p->behind);
    p->message_of = simulation_messages_by_item(p->s);
    p->held = memory_array((size_t)of->app->modules, sizeof *p->held);
    if (p->before == NULL || p->behind == NULL || p->held == NULL || p->message_of == NULL) {
        return false;
    }
    find_before(p);
    return of->sent.before == NULL || find_last(p);
}

static void add_step(path *p, inlay_step_kind kind, inlay_id module, int64_t message, double from, double to)
{
    if (!(from < to)) {
        return;
    }
    if (!memory_grow((void **)&p->step, &p->capacity, p->steps + 1, sizeof *p->step)) {
        p->full = true;
        return;
    }
    p->step[p->steps++] = (inlay_step){kind, module, message, from, to};
}

/* What something waited for: a module's work up to `time`, or a message's arrival then. */
typedef struct cause {
    inlay_id module;
    int64_t message; /* -1: the module; where there is none of either, it began at time 0 */
    double time;
} cause;

/* A difference of less than this share of the time comes of adding in another order. */
static const double rounding = 1e-12;

/* Without overlap: a message of the module before. */
static int64_t held_by(const path *p, inlay_id before, double time)
{
    const plan *of = &p->s->plan;
    for (int64_t k = of->item_begin[before]; k < of->item_begin[before + 1]; k++) {
        int64_t message = p->message_of[plan_number(of, plan_link(of, k))];
        if (message >= 0 && fabs(p->s->record.message[message].arrival - time) <= rounding * time) {
            return message;
        }
    }
    return -1;
}

/*
 * When a link was due. Where nobody shares a core that is worked out once more, to the last digit
 * but one: no more is needed to find the latest.
 */
static double due_of(const path *p, inlay_id module, int64_t entry)
{
    const inlay_simulation *s = p->s;
    const plan *of = &s->plan;
    if (s->record.due != NULL) {
        return s->record.due[entry];
    }
    double m = (double)plan_time(of, of->processor[of->cluster_of[module]].type_time, module);
    inlay_time due = plan_due(of, module, entry);
    double start = s->record.start[module], end = s->record.end[module];
    double sent = overheads_of(&of->overheads, entry);
    return ((double)due == m ? end : start + (double)due * (end - start) / m) + sent;
}

/* Why a module did not start, or receive, earlier: of what was over just then, its processor's work first. */
static cause cause_of_start(const path *p, inlay_id module, double start)
{
    const plan *of = &p->s->plan;
    const inlay_app *app = of->app;
    const run_record *record = &p->s->record;
    inlay_id before = p->before[module];
    cause latest = {-1, -1, 0};
    if (before >= 0) {
        latest = (cause){before, -1, free_after(p, before)};
        int64_t held = latest.time < start && p->s->plan.options.no_overlap ? held_by(p, before, start) : -1;
        latest = held >= 0 ? (cause){-1, held, start} : latest;
    }
    for (int64_t k = app->in_begin[module]; latest.time < start && k < app->in_begin[module + 1]; k++) {
        inlay_id from = app->in_from[k];
        int64_t link = app_link_to(app, from, module);
        int64_t message = p->last_of == NULL ? p->message_of[link] : p->last_of[link];
        double arrival = message >= 0 ? record->message[message].arrival : -1;
        double due = p->last_of != NULL || message < 0 ? due_of(p, from, sent_entry_of(&of->sent, link)) : -1;
        if (message < 0 && of->options.no_overlap && of->cluster_of[from] != of->cluster_of[module] && due < start &&
            !(record->end[from] < start) && !(record->end[from] > start)) {
            due = start; /* a copy that took no time was due when its producer ended */
        }
        message = due > arrival ? -1 : message; /* a copy may have come before its link was due */
        double time = message >= 0 ? arrival : due;
        if (time > latest.time) {
            latest = message >= 0 ? (cause){-1, message, time} : (cause){from, -1, time};
        }
    }
    latest.time = latest.time > 0 ? start : 0;
    return latest;
}

/* The module whose end let a message set out: one behind which its receiver came; -1 none. */
static inlay_id received_behind(const path *p, int64_t entry, double request)
{
    int64_t own;
    const sendings *sent = &p->s->plan.sent;
    bool waits = entry >= 0 && rendezvous_of(&p->s->plan.rendezvous, entry);
    sent_links links = waits ? rendezvous_links(sent, entry, &own) : (sent_links){NULL, 0};
    for (int64_t k = 0; k < links.count; k++) {
        inlay_id behind = p->behind[sent->app->out_to[links.link[k]]];
        if (behind >= 0 && fabs(free_after(p, behind) - request) <= rounding * request) {
            return behind;
        }
    }
    return -1;
}

/* A message's own times, up to its arrival at `time`; then its module's, up to where it was due. */
static cause trace_message(path *p, int64_t number, double time)
{
    const inlay_simulated_message *m = &p->s->record.message[number];
    double moves = m->sent - m->service;
    moves = moves - m->request > rounding * m->sent ? moves : m->request;
    add_step(p, INLAY_STEP_TRANSFER, -1, number, moves, time);
    add_step(p, INLAY_STEP_QUEUE, -1, number, m->request, moves);
    const sendings *sent = &p->s->plan.sent;
    int64_t item = m->from >= 0 ? number_of(&p->s->plan, m) : -1;
    inlay_id behind = m->due < m->request ? received_behind(p, item, m->request) : -1;
    if (behind >= 0) {
        return (cause){behind, -1, m->request};
    }
    add_step(p, INLAY_STEP_WAIT, -1, number, m->due, m->request);
    if (item >= 0 && sent_is_passed_on(sent, item)) {
        return (cause){-1, p->message_of[sent->pass[item].holder], m->due};
    }
    return (cause){m->from >= 0 ? m->from : m->to, -1, m->due};
}

/* The module that ends last, or the message that arrives after it. */
static cause last_cause(const path *p)
{
    const run_record *record = &p->s->record;
    cause last = {-1, -1, 0};
    for (inlay_id i = 0; i < p->s->plan.app->modules; i++) {
        last = free_after(p, i) > last.time ? (cause){i, -1, free_after(p, i)} : last;
    }
    for (size_t m = 0; m < record->messages; m++) {
        double arrival = record->message[m].arrival;
        last = arrival > last.time ? (cause){-1, (int64_t)m, arrival} : last;
    }
    return last;
}

/* A module up to then, with what its processor sends behind it and receives before. */
static cause trace_module(path *p, inlay_id module, double time)
{
    double start = p->s->record.start[module], end = p->s->record.end[module];
    double received = start - overheads_before(&p->s->plan.overheads, module);
    bool sends = overheads_behind(&p->s->plan.overheads, module) > 0;
    double until = sends && time > end ? end : time; /* what is later by rounding alone is no overhead */
    add_step(p, INLAY_STEP_OVERHEAD, module, -1, until, time);
    add_step(p, INLAY_STEP_COMPUTE, module, -1, start, until);
    add_step(p, INLAY_STEP_OVERHEAD, module, -1, received, start);
    return cause_of_start(p, module, received);
}

static void trace(path *p)
{
    for (cause next = last_cause(p); next.time > 0;) {
        if (next.message >= 0) {
            next = trace_message(p, next.message, next.time);
        } else {
            next = trace_module(p, next.module, next.time);
        }
    }
    for (size_t i = 0; i < p->steps / 2; i++) {
        inlay_step swapped = p->step[i];
        p->step[i] = p->step[p->steps - 1 - i];
        p->step[p->steps - 1 - i] = swapped;
    }
}

int simulation_find_path(inlay_simulation *s, inlay_diag *diag)
{
    path p = {.s = s};
    bool made = make(&p);
    if (made) {
        trace(&p);
    }
    free(p.before);
    free(p.behind);
    free(p.held);
    free(p.message_of);
    free(p.last_of);
    if (!made || p.full) {
        free(p.step);
        return diag_no_memory(diag);
    }
    s->step = p.step;
    s->steps = p.steps;
    return INLAY_OK;
}

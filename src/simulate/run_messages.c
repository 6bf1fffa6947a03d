/* Messages that the loop has little to do with: what is recorded of them, those that are passed on, those that meet nobody. */
#include "simulate/run.h"

/* ---- Records ---- */

/* When an item of cluster `c` and module `from` was due, or who passes it on had got it. */
static double record_due(const run *r, inlay_id c, inlay_id from, int64_t item)
{
    if (r->passing != NULL && item >= 0 && sent_is_passed_on(&r->plan->sent, item)) {
        return r->passing->had[item];
    }
    return r->record->due != NULL ? r->record->due[plan_number(r->plan, item)]
                                  : run_due_time(r, c, from, item, r->record->start[from]);
}

inlay_simulated_message *run_record_message(run *r, inlay_id c, inlay_id from, const run_message *m, double now)
{
    const inlay_app *app = r->plan->app;
    if (r->record == NULL) {
        return NULL;
    }
    bool read = m->item < 0;
    from = r->behind != NULL ? plan_module(r->plan, m->item) : from;
    sent_entry e = {.link = app->links + ~m->item, .to = from};
    e = read ? e : sent_at(&r->plan->sent, m->item);
    inlay_simulated_message *record = &r->record->message[r->record->messages++];
    *record = (inlay_simulated_message){.link = e.link,
                                        .datum = e.copy == NULL ? -1 : e.copy->datum,
                                        .from = read ? -1 : from,
                                        .to = e.to,
                                        .block = read ? plan_block(r->plan, m->item) : -1,
                                        .sender = c,
                                        .receiver = m->there,
                                        .memory = -1,
                                        .awaited = plan_awaited(r->plan, m->item),
                                        .messages = m->messages,
                                        .request = now};
    record->due = record_due(r, c, from, m->item);
    return record;
}

void run_record_due(const run *r, inlay_id c, double now)
{
    const plan *p = r->plan;
    const run_processor *w = &r->processor[c];
    inlay_id module = w->module[w->at];
    if (r->record == NULL) {
        return;
    }
    for (int64_t k = w->due; k < p->item_begin[module + 1]; k++) {
        int64_t item = plan_link(p, k);
        if (p->item != NULL && run_due_time(r, c, module, item, w->start) > run_clock(r, c, now)) {
            return;
        }
        r->record->due[plan_number(p, item)] = now;
    }
}

/* ---- Items that wait for their processor in a list ---- */

void run_queue_item(run *r, inlay_id c, int64_t item)
{
    run_processor *w = &r->processor[c];
    int64_t number = plan_number(r->plan, item);
    *(w->first < 0 ? &w->first : &r->behind[w->last]) = number;
    r->behind[number] = -1;
    w->last = number;
}

int64_t run_take_queued(run *r, inlay_id c)
{
    run_processor *w = &r->processor[c];
    int64_t entries = r->plan->sent.entries;
    int64_t number = w->first;
    w->first = r->behind[number];
    return number < entries ? number : ~(number - entries);
}

/* ---- Without queues ---- */

/* Of an item whose messages meet nobody. */
static void send_alone(run *r, inlay_id c, run_message *m, double now)
{
    const plan *p = r->plan;
    run_processor *w = &r->processor[c];
    double service = 0;
    int64_t transfers = p->alone.kind == FABRIC_NONE ? 0 : m->messages * m->transfers;
    int stages = p->alone.memories > 0
                     ? p->alone.stages
                     : fabric_stages(&p->alone, p->processor[c].processor, p->processor[m->there].processor);
    for (int64_t t = 0; t < transfers; t++) {
        service += fabric_alone(&p->alone, m->share * run_transfer_factor(r), stages);
    }
    double sent = now + service, arrival = sent + m->latency;
    w->until = larger(w->until, p->options.no_overlap ? arrival : sent);
    inlay_simulated_message *record = run_record_message(r, c, run_module_at(w), m, now);
    if (record != NULL) {
        record->begin = now;
        record->service = service;
        record->sent = sent;
        record->arrival = arrival;
    }
    run_count_item(r, c, m, arrival);
    run_arrive(r, m->item, arrival, now);
}

void run_send_apart(run *r, inlay_id c, int64_t item, double now)
{
    run_message m;
    if (r->plan->links != NULL) {
        run_links_send(r, c, item, now);
        return;
    }
    run_describe(r, item, &m);
    send_alone(r, c, &m, now);
}

/*
 * The loop: the calendar names the processor or the part of the network that comes next, which then changes its state,
 * and with it the state of those that waited for it.
 *
 * A message whose last transfer has ended arrives at a time that is known: so its link is satisfied at once, from that
 * time on, and nothing needs an event of its own but what is due, ends, or is transferred.
 */
#include "simulate/run.h"

/* In the loop over all events: a call would cost a third of what it does. */
#define hot_inline inline __attribute__((always_inline))

/* ---- What a processor did with its time ---- */

/* Since it was last asked it did not change what it does, but a module may have begun. */
void run_account(run_processor *w, double now)
{
    double from = w->accounted;
    double begins = w->running ? w->start : now;
    double to = begins < now ? begins : now;
    if (to > from) {
        double heard = w->sending ? to : larger(from, w->until < to ? w->until : to);
        w->communicating += heard - from;
        if (w->at < w->modules) {
            w->blocked += to - heard;
        } else {
            w->idle += to - heard;
        }
    }
    w->accounted = larger(from, now);
}

static void change_queue(run_processor *w, double now, int64_t change)
{
    w->queue_area += (double)w->waiting * (now - w->queue_at);
    w->queue_at = now;
    w->waiting += change;
}

/* ---- Modules begin ---- */

static inline double factor_of(const run *r, const run_processor *w, inlay_id module)
{
    return r->factor == NULL ? w->scale : w->scale * r->factor[module];
}

/* When an item of a module that starts then is due, both by one clock. */
static inline double due_time(const run *r, inlay_id c, inlay_id module, int64_t item, double start)
{
    const run_processor *w = &r->processor[c];
    return start + (double)plan_due(r->plan, module, item) * factor_of(r, w, module) / w->speed;
}

double run_due_time(const run *r, inlay_id c, inlay_id module, int64_t item)
{
    return due_time(r, c, module, item, r->processor[c].start);
}

/* By the clock, when something of the running module is due next, or its end. */
static void set_next(run *r, inlay_id c)
{
    run_processor *w = &r->processor[c];
    const plan *p = r->plan;
    double next = w->end;
    inlay_id module = w->module[w->at];
    if (p->item != NULL && w->due < p->item_begin[module + 1]) {
        next = due_time(r, c, module, p->item[w->due], w->start);
    }
    calendar_set(&r->calendar, c, next);
}

void run_set_next(run *r, inlay_id c)
{
    set_next(r, c);
}

void run_hold_guests(run *r, inlay_id module, double start, double end, double now)
{
    const inlay_id *guest;
    for (inlay_id g = run_guests(r, module, &guest) - 1; g >= 0; g--) {
        run_processor *w = &r->processor[guest[g]];
        run_account(w, now);
        w->awaited = -1;
        w->running = true;
        w->start = start;
        w->end = end;
    }
}

/* The processor is free, and all links of its next module are satisfied. */
static void begin_module(run *r, inlay_id c, double now)
{
    run_processor *w = &r->processor[c];
    inlay_id module = w->module[w->at];
    double m = (double)plan_time(r->plan, w->type_time, module) * factor_of(r, w, module) / w->speed;
    double start = larger(now, r->module[module].ready);
    if (r->plan->options.no_overlap) {
        start = larger(start, w->until);
    }
    w->awaited = -1;
    r->given_up |= r->tail != NULL && start + r->tail[module] > r->limit;
    if (r->record != NULL) {
        r->record->start[module] = start;
        r->record->end[module] = start + m;
    }
    if (r->shared != NULL) {
        run_shared_begin(r, c, start, m, now);
        return;
    }
    w->start = start;
    w->end = start + m;
    w->busy += m;
    w->running = true;
    run_hold_guests(r, module, start, w->end, now);
    set_next(r, c);
}

/* The processor has nothing to run: what comes next? */
void run_next_module(run *r, inlay_id c, double now)
{
    run_processor *w = &r->processor[c];
    if (w->at == w->modules) {
        calendar_set(&r->calendar, c, INFINITY);
        return;
    }
    inlay_id module = w->module[w->at];
    if (r->module[module].cluster != c) { /* whose own processor waits for this one, as for a link */
        w->awaited = module;
        calendar_set(&r->calendar, c, INFINITY);
        run_satisfy(r, module, r->plan->options.no_overlap ? larger(now, w->until) : now, now);
        return;
    }
    w->due = r->plan->item_begin[module];
    if (r->module[module].pending == 0) {
        begin_module(r, c, now);
    } else {
        w->awaited = module;
        calendar_set(&r->calendar, c, INFINITY);
    }
}

/* A link to `module` is satisfied from `time` on. */
static hot_inline void satisfy(run *r, inlay_id module, double time, double now)
{
    run_module *to = &r->module[module];
    to->ready = larger(to->ready, time);
    if (--to->pending == 0 && r->processor[to->cluster].awaited == module) {
        begin_module(r, to->cluster, now);
    }
}

void run_satisfy(run *r, inlay_id module, double time, double now)
{
    satisfy(r, module, time, now);
}

/* ---- Messages ---- */

/* The cluster at the other end of an item. */
static inline inlay_id other_end(const plan *p, int64_t item)
{
    return item >= 0 ? p->cluster_of[p->sent.to[item]] : p->mapping->home[plan_block(p, item)];
}

/*
 * All that waits for an item: the module that a link leads to, or those whose links await a copy. `copies`: whether there
 * are any, constant wherever it is asked on the hot path.
 */
static hot_inline void arrive(run *r, int64_t item, double time, double now, bool copies)
{
    const sendings *s = &r->plan->sent;
    if (!copies || item < 0 || !sent_is_copy(s, item)) {
        if (plan_awaited(r->plan, item)) {
            satisfy(r, s->to[item], time, now);
        }
        return;
    }
    for (int64_t k = s->await_begin[item]; k < s->await_begin[item + 1]; k++) {
        satisfy(r, s->app->out_to[s->await[k]], time, now);
    }
    for (int64_t on = sent_first(s, item); on >= 0; on = s->pass[on].next) {
        r->passing->had[on] = time;
        calendar_set(&r->passing->due, (int32_t)on, time);
    }
}

void run_arrive(run *r, int64_t item, double time, double now)
{
    arrive(r, item, time, now, true);
}

/* What an item sends, where it does. */
static inline void describe(const run *r, int64_t item, inlay_id there, run_message *m)
{
    const plan *p = r->plan;
    const inlay_app *app = p->app;
    int64_t messages = item >= 0 ? p->sent.messages[item] : app->use_messages[~item];
    int64_t bytes = item >= 0 ? p->sent.bytes[item] : app->use_bytes[~item];
    bool again = p->written_once && item >= 0 && p->sent.further[item];
    int64_t pieces = plan_pieces(p, messages, bytes);
    m->item = item;
    m->transfers = p->alone.visits - again;
    m->there = there;
    m->messages = m->left = plan_messages(p, messages, bytes);
    m->share = (double)(p->in_bytes ? bytes : pieces);
    if (m->messages > 1) {
        m->share /= (double)m->messages;
    }
    m->share *= again ? p->again : 1;
    if (p->screen) {
        m->share *= (double)m->transfers;
        m->transfers = 1;
    }
    m->pieces = pieces > 1 ? pieces : 1;
    m->latency = (double)pieces * p->latency;
}

void run_describe(const run *r, int64_t item, inlay_id there, run_message *m)
{
    describe(r, item, there, m);
}

/* Where a message goes in the network. The data of a block go from its home to the reader. A bus does not ask. */
static void choose_ports(run *r, inlay_id c, run_message *m)
{
    const plan *p = r->plan;
    m->memory = -1;
    if (p->fabric.memories > 0) {
        m->memory = m->item < 0 ? p->mapping->memory[plan_block(p, m->item)]
                                : random_id(&r->random, STREAM_MEMORIES, p->fabric.memories);
        m->port_from = p->processor[c].processor;
        m->port_to = m->memory;
    } else if (p->fabric.kind == FABRIC_OMEGA) {
        inlay_id here = p->processor[c].processor, there = p->processor[m->there].processor;
        m->port_from = m->item < 0 ? there : here;
        m->port_to = m->item < 0 ? here : there;
    }
}

static void ask(run *r, inlay_id c, double now)
{
    const run_message *m = &r->processor[c].message;
    fabric_request(&r->fabric, c, now, m->share * run_transfer_factor(r), m->port_from, m->port_to);
}

/* The next message of the link is under way. */
static void ask_message(run *r, inlay_id c, double now)
{
    run_processor *w = &r->processor[c];
    change_queue(w, now, -1);
    w->message.asked = now;
    w->message.visits = w->message.transfers;
    choose_ports(r, c, &w->message);
    ask(r, c, now);
}

/* When an item of cluster `c` and module `from` was due, or who passes it on had got it. */
static double record_due(const run *r, inlay_id c, inlay_id from, int64_t item)
{
    if (r->passing != NULL && item >= 0 && sent_is_passed_on(&r->plan->sent, item)) {
        return r->passing->had[item];
    }
    return r->record->due != NULL ? r->record->due[plan_number(r->plan, item)]
                                  : due_time(r, c, from, item, r->record->start[from]);
}

/* What is known when a link's first message asks. */
inlay_simulated_message *run_record_message(run *r, inlay_id c, inlay_id from, const run_message *m, double now)
{
    const inlay_app *app = r->plan->app;
    if (r->record == NULL) {
        return NULL;
    }
    bool read = m->item < 0;
    from = r->passing != NULL ? plan_module(r->plan, m->item) : from;
    inlay_simulated_message *record = &r->record->message[r->record->messages++];
    *record = (inlay_simulated_message){.link = read ? app->links + ~m->item : sent_link(&r->plan->sent, m->item),
                                        .datum = read ? -1 : sent_datum(&r->plan->sent, m->item),
                                        .from = read ? -1 : from,
                                        .to = read ? from : r->plan->sent.to[m->item],
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

/* An item waits for its processor to send it, behind others. */
static void queue_item(run *r, inlay_id c, int64_t item)
{
    run_processor *w = &r->processor[c];
    int64_t number = plan_number(r->plan, item);
    *(w->first < 0 ? &w->first : &r->passing->behind[w->last]) = number;
    r->passing->behind[number] = -1;
    w->last = number;
}

static int64_t take_queued(run *r, inlay_id c, inlay_id *there)
{
    run_processor *w = &r->processor[c];
    int64_t entries = r->plan->sent.entries;
    int64_t item = w->first < entries ? w->first : ~(w->first - entries);
    w->first = r->passing->behind[w->first];
    *there = other_end(r->plan, item);
    return item;
}

/* The next item of a processor that is due and sends something: there is one, for messages wait. */
static int64_t next_to_send(run *r, inlay_id c, inlay_id *there)
{
    run_processor *w = &r->processor[c];
    if (r->passing != NULL) {
        return take_queued(r, c, there);
    }
    const int64_t *item_begin = r->plan->item_begin;
    for (;;) {
        inlay_id module = w->module[w->send_at];
        for (int64_t end = item_begin[module + 1]; w->send < end;) {
            int64_t item = plan_link(r->plan, w->send++);
            *there = other_end(r->plan, item);
            if (*there != c && plan_item_messages(r->plan, item) > 0) {
                return item;
            }
        }
        w->send_at++;
        inlay_id next = w->module[w->send_at];
        w->send = item_begin[r->module[next].cluster == c ? next : next + 1]; /* nothing of a guest's */
    }
}

static void send_next(run *r, inlay_id c, double now)
{
    run_processor *w = &r->processor[c];
    inlay_id there;
    int64_t item = next_to_send(r, c, &there);
    describe(r, item, there, &w->message);
    w->message.record = run_record_message(r, c, w->module[w->send_at], &w->message, now);
    w->sending = true;
    ask_message(r, c, now);
}

/* The last transfer of a link is over. */
static void end_link(run *r, inlay_id c, double now)
{
    run_processor *w = &r->processor[c];
    run_message *m = &w->message;
    double arrival = now + m->latency;
    run_count_item(r, c, m, arrival);
    if (m->record != NULL) {
        m->record->sent = now;
        m->record->arrival = arrival;
    }
    if (r->plan->options.no_overlap) {
        w->until = larger(w->until, arrival);
    }
    arrive(r, m->item, arrival, now, true);
    if (w->waiting > 0) {
        send_next(r, c, now);
        return;
    }
    run_account(w, now);
    w->sending = false;
    if (w->holding) {
        w->holding = false;
        run_next_module(r, c, now);
    }
}

static void transfer_event(run *r, int32_t slot, double now)
{
    inlay_id c = fabric_event(&r->fabric, slot, now);
    if (c < 0) {
        return;
    }
    run_processor *w = &r->processor[c];
    run_message *m = &w->message;
    if (m->record != NULL) {
        const transfer *t = &r->fabric.transfer[c];
        bool first = m->left == m->messages && m->visits == m->transfers;
        m->record->begin = first ? t->begin : m->record->begin;
        m->record->service += t->service;
        m->record->memory = m->memory;
    }
    if (--m->visits > 0) {
        ask(r, c, now);
        return;
    }
    w->under_way += now - m->asked;
    if (--m->left > 0) {
        ask_message(r, c, now);
    } else {
        end_link(r, c, now);
    }
}

/* A link whose messages meet nobody. */
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
    arrive(r, m->item, arrival, now, true);
}

/* ---- Items become due, modules end ---- */

/* An item with messages is due; gives those that have to queue with their processor. */
static inline int64_t send_item(run *r, inlay_id c, int64_t item, inlay_id there, int64_t messages, double now)
{
    run_message m;
    if (r->plan->links != NULL) {
        run_links_send(r, c, item, there, now);
        return 0;
    }
    if (r->plan->fabric.kind != FABRIC_NONE) {
        if (r->passing != NULL) {
            queue_item(r, c, item);
        }
        return messages;
    }
    describe(r, item, there, &m);
    send_alone(r, c, &m, now);
    return 0;
}

/* The same of any item that the processor has to send. */
static hot_inline int64_t release(run *r, inlay_id c, int64_t item, double now, bool copies)
{
    const plan *p = r->plan;
    inlay_id there = other_end(p, item);
    int64_t messages = there == c ? 0 : plan_item_messages(p, item);
    if (messages > 0 && p->options.contention != INLAY_CONTENTION_FREE) {
        return send_item(r, c, item, there, messages, now);
    }
    r->processor[c].sent += messages;
    r->processor[there].received += messages;
    arrive(r, item, now, now, copies);
    return 0;
}

/* What the clock shows now. */
static inline double clock_of(const run *r, double now)
{
    return r->shared == NULL ? now : r->shared->clock.work;
}

/* Of the running module, all items that are due by now: how many queue. */
static hot_inline int64_t release_items(run *r, inlay_id c, double now, bool copies)
{
    const plan *p = r->plan;
    run_processor *w = &r->processor[c];
    inlay_id module = w->module[w->at];
    int64_t end = p->item_begin[module + 1], queued = 0;
    while (w->due < end && (p->item == NULL || due_time(r, c, module, p->item[w->due], w->start) <= clock_of(r, now))) {
        int64_t item = plan_link(p, w->due++);
        if (!copies || item < 0 || !sent_is_passed_on(&p->sent, item)) {
            queued += release(r, c, item, now, copies);
        }
    }
    return queued;
}

static void release_due(run *r, inlay_id c, double now)
{
    if (r->shared != NULL) {
        run_shared_record(r, c);
    }
    int64_t queued = r->plan->sent.link == NULL ? release_items(r, c, now, false) : release_items(r, c, now, true);
    if (queued > 0) {
        change_queue(&r->processor[c], now, queued);
    }
}

/* A processor has got a datum that it is to pass on. */
static void pass_on(run *r, int64_t entry, double now)
{
    inlay_id c = r->plan->sent.pass[entry].sender;
    run_processor *w = &r->processor[c];
    calendar_set(&r->passing->due, (int32_t)entry, INFINITY);
    run_account(w, now);
    int64_t queued = release(r, c, entry, now, true);
    if (queued > 0) {
        change_queue(w, now, queued);
    }
    if (!w->sending && w->waiting > 0) {
        send_next(r, c, now);
    }
    w->largest = w->waiting > w->largest ? w->waiting : w->largest;
}

/* A module has ended; its guests go on, the lowest first. */
static void free_guests(run *r, inlay_id module, double now)
{
    const inlay_id *guest;
    inlay_id guests = run_guests(r, module, &guest);
    for (inlay_id g = 0; g < guests; g++) {
        run_processor *w = &r->processor[guest[g]];
        run_account(w, now);
        w->running = false;
        w->at++;
        w->busy += r->shared == NULL ? w->end - w->start : now - r->shared->module[r->module[module].cluster].began;
        run_next_module(r, guest[g], now);
    }
}

static void module_event(run *r, inlay_id c, double now)
{
    run_processor *w = &r->processor[c];
    run_account(w, now);
    release_due(r, c, now);
    if (!w->sending && w->waiting > 0) {
        send_next(r, c, now);
    }
    w->largest = w->waiting > w->largest ? w->waiting : w->largest;
    if (clock_of(r, now) < w->end) {
        set_next(r, c);
        return;
    }
    if (r->shared != NULL) {
        run_shared_end(r, c, now);
    }
    inlay_id ended = w->module[w->at++];
    w->running = false;
    r->ended++;
    r->last_module = now;
    if (r->plan->options.no_overlap && w->sending) {
        w->holding = true;
        calendar_set(&r->calendar, c, INFINITY);
    } else {
        run_next_module(r, c, now);
    }
    free_guests(r, ended, now);
}

/* ---- The whole run ---- */

/* The next datum that is passed on; of one time modules come first, then these, then the network. */
static inline calendar_node next_passed(const run *r)
{
    return r->passing == NULL ? (calendar_node){INFINITY, -1} : calendar_first(&r->passing->due);
}

/* Whether something is left that has a time, and may be done. */
static bool goes_on(run *r, double now, double other)
{
    bool left = !isinf(now) || !isinf(other);
    r->cut_short = left && r->events >= r->events_most;
    return left && !r->cut_short;
}

/* Until nothing is left that has a time. On shared cores the clock tells when the first in the calendar of work happens. */
static void run_events(run *r)
{
    const bool shared = r->shared != NULL;
    for (; !r->given_up; r->events++) {
        calendar_node network = calendar_first(&r->fabric.calendar), passed = next_passed(r);
        double other = passed.time <= network.time ? passed.time : network.time;
        double now = shared ? run_shared_next(r, other) : calendar_first(&r->calendar).time;
        if (!goes_on(r, now, other)) {
            break;
        }
        if (now > other && passed.time <= other) {
            pass_on(r, passed.slot, passed.time);
        } else if (now > other) {
            transfer_event(r, network.slot, network.time);
        } else {
            module_event(r, calendar_first(&r->calendar).slot, now);
        }
    }
}

static void run_events_of_links(run *r)
{
    const bool shared = r->shared != NULL;
    for (; !r->no_memory && !r->given_up; r->events++) {
        double network = links_time(&r->fabric.links);
        calendar_node passed = next_passed(r);
        double other = passed.time <= network ? passed.time : network;
        double now = shared ? run_shared_next(r, other) : calendar_first(&r->calendar).time;
        if (!goes_on(r, now, other)) {
            break;
        }
        if (now > other && passed.time <= other) {
            pass_on(r, passed.slot, passed.time);
        } else if (now > other) {
            run_links_event(r);
        } else {
            module_event(r, calendar_first(&r->calendar).slot, now);
        }
    }
}

int run_replication(run *r, int64_t replication, run_record *record)
{
    const inlay_id processors = r->plan->processors;
    run_reset(r, replication);
    r->record = record;
    for (inlay_id c = 0; c < processors; c++) {
        run_next_module(r, c, 0);
    }
    if (r->plan->fabric.kind == FABRIC_LINKS) {
        run_events_of_links(r);
    } else {
        run_events(r);
    }
    r->last = larger(r->last, r->last_module);
    if (r->no_memory) {
        return INLAY_NO_MEMORY;
    }
    if (r->cut_short || r->given_up) {
        return INLAY_NO_ANSWER;
    }
    if (r->ended < r->plan->app->modules || !isfinite(r->last)) {
        return run_passes_range(r) ? INLAY_OVERFLOW : INLAY_NO_ANSWER;
    }
    for (inlay_id c = 0; c < processors; c++) {
        run_account(&r->processor[c], r->last);
        change_queue(&r->processor[c], r->last, 0);
    }
    return INLAY_OK;
}

int run_within(run *r, const double *tail, double limit)
{
    r->tail = tail;
    r->limit = limit;
    int status = run_replication(r, 0, NULL);
    r->tail = NULL;
    return status;
}

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

/*
 * What a run has, as far as the loop asks for it at every event. It is a constant in each loop that is made (run_loop()), so
 * that what a run has not costs nothing.
 */
typedef struct run_kind {
    bool
        plain; /* a core each and modules of one, all due at the end and free of overhead, nothing drawn, recorded or held back, one latency */
    bool copies; /* data are sent once */
} run_kind;

static const run_kind of_any_kind = {.plain = false, .copies = true};

/* ---- What a processor did with its time ---- */

static void change_queue(run_processor *w, double now, int64_t change)
{
    w->queue_area += (double)w->waiting * (now - w->queue_at);
    w->queue_at = now;
    w->waiting += change;
}

/* ---- Modules begin ---- */

/* By the clock, when something of the running module is due next, or its end. */
static hot_inline void set_next(run *r, inlay_id c, run_kind kind)
{
    if (!kind.plain && r->memory != NULL) {
        run_memory_set_next(r, c);
        return;
    }
    run_processor *w = &r->processor[c];
    const plan *p = r->plan;
    double next = w->end;
    inlay_id module = w->module[w->at];
    if (!kind.plain && p->item != NULL && w->due < p->item_begin[module + 1]) {
        next = run_due_time(r, c, module, p->item[w->due], w->start);
    }
    calendar_set(&r->calendar, c, next);
}

void run_set_next(run *r, inlay_id c)
{
    set_next(r, c, of_any_kind);
}

void run_hold_guests(run *r, inlay_id module, double now)
{
    const run_processor *own = &r->processor[r->module[module].cluster];
    const inlay_id *guest;
    for (inlay_id g = run_guests(r, module, &guest) - 1; g >= 0; g--) {
        run_processor *w = &r->processor[guest[g]];
        run_account(w, now);
        w->awaited = -1;
        w->running = true;
        w->start = own->start;
        w->end = own->end;
        w->sends = own->sends;
    }
}

/* The processor is free, and all links of its next module are satisfied. */
static hot_inline void begin_module(run *r, inlay_id c, double now, run_kind kind)
{
    run_processor *w = &r->processor[c];
    inlay_id module = w->module[w->at];
    double factor = kind.plain ? w->scale : run_factor(r, w, module);
    double m = (double)plan_time(r->plan, w->type_time, module) * factor / w->speed;
    double start = larger(now, r->module[module].ready);
    if (!kind.plain && r->plan->options.no_overlap) {
        start = larger(start, w->until);
    }
    if (!kind.plain) {
        w->receives = overheads_before(&r->plan->overheads, module);
        w->sends = overheads_behind(&r->plan->overheads, module);
        start += w->receives;
    }
    w->awaited = -1;
    r->given_up |= r->tail != NULL && start + r->tail[module] > r->limit;
    if (!kind.plain && r->record != NULL) {
        r->record->start[module] = start;
        r->record->end[module] = start + m;
    }
    if (!kind.plain && r->shared != NULL) {
        run_shared_begin(r, c, start, m + w->sends, now);
        return;
    }
    if (!kind.plain && r->memory != NULL) {
        run_memory_begin(r, c, start, m, now);
        return;
    }
    w->start = start;
    w->end = kind.plain ? start + m : start + (m + w->sends);
    w->busy += m;
    w->running = true;
    if (!kind.plain) {
        w->communicating += w->sends;
        run_hold_guests(r, module, now);
    }
    set_next(r, c, kind);
}

/* A link to `module` is satisfied from `time` on. */
static hot_inline void satisfy(run *r, inlay_id module, double time, double now, run_kind kind)
{
    run_module *to = &r->module[module];
    to->ready = larger(to->ready, time);
    to->pending--;
    if ((to->pending == 0) & (r->processor[to->cluster].awaited == module)) { /* one branch: neither can be foreseen */
        begin_module(r, to->cluster, now, kind);
    }
}

/* The processor has nothing to run: what comes next? */
static hot_inline void next_module(run *r, inlay_id c, double now, run_kind kind)
{
    run_processor *w = &r->processor[c];
    if (w->at == w->modules) {
        calendar_set(&r->calendar, c, INFINITY);
        return;
    }
    inlay_id module = w->module[w->at];
    if (!kind.plain && r->rendezvous != NULL && r->module[module].cluster == c) {
        run_receive(r, module, now);
    }
    if (!kind.plain && r->module[module].cluster != c) { /* whose own processor waits for this one, as for a link */
        w->awaited = module;
        calendar_set(&r->calendar, c, INFINITY);
        satisfy(r, module, r->plan->options.no_overlap ? larger(now, w->until) : now, now, kind);
        return;
    }
    w->due = r->plan->item_begin[module];
    if (r->module[module].pending == 0) {
        begin_module(r, c, now, kind);
    } else {
        w->awaited = module;
        calendar_set(&r->calendar, c, INFINITY);
    }
}

void run_next_module(run *r, inlay_id c, double now)
{
    next_module(r, c, now, of_any_kind);
}

/* ---- Messages ---- */

/* What an item is that is no read. */
static hot_inline sent_entry entry_at(const plan *p, int64_t item, run_kind kind)
{
    return kind.copies ? sent_at(&p->sent, item) : sent_as_link(p->app, item);
}

/* The cluster at the other end of an item. */
static hot_inline inlay_id other_end(const plan *p, int64_t item, run_kind kind)
{
    return kind.plain || item >= 0 ? p->cluster_of[entry_at(p, item, kind).to] : p->mapping->home[plan_block(p, item)];
}

static hot_inline int64_t messages_of(const plan *p, int64_t item, run_kind kind)
{
    return kind.plain || item >= 0 ? entry_at(p, item, kind).messages : p->app->use_messages[~item];
}

static hot_inline int64_t bytes_of(const plan *p, int64_t item, run_kind kind)
{
    return kind.plain || item >= 0 ? entry_at(p, item, kind).bytes : p->app->use_bytes[~item];
}

/* The messages that it takes where it goes from one processor to another. */
static hot_inline int64_t takes_messages(const plan *p, int64_t item, run_kind kind)
{
    return plan_messages(p, messages_of(p, item, kind), bytes_of(p, item, kind));
}

/* All that waits for an item: the module that a link leads to, or those whose links await a copy. */
static hot_inline void arrive(run *r, int64_t item, double time, double now, run_kind kind)
{
    const sendings *s = &r->plan->sent;
    if (!kind.plain && item < 0) {
        return;
    }
    sent_entry e = entry_at(r->plan, item, kind);
    if (!kind.copies || e.copy == NULL) {
        if (!(r->plan->app->out_flags[e.link] & INLAY_LINK_TRAFFIC_ONLY)) {
            satisfy(r, e.to, time, now, kind);
        }
        return;
    }
    sent_links links = sent_awaiting(s, e.copy);
    for (int64_t k = 0; k < links.count; k++) {
        satisfy(r, s->app->out_to[links.link[k]], time, now, kind);
    }
    for (int64_t on = sent_first(s, item); on >= 0; on = s->pass[on].next) {
        r->passing->had[on] = time;
        calendar_set(&r->passing->due, (int32_t)on, time);
    }
}

void run_arrive(run *r, int64_t item, double time, double now)
{
    arrive(r, item, time, now, of_any_kind);
}

/* What an item sends, where it does. */
static hot_inline void describe(const run *r, int64_t item, inlay_id there, run_message *m, run_kind kind)
{
    const plan *p = r->plan;
    int64_t messages = messages_of(p, item, kind), bytes = bytes_of(p, item, kind);
    bool again = kind.copies && p->written_once && item >= 0 && sent_is_further(&p->sent, item);
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
    if (!kind.plain && p->screen) {
        m->share *= (double)m->transfers;
        m->transfers = 1;
    }
    m->pieces = pieces > 1 ? pieces : 1;
    m->latency = kind.plain ? (double)pieces * p->latency : plan_latency(p, messages, bytes) * r->network;
}

void run_describe(const run *r, int64_t item, run_message *m)
{
    describe(r, item, other_end(r->plan, item, of_any_kind), m, of_any_kind);
}

/* Where a message goes in the network. The data of a block go from its home to the reader. A bus does not ask. */
static inline void choose_ports(run *r, inlay_id c, run_message *m)
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

static hot_inline void ask(run *r, inlay_id c, double now, run_kind kind)
{
    const run_message *m = &r->processor[c].message;
    double factor = kind.plain ? 1 : run_transfer_factor(r);
    fabric_request(&r->fabric, c, now, m->share * factor, m->port_from, m->port_to);
}

/* The next message of the link is under way. */
static hot_inline void ask_message(run *r, inlay_id c, double now, run_kind kind)
{
    run_processor *w = &r->processor[c];
    change_queue(w, now, -1);
    w->message.asked = now;
    w->message.visits = w->message.transfers;
    choose_ports(r, c, &w->message);
    ask(r, c, now, kind);
}

/* The next item of a processor that is due and sends something: there is one, for messages wait. */
static hot_inline int64_t next_to_send(run *r, inlay_id c, run_kind kind)
{
    const plan *p = r->plan;
    run_processor *w = &r->processor[c];
    if (!kind.plain && r->behind != NULL) {
        return run_take_queued(r, c);
    }
    for (;;) {
        inlay_id module = w->module[w->send_at];
        for (int64_t end = p->item_begin[module + 1]; w->send < end;) {
            int64_t item = kind.plain ? w->send++ : plan_link(p, w->send++);
            if (other_end(p, item, kind) != c && takes_messages(p, item, kind) > 0) {
                return item;
            }
        }
        w->send_at++;
        inlay_id next = w->module[w->send_at];
        bool guest = !kind.plain && r->module[next].cluster != c; /* nothing of whose is sent here */
        w->send = p->item_begin[guest ? next + 1 : next];
    }
}

static hot_inline void send_next(run *r, inlay_id c, double now, run_kind kind)
{
    run_processor *w = &r->processor[c];
    int64_t item = next_to_send(r, c, kind);
    describe(r, item, other_end(r->plan, item, kind), &w->message, kind);
    w->message.record = kind.plain ? NULL : run_record_message(r, c, w->module[w->send_at], &w->message, now);
    w->sending = true;
    ask_message(r, c, now, kind);
}

/* The last transfer of a link is over. */
static hot_inline void end_link(run *r, inlay_id c, double now, run_kind kind)
{
    run_processor *w = &r->processor[c];
    run_message *m = &w->message;
    double arrival = now + m->latency;
    run_count_item(r, c, m, arrival);
    if (!kind.plain && m->record != NULL) {
        m->record->sent = now;
        m->record->arrival = arrival;
    }
    if (!kind.plain && r->plan->options.no_overlap) {
        w->until = larger(w->until, arrival);
    }
    arrive(r, m->item, arrival, now, kind);
    if (w->waiting > 0) {
        send_next(r, c, now, kind);
        return;
    }
    run_account(w, now);
    w->sending = false;
    if (!kind.plain && w->holding) {
        w->holding = false;
        run_next_module(r, c, now);
    }
}

static hot_inline void transfer_event(run *r, int32_t slot, double now, run_kind kind)
{
    inlay_id c = fabric_event(&r->fabric, slot, now);
    if (c < 0) {
        return;
    }
    run_processor *w = &r->processor[c];
    run_message *m = &w->message;
    if (!kind.plain && m->record != NULL) {
        const transfer *t = &r->fabric.transfer[c];
        bool first = m->left == m->messages && m->visits == m->transfers;
        m->record->begin = first ? t->begin : m->record->begin;
        m->record->service += t->service;
        m->record->memory = m->memory;
    }
    if (--m->visits > 0) {
        ask(r, c, now, kind);
        return;
    }
    w->under_way += now - m->asked;
    if (--m->left > 0) {
        ask_message(r, c, now, kind);
    } else {
        end_link(r, c, now, kind);
    }
}

/* ---- Items become due, modules end ---- */

/* An item that the processor has to send is due; gives how many messages of it have to queue with the processor. */
static hot_inline int64_t release(run *r, inlay_id c, int64_t item, double now, run_kind kind)
{
    const plan *p = r->plan;
    inlay_id there = other_end(p, item, kind);
    int64_t messages = there == c ? 0 : takes_messages(p, item, kind);
    if (!kind.plain && r->rendezvous != NULL && run_has_to_wait(r, item)) {
        return 0;
    }
    if (messages > 0 && plan_has_senders(p)) {
        if (!kind.plain && r->behind != NULL) {
            run_queue_item(r, c, item);
        }
        return messages;
    }
    if (messages > 0 && p->options.contention != INLAY_CONTENTION_FREE) {
        run_send_apart(r, c, item, now);
        return 0;
    }
    r->processor[c].sent += messages;
    r->processor[there].received += messages;
    arrive(r, item, now, now, kind);
    return 0;
}

/* All items of the running module that are due by now. */
static hot_inline void release_due(run *r, inlay_id c, double now, run_kind kind)
{
    const plan *p = r->plan;
    run_processor *w = &r->processor[c];
    inlay_id module = w->module[w->at];
    int64_t end = p->item_begin[module + 1], queued = 0;
    bool whole = kind.plain || p->item == NULL; /* all of them are */
    if (!kind.plain && (r->shared != NULL || r->memory != NULL)) {
        run_record_due(r, c, now);
    }
    while (w->due < end && (whole || run_due_time(r, c, module, p->item[w->due], w->start) <= run_clock(r, c, now))) {
        int64_t item = kind.plain ? w->due++ : plan_link(p, w->due++);
        if (kind.plain || item < 0 || !sent_is_passed_on(&p->sent, item)) {
            queued += release(r, c, item, now, kind);
        }
    }
    if (queued > 0) {
        change_queue(w, now, queued);
    }
}

void run_set_out(run *r, inlay_id c, int64_t item, double now)
{
    run_processor *w = &r->processor[c];
    run_account(w, now);
    int64_t queued = release(r, c, item, now, of_any_kind);
    if (queued > 0) {
        change_queue(w, now, queued);
    }
    if (!w->sending && w->waiting > 0) {
        send_next(r, c, now, of_any_kind);
    }
    w->largest = w->waiting > w->largest ? w->waiting : w->largest;
}

/* A processor has got a datum that it is to pass on. */
static void pass_on(run *r, int64_t entry, double now)
{
    calendar_set(&r->passing->due, (int32_t)entry, INFINITY);
    run_set_out(r, r->plan->sent.pass[entry].sender, entry, now);
}

/* A module has ended; its guests go on, the lowest first. */
static void free_guests(run *r, inlay_id module, double now)
{
    const run_processor *own = &r->processor[r->module[module].cluster];
    const inlay_id *guest;
    inlay_id guests = run_guests(r, module, &guest);
    for (inlay_id g = 0; g < guests; g++) {
        run_processor *w = &r->processor[guest[g]];
        run_account(w, now);
        w->running = false;
        w->at++;
        w->busy += r->memory != NULL   ? own->took
                   : r->shared == NULL ? w->end - w->start - w->sends
                                       : now - r->shared->module[r->module[module].cluster].began;
        w->blocked += r->shared == NULL ? w->sends : 0;
        run_next_module(r, guest[g], now);
    }
}

static hot_inline void module_event(run *r, inlay_id c, double now, run_kind kind)
{
    run_processor *w = &r->processor[c];
    if (!kind.plain && r->memory != NULL && !run_memory_event(r, c, now)) {
        return;
    }
    run_account(w, now);
    release_due(r, c, now, kind);
    if (!w->sending && w->waiting > 0) {
        send_next(r, c, now, kind);
    }
    w->largest = w->waiting > w->largest ? w->waiting : w->largest;
    if (!kind.plain && r->memory != NULL) {
        run_memory_done(r, c, now);
    }
    if (!kind.plain && run_clock(r, c, now) < w->end) {
        set_next(r, c, kind);
        return;
    }
    if (!kind.plain && r->shared != NULL) {
        run_shared_end(r, c, now);
    }
    inlay_id ended = w->module[w->at++];
    w->running = false;
    r->ended++;
    r->last_module = now;
    if (!kind.plain && r->plan->options.no_overlap && w->sending) {
        w->holding = true;
        calendar_set(&r->calendar, c, INFINITY);
    } else {
        next_module(r, c, now, kind);
    }
    if (!kind.plain) {
        free_guests(r, ended, now);
    }
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
static hot_inline void run_loop(run *r, bool links, run_kind kind)
{
    for (; !(links && r->no_memory) && !r->given_up; r->events++) {
        calendar_node network =
            links ? (calendar_node){fabric_links_time(&r->fabric), -1} : calendar_first(&r->fabric.calendar);
        calendar_node passed = kind.plain ? (calendar_node){INFINITY, -1} : next_passed(r);
        double other = passed.time <= network.time ? passed.time : network.time;
        bool shared = !kind.plain && r->shared != NULL;
        double now = shared ? run_shared_next(r, other) : calendar_first(&r->calendar).time;
        if (!goes_on(r, now, other)) {
            break;
        }
        if (now <= other) {
            module_event(r, calendar_first(&r->calendar).slot, now, kind);
        } else if (!kind.plain && passed.time <= other) {
            pass_on(r, passed.slot, passed.time);
        } else if (links) {
            run_links_event(r);
        } else {
            transfer_event(r, network.slot, network.time, kind);
        }
    }
}

static bool is_plain(const run *r)
{
    const plan *p = r->plan;
    return p->item == NULL && !r->doubtful && r->shared == NULL && r->memory == NULL && r->behind == NULL &&
           r->rendezvous == NULL && r->record == NULL && !p->random && !p->screen && p->by_size == 0 &&
           !p->options.no_overlap && p->mapping->guest_begin == NULL;
}

/* A loop for each kind of run. */
static void run_events(run *r)
{
    bool links = r->plan->fabric.kind == FABRIC_LINKS;
    bool copies = r->plan->copies;
    if (is_plain(r) && !links) {
        if (copies) {
            run_loop(r, false, (run_kind){true, true});
        } else {
            run_loop(r, false, (run_kind){true, false});
        }
    } else if (links) {
        run_loop(r, true, of_any_kind);
    } else {
        run_loop(r, false, of_any_kind);
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
    run_events(r);
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

/* A closed workload: every processor thinks, asks for one transfer, waits for it, and thinks again. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/workers.h"
#include "simulate/fabric.h"
#include "simulate/random.h"
#include "simulate/replicate.h"
#include <stdlib.h>

/* What all replications share. */
typedef struct closed_plan {
    inlay_closed_options options; /* with defaults filled in */
    interconnect network;
    fabric_plan fabric;
    inlay_id processors;
    inlay_id most; /* messages that a processor has under way: senders s * most and on are those of processor s */
    double leaves; /* time until a message has left its processor, where that thinks again then; else 0 */
    links_plan *links;
    inlay_id busiest; /* the link that works most when all destinations are as likely; -1 none */
} closed_plan;

/* A message under way. */
typedef struct closed_message {
    double asked;
    double alone; /* what it would have taken without any waiting, as far as it has come */
    int64_t visits;
    inlay_id from, to;
    inlay_id next_free; /* sender of the same processor that has none under way, -1 none; of those that have none */
} closed_message;

typedef struct closed_processor {
    inlay_id free; /* sender without a message, -1 none */
    bool stalled;  /* wants one */
} closed_processor;

/* One thread's run, and the figures of the last one. */
typedef struct closed_run {
    const closed_plan *plan;
    calendar calendar; /* a slot a processor that thinks; the network has its own */
    fabric fabric;
    random_streams random;
    closed_processor *processor;
    closed_message *message; /* of every sender */
    bool no_memory;          /* for a message over links */
    int64_t events, counted;
    double time, delay, waiting; /* of the requests that are counted: elapsed, and sums */
    usage busiest;               /* in that time */
} closed_run;

/* The figures of every replication. */
typedef struct closed_whole {
    const closed_plan *plan;
    double *u, *delay, *tau, *rate;
    int64_t events;
} closed_whole;

/* ---- Making ---- */

static void clear_run(closed_run *r)
{
    calendar_clear(&r->calendar);
    fabric_clear(&r->fabric);
    random_clear(&r->random);
    free(r->processor);
    free(r->message);
}

static int make_run(const closed_plan *p, closed_run *r)
{
    *r = (closed_run){.plan = p};
    r->processor = memory_array((size_t)p->processors, sizeof *r->processor);
    r->message = memory_array((size_t)p->fabric.senders, sizeof *r->message);
    if (r->processor == NULL || r->message == NULL || !random_make(&r->random) ||
        !calendar_make(&r->calendar, p->processors) || fabric_make(&p->fabric, &r->fabric) != INLAY_OK) {
        clear_run(r);
        return INLAY_NO_MEMORY;
    }
    return INLAY_OK;
}

static inlay_closed_options complete_options(const inlay_closed_options *options, bool omega)
{
    static const inlay_closed_options defaults = {0};
    inlay_closed_options o = options == NULL ? defaults : *options;
    o.traffic = omega || o.traffic == 0 ? 1 : o.traffic;
    o.requests = o.requests == 0 ? 100000 : o.requests;
    o.warm_up = o.warm_up == 0 ? o.requests / 10 : o.warm_up;
    o.replications = o.replications == 0 ? 10 : o.replications;
    o.threads = workers_of(o.threads, WORKERS_MOST);
    return o;
}

static int check_options(const closed_plan *p, inlay_diag *diag)
{
    const inlay_closed_options *o = &p->options;
    if (!(o->think >= 0 && o->think < INFINITY) || !(o->traffic > 0 && o->traffic < INFINITY)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "a processor thinks for %g and sends %g; expected a time from 0 on and traffic above 0",
                         o->think, o->traffic);
    }
    if (o->requests < 1 || o->warm_up < 0 || o->replications < 2 || o->replications > INT32_MAX) {
        return diag_fail(
            diag, INLAY_BAD_ARGUMENT,
            "%lld requests after %lld are to be counted in %lld replications; expected at least 1, 0 and 2",
            (long long)o->requests, (long long)o->warm_up, (long long)o->replications);
    }
    int status = spread_check(&o->think_time, "think times", diag);
    return status == INLAY_OK ? spread_check(&o->transfer_time, "transfer times", diag) : status;
}

/* ---- Links ---- */

/* The link that works longest for one message between every two processors; false when out of memory. */
static bool find_busiest(const links_plan *links, inlay_id *busiest)
{
    double most = 0;
    double *work = memory_zeroed((size_t)links->links, sizeof *work);
    int64_t hops = links->route_begin[links->pair_begin[inlay_machine_processors(links->machine)]];
    if (work == NULL) {
        return false;
    }
    for (int64_t h = 0; h < hops; h++) {
        work[links->route[h]] += 1 / links->link[links->route[h]].capacity;
    }
    for (inlay_id l = 0; l < links->links; l++) {
        if (!links->link[l].parallel && work[l] > most) {
            most = work[l];
            *busiest = l;
        }
    }
    free(work);
    return true;
}

/* Routes between all processors. */
static int plan_links(closed_plan *p, inlay_diag *diag)
{
    enum { MOST = 1024 };
    if (p->processors > MOST) {
        return diag_fail(diag, INLAY_OVERFLOW, "there are routes between %d processors; expected at most %d processors",
                         p->processors, MOST);
    }
    link_pairs pairs = {0};
    inlay_id *own = memory_array((size_t)p->processors, sizeof *own);
    int status = own != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    for (inlay_id a = 0; status == INLAY_OK && a < p->processors; a++) {
        own[a] = a;
        for (inlay_id b = 0; status == INLAY_OK && b < p->processors; b++) {
            status = a == b || link_pairs_add(&pairs, a, b) ? INLAY_OK : INLAY_NO_MEMORY;
        }
    }
    if (status == INLAY_OK) {
        status = links_plan_make(&p->network, 1, &pairs, own, p->processors, &p->links);
    }
    free(own);
    free(pairs.pair);
    if (status != INLAY_OK || !find_busiest(p->links, &p->busiest)) {
        return diag_no_memory(diag);
    }
    p->fabric.links = p->links;
    return INLAY_OK;
}

static void clear_plan(closed_plan *p)
{
    interconnect_clear(&p->network);
    links_plan_free(p->links);
}

static int make_plan(const inlay_machine *machine, const inlay_closed_options *options, closed_plan *p,
                     inlay_diag *diag)
{
    inlay_delay *delay;
    int status = inlay_delay_new(machine, &delay, diag);
    if (status != INLAY_OK) {
        return status;
    }
    network_unit unit = {.unit = inlay_delay_unit(delay)};
    inlay_delay_free(delay);
    status = interconnect_make(machine, &unit, &p->network, diag);
    if (status != INLAY_OK) {
        return status;
    }
    p->processors = inlay_machine_processors(machine);
    bool omega = inlay_machine_switch(machine) > 0;
    p->options = complete_options(options, omega);
    bool links = inlay_machine_has_links(machine);
    p->most = (omega || links) && p->options.open ? INLAY_CLOSED_MOST : 1;
    if (p->processors > INT32_MAX / 4 / p->most) {
        clear_plan(p);
        return diag_fail(diag, INLAY_OVERFLOW, "%d processors are too many", p->processors);
    }
    fabric_plan_make(&p->network, 1, p->processors * p->most, &p->fabric);
    p->leaves = p->most > 1 ? p->fabric.taken : 0;
    status = check_options(p, diag);
    if (status == INLAY_OK && links) {
        status = plan_links(p, diag);
    }
    if (status != INLAY_OK) {
        clear_plan(p);
    }
    return status;
}

/* ---- One replication ---- */

static void think(closed_run *r, inlay_id k, double now)
{
    const inlay_closed_options *o = &r->plan->options;
    double time = o->think * spread_draw(&o->think_time, &r->random, STREAM_THINKING);
    calendar_set(&r->calendar, k, now + time);
}

/* The next transfer of a message asks the network. */
static void ask(closed_run *r, inlay_id sender, double now)
{
    const inlay_closed_options *o = &r->plan->options;
    const closed_message *m = &r->message[sender];
    double traffic = o->traffic * spread_draw(&o->transfer_time, &r->random, STREAM_TRANSFERS);
    if (r->plan->links == NULL) {
        fabric_request(&r->fabric, sender, now, traffic, m->from, m->to);
        return;
    }
    links_state *links = &r->fabric.links;
    link_route route = links_plan_route(r->plan->links, m->from, m->to);
    int32_t message = links_new(links, route, traffic * r->plan->fabric.numerator, sender);
    r->no_memory |= message < 0 || !links_put(links, message, now);
}

/* The first message on its way asks for a link or has arrived: its sender then, else -1. */
static inlay_id links_event(closed_run *r, double now)
{
    links_state *links = &r->fabric.links;
    int32_t message = links->heap[0].flight;
    const flight *f = &links->flight[message];
    if (f->left.at == f->left.end) {
        inlay_id sender = f->train;
        links_move_first(links, INFINITY);
        links_release(links, message);
        return sender;
    }
    link_passage passage;
    double next;
    r->no_memory |= !links_ask(links, message, now, &passage, &next);
    links_move_first(links, f->left.at == f->left.end ? f->before : next);
    return -1;
}

static inlay_id choose_destination(closed_run *r, inlay_id k)
{
    inlay_id memories = r->plan->fabric.memories;
    if (memories > 0) {
        return random_id(&r->random, STREAM_MEMORIES, memories);
    }
    inlay_id other = random_id(&r->random, STREAM_MEMORIES, r->plan->processors - 1);
    return other + (other >= k);
}

static void begin_message(closed_run *r, inlay_id k, double now)
{
    closed_processor *p = &r->processor[k];
    inlay_id sender = p->free;
    p->stalled = sender < 0;
    calendar_set(&r->calendar, k, INFINITY);
    if (sender < 0) {
        return;
    }
    closed_message *m = &r->message[sender];
    p->free = m->next_free;
    *m = (closed_message){now, 0, r->plan->fabric.visits, k, choose_destination(r, k), -1};
    ask(r, sender, now);
    if (r->plan->most > 1) {
        think(r, k, now + r->plan->leaves);
    }
}

static void count_message(closed_run *r, const closed_message *m, double now)
{
    double delay = now - m->asked;
    r->counted++;
    r->delay += delay;
    r->waiting += delay - m->alone;
}

/* A transfer is over; true where it was the last of its message. */
static bool end_transfer(closed_run *r, inlay_id sender, double now, bool counts)
{
    closed_message *m = &r->message[sender];
    inlay_id k = sender / r->plan->most;
    m->alone += r->fabric.transfer[sender].service;
    if (--m->visits > 0) {
        ask(r, sender, now);
        return false;
    }
    if (counts) {
        count_message(r, m, now);
    }
    m->next_free = r->processor[k].free;
    r->processor[k].free = sender;
    if (r->plan->most == 1) {
        think(r, k, now);
    } else if (r->processor[k].stalled) {
        begin_message(r, k, now);
    }
    return true;
}

static void begin_closed(closed_run *r, int64_t replication)
{
    const closed_plan *p = r->plan;
    calendar_empty(&r->calendar);
    fabric_reset(&r->fabric);
    random_seed(&r->random, p->options.seed, replication);
    r->no_memory = false;
    r->events = r->counted = 0;
    r->delay = r->waiting = 0;
    for (inlay_id s = 0; s < p->fabric.senders; s++) {
        r->message[s].next_free = (s + 1) % p->most == 0 ? -1 : s + 1;
    }
    for (inlay_id k = 0; k < p->processors; k++) {
        r->processor[k] = (closed_processor){k * p->most, false};
        think(r, k, 0);
    }
}

/* What the busiest link has done since it had done `before`. */
static usage busiest_since(const closed_run *r, const usage *before)
{
    usage now = {0};
    if (r->plan->busiest >= 0) {
        now = r->fabric.usage[r->plan->busiest];
        now.busy -= before->busy;
        now.waited -= before->waited;
    }
    return now;
}

static calendar_node next_event(const closed_run *r)
{
    return r->plan->links == NULL ? calendar_first(&r->fabric.calendar)
                                  : (calendar_node){links_time(&r->fabric.links), -1};
}

static int run_closed(void *own, int64_t replication)
{
    closed_run *r = own;
    const inlay_closed_options *o = &r->plan->options;
    double began = 0, now = 0;
    usage before = {0};
    begin_closed(r, replication);
    for (int64_t ended = 0; ended < o->warm_up + o->requests; r->events++) {
        calendar_node thinks = calendar_first(&r->calendar), network = next_event(r);
        now = fmin(thinks.time, network.time);
        if (isinf(now) || r->no_memory) {
            return r->no_memory ? INLAY_NO_MEMORY : INLAY_OVERFLOW;
        }
        if (thinks.time <= network.time) {
            begin_message(r, thinks.slot, now);
            continue;
        }
        inlay_id sender = r->plan->links == NULL ? fabric_event(&r->fabric, network.slot, now) : links_event(r, now);
        if (sender >= 0 && end_transfer(r, sender, now, ended >= o->warm_up)) {
            ended++;
            if (ended == o->warm_up) {
                began = now;
                before = busiest_since(r, &before);
            }
        }
    }
    r->busiest = busiest_since(r, &before);
    r->time = now - began;
    return r->time > 0 ? INLAY_OK : INLAY_OVERFLOW;
}

/* ---- All of them ---- */

/* D as the model of the machine counts it. */
static double model_delay(const closed_plan *p, double tau, double waiting)
{
    const interconnect *n = &p->network;
    switch (inlay_machine_network(n->machine)) {
    case INLAY_NETWORK_OMEGA: return tau / n->transfers;
    case INLAY_NETWORK_OMEGA_PE: return waiting / (n->transfers * n->omega.cycle);
    case INLAY_NETWORK_BUS:
    case INLAY_NETWORK_MULTIBUS:
    case INLAY_NETWORK_LINKS: break;
    }
    return tau * n->capacity / n->transfers;
}

static void merge_closed(void *context, const void *own, int64_t replication)
{
    closed_whole *w = context;
    const closed_run *r = own;
    const closed_plan *p = w->plan;
    double count = (double)r->counted;
    w->tau[replication] = r->delay / count / p->options.traffic;
    if (p->links == NULL) {
        w->u[replication] = interconnect_utilisation(&p->network, count * p->options.traffic, r->time);
        w->delay[replication] = model_delay(p, w->tau[replication], r->waiting / count);
    } else {
        w->u[replication] = r->busiest.busy / r->time;
        w->delay[replication] = r->busiest.busy > 0 ? 1 + r->busiest.waited / r->busiest.busy : 1;
    }
    w->rate[replication] = count / (r->time * p->processors);
    w->events += r->events;
}

static void refuse_closed(void *context, const void *own)
{
    (void)context;
    (void)own;
}

static int run_all(closed_whole *w)
{
    const inlay_closed_options *o = &w->plan->options;
    int threads = o->replications < o->threads ? (int)o->replications : o->threads, made = 0;
    closed_run *own = memory_zeroed((size_t)threads, sizeof *own);
    void **list = memory_array((size_t)threads, sizeof *list);
    int status = own != NULL && list != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    while (status == INLAY_OK && made < threads) {
        list[made] = &own[made];
        status = make_run(w->plan, &own[made]);
        made += status == INLAY_OK;
    }
    if (status == INLAY_OK) {
        const replication_job job = {run_closed, merge_closed, refuse_closed, w};
        status = replicate(&job, list, threads, o->replications);
    }
    for (int t = 0; t < made; t++) {
        clear_run(&own[t]);
    }
    free(own);
    free(list);
    return status;
}

static int simulate(const closed_plan *p, inlay_closed_result *result, inlay_diag *diag)
{
    size_t n = (size_t)p->options.replications;
    double *figure = memory_array(4 * n, sizeof *figure);
    if (figure == NULL) {
        return diag_no_memory(diag);
    }
    closed_whole w = {p, figure, figure + n, figure + 2 * n, figure + 3 * n, 0};
    int status = run_all(&w);
    if (status == INLAY_OK) {
        *result = (inlay_closed_result){.u = interval_of(w.u, p->options.replications),
                                        .delay = interval_of(w.delay, p->options.replications),
                                        .tau = interval_of(w.tau, p->options.replications),
                                        .rate = interval_of(w.rate, p->options.replications),
                                        .events = w.events};
    }
    free(figure);
    return status == INLAY_OK          ? INLAY_OK
           : status == INLAY_NO_MEMORY ? diag_no_memory(diag)
                                       : diag_fail(diag, status, "requests take no time, or more than can be counted");
}

int inlay_simulate_closed(const inlay_machine *machine, const inlay_closed_options *options,
                          inlay_closed_result *result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (machine == NULL || result == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a closed workload needs a machine and a place for the result");
    }
    closed_plan p = {.busiest = -1};
    int status = make_plan(machine, options, &p, diag);
    if (status == INLAY_OK) {
        status = simulate(&p, result, diag);
        clear_plan(&p);
    }
    return status;
}

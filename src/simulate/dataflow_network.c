/*
 * Values on their way. On buses and omega networks a processor has one message under way and its others wait with it;
 * over links all go at once, those of one value behind each other. What the network itself does is the event engine's.
 */
#include "simulate/dataflow_network.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

/* ---- A value as messages ---- */

static inline const program_channel *channel_of(const dataflow_network *n, const parcel *p)
{
    return &n->engine->program->channel[p->channel];
}

static inline int64_t pieces_of(const dataflow_network *n, const program_channel *c)
{
    int64_t bytes = (int64_t)c->size;
    return n->message_size > 0 && bytes > 0 ? (bytes - 1) / n->message_size + 1 : 1;
}

/* Traffic of one of its messages: bytes are not cut into pieces. */
static inline double share_of(const dataflow_network *n, const program_channel *c)
{
    return n->in_bytes ? (double)c->size : 1;
}

/* All messages of a value have been transferred by then, and arrive after their latencies. */
static void arrive(dataflow_network *n, const parcel *p, double sent)
{
    const program_channel *c = channel_of(n, p);
    int64_t pieces = pieces_of(n, c);
    double by_size = interconnect_along(&n->network.latency_by_size, &n->network, 1, (int64_t)c->size);
    double arrival = sent + (double)pieces * n->latency + (n->free ? 0 : by_size * n->grain);
    n->sender[n->cluster_of[c->from]].sent += pieces;
    n->sender[n->cluster_of[c->to]].received += pieces;
    n->messages += pieces;
    n->last = arrival > n->last ? arrival : n->last;
    n->under_way--;
    engine_arrived(n->engine, p->channel, p->number, arrival);
}

static void no_memory(dataflow_network *n)
{
    (void)engine_fail(n->engine, INLAY_NO_MEMORY, "out of memory");
}

/* ---- Messages that meet nobody ---- */

static double alone_on_links(dataflow_network *n, link_route route, double size, int64_t messages)
{
    double ask = 0, last = 0;
    for (inlay_id h = 0; h < route.end - route.at; h++) {
        n->until[h] = 0;
    }
    for (int64_t k = 0; route.at < route.end && k < messages; k++) {
        double arrival = links_alone(n->links, route, size, 1, &ask, n->until);
        last = arrival > last ? arrival : last;
    }
    return last;
}

/* What a value takes by itself, without the machine's latency. */
static double alone(dataflow_network *n, const program_channel *c)
{
    int64_t messages = pieces_of(n, c);
    inlay_id from = n->cluster_of[c->from], to = n->cluster_of[c->to];
    if (n->links != NULL) {
        double size = share_of(n, c) * n->alone.numerator;
        return alone_on_links(n, links_plan_route(n->links, from, to), size, messages);
    }
    if (n->alone.kind == FABRIC_NONE) {
        return 0;
    }
    int stages = n->alone.memories > 0 ? n->alone.stages
                                       : fabric_stages(&n->alone, n->sender[from].processor, n->sender[to].processor);
    return (double)(messages * n->alone.visits) * fabric_alone(&n->alone, share_of(n, c), stages);
}

/* ---- One message after another ---- */

static void ask(dataflow_network *n, inlay_id cluster, double now)
{
    const sender *s = &n->sender[cluster];
    fabric_request(&n->fabric, cluster, now, s->share, s->port_from, s->port_to);
}

/* The next message of the value is under way. */
static void ask_message(dataflow_network *n, inlay_id cluster, double now)
{
    sender *s = &n->sender[cluster];
    const program_channel *c = channel_of(n, &s->parcel[s->first]);
    s->visits = n->plan.visits;
    s->port_from = s->processor;
    s->port_to = n->plan.memories > 0 ? random_id(&n->random, STREAM_MEMORIES, n->plan.memories)
                                      : n->sender[n->cluster_of[c->to]].processor;
    ask(n, cluster, now);
}

/* The first value of the ring sets out. */
static void send_first(dataflow_network *n, inlay_id cluster, double now)
{
    sender *s = &n->sender[cluster];
    const program_channel *c = channel_of(n, &s->parcel[s->first]);
    s->sending = true;
    s->left = pieces_of(n, c);
    s->share = share_of(n, c);
    calendar_set(&n->due, cluster, INFINITY);
    ask_message(n, cluster, now);
}

static parcel take_first(sender *s)
{
    parcel p = s->parcel[s->first];
    s->first = (s->first + 1) & (s->room - 1);
    s->count--;
    return p;
}

/* When the next value of a cluster sets out, where none is under way. */
static inline void set_due(dataflow_network *n, inlay_id cluster)
{
    const sender *s = &n->sender[cluster];
    calendar_set(&n->due, cluster, s->count > 0 ? s->parcel[s->first].due : INFINITY);
}

static void transfer_event(dataflow_network *n)
{
    calendar_node at = calendar_first(&n->fabric.calendar);
    inlay_id cluster = fabric_event(&n->fabric, at.slot, at.time);
    if (cluster < 0) {
        return;
    }
    sender *s = &n->sender[cluster];
    if (--s->visits > 0) {
        ask(n, cluster, at.time);
        return;
    }
    if (--s->left > 0) {
        ask_message(n, cluster, at.time);
        return;
    }
    parcel sent = take_first(s);
    arrive(n, &sent, at.time);
    s->sending = false;
    if (s->count > 0 && s->parcel[s->first].due <= at.time) {
        send_first(n, cluster, at.time);
    } else {
        set_due(n, cluster);
    }
}

/* ---- Trains over links ---- */

/* One that is not used; -1 when out of memory. */
static int32_t take_train(dataflow_network *n)
{
    int32_t number = n->free_train;
    if (number >= 0) {
        n->free_train = n->train[number].next;
        return number;
    }
    if (n->trains == INT32_MAX || !memory_grow((void **)&n->train, &n->trains_room, n->trains + 1, sizeof *n->train)) {
        return -1;
    }
    return (int32_t)n->trains++;
}

/* The next message of a train is made, which is to ask for its first link; -1 when out of memory. */
static int32_t next_message(dataflow_network *n, int32_t number)
{
    parcel_train *t = &n->train[number];
    t->behind--;
    return links_new(&n->fabric.links, t->route, t->size, number);
}

/* A message has come off its last link, or will by then. */
static void end_message(dataflow_network *n, int32_t number, double arrival)
{
    parcel_train *t = &n->train[number];
    t->sent = arrival > t->sent ? arrival : t->sent;
    if (--t->left == 0) {
        t->next = n->free_train;
        n->free_train = number;
        arrive(n, &t->parcel, t->sent);
    }
}

/* A message asks for its next link; gives when it asks again, INFINITY where that was the last. */
static double ask_link(dataflow_network *n, int32_t message, double now)
{
    links_state *links = &n->fabric.links;
    bool first = links->flight[message].first;
    int32_t number = links->flight[message].train;
    link_passage passage;
    double next;
    bool made = links_ask(links, message, now, &passage, &next);
    if (first && n->train[number].behind > 0) {
        int32_t behind = next_message(n, number);
        made = made && behind >= 0 && links_put(links, behind, passage.end);
    }
    if (!made) {
        no_memory(n);
        return INFINITY;
    }
    const flight *f = &links->flight[message];
    if (f->left.at < f->left.end) {
        return next;
    }
    double arrival = f->before;
    links_release(links, message);
    end_message(n, number, arrival);
    return INFINITY;
}

static void link_event(dataflow_network *n)
{
    links_state *links = &n->fabric.links;
    double next = ask_link(n, links->heap[0].flight, links->heap[0].time);
    links_move_first(links, next);
}

static void send_train(dataflow_network *n, const parcel *p, link_route route, double now)
{
    const program_channel *c = channel_of(n, p);
    int32_t number = take_train(n);
    if (number < 0) {
        no_memory(n);
        return;
    }
    int64_t pieces = pieces_of(n, c);
    n->train[number] = (parcel_train){
        .parcel = *p, .left = pieces, .behind = pieces, .route = route, .size = share_of(n, c) * n->alone.numerator};
    int32_t message = next_message(n, number);
    if (message < 0) {
        no_memory(n);
        return;
    }
    double next = ask_link(n, message, now);
    if (!isinf(next) && !links_put(&n->fabric.links, message, next)) {
        no_memory(n);
    }
}

/* ---- Dues ---- */

static void due_event(dataflow_network *n, inlay_id cluster, double now)
{
    sender *s = &n->sender[cluster];
    if (n->plan.kind != FABRIC_LINKS) {
        send_first(n, cluster, now);
        return;
    }
    parcel p = take_first(s);
    set_due(n, cluster);
    send_train(n, &p, links_plan_route(n->links, cluster, n->cluster_of[channel_of(n, &p)->to]), now);
}

/* Behind the last of the ring; false when out of memory. */
static bool put_last(sender *s, parcel p)
{
    if (s->count == s->room) {
        size_t room = s->room == 0 ? 8 : 2 * s->room;
        parcel *larger = memory_array(room, sizeof *larger);
        if (larger == NULL) {
            return false;
        }
        for (size_t i = 0; i < s->count; i++) {
            larger[i] = s->parcel[(s->first + i) & (s->room - 1)];
        }
        free(s->parcel);
        s->parcel = larger;
        s->room = room;
        s->first = 0;
    }
    s->parcel[(s->first + s->count++) & (s->room - 1)] = p;
    return true;
}

/* Whether a value meets others on its way: not on cores of one host. */
static bool queues(const dataflow_network *n, const program_channel *c)
{
    if (n->plan.kind != FABRIC_LINKS) {
        return n->plan.kind != FABRIC_NONE;
    }
    link_route route = links_plan_route(n->links, n->cluster_of[c->from], n->cluster_of[c->to]);
    return route.at < route.end;
}

void dataflow_network_send(dataflow_network *n, int32_t channel, size_t number, double due)
{
    parcel p = {channel, number, due};
    const program_channel *c = channel_of(n, &p);
    inlay_id cluster = n->cluster_of[c->from];
    sender *s = &n->sender[cluster];
    n->under_way++;
    if (!queues(n, c)) {
        arrive(n, &p, due + (n->free ? 0 : alone(n, c)));
        return;
    }
    if (!put_last(s, p)) {
        no_memory(n);
        return;
    }
    if (!s->sending && s->count == 1) {
        calendar_set(&n->due, cluster, due);
    }
}

void dataflow_network_event(dataflow_network *n)
{
    double time = dataflow_network_time(n);
    calendar_node due = calendar_first(&n->due);
    if (due.time <= time) {
        due_event(n, due.slot, due.time);
    } else if (n->plan.kind == FABRIC_LINKS) {
        link_event(n);
    } else {
        transfer_event(n);
    }
}

/* ---- Making ---- */

void dataflow_network_clear(dataflow_network *n)
{
    for (inlay_id c = 0; n->sender != NULL && c < n->senders; c++) {
        free(n->sender[c].parcel);
    }
    free(n->sender);
    calendar_clear(&n->due);
    fabric_clear(&n->fabric);
    random_clear(&n->random);
    links_plan_free(n->links);
    free(n->train);
    free(n->until);
    *n = (dataflow_network){0};
}

static bool find_pairs(const dataflow_network *n, link_pairs *pairs)
{
    const inlay_program *p = n->engine->program;
    for (size_t k = 0; k < p->channels; k++) {
        inlay_id from = n->cluster_of[p->channel[k].from], to = n->cluster_of[p->channel[k].to];
        if (from != to && !link_pairs_add(pairs, from, to)) {
            return false;
        }
    }
    return true;
}

/* Routes between all clusters that talk; INLAY_NO_MEMORY without a message. */
static int make_links(dataflow_network *n, const interconnect *network, double grain)
{
    inlay_id *processor = memory_array((size_t)n->senders, sizeof *processor);
    link_pairs pairs = {0};
    int status = processor != NULL && find_pairs(n, &pairs) ? INLAY_OK : INLAY_NO_MEMORY;
    for (inlay_id c = 0; status == INLAY_OK && c < n->senders; c++) {
        processor[c] = n->sender[c].processor;
    }
    if (status == INLAY_OK) {
        status = links_plan_make(network, grain, &pairs, processor, n->senders, &n->links);
    }
    if (status == INLAY_OK) {
        n->plan.links = n->alone.links = n->links;
        n->until = memory_array((size_t)n->links->longest, sizeof *n->until);
        status = n->until != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    }
    free(processor);
    free(pairs.pair);
    return status;
}

/* What messages meet, as the event engine plans it; INLAY_NO_MEMORY without a message. */
static int make_plan(dataflow_network *n, const interconnect *network, inlay_contention contention, double grain)
{
    fabric_plan_make(network, grain, n->senders, &n->alone);
    /* links have latencies of their own, which last where nothing else does */
    bool idle = network->free && n->alone.kind != FABRIC_LINKS;
    n->free = contention == INLAY_CONTENTION_FREE;
    n->alone.kind = n->free || idle ? FABRIC_NONE : n->alone.kind;
    n->latency = n->free ? 0 : network->latency * grain;
    n->grain = grain;
    n->network = *network;
    n->network.multibus = NULL; /* is not needed, and the caller's */
    n->in_bytes = network->in_bytes;
    n->message_size = network->in_bytes ? 0 : network->message_size;
    n->plan = n->alone;
    n->plan.kind = contention == INLAY_CONTENTION_QUEUES ? n->plan.kind : FABRIC_NONE;
    return n->alone.kind == FABRIC_LINKS ? make_links(n, network, grain) : INLAY_OK;
}

static bool make_senders(dataflow_network *n, const inlay_mapping *mapping)
{
    n->senders = inlay_mapping_summary(mapping)->clusters;
    n->sender = memory_zeroed((size_t)n->senders, sizeof *n->sender);
    for (inlay_id c = 0; n->sender != NULL && c < n->senders; c++) {
        n->sender[c].processor = inlay_mapping_cluster(mapping, c).processor;
    }
    return n->sender != NULL && calendar_make(&n->due, n->senders) && random_make(&n->random);
}

int dataflow_network_make(dataflow_network *n, engine *e, const inlay_mapping *mapping, const inlay_id *cluster_of,
                          const inlay_program_run_options *options, inlay_diag *diag)
{
    *n = (dataflow_network){.engine = e, .cluster_of = cluster_of, .free_train = -1};
    const inlay_app *app = inlay_mapping_app(mapping);
    network_unit unit = {e->costs.unit, inlay_mapping_summary(mapping)->options.tick_seconds, inlay_app_name(app)};
    interconnect network;
    int status =
        interconnect_make(inlay_mapping_machine(mapping), &unit, &network, NULL); /* the mapping told its warnings */
    if (status != INLAY_OK) {
        return diag_fail(diag, status, "%s", inlay_status_text(status));
    }
    if (inlay_machine_sharing(network.machine) != NULL) {
        diag_warn(diag, "contention=%s is left out: links serve messages one after another",
                  inlay_machine_contention_word(network.machine));
    }
    status = make_senders(n, mapping) ? make_plan(n, &network, contention_of(network.machine, options->contention),
                                                  pow(10, e->costs.decimals))
                                      : INLAY_NO_MEMORY;
    if (status == INLAY_OK) {
        status = fabric_make(&n->plan, &n->fabric);
    }
    interconnect_clear(&network);
    if (status != INLAY_OK) {
        dataflow_network_clear(n);
        return diag_no_memory(diag);
    }
    random_seed(&n->random, options->seed, 0);
    return INLAY_OK;
}

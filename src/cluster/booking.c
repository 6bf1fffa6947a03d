/* Messages booked, or only asked about. */
#include "cluster/booking.h"
#include "base/memory.h"
#include "graph/app.h"
#include "machine/machine.h"
#include <math.h>
#include <stdlib.h>

void booking_clear(message_book *b)
{
    for (inlay_id d = 0; b->copies != NULL && d < b->network->p->app->data; d++) {
        free(b->copies[d]);
    }
    free(b->copies);
    free(b->needed);
    timeline_clear(&b->line);
    free(b->asked);
    free(b->until);
    route_clear(&b->route);
    free(b->row);
    free(b->transfer);
    *b = (message_book){0};
}

static inlay_id widest_row(const inlay_app *app)
{
    int64_t most = 1;
    for (inlay_id i = 0; i < app->modules; i++) {
        int64_t count = app->in_begin[i + 1] - app->in_begin[i];
        most = count > most ? count : most;
    }
    return (inlay_id)most;
}

bool booking_make(const idle_network *network, const inlay_id *processor_of, const double *start, message_book *result)
{
    const problem *p = network->p;
    const inlay_app *app = p->app;
    bool links = inlay_machine_has_links(p->machine);
    message_book b = {.network = network, .processor_of = processor_of, .start = start, .at = -1};
    b.grain = pow(10, inlay_app_decimals(app));
    size_t widest = (size_t)widest_row(app);
    b.buses = links ? 0 : inlay_machine_buses(p->machine);
    b.once = problem_copies(p);
    b.links = links;
    b.alike = network->near && !links;
    inlay_id resources = links ? inlay_machine_links(p->machine) : p->processors + b.buses;
    b.asked = memory_zeroed((size_t)resources, sizeof *b.asked);
    b.until = memory_array((size_t)resources, sizeof *b.until);
    b.copies = memory_zeroed((size_t)app->data, sizeof *b.copies);
    b.needed = memory_array((size_t)app->data, sizeof *b.needed);
    b.row = memory_array(widest, sizeof *b.row);
    bool made = timeline_make(&b.line, resources);
    *result = b;
    if (!made || !b.asked || !b.until || !b.copies || !b.needed || !b.row) {
        booking_clear(result);
        return false;
    }
    for (inlay_id d = 0; d < app->data; d++) {
        result->needed[d] = app->consumer_begin[d + 1] - app->consumer_begin[d];
    }
    return true;
}

/* ---- One transfer ---- */

/* The first time from `due` on at which a resource is free for so long, behind what the question at hand has there. */
static double find(const message_book *b, inlay_id resource, double due, double busy)
{
    double from = b->asked[resource] == b->question ? fmax(due, b->until[resource]) : due;
    return timeline_find(&b->line, resource, from, busy);
}

static void take(message_book *b, inlay_id resource, double begin, double busy, bool keep)
{
    b->asked[resource] = b->question;
    b->until[resource] = begin + busy;
    if (keep) {
        b->no_memory |= !timeline_book(&b->line, resource, begin, busy);
    }
}

/* The first time at which both are free. */
static double find_both(const message_book *b, inlay_id sender, inlay_id bus, double due, double busy)
{
    double begin = find(b, sender, due, busy), other = find(b, bus, begin, busy);
    while (other > begin) {
        begin = find(b, sender, other, busy);
        other = find(b, bus, begin, busy);
    }
    return begin;
}

static double send_plain(message_book *b, double due, double busy, inlay_id from, bool keep)
{
    inlay_id buses = b->network->p->processors, taken = -1;
    double begin = b->buses > 0 ? INFINITY : find(b, from, due, busy);
    for (inlay_id k = 0; k < b->buses; k++) {
        double one = find_both(b, from, buses + k, due, busy);
        taken = one < begin ? buses + k : taken;
        begin = fmin(begin, one);
    }
    take(b, from, begin, busy, keep);
    if (taken >= 0) {
        take(b, taken, begin, busy, keep);
    }
    return begin + busy;
}

static double send_over_links(message_book *b, double due, double traffic, inlay_id from, inlay_id to, bool keep)
{
    const problem *p = b->network->p;
    const topology *t = p->machine->topology;
    inlay_id here = inlay_machine_host(p->machine, from), there = inlay_machine_host(p->machine, to);
    b->route.count = 0;
    if (here != there && !t->route(t, here, there, &b->route)) {
        b->no_memory = true;
    }
    for (size_t k = 0; k < b->route.count; k++) {
        inlay_id link = b->route.link[k];
        double capacity = t->link[link].capacity * p->network.link_capacity;
        double busy = p->network.free ? 0 : traffic * p->network.transfers / capacity * b->grain;
        bool queues = !t->link[link].parallel && busy > 0;
        double begin = queues ? find(b, link, due, busy) : due;
        if (queues) {
            take(b, link, begin, busy, keep);
        }
        due = begin + busy + t->link[link].latency * p->network.link_latency * b->grain;
    }
    return due;
}

/* What is due then: when it is at the other processor. */
static double send(message_book *b, double due, const booking_transfer *of, inlay_id from, inlay_id to, bool keep)
{
    const problem *p = b->network->p;
    if (b->links) {
        return send_over_links(b, due, of->traffic, from, to, keep) + of->late;
    }
    double busy = of->traffic * b->network->tau;
    busy = b->network->near ? busy : busy * interconnect_distance(&p->network, from, to);
    return (busy > 0 ? send_plain(b, due, busy, from, keep) : due) + of->late;
}

/* ---- The data of a module ---- */

/* What one copy of a datum is for: the processors of a host where there are links between hosts. */
static inlay_id place_of(const message_book *b, inlay_id processor)
{
    return b->links ? inlay_machine_host(b->network->p->machine, processor) : processor;
}

/* When a datum is there already; 0: it is not. */
static double copied(const message_book *b, inlay_id datum, inlay_id place)
{
    return datum >= 0 && b->copies[datum] != NULL ? b->copies[datum][place] : 0;
}

static void note_copy(message_book *b, inlay_id datum, inlay_id place, double there)
{
    if (b->copies[datum] == NULL) {
        b->copies[datum] = memory_zeroed((size_t)b->network->p->processors, sizeof *b->copies[datum]);
        b->no_memory |= b->copies[datum] == NULL;
    }
    if (b->copies[datum] != NULL) {
        b->copies[datum][place] = there;
    }
}

static void add_transfer(message_book *b, int64_t messages, int64_t bytes, inlay_id datum)
{
    if (!memory_grow((void **)&b->transfer, &b->room, b->transfers + 1, sizeof *b->transfer)) {
        b->no_memory = true;
        return;
    }
    double traffic = (double)interconnect_traffic(&b->network->p->network, messages, bytes);
    b->transfer[b->transfers++] = (booking_transfer){traffic, idle_latency(b->network, messages, bytes), datum};
}

static void add_transfers(message_book *b, inlay_id from, inlay_id module, int64_t link)
{
    const inlay_app *app = b->network->p->app;
    if (!b->once) {
        add_transfer(b, app->out_messages[link], app->out_bytes[link], -1);
        return;
    }
    if (app->own_messages[link] >= 0) {
        add_transfer(b, app->own_messages[link], app->own_bytes[link], -1);
    }
    for (inlay_id d = app->data_begin[from]; d < app->data_begin[from + 1]; d++) {
        if (app_consumes(app, d, module)) {
            add_transfer(b, app->datum_messages[d], app->datum_bytes[d], d);
        }
    }
}

static int compare_due(const void *a, const void *b)
{
    const booking_due *x = a, *y = b;
    return x->due != y->due ? (x->due > y->due) - (x->due < y->due) : (x->module > y->module) - (x->module < y->module);
}

/* By when their links are due, those of one time by number: the same for every processor that is asked about. */
static void list_predecessors(message_book *b, inlay_id module)
{
    const problem *p = b->network->p;
    const inlay_app *app = p->app;
    b->at = module;
    b->rows = 0;
    b->transfers = 0;
    b->lists++;
    for (int64_t k = app->in_begin[module]; k < app->in_begin[module + 1]; k++) {
        inlay_id from = app->in_from[k], here = b->processor_of[from];
        int64_t link = app_link_to(app, from, module);
        double due = b->start[from] + idle_lag_on_kind(b->network, kinds_of(&p->kinds, here), from, module);
        size_t first = b->transfers;
        add_transfers(b, from, module, link);
        b->row[b->rows++] =
            (booking_due){.due = due,
                          .inside = idle_latency(b->network, app->out_messages[link], app->out_bytes[link]),
                          .module = from,
                          .here = here,
                          .place = place_of(b, here),
                          .first = first,
                          .end = b->transfers};
    }
    if (b->rows > 1) {
        qsort(b->row, (size_t)b->rows, sizeof *b->row, compare_due);
    }
}

/* The module has got a processor: data that nobody waits for any more are forgotten. */
static void forget(message_book *b, inlay_id module)
{
    const inlay_app *app = b->network->p->app;
    for (int64_t k = app->in_begin[module]; b->once && k < app->in_begin[module + 1]; k++) {
        inlay_id from = app->in_from[k];
        for (inlay_id d = app->data_begin[from]; d < app->data_begin[from + 1]; d++) {
            if (app_consumes(app, d, module) && --b->needed[d] == 0) {
                free(b->copies[d]);
                b->copies[d] = NULL;
            }
        }
    }
}

/* When all is there that needs no transfer, and which transfers are left: as a set, where so many can be told apart. */
static double find_there(const message_book *b, inlay_id processor, unsigned *left)
{
    inlay_id place = place_of(b, processor);
    double last = 0;
    *left = 0;
    for (inlay_id k = 0; k < b->rows; k++) {
        const booking_due *of = &b->row[k];
        double there = of->here == processor || of->place != place ? of->due : of->due + of->inside;
        for (size_t t = of->first; of->place != place && t < of->end; t++) {
            double copy = copied(b, b->transfer[t].datum, place);
            there = copy > there ? copy : there;
            *left |= copy > 0 ? 0 : 1U << t % BOOKING_ASKED;
        }
        last = there > last ? there : last;
    }
    return last;
}

/* When what is left is. */
static double send_left(message_book *b, inlay_id processor, bool keep)
{
    inlay_id place = place_of(b, processor);
    double last = 0;
    b->question++;
    for (inlay_id k = 0; k < b->rows; k++) {
        const booking_due *of = &b->row[k];
        for (size_t t = of->first; of->place != place && t < of->end; t++) {
            const booking_transfer *one = &b->transfer[t];
            if (copied(b, one->datum, place) > 0) {
                continue;
            }
            double there = send(b, of->due, one, of->here, processor, keep);
            last = there > last ? there : last;
            if (keep && one->datum >= 0) {
                note_copy(b, one->datum, place, there);
            }
        }
    }
    return last;
}

/* The same, where it may be known from another processor. */
static double ask_left(message_book *b, inlay_id processor, unsigned left)
{
    booking_answer *answer = &b->answer[left];
    if (!b->alike || b->transfers > BOOKING_ASKED) {
        return send_left(b, processor, false);
    }
    if (answer->list != b->lists) {
        *answer = (booking_answer){b->lists, send_left(b, processor, false)};
    }
    return answer->last;
}

double booking_ready(message_book *b, inlay_id module, inlay_id processor, bool keep)
{
    unsigned left;
    if (b->at != module) {
        list_predecessors(b, module);
    }
    double there = find_there(b, processor, &left);
    double last = left == 0 ? 0 : keep ? send_left(b, processor, true) : ask_left(b, processor, left);
    if (keep) {
        forget(b, module);
    }
    return last > there ? last : there;
}

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

/* Messages that are due then: when they are at the other processor. */
static double send_all(message_book *b, double due, int64_t messages, int64_t bytes, inlay_id from, inlay_id to,
                       bool keep)
{
    const problem *p = b->network->p;
    double traffic = (double)interconnect_traffic(&p->network, messages, bytes);
    double late = (double)interconnect_messages(&p->network, messages, bytes) * b->network->latency;
    if (inlay_machine_has_links(p->machine)) {
        return send_over_links(b, due, traffic, from, to, keep) + late;
    }
    double busy = traffic * b->network->tau * interconnect_distance(&p->network, from, to);
    return (busy > 0 ? send_plain(b, due, busy, from, keep) : due) + late;
}

/* ---- The data of a module ---- */

/* What one copy of a datum is for: the processors of a host where there are links between hosts. */
static inlay_id place_of(const message_book *b, inlay_id processor)
{
    const inlay_machine *machine = b->network->p->machine;
    return inlay_machine_has_links(machine) ? inlay_machine_host(machine, processor) : processor;
}

/* A datum at a processor, from where it was before or from its producer now. */
static double send_datum(message_book *b, inlay_id datum, double due, inlay_id from, inlay_id to, bool keep)
{
    const inlay_app *app = b->network->p->app;
    inlay_id place = place_of(b, to);
    if (b->copies[datum] != NULL && b->copies[datum][place] > 0) {
        return b->copies[datum][place];
    }
    double there = send_all(b, due, app->datum_messages[datum], app->datum_bytes[datum], from, to, keep);
    if (keep && b->copies[datum] == NULL) {
        b->copies[datum] = memory_zeroed((size_t)b->network->p->processors, sizeof *b->copies[datum]);
        b->no_memory |= b->copies[datum] == NULL;
    }
    if (keep && b->copies[datum] != NULL) {
        b->copies[datum][place] = there;
    }
    return there;
}

/* What a predecessor sends, all of it together or its own and its data. */
static double send_from(message_book *b, inlay_id from, inlay_id module, double due, inlay_id processor, bool keep)
{
    const inlay_app *app = b->network->p->app;
    inlay_id here = b->processor_of[from];
    int64_t l = app_link_to(app, from, module);
    if (!b->once || place_of(b, here) == place_of(b, processor)) {
        return send_all(b, due, app->out_messages[l], app->out_bytes[l], here, processor, keep);
    }
    double last = due;
    if (app->own_messages[l] >= 0) {
        last = send_all(b, due, app->own_messages[l], app->own_bytes[l], here, processor, keep);
    }
    for (inlay_id d = app->data_begin[from]; d < app->data_begin[from + 1]; d++) {
        if (app_consumes(app, d, module)) {
            last = fmax(last, send_datum(b, d, due, here, processor, keep));
        }
    }
    return last;
}

static int compare_due(const void *a, const void *b)
{
    const struct booking_due *x = a, *y = b;
    return x->due != y->due ? (x->due > y->due) - (x->due < y->due) : (x->from > y->from) - (x->from < y->from);
}

/* By when their links are due, those of one time by number: the same for every processor that is asked about. */
static void sort_predecessors(message_book *b, inlay_id module)
{
    const problem *p = b->network->p;
    const inlay_app *app = p->app;
    b->at = module;
    b->rows = 0;
    for (int64_t k = app->in_begin[module]; k < app->in_begin[module + 1]; k++) {
        inlay_id from = app->in_from[k];
        const processor_kind *kind = kinds_of(&p->kinds, b->processor_of[from]);
        double due = b->start[from] + idle_lag_on_kind(b->network, kind, from, module);
        b->row[b->rows++] = (struct booking_due){due, from};
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

double booking_ready(message_book *b, inlay_id module, inlay_id processor, bool keep)
{
    double ready = 0;
    if (b->at != module) {
        sort_predecessors(b, module);
    }
    b->question++;
    for (inlay_id k = 0; k < b->rows; k++) {
        const struct booking_due *of = &b->row[k];
        bool here = b->processor_of[of->from] == processor;
        double there = here ? of->due : send_from(b, of->from, module, of->due, processor, keep);
        ready = fmax(ready, there);
    }
    if (keep) {
        forget(b, module);
    }
    return ready;
}

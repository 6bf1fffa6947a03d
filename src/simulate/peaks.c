/*
 * How much memory a recorded run takes at its peak. What modules and blocks take is there all the time; a datum is with its
 * producer from when it is made until nobody there needs it and its last copy is on the way, and where a copy goes from the
 * start of its transfer until the last module there that waits for it has ended, and all that it is passed on to have it.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "simulate/simulation.h"
#include <stdlib.h>

typedef struct change {
    double time;
    int64_t bytes;
    inlay_id keeper; /* the first cluster of a processor or, over links, of a host */
} change;

typedef struct peaks {
    const inlay_simulation *s;
    const int64_t *message_of;
    inlay_id *keeper; /* of every cluster */
    double *held;     /* until when, of every datum with its producer */
    int64_t *now;     /* bytes, by keeper */
    change *changes;
    size_t count, room;
} peaks;

static bool hold(peaks *p, inlay_id keeper, double from, double until, int64_t bytes)
{
    if (bytes == 0 || !(from < until)) {
        return true;
    }
    if (!memory_grow((void **)&p->changes, &p->room, p->count + 2, sizeof *p->changes)) {
        return false;
    }
    p->changes[p->count++] = (change){from, bytes, keeper};
    p->changes[p->count++] = (change){until, -bytes, keeper};
    return true;
}

/* By time; what is given up comes first. */
static int compare_changes(const void *a, const void *b)
{
    const change *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time)
                              : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static inlay_id keeper_of(const peaks *p, inlay_id module)
{
    return p->keeper[p->s->plan.cluster_of[module]];
}

/* The last end of the modules that wait for a copy. */
static double needed_until(const peaks *p, const sent_copy *copy)
{
    const sendings *sent = &p->s->plan.sent;
    sent_links links = sent_awaiting(sent, copy);
    double until = 0;
    for (int64_t k = 0; k < links.count; k++) {
        double end = p->s->record.end[sent->app->out_to[links.link[k]]];
        until = end > until ? end : until;
    }
    return until;
}

/* The message that carried an entry; NULL where it stayed within its cluster. */
static const inlay_simulated_message *message_with(const peaks *p, int64_t entry)
{
    int64_t message = p->message_of[entry];
    const inlay_simulated_message *all = p->s->record.message;
    return message < 0 || all == NULL ? NULL : &all[message];
}

/* When all that a copy's receiver passes on has left it; 0 where that is nothing. */
static double passed_until(const peaks *p, int64_t entry)
{
    const sendings *sent = &p->s->plan.sent;
    double until = 0;
    for (int64_t on = sent_first(sent, entry); on >= 0; on = sent->pass[on].next) {
        const inlay_simulated_message *m = message_with(p, on);
        double left = m == NULL ? 0 : m->sent;
        until = left > until ? left : until;
    }
    return until;
}

static bool hold_copies(peaks *p, inlay_id from)
{
    const sendings *sent = &p->s->plan.sent;
    const run_record *record = &p->s->record;
    bool fine = true;
    for (int64_t e = sent->begin[from]; e < sent->begin[from + 1] && fine; e++) {
        sent_entry of = sent_at(sent, e);
        if (of.copy != NULL) {
            const inlay_simulated_message *m = message_with(p, e);
            double begin = m == NULL ? record->end[from] : m->begin, until = m == NULL ? begin : m->sent;
            double *held = &p->held[of.copy->datum];
            *held = until > *held && !sent_is_passed_on(sent, e) ? until : *held;
            double needed = needed_until(p, of.copy), passed = passed_until(p, e);
            fine = hold(p, keeper_of(p, of.to), begin, needed > passed ? needed : passed, of.bytes);
        }
    }
    return fine;
}

static bool hold_data(peaks *p, inlay_id from)
{
    const inlay_app *app = p->s->plan.app;
    const run_record *record = &p->s->record;
    bool fine = true;
    for (inlay_id d = app->data_begin[from]; d < app->data_begin[from + 1] && fine; d++) {
        double until = p->held[d] > record->end[from] ? p->held[d] : record->end[from];
        for (int64_t k = app->consumer_begin[d]; k < app->consumer_begin[d + 1]; k++) {
            inlay_id to = app->consumer[k];
            bool here = keeper_of(p, to) == keeper_of(p, from);
            until = here && record->end[to] > until ? record->end[to] : until;
        }
        double begin = p->s->plan.streamed ? record->start[from] : record->end[from];
        fine = hold(p, keeper_of(p, from), begin, until, app->datum_bytes[d]);
    }
    return fine;
}

/* Keepers, and what is there all the time. */
static bool find_keepers(peaks *p)
{
    const plan *of = &p->s->plan;
    const inlay_machine *machine = inlay_mapping_machine(of->mapping);
    size_t hosts = (size_t)inlay_machine_processors(machine);
    inlay_id *first = memory_array(hosts, sizeof *first);
    for (size_t h = 0; first != NULL && h < hosts; h++) {
        first[h] = -1;
    }
    for (inlay_id c = 0; first != NULL && c < of->processors; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(of->mapping, c);
        bool shares = inlay_machine_has_links(machine);
        inlay_id *of_host = &first[shares ? inlay_machine_host(machine, info.processor) : info.processor];
        *of_host = *of_host < 0 ? c : *of_host;
        p->keeper[c] = *of_host;
        p->now[*of_host] += info.memory;
    }
    free(first);
    return first != NULL;
}

static bool collect(peaks *p)
{
    bool fine = find_keepers(p);
    for (inlay_id i = 0; i < p->s->plan.app->modules && fine; i++) {
        fine = hold_copies(p, i) && hold_data(p, i);
    }
    return fine;
}

void simulation_warn_peaks(const inlay_simulation *s, inlay_diag *diag)
{
    inlay_id over = 0;
    inlay_simulated_processor worst = {0};
    for (inlay_id c = 0; c < s->plan.processors; c++) {
        inlay_simulated_processor one = inlay_simulation_processor(s, c);
        int64_t has = inlay_machine_processor(inlay_mapping_machine(s->plan.mapping), one.processor).memory;
        if (has >= 0 && one.memory_peak > has) {
            over++;
            worst = one.memory_peak > worst.memory_peak ? one : worst;
        }
    }
    if (over > 0) {
        diag_warn(
            diag,
            "%d of %d processors hold more at their peak than they have memory, copies of data included: processor "
            "%d %lld bytes of %lld",
            (int)over, (int)s->plan.processors, (int)worst.processor, (long long)worst.memory_peak,
            (long long)inlay_machine_processor(inlay_mapping_machine(s->plan.mapping), worst.processor).memory);
    }
}

static void go_through(const peaks *p, inlay_simulation *s)
{
    for (inlay_id c = 0; c < s->plan.processors; c++) {
        s->processor[c].memory_peak = p->now[c];
    }
    if (p->count > 0) {
        qsort(p->changes, p->count, sizeof *p->changes, compare_changes);
    }
    for (size_t k = 0; k < p->count; k++) {
        inlay_id keeper = p->changes[k].keeper;
        p->now[keeper] += p->changes[k].bytes;
        int64_t *peak = &s->processor[keeper].memory_peak;
        *peak = p->now[keeper] > *peak ? p->now[keeper] : *peak;
    }
    for (inlay_id c = 0; c < s->plan.processors; c++) {
        s->processor[c].memory_peak = s->processor[p->keeper[c]].memory_peak;
    }
}

int simulation_find_peaks(inlay_simulation *s, inlay_diag *diag)
{
    size_t clusters = (size_t)s->plan.processors;
    int64_t *message_of = simulation_messages_by_item(s);
    peaks p = {.s = s,
               .message_of = message_of,
               .keeper = memory_array(clusters, sizeof *p.keeper),
               .held = memory_zeroed((size_t)s->plan.app->data, sizeof *p.held),
               .now = memory_zeroed(clusters, sizeof *p.now)};
    bool fine = message_of != NULL && p.keeper != NULL && p.held != NULL && p.now != NULL && collect(&p);
    if (fine) {
        go_through(&p, s);
    }
    free(message_of);
    free(p.keeper);
    free(p.held);
    free(p.now);
    free(p.changes);
    return fine ? INLAY_OK : diag_no_memory(diag);
}

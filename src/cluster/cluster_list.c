/* Clusters become a schedule by a list. */
#include "cluster/cluster_list.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/schedule.h"
#include <stdlib.h>

cluster_limits cluster_limits_of(const problem *p, inlay_id module)
{
    return (cluster_limits){p->memory == NULL ? 0 : p->memory[module], inlay_app_pin(p->app, module)};
}

bool cluster_limits_join(const problem *p, cluster_limits *into, cluster_limits other)
{
    bool pins = into->pin < 0 || other.pin < 0 || into->pin == other.pin;
    if (!pins || (p->memory_limit >= 0 && other.memory > p->memory_limit - into->memory)) {
        return false;
    }
    *into = (cluster_limits){into->memory + other.memory, into->pin < 0 ? other.pin : into->pin};
    return true;
}

typedef struct homes {
    const inlay_id *cluster_of;
    inlay_id *home; /* processor of every cluster, -1 as yet; -2: it has no modules */
    bool *is_home;  /* of processors */
    bool apart;     /* no more clusters than processors: none shares one */
} homes;

/* Of the processors that are nobody's home, the one where a module ends first; -1: none. */
static inlay_id find_home(schedule *s, inlay_id module, const homes *h)
{
    schedule_range range = schedule_range_of(s, module);
    inlay_id best = -1;
    double least = 0;
    for (inlay_id q = range.first; h->apart && q < range.end; q++) {
        if (h->is_home[q] || !schedule_may(s, module, q)) {
            continue;
        }
        double time = idle_time(&s->network, module, q);
        double end = schedule_slot(s, module, q, schedule_ready(s, module, q), time) + time;
        if (best < 0 || end < least) {
            best = q;
            least = end;
        }
    }
    return best;
}

static inlay_id choose(schedule *s, inlay_id module, const void *own)
{
    const homes *h = own;
    inlay_id *home = &h->home[h->cluster_of[module]];
    if (*home >= 0 && schedule_may(s, module, *home)) {
        return *home;
    }
    inlay_id first = *home < 0 ? find_home(s, module, h) : -1;
    first = first < 0 ? schedule_earliest_finish(s, module, NULL) : first;
    if (*home < 0 && first >= 0) {
        *home = first;
        h->is_home[first] = true;
    }
    return first;
}

/* Those with pins have their homes; tells whether each may have its own. */
static void settle_pinned(const problem *p, inlay_id clusters, homes *h)
{
    inlay_id count = 0;
    for (inlay_id c = 0; c < clusters; c++) {
        h->home[c] = -2;
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id *home = &h->home[h->cluster_of[i]], pin = inlay_app_pin(p->app, i);
        count += *home == -2;
        *home = pin >= 0 ? pin : *home == -2 ? -1 : *home;
        if (pin >= 0) {
            h->is_home[pin] = true;
        }
    }
    h->apart = count <= p->processors;
}

int cluster_list_place(const problem *p, const inlay_id *cluster_of, inlay_id clusters, bool booked,
                       inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    schedule s;
    message_book messages;
    int status = schedule_make(p, true, processor_of, &s, diag);
    if (status != INLAY_OK) {
        return status;
    }
    double *rank = pool_array(&s.pool, (size_t)p->modules, sizeof *rank);
    homes h = {.cluster_of = cluster_of};
    h.home = pool_array(&s.pool, (size_t)clusters, sizeof *h.home);
    h.is_home = pool_zeroed(&s.pool, (size_t)p->processors, sizeof *h.is_home);
    if (s.pool.failed || (booked && !booking_make(&s.network, processor_of, s.start, &messages))) {
        return schedule_finish(&s, diag_no_memory(diag), order, diag);
    }
    s.messages = booked ? &messages : NULL;
    settle_pinned(p, clusters, &h);
    const idle_means means = idle_means_of(&s.network);
    idle_upward(&means, true, rank);
    status = schedule_by_priority(&s, rank, choose, &h, diag);
    if (booked) {
        booking_clear(&messages);
    }
    return schedule_finish(&s, status, order, diag);
}

static inlay_id stay(schedule *s, inlay_id module, const void *own)
{
    const inlay_id *there = own;
    return schedule_may(s, module, there[module]) ? there[module] : -1;
}

int cluster_list_order(const problem *p, const inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    schedule s;
    message_book messages;
    for (inlay_id i = 0; i < p->modules; i++) {
        if (processor_of[i] >= p->processors) {
            return diag_fail(diag, INLAY_NO_ANSWER, "a module is on none of the first %d processors", p->processors);
        }
    }
    inlay_id *own = memory_array((size_t)p->modules, sizeof *own);
    int status = own == NULL ? diag_no_memory(diag) : schedule_make(p, true, own, &s, diag);
    if (status != INLAY_OK) {
        free(own);
        return status;
    }
    double *rank = pool_array(&s.pool, (size_t)p->modules, sizeof *rank);
    if (s.pool.failed || !booking_make(&s.network, own, s.start, &messages)) {
        status = diag_no_memory(diag);
    } else {
        s.messages = &messages;
        const idle_means means = idle_means_of(&s.network);
        idle_upward(&means, true, rank);
        status = schedule_by_priority(&s, rank, stay, processor_of, diag);
        booking_clear(&messages);
    }
    status = schedule_finish(&s, status, order, diag);
    free(own);
    return status;
}

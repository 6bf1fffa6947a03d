/*
 * HEFT with lookahead: L. F. Bittencourt, R. Sakellariou and E. R. M. Madeira, "DAG scheduling using a lookahead variant of
 * the heterogeneous earliest finish time algorithm", PDP 2010. Modules go by upward rank. Each is tried on every processor, and
 * its successors behind it where each ends first, by rank, as far as their other predecessors have a processor; it goes where
 * the last of them ends first.
 *
 * Of equal such ends its own earlier end counts, then the lower processor; of equal ranks the smaller module goes first.
 * Successors on trial take up time and no memory. It takes P times as long as heft, and more.
 */
#include "base/diag.h"
#include "cluster/method.h"
#include "cluster/schedule.h"
#include "graph/app.h"
#include <math.h>
#include <stdlib.h>

/* Time of a processor that is taken for a trial, and of those behind it that the module holds. */
typedef struct booking {
    inlay_id module, processor;
    inlay_id next; /* the booking of that processor behind it, -1 none */
    double start, end;
} booking;

typedef struct follower {
    double rank;
    int64_t link;
    inlay_id module;
} follower;

typedef struct trial {
    const double *rank;
    booking *booked; /* as many as a module has successors, and one more */
    inlay_id bookings;
    inlay_id *first;    /* booking of every processor, -1 none; others behind it by their starts */
    follower *follower; /* by rank */
    size_t followers;
} trial;

static int compare_followers(const void *a, const void *b)
{
    const follower *x = a, *y = b;
    return x->rank > y->rank ? -1 : x->rank < y->rank ? 1 : (x->module > y->module) - (x->module < y->module);
}

static void find_followers(const inlay_app *app, inlay_id module, trial *t)
{
    t->followers = 0;
    for (int64_t l = app->out_begin[module]; l < app->out_begin[module + 1]; l++) {
        if (!(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY)) {
            t->follower[t->followers++] = (follower){t->rank[app->out_to[l]], l, app->out_to[l]};
        }
    }
    qsort(t->follower, t->followers, sizeof *t->follower, compare_followers);
}

static void book(trial *t, booking b)
{
    inlay_id *at = &t->first[b.processor];
    while (*at >= 0 && t->booked[*at].start < b.start) {
        at = &t->booked[*at].next;
    }
    b.next = *at;
    *at = t->bookings;
    t->booked[t->bookings++] = b;
}

static void clear_bookings(trial *t)
{
    while (t->bookings > 0) {
        t->first[t->booked[--t->bookings].processor] = -1;
    }
}

static bool meets(const booking *b, double start, double time)
{
    return start < b->end && (b->start < start + time || b->start <= start);
}

/* The first start beside what is on trial. */
static double find_slot_on_one(const schedule *s, const trial *t, inlay_id module, inlay_id processor, double ready,
                               double time)
{
    double start = schedule_slot(s, module, processor, ready, time);
    for (inlay_id k = t->first[processor]; k >= 0; k = t->booked[k].next) {
        if (meets(&t->booked[k], start, time)) {
            start = schedule_slot(s, module, processor, t->booked[k].end, time);
        }
    }
    return start;
}

/* The same where modules may hold several cores. */
static double find_slot(const schedule *s, const trial *t, inlay_id module, inlay_id processor, double ready,
                        double time)
{
    double start = schedule_slot(s, module, processor, ready, time);
    for (inlay_id k = 0; k < t->bookings; k++) {
        const booking *b = &t->booked[k];
        bool apart = b->processor + problem_cores(s->p, b->module) <= processor ||
                     processor + problem_cores(s->p, module) <= b->processor;
        if (!apart && meets(b, start, time)) {
            start = schedule_slot(s, module, processor, b->end, time);
            k = -1; /* from the first on */
        }
    }
    return start;
}

/* Books a follower of what is booked first, where it ends first, and gives that end. */
static double try_follower(const schedule *s, trial *t, const follower *f, double satisfied)
{
    schedule_range range = schedule_range_of(s, f->module);
    idle_cost cost = idle_cost_of(&s->network, f->link);
    booking best = {f->module, -1, -1, 0, 0};
    for (inlay_id q = range.first; q < range.end; q++) {
        double time = idle_time(&s->network, f->module, q), ready = schedule_ready(s, f->module, q);
        double sent = satisfied + idle_message(&s->network, cost, t->booked[0].processor, q);
        ready = sent > ready ? sent : ready;
        if ((best.processor >= 0 && ready + time >= best.end) || !schedule_may(s, f->module, q)) {
            continue;
        }
        double start = s->p->cores == NULL ? find_slot_on_one(s, t, f->module, q, ready, time)
                                           : find_slot(s, t, f->module, q, ready, time);
        if (best.processor < 0 || start + time < best.end) {
            best = (booking){f->module, q, -1, start, start + time};
        }
    }
    if (best.processor >= 0) {
        book(t, best);
    }
    return best.end;
}

/* When the last ends with the module there; as soon as that is later than `limit`, any later time. */
static double try_there(const schedule *s, trial *t, inlay_id module, const booking *there, double limit)
{
    const processor_kind *kind = kinds_of(&s->p->kinds, there->processor);
    double last = t->followers > 0 ? 0 : there->end;
    clear_bookings(t);
    book(t, *there);
    for (size_t k = 0; k < t->followers && !(last > limit); k++) {
        double satisfied = there->start + idle_lag_on_kind(&s->network, kind, module, t->follower[k].module);
        double end = try_follower(s, t, &t->follower[k], satisfied);
        last = end > last ? end : last;
    }
    return last;
}

static inlay_id choose(schedule *s, inlay_id module, const void *own)
{
    trial t = *(const trial *)own;
    schedule_range range = schedule_range_of(s, module);
    inlay_id best = -1;
    double least = INFINITY, least_end = 0;
    find_followers(s->p->app, module, &t);
    for (inlay_id q = range.first; q < range.end; q++) {
        if (!schedule_may(s, module, q)) {
            continue;
        }
        double time = idle_time(&s->network, module, q);
        double start = schedule_slot(s, module, q, schedule_ready(s, module, q), time);
        const booking there = {module, q, -1, start, start + time};
        double last = try_there(s, &t, module, &there, least);
        if (best < 0 || last < least || (last <= least && there.end < least_end)) {
            best = q;
            least = last;
            least_end = there.end;
        }
    }
    clear_bookings(&t);
    return best;
}

static size_t most_links(const inlay_app *app)
{
    int64_t most = 0;
    for (inlay_id i = 0; i < app->modules; i++) {
        int64_t links = app->out_begin[i + 1] - app->out_begin[i];
        most = links > most ? links : most;
    }
    return (size_t)most;
}

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    schedule s;
    int status = schedule_make(p, true, processor_of, &s, diag);
    if (status != INLAY_OK) {
        return status;
    }
    size_t most = most_links(p->app);
    double *rank = pool_array(&s.pool, (size_t)p->modules, sizeof *rank);
    trial t = {.rank = rank,
               .booked = pool_array(&s.pool, most + 1, sizeof *t.booked),
               .first = pool_array(&s.pool, (size_t)p->processors, sizeof *t.first),
               .follower = pool_array(&s.pool, most, sizeof *t.follower)};
    for (inlay_id q = 0; !s.pool.failed && q < p->processors; q++) {
        t.first[q] = -1;
    }
    if (s.pool.failed) {
        status = diag_no_memory(diag);
    } else {
        const idle_means means = idle_means_of(&s.network);
        idle_upward(&means, true, rank);
        status = schedule_by_priority(&s, rank, choose, &t, diag);
    }
    return schedule_finish(&s, status, order, diag);
}

const cluster_method lookahead_method = {
    .is = {.name = "lookahead",
           .description = "heft that goes where the last of a module's successors would end first",
           .memory = true,
           .pins = true,
           .unlike = true,
           .types = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place,
};

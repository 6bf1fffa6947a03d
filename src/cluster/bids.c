/*
 * The best pair of a ready module and a processor.
 *
 * A bid is what the module is worth there less its start, which is when its data are there or, later, when the processor is
 * free. So a processor has two heaps: modules that wait for their data, by worth less that time, which does not change; and
 * those whose data are there, by worth alone, since they would all start as soon as it is free. Which of the two a module
 * belongs to is found out when it comes first. Where all processors are equally far from each other, what a module's last
 * sender does not have itself is elsewhere at one time: one more pair of heaps for each kind of processors, free when the
 * first of them is, stands for all others.
 *
 * What a heap says is a bound: memory, or further cores, may keep a module from starting so early. The first of all asks
 * for its bid, and where that is less goes back into its heap with it.
 */
#include "cluster/bids.h"
#include "base/diag.h"
#include "base/heap.h"
#include <math.h>
#include <stdlib.h>

/* ---- Modules that stand in a heap ---- */

typedef struct bidder {
    double key;
    double from; /* it cannot start before */
    inlay_id module;
} bidder;

typedef struct bidders {
    bidder *bidder;
    size_t count, room;
} bidders;

/* A processor, or all of a kind. */
typedef struct target {
    inlay_id processor; /* or one of them */
    double free_from;
    bidders waiting, limited; /* for their data; by the processor */
} target;

typedef struct auction {
    schedule *s;
    const bid_rule *rule;
    target *target;
    inlay_id targets, kinds_from; /* those of kinds stand last */
    size_t ready;                 /* modules */
} auction;

static bool goes_first(const double *second, double value, inlay_id i, double other, inlay_id j)
{
    if (value > other || value < other) {
        return value > other;
    }
    if (second != NULL && (second[i] > second[j] || second[i] < second[j])) {
        return second[i] > second[j];
    }
    return i < j;
}

static bool comes_before(const void *context, const void *a, const void *b)
{
    const auction *all = context;
    const bidder *x = a, *y = b;
    return goes_first(all->rule->second, x->key, x->module, y->key, y->module);
}

static heap heap_of(const auction *all, const bidders *of)
{
    return (heap){of->bidder, sizeof *of->bidder, comes_before, all};
}

static bool has_gone(const auction *all, inlay_id module)
{
    return all->s->processor_of[module] >= 0;
}

static void drop_gone(const auction *all, bidders *of)
{
    size_t kept = 0;
    for (size_t k = 0; k < of->count; k++) {
        if (!has_gone(all, of->bidder[k].module)) {
            of->bidder[kept++] = of->bidder[k];
        }
    }
    of->count = kept;
    heap_order(heap_of(all, of), kept);
}

/* Those that have got a processor leave when they come first, or where they are most of a heap. False: no memory. */
static bool put(const auction *all, bidders *of, bidder b)
{
    if (of->count == of->room && of->count > 2 * all->ready) {
        drop_gone(all, of);
    }
    if (!memory_grow((void **)&of->bidder, &of->room, of->count + 1, sizeof *of->bidder)) {
        return false;
    }
    of->bidder[of->count] = b;
    heap_put(heap_of(all, of), of->count++);
    return true;
}

static void drop_first(const auction *all, bidders *of)
{
    heap_drop(heap_of(all, of), --of->count);
}

static double worth(const auction *all, const target *t, inlay_id module)
{
    return all->rule->worth(all->s, module, t->processor, all->rule->own);
}

static bool wait(const auction *all, target *t, inlay_id module, double from)
{
    return put(all, &t->waiting, (bidder){worth(all, t, module) - from, from, module});
}

/* ---- Where a ready module stands ---- */

static int enter(const auction *all, inlay_id module, inlay_diag *diag)
{
    const schedule *s = all->s;
    schedule_range range = schedule_range_of(s, module);
    bool fine = true;
    if (all->kinds_from < all->targets && range.end - range.first > 1) {
        const schedule_data *d = &s->data[module];
        if (d->from >= range.first && d->from < range.end) {
            fine = wait(all, &all->target[d->from], module, schedule_ready(s, module, d->from));
        }
        for (inlay_id t = all->kinds_from; fine && t < all->targets; t++) {
            fine = wait(all, &all->target[t], module, d->last);
        }
    } else {
        for (inlay_id q = range.first; fine && q < range.end; q++) {
            fine = wait(all, &all->target[q], module, schedule_ready(s, module, q));
        }
    }
    return fine ? INLAY_OK : diag_no_memory(diag);
}

static int enter_ready(auction *all, inlay_diag *diag)
{
    schedule *s = all->s;
    int status = INLAY_OK;
    all->ready += (size_t)s->ready_count;
    for (inlay_id k = 0; status == INLAY_OK && k < s->ready_count; k++) {
        status = enter(all, s->ready[k], diag);
    }
    s->ready_count = 0;
    return status;
}

/* What a module got is busy for longer now. */
static void note_busy(auction *all, inlay_id module)
{
    const schedule *s = all->s;
    inlay_id first = s->processor_of[module], end = first + problem_cores(s->p, module);
    for (inlay_id q = first; q < end; q++) {
        all->target[q].free_from = s->line.tail[q];
    }
    for (inlay_id t = all->kinds_from; t < all->targets; t++) {
        target *of = &all->target[t];
        const processor_kind *kind = kinds_of(&s->p->kinds, of->processor);
        of->free_from = INFINITY;
        for (inlay_id q = 0; q < s->p->processors; q++) {
            if (kinds_of(&s->p->kinds, q) == kind && s->line.tail[q] < of->free_from) {
                of->free_from = s->line.tail[q];
            }
        }
    }
}

/* ---- The best of all ---- */

/* The first of a target, in its place; false when out of memory. */
static bool settle(const auction *all, target *t)
{
    bool fine = true;
    while (t->limited.count > 0 && has_gone(all, t->limited.bidder[0].module)) {
        drop_first(all, &t->limited);
    }
    while (fine && t->waiting.count > 0) {
        bidder first = t->waiting.bidder[0];
        bool gone = has_gone(all, first.module);
        if (!gone && first.from >= t->free_from) {
            break;
        }
        drop_first(all, &t->waiting);
        if (!gone) {
            first.key = worth(all, t, first.module);
            fine = put(all, &t->limited, first);
        }
    }
    return fine;
}

/* What comes first of all that have settled. */
typedef struct candidate {
    target *target; /* NULL: none is left */
    bidders *stands;
    double value;
    inlay_id module;
} candidate;

static void consider(const auction *all, target *t, bidders *of, double less, candidate *best)
{
    if (of->count == 0) {
        return;
    }
    const bidder *first = &of->bidder[0];
    double value = first->key - less;
    if (best->target == NULL || goes_first(all->rule->second, value, first->module, best->value, best->module)) {
        *best = (candidate){t, of, value, first->module};
    }
}

static int find_first(const auction *all, candidate *best, inlay_diag *diag)
{
    *best = (candidate){.target = NULL};
    for (inlay_id t = 0; t < all->targets; t++) {
        target *of = &all->target[t];
        if (!settle(all, of)) {
            return diag_no_memory(diag);
        }
        consider(all, of, &of->waiting, 0, best);
        consider(all, of, &of->limited, of->free_from, best);
    }
    return INLAY_OK;
}

/* The first of all gets its processor, or stands where its bid belongs. */
static int serve(auction *all, const candidate *first, inlay_diag *diag)
{
    schedule *s = all->s;
    inlay_id module = first->module;
    schedule_bid bid = all->rule->bid(s, module, all->rule->own);
    if (bid.processor < 0) {
        return schedule_refuse(s, module, diag);
    }
    drop_first(all, first->stands);
    if (bid.value < first->value) {
        bidder again = {bid.value, worth(all, first->target, module) - bid.value, module};
        return put(all, &first->target->waiting, again) ? INLAY_OK : diag_no_memory(diag);
    }
    all->ready--;
    int status = schedule_put(s, module, bid.processor, diag);
    note_busy(all, module);
    return status == INLAY_OK ? enter_ready(all, diag) : status;
}

static bool make(schedule *s, const bid_rule *rule, auction *all)
{
    inlay_id processors = s->p->processors, alike = s->data == NULL ? 0 : s->p->kinds.count;
    *all = (auction){.s = s, .rule = rule, .targets = processors, .kinds_from = processors};
    all->target = pool_zeroed(&s->pool, (size_t)processors + (size_t)alike, sizeof *all->target);
    if (s->pool.failed) {
        return false;
    }
    for (inlay_id q = 0; q < processors; q++) {
        all->target[q].processor = q;
    }
    for (int k = 0; k < alike; k++) {
        inlay_id q = 0;
        while (q < processors && kinds_of(&s->p->kinds, q) != &s->p->kinds.kind[k]) {
            q++;
        }
        if (q < processors) {
            all->target[all->targets++].processor = q;
        }
    }
    return true;
}

static int serve_all(schedule *s, const bid_rule *rule, inlay_diag *diag)
{
    auction all;
    if (!make(s, rule, &all)) {
        return diag_no_memory(diag);
    }
    candidate first;
    int status = enter_ready(&all, diag);
    status = status == INLAY_OK ? find_first(&all, &first, diag) : status;
    while (status == INLAY_OK && first.target != NULL) {
        status = serve(&all, &first, diag);
        status = status == INLAY_OK ? find_first(&all, &first, diag) : status;
    }
    for (inlay_id t = 0; t < all.targets; t++) {
        free(all.target[t].waiting.bidder);
        free(all.target[t].limited.bidder);
    }
    return status;
}

/* ---- All bids in every step ---- */

typedef struct poll {
    const schedule *s;
    const bid_rule *rule;
    schedule_bid *bid; /* of every module */
    inlay_id *seen;    /* how many modules its processors had then */
} poll;

static inlay_id held_by(const schedule *s, inlay_id module, inlay_id processor)
{
    inlay_id held = 0;
    for (inlay_id core = 0; core < problem_cores(s->p, module); core++) {
        held += s->held[processor + core];
    }
    return held;
}

/* A bid changes where its processor gets a module or its host has no room now. */
static int ask(const poll *all, inlay_id module, bool anew, inlay_diag *diag)
{
    schedule_bid *bid = &all->bid[module];
    if (!anew && all->seen[module] == held_by(all->s, module, bid->processor) &&
        schedule_may(all->s, module, bid->processor)) {
        return INLAY_OK;
    }
    *bid = all->rule->bid(all->s, module, all->rule->own);
    if (bid->processor < 0) {
        return schedule_refuse(all->s, module, diag);
    }
    all->seen[module] = held_by(all->s, module, bid->processor);
    return INLAY_OK;
}

static int serve_best(const poll *all, schedule *s, inlay_id *asked, inlay_diag *diag)
{
    const schedule_bid *bid = all->bid;
    inlay_id best = 0;
    int status = INLAY_OK;
    for (inlay_id k = 0; status == INLAY_OK && k < s->ready_count; k++) {
        inlay_id i = s->ready[k], j = s->ready[best];
        status = ask(all, i, k >= *asked, diag);
        best = goes_first(all->rule->second, bid[i].value, i, bid[j].value, j) ? k : best;
    }
    if (status != INLAY_OK) {
        return status;
    }
    inlay_id module = s->ready[best];
    s->ready[best] = s->ready[--s->ready_count];
    *asked = s->ready_count;
    return schedule_put(s, module, bid[module].processor, diag);
}

int schedule_by_bids(schedule *s, const bid_rule *rule, inlay_diag *diag)
{
    if (rule->worth != NULL) {
        return serve_all(s, rule, diag);
    }
    size_t n = (size_t)s->p->modules;
    poll all = {s, rule, pool_array(&s->pool, n, sizeof *all.bid), pool_array(&s->pool, n, sizeof *all.seen)};
    inlay_id asked = 0;
    int status = s->pool.failed ? diag_no_memory(diag) : INLAY_OK;
    while (status == INLAY_OK && s->ready_count > 0) {
        status = serve_best(&all, s, &asked, diag);
    }
    return status;
}

/* What each rank sends to each, for one loop with one set of inputs. */
#include "base/diag.h"
#include "irregular/exchange/collective.h"
#include "irregular/whole/whole.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lists on their way ---- */

/* An element and the rank that it goes to or comes from. Ordered by rank, then by what makes a run. */
typedef struct entry {
    int32_t peer, group;
    uint32_t kind; /* access << 16 | number << 8 | bytes */
    int32_t id;
} entry;

typedef struct entries {
    entry *of;
    size_t count, room;
} entries;

/* What a rank has for others and others for it: values to fetch, and results. */
typedef struct drafts {
    entries fetch_out, fetch_in, result_out, result_in;
    int32_t *fetched_by, *sent_by; /* [elements] the last rank for which it was put into a list: most repetitions */
    int32_t *place;                /* [groups of the program] among the plan's groups */
    bool failed;
} drafts;

static int by_place(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->peer != y->peer) {
        return x->peer < y->peer ? -1 : 1;
    }
    if (x->group != y->group) {
        return x->group < y->group ? -1 : 1;
    }
    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    return (x->id > y->id) - (x->id < y->id);
}

static void put(drafts *d, entries *list, int32_t peer, int32_t in, uint32_t kind, int32_t id)
{
    if (!memory_grow((void **)&list->of, &list->room, list->count + 1, sizeof *list->of)) {
        d->failed = true;
        return;
    }
    list->of[list->count++] = (entry){peer, in, kind, id};
}

static void drafts_clear(drafts *d)
{
    free(d->fetch_out.of);
    free(d->fetch_in.of);
    free(d->result_out.of);
    free(d->result_in.of);
    free(d->fetched_by);
    free(d->sent_by);
    free(d->place);
}

/* ---- From lists to messages ---- */

static void traffic_clear(traffic *t)
{
    for (int i = 0; i < t->peers; i++) {
        free(t->peer[i].at);
        free(t->peer[i].run);
        free(t->peer[i].buffer);
    }
    free(t->peer);
    free(t->request);
    *t = (traffic){0};
}

static bool peer_make(const whole_state *w, peer_list *p, const entry *e, size_t count)
{
    p->rank = e->peer;
    p->at = memory_array(count, sizeof *p->at);
    p->runs = 1;
    for (size_t i = 1; i < count; i++) {
        p->runs += e[i].group != e[i - 1].group || e[i].kind != e[i - 1].kind;
    }
    p->run = memory_zeroed((size_t)p->runs, sizeof *p->run);
    if (p->at == NULL || p->run == NULL) {
        return false;
    }
    run_of *run = p->run - 1;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || e[i].group != e[i - 1].group || e[i].kind != e[i - 1].kind) {
            *++run = (run_of){.group = e[i].group,
                              .access = (uint8_t)(e[i].kind >> 16),
                              .number = (uint8_t)(e[i].kind >> 8),
                              .bytes = (uint8_t)e[i].kind};
        }
        p->at[p->count++] = w->element[e[i].id].at;
        p->bytes += run->bytes;
        run->count++;
    }
    p->buffer = memory_array(p->bytes, 1);
    return p->buffer != NULL;
}

static bool traffic_make(const whole_state *w, traffic *t, entries *list)
{
    size_t count = 0;
    if (list->count > 0) {
        qsort(list->of, list->count, sizeof *list->of, by_place);
    }
    for (size_t i = 0; i < list->count; i++) {
        if (i == 0 || by_place(&list->of[count - 1], &list->of[i]) != 0) {
            list->of[count++] = list->of[i];
        }
    }
    list->count = count;
    int peers = 0;
    for (size_t i = 0; i < count; i++) {
        peers += i == 0 || list->of[i].peer != list->of[i - 1].peer;
    }
    t->peer = memory_zeroed((size_t)peers + 1, sizeof *t->peer);
    t->request = memory_array((size_t)peers + 1, sizeof(MPI_Request));
    if (t->peer == NULL || t->request == NULL) {
        return false;
    }
    t->peers = peers;
    for (int i = 0; i < peers; i++) {
        t->request[i] = MPI_REQUEST_NULL;
    }
    size_t from = 0;
    for (int i = 0; i < peers; i++) {
        size_t to = from + 1;
        while (to < count && list->of[to].peer == list->of[from].peer) {
            to++;
        }
        if (!peer_make(w, &t->peer[i], &list->of[from], to - from)) {
            return false;
        }
        from = to;
    }
    return true;
}

/* ---- Groups ---- */

/* The groups of what the loop touches, and what it does to them. */
static bool groups_make(whole_state *w, plan *p, drafts *d)
{
    const inspection *in = &w->in;
    size_t room = 0;
    d->place = memory_array((size_t)w->groups + 1, sizeof *d->place);
    if (d->place == NULL) {
        return false;
    }
    for (int32_t g = 0; g < w->groups; g++) {
        d->place[g] = -1;
    }
    for (int64_t t = 0; t < in->touches; t++) {
        element *e = &w->element[in->touched[t]];
        int32_t site = e->group;
        if (d->place[site] < 0) {
            int32_t root = whole_group(w, site);
            if (d->place[root] < 0) {
                if (!memory_grow((void **)&p->group, &room, (size_t)p->groups + 1, sizeof *p->group)) {
                    return false;
                }
                p->group[p->groups] = (plan_group){.group = root, .fetched = -1};
                d->place[root] = p->groups++;
            }
            d->place[site] = d->place[root];
        }
        if (e->kinds != READS) {
            p->group[d->place[site]].written = true;
            e->written = true;
        }
    }
    return true;
}

/* ---- Who sends what ---- */

static size_t accumulated_bytes(const element *e)
{
    return e->number == INLAY_NUMBER_BYTES ? e->bytes : whole_number_size(e->number);
}

/* An element of `owner` that an iteration of rank r touches; one of the two is this rank. True where r needs its value. */
static bool draft(const whole_state *w, drafts *d, int32_t id, int32_t owner, int32_t r)
{
    const element *e = &w->element[id];
    int32_t in = d->place[e->group];
    bool mine = r == w->whole.rank, added = whole_is_accumulated(e);
    uint32_t plain = e->bytes, kind = plain;
    if (added) {
        uint32_t access = (uint32_t)__builtin_ctz(e->kinds);
        kind = access << 16 | (uint32_t)e->number << 8 | (uint32_t)accumulated_bytes(e);
    } else if (d->fetched_by[id] != r) {
        d->fetched_by[id] = r;
        put(d, mine ? &d->fetch_in : &d->fetch_out, mine ? owner : r, in, plain, id);
    }
    if (e->kinds != READS && d->sent_by[id] != r && (!added || (e->number & PART_OF_NUMBER) == 0)) {
        d->sent_by[id] = r;
        put(d, mine ? &d->result_out : &d->result_in, mine ? owner : r, in, kind, id);
    }
    return !added;
}

/* Puts an iteration of the inspection behind the last range, or into it where it follows there. `*last` is the one before it. */
static bool put_iteration(plan *p, const inspection *in, int64_t i, int64_t *last, size_t *room)
{
    int64_t step = in->loop->about.step;
    bool follows = p->ranges > 0 && *last == i - 1 && p->ranges != p->inner && step != 0;
    if (follows && in->value[i] - in->value[i - 1] == step) {
        p->range[p->ranges - 1].last = in->value[i];
    } else if (memory_grow((void **)&p->range, room, (size_t)p->ranges + 1, sizeof *p->range)) {
        p->range[p->ranges++] = (inlay_range){in->value[i], in->value[i]};
    } else {
        return false;
    }
    *last = i;
    return true;
}

/* This rank's iterations: those that need nothing of others first, the last of all last. */
static bool ranges_make(const whole_state *w, plan *p, const bool *outer, bool waits, bool as_they_are)
{
    const inspection *in = &w->in;
    int64_t end = in->iterations, last = -1;
    size_t room = 0;
    bool split = waits && !as_they_are, good = true;
    p->inner = -1;
    for (int part = split ? 0 : 1; part < 2; part++) {
        p->inner = part == 1 && waits ? p->ranges : -1;
        for (int64_t i = 0; i < end && good; i++) {
            bool behind = !split || outer[i] || i == end - 1;
            if (in->rank_of[i] == w->whole.rank && behind == (part == 1)) {
                good = put_iteration(p, in, i, &last, &room);
            }
        }
    }
    p->inner = waits ? p->inner : p->ranges;
    return good;
}

static bool iterations_make(const whole_state *w, plan *p, drafts *d, bool as_they_are)
{
    const inspection *in = &w->in;
    int32_t me = w->whole.rank;
    bool *outer = memory_zeroed((size_t)in->iterations + 1, sizeof *outer), waits = false;
    if (outer == NULL) {
        return false;
    }
    for (int64_t i = 0; i < in->iterations; i++) {
        int32_t r = in->rank_of[i];
        for (int64_t t = in->start[i]; t < in->start[i + 1] && w->whole.ranks > 1; t++) {
            int32_t owner = w->cluster[w->element[in->touched[t]].cluster].owner;
            if (owner != r && (owner == me || r == me)) {
                outer[i] |= draft(w, d, in->touched[t], owner, r);
            }
        }
        p->count += r == me;
        waits |= r == me && outer[i];
    }
    bool good = ranges_make(w, p, outer, waits, as_they_are);
    free(outer);
    return good && !d->failed;
}

static bool touched_make(const whole_state *w, plan *p)
{
    p->elements = w->elements;
    p->touched = memory_zeroed((size_t)(w->elements / 64 + 1), sizeof *p->touched);
    for (int64_t t = 0; p->touched != NULL && t < w->in.touches; t++) {
        int32_t id = w->in.touched[t];
        p->touched[id / 64] |= UINT64_C(1) << id % 64;
    }
    return p->touched != NULL;
}

static int too_large(whole_state *w, const plan *p)
{
    const traffic *all[] = {&p->fetch_out, &p->fetch_in, &p->result_out, &p->result_in};
    for (size_t k = 0; k < 4; k++) {
        for (int i = 0; i < all[k]->peers; i++) {
            if (all[k]->peer[i].bytes > INT_MAX) {
                return diag_fail(w->whole.diag, INLAY_OVERFLOW, "%s: a message has %zu bytes; expected fewer than 2^31",
                                 w->in.loop->about.where, all[k]->peer[i].bytes);
            }
        }
    }
    return INLAY_OK;
}

static bool lists_make(whole_state *w, plan *p, drafts *d)
{
    size_t elements = (size_t)w->elements + 1;
    d->fetched_by = memory_array(elements, sizeof *d->fetched_by);
    d->sent_by = memory_array(elements, sizeof *d->sent_by);
    if (d->fetched_by == NULL || d->sent_by == NULL) {
        return false;
    }
    memset(d->fetched_by, 0xff, elements * sizeof *d->fetched_by);
    memset(d->sent_by, 0xff, elements * sizeof *d->sent_by);
    return groups_make(w, p, d) && iterations_make(w, p, d, w->in.loop->about.ordered || w->options.no_overlap) &&
           traffic_make(w, &p->fetch_out, &d->fetch_out) && traffic_make(w, &p->fetch_in, &d->fetch_in) &&
           traffic_make(w, &p->result_out, &d->result_out) && traffic_make(w, &p->result_in, &d->result_in) &&
           touched_make(w, p);
}

int whole_plan_make(whole_state *w, plan *p)
{
    drafts d = {0};
    p->iterations = w->in.iterations;
    w->settle_made = false; /* elements may be new, or have owners at last */
    p->last_rank = p->iterations == 0 ? -1 : w->in.rank_of[p->iterations - 1];
    int status = lists_make(w, p, &d) ? INLAY_OK : diag_no_memory(w->whole.diag);
    for (int i = 0; i < p->fetch_in.peers && status == INLAY_OK; i++) {
        p->ghosts += p->fetch_in.peer[i].count;
    }
    drafts_clear(&d);
    if (status == INLAY_OK) {
        status = too_large(w, p);
    }
    if (status == INLAY_OK && whole_sources_keep(w, p) != INLAY_OK) {
        status = diag_no_memory(w->whole.diag);
    }
    p->epoch = w->whole.epoch;
    p->distribution = w->distribution;
    p->made = true;
    return status;
}

void whole_plan_clear(plan *p)
{
    free(p->key);
    free(p->range);
    free(p->group);
    free(p->touched);
    free(p->source);
    free(p->source_in);
    traffic_clear(&p->fetch_out);
    traffic_clear(&p->fetch_in);
    traffic_clear(&p->result_out);
    traffic_clear(&p->result_in);
    *p = (plan){0};
}

/* A schedule that is being changed. */
#include "search/draft.h"
#include "graph/app.h"
#include <math.h>
#include <string.h>

void draft_make(const terms *t, memory_pool *pool, draft *d)
{
    size_t n = (size_t)t->modules, places = (size_t)t->places;
    *d = (draft){.t = t};
    d->order = pool_array(pool, n, sizeof *d->order);
    d->at = pool_array(pool, n, sizeof *d->at);
    d->place_of = pool_array(pool, n, sizeof *d->place_of);
    d->before = pool_array(pool, n, sizeof *d->before);
    d->behind = pool_array(pool, n, sizeof *d->behind);
    d->first = pool_array(pool, places, sizeof *d->first);
    d->last = pool_array(pool, places, sizeof *d->last);
    d->time = pool_array(pool, n, sizeof *d->time);
    d->start = pool_array(pool, n, sizeof *d->start);
    d->tail = pool_array(pool, n, sizeof *d->tail);
    d->room =
        t->p->memory == NULL ? NULL : pool_array(pool, (size_t)inlay_machine_hosts(t->p->machine), sizeof *d->room);
    d->mark = pool_zeroed(pool, n, sizeof *d->mark);
    d->moved = pool_array(pool, n, sizeof *d->moved);
}

void draft_copy(const draft *from, draft *to)
{
    size_t n = (size_t)from->t->modules, places = (size_t)from->t->places;
    memcpy(to->order, from->order, n * sizeof *to->order);
    memcpy(to->at, from->at, n * sizeof *to->at);
    memcpy(to->place_of, from->place_of, n * sizeof *to->place_of);
    memcpy(to->before, from->before, n * sizeof *to->before);
    memcpy(to->behind, from->behind, n * sizeof *to->behind);
    memcpy(to->first, from->first, places * sizeof *to->first);
    memcpy(to->last, from->last, places * sizeof *to->last);
    memcpy(to->time, from->time, n * sizeof *to->time);
    memcpy(to->start, from->start, n * sizeof *to->start);
    memcpy(to->tail, from->tail, n * sizeof *to->tail);
    to->elapsed = from->elapsed;
    if (to->room != NULL) {
        memcpy(to->room, from->room, (size_t)inlay_machine_hosts(from->t->p->machine) * sizeof *to->room);
    }
}

/* ---- Times ---- */

/* Two flags that are constant wherever this is called, so that there is a loop for each. */
static inline double lag_of(const draft *d, inlay_id from, int64_t out, bool streamed)
{
    return !streamed ? d->time[from] : d->place_of[from] < 0 ? 0 : d->t->lag[d->place_of[from]][out];
}

static inline double delay_of(const draft *d, const term_link *l, inlay_id from, inlay_id to, bool far)
{
    bool stays = from == to || from < 0 || to < 0;
    return stays ? 0 : far ? terms_delay(d->t, l, from, to) : l->size;
}

static inline void find_starts(draft *d, inlay_id from, bool streamed, bool far)
{
    const terms *t = d->t;
    for (inlay_id k = from; k < t->modules; k++) {
        inlay_id i = d->order[k], place = d->place_of[i], before = d->before[i];
        double start = place >= 0 && before >= 0 ? d->start[before] + d->time[before] : 0;
        for (int64_t e = t->in_begin[i]; e < t->in_begin[i + 1]; e++) {
            const term_link *l = &t->in[e];
            double there = d->start[l->other] + lag_of(d, l->other, l->twin, streamed) +
                           delay_of(d, l, d->place_of[l->other], place, far);
            start = there > start ? there : start;
        }
        d->start[i] = start;
    }
}

static inline void find_tails(draft *d, inlay_id until, bool streamed, bool far)
{
    const terms *t = d->t;
    for (inlay_id k = until; k >= 0; k--) {
        inlay_id i = d->order[k], place = d->place_of[i], behind = d->behind[i];
        double tail = d->time[i] + (place >= 0 && behind >= 0 ? d->tail[behind] : 0);
        for (int64_t e = t->out_begin[i]; e < t->out_begin[i + 1]; e++) {
            const term_link *l = &t->out[e];
            double way =
                lag_of(d, i, e, streamed) + delay_of(d, l, place, d->place_of[l->other], far) + d->tail[l->other];
            tail = way > tail ? way : tail;
        }
        d->tail[i] = tail;
    }
}

void draft_times(draft *d, inlay_id from, inlay_id until)
{
    const terms *t = d->t;
    if (t->lag != NULL) {
        find_starts(d, from, true, t->per != NULL);
        find_tails(d, until, true, t->per != NULL);
    } else if (t->per != NULL) {
        find_starts(d, from, false, true);
        find_tails(d, until, false, true);
    } else {
        find_starts(d, from, false, false);
        find_tails(d, until, false, false);
    }
    d->elapsed = 0;
    for (inlay_id c = 0; c < t->places; c++) {
        double end = d->last[c] < 0 ? 0 : d->start[d->last[c]] + d->time[d->last[c]];
        d->elapsed = end > d->elapsed ? end : d->elapsed;
    }
}

/* ---- Lists ---- */

static int64_t memory_of(const draft *d, inlay_id module)
{
    return d->room == NULL ? 0 : d->t->p->memory[module];
}

/* Into the list of a place, behind `before`. */
static void join(draft *d, inlay_id module, inlay_id place, inlay_id before)
{
    inlay_id behind = before < 0 ? d->first[place] : d->behind[before];
    d->place_of[module] = place;
    d->before[module] = before;
    d->behind[module] = behind;
    *(before < 0 ? &d->first[place] : &d->behind[before]) = module;
    *(behind < 0 ? &d->last[place] : &d->before[behind]) = module;
    d->time[module] = d->t->time[place][module];
    if (d->room != NULL) {
        d->room[d->t->host[place]] -= memory_of(d, module);
    }
}

void draft_take_out(draft *d, inlay_id module)
{
    inlay_id place = d->place_of[module], before = d->before[module], behind = d->behind[module];
    *(before < 0 ? &d->first[place] : &d->behind[before]) = behind;
    *(behind < 0 ? &d->last[place] : &d->before[behind]) = before;
    d->place_of[module] = -1;
    d->time[module] = 0;
    if (d->room != NULL) {
        d->room[d->t->host[place]] += memory_of(d, module);
    }
}

void draft_set(draft *d, const inlay_id *place_of, const inlay_id *order)
{
    const terms *t = d->t;
    for (inlay_id c = 0; c < t->places; c++) {
        d->first[c] = d->last[c] = -1;
        if (d->room != NULL) {
            int64_t memory = kinds_of(&t->p->kinds, c)->memory;
            d->room[t->host[c]] = memory < 0 ? INT64_MAX : memory;
        }
    }
    for (inlay_id k = 0; k < t->modules; k++) {
        inlay_id i = order[k];
        d->order[k] = i;
        d->at[i] = k;
        join(d, i, place_of[i], d->last[place_of[i]]);
    }
    draft_times(d, 0, t->modules - 1);
}

/* ---- Seats ---- */

/* When the data of a module that is out can be at a place, and how long all takes from its end on, lists aside. */
typedef struct reach {
    double ready, rest;
} reach;

static reach reach_of(const draft *d, inlay_id module, inlay_id place)
{
    const terms *t = d->t;
    reach r = {0, t->time[place][module]};
    for (int64_t e = t->in_begin[module]; e < t->in_begin[module + 1]; e++) {
        const term_link *l = &t->in[e];
        inlay_id from = d->place_of[l->other];
        double there = d->start[l->other] + lag_of(d, l->other, l->twin, t->lag != NULL) +
                       (from < 0 ? 0 : terms_delay(t, l, from, place));
        r.ready = there > r.ready ? there : r.ready;
    }
    for (int64_t e = t->out_begin[module]; e < t->out_begin[module + 1]; e++) {
        const term_link *l = &t->out[e];
        inlay_id to = d->place_of[l->other];
        double way = (t->lag == NULL ? t->time[place][module] : t->lag[place][e]) +
                     (to < 0 ? 0 : terms_delay(t, l, place, to)) + d->tail[l->other];
        r.rest = way > r.rest ? way : r.rest;
    }
    return r;
}

typedef struct choice {
    seat best;
    uint32_t equal; /* seats as good as the best so far */
} choice;

static void offer(choice *c, seat s, uint64_t *state)
{
    if (c->equal == 0 || s.elapsed < c->best.elapsed) {
        *c = (choice){s, 1};
    } else if (!(s.elapsed > c->best.elapsed) && splitmix_next(state) % ++c->equal == 0) {
        c->best = s;
    }
}

/*
 * The seats of one place that are surely behind what the module waits for and before what waits for it (Mastrolilli and
 * Gambardella 2000): what ends later than the module could start does not precede it, and what needs less time to the end
 * of all than the module's successors does not follow it.
 */
static void offer_place(const draft *d, inlay_id module, inlay_id place, const seat *skip, unsigned blink,
                        uint64_t *state, choice *c)
{
    double time = d->t->time[place][module], start = d->start[module], tail = d->tail[module];
    reach r = reach_of(d, module, place);
    inlay_id lower = -1, upper = d->first[place];
    for (inlay_id x = d->first[place]; x >= 0; x = d->behind[x]) {
        if (d->in_order) {
            lower = d->at[x] < d->at[module] ? x : lower;
            upper = lower < 0 ? d->first[place] : d->behind[lower];
            continue;
        }
        bool late = d->start[x] + d->time[x] > start, early = d->tail[x] > tail;
        if (late && !early) {
            break;
        }
        if (early && !late) {
            lower = x;
        }
        upper = d->behind[x];
    }
    for (inlay_id before = lower, behind;; before = behind) {
        behind = before < 0 ? d->first[place] : d->behind[before];
        double free = before < 0 ? 0 : d->start[before] + d->time[before];
        double begin = r.ready > free ? r.ready : free;
        double list = behind < 0 ? 0 : time + d->tail[behind];
        double elapsed = begin + (r.rest > list ? r.rest : list);
        bool skipped =
            (skip->place == place && skip->before == before) || (blink > 0 && (splitmix_next(state) & 0xFFFF) < blink);
        if (!skipped) {
            offer(c, (seat){place, before, elapsed > d->elapsed ? elapsed : d->elapsed}, state);
        }
        if (behind == upper) {
            return;
        }
    }
}

bool draft_seat(const draft *d, inlay_id module, const seat *skip, unsigned blink, uint64_t *state, seat *best)
{
    const terms *t = d->t;
    inlay_id pin = d->home != NULL ? d->home[module] : inlay_app_pin(t->p->app, module);
    inlay_id first = pin < 0 ? 0 : pin, end = pin < 0 ? t->places : pin + 1;
    choice c = {.equal = 0};
    for (inlay_id place = first; place < end; place++) {
        bool room = d->room == NULL || d->room[t->host[place]] >= memory_of(d, module);
        if (room && problem_runs_on(t->p, module, place)) {
            offer_place(d, module, place, skip, blink, state, &c);
        }
    }
    *best = c.best;
    return c.equal > 0;
}

/* ---- Back into the order ---- */

/* Marks what has to stand before the module from that place of the order on, up to `until`; false where that follows it. */
static bool mark_before(draft *d, inlay_id module, const seat *s, inlay_id from, inlay_id until)
{
    const terms *t = d->t;
    inlay_id after = s->before < 0 ? d->first[s->place] : d->behind[s->before];
    if (s->before >= 0) {
        d->mark[s->before] = 1;
    }
    for (int64_t e = t->in_begin[module]; e < t->in_begin[module + 1]; e++) {
        d->mark[t->in[e].other] = 1;
    }
    for (inlay_id k = until; k >= from; k--) {
        inlay_id i = d->order[k], behind = d->place_of[i] < 0 ? -1 : d->behind[i];
        bool before = d->mark[i] || (behind >= 0 && d->mark[behind]);
        for (int64_t e = t->out_begin[i]; !before && e < t->out_begin[i + 1]; e++) {
            before = d->mark[t->out[e].other];
        }
        d->mark[i] = before;
    }
    bool fine = after < 0 || !d->mark[after];
    for (int64_t e = t->out_begin[module]; fine && e < t->out_begin[module + 1]; e++) {
        fine = !d->mark[t->out[e].other];
    }
    return fine;
}

static void clear_marks(draft *d, inlay_id module, const seat *s, inlay_id from, inlay_id until)
{
    const terms *t = d->t;
    if (s->before >= 0) {
        d->mark[s->before] = 0;
    }
    for (int64_t e = t->in_begin[module]; e < t->in_begin[module + 1]; e++) {
        d->mark[t->in[e].other] = 0;
    }
    for (inlay_id k = from; k <= until; k++) {
        d->mark[d->order[k]] = 0;
    }
}

/* What is marked, then the module, then the rest. */
static void reorder(draft *d, inlay_id module, inlay_id from, inlay_id until)
{
    inlay_id to = from, left = 0;
    for (inlay_id k = from; k <= until; k++) {
        inlay_id i = d->order[k];
        if (i == module) {
            continue;
        }
        if (d->mark[i]) {
            d->order[to++] = i;
        } else {
            d->moved[left++] = i;
        }
    }
    d->order[to++] = module;
    memcpy(d->order + to, d->moved, (size_t)left * sizeof *d->moved);
    for (inlay_id k = from; k <= until; k++) {
        d->at[d->order[k]] = k;
    }
}

bool draft_put(draft *d, inlay_id module, const seat *s, inlay_id *from, inlay_id *until)
{
    const terms *t = d->t;
    inlay_id behind = s->before < 0 ? d->first[s->place] : d->behind[s->before];
    inlay_id own = d->at[module];
    inlay_id last = s->before < 0 ? -1 : d->at[s->before], next = behind < 0 ? t->modules : d->at[behind];
    *from = own < next ? own : next;
    *until = own > last ? own : last;
    bool fine = true;
    if (last > own || next < own) { /* else it stands well where it is */
        d->mark[module] = 0;
        fine = mark_before(d, module, s, *from, *until);
        if (fine) {
            reorder(d, module, *from, *until);
        }
        clear_marks(d, module, s, *from, *until);
    }
    if (fine) {
        join(d, module, s->place, s->before);
    }
    return fine;
}

/* What a schedule's times follow from. */
#include "search/terms.h"
#include "graph/app.h"
#include <math.h>
#include <stdlib.h>

static const double ROUNDING = 1e-12;

void terms_clear(terms *t)
{
    pool_clear(&t->pool);
    *t = (terms){0};
}

/* ---- Links ---- */

/* The longest of what a link waits for: what it carries of its own, and data. */
typedef struct burden {
    double size, each;
    bool several; /* messages */
} burden;

/* What all burdens have in common. */
typedef struct burdens {
    bool several;   /* some has several messages */
    bool unawaited; /* some is nobody's to wait for, and may arrive last of all */
    double heaviest;
} burdens;

static burden burden_of(const plan *of, int64_t messages, int64_t bytes)
{
    int64_t count = plan_messages(of, messages, bytes), pieces = plan_pieces(of, messages, bytes);
    if (count == 0) {
        return (burden){0};
    }
    return (burden){(double)(of->in_bytes ? bytes : pieces), plan_latency(of, messages, bytes), count > 1};
}

static void take_larger(burden *a, burden b)
{
    a->size = b.size > a->size ? b.size : a->size;
    a->each = b.each > a->each ? b.each : a->each;
    a->several |= b.several;
}

/* Of all links of one module, in its row of the application. */
static void weigh_row(const problem *p, const plan *of, inlay_id module, int64_t *link_to, burden *row)
{
    const inlay_app *app = p->app;
    int64_t begin = app->out_begin[module];
    bool data = problem_copies(p);
    for (int64_t l = begin; l < app->out_begin[module + 1]; l++) {
        bool awaited = !(app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY), own = data && awaited;
        row[l - begin] =
            burden_of(of, own ? (app->own_messages[l] < 0 ? 0 : app->own_messages[l]) : app->out_messages[l],
                      own ? app->own_bytes[l] : app->out_bytes[l]);
        if (awaited) {
            link_to[app->out_to[l]] = l - begin;
        }
    }
    for (inlay_id d = data ? app->data_begin[module] : 0; data && d < app->data_begin[module + 1]; d++) {
        burden datum = burden_of(of, app->datum_messages[d], app->datum_bytes[d]);
        for (int64_t k = app->consumer_begin[d]; k < app->consumer_begin[d + 1]; k++) {
            take_larger(&row[link_to[app->consumer[k]]], datum);
        }
    }
}

static int64_t longest_row(const inlay_app *app)
{
    int64_t longest = 1;
    for (inlay_id i = 0; i < app->modules; i++) {
        int64_t count = app->out_begin[i + 1] - app->out_begin[i];
        longest = count > longest ? count : longest;
    }
    return longest;
}

/* Precedence alone, by the module that sends. */
static int fill_out(terms *t, const plan *of, burdens *all)
{
    const inlay_app *app = t->p->app;
    int64_t *link_to = memory_array((size_t)t->modules, sizeof *link_to);
    burden *row = memory_array((size_t)longest_row(app), sizeof *row);
    int64_t at = 0;
    for (inlay_id i = 0; link_to != NULL && row != NULL && i < t->modules; i++) {
        weigh_row(t->p, of, i, link_to, row);
        t->out_begin[i] = at;
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            const burden *b = &row[l - app->out_begin[i]];
            all->several |= b->several;
            all->heaviest = fmax(all->heaviest, b->size + b->each);
            if (app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY) {
                all->unawaited |= b->size + b->each > 0;
            } else {
                t->out[at++] = (term_link){.other = app->out_to[l], .size = b->size, .each = b->each};
            }
        }
    }
    t->out_begin[t->modules] = at;
    bool made = link_to != NULL && row != NULL;
    free(link_to);
    free(row);
    return made ? INLAY_OK : INLAY_NO_MEMORY;
}

static void fill_in(terms *t)
{
    for (inlay_id i = 0; i < t->modules; i++) {
        for (int64_t e = t->out_begin[i]; e < t->out_begin[i + 1]; e++) {
            t->in_begin[t->out[e].other + 1]++;
        }
    }
    for (inlay_id i = 0; i < t->modules; i++) {
        t->in_begin[i + 1] += t->in_begin[i];
    }
    for (inlay_id i = 0; i < t->modules; i++) {
        for (int64_t e = t->out_begin[i]; e < t->out_begin[i + 1]; e++) {
            term_link *to = &t->in[t->in_begin[t->out[e].other]++];
            *to = t->out[e];
            to->other = i;
            to->twin = e;
        }
    }
    for (inlay_id i = t->modules; i > 0; i--) {
        t->in_begin[i] = t->in_begin[i - 1];
    }
    t->in_begin[0] = 0;
}

/* ---- Distances ---- */

/* What a unit of size takes from one place to another, and what any size does. */
static void measure_pair(const plan *of, inlay_id from, inlay_id to, double *until, double *per, double *fixed)
{
    const fabric_plan *alone = &of->alone;
    *per = *fixed = 0;
    if (of->links != NULL) {
        link_route route = links_plan_route(of->links, from, to);
        for (int size = 0; size < 2; size++) {
            double ask = 0;
            for (inlay_id h = 0; h < route.end - route.at; h++) {
                until[h] = 0;
            }
            double taken =
                route.at < route.end ? links_alone(of->links, route, size * alone->numerator, 1, &ask, until) : 0;
            *per = taken - *fixed;
            *fixed = size == 0 ? taken : *fixed;
        }
    } else if (alone->kind != FABRIC_NONE) {
        int stages = alone->memories > 0 ? alone->stages : fabric_stages(alone, from, to);
        *per = (double)alone->visits * fabric_alone(alone, 1, stages);
    }
}

static bool is_uniform(const plan *of)
{
    const fabric_plan *alone = &of->alone;
    return alone->kind != FABRIC_LINKS && !(alone->kind == FABRIC_OMEGA && alone->exits);
}

static int fill_distances(terms *t, const plan *of)
{
    size_t places = (size_t)t->places;
    double per = 0, fixed = 0, unused = 0;
    if (is_uniform(of)) {
        if (t->places > 1) {
            measure_pair(of, 0, 1, &unused, &per, &fixed);
        }
        for (int64_t e = 0; e < t->out_begin[t->modules]; e++) {
            t->out[e].size = t->out[e].size * per + t->out[e].each;
            t->out[e].each = 0;
        }
        return INLAY_OK;
    }
    double *until = pool_array(&t->pool, of->links == NULL ? 1 : (size_t)of->links->longest, sizeof *until);
    t->per = pool_zeroed(&t->pool, places * places, sizeof *t->per);
    t->fixed = pool_zeroed(&t->pool, places * places, sizeof *t->fixed);
    for (size_t k = 0; !t->pool.failed && k < places * places; k++) {
        if (k / places != k % places) {
            measure_pair(of, (inlay_id)(k / places), (inlay_id)(k % places), until, &t->per[k], &t->fixed[k]);
        }
    }
    return t->pool.failed ? INLAY_NO_MEMORY : INLAY_OK;
}

/* Where all places turn out to be as far from each other, as on a star, the delay is the link's alone. */
static void fold_distances(terms *t)
{
    size_t places = (size_t)t->places;
    for (size_t k = 0; t->per != NULL && k < places * places; k++) {
        bool apart = k / places != k % places;
        if (places == 1 || (apart && (t->per[k] != t->per[1] || t->fixed[k] != t->fixed[1]))) {
            return;
        }
    }
    for (int64_t e = 0; t->per != NULL && e < t->out_begin[t->modules]; e++) {
        t->out[e].size = t->out[e].size * t->per[1] + t->fixed[1] + t->out[e].each;
        t->out[e].each = 0;
    }
    t->per = t->fixed = NULL;
}

/* ---- Times ---- */

static double lag_of(const inlay_app *app, inlay_id from, inlay_id to, inlay_time m)
{
    inlay_time wait = app->blocking[to] - app->blocking[from];
    wait = wait > 0 ? wait : 0;
    return (double)(wait < m ? wait : m);
}

static void fill_kind(const terms *t, const plan *of, const plan_processor *on, double *time, double *lag)
{
    for (inlay_id i = 0; i < t->modules; i++) {
        inlay_time m = plan_time(of, on->type_time, i);
        time[i] = (double)m * on->scale / on->speed;
        for (int64_t e = t->out_begin[i]; lag != NULL && e < t->out_begin[i + 1]; e++) {
            lag[e] = lag_of(of->app, i, t->out[e].other, m) * on->scale / on->speed;
        }
    }
}

/* Places of one kind share their arrays. */
static int fill_times(terms *t, const plan *of)
{
    const kinds *all = &t->p->kinds;
    inlay_id first[KINDS_MOST];
    t->time = pool_array(&t->pool, (size_t)t->places, sizeof *t->time);
    t->lag = of->streamed ? pool_array(&t->pool, (size_t)t->places, sizeof *t->lag) : NULL;
    for (int k = 0; k < KINDS_MOST; k++) {
        first[k] = -1;
    }
    for (inlay_id c = 0; !t->pool.failed && c < t->places; c++) {
        inlay_id *like = &first[all->of == NULL ? 0 : all->of[c]];
        if (*like >= 0) {
            t->time[c] = t->time[*like];
            if (t->lag != NULL) {
                t->lag[c] = t->lag[*like];
            }
            continue;
        }
        *like = c;
        t->time[c] = pool_array(&t->pool, (size_t)t->modules, sizeof **t->time);
        double *lag = NULL;
        if (t->lag != NULL) {
            lag = t->lag[c] = pool_array(&t->pool, (size_t)t->out_begin[t->modules], sizeof *lag);
        }
        if (!t->pool.failed) {
            fill_kind(t, of, &of->processor[c], t->time[c], lag);
        }
    }
    return t->pool.failed ? INLAY_NO_MEMORY : INLAY_OK;
}

/* ---- The bound ---- */

double terms_least(const terms *t, double *const *of, int64_t at)
{
    double least = INFINITY;
    for (inlay_id c = 0; c < t->places; c++) {
        least = of[c][at] < least && (c == 0 || of[c] != of[c - 1]) ? of[c][at] : least;
    }
    return least;
}

/* Whether every time and delay is a whole number of grains, and so every schedule's. */
static bool is_whole(const terms *t)
{
    bool whole = t->exact && t->per == NULL && kinds_plain(&t->p->kinds);
    for (int64_t e = 0; whole && e < t->out_begin[t->modules]; e++) {
        whole = t->out[e].size <= floor(t->out[e].size);
    }
    return whole;
}

/* The longest way of the least times, and the least times of all shared out. */
static int find_least(terms *t)
{
    double *until = memory_array((size_t)t->modules, sizeof *until);
    double work = 0;
    if (until == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (inlay_id k = t->modules - 1; k >= 0; k--) {
        inlay_id i = t->p->app->topological[k];
        double time = terms_least(t, t->time, i);
        work += time;
        until[i] = time;
        for (int64_t e = t->out_begin[i]; e < t->out_begin[i + 1]; e++) {
            double way = (t->lag == NULL ? time : terms_least(t, t->lag, e)) + until[t->out[e].other];
            until[i] = way > until[i] ? way : until[i];
        }
        t->least = until[i] > t->least ? until[i] : t->least;
    }
    free(until);
    work /= t->places;
    t->whole = is_whole(t);
    work = t->whole ? ceil(work * (1 - ROUNDING)) : work;
    t->least = work > t->least ? work : t->least;
    return INLAY_OK;
}

/* ---- The whole ---- */

/* Whether a message can have to wait for another: not where none takes any time, or where no link serves one by one. */
static bool meets(const terms *t, const plan *of, const burdens *all)
{
    bool parallel = of->fabric.kind == FABRIC_LINKS;
    for (inlay_id l = 0; parallel && l < of->links->links; l++) {
        parallel = of->links->link[l].parallel;
    }
    return of->fabric.kind != FABRIC_NONE && !parallel && (all->heaviest > 0 || t->per != NULL);
}

int terms_make(const problem *p, const plan *of, inlay_id places, terms *result)
{
    terms t = {.p = p, .modules = p->modules, .places = places};
    size_t n = (size_t)p->modules, links = (size_t)p->app->precedence_links;
    burdens all = {0};
    t.in_begin = pool_zeroed(&t.pool, n + 1, sizeof *t.in_begin);
    t.out_begin = pool_array(&t.pool, n + 1, sizeof *t.out_begin);
    t.in = pool_array(&t.pool, links, sizeof *t.in);
    t.out = pool_array(&t.pool, links, sizeof *t.out);
    t.host = pool_array(&t.pool, (size_t)places, sizeof *t.host);
    int status = t.pool.failed ? INLAY_NO_MEMORY : fill_out(&t, of, &all);
    if (status == INLAY_OK) {
        status = fill_distances(&t, of);
    }
    bool by_one = of->streamed && problem_copies(p); /* a copy is due with the first of its links */
    /* Overheads, memory whose bandwidth is shared, receivers that are late and windows make times longer than terms tell, and not everywhere alike. */
    bool whole_truth =
        !of->memory && of->overheads.after == NULL && of->rendezvous.waits == NULL && of->fabric.sharing == NULL;
    t.anywhere = t.per == NULL && whole_truth;
    t.below = !(all.several && t.per != NULL) && !of->written_once && !by_one;
    t.exact = whole_truth && t.below && !meets(&t, of, &all) && !all.unawaited;
    if (status == INLAY_OK) {
        fold_distances(&t);
        fill_in(&t);
        status = fill_times(&t, of);
    }
    if (status == INLAY_OK) {
        status = find_least(&t);
    }
    if (status != INLAY_OK) {
        terms_clear(&t);
        return status;
    }
    for (inlay_id c = 0; c < places; c++) {
        t.host[c] = inlay_machine_host(p->machine, c);
    }
    *result = t;
    return INLAY_OK;
}

/* Nodes with accelerators, slowly: what is where is looked for whenever it is asked. */
#include "slow_nodes.h"
#include "unit.h"
#include <math.h>
#include <string.h>

/* A version of a datum, and what every node has of it. */
typedef struct version {
    const char *name;
    int64_t bytes;
    int maker; /* -1: a block */
    bool reads[SLOW_MODULES];
    bool outdated; /* somebody makes the next one */
    double here[SLOW_NODES], lent[SLOW_NODES], touched[SLOW_NODES];
    int held[SLOW_NODES];
} version;

typedef enum doing { IDLE, PREPARES, BLOCKED, RUNS } doing;

typedef struct worker {
    doing is;
    int module, node;
    double until, promised;
    int64_t outputs;
    int queue[SLOW_MODULES], queued;
    bool changed;
} worker;

typedef struct slow {
    const inlay_app *app;
    const inlay_machine *machine;
    const char *scheduler;
    int ahead, modules, workers, nodes, home, versions;
    double overhead, now;
    version v[SLOW_DATA];
    worker w[SLOW_WORKERS];
    int64_t room[SLOW_NODES];
    double left_at[SLOW_NODES]; /* when what was taken out has left */
    double free_at[256];        /* links */
    bool ready[SLOW_MODULES], ended[SLOW_MODULES];
    int pool[SLOW_MODULES], pooled;
    int freed_by[SLOW_MODULES];
    double length[SLOW_MODULES];
    slow_nodes_result got;
} slow;

static bool is(const slow *s, const char *name)
{
    return strcmp(s->scheduler, name) == 0;
}

/* ---- What there is ---- */

static void add_version(slow *s, const char *name, int64_t bytes, int maker, const inlay_id *readers, int64_t count)
{
    if (count == 0 || bytes == 0) {
        return;
    }
    version *v = &s->v[s->versions++];
    *v = (version){.name = name, .bytes = bytes, .maker = maker};
    for (int64_t k = 0; k < count; k++) {
        v->reads[readers[k]] = true;
    }
    for (int n = 0; n < s->nodes; n++) {
        v->here[n] = maker < 0 && n == s->home ? 0 : INFINITY;
    }
}

static int replaced(const slow *s, int of)
{
    int found = -1;
    for (int k = 0; k < s->versions && s->v[of].name != NULL && s->v[of].maker >= 0; k++) {
        bool same = s->v[k].name != NULL && strcmp(s->v[k].name, s->v[of].name) == 0;
        found = same && s->v[k].reads[s->v[of].maker] ? k : found;
    }
    return found;
}

static void list_versions(slow *s)
{
    for (inlay_id b = 0; b < inlay_app_blocks(s->app); b++) {
        inlay_links uses = inlay_app_uses(s->app, b);
        add_version(s, inlay_app_block_name(s->app, b), inlay_app_block_size(s->app, b), -1, uses.module, uses.count);
    }
    for (int i = 0; i < s->modules; i++) {
        inlay_links out = inlay_app_out(s->app, i);
        for (int64_t k = 0; k < out.count; k++) {
            bool own = out.own_messages == NULL || out.own_messages[k] >= 0;
            add_version(s, NULL,
                        out.own_messages == NULL ? out.bytes[k]
                        : own                    ? out.own_bytes[k]
                                                 : 0,
                        i, &out.module[k], 1);
        }
        for (inlay_id d = 0; d < inlay_app_data(s->app); d++) {
            inlay_datum datum = inlay_app_datum(s->app, d);
            if (datum.producer == i) {
                add_version(s, datum.name, datum.bytes, i, datum.consumer, datum.consumers);
            }
        }
    }
    for (int k = 0; k < s->versions; k++) {
        int old = replaced(s, k);
        s->v[old < 0 ? k : old].outdated |= old >= 0;
    }
}

static double time_on(const slow *s, int module, int w)
{
    inlay_processor p = inlay_machine_processor(s->machine, w);
    inlay_time time = -1;
    for (int t = 0; t < inlay_app_types(s->app); t++) {
        if (p.type != NULL && strcmp(p.type, inlay_app_type_name(s->app, t)) == 0) {
            time = inlay_app_type_time(s->app, t, module);
        }
    }
    return time == INLAY_NEVER ? INFINITY : (double)(time < 0 ? inlay_app_time(s->app, module) : time) / p.speed;
}

static bool can_run(const slow *s, int module, int w)
{
    int64_t bytes = 0;
    for (int k = 0; k < s->versions; k++) {
        bytes += s->v[k].reads[module] || s->v[k].maker == module ? s->v[k].bytes : 0;
    }
    int64_t room = s->room[s->w[w].node];
    return isfinite(time_on(s, module, w)) && (room < 0 || bytes <= room);
}

static double way(const slow *s, int module)
{
    inlay_links out = inlay_app_out(s->app, module);
    double behind = 0, own = INFINITY;
    for (int64_t k = 0; k < out.count; k++) {
        behind = fmax(behind, way(s, out.module[k]));
    }
    for (int w = 0; w < s->workers; w++) {
        own = can_run(s, module, w) ? fmin(own, time_on(s, module, w)) : own;
    }
    return own + behind;
}

static int someone_on(const slow *s, int node)
{
    int p = 0;
    while (inlay_machine_host(s->machine, p) != node) {
        p++;
    }
    return p;
}

/* ---- Transfers ---- */

/* Arrival of so many bytes; with `book` the links are taken. */
static double travel(slow *s, int64_t bytes, int from, int to, double ask, bool book)
{
    inlay_id route[16];
    inlay_id length = inlay_machine_route(s->machine, someone_on(s, from), someone_on(s, to), route, 16);
    double tail = ask;
    for (inlay_id h = 0; h < length; h++) {
        inlay_machine_link link = inlay_machine_link_at(s->machine, route[h]);
        double begin = book && !link.parallel ? fmax(ask, s->free_at[route[h]]) : ask;
        double end = fmax(begin + (double)bytes / link.capacity, tail);
        if (book) {
            s->free_at[route[h]] = end;
        }
        tail = end + link.latency;
        ask = (inlay_machine_cut_through(s->machine) ? begin : end) + link.latency;
    }
    return tail;
}

static int from_where(slow *s, int k, int to)
{
    const version *v = &s->v[k];
    if (v->here[s->home] <= s->now) {
        return s->home;
    }
    int best = -1;
    double least = INFINITY;
    for (int n = 0; n < s->nodes; n++) {
        if (n != to && v->here[n] <= s->now && travel(s, v->bytes, n, to, 0, false) < least) {
            best = n;
            least = travel(s, v->bytes, n, to, 0, false);
        }
    }
    for (int n = 0; best < 0 && n < s->nodes; n++) {
        least = fmin(least, v->here[n]);
    }
    for (int n = s->nodes - 1; n >= 0; n--) {
        best = !(v->here[n] <= s->now) && v->here[n] <= least ? n : best;
    }
    return best;
}

static int64_t bytes_on(const slow *s, int node)
{
    int64_t sum = 0;
    for (int k = 0; k < s->versions; k++) {
        sum += isfinite(s->v[k].here[node]) ? s->v[k].bytes : 0;
    }
    for (int w = 0; w < s->workers; w++) {
        sum += s->w[w].node == node && s->w[w].is == RUNS ? s->w[w].outputs : 0;
    }
    return sum;
}

static void note(slow *s, int node)
{
    int64_t bytes = bytes_on(s, node);
    ck_assert(s->room[node] < 0 || bytes <= s->room[node]);
}

static void move(slow *s, int k, int from, int to, double ask)
{
    version *v = &s->v[k];
    v->here[to] = travel(s, v->bytes, from, to, ask, true);
    v->lent[from] = fmax(v->lent[from], v->here[to]);
    v->lent[to] = 0;
    v->touched[to] = s->now;
    s->got.moved += v->bytes;
}

/* ---- Room ---- */

static int next_in_queue(const slow *s, const worker *w, int place)
{
    return is(s, "stealing") ? w->queue[w->queued - 1 - place] : w->queue[place];
}

static bool wanted(const slow *s, const worker *w, int k)
{
    bool any = false;
    for (int q = 0; q < w->queued && q < s->ahead; q++) {
        any = any || s->v[k].reads[next_in_queue(s, w, q)];
    }
    return any;
}

static int class_of(const slow *s, const worker *w, int k)
{
    const version *v = &s->v[k];
    int n = w->node;
    return isinf(v->here[n]) || v->held[n] > 0 ? 3 : v->here[n] > s->now || v->lent[n] > s->now ? 2 : wanted(s, w, k);
}

static int victim(const slow *s, const worker *w, int worst)
{
    for (int class = 0; class <= worst; class ++) {
        int best = -1;
        double first = INFINITY;
        for (int k = 0; k < s->versions; k++) {
            const version *v = &s->v[k];
            double at = class == 2 ? fmax(v->here[w->node], v->lent[w->node]) : v->touched[w->node];
            if (class_of(s, w, k) == class && at < first) {
                best = k;
                first = at;
            }
        }
        if (best >= 0) {
            return best;
        }
    }
    return -1;
}

static void take_out(slow *s, int k, int node)
{
    version *v = &s->v[k];
    int others = 0;
    for (int n = 0; n < s->nodes; n++) {
        others += n != node && isfinite(v->here[n]);
    }
    double gone = fmax(s->now, fmax(v->here[node], v->lent[node]));
    if (others == 0) {
        move(s, k, node, s->home, gone);
        gone = v->here[s->home];
        s->got.write_backs++;
    }
    v->here[node] = INFINITY;
    s->left_at[node] = fmax(s->left_at[node], gone);
    s->got.evictions++;
}

static bool free_room(slow *s, const worker *w, int64_t bytes, int worst)
{
    int64_t could = s->room[w->node] - bytes_on(s, w->node);
    for (int k = 0; k < s->versions; k++) {
        could += class_of(s, w, k) <= worst ? s->v[k].bytes : 0;
    }
    if (s->room[w->node] >= 0 && could < bytes) {
        return false;
    }
    while (s->room[w->node] >= 0 && bytes_on(s, w->node) + bytes > s->room[w->node]) {
        take_out(s, victim(s, w, worst), w->node);
    }
    return true;
}

static void bring(slow *s, int k, int node)
{
    int from = from_where(s, k, node);
    move(s, k, from, node, fmax(fmax(s->now, s->v[k].here[from]), s->left_at[node]));
    note(s, node);
}

/* ---- Modules ---- */

static int readers_left(const slow *s, int k)
{
    int count = 0;
    for (int i = 0; i < s->modules; i++) {
        count += s->v[k].reads[i] && !s->ended[i];
    }
    return count;
}

static int64_t room_of_outputs(const slow *s, int module)
{
    int64_t sum = 0;
    for (int k = 0; k < s->versions; k++) {
        int old = s->v[k].maker == module ? replaced(s, k) : -1;
        int64_t bytes = s->v[k].bytes - (old >= 0 && readers_left(s, old) == 1 ? s->v[old].bytes : 0);
        sum += s->v[k].maker == module && bytes > 0 ? bytes : 0;
    }
    return sum;
}

static bool blocked(const slow *s, const worker *w)
{
    int64_t need = room_of_outputs(s, w->module);
    for (int k = 0; k < s->versions; k++) {
        need += s->v[k].reads[w->module] || s->v[k].held[w->node] > 0 ? s->v[k].bytes : 0;
    }
    for (int o = 0; o < s->workers; o++) {
        need += s->w[o].node == w->node && s->w[o].is == RUNS ? s->w[o].outputs : 0;
    }
    return s->room[w->node] >= 0 && need > s->room[w->node];
}

static void get_data(slow *s, worker *w)
{
    int n = w->node;
    double start = s->now;
    if (blocked(s, w)) {
        w->is = BLOCKED;
        w->until = INFINITY;
        return;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < s->versions; k++) {
            version *v = &s->v[k];
            bool here = isfinite(v->here[n]);
            if (!v->reads[w->module] || (pass == 0 ? !here : here)) {
                continue;
            }
            if (!here) {
                ck_assert(free_room(s, w, v->bytes, 2));
                bring(s, k, n);
            }
            v->held[n]++;
            v->touched[n] = s->now;
            start = fmax(start, v->here[n]);
        }
    }
    int64_t outputs = room_of_outputs(s, w->module);
    ck_assert(free_room(s, w, outputs, 2));
    start = outputs > 0 ? fmax(start, s->left_at[n]) : start;
    w->outputs = outputs;
    w->is = RUNS;
    w->until = start + time_on(s, w->module, (int)(w - s->w));
    s->got.start[w->module] = start;
    note(s, n);
}

static void finish(slow *s, worker *w)
{
    s->ended[w->module] = true;
    w->is = IDLE;
    w->until = INFINITY;
    s->got.elapsed = s->now;
    for (int k = 0; k < s->versions; k++) {
        version *v = &s->v[k];
        if (v->reads[w->module]) {
            v->held[w->node]--;
            v->touched[w->node] = s->now;
        }
        for (int n = 0; n < s->nodes && v->reads[w->module] && v->outdated && readers_left(s, k) == 0; n++) {
            v->here[n] = INFINITY;
        }
    }
    for (int k = 0; k < s->versions; k++) {
        if (s->v[k].maker == w->module) {
            s->v[k].here[w->node] = s->v[k].touched[w->node] = s->now;
            s->v[k].lent[w->node] = 0;
        }
    }
    note(s, w->node);
    inlay_links out = inlay_app_out(s->app, w->module);
    for (int64_t k = 0; k < out.count; k++) {
        s->freed_by[out.module[k]] = (int)(w - s->w);
    }
}

/* ---- Schedulers ---- */

static void insert(worker *w, int place, int module)
{
    memmove(&w->queue[place + 1], &w->queue[place], (size_t)(w->queued - place) * sizeof *w->queue);
    w->queue[place] = module;
    w->queued++;
    w->changed = true;
}

static bool more_urgent(const slow *s, int a, int b)
{
    double x = way(s, a), y = way(s, b);
    return x > y || (x >= y && a < b);
}

static void choose_by_end(slow *s, int module)
{
    int best = -1;
    double least = INFINITY;
    for (int w = 0; w < s->workers; w++) {
        const worker *o = &s->w[w];
        double fetch = 0, begin = o->is == IDLE ? s->now : fmax(s->now, o->promised);
        for (int q = 0; q < o->queued; q++) {
            begin += s->length[o->queue[q]];
        }
        for (int k = 0; can_run(s, module, w) && k < s->versions; k++) {
            bool lacks = s->v[k].reads[module] && isinf(s->v[k].here[o->node]);
            fetch += lacks ? travel(s, s->v[k].bytes, from_where(s, k, o->node), o->node, 0, false) : 0;
        }
        double end = begin + fetch + s->overhead + time_on(s, module, w);
        if (can_run(s, module, w) && end < least) {
            best = w;
            least = end;
            double seen = s->ahead > 0 ? fmax(0, fetch - (begin - s->now)) : fetch;
            s->length[module] = s->overhead + time_on(s, module, w) + seen;
        }
    }
    worker *w = &s->w[best];
    int place = w->queued;
    while (is(s, "dmdas") && place > 0 && more_urgent(s, module, w->queue[place - 1])) {
        place--;
    }
    insert(w, place, module);
}

static void hand_over(slow *s, int module)
{
    s->ready[module] = true;
    if (is(s, "stealing")) {
        int w = s->freed_by[module];
        for (int k = s->workers - 1; k >= 0 && !can_run(s, module, s->freed_by[module]); k--) {
            w = can_run(s, module, k) ? k : w;
        }
        insert(&s->w[w], s->w[w].queued, module);
    } else if (is(s, "dmda") || is(s, "dmdas")) {
        choose_by_end(s, module);
    } else {
        s->pool[s->pooled++] = module;
    }
}

static int out_of(int *list, int *count, int at)
{
    int module = list[at];
    memmove(&list[at], &list[at + 1], (size_t)(*count - at - 1) * sizeof *list);
    --*count;
    return module;
}

static int64_t lacking(const slow *s, int module, int node)
{
    int64_t sum = 0;
    for (int k = 0; k < s->versions; k++) {
        sum += s->v[k].reads[module] && isinf(s->v[k].here[node]) ? s->v[k].bytes : 0;
    }
    return sum;
}

static int choose_own(slow *s, worker *w)
{
    int at = 0;
    for (int q = 1; is(s, "dmdas") && q < w->queued; q++) {
        bool as_urgent = way(s, w->queue[q]) >= way(s, w->queue[0]);
        at = as_urgent && lacking(s, w->queue[q], w->node) < lacking(s, w->queue[at], w->node) ? q : at;
    }
    return w->queued == 0 ? -1 : out_of(w->queue, &w->queued, is(s, "stealing") ? w->queued - 1 : at);
}

static int choose(slow *s, int k)
{
    worker *w = &s->w[k];
    int module = choose_own(s, w), at = -1;
    if (module >= 0) {
        w->changed = true;
        return module;
    }
    for (int o = 0; is(s, "stealing") && o < s->workers; o++) {
        for (int q = 0; q < s->w[o].queued; q++) {
            if (can_run(s, s->w[o].queue[q], k)) {
                w->changed = s->w[o].changed = true;
                return out_of(s->w[o].queue, &s->w[o].queued, q);
            }
        }
    }
    for (int q = 0; q < s->pooled; q++) {
        bool ahead = at < 0 || is(s, "lifo") || (is(s, "priority") && more_urgent(s, s->pool[q], s->pool[at]));
        at = can_run(s, s->pool[q], k) && ahead ? q : at;
    }
    return at < 0 ? -1 : out_of(s->pool, &s->pooled, at);
}

/* ---- The whole ---- */

static bool all_before_ended(const slow *s, int module)
{
    int64_t count;
    const inlay_id *before = inlay_app_predecessors(s->app, module, &count);
    bool all = true;
    for (int64_t k = 0; k < count; k++) {
        all = all && s->ended[before[k]];
    }
    return all;
}

static void fetch_ahead(slow *s, worker *w)
{
    for (int q = 0; q < w->queued && q < s->ahead; q++) {
        for (int k = 0; k < s->versions; k++) {
            if (!s->v[k].reads[next_in_queue(s, w, q)] || isfinite(s->v[k].here[w->node])) {
                continue;
            }
            if (!free_room(s, w, s->v[k].bytes, 0)) {
                return;
            }
            bring(s, k, w->node);
        }
    }
}

static void decide(slow *s)
{
    for (int i = 0; i < s->modules; i++) {
        if (!s->ready[i] && all_before_ended(s, i)) {
            hand_over(s, i);
        }
    }
    for (int k = 0; k < s->workers; k++) {
        if (s->w[k].is == BLOCKED) {
            get_data(s, &s->w[k]);
        }
    }
    for (int k = 0; k < s->workers; k++) {
        worker *w = &s->w[k];
        int module = w->is == IDLE ? choose(s, k) : -1;
        if (module < 0) {
            continue;
        }
        w->module = module;
        w->is = PREPARES;
        w->until = s->now + s->overhead;
        w->promised = s->now + s->length[module];
        s->got.worker[module] = k;
        if (!(s->overhead > 0)) {
            get_data(s, w);
        }
    }
    for (int k = 0; k < s->workers; k++) {
        if (s->w[k].changed) {
            s->w[k].changed = false;
            fetch_ahead(s, &s->w[k]);
        }
    }
}

static void happen(slow *s)
{
    for (int k = 0; k < s->workers; k++) {
        while (s->w[k].until <= s->now) {
            if (s->w[k].is == PREPARES) {
                get_data(s, &s->w[k]);
            } else {
                finish(s, &s->w[k]);
            }
        }
    }
}

slow_nodes_result slow_nodes_run(const inlay_app *app, const inlay_machine *machine, const char *scheduler, int ahead,
                                 double overhead)
{
    static slow s;
    s = (slow){.app = app, .machine = machine, .scheduler = scheduler, .ahead = ahead, .overhead = overhead};
    s.modules = inlay_app_modules(app);
    s.workers = inlay_machine_processors(machine);
    s.nodes = inlay_machine_hosts(machine);
    s.home = inlay_machine_main(machine);
    for (int k = 0; k < s.workers; k++) {
        s.w[k] = (worker){.node = inlay_machine_host(machine, k), .until = INFINITY};
        s.room[s.w[k].node] = s.w[k].node == s.home ? -1 : inlay_machine_processor(machine, k).memory;
    }
    list_versions(&s);
    for (int i = 0; i < s.modules; i++) {
        s.got.nowhere = s.got.nowhere || isinf(way(&s, i));
    }
    while (!s.got.nowhere) {
        double next = INFINITY;
        happen(&s);
        decide(&s);
        for (int k = 0; k < s.workers; k++) {
            next = fmin(next, s.w[k].until);
        }
        if (isinf(next)) {
            break;
        }
        s.now = next;
    }
    for (int i = 0; i < s.modules; i++) {
        ck_assert(s.got.nowhere || s.ended[i]);
    }
    return s.got;
}

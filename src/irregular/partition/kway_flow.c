/*
 * The least cut between two parts near their boundary, by a greatest flow (P. Sanders and C. Schulz, 2011; the flow after
 * Y. Dinic, 1970). What lies further inside one part is the source, what lies further inside the other the sink.
 */
#include "base/diag.h"
#include "irregular/partition/kway.h"
#include <inlay/irregular_graph.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair {
    int32_t one, other;
} pair;

typedef struct flow {
    memory_pool arrays; /* owns them */
    const kway_graph *g;
    const kway_goal *goal;
    int32_t *part;
    int64_t *load;   /* [parts x weights] */
    int32_t *border; /* [vertices] at the boundary, by part: those of p are border[first[p]] .. border[first[p + 1]] */
    int32_t *first;  /* [parts + 1] */
    int32_t *name;   /* [vertices] number in the band, -1 outside */
    bool *active, *changed; /* [parts] in the last round, in this one */
    int32_t *met, *mark;    /* [parts] that one meets */

    /* The band between two parts: those of the first come first. */
    int32_t *member; /* [vertices] */
    int32_t members, of_one;
    int32_t *level, *path; /* [members] */
    int64_t *from, *to;    /* [members] room of the edges to the source, and to the sink */
    int64_t *begin, *next; /* [members + 1] */
    int32_t *head;         /* [arcs]: vertex of the band */
    int64_t *twin, *room;  /* [arcs]: the arc back; what it can still take */
} flow;

static bool flow_room(flow *f)
{
    size_t n = (size_t)f->g->vertices, parts = (size_t)f->goal->parts;
    f->load = pool_array(&f->arrays, parts * (size_t)f->g->weights, sizeof *f->load);
    f->border = pool_array(&f->arrays, n, sizeof *f->border);
    f->first = pool_array(&f->arrays, parts + 2, sizeof *f->first);
    f->name = pool_array(&f->arrays, n, sizeof *f->name);
    f->active = pool_array(&f->arrays, parts, sizeof *f->active);
    f->changed = pool_array(&f->arrays, parts, sizeof *f->changed);
    f->met = pool_array(&f->arrays, parts, sizeof *f->met);
    f->mark = pool_array(&f->arrays, parts, sizeof *f->mark);
    f->member = pool_array(&f->arrays, n, sizeof *f->member);
    f->level = pool_array(&f->arrays, n, sizeof *f->level);
    f->path = pool_array(&f->arrays, n, sizeof *f->path);
    f->from = pool_array(&f->arrays, n, sizeof *f->from);
    f->to = pool_array(&f->arrays, n, sizeof *f->to);
    f->begin = pool_array(&f->arrays, n + 1, sizeof *f->begin);
    f->next = pool_array(&f->arrays, n + 1, sizeof *f->next);
    size_t arcs = (size_t)f->g->start[n];
    f->head = pool_array(&f->arrays, arcs, sizeof *f->head);
    f->twin = pool_array(&f->arrays, arcs, sizeof *f->twin);
    f->room = pool_array(&f->arrays, arcs, sizeof *f->room);
    return !f->arrays.failed;
}

/* ---- The band ---- */

static bool touches(const flow *f, int32_t v, int32_t part)
{
    const kway_graph *g = f->g;
    bool found = false;
    for (int64_t a = g->start[v]; a < g->start[v + 1] && !found; a++) {
        found = f->part[g->neighbour[a]] == part;
    }
    return found;
}

static void add_member(flow *f, int32_t v)
{
    f->name[v] = f->members;
    f->member[f->members++] = v;
}

static void add_within(flow *f, int32_t v, int64_t *load)
{
    kway_add(f->g->weights, load, kway_load(f->g, v), 1);
    add_member(f, v);
}

/* Those of `own` at the boundary to `other`, and behind them what lies near, up to a load most[weights]. */
static void take_side(flow *f, int32_t own, int32_t other, const int64_t *most)
{
    const kway_graph *g = f->g;
    int32_t read = f->members;
    int64_t load[INLAY_MOST_WEIGHTS] = {0};
    for (int32_t i = f->first[own]; i < f->first[own + 1]; i++) {
        int32_t v = f->border[i];
        if (f->part[v] == own && kway_fits(g->weights, load, kway_load(g, v), most) && touches(f, v, other)) {
            add_within(f, v, load);
        }
    }
    for (; read < f->members; read++) {
        int32_t v = f->member[read];
        for (int64_t a = g->start[v]; a < g->start[v + 1]; a++) {
            int32_t u = g->neighbour[a];
            if (f->part[u] == own && f->name[u] < 0 && kway_fits(g->weights, load, kway_load(g, u), most)) {
                add_within(f, u, load);
            }
        }
    }
}

static void count_arcs(flow *f)
{
    const kway_graph *g = f->g;
    int64_t arcs = 0;
    for (int32_t i = 0; i < f->members; i++) {
        int32_t v = f->member[i];
        f->begin[i] = f->next[i] = arcs;
        for (int64_t a = g->start[v]; a < g->start[v + 1]; a++) {
            arcs += f->name[g->neighbour[a]] >= 0;
        }
    }
    f->begin[f->members] = arcs;
}

static void add_edge(flow *f, int32_t i, int32_t j, int64_t weight)
{
    int64_t there = f->next[i]++, back = f->next[j]++;
    f->head[there] = j;
    f->head[back] = i;
    f->twin[there] = back;
    f->twin[back] = there;
    f->room[there] = f->room[back] = weight;
}

/* Edges within the band, to the source and to the sink. Returns what is cut now. */
static int64_t connect(flow *f, pair p)
{
    const kway_graph *g = f->g;
    int64_t cut = 0;
    count_arcs(f);
    for (int32_t i = 0; i < f->members; i++) {
        int32_t v = f->member[i];
        f->from[i] = f->to[i] = 0;
        for (int64_t a = g->start[v]; a < g->start[v + 1]; a++) {
            int32_t u = g->neighbour[a], j = f->name[u];
            if (j > i) {
                add_edge(f, i, j, g->weight[a]);
            } else if (j < 0) {
                f->from[i] += f->part[u] == p.one ? g->weight[a] : 0;
                f->to[i] += f->part[u] == p.other ? g->weight[a] : 0;
            }
            cut += i < f->of_one && f->part[u] == p.other ? g->weight[a] : 0;
            cut += i >= f->of_one && j < 0 && f->part[u] == p.one ? g->weight[a] : 0;
        }
    }
    return cut;
}

/* ---- The flow ---- */

/* level[]: edges from the source with room, up to where the sink is reached; -1 where there is no way. Is it reached? */
static bool find_levels(flow *f)
{
    int32_t read = 0, written = 0, last = INT32_MAX; /* level of the sink */
    for (int32_t i = 0; i < f->members; i++) {
        f->level[i] = f->from[i] > 0 ? 0 : -1;
        if (f->from[i] > 0) {
            f->path[written++] = i;
        }
        f->next[i] = f->begin[i];
    }
    while (read < written && f->level[f->path[read]] <= last) {
        int32_t i = f->path[read++];
        last = f->to[i] > 0 && last == INT32_MAX ? f->level[i] : last;
        for (int64_t a = f->begin[i]; a < f->begin[i + 1] && last == INT32_MAX; a++) {
            int32_t j = f->head[a];
            if (f->room[a] > 0 && f->level[j] < 0) {
                f->level[j] = f->level[i] + 1;
                f->path[written++] = j;
            }
        }
    }
    return last != INT32_MAX;
}

/* Sends what a path can take: from its first vertex to the last, length + 1 of them; next[] of each is the arc taken. Returns
   how much of the path has room left behind. */
static int32_t send(flow *f, int32_t length, int64_t *sent)
{
    int32_t last = f->path[length], keep = length;
    int64_t most = f->from[f->path[0]] < f->to[last] ? f->from[f->path[0]] : f->to[last];
    for (int32_t s = 0; s < length; s++) {
        int64_t room = f->room[f->next[f->path[s]]];
        most = room < most ? room : most;
    }
    f->from[f->path[0]] -= most;
    f->to[last] -= most;
    for (int32_t s = length - 1; s >= 0; s--) {
        int64_t a = f->next[f->path[s]];
        f->room[a] -= most;
        f->room[f->twin[a]] += most;
        keep = f->room[a] == 0 ? s : keep;
    }
    *sent += most;
    return keep;
}

/* All that goes from vertex `root` to the sink along the levels. */
static int64_t push_from(flow *f, int32_t root)
{
    int64_t sent = 0;
    int32_t length = 0;
    f->path[0] = root;
    while (f->from[root] > 0) {
        int32_t i = f->path[length];
        if (f->to[i] > 0) {
            length = send(f, length, &sent);
            continue;
        }
        int64_t *a = &f->next[i];
        while (*a < f->begin[i + 1] && (f->room[*a] == 0 || f->level[f->head[*a]] != f->level[i] + 1)) {
            ++*a;
        }
        if (*a < f->begin[i + 1]) {
            f->path[++length] = f->head[*a];
        } else if (length == 0) {
            break;
        } else {
            f->level[i] = -1;
            ++f->next[f->path[--length]];
        }
    }
    return sent;
}

static int64_t greatest_flow(flow *f)
{
    int64_t sum = 0;
    while (find_levels(f)) {
        for (int32_t i = 0; i < f->members; i++) {
            sum += f->from[i] > 0 ? push_from(f, i) : 0;
        }
    }
    return sum;
}

/* ---- The cuts ---- */

/* Into level[]: 0 for the vertices that still reach the sink, else -1; the last find_levels() told those that the source does. */
static void find_sink_side(flow *f)
{
    int32_t read = 0, written = 0;
    for (int32_t i = 0; i < f->members; i++) {
        f->level[i] = f->to[i] > 0 ? 0 : -1;
        if (f->to[i] > 0) {
            f->path[written++] = i;
        }
    }
    while (read < written) {
        int32_t i = f->path[read++];
        for (int64_t a = f->begin[i]; a < f->begin[i + 1]; a++) {
            int32_t j = f->head[a];
            if (f->room[f->twin[a]] > 0 && f->level[j] < 0) {
                f->level[j] = 0;
                f->path[written++] = j;
            }
        }
    }
}

static int64_t *loads_of(const flow *f, int32_t part)
{
    return f->load + (ptrdiff_t)part * f->g->weights;
}

static const int64_t *limits_of(const flow *f, int32_t part)
{
    return f->goal->limit + (ptrdiff_t)part * f->g->weights;
}

/* one[weights]: the loads of the first part, where vertices whose level is on one side of 0 belong to it. */
static void load_one(const flow *f, pair p, bool reached, int64_t *one)
{
    memcpy(one, loads_of(f, p.one), (size_t)f->g->weights * sizeof *one);
    for (int32_t i = 0; i < f->members; i++) {
        bool in = (f->level[i] >= 0) == reached;
        const int64_t *own = kway_load(f->g, f->member[i]);
        for (int32_t w = 0; w < f->g->weights && in != (i < f->of_one); w++) {
            one[w] += in ? own[w] : -own[w];
        }
    }
}

/* How far the heavier of two is above its limit, by the weight that is worst off; less than 0: below. */
static int64_t overload(const flow *f, pair p, const int64_t *one)
{
    int64_t most = INT64_MIN;
    for (int32_t w = 0; w < f->g->weights; w++) {
        int64_t other = loads_of(f, p.one)[w] + loads_of(f, p.other)[w] - one[w];
        int64_t a = one[w] - limits_of(f, p.one)[w], b = other - limits_of(f, p.other)[w];
        int64_t over = kway_scaled(f->goal, w, a > b ? a : b);
        most = over > most ? over : most;
    }
    return most;
}

static void divide(flow *f, pair p, bool reached, const int64_t *one)
{
    for (int32_t i = 0; i < f->members; i++) {
        f->part[f->member[i]] = (f->level[i] >= 0) == reached ? p.one : p.other;
    }
    for (int32_t w = 0; w < f->g->weights; w++) {
        loads_of(f, p.other)[w] += loads_of(f, p.one)[w] - one[w];
        loads_of(f, p.one)[w] = one[w];
    }
}

/* The better balanced of two least cuts, where that is better than what there is. False: it is too heavy on one side. */
static bool take_cut(flow *f, pair p, int64_t gain)
{
    int64_t near[INLAY_MOST_WEIGHTS], far[INLAY_MOST_WEIGHTS];
    int64_t now = overload(f, p, loads_of(f, p.one));
    load_one(f, p, true, near);
    int64_t over = overload(f, p, near);
    find_sink_side(f);
    load_one(f, p, false, far);
    int64_t other = overload(f, p, far);
    int64_t least = other < over ? other : over;
    if (least > 0) {
        return false;
    }
    if (gain > 0 || least < now) {
        if (other >= over) {
            (void)find_levels(f);
        }
        divide(f, p, other >= over, other < over ? far : near);
    }
    return true;
}

/* ---- Pairs ---- */

/* Something stays behind; of several weights a part may have nothing of one. */
static int64_t below(const flow *f, int64_t load, double most)
{
    int64_t rest = f->g->weights == 1 || load > 0 ? load - 1 : 0;
    return most < (double)load ? (int64_t)most : rest;
}

/* A band from which at most `loose` times the load that there is room for could go over. */
static void take_band(flow *f, pair p, double loose)
{
    for (int32_t i = 0; i < f->members; i++) {
        f->name[f->member[i]] = -1;
    }
    f->members = 0;
    int64_t of_one[INLAY_MOST_WEIGHTS], of_other[INLAY_MOST_WEIGHTS];
    for (int32_t w = 0; w < f->g->weights; w++) {
        const int64_t load[2] = {loads_of(f, p.one)[w], loads_of(f, p.other)[w]},
                      limit[2] = {limits_of(f, p.one)[w], limits_of(f, p.other)[w]};
        double into_one = (double)(limit[0] - load[0]), into_other = (double)(limit[1] - load[1]);
        double more = (loose - 1) * (into_one + into_other) / 2;
        of_one[w] = below(f, load[0], into_other + more);
        of_other[w] = below(f, load[1], into_one + more);
    }
    take_side(f, p.one, p.other, of_one);
    f->of_one = f->members;
    take_side(f, p.other, p.one, of_other);
}

/* Returns what the cut loses. */
static int64_t improve_pair(flow *f, pair p)
{
    int64_t gain = 0;
    bool done = false;
    for (double loose = 3; loose >= 1 && !done; loose /= 2) {
        take_band(f, p, loose);
        if (f->members == 0) {
            break;
        }
        int64_t cut = connect(f, p);
        gain = cut - greatest_flow(f);
        done = take_cut(f, p, gain);
    }
    return done ? gain : 0;
}

/* ---- Rounds ---- */

static void find_border(flow *f)
{
    const kway_graph *g = f->g;
    int32_t parts = f->goal->parts;
    memset(f->first, 0, ((size_t)parts + 2) * sizeof *f->first);
    for (int32_t v = 0; v < g->vertices; v++) {
        bool at = false;
        for (int64_t a = g->start[v]; a < g->start[v + 1] && !at; a++) {
            at = f->part[g->neighbour[a]] != f->part[v];
        }
        f->name[v] = at ? -2 : -1;
        f->first[f->part[v] + 2] += at;
    }
    for (int32_t p = 0; p < parts; p++) {
        f->first[p + 2] += f->first[p + 1];
    }
    for (int32_t v = 0; v < g->vertices; v++) {
        if (f->name[v] == -2) {
            f->name[v] = -1;
            f->border[f->first[f->part[v] + 1]++] = v;
        }
    }
    f->members = 0;
}

/* The parts with greater numbers that p meets, into f->met. */
static int32_t find_met(flow *f, int32_t p)
{
    const kway_graph *g = f->g;
    int32_t count = 0;
    for (int32_t i = f->first[p]; i < f->first[p + 1]; i++) {
        int32_t v = f->border[i];
        for (int64_t a = g->start[v]; a < g->start[v + 1]; a++) {
            int32_t q = f->part[g->neighbour[a]];
            if (q > p && f->mark[q] != p) {
                f->mark[q] = p;
                f->met[count++] = q;
            }
        }
    }
    return count;
}

/* All pairs of which one has changed in the last round. Returns what the cut loses. */
static int64_t improve_pairs(flow *f)
{
    int64_t gained = 0;
    int32_t parts = f->goal->parts;
    find_border(f);
    memset(f->mark, -1, (size_t)parts * sizeof *f->mark);
    for (int32_t p = 0; p < parts; p++) {
        int32_t count = find_met(f, p);
        for (int32_t i = 0; i < count; i++) {
            pair between = {p, f->met[i]};
            if (f->active[p] || f->active[f->met[i]]) {
                int64_t gain = improve_pair(f, between);
                gained += gain;
                f->changed[p] |= gain > 0;
                f->changed[f->met[i]] |= gain > 0;
            }
        }
    }
    return gained;
}

int kway_flow(const kway_graph *g, const kway_goal *goal, int32_t *part, inlay_diag *diag)
{
    enum { ROUNDS = 3 };
    flow f = {.g = g, .goal = goal, .part = part};
    bool room = flow_room(&f);
    if (room && kway_worth_of(g, goal, part, f.load).excess == 0) {
        memset(f.changed, true, (size_t)goal->parts * sizeof *f.changed);
        int64_t gained = 1;
        for (int i = 0; i < ROUNDS && gained > 0; i++) {
            memcpy(f.active, f.changed, (size_t)goal->parts * sizeof *f.active);
            memset(f.changed, false, (size_t)goal->parts * sizeof *f.changed);
            gained = improve_pairs(&f);
        }
    }
    pool_clear(&f.arrays);
    return room ? INLAY_OK : diag_no_memory(diag);
}

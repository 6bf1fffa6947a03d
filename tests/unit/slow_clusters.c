/* Clusterings, slowly. */
#include "slow_clusters.h"

#include <math.h>
#include <string.h>

static bool linked(const slow_tasks *t, int i, int j)
{
    return t->problem->link[i][j];
}

/** Whether all that is chosen may be in one cluster. */
static bool may_be_one(const slow_tasks *t, const bool *chosen)
{
    const slow_problem *p = t->problem;
    int64_t memory = 0;
    int pin = -1;
    for (int i = 0; i < p->modules; i++) {
        if (!chosen[i]) continue;
        memory += p->memory[i];
        if (pin >= 0 && p->pin[i] >= 0 && p->pin[i] != pin) return false;
        pin = p->pin[i] >= 0 ? p->pin[i] : pin;
    }
    return p->memory_limit < 0 || memory <= p->memory_limit;
}

/* ---- Dominant sequences ---- */

typedef struct slow_sequence {
    const slow_tasks *t;
    int *of; /**< -1 as yet */
    double start[SLOW_MODULES];
    int turn[SLOW_MODULES]; /**< in which they got their clusters */
} slow_sequence;

static double arrival(const slow_sequence *s, int i, int j)
{
    return s->start[i] + s->t->lag[i][j] + s->t->message[i][j];
}

/** The predecessor whose data are the last; of several the one that got its cluster first. -1: none has one. */
static int last_sender(const slow_sequence *s, int j)
{
    int last = -1;
    for (int i = 0; i < s->t->problem->modules; i++) {
        if (!linked(s->t, i, j) || s->of[i] < 0) continue;
        bool more = last < 0 || arrival(s, i, j) > arrival(s, last, j);
        bool same = last >= 0 && arrival(s, i, j) == arrival(s, last, j) && s->turn[i] < s->turn[last];
        if (more || same) last = i;
    }
    return last;
}

static double way(const slow_sequence *s, int j)
{
    int last = last_sender(s, j);
    return (last < 0 ? 0 : arrival(s, last, j)) + s->t->rank[j];
}

static double end_of(const slow_sequence *s, int cluster)
{
    double end = 0;
    for (int i = 0; i < s->t->problem->modules; i++)
        if (s->of[i] == cluster) end = fmax(end, s->start[i] + s->t->time[i]);
    return end;
}

/** The start in a cluster, with some that come before it there; their starts are filled in. */
static double start_in(const slow_sequence *s, int j, int cluster, const bool *moved, double *start)
{
    const int n = s->t->problem->modules;
    bool left[SLOW_MODULES];
    double end = end_of(s, cluster), ready = 0;
    memcpy(left, moved, sizeof left);
    for (;;) {
        int next = -1;
        for (int i = 0; i < n; i++)
            if (left[i] && (next < 0 || s->start[i] < s->start[next])) next = i;
        if (next < 0) break;
        left[next] = false;
        start[next] = fmax(end, s->start[next]);
        end = start[next] + s->t->time[next];
    }
    for (int i = 0; i < n; i++) {
        if (!linked(s->t, i, j) || s->of[i] < 0 || moved[i]) continue;
        ready = fmax(ready, s->of[i] == cluster ? s->start[i] + s->t->lag[i][j] : arrival(s, i, j));
    }
    return fmax(ready, end);
}

static bool is_movable(const slow_sequence *s, int i, int cluster)
{
    int followers = 0, company = 0;
    for (int k = 0; k < s->t->problem->modules; k++) {
        followers += linked(s->t, i, k);
        company += s->of[k] == s->of[i];
    }
    return s->of[i] != cluster && followers == 1 && company == 1;
}

/** The next predecessor elsewhere by falling arrival, of equal ones by number. */
static int next_parent(const slow_sequence *s, int j, int cluster, const bool *seen)
{
    int next = -1;
    for (int i = 0; i < s->t->problem->modules; i++)
        if (linked(s->t, i, j) && s->of[i] != cluster && !seen[i] &&
            (next < 0 || arrival(s, i, j) > arrival(s, next, j)))
            next = i;
    return next;
}

static void begin_cluster(slow_sequence *s, int j, int *clusters)
{
    int last = last_sender(s, j);
    s->start[j] = last < 0 ? 0 : arrival(s, last, j);
    s->of[j] = (*clusters)++;
}

static void get_cluster(slow_sequence *s, int j, int reserved, int *clusters)
{
    const int n = s->t->problem->modules;
    int last = last_sender(s, j), into = last < 0 ? -1 : s->of[last];
    bool moved[SLOW_MODULES] = {false}, best_moved[SLOW_MODULES] = {false}, all[SLOW_MODULES];
    double starts[SLOW_MODULES], least = last < 0 ? 0 : arrival(s, last, j);
    bool sooner = false;
    for (int i = 0; i < n; i++)
        all[i] = into >= 0 && (s->of[i] == into || i == j);
    while (into >= 0 && into != reserved && may_be_one(s->t, all)) {
        double start = start_in(s, j, into, moved, starts);
        if (start < least) {
            least = start;
            sooner = true;
            memcpy(best_moved, moved, sizeof moved);
        }
        int next = next_parent(s, j, into, moved);
        if (next < 0 || !is_movable(s, next, into)) break;
        moved[next] = all[next] = true;
    }
    if (!sooner) {
        begin_cluster(s, j, clusters);
        return;
    }
    start_in(s, j, into, best_moved, starts);
    for (int i = 0; i < n; i++) {
        s->start[i] = best_moved[i] ? starts[i] : s->start[i];
        s->of[i] = best_moved[i] ? into : s->of[i];
    }
    s->start[j] = least;
    s->of[j] = into;
}

/** The module with the longest way whose predecessors all have clusters, or some of them alone; -1 none. */
static int longest_way(const slow_sequence *s, bool wholly)
{
    int longest = -1;
    for (int j = 0; j < s->t->problem->modules; j++) {
        int some = 0, all = 0;
        for (int i = 0; i < s->t->problem->modules; i++) {
            all += linked(s->t, i, j);
            some += linked(s->t, i, j) && s->of[i] >= 0;
        }
        bool fits = s->of[j] < 0 && (wholly ? some == all : some > 0 && some < all);
        if (fits && (longest < 0 || way(s, j) > way(s, longest))) longest = j;
    }
    return longest;
}

void slow_dsc(const slow_tasks *t, int *of)
{
    static const bool none[SLOW_MODULES];
    slow_sequence s = {.t = t, .of = of};
    int clusters = 0;
    double starts[SLOW_MODULES];
    for (int i = 0; i < t->problem->modules; i++)
        of[i] = -1;
    for (int turn = 0; turn < t->problem->modules; turn++) {
        int next = longest_way(&s, true), waits = longest_way(&s, false), reserved = -1;
        if (waits >= 0 && way(&s, waits) > way(&s, next)) {
            int last = last_sender(&s, waits);
            bool sooner = start_in(&s, waits, of[last], none, starts) < arrival(&s, last, waits);
            reserved = sooner ? of[last] : -1;
        }
        get_cluster(&s, next, reserved, &clusters);
        s.turn[next] = turn;
    }
}

/* ---- Edges ---- */

/** By falling rank; of equal ranks in topological order, which is the application's. */
static bool runs_before(const slow_tasks *t, int i, int j)
{
    return t->rank[i] > t->rank[j] || (t->rank[i] == t->rank[j] && t->topological[i] < t->topological[j]);
}

static double whole_time(const slow_tasks *t, const int *of)
{
    const int n = t->problem->modules;
    double start[SLOW_MODULES] = {0}, all = 0;
    for (int pass = 0; pass < n; pass++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                bool before = i != j && of[i] == of[j] && runs_before(t, i, j);
                if (before) start[j] = fmax(start[j], start[i] + t->time[i]);
                if (linked(t, i, j))
                    start[j] = fmax(start[j], start[i] + t->lag[i][j] + (of[i] == of[j] ? 0 : t->message[i][j]));
            }
    for (int i = 0; i < n; i++)
        all = fmax(all, start[i] + t->time[i]);
    return all;
}

void slow_sarkar(const slow_tasks *t, int *of)
{
    const int n = t->problem->modules;
    bool seen[SLOW_MODULES][SLOW_MODULES] = {{false}};
    for (int i = 0; i < n; i++)
        of[i] = i;
    for (;;) {
        int from = -1, to = -1;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (linked(t, i, j) && !seen[i][j] && (from < 0 || t->message[i][j] > t->message[from][to])) {
                    from = i;
                    to = j;
                }
        if (from < 0) return;
        seen[from][to] = true;
        int joined[SLOW_MODULES];
        bool both[SLOW_MODULES];
        for (int i = 0; i < n; i++) {
            both[i] = of[i] == of[from] || of[i] == of[to];
            joined[i] = both[i] ? of[from] : of[i];
        }
        if (may_be_one(t, both) && whole_time(t, joined) <= whole_time(t, of)) memcpy(of, joined, sizeof joined);
    }
}

/* ---- Acyclic parts ---- */

static bool is_ready(const slow_tasks *t, const int *of, int j)
{
    bool ready = of[j] < 0;
    for (int i = 0; i < t->problem->modules; i++)
        ready = ready && (!linked(t, i, j) || of[i] >= 0);
    return ready;
}

/** What a part sends to a module; negative: nothing leads there. */
static double sent(const slow_tasks *t, const int *of, int part, int j)
{
    double sum = -1;
    for (int i = 0; i < t->problem->modules; i++)
        if (linked(t, i, j) && of[i] == part) sum = fmax(sum, 0) + t->message[i][j];
    return sum;
}

void slow_acyclic(const slow_tasks *t, int *of)
{
    const int n = t->problem->modules;
    double all = 0;
    for (int i = 0; i < n; i++) {
        of[i] = -1;
        all += t->time[i];
    }
    for (int part = 0;; part++) {
        bool in[SLOW_MODULES] = {false};
        double work = 0;
        int next = -1;
        for (int j = 0; j < n; j++)
            if (is_ready(t, of, j) && (next < 0 || t->rank[j] > t->rank[next])) next = j;
        if (next < 0) return;
        while (next >= 0) {
            of[next] = part;
            work += t->time[next];
            in[next] = true;
            next = -1;
            for (int j = 0; j < n; j++)
                if (is_ready(t, of, j) && sent(t, of, part, j) >= 0 &&
                    (next < 0 || sent(t, of, part, j) > sent(t, of, part, next)))
                    next = j;
            if (next >= 0) in[next] = true;
            if (next >= 0 && (work + t->time[next] > all / 4 / t->processors || !may_be_one(t, in))) next = -1;
        }
    }
}

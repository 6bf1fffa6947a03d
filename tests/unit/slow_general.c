/* One configuration at a time, from what the callbacks say. */
#include "slow_general.h"

#include <check.h>
#include <math.h>
#include <string.h>

enum { PHASES = 8, PROCESSORS = 64 };

/* What is asked of the domain for one number of processors. */
typedef struct told {
    int computations, communications;
    int64_t units[PHASES];
    long double per_unit[PHASES], fixed[PHASES]; /* instructions */
    long double time[PHASES][SLOW_GENERAL_CLUSTERS];
    inlay_pattern pattern[PHASES];
    long double bytes[PHASES], bytes_per_unit[PHASES], messages[PHASES];
    int overlap[PHASES];
    long double cycles, startup;
    int main; /* dominant computation */
} told;

/* Processor by processor. */
typedef struct machine {
    const inlay_metasystem *metasystem;
    int used; /* processors */
    int cluster[PROCESSORS];
    long double share[PROCESSORS];
} machine;

/* ---- Asking ---- */

static long double seconds(inlay_unit unit)
{
    if (unit == INLAY_UNIT_MS) return 1e-3L;
    if (unit == INLAY_UNIT_US) return 1e-6L;
    return unit == INLAY_UNIT_NS ? 1e-9L : 1;
}

static long double converted(const inlay_domain *domain, const inlay_metasystem *metasystem, long double time)
{
    bool real = domain->time_unit != INLAY_UNIT_NONE && metasystem->time_unit != INLAY_UNIT_NONE;
    return real ? time * seconds(domain->time_unit) / seconds(metasystem->time_unit) : time;
}

static void ask_computation(const inlay_domain *d, const inlay_metasystem *s, int processors, int phase, told *t)
{
    int n = t->computations++;
    inlay_complexity work;
    ck_assert_int_eq(d->units(d->context, phase, &t->units[n], NULL), INLAY_OK);
    ck_assert_int_eq(d->work(d->context, processors, phase, &work, NULL), INLAY_OK);
    t->per_unit[n] = work.per_unit;
    t->fixed[n] = work.fixed;
    for (size_t i = 0; i < s->clusters; i++) {
        double time = 0;
        if (d->arch_cost != NULL)
            ck_assert_int_eq(d->arch_cost(d->context, phase, &s->cluster[i], &time, NULL), INLAY_OK);
        t->time[n][i] = time > 0 ? converted(d, s, time) : 1 / (long double)s->cluster[i].rate;
    }
}

static void ask_communication(const inlay_domain *d, int processors, int phase, told *t)
{
    int n = t->communications++;
    inlay_complexity bytes;
    double messages = 1;
    ck_assert_int_eq(d->pattern(d->context, phase, &t->pattern[n], NULL), INLAY_OK);
    ck_assert_int_eq(d->bytes(d->context, processors, phase, &bytes, NULL), INLAY_OK);
    if (d->messages != NULL) ck_assert_int_eq(d->messages(d->context, processors, phase, &messages, NULL), INLAY_OK);
    t->bytes[n] = bytes.fixed;
    t->bytes_per_unit[n] = bytes.per_unit;
    t->messages[n] = messages;
    t->overlap[n] = d->overlap != NULL ? d->overlap(d->context, phase) : -1;
}

static void ask_all(const inlay_domain *d, const inlay_metasystem *s, int processors, told *t)
{
    double cycles = 1;
    double startup = 0;
    *t = (told){0};
    for (int n = 0; n < d->computations; n++)
        ask_computation(d, s, processors, n, t);
    for (int n = 0; n < d->communications; n++)
        ask_communication(d, processors, n, t);
    if (d->cycles != NULL) ck_assert_int_eq(d->cycles(d->context, processors, &cycles, &startup, NULL), INLAY_OK);
    t->cycles = cycles;
    t->startup = converted(d, s, startup);
}

/* The phases of most instructions and of most bytes to a message, with all processors that are available. */
static void find_dominant(const inlay_domain *d, const inlay_metasystem *s, int *computation, int *communication)
{
    told t;
    int all = 0;
    for (size_t i = 0; i < s->clusters; i++)
        all += s->cluster[i].available;
    ask_all(d, s, all, &t);
    *computation = 0;
    *communication = t.communications > 0 ? 0 : -1;
    for (int n = 1; n < t.computations; n++) {
        int most = *computation;
        if (t.units[n] * t.per_unit[n] + t.fixed[n] > t.units[most] * t.per_unit[most] + t.fixed[most])
            *computation = n;
    }
    long double share = (long double)t.units[*computation] / all;
    for (int n = 1; n < t.communications; n++) {
        int most = *communication;
        if (t.bytes[n] + t.bytes_per_unit[n] * share > t.bytes[most] + t.bytes_per_unit[most] * share)
            *communication = n;
    }
}

/* The phases in force. */
static void ask(const inlay_domain *d, const inlay_metasystem *s, const inlay_select_terms *terms, int processors,
                told *t)
{
    int computation;
    int communication;
    told all;
    find_dominant(d, s, &computation, &communication);
    ask_all(d, s, processors, &all);
    *t = all;
    t->main = computation;
    if (terms->all_phases) return;
    *t = (told){.cycles = all.cycles, .startup = all.startup};
    ask_computation(d, s, processors, computation, t);
    if (communication >= 0) {
        ask_communication(d, processors, communication, t);
        t->overlap[0] = t->overlap[0] == computation ? 0 : -1;
    }
}

bool slow_general_usable(const inlay_domain *domain, const inlay_metasystem *metasystem,
                         const inlay_select_terms *terms, int cluster)
{
    told t;
    ask(domain, metasystem, terms, 1, &t);
    bool usable = metasystem->cluster[cluster].available > 0;
    for (int n = 0; n < t.communications; n++)
        usable = usable && metasystem->cluster[cluster].communication[t.pattern[n]].given;
    return usable;
}

/* ---- Shares ---- */

/* Before the first unit, and of each unit of the dominant computation, in all computations together. */
static long double before(const told *t, int cluster)
{
    long double time = 0;
    for (int n = 0; n < t->computations; n++)
        time += t->fixed[n] * t->time[n][cluster];
    return time;
}

static long double each(const told *t, int cluster)
{
    long double time = 0;
    for (int n = 0; n < t->computations; n++)
        time += t->per_unit[n] * t->time[n][cluster] * t->units[n] / t->units[t->main];
    return time;
}

static void balance(const told *t, machine *m)
{
    long double low = 0;
    long double high = 0;
    long double speed = 0;
    for (int p = 0; p < m->used; p++) {
        high = fmaxl(high, before(t, m->cluster[p]) + each(t, m->cluster[p]) * t->units[t->main]);
        speed += 1 / t->time[t->main][m->cluster[p]];
    }
    for (int n = 0; n < 120; n++) {
        long double middle = (low + high) / 2;
        long double done = 0;
        for (int p = 0; p < m->used; p++) {
            int i = m->cluster[p];
            if (each(t, i) > 0) done += fmaxl(0, middle - before(t, i)) / each(t, i);
        }
        if (done < t->units[t->main])
            low = middle;
        else
            high = middle;
    }
    for (int p = 0; p < m->used; p++) {
        int i = m->cluster[p];
        m->share[p] = each(t, i) > 0 ? fmaxl(0, high - before(t, i)) / each(t, i)
                                     : t->units[t->main] / t->time[t->main][i] / speed;
    }
}

/* Each unit to a processor that is done with it first, but for those that the balanced time leaves no doubt about. */
static void first_done(const told *t, machine *m)
{
    int64_t left = t->units[t->main];
    for (int p = 0; p < m->used; p++) {
        m->share[p] = fmaxl(0, floorl(m->share[p]) - 1);
        left -= (int64_t)m->share[p];
    }
    for (; left > 0; left--) {
        long double first = INFINITY;
        int next = 0;
        for (int p = 0; p < m->used; p++) {
            int i = m->cluster[p];
            long double unit = each(t, i), at = before(t, i) + (m->share[p] + 1) * unit;
            if (!(unit > 0)) at = (m->share[p] + 1) * t->time[t->main][i];
            if (at < first * (1 - 1e-15L)) {
                first = at;
                next = p;
            }
        }
        m->share[next]++;
    }
}

/* Rounded down; then one more unit for the processors of the clusters with the largest fractions. */
static void make_whole(const told *t, inlay_select_map map, machine *m)
{
    static const long double near = 1e-8L;
    bool visited[SLOW_GENERAL_CLUSTERS] = {false};
    long double part[PROCESSORS];
    long double left = t->units[t->main];
    for (int p = 0; p < m->used; p++) {
        long double share = m->share[p];
        m->share[p] = map == INLAY_SELECT_CEIL ? ceill(share - near) : floorl(share + near);
        part[p] = share - m->share[p] < near ? 0 : share - m->share[p];
        left -= m->share[p];
    }
    while (map == INLAY_SELECT_REMAINDER && left > 0.5L) {
        int next = -1;
        for (int p = 0; p < m->used; p++)
            if (!visited[m->cluster[p]] && (next < 0 || part[p] > part[next] + near)) next = p;
        visited[m->cluster[next]] = true;
        for (int p = 0; p < m->used && left > 0.5L; p++) {
            if (m->cluster[p] == m->cluster[next]) {
                m->share[p]++;
                left--;
            }
        }
    }
}

/* ---- Joining ---- */

typedef struct points {
    int count;
    long double cost[SLOW_GENERAL_CLUSTERS][SLOW_GENERAL_CLUSTERS];
} points;

static long double cheapest_chain(const points *p, int last, int visited)
{
    long double least = INFINITY;
    if (visited == (1 << p->count) - 1) return 0;
    for (int next = 0; next < p->count; next++)
        if (!(visited >> next & 1))
            least = fminl(least, (last < 0 ? 0 : p->cost[last][next]) + cheapest_chain(p, next, visited | 1 << next));
    return least;
}

/* The tree of a sequence of count - 2 numbers (H. Prüfer, 1918). */
static long double cost_of_tree(const points *p, int sequence)
{
    int code[SLOW_GENERAL_CLUSTERS];
    int degree[SLOW_GENERAL_CLUSTERS];
    long double sum = 0;
    for (int i = 0; i < p->count; i++)
        degree[i] = 1;
    for (int n = 0; n < p->count - 2; n++) {
        code[n] = sequence % p->count;
        sequence /= p->count;
        degree[code[n]]++;
    }
    for (int n = 0; n < p->count - 2; n++) {
        int leaf = 0;
        while (degree[leaf] != 1)
            leaf++;
        sum += p->cost[leaf][code[n]];
        degree[leaf] = 0;
        degree[code[n]]--;
    }
    int one = 0;
    while (degree[one] != 1)
        one++;
    int two = one + 1;
    while (degree[two] != 1)
        two++;
    return sum + p->cost[one][two];
}

static long double cheapest_tree(const points *p)
{
    long double least = INFINITY;
    int sequences = 1;
    if (p->count < 2) return 0;
    for (int n = 0; n < p->count - 2; n++)
        sequences *= p->count;
    for (int n = 0; n < sequences; n++)
        least = fminl(least, cost_of_tree(p, n));
    return least;
}

/* ---- Communication ---- */

static long double way(const inlay_metasystem *s, int from, int to, long double bytes)
{
    inlay_metasystem_route r = inlay_metasystem_way(s, from, to);
    return r.latency + bytes * ((long double)r.per_byte + r.coercion);
}

static long double grown(inlay_growth growth, int p)
{
    if (growth == INLAY_GROWTH_LINEAR) return p;
    return growth == INLAY_GROWTH_LOG2 ? log2l(p) : 1;
}

static int network_of(const inlay_metasystem *s, int cluster)
{
    return s->networks > 0 ? s->cluster[cluster].network : cluster;
}

static int count_in_network(const machine *m, int network)
{
    int count = 0;
    for (int p = 0; p < m->used; p++)
        count += network_of(m->metasystem, m->cluster[p]) == network;
    return count;
}

static long double largest_share(const machine *m, int cluster)
{
    long double most = -1;
    for (int p = 0; p < m->used; p++)
        if (m->cluster[p] == cluster) most = fmaxl(most, m->share[p]);
    return most; /* -1: not in use */
}

/* T_i of EQ 1 with the other clusters of its network, and in the chain with its neighbours by number. */
static long double time_of(const told *t, const machine *m, int n, bool chain, int i, long double routed)
{
    const inlay_metasystem *s = m->metasystem;
    const inlay_communication *c = &s->cluster[i].communication[t->pattern[n]];
    long double f = grown(c->growth, count_in_network(m, network_of(s, i)));
    long double b = t->bytes[n] + t->bytes_per_unit[n] * largest_share(m, i);
    long double time = c->c1 + c->c2 * f + b * (c->c3 + c->c4 * f);
    int down = i - 1;
    int up = i + 1;
    while (down >= 0 && largest_share(m, down) < 0)
        down--;
    while (up < (int)s->clusters && largest_share(m, up) < 0)
        up++;
    if (chain && down >= 0) time += t->messages[n] * way(s, down, i, routed);
    if (chain && up < (int)s->clusters) time += t->messages[n] * way(s, i, up, routed);
    return time;
}

static long double join(const told *t, const machine *m, int n, long double routed)
{
    points p = {0};
    int cluster[SLOW_GENERAL_CLUSTERS];
    for (int i = 0; i < (int)m->metasystem->clusters; i++)
        if (largest_share(m, i) >= 0) cluster[p.count++] = i;
    for (int a = 0; a < p.count; a++)
        for (int b = 0; b < p.count; b++)
            p.cost[a][b] = way(m->metasystem, cluster[a], cluster[b], routed);
    return t->messages[n] * (t->pattern[n] == INLAY_PATTERN_TREE ? cheapest_tree(&p) : cheapest_chain(&p, -1, 0));
}

static long double communicate(const told *t, const machine *m, int n, inlay_select_router router)
{
    const inlay_metasystem *s = m->metasystem;
    int networks = (int)(s->networks > 0 ? s->networks : s->clusters);
    long double routed = 0;
    long double sum = 0;
    long double first = -INFINITY;
    long double second = -INFINITY;
    if (m->used == 1) return 0; /* nobody to talk to */
    for (int p = 0; p < m->used; p++)
        routed = fmaxl(routed, t->bytes[n] + t->bytes_per_unit[n] * m->share[p]);
    for (int network = 0; network < networks; network++) {
        long double time = -INFINITY;
        for (int i = 0; i < (int)s->clusters; i++)
            if (network_of(s, i) == network && largest_share(m, i) >= 0)
                time = fmaxl(time, time_of(t, m, n, router == INLAY_SELECT_CHAIN, i, routed));
        if (time == -INFINITY) continue;
        sum += time;
        second = fmaxl(second, fminl(first, time));
        first = fmaxl(first, time);
    }
    long double joined = router == INLAY_SELECT_SUM ? join(t, m, n, routed) : 0;
    if (t->pattern[n] == INLAY_PATTERN_RING) return sum + joined;
    if (t->pattern[n] == INLAY_PATTERN_TREE) return first + (second > -INFINITY ? second : 0) + joined;
    return first + joined;
}

/* ---- The cycle ---- */

static long double compute(const told *t, const machine *m, int n)
{
    long double most = 0;
    for (int p = 0; p < m->used; p++) {
        long double units = m->share[p] * t->units[n] / t->units[t->main];
        most = fmaxl(most, (t->fixed[n] + t->per_unit[n] * units) * t->time[n][m->cluster[p]]);
    }
    return most;
}

slow_general slow_general_cost(const inlay_domain *domain, const inlay_metasystem *metasystem,
                               const inlay_select_terms *terms, const int32_t *processors)
{
    slow_general cost = {0};
    machine m = {.metasystem = metasystem};
    told t;
    for (int i = 0; i < (int)metasystem->clusters; i++)
        for (int p = 0; p < processors[i]; p++)
            m.cluster[m.used++] = i;
    ask(domain, metasystem, terms, m.used, &t);
    balance(&t, &m);
    if (terms->map == INLAY_SELECT_INTEGER)
        first_done(&t, &m);
    else if (terms->map != INLAY_SELECT_REAL)
        make_whole(&t, terms->map, &m);
    for (int i = 0; i < (int)metasystem->clusters; i++)
        cost.share[i] = fmaxl(0, largest_share(&m, i));
    for (int n = 0; n < t.computations; n++) {
        long double computation = compute(&t, &m, n);
        long double beside = 0;
        for (int o = 0; o < t.communications; o++)
            if (t.overlap[o] == n) beside += communicate(&t, &m, o, terms->router);
        cost.computation += computation;
        cost.cycle += fmaxl(computation, beside);
    }
    for (int n = 0; n < t.communications; n++) {
        long double communication = communicate(&t, &m, n, terms->router);
        cost.communication += communication;
        if (t.overlap[n] < 0) cost.cycle += communication;
    }
    cost.elapsed = t.startup + t.cycles * cost.cycle;
    return cost;
}

int slow_general_best(const inlay_domain *domain, const inlay_metasystem *metasystem, const inlay_select_terms *terms,
                      int keep, double *cost)
{
    int32_t now[SLOW_GENERAL_CLUSTERS] = {0};
    int kept = 0;
    for (size_t i = 0; i < metasystem->clusters;) {
        int32_t most = slow_general_usable(domain, metasystem, terms, (int)i) ? metasystem->cluster[i].available : 0;
        if (now[i] < most) {
            now[i]++;
            i = 0;
            double c = (double)slow_general_cost(domain, metasystem, terms, now).cycle;
            if (kept < keep) cost[kept++] = INFINITY;
            if (c < cost[kept - 1]) cost[kept - 1] = c;
            for (int n = kept - 1; n > 0 && cost[n] < cost[n - 1]; n--) {
                double moved = cost[n];
                cost[n] = cost[n - 1];
                cost[n - 1] = moved;
            }
        } else {
            now[i++] = 0;
        }
    }
    return kept;
}

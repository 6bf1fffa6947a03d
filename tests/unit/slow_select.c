/* All configurations, each worked out by itself. */
#include "slow_select.h"

#include <math.h>
#include <string.h>

/* ---- Equations 1 to 3 ---- */

static long double grown(inlay_growth growth, int32_t p)
{
    if (growth == INLAY_GROWTH_LINEAR) return p;
    return growth == INLAY_GROWTH_LOG2 ? logl(p) / logl(2) : 1;
}

static long double communication(const inlay_select_problem *problem, const int32_t *processors)
{
    long double b = problem->bytes;
    long double k = problem->crossings == 0 ? 1 : problem->crossings;
    long double router = k * (problem->router_latency + problem->router_per_byte * b + problem->coercion * b);
    long double times[SLOW_CLUSTERS];
    int used = 0;
    int everyone = 0;
    for (size_t i = 0; i < problem->clusters; i++)
        everyone += processors[i];
    if (everyone == 1) return 0; /* nobody to talk to */
    for (size_t i = 0; i < problem->clusters; i++) {
        const inlay_select_cluster *c = &problem->cluster[i];
        if (processors[i] == 0) continue;
        long double f = grown(c->growth, processors[i]);
        times[used++] = c->c1 + c->c2 * f + b * (c->c3 + c->c4 * f);
    }
    for (int n = 0; problem->router == INLAY_SELECT_CHAIN && n < used; n++)
        times[n] += router * ((n > 0 ? 1 : 0) + (n < used - 1 ? 1 : 0));
    long double sum = 0;
    for (int n = 0; n < used; n++) {
        sum += times[n];
        for (int o = n; o > 0 && times[o] > times[o - 1]; o--) {
            long double moved = times[o];
            times[o] = times[o - 1];
            times[o - 1] = moved;
        }
    }
    long double routed = problem->router == INLAY_SELECT_SUM ? router * (used - 1) : 0;
    if (problem->topology == INLAY_PATTERN_RING) return sum + routed;
    if (problem->topology == INLAY_PATTERN_TREE) return times[0] + (used > 1 ? times[1] : 0) + routed;
    return times[0] + routed;
}

/* ---- Equations 5 and 6 ---- */

/* The units done by time T. */
static long double done(const inlay_select_problem *problem, const int32_t *processors, long double time)
{
    long double units = 0;
    for (size_t i = 0; i < problem->clusters; i++) {
        const inlay_select_cluster *c = &problem->cluster[i];
        long double start = c->fixed_time + (long double)problem->fixed_work / c->rate;
        if (processors[i] > 0 && time > start) units += processors[i] * (time - start) * c->rate / problem->unit_work;
    }
    return units;
}

static bool has_fixed(const inlay_select_problem *problem)
{
    for (size_t i = 0; i < problem->clusters; i++)
        if (problem->cluster[i].fixed_time > 0) return true;
    return problem->fixed_work > 0;
}

/* EQ 6 where no cluster has a d1, else EQ 5. */
static void real_shares(const inlay_select_problem *problem, const int32_t *processors, long double *share)
{
    long double speed = 0;
    for (size_t i = 0; i < problem->clusters; i++)
        speed += problem->cluster[i].rate * processors[i];
    for (size_t i = 0; i < problem->clusters; i++)
        share[i] = processors[i] > 0 ? (long double)problem->units * problem->cluster[i].rate / speed : 0;
    if (!has_fixed(problem)) return;
    long double low = 0;
    long double high = 1;
    while (done(problem, processors, high) < problem->units)
        high *= 2;
    for (int n = 0; n < 100; n++) {
        long double middle = (low + high) / 2;
        if (done(problem, processors, middle) < problem->units)
            low = middle;
        else
            high = middle;
    }
    for (size_t i = 0; i < problem->clusters; i++) {
        const inlay_select_cluster *c = &problem->cluster[i];
        long double start = c->fixed_time + (long double)problem->fixed_work / c->rate;
        share[i] = processors[i] > 0 && high > start ? (high - start) * c->rate / problem->unit_work : 0;
    }
}

/* Shares as whole units and parts: of n r_i / S in whole numbers, or of a share so near a whole one that it counts. */
static void cut(const inlay_select_problem *problem, const int32_t *processors, long double *share, int64_t *whole,
                long double *part)
{
    int64_t speed = 0;
    for (size_t i = 0; i < problem->clusters; i++)
        speed += (int64_t)problem->cluster[i].rate * processors[i];
    for (size_t i = 0; i < problem->clusters; i++) {
        if (has_fixed(problem)) {
            whole[i] = (int64_t)floorl(share[i] + 1e-9L);
            part[i] = share[i] - whole[i] < 1e-9L ? 0 : share[i] - whole[i];
        } else {
            int64_t product = problem->units * (int64_t)problem->cluster[i].rate;
            whole[i] = product / speed;
            part[i] = product % speed;
        }
    }
}

/* Each unit, one by one, to a processor that is done with it first; those that the balanced time leaves no doubt about at once. */
static void first_done(const inlay_select_problem *problem, const int32_t *processors, long double *share)
{
    int32_t given[SLOW_CLUSTERS] = {0}; /* processors of the cluster with one unit more */
    int64_t left = problem->units;
    for (size_t i = 0; i < problem->clusters; i++) {
        share[i] = fmaxl(0, floorl(share[i]) - 1);
        left -= (int64_t)share[i] * processors[i];
    }
    for (; left > 0; left--) {
        long double first = INFINITY;
        size_t next = 0;
        for (size_t i = 0; i < problem->clusters; i++) {
            const inlay_select_cluster *c = &problem->cluster[i];
            long double start = c->fixed_time + (long double)problem->fixed_work / c->rate;
            long double at = start + (share[i] + 1) * problem->unit_work / c->rate;
            if (processors[i] > 0 && at < first * (1 - 1e-15L)) {
                first = at;
                next = i;
            }
        }
        if (++given[next] == processors[next]) {
            given[next] = 0;
            share[next]++;
        }
    }
    for (size_t i = 0; i < problem->clusters; i++)
        share[i] += given[i] > 0;
}

static void whole_shares(const inlay_select_problem *problem, const int32_t *processors, long double *share)
{
    int64_t whole[SLOW_CLUSTERS];
    long double part[SLOW_CLUSTERS];
    bool visited[SLOW_CLUSTERS] = {false};
    cut(problem, processors, share, whole, part);
    int64_t left = problem->units;
    for (size_t i = 0; i < problem->clusters; i++) {
        left -= whole[i] * processors[i];
        share[i] = (long double)(whole[i] + (problem->map == INLAY_SELECT_CEIL && part[i] > 0));
    }
    while (problem->map == INLAY_SELECT_REMAINDER && left > 0) {
        int next = -1;
        for (int i = 0; i < (int)problem->clusters; i++)
            if (processors[i] > 0 && !visited[i] && (next < 0 || part[i] > part[next] + 1e-9L)) next = i;
        visited[next] = true;
        share[next]++;
        left -= processors[next];
    }
}

/* ---- Equation 9 ---- */

slow_cycle slow_select_cost(const inlay_select_problem *problem, const int32_t *processors)
{
    slow_cycle cost = {0};
    real_shares(problem, processors, cost.share);
    if (problem->map == INLAY_SELECT_INTEGER)
        first_done(problem, processors, cost.share);
    else if (problem->map != INLAY_SELECT_REAL)
        whole_shares(problem, processors, cost.share);
    for (size_t i = 0; i < problem->clusters; i++) {
        const inlay_select_cluster *c = &problem->cluster[i];
        if (processors[i] == 0) continue;
        long double fixed = c->fixed_time + (long double)problem->fixed_work / c->rate;
        cost.computation = fmaxl(cost.computation, fixed + cost.share[i] * problem->unit_work / c->rate);
    }
    cost.communication = communication(problem, processors);
    cost.cycle = problem->overlap ? fmaxl(cost.computation, cost.communication) : cost.computation + cost.communication;
    return cost;
}

/* ---- All configurations ---- */

int slow_select_best(const inlay_select_problem *problem, int keep, double *cost, int32_t *processors)
{
    int32_t now[SLOW_CLUSTERS] = {0};
    int kept = 0;
    for (size_t i = 0; i < problem->clusters;) {
        if (now[i] < problem->cluster[i].processors) {
            now[i]++;
            i = 0;
            double c = (double)slow_select_cost(problem, now).cycle;
            if (kept < keep) cost[kept++] = INFINITY;
            if (c < cost[0]) memcpy(processors, now, problem->clusters * sizeof *now);
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

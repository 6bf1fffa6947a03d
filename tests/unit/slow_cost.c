/* The slow reference: delay of the bus, order of execution, estimate. */
#include "slow.h"

#include <math.h>

enum { MODULES = SLOW_MODULES };

/* ---- Network ---- */

/** At rate rho: P_k - 1 = u/(1-u), the sum over j = 1..k of rho^j k!/(k-j)!; *waiting becomes the same sum of j terms. */
static long double busy_states(int k, long double rho, long double *waiting)
{
    long double sum = 0, term = 1;
    *waiting = 0;
    for (int j = 1; j <= k; j++) {
        term *= rho * (k - j + 1);
        sum += term;
        *waiting += j * term;
    }
    return sum;
}

long double slow_delay(int k, long double u)
{
    long double waiting, low = 0, high = 1;
    if (u <= 0) return 1;
    while (busy_states(k, high, &waiting) < u / (1 - u))
        high *= 2;
    for (int step = 0; step < 300; step++) {
        long double middle = (low + high) / 2;
        if (busy_states(k, middle, &waiting) < u / (1 - u))
            low = middle;
        else
            high = middle;
    }
    /* Little: D is the mean number at the bus over the throughput; the common factor 1/P_k cancels. */
    long double sum = busy_states(k, high, &waiting);
    return waiting / sum;
}

/* ---- Estimate ---- */

/** The lag of a link: how long after the start of i its message to j leaves. */
static inlay_time lag(const slow_problem *problem, int i, int j)
{
    inlay_time m = problem->time[i], wait = problem->earliest[j] - problem->earliest[i];
    if (!problem->streamed || wait > m) return m;
    return wait > 0 ? wait : 0;
}

/** Longest sum of lags to an exit plus its m, by recursion over all paths. */
static inlay_time bottom_level(const slow_problem *problem, int module)
{
    inlay_time longest = -1;
    for (int j = 0; j < problem->modules; j++)
        if (problem->link[module][j]) {
            inlay_time path = lag(problem, module, j) + bottom_level(problem, j);
            longest = path > longest ? path : longest;
        }
    return longest < 0 ? problem->time[module] : longest;
}

static bool is_ready(const slow_problem *problem, const bool *taken, int module)
{
    for (int i = 0; i < problem->modules; i++)
        if (problem->link[i][module] && !taken[i]) return false;
    return !taken[module];
}

/** The topological order that takes, of the ready modules, the least (b, -bottom level, number). */
static void execution_order(const slow_problem *problem, int *order)
{
    inlay_time bottom[MODULES];
    bool taken[MODULES] = {false};
    for (int i = 0; i < problem->modules; i++)
        bottom[i] = bottom_level(problem, i);
    for (int at = 0; at < problem->modules; at++) {
        int next = -1;
        for (int i = 0; i < problem->modules; i++) {
            if (!is_ready(problem, taken, i)) continue;
            if (next < 0 || problem->earliest[i] < problem->earliest[next] ||
                (problem->earliest[i] == problem->earliest[next] && bottom[i] > bottom[next]))
                next = i;
        }
        taken[next] = true;
        order[at] = next;
    }
}

/** The consumer on a processor whose link is the first to be satisfied; -1 none. */
static int first_there(const slow_problem *problem, const int *of, const slow_datum *d, int there)
{
    int first = -1;
    for (int j = 0; j < problem->modules; j++)
        if (d->consumer[j] && of[j] == there &&
            (first < 0 || lag(problem, d->producer, j) < lag(problem, d->producer, first)))
            first = j;
    return first;
}

/** In trees: place of a processor among those that get a datum, by number, from 1 on. */
static int rank_of(const slow_problem *problem, const int *of, const slow_datum *d, int there)
{
    int rank = 1;
    for (int p = 0; p < there; p++)
        rank += p != of[d->producer] && first_there(problem, of, d, p) >= 0;
    return rank;
}

/** Whose place is that number without the highest one in binary. */
static int giver_of(int rank)
{
    int highest = 1;
    while (2 * highest <= rank)
        highest *= 2;
    return rank - highest;
}

/** The processor that sends a datum to another. */
static int sender_of(const slow_problem *problem, const int *of, const slow_datum *d, int there)
{
    int giver = problem->trees ? giver_of(rank_of(problem, of, d, there)) : 0, by = of[d->producer];
    for (int p = 0; giver > 0 && p < there; p++)
        if (p != of[d->producer] && first_there(problem, of, d, p) >= 0 && --giver == 0) by = p;
    return by;
}

/** Uses of the bus by one message of a datum on its way to a consumer: where each is written and read, it is written once. */
static long double passes(const slow_problem *problem, const int *of, const slow_datum *d, int to)
{
    int mine = first_there(problem, of, d, of[to]);
    for (int j = 0; problem->transfers >= 2 && j < problem->modules; j++) {
        if (of[j] == of[to] || of[j] == of[d->producer] || !d->consumer[j]) continue;
        inlay_time before = lag(problem, d->producer, mine) - lag(problem, d->producer, j);
        if (before > 0 || (before == 0 && j < mine)) return problem->transfers - 1;
    }
    return problem->transfers;
}

/** In trees: when a datum comes to a processor, a journey for every one in the binary number of its place. */
static long double passed_on(const slow_problem *problem, const int *of, const slow_datum *d, int there,
                             long double tau)
{
    int rank = rank_of(problem, of, d, there), journeys = 0;
    inlay_time least =
        INT64_MAX; /* the lag of the first that waits of all who have it from the same neighbour of its producer */
    for (int ones = rank; ones > 0; ones /= 2)
        journeys += ones % 2;
    for (int j = 0; j < problem->modules; j++) {
        if (!d->consumer[j] || of[j] == of[d->producer]) continue;
        int other = rank_of(problem, of, d, of[j]);
        bool same = (other & -other) == (rank & -rank);
        if (same && lag(problem, d->producer, j) < least) least = lag(problem, d->producer, j);
    }
    return (long double)least * problem->grain +
           journeys * ((long double)d->traffic * tau + (long double)d->messages * problem->latency);
}

/** What a module that has started lets another on another processor begin. */
static long double arrival(const slow_problem *problem, const int *of, int i, int j, long double tau)
{
    int64_t traffic = problem->link_traffic[i][j] - problem->shared_traffic[i][j];
    int64_t messages = problem->link_messages[i][j] - problem->shared_messages[i][j];
    long double latest = (long double)lag(problem, i, j) * problem->grain + (long double)traffic * tau +
                         (long double)messages * problem->latency;
    for (int n = 0; n < problem->data; n++) {
        const slow_datum *d = &problem->datum[n];
        if (d->producer != i || !d->consumer[j]) continue;
        int first = first_there(problem, of, d, of[j]);
        if (problem->trees) {
            latest = fmaxl(latest, passed_on(problem, of, d, of[j], tau));
            continue;
        }
        latest = fmaxl(latest, (long double)lag(problem, i, first) * problem->grain + (long double)d->traffic * tau +
                                   (long double)d->messages * problem->latency);
    }
    return latest;
}

/** One pass over the modules in order, under a given tau. */
static long double elapsed(const slow_problem *problem, const int *of, long double tau, long double *start)
{
    int order[MODULES];
    long double end = 0;
    execution_order(problem, order);
    for (int at = 0; at < problem->modules; at++) {
        int j = order[at];
        start[j] = 0;
        for (int before = 0; before < at; before++) {
            int i = order[before];
            long double m = (long double)problem->time[i] * problem->grain;
            if (of[i] == of[j]) start[j] = fmaxl(start[j], start[i] + m);
            if (!problem->link[i][j]) continue;
            long double waits =
                of[i] == of[j] ? (long double)lag(problem, i, j) * problem->grain : arrival(problem, of, i, j, tau);
            start[j] = fmaxl(start[j], start[i] + waits);
        }
        end = fmaxl(end, start[j] + (long double)problem->time[j] * problem->grain);
    }
    return end;
}

/** Traffic that leaves a processor, and how often it uses the bus in all. */
static int64_t traffic_of_sender(const slow_problem *problem, const int *of, int sender, long double *uses)
{
    int64_t traffic = 0;
    *uses = 0;
    for (int i = 0; i < problem->modules; i++)
        for (int j = 0; j < problem->modules; j++)
            if (of[i] == sender && of[j] != sender) traffic += problem->traffic[i][j] - problem->shared_traffic[i][j];
    *uses = (long double)traffic * problem->transfers;
    for (int n = 0; n < problem->data; n++) {
        const slow_datum *d = &problem->datum[n];
        for (int j = 0; j < problem->modules; j++) {
            if (of[j] == of[d->producer] || of[j] == sender || first_there(problem, of, d, of[j]) != j) continue;
            if (sender_of(problem, of, d, of[j]) != sender) continue;
            traffic += d->traffic;
            *uses += (long double)d->traffic * passes(problem, of, d, j);
        }
    }
    return traffic;
}

static bool first_of_its_processor(const int *of, int module)
{
    for (int i = 0; i < module; i++)
        if (of[i] == of[module]) return false;
    return true;
}

static int64_t traffic_between(const slow_problem *problem, const int *of, long double *uses)
{
    int64_t traffic = 0;
    long double more;
    *uses = 0;
    for (int i = 0; i < problem->modules; i++) {
        if (!first_of_its_processor(of, i)) continue;
        traffic += traffic_of_sender(problem, of, of[i], &more);
        *uses += more;
    }
    return traffic;
}

/** Largest utilisation of a processor: its work and the time that its messages take, over T. */
static long double busiest(const slow_problem *problem, const int *of, long double tau, long double frame)
{
    long double most = 0, uses;
    for (int p = 0; p < problem->modules; p++) {
        long double used = (long double)traffic_of_sender(problem, of, of[p], &uses) * tau;
        for (int i = 0; i < problem->modules; i++)
            if (of[i] == of[p]) used += (long double)problem->work[i] * problem->grain;
        most = fmaxl(most, used / frame);
    }
    return most;
}

static long double tau_at(const slow_problem *problem, long double u)
{
    return problem->transfers * slow_delay(problem->processors, u) / problem->capacity;
}

void slow_evaluate(const slow_problem *problem, const int *of, long double frame, slow_cost *cost)
{
    long double uses;
    cost->traffic = traffic_between(problem, of, &uses);
    cost->u = uses / (problem->capacity * frame);
    cost->delay = slow_delay(problem->processors, cost->u);
    cost->tau = tau_at(problem, cost->u);
    cost->estimate = elapsed(problem, of, cost->tau, cost->start);
    cost->busiest = busiest(problem, of, cost->tau, frame);
}

long double slow_fixed_point(const slow_problem *problem, const int *of)
{
    long double start[MODULES], load;
    traffic_between(problem, of, &load);
    load /= problem->capacity;
    /* E falls as T grows, so E - T has one root at most; below `low` the bus is saturated. */
    long double low = load / problem->utilisation_limit;
    long double high = fmaxl(2 * low, 1);
    while (elapsed(problem, of, tau_at(problem, load / high), start) > high)
        high *= 2;
    long double near_limit = nextafterl(low, high);
    if (elapsed(problem, of, tau_at(problem, load / near_limit), start) < near_limit) return (long double)NAN;
    for (int step = 0; step < 200; step++) {
        long double middle = (low + high) / 2;
        if (elapsed(problem, of, tau_at(problem, load / middle), start) > middle)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/*
 * The networks' delay, for the checker: closed systems straight from their stationary distribution, open ones from
 * their formula, and rates by bisection, with no recursion shared with the library's own.
 */
#include "check/check.h"

#include <math.h>

/* ---- Closed systems ---- */

static long double beta_of(const check_network *network, int64_t requests)
{
    if (requests == 0) return 0;
    return network->beta && requests <= network->betas ? network->beta[requests] : network->limit;
}

/* Sums over the numbers of requests l, by weight w_l. */
typedef struct sums {
    long double all, busy, spare, waiting; /* of w_l, beta_l w_l, (limit - beta_l) w_l, l w_l */
} sums;

static void add(sums *s, const check_network *network, int64_t requests, long double weight)
{
    long double beta = beta_of(network, requests);
    s->all += weight;
    s->busy += beta * weight;
    s->spare += (network->limit - beta) * weight;
    s->waiting += (long double)requests * weight;
}

/* w_l / w_{l-1}, which falls with l. */
static long double ratio(const check_network *network, long double rho, int64_t l)
{
    return (long double)(network->processors - l + 1) * rho / beta_of(network, l);
}

/* The l of the largest weight. */
static int64_t heaviest(const check_network *network, long double rho)
{
    int64_t low = 0, high = network->processors;
    while (low < high) {
        int64_t middle = high - (high - low) / 2;
        if (ratio(network, rho, middle) >= 1)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/*
 * With l of k processors at the buses the weight is w_l = w_{l-1} (k - l + 1) rho / beta_l, and beta_l buses work. The
 * mean number of requests over the throughput is the delay (Little): sum of l w_l over sum of beta_l w_l. All terms are
 * positive; those too light to matter are left out.
 */
static check_point closed_at(const check_network *network, long double rho)
{
    const long double negligible = 1e-30L;
    sums s = {0};
    if (rho <= 0) return (check_point){0, network->limit, 0, 1};

    int64_t top = heaviest(network, rho);
    long double weight = 1;
    for (int64_t l = top; l >= 0 && weight > negligible * s.all; l--) {
        add(&s, network, l, weight);
        if (l > 0) weight /= ratio(network, rho, l);
    }
    weight = 1;
    for (int64_t l = top + 1; l <= network->processors; l++) {
        weight *= ratio(network, rho, l);
        add(&s, network, l, weight);
        if ((long double)l * weight <= negligible * s.waiting) break;
    }
    return (check_point){s.busy / s.all, s.spare / s.all, rho, s.waiting / s.busy};
}

static bool above(const check_network *network, long double rho, long double u)
{
    check_point at = closed_at(network, rho);
    return u < network->limit / 2 ? at.u > u : at.spare < network->limit - u;
}

/* Bisection: u rises with rho, and u <= k rho. */
static check_point closed_for(const check_network *network, long double u)
{
    long double low = u / (long double)network->processors, high = low;
    if (u <= 0) return closed_at(network, 0);
    while (!above(network, high, u)) {
        low = high;
        high *= 2;
    }
    for (int i = 0; i < 80 && high - low > 1e-18L * high; i++) {
        long double middle = low + (high - low) / 2;
        if (above(network, middle, u))
            high = middle;
        else
            low = middle;
    }
    return closed_at(network, low + (high - low) / 2);
}

/* ---- Either ---- */

/* load / (1 - load) of open systems is enough to know all. */
static check_point open_at(const check_network *network, long double odds)
{
    long double spare = network->limit / (1 + odds), u = spare * odds;
    return (check_point){u, spare, u * network->rho_share, network->delay_least + network->delay_rise * odds};
}

check_point check_network_at(const check_network *network, long double rate)
{
    return network->open ? open_at(network, rate) : closed_at(network, rate);
}

check_point check_network_for(const check_network *network, long double u)
{
    return network->open ? open_at(network, u / (network->limit - u)) : closed_for(network, u);
}

check_point check_network_saturated(const check_network *network)
{
    long double limit = network->limit;
    if (network->open) return (check_point){limit, 0, limit * network->rho_share, INFINITY};
    return (check_point){limit, 0, INFINITY, (long double)network->processors / limit};
}

double check_tau(const check_network *network, long double delay)
{
    if (network->free) return 0;
    return (double)(network->tau_least + network->tau_rise * delay);
}

/* ---- Under the traffic of the mapping ---- */

/* The number that the file says in `network`; NaN where it says none. */
static double said(const check *k, const char *name)
{
    const json_t *value = json_object_get(json_object_get(k->root, "network"), name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static double either(double said, long double own, double spread)
{
    return fabs(said - (double)own) <= spread ? said : (double)own;
}

/*
 * How much of u the last digits are that cannot be relied on, relative to it: none of a single bus, whose limit is
 * exact; of several, what rounding leaves of the betas; of omega networks, what it leaves of 1 - load.
 */
static long double unsure(const check_network *network)
{
    if (network->open) return 1e-15L;
    return network->beta ? 5e-14L : 0;
}

static double farthest(long double x, long double a, long double b)
{
    return (double)fmaxl(fabsl(x - a), fabsl(x - b));
}

/* rho and D at u, and how far both are from those a few last digits of u away. */
static void settle_delay(check *k)
{
    const check_network *network = &k->network;
    long double off = unsure(network), u = k->u;
    check_point at, below, beyond;

    below = check_network_for(network, fminl(u, network->limit) * (1 - off));
    beyond =
        u * (1 + off) < network->limit ? check_network_for(network, u * (1 + off)) : check_network_saturated(network);
    at = u < network->limit ? check_network_for(network, u) : below;
    if (off == 0) beyond = at;
    k->rho_spread = farthest(at.rho, below.rho, beyond.rho);
    k->delay_spread = farthest(at.delay, below.delay, beyond.delay);
    k->rho = either(said(k, "rho"), at.rho, k->rho_spread);
    k->delay = either(said(k, "delay"), at.delay, k->delay_spread);
}

/* What u has to stay below. That of several buses is a rounded number: the file's own decides. */
static double limit_of(const check *k)
{
    const check_network *network = &k->network;
    double spread = network->beta ? (double)(unsure(network) * network->limit) : 0;
    return either(said(k, "u_limit"), network->limit, spread);
}

/* The busiest link is what u, rho and D speak of; utilisations count what each cluster's flows take. */
static void settle_links(check *k)
{
    double own = (double)(k->links.busiest / k->time_frame);
    k->u = either(said(k, "u"), own, 1e-14 * own);
    k->rho = k->u;
    k->saturated = !(k->u < 1);
    k->delay = k->saturated ? 1 : (double)check_link_delay(k, k->u);
    k->doubt = k->saturated ? 0 : 1e-15 / (1 - k->u);
    check_links_at(k, k->saturated ? INFINITY : (long double)k->time_frame);
    k->tau = check_links_tau(k);
    for (size_t f = 0; f < k->links.flows; f++) {
        const check_flow *flow = &k->links.flow[f];
        k->cluster[flow->from].sending += (long double)flow->traffic * flow->tau;
    }
}

/* A network that is saturated is compared as if nobody used it. */
void check_settle(check *k)
{
    if (inlay_machine_has_links(k->machine)) {
        settle_links(k);
        return;
    }
    const check_network *network = &k->network;
    double own = k->weighted > 0 && !network->free ? network->share * check_demand(k) / k->time_frame : 0;

    k->u = either(said(k, "u"), own, 1e-14 * own);
    k->saturated = !(k->u < limit_of(k));
    if (k->saturated)
        k->delay = (double)check_network_at(network, 0).delay;
    else
        settle_delay(k);
    k->tau = check_tau(network, k->delay);
}

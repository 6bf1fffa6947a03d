/*
 * Multiple bus: model 3 of CSD-TR-86-576, section 2.2, as a birth-death chain.
 *
 * l of the k processors have a request at the buses with probability proportional to
 *     w_l = w_{l-1} (k-l+1) rho / beta_l,   w_0 = 1,
 * so that, with G the sum of w_l,
 *     u = (sum of beta_l w_l) / G,   D = (sum of l w_l) / (sum of beta_l w_l)   (Little's law).
 * All terms are positive: nothing cancels. beta_l does not fall with l, so the weights rise to one peak and fall from
 * there; sums begin at the peak, where the weight is set to 1, and go as far as terms count.
 */
#include "network/multibus.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* ---- The object ---- */

/* Rounding makes beta_l dip by an ulp or two where it is flat, or pass b. */
static void make_monotone(double *beta, int64_t n, int64_t b)
{
    for (int64_t l = 1; l <= n; l++) {
        beta[l] = fmin(fmax(beta[l], beta[l - 1]), (double)b);
    }
}

static int fill_beta(inlay_multibus *mb, int64_t n)
{
    int status = INLAY_OK;
    if (mb->model == INLAY_MULTIBUS_OCCUPANCY) {
        multibus_occupancy_beta(mb->memories, mb->buses, n, mb->beta);
    } else {
        status = multibus_paper_beta(mb->memories, mb->buses, n, false, mb->beta);
        if (status == INLAY_OVERFLOW) {
            status = multibus_paper_beta(mb->memories, mb->buses, n, true, mb->beta);
        }
    }
    if (status == INLAY_OK) {
        make_monotone(mb->beta, n, mb->buses);
        mb->known = n;
        mb->limit = mb->beta[n];
    }
    return status;
}

/* The object with beta_l up to n. */
static int make_up_to(int64_t n, const inlay_multibus *wanted, inlay_multibus **result)
{
    if ((uint64_t)n >= (SIZE_MAX - sizeof *wanted) / sizeof(double)) {
        return INLAY_NO_MEMORY;
    }
    inlay_multibus *made = malloc(sizeof *made + ((size_t)n + 1) * sizeof *made->beta);
    if (made == NULL) {
        return INLAY_NO_MEMORY;
    }
    *made = *wanted;
    int status = fill_beta(made, n);
    if (status != INLAY_OK) {
        free(made);
        return status;
    }
    *result = made;
    return INLAY_OK;
}

int inlay_multibus_new(int64_t k, int64_t m, int64_t b, inlay_multibus_model model, inlay_multibus **result)
{
    if (k < 1 || b < 1 || b > m || (model != INLAY_MULTIBUS_PAPER && model != INLAY_MULTIBUS_OCCUPANCY) ||
        result == NULL) {
        return INLAY_BAD_ARGUMENT;
    }
    const inlay_multibus wanted = {.processors = k, .memories = m, .buses = b, .model = model};
    inlay_multibus *made = NULL;
    for (int64_t n = 1000;; n *= 4) { /* beta_l is b for good from where it first is */
        bool all = n >= k;
        int status = make_up_to(all ? k : n, &wanted, &made);
        if (status != INLAY_OK) {
            return status;
        }
        if (all || made->limit >= (double)b) {
            *result = made;
            return INLAY_OK;
        }
        free(made);
    }
}

void inlay_multibus_free(inlay_multibus *multibus)
{
    free(multibus);
}

static double beta_at(const inlay_multibus *mb, int64_t l)
{
    return l <= mb->known ? mb->beta[l] : mb->limit;
}

double inlay_multibus_beta(const inlay_multibus *multibus, int64_t l)
{
    return l < 0 || l > multibus->processors ? NAN : beta_at(multibus, l);
}

double inlay_multibus_limit(const inlay_multibus *multibus)
{
    return multibus->limit;
}

/* ---- From the rate ---- */

/* Sums over l, each term times w_l; `peak` is the l with the largest weight. */
typedef struct chain {
    int64_t peak;
    double total;   /* of 1 */
    double busy;    /* of beta_l */
    double spare;   /* of beta_k - beta_l */
    double present; /* of l */
    double offset;  /* of l - peak */
    double tilt;    /* of (beta_k - beta_l)(l - peak) */
} chain;

static inline __attribute__((always_inline)) void add(chain *c, const inlay_multibus *mb, int64_t l, double weight)
{
    double beta = beta_at(mb, l);
    double spare = (mb->limit - beta) * weight;
    double from_peak = (double)(l - c->peak);
    c->total += weight;
    c->busy += beta * weight;
    c->spare += spare;
    c->present += (double)l * weight;
    c->offset += from_peak * weight;
    c->tilt += spare * from_peak;
}

/* w_l / w_{l-1}: falls with l. */
static double growth(const inlay_multibus *mb, double rho, int64_t l)
{
    return (double)(mb->processors - l + 1) * rho / beta_at(mb, l);
}

static int64_t find_peak(const inlay_multibus *mb, double rho)
{
    int64_t low = 0;
    int64_t high = mb->processors;
    while (low < high) {
        int64_t middle = high - (high - low) / 2;
        if (growth(mb, rho, middle) >= 1) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static chain chain_at(const inlay_multibus *mb, double rho)
{
    /* Weights below this share of the largest are left out: they reach neither the last bit of u nor, where u is as
       close to beta_k as a double can be, that of beta_k - u. */
    static const double negligible = 1e-35;
    chain c = {.peak = find_peak(mb, rho)};
    add(&c, mb, c.peak, 1);
    double weight = 1;
    for (int64_t l = c.peak + 1; l <= mb->processors; l++) {
        weight *= growth(mb, rho, l);
        add(&c, mb, l, weight);
        if (weight <= negligible * c.busy) break;
    }
    weight = 1;
    for (int64_t l = c.peak; l >= 1 && weight > negligible; l--) {
        weight /= growth(mb, rho, l);
        add(&c, mb, l - 1, weight);
    }
    return c;
}

/* From the lesser of u and beta_k - u. */
static double chain_utilisation(const chain *c, const inlay_multibus *mb)
{
    return c->busy < c->spare ? c->busy / c->total : mb->limit - c->spare / c->total;
}

static double chain_delay(const chain *c, const inlay_multibus *mb)
{
    double delay = c->busy > 0 ? c->present / c->busy : 1;
    return fmin(fmax(delay, 1), (double)mb->processors);
}

int inlay_multibus_utilisation(const inlay_multibus *multibus, double rho, double *u, double *delay, double *active)
{
    if (multibus == NULL || !isfinite(rho) || rho < 0) {
        return INLAY_BAD_ARGUMENT;
    }
    chain c = chain_at(multibus, rho);
    double utilisation = chain_utilisation(&c, multibus);
    if (u != NULL) {
        *u = utilisation;
    }
    if (delay != NULL) {
        *delay = chain_delay(&c, multibus);
    }
    if (active != NULL) {
        *active = rho > 0 ? fmin(utilisation / rho, (double)multibus->processors) : (double)multibus->processors;
    }
    return INLAY_OK;
}

/* ---- From utilisation ---- */

/*
 * The odds u / (beta_k - u) tell rates apart at both ends. How their logarithm grows with ln rho: du / d ln rho is the
 * covariance of beta_l and l, which is positive.
 */
static double log_odds_slope(const chain *c)
{
    double covariance = c->spare / c->total * (c->offset / c->total) - c->tilt / c->total;
    return covariance * (c->total / c->busy + c->total / c->spare);
}

/*
 * A rate that gives at most u, and one that gives at least u. From u = rho (k - u D): D >= 1. All k requests are present
 * with probability at least e^(-beta_k/rho), and then beta_k buses work. One bus at least works while a request is
 * present, which is so with probability at least k rho/(1 + k rho).
 */
static void bracket(const inlay_multibus *mb, double u, double *low, double *high)
{
    static const double widen = 1e-12; /* rounding may put an end on the wrong side */
    double k = (double)mb->processors;
    double limit = mb->limit;
    double log_share = u < limit / 2 ? -log(u / limit) : -log1p(-((limit - u) / limit));
    double most = limit / log_share;
    if (u < 1) {
        most = fmin(most, u / (k * (1 - u)));
    }
    *low = u / (k - u) * (1 - widen);
    *high = most * (1 + widen);
}

/*
 * Newton's method in ln rho for the odds' logarithm; where it would leave the bracket, that is halved. For 0 < u.
 * Far off, sums may be 0: the step is then no number, and the bracket is halved, too.
 */
static double solve_rate(const inlay_multibus *mb, double u)
{
    enum { MAX_STEPS = 200 }; /* 22 at most but for u an ulp below beta_k, which rounding blurs */
    double low;
    double high;
    bracket(mb, u, &low, &high);
    double rho = low; /* near the upper end most requests wait, and the sums are longest */
    for (int i = 0; i < MAX_STEPS && high > low * (1 + 2 * DBL_EPSILON); i++) {
        chain c = chain_at(mb, rho);
        double excess = log(c.busy / c.total / u) - log(c.spare / c.total / (mb->limit - u));
        *(excess > 0 ? &high : &low) = rho;
        double step = excess / log_odds_slope(&c);
        if (fabs(step) <= 4 * DBL_EPSILON) break;
        double next = rho * exp(-step);
        rho = next > low && next < high ? next : sqrt(low) * sqrt(high);
    }
    return rho;
}

int inlay_multibus_rate(const inlay_multibus *multibus, double u, double *rho, double *delay)
{
    if (multibus == NULL || isnan(u) || u < 0) {
        return INLAY_BAD_ARGUMENT;
    }
    if (u >= multibus->limit) {
        return INLAY_NO_ANSWER;
    }
    bool closed_form = multibus->processors == 1 || u == 0; /* one processor never waits */
    double rate = closed_form ? u / (1 - u) : solve_rate(multibus, u);
    if (rho != NULL) {
        *rho = rate;
    }
    if (delay != NULL && closed_form) {
        *delay = 1;
    } else if (delay != NULL) {
        chain c = chain_at(multibus, rate);
        *delay = chain_delay(&c, multibus);
    }
    return INLAY_OK;
}

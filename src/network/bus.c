/*
 * Single bus: models 1 and 2 of CSD-TR-86-576, section 2.2, as a machine repairman queue.
 *
 * In equilibrium, j of the k processors are at the bus with probability proportional to
 *     w_j = rho^j k! / (k-j)!,   w_0 = 1,
 * so that, with W = sum of w_j over j >= 1,
 *     u = W / (1 + W),   1 - u = 1 / (1 + W),   D = (sum of j w_j) / W   (Little's law).
 * All terms are positive: nothing cancels, where (k - u/rho)/u loses every digit for small u. The weights rise to one
 * peak and fall from there, so about sqrt(k) of them count.
 */
#include <float.h>
#include <inlay/network.h>
#include <math.h>
#include <stdbool.h>

/* The bus at one rate. W is sum x e^scale; scale is 0 unless W would leave the range of double. */
typedef struct bus_state {
    double sum;
    double scale;
    double delay; /* D */
} bus_state;

/* Weights below this share of the sum are left out: even sqrt(2^63) of them do not reach its last bit. */
static const double negligible = 1e-27;

/* ln w above this is not summed from w_0 = 1 upwards: u is 1 - 10^-260 there, and W nears the range of double. */
static const double large_log = 600;

/* ln n!, by Stirling's series (Abramowitz and Stegun 6.1.41) where n! itself is too large. */
static double log_factorial(double n)
{
    if (n <= 170) {
        return log(tgamma(n + 1));
    }
    double square = n * n;
    return (n + 0.5) * log(n) - n + 0.5 * log(2 * acos(-1)) + (1 / 12. - (1 / 360. - 1 / (1260 * square)) / square) / n;
}

static double log_weight(int64_t k, double rho, int64_t j)
{
    return (double)j * log(rho) + log_factorial((double)k) - log_factorial((double)(k - j));
}

/* The j with the largest weight: w_j / w_{j-1} = (k-j+1) rho >= 1 up to there. */
static int64_t peak(int64_t k, double rho)
{
    double j = floor((double)k + 1 - 1 / rho);
    if (j >= (double)k) {
        return k;
    }
    return j > 0 ? (int64_t)j : 0;
}

/* Sum the weights from w_from = 1 up and down to where they no longer count. w_0 itself is not part of W. */
static bus_state sum_weights(int64_t k, double rho, int64_t from)
{
    double sum = from > 0;
    double moment = (double)from;
    double weight = 1;
    for (int64_t j = from; j < k; j++) {
        double ratio = (double)(k - j) * rho;
        weight *= ratio;
        sum += weight;
        moment += (double)(j + 1) * weight;
        if (ratio < 1 && weight <= negligible * sum) {
            break;
        }
    }
    weight = 1;
    for (int64_t j = from - 1; j >= 1 && weight > negligible * sum; j--) {
        weight /= (double)(k - j) * rho;
        sum += weight;
        moment += (double)j * weight;
    }
    double delay = sum > 0 ? moment / sum : 1;
    return (bus_state){sum, 0, fmin(fmax(delay, 1), (double)k)};
}

static bus_state bus_at(int64_t k, double rho)
{
    int64_t top = rho > 0 ? peak(k, rho) : 0;
    /* each weight is at most k rho times the one before: where that cannot pass, its exact size need not be known */
    bool may_pass = top > 0 && (double)top * log((double)k * rho) > large_log;
    double top_log = may_pass ? log_weight(k, rho, top) : 0;
    if (top_log <= large_log) {
        return sum_weights(k, rho, 0);
    }
    bus_state state = sum_weights(k, rho, top);
    state.scale = top_log;
    return state;
}

static double idle_log(bus_state state)
{
    return state.scale > 0 ? -(state.scale + log(state.sum)) : -log1p(state.sum);
}

int inlay_bus_utilisation(int64_t k, double rho, double *u, double *log_idle, double *delay)
{
    if (k < 1 || !isfinite(rho) || rho < 0 || u == NULL) {
        return INLAY_BAD_ARGUMENT;
    }
    bus_state state = bus_at(k, rho);
    *u = state.scale > 0 ? 1 : state.sum / (1 + state.sum);
    if (log_idle != NULL) {
        *log_idle = idle_log(state);
    }
    if (delay != NULL) {
        *delay = state.delay;
    }
    return INLAY_OK;
}

/*
 * A rate that gives at least u. Each bound follows from one fact: W >= k rho; D <= 1/(1-u) in rho = u/(k - u D); and
 * u >= 1/(sum of y^i/i! over i <= k) >= e^-y for y = 1/rho.
 */
static double rate_above(int64_t k, double u)
{
    double busy_share = u / (1 - u);
    double rho = fmin(busy_share / (double)k, -1 / log(u));
    double slack = (double)k - busy_share;
    return slack > 0 ? fmin(rho, u / slack) : rho;
}

/*
 * The rate at which W = u/(1-u), for k > 1 and 0 < u < 1. In x = ln rho, ln W is convex and rises with slope D exactly,
 * so Newton's method from above comes down to the root without passing it. D >= 1 gives the lower end, u/(k - u).
 */
static double solve_rate(int64_t k, double u)
{
    enum { MAX_STEPS = 100 }; /* 14 at most were seen; rounding alone cannot make it run on */
    double least = u / ((double)k - u);
    double rho = rate_above(k, u);
    for (int i = 0; i < MAX_STEPS; i++) {
        bus_state state = bus_at(k, rho);
        double step = (state.scale + log(state.sum / (u / (1 - u)))) / state.delay;
        if (!(step > 4 * DBL_EPSILON)) {
            break;
        }
        rho = fmax(rho * exp(-step), least);
    }
    return rho;
}

int inlay_bus_rate(int64_t k, double u, double *rho, double *delay)
{
    if (k < 1 || isnan(u) || u < 0) {
        return INLAY_BAD_ARGUMENT;
    }
    if (u >= 1) {
        return INLAY_NO_ANSWER;
    }
    bool closed_form = k == 1 || u == 0; /* one processor never waits */
    double rate = closed_form ? u / (1 - u) : solve_rate(k, u);
    if (rho != NULL) {
        *rho = rate;
    }
    if (delay != NULL) {
        *delay = closed_form ? 1 : bus_at(k, rate).delay;
    }
    return INLAY_OK;
}

int inlay_bus_common_processor_rate(double rho, double *rho_p)
{
    if (!isfinite(rho) || rho < 0 || rho_p == NULL) {
        return INLAY_BAD_ARGUMENT;
    }
    *rho_p = rho / 2;
    return INLAY_OK;
}

int inlay_bus_distributed_processor_rate(double rho, double *rho_p)
{
    if (!isfinite(rho) || rho < 0 || rho_p == NULL) {
        return INLAY_BAD_ARGUMENT;
    }
    if (rho >= 1) {
        return INLAY_NO_ANSWER;
    }
    *rho_p = rho / (1 - rho);
    return INLAY_OK;
}

/*
 * The single bus with messages of one length: k processors with exponentially distributed think times, one bus, constant
 * transfer times. L. Takacs, "Introduction to the Theory of Queues" (1962), on machine interference: a busy period
 * serves, on the average,
 *     S = sum of t_n over n = 0..k-1,   t_n = C(k-1, n) product over i = 1..n of (e^(i rho) - 1)
 * messages, and an idle one lasts 1/(k rho) transfers, so that
 *     u/(1 - u) = k rho S.
 * Little's law, D = k/u - 1/rho, becomes a sum in which nothing cancels, with h(y) = (e^y - 1 - y)/y:
 *     D - 1 = (sum of t_n (n - (k-1-n) h((n+1) rho)))/S.
 */
#include <float.h>
#include <inlay/network.h>
#include <math.h>

typedef struct one_length {
    double sum; /* S */
    double delay;
} one_length;

/* h(y); the first terms of its series where the difference would cancel. */
static double growth(double y)
{
    if (y > 0.1) {
        return (expm1(y) - y) / y;
    }
    return y / 2 * (1 + y / 3 * (1 + y / 4 * (1 + y / 5 * (1 + y / 6 * (1 + y / 7 * (1 + y / 8 * (1 + y / 9)))))));
}

/* The t_n rise to one peak and fall from there; where they no longer count, the sum ends. */
static one_length bus_at(int64_t k, double rho)
{
    static const double negligible = 1e-27;
    double sum = 0, moment = 0, term = 1;
    for (int64_t n = 0; n < k; n++) {
        double next = (double)(n + 1), others = (double)(k - 1 - n);
        double ratio = others / next * expm1(next * rho);
        sum += term;
        moment += term * ((double)n - others * growth(next * rho));
        term *= ratio;
        if (isinf(sum) || (ratio < 1 && term <= negligible * sum)) {
            break;
        }
    }
    return (one_length){sum, isinf(sum) ? (double)k - 1 / rho : 1 + moment / sum};
}

int inlay_bus_fixed_length(int64_t k, double rho, double *u, double *delay)
{
    if (k < 1 || !isfinite(rho) || rho < 0) {
        return INLAY_BAD_ARGUMENT;
    }
    one_length bus = rho > 0 ? bus_at(k, rho) : (one_length){1, 1};
    if (u != NULL) {
        *u = isinf(bus.sum) ? 1 : 1 - 1 / (1 + (double)k * rho * bus.sum);
    }
    if (delay != NULL) {
        *delay = fmin(fmax(bus.delay, 1), (double)k);
    }
    return INLAY_OK;
}

/* u grows with rho. It is D >= 1 that bounds rho below; above does random length, which makes less u at the same rho. */
int inlay_bus_fixed_length_rate(int64_t k, double u, double *rho, double *delay)
{
    enum { MAX_STEPS = 80 };
    double above;
    int status = inlay_bus_rate(k, u, &above, NULL);
    if (status != INLAY_OK) {
        return status;
    }
    double below = u / ((double)k - u);
    for (int i = 0; i < MAX_STEPS && k > 1 && above - below > 2 * DBL_EPSILON * above; i++) {
        double middle = below + (above - below) / 2;
        if ((double)k * middle * bus_at(k, middle).sum < u / (1 - u)) {
            below = middle;
        } else {
            above = middle;
        }
    }
    if (rho != NULL) {
        *rho = above;
    }
    return inlay_bus_fixed_length(k, above, NULL, delay);
}

/*
 * The single bus as a queue with a finite population, for the checker: straight from the stationary distribution
 * (Houstis, Houstis, Rice, section 2.2, models 1 and 2), with no recursion shared with the library's own.
 */
#include "mapping/check.h"

#include <math.h>

/*
 * With j of k processors at the bus the weight is w_j = rho^j k!/(k-j)!. The bus is idle with w_0/G; the mean number at
 * the bus over its throughput is the delay (Little), sum j w_j over sum of w_j with j > 0. All terms are positive.
 */
check_bus_point check_bus(int64_t processors, long double rho)
{
    const long double large = ldexpl(1, 6000);
    long double none = 1, weight = 1, busy = 0, waiting = 0;

    if (rho <= 0) return (check_bus_point){0, 1, 1};
    for (int64_t j = 1; j <= processors; j++) {
        weight *= (long double)(processors - j + 1) * rho;
        long double share = (long double)j * weight;
        /* past the mode the terms fall ever faster: what is left is below the last digit */
        if ((long double)(processors - j) * rho < 0.5L && share < 1e-25L * waiting) break;
        busy += weight;
        waiting += share;
        if (waiting > large) {
            none /= large;
            weight /= large;
            busy /= large;
            waiting /= large;
        }
    }
    return (check_bus_point){busy / (none + busy), none / (none + busy), waiting / busy};
}

/* Bisection: u rises with rho; u <= k rho below, and u >= rho/(1 + rho) above. */
long double check_bus_rate(int64_t processors, double u)
{
    if (u <= 0) return 0;
    long double idle = 1 - (long double)u;
    long double low = (long double)u / (long double)processors, high = (long double)u / idle;
    for (int i = 0; i < 200 && high - low > 1e-18L * high; i++) {
        /* Halving the ratio while the ends are far apart, the difference when they are close. */
        long double middle = high > 4 * low ? low * 2 : low + (high - low) / 2;
        check_bus_point at = check_bus(processors, middle);
        bool above = u < 0.5 ? at.u > (long double)u : at.idle < idle;
        if (above)
            high = middle;
        else
            low = middle;
    }
    return low + (high - low) / 2;
}

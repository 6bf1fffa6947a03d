/* The time frame that equals its own estimate, T = E(T). */
#include "mapping/check.h"

#include <math.h>

/*
 * With A the time of all transfers, u = A/T. Whether T is too short, E > T, is the same as E u > A. E is the longest of
 * paths that take a constant and some tau each, tau a constant and some D; u rises with the rate and so does D u, the
 * mean number of messages on their way. So E u rises too: there is one root, or none where E at saturation is below T.
 */
static double transfer_time(const check *k)
{
    return k->network.free ? 0 : k->network.share * (double)k->weighted;
}

/* Whether the T that makes this point is too short. */
static int too_short(const check *k, check_point at, bool *result)
{
    double estimate = 0;
    int status = check_estimate(k, check_tau(&k->network, at.delay), &estimate);
    *result = (long double)estimate * at.u > (long double)transfer_time(k);
    return status;
}

/*
 * Two rates, the second twice the first, around the root. Where that is beyond what a u of double precision can tell
 * from saturation, both are at that end.
 */
static int bracket(const check *k, long double *low, long double *high)
{
    const check_network *network = &k->network;
    bool shorter = true;
    int status = INLAY_OK;
    for (*high = 2; shorter && status == INLAY_OK;) {
        *high /= 2;
        status = too_short(k, check_network_at(network, *high), &shorter);
    }
    for (*low = *high; !shorter && status == INLAY_OK;) {
        *low = *high;
        if (check_network_at(network, *low).spare < 1e-14L * network->limit) break;
        *high *= 2;
        status = too_short(k, check_network_at(network, *high), &shorter);
    }
    return status;
}

static int solve(const check *k, double *root)
{
    const check_network *network = &k->network;
    long double low = 0, high = 0;
    int status = bracket(k, &low, &high);
    for (int i = 0; i < 80 && status == INLAY_OK && high - low > 1e-16L * high; i++) {
        long double middle = low + (high - low) / 2;
        bool shorter = false;
        status = too_short(k, check_network_at(network, middle), &shorter);
        if (shorter)
            high = middle;
        else
            low = middle;
    }
    if (status == INLAY_OK) *root = (double)((long double)transfer_time(k) / check_network_at(network, low).u);
    return status;
}

int check_fixed_point(const check *k, double *fixed_point, bool *doubtful)
{
    const check_network *network = &k->network;
    double least = (double)(transfer_time(k) / network->limit), estimate = 0;
    *doubtful = false;
    *fixed_point = k->estimate;
    if (!(transfer_time(k) > 0)) return INLAY_OK;

    int status = check_estimate(k, check_tau(network, check_network_saturated(network).delay), &estimate);
    bool at_the_end = fabs(estimate - least) <= 1e-9 * least;
    *fixed_point = at_the_end ? least : NAN;
    if (status == INLAY_OK && estimate > least) status = solve(k, fixed_point);
    *doubtful = *fixed_point - least <= 1e-9 * least;
    return status;
}

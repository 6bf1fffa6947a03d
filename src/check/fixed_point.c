/* The time frame that equals its own estimate, T = E(T). */
#include "check/check.h"

#include <math.h>

/*
 * With A the time of all transfers, u = A/T. Whether T is too short, E > T, is the same as E u > A. E is the longest of
 * paths that take a constant and some tau each, tau a constant and some D; u rises with the rate and so does D u, the
 * mean number of messages on their way. So E u rises too: there is one root, or none where E at saturation is below T.
 */
static double transfer_time(const check *k)
{
    return k->network.free ? 0 : k->network.share * check_demand(k);
}

/* One path through the graph: it takes constant + tau x carried at every tau. */
typedef struct line {
    long double constant, carried;
} line;

/* Whether the T that makes this point is too short for the path. */
static bool too_short(const check *k, const line *path, check_point at)
{
    long double takes = path->constant + (long double)check_tau(&k->network, at.delay) * path->carried;
    return takes * at.u > (long double)transfer_time(k);
}

/*
 * Two rates, the second twice the first, around the path's own root. Where that is beyond what a u of double precision
 * can tell from saturation, both are at that end.
 */
static void bracket(const check *k, const line *path, long double *low, long double *high)
{
    const check_network *network = &k->network;
    for (*high = 1; too_short(k, path, check_network_at(network, *high));)
        *high /= 2;
    for (*low = *high; !too_short(k, path, check_network_at(network, *high));) {
        *low = *high;
        if (check_network_at(network, *low).spare < 1e-14L * network->limit) break;
        *high *= 2;
    }
}

/* The point at which T is what this path takes. */
static check_point root_of(const check *k, const line *path)
{
    long double low = 0, high = 0;
    bracket(k, path, &low, &high);
    for (int i = 0; i < 80 && high - low > 1e-18L * high; i++) {
        long double middle = low + (high - low) / 2;
        if (too_short(k, path, check_network_at(&k->network, middle)))
            high = middle;
        else
            low = middle;
    }
    return check_network_at(&k->network, low);
}

/*
 * Newton's method, which E suits as the longest of lines: the path that is longest at one tau is nowhere longer than E,
 * so its own root lies at a tau above that of E, or is it. From saturation downwards every step finds a path with a
 * root further down, until a path is the longest at its own root. A step looks at the graph once.
 */
static int solve(const check *k, double *root)
{
    enum { STEPS = 1000 };
    const check_network *network = &k->network;
    check_point at = network->open ? check_network_at(network, 1e14L) : check_network_saturated(network);
    double frame = 0, before = -1;
    for (int i = 0; i < STEPS && frame > before * (1 + 1e-14); i++) {
        double tau = check_tau(network, at.delay);
        check_path longest;
        int status = check_estimate(k, tau, &longest);
        if (status != INLAY_OK) return status;
        line path = {(long double)longest.length - (long double)tau * longest.carried, longest.carried};
        at = root_of(k, &path);
        before = frame;
        frame = (double)((long double)transfer_time(k) / at.u);
    }
    *root = frame;
    return INLAY_OK;
}

int check_fixed_point(check *k, double *fixed_point, bool *doubtful)
{
    if (inlay_machine_has_links(k->machine)) return check_links_fixed_point(k, fixed_point, doubtful);
    const check_network *network = &k->network;
    double least = (double)(transfer_time(k) / network->limit);
    check_path longest = {0, 0};
    *doubtful = false;
    *fixed_point = k->estimate;
    if (!(transfer_time(k) > 0)) return INLAY_OK;

    int status = check_estimate(k, check_tau(network, check_network_saturated(network).delay), &longest);
    bool at_the_end = fabs(longest.length - least) <= 1e-9 * least;
    *fixed_point = at_the_end ? least : NAN;
    if (status == INLAY_OK && longest.length > least) status = solve(k, fixed_point);
    *doubtful = *fixed_point - least <= 1e-9 * least;
    return status;
}

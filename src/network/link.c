/*
 * One link as a queue: messages come at random, wait in line, and are served one at a time.
 *
 * M/M/1 serves for exponentially distributed times, M/D/1 for one time; both are textbook results (A. K. Erlang 1909,
 * F. Pollaczek 1930: the mean wait of M/G/1 is u/(1 - u) times half the mean square of service over its mean).
 */
#include <inlay/network.h>
#include <math.h>

int inlay_link_delay(inlay_link_queue queue, double u, double *delay)
{
    if (!(u >= 0) || !isfinite(u)) {
        return INLAY_BAD_ARGUMENT;
    }
    if (!(u < 1)) {
        return INLAY_NO_ANSWER;
    }
    double wait = u / (1 - u);
    *delay = 1 + (queue == INLAY_LINK_MM1 ? wait : wait / 2);
    return INLAY_OK;
}

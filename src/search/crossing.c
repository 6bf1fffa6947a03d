/* Where a line in tau meets the time frame. */
#include "search/crossing.h"
#include <math.h>

/* How far the line lies above T. */
static double excess(const interconnect *network, double traffic, const crossing_line *line, double time_frame)
{
    network_point at;
    return interconnect_at(network, traffic, time_frame, &at) == INLAY_OK
               ? line->fixed + line->traffic * at.tau - time_frame
               : INFINITY;
}

/*
 * False position with the end that stays halved in weight (Illinois: M. Dowell, P. Jarratt, BIT 11, 1971), and a
 * bisection where three steps have not halved the bracket: close to saturation tau is too steep for straight lines.
 */
double crossing(const interconnect *network, double traffic, const crossing_line *line, double low, double high)
{
    double at_low = excess(network, traffic, line, low), at_high = excess(network, traffic, line, high);
    double width = high - low;
    if (!(at_low > 0) || !(at_high < 0)) {
        return at_low > 0 ? high : low;
    }
    for (int step = 1, side = 0; nextafter(low, high) < high; step++) {
        double at = isfinite(at_low) ? high - at_high * (high - low) / (at_high - at_low) : NAN;
        if (step % 3 == 0) {
            at = high - low > width / 2 ? NAN : at;
            width = high - low;
        }
        at = at > low && at < high ? at : low + (high - low) / 2;
        double excess_here = excess(network, traffic, line, at);
        if (excess_here == 0) {
            return at;
        }
        if (excess_here > 0) {
            at_high *= side > 0 ? 0.5 : 1;
            low = at;
            at_low = excess_here;
            side = 1;
        } else {
            at_low *= side < 0 ? 0.5 : 1;
            high = at;
            at_high = excess_here;
            side = -1;
        }
    }
    return high;
}

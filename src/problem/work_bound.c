/* Weights of kinds that make the bound large. */
#include "problem/work_bound.h"
#include "problem/kinds.h"
#include <math.h>

/* Module times that are looked at in the search, all kinds together. */
static const double most_steps = 2e7;

/* The sum of the P largest weights. */
static double capacity(const work_question *q, const double *weight)
{
    bool taken[KINDS_MOST] = {false};
    double sum = 0;
    for (inlay_id left = q->processors; left > 0;) {
        int best = -1;
        for (int k = 0; k < q->kinds; k++) {
            best = !taken[k] && (best < 0 || weight[k] > weight[best]) ? k : best;
        }
        if (best < 0) {
            break;
        }
        inlay_id count = q->count[best] < left ? q->count[best] : left;
        taken[best] = true;
        sum += count * weight[best];
        left -= count;
    }
    return sum;
}

static double bound_with(const work_question *q, const double *weight)
{
    int count = q->kinds;
    const double *time = q->time;
    double sum = 0;
    for (inlay_id i = 0; i < q->modules; i++, time += count) {
        double least = INFINITY;
        for (int k = 0; k < count; k++) {
            double weighed = weight[k] * time[k];
            least = weighed < least ? weighed : least;
        }
        sum += isinf(least) ? 0 : least; /* of one that may run nowhere nothing is claimed */
    }
    double most = capacity(q, weight);
    return most > 0 ? sum / most : 0;
}

/* One weight at a time, by steps that halve: as many rounds as the module times that may be looked at allow. */
double work_bound(const work_question *q, double *weight)
{
    int count = q->kinds;
    double best = bound_with(q, weight);
    double rounds = most_steps / (2.0 * count * count * q->modules);
    double factor = 2;
    for (int r = 0; r < 40 && r < rounds; r++, factor = sqrt(factor)) {
        for (int k = 0; k < 2 * count; k++) {
            double *one = &weight[k / 2], before = *one;
            *one = k % 2 == 0 ? before * factor : before / factor;
            double now = bound_with(q, weight);
            if (now > best) {
                best = now;
            } else {
                *one = before;
            }
        }
    }
    return best;
}

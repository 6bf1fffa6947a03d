/* The ring test. See network.h. */
#include "network.h"
#include "pace.h"
#include "plate.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 9, STEPS = 20 };

static const int sizes[] = {8, 256, 1024, 4096, 16384};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Relative root mean square of what lambda + tau x is off by. */
static double misfit(int count, const double *x, const double *y, double lambda, double tau)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double off = (lambda + tau * x[i]) / y[i] - 1;
        sum += off * off;
    }
    return sqrt(sum / count);
}

double network_fit(int count, const double *x, const double *y, double *lambda, double *tau)
{
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
    for (int i = 0; i < count; i++) {
        double weight = 1 / (y[i] * y[i]);
        w += weight;
        wx += weight * x[i];
        wy += weight * y[i];
        wxx += weight * x[i] * x[i];
        wxy += weight * x[i] * y[i];
    }
    *tau = (w * wxy - wx * wy) / (w * wxx - wx * wx);
    *lambda = (wy - *tau * wx) / w;
    if (*lambda < 0) {
        *lambda = 0;
        *tau = wxy / wxx;
    } else if (*tau < 0) {
        *tau = 0;
        *lambda = wy / w;
    }
    return misfit(count, x, y, *lambda, *tau);
}

static double ring_step(int bytes)
{
    return run(&(plate_order){.task = PLATE_RING, .steps = STEPS, .bytes = bytes}, NULL, NULL, NULL).seconds / STEPS;
}

/* What a network or a switch carries of b bytes, headers and all. */
static double carried(const inlay_grid_network *network, int ranks, int bytes)
{
    double frames = network->payload > 0 ? ceil(bytes / (double)network->payload) : 0;
    return (network->wiring == INLAY_GRID_SWITCH ? 1 : ranks) * (bytes + frames * (double)network->frame);
}

double network_measure(int ranks, inlay_grid_network *network)
{
    double seconds[SIZES][ROUNDS], x[SIZES], y[SIZES];
    network->latency = network->per_byte = 0;
    if (ranks == 1) {
        return 0;
    }
    for (int round = 0; round < ROUNDS; round++) { /* in turn: what disturbs some rounds disturbs all sizes */
        for (int s = 0; s < SIZES; s++) {
            seconds[s][round] = ring_step(sizes[s]);
        }
    }
    for (int s = 0; s < SIZES; s++) {
        qsort(seconds[s], ROUNDS, sizeof(double), by_size);
        x[s] = carried(network, ranks, sizes[s]);
        y[s] = fmax(seconds[s][ROUNDS / 2], 1e-7); /* communication takes some time */
    }
    return network_fit(SIZES, x, y, &network->latency, &network->per_byte);
}

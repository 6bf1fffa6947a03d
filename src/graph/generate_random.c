/* Random numbers for generated graphs. Only exact steps: a logarithm may differ in its last bit between computers. */
#include "graph/generate.h"
#include <stdlib.h>

bool draw_open(gsl_rng *stream, uint64_t seed)
{
    /* gsl_rng_alloc() would end the program when out of memory */
    *stream = (gsl_rng){.type = gsl_rng_mt19937, .state = calloc(1, gsl_rng_mt19937->size)};
    if (stream->state == NULL) {
        return false;
    }
    gsl_rng_set(stream, (seed ^ seed >> 32) & UINT32_MAX);
    return true;
}

void draw_close(gsl_rng *stream)
{
    free(stream->state);
}

double draw_unit(const gsl_rng *stream)
{
    uint64_t high = gsl_rng_get(stream) >> 5;
    uint64_t low = gsl_rng_get(stream) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}

int64_t draw_below(const gsl_rng *stream, int64_t below)
{
    return (int64_t)(draw_unit(stream) * (double)below); /* at most 2^-13 of a number off its share */
}

enum { POWERS = sizeof(miss_powers) / sizeof(double) };

miss_powers draw_powers(double hit)
{
    miss_powers miss = {{1 - hit}};
    for (int t = 1; t < POWERS; t++) {
        miss.power[t] = miss.power[t - 1] * miss.power[t - 1];
    }
    return miss;
}

/* The largest k with u <= (1 - hit)^k, for u from (0, 1]: the probability of k or more misses is (1 - hit)^k. */
int64_t draw_misses(const gsl_rng *stream, const miss_powers *miss)
{
    double u = 1 - draw_unit(stream);
    double reached = 1;
    int64_t misses = 0;
    for (int t = POWERS - 1; t >= 0; t--) {
        if (u <= reached * miss->power[t]) {
            reached *= miss->power[t];
            misses += INT64_C(1) << t;
        }
    }
    return misses;
}

/* Random numbers of a simulation. */
#include "simulate/random.h"
#include "base/diag.h"
#include "base/memory.h"
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

/* Made by hand: gsl_rng_alloc() calls GSL's error handler, which ends the program, where there is no memory. */
bool random_make(random_streams *r)
{
    *r = (random_streams){0};
    for (int s = 0; s < STREAMS; s++) {
        r->stream[s] = (gsl_rng){gsl_rng_mt19937, memory_array(1, gsl_rng_mt19937->size)};
        if (r->stream[s].state == NULL) {
            random_clear(r);
            return false;
        }
    }
    return true;
}

void random_clear(random_streams *r)
{
    for (int s = 0; s < STREAMS; s++) {
        free(r->stream[s].state);
        r->stream[s].state = NULL;
    }
}

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014): neighbouring numbers become unlike ones. */
static uint64_t mix(uint64_t z)
{
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void random_seed(random_streams *r, uint64_t seed, int64_t replication)
{
    uint64_t base = mix(mix(seed) ^ (uint64_t)replication);
    for (int s = 0; s < STREAMS; s++) {
        /* this generator takes 32 bits, and 0 for a default of its own */
        gsl_rng_set(&r->stream[s], (unsigned long)(mix(base ^ (uint64_t)s) & 0xffffffff) | 1);
    }
}

const char *inlay_spread_name(inlay_spread_kind kind)
{
    static const char *const names[] = {"constant", "exponential", "uniform", "normal", "kind"};
    return names[kind];
}

int spread_check(const inlay_spread *spread, const char *what, inlay_diag *diag)
{
    static const double most[] = {INFINITY, INFINITY, 0.57735026918962576, 1}; /* 1/sqrt(3) */
    if ((unsigned)spread->kind > INLAY_SPREAD_NORMAL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s have distribution %d; expected 0 to %d", what, (int)spread->kind,
                         INLAY_SPREAD_NORMAL);
    }
    if (!(spread->cv >= 0 && spread->cv <= most[spread->kind])) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%s are %s with a coefficient of variation of %g; expected 0 to %.6g", what,
                         inlay_spread_name(spread->kind), spread->cv, most[spread->kind]);
    }
    return INLAY_OK;
}

double spread_draw(const inlay_spread *spread, random_streams *r, random_stream stream)
{
    const gsl_rng *from = &r->stream[stream];
    double factor;
    switch (spread->kind) {
    case INLAY_SPREAD_EXPONENTIAL: return gsl_ran_exponential(from, 1);
    case INLAY_SPREAD_UNIFORM: return fmax(0, 1 + sqrt(3) * spread->cv * (2 * gsl_rng_uniform(from) - 1));
    case INLAY_SPREAD_NORMAL: do { factor = 1 + gsl_ran_gaussian_ziggurat(from, spread->cv);
        } while (!(factor >= 0 && factor <= 2));
        return factor;
    default: return 1;
    }
}

inlay_id random_id(random_streams *r, random_stream stream, inlay_id below)
{
    return below <= 1 ? 0 : (inlay_id)gsl_rng_uniform_int(&r->stream[stream], (unsigned long)below);
}

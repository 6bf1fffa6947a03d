/* Random numbers of a simulation: GSL's generators, each stream with a seed of its own. */
#ifndef SIMULATE_RANDOM_H
#define SIMULATE_RANDOM_H

#include <gsl/gsl_rng.h>
#include <inlay/simulate.h>

/** What is drawn from one generator: so that a change to one does not shift another. */
typedef enum random_stream {
    STREAM_MODULES,
    STREAM_TRANSFERS,
    STREAM_MEMORIES,
    STREAM_THINKING,
    STREAM_VICTIMS,
    STREAM_DOUBTS,
    STREAMS
} random_stream;

typedef struct random_streams {
    gsl_rng stream[STREAMS];
} random_streams;

/** False when out of memory. */
bool random_make(random_streams *r);
void random_clear(random_streams *r);

/** Begin anew, as replication number `replication` of that seed. */
void random_seed(random_streams *r, uint64_t seed, int64_t replication);

/** INLAY_BAD_ARGUMENT with a message where it is no distribution that there is. `what`: "the module times" */
int spread_check(const inlay_spread *spread, const char *what, inlay_diag *diag);

/** Whether it is more than a constant. */
static inline bool spread_is_random(const inlay_spread *spread)
{
    return spread->kind == INLAY_SPREAD_EXPONENTIAL || (spread->kind != INLAY_SPREAD_CONSTANT && spread->cv > 0);
}

/** A factor, 1 on the average. */
double spread_draw(const inlay_spread *spread, random_streams *r, random_stream stream);

/** 0 .. below-1, each as likely. */
inlay_id random_id(random_streams *r, random_stream stream, inlay_id below);

#endif

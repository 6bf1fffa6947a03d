/*
 * Synchronous and cyclo-static dataflow graphs: actors that fire again and again, and channels of tokens between them.
 *
 * A firing of an actor takes tokens from the channels that end at it, runs, and puts tokens into those that begin there,
 * as many as its phase says; firing k is in phase k modulo the actor's phases (one phase: synchronous dataflow, E. A. Lee
 * and D. G. Messerschmitt, "Synchronous data flow", Proc. IEEE 75 (1987); more: G. Bilsen et al., "Cyclo-static dataflow",
 * IEEE Trans. Signal Process. 44 (1996)). Tokens are taken in the order of the firings that put them there. Firings of one
 * actor may run at once, unless a channel from the actor to itself forbids it: with one token, one at a time.
 *
 * The least numbers of firings after which every channel holds as many tokens as before are an iteration. An inlay_app has
 * the firings of some iterations as its modules.
 *
 * Ownership: a graph has copies of all that it was given. Threads: one that is sealed may be read by several at once.
 */
#ifndef INLAY_SDF_H
#define INLAY_SDF_H

#include <inlay/app.h>

typedef struct inlay_sdf inlay_sdf;

/* ---- Building one ---- */

/** @param unit  of times; INLAY_UNIT_NONE means seconds. NULL when out of memory. */
INLAY_API inlay_sdf *inlay_sdf_new(const char *name, inlay_unit unit);
INLAY_API void inlay_sdf_free(inlay_sdf *sdf);

/**
 * Adds an actor; its number is the count of actors before.
 * @param phases  1 or more
 */
INLAY_API int inlay_sdf_add_actor(inlay_sdf *sdf, const char *name, int32_t phases, inlay_diag *diag);

/** The times of an actor's phases, 0 or more; where none are given they are 0. @param type  of processors; NULL: general */
INLAY_API int inlay_sdf_set_times(inlay_sdf *sdf, inlay_id actor, const char *type, const inlay_decimal *time,
                                  inlay_diag *diag);

/** An actor's firings may not run on processors of that type: in place of times. */
INLAY_API int inlay_sdf_forbid_type(inlay_sdf *sdf, inlay_id actor, const char *type, inlay_diag *diag);

/** The processor that has to run an actor's firings. */
INLAY_API int inlay_sdf_pin(inlay_sdf *sdf, inlay_id actor, inlay_id processor, inlay_diag *diag);

/** Tokens and rates are at most 2^40. */
typedef struct inlay_sdf_channel {
    const char *name; /**< for messages */
    inlay_id from, to;
    const int64_t *produced; /**< by phase of `from` */
    const int64_t *consumed; /**< by phase of `to` */
    int64_t tokens;          /**< that it holds at first */
    int64_t token_bits;      /**< of each token; a link has whole bytes */
    const char *data; /**< the same tokens go into all channels of one actor that name this; NULL: into none else */
    long line;        /**< of the file, for messages; 0 unknown */
} inlay_sdf_channel;

INLAY_API int inlay_sdf_add_channel(inlay_sdf *sdf, const inlay_sdf_channel *channel, inlay_diag *diag);

/** Iterations in one unit of time that the graph is meant to make; informs only. */
INLAY_API void inlay_sdf_require(inlay_sdf *sdf, double throughput);

/**
 * Finish: the repetition vector, and whether an iteration can be made. INLAY_BAD_INPUT where rates do not agree (no
 * iteration puts back what it took), or where firings wait for each other for ever; where an iteration has more than
 * 2^22 firings. @param source  the file, for messages
 */
INLAY_API int inlay_sdf_seal(inlay_sdf *sdf, const char *source, inlay_diag *diag);

/* ---- A sealed one ---- */

INLAY_API const char *inlay_sdf_name(const inlay_sdf *sdf);
INLAY_API inlay_unit inlay_sdf_unit(const inlay_sdf *sdf);
INLAY_API inlay_id inlay_sdf_actors(const inlay_sdf *sdf);
INLAY_API const char *inlay_sdf_actor_name(const inlay_sdf *sdf, inlay_id actor);
INLAY_API int32_t inlay_sdf_phases(const inlay_sdf *sdf, inlay_id actor);
INLAY_API inlay_decimal inlay_sdf_time(const inlay_sdf *sdf, inlay_id actor, int32_t phase); /**< the general one */
INLAY_API int64_t inlay_sdf_repetitions(const inlay_sdf *sdf, inlay_id actor); /**< firings in one iteration */
INLAY_API int64_t inlay_sdf_firings(const inlay_sdf *sdf);                     /**< of all actors in one iteration */
INLAY_API int64_t inlay_sdf_channels(const inlay_sdf *sdf);
INLAY_API inlay_sdf_channel inlay_sdf_channel_at(const inlay_sdf *sdf, int64_t channel);
INLAY_API double inlay_sdf_required(const inlay_sdf *sdf); /**< iterations in one unit of time; 0 where not said */

/**
 * The least time between iterations on unlimited processors with free messages: over all cycles of firings the largest
 * ratio of their times to the iterations that their tokens are ahead (R. Reiter, J. ACM 15 (1968)). Exact, by policy
 * iteration (R. A. Howard; A. Dasdan, ACM TODAES 9 (2004)).
 */
typedef struct inlay_sdf_period {
    bool bounded;                   /**< whether there is a cycle; else iterations can follow each other at once */
    int64_t numerator, denominator; /**< in units of time; without a common divisor */
    inlay_id actors;                /**< on a cycle that has this ratio, each once */
    const inlay_id *actor;          /**< which, in the order of the cycle; of the graph, which keeps them */
} inlay_sdf_period;

/** Computed by inlay_sdf_seal(). */
INLAY_API inlay_sdf_period inlay_sdf_least_period(const inlay_sdf *sdf);

/**
 * The firings of so many iterations, one or more, as an application: module `ACTOR`, or `ACTOR#K` for firing K from 0
 * where an actor fires more than once; its kind is the actor. A link for each channel and pair of firings of which one takes
 * what the other put: one message, with the bytes of these tokens. Tokens that are there at first, and those that are left,
 * make no link. INLAY_OVERFLOW where there would be more than 2^22 modules. The application keeps the graph: inlay_app_sdf().
 */
INLAY_API int inlay_sdf_app(inlay_sdf *sdf, int32_t iterations, inlay_app **app, inlay_diag *diag);

/** The dataflow graph of which the application has the firings; NULL: of none. It lives as long as the application. */
INLAY_API const inlay_sdf *inlay_app_sdf(const inlay_app *app);
INLAY_API int32_t inlay_app_iterations(const inlay_app *app); /**< how many iterations it has; 0 of none */

#endif

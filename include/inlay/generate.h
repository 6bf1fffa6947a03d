/*
 * Applications that are computed instead of read: factorisations, transforms, grids, trees, random graphs and workflows
 * of any size.
 *
 * A kind of graph is told by its sizes; inlay_generator_at() tells which. The same options give the same application on
 * every computer. What is random is drawn from GSL's Mersenne twister (gsl_rng_mt19937), seeded with the lower half of
 * `seed` exclusive-or its upper half: first what the kind draws, then one factor a module where heterogeneity is asked
 * for.
 *
 * A module has work: operations of its kernel, where the kind knows them (they are its `arithmetic` too), else as many
 * as INLAY_SIZE_WORK says. A tick is the time of one operation; with a rate, times are in seconds.
 */
#ifndef INLAY_GENERATE_H
#define INLAY_GENERATE_H

#include <inlay/app.h>

/** What a kind can be asked for. A kind takes some of these, and refuses the others. */
typedef enum inlay_size {
    INLAY_SIZE_SIZE,       /**< side of a matrix or a grid, points of a transform, images, lanes, sites */
    INLAY_SIZE_TILES,      /**< tiles along a side of a matrix */
    INLAY_SIZE_TILE,       /**< elements along a side of a tile or block */
    INLAY_SIZE_DIMENSIONS, /**< of a grid */
    INLAY_SIZE_STEPS,      /**< one after the other */
    INLAY_SIZE_LEVELS,     /**< of a tree or of layers */
    INLAY_SIZE_DEGREE,     /**< children of a node; inputs of a module on average */
    INLAY_SIZE_WIDTH,      /**< modules side by side */
    INLAY_SIZE_MODULES,    /**< in all */
    INLAY_SIZE_WORK,       /**< operations of a module */
    INLAY_SIZE_BYTES,      /**< of a link */
    INLAY_SIZE_ELEMENT,    /**< bytes of an element of a matrix */
    INLAY_SIZES
} inlay_size;

INLAY_API const char *inlay_size_name(inlay_size size); /**< "size", "tiles", ... */

/** What values a size may have; `most` is 0 where the kind does not take it. */
typedef struct inlay_size_range {
    int64_t least, initial, most;
} inlay_size_range;

/** One kind of graph. A name may stand twice, for kinds that are told apart by the sizes they take. */
typedef struct inlay_generator {
    const char *name;
    const char *summary;
    const char *modules, *links; /**< how many there are, in terms of the sizes; on average where `drawn` */
    inlay_size_range sizes[INLAY_SIZES];
    double density; /**< the default of the probability that the kind takes; below 0 where it takes none */
    bool drawn;     /**< the links are random */
    bool inputs;    /**< data are tiles of a matrix, called A and row.column, which can be data blocks at the start */
    double rate;    /**< operations a second where no other rate is asked for; 0: ticks */
} inlay_generator;

INLAY_API size_t inlay_generators(void);
INLAY_API inlay_generator inlay_generator_at(size_t i);

/** Zero-initialise, then set what is wanted. */
typedef struct inlay_generator_options {
    const char *kind;
    int64_t sizes[INLAY_SIZES]; /**< 0: the kind's default */
    bool has_density;
    double density; /**< 0 .. 1 */

    /** Tiled factorisations: the tiles as data blocks, which lie in memory when the run begins; the first kernel of each uses it. */
    bool inputs;

    double rate; /**< operations a second; 0: the kind's default, which for most is ticks */

    /**
     * h: every module's time is multiplied by a factor drawn from [1 - h/2, 1 + h/2), 0 <= h <= 2. `arithmetic` stays.
     */
    double heterogeneity;

    /**
     * Scale the traffic so that (traffic of all links / bandwidth) / (time of all modules) = ccr. Traffic is bytes where
     * times are in seconds, else messages. Every link keeps its share to within one byte or message; the sum is met to
     * within a half.
     */
    bool has_ccr;
    double ccr;
    double bandwidth; /**< bytes a second (0: 10^9), or messages a tick (0: 1); goes with ccr */

    uint64_t seed;
} inlay_generator_options;

/**
 * Make an application of a kind.
 * INLAY_BAD_ARGUMENT where the options ask for something that cannot be, INLAY_OVERFLOW where there would be more than
 * 2^31 - 2 modules or sums would leave 64 bits, INLAY_NO_MEMORY where the graph needs more memory than the computer has.
 */
INLAY_API int inlay_generate(const inlay_generator_options *options, inlay_app **app, inlay_diag *diag);

#endif

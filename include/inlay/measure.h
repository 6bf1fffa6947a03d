/*
 * What measured times come to: latency and bandwidth of messages, how a ring of messages shares its network, and how a cycle
 * of communication grows. Times are in seconds.
 *
 * Errors: INLAY_NO_MEMORY; results are then not to be used.
 */
#ifndef INLAY_MEASURE_H
#define INLAY_MEASURE_H

#include <inlay/metasystem.h>
#include <inlay/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Messages ---- */

/** How two or more ranks that talk at once share the medium, in the order in which ties are decided. */
typedef enum inlay_medium { INLAY_MEDIUM_SWITCH, INLAY_MEDIUM_BUS, INLAY_MEDIUM_HALF_DUPLEX } inlay_medium;
enum { INLAY_MEDIA = 3 };

/** "switch", "bus" or "half-duplex". */
INLAY_API const char *inlay_medium_name(inlay_medium kind);

/**
 * Messages that take so much longer from a size on: MPI mostly announces long messages before it sends them. What a
 * machine file says by latency_by_size; the line alone is told, too.
 */
typedef struct inlay_step_fit {
    double seconds;           /**< 0: there is none */
    double size;              /**< bytes of the smallest message that takes them */
    double latency, per_byte; /**< of the line that is left */
    double residual;          /**< of line and step together */
} inlay_step_fit;

/** A message of s bytes takes latency + s per_byte. Errors are (fitted - measured) / measured. */
typedef struct inlay_message_fit {
    int pairs; /**< 0: there is no fit */
    double latency, per_byte;
    inlay_step_fit step;
    double residual;       /**< root mean square of the errors over all pairs and sizes */
    double largest;        /**< largest magnitude of an error */
    double spread;         /**< of the runs: the median over all pairs and sizes */
    double largest_spread; /**< and the largest */
    double pair_spread;    /**< of the medians of pairs at one size; the largest over the sizes */
} inlay_message_fit;

/** Residuals of what a ring would take on each medium, by what pairs of its class take alone. */
typedef struct inlay_ring_fit {
    int ranks; /**< 0: there is no ring */
    double residual[INLAY_MEDIA];
    double spread; /**< of the runs: the largest over the sizes */
    inlay_medium kind;
} inlay_ring_fit;

/** Bytes a second; infinite where size does not matter. */
INLAY_API double inlay_fit_bandwidth(const inlay_message_fit *fit);

/** Times by size that a fit goes through. */
typedef struct inlay_fit_points {
    double *size, *seconds, *spread; /**< by point */
    size_t count;
    const double
        *whole; /**< what errors are relative to, by point: the message of which these are a part; NULL: seconds */
} inlay_fit_points;

/**
 * Least squares with weights 1/t^2 and no negative term: GSL's linear fits. A step is looked for only where the line is
 * not enough. The pairs are the caller's to set.
 * @param sizes   ascending; the points are so many for each pair, in that order
 * @return INLAY_NO_MEMORY
 */
INLAY_API int inlay_fit_messages(const inlay_fit_points *points, const int64_t *size, int sizes,
                                 inlay_message_fit *result);

/** What a ring is judged by; all by size. */
typedef struct inlay_ring_points {
    const int64_t *size; /**< bytes */
    const double *alone; /**< seconds of a message while no other is under way */
    const double *step;  /**< seconds of a step of the ring */
    int sizes;
} inlay_ring_points;

/** The residuals of a ring's steps, and the kind with the smallest. */
INLAY_API inlay_ring_fit inlay_fit_ring(const inlay_ring_points *points, int ranks, double per_byte);

/* ---- Growth: T(p, b) = c1 + c2 f(p) + b (c3 + c4 f(p)), EQ 1 of <inlay/select.h> ---- */

enum { INLAY_GROWTHS = 3, INLAY_COEFFICIENTS = 4 };

/** The functions f, the simplest first: constant, log, linear. */
extern __attribute__((visibility("default"))) const inlay_growth inlay_growth_order[INLAY_GROWTHS];

/** A cycle as measured. */
typedef struct inlay_growth_point {
    int processors; /**< 2 at least */
    double bytes, seconds, spread;
} inlay_growth_point;

/** The c with the least sum of squares of relative errors, (fitted - measured) / measured, none of them negative. */
typedef struct inlay_growth_fit {
    bool fitted;                  /**< else there are too few numbers of processors, and all else is 0 */
    double c[INLAY_COEFFICIENTS]; /**< seconds, and seconds a byte; of a constant c2 = c4 = 0 */
    double residual;              /**< root mean square of the errors */
    double largest;               /**< largest magnitude of an error */
    double criterion;             /**< corrected Akaike value; infinite where there are too few points for it */
} inlay_growth_fit;

/** Zero-initialise. */
typedef struct inlay_pattern_fit {
    inlay_growth_point *point;
    size_t points;
    int counts;                          /**< different numbers of processors */
    inlay_growth_fit fit[INLAY_GROWTHS]; /**< in inlay_growth_order */
    int chosen;                          /**< the simplest whose criterion is within 2 of the least */
    double spread;                       /**< of the repeats, the median over the points */
} inlay_pattern_fit;

/** Seconds that a fit gives. */
INLAY_API double inlay_growth_seconds(const inlay_growth_fit *fit, inlay_growth growth, int processors, double bytes);

/**
 * Fit all functions that the points can tell apart: a constant for one number of processors, that and the logarithm for
 * two, else all. There are two sizes of bytes at least. The points and `counts` are given.
 * @return INLAY_NO_MEMORY
 */
INLAY_API int inlay_fit_growths(inlay_pattern_fit *pattern);

#endif

/* What a measurement comes to: medians, fits, the kind of the network, and warnings. */
#ifndef TOOLS_MEASURE_ANALYSIS_H
#define TOOLS_MEASURE_ANALYSIS_H

#include "raw.h"

/** Of all repeats: the median, and (most - least) / median. */
typedef struct figure {
    double median, spread;
} figure;

figure figure_of(const series *values);

/** How two or more ranks that talk at once share the medium, in the order in which ties are decided. */
typedef enum medium { MEDIUM_SWITCH, MEDIUM_BUS, MEDIUM_HALF_DUPLEX } medium;
enum { MEDIA = 3 };

/** "switch", "bus" or "half-duplex". */
const char *medium_name(medium kind);

/**
 * Messages that take so much longer from a size on: MPI mostly announces long messages before it sends them. A machine
 * file has no place for it, so that this explains the errors of a line and replaces none.
 */
typedef struct step_fit {
    double seconds;           /**< 0: there is none */
    double size;              /**< bytes of the smallest message that takes them */
    double latency, per_byte; /**< of the line that is left */
    double residual;          /**< of line and step together */
} step_fit;

/** A message of s bytes takes latency + s per_byte. Errors are (fitted - measured) / measured. */
typedef struct class_fit {
    int pairs; /**< 0: there is no fit */
    double latency, per_byte;
    step_fit step;
    double residual;       /**< root mean square of the errors over all pairs and sizes */
    double largest;        /**< largest magnitude of an error */
    double spread;         /**< of the runs: the median over all pairs and sizes */
    double largest_spread; /**< and the largest */
    double pair_spread;    /**< of the medians of pairs at one size; the largest over the sizes */
} class_fit;

/** Residuals of what a ring would take on each medium, by what pairs of its class take alone. */
typedef struct ring_fit {
    int ranks; /**< 0: there is no ring */
    double residual[MEDIA];
    double spread; /**< of the runs: the largest over the sizes */
    medium kind;
} ring_fit;

typedef struct rank_figures {
    figure arithmetic_alone, arithmetic_all, function_alone, function_all;
    double speed; /**< against the fastest rank; all 1 where they differ by no more than the spread */
} rank_figures;

typedef struct host_figures {
    figure alone, all;
} host_figures;

enum { WARNINGS = 64, WARNING_TEXT = 384 };

/** Zero-initialise. */
typedef struct analysis {
    const raw *of;
    rank_figures *rank; /**< ours */
    host_figures *host; /**< ours */
    class_fit fit[CLASSES];
    ring_fit ring[CLASSES];
    int fastest; /**< rank whose arithmetic takes least, of speed 1 */
    bool unlike; /**< the speeds differ */
    char warning[WARNINGS][WARNING_TEXT];
    int warnings;
} analysis;

/** @return INLAY_NO_MEMORY; `result` is the caller's to clear where this succeeds. `measured` has to live as long. */
int analysis_make(const raw *measured, analysis *result);
void analysis_clear(analysis *a);

/** One sentence more, cut where it is long; what is beyond WARNINGS is left out. */
void analysis_warn(analysis *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The class that joins the whole machine. */
pair_class analysis_class(const analysis *a);

/** Bytes a second; infinite where size does not matter. */
double fit_bandwidth(const class_fit *fit);

/* ---- What it is made of ---- */

/** Times by size that a fit goes through. */
typedef struct fit_points {
    double *size, *seconds, *spread; /**< by point */
    size_t count;
} fit_points;

/**
 * Least squares with weights 1/t^2 and no negative term: GSL's linear fits. A step is looked for only where the line is
 * not enough. The pairs are the caller's to set.
 * @param sizes   ascending; the points are so many for each pair, in that order
 * @return INLAY_NO_MEMORY
 */
int fit_times(const fit_points *points, const int64_t *size, int sizes, class_fit *result);

/** What a ring is judged by; all by size. */
typedef struct ring_points {
    const int64_t *size; /**< bytes */
    const double *alone; /**< seconds of a message while no other is under way */
    const double *step;  /**< seconds of a step of the ring */
    int sizes;
} ring_points;

/** The residuals of a ring's steps, and the kind with the smallest. */
ring_fit fit_ring(const ring_points *points, int ranks, double per_byte);

#endif

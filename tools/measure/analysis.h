/* What a measurement comes to: medians, fits, the kind of the network, and warnings. */
#ifndef TOOLS_MEASURE_ANALYSIS_H
#define TOOLS_MEASURE_ANALYSIS_H

#include "raw.h"
#include <inlay/measure.h>

/** Of all repeats: the median, and (most - least) / median. */
typedef struct figure {
    double median, spread;
} figure;

figure figure_of(const series *values);

typedef struct rank_figures {
    figure arithmetic_alone, arithmetic_all, function_alone, function_all;
    double speed; /**< against the fastest rank; all 1 where they differ by no more than the spread */
} rank_figures;

typedef struct host_figures {
    figure alone, all;
} host_figures;

enum { WARNINGS = 64, WARNING_TEXT = 384 };

/**
 * For how long a message between ranks of the class that joins the machine keeps the one that sends it and the one that
 * receives it, by size.
 */
typedef struct overhead_figures {
    double *send, *receive; /**< ours; NULL: not known */
    int waits; /**< the first size at which a message between hosts waits for its receiver; the number of sizes: none */
} overhead_figures;

/** Zero-initialise. */
typedef struct analysis {
    const raw *of;
    rank_figures *rank; /**< ours */
    host_figures *host; /**< ours */
    inlay_message_fit fit[CLASSES];
    inlay_message_fit rest[CLASSES]; /**< of what is left of a message without `overheads`; else the same */
    overhead_figures overheads;
    inlay_ring_fit ring[CLASSES];
    int fastest; /**< rank whose arithmetic takes least, of speed 1 */
    bool unlike; /**< the speeds differ */
    char warning[WARNINGS][WARNING_TEXT];
    int warnings;
} analysis;

/** @return INLAY_NO_MEMORY; `result` is the caller's to clear where this succeeds. `measured` has to live as long. */
int analysis_make(const raw *measured, analysis *result);
void analysis_clear(analysis *a);

/**
 * Find the overheads, and fit what they leave of messages. All other fits are there.
 * @return INLAY_NO_MEMORY
 */
int analysis_find_overheads(analysis *a);

/** The medians of all pairs of a class by pair and size, and their spreads, for which `points` has room. */
void analysis_points(const raw *r, pair_class class, inlay_fit_points *points);

/** Warns of others that ran just before. */
void analysis_warn_of_others(analysis *a);

/** One sentence more, cut where it is long; what is beyond WARNINGS is left out. */
void analysis_warn(analysis *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The class that joins the whole machine. */
pair_class analysis_class(const analysis *a);

#endif

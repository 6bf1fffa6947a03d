/* What a measurement comes to: medians, fits, the kind of the network, and warnings. */
#ifndef TOOLS_MEASURE_ANALYSIS_H
#define TOOLS_MEASURE_ANALYSIS_H

#include "raw.h"
#include <inlay/measure.h>

/** Of all repeats: the median, and (most - least) / median. */
typedef struct inlay_figure {
    double median, spread;
} inlay_figure;

inlay_figure inlay_figure_of(const inlay_repeats *values);

typedef struct inlay_rank_figures {
    inlay_figure arithmetic_alone, arithmetic_all, function_alone, function_all;
    double speed; /**< against the fastest rank; all 1 where they differ by no more than the spread */
} inlay_rank_figures;

typedef struct inlay_host_figures {
    inlay_figure alone, all;
} inlay_host_figures;

enum { WARNINGS = 64, WARNING_TEXT = 384 };

/**
 * For how long a message between ranks of the class that joins the machine keeps the one that sends it and the one that
 * receives it, by size.
 */
typedef struct inlay_overhead_figures {
    double *send, *receive; /**< ours; NULL: not known */
    int waits; /**< the first size at which a message between hosts waits for its receiver; the number of sizes: none */
} inlay_overhead_figures;

/** Zero-initialise. */
typedef struct inlay_machine_fit {
    const inlay_raw *of;
    inlay_rank_figures *rank; /**< ours */
    inlay_host_figures *host; /**< ours */
    inlay_message_fit fit[INLAY_PAIR_CLASSES];
    inlay_message_fit rest[INLAY_PAIR_CLASSES]; /**< of what is left of a message without `overheads`; else the same */
    inlay_overhead_figures overheads;
    inlay_ring_fit ring[INLAY_PAIR_CLASSES];
    int fastest; /**< rank whose arithmetic takes least, of speed 1 */
    bool unlike; /**< the speeds differ */
    char warning[WARNINGS][WARNING_TEXT];
    int warnings;
} inlay_machine_fit;

/** @return INLAY_NO_MEMORY; `result` is the caller's to clear where this succeeds. `measured` has to live as long. */
int analysis_make(const inlay_raw *measured, inlay_machine_fit *result);
void analysis_clear(inlay_machine_fit *a);

/**
 * Find the overheads, and fit what they leave of messages. All other fits are there.
 * @return INLAY_NO_MEMORY
 */
int analysis_find_overheads(inlay_machine_fit *a);

/** The medians of all pairs of a class by pair and size, and their spreads, for which `points` has room. */
void analysis_points(const inlay_raw *r, inlay_pair_class class, inlay_fit_points *points);

/** Warns of others that ran just before. */
void analysis_warn_of_others(inlay_machine_fit *a);

/** One sentence more, cut where it is long; what is beyond WARNINGS is left out. */
void analysis_warn(inlay_machine_fit *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The class that joins the whole machine. */
inlay_pair_class analysis_class(const inlay_machine_fit *a);

#endif

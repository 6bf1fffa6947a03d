/* What a measurement comes to: how it is made. Warnings tell where a figure is doubtful. */
#ifndef MEASURE_ANALYSIS_H
#define MEASURE_ANALYSIS_H

#include <inlay/raw.h>

/* Each fills a zeroed result, whose arrays are the caller's also where it fails. INLAY_NO_MEMORY. */
int analysis_make(const inlay_raw *measured, inlay_machine_fit *a, inlay_diag *diag);
int topology_make(const inlay_machine_fit *a, const bool wanted[INLAY_PATTERNS], inlay_metasystem_fit *t,
                  inlay_diag *diag);
int advisor_make(const inlay_raw *measured, inlay_advisor_fit *a, inlay_diag *diag);

/* ---- What they are made of ---- */

/**
 * Find the overheads, and fit what they leave of messages. All other fits are there.
 * @return INLAY_NO_MEMORY
 */
int analysis_find_overheads(inlay_machine_fit *a);

/** The medians of all pairs of a class by pair and size, and their spreads, for which `points` has room. */
void analysis_points(const inlay_raw *r, inlay_pair_class class, inlay_fit_points *points);

/** Warns of others that ran just before. */
void analysis_warn_of_others(const inlay_raw *r, inlay_diag *diag);

/** Bytes that the medium carries in a step of the ring, of messages of one byte. */
double advisor_share(const inlay_advisor_fit *a);

#endif

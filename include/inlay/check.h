/*
 * The independent checker: reads a mapping's file, recomputes every number from the application and the machine alone,
 * and says what does not hold. It shares with the rest of the library only what the public headers offer.
 */
#ifndef INLAY_CHECK_H
#define INLAY_CHECK_H

#include <inlay/io.h>
#include <inlay/mapping.h>

/** Findings, one line each. */
typedef struct inlay_findings inlay_findings;

/** Zero-initialised, these are the defaults. */
typedef struct inlay_check_options {
    const char *app; /**< where to find the application instead of the path in the file; NULL: as the file says */
    bool strict;     /**< run the method again, too: the mapping has to be the one that it makes */
} inlay_check_options;

/**
 * Check a mapping.json against its application and machine, both read anew from what the file names. Simulated times of
 * mappings that are too large to be simulated by the checker's slow simulator are left out, with a warning.
 * @param options  NULL: the defaults
 * Returns INLAY_OK when the check could be made, whatever it found; INLAY_BAD_INPUT when the file cannot be read.
 */
INLAY_API int inlay_check_file(const char *path, const inlay_check_options *options, inlay_findings **findings,
                               inlay_diag *diag);

INLAY_API size_t inlay_findings_count(const inlay_findings *findings); /**< 0: the mapping holds */
INLAY_API const char *inlay_findings_text(const inlay_findings *findings, size_t i);
INLAY_API size_t inlay_findings_checked(const inlay_findings *findings); /**< how many numbers were recomputed */
INLAY_API size_t inlay_findings_believed(
    const inlay_findings *findings); /**< how many stand as the file has them: a method's own that was not run again */
INLAY_API void inlay_findings_free(inlay_findings *findings);

#endif

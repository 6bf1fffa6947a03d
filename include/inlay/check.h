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

/**
 * Check a mapping.json against its application and machine, both read anew from what the file names.
 * @param app_path  where to find the application instead of the path in the file; NULL: as the file says.
 * Returns INLAY_OK when the check could be made, whatever it found; INLAY_BAD_INPUT when the file cannot be read.
 */
INLAY_API int inlay_check_file(const char *path, const char *app_path, inlay_findings **findings, inlay_diag *diag);

INLAY_API size_t inlay_findings_count(const inlay_findings *findings); /**< 0: the mapping holds */
INLAY_API const char *inlay_findings_text(const inlay_findings *findings, size_t i);
INLAY_API size_t inlay_findings_checked(const inlay_findings *findings); /**< how many numbers were recomputed */
INLAY_API void inlay_findings_free(inlay_findings *findings);

#endif

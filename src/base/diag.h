/* Writing diagnostics: what inlay/status.h lets the caller read. Every function accepts diag == NULL. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <inlay/status.h>

/** Record an error and return `status`, so that a caller can write `return diag_fail(...)`. The first error stays. */
int diag_fail(inlay_diag *diag, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** The same for a place in a file: `FILE:LINE: text`, or `FILE: text` where line is 0. */
int diag_fail_at(inlay_diag *diag, int status, const char *file, long line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/** Out of memory. Inline, so that a reader (and an analyser) sees that it is never INLAY_OK. */
static inline int diag_no_memory(inlay_diag *diag)
{
    diag_fail(diag, INLAY_NO_MEMORY, "out of memory");
    return INLAY_NO_MEMORY;
}

/** Add a warning; the same text is kept once. */
void diag_warn(inlay_diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The option that would work, for example ("-T", "133"). */
void diag_remedy(inlay_diag *diag, const char *option, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** Forget the error and its remedy (not the warnings): for callers that try several ways. */
void diag_clear_error(inlay_diag *diag);

#endif

/* Writing diagnostics: what inlay/status.h lets the caller read. Every function accepts diag == NULL. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <inlay/outputs.h>
#include <stdbool.h>

struct text_buffer;

/**
 * The first line of each public function with a diagnostic (tests/diag.sh looks for it): what the caller's last call left
 * there is forgotten. Public functions call each other with the caller's diagnostic and must not forget for one another,
 * so a diagnostic counts the calls that it is in: the outermost alone clears it, and the compiler counts back at every
 * return.
 */
// NOLINTBEGIN(bugprone-macro-parentheses): the macros stand for a declaration
#define DIAG_CALL(diag) inlay_diag *diag_entered __attribute__((cleanup(diag_leave), unused)) = diag_enter(diag, false)

/** The same, for what writes the warnings that are there: it forgets the error alone. */
#define DIAG_CALL_WITH_WARNINGS(diag)                                                                                  \
    inlay_diag *diag_entered __attribute__((cleanup(diag_leave), unused)) = diag_enter(diag, true)
// NOLINTEND(bugprone-macro-parentheses)

inlay_diag *diag_enter(inlay_diag *diag, bool with_warnings);
void diag_leave(inlay_diag *const *entered);

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

/** What inlay_diag_set_most_unpacked() allows. */
int64_t diag_most_unpacked(const inlay_diag *diag);

/** Refuse a packed input that unpacks to more; INLAY_BAD_INPUT. */
int diag_too_large(inlay_diag *diag, const char *file);

/** Add a warning; the same text is kept once. */
void diag_warn(inlay_diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The option that would work, for example ("-T", "133"). The first that is told stays. */
void diag_remedy(inlay_diag *diag, const char *option, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** One more that has to go with it, or another value of one that is there; false where that changes nothing. */
bool diag_remedy_too(inlay_diag *diag, const char *option, const char *value);

/** Nothing that is known works. */
void diag_forget_remedies(inlay_diag *diag);

/** Forget the error and its remedy (not the warnings): for callers that try several ways. */
void diag_clear_error(inlay_diag *diag);

/** Where the files wait that are written with it; NULL: they do not. */
inlay_outputs *diag_outputs(const inlay_diag *diag);

/** What calls with it write goes to a text from now on, wherever it was to go; NULL: no longer. */
void diag_capture(inlay_diag *diag, struct text_buffer *into);
struct text_buffer *diag_captures(const inlay_diag *diag);

#endif

/*
 * Status codes and diagnostics.
 *
 * Every function that can fail returns INLAY_OK (0) or a negative code and explains itself in the inlay_diag it was
 * given (NULL: the caller does not want to know). On failure its output parameters are unchanged and nothing leaks.
 *
 * A diagnostic tells about the last call that it was given to: each forgets what those before it said, the error, its
 * remedies and the warnings, so that one diagnostic serves any number of calls. What puts the warnings that
 * are there into its file, as inlay_mapping_write() does, and inlay_diag_keep_warnings() leave the warnings.
 * The library never prints and never exits.
 */
#ifndef INLAY_STATUS_H
#define INLAY_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What the library exports: functions of C, for C++ too. */
#ifdef __cplusplus
#define INLAY_API extern "C" __attribute__((visibility("default")))
#else
#define INLAY_API __attribute__((visibility("default")))
#endif

enum inlay_status {
    INLAY_OK = 0,
    INLAY_NO_ANSWER = -1,    /**< the question has no answer under its constraints */
    INLAY_BAD_INPUT = -2,    /**< a file or a machine string says something that cannot be */
    INLAY_BAD_ARGUMENT = -3, /**< the call itself is wrong: an option out of range, two that contradict */
    INLAY_OVERFLOW = -4,     /**< exact sums would leave 64 bits */
    INLAY_NO_MEMORY = -5, /**< out of memory; only what Graphviz draws may end the process instead, as it does then */
    INLAY_SYSTEM = -6     /**< the operating system refused: a file that cannot be written */
};

/** The code in words, for example "no answer". */
INLAY_API const char *inlay_status_text(int status);

/** The process exit status that stands for a code: 0 done, 1 no answer, 2 bad input or usage, 3 system. */
INLAY_API int inlay_exit_status(int status);

/** One error message with its remedies, and any number of warnings. */
typedef struct inlay_diag inlay_diag;

INLAY_API inlay_diag *inlay_diag_new(void); /**< NULL when out of memory */
INLAY_API void inlay_diag_free(inlay_diag *diag);

/** Forget the error, its remedies and the warnings. What calls with it may do, and where their files wait, stays. */
INLAY_API void inlay_diag_clear(inlay_diag *diag);

/**
 * Whether the warnings of one call stay at the next, for a program that tells those of several calls together: each text
 * is there once. Not so at first. The error never stays.
 */
INLAY_API void inlay_diag_keep_warnings(inlay_diag *diag, bool keep);

/**
 * The most bytes that a packed (gzip) input may unpack to in calls with this diagnostic: a short file can hold any number
 * of them. INLAY_MOST_UNPACKED where nothing is said, and without a diagnostic.
 */
#define INLAY_MOST_UNPACKED (INT64_C(1) << 30)
INLAY_API void inlay_diag_set_most_unpacked(inlay_diag *diag, int64_t bytes);

/** The error, one line without a newline (`FILE:LINE: what is wrong; what was expected`), or "" when all went well. */
INLAY_API const char *inlay_diag_message(const inlay_diag *diag);

/**
 * What would work instead, where that is known: the options to set ("-T", "--processors", "MACHINE") and their values,
 * all of them together. None where no remedy is known.
 */
INLAY_API size_t inlay_diag_remedies(const inlay_diag *diag);
INLAY_API const char *inlay_diag_remedy_option_at(const inlay_diag *diag, size_t i); /**< NULL behind the last */
INLAY_API const char *inlay_diag_remedy_value_at(const inlay_diag *diag, size_t i);

/** The first of them; NULL where there is none. */
INLAY_API const char *inlay_diag_remedy_option(const inlay_diag *diag);
INLAY_API const char *inlay_diag_remedy_value(const inlay_diag *diag);

/** Add a warning of the caller's own, behind those that are there. */
INLAY_API void inlay_diag_add_warning(inlay_diag *diag, const char *text);

INLAY_API size_t inlay_diag_warnings(const inlay_diag *diag);
INLAY_API const char *inlay_diag_warning(const inlay_diag *diag, size_t i);

/**
 * What may have been meant by a word that is not among the known ones, for a message: ", perhaps 'map' or 'man'", into
 * text[room], cut where that is too short; "" where none is near. A known word is near that begins with the word, or to
 * which one edit (a character inserted, deleted or replaced) leads, or two behind the same first letter.
 * @param before  what each known word stands behind, such as "--"
 */
INLAY_API void inlay_nearest(const char *word, const char *const known[], size_t count, const char *before, char *text,
                             size_t room);

#endif

/*
 * Status codes and diagnostics.
 *
 * Every function that can fail returns INLAY_OK (0) or a negative code and explains itself in the inlay_diag it was
 * given (NULL: the caller does not want to know). On failure its output parameters are unchanged and nothing leaks.
 * The library never prints and never exits.
 */
#ifndef INLAY_STATUS_H
#define INLAY_STATUS_H

#include <stddef.h>

#define INLAY_API __attribute__((visibility("default")))

enum inlay_status {
    INLAY_OK = 0,
    INLAY_NO_ANSWER = -1,    /**< the question has no answer under its constraints */
    INLAY_BAD_INPUT = -2,    /**< a file or a machine string says something that cannot be */
    INLAY_BAD_ARGUMENT = -3, /**< the call itself is wrong: an option out of range, two that contradict */
    INLAY_OVERFLOW = -4,     /**< exact sums would leave 64 bits */
    INLAY_NO_MEMORY = -5,    /**< out of memory */
    INLAY_SYSTEM = -6        /**< the operating system refused: a file that cannot be written */
};

/** The code in words, for example "no answer". */
INLAY_API const char *inlay_status_text(int status);

/** The process exit status that stands for a code: 0 done, 1 no answer, 2 bad input or usage, 3 system. */
INLAY_API int inlay_exit_status(int status);

/** One error message with its remedy, and any number of warnings. */
typedef struct inlay_diag inlay_diag;

INLAY_API inlay_diag *inlay_diag_new(void); /**< NULL when out of memory */
INLAY_API void inlay_diag_free(inlay_diag *diag);

/** The error, one line without a newline (`FILE:LINE: what is wrong; what was expected`), or "" when all went well. */
INLAY_API const char *inlay_diag_message(const inlay_diag *diag);

/**
 * What would work instead, where that is known: the option to set ("-T", "--processors") and its value.
 * Both are NULL where there is no remedy.
 */
INLAY_API const char *inlay_diag_remedy_option(const inlay_diag *diag);
INLAY_API const char *inlay_diag_remedy_value(const inlay_diag *diag);

INLAY_API size_t inlay_diag_warnings(const inlay_diag *diag);
INLAY_API const char *inlay_diag_warning(const inlay_diag *diag, size_t i);

#endif

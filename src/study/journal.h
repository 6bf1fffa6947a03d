/*
 * The journal of a study: rows in the order in which they were found, behind a line that says of which study they are.
 * It is only ever added to, whole lines at a time. A last line that is cut off was being written when its run ended.
 */
#ifndef STUDY_JOURNAL_H
#define STUDY_JOURNAL_H

#include <inlay/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** What a journal is of. */
typedef struct journal_subject {
    const char *digest; /**< 64 characters */
    int64_t points;
} journal_subject;

typedef struct journal {
    int file; /**< -1: not open */
    char *path;
    off_t size;       /**< all of it whole lines */
    int64_t complete; /**< bytes of the output that its rows went to; -1: it has rows */
} journal;

/** A row: where it stands. A status of the library; anything but INLAY_OK ends the walk. */
typedef int journal_visitor(void *of, int64_t point, off_t at, size_t size, const char *row);

enum { JOURNAL_MAKE = 1 /* where there is none */, JOURNAL_RESTART = 2 /* whatever stands there */ };

/**
 * Open one, for one process at a time; a torn last line is cut off. INLAY_BAD_INPUT for what is no journal, or one of
 * another study; INLAY_SYSTEM where another process has it.
 */
int journal_open(journal *j, const char *path, const journal_subject *of, int how, inlay_diag *diag);
void journal_close(journal *j);

/** All rows, in order. INLAY_BAD_INPUT for a line that is none. */
int journal_walk(const journal *j, const journal_subject *of, journal_visitor *visit, void *context, inlay_diag *diag);

/** Whole lines behind the others: all of them or, where the disk is full, none. */
int journal_add(journal *j, const char *rows, size_t size, inlay_diag *diag);

/** Bytes of it, as journal_walk() said where. */
int journal_read(const journal *j, off_t at, size_t size, char *to, inlay_diag *diag);

/** In place of its rows, say that they are in a file of so many bytes. It must be closed then. */
int journal_complete(journal *j, const journal_subject *of, int64_t bytes, inlay_diag *diag);

#endif

/* The logs of a folder, read. */
#ifndef CAPTURE_LOGS_H
#define CAPTURE_LOGS_H

#include "capture/log.h"
#include <inlay/capture.h>
#include <stddef.h>

/* One thread or rank. */
typedef struct one_log {
    char recorder[8];
    long process, thread;
    log_record *records; /* all of them, in order */
    size_t count;
} one_log;

/* All of one recorder's, sorted by process, then thread. Zero-initialise. */
typedef struct logs {
    one_log *log;
    size_t count;
} logs;

int logs_read(const char *folder, const char *recorder, logs *all, inlay_diag *diag);
void logs_clear(logs *all);

/* ---- What each recorder's logs become: a row of the table in capture.c ---- */

struct trace;
typedef struct capture_reader {
    const char *name;     /* of the facts */
    const char *recorder; /* of LOG_NAME */
    int (*read)(const logs *all, const char *folder, const inlay_capture_options *options, struct trace *to,
                inlay_capture_facts *facts, inlay_diag *diag);
    bool pins; /* where options->keep */
} capture_reader;

extern const capture_reader openmp_reader, mpi_reader;

#endif

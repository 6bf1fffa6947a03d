/* The logs of a folder, read, and what reads those of each recorder. */
#ifndef CAPTURE_LOGS_H
#define CAPTURE_LOGS_H

#include "capture/log.h"
#include "capture/places.h"
#include "capture/trace.h"
#include <inlay/capture.h>
#include <stddef.h>

/* One thread. */
typedef struct one_log {
    long process, thread;
    const log_record *records; /* all of them, in order */
    size_t count;
    char *text;   /* of a log of lines, behind the first: it has no records */
    void *memory; /* that they lie in */
} one_log;

/* All of one recorder's, sorted by process, then thread. Zero-initialise. */
typedef struct logs {
    one_log *log;
    size_t count;
} logs;

int logs_read(const char *folder, const char *recorder, logs *all, inlay_diag *diag);
void logs_clear(logs *all);

/* What the logs of one recorder become: a row of the table in capture.c. */
typedef struct capture_reader {
    const char *name;     /* as the facts have it */
    const char *recorder; /* of LOG_NAME */
    int (*read)(const logs *all, const char *folder, const inlay_capture_options *options, trace *to,
                inlay_capture_facts *facts, inlay_diag *diag);
} capture_reader;

extern const capture_reader openmp_reader, mpi_reader, processes_reader;

#endif

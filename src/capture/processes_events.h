/* The log of a command's processes, line by line. */
#ifndef CAPTURE_PROCESSES_EVENTS_H
#define CAPTURE_PROCESSES_EVENTS_H

#include "base/hash.h"
#include "capture/logs.h"
#include "capture/processes_log.h"
#include <stdbool.h>

typedef enum process_event_is {
    PROCESS_START,
    PROCESS_FORK,
    PROCESS_EXEC,
    PROCESS_READ,
    PROCESS_WRITE,
    PROCESS_UPDATE,
    PROCESS_GIVEN,
    PROCESS_WAIT,
    PROCESS_PIPE_IN,
    PROCESS_PIPE_OUT,
    PROCESS_SOCKET,
    PROCESS_MEMORY,
    PROCESS_EXIT,
    PROCESS_LEFT,
    PROCESS_END
} process_event_is;

/* Processes and files are numbered in the order in which they are named first; the command is process 0. */
typedef struct process_event {
    process_event_is is;
    int32_t process, other; /* other: the child, -1 where the log does not know it */
    int32_t file;
    int64_t time, cpu; /* ns */
    int64_t number;    /* size, how, or status */
    const char *text;  /* name or path, in the log */
} process_event;

/* Zero-initialise. */
typedef struct process_events {
    process_event *event;
    size_t count, capacity;
    int32_t processes, files;
    bool whole; /* up to the end */
} process_events;

/* INLAY_BAD_INPUT where the log, which is changed, is damaged. One that breaks off has the events up to there. */
int process_events_read(const one_log *log, const char *folder, process_events *all, inlay_diag *diag);
void process_events_clear(process_events *all);

#endif

/* How a recorder writes its log: into files mapped into memory, without locks. It is no part of the library. */
#ifndef CAPTURE_RECORDER_WRITE_H
#define CAPTURE_RECORDER_WRITE_H

#include "capture/log.h"
#include <stdbool.h>
#include <stddef.h>

/* One log; zero-initialise. Where the disk is full or a file cannot be, nothing more is recorded in it. */
typedef struct log_writer {
    log_record *next, *end; /* of the chunk that is mapped */
    char *chunk;
    int64_t length; /* of the file */
    int file;
    bool open;
} log_writer;

/* The folder, by LOG_FOLDER; NULL where nothing is to be recorded. */
const char *log_folder(void);

void log_open(log_writer *w, const char *recorder, long thread);

uint64_t log_now(void);

/*
 * When this program began: LOG_BEGIN of a command that is the program itself, else as exactly as the kernel tells, in hundredths of a
 * second. Never after now.
 */
uint64_t log_begin(void);

void log_put_at(log_writer *w, uint64_t time, uint32_t kind, uint32_t c, uint64_t a, uint64_t b);

/* The rest of the file is cut off. */
void log_close(log_writer *w);

/* Keep what is mapped into this process, for the names of code locations. */
void log_maps(const char *recorder);

#endif

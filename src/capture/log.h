/*
 * The log that a recorder writes inside the captured program, and that is read when the program has ended.
 *
 * Each thread has a file of its own in one folder, LOG_NAME: a header, then records in the order
 * in which they happened. Files grow by chunks of zeros that are mapped into memory, so that what was recorded is there
 * however the program ends; a record of kind 0 is the end. Beside them are the programs' memory maps, LOG_MAPS, by which
 * code locations get names.
 */
#ifndef CAPTURE_LOG_H
#define CAPTURE_LOG_H

#include <stdint.h>

/* From the environment of the captured program: the folder of the logs. Without it a recorder records nothing. */
#define LOG_FOLDER "INLAY_CAPTURE"

/* From there as well: when the command was started, in ns of CLOCK_MONOTONIC. */
#define LOG_BEGIN "INLAY_CAPTURE_BEGIN"

/* printf formats: kind of recorder ("omp"), process, thread in the order of their first records. */
#define LOG_NAME "%s.%ld.%ld.log"
#define LOG_MAPS "%s.%ld.maps"

#define LOG_MAGIC UINT64_C(0x31676f6c79616c6e) /* "nlaylog1" */

/* The first line of a log that is text, and has lines in the place of header and records. */
#define LOG_TEXT "nlaytext\n"

typedef struct log_header {
    uint64_t magic;
    int64_t process;
    int64_t thread;
    uint64_t nothing; /**< it is as long as a record */
} log_header;

typedef struct log_record {
    uint64_t time; /**< ns of CLOCK_MONOTONIC */
    uint64_t a, b; /**< by kind */
    uint32_t kind; /**< above 0 */
    uint32_t c;
} log_record;

#endif

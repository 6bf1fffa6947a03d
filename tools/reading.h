/* The options that say how a file with an application is read, where it can be read in more than one way. */
#ifndef TOOLS_READING_H
#define TOOLS_READING_H

#include "options.h"
#include <inlay/io.h>

/** Stands first in the values of a command that has these options. */
typedef struct reading_values {
    common_values common;
    const char *graph;
    inlay_id iterations;
    text_list attributes;
    bool file_links, file_blocks;
    const char *storage; /**< a processor's number as typed; NULL: not given */
} reading_values;

extern const cli_group reading_options;

/** An inlay_reading with the attributes that it points to. */
typedef struct reading {
    inlay_reading how;
    inlay_attribute attribute[MAX_TEXTS];
    char *names; /* freed by the caller */
} reading;

/** What the options ask for: INLAY_OK, INLAY_NO_MEMORY, or the exit status where it has said what is wrong. */
int reading_of(const invocation *call, const reading_values *values, const char *format, reading *of);

/** Whether anything but the format is asked for. */
bool reading_asks(const reading *of);

#endif

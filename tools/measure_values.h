/* What the options of `inlay measure` fill, and what inlay-measure takes them for. */
#ifndef TOOLS_MEASURE_VALUES_H
#define TOOLS_MEASURE_VALUES_H

#include "options.h"
#include <inlay/metasystem.h>

typedef struct measure_values {
    common_values common;
    inlay_id pairs, repeat, dimensions; /**< 0 where not given */
    const char *processes;              /**< a whole number, or with `data` several; NULL where not given */
    const char *hostfile, *launcher, *from, *raw, *output;
    const char *hosts;                    /**< a file of hosts for `inlay decompose`; NULL where not given */
    const char *sizes;                    /**< as given, separated by commas; NULL where they were not */
    const char *topology;                 /**< patterns, likewise */
    const char *data, *time_from, *types; /**< of a program of the user's; NULL where not given */
    const char *curve, *device;           /**< sizes and a name for one curve of it; NULL where not given */
    const char *accuracy;
    inlay_id points;
    double timeout; /**< seconds; 0 where not given */
} measure_values;

enum { MEASURE_SIZES = 32 /**< sizes of messages, at most */, MEASURE_REPEATS = 10000 /**< at most */ };

/* ---- For inlay-measure too, which reads the same words ---- */

/** The launcher's command. */
const char *measure_launcher(const measure_values *values);

/** The sizes of messages in bytes, ascending; their number, or 0 where they cannot be. */
int measure_sizes(const measure_values *values, int64_t size[MEASURE_SIZES]);

/** Which patterns are to be measured. False where none is, or they cannot be. */
bool measure_patterns(const measure_values *values, bool wanted[INLAY_PATTERNS]);

/** Everything about the options that can be told before a file is made. Returns an exit status, and has said what is wrong. */
int measure_check_usage(const invocation *call);

/** Whether the outputs can be written, before anything is measured; an exit status likewise. Leaves no file. */
int measure_try_outputs(const invocation *call);

#endif

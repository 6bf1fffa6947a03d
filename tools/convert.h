/* `inlay convert`: what it does to the numbers of an application on the way. */
#ifndef TOOLS_CONVERT_H
#define TOOLS_CONVERT_H

#include "reading.h"

typedef struct convert_values {
    reading_values reading;
    const char *from, *format, *machine, *output, *models, *computer, *codelets;
    int model_size;
    bool spread;
    const char *scale_time, *scale_bytes, *times_from; /* as typed; NULL where not given */
    double tick;                                       /* seconds; 0: none */
} convert_values;

typedef struct number_changes {
    bool timed, scaled; /**< whether counts become times, and whether something is multiplied then */
    inlay_count_times each;
    inlay_scaling by;
} number_changes;

/** What the options ask for. What is wrong is said on standard error; returns an exit status. */
int number_changes_read(const invocation *call, number_changes *changes);

/** Puts the changed application in the place of `*app`, which is freed; unchanged on failure. */
int number_changes_make(const number_changes *changes, inlay_app **app, inlay_diag *diag);

#endif

/*
 * Descriptions of computers that people have (hwloc's, Slurm's): what they cannot say stands behind the file's name. Of
 * these attributes a reader takes some for itself; `speed=SPEED` and `speed.TYPE=SPEED` are those of all such readers.
 */
#ifndef IO_OWNED_H
#define IO_OWNED_H

#include "base/text.h"
#include <inlay/machine.h>

typedef struct owned {
    const char *source;
    const inlay_attribute *given;
    size_t count;
    bool *used;            /**< of given: speeds of types that occur */
    inlay_attribute *rest; /**< those of the machine, for explicit_machine() */
    size_t rests;
} owned;

/**
 * Tells the reader's attributes, `names` up to a NULL, from those of the machine. INLAY_BAD_INPUT for a speed that is
 * none. Closed by owned_close(), also after a failure.
 */
int owned_open(owned *o, const char *source, const inlay_attribute *given, size_t count, const char *const *names,
               inlay_diag *diag);
void owned_close(owned *o);

/** What was given for one of the names; NULL: nothing. */
const char *owned_value(const owned *o, const char *name);

/** Whether a speed of all processors was given. */
bool owned_has_speed(const owned *o);

/** Appends `, speed=` to the attributes of a host: what was given for its type (NULL: none), else `ratio` of what was
 *  given for all, else the ratio; nothing where that is 1. */
void owned_add_speed(const owned *o, const char *type, double ratio, text_buffer *to);

/** After all hosts: INLAY_BAD_INPUT where a speed was given for a type that none of them has. */
int owned_check_types(const owned *o, inlay_diag *diag);

#endif

/*
 * The table of machine formats: one row each. A new format is a file of its own and a row in machine_formats.c.
 *
 * Readers and writers work on text in memory. A reader names `source` in its messages, and takes attributes of the whole
 * machine besides, as they stand behind a file's name (`cluster.dot,model=mm1`); these replace the file's own. All of
 * them leave their output untouched when they fail.
 */
#ifndef IO_MACHINE_FORMATS_H
#define IO_MACHINE_FORMATS_H

#include "base/text.h"
#include <inlay/machine.h>

typedef struct machine_format {
    const char *name;
    const char *extensions; /**< separated by single blanks, the usual one first */
    const char *summary;
    bool (*looks_like)(const char *data, size_t size); /**< a quick look at the content: no full check */
    int (*from)(const char *data, size_t size, const char *source, const inlay_attribute *attributes, size_t count,
                inlay_machine **machine, inlay_diag *diag);
    int (*to)(const inlay_machine *machine, double tick_seconds, text_buffer *to, inlay_diag *diag);
} machine_format;

/* Scotch's target architectures. */
bool tgt_looks_like(const char *data, size_t size);
int tgt_machine_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes, size_t count,
                     inlay_machine **machine, inlay_diag *diag);
int tgt_machine_to(const inlay_machine *machine, double tick_seconds, text_buffer *to, inlay_diag *diag);

/* ---- Explicit machines that a reader writes down in DOT, for the reader of DOT ---- */

/** What all cables of such a machine have in common, from the attributes that stand behind its name; NULL: not given. */
typedef struct cable_defaults {
    const char *capacity, *latency, *duplex;
} cable_defaults;

/**
 * Takes `capacity`, `link_latency` and `duplex` out of a list of attributes, whose count becomes smaller.
 * INLAY_BAD_INPUT where one of them cannot be.
 */
int cable_defaults_take(const char *source, inlay_attribute *attributes, size_t *count, cable_defaults *defaults,
                        inlay_diag *diag);

/** Appends `graph NAME { graph [network=links]; edge [...];`. */
void explicit_begin(const char *name, const cable_defaults *defaults, text_buffer *to);

#endif

/* DOT: the readers and writers of the format table, and what they share. */
#ifndef IO_DOT_DOT_H
#define IO_DOT_DOT_H

#include "base/text.h"
#include <inlay/io.h>

/** Inlay's own attributes, and the dialects of io/dot/dialect.h. */
int dot_app_from(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
                 inlay_diag *diag);

/** The same of a graph that is told otherwise: what its nodes and edges have is Inlay's own, or a dialect. */
struct dot_source;
int dot_app_from_source(const struct dot_source *source, const inlay_reading *how, inlay_app **app, inlay_diag *diag);

/** dot_app_from() reads back the same application. */
int dot_app_to(const inlay_app *app, text_buffer *to, inlay_diag *diag);

int dot_machine_from(const char *data, size_t size, const char *source, inlay_machine **machine, inlay_diag *diag);
int dot_machine_to(const inlay_machine *machine, text_buffer *to, inlay_diag *diag);

/** Whether the text is a DOT graph with an attribute `network`: a machine and no application. */
bool dot_is_machine(const char *data, size_t size);

/**
 * Append a name or a value as DOT has it, in quotes where it needs them; false where DOT has no way to write it
 * (a backslash in front of a quote, of a line's end or of the string's end).
 */
bool dot_add_id(text_buffer *to, const char *id);

#endif

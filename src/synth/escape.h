/* Names that others chose, as text of a C program that is harmless whatever they hold. */
#ifndef SYNTH_ESCAPE_H
#define SYNTH_ESCAPE_H

#include "base/text.h"

/** For the inside of a comment: what could end it, continue a line or mislead a terminal becomes '_'; long names are cut. */
void escape_for_comment(text_buffer *to, const char *name);

/**
 * A C string literal, with its quotes, of a JSON string, with its quotes: printed as it stands it is the name, in valid
 * UTF-8 for any bytes.
 */
void escape_as_json_literal(text_buffer *to, const char *name);

#endif

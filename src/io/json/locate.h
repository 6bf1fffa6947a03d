/*
 * The line on which a value stands in JSON text. jansson keeps no positions, so the text is walked again when an error
 * is being written, and only then; or once for all the lines that may be asked for later.
 */
#ifndef IO_JSON_LOCATE_H
#define IO_JSON_LOCATE_H

#include <stdbool.h>
#include <stddef.h>

/** One step of a path from the outermost value inwards: the member `key`, or element `index` where key is NULL. */
typedef struct json_step {
    const struct json_step *parent; /**< NULL for the outermost value, which no key or index names */
    const char *key;
    size_t index;
} json_step;

/** The line (from 1) of the value at `path`; where it is missing, of the innermost value on the way that is there. */
long json_line(const char *data, size_t size, const json_step *path);

/**
 * The line of member `key` of each of the `elements` elements of the array at `path`, as json_line says it, in one walk
 * over the text.
 */
void json_lines(const char *data, size_t size, const json_step *path, const char *key, size_t elements, long *line);

/** Whether there is a value at `path`. Text that is cut off is searched as far as it goes. */
bool json_has(const char *data, size_t size, const json_step *path);

/** Whether the text is one JSON object or array: what jansson cannot read of such a text, it has no memory for. */
bool json_is_sound(const char *data, size_t size);

#endif

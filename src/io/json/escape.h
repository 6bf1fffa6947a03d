/* The escapes of JSON strings. */
#ifndef IO_JSON_ESCAPE_H
#define IO_JSON_ESCAPE_H

#include <stddef.h>

/**
 * One character of a string, escaped or plain, as UTF-8 (a plain one byte by byte); `*at` moves behind it.
 * @return how many bytes it has, or 0 where the escape is broken
 */
size_t json_unescape(const char **at, const char *end, char bytes[4]);

#endif

/*
 * A file read piece by piece: plain or gzip, told by its content, from a path, "-" for standard input, or memory.
 *
 * No more of it stands in memory than the caller looks at. The bytes are hashed as they come from disk.
 */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include "base/file.h"
#include <inlay/status.h>

typedef struct input input;

/** A missing file, a directory, and later a broken gzip stream are INLAY_BAD_INPUT `FILE: ...`. */
int input_open(const char *path, input **opened, inlay_diag *diag);

/** The same for a file that messages call by another name. */
int input_open_named(const char *path, const char *name, input **opened, inlay_diag *diag);

/** As input_open(), but never unpacked. */
int input_open_as_is(const char *path, input **opened, inlay_diag *diag);

/** Bytes in memory (not unpacked), which stay the caller's. */
int input_open_memory(const char *data, size_t size, input **opened, inlay_diag *diag);

/** Closes and frees; NULL is allowed. */
void input_close(input *in);

/** What comes next, without taking it: at least `wanted` bytes where there are as many. Valid until the next call. */
int input_peek(input *in, size_t wanted, const char **data, size_t *size, inlay_diag *diag);

/** Leave out bytes that were peeked at. */
void input_skip(input *in, size_t size);

/**
 * Take the next whole lines, as many as are at hand: every one ends in a newline, which is added behind the last line of
 * a file that lacks it. `*size` is 0 at the end. The caller may write into the lines; they are valid until the next
 * call.
 */
int input_lines(input *in, char **data, size_t *size, inlay_diag *diag);

/** Take all that is left. */
int input_rest(input *in, file_content *content, inlay_diag *diag);

/** How many bytes the file has as it stands, packed or not; 0 where that is not known. */
size_t input_size_on_disk(const input *in);

/** Whether the bytes come out of gzip. */
bool input_is_packed(const input *in);

/** SHA-256 of a file's bytes as they stand, once all were taken: lower-case hexadecimal with a NUL. */
void input_hash(const input *in, char hex[65]);

#endif

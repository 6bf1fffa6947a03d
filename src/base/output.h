/*
 * A file written piece by piece that appears whole or not at all: a temporary beside it, then a rename, so that nobody
 * sees half of it and an old one is kept when writing fails. Compressed where its name ends in .gz; "-" is standard
 * output.
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <inlay/status.h>

typedef struct output output;

int output_open(const char *path, output **opened, inlay_diag *diag);

/** Append; that it failed is told when the file is closed. Large pieces are cheaper than small ones. */
void output_put(output *out, const void *data, size_t size);

/** Finish and free: the file appears. */
int output_close(output *out, inlay_diag *diag);

/** Give up and free: what was there before stays. What went to standard output or a device is out. */
void output_abandon(output *out);

#endif

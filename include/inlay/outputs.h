/*
 * Files that appear whole or not at all, alone or together.
 *
 * A file is made under another name beside its target and takes the target's place when it is whole and on the disk:
 * nobody sees half of it, and an old one is kept when writing fails. Files that belong together wait in a set until all
 * of them are whole; where one fails, none replaces an old one.
 */
#ifndef INLAY_OUTPUTS_H
#define INLAY_OUTPUTS_H

#include <inlay/status.h>
#include <stdint.h>

/* ---- One file, written piece by piece ---- */

typedef struct inlay_file inlay_file;

/** Compressed where the path ends in .gz; "-" is standard output. Devices and pipes are written to straight away. */
INLAY_API int inlay_file_open(const char *path, inlay_file **opened, inlay_diag *diag);

/** Append; that it failed is told when the file is closed. Large pieces are cheaper than small ones. */
INLAY_API void inlay_file_put(inlay_file *out, const void *data, size_t size);

/** Finish and free: the file appears, at once or with the others of its set. */
INLAY_API int inlay_file_close(inlay_file *out, inlay_diag *diag);

/** Give up and free: what was there before stays. What went to standard output or a device is out. NULL is allowed. */
INLAY_API void inlay_file_abandon(inlay_file *out);

/* ---- Sets ---- */

typedef struct inlay_outputs inlay_outputs;

INLAY_API inlay_outputs *inlay_outputs_new(void); /**< NULL when out of memory */

/** What calls with this diag write waits in `outputs` from now on, which must outlive the diag; NULL: in none. */
INLAY_API void inlay_diag_gather(inlay_diag *diag, inlay_outputs *outputs);

/** The size of a file that waits whole, packed where it is; -1 where there is no such path. */
INLAY_API int64_t inlay_outputs_bytes(const inlay_outputs *outputs, const char *path);

/**
 * Put all files that wait in their places, one after another in the order in which they were begun. Where one cannot be
 * (INLAY_SYSTEM), those behind it are dropped.
 */
INLAY_API int inlay_outputs_commit(inlay_outputs *outputs, inlay_diag *diag);

/**
 * Drop all files that wait or are being written. A signal handler may call it, also while another call is at work on the
 * set: the program must end then.
 */
INLAY_API void inlay_outputs_discard(inlay_outputs *outputs);

/** Drops what still waits; NULL is allowed. */
INLAY_API void inlay_outputs_free(inlay_outputs *outputs);

#endif

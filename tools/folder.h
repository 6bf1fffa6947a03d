/* A folder for files that a command makes on its way, and the guard over it and over programs that work in it. */
#ifndef TOOLS_FOLDER_H
#define TOOLS_FOLDER_H

#include "guard.h"
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/** Zero-initialised there is none. */
typedef struct folder {
    char path[PATH_MAX]; /**< from the root; "" where there is none */
    bool kept;           /**< the user's: it stays */
    guard guard;         /**< removes a private one, and ends programs, where this process is killed */
} folder;

enum { FOLDER_NAME = 64 /**< of a file in it, at most */ };

/** A private one that nobody else has, under TMPDIR. INLAY_SYSTEM where there can be none; errno tells why. */
int folder_make(folder *f);

/** The user's own; it is made where there is none. INLAY_SYSTEM where it cannot be; errno tells why. */
int folder_keep(const char *path, folder *f);

/** "FOLDER/name", written to `path`, which is returned. */
char *folder_file(const folder *f, const char *name, char path[PATH_MAX]);

/** Whether a path is read but once, and perhaps by this process alone: standard input or a pipe. */
bool comes_once(const char *path);

/** What such a path gives; NULL where it cannot be opened, which errno tells. */
FILE *open_once(const char *path);

/** All that is left goes to a file of that path, and `from` is closed. INLAY_SYSTEM where it cannot; errno tells why. */
int copy_rest(FILE *from, const char *begin, size_t length, const char *path);

/** A file without a name, to write and read; NULL where there can be none. */
FILE *folder_scratch(const folder *f);

/** Remove a private one with all files in it. */
void folder_remove(folder *f);

#endif

/* A folder for files that a command makes on its way. */
#ifndef TOOLS_FOLDER_H
#define TOOLS_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/** Zero-initialised there is none. */
typedef struct folder {
    char path[PATH_MAX]; /**< from the root; "" where there is none */
    bool kept;           /**< the user's: it stays */
} folder;

enum { FOLDER_NAME = 64 /**< of a file in it, at most */ };

/** A private one that nobody else has, under TMPDIR. INLAY_SYSTEM where there can be none; errno tells why. */
int folder_make(folder *f);

/** The user's own; it is made where there is none. INLAY_SYSTEM where it cannot be; errno tells why. */
int folder_keep(const char *path, folder *f);

/** "FOLDER/name", written to `path`, which is returned. */
char *folder_file(const folder *f, const char *name, char path[PATH_MAX]);

/** A file without a name, to write and read; NULL where there can be none. */
FILE *folder_scratch(const folder *f);

/** Remove a private one with all files in it. */
void folder_remove(folder *f);

#endif

/* Files that a command writes. */
#ifndef TOOLS_OUTPUT_H
#define TOOLS_OUTPUT_H

#include "options.h"
#include <stdio.h>

/** Whether a path is "-"; NULL, which stands for an output that is not wanted, is none. */
bool output_is_standard(const char *path);

/** Whether two paths are one file that would be overwritten. */
bool output_is_same(const char *a, const char *b);

/** The path of an output that is an operand or another of the paths too; NULL where all differ. NULL among them: none. */
const char *output_collision(const invocation *call, const char *const *paths, size_t count);

/**
 * Before the work begins: whether the folders of all these outputs are there (NULL and "-" need none). Returns an exit status;
 * what is missing has been said.
 */
int output_check_folders(const char *const *paths, size_t count);

/**
 * A diag whose files wait for the end of the program, when all that it has to write is whole and standard output is out:
 * they appear together or not at all, and nothing is left of them where a signal ends the program. NULL when out of
 * memory. Without it (inlay_diag_new) a file is there at once.
 */
inlay_diag *output_diag(void);

/**
 * What became of a file that the library was to write: where the system refused it, or it cannot be made, such as a picture
 * of too many boxes, that is said, the program's exit status will tell it, and INLAY_OK lets the command give out the rest
 * of its result.
 */
int output_told(int status, const inlay_diag *diag);

/** A file failed, and why has been said: the exit status will tell it. */
void output_fail(void);

/** The size of a file that waits, or -1. */
int64_t output_bytes(const char *path);

/** Write a text file; "-" is standard output, and a name that ends in .gz packs it. What goes wrong is told as above. */
void output_write(const char *path, const char *text, size_t size);

/** The same with what `put` prints of `of`; a path that is NULL is an output that is not wanted. */
void output_print(const char *path, void (*put)(FILE *to, const void *of), const void *of);

/**
 * At the end of the program, when standard output is out: put its files in their places, unless it or one of them
 * failed. Returns the exit status.
 */
int output_commit(int status);

#endif

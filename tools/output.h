/* Files that a command writes. */
#ifndef TOOLS_OUTPUT_H
#define TOOLS_OUTPUT_H

#include "options.h"

/** Whether a path is "-"; NULL, which stands for an output that is not wanted, is none. */
bool output_is_standard(const char *path);

/**
 * The path of an output that is an operand or another output too; NULL where all differ.
 * @param paths  NULL among them: an output that is not wanted
 */
const char *output_collision(const invocation *call, const char *const *paths, size_t count);

/**
 * Write a text file, whole or not at all; "-" is standard output, and a name that ends in .gz packs it. Returns the exit
 * status, and has said what went wrong.
 */
int output_write(const char *path, const char *text, size_t size);

#endif

/* A file of C that is opened once, so that it may be a pipe; libclang gets its text from memory. */
#ifndef COMPRESS_SOURCE_H
#define COMPRESS_SOURCE_H

#include <clang-c/Index.h>
#include <stddef.h>

/** Zero-initialise. */
typedef struct source {
    struct CXUnsavedFile file; /**< its name is the path's, or stands for "-": it outlives the source */
    char *text;
    const char *const *word; /**< what libclang is told of this file besides */
    size_t words;
} source;

/**
 * Read it whole; "-" is standard input.
 * @param message  room for one line of what is wrong with it
 */
int source_read(const char *path, source *s, char *message, size_t room);
void source_clear(source *s);

#endif

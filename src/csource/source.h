/* A file of C that is opened once, so that it may be a pipe; libclang gets its text from memory. */
#ifndef CSOURCE_SOURCE_H
#define CSOURCE_SOURCE_H

#include <clang-c/Index.h>
#include <inlay/status.h>
#include <stddef.h>

/** Zero-initialise. */
typedef struct source {
    struct CXUnsavedFile file; /**< its name is the path's, or stands for "-": it outlives the source */
    char *text;
    const char *const *word; /**< what libclang is told of this file besides */
    size_t words;
} source;

/** Read it whole; "-" is standard input. */
int source_read(const char *path, source *s, inlay_diag *diag);
void source_clear(source *s);

#endif

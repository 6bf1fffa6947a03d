/* What counting with a run and without one share. */
#ifndef CSOURCE_COMPRESS_H
#define CSOURCE_COMPRESS_H

#include "csource/count/given.h"
#include <inlay/csource.h>

/** The result, and what its names and arrays live in. */
typedef struct owned {
    inlay_compression told;
    memory_pool memory;
} owned;

/** What the user tells. INLAY_BAD_ARGUMENT with a message. */
int given_options(const inlay_compress_options *options, given *g, inlay_diag *diag);
void given_forget(given *g);

/** The function of that name; -1: none. */
int program_find(const program *p, const char *name, size_t length);

#endif

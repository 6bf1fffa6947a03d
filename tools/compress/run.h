/* `inlay compress --run`: the program that counts itself, compiled and run. */
#ifndef TOOLS_COMPRESS_RUN_H
#define TOOLS_COMPRESS_RUN_H

#include "options.h"
#include <inlay/csource.h>

/** Count what a run does. An exit status; has said what is wrong where there are no counts (*compression NULL). */
int compress_by_run(const invocation *call, const inlay_compress_options *options, inlay_compression **compression,
                    inlay_diag *diag);

#endif

/* Pictures as PNG and PDF, made of the SVG by a program that is installed for that. */
#ifndef TOOLS_RASTER_H
#define TOOLS_RASTER_H

#include "options.h"

/** --png and --pdf, which answer.c adds to whatever has an output "--svg": the groups of such a command have this one. */
extern const cli_group picture_options;

/** Write the picture that `svg` draws to `path` as "png" or "pdf". What fails is told, and by the exit status. */
int raster_write(const cli_output *svg, const cli_answer *a, const char *format, const char *path);

#endif

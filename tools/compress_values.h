/* What the options of `inlay compress` fill. */
#ifndef TOOLS_COMPRESS_VALUES_H
#define TOOLS_COMPRESS_VALUES_H

#include "options.h"

/** Lists, separated by commas, each as often as it was given. */
typedef struct compress_values {
    common_values common;
    text_list function, definitions, trips, calls, include;
    const char *output;
    const char *run, *build, *input, *compiler;
    double time_limit;
    bool traffic;
} compress_values;

#endif

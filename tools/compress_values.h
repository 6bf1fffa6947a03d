/* What the options of `inlay compress` fill. */
#ifndef TOOLS_COMPRESS_VALUES_H
#define TOOLS_COMPRESS_VALUES_H

#include "options.h"

/** Lists as they were given, separated by commas; NULL where they were not. */
typedef struct compress_values {
    common_values common;
    const char *function, *definitions, *trips, *calls, *include, *output;
} compress_values;

#endif

/* What the options of `inlay maploop` fill. */
#ifndef TOOLS_MAPLOOP_VALUES_H
#define TOOLS_MAPLOOP_VALUES_H

#include "options.h"

typedef struct maploop_values {
    common_values common;
    const char *output;
    text_list include;     /**< folders of headers */
    text_list definitions; /**< macros */
    int arrays, guard;     /**< places of their words */
    bool explain;
} maploop_values;

#endif

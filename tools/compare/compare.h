/* What the files of `inlay compare` share. */
#ifndef TOOLS_COMPARE_H
#define TOOLS_COMPARE_H

#include "mapping.h"
#include <inlay/compare.h>

/** Places in the words of --predicted. */
enum { PREDICTED_SIMULATED, PREDICTED_ESTIMATE };

/** Places in the words of --sort and --predicted. */
typedef struct compare_values {
    mapping_values mapping;
    const char *csv, *svg;
    int sort;
    bool measured;
    int predicted;
} compare_values;

/** A machine's currency, "" where none is given. */
const char *compare_currency(const inlay_compare_input *machine);

/** The table of an inlay_comparison. A status of the library. */
int compare_print_table(const cli_answer *a);

#endif

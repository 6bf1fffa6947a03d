/* Tables of figures. */
#ifndef TOOLS_MEASURE_ROWS_H
#define TOOLS_MEASURE_ROWS_H

#include "table.h"

void add_seconds(table *rows, double seconds);
void add_rate(table *rows, double rate);
void add_share(table *rows, double share);

/** Print them all and let them go. A status of the library. */
int print_rows(table *rows);

#endif

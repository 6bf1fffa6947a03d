/* Tables of figures. */
#ifndef TOOLS_MEASURE_ROWS_H
#define TOOLS_MEASURE_ROWS_H

#include "table.h"
#include <inlay/raw.h>

void add_seconds(table *rows, double seconds);
void add_rate(table *rows, double rate);
void add_share(table *rows, double share);

/** Print them all and let them go. A status of the library, as are those below. */
int print_rows(table *rows);

/* ---- What a measurement comes to ---- */

int print_table(const inlay_machine_fit *a);
int print_topology(const inlay_metasystem_fit *t);

/** @param path  of the machine file; NULL: none is written */
int print_advisor(const inlay_advisor_fit *a, const char *path);

#endif

/*
 * Applications as two tables of CSV: modules, and links. Each has a first line that names its columns: `name` or, of links,
 * `from` and `to`, and the attributes of docs/graphs.md. The links stand in a file of their own beside the other,
 * `x.links.csv` beside `x.csv`, or behind a blank line. Inside this directory only.
 */
#ifndef IO_CSV_CSV_H
#define IO_CSV_CSV_H

#include <stddef.h>

/** The path of the links of what is in `path`; the caller frees; NULL: no memory. */
char *csv_links_path(const char *path);

#endif

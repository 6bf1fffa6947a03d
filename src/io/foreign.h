/* Formats that Inlay knows and does not read as applications, so that it can say what a file is. */
#ifndef IO_FOREIGN_H
#define IO_FOREIGN_H

#include <stddef.h>

/** What the file is, as "a Paje trace"; NULL where that is not known. */
const char *foreign_name(const char *data, size_t size);

#endif

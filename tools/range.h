/* Ranges of numbers as options spell them. */
#ifndef TOOLS_RANGE_H
#define TOOLS_RANGE_H

#include <inlay/app.h>

/** "A..B" or "B", which is 1..B; NULL stands for all there are, and changes nothing. False where it is none. */
bool read_range(const char *text, inlay_id *from, inlay_id *to);

#endif

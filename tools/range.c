/* Ranges of numbers as options spell them. */
#include "range.h"
#include <stdlib.h>
#include <string.h>

/* A whole number from 1; what follows it is at *end. */
static bool read_count(const char *text, const char **end, inlay_id *number)
{
    char *stop;
    if (*text < '0' || *text > '9') {
        return false;
    }
    unsigned long long value = strtoull(text, &stop, 10);
    *number = value <= INT32_MAX ? (inlay_id)value : 0;
    *end = stop;
    return *number > 0;
}

bool read_range(const char *text, inlay_id *from, inlay_id *to)
{
    const char *end;
    if (text == NULL) {
        return true;
    }
    if (!read_count(text, &end, to)) {
        return false;
    }
    if (strncmp(end, "..", 2) == 0) {
        *from = *to;
        return read_count(end + 2, &end, to) && *end == '\0' && *from <= *to;
    }
    *from = 1;
    return *end == '\0';
}

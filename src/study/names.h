/* Names that stand for several: {a,b} and {4..64*2} in braces, and patterns of files. */
#ifndef STUDY_NAMES_H
#define STUDY_NAMES_H

#include <inlay/status.h>
#include <stdbool.h>
#include <stddef.h>

enum { NAMES_MOST = 1000000 };

/** Zero-initialised is empty. */
typedef struct names {
    char **name; /**< owned, as the texts are */
    size_t count, capacity;
} names;

/** What became of it. NAMES_MANY: there are more than NAMES_MOST. */
typedef enum names_status { NAMES_OK, NAMES_WRONG, NAMES_MANY, NAMES_NO_MEMORY } names_status;

names_status names_add(names *to, const char *text);

/** The text with what is in its braces, the first of them outermost. NAMES_WRONG for braces that do not close or are empty. */
names_status names_expand(names *to, const char *text);

/** Whether a text has characters of a pattern. */
bool names_is_pattern(const char *text);

/** The files that match, in the order of their bytes, as seen from `folder` ("" or with a slash at its end). */
names_status names_match(names *to, const char *folder, const char *pattern);

void names_clear(names *of);

#endif

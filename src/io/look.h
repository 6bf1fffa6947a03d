/* Quick looks at the content of a file, by which formats are told apart. */
#ifndef IO_LOOK_H
#define IO_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Whether a text is XML whose first element, or whose document type, has that name (without its prefix). */
bool look_xml(const char *data, size_t size, const char *element);

/** A text read in whole numbers, line by line; a line that begins with the comment sign counts as none. */
typedef struct number_look {
    const char *at, *end;
    char comment; /**< '%' or '#'; a '#' comments the rest of its line too */
} number_look;

enum { LOOK_END = -1, LOOK_NO_NUMBER = -2 };

/**
 * The next line that is no comment: how many whole numbers of at most 18 digits, without sign, it has; the first
 * `room` go to number[]. LOOK_END behind the last line, LOOK_NO_NUMBER where the line has something else.
 * @param blank  whether lines without numbers count (as 0); else they are passed over
 */
int64_t look_line(number_look *look, bool blank, int64_t *number, int64_t room);

#endif

/* Out of memory at one allocation after the other: the first 0, 1, 2, ... succeed and the next one fails. */
#ifndef UNIT_STARVE_H
#define UNIT_STARVE_H

/** What is tried again and again; gives its status. */
typedef int (*attempt)(const void *subject);

/**
 * Tries until no allocation fails; each time before, the status must be INLAY_NO_MEMORY. At least `least` allocations
 * must have failed, or the test would prove nothing.
 */
void starve(attempt try, const void *subject, long least);

#endif

/* What the user tells: -D, --trip and --call. */
#ifndef CSOURCE_GIVEN_H
#define CSOURCE_GIVEN_H

#include "csource/tree.h"

/** NAME=TEXT; or a line, or counts of a call. */
typedef struct given_entry {
    char *name; /**< ours */
    const char *text;
    int64_t value;  /**< of -D where the text is a whole number, trips, or arithmetic operations */
    int64_t second; /**< functions */
    bool is_number;
} given_entry;

typedef struct given_list {
    given_entry *entry;
    int count;
    size_t room;
} given_list;

typedef enum given_kind {
    GIVEN_DEFINITION, /**< NAME=TEXT, or NAME, which is 1 */
    GIVEN_TRIPS,      /**< LINE=N */
    GIVEN_CALLS       /**< NAME=ARITHMETIC or NAME=ARITHMETIC:FUNCTIONS */
} given_kind;

/**
 * Read a list that is separated by commas; NULL is an empty one.
 * @param wrong  the entry that cannot be read, for a message: its length too
 */
int given_read(const char *text, given_kind kind, given_list *list, const char **wrong, int *length);
void given_clear(given_list *list);

/** The last entry of that name; NULL: none. */
const given_entry *given_find(const given_list *list, const char *name);

typedef struct given {
    given_list definitions, trips, calls;
} given;

const given_entry *given_trips(const given *g, unsigned line);

#endif

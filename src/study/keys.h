/* Texts and combinations of them, each with a number: what makes a group, or a case. */
#ifndef STUDY_KEYS_H
#define STUDY_KEYS_H

#include "base/hash.h"
#include "base/memory.h"

/** Texts that stay where they are, a few kilobytes at a time. Zero-initialised is empty. */
typedef struct key_store {
    memory_pool pool;
    char *at;
    size_t left;
} key_store;

void key_store_clear(key_store *store);

/** The values of a column, numbered in the order in which they came. Zero-initialised is empty. */
typedef struct key_column {
    name_map numbers; /**< of all spellings */
    const char **texts;
    size_t count, capacity;
    bool words; /**< one of them is no number */
} key_column;

/** The number of a value, which is new or there; "" is what rows without one have. -1: out of memory, or too many. */
int32_t key_number(key_column *column, const char *text, key_store *store);
void key_column_clear(key_column *column);

/** Whether a text is a number as JSON has it; hexadecimal digits, words and blanks are none. It may be infinite. */
bool key_is_number(const char *text, double *number);

/** Of two values of a column: below 0, 0, above 0. Numbers by value where all are; what is missing comes first. */
int key_compare(const key_column *column, int32_t a, int32_t b);

/** Rows of `width` numbers from 0, at most KEY_PARTS, each row with a number of its own. */
enum { KEY_PARTS = 24 };
typedef struct key_rows {
    size_t width;
    name_map numbers;
    int32_t *parts; /**< row by row */
    size_t count, capacity;
} key_rows;

/** The number of a row, which is new or there; -1 as above. */
int32_t key_row(key_rows *rows, const int32_t *parts, key_store *store);
void key_rows_clear(key_rows *rows);

static inline const int32_t *key_parts(const key_rows *rows, int32_t row)
{
    return rows->parts + (size_t)row * rows->width;
}

#endif

/* Reading values out of a measurement's JSON, with messages that name the place. */
#ifndef MEASURE_RAW_READER_H
#define MEASURE_RAW_READER_H

#include "base/memory.h"
#include <inlay/raw.h>
#include <jansson.h>

enum { RAW_PLACE = 160 };

/** Where one reads, and what was found wrong first; nothing is read after that. */
typedef struct raw_reader {
    inlay_raw *r;
    memory_pool *pool;     /**< of what it points to */
    char place[RAW_PLACE]; /**< "pairs[3].seconds" */
    size_t length;         /**< of the place; shorter than RAW_PLACE */
    int status;
    inlay_diag *diag;
} raw_reader;

/** A value and the length of the place before it, to which raw_leave() goes back. */
typedef struct raw_value {
    const json_t *json; /**< NULL where there is none */
    size_t before;
} raw_value;

raw_value raw_member(raw_reader *reader, const json_t *object, const char *key);
raw_value raw_element(raw_reader *reader, const json_t *array, size_t index);
void raw_leave(raw_reader *reader, raw_value value);

/** `SOURCE: PLACE is this; expected that` for the value at the place. */
void raw_refuse(raw_reader *reader, const json_t *value, const char *expected);

/** Zeroed memory that lives as long as the measurement; NULL, and out of memory. */
void *raw_room(raw_reader *reader, size_t count, size_t size);

const char *raw_text(raw_reader *reader, const json_t *object, const char *key);

/** A whole number from `least` to `most`; `least` where it is none. */
int64_t raw_whole(raw_reader *reader, const json_t *object, const char *key, int64_t least, int64_t most,
                  const char *expected);

/** The number of elements of an array at the place, at least `least`. */
size_t raw_count(raw_reader *reader, const json_t *array, size_t least, const char *expected);

/** Numbers above 0, no further from 1 than any that is measured. */
inlay_repeats raw_series(raw_reader *reader, const json_t *object, const char *key);

/** A series for each size of messages. */
inlay_repeats *raw_by_size(raw_reader *reader, const json_t *object, const char *key);

/** What --topology measured, after all else. Nothing where the file has no `topology`. */
void raw_read_topology(raw_reader *reader, const json_t *root);

/** What --hosts measured, behind hosts and sizes. */
void raw_read_advisor(raw_reader *reader, const json_t *root);

/** Numbers of ranks, each once. */
int *raw_ranks(raw_reader *reader, const json_t *object, int least, int *count);

#endif

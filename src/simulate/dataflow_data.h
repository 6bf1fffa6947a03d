/*
 * Values that a module puts for several others: data of its graph, which are sent once to each place. Values are one where
 * they have the same bytes: of a value that a module put three times for one module and twice for another, two go to both.
 */
#ifndef SIMULATE_DATAFLOW_DATA_H
#define SIMULATE_DATAFLOW_DATA_H

#include <inlay/app.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct data_value {
    inlay_id from, to;
    size_t size;
    uint64_t hash; /**< of its bytes: two that have the same are taken for one */
    int32_t channel;
    int32_t turn; /**< the how manieth of its kind to this module */
} data_value;

/** A value that goes to several modules. */
typedef struct data_group {
    const data_value *begin, *end;
} data_group;

/** Zero-initialised it is empty. */
typedef struct data_log {
    data_value *value;
    size_t count, room;
    data_group *group;
    size_t groups;
} data_log;

void data_log_clear(data_log *log);

/** Notes a value between two modules; false when out of memory. */
bool data_log_add(data_log *log, data_value value, const void *bytes);

/**
 * Adds a datum for every set of several modules that values of one module went to, named v1, v2, ... of each producer: as
 * many messages as there were values, and their bytes.
 * @param left  values of every channel; lowered by those in data
 * @return of the builder; to be called once
 */
int data_log_write(data_log *log, inlay_app_builder *builder, int64_t *left, inlay_diag *diag);

#endif

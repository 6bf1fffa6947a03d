/* Files of processor speeds (PERF): what the readers of CSV and JSON collect before it is checked as a whole. */
#ifndef IO_PERF_PERF_H
#define IO_PERF_PERF_H

#include "base/hash.h"
#include <inlay/processes.h>

enum { PERF_COUNT = INLAY_PROCESSES_PROCESSORS };

/** A type as it is read. Zero-initialised: nothing is known. */
typedef struct perf_type {
    char *name;
    long line;
    int64_t count;               /**< 0: not said */
    char **host;                 /**< `count` of them; NULL: not said */
    size_t like;                 /**< 1 + the number of the type whose function it shares; 0: its own */
    inlay_performance_form form; /**< AS_GIVEN: not said */
    inlay_performance_numbers numbers;
    double speed; /**< of a constant, else a factor; 0: not said */
    double unfit; /**< so many data do not fit; 0: not said */
    inlay_measurement *measurement;
    size_t measurements, room;
} perf_type;

typedef struct perf_file {
    const char *source;
    inlay_diag *diag;
    perf_type *type;
    size_t types, room;
    name_map numbers; /**< of the types */
    int64_t data;     /**< W; 0: not said */
    inlay_unit time_unit;
    char *data_unit; /**< NULL: not said */
} perf_file;

void perf_clear(perf_file *file);

/** A new type with a name that is none's yet; INLAY_BAD_INPUT where it is someone's. */
int perf_add_type(perf_file *file, const char *name, size_t size, long line, perf_type **added);

/** The type of a name, NULL where there is none. It moves when another one is added. */
int perf_find_type(const perf_file *file, const char *name, size_t size, perf_type **found);

int perf_add_measurement(const perf_file *file, perf_type *type, int64_t processes, double data, double speed);

/** Makes all functions. `form` takes the place of what types with measurements say. */
int perf_finish(perf_file *file, inlay_performance_form form, inlay_process_platform **platform);

/** inlay_process_platform_read() from memory; `source` stands for the file in messages. */
int perf_platform_from(const char *data, size_t size, const char *source, inlay_performance_form form,
                       inlay_process_platform **platform, inlay_diag *diag);

/** What is told apart by content. */
int perf_read(perf_file *file, const char *data, size_t size);
int perf_read_csv(perf_file *file, const char *data, size_t size);
int perf_read_json(perf_file *file, const char *data, size_t size);

#endif

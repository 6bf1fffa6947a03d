/*
 * A catalogue: types of machines that can be rented, and what they cost.
 *
 * A catalogue is a table, as CSV with a line of column names or as JSON (an array of objects, or that as the member
 * "types" of an object), whose columns are those of docs/advise.md. A row is a type. So many machines of a type, or of
 * two types, are hosts around one switch: inlay_types_machine() makes that of them. The cores of a host share its memory.
 */
#ifndef INLAY_CATALOGUE_H
#define INLAY_CATALOGUE_H

#include <inlay/machine.h>

typedef struct inlay_catalogue inlay_catalogue;

/** A type of machines. The strings are the catalogue's. */
typedef struct inlay_machine_type {
    const char *name;
    inlay_id cores;                /**< of one host */
    inlay_id count_min, count_max; /**< of hosts that can be rented together */
    double price;                  /**< of one host for `per` seconds; NaN where none is given */
    double per;                    /**< seconds */
    double billing;                /**< seconds of a step: begun ones are paid for; 0: every moment for itself */
    double start_up;               /**< seconds from the order until a host works; they are paid for */
    double power;                  /**< watts of one host; NaN where none is given */
    const char *currency;          /**< NULL where none is given */

    /** Attributes of a machine (inlay/machine.h) of such hosts: speed, processor_memory, capacity, link_latency, ... */
    const inlay_attribute *attributes;
    size_t attribute_count;
} inlay_machine_type;

/**
 * Read a catalogue; "-" is standard input, and behind the file's name values for all of its types may stand
 * (`types.csv,billing=1h,time_error=0.1`), which replace its own. Columns that are not known are warned about.
 * INLAY_BAD_INPUT where it is none.
 */
INLAY_API int inlay_catalogue_read(const char *path, inlay_catalogue **catalogue, inlay_diag *diag);

/** Whichever the text or the file is, as inlay_app_or_machine_read() has it: the others stay as they were. */
INLAY_API int inlay_any_read(const char *text_or_path, const char *format, inlay_app **app, inlay_machine **machine,
                             inlay_catalogue **catalogue, inlay_diag *diag);

INLAY_API void inlay_catalogue_free(inlay_catalogue *catalogue);
INLAY_API size_t inlay_catalogue_types(const inlay_catalogue *catalogue);
INLAY_API const inlay_machine_type *inlay_catalogue_type(const inlay_catalogue *catalogue, size_t i);

/** So many hosts of a type. */
typedef struct inlay_type_count {
    const inlay_machine_type *type;
    inlay_id count; /**< from 1 */
} inlay_type_count;

/** The hosts of one type, or of several in their order, each with a cable to one switch, cut-through. */
INLAY_API int inlay_types_machine(const inlay_type_count *parts, size_t count, inlay_machine **machine,
                                  inlay_diag *diag);

#endif

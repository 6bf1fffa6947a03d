/*
 * The machine graph G(M).
 *
 * Uniform machines today: a number of like processors, their memories and one interconnect, written as a string
 * (`bus:17,memory=distributed,capacity=1.25GB/s`) or as a DOT graph with the same attributes.
 */
#ifndef INLAY_MACHINE_H
#define INLAY_MACHINE_H

#include <inlay/app.h>

typedef struct inlay_machine inlay_machine;

typedef enum inlay_family {
    INLAY_BUS /**< one bus; with common memory model 1, with distributed memory model 2 of Houstis, Houstis, Rice */
} inlay_family;

typedef enum inlay_memory_kind { INLAY_MEMORY_DISTRIBUTED, INLAY_MEMORY_COMMON } inlay_memory_kind;

/**
 * A machine from its string, `FAMILY:PROCESSORS[,attribute=value...]`. Messages put the string where a file would stand.
 * Attributes of a bus: memory=common|distributed, capacity=RATE, message_size=BYTES, transfers=NUMBER, latency=TIME,
 * processor_memory=BYTES, common_memory=BYTES, type=NAME.
 */
INLAY_API int inlay_machine_parse(const char *text, inlay_machine **machine, inlay_diag *diag);

/** One attribute of a machine: name and value as text, and the line that it stands on (0 where there is none). */
typedef struct inlay_attribute {
    const char *name;
    const char *value;
    long line;
} inlay_attribute;

/**
 * A machine from attributes, the same names as in the string plus `network` (the family) and `processors`.
 * @param source  what messages name: the file or the string.
 */
INLAY_API int inlay_machine_make(const char *name, const char *source, const inlay_attribute *attributes, size_t count,
                                 inlay_machine **machine, inlay_diag *diag);

INLAY_API void inlay_machine_free(inlay_machine *machine);

INLAY_API const char *inlay_machine_name(const inlay_machine *machine);
INLAY_API inlay_family inlay_machine_family(const inlay_machine *machine);
INLAY_API const char *inlay_family_name(inlay_family family); /**< "bus" */
INLAY_API inlay_id inlay_machine_processors(const inlay_machine *machine);
INLAY_API inlay_memory_kind inlay_machine_memory_kind(const inlay_machine *machine);

/** Whether a capacity is given; *rate is that of one bus. */
INLAY_API bool inlay_machine_capacity(const inlay_machine *machine, inlay_rate *rate);

INLAY_API int64_t inlay_machine_message_size(const inlay_machine *machine);     /**< bytes; 0 where none is given */
INLAY_API double inlay_machine_transfers(const inlay_machine *machine);         /**< transfers per message, default 1 */
INLAY_API inlay_duration inlay_machine_latency(const inlay_machine *machine);   /**< once a message, default 0 */
INLAY_API int64_t inlay_machine_processor_memory(const inlay_machine *machine); /**< bytes; -1 unlimited */
INLAY_API int64_t inlay_machine_common_memory(const inlay_machine *machine);    /**< bytes; -1 unlimited */
INLAY_API const char *inlay_machine_processor_type(const inlay_machine *machine); /**< NULL where none is given */

/** Number of attributes that were given, and the i-th in canonical order: enough to make the machine again. */
INLAY_API size_t inlay_machine_attributes(const inlay_machine *machine);
INLAY_API inlay_attribute inlay_machine_attribute(const inlay_machine *machine, size_t i);

/** The machine as a string that inlay_machine_parse() reads back. */
INLAY_API const char *inlay_machine_text(const inlay_machine *machine);

#endif

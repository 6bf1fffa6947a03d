/* The machine graph's contents, and the table of attributes that fill them in. */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include <inlay/machine.h>

/** Rows of the attribute table, in canonical order. */
typedef enum attribute_id {
    ATTRIBUTE_NETWORK,
    ATTRIBUTE_PROCESSORS,
    ATTRIBUTE_MEMORY,
    ATTRIBUTE_CAPACITY,
    ATTRIBUTE_MESSAGE_SIZE,
    ATTRIBUTE_TRANSFERS,
    ATTRIBUTE_LATENCY,
    ATTRIBUTE_PROCESSOR_MEMORY,
    ATTRIBUTE_COMMON_MEMORY,
    ATTRIBUTE_TYPE,
    ATTRIBUTES
} attribute_id;

struct inlay_machine {
    char *name;
    char *text; /**< canonical string */
    inlay_family family;
    inlay_id processors;
    inlay_memory_kind memory;
    bool has_capacity;
    inlay_rate capacity;      /**< of one bus */
    int64_t message_size;     /**< bytes, or 0 */
    double transfers;         /**< bus transfers a message */
    inlay_duration latency;   /**< once a message */
    int64_t processor_memory; /**< bytes of each processor; -1 unlimited */
    int64_t common_memory;    /**< bytes; -1 unlimited */
    char *value[ATTRIBUTES];  /**< as written, blanks normalised; NULL where not given */
};

/** One attribute: where it may stand, what it means to the machine, and how to say that a value is wrong. */
typedef struct attribute_rule {
    const char *name;
    unsigned families;                                              /**< bit 1 << family where the attribute holds */
    bool (*read)(struct inlay_machine *machine, const char *value); /**< false: the value cannot be */
    const char *wrong;                                              /**< what to call a value that cannot be */
    const char *expected;                                           /**< what it should have been */
} attribute_rule;

const attribute_rule *attribute_rule_of(attribute_id id);

bool attribute_holds(attribute_id id, inlay_family family);

/** The attribute of that name that holds for a family, or -1. */
int attribute_find(inlay_family family, const char *name);

bool family_find(const char *name, inlay_family *family);

#endif

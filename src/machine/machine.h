/* The machine graph's contents, and the table of attributes that fill them in. */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include <inlay/machine.h>

/** Rows of the attribute table, in canonical order. */
typedef enum attribute_id {
    ATTRIBUTE_NETWORK,
    ATTRIBUTE_PROCESSORS,
    ATTRIBUTE_MEMORY,
    ATTRIBUTE_MEMORIES,
    ATTRIBUTE_BUSES,
    ATTRIBUTE_MODEL,
    ATTRIBUTE_SWITCH,
    ATTRIBUTE_PACKETS,
    ATTRIBUTE_TRANSIT,
    ATTRIBUTE_CYCLE,
    ATTRIBUTE_CAPACITY,
    ATTRIBUTE_MESSAGE_SIZE,
    ATTRIBUTE_TRANSFERS,
    ATTRIBUTE_LATENCY,
    ATTRIBUTE_PROCESSOR_MEMORY,
    ATTRIBUTE_COMMON_MEMORY,
    ATTRIBUTE_TYPE,
    ATTRIBUTE_PRICE,
    ATTRIBUTE_CURRENCY,
    ATTRIBUTE_POWER,
    ATTRIBUTES
} attribute_id;

struct inlay_machine {
    char *name;
    char *text; /**< canonical string */
    inlay_family family;
    inlay_id processors;
    inlay_memory_kind memory;
    inlay_id memories; /**< common memories */
    inlay_id buses;
    bool occupancy;         /**< multibus: the occupancy model, not the paper's */
    inlay_id switch_size;   /**< 0 without switches */
    inlay_id packets;       /**< of a message */
    inlay_duration transit; /**< through a switch */
    inlay_duration cycle;   /**< of a packet on a link */
    bool has_capacity;
    inlay_rate capacity;      /**< of one bus */
    int64_t message_size;     /**< bytes, or 0 */
    double transfers;         /**< bus transfers a message */
    inlay_duration latency;   /**< once a message */
    int64_t processor_memory; /**< bytes of each processor; -1 unlimited */
    int64_t common_memory;    /**< bytes of each common memory; -1 unlimited */
    double price;             /**< of one processor for an hour */
    double power;             /**< watts of one processor */
    char *value[ATTRIBUTES];  /**< as written, blanks normalised; NULL where not given */
};

/** One attribute: where it may stand, what it means to the machine, and how to say that a value is wrong. */
typedef struct attribute_rule {
    const char *name;
    unsigned families;                                              /**< bit 1 << family where the attribute holds */
    bool (*read)(struct inlay_machine *machine, const char *value); /**< false: the value cannot be */
    const char *wrong;                                              /**< what to call a value that cannot be */
    const char *expected;                                           /**< what it should have been */
    const char *instead; /**< said where the family has something else for it; else NULL */
} attribute_rule;

const attribute_rule *attribute_rule_of(attribute_id id);

bool attribute_holds(attribute_id id, inlay_family family);

/** The attribute of that name, or -1. */
int attribute_find(const char *name);

/** The least power of n, at least n, that is not below k. */
int64_t omega_size_from(int64_t k, int64_t n);

bool family_find(const char *name, inlay_family *family);

#endif

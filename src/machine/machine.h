/* The machine graph's contents, and the table of attributes that fill them in. */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "machine/family.h"
#include <inlay/machine.h>

/**
 * Most links of a family, and most processors of hosts that a file gives one by one: each takes room, which a few
 * characters can ask for.
 */
enum { MACHINE_LIMIT = 1 << 24 };

/** A host that a file gives: how many processors it is, and of which kind. */
typedef struct machine_host {
    inlay_id cores;   /**< at least 1 */
    double speed;     /**< above 0, 1 where none is given: module times are divided by it */
    double flops;     /**< operations a second; 0: its speed has no unit */
    int64_t memory;   /**< bytes, shared by its cores; -1 unlimited */
    char *type;       /**< NULL where none is given */
    double reference; /**< operations a second on which times of its type hold; 0: the machine's */
    bool main; /**< its memory is where data lie when a run begins: the main memory of a node with accelerators */
} machine_host;

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
    ATTRIBUTE_LINK_LATENCY,
    ATTRIBUTE_SWITCHING,
    ATTRIBUTE_DUPLEX,
    ATTRIBUTE_UP,
    ATTRIBUTE_CABLES,
    ATTRIBUTE_CORES,
    ATTRIBUTE_SPEED,
    ATTRIBUTE_REFERENCE_SPEED,
    ATTRIBUTE_MESSAGE_SIZE,
    ATTRIBUTE_TRANSFERS,
    ATTRIBUTE_BROADCAST,
    ATTRIBUTE_LATENCY,
    ATTRIBUTE_CONTENTION,
    ATTRIBUTE_PROCESSOR_MEMORY,
    ATTRIBUTE_COMMON_MEMORY,
    ATTRIBUTE_TYPE,
    ATTRIBUTE_PRICE,
    ATTRIBUTE_CURRENCY,
    ATTRIBUTE_POWER,
    ATTRIBUTE_ARITHMETIC_TIME,
    ATTRIBUTE_FUNCTION_TIME,
    ATTRIBUTE_TASK_OVERHEAD,
    ATTRIBUTE_O_SEND,
    ATTRIBUTE_O_RECV,
    ATTRIBUTE_LATENCY_BY_SIZE,
    ATTRIBUTE_EAGER_LIMIT,
    ATTRIBUTE_RENDEZVOUS,
    ATTRIBUTE_MEMORY_BANDWIDTH,
    ATTRIBUTE_CORE_BANDWIDTH,
    ATTRIBUTE_BOARDS,
    ATTRIBUTE_TIME_SPREAD,
    ATTRIBUTE_TIME_ERROR,
    ATTRIBUTE_NETWORK_ERROR,
    ATTRIBUTES
} attribute_id;

/** What families take: machine_family.takes. Macros, since an enum's constants have no 64 bits. */
#define ATTRIBUTE_BIT(name) (UINT64_C(1) << ATTRIBUTE_##name)
#define TAKEN_BY_ALL                                                                                                   \
    (ATTRIBUTE_BIT(NETWORK) | ATTRIBUTE_BIT(MESSAGE_SIZE) | ATTRIBUTE_BIT(TRANSFERS) | ATTRIBUTE_BIT(LATENCY) |        \
     ATTRIBUTE_BIT(CONTENTION) | ATTRIBUTE_BIT(PRICE) | ATTRIBUTE_BIT(CURRENCY) | ATTRIBUTE_BIT(POWER) |               \
     ATTRIBUTE_BIT(ARITHMETIC_TIME) | ATTRIBUTE_BIT(FUNCTION_TIME) | ATTRIBUTE_BIT(REFERENCE_SPEED) |                  \
     ATTRIBUTE_BIT(BROADCAST) | ATTRIBUTE_BIT(TASK_OVERHEAD) | ATTRIBUTE_BIT(O_SEND) | ATTRIBUTE_BIT(O_RECV) |         \
     ATTRIBUTE_BIT(EAGER_LIMIT) | ATTRIBUTE_BIT(RENDEZVOUS) | ATTRIBUTE_BIT(MEMORY_BANDWIDTH) |                        \
     ATTRIBUTE_BIT(CORE_BANDWIDTH) | ATTRIBUTE_BIT(BOARDS) | ATTRIBUTE_BIT(TIME_SPREAD) | ATTRIBUTE_BIT(TIME_ERROR) |  \
     ATTRIBUTE_BIT(NETWORK_ERROR) | ATTRIBUTE_BIT(LATENCY_BY_SIZE))
#define TAKEN_BY_FAMILIES                                                                                              \
    (TAKEN_BY_ALL | ATTRIBUTE_BIT(PROCESSORS) | ATTRIBUTE_BIT(SPEED) | ATTRIBUTE_BIT(PROCESSOR_MEMORY) |               \
     ATTRIBUTE_BIT(TYPE))
#define TAKEN_WITH_LINKS                                                                                               \
    (TAKEN_BY_FAMILIES | ATTRIBUTE_BIT(MODEL) | ATTRIBUTE_BIT(CAPACITY) | ATTRIBUTE_BIT(LINK_LATENCY) |                \
     ATTRIBUTE_BIT(SWITCHING) | ATTRIBUTE_BIT(DUPLEX) | ATTRIBUTE_BIT(CORES))

/** Hosts that were given one by one, and where their cores stand. All owned; NULL where hosts are alike. */
typedef struct machine_processors {
    machine_host *host;
    inlay_id *host_of; /**< of every processor */
    bool differ;       /**< in type, speed or memory */
} machine_processors;

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
    inlay_rate capacity;                         /**< of one bus */
    int64_t message_size;                        /**< bytes, or 0 */
    double transfers;                            /**< bus transfers a message */
    bool tree;                                   /**< who has got a datum passes it on */
    inlay_duration latency;                      /**< once a message */
    inlay_contention contention;                 /**< what messages meet */
    const inlay_sharing *sharing;                /**< or how they share links; NULL: they do not */
    int64_t processor_memory;                    /**< bytes of each processor; -1 unlimited */
    int64_t common_memory;                       /**< bytes of each common memory; -1 unlimited */
    double price;                                /**< of one processor for an hour */
    double power;                                /**< watts of one processor */
    inlay_duration arithmetic_time;              /**< of one operation, on a processor of speed 1 */
    inlay_duration function_time;                /**< of one evaluation, likewise */
    inlay_duration task_overhead;                /**< of the run-time scheduler, before each module */
    inlay_pieces o_send, o_recv;                 /**< of a message, on its processors */
    inlay_pieces latency_by_size;                /**< of a message, besides `latency` */
    int64_t eager_limit;                         /**< bytes; 0: none is stated */
    bool late;                                   /**< receives are posted when their modules come */
    inlay_rate memory_bandwidth, core_bandwidth; /**< of a host, and of one of its cores; value 0: unlimited */
    inlay_id boards;                             /**< that processors are dealt to evenly; 0: a host is one */
    inlay_doubts doubts;                         /**< of its figures */
    machine_host alike;                          /**< of every processor, in a family: its speed */
    double flops;                  /**< operations a second of a processor of speed 1; 0: speeds have no unit */
    double reference;              /**< the same, as it was asked for; 0: it was not */
    bool fastest;                  /**< nobody said what speed 1 is: it is the fastest host's, and hosts differ */
    inlay_id cores;                /**< of every host, in a family */
    family_shape shape;            /**< of a family with links */
    inlay_duration link_latency;   /**< of every cable, in a family */
    bool cut_through, half_duplex; /**< asked for by attribute */
    bool exponential;              /**< queueing at links is M/M/1 */
    topology *topology;            /**< owned; NULL in buses and omega networks */
    machine_processors unlike;     /**< where hosts were given one by one */
    char *document;                /**< the file that it was read from, whole; NULL for a string */
    char *format;                  /**< of that: "dot", "simgrid", "tgt", "host" */
    char *value[ATTRIBUTES];       /**< as written, blanks normalised; NULL where not given */
};

/** How an attribute's value is read, and of which type the machine's field is. */
typedef enum attribute_kind {
    VALUE_OWN,       /**< by a function of its own */
    VALUE_WORD,      /**< the same, one of several words */
    VALUE_COUNT,     /**< a whole number: inlay_id */
    VALUE_SIZES,     /**< 4x4, as many as the processors have, which is found out when all is known: inlay_id [] */
    VALUE_NUMBER,    /**< double */
    VALUE_TIME,      /**< inlay_duration */
    VALUE_OPERATION, /**< a time with its unit: without, it would mean something else in every application */
    VALUE_BYTES,     /**< int64_t */
    VALUE_BYTE_RATE, /**< bytes a unit of time: inlay_rate */
    VALUE_PIECES,    /**< a time by the size of a message: inlay_pieces */
    VALUE_FLAG,      /**< bool, true for the second of two words */
    VALUE_NAME       /**< kept as text alone */
} attribute_kind;

/** One attribute: what it means to the machine, and how to say that a value is wrong. */
typedef struct attribute_rule {
    const char *name;
    attribute_kind kind;
    size_t field; /**< offset in the machine */
    int least;    /**< of counts; of numbers and times 1 is any above 0 */
    bool (*own)(struct inlay_machine *machine, const char *value); /**< false: the value cannot be */
    const char *expected;                                          /**< what it should have been; of a flag its words */
    const char *instead; /**< said where the family has something else for it; else NULL */
} attribute_rule;

const attribute_rule *attribute_rule_of(attribute_id id);

/** Adds what a value of the attribute should be in that family. */
void attribute_expected(attribute_id id, inlay_family family, text_buffer *to);

bool attribute_holds(attribute_id id, inlay_family family);

/** The attribute's value, in the machine; false where it cannot be. */
bool attribute_read(attribute_id id, inlay_machine *machine, const char *value);

/** The attribute of that name, or -1. */
int attribute_find(const char *name);

/** The least power of n, at least n, that is not below k. */
int64_t omega_size_from(int64_t k, int64_t n);

/** What a file says of a machine that consists of hosts and links. */
typedef struct machine_parts {
    const char *name;     /**< of the machine */
    const char *source;   /**< what messages name */
    const char *document; /**< the file's whole text; it goes into mapping.json, so that a mapping can be read alone */
    const char *format;   /**< "dot", "simgrid", "tgt", "host" */
    topology *topology;
    const machine_host *host;          /**< topology->hosts entries; copied */
    double reference;                  /**< operations a second of a processor of speed 1; 0: the file does not say */
    const inlay_attribute *attributes; /**< of the whole machine, `network` and `processors` not among them */
    size_t count;
} machine_parts;

/** Operations a second of a processor of a machine whose speeds have a unit. */
double machine_flops_of(const inlay_machine *machine, inlay_id processor);

/** Whether types of processors have references of their own. */
bool machine_has_references(const inlay_machine *machine);

/** A speed as it is written: a number above 0, or operations a second, `*flops`. */
bool speed_read(const char *text, double *speed, double *flops);

/** Warns where nobody said on which host the times of modules hold, and it matters. */
void machine_warn_of_speeds(const inlay_machine *machine, inlay_diag *diag);

/** The machine; parts->topology is taken over, and freed where this fails. */
int machine_assemble(const machine_parts *parts, inlay_machine **machine, inlay_diag *diag);

/** A positive number of watts, with its unit or without: "95W", "0.25kW". */
bool power_parse(const char *value, double *watts);

#endif

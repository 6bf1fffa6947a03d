/*
 * The machine graph G(M).
 *
 * Uniform machines today: a number of like processors, their memories and one interconnect, written as a string
 * (`bus:17,memory=distributed,capacity=1.25GB/s`) or as a DOT graph with the same attributes. The five of C. E. Houstis,
 * E. N. Houstis, J. R. Rice, CSD-TR-86-576, section 2.2:
 *
 *   model   family     memory                         interconnect
 *   1       bus        common                         one bus
 *   2       bus        distributed: one a processor   one bus
 *   3       multibus   common, in m modules           b buses, each of which serves one memory at a time
 *   4       omega      common, in k modules           stages of n x n switches from k processors to k memories
 *   5       omega-pe   distributed: one a processor   the same from processor to processor
 */
#ifndef INLAY_MACHINE_H
#define INLAY_MACHINE_H

#include <inlay/app.h>

typedef struct inlay_machine inlay_machine;

typedef enum inlay_family {
    INLAY_BUS,
    INLAY_MULTIBUS,
    INLAY_OMEGA,
    INLAY_OMEGA_PE,
    INLAY_CROSSBAR,
    INLAY_STAR,
    INLAY_RING,
    INLAY_MESH,
    INLAY_TORUS,
    INLAY_HYPERCUBE,
    INLAY_TREE,
    INLAY_FAT_TREE,
    INLAY_DRAGONFLY,
    INLAY_RING_OF_RINGS,
    INLAY_GRAPH /**< links and processors one by one: a DOT graph, a platform file, this computer */
} inlay_family;

/** What carries messages: the delay function that counts, and what a simulation queues at. */
typedef enum inlay_network {
    INLAY_NETWORK_LINKS, /**< links, on routes: most families, and INLAY_GRAPH */
    INLAY_NETWORK_BUS,
    INLAY_NETWORK_MULTIBUS,
    INLAY_NETWORK_OMEGA,
    INLAY_NETWORK_OMEGA_PE
} inlay_network;

/** What messages meet; each leaves out what the one before has. */
typedef enum inlay_contention {
    INLAY_CONTENTION_QUEUES, /**< the machine's network, with queues. No time at all where its capacity is unknown, but
                                  latency: inlay_summary.free_network */
    INLAY_CONTENTION_NONE,   /**< every message takes its own time and latency, as if it were alone: nobody waits */
    INLAY_CONTENTION_FREE    /**< messages take no time, and have no latency */
} inlay_contention;

typedef enum inlay_memory_kind { INLAY_MEMORY_DISTRIBUTED, INLAY_MEMORY_COMMON } inlay_memory_kind;

/**
 * A machine from its string, `FAMILY:PROCESSORS[,attribute=value...]`. Messages put the string where a file would stand.
 * Attributes of all families: message_size=BYTES, transfers=NUMBER, latency=TIME, contention=queues|sharing|cm02|lv08|none|free,
 * processor_memory=BYTES, type=NAME, price=NUMBER, currency=NAME (with a price), power=WATTS, arithmetic_time=TIME, function_time=TIME,
 * task_overhead=TIME, o_send=PIECES, o_recv=PIECES, latency_by_size=PIECES, eager_limit=BYTES, rendezvous=early|late, memory_bandwidth=RATE, core_bandwidth=RATE, boards=NUMBER,
 * time_spread=NUMBER, time_error=NUMBER, network_error=NUMBER.
 * bus:      memory=common|distributed, capacity=RATE, common_memory=BYTES (with common memory).
 * multibus: memories=NUMBER, buses=NUMBER (both have to be given), model=paper|occupancy, capacity=RATE (of one bus),
 *           common_memory=BYTES (of each memory).
 * omega:    switch=NUMBER, packets=NUMBER, transit=TIME, cycle=TIME, common_memory=BYTES (of each memory).
 * omega-pe: switch=NUMBER, packets=NUMBER, cycle=TIME.
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

/** How many families there are: those before INLAY_GRAPH, which a machine string can name. */
INLAY_API size_t inlay_families(void);
INLAY_API const char *
inlay_family_name(inlay_family family); /**< "bus", "mesh", "fattree", ...; INLAY_GRAPH: "links" */
INLAY_API const char *inlay_family_operand(inlay_family family); /**< how processors are written: "K", "AxB", ... */
INLAY_API const char *inlay_family_summary(inlay_family family); /**< a phrase */

INLAY_API void inlay_machine_free(inlay_machine *machine);

INLAY_API const char *inlay_machine_name(const inlay_machine *machine);
INLAY_API inlay_family inlay_machine_family(const inlay_machine *machine);
INLAY_API inlay_network inlay_machine_network(const inlay_machine *machine);
INLAY_API int inlay_machine_model(const inlay_machine *machine); /**< of the delay: 1 to 5; links 6, or 7 with M/M/1 */
/** The model in words: "single bus, distributed memory". */
INLAY_API const char *inlay_machine_model_words(const inlay_machine *machine);

INLAY_API inlay_id inlay_machine_processors(const inlay_machine *machine);
INLAY_API inlay_memory_kind inlay_machine_memory_kind(const inlay_machine *machine);
INLAY_API inlay_id inlay_machine_memories(const inlay_machine *machine); /**< common memories; 0 where distributed */

/** Whether a capacity is given; *rate is that of one bus. Omega networks have none: see inlay_machine_cycle(). */
INLAY_API bool inlay_machine_capacity(const inlay_machine *machine, inlay_rate *rate);

INLAY_API inlay_id inlay_machine_buses(const inlay_machine *machine);   /**< 1 in a bus, 0 in omega networks */
INLAY_API bool inlay_machine_occupancy(const inlay_machine *machine);   /**< multibus: model=occupancy was asked for */
INLAY_API inlay_id inlay_machine_switch(const inlay_machine *machine);  /**< inputs of a switch; 0 without switches */
INLAY_API inlay_id inlay_machine_packets(const inlay_machine *machine); /**< packets of a message, default 1 */

/** Whether a cycle time is given: that of one packet on a link of an omega network. */
INLAY_API bool inlay_machine_cycle(const inlay_machine *machine, inlay_duration *cycle);

/** Whether the time of a packet's head through a switch of an omega network is given; else it takes one cycle. */
INLAY_API bool inlay_machine_transit(const inlay_machine *machine, inlay_duration *transit);

/** Whether it matters which processor a cluster stands on: omega-pe, and all machines with links. */
INLAY_API bool inlay_machine_has_distance(const inlay_machine *machine);

/**
 * Distance d between two processors: 0 from a processor to itself, else 1 in machines without distance. In omega-pe 1
 * between processors of one first-stage switch (n p .. n p + n - 1 are the processors of switch p), else 2. With links the
 * length of the route, 0 within a host; -1 when out of memory.
 */
INLAY_API int inlay_machine_distance(const inlay_machine *machine, inlay_id from, inlay_id to);

/**
 * Bisection width: links that every cut of the hosts into halves passes, of families for which it is known and where the
 * hosts can be halved; else -1.
 */
INLAY_API int64_t inlay_machine_bisection(const inlay_machine *machine);

/* ---- Links and routes: INLAY_NETWORK_LINKS ---- */

/** Whether messages go over links, along routes. */
INLAY_API bool inlay_machine_has_links(const inlay_machine *machine);

/**
 * One link. It carries a message at a time; a cable that carries both ways at once is two links. Capacity counts bytes or
 * messages in a unit of time, latency units of time, both as inlay_machine_link_unit() says.
 */
typedef struct inlay_machine_link {
    inlay_id from, to; /**< nodes, or -1 where the file does not say */
    double capacity;   /**< where none is known 1, or more where a link stands for several cables */
    double latency;
    bool shared;   /**< one medium for both directions */
    bool parallel; /**< messages do not meet on it */
} inlay_machine_link;

INLAY_API inlay_id inlay_machine_links(const inlay_machine *machine); /**< 0 without links */
INLAY_API inlay_machine_link inlay_machine_link_at(const inlay_machine *machine, inlay_id link);
/** "p0-s1" or as its file names it; written to `name`, which is returned. */
enum { INLAY_MACHINE_NAME = 128 };
INLAY_API char *inlay_machine_link_name(const inlay_machine *machine, inlay_id link, char name[INLAY_MACHINE_NAME]);
INLAY_API inlay_unit inlay_machine_link_unit(const inlay_machine *machine); /**< INLAY_UNIT_S or INLAY_UNIT_TICK */
INLAY_API bool inlay_machine_links_in_bytes(const inlay_machine *machine);
INLAY_API bool inlay_machine_links_known(const inlay_machine *machine); /**< whether they have capacities */

/** Whether a message's head goes on as it arrives (cut-through); else every link passes all of it first. */
INLAY_API bool inlay_machine_cut_through(const inlay_machine *machine);

/** Queueing at a link: M/M/1 was asked for, lengths of messages being exponential; else M/D/1, all of one length. */
INLAY_API bool inlay_machine_exponential(const inlay_machine *machine);

/** Nodes: hosts first, each with one core or several, then switches and routers. 0 without links. */
INLAY_API inlay_id inlay_machine_nodes(const inlay_machine *machine);
INLAY_API inlay_id inlay_machine_hosts(const inlay_machine *machine);
INLAY_API char *inlay_machine_node_name(const inlay_machine *machine, inlay_id node, char name[INLAY_MACHINE_NAME]);
/** Host of a processor: 0 .. hosts-1; the processor itself without links. */
INLAY_API inlay_id inlay_machine_host(const inlay_machine *machine, inlay_id processor);

/**
 * The host whose memory is the main memory: where the data of a node with accelerators lie when a run begins, and where
 * they are written back to. -1: none is, and memories are alike.
 */
INLAY_API inlay_id inlay_machine_main(const inlay_machine *machine);

/**
 * The route between two processors: links in the order in which a message passes them, none within a host.
 * @param links  room for `room` of them; what is beyond is left out
 * @return the length of the route, or -1 when out of memory
 */
INLAY_API inlay_id inlay_machine_route(const inlay_machine *machine, inlay_id from, inlay_id to, inlay_id *links,
                                       inlay_id room);

/**
 * The text of the file that gave the machine link by link, and its format ("dot", "simgrid", "tgt", "metasystem", ...); NULL for
 * machines that their string describes.
 */
INLAY_API const char *inlay_machine_document(const inlay_machine *machine);
INLAY_API const char *inlay_machine_format(const inlay_machine *machine);

/* ---- Processors that differ ---- */

/** Whether processors differ in type, speed or memory. */
INLAY_API bool inlay_machine_unlike(const inlay_machine *machine);

/** What one processor is. Modules take their time divided by `speed`, or their time on `type` divided by it. */
typedef struct inlay_processor {
    const char *type; /**< NULL where none is given */
    double speed;     /**< above 0; 1 where none is given */
    int64_t memory;   /**< bytes of its host; -1 unlimited */
} inlay_processor;

INLAY_API inlay_processor inlay_machine_processor(const inlay_machine *machine, inlay_id processor);

/**
 * Speeds in operations a second. Where the file gives those (a SimGrid platform, speed=2Gf), times of modules hold on a
 * processor of the reference speed: `reference_speed` of the machine, else what the file says, else its fastest processor.
 * A type of processors may have a reference of its own, `reference_speed.TYPE`, of which this tells nothing.
 * @return whether speeds have a unit; *flops are the operations a second of a processor of speed 1
 */
INLAY_API bool inlay_machine_flops(const inlay_machine *machine, double *flops);

/**
 * Another reference: from now on times hold on a processor of so many operations a second, which its attribute
 * reference_speed says too; types that have their own keep it. For machines that nothing was made of yet. INLAY_BAD_ARGUMENT where speeds have no unit.
 */
INLAY_API int inlay_machine_refer(inlay_machine *machine, double flops, inlay_diag *diag);

INLAY_API int64_t inlay_machine_message_size(const inlay_machine *machine); /**< bytes; 0 where none is given */
INLAY_API double inlay_machine_transfers(const inlay_machine *machine);     /**< transfers per message, default 1 */

/**
 * How a datum comes to several places: from its producer to each, or (`broadcast=tree`) along a binomial tree of those that
 * have it. Never true where a datum is written once for all, into common memories that take two transfers or more.
 */
INLAY_API bool inlay_machine_broadcasts_in_trees(const inlay_machine *machine);

INLAY_API inlay_duration inlay_machine_latency(const inlay_machine *machine);      /**< once a message, default 0 */
INLAY_API inlay_contention inlay_machine_contention(const inlay_machine *machine); /**< default queues */
/** What a run-time scheduler takes of a processor before each module, default 0: of inlay_simulate_scheduled() alone. */
INLAY_API inlay_duration inlay_machine_task_overhead(const inlay_machine *machine);

/** From messages of `size` bytes on, up to the next piece: `time`, and `per_byte` for every byte of the message. */
typedef struct inlay_piece {
    int64_t size; /**< of the first 0 */
    inlay_duration time, per_byte;
} inlay_piece;

enum { INLAY_PIECES_MOST = 16 };

/** A time that depends on the size of a message, linear in pieces: [SIZE:]TIME[:TIME A BYTE], `/` between them. */
typedef struct inlay_pieces {
    int count; /**< 0: it takes no time */
    inlay_piece piece[INLAY_PIECES_MOST];
} inlay_pieces;

/** Latency of a message by its size, besides inlay_machine_latency(): where the gap or the protocol changes with the size. */
INLAY_API const inlay_pieces *inlay_machine_latency_by_size(const inlay_machine *machine);

/**
 * For how long a message to another host keeps the processor that sends it, and the one that receives it: o of LogGP (A.
 * Alexandrov, M. F. Ionescu, K. E. Schauser, C. Scheiman, 1995). The machine's, for as long as that.
 */
INLAY_API const inlay_pieces *inlay_machine_send_overhead(const inlay_machine *machine);
INLAY_API const inlay_pieces *inlay_machine_receive_overhead(const inlay_machine *machine);

/**
 * A message to another host of more bytes than this waits for its receiver: it sets out when a module that awaits it has
 * come to the head of its processor (the rendezvous of MPI, with receives that are not posted before). INT64_MAX: none
 * waits; -1: all do.
 */
INLAY_API int64_t inlay_machine_rendezvous_above(const inlay_machine *machine);

/**
 * Bytes a unit of time between memory and all cores of a host together, and one core; value 0: unlimited. False where the
 * host's is.
 */
INLAY_API bool inlay_machine_memory_bandwidth(const inlay_machine *machine, inlay_rate *host, inlay_rate *core);

/** How sure a machine's figures are: standard deviations over means, 0 where nothing is said. */
typedef struct inlay_doubts {
    double time_spread;   /**< of a module's time, from one run of it to the next */
    double time_error;    /**< of what all module times have in common */
    double network_error; /**< the same of all times of messages */
} inlay_doubts;

INLAY_API inlay_doubts inlay_machine_doubts(const inlay_machine *machine);

/**
 * Which of the memories with that bandwidth is a processor's, from 0 and below the number of processors: with `boards` of
 * them processor p of P has number p x boards / P; else a host has one, and so has a machine of common memory.
 */
INLAY_API inlay_id inlay_machine_board(const inlay_machine *machine, inlay_id processor);

INLAY_API const char *inlay_contention_name(inlay_contention contention); /**< "queues", "none", "free" */

/**
 * How messages share links. A link of latency l and bandwidth b has latency_factor x l and bandwidth_factor x b. A message
 * whose route has latency L (without the factor) has a share in inverse proportion to L plus rtt_weight / b of every link
 * of it where `by_latency` holds, else all are alike; no more than window / 2 L bytes a second; and takes `cross` of it on
 * the way back too (P. Velho, A. Legrand, "Accuracy study and improvement of network simulation in the SimGrid framework",
 * 2009).
 */
typedef struct inlay_sharing {
    const char *name; /**< "sharing": none of that; "cm02" and "lv08": as SimGrid's models of these names */
    double latency_factor, bandwidth_factor;
    bool by_latency;
    double rtt_weight; /**< bytes */
    double window;     /**< bytes; 0: none */
    double cross;
} inlay_sharing;

/** `contention=sharing`, `cm02` or `lv08`; NULL: messages queue, or what inlay_machine_contention() says. */
INLAY_API const inlay_sharing *inlay_machine_sharing(const inlay_machine *machine);

/** What stands behind `contention=`: the name of how messages share links, or of what they meet else. */
INLAY_API const char *inlay_machine_contention_word(const inlay_machine *machine);
INLAY_API int64_t inlay_machine_processor_memory(const inlay_machine *machine);   /**< bytes; -1 unlimited */
INLAY_API int64_t inlay_machine_common_memory(const inlay_machine *machine);      /**< bytes of each; -1 unlimited */
INLAY_API const char *inlay_machine_processor_type(const inlay_machine *machine); /**< NULL where none is given */

/** Whether a price is given: of one processor for an hour, in inlay_machine_currency(). */
INLAY_API bool inlay_machine_price(const inlay_machine *machine, double *price);
INLAY_API const char *inlay_machine_currency(const inlay_machine *machine); /**< as written; NULL where none is given */

/** Whether a power is given: watts that one processor takes. */
INLAY_API bool inlay_machine_power(const inlay_machine *machine, double *watts);

/**
 * Whether the time of one arithmetic operation is given, and that of one function evaluation: on a processor of speed 1.
 * Where both are, both are in ticks or none. inlay_app_time_counts() makes times of counts with them.
 */
INLAY_API bool inlay_machine_arithmetic_time(const inlay_machine *machine, inlay_duration *each);
INLAY_API bool inlay_machine_function_time(const inlay_machine *machine, inlay_duration *each);

/* ---- Facts about the machine ---- */

/** Processors of one type, speed and memory. */
typedef struct inlay_processor_kind {
    inlay_processor is;
    inlay_id processors, hosts;
} inlay_processor_kind;

/** Links of one capacity, latency and kind; the ends of `is` are those of one of them. */
typedef struct inlay_link_kind {
    inlay_machine_link is;
    inlay_id links;
} inlay_link_kind;

/** What `inlay info` tells. */
typedef struct inlay_machine_facts {
    const inlay_machine *machine;
    inlay_processor_kind *processor_kinds; /**< in the order of their first processors */
    size_t processor_kind_count;
    inlay_link_kind *link_kinds; /**< from the fastest on */
    size_t link_kind_count;
    int diameter;         /**< most links between two hosts; of what was measured */
    double mean_distance; /**< links between two different hosts; NaN where there is one */
    inlay_id sources;     /**< hosts from which distances were measured: all of them, or a sample */
    int64_t bisection;    /**< least links between two halves of the hosts, both ways counted; -1 not known */
} inlay_machine_facts;

/** Find them out; the machine must outlive them. Clear them afterwards. */
INLAY_API int inlay_machine_describe(const inlay_machine *machine, inlay_machine_facts *facts, inlay_diag *diag);
INLAY_API void inlay_machine_facts_clear(inlay_machine_facts *facts);

/** The name of the i-th attribute that a machine of whatever family may have; NULL behind the last. */
INLAY_API const char *inlay_machine_attribute_name(size_t i);

/** Number of attributes that were given, and the i-th in canonical order: enough to make the machine again. */
INLAY_API size_t inlay_machine_attributes(const inlay_machine *machine);
INLAY_API inlay_attribute inlay_machine_attribute(const inlay_machine *machine, size_t i);

/** The machine as a string that inlay_machine_parse() reads back. */
INLAY_API const char *inlay_machine_text(const inlay_machine *machine);

#endif

/* A run of the checker's simulator. */
#ifndef CHECK_SIMULATOR_STATE_H
#define CHECK_SIMULATOR_STATE_H

#include "check/simulator.h"

/** What becomes due while a module runs: a link, a copy of a datum, or the read of a data block. */
typedef struct sim_item {
    inlay_id module;  /**< whose it is */
    inlay_id to;      /**< module that waits for a link, or the first that waits for a copy; -1 nobody */
    inlay_id by;      /**< rank that sends it: of a copy that is passed on not its module's */
    inlay_id there;   /**< rank at the other end */
    inlay_id datum;   /**< of a copy, else -1 */
    inlay_id block;   /**< of a read, else -1 */
    int64_t link;     /**< its number, that of the copy's first, or behind all links that of the use */
    int64_t after;    /**< due so many grains after the module's start, at speed 1 */
    int64_t messages; /**< 0: it stays */
    int64_t bytes;
    int64_t visits;    /**< transfers of each */
    double share;      /**< traffic of each */
    int64_t together;  /**< of a screen, messages that one stands for */
    double latency;    /**< of all */
    double sent_after; /**< machines with o_send: due so much later, behind what its module sends before it */
    int64_t next;      /**< behind it in the queue of its processor, -1 none */
    bool late;         /**< it may not set out before a module that waits for it has come */

    int64_t left;    /**< messages that have not arrived */
    inlay_id *route; /**< links, while it is on its way; owned */
    inlay_id length;
    double *asks, *all; /**< of a screen, of every message while it is on its way; owned */
    check_sent did;
} sim_item;

/** A processor that is used. */
typedef struct sim_processor {
    inlay_id at;         /**< module that it has taken or runs, in the program's list */
    int64_t due;         /**< items of that module before this one have been due */
    int64_t first, last; /**< its queue of items, -1 empty */
    int64_t sending;     /**< item, -1 none; over links how many are on their way */
    bool holds;          /**< no overlap: it waits for its messages before it takes its next module */
    double until;        /**< its items have arrived by then */

    /* Where memory has a bandwidth, of the module that runs: */
    bool starts;         /**< it does not run, and its start is the next event */
    bool moves;          /**< it does, bytes too */
    double demand, rate; /**< of what it could alone */
    double since, done;  /**< so much of its time was over then, at that rate from then on */
    double end;          /**< all of it was; while it is not, infinite */
    int64_t stamp;       /**< of its next event: others are out of date */

    inlay_id next; /**< behind it in the queue for a bus, -1 none */

    /* Its transfer that is under way: */
    int64_t messages, visits; /**< to go of the item and of the message, this one counted */
    double size;              /**< share times factor */
    inlay_id memory;          /**< -1 none */
    inlay_id address, goal;   /**< omega */
    int stage, stages;
} sim_processor;

/** A message on its way over links. */
typedef struct sim_message {
    int64_t item;
    int64_t behind; /**< messages of its item that have no number yet */
    inlay_id at;    /**< links that it has asked for */
    double size;
    double all; /**< all of it is there by then */
} sim_message;

/** An item on its way over links that are shared. */
typedef struct sim_flow {
    int64_t item;
    double begins;     /**< its latency is over */
    double left, rate; /**< below 0: to be found */
    double weight, bound;
    bool moves;
    double *use; /**< of every link of the machine; owned */
} sim_flow;

/** The network's constants, in grains. */
typedef struct sim_network {
    bool free, in_bytes;
    int64_t message_size, visits;
    double latency;
    double size;     /**< buses, links: of a unit of traffic, which capacities divide */
    double capacity; /**< of a bus */
    double again;    /**< of a further copy that is written once, to the first; 1 where none is */
    bool once, trees;
    inlay_id buses, memories;
    int switch_size, stages; /**< 0 but in omega networks */
    double transit, taken, tail;
    double link_rate, link_time;  /**< of a link's capacity and latency as the machine gives them */
    const inlay_sharing *sharing; /**< messages share links; else NULL */
    bool links, cut_through;
} sim_network;

typedef enum sim_kind { SIM_PROCESSOR, SIM_PASSED, SIM_NETWORK } sim_kind;

typedef struct sim_event {
    double time;
    sim_kind kind;
    int64_t who;  /**< rank; of a copy that is passed on its turn; bus, rank of the sender, or number of the message */
    int64_t item; /**< that is passed on; of a processor where memory has a bandwidth, the stamp */
} sim_event;

typedef struct simulator {
    const check_program *of;
    check_watch watch;
    double grains; /**< in a unit */
    inlay_contention contention;
    sim_network network;
    int status;

    sim_event *event; /**< a heap, the first of all at 0 */
    size_t events, events_room;

    sim_item *item; /**< module by module, in the order in which they are due */
    size_t items, items_room;
    int64_t *item_begin;      /**< modules + 1 */
    int64_t *waits;           /**< of every module: links, copies and processors that it has not got */
    double *ready;            /**< of every module: the latest that it got, and then has received */
    double *receives, *sends; /**< of every module: for how long its processor does before and behind it */
    bool *come;               /**< of every module: its own processor has come to it */
    int64_t *hold;            /**< items that are due and wait for that, in any order */
    size_t held, hold_room;
    sim_processor *processor;
    double bandwidth, core_bandwidth; /**< of memory, bytes a grain; 0: unlimited */
    inlay_id ended;                   /**< modules */
    int64_t sent;                     /**< items */
    double last;

    inlay_id first, last_waiting; /**< buses: ranks that wait, in their order; -1 none */
    inlay_id *on_bus;             /**< rank that it serves, -1 free */
    bool *memory_taken;
    double *free_at; /**< omega: of every output, stage by stage; links: of every link */
    sim_message *message;
    size_t messages, messages_room;
    sim_flow *flow; /**< of all items that share links, in the order in which they set out */
    size_t flows, flows_room;
    double flowed; /**< what is left of them counts up to here ... */
    int64_t round; /**< ... and events of rounds before are out of date */
} simulator;

/* ---- simulator.c ---- */

/** An event is to come. */
void sim_at(simulator *s, double time, sim_kind kind, int64_t who);
void sim_put(simulator *s, sim_event e);

/** What waits for an item is satisfied, from `time` on; and who is to pass it on has got it. */
void sim_satisfy(simulator *s, const sim_item *item, double time);

/** An item that went to another processor was sent at `sent`, and arrives its latency later. */
void sim_arrive(simulator *s, sim_item *item, double sent);

/** A processor without anything under way any more, which may have held back for it, at that time. */
void sim_release(simulator *s, inlay_id c, double now);

/** A column, of `count` times `size`; grown to hold `needed`. False, and s->status, when out of memory. */
bool sim_grow(simulator *s, void **column, size_t *room, size_t needed, size_t size);

static inline double sim_factor(const simulator *s)
{
    return s->watch.factor ? s->watch.factor(s->watch.own) : 1;
}

static inline double sim_latency_factor(const simulator *s)
{
    return s->network.sharing ? s->network.sharing->latency_factor : 1;
}

static inline double sim_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline inlay_id sim_number(const simulator *s, inlay_id c)
{
    return s->of->processor[c];
}

/* ---- simulator_memory.c ---- */

/** The bandwidth of memory. */
void sim_read_memory(simulator *s);

/** A module starts: its processor's next event. */
void sim_memory_start(simulator *s, inlay_id module, double start);

/** An event of a processor: false where that is out of date, or only the start. */
bool sim_memory_event(simulator *s, const sim_event *e);

/** What comes next of it. */
void sim_memory_next(simulator *s, inlay_id c, double now);

/** How much of the module that runs is over, as time alone would have it. */
double sim_memory_over(const simulator *s, inlay_id c, double now);

/** Its time without overheads, and when an item is due, after its start, alone. */
double sim_computes(const simulator *s, inlay_id module);
double sim_due(const simulator *s, const sim_item *item);

/* ---- simulator_items.c ---- */

/** How many of the application's units one `unit` of the machine is. */
double sim_ratio(const simulator *s, inlay_unit unit);

/** The network's constants; the items, and for how many things every module waits. */
void sim_read_network(simulator *s);
void sim_list(simulator *s);

/** Whether another sends a copy than its producer. */
static inline bool sim_is_passed(const simulator *s, const sim_item *item)
{
    return item->by != s->of->rank_of[item->module];
}

/** Whether a module stands where a copy goes that comes to rank `there`. */
bool sim_shares(const simulator *s, inlay_id module, inlay_id there);

/** Of a module on its own processor at speed 1, grains. */
int64_t sim_time(const simulator *s, inlay_id module);

/* ---- simulator_network.c: buses and omega networks ---- */

bool sim_make_network(simulator *s);
void sim_ask(simulator *s, inlay_id c, double now); /**< the first item of its queue */
void sim_network_event(simulator *s, int64_t who, double now);

/** How long the messages of an item take where nobody is. */
double sim_alone(simulator *s, const sim_item *item);

/* ---- simulator_links.c ---- */

void sim_set_out(simulator *s, sim_item *item, double now);
void sim_link_event(simulator *s, int64_t number, double now);

/* ---- simulator_flows.c: links that are shared ---- */

void sim_flow_out(simulator *s, sim_item *item, double now);
void sim_flow_event(simulator *s, const sim_event *e);
void sim_flows_clear(simulator *s);

/** It has arrived: back to simulator_links.c. */
void sim_train_ended(simulator *s, sim_item *item, double now);

/** Frees what an item has while it is on its way. */
void sim_forget(sim_item *item);

#endif

/*
 * The messages of a mapped dataflow program: values on their way from one processor to another. Each is a message when it
 * is put, or several where the machine cuts it into pieces. Times are the engine's.
 */
#ifndef SIMULATE_DATAFLOW_NETWORK_H
#define SIMULATE_DATAFLOW_NETWORK_H

#include "simulate/dataflow.h"
#include "simulate/fabric.h"
#include "simulate/random.h"

/** A value that goes to another processor. */
typedef struct parcel {
    int32_t channel;
    size_t number; /**< of the channel's values */
    double due;    /**< when it was put */
} parcel;

/** What a processor has to send. */
typedef struct sender {
    inlay_id processor;
    parcel *parcel; /**< a ring, in the order of their dues */
    size_t room, first, count;
    bool sending; /**< the first is under way; over links they leave the ring when they set out */
    int64_t left; /**< of that one: messages to go, the one under way counted */
    int64_t visits;
    double share; /**< of that one: traffic of a transfer */
    inlay_id port_from, port_to;
    int64_t sent, received; /**< messages */
} sender;

/** The messages of a value on their way over links, one behind another. */
typedef struct parcel_train {
    parcel parcel;
    int64_t left;   /**< messages that have not come to their last link */
    int64_t behind; /**< that have not set out */
    link_route route;
    double size;  /**< of each */
    double sent;  /**< latest arrival so far */
    int32_t next; /**< of one that is not used: the next such, -1 none */
} parcel_train;

typedef struct dataflow_network {
    engine *engine;
    const inlay_id *cluster_of; /**< of the program's modules; the caller's */
    fabric_plan plan;           /**< FABRIC_NONE where messages meet no queue */
    fabric_plan alone;          /**< what a message takes by itself; FABRIC_NONE: nothing */
    links_plan *links;          /**< owned; NULL where messages do not go over links, or are free */
    bool free;                  /**< no message takes any time */
    bool in_bytes;
    int64_t message_size;
    double latency;       /**< of a message */
    double grain;         /**< of the engine's time, in a unit */
    interconnect network; /**< for the latency that messages have by their size */

    sender *sender; /**< of every cluster */
    inlay_id senders;
    calendar due; /**< when the next value of a cluster sets out, where none is under way */
    fabric fabric;
    random_streams random;
    parcel_train *train;
    size_t trains, trains_room;
    int32_t free_train;
    double *until;     /**< scratch: of every link of a route, where nobody else is */
    int64_t under_way; /**< values that have been put, and have no time of arrival yet */
    int64_t messages;
    double last; /**< the last arrival so far */
} dataflow_network;

/** The engine's decimals and program are known. On failure nothing is left. */
int dataflow_network_make(dataflow_network *n, engine *e, const inlay_mapping *mapping, const inlay_id *cluster_of,
                          const inlay_program_run_options *options, inlay_diag *diag);
void dataflow_network_clear(dataflow_network *n);

/** A value goes from cluster to cluster; its arrival is told to the engine now or in some event. */
void dataflow_network_send(dataflow_network *n, int32_t channel, size_t number, double due);

/** When the network wants to be called next: INFINITY where nothing is under way. */
static inline double dataflow_network_time(const dataflow_network *n)
{
    double due = calendar_first(&n->due).time;
    double queued = n->plan.kind == FABRIC_LINKS  ? links_time(&n->fabric.links)
                    : n->plan.kind != FABRIC_NONE ? calendar_first(&n->fabric.calendar).time
                                                  : INFINITY;
    return due < queued ? due : queued;
}

/** Its next event. */
void dataflow_network_event(dataflow_network *n);

#endif

/*
 * Messages booked as modules are, into the first gap of who sends one message at a time, and of a bus or a link that serves
 * one at a time. Those of one module go by when they are due, each resource in that order. Times are grains.
 *
 *   bus, multibus    the sender and the bus that is free first, for c tau
 *   omega, omega-pe  the sender, for c tau d
 *   links            each link of the route, for c transfers / capacity, one after the other; parallel ones serve all at once
 *
 * The latency of the machine comes behind all of it. A datum that was booked to a processor, over links to a host, is there
 * for its other consumers, where data are sent once. Within a host a link costs the latency of all that it states.
 */
#ifndef CLUSTER_BOOKING_H
#define CLUSTER_BOOKING_H

#include "cluster/idle.h"
#include "cluster/timeline.h"
#include "machine/topology.h"

/** What a predecessor sends to the module that is asked about: all of it together, or its own and its data. */
typedef struct booking_transfer {
    double traffic, late; /**< in units of capacity; the latency of its messages */
    inlay_id datum;       /**< -1: its own */
} booking_transfer;

/** A predecessor of that module. */
typedef struct booking_due {
    double due;            /**< when its link is */
    double inside;         /**< the latency of all that the link states, within a host */
    inlay_id module, here; /**< and its processor */
    inlay_id place;        /**< where what it sends is from the beginning */
    size_t first, end;     /**< of its transfers */
} booking_due;

enum { BOOKING_ASKED = 8 /* transfers of a module up to which what was asked about them is kept */ };

/** Answers that hold for every processor to which the same transfers go, where nothing depends on who receives them. */
typedef struct booking_answer {
    int64_t list; /**< of transfers, that it is about */
    double last;
} booking_answer;

typedef struct message_book {
    const idle_network *network;
    const inlay_id *processor_of; /**< of modules that have one */
    const double *start;          /**< likewise */
    timeline line;                /**< of processors, as senders, and of buses; or of links */
    int64_t *asked; /**< by resource: the question at hand, where it has a message in that, or an earlier one */
    double *until;  /**< by resource: when the last of these ends */
    int64_t question;
    inlay_id buses;
    double grain;    /**< grains in a unit of time */
    bool once;       /**< data are copied */
    double **copies; /**< of every datum, when it is at each place; NULL: at its producer's alone */
    int64_t *needed; /**< consumers that have no processor */
    route_list route;
    bool links;  /**< between hosts; else a bus, or none */
    inlay_id at; /**< the module whose predecessors stand in `row`, by when their links are due; -1 none */
    booking_due *row;
    inlay_id rows;
    booking_transfer *transfer;
    size_t transfers, room;
    int64_t lists;                             /**< of transfers that were made */
    bool alike;                                /**< no receiver is served or reached like no other: `answer` holds */
    booking_answer answer[1 << BOOKING_ASKED]; /**< by the set of transfers */
    bool no_memory;
} message_book;

/** `network`, `processor_of` and `start` have to outlive it; false when out of memory. */
bool booking_make(const idle_network *network, const inlay_id *processor_of, const double *start, message_book *result);
void booking_clear(message_book *b);

/**
 * When all data of a module are at a processor.
 * @param keep  what it takes stays booked, the module having got that processor
 */
double booking_ready(message_book *b, inlay_id module, inlay_id processor, bool keep);

#endif

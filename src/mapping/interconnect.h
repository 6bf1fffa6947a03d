/*
 * What the machine's network charges: how a link counts as traffic, the utilisation that traffic makes within a time
 * frame, and the time of one unit of it. All times in the application's unit.
 */
#ifndef MAPPING_INTERCONNECT_H
#define MAPPING_INTERCONNECT_H

#include <inlay/app.h>
#include <inlay/machine.h>

typedef struct interconnect {
    const inlay_machine *machine;
    bool free;            /**< no capacity is known: messages cost nothing but latency */
    bool in_bytes;        /**< traffic is counted in bytes, else in messages */
    double capacity;      /**< of one bus, traffic a unit of time */
    int64_t message_size; /**< bytes, 0 where none is given */
    double transfers;
    double latency;
    double u_limit;
} interconnect;

typedef struct network_point {
    double u, rho, rho_processor, delay, tau; /**< rho_processor: NaN where no finite rate gives this u */
} network_point;

/** Seconds of one unit of the application's time; 0 for ticks of unknown length. */
double interconnect_unit_seconds(inlay_unit unit, double tick_seconds);

int interconnect_make(const inlay_app *app, const inlay_machine *machine, double tick_seconds, interconnect *result,
                      inlay_diag *diag);

/** Messages of a link: bytes in pieces of message_size where the machine has one, else as the link says. */
int64_t interconnect_messages(const interconnect *network, int64_t messages, int64_t bytes);

/** Traffic of a link in the unit of capacity. */
int64_t interconnect_traffic(const interconnect *network, int64_t messages, int64_t bytes);

/** Utilisation within time frame T. */
double interconnect_utilisation(const interconnect *network, int64_t traffic, double time_frame);

/** The network at that traffic; INLAY_NO_ANSWER at or above the limit. No message. */
int interconnect_at(const interconnect *network, int64_t traffic, double time_frame, network_point *point);

/** T must be larger than this for u to stay below its limit. */
double interconnect_saturation_frame(const interconnect *network, int64_t traffic);

#endif

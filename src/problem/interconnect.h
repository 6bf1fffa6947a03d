/*
 * What the machine's network charges: how a link counts as traffic, the utilisation that traffic makes within a time
 * frame, and the time of one unit of it.
 */
#ifndef PROBLEM_INTERCONNECT_H
#define PROBLEM_INTERCONNECT_H

#include <inlay/app.h>
#include <inlay/machine.h>
#include <inlay/network.h>

/** A time by the size of a message: inlay_pieces in the unit in force. */
typedef struct interconnect_curve {
    int count;
    struct {
        double size, time, per_byte;
    } piece[INLAY_PIECES_MOST];
} interconnect_curve;

typedef struct interconnect {
    const inlay_machine *machine;
    bool free;            /**< neither capacity nor cycle is known: messages cost nothing but latency */
    bool in_bytes;        /**< traffic is counted in bytes, else in messages */
    double capacity;      /**< weighted traffic a unit of time that makes u = 1 with one transfer a message */
    int64_t message_size; /**< bytes, 0 where none is given */
    double transfers;
    double latency;
    interconnect_curve o_send, o_recv;       /**< of a message on its processors */
    interconnect_curve latency_by_size;      /**< of a message, besides `latency` */
    int64_t rendezvous_above;                /**< bytes: longer messages wait for their receivers */
    double memory_bandwidth, core_bandwidth; /**< bytes a unit of time, of a host and of one core; 0: unlimited */
    double u_limit;
    inlay_id near;            /**< processors nearer to each other than to others, 0 where all are as far */
    inlay_multibus *multibus; /**< model 3; owned */
    inlay_omega omega;        /**< models 4 and 5 */
    /* Links: what their capacities and latencies are multiplied with to count in the units in force. The utilisation is
       that of the busiest link: what stands for the weighted traffic is the time that it works (link_load.h). */
    double link_capacity, link_latency;
} interconnect;

typedef struct network_point {
    double u, rho, rho_processor, delay, tau; /**< rho_processor: NaN where no finite rate gives this u */
} network_point;

/** In what its times are counted, and who says so. */
typedef struct network_unit {
    inlay_unit unit;
    double tick_seconds; /**< length of a tick; 0 unknown */
    const char *of;      /**< name of the application; NULL: the machine stands by itself */
} network_unit;

/** Seconds of one unit; 0 for ticks of unknown length. */
double interconnect_unit_seconds(inlay_unit unit, double tick_seconds);

int interconnect_make(const inlay_machine *machine, const network_unit *unit, interconnect *result, inlay_diag *diag);
void interconnect_clear(interconnect *network);

/** What counting traffic needs, and no more: nothing to be cleared. */
interconnect interconnect_counting(const inlay_machine *machine, bool in_bytes);

/** Messages of a link: bytes in pieces of message_size where the machine has one, else as the link says. */
int64_t interconnect_messages(const interconnect *network, int64_t messages, int64_t bytes);

/** Traffic of a link in the unit of capacity. */
int64_t interconnect_traffic(const interconnect *network, int64_t messages, int64_t bytes);

/** Whether messages keep the processors that send or receive them. */
static inline bool interconnect_has_overheads(const interconnect *network)
{
    return network->o_send.count > 0 || network->o_recv.count > 0;
}

/** Whether a message from one processor to another leaves its host. */
static inline bool interconnect_leaves_host(const interconnect *network, inlay_id from, inlay_id to)
{
    const inlay_machine *machine = network->machine;
    return from != to &&
           (!inlay_machine_has_links(machine) || inlay_machine_host(machine, from) != inlay_machine_host(machine, to));
}

/** Whether a link's messages are so long that they wait for their receivers. */
bool interconnect_waits(const interconnect *network, int64_t messages, int64_t bytes);

/** What a link's messages take together by that curve. */
double interconnect_along(const interconnect_curve *curve, const interconnect *network, int64_t messages,
                          int64_t bytes);

/** Latency of all messages of a link; whether there is any. */
double interconnect_latency(const interconnect *network, int64_t messages, int64_t bytes);
static inline bool interconnect_is_late(const interconnect *network)
{
    return network->latency > 0 || network->latency_by_size.count > 0;
}

/** The bandwidths of memory alone, which interconnect_make() finds too. */
int interconnect_bandwidths(interconnect *network, const network_unit *in, inlay_diag *diag);

/** Distance between two processors; the machine's, at hand where every link asks for it. */
static inline int interconnect_distance(const interconnect *network, inlay_id from, inlay_id to)
{
    if (network->link_capacity > 0) {
        return inlay_machine_distance(network->machine, from, to);
    }
    return from == to ? 0 : network->near > 0 && from / network->near != to / network->near ? 2 : 1;
}

/** Utilisation within time frame T, by traffic weighted with its distance; with links, by the busiest one's demand. */
double interconnect_utilisation(const interconnect *network, double traffic, double time_frame);

/** The network at that weighted traffic; INLAY_NO_ANSWER at or above the limit. No message. */
int interconnect_at(const interconnect *network, double traffic, double time_frame, network_point *point);

/** The same at that utilisation, and at that rate. */
int interconnect_at_utilisation(const interconnect *network, double u, network_point *point);
int interconnect_at_rate(const interconnect *network, double rho, network_point *point);

/** T must be larger than this for u to stay below its limit. */
double interconnect_saturation_frame(const interconnect *network, double traffic);

/** "u would be 1.2, above its limit 1 by 0.2 (20 %)": what every refusal of a saturated network says. */
enum { SATURATION_TEXT = 120 };
char *interconnect_saturation_text(double u, double u_limit, char text[SATURATION_TEXT]);

#endif

/*
 * The delay function of a machine's interconnect: what <inlay/network.h> has as mathematics, with the machine's own
 * attributes and in its own units. Everything that compares machines compares tau, the time of one unit of traffic.
 *
 * Times are in inlay_delay_unit(): the unit of the machine's capacity or cycle; ticks where it gives none, and one
 * message a tick (a cycle of one tick) is what it then carries.
 */
#ifndef INLAY_DELAY_H
#define INLAY_DELAY_H

#include <inlay/machine.h>
#include <inlay/network.h>

typedef struct inlay_delay inlay_delay;

/** @param machine  has to outlive the result */
INLAY_API int inlay_delay_new(const inlay_machine *machine, inlay_delay **delay, inlay_diag *diag);
INLAY_API void inlay_delay_free(inlay_delay *delay);

INLAY_API const inlay_machine *inlay_delay_machine(const inlay_delay *delay);
INLAY_API inlay_unit inlay_delay_unit(const inlay_delay *delay); /**< of tau and of time frames */
INLAY_API bool inlay_delay_in_bytes(const inlay_delay *delay);   /**< traffic is counted in bytes, else in messages */
INLAY_API double inlay_delay_u_limit(const inlay_delay *delay);  /**< what u stays below */
INLAY_API double inlay_delay_latency(const inlay_delay *delay);  /**< once a message, besides tau */

/**
 * Below this u some rate rho_p of one processor gives it. Less than the limit in model 2 alone, whose processors also
 * read at home: 1 - 1/P_k(1).
 */
INLAY_API double inlay_delay_u_reachable(const inlay_delay *delay);

/** One point of the function; <inlay/network.h> says what u, rho and D count in each model. */
typedef struct inlay_delay_point {
    double u;
    double load; /**< u / u_limit */
    double rho;
    double rho_processor; /**< rho_p; NaN where no finite rate gives this u */
    double delay;         /**< D */
    double tau;           /**< time of one unit of traffic: transfers and D counted, latency not */
} inlay_delay_point;

/**
 * The point at a utilisation, at a rate, and at traffic spread over a time (in inlay_delay_unit()).
 * INLAY_BAD_ARGUMENT for numbers below 0 or not finite; INLAY_NO_ANSWER at or above the limit, and the message says by
 * how much.
 */
INLAY_API int inlay_delay_at_utilisation(const inlay_delay *delay, double u, inlay_delay_point *point,
                                         inlay_diag *diag);
INLAY_API int inlay_delay_at_rate(const inlay_delay *delay, double rho, inlay_delay_point *point, inlay_diag *diag);
INLAY_API int inlay_delay_at_traffic(const inlay_delay *delay, double traffic, double time, inlay_delay_point *point,
                                     inlay_diag *diag);

/**
 * How far the model is known to be from the truth at rho, errors as in inlay_known_error. The bus is exact where the
 * lengths of messages are random (exponentially distributed).
 */
INLAY_API int inlay_delay_known_error(const inlay_delay *delay, double rho, inlay_known_error *error);

/**
 * What the formula's D is above the truth, relatively, where all messages have one length: *least at the same rate, as
 * in inlay_known_error, *most at the same u, and so at the same traffic. Known for the bus; false for the other models.
 */
INLAY_API bool inlay_delay_fixed_length_error(const inlay_delay *delay, const inlay_delay_point *point, double *least,
                                              double *most);

#endif

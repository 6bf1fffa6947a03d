/*
 * Queueing delay of interconnects, after C. E. Houstis, E. N. Houstis, J. R. Rice, "Performance Evaluation Modeling for
 * Distributed Computing", CSD-TR-86-576, section 2.2: mathematics only.
 *
 * Throughout, k is the number of processors, rho the request rate of one processor that is not waiting, D a mean delay
 * and u the traffic. What u and D measure differs from model to model:
 *
 *   model                             u                                      0 <= u <      D
 *   1, 2  bus                         share of time in which the bus works   1             request to end of transfer
 *   3     multibus                    mean number of working buses           beta_k        request to end of transfer
 *   4     omega, common memory        messages a cycle into the network      k/packets     request to end of transfer
 *   5     omega, processor to         share of time in which a link works    1             waiting alone
 *         processor
 *
 * D counts mean transfers in models 1 to 3, the unit of the transit and cycle times in 4, cycles in 5.
 *
 * Models 1 to 3 are closed systems (a processor that waits asks for nothing more): D stays finite while u nears its
 * limit, so overload is an error, never a large D.
 *
 * Functions return INLAY_BAD_ARGUMENT outside the domain and INLAY_NO_ANSWER at or over the limit; outputs that are
 * not wanted may be NULL unless a comment says otherwise. rho is in units of the service rate of one bus in models 1
 * to 3, in messages a cycle in 4 and 5.
 */
#ifndef INLAY_NETWORK_H
#define INLAY_NETWORK_H

#include <inlay/status.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- One bus: models 1 (common memory) and 2 (distributed memory) ---- */

/**
 * From the rate to utilisation and delay.
 * @param k           processors, at least 1
 * @param rho         rate, 0 <= rho < infinity
 * @param u           utilisation, 0 <= u <= 1 (1 only by rounding; see log_idle)
 * @param log_idle    ln(1 - u), exact where 1 - u would round to 0; may be NULL
 * @param delay       D; may be NULL
 * Returns INLAY_BAD_ARGUMENT outside the domain.
 */
INLAY_API int inlay_bus_utilisation(int64_t k, double rho, double *u, double *log_idle, double *delay);

/** From utilisation (0 <= u < 1) to rate and delay; INLAY_NO_ANSWER for u >= 1. `rho`, `delay` may be NULL. */
INLAY_API int inlay_bus_rate(int64_t k, double u, double *rho, double *delay);

/**
 * The rate of one processor's own thinking, rho_p, from rho. Model 1 visits the bus twice a think period (write and
 * read): rho_p = rho/2. In model 2 the local read stands between: rho_p = rho/(1 - rho), INLAY_NO_ANSWER for rho >= 1.
 */
INLAY_API int inlay_bus_common_processor_rate(double rho, double *rho_p);
INLAY_API int inlay_bus_distributed_processor_rate(double rho, double *rho_p);

/**
 * The bus's formulas are exact for transfer times that are exponentially distributed, whatever the think times. These are
 * exact for transfers of one length and exponential think times. Arguments as above; `u` may be NULL too. At the same rho
 * such a bus has more u and less D, at the same u less of both rho and D.
 */
INLAY_API int inlay_bus_fixed_length(int64_t k, double rho, double *u, double *delay);
INLAY_API int inlay_bus_fixed_length_rate(int64_t k, double u, double *rho, double *delay);

/* ---- Several buses between processors and memories: model 3 ---- */

/**
 * How many of the b buses work, on the average, while l requests are present: beta_l. A bus serves one memory at a
 * time, and a memory one request.
 */
typedef enum inlay_multibus_model {
    /** The paper's: the requests lie in the memories as in one of the partitions of l, each as likely as the next.
        Usually an upper bound on delay, not always. Has contention even where m is far above k; and where m is large,
        beta_l can grow faster than l for a while, so that D falls between two rates. */
    INLAY_MULTIBUS_PAPER,
    /** Closer to the truth: each of the C(l+m-1, l) ways to put l like requests into m memories (the occupancy numbers
        of Bose-Einstein statistics) is as likely as the next. Exact for one bus, and for b >= min(k, m). */
    INLAY_MULTIBUS_OCCUPANCY
} inlay_multibus_model;

typedef struct inlay_multibus inlay_multibus;

/**
 * k processors, m memories, b buses: k >= 1, 1 <= b <= m. Holds beta_1..beta_k; free with inlay_multibus_free().
 * Time and memory grow with k min(m, k) and k for the paper's model at worst (k = m = 60,000: 5 s) and stop growing
 * with k where beta_l has come to b. INLAY_OVERFLOW where the numbers of partitions leave the range of double, which
 * needs more than a million processors; INLAY_NO_MEMORY.
 */
INLAY_API int inlay_multibus_new(int64_t k, int64_t m, int64_t b, inlay_multibus_model model, inlay_multibus **result);
INLAY_API void inlay_multibus_free(inlay_multibus *multibus);

/** beta_l for 0 <= l <= k, NaN elsewhere. Does not fall with l; at most min(l, m, b). */
INLAY_API double inlay_multibus_beta(const inlay_multibus *multibus, int64_t l);

/** What u stays below: beta_k. */
INLAY_API double inlay_multibus_limit(const inlay_multibus *multibus);

/** From the rate (0 <= rho < infinity) to u, D and the mean number of processors that do not wait, u/rho. */
INLAY_API int inlay_multibus_utilisation(const inlay_multibus *multibus, double rho, double *u, double *delay,
                                         double *active);

/** From u (0 <= u < beta_k) to rate and delay. */
INLAY_API int inlay_multibus_rate(const inlay_multibus *multibus, double u, double *rho, double *delay);

/* ---- Omega networks: models 4 (to memories) and 5 (processor to processor) ---- */

typedef struct inlay_omega {
    int64_t processors;  /**< k = switch_size^stages */
    int64_t switch_size; /**< n: switches of n inputs and n outputs, at least 2 */
    int64_t packets;     /**< in one message, at least 1 */
    double transit;      /**< time of a packet's head through one switch, at least 0; model 5 does not look at it */
    double cycle;        /**< time of one packet on a link, at least 0; model 5 does not look at it */
} inlay_omega;

/** st, with n^st = k exactly; INLAY_BAD_ARGUMENT where k >= n >= 2 does not hold or k is no power of n. */
INLAY_API int inlay_omega_stages(int64_t k, int64_t n, int *stages);

/** What u stays below in model 4, k/packets; it is 1 in model 5. */
INLAY_API double inlay_omega_limit(const inlay_omega *omega);

/**
 * Model 4: u = k rho; D = st transit + (packets - 1) cycle + cycle x waiting.
 * INLAY_OVERFLOW where the times given are so long that D is not finite.
 */
INLAY_API int inlay_omega_utilisation(const inlay_omega *omega, double rho, double *u, double *delay);
INLAY_API int inlay_omega_rate(const inlay_omega *omega, double u, double *rho, double *delay);

/**
 * Model 5: u = packets x rho; D is the waiting alone, in cycles. A message of `packets` takes
 * cycle x (st + packets - 1 + D).
 */
INLAY_API int inlay_omega_pe_utilisation(const inlay_omega *omega, double rho, double *u, double *delay);
INLAY_API int inlay_omega_pe_rate(const inlay_omega *omega, double u, double *rho, double *delay);

/* ---- One link between two nodes ---- */

/** How long a link is taken by a message: all the same time, or exponentially distributed times. */
typedef enum inlay_link_queue { INLAY_LINK_MD1, INLAY_LINK_MM1 } inlay_link_queue;

/**
 * From the share of time in which the link works, 0 <= u < 1, to the mean time from request to end of transfer, in mean
 * transfers: 1 + u/(2 (1 - u)) for M/D/1, 1/(1 - u) for M/M/1. INLAY_NO_ANSWER for u >= 1.
 */
INLAY_API int inlay_link_delay(inlay_link_queue queue, double u, double *delay);

/* ---- How far the formulas are known to be from the truth ---- */

/**
 * Errors are relative and signed, (formula - truth)/truth at the same rho. `known` is false where the formula was
 * never compared with anything; the numbers are 0 then and mean nothing.
 */
typedef struct inlay_known_error {
    bool known;
    double utilisation; /**< of u; 0 in models 4 and 5, where u is what is put in */
    double delay;       /**< of D */
    double within;      /**< the errors that were seen differ from these two by at most so much */
} inlay_known_error;

/**
 * Model 3 at rho. Known where the truth is a formula (one bus, or b >= min(k, m)) at every size; and for k <= 32,
 * m <= 16, the sizes at which the exact Markov chain or a simulation was compared: there the occupancy model was
 * between 0 and 1.65 % too high in D, and the paper's model is judged by it.
 * INLAY_NO_MEMORY, INLAY_OVERFLOW as inlay_multibus_new().
 */
INLAY_API int inlay_multibus_known_error(const inlay_multibus *multibus, double rho, inlay_known_error *error);

/**
 * Models 4 and 5 at rho. The formulas give every stage the first one's waiting, but later stages wait longer: they are
 * low. Known for loads packets x rho <= 0.7, switches of 2 to 4, up to 6 stages and 4 packets: between the simulated
 * cases. `within` allows for messages that do not start at one time, and for a queue in front of the network.
 */
INLAY_API int inlay_omega_known_error(const inlay_omega *omega, double rho, inlay_known_error *error);
INLAY_API int inlay_omega_pe_known_error(const inlay_omega *omega, double rho, inlay_known_error *error);

#endif

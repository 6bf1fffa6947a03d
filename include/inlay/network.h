/*
 * Queueing delay of interconnects, after C. E. Houstis, E. N. Houstis, J. R. Rice, "Performance Evaluation Modeling for
 * Distributed Computing", CSD-TR-86-576, section 2.2: mathematics only.
 *
 * Single bus, models 1 (common memory) and 2 (distributed memory). k processors think and then ask for the bus; rho is
 * the request rate of one processor that is not waiting, in units of the bus's service rate; u is the fraction of
 * time in which the bus is busy; D is the mean time from request to end of transfer, in mean transfers (D >= 1).
 * The system is closed: D stays finite (at most k) while u nears 1, so overload is an error, never a large D.
 */
#ifndef INLAY_NETWORK_H
#define INLAY_NETWORK_H

#include <inlay/status.h>
#include <stdint.h>

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

#endif

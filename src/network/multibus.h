/* Multiple bus: what its parts share. */
#ifndef NETWORK_MULTIBUS_H
#define NETWORK_MULTIBUS_H

#include <inlay/network.h>

struct inlay_multibus {
    int64_t processors, memories, buses; /* k, m, b */
    inlay_multibus_model model;
    int64_t known; /* beta[0..known]; from there to k, beta_l is `limit` */
    double limit;  /* beta_k */
    double beta[];
};

/**
 * beta_1..beta_n for m memories and b buses, up to rounding: an ulp of dip where beta_l is flat is left to the caller.
 * beta[0] is set to 0. INLAY_OVERFLOW where the counts that make up beta leave the range of double, which goes far with
 * `scaled` and is faster without; INLAY_NO_MEMORY. On failure beta holds nothing of use.
 */
int multibus_paper_beta(int64_t m, int64_t b, int64_t n, bool scaled, double *beta);

/** The same for the occupancy model, which cannot fail. */
void multibus_occupancy_beta(int64_t m, int64_t b, int64_t n, double *beta);

#endif

/*
 * Slow references for the interconnects' delay, written from the formulas as they are printed and from the processes
 * that they describe, and the golden file of the delay models.
 */
#ifndef UNIT_SLOW_NETWORK_H
#define UNIT_SLOW_NETWORK_H

#include <jansson.h>
#include <math.h>
#include <stdint.h>

/* ---- Golden numbers ---- */

/** The rows of one table of golden/delay.json; the caller drops *root. */
const json_t *delay_rows(const char *table, json_t **root);

/** The number in that field of a row. */
double delay_number(const json_t *row, const char *name);

/** Equal to a relative tolerance. */
#define AGREES(got, want, tolerance)                                                                                   \
    ck_assert_msg(fabs((double)(got) - (double)(want)) <= (tolerance)*fabs((double)(want)),                            \
                  "%s = %.15g, expected %.15g", #got, (double)(got), (double)(want))

/* ---- Multiple bus ---- */

typedef unsigned __int128 slow_integer;

typedef struct slow_ratio {
    slow_integer over, under;
} slow_ratio;

/** beta_l of the paper's model by the literal formula, exact for l <= SLOW_LARGEST. */
enum { SLOW_LARGEST = 80 };
slow_ratio slow_paper_beta(int m, int b, int l);

/** The same for large l, without scaling: needs the range of long double. beta[1..n]; O(n^2). */
void slow_paper_betas(int m, int b, int n, long double *beta);

/** E[min(b, J)] of the occupancy model, by binomial coefficients. */
long double slow_occupancy_beta(int m, int b, int l);

/** What a network gives at one rate. */
typedef struct slow_point {
    long double u, delay, active;
} slow_point;

/** Model 3 by direct summation over l from 0 to k; `beta[0..k]`. */
slow_point slow_multibus(int k, const long double *beta, long double rho);

/**
 * The truth that model 3 stands for, by its Markov chain: k processors with rate rho each ask a memory taken at random
 * and then wait; a memory serves one request at a time, at rate 1, and needs one of b buses for it; a bus that becomes
 * free takes one of the memories that wait for it, each as likely as the next.
 */
slow_point slow_multibus_truth(int k, int m, int b, double rho);

/* ---- Omega ---- */

/**
 * Mean time that a message waits at an output of an n x n switch, in frames (one frame is one message's length): in
 * each frame, each input holds a message for this output with probability load/n. By the chain of the queue's length.
 */
double slow_switch_waiting(int n, double load);

#endif

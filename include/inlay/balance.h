/*
 * Shares that follow the speeds of devices while a program runs: dynamic load balancing with partial functional models
 * (D. Clarke, A. Lastovetsky, V. Rychkov, "Dynamic load balancing of parallel computational iterative routines on highly
 * heterogeneous HPC platforms").
 *
 * A program that repeats steps tells after each of them how long every device took for its share, and is told whether new
 * shares are worth their way:
 *
 *     inlay_balance *balance = NULL;
 *     int status = inlay_balance_make(devices, rows, NULL, &balance, diag);
 *     for (int step = 0; step < steps; step++) {
 *         time[me] = compute(inlay_balance_shares(balance)[me]);
 *         MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, time, 1, MPI_DOUBLE, world);
 *         status = inlay_balance_step(balance, time, &moves, diag);
 *         if (moves) {
 *             redistribute(inlay_balance_shares(balance));
 *         }
 *     }
 *
 * Every rank has a balance of its own and gives it the same times; nothing else decides, so that all have the same shares.
 *
 * What a device is like is a curve (inlay/curves.h) that starts with what the caller knows, or with nothing, and learns:
 *
 *     the first three steps with a share   are a point of the curve: the least of two, the median of three times. Points
 *                                          within 1/64 of its size, and those that contradict it (more in less time, less
 *                                          in more), are forgotten
 *     later steps with the same share      where the median of the last three is another than the curve says, the device
 *                                          itself has become slower or faster: all its times are multiplied
 *
 * So a single step that was disturbed changes nothing, and a device that slows down is known after two steps. Then the
 * best whole shares for these curves are found. They are taken where their step is shorter by more than `gain`, and by
 * more than moving the units takes, shared out over `horizon` steps. A device keeps one unit where that takes no longer
 * than the others do, so that it is heard of again.
 *
 * Ownership: what is passed in is only read during the call. A balance serves one thread at a time.
 */
#ifndef INLAY_BALANCE_H
#define INLAY_BALANCE_H

#include <inlay/curves.h>

typedef struct inlay_balance inlay_balance;

/** Zero-initialised, every member that is not set has its plain meaning. */
typedef struct inlay_balance_options {
    const inlay_curve *curve; /**< of each device, to start from; NULL: nothing is known, and the shares start even */
    double move;              /**< time in which one unit goes from one device to another, at least 0 */
    double horizon;           /**< steps that new shares have to pay for themselves in; 0: 10 */
    double gain;              /**< the least part of a step that new shares must save, below 1; 0: 0.03 */
} inlay_balance_options;

/**
 * @param devices  1 to INLAY_CURVE_DEVICES
 * @param options  NULL: zeroes
 * INLAY_NO_ANSWER where the limits of the curves are below the units.
 */
INLAY_API int inlay_balance_make(size_t devices, int64_t units, const inlay_balance_options *options,
                                 inlay_balance **balance, inlay_diag *diag);
INLAY_API void inlay_balance_free(inlay_balance *balance);

/** Of each device, from one call of inlay_balance_step() to the next; they sum to the units. */
INLAY_API const int64_t *inlay_balance_shares(const inlay_balance *balance);

/** What a step with these shares takes, as far as is known; 0: nothing is. */
INLAY_API double inlay_balance_predicted(const inlay_balance *balance);

/**
 * A step is over.
 *
 * @param time   of each device for its share, above 0; of those without a share it is not looked at
 * @param moves  whether the shares are others from now on
 */
INLAY_API int inlay_balance_step(inlay_balance *balance, const double *time, bool *moves, inlay_diag *diag);

#endif

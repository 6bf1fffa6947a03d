/*
 * Speed as a curve: how long a device takes for a share of so many units, measured at some sizes, and whole shares that
 * end at the same time.
 *
 * A constant speed says that twice the data take twice the time. Caches, memory that fills up and accelerators do not keep
 * to that. A functional performance model (A. Lastovetsky, R. Reddy, "Data partitioning with a functional performance
 * model of heterogeneous processors") has the time over the size in place of a speed:
 *
 *     inlay_curve_point cpu[] = {{1000, 0.8}, {4000, 4.1}}, gpu[] = {{1000, 0.3}, {8000, 1.9}};
 *     inlay_curve curve[] = {{.name = "cpu", .points = 2, .point = cpu},
 *                            {.name = "gpu", .points = 2, .point = gpu, .most = 16000}};
 *     int64_t share[2];
 *     inlay_curve_result result;
 *     int status = inlay_curves_partition(curve, 2, 20000, share, &result, diag);
 *
 * Between two sizes that were measured the time is a straight line; below the smallest one too, from 0 for nothing; above
 * the largest one the last speed goes on. A cliff is two sizes next to each other, a limit of the memory is `most`.
 *
 * Times may fall as the size rises: alignment makes such curves, and noise. Partitions know of it (see there).
 *
 * Ownership: what is passed in is only read during the call.
 */
#ifndef INLAY_CURVES_H
#define INLAY_CURVES_H

#include <inlay/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INLAY_CURVE_POINTS = 1 << 16, /**< most of a curve */
    INLAY_CURVE_DEVICES = 1 << 20 /**< most devices of a partition */
};

/** A size that was measured. */
typedef struct inlay_curve_point {
    int64_t size; /**< units, 1 to 2^53 */
    double time;  /**< above 0, in a unit of the caller's that is the same for all curves */
} inlay_curve_point;

typedef struct inlay_curve {
    const char *name;               /**< for messages; NULL: its number */
    size_t points;                  /**< at least 1 */
    const inlay_curve_point *point; /**< by rising size, each once */
    int64_t most;                   /**< larger shares do not fit, at least the last size; 0: there is no limit */
} inlay_curve;

/** The time of a share from 0 on; 0 for nothing, INFINITY above `most`. */
INLAY_API double inlay_curve_time(const inlay_curve *curve, int64_t size);

/** Whether more never takes less time. */
INLAY_API bool inlay_curve_rises(const inlay_curve *curve);

/** INLAY_BAD_ARGUMENT where a curve is not what is said above. */
INLAY_API int inlay_curve_check(const inlay_curve *curve, inlay_diag *diag);

/** What a partition comes to. */
typedef struct inlay_curve_result {
    double time;     /**< of the device that takes longest */
    double least;    /**< of those with a share, the one that is done first */
    bool exact;      /**< no whole shares have a shorter longest time */
    int64_t used;    /**< devices with a share */
    int64_t outside; /**< of these, with a share above the largest size that was measured */
} inlay_curve_result;

/**
 * Whole shares of `units` for the devices, with the shortest longest time: the least time T at which shares that each
 * take at most T sum to the units. It is found exactly, to the last bit of the times, for curves that rise. For others
 * all sums of the sizes within T are kept as intervals, as long as no more than 1024 of them are needed; beyond that the
 * longest ones are, and `exact` is false. Of the shares that are as good, those nearest to what the devices can do within
 * T are taken, device after device from the last one. Devices may go without.
 *
 * @param curve  of each device; several may point to the same points
 * Warns where a share is above what was measured. INLAY_NO_ANSWER where the limits of all together are below the units.
 */
INLAY_API int inlay_curves_partition(const inlay_curve *curve, size_t devices, int64_t units, int64_t *share,
                                     inlay_curve_result *result, inlay_diag *diag);

/** How far the true mean may be from that of `count` times with a standard deviation, at most, 95 times of 100 (Student);
    INFINITY for fewer than two. */
INLAY_API double inlay_curve_half_width(double deviation, int64_t count);

/* ---- Files ---- */

/** Devices as a file has them; those of a line with a count stand there as often. */
typedef struct inlay_curves {
    size_t devices;
    const inlay_curve *curve;
} inlay_curves;

/**
 * Reads a file of curves (docs/curves.md), "-" is standard input. Sizes that were measured several times count with the
 * mean of their times, those that fitted.
 */
INLAY_API int inlay_curves_read(const char *path, inlay_curves **curves, inlay_diag *diag);
INLAY_API void inlay_curves_free(inlay_curves *curves);

#endif

/* Directions across which groups of vertices are cut (partition_coordinate.c). */
#ifndef IRREGULAR_PARTITION_FRAMES_H
#define IRREGULAR_PARTITION_FRAMES_H

#include "irregular/partition/partitioner.h"

enum { FRAME_DIMENSIONS = 3 };

/** How a group is looked at: its axes, of length 1, the first to be cut; and what its coordinates along them are. */
typedef struct frame {
    double axis[FRAME_DIMENSIONS][FRAME_DIMENSIONS];
    double low[FRAME_DIMENSIONS], high[FRAME_DIMENSIONS];
} frame;

/** The groups of one level. */
typedef struct frames {
    const inlay_graph *graph;
    const partition_job *job;
    double scale;          /**< power of two that brings all coordinates to -1 .. 1 */
    int32_t groups;        /**< of this level */
    const int32_t *group;  /**< [rows] number of the vertex' group, -1: none */
    const int64_t *weight; /**< [rows] */
    frame *frame;          /**< [most groups] */
    double *moments;       /**< [most groups x FRAME_MOMENTS] */
} frames;

enum { FRAME_MOMENTS = 10 };

void frames_scale(frames *f); /**< Sets `scale`. Collective. */

/** Of vertex i along axis a of its group, -2 .. 2. Local. */
double frames_projection(const frames *f, int32_t i, int a);

/** The sides of the bounding box of each group, the longest first. Collective. */
int frames_of_boxes(frames *f, inlay_diag *diag);

/** The eigenvectors of the covariance matrix of each group, the axis of the largest eigenvalue first. Collective. */
int frames_of_inertia(frames *f, inlay_diag *diag);

#endif

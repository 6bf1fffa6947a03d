/*
 * Task placement within a cluster: an order of processors for a line or a ring of tasks, or a tree on processors, with
 * neighbours of the pattern on neighbouring processors where that can be.
 *
 * The cluster has been checked, and `tasks` is 1 to what is available. Results are numbers of processors, an array of
 * `tasks` that the caller owns.
 */
#ifndef SELECT_TASK_LAYOUT_H
#define SELECT_TASK_LAYOUT_H

#include <inlay/metasystem.h>

static inline bool task_usable(const inlay_metasystem_cluster *cluster, int32_t processor)
{
    return cluster->usable != NULL ? cluster->usable[processor] : processor < cluster->available;
}

/** Links between two processors on the shortest way; 1 between any two on a bus or a switch. */
int32_t task_distance(const inlay_metasystem_cluster *cluster, int32_t from, int32_t to);

/** Whether all processors are equally far. */
static inline bool task_is_flat(const inlay_metasystem_cluster *cluster)
{
    return cluster->interconnect == INLAY_INTERCONNECT_BUS || cluster->interconnect == INLAY_INTERCONNECT_SWITCH;
}

/** INLAY_OK or INLAY_NO_MEMORY. */
int task_layout_line(const inlay_metasystem_cluster *cluster, bool ring, int32_t tasks, int32_t *processor);

/** `parent`: the task that each answers to, one before it; -1 of task 0, the root. INLAY_OK or INLAY_NO_MEMORY. */
int task_layout_tree(const inlay_metasystem_cluster *cluster, int32_t tasks, int32_t *processor, int32_t *parent);

/* ---- Parts of it ---- */

/** The first usable processors. */
void task_layout_first(const inlay_metasystem_cluster *cluster, int32_t tasks, int32_t *processor);

/** A subcube: the processors that differ from `base` in bits of `axes` alone. */
typedef struct task_cube {
    uint32_t base, axes;
} task_cube;

/** The first subcube of a hypercube that is large enough for the tasks and usable throughout; false: none was found. */
bool task_cube_find(const inlay_metasystem_cluster *cluster, int32_t tasks, task_cube *cube);

/** The processor of a subcube by its number in there. */
int32_t task_cube_at(const task_cube *cube, uint32_t number);

/**
 * A cycle on a mesh, of dilation 1 for an even number of tasks from 4 on; for an odd one, from 3 on, one way is of two
 * links, which is the least that there is; where the cycle of one task more exists, that is the last way. `found` false: there is none that grows from a square.
 */
int task_cycle_find(const inlay_metasystem_cluster *mesh, int32_t tasks, int32_t *processor, bool *found);

#endif

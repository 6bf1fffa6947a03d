/* What the options of `inlay partition` fill, and what inlay-partition takes them for. */
#ifndef TOOLS_PARTITION_VALUES_H
#define TOOLS_PARTITION_VALUES_H

#include "options.h"

/** Files that ranks read, which a pipe cannot be: those that stand for what comes through one. */
typedef enum partition_copy {
    COPY_MESH,
    COPY_COORDINATES,
    COPY_TARGETS,
    COPY_MACHINE,
    COPY_FROM,
    COPY_WEIGHTS,
    COPIES
} partition_copy;

/** The words of --renumber. */
typedef enum partition_renumber { RENUMBER_NO, RENUMBER_RCM, RENUMBER_HILBERT } partition_renumber;

/** Choices are places in the words of their option. */
typedef struct partition_values {
    common_values common;
    inlay_id parts, processes;             /**< 0: not given */
    const char *method, *imbalance, *item; /**< NULL: not given, as all texts here */
    const char *coordinates, *generate, *format;
    const char *targets, *machine;
    const char *from, *migration_cost, *weights;
    const char *copy[COPIES]; /**< NULL: there is none */
    const char *output, *numbers, *graph, *csv, *svg;
    const char *hostfile, *launcher;
    int rule, time_unit, renumber;
    inlay_effort effort;
    bool empty, strict, list_methods;
} partition_values;

/** The first words of inlay-partition name those files: `--copy-of-mesh=PATH`, in the order of these names. */
#define PARTITION_COPY "--copy-of-"
extern const char *const partition_copy_names[COPIES];

/** What is read as each of them, "-" for standard input; NULL: nothing. */
const char *partition_input(const invocation *call, partition_copy which);

/* ---- For inlay-partition too, which reads the same words ---- */

/** A mesh to be made: triangles with two sizes, tetrahedra with three. */
typedef struct partition_sizes {
    int dimensions;
    int32_t size[3];
} partition_sizes;

/** What --generate says; false where that cannot be. */
bool partition_sizes_read(const partition_values *values, partition_sizes *sizes);

/** The imbalance that is allowed, in shares of the average, and the bytes of an item; the defaults where not given, 0
 *  where they are no numbers. */
double partition_imbalance(const partition_values *values);
int64_t partition_item(const partition_values *values);

/** What moving a vertex costs, in units of edge cut; below 0 where it is no number from 0 on. */
double partition_migration_cost(const partition_values *values);

/** Everything about the options that can be told without MPI. Returns an exit status, and has said what is wrong. */
int partition_check_usage(const invocation *call);

#endif

/*
 * METIS and Scotch as programs: the file of a graph as they read it, a run, and the parts they chose.
 *
 * Graphs are undirected there; a vertex weighs the time of its module, an edge as many messages as its links carry.
 */
#ifndef BENCH_PARTITIONER_H
#define BENCH_PARTITIONER_H

#include "program.h"
#include <inlay/app.h>

enum { BENCH_PARTS = 16 };

typedef struct bench_partitioner {
    const char *name;
    const char *program;
    const char *format; /**< that Inlay writes for it */
    const char *graph;  /**< name of the graph's file */
    const char *result; /**< of the file that it writes */
    /** The command, in argument[0] to argument[7] with a NULL at the end. */
    void (*command)(const char *graph, const char *result, const char *argument[8]);
    /** Processor time of the partitioning alone, without reading and writing. */
    double (*partitioning)(const bench_run *run);
    bool numbered; /**< the result begins with a count, and a line with the vertex */
} bench_partitioner;

enum { BENCH_PARTITIONERS = 2 };
extern const bench_partitioner bench_partitioners[BENCH_PARTITIONERS];

/** Writes the graph's file into the folder. Returns an inlay_status. */
int bench_partitioner_write(const bench_partitioner *partitioner, const inlay_app *app, const char *folder);

/** Partitions it. Returns 0 or -1. */
int bench_partitioner_run(const bench_partitioner *partitioner, const char *folder, bench_run *run);

/** Reads what it wrote: the part of every module. Returns an inlay_status. */
int bench_partitioner_read(const bench_partitioner *partitioner, const char *folder, inlay_id modules,
                           inlay_id *part_of);

#endif

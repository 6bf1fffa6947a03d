/* The ranks of a measurement: who is where, and how all wait for some. */
#ifndef TOOLS_MEASURE_CLUSTER_H
#define TOOLS_MEASURE_CLUSTER_H

#include <inlay/raw.h>
#include <jansson.h>
#include <mpi.h>

/** The same on all ranks. Zero-initialise. */
typedef struct cluster {
    int rank, ranks, hosts;
    int repeats;
    int *host_of;   /**< of each rank; ours */
    int *first;     /**< lowest rank of each host; ours */
    int *count;     /**< ranks of each host; ours */
    char *name;     /**< of each host, MPI_MAX_PROCESSOR_NAME for each; ours */
    double *memory; /**< bytes of each host; 0 where it does not tell; ours */
    int *cores;     /**< of each host, hyperthreads counted; 0 likewise; ours */
    int *numa;      /**< nodes of memory of each host; 0 likewise; ours */
} cluster;

/** @return INLAY_NO_MEMORY, on all ranks */
int cluster_find(cluster *all);
void cluster_clear(cluster *all);

/** The status that is worst on any rank, on all. */
int cluster_agree(int status);

/**
 * Wait until all ranks have come here, asleep for most of the time: who waits takes neither the processor nor the
 * network from those that measure.
 */
void cluster_rest(void);

/**
 * The share of the processors' time that others take on some host while all ranks sleep: the largest; -1 where no system
 * tells.
 */
double cluster_others(void);

/** The texts of a host: its name in JSON, told apart from those of other hosts. A new reference, or NULL. */
json_t *cluster_name(const cluster *all, int host);

#endif

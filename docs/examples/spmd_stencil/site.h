/*
 * Where the stencil runs: a metasystem, and which rank stands for which of its processors. It comes from a file, or the
 * clusters are the hosts on which the ranks run, or two halves of the ranks of one host. Communication functions that
 * the file does not give are measured.
 */
#ifndef STENCIL_SITE_H
#define STENCIL_SITE_H

#include "grid.h"

#include <inlay/metasystem.h>
#include <mpi.h>

enum { HOST_NAME = MPI_MAX_PROCESSOR_NAME, CLUSTERS = 64 };

/* The command line. Strings that were not given are NULL. */
typedef struct stencil_job {
    int size, cycles, rounds;
    bool overlap, measure, real, compare, every, csv;
    const char *rates, *use, *path;
} stencil_job;

typedef struct stencil_site {
    inlay_metasystem metasystem; /* its clusters are those below */
    inlay_metasystem_cluster cluster[CLUSTERS];
    inlay_metasystem_network network; /* of all, on one host */
    inlay_metasystem *file;           /* what was read, or NULL */
    double unit;                      /* seconds of its time unit */
    int first[CLUSTERS];              /* processor p of cluster i is rank[first[i] + p] */
    int rank[TASKS];
    char name[CLUSTERS][HOST_NAME];
    double residual[CLUSTERS]; /* of the fit of its communication; below 0: the file gave that */
    /* What a cycle takes besides its work though messages overlap it: a processor's own part in them. */
    inlay_communication handling;
} stencil_site;

/* `hosts` are the ranks' names of HOST_NAME characters, one after another. On errors a message, `made` as it was. */
int site_make(const stencil_job *job, const char *hosts, int ranks, stencil_site **made, inlay_diag *diag);
void site_free(stencil_site *site);

/* Sets the communication functions that are not given, and for programs that overlap them `handling`. */
int site_measure(const stencil_job *job, stencil_site *site, inlay_diag *diag);

/* Seconds that a row takes a processor of that cluster. */
double site_row_time(const stencil_job *job, const stencil_site *site, int cluster);

/* `handling` in operations, for so many processors. */
double site_handling(const stencil_job *job, const stencil_site *site, int processors);

#endif

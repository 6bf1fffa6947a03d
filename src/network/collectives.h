/*
 * Communication as an algorithm: what the processes of a program send in an all-to-all, an allreduce, a broadcast or an
 * exchange of borders, stage by stage, and what that takes on links of latency lambda and time a byte tau. One table has
 * all algorithms; with `auto` the cheapest for this size and number of processes is taken, as MPI libraries do.
 *
 * Sources: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH" (2005);
 * E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, "Collective communication: theory, practice, and experience"
 * (2007); J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, "Efficient algorithms for all-to-all communications in
 * multiport message-passing systems" (1997).
 *
 * In a stage a process sends one message and receives one at most; a stage ends when its largest message has arrived.
 * What an allreduce computes on the way is not counted. Parts of messages are not rounded to whole bytes.
 */
#ifndef NETWORK_COLLECTIVES_H
#define NETWORK_COLLECTIVES_H

#include <stddef.h>
#include <stdint.h>

#include <inlay/metasystem.h>

/** A message of s bytes takes latency + s per_byte. */
typedef struct collective_link {
    double latency, per_byte;
} collective_link;

/** The links in use: a stage takes its message over the slowest one within clusters, and over the slowest between them. */
typedef struct collective_links {
    const collective_link *inside, *between;
    size_t insides, betweens; /**< either may be 0, and then takes nothing */
} collective_links;

/** So many stages in which the largest message has so many bytes. */
typedef struct collective_stage {
    double count, bytes;
} collective_stage;

enum { COLLECTIVE_STAGES = 160, COLLECTIVE_SEGMENTS = 1 << 16 };

/** A row of the table. */
typedef struct collective {
    inlay_pattern pattern;
    const char *name;
    const char *source;
    /** The stages for p processes, 2 to 2^31 - 1; at most COLLECTIVE_STAGES, gives how many. */
    int (*stages)(int64_t p, double bytes, double segments, collective_stage *stage);
    int segmented; /**< 1: cut into as many segments, up to COLLECTIVE_SEGMENTS, as are cheapest */
} collective;

/** Rows of the table, those of a pattern together; NULL behind the last. */
const collective *collective_at(size_t i);

/** The row of that name; NULL where the pattern has none. */
const collective *collective_find(inlay_pattern pattern, const char *name);

/** What one takes; 0 for one process. Rises with `bytes`, and by no more than the links' lambda and tau do. */
double collective_time(const collective *of, int64_t p, double bytes, const collective_links *links);

/** The cheapest of a pattern, of equal ones the first in the table; `time` may be NULL. */
const collective *collective_cheapest(inlay_pattern pattern, int64_t p, double bytes, const collective_links *links,
                                      double *time);

/** Messages one after the other, and their bytes: what stands in the table of docs/select.md. */
void collective_critical_path(const collective *of, int64_t p, double bytes, double segments, double *messages,
                              double *volume);

#endif

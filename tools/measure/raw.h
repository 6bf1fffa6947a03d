/*
 * What was measured, before anything is made of it: every repeat of every figure, as the file of --raw has it. A
 * measurement fills the JSON object, and all that is made of it reads it through here, whether it comes from a file or
 * not.
 */
#ifndef TOOLS_MEASURE_RAW_H
#define TOOLS_MEASURE_RAW_H

#include <inlay/inlay.h>
#include <inlay/metasystem.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/** Between ranks of one host, or of two. */
typedef enum pair_class { CLASS_CORE, CLASS_NETWORK } pair_class;
enum { CLASSES = 2 };

/** "core" or "network". */
const char *class_name(pair_class class);

/** The values of all repeats, in their order; one at least. */
typedef struct series {
    double *at;
    int count;
} series;

typedef struct raw_host {
    const char *name;
    int *rank; /**< numbers of its ranks */
    int ranks;
    int64_t memory; /**< bytes; -1 where it is not known */
    int64_t cores;  /**< hyperthreads counted; -1 likewise, as in files of older versions */
    int64_t numa;   /**< nodes of memory; -1 likewise */
} raw_host;

/** Seconds of one, of a rank: alone, and while all compute. */
typedef struct raw_compute {
    series arithmetic_alone, arithmetic_all, function_alone, function_all;
} raw_compute;

/** Bytes a second, read and written, on a host: one rank, and the sum of all. */
typedef struct raw_memory {
    series alone, all;
} raw_memory;

/** Of a message one way, by size. */
typedef struct raw_pair {
    int from, to;
    pair_class class;
    series *seconds;
    series *send, *receive; /**< for how long it keeps its processors; NULL where it is not known, as in older files */
} raw_pair;

/** A step of a ring, by size. */
typedef struct raw_ring {
    int ranks; /**< 0: there is no ring of this class */
    int *rank;
    series *seconds;
} raw_ring;

/** Hosts whose processors are taken for alike. */
typedef struct raw_cluster {
    int *host; /**< numbers, ascending */
    int hosts;
    int ranks; /**< of all its hosts */
} raw_cluster;

/** A cycle of communication between the first ranks of a cluster, host after host; by size. */
typedef struct raw_cycle {
    inlay_pattern pattern;
    int cluster, processors;
    series *seconds;
} raw_cycle;

/** What --topology measures. Zeroes where it was not given. */
typedef struct raw_topology {
    bool given;
    bool wanted[INLAY_PATTERNS];
    int clusters, cycles;
    raw_cluster *cluster;
    raw_cycle *cycle; /**< by pattern, then by cluster, then by processors, ascending */
} raw_topology;

/** What --hosts measures, in place of all else but hosts and sizes. Zeroes where it was not given. */
typedef struct raw_advisor {
    bool given;
    double operations; /**< of each rank in each repeat */
    series *seconds;   /**< of each rank: elapsed, while all compute */
    int pairs;
    raw_pair *pair; /**< neighbours of the ring, of whatever class, while all others rest */
    raw_ring ring;  /**< of all ranks; none where there is one rank */
} raw_advisor;

/** Zero-initialise. */
typedef struct raw {
    json_t *json; /**< ours; the texts below are in it */
    const char *inlay, *date, *mpi, *compiler, *launched;
    double others; /**< share of the processors' time that others took just before; -1 not known, as in older files */
    int hosts, ranks, sizes, pairs;
    raw_host *host;
    int *host_of;         /**< of each rank */
    raw_compute *compute; /**< of each rank */
    raw_memory *memory;   /**< of each host */
    int64_t *size;        /**< bytes of messages, ascending */
    raw_pair *pair;
    bool sampled;
    raw_ring ring[CLASSES];
    raw_topology topology;
    raw_advisor advisor;
    void **room; /**< all of the above; ours */
    int rooms, capacity;
} raw;

/** What is wrong with a file, in one line. */
enum { RAW_MESSAGE = 512 };
typedef struct raw_message {
    char text[RAW_MESSAGE];
} raw_message;

/**
 * Check a measurement and take it apart. `json` is the result's where this succeeds, and else stays the caller's.
 * @param source  what messages name
 * @return INLAY_BAD_INPUT with a message, or INLAY_NO_MEMORY
 */
int raw_take(json_t *json, const char *source, raw *result, raw_message *message);

/** The same from a file, packed by gzip or not; "-" is standard input. */
int raw_read(const char *path, raw *result, raw_message *message);

/** Write a measurement, a line for each element. Returns an exit status, and has said what went wrong. */
void raw_write(const json_t *json, const char *path);

void raw_clear(raw *r);

#endif

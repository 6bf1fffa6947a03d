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
typedef enum inlay_pair_class { INLAY_PAIR_CORE, INLAY_PAIR_NETWORK } inlay_pair_class;
enum { INLAY_PAIR_CLASSES = 2 };

/** "core" or "network". */
const char *inlay_pair_class_name(inlay_pair_class class);

/** The values of all repeats, in their order; one at least. */
typedef struct inlay_repeats {
    double *at;
    int count;
} inlay_repeats;

typedef struct inlay_raw_host {
    const char *name;
    int *rank; /**< numbers of its ranks */
    int ranks;
    int64_t memory; /**< bytes; -1 where it is not known */
    int64_t cores;  /**< hyperthreads counted; -1 likewise, as in files of older versions */
    int64_t numa;   /**< nodes of memory; -1 likewise */
} inlay_raw_host;

/** Seconds of one, of a rank: alone, and while all compute. */
typedef struct inlay_raw_compute {
    inlay_repeats arithmetic_alone, arithmetic_all, function_alone, function_all;
} inlay_raw_compute;

/** Bytes a second, read and written, on a host: one rank, and the sum of all. */
typedef struct inlay_raw_memory {
    inlay_repeats alone, all;
} inlay_raw_memory;

/** Of a message one way, by size. */
typedef struct inlay_raw_pair {
    int from, to;
    inlay_pair_class class;
    inlay_repeats *seconds;
    inlay_repeats *send,
        *receive; /**< for how long it keeps its processors; NULL where it is not known, as in older files */
} inlay_raw_pair;

/** A step of a ring, by size. */
typedef struct inlay_raw_ring {
    int ranks; /**< 0: there is no ring of this class */
    int *rank;
    inlay_repeats *seconds;
} inlay_raw_ring;

/** Hosts whose processors are taken for alike. */
typedef struct inlay_raw_cluster {
    int *host; /**< numbers, ascending */
    int hosts;
    int ranks; /**< of all its hosts */
} inlay_raw_cluster;

/** A cycle of communication between the first ranks of a cluster, host after host; by size. */
typedef struct inlay_raw_cycle {
    inlay_pattern pattern;
    int cluster, processors;
    inlay_repeats *seconds;
} inlay_raw_cycle;

/** What --topology measures. Zeroes where it was not given. */
typedef struct inlay_raw_topology {
    bool given;
    bool wanted[INLAY_PATTERNS];
    int clusters, cycles;
    inlay_raw_cluster *cluster;
    inlay_raw_cycle *cycle; /**< by pattern, then by cluster, then by processors, ascending */
} inlay_raw_topology;

/** What --hosts measures, in place of all else but hosts and sizes. Zeroes where it was not given. */
typedef struct inlay_raw_advisor {
    bool given;
    double operations;      /**< of each rank in each repeat */
    inlay_repeats *seconds; /**< of each rank: elapsed, while all compute */
    int pairs;
    inlay_raw_pair *pair; /**< neighbours of the ring, of whatever class, while all others rest */
    inlay_raw_ring ring;  /**< of all ranks; none where there is one rank */
} inlay_raw_advisor;

/** Zero-initialise. */
typedef struct inlay_raw {
    json_t *json; /**< ours; the texts below are in it */
    const char *inlay, *date, *mpi, *compiler, *launched;
    double others; /**< share of the processors' time that others took just before; -1 not known, as in older files */
    int hosts, ranks, sizes, pairs;
    inlay_raw_host *host;
    int *host_of;               /**< of each rank */
    inlay_raw_compute *compute; /**< of each rank */
    inlay_raw_memory *memory;   /**< of each host */
    int64_t *size;              /**< bytes of messages, ascending */
    inlay_raw_pair *pair;
    bool sampled;
    inlay_raw_ring ring[INLAY_PAIR_CLASSES];
    inlay_raw_topology topology;
    inlay_raw_advisor advisor;
    void **room; /**< all of the above; ours */
    int rooms, capacity;
} inlay_raw;

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
int raw_take(json_t *json, const char *source, inlay_raw *result, raw_message *message);

/** The same from a file, packed by gzip or not; "-" is standard input. */
int raw_read(const char *path, inlay_raw *result, raw_message *message);

/** Write a measurement, a line for each element. Returns an exit status, and has said what went wrong. */
void raw_write(const json_t *json, const char *path);

void raw_clear(inlay_raw *r);

#endif

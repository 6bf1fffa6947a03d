/*
 * What `inlay measure` measured, every repeat of every figure, and what comes of it: speeds and the network of a machine.
 *
 *     inlay_raw *raw = NULL;
 *     inlay_fitted *fitted = NULL;
 *     int status = inlay_raw_read("raw.json", &raw, diag);
 *     status = status == INLAY_OK ? inlay_raw_fit(raw, NULL, &fitted, diag) : status;
 *     status = status == INLAY_OK ? inlay_fitted_write(fitted, "here.dot", diag) : status;
 *     inlay_fitted_free(fitted);
 *     inlay_raw_free(raw);
 *
 * docs/measure.md tells what is measured and how it is fitted. Times are in seconds, rates in bytes a second. What these
 * structures point to is theirs. inlay_fitted_write_json() (<inlay/result.h>) writes what `inlay measure --json` prints.
 */
#ifndef INLAY_RAW_H
#define INLAY_RAW_H

#include <inlay/measure.h>

/* ---- What was measured ---- */

/** Between ranks of one host, or of two. */
typedef enum inlay_pair_class { INLAY_PAIR_CORE, INLAY_PAIR_NETWORK } inlay_pair_class;
enum { INLAY_PAIR_CLASSES = 2 };

/** "core" or "network". */
INLAY_API const char *inlay_pair_class_name(inlay_pair_class pair_class);

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
    inlay_pair_class pair_class;
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

typedef struct inlay_raw {
    const char *source; /**< what messages call it */
    const char *inlay, *date, *mpi, *compiler, *launched;
    double others; /**< share of the processors' time that others took just before; -1 not known, as in older files */
    int hosts, ranks, sizes, pairs;
    inlay_raw_host *host;
    int *host_of;               /**< of each rank */
    inlay_raw_compute *compute; /**< of each rank */
    inlay_raw_memory *memory;   /**< of each host */
    int64_t *size;              /**< bytes of messages, ascending */
    inlay_raw_pair *pair;
    bool sampled; /**< the pairs are some of all */
    inlay_raw_ring ring[INLAY_PAIR_CLASSES];
    inlay_raw_topology topology;
    inlay_raw_advisor advisor;
} inlay_raw;

/** Read what `inlay measure --raw` wrote, packed or not; "-" is standard input. INLAY_BAD_INPUT, INLAY_NO_MEMORY. */
INLAY_API int inlay_raw_read(const char *path, inlay_raw **raw, inlay_diag *diag);

/** The same from memory. @param source  what messages call it */
INLAY_API int inlay_raw_parse(const char *text, size_t size, const char *source, inlay_raw **raw, inlay_diag *diag);

INLAY_API void inlay_raw_free(inlay_raw *raw);

/* ---- What comes of it ---- */

/** Of all repeats: the median, and (most - least) / median. */
typedef struct inlay_figure {
    double median, spread;
} inlay_figure;

/** The values are in another order afterwards. */
INLAY_API inlay_figure inlay_figure_of(const inlay_repeats *values);

/**
 * Clusters of hosts whose processors are taken for alike, by what an operation takes there: with the fastest that is left go
 * those that take 5 % longer at most. cluster_of[hosts] is numbered by the first hosts of clusters.
 * @return how many clusters
 */
INLAY_API int inlay_raw_like_hosts(const double *seconds, int hosts, int *cluster_of);

typedef struct inlay_rank_figures {
    inlay_figure arithmetic_alone, arithmetic_all, function_alone, function_all;
    double speed; /**< against the fastest rank; all 1 where they differ by no more than the spread */
} inlay_rank_figures;

typedef struct inlay_host_figures {
    inlay_figure alone, all;
} inlay_host_figures;

/**
 * For how long a message between ranks of the class that joins the machine keeps the one that sends it and the one that
 * receives it, by size.
 */
typedef struct inlay_overhead_figures {
    double *send, *receive; /**< NULL: not known */
    int waits; /**< the first size at which a message between hosts waits for its receiver; the number of sizes: none */
} inlay_overhead_figures;

typedef struct inlay_machine_fit {
    const inlay_raw *of;
    inlay_pair_class pair_class; /**< that joins the whole machine */
    inlay_rank_figures *rank;
    inlay_host_figures *host;
    inlay_message_fit fit[INLAY_PAIR_CLASSES];
    inlay_message_fit rest[INLAY_PAIR_CLASSES]; /**< of what is left of a message without `overheads`; else the same */
    inlay_overhead_figures overheads;
    inlay_ring_fit ring[INLAY_PAIR_CLASSES];
    int fastest; /**< rank whose arithmetic takes least, of speed 1 */
    bool unlike; /**< the speeds differ */
} inlay_machine_fit;

typedef struct inlay_cluster_fit {
    const inlay_raw_cluster *of;
    const char *name; /**< of its first host */
    inlay_figure
        arithmetic; /**< seconds of an operation: the median over its ranks, and the largest of their spreads */
    double rate;    /**< operations a second of a processor */
    inlay_interconnect interconnect;
    inlay_pattern_fit pattern[INLAY_PATTERNS]; /**< no points where it was not measured */
} inlay_cluster_fit;

/** What --topology comes to: clusters of like processors, and how cycles of communication grow in them. */
typedef struct inlay_metasystem_fit {
    const inlay_machine_fit *of;
    bool wanted[INLAY_PATTERNS];
    int clusters; /**< 0: no pattern is wanted */
    inlay_cluster_fit *cluster;
} inlay_metasystem_fit;

typedef struct inlay_advisor_rank {
    inlay_figure seconds; /**< of the fixed operations */
    double rate;          /**< operations a second; the same for those that are taken for alike */
} inlay_advisor_rank;

/** A step of the ring with messages of one size. */
typedef struct inlay_advisor_step {
    inlay_figure seconds;
    double fitted; /**< seconds */
} inlay_advisor_step;

/**
 * What --hosts comes to: the speeds and the network for `inlay decompose`, after the first and third phase of the advisor
 * in P. E. Crandall, "Data-Parallel Processing", section 7.2.
 */
typedef struct inlay_advisor_fit {
    const inlay_raw *of;
    inlay_advisor_rank *rank;
    int fastest;
    bool unlike;              /**< the rates differ */
    inlay_advisor_step *step; /**< by size; NULL where there is one rank, and then nothing of the below */
    inlay_medium kind;
    double shared;   /**< how many times as long a byte takes in the ring as alone; 0 where alone it takes no time */
    double latency;  /**< lambda, seconds of a message */
    double per_byte; /**< tau, seconds of a byte on the medium */
    double residual, largest; /**< of the errors of the steps, relative: root mean square, and the largest */
} inlay_advisor_fit;

typedef struct inlay_fitted {
    const inlay_raw *of;
    inlay_machine_fit machine;       /**< zeroes of what --hosts measured */
    inlay_metasystem_fit metasystem; /**< zeroes where no pattern is wanted */
    inlay_advisor_fit advisor;       /**< zeroes but of what --hosts measured */
} inlay_fitted;

/**
 * Fit what was measured, which must outlive the result, and whose repeats come into another order: two threads must not
 * do it with the same. Warnings tell where a figure should be looked at before it is relied on.
 * @param wanted  by pattern, those to fit, which were measured; NULL: none
 * @return INLAY_BAD_INPUT where a pattern was not measured, INLAY_NO_MEMORY
 */
INLAY_API int inlay_raw_fit(const inlay_raw *raw, const bool wanted[INLAY_PATTERNS], inlay_fitted **fitted,
                            inlay_diag *diag);
INLAY_API void inlay_fitted_free(inlay_fitted *fitted);

/**
 * Write the machine file, or where patterns are wanted the metasystem; "-" is standard output. The warnings that are there
 * stand in its comment.
 */
INLAY_API int inlay_fitted_write(const inlay_fitted *fitted, const char *path, inlay_diag *diag);

/* ---- Figures in words ---- */

/** "1.25 ms": so many digits and a unit, with `blank` between them. Returns `text`. */
enum { INLAY_VALUE_TEXT = 40 };
INLAY_API char *inlay_seconds_text(double seconds, int digits, const char *blank, char text[INLAY_VALUE_TEXT]);

/** "1.15 MB/s"; "unknown" where it is infinite. */
INLAY_API char *inlay_rate_text(double bytes, int digits, const char *blank, char text[INLAY_VALUE_TEXT]);

#endif

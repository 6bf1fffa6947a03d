/*
 * A slow, plain reference for clustering, reduction and estimate: in every step every pair of clusters is looked at,
 * every sum is taken anew. It shares nothing with the library but the public headers, and serves to test it.
 */
#ifndef UNIT_SLOW_H
#define UNIT_SLOW_H

#include <inlay/mapping.h>

enum { SLOW_MODULES = 64, SLOW_DATA = 256 };

/** What one module sends to several others, with or without the rest of their links. */
typedef struct slow_datum {
    int producer;
    bool consumer[SLOW_MODULES];
    int64_t traffic, messages;
} slow_datum;

/** Application, machine and options as plain tables. Times in grains; traffic in the unit of the machine's capacity. */
typedef struct slow_problem {
    int modules;
    inlay_time time[SLOW_MODULES];     /**< m */
    inlay_time earliest[SLOW_MODULES]; /**< b in force: the file's where streamed, else derived */
    inlay_time work[SLOW_MODULES];     /**< what counts against T, with the time of the data blocks at home here */
    int64_t memory[SLOW_MODULES];      /**< bytes, with those blocks */
    int pin[SLOW_MODULES];             /**< or -1 */
    bool streamed;

    bool link[SLOW_MODULES][SLOW_MODULES];             /**< [from][to]: precedence */
    int64_t link_traffic[SLOW_MODULES][SLOW_MODULES];  /**< of the link with precedence alone */
    int64_t link_messages[SLOW_MODULES][SLOW_MODULES]; /**< the same in messages that the machine carries */
    int64_t traffic[SLOW_MODULES][SLOW_MODULES];       /**< of all links and uses */

    /* Where data go once to each processor: how much of the link's traffic and messages they are. */
    int64_t shared_traffic[SLOW_MODULES][SLOW_MODULES];
    int64_t shared_messages[SLOW_MODULES][SLOW_MODULES];
    slow_datum datum[SLOW_DATA];
    int data;
    bool trees; /**< who has got a datum passes it on */

    bool parallel[SLOW_MODULES][SLOW_MODULES];
    int bands;                               /**< levels, or instants where parallel means overlap */
    bool covers[SLOW_MODULES][SLOW_MODULES]; /**< [module][band] */

    int64_t memory_limit; /**< bytes of one processor, or -1 */
    bool keep_unrelated;

    int processors;                /**< k of the delay function */
    long double grain;             /**< one grain in the application's unit */
    long double capacity;          /**< traffic in one unit of time; infinite where messages are free */
    long double transfers;         /**< per message */
    long double latency;           /**< of a message, in the application's unit */
    long double utilisation_limit; /**< u_limit of the bus */
} slow_problem;

/** Read the tables through the public headers; aborts the test where the application is too large. */
void slow_read(const inlay_app *app, const inlay_machine *machine, const inlay_options *options, slow_problem *problem);

/** Where a data block lives while clusters are made: with its heaviest single user. */
inlay_id slow_home(const inlay_app *app, inlay_id block);

/** Let a block live with module `to` instead; at most once a block. */
void slow_move_block(const inlay_app *app, const inlay_machine *machine, inlay_id block, inlay_id to,
                     slow_problem *problem);

/** Cluster of every module; a cluster's number is its smallest module. */
typedef struct slow_clusters {
    int of[SLOW_MODULES];
} slow_clusters;

/** A cluster a module; modules pinned to one processor are together. */
void slow_singletons(const slow_problem *problem, slow_clusters *clusters);

/** The largest work of a starting cluster: the least T that can be met. */
inlay_time slow_least_frame(const slow_problem *problem);

/**
 * The greedy rule under T; false where a starting cluster alone does not fit.
 * @param next  the least sum that was rejected for time alone and would else have been taken in its step, so the least T
 *              at which the run is another; INT64_MAX where there is none
 */
bool slow_greedy(const slow_problem *problem, inlay_time frame, slow_clusters *clusters, inlay_time *next);

/** Reduce to `processors` clusters, in place; false where the constraints forbid it (clusters then undefined). */
bool slow_reduce(const slow_problem *problem, inlay_reduce heuristic, bool by_traffic, int processors, inlay_time frame,
                 slow_clusters *clusters);

int slow_count(const slow_problem *problem, const slow_clusters *clusters);

/** Most clusters with a module in one band. */
int slow_parallelism(const slow_problem *problem, const slow_clusters *clusters);

/** D(u) of a bus with k processors, 0 <= u < 1: the rate is found by bisection. */
long double slow_delay(int k, long double u);

/** What a placement costs, times in the application's unit. */
typedef struct slow_cost {
    int64_t traffic; /**< between processors */
    long double u, delay, tau;
    long double start[SLOW_MODULES];
    long double estimate;
    long double busiest; /**< largest utilisation of a processor */
} slow_cost;

/** Cost under T, in the application's unit; `of` tells the processor (or cluster) of every module. */
void slow_evaluate(const slow_problem *problem, const int *of, long double frame, slow_cost *cost);

/** The estimate E with T = E, or NaN where no T with u(T) < u_limit has it. */
long double slow_fixed_point(const slow_problem *problem, const int *of);

#endif

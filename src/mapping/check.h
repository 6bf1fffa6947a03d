/*
 * The parts of the independent checker.
 *
 * The checker shares nothing with the code that makes mappings: it reads the file, the application and the machine
 * through the public headers and computes every figure once more from the definitions, in the plainest way. The one
 * private header it includes is base/diag.h, because there is no public way to write a diagnostic.
 */
#ifndef MAPPING_CHECK_H
#define MAPPING_CHECK_H

#include <inlay/check.h>
#include <jansson.h>

/** Words of `options` and `rules`, in the order of their arrays of names in check_options.c. */
enum check_method { CHECK_HOUSTIS, CHECK_PLACEMENT };
enum check_reduce { CHECK_REDUCE_NONE, CHECK_REDUCE_H1, CHECK_REDUCE_H2 };
enum check_blocking { CHECK_BLOCKING_AUTO, CHECK_BLOCKING_YES, CHECK_BLOCKING_NO };
enum check_start { CHECK_START_AUTO, CHECK_START_STREAM, CHECK_START_FINISH };
enum check_parallel { CHECK_LEVEL, CHECK_OVERLAP };

/** One cluster: what the file lists and what follows from it. */
typedef struct check_cluster {
    const json_t *said;    /**< its object in the file */
    inlay_id processor;    /**< as the file says */
    inlay_id first, end;   /**< its modules stand in check.listed[first .. end-1] */
    inlay_time work, busy; /**< grains */
    int64_t memory;        /**< bytes */
    int64_t messages_out, traffic_out;
} check_cluster;

/** Everything known while one file is checked. Arrays belong to it; check_clear() frees them all. */
typedef struct check {
    const char *path; /**< of the mapping */
    json_t *root;
    inlay_app *app;
    inlay_machine *machine;
    inlay_findings *findings;
    int64_t grains_per_unit; /**< 10^decimals of the application */

    /* What the file says and the rest builds on. */
    int method, reduce, blocking, start, parallel;
    inlay_id processors;     /**< P */
    double time_frame;       /**< T, in the application's unit */
    inlay_time frame_grains; /**< T rounded down to grains: work <= T is tested with it, exactly */
    bool frame_given;
    double tick_seconds;   /**< 0 where ticks have no length */
    inlay_id reduced_from; /**< -1: nothing was reduced */

    inlay_id modules, clusters, blocks;
    check_cluster *cluster; /**< one a cluster */
    inlay_id *cluster_of;   /**< one a module */
    inlay_id *home;         /**< one a block: cluster, or -1 where no cluster lists it */
    inlay_id *listed;       /**< modules in the order of the file, cluster by cluster */

    /* What follows from application, machine and options: one entry a module. */
    bool streamed;
    bool work_has_blocking;
    inlay_time *time;       /**< m on this machine's processors, grains */
    inlay_time *ready;      /**< b of the start rule: the file's when streamed, else the derived one */
    inlay_time *work_ready; /**< b that counts in work */
    inlay_time *earliest;   /**< earliest start on unlimited processors with free messages, by the start rule */
    inlay_time *bottom;     /**< longest sum of lags to an exit plus the exit's m */
    int32_t *level;         /**< longest path in links from a source */
    inlay_id *order;        /**< all modules in the global order of execution */
    inlay_id *rank;         /**< where a module stands in `order` */
    inlay_time total_time, longest, critical_path;

    /* The network. */
    bool free_network, in_bytes;
    double capacity; /**< units of traffic in one unit of time; 0 where the network is free */
    double latency;  /**< of one message, in the application's unit */
    int64_t messages, traffic;
    double u, rho, delay, tau;
    double estimate;
} check;

/* ---- Findings and fields (check_find.c) ---- */

inlay_findings *check_findings_new(void);
bool check_findings_failed(const inlay_findings *findings); /**< memory ran out: some are lost */

/** Add one finding. Control characters become '?', so that it stays one line. */
void check_find(check *k, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Kinds of a JSON value, for messages and tests. */
typedef enum check_kind { CHECK_NUMBER, CHECK_INTEGER, CHECK_STRING, CHECK_BOOL, CHECK_ARRAY, CHECK_OBJECT } check_kind;

/** A member of an object; where it is missing or of another kind: a finding, and NULL. `where` may be NULL. */
json_t *check_field(check *k, const char *where, const json_t *object, const char *name, check_kind kind);

/** The same where null is allowed; `*null` tells. */
json_t *check_field_or_null(check *k, const char *where, const json_t *object, const char *name, check_kind kind,
                            bool *null);

/* Compare one figure of the file with the expected one; each counts as checked. */
void check_count(check *k, const char *where, const json_t *object, const char *name, int64_t expected);
void check_time(check *k, const char *where, const json_t *object, const char *name, inlay_time expected);
void check_flag(check *k, const char *where, const json_t *object, const char *name, bool expected);
void check_text(check *k, const char *where, const json_t *object, const char *name, const char *expected);

/** To 1e-9 of its size; an expected NaN or infinity stands for null. */
void check_number(check *k, const char *where, const json_t *object, const char *name, double expected);

/** To an absolute slack. */
void check_number_within(check *k, const char *where, const json_t *object, const char *name, double expected,
                         double slack);

/** Count figures that were recomputed and compared elsewhere. */
void check_counted(check *k, size_t figures);

/* ---- Reading (check_read.c, check_sha256.c, check_options.c, check_clusters.c) ---- */

/** The mapping's JSON, its application and its machine. */
int check_read(check *k, const char *app_path, inlay_diag *diag);

/** SHA-256 of a file's bytes as they stand, in lower-case hexadecimal; false where it cannot be read. */
bool check_sha256(const char *path, char hex[65]);

/** The figures that the rest builds on; false where one is missing, so that nothing can be recomputed. */
bool check_read_options(check *k);

/** The clusters; false where they are no partition of the modules. INLAY_NO_MEMORY through *status. */
bool check_read_clusters(check *k, int *status);

/* ---- Computing ---- */

/** a + b, staying at the largest value: such sums compare as too large instead of wrapping. */
int64_t check_add(int64_t a, int64_t b);

/** Lag of a link by the start rule, in grains (check_order.c). */
inlay_time check_lag(const check *k, inlay_id from, inlay_id to);

/** Times, levels, blocking times, bottom levels and the order of execution (check_order.c). */
int check_graph(check *k);

/** Capacity and latency in the application's unit (check_cost.c); false where the units do not go together. */
bool check_network_units(check *k);

/** Traffic, sums of the clusters, u, D, tau, estimate (check_cost.c). */
int check_cost(check *k);

/** Elapsed time where a unit of traffic takes `tau` (check_cost.c). */
int check_estimate(const check *k, double tau, double *estimate);

/** The T with T = E(T) below saturation, NaN where there is none; `*doubtful` at the edge of saturation. */
int check_fixed_point(const check *k, double *fixed_point, bool *doubtful);

/** Single bus with k processors at rate rho: utilisation, its complement and delay (check_bus.c). */
typedef struct check_bus_point {
    long double u, idle, delay;
} check_bus_point;
check_bus_point check_bus(int64_t processors, long double rho);
long double check_bus_rate(int64_t processors, double u); /**< 0 <= u < 1 */

/** Largest antichain, by matching (check_width.c). For small graphs only. */
int check_antichain(const check *k, inlay_id *width);

/** A time in the application's unit; (work + tau x traffic_out) / T of a cluster (check_cost.c). */
double check_units(const check *k, inlay_time grains);
double check_utilisation(const check *k, inlay_id cluster);

/** Most clusters active at once; most modules on one level (check_parallel.c). */
int check_parallelism(const check *k, inlay_id *most);
int check_level_width(const check *k, inlay_id *width);

/* ---- Comparing ---- */

int check_parallel_modules(check *k); /**< parallel modules in one cluster (check_parallel.c) */

void check_cluster_figures(check *k); /**< check_clusters.c */
int check_figures(check *k);          /**< the figures of the whole (check_figures.c) */
int check_constraints(check *k);      /**< what the method promises (check_constraints.c) */

#endif

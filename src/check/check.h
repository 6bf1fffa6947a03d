/*
 * The parts of the independent checker.
 *
 * The checker shares nothing with the code that makes mappings: it reads the file, the application and the machine
 * through the public headers and computes every figure once more from the definitions, in the plainest way, simulated times
 * with a simulator of its own (simulator.h). Only where it is asked to be strict it has the library make the mapping once
 * more, by the same headers, and where an interval was drawn it has the library draw again (again.c). The
 * private headers it includes are base/diag.h, because there is no public way to write a diagnostic, base/file.h, which
 * knows pipes, io/json_read.h,
 * which tells want of memory from bad JSON, and io/machine_formats.h, because there is no public way to read a machine's
 * file from memory with attributes beside it.
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include <inlay/check.h>
#include <jansson.h>

/** Words of `options` and `rules`, in the order of their arrays of names in check_options.c. */
enum check_reduce { CHECK_REDUCE_NONE, CHECK_REDUCE_H1, CHECK_REDUCE_H2 };
enum check_blocking { CHECK_BLOCKING_AUTO, CHECK_BLOCKING_YES, CHECK_BLOCKING_NO };
enum check_start { CHECK_START_AUTO, CHECK_START_STREAM, CHECK_START_FINISH };
enum check_layout { CHECK_LAYOUT_NEAREST, CHECK_LAYOUT_ORDER, CHECK_LAYOUT_SCOTCH };
enum check_order { CHECK_ORDER_GIVEN, CHECK_ORDER_PAPER, CHECK_ORDER_BOTTOM_LEVEL };
enum check_parallel { CHECK_LEVEL, CHECK_OVERLAP };

/** One cluster: what the file lists and what follows from it. */
typedef struct check_cluster {
    const json_t *said;        /**< its object in the file */
    inlay_id processor;        /**< as the file says */
    inlay_id first, end;       /**< its modules stand in check.listed[first .. end-1], those of several cores, too */
    inlay_time work, busy;     /**< grains, at the speed of the fastest */
    double own_work, own_busy; /**< on the processor where it stands, in the application's unit */
    int64_t memory;            /**< bytes */
    int64_t messages_out, traffic_out;
    int64_t weighted_out; /**< traffic_out, each traffic times the distance that it goes */
    long double sending;  /**< with links: the time that its messages take, in the application's unit */
} check_cluster;

/** Processors of one type, speed and memory. */
typedef struct check_class {
    const char *type;    /**< NULL: none */
    int type_number;     /**< in the application; -1 where no module has a time of its own there */
    double speed;        /**< module times are divided by it */
    int64_t memory;      /**< bytes of a host; -1 unlimited */
    inlay_id processors; /**< so many are like that */
    long double rate;    /**< most that one does in a unit of time, counted at the speed of the fastest */
} check_class;

/** What goes from one cluster to another, on a machine with links. */
typedef struct check_flow {
    inlay_id from, to; /**< clusters */
    int64_t traffic;
    size_t first, end;   /**< its links stand in route[first .. end-1] */
    long double latency; /**< of one message over them */
    long double tau;     /**< of one unit of traffic, at the time frame that was asked for last */
} check_flow;

/** The links under the traffic of the mapping, times in the application's unit. */
typedef struct check_links {
    check_flow *flow; /**< by (from, to) */
    size_t flows;
    inlay_id *route;
    long double *alone;    /**< of every link: time of one unit of traffic where nobody else is */
    long double *works;    /**< of every link: for how long its traffic keeps it at work */
    long double busiest;   /**< the longest such time of links where messages meet */
    long double narrowest; /**< the longest time of one unit of traffic on a link */
} check_links;

/**
 * The machine's network as one of the five delay models (C. E. Houstis, E. N. Houstis, J. R. Rice, CSD-TR-86-576,
 * section 2.2), all in the application's unit of time. Two kinds of system: closed (buses), in which a processor that
 * waits asks for nothing more and D stays finite; open (omega), in which D grows without bound as u nears its limit.
 */
typedef struct check_network {
    bool free;     /**< nothing tells how fast it is: messages cost nothing but latency */
    bool in_bytes; /**< traffic is counted in bytes, else in messages */
    bool open;
    double link_time, link_latency; /**< links: what one over a capacity, and a latency, are multiplied with */
    double latency;                 /**< of one message */
    double share;                   /**< u x T that one unit of traffic makes over distance 1, transfers counted */
    double tau_least, tau_rise;     /**< tau = tau_least + tau_rise x D, transfers counted */
    long double limit;              /**< what u stays below */

    /* Open: D = delay_least + delay_rise x load / (1 - load), rho = u x rho_share. */
    long double delay_least, delay_rise, rho_share;

    /* Closed: k processors, and how many buses work on the average while l requests are present. */
    int64_t processors;
    long double *beta; /**< beta[0..betas], from there on the limit; NULL: one bus, which always works */
    int64_t betas;     /**< at most processors */
} check_network;

/** A network at one rate. */
typedef struct check_point {
    long double u, spare; /**< spare: limit - u, exact where u is close to the limit */
    long double rho, delay;
} check_point;

/** A data block's name, in a list sorted for searching. */
typedef struct check_name {
    const char *text;
    inlay_id block;
} check_name;

/** Who has a datum: its producer, or where a copy goes. */
typedef struct check_holder {
    inlay_id number;  /**< of the processor or, over links, of the host */
    inlay_id cluster; /**< the producer's, or that of the first consumer there */
    inlay_id first;   /**< that consumer; of the producer not set */
} check_holder;

/** Everything known while one file is checked. Arrays belong to it; check_clear() frees them all. */
typedef struct check {
    const char *path;     /**< of the mapping */
    const char *app_path; /**< of the application; NULL: as the mapping says */
    inlay_diag *diag;
    bool strict;
    bool not_simulated; /**< it is too large for that, as was warned */
    json_t *root;
    inlay_app *app;
    inlay_machine *machine;
    inlay_findings *findings;
    int64_t grains_per_unit; /**< 10^decimals of the application */

    /* What the file says and the rest builds on. */
    const inlay_method *method; /**< NULL: a placement of the user's own */
    int reduce, blocking, start, parallel, layout, order;
    bool reduce_before;      /**< the modules are reduced, not the clusters */
    inlay_id processors;     /**< P */
    double time_frame;       /**< T, in the application's unit */
    inlay_time frame_grains; /**< T rounded down to grains: work <= T is tested with it, exactly */
    bool frame_given;
    double tick_seconds;   /**< 0 where ticks have no length */
    inlay_id reduced_from; /**< -1: nothing was reduced */

    inlay_id modules, clusters, blocks;
    check_cluster *cluster; /**< one a cluster */
    inlay_id *cluster_of;   /**< one a module: of several cores, that on the lowest processor */
    inlay_id *seats;        /**< one a module: clusters that list it */
    bool ignore_cores;
    inlay_risk risk;
    double *stretch;        /**< one a module: by what it takes longer where cores share memory; for check_estimate() */
    bool by_period;         /**< method best made the period short */
    bool copies_each;       /**< a message to every consumer of a datum */
    inlay_id *datum_from;   /**< one a module: the first of its data */
    inlay_id *kept;         /**< one a keeper: the datum at hand, once it has that (check_holders()); else -1 */
    check_holder *holder;   /**< of the datum that is gone through (check_holders()) */
    inlay_id *home;         /**< one a block: cluster, or -1 where no cluster lists it */
    inlay_id *memory_of;    /**< one a block: the common memory that it stands in, or -1 */
    check_name *block_name; /**< one a block, sorted by name */
    inlay_id *listed;       /**< modules in the order of the file, cluster by cluster */

    /* What follows from application, machine and options: one entry a module. */
    bool streamed;
    bool work_has_blocking;
    check_class *class; /**< kinds of processors */
    int classes;
    int *class_of;          /**< one a processor where they differ, else one */
    double speed;           /**< of the fastest */
    bool plain;             /**< all are alike, of speed 1: times are what the application says */
    inlay_time *time;       /**< m where it is least, counted at the speed of the fastest, grains */
    inlay_time *ready;      /**< b of the start rule: the file's when streamed, else the derived one */
    inlay_time *work_ready; /**< b that counts in work */
    inlay_time *earliest;   /**< earliest start on unlimited processors with free messages, by the start rule */
    inlay_time *bottom;     /**< longest sum of lags to an exit plus the exit's m */
    int32_t *level;         /**< longest path in links from a source */
    inlay_id *sequence;     /**< all modules in the global order of execution */
    bool order_given;       /**< the lists of the file are the order; else a rule makes it */
    bool runs;              /**< the order can be run */
    inlay_id *rank;         /**< where a module stands in `sequence` */
    inlay_time total_time, longest, critical_path;

    /* The network under the traffic of this mapping. */
    check_network network;
    check_links links; /**< of a machine with links, else all 0 */
    int64_t messages, traffic;
    int64_t spared;                  /**< traffic of copies that are not a datum's first */
    int64_t weighted;                /**< each traffic times the distance that it goes: it makes u */
    double u, rho, delay, tau;       /**< where the file's own are as good as any (see check_settle), the file's */
    double rho_spread, delay_spread; /**< how far two right computations may be apart */
    double doubt;                    /**< relative: what a last digit of u makes of the delay of a link */
    bool saturated;                  /**< u is not below its limit */
    double estimate;
    double bound_work, bound_placement; /**< of all iterations, in the application's unit (bounds.c) */
    double elapsed;                     /**< as the file has it, which is compared last (again.c) */
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

/** To 1e-9 of its size, and k->doubt besides; an expected NaN or infinity stands for null. */
void check_number(check *k, const char *where, const json_t *object, const char *name, double expected);

/** To an absolute slack. */
void check_number_within(check *k, const char *where, const json_t *object, const char *name, double expected,
                         double slack);

/** Count figures that were recomputed and compared elsewhere; that stand as the file says. */
void check_counted(check *k, size_t figures);
void check_believed(check *k, size_t figures);

/* ---- Reading (check_read.c, check_sha256.c, check_options.c, check_clusters.c) ---- */

/** The mapping's JSON, its application and its machine. */
int check_read(check *k, const char *app_path, inlay_diag *diag);

/** SHA-256 of a file's bytes as they stand, in lower-case hexadecimal; false where it cannot be read. */
bool check_sha256(const char *path, char hex[65]);

/** The figures that the rest builds on; false where one is missing, so that nothing can be recomputed. */
bool check_read_options(check *k);

/** The clusters; false where they are no partition of the modules. INLAY_NO_MEMORY through *status. */
bool check_read_clusters(check *k, int *status);

/** Processors of one host that a module holds at once. */
inlay_id check_cores(const check *k, inlay_id module);

/** The data block of that name, or -1; after check_read_clusters(). `name` may be NULL. */
inlay_id check_find_block(const check *k, const char *name);

/* ---- Computing ---- */

/** a + b, staying at the largest value: such sums compare as too large instead of wrapping. */
int64_t check_add(int64_t a, int64_t b);

/** Lag of a link by the start rule whose module takes `time`, in grains (check_order.c). */
inlay_time check_lag(const check *k, inlay_id from, inlay_id to, inlay_time time);

/** The kinds of processors, and by them k->time and its sums; after the arrays are there (check_kinds.c). */
int check_kinds(check *k);
const check_class *check_class_of(const check *k, inlay_id processor);

/** Time of a module on such a processor were its speed 1, grains (check_kinds.c). */
inlay_time check_time_on(const check *k, inlay_id module, const check_class *class);

/** Whether the application lets a module run on such processors (check_kinds.c). */
bool check_may_run_on(const check *k, inlay_id module, const check_class *class);

/** What the fastest so many processors do in a unit of time, counted at the speed of the fastest (check_kinds.c). */
int check_rate(const check *k, inlay_id processors, double *rate);

/** Work and busy time of every cluster on its own processor (check_kinds.c). */
void check_own_times(check *k);

/** Times, levels, blocking times, bottom levels and the order of execution (check_order.c). */
int check_graph(check *k);

/** a x b, in the same way; b >= 0. */
int64_t check_times(int64_t a, int64_t b);

/** What crosses from one cluster to another: links, copies of data, uses. `again`: a copy that is not a datum's first. */
typedef struct check_crossing {
    inlay_id from, to;
    int64_t messages, bytes;
    bool again;
} check_crossing;
typedef void (*check_sink)(void *context, const check_crossing *crossing);

/** All of them, with cluster c on processor[c], or where the file has it (check_traffic.c). */
void check_each_crossing(const check *k, const inlay_id *processor, check_sink sink, void *context);

/** Where a copy ends, and stays: what stands for the host over links, else for the cluster (check_traffic.c). */
inlay_id check_keeper(const check *k, const inlay_id *processor, inlay_id cluster);

/**
 * Who has a datum, into check.holder: number 0 is its producer, then come those that get a copy, by number where the machine
 * broadcasts in trees, else as the consumers stand. Gives how many get one (check_traffic.c).
 */
inlay_id check_holders(const check *k, const inlay_id *processor, inlay_id datum);

/** From which holder number h has its copy: in a tree h less the highest power of two in it, else 0 (check_traffic.c). */
inlay_id check_giver(const check *k, inlay_id h);

/** Whether data are copied at all: named, and not sent to each consumer (check_traffic.c). */
bool check_copies(const check *k);

/** What a link says for itself where data are copied: all where it stays with the keeper (check_traffic.c). */
void check_own(const check *k, const inlay_links *out, int64_t l, bool stays, int64_t *messages, int64_t *bytes);

/** Weighted traffic that counts towards u: common memories are written once for all copies (check_traffic.c). */
double check_demand(const check *k);

/** Messages and traffic of a link or use as the machine counts them (check_traffic.c). */
int64_t check_messages(const check *k, int64_t messages, int64_t bytes);
int64_t check_traffic(const check *k, int64_t messages, int64_t bytes);

/** Sum of traffic x distance with cluster c on processor[c] (check_traffic.c). */
int64_t check_weighted(const check *k, const inlay_id *processor);

/** Sums of messages, traffic, work, busy time and memory, of the clusters and of the whole (check_traffic.c). */
void check_sums(check *k);

/** The network's constants (check_machine.c); false where the units do not go together. */
bool check_machine(check *k);

/**
 * beta_l of the buses, the limit of u and what follows (check_beta.c); false where the machine is too large for that.
 * INLAY_NO_MEMORY through *status.
 */
bool check_beta(check *k, int *status);

/**
 * The network at a rate from 0 on: rho of closed systems, load / (1 - load) of open ones, where load = u / limit. u
 * rises with the rate from 0 towards its limit (check_network.c).
 */
check_point check_network_at(const check_network *network, long double rate);
check_point check_network_for(const check_network *network, long double u); /**< 0 <= u < limit */
check_point check_network_saturated(const check_network *network);          /**< in the limit of a rate without bound */

/** Time of one unit of traffic (check_network.c). */
double check_tau(const check_network *network, long double delay);

/* ---- Links (check_links.c) ---- */

/** The flows, their routes, and how long links work for them. INLAY_NO_MEMORY */
int check_links_load(check *k);
void check_links_clear(check_links *links);

/** The flow from a cluster to another; NULL where nothing goes. */
const check_flow *check_flow_of(const check *k, inlay_id from, inlay_id to);

/** D of a link where messages meet. */
long double check_link_delay(const check *k, long double u);

/** tau of every flow within a time frame; INFINITY: on idle links. */
void check_links_at(check *k, long double frame);

/** The mean of these over traffic and the links that it passes; that of the narrowest link where nothing travels. */
double check_links_tau(const check *k);

/** As check_fixed_point(), which asks it. */
int check_links_fixed_point(check *k, double *fixed_point, bool *doubtful);

/**
 * u, D, rho and tau of the traffic within T (check_network.c). Close to saturation the last bit of u, of 1 - u or of a
 * beta moves rho and D a lot; where the file's own figure is within that spread it is taken, so that what is computed
 * from it is comparable.
 */
void check_settle(check *k);

/** A way through the graph and over processors that are busy. */
typedef struct check_path {
    double length;  /**< the time that it takes */
    double carried; /**< each traffic on it times the distance that it goes: tau counts so often in the length */
} check_path;

/**
 * The longest path, whose length is the elapsed time, where a unit takes `tau` over distance 1; with links, what
 * check_links_at() said last (check_estimate.c).
 */
int check_estimate(const check *k, double tau, check_path *longest);

/**
 * The T with T = E(T) below saturation, NaN where there is none. `*doubtful` where it is so close to saturation that
 * there may as well be none (check_fixed_point.c).
 */
int check_fixed_point(check *k, double *fixed_point, bool *doubtful);

/** Largest antichain, by matching (check_width.c). For small graphs only. */
int check_antichain(const check *k, inlay_id *width);

/** So many of the application's units are one of these; 0 where they do not compare (check_machine.c). */
double check_unit_length(const check *k, inlay_unit unit);

/** A time of the machine in the application's unit; 0 where they do not compare (check_machine.c). */
double check_app_units(const check *k, inlay_duration time);

/** What a module sends that another processor has to receive, as far as that keeps the two (check_overheads.c). */
typedef struct check_charge {
    inlay_id to; /**< module that waits for the link, or the first that waits for the copy */
    inlay_id
        datum;    /**< of a copy; a link stands before all copies to its module, and one of traffic alone behind them */
    bool early;   /**< it is due before its module ends */
    double sends; /**< for so long its sender is busy with it ... */
    double after; /**< ... so that it leaves so long after it was due */
} check_charge;

enum { CHECK_LINK = -1, CHECK_TRAFFIC = INT32_MAX };

/** What an amount takes of its sender, or of its receiver, where it goes from one host to another (check_overheads.c). */
double check_latency_by_size(const check *k, int64_t messages, int64_t bytes); /**< of all messages of a link */
double check_overhead(const check *k, const inlay_pieces *pieces, const check_crossing *of);

/** Puts them in order and says when each leaves; gives for how long the sender is busy in all (check_overheads.c). */
double check_charge_all(check_charge *charge, size_t count);

/** When it leaves; 0 where it is not among them (check_overheads.c). */
double check_charged(const check_charge *charge, size_t count, inlay_id to, inlay_id datum);

/** A time in the application's unit; (work + the time that its messages take) / T of a cluster (check_estimate.c). */
double check_units(const check *k, inlay_time grains);
double check_utilisation(const check *k, inlay_id cluster);

/** From when to when a module counts as active: its level, or its interval on unlimited processors (check_parallel.c). */
inlay_time check_begins(const check *k, inlay_id module);
inlay_time check_ends(const check *k, inlay_id module);

/**
 * Simulated elapsed time of the mapping, or its screen, as its clusters stand on processors now, in the application's unit; NaN where it
 * has none, and where it is too large to be simulated here, which is warned of (elapsed.c). INLAY_NO_MEMORY
 */
int check_elapsed(check *k, bool screen, double *elapsed);

/** Compare one that the file tells, or the screen that it tells in its place (elapsed.c). INLAY_NO_MEMORY */
int check_simulated(check *k, const char *where, const json_t *object, const char *name);

/** The screen that stands beside a simulated time, of a mapping whose elapsed time is right (elapsed.c). INLAY_NO_MEMORY */
int check_screen(check *k);

/** Most clusters active at once; most modules on one level (check_parallel.c). */
int check_parallelism(const check *k, inlay_id *most);
int check_level_width(const check *k, inlay_id *width);

/* ---- Comparing ---- */

int check_parallel_modules(check *k); /**< parallel modules in one cluster (check_apart.c) */

int check_bounds(check *k, const json_t *makespan, double *lower); /**< `*lower`: the largest (bounds.c) */
void check_cluster_figures(check *k);                              /**< check_clusters.c */
int check_figures(check *k);                                       /**< the figures of the whole (check_figures.c) */
void check_run(check *k);                                          /**< price and energy of a run (check_machine.c) */
int check_period(check *k);                                        /**< of runs that overlap (period.c) */
void check_winner(check *k);                                       /**< what method best chose (winner.c) */
int check_memories(check *k);                       /**< data blocks in common memories (check_memories.c) */
int check_layout(check *k);                         /**< clusters on processors (check_layout.c) */
int check_assignment(check *k);                     /**< check_assign.c */
int check_busiest(check *k, const json_t *network); /**< the links that work longest (check_busiest.c) */
int check_default_frame(check *k);                  /**< check_frame.c */
int check_constraints(check *k);                    /**< what the method promises (check_constraints.c) */
int check_interval(check *k);                       /**< drawn once more by the engine itself (again.c) */
int check_again(check *k);                          /**< what the method alone tells (again.c) */

#endif

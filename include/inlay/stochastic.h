/*
 * Stochastic AND-EOR graphs SG(A): an application whose paths are not known before it runs.
 *
 * A visit to a module does its work once and then passes control on: an AND module to every successor, an EOR module to
 * one of them, drawn with the probabilities of its links. Visits come from outside (`entries`) and from other modules.
 * There are loops, as long as the expected number of visits is finite. So the expected visits v of all modules are
 *
 *     v = e + P^T v        P_ij = 1 where i is AND, the link's probability where i is EOR
 *
 * and the deterministic graph G(A) has the expected work and traffic of one execution, or of a number of them:
 *
 *     time of i        v_i (m_i + sum over its links of P_ij a_ij)    a_ij: communication processing time, the sender's
 *     traffic i -> j   v_i P_ij times the link's messages and bytes
 *     data block k     time: d_k times its expected uses; use by i: v_i times the use's messages and bytes
 *
 * Source: C. E. Houstis, E. N. Houstis, J. R. Rice, section 2.1, which names m, d, p and a and leaves the reduction to
 * another paper. What was decided here stands in docs/stochastic.md.
 *
 * A graph is built, which checks and solves it, and is immutable from then on. It is freed by the caller, and so is the
 * application that comes of it.
 */
#ifndef INLAY_STOCHASTIC_H
#define INLAY_STOCHASTIC_H

#include <inlay/app.h>

typedef struct inlay_stochastic inlay_stochastic;

INLAY_API void inlay_stochastic_free(inlay_stochastic *graph);

/** Read one from a DOT file (gzip accepted, "-" is standard input). */
INLAY_API int inlay_stochastic_read(const char *path, inlay_stochastic **graph, inlay_diag *diag);

/** The same from memory; `source` stands for the file in messages. */
INLAY_API int inlay_stochastic_read_memory(const char *data, size_t size, const char *source, inlay_stochastic **graph,
                                           inlay_diag *diag);

/* ---- What one execution does on the average. Times are in the graph's unit ---- */

typedef struct inlay_stochastic_summary {
    inlay_id modules, eor_modules, blocks;
    int64_t links;         /**< of control that can be taken: without those of probability 0 */
    inlay_id loops;        /**< strongly connected parts with a link inside */
    inlay_id looped;       /**< modules in them */
    inlay_id parts;        /**< strongly connected parts in all, a module without a loop being one */
    double visits;         /**< of all modules */
    double work;           /**< mean of the total work: all m and a */
    double work_deviation; /**< its standard deviation, where every visit acts independently of all others */
    double block_time;     /**< mean of the total work of the data blocks: all d */
} inlay_stochastic_summary;

INLAY_API const char *inlay_stochastic_name(const inlay_stochastic *graph);
INLAY_API inlay_unit inlay_stochastic_unit(const inlay_stochastic *graph);
INLAY_API const inlay_stochastic_summary *inlay_stochastic_summary_of(const inlay_stochastic *graph);

/* Modules are numbered in the order in which they were added. */
INLAY_API const char *inlay_stochastic_module_name(const inlay_stochastic *graph, inlay_id module);
INLAY_API bool inlay_stochastic_is_eor(const inlay_stochastic *graph, inlay_id module);
INLAY_API double inlay_stochastic_visits(const inlay_stochastic *graph, inlay_id module);
INLAY_API double inlay_stochastic_time(const inlay_stochastic *graph, inlay_id module); /**< of all its visits */

/** Its strongly connected part, numbered by their first modules: its module in a graph with folded loops. */
INLAY_API inlay_id inlay_stochastic_part(const inlay_stochastic *graph, inlay_id module);
INLAY_API bool inlay_stochastic_in_loop(const inlay_stochastic *graph, inlay_id module);

/* ---- G(A) ---- */

typedef enum inlay_cycles {
    INLAY_CYCLES_FOLD,   /**< a strongly connected part becomes one module */
    INLAY_CYCLES_TRAFFIC /**< links that go back become traffic without precedence */
} inlay_cycles;

typedef struct inlay_stochastic_options {
    inlay_cycles cycles;
    int64_t executions; /**< that the graph stands for; 0 means 1 */
} inlay_stochastic_options;

/**
 * The deterministic graph. Messages are rounded up to the next whole number, bytes to the nearest, times to 9
 * significant digits; a warning names a time that keeps fewer than 6. INLAY_OVERFLOW where a count or a sum of times
 * does not fit into 64 bits.
 */
INLAY_API int inlay_stochastic_reduce(const inlay_stochastic *graph, const inlay_stochastic_options *options,
                                      inlay_app **app, inlay_diag *diag);

/** The name of the module of that application that a module went to. */
INLAY_API const char *inlay_stochastic_place(const inlay_stochastic *graph, const inlay_stochastic_options *options,
                                             const inlay_app *app, inlay_id module);

/* ---- Building one ---- */

typedef struct inlay_stochastic_builder inlay_stochastic_builder;

/** One module. Zero-initialise, then set what is known. */
typedef struct inlay_stochastic_module {
    const char *name; /**< copied; unique, not empty */
    bool eor;         /**< passes a visit to one of its links; else to each */
    bool has_entries; /**< else 1 where no link of another module leads to it, 0 elsewhere */
    double entries;   /**< visits from outside in one execution */
    inlay_duration time;
    int64_t memory;               /**< bytes */
    double arithmetic, functions; /**< operations and evaluations of one visit */
} inlay_stochastic_module;

/** One link. Two links of one pair are two: an AND module passes a visit to each. */
typedef struct inlay_stochastic_link {
    inlay_id from, to;
    bool traffic_only; /**< passes no control and is taken with each visit */
    bool has_probability;
    double probability;      /**< that an EOR module takes it; all its links have one or none has: then equal ones */
    inlay_duration time;     /**< communication processing time a_ij, each time that it is taken */
    int64_t messages, bytes; /**< each time that it is taken */
} inlay_stochastic_link;

/** @param unit  unit of times given as bare numbers; INLAY_UNIT_NONE means seconds. NULL: out of memory */
INLAY_API inlay_stochastic_builder *inlay_stochastic_builder_new(const char *name, inlay_unit unit);
INLAY_API void inlay_stochastic_builder_free(inlay_stochastic_builder *builder);

/** As inlay_app_builder_source(). `line_of` is called until the graph is built. */
INLAY_API int inlay_stochastic_builder_source(inlay_stochastic_builder *builder, const char *file,
                                              long (*line_of)(void *context, inlay_id from, inlay_id to),
                                              void *context);

INLAY_API int inlay_stochastic_add_module(inlay_stochastic_builder *builder, const inlay_stochastic_module *module,
                                          inlay_diag *diag);
INLAY_API int inlay_stochastic_add_link(inlay_stochastic_builder *builder, const inlay_stochastic_link *link,
                                        inlay_diag *diag);

/** A data block. @param time  processing time d of one use. Blocks and modules share one name space */
INLAY_API int inlay_stochastic_add_block(inlay_stochastic_builder *builder, const char *name, int64_t size,
                                         inlay_duration time, inlay_diag *diag);

/** A module uses a block once with each visit. */
INLAY_API int inlay_stochastic_add_use(inlay_stochastic_builder *builder, inlay_id block, inlay_id module,
                                       int64_t messages, int64_t bytes, inlay_diag *diag);

/**
 * Finish: check the probabilities, find the expected visits, the mean and the variance of the work. INLAY_BAD_INPUT
 * where there is no entry, where a module cannot be reached from one, and where a loop is never left or multiplies its
 * visits without end. What was added goes to the graph: the builder is empty afterwards, also after an error, and stays
 * the caller's to free.
 */
INLAY_API int inlay_stochastic_build(inlay_stochastic_builder *builder, inlay_stochastic **graph, inlay_diag *diag);

#endif

/*
 * The application graph G(A).
 *
 * Modules carry processing time, blocking time, memory, cores, operation counts and an optional pin to a processor;
 * links carry messages and bytes from one module to another, with precedence or as traffic alone; what several links of
 * one module carry may be one and the same datum; data blocks are kept by one processor and used by modules. The graph
 * is immutable, in compressed sparse rows with 32-bit ids; the
 * precedence links have no cycle.
 *
 * All times are int64 multiples of 10^-inlay_app_decimals() of inlay_app_unit() ("grains").
 */
#ifndef INLAY_APP_H
#define INLAY_APP_H

#include <inlay/units.h>

typedef int32_t inlay_id;   /**< number of a module, block or processor, from 0 */
typedef int64_t inlay_time; /**< a time in grains of its application */

typedef struct inlay_app inlay_app;

INLAY_API void inlay_app_free(inlay_app *app);

INLAY_API const char *inlay_app_name(const inlay_app *app);
INLAY_API inlay_unit inlay_app_unit(const inlay_app *app);
INLAY_API double
inlay_app_reference_speed(const inlay_app *app); /**< flop/s of the processor that times hold on; 0 unknown */
INLAY_API int inlay_app_decimals(const inlay_app *app);
INLAY_API double
inlay_app_period(const inlay_app *app); /**< in the application's unit: from one run to the next; 0 not said */

/** A time in the application's unit, as the nearest double. */
INLAY_API double inlay_app_in_units(const inlay_app *app, inlay_time time);

INLAY_API inlay_id inlay_app_modules(const inlay_app *app);
INLAY_API int64_t inlay_app_links(const inlay_app *app);

/* ---- Modules: i in 0 .. modules-1, in order of first appearance ---- */

INLAY_API const char *inlay_app_module_name(const inlay_app *app, inlay_id module);
INLAY_API inlay_id inlay_app_find_module(const inlay_app *app, const char *name); /**< -1 where there is none */
INLAY_API inlay_time inlay_app_time(const inlay_app *app, inlay_id module);
INLAY_API const char *inlay_app_module_kind(const inlay_app *app, inlay_id module); /**< NULL where none is given */

/** Whether the file gives a blocking time for every module; inlay_app_blocking() is 0 everywhere where it does not. */
INLAY_API bool inlay_app_has_blocking(const inlay_app *app);
INLAY_API inlay_time inlay_app_blocking(const inlay_app *app, inlay_id module);

INLAY_API int64_t inlay_app_memory(const inlay_app *app, inlay_id module); /**< bytes; 0 where none is given */
/** Bytes that it moves between memory and its cores; 0 where none is given. */
INLAY_API int64_t inlay_app_traffic_memory(const inlay_app *app, inlay_id module);
INLAY_API int32_t inlay_app_cores(const inlay_app *app, inlay_id module);     /**< 1 where none is given */
INLAY_API inlay_id inlay_app_pin(const inlay_app *app, inlay_id module);      /**< processor, or -1 */
INLAY_API double inlay_app_arithmetic(const inlay_app *app, inlay_id module); /**< operations, 0 where not given */
INLAY_API double inlay_app_functions(const inlay_app *app, inlay_id module);  /**< evaluations, 0 where not given */

/** When the module should have ended, counted from the start of the application; 0 where none is given. */
INLAY_API inlay_time inlay_app_deadline(const inlay_app *app, inlay_id module);
INLAY_API bool inlay_app_has_deadlines(const inlay_app *app); /**< whether any module has one */

/** Processor types for which some module gives a time of its own (`time.gpu`). */
INLAY_API int inlay_app_types(const inlay_app *app);
INLAY_API const char *inlay_app_type_name(const inlay_app *app, int type);

/** In place of a time: the module may not run on processors of that type. */
enum { INLAY_NEVER = -2 };

/** The module's time on that type; -1 where it gives none (then inlay_app_time holds there too), or INLAY_NEVER. */
INLAY_API inlay_time inlay_app_type_time(const inlay_app *app, int type, inlay_id module);

/* ---- Links ---- */

enum inlay_link_flags { INLAY_LINK_TRAFFIC_ONLY = 1 /**< traffic without precedence */ };

/** The links of one module, parallel arrays of `count`; ordered by the other end's number. */
typedef struct inlay_links {
    int64_t count;
    const inlay_id *module;  /**< the other end */
    const int64_t *messages; /**< at least 0 */
    const int64_t *bytes;    /**< total of the link */
    const uint8_t *flags;    /**< inlay_link_flags */

    /** What it carries beside data, below; NULL where the application has no data. */
    const int64_t *own_messages; /**< -1 where everything it carries is a datum */
    const int64_t *own_bytes;
} inlay_links;

/** Links that leave a module. A pair of modules has at most one link with precedence and one without. */
INLAY_API inlay_links inlay_app_out(const inlay_app *app, inlay_id module);

/** Modules with a precedence link to `module`, `*count` of them, ordered by number. */
INLAY_API const inlay_id *inlay_app_predecessors(const inlay_app *app, inlay_id module, int64_t *count);

/* ---- Data: what several links of one module carry, and need be sent but once ---- */

/**
 * What links of one producer with the same name carry. Its messages and bytes are the largest that any of them states.
 *
 * inlay_app_out() has these links too: to the link of a pair each of its data counts once, with the bytes stated there, and
 * of the messages stated there the largest alone. So a link has own_bytes and the bytes of its data, and own_messages
 * and the messages of one datum.
 */
typedef struct inlay_datum {
    const char *name; /**< not empty; names count for one producer */
    inlay_id producer;
    int64_t messages, bytes;
    int64_t consumers;        /**< 1 or more */
    const inlay_id *consumer; /**< ordered by number, each once; precedence goes from the producer to each */
} inlay_datum;

INLAY_API inlay_id inlay_app_data(const inlay_app *app); /**< how many there are */

/** Ordered by producer, those of one in the order in which links first named them. */
INLAY_API inlay_datum inlay_app_datum(const inlay_app *app, inlay_id datum);

/* ---- Data blocks and their uses ---- */

INLAY_API inlay_id inlay_app_blocks(const inlay_app *app);
INLAY_API const char *inlay_app_block_name(const inlay_app *app, inlay_id block);
INLAY_API int64_t inlay_app_block_size(const inlay_app *app, inlay_id block); /**< bytes */
INLAY_API inlay_time inlay_app_block_time(const inlay_app *app, inlay_id block);
INLAY_API inlay_links inlay_app_uses(const inlay_app *app, inlay_id block); /**< the modules that use it */

/* ---- The run that a workflow's file records ---- */

typedef struct inlay_recorded_host {
    const char *name;
    int32_t cores; /**< 0 where none is given */
} inlay_recorded_host;

/** What a workflow system noted of a run. By module: arrays of inlay_app_modules() entries. */
typedef struct inlay_recorded {
    double makespan;    /**< seconds from the start of the run to its end; 0 where none is given */
    const char *system; /**< the workflow system's name, or NULL */
    inlay_id hosts;     /**< those that are listed, then those that modules alone name */
    const inlay_recorded_host *host;
    int64_t cores;          /**< of all hosts; 0 where one does not tell */
    const inlay_id *ran_on; /**< by module: its host, the first where several are named; -1 where none is given */
    const int64_t *read;    /**< by module: bytes read, -1 where none are given */
    const int64_t *written; /**< by module: bytes written, -1 where none are given */
} inlay_recorded;

/**
 * The run that the application's file records, or NULL: WfFormat files with a makespan or a machine have one. An
 * application that was made of another one, as by inlay_app_scale(), has none.
 */
INLAY_API const inlay_recorded *inlay_app_recorded(const inlay_app *app);

/* ---- Facts about the graph ---- */

/** What `inlay info` tells. Times in grains. */
typedef struct inlay_app_info {
    int64_t precedence_links;
    int32_t depth;        /**< levels: modules on the longest path */
    inlay_id level_width; /**< most modules on one level */
    inlay_id exact_width; /**< largest antichain (Dilworth), or -1 where the graph is too large for it */
    inlay_time work;      /**< sum of processing times, of modules of n cores n times */
    inlay_time longest_module;
    inlay_time critical_path; /**< earliest end on unlimited processors with free messages, under the start rule */
    bool streamed;            /**< the start rule used: streamed (blocking times given) or finish to start */
    int64_t messages, bytes;  /**< over all links */
    int64_t data_bytes;       /**< of all data, each once */
    int64_t data_bytes_each;  /**< the same where each goes to each of its consumers */
} inlay_app_info;

/** Sums over all modules, and over all links. */
typedef struct inlay_app_totals {
    inlay_time work;
    int64_t messages, bytes;
} inlay_app_totals;

INLAY_API inlay_app_totals inlay_app_sum(const inlay_app *app);

INLAY_API int inlay_app_describe(const inlay_app *app, inlay_app_info *info, inlay_diag *diag);

/** From a time on so many modules run at once, up to the next step. */
typedef struct inlay_parallelism_step {
    inlay_time from;
    inlay_id modules;
} inlay_parallelism_step;

/**
 * The parallelism profile: how many modules run at once where each starts as early as it can, on unlimited processors with
 * free messages, under the start rule of inlay_app_describe(). The first step begins at 0, the last, where nothing is left, at
 * the critical path; modules of time 0 run at no time.
 * @param steps  the caller's, freed by free()
 */
INLAY_API int inlay_app_parallelism(const inlay_app *app, inlay_parallelism_step **steps, size_t *count,
                                    inlay_diag *diag);

/**
 * The communication-to-computation ratio, as inlay_generate() has it: traffic over the bandwidth, over the sum of all times.
 * @param bandwidth  bytes a second, or messages a tick; 0: 10^9, or 1
 */
INLAY_API double inlay_app_ccr(const inlay_app *app, double bandwidth);

/**
 * Level of every module: the longest path in links from a source, so modules on one level can run at once.
 * @param level  array of inlay_app_modules() entries, filled in.
 */
INLAY_API int inlay_app_levels(const inlay_app *app, int32_t *level, inlay_diag *diag);

/* ---- The same graph with other numbers; nothing else changes ---- */

/** Decimals above 0; zero-initialise, then set what shall change. */
typedef struct inlay_scaling {
    inlay_decimal time; /**< factor of all times and, rounded to whole ones, of the counts of operations */
    inlay_decimal
        bytes; /**< factor of the bytes of links, data and uses, the sizes of blocks, the memory of modules and what they move */
} inlay_scaling;

/**
 * A new application with all times, bytes or both multiplied. Products are exact, then rounded half away from zero: times
 * to 12 decimals, or to as many fewer as keep their sum inside 2^62; bytes and counts to whole ones, and what was above
 * 0 stays at least 1. Messages stay. INLAY_OVERFLOW where sums pass 2^62, INLAY_BAD_ARGUMENT
 * where all times would become 0; a warning counts those that do.
 */
INLAY_API int inlay_app_scale(const inlay_app *app, const inlay_scaling *by, inlay_app **scaled, inlay_diag *diag);

/** What one operation takes on a processor of speed 1; zero-initialise, then set what is known. */
typedef struct inlay_count_times {
    inlay_duration arithmetic; /**< of one operation; a bare number is in the application's unit */
    inlay_duration function;   /**< of one evaluation, likewise */
} inlay_count_times;

/**
 * A new application in which modules that have counts take arithmetic x each->arithmetic + functions x each->function.
 * Their times get the decimals that show six digits of the shortest, at most 12. Other modules, blocks and times by type
 * keep theirs, and blocking times, which belong to the old times, are left out; warnings say so.
 * The unit stays, but an application in ticks comes out in seconds where operations take seconds. INLAY_BAD_ARGUMENT
 * where times in ticks would be left there, where operations take ticks and the application does not, where no module
 * has counts, and where one counts what `each` does not know.
 */
INLAY_API int inlay_app_time_counts(const inlay_app *app, const inlay_count_times *each, inlay_app **timed,
                                    inlay_diag *diag);

/* ---- Building one ---- */

typedef struct inlay_app_builder inlay_app_builder;

/** One module. Zero-initialise, then set what is known. */
typedef struct inlay_module {
    const char *name; /**< copied; unique, not empty */
    inlay_duration time;
    bool has_blocking;
    inlay_duration blocking;
    int64_t memory;         /**< bytes */
    int64_t traffic_memory; /**< bytes that it moves between memory and its cores, all of them together */
    double intensity; /**< operations a byte that it moves; in place of `traffic_memory`, with `arithmetic`; 0: none */
    int32_t cores;    /**< 0 means 1 */
    bool pinned;
    inlay_id pin;            /**< processor, used where `pinned` */
    double arithmetic;       /**< operations */
    double functions;        /**< function evaluations */
    const char *kind;        /**< copied; may be NULL */
    inlay_duration deadline; /**< when it should have ended; 0: none */
} inlay_module;

/** @param unit  unit of times given as bare numbers; INLAY_UNIT_NONE means seconds. */
INLAY_API inlay_app_builder *inlay_app_builder_new(const char *name, inlay_unit unit);

/** Times hold on a processor of so many operations a second, above 0 (inlay_machine_refer()). */
INLAY_API int inlay_app_builder_reference(inlay_app_builder *builder, double flops, inlay_diag *diag);

/** The application is run again every so often; above 0. */
INLAY_API int inlay_app_builder_period(inlay_app_builder *builder, inlay_duration period, inlay_diag *diag);

INLAY_API void inlay_app_builder_free(inlay_app_builder *builder);

/**
 * Name the file for messages, and tell lines on demand: `line_of(context, from, to)` gives the line on which module
 * `from` stands (to < 0) or the link from -> to, 0 where unknown. Called only when an error is being written.
 */
INLAY_API int inlay_app_builder_source(inlay_app_builder *builder, const char *file,
                                       long (*line_of)(void *context, inlay_id from, inlay_id to), void *context);

/** Makes room for so many modules and links in all, where that is known: building then takes less time and memory. */
INLAY_API int inlay_app_builder_reserve(inlay_app_builder *builder, int64_t modules, int64_t links, inlay_diag *diag);

/** Adds a module; its number is the count of modules before. A name that stands already is refused. */
INLAY_API int inlay_app_add_module(inlay_app_builder *builder, const inlay_module *module, inlay_diag *diag);

/** Adds modules up to the first that is refused: inlay_app_add_module() for each, but faster, which large graphs feel. */
INLAY_API int inlay_app_add_modules(inlay_app_builder *builder, const inlay_module *modules, size_t count,
                                    inlay_diag *diag);

/** A time for one processor type, for the module numbered `module`. */
INLAY_API int inlay_app_add_type_time(inlay_app_builder *builder, inlay_id module, const char *type,
                                      inlay_duration time, inlay_diag *diag);

/** The module may not run on processors of that type: in place of a time. */
INLAY_API int inlay_app_forbid_type(inlay_app_builder *builder, inlay_id module, const char *type, inlay_diag *diag);

/** Links of one ordered pair (and one flag) add; data count once a pair. Self links are refused. */
INLAY_API int inlay_app_add_link(inlay_app_builder *builder, inlay_id from, inlay_id to, int64_t messages,
                                 int64_t bytes, unsigned flags, inlay_diag *diag);

/**
 * A link with precedence that carries the datum of that name, copied, of its producer; `messages` and `bytes` are the
 * datum's. Links of one pair and name are one, with the largest of each. inlay_app_build() warns, once, where the links of
 * one datum disagree.
 */
INLAY_API int inlay_app_add_data_link(inlay_app_builder *builder, inlay_id from, inlay_id to, const char *data,
                                      int64_t messages, int64_t bytes, inlay_diag *diag);

/** Adds a data block; its number is the count of blocks before. Blocks and modules share one name space. */
INLAY_API int inlay_app_add_block(inlay_app_builder *builder, const char *name, int64_t size, inlay_duration time,
                                  inlay_diag *diag);

INLAY_API int inlay_app_add_use(inlay_app_builder *builder, inlay_id block, inlay_id module, int64_t messages,
                                int64_t bytes, inlay_diag *diag);

/** Number of the module of that name added so far, or -1. */
INLAY_API inlay_id inlay_app_builder_find(const inlay_app_builder *builder, const char *name);

/**
 * Finish: choose the decimals (the most in the input, at most 12, fewer where sums would pass 2^62), merge links of one
 * pair, check that precedence has no cycle (INLAY_BAD_INPUT naming the modules on it) and that blocking times are given
 * for all modules or none. The builder stays the caller's to free.
 */
INLAY_API int inlay_app_build(inlay_app_builder *builder, inlay_app **app, inlay_diag *diag);

#endif

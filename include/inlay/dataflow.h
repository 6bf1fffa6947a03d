/*
 * Dataflow programs: an application before it is a graph. A module is a C function that gets values from its input
 * ports, computes, and puts values on its output ports; a program wires modules into a graph of any size. Run in virtual
 * time with messages that take no time, it gives G(A): the processing time m and the blocking time b of every module and
 * the messages of every link, which stream. This is the role of SIMON in Houstis, Houstis and Rice, section 2.1.
 *
 *     static void body(inlay_actor *self, void *state)
 *     {
 *         double x;
 *         inlay_get(inlay_input(self, 0), &x);
 *         x = x * x + 1;
 *         inlay_count(self, INLAY_MULTIPLY, 1);
 *         inlay_count(self, INLAY_ADD, 1);
 *         inlay_put(inlay_output(self, 0), &x);
 *     }
 *
 * Time. Every module has a clock. An operation adds its cost. A get waits until the value is there and adds its cost; a
 * put adds its cost, and the value is there at the sender's clock then. A put into a full channel first waits until the
 * get that makes room has ended. What a module waits for altogether is its b, the rest is its m: it ends at b + m.
 *
 * No module can ask whether a value is there. So the values, the clocks and everything counted do not depend on the order
 * in which the modules are run (a Kahn network), and two runs give the same numbers; but not where times are measured.
 *
 * A program file is C that defines inlay_program_main(), which adds the modules and wires them:
 *
 *     INLAY_API int inlay_program_main(inlay_program *program, inlay_diag *diag)
 *     {
 *         int n = (int)inlay_parameter(program, "n", 4);
 *         if (n < 2) {
 *             return inlay_program_refuse(diag, "n is %d; expected 2 or more", n);
 *         }
 *         for (int i = 0; i < n; i++) {
 *             char name[16];
 *             snprintf(name, sizeof name, "stage%d", i);
 *             inlay_program_module(program, name, body, &i, sizeof i, diag);
 *         }
 *         for (int i = 1; i < n; i++) {
 *             inlay_program_wire(program, i - 1, 0, i, 0, sizeof(double), 0, diag);
 *         }
 *         return INLAY_OK;
 *     }
 *
 * Ownership: a program owns copies of all that it was given but functions and contexts; what its functions return belongs
 * to it. Threads: one program is used by one thread at a time, several programs by several threads at once.
 */
#ifndef INLAY_DATAFLOW_H
#define INLAY_DATAFLOW_H

#include <inlay/mapping.h>
#include <inlay/simulate.h>

typedef struct inlay_program inlay_program; /**< modules, their ports and the channels between them */
typedef struct inlay_actor inlay_actor;     /**< a module at work: what its function is given */
typedef struct inlay_port inlay_port;       /**< one end of a channel */

/**
 * A module's function. It runs on a stack of its own, inlay_program_options.stack bytes (64 KiB by default), and ends the
 * process at a guard page where that is not enough: large arrays belong into `state`. Where a run fails, it never returns from the get or put in which it
 * waits, and what it took by itself (memory, files) is lost: inlay_program_memory() is not.
 */
typedef void inlay_body(inlay_actor *self, void *state);

/* ---- Wiring ---- */

/** @param name  of the program, in messages and of the application. NULL when out of memory. */
INLAY_API inlay_program *inlay_program_new(const char *name);
INLAY_API void inlay_program_free(inlay_program *program);
INLAY_API const char *inlay_program_name(const inlay_program *program);

/** What a program file exports as `inlay_program_main`: not INLAY_OK where it cannot, which it has said through diag. */
typedef int inlay_program_function(inlay_program *program, inlay_diag *diag);

/** Records an error of the program's own, one line that ends with what was expected; returns INLAY_BAD_ARGUMENT. */
INLAY_API int inlay_program_refuse(inlay_diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Sets a parameter, before the program asks for it. A run refuses a program that has asked for no such parameter. */
INLAY_API int inlay_program_set(inlay_program *program, const char *name, double value, inlay_diag *diag);

/** The value of a parameter that the user may set; `otherwise` where he does not. */
INLAY_API double inlay_parameter(inlay_program *program, const char *name, double otherwise);

/** The parameters that the program asked for, `*count` of them in that order. */
typedef struct inlay_program_parameter {
    const char *name;
    double value;
    bool given; /**< by the user */
} inlay_program_parameter;
INLAY_API inlay_program_parameter inlay_program_parameter_at(const inlay_program *program, size_t i);
INLAY_API size_t inlay_program_parameters(const inlay_program *program);

/** So many bytes, all zero, that live as long as the program; NULL when out of memory. */
INLAY_API void *inlay_program_memory(inlay_program *program, size_t size);

/**
 * Adds a module. Every run gives its function a fresh copy of the `size` bytes at `state`; NULL and 0: none.
 * @return its number, the count of modules before; or a negative status. A run refuses a program where one failed, in
 *         the words of the first, so that a program need not ask
 */
INLAY_API inlay_id inlay_program_module(inlay_program *program, const char *name, inlay_body *body, const void *state,
                                        size_t size, inlay_diag *diag);

enum { INLAY_PORTS = 65536 /**< input ports, and output ports, are numbered from 0 to less than this */ };

/**
 * A channel from output `out` of module `from` to input `in` of module `to`, first in, first out. A port has one channel.
 * A run refuses a program where one failed.
 * @param size      bytes of a value; 0 of a mere signal
 * @param capacity  values that it has room for; 0: any number
 */
INLAY_API int inlay_program_wire(inlay_program *program, inlay_id from, int out, inlay_id to, int in, size_t size,
                                 int64_t capacity, inlay_diag *diag);

INLAY_API inlay_id inlay_program_modules(const inlay_program *program);
INLAY_API const char *inlay_program_module_name(const inlay_program *program, inlay_id module);
INLAY_API size_t inlay_program_channels(const inlay_program *program);

/** What every program can count; gets and puts count themselves. */
typedef enum inlay_operation {
    INLAY_ADD,
    INLAY_MULTIPLY,
    INLAY_DIVIDE,
    INLAY_SQRT,
    INLAY_FUNCTION,
    INLAY_COMPARE,
    INLAY_GET,
    INLAY_PUT,
    INLAY_OPERATIONS
} inlay_operation;

/** An operation of the program's own: its number, which is the old one where it is known; or a negative status. */
INLAY_API int inlay_program_operation(inlay_program *program, const char *name);

/** All operations, the built-in ones first: "add", "multiply", "divide", "sqrt", "function", "compare", "get", "put". */
INLAY_API int inlay_program_operations(const inlay_program *program);
INLAY_API const char *inlay_program_operation_name(const inlay_program *program, int operation);

/**
 * Called when all modules of a run have ended: NULL, or what is wrong with the numbers computed.
 * @param text  `size` bytes, which may be filled in with how right they are
 */
typedef const char *inlay_program_checker(void *context, char *text, size_t size);
INLAY_API void inlay_program_check(inlay_program *program, inlay_program_checker *check, void *context);

/* ---- In a module's function ---- */

INLAY_API inlay_port *inlay_input(inlay_actor *self, int number);  /**< NULL where nothing is wired to it */
INLAY_API inlay_port *inlay_output(inlay_actor *self, int number); /**< likewise */

INLAY_API void inlay_get(inlay_port *input, void *value);        /**< waits for a value */
INLAY_API void inlay_put(inlay_port *output, const void *value); /**< waits only where the channel is full */

/** So many operations were done; `times` need not be whole. */
INLAY_API void inlay_count(inlay_actor *self, int operation, double times);

/* ---- What a run costs ---- */

typedef struct inlay_cost {
    const char *operation;
    inlay_duration time; /**< of one; a bare number is in the unit of the run */
} inlay_cost;

/** Zero-initialised, these are the defaults: every operation takes one tick. */
typedef struct inlay_program_options {
    inlay_unit unit; /**< of the run; INLAY_UNIT_NONE: ticks or, where times are measured, seconds */
    const inlay_cost
        *cost; /**< operations without a cost take one tick; in other units all that are counted need one */
    size_t costs;
    bool measured; /**< instead: processor time of the thread between gets and puts, which then cost nothing */
    size_t stack;  /**< bytes of every module's stack; 0: 64 KiB */
    bool
        data; /**< values with the same bytes that a module puts for several others are one, and data of G(A); no signals,
                      nor what precedes nothing */
} inlay_program_options;

/* ---- Profiling: virtual time, messages that take no time ---- */

typedef struct inlay_profile inlay_profile;

/**
 * Runs the program to its end, and makes G(A) of what it did. Where modules feed each other in a circle, the links of the
 * circle that go to a module that waits no longer than their own (least b, then number) are traffic without precedence.
 * A warning tells of values that nobody got.
 * INLAY_NO_ANSWER where modules wait for each other for ever: the message names up to three of them and their ports.
 * INLAY_BAD_INPUT where the program is wired or counts wrongly, or its check finds its numbers wrong. INLAY_BAD_ARGUMENT
 * where an option or a parameter is. INLAY_OVERFLOW where times need more than 53 bits.
 */
INLAY_API int inlay_program_profile(inlay_program *program, const inlay_program_options *options,
                                    inlay_profile **profile, inlay_diag *diag);
INLAY_API void inlay_profile_free(inlay_profile *profile);

/** G(A), named as the program, with blocking times, arithmetic (adds, multiplies, divides, compares) and functions. */
INLAY_API const inlay_app *inlay_profile_app(const inlay_profile *profile);

/** The end of the last module, in the unit of the run: the largest m + b. */
INLAY_API double inlay_profile_elapsed(const inlay_profile *profile);

/** How often a module did an operation: 0 .. inlay_program_operations()-1, as they were when it ran. */
INLAY_API double inlay_profile_count(const inlay_profile *profile, inlay_id module, int operation);

/** All modules together. */
INLAY_API double inlay_profile_total(const inlay_profile *profile, int operation);
INLAY_API double inlay_profile_work(const inlay_profile *profile); /**< sum of m, in the unit of the run */

/** The time of one operation, in the unit of the run; NaN where it was given none, or times were measured. */
INLAY_API double inlay_profile_cost(const inlay_profile *profile, int operation);
INLAY_API bool inlay_profile_measured(const inlay_profile *profile);

/** Modules whose m is another than in the mapping's application: with other parameters or costs. */
INLAY_API inlay_id inlay_profile_changed(const inlay_profile *profile, const inlay_mapping *mapping);

INLAY_API int64_t inlay_profile_values(const inlay_profile *profile);   /**< put into channels altogether */
INLAY_API int64_t inlay_profile_left(const inlay_profile *profile);     /**< of these nobody got */
INLAY_API int64_t inlay_profile_feedback(const inlay_profile *profile); /**< links that became traffic alone */
INLAY_API int64_t inlay_profile_switches(const inlay_profile *profile); /**< how often a module was set going */

/** What the program's check says of its numbers; "" where it says nothing. */
INLAY_API const char *inlay_profile_check(const inlay_profile *profile);

/* ---- Running it mapped: simulated time, with the messages of a machine ---- */

typedef struct inlay_program_run inlay_program_run;

/** Zero-initialised, these are the defaults. */
typedef struct inlay_program_run_options {
    inlay_program_options program; /**< unit: INLAY_UNIT_NONE, or that of the mapping's application */
    inlay_contention contention;
    uint64_t seed; /**< of the common memories that messages go to */
} inlay_program_run_options;

/**
 * Runs the program as `mapping` places its modules, which it knows by name, with real values and real message times.
 *
 * A processor that is free runs the first module in its order of the mapping that can go on: that has not ended, and whose
 * awaited value has arrived or room has come. The module runs until it has to wait, or ends; times are divided by the
 * processor's speed. Values to modules of the same processor are there at once. Any other is a message of the machine's
 * network when it is put: as many bytes as it has, or one message, or ceil(bytes / message_size) of them, as in
 * <inlay/simulate.h>; a processor has one under way at a time, and over links each is a train of its own. Room in a
 * channel is known at once everywhere.
 *
 * Of one time, values due come first, by processor, then the network, then the processors that decide what to run.
 * All machines that inlay_simulate() knows; but not modules with times of their own on the type of their processor.
 * INLAY_BAD_INPUT where the modules or channels of the mapping's application are not those of the program; and as
 * inlay_program_profile().
 */
INLAY_API int inlay_program_execute(inlay_program *program, const inlay_mapping *mapping,
                                    const inlay_program_run_options *options, inlay_program_run **run,
                                    inlay_diag *diag);
INLAY_API void inlay_program_run_free(inlay_program_run *run);

/** Times are in the application's unit. */
typedef struct inlay_program_summary {
    double elapsed;     /**< the end of the last module or, where that is later, message */
    double last_module; /**< end of the last module */
    int64_t messages;   /**< between processors, in pieces of message_size */
    int64_t values;     /**< put into channels, also within a processor */
    int64_t left;       /**< of these nobody got */
    int64_t switches;   /**< how often a module was set going, or found that it could go on */
    const char *check;  /**< what the program's check says of its numbers; "" where it says nothing */
} inlay_program_summary;
INLAY_API inlay_program_summary inlay_program_run_summary(const inlay_program_run *run);

/** One processor that is used: busy + waiting + idle = elapsed. */
typedef struct inlay_program_processor {
    inlay_id processor;
    double busy;            /**< running modules */
    double waiting;         /**< else, while some module of its has not ended */
    double idle;            /**< behind the end of its last module */
    int64_t sent, received; /**< messages */
} inlay_program_processor;

/** @param cluster  0 .. clusters-1, as in inlay_mapping_cluster() */
INLAY_API inlay_program_processor inlay_program_run_processor(const inlay_program_run *run, inlay_id cluster);

/** When a module of the mapping's application first ran, and when it ended. */
INLAY_API double inlay_program_run_start(const inlay_program_run *run, inlay_id module);
INLAY_API double inlay_program_run_end(const inlay_program_run *run, inlay_id module);

/** A program after its runs: what `inlay profile` tells. */
typedef struct inlay_profiled {
    const char *file; /**< of the program, as the user named it */
    const inlay_program *program;
    const inlay_profile *profile;
    const inlay_mapping *mapping;       /**< NULL: profiled alone, and without what follows */
    const char *mapping_file;           /**< as the user named it */
    const inlay_program_run *run;       /**< as mapped */
    const inlay_simulation *simulation; /**< of the mapping */
} inlay_profiled;

#endif

/*
 * A dataflow program, and the engine that runs it: actors with clocks, channels with times. Who is set going when, and
 * how long a value is on its way, is the business of whoever makes the engine: dataflow_profile.c, dataflow_run.c.
 *
 * Times are doubles in grains, 10^-decimals of the unit: whole ones, and so exact, as long as they stay below 2^53 and no
 * processor's speed divides them.
 */
#ifndef SIMULATE_DATAFLOW_H
#define SIMULATE_DATAFLOW_H

#include "base/hash.h"
#include "simulate/coroutine.h"
#include <inlay/dataflow.h>

/* ---- The program: dataflow_program.c ---- */

typedef struct program_ports {
    int32_t *channel; /**< by port number; -1 none */
    size_t count, room;
} program_ports;

typedef struct program_module {
    char *name;
    inlay_body *body;
    void *state; /**< as it is before every run; NULL where there is none */
    size_t size;
    program_ports in, out;
} program_module;

typedef struct program_channel {
    inlay_id from, to;
    int out, in;
    size_t size;
    int64_t capacity; /**< 0: any number of values */
} program_channel;

typedef struct program_parameter {
    char *name;
    double value;
    bool given, asked;
} program_parameter;

enum { PROGRAM_SAID = 1024 };

struct inlay_program {
    char *name;
    int status;              /**< of the first module, channel or other part that could not be added */
    char said[PROGRAM_SAID]; /**< why, where the caller had a diagnostic: later calls with it forget that */
    program_module *module;
    size_t modules, modules_room;
    name_map by_name;
    program_channel *channel;
    size_t channels, channels_room;
    program_parameter *parameter; /**< those asked for in the order of asking, before the others */
    size_t parameters, parameters_room, asked;
    char **operation; /**< of the program's own */
    size_t operations, operations_room;
    void **memory;
    size_t memories, memories_room;
    inlay_program_checker *check;
    void *check_context;
};

/** Whether it can be run: INLAY_OK, or why not. */
int program_ready(const inlay_program *program, inlay_diag *diag);

/** What its check says goes to `text`, "" where there is none; INLAY_BAD_INPUT where it finds the numbers wrong. */
enum { CHECK_TEXT = 256 };
int program_checked(const inlay_program *program, char text[CHECK_TEXT], inlay_diag *diag);

/* ---- Costs: dataflow_cost.c ---- */

typedef struct dataflow_costs {
    inlay_unit unit;
    int decimals;
    bool measured;
    double *grains; /**< of every operation; NAN where it has no cost. Owned */
} dataflow_costs;

/** @param unit  that the run has to be in, INLAY_UNIT_NONE: any */
int dataflow_costs_make(const inlay_program *program, const inlay_program_options *options, inlay_unit unit,
                        dataflow_costs *costs, inlay_diag *diag);
void dataflow_costs_clear(dataflow_costs *costs);

/* ---- Channels ---- */

/** Entries of a time and some bytes each, in a ring. Zero-initialised but for `size` it is empty. */
typedef struct timed_queue {
    unsigned char *data;
    size_t size;        /**< bytes beside the time */
    size_t room;        /**< entries: a power of two, or 0 */
    size_t head, count; /**< the first entry, in all that ever were there; how many there are */
} timed_queue;

static inline size_t timed_stride(const timed_queue *q)
{
    return (q->size + sizeof(double) - 1) / sizeof(double) * sizeof(double) + sizeof(double);
}

/** Entry `i` of all that ever were there: its time, with the bytes behind it. */
static inline double *timed_at(const timed_queue *q, size_t i)
{
    return (double *)(void *)(q->data + (i & (q->room - 1)) * timed_stride(q));
}

typedef struct channel_state {
    timed_queue value; /**< times: when the value is there, INFINITY where that is not known */
    timed_queue freed; /**< channels of finite capacity: ends of the gets whose room no put has taken */
} channel_state;

/* ---- The engine: dataflow_engine.c ---- */

typedef struct engine engine;

struct inlay_port {
    inlay_actor *actor;
    int32_t channel;
    bool is_output;
};

struct inlay_actor {
    engine *engine;
    inlay_id module;
    coroutine *self; /**< NULL before it begins, and when it has ended */
    void *state;
    const inlay_port *awaited; /**< it waits for a value or for room there; NULL: it does not */
    double clock, work;        /**< work: m so far */
    double speed;              /**< which costs are divided by */
    double since;              /**< measured: the thread's clock when it went on, ns */
    bool begun, ended;
};

struct engine {
    inlay_program *program;
    inlay_diag *diag;
    dataflow_costs costs;
    coroutine_pool *pool;
    inlay_actor *actor;
    inlay_port *port; /**< of channel c: 2c its output, 2c + 1 its input */
    channel_state *channel;
    double *count; /**< module by module, of every operation */
    int operations;
    size_t stack;    /**< bytes */
    double overhead; /**< measured: what looking at the clock twice takes, ns */
    int status;      /**< of the first failure, which stops everything */
    inlay_id ended;  /**< modules */
    int64_t values, got, switches;

    /** Whether an actor may go on with what is there only later, its clock moved on: no other module needs its place. */
    bool moves_clocks;
    /** A value was put as number `number` of its channel, at the sender's clock: timed_at() is set now or later. */
    void (*sent)(engine *e, int32_t channel, size_t number);
    /** What an actor waited for is there from `time` on. */
    void (*wake)(engine *e, inlay_actor *actor, double time);
    void *context; /**< of these two */
};

/** Nobody has begun. On failure nothing is left. The engine stays where it is: ports and actors know it. */
int engine_make(engine *e, inlay_program *program, const inlay_program_options *options, inlay_unit unit,
                inlay_diag *diag);
void engine_clear(engine *e);

/** Sets a module going until it waits (true), or has ended or failed (false). */
bool engine_go_on(engine *e, inlay_actor *actor);

/** When what an actor waits for is there; INFINITY: unknown. */
double engine_awaited(const inlay_actor *actor);

/** The time at which a value is there is known now. Who gets it has got those before it, so these never come later. */
void engine_arrived(engine *e, int32_t channel, size_t number, double time);

/** Records a failure, the first of which counts; returns its status. */
int engine_fail(engine *e, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** Nobody can go on: what is wrong with that, or INLAY_OK. Warns of values that nobody got. */
int engine_finish(engine *e);

#endif

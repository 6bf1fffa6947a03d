/*
 * The engine: what a module's function calls. A get or put that cannot go on leaves the module; whoever runs the engine
 * learns through wake() when it can.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "simulate/dataflow.h"
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STACK = 64 * 1024, LEAST_STACK = 16 * 1024, MESSAGE = 1024, WAITING_NAMED = 3 };

/* Whole numbers up to here are exact. */
static const double most_grains = 9007199254740992.0;

int engine_fail(engine *e, int status, const char *format, ...)
{
    if (e->status == INLAY_OK) {
        char text[MESSAGE];
        va_list arguments;
        va_start(arguments, format);
        (void)plain_vprint(text, sizeof text, format, arguments);
        va_end(arguments);
        e->status = diag_fail(e->diag, status, "%s: %s", e->program->name, text);
    }
    return e->status;
}

/* ---- Channels ---- */

/* A new last entry with its bytes behind the time; NULL when out of memory. */
static double *timed_push(timed_queue *q, double time)
{
    if (q->count == q->room) {
        timed_queue larger = *q;
        larger.room = q->room == 0 ? 4 : 2 * q->room;
        larger.data = memory_array(larger.room, timed_stride(q));
        if (larger.data == NULL) {
            return NULL;
        }
        for (size_t i = q->head; i < q->head + q->count; i++) {
            memcpy(timed_at(&larger, i), timed_at(q, i), timed_stride(q));
        }
        free(q->data);
        *q = larger;
    }
    double *entry = timed_at(q, q->head + q->count++);
    *entry = time;
    return entry;
}

static double timed_pop(timed_queue *q)
{
    q->count--;
    return *timed_at(q, q->head++);
}

/* When the next value is there, or the next room; INFINITY: unknown. */
static inline double time_of(const engine *e, const inlay_port *port)
{
    const channel_state *c = &e->channel[port->channel];
    if (!port->is_output) {
        return c->value.count > 0 ? *timed_at(&c->value, c->value.head) : INFINITY;
    }
    int64_t capacity = e->program->channel[port->channel].capacity;
    if (capacity == 0 || (int64_t)(c->value.head + c->value.count) < capacity) {
        return -INFINITY;
    }
    return c->freed.count > 0 ? *timed_at(&c->freed, c->freed.head) : INFINITY;
}

double engine_awaited(const inlay_actor *actor)
{
    return time_of(actor->engine, actor->awaited);
}

/* ---- Clocks ---- */

static inline double thread_clock(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* What a measurement adds to what it measures: the least difference between two looks at the clock. */
static double measure_overhead(void)
{
    enum { LOOKS = 1000 };
    double least = INFINITY, before = thread_clock();
    for (int i = 0; i < LOOKS; i++) {
        double now = thread_clock();
        least = now - before < least ? now - before : least;
        before = now;
    }
    return least;
}

static inline void spend(inlay_actor *a, double grains)
{
    double time = grains / a->speed;
    a->clock += time;
    a->work += time;
}

/* The module's own code ends here for now, */
static inline void stop_measuring(inlay_actor *a)
{
    if (a->engine->costs.measured) {
        double took = thread_clock() - a->since - a->engine->overhead;
        spend(a, took > 0 ? took : 0);
    }
}

/* and goes on. */
static inline void go_on_measuring(inlay_actor *a)
{
    if (a->engine->costs.measured) {
        a->since = thread_clock();
    }
}

/* ---- In a module ---- */

/* After a failure nobody is set going again. */
static void leave(inlay_actor *a)
{
    coroutine_leave(a->self);
}

/* The end of a get or put. */
static inline void return_to_module(inlay_actor *a)
{
    if (a->engine->status != INLAY_OK) {
        leave(a);
    }
    go_on_measuring(a);
}

static void spend_operation(inlay_actor *a, int operation, double times)
{
    engine *e = a->engine;
    double cost = e->costs.grains[operation];
    e->count[(size_t)a->module * (size_t)e->operations + (size_t)operation] += times;
    if (isnan(cost)) {
        (void)engine_fail(e, INLAY_BAD_ARGUMENT, "operation '%s' has no cost; expected one in %s",
                          inlay_program_operation_name(e->program, operation), inlay_unit_name(e->costs.unit));
        leave(a);
    }
    spend(a, times == 1 ? cost : rint(times * cost));
    if (a->clock > most_grains) {
        (void)engine_fail(e, INLAY_OVERFLOW,
                          "the times pass %.0f grains of 10^-%d; expected costs with fewer decimals, or less work",
                          most_grains, e->costs.decimals);
        leave(a);
    }
}

void inlay_count(inlay_actor *self, int operation, double times)
{
    engine *e = self->engine;
    if (operation < 0 || operation >= e->operations || !(times >= 0 && times <= DBL_MAX)) {
        (void)engine_fail(e, INLAY_BAD_INPUT,
                          "module '%s' counts operation %d %g times; expected operations 0 to %d, "
                          "and 0 times or more",
                          e->program->module[self->module].name, operation, times, e->operations - 1);
        leave(self);
    }
    spend_operation(self, operation, times);
}

/* Until it is there what the port waits for: a value, or room. */
static inline void await(inlay_actor *a, const inlay_port *port)
{
    const engine *e = a->engine;
    double there;
    while ((there = time_of(e, port)) > (e->moves_clocks ? DBL_MAX : a->clock)) {
        a->awaited = port;
        leave(a);
        a->awaited = NULL;
    }
    a->clock = there > a->clock ? there : a->clock;
}

static inline void check_direction(const inlay_port *port, bool is_output)
{
    inlay_actor *a = port->actor;
    if (port->is_output != is_output) {
        (void)engine_fail(a->engine, INLAY_BAD_INPUT, "module '%s' %s", a->engine->program->module[a->module].name,
                          is_output ? "puts to an input; expected an output"
                                    : "gets from an output; expected an input");
        leave(a);
    }
}

/* The actor at the other end, where that is what it waits for. */
static inline void wake(engine *e, const inlay_port *other, double time)
{
    inlay_actor *a = other->actor;
    if (a->awaited == other) {
        e->wake(e, a, time);
    }
}

void inlay_get(inlay_port *input, void *value)
{
    inlay_actor *a = input->actor;
    engine *e = a->engine;
    channel_state *c = &e->channel[input->channel];
    const program_channel *what = &e->program->channel[input->channel];
    check_direction(input, false);
    stop_measuring(a);
    await(a, input);
    if (what->size > 0) {
        memcpy(value, timed_at(&c->value, c->value.head) + 1, what->size);
    }
    (void)timed_pop(&c->value);
    e->got++;
    spend_operation(a, INLAY_GET, 1);
    if (what->capacity > 0) {
        if (timed_push(&c->freed, a->clock) == NULL) {
            (void)engine_fail(e, INLAY_NO_MEMORY, "out of memory");
            leave(a);
        }
        wake(e, input - 1, a->clock);
    }
    return_to_module(a);
}

void inlay_put(inlay_port *output, const void *value)
{
    inlay_actor *a = output->actor;
    engine *e = a->engine;
    channel_state *c = &e->channel[output->channel];
    const program_channel *what = &e->program->channel[output->channel];
    check_direction(output, true);
    stop_measuring(a);
    await(a, output);
    spend_operation(a, INLAY_PUT, 1);
    size_t number = c->value.head + c->value.count;
    double *entry = timed_push(&c->value, INFINITY);
    if (entry == NULL) {
        (void)engine_fail(e, INLAY_NO_MEMORY, "out of memory");
        leave(a);
        return;
    }
    if (what->size > 0) {
        memcpy(entry + 1, value, what->size);
    }
    if (what->capacity > 0 && (int64_t)number >= what->capacity) {
        (void)timed_pop(&c->freed);
    }
    e->values++;
    e->sent(e, output->channel, number);
    return_to_module(a);
}

void engine_arrived(engine *e, int32_t number_of_channel, size_t number, double time)
{
    timed_queue *q = &e->channel[number_of_channel].value;
    *timed_at(q, number) = time;
    if (number == q->head) {
        wake(e, &e->port[2 * (size_t)number_of_channel + 1], time);
    }
}

static inlay_port *port_of(inlay_actor *self, const program_ports *ports, int number, int end)
{
    if (number < 0 || (size_t)number >= ports->count || ports->channel[number] < 0) {
        return NULL;
    }
    return &self->engine->port[2 * (size_t)ports->channel[number] + (size_t)end];
}

inlay_port *inlay_input(inlay_actor *self, int number)
{
    return port_of(self, &self->engine->program->module[self->module].in, number, 1);
}

inlay_port *inlay_output(inlay_actor *self, int number)
{
    return port_of(self, &self->engine->program->module[self->module].out, number, 0);
}

/* ---- Setting it going ---- */

static void run_body(void *context)
{
    inlay_actor *a = context;
    go_on_measuring(a);
    a->engine->program->module[a->module].body(a, a->state);
    stop_measuring(a);
}

bool engine_go_on(engine *e, inlay_actor *actor)
{
    if (!actor->begun) {
        actor->begun = true;
        actor->self = coroutine_new(e->pool, run_body, actor);
        if (actor->self == NULL) {
            (void)engine_fail(e, INLAY_NO_MEMORY,
                              "there is no room for the stack of '%s', %zu bytes; expected fewer modules that wait at "
                              "once, smaller stacks, or a system that maps more",
                              e->program->module[actor->module].name, e->stack);
            return false;
        }
    }
    e->switches++;
    bool left = coroutine_resume(actor->self);
    if (!left) {
        actor->self = NULL;
        actor->ended = true;
        e->ended++;
    }
    return left && e->status == INLAY_OK;
}

/* ---- The end ---- */

/* 'a' waits for a value at input 0 (from 'b', which has ended) */
static void describe_wait(const engine *e, const inlay_actor *a, text_buffer *text)
{
    const program_channel *c = &e->program->channel[a->awaited->channel];
    bool put = a->awaited->is_output;
    inlay_id other = put ? c->to : c->from;
    text_addf(text, "'%s' waits for %s %d (%s '%s', which %s)", e->program->module[a->module].name,
              put ? "room at output" : "a value at input", put ? c->out : c->in, put ? "to" : "from",
              e->program->module[other].name, e->actor[other].ended ? "has ended" : "waits too");
}

static int refuse_deadlock(engine *e)
{
    text_buffer text = {0};
    inlay_id modules = (inlay_id)e->program->modules, waiting = modules - e->ended, named = 0;
    for (inlay_id i = 0; i < modules && named < WAITING_NAMED; i++) {
        if (!e->actor[i].ended) {
            text_add(&text, named++ == 0 ? "" : ", ");
            describe_wait(e, &e->actor[i], &text);
        }
    }
    if (waiting > named) {
        text_addf(&text, ", and %d more", waiting - named);
    }
    int status = text.failed ? engine_fail(e, INLAY_NO_MEMORY, "out of memory")
                             : engine_fail(e, INLAY_NO_ANSWER,
                                           "deadlock: %d of %d modules wait for ever: %s; expected a put for every get",
                                           waiting, modules, text.data);
    text_clear(&text);
    return status;
}

static void warn_of_values(const engine *e)
{
    const program_channel *first = NULL;
    int64_t channels = 0;
    for (size_t c = e->program->channels; c-- > 0;) {
        if (e->channel[c].value.count > 0) {
            first = &e->program->channel[c];
            channels++;
        }
    }
    if (first != NULL) {
        diag_warn(
            e->diag,
            "%s: nobody got %lld of the %lld values put, in %lld of %zu channels; the first is that from output %d "
            "of '%s' to input %d of '%s'",
            e->program->name, (long long)(e->values - e->got), (long long)e->values, (long long)channels,
            e->program->channels, first->out, e->program->module[first->from].name, first->in,
            e->program->module[first->to].name);
    }
}

int engine_finish(engine *e)
{
    if (e->status != INLAY_OK) {
        return e->status;
    }
    if ((size_t)e->ended < e->program->modules) {
        return refuse_deadlock(e);
    }
    warn_of_values(e);
    return INLAY_OK;
}

/* ---- Making ---- */

void engine_clear(engine *e)
{
    coroutine_pool_free(e->pool);
    for (size_t c = 0; e->channel != NULL && c < e->program->channels; c++) {
        free(e->channel[c].value.data);
        free(e->channel[c].freed.data);
    }
    free(e->channel);
    free(e->port);
    if (e->actor != NULL) {
        free(e->actor[0].state); /* the first begins where all of them do */
    }
    free(e->actor);
    free(e->count);
    dataflow_costs_clear(&e->costs);
    *e = (engine){0};
}

static inline size_t aligned(size_t size)
{
    return (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
}

/* Actors with fresh states, one behind another. */
static bool make_actors(engine *e)
{
    const inlay_program *p = e->program;
    size_t size = 0;
    for (size_t i = 0; i < p->modules; i++) {
        size += aligned(p->module[i].size);
    }
    e->actor = memory_zeroed(p->modules, sizeof *e->actor);
    unsigned char *state = memory_array(size, 1);
    if (e->actor == NULL || state == NULL) {
        free(state);
        return false;
    }
    for (size_t i = 0; i < p->modules; i++) {
        const program_module *m = &p->module[i];
        e->actor[i] = (inlay_actor){.engine = e, .module = (inlay_id)i, .state = state, .speed = 1};
        if (m->size > 0) {
            memcpy(state, m->state, m->size);
        }
        state += aligned(m->size);
    }
    return true;
}

static bool make_channels(engine *e)
{
    const inlay_program *p = e->program;
    e->channel = memory_zeroed(p->channels, sizeof *e->channel);
    e->port = memory_array(2 * p->channels, sizeof *e->port);
    if (e->channel == NULL || e->port == NULL) {
        return false;
    }
    for (size_t c = 0; c < p->channels; c++) {
        const program_channel *what = &p->channel[c];
        e->channel[c].value.size = what->size;
        e->port[2 * c] = (inlay_port){&e->actor[what->from], (int32_t)c, true};
        e->port[2 * c + 1] = (inlay_port){&e->actor[what->to], (int32_t)c, false};
    }
    return true;
}

int engine_make(engine *e, inlay_program *program, const inlay_program_options *options, inlay_unit unit,
                inlay_diag *diag)
{
    static const inlay_program_options defaults = {0};
    options = options == NULL ? &defaults : options;
    *e = (engine){.program = program, .diag = diag, .stack = options->stack == 0 ? STACK : options->stack};
    int status = program_ready(program, diag);
    if (status == INLAY_OK && e->stack < LEAST_STACK) {
        status = diag_fail(diag, INLAY_BAD_ARGUMENT, "%s: a stack has %zu bytes; expected %d or more", program->name,
                           e->stack, LEAST_STACK);
    }
    if (status == INLAY_OK) {
        status = dataflow_costs_make(program, options, unit, &e->costs, diag);
    }
    if (status != INLAY_OK) {
        return status;
    }
    e->operations = inlay_program_operations(program);
    e->overhead = e->costs.measured ? measure_overhead() : 0;
    e->pool = coroutine_pool_new(e->stack);
    e->count = memory_zeroed(program->modules * (size_t)e->operations, sizeof *e->count);
    if (e->pool == NULL || e->count == NULL || !make_actors(e) || !make_channels(e)) {
        engine_clear(e);
        return diag_no_memory(diag);
    }
    return INLAY_OK;
}

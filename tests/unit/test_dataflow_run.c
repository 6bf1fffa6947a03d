/*
 * Mapped runs of dataflow programs: beside a slow event loop, beside the profile where messages are free, and beside the
 * simulation of the profile where a program does what its graph says.
 */
#include "golden.h"
#include "machine/machine.h"
#include "random_app.h"
#include "slow_dataflow.h"
#include "sound_run.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 60 };

/* A program of steps, its profile, and a machine that it is mapped to. */
typedef struct subject {
    slow_program *steps;
    uint64_t result[STEP_MODULES];
    inlay_program *program;
    inlay_profile *profile;
    inlay_machine *machine;
    inlay_mapping *mapping;
    inlay_cost cost[INLAY_OPERATIONS];
} subject;

static inlay_program_options options_of(const subject *s)
{
    return (inlay_program_options){.cost = s->cost, .costs = INLAY_OPERATIONS};
}

/* Maps what stands in s->steps to the first `spread` processors, at random or, where it is 0, a processor a module. */
static void map_steps(subject *s, const char *machine, uint64_t *state, inlay_id spread, const inlay_options *options)
{
    inlay_id processor[STEP_MODULES];
    slow_program_costs(s->steps, s->cost);
    inlay_program_options costs = options_of(s);
    s->program = slow_program_wire(s->steps, s->result);
    ck_assert_int_eq(inlay_program_profile(s->program, &costs, &s->profile, NULL), INLAY_OK);
    s->machine = golden_machine(machine);
    for (int i = 0; i < s->steps->modules; i++)
        processor[i] = spread == 0 ? i : (inlay_id)random_below(state, spread);
    s->mapping = placed(inlay_profile_app(s->profile), s->machine, processor, options);
    memset(s->result, 0, sizeof s->result);
}

static void clear(subject *s)
{
    inlay_mapping_free(s->mapping);
    inlay_machine_free(s->machine);
    inlay_profile_free(s->profile);
    inlay_program_free(s->program);
    free(s->steps);
}

static inlay_program_run *execute(subject *s, inlay_contention contention, uint64_t seed)
{
    inlay_program_run_options options = {options_of(s), contention, seed};
    inlay_program_run *run = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_program_execute(s->program, s->mapping, &options, &run, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return run;
}

/* Nothing is lost: every processor's time adds up, and every message sent is received. */
static void expect_whole(const subject *s, const inlay_program_run *run)
{
    inlay_program_summary sum = inlay_program_run_summary(run);
    const inlay_app *app = inlay_profile_app(s->profile);
    int64_t sent = 0, received = 0;
    for (inlay_id c = 0; c < inlay_mapping_summary(s->mapping)->clusters; c++) {
        inlay_program_processor w = inlay_program_run_processor(run, c);
        inlay_cluster_info info = inlay_mapping_cluster(s->mapping, c);
        double m = 0, end = 0, speed = inlay_machine_processor(s->machine, info.processor).speed;
        for (inlay_id k = 0; k < info.modules; k++) {
            m += inlay_app_in_units(app, inlay_app_time(app, info.module[k])) / speed;
            end = fmax(end, inlay_program_run_end(run, info.module[k]));
        }
        ck_assert_int_eq(w.processor, info.processor);
        ck_assert_double_eq_tol(w.busy, m, 1e-9 * (1 + m));
        ck_assert_double_eq_tol(w.busy + w.waiting, end, 1e-9 * (1 + end));
        ck_assert_double_eq_tol(w.busy + w.waiting + w.idle, sum.elapsed, 1e-9 * (1 + sum.elapsed));
        ck_assert_double_le(end, sum.last_module);
        sent += w.sent;
        received += w.received;
    }
    ck_assert_int_eq(sent, sum.messages);
    ck_assert_int_eq(received, sum.messages);
    ck_assert_int_eq(sum.values, inlay_profile_values(s->profile));
    ck_assert_int_eq(sum.left, inlay_profile_left(s->profile));
}

/* ---- The slow event loop ---- */

typedef struct slow_machine {
    const char *text;
    inlay_contention contention;
    bool bus;
    int64_t delay, latency;
} slow_machine;

static const slow_machine slow_machines[] = {
    {"bus:12,capacity=0.25msg/tick,latency=3tick", INLAY_CONTENTION_QUEUES, true, 4, 3},
    {"bus:12,capacity=0.5msg/tick,memory=common", INLAY_CONTENTION_QUEUES, true, 2, 0},
    {"bus:12,capacity=0.0625msg/tick,latency=1tick", INLAY_CONTENTION_QUEUES, true, 16, 1},
    {"bus:12,capacity=0.25msg/tick,latency=3tick", INLAY_CONTENTION_NONE, false, 4, 3},
    {"omega:16,packets=4,cycle=1tick,transit=2tick", INLAY_CONTENTION_NONE, false, 11, 0}, /* 4 stages, 3 behind */
    {"bus:12,capacity=0.25msg/tick,latency=3tick", INLAY_CONTENTION_FREE, false, 0, 0},
    {"bus:12,capacity=0.25msg/tick,latency=1tick,latency_by_size=0:2tick/1GiB:9tick", INLAY_CONTENTION_QUEUES, true, 4,
     3},
    {"bus:12,capacity=0.25msg/tick,latency_by_size=3tick", INLAY_CONTENTION_FREE, false, 0, 0},
};

enum { SLOW_MACHINES = sizeof slow_machines / sizeof *slow_machines };

/* Processors of the slow one are the clusters. */
static slow_mapping mapping_of(const subject *s, const slow_machine *machine)
{
    slow_mapping on = {.processors = inlay_mapping_summary(s->mapping)->clusters,
                       .bus = machine->bus,
                       .delay = machine->delay,
                       .latency = machine->latency};
    for (inlay_id c = 0; c < on.processors; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(s->mapping, c);
        for (inlay_id k = 0; k < info.modules; k++) {
            on.processor_of[info.module[k]] = c;
            on.rank[info.module[k]] = k;
        }
    }
    return on;
}

static void expect_like(const subject *s, const inlay_program_run *run, const slow_mapped *slow)
{
    inlay_program_summary sum = inlay_program_run_summary(run);
    ck_assert_double_eq(sum.elapsed, (double)slow->elapsed);
    ck_assert_double_eq(sum.last_module, (double)slow->last_module);
    ck_assert_int_eq(sum.messages, slow->messages);
    for (int i = 0; i < s->steps->modules; i++) {
        ck_assert_double_eq(inlay_program_run_start(run, i), (double)slow->start[i]);
        ck_assert_double_eq(inlay_program_run_end(run, i), (double)slow->end[i]);
        ck_assert_uint_eq(s->result[i], slow->result[i]);
    }
    for (inlay_id c = 0; c < inlay_mapping_summary(s->mapping)->clusters; c++)
        ck_assert_double_eq(inlay_program_run_processor(run, c).busy, (double)slow->busy[c]);
}

START_TEST(test_like_the_slow_one)
{
    static const unsigned kinds[] = {0, SLOW_CAPACITY, SLOW_CYCLES, SLOW_CYCLES | SLOW_CAPACITY};
    const slow_machine *machine = &slow_machines[_i];
    uint64_t state = 40 + (uint64_t)_i;
    int64_t messages = 0;
    slow_mapped *slow = malloc(sizeof *slow);
    for (int round = 0; round < 2 * ROUNDS; round++) {
        subject s = {.steps = malloc(sizeof *s.steps)};
        slow_program_draw(&state, kinds[round % 4], s.steps);
        map_steps(&s, machine->text, &state, 1 + (inlay_id)random_below(&state, 6), NULL);
        slow_mapping on = mapping_of(&s, machine);
        slow_mapped_run(s.steps, &on, slow);
        inlay_program_run *run = execute(&s, machine->contention, 0);
        expect_like(&s, run, slow);
        expect_whole(&s, run);
        messages += slow->messages;
        inlay_program_run_free(run);
        clear(&s);
    }
    ck_assert_int_gt(messages, 20 * ROUNDS); /* or little was compared */
    free(slow);
}
END_TEST

/* ---- Free messages ---- */

START_TEST(test_free_like_the_profile)
{
    uint64_t state = 7;
    for (int round = 0; round < 2 * ROUNDS; round++) {
        subject s = {.steps = malloc(sizeof *s.steps)};
        slow_program_draw(&state, SLOW_CYCLES | SLOW_CAPACITY | SLOW_FREE_PORTS, s.steps);
        map_steps(&s, "bus:12", &state, 0, NULL);
        inlay_program_run *run = execute(&s, INLAY_CONTENTION_FREE, 0);
        const inlay_app *app = inlay_profile_app(s.profile);
        for (int i = 0; i < s.steps->modules; i++)
            ck_assert_double_eq(inlay_program_run_end(run, i),
                                inlay_app_in_units(app, inlay_app_time(app, i) + inlay_app_blocking(app, i)));
        ck_assert_double_eq(inlay_program_run_summary(run).elapsed, inlay_profile_elapsed(s.profile));
        expect_whole(&s, run);
        inlay_program_run_free(run);
        clear(&s);
    }
}
END_TEST

START_TEST(test_one_processor)
{
    uint64_t state = 8;
    for (int round = 0; round < ROUNDS; round++) {
        subject s = {.steps = malloc(sizeof *s.steps)};
        slow_program_draw(&state, SLOW_CYCLES | SLOW_CAPACITY, s.steps);
        map_steps(&s, "bus:12,capacity=0.1msg/tick", &state, 1, NULL);
        inlay_program_run *run = execute(&s, INLAY_CONTENTION_QUEUES, 0);
        const inlay_app *app = inlay_profile_app(s.profile);
        double work = 0;
        for (int i = 0; i < s.steps->modules; i++)
            work += inlay_app_in_units(app, inlay_app_time(app, i));
        ck_assert_double_eq(inlay_program_run_summary(run).elapsed, work);
        ck_assert_int_eq(inlay_program_run_summary(run).messages, 0);
        inlay_program_run_free(run);
        clear(&s);
    }
}
END_TEST

/* ---- All machines ---- */

/* Whole numbers of ticks everywhere. */
static const char *const machines[] = {
    "bus:16,capacity=0.25msg/tick,latency=2tick",
    "bus:16,capacity=0.5msg/tick,message_size=7,transfers=2",
    "bus:16,capacity=2B/tick",
    "bus:16,capacity=0.5msg/tick,memory=common",
    "multibus:16,memories=3,buses=2,capacity=0.25msg/tick",
    "multibus:16,memories=8,buses=3,capacity=0.5msg/tick,transfers=2,latency=1tick,message_size=7",
    "omega:16,packets=4,cycle=1tick,transit=2tick",
    "omega:16,switch=4,packets=3,cycle=2tick,latency=1tick",
    "omega-pe:16,packets=2,cycle=1tick,message_size=7",
    "omega-pe:16,switch=4,packets=2,cycle=3tick,transfers=2",
    "mesh:4x4,capacity=0.5msg/tick,link_latency=1tick",
    "mesh:4x4,capacity=0.5msg/tick,message_size=7,link_latency=1tick,switching=cut-through",
    "mesh:16,capacity=1B/tick,duplex=half,latency=2tick",
    "mesh:8,cores=2,capacity=0.5msg/tick,latency=2tick,message_size=7",
    "torus:4x4,capacity=0.25msg/tick,message_size=7",
};

enum { MACHINES = sizeof machines / sizeof *machines };

/* A program that does what its graph says: every module gets all, works, and puts all, one value a link. */
static void draw_finishing(uint64_t *state, slow_program *p)
{
    int outs[STEP_MODULES] = {0}, ins[STEP_MODULES] = {0};
    memset(p, 0, sizeof *p);
    p->modules = 2 + (int)random_below(state, STEP_MODULES - 1);
    for (int i = 0; i < p->modules; i++)
        for (int j = i + 1; j < p->modules && p->channels < STEP_CHANNELS; j++)
            if (random_once_in(state, 3))
                p->channel[p->channels++] =
                    (slow_channel){i, j, outs[i]++, ins[j]++, 1 + (int)random_below(state, 20), 0};
    for (int i = 0; i < p->modules; i++) {
        for (int c = 0; c < p->channels; c++)
            if (p->channel[c].to == i) p->step[i][p->steps[i]++] = (slow_step){SLOW_GET, 0, 0, c};
        int times = 1 + (int)random_below(state, 20);
        p->step[i][p->steps[i]++] = (slow_step){SLOW_COMPUTE, INLAY_ADD, times, 0};
        for (int c = 0; c < p->channels; c++)
            if (p->channel[c].from == i) p->step[i][p->steps[i]++] = (slow_step){SLOW_PUT, 0, 0, c};
    }
    p->cost[INLAY_ADD] = 1;
}

/* Then the run is that of the event engine, message by message, on every machine. */
START_TEST(test_like_the_event_engine)
{
    uint64_t state = 70 + (uint64_t)_i;
    inlay_options finish = {.start = INLAY_START_FINISH};
    int64_t messages = 0;
    double later = 0;
    for (int round = 0; round < ROUNDS; round++) {
        subject s = {.steps = malloc(sizeof *s.steps)};
        draw_finishing(&state, s.steps);
        map_steps(&s, machines[_i], &state, 0, &finish);
        inlay_contention contention = round % 4 == 3 ? INLAY_CONTENTION_NONE : INLAY_CONTENTION_QUEUES;
        inlay_simulation_options options = {.contention = contention, .seed = (uint64_t)round};
        inlay_simulation *simulation = simulated(s.mapping, &options);
        inlay_program_run *run = execute(&s, contention, (uint64_t)round);
        ck_assert_double_eq(inlay_program_run_summary(run).elapsed, inlay_simulation_result(simulation)->makespan);
        ck_assert_int_eq(inlay_program_run_summary(run).messages, inlay_simulation_result(simulation)->messages);
        for (int i = 0; i < s.steps->modules; i++)
            ck_assert_double_eq(inlay_program_run_end(run, i), inlay_simulation_end(simulation, i));
        messages += inlay_program_run_summary(run).messages;
        later += inlay_program_run_summary(run).elapsed - inlay_profile_elapsed(s.profile);
        expect_whole(&s, run);
        inlay_program_run_free(run);
        inlay_simulation_free(simulation);
        clear(&s);
    }
    ck_assert_int_gt(messages, 5 * ROUNDS);
    ck_assert_double_gt(later, ROUNDS); /* messages take time */
}
END_TEST

/* Any program: twice the same, the values those of the profile, no sooner than with free messages and a processor each. */
START_TEST(test_any_program)
{
    uint64_t state = 90 + (uint64_t)_i;
    for (int round = 0; round < ROUNDS; round++) {
        subject s = {.steps = malloc(sizeof *s.steps)};
        uint64_t result[STEP_MODULES];
        slow_program_draw(&state, SLOW_CYCLES | SLOW_CAPACITY, s.steps);
        map_steps(&s, machines[_i], &state, 1 + (inlay_id)random_below(&state, 15), NULL);
        slow_profile *slow = malloc(sizeof *slow);
        slow_profile_run(s.steps, slow);
        inlay_program_run *first = execute(&s, INLAY_CONTENTION_QUEUES, 3);
        memcpy(result, s.result, sizeof result);
        inlay_program_run *again = execute(&s, INLAY_CONTENTION_QUEUES, 3);
        expect_whole(&s, first);
        ck_assert_double_eq(inlay_program_run_summary(first).elapsed, inlay_program_run_summary(again).elapsed);
        for (int i = 0; i < s.steps->modules; i++) {
            ck_assert_uint_eq(result[i], slow->result[i]);
            ck_assert_uint_eq(s.result[i], slow->result[i]);
            ck_assert_double_eq(inlay_program_run_end(first, i), inlay_program_run_end(again, i));
            ck_assert_double_ge(inlay_program_run_end(first, i), (double)slow->end[i]);
        }
        free(slow);
        inlay_program_run_free(first);
        inlay_program_run_free(again);
        clear(&s);
    }
}
END_TEST

/* ---- Unlike processors ---- */

static inlay_machine *read_machine(const char *text)
{
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_machine_read_memory(text, strlen(text), "machine", "dot", &machine, NULL), INLAY_OK);
    return machine;
}

static const char two_speeds[] =
    "graph two { graph [network=links]; node [type=fast, speed=4]; a; node [type=slow, speed=1];"
    " b; c; edge [capacity=\"0.5msg/tick\"]; a -- b -- c; }";

START_TEST(test_speed)
{
    uint64_t state = 11;
    for (int slow = 0; slow < 2; slow++) {
        subject s = {.steps = malloc(sizeof *s.steps)};
        draw_finishing(&state, s.steps);
        map_steps(&s, "bus:12", &state, 1, NULL);
        inlay_id processor[STEP_MODULES];
        for (int i = 0; i < s.steps->modules; i++)
            processor[i] = slow;
        inlay_machine *machine = read_machine(two_speeds);
        inlay_mapping_free(s.mapping);
        s.mapping = placed(inlay_profile_app(s.profile), machine, processor, NULL);
        inlay_machine_free(s.machine);
        s.machine = machine;
        inlay_program_run *run = execute(&s, INLAY_CONTENTION_QUEUES, 0);
        double work = 0;
        for (int i = 0; i < s.steps->modules; i++)
            work += inlay_app_in_units(inlay_profile_app(s.profile), inlay_app_time(inlay_profile_app(s.profile), i));
        ck_assert_double_eq(inlay_program_run_summary(run).elapsed, slow ? work : work / 4);
        expect_whole(&s, run);
        inlay_program_run_free(run);
        clear(&s);
    }
}
END_TEST

/* ---- By hand ---- */

/* a puts to b and to c, one tick each; b and c wait for it and work 10; all get and put in a tick. */
static const slow_program fork_program = {.modules = 3,
                                          .channels = 2,
                                          .channel = {{0, 1, 0, 0, 8, 0}, {0, 2, 1, 0, 8, 0}},
                                          .steps = {2, 2, 2},
                                          .step = {{{SLOW_PUT, 0, 0, 0}, {SLOW_PUT, 0, 0, 1}},
                                                   {{SLOW_GET, 0, 0, 0}, {SLOW_COMPUTE, INLAY_ADD, 10, 0}},
                                                   {{SLOW_GET, 0, 0, 1}, {SLOW_COMPUTE, INLAY_ADD, 10, 0}}},
                                          .cost = {[INLAY_ADD] = 1, [INLAY_GET] = 1, [INLAY_PUT] = 1}};

static void fork_on(const char *machine, const int *processor, subject *s)
{
    inlay_id of[3] = {processor[0], processor[1], processor[2]};
    uint64_t state = 1;
    *s = (subject){.steps = malloc(sizeof *s->steps)};
    *s->steps = fork_program;
    map_steps(s, machine, &state, 0, NULL);
    inlay_mapping_free(s->mapping);
    s->mapping = placed(inlay_profile_app(s->profile), s->machine, of, NULL);
}

START_TEST(test_by_hand)
{
    static const struct {
        const char *machine;
        int processor[3];
        double start[3], end[3], elapsed;
    } cases[] = {
        /* values are there at 1 and 2; b and c share a processor, b is the first in its order */
        {"bus:3,capacity=0.25msg/tick", {0, 0, 0}, {0, 2, 13}, {2, 13, 24}, 24},
        /* b's value holds the bus from 1 to 5, c's, put at 2, from 5 to 9; b and c begin at once, to wait */
        {"bus:3,capacity=0.25msg/tick", {0, 1, 2}, {0, 0, 0}, {2, 16, 20}, 20},
        {"bus:3,capacity=0.25msg/tick,latency=5tick", {0, 1, 2}, {0, 0, 0}, {2, 21, 25}, 25},
        /* from c's value on c could go on, but b does not give its processor up */
        {"bus:3,capacity=0.25msg/tick", {0, 1, 1}, {0, 0, 0}, {2, 16, 27}, 27},
        /* a goes on to its end, which is at 2, then c; b's message from 1 to 5 */
        {"bus:3,capacity=0.25msg/tick", {0, 1, 0}, {0, 0, 2}, {2, 16, 13}, 16},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        subject s;
        fork_on(cases[k].machine, cases[k].processor, &s);
        inlay_program_run *run = execute(&s, INLAY_CONTENTION_QUEUES, 0);
        for (int i = 0; i < 3; i++) {
            ck_assert_double_eq(inlay_program_run_start(run, i), cases[k].start[i]);
            ck_assert_double_eq(inlay_program_run_end(run, i), cases[k].end[i]);
        }
        ck_assert_double_eq(inlay_program_run_summary(run).elapsed, cases[k].elapsed);
        inlay_program_run_free(run);
        clear(&s);
    }
}
END_TEST

/* ---- What is refused ---- */

static void expect_refused(subject *s, const inlay_mapping *mapping, inlay_program_run_options options, int status,
                           const char *message)
{
    inlay_program_run *run = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_program_execute(s->program, mapping, &options, &run, diag), status);
    ck_assert_ptr_null(run);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    inlay_diag_free(diag);
}

/* Modules p0, p1 and another, on one processor of the two speeds. */
static void expect_refused_app(subject *s, inlay_id modules, const char *last, bool typed, inlay_unit unit, int status,
                               const char *message)
{
    inlay_app_builder *builder = inlay_app_builder_new("other", unit);
    inlay_machine *machine = read_machine(two_speeds);
    inlay_app *app = NULL;
    for (inlay_id i = 0; i < modules; i++) {
        const char *const name[] = {"p0", "p1", last};
        inlay_module module = {.name = name[i], .time = {{1, 0}, unit}};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    }
    if (typed)
        ck_assert_int_eq(inlay_app_add_type_time(builder, 1, "fast", (inlay_duration){{2, 0}, unit}, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_mapping *mapping = placed(app, machine, (inlay_id[]){0, 0, 0}, &(inlay_options){.tick_seconds = 1});
    inlay_program_run_options options = {.program = options_of(s)};
    expect_refused(s, mapping, options, status, message);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
    inlay_app_builder_free(builder);
}

START_TEST(test_refusals)
{
    subject s;
    fork_on("bus:3", (const int[]){0, 1, 2}, &s);
    expect_refused_app(&s, 2, NULL, false, INLAY_UNIT_TICK, INLAY_BAD_INPUT,
                       "steps: the mapping is of 2 modules, and the program has 3; expected a mapping of its profile, "
                       "with the same parameters");
    expect_refused_app(&s, 3, "other", false, INLAY_UNIT_TICK, INLAY_BAD_INPUT,
                       "steps: the mapping has no module 'p2'; expected a mapping of the program's profile, with the "
                       "same parameters");
    expect_refused_app(&s, 3, "p2", true, INLAY_UNIT_TICK, INLAY_BAD_INPUT,
                       "steps: module 'p1' has a time of its own on processors of type 'fast', which says nothing of "
                       "its operations; expected processors that differ in speed alone");
    expect_refused_app(&s, 3, "p2", false, INLAY_UNIT_S, INLAY_BAD_ARGUMENT,
                       "steps: the cost of 'add' is in ticks; expected the unit of the run, s");
    inlay_program_run_options options = {.contention = (inlay_contention)3};
    expect_refused(&s, s.mapping, options, INLAY_BAD_ARGUMENT, "contention is 3; expected 0 to 2");
    options = (inlay_program_run_options){.program = {.unit = INLAY_UNIT_MS}};
    expect_refused(&s, s.mapping, options, INLAY_BAD_ARGUMENT,
                   "steps: the run is in ms; expected the unit of the mapping, ticks");
    s.steps->steps[0] = 1; /* the program reads its steps as it runs: c waits for ever */
    options = (inlay_program_run_options){.program = options_of(&s)};
    expect_refused(&s, s.mapping, options, INLAY_NO_ANSWER,
                   "steps: deadlock: 1 of 3 modules wait for ever: 'p2' waits for a value at input 0 (from 'p0', which "
                   "has ended); expected a put for every get");
    clear(&s);
}
END_TEST

START_TEST(test_out_of_range)
{
    subject s;
    fork_on("mesh:4,link_latency=1tick", (const int[]){0, 3, 3}, &s);
    for (inlay_id l = 0; l < s.machine->topology->links; l++)
        s.machine->topology->link[l].latency = 1e308; /* no text says so much */
    expect_refused(&s, s.mapping, (inlay_program_run_options){.program = options_of(&s)}, INLAY_OVERFLOW,
                   "steps: the simulated times pass the range of numbers; expected less traffic, or networks of more "
                   "capacity");
    clear(&s);
}
END_TEST

Suite *suite_dataflow_run(void)
{
    Suite *suite = suite_create("dataflow_run");
    TCase *tests = tcase_create("dataflow_run");
    tcase_add_loop_test(tests, test_like_the_slow_one, 0, SLOW_MACHINES);
    tcase_add_test(tests, test_free_like_the_profile);
    tcase_add_test(tests, test_one_processor);
    tcase_add_loop_test(tests, test_like_the_event_engine, 0, MACHINES);
    tcase_add_loop_test(tests, test_any_program, 0, MACHINES);
    tcase_add_test(tests, test_speed);
    tcase_add_test(tests, test_by_hand);
    tcase_add_test(tests, test_refusals);
    tcase_add_test(tests, test_out_of_range);
    suite_add_tcase(suite, tests);
    return suite;
}

/*
 * Out of memory at one allocation after the other: the first 0, 1, 2, ... allocations succeed and the next one fails.
 * The library must say so, leave its outputs alone, leak nothing (the leak sanitizer watches) and never crash.
 */
#include "base/text.h"
#include "map_by_houstis.h"
#include "io/dot/dot.h"
#include "io/machine_formats.h"
#include "random_app.h"
#include "scale_subject.h"
#include "starve.h"
#include "unit.h"
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Subjects ---- */

typedef struct question {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_options options;
} question;

static int try_map(const void *subject)
{
    const question *q = subject;
    inlay_mapping *mapping = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = map_by_houstis(q->app, q->machine, &q->options, &mapping, diag);
    bool told = diag == NULL || status == INLAY_OK || inlay_diag_message(diag)[0] != '\0';
    inlay_diag_free(diag);
    bool sound = (status == INLAY_OK) == (mapping != NULL) && told;
    inlay_mapping_free(mapping);
    return sound ? status : INLAY_SYSTEM;
}

static inlay_app *sample_app(unsigned features)
{
    uint64_t state = 99;
    random_times times;
    return random_app(&state, 12, features, &times);
}

static void starve_mapping(const char *machine_text, unsigned features, inlay_options options)
{
    inlay_machine *machine = NULL;
    inlay_app *app = sample_app(features);
    ck_assert_int_eq(inlay_machine_parse(machine_text, &machine, NULL), INLAY_OK);
    question q = {app, machine, options};
    starve(try_map, &q, 50);
    inlay_machine_free(machine);
    inlay_app_free(app);
}

static int try_machine_picture(const void *subject)
{
    inlay_diag *diag = inlay_diag_new();
    int status = diag == NULL ? INLAY_NO_MEMORY : inlay_mapping_draw_machine_svg(subject, "/dev/null", diag);
    inlay_diag_free(diag);
    return status;
}

START_TEST(machine_pictures_survive)
{
    static const char *const machines[] = {"mesh:4x4", "dragonfly:2x2x2x1"};
    inlay_app *app = sample_app(0);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        inlay_machine *machine = NULL;
        inlay_mapping *mapping = NULL;
        const inlay_options options = {.tick_seconds = 1};
        ck_assert_int_eq(inlay_machine_parse(machines[i], &machine, NULL), INLAY_OK);
        ck_assert_int_eq(map_by_houstis(app, machine, &options, &mapping, NULL), INLAY_OK);
        starve(try_machine_picture, mapping, 50);
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
    }
    inlay_app_free(app);
}
END_TEST

START_TEST(mapping_survives)
{
    unsigned features = RANDOM_EVERYTHING & ~(unsigned)RANDOM_DECIMALS;
    const char *machine = "bus:3,capacity=1000msg/s,processor_memory=1MiB";
    starve_mapping(machine, features, (inlay_options){0});
    starve_mapping(machine, features, (inlay_options){.parallel = INLAY_PARALLEL_OVERLAP, .reduce = INLAY_REDUCE_H1});
    starve_mapping(machine, features, (inlay_options){.reduce_when = INLAY_REDUCE_BEFORE, .reduce_by_traffic = true});
    starve_mapping("bus:3,capacity=1e-3msg/s", RANDOM_BLOCKS, (inlay_options){0}); /* T is raised */
}
END_TEST

/* In one thread: the count of allocations is not made for more. */
static int try_sweep(const void *subject)
{
    const question *q = subject;
    inlay_sweep_result *sweep = NULL;
    inlay_sweep_options options = {.mapping = q->options, .threads = 1};
    int status = inlay_sweep(q->app, q->machine, &options, &sweep, NULL);
    bool sound = (status == INLAY_OK) == (sweep != NULL);
    inlay_sweep_free(sweep);
    return sound ? status : INLAY_SYSTEM;
}

static int try_sampled(const void *subject)
{
    const question *q = subject;
    inlay_sweep_result *sweep = NULL;
    inlay_sweep_options options = {.mapping = q->options, .threads = 1, .points = 3};
    int status = inlay_sweep(q->app, q->machine, &options, &sweep, NULL);
    inlay_sweep_free(sweep);
    return status;
}

static int try_sweep_picture(const void *subject)
{
    return inlay_sweep_draw_svg(subject, "/dev/null", NULL);
}

START_TEST(sweeping_survives)
{
    inlay_machine *machine = NULL;
    inlay_sweep_result *sweep = NULL;
    inlay_app *app = sample_app(RANDOM_EVERYTHING & ~(unsigned)RANDOM_DECIMALS);
    ck_assert_int_eq(inlay_machine_parse("bus:9,capacity=100msg/s,latency=1s", &machine, NULL), INLAY_OK);
    question q = {app, machine, {0}}, overlap = {app, machine, {.parallel = INLAY_PARALLEL_OVERLAP}};
    starve(try_sweep, &q, 80);
    starve(try_sweep, &overlap, 80);
    starve(try_sampled, &q, 80);
    ck_assert_int_eq(inlay_sweep(app, machine, NULL, &sweep, NULL), INLAY_OK);
    starve(try_sweep_picture, sweep, 20);
    inlay_sweep_free(sweep);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

static int try_flows(const void *subject)
{
    inlay_flow *flows = NULL;
    size_t count;
    int status = inlay_mapping_flows(subject, &flows, &count, NULL);
    free(flows);
    return status;
}

static int try_draw(const void *subject)
{
    return inlay_mapping_draw_dot(subject, NULL, "/dev/null", NULL);
}

static int try_write(const void *subject)
{
    inlay_origin origin = {.command = "map", .app_path = "-"};
    return inlay_mapping_write(subject, &origin, "/dev/null", NULL);
}

static int try_bottleneck(const void *subject)
{
    inlay_bottleneck found;
    return inlay_mapping_bottleneck(subject, &found, NULL);
}

static int try_bars(const void *subject)
{
    const inlay_bar bars[] = {{"app", true, "bus", "s", true, 1, 2, 3, subject, 2, 7},
                              {"app", false, "omega", "s", false, 0, 0, 0, subject, 0, 0}};
    return inlay_bars_draw_svg(bars, 2, "/dev/null", NULL);
}

START_TEST(what_a_mapping_gives_survives)
{
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    inlay_app *app = sample_app(RANDOM_BLOCKS);
    ck_assert_int_eq(inlay_machine_parse("bus:9,capacity=100msg/s", &machine, NULL), INLAY_OK);
    ck_assert_int_eq(map_by_houstis(app, machine, NULL, &mapping, NULL), INLAY_OK);
    starve(try_flows, mapping, 1);
    starve(try_write, mapping, 2);
    starve(try_draw, mapping, 2);
    starve(try_bottleneck, mapping, 20);
    starve(try_bars, "words", 20);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

static int try_machine(const void *subject)
{
    inlay_machine *machine = NULL;
    int status = inlay_machine_parse(subject, &machine, NULL);
    inlay_machine_free(machine);
    return status;
}

typedef struct simulation_question {
    const inlay_mapping *mapping;
    inlay_simulation_options options;
} simulation_question;

static int try_simulate(const void *subject)
{
    const simulation_question *q = subject;
    inlay_simulation *simulation = NULL;
    int status = inlay_simulate(q->mapping, &q->options, &simulation, NULL);
    bool sound = (status == INLAY_OK) == (simulation != NULL);
    inlay_simulation_free(simulation);
    return sound ? status : INLAY_SYSTEM;
}

static int try_closed(const void *subject)
{
    inlay_closed_options options = {.requests = 50, .threads = 1};
    inlay_closed_result result;
    return inlay_simulate_closed(subject, &options, &result, NULL);
}

START_TEST(simulations_survive)
{
    static const char *const machines[] = {"bus:9,capacity=100msg/s", "multibus:9,memories=4,buses=2,capacity=100msg/s",
                                           "omega:8,cycle=1ms", "mesh:3x3,capacity=100msg/s,link_latency=1ms"};
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    inlay_options options = {.tick_seconds = 1};
    inlay_app *app = sample_app(RANDOM_BLOCKS | RANDOM_BLOCKING);
    ck_assert_int_eq(inlay_machine_parse(machines[_i], &machine, NULL), INLAY_OK);
    ck_assert_int_eq(map_by_houstis(app, machine, &options, &mapping, NULL), INLAY_OK);
    simulation_question q = {
        mapping, {.record = true, .replications = 3, .threads = 1, .module_time = {INLAY_SPREAD_EXPONENTIAL, 0}}};
    starve(try_simulate, &q, 20);
    starve(try_closed, machine, 10);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

static void relay(inlay_actor *self, void *state)
{
    for (int i = 0; i < 6; i++) {
        if (inlay_input(self, 0) != NULL) inlay_get(inlay_input(self, 0), state);
        inlay_count(self, inlay_input(self, 0) != NULL ? INLAY_OPERATIONS : INLAY_ADD, 1);
        if (inlay_output(self, 0) != NULL) inlay_put(inlay_output(self, 0), state);
    }
}

/* Three modules in a row, the last of which has room for two values; wired anew, run free or as mapped. */
static int try_program(const void *mapping)
{
    static const char *const name[] = {"a", "b", "c"};
    inlay_program *program = inlay_program_new("relay");
    inlay_profile *profile = NULL;
    inlay_program_run *run = NULL;
    if (program == NULL) return INLAY_NO_MEMORY;
    (void)inlay_parameter(program, "n", 1);
    (void)inlay_program_memory(program, 8);
    (void)inlay_program_operation(program, "relay");
    for (int i = 0; i < 3; i++)
        (void)inlay_program_module(program, name[i], relay, &(int){i}, sizeof(int), NULL);
    for (int i = 0; i < 2; i++)
        (void)inlay_program_wire(program, i, 0, i + 1, 0, sizeof(int), 2 * i, NULL);
    int status = mapping == NULL ? inlay_program_profile(program, NULL, &profile, NULL)
                                 : inlay_program_execute(program, mapping, NULL, &run, NULL);
    bool sound = (status == INLAY_OK) == (profile != NULL || run != NULL);
    inlay_profile_free(profile);
    inlay_program_run_free(run);
    inlay_program_free(program);
    return sound ? status : INLAY_SYSTEM;
}

static inlay_app *relay_app(void)
{
    inlay_app *app = NULL;
    inlay_app_builder *builder = inlay_app_builder_new("relay", INLAY_UNIT_TICK);
    for (int i = 0; i < 3; i++)
        inlay_app_add_module(builder, &(inlay_module){.name = (const char *[]){"a", "b", "c"}[i]}, NULL);
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    return app;
}

START_TEST(programs_survive)
{
    static const char *const machines[] = {"bus:3", "multibus:3,memories=4,buses=2", "omega:4,cycle=1tick", "mesh:3"};
    inlay_app *app = relay_app();
    starve(try_program, NULL, 30);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        inlay_machine *machine = NULL;
        inlay_mapping *mapping = NULL;
        ck_assert_int_eq(inlay_machine_parse(machines[i], &machine, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_evaluate(app, machine, (inlay_id[]){0, 1, 2}, NULL, &mapping, NULL), INLAY_OK);
        starve(try_program, mapping, 40);
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
    }
    inlay_app_free(app);
}
END_TEST

static int try_synthesise(const void *subject)
{
    inlay_synth *synth = NULL;
    int status = inlay_synthesise(subject, NULL, &synth, NULL);
    bool sound = (status == INLAY_OK) == (synth != NULL);
    inlay_synth_free(synth);
    return sound ? status : INLAY_SYSTEM;
}

static int try_synth_write(const void *subject)
{
    return inlay_synth_write(subject, "/dev/null", NULL);
}

START_TEST(synthesis_survives)
{
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    inlay_synth *synth = NULL;
    inlay_options options = {.tick_seconds = 1};
    inlay_app *app = sample_app(RANDOM_EVERYTHING & ~(unsigned)RANDOM_PINS);
    ck_assert_int_eq(inlay_machine_parse("bus:3,capacity=100msg/s", &machine, NULL), INLAY_OK);
    ck_assert_int_eq(map_by_houstis(app, machine, &options, &mapping, NULL), INLAY_OK);
    starve(try_synthesise, mapping, 20);
    ck_assert_int_eq(inlay_synthesise(mapping, NULL, &synth, NULL), INLAY_OK);
    ck_assert_int_gt(inlay_synth_result(synth)->messages, 0);
    starve(try_synth_write, synth, 1);
    inlay_synth_free(synth);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

START_TEST(machines_survive)
{
    starve(try_machine, "bus:16,memory=common,capacity=1GB/s,latency=2us,common_memory=1GiB,type=cpu", 5);
}
END_TEST

typedef struct written {
    const char *data, *format;
} written;

static int try_read(const void *subject)
{
    const written *w = subject;
    inlay_app *app = NULL;
    int status = inlay_app_read_memory(w->data, strlen(w->data), "source", w->format, &app, NULL);
    inlay_app_free(app);
    return status;
}

/* jansson says of a failed allocation in its scanner no more than that the text is wrong: JSON is tried elsewhere. */
START_TEST(readers_survive)
{
    written dot = {"digraph d { graph [time_unit=ms]; a [time=1, \"time.gpu\"=\"2us\", kind=k]; b [time=2];\n"
                   "c [kind=data, size=\"1KiB\"]; a -> b [messages=2]; c -> a; b -> a [kind=traffic]; }",
                   "dot"};
    written stg = {"2\n0 0 0\n1 5 1 0\n2 6 1 1\n3 0 1 2\n", "stg"};
    written tg = {"tg 1 3 2 ms\n1 - 1 a\n2 - 0 b\n3us - 0 c\n0 2 1 0 -\n0 1 1 0 -\nkinds 1\n0 k\n"
                  "times 1 gpu\n1 2\nblocks 1\n1 0 d\nuses 2\n0 1 1 0\n0 0 1 0\n",
                  "tg"};
    starve(try_read, &dot, 20);
    starve(try_read, &stg, 10);
    starve(try_read, &tg, 20);
}
END_TEST

static int try_stochastic(const void *subject)
{
    const char *text = subject;
    inlay_diag *diag = inlay_diag_new();
    inlay_stochastic *graph = NULL;
    inlay_app *app = NULL;
    int status = inlay_stochastic_read_memory(text, strlen(text), "sg", &graph, diag);
    for (int cycles = INLAY_CYCLES_FOLD; cycles <= INLAY_CYCLES_TRAFFIC && status == INLAY_OK; cycles++) {
        inlay_stochastic_options options = {.cycles = (inlay_cycles)cycles};
        inlay_app_free(app);
        app = NULL;
        status = inlay_stochastic_reduce(graph, &options, &app, diag);
    }
    bool told = diag == NULL || status == INLAY_OK || inlay_diag_message(diag)[0] != '\0';
    bool sound = told && (status == INLAY_OK) == (app != NULL);
    inlay_diag_free(diag);
    inlay_app_free(app);
    inlay_stochastic_free(graph);
    return sound ? status : INLAY_SYSTEM;
}

START_TEST(stochastic_graphs_survive)
{
    starve(try_stochastic,
           "digraph { node [time=1]; a [kind=eor]; a -> b [probability=0.5]; a -> c [probability=0.5, time=2];"
           " b -> a; b -> b2 -> b3 -> c; d [kind=data, size=9]; d -> b; c -> a [kind=traffic]; a [entries=1.5]; }",
           50);
}
END_TEST

static int try_generate(const void *subject)
{
    inlay_app *app = NULL;
    int status = inlay_generate(subject, &app, NULL);
    bool sound = (status == INLAY_OK) == (app != NULL);
    inlay_app_free(app);
    return sound ? status : INLAY_SYSTEM;
}

START_TEST(generating_survives)
{
    inlay_generator_options options = {.kind = inlay_generator_at((size_t)_i).name, .has_ccr = true, .ccr = 1};
    for (int i = 0; i < INLAY_SIZES; i++) {
        options.sizes[i] = inlay_generator_at((size_t)_i).sizes[i].initial;
    }
    starve(try_generate, &options, 20);
}
END_TEST

/* ---- Other numbers ---- */

static int try_scale(const void *subject)
{
    inlay_app *scaled = NULL;
    int status = inlay_app_scale(subject, &(inlay_scaling){{15, 1}, {5, 1}}, &scaled, NULL);
    bool as_told = (status == INLAY_OK) == (scaled != NULL);
    inlay_app_free(scaled);
    return as_told ? status : INLAY_SYSTEM;
}

static int try_time_counts(const void *subject)
{
    inlay_app *timed = NULL;
    const inlay_count_times each = {{{8, 1}, INLAY_UNIT_NS}, {{12, 0}, INLAY_UNIT_NS}};
    int status = inlay_app_time_counts(subject, &each, &timed, NULL);
    bool as_told = (status == INLAY_OK) == (timed != NULL);
    inlay_app_free(timed);
    return as_told ? status : INLAY_SYSTEM;
}

START_TEST(other_numbers_survive)
{
    uint64_t state = 3;
    inlay_app *app = random_subject(&state, INLAY_UNIT_MS);
    starve(try_scale, app, 20);
    starve(try_time_counts, app, 15);
    inlay_app_free(app);
}
END_TEST

/* ---- Machines in files ---- */

static const char *const machine_files[] = {
    ("graph g { graph [network=links, model=mm1]; a [type=x, speed=2]; s [kind=switch];\n"
     "edge [capacity=\"1GB/s\", latency=1us]; a -- s [name=n]; b -- s [duplex=half]; a -- b [weight=2]; }"),
    "graph g { network=mesh; processors=\"2x2\" }",
    "deco 0\n3 7\n0 1 2\n1 1 6\n2 1 7\n1 1 1\n",
    "cmpltw 3 1 2 3",
    "tleaf 2 2 3 2 4",
};

static int try_machine_file(const void *subject)
{
    const char *text = subject;
    inlay_machine *machine = NULL;
    int status = inlay_machine_read_memory(text, strlen(text), "m", NULL, &machine, NULL);
    inlay_machine_free(machine);
    return status;
}

static int after_writing(int status, text_buffer *text)
{
    status = status == INLAY_OK && text->failed ? INLAY_NO_MEMORY : status;
    text_clear(text);
    return status;
}

static int try_machine_dot(const void *subject)
{
    text_buffer text = {0};
    return after_writing(dot_machine_to(subject, &text, NULL), &text);
}

static int try_machine_tgt(const void *subject)
{
    text_buffer text = {0};
    return after_writing(tgt_machine_to(subject, 0, &text, NULL), &text);
}

static int try_host(const void *subject)
{
    inlay_machine *machine = NULL;
    int status = inlay_machine_read(subject, &machine, NULL);
    inlay_machine_free(machine);
    return status;
}

START_TEST(machines_in_files)
{
    for (size_t i = 0; i < sizeof machine_files / sizeof *machine_files; i++) {
        inlay_machine *machine = NULL;
        const char *text = machine_files[i];
        starve(try_machine_file, text, 10);
        ck_assert_int_eq(inlay_machine_read_memory(text, strlen(text), "m", NULL, &machine, NULL), INLAY_OK);
        starve(try_machine_dot, machine, 1);
        starve(try_machine_tgt, machine, 1);
        inlay_machine_free(machine);
    }
    if (inlay_reads_host()) {
        setenv("HWLOC_SYNTHETIC", "numa:2 core:2 pu:2", 1);
        starve(try_host, "host,capacity=1GB/s", 10);
    }
}
END_TEST

Suite *suite_memory(void)
{
    Suite *suite = suite_create("memory");
    TCase *tests = tcase_create("memory");
    tcase_add_test(tests, machine_pictures_survive);
    tcase_add_test(tests, mapping_survives);
    tcase_add_test(tests, sweeping_survives);
    tcase_add_test(tests, what_a_mapping_gives_survives);
    tcase_add_loop_test(tests, simulations_survive, 0, 4);
    tcase_add_test(tests, programs_survive);
    tcase_add_test(tests, synthesis_survives);
    tcase_add_test(tests, machines_survive);
    tcase_add_test(tests, readers_survive);
    tcase_add_loop_test(tests, generating_survives, 0, (int)inlay_generators());
    tcase_add_test(tests, other_numbers_survive);
    tcase_add_test(tests, machines_in_files);
    tcase_add_test(tests, stochastic_graphs_survive);
    suite_add_tcase(suite, tests);
    return suite;
}

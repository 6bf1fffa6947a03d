/*
 * The independent checker: it accepts what the library maps, and objects to mappings in which one thing was altered.
 * The networks of several kinds are in test_check_machines.c.
 */
#include "check_subject.h"
#include "drawn.h"
#include "random_app.h"

#include <inlay/io.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { DRAWS = DRAWN_CHECK };

/** cholesky4 on 17 processors at T = 464, the paper's Figure 5. */
static void map_cholesky(void)
{
    static const char source[] = "graphs/cholesky4.dot";
    inlay_options options = {.has_time_frame = true, .time_frame = {{464, 0}, INLAY_UNIT_NONE}};
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_read(source, NULL, &app, NULL), INLAY_OK);
    ck_assert(subject_map(app, source, "bus:17,memory=distributed", &options, NULL));
    inlay_app_free(app);
}

static void gzip(const char *path)
{
    char text[1 << 16];
    FILE *plain = fopen(path, "rb");
    ck_assert_ptr_nonnull(plain);
    size_t size = fread(text, 1, sizeof text, plain);
    fclose(plain);
    gzFile packed = gzopen(path, "wb");
    ck_assert_ptr_nonnull(packed);
    ck_assert_int_eq(gzwrite(packed, text, (unsigned)size), (int)size);
    ck_assert_int_eq(gzclose(packed), Z_OK);
}

START_TEST(accepts_cholesky)
{
    map_cholesky();
    subject_findings(NULL, true, "cholesky4");
    subject_findings("graphs/cholesky4.dot", true, "cholesky4 by name");
}
END_TEST

/** A mapping beside its application is found from anywhere, compressed or not. */
START_TEST(accepts_a_folder_of_its_own)
{
    static const char text[] = "digraph own { a [time=2]; b [time=3]; a -> b [bytes=10]; }";
    inlay_options options = {.tick_seconds = 0};
    inlay_app *app = subject_read(text);
    ck_assert(subject_map(app, subject_app(), "bus:2,latency=1ms", &options, NULL));
    inlay_app_free(app);
    json_t *root = subject_load();
    json_object_set_new(json_object_get(root, "application"), "path", json_string("app.dot"));
    subject_save(root);
    subject_findings(NULL, true, "a path beside the mapping");
    gzip(subject_mapping());
    subject_findings(NULL, true, "a compressed mapping");
}
END_TEST

/* ---- One field altered ---- */

static const alteration alterations[] = {
    {"method", "\"greedy\""},
    {"time_unit", "\"s\""},
    {"time_frame", "465"},
    {"time_frame", "-464"},
    {"time_frame", "*"},
    {"time_frame", "\"464\""},
    {"time_frame_given", "1"},
    {"processors", "18"},
    {"processors", "3"},
    {"processors", "0"},
    {"processors", "16"},
    {"options", NULL},
    {"options.start", "\"finish\""},
    {"options.blocking", "\"no\""},
    {"options.parallel", "\"overlap\""},
    {"options.reduce", "\"h3\""},
    {"options.tick_seconds", "-1"},
    {"rules.start", "\"finish\""},
    {"rules.work", "\"m\""},
    {"rules.blocking", "\"derived\""},
    {"clusters", "[]"},
    {"clusters", "7"},
    {"clusters.0", "null"},
    {"clusters.0.processor", "1"},
    {"clusters.0.processor", "5"},
    {"clusters.3.processor", "17"},
    {"clusters.3.processor", "-1"},
    {"clusters.2.processor", "1.5"},
    {"clusters.1.modules", "[]"},
    {"clusters.1.modules", "[5]"},
    {"clusters.1.modules.0", "\"m1\""},
    {"clusters.1.modules.0", "\"m17\""},
    {"clusters.1.blocks", "[\"d1\"]"},
    {"clusters.0.work", "*"},
    {"clusters.1.work", "1"},
    {"clusters.2.busy", "*"},
    {"clusters.3.utilisation", "*"},
    {"clusters.0.utilisation", "null"},
    {"clusters.0.messages_out", "8"},
    {"clusters.0.traffic_out", "8"},
    {"clusters.0.weighted_traffic_out", "+"},
    {"clusters.0.memory", "1"},
    {"messages", "20"},
    {"traffic", "22"},
    {"weighted_traffic", "+"},
    {"traffic_unit", "\"bytes\""},
    {"network.model", "\"ring\""},
    {"network.model_number", "1"},
    {"network.free", "!"},
    {"network.u", "*"},
    {"network.u_limit", "*"},
    {"network.load", "*"},
    {"network.rho", "*"},
    {"network.rho_processor", "*"},
    {"network.delay", "*"},
    {"network.tau", "*"},
    {"network.latency", "1"},
    {"makespan.estimate", "*"},
    {"makespan.estimate_fixed_point", "*"},
    {"makespan.estimate_fixed_point", "null"},
    {"makespan.screen", "*"},
    {"makespan.screen", "null"},
    {"makespan.estimate_band.low", "*"},
    {"makespan.estimate_band", "null"},
    {"makespan.screen_band.high", "*"},
    {"makespan.lower_bound", "*"},
    {"makespan.bounds.critical_path", "*"},
    {"makespan.bounds.work", "*"},
    {"makespan.bounds.longest_module", "46"},
    {"makespan.gap", "*"},
    {"fits_with_delay", "!"},
    {"speedup", "*"},
    {"efficiency", "*"},
    {"run", "{\"seconds\": null, \"price\": null, \"currency\": null, \"energy\": null}"},
    {"reduced_from", "4"},
    {"reduced_from", "17"},
    {"parallelism.clusters", "5"},
    {"parallelism.counted", "\"overlap\""},
    {"parallelism.level_width", "5"},
    {"parallelism.exact_width", "5"},
    {"parallelism.exact_width", "null"},
    {"layout.in_order", "21"},
    {"layout.nearest", "21"},
    {"layout", NULL},
    {"memories", "[{}]"},
    {"memories", "null"},
    {"application.name", "\"other\""},
    {"application.modules", "17"},
    {"application.links", "23"},
    {"application.format", "\"paper\""},
    {"application.format", "7"},
    {"application.sha256", "\"0123\""},
    {"machine.processors", "\"16\""},
    {"machine.memory", "\"common\""},
    {"machine.text", "\"bus:17,memory=common\""},
    {"machine.speed", "\"3\""},
    {"inlay", NULL},
    {"command", NULL},
    {"seed", NULL},
    {"warnings", NULL},
    {"makespan", NULL},
    {"network", NULL},
    {"parallelism", NULL},
    {"clusters.2", NULL},
};

START_TEST(objects_to_an_altered_field)
{
    const alteration *change = &alterations[_i];
    map_cholesky();
    json_t *root = subject_load();
    subject_alter(root, change);
    subject_save(root);
    ck_assert_msg(subject_findings(NULL, false, change->path) > 0, "%s = %s passed", change->path,
                  change->value ? change->value : "(removed)");
}
END_TEST

/* ---- Modules moved, dropped, doubled, in another order ---- */

static json_t *modules_of(json_t *root, int64_t cluster)
{
    return json_object_get(json_array_get(json_object_get(root, "clusters"), (size_t)cluster), "modules");
}

/** Take a module out of a random cluster; the reference is the caller's. */
static json_t *take_module(json_t *root, uint64_t *state, int64_t *cluster)
{
    *cluster = random_below(state, 4);
    json_t *modules = modules_of(root, *cluster);
    size_t at = (size_t)random_below(state, (int64_t)json_array_size(modules));
    json_t *module = json_incref(json_array_get(modules, at));
    json_array_remove(modules, at);
    return module;
}

/** Two neighbours of the execution order change places. */
static void swap_neighbours(json_t *root, uint64_t *state)
{
    json_t *modules = modules_of(root, random_below(state, 4));
    size_t at = (size_t)random_below(state, (int64_t)json_array_size(modules) - 1);
    json_t *first = json_incref(json_array_get(modules, at));
    json_array_remove(modules, at);
    json_array_insert_new(modules, at + 1, first);
}

/* Another elapsed time, with all that follows from it. */
static void double_elapsed(json_t *root)
{
    json_t *makespan = json_object_get(root, "makespan");
    double gap = json_number_value(json_object_get(makespan, "gap"));
    json_object_set_new(root, "elapsed", json_real(2 * json_number_value(json_object_get(root, "elapsed"))));
    json_object_set_new(root, "speedup", json_real(json_number_value(json_object_get(root, "speedup")) / 2));
    json_object_set_new(root, "efficiency", json_real(json_number_value(json_object_get(root, "efficiency")) / 2));
    json_object_set_new(makespan, "gap", json_real(2 * (gap + 1) - 1));
}

/* A screen is compared with a screen, and is no simulated time. */
START_TEST(objects_to_another_screen)
{
    static const char *const words[] = {"screen", "simulated", "guessed"};
    static const inlay_options options = {.max_events = -1};
    const inlay_id apart[] = {0, 1, 2, 3};
    inlay_app *app = subject_read("digraph a { graph [time_unit=tick]; a [time=5]; b [time=6]; c [time=1]; d [time=20];"
                                  " a -> c [messages=9]; b -> d; }"); /* simulated, that of b is second */
    ck_assert(subject_map(app, subject_app(), "bus:4,capacity=1msg/tick", &options, apart));
    subject_findings(NULL, true, "a screen");
    json_t *root = subject_load();
    ck_assert_str_eq(json_string_value(json_object_get(root, "elapsed_is")), "screen");
    json_object_set_new(root, "elapsed_is", json_string(words[_i]));
    if (_i == 0) double_elapsed(root);
    subject_save(root);
    ck_assert_uint_gt(subject_findings(NULL, false, words[_i]), 0);
    inlay_app_free(app);
}
END_TEST

START_TEST(objects_to_moved_modules)
{
    uint64_t state = (uint64_t)_i;
    int64_t from = 0;
    map_cholesky();
    json_t *root = subject_load();
    int kind = _i % 4;
    if (kind == 3) {
        swap_neighbours(root, &state);
    } else {
        json_t *module = take_module(root, &state, &from);
        json_t *to = modules_of(root, (from + 1 + random_below(&state, 3)) % 4);
        if (kind > 0) json_array_append(to, module);                     /* moved; 0: dropped */
        if (kind > 1) json_array_append(modules_of(root, from), module); /* in two clusters */
        json_decref(module);
    }
    subject_save(root);
    ck_assert_uint_gt(subject_findings(NULL, false, "moved modules"), 0);
}
END_TEST

/* ---- Anything anywhere ---- */

START_TEST(survives_anything_anywhere)
{
    map_cholesky();
    subject_survives(_i);
}
END_TEST

/* ---- Random applications ---- */

/* The first one goes with applications in ticks alone; the last ones carry messages for free where times are in s. */
static const char *const machines[] = {
    "bus:16,memory=distributed,capacity=2msg,processor_memory=1MiB",
    "bus:9,memory=common,transfers=2,common_memory=1MiB",
    "bus:5,memory=distributed,capacity=3KB/ms,message_size=256,latency=2us,processor_memory=1MiB",
    "bus:4,memory=distributed,capacity=40msg/us,message_size=512",
    "multibus:6,memories=4,buses=2,capacity=2msg/us,common_memory=1KiB",
    "multibus:40,memories=32,buses=16,model=occupancy,capacity=3KB/ms,latency=2us",
    "multibus:40,memories=32,buses=16,capacity=30msg/ms,message_size=256",
    "omega:8,packets=4,cycle=1us,transit=500ns,message_size=256,common_memory=1KiB",
    "omega:9,switch=3,packets=2,cycle=2tick,latency=1us,transfers=2",
    "omega-pe:8,packets=2,cycle=200ns,latency=1us,message_size=100",
    "omega-pe:16,switch=4,transfers=2,cycle=3us,processor_memory=1MiB",
    "multibus:9,memories=3,buses=3,model=occupancy",
    "omega:4,latency=1us",
    "omega-pe:4,packets=3",
    "bus:5,memory=distributed,capacity=3KB/ms,latency=2us,o_send=1us:2ns/256:4us,o_recv=3us",
    "bus:5,memory=distributed,capacity=3KB/ms,latency=2us,latency_by_size=1us:2ns/256:4us",
    "bus:6,memory=distributed,capacity=40msg/us,broadcast=tree,message_size=512,o_send=500ns",
    "bus:5,memory=distributed,capacity=3KB/ms,latency=2us,rendezvous=late,eager_limit=200",
    "bus:6,memory=distributed,capacity=40msg/us,broadcast=tree,o_send=500ns,rendezvous=late",
};
enum { MACHINES = sizeof machines / sizeof *machines };

static inlay_options random_options(uint64_t *state, bool streams)
{
    inlay_options options = {.tick_seconds = 1e-6};
    options.parallel = random_once_in(state, 2) ? INLAY_PARALLEL_OVERLAP : INLAY_PARALLEL_LEVEL;
    options.blocking = (inlay_blocking)random_below(state, 3);
    options.start = streams ? (inlay_start)random_below(state, 3) : INLAY_START_AUTO;
    options.reduce = (inlay_reduce)random_below(state, 2);
    options.reduce_when = (inlay_reduce_when)random_below(state, 2);
    options.keep_unrelated = random_once_in(state, 3);
    if (random_once_in(state, 2)) options.processors = (inlay_id)(3 + random_below(state, 2));
    return options;
}

static const char *random_machine(uint64_t *state, const inlay_app *app)
{
    bool ticks = inlay_app_unit(app) == INLAY_UNIT_TICK;
    return machines[ticks ? random_below(state, MACHINES) : 1 + random_below(state, MACHINES - 1)];
}

START_TEST(accepts_random_mappings)
{
    uint64_t state = (uint64_t)_i;
    random_times times;
    unsigned features = (unsigned)random_below(&state, RANDOM_EVERYTHING + 1);
    inlay_id modules = (inlay_id)(1 + random_below(&state, RANDOM_MODULES));
    inlay_app *app = random_app(&state, modules, features, &times);
    ck_assert_int_eq(inlay_app_write(app, subject_app(), "dot", NULL), INLAY_OK);
    inlay_options options = random_options(&state, features & RANDOM_BLOCKING);
    const char *machine = random_machine(&state, app);
    if (subject_map(app, subject_app(), machine, &options, NULL)) subject_findings(NULL, true, machine);
    inlay_app_free(app);
}
END_TEST

START_TEST(accepts_random_placements)
{
    uint64_t state = (uint64_t)_i;
    random_times times;
    inlay_id placement[RANDOM_MODULES];
    unsigned features = (unsigned)random_below(&state, RANDOM_EVERYTHING + 1);
    inlay_id modules = (inlay_id)(1 + random_below(&state, RANDOM_MODULES));
    inlay_app *app = random_app(&state, modules, features, &times);
    ck_assert_int_eq(inlay_app_write(app, subject_app(), "dot", NULL), INLAY_OK);
    inlay_options options = random_options(&state, features & RANDOM_BLOCKING);
    options.processors = 0;                   /* a placement may use every processor of the machine */
    if (_i % 2 == 1) options.max_events = -1; /* and has a screen */
    const char *machine = random_machine(&state, app);
    for (inlay_id i = 0; i < modules; i++)
        placement[i] = (inlay_id)random_below(&state, 4);
    if (subject_map(app, subject_app(), machine, &options, placement)) subject_findings(NULL, true, machine);
    inlay_app_free(app);
}
END_TEST

/* ---- Files that cannot be checked ---- */

static const struct {
    const char *text;
    const char *message; /**< behind the path */
} unreadable[] = {
    {"", ":1: '[' or '{' expected near end of file; expected a mapping.json"},
    {"{\n\"a\": 1,\n\"a\": 2}", ":3: duplicate object key near '\"a\"'; expected a mapping.json"},
    {"[]", ": there is no text 'path' in the object 'application'; expected a mapping.json"},
    {"{\"application\": {\"path\": 3}}",
     ": there is no text 'path' in the object 'application'; expected a mapping.json"},
    {"{\"application\": {\"path\": \"-\"}}", ": the application came through a pipe; expected --app FILE to name it"},
    {"{\"application\": {\"path\": \"graphs/cholesky4.dot\"}}",
     ": there is no text 'text' in the object 'machine'; expected a mapping.json"},
};

START_TEST(refuses_what_it_cannot_read)
{
    char expected[512];
    inlay_diag *diag = inlay_diag_new();
    inlay_findings *findings = NULL;
    FILE *file = fopen(subject_mapping(), "w");
    ck_assert_ptr_nonnull(file);
    fputs(unreadable[_i].text, file);
    fclose(file);
    ck_assert_int_eq(inlay_check_file(subject_mapping(), NULL, &findings, diag), INLAY_BAD_INPUT);
    ck_assert_ptr_null(findings);
    snprintf(expected, sizeof expected, "%s%s", subject_mapping(), unreadable[_i].message);
    ck_assert_str_eq(inlay_diag_message(diag), expected);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(refuses_a_missing_file)
{
    inlay_findings *findings = NULL;
    ck_assert_int_eq(inlay_check_file(subject_mapping(), NULL, &findings, NULL), INLAY_BAD_INPUT);
    ck_assert_int_eq(inlay_check_file(NULL, NULL, &findings, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_ptr_null(findings);
}
END_TEST

Suite *suite_check(void)
{
    Suite *suite = suite_create("check");
    TCase *tests = tcase_create("check");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_test(tests, accepts_cholesky);
    tcase_add_test(tests, accepts_a_folder_of_its_own);
    tcase_add_loop_test(tests, objects_to_an_altered_field, 0, sizeof alterations / sizeof *alterations);
    tcase_add_loop_test(tests, objects_to_another_screen, 0, 3);
    tcase_add_loop_test(tests, objects_to_moved_modules, 0, DRAWS);
    tcase_add_loop_test(tests, survives_anything_anywhere, 0, SUBJECT_ODDITIES);
    tcase_add_loop_test(tests, accepts_random_mappings, 0, 10 * DRAWS);
    tcase_add_loop_test(tests, accepts_random_placements, 0, 5 * DRAWS);
    tcase_add_loop_test(tests, refuses_what_it_cannot_read, 0, sizeof unreadable / sizeof *unreadable);
    tcase_add_test(tests, refuses_a_missing_file);
    suite_add_tcase(suite, tests);
    return suite;
}

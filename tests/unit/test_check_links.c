/*
 * The independent checker on machines with links: it accepts what is mapped on every family and on machines that a file
 * gives link by link, and objects to each figure that was altered there.
 */
#include "check_subject.h"
#include "map_by_houstis.h"
#include "drawn.h"
#include "random_app.h"

#include <inlay/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Six modules between two, and data blocks: six clusters or more, whose messages go near and far. */
static const char parts[] = "digraph parts {\n"
                            "  graph [time_unit=tick];\n"
                            "  s [time=12]; t [time=9];\n"
                            "  p1 [time=30]; p2 [time=28]; p3 [time=26]; p4 [time=25]; p5 [time=31]; p6 [time=29];\n"
                            "  s -> p1 [messages=3]; s -> p2 [messages=2]; s -> p3; s -> p4; s -> p5 [messages=4];\n"
                            "  s -> p6; p1 -> t [messages=2]; p2 -> t; p3 -> t [messages=5]; p4 -> t; p5 -> t;\n"
                            "  p6 -> t; p1 -> p6 [messages=2, kind=traffic];\n"
                            "  d1 [kind=data, size=600, time=2]; d1 -> p1 [messages=3]; d1 -> p2;\n"
                            "  d2 [kind=data, size=300]; d2 -> p3; d2 -> p4 [messages=2];\n"
                            "  d3 [kind=data, size=500]; d3 -> p6 [messages=2];\n"
                            "}\n";

/* ---- One figure altered ---- */

static const char *const machines[] = {
    "mesh:3x3,capacity=2msg/tick,link_latency=0.25tick,latency=1tick,price=0.5,currency=EUR,power=90W",
    "fattree:4x2,up=1x2,cables=1x2,capacity=1msg/tick,switching=cut-through,model=mm1,link_latency=0.5tick",
    "star:8,cores=2,capacity=4msg/tick,duplex=half,speed=1.5,transfers=2",
};
enum { MACHINES = sizeof machines / sizeof *machines };

static const alteration changes[] = {
    {"messages", "+"},
    {"traffic", "+"},
    {"traffic_unit", "\"bytes\""},
    {"weighted_traffic", "+"},
    {"clusters.0.work", "+"},
    {"clusters.0.busy", "+"},
    {"clusters.1.busy", "*"},
    {"clusters.2.work", "\"12\""},
    {"clusters.0.utilisation", "*"},
    {"clusters.1.utilisation", "null"},
    {"clusters.0.messages_out", "+"},
    {"clusters.0.traffic_out", "+"},
    {"clusters.0.weighted_traffic_out", "+"},
    {"clusters.0.memory", "+"},
    {"clusters.0.processor", "8"},
    {"clusters.0.processor", "99"},
    {"network.model", "\"bus\""},
    {"network.model", "\"torus\""},
    {"network.model_number", "+"},
    {"network.free", "!"},
    {"network.u", "*"},
    {"network.u", "null"},
    {"network.u_limit", "*"},
    {"network.load", "*"},
    {"network.rho", "*"},
    {"network.rho_processor", "*"},
    {"network.delay", "*"},
    {"network.tau", "*"},
    {"network.latency", "2"},
    {"network.links", NULL},
    {"network.links", "[]"},
    {"network.links.0", "7"},
    {"network.links.0", NULL},
    {"network.links.0.name", "\"p7-p9\""},
    {"network.links.0.name", "7"},
    {"network.links.1.flows", "+"},
    {"network.links.1.traffic", "+"},
    {"network.links.2.utilisation", "*"},
    {"network.links.2.delay", "*"},
    {"options.layout", "\"far\""},
    {"options.layout", "\"scotch\""},
    {"makespan.estimate", "*"},
    {"makespan.estimate_fixed_point", "*"},
    {"makespan.estimate_fixed_point", "null"},
    {"makespan.lower_bound", "*"},
    {"makespan.bounds.critical_path", "*"},
    {"makespan.bounds.work", "*"},
    {"makespan.bounds.longest_module", "*"},
    {"makespan.gap", "*"},
    {"time_frame", "*"},
    {"time_frame", "1"},
    {"fits_with_delay", "!"},
    {"speedup", "*"},
    {"efficiency", "*"},
    {"layout", NULL},
    {"layout.in_order", "+"},
    {"layout.in_order", "null"},
    {"layout.nearest", "1"},
    {"layout.nearest", "null"},
    {"memories", "[{\"memory\": 0, \"used\": 600, \"blocks\": [\"d1\"]}]"},
    {"machine.capacity", "\"3msg/tick\""},
    {"machine.document", "\"\""},
    {"machine.colour", "\"red\""},
};
enum { CHANGES = sizeof changes / sizeof *changes };

static void map_parts(const char *machine)
{
    inlay_options options = {.has_time_frame = true, .time_frame = {{45, 0}, INLAY_UNIT_NONE}, .tick_seconds = 60};
    inlay_app *app = subject_read(parts);
    ck_assert(subject_map(app, subject_app(), machine, &options, NULL));
    inlay_app_free(app);
    subject_findings(NULL, true, machine);
}

/** What the checker says of the file with that change: findings, or that it cannot be read. */
static void objects(const alteration *change, const char *to)
{
    inlay_findings *findings = NULL;
    json_t *root = subject_load(), *before = json_deep_copy(root);
    subject_alter(root, change);
    ck_assert_msg(!json_equal(root, before), "%s: %s is unchanged", to, change->path);
    json_decref(before);
    subject_save(root);
    int status = inlay_check_file(subject_mapping(), NULL, &findings, NULL);
    ck_assert_msg(status == INLAY_BAD_INPUT || (status == INLAY_OK && inlay_findings_count(findings) > 0),
                  "%s: %s = %s passed", to, change->path, change->value ? change->value : "(removed)");
    inlay_findings_free(findings);
}

START_TEST(objects_to_an_altered_figure)
{
    map_parts(machines[_i % MACHINES]);
    objects(&changes[_i / MACHINES], machines[_i % MACHINES]);
}
END_TEST

START_TEST(survives_anything_anywhere)
{
    map_parts(machines[_i % MACHINES]);
    subject_survives(_i / MACHINES);
}
END_TEST

/** Two clusters that change places: each is still legal, and the sums are no longer those. */
START_TEST(objects_to_clusters_that_changed_places)
{
    map_parts(machines[0]);
    json_t *root = subject_load(), *clusters = json_object_get(root, "clusters");
    json_t *a = json_array_get(clusters, (size_t)_i), *b = json_array_get(clusters, (size_t)_i + 1);
    json_t *there = json_incref(json_object_get(a, "processor"));
    json_object_set(a, "processor", json_object_get(b, "processor"));
    json_object_set_new(b, "processor", there);
    subject_save(root);
    ck_assert_uint_gt(subject_findings(NULL, false, "places"), 0);
}
END_TEST

/** The clusters of one host need more memory together than it has, though each of them has enough. */
START_TEST(objects_to_a_host_that_is_too_full)
{
    static const char text[] = "digraph g { graph [time_unit=tick]; a [time=10, memory=600]; b [time=10, memory=500];"
                               " c [time=10, memory=300]; a -> b; a -> c [messages=9]; }";
    inlay_options options = {.has_time_frame = true, .time_frame = {{10, 0}, INLAY_UNIT_NONE}};
    inlay_app *app = subject_read(text);
    ck_assert(
        subject_map(app, subject_app(), "crossbar:2,cores=2,processor_memory=1000,capacity=1msg/tick", &options, NULL));
    inlay_app_free(app);
    subject_findings(NULL, true, "three clusters on two hosts");
    json_t *root = subject_load(), *clusters = json_object_get(root, "clusters");
    for (size_t c = 0; c < 3; c++) /* a and b on one host, c on the other */
        json_object_set_new(json_array_get(clusters, c), "processor", json_integer((json_int_t)c));
    subject_save(root);

    inlay_findings *findings = NULL;
    bool found = false;
    ck_assert_int_eq(inlay_check_file(subject_mapping(), NULL, &findings, NULL), INLAY_OK);
    for (size_t i = 0; i < inlay_findings_count(findings); i++)
        found |= strcmp(inlay_findings_text(findings, i), "processor 0: the memory of 1100 bytes of what runs on its "
                                                          "host is more than the 1000 there") == 0;
    ck_assert(found);
    inlay_findings_free(findings);
}
END_TEST

/** What the layout started from stands in the file, too. */
START_TEST(objects_to_another_start_of_the_layout)
{
    static const alteration starts[] = {{"layout.before.utilisation", "*"}, {"layout.before.elapsed", "*"}};
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL, *in_order = NULL;
    inlay_app *app = subject_read(parts);
    ck_assert_int_eq(inlay_machine_parse(machines[0], &machine, NULL), INLAY_OK);
    ck_assert_int_eq(map_by_houstis(app, machine, NULL, &mapping, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_mapping_in_order(mapping, &in_order, NULL), INLAY_OK);
    inlay_origin origin = {.command = "map", .app_path = subject_app(), .app_format = "dot", .in_order = in_order};
    ck_assert_int_eq(inlay_mapping_write(mapping, &origin, subject_mapping(), NULL), INLAY_OK);
    subject_findings(NULL, true, "with the start of the layout");
    objects(&starts[_i], "the start of the layout");
    inlay_mapping_free(in_order);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

/* ---- Without a fixed point, and close to saturation ---- */

/** Traffic that delays nobody needs far more time than the modules: no time frame equals its estimate. */
START_TEST(wants_null_without_a_fixed_point)
{
    static const char idle[] = "digraph idle { graph [time_unit=tick]; a [time=1]; b [time=1];"
                               " a -> b [messages=1000, kind=traffic]; }";
    static const alteration change = {"makespan.estimate_fixed_point", "1500"};
    const inlay_id apart[] = {0, 7};
    inlay_app *app = subject_read(idle);
    ck_assert(subject_map(app, subject_app(), machines[_i], NULL, apart));
    inlay_app_free(app);
    subject_findings(NULL, true, machines[_i]);
    json_t *root = subject_load();
    ck_assert(json_is_null(json_object_get(json_object_get(root, "makespan"), "estimate_fixed_point")));
    subject_alter(root, &change);
    subject_save(root);
    ck_assert_uint_gt(subject_findings(NULL, false, "a fixed point that is none"), 0);
}
END_TEST

/** T of a placement is the default, or twice what the network needs: neither the half of it nor the double. */
START_TEST(knows_the_time_frame_of_a_placement)
{
    static const char *const others[] = {"*", "100", "50", "20.5", "10000"};
    static const char heavy[] = "digraph heavy { graph [time_unit=tick]; a [time=20]; b [time=20];"
                                " a -> b [messages=50]; }";
    const inlay_id apart[] = {0, 1};
    const alteration change = {"time_frame", others[_i]};
    inlay_app *app = subject_read(heavy);
    ck_assert(subject_map(app, subject_app(), "ring:4,capacity=0.5msg/tick", NULL, apart));
    inlay_app_free(app);
    subject_findings(NULL, true, "T is raised to 200");
    json_t *root = subject_load();
    ck_assert_double_eq_tol(json_number_value(json_object_get(root, "time_frame")), 200, 1e-8);
    json_decref(root);
    objects(&change, "T is raised to 200");
}
END_TEST

/** u within the last digits of its limit: D is what they make of it. */
START_TEST(accepts_what_is_close_to_saturation)
{
    static const char heavy[] = "digraph heavy { graph [time_unit=tick]; a [time=20]; b [time=20];"
                                " a -> b [messages=30]; }";
    static const int64_t above[] = {1, 3, 1000, 1000000, 1000000000};
    const inlay_id apart[] = {0, 4};
    inlay_options options = {.has_time_frame = true,
                             .time_frame = {{INT64_C(30000000000000) + above[_i], 12}, INLAY_UNIT_NONE}};
    inlay_app *app = subject_read(heavy);
    ck_assert(subject_map(app, subject_app(), "mesh:3x3,capacity=1msg/tick", &options, apart));
    subject_findings(NULL, true, "store and forward");
    ck_assert(subject_map(app, subject_app(), "mesh:3x3,capacity=1msg/tick,switching=cut-through,model=mm1", &options,
                          apart));
    subject_findings(NULL, true, "cut through");
    inlay_app_free(app);
}
END_TEST

/* ---- Machines that a file gives ---- */

static const char unlike[] = "graph cluster {\n"
                             "  graph [network=links, switching=\"cut-through\", latency=\"0.5tick\"];\n"
                             "  node [speed=1, memory=2000]; a; b; c [cores=3]; d [speed=3]; e [speed=0.3];\n"
                             "  s [kind=switch]; r [kind=switch];\n"
                             "  edge [capacity=\"3msg/tick\"]; a -- s; b -- s; c -- s; d -- r [latency=\"2tick\"];\n"
                             "  e -- r [duplex=half]; s -- r [parallel=true, capacity=\"5msg/tick\"];\n"
                             "}\n";

/** A file of that text, whose name goes to `path`. */
static void write_machine(const char *text, char *path, size_t size)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(path, size, "%s/inlay-links-XXXXXX", temporary ? temporary : "/tmp");
    int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
    close(descriptor);
}

/** As subject_map(), onto a machine that is read from a file or a string with attributes behind it. */
static bool map_onto(const inlay_app *app, const char *machine_text, const inlay_options *options)
{
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    inlay_origin origin = {.command = "map", .app_path = subject_app(), .app_format = "dot"};
    inlay_diag *why = inlay_diag_new();
    int status = inlay_machine_read(machine_text, &machine, why);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(why));
    status = map_by_houstis(app, machine, options, &mapping, why);
    ck_assert_msg(status == INLAY_OK || status == INLAY_NO_ANSWER, "%s", inlay_diag_message(why));
    if (status == INLAY_OK) ck_assert_int_eq(inlay_mapping_write(mapping, &origin, subject_mapping(), NULL), INLAY_OK);
    inlay_diag_free(why);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    return status == INLAY_OK;
}

static void map_onto_file(const char *attributes)
{
    char path[300], machine[400];
    inlay_options options = {.has_time_frame = true, .time_frame = {{45, 0}, INLAY_UNIT_NONE}};
    inlay_app *app = subject_read(parts);
    write_machine(unlike, path, sizeof path);
    snprintf(machine, sizeof machine, "%s%s", path, attributes);
    ck_assert(map_onto(app, machine, &options));
    inlay_app_free(app);
    unlink(path); /* the mapping has all of it */
    subject_findings(NULL, true, machine);
}

static const alteration file_changes[] = {
    {"machine.document", NULL},
    {"machine.document", "7"},
    {"machine.document", "\"graph { }\""},
    {"machine.format", NULL},
    {"machine.format", "\"tgt\""},
    {"machine.network", "\"mesh\""},
    {"machine.switching", "\"store-and-forward\""},
    {"machine.switching", "7"},
    {"machine.model", "\"mm1\""},
    {"machine.model", NULL},
    {"machine.latency", "\"2tick\""},
    {"machine.latency", NULL},
    {"machine.transfers", "\"2\""},
    {"machine.colour", "\"red\""},
    {"clusters.0.busy", "+"},
    {"clusters.1.work", "+"},
    {"makespan.bounds.critical_path", "*"},
    {"makespan.bounds.work", "*"},
    {"makespan.estimate", "*"},
    {"network.u", "*"},
    {"network.tau", "*"},
    {"network.model", "\"mesh\""},
    {"speedup", "*"},
};

START_TEST(objects_to_an_altered_machine)
{
    map_onto_file(_i % 2 == 0 ? "" : ",transfers=0.5");
    objects(&file_changes[_i / 2], "a machine's file");
}
END_TEST

/** A link that is as wide again, a node that is faster: what the file says of them counts. */
START_TEST(objects_to_another_document)
{
    static const char *const others[][2] = {
        {"3msg/tick", "4msg/tick"}, {"speed=3", "speed=2"}, {"parallel=true", "parallel=false"}, {"2tick", "1tick"}};
    map_onto_file("");
    json_t *root = subject_load(), *machine = json_object_get(root, "machine");
    const char *document = json_string_value(json_object_get(machine, "document"));
    const char *at = strstr(document, others[_i][0]);
    char text[2000];
    ck_assert_ptr_nonnull(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - document), document, others[_i][1], at + strlen(others[_i][0]));
    json_object_set_new(machine, "document", json_string(text));
    subject_save(root);
    ck_assert_uint_gt(subject_findings(NULL, false, others[_i][1]), 0);
}
END_TEST

START_TEST(survives_anything_on_a_file)
{
    map_onto_file("");
    subject_survives(_i);
}
END_TEST

/* ---- Random applications ---- */

/* The first of each kind go with applications in ticks alone; the last ones carry messages for free where times are in s. */
enum { TICKS = 2 };
static const char *const random_machines[] = {
    "mesh:4x4,capacity=2msg",
    "crossbar:9,capacity=30B/tick,link_latency=3",
    "crossbar:16,capacity=40msg/us,message_size=512",
    "star:12,capacity=3KB/ms,link_latency=1us,latency=2us,switching=cut-through",
    "ring:9,capacity=20msg/us,model=mm1,duplex=half",
    "mesh:5x3,capacity=8msg/us,message_size=256,processor_memory=1MiB",
    "mesh:2x3x4,capacity=4KB/ms,cores=2,processor_memory=1MiB",
    "torus:4x4,capacity=30msg/ms,model=mm1,switching=cut-through,transfers=2",
    "torus:3x3x2,capacity=1MB/s,link_latency=200ns,speed=2",
    "hypercube:16,capacity=2msg/us,link_latency=100ns",
    "tree:4x4,capacity=7msg/us,speed=0.7,latency=3us",
    "fattree:4x4,up=2x3,cables=1x2,capacity=7msg/us,switching=cut-through",
    "dragonfly:3x2x2x2,cables=3x2x1,capacity=5msg/us,cores=2",
    "mesh:4x4,link_latency=1us",
    "dragonfly:2x2x2x2,cables=3x2x1",
    "crossbar:12,speed=3",
    "mesh:2x3,capacity=4KB/ms,cores=2,o_send=1us:1ns/300:3us,o_recv=2us",
    "mesh:2x3,capacity=4KB/ms,cores=2,latency_by_size=1us:1ns/300:3us",
    "star:9,capacity=8msg/us,broadcast=tree,o_send=300ns,o_recv=0:1us/100:2us",
    "mesh:2x3,capacity=4KB/ms,cores=2,o_send=1us:1ns/300:3us,rendezvous=late,eager_limit=300",
    "star:9,capacity=8msg/us,rendezvous=late",
};
enum { RANDOM_MACHINES = sizeof random_machines / sizeof *random_machines };

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
    int64_t first = inlay_app_unit(app) == INLAY_UNIT_TICK ? 0 : TICKS;
    return random_machines[first + random_below(state, RANDOM_MACHINES - first)];
}

/** The method's mapping, or that of a random placement. */
START_TEST(accepts_random_mappings)
{
    uint64_t state = (uint64_t)_i;
    random_times times;
    inlay_id placement[RANDOM_MODULES];
    unsigned features = (unsigned)random_below(&state, RANDOM_EVERYTHING + 1);
    inlay_id modules = (inlay_id)(1 + random_below(&state, RANDOM_MODULES));
    inlay_app *app = random_app(&state, modules, features, &times);
    ck_assert_int_eq(inlay_app_write(app, subject_app(), "dot", NULL), INLAY_OK);
    inlay_options options = random_options(&state, features & RANDOM_BLOCKING);
    const char *machine = random_machine(&state, app);
    if (subject_map(app, subject_app(), machine, &options, NULL)) subject_findings(NULL, true, machine);
    options.processors = 0; /* a placement may use every processor of the machine */
    for (inlay_id i = 0; i < modules; i++)
        placement[i] = (inlay_id)random_below(&state, 9);
    if (subject_map(app, subject_app(), machine, &options, placement)) subject_findings(NULL, true, machine);
    inlay_app_free(app);
}
END_TEST

/** Machines of the repository. */
static const char *const files[] = {"architectures/unlike-ticks.dot", "architectures/unlike-hosts.dot",
                                    "architectures/mesh16.dot", "architectures/torus64-cluster.dot"};

START_TEST(accepts_machines_of_files)
{
    uint64_t state = (uint64_t)_i;
    random_times times;
    unsigned features = (unsigned)random_below(&state, RANDOM_EVERYTHING + 1);
    inlay_app *app = random_app(&state, (inlay_id)(1 + random_below(&state, RANDOM_MODULES)), features, &times);
    ck_assert_int_eq(inlay_app_write(app, subject_app(), "dot", NULL), INLAY_OK);
    inlay_options options = random_options(&state, features & RANDOM_BLOCKING);
    const char *machine = files[_i % 4];
    if (map_onto(app, machine, &options)) subject_findings(NULL, true, machine);
    inlay_app_free(app);
}
END_TEST

enum { DRAWS = DRAWN_CHECK_LINKS };

Suite *suite_check_links(void)
{
    Suite *suite = suite_create("check_links");
    TCase *tests = tcase_create("check_links");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_loop_test(tests, objects_to_an_altered_figure, 0, CHANGES * MACHINES);
    tcase_add_loop_test(tests, survives_anything_anywhere, 0, SUBJECT_ODDITIES * MACHINES);
    tcase_add_loop_test(tests, objects_to_clusters_that_changed_places, 0, 4);
    tcase_add_test(tests, objects_to_a_host_that_is_too_full);
    tcase_add_loop_test(tests, objects_to_another_start_of_the_layout, 0, 2);
    tcase_add_loop_test(tests, wants_null_without_a_fixed_point, 0, MACHINES);
    tcase_add_loop_test(tests, knows_the_time_frame_of_a_placement, 0, 5);
    tcase_add_loop_test(tests, accepts_what_is_close_to_saturation, 0, 5);
    tcase_add_loop_test(tests, objects_to_an_altered_machine, 0, 2 * (int)(sizeof file_changes / sizeof *file_changes));
    tcase_add_loop_test(tests, objects_to_another_document, 0, 4);
    tcase_add_loop_test(tests, survives_anything_on_a_file, 0, SUBJECT_ODDITIES);
    tcase_add_loop_test(tests, accepts_random_mappings, 0, DRAWS);
    tcase_add_loop_test(tests, accepts_machines_of_files, 0, DRAWS);
    suite_add_tcase(suite, tests);
    return suite;
}

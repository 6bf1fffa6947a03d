/*
 * The independent checker on the five machines: it takes the golden numbers of the delay models for right, accepts what
 * is mapped on every network, and objects to each figure that was altered there.
 */
#include "base/plain.h"
#include "check_subject.h"
#include "slow_network.h"

#include <inlay/io.h>
#include <stdio.h>
#include <string.h>

/* ---- Golden delays ---- */

/* A table of the golden file, and the machine of each row. */
typedef struct golden {
    const char *table;
    void (*machine)(const json_t *row, char *text, size_t size);
    double (*rate)(const json_t *row); /* u x T over the messages sent */
} golden;

static int whole(const json_t *row, const char *name)
{
    return (int)delay_number(row, name);
}

static void common_bus(const json_t *row, char *text, size_t size)
{
    snprintf(text, size, "bus:%d,memory=common", whole(row, "k"));
}

static void distributed_bus(const json_t *row, char *text, size_t size)
{
    snprintf(text, size, "bus:%d,memory=distributed", whole(row, "k"));
}

static void multibus(const json_t *row, char *text, size_t size)
{
    snprintf(text, size, "multibus:%d,memories=%d,buses=%d", whole(row, "k"), whole(row, "m"), whole(row, "b"));
}

static void omega(const json_t *row, char *text, size_t size)
{
    plain_print(text, size, "omega:%d,switch=%d,packets=%d,transit=%gtick,cycle=%gtick", whole(row, "k"),
                whole(row, "n"), whole(row, "m"), delay_number(row, "t_r"), delay_number(row, "t_c"));
}

static void omega_pe(const json_t *row, char *text, size_t size)
{
    int k = (int)lround(pow(delay_number(row, "n"), delay_number(row, "stages")));
    snprintf(text, size, "omega-pe:%d,switch=%d,packets=%d", k, whole(row, "n"), whole(row, "m"));
}

static double one(const json_t *row)
{
    (void)row;
    return 1;
}

static double cycle(const json_t *row)
{
    return delay_number(row, "t_c");
}

static double share_of_port(const json_t *row)
{
    return delay_number(row, "m") / pow(delay_number(row, "n"), delay_number(row, "stages"));
}

static const golden goldens[] = {
    {"models_1_2", common_bus, one}, {"models_1_2", distributed_bus, one}, {"model_3", multibus, one},
    {"model_4", omega, cycle},       {"model_5", omega_pe, share_of_port},
};

/*
 * Two modules on two processors, whose messages make the row's u within a T that is a power of ten or a simple part of
 * it; false where the u saturates the network or there is no second processor.
 */
static bool map_row(const golden *g, const json_t *row)
{
    const inlay_id apart[] = {0, 1};
    char machine[200], graph[200];
    double messages = 1e9 * delay_number(row, "u"), frame = 1e9 * g->rate(row);
    inlay_options options = {.has_time_frame = true};

    g->machine(row, machine, sizeof machine);
    while (frame != floor(frame)) {
        frame *= 2;
        messages *= 2;
    }
    ck_assert_int_eq(inlay_decimal_from_double(frame, &options.time_frame.value), INLAY_OK);
    plain_print(graph, sizeof graph,
                "digraph g { graph [time_unit=tick]; a [time=1]; b [time=1]; a -> b [messages=%.0f]; }", messages);
    inlay_app *app = subject_read(graph);
    bool mapped = !strstr(machine, ":1,") && subject_map(app, subject_app(), machine, &options, apart);
    inlay_app_free(app);
    return mapped;
}

static void set_golden(json_t *root, const char *name, double value)
{
    json_object_set_new(json_object_get(root, "network"), name, json_real(value));
}

/* The row's own numbers stand in the file instead of the library's: they are right, and no longer when altered. */
static void judge_row(const golden *g, const json_t *row)
{
    static const char *const names[] = {"rho", "D"}, *const fields[] = {"rho", "delay"};
    for (int altered = -1; altered < 2; altered++) {
        json_t *root = subject_load();
        for (int i = 0; i < 2; i++)
            set_golden(root, fields[i], delay_number(row, names[i]) * (i == altered ? 1 + 1e-6 : 1));
        subject_save(root);
        size_t findings = subject_findings(NULL, altered < 0, g->table);
        bool zero = altered >= 0 && delay_number(row, names[altered]) == 0;
        ck_assert_msg(zero || altered < 0 || findings > 0, "%s: u = %g: %s altered", g->table, delay_number(row, "u"),
                      names[altered]);
    }
}

START_TEST(takes_golden_delays)
{
    const golden *g = &goldens[_i];
    json_t *root, *row;
    size_t at;
    int judged = 0;
    const json_t *rows = delay_rows(g->table, &root);
    if (!rows) return;
    json_array_foreach(rows, at, row)
    {
        if (!map_row(g, row)) continue;
        judge_row(g, row);
        judged++;
    }
    ck_assert_int_gt(judged, 5);
    json_decref(root);
}
END_TEST

/* ---- One figure altered, on each network ---- */

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

enum { MULTIBUS = 1, OMEGA = 2, OMEGA_PE = 4, COMMON = MULTIBUS | OMEGA, ALL = COMMON | OMEGA_PE };

/** One a bit of the enumeration: memory without a limit, with one, and no common memory. */
static const char *const networks[] = {"multibus:8,memories=3,buses=2",
                                       "omega:8,packets=2,cycle=0.5tick,common_memory=1000",
                                       ("omega-pe:8,packets=2,cycle=0.5tick,latency=1tick,price=0.5,currency=EUR,"
                                        "power=90W")};
enum { NETWORKS = sizeof networks / sizeof *networks };

static const struct {
    unsigned on;
    alteration change;
} changes[] = {
    {ALL, {"weighted_traffic", "+"}},
    {ALL, {"weighted_traffic", NULL}},
    {ALL, {"clusters.0.weighted_traffic_out", "+"}},
    {ALL, {"clusters.1.weighted_traffic_out", "77"}},
    {ALL, {"clusters.0.utilisation", "*"}},
    {ALL, {"network.model", "\"bus\""}},
    {ALL, {"network.model_number", "+"}},
    {ALL, {"network.model_number", "null"}},
    {ALL, {"network.free", "!"}},
    {ALL, {"network.u", "*"}},
    {ALL, {"network.u_limit", "*"}},
    {ALL, {"network.load", "*"}},
    {ALL, {"network.rho", "*"}},
    {ALL, {"network.rho_processor", "*"}},
    {ALL, {"network.rho_processor", "null"}},
    {ALL, {"network.delay", "*"}},
    {ALL, {"network.tau", "*"}},
    {ALL, {"network.latency", "2"}},
    {ALL, {"makespan.estimate", "*"}},
    {ALL, {"makespan.estimate_fixed_point", "*"}},
    {ALL, {"makespan.estimate_fixed_point", "null"}},
    {ALL, {"time_frame", "*"}},
    {ALL, {"time_frame", "1"}},
    {ALL, {"fits_with_delay", "!"}},
    {ALL, {"layout", NULL}},
    {ALL, {"layout", "[]"}},
    {ALL, {"memories", NULL}},
    {ALL, {"memories", "{}"}},
    {COMMON, {"layout.in_order", "40"}},
    {COMMON, {"layout.nearest", "40"}},
    {COMMON, {"layout.nearest", NULL}},
    {COMMON, {"clusters.0.processor", "7"}},
    {COMMON, {"memories", "[]"}},
    {COMMON, {"memories.0", NULL}},
    {COMMON, {"memories.0", "7"}},
    {COMMON, {"memories.0.memory", "8"}},
    {COMMON, {"memories.0.memory", "-1"}},
    {MULTIBUS, {"memories.0.memory", "2"}},
    {COMMON, {"memories.0.memory", "\"0\""}},
    {COMMON, {"memories.0.used", "+"}},
    {COMMON, {"memories.0.used", NULL}},
    {COMMON, {"memories.0.blocks", "[]"}},
    {COMMON, {"memories.0.blocks", NULL}},
    {COMMON, {"memories.0.blocks.0", NULL}},
    {COMMON, {"memories.0.blocks.0", "\"d9\""}},
    {COMMON, {"memories.0.blocks.0", "\"p1\""}},
    {COMMON, {"memories.0.blocks.0", "3"}},
    {COMMON, {"memories", "[{\"memory\": 0, \"used\": 1400, \"blocks\": [\"d1\", \"d2\", \"d3\"]}]"}},
    {COMMON,
     {"memories", "[{\"memory\": 0, \"used\": 900, \"blocks\": [\"d2\", \"d1\"]},"
                  " {\"memory\": 1, \"used\": 500, \"blocks\": [\"d3\"]}]"}},
    {COMMON,
     {"memories", "[{\"memory\": 0, \"used\": 900, \"blocks\": [\"d1\", \"d2\"]},"
                  " {\"memory\": 1, \"used\": 1100, \"blocks\": [\"d1\", \"d3\"]}]"}},
    {COMMON,
     {"memories", "[{\"memory\": 1, \"used\": 900, \"blocks\": [\"d1\", \"d2\"]},"
                  " {\"memory\": 0, \"used\": 500, \"blocks\": [\"d3\"]}]"}},
    {MULTIBUS,
     {"memories", "[{\"memory\": 0, \"used\": 900, \"blocks\": [\"d1\", \"d2\"]},"
                  " {\"memory\": 1, \"used\": 500, \"blocks\": [\"d3\"]}]"}},
    {OMEGA_PE, {"run", NULL}},
    {OMEGA_PE, {"run", "null"}},
    {OMEGA_PE, {"run.seconds", "*"}},
    {OMEGA_PE, {"run.seconds", "null"}},
    {OMEGA_PE, {"run.price", "*"}},
    {OMEGA_PE, {"run.price", "null"}},
    {OMEGA_PE, {"run.currency", "\"USD\""}},
    {OMEGA_PE, {"run.currency", "null"}},
    {OMEGA_PE, {"run.energy", "*"}},
    {OMEGA_PE, {"run.energy", "null"}},
    {OMEGA_PE, {"run.energy", NULL}},
    {COMMON, {"run", "{}"}},
    {OMEGA_PE, {"layout.in_order", "+"}},
    {OMEGA_PE, {"layout.in_order", "null"}},
    {OMEGA_PE, {"layout.nearest", "null"}},
    {OMEGA_PE, {"layout.nearest", "20"}},
    {OMEGA_PE, {"layout.nearest", NULL}},
    {OMEGA_PE, {"memories", "[{\"memory\": 0, \"used\": 600, \"blocks\": [\"d1\"]}]"}},
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

START_TEST(objects_to_an_altered_figure)
{
    const alteration *change = &changes[_i / NETWORKS].change;
    int network = _i % NETWORKS;
    if (!(changes[_i / NETWORKS].on & 1U << network)) return;
    map_parts(networks[network]);
    json_t *root = subject_load(), *before = json_deep_copy(root);
    subject_alter(root, change);
    ck_assert_msg(!json_equal(root, before), "%s: %s is unchanged", networks[network], change->path);
    json_decref(before);
    subject_save(root);
    ck_assert_msg(subject_findings(NULL, false, change->path) > 0, "%s: %s = %s passed", networks[network],
                  change->path, change->value ? change->value : "(removed)");
}
END_TEST

START_TEST(survives_anything_anywhere)
{
    map_parts(networks[_i % NETWORKS]);
    subject_survives(_i / NETWORKS);
}
END_TEST

/** Where memories have a limit, a block may stand elsewhere than in that of its home. */
START_TEST(accepts_another_memory_under_a_limit)
{
    static const alteration change = {"memories", "[{\"memory\": 2, \"used\": 900, \"blocks\": [\"d1\", \"d2\"]},"
                                                  " {\"memory\": 7, \"used\": 500, \"blocks\": [\"d3\"]}]"};
    map_parts(networks[1]);
    json_t *root = subject_load();
    subject_alter(root, &change);
    json_t *bounds = json_object_get(json_object_get(root, "makespan"), "placement_bounds");
    json_object_set_new(bounds, "memory", json_integer(2)); /* both are read out of one memory */
    subject_save(root);
    subject_findings(NULL, true, "blocks packed in another way");
}
END_TEST

/** Traffic that delays nobody needs far more time than the modules: no time frame equals its estimate, on no network. */
START_TEST(wants_null_without_a_fixed_point)
{
    static const char idle[] = "digraph idle { graph [time_unit=tick]; a [time=1]; b [time=1];"
                               " a -> b [messages=1000, kind=traffic]; }";
    static const alteration change = {"makespan.estimate_fixed_point", "1500"};
    const inlay_id apart[] = {0, 1};
    const inlay_options options = {.processors = 8};
    inlay_app *app = subject_read(idle);
    ck_assert(subject_map(app, subject_app(), networks[_i], &options, apart));
    inlay_app_free(app);
    subject_findings(NULL, true, networks[_i]);
    json_t *root = subject_load();
    ck_assert(json_is_null(json_object_get(json_object_get(root, "makespan"), "estimate_fixed_point")));
    subject_alter(root, &change);
    subject_save(root);
    ck_assert_uint_gt(subject_findings(NULL, false, "a fixed point that is none"), 0);
}
END_TEST

/* ---- Mappings that are right ---- */

/** Near saturation, where the last bits of u decide rho and D; far beyond any traffic; without anything to send. */
static const char *const unusual[] = {
    "multibus:8,memories=4,buses=3,model=occupancy",
    "multibus:8,memories=2,buses=2",
    "multibus:10000,memories=1000,buses=100",
    "multibus:10000,memories=10000,buses=5000,model=occupancy",
    "multibus:64,memories=32,buses=16,capacity=0.001msg/tick",
    "multibus:8,memories=4,buses=3,capacity=1e-9msg/tick",
    "multibus:8,memories=1,buses=1,transfers=1000",
    "omega:8,cycle=100tick,transit=0tick",
    "omega:6561,switch=3,packets=7,cycle=1000tick,latency=3tick",
    "omega:8,switch=8,packets=64,cycle=0.001tick,transfers=0.5",
    "omega-pe:8,cycle=1000tick",
    "omega-pe:16,switch=16,packets=3",
    "omega-pe:4096,switch=2,cycle=1000000tick,packets=50",
};

/* T by default, which is raised to the least that does not saturate the network. */
START_TEST(accepts_unusual_networks)
{
    const char *machine = unusual[_i];
    const inlay_id apart[] = {0, 1, 2, 3, 4, 5, 6, 7}, together[8] = {0};
    inlay_options options = {.processors = 8};
    inlay_app *app = subject_read(parts);
    ck_assert(subject_map(app, subject_app(), machine, &options, NULL));
    subject_findings(NULL, true, machine);
    ck_assert(subject_map(app, subject_app(), machine, &options, apart));
    subject_findings(NULL, true, machine);
    ck_assert(subject_map(app, subject_app(), machine, &options, together));
    subject_findings(NULL, true, machine);
    inlay_app_free(app);
}
END_TEST

Suite *suite_check_machines(void)
{
    Suite *suite = suite_create("check_machines");
    TCase *tests = tcase_create("check_machines");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_loop_test(tests, takes_golden_delays, 0, sizeof goldens / sizeof *goldens);
    tcase_add_loop_test(tests, objects_to_an_altered_figure, 0, CHANGES * NETWORKS);
    tcase_add_loop_test(tests, survives_anything_anywhere, 0, SUBJECT_ODDITIES * NETWORKS);
    tcase_add_test(tests, accepts_another_memory_under_a_limit);
    tcase_add_loop_test(tests, wants_null_without_a_fixed_point, 0, NETWORKS);
    tcase_add_loop_test(tests, accepts_unusual_networks, 0, sizeof unusual / sizeof *unusual);
    suite_add_tcase(suite, tests);
    return suite;
}

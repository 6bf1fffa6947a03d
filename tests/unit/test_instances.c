/* DAGBench and DSLab: applications and machines by hand, and what is said of bad files. */
#include "unit.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TASKS                                                                                                          \
    "{\"name\": \"i\", \"task_graph\": {\"tasks\": [{\"name\": \"a\", \"cost\": 0.5}, {\"name\": \"b\", \"cost\": "    \
    "2}],\n"
#define DEPENDS "\"dependencies\": [{\"source\": \"b\", \"target\": \"a\", \"size\": 0.25}]}"
#define NODES   ",\n\"network\": {\"nodes\": [{\"name\": \"x\", \"speed\": 2}, {\"name\": \"y\", \"speed\": 4}],\n"
#define EDGES                                                                                                          \
    "\"edges\": [{\"source\": \"x\", \"target\": \"x\", \"speed\": 1e9}, {\"source\": \"x\", \"target\": \"y\", "      \
    "\"speed\": 8},"
#define BACK " {\"source\": \"y\", \"target\": \"x\", \"speed\": 8}]}}"

static const char dag[] =
    "# A comment\n"
    "inputs:\n  - name: in\n    size: 5\n"
    "tasks:\n"
    "  - name: a\n    flops: 2.5\n    inputs:\n      - in\n    outputs:\n"
    "      - name: p\n        size: 3\n      - {name: q, size: 4}\n"
    "  - name: b\n    flops: 1\n    memory: 10\n    min_cores: 2\n    inputs: [p]\n    outputs: []\n"
    "  - name: c\n    flops: 0\n    inputs: [q, p]\n    outputs:\n      - {size: 1, name: r}\n";

static bool has_yaml(void)
{
    for (size_t i = 0; i < inlay_extras(); i++)
        if (strcmp(inlay_extra_at(i).name, "yaml") == 0) return inlay_extra_at(i).is_in;
    return false;
}

static void expect_app(const char *data, const char *expected)
{
    char text[512];
    size_t used = 0;
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_read_memory(data, strlen(data), "in", NULL, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    for (inlay_id i = 0; i < inlay_app_modules(app); i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s %d %" PRId64 " %d;", inlay_app_module_name(app, i),
                             (int)(10 * inlay_app_in_units(app, inlay_app_time(app, i))), inlay_app_memory(app, i),
                             (int)inlay_app_cores(app, i));
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++)
            used += (size_t)snprintf(text + used, sizeof text - used, " %d-%d %" PRId64, (int)i, (int)out.module[l],
                                     out.bytes[l]);
    }
    ck_assert_str_eq(text, expected);
    inlay_app_free(app);
    inlay_diag_free(diag);
}

START_TEST(applications)
{
    expect_app(TASKS DEPENDS NODES EDGES BACK, "a 5 0 1;b 20 0 1; 1-0 250000");
    if (has_yaml()) expect_app(dag, "a 25 0 1;b 10 10000000 2;c 0 0 1; 0-1 3000000 0-2 7000000");
}
END_TEST

static void expect_machine(const char *data, inlay_id hosts, inlay_id processors, int32_t links, double speed)
{
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_machine_read_memory(data, strlen(data), "in", NULL, &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_int_eq(inlay_machine_hosts(machine), hosts);
    ck_assert_int_eq(inlay_machine_processors(machine), processors);
    inlay_machine_facts facts = {0};
    ck_assert_int_eq(inlay_machine_describe(machine, &facts, diag), INLAY_OK);
    int32_t cables = 0;
    for (size_t i = 0; i < facts.link_kind_count; i++)
        cables += facts.link_kinds[i].links;
    ck_assert_int_eq(cables, links);
    ck_assert_double_eq_tol(inlay_machine_processor(machine, 0).speed, speed, 1e-12);
    inlay_machine_facts_clear(&facts);
    inlay_machine_free(machine);
    inlay_diag_free(diag);
}

#define SYSTEM                                                                                                         \
    "resources:\n  - {name: x, speed: 5, cores: 2}\n  - {name: y, speed: 10}\n  - {name: z, speed: 10}\nnetwork:\n  "

START_TEST(machines)
{
    expect_machine(TASKS DEPENDS NODES EDGES BACK, 2, 2, 2, 2);
    if (!has_yaml()) return;
    expect_machine(SYSTEM "model: ConstantBandwidth\n  bandwidth: 100\n  latency: 10\n", 3, 4, 6, 0.5);
    expect_machine(SYSTEM "model: TopologyAware\n  topology: star\n  link_bandwidth: 1\n  link_latency: 0\n", 3, 4, 6,
                   0.5);
    expect_machine(SYSTEM "model: TopologyAware\n  topology: full_mesh\n  link_bandwidth: 1\n", 3, 4, 6, 0.5);
}
END_TEST

/* Where either would do, a file with both is the application. */
START_TEST(either)
{
    static const char data[] = TASKS DEPENDS NODES EDGES BACK;
    char path[] = "/tmp/inlay-unit-either.json";
    FILE *file = fopen(path, "w");
    ck_assert(file != NULL && fputs(data, file) >= 0 && fclose(file) == 0);
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_app_or_machine_read(path, NULL, &app, &machine, NULL), INLAY_OK);
    ck_assert(app != NULL && machine == NULL);
    ck_assert_int_eq(inlay_machine_read(path, &machine, NULL), INLAY_OK);
    remove(path);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

static const struct {
    const char *data, *message;
    bool machine, yaml;
} bad[] = {
    {TASKS "\"dependencies\": [{\"source\": \"z\", \"target\": \"a\", \"size\": 1}]}}",
     "in:2: unknown module 'z'; expected the name of a task", false, false},
    {"{\"task_graph\": {\"tasks\": [\n{\"name\": \"a\", \"cost\": -1}]}}",
     "in:2: task_graph.tasks[0].cost is -1; expected a number, 0 or more", false, false},
    {TASKS DEPENDS NODES "\"edges\": [{\"source\": \"x\", \"target\": \"y\", \"speed\": 0}]}}",
     "in:4: network.edges[0].speed is 0; expected a speed above 0", true, false},
    {TASKS DEPENDS NODES "\"edges\": [{\"source\": \"x\", \"target\": \"q\", \"speed\": 1}]}}",
     "in:4: unknown node 'q'; expected the name of one", true, false},
    {"tasks:\n  - name: a\n    flops: x\n", "in:3: flops 'x' cannot be read; expected Gflop, 0 or more", false, true},
    {"tasks:\n  - name: a\n", "in:2: a task without flops; expected flops", false, true},
    {"tasks:\n  - name: a\n    flops: 1\n    inputs: [p]\n",
     "in: nobody writes 'p'; expected an output of a task or one of the inputs", false, true},
    {"tasks:\n  - &t {name: a, flops: 1}\n  - *t\n", "in:3: an alias; expected a DSLab DAG", false, true},
    {"tasks:\n  - [[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]\n", "in:2: values nested too deep; expected a DSLab DAG", false,
     true},
    {"tasks:\n  - name: 'a\n", "in:3: not valid YAML (found unexpected end of stream); expected a DSLab DAG", false,
     true},
    {"resources:\n  - name: x\nnetwork:\n  model: ConstantBandwidth\n  bandwidth: 1\n",
     "in:2: a resource without speed; expected speed", true, true},
    {"resources:\n  - {name: x, speed: 0}\n", "in:2: speed '0' cannot be read; expected a number above 0", true, true},
    {"resources:\n  - {name: x, speed: 1}\nnetwork:\n  model: SharedBandwidth\n",
     "in: a network of model 'SharedBandwidth'; expected ConstantBandwidth, or TopologyAware of a star or a full_mesh",
     true, true},
};

START_TEST(bad_files)
{
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    const char *data = bad[_i].data;
    if (bad[_i].yaml && !has_yaml()) return;
    int status = bad[_i].machine ? inlay_machine_read_memory(data, strlen(data), "in", NULL, &machine, diag)
                                 : inlay_app_read_memory(data, strlen(data), "in", NULL, &app, diag);
    ck_assert_str_eq(inlay_diag_message(diag), bad[_i].message);
    ck_assert_int_eq(status, INLAY_BAD_INPUT);
    ck_assert(app == NULL && machine == NULL);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_instances(void)
{
    Suite *suite = suite_create("instances");
    TCase *tests = tcase_create("files");
    tcase_add_test(tests, applications);
    tcase_add_test(tests, machines);
    tcase_add_test(tests, either);
    tcase_add_loop_test(tests, bad_files, 0, (int)(sizeof bad / sizeof *bad));
    suite_add_tcase(suite, tests);
    return suite;
}

/* Modules of several cores: placements read and written, methods that lay them on hosts, and what is refused. */
#include "check_subject.h"
#include "graph/app.h"
#include "random_app.h"
#include "sound_run.h"
#include "unit.h"
#include <inlay/inlay.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20, SEEDS = 100, CASES = 510 };

/** A random application without pins, as the file subject_app() has it; up to `most` cores a module. */
static inlay_app *draw_app(uint64_t *state, int32_t most)
{
    random_times times;
    inlay_app *app = NULL;
    inlay_id modules = 1 + (inlay_id)random_below(state, MOST);
    unsigned features = (unsigned)random_next(state) & RANDOM_EVERYTHING & ~(unsigned)(RANDOM_PINS | RANDOM_MEMORY);
    inlay_app *drawn = random_app(state, modules, features, &times);
    drawn->cores = calloc((size_t)modules, sizeof *drawn->cores);
    for (inlay_id i = 0; i < modules; i++)
        drawn->cores[i] = 1 + (int32_t)(random_once_in(state, 3) ? random_below(state, most) : 0);
    ck_assert_int_eq(inlay_app_write(drawn, subject_app(), "dot", NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_read(subject_app(), NULL, &app, NULL), INLAY_OK);
    inlay_app_free(drawn);
    return app;
}

static void write_mapping(const inlay_mapping *mapping, const char *command)
{
    const inlay_origin origin = {.command = command, .app_path = subject_app()};
    ck_assert_int_eq(inlay_mapping_write(mapping, &origin, subject_mapping(), NULL), INLAY_OK);
}

/** On the lowest of its processors. */
static double time_of(const inlay_mapping *mapping, inlay_id module)
{
    inlay_cluster_info own = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, module));
    const inlay_app *app = inlay_mapping_app(mapping);
    return inlay_app_in_units(app, inlay_app_time(app, module)) /
           inlay_machine_processor(inlay_mapping_machine(mapping), own.processor).speed;
}

/** Every module stands in as many lists as it has cores, on different processors of one host; lists never overlap in time. */
static void expect_held(const inlay_mapping *mapping)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    const inlay_machine *machine = inlay_mapping_machine(mapping);
    inlay_id met[MOST] = {0}, host[MOST], clusters = inlay_mapping_summary(mapping)->clusters;
    double total = 0, busy = 0;
    for (inlay_id c = 0; c < clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(mapping, c);
        double free_at = 0;
        busy += info.busy;
        for (inlay_id k = 0; k < info.modules; k++) {
            inlay_id i = info.module[k];
            inlay_id at = inlay_machine_has_links(machine) ? inlay_machine_host(machine, info.processor) : 0;
            ck_assert(met[i] == 0 || host[i] == at);
            host[i] = at;
            met[i]++;
            ck_assert_double_ge(inlay_mapping_start(mapping, i), free_at);
            free_at = inlay_mapping_start(mapping, i) + time_of(mapping, i);
        }
    }
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        ck_assert_int_eq(met[i], inlay_app_cores(app, i));
        total += inlay_app_cores(app, i) * time_of(mapping, i);
    }
    ck_assert_double_eq_tol(busy, total, 1e-9 * (1 + total));
}

/* Machines that have a host of four cores, most with links, the last three of unlike hosts. */
static const char *const machines[] = {
    "bus:8,memory=common",
    "omega:8",
    "star:2,cores=4,capacity=1MB/s,latency=1ms",
    "ring:3,cores=4,capacity=20kB/s,latency=1ms",
    "mesh:2x2,cores=4,capacity=2MB/s,switching=cut-through,link_latency=1ms",
    "fattree:2x2,cores=5,capacity=1MB/s,broadcast=tree",
    "graph m { graph [network=links]; a [cores=4, speed=2]; b [cores=2]; edge [capacity=\"1MB/s\"]; a -- b; }",
    "graph m { graph [network=links]; a; b [cores=4, speed=0.5]; c [cores=6, speed=3]; d [cores=2];"
    " edge [capacity=\"50kB/s\"]; a -- b -- c -- d; }",
    "graph m { graph [network=links]; a [cores=3]; b [cores=4, speed=2]; c [cores=4]; s [kind=switch];"
    " edge [capacity=\"2MB/s\", latency=\"1ms\"]; a -- s; b -- s; c -- s; }",
};

enum { MACHINES = sizeof machines / sizeof *machines, UNLIKE = 3 };

static inlay_machine *machine_numbered(int number)
{
    const char *text = machines[number];
    inlay_machine *machine = NULL;
    int status = text[0] == 'g' ? inlay_machine_read_memory(text, strlen(text), "m.dot", "dot", &machine, NULL)
                                : inlay_machine_parse(text, &machine, NULL);
    ck_assert_msg(status == INLAY_OK, "%s", text);
    return machine;
}

/* Under the same options; returns whether some method takes longer. */
static bool expect_shortest(const inlay_mapping *best, const inlay_options *asked)
{
    bool longer = false;
    for (size_t k = 0; k < inlay_methods(); k++) {
        inlay_options options = *asked;
        inlay_mapping *other = NULL;
        options.method = inlay_method_at(k);
        if (inlay_map(inlay_mapping_app(best), inlay_mapping_machine(best), &options, &other, NULL) != INLAY_OK)
            continue;
        double elapsed = inlay_mapping_summary(best)->elapsed, its = inlay_mapping_summary(other)->elapsed;
        ck_assert_double_le(elapsed, its);
        longer |= elapsed < its;
        inlay_mapping_free(other);
    }
    return longer;
}

START_TEST(methods_hold_cores)
{
    int wide = 0, reduced = 0, refused = 0, longer = 0;
    for (int seed = 1; seed <= CASES; seed++) {
        uint64_t state = (uint64_t)seed;
        inlay_app *app = draw_app(&state, 4);
        int number = (int)random_below(&state, MACHINES);
        inlay_machine *machine = machine_numbered(number);
        inlay_mapping *mapping = NULL;
        inlay_diag *diag = inlay_diag_new();
        inlay_options options = {.method = inlay_method_at((size_t)seed % inlay_methods()),
                                 .tick_seconds = 1e-3,
                                 .reduce = seed % 3 ? INLAY_REDUCE_H2 : INLAY_REDUCE_H1};
        if (random_once_in(&state, 4)) options.processors = inlay_machine_processors(machine) - 1;
        int status = inlay_map(app, machine, &options, &mapping, diag);
        bool merges = !options.method->places && number >= MACHINES - UNLIKE;
        int expected = merges && app->cores != NULL ? INLAY_BAD_ARGUMENT : INLAY_OK;
        ck_assert_msg(status == expected, "seed %d: %s", seed, inlay_diag_message(diag));
        if (status == INLAY_OK) {
            expect_held(mapping);
            write_mapping(mapping, "map");
            subject_findings(NULL, true, "as it was written");
            wide += app->cores != NULL;
            if (strcmp(options.method->name, "best") == 0) longer += expect_shortest(mapping, &options);
            reduced += inlay_mapping_summary(mapping)->reduced_from >= 0;
        } else {
            refused++;
        }
        inlay_diag_free(diag);
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    ck_assert_int_gt(wide, CASES / 2);
    ck_assert_int_gt(reduced, CASES / 100);
    ck_assert_int_gt(refused, CASES / 100);
    ck_assert_int_gt(longer, CASES / 100);
}
END_TEST

/** Takes a module out of a list, or puts it into one more; false where that is not possible. */
static bool disturb(uint64_t *state)
{
    json_t *root = subject_load(), *clusters = json_object_get(root, "clusters");
    json_t *from = json_object_get(
        json_array_get(clusters, (size_t)random_below(state, (int64_t)json_array_size(clusters))), "modules");
    json_t *to = json_object_get(
        json_array_get(clusters, (size_t)random_below(state, (int64_t)json_array_size(clusters))), "modules");
    size_t at = (size_t)random_below(state, (int64_t)json_array_size(from));
    bool possible = json_array_size(from) > 1;
    if (random_once_in(state, 2))
        json_array_append(to, json_array_get(from, at));
    else if (possible)
        json_array_remove(from, at);
    subject_save(root);
    return possible;
}

START_TEST(files_keep_cores)
{
    int disturbed = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = (uint64_t)seed;
        random_times times;
        inlay_app *app = random_app(&state, 1 + (inlay_id)random_below(&state, MOST), 0, &times);
        inlay_machine *machine = NULL;
        inlay_loaded loaded = {0};
        ck_assert_int_eq(inlay_machine_parse("bus:6,memory=common", &machine, NULL), INLAY_OK);
        inlay_mapping *mapping = placed_on_cores(&state, app, machine);
        ck_assert_int_eq(inlay_app_write(app, subject_app(), "dot", NULL), INLAY_OK);
        expect_held(mapping);
        write_mapping(mapping, "evaluate");
        subject_findings(NULL, true, "as it was written");
        ck_assert_int_eq(inlay_mapping_read(subject_mapping(), NULL, &loaded, NULL), INLAY_OK);
        ck_assert_double_eq(inlay_mapping_summary(loaded.mapping)->estimate, inlay_mapping_summary(mapping)->estimate);
        expect_held(loaded.mapping);
        inlay_loaded_clear(&loaded);
        if (disturb(&state)) {
            ck_assert_uint_gt(subject_findings(NULL, false, "with a core more or less"), 0);
            ck_assert_int_ne(inlay_mapping_read(subject_mapping(), NULL, &loaded, NULL), INLAY_OK);
            disturbed++;
        }
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    ck_assert_int_gt(disturbed, SEEDS / 4);
}
END_TEST

static const char two_hosts[] =
    "graph m { graph [network=links]; h1 [cores=2]; h2 [cores=2]; h1 -- h2 [capacity=\"1GB/s\"]; }";

START_TEST(hosts_hold_cores)
{
    static const struct {
        int32_t cores;
        inlay_id processor[3];
        const char *message;
    } rows[] = {
        {2, {2, 3, 0}, NULL},
        {2, {1, 2, 0}, "module 'a' holds processors 1 and 2, of different hosts; expected those of one"},
        {2, {1, 1, 0}, "module 'a' holds processor 1 twice; expected different ones"},
        {2, {1, -1, 0}, "module 'a' holds 2 cores at once and stands on 1; expected 2"},
        {3, {0, 1, 2}, "module 'a' holds 3 cores of one host at once; the largest of "},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        char text[100];
        snprintf(text, sizeof text, "digraph a { graph [time_unit=s]; a [time=3, cores=%d]; b [time=1]; }",
                 (int)rows[row].cores);
        inlay_app *app = subject_read(text);
        inlay_machine *machine = NULL;
        inlay_mapping *mapping = NULL;
        inlay_diag *diag = inlay_diag_new();
        inlay_id module[4] = {1}, processor[4] = {0};
        inlay_task_schedule schedule = {1, module, processor, true, NULL};
        for (int k = 0; k < rows[row].cores && rows[row].processor[k] >= 0; k++) {
            module[schedule.entries] = 0;
            processor[schedule.entries++] = rows[row].processor[k];
        }
        FILE *file = fopen(subject_mapping(), "w");
        fputs(two_hosts, file);
        fclose(file);
        ck_assert_int_eq(inlay_machine_read(subject_mapping(), &machine, NULL), INLAY_OK);
        int status = inlay_evaluate_schedule(app, machine, &schedule, NULL, &mapping, diag);
        if (rows[row].message == NULL) {
            ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
            expect_held(mapping);
        } else {
            ck_assert_int_ne(status, INLAY_OK);
            ck_assert_msg(strncmp(inlay_diag_message(diag), rows[row].message, strlen(rows[row].message)) == 0, "%s",
                          inlay_diag_message(diag));
        }
        inlay_diag_free(diag);
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
}
END_TEST

Suite *suite_cores(void)
{
    Suite *suite = suite_create("cores");
    TCase *tests = tcase_create("cores");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_test(tests, methods_hold_cores);
    tcase_add_test(tests, files_keep_cores);
    tcase_add_test(tests, hosts_hold_cores);
    suite_add_tcase(suite, tests);
    return suite;
}

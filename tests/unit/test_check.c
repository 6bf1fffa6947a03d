/*
 * The independent checker: it accepts what the library maps, and objects to mappings in which one thing was altered.
 * Graphs and mappings go through files in a temporary folder, as they do for a user.
 */
#include "random_app.h"
#include "unit.h"

#include <inlay/check.h>
#include <inlay/io.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { PATH = 256, DRAWS = 60 };

static char folder[PATH], app_path[PATH + 16], mapping_path[PATH + 16];
static inlay_diag *diag;

static void set_up(void)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/inlay-check-XXXXXX", temporary ? temporary : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(app_path, sizeof app_path, "%s/app.dot", folder);
    snprintf(mapping_path, sizeof mapping_path, "%s/mapping.json", folder);
    diag = inlay_diag_new();
}

static void tear_down(void)
{
    inlay_diag_free(diag);
    unlink(app_path);
    unlink(mapping_path);
    rmdir(folder);
}

/* ---- Making mappings ---- */

/** Map (or cost a placement) and write; false where the question has no answer. */
static bool map_to_file(const inlay_app *app, const char *source, const char *machine_text,
                        const inlay_options *options, const inlay_id *placement)
{
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    inlay_origin origin = {.command = "map", .app_path = source, .app_format = "dot"};
    inlay_diag *why = inlay_diag_new();
    ck_assert_int_eq(inlay_machine_parse(machine_text, &machine, NULL), INLAY_OK);
    int status = placement ? inlay_evaluate(app, machine, placement, options, &mapping, why)
                           : inlay_map(app, machine, options, &mapping, why);
    ck_assert_msg(status == INLAY_OK || status == INLAY_NO_ANSWER, "%s", inlay_diag_message(why));
    if (status == INLAY_OK) ck_assert_int_eq(inlay_mapping_write(mapping, &origin, mapping_path, NULL), INLAY_OK);
    inlay_diag_free(why);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    return status == INLAY_OK;
}

/** cholesky4 on 17 processors at T = 464, the paper's Figure 5. */
static void map_cholesky(void)
{
    static const char source[] = "graphs/cholesky4.dot";
    inlay_options options = {.has_time_frame = true, .time_frame = {{464, 0}, INLAY_UNIT_NONE}};
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_read(source, NULL, &app, NULL), INLAY_OK);
    ck_assert(map_to_file(app, source, "bus:17,memory=distributed", &options, NULL));
    inlay_app_free(app);
}

/* ---- Checking ---- */

/** How many findings the file has; the first is printed where there should be none. */
static size_t findings_of(const char *other_app, bool expect_none, const char *what)
{
    inlay_findings *findings = NULL;
    int status = inlay_check_file(mapping_path, other_app, &findings, diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", what, inlay_diag_message(diag));
    size_t count = inlay_findings_count(findings);
    ck_assert_msg(!expect_none || count == 0, "%s: %s", what, count > 0 ? inlay_findings_text(findings, 0) : "");
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_ne(inlay_findings_text(findings, i), "");
        ck_assert_ptr_null(strchr(inlay_findings_text(findings, i), '\n'));
    }
    inlay_findings_free(findings);
    return count;
}

static json_t *load(void)
{
    json_t *root = json_load_file(mapping_path, 0, NULL);
    ck_assert_ptr_nonnull(root);
    return root;
}

static void save(json_t *root)
{
    ck_assert_int_eq(json_dump_file(root, mapping_path, JSON_INDENT(2)), 0);
    json_decref(root);
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

/** The value at a path like "clusters.0.work": every part but the last. */
static json_t *parent_of(json_t *root, const char *path, const char **last)
{
    for (const char *dot; (dot = strchr(path, '.')) != NULL; path = dot + 1) {
        char part[64];
        snprintf(part, sizeof part, "%.*s", (int)(dot - path), path);
        root =
            json_is_array(root) ? json_array_get(root, (size_t)strtoul(part, NULL, 10)) : json_object_get(root, part);
        ck_assert_ptr_nonnull(root);
    }
    *last = path;
    return root;
}

START_TEST(accepts_cholesky)
{
    map_cholesky();
    findings_of(NULL, true, "cholesky4");
    findings_of("graphs/cholesky4.dot", true, "cholesky4 by name");
}
END_TEST

/** A mapping beside its application is found from anywhere, compressed or not. */
START_TEST(accepts_a_folder_of_its_own)
{
    static const char text[] = "digraph own { a [time=2]; b [time=3]; a -> b [bytes=10]; }";
    inlay_options options = {.tick_seconds = 0};
    inlay_app *app = NULL;
    FILE *file = fopen(app_path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    ck_assert_int_eq(inlay_app_read(app_path, NULL, &app, NULL), INLAY_OK);
    ck_assert(map_to_file(app, app_path, "bus:2,latency=1ms", &options, NULL));
    inlay_app_free(app);
    json_t *root = load();
    json_object_set_new(json_object_get(root, "application"), "path", json_string("app.dot"));
    save(root);
    findings_of(NULL, true, "a path beside the mapping");
    gzip(mapping_path);
    findings_of(NULL, true, "a compressed mapping");
}
END_TEST

/* ---- One field altered ---- */

typedef struct alteration {
    const char *path;
    const char *value; /**< JSON; NULL: the field is removed; "*": the number grows by a millionth; "!": it flips */
} alteration;

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
    {"clusters.0.memory", "1"},
    {"messages", "20"},
    {"traffic", "22"},
    {"traffic_unit", "\"bytes\""},
    {"network.model", "\"ring\""},
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
    {"makespan.lower_bound", "*"},
    {"makespan.bounds.critical_path", "*"},
    {"makespan.bounds.work", "*"},
    {"makespan.bounds.longest_module", "46"},
    {"makespan.gap", "*"},
    {"fits_with_delay", "!"},
    {"speedup", "*"},
    {"efficiency", "*"},
    {"reduced_from", "4"},
    {"reduced_from", "17"},
    {"parallelism.clusters", "5"},
    {"parallelism.counted", "\"overlap\""},
    {"parallelism.level_width", "5"},
    {"parallelism.exact_width", "5"},
    {"parallelism.exact_width", "null"},
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

static json_t *altered_value(const json_t *old, const char *value)
{
    if (strcmp(value, "!") == 0) return json_boolean(!json_is_true(old));
    if (strcmp(value, "*") == 0) return json_real(json_number_value(old) * (1 + 1e-6));
    return json_loads(value, JSON_DECODE_ANY, NULL);
}

static void alter(json_t *root, const alteration *change)
{
    const char *last;
    json_t *parent = parent_of(root, change->path, &last);
    size_t at = (size_t)strtoul(last, NULL, 10);
    if (json_is_array(parent) && !change->value)
        ck_assert_int_eq(json_array_remove(parent, at), 0);
    else if (json_is_array(parent))
        ck_assert_int_eq(json_array_set_new(parent, at, altered_value(NULL, change->value)), 0);
    else if (!change->value)
        ck_assert_int_eq(json_object_del(parent, last), 0);
    else
        json_object_set_new(parent, last, altered_value(json_object_get(parent, last), change->value));
}

START_TEST(objects_to_an_altered_field)
{
    const alteration *change = &alterations[_i];
    map_cholesky();
    json_t *root = load();
    alter(root, change);
    save(root);
    ck_assert_msg(findings_of(NULL, false, change->path) > 0, "%s = %s passed", change->path,
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

START_TEST(objects_to_moved_modules)
{
    uint64_t state = (uint64_t)_i;
    int64_t from = 0;
    map_cholesky();
    json_t *root = load();
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
    save(root);
    ck_assert_uint_gt(findings_of(NULL, false, "moved modules"), 0);
}
END_TEST

/* ---- Anything anywhere ---- */

static const char *const oddities[] = {"null", "true", "-1", "1e308", "9223372036854775807", "\"\"", "[]", "{}"};

/** Whatever stands in the file, the answer is findings or a message; a number that fits may well pass. */
static void check_oddity(const json_t *root)
{
    inlay_findings *findings = NULL;
    inlay_diag *why = inlay_diag_new();
    ck_assert_int_eq(json_dump_file(root, mapping_path, 0), 0);
    int status = inlay_check_file(mapping_path, NULL, &findings, why);
    if (status != INLAY_OK) {
        ck_assert_int_eq(status, INLAY_BAD_INPUT);
        ck_assert_str_ne(inlay_diag_message(why), "");
    }
    inlay_findings_free(findings);
    inlay_diag_free(why);
}

/** Put the oddity in place of every value inside `part`, one after the other, and check each time. */
static void replace_each(json_t *root, json_t *part, const char *oddity) /* NOLINT(misc-no-recursion): a shallow tree */
{
    const char *key;
    json_t *value;
    void *next;
    for (size_t at = 0; at < json_array_size(part); at++) {
        json_t *old = json_incref(json_array_get(part, at));
        replace_each(root, old, oddity);
        json_array_set_new(part, at, json_loads(oddity, JSON_DECODE_ANY, NULL));
        check_oddity(root);
        json_array_set_new(part, at, old);
    }
    json_object_foreach_safe(part, next, key, value)
    {
        json_t *old = json_incref(value);
        replace_each(root, old, oddity);
        json_object_set_new(part, key, json_loads(oddity, JSON_DECODE_ANY, NULL));
        check_oddity(root);
        json_object_set_new(part, key, old);
    }
}

START_TEST(survives_anything_anywhere)
{
    map_cholesky();
    json_t *root = load();
    replace_each(root, root, oddities[_i]);
    json_decref(root);
}
END_TEST

/* ---- Random applications ---- */

static const char *const machines[] = {
    "bus:16,memory=distributed,capacity=2msg,processor_memory=1MiB",
    "bus:9,memory=common,transfers=2,common_memory=1MiB",
    "bus:5,memory=distributed,capacity=3KB/ms,message_size=256,latency=2us,processor_memory=1MiB",
    "bus:4,memory=distributed,capacity=40msg/us,message_size=512",
};

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

/** Capacity without a unit of time goes with ticks alone. */
static const char *random_machine(uint64_t *state, const inlay_app *app)
{
    bool ticks = inlay_app_unit(app) == INLAY_UNIT_TICK;
    return machines[ticks ? random_below(state, 4) : 1 + random_below(state, 3)];
}

START_TEST(accepts_random_mappings)
{
    uint64_t state = (uint64_t)_i;
    random_times times;
    unsigned features = (unsigned)random_below(&state, RANDOM_EVERYTHING + 1);
    inlay_id modules = (inlay_id)(1 + random_below(&state, RANDOM_MODULES));
    inlay_app *app = random_app(&state, modules, features, &times);
    ck_assert_int_eq(inlay_app_write(app, app_path, "dot", NULL), INLAY_OK);
    inlay_options options = random_options(&state, features & RANDOM_BLOCKING);
    const char *machine = random_machine(&state, app);
    if (map_to_file(app, app_path, machine, &options, NULL)) findings_of(NULL, true, machine);
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
    ck_assert_int_eq(inlay_app_write(app, app_path, "dot", NULL), INLAY_OK);
    inlay_options options = random_options(&state, features & RANDOM_BLOCKING);
    options.processors = 0; /* a placement may use every processor of the machine */
    const char *machine = random_machine(&state, app);
    for (inlay_id i = 0; i < modules; i++)
        placement[i] = (inlay_id)random_below(&state, 4);
    if (map_to_file(app, app_path, machine, &options, placement)) findings_of(NULL, true, machine);
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
    {"{\"application\": {\"path\": \"-\"}}",
     ": the application came from standard input; expected --app FILE to name it"},
    {"{\"application\": {\"path\": \"graphs/cholesky4.dot\"}}",
     ": there is no text 'text' in the object 'machine'; expected a mapping.json"},
};

START_TEST(refuses_what_it_cannot_read)
{
    char expected[2 * PATH];
    inlay_findings *findings = NULL;
    FILE *file = fopen(mapping_path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(unreadable[_i].text, file);
    fclose(file);
    ck_assert_int_eq(inlay_check_file(mapping_path, NULL, &findings, diag), INLAY_BAD_INPUT);
    ck_assert_ptr_null(findings);
    snprintf(expected, sizeof expected, "%s%s", mapping_path, unreadable[_i].message);
    ck_assert_str_eq(inlay_diag_message(diag), expected);
}
END_TEST

START_TEST(refuses_a_missing_file)
{
    inlay_findings *findings = NULL;
    ck_assert_int_eq(inlay_check_file(mapping_path, NULL, &findings, diag), INLAY_BAD_INPUT);
    ck_assert_int_eq(inlay_check_file(NULL, NULL, &findings, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_ptr_null(findings);
}
END_TEST

Suite *suite_check(void)
{
    Suite *suite = suite_create("check");
    TCase *tests = tcase_create("check");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, accepts_cholesky);
    tcase_add_test(tests, accepts_a_folder_of_its_own);
    tcase_add_loop_test(tests, objects_to_an_altered_field, 0, sizeof alterations / sizeof *alterations);
    tcase_add_loop_test(tests, objects_to_moved_modules, 0, DRAWS);
    tcase_add_loop_test(tests, survives_anything_anywhere, 0, sizeof oddities / sizeof *oddities);
    tcase_add_loop_test(tests, accepts_random_mappings, 0, 2 * DRAWS);
    tcase_add_loop_test(tests, accepts_random_placements, 0, DRAWS);
    tcase_add_loop_test(tests, refuses_what_it_cannot_read, 0, sizeof unreadable / sizeof *unreadable);
    tcase_add_test(tests, refuses_a_missing_file);
    suite_add_tcase(suite, tests);
    return suite;
}

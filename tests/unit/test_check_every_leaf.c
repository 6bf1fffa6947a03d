/*
 * The independent checker objects to every value of a mapping that is altered: mappings of all kinds are written, every
 * value in them is altered in several ways, one at a time, and each file has to be refused. What may pass stands in
 * is_free() and is_asked_for(), and in docs/mapping-json.md.
 */
#include "check_subject.h"

#include <inlay/io.h>
#include <inlay/simulate.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <string.h>

enum { PATH = 256, ELEMENTS = 2 /* of an array: the others are as these */ };

/* ---- Mappings ---- */

static const char chain[] =
    "digraph app { graph [time_unit=tick];"
    " a [time=4]; b [time=3, memory=8]; c [time=6, memory=4]; d [time=2, pin=1]; e [time=5];"
    " a -> b [messages=2]; a -> c [messages=3, bytes=40]; b -> d [messages=1]; c -> e [messages=2];"
    " d -> e [messages=4, kind=traffic]; }";
static const char crowd[] =
    "digraph app { graph [time_unit=ms]; s [time=1.5];"
    " a [time=2]; b [time=3]; c [time=4.25]; d [time=5]; e [time=6]; f [time=7]; t [time=1];"
    " s -> a [messages=5, bytes=100]; s -> b [messages=4, bytes=200]; s -> c [messages=3, bytes=64];"
    " s -> d [messages=2, bytes=32]; s -> e [messages=1, bytes=16]; s -> f [messages=1, bytes=8];"
    " a -> t [messages=1, bytes=80]; b -> t [messages=2, bytes=90]; c -> t [messages=1, bytes=10];"
    " d -> t [messages=1, bytes=10]; e -> t [messages=6, bytes=70]; f -> t [messages=1, bytes=90]; }";
static const char streams[] =
    "digraph app { graph [time_unit=tick];"
    " a [time=4, blocking=0]; b [time=3, blocking=1]; c [time=6, blocking=2]; d [time=5, blocking=3];"
    " a -> b [messages=1]; a -> c [messages=2]; b -> d [messages=3]; c -> d [messages=1]; }";
static const char blocks[] =
    "digraph app { graph [time_unit=tick];"
    " a [time=4, memory=10]; b [time=3, memory=10]; c [time=6, memory=10]; a -> c [messages=2];"
    " b -> c [messages=1]; x [kind=data, size=20, time=1]; y [kind=data, size=30];"
    " x -> a [messages=3]; x -> b [messages=2]; y -> b [messages=2]; y -> c [messages=4]; }";

static const char gangs[] = "digraph app { graph [time_unit=tick];"
                            " a [time=4, cores=2]; b [time=3]; c [time=6, cores=3]; d [time=5, cores=2];"
                            " a -> b [messages=1]; a -> c [messages=2]; b -> d [messages=3]; }";
static const char named[] =
    "digraph app { graph [time_unit=ms];"
    " a [time=4]; b [time=3]; c [time=6]; d [time=5]; e [time=2];"
    " a -> b [bytes=100, data=x]; a -> c [bytes=100, data=x]; a -> d [bytes=100, data=x]; a -> d [bytes=30];"
    " a -> e [bytes=40, data=y]; b -> e [bytes=50]; c -> e [bytes=60, data=x]; }";

static const char repeated[] = "digraph app { graph [time_unit=tick, period=7];"
                               " a [time=4]; b [time=3]; c [time=6]; a -> b [messages=2]; b -> c [messages=8]; }";

#define GIVEN(digits) .has_time_frame = true, .time_frame = {{digits, 0}, INLAY_UNIT_NONE}

static const struct mapped {
    const char *app; /**< DOT, or a file */
    const char *machine;
    inlay_options options;
    inlay_id placement[8]; /**< one that is not all 0 is costed in place of a mapping */
} mapped[] = {
    {chain, "bus:4", {.start = INLAY_START_AUTO}, {0}},
    {chain, "bus:4,memory=common,capacity=2msg/tick", {GIVEN(12)}, {0}},
    {chain, "omega-pe:8,switch=2,packets=2", {GIVEN(9)}, {0}},
    {chain, "omega:4,switch=2,cycle=1tick", {GIVEN(11), .keep_unrelated = true}, {0}},
    {chain, "mesh:2x2,capacity=2msg/tick", {GIVEN(9)}, {0}},
    {chain, "mesh:3x2,capacity=2msg/tick", {.layout = INLAY_LAYOUT_ORDER}, {0}},
    {chain, "ring:6,capacity=1msg/tick,link_latency=1tick", {.blocking = INLAY_BLOCKING_YES}, {0}},
    {chain, "bus:4,processor_memory=8", {.parallel = INLAY_PARALLEL_OVERLAP}, {0}},
    {chain, "architectures/unlike-ticks.dot", {.start = INLAY_START_AUTO}, {0}},
    {chain, "bus:4,speed=2", {.start = INLAY_START_AUTO}, {0}},
    {chain, "bus:4,time_spread=0.1,time_error=0.05,network_error=0.2", {.seed = 3}, {0}},
    {chain, "bus:4,price=0.5,currency=EUR,power=20", {.tick_seconds = 0.001}, {0}},
    {chain, "bus:4", {.start = INLAY_START_AUTO}, {1, 0, 0, 1, 2}},
    {chain, "mesh:2x2,capacity=2msg/tick", {GIVEN(30)}, {1, 0, 0, 1, 2}},
    {crowd, "bus:3,capacity=10KB/ms,latency=2us", {.start = INLAY_START_AUTO}, {0}},
    {crowd, "bus:8,capacity=10KB/ms", {.processors = 2, .reduce = INLAY_REDUCE_H1}, {0}},
    {crowd, "bus:8,capacity=10KB/ms", {.processors = 3, .reduce_by_traffic = true}, {0}},
    {crowd, "bus:8,capacity=9msg/ms", {.processors = 2, .reduce_when = INLAY_REDUCE_BEFORE}, {0}},
    {crowd, "bus:8,capacity=1msg/ms", {.processors = 3}, {0}},
    {crowd, "multibus:6,memories=2,buses=2,capacity=20msg/ms", {GIVEN(20), .processors = 3}, {0}},
    {crowd, "torus:2x3,capacity=100KB/ms,model=mm1", {.processors = 4}, {0}},
    {crowd, "bus:8,capacity=10KB/ms", {.reduce = INLAY_REDUCE_NONE}, {0}},
    {streams, "bus:4", {GIVEN(14)}, {0}},
    {streams, "bus:4", {.blocking = INLAY_BLOCKING_NO, .start = INLAY_START_FINISH, .processors = 1}, {0}},
    {blocks, "bus:4,memory=common,common_memory=60", {.start = INLAY_START_AUTO}, {0}},
    {blocks, "multibus:4,memories=2,buses=2,common_memory=40", {.start = INLAY_START_AUTO}, {0}},
    {blocks, "bus:3,processor_memory=60", {.processors = 2}, {0}},
    {gangs, "bus:5,memory=common", {.start = INLAY_START_AUTO}, {0}},
    {gangs, "bus:5", {.ignore_cores = true}, {0}},
    {named, "bus:3,capacity=1KB/ms", {.start = INLAY_START_AUTO}, {0, 1, 1, 1, 2}},
    {named, "bus:3,capacity=1KB/ms,transfers=2", {.start = INLAY_START_AUTO}, {0, 1, 2, 1, 2}},
    {named, "star:2,cores=2,capacity=1KB/ms,time_error=0.1", {.start = INLAY_START_AUTO}, {0, 2, 3, 1, 2}},
    {named, "star:2,cores=2,capacity=1KB/ms", {.start = INLAY_START_AUTO}, {0, 2, 3, 1, 2}},
    {named, "bus:5,capacity=1KB/ms,latency=1ms,broadcast=tree", {.start = INLAY_START_AUTO}, {0, 1, 2, 3, 4}},
    {named, "ring:5,capacity=1KB/ms,broadcast=tree", {.start = INLAY_START_AUTO}, {0, 1, 2, 3, 4}},
    {named, "bus:3,capacity=1KB/ms", {.copies = INLAY_COPIES_EACH}, {0, 1, 1, 1, 2}},
    {repeated, "bus:3", {.objective = INLAY_OBJECTIVE_PERIOD}, {0}},
    {repeated, "bus:3", {.start = INLAY_START_AUTO}, {0, 1, 2}},
    {"graphs/equalizer.sdf3.xml", "bus:2", {.objective = INLAY_OBJECTIVE_PERIOD}, {0}},
    {"graphs/cholesky4.dot", "bus:17", {GIVEN(355), .processors = 4}, {0}},
    {"graphs/cholesky4.dot", "architectures/omega-pe16.dot", {GIVEN(200)}, {0}},
};

static bool is_placement(const struct mapped *of)
{
    for (int i = 0; i < 8; i++)
        if (of->placement[i] > 0) return true;
    return false;
}

/** As the command line writes it, with all that can be there; false where the question has no answer. */
static bool write_all(const inlay_app *app, const char *source, const struct mapped *of, const inlay_options *options,
                      const char *path)
{
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL, *in_order = NULL;
    ck_assert_int_eq(inlay_machine_read(of->machine, &machine, NULL), INLAY_OK);
    bool placed = is_placement(of);
    int status = placed ? inlay_evaluate(app, machine, of->placement, options, &mapping, NULL)
                        : inlay_map(app, machine, options, &mapping, NULL);
    if (status == INLAY_OK) {
        const inlay_summary *sum = inlay_mapping_summary(mapping);
        bool links = inlay_machine_has_links(machine) && sum->weighted_in_order >= 0;
        if (links && options->layout != INLAY_LAYOUT_ORDER) (void)inlay_mapping_in_order(mapping, &in_order, NULL);
        const inlay_origin origin = {placed ? "evaluate" : "map", source, NULL, sum->options.seed, in_order};
        ck_assert_int_eq(inlay_mapping_write(mapping, &origin, path, NULL), INLAY_OK);
    }
    inlay_mapping_free(in_order);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    return status == INLAY_OK;
}

/* ---- What may pass ---- */

/**
 * What makes no claim: who wrote the file, and remarks; the seed where nothing was drawn; what a machine's file was
 * called; which of two links comes first that work as long as one another.
 */
static bool is_free(const json_t *root, const char *path, const char *how)
{
    const json_t *machine = json_object_get(root, "machine");
    const json_t *links = json_object_get(json_object_get(root, "network"), "links");
    if (strcmp(path, "machine.text") == 0 && json_object_get(machine, "document") && strcmp(how, "removed") != 0)
        return true;
    if (strcmp(path, "network.links[1]") == 0 && strcmp(how, "swapped") == 0)
        return json_equal(json_object_get(json_array_get(links, 0), "utilisation"),
                          json_object_get(json_array_get(links, 1), "utilisation"));
    static const char *const fields[] = {"inlay", "seed", "warnings"};
    static const char *const absent[] = {"makespan.simulated", "layout.before", "application.format"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strncmp(path, fields[i], strlen(fields[i])) == 0 && strcmp(how, "removed") != 0) return true;
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (strcmp(path, absent[i]) == 0 && strcmp(how, "removed") == 0) return true;
    return false;
}

static int word_of(const json_t *options, const char *name, const char *const *words)
{
    const char *text = json_string_value(json_object_get(options, name));
    for (int i = 0; text && words[i]; i++)
        if (strcmp(text, words[i]) == 0) return i;
    return 0;
}

/** The question that a file says it answers. */
static inlay_options options_of(const json_t *root)
{
    static const char *const reduce[] = {"h2", "h1", "none", NULL}, *const when[] = {"after", "before", NULL},
                             *const parallel[] = {"level", "overlap", NULL},
                             *const blocking[] = {"auto", "yes", "no", NULL},
                             *const start[] = {"auto", "stream", "finish", NULL},
                             *const layout[] = {"nearest", "order", "scotch", NULL};
    const json_t *o = json_object_get(root, "options");
    inlay_options options = {
        .method = inlay_method_named(json_string_value(json_object_get(root, "method"))),
        .has_time_frame = json_is_true(json_object_get(root, "time_frame_given")),
        .processors = (inlay_id)json_integer_value(json_object_get(root, "processors")),
        .reduce = (inlay_reduce)word_of(o, "reduce", reduce),
        .reduce_when = (inlay_reduce_when)word_of(o, "reduce_when", when),
        .reduce_by_traffic = json_is_true(json_object_get(o, "reduce_by_traffic")),
        .parallel = (inlay_parallel)word_of(o, "parallel", parallel),
        .keep_unrelated = json_is_false(json_object_get(o, "unrelated")),
        .blocking = (inlay_blocking)word_of(o, "blocking", blocking),
        .start = (inlay_start)word_of(o, "start", start),
        .layout = (inlay_layout)word_of(o, "layout", layout),
        .tick_seconds = json_number_value(json_object_get(o, "tick_seconds")),
        .seed = (uint64_t)json_integer_value(json_object_get(root, "seed")),
    };
    ck_assert_int_eq(
        inlay_decimal_from_double(json_number_value(json_object_get(root, "time_frame")), &options.time_frame.value),
        INLAY_OK);
    return options;
}

/** An altered question that has this very answer is no wrong mapping: whether the library writes the same for it. */
static bool is_asked_for(const inlay_app *app, const char *source, const struct mapped *of, const json_t *altered)
{
    char again[PATH + 32];
    inlay_options options = options_of(altered);
    const json_t *said_options = json_object_get(altered, "options");
    options.objective = json_object_get(said_options, "objective") ? INLAY_OBJECTIVE_PERIOD : INLAY_OBJECTIVE_MAKESPAN;
    options.ignore_cores = json_is_true(json_object_get(said_options, "ignore_cores"));
    options.copies = json_object_get(said_options, "copies") ? INLAY_COPIES_EACH : INLAY_COPIES_ONCE;
    snprintf(again, sizeof again, "%s.again", subject_mapping());
    if (!write_all(app, source, of, &options, again)) return false;
    json_t *written = json_load_file(again, 0, NULL), *said = json_deep_copy(altered);
    unlink(again);
    json_object_del(written, "warnings");
    json_object_del(said, "warnings");
    bool same = json_equal(written, said);
    json_decref(written);
    json_decref(said);
    return same;
}

/* ---- Every value altered ---- */

typedef struct leaves {
    const inlay_app *app;
    const char *source;
    const struct mapped *of;
    json_t *root;
    int tried, passed;
} leaves;

static bool is_refused(bool strict)
{
    inlay_findings *findings = NULL;
    int status = inlay_check_file(subject_mapping(), &(inlay_check_options){.strict = strict}, &findings, NULL);
    bool refused = status == INLAY_BAD_INPUT || (status == INLAY_OK && inlay_findings_count(findings) > 0);
    inlay_findings_free(findings);
    return refused;
}

/** What the method alone tells: without it, that is believed, and where nothing changes clusters may stand elsewhere, and
    modules in another order. */
static bool is_of_method(const char *path)
{
    static const char *const told[] = {"best",           "method",           "options",
                                       "rules.order",    "reduced_from",     "makespan.estimate_unreduced",
                                       "layout.nearest", "time_frame_given", "makespan.bounds.branch_and_bound"};
    bool stands = strstr(path, "].processor") || strstr(path, "].modules");
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (strncmp(path, told[i], strlen(told[i])) == 0) return true;
    return stands && strncmp(path, "clusters[", 9) == 0;
}

static void try_one(leaves *l, const char *path, const char *how)
{
    ck_assert_int_eq(json_dump_file(l->root, subject_mapping(), JSON_INDENT(2)), 0);
    l->tried++;
    if (is_refused(false) || is_free(l->root, path, how) || (is_of_method(path) && is_refused(true))) return;
    bool option = strncmp(path, "options", 7) == 0 || strcmp(path, "time_frame_given") == 0;
    if (option && is_asked_for(l->app, l->source, l->of, l->root)) return;
    l->passed++;
    printf("%s on %s: %s %s passes\n", l->source, l->of->machine, path, how);
}

/** Put a value in the place of another, and the other back. */
static void replace(leaves *l, json_t *part, const char *key, size_t at, json_t *with, const char *path,
                    const char *how)
{
    json_t *old = json_incref(key ? json_object_get(part, key) : json_array_get(part, at));
    if (with && !json_equal(with, old)) {
        key ? json_object_set(part, key, with) : json_array_set(part, at, with);
        try_one(l, path, how);
        key ? json_object_set(part, key, old) : json_array_set(part, at, old);
    }
    json_decref(old);
    json_decref(with);
}

/** The same value, but wrong. */
static json_t *altered(const json_t *value, int way, const char **how)
{
    static const char *const ways[] = {"plus 1",     "times 1.001", "with the other sign",
                                       "lengthened", "flipped",     "filled"};
    char text[1 << 16];
    *how = ways[way];
    double x = json_number_value(value);
    switch (way) {
    case 0:
        return json_is_integer(value) ? json_integer((json_int_t)x + 1) : json_is_real(value) ? json_real(x + 1) : NULL;
    case 1: return x > 0 || x < 0 ? json_real(x * 1.001) : NULL;
    case 2: return json_is_integer(value) ? json_integer(-(json_int_t)x) : json_is_real(value) ? json_real(-x) : NULL;
    case 3:
        if (!json_is_string(value)) return NULL;
        snprintf(text, sizeof text, "%sx", json_string_value(value));
        return json_string(text);
    case 4: return json_is_boolean(value) ? json_boolean(!json_is_true(value)) : NULL;
    default: return json_is_null(value) ? json_integer(7) : NULL;
    }
}

/** Other words that such a field has. */
static void replace_words(leaves *l, json_t *part, const char *key, const char *path)
{
    static const struct {
        const char *fields;
        const char *words[4];
    } of[] = {
        {"method", {"houstis", "placement"}},         {"command", {"map", "evaluate"}},
        {"traffic_unit", {"bytes", "messages"}},      {"options.reduce", {"h1", "h2", "none"}},
        {"options.reduce_when", {"before", "after"}}, {"options.parallel parallelism.counted", {"level", "overlap"}},
        {"options.blocking", {"auto", "yes", "no"}},  {"options.start rules.start", {"auto", "stream", "finish"}},
        {"options.layout", {"nearest", "order"}},     {"rules.work", {"m", "m+b"}},
        {"rules.blocking", {"derived", "file"}},
    };
    for (size_t f = 0; key && f < sizeof of / sizeof *of; f++) {
        const char *found = strstr(of[f].fields, path);
        char end = found ? found[strlen(path)] : 'x';
        if (!found || (end != ' ' && end != '\0') || (found > of[f].fields && found[-1] != ' ')) continue;
        for (int i = 0; i < 4 && of[f].words[i]; i++)
            replace(l, part, key, 0, json_string(of[f].words[i]), path, of[f].words[i]);
    }
}

static void alter_value(leaves *l, json_t *part, const char *key, size_t at, const char *path)
{
    for (int way = 0; way < 6; way++) {
        const char *how;
        json_t *with = altered(key ? json_object_get(part, key) : json_array_get(part, at), way, &how);
        replace(l, part, key, at, with, path, how);
    }
    replace_words(l, part, key, path);
}

/** One element less, one twice, two neighbours the other way round. */
static void alter_array(leaves *l, json_t *array, size_t at, const char *path)
{
    json_t *value = json_incref(json_array_get(array, at));
    json_array_remove(array, at);
    try_one(l, path, "dropped");
    json_array_insert(array, at, value);
    json_array_insert(array, at, value);
    try_one(l, path, "doubled");
    json_array_remove(array, at);
    if (at > 0 && !json_equal(value, json_array_get(array, at - 1))) {
        json_array_remove(array, at);
        json_array_insert(array, at - 1, value);
        try_one(l, path, "swapped");
        json_array_remove(array, at - 1);
        json_array_insert(array, at, value);
    }
    json_decref(value);
}

static void alter_each(leaves *l, json_t *part, const char *path) /* NOLINT(misc-no-recursion): a shallow tree */
{
    char below[PATH];
    const char *key;
    json_t *value;
    for (size_t at = 0; at < json_array_size(part) && at < ELEMENTS; at++) {
        snprintf(below, sizeof below, "%s[%zu]", path, at);
        alter_value(l, part, NULL, at, below);
        alter_array(l, part, at, below);
        alter_each(l, json_array_get(part, at), below);
    }
    json_t *before = json_copy(part); /* what is put back stands last */
    json_object_foreach(before, key, value)
    {
        snprintf(below, sizeof below, "%s%s%s", path, path[0] ? "." : "", key);
        alter_value(l, part, key, 0, below);
        alter_each(l, value, below);
        json_object_del(part, key);
        try_one(l, below, "removed");
        json_object_set(part, key, value);
    }
    json_decref(before);
}

START_TEST(objects_to_every_altered_value)
{
    leaves l = {.of = &mapped[_i]};
    bool text = strncmp(l.of->app, "digraph", 7) == 0;
    inlay_app *app = NULL;
    if (text)
        app = subject_read(l.of->app);
    else
        ck_assert_int_eq(inlay_app_read(l.of->app, NULL, &app, NULL), INLAY_OK);
    l.app = app;
    l.source = text ? subject_app() : l.of->app;
    ck_assert(write_all(app, l.source, l.of, &l.of->options, subject_mapping()));
    subject_findings(NULL, true, l.of->machine);
    l.root = subject_load();
    alter_each(&l, l.root, "");
    json_decref(l.root);
    inlay_app_free(app);
    ck_assert_int_gt(l.tried, 200);
    ck_assert_int_eq(l.passed, 0);
}
END_TEST

Suite *suite_check_every_leaf(void)
{
    Suite *suite = suite_create("check_every_leaf");
    TCase *tests = tcase_create("check_every_leaf");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_loop_test(tests, objects_to_every_altered_value, 0, sizeof mapped / sizeof *mapped);
    suite_add_tcase(suite, tests);
    return suite;
}

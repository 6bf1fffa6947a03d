/*
 * The JSON that Inlay writes is what the schemas in docs/schema say: every field, every word and every null of a schema is
 * seen in a real output, no output has anything else, and wrong objects are refused.
 */
#include "json_schema.h"
#include "machine/family.h"
#include "unit.h"
#include <glob.h>
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME = 256, LINE = 4096, WIDE = 12001 }; /* WIDE: modules too many for the exact width */

/* ---- Files ---- */

static char folder[] = "/tmp/inlay-schema-XXXXXX"; /* made anew for each test */

static void make_folder(void)
{
    strcpy(folder, "/tmp/inlay-schema-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void)
{
    char command[NAME];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

static const char *in_folder(const char *name, char path[NAME])
{
    snprintf(path, NAME, "%s/%s", folder, name);
    return path;
}

static json_t *read_json(const char *path)
{
    json_error_t error;
    json_t *value = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value != NULL, "%s:%d: %s", path, error.line, error.text);
    return value;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

/* The output must be accepted; what it shows goes to `facts`. */
static void witness(const json_t *schema, const json_t *value, json_t *facts, const char *what)
{
    char why[SCHEMA_WHY];
    ck_assert_msg(schema_accepts(schema, value, facts, why), "%s: %s", what, why);
}

/* ---- mapping.json ---- */

/* What is mapped; where `processor_of` is given, that placement is evaluated instead. */
typedef struct job {
    const inlay_app *app;
    const char *machine;
    inlay_options options;
    const inlay_id *processor_of;
    const inlay_id *order; /* of the placement; NULL: by the rule */
    const double *start;   /* of the placement: a plan; or NULL */
    const char *app_path, *format;
    bool looks_back; /* with what the layout began with */
} job;

/* The mapping.json of a job; NULL where the job has no answer. */
static json_t *mapping_of(const job *of)
{
    char path[NAME];
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL, *in_order = NULL;
    json_t *value = NULL;
    inlay_origin origin = {
        .command = of->processor_of != NULL ? "evaluate" : "map", .app_path = of->app_path, .app_format = of->format};
    int status = inlay_machine_read(of->machine, &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_id modules = inlay_app_modules(of->app), *module = calloc((size_t)modules, sizeof *module);
    inlay_id *processor = calloc((size_t)modules, sizeof *processor);
    for (inlay_id k = 0; of->processor_of != NULL && k < modules; k++) {
        module[k] = of->order != NULL ? of->order[k] : k;
        processor[k] = of->processor_of[module[k]];
    }
    const inlay_task_schedule schedule = {modules, module, processor, of->order != NULL, (double *)of->start};
    status = of->processor_of != NULL
                 ? inlay_evaluate_schedule(of->app, machine, &schedule, &of->options, &mapping, diag)
                 : inlay_map(of->app, machine, &of->options, &mapping, diag);
    ck_assert_msg(status == INLAY_OK || status == INLAY_NO_ANSWER, "%s", inlay_diag_message(diag));
    free(module);
    free(processor);
    if (status == INLAY_OK) {
        if (of->looks_back) {
            ck_assert_int_eq(inlay_mapping_in_order(mapping, &in_order, diag), INLAY_OK);
            origin.in_order = in_order;
        }
        ck_assert_int_eq(inlay_mapping_write(mapping, &origin, in_folder("mapping.json", path), diag), INLAY_OK);
        value = read_json(path);
    }
    inlay_mapping_free(in_order);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_diag_free(diag);
    return value;
}

/* What the mappings are judged by, and what they have shown so far. */
typedef struct evidence {
    json_t *schema, *facts;
} evidence;

static evidence open_evidence(const char *schema_name)
{
    return (evidence){schema_load(schema_name), json_object()};
}

/* The outputs so far must have shown all that the schema speaks of. */
static void close_evidence(evidence *so_far, const char *what)
{
    json_t *expected = schema_facts(so_far->schema);
    schema_expect_facts(expected, so_far->facts, what);
    json_decref(expected);
    json_decref(so_far->facts);
    json_decref(so_far->schema);
}

/* Whether the job has an answer; its mapping.json must be accepted. */
static bool witness_job(const evidence *so_far, const job *of)
{
    json_t *value = mapping_of(of);
    if (value != NULL) {
        witness(so_far->schema, value, so_far->facts, of->machine);
    }
    json_decref(value);
    return value != NULL;
}

static inlay_app *read_app(const char *path)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_app *app = NULL;
    ck_assert_msg(inlay_app_read(path, NULL, &app, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return app;
}

static inlay_app *app_of_text(const char *text)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_app *app = NULL;
    int status = inlay_app_read_memory(text, strlen(text), "text", "dot", &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return app;
}

static int64_t largest_memory(const inlay_app *app)
{
    int64_t largest = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        largest = inlay_app_memory(app, i) > largest ? inlay_app_memory(app, i) : largest;
    }
    return largest;
}

static int64_t memory_limit(const char *machine_path)
{
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_machine_read(machine_path, &machine, NULL), INLAY_OK);
    int64_t limit = inlay_machine_processor_memory(machine);
    inlay_machine_free(machine);
    return limit < 0 ? INT64_MAX : limit;
}

/* An example graph on an example machine, mapped and with all modules on processor 0; modules hold one processor. */
static void witness_example(const evidence *so_far, const inlay_app *app, const char *path, const char *machine)
{
    inlay_id *first = calloc((size_t)inlay_app_modules(app), sizeof *first);
    job mapped = {.app = app,
                  .machine = machine,
                  .options = {.method = inlay_method_named("houstis"), .tick_seconds = 1e-6, .ignore_cores = true},
                  .app_path = path};
    job evaluated = mapped;
    evaluated.processor_of = first;
    evaluated.options.copies = INLAY_COPIES_EACH;
    bool fits = largest_memory(app) <= memory_limit(machine);
    bool answered = witness_job(so_far, &mapped), with_blocks = inlay_app_blocks(app) > 0; /* a module's add to it */
    ck_assert_msg(answered ? fits : !fits || with_blocks, "%s on %s", path, machine);
    ck_assert_msg(witness_job(so_far, &evaluated), "%s on %s", path, machine);
    free(first);
}

/* The example's application; NULL of a C program, a stochastic graph and a program of phases, which are none. */
static inlay_app *read_example(const char *path)
{
    size_t length = strlen(path);
    if (strcmp(path + length - 2, ".c") == 0) {
        return NULL;
    }
    inlay_diag *diag = inlay_diag_new();
    inlay_app *app = NULL;
    int status = inlay_app_read(path, NULL, &app, diag);
    const char *said = inlay_diag_message(diag);
    ck_assert_msg(status == INLAY_OK || strstr(said, "this is a stochastic graph") != NULL ||
                      strstr(said, "(kind=program)") != NULL,
                  "%s", said);
    inlay_diag_free(diag);
    return app;
}

static void witness_examples(const evidence *so_far)
{
    glob_t apps, machines;
    ck_assert_int_eq(glob("graphs/*", 0, NULL, &apps), 0);
    ck_assert_int_eq(glob("architectures/*.dot", 0, NULL, &machines), 0);
    for (size_t a = 0; a < apps.gl_pathc; a++) {
        inlay_app *app = read_example(apps.gl_pathv[a]);
        for (size_t m = 0; app != NULL && m < machines.gl_pathc; m++) {
            if (strstr(machines.gl_pathv[m], "-metasystem.dot") != NULL) {
                continue; /* for `inlay select` */
            }
            witness_example(so_far, app, apps.gl_pathv[a], machines.gl_pathv[m]);
        }
        inlay_app_free(app);
    }
    globfree(&apps);
    globfree(&machines);
}

/* Every word of every option. */
static void witness_options(const evidence *so_far)
{
    inlay_app *app = read_app("graphs/cholesky4.dot");
    for (int i = 0; i < 3 * 2 * 2 * 3 * 3 * 4; i++) {
        job of = {.app = app,
                  .machine = "bus:8",
                  .options = {.reduce = (inlay_reduce)(i % 3),
                              .reduce_when = (inlay_reduce_when)(i / 3 % 2),
                              .parallel = (inlay_parallel)(i / 6 % 2),
                              .blocking = (inlay_blocking)(i / 12 % 3),
                              .start = (inlay_start)(i / 36 % 3),
                              .reduce_by_traffic = i / 108 % 2 == 1,
                              .keep_unrelated = i / 216 % 2 == 1,
                              .has_time_frame = i % 5 == 0,
                              .time_frame = {{464, 0}, INLAY_UNIT_TICK}},
                  .app_path = "graphs/cholesky4.dot",
                  .format = "dot"};
        witness_job(so_far, &of);
    }
    static const inlay_effort efforts[] = {{0}, {.evaluations = 20}, {.seconds = 0.001}};
    for (int i = 0; i < 3; i++) { /* within 1 tick houstis has no answer */
        job of = {.app = app,
                  .machine = "bus:8,capacity=1000msg/tick",
                  .options = {.method = inlay_method_named("best"),
                              .effort = efforts[i],
                              .risk = (inlay_risk)i,
                              .has_time_frame = i == 1,
                              .time_frame = {{1, 0}, INLAY_UNIT_TICK}}};
        ck_assert(witness_job(so_far, &of));
    }
    inlay_app_free(app);
}

static void witness_units(const evidence *so_far)
{
    static const char *const units[] = {"s", "ms", "us", "ns", "tick"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char text[NAME];
        snprintf(
            text, sizeof text,
            "digraph u { graph [time_unit=%s, reference_speed=\"2Gf\"]; a [time=1]; b [time=2]; a -> b [bytes=3]; }",
            units[i]);
        inlay_app *app = app_of_text(text);
        for (size_t f = 0; f < inlay_formats(); f++) {
            job of = {.app = app, .machine = "bus:2", .app_path = "-", .format = inlay_format_at(f).name};
            ck_assert(!inlay_format_at(f).reads || witness_job(so_far, &of));
        }
        inlay_app_free(app);
    }
}

/* Everything that runs may have to wait for, with and without a time of modules. */
static void witness_periods(const evidence *so_far)
{
    static const char *const texts[] = {
        "digraph a { graph [time_unit=tick, period=9]; a [time=0]; b [time=0]; a -> b [messages=3]; }",
        "digraph s { graph [time_unit=tick, period=1]; a [time=4]; b [time=3]; c [time=1]; a -> b [messages=9]; a -> c "
        "[messages=9]; }",
        "digraph b { graph [time_unit=tick, period=1]; a [time=4]; b [time=3]; c [time=3]; a -> b [messages=9]; b -> c "
        "[messages=9]; }",
        "digraph d { graph [time_unit=tick, period=1]; a [time=1]; b [time=1]; c [time=1]; "
        "D [kind=data, size=8]; a -> D [messages=4]; b -> D [messages=4]; c -> D [messages=4]; }",
    };
    static const char *const grouped[] = {"bus:3", "bus:3", "ring:3", "multibus:3,memories=2,buses=2"};
    static const inlay_id apart[] = {0, 1, 2};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        inlay_app *app = app_of_text(texts[i]);
        for (size_t m = 0; m < sizeof grouped / sizeof *grouped; m++) {
            job of = {.app = app, .machine = grouped[m], .app_path = "-", .format = "dot", .processor_of = apart};
            witness_job(so_far, &of);
        }
        inlay_app_free(app);
    }
    inlay_app *app = read_app("graphs/equalizer.sdf3.xml");
    for (int k = 0; k < 2; k++) {
        job of = {.app = app,
                  .machine = "bus:2",
                  .app_path = "-",
                  .format = "sdf3",
                  .options = {.method = inlay_method_named("best"), .objective = (inlay_objective)k}};
        ck_assert(witness_job(so_far, &of));
    }
    inlay_app_free(app);
}

/* Machines with all their attributes. */
static void witness_machines(const evidence *so_far)
{
    static const char *const machines[] = {
        "bus:4,memory=common,capacity=1GB/s,message_size=64KiB,transfers=2,latency=1us,processor_memory=1GiB,"
        "common_memory=1GiB,type=fast,price=0.12,currency=EUR,power=95W,arithmetic_time=0.8ns,function_time=12ns,task_"
        "overhead=2us,o_send=2us:0.1ns/64KiB:9us,o_recv=1us,latency_by_size=1us/"
        "4KiB:3us:0.1ns,eager_limit=4KiB,rendezvous=late,memory_bandwidth=15GB/"
        "s,core_bandwidth=10GB/"
        "s,boards=2,time_spread=0.02,"
        "time_error=0.05,network_error=0.1",
        "multibus:4,memories=3,buses=2,model=occupancy,capacity=1GB/s,message_size=64KiB,transfers=2,latency=1us,"
        "processor_memory=1GiB,common_memory=1GiB,type=fast,price=0",
        "omega:4,switch=2,packets=3,transit=1us,cycle=2us,message_size=64KiB,transfers=2,latency=1us,"
        "processor_memory=1GiB,common_memory=1GiB,type=fast,power=95W",
        "omega-pe:4,switch=2,packets=3,cycle=2us,message_size=64KiB,transfers=2,latency=1us,processor_memory=1GiB,"
        "type=fast",
        "crossbar:4,model=mm1,capacity=1GB/s,link_latency=1us,switching=cut-through,speed=2",
        "star:4,duplex=full,broadcast=tree,time_error=0.05",
        "ring:4,cores=2,broadcast=each",
        "mesh:2x2,duplex=half"};
    inlay_app *app = app_of_text("digraph a { a [time=1]; b [time=2]; a -> b [bytes=3]; }");
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        job of = {.app = app, .machine = machines[i], .options.max_events = i > 0 ? 0 : -1};
        ck_assert(witness_job(so_far, &of));
    }
    for (size_t i = 0; i < inlay_families(); i++) {
        job of = {.app = app, .machine = family_row((inlay_family)i)->sample};
        ck_assert(witness_job(so_far, &of));
    }
    for (int i = 0; i < 4; i++) { /* by order, by nearest placement, by Scotch where it is there */
        bool scotch = i == 3;
        inlay_layout layouts[] = {INLAY_LAYOUT_ORDER, INLAY_LAYOUT_NEAREST, INLAY_LAYOUT_NEAREST, INLAY_LAYOUT_SCOTCH};
        job of = {.app = app, .machine = "ring:4", .options = {.layout = layouts[i]}};
        of.looks_back = i == 1 || i == 2;
        inlay_mapping *mapping = NULL;
        inlay_machine *ring = NULL;
        ck_assert_int_eq(inlay_machine_parse("ring:4", &ring, NULL), INLAY_OK);
        bool there = !scotch || inlay_map(app, ring, &of.options, &mapping, NULL) == INLAY_OK;
        inlay_mapping_free(mapping);
        inlay_machine_free(ring);
        if (there) {
            ck_assert(witness_job(so_far, &of));
        } else {
            json_object_set_new(so_far->facts, "options.layout=scotch", json_true());
        }
    }
    inlay_app_free(app);
}

/* No rate of a processor gives so much traffic. */
static void witness_saturation(const evidence *so_far)
{
    const inlay_id apart[] = {0, 1};
    inlay_app *app = app_of_text("digraph s { graph [time_unit=tick]; a [time=1]; b [time=1]; a -> b [messages=9]; }");
    job of = {.app = app,
              .machine = "bus:2,capacity=10msg/tick",
              .options = {.has_time_frame = true, .time_frame = {{1, 0}, INLAY_UNIT_TICK}},
              .processor_of = apart};
    ck_assert(witness_job(so_far, &of));
    inlay_app_free(app);
}

/* The order of modules: given with a placement, and by each rule. */
static void witness_orders(const evidence *so_far)
{
    const inlay_id together[] = {0, 0}, order[] = {1, 0};
    inlay_app *app = app_of_text("digraph n { graph [time_unit=tick]; a [time=1]; b [time=2]; }");
    static const double start[] = {0, 2.5};
    const job jobs[] = {{.app = app, .machine = "bus:2", .processor_of = together, .order = order, .start = start},
                        {.app = app, .machine = "bus:2", .options.order = INLAY_ORDER_PAPER},
                        {.app = app, .machine = "bus:2", .options.order = INLAY_ORDER_BOTTOM_LEVEL}};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        ck_assert(witness_job(so_far, &jobs[i]));
    }
    inlay_app_free(app);
}

/* Figures that there are not: no time at all; traffic that delays nobody; a graph too large for its width. */
static void witness_nulls(const evidence *so_far)
{
    const inlay_id apart[] = {0, 1};
    inlay_app *idle = app_of_text("digraph n { graph [time_unit=tick]; a [time=0]; b [time=0]; a -> b; }");
    inlay_app *chatty = app_of_text("digraph n { graph [time_unit=tick]; a [time=1]; b [time=1];"
                                    " a -> b [kind=traffic, messages=100]; }");
    const job jobs[] = {{.app = idle, .machine = "bus:2"},
                        {.app = idle, .machine = "bus:2,price=1,power=1W"},
                        {.app = idle, .machine = "bus:2", .processor_of = apart},
                        {.app = chatty, .machine = "bus:2", .processor_of = apart}};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        ck_assert(witness_job(so_far, &jobs[i]));
    }
    inlay_app_free(chatty);
    inlay_app_free(idle);
}

/* Each lower bound is the largest somewhere: as in test_bounds.c. */
static void witness_bounds(const evidence *so_far)
{
    static const struct {
        const char *app, *machine;
    } of[] = {
        {"a [time=2, pin=0]; b [time=3, pin=1]; a -> b [messages=4];", "bus:2"},
        {"a [time=1]; node [time=2]; b; c; d; e; z [time=1]; a -> {b c d e} -> z [messages=0];", "bus:2"},
        {"a [time=1]; b [time=10]; c [time=10]; a -> {b c} [messages=4];", "bus:2"},
        {"b [time=10]; c [time=10]; z [time=1]; {b c} -> z [messages=4];", "bus:2"},
        {"node [time=1]; a; b; c; {a b} -> c [messages=5];", "bus:3"},
        {"node [time=1]; a; b; a -> b [messages=5];", "omega:4,switch=2"},
        {"node [time=1]; a; b; c; d [kind=data, size=1]; d -> {a b c} [messages=5];", "multibus:4,memories=2,buses=2"},
        {"node [time=1]; a; b; a -> b [messages=5];", "star:2"},
    };
    const inlay_id apart[] = {0, 1, 2, 0, 1, 0};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char text[NAME];
        snprintf(text, sizeof text, "digraph b { graph [time_unit=tick]; %s }", of[i].app);
        inlay_app *app = app_of_text(text);
        job one = {.app = app, .machine = of[i].machine};
        one.processor_of = i == 1 || i == 2 || i == 3 ? NULL : apart;
        ck_assert(witness_job(so_far, &one));
        inlay_app_free(app);
    }
}

/* A DOT graph of WIDE modules and no links. */
static void write_wide(const char *path)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("digraph wide { graph [time_unit=ns]; node [time=1];\n", file);
    for (int i = 0; i < WIDE; i++) {
        fprintf(file, "w%d;\n", i);
    }
    fputs("}\n", file);
    ck_assert_int_eq(fclose(file), 0);
}

static void witness_wide(const evidence *so_far)
{
    static const inlay_id first[WIDE];
    char path[NAME];
    write_wide(in_folder("wide.dot", path));
    inlay_app *app = read_app(path);
    job of = {.app = app, .machine = "bus:2", .processor_of = first, .app_path = path};
    ck_assert(witness_job(so_far, &of));
    inlay_app_free(app);
}

START_TEST(mappings_show_all_of_their_schema)
{
    evidence so_far = open_evidence("mapping");
    witness_examples(&so_far);
    witness_options(&so_far);
    witness_units(&so_far);
    witness_periods(&so_far);
    witness_saturation(&so_far);
    witness_machines(&so_far);
    witness_nulls(&so_far);
    witness_orders(&so_far);
    witness_wide(&so_far);
    witness_bounds(&so_far);
    close_evidence(&so_far, "mapping.json");
}
END_TEST

/* ---- What the program prints ---- */

/* The standard output of `inlay ARGUMENTS` as JSON. */
static json_t *output_of(const char *arguments)
{
    char command[LINE];
    json_error_t error;
    const char *program = getenv("INLAY");
    snprintf(command, sizeof command, "'%s' %s", program != NULL ? program : "build/inlay", arguments);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value != NULL, "%s: line %d: %s", command, error.line, error.text);
    pclose(pipe);
    return value;
}

static void witness_output(const evidence *so_far, const char *arguments)
{
    json_t *value = output_of(arguments);
    witness(so_far->schema, value, so_far->facts, arguments);
    json_decref(value);
}

START_TEST(info_shows_all_of_its_schema)
{
    char path[NAME], arguments[LINE];
    evidence so_far = open_evidence("info");
    write_wide(in_folder("wide.dot", path));
    write_text(in_folder("ms.dot", path), "digraph { graph [time_unit=ms]; a [time=1, blocking=0]; }");
    write_text(in_folder("us.dot", path),
               "digraph { graph [time_unit=us, period=9]; a [time=1]; a -> b [data=x]; b [time=1]; }");
    write_text(in_folder("free.xml", path), "<sdf3 type='sdf'><applicationGraph><sdf><actor name='a'/></sdf>"
                                            "</applicationGraph></sdf3>");
    write_text(in_folder("run.json", path), "{\"schemaVersion\": \"1.4\", \"workflow\": {\"machines\": [{\"nodeName\": "
                                            "\"h\"}], \"tasks\": [{\"name\": \"a\", "
                                            "\"runtimeInSeconds\": 1, \"readBytes\": 2, \"writtenBytes\": 3}]}}");
    static const char *const files[] = {
        "graphs/toy.dot", "graphs/workflow.json",      "%s/wide.dot", "%s/ms.dot", "%s/us.dot",
        "%s/free.xml",    "graphs/equalizer.sdf3.xml", "%s/run.json"};
    char all[LINE] = "info --json --bandwidth 1 --parallelism";
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char file[NAME];
        snprintf(file, sizeof file, files[i], folder);
        snprintf(arguments, sizeof arguments, "info --json %s%s", i % 2 ? "-p 3 --bandwidth 1 --parallelism " : "",
                 file);
        witness_output(&so_far, arguments);
        snprintf(all + strlen(all), sizeof all - strlen(all), " %s", file);
    }
    witness_output(&so_far, all);
    close_evidence(&so_far, "inlay info --json");
}
END_TEST

START_TEST(check_shows_all_of_its_schema)
{
    char path[NAME], arguments[LINE];
    evidence so_far = open_evidence("check");
    inlay_app *app = read_app("graphs/toy.dot");
    job of = {.app = app, .machine = "bus:4", .app_path = "graphs/toy.dot"};
    json_t *mapping = mapping_of(&of);
    snprintf(arguments, sizeof arguments, "check --json %s", in_folder("mapping.json", path));
    witness_output(&so_far, arguments);
    json_object_set_new(mapping, "messages", json_integer(77));
    ck_assert_int_eq(json_dump_file(mapping, path, 0), 0);
    witness_output(&so_far, arguments);
    close_evidence(&so_far, "inlay check --json");
    json_decref(mapping);
    inlay_app_free(app);
}
END_TEST

START_TEST(compare_shows_all_of_its_schema)
{
    static const char *const texts[][2] = {
        {"idle.dot", "digraph { graph [time_unit=ns]; a [time=0]; }"},
        {"late.dot", "digraph { graph [time_unit=us]; a [time=0, pin=0]; b [time=0, pin=1]; a -> b [kind=traffic]; }"},
        {"chatty.dot", "digraph { graph [time_unit=ms]; a [time=1, pin=0]; b [time=1, pin=1];"
                       " a -> b [kind=traffic, bytes=100]; }"}};
    static const char *const arguments[] = {
        "graphs/cholesky4.dot graphs/cholesky5.dot graphs/toy.dot bus:16,memory=common bus:16 "
        "multibus:16,memories=4,buses=2 omega:16 omega-pe:16 bus:3,capacity=0.01msg/tick bus:9,capacity=1GB/s -T 464",
        "graphs/workflow.json bus:4 omega:64,cycle=1us,message_size=1MB,latency=1ms bus:4,capacity=1GB/s",
        "graphs/toy.dot graphs/workflow.json bus:4 bus:2,price=1 --method heft",
        "graphs/workflow.json '%s/chatty.dot' bus:4,capacity=1GB/s,price=0.5 bus:4,capacity=1GB/s,price=0.3,power=9W "
        "--sort price --method heft",
        "graphs/workflow.json bus:4,capacity=1GB/s,price=1,currency=EUR graphs/blocks.dot --tick 1s --sort energy "
        "omega-pe:16,cycle=1us,message_size=2kB,power=1W bus:4,capacity=1GB/s,processor_memory=1KiB",
        "graphs/toy.dot graphs/cholesky4.dot bus:4 bus:5 --sort efficiency --method heft",
        "graphs/toy.dot graphs/cholesky4.dot bus:4 bus:5 --sort elapsed --method heft",
        "graphs/toy.dot graphs/cholesky4.dot bus:4 bus:5 --max-events 1",
        "'%s/idle.dot' '%s/idle.dot' bus:2",
        "'%s/late.dot' '%s/late.dot' bus:2",
        "'%s/late.dot' '%s/late.dot' bus:2,capacity=1B/ms,latency=1us --method heft",
        "'%s/chatty.dot' '%s/chatty.dot' bus:2",
        "'%s/idle.dot' '%s/late.dot' '%s/chatty.dot' bus:2,capacity=1B/ms,latency=1us"};
    char path[NAME];
    evidence so_far = open_evidence("compare");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_text(in_folder(texts[i][0], path), texts[i][1]);
    }
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        char command[LINE] = "compare --quiet --json ";
        size_t length = strlen(command);
        snprintf(command + length, sizeof command - length, arguments[i], folder, folder, folder);
        witness_output(&so_far, command);
    }
    close_evidence(&so_far, "inlay compare --json");
}
END_TEST

START_TEST(delay_shows_all_of_its_schema)
{
    static const char *const machines[] = {"bus:2",
                                           "bus:4,memory=common,capacity=1kB/s",
                                           "multibus:40,memories=20,buses=8,capacity=5msg/ms",
                                           "omega:8",
                                           "omega:8,cycle=1s",
                                           "omega:8,cycle=1ms",
                                           "omega:8,cycle=1us",
                                           "omega:8,cycle=1ns",
                                           "omega-pe:8"};
    static const char points[] = "--points 2 --load 0.9 --utilisation 0.1 --rate 0.01 --traffic 1 -T 100";
    char arguments[LINE], all[LINE];
    evidence so_far = open_evidence("delay");
    snprintf(all, sizeof all, "delay --json %s", points);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        snprintf(arguments, sizeof arguments, "delay --json %s %s", points, machines[i]);
        witness_output(&so_far, arguments);
        snprintf(all + strlen(all), sizeof all - strlen(all), " %s", machines[i]);
    }
    witness_output(&so_far, all);
    close_evidence(&so_far, "inlay delay --json");
}
END_TEST

/* ---- Inlay's JSON of an application ---- */

static const char whole_app[] =
    "digraph whole { graph [time_unit=%s, reference_speed=\"2Gf\", period=40];"
    " a [time=\"1.234567890123\", blocking=0, memory=\"4KiB\", traffic_memory=9000, cores=2, pin=1, kind=solver, "
    "arithmetic=12,"
    " functions=3, deadline=9, \"time.gpu\"=\"0.5\"]; b [time=2, blocking=1, \"time.gpu\"=none]; d [kind=data, size=5, "
    "time=3];"
    " a -> b [messages=2, bytes=8, data=x]; b -> a [kind=traffic]; d -> a [bytes=7]; }";

START_TEST(applications_show_all_of_their_schema)
{
    static const char *const units[] = {"s", "ms", "us", "ns", "tick"};
    evidence so_far = open_evidence("application");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char text[LINE], path[NAME];
        snprintf(text, sizeof text, whole_app, units[i]);
        inlay_app *app = app_of_text(text);
        ck_assert_int_eq(inlay_app_write(app, in_folder("app.json", path), "json", NULL), INLAY_OK);
        json_t *value = read_json(path);
        witness(so_far.schema, value, so_far.facts, path);
        json_decref(value);
        inlay_app_free(app);
    }
    close_evidence(&so_far, "an application's JSON");
}
END_TEST

#define PAIR "\"modules\": [{\"name\": \"a\", \"time\": 1}, {\"name\": \"b\", \"time\": 1}], \"links\": ["

/* Applications as members: what the reader takes, the schema takes, and the other way round. */
static const struct {
    const char *members;
    bool accepted;
} applications[] = {
    {"\"modules\": [{\"name\": \"a\", \"time\": 1}]", true},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1}], \"reference_speed\": 2.5e9", true},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1}], \"reference_speed\": 0", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1}], \"reference_speed\": \"1Gf\"", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 0.5}], \"links\": [], \"blocks\": []", true},
    {"\"modules\": [{\"name\": \"a\", \"time\": \"2.5ms\"}], \"name\": \"x\", \"time_unit\": \"us\"", true},
    {"\"modules\": [{\"name\": \"a\", \"time\": \"+.5e-3 s\", \"memory\": \"4 KiB\"}]", true},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1, \"cores\": 3, \"pin\": 0, \"kind\": \"\"}]", true},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1, \"times\": {\"gpu\": \"3us\"}}]", true},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1}], \"blocks\": [{\"name\": \"d\", \"size\": \"1MB\"}]", true},
    {"", false},
    {"\"modules\": []", false},
    {"\"modules\": {}", false},
    {"\"modules\": [3]", false},
    {"\"modules\": [{\"time\": 1}]", false},
    {"\"modules\": [{\"name\": \"\", \"time\": 1}]", false},
    {"\"modules\": [{\"name\": \"a\"}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": -1}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": \"-1\"}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": \"3 weeks\"}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": true}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1, \"colour\": \"red\"}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1, \"memory\": 1.5}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1, \"memory\": \"4 parsecs\"}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1, \"pin\": -1}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1, \"cores\": \"2\"}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1, \"kind\": 2}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1, \"functions\": -2}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1, \"times\": [1]}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1, \"times\": {\"gpu\": -1}}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1}], \"time_unit\": \"h\"", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1}], \"name\": 1", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1}], \"edges\": []", false},
    {PAIR "{\"from\": \"a\", \"to\": \"b\", \"kind\": \"traffic\", \"bytes\": \"1kB\"}]", true},
    {PAIR "{\"from\": \"a\", \"to\": \"b\", \"kind\": \"flow\"}]", false},
    {PAIR "{\"from\": \"a\", \"to\": \"b\", \"messages\": -1}]", false},
    {PAIR "{\"from\": \"a\", \"to\": \"b\", \"bytes\": \"much\"}]", false},
    {PAIR "{\"from\": \"a\"}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1}], \"blocks\": [{\"size\": 1}]", false},
    {"\"modules\": [{\"name\": \"a\", \"time\": 1}], \"blocks\": [{\"name\": \"d\", \"uses\": [{}]}]", false},
};

START_TEST(reader_and_schema_agree)
{
    char text[LINE], why[SCHEMA_WHY];
    inlay_app *app = NULL;
    bool any = *applications[_i].members != '\0';
    snprintf(text, sizeof text, "{\"inlay_application\": 1%s%s}", any ? ", " : "", applications[_i].members);
    json_t *schema = schema_load("application"), *value = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(value);
    bool accepted = schema_accepts(schema, value, NULL, why);
    bool read = inlay_app_read_memory(text, strlen(text), "text", "json", &app, NULL) == INLAY_OK;
    ck_assert_msg(accepted == applications[_i].accepted, "the schema: %s", text);
    ck_assert_msg(read == applications[_i].accepted, "the reader: %s", text);
    inlay_app_free(app);
    json_decref(value);
    json_decref(schema);
}
END_TEST

/* ---- Wrong objects ---- */

/* What a damage leaves is refused. */
static void expect_refused(const json_t *schema, const json_t *root, const char *damage, const char *name)
{
    char why[SCHEMA_WHY];
    ck_assert_msg(!schema_accepts(schema, root, NULL, why), "accepted: %s %s", damage, name);
}

/* Values that are of the right kind, and wrong all the same. */
static const char *const wrong_values[][3] = {
    {"", "command", "\"sweep\""},
    {"", "seed", "-1"},
    {"", "method", "\"\""},
    {"", "time_unit", "\"min\""},
    {"", "time_frame", "-1"},
    {"", "time_frame", "null"},
    {"", "processors", "1.5"},
    {"", "processors", "0"},
    {"", "clusters", "[]"},
    {"", "traffic_unit", "\"packets\""},
    {"", "warnings", "[1]"},
    {"", "reduced_from", "0"},
    {"rules", "start", "\"auto\""},
    {"options", "tick_seconds", "-1e-6"},
    {"network", "delay", "-0.5"},
    {"network", "model_number", "0"},
    {"layout", "in_order", "-1"},
    {"network", "u", "-0.1"},
    {"network", "model", "\"chain\""},
    {"network", "tau", "null"},
    {"makespan", "estimate", "null"},
    {"makespan", "bounds", "[]"},
    {"application", "sha256", "\"00\""},
    {"application", "format", "\"xml\""},
    {"machine", "processors", "\"a\""},
    {"parallelism", "level_width", "0"},
};

static void expect_wrong_values_refused(const json_t *schema, json_t *root)
{
    for (size_t i = 0; i < sizeof wrong_values / sizeof *wrong_values; i++) {
        json_t *at = *wrong_values[i][0] == '\0' ? root : json_object_get(root, wrong_values[i][0]);
        json_t *before = json_incref(json_object_get(at, wrong_values[i][1]));
        ck_assert_ptr_nonnull(before);
        json_object_set_new(at, wrong_values[i][1], json_loads(wrong_values[i][2], JSON_DECODE_ANY, NULL));
        expect_refused(schema, root, wrong_values[i][1], wrong_values[i][2]);
        json_object_set_new(at, wrong_values[i][1], before);
    }
}

START_TEST(damaged_mappings_are_refused)
{
    char why[SCHEMA_WHY];
    inlay_app *app = read_app("graphs/toy.dot");
    job of = {
        .app = app, .machine = "bus:2", .options.method = inlay_method_named("houstis"), .app_path = "graphs/toy.dot"};
    json_t *schema = schema_load("mapping"), *value = mapping_of(&of);
    schema_refuse_damages(schema, value, 150);
    expect_wrong_values_refused(schema, value);
    ck_assert_msg(schema_accepts(schema, value, NULL, why), "%s", why); /* all damages were mended */
    json_decref(value);
    json_decref(schema);
    inlay_app_free(app);
}
END_TEST

START_TEST(damaged_outputs_are_refused)
{
    static const char *const outputs[][2] = {
        {"info", "info --json -p 2 graphs/toy.dot"},
        {"info", "info --json -p 2 graphs/toy.dot graphs/cholesky4.dot"},
        {"check", "check --json '%s/mapping.json'"},
        {"compare", "compare --quiet --json graphs/toy.dot bus:4 bus:4,capacity=1GB/s"}};
    char arguments[LINE];
    inlay_app *app = read_app("graphs/toy.dot");
    job of = {.app = app, .machine = "bus:2", .app_path = "graphs/toy.dot"};
    json_decref(mapping_of(&of));
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        snprintf(arguments, sizeof arguments, outputs[i][1], folder);
        json_t *schema = schema_load(outputs[i][0]), *value = output_of(arguments);
        schema_refuse_damages(schema, value, 15);
        json_decref(value);
        json_decref(schema);
    }
    inlay_app_free(app);
}
END_TEST

Suite *suite_schema(void)
{
    Suite *suite = suite_create("schema");
    TCase *tests = tcase_create("schema");
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_test(tests, mappings_show_all_of_their_schema);
    tcase_add_test(tests, info_shows_all_of_its_schema);
    tcase_add_test(tests, check_shows_all_of_its_schema);
    tcase_add_test(tests, delay_shows_all_of_its_schema);
    tcase_add_test(tests, compare_shows_all_of_its_schema);
    tcase_add_test(tests, applications_show_all_of_their_schema);
    tcase_add_loop_test(tests, reader_and_schema_agree, 0, sizeof applications / sizeof *applications);
    tcase_add_test(tests, damaged_mappings_are_refused);
    tcase_add_test(tests, damaged_outputs_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}

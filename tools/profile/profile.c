/* `inlay profile`: a dataflow program becomes an application graph, or runs as a mapping places it. */
#include "profile.h"
#include "answer.h"
#include "commands.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <string.h>

#define FIELD(name) offsetof(profile_values, name)

static const cli_option program[] = {
    {"define", 'D', OPTION_TEXTS, "NAME=NUMBER", "set a parameter of the program; once for each parameter", NULL,
     FIELD(set)},
    {"stack", 0, OPTION_STRING, "SIZE", "stack of each module, such as 256KiB", "64KiB", FIELD(stack)},
    {"compiler", 0, OPTION_STRING, "COMMAND", "the C compiler, with words of its own behind it", "cc", FIELD(compiler)},
};
const cli_group profile_program = {"Program", program, sizeof program / sizeof *program};

static const cli_option costs[] = {
    {"cost", 0, OPTION_STRING, "LIST|FILE",
     "what operations take: add=1,divide=4 or add=2ns,... or a file with one of these a line; or simon, the table that "
     "fits the graph published for graphs/cholesky.c",
     "1 tick each", FIELD(cost)},
    {"measured", 0, OPTION_FLAG, NULL, "measure the processor time between gets and puts instead, in seconds", NULL,
     FIELD(measured)},
};
const cli_group profile_costs = {"Times", costs, sizeof costs / sizeof *costs};

static const cli_option mapped[] = {
    {"mapping", 0, OPTION_STRING, "MAPPING",
     "run the program as this mapping.json places its modules, with the messages of its machine, beside the simulation "
     "of the mapping",
     NULL, FIELD(mapping)},
    {"app", 0, OPTION_STRING, "FILE", "take the mapping's application from FILE, not from where it says", NULL,
     FIELD(app)},
};
const cli_group profile_mapped = {"Running it mapped", mapped, sizeof mapped / sizeof *mapped};

static const cli_option outputs[] = {
    {"output", 'o', OPTION_STRING, "FILE", "write the application graph to FILE (- for standard output, .gz packs it)",
     NULL, FIELD(output)},
    {"format", 0, OPTION_STRING, "FORMAT", "format to write; dot, tg and json keep blocking times",
     "told by the extension of FILE, else dot", FIELD(format)},
    {"data", 0, OPTION_FLAG, NULL,
     "name values that a module puts for several others with the same bytes (data=NAME), which are sent once then",
     NULL, FIELD(data)},
    {"csv", 0, OPTION_STRING, "FILE", "write for each module its times and how often it did each operation", NULL,
     FIELD(csv)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(common.json)},
};
const cli_group profile_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- Usage ---- */

/* The first option that goes only with, or only without, --mapping; NULL where there is none. */
static const char *misplaced(const profile_values *values)
{
    if (values->mapping == NULL) {
        return values->app != NULL ? "--app" : NULL;
    }
    return values->output != NULL ? "--output" : values->csv != NULL ? "--csv" : NULL;
}

/* "n=4" */
static bool read_setting(const char *text, char *name, size_t room, double *value)
{
    const char *equals = strchr(text, '=');
    inlay_decimal number;
    if (equals == NULL || equals == text || (size_t)(equals - text) >= room ||
        inlay_decimal_parse(equals + 1, &number) != INLAY_OK) {
        return false;
    }
    (void)snprintf(name, room, "%.*s", (int)(equals - text), text);
    *value = inlay_decimal_double(number);
    return true;
}

enum { PARAMETER_NAME = 256 };

static bool read_stack(const char *text, size_t *stack)
{
    enum { USUAL = 65536 };
    int64_t bytes = USUAL;
    if (text != NULL && (inlay_bytes_parse(text, &bytes) != INLAY_OK || bytes <= 0)) {
        return false;
    }
    *stack = (size_t)bytes;
    return true;
}

static int check_usage(const invocation *call)
{
    const profile_values *values = call->values;
    char name[PARAMETER_NAME];
    double value;
    size_t stack;
    for (size_t i = 0; i < values->set.count; i++) {
        if (!read_setting(values->set.text[i], name, sizeof name, &value)) {
            return report_usage(call->command, "-D %s: expected NAME=NUMBER, such as n=8", values->set.text[i]);
        }
    }
    if (!read_stack(values->stack, &stack)) {
        return report_usage(call->command, "--stack %s: expected a size above 0, such as 256KiB", values->stack);
    }
    if (values->compiler != NULL && values->compiler[strspn(values->compiler, " \t\n")] == '\0') {
        return report_usage(call->command, "--compiler: there is nothing but blanks; expected a command");
    }
    if (values->measured && values->cost != NULL) {
        return report_usage(call->command,
                            "--measured goes without --cost: either times are measured or they are told");
    }
    if (misplaced(values) != NULL) {
        return report_usage(call->command, "%s goes %s --mapping", misplaced(values),
                            values->mapping != NULL ? "without" : "with");
    }
    return values->format != NULL && values->output == NULL
               ? report_usage(call->command, "--format goes with -o, the graph that is written")
               : EXIT_DONE;
}

/* ---- Running it ---- */

typedef struct session {
    const invocation *call;
    inlay_program_function *function;
    inlay_program *program;
    inlay_program_options options;
    cost_table costs;
    inlay_profile *profile;
    inlay_loaded loaded; /* the mapping */
    inlay_program_run *run;
    inlay_simulation *simulation;
} session;

/* The file's name without folders and extension. */
static inlay_program *new_program(const char *path)
{
    char name[PARAMETER_NAME];
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    base = strcmp(path, "-") == 0 ? "standard input" : base;
    int length = dot != NULL && dot > base ? (int)(dot - base) : (int)strlen(base);
    (void)snprintf(name, sizeof name, "%.*s", length, base);
    return inlay_program_new(name);
}

static int wire(session *s, inlay_diag *diag)
{
    const profile_values *values = s->call->values;
    char name[PARAMETER_NAME];
    double value = 0;
    int status = INLAY_OK;
    s->program = new_program(s->call->operands[0]);
    if (s->program == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; i < values->set.count && status == INLAY_OK; i++) {
        if (read_setting(values->set.text[i], name, sizeof name, &value)) {
            status = inlay_program_set(s->program, name, value, diag);
        }
    }
    if (status != INLAY_OK) {
        return status;
    }
    int said = s->function(s->program, diag);
    return said == INLAY_OK || inlay_diag_message(diag)[0] != '\0' || said == INLAY_NO_MEMORY
               ? said
               : inlay_program_refuse(diag,
                                      "%s: inlay_program_main() gave %d, and no reason; expected INLAY_OK, or "
                                      "inlay_program_refuse()",
                                      inlay_program_name(s->program), said);
}

static int profile(session *s, inlay_diag *diag)
{
    const profile_values *values = s->call->values;
    int status = wire(s, diag);
    if (status != INLAY_OK) {
        return status;
    }
    cost_fit(&s->costs, s->program);
    s->options.cost = s->costs.cost;
    s->options.costs = s->costs.count;
    s->options.unit = s->costs.unit;
    s->options.measured = values->measured;
    s->options.data = values->data;
    return inlay_program_profile(s->program, &s->options, &s->profile, diag);
}

static int run_mapped(session *s, inlay_diag *diag)
{
    const profile_values *values = s->call->values;
    const inlay_program_run_options run = {.program = s->options, .seed = values->common.seed};
    const inlay_simulation_options simulate = {.seed = values->common.seed, .threads = 1};
    if (values->mapping == NULL) {
        return INLAY_OK;
    }
    int status = inlay_program_execute(s->program, s->loaded.mapping, &run, &s->run, diag);
    return status == INLAY_OK ? inlay_simulate(s->loaded.mapping, &simulate, &s->simulation, diag) : status;
}

/* ---- Delivering ---- */

static int write_app(const cli_answer *a, const char *path)
{
    const profile_values *values = a->call->values;
    const inlay_profiled *of = a->of;
    return inlay_app_write(inlay_profile_app(of->profile), path, values->format, a->diag);
}

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_profiled_write_json(a->of, &context, path, a->diag);
}

static int write_csv(const cli_answer *a, const char *path)
{
    return inlay_profiled_write_csv(a->of, path, a->diag);
}

static const cli_output profile_files[] = {
    {"-o", FIELD(output), .write = write_app}, {"--csv", FIELD(csv), .write = write_csv},
    {"--json", .write = write_json},           {.name = "--mapping", .path = FIELD(mapping)},
    {.name = "--app", .path = FIELD(app)},     {0},
};

/* A mapping says little of a program that does not do what its graph was made of. */
static void warn_of_changes(const session *s)
{
    bool told = s->loaded.mapping != NULL && !s->options.measured && !s->call->common->quiet;
    inlay_id changed = told ? inlay_profile_changed(s->profile, s->loaded.mapping) : 0;
    if (changed > 0) {
        say(stderr,
            "inlay: warning: %" PRId32 " of %" PRId32 " modules take other times than in the mapping's application; "
            "expected the -D and --cost that it was made with\n",
            changed, inlay_program_modules(s->program));
    }
}

static int deliver(const session *s, inlay_diag *diag)
{
    const profile_values *values = s->call->values;
    const inlay_profiled p = {s->call->operands[0], s->program, s->profile,   s->loaded.mapping,
                              values->mapping,      s->run,     s->simulation};
    warn_of_changes(s);
    return give_out(s->call, &p, diag);
}

/* The program's own functions run between watch and unwatch. */
static int run_program(session *s, inlay_diag *diag)
{
    const profile_values *values = s->call->values;
    (void)read_stack(values->stack, &s->options.stack);
    int status = program_watch(s->call, s->options.stack);
    if (status != INLAY_OK) {
        return status;
    }
    status = profile(s, diag);
    status = status == INLAY_OK ? run_mapped(s, diag) : status;
    program_unwatch();
    return status == INLAY_OK ? deliver(s, diag) : status;
}

static int prepare(session *s, inlay_diag *diag)
{
    const profile_values *values = s->call->values;
    int status = cost_read(s->call, &s->costs);
    if (status == INLAY_OK && values->mapping != NULL) {
        status = inlay_mapping_read(values->mapping, values->app, &s->loaded, diag);
    }
    return status == INLAY_OK ? program_load(s->call, &s->function) : status;
}

static void clear(session *s)
{
    inlay_simulation_free(s->simulation);
    inlay_program_run_free(s->run);
    inlay_profile_free(s->profile);
    inlay_program_free(s->program);
    inlay_loaded_clear(&s->loaded);
    cost_clear(&s->costs);
}

static int answer_profile(const invocation *call, inlay_diag *diag)
{
    session s = {.call = call};
    int status = prepare(&s, diag);
    status = status == INLAY_OK ? run_program(&s, diag) : status;
    clear(&s);
    return status;
}

const cli_command profile_command = {
    .name = "profile",
    .summary = "run a dataflow program in virtual time: its application graph",
    .description =
        "Compiles a dataflow program, a C file that defines inlay_program_main() with the functions of "
        "<inlay/dataflow.h>, or takes one that was compiled as a shared object. Runs all its modules in virtual time, "
        "with messages that take no time, and writes the application graph: processing time and blocking time of every "
        "module, messages of every link. Tells what the program's own check says of the numbers that it computed.\n"
        "Times are those of the operations that the modules count, or are measured.\n"
        "With --mapping the same program runs once more as a mapping of its graph places the modules, value by value, "
        "with the messages of the mapping's machine; the elapsed time stands beside that of inlay simulate. Give the "
        "same parameters and times as for the graph.",
    .example = "inlay profile graphs/cholesky.c -D n=4 --cost simon -o cholesky4.dot\n"
               "inlay map cholesky4.dot bus:17 -T 464 --quiet -o cholesky4.json\n"
               "inlay profile graphs/cholesky.c -D n=4 --cost simon --mapping cholesky4.json",
    .operands = {{.name = "PROGRAM", .help = "a program in C (.c, or a pipe), or a shared object"}},
    .groups = {&profile_program, &profile_costs, &profile_mapped, &profile_outputs, &common_options},
    .values_size = sizeof(profile_values),
    .outputs = profile_files,
    .inputs = "the program",
    .print = profile_print_table,
    .check = check_usage,
    .answer = answer_profile,
};

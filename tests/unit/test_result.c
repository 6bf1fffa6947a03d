/* A C caller gets the bytes that the command line prints. */
#include "unit.h"

#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROOM = 1 << 20 };

#define APP     "graphs/cholesky4.dot"
#define MACHINE "bus:17"
#define GRID    "300x200 6,4,4,3 --latency 1ms --per-byte 1us"
#define DELAYS  "bus:17 omega-pe:64,packets=4 multibus:12,memories=4,buses=2"
#define POINTS  "--points 2 --load 0.9 --utilisation 0.25 --rate 0.01 --traffic 30 -T 200"
#define SPMD    "graphs/figure13.dot architectures/figure13-metasystem.dot"

static char path[64], mapping_path[80]; /* of what a call writes, and of a mapping */

static void name_paths(void)
{
    snprintf(path, sizeof path, "/tmp/inlay-unit-%ld.result.json", (long)getpid());
    snprintf(mapping_path, sizeof mapping_path, "/tmp/inlay-unit-%ld.mapping.json", (long)getpid());
    setenv("MAPPING", mapping_path, 1);
}

static void remove_paths(void)
{
    static const char *const endings[] = {"", ".c", ".dot"}; /* a mapping, a program, a graph */
    unlink(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char also[sizeof mapping_path + 8];
        snprintf(also, sizeof also, "%s%s", mapping_path, endings[i]);
        unlink(also);
    }
}

/* All of a stream; the caller frees it. */
static char *read_all(FILE *from)
{
    char *text = calloc(ROOM, 1);
    ck_assert_ptr_nonnull(from);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_lt(fread(text, 1, ROOM, from), ROOM);
    return text;
}

/* The file that a call has written is what `inlay WORDS` prints. */
static void expect_printed(const char *words)
{
    char command[512];
    const char *program = getenv("INLAY");
    snprintf(command, sizeof command, "%s %s", program != NULL ? program : "build/inlay", words);
    FILE *ours = fopen(path, "r"), *theirs = popen(command, "r"); // NOLINT(cert-env33-c): the program under test
    char *called = read_all(ours), *printed = read_all(theirs);
    fclose(ours);
    ck_assert_int_eq(pclose(theirs), 0);
    ck_assert_uint_gt(strlen(called), 100);
    ck_assert_str_eq(called, printed);
    free(called);
    free(printed);
}

static inlay_app *app;
static inlay_machine *machine;
static inlay_diag *diag;

static void read_both(void)
{
    name_paths();
    diag = inlay_diag_new();
    ck_assert_int_eq(inlay_app_read(APP, NULL, &app, diag), INLAY_OK);
    ck_assert_int_eq(inlay_machine_read(MACHINE, &machine, diag), INLAY_OK);
}

static void free_both(void)
{
    inlay_machine_free(machine);
    inlay_app_free(app);
    inlay_diag_free(diag);
    remove_paths();
}

/* ---- What a command prints, made by calls ---- */

/* The context of a command's result. */
static inlay_result_context of_command(const char *command)
{
    return (inlay_result_context){.command = command, .said = diag};
}

static int write_sweep(bool csv)
{
    const inlay_result_context context = of_command("sweep");
    inlay_sweep_result *sweep = NULL;
    int status = inlay_sweep(app, machine, NULL, &sweep, diag);
    if (status == INLAY_OK) {
        status = csv ? inlay_sweep_write_csv(sweep, path, diag) : inlay_sweep_write_json(sweep, &context, path, diag);
    }
    inlay_sweep_free(sweep);
    return status;
}

static int write_pareto(bool csv)
{
    const inlay_result_context context = of_command("pareto");
    inlay_pareto_result *front = NULL;
    int status = inlay_pareto(app, machine, NULL, &front, diag);
    if (status == INLAY_OK) {
        status = csv ? inlay_pareto_write_csv(front, path, diag) : inlay_pareto_write_json(front, &context, path, diag);
    }
    inlay_pareto_free(front);
    return status;
}

static int write_advice(bool csv)
{
    const inlay_result_context context = of_command("advise");
    const inlay_advise_input inputs[] = {{app, NULL, NULL, inlay_app_name(app), APP},
                                         {NULL, machine, NULL, MACHINE, MACHINE}};
    const inlay_advise_options options = {.mapping.effort.evaluations = 50};
    inlay_advice *advice = NULL;
    int status = inlay_advise(inputs, 2, &options, &advice, diag);
    if (status == INLAY_OK) {
        status =
            csv ? inlay_advice_write_csv(advice, path, diag) : inlay_advice_write_json(advice, &context, path, diag);
    }
    inlay_advice_free(advice);
    return status;
}

static int write_map(bool csv)
{
    (void)csv; /* there is none */
    inlay_mapping *mapping = NULL;
    const inlay_origin origin = {.command = "map", .app_path = APP};
    int status = inlay_map(app, machine, NULL, &mapping, diag);
    status = status == INLAY_OK ? inlay_mapping_write(mapping, &origin, path, diag) : status;
    inlay_mapping_free(mapping);
    return status;
}

static int write_compare(bool csv)
{
    const inlay_result_context context = of_command("compare");
    inlay_machine *small = NULL;
    int status = inlay_machine_read("omega-pe:4", &small, diag);
    const inlay_compare_input inputs[] = {{.app = app, .name = inlay_app_name(app), .source = APP},
                                          {.machine = machine, .name = MACHINE, .source = MACHINE},
                                          {.machine = small, .name = "omega-pe:4", .source = "omega-pe:4"}};
    inlay_comparison *comparison = NULL;
    status = status == INLAY_OK ? inlay_compare(inputs, 3, NULL, &comparison, diag) : status;
    if (status == INLAY_OK) {
        status = csv ? inlay_comparison_write_csv(comparison, path, diag)
                     : inlay_comparison_write_json(comparison, &context, path, diag);
    }
    inlay_comparison_free(comparison);
    inlay_machine_free(small);
    return status;
}

/* A mapping in its file. */
static int write_mapping(inlay_loaded *loaded)
{
    inlay_mapping *mapping = NULL;
    const inlay_origin origin = {.command = "map", .app_path = APP};
    int status = inlay_map(app, machine, NULL, &mapping, diag);
    status = status == INLAY_OK ? inlay_mapping_write(mapping, &origin, mapping_path, diag) : status;
    inlay_mapping_free(mapping);
    return status == INLAY_OK ? inlay_mapping_read(mapping_path, NULL, loaded, diag) : status;
}

static int write_simulation(bool csv)
{
    (void)csv; /* there is none */
    inlay_result_context context = of_command("simulate");
    const inlay_simulation_options options = {.record = true};
    inlay_loaded loaded = {0};
    inlay_simulation *simulation = NULL;
    context.file = mapping_path;
    int status = write_mapping(&loaded);
    status = status == INLAY_OK ? inlay_simulate(loaded.mapping, &options, &simulation, diag) : status;
    status = status == INLAY_OK ? inlay_simulation_write_json(simulation, NULL, &context, path, diag) : status;
    inlay_simulation_free(simulation);
    inlay_loaded_clear(&loaded);
    return status;
}

static int write_check(bool csv)
{
    (void)csv;
    inlay_result_context context = of_command("check");
    inlay_loaded loaded = {0};
    inlay_findings *findings = NULL;
    context.file = mapping_path;
    int status = write_mapping(&loaded);
    status = status == INLAY_OK ? inlay_check_file(mapping_path, NULL, &findings, diag) : status;
    status = status == INLAY_OK ? inlay_findings_write_json(findings, &context, path, diag) : status;
    inlay_findings_free(findings);
    inlay_loaded_clear(&loaded);
    return status;
}

/* Of a program that is not written here. */
static int write_synth(bool csv)
{
    (void)csv;
    inlay_result_context context = of_command("synth");
    const inlay_synth_options options = {.tick_seconds = 1e-3};
    inlay_loaded loaded = {0};
    inlay_synth *synth = NULL;
    context.file = mapping_path;
    int status = write_mapping(&loaded);
    status = status == INLAY_OK ? inlay_synthesise(loaded.mapping, &options, &synth, diag) : status;
    status = status == INLAY_OK ? inlay_synth_write(synth, path, diag) : status;
    struct stat written = {0};
    char output[sizeof mapping_path + 2];
    snprintf(output, sizeof output, "%s.c", mapping_path);
    ck_assert_int_eq(stat(path, &written), 0);
    status = status == INLAY_OK ? inlay_synth_write_json(synth, output, written.st_size, &context, path, diag) : status;
    inlay_synth_free(synth);
    inlay_loaded_clear(&loaded);
    return status;
}

static int write_apps(bool csv)
{
    (void)csv;
    const inlay_result_context context = of_command("info");
    const inlay_app *const apps[] = {app, app};
    const inlay_app_facts facts = {.processors = 3, .bandwidth = 1, .parallelism = true};
    return inlay_apps_write_json(apps, 2, &facts, &context, path, diag);
}

static int write_machines(bool csv)
{
    (void)csv;
    const inlay_result_context context = of_command("info");
    inlay_machine *mesh = NULL;
    int status = inlay_machine_read("mesh:4x3", &mesh, diag);
    const inlay_machine *const machines[] = {machine, mesh};
    status = status == INLAY_OK ? inlay_machines_write_json(machines, 2, &context, path, diag) : status;
    inlay_machine_free(mesh);
    return status;
}

static int write_reduced(bool csv)
{
    (void)csv;
    const inlay_result_context context = of_command("reduce");
    const inlay_stochastic_options options = {.executions = 10};
    inlay_stochastic *graph = NULL;
    inlay_app *reduced = NULL;
    int status = inlay_stochastic_read("graphs/transactions.dot", &graph, diag);
    status = status == INLAY_OK ? inlay_stochastic_reduce(graph, &options, &reduced, diag) : status;
    status = status == INLAY_OK ? inlay_stochastic_write_json(graph, &options, reduced, &context, path, diag) : status;
    inlay_app_free(reduced);
    inlay_stochastic_free(graph);
    return status;
}

static int write_explained(bool csv)
{
    (void)csv;
    const inlay_result_context context = of_command("explain");
    inlay_loaded loaded = {0};
    inlay_explanation *explanation = NULL;
    int status = write_mapping(&loaded);
    status = status == INLAY_OK ? inlay_explain(loaded.mapping, NULL, &explanation, diag) : status;
    const inlay_explained explained = {explanation, loaded.mapping, mapping_path, APP, false};
    status = status == INLAY_OK ? inlay_explained_write_json(&explained, &context, path, diag) : status;
    inlay_explanation_free(explanation);
    inlay_loaded_clear(&loaded);
    return status;
}

static int write_processes(bool csv)
{
    static const char file[] = "architectures/paper-speeds.json";
    inlay_result_context context = of_command("processes");
    inlay_process_question question = {.options = {.best = 3}, .grid = {.data = {60, 60, 60}}, .points = 100};
    inlay_process_platform *platform = NULL;
    inlay_process_result *found = NULL;
    context.file = file;
    ck_assert_int_eq(inlay_process_platform_read(file, INLAY_PERFORMANCE_AS_GIVEN, &platform, diag), INLAY_OK);
    question.problem = platform->problem;
    question.data_unit = platform->data_unit;
    question.time_unit = platform->time_unit;
    ck_assert_int_eq(inlay_processes_ask(&question, &found, diag), INLAY_OK);
    int status = csv ? inlay_process_points_write_csv(found->point, found->points, question.time_unit, path, diag)
                     : inlay_process_result_write_json(found, &context, path, diag);
    inlay_process_result_free(found);
    inlay_process_platform_free(platform);
    return status;
}

/* By listing all configurations. */
static int write_select(bool csv)
{
    const inlay_result_context context = of_command("select");
    inlay_domain_file *program = NULL;
    inlay_metasystem *metasystem = NULL;
    inlay_select_result *found = NULL;
    ck_assert_int_eq(inlay_domain_read("graphs/figure13.dot", NULL, 0, &program, diag), INLAY_OK);
    ck_assert_int_eq(inlay_metasystem_read("architectures/figure13-metasystem.dot", &metasystem, diag), INLAY_OK);
    const inlay_select_question question = {.program = program,
                                            .metasystem = metasystem,
                                            .terms = {.map = INLAY_SELECT_REAL},
                                            .options = {.method = INLAY_SELECT_EXHAUSTIVE},
                                            .points = 100,
                                            .tells_tasks = true};
    ck_assert_int_eq(inlay_select_ask(&question, &found, diag), INLAY_OK);
    int status = csv ? inlay_selection_write_csv(found->curve, metasystem, path, diag)
                     : inlay_select_result_write_json(found, &context, path, diag);
    inlay_select_result_free(found);
    inlay_metasystem_free(metasystem);
    inlay_domain_file_free(program);
    return status;
}

static int write_grid(bool csv)
{
    const inlay_result_context context = of_command("decompose");
    inlay_grid_question question = {.network = {.latency = 1e-3, .per_byte = 1e-6, .payload = 1460, .frame = 58},
                                    .options = {.methods = (UINT32_C(1) << INLAY_GRID_BEST) - 1},
                                    .sizes = {64, 300, 5}};
    inlay_grid_result *found = NULL;
    ck_assert_int_eq(inlay_grid_program_read("300x200", 10, &question.program, diag), INLAY_OK);
    ck_assert_int_eq(inlay_grid_program_add(question.program, "stencil5", 10, diag), INLAY_OK);
    ck_assert_int_eq(inlay_grid_machines_read("6,4,4,3", 0, &question.machines, diag), INLAY_OK);
    question.problem = (inlay_grid_problem){.rows = question.program->rows,
                                            .columns = question.program->columns,
                                            .item = 8,
                                            .processors = question.machines->processors,
                                            .speed = question.machines->speed};
    ck_assert_int_eq(inlay_grid_ask(&question, &found, diag), INLAY_OK);
    int status = csv ? inlay_grid_ranking_write_csv(found->ranking, path, diag)
                     : inlay_grid_result_write_json(found, &context, path, diag);
    inlay_grid_result_free(found);
    inlay_grid_machines_free(question.machines);
    inlay_grid_program_free(question.program);
    return status;
}

static int write_runs(bool csv)
{
    static const char run[] =
        "{\"command\": \"run\", \"application\": \"a\", \"machine\": \"bus:4\", \"time_unit\": "
        "\"s\", \"estimate\": 3, \"simulated\": 4, \"cores\": 2, \"measured\": {\"runs\": [5, 7]}}";
    const inlay_result_context context = of_command("compare");
    const char *const paths[] = {mapping_path};
    inlay_runs *runs = NULL;
    FILE *file = fopen(mapping_path, "w");
    ck_assert(file != NULL && fputs(run, file) >= 0);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(inlay_runs_read(paths, 1, &runs, diag), INLAY_OK);
    int status = csv ? inlay_runs_write_csv(runs, path, diag) : inlay_runs_write_json(runs, &context, path, diag);
    inlay_runs_free(runs);
    return status;
}

/* A program that is compiled here, and its text, which the command compiles: two modules, of which one says a half. */
#define HERE_AND_AS_TEXT(text, ...)                                                                                    \
    __VA_ARGS__ static const char text[] = "#include <inlay/inlay.h>\n" #__VA_ARGS__ "\n"

/* clang-format off */
HERE_AND_AS_TEXT(program_text,
static void say_half(inlay_actor *self, void *state)
{
    const double *number = state;
    inlay_count(self, INLAY_DIVIDE, 1);
    inlay_put(inlay_output(self, 0), number);
}

static void hear(inlay_actor *self, void *state)
{
    (void)state;
    double number;
    inlay_get(inlay_input(self, 0), &number);
    inlay_count(self, INLAY_ADD, 2.5);
}

static int wire_two(inlay_program *program, inlay_diag *given)
{
    double half = inlay_parameter(program, "whole", 1) / 2;
    inlay_id from = inlay_program_module(program, "first", say_half, &half, sizeof half, given);
    inlay_id to = inlay_program_module(program, "second, last", hear, NULL, 0, given);
    return from < 0 || to < 0 ? INLAY_BAD_INPUT : inlay_program_wire(program, from, 0, to, 0, sizeof half, 0, given);
});
/* clang-format on */

static char program_path[88], graph_path[88];

static void write_program(void)
{
    snprintf(program_path, sizeof program_path, "%s.c", mapping_path);
    snprintf(graph_path, sizeof graph_path, "%s.dot", mapping_path);
    FILE *file = fopen(program_path, "w");
    ck_assert(file != NULL && fprintf(file,
                                      "%sint inlay_program_main(inlay_program *program, inlay_diag *diag)\n{\n"
                                      "    return wire_two(program, diag);\n}\n",
                                      program_text) > 0);
    ck_assert_int_eq(fclose(file), 0);
}

/* The graph of the profile, mapped and simulated, and the program run so. */
static int run_mapped(inlay_profiled *p, inlay_loaded *loaded, inlay_program_run **run, inlay_simulation **simulation)
{
    const inlay_origin origin = {.command = "map", .app_path = graph_path};
    inlay_program *program = (inlay_program *)p->program;
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(inlay_app_write(inlay_profile_app(p->profile), graph_path, NULL, diag), INLAY_OK);
    ck_assert_int_eq(inlay_map(inlay_profile_app(p->profile), machine, NULL, &mapping, diag), INLAY_OK);
    ck_assert_int_eq(inlay_mapping_write(mapping, &origin, mapping_path, diag), INLAY_OK);
    inlay_mapping_free(mapping);
    int status = inlay_mapping_read(mapping_path, NULL, loaded, diag);
    p->mapping = loaded->mapping;
    p->mapping_file = mapping_path;
    status = status == INLAY_OK ? inlay_program_execute(program, p->mapping, NULL, run, diag) : status;
    return status == INLAY_OK ? inlay_simulate(p->mapping, NULL, simulation, diag) : status;
}

static int write_profiled(bool csv, bool mapped)
{
    const inlay_result_context context = of_command("profile");
    inlay_loaded loaded = {0};
    inlay_profile *profile = NULL;
    inlay_program_run *run = NULL;
    inlay_simulation *simulation = NULL;
    write_program();
    const char *base = strrchr(mapping_path, '/') + 1; /* the file's name without .c */
    inlay_program *program = inlay_program_new(base);
    ck_assert_int_eq(wire_two(program, diag), INLAY_OK);
    ck_assert_int_eq(inlay_program_profile(program, NULL, &profile, diag), INLAY_OK);
    inlay_profiled p = {.file = program_path, .program = program, .profile = profile};
    int status = mapped ? run_mapped(&p, &loaded, &run, &simulation) : INLAY_OK;
    p.run = run;
    p.simulation = simulation;
    if (status == INLAY_OK) {
        status = csv ? inlay_profiled_write_csv(&p, path, diag) : inlay_profiled_write_json(&p, &context, path, diag);
    }
    inlay_simulation_free(simulation);
    inlay_program_run_free(run);
    inlay_loaded_clear(&loaded);
    inlay_profile_free(profile);
    inlay_program_free(program);
    return status;
}

static int write_profile(bool csv)
{
    return write_profiled(csv, false);
}

static int write_run_program(bool csv)
{
    return write_profiled(csv, true);
}

/* Points of every kind, with remarks, of one machine and of three. */
static int write_delays(size_t count, bool csv)
{
    static const char *const names[] = {"bus:17", "omega-pe:64,packets=4", "multibus:12,memories=4,buses=2"};
    static const inlay_delay_ask asks[] = {{.source = INLAY_DELAY_POINTS},
                                           {.source = INLAY_DELAY_POINTS, .value = 0.5},
                                           {.source = INLAY_DELAY_LOAD, .value = 0.9},
                                           {.source = INLAY_DELAY_UTILISATION, .value = 0.25},
                                           {.source = INLAY_DELAY_RATE, .value = 0.01},
                                           {.source = INLAY_DELAY_TRAFFIC,
                                            .traffic = {30, INLAY_RATE_MESSAGES, INLAY_UNIT_NONE},
                                            .time = {{200, 0}, INLAY_UNIT_NONE}}};
    enum { MACHINES = sizeof names / sizeof *names };
    const inlay_result_context context = of_command("delay");
    inlay_machine *machines[MACHINES] = {NULL};
    inlay_delay *delays[MACHINES] = {NULL};
    const inlay_delay *of[MACHINES];
    inlay_delay_study study = {0};
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(inlay_machine_read(names[i], &machines[i], diag), INLAY_OK);
        ck_assert_int_eq(inlay_delay_new(machines[i], &delays[i], diag), INLAY_OK);
        of[i] = delays[i];
    }
    ck_assert_int_eq(inlay_delay_study_make(of, count, asks, sizeof asks / sizeof *asks, &study, diag), INLAY_OK);
    int status = csv ? inlay_delay_study_write_csv(&study, path, diag)
                     : inlay_delay_study_write_json(&study, &context, path, diag);
    inlay_delay_study_clear(&study);
    for (size_t i = 0; i < count; i++) {
        inlay_delay_free(delays[i]);
        inlay_machine_free(machines[i]);
    }
    return status;
}

static int write_delay(bool csv)
{
    return write_delays(1, csv);
}

static int write_three_delays(bool csv)
{
    return write_delays(3, csv);
}

static const struct {
    int (*write)(bool csv);
    bool csv;
    const char *words;
} printed[] = {
    {write_sweep, false, "sweep " APP " " MACHINE " --json"},
    {write_sweep, true, "sweep " APP " " MACHINE " --csv -"},
    {write_pareto, false, "pareto " APP " " MACHINE " --json"},
    {write_pareto, true, "pareto " APP " " MACHINE " --csv -"},
    {write_advice, false, "advise " APP " " MACHINE " --effort 50 --json"},
    {write_advice, true, "advise " APP " " MACHINE " --effort 50 --csv -"},
    {write_map, false, "map " APP " " MACHINE " --json"},
    {write_compare, false, "compare " APP " " MACHINE " omega-pe:4 --json"},
    {write_compare, true, "compare " APP " " MACHINE " omega-pe:4 --csv -"},
    {write_simulation, false, "simulate $MAPPING --json"},
    {write_explained, false, "explain $MAPPING --app graphs/cholesky4.dot --json"},
    {write_check, false, "check $MAPPING --json"},
    {write_synth, false, "synth $MAPPING --tick 1ms -o $MAPPING.c --json"},
    {write_apps, false, "info " APP " " APP " -p 3 --bandwidth 1 --parallelism --json"},
    {write_machines, false, "info " MACHINE " mesh:4x3 --json"},
    {write_processes, false, "processes architectures/paper-speeds.json --grid 60x60x60 --best 2 --json"},
    {write_processes, true, "processes architectures/paper-speeds.json --points 100 --csv -"},
    {write_select, false, "select " SPMD " --map real --method exhaustive --best 0 --placement --json"},
    {write_select, true, "select " SPMD " --map real --method exhaustive --csv -"},
    {write_grid, false, "decompose " GRID " --sizes 64-300 --points 5 --crossover $MAPPING.c --json"},
    {write_runs, false, "compare --measured $MAPPING --json"},
    {write_runs, true, "compare --measured $MAPPING --csv -"},
    {write_grid, true, "decompose " GRID " --csv -"},
    {write_profile, false, "profile $MAPPING.c --json"},
    {write_profile, true, "profile $MAPPING.c --csv -"},
    {write_run_program, false, "profile $MAPPING.c --mapping $MAPPING --json"},
    {write_delay, false, "delay bus:17 " POINTS " --json"},
    {write_three_delays, false, "delay " DELAYS " " POINTS " --json"},
    {write_three_delays, true, "delay " DELAYS " " POINTS " --csv -"},
    {write_reduced, false, "reduce graphs/transactions.dot -n 10 --json"},
};

START_TEST(as_printed)
{
    int status = printed[_i].write(printed[_i].csv);
    ck_assert_msg(status == INLAY_OK, "%s: %s", printed[_i].words, inlay_diag_message(diag));
    expect_printed(printed[_i].words);
}
END_TEST

/* What a program printed, between what its launcher did; `ranks` rows, each with its number in its times. */
static FILE *what_a_program_printed(inlay_id ranks)
{
    FILE *said = tmpfile();
    ck_assert_ptr_nonnull(said);
    fprintf(said, "a launcher's words\n{\n\"elapsed\": 0.3, \"runs\": [0.5, 0.3, 0.2], \"ranks\": [");
    for (inlay_id r = ranks - 1; r >= 0; r--) {
        fprintf(said, "{\"rank\": %d, \"host\": \"h%d\", \"busy\": %d, \"wait\": 0, \"other\": 1e-3, \"idle\": 2}%s",
                (int)r, (int)r, (int)r, r > 0 ? ", " : "");
    }
    fprintf(said, "]}\nmore words\n");
    return said;
}

/* What was told of a run is what inlay_runs_read() finds in its file; the time frame and estimate are in seconds. */
START_TEST(a_run_reads_back)
{
    const inlay_result_context context = of_command("run");
    const inlay_synth_options options = {.tick_seconds = 1e-3};
    const char *const paths[] = {path};
    inlay_loaded loaded = {0};
    inlay_simulation *simulation = NULL;
    inlay_synth *synth = NULL;
    inlay_runs *runs = NULL;
    ck_assert_int_eq(write_mapping(&loaded), INLAY_OK);
    ck_assert_int_eq(inlay_simulate(loaded.mapping, NULL, &simulation, diag), INLAY_OK);
    ck_assert_int_eq(inlay_synthesise(loaded.mapping, &options, &synth, diag), INLAY_OK);
    inlay_id ranks = inlay_synth_result(synth)->ranks;
    inlay_measured_run run = {.file = mapping_path,
                              .mapping = loaded.mapping,
                              .simulation = simulation,
                              .synth = synth,
                              .unit = INLAY_UNIT_S,
                              .from_app = 1e-3,
                              .from_seconds = 1,
                              .engine = "mpi",
                              .cores = 1,
                              .processes = ranks};
    FILE *said = what_a_program_printed(ranks);
    ck_assert_int_eq(inlay_measured_program_read(said, ranks + 1, &run.measured), INLAY_BAD_INPUT);
    ck_assert_int_eq(inlay_measured_program_read(said, ranks, &run.measured), INLAY_OK);
    fclose(said);
    ck_assert_str_eq(run.measured.rank[2].host, "h2");
    ck_assert_double_eq(run.measured.rank[ranks - 1].busy, ranks - 1);
    ck_assert_int_eq(inlay_measured_run_write_json(&run, &context, path, diag), INLAY_OK);
    ck_assert_int_eq(inlay_runs_read(paths, 1, &runs, diag), INLAY_OK);
    const inlay_run_row *row = &runs->rows[0];
    ck_assert_str_eq(row->application, inlay_app_name(app));
    ck_assert_int_eq(row->unit, INLAY_UNIT_S);
    ck_assert_int_eq(row->ranks, ranks);
    ck_assert_int_eq(row->cores, 1);
    ck_assert_int_eq(row->work, inlay_measured_work(&run));
    ck_assert_int_ne(row->work, INLAY_RUN_UNKNOWN);
    ck_assert_uint_eq(row->run_count, 3);
    ck_assert_double_eq(row->median, 0.3);
    ck_assert_double_eq(row->most, 0.5);
    ck_assert_double_eq(row->predicted[INLAY_BY_ESTIMATE], inlay_mapping_summary(loaded.mapping)->estimate * 1e-3);
    ck_assert_double_eq(row->predicted[INLAY_BY_SIMULATION], inlay_simulation_result(simulation)->makespan * 1e-3);
    inlay_runs_free(runs);
    inlay_measured_program_clear(&run.measured);
    inlay_synth_free(synth);
    inlay_simulation_free(simulation);
    inlay_loaded_clear(&loaded);
}
END_TEST

/* What a caller adds, with warnings and a seed beyond 2^63. */
static int put_own(inlay_json *json, const void *of)
{
    inlay_json_count(json, "count", -1);
    inlay_json_string(json, "text", of);
    inlay_json_string(json, "none", NULL);
    return INLAY_OK;
}

START_TEST(own_result)
{
    const inlay_result_context context = {.command = "own", .seed = UINT64_MAX, .said = diag};
    char expected[512];
    inlay_diag_clear(diag);
    inlay_diag_add_warning(diag, "beware");
    inlay_diag_keep_warnings(diag, true);
    ck_assert_int_eq(inlay_result_write(&context, put_own, "a\tb", path, diag), INLAY_OK);
    snprintf(
        expected, sizeof expected,
        "{\n  \"inlay\": \"%s\",\n  \"command\": \"own\",\n  \"seed\": 18446744073709551615,\n"
        "  \"warnings\": [\n    \"beware\"\n  ],\n  \"count\": null,\n  \"text\": \"a\\tb\",\n  \"none\": null\n}\n",
        inlay_version());
    FILE *file = fopen(path, "r");
    char *text = read_all(file);
    fclose(file);
    ck_assert_str_eq(text, expected);
    free(text);
}
END_TEST

static int refuse(inlay_json *json, const void *of)
{
    (void)of;
    inlay_json_null(json, "half");
    return INLAY_NO_MEMORY;
}

START_TEST(half_a_result_is_not_written)
{
    const inlay_result_context context = {.command = "own"};
    ck_assert_int_eq(inlay_result_write(&context, refuse, NULL, path, diag), INLAY_NO_MEMORY);
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

Suite *suite_result(void)
{
    Suite *suite = suite_create("result");
    TCase *test = tcase_create("result");
    tcase_add_checked_fixture(test, read_both, free_both);
    tcase_add_loop_test(test, as_printed, 0, (int)(sizeof printed / sizeof *printed));
    tcase_add_test(test, a_run_reads_back);
    tcase_add_test(test, own_result);
    tcase_add_test(test, half_a_result_is_not_written);
    suite_add_tcase(suite, test);
    return suite;
}

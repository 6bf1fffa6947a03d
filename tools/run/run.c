/* `inlay run`: the synthetic program of a mapping, compiled and run, beside the predictions. */
#include "run.h"
#include "allowed.h"
#include "answer.h"
#include "commands.h"
#include "endings.h"
#include "platform.h"
#include "report.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define FIELD(name) offsetof(run_values, name)

static const cli_option launching[] = {
    {"engine", 0, OPTION_CHOICE, "mpi|smpi",
     "what runs the program: MPI, for real; or SimGrid, on a platform that is the mapping's machine", NULL,
     FIELD(engine)},
    {"processes", 'n', OPTION_COUNT, "N", "start so many ranks; those that the program does not need are idle",
     "as many as it needs", FIELD(processes)},
    {"hostfile", 0, OPTION_STRING, "FILE", "the launcher's file of hosts; the folder of --keep must be there on all",
     "this computer alone", FIELD(hostfile)},
    {"cores", 0, OPTION_COUNT, "N",
     "cores that all ranks share; where they are fewer than the ranks, these take turns, and are simulated so",
     "those of this computer; with --hostfile one a rank", FIELD(cores)},
    {"runs", 0, OPTION_COUNT, "N", "run so many times, and tell the median", "1", FIELD(runs)},
    {"compiler", 0, OPTION_STRING, "COMMAND", "the compiler, with words of its own behind it", "mpicc, or smpicc",
     FIELD(compiler)},
    {"launcher", 0, OPTION_STRING, "COMMAND", "the launcher, such as 'mpirun --bind-to core'", "mpirun, or smpirun",
     FIELD(launcher)},
};
const cli_group run_launch = {"Compiling and launching", launching, sizeof launching / sizeof *launching};

static const cli_option outputs[] = {
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(synth.common.json)},
    {"keep", 0, OPTION_STRING, "FOLDER",
     "keep program, binary, platform and hosts in FOLDER, which is made where there is none", NULL, FIELD(keep)},
};
const cli_group run_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- Usage ---- */

static bool has_words(const char *command)
{
    return command == NULL || command[strspn(command, " \t\n")] != '\0';
}

/* The first option that is for MPI alone; NULL where none is given. */
static const char *mpi_option(const run_values *values)
{
    return values->processes > 0                ? "--processes"
           : values->hostfile != NULL           ? "--hostfile"
           : values->cores > 0                  ? "--cores"
           : values->runs > 0                   ? "--runs"
           : values->synth.message_size != NULL ? "--message-size"
                                                : NULL;
}

/* Everything about the options that needs no file. Returns an exit status, and has said what is wrong. */
static int run_check_usage(const invocation *call)
{
    const run_values *values = call->values;
    const char *own = values->engine == RUN_SMPI ? mpi_option(values) : NULL;
    if (own != NULL) {
        return report_usage(call->command, "%s is not for --engine smpi, where the mapping tells it all", own);
    }
    if (!has_words(values->compiler) || !has_words(values->launcher)) {
        return report_usage(call->command, "--%s: there is nothing but blanks; expected a command",
                            has_words(values->compiler) ? "launcher" : "compiler");
    }
    if (values->hostfile != NULL && access(values->hostfile, R_OK) != 0) {
        const char *why = strerror(errno);
        say(stderr, "%-s: cannot be read (%s); expected the launcher's file of hosts\n", values->hostfile, why);
        return EXIT_USAGE;
    }
    return synth_check_usage(call);
}

/* ---- What is predicted ---- */

/* In which unit times are told, and what the program and the platform are told of ticks. */
static int choose_units(const invocation *call, run_made *made)
{
    const run_values *values = call->values;
    const inlay_app *app = inlay_mapping_app(made->told.mapping);
    double own = inlay_mapping_summary(made->told.mapping)->options.tick_seconds;
    double tick = made->options.tick_seconds > 0 ? made->options.tick_seconds : own;
    bool ticks = inlay_app_unit(app) == INLAY_UNIT_TICK;
    if (ticks && tick <= 0 && values->engine == RUN_MPI) {
        say(stderr, "inlay: times of %-s are in ticks, whose length is not known; expected the length of a tick\n",
            inlay_app_name(app));
        report_remedy(call, "--tick", "1ms");
        return EXIT_USAGE;
    }
    double seconds = platform_seconds(app, tick, &made->tick_seconds);
    bool in_seconds = ticks && tick > 0;
    made->told.unit = in_seconds ? INLAY_UNIT_S : inlay_app_unit(app);
    made->told.from_app = in_seconds ? tick : 1;
    made->told.from_seconds = in_seconds ? 1 : 1 / seconds;
    made->options.tick_seconds = made->tick_seconds;
    return EXIT_DONE;
}

/* The cores that the ranks have; 0: one each. */
static inlay_id cores_of(const run_values *values)
{
    bool here = values->engine == RUN_MPI && values->hostfile == NULL;
    return values->cores > 0 ? values->cores : here ? (inlay_id)sysconf(_SC_NPROCESSORS_ONLN) : 0;
}

static int predict(const invocation *call, run_made *made)
{
    const run_values *values = call->values;
    made->told.cores = cores_of(values);
    int end = synth_options(call, made->told.mapping, &made->options);
    if (values->engine == RUN_SMPI) { /* messages as the platform has them */
        made->options.model_sizes = true;
        made->options.message_size = platform_message_size(inlay_mapping_machine(made->told.mapping));
    }
    return end == EXIT_DONE ? choose_units(call, made) : end;
}

/* ---- The way ---- */

/* Nothing is left of a private folder, whatever ends the run. */
static int run_synth(const invocation *call, run_made *made, inlay_diag *diag)
{
    const run_values *values = call->values;
    inlay_id ranks = inlay_synth_result(made->told.synth)->ranks;
    if (values->processes > 0 && values->processes < ranks) {
        return report_usage(call->command, "-n %" PRId32 ": the program has %" PRId32 " ranks; expected at least these",
                            values->processes, ranks);
    }
    sigset_t before;
    endings_hold(&before);
    int end = run_program(call, made, diag);
    folder_remove(&made->where);
    endings_release(&before);
    end = end == EXIT_DONE ? report_end(call, give_out(call, &made->told, diag), diag) : end;
    inlay_measured_program_clear(&made->told.measured);
    return end;
}

static int run_mapping(const invocation *call, const inlay_mapping *mapping, inlay_diag *diag)
{
    static const char *const engines[] = {"mpi", "smpi"};
    const run_values *values = call->values;
    run_made made = {.told = {.file = call->operands[0],
                              .mapping = mapping,
                              .engine = engines[values->engine],
                              .hostfile = values->hostfile}};
    made.told.launcher_version = made.launcher_version;
    inlay_simulation *simulation = NULL;
    inlay_synth *synth = NULL;
    int end = predict(call, &made);
    if (end != EXIT_DONE) {
        return end;
    }
    const inlay_simulation_options options = {.seed = call->common->seed, .threads = 1, .cores = made.told.cores};
    int status = inlay_simulate(mapping, &options, &simulation, diag);
    status = status == INLAY_OK ? inlay_synthesise(mapping, &made.options, &synth, diag) : status;
    made.told.simulation = simulation;
    made.told.synth = synth;
    end = status == INLAY_OK ? run_synth(call, &made, diag) : report_end(call, status, diag);
    inlay_synth_free(synth);
    inlay_simulation_free(simulation);
    return end;
}

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_measured_run_write_json(a->of, &context, path, a->diag);
}

static const cli_output run_files[] = {
    {"JSON", .write = write_json},
    {0},
};

static int run(const invocation *call)
{
    const run_values *values = call->values;
    int end = run_check_usage(call);
    if (end != EXIT_DONE) {
        return end;
    }
    inlay_loaded loaded = {0};
    inlay_diag *diag = new_diag();
    int status =
        diag == NULL ? INLAY_NO_MEMORY : inlay_mapping_read(call->operands[0], values->synth.app, &loaded, diag);
    end = status == INLAY_OK ? run_mapping(call, loaded.mapping, diag) : report_end(call, status, diag);
    inlay_loaded_clear(&loaded);
    inlay_diag_free(diag);
    return end;
}

const cli_command run_command = {
    .name = "run",
    .summary = "compile and run the synthetic program: predicted against measured",
    .description =
        "Writes the synthetic program of a mapping (see `inlay synth`), compiles it with mpicc, starts it with mpirun, "
        "and sets the estimate and the simulated elapsed time beside the one that it measured, and for each rank how "
        "long it was busy and waited. The prediction is for the mapping's machine; the program runs on this computer, "
        "or on the hosts of --hostfile. Where there are fewer cores than ranks, the simulated time is that of ranks "
        "that share them; the estimate knows no such thing.\n"
        "--engine smpi runs the same program in SimGrid's simulation of MPI, on a platform that is the mapping's "
        "machine: a second opinion on the whole prediction, which needs no such machine.\n"
        "Nothing is started but the compiler and the launcher, without a shell. Files stand in a private folder under "
        "TMPDIR. It is gone at the end, and so is all that was started, even where inlay is killed. --verbose shows "
        "all "
        "that both print.",
    .example = "inlay map graphs/cholesky4.dot bus:17 -T 464 --quiet -o cholesky4.json\n"
               "inlay run cholesky4.json --tick 1ms",
    .operands = {{.name = "MAPPING", .help = "a mapping.json, as map and evaluate write it"}},
    .groups = {&run_launch, &synth_program, &run_outputs, &common_options},
    .values_size = sizeof(run_values),
    .outputs = run_files,
    .print = run_print_table,
    .run = run,
};

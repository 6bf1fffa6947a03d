/* `inlay capture`: a running program becomes an application graph. */
#include "capture.h"
#include "answer.h"
#include "commands.h"
#include "endings.h"
#include "output.h"
#include "report.h"
#include <errno.h>
#include <inlay/inlay.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define FIELD(name) offsetof(capture_values, name)

static const cli_option reading[] = {
    {"grain", 0, OPTION_DURATION, "TIME",
     "no module is made for less that a task, or a process, does between two that it creates; those may start so much "
     "early",
     "a tenth of the mean task, or program", FIELD(grain)},
    {"coalesce", 0, OPTION_CHOICE, "nothing|places|ranks",
     "MPI: one module is what a rank calculates between two messages, all of that up to the same place in the source "
     "code, or a rank",
     NULL, FIELD(coalesce)},
    {"keep", 0, OPTION_FLAG, NULL, "MPI: modules stay on the processor that has their rank's number", NULL,
     FIELD(keep)},
    {"tasks-only", 0, OPTION_FLAG, NULL, "leave out what threads do before all tasks and after them", NULL,
     FIELD(tasks_only)},
    {"data-bytes", 0, OPTION_SIZE, "SIZE", "size of what each item of a depend clause names, which links then carry",
     "unknown: links carry nothing", FIELD(data_bytes)},
    {"like", 0, OPTION_TEXTS, "FILE",
     "times of tasks are those of their kinds in FILE, which was captured at another size, on the mean a power of how "
     "many "
     "there are; once for each of several sizes",
     NULL, FIELD(like)},
    {"name", 0, OPTION_STRING, "NAME", "name of the application", "the program's", FIELD(name)},
};
static const cli_group capture_reading = {"The graph", reading, sizeof reading / sizeof *reading};

static const cli_option running[] = {
    {"mpi", 0, OPTION_FLAG, NULL, "COMMAND starts an MPI program (Open MPI): its ranks and messages are recorded", NULL,
     FIELD(mpi)},
    {"processes", 0, OPTION_FLAG, NULL,
     "capture the processes that the command starts, and the files by which they depend on each other", NULL,
     FIELD(processes)},
    {"dry", 0, OPTION_FLAG, NULL, "create all tasks but run none of them: goes with --like", NULL, FIELD(dry)},
    {"overhead", 0, OPTION_COUNT, "N", "first run the command N times with the recorder and N times without, in turn",
     NULL, FIELD(overhead)},
    {"logs", 0, OPTION_STRING, "FOLDER", "keep what was recorded in FOLDER", NULL, FIELD(logs)},
    {"from", 0, OPTION_STRING, "FOLDER", "run nothing: read what was recorded in FOLDER", NULL, FIELD(from)},
};
static const cli_group capture_running = {"The run", running, sizeof running / sizeof *running};

static const cli_option outputs[] = {
    {"output", 'o', OPTION_STRING, "FILE", "write the application graph to FILE (- for standard output, .gz packs it)",
     NULL, FIELD(output)},
    {"format", 0, OPTION_STRING, "FORMAT", "format to write: tg, dot, json, ...",
     "told by the extension of FILE, else dot", FIELD(format)},
    {"csv", 0, OPTION_STRING, "FILE", "write a line a kind of modules: how many, their times and how these spread",
     NULL, FIELD(csv)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(common.json)},
};
static const cli_group capture_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

static int check_usage(const invocation *call)
{
    const capture_values *values = call->values;
    if ((call->operand_count == 0) != (values->from != NULL)) {
        return report_usage(call->command, values->from != NULL
                                               ? "--from runs nothing; expected no COMMAND"
                                               : "COMMAND is missing; expected what to run, or --from FOLDER");
    }
    if (values->from != NULL && (values->logs != NULL || values->overhead > 0)) {
        return report_usage(call->command, "--from runs nothing; expected neither --logs nor --overhead");
    }
    if (values->from == NULL && !values->mpi && (values->keep || values->coalesce != INLAY_COALESCE_NOTHING)) {
        return report_usage(call->command, "--keep and --coalesce are for the ranks of MPI; expected --mpi");
    }
    if (values->dry && values->mpi) {
        return report_usage(call->command, "--dry is for OpenMP; expected it without --mpi");
    }
    if (values->processes &&
        (values->mpi || values->dry || values->like.count > 0 || values->tasks_only || values->data_bytes > 0)) {
        return report_usage(call->command, "--processes is for neither OpenMP nor MPI; expected none of --mpi, --dry, "
                                           "--like, --tasks-only, --data-bytes");
    }
    if (values->dry && values->like.count == 0) {
        return report_usage(call->command, "--dry runs no task; expected --like FILE, which has times of such tasks");
    }
    if (values->format != NULL && values->output == NULL) {
        return report_usage(call->command, "--format goes with -o, the graph that is written");
    }
    return EXIT_DONE;
}

/* ---- Outputs ---- */

static int write_json(const cli_answer *a, const char *path)
{
    const captured *of = a->of;
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_capture_write_json(of->capture, &context, path, a->diag);
}

static int write_csv(const cli_answer *a, const char *path)
{
    const captured *of = a->of;
    return inlay_capture_write_csv(of->capture, path, a->diag);
}

static int write_graph(const cli_answer *a, const char *path)
{
    const captured *of = a->of;
    const capture_values *values = a->call->values;
    return inlay_app_write(inlay_capture_app(of->capture), path, values->format, a->diag);
}

static const cli_output capture_files[] = {
    {"JSON", .write = write_json},
    {"-o", FIELD(output), .write = write_graph},
    {"--csv", FIELD(csv), .write = write_csv},
    {0},
};

/* ---- The answer ---- */

/* The applications of --like; how many could be read goes to `count`. */
static int read_samples(const capture_values *values, inlay_app *samples[MAX_TEXTS], size_t *count, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (*count = 0; status == INLAY_OK && *count < values->like.count; *count += status == INLAY_OK) {
        status = inlay_app_read(values->like.text[*count], NULL, &samples[*count], diag);
    }
    return status;
}

static int read_logs(const invocation *call, const char *from, const captured_run *run, inlay_diag *diag)
{
    const capture_values *values = call->values;
    inlay_capture *capture = NULL;
    double unit = inlay_unit_seconds(values->grain.value.unit);
    inlay_capture_options options = {
        .name = values->name,
        .grain = values->grain.given ? inlay_decimal_double(values->grain.value.value) * (unit > 0 ? unit : 1) : -1,
        .coalesce = (inlay_coalesce)values->coalesce,
        .keep = values->keep,
        .recorder = values->processes         ? "processes"
                    : values->mpi             ? "mpi"
                    : call->operand_count > 0 ? "openmp"
                                              : NULL,
        .tasks_only = values->tasks_only,
        .data_bytes = values->data_bytes,
    };
    inlay_app *samples[MAX_TEXTS];
    inlay_diag_keep_warnings(diag, true);
    int status = read_samples(values, samples, &options.like_count, diag);
    options.like = (const inlay_app *const *)samples;
    status = status == INLAY_OK ? inlay_capture_read(from, &options, &capture, diag) : status;
    for (size_t i = 0; i < options.like_count; i++) {
        inlay_app_free(samples[i]);
    }
    if (run != NULL) {
        command_warn(&run->run, "; captured as far as it ran", diag);
    }
    const captured result = {.capture = capture, .run = run};
    status = status == INLAY_OK ? give_out(call, &result, diag) : status;
    inlay_capture_free(capture);
    return status;
}

static int record(const invocation *call, inlay_diag *diag)
{
    const capture_values *values = call->values;
    folder logs = {0};
    captured_run run = {.run.others = NAN};
    if ((values->logs != NULL ? folder_keep(values->logs, &logs) : folder_make(&logs)) != INLAY_OK) {
        say(stderr, "inlay capture: %-s: the folder cannot be made (%s)\n",
            values->logs != NULL ? values->logs : "a folder for what is recorded", strerror(errno));
        return EXIT_SYSTEM;
    }
    int status = capture_run(call, &logs, &run);
    status = status == EXIT_DONE ? read_logs(call, logs.path, &run, diag) : status;
    folder_remove(&logs);
    return status;
}

static int capture(const invocation *call, inlay_diag *diag)
{
    const capture_values *values = call->values;
    sigset_t before;
    if (values->from != NULL) {
        return read_logs(call, values->from, NULL, diag);
    }
    endings_hold(&before);
    int status = record(call, diag);
    endings_release(&before);
    return status;
}

const cli_command capture_command = {
    .name = "capture",
    .summary = "a running program becomes an application graph",
    .description =
        "Runs COMMAND, an OpenMP program with tasks or (--mpi) one of MPI as it is, with a recorder in it, and makes "
        "an "
        "application graph of what it did. Of OpenMP: a module a task, or a part of one between tasks that it creates "
        "and waits for; links by depend clauses (from "
        "their addresses, in the order of creation), taskwait, taskgroup and barriers; times as they were; kinds by "
        "the place in the "
        "source code that made them (compile with -g to see lines).\n"
        "Of MPI: a module for what a rank calculates between two messages, and links for messages, those of collective "
        "operations as the library sends them.\n"
        "Of processes (--processes; any command that starts some, as make does): a module a program that one of them "
        "ran, "
        "with its processor time, and links by the files that one wrote and another read, and by who started and "
        "waited "
        "for whom.\n"
        "The recorder of OpenMP is a tool of LLVM's run-time library. Programs that gcc compiled run with that library "
        "in the "
        "place of libgomp. Nothing but COMMAND is started. It reads standard input unless that is a terminal; all that "
        "it prints goes to "
        "standard error. Run it alone on the computer, and with as few threads as the tasks' times are wanted for "
        "(OMP_NUM_THREADS).",
    .example = "cc -O2 -g -fopenmp docs/examples/capture/cholesky.c -o cholesky -lm\n"
               "inlay capture -o cholesky.tg -- ./cholesky 12 32\n"
               "inlay speedup cholesky.tg",
    .operands = {{.name = "COMMAND",
                  .help = "what to run, with its arguments, all of which are its own",
                  .optional = true,
                  .repeats = true,
                  .word = true,
                  .command = true}},
    .groups = {&capture_reading, &capture_running, &capture_outputs, &common_options},
    .values_size = sizeof(capture_values),
    .outputs = capture_files,
    .print = capture_print_table,
    .check = check_usage,
    .answer = capture,
};

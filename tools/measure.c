/* `inlay measure`: its options, with which a program of its own, inlay-measure, is started by MPI's launcher. */
#include "commands.h"
#include "endings.h"
#include "external.h"
#include "launcher.h"
#include "measure_values.h"
#include "output.h"
#include "report.h"
#include <errno.h>
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define FIELD(name) offsetof(measure_values, name)

static const cli_option launching[] = {
    {"processes", 'n', OPTION_COUNT, "N", "start so many ranks, one for each core that is measured",
     "this computer's cores; with --hostfile what the launcher starts", FIELD(processes)},
    {"hostfile", 0, OPTION_STRING, "FILE", "the launcher's file of hosts; Inlay must be there on all",
     "this computer alone", FIELD(hostfile)},
    {"launcher", 0, OPTION_STRING, "COMMAND", "the launcher, such as 'mpirun --bind-to core'", "mpirun",
     FIELD(launcher)},
};
static const cli_group measure_launch = {"Launching", launching, sizeof launching / sizeof *launching};

static const cli_option measuring[] = {
    {"repeat", 0, OPTION_COUNT, "N", "measure everything so many times; medians count", "5", FIELD(repeat)},
    {"sizes", 0, OPTION_NUMBERS, "LIST", "bytes of messages", "1,1024,8192,65536,262144,1048576", FIELD(sizes)},
    {"pairs", 0, OPTION_COUNT, "N", "of more pairs of ranks a sample of so many", "64", FIELD(pairs)},
    {"from", 0, OPTION_STRING, "FILE", "measure nothing: fit what --raw wrote", NULL, FIELD(from)},
};
static const cli_group measure_group = {"Measuring", measuring, sizeof measuring / sizeof *measuring};

static const cli_option outputs[] = {
    {"output", 'o', OPTION_STRING, "FILE", "write the machine file", NULL, FIELD(output)},
    {"raw", 0, OPTION_STRING, "FILE", "write every repeat of every figure, as JSON", NULL, FIELD(raw)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(common.json)},
};
static const cli_group measure_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

const char *measure_launcher(const measure_values *values)
{
    return values->launcher != NULL ? values->launcher : "mpirun";
}

/* ---- Usage ---- */

int measure_sizes(const measure_values *values, int64_t size[MEASURE_SIZES])
{
    const double most = 1 << 30;
    const char *list = values->sizes != NULL ? values->sizes : "1,1024,8192,65536,262144,1048576";
    int count = 0;
    double bytes = 0;
    while (next_number(&list, &bytes)) {
        bool whole = bytes >= 1 && bytes <= most && (double)(int64_t)bytes == bytes;
        if (!whole || count == MEASURE_SIZES || (count > 0 && bytes <= (double)size[count - 1])) {
            return 0;
        }
        size[count++] = (int64_t)bytes;
    }
    return count > 1 ? count : 0;
}

/* The first option that has no place beside --from; NULL where none is given. */
static const char *launch_option(const measure_values *values)
{
    return values->processes > 0      ? "--processes"
           : values->hostfile != NULL ? "--hostfile"
           : values->launcher != NULL ? "--launcher"
           : values->repeat > 0       ? "--repeat"
           : values->sizes != NULL    ? "--sizes"
           : values->pairs > 0        ? "--pairs"
           : values->raw != NULL      ? "--raw"
                                      : NULL;
}

static int check_outputs(const invocation *call)
{
    const measure_values *values = call->values;
    const char *const paths[] = {values->from, values->output, values->raw};
    const char *twice = output_collision(call, paths, sizeof paths / sizeof *paths);
    int standard = values->common.json + output_is_standard(values->output) + output_is_standard(values->raw);
    if (twice != NULL) {
        return report_usage(call->command, "%s: is named twice; expected a file of its own for each", twice);
    }
    if (standard > 1) {
        return report_usage(call->command, "--json, -o - and --raw - go to standard output; expected one of them");
    }
    return EXIT_DONE;
}

int measure_check_usage(const invocation *call)
{
    const measure_values *values = call->values;
    int64_t size[MEASURE_SIZES];
    const char *launch = launch_option(values);
    if (values->from != NULL && launch != NULL) {
        return report_usage(call->command, "%s is not for --from, which measures nothing", launch);
    }
    if (measure_launcher(values)[strspn(measure_launcher(values), " \t\n")] == '\0') {
        return report_usage(call->command, "--launcher: there is nothing but blanks; expected a command");
    }
    if (values->hostfile != NULL && access(values->hostfile, R_OK) != 0) {
        const char *why = strerror(errno);
        say_safely(stderr, values->hostfile);
        say(stderr, ": cannot be read (%s); expected the launcher's file of hosts\n", why);
        return EXIT_USAGE;
    }
    if (measure_sizes(values, size) == 0) {
        return report_usage(call->command,
                            "--sizes %s: expected from 2 to %d whole numbers from 1 to 1073741824, each above the one "
                            "before",
                            values->sizes, MEASURE_SIZES);
    }
    return check_outputs(call);
}

/* ---- Launching ---- */

static int no_program(const invocation *call)
{
    return launcher_fail(call, "there is no inlay-measure beside this program; expected Inlay to be built where the "
                               "package libopenmpi-dev is installed");
}

/* Cores of this computer, without hyperthreads where Inlay can tell; what exists as a file is no computer. */
static inlay_id own_cores(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    inlay_id cores = online > 0 ? (inlay_id)online : 1;
    inlay_machine *host = NULL;
    if (inlay_reads_host() && access("host", F_OK) != 0 && inlay_machine_read("host", &host, NULL) == INLAY_OK) {
        cores = inlay_machine_processors(host);
        inlay_machine_free(host);
    }
    return cores;
}

/* How many ranks are asked for; 0 where the file of hosts tells. */
static inlay_id ranks_wanted(const invocation *call)
{
    const measure_values *values = call->values;
    inlay_id cores = values->hostfile == NULL ? own_cores() : 0;
    if (cores > 0 && values->processes > cores && !call->common->quiet) {
        say(stderr, "inlay: warning: %" PRId32 " ranks share %" PRId32 " cores: messages wait until both ends run\n",
            values->processes, cores);
    }
    return values->processes > 0 ? values->processes : cores;
}

static void launch_words(const invocation *call, const char *program, words *command)
{
    const measure_values *values = call->values;
    inlay_id ranks = ranks_wanted(call);
    char count[16];
    (void)snprintf(count, sizeof count, "%" PRId32, ranks);
    words_split(command, measure_launcher(values));
    if (ranks > 0) {
        words_add(command, "-n");
        words_add(command, count);
    }
    if (values->hostfile != NULL) {
        words_add(command, "--hostfile");
        words_add(command, values->hostfile);
    }
    words_add(command, program);
    for (int i = 1; call->words[i] != NULL; i++) {
        words_add(command, call->words[i]);
    }
}

/* What the program printed goes where it would have gone; of a failure the line that tells most, without --verbose. */
static int pass_on(const invocation *call, outcome *o)
{
    if (o->end.stopped) {
        return EXIT_SYSTEM;
    }
    if (o->end.status == 0 || call->common->verbose) {
        outcome_copy(o->output, stdout);
        outcome_copy(o->errors, stderr);
    }
    return launcher_check_end(call, &mpi_launcher, measure_launcher(call->values), o);
}

/* Whether the program left what it was asked for: its table, or with --quiet its file. */
static bool has_result(const invocation *call, const outcome *o)
{
    const measure_values *values = call->values;
    bool silent = values->common.quiet && values->output != NULL && !output_is_standard(values->output);
    return silent ? access(values->output, F_OK) == 0 : fseek(o->output, 0, SEEK_END) == 0 && ftell(o->output) > 0;
}

static int check_result(const invocation *call, const outcome *o)
{
    return has_result(call, o) ? EXIT_DONE
                               : launcher_fail(call, "%s ended well, but measured nothing; expected %s",
                                               measure_launcher(call->values), mpi_launcher.what);
}

static int launch(const invocation *call, const char *program, const folder *where)
{
    const measure_values *values = call->values;
    char version[LAUNCHER_LINE] = "";
    words command = {0}, settings = {0};
    outcome o = {0};
    launch_words(call, program, &command);
    int end = launcher_version(call, &mpi_launcher, measure_launcher(values), where, version);
    if (end == EXIT_DONE && strstr(version, "Open MPI") != NULL) {
        launcher_open_mpi(values->hostfile != NULL, &settings);
    }
    if (end == EXIT_DONE) {
        end = launcher_start(call, &mpi_launcher, where, &command, &settings, &o);
    }
    if (end == EXIT_DONE) {
        end = pass_on(call, &o);
    }
    if (end == EXIT_DONE) {
        end = check_result(call, &o);
    }
    outcome_clear(&o);
    words_clear(&settings);
    words_clear(&command);
    return end;
}

static int measure(const invocation *call)
{
    char program[PATH_MAX];
    folder where = {0};
    sigset_t before;
    if (!external_find("measure", program)) {
        return no_program(call);
    }
    if (folder_make(&where) != INLAY_OK) {
        return launcher_fail(call,
                             "no private folder can be made (%s); expected TMPDIR or /tmp to be one to write into",
                             strerror(errno));
    }
    endings_hold(&before);
    int end = launch(call, program, &where);
    folder_remove(&where);
    endings_release(&before);
    return end;
}

static int run(const invocation *call)
{
    const measure_values *values = call->values;
    char name[] = "measure";
    int end = measure_check_usage(call);
    if (end != EXIT_DONE || values->from == NULL) {
        return end == EXIT_DONE ? measure(call) : end;
    }
    call->words[0] = name;
    external_start(call->argv[0], call->words);
    return no_program(call);
}

const cli_command measure_command = {
    .name = "measure",
    .summary = "measure this computer or a cluster and write its machine file",
    .description = "Starts a program with MPI on every core and measures the time of arithmetic and of functions, the "
                   "bandwidth of "
                   "memory, the time of messages between all pairs and while all send at once. It fits latency and "
                   "bandwidth, tells "
                   "a bus from a switch, and writes a machine file that every command reads.\n"
                   "Nothing else should run meanwhile. --raw keeps all that was measured, --from fits it again.",
    .example = "inlay measure --repeat 2 --sizes 1,4096,262144 -o here.dot\n"
               "inlay map graphs/cholesky4.dot here.dot --tick 1ms",
    .groups = {&measure_launch, &measure_group, &measure_outputs, &common_options},
    .values_size = sizeof(measure_values),
    .run = run,
};

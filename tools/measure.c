/* `inlay measure`: its options, with which a program of its own, inlay-measure, is started by MPI's launcher. */
#include "commands.h"
#include "allowed.h"
#include "external.h"
#include "measure_hosts.h"
#include "measure_processes.h"
#include "output.h"
#include "ranks.h"
#include "report.h"
#include <ctype.h>
#include <errno.h>
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIELD(name) offsetof(measure_values, name)
#define USUAL_SIZES "1,1024,8192,65536,262144,1048576"
#define RING_SIZES  "8,1024,4096,16384,32768" /* of --hosts: messages as cells on edges make them */

static const cli_option launching[] = {
    {"processes", 'n', OPTION_STRING, "N", "start so many ranks, one for each core; with --data a list for COMMAND",
     "this computer's cores; with --hostfile what the launcher starts", FIELD(processes)},
    {"hostfile", 0, OPTION_STRING, "FILE", "the launcher's file of hosts; Inlay must be there on all",
     "this computer alone", FIELD(hostfile)},
    {"hosts", 0, OPTION_STRING, "FILE",
     "a host a line, or 'host slots=N': what inlay decompose needs to know of them alone, in seconds", NULL,
     FIELD(hosts)},
    {"launcher", 0, OPTION_STRING, "COMMAND", "the launcher, such as 'mpirun --bind-to core'", "mpirun",
     FIELD(launcher)},
};
static const cli_group measure_launch = {"Launching", launching, sizeof launching / sizeof *launching};

static const cli_option measuring[] = {
    {"repeat", 0, OPTION_COUNT, "N", "measure everything so many times; medians count", "5", FIELD(repeat)},
    {"sizes", 0, OPTION_STRING, "LIST", "bytes of messages", USUAL_SIZES "; with --hosts " RING_SIZES, FIELD(sizes)},
    {"pairs", 0, OPTION_COUNT, "N", "of more pairs of ranks a sample of so many", "64", FIELD(pairs)},
    {"topology", 0, OPTION_STRING, "LIST", "time cycles of these patterns: 1-D, ring, tree; -o is a metasystem", NULL,
     FIELD(topology)},
    {"from", 0, OPTION_STRING, "FILE", "measure nothing: fit what --raw wrote", NULL, FIELD(from)},
};
static const cli_group measure_group = {"Measuring", measuring, sizeof measuring / sizeof *measuring};

static const cli_option outputs[] = {
    {"output", 'o', OPTION_STRING, "FILE",
     "write the machine file; with --topology the metasystem, with --data the speeds", NULL, FIELD(output)},
    {"raw", 0, OPTION_STRING, "FILE", "write every repeat of every figure, as JSON; with --data CSV", NULL, FIELD(raw)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(common.json)},
};
static const cli_group measure_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

const char *measure_launcher(const measure_values *values)
{
    return values->launcher != NULL ? values->launcher : "mpirun";
}

/* ---- Usage ---- */

/* What is expected in place of the size that a text begins with, which ends at a comma; NULL where it is good. */
static const char *refuse_size(const char *text, int64_t before, int64_t *size)
{
    const double most = 1 << 30;
    char *end = NULL;
    double bytes = isdigit((unsigned char)text[0]) ? strtod(text, &end) : 0;
    bool number = end != NULL && (*end == ',' || *end == '\0');
    if (!number || !(bytes >= 1 && bytes <= most) || (double)(int64_t)bytes != bytes) {
        return "whole numbers of bytes from 1 to 1073741824, separated by commas";
    }
    *size = (int64_t)bytes;
    return *size > before ? NULL : "each size above the one before";
}

static const char *next_piece(const char *text)
{
    const char *comma = strchr(text, ',');
    return comma != NULL ? comma + 1 : NULL;
}

int measure_sizes(const measure_values *values, int64_t size[MEASURE_SIZES])
{
    int count = 0;
    const char *usual = values->hosts != NULL ? RING_SIZES : USUAL_SIZES;
    for (const char *text = values->sizes != NULL ? values->sizes : usual; text != NULL; text = next_piece(text)) {
        if (count == MEASURE_SIZES || refuse_size(text, count > 0 ? size[count - 1] : 0, &size[count]) != NULL) {
            return 0;
        }
        count++;
    }
    return count > 1 ? count : 0;
}

static int check_sizes(const invocation *call)
{
    enum { SHOWN = 40 };
    const measure_values *values = call->values;
    int64_t before = 0, size = 0;
    int count = 0;
    for (const char *text = values->sizes; text != NULL; text = next_piece(text)) {
        const char *expected = refuse_size(text, before, &size);
        size_t length = strcspn(text, ",");
        if (expected != NULL) {
            return report_usage(call->command, "--sizes: there is '%.*s'; expected %s",
                                (int)(length < SHOWN ? length : SHOWN), text, expected);
        }
        before = size;
        count++;
    }
    if (values->sizes != NULL && (count < 2 || count > MEASURE_SIZES)) {
        return report_usage(call->command, "--sizes: there %s %d; expected from 2 to %d", count == 1 ? "is" : "are",
                            count, MEASURE_SIZES);
    }
    return EXIT_DONE;
}

/* The pattern that a text begins with, which ends at a comma; INLAY_PATTERNS where it is none. */
static int pattern_at(const char *text)
{
    size_t length = strcspn(text, ",");
    int pattern = 0;
    while (pattern < INLAY_PATTERNS) {
        const char *name = inlay_pattern_name((inlay_pattern)pattern);
        if (strlen(name) == length && strncmp(text, name, length) == 0) {
            return pattern;
        }
        pattern++;
    }
    return pattern;
}

/* The first piece of the list that is no pattern, or one for the second time; NULL where all are good. */
static const char *bad_pattern(const char *list, bool wanted[INLAY_PATTERNS])
{
    for (const char *text = list; text != NULL; text = next_piece(text)) {
        int pattern = pattern_at(text);
        if (pattern == INLAY_PATTERNS || wanted[pattern]) {
            return text;
        }
        wanted[pattern] = true;
    }
    return NULL;
}

bool measure_patterns(const measure_values *values, bool wanted[INLAY_PATTERNS])
{
    for (int i = 0; i < INLAY_PATTERNS; i++) {
        wanted[i] = false;
    }
    return values->topology != NULL && bad_pattern(values->topology, wanted) == NULL;
}

static int check_topology(const invocation *call)
{
    enum { SHOWN = 40 };
    const measure_values *values = call->values;
    bool wanted[INLAY_PATTERNS] = {false};
    const char *bad = values->topology != NULL ? bad_pattern(values->topology, wanted) : NULL;
    if (bad == NULL) {
        return EXIT_DONE;
    }
    size_t length = strcspn(bad, ",");
    return report_usage(call->command,
                        "--topology: there is '%.*s'; expected 1-D, ring, tree, each once, separated by "
                        "commas",
                        (int)(length < SHOWN ? length : SHOWN), bad);
}

/* The first option that has no place beside --from; NULL where none is given. */
static const char *launch_option(const measure_values *values)
{
    return values->processes != NULL  ? "--processes"
           : values->hostfile != NULL ? "--hostfile"
           : values->hosts != NULL    ? "--hosts"
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
    return output_check_folders(&paths[1], 2);
}

/* Whether a file of hosts has a word on some line that is no comment. */
static bool names_host(FILE *file)
{
    bool found = false, comment = false;
    for (int c = getc(file); c != EOF && !found; c = getc(file)) {
        comment = c != '\n' && (comment || c == '#');
        found = !comment && isspace(c) == 0;
    }
    return found;
}

/* What is no plain file is the launcher's alone to read. */
static int check_hostfile(const char *path)
{
    struct stat of;
    FILE *file = stat(path, &of) == 0 && S_ISREG(of.st_mode) ? fopen(path, "r") : NULL;
    int why = file != NULL || access(path, R_OK) == 0 ? 0 : errno;
    why = why == 0 && file == NULL && S_ISDIR(of.st_mode) ? EISDIR : why;
    bool good = file == NULL || names_host(file);
    if (file != NULL) {
        (void)fclose(file);
    }
    if (good && why == 0) {
        return EXIT_DONE;
    }
    say_safely(stderr, path);
    if (good) {
        say(stderr, ": cannot be read (%s); expected the launcher's file of hosts\n", strerror(why));
    } else {
        say(stderr, ": there is no host; expected the launcher's file of hosts, a line for each\n");
    }
    return EXIT_USAGE;
}

/* How many ranks --processes asks for; 0 where it is not given, and -1 where it is no such number. */
static inlay_id ranks_given(const measure_values *values)
{
    const char *text = values->processes;
    if (text == NULL) {
        return 0;
    }
    long number = text[strspn(text, "0123456789")] == '\0' && strlen(text) <= 10 ? strtol(text, NULL, 10) : 0;
    return number >= 1 && number <= INT32_MAX ? (inlay_id)number : -1;
}

/* What measures this computer or a cluster has no program of the user's. */
static int check_alone(const invocation *call)
{
    const measure_values *values = call->values;
    const char *own = values->data != NULL        ? "--data"
                      : values->dimensions > 0    ? "--dimensions"
                      : values->time_from != NULL ? "--time-from"
                      : values->types != NULL     ? "--types"
                                                  : measure_curve_option(values);
    if (own != NULL) {
        return report_usage(call->command, "%s is for inlay measure --%s -- COMMAND alone", own,
                            own == measure_curve_option(values) ? "curve A..B" : "data LIST");
    }
    if (call->operand_count > 0 && values->from != NULL) {
        return report_usage(call->command, "'%s' is one operand too many", call->operands[0]);
    }
    if (call->operand_count > 0) {
        return report_usage(call->command, "--data is missing; expected the sizes of the data with which to run '%s'",
                            call->operands[0]);
    }
    if (ranks_given(values) < 0) {
        return report_usage(call->command, "--processes %s: expected a whole number from 1 to %d", values->processes,
                            INT32_MAX);
    }
    return EXIT_DONE;
}

/* --hosts tells how many ranks there are, and measures one thing alone. */
static int check_hosts(const invocation *call)
{
    const measure_values *values = call->values;
    const char *other = values->hosts == NULL       ? NULL
                        : values->processes != NULL ? "--processes"
                        : values->hostfile != NULL  ? "--hostfile"
                        : values->pairs > 0         ? "--pairs"
                        : values->topology != NULL  ? "--topology"
                                                    : NULL;
    return other == NULL ? EXIT_DONE : report_usage(call->command, "%s is not for --hosts", other);
}

int measure_check_usage(const invocation *call)
{
    const measure_values *values = call->values;
    const char *launch = launch_option(values);
    int alone = check_alone(call);
    alone = alone == EXIT_DONE && values->from == NULL ? check_hosts(call) : alone;
    if (alone != EXIT_DONE) {
        return alone;
    }
    if (values->from != NULL && launch != NULL) {
        return report_usage(call->command, "%s is not for --from, which measures nothing", launch);
    }
    if (measure_launcher(values)[strspn(measure_launcher(values), " \t\n")] == '\0') {
        return report_usage(call->command, "--launcher: there is nothing but blanks; expected a command");
    }
    if (values->repeat > MEASURE_REPEATS) {
        return report_usage(call->command, "--repeat %" PRId32 ": expected at most %d", values->repeat,
                            MEASURE_REPEATS);
    }
    int end = check_sizes(call);
    end = end == EXIT_DONE ? check_topology(call) : end;
    return end == EXIT_DONE ? check_outputs(call) : end;
}

/* ---- Outputs ---- */

/* Returns an exit status, and has said why a file cannot be written. What is no plain file is not opened for that. */
static int try_output(const invocation *call, const char *path)
{
    struct stat of;
    if (path == NULL || output_is_standard(path)) {
        return EXIT_DONE;
    }
    inlay_diag *diag = new_diag();
    inlay_file *file = NULL;
    int status = INLAY_OK;
    if (stat(path, &of) != 0 || S_ISREG(of.st_mode) || S_ISDIR(of.st_mode)) {
        status = inlay_file_open(path, &file, diag);
        inlay_file_abandon(file);
    } else if (access(path, W_OK) != 0) {
        say(stderr, "%-s: cannot be written (%s)\n", path, strerror(errno));
        inlay_diag_free(diag);
        return EXIT_SYSTEM;
    }
    int end = report_end(call, status, diag);
    inlay_diag_free(diag);
    return end;
}

int measure_try_outputs(const invocation *call)
{
    const measure_values *values = call->values;
    int end = try_output(call, values->output);
    return end == EXIT_DONE ? try_output(call, values->raw) : end;
}

/* ---- Launching ---- */

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

/* A few more ranks than cores are of use to try things out. Another launcher may well start them elsewhere. */
static int check_ranks(const invocation *call)
{
    const measure_values *values = call->values;
    inlay_id cores = own_cores();
    inlay_id ranks = ranks_given(values);
    if (values->hostfile != NULL || values->hosts != NULL || ranks <= cores) {
        return EXIT_DONE;
    }
    int end = values->launcher == NULL ? ranks_check(call, ranks, cores) : EXIT_DONE;
    if (end == EXIT_DONE && !call->common->quiet) {
        say(stderr, "inlay: warning: %" PRId32 " ranks share %" PRId32 " core%s: messages wait until both ends run\n",
            ranks, cores, cores == 1 ? "" : "s");
    }
    return end;
}

/* How many ranks are asked for; 0 where the launcher's file of hosts tells. */
static inlay_id ranks_wanted(const measure_values *values)
{
    inlay_id given = ranks_given(values);
    return given > 0 ? given : values->hostfile == NULL ? own_cores() : 0;
}

/* Whether the program left what it was asked for: its table, or with --quiet a file. */
static bool has_result(const invocation *call, const outcome *o)
{
    const measure_values *values = call->values;
    const char *file = values->output != NULL ? values->output : values->raw;
    bool standard = output_is_standard(values->output) || output_is_standard(values->raw) || values->common.json;
    bool silent = values->common.quiet && file != NULL && !standard;
    return silent ? access(file, F_OK) == 0 : fseek(o->output, 0, SEEK_END) == 0 && ftell(o->output) > 0;
}

static int check_result(const invocation *call, const outcome *o)
{
    return has_result(call, o) ? EXIT_DONE
                               : launcher_fail(call, "%s ended well, but measured nothing; expected %s",
                                               measure_launcher(call->values), mpi_launcher.what);
}

static int launch(const invocation *call, const ranks_program *p, const folder *where)
{
    words own = {0}, settings = {0};
    outcome o = {0};
    int end = ranks_start(call, p, where, &own, &settings, &o);
    end = end == EXIT_DONE ? ranks_pass_on(call, p, &o) : end;
    end = end == EXIT_DONE ? check_result(call, &o) : end;
    outcome_clear(&o);
    words_clear(&settings);
    return end;
}

/* The user's own hosts become a file of the launcher's; they may come from a pipe. */
static int measure_in(const invocation *call, const folder *where, const sigset_t *before, void *of)
{
    const measure_values *values = call->values;
    ranks_program p = *(const ranks_program *)of;
    char hosts[PATH_MAX];
    sigset_t held;
    int end = EXIT_DONE;
    hosts_launcher_file(where, hosts);
    if (values->hosts != NULL) {
        endings_release(before);
        end = hosts_prepare(values->hosts, where, &p.ranks);
        endings_hold(&held);
        p.hostfile = hosts;
    } else if (values->hostfile == NULL) {
        end = measure_try_outputs(call); /* else they are the first host's */
    }
    return end == EXIT_DONE ? launch(call, &p, where) : end;
}

static int run(const invocation *call)
{
    const measure_values *values = call->values;
    char path[PATH_MAX];
    if (values->curve != NULL || values->data != NULL) {
        return values->curve != NULL ? measure_curve(call) : measure_processes(call);
    }
    ranks_program p = {"measure", "package libopenmpi-dev is", measure_launcher(values), values->hostfile, 0};
    int end = measure_check_usage(call);
    if (end == EXIT_DONE && (values->from != NULL || !external_find("measure", path))) {
        return ranks_become(call, &p);
    }
    end = end == EXIT_DONE && values->hostfile != NULL ? check_hostfile(values->hostfile) : end;
    end = end == EXIT_DONE ? check_ranks(call) : end;
    p.ranks = values->hosts == NULL ? ranks_wanted(values) : 0;
    return end == EXIT_DONE ? launcher_in_folder(call, measure_in, &p) : end;
}

const cli_command measure_command = {
    .name = "measure",
    .summary = "measure this computer or a cluster and write its machine file",
    .description =
        "Starts a program with MPI on every core and measures the time of arithmetic and of functions, the "
        "bandwidth of "
        "memory, the time of messages between all pairs and while all send at once. It fits latency and "
        "bandwidth, tells "
        "a bus from a switch, and writes a machine file that every command reads.\n"
        "With --hosts it finds out in seconds what inlay decompose needs: how many million operations each "
        "processor does a second while all compute, and what a message costs while all send around a ring.\n"
        "With --topology it times programs' patterns of communication as well, fits how they grow with the "
        "processors, and writes a metasystem for inlay select.\n"
        "With --data it runs COMMAND in place of its own program, with every number of processes and every "
        "size of data, and writes the speeds for inlay processes. With --curve it does so for one device, with "
        "as many sizes and runs as the accuracy takes, and adds the times to a file for inlay balance.\n"
        "Nothing else should run meanwhile. --raw keeps all that was measured, --from fits it again.",
    .example =
        "inlay measure --repeat 2 --sizes 1,4096,262144 -o here.dot\n"
        "inlay map graphs/cholesky4.dot here.dot --tick 1ms\n"
        "inlay measure --processes 1,2 --data 10,20 --time-from time -o perf.csv -- echo {processes}: time {data}\n"
        "inlay processes perf.csv -W 20\n"
        "inlay measure --curve 1..100 --device a --time-from time -o curves.csv -- echo time {size}\n"
        "inlay balance curves.csv -W 500",
    .operands = {{.name = "COMMAND",
                  .help = "behind --: what to run for --data or --curve, with {data} or {size}",
                  .optional = true,
                  .repeats = true}},
    .groups = {&measure_launch, &measure_group, &measure_program, &measure_outputs, &common_options},
    .values_size = sizeof(measure_values),
    .run = run,
};

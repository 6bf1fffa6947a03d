/* The user's compiler and launcher do their work. */
#include "platform.h"
#include "report.h"
#include "run.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* A program that was started, and what it printed. */
typedef struct outcome {
    FILE *output, *errors;
    process_end end;
} outcome;

static void outcome_clear(outcome *o)
{
    if (o->output != NULL) {
        (void)fclose(o->output);
    }
    if (o->errors != NULL) {
        (void)fclose(o->errors);
    }
    *o = (outcome){0};
}

/* ---- Telling what went wrong ---- */

typedef struct program_kind {
    const char *what, *option, *packages;
} program_kind;

static const program_kind compilers[] = {
    {"an MPI compiler", "--compiler", "libopenmpi-dev and openmpi-bin"},
    {"SimGrid's compiler", "--compiler", "libsimgrid-dev"},
};
static const program_kind launchers[] = {
    {"an MPI launcher", "--launcher", "openmpi-bin and libopenmpi-dev"},
    {"SimGrid's launcher", "--launcher", "libsimgrid-dev"},
};

static bool has_letter(const char *line)
{
    bool found = false;
    for (const char *c = line; *c != '\0'; c++) {
        found = found || isalpha((unsigned char)*c) != 0;
    }
    return found;
}

/* The first line with a word, or where `word` is NULL with any; false where there is none. */
static bool find_line(FILE *said, const char *word, char line[RUN_LINE])
{
    bool found = false, begins = true;
    rewind(said);
    while (!found && fgets(line, RUN_LINE, said) != NULL) {
        found = begins && (word != NULL ? strstr(line, word) != NULL : has_letter(line));
        begins = strchr(line, '\n') != NULL;
    }
    line[found ? strcspn(line, "\n") : 0] = '\0';
    return found;
}

/* The line that tells most about a failure. */
static bool telling_line(const outcome *o, char line[RUN_LINE])
{
    return find_line(o->errors, "error", line) || find_line(o->errors, NULL, line) ||
           find_line(o->output, "error", line) || find_line(o->output, NULL, line);
}

static void copy_all(FILE *said)
{
    char piece[BUFSIZ];
    size_t size;
    rewind(said);
    while ((size = fread(piece, 1, sizeof piece, said)) > 0) {
        (void)fwrite(piece, 1, size, stderr);
    }
}

static int refuse_start(const program_kind *kind, const char *program, int error)
{
    if (error == ENOENT) {
        return run_fail("there is no program %s; expected %s: install %s (Debian), or name another with %s", program,
                        kind->what, kind->packages, kind->option);
    }
    return run_fail("%s cannot be started (%s); expected %s, which %s can name", program, strerror(error), kind->what,
                    kind->option);
}

/* How a program ended, where it did not end well. The way to its whole text is told where that is not printed already. */
static int check_end(const invocation *call, const program_kind *kind, const char *command, const outcome *o)
{
    char line[RUN_LINE];
    const char *more = call->common->verbose ? "" : "; --verbose shows all that it printed";
    if (o->end.stopped) {
        return EXIT_SYSTEM;
    }
    if (o->end.status == 0) {
        return EXIT_DONE;
    }
    return telling_line(o, line) ? run_fail("%s ended with status %d: %s%s", command, o->end.status, line, more)
                                 : run_fail("%s ended with status %d and printed nothing; expected %s", command,
                                            o->end.status, kind->what);
}

/* ---- Starting ---- */

/* Starts a program; `o` is the caller's to clear. */
static int start(const program_kind *kind, const run_made *made, const words *command, const words *settings,
                 outcome *o)
{
    o->output = folder_scratch(&made->where);
    o->errors = folder_scratch(&made->where);
    if (o->output == NULL || o->errors == NULL) {
        return run_fail("%s: no file can be made there (%s)", made->where.path, strerror(errno));
    }
    if (command->failed || settings->failed) {
        return report_no_memory();
    }
    o->end = process_run(command, settings, o->output, o->errors);
    if (o->end.error != 0) {
        return refuse_start(kind, command->word[0], o->end.error);
    }
    return EXIT_DONE;
}

/* All that a program printed, where the user wants to see it. */
static void show(const invocation *call, const outcome *o)
{
    if (call->common->verbose) {
        copy_all(o->output);
        copy_all(o->errors);
    }
}

/* The first line of what the launcher says it is; MPICH's says no more than that more follows, its version below. */
static void take_version(const outcome *o, char version[RUN_LINE])
{
    char line[RUN_LINE];
    if (find_line(o->output, NULL, version) && strstr(version, "HYDRA") != NULL &&
        find_line(o->output, "Version:", line)) {
        const char *number = strchr(line, ':') + 1;
        (void)snprintf(version, RUN_LINE, "mpirun (MPICH) %s", number + strspn(number, " \t"));
    }
}

/* The launcher says what it is. One that does not, or that fails at it, may still launch. */
static int ask_version(const invocation *call, run_made *made)
{
    const run_values *values = call->values;
    words command = {0}, settings = {0};
    outcome o = {0};
    words_split(&command, made->launcher);
    words_add(&command, "--version");
    int end = start(&launchers[values->engine], made, &command, &settings, &o);
    if (end == EXIT_DONE && o.end.status == 0) {
        take_version(&o, made->launcher_version);
    }
    end = o.end.stopped ? EXIT_SYSTEM : end;
    outcome_clear(&o);
    words_clear(&command);
    return end;
}

static int compile(const invocation *call, run_made *made)
{
    const run_values *values = call->values;
    const program_kind *kind = &compilers[values->engine];
    char source[PATH_MAX], binary[PATH_MAX];
    words command = {0}, settings = {0};
    outcome o = {0};
    folder_file(&made->where, RUN_BINARY, binary);
    (void)unlink(binary); /* of an earlier run */
    words_split(&command, made->compiler);
    words_add(&command, "-std=c17");
    words_add(&command, "-O2");
    words_add(&command, folder_file(&made->where, RUN_SOURCE, source));
    words_add(&command, "-o");
    words_add(&command, binary);
    words_add(&command, "-lm");
    int end = start(kind, made, &command, &settings, &o);
    if (end == EXIT_DONE) {
        show(call, &o);
        end = check_end(call, kind, made->compiler, &o);
    }
    if (end == EXIT_DONE && access(binary, X_OK) != 0) {
        end = run_fail("%s ended well, but wrote no program; expected %s", made->compiler, kind->what);
    }
    made->compile_seconds = o.end.seconds;
    outcome_clear(&o);
    words_clear(&command);
    return end;
}

/* ---- Launching ---- */

/* Open MPI starts nothing for root, and no more ranks than cores, unless told to. Its own hosts' files tell the cores. */
static void open_mpi_settings(const run_values *values, words *settings)
{
    if (geteuid() == 0) {
        words_add(settings, "OMPI_ALLOW_RUN_AS_ROOT=1");
        words_add(settings, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
    }
    if (values->hostfile == NULL) {
        words_add(settings, "OMPI_MCA_rmaps_base_oversubscribe=1");
        words_add(settings, "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe"); /* of version 5 */
    }
}

/*
 * SMPI adds 16 bytes to each message. So all links are that many times as fast as in the platform, and the program, which
 * asks for the factor, sends as many times the bytes, less 16. Larger factors leave less of a message without bytes.
 */
static int smpi_factor(const inlay_synth *synth)
{
    enum { ENVELOPE = 16, MOST = 1024 };
    int64_t largest = inlay_synth_result(synth)->largest;
    int64_t times = INT32_MAX / (largest > 0 ? largest : 1);
    return ENVELOPE * (int)(times < 1 ? 1 : times > MOST ? MOST : times);
}

/*
 * SimGrid as the model that Inlay has: a message takes its latency and its size over its share of the narrowest link,
 * and sets out when it is sent; calls of MPI, and what this computer takes, cost nothing.
 */
static void smpi_options(const run_prediction *p, const inlay_synth *synth, words *command)
{
    static const char *const options[] = {
        "--cfg=network/model:CM02",
        "--cfg=network/crosstraffic:0",
        "--cfg=network/TCP-gamma:0",
        "--cfg=network/loopback-bw:1e40",
        "--cfg=smpi/simulate-computation:no",
        "--cfg=smpi/host-speed:1Gf",
        "--cfg=smpi/send-is-detached-thresh:2147483647",
        "--cfg=smpi/async-small-thresh:2147483647",
        "--cfg=smpi/os:0:0:0",
        "--cfg=smpi/or:0:0:0",
        "--cfg=smpi/ois:0:0:0",
        "--cfg=smpi/wtime:0",
        "--cfg=smpi/test:0",
        "--cfg=smpi/iprobe:0",
        "--log=root.thresh:error",
    };
    enum { OPTION_TEXT = 64 };
    char text[OPTION_TEXT];
    double seconds = run_simulated(p) / p->from_seconds;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        words_add(command, options[i]);
    }
    (void)snprintf(text, sizeof text, "--cfg=network/bandwidth-factor:%d", smpi_factor(synth));
    words_add(command, text);
    (void)snprintf(text, sizeof text, "--cfg=surf/precision:%g", seconds > 0 ? seconds * 1e-12 : 1e-12);
    words_add(command, text);
}

static void add_number(words *command, const char *option, inlay_id number)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%" PRId32, number);
    words_add(command, option);
    words_add(command, text);
}

static void launch_words(const invocation *call, const run_prediction *p, const run_made *made, words *command)
{
    const run_values *values = call->values;
    char path[PATH_MAX];
    words_split(command, made->launcher);
    if (values->engine == RUN_SMPI) {
        add_number(command, "-np", made->processes);
        words_add(command, "-platform");
        words_add(command, folder_file(&made->where, PLATFORM_FILE, path));
        words_add(command, "-hostfile");
        words_add(command, folder_file(&made->where, RUN_HOSTS, path));
        smpi_options(p, made->synth, command);
    } else {
        add_number(command, "-n", made->processes);
        if (values->hostfile != NULL) {
            words_add(command, "--hostfile");
            words_add(command, values->hostfile);
        }
    }
    words_add(command, folder_file(&made->where, RUN_BINARY, path));
    words_add(command, "--json");
    if (values->runs > 0) {
        add_number(command, "--runs", values->runs);
    }
}

bool run_shares_cores(const invocation *call, const run_made *made)
{
    const run_values *values = call->values;
    return values->engine == RUN_MPI && values->hostfile == NULL && made->processes > made->cores;
}

static int read_result(const invocation *call, run_made *made, const outcome *o)
{
    const char *more = call->common->verbose ? "" : "; --verbose shows all that it printed";
    int status = measurement_read(o->output, inlay_synth_result(made->synth)->ranks, &made->measured);
    if (status == INLAY_NO_MEMORY) {
        return report_no_memory();
    }
    return status == INLAY_OK ? EXIT_DONE
                              : run_fail("%s ended well, but the program printed no result; expected one JSON object "
                                         "with elapsed, runs and ranks%s",
                                         made->launcher, more);
}

/* The program finds itself alone where its MPI is not the one that started it. */
static int check_ranks(const run_made *made, const outcome *o)
{
    char line[RUN_LINE];
    if (o->end.stopped || o->end.status == 0 || !find_line(o->errors, ": it needs ", line)) {
        return EXIT_DONE;
    }
    return run_fail("%s started %" PRId32 " ranks, but the program sees fewer; expected a compiler and a launcher of "
                    "the same MPI, not %s and %s",
                    made->launcher, made->processes, made->compiler, made->launcher);
}

static int launch(const invocation *call, const run_prediction *p, run_made *made)
{
    const run_values *values = call->values;
    const program_kind *kind = &launchers[values->engine];
    words command = {0}, settings = {0};
    outcome o = {0};
    launch_words(call, p, made, &command);
    if (strstr(made->launcher_version, "Open MPI") != NULL) {
        open_mpi_settings(values, &settings);
    }
    if (run_shares_cores(call, made) && !call->common->quiet) {
        say(stderr, "inlay: warning: %" PRId32 " ranks share %" PRId32 " cores, which the prediction does not know\n",
            made->processes, made->cores);
    }
    int end = start(kind, made, &command, &settings, &o);
    if (end == EXIT_DONE) {
        show(call, &o);
        end = check_ranks(made, &o);
    }
    if (end == EXIT_DONE) {
        end = check_end(call, kind, made->launcher, &o);
    }
    if (end == EXIT_DONE) {
        end = read_result(call, made, &o);
    }
    outcome_clear(&o);
    words_clear(&settings);
    words_clear(&command);
    return end;
}

int run_program(const invocation *call, const run_prediction *p, run_made *made, inlay_diag *diag)
{
    static const char *const usual[][2] = {{"mpicc", "mpirun"}, {"smpicc", "smpirun"}};
    const run_values *values = call->values;
    inlay_id ranks = inlay_synth_result(made->synth)->ranks;
    made->compiler = values->compiler != NULL ? values->compiler : usual[values->engine][0];
    made->launcher = values->launcher != NULL ? values->launcher : usual[values->engine][1];
    made->processes = values->processes > 0 ? values->processes : ranks;
    made->cores = (inlay_id)sysconf(_SC_NPROCESSORS_ONLN);
    int end = run_write_files(call, p, made, diag);
    if (end == EXIT_DONE) {
        end = ask_version(call, made);
    }
    if (end == EXIT_DONE) {
        end = compile(call, made);
    }
    return end == EXIT_DONE ? launch(call, p, made) : end;
}

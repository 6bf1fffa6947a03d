/* The user's compiler and launcher do their work. */
#include "platform.h"
#include "report.h"
#include "run.h"
#include <inttypes.h>
#include <unistd.h>

/* ---- Compiling ---- */

static const program_kind compilers[] = {
    {"an MPI compiler", "--compiler", "libopenmpi-dev and openmpi-bin"},
    {"SimGrid's compiler", "--compiler", "libsimgrid-dev"},
};
static const program_kind smpi_launcher = {"SimGrid's launcher", "--launcher", "libsimgrid-dev"};
static const program_kind *const launchers[] = {&mpi_launcher, &smpi_launcher}; /* by engine */

static int compile(const invocation *call, run_made *made)
{
    const run_values *values = call->values;
    const program_kind *kind = &compilers[values->engine];
    char source[PATH_MAX], binary[PATH_MAX];
    words command = {0}, settings = {0};
    outcome o = {0};
    folder_file(&made->where, RUN_BINARY, binary);
    (void)unlink(binary); /* of an earlier run */
    words_split(&command, made->told.compiler);
    words_add(&command, "-std=c17");
    words_add(&command, "-O2");
    words_add(&command, folder_file(&made->where, RUN_SOURCE, source));
    words_add(&command, "-o");
    words_add(&command, binary);
    words_add(&command, "-lm");
    int end = launcher_start(call, kind, &made->where, &command, &settings, &o);
    if (end == EXIT_DONE) {
        outcome_show(call, &o);
        end = launcher_check_end(call, kind, made->told.compiler, &o);
    }
    if (end == EXIT_DONE && access(binary, X_OK) != 0) {
        end = launcher_fail(call, "%s ended well, but wrote no program; expected %s", made->told.compiler, kind->what);
    }
    made->told.compile_seconds = o.end.seconds;
    outcome_clear(&o);
    words_clear(&command);
    return end;
}

/* ---- Launching ---- */

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
static void smpi_options(const run_made *made, words *command)
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
    double seconds = inlay_measured_simulated(&made->told) / made->told.from_seconds;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        words_add(command, options[i]);
    }
    (void)snprintf(text, sizeof text, "--cfg=network/bandwidth-factor:%d", smpi_factor(made->told.synth));
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

static int launch_words(const invocation *call, const run_made *made, words *command)
{
    const run_values *values = call->values;
    char path[PATH_MAX];
    int end = EXIT_DONE;
    words_split(command, made->told.launcher);
    if (values->engine == RUN_SMPI) {
        add_number(command, "-np", made->told.processes);
        words_add(command, "-platform");
        words_add(command, folder_file(&made->where, PLATFORM_FILE, path));
        words_add(command, "-hostfile");
        words_add(command, folder_file(&made->where, RUN_HOSTS, path));
        smpi_options(made, command);
    } else {
        add_number(command, "-n", made->told.processes);
        if (values->hostfile != NULL) {
            end = launcher_file(&made->where, values->hostfile, RUN_HOSTS, path);
            words_add(command, "--hostfile");
            words_add(command, path);
        }
    }
    words_add(command, folder_file(&made->where, RUN_BINARY, path));
    words_add(command, "--json");
    if (values->runs > 0) {
        add_number(command, "--runs", values->runs);
    }
    if (inlay_measured_shares_cores(&made->told)) {
        words_add(command, "--share-cores");
    }
    return end;
}

static int read_result(const invocation *call, run_made *made, const outcome *o)
{
    const char *more = call->common->verbose ? "" : "; --verbose shows all that it printed";
    int status =
        inlay_measured_program_read(o->output, inlay_synth_result(made->told.synth)->ranks, &made->told.measured);
    if (status == INLAY_NO_MEMORY) {
        return report_no_memory();
    }
    return status == INLAY_OK
               ? EXIT_DONE
               : launcher_fail(call,
                               "%s ended well, but the program printed no result; expected one JSON object "
                               "with elapsed, runs and ranks%s",
                               made->told.launcher, more);
}

/* The program finds itself alone where its MPI is not the one that started it. */
static int check_ranks(const invocation *call, const run_made *made, const outcome *o)
{
    char line[LAUNCHER_LINE];
    if (o->end.stopped || o->end.status == 0 || !outcome_line(o->errors, ": it needs ", line)) {
        return EXIT_DONE;
    }
    return launcher_fail(call,
                         "%s started %" PRId32
                         " ranks, but the program sees fewer; expected a compiler and a launcher of "
                         "the same MPI, not %s and %s",
                         made->told.launcher, made->told.processes, made->told.compiler, made->told.launcher);
}

static int launch(const invocation *call, run_made *made)
{
    const run_values *values = call->values;
    const program_kind *kind = launchers[values->engine];
    words command = {0}, settings = {0};
    outcome o = {0};
    int end = launch_words(call, made, &command);
    if (end == EXIT_DONE) {
        end = launcher_prepare(call, made->launcher_version, values->hostfile != NULL, made->told.processes, &settings);
    }
    if (inlay_measured_shares_cores(&made->told) && !call->common->quiet) {
        say(stderr, "inlay: warning: %" PRId32 " ranks share %" PRId32 " core%s, which the estimate does not know\n",
            made->told.processes, made->told.cores, made->told.cores == 1 ? "" : "s");
    }
    end = end == EXIT_DONE ? launcher_start(call, kind, &made->where, &command, &settings, &o) : end;
    if (end == EXIT_DONE) {
        outcome_show(call, &o);
        end = check_ranks(call, made, &o);
    }
    end = end == EXIT_DONE ? launcher_check_end(call, kind, made->told.launcher, &o) : end;
    end = end == EXIT_DONE ? read_result(call, made, &o) : end;
    outcome_clear(&o);
    words_clear(&settings);
    words_clear(&command);
    return end;
}

int run_program(const invocation *call, run_made *made, inlay_diag *diag)
{
    static const char *const usual[][2] = {{"mpicc", "mpirun"}, {"smpicc", "smpirun"}};
    const run_values *values = call->values;
    inlay_id ranks = inlay_synth_result(made->told.synth)->ranks;
    made->told.compiler = values->compiler != NULL ? values->compiler : usual[values->engine][0];
    made->told.launcher = values->launcher != NULL ? values->launcher : usual[values->engine][1];
    made->told.processes = values->processes > 0 ? values->processes : ranks;
    int end = run_write_files(call, made, diag);
    if (end == EXIT_DONE) {
        end = launcher_version(call, launchers[values->engine], made->told.launcher, &made->where,
                               made->launcher_version);
    }
    end = end == EXIT_DONE ? compile(call, made) : end;
    return end == EXIT_DONE ? launch(call, made) : end;
}

/* The user's command, started with a recorder in it. */
#include "capture.h"
#include "external.h"
#include "report.h"
#include "trace_processes.h"
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PAIRS = 1000 };

/* ---- The recorder ---- */

static const char *const run_time_libraries[] = {
    "/usr/lib/llvm-*/lib/libomp.so.5",
    "/usr/lib/llvm-*/lib/libomp.so",
    "/usr/lib/*/libomp.so.5",
    "/usr/lib64/libomp.so",
    "/usr/lib/*/libomp.so",
    "/usr/lib/libomp.so",
    "/usr/local/lib/libomp.so",
};

/* LLVM's run-time library of OpenMP, the newest of several; false where there is none. */
static bool find_library(char path[PATH_MAX])
{
    bool found = false;
    for (size_t i = 0; !found && i < sizeof run_time_libraries / sizeof *run_time_libraries; i++) {
        glob_t list = {0};
        found = glob(run_time_libraries[i], 0, NULL, &list) == 0 && list.gl_pathc > 0 &&
                snprintf(path, PATH_MAX, "%s", list.gl_pathv[list.gl_pathc - 1]) < PATH_MAX;
        globfree(&list);
    }
    return found;
}

/*
 * Programs that gcc compiled ask for libgomp, which tells no tool anything: they get LLVM's library under that name, which has the
 * same functions.
 */
static void replace_libgomp(const folder *where)
{
    char library[PATH_MAX], link[PATH_MAX];
    if (find_library(library) && symlink(library, folder_file(where, "libgomp.so.1", link)) == 0) {
        environment_prepend("LD_LIBRARY_PATH", where->path);
    }
}

/* What the recorder needs goes to the environment; the settings of before are what a run without it has. */
static int set_up(const invocation *call, const folder *where)
{
    const capture_values *values = call->values;
    char recorder[PATH_MAX];
    if (values->processes) {
        if (!trace_processes_can()) {
            say(stderr, "inlay capture: processes cannot be followed here: ptrace is refused (%s)\n", strerror(errno));
            return EXIT_SYSTEM;
        }
        return EXIT_DONE;
    }
    if (values->mpi && !external_find("capture-mpi.so", recorder)) {
        return report_usage(call->command, "there is no inlay-capture-mpi.so beside this program; expected Inlay to be "
                                           "built where Open MPI is installed with the headers of its parts: "
                                           "libopenmpi-dev");
    }
    if (values->mpi) {
        environment_prepend("LD_PRELOAD", recorder);
        return EXIT_DONE;
    }
    if (!external_find("capture-openmp.so", recorder)) {
        return report_usage(call->command, "there is no inlay-capture-openmp.so beside this program; expected Inlay to "
                                           "be built where LLVM's OpenMP is installed: libomp-dev");
    }
    char skip[PATH_MAX];
    if (values->dry && !external_find("capture-skip.so", skip)) {
        return report_usage(call->command,
                            "there is no inlay-capture-skip.so beside this program; expected all of Inlay");
    }
    if (values->dry) {
        environment_prepend("LD_PRELOAD", skip);
    }
    replace_libgomp(where);
    environment_prepend("OMP_TOOL_LIBRARIES", recorder);
    return EXIT_DONE;
}

/* ---- Runs ---- */

static int run_once(const invocation *call, const folder *guarded_by, char *logs, captured_run *run)
{
    const capture_values *values = call->values;
    const process_follower by = {trace_processes_begin, logs};
    if (values->processes) {
        run->run.by = logs != NULL ? &by : NULL;
        int end = command_run(call, 0, guarded_by, &run->run);
        run->run.by = NULL;
        return end;
    }
    if (logs != NULL) {
        char text[FIGURE];
        struct timespec now;
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
        (void)snprintf(text, sizeof text, "%jd%09ld", (intmax_t)now.tv_sec, now.tv_nsec);
        (void)setenv("INLAY_CAPTURE_BEGIN", text, 1);
        (void)setenv("INLAY_CAPTURE", logs, 1);
    } else {
        (void)unsetenv("INLAY_CAPTURE");
    }
    return command_run(call, 0, guarded_by, &run->run);
}

static int compare_runs(const invocation *call, const folder *where, size_t pairs, captured_run *run)
{
    double ratio[MOST_PAIRS];
    int end = EXIT_DONE;
    for (size_t i = 0; end == EXIT_DONE && i < pairs; i++) {
        double with[2] = {1, 1};
        for (size_t k = 0; end == EXIT_DONE && k < 2; k++) {
            size_t recorded = (k + i) % 2; /* in turn who is first */
            folder scratch = {0};
            if (folder_make(&scratch) != INLAY_OK) {
                return EXIT_SYSTEM;
            }
            end = run_once(call, where, recorded != 0 ? scratch.path : NULL, run);
            with[recorded] = run->run.end.seconds;
            folder_remove(&scratch);
        }
        ratio[i] = with[1] / with[0] - 1;
    }
    if (end == EXIT_DONE && pairs > 0) {
        run->overhead = command_times(ratio, pairs);
        run->pairs = pairs;
    }
    return end;
}

int capture_run(const invocation *call, folder *logs, captured_run *run)
{
    const capture_values *values = call->values;
    folder where = {0};
    size_t pairs = (size_t)values->overhead;
    if (folder_make(&where) != INLAY_OK) {
        say(stderr, "inlay capture: no folder for files on the way can be made (%s)\n", strerror(errno));
        return EXIT_SYSTEM;
    }
    int end = set_up(call, &where);
    end = end == EXIT_DONE ? compare_runs(call, &where, pairs < MOST_PAIRS ? pairs : MOST_PAIRS, run) : end;
    end = end == EXIT_DONE ? run_once(call, &where, logs->path, run) : end;
    folder_remove(&where);
    return end;
}

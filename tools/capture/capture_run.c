/* The user's command, started with a recorder in it. */
#include "capture.h"
#include "external.h"
#include "report.h"
#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MOST_PAIRS = 1000 };

/* ---- What else the computer does ---- */

typedef struct processor_times {
    double busy, all,
        ours; /* seconds since the computer's start, over all processors; of programs of ours that ended */
} processor_times;

/* The first line of /proc/stat: user, nice, system, idle, waiting for disks, interrupts (2), stolen by other machines. */
static bool look_at_processors(processor_times *t)
{
    enum { IDLE = 3, WAITING = 4, COUNTS = 8 };
    double ticks = (double)sysconf(_SC_CLK_TCK);
    struct rusage ended;
    FILE *stat = fopen("/proc/stat", "re");
    bool known = stat != NULL && fscanf(stat, "cpu") == 0 && getrusage(RUSAGE_CHILDREN, &ended) == 0;
    *t = (processor_times){0};
    for (int i = 0; known && i < COUNTS; i++) {
        long long count = 0;
        known = fscanf(stat, "%lld", &count) == 1; // NOLINT(cert-err34-c): what the kernel writes
        t->all += (double)count / ticks;
        t->busy += i != IDLE && i != WAITING ? (double)count / ticks : 0;
    }
    if (stat != NULL) {
        (void)fclose(stat);
    }
    if (known) {
        t->ours = (double)(ended.ru_utime.tv_sec + ended.ru_stime.tv_sec) +
                  1e-6 * (double)(ended.ru_utime.tv_usec + ended.ru_stime.tv_usec);
    }
    return known;
}

/* The share of others, above what the length of a tick leaves unknown. */
static double share_of_others(const processor_times *before, const processor_times *after)
{
    double tick = 1.0 / (double)sysconf(_SC_CLK_TCK), processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    double others = after->busy - before->busy - (after->ours - before->ours) - 2 * tick * processors;
    double all = after->all - before->all;
    return all > 0 ? fmax(0, others / all) : NAN;
}

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

/* "NAME=FIRST:what it was" */
static void prepend(const char *name, const char *first)
{
    const char *was = getenv(name);
    char value[2 * PATH_MAX];
    if (was != NULL && was[0] != '\0' && snprintf(value, sizeof value, "%s:%s", first, was) < (int)sizeof value) {
        (void)setenv(name, value, 1);
    } else {
        (void)setenv(name, first, 1);
    }
}

/*
 * Programs that gcc compiled ask for libgomp, which tells no tool anything: they get LLVM's library under that name, which has the
 * same functions.
 */
static void replace_libgomp(const folder *where)
{
    char library[PATH_MAX], link[PATH_MAX];
    if (find_library(library) && symlink(library, folder_file(where, "libgomp.so.1", link)) == 0) {
        prepend("LD_LIBRARY_PATH", where->path);
    }
}

/* What the recorder needs goes to the environment; the settings of before are what a run without it has. */
static int set_up(const invocation *call, const folder *where)
{
    char recorder[PATH_MAX];
    if (!external_find("capture-openmp.so", recorder)) {
        return report_usage(call->command, "there is no inlay-capture-openmp.so beside this program; expected Inlay to "
                                           "be built where LLVM's OpenMP is installed: libomp-dev");
    }
    const capture_values *values = call->values;
    char skip[PATH_MAX];
    if (values->dry && external_find("capture-skip.so", skip)) {
        prepend("LD_PRELOAD", skip);
    }
    replace_libgomp(where);
    prepend("OMP_TOOL_LIBRARIES", recorder);
    return EXIT_DONE;
}

/* ---- Runs ---- */

static int run_once(const invocation *call, const folder *guarded_by, const char *logs, captured_run *run)
{
    words command = {0}, settings = {0};
    processor_times before, after;
    for (int i = 0; i < call->operand_count; i++) {
        words_add(&command, call->operands[i]);
    }
    if (logs != NULL) {
        (void)setenv("INLAY_CAPTURE", logs, 1);
    } else {
        (void)unsetenv("INLAY_CAPTURE");
    }
    if (command.failed) {
        words_clear(&command);
        return report_no_memory();
    }
    (void)fflush(NULL);
    bool known = look_at_processors(&before);
    run->end =
        process_run(&guarded_by->guard, &command, &settings, isatty(STDIN_FILENO) ? NULL : stdin, stderr, stderr);
    known = look_at_processors(&after) && known;
    run->others = known ? share_of_others(&before, &after) : NAN;
    words_clear(&command);
    if (run->end.error != 0) {
        return report_usage(call->command, "%s cannot be started (%s)", call->operands[0], strerror(run->end.error));
    }
    return run->end.stopped ? EXIT_SYSTEM : EXIT_DONE;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int compare_runs(const invocation *call, const folder *where, size_t pairs, captured_run *run)
{
    double ratio[MOST_PAIRS];
    int end = EXIT_DONE;
    for (size_t i = 0; end == EXIT_DONE && i < pairs; i++) {
        double with[2];
        for (size_t k = 0; end == EXIT_DONE && k < 2; k++) {
            size_t recorded = (k + i) % 2; /* in turn who is first */
            folder scratch = {0};
            if (folder_make(&scratch) != INLAY_OK) {
                return EXIT_SYSTEM;
            }
            end = run_once(call, where, recorded != 0 ? scratch.path : NULL, run);
            with[recorded] = run->end.seconds;
            folder_remove(&scratch);
        }
        ratio[i] = with[1] / with[0] - 1;
    }
    if (end == EXIT_DONE && pairs > 0) {
        qsort(ratio, pairs, sizeof *ratio, by_size);
        run->least = ratio[0];
        run->most = ratio[pairs - 1];
        run->overhead = 0.5 * (ratio[(pairs - 1) / 2] + ratio[pairs / 2]);
        run->pairs = pairs;
    }
    return end;
}

int capture_run(const invocation *call, const folder *logs, captured_run *run)
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

/* The user's command, and what else the computer does meanwhile. */
#include "started.h"
#include "report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

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

/* The share of others, above what the length of a tick leaves unknown; NaN of a run of so few that this is most of it. */
static double share_of_others(const processor_times *before, const processor_times *after)
{
    enum { SHORTEST = 20 /* ticks, over all processors */ };
    double tick = 1.0 / (double)sysconf(_SC_CLK_TCK), processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    double others = after->busy - before->busy - (after->ours - before->ours) - 2 * tick * processors;
    double all = after->all - before->all;
    return all >= SHORTEST * tick ? fmax(0, others / all) : NAN;
}

/* ---- Starting ---- */

int command_run(const invocation *call, int first, const folder *guarded_by, started *run)
{
    words command = {0}, settings = {0};
    processor_times before, after;
    for (int i = first; i < call->operand_count; i++) {
        words_add(&command, call->operands[i]);
    }
    if (command.failed) {
        words_clear(&command);
        return report_no_memory();
    }
    (void)fflush(NULL);
    bool known = look_at_processors(&before);
    run->end = process_run(&guarded_by->guard, &command, &settings, isatty(STDIN_FILENO) ? NULL : stdin, stderr, stderr,
                           run->by);
    known = look_at_processors(&after) && known;
    /* of a command that failed some processes may be nobody's children */
    run->others = known && run->end.status == 0 ? share_of_others(&before, &after) : NAN;
    words_clear(&command);
    if (run->end.error != 0) {
        return report_usage(call->command, "%s cannot be started (%s)", call->operands[first],
                            strerror(run->end.error));
    }
    return run->end.stopped ? EXIT_SYSTEM : EXIT_DONE;
}

started command_worse(const started *a, const started *b)
{
    started worse = a->end.status != 0 ? *a : *b;
    worse.others = fmax(a->others, b->others); /* of which one may not be known */
    return worse;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

inlay_run_times command_times(double *times, size_t count)
{
    qsort(times, count, sizeof *times, by_size);
    return (inlay_run_times){0.5 * (times[(count - 1) / 2] + times[count / 2]), times[0], times[count - 1]};
}

void command_warn(const started *run, const char *then, inlay_diag *diag)
{
    enum { SIGNALS = 128, TEXT = 256 };
    char text[TEXT];
    if (run->end.status > SIGNALS) {
        (void)snprintf(text, sizeof text, "the command was ended by signal %d%s", run->end.status - SIGNALS, then);
        inlay_diag_add_warning(diag, text);
    } else if (run->end.status != 0) {
        (void)snprintf(text, sizeof text, "the command ended with status %d", run->end.status);
        inlay_diag_add_warning(diag, text);
    }
    if (run->others > 0.02) {
        char share[FIGURE];
        (void)snprintf(
            text, sizeof text,
            "other programs took %s of the processors meanwhile: the times are not to be trusted; expected a "
            "computer that does nothing else",
            percent_figure(run->others, false, share));
        inlay_diag_add_warning(diag, text);
    }
}

void environment_prepend(const char *name, const char *first)
{
    const char *was = getenv(name);
    char value[2 * PATH_MAX];
    if (was != NULL && was[0] != '\0' && snprintf(value, sizeof value, "%s:%s", first, was) < (int)sizeof value) {
        (void)setenv(name, value, 1);
    } else {
        (void)setenv(name, first, 1);
    }
}

/* How far a command is: a line on standard error, which a thread of its own keeps while the library works. */
#include "meter.h"
#include "report.h"
#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LEFT = 48, LINE = 160, COUNT = 80 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t ends;
    pthread_t thread;
    const char *name;
    char count[COUNT];
    double begun, share;
    bool runs, ended;
} meter = {.lock = PTHREAD_MUTEX_INITIALIZER};

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t); /* the clock of pthread_cond_timedwait() */
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* "3 h 12 min", "4 min", "12 s" */
static char *duration_text(double seconds, char text[LEFT])
{
    static const long minute = 60, hour = 3600, most = 1000000;
    long whole = seconds < (double)most * (double)hour ? (long)seconds + 1 : most * hour;
    if (whole < 2 * minute) {
        (void)snprintf(text, LEFT, "%ld s", whole);
    } else if (whole < 2 * hour) {
        (void)snprintf(text, LEFT, "%ld min", whole / minute);
    } else {
        (void)snprintf(text, LEFT, "%ld h %ld min", whole / hour, whole % hour / minute);
    }
    return text;
}

static size_t line_of(char line[LINE])
{
    const double least = 0.001;
    char text[LEFT];
    double taken = now() - meter.begun, share = meter.share;
    if (share < least) {
        return (size_t)snprintf(line, LINE, "%s: %s%s so far", meter.name, meter.count, duration_text(taken, text));
    }
    return (size_t)snprintf(line, LINE, "%s: %s%.0f %%, about %s left", meter.name, meter.count, 100 * share,
                            duration_text(taken * (1 - share) / share, text));
}

static void *keep_line(void *unused)
{
    const double first = 2, often = 0.5;
    size_t width = 0;
    double next = meter.begun + first;
    (void)unused;
    pthread_mutex_lock(&meter.lock);
    while (!meter.ended) {
        struct timespec until = {.tv_sec = (time_t)next};
        until.tv_nsec = (long)((next - (double)until.tv_sec) * 1e9);
        (void)pthread_cond_timedwait(&meter.ends, &meter.lock, &until);
        if (!meter.ended && now() >= next) {
            char line[LINE];
            size_t size = line_of(line);
            say(stderr, "\r%-*s", (int)width, line);
            (void)fflush(stderr);
            width = size;
            next = now() + often;
        }
    }
    pthread_mutex_unlock(&meter.lock);
    if (width > 0) {
        say(stderr, "\r%*s\r", (int)width, "");
    }
    return NULL;
}

void meter_begin(const invocation *call)
{
    if (call->common->quiet || isatty(STDERR_FILENO) != 1) {
        return;
    }
    meter.name = call->command->name;
    meter.begun = now();
    pthread_condattr_t steady; /* the clock of now(), which nobody sets */
    if (pthread_condattr_init(&steady) != 0) {
        return;
    }
    bool fine =
        pthread_condattr_setclock(&steady, CLOCK_MONOTONIC) == 0 && pthread_cond_init(&meter.ends, &steady) == 0;
    (void)pthread_condattr_destroy(&steady);
    meter.runs = fine && pthread_create(&meter.thread, NULL, keep_line, NULL) == 0;
}

static void meter_tell(void *context, double share)
{
    (void)context;
    pthread_mutex_lock(&meter.lock);
    meter.share = share;
    pthread_mutex_unlock(&meter.lock);
}

void meter_tell_count(int64_t done, int64_t of, double share, const char *what)
{
    pthread_mutex_lock(&meter.lock);
    meter.share = share;
    (void)snprintf(meter.count, COUNT, "%" PRId64 " of %" PRId64 " %s, ", done, of, what);
    pthread_mutex_unlock(&meter.lock);
}

void meter_end(void)
{
    if (!meter.runs) {
        return;
    }
    pthread_mutex_lock(&meter.lock);
    meter.ended = true;
    pthread_cond_signal(&meter.ends);
    pthread_mutex_unlock(&meter.lock);
    (void)pthread_join(meter.thread, NULL);
    meter.runs = false;
}

const inlay_progress *meter_progress(void)
{
    static const inlay_progress progress = {.tell = meter_tell};
    return meter.runs ? &progress : NULL;
}

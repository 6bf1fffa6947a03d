/* How far a study is, on a terminal. */
#include "report.h"
#include "study_values.h"
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

study_meter study_meter_begin(const invocation *call)
{
    bool shown = !call->common->quiet && isatty(STDERR_FILENO) == 1;
    return (study_meter){.shown = shown, .begun = now(), .told = now()};
}

/* "3 h 12 min", "4 min", "12 s" */
enum { LEFT = 48 };
static char *left_text(double seconds, char text[LEFT])
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

void study_meter_show(void *meter, const inlay_study_progress *p)
{
    enum { LINE = 160 };
    const double often = 0.2;
    study_meter *m = meter;
    char line[LINE];
    double at = now(), taken = at - m->begun;
    if (at - m->told < often) {
        return;
    }
    m->told = at;
    int size =
        snprintf(line, sizeof line, "%" PRId64 " of %" PRId64 " points, %.0f %%", p->done, p->points, 100 * p->share);
    if (p->share > 0 && taken > 1 && size > 0) {
        char left[LEFT];
        size += snprintf(line + size, sizeof line - (size_t)size, ", %s left",
                         left_text(taken * (1 - p->share) / p->share, left));
    }
    say(stderr, "\r%-*s", (int)m->width, line);
    (void)fflush(stderr);
    m->width = size > 0 ? (size_t)size : 0;
}

void study_meter_end(study_meter *m)
{
    if (m->width > 0) {
        say(stderr, "\r%*s\r", (int)m->width, "");
    }
}

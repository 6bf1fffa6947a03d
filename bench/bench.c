#include "bench.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool bench_arguments(int count, char **argument, bool *full)
{
    *full = count == 2 && strcmp(argument[1], "full") == 0;
    if (count == 1 || *full) {
        return true;
    }
    (void)fprintf(stderr, "usage: %s [full]\n", argument[0]);
    return false;
}

/* ---- Time ---- */

static const double shortest_sample = 1e-3; /* seconds: far above what reading the clock takes */
static const double least_total = 0.15;
static const double most_total = 0.45;
static const double patience = 20; /* seconds, after which nothing is repeated */
static const double agreement = 0.01;
enum { LEAST_SAMPLES = 3 };

typedef struct samples {
    double seconds[1024]; /* more than shortest_sample and most_total allow */
    double worked[1024];  /* of these, with the processor ours; of several threads, the sum */
    size_t count;
    double total;         /* seconds measured */
    double least, second; /* the two least */
} samples;

static double now(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct batch {
    long runs;
    double seconds;
    double worked; /* of these, with the processor ours */
} batch;

static int run_batch(int (*run)(void *context), void *context, batch *b)
{
    double begin = now(CLOCK_MONOTONIC);
    double worked = now(CLOCK_PROCESS_CPUTIME_ID);
    for (long i = 0; i < b->runs; i++) {
        int status = run(context);
        if (status != 0) {
            return status;
        }
    }
    b->worked = now(CLOCK_PROCESS_CPUTIME_ID) - worked;
    b->seconds = now(CLOCK_MONOTONIC) - begin;
    return 0;
}

static void add_sample(samples *s, const batch *b)
{
    double seconds = b->seconds / (double)b->runs;
    s->seconds[s->count] = seconds;
    s->worked[s->count++] = b->worked / (double)b->runs;
    s->total += b->seconds;
    s->second = fmin(s->second, fmax(s->least, seconds));
    s->least = fmin(s->least, seconds);
}

static bool enough(const samples *s)
{
    bool agree = s->second <= s->least * (1 + agreement);
    return s->count == sizeof s->seconds / sizeof *s->seconds || s->total >= patience ||
           (s->count >= LEAST_SAMPLES && s->total >= (agree ? least_total : most_total));
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *number, size_t count)
{
    qsort(number, count, sizeof *number, compare);
    return (number[(count - 1) / 2] + number[count / 2]) / 2;
}

int bench_measure(int (*run)(void *context), void *context, bench_time *time)
{
    samples s = {.least = INFINITY, .second = INFINITY};
    batch b = {.runs = 1};
    while (!enough(&s)) {
        int status = run_batch(run, context, &b);
        if (status != 0) {
            return status;
        }
        if (b.seconds < shortest_sample) {
            b.runs *= 2;
        } else {
            add_sample(&s, &b);
        }
    }
    time->seconds = s.least;
    time->worked = bench_median(s.worked, s.count);
    time->noise = bench_median(s.seconds, s.count) / fmin(s.least, s.worked[0]) - 1; /* sorted: [0] is the least */
    return 0;
}

/* ---- Memory ---- */

double bench_peak_memory(void)
{
    static const double unit = 1024; /* of ru_maxrss, on Linux and the BSDs */
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return unit * (double)usage.ru_maxrss;
}

/* What the other process sends: small enough to be written to a pipe in one piece. */
typedef struct message {
    _Alignas(max_align_t) unsigned char answer[496];
    int status;
} message;

/* Never returns. */
static void answer_and_end(int (*work)(const void *question, void *answer), const void *question, int to)
{
    message sent = {0};
    sent.status = work(question, sent.answer);
    _exit(write(to, &sent, sizeof sent) == (ssize_t)sizeof sent ? 0 : 1);
}

int bench_apart(int (*work)(const void *question, void *answer), const void *question, void *answer, size_t size)
{
    int ends[2];
    message received = {.status = -1};
    if (size > sizeof received.answer || fflush(stdout) != 0 || pipe(ends) != 0) {
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        answer_and_end(work, question, ends[1]);
    }
    (void)close(ends[1]);
    bool whole = child > 0 && read(ends[0], &received, sizeof received) == (ssize_t)sizeof received;
    (void)close(ends[0]);
    if (child > 0) {
        (void)waitpid(child, NULL, 0);
    }
    if (!whole) {
        return -1;
    }
    if (received.status == 0) {
        memcpy(answer, received.answer, size);
    }
    return received.status;
}

/* ---- Tables ---- */

enum { GAP = 2 }; /* blanks between columns */

bench_table bench_table_begin(const char *title, const bench_column *column, size_t columns)
{
    bench_table table = {.column = column, .columns = columns};
    (void)printf("\n%s\n\n", title);
    for (size_t i = 0; i < columns; i++) {
        bench_cell(&table, "%s", column[i].heading);
    }
    return table;
}

void bench_cell(bench_table *table, const char *format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bool last = table->filled + 1 == table->columns;
    (void)printf("%*s%*s", table->filled > 0 ? GAP : 0, "", table->column[table->filled].width, text);
    table->filled = last ? 0 : table->filled + 1;
    if (last) {
        (void)printf("\n");
        (void)fflush(stdout); /* a row takes seconds */
    }
}

void bench_cell_time(bench_table *table, double seconds)
{
    static const char *const unit[] = {"ps", "ns", "us", "ms", "s"};
    if (isnan(seconds)) {
        bench_cell(table, "-");
        return;
    }
    double value = seconds * 1e12;
    size_t i = 0;
    for (; value >= 999.5 && i < 4; i++) {
        value /= 1000;
    }
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    bench_cell(table, "%.*f %s", decimals, value, unit[i]);
}

void bench_cell_number(bench_table *table, double number, int decimals)
{
    if (isnan(number)) {
        bench_cell(table, "-");
    } else {
        bench_cell(table, "%.*f", decimals, number);
    }
}

double bench_exponent(double time_before, double time, double size_before, double size)
{
    return size_before > 0 ? log(time / time_before) / log(size / size_before) : NAN;
}

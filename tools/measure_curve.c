/*
 * `inlay measure --curve`: a program of the user's on one device, run with sizes from one to another. Each is repeated until
 * its mean is known well enough; between two of them a third is measured, as long as a straight line misses it.
 */
#include "allowed.h"
#include "launcher.h"
#include "measure_processes.h"
#include "output.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_SIZES = 5, USUAL_POINTS = 20, MOST_POINTS = 1000, LEAST_RUNS = 3, USUAL_RUNS = 25 };
static const double usual_accuracy = 0.05;
static const char headings[] = "device,size,seconds,repetitions,stddev\n";

/* A size that was measured. */
typedef struct curve_size {
    int64_t size;
    double mean, deviation, half_width;
    int runs;
    bool open; /* a line to the next size may be wrong */
} curve_size;

typedef struct curve_work {
    perf_runs runs; /* of one device, and the size that is measured now */
    int64_t from, to;
    double accuracy;
    int most;     /* sizes */
    char *before; /* what the file held; ours */
    curve_size *size;
    int sizes;
} curve_work;

/* ---- Usage ---- */

const char *measure_curve_option(const measure_values *values)
{
    return values->curve != NULL                         ? "--curve"
           : values->device != NULL                      ? "--device"
           : values->accuracy != NULL                    ? "--accuracy"
           : values->points > 0                          ? "--points"
           : values->timeout > 0 && values->data == NULL ? "--timeout"
                                                         : NULL;
}

/* A whole number with k, M or G behind it, or Ki, Mi or Gi; 0 where there is none up to 2^53. */
static int64_t take_size(const char **text)
{
    static const char letters[] = "kMG";
    const char *at = *text;
    double number = 0;
    size_t digits = strspn(at, "0123456789");
    for (size_t i = 0; i < digits; i++) {
        number = 10 * number + (at[i] - '0');
    }
    at += digits;
    char unit = *at == 'K' && at[1] == 'i' ? 'k' : *at;
    const char *letter = unit != '\0' ? strchr(letters, unit) : NULL;
    if (letter != NULL) {
        bool binary = at[1] == 'i';
        number *= pow(binary ? 1024 : 1000, (double)(letter - letters + 1));
        at += 1 + binary;
    }
    *text = at;
    return digits > 0 && number <= 0x1p53 ? (int64_t)number : 0;
}

static bool read_sizes(const char *text, curve_work *w)
{
    w->from = take_size(&text);
    bool two = strncmp(text, "..", 2) == 0;
    text += two ? 2 : 0;
    w->to = two ? take_size(&text) : 0;
    return two && *text == '\0' && w->from >= 1 && w->from < w->to;
}

/* "5%" or "0.05": above 0, at most 1; 0 stands for what is none. */
static double read_share(const char *text)
{
    char *end;
    bool plain = text[0] != '\0' && text[strspn(text, "0123456789.%")] == '\0';
    double value = plain ? strtod(text, &end) : 0;
    bool percent = plain && strcmp(end, "%") == 0;
    value = percent ? value / 100 : value;
    return plain && (percent || *end == '\0') && value > 0 && value <= 1 ? value : 0;
}

static int read_numbers(const invocation *call, curve_work *w)
{
    const measure_values *values = call->values;
    w->accuracy = values->accuracy != NULL ? read_share(values->accuracy) : usual_accuracy;
    w->most = values->points > 0 ? values->points : USUAL_POINTS;
    w->runs.runs = values->repeat > 0 ? values->repeat : USUAL_RUNS;
    if (!read_sizes(values->curve, w)) {
        return report_usage(call->command, "--curve %s: expected a smaller and a larger size, such as 1000..1M",
                            values->curve);
    }
    if (!(w->accuracy > 0)) {
        return report_usage(call->command, "--accuracy %s: expected a share above 0, such as 5%% or 0.05",
                            values->accuracy);
    }
    if (w->most < 2 || w->most > MOST_POINTS) {
        return report_usage(call->command, "--points %d: expected from 2 to %d", w->most, MOST_POINTS);
    }
    return w->runs.runs >= LEAST_RUNS && w->runs.runs <= MEASURE_REPEATS
               ? EXIT_DONE
               : report_usage(call->command, "--repeat %d: expected from %d to %d", w->runs.runs, LEAST_RUNS,
                              MEASURE_REPEATS);
}

static int check_usage(const invocation *call)
{
    const measure_values *values = call->values;
    const char *other = perf_other_option(values);
    other = other == NULL && values->data != NULL        ? "--data"
            : other == NULL && values->processes != NULL ? "--processes"
            : other == NULL && values->dimensions > 0    ? "--dimensions"
            : other == NULL && values->types != NULL     ? "--types"
            : other == NULL && values->raw != NULL       ? "--raw"
                                                         : other;
    if (other != NULL) {
        return report_usage(call->command, "%s is not for --curve, which runs COMMAND with sizes and nothing else",
                            other);
    }
    if (call->operand_count == 0) {
        return report_usage(call->command, "COMMAND is missing; expected -- and what to run with --curve");
    }
    if (!perf_mentions(call, "{size}")) {
        return report_usage(call->command, "COMMAND: there is no {size} in it; expected it where the size belongs");
    }
    const char *name = values->device;
    return name == NULL || (perf_good_name(name, strlen(name)) && strchr(name, ',') == NULL)
               ? EXIT_DONE
               : report_usage(call->command, "--device: there is '%.40s'; expected a name without blanks and commas",
                              name);
}

/* ---- The file that is added to ---- */

static int refuse_file(const char *path, const char *text)
{
    say_safely(stderr, path);
    say(stderr, ": %s\n", text);
    return EXIT_USAGE;
}

/* All of it; NULL where it cannot be read. */
static char *read_text(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    char room[4096];
    FILE *file = fopen(path, "r");
    FILE *copy = file != NULL ? open_memstream(&text, &size) : NULL;
    for (size_t got = 1; copy != NULL && got > 0;) {
        got = fread(room, 1, sizeof room, file);
        got = fwrite(room, 1, got, copy);
    }
    bool good = copy != NULL && ferror(file) == 0;
    good = (copy == NULL || fclose(copy) == 0) && good;
    if (file != NULL) {
        (void)fclose(file);
    }
    if (!good) {
        free(text);
        return NULL;
    }
    return text;
}

/* Other devices of it stay; this one must not be there yet. */
static int read_before(const invocation *call, curve_work *w)
{
    const char *path = ((const measure_values *)call->values)->output;
    inlay_curves *there = NULL;
    if (path == NULL || output_is_standard(path) || access(path, F_OK) != 0) {
        return EXIT_DONE;
    }
    inlay_diag *diag = new_diag();
    int end = report_end(call, inlay_curves_read(path, &there, diag), diag);
    inlay_diag_free(diag);
    bool again = false;
    for (size_t i = 0; end == EXIT_DONE && i < there->devices; i++) {
        const char *name = there->curve[i].name;
        again = again || (name != NULL && w->runs.type[0] != NULL && strcmp(name, w->runs.type[0]) == 0);
    }
    inlay_curves_free(there);
    w->before = end == EXIT_DONE ? read_text(path) : NULL;
    if (end == EXIT_DONE && (w->before == NULL || strstr(w->before, headings) == NULL)) {
        end = refuse_file(path, "is no file of --curve to add to; expected the headings "
                                "device,size,seconds,repetitions,stddev");
    } else if (end == EXIT_DONE && again) {
        end = refuse_file(path, "has a curve of this device; expected another --device, or another file");
    }
    return end;
}

/* ---- Runs of a size ---- */

static void sum_up(const double *seconds, int runs, curve_size *s)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < runs; i++) {
        sum += seconds[i];
    }
    s->mean = sum / runs;
    for (int i = 0; i < runs; i++) {
        squares += (seconds[i] - s->mean) * (seconds[i] - s->mean);
    }
    s->runs = runs;
    s->deviation = sqrt(squares / (runs - 1));
    s->half_width = inlay_curve_half_width(s->deviation, runs);
}

/* Puts a size behind `at` others, measured. */
static int measure_size(const invocation *call, const folder *where, curve_work *w, int at, int64_t size)
{
    curve_size *s = &w->size[at];
    int end = EXIT_DONE;
    memmove(s + 1, s, (size_t)(w->sizes - at) * sizeof *s);
    *s = (curve_size){.size = size, .half_width = INFINITY, .open = true};
    w->sizes++;
    w->runs.size[0] = size;
    for (int run = 0; end == EXIT_DONE && run < w->runs.runs; run++) {
        end = perf_run(call, where, &w->runs, &(perf_setting){0}, &w->runs.seconds[run]);
        if (end == EXIT_DONE && run + 1 >= LEAST_RUNS) {
            sum_up(w->runs.seconds, run + 1, s);
            if (s->half_width <= w->accuracy * s->mean) {
                break;
            }
        }
    }
    return end;
}

/* ---- Which sizes ---- */

/* By equal factors. */
static int64_t between(int64_t low, int64_t high, double part)
{
    double size = (double)low * pow((double)high / (double)low, part);
    return (int64_t)fmin(fmax(round(size), (double)low), (double)high);
}

static int measure_first(const invocation *call, const folder *where, curve_work *w)
{
    int first = w->most < FIRST_SIZES ? w->most : FIRST_SIZES, end = EXIT_DONE;
    for (int i = 0; end == EXIT_DONE && i < first; i++) {
        int64_t size = between(w->from, w->to, (double)i / (first - 1));
        if (w->sizes == 0 || size > w->size[w->sizes - 1].size) {
            end = measure_size(call, where, w, w->sizes, size);
        }
    }
    return end;
}

/* The widest line that may be wrong, by the factor between its ends; -1 where there is none. */
static int widest(const curve_work *w)
{
    int at = -1;
    double most = 0;
    for (int i = 0; i + 1 < w->sizes; i++) {
        double factor = (double)w->size[i + 1].size / (double)w->size[i].size;
        int64_t middle = between(w->size[i].size, w->size[i + 1].size, 0.5);
        bool room = middle > w->size[i].size && middle < w->size[i + 1].size;
        if (w->size[i].open && room && factor > most) {
            most = factor;
            at = i;
        }
    }
    return at;
}

/* Both halves of a line are good where it hits its middle, as far as that is known. */
static int refine(const invocation *call, const folder *where, curve_work *w, int at)
{
    const inlay_curve_point ends[] = {{w->size[at].size, w->size[at].mean},
                                      {w->size[at + 1].size, w->size[at + 1].mean}};
    const inlay_curve line = {.points = 2, .point = ends};
    int64_t middle = between(ends[0].size, ends[1].size, 0.5);
    int end = measure_size(call, where, w, at + 1, middle);
    const curve_size *now = &w->size[at + 1];
    bool hits = fabs(inlay_curve_time(&line, middle) - now->mean) <= w->accuracy * now->mean + now->half_width;
    w->size[at].open = w->size[at + 1].open = !hits;
    return end;
}

static int run_all(const invocation *call, const folder *where, const sigset_t *before, void *of)
{
    curve_work *w = of;
    (void)before; /* nothing is waited for but programs */
    int end = measure_try_outputs(call);
    end = end == EXIT_DONE ? measure_first(call, where, w) : end;
    for (int at = widest(w); end == EXIT_DONE && at >= 0 && w->sizes < w->most; at = widest(w)) {
        end = refine(call, where, w, at);
    }
    return end;
}

/* ---- Giving out ---- */

typedef struct curve_file {
    const invocation *call;
    const curve_work *work;
} curve_file;

static void put_file(FILE *to, const void *of)
{
    const curve_file *file = of;
    const curve_work *w = file->work;
    if (w->before != NULL) {
        (void)fputs(w->before, to);
    }
    perf_put_command(to, file->call);
    (void)fputs(w->before != NULL ? "" : headings, to);
    for (int i = 0; i < w->sizes; i++) {
        const curve_size *s = &w->size[i];
        (void)fprintf(to, "%s,%" PRId64 ",%.9g,%d,%.3g\n", w->runs.type[0], s->size, s->mean, s->runs, s->deviation);
    }
}

static int print(const curve_work *w)
{
    table rows = {.left = {true}};
    table_headings(&rows, "device|size|time|within^1|runs^2|speed");
    for (int i = 0; i < w->sizes; i++) {
        const curve_size *s = &w->size[i];
        table_cell(&rows, "%s", w->runs.type[0]);
        table_cells(&rows, "%" PRId64 "|%.4g s|%.1f %%|%d|%.4g", s->size, s->mean, 100 * s->half_width / s->mean,
                    s->runs, (double)s->size / s->mean);
    }
    int status = table_print(&rows, stdout);
    say(stdout, "\nwithin  the mean of all runs is no farther away, 95 times of 100\nspeed   units a second\n");
    return status == INLAY_OK ? EXIT_DONE : report_no_memory();
}

static void warn(const curve_work *w)
{
    int wide = 0, open = 0;
    for (int i = 0; i < w->sizes; i++) {
        wide += w->size[i].half_width > w->accuracy * w->size[i].mean;
    }
    if (wide > 0) {
        say(stderr, "inlay: warning: %d size%s %s not known to %.3g %% after %d runs: does something else run?\n", wide,
            wide == 1 ? "" : "s", wide == 1 ? "is" : "are", 100 * w->accuracy, w->runs.runs);
    }
    for (int i = 0; i + 1 < w->sizes; i++) {
        open += w->size[i].open && w->size[i + 1].size - w->size[i].size > 1;
    }
    if (open > 0) {
        say(stderr, "inlay: warning: %d of %d lines between sizes may miss by more than %.3g %%; more --points tell\n",
            open, w->sizes - 1, 100 * w->accuracy);
    }
}

static int deliver(const invocation *call, const curve_work *w)
{
    const measure_values *values = call->values;
    bool silent = output_is_standard(values->output) || (values->common.quiet && values->output != NULL);
    output_print(values->output, put_file, &(curve_file){call, w});
    int end = silent ? EXIT_DONE : print(w);
    if (end == EXIT_DONE && !values->common.quiet) {
        warn(w);
    }
    return end;
}

/* ---- All of it ---- */

static int prepare(const invocation *call, curve_work *w)
{
    const char *name = ((const measure_values *)call->values)->device;
    w->runs.types = name != NULL;
    w->runs.type[0] = name != NULL ? strdup(name) : NULL;
    int end = name == NULL ? perf_own_type(&w->runs) : w->runs.type[0] != NULL ? EXIT_DONE : report_no_memory();
    w->runs.columns = w->runs.sizes = w->runs.dimensions = 1;
    w->runs.processes[0] = 1;
    w->size = calloc((size_t)w->most + 1, sizeof *w->size);
    w->runs.seconds = calloc((size_t)w->runs.runs, sizeof *w->runs.seconds);
    if (end == EXIT_DONE && (w->size == NULL || w->runs.seconds == NULL)) {
        end = report_no_memory();
    }
    return end == EXIT_DONE ? read_before(call, w) : end;
}

int measure_curve(const invocation *call)
{
    curve_work w = {.runs.is_curve = true};
    int end = check_usage(call);
    end = end == EXIT_DONE ? read_numbers(call, &w) : end;
    end = end == EXIT_DONE ? prepare(call, &w) : end;
    end = end == EXIT_DONE ? launcher_in_folder(call, run_all, &w) : end;
    end = end == EXIT_DONE ? deliver(call, &w) : end;
    free(w.runs.type[0]);
    free(w.runs.seconds);
    free(w.size);
    free(w.before);
    return end;
}

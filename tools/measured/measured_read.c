/* Reading what `inlay run --json` wrote. Members that nobody here needs may be anything. */
#include "measured.h"
#include "report.h"
#include <errno.h>
#include <inlay/inlay.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Times beyond these are no times of a program, and their errors no numbers. */
static const double time_least = 1e-30, time_most = 1e30;

void measured_clear_row(measured_row *row)
{
    free(row->application);
    free(row->machine);
    free(row->name);
    free(row->runs);
    *row = (measured_row){0};
}

/* ---- Complaints ---- */

void measured_say_place(const char *operand)
{
    say_safely(stderr, strcmp(operand, "-") == 0 ? "standard input" : operand);
}

/* `FILE: text`. Returns EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) static int refuse(const char *operand, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    measured_say_place(operand);
    say(stderr, ": %-s\n", text);
    return EXIT_USAGE;
}

/* A value in few words. */
static const char *describe(const json_t *value, char *words, size_t room)
{
    switch (value != NULL ? json_typeof(value) : JSON_NULL) {
    case JSON_STRING: (void)snprintf(words, room, "is '%.40s'", json_string_value(value)); return words;
    case JSON_INTEGER: (void)snprintf(words, room, "is %" JSON_INTEGER_FORMAT, json_integer_value(value)); return words;
    case JSON_REAL: (void)snprintf(words, room, "is %g", json_real_value(value)); return words;
    case JSON_OBJECT: return "is an object";
    case JSON_ARRAY: return json_array_size(value) > 0 ? "is an array" : "is an empty array";
    case JSON_TRUE: return "is true";
    case JSON_FALSE: return "is false";
    default: return value != NULL ? "is null" : "is missing";
    }
}

static int refuse_value(const char *operand, const char *name, const json_t *value, const char *expected)
{
    char words[80];
    return refuse(operand, "%s %s; expected %s", name, describe(value, words, sizeof words), expected);
}

/* ---- Members ---- */

static int read_text(const char *operand, const json_t *object, const char *name, char **text)
{
    const json_t *value = json_object_get(object, name);
    if (!json_is_string(value)) {
        return refuse_value(operand, name, value, "a text");
    }
    *text = strdup(json_string_value(value));
    return *text != NULL ? EXIT_DONE : report_no_memory();
}

static int read_time(const char *operand, const char *name, const json_t *value, double *time)
{
    double read = json_is_number(value) ? json_number_value(value) : 0;
    if (!(read >= time_least && read <= time_most)) {
        return refuse_value(operand, name, value, "a time above 0, from 1e-30 to 1e30");
    }
    *time = read;
    return EXIT_DONE;
}

static int read_unit(const char *operand, const json_t *object, inlay_unit *unit)
{
    static const inlay_unit units[] = {INLAY_UNIT_S, INLAY_UNIT_MS, INLAY_UNIT_US, INLAY_UNIT_NS, INLAY_UNIT_TICK};
    const json_t *value = json_object_get(object, "time_unit");
    for (size_t i = 0; json_is_string(value) && i < sizeof units / sizeof *units; i++) {
        if (strcmp(json_string_value(value), inlay_unit_name(units[i])) == 0) {
            *unit = units[i];
            return EXIT_DONE;
        }
    }
    return refuse_value(operand, "time_unit", value, "s, ms, us, ns or tick");
}

static int compare_times(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Median, least and most of the runs as they are: what the file says of them is not needed. */
static int sort_runs(measured_row *row)
{
    double *sorted = malloc(row->run_count * sizeof *sorted);
    if (sorted == NULL) {
        return report_no_memory();
    }
    memcpy(sorted, row->runs, row->run_count * sizeof *sorted);
    qsort(sorted, row->run_count, sizeof *sorted, compare_times);
    row->least = sorted[0];
    row->median = sorted[(row->run_count - 1) / 2];
    row->most = sorted[row->run_count - 1];
    free(sorted);
    return EXIT_DONE;
}

static int read_runs(const char *operand, const json_t *object, measured_row *row)
{
    const json_t *measured = json_object_get(object, "measured"), *runs = json_object_get(measured, "runs");
    if (!json_is_object(measured)) {
        return refuse_value(operand, "measured", measured, "an object with runs");
    }
    if (json_array_size(runs) == 0) {
        return refuse_value(operand, "measured.runs", runs, "an array of times");
    }
    row->run_count = json_array_size(runs);
    row->runs = calloc(row->run_count, sizeof *row->runs);
    if (row->runs == NULL) {
        return report_no_memory();
    }
    int end = EXIT_DONE;
    for (size_t i = 0; i < row->run_count && end == EXIT_DONE; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, "measured.runs[%zu]", i);
        end = read_time(operand, name, json_array_get(runs, i), &row->runs[i]);
    }
    return end == EXIT_DONE ? sort_runs(row) : end;
}

/* What older results do not tell: absent and null are the same. */
static int read_optional(const char *operand, const json_t *object, measured_row *row)
{
    const json_t *frame = json_object_get(object, "time_frame"), *cores = json_object_get(object, "cores");
    row->time_frame = NAN;
    row->ranks = (int64_t)json_array_size(json_object_get(object, "ranks"));
    row->cores = json_integer_value(cores) > 0 ? json_integer_value(cores) : 0;
    return frame == NULL || json_is_null(frame) ? EXIT_DONE : read_time(operand, "time_frame", frame, &row->time_frame);
}

/* Older results have no name for the machine: its string stands for it. */
static int read_name(const char *operand, const json_t *object, measured_row *row)
{
    bool has_name = json_object_get(object, "machine_name") != NULL;
    return read_text(operand, object, has_name ? "machine_name" : "machine", &row->name);
}

static int read_object(const char *operand, const json_t *object, measured_row *row)
{
    int end = read_text(operand, object, "application", &row->application);
    end = end == EXIT_DONE ? read_text(operand, object, "machine", &row->machine) : end;
    end = end == EXIT_DONE ? read_name(operand, object, row) : end;
    end = end == EXIT_DONE ? read_unit(operand, object, &row->unit) : end;
    for (int p = 0; p < PREDICTIONS && end == EXIT_DONE; p++) {
        const char *name = measured_word(p);
        end = read_time(operand, name, json_object_get(object, name), &row->predicted[p]);
    }
    end = end == EXIT_DONE ? read_runs(operand, object, row) : end;
    return end == EXIT_DONE ? read_optional(operand, object, row) : end;
}

static int check_kind(const char *operand, const json_t *root)
{
    static const char expected[] = "a result of 'inlay run --json'";
    const json_t *command = json_object_get(root, "command");
    if (!json_is_object(root)) {
        return refuse(operand, "is no JSON object; expected %s", expected);
    }
    if (json_is_string(command) && strcmp(json_string_value(command), "run") != 0) {
        return refuse(operand, "is a result of 'inlay %.40s'; expected %s", json_string_value(command), expected);
    }
    return json_is_string(command) ? EXIT_DONE : refuse_value(operand, "command", command, expected);
}

/* ---- Files ---- */

static int refuse_json(const char *operand, const json_error_t *error)
{
    if (*error->text == '\0' || json_error_code(error) == json_error_out_of_memory) {
        return report_no_memory();
    }
    measured_say_place(operand);
    if (error->line > 0) {
        say(stderr, ":%d", error->line);
    }
    say(stderr, ": not valid JSON (%-s); expected a result of 'inlay run --json'\n", error->text);
    return EXIT_USAGE;
}

static int open_operand(const char *operand, FILE **file)
{
    struct stat status;
    *file = strcmp(operand, "-") == 0 ? stdin : fopen(operand, "r");
    if (*file == NULL) {
        return refuse(operand, "cannot be read (%s); expected a file", strerror(errno));
    }
    if (fstat(fileno(*file), &status) == 0 && S_ISDIR(status.st_mode)) {
        if (*file != stdin) {
            (void)fclose(*file);
        }
        return refuse(operand, "is a directory; expected a file");
    }
    return EXIT_DONE;
}

int measured_read(const char *operand, measured_row *row)
{
    FILE *file;
    json_error_t error;
    int end = open_operand(operand, &file);
    if (end != EXIT_DONE) {
        return end;
    }
    json_t *root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    if (file != stdin) {
        (void)fclose(file);
    }
    measured_row read = {.operand = operand};
    end = root == NULL ? refuse_json(operand, &error) : check_kind(operand, root);
    end = end == EXIT_DONE ? read_object(operand, root, &read) : end;
    json_decref(root);
    if (end != EXIT_DONE) {
        measured_clear_row(&read);
        return end;
    }
    *row = read;
    return EXIT_DONE;
}

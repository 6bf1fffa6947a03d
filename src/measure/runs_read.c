/* Reading what `inlay run --json` wrote. Members that nobody here needs may be anything. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "io/json/read.h"
#include "measure/runs.h"
#include <gsl/gsl_sort_double.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times beyond these are no times of a program, and their errors no numbers. */
static const double time_least = 1e-30, time_most = 1e30;

/* A result that is being read: its root, and what messages call it. */
typedef struct reader {
    const char *place;
    const json_t *root;
    inlay_diag *diag;
} reader;

/* ---- Complaints ---- */

const char *inlay_runs_place(const inlay_run_row *row)
{
    return strcmp(row->operand, "-") == 0 ? "standard input" : row->operand;
}

/* A value in few words. */
static const char *describe(const json_t *value, char *words, size_t room)
{
    switch (value != NULL ? json_typeof(value) : JSON_NULL) {
    case JSON_STRING: (void)plain_print(words, room, "is '%.40s'", json_string_value(value)); return words;
    case JSON_INTEGER:
        (void)plain_print(words, room, "is %" JSON_INTEGER_FORMAT, json_integer_value(value));
        return words;
    case JSON_REAL: (void)plain_print(words, room, "is %g", json_real_value(value)); return words;
    case JSON_OBJECT: return "is an object";
    case JSON_ARRAY: return json_array_size(value) > 0 ? "is an array" : "is an empty array";
    case JSON_TRUE: return "is true";
    case JSON_FALSE: return "is false";
    default: return value != NULL ? "is null" : "is missing";
    }
}

static int refuse_value(const reader *r, const char *name, const json_t *value, const char *expected)
{
    char words[80];
    return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->place, 0, "%s %s; expected %s", name,
                        describe(value, words, sizeof words), expected);
}

/* ---- Members ---- */

static int read_text(const reader *r, const json_t *object, const char *name, char **text)
{
    const json_t *value = json_object_get(object, name);
    if (!json_is_string(value)) {
        return refuse_value(r, name, value, "a text");
    }
    *text = memory_string(json_string_value(value));
    return *text != NULL ? INLAY_OK : INLAY_NO_MEMORY;
}

static int read_time(const reader *r, const char *name, const json_t *value, double *time)
{
    double read = json_is_number(value) ? json_number_value(value) : 0;
    if (!(read >= time_least && read <= time_most)) {
        return refuse_value(r, name, value, "a time above 0, from 1e-30 to 1e30");
    }
    *time = read;
    return INLAY_OK;
}

static int read_unit(const reader *r, const json_t *object, inlay_unit *unit)
{
    static const inlay_unit units[] = {INLAY_UNIT_S, INLAY_UNIT_MS, INLAY_UNIT_US, INLAY_UNIT_NS, INLAY_UNIT_TICK};
    const json_t *value = json_object_get(object, "time_unit");
    for (size_t i = 0; json_is_string(value) && i < sizeof units / sizeof *units; i++) {
        if (strcmp(json_string_value(value), inlay_unit_name(units[i])) == 0) {
            *unit = units[i];
            return INLAY_OK;
        }
    }
    return refuse_value(r, "time_unit", value, "s, ms, us, ns or tick");
}

/* Median, least and most of the runs as they are: what the file says of them is not needed. */
static int sort_runs(inlay_run_row *row)
{
    double *sorted = memory_array(row->run_count, sizeof *sorted);
    if (sorted == NULL) {
        return INLAY_NO_MEMORY;
    }
    memcpy(sorted, row->runs, row->run_count * sizeof *sorted);
    gsl_sort(sorted, 1, row->run_count);
    row->least = sorted[0];
    row->median = sorted[(row->run_count - 1) / 2];
    row->most = sorted[row->run_count - 1];
    free(sorted);
    return INLAY_OK;
}

static int read_runs(const reader *r, const json_t *object, inlay_run_row *row)
{
    const json_t *measured = json_object_get(object, "measured"), *runs = json_object_get(measured, "runs");
    if (!json_is_object(measured)) {
        return refuse_value(r, "measured", measured, "an object with runs");
    }
    if (json_array_size(runs) == 0) {
        return refuse_value(r, "measured.runs", runs, "an array of times");
    }
    row->run_count = json_array_size(runs);
    row->runs = memory_zeroed(row->run_count, sizeof *row->runs);
    if (row->runs == NULL) {
        return INLAY_NO_MEMORY;
    }
    int status = INLAY_OK;
    for (size_t i = 0; i < row->run_count && status == INLAY_OK; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, "measured.runs[%zu]", i);
        status = read_time(r, name, json_array_get(runs, i), &row->runs[i]);
    }
    return status == INLAY_OK ? sort_runs(row) : status;
}

/* What its modules did; older results do not tell. */
static int read_work(const reader *r, const json_t *object, inlay_run_work *work)
{
    const json_t *value = json_object_get(object, "work");
    for (int w = INLAY_RUN_UNKNOWN; value != NULL && w < INLAY_RUN_WORKS; w++) {
        if (json_is_string(value) && strcmp(json_string_value(value), inlay_run_work_name((inlay_run_work)w)) == 0) {
            *work = (inlay_run_work)w;
            return INLAY_OK;
        }
    }
    return value == NULL ? INLAY_OK : refuse_value(r, "work", value, "time, counts, mixed, program or unknown");
}

/* What older results do not tell: absent and null are the same. */
static int read_optional(const reader *r, const json_t *object, inlay_run_row *row)
{
    const json_t *frame = json_object_get(object, "time_frame"), *cores = json_object_get(object, "cores");
    row->time_frame = NAN;
    row->ranks = (int64_t)json_array_size(json_object_get(object, "ranks"));
    row->cores = json_integer_value(cores) > 0 ? json_integer_value(cores) : 0;
    return frame == NULL || json_is_null(frame) ? INLAY_OK : read_time(r, "time_frame", frame, &row->time_frame);
}

/* Older results have no name for the machine: its string stands for it. */
static int read_name(const reader *r, const json_t *object, inlay_run_row *row)
{
    bool has_name = json_object_get(object, "machine_name") != NULL;
    return read_text(r, object, has_name ? "machine_name" : "machine", &row->name);
}

static int read_object(const reader *r, const json_t *object, inlay_run_row *row)
{
    int status = read_text(r, object, "application", &row->application);
    status = status == INLAY_OK ? read_text(r, object, "machine", &row->machine) : status;
    status = status == INLAY_OK ? read_name(r, object, row) : status;
    status = status == INLAY_OK ? read_unit(r, object, &row->unit) : status;
    status = status == INLAY_OK ? read_work(r, object, &row->work) : status;
    for (int p = 0; p < INLAY_PREDICTIONS && status == INLAY_OK; p++) {
        const char *name = inlay_prediction_name(p);
        status = read_time(r, name, json_object_get(object, name), &row->predicted[p]);
    }
    status = status == INLAY_OK ? read_runs(r, object, row) : status;
    return status == INLAY_OK ? read_optional(r, object, row) : status;
}

static int check_kind(const reader *r)
{
    static const char expected[] = "a result of 'inlay run --json'";
    const json_t *command = json_object_get(r->root, "command");
    if (!json_is_object(r->root)) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->place, 0, "is no JSON object; expected %s", expected);
    }
    if (json_is_string(command) && strcmp(json_string_value(command), "run") != 0) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->place, 0, "is a result of 'inlay %.40s'; expected %s",
                            json_string_value(command), expected);
    }
    return json_is_string(command) ? INLAY_OK : refuse_value(r, "command", command, expected);
}

/* ---- Files ---- */

static int read_row(inlay_run_row *row, inlay_diag *diag)
{
    reader r = {inlay_runs_place(row), NULL, diag};
    file_content content;
    json_error_t error;
    int status = file_read(row->operand, &content, diag);
    if (status != INLAY_OK) {
        return status;
    }
    json_t *root = json_loadb(content.data, content.size, JSON_REJECT_DUPLICATES, &error);
    r.root = root;
    if (root == NULL && json_memory_is_out(&error, content.data, content.size)) {
        status = INLAY_NO_MEMORY;
    } else if (root == NULL) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, r.place, error.line > 0 ? error.line : 0,
                              "not valid JSON (%s); expected a result of 'inlay run --json'", error.text);
    } else {
        status = check_kind(&r);
        status = status == INLAY_OK ? read_object(&r, root, row) : status;
    }
    json_decref(root);
    file_content_clear(&content);
    return status;
}

/* Gives row `i` the number of its machine; a new one where no row before has it. */
static void number_machine(inlay_runs *all, size_t i)
{
    for (size_t m = 0; m < all->machines; m++) {
        if (strcmp(inlay_runs_machine(all, m)->machine, all->rows[i].machine) == 0) {
            all->rows[i].number = m;
            return;
        }
        all->strings |= strcmp(inlay_runs_machine(all, m)->name, all->rows[i].name) == 0;
    }
    all->rows[i].number = all->machines;
    all->first[all->machines++] = i;
}

static int read_all(const char *const *paths, size_t count, inlay_runs *all, inlay_diag *diag)
{
    all->rows = memory_zeroed(count, sizeof *all->rows);
    all->first = memory_zeroed(count, sizeof *all->first);
    int status = all->rows != NULL && all->first != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    for (size_t i = 0; i < count && status == INLAY_OK; i++) {
        all->rows[i].operand = paths[i];
        all->count++;
        status = read_row(&all->rows[i], diag);
        if (status == INLAY_OK) {
            number_machine(all, i);
        }
    }
    return status == INLAY_OK ? runs_sum_up(all) : status;
}

int inlay_runs_read(const char *const *paths, size_t count, inlay_runs **runs, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_runs *all = memory_zeroed(1, sizeof *all);
    int status = all == NULL ? INLAY_NO_MEMORY : read_all(paths, count, all, diag);
    if (status != INLAY_OK) {
        inlay_runs_free(all);
        return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
    }
    *runs = all;
    return INLAY_OK;
}

void inlay_runs_free(inlay_runs *runs)
{
    for (size_t i = 0; runs != NULL && i < runs->count; i++) {
        free(runs->rows[i].application);
        free(runs->rows[i].machine);
        free(runs->rows[i].name);
        free(runs->rows[i].runs);
    }
    if (runs != NULL) {
        free(runs->rows);
        free(runs->first);
        free(runs->errors);
    }
    free(runs);
}

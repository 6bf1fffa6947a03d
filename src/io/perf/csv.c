/*
 * Processor speeds as CSV: a line of headings, then a line for each measurement, or for each type of constant speed.
 *
 *     type,count,processes,data,time
 *     athlon,1,1,13824,2.1
 *     athlon,1,2,13824,2.3
 *
 * Curves (inlay/curves.h) are the same file with words of their own: device, size and seconds; a size without a time did
 * not fit.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/perf/perf.h"
#include "io/spans.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 9, FIELDS = 16, NUMBER = 64 };
typedef enum column { TYPE, COUNT, HOSTS, PROCESSES, DATA, SPEED, TIME, REPETITIONS, DEVIATION } column;
static const char *const headings[COLUMNS] = {"type",  "count", "hosts",       "processes", "data",
                                              "speed", "time",  "repetitions", "stddev"};
static const char *const other_words[COLUMNS] = {[TYPE] = "device", [DATA] = "size", [TIME] = "seconds"};

typedef struct table {
    perf_file *file;
    lines text;
    int place[COLUMNS]; /* of each heading among the fields; -1: there is none */
    const char *word[COLUMNS];
    int fields;
} table;

/* What a line says; 0 where a field is empty. */
typedef struct record {
    int64_t count, processes;
    double data, speed; /* speed 0 of a measurement: so many data do not fit */
} record;

/* The fields between the commas, at most FIELDS; how many there are. */
static int split(span line, span field[FIELDS])
{
    int count = 0;
    while (count < FIELDS) {
        const char *comma = memchr(line.at, ',', (size_t)(line.end - line.at));
        field[count++] = span_trimmed((span){line.at, comma == NULL ? line.end : comma});
        if (comma == NULL) {
            break;
        }
        line.at = comma + 1;
    }
    return count;
}

/* ---- Headings ---- */

static bool is_word(span text, const char *word)
{
    return word != NULL && (size_t)(text.end - text.at) == strlen(word) && plain_begins(text.at, word, strlen(word));
}

static int read_heading(table *t, span text, int place)
{
    static const char expected[] = "type, count, hosts, processes, data, and speed or time";
    for (int c = 0; c < COLUMNS; c++) {
        bool other = is_word(text, other_words[c]);
        if (other || is_word(text, headings[c])) {
            const char *word = other ? other_words[c] : headings[c];
            if (t->place[c] >= 0) {
                return diag_fail_at(t->file->diag, INLAY_BAD_INPUT, t->file->source, t->text.line,
                                    "the column '%s' comes twice; expected once", word);
            }
            t->place[c] = place;
            t->word[c] = word;
            return INLAY_OK;
        }
    }
    return diag_fail_at(t->file->diag, INLAY_BAD_INPUT, t->file->source, t->text.line,
                        "unknown column '%.*s'; expected the headings %s", span_shown(text), text.at, expected);
}

static int read_headings(table *t)
{
    span line;
    span field[FIELDS];
    int status = INLAY_OK;
    if (!next_line(&t->text, &line)) {
        return diag_fail_at(t->file->diag, INLAY_BAD_INPUT, t->file->source, 0,
                            "the file is empty; expected JSON, or CSV with the headings type, count, hosts, processes, "
                            "data, and speed or time");
    }
    t->fields = split(line, field);
    for (int c = 0; c < COLUMNS; c++) {
        t->place[c] = -1;
    }
    for (int n = 0; n < t->fields && status == INLAY_OK; n++) {
        status = read_heading(t, field[n], n);
    }
    if (status != INLAY_OK) {
        return status;
    }
    const char *wrong = t->place[TYPE] < 0                               ? "no column 'type'; expected one"
                        : (t->place[SPEED] < 0) == (t->place[TIME] < 0)  ? "expected a column 'speed' or a column "
                                                                           "'time', and not both"
                        : t->place[PROCESSES] >= 0 && t->place[DATA] < 0 ? "expected a column 'data' beside 'processes'"
                        : t->place[TIME] >= 0 && t->place[DATA] < 0      ? "times without data; expected columns "
                                                                           "'processes' and 'data'"
                                                                         : NULL;
    return wrong == NULL
               ? INLAY_OK
               : diag_fail_at(t->file->diag, INLAY_BAD_INPUT, t->file->source, t->text.line, "the headings: %s", wrong);
}

/* ---- Fields ---- */

static span field_of(const table *t, const span *field, column c)
{
    static const char none[1] = "";
    return t->place[c] < 0 ? (span){none, none} : field[t->place[c]];
}

static int refuse(const table *t, column c, span text, const char *expected)
{
    return diag_fail_at(t->file->diag, INLAY_BAD_INPUT, t->file->source, t->text.line, "%s '%.*s'; expected %s",
                        t->word[c], span_shown(text), text.at, expected);
}

/* An integer from 1; 0 where the field is empty. */
static int read_integer(const table *t, const span *field, column c, int64_t most, int64_t *value)
{
    span text = field_of(t, field, c);
    int64_t read = 0;
    bool valid = true;
    for (const char *at = text.at; at < text.end && valid; at++) {
        valid = plain_digit(*at) && read <= most;
        read = valid ? read * 10 + (*at - '0') : read;
    }
    if (!valid || read > most || (text.at < text.end && read == 0)) {
        char expected[NUMBER];
        (void)snprintf(expected, sizeof expected, "an integer from 1 to %" PRId64, most);
        return refuse(t, c, text, expected);
    }
    *value = read;
    return INLAY_OK;
}

/* A number above 0; 0 where the field is empty. */
static int read_number(const table *t, const span *field, column c, double *value)
{
    span text = field_of(t, field, c);
    char copy[NUMBER];
    inlay_decimal decimal = {0, 0};
    size_t size = (size_t)(text.end - text.at);
    if (size == 0) {
        *value = 0;
        return INLAY_OK;
    }
    bool valid = size < sizeof copy;
    if (valid) {
        memcpy(copy, text.at, size);
        copy[size] = '\0';
        valid = inlay_decimal_parse(copy, &decimal) == INLAY_OK && decimal.digits > 0;
    }
    if (!valid) {
        return refuse(t, c, text, "a number above 0");
    }
    *value = inlay_decimal_double(decimal);
    return INLAY_OK;
}

static int read_record(const table *t, const span *field, record *r)
{
    bool timed = t->place[TIME] >= 0;
    double number = 0;
    int status = read_integer(t, field, COUNT, PERF_COUNT, &r->count);
    status = status == INLAY_OK ? read_integer(t, field, PROCESSES, INT32_MAX, &r->processes) : status;
    status = status == INLAY_OK ? read_number(t, field, DATA, &r->data) : status;
    status = status == INLAY_OK ? read_integer(t, field, REPETITIONS, INT64_C(1) << 53, &(int64_t){0}) : status;
    if (status == INLAY_OK) {
        status = read_number(t, field, timed ? TIME : SPEED, &number);
    }
    if (status != INLAY_OK) {
        return status;
    }
    bool alone = t->place[PROCESSES] < 0 && t->place[DATA] >= 0;
    r->processes = alone && r->data > 0 ? 1 : r->processes;
    if (number <= 0 && alone && timed && r->data > 0) {
        return INLAY_OK;
    }
    if (number <= 0) {
        return refuse(t, timed ? TIME : SPEED, field_of(t, field, timed ? TIME : SPEED), "a number above 0");
    }
    if ((r->processes > 0) != (r->data > 0) || (timed && r->processes == 0)) {
        return diag_fail_at(t->file->diag, INLAY_BAD_INPUT, t->file->source, t->text.line,
                            "one of processes and data is missing; expected both, or with a constant speed neither");
    }
    r->speed = timed ? r->data / number : number;
    return INLAY_OK;
}

/* ---- Hosts ---- */

/* The next of the names between blanks; false where none is left. */
static bool next_name(span *rest, span *name)
{
    *name = span_word(rest, ' ');
    return name->end > name->at;
}

static int64_t count_names(span names)
{
    int64_t count = 0;
    for (span name; next_name(&names, &name);) {
        count++;
    }
    return count;
}

/* Of as many names as the type has hosts. */
static bool are_hosts_of(const perf_type *type, span names)
{
    span name;
    bool same = true;
    for (int64_t i = 0; same && next_name(&names, &name); i++) {
        size_t size = (size_t)(name.end - name.at);
        same = strlen(type->host[i]) == size && memcmp(type->host[i], name.at, size) == 0;
    }
    return same;
}

static bool copy_hosts(perf_type *type, span names, int64_t count)
{
    span name;
    type->host = memory_zeroed((size_t)count, sizeof *type->host);
    type->count = type->host != NULL ? count : type->count;
    for (int64_t i = 0; type->host != NULL && next_name(&names, &name); i++) {
        size_t size = (size_t)(name.end - name.at);
        type->host[i] = memory_zeroed(size + 1, 1);
        if (type->host[i] == NULL) {
            return false;
        }
        memcpy(type->host[i], name.at, size);
    }
    return type->host != NULL;
}

/* Nothing, or a name for each of the type's processors: on one of its lines, or the same on several. */
static int put_hosts(const table *t, perf_type *type, span names)
{
    int64_t count = count_names(names);
    if (count == 0) {
        return INLAY_OK;
    }
    if (type->count > 0 && type->count != count) {
        return diag_fail_at(t->file->diag, INLAY_BAD_INPUT, t->file->source, t->text.line,
                            "type '%.80s' has the count %" PRId64 ", but %" PRId64 " host%s; expected as many names, "
                            "separated by blanks",
                            type->name, type->count, count, count == 1 ? "" : "s");
    }
    if (type->host != NULL && !are_hosts_of(type, names)) {
        return diag_fail_at(t->file->diag, INLAY_BAD_INPUT, t->file->source, t->text.line,
                            "type '%.80s' has other hosts than before; expected the same, or none", type->name);
    }
    return type->host != NULL || copy_hosts(type, names, count) ? INLAY_OK : diag_no_memory(t->file->diag);
}

/* ---- Lines ---- */

static int put_record(const table *t, perf_type *type, bool is_new, const record *r)
{
    if (!is_new && r->count > 0 && type->count > 0 && r->count != type->count) {
        return diag_fail_at(t->file->diag, INLAY_BAD_INPUT, t->file->source, t->text.line,
                            "type '%.80s' has %" PRId64 " processors here and %" PRId64
                            " on line %ld; expected the same number",
                            type->name, r->count, type->count, type->line);
    }
    type->count = r->count > 0 ? r->count : type->count;
    if (!is_new && (r->processes == 0 || type->speed > 0)) {
        return diag_fail_at(t->file->diag, INLAY_BAD_INPUT, t->file->source, t->text.line,
                            "type '%.80s' comes twice, and has a constant speed; expected one line for it", type->name);
    }
    if (r->processes == 0) {
        type->speed = r->speed;
        return INLAY_OK;
    }
    if (r->speed <= 0) {
        type->unfit = type->unfit > 0 && type->unfit < r->data ? type->unfit : r->data;
        return INLAY_OK;
    }
    return perf_add_measurement(t->file, type, r->processes, r->data, r->speed);
}

static int read_line(const table *t, span line)
{
    span field[FIELDS];
    record r = {0};
    int count = split(line, field);
    if (count != t->fields) {
        return diag_fail_at(t->file->diag, INLAY_BAD_INPUT, t->file->source, t->text.line,
                            "%d fields; expected %d as in the headings", count, t->fields);
    }
    int status = read_record(t, field, &r);
    if (status != INLAY_OK) {
        return status;
    }
    span name = field_of(t, field, TYPE);
    size_t size = (size_t)(name.end - name.at);
    perf_type *type = NULL;
    status = perf_find_type(t->file, name.at, size, &type);
    bool is_new = type == NULL;
    if (status == INLAY_OK && is_new) {
        status = perf_add_type(t->file, name.at, size, t->text.line, &type);
    }
    status = status == INLAY_OK ? put_record(t, type, is_new, &r) : status;
    return status == INLAY_OK ? put_hosts(t, type, field_of(t, field, HOSTS)) : status;
}

int perf_read_csv(perf_file *file, const char *data, size_t size)
{
    table t = {.file = file, .text = {data, data + size, "#", 0}};
    span line;
    int status = read_headings(&t);
    while (status == INLAY_OK && next_line(&t.text, &line)) {
        status = read_line(&t, line);
    }
    return status;
}

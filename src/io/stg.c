/*
 * STG in: the Standard Task Graph Set of Kasahara's laboratory, Waseda University.
 *
 * Integers: a header `n [processors]`, then one line a task, `id time count predecessor...`, then comments. The set has
 * n tasks and two dummies of time 0, an entry and an exit; files exist whose n counts the dummies, that leave the entry
 * out, that number from 1, that name predecessors with larger ids, or that put a deadline behind every time. Dummies
 * are modules like all others. There is no traffic: every link is one message of 0 bytes. Times are ticks.
 */
#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "io/formats.h"
#include "io/look.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_TEXT = 16, SHOWN = 40, DUMMIES = 2 };

/* A line that holds integers. */
typedef struct row {
    size_t begin, count; /* into the integers */
    long line;
} row;

typedef struct stg {
    const char *source;
    inlay_diag *diag;
    int64_t *integers;
    size_t integer_count, integer_capacity;
    row *rows; /* the first is the header */
    size_t row_count, row_capacity;
    bool deadlines;
    id_map by_id; /* id to row - 1: the module's number */
} stg;

static int fail(const stg *s, long line, const char *what, int64_t value, const char *expected)
{
    return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, line, "%s %" PRId64 "; expected %s", what, value,
                        expected);
}

static bool is_blank(char c)
{
    return plain_space(c);
}

/*
 * A line a task, in which the third number, or with deadlines the fourth, counts those behind it; as many lines as the
 * header says, or up to two more; and a task without predecessors, which tells it from METIS's graphs.
 */
bool stg_looks_like(const char *data, size_t size)
{
    enum { FIELDS = 4 };
    number_look look = {data, data + size, '#'};
    int64_t header[FIELDS], number[FIELDS] = {0}, count, lines = 0;
    bool plain = true, deadlines = true, entry = false;
    count = look_line(&look, false, header, FIELDS);
    if (count < 1 || count > 2) {
        return false;
    }
    while ((plain || deadlines) && (count = look_line(&look, false, number, FIELDS)) > 0) {
        lines++;
        plain = plain && count >= 3 && number[2] == count - 3;
        deadlines = deadlines && count >= 4 && number[3] == count - 4;
        entry = entry || count == 3 || (deadlines && count == 4);
    }
    return (plain || deadlines) && count == LOOK_END && entry && lines <= header[0] + DUMMIES;
}

/* ---- Integers ---- */

static int read_integer(const stg *s, const char *at, size_t size, long line, int64_t *value)
{
    size_t i = at[0] == '-' || at[0] == '+';
    int64_t magnitude = 0;
    bool valid = i < size;
    for (; valid && i < size; i++) {
        valid = plain_digit(at[i]) && !__builtin_mul_overflow(magnitude, 10, &magnitude) &&
                !__builtin_add_overflow(magnitude, at[i] - '0', &magnitude);
    }
    if (!valid) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, line, "'%.*s' is no integer; expected one of 64 bits",
                            (int)(size < SHOWN ? size : SHOWN), at);
    }
    *value = at[0] == '-' ? -magnitude : magnitude;
    return INLAY_OK;
}

/* The integers of one line, which becomes a row where it has any. */
static int read_line(stg *s, const char *at, const char *end, long line)
{
    row read = {s->integer_count, 0, line};
    const char *comment = memchr(at, '#', (size_t)(end - at));
    end = comment == NULL ? end : comment;
    while (at < end) {
        const char *word = at;
        while (at < end && !is_blank(*at)) {
            at++;
        }
        if (at > word) {
            if (!memory_grow((void **)&s->integers, &s->integer_capacity, s->integer_count + 1, sizeof *s->integers)) {
                return diag_no_memory(s->diag);
            }
            int status = read_integer(s, word, (size_t)(at - word), line, &s->integers[s->integer_count]);
            if (status != INLAY_OK) {
                return status;
            }
            s->integer_count++;
            read.count++;
        }
        at += at < end;
    }
    if (read.count == 0) {
        return INLAY_OK;
    }
    if (!memory_grow((void **)&s->rows, &s->row_capacity, s->row_count + 1, sizeof *s->rows)) {
        return diag_no_memory(s->diag);
    }
    s->rows[s->row_count++] = read;
    return INLAY_OK;
}

static int read_rows(stg *s, const char *data, size_t size)
{
    const char *end = data + size;
    int status = INLAY_OK;
    long line = 1;
    for (const char *at = data; status == INLAY_OK && at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline == NULL ? end : newline;
        status = read_line(s, at, stop, line);
        at = newline == NULL ? end : newline + 1;
    }
    return status;
}

/* ---- Structure ---- */

static int64_t integer(const stg *s, const row *r, size_t i)
{
    return s->integers[r->begin + i];
}

/* Whether the count of predecessors in column `column` is the number of integers behind it. */
static bool fits(const stg *s, const row *r, size_t column)
{
    return r->count > column && integer(s, r, column) >= 0 &&
           (uint64_t)integer(s, r, column) == (uint64_t)(r->count - column - 1);
}

static size_t rows_that_fit(const stg *s, size_t column)
{
    size_t count = 0;
    for (size_t i = 1; i < s->row_count; i++) {
        count += fits(s, &s->rows[i], column);
    }
    return count;
}

/* Without deadlines the third integer counts the predecessors, with them the fourth: what fits more lines holds. */
static int choose_columns(stg *s)
{
    size_t column = 2;
    if (rows_that_fit(s, 3) > rows_that_fit(s, 2)) {
        column = 3;
        s->deadlines = true;
    }
    for (size_t i = 1; i < s->row_count; i++) {
        const row *r = &s->rows[i];
        if (!fits(s, r, column)) {
            return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, r->line,
                                "%zu integers do not make a task; expected 'id time %scount' and as many predecessors "
                                "as counted",
                                r->count, s->deadlines ? "deadline " : "");
        }
    }
    return INLAY_OK;
}

/* Files differ in whether the header counts the two dummies, and some have one. */
static int check_header(const stg *s)
{
    if (s->row_count == 0) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, 0, "no integers; expected the number of tasks");
    }
    const row *header = &s->rows[0], *last = &s->rows[s->row_count - 1];
    int64_t stated = integer(s, header, 0), found = (int64_t)s->row_count - 1;
    if (header->count > 2) {
        return fail(s, header->line, "integers in the header:", (int64_t)header->count,
                    "the number of tasks, and at most the number of processors behind it");
    }
    if (stated < 0 || stated > INT32_MAX - DUMMIES) {
        return fail(s, header->line, "the number of tasks is", stated, "0 to 2^31 - 3");
    }
    if (found < stated) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, last->line,
                            "the file ends after %" PRId64 " tasks; expected %" PRId64 " to %" PRId64
                            ", as the header says",
                            found, stated, stated + DUMMIES);
    }
    if (found > stated + DUMMIES) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, s->rows[stated + DUMMIES + 1].line,
                            "more tasks than the header says; expected %" PRId64 " to %" PRId64, stated,
                            stated + DUMMIES);
    }
    return INLAY_OK;
}

static int index_ids(stg *s)
{
    for (size_t i = 1; i < s->row_count; i++) {
        const row *r = &s->rows[i];
        int64_t id = integer(s, r, 0);
        if (id < 0 || id > INT32_MAX) {
            return fail(s, r->line, "the task's id is", id, "0 to 2^31 - 1");
        }
        if (id_map_get(&s->by_id, (int32_t)id, -1) >= 0) {
            return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, r->line,
                                "duplicate module '%" PRId64 "'; expected every id once", id);
        }
        if (id_map_add(&s->by_id, (int32_t)id, (int64_t)i - 1) < 0) {
            return diag_no_memory(s->diag);
        }
    }
    return INLAY_OK;
}

/* ---- The graph ---- */

static int add_tasks(const stg *s, inlay_app_builder *builder)
{
    int status = INLAY_OK;
    for (size_t i = 1; status == INLAY_OK && i < s->row_count; i++) {
        const row *r = &s->rows[i];
        char name[ID_TEXT];
        snprintf(name, sizeof name, "%" PRId64, integer(s, r, 0));
        if (integer(s, r, 1) < 0) {
            return fail(s, r->line, "the task's time is", integer(s, r, 1), "0 or more");
        }
        inlay_module module = {.name = name, .time = {{integer(s, r, 1), 0}, INLAY_UNIT_TICK}};
        if (s->deadlines) {
            module.deadline = (inlay_duration){{integer(s, r, 2), 0}, INLAY_UNIT_TICK};
        }
        status = inlay_app_add_module(builder, &module, s->diag);
    }
    return status;
}

static int add_predecessors(const stg *s, inlay_app_builder *builder)
{
    int status = INLAY_OK;
    for (size_t i = 1; status == INLAY_OK && i < s->row_count; i++) {
        const row *r = &s->rows[i];
        for (size_t p = s->deadlines ? 4 : 3; status == INLAY_OK && p < r->count; p++) {
            int64_t id = integer(s, r, p);
            int64_t from = id < 0 || id > INT32_MAX ? -1 : id_map_get(&s->by_id, (int32_t)id, -1);
            if (from < 0) {
                return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, r->line,
                                    "unknown module '%" PRId64 "'; expected the id of a task", id);
            }
            status = inlay_app_add_link(builder, (inlay_id)from, (inlay_id)i - 1, 1, 0, 0, s->diag);
        }
    }
    return status;
}

/* A link stands on the line of its consumer. */
static long line_of(void *context, inlay_id from, inlay_id to)
{
    const stg *s = context;
    return s->rows[(to < 0 ? from : to) + 1].line;
}

static int build(stg *s, inlay_app **app)
{
    char *name = format_graph_name(s->source);
    inlay_app_builder *builder = name == NULL ? NULL : inlay_app_builder_new(name, INLAY_UNIT_TICK);
    free(name);
    if (builder == NULL || inlay_app_builder_source(builder, s->source, line_of, s) != INLAY_OK) {
        inlay_app_builder_free(builder);
        return diag_no_memory(s->diag);
    }
    int status = add_tasks(s, builder);
    if (status == INLAY_OK) {
        status = add_predecessors(s, builder);
    }
    if (status == INLAY_OK) {
        status = inlay_app_build(builder, app, s->diag);
    }
    inlay_app_builder_free(builder);
    return status;
}

int stg_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag)
{
    stg s = {.source = source, .diag = diag};
    int status = read_rows(&s, data, size);
    int (*const steps[])(stg *) = {choose_columns, index_ids};
    if (status == INLAY_OK) {
        status = check_header(&s);
    }
    for (size_t i = 0; status == INLAY_OK && i < sizeof steps / sizeof *steps; i++) {
        status = steps[i](&s);
    }
    if (status == INLAY_OK) {
        status = build(&s, app);
    }
    free(s.integers);
    free(s.rows);
    id_map_clear(&s.by_id);
    return status;
}

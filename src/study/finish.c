/* The end of a study: all rows in the order of points, as JSON lines and as CSV. */
#include "base/diag.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/text.h"
#include "study/row.h"
#include "study/running.h"
#include <inlay/outputs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 18 };

/* Where rows go. */
typedef struct sink {
    inlay_file *rows, *csv; /* NULL: not there */
    text_buffer line;
    inlay_study_result *result;
} sink;

static void put_csv(sink *to, size_t least)
{
    if (to->csv != NULL && to->line.size >= least) {
        inlay_file_put(to->csv, to->line.data, to->line.size);
        to->line.size = 0;
    }
}

/* Whole lines, in order. */
static void put_rows(sink *to, const char *rows, size_t size)
{
    const char *end = rows + size, *newline;
    if (to->rows != NULL) {
        inlay_file_put(to->rows, rows, size);
    }
    for (; rows < end && (newline = memchr(rows, '\n', (size_t)(end - rows))) != NULL; rows = newline + 1) {
        size_t length = (size_t)(newline - rows);
        if (row_failed(rows, length)) {
            to->result->failed++;
            to->result->first_failed =
                to->result->first_failed < 0 ? row_point(rows, length) : to->result->first_failed;
        }
        if (to->csv != NULL) {
            row_csv(&to->line, rows, length);
            put_csv(to, PIECE);
        }
    }
}

/* ---- In order, from the journal ---- */

typedef struct places {
    off_t *at;
    uint32_t *size; /* with the newline; 0: there is no row */
} places;

static int note_place(void *of, int64_t point, off_t at, size_t size, const char *row)
{
    places *p = of;
    (void)row;
    if (p->size[point] == 0 && size < UINT32_MAX) {
        p->at[point] = at;
        p->size[point] = (uint32_t)size + 1;
    }
    return INLAY_OK;
}

/* Rows that stand one behind the other are read at once. */
static int copy_rows(const inlay_study_running *r, const places *p, sink *to, inlay_diag *diag)
{
    int64_t points = r->subject.points;
    char *room = NULL;
    size_t capacity = 0;
    int status = INLAY_OK;
    for (int64_t i = 0; status == INLAY_OK && i < points;) {
        size_t size = p->size[i];
        int64_t next = i + 1;
        while (next < points && p->at[next] == p->at[i] + (off_t)size && size < PIECE) {
            size += p->size[next++];
        }
        status = memory_grow((void **)&room, &capacity, size, 1) ? journal_read(&r->journal, p->at[i], size, room, diag)
                                                                 : diag_no_memory(diag);
        if (status == INLAY_OK) {
            put_rows(to, room, size);
        }
        i = next;
    }
    free(room);
    return status;
}

static int sort_rows(const inlay_study_running *r, sink *to, inlay_diag *diag)
{
    size_t points = (size_t)r->subject.points;
    places p = {memory_array(points, sizeof *p.at), memory_zeroed(points, sizeof *p.size)};
    int status = p.at == NULL || p.size == NULL ? diag_no_memory(diag) : INLAY_OK;
    status = status == INLAY_OK ? journal_walk(&r->journal, &r->subject, note_place, &p, diag) : status;
    status = status == INLAY_OK ? copy_rows(r, &p, to, diag) : status;
    free(p.at);
    free(p.size);
    return status;
}

/* Rows that an earlier run wrote: they are counted, and become CSV. */
static int read_rows(const inlay_study_running *r, sink *to, inlay_diag *diag)
{
    input *in = NULL;
    char *lines;
    size_t size = 1;
    int status = input_open(r->output, &in, diag);
    while (status == INLAY_OK && size > 0) {
        status = input_lines(in, &lines, &size, diag);
        if (status == INLAY_OK && size > 0) {
            put_rows(to, lines, size);
        }
    }
    input_close(in);
    return status;
}

/* ---- The whole ---- */

static int open_sink(const inlay_study_running *r, sink *to, inlay_diag *diag)
{
    int status = r->complete ? INLAY_OK : inlay_file_open(r->output, &to->rows, diag);
    if (status == INLAY_OK && r->csv != NULL) {
        status = inlay_file_open(r->csv, &to->csv, diag);
        row_csv_names(&to->line);
    }
    return status;
}

/* The rows come last: once they are there, the study is done. */
static int close_sink(sink *to, int status, inlay_diag *diag)
{
    if (status == INLAY_OK && to->line.failed) {
        status = diag_no_memory(diag);
    }
    if (status != INLAY_OK) {
        inlay_file_abandon(to->csv);
        inlay_file_abandon(to->rows);
    } else {
        put_csv(to, 1);
        status = to->csv != NULL ? inlay_file_close(to->csv, diag) : INLAY_OK;
        if (status != INLAY_OK) {
            inlay_file_abandon(to->rows);
        } else if (to->rows != NULL) {
            status = inlay_file_close(to->rows, diag);
        }
    }
    text_clear(&to->line);
    return status;
}

/* Nothing needs the journals any more. */
static int put_away(inlay_study_running *r, inlay_diag *diag)
{
    struct stat of;
    if (stat(r->output, &of) != 0) {
        return diag_fail(diag, INLAY_SYSTEM, "%s: is gone", r->output);
    }
    int status = journal_complete(&r->journal, &r->subject, (int64_t)of.st_size, diag);
    for (size_t i = 0; status == INLAY_OK && i < r->merged_count; i++) {
        (void)unlink(r->merged[i]);
    }
    return status;
}

static int finish(inlay_study_running *r, inlay_study_result *result, inlay_diag *diag)
{
    sink to = {.result = result};
    int status = open_sink(r, &to, diag);
    if (status == INLAY_OK) {
        status = r->complete ? read_rows(r, &to, diag) : sort_rows(r, &to, diag);
    }
    status = close_sink(&to, status, diag);
    status = status == INLAY_OK && !r->complete ? put_away(r, diag) : status;
    r->complete = status == INLAY_OK;
    return status;
}

/* The rows of a part: counted. */
static int count_failed(void *of, int64_t point, off_t at, size_t size, const char *row)
{
    inlay_study_result *result = of;
    (void)at;
    if (row_failed(row, size)) {
        result->failed++;
        result->first_failed = result->first_failed < 0 || point < result->first_failed ? point : result->first_failed;
    }
    return INLAY_OK;
}

int inlay_study_finish(inlay_study_running *running, inlay_study_result *result, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    *result = (inlay_study_result){.progress = inlay_study_progress_of(running), .first_failed = -1};
    if (running->parts > 0) {
        return journal_walk(&running->journal, &running->subject, count_failed, result, diag);
    }
    if (result->progress.done < result->progress.points) {
        return INLAY_OK;
    }
    /* The files appear now, whatever waits with the caller's: the journal goes once they are there. */
    inlay_diag *own = inlay_diag_new();
    int status = own == NULL ? INLAY_NO_MEMORY : finish(running, result, own);
    if (status != INLAY_OK) {
        diag_fail(diag, status, "%s", own != NULL ? inlay_diag_message(own) : "out of memory");
    }
    inlay_diag_free(own);
    return status;
}

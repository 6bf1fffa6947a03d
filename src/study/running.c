/* A study being run: what there is already, handing out points, and keeping rows. */
#include "study/running.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/workers.h"
#include "study/row.h"
#include "study/store.h"
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- What it names ---- */

typedef struct survey {
    store *store;
    atomic_int status;
} survey;

static void look_at(void *context, int worker, size_t application)
{
    survey *s = context;
    stored of;
    (void)worker;
    int status = store_take_app(s->store, application, &of);
    if (status == INLAY_OK) {
        store_give_app(s->store, application);
    } else {
        atomic_store(&s->status, status);
    }
}

/* A machine as it was read, and the bytes of its file: what it says of itself is not all that it has. */
static int add_machine(sha256 *hash, const inlay_study *study, size_t machine, inlay_diag *diag)
{
    stored of;
    file_content raw;
    int status = store_take_machine(study->store, machine, 0, &of);
    if (status != INLAY_OK) {
        return diag_no_memory(diag);
    }
    const char *said = of.machine != NULL ? inlay_machine_text(of.machine) : of.error;
    sha256_add(hash, said, strlen(said) + 1);
    char *path = memory_string(study->machine[machine].text);
    if (path == NULL) {
        return diag_no_memory(diag);
    }
    if (!file_exists(path)) {
        path[strcspn(path, ",")] = '\0';
    }
    if (file_exists(path) && !file_comes_once(path) && file_read_raw(path, &raw, NULL) == INLAY_OK) {
        sha256_add(hash, raw.data, raw.size);
        file_content_clear(&raw);
    }
    free(path);
    return INLAY_OK;
}

/* All that rows depend on. */
static int survey_all(inlay_study_running *r, inlay_id threads, inlay_diag *diag)
{
    const inlay_study *study = r->study;
    survey s = {study->store, INLAY_OK};
    sha256 hash = sha256_begin();
    sha256_add(&hash, study->digest, sizeof study->digest);
    if (!study->idle) {
        workers_share(workers_of(threads, WORKERS_MOST), study->applications, look_at, &s);
    }
    int status = atomic_load(&s.status) == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
    for (size_t i = 0; status == INLAY_OK && !study->idle && i < study->applications; i++) {
        sha256_add(&hash, store_app_digest(study->store, i), sizeof study->digest);
    }
    for (size_t i = 0; status == INLAY_OK && !study->idle && i < study->machines; i++) {
        status = add_machine(&hash, study, i, diag);
    }
    sha256_end(&hash, r->digest);
    r->subject = (journal_subject){r->digest, inlay_study_points(study)};
    return status;
}

/* ---- What there is ---- */

int running_mark(void *of, int64_t point, off_t at, size_t size, const char *row)
{
    inlay_study_running *r = of;
    (void)at, (void)size, (void)row;
    if (!bit_is_set(r->done, point)) {
        bit_set(r->done, point);
        r->progress.done++;
        r->progress.before++;
    }
    return INLAY_OK;
}

/* Points of other parts count as done, and are none of this run's. */
static void mark_others(inlay_study_running *r)
{
    int64_t all = r->subject.points;
    r->progress.points = all;
    if (r->parts > 0) {
        r->progress.points = all / r->parts + (all % r->parts >= r->part);
        for (int64_t i = 0; i < all; i++) {
            if (i % r->parts != r->part - 1) {
                bit_set(r->done, i);
            }
        }
    }
}

static int64_t bytes_of(const char *path)
{
    struct stat of;
    return stat(path, &of) == 0 ? (int64_t)of.st_size : -1;
}

/* A journal whose rows went to the output says so; where that is not as it was, they are lost. */
static int take_up_rows(inlay_study_running *r, const char *path, int how, inlay_diag *diag)
{
    int status = journal_open(&r->journal, path, &r->subject, how, diag);
    if (status == INLAY_OK && r->journal.complete >= 0) {
        r->complete = r->journal.complete == bytes_of(r->output);
        if (r->complete) {
            r->progress.done = r->progress.before = r->progress.points;
            return INLAY_OK;
        }
        journal_close(&r->journal);
        status = journal_open(&r->journal, path, &r->subject, JOURNAL_MAKE | JOURNAL_RESTART, diag);
    }
    status = status == INLAY_OK ? journal_walk(&r->journal, &r->subject, running_mark, r, diag) : status;
    return status == INLAY_OK && r->parts == 0 ? running_merge(r, (how & JOURNAL_RESTART) != 0, diag) : status;
}

static int open_journal(inlay_study_running *r, bool restart, inlay_diag *diag)
{
    text_buffer path = {0};
    if (r->parts > 0) {
        text_addf(&path, "%s.%d-of-%d", r->output, r->part, r->parts);
    } else {
        text_addf(&path, "%s.journal", r->output);
    }
    int status = path.failed ? diag_no_memory(diag)
                             : take_up_rows(r, path.data, JOURNAL_MAKE | (restart ? JOURNAL_RESTART : 0), diag);
    text_clear(&path);
    return status;
}

/* ---- Beginning and end ---- */

/* A device cannot be replaced by a file, nor have a journal beside it. */
static bool can_be_replaced(const char *path)
{
    struct stat of;
    return stat(path, &of) != 0 || S_ISREG(of.st_mode);
}

static int begin(inlay_study_running *r, const inlay_study_options *options, inlay_diag *diag)
{
    const char *output = options->output != NULL ? options->output : r->study->output;
    const char *csv = options->csv != NULL ? options->csv : r->study->csv;
    if (output == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "nothing says where rows go; expected 'output' in the study, or one "
                         "that is asked for");
    }
    if (options->parts < 0 || options->part < (options->parts > 0) || options->part > options->parts) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "there is no part %d of %d; expected one from 1 on", options->part,
                         options->parts);
    }
    if (!can_be_replaced(output) || (csv != NULL && !can_be_replaced(csv))) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%s: is no file; expected the name of one, for it is replaced as a whole",
                         can_be_replaced(output) ? csv : output);
    }
    r->part = options->part;
    r->parts = options->parts;
    r->output = memory_string(output);
    r->csv = csv != NULL ? memory_string(csv) : NULL;
    r->done = memory_zeroed((size_t)inlay_study_points(r->study) / 8 + 1, 1);
    if (r->output == NULL || (csv != NULL && r->csv == NULL) || r->done == NULL) {
        return diag_no_memory(diag);
    }
    int status = survey_all(r, options->threads, diag);
    if (status == INLAY_OK) {
        mark_others(r);
        status = open_journal(r, options->restart, diag);
    }
    if (status == INLAY_OK && !r->complete && !handout_make(&r->handout, r->study, r->done)) {
        status = diag_no_memory(diag);
    }
    return status;
}

int inlay_study_begin(const inlay_study *study, const inlay_study_options *options, inlay_study_running **running,
                      inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_study_options usual = {0};
    if (study == NULL || running == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a run needs a study, and a place for the result");
    }
    inlay_study_running *made = memory_zeroed(1, sizeof *made);
    if (made == NULL) {
        return diag_no_memory(diag);
    }
    made->study = study;
    made->journal.file = -1;
    pthread_mutex_init(&made->lock, NULL);
    int status = begin(made, options != NULL ? options : &usual, diag);
    store_warnings(study->store, diag);
    if (status != INLAY_OK) {
        inlay_study_end(made);
        return status;
    }
    *running = made;
    return INLAY_OK;
}

void inlay_study_end(inlay_study_running *running)
{
    if (running == NULL) {
        return;
    }
    journal_close(&running->journal);
    handout_clear(&running->handout);
    for (size_t i = 0; i < running->merged_count; i++) {
        free(running->merged[i]);
    }
    free(running->merged);
    free(running->done);
    free(running->output);
    free(running->csv);
    pthread_mutex_destroy(&running->lock);
    free(running);
}

/* ---- Points out, rows in ---- */

size_t inlay_study_next(inlay_study_running *running, inlay_id shared_by, int64_t point[INLAY_STUDY_BATCH])
{
    pthread_mutex_lock(&running->lock);
    size_t count = running->complete ? 0 : handout_next(&running->handout, shared_by, point);
    pthread_mutex_unlock(&running->lock);
    return count;
}

/* Calls with the point of each line, or with -1 for what is no row. */
static bool each_row(inlay_study_running *r, const char *rows, size_t size,
                     bool (*see)(inlay_study_running *r, int64_t point))
{
    const char *end = rows + size, *newline;
    while (rows < end && (newline = memchr(rows, '\n', (size_t)(end - rows))) != NULL) {
        if (!see(r, row_point(rows, (size_t)(newline - rows)))) {
            return false;
        }
        rows = newline + 1;
    }
    return rows == end;
}

static bool is_new(inlay_study_running *r, int64_t point)
{
    return point >= 0 && point < r->subject.points && !bit_is_set(r->done, point);
}

static bool count_row(inlay_study_running *r, int64_t point)
{
    study_place place = study_place_of(r->study, point);
    bit_set(r->done, point);
    r->progress.done++;
    r->kept += handout_estimate(r->study, place.application, place.method);
    r->progress.share = r->handout.all > 0 && r->kept < r->handout.all ? r->kept / r->handout.all : 1;
    return true;
}

int inlay_study_keep(inlay_study_running *running, const char *rows, size_t size, inlay_diag *diag)
{
    DIAG_CALL(diag);
    pthread_mutex_lock(&running->lock);
    int status = INLAY_OK;
    if (!each_row(running, rows, size, is_new)) {
        status =
            diag_fail(diag, INLAY_BAD_ARGUMENT, "these are no rows of the study, or some are there; expected new ones");
    } else if (size > 0) {
        status = journal_add(&running->journal, rows, size, diag);
    }
    if (status == INLAY_OK) {
        (void)each_row(running, rows, size, count_row);
    }
    pthread_mutex_unlock(&running->lock);
    return status;
}

inlay_study_progress inlay_study_progress_of(inlay_study_running *running)
{
    pthread_mutex_lock(&running->lock);
    inlay_study_progress progress = running->progress;
    pthread_mutex_unlock(&running->lock);
    return progress;
}

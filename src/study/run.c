/* A whole study on the cores of this computer. */
#include "base/clock.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/workers.h"
#include <inlay/study.h>
#include <pthread.h>
#include <stdlib.h>

/* What the threads share. */
typedef struct team {
    const inlay_study *study;
    inlay_study_running *running;
    const inlay_study_options *options;
    int threads;
    pthread_mutex_t told; /* of what comes behind it */
    int status;
    char *message;
} team;

static void fail(team *t, int status, const inlay_diag *diag)
{
    pthread_mutex_lock(&t->told);
    if (t->status == INLAY_OK) {
        t->status = status;
        t->message = memory_string(inlay_diag_message(diag));
    }
    pthread_mutex_unlock(&t->told);
}

static bool has_failed(team *t)
{
    pthread_mutex_lock(&t->told);
    bool failed = t->status != INLAY_OK;
    pthread_mutex_unlock(&t->told);
    return failed;
}

static int keep(team *t, inlay_study_worker *worker, inlay_diag *diag)
{
    size_t size;
    const char *rows = inlay_study_rows(worker, &size);
    int status = inlay_study_keep(t->running, rows, size, diag);
    inlay_study_rows_clear(worker);
    if (status == INLAY_OK && t->options->progress != NULL) {
        pthread_mutex_lock(&t->told);
        inlay_study_progress progress = inlay_study_progress_of(t->running);
        t->options->progress(t->options->context, &progress);
        pthread_mutex_unlock(&t->told);
    }
    return status;
}

/* Rows are kept ten times a second: no more is lost, and no more is written at once. */
static int work_off(team *t, inlay_study_worker *worker, inlay_diag *diag)
{
    const double often = 0.1;
    int64_t point[INLAY_STUDY_BATCH];
    double kept = clock_seconds();
    int status = INLAY_OK;
    size_t count;
    while (status == INLAY_OK && !has_failed(t) && (count = inlay_study_next(t->running, t->threads, point)) > 0) {
        for (size_t i = 0; status == INLAY_OK && i < count; i++) {
            status = inlay_study_work(worker, point[i]);
            if (status == INLAY_OK && clock_seconds() - kept > often) {
                status = keep(t, worker, diag);
                kept = clock_seconds();
            }
        }
    }
    return status == INLAY_OK ? keep(t, worker, diag) : status;
}

static void help(void *context, int number, size_t job)
{
    team *t = context;
    (void)number, (void)job;
    inlay_study_worker *worker = inlay_study_worker_new(t->study);
    inlay_diag *diag = inlay_diag_new();
    int status = worker == NULL || diag == NULL ? INLAY_NO_MEMORY : work_off(t, worker, diag);
    if (status != INLAY_OK) {
        fail(t, status, diag);
    }
    inlay_diag_free(diag);
    inlay_study_worker_free(worker);
}

static int run(team *t, inlay_diag *diag)
{
    pthread_mutex_init(&t->told, NULL);
    workers_share(t->threads, (size_t)t->threads, help, t);
    pthread_mutex_destroy(&t->told);
    if (t->status != INLAY_OK) {
        const char *message = t->message != NULL && *t->message != '\0' ? t->message : inlay_status_text(t->status);
        diag_fail(diag, t->status, "%s", message);
    }
    free(t->message);
    return t->status;
}

int inlay_study_run(const inlay_study *study, const inlay_study_options *options, inlay_study_result *result,
                    inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_study_options usual = {0};
    inlay_study_running *running = NULL;
    options = options != NULL ? options : &usual;
    int status = result == NULL ? diag_fail(diag, INLAY_BAD_ARGUMENT, "a study needs a place for the result")
                                : inlay_study_begin(study, options, &running, diag);
    if (status == INLAY_OK) {
        team t = {.study = study,
                  .running = running,
                  .options = options,
                  .threads = workers_of(options->threads, WORKERS_MOST)};
        status = run(&t, diag);
    }
    status = status == INLAY_OK ? inlay_study_finish(running, result, diag) : status;
    inlay_study_end(running);
    return status;
}

/* The threads of a rank. */
#include "pool.h"
#include <inlay/status.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Threads ---- */

static bool add_rows(pool *p, const char *rows, size_t size)
{
    if (p->size + size > p->room) {
        size_t room = 2 * (p->size + size);
        char *grown = realloc(p->rows, room);
        if (grown == NULL) {
            return false;
        }
        p->rows = grown;
        p->room = room;
    }
    memcpy(p->rows + p->size, rows, size);
    p->size += size;
    return true;
}

/* Under the lock, but while it works. */
static int work_out(pool *p, inlay_study_worker *worker, int64_t point)
{
    size_t size;
    p->busy++;
    pthread_mutex_unlock(&p->lock);
    int status = inlay_study_work(worker, point);
    const char *rows = inlay_study_rows(worker, &size);
    pthread_mutex_lock(&p->lock);
    p->busy--;
    if (status == INLAY_OK && !add_rows(p, rows, size)) {
        status = INLAY_NO_MEMORY;
    }
    inlay_study_rows_clear(worker);
    return status;
}

static void *work(void *of)
{
    pool *p = of;
    inlay_study_worker *worker = inlay_study_worker_new(p->study);
    pthread_mutex_lock(&p->lock);
    int status = worker == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    while (status == INLAY_OK && !(p->closed && p->next == p->count)) {
        if (p->next == p->count) {
            pthread_cond_wait(&p->filled, &p->lock);
            continue;
        }
        int64_t point = p->point[p->next++];
        bool last = p->next == p->count;
        if (last) {
            pthread_cond_signal(&p->changed);
        }
        status = work_out(p, worker, point);
        if (p->next == p->count && p->busy == 0) {
            pthread_cond_signal(&p->changed);
        }
    }
    p->status = p->status == INLAY_OK ? status : p->status;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    inlay_study_worker_free(worker);
    return NULL;
}

bool pool_begin(pool *p, const inlay_study *study, int threads)
{
    enum { MOST = sizeof p->thread / sizeof *p->thread };
    memset(p, 0, sizeof *p);
    p->study = study;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->filled, NULL);
    pthread_cond_init(&p->changed, NULL);
    while (p->threads < threads && p->threads < MOST && pthread_create(&p->thread[p->threads], NULL, work, p) == 0) {
        p->threads++;
    }
    return p->threads > 0;
}

void pool_end(pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->closed = true;
    p->next = p->count;
    pthread_cond_broadcast(&p->filled);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->threads; i++) {
        pthread_join(p->thread[i], NULL);
    }
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->filled);
    pthread_cond_destroy(&p->changed);
    free(p->rows);
}

/* ---- From outside ---- */

pool_state pool_look(pool *p)
{
    pthread_mutex_lock(&p->lock);
    bool empty = p->next == p->count;
    pool_state state = p->status != INLAY_OK       ? POOL_FAILED
                       : !empty                    ? POOL_BUSY
                       : p->closed && p->busy == 0 ? POOL_DONE
                       : p->closed                 ? POOL_BUSY
                                                   : POOL_HUNGRY;
    pthread_mutex_unlock(&p->lock);
    return state;
}

void pool_fill(pool *p, const int64_t *point, size_t count)
{
    pthread_mutex_lock(&p->lock);
    memcpy(p->point, point, count * sizeof *point);
    p->count = count;
    p->next = 0;
    p->closed = count == 0;
    pthread_cond_broadcast(&p->filled);
    pthread_mutex_unlock(&p->lock);
}

char *pool_take(pool *p, size_t *size)
{
    pthread_mutex_lock(&p->lock);
    char *rows = p->size > 0 ? p->rows : NULL;
    *size = p->size;
    if (rows != NULL) {
        p->rows = NULL;
        p->size = p->room = 0;
    }
    pthread_mutex_unlock(&p->lock);
    return rows;
}

void pool_wait(pool *p, double seconds)
{
    enum { BILLION = 1000000000 };
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(seconds * BILLION);
    until.tv_sec += until.tv_nsec / BILLION;
    until.tv_nsec %= BILLION;
    pthread_mutex_lock(&p->lock);
    (void)pthread_cond_timedwait(&p->changed, &p->lock, &until);
    pthread_mutex_unlock(&p->lock);
}

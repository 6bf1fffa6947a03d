/* Jobs shared out to threads. */
#ifndef BASE_WORKERS_H
#define BASE_WORKERS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { WORKERS_MOST = 256 };

/** One job, by one of the workers 0, 1, ...: two jobs of one worker are never done at once. */
typedef void worker_job(void *context, int worker, size_t job);

typedef struct workers {
    worker_job *job;
    void *context;
    size_t jobs;
    atomic_size_t next;
    int helping;
    pthread_t thread[WORKERS_MOST];
    struct helper {
        struct workers *of;
        int worker;
    } helper[WORKERS_MOST];
} workers;

/** How many there are to be: as many as were asked for, or one a core where that is 0; at most `most`. */
int workers_of(long asked, int most);

/**
 * Begin with jobs 0, 1, ..., each done once and in this order begun; workers_finish() joins in, as worker 0, and returns
 * when all are done. Where the system has no thread to give the others do its part.
 */
void workers_begin(workers *w, int count, size_t jobs, worker_job *one, void *context);
void workers_finish(workers *w);

/** Both. */
void workers_share(int count, size_t jobs, worker_job *one, void *context);

#endif

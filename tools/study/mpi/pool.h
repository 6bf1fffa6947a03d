/* The threads of a rank that work out points, while its main thread talks to the other ranks. */
#ifndef TOOLS_STUDY_MPI_POOL_H
#define TOOLS_STUDY_MPI_POOL_H

#include <inlay/study.h>
#include <pthread.h>

typedef struct pool {
    const inlay_study *study;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t filled, changed;
    int64_t point[INLAY_STUDY_BATCH];
    size_t count, next;
    int threads, busy;
    bool closed;
    int status; /* of the library: the first that failed */
    char *rows; /* found since the last pool_take() */
    size_t size, room;
    pthread_t thread[256];
} pool;

/** Begin with so many threads, at least one. False where the system has none. */
bool pool_begin(pool *p, const inlay_study *study, int threads);

/** No more points come: wait for the threads, and free all. */
void pool_end(pool *p);

/** What the pool is doing. */
typedef enum pool_state {
    POOL_BUSY,
    POOL_HUNGRY, /**< nobody has taken the last point long ago: it wants some */
    POOL_DONE,   /**< closed, and all are worked out */
    POOL_FAILED
} pool_state;

pool_state pool_look(pool *p);

/** Give points to a hungry pool; none: it is closed. */
void pool_fill(pool *p, const int64_t *point, size_t count);

/** Take the rows that were found, which are the caller's to free; NULL: there are none. */
char *pool_take(pool *p, size_t *size);

/** Wait for so many seconds, or until the pool may want something. */
void pool_wait(pool *p, double seconds);

#endif

/* The other ranks: work out what they are given. */
#include "ranks.h"
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>

typedef struct follower {
    const ranks *r;
    pool pool;
    char *sent; /* rows on their way; NULL: none */
    MPI_Request sending;
    bool asked;
    double heard, told;
} follower;

/* Rows, if there are any, with what they mean. */
static void tell(follower *f, int tag)
{
    size_t size;
    f->sent = pool_take(&f->pool, &size);
    MPI_Isend(f->sent, (int)size, MPI_CHAR, 0, tag, MPI_COMM_WORLD, &f->sending);
    f->told = MPI_Wtime();
    f->asked = f->asked || tag == TAG_ASK;
}

/* Whether what was told before has gone. */
static bool is_told(follower *f)
{
    int gone = 0;
    MPI_Test(&f->sending, &gone, MPI_STATUS_IGNORE);
    if (gone) {
        free(f->sent);
        f->sent = NULL;
    }
    return gone != 0;
}

/* Returns whether there was anything. */
static bool listen_once(follower *f)
{
    int there = 0, count = 0;
    int64_t point[INLAY_STUDY_BATCH];
    MPI_Status status;
    MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (!there) {
        return false;
    }
    MPI_Get_count(&status, MPI_INT64_T, &count);
    MPI_Recv(point, count, MPI_INT64_T, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    f->heard = MPI_Wtime();
    if (status.MPI_TAG == TAG_POINTS) {
        pool_fill(&f->pool, point, (size_t)count);
        f->asked = false;
    }
    return true;
}

static void fail(follower *f)
{
    static const char why[] = "out of memory";
    ranks_settle(&f->sending);
    MPI_Send(why, sizeof why - 1, MPI_CHAR, 0, TAG_FAILED, MPI_COMM_WORLD);
    ranks_abort(EXIT_SYSTEM);
}

/* What the pool wants; returns whether all is done and told. */
static bool serve(follower *f, bool *idle)
{
    pool_state state = pool_look(&f->pool);
    double since = MPI_Wtime() - f->told;
    if (state == POOL_FAILED) {
        fail(f);
    }
    if (!is_told(f)) {
        return false;
    }
    if (state == POOL_DONE) {
        tell(f, TAG_DONE);
        ranks_settle(&f->sending);
        free(f->sent);
        return true;
    }
    bool asks = state == POOL_HUNGRY && !f->asked;
    if (asks || since > between) {
        pthread_mutex_lock(&f->pool.lock);
        bool has_rows = f->pool.size > 0;
        pthread_mutex_unlock(&f->pool.lock);
        if (asks || has_rows || since > often) {
            tell(f, asks ? TAG_ASK : TAG_ROWS);
            *idle = false;
        }
    }
    return false;
}

static void follow(follower *f)
{
    const double least = 50e-6, most = 1e-3;
    double pause = least;
    for (;;) {
        bool idle = !listen_once(f);
        if (serve(f, &idle)) {
            break;
        }
        double silence = MPI_Wtime() - f->heard;
        if (silence > f->r->patience) {
            ranks_lost(0, silence);
        }
        pause = !idle ? least : pause < most ? 2 * pause : most;
        if (idle) {
            pool_wait(&f->pool, pause);
        }
    }
}

int ranks_follow(const ranks *r)
{
    follower f = {.r = r, .sending = MPI_REQUEST_NULL};
    MPI_Request all;
    int end = EXIT_DONE;
    MPI_Ibcast(&end, 1, MPI_INT, 0, MPI_COMM_WORLD, &all);
    ranks_settle(&all);
    if (end != EXIT_DONE) {
        return end;
    }
    if (!pool_begin(&f.pool, r->study, r->threads)) {
        fail(&f);
    }
    f.heard = f.told = MPI_Wtime();
    follow(&f);
    pool_end(&f.pool);
    return end;
}

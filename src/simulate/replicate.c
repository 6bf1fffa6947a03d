/* Replications on several threads. */
#include "simulate/replicate.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <pthread.h>

/* What the threads share, under the lock. */
typedef struct crew {
    const replication_job *job;
    int64_t replications, next, merged;
    int status;
    pthread_mutex_t lock;
    pthread_cond_t turn; /* `merged` has changed */
} crew;

typedef struct member {
    crew *crew;
    void *own;
} member;

/* The next replication to be done, or -1. */
static int64_t take(crew *c)
{
    pthread_mutex_lock(&c->lock);
    int64_t taken = c->status == INLAY_OK && c->next < c->replications ? c->next++ : -1;
    pthread_mutex_unlock(&c->lock);
    return taken;
}

/* Waits for its turn: sums of floating point depend on their order. */
static void give(crew *c, const void *own, int64_t replication, int status)
{
    pthread_mutex_lock(&c->lock);
    while (c->merged < replication) {
        pthread_cond_wait(&c->turn, &c->lock);
    }
    if (c->status == INLAY_OK && status == INLAY_OK) {
        c->job->merge(c->job->whole, own, replication);
    } else if (c->status == INLAY_OK) {
        c->status = status;
        c->job->refuse(c->job->whole, own);
    }
    c->merged++;
    pthread_cond_broadcast(&c->turn);
    pthread_mutex_unlock(&c->lock);
}

static void *work(void *context)
{
    const member *m = context;
    for (int64_t r; (r = take(m->crew)) >= 0;) {
        int status = m->crew->job->run(m->own, r);
        give(m->crew, m->own, r, status);
    }
    return NULL;
}

enum { MOST_THREADS = 256 };

int replicate(const replication_job *job, void *const *own, int threads, int64_t replications)
{
    crew c = {.job = job, .replications = replications, .status = INLAY_OK};
    pthread_t helper[MOST_THREADS];
    member members[MOST_THREADS];
    int started = 1; /* this thread works too */
    pthread_mutex_init(&c.lock, NULL);
    pthread_cond_init(&c.turn, NULL);
    members[0] = (member){&c, own[0]};
    for (; started < threads && started < MOST_THREADS; started++) {
        members[started] = (member){&c, own[started]};
        if (pthread_create(&helper[started], NULL, work, &members[started]) != 0) {
            break;
        }
    }
    work(&members[0]);
    for (int t = 1; t < started; t++) {
        pthread_join(helper[t], NULL);
    }
    pthread_cond_destroy(&c.turn);
    pthread_mutex_destroy(&c.lock);
    return c.status;
}

inlay_interval interval_of(const double *number, int64_t count)
{
    size_t n = (size_t)count;
    inlay_interval result = {gsl_stats_mean(number, 1, n), NAN};
    if (n > 1) {
        double deviation = gsl_stats_sd_m(number, 1, n, result.mean);
        result.half_width = gsl_cdf_tdist_Pinv(0.975, (double)(n - 1)) * deviation / sqrt((double)n);
    }
    return result;
}

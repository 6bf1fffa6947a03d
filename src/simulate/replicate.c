/* Replications on several threads. */
#include "simulate/replicate.h"
#include "base/memory.h"
#include "base/workers.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the threads share: the jobs begin in their order, so that there is always one whose turn it is. */
typedef struct crew {
    const replication_job *job;
    void *const *own; /* of each thread */
    int64_t merged;
    int status;
    pthread_mutex_t lock;
    pthread_cond_t turn; /* `merged` has changed */
} crew;

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

static bool goes_on(crew *c)
{
    pthread_mutex_lock(&c->lock);
    bool fine = c->status == INLAY_OK;
    pthread_mutex_unlock(&c->lock);
    return fine;
}

static void work(void *context, int worker, size_t replication)
{
    crew *c = context;
    int status = goes_on(c) ? c->job->run(c->own[worker], (int64_t)replication) : INLAY_OK;
    give(c, c->own[worker], (int64_t)replication, status);
}

int replicate(const replication_job *job, void *const *own, int threads, int64_t replications)
{
    crew c = {.job = job, .own = own, .status = INLAY_OK};
    pthread_mutex_init(&c.lock, NULL);
    pthread_cond_init(&c.turn, NULL);
    workers_share(threads, (size_t)replications, work, &c);
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

int run_times_of(const double *makespan, int64_t count, run_times *result)
{
    size_t n = (size_t)count;
    double *sorted = memory_array(n, sizeof *sorted);
    if (sorted == NULL) {
        return INLAY_NO_MEMORY;
    }
    memcpy(sorted, makespan, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    *result = (run_times){.mean = interval_of(makespan, count),
                          .p05 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.05),
                          .p50 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.5),
                          .p95 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.95),
                          .least = sorted[0],
                          .most = sorted[n - 1]};
    free(sorted);
    return INLAY_OK;
}

/* Jobs shared out to threads. */
#include "base/workers.h"
#include <unistd.h>

int workers_of(long asked, int most)
{
    long count = asked > 0 ? asked : sysconf(_SC_NPROCESSORS_ONLN);
    most = most < WORKERS_MOST ? most : WORKERS_MOST;
    return count < 1 ? 1 : count > most ? most : (int)count;
}

static void work(workers *w, int worker)
{
    for (size_t k; (k = atomic_fetch_add(&w->next, 1)) < w->jobs;) {
        w->job(w->context, worker, k);
    }
}

static void *help(void *context)
{
    const struct helper *h = context;
    work(h->of, h->worker);
    return NULL;
}

void workers_begin(workers *w, int count, size_t jobs, worker_job *one, void *context)
{
    w->job = one;
    w->context = context;
    w->jobs = jobs;
    w->helping = 0;
    atomic_init(&w->next, 0);
    for (int k = 1; k < count && k < WORKERS_MOST && (size_t)k < jobs; k++) {
        w->helper[k] = (struct helper){w, k};
        if (pthread_create(&w->thread[k], NULL, help, &w->helper[k]) != 0) {
            break;
        }
        w->helping = k;
    }
}

void workers_finish(workers *w)
{
    work(w, 0);
    for (int k = 1; k <= w->helping; k++) {
        pthread_join(w->thread[k], NULL);
    }
    w->helping = 0;
    w->jobs = 0;
}

void workers_share(int count, size_t jobs, worker_job *one, void *context)
{
    workers w;
    workers_begin(&w, count, jobs, one, context);
    workers_finish(&w);
}

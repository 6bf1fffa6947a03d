/* Kernels: the same work as in synthetic programs. */
#include "kernels.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TRIAL 5e-3 /* seconds of processor time that a repeat takes at least */

/* What the compiler cannot know, so that it can neither do the work beforehand nor leave it out. */
static const volatile double first = 1.25, term = 1.0, factor = 0.5, stretch = 3.0;

/* ---- Computing ---- */

/* Processor time of this rank in seconds: others on the same processor are not in it. */
static double processor_time(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Two operations an iteration, each on the result before. */
static double iterate(double x, int64_t iterations)
{
    const double b = term, a = factor;
    for (int64_t i = 0; i < iterations; i++) {
        x = (x + b) * a;
    }
    return x;
}

/* The argument changes from one evaluation to the next, without end: 3 sin x has no stable point. */
static double evaluate(double x, int64_t evaluations)
{
    const double a = stretch;
    for (int64_t i = 0; i < evaluations; i++) {
        x = a * sin(x);
    }
    return x;
}

/* Seconds of `count` iterations. */
static double time_of(double (*kernel)(double, int64_t), int64_t count)
{
    double begun = processor_time();
    volatile double result = kernel(first, count);
    (void)result;
    return processor_time() - begun;
}

/* Iterations that take long enough for the clock. */
static int64_t enough(double (*kernel)(double, int64_t))
{
    int64_t count = 1 << 10;
    while (time_of(kernel, count) < TRIAL) {
        count *= 2;
    }
    return count;
}

/* `operations` of an iteration are counted. */
static void compute(const cluster *all, double (*kernel)(double, int64_t), double operations, double *seconds)
{
    int64_t count = enough(kernel);
    for (int i = 0; i < all->repeats; i++) {
        seconds[i] = time_of(kernel, count) / ((double)count * operations);
    }
}

void kernels_together(const cluster *all, double *own)
{
    volatile double result = iterate(first, TOGETHER_OPERATIONS / 20); /* so that the processor is awake */
    for (int i = 0; i < all->repeats; i++) {
        cluster_rest(); /* who is done early leaves the processor to others */
        MPI_Barrier(MPI_COMM_WORLD);
        double begun = MPI_Wtime();
        result = iterate(first, TOGETHER_OPERATIONS / 2);
        own[i] = MPI_Wtime() - begun;
    }
    (void)result;
    cluster_rest();
}

static void compute_both(const cluster *all, double *arithmetic, double *function)
{
    compute(all, iterate, 2, arithmetic);
    compute(all, evaluate, 1, function);
}

/* ---- Memory ---- */

/* Bytes of the largest cache that the system tells of. */
static size_t last_cache(void)
{
    long cache = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
    const int levels[] = {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL4_CACHE_SIZE};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        long size = sysconf(levels[i]);
        cache = size > cache ? size : cache;
    }
#endif
    return (size_t)cache;
}

typedef struct arrays {
    char *from, *to;
    size_t size; /* bytes of each */
} arrays;

/*
 * Both arrays together are four times the last cache, and from 64 to 512 MiB; but those of a host take no more than a
 * quarter of its memory.
 */
static int arrays_make(const cluster *all, arrays *made)
{
    int host = all->host_of[all->rank];
    const size_t least = (size_t)32 << 20, most = (size_t)256 << 20;
    size_t size = 2 * last_cache();
    double share = all->memory[host] / (4.0 * 2.0 * all->count[host]);
    size = size < least ? least : size > most ? most : size;
    size = share > 0 && share < (double)size ? (size_t)share : size;
    *made = (arrays){malloc(size), malloc(size), size};
    if (made->from == NULL || made->to == NULL) {
        return INLAY_NO_MEMORY;
    }
    memset(made->from, 1, size); /* the system finds the pages now */
    memset(made->to, 2, size);
    return INLAY_OK;
}

static void arrays_clear(arrays *a)
{
    free(a->from);
    free(a->to);
}

/* Bytes a second, read and written, of each repeat; the elapsed time counts, since cores that wait for memory wait. */
static void copy(const cluster *all, const arrays *a, double *rate)
{
    for (int i = 0; i < all->repeats; i++) {
        double begun = MPI_Wtime();
        memcpy(a->to, a->from, a->size);
        a->from[(size_t)i % a->size] = a->to[a->size / 2]; /* so that no copy is left out */
        rate[i] = 2 * (double)a->size / (MPI_Wtime() - begun);
    }
}

/* ---- All of it ---- */

int kernels_measure(const cluster *all, double *own)
{
    double *values[KERNELS];
    arrays memory = {0};
    bool is_first = all->first[all->host_of[all->rank]] == all->rank;
    for (int k = 0; k < KERNELS; k++) {
        values[k] = own + (ptrdiff_t)k * all->repeats;
    }
    for (int r = 0; r < all->ranks; r++) {
        if (r == all->rank) {
            compute_both(all, values[ARITHMETIC_ALONE], values[FUNCTION_ALONE]);
        }
        cluster_rest();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    compute_both(all, values[ARITHMETIC_ALL], values[FUNCTION_ALL]);
    int status = cluster_agree(arrays_make(all, &memory));
    if (status == INLAY_OK) {
        cluster_rest();
        if (is_first) {
            copy(all, &memory, values[MEMORY_ALONE]);
        }
        cluster_rest();
        MPI_Barrier(MPI_COMM_WORLD);
        copy(all, &memory, values[MEMORY_ALL]);
    }
    arrays_clear(&memory);
    return status;
}

/*
 * A library to be loaded before others: from the allocation REFUSE_FROM of the program on, counted from 0 at main(),
 * there is no memory. REFUSE_COUNT names a file that tells how many allocations there were.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int main_function(int count, char **arguments, char **environment);
typedef int start_function(main_function *program, int count, char **arguments, void (*first)(void), void (*last)(void),
                           void (*leave)(void), void *stack);
int __libc_start_main(main_function *program, int count, char **arguments, void (*first)(void), void (*last)(void),
                      void (*leave)(void), void *stack);

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);
static main_function *real_main;
static volatile bool running;
static long count, from = -1;

/* dlsym() itself allocates before malloc() is found. */
static char early[1 << 16] __attribute__((aligned(16)));
static size_t early_used;

static void *early_room(size_t size)
{
    void *room = early + early_used;
    early_used += (size + 15) & ~(size_t)15;
    if (early_used > sizeof early) {
        abort();
    }
    return room;
}

static bool refused(void)
{
    if (!running) {
        return false;
    }
    long number = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    errno = ENOMEM;
    return from >= 0 && number >= from;
}

/* False while the real functions are being found, which may allocate itself. */
static bool found_real(void)
{
    static bool finding;
    if (real_malloc == NULL && !finding) {
        finding = true;
        *(void **)&real_calloc = dlsym(RTLD_NEXT, "calloc");
        *(void **)&real_realloc = dlsym(RTLD_NEXT, "realloc");
        *(void **)&real_free = dlsym(RTLD_NEXT, "free");
        *(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
    }
    return real_malloc != NULL;
}

void *malloc(size_t size)
{
    return !found_real() ? early_room(size) : refused() ? NULL : real_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return !found_real() ? early_room(number * size) : refused() ? NULL : real_calloc(number, size);
}

void *realloc(void *data, size_t size)
{
    if ((char *)data >= early && (char *)data < early + sizeof early) {
        void *moved = malloc(size);
        return moved == NULL ? NULL : memcpy(moved, data, size);
    }
    return !found_real() ? early_room(size) : refused() ? NULL : real_realloc(data, size);
}

void free(void *data)
{
    if (((char *)data < early || (char *)data >= early + sizeof early) && found_real()) {
        real_free(data);
    }
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("REFUSE_COUNT");
    running = false;
    FILE *to = path == NULL ? NULL : fopen(path, "w");
    if (to != NULL) {
        fprintf(to, "%ld\n", count);
        fclose(to);
    }
}

static int run_main(int arguments, char **argument, char **environment)
{
    const char *wanted = getenv("REFUSE_FROM");
    from = wanted == NULL ? -1 : atol(wanted);
    running = true;
    return real_main(arguments, argument, environment);
}

int __libc_start_main(main_function *program, int arguments, char **argument, void (*first)(void), void (*last)(void),
                      void (*leave)(void), void *stack)
{
    start_function *real_start;
    *(void **)&real_start = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = program;
    return real_start(run_main, arguments, argument, first, last, leave, stack);
}

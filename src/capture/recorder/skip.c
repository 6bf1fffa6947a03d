/*
 * Preloaded into an OpenMP program whose tasks are to be created but not run: their bodies are replaced by one that does
 * nothing. It stands before the run-time library, which clang's programs ask for a task's memory and give its body to, and
 * gcc's give body and data to.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static int32_t no_body(int32_t thread, void *task)
{
    (void)thread, (void)task;
    return 0;
}

static void no_function(void *data)
{
    (void)data;
}

typedef int32_t body(int32_t thread, void *task);
typedef void *allocate(void *place, int32_t thread, int32_t flags, size_t size, size_t shared, body *entry);
typedef void start(void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align,
                   bool condition, unsigned flags, void **depend, int priority, void *detach);

// NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): LLVM's
__attribute__((visibility("default"))) allocate __kmpc_omp_task_alloc;
__attribute__((visibility("default"))) start GOMP_task;

static allocate *next_allocate;
static start *next_start;

__attribute__((constructor)) static void find_next(void)
{
    *(void **)&next_allocate = dlsym(RTLD_NEXT, "__kmpc_omp_task_alloc");
    *(void **)&next_start = dlsym(RTLD_NEXT, "GOMP_task");
}

// NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): as above
void *__kmpc_omp_task_alloc(void *place, int32_t thread, int32_t flags, size_t size, size_t shared, body *entry)
{
    (void)entry;
    return next_allocate(place, thread, flags, size, shared, no_body);
}

/* The call is the last thing done: the run-time library takes where it returns to for the place that created the task. */
void GOMP_task(void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align,
               bool condition, unsigned flags, void **depend, int priority, void *detach)
{
    (void)function;
    next_start(no_function, data, copy, size, align, condition, flags, depend, priority, detach);
}

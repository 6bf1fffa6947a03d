/*
 * Coroutines by ucontext. Stacks stand in rows, each behind a page that nobody may touch, so that a function that needs
 * more than it has ends the process rather than spoiling its neighbour. A coroutine's own data are at the top of its
 * stack. Stacks of those that have ended are used again, the last one first: it is in the cache.
 */
#define _DEFAULT_SOURCE // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): for MAP_ANONYMOUS

#include "simulate/coroutine.h"
#include "base/memory.h"
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

enum { ROW = 256 /* stacks that are mapped together */ };

struct coroutine {
    ucontext_t at;
    coroutine_pool *pool;
    coroutine_body *body;
    void *context;
    coroutine *next; /* of one that is not used */
    bool ended;
    void *shadow; /* what the address sanitizer keeps of it while it is away */
};

struct coroutine_pool {
    ucontext_t caller;
    size_t stack, guard; /* bytes */
    unsigned char **row;
    size_t rows, rows_room;
    size_t used; /* stacks of the last row that were given out */
    coroutine *free;
    const void *caller_stack; /* for the address sanitizer: where resume was called */
    size_t caller_size;
};

/* ---- Stacks ---- */

coroutine_pool *coroutine_pool_new(size_t stack)
{
    coroutine_pool *pool = memory_zeroed(1, sizeof *pool);
    long page = sysconf(_SC_PAGESIZE);
    if (pool == NULL || page <= 0 || stack > SIZE_MAX / ROW - 2 * (size_t)page) {
        free(pool);
        return NULL;
    }
    pool->guard = (size_t)page;
    pool->stack = (stack + pool->guard - 1) / pool->guard * pool->guard;
    pool->used = ROW;
    return pool;
}

void coroutine_pool_free(coroutine_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    for (size_t r = 0; r < pool->rows; r++) {
#ifdef __SANITIZE_ADDRESS__
        __asan_unpoison_memory_region(pool->row[r],
                                      ROW * (pool->guard + pool->stack)); /* who maps it next is told nothing */
#endif
        (void)munmap(pool->row[r], ROW * (pool->guard + pool->stack));
    }
    free(pool->row);
    free(pool);
}

static bool add_row(coroutine_pool *pool)
{
    if (!memory_grow((void **)&pool->row, &pool->rows_room, pool->rows + 1, sizeof *pool->row)) {
        return false;
    }
    void *row =
        mmap(NULL, ROW * (pool->guard + pool->stack), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (row == MAP_FAILED) {
        return false;
    }
    pool->row[pool->rows++] = row;
    pool->used = 0;
    return true;
}

/* The lowest byte of a coroutine's stack: its data are at the top. */
static unsigned char *stack_of(const coroutine *c)
{
    return (unsigned char *)(c + 1) - c->pool->stack;
}

/* With a stack that nobody has used; NULL where there is none. */
static coroutine *new_stack(coroutine_pool *pool)
{
    if (pool->used == ROW && !add_row(pool)) {
        return NULL;
    }
    unsigned char *stack = pool->row[pool->rows - 1] + pool->used * (pool->guard + pool->stack) + pool->guard;
    if (mprotect(stack, pool->stack, PROT_READ | PROT_WRITE) != 0) {
        return NULL;
    }
    pool->used++;
    coroutine *c = (coroutine *)(void *)(stack + pool->stack) - 1;
    c->pool = pool;
    return c;
}

/* ---- Switching, as the address sanitizer has to be told ---- */

/* The sanitizer has a swapcontext() of its own, which complains; it leaves the two halves alone. */
static void switch_to(ucontext_t *from, const ucontext_t *to)
{
#ifdef __SANITIZE_ADDRESS__
    volatile bool left = false;
    (void)getcontext(from);
    if (!left) {
        left = true;
        (void)setcontext(to);
    }
#else
    (void)swapcontext(from, to);
#endif
}

static inline void enter(coroutine *c)
{
#ifdef __SANITIZE_ADDRESS__
    void *shadow;
    __sanitizer_start_switch_fiber(&shadow, stack_of(c), (size_t)((unsigned char *)c - stack_of(c)));
    switch_to(&c->pool->caller, &c->at);
    __sanitizer_finish_switch_fiber(shadow, NULL, NULL);
#else
    switch_to(&c->pool->caller, &c->at);
#endif
}

/* A coroutine goes on, the first time or another. */
static inline void arrive(coroutine *c, void *shadow)
{
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(shadow, &c->pool->caller_stack, &c->pool->caller_size);
#else
    (void)c;
    (void)shadow;
#endif
}

void coroutine_leave(coroutine *c)
{
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(c->ended ? NULL : &c->shadow, c->pool->caller_stack, c->pool->caller_size);
#endif
    switch_to(&c->at, &c->pool->caller);
    arrive(c, c->shadow);
}

/* makecontext() passes int, so the pointer comes in two halves. */
static void begin(unsigned high, unsigned low)
{
    coroutine *c = (coroutine *)(((uintptr_t)high << 16 << 16) | low); // NOLINT(performance-no-int-to-ptr)
    arrive(c, NULL);
    c->body(c->context);
    c->ended = true;
    coroutine_leave(c);
}

/* When it is first switched to, it begins. */
static void set_beginning(coroutine *c)
{
    uintptr_t self = (uintptr_t)c;
    (void)getcontext(&c->at);
    c->at.uc_stack.ss_sp = stack_of(c);
    c->at.uc_stack.ss_size = (size_t)((unsigned char *)c - stack_of(c));
    c->at.uc_link = NULL;
    makecontext(&c->at, (void (*)(void))begin, 2, (unsigned)(self >> 16 >> 16), (unsigned)self);
}

/* With a stack that nobody uses any more, or a new one; NULL where there is none. */
static coroutine *take_stack(coroutine_pool *pool)
{
    coroutine *c = pool->free;
    if (c == NULL) {
        return new_stack(pool);
    }
    pool->free = c->next;
    return c;
}

coroutine *coroutine_new(coroutine_pool *pool, coroutine_body *body, void *context)
{
    coroutine *c = take_stack(pool);
    if (c == NULL) {
        return NULL;
    }
    *c = (coroutine){.pool = pool, .body = body, .context = context};
#ifdef __SANITIZE_ADDRESS__
    __asan_unpoison_memory_region(stack_of(c), pool->stack); /* who had it last left it for good */
#endif
    set_beginning(c);
    return c;
}

bool coroutine_resume(coroutine *c)
{
    enter(c);
    if (!c->ended) {
        return true;
    }
    c->next = c->pool->free;
    c->pool->free = c;
    return false;
}

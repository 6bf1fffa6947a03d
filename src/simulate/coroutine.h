/*
 * Coroutines: functions that leave in the middle and go on later, each on a stack of its own. All of a pool are resumed
 * from one place, by one thread at a time.
 */
#ifndef SIMULATE_COROUTINE_H
#define SIMULATE_COROUTINE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct coroutine coroutine;
typedef struct coroutine_pool coroutine_pool;

typedef void coroutine_body(void *context);

/** @param stack  bytes for each, rounded up to whole pages. NULL when out of memory. */
coroutine_pool *coroutine_pool_new(size_t stack);

/** Those that have not ended never go on. */
void coroutine_pool_free(coroutine_pool *pool);

/** One that will call body(context) when it is first resumed; NULL where there is no room for its stack. */
coroutine *coroutine_new(coroutine_pool *pool, coroutine_body *body, void *context);

/** Runs it until it leaves (true) or its function returns (false): then it is no more, and others use its stack. */
bool coroutine_resume(coroutine *c);

/** Called within it: back to who resumed it. */
void coroutine_leave(coroutine *c);

#endif

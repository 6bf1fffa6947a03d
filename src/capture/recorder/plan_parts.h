/*
 * The parts of what makes a program's tasks follow a plan.
 *
 *   plan.c       the tasks that are kept, who runs them, and what stands before gcc's library
 *   plan_kmpc.c  what stands before clang's
 */
#ifndef CAPTURE_RECORDER_PLAN_PARTS_H
#define CAPTURE_RECORDER_PLAN_PARTS_H

#include "capture/plan_log.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct task task;

/* Whether there is a plan, and whether this thread is in a task. */
bool plan_there(void);
bool plan_inside(void);

/* A task begins or ends on this thread. */
void plan_enter(void);
void plan_leave(void);

/* Whether a task that this thread creates outside of tasks is kept here; such as runs at once (not `deferred`) is not. */
bool plan_takes(bool deferred, bool detached);

/* Keep a task that was taken. `depends` is called once, for plan_depend() with all that `list` says. `memory` is freed at its end. */
void plan_keep(void (*function)(void *), void *memory, void *data, void (*depends)(task *t, const void *list),
               const void *list);
void plan_depend(task *t, const void *what, bool writes);

/* What this thread created has ended, where it goes on by itself; the plan is given up there, or not. */
void plan_settle(bool gives_up, enum plan_end why);

/* As the library's own scheduler does it, idle threads take others' tasks. */
void plan_steals(void);

void *plan_memory(size_t size);

#endif

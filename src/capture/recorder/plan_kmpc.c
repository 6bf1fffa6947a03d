/*
 * Programs that clang compiled call its library otherwise: they ask for the memory of a task, fill it, and hand it over with what it
 * depends on. Memory is ours for tied tasks while there is a plan, with what the library would need to know kept in front of it; a task that is not kept
 * here moves into memory of the library's. Tasks that the library may take up again (untied), or that end when an event says,
 * are the library's from the first.
 */
#include "capture/recorder/plan_parts.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TIED = 1, DESTRUCTORS = 8, DETACHABLE = 0x40, READS = 1 };

typedef int32_t routine(int32_t thread, void *task);

/* As clang lays out the front of every task; its own variables stand behind. */
typedef struct kmp_task {
    void *shareds;
    routine *entry;
    int32_t part;
    union {
        int32_t priority; // cppcheck-suppress unusedStructMember
        routine *destructors;
    } data1, data2;
} kmp_task;

typedef struct kmp_depend {
    const void *address;
    size_t length; // cppcheck-suppress unusedStructMember
    uint8_t flags;
} kmp_depend;

/* In front of a task whose memory is ours. */
typedef struct __attribute__((aligned(16))) front {
    uint64_t mark;
    int32_t flags;
    size_t size, shareds;
    void *place; /* in the source, as the library takes it */
} front;

static const uint64_t mark = UINT64_C(0x696e6c61792d6b6d);

typedef kmp_task *allocate(void *place, int32_t thread, int32_t flags, size_t size, size_t shareds, routine *entry);
typedef int32_t start(void *place, int32_t thread, kmp_task *task);
typedef int32_t start_behind(void *place, int32_t thread, kmp_task *task, int32_t count, kmp_depend *list, int32_t more,
                             kmp_depend *other);
typedef void at_once(void *place, int32_t thread, kmp_task *task);
typedef void wait_behind(void *place, int32_t thread, int32_t count, kmp_depend *list, int32_t more, kmp_depend *other);
typedef void group(void *place, int32_t thread);
typedef void loop(void *place, int32_t thread, kmp_task *task, int32_t condition, uint64_t *from, uint64_t *to,
                  int64_t step, int32_t nogroup, int32_t schedule, uint64_t grain, void *copy);
typedef void loop_5(void *place, int32_t thread, kmp_task *task, int32_t condition, uint64_t *from, uint64_t *to,
                    int64_t step, int32_t nogroup, int32_t schedule, uint64_t grain, int32_t modifier, void *copy);
typedef int32_t number(void *place);

#define OURS __attribute__((visibility("default")))
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the library's own names
OURS allocate __kmpc_omp_task_alloc;
OURS start __kmpc_omp_task;
OURS start_behind __kmpc_omp_task_with_deps;
OURS at_once __kmpc_omp_task_begin_if0, __kmpc_omp_task_complete_if0;
OURS wait_behind __kmpc_omp_wait_deps;
OURS group __kmpc_taskgroup;
OURS loop __kmpc_taskloop;
OURS loop_5 __kmpc_taskloop_5;
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

static allocate *next_allocate;
static start *next_start;
static start_behind *next_start_behind;
static at_once *next_begin, *next_complete;
static wait_behind *next_wait;
static group *next_group;
static loop *next_loop;
static loop_5 *next_loop_5;
static number *thread_number;

__attribute__((constructor)) static void find_next(void)
{
    *(void **)&next_allocate = dlsym(RTLD_NEXT, "__kmpc_omp_task_alloc");
    *(void **)&next_start = dlsym(RTLD_NEXT, "__kmpc_omp_task");
    *(void **)&next_start_behind = dlsym(RTLD_NEXT, "__kmpc_omp_task_with_deps");
    *(void **)&next_begin = dlsym(RTLD_NEXT, "__kmpc_omp_task_begin_if0");
    *(void **)&next_complete = dlsym(RTLD_NEXT, "__kmpc_omp_task_complete_if0");
    *(void **)&next_wait = dlsym(RTLD_NEXT, "__kmpc_omp_wait_deps");
    *(void **)&next_group = dlsym(RTLD_NEXT, "__kmpc_taskgroup");
    *(void **)&next_loop = dlsym(RTLD_NEXT, "__kmpc_taskloop");
    *(void **)&next_loop_5 = dlsym(RTLD_NEXT, "__kmpc_taskloop_5");
    *(void **)&thread_number = dlsym(RTLD_NEXT, "__kmpc_global_thread_num");
}

/* ---- Memory ---- */

static front *front_of(kmp_task *own)
{
    return (front *)(void *)((char *)own - sizeof(front));
}

static bool is_ours(kmp_task *own)
{
    return plan_there() && front_of(own)->mark == mark;
}

kmp_task *__kmpc_omp_task_alloc(void *place, int32_t thread, int32_t flags, size_t size, size_t shareds, routine *entry)
{
    if (!plan_there() || (flags & TIED) == 0 || (flags & DETACHABLE) != 0) {
        if (!plan_inside()) {
            plan_settle(plan_there(), PLAN_DETACHED);
        }
        return next_allocate(place, thread, flags, size, shareds, entry);
    }
    size_t room = (size + 15) / 16 * 16;
    char *memory = plan_memory(sizeof(front) + room + shareds);
    *(front *)(void *)memory = (front){mark, flags, size, shareds, place};
    kmp_task *own = (kmp_task *)(void *)(memory + sizeof(front));
    own->shareds = shareds > 0 ? memory + sizeof(front) + room : NULL;
    own->entry = entry;
    return own;
}

/* Objects of C++ that a task had for itself end with it. */
static void run(int32_t thread, kmp_task *own)
{
    own->entry(thread, own);
    if ((front_of(own)->flags & DESTRUCTORS) != 0) {
        own->data1.destructors(thread, own);
    }
}

static void run_kept(void *data)
{
    run(thread_number(front_of(data)->place), data);
}

/* A task of the library's that stands for one whose memory is ours: it counts as such while it runs. */
static int32_t run_other(int32_t thread, void *data)
{
    kmp_task *own = *(kmp_task **)((kmp_task *)data)->shareds;
    plan_enter();
    run(thread, own);
    plan_leave();
    free(front_of(own));
    return 0;
}

static kmp_task *stand_for(void *place, int32_t thread, kmp_task *own)
{
    kmp_task *other = next_allocate(place, thread, TIED, sizeof *other, sizeof own, run_other);
    *(kmp_task **)other->shareds = own;
    return other;
}

/* The same in the library's memory: of the task of a loop it makes copies, and its bounds stand in it. */
static kmp_task *move(void *place, int32_t thread, kmp_task *own, uint64_t **from, uint64_t **to)
{
    front *f = front_of(own);
    kmp_task *other = next_allocate(place, thread, f->flags, f->size, f->shareds, own->entry);
    *from = (uint64_t *)(void *)((char *)other + ((char *)*from - (char *)own));
    *to = (uint64_t *)(void *)((char *)other + ((char *)*to - (char *)own));
    size_t behind = offsetof(kmp_task, part);
    memcpy((char *)other + behind, (char *)own + behind, f->size - behind);
    if (f->shareds > 0) {
        memcpy(other->shareds, own->shareds, f->shareds);
    }
    free(f);
    return other;
}

/* ---- Tasks ---- */

typedef struct depends {
    int32_t count, more;
    const kmp_depend *list, *other;
} depends;

static void depend_on(task *t, const void *list)
{
    const depends *d = list;
    for (int32_t i = 0; i < d->count + d->more; i++) {
        const kmp_depend *one = i < d->count ? &d->list[i] : &d->other[i - d->count];
        plan_depend(t, one->address, one->flags != READS);
    }
}

static bool keep(kmp_task *own, const depends *d)
{
    bool kept = !plan_inside() && plan_takes(true, false);
    if (kept) {
        plan_steals();
        plan_keep(run_kept, front_of(own), own, depend_on, d);
    }
    return kept;
}

int32_t __kmpc_omp_task(void *place, int32_t thread, kmp_task *own)
{
    if (!is_ours(own)) {
        return next_start(place, thread, own);
    }
    return keep(own, NULL) ? 0 : next_start(place, thread, stand_for(place, thread, own));
}

int32_t __kmpc_omp_task_with_deps(void *place, int32_t thread, kmp_task *own, int32_t count, kmp_depend *list,
                                  int32_t more, kmp_depend *other)
{
    if (!is_ours(own)) {
        return next_start_behind(place, thread, own, count, list, more, other);
    }
    const depends d = {count, more, list, other};
    return keep(own, &d) ? 0
                         : next_start_behind(place, thread, stand_for(place, thread, own), count, list, more, other);
}

/* A task under a false condition runs between these two, where it is created. */
void __kmpc_omp_task_begin_if0(void *place, int32_t thread, kmp_task *own)
{
    if (!is_ours(own)) {
        next_begin(place, thread, own);
        return;
    }
    if (!plan_inside()) {
        (void)plan_takes(false, false);
    }
    plan_enter();
}

void __kmpc_omp_task_complete_if0(void *place, int32_t thread, kmp_task *own)
{
    if (!is_ours(own)) {
        next_complete(place, thread, own);
        return;
    }
    plan_leave();
    if ((front_of(own)->flags & DESTRUCTORS) != 0) {
        own->data1.destructors(thread, own);
    }
    free(front_of(own));
}

void __kmpc_omp_wait_deps(void *place, int32_t thread, int32_t count, kmp_depend *list, int32_t more, kmp_depend *other)
{
    plan_settle(false, PLAN_TO_THE_END);
    next_wait(place, thread, count, list, more, other);
}

/* ---- Groups and loops, where the plan is given up ---- */

void __kmpc_taskgroup(void *place, int32_t thread)
{
    plan_settle(true, PLAN_GROUP);
    next_group(place, thread);
}

void __kmpc_taskloop(void *place, int32_t thread, kmp_task *own, int32_t condition, uint64_t *from, uint64_t *to,
                     int64_t step, int32_t nogroup, int32_t schedule, uint64_t grain, void *copy)
{
    plan_settle(true, PLAN_LOOP);
    own = is_ours(own) ? move(place, thread, own, &from, &to) : own;
    next_loop(place, thread, own, plan_inside() ? 0 : condition, from, to, step, nogroup, schedule, grain, copy);
}

void __kmpc_taskloop_5(void *place, int32_t thread, kmp_task *own, int32_t condition, uint64_t *from, uint64_t *to,
                       int64_t step, int32_t nogroup, int32_t schedule, uint64_t grain, int32_t modifier, void *copy)
{
    plan_settle(true, PLAN_LOOP);
    own = is_ours(own) ? move(place, thread, own, &from, &to) : own;
    next_loop_5(place, thread, own, plan_inside() ? 0 : condition, from, to, step, nogroup, schedule, grain, modifier,
                copy);
}

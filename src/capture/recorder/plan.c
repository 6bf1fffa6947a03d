/*
 * Preloaded into an OpenMP program that gcc or clang compiled: its tasks run where and in the order that a plan says.
 *
 * A task that the program creates is kept here, with what it depends on; the run-time library gets workers in its place,
 * as many as there are threads, each of which runs tasks that are ready until none is left. A worker takes the first of
 * its own thread's, where none of these is ready the first of another's (but where that is forbidden), and waits where there is none. So a barrier or
 * taskwait of the thread that creates the tasks, which waits for the workers, waits for the tasks. From then on that this would not
 * hold, tasks go to the library as ever, those of that thread when all that it created have ended: where a second thread
 * creates tasks meanwhile, in task groups and task loops, and for tasks that end when an event says. Tasks that tasks create
 * go to the library, too.
 */
#include "base/heap.h"
#include "capture/recorder/plan_file.h"
#include "capture/recorder/plan_parts.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FLAG_DEPEND = 8, FLAG_IF = 1 << 10 /* of loops */, FLAG_DETACH = 0x2000 };

typedef void start(void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align,
                   bool condition, unsigned flags, void **depend, int priority, void *detach);
typedef void wait_for(void **depend);
typedef void nothing(void);
typedef void loop(void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align,
                  unsigned flags, unsigned long tasks, int priority, long from, long to, long step);
typedef void long_loop(void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align,
                       unsigned flags, unsigned long tasks, int priority, unsigned long long from,
                       unsigned long long to, unsigned long long step);
typedef int number(void);

static start *next_start;
static wait_for *next_wait;
static nothing *next_group;
static loop *next_loop;
static long_loop *next_long_loop;
static number *thread_number, *team_size;

/* ---- Tasks ---- */

typedef struct edge {
    struct task *to;
    struct edge *next;
} edge;

struct task {
    void (*function)(void *);
    void *memory, *data;
    edge *followers;
    int needs; /* tasks that have not ended */
    int32_t thread, position;
    int64_t number; /* in the order of creation */
    bool ended;
    struct task *older; /* of all since the last time that none was left */
};

/* Who wrote an address last, and who has read it since. */
typedef struct address {
    const void *what;
    task *writer;
    edge *readers;
    struct address *next;
} address;

enum { BUCKETS = 1 << 14, MOST_THREADS = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct ready {
    task **tasks; /* a heap */
    size_t count, capacity;
} ready[MOST_THREADS]; /* of each thread */
static int threads;    /* that have had any */
static address *addresses[BUCKETS];
static task *all;
static int64_t left, created;
static intptr_t epoch; /* begins where no task is left */
static int workers, waiting, running;
static bool strict;
static const int *creator; /* its `inside` */
static const planned_task *plan;
static int64_t planned;
static plan_report report;
static _Thread_local int inside; /* of how many tasks, but those of loops */

void *plan_memory(size_t size)
{
    void *memory = calloc(1, size);
    if (memory == NULL) {
        (void)fprintf(stderr, "inlay apply: out of memory in the program\n");
        abort();
    }
    return memory;
}

/* Those of the plan by their place in it, then those beyond it as they were created. */
static bool comes_first(const void *context, const void *a, const void *b)
{
    const task *x = *(task *const *)a, *y = *(task *const *)b;
    (void)context;
    return x->position != y->position ? x->position < y->position : x->number < y->number;
}

static heap heap_of(const struct ready *r)
{
    return (heap){r->tasks, sizeof *r->tasks, comes_first, NULL};
}

static void list_ready(task *t)
{
    struct ready *r = &ready[t->thread];
    if (r->count == r->capacity) {
        size_t capacity = 2 * r->capacity + 64;
        task **more = plan_memory(capacity * sizeof *more);
        if (r->count > 0) {
            memcpy(more, r->tasks, r->count * sizeof *more);
        }
        free(r->tasks);
        r->tasks = more;
        r->capacity = capacity;
    }
    r->tasks[r->count] = t;
    heap_put(heap_of(r), r->count++);
    threads = t->thread >= threads ? t->thread + 1 : threads;
    if (waiting > 0) {
        (void)pthread_cond_broadcast(&changed);
    }
}

/* The first of the thread's own that are ready, else where it may the first of another's; NULL: none is. */
static task *take(int thread, bool others)
{
    bool own = thread >= 0 && thread < threads && ready[thread].count > 0;
    struct ready *from = own ? &ready[thread] : NULL;
    for (int i = 0; others && !own && i < threads; i++) {
        struct ready *r = &ready[i];
        from = r->count > 0 && (from == NULL || comes_first(NULL, &r->tasks[0], &from->tasks[0])) ? r : from;
    }
    task *first = NULL;
    if (from != NULL) {
        first = from->tasks[0];
        heap_drop(heap_of(from), --from->count);
    }
    return first;
}

/* ---- Dependences ---- */

static void follow(task *before, task *t)
{
    if (before != NULL && before != t && !before->ended) {
        edge *e = plan_memory(sizeof *e);
        *e = (edge){.to = t, .next = before->followers};
        before->followers = e;
        t->needs++;
    }
}

static address *find(const void *what)
{
    address **at = &addresses[((uintptr_t)what >> 3 ^ (uintptr_t)what >> 17) % BUCKETS];
    while (*at != NULL && (*at)->what != what) {
        at = &(*at)->next;
    }
    if (*at == NULL) {
        *at = plan_memory(sizeof **at);
        (*at)->what = what;
    }
    return *at;
}

static void forget(edge **list)
{
    while (*list != NULL) {
        edge *e = *list;
        *list = e->next;
        free(e);
    }
}

void plan_depend(task *t, const void *what, bool writes)
{
    address *a = find(what);
    follow(a->writer, t);
    if (writes) {
        for (const edge *e = a->readers; e != NULL; e = e->next) {
            follow(e->to, t);
        }
        forget(&a->readers);
        a->writer = t;
    } else {
        edge *e = plan_memory(sizeof *e);
        *e = (edge){.to = t, .next = a->readers};
        a->readers = e;
    }
}

/*
 * As gcc lists them: [0] how many, [1] how many of these are written, then addresses, those first; or since OpenMP 5.0 [0] 0,
 * [1] how many, [2] written, [3] mutually exclusive, [4] read, then addresses in this order, then pointers to such as were
 * made at run time (address and kind), which count as written.
 */
static void depend_on_all(task *t, const void *list)
{
    void *const *depend = list;
    size_t count = (size_t)depend[0], writes = (size_t)depend[1], reads = count - writes, at = 2;
    if (count == 0) {
        count = (size_t)depend[1];
        writes = (size_t)depend[2] + (size_t)depend[3];
        reads = (size_t)depend[4];
        at = 5;
    }
    for (size_t i = 0; i < count; i++) {
        const void *what = i < writes + reads ? depend[at + i] : *(void **)depend[at + i];
        plan_depend(t, what, i < writes || i >= writes + reads);
    }
}

/* When no task is left nothing depends on one. */
static void forget_all(void)
{
    for (size_t i = 0; i < BUCKETS; i++) {
        while (addresses[i] != NULL) {
            address *a = addresses[i];
            addresses[i] = a->next;
            forget(&a->readers);
            free(a);
        }
    }
    while (all != NULL) {
        task *t = all;
        all = t->older;
        free(t);
    }
}

/* ---- Running ---- */

static void run(task *t, int thread)
{
    report.as_placed += t->thread == thread && t->position != INT32_MAX;
    running++;
    (void)pthread_mutex_unlock(&lock);
    inside++;
    t->function(t->data);
    inside--;
    free(t->memory);
    (void)pthread_mutex_lock(&lock);
    running--;
    t->ended = true;
    while (t->followers != NULL) {
        edge *e = t->followers;
        t->followers = e->next;
        if (--e->to->needs == 0) {
            list_ready(e->to);
        }
        free(e);
    }
    if (--left == 0) {
        (void)pthread_cond_broadcast(&changed);
    }
}

/* Wait until something has changed, or for 10 ms; false where it was these. */
static bool wait_for_change(void)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 10000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    waiting++;
    bool came = pthread_cond_timedwait(&changed, &lock, &until) == 0;
    waiting--;
    return came;
}

/* Until no task is left; the lock is held. Where all stands still, the thread that has to go on is not there: any may. */
static void run_all(int thread)
{
    bool still = false;
    while (left > 0) {
        task *t = take(thread, !strict || (still && running == 0));
        if (t != NULL) {
            run(t, thread);
            still = false;
        } else {
            still = !wait_for_change();
        }
    }
}

static void work(void *data)
{
    intptr_t own = *(intptr_t *)data;
    (void)pthread_mutex_lock(&lock);
    run_all(thread_number());
    workers -= own == epoch;
    (void)pthread_mutex_unlock(&lock);
}

/* From here on tasks go to the run-time library; the lock is held. */
static void give_up(enum plan_end why)
{
    if (report.given_up == 0) {
        report.given_up = created + 1;
        report.why = why;
    }
}

void plan_settle(bool gives_up, enum plan_end why)
{
    if (plan != NULL && inside == 0) {
        (void)pthread_mutex_lock(&lock);
        if (creator == &inside) {
            run_all(thread_number());
        }
        if (gives_up) {
            give_up(why);
        }
        (void)pthread_mutex_unlock(&lock);
    }
}

/* ---- Tasks of the run-time library's: they, too, count as such while they run ---- */

typedef struct wrapped {
    void (*function)(void *);
    void *memory, *data;
} wrapped;

static void *copy_data(void *data, void (*copy)(void *, void *), size_t size, size_t align, void **memory)
{
    *memory = plan_memory(size + align);
    void *own = (char *)*memory + (align - (uintptr_t)*memory % align) % align;
    if (copy != NULL) {
        copy(own, data);
    } else if (size > 0) {
        memcpy(own, data, size);
    }
    return own;
}

static void run_wrapped(void *data)
{
    wrapped w = *(wrapped *)data;
    inside++;
    w.function(w.data);
    inside--;
    free(w.memory);
}

/* ---- What stands before the run-time library ---- */

__attribute__((visibility("default"))) start GOMP_task;
__attribute__((visibility("default"))) wait_for GOMP_taskwait_depend;
__attribute__((visibility("default"))) nothing GOMP_taskgroup_start;
__attribute__((visibility("default"))) loop GOMP_taskloop;
__attribute__((visibility("default"))) long_loop GOMP_taskloop_ull;

void plan_keep(void (*function)(void *), void *memory, void *data, void (*depends)(task *t, const void *list),
               const void *list)
{
    task *t = plan_memory(sizeof *t);
    t->function = function;
    t->memory = memory;
    t->data = data;
    (void)pthread_mutex_lock(&lock);
    bool has_place = created < planned && plan[created].thread >= 0 && plan[created].thread < MOST_THREADS;
    t->thread = has_place ? plan[created].thread : 0;
    t->position = has_place ? plan[created].position : INT32_MAX;
    t->number = created;
    report.planned += has_place;
    report.beyond += !has_place;
    created++;
    t->older = all;
    all = t;
    if (list != NULL) {
        depends(t, list);
    }
    if (t->needs == 0) {
        list_ready(t);
    }
    bool wanted = workers < team_size();
    workers += wanted;
    intptr_t now = epoch;
    (void)pthread_mutex_unlock(&lock);
    if (wanted) {
        next_start(work, &now, NULL, sizeof now, sizeof now, true, 0, NULL, 0, NULL);
    }
}

bool plan_takes(bool deferred, bool detached)
{
    (void)pthread_mutex_lock(&lock);
    if (left == 0 && report.given_up == 0) {
        creator = &inside;
    }
    bool own = creator == &inside;
    if (!own) {
        give_up(PLAN_TWO_CREATORS);
    } else if (detached) {
        give_up(PLAN_DETACHED);
    }
    bool ours = report.given_up == 0 && deferred;
    if (ours) {
        if (left == 0) {
            forget_all();
            workers = 0; /* those that wait for a thread may be another task's children */
            epoch++;
        }
        left++; /* at once: from here on no other thread is the creator */
    } else if (own) {
        run_all(thread_number());
        created++; /* its place in the plan is not taken */
    }
    (void)pthread_mutex_unlock(&lock);
    return ours;
}

void GOMP_task(void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align,
               bool condition, unsigned flags, void **depend, int priority, void *detach)
{
    size_t most = align > 0 ? (size_t)align : 1;
    bool detached = (flags & FLAG_DETACH) != 0;
    if (plan == NULL) {
        next_start(function, data, copy, size, align, condition, flags, depend, priority, detach);
    } else if (inside == 0 && plan_takes(condition, detached)) {
        void *memory, *own = copy_data(data, copy, (size_t)size, most, &memory);
        plan_keep(function, memory, own, depend_on_all, (flags & FLAG_DEPEND) != 0 ? depend : NULL);
    } else {
        wrapped w = {.function = function};
        w.data = copy_data(data, copy, (size_t)size, most, &w.memory);
        next_start(run_wrapped, &w, NULL, sizeof w, _Alignof(wrapped), condition, flags, depend, priority, detach);
    }
}

void GOMP_taskwait_depend(void **depend)
{
    plan_settle(false, PLAN_TO_THE_END);
    next_wait(depend);
}

void GOMP_taskgroup_start(void)
{
    plan_settle(true, PLAN_GROUP);
    next_group();
}

/* Within a task the loop's tasks run at once, on this thread: elsewhere they would not be seen to be within one. */
static unsigned loop_flags(unsigned flags)
{
    plan_settle(true, PLAN_LOOP);
    return plan != NULL && inside > 0 ? flags & ~(unsigned)FLAG_IF : flags;
}

void GOMP_taskloop(void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align,
                   unsigned flags, unsigned long tasks, int priority, long from, long to, long step)
{
    next_loop(function, data, copy, size, align, loop_flags(flags), tasks, priority, from, to, step);
}

void GOMP_taskloop_ull(void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align,
                       unsigned flags, unsigned long tasks, int priority, unsigned long long from,
                       unsigned long long to, unsigned long long step)
{
    next_long_loop(function, data, copy, size, align, loop_flags(flags), tasks, priority, from, to, step);
}

/* ---- For clang's ---- */

bool plan_there(void)
{
    return plan != NULL;
}

bool plan_inside(void)
{
    return inside > 0;
}

void plan_steals(void)
{
    report.steals = true;
}

void plan_enter(void)
{
    inside++;
}

void plan_leave(void)
{
    inside--;
}

/* ---- Beginning and end ---- */

__attribute__((constructor)) static void begin(void)
{
    *(void **)&next_start = dlsym(RTLD_NEXT, "GOMP_task");
    *(void **)&next_wait = dlsym(RTLD_NEXT, "GOMP_taskwait_depend");
    *(void **)&next_group = dlsym(RTLD_NEXT, "GOMP_taskgroup_start");
    *(void **)&next_loop = dlsym(RTLD_NEXT, "GOMP_taskloop");
    *(void **)&next_long_loop = dlsym(RTLD_NEXT, "GOMP_taskloop_ull");
    *(void **)&thread_number = dlsym(RTLD_DEFAULT, "omp_get_thread_num");
    *(void **)&team_size = dlsym(RTLD_DEFAULT, "omp_get_num_threads");
    strict = getenv(PLAN_STRICT) != NULL;
    if (next_start != NULL && next_wait != NULL && next_group != NULL && next_loop != NULL && next_long_loop != NULL &&
        thread_number != NULL && team_size != NULL) {
        plan = plan_read(&planned);
    }
}

__attribute__((destructor)) static void end(void)
{
    plan_tell(&report, created);
}

/*
 * Preloaded into an OpenMP program that gcc compiled: its tasks run where and in the order that a plan says.
 *
 * A task that the program creates is kept here, with what it depends on; the run-time library gets workers in its place,
 * as many as there are threads, each of which runs tasks that are ready until none is left. A worker takes the first of
 * its own thread's, where none of these is ready the first of another's, and waits where no task is ready at all. So a barrier or
 * taskwait of the thread that creates the tasks, which waits for the workers, waits for the tasks. Where that would not hold, all
 * that were created are run, and those that follow go to the library as ever: where a second thread creates tasks meanwhile, in
 * task groups, and for tasks that end when an event says. Tasks that tasks create go to the library, too.
 */
#define _GNU_SOURCE
#include "capture/plan_log.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FLAG_DEPEND = 8, FLAG_DETACH = 0x2000 };

typedef void start(void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align, bool condition,
                   unsigned flags, void **depend, int priority, void *detach);
typedef void wait_for(void **depend);
typedef void nothing(void);
typedef int number(void);

static start *next_start;
static wait_for *next_wait;
static nothing *next_group;
static number *thread_number, *team_size;

/* ---- Tasks ---- */

typedef struct edge {
    struct task *to;
    struct edge *next;
} edge;

typedef struct task {
    void (*function)(void *);
    void *memory, *data;
    edge *followers;
    int needs; /* tasks that have not ended */
    int32_t thread, position;
    bool ended, listed;
    struct task *next; /* of the ready ones of its thread, by position */
    struct task *older; /* of all since the last time that none was left */
} task;

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
static task *ready[MOST_THREADS];
static address *addresses[BUCKETS];
static task *all;
static int64_t left, created;
static int workers, waiting;
static int creator = -1;
static const planned_task *plan;
static int64_t planned;
static plan_report report;
static _Thread_local int inside; /* of how many tasks of ours */

static void *get(size_t size)
{
    void *memory = calloc(1, size);
    if (memory == NULL) {
        (void)fprintf(stderr, "inlay apply: out of memory in the program\n");
        abort();
    }
    return memory;
}

static void list_ready(task *t)
{
    task **at = &ready[t->thread];
    while (*at != NULL && (*at)->position <= t->position) {
        at = &(*at)->next;
    }
    t->next = *at;
    *at = t;
    t->listed = true;
    if (waiting > 0) {
        (void)pthread_cond_broadcast(&changed);
    }
}

/* The first of the thread's own that are ready, else the first of another's; NULL: none is. */
static task *take(int thread)
{
    int from = thread >= 0 && thread < MOST_THREADS && ready[thread] != NULL ? thread : -1;
    for (int i = 0; from != thread && i < MOST_THREADS; i++) {
        from = ready[i] != NULL && (from < 0 || ready[i]->position < ready[from]->position) ? i : from;
    }
    task *t = from >= 0 ? ready[from] : NULL;
    if (t != NULL) {
        ready[from] = t->next;
    }
    return t;
}

/* ---- Dependences ---- */

static void follow(task *before, task *t)
{
    if (before != NULL && before != t && !before->ended) {
        edge *e = get(sizeof *e);
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
        *at = get(sizeof **at);
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

static void depend_on(task *t, const void *what, bool writes)
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
        edge *e = get(sizeof *e);
        *e = (edge){.to = t, .next = a->readers};
        a->readers = e;
    }
}

/*
 * As gcc lists them: [0] how many, [1] how many of these are written, then addresses, those first; or since OpenMP 5.0 [0] 0,
 * [1] how many, [2] written, [3] mutually exclusive, [4] read, then addresses in this order, then pointers to such as were
 * made at run time (address and kind), which count as written.
 */
static void depend_on_all(task *t, void **depend)
{
    size_t count = (size_t)depend[0], writes = (size_t)depend[1], reads = count - writes, at = 2;
    if (count == 0) {
        count = (size_t)depend[1];
        writes = (size_t)depend[2] + (size_t)depend[3];
        reads = (size_t)depend[4];
        at = 5;
    }
    for (size_t i = 0; i < count; i++) {
        const void *what = i < writes + reads ? depend[at + i] : *(void **)depend[at + i];
        depend_on(t, what, i < writes || i >= writes + reads);
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
    (void)pthread_mutex_unlock(&lock);
    inside++;
    t->function(t->data);
    inside--;
    free(t->memory);
    (void)pthread_mutex_lock(&lock);
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

/* Until no task is left; the lock is held. */
static void run_all(int thread)
{
    while (left > 0) {
        task *t = take(thread);
        if (t != NULL) {
            run(t, thread);
        } else {
            waiting++;
            (void)pthread_cond_wait(&changed, &lock);
            waiting--;
        }
    }
}

static void work(void *data)
{
    (void)data;
    (void)pthread_mutex_lock(&lock);
    run_all(thread_number());
    workers--;
    (void)pthread_mutex_unlock(&lock);
}

/* From here on tasks go to the run-time library; the lock is held. */
static void give_up(enum plan_end why)
{
    run_all(thread_number());
    if (report.given_up == 0) {
        report.given_up = created + 1;
        report.why = why;
    }
}

/* ---- What stands before the run-time library ---- */

__attribute__((visibility("default"))) start GOMP_task;
__attribute__((visibility("default"))) wait_for GOMP_taskwait_depend;
__attribute__((visibility("default"))) nothing GOMP_taskgroup_start;

static void keep(void (*function)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align, void **depend)
{
    task *t = get(sizeof *t);
    t->function = function;
    t->memory = get(size + align);
    t->data = (void *)(((uintptr_t)t->memory + align - 1) / align * align);
    if (copy != NULL) {
        copy(t->data, data);
    } else {
        memcpy(t->data, data, size);
    }
    bool has_place = created < planned && plan[created].thread >= 0 && plan[created].thread < MOST_THREADS;
    t->thread = has_place ? plan[created].thread : 0;
    t->position = has_place ? plan[created].position : INT32_MAX;
    report.planned += has_place;
    report.beyond += !has_place;
    created++;
    (void)pthread_mutex_lock(&lock);
    if (left == 0) {
        forget_all();
    }
    left++;
    t->older = all;
    all = t;
    if (depend != NULL) {
        depend_on_all(t, depend);
    }
    if (t->needs == 0) {
        list_ready(t);
    }
    bool wanted = workers < team_size();
    workers += wanted;
    (void)pthread_mutex_unlock(&lock);
    if (wanted) {
        next_start(work, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
    }
}

void GOMP_task(void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align, bool condition,
               unsigned flags, void **depend, int priority, void *detach)
{
    if (plan != NULL && inside == 0) {
        (void)pthread_mutex_lock(&lock);
        creator = left == 0 ? thread_number() : creator;
        bool ours = report.given_up == 0 && creator == thread_number() && condition && (flags & FLAG_DETACH) == 0;
        if (report.given_up == 0 && !ours) {
            if (condition) {
                give_up((flags & FLAG_DETACH) != 0 ? PLAN_DETACHED : PLAN_TWO_CREATORS);
            } else {
                run_all(thread_number()); /* what it depends on has ended: it runs at once */
            }
        }
        (void)pthread_mutex_unlock(&lock);
        if (ours) {
            keep(function, data, copy, (size_t)size, align > 0 ? (size_t)align : 1,
                 (flags & FLAG_DEPEND) != 0 ? depend : NULL);
            return;
        }
    }
    next_start(function, data, copy, size, align, condition, flags, depend, priority, detach);
}

void GOMP_taskwait_depend(void **depend)
{
    if (plan != NULL && inside == 0) {
        (void)pthread_mutex_lock(&lock);
        run_all(thread_number());
        (void)pthread_mutex_unlock(&lock);
    }
    next_wait(depend);
}

void GOMP_taskgroup_start(void)
{
    if (plan != NULL && inside == 0) {
        (void)pthread_mutex_lock(&lock);
        give_up(PLAN_GROUP);
        (void)pthread_mutex_unlock(&lock);
    }
    next_group();
}

/* ---- Beginning and end ---- */

static void read_plan(const char *path)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fstat(file, &about) == 0 && about.st_size > 0) {
        void *map = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (map != MAP_FAILED) {
            plan = map;
            planned = (int64_t)((size_t)about.st_size / sizeof *plan);
        }
    }
    if (file >= 0) {
        (void)close(file);
    }
}

__attribute__((constructor)) static void begin(void)
{
    *(void **)&next_start = dlsym(RTLD_NEXT, "GOMP_task");
    *(void **)&next_wait = dlsym(RTLD_NEXT, "GOMP_taskwait_depend");
    *(void **)&next_group = dlsym(RTLD_NEXT, "GOMP_taskgroup_start");
    *(void **)&thread_number = dlsym(RTLD_DEFAULT, "omp_get_thread_num");
    *(void **)&team_size = dlsym(RTLD_DEFAULT, "omp_get_num_threads");
    const char *path = getenv(PLAN_FILE);
    if (next_start != NULL && next_wait != NULL && next_group != NULL && thread_number != NULL && team_size != NULL &&
        path != NULL) {
        read_plan(path);
    }
}

/* Of a process that had tasks. */
__attribute__((destructor)) static void end(void)
{
    const char *path = getenv(PLAN_REPORT);
    int file = path != NULL && created > 0 ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR) : -1;
    if (file >= 0) {
        if (write(file, &report, sizeof report) != (ssize_t)sizeof report) {
            (void)unlink(path);
        }
        (void)close(file);
    }
}

/*
 * The recorder of OpenMP programs: a tool of the run-time library (OMPT, OpenMP 5.0, chapter 4), which finds it by
 * OMP_TOOL_LIBRARIES. It writes down when tasks are created, begin, wait and end, and what their depend clauses name.
 */
#include "capture/openmp_log.h"
#include "capture/recorder/write.h"
#include <omp-tools.h>
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local log_writer writer;
static _Thread_local bool opened;
static atomic_long threads;
static atomic_uint_fast64_t tasks, regions; /* ids given out */
static uint64_t began;                      /* the program, or a child that uses OpenMP */

static void put_at(uint64_t time, enum openmp_event event, uint32_t c, uint64_t a, uint64_t b)
{
    if (!opened) {
        opened = true;
        log_open(&writer, OPENMP_LOG, atomic_fetch_add(&threads, 1));
    }
    log_put_at(&writer, time, event, c, a, b);
}

static void put(enum openmp_event event, uint32_t c, uint64_t a, uint64_t b)
{
    put_at(log_now(), event, c, a, b);
}

static uint64_t new_id(atomic_uint_fast64_t *given)
{
    return atomic_fetch_add(given, 1) + 1;
}

static uint64_t address(const void *code)
{
    return (uint64_t)(uintptr_t)code;
}

/* ---- Callbacks ---- */

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region, unsigned asked, int flags,
                           const void *code)
{
    (void)task, (void)frame, (void)asked, (void)flags;
    region->value = new_id(&regions);
    put(OMP_PARALLEL_BEGIN, 0, region->value, address(code));
}

static void parallel_end(ompt_data_t *region, ompt_data_t *task, int flags, const void *code)
{
    (void)task, (void)flags, (void)code;
    put(OMP_PARALLEL_END, 0, region->value, 0);
}

static void implicit_task(ompt_scope_endpoint_t end, ompt_data_t *region, ompt_data_t *task, unsigned team,
                          unsigned index, int flags)
{
    (void)index;
    if (end == ompt_scope_begin) {
        task->value = new_id(&tasks);
        bool initial = (flags & ompt_task_initial) != 0 || region == NULL;
        /* the first thread did what the program does before it uses OpenMP */
        put_at(initial && task->value == 1 ? began : log_now(), OMP_IMPLICIT_BEGIN, team, task->value,
               initial ? 0 : region->value);
    } else {
        put(OMP_IMPLICIT_END, 0, task->value, 0);
        task->value =
            0; /* LLVM's library uses the place again, for taskwaits with depend clauses, and wants it empty */
    }
}

static void task_create(ompt_data_t *creator, const ompt_frame_t *frame, ompt_data_t *task, int flags, int dependences,
                        const void *code)
{
    (void)creator, (void)frame, (void)dependences;
    if ((flags & ompt_task_initial) == 0) { /* which begins as an implicit one */
        task->value = new_id(&tasks);
        put(OMP_CREATE, (uint32_t)flags, task->value, address(code));
    }
}

static void dependences(ompt_data_t *task, const ompt_dependence_t *list, int count)
{
    for (int i = 0; i < count; i++) {
        put(OMP_DEPENDENCE, (uint32_t)list[i].dependence_type, task->value, address(list[i].variable.ptr));
    }
}

static void task_schedule(ompt_data_t *before, ompt_task_status_t why, ompt_data_t *next)
{
    put(OMP_SCHEDULE, (uint32_t)why, next != NULL ? next->value : 0, before != NULL ? before->value : 0);
    if (why == ompt_taskwait_complete && before != NULL) {
        before->value = 0; /* as above */
    }
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *region, ompt_data_t *task,
                        const void *code)
{
    (void)region, (void)task, (void)code;
    if (kind == ompt_sync_region_taskgroup && end == ompt_scope_begin) {
        put(OMP_GROUP_BEGIN, 0, 0, 0);
    }
}

static void sync_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *region, ompt_data_t *task,
                      const void *code)
{
    (void)region, (void)task;
    if (kind != ompt_sync_region_reduction) {
        put(end == ompt_scope_begin ? OMP_WAIT_BEGIN : OMP_WAIT_END, (uint32_t)kind, 0, address(code));
    }
}

/* ---- The tool ---- */

/* What is mapped is the parent's: a child that uses OpenMP begins logs of its own. */
static void in_child(void)
{
    writer = (log_writer){0};
    opened = false;
    atomic_store(&threads, 0);
    atomic_store(&tasks, 0);
    atomic_store(&regions, 0);
    began = log_now();
}

static int begin(ompt_function_lookup_t find, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)find("ompt_set_callback");
    if (set == NULL) {
        return 0;
    }
    static const struct {
        ompt_callbacks_t event;
        ompt_callback_t call;
    } callbacks[] = {
        {ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin},
        {ompt_callback_parallel_end, (ompt_callback_t)parallel_end},
        {ompt_callback_implicit_task, (ompt_callback_t)implicit_task},
        {ompt_callback_task_create, (ompt_callback_t)task_create},
        {ompt_callback_dependences, (ompt_callback_t)dependences},
        {ompt_callback_task_schedule, (ompt_callback_t)task_schedule},
        {ompt_callback_sync_region, (ompt_callback_t)sync_region},
        {ompt_callback_sync_region_wait, (ompt_callback_t)sync_wait},
    };
    began = log_begin();
    put_at(began, OMP_START, 0, 0, 0);
    log_maps(OPENMP_LOG); /* for a program that does not come to its end */
    for (size_t i = 0; i < sizeof callbacks / sizeof *callbacks; i++) {
        (void)set(callbacks[i].event, callbacks[i].call);
    }
    (void)pthread_atfork(NULL, NULL, in_child);
    return 1;
}

static void end(ompt_data_t *data)
{
    (void)data;
    put(OMP_FINISH, 0, 0, 0);
    log_maps(OPENMP_LOG);
    log_close(&writer);
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *library);

/* The run-time library calls it when the program first uses OpenMP. */
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *library)
{
    (void)version, (void)library;
    static ompt_start_tool_result_t tool = {.initialize = begin, .finalize = end};
    return log_folder() != NULL ? &tool : NULL;
}

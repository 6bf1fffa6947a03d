/*
 * Preloaded into a StarPU program: its tasks run on the workers that a plan says, of those that are ready there the first of the plan
 * first, and on no other. Tasks count that StarPU's own graph has (starpu_bound_print_dot()): of codelets with a model.
 */
#include "capture/recorder/plan_file.h"
#include <dlfcn.h>
#include <pthread.h>
#include <starpu.h>
#include <stdbool.h>

typedef int submit(struct starpu_task *task);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static submit *next_submit;
static const planned_task *plan;
static int64_t planned, created;
static plan_report report;

static bool is_in_graph(const struct starpu_task *task)
{
    return task->cl != NULL && task->cl->model != NULL && task->cl->model->symbol != NULL;
}

/* The program may have said where a task is to run itself. */
static void place(struct starpu_task *task)
{
    (void)pthread_mutex_lock(&lock);
    int64_t k = created++;
    bool has_place = k < planned && plan[k].thread >= 0 && !task->execute_on_a_specific_worker;
    report.planned += has_place;
    report.as_placed += has_place;
    report.beyond += k >= planned;
    (void)pthread_mutex_unlock(&lock);
    if (has_place) {
        task->execute_on_a_specific_worker = 1;
        task->workerid = (unsigned)plan[k].thread;
        task->priority = -plan[k].position;
    }
}

__attribute__((visibility("default"))) int starpu_task_submit(struct starpu_task *task)
{
    if (plan != NULL && is_in_graph(task)) {
        place(task);
    }
    return next_submit(task);
}

__attribute__((constructor)) static void begin(void)
{
    report.steals = true;
    *(void **)&next_submit = dlsym(RTLD_NEXT, "starpu_task_submit");
    if (next_submit != NULL) {
        plan = plan_read(&planned);
    }
}

__attribute__((destructor)) static void end(void)
{
    plan_tell(&report, created);
}

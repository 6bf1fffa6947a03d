/* The options of a run under a run-time scheduler. */
#include "scheduling.h"
#include "report.h"
#include "spread.h"

inlay_contention contention_chosen(int place)
{
    static const inlay_contention chosen[] = {INLAY_CONTENTION_QUEUES, INLAY_CONTENTION_NONE, INLAY_CONTENTION_FREE};
    return chosen[place];
}

int scheduling_check(const invocation *call, const scheduling_values *values)
{
    inlay_spread spread;
    return read_spread(values->module_time, &spread) ? EXIT_DONE
                                                     : refuse_spread(call, "--module-time", true, values->module_time);
}

inlay_scheduled_options scheduling_options(const invocation *call, const scheduling_values *values, int scheduler,
                                           inlay_contention contention)
{
    inlay_scheduled_options o = {.scheduler = inlay_scheduler_at((size_t)scheduler)->name,
                                 .has_task_overhead = values->overhead.given,
                                 .task_overhead = values->overhead.value,
                                 .contention = contention,
                                 .seed = call->common->seed,
                                 .replications = values->replications,
                                 .threads = call->common->threads,
                                 .prefetch = values->overlap == 1 ? -1 : values->prefetch};
    (void)read_spread(values->module_time, &o.module_time);
    return o;
}

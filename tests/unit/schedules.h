/* Schedules of modules of one core, from arrays by module. */
#ifndef UNIT_SCHEDULES_H
#define UNIT_SCHEDULES_H

#include <inlay/mapping.h>

/** Modules in `order`, each on its processor_of[]; `processor` has room for an entry a module. */
static inline inlay_task_schedule ordered_schedule(inlay_id modules, const inlay_id *processor_of, inlay_id *order,
                                                   inlay_id *processor)
{
    for (inlay_id k = 0; k < modules; k++)
        processor[k] = processor_of[order[k]];
    return (inlay_task_schedule){modules, order, processor, true, NULL};
}

#endif

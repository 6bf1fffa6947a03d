/* Costing a placement that comes from outside: a user's own, or a mapping read back. */
#ifndef MAPPING_EVALUATE_H
#define MAPPING_EVALUATE_H

#include "mapping/mapping.h"

typedef struct placement_input {
    const char *method; /**< a text that outlives the mapping */
    const inlay_task_schedule *schedule;
    const inlay_id *home; /**< processor of every data block; NULL: where it is used most */
    inlay_id reduced_from;
    double estimate_unreduced; /**< as in inlay_summary */
    bool frame_was_chosen;     /**< the time frame in the options is one that the rules chose, not the user */
} placement_input;

/** One more entry of a schedule that is being made; false when out of memory. */
bool schedule_add(inlay_task_schedule *schedule, size_t *room, inlay_id module, inlay_id processor);

int evaluate_placement(const inlay_app *app, const inlay_machine *machine, const placement_input *input,
                       const inlay_options *options, inlay_mapping **mapping, inlay_diag *diag);

#endif

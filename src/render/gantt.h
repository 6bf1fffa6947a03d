/* What the files of the Gantt picture share: a row a processor, time to the right. */
#ifndef RENDER_GANTT_H
#define RENDER_GANTT_H

#include "render/chart_parts.h"
#include "render/kinds.h"
#include <inlay/scheduler.h>

enum {
    GANTT_ROWS = 400,     /* of more processors several share a row */
    GANTT_MESSAGES = 400, /* of more none is drawn */
    GANTT_LINES = 1000,   /* messages on the critical path; of more those under a pixel are left out */
    GANTT_TITLES = 10000  /* of more modules the boxes do not tell their names */
};

#define GANTT_WAIT_STYLE    " fill=\"#BBBBBB\""
#define GANTT_PATH_COLOUR   "#D55E00"
#define GANTT_MESSAGE_STYLE " stroke=\"#444444\" stroke-width=\"0.75\" stroke-opacity=\"0.6\""
#define GANTT_PATH_STYLE    " stroke=\"" GANTT_PATH_COLOUR "\" stroke-width=\"1.25\""

typedef struct gantt {
    const inlay_simulation *simulation; /**< NULL: a run under a scheduler */
    const inlay_scheduled *scheduled;   /**< NULL: a simulation */
    const inlay_mapping *mapping;       /**< of a simulation */
    const inlay_app *app;
    const inlay_machine *machine;
    double makespan;
    inlay_id processors;      /**< that have a place: those that the mapping uses, or all that the scheduler has */
    inlay_id *processor_at;   /**< rising; owned */
    inlay_id *begin, *module; /**< the modules of each place; owned */
    inlay_id *place_of;       /**< the place of each of the mapping's clusters; owned */
    inlay_id group;           /**< processors that share a row */
    inlay_id rows;
    double row, bar; /**< pixels from row to row, and what of it a box fills */
    double top;      /**< of the first row */
    chart_scale x;
    module_kinds kinds; /**< owned */
    text_buffer svg;
    bool waits;       /**< some processor waited for the scheduler or for inputs */
    bool shaded;      /**< some pieces were too narrow to be drawn alone */
    int64_t left_out; /**< messages on the critical path that are not drawn */
} gantt;

/** Where a module lies in time; under a scheduler its processor has been busy with it since `taken`. */
inlay_scheduled_module gantt_module(const gantt *on, inlay_id module);

/** Middle of the row of a cluster. */
double gantt_middle(const gantt *on, inlay_id cluster);

/** Whether messages are so few that they are drawn. */
bool gantt_shows_messages(const gantt *on);

void gantt_draw_messages(gantt *on);

/** The modules of all rows, and the critical path; false when out of memory. */
bool gantt_draw_modules(gantt *on);
bool gantt_draw_path(gantt *on);

#endif

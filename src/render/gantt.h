/* What the files of the Gantt picture share: a row a processor, time to the right. */
#ifndef RENDER_GANTT_H
#define RENDER_GANTT_H

#include "render/chart_parts.h"
#include <inlay/simulate.h>

enum {
    GANTT_ROWS = 400,     /* of more processors several share a row */
    GANTT_MESSAGES = 400, /* of more none is drawn */
    GANTT_LINES = 1000,   /* messages on the critical path; of more those under a pixel are left out */
    GANTT_TITLES = 10000  /* of more modules the boxes do not tell their names */
};

#define GANTT_PATH_COLOUR   "#D55E00"
#define GANTT_MESSAGE_STYLE " stroke=\"#444444\" stroke-width=\"0.75\" stroke-opacity=\"0.6\""
#define GANTT_PATH_STYLE    " stroke=\"" GANTT_PATH_COLOUR "\" stroke-width=\"1.25\""

typedef struct gantt {
    const inlay_simulation *simulation;
    const inlay_mapping *mapping;
    const inlay_app *app;
    inlay_id clusters;
    inlay_id *cluster_at; /**< clusters by rising processor; owned */
    inlay_id *place_of;   /**< the place of each cluster in it; owned */
    inlay_id group;       /**< clusters that share a row */
    inlay_id rows;
    double row, bar; /**< pixels from row to row, and what of it a box fills */
    double top;      /**< of the first row */
    chart_scale x;
    text_buffer svg;
    bool shaded;      /**< some pieces were too narrow to be drawn alone */
    int64_t left_out; /**< messages on the critical path that are not drawn */
} gantt;

/** Middle of the row of a cluster. */
double gantt_middle(const gantt *on, inlay_id cluster);

/** Whether messages are so few that they are drawn. */
bool gantt_shows_messages(const gantt *on);

void gantt_draw_messages(gantt *on);

/** The modules of all rows, and the critical path; false when out of memory. */
bool gantt_draw_modules(gantt *on);
bool gantt_draw_path(gantt *on);

#endif

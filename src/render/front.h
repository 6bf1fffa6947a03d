/* Time against price, or processors: what nothing is better than as steps, and the choice. */
#ifndef RENDER_FRONT_H
#define RENDER_FRONT_H

#include "render/chart.h"

/** Points by rising x; counts may be 0. */
typedef struct front_picture {
    bool priced;                              /**< x is a price, else processors */
    const char *currency;                     /**< or NULL */
    const char *unit;                         /**< of y */
    const char *from;                         /**< what y is: "elapsed time" */
    double deadline;                          /**< NAN: none */
    const chart_point *front, *others, *bars; /**< bars: ends of intervals */
    size_t fronts, other_count, bar_count;
    double least_x, most_x, least_y, most_y; /**< of all points */
    const char *chosen;                      /**< its name; NULL: none is drawn */
    double chosen_x, chosen_y;
} front_picture;

int front_write_svg(const front_picture *picture, const char *path, inlay_diag *diag);

#endif

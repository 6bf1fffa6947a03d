/* Levels: the longest path in links from a source. */
#ifndef GRAPH_LEVELS_H
#define GRAPH_LEVELS_H

#include <inlay/app.h>

/** Fills level[modules]; returns the number of levels. */
int32_t graph_levels(const inlay_app *app, int32_t *level);

/** Most modules on one level, from graph_levels(); -1 when out of memory. */
inlay_id graph_level_width(const inlay_app *app, const int32_t *level, int32_t depth);

#endif

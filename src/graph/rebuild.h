/* A graph once more, with other numbers: new times at the decimals that fit, and the copy that has them. */
#ifndef GRAPH_REBUILD_H
#define GRAPH_REBUILD_H

#include "graph/app.h"
#include "graph/long_decimal.h"

enum { MOST_DECIMALS = 12, MOST_SCALE = 18 };

/**
 * Every time of an application, in one row: of modules, blocking times where it has any, of blocks, of modules by type, 0
 * where a type has none, and deadlines where it has any. Fill in `exact` behind time_row_open().
 */
typedef struct time_row {
    size_t count;
    size_t blocking, blocks, types, deadlines; /**< where these begin; where there are none, the next ones do */
    long_decimal *exact;                       /**< owned */
    inlay_time *grains;                        /**< owned; time_row_round() fills them in */
    int decimals;
} time_row;

/** false when out of memory. Cleared in every case. */
bool time_row_open(time_row *row, const inlay_app *app);
void time_row_clear(time_row *row);

/**
 * Rounds all times, half away from zero, to `wanted` decimals of `unit`, or to as many fewer as keep their sum inside 2^62;
 * a warning says where that rounds. INLAY_OVERFLOW where none do, INLAY_BAD_ARGUMENT where all times would become 0; a
 * warning counts those that do.
 * @param too_large  what was expected where no decimals fit: "a smaller factor"
 * @param too_small  and where all times would become 0
 */
int time_row_round(time_row *row, int wanted, inlay_unit unit, const char *too_large, const char *too_small,
                   inlay_diag *diag);

/** `view` becomes `app` with these times: it points into both, and is no application of its own. */
void time_row_show(const time_row *row, const inlay_app *app, bool blocking, inlay_unit unit, inlay_app *view);

/** An application that says the same as `view`. */
int app_rebuild(const inlay_app *view, inlay_app **result, inlay_diag *diag);

#endif

/* The elapsed time of a row of the sweep. */
#ifndef SEARCH_ROW_TIME_H
#define SEARCH_ROW_TIME_H

#include "mapping/mapping.h"
#include <inlay/sweep.h>

/**
 * Fill in `elapsed` of a row whose placement has no more clusters than the machine has processors. It does not depend on
 * the time frame.
 * @param place  gets processors and memories, as a mapping's
 * INLAY_OK, or INLAY_NO_MEMORY. It gives no messages, so that it can run in a thread.
 */
int row_time(const problem *p, placement *place, inlay_sweep_row *row);

#endif

/* A trace made smaller. */
#ifndef CAPTURE_COALESCE_H
#define CAPTURE_COALESCE_H

#include "capture/trace.h"

/*
 * Stretches of one owner and kind become one, which takes as long as all of them; or all of one owner (`owners`). What
 * they send each other adds up. Of kinds one begins behind another where its first stretch stands behind that one's first, and what is sent
 * the other way is traffic alone, as all is between owners. Links may have no cycle.
 */
int trace_coalesce(trace *t, bool owners, inlay_diag *diag);

#endif

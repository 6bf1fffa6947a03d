/* Layout by Scotch's static mapping, where its library is there: https://www.labri.fr/perso/pelegrin/scotch/ */
#ifndef LAYOUT_SCOTCH_H
#define LAYOUT_SCOTCH_H

#include "layout/far.h"

enum { SCOTCH_LAYOUT_PROCESSORS = 1024 }; /* the machine is given to Scotch as a complete graph */

/**
 * As far_layout(), but the layout is Scotch's: in one thread, with fixed random numbers, so that it is the same each time.
 * Scotch may put several clusters on one processor; the first stays, the others go to free processors by nearest
 * placement, and so does what `allowed` bars. Traffic is scaled to Scotch's 32 bits. figures->nearest is -1.
 *
 * INLAY_BAD_ARGUMENT where there is no Scotch, or are more processors than SCOTCH_LAYOUT_PROCESSORS.
 */
int scotch_layout(const far_problem *problem, inlay_id *processor, far_figures *figures, inlay_diag *diag);

#endif

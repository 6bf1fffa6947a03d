/* Figures where processors differ or messages go over links: what figures.h promises, by the estimate itself. */
#ifndef SEARCH_FIGURES_EXACT_H
#define SEARCH_FIGURES_EXACT_H

#include "search/figures.h"

bool figures_need_exact(const problem *p);

/** Behind the common part of figures_lay(). `place` has to stay as long as the workspace is asked. INLAY_NO_MEMORY. */
int figures_exact_lay(const figures *f, figures_workspace *workspace, const placement *place);

/** What figures_cost() has filled in for a saturated network becomes the cost where it is not. */
void figures_exact_cost(figures_workspace *workspace, double time_frame, inlay_sweep_cost *cost);
double figures_exact_fixed_point(figures_workspace *workspace);
double figures_exact_fit(figures_workspace *workspace, double from, double until);

#endif

/* Random times of modules: a distribution about the application's, or what others of the same kind take. */
#ifndef SIMULATE_MODULE_TIMES_H
#define SIMULATE_MODULE_TIMES_H

#include "graph/app.h"
#include "simulate/random.h"

/** Zero-initialised: constant. */
typedef struct module_times {
    const inlay_app *app;
    inlay_spread spread;
    inlay_id *of_kind;    /**< INLAY_SPREAD_KIND: modules by kind; ours, as the next ... */
    inlay_id *kind_begin; /**< ... where each kind begins, kinds + 1; else NULL */
} module_times;

/** INLAY_BAD_ARGUMENT where it is no distribution, or no module has a kind. `app` has to outlive it. */
int module_times_make(const inlay_app *app, const inlay_spread *spread, module_times *result, inlay_diag *diag);
void module_times_clear(module_times *t);

/** Whether anything is drawn. */
bool module_times_random(const module_times *t);

/** A factor for every module, by number. */
void module_times_draw(const module_times *t, random_streams *random, double *factor);

#endif

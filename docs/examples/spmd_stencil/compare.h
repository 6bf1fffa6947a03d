/* The configuration that is chosen, and others, as they run. */
#ifndef STENCIL_COMPARE_H
#define STENCIL_COMPARE_H

#include "site.h"

#include <inlay/domain.h>

enum { ROUNDS_MOST = 100 };

/* Chooses, carves, runs, checks the grid against a sequential one, prints what came out. A status of the library. */
int compare(const stencil_job *job, const inlay_domain *domain, const stencil_site *site, inlay_diag *diag);

#endif

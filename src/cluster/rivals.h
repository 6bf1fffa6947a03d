/* What the plain ways to place modules share: each is a processor for every module, and the order of the rule. */
#ifndef CLUSTER_RIVALS_H
#define CLUSTER_RIVALS_H

#include "problem/problem.h"

/**
 * Modules that are pinned go there, those of several cores to the next seat below or, where there is none, above; all run by the rule of --order. INLAY_NO_ANSWER where a host has not the memory.
 */
int rival_finish(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag);

#endif

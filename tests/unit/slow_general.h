/*
 * Processor selection for domains and metasystems the slow way, from the text of <inlay/select.h>: every processor has
 * its own share, T of EQ 5 is found by bisection, the cheapest chain by all orders, the cheapest tree by all trees.
 */
#ifndef UNIT_SLOW_GENERAL_H
#define UNIT_SLOW_GENERAL_H

#include <inlay/select.h>

enum { SLOW_GENERAL_CLUSTERS = 8, SLOW_GENERAL_KEPT = 6 };

typedef struct slow_general {
    long double computation, communication, cycle, elapsed;
    long double share[SLOW_GENERAL_CLUSTERS]; /**< largest of a cluster's processors */
} slow_general;

/** Both must be right; all clusters in use have the functions that they need. */
slow_general slow_general_cost(const inlay_domain *domain, const inlay_metasystem *metasystem,
                               const inlay_select_terms *terms, const int32_t *processors);

/** The costs of the best configurations, rising; gives how many there are. */
int slow_general_best(const inlay_domain *domain, const inlay_metasystem *metasystem, const inlay_select_terms *terms,
                      int keep, double *cost);

/** Whether a cluster can be used at all. */
bool slow_general_usable(const inlay_domain *domain, const inlay_metasystem *metasystem,
                         const inlay_select_terms *terms, int cluster);

#endif

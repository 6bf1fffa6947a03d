/* How a schedule bears times that are not exact. */
#ifndef SEARCH_RISK_H
#define SEARCH_RISK_H

#include <inlay/mapping.h>

/**
 * The elapsed time of a mapping whose module and transfer times are spread, in the application's unit: the mean over the two
 * spreads of inlay/mapping.h of the means, or of the 0.9 quantiles, of INLAY_RISK_REPLICATIONS runs each. The seed of the
 * mapping's options decides what is drawn: the same factors for all mappings of one application.
 * @param max_events  of a replication
 * @param risk        NaN where a run would take more
 * @return INLAY_OK or INLAY_NO_MEMORY
 */
int risk_of(const inlay_mapping *mapping, inlay_risk by, int64_t max_events, double *risk);

#endif

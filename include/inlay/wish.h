/*
 * What is wished of an answer beside the least time: a deadline, a budget, an objective, in the terms of <inlay/advise.h>.
 */
#ifndef INLAY_WISH_H
#define INLAY_WISH_H

#include <inlay/advise.h>

/** Zero-initialised, nothing is. */
typedef struct inlay_wish {
    bool wanted; /**< also without limits: what the objective says, INLAY_ADVISE_USUAL being as in advices */
    bool has_deadline, has_budget;
    double deadline; /**< seconds, above 0 */
    double budget;   /**< from 0 */
    inlay_advise_by by;
} inlay_wish;

/** What is made best: never INLAY_ADVISE_USUAL. */
INLAY_API inlay_advise_by inlay_wish_by(const inlay_wish *wish);

#endif

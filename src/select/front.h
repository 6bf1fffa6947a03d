/* Configurations that nothing beats in time, price and one more measure at once. */
#ifndef SELECT_FRONT_H
#define SELECT_FRONT_H

#include "select/box.h"
#include "select/general.h"

enum { FRONT_MEASURES = 3 };

/**
 * All but the time are a sum over the processors, `rate` of each of a cluster; times the time, but for processors that stand
 * for a price. A configuration is beaten where another one is no worse in anything.
 */
typedef struct select_front {
    const select_model *model;
    const general_question *question;
    memory_pool arrays;
    int32_t measures;                   /**< the time among them */
    bool priced;                        /**< the second one is a price, else processors */
    double *rate[FRONT_MEASURES];       /**< by cluster; of the time NULL */
    int32_t *by_rate[FRONT_MEASURES];   /**< clusters by rising price of work; NULL: bounds cannot go by it */
    double least_startup, least_cycles; /**< of all rows */
    size_t count, room, rows_room;
    double (*value)[FRONT_MEASURES]; /**< by rising time */
    int32_t *processors;             /**< a row each */
    bool failed;                     /**< no memory */
} select_front;

/** Of a question with a model; cleared with select_front_clear(), also after a failure. */
int select_front_make(const general_question *question, const select_model *model, inlay_select_beside beside,
                      select_front *front, inlay_diag *diag);
void select_front_clear(select_front *front);

/** Takes a configuration in where nothing beats it, and out what it beats. */
void select_front_offer(select_front *front, const int32_t *processors);

/** Whether the box may hold one that nothing beats. */
bool select_front_may_hold(const select_front *front, const select_box *box);

#endif

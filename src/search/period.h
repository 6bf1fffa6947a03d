/*
 * Local search on the least period of a placement: modules are moved and exchanged, most often off the busiest processor or
 * to where they exchange most. No precedence is looked at, for in the steady state runs overlap as they like.
 */
#ifndef SEARCH_PERIOD_H
#define SEARCH_PERIOD_H

#include "search/improve.h"

/**
 * From each schedule of a count, and from modules shared out by falling times: schedule[0] is the best that was found then,
 * with the method that it began with. What comes of it depends on the count, its schedules, the seed and the effort alone.
 * @param max_events  of a simulation: a schedule that takes more is left alone
 * @return INLAY_NO_MEMORY without a message
 */
int period_improve(const problem *p, int64_t max_events, improve_count *count);

#endif

/*
 * Times along the precedence links, under a start rule.
 *
 * A link i -> j is satisfied its lag after i starts: m_i where modules finish before their followers start,
 * min(m_i, max(0, b_j - b_i)) where they stream (the paper's modules send in mid-run).
 */
#ifndef GRAPH_TIMING_H
#define GRAPH_TIMING_H

#include <inlay/app.h>

typedef struct timing {
    bool streamed;
    inlay_time *m;      /**< processing time of every module */
    inlay_time *b;      /**< blocking time: the file's where streamed, else the earliest start with free messages */
    inlay_time *bottom; /**< longest sum of lags to an exit, plus the exit's m */
    inlay_time critical_path; /**< earliest end of all on unlimited processors with free messages */
} timing;

/**
 * @param time      of every module; NULL: the application's general ones
 * @param streamed  only where the application gives blocking times
 */
int timing_make(const inlay_app *app, const inlay_time *time, bool streamed, timing *result, inlay_diag *diag);
void timing_clear(timing *t);

static inline inlay_time timing_lag(const timing *t, inlay_id from, inlay_id to)
{
    if (!t->streamed) {
        return t->m[from];
    }
    inlay_time wait = t->b[to] > t->b[from] ? t->b[to] - t->b[from] : 0;
    return wait < t->m[from] ? wait : t->m[from];
}

#endif

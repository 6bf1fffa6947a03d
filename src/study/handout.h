/* Which points are handed out next: those of the largest applications and the slowest methods first. */
#ifndef STUDY_HANDOUT_H
#define STUDY_HANDOUT_H

#include "study/study.h"

/** Points of one application and one method: they take about as long. */
typedef struct handout_class {
    size_t application, method;
    double each; /**< what one is estimated to take, in no unit */
} handout_class;

typedef struct handout {
    const inlay_study *study;
    const uint8_t *done; /**< a bit a point: it has a row, or is another part's */
    handout_class *of;   /**< in the order in which they are handed out */
    size_t classes, at;
    int64_t next; /**< in that class */
    double left;  /**< of the work: of points not handed out */
    double all;   /**< that there was */
} handout;

/** @param done  stays the caller's, and does not change but for points that were handed out. False when out of memory. */
bool handout_make(handout *s, const inlay_study *study, const uint8_t *done);
void handout_clear(handout *s);

/** As inlay_study_next(). */
size_t handout_next(handout *s, inlay_id workers, int64_t point[INLAY_STUDY_BATCH]);

/** What a point is estimated to take. */
double handout_estimate(const inlay_study *study, size_t application, size_t method);

static inline bool bit_is_set(const uint8_t *bits, int64_t at)
{
    return (bits[at / 8] >> (at % 8) & 1) != 0;
}

static inline void bit_set(uint8_t *bits, int64_t at)
{
    bits[at / 8] = (uint8_t)(bits[at / 8] | 1U << (at % 8));
}

#endif

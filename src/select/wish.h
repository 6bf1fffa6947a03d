/* Which of several answers is the one that is wished. */
#ifndef SELECT_WISH_H
#define SELECT_WISH_H

#include <inlay/units.h>
#include <inlay/wish.h>

/** What an answer costs; NAN: not known. */
typedef struct wish_point {
    double time, price, energy;
    double processors;
} wish_point;

/** What there is to wish for. */
typedef struct wish_terms {
    inlay_unit unit;      /**< of times */
    bool priced, powered; /**< else processors stand for the price; there is no energy */
    const char *currency; /**< or NULL */
} wish_terms;

/** INLAY_BAD_ARGUMENT where what is wished needs prices, powers or lengths of time that are not there. */
int wish_check(const inlay_wish *wish, const wish_terms *terms, inlay_diag *diag);

/** Whether a point meets deadline and budget. */
bool wish_meets(const inlay_wish *wish, const wish_terms *terms, const wish_point *point);

/**
 * The best of all that meet deadline and budget. INLAY_NO_ANSWER where none does, with the --deadline or --budget that one
 * would meet as remedies; with them, and so their last digit, they are met.
 */
int wish_choose(const inlay_wish *wish, const wish_terms *terms, const wish_point *point, size_t count, size_t *choice,
                inlay_diag *diag);

#endif

/* What an advice holds. */
#ifndef SEARCH_ADVISE_H
#define SEARCH_ADVISE_H

#include "base/text.h"
#include "advise/rental.h"
#include <inlay/advise.h>

/** A number of an offer. */
typedef struct candidate {
    size_t offer;
    inlay_id count[INLAY_ADVISE_PARTS];
    double promise; /**< least time times least cost by its bounds: the least first */
} candidate;

/** An offer with what is found out about it. */
typedef struct advise_offer {
    inlay_advise_offer of;
    rental_work work; /**< of a plain machine */
    text_buffer why;
    inlay_diag *diag;                 /**< `said` */
    double speed[INLAY_ADVISE_PARTS]; /**< of the processors of a type */
} advise_offer;

enum { ADVISE_REMEDIES = 2, ADVISE_REMEDY_TEXT = 32 };

struct inlay_advice {
    inlay_advise_input *inputs; /**< ours, as the arrays that follow */
    size_t input_count, apps;
    inlay_advise_options asked;
    inlay_unit unit;
    inlay_id held[2]; /**< processors, and hosts, that all modules together can hold */
    advise_offer *offers;
    size_t offer_count;
    candidate *candidates; /**< in the order in which they are looked at */
    size_t candidate_count, candidate_room;
    inlay_advise_point *points;
    size_t point_count, point_room;
    size_t *best; /**< points that no other one is as fast and as cheap as, for pruning */
    size_t best_count;
    rental_work work; /**< of all applications on processors of speed 1, for types */
    inlay_advise_summary summary;
    text_buffer sentence, doubt;
    struct {
        const char *option;
        char value[ADVISE_REMEDY_TEXT];
    } remedy[ADVISE_REMEDIES];
    size_t remedies;
};

static inline bool advise_is_types(const inlay_advise_offer *offer)
{
    return offer->part[0]->type != NULL;
}

/** Offers and candidates. */
int advise_list(inlay_advice *all, inlay_diag *diag);

/** Maps the candidates, but those that bounds show to be of no use: points. */
int advise_map(inlay_advice *all, inlay_diag *diag);

/** Front, choice, rivals and verdicts. INLAY_OK or INLAY_NO_MEMORY. */
int advise_rank(inlay_advice *all);

/** Whether so much meets deadline and budget. */
bool advise_meets(const inlay_advice *all, double time, double price);

/** What the front sets against time: the price, infinite where there is none; or processors, where nothing has one. */
double advise_cost(const inlay_advice *all, const inlay_advise_point *point);

/** All that is said in words. */
int advise_say(inlay_advice *all, inlay_diag *diag);

#endif

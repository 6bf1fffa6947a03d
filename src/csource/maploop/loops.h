/* One loop over distributed numbers, while it is studied. */
#ifndef CSOURCE_LOOPS_H
#define CSOURCE_LOOPS_H

#include "csource/maploop/maploop.h"

enum { MOST_READS = 64, MOST_REDUCTIONS = 8 };

/** What a loop does with an array: with the iterations' own elements, and with others. */
typedef enum array_use { READ_OWN = 1, READ_OTHER = 2, SET_OWN = 4, ADD_OWN = 8, ADD_OTHER = 16 } array_use;

typedef struct reduction {
    int variable;
    const char *operation; /**< SUM, MAX, MIN */
} reduction;

typedef struct loop {
    maploop *m;
    node *n;
    space_kind space;
    int variable, entry; /**< its own, and that of the inner loop over entries around what is studied; -1: none */
    int inner;           /**< other loops around what is studied */
    bool *local;         /**< [variables]: declared in it */
    bool *asked;         /**< [variables]: its value is used */
    const node **index;  /**< [variables]: the element of which it is an index; NULL: it is none */
    int *use;            /**< [arrays] */
    bool *localised;     /**< [arrays]: is used in local numbers */
    reference read[MOST_READS]; /**< of the statement */
    int reads;
    reduction reduction[MOST_REDUCTIONS];
    int reductions;
} loop;

const node *bare(const node *n); /**< behind casts */

const char *variable_name(const maploop *m, int variable);

/* ---- References ---- */

/** Whether n is an element of a distributed array: its array and subscripts. */
bool reference_find(const maploop *m, const node *n, reference *r);

/** What kind of subscript it has; false where it is refused. */
bool reference_resolve(loop *l, reference *r);

/** Whether two lead to the same element, but for their arrays; NULL is the iteration's own. */
bool reference_same(const maploop *m, const node *a, const node *b);

/** Whether a variable of the loop is an index. */
bool reference_is_index(const loop *l, int variable);

/** Notes that a statement reads an element. */
bool reference_read(loop *l, const reference *r);

/** Links the element that a statement writes to those that were read for it, where the loop is the marked one. */
bool reference_written(loop *l, const reference *written);

/* ---- Its text ---- */

void loop_localise(loop *l, const reference *r); /**< the array in local numbers */
bool loop_number(loop *l, const node *n);        /**< the loop's variable as a global number */
bool loop_edit(loop *l);                         /**< bound, messages before and behind */
bool loop_rule(loop *l);                         /**< the elements that `compute on` names are those that decide */
bool loop_reduce(loop *l, int variable, const char *operation, unsigned line);

#endif

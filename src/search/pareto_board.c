/* The best candidate of every number of clusters. */
#include "base/memory.h"
#include "search/pareto.h"
#include <stdlib.h>

int board_make(inlay_id most, board *result)
{
    board b = {.most = most, .best = memory_zeroed((size_t)most + 1, sizeof *b.best)};
    if (b.best == NULL) {
        return INLAY_NO_MEMORY;
    }
    *result = b;
    return INLAY_OK;
}

void board_clear(board *b)
{
    free(b->best);
    *b = (board){0};
}

/* -1, 0, 1: the first is better, they are one, the second is. */
static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

/* Shorter; then simpler, in the order of methods and rules; then the shorter T, and fewer processors reduced to. */
static int compare(const candidate *a, const candidate *b)
{
    const recipe *x = &a->recipe, *y = &b->recipe;
    int order = compare_numbers(a->elapsed, b->elapsed);
    order = order != 0 ? order : (int)x->method - (int)y->method;
    order = order != 0 ? order : x->rule - y->rule;
    order = order != 0 ? order : compare_numbers(a->in_force.value, b->in_force.value);
    order = order != 0 ? order : compare_numbers(x->at.value, y->at.value);
    return order != 0 ? order : x->processors - y->processors;
}

void board_put(board *b, const candidate *c)
{
    candidate *at = &b->best[c->clusters];
    if (!at->exists || compare(c, at) < 0) {
        *at = *c;
    }
}

void board_merge(board *into, const board *from)
{
    for (inlay_id c = 1; c <= from->most; c++) {
        if (from->best[c].exists) {
            board_put(into, &from->best[c]);
        }
    }
}

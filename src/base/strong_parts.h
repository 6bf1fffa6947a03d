/* Strongly connected parts of a directed graph that is given by its rows. */
#ifndef BASE_STRONG_PARTS_H
#define BASE_STRONG_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Links out of node i: those from begin[i] to begin[i + 1] - 1. */
typedef struct strong_rows {
    int32_t nodes;
    const size_t *begin; /**< nodes + 1 */
    const int32_t *to;   /**< of the first link: where it leads to */
    size_t stride;       /**< bytes from there to the `to` of the next link */
} strong_rows;

/**
 * The part of each node, numbered as they are found: each behind all that it leads to.
 * @return  how many there are; -1 where memory is out
 */
int32_t strong_parts_find(const strong_rows *rows, int32_t *part);

#endif

/* Whole numbers as studies spell them: 1..16, 4..64*2, 1..100+10, and lists of these. */
#ifndef STUDY_SERIES_H
#define STUDY_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** first, first + step, ...; of those that are multiplied, a piece each. */
typedef struct series_piece {
    int64_t first, step, count;
    int64_t before; /**< numbers in the pieces before it */
} series_piece;

/** Zero-initialised is empty. */
typedef struct series {
    series_piece *piece;
    size_t pieces, capacity;
    int64_t count;
} series;

/** What became of adding to one. */
typedef enum series_status { SERIES_OK, SERIES_WRONG, SERIES_NO_MEMORY } series_status;

/** from, from + step, ... up to `to`; or with a factor from, from * factor, ... Exactly one of step and factor is not 0. */
series_status series_add(series *to, int64_t from, int64_t until, int64_t step, int64_t factor);

/** "7", "1..16", "1..16+5", "4..64*2", and several of these with commas between. Numbers from 0 on. */
series_status series_parse(series *to, const char *text);

/** @param i  0 .. count - 1 */
int64_t series_at(const series *of, int64_t i);

/** The least and the largest number; of an empty one nothing is written. */
void series_range(const series *of, int64_t *least, int64_t *most);

void series_clear(series *of);

#endif

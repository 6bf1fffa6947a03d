/*
 * Shares of divided data: how much each of some unlike processors shall have, and which share lies on which processor.
 *
 * A program that divides its data into one part for each processor wants parts as large as processors are fast, and parts
 * that exchange much on processors that are near each other. What divides (inlay/irregular_partition.h) knows no machine;
 * the functions here lead from machines, and from what `inlay select` and `inlay processes` say of them, to shares, and
 * from the exchange of the parts to places.
 */
#ifndef INLAY_SHARES_H
#define INLAY_SHARES_H

#include <inlay/machine.h>

/**
 * Shares from a file ("-" is standard input), told by its content:
 *
 *   numbers above 0, between blanks, commas or ends of lines; what stands behind a `#` is left out
 *   what `inlay select --json` says: the data of each processor that is used, cluster by cluster
 *   what `inlay processes --json` says: the data of one process on each processor, dealt by speed
 *
 * @param name  what messages call the file; NULL: `path`
 * The caller frees `*share`. INLAY_BAD_INPUT with file and line.
 */
INLAY_API int inlay_shares_read(const char *path, const char *name, double **share, int32_t *count, inlay_diag *diag);

/**
 * The fastest `count` processors of a machine, of like ones those of the lowest numbers: processor[count], ascending, and
 * share[count], their speeds. INLAY_BAD_ARGUMENT where it has fewer.
 */
INLAY_API int inlay_machine_shares(const inlay_machine *machine, int32_t count, inlay_id *processor, double *share,
                                   inlay_diag *diag);

/** What parts send each other: rows of neighbours, as in inlay_quotient. */
typedef struct inlay_part_traffic {
    int32_t parts;
    const int32_t *start; /**< [parts + 1] */
    const int32_t *part;  /**< the neighbours of each; none its own */
    const int64_t *sends; /**< to each, >= 0, in any unit */
} inlay_part_traffic;

/** Sums of what is sent, times the distance that it goes (inlay_machine_distance()). */
typedef struct inlay_part_places {
    int64_t before, after;
    bool optimal; /**< no places have a smaller sum */
} inlay_part_places;

/**
 * Parts change places, so that those that exchange much come near each other: never to a larger sum. Each stays on
 * processors of the speed that it began on, of which some may have been free.
 *
 * @param processor  [parts], no two alike: in and out
 * INLAY_OVERFLOW where the sum exceeds 2^61.
 */
INLAY_API int inlay_parts_lay_out(const inlay_machine *machine, const inlay_part_traffic *traffic, inlay_id *processor,
                                  inlay_part_places *places, inlay_diag *diag);

#endif

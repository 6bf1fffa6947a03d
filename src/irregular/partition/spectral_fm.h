/* Improving a bisection of a small graph, or of the band around the cut of a large one, on one rank. */
#ifndef IRREGULAR_PARTITION_SPECTRAL_FM_H
#define IRREGULAR_PARTITION_SPECTRAL_FM_H

#include "base/memory.h"
#include <inlay/status.h>
#include <stdbool.h>
#include <stdint.h>

/** What a bisection shall keep. */
typedef struct spectral_goal {
    int64_t load[2];  /**< of the two sides, as it should be: their sum is that of the graph */
    int64_t limit[2]; /**< greatest load of each */
} spectral_goal;

/** How good a bisection is: less is better, `excess` first. */
typedef struct spectral_worth {
    int64_t excess; /**< load above the limits */
    int64_t cut;
    int64_t off; /**< of side 0 from its goal */
} spectral_worth;

spectral_worth spectral_worth_of(const spectral_goal *goal, const int64_t load[2], int64_t cut);
bool spectral_better(spectral_worth a, spectral_worth b); /**< a than b */

/** The vertices that may move. */
typedef struct spectral_band {
    memory_pool arrays; /**< owns them */
    int32_t vertices;
    int64_t *start;     /**< [vertices + 1] */
    int32_t *neighbour; /**< in the band */
    int64_t *weight;
    int64_t *load;       /**< [vertices] */
    int64_t *outside[2]; /**< [vertices]: weight of the edges to the rest of the graph, by side */
    uint8_t *side;       /**< [vertices] */
} spectral_band;

void spectral_band_clear(spectral_band *band);

/**
 * C. Fiduccia, R. Mattheyses, A linear-time heuristic for improving network partitions, 1982: passes in which each vertex
 * moves once at most, best gain first, and the best state on the way is kept, until a pass brings nothing.
 *
 * @param total  load of the sides, of the whole graph
 * @param cut    of the whole graph
 * @param try    0 begins with the sides as they are; others with a piece around some vertex moved over
 * @param side   [vertices]: out
 */
int spectral_fm(const spectral_band *band, const spectral_goal *goal, const int64_t total[2], int64_t cut,
                uint64_t seed, int try, uint8_t *side, spectral_worth *worth, inlay_diag *diag);

#endif

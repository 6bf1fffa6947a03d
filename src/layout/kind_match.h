/*
 * Which clusters may stand on which kinds of processors: such that the longest of them takes as little time as it can, and
 * that memory is enough.
 */
#ifndef LAYOUT_KIND_MATCH_H
#define LAYOUT_KIND_MATCH_H

#include "layout/placement.h"

typedef struct kind_match {
    const problem *p;
    double *work;      /**< clusters x kinds: what counts against T of a cluster on a kind */
    int64_t *memory;   /**< of every cluster; NULL: nothing needs any */
    inlay_id *pin;     /**< of every cluster, or -1 */
    bool share_memory; /**< a host's cores are filled as if each had its share of the memory */
    double longest;    /**< least time that the longest cluster can be brought to; pinned ones stay where they are */
} kind_match;

/** INLAY_NO_ANSWER without a message where memory leaves some cluster without a processor. */
int kind_match_make(const problem *p, const placement *place, bool share_memory, kind_match *result, inlay_diag *diag);
void kind_match_clear(kind_match *match);

/** Whether a cluster may stand on a processor. */
bool kind_match_allows(const kind_match *match, inlay_id cluster, inlay_id processor);

#endif

/* A walk through the steps of a rank: loops are gone through as often as they are done. */
#include "synth/synth.h"

static void describe(const inlay_synth *synth, inlay_id rank, int32_t number, inlay_synth_step *step)
{
    const synth_kind *k = &synth->kind[number];
    if (k->kind != INLAY_SYNTH_DO) {
        *step = (inlay_synth_step){.kind = k->kind, .peer = rank + k->distance, .lane = k->lane, .bytes = k->size};
        return;
    }
    const synth_work *w = &synth->work[k->size];
    *step = (inlay_synth_step){.kind = INLAY_SYNTH_DO,
                               .peer = -1,
                               .bytes = w->memory,
                               .arithmetic = w->arithmetic,
                               .functions = w->functions,
                               .seconds = w->seconds,
                               .counted = w->counted};
}

/* At the end of loops: back to their begin, or out of them. */
static void close_loops(inlay_synth_walk *walk)
{
    while (walk->depth > 0 && walk->at == walk->loop[walk->depth - 1].end) {
        if (--walk->loop[walk->depth - 1].left > 0) {
            walk->at = walk->loop[walk->depth - 1].begin;
        } else {
            walk->depth--;
        }
    }
}

bool inlay_synth_next(const inlay_synth *synth, inlay_id rank, inlay_synth_walk *walk, inlay_synth_step *step)
{
    const int64_t *begin = &synth->sequence_begin[synth->rank_sequence[rank]];
    for (;;) {
        close_loops(walk);
        if (walk->at == begin[1] - begin[0]) {
            return false;
        }
        int32_t entry = synth->entry[begin[0] + walk->at++];
        if (entry >= 0) {
            describe(synth, rank, entry, step);
            return true;
        }
        const synth_loop *loop = &synth->loop[~entry];
        walk->loop[walk->depth].begin = walk->at;
        walk->loop[walk->depth].end = walk->at + loop->length;
        walk->loop[walk->depth++].left = loop->times;
    }
}

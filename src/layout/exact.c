/* All layouts of few clusters on few processors, by branch and bound. */
#include "layout/steps.h"
#include <limits.h>
#include <string.h>

enum {
    MOST_LAYOUTS = 40320, /* 8!: all layouts of 8 clusters on 8 processors */
    MOST_CLUSTERS = 8     /* that have no more layouts on any number of processors */
};

bool layout_few(const far_problem *f)
{
    int64_t layouts = 1;
    for (inlay_id c = 0; c < f->clusters; c++) {
        layouts *= f->processors - c;
        if (c == MOST_CLUSTERS || layouts > MOST_LAYOUTS) {
            return false;
        }
    }
    return f->processors <= LAYOUT_TABLE_PROCESSORS;
}

/* The next processor for a cluster, from `from` on; -1 where there is none. */
static inlay_id next_choice(const layout_state *s, inlay_id cluster, inlay_id from)
{
    for (inlay_id q = from; q < s->f->processors; q++) {
        bool may = layout_pinned(s, cluster) ? s->f->pin[cluster] == q : layout_allowed(s, cluster, q);
        if (may && s->who[q] < 0) {
            return q;
        }
    }
    return -1;
}

/* rest[k]: what the sum grows by at least when the clusters from k on come after those before them. */
static void bound_rest(layout_state *s, int64_t rest[MOST_CLUSTERS + 1])
{
    const far_problem *f = s->f;
    int least = INT_MAX;
    for (inlay_id q = 0; q < f->processors; q++) {
        layout_fill_row(s, q);
        least = s->near[q] < least ? s->near[q] : least;
    }
    rest[f->clusters] = 0;
    for (inlay_id c = f->clusters - 1; c >= 0; c--) {
        rest[c] = rest[c + 1];
        for (int64_t e = f->begin[c]; e < f->begin[c + 1]; e++) {
            rest[c] += f->neighbour[e] < c ? least * f->traffic[e] : 0;
        }
    }
}

void layout_look_at_all(layout_state *s, inlay_id *at, int64_t *sum)
{
    int64_t rest[MOST_CLUSTERS + 1];
    inlay_id from[MOST_CLUSTERS + 1] = {0}; /* choices that are still to be tried at every depth */
    inlay_id clusters = s->f->clusters;
    bound_rest(s, rest);
    for (inlay_id depth = 0; depth >= 0;) {
        if (depth == clusters && s->sum < *sum) {
            *sum = s->sum;
            memcpy(at, s->at, (size_t)clusters * sizeof *at);
        }
        inlay_id q = depth < clusters ? next_choice(s, depth, from[depth]) : -1;
        if (q < 0) {
            from[depth--] = 0;
            if (depth >= 0) {
                layout_take(s, depth);
            }
            continue;
        }
        from[depth] = q + 1;
        layout_put(s, depth, q);
        if (s->sum + rest[depth + 1] < *sum) {
            depth++;
        } else {
            layout_take(s, depth);
        }
    }
}

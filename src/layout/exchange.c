/*
 * Exchanges: two clusters change places, or one moves to a free processor, as long as that lowers the sum of c d.
 *
 * What an exchange brings depends on the two clusters and on where their neighbours stand. So each cluster is looked at
 * once, and again when it or a neighbour has moved; or, since a free processor has nobody who would be looked at, when a
 * processor that would be better for it became free. When nobody waits any more, no exchange is left.
 */
#include "layout/steps.h"

enum { MOST_STEPS = 1 << 27 }; /* of exchanges nearby: about a second */

typedef struct change {
    int64_t gain;
    inlay_id to;
} change;

static inline int64_t cost_on(layout_state *s, inlay_id cluster, inlay_id processor)
{
    return s->costs_known ? s->costs[(size_t)cluster * (size_t)s->f->processors + (size_t)processor]
                          : layout_cost_at(s, cluster, processor);
}

/* ---- Who waits ---- */

void layout_wake(layout_state *s, inlay_id cluster)
{
    if (s->is_waiting[cluster] || layout_pinned(s, cluster) || s->total[cluster] == 0) {
        return;
    }
    inlay_id end = s->first + s->in_queue++;
    s->waiting[end < s->f->clusters ? end : end - s->f->clusters] = cluster;
    s->is_waiting[cluster] = true;
}

void layout_wake_all(layout_state *s)
{
    for (inlay_id c = 0; c < s->f->clusters; c++) {
        layout_wake(s, c);
    }
}

static inlay_id next_waiting(layout_state *s)
{
    inlay_id cluster = s->waiting[s->first++];
    s->first = s->first == s->f->clusters ? 0 : s->first;
    s->in_queue--;
    s->is_waiting[cluster] = false;
    return cluster;
}

static void wake_around(layout_state *s, inlay_id cluster)
{
    layout_wake(s, cluster);
    for (int64_t e = s->f->begin[cluster]; e < s->f->begin[cluster + 1]; e++) {
        layout_wake(s, s->f->neighbour[e]);
    }
}

static void wake_for(layout_state *s, inlay_id freed)
{
    for (inlay_id c = 0; c < s->f->clusters; c++) {
        if (!s->is_waiting[c] && cost_on(s, c, freed) < s->own[c]) {
            layout_wake(s, c);
        }
    }
}

/* ---- The best change of one cluster ---- */

/* `own` is what the cluster gains by being on that processor. */
static void consider(layout_state *s, inlay_id cluster, inlay_id to, int64_t own, change *best)
{
    inlay_id from = s->at[cluster];
    inlay_id other = s->who[to];
    int64_t gain = own;
    if (other >= 0) {
        if (own + s->own[other] - s->low[other] <= best->gain || layout_pinned(s, other)) {
            return;
        }
        /* what goes between the two goes as far as before */
        gain += s->own[other] - cost_on(s, other, from) - 2 * s->mutual[other] * layout_distance(s, from, to);
    }
    if (gain > best->gain && layout_allowed(s, cluster, to) && (other < 0 || layout_allowed(s, other, from))) {
        *best = (change){gain, to};
    }
}

static void look_everywhere(layout_state *s, inlay_id cluster, change *best)
{
    const int64_t *cost = layout_costs(s, cluster);
    for (inlay_id q = 0; q < s->f->processors; q++) {
        if (q != s->at[cluster]) {
            consider(s, cluster, q, s->own[cluster] - cost[q], best);
        }
    }
}

/* The processors of the neighbours, and those that stand beside them in the order. */
static void look_nearby(layout_state *s, inlay_id cluster, change *best)
{
    enum { BESIDE = 2 };
    const far_problem *f = s->f;
    for (int64_t e = f->begin[cluster]; e < f->begin[cluster + 1]; e++) {
        inlay_id rank = s->rank[s->at[f->neighbour[e]]];
        inlay_id from = rank < BESIDE ? 0 : rank - BESIDE;
        for (inlay_id r = from; r <= rank + BESIDE && r < f->processors; r++) {
            inlay_id q = s->tree.ordered[r];
            if (q != s->at[cluster]) {
                consider(s, cluster, q, s->own[cluster] - layout_cost_at(s, cluster, q), best);
            }
        }
    }
}

static void spread(layout_state *s, inlay_id cluster, bool clear)
{
    for (int64_t e = s->f->begin[cluster]; e < s->f->begin[cluster + 1]; e++) {
        s->mutual[s->f->neighbour[e]] = clear ? 0 : s->f->traffic[e];
    }
}

static change best_change(layout_state *s, inlay_id cluster)
{
    change best = {0, -1};
    spread(s, cluster, false);
    if (s->thorough) {
        look_everywhere(s, cluster, &best);
    } else {
        look_nearby(s, cluster, &best);
    }
    spread(s, cluster, true);
    return best;
}

/* ---- All ---- */

void layout_descend(layout_state *s)
{
    int64_t last = s->thorough ? INT64_MAX : s->steps + MOST_STEPS;
    layout_know_costs(s);
    while (s->in_queue > 0) {
        inlay_id cluster = next_waiting(s);
        if (s->steps > last) {
            continue; /* the others go too: the ring is left empty */
        }
        change best = best_change(s, cluster);
        if (best.gain <= 0) {
            continue;
        }
        inlay_id from = s->at[cluster], other = s->who[best.to];
        layout_exchange(s, cluster, best.to);
        wake_around(s, cluster);
        if (other >= 0) {
            wake_around(s, other);
        } else if (s->thorough) {
            wake_for(s, from);
        }
    }
    layout_forget_costs(s);
}

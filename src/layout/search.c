/*
 * A search from a local optimum: threshold accepting (G. Dueck and T. Scheuer, J. Comput. Phys. 90, 1990). Exchanges are
 * drawn, and made where they raise the sum by no more than a threshold, which falls to nothing. Unlike annealing this
 * needs no exponentials, whose last digits differ from computer to computer.
 */
#include "layout/steps.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/splitmix.h"
#include <stdlib.h>
#include <string.h>

/*
 * How far and how long, as measured on cluster graphs of 16 to 4096 clusters (bench/layout.c): twice the steps gain
 * about half a per cent.
 */
static const double first_threshold = 0.3; /* times the mean traffic of a cluster: as if its distance grew by that */
enum { STEPS_A_CLUSTER = 20000, MOST_STEPS = 1 << 25 };

typedef struct search {
    layout_state *s;
    uint64_t random;
    inlay_id *movable; /* clusters that are not pinned and have traffic */
    inlay_id movables;
    int scales;      /* powers of two up to the number of processors */
    double traffic;  /* of all of them */
    inlay_id *begin; /* processors of all clusters, before the search */
} search;

/* Traffic between two clusters. */
static int64_t traffic_between(const far_problem *f, inlay_id a, inlay_id b)
{
    for (int64_t e = f->begin[a]; e < f->begin[a + 1]; e++) {
        if (f->neighbour[e] == b) {
            return f->traffic[e];
        }
    }
    return 0;
}

/*
 * A processor for a cluster: in the order of the tree, 0 to w places from one of its neighbours, with w any power of two,
 * so that near ones come often and far ones too. -1 where that is none, or the cluster's own.
 */
static inlay_id draw_target(search *r, inlay_id cluster)
{
    layout_state *s = r->s;
    const far_problem *f = s->f;
    inlay_id degree = (inlay_id)(f->begin[cluster + 1] - f->begin[cluster]);
    inlay_id neighbour = f->neighbour[f->begin[cluster] + splitmix_below(&r->random, degree)];
    inlay_id width = (inlay_id)1 << splitmix_below(&r->random, r->scales);
    inlay_id place = s->rank[s->at[neighbour]] - width + splitmix_below(&r->random, 2 * width + 1);
    if (place < 0 || place >= f->processors || s->tree.ordered[place] == s->at[cluster]) {
        return -1;
    }
    return s->tree.ordered[place];
}

static bool may_exchange(const layout_state *s, inlay_id cluster, inlay_id to)
{
    inlay_id other = s->who[to];
    if (other >= 0 && (layout_pinned(s, other) || !layout_allowed(s, other, s->at[cluster]))) {
        return false;
    }
    return layout_allowed(s, cluster, to);
}

/* Whether an exchange raises the sum by no more than the threshold. */
static bool acceptable(layout_state *s, inlay_id cluster, inlay_id to, int64_t threshold)
{
    inlay_id from = s->at[cluster], other = s->who[to];
    layout_fill_row(s, to);
    int64_t more = layout_cost_at(s, cluster, to) - s->own[cluster];
    if (other >= 0) {
        if (more - (s->own[other] - s->low[other]) > threshold) {
            return false;
        }
        more += layout_cost_at(s, other, from) - s->own[other] +
                2 * traffic_between(s->f, cluster, other) * layout_distance(s, from, to);
    }
    return more <= threshold;
}

/* Thresholds fall with the square of the steps that are left. */
static void walk(search *r, double threshold, int64_t steps)
{
    layout_state *s = r->s;
    int64_t end = s->steps + steps;
    while (s->steps < end) {
        double left = (double)(end - s->steps) / (double)steps;
        inlay_id cluster = r->movable[splitmix_below(&r->random, r->movables)];
        inlay_id to = draw_target(r, cluster);
        s->steps++;
        if (to >= 0 && may_exchange(s, cluster, to) && acceptable(s, cluster, to, (int64_t)(threshold * left * left))) {
            layout_exchange(s, cluster, to);
            s->steps += 2 * (s->f->begin[cluster + 1] - s->f->begin[cluster]);
        }
    }
}

static int prepare(search *r, inlay_diag *diag)
{
    const layout_state *s = r->s;
    size_t clusters = (size_t)s->f->clusters;
    r->movable = memory_array(clusters, sizeof *r->movable);
    r->begin = memory_array(clusters, sizeof *r->begin);
    if (r->movable == NULL || r->begin == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id c = 0; c < s->f->clusters; c++) {
        if (!layout_pinned(s, c) && s->total[c] > 0) {
            r->movable[r->movables++] = c;
            r->traffic += (double)s->total[c];
        }
    }
    while ((inlay_id)1 << r->scales < s->f->processors) {
        r->scales++;
    }
    return INLAY_OK;
}

static void settle(layout_state *s)
{
    layout_wake_all(s);
    layout_descend(s);
}

int layout_search(layout_state *s, inlay_diag *diag)
{
    const far_problem *f = s->f;
    search r = {.s = s, .random = f->seed};
    int status = prepare(&r, diag);
    if (status == INLAY_OK && r.movables > 0 && f->processors > 1) {
        int64_t sum = s->sum;
        int64_t steps = (int64_t)STEPS_A_CLUSTER * f->clusters;
        memcpy(r.begin, s->at, (size_t)f->clusters * sizeof *r.begin);
        walk(&r, first_threshold * r.traffic / r.movables, steps < MOST_STEPS ? steps : MOST_STEPS);
        settle(s);
        if (s->sum >= sum) {
            layout_restore(s, r.begin);
            settle(s);
        }
    }
    free(r.movable);
    free(r.begin);
    return status;
}

/*
 * A question as networks: clusters that share one communicate as one, with all their processors together. What the two
 * exact methods need that go through times of networks: how fast the processors can be that a network has within a time.
 */
#ifndef SELECT_NETWORKS_H
#define SELECT_NETWORKS_H

#include "select/best.h"

/** A cluster that can be used. T_i(p) = offset + slope f(p), with p of the whole network. */
typedef struct select_member {
    int32_t cluster, most; /**< N_i */
    inlay_growth growth;
    double offset, slope;
    double start, unit; /**< d1, d2 */
} select_member;

typedef struct select_networks {
    memory_pool arrays; /**< owns them */
    const select_model *model;
    inlay_pattern pattern;
    bool overlap;
    double units;
    double router;  /**< R, of each link between networks */
    bool whole;     /**< the map gives whole units; else fractions of them */
    bool plain;     /**< no d1 is above 0, and shares are fractions: a processor's speed is 1 / d2 at any time */
    int32_t groups; /**< networks */
    int32_t *first; /**< of each group's members, and one beyond the last */
    int32_t *all;   /**< processors of each group */
    int32_t members;
    select_member *member;
    /* what is filled in by cap and weigh, and by filling */
    int32_t *cap;            /**< of each member: processors of its network within a time */
    double *weight;          /**< of each member: units that a processor does; below 0: it cannot be used */
    int32_t *order, *chosen; /**< scratch */
} select_networks;

/**
 * Whether the question is of this kind: one computation, one communication at most, whose amounts are numbers, and one
 * price between networks that is paid link by link; shares in fractions, or whole ones of the least makespan.
 */
bool select_networks_take(const select_model *model);

/** False where there is no memory; cleared all the same. */
bool select_networks_make(const select_model *model, select_networks *networks);
void select_networks_clear(select_networks *networks);

double select_member_time(const select_member *member, int32_t together);

/** The most processors of a network, up to `most`, with which a member communicates no longer than `time`. */
int32_t select_member_within(const select_member *member, int32_t most, double time);

/** Sets `weight` to what is done by `time`. */
void select_networks_weigh(select_networks *networks, double time);

/** Sets `weight` to the speeds 1 / d2. */
void select_networks_speeds(select_networks *networks);

/** Puts a member in its place among the first `count` in `chosen`, which fall by weight. */
void select_networks_choose(const select_networks *networks, int32_t member, int32_t count);

/** What the fastest `processors` of the first `count` in `chosen` do; `taken`, unless NULL, gets them by clusters. */
double select_networks_do(const select_networks *networks, int32_t count, int32_t processors, int32_t *taken);

/**
 * The most that the processors of a group can do together where no used member communicates longer than its cap allows;
 * `processors`, unless NULL, gets how many of each cluster do so.
 */
double select_networks_fill(const select_networks *networks, int32_t group, int32_t *processors);

/** The shortest cycle of a ring, or what is proven after so many steps; `best` holds some configurations already. */
int select_ring_sum(select_networks *networks, int64_t steps, select_best *best, inlay_diag *diag);

#endif

/*
 * What bounds of boxes need in a general model: the least and the most of every amount over a range of numbers of
 * processors, the cheapest ways, and room.
 */
#ifndef SELECT_GENERAL_BOUNDS_H
#define SELECT_GENERAL_BOUNDS_H

#include "base/memory.h"
#include "select/general.h"

/** The least of a range of numbers: a tree whose node n holds the less of 2 n and 2 n + 1; numbers at `rows`. */
typedef struct general_range {
    double *tree;
} general_range;

/** What holds for a whole box. Amounts are the least over the numbers of processors that it has. */
typedef struct general_floor {
    double per_unit[INLAY_DOMAIN_PHASES], fixed[INLAY_DOMAIN_PHASES]; /**< of the computations */
    double bytes_per_unit[INLAY_DOMAIN_PHASES], bytes[INLAY_DOMAIN_PHASES], messages[INLAY_DOMAIN_PHASES];
    double routed_bytes[INLAY_DOMAIN_PHASES]; /**< of the largest message */
    double computation;                       /**< of all phases together */
    double phase[INLAY_DOMAIN_PHASES];        /**< T_comp of each */
    double exchange[INLAY_DOMAIN_PHASES];     /**< T_comm of each */
    double apart;                             /**< sum of those that overlap nothing */
    int32_t used;                             /**< clusters that are surely in use */
    int64_t fewest, all;                      /**< processors */
} general_floor;

/** T of the networks surely in use, of one communication. */
typedef struct general_groups {
    double *time;  /**< of each; 0 where it is not surely in use */
    int32_t *lead; /**< the cluster whose T_i is the longest; -1: none is surely in use */
    double largest, second, sum;
    double opening, most_opening; /**< sum and largest of what each pays to be joined */
} general_groups;

struct general_bounds {
    memory_pool arrays; /**< owns them */
    int32_t rows;
    general_range per_unit[INLAY_DOMAIN_PHASES], fixed[INLAY_DOMAIN_PHASES];
    general_range bytes_per_unit[INLAY_DOMAIN_PHASES], bytes[INLAY_DOMAIN_PHASES], messages[INLAY_DOMAIN_PHASES];
    general_range weight[INLAY_DOMAIN_PHASES], negative_weight[INLAY_DOMAIN_PHASES]; /**< of units in the map */
    general_range start[INLAY_DOMAIN_PHASES], negative_start[INLAY_DOMAIN_PHASES];   /**< and of d1 */
    general_range collective[INLAY_DOMAIN_PHASES]; /**< what an algorithm takes at least, by processors from 1 on */
    int32_t processors;                            /**< how many stand there */
    collective_link best;                          /**< the links that this holds for */
    double most_bytes[INLAY_DOMAIN_PHASES];        /**< of any message of a communication */
    bool falling[INLAY_DOMAIN_PHASES];             /**< coefficients below 0 may make a longer message cheaper */
    general_price *out;                            /**< of a group: what no way to another group is cheaper than */
    general_price *nearby;                         /**< of a cluster: what no way to another cluster is cheaper than */
    double *unit_time, *fixed_time, *speed;        /**< scratch, by clusters */
    double *share;                                 /**< scratch: what the largest share of a cluster is not below */
    int32_t *least, *most;                         /**< scratch: processors of a group in the box */
    int32_t *possible;                             /**< scratch: clusters of a group that can be in use in the box */
    general_floor floor;
    general_groups groups[INLAY_DOMAIN_PHASES];
    double *group_time; /**< of all communications together */
    int32_t *group_lead;
};

/** The least in rows from .. to. */
static inline double general_least(const general_range *range, int32_t rows, int32_t from, int32_t to)
{
    double least = range->tree[rows + from];
    for (int32_t low = rows + from, high = rows + to + 1; low < high; low /= 2, high /= 2) {
        if (low % 2 == 1) {
            least = range->tree[low] < least ? range->tree[low] : least;
            low++;
        }
        if (high % 2 == 1) {
            high--;
            least = range->tree[high] < least ? range->tree[high] : least;
        }
    }
    return least;
}

/** `sign` -1: of the negative numbers, whose least is the most. false: no memory. */
bool general_range_make(general_range *range, const double *amount, int32_t rows, int sign);

/** Makes b->collective of a communication; false: no memory. */
bool general_collective_bounds(const select_general *general, general_bounds *bounds, int32_t communication);

/**
 * T_comm of an algorithm at least, with `from` processors to all of the box: cluster i, if it is not -1, and those with
 * `least` above 0 are in use.
 */
double general_collective_floor(const select_model *model, const int32_t *least, int32_t communication, int32_t i,
                                int64_t from);

/** Sets the floor of a box: amounts, shares, T_comp and T_comm that nothing in it falls below. */
void general_floor_set(const select_model *model, const int32_t *least, const int32_t *most);

/** T_comm of a communication where cluster i has p processors, and the others what they surely have. */
double general_floor_with(const select_model *model, const int32_t *least, int32_t communication, int32_t i, int32_t p);

/** T_i that no message in the box falls below. */
double general_floor_time(const select_general *general, int32_t communication, int32_t i, int32_t together);

/** What a group pays at least to be joined to another one, in T_comm of a communication. */
double general_opening(const select_general *general, int32_t communication, int32_t group);

/** No T_c in a box is below what its floor gives. */
double general_floor_cycle(const select_general *general);

#endif

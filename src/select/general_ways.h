/*
 * What messages between clusters cost, and the cheapest way to join those in use: a chain or a tree whose price is a
 * straight line over the bytes of a message, so that the cheapest of all is a lower envelope of such lines. The
 * envelopes are kept by the set of clusters.
 */
#ifndef SELECT_GENERAL_WAYS_H
#define SELECT_GENERAL_WAYS_H

#include "base/memory.h"
#include <inlay/metasystem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A price: latency + per_byte * bytes. */
typedef struct general_price {
    double latency, per_byte;
} general_price;

static inline double general_price_of(general_price price, double bytes)
{
    return price.latency + price.per_byte * bytes;
}

/** Prices between the clusters that can be used; coercion is in per_byte. */
typedef struct general_ways {
    int32_t clusters; /**< that can be used */
    int32_t *place;   /**< of each cluster among those; -1: it is none of them */
    bool uniform;     /**< all prices are `price` */
    general_price price;
    general_price *between; /**< clusters x clusters; NULL where uniform */
} general_ways;

/** False where there is no memory; cleared all the same. */
bool general_ways_make(const inlay_metasystem *metasystem, const int32_t *most, general_ways *ways);
void general_ways_clear(general_ways *ways);

/** Between two clusters, by their numbers in the metasystem. */
general_price general_way(const general_ways *ways, int32_t from, int32_t to);

enum { GENERAL_LINES = 6 };

/** What joining a set costs: the least of its lines. */
typedef struct general_envelope {
    int32_t lines; /**< 0: not known; -1: more than fit */
    general_price line[GENERAL_LINES];
} general_envelope;

/** Made for one way of joining, a chain or a tree. */
typedef struct general_join {
    memory_pool arrays; /**< owns them */
    const general_ways *ways;
    bool chain;
    double least_bytes, most_bytes; /**< of any message */
    size_t words, slots;            /**< of a set; sets that are kept */
    uint64_t *set;                  /**< `words` a slot, and one more for the set in question */
    general_envelope *envelope;
    int32_t *member; /**< scratch: the set, by places */
    int32_t *order;  /**< scratch: order or parents */
    double *cost;    /**< scratch: of each pair */
    void *room;      /**< scratch of spmd_join */
} general_join;

/** False where there is no memory; cleared all the same. Uniform ways need no room. */
bool general_join_make(const general_ways *ways, bool chain, double least_bytes, double most_bytes, general_join *join);
void general_join_clear(general_join *join);

/** The price of joining the clusters, by their rising numbers in the metasystem, for messages of so many bytes. */
double general_join_cost(general_join *join, const int32_t *cluster, int32_t count, double bytes);

#endif

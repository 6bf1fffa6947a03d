/*
 * Traffic of one cluster with each of its neighbours: few of them one after the other, many hashed, all in one piece of
 * memory. There is a table for every cluster of several modules, most of them small.
 */
#ifndef CLUSTER_TRAFFIC_TABLE_H
#define CLUSTER_TRAFFIC_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/** Zero-initialised is empty. */
typedef struct traffic_table {
    int64_t *traffic;  /**< `capacity` entries, and behind them as many neighbours */
    uint32_t capacity; /**< above TRAFFIC_TABLE_LISTED a power of two: hashed */
    uint32_t used;
} traffic_table;

/** Up to so many entries stand in a list, without gaps. */
enum { TRAFFIC_TABLE_LISTED = 16 };

void traffic_table_clear(traffic_table *table);

/** Add to the traffic with a neighbour (0 where it is new); the sum, or -1 when out of memory (table unchanged). */
int64_t traffic_table_add(traffic_table *table, int32_t neighbour, int64_t traffic);

/** The traffic, or `missing`. */
int64_t traffic_table_get(const traffic_table *table, int32_t neighbour, int64_t missing);

/** Remove a neighbour; its traffic, or `missing`. */
int64_t traffic_table_remove(traffic_table *table, int32_t neighbour, int64_t missing);

/** for (uint32_t at = 0; traffic_table_next(table, &at, &neighbour, &traffic);) */
bool traffic_table_next(const traffic_table *table, uint32_t *at, int32_t *neighbour, int64_t *traffic);

#endif

/* Traffic of one cluster with its neighbours. */
#include "cluster/traffic_table.h"
#include <stdlib.h>
#include <string.h>

enum { NOBODY = -1, SMALLEST = 2 };

void traffic_table_clear(traffic_table *table)
{
    free(table->traffic);
    *table = (traffic_table){0};
}

static int32_t *neighbours_of(const traffic_table *table)
{
    return table->traffic == NULL ? NULL : (int32_t *)(table->traffic + table->capacity);
}

static bool hashed(const traffic_table *table)
{
    return table->capacity > TRAFFIC_TABLE_LISTED;
}

/* Fibonacci hashing: the high bits of a product spread neighbouring numbers. */
static uint32_t start_of(uint32_t capacity, int32_t neighbour)
{
    uint32_t mixed = (uint32_t)neighbour * 2654435769U;
    return (mixed ^ (mixed >> 15)) & (capacity - 1);
}

/* Where the neighbour stands; else *found is false, and it is the place where it may be put. */
static uint32_t find_hashed(const traffic_table *table, int32_t neighbour, bool *found)
{
    const int32_t *keys = neighbours_of(table);
    uint32_t mask = table->capacity - 1, at = start_of(table->capacity, neighbour);
    while (keys[at] != neighbour && keys[at] != NOBODY) {
        at = (at + 1) & mask;
    }
    *found = keys[at] == neighbour;
    return at;
}

static uint32_t find(const traffic_table *table, int32_t neighbour, bool *found)
{
    if (hashed(table)) {
        return find_hashed(table, neighbour, found);
    }
    const int32_t *keys = neighbours_of(table);
    for (uint32_t at = 0; at < table->used; at++) {
        if (keys[at] == neighbour) {
            *found = true;
            return at;
        }
    }
    *found = false;
    return table->used;
}

static void put(traffic_table *table, uint32_t at, int32_t neighbour, int64_t traffic)
{
    int32_t *keys = neighbours_of(table);
    table->used++;
    keys[at] = neighbour;
    table->traffic[at] = traffic;
}

static bool rebuild(traffic_table *table, uint32_t capacity)
{
    traffic_table grown = {.capacity = capacity};
    grown.traffic = malloc((size_t)capacity * (sizeof(int64_t) + sizeof(int32_t)));
    if (grown.traffic == NULL) {
        return false;
    }
    if (hashed(&grown)) {
        memset(neighbours_of(&grown), 0xFF, (size_t)capacity * sizeof(int32_t)); /* NOBODY */
    }
    int32_t neighbour;
    int64_t traffic;
    for (uint32_t at = 0; traffic_table_next(table, &at, &neighbour, &traffic);) {
        bool found = false;
        uint32_t to = hashed(&grown) ? find_hashed(&grown, neighbour, &found) : grown.used;
        put(&grown, to, neighbour, traffic);
    }
    free(table->traffic);
    *table = grown;
    return true;
}

/* A list as long as asked for, or a hash table at most half full when it is made. */
static uint32_t capacity_for(uint32_t count)
{
    if (count <= TRAFFIC_TABLE_LISTED) {
        return count < SMALLEST ? SMALLEST : count;
    }
    uint32_t capacity = 2 * TRAFFIC_TABLE_LISTED;
    while (capacity < 2 * count) {
        capacity *= 2;
    }
    return capacity;
}

static bool make_room(traffic_table *table)
{
    if (!hashed(table)) {
        return table->used < table->capacity || rebuild(table, capacity_for(table->used + table->used / 2 + 1));
    }
    bool room = (uint64_t)table->used * 4 < (uint64_t)table->capacity * 3;
    return room || rebuild(table, 2 * table->capacity);
}

int64_t traffic_table_add(traffic_table *table, int32_t neighbour, int64_t traffic)
{
    bool found;
    uint32_t at = find(table, neighbour, &found);
    if (found) {
        return table->traffic[at] += traffic;
    }
    uint32_t before = table->capacity;
    if (!make_room(table)) {
        return -1;
    }
    if (table->capacity != before) {
        at = find(table, neighbour, &found);
    }
    put(table, at, neighbour, traffic);
    return traffic;
}

int64_t traffic_table_get(const traffic_table *table, int32_t neighbour, int64_t missing)
{
    bool found = false;
    uint32_t at = table->used > 0 ? find(table, neighbour, &found) : 0;
    return found ? table->traffic[at] : missing;
}

/* Those behind a hole move up as far as where their search begins, so that no search ends too early. */
static void close_hole(traffic_table *table, uint32_t hole)
{
    int32_t *keys = neighbours_of(table);
    uint32_t mask = table->capacity - 1;
    for (uint32_t at = (hole + 1) & mask; keys[at] != NOBODY; at = (at + 1) & mask) {
        uint32_t start = start_of(table->capacity, keys[at]);
        if (((at - start) & mask) >= ((at - hole) & mask)) {
            keys[hole] = keys[at];
            table->traffic[hole] = table->traffic[at];
            hole = at;
        }
    }
    keys[hole] = NOBODY;
}

int64_t traffic_table_remove(traffic_table *table, int32_t neighbour, int64_t missing)
{
    bool found = false;
    uint32_t at = table->used > 0 ? find(table, neighbour, &found) : 0;
    if (!found) {
        return missing;
    }
    int64_t traffic = table->traffic[at];
    table->used--;
    if (hashed(table)) {
        close_hole(table, at);
    } else {
        int32_t *keys = neighbours_of(table);
        keys[at] = keys[table->used];
        table->traffic[at] = table->traffic[table->used];
    }
    return traffic;
}

bool traffic_table_next(const traffic_table *table, uint32_t *at, int32_t *neighbour, int64_t *traffic)
{
    uint32_t end = hashed(table) ? table->capacity : table->used;
    const int32_t *keys = neighbours_of(table);
    while (*at < end && keys[*at] < 0) {
        ++*at;
    }
    if (*at >= end) {
        return false;
    }
    *neighbour = keys[*at];
    *traffic = table->traffic[*at];
    ++*at;
    return true;
}

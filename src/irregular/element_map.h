/* A hash table from global numbers of elements to local ones: open addressing, flat. Results never depend on its order. */
#ifndef IRREGULAR_ELEMENT_MAP_H
#define IRREGULAR_ELEMENT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct element_slot {
    int64_t global;
    int32_t mark; /**< local number + 1; 0: empty */
} element_slot;

/** Zero-initialised is empty. */
typedef struct element_map {
    element_slot *slot;
    size_t capacity; /**< power of two, or 0 */
    size_t used;
    int shift; /**< 64 less the number of bits of `capacity` */
} element_map;

void element_map_clear(element_map *map);

/** Room for so many elements in all; false when out of memory (map unchanged). */
bool element_map_reserve(element_map *map, size_t elements);

/* Multiplicative hashing: D. E. Knuth, The Art of Computer Programming 3, section 6.4. */
static inline size_t element_map_home(const element_map *map, int64_t global)
{
    return (size_t)(((uint64_t)global * 0x9E3779B97F4A7C15U) >> map->shift);
}

/** Brings what element_map_find() will look at into the cache; there must be room for one element. */
static inline void element_map_announce(const element_map *map, int64_t global)
{
    __builtin_prefetch(&map->slot[element_map_home(map, global)]);
}

/** The slot of an element, or the empty one that it would take; there must be room for one more element. */
static inline element_slot *element_map_find(const element_map *map, int64_t global)
{
    size_t at = element_map_home(map, global);
    while (map->slot[at].mark != 0 && map->slot[at].global != global) {
        at = (at + 1) & (map->capacity - 1);
    }
    return &map->slot[at];
}

/** Fills an empty slot that element_map_find() has just found. */
static inline void element_map_fill(element_map *map, element_slot *slot, int64_t global, int32_t local)
{
    *slot = (element_slot){.global = global, .mark = local + 1};
    map->used++;
}

#endif

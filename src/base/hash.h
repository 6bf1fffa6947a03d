/* Hash tables with flat storage: ids to 64-bit numbers, and names to ids. Results never depend on their order. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Open addressing from 32-bit ids (>= 0) to 64-bit values. Zero-initialised is empty. */
typedef struct id_map {
    int32_t *keys; /**< -1 empty, -2 removed */
    int64_t *values;
    uint32_t capacity; /**< power of two, or 0 */
    uint32_t used;     /**< live entries */
    uint32_t filled;   /**< live and removed */
} id_map;

void id_map_clear(id_map *map);

/** Add to the value of a key (0 where it is new); the new value, or -1 when out of memory (map unchanged). */
int64_t id_map_add(id_map *map, int32_t key, int64_t value);

/** The value, or `missing`. */
int64_t id_map_get(const id_map *map, int32_t key, int64_t missing);

/** Remove a key; its value, or `missing`. */
int64_t id_map_remove(id_map *map, int32_t key, int64_t missing);

/** Slot by slot iteration: for (uint32_t s = 0; id_map_next(map, &s, &key, &value);) */
bool id_map_next(const id_map *map, uint32_t *slot, int32_t *key, int64_t *value);

/** From names to ids. The names are kept by the caller and must stay where they are. Zero-initialised is empty. */
typedef struct name_map {
    uint8_t *tags;     /**< `capacity` slots, a power of two or 0 */
    uint32_t *numbers; /**< of entries, in the slots that are used */
    struct name_entry *entries;
    size_t capacity, used, entry_capacity;
} name_map;

void name_map_clear(name_map *map);
bool name_map_put(name_map *map, const char *name, int32_t id); /**< false when out of memory; replaces */
int32_t name_map_get(const name_map *map, const char *name);    /**< -1 where there is none */

/** A name on its way into a map, and where it stands or belongs there until something else is put. */
typedef struct name_spot {
    size_t size, slot;
    uint32_t hash;
    int32_t id; /**< -1 where the name is new */
} name_spot;

/**
 * First step: size and hash of the name. What the second step will look at begins to come into the cache, so that some
 * names may be announced before the first of them is sought.
 */
void name_map_announce(const name_map *map, const char *name, name_spot *spot);

/** Second: look for it and make room for it; false when out of memory. */
bool name_map_seek(name_map *map, const char *name, name_spot *spot);

/** Third: put the name, as kept by the caller, where it was found or belongs. */
void name_map_fill(name_map *map, const name_spot *spot, const char *name, int32_t id);

bool name_map_reserve(name_map *map, size_t names); /**< room for so many in all; false when out of memory */

#endif

/* Hash tables with flat storage. */
#include "base/hash.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { EMPTY = -1, REMOVED = -2, SMALLEST = 8, LOOK_AHEAD = 16 };

void id_map_clear(id_map *map)
{
    free(map->keys);
    free(map->values);
    *map = (id_map){0};
}

/* Fibonacci hashing: the high bits of a product spread neighbouring ids. */
static uint32_t slot_of(uint32_t capacity, int32_t key)
{
    uint32_t mixed = (uint32_t)key * 2654435769u;
    return (mixed ^ (mixed >> 15)) & (capacity - 1);
}

/* The slot that holds the key, or the first one free for it. */
static uint32_t probe(const id_map *map, int32_t key, bool *found)
{
    uint32_t slot = slot_of(map->capacity, key);
    uint32_t vacant = map->capacity;
    for (;; slot = (slot + 1) & (map->capacity - 1)) {
        if (map->keys[slot] == key) {
            *found = true;
            return slot;
        }
        if (map->keys[slot] == REMOVED && vacant == map->capacity) {
            vacant = slot;
        }
        if (map->keys[slot] == EMPTY) {
            *found = false;
            return vacant == map->capacity ? slot : vacant;
        }
    }
}

static bool rebuild(id_map *map, uint32_t capacity)
{
    id_map grown = {.capacity = capacity};
    grown.keys = memory_array(capacity, sizeof *grown.keys);
    grown.values = memory_array(capacity, sizeof *grown.values);
    if (grown.keys == NULL || grown.values == NULL) {
        id_map_clear(&grown);
        return false;
    }
    memset(grown.keys, 0xFF, capacity * sizeof *grown.keys);
    for (uint32_t i = 0; i < map->capacity; i++) {
        if (map->keys[i] >= 0) {
            bool found;
            uint32_t slot = probe(&grown, map->keys[i], &found);
            grown.keys[slot] = map->keys[i];
            grown.values[slot] = map->values[i];
        }
    }
    free(map->keys);
    free(map->values);
    map->keys = grown.keys;
    map->values = grown.values;
    map->capacity = capacity;
    map->filled = map->used;
    return true;
}

int64_t id_map_add(id_map *map, int32_t key, int64_t value)
{
    if ((uint64_t)map->filled * 4 >= (uint64_t)map->capacity * 3) {
        uint32_t capacity = SMALLEST;
        while ((uint64_t)capacity < (uint64_t)map->used * 2 + 2) {
            capacity *= 2;
        }
        if (!rebuild(map, capacity)) {
            return -1;
        }
    }
    bool found;
    uint32_t slot = probe(map, key, &found);
    if (found) {
        return map->values[slot] += value;
    }
    map->filled += map->keys[slot] == EMPTY;
    map->used++;
    map->keys[slot] = key;
    map->values[slot] = value;
    return value;
}

int64_t id_map_get(const id_map *map, int32_t key, int64_t missing)
{
    if (map->capacity == 0) {
        return missing;
    }
    bool found;
    uint32_t slot = probe(map, key, &found);
    return found ? map->values[slot] : missing;
}

int64_t id_map_remove(id_map *map, int32_t key, int64_t missing)
{
    if (map->capacity == 0) {
        return missing;
    }
    bool found;
    uint32_t slot = probe(map, key, &found);
    if (!found) {
        return missing;
    }
    map->keys[slot] = REMOVED;
    map->used--;
    return map->values[slot];
}

bool id_map_next(const id_map *map, uint32_t *slot, int32_t *key, int64_t *value)
{
    for (; *slot < map->capacity; (*slot)++) {
        if (map->keys[*slot] >= 0) {
            *key = map->keys[*slot];
            *value = map->values[*slot];
            (*slot)++;
            return true;
        }
    }
    return false;
}

/* ---- Names ---- */

/*
 * Names stand in the order in which they came; the table leads to them by number. A byte of each slot's hash, 0 where
 * the slot is empty, has an array of its own that stays in the cache where the rest does not: it alone tells a new name,
 * which is the rule.
 */
struct name_entry {
    const char *name;
    uint32_t hash;
    int32_t id;
};

void name_map_clear(name_map *map)
{
    free(map->tags);
    free(map->numbers);
    free(map->entries);
    *map = (name_map){0};
}

static uint64_t eight_bytes(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* All of up to 8 bytes as a number: for more than 3 the two halves overlap, for fewer single bytes do. */
static uint64_t last_bytes(const char *bytes, size_t size)
{
    if (size > 3) {
        uint32_t first, last;
        memcpy(&first, bytes, sizeof first);
        memcpy(&last, bytes + size - sizeof last, sizeof last);
        return (uint64_t)first << 32 | last;
    }
    return size == 0 ? 0
                     : (uint64_t)(unsigned char)bytes[0] << 16 | (uint64_t)(unsigned char)bytes[size / 2] << 8 |
                           (unsigned char)bytes[size - 1];
}

/* Multiply and fold, 8 bytes at a time; the factors are those of MurmurHash3 (Appleby 2011). */
static uint32_t name_hash(const char *name, size_t size)
{
    uint64_t hash = size + UINT64_C(0x9e3779b97f4a7c15);
    for (; size > 8; size -= 8, name += 8) {
        hash = (hash ^ eight_bytes(name)) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    hash = (hash ^ last_bytes(name, size)) * UINT64_C(0xff51afd7ed558ccd);
    hash = (hash ^ hash >> 32) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (uint32_t)(hash >> 32);
}

/* The high bits: the low ones choose the slot. */
static uint8_t name_tag(uint32_t hash)
{
    return (uint8_t)(hash >> 25 | 0x80);
}

/* The slot that holds the name, or the empty one where it belongs. */
static size_t name_slot(const name_map *map, const char *name, size_t size, uint32_t hash)
{
    size_t slot = hash & (map->capacity - 1);
    for (; map->tags[slot] != 0; slot = (slot + 1) & (map->capacity - 1)) {
        if (map->tags[slot] != name_tag(hash)) {
            continue;
        }
        const struct name_entry *entry = &map->entries[map->numbers[slot]];
        if (entry->hash == hash && strncmp(entry->name, name, size) == 0 && entry->name[size] == '\0') {
            break;
        }
    }
    return slot;
}

/* The slot is about to be looked at, and written to. */
static void prefetch(const uint8_t *tags, const uint32_t *numbers, size_t slot)
{
    __builtin_prefetch(&tags[slot], 1);
    __builtin_prefetch(&numbers[slot], 1);
}

/* So many slots, with all names in them. */
static bool name_map_widen(name_map *map, size_t capacity)
{
    uint8_t *tags = memory_zeroed(capacity, sizeof *tags);
    uint32_t *numbers = memory_array(capacity, sizeof *numbers);
    if (tags == NULL || numbers == NULL) {
        free(tags);
        free(numbers);
        return false;
    }
    for (size_t i = 0; i < map->used; i++) {
        if (i + LOOK_AHEAD < map->used) {
            prefetch(tags, numbers, map->entries[i + LOOK_AHEAD].hash & (capacity - 1));
        }
        uint32_t hash = map->entries[i].hash;
        size_t slot = hash & (capacity - 1);
        while (tags[slot] != 0) {
            slot = (slot + 1) & (capacity - 1);
        }
        tags[slot] = name_tag(hash);
        numbers[slot] = (uint32_t)i;
    }
    free(map->tags);
    free(map->numbers);
    map->tags = tags;
    map->numbers = numbers;
    map->capacity = capacity;
    return true;
}

bool name_map_reserve(name_map *map, size_t names)
{
    size_t capacity = map->capacity < 16 ? 16 : map->capacity;
    while (capacity / 3 * 2 < names) {
        capacity *= 2;
    }
    return (capacity == map->capacity || name_map_widen(map, capacity)) &&
           memory_grow((void **)&map->entries, &map->entry_capacity, names, sizeof *map->entries);
}

void name_map_announce(const name_map *map, const char *name, name_spot *spot)
{
    spot->size = strlen(name);
    spot->hash = name_hash(name, spot->size);
    if (map->capacity > 0) {
        prefetch(map->tags, map->numbers, spot->hash & (map->capacity - 1));
    }
}

bool name_map_seek(name_map *map, const char *name, name_spot *spot)
{
    if (!name_map_reserve(map, map->used + 1)) {
        return false;
    }
    spot->slot = name_slot(map, name, spot->size, spot->hash);
    spot->id = map->tags[spot->slot] == 0 ? -1 : map->entries[map->numbers[spot->slot]].id;
    return true;
}

void name_map_fill(name_map *map, const name_spot *spot, const char *name, int32_t id)
{
    if (map->tags[spot->slot] == 0) {
        map->tags[spot->slot] = name_tag(spot->hash);
        map->numbers[spot->slot] = (uint32_t)map->used++;
    }
    map->entries[map->numbers[spot->slot]] = (struct name_entry){name, spot->hash, id};
}

bool name_map_put(name_map *map, const char *name, int32_t id)
{
    name_spot spot;
    name_map_announce(map, name, &spot);
    if (!name_map_seek(map, name, &spot)) {
        return false;
    }
    name_map_fill(map, &spot, name, id);
    return true;
}

int32_t name_map_get(const name_map *map, const char *name)
{
    if (map->capacity == 0) {
        return -1;
    }
    size_t size = strlen(name);
    size_t slot = name_slot(map, name, size, name_hash(name, size));
    return map->tags[slot] == 0 ? -1 : map->entries[map->numbers[slot]].id;
}

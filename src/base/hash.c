/* Hash tables with flat storage. */
#include "base/hash.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { EMPTY = -1, REMOVED = -2, SMALLEST = 8 };

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

void name_map_clear(name_map *map)
{
    free(map->names);
    free(map->ids);
    *map = (name_map){0};
}

/* FNV-1a. */
static size_t name_slot(const name_map *map, const char *name)
{
    uint64_t hash = 14695981039346656037u;
    for (const char *c = name; *c != '\0'; c++) {
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    }
    size_t slot = (size_t)(hash ^ (hash >> 32)) & (map->capacity - 1);
    while (map->names[slot] != NULL && strcmp(map->names[slot], name) != 0) {
        slot = (slot + 1) & (map->capacity - 1);
    }
    return slot;
}

static bool name_map_grow(name_map *map)
{
    name_map grown = {.capacity = map->capacity == 0 ? 16 : map->capacity * 2, .used = map->used};
    grown.names = memory_zeroed(grown.capacity, sizeof *grown.names);
    grown.ids = memory_array(grown.capacity, sizeof *grown.ids);
    if (grown.names == NULL || grown.ids == NULL) {
        name_map_clear(&grown);
        return false;
    }
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->names[i] != NULL) {
            size_t slot = name_slot(&grown, map->names[i]);
            grown.names[slot] = map->names[i];
            grown.ids[slot] = map->ids[i];
        }
    }
    free((void *)map->names);
    free(map->ids);
    map->names = grown.names;
    map->ids = grown.ids;
    map->capacity = grown.capacity;
    return true;
}

bool name_map_put(name_map *map, const char *name, int32_t id)
{
    if (map->used * 3 >= map->capacity * 2 && !name_map_grow(map)) {
        return false;
    }
    size_t slot = name_slot(map, name);
    map->used += map->names[slot] == NULL;
    map->names[slot] = name;
    map->ids[slot] = id;
    return true;
}

int32_t name_map_get(const name_map *map, const char *name)
{
    if (map->capacity == 0) {
        return -1;
    }
    size_t slot = name_slot(map, name);
    return map->names[slot] == NULL ? -1 : map->ids[slot];
}

#include "irregular/element_map.h"
#include "base/memory.h"
#include <stdlib.h>

void element_map_clear(element_map *map)
{
    free(map->slot);
    *map = (element_map){0};
}

/* At most two thirds of the slots are used. */
static bool fits(size_t elements, size_t capacity)
{
    return elements <= capacity / 3 * 2;
}

bool element_map_reserve(element_map *map, size_t elements)
{
    if (fits(elements, map->capacity)) {
        return true;
    }
    element_map grown = {.capacity = 16, .shift = 60, .used = map->used};
    while (!fits(elements, grown.capacity)) {
        grown.capacity *= 2;
        grown.shift--;
    }
    grown.slot = memory_zeroed(grown.capacity, sizeof *grown.slot);
    if (grown.slot == NULL) {
        return false;
    }
    for (size_t k = 0; k < map->capacity; k++) {
        if (map->slot[k].mark != 0) {
            *element_map_find(&grown, map->slot[k].global) = map->slot[k];
        }
    }
    free(map->slot);
    *map = grown;
    return true;
}

/*
 * A set of slots (levels, instants): bits where there are few slots in all, so that two sets are compared by words; a
 * hash table where there are many.
 */
#ifndef MAPPING_SLOT_SET_H
#define MAPPING_SLOT_SET_H

#include "base/hash.h"
#include <stdbool.h>
#include <stdint.h>

/* Up to so many slots in all a set is kept as bits: 256 bytes at most. */
enum { SLOT_BITS = 2048 };

typedef struct slot_set {
    uint64_t *bits; /**< NULL: `map` holds the slots */
    int32_t words;
    int32_t count;
    id_map map;
} slot_set;

bool slot_set_make(slot_set *set, int32_t slots_in_all); /**< empty; false when out of memory */
void slot_set_clear(slot_set *set);
bool slot_set_add(slot_set *set, int32_t slot); /**< once or again; false when out of memory */
bool slot_set_has(const slot_set *set, int32_t slot);
bool slot_set_meets(const slot_set *a, const slot_set *b); /**< whether they share a slot */

/** for (uint32_t at = 0; slot_set_next(set, &at, &slot);) */
bool slot_set_next(const slot_set *set, uint32_t *at, int32_t *slot);

#endif

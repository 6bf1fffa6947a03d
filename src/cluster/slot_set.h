/*
 * A set of slots (levels, instants): a few in a list; more of them as bits where there are few slots in all, so that two
 * sets are compared by words; and else in a hash table.
 */
#ifndef CLUSTER_SLOT_SET_H
#define CLUSTER_SLOT_SET_H

#include "base/hash.h"
#include <stdbool.h>
#include <stdint.h>

/* Up to so many slots in all a set is kept as bits: 256 bytes at most. Up to so many members it is a list. */
enum { SLOT_BITS = 2048, SLOT_FEW = 6 };

typedef enum slot_form { SLOTS_LISTED, SLOTS_AS_BITS, SLOTS_HASHED } slot_form;

typedef struct slot_set {
    int32_t count;
    uint16_t words; /**< that bits would take; 0: too many slots for bits */
    uint8_t form;   /**< slot_form, in one byte: there is a set for every cluster of several modules */
    union {
        int32_t few[SLOT_FEW];
        uint64_t *bits;
        id_map *map;
    };
} slot_set;

void slot_set_make(slot_set *set, int32_t slots_in_all); /**< empty */
void slot_set_clear(slot_set *set);
bool slot_set_add(slot_set *set, int32_t slot); /**< once or again; false when out of memory */
bool slot_set_has(const slot_set *set, int32_t slot);
bool slot_set_meets(const slot_set *a, const slot_set *b); /**< whether they share a slot */

/** for (uint32_t at = 0; slot_set_next(set, &at, &slot);) */
bool slot_set_next(const slot_set *set, uint32_t *at, int32_t *slot);

#endif

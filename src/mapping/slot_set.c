/* A set of slots. */
#include "mapping/slot_set.h"
#include "base/memory.h"
#include <stdlib.h>

bool slot_set_make(slot_set *set, int32_t slots_in_all)
{
    *set = (slot_set){0};
    if (slots_in_all > SLOT_BITS) {
        return true;
    }
    set->words = slots_in_all / 64 + 1;
    set->bits = memory_zeroed((size_t)set->words, sizeof *set->bits);
    return set->bits != NULL;
}

void slot_set_clear(slot_set *set)
{
    free(set->bits);
    id_map_clear(&set->map);
}

bool slot_set_has(const slot_set *set, int32_t slot)
{
    return set->bits != NULL ? set->bits[slot / 64] >> (slot % 64) & 1 : id_map_get(&set->map, slot, 0) > 0;
}

bool slot_set_add(slot_set *set, int32_t slot)
{
    if (slot_set_has(set, slot)) {
        return true;
    }
    set->count++;
    if (set->bits != NULL) {
        set->bits[slot / 64] |= UINT64_C(1) << (slot % 64);
        return true;
    }
    return id_map_add(&set->map, slot, 1) > 0;
}

bool slot_set_meets(const slot_set *a, const slot_set *b)
{
    if (a->bits != NULL) {
        for (int32_t w = 0; w < a->words; w++) {
            if (a->bits[w] & b->bits[w]) {
                return true;
            }
        }
        return false;
    }
    const slot_set *few = a->count <= b->count ? a : b, *many = few == a ? b : a;
    int32_t slot;
    for (uint32_t at = 0; slot_set_next(few, &at, &slot);) {
        if (slot_set_has(many, slot)) {
            return true;
        }
    }
    return false;
}

bool slot_set_next(const slot_set *set, uint32_t *at, int32_t *slot)
{
    int64_t mark;
    if (set->bits == NULL) {
        return id_map_next(&set->map, at, slot, &mark);
    }
    while (*at < (uint32_t)set->words * 64) {
        uint64_t rest = set->bits[*at / 64] >> (*at % 64);
        if (rest != 0) {
            *at += (uint32_t)__builtin_ctzll(rest);
            *slot = (int32_t)(*at)++;
            return true;
        }
        *at = (*at / 64 + 1) * 64;
    }
    return false;
}

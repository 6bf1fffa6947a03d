/* A set of slots. */
#include "cluster/slot_set.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

void slot_set_make(slot_set *set, int32_t slots_in_all)
{
    *set = (slot_set){.form = SLOTS_LISTED};
    if (slots_in_all <= SLOT_BITS) {
        set->words = (uint16_t)(slots_in_all / 64 + 1);
    }
}

void slot_set_clear(slot_set *set)
{
    if (set->form == SLOTS_AS_BITS) {
        free(set->bits);
    } else if (set->form == SLOTS_HASHED) {
        id_map_clear(set->map);
        free(set->map);
    }
    *set = (slot_set){.form = SLOTS_LISTED};
}

bool slot_set_has(const slot_set *set, int32_t slot)
{
    switch ((slot_form)set->form) {
    case SLOTS_AS_BITS: return set->bits[slot / 64] >> (slot % 64) & 1;
    case SLOTS_HASHED: return id_map_get(set->map, slot, 0) > 0;
    case SLOTS_LISTED: break;
    }
    bool found = false;
    for (int32_t i = 0; i < set->count; i++) {
        found |= set->few[i] == slot;
    }
    return found;
}

static void set_bit(slot_set *set, int32_t slot)
{
    set->bits[slot / 64] |= UINT64_C(1) << (slot % 64);
}

/* The list is full. */
static bool leave_list(slot_set *set)
{
    int32_t few[SLOT_FEW];
    memcpy(few, set->few, sizeof few);
    slot_set larger = {.form = set->words > 0 ? SLOTS_AS_BITS : SLOTS_HASHED, .words = set->words, .count = set->count};
    if (larger.form == SLOTS_AS_BITS) {
        larger.bits = memory_zeroed(set->words, sizeof *larger.bits);
    } else {
        larger.map = memory_zeroed(1, sizeof *larger.map);
    }
    if (larger.form == SLOTS_AS_BITS ? larger.bits == NULL : larger.map == NULL) {
        return false;
    }
    for (int i = 0; i < SLOT_FEW; i++) {
        if (larger.form == SLOTS_AS_BITS) {
            set_bit(&larger, few[i]);
        } else if (id_map_add(larger.map, few[i], 1) < 0) {
            slot_set_clear(&larger);
            return false;
        }
    }
    *set = larger;
    return true;
}

bool slot_set_add(slot_set *set, int32_t slot)
{
    if (slot_set_has(set, slot)) {
        return true;
    }
    if (set->form == SLOTS_LISTED && set->count < SLOT_FEW) {
        set->few[set->count++] = slot;
        return true;
    }
    if (set->form == SLOTS_LISTED && !leave_list(set)) {
        return false;
    }
    if (set->form == SLOTS_AS_BITS) {
        set_bit(set, slot);
    } else if (id_map_add(set->map, slot, 1) < 0) {
        return false;
    }
    set->count++;
    return true;
}

bool slot_set_meets(const slot_set *a, const slot_set *b)
{
    if (a->form == SLOTS_AS_BITS && b->form == SLOTS_AS_BITS) {
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
    if (set->form == SLOTS_HASHED) {
        return id_map_next(set->map, at, slot, &mark);
    }
    if (set->form == SLOTS_LISTED) {
        if (*at >= (uint32_t)set->count) {
            return false;
        }
        *slot = set->few[(*at)++];
        return true;
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

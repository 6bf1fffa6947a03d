/* Values of any length to numbers: a hash table beside a list. */
#include "synth/intern.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

typedef struct intern_value {
    size_t begin, words;
    uint64_t hash;
} intern_value;

void intern_clear(intern *table)
{
    free(table->word);
    free(table->value);
    free(table->slot);
    *table = (intern){0};
}

static uint64_t hash_words(const int32_t *word, size_t words)
{
    uint64_t hash = words;
    for (size_t k = 0; k < words; k++) {
        hash = (hash ^ (uint32_t)word[k]) * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 over the golden ratio */
        hash ^= hash >> 32;
    }
    return hash;
}

/* Twice as many slots, or the first ones. */
static int grow(intern *table)
{
    size_t slots = table->slots == 0 ? 64 : 2 * table->slots;
    uint32_t *slot = memory_zeroed(slots, sizeof *slot);
    if (slot == NULL) {
        return -1;
    }
    for (int32_t number = 0; number < table->count; number++) {
        size_t at = table->value[number].hash & (slots - 1);
        while (slot[at] != 0) {
            at = (at + 1) & (slots - 1);
        }
        slot[at] = (uint32_t)number + 1;
    }
    free(table->slot);
    table->slot = slot;
    table->slots = slots;
    return 0;
}

static int make_room(intern *table, size_t words)
{
    size_t count = (size_t)table->count;
    bool room = table->count < INT32_MAX &&
                memory_grow((void **)&table->word, &table->word_room, table->words + words, sizeof *table->word) &&
                memory_grow((void **)&table->value, &table->value_room, count + 1, sizeof *table->value);
    return !room ? -1 : count + 1 > table->slots / 2 ? grow(table) : 0;
}

static bool is_value(const intern_value *value, const int32_t *pool, uint64_t hash, const int32_t *word, size_t words)
{
    return value->hash == hash && value->words == words &&
           (words == 0 || memcmp(pool + value->begin, word, words * sizeof *word) == 0);
}

int32_t intern_put(intern *table, const int32_t *word, size_t words)
{
    if (make_room(table, words) != 0) {
        return -1;
    }
    uint64_t hash = hash_words(word, words);
    size_t at = hash & (table->slots - 1);
    for (; table->slot[at] != 0; at = (at + 1) & (table->slots - 1)) {
        int32_t number = (int32_t)(table->slot[at] - 1);
        if (is_value(&table->value[number], table->word, hash, word, words)) {
            return number;
        }
    }
    table->value[table->count] = (intern_value){table->words, words, hash};
    if (words > 0) {
        memcpy(table->word + table->words, word, words * sizeof *word);
    }
    table->words += words;
    table->slot[at] = (uint32_t)table->count + 1;
    return table->count++;
}

const int32_t *intern_at(const intern *table, int32_t number, size_t *words)
{
    const intern_value *value = &table->value[number];
    *words = value->words;
    return table->word + value->begin;
}

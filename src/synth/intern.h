/* Values numbered in the order in which they are first seen: equal words, one number. Its order never depends on hashes. */
#ifndef SYNTH_INTERN_H
#define SYNTH_INTERN_H

#include <stddef.h>
#include <stdint.h>

/** Zero-initialised is empty. */
typedef struct intern {
    int32_t *word; /**< of all values, one behind the other */
    size_t words, word_room;
    struct intern_value *value; /**< of every number */
    size_t value_room;
    int32_t count;
    uint32_t *slot; /**< numbers + 1, open addressing; 0 is empty */
    size_t slots;   /**< a power of two, or 0 */
} intern;

void intern_clear(intern *table);

/** The number of a value; -1 when out of memory, or of numbers. */
int32_t intern_put(intern *table, const int32_t *word, size_t words);

/** The words of a value, until the next one is put. */
const int32_t *intern_at(const intern *table, int32_t number, size_t *words);

#endif

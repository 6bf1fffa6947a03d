/* From addresses to numbers of elements. */
#include "irregular/whole/whole.h"
#include <stdlib.h>
#include <string.h>

page *whole_page(const whole_state *w, uintptr_t at)
{
    uintptr_t number = at >> PAGE_BITS, high = number >> MAP_BITS;
    page **row = high < MAP_SIZE ? w->map[high] : NULL;
    return row == NULL ? NULL : row[number & (MAP_SIZE - 1)];
}

page *whole_page_made(whole_state *w, uintptr_t at)
{
    uintptr_t number = at >> PAGE_BITS, high = number >> MAP_BITS;
    if (high >= MAP_SIZE) {
        return NULL;
    }
    if (w->map[high] == NULL) {
        w->map[high] = memory_zeroed(MAP_SIZE, sizeof **w->map);
        if (w->map[high] == NULL) {
            return NULL;
        }
    }
    page **p = &w->map[high][number & (MAP_SIZE - 1)];
    if (*p == NULL) {
        *p = memory_zeroed(1, sizeof **p);
    }
    return *p;
}

/* The elements of a word; the number of the first, or -1 where memory is out. */
static int32_t add_elements(whole_state *w, uintptr_t word, int shift)
{
    const int32_t count = 8 >> shift;
    char *at = (char *)word; // NOLINT(performance-no-int-to-ptr)
    if (w->elements + count >= INT64_C(1) << 30 ||
        !memory_grow((void **)&w->element, &w->element_room, (size_t)(w->elements + count), sizeof *w->element)) {
        return -1;
    }
    int32_t first = (int32_t)w->elements;
    for (int32_t i = 0; i < count; i++) {
        w->element[first + i] =
            (element){.at = at + ((ptrdiff_t)i << shift), .cluster = -1, .group = -1, .bytes = (uint8_t)(1 << shift)};
    }
    w->elements += count;
    return first;
}

static uint32_t entry_of(int32_t first, int shift)
{
    return ((uint32_t)first + 1) << 2 | (uint32_t)shift;
}

static bool make_elements(whole_state *w, page *p, uintptr_t word, int shift)
{
    size_t i = word % PAGE_BYTES / 8;
    int32_t first = add_elements(w, word, shift);
    if (first < 0) {
        return false;
    }
    p->word[i] = entry_of(first, shift);
    return true;
}

/* What was accumulated to an element is accumulated to the number that its parts make up. */
static void number_parts(inspection *in, element *of, int32_t old, int32_t first, int32_t parts)
{
    bool inside = (of[old].number & PART_OF_NUMBER) != 0;
    for (int32_t j = 1; j < parts; j++) {
        of[first + j].number |= PART_OF_NUMBER;
        if (!inside) {
            whole_note_part(in, first, first + j);
        }
    }
    for (size_t n = 0, known = in->parts; n < known; n++) {
        if (in->part[n][0] == old) {
            in->part[n][0] = first;
        } else if (in->part[n][1] == old) {
            in->part[n][1] = first;
            for (int32_t j = 1; j < parts; j++) {
                whole_note_part(in, in->part[n][0], first + j);
            }
        }
    }
}

/* The word's elements become smaller. What is known of them holds for their parts. */
static bool divide(whole_state *w, page *p, uintptr_t word, int shift)
{
    size_t i = word % PAGE_BYTES / 8;
    int was = (int)(p->word[i] & 3);
    int32_t old = (int32_t)(p->word[i] >> 2) - 1, parts = 1 << (was - shift);
    int32_t first = add_elements(w, word, shift);
    inspection *in = &w->in;
    if (first < 0 || !memory_grow((void **)&in->divided, &in->division_room, in->divisions + (size_t)(8 >> was),
                                  sizeof *in->divided)) {
        return false;
    }
    for (int32_t k = 0; k < 8 >> was; k++, old++) {
        int32_t to = first + k * parts;
        for (int32_t j = 0; j < parts; j++) {
            char *at = w->element[to + j].at;
            w->element[to + j] = w->element[old];
            w->element[to + j].at = at;
            w->element[to + j].bytes = (uint8_t)(1 << shift);
        }
        if (w->element[old].seen == in->stamp && (w->element[old].kinds & ~(READS | WRITES)) != 0) {
            number_parts(in, w->element, old, to, parts);
        }
        in->divided[in->divisions++] = (division){.old = old, .first = to, .count = parts};
        w->element[old].at = NULL;
        w->forgotten++;
    }
    p->word[i] = entry_of(first, shift);
    w->distribution++; /* plans have the old numbers in them */
    w->settle_made = false;
    return in->status == INLAY_OK;
}

int32_t whole_elements_of(whole_state *w, page *p, uintptr_t at, size_t size, int32_t *first)
{
    size_t low = at % 8, high = low + size;
    int shift = 3;
    while (((low | high) & ((1U << shift) - 1)) != 0) {
        shift--;
    }
    uintptr_t word = at - low;
    size_t i = word % PAGE_BYTES / 8;
    if (p->word[i] == 0) {
        if (!make_elements(w, p, word, shift)) {
            return 0;
        }
    } else if ((int)(p->word[i] & 3) > shift && !divide(w, p, word, shift)) {
        return 0;
    }
    int of = (int)(p->word[i] & 3);
    *first = (int32_t)(p->word[i] >> 2) - 1 + (int32_t)(low >> of);
    return (int32_t)(size >> of);
}

/* ---- Divided elements in lists ---- */

static int by_old(const void *a, const void *b)
{
    const division *x = a, *y = b;
    return (x->old > y->old) - (x->old < y->old);
}

/* Writes the parts of an element behind `count` others of a list (NULL: counts them); `id` itself where it is whole. */
static int64_t parts_of(const inspection *in, int32_t id, int32_t *list, int64_t count)
{
    int32_t waiting[3 * 8] = {id}, left = 1; /* three times at most is a word divided, into eight */
    while (left > 0) {
        const division sought = {.old = waiting[--left]};
        const division *d =
            in->divisions == 0 ? NULL : bsearch(&sought, in->divided, in->divisions, sizeof sought, by_old);
        for (int32_t k = d == NULL ? 0 : d->count; k > 0; k--) {
            waiting[left++] = d->first + k - 1;
        }
        if (d == NULL) {
            if (list != NULL) {
                list[count] = sought.old;
            }
            count++;
        }
    }
    return count;
}

int whole_divide_lists(whole_state *w)
{
    inspection *in = &w->in;
    if (in->divisions == 0) {
        return INLAY_OK;
    }
    qsort(in->divided, in->divisions, sizeof *in->divided, by_old);
    int64_t count = 0;
    for (int64_t t = 0; t < in->touches; t++) {
        count = parts_of(in, in->touched[t], NULL, count);
    }
    int32_t *list = memory_array((size_t)count + 1, sizeof *list);
    if (list == NULL) {
        return INLAY_NO_MEMORY;
    }
    count = 0;
    for (int64_t i = 0; i < in->iterations; i++) {
        int64_t t = in->start[i], end = in->start[i + 1];
        in->start[i] = count;
        for (; t < end; t++) {
            count = parts_of(in, in->touched[t], list, count);
        }
    }
    in->start[in->iterations] = count;
    free(in->touched);
    in->touched = list;
    in->touched_room = (size_t)count + 1;
    in->touches = count;
    return INLAY_OK;
}

void whole_elements_clear(whole_state *w)
{
    for (size_t high = 0; high < MAP_SIZE; high++) {
        for (size_t low = 0; w->map[high] != NULL && low < MAP_SIZE; low++) {
            free(w->map[high][low]);
        }
        free(w->map[high]);
        w->map[high] = NULL;
    }
    w->elements = w->forgotten = w->clusters = 0;
    w->settle_made = false;
    w->distribution++;
    for (loop_state *l = w->loops; l != NULL; l = l->next) {
        for (int i = 0; i < PLANS; i++) {
            whole_plan_clear(&l->plan[i]);
        }
    }
}

/* ---- Groups ---- */

int32_t whole_group_new(whole_state *w)
{
    if (w->groups == INT32_MAX ||
        !memory_grow((void **)&w->group, &w->group_room, (size_t)w->groups + 1, sizeof *w->group)) {
        return -1;
    }
    w->group[w->groups] = (group){.parent = w->groups};
    return w->groups++;
}

int32_t whole_group(whole_state *w, int32_t site)
{
    group *g = w->group;
    while (g[site].parent != site) {
        g[site].parent = g[g[site].parent].parent;
        site = g[site].parent;
    }
    return site;
}

void whole_group_join(whole_state *w, int32_t a, int32_t b)
{
    a = whole_group(w, a);
    b = whole_group(w, b);
    if (a != b) { /* while inspecting: memory is whole */
        int32_t low = a < b ? a : b, high = a < b ? b : a;
        w->group[high].parent = low;
        w->group[low].version = w->group[low].whole = ++w->version;
        w->settle_made = false;
    }
}

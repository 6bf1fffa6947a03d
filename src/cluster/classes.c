/* Clusters in classes of those that are compatible with the same others. */
#include "cluster/classes.h"
#include "base/memory.h"
#include "base/splitmix.h"
#include <stdlib.h>
#include <string.h>

static bool before(rank a, rank b)
{
    return a.work != b.work ? a.work < b.work : a.least < b.least;
}

/* ---- The clusters of one class: a pairing heap ---- */

static inlay_id meld(classes *c, inlay_id a, inlay_id b)
{
    if (a < 0 || b < 0) {
        return a < 0 ? b : a;
    }
    bool swap = before(classes_rank(c, b), classes_rank(c, a));
    inlay_id top = swap ? b : a, below = swap ? a : b;
    c->sibling[below] = c->child[top];
    c->child[top] = below;
    return top;
}

/* The heap without its top: its children melded two by two, then one after the other. */
static inlay_id without_top(classes *c, inlay_id top)
{
    inlay_id pairs = -1, rest = c->child[top];
    while (rest >= 0) {
        inlay_id a = rest, b = c->sibling[rest];
        rest = b < 0 ? -1 : c->sibling[b];
        inlay_id melded = meld(c, a, b);
        c->sibling[melded] = pairs;
        pairs = melded;
    }
    inlay_id whole = -1;
    while (pairs >= 0) {
        inlay_id next = c->sibling[pairs];
        whole = meld(c, whole, pairs);
        pairs = next;
    }
    return whole;
}

/* ---- Their order ---- */

inlay_id classes_place(const classes *c, rank at)
{
    inlay_id low = c->begin, high = c->end;
    while (low < high) {
        inlay_id middle = low + (high - low) / 2;
        if (before(c->items[c->order[middle]].at, at)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Light ones go first and what is merged comes to stand near them, so the lighter side is the shorter to move. */
static void leave_order(classes *c, inlay_id number)
{
    inlay_id at = classes_place(c, c->items[number].at);
    inlay_id *order = c->order;
    if (at - c->begin < c->end - at) {
        memmove(order + c->begin + 1, order + c->begin, (size_t)(at - c->begin) * sizeof *order);
        c->begin++;
    } else {
        memmove(order + at, order + at + 1, (size_t)(c->end - at - 1) * sizeof *order);
        c->end--;
    }
}

static void enter_order(classes *c, inlay_id number)
{
    inlay_id at = classes_place(c, c->items[number].at);
    inlay_id *order = c->order;
    bool forward = c->begin > 0 && (c->end == c->capacity || at - c->begin < c->end - at);
    if (forward) {
        memmove(order + c->begin - 1, order + c->begin, (size_t)(at - c->begin) * sizeof *order);
        c->begin--;
        at--;
    } else {
        memmove(order + at + 1, order + at, (size_t)(c->end - at) * sizeof *order);
        c->end++;
    }
    order[at] = number;
}

/* ---- Finding the class of a cluster ---- */

/* Of a set the sum of its members' hashes: merging two that share no slot adds theirs. */
static uint64_t hash_slots(const partition *part, inlay_id root)
{
    uint64_t sum = 0;
    walk w = {0};
    for (int32_t slot; partition_next_slot(part, root, &w, &slot);) {
        sum += splitmix_hash((uint64_t)slot);
    }
    return sum;
}

/* With overlap modules of the same instants may be compatible, where one precedes the other. */
static bool is_alone(const partition *part, inlay_id root)
{
    walk w = {0};
    int32_t slot;
    return part->p->conflict != NULL || !partition_next_slot(part, root, &w, &slot);
}

static uint64_t key_of(const partition *part, inlay_id root, uint64_t slots)
{
    const cluster *x = &part->clusters[root];
    int64_t memory = part->p->memory_limit < 0 ? 0 : x->memory;
    return slots ^ splitmix_hash((uint64_t)memory ^ splitmix_hash((uint64_t)(int64_t)x->pin));
}

static bool same_slots(const partition *part, inlay_id a, inlay_id b)
{
    int64_t count[2] = {0};
    walk w = {0};
    for (int32_t slot; partition_next_slot(part, a, &w, &slot); count[0]++) {
        if (!partition_has_slot(part, b, slot)) {
            return false;
        }
    }
    w = (walk){0};
    for (int32_t slot; partition_next_slot(part, b, &w, &slot);) {
        count[1]++;
    }
    return count[0] == count[1];
}

static bool same_class(const partition *part, inlay_id a, inlay_id b)
{
    const cluster *x = &part->clusters[a], *y = &part->clusters[b];
    bool memory = part->p->memory_limit < 0 || x->memory == y->memory;
    return memory && x->pin == y->pin && same_slots(part, a, b);
}

static inlay_id find(const classes *c, inlay_id root, uint64_t key)
{
    inlay_id number = c->bucket[key & c->mask];
    while (number >= 0 && (c->items[number].key != key || c->items[number].alone ||
                           !same_class(c->part, c->items[number].lightest, root))) {
        number = c->items[number].next;
    }
    return number;
}

/* ---- Classes that come and go ---- */

static uint64_t crowded_bits(const classes *c, inlay_id root)
{
    uint64_t bits = 0;
    walk w = {0};
    for (int32_t slot; c->crowded_bit != NULL && partition_next_slot(c->part, root, &w, &slot);) {
        bits |= c->crowded_bit[slot] < 0 ? 0 : UINT64_C(1) << c->crowded_bit[slot];
    }
    return bits;
}

static void set_lightest(classes *c, inlay_id number, inlay_id root)
{
    c->items[number].lightest = root;
    c->items[number].at = classes_rank(c, root);
}

/* Add a cluster to its class, `number`, or where that is -1 to a new one, which has no place in the order yet. */
static inlay_id add(classes *c, inlay_id number, inlay_id root, uint64_t slots, bool alone)
{
    c->child[root] = -1;
    if (number >= 0) {
        set_lightest(c, number, meld(c, c->items[number].lightest, root));
    } else {
        uint64_t key = key_of(c->part, root, slots);
        inlay_id *bucket = &c->bucket[key & c->mask];
        number = c->vacant;
        c->vacant = c->items[number].next;
        c->items[number] = (cluster_class){
            .next = *bucket, .slots = slots, .key = key, .crowded = crowded_bits(c, root), .alone = alone};
        set_lightest(c, number, root);
        *bucket = number;
    }
    c->of[root] = number;
    return number;
}

static void dissolve(classes *c, inlay_id number)
{
    cluster_class *gone = &c->items[number];
    inlay_id *link = &c->bucket[gone->key & c->mask];
    while (*link != number) {
        link = &c->items[*link].next;
    }
    *link = gone->next;
    *gone = (cluster_class){.lightest = -1, .next = c->vacant};
    c->vacant = number;
}

void classes_take(classes *c, inlay_id number)
{
    inlay_id top = c->items[number].lightest;
    leave_order(c, number);
    inlay_id rest = without_top(c, top);
    if (rest < 0) {
        dissolve(c, number);
    } else {
        set_lightest(c, number, rest);
        enter_order(c, number);
    }
}

inlay_id classes_put(classes *c, inlay_id root, uint64_t slots)
{
    bool alone = is_alone(c->part, root);
    inlay_id number = alone ? -1 : find(c, root, key_of(c->part, root, slots));
    bool first = number < 0 || before(classes_rank(c, root), c->items[number].at);
    if (first && number >= 0) {
        leave_order(c, number);
    }
    number = add(c, number, root, slots, alone);
    if (first) {
        enter_order(c, number);
    }
    return number;
}

/* ---- The whole ---- */

void classes_clear(classes *c)
{
    free(c->items);
    free(c->of);
    free(c->order);
    free(c->bucket);
    free(c->child);
    free(c->sibling);
    free(c->crowded_bit);
    *c = (classes){0};
}

static int allocate(classes *c, size_t clusters, size_t modules)
{
    size_t buckets = 1;
    while (buckets < clusters) {
        buckets *= 2;
    }
    c->mask = buckets - 1;
    c->items = memory_array(clusters, sizeof *c->items);
    c->order = memory_array(clusters, sizeof *c->order);
    c->bucket = memory_array(buckets, sizeof *c->bucket);
    c->of = memory_array(modules, sizeof *c->of);
    c->child = memory_array(modules, sizeof *c->child);
    c->sibling = memory_array(modules, sizeof *c->sibling);
    bool fine = c->items != NULL && c->order != NULL && c->bucket != NULL && c->of != NULL && c->child != NULL &&
                c->sibling != NULL;
    return fine ? INLAY_OK : INLAY_NO_MEMORY;
}

enum { CROWDED = 64 };

/* The slots that the most clusters occupy: where two clusters cannot merge, it is most often for one of these. */
static int find_crowded(classes *c)
{
    const partition *part = c->part;
    if (part->p->conflict != NULL) {
        return INLAY_OK;
    }
    inlay_id *here = partition_count_slots(part);
    c->crowded_bit = memory_array((size_t)part->p->slots, sizeof *c->crowded_bit);
    if (here == NULL || c->crowded_bit == NULL) {
        free(here);
        return INLAY_NO_MEMORY;
    }
    memset(c->crowded_bit, -1, (size_t)part->p->slots);
    int32_t fullest[CROWDED]; /* the fullest first, of equals the first */
    int8_t found = 0;
    for (int32_t slot = 0; slot < part->p->slots; slot++) {
        if (found == CROWDED && here[slot] <= here[fullest[CROWDED - 1]]) {
            continue;
        }
        int8_t at = found < CROWDED ? found++ : CROWDED - 1;
        for (; at > 0 && here[fullest[at - 1]] < here[slot]; at--) {
            fullest[at] = fullest[at - 1];
        }
        fullest[at] = slot;
    }
    for (int8_t bit = 0; bit < found; bit++) {
        c->crowded_bit[fullest[bit]] = bit;
    }
    free(here);
    return INLAY_OK;
}

/* A class with its rank, so that it can be sorted. */
typedef struct ranked {
    rank at;
    inlay_id number;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return before(x->at, y->at) ? -1 : before(y->at, x->at);
}

/* All at once: entering them one by one would move what stands behind each. */
static int order_all(classes *c)
{
    ranked *list = memory_array((size_t)c->capacity, sizeof *list);
    if (list == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (inlay_id i = 0; i < c->capacity; i++) {
        if (c->items[i].lightest >= 0) {
            list[c->end++] = (ranked){c->items[i].at, i};
        }
    }
    qsort(list, (size_t)c->end, sizeof *list, compare_ranked);
    for (inlay_id i = 0; i < c->end; i++) {
        c->order[i] = list[i].number;
    }
    free(list);
    return INLAY_OK;
}

static int fill(classes *c)
{
    const partition *part = c->part;
    for (inlay_id i = 0; i < part->p->modules; i++) {
        if (partition_root(part, i) == i) {
            uint64_t slots = hash_slots(part, i);
            bool alone = is_alone(part, i);
            add(c, alone ? -1 : find(c, i, key_of(part, i, slots)), i, slots, alone);
        }
    }
    return order_all(c);
}

int classes_make(const partition *part, classes *result)
{
    classes c = {.part = part, .capacity = part->count};
    int status = allocate(&c, (size_t)part->count, (size_t)part->p->modules);
    if (status == INLAY_OK) {
        status = find_crowded(&c);
    }
    for (inlay_id i = 0; status == INLAY_OK && i < c.capacity; i++) {
        c.items[i] = (cluster_class){.lightest = -1, .next = i + 1};
    }
    for (size_t i = 0; status == INLAY_OK && i <= c.mask; i++) {
        c.bucket[i] = -1;
    }
    if (status != INLAY_OK || fill(&c) != INLAY_OK) {
        classes_clear(&c);
        return INLAY_NO_MEMORY;
    }
    *result = c;
    return INLAY_OK;
}

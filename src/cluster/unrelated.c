/*
 * The greedy rule among clusters without traffic. Their pairs are too many to list, so every class of clusters
 * (classes.h) waits with its least partner alone, which is found again when either has changed. The pair to merge is
 * that of the lightest clusters of two classes.
 */
#include "cluster/unrelated.h"
#include "base/memory.h"
#include "cluster/classes.h"
#include "cluster/pair_heap.h"
#include <stdlib.h>

/*
 * A class on its search. Of two that are compatible one has not tried what is beyond the other: of those of the beginning
 * the lighter one, since each begins at its own rank; else what was merged later, since that begins below all.
 */
typedef struct quest {
    rank tried;       /* nobody below this rank is compatible, but for those who come to this one on their own quest */
    inlay_id partner; /* smallest module of the cluster that it waits with, or -1 */
} quest;

typedef struct search {
    partition *part;
    const greedy_rule *rule;
    classes classes;
    quest *quests; /* of every class */
    pair_heap waiting;
    inlay_id *in_slot; /* by level: clusters with a module there; merging leaves it as it is. With overlap NULL */
} search;

/* ---- Looking for a partner ---- */

/* Whether the cluster stands on a level where all others stand too. */
static bool fits_nobody(const search *s, inlay_id root)
{
    walk w = {0};
    for (int32_t slot; s->in_slot != NULL && partition_next_slot(s->part, root, &w, &slot);) {
        if (s->in_slot[slot] == s->part->count) {
            return true;
        }
    }
    return false;
}

/*
 * Push the lightest cluster of a class with its least partner: the first that it is compatible with by rank. A partner
 * that time forbids is looked for only where the next time frame is asked for.
 */
static int push_least_partner(search *s, inlay_id number)
{
    partition *part = s->part;
    quest *own = &s->quests[number];
    const cluster_class *self = &s->classes.items[number];
    inlay_id root = self->lightest;
    if (root < 0 || fits_nobody(s, root)) {
        return INLAY_OK;
    }
    for (inlay_id i = classes_place(&s->classes, own->tried); i < s->classes.end; i++) {
        const cluster_class *other = &s->classes.items[s->classes.order[i]];
        if (!s->rule->want_next && self->at.work > s->rule->limit - other->at.work) {
            return INLAY_OK;
        }
        if (other != self && (other->crowded & self->crowded) == 0 && greedy_compatible(part, root, other->lightest)) {
            *own = (quest){other->at, other->at.least};
            return pair_heap_push(&s->waiting, greedy_pair(part, root, other->lightest, 0)) ? INLAY_OK
                                                                                            : INLAY_NO_MEMORY;
        }
    }
    own->tried.work = INT64_MAX;
    return INLAY_OK;
}

static bool is_lightest(const search *s, inlay_id root)
{
    return s->classes.items[s->classes.of[root]].lightest == root;
}

/*
 * Whether two clusters still are the lightest of their classes, and compatible: what took in a cluster of no work may be
 * so no more although its rank is the same.
 */
static bool still_stands(const search *s, inlay_id a, inlay_id b, const pair *waiting)
{
    if (a == b || !is_lightest(s, a) || !is_lightest(s, b)) {
        return false;
    }
    pair now = greedy_pair(s->part, a, b, 0);
    return pair_same(&now, waiting) && greedy_compatible(s->part, a, b);
}

/* The top no longer stands for two classes as they are: whoever of them waits with it looks for a partner anew. */
static int look_again(search *s, pair stale)
{
    int status = INLAY_OK;
    inlay_id ends[2] = {stale.low, stale.high};
    for (int e = 0; e < 2 && status == INLAY_OK; e++) {
        inlay_id root = partition_root(s->part, ends[e]);
        inlay_id number = s->classes.of[root];
        if (s->part->clusters[root].least == ends[e] && is_lightest(s, root) &&
            s->quests[number].partner == ends[1 - e]) {
            status = push_least_partner(s, number);
        }
    }
    return status;
}

/* ---- Merging ---- */

/*
 * A class that lost its lightest cluster goes on where its quest stands, since all others only became heavier. The merged
 * cluster may be lighter than those of its class were: then the quest begins again, and so finds every class whose own
 * quest is past it.
 */
static int merge(search *s, inlay_id a, inlay_id b)
{
    classes *c = &s->classes;
    inlay_id root, changed[3] = {c->of[a], c->of[b]};
    uint64_t slots = c->items[changed[0]].slots + c->items[changed[1]].slots;
    classes_take(c, changed[0]);
    classes_take(c, changed[1]);
    int status = partition_merge(s->part, a, b, &root);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_id joined = changed[2] = classes_put(c, root, slots);
    if (is_lightest(s, root)) {
        s->quests[joined] = (quest){.partner = -1};
    }
    for (int i = 0; i < 3 && status == INLAY_OK; i++) {
        bool unchanged = i == 2 && !is_lightest(s, root);
        bool comes_later = i < 2 && changed[i] == joined && is_lightest(s, root);
        status = unchanged || comes_later ? INLAY_OK : push_least_partner(s, changed[i]);
    }
    return status;
}

static int merge_all(search *s, inlay_time *next)
{
    partition *part = s->part;
    int status = INLAY_OK;
    while (status == INLAY_OK && s->waiting.count > 0 && part->count > s->rule->stop_at) {
        pair top = pair_heap_pop(&s->waiting);
        inlay_id a = partition_root(part, top.low), b = partition_root(part, top.high);
        if (!still_stands(s, a, b, &top)) {
            status = look_again(s, top);
        } else if (top.work > s->rule->limit) {
            *next = top.work < *next ? top.work : *next;
            break;
        } else {
            status = merge(s, a, b);
        }
    }
    return status;
}

int merge_unrelated(partition *part, const greedy_rule *rule, inlay_time *next)
{
    search s = {.part = part, .rule = rule};
    int status = classes_make(part, &s.classes);
    if (status == INLAY_OK) {
        s.quests = memory_zeroed((size_t)s.classes.capacity, sizeof *s.quests);
        s.in_slot = part->p->conflict == NULL ? partition_count_slots(part) : NULL;
        status = s.quests == NULL || (s.in_slot == NULL && part->p->conflict == NULL) ? INLAY_NO_MEMORY : INLAY_OK;
    }
    for (inlay_id i = 0; status == INLAY_OK && i < s.classes.end; i++) {
        inlay_id number = s.classes.order[i];
        s.quests[number].tried = s.classes.items[number].at;
        status = push_least_partner(&s, number);
    }
    if (status == INLAY_OK) {
        status = merge_all(&s, next);
    }
    classes_clear(&s.classes);
    part->queue_operations += s.waiting.operations;
    pair_heap_clear(&s.waiting);
    free(s.quests);
    free(s.in_slot);
    return status;
}

/*
 * Thinning out crowded slots. As long as every slot lacks some cluster the slots decide which pairs are candidates;
 * once one slot holds all clusters, which is so for good, every pair is, and nothing needs to be kept by slots.
 */
#include "cluster/narrow.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/narrow_lightest.h"
#include "cluster/narrow_slots.h"
#include "cluster/greedy.h"
#include <stdlib.h>

typedef struct narrowing {
    partition *part;
    narrow_rule rule;
    inlay_time next;
    bool only_time; /* neither memory nor pins can forbid a pair */
    inlay_id idle;  /* clusters without work */
} narrowing;

static narrowing look_at(partition *part, const narrow_rule *rule)
{
    narrowing c = {.part = part, .rule = *rule, .next = INT64_MAX};
    c.only_time = part->eligible == NULL && (part->p->memory_limit < 0 || part->p->memory == NULL);
    for (inlay_id i = 0; i < part->p->modules; i++) {
        if (partition_root(part, i) == i) {
            c.only_time = c.only_time && part->clusters[i].pin < 0;
            c.idle += part->clusters[i].work == 0;
        }
    }
    return c;
}

static int merge(narrowing *c, narrow_slots *slots, const candidate *chosen)
{
    c->idle -= c->part->clusters[chosen->a].work == 0 || c->part->clusters[chosen->b].work == 0;
    return narrow_slots_merge(slots, chosen->a, chosen->b);
}

/* Slot by slot, until all pairs are candidates; and with `one_slot` until only time can forbid one. */
static int thin_slots(narrowing *c)
{
    narrow_slots slots;
    int status = narrow_slots_make(c->part, &c->rule, c->only_time, &slots);
    if (status != INLAY_OK) {
        return status;
    }
    while (status == INLAY_OK && slots.most > (size_t)c->rule.most) {
        bool together = slots.most == (size_t)c->part->count;
        if (c->rule.one_slot ? c->only_time && c->idle == 0 : together) {
            c->rule.one_slot = true;
            break;
        }
        candidate best;
        status = narrow_slots_best(&slots, &best);
        if (status != INLAY_OK || best.a < 0 || !partition_fits(c->part, best.a, best.b)) {
            break;
        }
        status = merge(c, &slots, &best);
    }
    c->next = slots.next < c->next ? slots.next : c->next;
    narrow_slots_clear(&slots);
    return status;
}

/* Every pair is a candidate. */
static int thin_together(narrowing *c)
{
    int status = INLAY_OK;
    if (c->rule.by_traffic) {
        greedy_rule busiest = {.limit = c->rule.limit, .stop_at = c->rule.most};
        status = greedy_communicating(c->part, &busiest, true, &c->next);
        c->rule.by_traffic = false; /* no pair that is left communicates, or it is forbidden */
        c->idle = look_at(c->part, &c->rule).idle;
    }
    if (status == INLAY_OK && c->part->count > c->rule.most && !(c->only_time && c->idle == 0)) {
        status = thin_slots(c);
    }
    if (status == INLAY_OK && c->part->count > c->rule.most && c->only_time && c->idle == 0) {
        status = narrow_merge_lightest(c->part, c->rule.most, c->rule.limit, &c->next);
    }
    return status;
}

static int thin(narrowing *c)
{
    inlay_id most = c->rule.one_slot ? c->part->count : narrow_most(c->part);
    if (most < 0) {
        return INLAY_NO_MEMORY;
    }
    if (most <= c->rule.most) {
        return INLAY_OK;
    }
    c->rule.one_slot = most == c->part->count;
    int status = c->rule.one_slot ? INLAY_OK : thin_slots(c);
    return status == INLAY_OK && c->rule.one_slot ? thin_together(c) : status;
}

int narrow_thin(partition *part, const narrow_rule *rule, inlay_time *next, inlay_diag *diag)
{
    if (partition_bind(part, rule->limit) != INLAY_OK) {
        return diag_no_memory(diag);
    }
    narrowing c = look_at(part, rule);
    c.rule.want_next = next != NULL;
    int status = thin(&c);
    if (part->eligible != NULL && eligible_next(part->eligible) < c.next) {
        c.next = eligible_next(part->eligible);
    }
    if (status == INLAY_OK && next != NULL && c.next < *next) {
        *next = c.next;
    }
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

inlay_id narrow_most(const partition *part)
{
    inlay_id *here = partition_count_slots(part);
    inlay_id most = here == NULL ? -1 : 0;
    for (int32_t i = 0; here != NULL && i < part->p->slots; i++) {
        most = here[i] > most ? here[i] : most;
    }
    free(here);
    return most;
}

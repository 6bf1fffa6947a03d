/* Joining clusters by the thousand. */
#include "cluster/narrow_join.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

int joining_begin(partition *part, joining *result)
{
    size_t n = (size_t)part->p->modules;
    joining j = {.part = part, .next = memory_array(n, sizeof *j.next), .last = memory_array(n, sizeof *j.last)};
    if (j.next == NULL || j.last == NULL) {
        joining_clear(&j);
        return INLAY_NO_MEMORY;
    }
    for (inlay_id i = 0; i < part->p->modules; i++) {
        j.next[i] = -1;
        j.last[i] = i;
    }
    *result = j;
    return INLAY_OK;
}

void joining_clear(joining *j)
{
    free(j->next);
    free(j->last);
    *j = (joining){0};
}

void joining_join(joining *j, inlay_id into, inlay_id from)
{
    cluster_add(&j->part->clusters[into], &j->part->clusters[from]);
    j->part->parent[from] = into;
    j->part->count--;
    j->next[j->last[into]] = from;
    j->last[into] = j->last[from];
}

/* ---- Making the partition whole ---- */

static bool gather_neighbours(const joining *j, inlay_id root, merged *whole)
{
    joined_walk w = {.part = root};
    inlay_id neighbour;
    int64_t traffic;
    while (joining_next_neighbour(j, &w, &neighbour, &traffic)) {
        if (neighbour != root && traffic_table_add(&whole->neighbours, neighbour, traffic) < 0) {
            return false;
        }
    }
    return true;
}

static bool gather_slots(const joining *j, inlay_id root, merged *whole)
{
    slot_set_make(&whole->slots, j->part->p->slots);
    for (inlay_id i = root; i >= 0; i = j->next[i]) {
        walk w = {0};
        for (int32_t slot; partition_next_slot(j->part, i, &w, &slot);) {
            if (!slot_set_add(&whole->slots, slot)) {
                return false;
            }
        }
    }
    return true;
}

static const crew *crew_of(const partition *part, inlay_id i)
{
    return part->clusters[i].more == NULL ? NULL : part->clusters[i].more->crew;
}

static bool make_crew(const joining *j, inlay_id root, crew *all)
{
    for (inlay_id i = root; i >= 0; i = j->next[i]) {
        const crew *own = crew_of(j->part, i);
        all->size += own == NULL ? 1 : own->size;
    }
    all->members = memory_array((size_t)all->size, sizeof *all->members);
    all->conflict = memory_zeroed(j->part->p->conflict_words, sizeof *all->conflict);
    return all->members != NULL && all->conflict != NULL;
}

/* With overlap: the members, and the union of their rows. */
static bool gather_crew(const joining *j, inlay_id root, merged *whole)
{
    const problem *p = j->part->p;
    whole->crew = memory_zeroed(1, sizeof *whole->crew);
    if (whole->crew == NULL || !make_crew(j, root, whole->crew)) {
        return false;
    }
    inlay_id *to = whole->crew->members;
    for (inlay_id i = root; i >= 0; i = j->next[i]) {
        const crew *own = crew_of(j->part, i);
        inlay_id size = own == NULL ? 1 : own->size;
        const uint64_t *row = own == NULL ? p->conflict + (size_t)i * p->conflict_words : own->conflict;
        memcpy(to, own == NULL ? &i : own->members, (size_t)size * sizeof *to);
        to += size;
        for (size_t w = 0; w < p->conflict_words; w++) {
            whole->crew->conflict[w] |= row[w];
        }
    }
    return true;
}

static int make_whole(const joining *j, inlay_id root)
{
    cluster whole = j->part->clusters[root];
    whole.more = memory_zeroed(1, sizeof *whole.more);
    if (whole.more == NULL) {
        return INLAY_NO_MEMORY;
    }
    if (!gather_neighbours(j, root, whole.more) || !gather_slots(j, root, whole.more) ||
        (j->part->p->conflict != NULL && !gather_crew(j, root, whole.more))) {
        cluster_forget(&whole);
        return INLAY_NO_MEMORY;
    }
    for (inlay_id i = root; i >= 0; i = j->next[i]) {
        cluster_forget(&j->part->clusters[i]);
    }
    j->part->clusters[root] = whole;
    return INLAY_OK;
}

int joining_end(joining *j)
{
    int status = INLAY_OK;
    for (inlay_id i = 0; i < j->part->p->modules && status == INLAY_OK; i++) {
        /* a single module's neighbours are the problem's */
        bool single = j->next[i] < 0 && j->part->clusters[i].more == NULL;
        if (j->part->parent[i] == i && !single) {
            status = make_whole(j, i);
        }
    }
    return status;
}

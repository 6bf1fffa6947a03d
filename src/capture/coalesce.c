/* Stretches that are alike become one: of a program that repeats itself a graph of its parts. */
#include "capture/coalesce.h"
#include "base/diag.h"
#include <stdlib.h>
#include <string.h>

/* Numbers of stretches in an order in which all go forward; NULL: no memory. Links of a trace have no cycle. */
static inlay_id *topological(const trace *t)
{
    size_t *begin = memory_zeroed(t->count + 2, sizeof *begin);
    inlay_id *behind = memory_array(t->link_count, sizeof *behind), *place = memory_array(t->count, sizeof *place);
    inlay_id *queue = memory_array(t->count, sizeof *queue), *before = memory_zeroed(t->count, sizeof *before);
    if (begin != NULL && behind != NULL && place != NULL && queue != NULL && before != NULL) {
        size_t head = 0, tail = 0;
        for (size_t i = 0; i < t->link_count; i++) {
            begin[t->links[i].from + 2]++;
            before[t->links[i].to]++;
        }
        for (size_t i = 2; i < t->count + 2; i++) {
            begin[i] += begin[i - 1];
        }
        for (size_t i = 0; i < t->link_count; i++) {
            behind[begin[t->links[i].from + 1]++] = t->links[i].to;
        }
        for (size_t i = 0; i < t->count; i++) {
            queue[tail] = (inlay_id)i;
            tail += before[i] == 0;
        }
        for (; head < tail; head++) {
            place[queue[head]] = (inlay_id)head;
            for (size_t k = begin[queue[head]]; k < begin[queue[head] + 1]; k++) {
                queue[tail] = behind[k];
                tail += --before[behind[k]] == 0;
            }
        }
    } else {
        free(place);
        place = NULL;
    }
    free(begin);
    free(behind);
    free(queue);
    free(before);
    return place;
}

/* Of a stretch: what it is joined by, and where it stands. */
typedef struct member {
    int32_t owner, kind;
    inlay_id place, stretch;
} member;

static int by_group(const void *a, const void *b)
{
    const member *x = a, *y = b;
    int order = (x->owner > y->owner) - (x->owner < y->owner);
    order = order != 0 ? order : (x->kind > y->kind) - (x->kind < y->kind);
    return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

/* Stretches become those of groups; of each group the place of its first goes to `first`. */
static void join_stretches(trace *t, member *all, stretch *joined, inlay_id *group_of, inlay_id *first)
{
    size_t groups = 0;
    for (size_t i = 0; i < t->count; i++) {
        const stretch *s = &t->stretches[all[i].stretch];
        if (i == 0 || all[i].owner != all[i - 1].owner || all[i].kind != all[i - 1].kind) {
            first[groups] = all[i].place;
            joined[groups] = *s;
            joined[groups].time = 0;
            joined[groups++].kind = all[i].kind;
        }
        joined[groups - 1].time += s->time;
        group_of[all[i].stretch] = (inlay_id)groups - 1;
    }
    memcpy(t->stretches, joined, groups * sizeof *joined);
    t->count = groups;
}

/* `to` begins behind `from` where its first stretch stands behind the first of `from`. */
static void join_links(trace *t, const inlay_id *group_of, const inlay_id *first, bool ordered)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->link_count; i++) {
        trace_link l = t->links[i];
        l.from = group_of[l.from];
        l.to = group_of[l.to];
        l.traffic_only = !ordered || first[l.from] > first[l.to];
        if (l.from != l.to && (!l.traffic_only || l.bytes >= 0)) {
            t->links[kept++] = l;
        }
    }
    t->link_count = kept;
}

int trace_coalesce(trace *t, bool owners, inlay_diag *diag)
{
    int32_t whole = owners ? trace_kind(t, "rank", diag) : 0;
    inlay_id *place = topological(t), *group_of = memory_array(t->count, sizeof *group_of),
             *first = memory_array(t->count, sizeof *first);
    member *all = memory_array(t->count, sizeof *all);
    stretch *joined = memory_array(t->count, sizeof *joined);
    int status = whole < 0 ? INLAY_NO_MEMORY : INLAY_OK;
    if (place == NULL || group_of == NULL || first == NULL || all == NULL || joined == NULL) {
        status = diag_no_memory(diag);
    } else if (status == INLAY_OK && t->count > 0) {
        for (size_t i = 0; i < t->count; i++) {
            const stretch *s = &t->stretches[i];
            all[i] = (member){s->owner, owners ? whole : s->kind, place[i], (inlay_id)i};
        }
        qsort(all, t->count, sizeof *all, by_group);
        join_stretches(t, all, joined, group_of, first);
        join_links(t, group_of, first, !owners);
        t->from_zero = owners; /* as ranks are */
    }
    free(place);
    free(group_of);
    free(first);
    free(all);
    free(joined);
    return status;
}

/* Cables between nodes. */
#include "machine/cables.h"
#include "base/memory.h"
#include "base/sorted.h"
#include <stdlib.h>
#include <string.h>

void cables_lay(topology *t, inlay_id a, inlay_id b, const cable_kind *kind)
{
    topology_link *link = &t->link[t->links++];
    *link = kind->like;
    link->from = a;
    link->to = b;
    link->shared = kind->half_duplex;
    if (!kind->half_duplex) {
        link = &t->link[t->links++];
        *link = kind->like;
        link->from = b;
        link->to = a;
    }
}

void cables_clear(cables *c)
{
    free(c->begin);
    free(c->to);
    free(c->link);
    *c = (cables){0};
}

/* Counting sort by one end: afterwards begin[n] is the end of row n. */
static void put(const topology *t, cables *c)
{
    for (inlay_id l = 0; l < t->links; l++) {
        const topology_link *link = &t->link[l];
        int64_t at = c->begin[link->from]++;
        c->to[at] = link->to;
        c->link[at] = l;
        if (link->shared) {
            at = c->begin[link->to]++;
            c->to[at] = link->from;
            c->link[at] = l;
        }
    }
}

typedef struct cable_end {
    inlay_id to, link;
} cable_end;

static int compare_ends(const void *a, const void *b)
{
    const cable_end *x = a, *y = b;
    return x->to != y->to ? (x->to > y->to) - (x->to < y->to) : (x->link > y->link) - (x->link < y->link);
}

static bool sort_rows(const topology *t, cables *c)
{
    int64_t widest = 0;
    for (inlay_id n = 0; n < t->nodes; n++) {
        int64_t width = c->begin[n + 1] - c->begin[n];
        widest = width > widest ? width : widest;
    }
    cable_end *row = memory_array((size_t)widest, sizeof *row);
    if (row == NULL) {
        return false;
    }
    for (inlay_id n = 0; n < t->nodes; n++) {
        int64_t first = c->begin[n], width = c->begin[n + 1] - first;
        for (int64_t i = 0; i < width; i++) {
            row[i] = (cable_end){c->to[first + i], c->link[first + i]};
        }
        qsort(row, (size_t)width, sizeof *row, compare_ends);
        for (int64_t i = 0; i < width; i++) {
            c->to[first + i] = row[i].to;
            c->link[first + i] = row[i].link;
        }
    }
    free(row);
    return true;
}

bool cables_sort(const topology *t, cables *result)
{
    size_t ends = 0;
    for (inlay_id l = 0; l < t->links; l++) {
        ends += t->link[l].shared ? 2 : 1;
    }
    cables c = {.begin = memory_zeroed((size_t)t->nodes + 1, sizeof *c.begin),
                .to = memory_array(ends, sizeof *c.to),
                .link = memory_array(ends, sizeof *c.link)};
    bool fine = c.begin != NULL && c.to != NULL && c.link != NULL;
    if (fine) {
        for (inlay_id l = 0; l < t->links; l++) {
            c.begin[t->link[l].from + 1]++;
            c.begin[t->link[l].to + 1] += t->link[l].shared;
        }
        for (inlay_id n = 0; n < t->nodes; n++) {
            c.begin[n + 1] += c.begin[n];
        }
        put(t, &c);
        memmove(c.begin + 1, c.begin, (size_t)t->nodes * sizeof *c.begin);
        c.begin[0] = 0;
        fine = sort_rows(t, &c);
    }
    if (!fine) {
        cables_clear(&c);
        return false;
    }
    *result = c;
    return true;
}

/* The first entry of the row that leads to `to` or further. */
static int64_t lower_bound(const cables *c, inlay_id from, inlay_id to)
{
    return sorted_at(c->to, c->begin[from], c->begin[from + 1], to);
}

inlay_id cables_link(const cables *c, inlay_id from, inlay_id to, inlay_id nth)
{
    int64_t first = lower_bound(c, from, to), behind = first + 1;
    if (nth == 0) {
        return c->link[first];
    }
    while (behind < c->begin[from + 1] && c->to[behind] == to) {
        behind++;
    }
    return c->link[first + nth % (behind - first)];
}

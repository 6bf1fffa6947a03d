/* Dependences of tasks: for one address after the other, who wrote it last and who has read it since. */
#include "capture/dependences.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdbool.h>
#include <stdlib.h>

/* OMPT's numbers */
enum { TYPE_IN = 1, TYPE_OUT, TYPE_INOUT, TYPE_MUTEX, TYPE_SOURCE, TYPE_SINK, TYPE_SET };

static int by_address(const void *a, const void *b)
{
    const dependence_item *x = a, *y = b;
    int order = (x->creator > y->creator) - (x->creator < y->creator);
    order = order != 0 ? order : (x->address > y->address) - (x->address < y->address);
    order = order != 0 ? order : (x->task > y->task) - (x->task < y->task);
    return order != 0 ? order : (x->type > y->type) - (x->type < y->type);
}

static int by_task(const void *a, const void *b)
{
    const dependence *x = a, *y = b;
    int order = (x->to > y->to) - (x->to < y->to);
    order = order != 0 ? order : (x->from > y->from) - (x->from < y->from);
    return order != 0 ? order : (x->datum > y->datum) - (x->datum < y->datum);
}

static int add(dependences *to, dependence d, inlay_diag *diag)
{
    if (!memory_grow((void **)&to->list, &to->capacity, to->count + 1, sizeof *to->list)) {
        return diag_no_memory(diag);
    }
    to->list[to->count++] = d;
    return INLAY_OK;
}

/* What one task names an address for: items first .. last - 1. */
static bool writes(const dependence_item *items, size_t first, size_t last)
{
    return first < last && items[last - 1].type > TYPE_IN;
}

static bool reads(const dependence_item *items, size_t first, size_t last)
{
    bool found = false;
    for (size_t i = first; i < last; i++) {
        found = found || items[i].type != TYPE_OUT;
    }
    return found;
}

/* The items of one address among the children of one task. Its data are numbered from `*datum`. */
static int follow(const dependence_item *items, size_t count, int64_t *datum, dependences *to, inlay_diag *diag)
{
    int32_t writer = -1;
    size_t readers = 0; /* where the items of those begin who came behind the writer */
    int status = INLAY_OK;
    for (size_t first = 0, last; status == INLAY_OK && first < count; first = last) {
        for (last = first + 1; last < count && items[last].task == items[first].task; last++) {
        }
        int32_t task = items[first].task;
        if (writer >= 0 && reads(items, first, last)) {
            status = add(to, (dependence){.from = writer, .to = task, .datum = *datum}, diag);
        } else if (writer >= 0 && readers == first) {
            status = add(to, (dependence){.from = writer, .to = task, .datum = -1}, diag);
        }
        if (writes(items, first, last)) {
            for (size_t i = readers; status == INLAY_OK && i < first; i++) {
                status = add(to, (dependence){.from = items[i].task, .to = task, .datum = -1}, diag);
            }
            writer = task;
            readers = last;
            (*datum)++;
        }
    }
    return status;
}

/* Sorted, and nothing said twice. */
static void tidy(dependences *all)
{
    size_t kept = 0;
    if (all->count > 0) {
        qsort(all->list, all->count, sizeof *all->list, by_task);
    }
    for (size_t i = 0; i < all->count; i++) {
        const dependence *d = &all->list[i], *before = kept > 0 ? &all->list[kept - 1] : NULL;
        bool pair = before != NULL && before->to == d->to && before->from == d->from;
        all->pairs += !pair;
        if (pair && before->datum < 0) {
            all->list[kept - 1] = *d; /* one with a datum says all that one without says */
        } else if (!pair || before->datum != d->datum) {
            all->list[kept++] = *d;
        }
    }
    all->count = kept;
}

int dependences_find(dependence_item *items, size_t count, dependences *found, inlay_diag *diag)
{
    dependences all = {0};
    int64_t datum = -1;
    int status = INLAY_OK;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_task = items[i].type >= TYPE_IN && items[i].type <= TYPE_SET && items[i].type != TYPE_SOURCE &&
                       items[i].type != TYPE_SINK;
        all.ignored += !is_task;
        all.ordered += items[i].type == TYPE_MUTEX || items[i].type == TYPE_SET;
        if (is_task) {
            items[kept++] = items[i];
        }
    }
    if (kept > 0) {
        qsort(items, kept, sizeof *items, by_address);
    }
    for (size_t first = 0, last; status == INLAY_OK && first < kept; first = last) {
        for (last = first + 1;
             last < kept && items[last].creator == items[first].creator && items[last].address == items[first].address;
             last++) {
        }
        datum++;
        status = follow(items + first, last - first, &datum, &all, diag);
    }
    if (status != INLAY_OK) {
        free(all.list);
        return status;
    }
    tidy(&all);
    *found = all;
    return INLAY_OK;
}

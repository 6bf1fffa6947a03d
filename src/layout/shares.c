/* Parts of divided data on the processors of a machine: as large as these are fast, and near those they exchange with. */
#include <inlay/shares.h>
#include "base/diag.h"
#include "base/memory.h"
#include "layout/far.h"
#include <stdlib.h>

/* ---- Which processors ---- */

typedef struct ranked {
    double speed;
    inlay_id processor;
} ranked;

static int fastest_first(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->speed != y->speed ? (x->speed < y->speed) - (x->speed > y->speed)
                                : (x->processor > y->processor) - (x->processor < y->processor);
}

static int by_number(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return (x->processor > y->processor) - (x->processor < y->processor);
}

int inlay_machine_shares(const inlay_machine *machine, int32_t count, inlay_id *processor, double *share,
                         inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_id processors = inlay_machine_processors(machine);
    if (count < 1 || count > processors) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%d parts; expected 1 to %lld, a processor of %s for each",
                         (int)count, (long long)processors, inlay_machine_name(machine));
    }
    ranked *all = memory_array((size_t)processors, sizeof *all);
    if (all == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id p = 0; p < processors; p++) {
        all[p] = (ranked){inlay_machine_processor(machine, p).speed, p};
    }
    qsort(all, (size_t)processors, sizeof *all, fastest_first);
    qsort(all, (size_t)count, sizeof *all, by_number);
    for (int32_t i = 0; i < count; i++) {
        processor[i] = all[i].processor;
        share[i] = all[i].speed;
    }
    free(all);
    return INLAY_OK;
}

/* ---- Who is where ---- */

/* Traffic both ways, as far_problem has it; `speed` of every part and of every processor. */
typedef struct layout_of_parts {
    memory_pool arrays; /**< owns them */
    const inlay_machine *machine;
    int64_t *begin, *traffic;
    inlay_id *neighbour;
    double *wanted, *speed;
} layout_of_parts;

static int distance(const void *context, inlay_id a, inlay_id b)
{
    return inlay_machine_distance(((const layout_of_parts *)context)->machine, a, b);
}

static bool allowed(const void *context, inlay_id cluster, inlay_id processor)
{
    const layout_of_parts *l = context;
    return l->wanted[cluster] == l->speed[processor];
}

static int check_traffic(const inlay_part_traffic *t, inlay_diag *diag)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < t->start[t->parts]; i++) {
        if (t->sends[i] > ((int64_t)1 << 61) / LAYOUT_LARGEST_DISTANCE / 2 - sum) {
            return diag_fail(diag, INLAY_OVERFLOW, "the parts send each other too much to be added up");
        }
        sum += t->sends[i];
    }
    return INLAY_OK;
}

/* Where `part` stands in the row of `other`; -1: it does not. */
static int32_t find(const inlay_part_traffic *t, int32_t other, int32_t part)
{
    int32_t from = t->start[other], to = t->start[other + 1];
    while (to > from) {
        int32_t middle = from + (to - from) / 2;
        if (t->part[middle] == part) {
            return middle;
        }
        from = t->part[middle] < part ? middle + 1 : from;
        to = t->part[middle] < part ? to : middle;
    }
    return -1;
}

static int prepare(const inlay_machine *machine, const inlay_part_traffic *t, const inlay_id *processor,
                   layout_of_parts *l, inlay_diag *diag)
{
    size_t parts = (size_t)t->parts, entries = (size_t)t->start[t->parts];
    inlay_id processors = inlay_machine_processors(machine);
    l->machine = machine;
    l->begin = pool_array(&l->arrays, parts + 1, sizeof *l->begin);
    l->traffic = pool_array(&l->arrays, entries, sizeof *l->traffic);
    l->neighbour = pool_array(&l->arrays, entries, sizeof *l->neighbour);
    l->wanted = pool_array(&l->arrays, parts, sizeof *l->wanted);
    l->speed = pool_array(&l->arrays, (size_t)processors, sizeof *l->speed);
    if (l->arrays.failed) {
        return diag_no_memory(diag);
    }
    for (inlay_id p = 0; p < processors; p++) {
        l->speed[p] = inlay_machine_processor(machine, p).speed;
    }
    for (int32_t p = 0; p <= t->parts; p++) {
        l->begin[p] = t->start[p];
    }
    for (int32_t p = 0; p < t->parts; p++) {
        l->wanted[p] = l->speed[processor[p]];
        for (int32_t k = t->start[p]; k < t->start[p + 1]; k++) {
            int32_t back = find(t, t->part[k], p);
            l->neighbour[k] = t->part[k];
            l->traffic[k] = t->sends[k] + (back < 0 ? 0 : t->sends[back]);
        }
    }
    return INLAY_OK;
}

static int64_t weighted(const layout_of_parts *l, int32_t parts, const inlay_id *processor)
{
    int64_t twice = 0;
    for (int32_t p = 0; p < parts; p++) {
        for (int64_t k = l->begin[p]; k < l->begin[p + 1]; k++) {
            inlay_id here = processor[p], there = processor[l->neighbour[k]];
            twice += l->traffic[k] * distance(l, here < there ? here : there, here < there ? there : here);
        }
    }
    return twice / 2;
}

int inlay_parts_lay_out(const inlay_machine *machine, const inlay_part_traffic *traffic, inlay_id *processor,
                        inlay_part_places *places, inlay_diag *diag)
{
    DIAG_CALL(diag);
    layout_of_parts l = {.machine = machine};
    int status = check_traffic(traffic, diag);
    status = status == INLAY_OK ? prepare(machine, traffic, processor, &l, diag) : status;
    if (status == INLAY_OK) {
        places->before = places->after = weighted(&l, traffic->parts, processor);
        places->optimal = !inlay_machine_has_distance(machine);
    }
    if (status == INLAY_OK && !places->optimal) {
        far_figures figures;
        const far_problem far = {.clusters = traffic->parts,
                                 .processors = inlay_machine_processors(machine),
                                 .begin = l.begin,
                                 .neighbour = l.neighbour,
                                 .traffic = l.traffic,
                                 .distance = distance,
                                 .allowed = allowed,
                                 .context = &l,
                                 .seed = 1};
        inlay_id *better = memory_array((size_t)traffic->parts, sizeof *better);
        status = better == NULL ? diag_no_memory(diag) : far_layout(&far, better, &figures, diag);
        if (status == INLAY_OK) {
            places->optimal = figures.optimal;
        }
        if (status == INLAY_OK && figures.sum < places->before) {
            places->after = figures.sum;
            for (int32_t p = 0; p < traffic->parts; p++) {
                processor[p] = better[p];
            }
        }
        free(better);
    }
    pool_clear(&l.arrays);
    return status;
}

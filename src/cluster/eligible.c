/* Clusters and the kinds of processors that can take them. */
#include "cluster/eligible.h"
#include "base/memory.h"
#include "graph/app.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times are sums of doubles: what is so little above T is not above it. */
static const double hair = 1e-12;

void eligible_free(eligible *f)
{
    if (f != NULL) {
        free(f->time);
        free(f->mask);
        free(f);
    }
}

/* The fastest kind, the two fastest, ... */
static void add_fastest(eligible *f)
{
    const kinds *k = &f->p->kinds;
    const processor_kind *by_rate[KINDS_MOST];
    uint64_t set = 0;
    kinds_by_rate(k, by_rate);
    for (int i = 0; i + 1 < k->count; i++) {
        set |= (uint64_t)1 << (by_rate[i] - k->kind);
        f->set[f->sets++] = set;
    }
}

/* The set of all kinds is left out: there may be more clusters than processors before they are reduced. */
static void choose_sets(eligible *f)
{
    const kinds *k = &f->p->kinds;
    f->every = k->count == KINDS_MOST ? ~(uint64_t)0 : ((uint64_t)1 << k->count) - 1;
    if (k->count > ELIGIBLE_ALL_SETS) {
        add_fastest(f);
    }
    for (uint64_t set = 1; k->count <= ELIGIBLE_ALL_SETS && set < f->every; set++) {
        f->set[f->sets++] = set;
    }
    for (size_t s = 0; s < f->sets; s++) {
        for (int i = 0; i < k->count; i++) {
            f->room[s] += f->set[s] >> i & 1 ? k->kind[i].count : 0;
        }
    }
}

eligible *eligible_new(const problem *p)
{
    eligible *f = memory_zeroed(1, sizeof *f);
    if (f == NULL) {
        return NULL;
    }
    f->p = p;
    f->time = memory_array((size_t)p->modules * (size_t)p->kinds.count, sizeof *f->time);
    f->mask = memory_array((size_t)p->modules, sizeof *f->mask);
    if (f->time == NULL || f->mask == NULL) {
        eligible_free(f);
        return NULL;
    }
    choose_sets(f);
    return f;
}

/* ---- Masks ---- */

static const double *times_of(const eligible *f, inlay_id root)
{
    return f->time + (size_t)root * (size_t)f->p->kinds.count;
}

/* The kinds that can take a cluster of two such rows of times (the second may be NULL). */
static uint64_t mask_of(eligible *f, const double *a, const double *b, int64_t memory, inlay_id pin)
{
    const kinds *k = &f->p->kinds;
    uint64_t mask = 0;
    for (int i = 0; i < k->count; i++) {
        double time = a[i] + (b == NULL ? 0 : b[i]);
        bool room = k->kind[i].memory < 0 || memory <= k->kind[i].memory;
        bool soon = time <= f->limit * (1 + hair);
        f->next = soon ? f->next : fmin(f->next, time);
        mask |= room && soon ? (uint64_t)1 << i : 0;
    }
    return pin >= 0 ? mask & (uint64_t)1 << k->of[pin] : mask;
}

static void count(eligible *f, uint64_t mask, int sign)
{
    for (size_t s = 0; s < f->sets; s++) {
        f->needed[s] += (mask & ~f->set[s]) == 0 ? sign : 0;
    }
}

void eligible_begin(eligible *f, const inlay_id *root_of, const int64_t *memory_of, const inlay_id *pin_of,
                    inlay_time limit)
{
    const problem *p = f->p;
    int kinds_count = p->kinds.count;
    f->limit = limit == INT64_MAX ? INFINITY : inlay_app_in_units(p->app, limit) / p->kinds.speed;
    f->next = INFINITY;
    memset(f->time, 0, (size_t)p->modules * (size_t)kinds_count * sizeof *f->time);
    memset(f->needed, 0, sizeof f->needed);
    for (inlay_id i = 0; i < p->modules; i++) {
        double *row = f->time + (size_t)root_of[i] * (size_t)kinds_count;
        for (int k = 0; k < kinds_count; k++) {
            row[k] += problem_work_on_kind(p, i, &p->kinds.kind[k]);
        }
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        if (root_of[i] == i) {
            f->mask[i] = mask_of(f, times_of(f, i), NULL, memory_of[i], pin_of[i]);
            count(f, f->mask[i], 1);
        }
    }
}

/* ---- Merging ---- */

bool eligible_allows(eligible *f, inlay_id a, inlay_id b, int64_t memory, inlay_id pin)
{
    uint64_t mask = mask_of(f, times_of(f, a), times_of(f, b), memory, pin);
    if (mask == f->every) {
        return true;
    }
    if (mask == 0) {
        return false;
    }
    for (size_t s = 0; s < f->sets; s++) {
        uint64_t others = ~f->set[s];
        int more = ((mask & others) == 0) - ((f->mask[a] & others) == 0) - ((f->mask[b] & others) == 0);
        if (more > 0 && f->needed[s] + more > f->room[s]) {
            return false;
        }
    }
    return true;
}

void eligible_merge(eligible *f, inlay_id into, inlay_id from, int64_t memory, inlay_id pin)
{
    int kinds_count = f->p->kinds.count;
    double *row = f->time + (size_t)into * (size_t)kinds_count;
    const double *other = times_of(f, from);
    count(f, f->mask[into], -1);
    count(f, f->mask[from], -1);
    for (int k = 0; k < kinds_count; k++) {
        row[k] += other[k];
    }
    f->mask[into] = mask_of(f, row, NULL, memory, pin);
    count(f, f->mask[into], 1);
}

inlay_time eligible_next(const eligible *f)
{
    double grains = f->next * f->p->kinds.speed * pow(10, inlay_app_decimals(f->p->app));
    return grains < 9e18 ? (inlay_time)ceil(grains * (1 - hair)) : INT64_MAX;
}

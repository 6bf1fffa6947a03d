/* Clusters of several cores on hosts. */
#include "layout/cores.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

int64_t cores_widths(const problem *p, const inlay_id *cluster_of, inlay_id clusters, inlay_id *width)
{
    int64_t sum = clusters;
    for (inlay_id c = 0; c < clusters; c++) {
        width[c] = 1;
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id *of = &width[cluster_of[i]], cores = problem_cores(p, i);
        sum += cores > *of ? cores - *of : 0;
        *of = cores > *of ? cores : *of;
    }
    return sum;
}

/* What is being packed: clusters by falling width, pinned ones before all others. */
typedef struct packing {
    const problem *p;
    inlay_id clusters;
    inlay_id *width, *pin, *order;
    inlay_id *first; /* processor of every cluster: the lowest of its own, which follow each other */
    bool *taken;     /* of every processor */
} packing;

static void packing_clear(packing *k)
{
    free(k->width);
    free(k->pin);
    free(k->order);
    free(k->first);
    free(k->taken);
}

/* Whether `width` processors from `from` on are free, and of one host. */
static bool has_room(const packing *k, inlay_id from, inlay_id width)
{
    inlay_id host = problem_host(k->p, from);
    if (from + width > k->p->processors) {
        return false;
    }
    for (inlay_id at = from; at < from + width; at++) {
        if (k->taken[at] || problem_host(k->p, at) != host) {
            return false;
        }
    }
    return true;
}

/* The lowest processors for a cluster, from `*from` on where the one before was as wide; -1 where there are none. */
static inlay_id find_room(const packing *k, inlay_id cluster, inlay_id from)
{
    inlay_id pin = k->pin[cluster], last = k->p->processors - 1;
    from = pin >= 0 ? pin : from;
    last = pin >= 0 ? pin : last;
    while (from <= last && !has_room(k, from, k->width[cluster])) {
        from++;
    }
    return from <= last ? from : -1;
}

static void sort_clusters(packing *k)
{
    inlay_id widest = 1, count = 0;
    for (inlay_id c = 0; c < k->clusters; c++) {
        widest = k->width[c] > widest ? k->width[c] : widest;
        if (k->pin[c] >= 0) {
            k->order[count++] = c;
        }
    }
    for (inlay_id width = widest; width > 0; width--) {
        for (inlay_id c = 0; c < k->clusters; c++) {
            if (k->pin[c] < 0 && k->width[c] == width) {
                k->order[count++] = c;
            }
        }
    }
}

static bool pack(packing *k)
{
    inlay_id before = -1, from = 0;
    sort_clusters(k);
    for (inlay_id n = 0; n < k->clusters; n++) {
        inlay_id c = k->order[n];
        bool alike = before >= 0 && k->pin[before] < 0 && k->width[before] == k->width[c];
        k->first[c] = find_room(k, c, alike ? from : 0);
        if (k->first[c] < 0) {
            return false;
        }
        before = c;
        from = k->first[c];
        memset(k->taken + from, true, (size_t)k->width[c]);
    }
    return true;
}

static int packing_make(const problem *p, const inlay_id *cluster_of, inlay_id clusters, packing *result,
                        inlay_diag *diag)
{
    size_t n = (size_t)clusters;
    packing k = {.p = p, .clusters = clusters};
    k.width = memory_array(n, sizeof *k.width);
    k.pin = memory_array(n, sizeof *k.pin);
    k.order = memory_array(n, sizeof *k.order);
    k.first = memory_array(n, sizeof *k.first);
    k.taken = memory_zeroed((size_t)inlay_machine_processors(p->machine), 1);
    if (!k.width || !k.pin || !k.order || !k.first || !k.taken) {
        packing_clear(&k);
        return diag_no_memory(diag);
    }
    (void)cores_widths(p, cluster_of, clusters, k.width);
    memset(k.pin, 0xFF, n * sizeof *k.pin);
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id pin = inlay_app_pin(p->app, i);
        k.pin[cluster_of[i]] = pin >= 0 ? pin : k.pin[cluster_of[i]];
    }
    *result = k;
    return INLAY_OK;
}

int cores_fit(const problem *p, const inlay_id *cluster_of, inlay_id clusters, bool *fit, inlay_diag *diag)
{
    packing k;
    int status = packing_make(p, cluster_of, clusters, &k, diag);
    if (status == INLAY_OK) {
        *fit = pack(&k);
        packing_clear(&k);
    }
    return status;
}

/* Numbers of further clusters: as they are met, module by module, behind all others. */
typedef struct further {
    const packing *of;
    int64_t *begin;      /* clusters + 1: entries of each */
    inlay_id *number;    /* of every entry; -1: not met */
    inlay_id *processor; /* of all clusters */
    inlay_id clusters;
} further;

static inlay_id number_of(further *f, inlay_id cluster, inlay_id core)
{
    inlay_id *number = &f->number[f->begin[cluster] + core - 1];
    if (*number < 0) {
        f->processor[f->clusters] = f->of->first[cluster] + core;
        *number = f->clusters++;
    }
    return *number;
}

static void list_guests(const problem *p, further *f, placement *place)
{
    int64_t count = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        place->guest_begin[i] = count;
        for (inlay_id core = 1; core < problem_cores(p, i); core++) {
            place->guest[count++] = number_of(f, place->cluster_of[i], core);
        }
    }
    place->guest_begin[p->modules] = count;
}

/* A cluster more for every further core. */
static int widen(const packing *k, placement *place)
{
    const problem *p = k->p;
    int64_t guests = 0;
    further f = {.of = k, .clusters = k->clusters, .begin = memory_array((size_t)k->clusters + 1, sizeof *f.begin)};
    if (f.begin == NULL) {
        return INLAY_NO_MEMORY;
    }
    f.begin[0] = 0;
    for (inlay_id c = 0; c < k->clusters; c++) {
        f.begin[c + 1] = f.begin[c] + k->width[c] - 1;
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        guests += problem_cores(p, i) - 1;
    }
    size_t more = (size_t)f.begin[k->clusters];
    f.number = memory_array(more, sizeof *f.number);
    f.processor = memory_array((size_t)k->clusters + more, sizeof *f.processor);
    place->guest_begin = memory_array((size_t)p->modules + 1, sizeof *place->guest_begin);
    place->guest = memory_array((size_t)guests, sizeof *place->guest);
    bool room = f.number && f.processor && place->guest_begin && place->guest;
    if (room) {
        memset(f.number, 0xFF, more * sizeof *f.number);
        memcpy(f.processor, k->first, (size_t)k->clusters * sizeof *f.processor);
        list_guests(p, &f, place);
        free(place->processor);
        place->processor = f.processor;
        place->clusters = f.clusters;
    } else {
        free(f.processor);
    }
    free(f.begin);
    free(f.number);
    return room ? INLAY_OK : INLAY_NO_MEMORY;
}

int cores_lay_out(const problem *p, placement *place, inlay_diag *diag)
{
    packing k;
    int status = packing_make(p, place->cluster_of, place->clusters, &k, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = !pack(&k) ? INLAY_NO_ANSWER : widen(&k, place);
    packing_clear(&k);
    return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
}

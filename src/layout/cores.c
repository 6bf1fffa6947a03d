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

/* ---- Further clusters ---- */

/* Processors that have modules, as they are met: first those to which some belong, then the others that modules hold. */
static void list_guests(const problem *p, placement *place, inlay_id *number, inlay_id *processor)
{
    int64_t count = 0;
    for (inlay_id c = 0; c < place->clusters; c++) {
        processor[c] = place->processor[c];
        number[processor[c]] = c + 1;
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        place->guest_begin[i] = count;
        for (inlay_id core = 1; core < problem_cores(p, i); core++) {
            inlay_id at = processor[place->cluster_of[i]] + core;
            if (number[at] == 0) {
                processor[place->clusters++] = at;
                number[at] = place->clusters;
            }
            place->guest[count++] = number[at] - 1;
        }
    }
    place->guest_begin[p->modules] = count;
}

int cores_widen(const problem *p, placement *place, inlay_diag *diag)
{
    size_t processors = (size_t)inlay_machine_processors(p->machine);
    int64_t guests = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        guests += problem_cores(p, i) - 1;
    }
    inlay_id *number = memory_zeroed(processors, sizeof *number); /* 1 + the cluster */
    inlay_id *processor = memory_array(processors, sizeof *processor);
    place->guest_begin = memory_array((size_t)p->modules + 1, sizeof *place->guest_begin);
    place->guest = memory_array((size_t)guests, sizeof *place->guest);
    bool room = number != NULL && processor != NULL && place->guest_begin != NULL && place->guest != NULL;
    if (room) {
        list_guests(p, place, number, processor);
        free(place->processor);
        place->processor = processor;
    } else {
        free(processor);
    }
    free(number);
    return room ? INLAY_OK : diag_no_memory(diag);
}

int cores_lay_out(const problem *p, placement *place, inlay_diag *diag)
{
    packing k;
    int status = packing_make(p, place->cluster_of, place->clusters, &k, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (pack(&k)) {
        memcpy(place->processor, k.first, (size_t)k.clusters * sizeof *k.first);
        status = cores_widen(p, place, diag);
    } else {
        status = INLAY_NO_ANSWER;
    }
    packing_clear(&k);
    return status;
}

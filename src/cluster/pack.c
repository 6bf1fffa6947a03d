/* Clusters packed onto processors that differ. */
#include "cluster/pack.h"
#include "base/memory.h"
#include "graph/app.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 8 };

/* A processor while it is filled. */
typedef struct bin {
    const processor_kind *kind;
    double time;     /* of its clusters, on it */
    int64_t memory;  /* of them */
    inlay_id pin;    /* processor that some of them are pinned to, or -1 */
    inlay_id root;   /* of its clusters, merged; -1 while there is none */
    int64_t traffic; /* scratch: with the cluster that looks for a place */
} bin;

typedef struct packing {
    partition *part;
    const problem *p;
    bin *bins;
    inlay_id count;
    double *time;       /* of every cluster, by root, on every kind */
    inlay_id *root;     /* of the clusters, heaviest first */
    inlay_id *bin_of;   /* by root; -1 none */
    double share, most; /* time that all work would take in fair shares; T */
} packing;

static void clear(packing *k)
{
    free(k->bins);
    free(k->time);
    free(k->root);
    free(k->bin_of);
}

/* ---- Which processors, and how many parts ---- */

inlay_id pack_begin(const problem *p, inlay_id processors)
{
    const processor_kind *sorted[KINDS_MOST];
    double rate = kinds_rate(&p->kinds, processors), slowest = p->kinds.speed;
    inlay_id left = processors;
    kinds_by_rate(&p->kinds, sorted);
    for (int i = 0; i < p->kinds.count && left > 0; i++) {
        slowest = sorted[i]->rate > 0 ? sorted[i]->rate : slowest;
        left -= sorted[i]->count < left ? sorted[i]->count : left;
    }
    double parts = fmin(ceil(rate / slowest), (double)MOST_PARTS * processors);
    return parts < processors || parts > INT32_MAX ? processors : (inlay_id)parts;
}

static void fill_bins(packing *k)
{
    const processor_kind *sorted[KINDS_MOST];
    inlay_id at = 0;
    kinds_by_rate(&k->p->kinds, sorted);
    for (int i = 0; i < k->p->kinds.count; i++) {
        for (inlay_id n = 0; n < sorted[i]->count && at < k->count; n++) {
            k->bins[at++] = (bin){.kind = sorted[i], .pin = -1, .root = -1};
        }
    }
}

/* ---- Clusters ---- */

typedef struct heavy {
    inlay_time work;
    inlay_id least, root;
} heavy;

static int compare_heavy(const void *a, const void *b)
{
    const heavy *x = a, *y = b;
    return x->work != y->work ? (x->work < y->work) - (x->work > y->work)
                              : (x->least > y->least) - (x->least < y->least);
}

/* Pinned clusters come first, so that they find their processors free; then by work. */
static bool sort_clusters(packing *k)
{
    heavy *list = memory_array((size_t)k->part->count, sizeof *list);
    inlay_id n = 0;
    for (inlay_id i = 0; list != NULL && i < k->p->modules; i++) {
        if (partition_root(k->part, i) == i) {
            const cluster *c = &k->part->clusters[i];
            list[n++] = (heavy){c->pin >= 0 ? INT64_MAX : c->work, c->least, i};
        }
    }
    if (list != NULL) {
        qsort(list, (size_t)n, sizeof *list, compare_heavy);
    }
    for (inlay_id i = 0; list != NULL && i < n; i++) {
        k->root[i] = list[i].root;
    }
    free(list);
    return list != NULL;
}

static void fill_times(packing *k)
{
    const problem *p = k->p;
    for (inlay_id i = 0; i < p->modules; i++) {
        double *row = k->time + (size_t)partition_root(k->part, i) * (size_t)p->kinds.count;
        for (int kind = 0; kind < p->kinds.count; kind++) {
            row[kind] += problem_work_on_kind(p, i, &p->kinds.kind[kind]);
        }
    }
}

/* ---- Packing ---- */

static double end_on(const packing *k, const bin *b, inlay_id root)
{
    return b->time + k->time[(size_t)root * (size_t)k->p->kinds.count + (size_t)(b->kind - k->p->kinds.kind)];
}

static bool takes(const packing *k, const bin *b, inlay_id root)
{
    const cluster *c = &k->part->clusters[root];
    if (c->pin >= 0 && (b->pin >= 0 ? b->pin != c->pin : kinds_of(&k->p->kinds, c->pin) != b->kind || b->root >= 0)) {
        return false;
    }
    return (b->kind->memory < 0 || b->memory + c->memory <= b->kind->memory) && end_on(k, b, root) <= k->most;
}

static void sum_traffic(packing *k, inlay_id root)
{
    walk w = {0};
    inlay_id other;
    int64_t traffic;
    for (inlay_id b = 0; b < k->count; b++) {
        k->bins[b].traffic = 0;
    }
    while (partition_next_neighbour(k->part, root, &w, &other, &traffic)) {
        if (k->bin_of[other] >= 0) {
            k->bins[k->bin_of[other]].traffic += traffic;
        }
    }
}

/* Where it ends first; or where it has more traffic, as long as that is within the fair share. Lower numbers win ties. */
static inlay_id find_bin(packing *k, inlay_id root)
{
    inlay_id best = -1, near = -1;
    sum_traffic(k, root);
    for (inlay_id b = 0; b < k->count; b++) {
        const bin *own = &k->bins[b];
        if (!takes(k, own, root)) {
            continue;
        }
        double end = end_on(k, own, root);
        best = best < 0 || end < end_on(k, &k->bins[best], root) ? b : best;
        bool nearer = near < 0 || own->traffic > k->bins[near].traffic ||
                      (own->traffic == k->bins[near].traffic && end < end_on(k, &k->bins[near], root));
        near = end <= k->share && nearer ? b : near;
    }
    return near >= 0 ? near : best;
}

static int put(packing *k, inlay_id b, inlay_id root)
{
    bin *own = &k->bins[b];
    inlay_id joined = root;
    own->time = end_on(k, own, root);
    own->memory += k->part->clusters[root].memory;
    own->pin = own->pin >= 0 ? own->pin : k->part->clusters[root].pin;
    int status = own->root < 0 ? INLAY_OK : partition_merge(k->part, own->root, root, &joined);
    own->root = joined;
    k->bin_of[joined] = b;
    return status;
}

static int pack(packing *k)
{
    inlay_id count = k->part->count;
    int status = INLAY_OK;
    for (inlay_id i = 0; i < count && status == INLAY_OK; i++) {
        inlay_id b = find_bin(k, k->root[i]);
        status = b < 0 ? INLAY_OK : put(k, b, k->root[i]);
    }
    return status;
}

int pack_clusters(partition *part, inlay_id processors, inlay_time limit)
{
    const problem *p = part->p;
    packing k = {.part = part, .p = p, .count = processors};
    k.share = inlay_app_in_units(p->app, p->total_work) / kinds_rate(&p->kinds, processors);
    k.most = limit == INT64_MAX ? INFINITY : inlay_app_in_units(p->app, limit) / p->kinds.speed * (1 + 1e-12);
    k.bins = memory_zeroed((size_t)processors, sizeof *k.bins);
    k.time = memory_zeroed((size_t)p->modules * (size_t)p->kinds.count, sizeof *k.time);
    k.root = memory_array((size_t)part->count, sizeof *k.root);
    k.bin_of = memory_array((size_t)p->modules, sizeof *k.bin_of);
    int status = INLAY_NO_MEMORY;
    if (k.bins != NULL && k.time != NULL && k.root != NULL && k.bin_of != NULL && sort_clusters(&k)) {
        memset(k.bin_of, 0xFF, (size_t)p->modules * sizeof *k.bin_of); /* -1: none */
        fill_bins(&k);
        fill_times(&k);
        status = pack(&k);
    }
    clear(&k);
    return status;
}

/*
 * Clusters on kinds of processors: whether the longest of them could take less time if they were assigned to other kinds.
 * Pins and memory count; of a host's memory every core has its share.
 */
#include "check/check.h"

#include <stddef.h>
#include <stdlib.h>

typedef struct assignment {
    const check *k;
    long double *busy; /* [cluster x classes + class]: time there, grains */
    long double *rest; /* of a cluster: what counts in its work besides, grains */
    int *pin;          /* of a cluster: the class that it is pinned to, or -1 */
    int64_t *memory;   /* of a class: that of one core, -1 unlimited */

    /* One attempt: all clusters below a time. */
    bool whole; /* of work, else of busy time alone */
    long double below;
    int *class_of;    /* of a cluster */
    inlay_id *placed; /* on a class */
    int *before; /* of a class that is looked at: the class from which a cluster would come, -1 the new one, -2 none */
    inlay_id *moved; /* of it: that cluster */
    int *queue;
} assignment;

static void clear(assignment *a)
{
    free(a->busy);
    free(a->rest);
    free(a->pin);
    free(a->memory);
    free(a->class_of);
    free(a->placed);
    free(a->before);
    free(a->moved);
    free(a->queue);
}

static bool allocate(assignment *a)
{
    size_t clusters = (size_t)a->k->clusters + 1, classes = (size_t)a->k->classes;
    a->busy = calloc(clusters * classes, sizeof *a->busy);
    a->rest = calloc(clusters, sizeof *a->rest);
    a->pin = calloc(clusters, sizeof *a->pin);
    a->memory = calloc(classes, sizeof *a->memory);
    a->class_of = calloc(clusters, sizeof *a->class_of);
    a->placed = calloc(classes, sizeof *a->placed);
    a->before = calloc(classes, sizeof *a->before);
    a->moved = calloc(classes, sizeof *a->moved);
    a->queue = calloc(classes, sizeof *a->queue);
    return a->busy && a->rest && a->pin && a->memory && a->class_of && a->placed && a->before && a->moved && a->queue;
}

/* ---- What clusters need, and what classes have ---- */

static long double *busy_on(const assignment *a, inlay_id cluster, ptrdiff_t class)
{
    return &a->busy[(ptrdiff_t)cluster * a->k->classes + class];
}

static void read_clusters(assignment *a)
{
    const check *k = a->k;
    for (inlay_id c = 0; c < k->clusters; c++) {
        const check_cluster *cluster = &k->cluster[c];
        a->pin[c] = -1;
        for (inlay_id at = cluster->first; at < cluster->end; at++) {
            inlay_id module = k->listed[at], pin = inlay_app_pin(k->app, module);
            for (int i = 0; i < k->classes; i++)
                *busy_on(a, c, i) += (long double)check_time_on(k, module, &k->class[i]) / k->class[i].speed;
            if (k->cluster_of[module] != c) continue; /* one core of a module that belongs elsewhere */
            a->rest[c] += (long double)k->work_ready[module] / k->speed;
            if (pin >= 0 && pin < inlay_machine_processors(k->machine)) a->pin[c] = k->class_of[pin];
        }
    }
    for (inlay_id d = 0; d < k->blocks; d++)
        if (k->home[d] >= 0) a->rest[k->home[d]] += (long double)inlay_app_block_time(k->app, d) / k->speed;
}

/* The least share that a core of such a host has. */
static void read_memories(assignment *a)
{
    const check *k = a->k;
    inlay_id processors = inlay_machine_processors(k->machine);
    for (int i = 0; i < k->classes; i++)
        a->memory[i] = k->class[i].memory;
    for (inlay_id p = 0, first = 0; p < processors; p++) {
        if (inlay_machine_host(k->machine, p) != inlay_machine_host(k->machine, first)) first = p;
        const check_class *class = check_class_of(k, p);
        int64_t share = class->memory / (p - first + 1), *least = &a->memory[class - k->class];
        if (class->memory >= 0 && share < *least) *least = share;
    }
}

/* ---- One attempt ---- */

static bool can_take(const assignment *a, inlay_id cluster, int class)
{
    long double time = *busy_on(a, cluster, class) + (a->whole ? a->rest[cluster] : 0);
    bool room = a->memory[class] < 0 || a->k->cluster[cluster].memory <= a->memory[class];
    return time < a->below && room && (a->pin[cluster] < 0 || a->pin[cluster] == class);
}

/* Every cluster on the way moves one class further, and the new one comes where the way began. */
static void move_along(assignment *a, int class, inlay_id cluster)
{
    a->placed[class]++;
    while (a->before[class] >= 0) {
        a->class_of[a->moved[class]] = class;
        class = a->before[class];
    }
    a->class_of[cluster] = class;
}

/* The classes that a cluster could go to, from its own or (-1) from none. */
static void look_further(assignment *a, int from, inlay_id cluster, int *found)
{
    for (int class = 0; class < a->k->classes; class ++) {
        if (a->before[class] != -2 || !can_take(a, cluster, class)) continue;
        a->before[class] = from;
        a->moved[class] = cluster;
        a->queue[(*found)++] = class;
    }
}

/* A place for one more cluster of those before it: the shortest way over classes to one that has room. */
static bool place(assignment *a, inlay_id cluster)
{
    int found = 0;
    for (int i = 0; i < a->k->classes; i++)
        a->before[i] = -2;
    look_further(a, -1, cluster, &found);
    for (int at = 0; at < found; at++) {
        int class = a->queue[at];
        if (a->placed[class] < a->k->class[class].processors) {
            move_along(a, class, cluster);
            return true;
        }
        for (inlay_id other = 0; other < cluster; other++)
            if (a->class_of[other] == class) look_further(a, class, other, &found);
    }
    return false;
}

/* Whether all clusters could stay below the longest time that one of them takes now. */
static bool can_be_shorter(assignment *a, bool whole)
{
    const check *k = a->k;
    long double longest = 0;
    a->whole = whole;
    for (inlay_id c = 0; c < k->clusters; c++) {
        ptrdiff_t class = check_class_of(k, k->cluster[c].processor) - k->class;
        long double time = *busy_on(a, c, class) + (whole ? a->rest[c] : 0);
        if (time > longest) longest = time;
    }
    a->below = longest * (1 - 1e-9L);
    for (int i = 0; i < k->classes; i++)
        a->placed[i] = 0;
    bool all = true;
    for (inlay_id c = 0; c < k->clusters && all; c++)
        all = place(a, c);
    return all;
}

int check_assignment(check *k)
{
    assignment a = {.k = k};
    if (k->classes < 2) return INLAY_OK;
    if (!allocate(&a)) {
        clear(&a);
        return INLAY_NO_MEMORY;
    }
    read_clusters(&a);
    read_memories(&a);
    check_counted(k, 1);
    if (can_be_shorter(&a, true))
        check_find(k, "the longest cluster takes longer than on other kinds of processors, which are there for all");
    clear(&a);
    return INLAY_OK;
}

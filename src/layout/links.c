/* Clusters on a machine with links. */
#include "layout/links.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "layout/cluster_graph.h"
#include "layout/far.h"
#include "layout/kind_match.h"
#include "layout/scotch.h"
#include "problem/remedy.h"
#include <stdlib.h>
#include <string.h>

typedef struct links_context {
    const problem *p;
    kind_match match;
    bool matched; /* else every cluster may stand everywhere */
} links_context;

static int distance(const void *context, inlay_id a, inlay_id b)
{
    const links_context *c = context;
    return inlay_machine_distance(c->p->machine, a, b);
}

static bool allowed(const void *context, inlay_id cluster, inlay_id processor)
{
    const links_context *c = context;
    return kind_match_allows(&c->match, cluster, processor);
}

/* Whether the clusters on every host need no more memory than it has. */
static int check_hosts(const problem *p, const placement *place, const kind_match *match, bool *fits, inlay_diag *diag)
{
    inlay_id hosts = inlay_machine_hosts(p->machine);
    int64_t *used = memory_zeroed((size_t)hosts, sizeof *used);
    if (used == NULL) {
        return diag_no_memory(diag);
    }
    *fits = true;
    for (inlay_id c = 0; c < place->clusters; c++) {
        int64_t room = kinds_of(&p->kinds, place->processor[c])->memory;
        int64_t *here = &used[inlay_machine_host(p->machine, place->processor[c])];
        *here += match->memory[c];
        *fits = *fits && (room < 0 || *here <= room);
    }
    free(used);
    return INLAY_OK;
}

static int lay_out(const links_context *context, const cluster_graph *graph, const inlay_id *pin, placement *place,
                   inlay_diag *diag)
{
    const problem *p = context->p;
    const far_problem far = {.clusters = place->clusters,
                             .processors = inlay_machine_processors(p->machine),
                             .begin = graph->begin,
                             .neighbour = graph->neighbour,
                             .traffic = graph->traffic,
                             .pin = pin,
                             .distance = distance,
                             .allowed = context->matched ? allowed : NULL,
                             .context = context,
                             .seed = 1};
    far_figures figures;
    bool scotch = p->options.layout == INLAY_LAYOUT_SCOTCH;
    int status = scotch ? scotch_layout(&far, place->processor, &figures, diag)
                        : far_layout(&far, place->processor, &figures, diag);
    if (status == INLAY_OK) {
        place->weighted_nearest = figures.nearest;
    }
    return status;
}

/* ---- Where the clusters of a host need more memory than it has ---- */

typedef struct needy {
    int64_t memory;
    inlay_id cluster;
} needy;

static int compare_needs(const void *a, const void *b)
{
    const needy *x = a, *y = b;
    return x->memory != y->memory ? (x->memory < y->memory) - (x->memory > y->memory)
                                  : (x->cluster > y->cluster) - (x->cluster < y->cluster);
}

/* Memory left in every host, and which processors are taken. */
typedef struct hosts {
    int64_t *left;
    bool *taken;
} hosts;

static bool can_take(const links_context *context, const hosts *h, inlay_id processor, inlay_id cluster)
{
    const problem *p = context->p;
    bool limited = kinds_of(&p->kinds, processor)->memory >= 0;
    int64_t left = h->left[inlay_machine_host(p->machine, processor)];
    return !h->taken[processor] && kind_match_allows(&context->match, cluster, processor) &&
           (!limited || context->match.memory[cluster] <= left);
}

/* The host with least memory left that takes it: best fit. */
static inlay_id best_fit(const links_context *context, const hosts *h, inlay_id cluster)
{
    const problem *p = context->p;
    inlay_id best = context->match.pin[cluster];
    for (inlay_id k = 0; best < 0 && k < inlay_machine_processors(p->machine); k++) {
        best = can_take(context, h, k, cluster) ? k : best;
    }
    for (inlay_id k = 0; best >= 0 && context->match.pin[cluster] < 0 && k < inlay_machine_processors(p->machine);
         k++) {
        bool tighter = h->left[inlay_machine_host(p->machine, k)] < h->left[inlay_machine_host(p->machine, best)];
        best = tighter && can_take(context, h, k, cluster) ? k : best;
    }
    return best;
}

/* Pinned clusters, then the largest first, each to the host where it leaves least. *fits: whether all found room. */
static int pack_hosts(const links_context *context, placement *place, bool *fits, inlay_diag *diag)
{
    const problem *p = context->p;
    inlay_id processors = inlay_machine_processors(p->machine);
    hosts h = {.left = memory_array((size_t)inlay_machine_hosts(p->machine), sizeof *h.left),
               .taken = memory_zeroed((size_t)processors, sizeof *h.taken)};
    needy *order = memory_array((size_t)place->clusters, sizeof *order);
    int status = h.left == NULL || h.taken == NULL || order == NULL ? diag_no_memory(diag) : INLAY_OK;
    for (inlay_id k = 0; status == INLAY_OK && k < processors; k++) {
        h.left[inlay_machine_host(p->machine, k)] = kinds_of(&p->kinds, k)->memory;
    }
    for (inlay_id c = 0; status == INLAY_OK && c < place->clusters; c++) {
        order[c] = (needy){context->match.pin[c] >= 0 ? INT64_MAX : context->match.memory[c], c};
    }
    if (status == INLAY_OK) {
        qsort(order, (size_t)place->clusters, sizeof *order, compare_needs);
    }
    *fits = true;
    for (inlay_id i = 0; status == INLAY_OK && *fits && i < place->clusters; i++) {
        inlay_id cluster = order[i].cluster, processor = best_fit(context, &h, cluster);
        *fits = processor >= 0;
        if (*fits) {
            h.taken[processor] = true;
            h.left[inlay_machine_host(p->machine, processor)] -= context->match.memory[cluster];
            place->processor[cluster] = processor;
        }
    }
    free(h.left);
    free(h.taken);
    free(order);
    return status;
}

/* Where one host has room for all, there is some layout. */
static int refuse_memory(const problem *p, inlay_diag *diag)
{
    int64_t all = 0;
    for (inlay_id i = 0; p->memory != NULL && i < p->modules; i++) {
        all += p->memory[i];
    }
    remedy_machine(p->machine, diag, "processor_memory", all);
    return diag_fail(
        diag, INLAY_NO_ANSWER,
        "the clusters find no room in the memories of %s's hosts; expected more memory, or more processors "
        "to share it out to (--processors)",
        inlay_machine_text(p->machine));
}

/* The last way is for memory alone. */
typedef enum way { WAY_FREE, WAY_SHARED, WAY_PACKED } way;

/* One way to lay out; *fits: whether every host has the memory. */
static int try_layout(const problem *p, const cluster_graph *graph, const inlay_id *pin, way how, placement *place,
                      bool *fits, inlay_diag *diag)
{
    links_context context = {.p = p, .matched = p->kinds.count > 1 || (p->memory != NULL && p->memory_limit >= 0)};
    int status = INLAY_OK;
    *fits = true;
    if (context.matched) {
        status = kind_match_make(p, place, how == WAY_SHARED, &context.match, diag);
    }
    if (status == INLAY_OK && context.matched && how == WAY_PACKED) {
        status = pack_hosts(&context, place, fits, diag);
        place->weighted_nearest = -1;
        status = status == INLAY_OK ? placement_weighted_traffic(p, place, &place->weighted_nearest, diag) : status;
    } else if (status == INLAY_OK) {
        status = lay_out(&context, graph, pin, place, diag);
    }
    if (status == INLAY_OK && *fits && context.matched && context.match.memory != NULL) {
        status = check_hosts(p, place, &context.match, fits, diag);
    }
    kind_match_clear(&context.match);
    return status;
}

static inlay_id *pins_of(const problem *p, const placement *place)
{
    inlay_id *pin = memory_array((size_t)place->clusters, sizeof *pin);
    if (pin != NULL) {
        memset(pin, 0xFF, (size_t)place->clusters * sizeof *pin); /* -1: none */
        for (inlay_id i = 0; i < p->modules; i++) {
            if (inlay_app_pin(p->app, i) >= 0) {
                pin[place->cluster_of[i]] = inlay_app_pin(p->app, i);
            }
        }
    }
    return pin;
}

int links_layout(const problem *p, placement *place, inlay_diag *diag)
{
    cluster_graph graph;
    bool fits = true;
    int status = cluster_graph_make(p, place, &graph, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_id *pin = pins_of(p, place);
    status = pin == NULL ? diag_no_memory(diag) : INLAY_OK;
    for (int how = WAY_FREE; status == INLAY_OK && how <= WAY_PACKED && (how == WAY_FREE || !fits); how++) {
        status = try_layout(p, &graph, pin, (way)how, place, &fits, diag);
        if (status == INLAY_NO_ANSWER && how == WAY_SHARED) {
            status = INLAY_OK;
            fits = false;
        }
    }
    if (status == INLAY_NO_ANSWER || (status == INLAY_OK && !fits)) {
        status = refuse_memory(p, diag);
    }
    cluster_graph_clear(&graph);
    free(pin);
    return status;
}

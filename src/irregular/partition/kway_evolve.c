/* Partitions that are kept, and their children. */
#include "irregular/partition/kway_evolve.h"
#include "base/diag.h"
#include "base/splitmix.h"
#include <stdlib.h>
#include <string.h>

void kway_population_clear(kway_population *p)
{
    for (int i = 0; i < p->members; i++) {
        free(p->part[i]);
    }
    p->members = 0;
}

int kway_population_best(const kway_population *p)
{
    int best = p->members - 1;
    for (int i = best - 1; i >= 0; i--) {
        best = kway_better(p->worth[best], p->worth[i]) ? best : i;
    }
    return best;
}

/* Edges that one of the two cuts and the other does not. */
static int64_t difference(const kway_graph *g, const int32_t *one, const int32_t *other)
{
    int64_t differ = 0;
    for (int32_t v = 0; v < g->vertices; v++) {
        for (int64_t a = g->start[v]; a < g->start[v + 1]; a++) {
            int32_t u = g->neighbour[a];
            differ += (one[u] != one[v]) != (other[u] != other[v]);
        }
    }
    return differ;
}

/* The member that gives way: most like it, of those that are no better; -1 where all are better. */
static int find_victim(const kway_population *p, const int32_t *part, kway_worth worth)
{
    int victim = -1;
    int64_t least = INT64_MAX;
    for (int i = 0; i < p->members; i++) {
        if (!kway_better(p->worth[i], worth)) {
            int64_t differ = difference(p->graph, part, p->part[i]);
            if (differ < least) {
                least = differ;
                victim = i;
            }
        }
    }
    return victim;
}

/* Takes the array over. */
static void insert(kway_population *p, int32_t *part, kway_worth worth)
{
    int at = p->members < KWAY_POPULATION ? p->members : find_victim(p, part, worth);
    if (at < 0) {
        free(part);
        return;
    }
    if (at < p->members) {
        free(p->part[at]);
    } else {
        p->members++;
    }
    p->part[at] = part;
    p->worth[at] = worth;
}

/* Judged, and kept or dropped. */
static int take_in(kway_population *p, int32_t *part, int status, inlay_diag *diag)
{
    int64_t *load = memory_array((size_t)p->goal->parts * (size_t)p->graph->weights, sizeof *load);
    status = status == INLAY_OK && load == NULL ? diag_no_memory(diag) : status;
    if (status == INLAY_OK) {
        insert(p, part, kway_worth_of(p->graph, p->goal, part, load));
    } else {
        free(part);
    }
    free(load);
    return status;
}

int kway_population_add(kway_population *p, const int32_t *part, inlay_diag *diag)
{
    size_t n = (size_t)p->graph->vertices;
    int32_t *own = memory_array(n, sizeof *own);
    if (own == NULL) {
        return diag_no_memory(diag);
    }
    memcpy(own, part, n * sizeof *own);
    int status = kway_refine(p->graph, p->goal, splitmix_next(&p->seed), own, diag);
    return take_in(p, own, status == INLAY_OK ? kway_flow(p->graph, p->goal, own, diag) : status, diag);
}

/* The better of two that are drawn. */
static int draw(kway_population *p)
{
    int one = splitmix_below(&p->seed, p->members), other = splitmix_below(&p->seed, p->members);
    return kway_better(p->worth[one], p->worth[other]) ? one : other;
}

static int have_child(kway_population *p, int32_t *child, inlay_diag *diag)
{
    int mother = draw(p), father = draw(p);
    if (kway_better(p->worth[father], p->worth[mother])) {
        int swap = mother;
        mother = father;
        father = swap;
    }
    memcpy(child, p->part[mother], (size_t)p->graph->vertices * sizeof *child);
    return kway_again(p->graph, p->goal, splitmix_next(&p->seed), mother == father ? NULL : p->part[father], child,
                      diag);
}

int kway_population_step(kway_population *p, int begin, inlay_diag *diag)
{
    int32_t *made = memory_zeroed((size_t)p->graph->vertices, sizeof *made);
    if (made == NULL) {
        return diag_no_memory(diag);
    }
    int status = p->members < begin ? kway_begin(p->graph, p->goal, splitmix_next(&p->seed), made, diag)
                                    : have_child(p, made, diag);
    return take_in(p, made, status, diag);
}

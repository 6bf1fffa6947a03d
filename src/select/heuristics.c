/*
 * The paper's heuristics H1 (figure 7) and H2 (figure 8), and H3: H2 with a descent after it. Figure 7 would return the
 * worse configuration after its break, and the loop of figure 8 would take one processor more than there are; here they
 * do not.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "select/best.h"
#include "select/general.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double look_at(const select_model *model, const int32_t *processors, select_best *best)
{
    double cost = select_cycle(model, processors);
    best->looked_at++;
    select_best_offer(best, processors, cost);
    return cost;
}

/* get_curr_config of the paper: sets P_i to its best, the smaller of equals; infinite where nothing has processors. */
static double fill(const select_model *model, int32_t i, bool others, int32_t *processors, select_best *best)
{
    double least = INFINITY;
    int32_t at = 0;
    for (int32_t p = others ? 0 : 1; p <= model->most[i]; p++) {
        processors[i] = p;
        double cost = look_at(model, processors, best);
        if (cost < least) {
            least = cost;
            at = p;
        }
    }
    processors[i] = at;
    return least;
}

static bool any(const select_model *model, const int32_t *processors, int32_t but)
{
    for (int32_t i = 0; i < model->clusters; i++) {
        if (i != but && processors[i] > 0) {
            return true;
        }
    }
    return false;
}

/* ---- Order ---- */

typedef struct ranked {
    double key;
    int32_t cluster;
} ranked;

static int by_key(const void *left, const void *right)
{
    const ranked *a = left;
    const ranked *b = right;
    return a->key != b->key ? (a->key > b->key) - (a->key < b->key)
                            : (a->cluster > b->cluster) - (a->cluster < b->cluster);
}

static void clear_all(const select_model *model, int32_t *processors)
{
    memset(processors, 0, (size_t)model->clusters * sizeof *processors);
}

/* The best cycle of each cluster alone. */
static void rank_alone(const select_model *model, int32_t *processors, select_best *best, ranked *order)
{
    clear_all(model, processors);
    for (int32_t i = 0; i < model->clusters; i++) {
        order[i].key = fill(model, i, false, processors, best);
        processors[i] = 0;
    }
    qsort(order, (size_t)model->clusters, sizeof *order, by_key);
}

static ranked *as_numbered(const select_model *model)
{
    ranked *order = memory_array((size_t)model->clusters, sizeof *order);
    for (int32_t i = 0; order != NULL && i < model->clusters; i++) {
        double speed = model->general != NULL ? general_power(model->general, i) : model->rate[i];
        order[i] = (ranked){-speed * model->most[i], i};
    }
    return order;
}

/* ---- H1 ---- */

int select_h1(const select_model *model, int32_t *processors, select_best *best, inlay_diag *diag)
{
    ranked *order = as_numbered(model);
    if (order == NULL) {
        return diag_no_memory(diag);
    }
    qsort(order, (size_t)model->clusters, sizeof *order, by_key);
    clear_all(model, processors);
    for (int32_t n = 0; n < model->clusters; n++) {
        (void)fill(model, order[n].cluster, n > 0, processors, best);
        if (processors[order[n].cluster] == 0) {
            break;
        }
    }
    free(order);
    return INLAY_OK;
}

/* ---- H2 ---- */

typedef struct trade {
    const select_model *model;
    const ranked *order;
    int32_t *current; /* c */
    int32_t *found;   /* P, the best so far */
    double least;     /* its T_c */
    select_best *best;
} trade;

static void accept(trade *t, double cost)
{
    if (cost < t->least) {
        t->least = cost;
        memcpy(t->found, t->current, (size_t)t->model->clusters * sizeof *t->current);
    }
}

/* The cluster with the longest communication among the first `seen` in order. */
static int32_t slowest(const trade *t, int32_t seen)
{
    const select_model *model = t->model;
    const double *time = model->general != NULL ? general_cluster_times(model, t->current) : NULL;
    double longest = 0;
    int32_t k = -1;
    for (int32_t n = 0; n < seen; n++) {
        int32_t j = t->order[n].cluster;
        int32_t p = t->current[j];
        if (p > 0) {
            double own = time != NULL ? time[j] : model->time[j][p];
            if (k < 0 || own > longest) {
                longest = own;
                k = j;
            }
        }
    }
    return k;
}

/* Phase 2: one processor of cluster i for one of the cluster that communicates longest, as often as possible. */
static void trade_for(trade *t, int32_t i, int32_t seen)
{
    for (;;) {
        int32_t k = slowest(t, seen);
        if (k < 0 || k == i || t->current[i] == t->model->most[i]) {
            return;
        }
        t->current[i]++;
        t->current[k]--;
        accept(t, look_at(t->model, t->current, t->best));
    }
}

static void take_clusters(trade *t)
{
    const select_model *model = t->model;
    for (int32_t n = 0; n < model->clusters; n++) {
        int32_t i = t->order[n].cluster;
        memcpy(t->current, t->found, (size_t)model->clusters * sizeof *t->current);
        int32_t before = t->current[i];
        accept(t, fill(model, i, any(model, t->current, i), t->current, t->best));
        t->current[i] = before;
        if (n > 0) {
            trade_for(t, i, n + 1);
        }
    }
}

int select_h2(const select_model *model, bool as_given, int32_t *processors, select_best *best, inlay_diag *diag)
{
    ranked *order = as_numbered(model);
    int32_t *current = memory_array((size_t)model->clusters, sizeof *current);
    if (order == NULL || current == NULL) {
        free(order);
        free(current);
        return diag_no_memory(diag);
    }
    if (!as_given) {
        rank_alone(model, current, best, order);
    }
    clear_all(model, processors);
    trade t = {model, order, current, processors, INFINITY, best};
    take_clusters(&t);
    free(order);
    free(current);
    return INLAY_OK;
}

/* ---- H3 ---- */

void select_descend(const select_model *model, int32_t *processors, select_best *best)
{
    double least = look_at(model, processors, best);
    for (bool gained = true; gained;) {
        gained = false;
        for (int32_t i = 0; i < model->clusters; i++) {
            double cost = fill(model, i, any(model, processors, i), processors, best);
            gained = gained || cost < least;
            least = fmin(least, cost);
        }
    }
}

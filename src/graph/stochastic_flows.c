/* The traffic of a stochastic graph's G(A), and which of its links lead back. */
#include "base/memory.h"
#include "graph/stochastic_reduce.h"
#include <math.h>
#include <stdlib.h>

/* ---- Whole numbers ---- */

/* How far rounding takes a sum or product from the number that it stands for, such as 3 or 10.5. */
static const double rounding = 1e-9;

static double round_up(double messages)
{
    double nearest = round(messages);
    return nearest >= 1 && fabs(messages - nearest) <= rounding * nearest ? nearest : ceil(messages);
}

static int compare_flows(const void *a, const void *b)
{
    const sg_flow *x = a, *y = b;
    return x->from != y->from     ? (x->from > y->from) - (x->from < y->from)
           : x->flags != y->flags ? (x->flags > y->flags) - (x->flags < y->flags)
           : x->to != y->to       ? (x->to > y->to) - (x->to < y->to)
                                  : (x->place > y->place) - (x->place < y->place);
}

static double round_to_nearest(double bytes)
{
    return bytes < 1 / rounding ? floor(bytes + 0.5 + rounding) : round(bytes);
}

void sg_join_flows(sg_flows *flows)
{
    size_t kept = 0;
    if (flows->count == 0) {
        return;
    }
    qsort(flows->flow, flows->count, sizeof *flows->flow, compare_flows);
    for (size_t i = 0; i < flows->count; i++) {
        const sg_flow *one = &flows->flow[i];
        sg_flow *last = kept > 0 ? &flows->flow[kept - 1] : NULL;
        if (last != NULL && last->from == one->from && last->to == one->to && last->flags == one->flags) {
            last->messages += one->messages;
            last->bytes += one->bytes;
        } else {
            flows->flow[kept++] = *one;
        }
    }
    flows->count = kept;
    for (size_t i = 0; i < kept; i++) {
        flows->flow[i].messages = round_up(flows->flow[i].messages);
        flows->flow[i].bytes = round_to_nearest(flows->flow[i].bytes);
    }
}

/* ---- Collecting ---- */

static bool add_flow(sg_flows *flows, sg_flow flow)
{
    if (!memory_grow((void **)&flows->flow, &flows->capacity, flows->count + 1, sizeof *flows->flow)) {
        return false;
    }
    flow.place = flows->count;
    flows->flow[flows->count++] = flow;
    return true;
}

/* @param taken  how often */
static bool add_link(sg_flows *flows, const sg_numbers *numbers, const sg_link *link, double taken, unsigned flags)
{
    inlay_id from = sg_number(numbers, link->from), to = sg_number(numbers, link->to);
    return from == to || add_flow(flows, (sg_flow){.from = from,
                                                   .to = to,
                                                   .flags = flags,
                                                   .messages = taken * (double)link->messages,
                                                   .bytes = taken * (double)link->bytes});
}

bool sg_collect_flows(const inlay_stochastic *graph, const sg_numbers *numbers, double executions, const bool *back,
                      sg_flows *links, sg_flows *uses)
{
    bool good = true;
    for (size_t l = 0; l < graph->control.count && good; l++) {
        const sg_link *link = &graph->control.link[l];
        double taken = executions * graph->visits[link->from] * link->probability;
        good = add_link(links, numbers, link, taken, back != NULL && back[l] ? INLAY_LINK_TRAFFIC_ONLY : 0);
    }
    for (size_t l = 0; l < graph->traffic.count && good; l++) {
        const sg_link *link = &graph->traffic.link[l];
        good = add_link(links, numbers, link, executions * graph->visits[link->from], INLAY_LINK_TRAFFIC_ONLY);
    }
    for (size_t u = 0; u < graph->uses && good; u++) {
        const sg_use *use = &graph->use[u];
        double taken = executions * graph->visits[use->module];
        good = add_flow(uses, (sg_flow){.from = use->block,
                                        .to = sg_number(numbers, use->module),
                                        .messages = taken * (double)use->messages,
                                        .bytes = taken * (double)use->bytes});
    }
    return good;
}

/* ---- Links that lead back ---- */

enum { NOT_FOUND, ON_THE_WAY, LEFT };

typedef struct walk {
    const inlay_stochastic *graph;
    char *state;
    size_t *next; /* link of each module that is followed next */
    inlay_id *path;
    bool *back;
} walk;

static void walk_from(walk *w, inlay_id root)
{
    const sg_links *control = &w->graph->control;
    size_t depth = 0;
    w->path[depth++] = root;
    w->state[root] = ON_THE_WAY;
    w->next[root] = control->begin[root];
    while (depth > 0) {
        inlay_id at = w->path[depth - 1];
        if (w->next[at] == control->begin[at + 1]) {
            w->state[at] = LEFT;
            depth--;
            continue;
        }
        size_t link = w->next[at]++;
        inlay_id to = control->link[link].to;
        w->back[link] = w->state[to] == ON_THE_WAY;
        if (w->state[to] == NOT_FOUND) {
            w->state[to] = ON_THE_WAY;
            w->next[to] = control->begin[to];
            w->path[depth++] = to;
        }
    }
}

bool *sg_find_back_links(const inlay_stochastic *graph)
{
    size_t n = graph->modules;
    walk w = {.graph = graph,
              .state = memory_zeroed(n, sizeof *w.state),
              .next = memory_array(n, sizeof *w.next),
              .path = memory_array(n, sizeof *w.path),
              .back = memory_zeroed(graph->control.count, sizeof *w.back)};
    bool good = w.state != NULL && w.next != NULL && w.path != NULL && w.back != NULL;
    for (size_t i = 0; good && i < n; i++) {
        if (graph->module[i].entries > 0 && w.state[i] == NOT_FOUND) {
            walk_from(&w, (inlay_id)i);
        }
    }
    free(w.state);
    free(w.next);
    free(w.path);
    if (!good) {
        free(w.back);
        return NULL;
    }
    return w.back;
}

/* Stochastic graphs: probabilities, entries, and whether every module can be reached. */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/stochastic.h"
#include <math.h>
#include <stdlib.h>

/* How far a sum of probabilities may be from 1: they are decimals that somebody has rounded. A sum that is as far as
   that when written is a little farther in binary. */
static const double sum_tolerance = 1e-9 + 1e-14;

/* Sort links by their origin; false when out of memory. */
static bool sg_sort_links(sg_links *links, size_t modules)
{
    size_t *begin = memory_zeroed(modules + 2, sizeof *begin);
    sg_link *sorted = memory_array(links->count, sizeof *sorted);
    if (begin == NULL || sorted == NULL) {
        free(begin);
        free(sorted);
        return false;
    }
    for (size_t l = 0; l < links->count; l++) {
        begin[links->link[l].from + 2]++;
    }
    for (size_t i = 2; i < modules + 2; i++) {
        begin[i] += begin[i - 1];
    }
    for (size_t l = 0; l < links->count; l++) {
        sorted[begin[links->link[l].from + 1]++] = links->link[l];
    }
    free(links->link);
    free(links->begin);
    links->link = sorted;
    links->capacity = links->count;
    links->begin = begin;
    return true;
}

/* ---- Probabilities ---- */

static int refuse_open_link(const inlay_stochastic_builder *b, const sg_link *link, inlay_diag *diag)
{
    const sg_module *module = b->graph->module;
    return diag_fail_at(diag, INLAY_BAD_INPUT, b->file, sg_line(b, link->from, link->to),
                        "the link '%s' -> '%s' has no probability, other links of '%s' have; expected all or none",
                        module[link->from].name, module[link->to].name, module[link->from].name);
}

/* The links of an EOR module, `count` of them: given probabilities, scaled to the sum of 1, or equal ones. */
static int settle_draw(const inlay_stochastic_builder *b, sg_link *link, size_t count, inlay_diag *diag)
{
    size_t open = 0;
    double sum = 0;
    const sg_link *first_open = NULL;
    for (size_t l = count; l-- > 0;) {
        bool is_open = link[l].probability < 0;
        open += is_open;
        first_open = is_open ? &link[l] : first_open;
        sum += is_open ? 0 : link[l].probability;
    }
    if (open > 0 && open < count) {
        return refuse_open_link(b, first_open, diag);
    }
    if (open == 0 && fabs(sum - 1) > sum_tolerance) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, b->file, sg_line(b, link->from, link->to),
                            "the probabilities of the links of module '%s' sum to %.12g; expected 1",
                            b->graph->module[link->from].name, sum);
    }
    for (size_t l = 0; l < count; l++) {
        link[l].probability = open > 0 ? 1 / (double)count : link[l].probability / sum;
    }
    return INLAY_OK;
}

static int settle_probabilities(const inlay_stochastic_builder *b, inlay_diag *diag)
{
    const inlay_stochastic *graph = b->graph;
    int status = INLAY_OK;
    for (size_t i = 0; i < graph->modules && status == INLAY_OK; i++) {
        sg_link *link = graph->control.link + graph->control.begin[i];
        size_t count = graph->control.begin[i + 1] - graph->control.begin[i];
        if (graph->module[i].eor && count > 0) {
            status = settle_draw(b, link, count, diag);
        } else {
            for (size_t l = 0; l < count; l++) {
                link[l].probability = 1;
            }
        }
    }
    return status;
}

/* ---- Entries ---- */

/* Where none are given: 1 for a module that nothing but itself leads to. */
static bool settle_entries(const inlay_stochastic *graph)
{
    bool *led_to = memory_zeroed(graph->modules, sizeof *led_to);
    if (led_to == NULL) {
        return false;
    }
    for (size_t l = 0; l < graph->control.count; l++) {
        const sg_link *link = &graph->control.link[l];
        led_to[link->to] |= link->from != link->to;
    }
    for (size_t i = 0; i < graph->modules; i++) {
        if (!graph->module[i].has_entries) {
            graph->module[i].entries = led_to[i] ? 0 : 1;
        }
    }
    free(led_to);
    return true;
}

/* Links that are never taken are of no use to anybody from here on. */
static bool drop_dead_links(inlay_stochastic *graph)
{
    sg_links *control = &graph->control;
    size_t kept = 0;
    for (size_t l = 0; l < control->count; l++) {
        if (control->link[l].probability > 0) {
            control->link[kept++] = control->link[l];
        }
    }
    bool changed = kept < control->count;
    control->count = kept;
    return !changed || sg_sort_links(control, graph->modules);
}

/* ---- Reach ---- */

/* Fills `order` with the modules that visits can come to; how many there are. */
static size_t reach(const inlay_stochastic *graph, bool *reached, inlay_id *order)
{
    size_t count = 0;
    for (size_t i = 0; i < graph->modules; i++) {
        reached[i] = graph->module[i].entries > 0;
        if (reached[i]) {
            order[count++] = (inlay_id)i;
        }
    }
    for (size_t done = 0; done < count; done++) {
        const sg_links *control = &graph->control;
        for (size_t l = control->begin[order[done]]; l < control->begin[order[done] + 1]; l++) {
            inlay_id to = control->link[l].to;
            if (!reached[to]) {
                reached[to] = true;
                order[count++] = to;
            }
        }
    }
    return count;
}

static int refuse_unreached(const inlay_stochastic_builder *b, const bool *reached, inlay_id *order, inlay_diag *diag)
{
    size_t count = 0;
    for (size_t i = 0; i < b->graph->modules; i++) {
        if (!reached[i]) {
            order[count++] = (inlay_id)i;
        }
    }
    char *names = sg_names(b->graph, order, count);
    int status = names == NULL
                     ? diag_no_memory(diag)
                     : diag_fail_at(diag, INLAY_BAD_INPUT, b->file, sg_line(b, order[0], -1),
                                    "%s cannot be reached from an entry (%zu in all); expected a link that can be "
                                    "taken, or entries",
                                    names, count);
    free(names);
    return status;
}

static int check_reach(const inlay_stochastic_builder *b, inlay_diag *diag)
{
    const inlay_stochastic *graph = b->graph;
    bool *reached = memory_array(graph->modules, sizeof *reached);
    inlay_id *order = memory_array(graph->modules, sizeof *order);
    int status = INLAY_OK;
    if (reached == NULL || order == NULL) {
        status = diag_no_memory(diag);
    } else {
        size_t count = reach(graph, reached, order);
        if (count == 0 && graph->modules > 0) {
            status = diag_fail_at(diag, INLAY_BAD_INPUT, b->file, sg_line(b, 0, -1),
                                  "no module has entries, so nothing is ever visited; expected entries=1 where an "
                                  "execution begins");
        } else if (count < graph->modules) {
            status = refuse_unreached(b, reached, order, diag);
        }
    }
    free(reached);
    free(order);
    return status;
}

int sg_check(const inlay_stochastic_builder *builder, inlay_diag *diag)
{
    inlay_stochastic *graph = builder->graph;
    if (graph->modules == 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, 0, "no modules; expected at least one");
    }
    if (!sg_sort_links(&graph->control, graph->modules) || !sg_sort_links(&graph->traffic, graph->modules)) {
        return diag_no_memory(diag);
    }
    int status = settle_probabilities(builder, diag);
    if (status == INLAY_OK && (!settle_entries(graph) || !drop_dead_links(graph))) {
        status = diag_no_memory(diag);
    }
    return status == INLAY_OK ? check_reach(builder, diag) : status;
}

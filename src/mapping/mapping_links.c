/* What a mapping puts on the links of its machine, for whoever asks where messages wait. */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "layout/link_load.h"
#include "machine/machine.h"
#include "mapping/mapping.h"
#include <stdlib.h>

/* The loads of the placement that the mapping has, with `p` as far as they need it: its network alone is to be cleared. */
static int load_of(const inlay_mapping *m, problem *p, link_load *load, inlay_diag *diag)
{
    const network_unit unit = {inlay_app_unit(m->app), m->summary.options.tick_seconds, inlay_app_name(m->app)};
    inlay_id *processor = memory_array((size_t)m->summary.clusters, sizeof *processor);
    if (processor == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id c = 0; c < m->summary.clusters; c++) {
        processor[c] = m->clusters[c].processor;
    }
    placement place = {
        .clusters = m->summary.clusters, .cluster_of = m->cluster_of, .processor = processor, .home = m->home};
    *p = (problem){.app = m->app, .machine = m->machine, .modules = m->app->modules};
    int status = interconnect_make(m->machine, &unit, &p->network, NULL); /* its warnings were given before */
    if (status == INLAY_OK) {
        sendings s = {0};
        p->options = m->summary.options;
        status = sent_by(p, &place, &s);
        status = status == INLAY_OK ? link_load_make(p, &place, &s, load, NULL) : status;
        sent_clear(&s);
    }
    free(processor);
    return status;
}

/* Flows over every link; one that passes a link twice counts once. NULL when out of memory. */
static inlay_id *count_flows(const link_load *load, inlay_id links)
{
    inlay_id *flows = memory_zeroed((size_t)links, sizeof *flows);
    size_t *last = memory_zeroed((size_t)links, sizeof *last); /* by link: the last flow over it, counted from 1 */
    if (flows == NULL || last == NULL) {
        free(flows);
        free(last);
        return NULL;
    }
    for (size_t f = 0; f < load->flows; f++) {
        for (size_t k = load->route_begin[f]; k < load->route_begin[f + 1]; k++) {
            inlay_id link = load->route.link[k];
            flows[link] += last[link] <= f;
            last[link] = f + 1;
        }
    }
    free(last);
    return flows;
}

static int larger_load(const void *a, const void *b)
{
    const inlay_link_load *x = a, *y = b;
    if (x->parallel != y->parallel) {
        return x->parallel ? 1 : -1;
    }
    if (x->utilisation != y->utilisation) {
        return x->utilisation > y->utilisation ? -1 : 1;
    }
    return x->traffic != y->traffic ? (x->traffic < y->traffic) - (x->traffic > y->traffic)
                                    : (x->link > y->link) - (x->link < y->link);
}

/* The links that are used, into as many places. */
static int fill(const inlay_mapping *m, const link_load *load, const inlay_id *flows, inlay_link_load *to)
{
    const topology *t = m->machine->topology;
    inlay_link_queue queue = inlay_machine_exponential(m->machine) ? INLAY_LINK_MM1 : INLAY_LINK_MD1;
    int status = INLAY_OK;
    for (inlay_id link = 0; status == INLAY_OK && link < t->links; link++) {
        if (flows[link] > 0) {
            double u = load->demand[link] / m->summary.time_frame;
            *to = (inlay_link_load){link, flows[link], load->carried[link], u, 1, t->link[link].parallel};
            status = to->parallel ? INLAY_OK : inlay_link_delay(queue, u, &to->delay);
            to++;
        }
    }
    return status;
}

static int collect(const inlay_mapping *m, const link_load *load, inlay_link_load **loads, size_t *count)
{
    inlay_id links = m->machine->topology->links;
    inlay_id *flows = count_flows(load, links);
    size_t used = 0;
    for (inlay_id link = 0; flows != NULL && link < links; link++) {
        used += flows[link] > 0;
    }
    inlay_link_load *found = memory_array(used, sizeof *found);
    int status = flows == NULL || found == NULL ? INLAY_NO_MEMORY : fill(m, load, flows, found);
    free(flows);
    if (status != INLAY_OK) {
        free(found);
        return status;
    }
    qsort(found, used, sizeof *found, larger_load);
    *loads = found;
    *count = used;
    return INLAY_OK;
}

int inlay_mapping_links(const inlay_mapping *mapping, inlay_link_load **loads, size_t *count, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (mapping == NULL || loads == NULL || count == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "loads of links need a mapping and places for the result");
    }
    if (!inlay_machine_has_links(mapping->machine)) {
        *loads = NULL;
        *count = 0;
        return INLAY_OK;
    }
    problem p = {0};
    link_load load = {0};
    int status = load_of(mapping, &p, &load, diag);
    if (status == INLAY_OK) {
        status = collect(mapping, &load, loads, count);
    }
    link_load_clear(&load);
    interconnect_clear(&p.network);
    return status == INLAY_OK ? INLAY_OK : diag_fail(diag, status, "%s", inlay_status_text(status));
}

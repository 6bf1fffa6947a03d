/* Facts about machines: kinds of processors and links, distances, bisection. */
#include "base/diag.h"
#include <inlay/machine.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distances are measured between all hosts of machines with up to 1,024 of them, and from fewer hosts on larger ones. */
enum { MEASURED_PAIRS = 1 << 20 };

void inlay_machine_facts_clear(inlay_machine_facts *facts)
{
    free(facts->processor_kinds);
    free(facts->link_kinds);
    *facts = (inlay_machine_facts){0};
}

/* ---- Processors ---- */

static bool same(double a, double b)
{
    return !(a < b) && !(a > b);
}

static bool same_processor(const inlay_processor *a, const inlay_processor *b)
{
    bool types = a->type == NULL || b->type == NULL ? a->type == b->type : strcmp(a->type, b->type) == 0;
    return types && same(a->speed, b->speed) && a->memory == b->memory;
}

/* The kind of a processor, a new one where it is none of those so far; NULL when out of memory. */
static inlay_processor_kind *kind_of(inlay_machine_facts *facts, const inlay_processor *processor)
{
    for (size_t i = facts->processor_kind_count; i-- > 0;) { /* neighbours are often alike */
        if (same_processor(&facts->processor_kinds[i].is, processor)) {
            return &facts->processor_kinds[i];
        }
    }
    size_t count = facts->processor_kind_count + 1;
    inlay_processor_kind *kinds = realloc(facts->processor_kinds, count * sizeof *kinds);
    if (kinds == NULL) {
        return NULL;
    }
    facts->processor_kinds = kinds;
    facts->processor_kind_count = count;
    kinds[count - 1] = (inlay_processor_kind){.is = *processor};
    return &kinds[count - 1];
}

/* Whether all hosts of a machine are like the first: told by its family, whatever its size. */
static bool is_uniform(const inlay_machine *machine)
{
    return inlay_machine_family(machine) != INLAY_GRAPH;
}

static bool find_processor_kinds(inlay_machine_facts *facts)
{
    inlay_id processors = inlay_machine_processors(facts->machine), host = -1;
    if (is_uniform(facts->machine)) {
        inlay_processor first = inlay_machine_processor(facts->machine, 0);
        inlay_processor_kind *kind = kind_of(facts, &first);
        if (kind != NULL) {
            kind->processors = processors;
            kind->hosts = inlay_machine_hosts(facts->machine);
        }
        return kind != NULL;
    }
    for (inlay_id p = 0; p < processors; p++) {
        inlay_processor processor = inlay_machine_processor(facts->machine, p);
        inlay_processor_kind *kind = kind_of(facts, &processor);
        if (kind == NULL) {
            return false;
        }
        kind->processors++;
        kind->hosts += inlay_machine_host(facts->machine, p) != host;
        host = inlay_machine_host(facts->machine, p);
    }
    return true;
}

/* ---- Links ---- */

static int order_of(double a, double b)
{
    return (a > b) - (a < b);
}

/* From the fastest on: capacity down, latency up, then a link of one's own before shared and parallel ones. */
static int compare_links(const void *a, const void *b)
{
    const inlay_machine_link *x = a, *y = b;
    if (order_of(x->capacity, y->capacity) != 0) {
        return order_of(y->capacity, x->capacity);
    }
    if (order_of(x->latency, y->latency) != 0) {
        return order_of(x->latency, y->latency);
    }
    return x->shared != y->shared ? x->shared - y->shared : x->parallel - y->parallel;
}

static bool find_link_kinds(inlay_machine_facts *facts)
{
    inlay_id links = inlay_machine_links(facts->machine);
    inlay_machine_link *all = calloc((size_t)links + 1, sizeof *all);
    facts->link_kinds = calloc((size_t)links + 1, sizeof *facts->link_kinds);
    if (all == NULL || facts->link_kinds == NULL) {
        free(all);
        return false;
    }
    for (inlay_id l = 0; l < links; l++) {
        all[l] = inlay_machine_link_at(facts->machine, l);
    }
    qsort(all, (size_t)links, sizeof *all, compare_links);
    for (inlay_id l = 0; l < links; l++) {
        if (l == 0 || compare_links(&all[l - 1], &all[l]) != 0) {
            facts->link_kinds[facts->link_kind_count++] = (inlay_link_kind){.is = all[l]};
        }
        facts->link_kinds[facts->link_kind_count - 1].links++;
    }
    free(all);
    return true;
}

/* ---- Distances ---- */

/* The first processor of every host. */
static inlay_id *first_processors(const inlay_machine *machine)
{
    inlay_id processors = inlay_machine_processors(machine), hosts = 0;
    inlay_id *first = calloc((size_t)inlay_machine_hosts(machine) + 1, sizeof *first);
    for (inlay_id p = 0; first != NULL && p < processors; p++) {
        if (p == 0 || inlay_machine_host(machine, p) != inlay_machine_host(machine, p - 1)) {
            first[hosts++] = p;
        }
    }
    return first;
}

/* Without links: a step to the near hosts, behind the same switch of an omega network with private memories, else two. */
static void count_steps(inlay_machine_facts *facts, int64_t hosts)
{
    int64_t near = inlay_machine_has_distance(facts->machine) ? inlay_machine_switch(facts->machine) : hosts,
            others = hosts - 1;
    facts->diameter = near < hosts ? 2 : others > 0;
    facts->mean_distance = others > 0 ? (double)(near - 1 + 2 * (hosts - near)) / (double)others : NAN;
}

/* From hosts spread evenly over their numbers to all others. */
static bool measure(inlay_machine_facts *facts)
{
    inlay_id hosts = inlay_machine_hosts(facts->machine);
    int64_t pairs = 0, sum = 0;
    facts->sources = hosts <= MEASURED_PAIRS / hosts ? hosts : 1 + MEASURED_PAIRS / hosts;
    if (!inlay_machine_has_links(facts->machine)) {
        count_steps(facts, hosts);
        return true;
    }
    inlay_id *first = first_processors(facts->machine);
    if (first == NULL) {
        return false;
    }
    for (inlay_id s = 0; s < facts->sources; s++) {
        inlay_id from = (inlay_id)((int64_t)s * hosts / facts->sources);
        for (inlay_id to = 0; to < hosts; to++) {
            int distance = inlay_machine_distance(facts->machine, first[from], first[to]);
            pairs += from != to;
            sum += distance;
            facts->diameter = distance > facts->diameter ? distance : facts->diameter;
        }
    }
    facts->mean_distance = pairs > 0 ? (double)sum / (double)pairs : NAN;
    free(first);
    return true;
}

int inlay_machine_describe(const inlay_machine *machine, inlay_machine_facts *facts, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_machine_facts found = {.machine = machine, .bisection = inlay_machine_bisection(machine)};
    if (!find_processor_kinds(&found) || !find_link_kinds(&found) || !measure(&found)) {
        inlay_machine_facts_clear(&found);
        return diag_no_memory(diag);
    }
    *facts = found;
    return INLAY_OK;
}

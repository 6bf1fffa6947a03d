/* Reading an SPMD program from DOT: its phases. */
#include "base/diag.h"
#include "base/memory.h"
#include "io/dot/program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KIND,
    DOMINANT,
    NUM_PDUS, /* from here on a computation's, */
    COMP_COMPLEXITY,
    COMP_FIXED,
    ARCH_COST,
    TOPOLOGY, /* and from here on a communication's */
    COMM_COMPLEXITY,
    COMM_PER_PDU,
    MESSAGES,
    OVERLAP,
    ALGORITHM,
    SIZES,
    NODE_ATTRIBUTES
};

static const char *const node_attributes[] = {"kind",         "dominant",       "numPDUs",  "comp_complexity",
                                              "comp_fixed",   "arch_cost",      "topology", "comm_complexity",
                                              "comm_per_PDU", "messages",       "overlap",  "algorithm",
                                              "sizes",        "arch_cost.TYPE", NULL};
static const char *const edge_attributes[] = {NULL};

static const char cost_prefix[] = "arch_cost.";

enum { WHAT_ROOM = 96 };

/* A phase under way. */
typedef struct phase {
    const program_reader *r;
    const dot_node *node;
    const char *kind; /* "computation" */
} phase;

static const char *value_of(const phase *p, const char *attribute)
{
    return dot_value(&p->node->is, dot_find_symbol(&p->r->graph, DOT_NODES, attribute));
}

static int refuse(const phase *p, const char *attribute, const char *wrong, const char *expected)
{
    return dot_refuse_node(&p->r->graph, p->node, attribute, value_of(p, attribute), p->kind, wrong, expected,
                           p->r->diag);
}

static int refuse_missing(const phase *p, const char *wrong, const char *expected)
{
    const char *name = p->node->name;
    return diag_fail_at(p->r->diag, INLAY_BAD_INPUT, p->r->graph.source, p->node->is.line, "%s '%s' %s; expected %s",
                        p->kind, name, wrong, expected);
}

/* ---- Kinds ---- */

static int read_kind(program_reader *r, const dot_node *node, bool *computes)
{
    static const char expected[] = "kind=computation or kind=communication";
    const phase p = {r, node, "phase"};
    const char *kind = value_of(&p, "kind");
    if (kind == NULL) {
        return refuse_missing(&p, "has no kind", expected);
    }
    *computes = strcmp(kind, "computation") == 0;
    return *computes || strcmp(kind, "communication") == 0 ? INLAY_OK : refuse(&p, "kind", "is unknown", expected);
}

/* A default of all nodes may be meant for one kind of phase; what a phase says itself may not be the other kind's. */
static int check_foreign(const phase *p, bool computes)
{
    static const char *const expected[] = {"it in a computation", "it in a communication"};
    const dot_graph *graph = &p->r->graph;
    for (size_t s = 0; s < graph->symbols[DOT_NODES]; s++) {
        const dot_symbol *symbol = &graph->symbol[DOT_NODES][s];
        const char *value = dot_value(&p->node->is, symbol);
        bool foreign = !computes && strncmp(symbol->name, cost_prefix, strlen(cost_prefix)) == 0;
        for (int i = computes ? TOPOLOGY : NUM_PDUS; i < (computes ? NODE_ATTRIBUTES : TOPOLOGY); i++) {
            foreign |= strcmp(symbol->name, node_attributes[i]) == 0;
        }
        const char *by_default = dot_value(&graph->default_of[DOT_NODES], symbol);
        if (foreign && value != NULL && (by_default == NULL || strcmp(value, by_default) != 0)) {
            return refuse(p, symbol->name, "belongs to the other kind of phase", expected[computes]);
        }
    }
    return INLAY_OK;
}

/* Whether the phase is marked as the dominant one; `dominant` is the one that was so far, -1 none. */
static int read_dominant(const phase *p, int32_t number, int32_t *dominant)
{
    const char *value = value_of(p, "dominant");
    bool yes = value != NULL && strcmp(value, "yes") == 0;
    if (value != NULL && !yes && strcmp(value, "no") != 0) {
        return refuse(p, "dominant", "is unknown", "yes or no");
    }
    if (yes && *dominant >= 0) {
        return refuse(p, "dominant", "is said of another phase of its kind too", "one dominant phase of each kind");
    }
    *dominant = yes ? number : *dominant;
    return INLAY_OK;
}

/* ---- Amounts ---- */

/* An attribute that is an amount, where it is given. */
static int read_amount(const phase *p, const char *attribute, bool of_processors, inlay_unit unit,
                       program_amount *amount)
{
    const char *text = value_of(p, attribute), *name = p->node->name;
    char what[WHAT_ROOM];
    *amount = (program_amount){.attribute = attribute,
                               .line = dot_line(&p->node->is, dot_find_symbol(&p->r->graph, DOT_NODES, attribute))};
    (void)snprintf(what, sizeof what, "%s '%.64s'", p->kind, name);
    return text == NULL ? INLAY_OK
                        : program_parse(p->r, text, p->r->made->parameters + of_processors, unit, what, amount);
}

/* arch_cost and every arch_cost.TYPE. */
static int read_costs(const phase *p, program_computation *made)
{
    size_t capacity = 0;
    const dot_graph *graph = &p->r->graph;
    for (size_t s = 0; s < graph->symbols[DOT_NODES]; s++) {
        const dot_symbol *symbol = &graph->symbol[DOT_NODES][s];
        bool typed = strncmp(symbol->name, cost_prefix, strlen(cost_prefix)) == 0;
        if (dot_value(&p->node->is, symbol) == NULL || (!typed && strcmp(symbol->name, "arch_cost") != 0)) {
            continue;
        }
        const char *attribute = name_store_keep(&p->r->made->names, symbol->name);
        if (attribute == NULL || !memory_grow((void **)&made->cost, &capacity, made->costs + 1, sizeof *made->cost)) {
            return diag_no_memory(p->r->diag);
        }
        program_cost *cost = &made->cost[made->costs++];
        cost->type = typed ? attribute + strlen(cost_prefix) : NULL;
        int status = read_amount(p, attribute, false, p->r->unit, &cost->time);
        if (status != INLAY_OK) {
            return status;
        }
    }
    return INLAY_OK;
}

static int read_computation(program_reader *r, const dot_node *node)
{
    inlay_domain_file *file = r->made;
    const phase p = {r, node, "computation"};
    if (file->domain.computations == INLAY_DOMAIN_PHASES) {
        return refuse_missing(&p, "is one too many", "at most 64 computations");
    }
    int32_t number = file->domain.computations++;
    program_computation *made = &file->computation[number];
    int status = check_foreign(&p, true);
    if (status == INLAY_OK) {
        status = read_dominant(&p, number, &file->dominant_computation);
    }
    if (status == INLAY_OK) {
        status = read_amount(&p, "numPDUs", false, INLAY_UNIT_NONE, &made->units);
    }
    if (status == INLAY_OK) {
        status = read_amount(&p, "comp_complexity", true, INLAY_UNIT_NONE, &made->per_unit);
    }
    if (status == INLAY_OK) {
        status = read_amount(&p, "comp_fixed", true, INLAY_UNIT_NONE, &made->fixed);
    }
    if (status == INLAY_OK) {
        status = read_costs(&p, made);
    }
    if (status == INLAY_OK && made->units.is == NULL) {
        status = refuse_missing(&p, "has no numPDUs", "how many units of data it has");
    }
    if (status == INLAY_OK && made->per_unit.is == NULL && made->fixed.is == NULL) {
        status = refuse_missing(&p, "does nothing", "comp_complexity, the instructions on a unit of data");
    }
    made->name = name_store_keep(&file->names, node->name);
    return status == INLAY_OK && made->name == NULL ? diag_no_memory(r->diag) : status;
}

/* ---- Communications ---- */

static int read_topology(const phase *p, inlay_pattern *pattern)
{
    static const char expected[] = "1-D, ring, tree, all-to-all, allreduce, broadcast, 2-D or 3-D";
    const char *value = value_of(p, "topology");
    if (value == NULL) {
        return refuse_missing(p, "has no topology", expected);
    }
    for (int i = 0; i < INLAY_ALL_PATTERNS; i++) {
        if (strcmp(value, inlay_pattern_name((inlay_pattern)i)) == 0) {
            *pattern = (inlay_pattern)i;
            return INLAY_OK;
        }
    }
    return refuse(p, "topology", "is unknown", expected);
}

/* Functions have messages between clusters; algorithms have a name, and sizes. */
static int read_algorithm(const phase *p, program_communication *made)
{
    static const char *const only[2][3] = {{"algorithm", "sizes", NULL}, {"messages", NULL}};
    const bool algorithm = (int)made->pattern >= INLAY_PATTERNS;
    const char *name = value_of(p, "algorithm");
    for (const char *const *other = only[algorithm]; *other != NULL; other++) {
        if (value_of(p, *other) != NULL) {
            return refuse(p, *other, "does not go with this topology",
                          algorithm ? "it with 1-D, ring or tree"
                                    : "it with all-to-all, allreduce, broadcast, 2-D or 3-D");
        }
    }
    if (name != NULL && strcmp(name, "auto") != 0) {
        made->algorithm = name_store_keep(&p->r->made->names, name);
        if (made->algorithm == NULL) {
            return diag_no_memory(p->r->diag);
        }
        const char *known;
        for (size_t i = 0; (known = inlay_pattern_algorithm(made->pattern, i)) != NULL && strcmp(known, name) != 0;) {
            i++;
        }
        if (known == NULL) {
            return refuse(p, "algorithm", "is unknown", "auto, or one that its topology has");
        }
    }
    return read_amount(p, "sizes", false, INLAY_UNIT_NONE, &made->sizes);
}

static int read_overlap(const phase *p, int32_t *overlap)
{
    const inlay_domain_file *file = p->r->made;
    const char *value = value_of(p, "overlap");
    *overlap = -1;
    for (int32_t i = 0; value != NULL && i < file->domain.computations; i++) {
        if (strcmp(value, file->computation[i].name) == 0) {
            *overlap = i;
        }
    }
    return value == NULL || *overlap >= 0 ? INLAY_OK
                                          : refuse(p, "overlap", "is no computation", "the name of one of this file");
}

static int read_communication(program_reader *r, const dot_node *node)
{
    inlay_domain_file *file = r->made;
    const phase p = {r, node, "communication"};
    if (file->domain.communications == INLAY_DOMAIN_PHASES) {
        return refuse_missing(&p, "is one too many", "at most 64 communications");
    }
    int32_t number = file->domain.communications++;
    program_communication *made = &file->communication[number];
    int status = check_foreign(&p, false);
    if (status == INLAY_OK) {
        status = read_dominant(&p, number, &file->dominant_communication);
    }
    if (status == INLAY_OK) {
        status = read_topology(&p, &made->pattern);
    }
    if (status == INLAY_OK) {
        status = read_algorithm(&p, made);
    }
    if (status == INLAY_OK) {
        status = read_amount(&p, "comm_complexity", true, INLAY_UNIT_NONE, &made->fixed);
    }
    if (status == INLAY_OK) {
        status = read_amount(&p, "comm_per_PDU", true, INLAY_UNIT_NONE, &made->per_unit);
    }
    if (status == INLAY_OK) {
        status = read_amount(&p, "messages", true, INLAY_UNIT_NONE, &made->messages);
    }
    if (status == INLAY_OK) {
        status = read_overlap(&p, &made->overlap);
    }
    made->name = name_store_keep(&file->names, node->name);
    return status == INLAY_OK && made->name == NULL ? diag_no_memory(r->diag) : status;
}

/* ---- All of them ---- */

static int read_pass(program_reader *r, bool computations)
{
    int status = INLAY_OK;
    for (int32_t i = 0; i < r->graph.nodes && status == INLAY_OK; i++) {
        const dot_node *node = &r->graph.node[i];
        bool computes = false;
        status = read_kind(r, node, &computes);
        if (status == INLAY_OK && computes == computations) {
            status = computes ? read_computation(r, node) : read_communication(r, node);
        }
    }
    return status;
}

int program_read_phases(program_reader *r)
{
    const dot_graph *graph = &r->graph;
    int status = dot_check_attributes(graph, DOT_NODES, node_attributes, r->diag);
    r->made->dominant_computation = r->made->dominant_communication = -1;
    if (status == INLAY_OK) {
        status = dot_check_attributes(graph, DOT_EDGES, edge_attributes, r->diag);
    }
    if (status == INLAY_OK) {
        status = read_pass(r, true);
    }
    if (status == INLAY_OK && r->made->domain.computations == 0) {
        status = diag_fail_at(r->diag, INLAY_BAD_INPUT, graph->source, graph->is.line,
                              "no computations; expected at least one node with kind=computation");
    }
    return status == INLAY_OK ? read_pass(r, false) : status;
}

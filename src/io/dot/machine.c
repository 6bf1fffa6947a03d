/* Machines as DOT graphs: what families and explicit graphs share. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "io/dot/dot.h"
#include "io/dot/graph.h"
#include "io/dot/machine.h"
#include "io/dot/scan.h"
#include "io/dot/values.h"
#include "io/machine_formats.h"
#include "machine/machine.h"
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

/* The graph's attributes that are not Graphviz's, each with its line. */
typedef struct attribute_list {
    inlay_attribute *items;
    size_t count, capacity;
} attribute_list;

static int gather(const dot_graph *graph, attribute_list *list, inlay_diag *diag)
{
    for (size_t i = 0; i < graph->symbols[DOT_GRAPHS]; i++) {
        const dot_symbol *symbol = &graph->symbol[DOT_GRAPHS][i];
        const char *value = dot_value(&graph->is, symbol);
        /* `model` is both Graphviz's and a machine's: here it is the machine's */
        bool own = attribute_find(symbol->name) >= 0;
        if (value == NULL || (!own && dot_is_graphviz(DOT_GRAPHS, symbol->name))) {
            continue;
        }
        if (!memory_grow((void **)&list->items, &list->capacity, list->count + 1, sizeof *list->items)) {
            return diag_no_memory(diag);
        }
        list->items[list->count++] = (inlay_attribute){symbol->name, value, dot_line(&graph->is, symbol)};
    }
    return INLAY_OK;
}

/* Whether the machine is told by nodes and edges; a family is told by attributes alone. */
static bool is_explicit(const dot_graph *graph)
{
    const char *network = dot_graph_value(graph, "network");
    return network != NULL && strcmp(network, inlay_family_name(INLAY_GRAPH)) == 0;
}

static int check_machine(const dot_graph *graph, inlay_diag *diag)
{
    int status = dot_check_is_not_spmd(graph, "a machine", diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (dot_graph_value(graph, "network") == NULL) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, graph->source, graph->is.line,
                            "the graph has no attribute network; expected a machine, graph [network=bus, "
                            "processors=NUMBER]");
    }
    if (graph->nodes > 0 && !is_explicit(graph)) {
        const dot_node *node = &graph->node[0];
        return diag_fail_at(diag, INLAY_BAD_INPUT, graph->source, node->is.line,
                            "a machine with the node '%s'; expected attributes of the graph alone", node->name);
    }
    return INLAY_OK;
}

/* Put the caller's attributes into the list, each in the place of the file's own where there is one. */
static int override(attribute_list *list, const inlay_attribute *attributes, size_t count, inlay_diag *diag)
{
    size_t own = list->count;
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < own && strcmp(list->items[at].name, attributes[i].name) != 0) {
            at++;
        }
        at = at == own ? list->count : at;
        if (!memory_grow((void **)&list->items, &list->capacity, at + 1, sizeof *list->items)) {
            return diag_no_memory(diag);
        }
        list->items[at] = attributes[i];
        list->count += at == list->count;
    }
    return INLAY_OK;
}

static int make(const dot_source *source, const dot_graph *graph, attribute_list *list, inlay_machine **machine,
                inlay_diag *diag)
{
    if (is_explicit(graph)) {
        size_t kept = 0;
        for (size_t i = 0; i < list->count; i++) {
            if (strcmp(list->items[i].name, "network") != 0) {
                list->items[kept++] = list->items[i];
            }
        }
        return dot_explicit_from(source, graph, list->items, kept, machine, diag);
    }
    char *name = dot_graph_name(graph);
    int status = name == NULL ? diag_no_memory(diag)
                              : inlay_machine_make(name, source->name, list->items, list->count, machine, diag);
    free(name);
    return status;
}

int dot_machine_with(const char *data, size_t size, const char *source_name, const inlay_attribute *attributes,
                     size_t count, inlay_machine **machine, inlay_diag *diag)
{
    dot_source source = {.data = data, .size = size, .name = source_name};
    dot_graph graph = {0};
    attribute_list list = {0};
    int status = dot_graph_read(&source, &graph, diag);
    if (status == INLAY_OK) {
        status = check_machine(&graph, diag);
    }
    if (status == INLAY_OK) {
        status = gather(&graph, &list, diag);
    }
    if (status == INLAY_OK) {
        status = override(&list, attributes, count, diag);
    }
    if (status == INLAY_OK) {
        status = make(&source, &graph, &list, machine, diag);
    }
    free(list.items);
    dot_graph_close(&graph);
    return status;
}

int dot_machine_from(const char *data, size_t size, const char *source, inlay_machine **machine, inlay_diag *diag)
{
    return dot_machine_with(data, size, source, NULL, 0, machine, diag);
}

typedef struct sought {
    const char *name, *value; /* NULL: any */
    bool found;
} sought;

static bool find_attribute(void *context, const dot_event *event)
{
    sought *of = context;
    of->found = event->kind == DOT_ATTRIBUTE && event->owner == DOT_OF_GRAPH && event->depth == 1 &&
                strcmp(event->name, of->name) == 0 && (of->value == NULL || strcmp(event->value, of->value) == 0);
    return !of->found;
}

static bool graph_says(const char *data, size_t size, const char *name, const char *value)
{
    sought of = {.name = name, .value = value};
    dot_walk(data, size, "", find_attribute, &of, NULL);
    return of.found;
}

bool dot_is_machine(const char *data, size_t size)
{
    return graph_says(data, size, "network", NULL);
}

bool metasystem_looks_like(const char *data, size_t size)
{
    return graph_says(data, size, "kind", "metasystem");
}

/* ---- Writing ---- */

/* Of types of processors that have their own, each with the first host of that type. */
static bool add_references(const inlay_machine *machine, text_buffer *to)
{
    const machine_host *host = machine->unlike.host;
    inlay_id *first = NULL;
    size_t types = 0, room = 0;
    bool good = true;
    for (inlay_id h = 0; good && host != NULL && machine_has_references(machine) && h < machine->topology->hosts; h++) {
        size_t k = 0;
        while (k < types && (host[h].type == NULL || strcmp(host[first[k]].type, host[h].type) != 0)) {
            k++;
        }
        if (!(host[h].reference > 0) || k < types) {
            continue;
        }
        good = memory_grow((void **)&first, &room, types + 1, sizeof *first);
        if (good) {
            first[types++] = h;
            char text[DOUBLE_TEXT];
            text_buffer name = {0};
            text_addf(&name, "reference_speed.%s", host[h].type);
            text_add(to, ", ");
            good = !name.failed && dot_add_id(to, name.data);
            text_addf(to, "=\"%sf\"", double_text(host[h].reference, text));
            text_clear(&name);
        }
    }
    free(first);
    return good;
}

static bool add_header(const inlay_machine *machine, text_buffer *to)
{
    text_add(to,
             inlay_machine_family(machine) == INLAY_GRAPH && !dot_explicit_is_graph(machine) ? "digraph " : "graph ");
    bool good = dot_add_id(to, inlay_machine_name(machine));
    text_add(to, " {\n  graph [");
    for (size_t i = 0; i < inlay_machine_attributes(machine) && good; i++) {
        inlay_attribute attribute = inlay_machine_attribute(machine, i);
        text_addf(to, "%s%s=", i == 0 ? "" : ", ", attribute.name);
        good = dot_add_id(to, attribute.value);
    }
    good = good && add_references(machine, to);
    text_add(to, "];\n");
    return good;
}

int dot_machine_to(const inlay_machine *machine, text_buffer *to, inlay_diag *diag)
{
    text_buffer written = {0};
    bool good = add_header(machine, &written);
    int status = INLAY_OK;
    if (good && inlay_machine_family(machine) == INLAY_GRAPH) {
        status = dot_explicit_to(machine, &written, &good, diag);
    }
    text_add(&written, "}\n");
    if (status == INLAY_OK && !good) {
        status = diag_fail(diag, INLAY_BAD_INPUT,
                           "the machine '%s' cannot be written in DOT; expected no backslash in front of a quote, a "
                           "line's end or a value's end",
                           inlay_machine_name(machine));
    } else if (status == INLAY_OK && written.failed) {
        status = diag_no_memory(diag);
    } else if (status == INLAY_OK) {
        text_append(to, written.data, written.size);
    }
    text_clear(&written);
    return status;
}

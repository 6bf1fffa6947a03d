/* Machines as DOT graphs, and machines by string or by file. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "io/dot.h"
#include "io/dot_graph.h"
#include "io/dot_scan.h"
#include "machine/machine.h"
#include <inlay/io.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

/* The graph's attributes that are not Graphviz's, each with its line. */
typedef struct attribute_list {
    inlay_attribute *items;
    size_t count, capacity;
} attribute_list;

static int gather(const dot_source *source, Agraph_t *graph, attribute_list *list, inlay_diag *diag)
{
    for (Agsym_t *symbol = NULL; (symbol = agnxtattr(graph, AGRAPH, symbol)) != NULL;) {
        const char *value = dot_value(graph, symbol);
        /* `model` is both Graphviz's and a machine's: here it is the machine's */
        bool own = attribute_find(symbol->name) >= 0;
        if (value == NULL || (!own && dot_is_graphviz(AGRAPH, symbol->name))) {
            continue;
        }
        if (!memory_grow((void **)&list->items, &list->capacity, list->count + 1, sizeof *list->items)) {
            return diag_no_memory(diag);
        }
        long line = dot_line_of_attribute(source, AGRAPH, symbol->name);
        list->items[list->count++] = (inlay_attribute){symbol->name, value, line};
    }
    return INLAY_OK;
}

/* Uniform machines are told by attributes alone. */
static int check_machine(const dot_source *source, Agraph_t *graph, inlay_diag *diag)
{
    if (dot_value(graph, agattr(graph, AGRAPH, "network", NULL)) == NULL) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, source->name, dot_line_of_graph(source),
                            "the graph has no attribute network; expected a machine, graph [network=bus, "
                            "processors=NUMBER]");
    }
    Agnode_t *node = agfstnode(graph);
    if (node != NULL) {
        return diag_fail_at(
            diag, INLAY_BAD_INPUT, source->name, dot_line_of_node(source, dot_node_name(node), NULL, NULL),
            "a machine with the node '%s'; expected attributes of the graph alone", dot_node_name(node));
    }
    return INLAY_OK;
}

int dot_machine_from(const char *data, size_t size, const char *source_name, inlay_machine **machine, inlay_diag *diag)
{
    dot_source source = {data, size, source_name};
    dot_graph graph = {0};
    attribute_list list = {0};
    char *name = NULL;
    int status = dot_graph_read(&source, &graph, diag);
    if (status == INLAY_OK) {
        status = check_machine(&source, graph.graph, diag);
    }
    if (status == INLAY_OK) {
        status = gather(&source, graph.graph, &list, diag);
    }
    if (status == INLAY_OK) {
        name = dot_graph_name(&source, &graph);
        status = name == NULL ? diag_no_memory(diag)
                              : inlay_machine_make(name, source_name, list.items, list.count, machine, diag);
    }
    free(name);
    free(list.items);
    dot_graph_close(&graph);
    return status;
}

static bool find_network(void *context, const dot_event *event)
{
    bool found = event->kind == DOT_ATTRIBUTE && event->owner == DOT_OF_GRAPH && event->depth == 1 &&
                 strcmp(event->name, "network") == 0;
    *(bool *)context |= found;
    return !found;
}

bool dot_is_machine(const char *data, size_t size)
{
    bool found = false;
    dot_walk(data, size, "", find_network, &found, NULL, NULL);
    return found;
}

/* ---- Writing ---- */

int dot_machine_to(const inlay_machine *machine, text_buffer *to, inlay_diag *diag)
{
    text_buffer written = {0};
    text_add(&written, "graph ");
    bool good = dot_add_id(&written, inlay_machine_name(machine));
    text_add(&written, " {\n  graph [");
    for (size_t i = 0; i < inlay_machine_attributes(machine) && good; i++) {
        inlay_attribute attribute = inlay_machine_attribute(machine, i);
        text_addf(&written, "%s%s=", i == 0 ? "" : ", ", attribute.name);
        good = dot_add_id(&written, attribute.value);
    }
    text_add(&written, "];\n}\n");
    int status = INLAY_OK;
    if (!good) {
        status = diag_fail(diag, INLAY_BAD_INPUT,
                           "the machine '%s' cannot be written in DOT; expected no backslash in front of a quote, a "
                           "line's end or a value's end",
                           inlay_machine_name(machine));
    } else if (written.failed) {
        status = diag_no_memory(diag);
    } else {
        text_append(to, written.data, written.size);
    }
    text_clear(&written);
    return status;
}

/* ---- Machines by string or by file ---- */

static int read_file(const char *path, inlay_machine **machine, inlay_diag *diag)
{
    file_content content = {0};
    int status = file_read(path, &content, diag);
    if (status == INLAY_OK) {
        status = dot_machine_from(content.data, content.size, path, machine, diag);
    }
    file_content_clear(&content);
    return status;
}

/* In front of the colon of a machine string there is the family alone; a slash may follow, in a rate. */
static bool looks_like_path(const char *text_or_path)
{
    size_t head = strcspn(text_or_path, ":");
    const char *dot = strstr(text_or_path, ".dot");
    return memchr(text_or_path, '/', head) != NULL || (dot != NULL && dot < text_or_path + head);
}

int inlay_machine_read(const char *text_or_path, inlay_machine **machine, inlay_diag *diag)
{
    if (strcmp(text_or_path, "-") == 0 || file_exists(text_or_path)) {
        return read_file(text_or_path, machine, diag);
    }
    if (looks_like_path(text_or_path)) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text_or_path, 0,
                            "no such file; expected a machine's DOT file, or a string such as bus:16");
    }
    return inlay_machine_parse(text_or_path, machine, diag);
}

int inlay_machine_write(const inlay_machine *machine, const char *path, inlay_diag *diag)
{
    text_buffer written = {0};
    int status = dot_machine_to(machine, &written, diag);
    if (status == INLAY_OK && written.failed) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        status = file_write(path, written.data, written.size, diag);
    }
    text_clear(&written);
    return status;
}

/* DOT graphs: what the text says, put together as Graphviz does. */
#include "io/dot/graph.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "graph/names.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A subgraph with a name, which may be opened again. */
typedef struct group {
    const dot_setting *said[DOT_KINDS]; /* defaults, of which those up to `outer` are its parent's */
    const dot_setting *outer[DOT_KINDS];
    int32_t stretch; /* the last of its own in the log, -1 none */
} group;

/* Nodes that were mentioned one behind the other: a part of the log. */
typedef struct stretch {
    size_t begin, end;
    int32_t before; /* an earlier one of the same subgraph, -1 none */
} stretch;

/* One end of an edge: a list of nodes or a subgraph. */
typedef struct edge_end {
    stretch nodes;
    int32_t group; /* below 0: a list, or a subgraph without a name */
    bool list;
    int32_t line;
} edge_end;

/* The graph or an open subgraph, and the statement under way in it. */
typedef struct level {
    const dot_setting *said[DOT_KINDS]; /* defaults */
    const dot_setting *outer[DOT_KINDS];
    int32_t group;           /* -1: the graph; below: one without a name */
    int32_t line;            /* where it begins */
    size_t begin;            /* of its nodes in the log */
    size_t ends;             /* the first of the statement */
    bool joins;              /* the next node begins an end */
    const dot_setting *edge; /* what the statement says of its edges */
} level;

/* Settings stay where they are; each block is larger than the one before, but only so far. */
enum { FIRST_BLOCK = 512, LARGEST_BLOCK = 1 << 18 };

struct dot_block {
    struct dot_block *next;
    size_t used, size;
    dot_setting setting[];
};

typedef struct maker {
    dot_graph *graph;
    inlay_diag *diag;
    int status;
    bool strict;
    size_t node_capacity, edge_capacity, symbol_capacity[DOT_KINDS];
    name_map nodes, symbols[DOT_KINDS], groups, edges; /* edges: of a strict graph, and those with a key */
    level *levels;                                     /* by depth */
    char *key;                                         /* of the edges of the statement, NULL none */
    int32_t nameless;
    uint64_t group_links; /* made between subgraphs */
    group *group;
    stretch *stretches; /* of groups */
    edge_end *ends;
    int32_t *log; /* every node that the outermost statement mentions, and all that stand in groups */
    size_t level_capacity, groups_made, group_capacity, stretch_count, stretch_capacity, stretches_before, end_count,
        end_capacity, logged, log_capacity;
    int32_t *set[2]; /* nodes of the ends under way */
    size_t set_capacity[2];
} maker;

static bool stop(maker *m, int status)
{
    m->status = status;
    return false;
}

static bool no_memory(maker *m)
{
    return stop(m, diag_no_memory(m->diag));
}

/* Room for one more in an array; false with the message where there is none. */
static bool room(maker *m, void *array, size_t *capacity, size_t count, size_t size)
{
    return memory_grow(array, capacity, count + 1, size) || no_memory(m);
}

static int32_t as_line(long line)
{
    return line < INT32_MAX ? (int32_t)line : INT32_MAX;
}

/* ---- Settings ---- */

static bool open_block(maker *m)
{
    struct dot_block *last = m->graph->blocks;
    size_t size = last == NULL ? FIRST_BLOCK : last->size < LARGEST_BLOCK ? 2 * last->size : last->size;
    struct dot_block *block = malloc(sizeof *block + size * sizeof *block->setting);
    if (block == NULL) {
        return no_memory(m);
    }
    *block = (struct dot_block){.next = last, .size = size};
    m->graph->blocks = block;
    return true;
}

/* In front of a chain. */
static bool say(maker *m, const dot_setting **said, dot_setting setting)
{
    struct dot_block *block = m->graph->blocks;
    if (block == NULL || block->used == block->size) {
        if (!open_block(m)) {
            return false;
        }
        block = m->graph->blocks;
    }
    dot_setting *place = &block->setting[block->used++];
    *place = setting;
    place->before = *said;
    *said = place;
    return true;
}

/* Put the settings of one chain, down to `end`, in front of another. */
static bool repeat(maker *m, const dot_setting *from, const dot_setting *end, const dot_setting **said)
{
    const dot_setting *turned = NULL; /* oldest first */
    for (; from != end; from = from->before) {
        if (!say(m, &turned, *from)) {
            return false;
        }
    }
    for (; turned != NULL; turned = turned->before) {
        if (!say(m, said, *turned)) {
            return false;
        }
    }
    return true;
}

/* The number of an attribute, which may be new. */
static bool symbol_of(maker *m, dot_kind kind, const char *name, int32_t line, int32_t *number)
{
    dot_graph *graph = m->graph;
    int32_t known = name_map_get(&m->symbols[kind], name);
    if (known < 0) {
        size_t count = graph->symbols[kind];
        const char *kept = name_store_keep(&graph->names, name);
        known = (int32_t)count;
        if (!room(m, (void **)&graph->symbol[kind], &m->symbol_capacity[kind], count, sizeof(dot_symbol))) {
            return false;
        }
        if (kept == NULL || !name_map_put(&m->symbols[kind], kept, known)) {
            return no_memory(m);
        }
        graph->symbol[kind][graph->symbols[kind]++] = (dot_symbol){kept, known, line};
    }
    *number = known;
    return true;
}

/* What the event says, as a setting of objects of that kind. */
static bool setting_of(maker *m, dot_kind kind, const dot_event *event, dot_setting *setting)
{
    int32_t line = as_line(event->line), symbol;
    if (!symbol_of(m, kind, event->name, line, &symbol)) {
        return false;
    }
    const char *value = name_store_keep(&m->graph->names, event->value);
    *setting = (dot_setting){.value = value, .line = line, .symbol = (uint32_t)symbol & INT32_MAX};
    return value != NULL || no_memory(m);
}

/* ---- Nodes ---- */

static bool bind_node(maker *m, const level *in, const dot_event *event, int32_t *number)
{
    dot_graph *graph = m->graph;
    name_spot spot;
    name_map_announce(&m->nodes, event->name, &spot);
    if (!name_map_seek(&m->nodes, event->name, &spot)) {
        return no_memory(m);
    }
    *number = spot.id;
    if (spot.id >= 0) {
        return true;
    }
    const char *kept = name_store_keep_sized(&graph->names, event->name, spot.size);
    if (kept == NULL) {
        return no_memory(m);
    }
    if (graph->nodes == INT32_MAX - 1) {
        return stop(m, diag_fail_at(m->diag, INLAY_BAD_INPUT, graph->source, event->line,
                                    "more than 2147483646 nodes; expected less"));
    }
    if (!room(m, (void **)&graph->node, &m->node_capacity, (size_t)graph->nodes, sizeof *graph->node)) {
        return false;
    }
    *number = graph->nodes++;
    name_map_fill(&m->nodes, &spot, kept, *number);
    graph->node[*number] = (dot_node){{in->said[DOT_NODES], as_line(event->line)}, kept};
    return true;
}

/* Nodes and subgraphs between two arrows. */
static bool begin_end(maker *m, level *in, edge_end end)
{
    in->joins = false;
    if (!room(m, (void **)&m->ends, &m->end_capacity, m->end_count, sizeof *m->ends)) {
        return false;
    }
    m->ends[m->end_count++] = end;
    return true;
}

static bool meet_node(maker *m, level *in, const dot_event *event)
{
    int32_t number;
    if (event->known && name_map_get(&m->nodes, event->name) < 0) {
        return stop(m,
                    diag_fail_at(m->diag, INLAY_BAD_INPUT, m->graph->edge_source, event->line,
                                 "unknown module '%s'; expected the name of one in %s", event->name, m->graph->source));
    }
    if (!bind_node(m, in, event, &number) || !room(m, (void **)&m->log, &m->log_capacity, m->logged, sizeof *m->log)) {
        return false;
    }
    m->log[m->logged++] = number;
    if (!in->joins) {
        m->ends[m->end_count - 1].nodes.end = m->logged;
        return true;
    }
    return begin_end(
        m, in,
        (edge_end){.nodes = {m->logged - 1, m->logged, -1}, .group = -1, .list = true, .line = as_line(event->line)});
}

/* Of a node's own times there may be one. */
static bool check_time(maker *m, const dot_node *node, const dot_setting *setting)
{
    const dot_setting *said = *setting->value == '\0' ? NULL : node->is.said;
    while (said != NULL && said->own && (said->symbol != setting->symbol || *said->value == '\0')) {
        said = said->before;
    }
    return said == NULL || !said->own ||
           stop(m, diag_fail_at(m->diag, INLAY_BAD_INPUT, m->graph->source, setting->line,
                                "module '%s' is given twice (first on line %d); expected one statement with a time",
                                node->name, (int)said->line));
}

/* Of all nodes of the statement, which is one list. */
static bool say_of_nodes(maker *m, const level *in, const dot_event *event)
{
    dot_setting setting;
    if (!setting_of(m, DOT_NODES, event, &setting)) {
        return false;
    }
    setting.own = true;
    bool time = strcmp(event->name, "time") == 0;
    for (size_t i = m->ends[in->ends].nodes.begin; i < m->logged; i++) {
        dot_node *node = &m->graph->node[m->log[i]];
        if ((time && !check_time(m, node, &setting)) || !say(m, &node->is.said, setting)) {
            return false;
        }
    }
    return true;
}

/* ---- Subgraphs ---- */

/* The subgraph of that name in the one that is open; it may be new. */
static bool find_group(maker *m, int32_t parent, const char *name, int32_t *number)
{
    text_buffer key = {0};
    text_addf(&key, "%" PRId32 " %s", parent, name);
    *number = key.failed ? -1 : name_map_get(&m->groups, key.data);
    const char *kept = key.failed || *number >= 0 ? key.data : name_store_keep(&m->graph->names, key.data);
    text_clear(&key);
    if (kept == NULL) {
        return no_memory(m);
    }
    if (*number >= 0) {
        return true;
    }
    *number = (int32_t)m->groups_made;
    if (!room(m, (void **)&m->group, &m->group_capacity, m->groups_made, sizeof *m->group)) {
        return false;
    }
    m->group[m->groups_made++] = (group){.stretch = -1};
    return name_map_put(&m->groups, kept, *number) || no_memory(m);
}

static bool open_group(maker *m, const dot_event *event)
{
    size_t depth = (size_t)event->depth;
    if (!room(m, (void **)&m->levels, &m->level_capacity, depth, sizeof *m->levels)) {
        return false;
    }
    const level *around = &m->levels[depth - 1];
    level *in = &m->levels[depth];
    *in = (level){.line = as_line(event->line), .begin = m->logged};
    for (int kind = DOT_NODES; kind < DOT_KINDS; kind++) {
        in->said[kind] = in->outer[kind] = around->said[kind];
    }
    if (event->name == NULL) {
        in->group = -2 - m->nameless++;
        return true;
    }
    if (!find_group(m, around->group, event->name, &in->group)) {
        return false;
    }
    const group *known = &m->group[in->group];
    for (int kind = DOT_NODES; kind < DOT_KINDS; kind++) {
        if (!repeat(m, known->said[kind], known->outer[kind], &in->said[kind])) {
            return false;
        }
    }
    return true;
}

static bool close_group(maker *m, const dot_event *event)
{
    const level *in = &m->levels[event->depth];
    level *around = &m->levels[event->depth - 1];
    stretch nodes = {in->begin, m->logged, -1};
    if (in->group >= 0) {
        group *of = &m->group[in->group];
        memcpy(of->said, in->said, sizeof in->said);
        memcpy(of->outer, in->outer, sizeof in->outer);
        if (!room(m, (void **)&m->stretches, &m->stretch_capacity, m->stretch_count, sizeof *m->stretches)) {
            return false;
        }
        nodes.before = of->stretch;
        of->stretch = (int32_t)m->stretch_count;
        m->stretches[m->stretch_count++] = nodes;
    }
    return begin_end(m, around, (edge_end){nodes, in->group, false, in->line});
}

/* ---- Edges ---- */

static int compare_numbers(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The nodes of an end: of a list as they stand there, of a subgraph each once in the order of the graph. */
static bool nodes_of(maker *m, const edge_end *end, int which, size_t *count)
{
    const stretch *part = end->group < 0 ? &end->nodes : &m->stretches[m->group[end->group].stretch];
    *count = 0;
    for (;; part = &m->stretches[part->before]) {
        size_t size = part->end - part->begin;
        if (!memory_grow((void **)&m->set[which], &m->set_capacity[which], *count + size, sizeof *m->set[which])) {
            return no_memory(m);
        }
        for (size_t i = part->begin; i < part->end; i++) {
            m->set[which][(*count)++] = m->log[i];
        }
        if (part->before < 0) {
            break;
        }
    }
    if (!end->list && *count > 0) {
        size_t kept = 0;
        int32_t *set = m->set[which];
        qsort(set, *count, sizeof *set, compare_numbers);
        for (size_t i = 1; i < *count; i++) {
            kept += set[i] != set[kept];
            set[kept] = set[i];
        }
        *count = kept + 1;
    }
    return true;
}

enum { EDGE_NAME_ROOM = 32 };

/* What an edge is known by: its ends in a strict graph (key NULL), its ends and its key. */
static bool add_edge_name(maker *m, text_buffer *to, int32_t tail, int32_t head, const char *key)
{
    to->size = 0;
    text_addf(to, "%" PRId32 " %" PRId32 "%s%s", tail, head, key == NULL ? "" : " ", key == NULL ? "" : key);
    return !to->failed || no_memory(m);
}

/* The edge known by that, in either direction where the graph has none; -1 there is none. */
static bool find_edge(maker *m, int32_t tail, int32_t head, const char *key, int32_t *number)
{
    text_buffer name = {0};
    *number = -1;
    for (int turn = 0; turn < (m->graph->directed ? 1 : 2) && *number < 0; turn++) {
        if (!add_edge_name(m, &name, turn == 0 ? tail : head, turn == 0 ? head : tail, key)) {
            break;
        }
        *number = name_map_get(&m->edges, name.data);
    }
    text_clear(&name);
    return m->status == INLAY_OK;
}

static bool know_edge(maker *m, int32_t tail, int32_t head, const char *key, int32_t number)
{
    text_buffer name = {0};
    if (add_edge_name(m, &name, tail, head, key)) {
        const char *kept = name_store_keep(&m->graph->names, name.data);
        if (kept == NULL || !name_map_put(&m->edges, kept, number)) {
            no_memory(m);
        }
    }
    text_clear(&name);
    return m->status == INLAY_OK;
}

static bool new_edge(maker *m, const level *in, int32_t tail, int32_t head, int32_t line)
{
    dot_graph *graph = m->graph;
    if (graph->edges == INT32_MAX) {
        return stop(m, diag_fail_at(m->diag, INLAY_BAD_INPUT, graph->source, line,
                                    "more than 2147483647 edges; expected less"));
    }
    if (!room(m, (void **)&graph->edge, &m->edge_capacity, (size_t)graph->edges, sizeof *graph->edge)) {
        return false;
    }
    graph->edge[graph->edges++] = (dot_edge){{in->edge, line}, tail, head};
    return true;
}

/*
 * An edge of the statement: a new one, or more of one that is known. In a strict graph edges are known by their ends,
 * whatever their keys: Graphviz would make some multiple by them, against what it says of strict graphs.
 */
static bool join(maker *m, const level *in, int32_t tail, int32_t head, int32_t line)
{
    const char *key = m->strict ? NULL : m->key;
    int32_t known = -1;
    if ((m->strict || key != NULL) && !find_edge(m, tail, head, key, &known)) {
        return false;
    }
    if (known >= 0) {
        return repeat(m, in->edge, in->said[DOT_EDGES], &m->graph->edge[known].is.said);
    }
    return ((!m->strict && key == NULL) || know_edge(m, tail, head, key, m->graph->edges)) &&
           new_edge(m, in, tail, head, line);
}

/* A few characters may ask for a link from each node of one subgraph to each of another, and again. */
enum { GROUP_LINKS = 1 << 24 };

static bool count_group_links(maker *m, const edge_end *end, size_t tails, size_t heads)
{
    bool groups = !end[0].list || !end[1].list;
    m->group_links += groups ? (uint64_t)tails * heads : 0;
    return m->group_links <= GROUP_LINKS ||
           stop(m, diag_fail_at(m->diag, INLAY_BAD_INPUT, m->graph->source, end[1].line,
                                "subgraphs make more than %d links up to here; expected such links one by one",
                                GROUP_LINKS));
}

/* Every node of one end with every node of the next. */
static bool join_ends(maker *m, const level *in, const edge_end *end)
{
    size_t tails, heads;
    if (!nodes_of(m, end, 0, &tails) || !nodes_of(m, end + 1, 1, &heads) || !count_group_links(m, end, tails, heads)) {
        return false;
    }
    for (size_t i = 0; i < tails; i++) {
        for (size_t j = 0; j < heads; j++) {
            if (!join(m, in, m->set[0][i], m->set[1][j], end[1].line)) {
                return false;
            }
        }
    }
    return true;
}

/* Edges get their key before they are made and share what else is said of them. */
static bool say_of_edges(maker *m, level *in, const dot_event *event)
{
    dot_setting setting;
    if (strcmp(event->name, "key") == 0) {
        free(m->key);
        m->key = memory_string(event->value);
        return m->key != NULL || no_memory(m);
    }
    if (!setting_of(m, DOT_EDGES, event, &setting)) {
        return false;
    }
    setting.own = true;
    return say(m, &in->edge, setting);
}

/* ---- Statements ---- */

static void begin_statement(maker *m, level *in)
{
    in->ends = m->end_count;
    in->joins = true;
    in->edge = in->said[DOT_EDGES];
}

static bool end_statement(maker *m, level *in, int depth)
{
    bool good = true;
    for (size_t i = in->ends; i + 1 < m->end_count && good; i++) {
        good = join_ends(m, in, &m->ends[i]);
    }
    m->end_count = in->ends;
    free(m->key);
    m->key = NULL;
    if (depth == 1) { /* only what stands in subgraphs with names is asked for again */
        m->logged = m->stretch_count == m->stretches_before ? in->begin : m->logged;
        m->stretches_before = m->stretch_count;
        in->begin = m->logged;
    }
    return good;
}

/* What a statement says of all: of the graph itself, which has no defaults, only where it is not a subgraph. */
static bool say_of_all(maker *m, level *in, dot_kind kind, const dot_event *event)
{
    dot_setting setting;
    if (kind == DOT_EDGES && strcmp(event->name, "key") == 0) {
        return true;
    }
    if (!setting_of(m, kind, event, &setting)) {
        return false;
    }
    return kind != DOT_GRAPHS ? say(m, &in->said[kind], setting)
                              : event->depth > 1 || say(m, &m->graph->is.said, setting);
}

static bool meet_attribute(maker *m, level *in, const dot_event *event)
{
    int32_t number;
    switch (event->owner) {
    case DOT_OF_GRAPH: return say_of_all(m, in, DOT_GRAPHS, event);
    case DOT_OF_NODES: return say_of_all(m, in, DOT_NODES, event);
    case DOT_OF_EDGES: return say_of_all(m, in, DOT_EDGES, event);
    case DOT_OF_NODE: return say_of_nodes(m, in, event);
    case DOT_OF_EDGE: return say_of_edges(m, in, event);
    case DOT_OF_GROUP: break;
    }
    return symbol_of(m, DOT_NODES, event->name, as_line(event->line), &number);
}

static bool begin_graph(maker *m, const dot_event *event)
{
    dot_graph *graph = m->graph;
    m->strict = event->strict;
    graph->directed = event->directed;
    graph->is.line = as_line(event->line);
    graph->name = event->name == NULL ? NULL : name_store_keep(&graph->names, event->name);
    return event->name == NULL || graph->name != NULL || no_memory(m);
}

static bool meet(void *context, const dot_event *event)
{
    maker *m = context;
    if (event->kind == DOT_SUBGRAPH) {
        return open_group(m, event);
    }
    level *in = &m->levels[event->depth];
    switch (event->kind) {
    case DOT_GRAPH: return begin_graph(m, event);
    case DOT_SUBGRAPH: break;
    case DOT_SUBGRAPH_END: return close_group(m, event);
    case DOT_STATEMENT: begin_statement(m, in); return true;
    case DOT_STATEMENT_END: return end_statement(m, in, event->depth);
    case DOT_NODE: return meet_node(m, in, event);
    case DOT_ARROW: in->joins = true; return true;
    case DOT_ATTRIBUTE: return meet_attribute(m, in, event);
    }
    return true;
}

/* ---- The graph ---- */

static int compare_symbols(const void *a, const void *b)
{
    const dot_symbol *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* Edges by one of their ends, those of one node as they were in `from`; first[node] is where the node's begin. */
static void spread(const dot_graph *graph, bool by_head, const int32_t *from, int32_t *to, int32_t *first)
{
    memset(first, 0, ((size_t)graph->nodes + 1) * sizeof *first);
    for (int32_t i = 0; i < graph->edges; i++) {
        first[by_head ? graph->edge[i].head : graph->edge[i].tail]++;
    }
    for (int32_t i = 0, sum = 0; i <= graph->nodes; i++) {
        sum += first[i];
        first[i] = sum;
    }
    for (int32_t i = graph->edges; i-- > 0;) {
        const dot_edge *edge = &graph->edge[from[i]];
        to[--first[by_head ? edge->head : edge->tail]] = from[i];
    }
}

static bool sort_edges(maker *m)
{
    dot_graph *graph = m->graph;
    graph->first = memory_array((size_t)graph->nodes + 1, sizeof *graph->first);
    graph->out = memory_array((size_t)graph->edges, sizeof *graph->out);
    int32_t *by_head = memory_array((size_t)graph->edges, sizeof *by_head);
    bool good = graph->first != NULL && graph->out != NULL && by_head != NULL;
    for (int32_t i = 0; i < graph->edges && good; i++) {
        graph->out[i] = i;
    }
    if (good) {
        spread(graph, true, graph->out, by_head, graph->first);
        spread(graph, false, by_head, graph->out, graph->first);
    }
    free(by_head);
    return good || no_memory(m);
}

static void settle(maker *m)
{
    dot_graph *graph = m->graph;
    for (int kind = 0; kind < DOT_KINDS; kind++) {
        if (graph->symbols[kind] > 0) {
            qsort(graph->symbol[kind], graph->symbols[kind], sizeof(dot_symbol), compare_symbols);
        }
        graph->default_of[kind] = (dot_object){.said = m->levels[1].said[kind]};
    }
}

static void clear(maker *m)
{
    name_map_clear(&m->nodes);
    name_map_clear(&m->groups);
    name_map_clear(&m->edges);
    for (int kind = 0; kind < DOT_KINDS; kind++) {
        name_map_clear(&m->symbols[kind]);
    }
    void *const arrays[] = {m->levels, m->key, m->group, m->stretches, m->ends, m->log, m->set[0], m->set[1]};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
}

int dot_graph_read(const dot_source *source, dot_graph *graph, inlay_diag *diag)
{
    *graph = (dot_graph){.source = source->name, .edge_source = source->edges != NULL ? source->edges : source->name};
    maker m = {.graph = graph, .diag = diag};
    int status = INLAY_NO_MEMORY;
    if (room(&m, (void **)&m.levels, &m.level_capacity, 1, sizeof *m.levels)) {
        m.levels[1] = (level){.group = -1};
        status = source->walk != NULL
                     ? source->walk(source, meet, &m, diag)
                     : dot_walk_one(source->data, source->size, source->name, source->graph, meet, &m, diag);
        status = status == INLAY_OK ? m.status : status;
    }
    if (status == INLAY_OK) {
        settle(&m);
        sort_edges(&m);
        status = m.status;
    }
    clear(&m);
    if (status != INLAY_OK) {
        dot_graph_close(graph);
    }
    return status;
}

void dot_graph_close(dot_graph *graph)
{
    for (struct dot_block *block = graph->blocks; block != NULL;) {
        struct dot_block *next = block->next;
        free(block);
        block = next;
    }
    for (int kind = 0; kind < DOT_KINDS; kind++) {
        free(graph->symbol[kind]);
    }
    free(graph->node);
    free(graph->edge);
    free(graph->first);
    free(graph->out);
    name_store_free(graph->names);
    *graph = (dot_graph){0};
}

/* ---- What it says ---- */

const dot_symbol *dot_find_symbol(const dot_graph *graph, dot_kind kind, const char *name)
{
    const dot_symbol wanted = {.name = name};
    return graph->symbols[kind] == 0
               ? NULL
               : bsearch(&wanted, graph->symbol[kind], graph->symbols[kind], sizeof wanted, compare_symbols);
}

/* The setting in force; NULL: none. */
static const dot_setting *setting_in(const dot_object *object, const dot_symbol *symbol)
{
    const dot_setting *said = symbol == NULL ? NULL : object->said;
    while (said != NULL && (int32_t)said->symbol != symbol->number) {
        said = said->before;
    }
    return said;
}

const char *dot_value(const dot_object *object, const dot_symbol *symbol)
{
    const dot_setting *said = setting_in(object, symbol);
    return said == NULL || *said->value == '\0' ? NULL : said->value;
}

bool dot_is_empty(const dot_object *object, const dot_symbol *symbol)
{
    const dot_setting *said = setting_in(object, symbol);
    return said != NULL && *said->value == '\0';
}

const char *dot_graph_value(const dot_graph *graph, const char *name)
{
    return dot_value(&graph->is, dot_find_symbol(graph, DOT_GRAPHS, name));
}

char *dot_graph_name(const dot_graph *graph)
{
    if (graph->name != NULL) {
        return memory_string(graph->name);
    }
    const char *slash = strrchr(graph->source, '/');
    char *stem = memory_string(slash == NULL ? graph->source : slash + 1);
    char *point = stem == NULL ? NULL : strchr(stem, '.');
    if (point != NULL && point != stem) {
        *point = '\0';
    }
    return stem;
}

long dot_line(const dot_object *object, const dot_symbol *symbol)
{
    const dot_setting *said = setting_in(object, symbol);
    return said == NULL ? object->line : said->line;
}

long dot_line_of_attribute(const dot_graph *graph, dot_kind kind, const char *name)
{
    const dot_symbol *symbol = dot_find_symbol(graph, kind, name);
    return symbol == NULL ? 0 : symbol->line;
}

long dot_line_of_edge(const dot_graph *graph, int32_t tail, int32_t head)
{
    for (int32_t i = graph->first[tail]; i < graph->first[tail + 1]; i++) {
        const dot_edge *edge = &graph->edge[graph->out[i]];
        if (edge->head == head) {
            return edge->is.line;
        }
    }
    return 0;
}

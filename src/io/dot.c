/* DOT graphs through cgraph: reading one, and the lines of what it holds. */
#include "io/dot_graph.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include "graph/names.h"
#include "io/dot.h"
#include "io/dot_scan.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- What is done to the text before cgraph has it ---- */

typedef struct preparation {
    const dot_source *source;
    inlay_diag *diag;
    int status;
    char *name; /* of the graph */

    text_buffer pending; /* nodes of the statement under way, each with its NUL */
    long statement_line;
    name_store *names;
    name_map timed; /* nodes with a time of their own, and the line */

    text_buffer changed; /* the text as cgraph has to see it, up to `copied` */
    const char *copied;  /* NULL: nothing had to be changed so far */
} preparation;

static bool stop(preparation *p, int status)
{
    p->status = status;
    return false;
}

/* The nodes of this statement have a time: none of them may have had one. */
static bool note_times(preparation *p)
{
    size_t step;
    for (size_t at = 0; at < p->pending.size; at += step) {
        const char *node = p->pending.data + at;
        step = strlen(node) + 1;
        int32_t before = name_map_get(&p->timed, node);
        if (before != -1) {
            return stop(p, diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source->name, p->statement_line,
                                        "module '%s' is given twice (first on line %d); expected one statement with a "
                                        "time",
                                        node, before));
        }
        const char *kept = name_store_keep(&p->names, node);
        int32_t line = p->statement_line < INT32_MAX ? (int32_t)p->statement_line : INT32_MAX;
        if (kept == NULL || !name_map_put(&p->timed, kept, line)) {
            return stop(p, diag_no_memory(p->diag));
        }
    }
    return true;
}

/* Put `id` in the place of what the event found, in quotes. */
static void replace(preparation *p, const dot_event *event, const char *id)
{
    const char *from = p->copied == NULL ? p->source->data : p->copied;
    text_append(&p->changed, from, (size_t)(event->raw - from));
    p->changed.failed |= !dot_add_id(&p->changed, id);
    p->copied = event->raw + event->raw_size;
}

/*
 * cgraph forgets names that begin with %, which it keeps for objects without a name: they get a mark in front, and so
 * do names that begin with the mark.
 */
enum { NAME_MARK = '\1' };

static bool note_node(preparation *p, const dot_event *event)
{
    text_append(&p->pending, event->name, strlen(event->name) + 1);
    if (*event->name == '%' || *event->name == NAME_MARK) {
        text_buffer marked = {0};
        text_addf(&marked, "%c%s", NAME_MARK, event->name);
        p->changed.failed |= marked.failed;
        replace(p, event, marked.failed ? "" : marked.data);
        text_clear(&marked);
    }
    return !p->pending.failed || stop(p, diag_no_memory(p->diag));
}

static bool prepare(void *context, const dot_event *event)
{
    preparation *p = context;
    switch (event->kind) {
    case DOT_GRAPH:
        p->name = memory_string(event->name);
        return event->name == NULL || p->name != NULL || stop(p, diag_no_memory(p->diag));
    case DOT_STATEMENT:
        p->pending.size = 0;
        p->statement_line = event->line;
        return true;
    case DOT_NODE: return note_node(p, event);
    case DOT_ATTRIBUTE:
        if (event->joined) { /* Graphviz reads 4KiB as 4 and KiB; quotes keep it together */
            replace(p, event, event->value);
        }
        return event->owner != DOT_OF_NODE || strcmp(event->name, "time") != 0 || *event->value == '\0' ||
               note_times(p);
    case DOT_SUBGRAPH:
    case DOT_ARROW: return true;
    }
    return true;
}

/* ---- cgraph ---- */

typedef struct channel {
    const char *at;
    size_t left;
} channel;

static int read_channel(void *context, char *buffer, int room)
{
    channel *from = context;
    size_t size = from->left < (size_t)room ? from->left : (size_t)room;
    memcpy(buffer, from->at, size);
    from->at += size;
    from->left -= size;
    return (int)size;
}

/* What cgraph says ("syntax error in line 3 near 'x'") as a message of our own. */
static int report(const dot_source *source, inlay_diag *diag)
{
    static const char in_line[] = " in line ", near_word[] = "near '";
    char *said = aglasterr();
    const char *place = said == NULL ? NULL : strstr(said, in_line);
    long line = place == NULL ? 0 : strtol(place + strlen(in_line), NULL, 10);
    const char *token = place == NULL ? NULL : strstr(place, near_word);
    if (token == NULL) {
        diag_fail_at(diag, INLAY_BAD_INPUT, source->name, line, "Graphviz cannot read this; expected a DOT graph");
    } else {
        token += strlen(near_word);
        diag_fail_at(diag, INLAY_BAD_INPUT, source->name, line, "syntax error near '%.*s'; expected a DOT graph",
                     (int)strcspn(token, "'\n"), token);
    }
    free(said);
    return INLAY_BAD_INPUT;
}

/*
 * Read exactly one graph, quietly: at the level AGMAX cgraph keeps its messages instead of printing them. The text
 * ends with the graph, so that nothing stays in the scanner for the next call.
 */
static int parse(const dot_source *source, const char *text_of_graph, size_t size, Agraph_t **graph, inlay_diag *diag)
{
    Agiodisc_t from_memory = {.afread = read_channel, .putstr = AgIoDisc.putstr, .flush = AgIoDisc.flush};
    Agdisc_t discipline = {.mem = &AgMemDisc, .id = &AgIdDisc, .io = &from_memory};
    channel from = {text_of_graph, size};
    agerrlevel_t level = agseterr(AGMAX);
    agreseterrors();
    agsetfile(NULL); /* also sets the scanner to line 1 */
    Agraph_t *read = agread(&from, &discipline);
    int status = INLAY_OK;
    if (read == NULL || agerrors() >= AGERR) {
        status = report(source, diag);
        if (read != NULL) {
            agclose(read);
        }
    } else {
        read->clos->disc.io = &AgIoDisc; /* from_memory ends here, the graph lives on */
        *graph = read;
    }
    agseterr(level);
    return status;
}

int dot_graph_read(const dot_source *source, dot_graph *graph, inlay_diag *diag)
{
    preparation p = {.source = source, .diag = diag};
    dot_extent extent = {0};
    Agraph_t *read = NULL;
    int status = dot_walk(source->data, source->size, source->name, prepare, &p, &extent, diag);
    status = status == INLAY_OK ? p.status : status;
    if (status == INLAY_OK && p.copied != NULL) {
        text_append(&p.changed, p.copied, (size_t)(extent.end - p.copied));
        status = p.changed.failed ? diag_no_memory(diag) : INLAY_OK;
        size_t before = (size_t)(extent.begin - source->data); /* a byte order mark */
        extent = (dot_extent){p.changed.data + before, p.changed.data + p.changed.size};
    }
    if (status == INLAY_OK) {
        status = parse(source, extent.begin, (size_t)(extent.end - extent.begin), &read, diag);
    }
    if (status == INLAY_OK) {
        *graph = (dot_graph){.graph = read, .name = p.name};
        p.name = NULL;
    }
    free(p.name);
    text_clear(&p.pending);
    text_clear(&p.changed);
    name_map_clear(&p.timed);
    name_store_free(p.names);
    return status;
}

void dot_graph_close(dot_graph *graph)
{
    if (graph->graph != NULL) {
        agclose(graph->graph);
    }
    free(graph->name);
    *graph = (dot_graph){0};
}

const char *dot_node_name(Agnode_t *node)
{
    const char *name = agnameof(node);
    return *name == NAME_MARK ? name + 1 : name;
}

const char *dot_value(void *object, Agsym_t *symbol)
{
    const char *value = symbol == NULL ? NULL : agxget(object, symbol);
    return value == NULL || *value == '\0' ? NULL : value;
}

char *dot_graph_name(const dot_source *source, const dot_graph *graph)
{
    if (graph->name != NULL) {
        return memory_string(graph->name);
    }
    const char *slash = strrchr(source->name, '/');
    char *stem = memory_string(slash == NULL ? source->name : slash + 1);
    char *point = stem == NULL ? NULL : strchr(stem, '.');
    if (point != NULL && point != stem) {
        *point = '\0';
    }
    return stem;
}

/* ---- Lines ---- */

/* A node (to == NULL) or an edge, and one of its attributes. */
typedef struct object_search {
    const char *from, *to;
    const char *attribute, *value; /* NULL: not asked for */
    bool arrow, from_before;       /* in a chain: what stands right before the node under way */
    bool from_seen;                /* `from` is somewhere in the outermost statement */
    bool found;                    /* the statement under way has the node or edge */
    long own, by_default, mention; /* lines, 0 none; the last attribute wins, the first mention */
    long loose;                    /* an edge through a subgraph or a list: `to` behind an arrow, `from` before */
} object_search;

static void meet_node(object_search *s, const dot_event *event)
{
    bool is_from = strcmp(event->name, s->from) == 0;
    bool is_to = s->to != NULL && s->arrow && strcmp(event->name, s->to) == 0;
    if (s->to == NULL ? is_from : is_to && s->from_before) {
        s->found = true;
        s->mention = s->mention == 0 ? event->line : s->mention;
    } else if (is_to && s->from_seen && s->loose == 0) {
        s->loose = event->line;
    }
    s->from_seen |= is_from;
    s->from_before = is_from;
    s->arrow = false;
}

static void meet_attribute(object_search *s, const dot_event *event)
{
    if (s->attribute == NULL || strcmp(event->name, s->attribute) != 0 ||
        (s->value != NULL && strcmp(event->value, s->value) != 0)) {
        return;
    }
    bool edge = s->to != NULL;
    if (s->found && event->owner == (edge ? DOT_OF_EDGE : DOT_OF_NODE)) {
        s->own = event->line;
    } else if (event->owner == (edge ? DOT_OF_EDGES : DOT_OF_NODES)) {
        s->by_default = event->line;
    }
}

static bool find_object(void *context, const dot_event *event)
{
    object_search *s = context;
    switch (event->kind) {
    case DOT_GRAPH:
    case DOT_SUBGRAPH: break;
    case DOT_STATEMENT:
        s->from_seen &= event->depth > 1;
        s->found = false;
        s->from_before = false;
        s->arrow = false;
        break;
    case DOT_NODE: meet_node(s, event); break;
    case DOT_ARROW: s->arrow = true; break;
    case DOT_ATTRIBUTE: meet_attribute(s, event); break;
    }
    return true;
}

long dot_line_of_edge(const dot_source *source, const char *from, const char *to, const char *attribute,
                      const char *value)
{
    object_search s = {.from = from, .to = to, .attribute = attribute, .value = value};
    dot_walk(source->data, source->size, source->name, find_object, &s, NULL, NULL);
    const long lines[] = {s.own, s.by_default, s.mention, s.loose};
    size_t best = 0;
    while (best < 3 && lines[best] == 0) {
        best++;
    }
    return lines[best];
}

long dot_line_of_node(const dot_source *source, const char *node, const char *attribute, const char *value)
{
    return dot_line_of_edge(source, node, NULL, attribute, value);
}

/* The first attribute of a name, or the header. */
typedef struct first_search {
    int kind;
    const char *attribute; /* NULL: the header */
    long line;
} first_search;

static int kind_of(dot_owner owner)
{
    switch (owner) {
    case DOT_OF_GRAPH: return AGRAPH;
    case DOT_OF_EDGES:
    case DOT_OF_EDGE: return AGEDGE;
    case DOT_OF_NODES:
    case DOT_OF_NODE:
    case DOT_OF_GROUP: break;
    }
    return AGNODE;
}

static bool find_first(void *context, const dot_event *event)
{
    first_search *s = context;
    bool found = s->attribute == NULL ? event->kind == DOT_GRAPH
                                      : event->kind == DOT_ATTRIBUTE && kind_of(event->owner) == s->kind &&
                                            strcmp(event->name, s->attribute) == 0;
    if (found) {
        s->line = event->line;
    }
    return !found;
}

long dot_line_of_attribute(const dot_source *source, int kind, const char *attribute)
{
    first_search s = {.kind = kind, .attribute = attribute};
    dot_walk(source->data, source->size, source->name, find_first, &s, NULL, NULL);
    return s.line;
}

long dot_line_of_graph(const dot_source *source)
{
    return dot_line_of_attribute(source, AGRAPH, NULL);
}

/* ---- Writing names and values ---- */

/* Letters, digits and _ that are no keyword, or a plain number: these need no quotes. */
static bool is_plain(const char *id)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char digits[] = "0123456789";
    static const char *const keywords[] = {"graph", "digraph", "subgraph", "strict", "node", "edge"};
    size_t whole = strspn(id, digits);
    if (whole > 0) {
        size_t fraction = id[whole] == '.' ? strspn(id + whole + 1, digits) : 0;
        return id[whole] == '\0' || (fraction > 0 && id[whole + 1 + fraction] == '\0');
    }
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (strcasecmp(id, keywords[i]) == 0) {
            return false;
        }
    }
    size_t first = strspn(id, letters);
    for (const char *c = id + first; first > 0 && *c != '\0'; c++) {
        if (strchr(letters, *c) == NULL && strchr(digits, *c) == NULL) {
            return false;
        }
    }
    return first > 0;
}

/*
 * Between quotes a backslash in front of a quote or a line's end is dropped, and two of them count as one character;
 * so an odd number of them cannot stand there, nor at the end.
 */
static bool can_be_quoted(const char *id)
{
    size_t backslashes = 0;
    for (;; id++) {
        if ((*id == '"' || *id == '\n' || *id == '\0') && backslashes % 2 == 1) {
            return false;
        }
        if (*id == '\0') {
            return true;
        }
        backslashes = *id == '\\' ? backslashes + 1 : 0;
    }
}

/* <...> keeps every character, but the angle brackets inside must match. */
static bool can_be_html(const char *id)
{
    int open = 0;
    for (; *id != '\0' && open >= 0; id++) {
        open += (*id == '<') - (*id == '>');
    }
    return open == 0;
}

bool dot_add_id(text_buffer *to, const char *id)
{
    if (is_plain(id)) {
        text_add(to, id);
        return true;
    }
    if (!can_be_quoted(id)) {
        text_addf(to, "<%s>", id);
        return can_be_html(id);
    }
    text_add(to, "\"");
    for (size_t part; *id != '\0'; id += part) {
        part = strcspn(id, "\"");
        text_append(to, id, part);
        if (id[part] == '"') {
            text_add(to, "\\\"");
            part++;
        }
    }
    text_add(to, "\"");
    return true;
}

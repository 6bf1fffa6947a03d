/* Walking over DOT text: the grammar of the language, statement by statement. */
#include "io/dot/scan.h"
#include "base/diag.h"
#include "base/plain.h"
#include "io/dot/token.h"
#include <string.h>

enum { DEPTH_LIMIT = 500 }; /* open braces: each is a step of recursion */

typedef struct walker {
    dot_tokens in;
    text_buffer name; /* of the event under way */
    bool directed, strict;
    int depth;
    dot_handler *handler;
    void *context;

    const char *chosen; /* name or number of the graph that is told of; NULL: the one that there is */
    int number;         /* of the graph under way, from 1 */
    bool muted, found;
    int status; /* of what ends the walk between graphs */
} walker;

/* ---- Events ---- */

static bool tell(walker *w, dot_event event)
{
    if (w->in.id.failed || w->name.failed) {
        w->in.status = diag_no_memory(w->in.diag);
        return false;
    }
    if (w->muted) {
        return true;
    }
    event.depth = w->depth;
    event.directed = w->directed;
    event.strict = w->strict;
    return w->handler(w->context, &event);
}

/* Keep the ID that stands next as the name of an event. */
static void keep_name(walker *w)
{
    w->name.size = 0;
    text_append(&w->name, w->in.id.failed ? "" : w->in.id.data, w->in.id.failed ? 0 : w->in.id.size);
}

/* The value behind name '=', and the event. The '=' stands next; `line` is the name's. */
static bool tell_attribute(walker *w, dot_owner owner, long line)
{
    if (!dot_next(&w->in, true)) {
        return false;
    }
    if (w->in.kind != DOT_TOKEN_ID) {
        return dot_fail_near(&w->in, "a value behind '='");
    }
    dot_event event = {
        .kind = DOT_ATTRIBUTE, .owner = owner, .line = line, .name = w->name.data, .value = w->in.id.data};
    return tell(w, event) && dot_next(&w->in, false);
}

/* ---- Grammar ---- */

/* Step over a sign that must stand here. */
static bool take_sign(walker *w, char sign, const char *expected)
{
    return dot_is_sign(&w->in, sign) ? dot_next(&w->in, false) : dot_fail_near(&w->in, expected);
}

static bool walk_statements(walker *w);

/* name=value and the separator behind it. */
static bool walk_attribute(walker *w, dot_owner owner)
{
    if (w->in.kind != DOT_TOKEN_ID) {
        return dot_fail_near(&w->in, "an attribute's name or ']'");
    }
    keep_name(w);
    long line = w->in.token_line;
    if (!dot_next(&w->in, false)) {
        return false;
    }
    if (!dot_is_sign(&w->in, '=')) {
        return dot_fail_near(&w->in, "'=' and a value behind an attribute's name");
    }
    if (!tell_attribute(w, owner, line)) {
        return false;
    }
    bool separated = dot_is_sign(&w->in, ',') || dot_is_sign(&w->in, ';');
    return !separated || dot_next(&w->in, false);
}

/* Any number of [name=value, ...]. */
static bool walk_attributes(walker *w, dot_owner owner)
{
    while (dot_is_sign(&w->in, '[')) {
        if (!dot_next(&w->in, false)) {
            return false;
        }
        while (!dot_is_sign(&w->in, ']')) {
            if (!walk_attribute(w, owner)) {
                return false;
            }
        }
        if (!dot_next(&w->in, false)) {
            return false;
        }
    }
    return true;
}

static bool is_group(const walker *w)
{
    return w->in.kind == DOT_TOKEN_SUBGRAPH || dot_is_sign(&w->in, '{');
}

/* NOLINTBEGIN(misc-no-recursion): no deeper than DEPTH_LIMIT. */

/* [subgraph [name]] { statements } */
static bool walk_group(walker *w)
{
    dot_event event = {.kind = DOT_SUBGRAPH, .line = w->in.token_line};
    if (w->in.kind == DOT_TOKEN_SUBGRAPH) {
        if (!dot_next(&w->in, false)) {
            return false;
        }
        if (w->in.kind == DOT_TOKEN_ID) {
            keep_name(w);
            event.name = w->name.data;
            if (!dot_next(&w->in, false)) {
                return false;
            }
        }
    }
    if (!dot_is_sign(&w->in, '{')) {
        return dot_fail_near(&w->in, "'{' of a subgraph");
    }
    if (++w->depth > DEPTH_LIMIT) {
        return dot_fail_line(&w->in, w->in.token_line, "subgraphs are nested more than 500 deep; expected less");
    }
    if (!tell(w, event) || !dot_next(&w->in, false) || !walk_statements(w) ||
        !tell(w, (dot_event){.kind = DOT_SUBGRAPH_END, .line = w->in.token_line})) {
        return false;
    }
    w->depth--;
    return dot_next(&w->in, false);
}

/* :port and :port:compass, of which nothing here depends. */
static bool walk_port(walker *w)
{
    for (int part = 0; part < 2 && dot_is_sign(&w->in, ':'); part++) {
        if (!dot_next(&w->in, false)) {
            return false;
        }
        if (w->in.kind != DOT_TOKEN_ID) {
            return dot_fail_near(&w->in, "a port behind ':'");
        }
        if (!dot_next(&w->in, false)) {
            return false;
        }
    }
    return true;
}

static bool tell_node(walker *w, long line)
{
    return tell(w, (dot_event){.kind = DOT_NODE, .line = line, .name = w->name.data}) && walk_port(w);
}

/* The rest of a list of nodes; the first one's ID is in `name`, what follows it stands next. */
static bool walk_nodes(walker *w, long line)
{
    if (!tell_node(w, line)) {
        return false;
    }
    while (dot_is_sign(&w->in, ',')) {
        if (!dot_next(&w->in, false)) {
            return false;
        }
        if (w->in.kind != DOT_TOKEN_ID) {
            return dot_fail_near(&w->in, "a node behind ','");
        }
        keep_name(w);
        line = w->in.token_line;
        if (!dot_next(&w->in, false) || !tell_node(w, line)) {
            return false;
        }
    }
    return true;
}

/* One end of an edge. */
static bool walk_end(walker *w)
{
    if (is_group(w)) {
        return walk_group(w);
    }
    if (w->in.kind != DOT_TOKEN_ID) {
        return dot_fail_near(&w->in, "a node or a subgraph");
    }
    keep_name(w);
    long line = w->in.token_line;
    return dot_next(&w->in, false) && walk_nodes(w, line);
}

/* What follows the first nodes of a statement: -> node -> node ... [attributes], which belong to `owner` if no -> comes. */
static bool walk_chain(walker *w, dot_owner owner)
{
    while (w->in.kind == DOT_TOKEN_ARROW) {
        if (w->in.sign != (w->directed ? '>' : '-')) {
            return dot_fail_near(&w->in, w->directed ? "'->' in a digraph" : "'--' in a graph");
        }
        owner = DOT_OF_EDGE;
        if (!tell(w, (dot_event){.kind = DOT_ARROW, .line = w->in.token_line}) || !dot_next(&w->in, false) ||
            !walk_end(w)) {
            return false;
        }
    }
    return walk_attributes(w, owner);
}

static bool walk_statement(walker *w)
{
    if (!tell(w, (dot_event){.kind = DOT_STATEMENT, .line = w->in.token_line})) {
        return false;
    }
    if (w->in.kind == DOT_TOKEN_GRAPH || w->in.kind == DOT_TOKEN_NODE || w->in.kind == DOT_TOKEN_EDGE) {
        dot_owner owner = w->in.kind == DOT_TOKEN_GRAPH  ? DOT_OF_GRAPH
                          : w->in.kind == DOT_TOKEN_NODE ? DOT_OF_NODES
                                                         : DOT_OF_EDGES;
        if (!dot_next(&w->in, false)) {
            return false;
        }
        return dot_is_sign(&w->in, '[') ? walk_attributes(w, owner)
                                        : dot_fail_near(&w->in, "'[' behind graph, node or edge");
    }
    if (is_group(w)) {
        return walk_group(w) && walk_chain(w, DOT_OF_GROUP);
    }
    if (w->in.kind != DOT_TOKEN_ID) {
        return dot_fail_near(&w->in, "a statement or '}'");
    }
    keep_name(w);
    long line = w->in.token_line;
    if (!dot_next(&w->in, false)) {
        return false;
    }
    return dot_is_sign(&w->in, '=') ? tell_attribute(w, DOT_OF_GRAPH, line)
                                    : walk_nodes(w, line) && walk_chain(w, DOT_OF_NODE);
}

/* Statements up to the closing brace, which then stands next. */
static bool walk_statements(walker *w)
{
    while (!dot_is_sign(&w->in, '}')) {
        if (!walk_statement(w) || !tell(w, (dot_event){.kind = DOT_STATEMENT_END, .line = w->in.token_line}) ||
            (dot_is_sign(&w->in, ';') && !dot_next(&w->in, false))) {
            return false;
        }
    }
    return true;
}

/* NOLINTEND(misc-no-recursion) */

/* The first of its name, or the one of its number. */
static bool is_chosen(const walker *w, const char *name)
{
    char number[16];
    if (w->chosen == NULL || w->found) {
        return w->chosen == NULL;
    }
    plain_print(number, sizeof number, "%d", w->number);
    return strcmp(w->chosen, number) == 0 || (name != NULL && strcmp(w->chosen, name) == 0);
}

/* The first token of a graph stands next. */
static bool walk_header(walker *w)
{
    w->number++;
    w->strict = w->in.kind == DOT_TOKEN_STRICT;
    if (w->strict && !dot_next(&w->in, false)) {
        return false;
    }
    if (w->in.kind != DOT_TOKEN_GRAPH && w->in.kind != DOT_TOKEN_DIGRAPH) {
        return dot_fail_near(&w->in, "a DOT graph (digraph NAME { ... })");
    }
    w->directed = w->in.kind == DOT_TOKEN_DIGRAPH;
    long line = w->in.token_line;
    if (!dot_next(&w->in, false)) {
        return false;
    }
    dot_event header = {.kind = DOT_GRAPH, .line = line};
    if (w->in.kind == DOT_TOKEN_ID) {
        keep_name(w);
        header.name = w->name.data;
        if (!dot_next(&w->in, false)) {
            return false;
        }
    }
    w->muted = !is_chosen(w, header.name);
    w->found = w->found || !w->muted;
    return tell(w, header);
}

static bool begins_graph(const walker *w)
{
    return w->in.kind == DOT_TOKEN_GRAPH || w->in.kind == DOT_TOKEN_DIGRAPH || w->in.kind == DOT_TOKEN_STRICT;
}

static bool walk_graph(walker *w)
{
    return walk_header(w) && take_sign(w, '{', "'{' of the graph") && walk_statements(w);
}

/* All graphs of the text, of which one is told of. The last of them need not be read. */
static bool walk_graphs(walker *w)
{
    bool good = true;
    do {
        good = walk_graph(w) && (w->found || dot_next(&w->in, false));
    } while (good && !w->found && begins_graph(w));
    if (good && !w->found) {
        w->status = diag_fail_at(w->in.diag, INLAY_BAD_INPUT, w->in.source, 0,
                                 "there is no graph '%s'; expected a name, or a number up to %d", w->chosen, w->number);
    }
    return good;
}

/* Nothing may follow but white space and comments. */
static bool walk_rest(walker *w)
{
    if (!dot_next(&w->in, false)) {
        return false;
    }
    if (begins_graph(w)) {
        return dot_fail_line(&w->in, w->in.token_line,
                             "a second graph begins here; expected one graph in a file, or --graph to choose one");
    }
    return w->in.kind == DOT_TOKEN_END || dot_fail_near(&w->in, "nothing behind the graph's closing brace");
}

/* Text has no NUL: it would end names early. */
static int check_bytes(const char *data, size_t size, const char *source, inlay_diag *diag)
{
    const char *nul = memchr(data, '\0', size);
    if (nul == NULL) {
        return INLAY_OK;
    }
    long line = 1;
    for (const char *c = data; c < nul; c++) {
        line += *c == '\n';
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, source, line, "a NUL byte; expected the text of a DOT graph");
}

int dot_walk(const char *data, size_t size, const char *source, dot_handler *handler, void *context, inlay_diag *diag)
{
    return dot_walk_one(data, size, source, NULL, handler, context, diag);
}

int dot_walk_one(const char *data, size_t size, const char *source, const char *graph, dot_handler *handler,
                 void *context, inlay_diag *diag)
{
    static const char byte_order_mark[] = {'\xEF', '\xBB', '\xBF'};
    size_t mark = sizeof byte_order_mark;
    const char *begin = size >= mark && memcmp(data, byte_order_mark, mark) == 0 ? data + mark : data;
    walker w = {.in = {.begin = begin, .at = begin, .end = data + size, .line = 1, .source = source, .diag = diag},
                .depth = 1,
                .handler = handler,
                .context = context,
                .chosen = graph};
    w.in.status = check_bytes(data, size, source, diag);
    if (w.in.status == INLAY_OK && dot_next(&w.in, false)) {
        (void)(graph != NULL ? walk_graphs(&w) : walk_graph(&w) && walk_rest(&w));
    }
    text_clear(&w.in.id);
    text_clear(&w.name);
    return w.in.status != INLAY_OK ? w.in.status : w.status;
}

/* DOT graphs as they are read are those of Graphviz's own library: random texts, and files. */
#include "random_app.h"
#include "unit.h"

#include "base/file.h"
#include "base/text.h"
#include "io/dot/graph.h"
#include <cgraph.h>
#include <dirent.h>
#include <inlay/status.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Equality ---- */

static const char *text_of(const char *value)
{
    return value == NULL ? "" : value;
}

/** Graphviz makes attributes of ports, which nothing here depends on. */
static bool is_port(int kind, const char *name)
{
    return kind == AGEDGE && (strcmp(name, "headport") == 0 || strcmp(name, "tailport") == 0);
}

static void same_symbols(const char *dot, const dot_graph *ours, Agraph_t *theirs, dot_kind kind, int their_kind)
{
    size_t i = 0;
    for (Agsym_t *symbol = NULL; (symbol = agnxtattr(theirs, their_kind, symbol)) != NULL;) {
        if (is_port(their_kind, symbol->name) && dot_find_symbol(ours, kind, symbol->name) == NULL) continue;
        ck_assert_msg(i < ours->symbols[kind], "no attribute %s in %s", symbol->name, dot);
        ck_assert_str_eq(ours->symbol[kind][i++].name, symbol->name);
    }
    ck_assert_msg(i == ours->symbols[kind], "attributes that Graphviz does not know in %s", dot);
}

static void same_values(const char *dot, const dot_graph *ours, dot_kind kind, const dot_object *mine, void *object)
{
    for (size_t i = 0; i < ours->symbols[kind]; i++) {
        const dot_symbol *symbol = &ours->symbol[kind][i];
        if (is_port(agobjkind(object) == AGRAPH ? AGRAPH : (int)agobjkind(object), symbol->name)) continue;
        const char *value = text_of(dot_value(mine, symbol)), *expected = text_of(agget(object, (char *)symbol->name));
        ck_assert_msg(strcmp(value, expected) == 0, "%s is '%s', not '%s', in %s", symbol->name, value, expected, dot);
    }
}

static int by_sequence(const void *a, const void *b)
{
    Agedge_t *const *x = a, *const *y = b;
    return (AGSEQ(*x) > AGSEQ(*y)) - (AGSEQ(*x) < AGSEQ(*y));
}

static void same_edge(const dot_graph *ours, const dot_edge *mine, Agedge_t *edge)
{
    ck_assert_str_eq(dot_tail(ours, mine)->name, agnameof(agtail(edge)));
    ck_assert_str_eq(dot_head(ours, mine)->name, agnameof(aghead(edge)));
}

static void same_edges(const char *dot, const dot_graph *ours, Agraph_t *theirs)
{
    Agedge_t **edges = calloc((size_t)ours->edges + 1, sizeof *edges);
    int32_t count = 0;
    for (Agnode_t *node = agfstnode(theirs); node != NULL; node = agnxtnode(theirs, node)) {
        for (Agedge_t *edge = agfstout(theirs, node); edge != NULL; edge = agnxtout(theirs, edge)) {
            same_edge(ours, &ours->edge[ours->out[count]], edge);
            edges[count++] = edge;
        }
    }
    qsort(edges, (size_t)count, sizeof(Agedge_t *), by_sequence);
    for (int32_t i = 0; i < count; i++) {
        same_edge(ours, &ours->edge[i], edges[i]);
        same_values(dot, ours, DOT_EDGES, &ours->edge[i].is, edges[i]);
    }
    free(edges);
}

static void same_graph(const char *dot, const dot_graph *ours, Agraph_t *theirs)
{
    ck_assert_msg(ours->nodes == agnnodes(theirs) && ours->edges == agnedges(theirs),
                  "%d nodes, %d edges, not %d and %d, in %s", ours->nodes, ours->edges, agnnodes(theirs),
                  agnedges(theirs), dot);
    ck_assert_int_eq(ours->directed, agisdirected(theirs));
    if (ours->name != NULL) ck_assert_str_eq(ours->name, agnameof(theirs));
    same_symbols(dot, ours, theirs, DOT_GRAPHS, AGRAPH);
    same_symbols(dot, ours, theirs, DOT_NODES, AGNODE);
    same_symbols(dot, ours, theirs, DOT_EDGES, AGEDGE);
    same_values(dot, ours, DOT_GRAPHS, &ours->is, theirs);
    int32_t i = 0;
    for (Agnode_t *node = agfstnode(theirs); node != NULL; node = agnxtnode(theirs, node), i++) {
        ck_assert_str_eq(ours->node[i].name, agnameof(node));
        same_values(dot, ours, DOT_NODES, &ours->node[i].is, node);
    }
    same_edges(dot, ours, theirs);
}

static void expect_same(const char *dot, const char *source)
{
    dot_graph ours;
    inlay_diag *diag = inlay_diag_new();
    int status = dot_graph_read(&(dot_source){.data = dot, .size = strlen(dot), .name = source}, &ours, diag);
    ck_assert_msg(status == INLAY_OK, "%s in %s", inlay_diag_message(diag), dot);
    Agraph_t *theirs = agmemread(dot);
    ck_assert_msg(theirs != NULL, "Graphviz cannot read %s", dot);
    same_graph(dot, &ours, theirs);
    agclose(theirs);
    dot_graph_close(&ours);
    inlay_diag_free(diag);
}

/* ---- Texts ---- */

typedef struct writer {
    uint64_t *state;
    text_buffer to;
    bool directed, strict;
    int depth;
} writer;

static const char *one_of(uint64_t *state, const char *const *words, size_t count)
{
    return words[random_below(state, (int64_t)count)];
}

#define ONE_OF(state, words) one_of(state, words, sizeof(words) / sizeof *(words))

static void add_blank(writer *w)
{
    static const char *const blanks[] = {" ", "\n", "\t", " /* -> { */ ", " // x [\n", "\r\n", "\n# 7 \"f\"\n", "\n"};
    text_add(&w->to, random_once_in(w->state, 3) ? ONE_OF(w->state, blanks) : " ");
}

static void add(writer *w, const char *text)
{
    text_add(&w->to, text);
    add_blank(w);
}

/** Few names, so that they meet often, and some that are one in two ways of writing. */
static void add_node(writer *w)
{
    static const char *const names[] = {
        "a",         "b",   "c",        "d",      "\"a\"", "\"b\" + \"c\"", "bc",           "e1",
        "_",         "1",   "2",        "-3.50",  ".5",    "\"x y\"",       "\"q\\\"r\"",   "<h<i>t>",
        "\"h<i>t\"", "A",   "\"node\"", "N",      "\"\"",  "\"e\\\n1\"",    "\"\\\\n\\l\"", "\xC3\xA9t\xC3\xA9",
        "\"[\"",     "12.", "\"/*\"",   "\"//\"", "\"#\""};
    static const char *const ports[] = {":p", ":p:n", ":\"x\"", ":sw"};
    add(w, ONE_OF(w->state, names));
    if (random_once_in(w->state, 8)) add(w, ONE_OF(w->state, ports));
}

static void add_attributes(writer *w, bool of_edges)
{
    static const char *const names[] = {"x", "y", "z", "\"two words\"", "label", "7"};
    static const char *const values[] = {"1",      "2.5",           "\"\"",    "v",  "\"4KiB\"",
                                         "<b<i>>", "\"a\" + \"b\"", "\"\\N\"", "-.5"};
    static const char *const signs[] = {",", ";", ""};
    for (int64_t lists = 1 + (int64_t)random_once_in(w->state, 6); lists > 0; lists--) {
        add(w, "[");
        for (int64_t left = random_below(w->state, 4); left > 0; left--) {
            add(w, of_edges && !w->strict && random_once_in(w->state, 5) ? "key" : ONE_OF(w->state, names));
            add(w, "=");
            add(w, ONE_OF(w->state, values));
            add(w, ONE_OF(w->state, signs));
        }
        add(w, "]");
    }
}

static void add_statements(writer *w);

static void add_group(writer *w)
{
    static const char *const names[] = {"",          "subgraph", "subgraph S", "subgraph cluster_T", "subgraph \"S\"",
                                        "subgraph a"};
    add(w, ONE_OF(w->state, names));
    add(w, "{");
    w->depth++;
    add_statements(w);
    w->depth--;
    add(w, "}");
}

static void add_end(writer *w)
{
    if (w->depth < 4 && random_once_in(w->state, 4)) {
        add_group(w);
        return;
    }
    for (add_node(w); random_once_in(w->state, 5); add_node(w))
        add(w, ",");
}

static void add_statement(writer *w)
{
    static const char *const defaults[] = {"node", "edge", "graph", "Node"};
    static const char *const settings[] = {"x=1", "y = \"2\"", "rank=same", "z=\"\""};
    int64_t way = random_below(w->state, 10);
    if (way == 0) add(w, ONE_OF(w->state, settings));
    if (way == 1 || way == 2) {
        const char *word = ONE_OF(w->state, defaults);
        add(w, word);
        add_attributes(w, *word == 'e');
    }
    if (way < 3) return;
    add_end(w);
    bool edge = way > 5;
    for (int64_t more = edge ? 1 + random_below(w->state, 3) : 0; more > 0; more--) {
        add(w, w->directed ? "->" : "--");
        add_end(w);
    }
    if (random_once_in(w->state, 2)) add_attributes(w, edge);
}

static void add_statements(writer *w)
{
    for (int64_t left = random_below(w->state, w->depth == 1 ? 12 : 4); left > 0; left--) {
        add_statement(w);
        add(w, random_once_in(w->state, 2) ? ";" : "");
    }
}

START_TEST(random_texts)
{
    enum { TEXTS = 1500 };
    uint64_t state = 25;
    for (int i = 0; i < TEXTS; i++) {
        writer w = {
            .state = &state, .directed = !random_once_in(&state, 3), .strict = random_once_in(&state, 3), .depth = 1};
        add(&w, w.strict ? "strict" : "");
        add(&w, w.directed ? "digraph" : "graph");
        add(&w, random_once_in(&state, 2) ? "" : "g");
        add(&w, "{");
        add_statements(&w);
        text_add(&w.to, "}\n");
        expect_same(w.to.data, "random.dot");
        text_clear(&w.to);
    }
}
END_TEST

/* ---- Files ---- */

/** All DOT files of a folder; how many there were. */
static int read_folder(const char *folder)
{
    int files = 0;
    DIR *opened = opendir(folder);
    for (struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;) {
        char path[1024];
        file_content content;
        dot_graph graph;
        if (strstr(entry->d_name, ".dot") == NULL) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        ck_assert_int_eq(file_read(path, &content, NULL), INLAY_OK);
        inlay_diag *diag = inlay_diag_new();
        if (dot_graph_read(&(dot_source){.data = content.data, .size = content.size, .name = path}, &graph, diag) ==
            INLAY_OK) {
            dot_graph_close(&graph);
            expect_same(content.data, path);
            files++;
        } else {
            ck_assert_msg(strstr(inlay_diag_message(diag), "a second graph begins here") != NULL, "%s",
                          inlay_diag_message(diag));
        }
        inlay_diag_free(diag);
        file_content_clear(&content);
    }
    if (opened != NULL) closedir(opened);
    return files;
}

START_TEST(files_of_the_project)
{
    ck_assert_int_ge(read_folder("graphs"), 5);
    ck_assert_int_ge(read_folder("architectures"), 5);
}
END_TEST

START_TEST(files_of_others)
{
    char folder[1000];
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    snprintf(folder, sizeof folder, "%s/dot", unit_data());
    ck_assert_int_ge(read_folder(folder), 25);
}
END_TEST

/* ---- Lines ---- */

START_TEST(lines_are_kept)
{
    static const char dot[] = "digraph g {\n"
                              " node [x=1]\n"
                              " a; b [y=2,\n"
                              "       x=3]\n"
                              " a -> b\n"
                              " {a b}\n"
                              "  -> c [w=1]\n"
                              "}\n";
    dot_graph graph;
    ck_assert_int_eq(dot_graph_read(&(dot_source){.data = dot, .size = sizeof dot - 1, .name = "in.dot"}, &graph, NULL),
                     INLAY_OK);
    const dot_symbol *x = dot_find_symbol(&graph, DOT_NODES, "x"), *y = dot_find_symbol(&graph, DOT_NODES, "y");
    ck_assert_int_eq(dot_line(&graph.node[0].is, x), 2);
    ck_assert_int_eq(dot_line(&graph.node[0].is, y), 3);
    ck_assert_int_eq(dot_line(&graph.node[1].is, x), 4);
    ck_assert_int_eq(dot_line(&graph.node[2].is, NULL), 7);
    ck_assert_int_eq(dot_line_of_edge(&graph, 0, 1), 5);
    ck_assert_int_eq(dot_line_of_edge(&graph, 1, 2), 7);
    ck_assert_int_eq(dot_line(&graph.edge[1].is, dot_find_symbol(&graph, DOT_EDGES, "w")), 7);
    ck_assert_int_eq(dot_line_of_attribute(&graph, DOT_NODES, "x"), 2);
    dot_graph_close(&graph);
}
END_TEST

Suite *suite_dot_graph(void)
{
    Suite *suite = suite_create("dot_graph");
    TCase *all = tcase_create("as Graphviz reads it");
    tcase_add_test(all, random_texts);
    tcase_add_test(all, files_of_the_project);
    tcase_add_test(all, files_of_others);
    tcase_add_test(all, lines_are_kept);
    suite_add_tcase(suite, all);
    return suite;
}

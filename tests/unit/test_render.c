/* Pictures: what Graphviz reads back, names that could be misread, thresholds, SVG, same bytes. */
#include "unit.h"

#include <cgraph.h>
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** A mapping with what it points to. */
typedef struct drawn {
    inlay_app *app;
    inlay_machine *machine;
    inlay_mapping *mapping;
} drawn;

static void drawn_clear(drawn *of)
{
    inlay_mapping_free(of->mapping);
    inlay_machine_free(of->machine);
    inlay_app_free(of->app);
}

static void add_module(inlay_app_builder *builder, const char *name, int64_t ticks)
{
    inlay_module module = {.name = name, .time = {{ticks, 0}, INLAY_UNIT_NONE}};
    ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
}

/** A chain of the names (where NULL: of numbers), dealt to the processors in turn; T is `frame` ticks. */
static drawn chain(const char *const *names, inlay_id count, inlay_id processors, int64_t frame)
{
    drawn of = {0};
    char text[64];
    inlay_app_builder *builder = inlay_app_builder_new("chain", INLAY_UNIT_TICK);
    inlay_id *processor_of = calloc((size_t)count, sizeof *processor_of);
    ck_assert(builder != NULL && processor_of != NULL);
    for (inlay_id i = 0; i < count; i++) {
        snprintf(text, sizeof text, "t%d", (int)i);
        add_module(builder, names ? names[i] : text, 10);
        processor_of[i] = i % processors;
        if (i > 0) ck_assert_int_eq(inlay_app_add_link(builder, i - 1, i, 2, 0, 0, NULL), INLAY_OK);
    }
    ck_assert_int_eq(inlay_app_build(builder, &of.app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);

    snprintf(text, sizeof text, "bus:%d,memory=distributed", (int)processors);
    ck_assert_int_eq(inlay_machine_parse(text, &of.machine, NULL), INLAY_OK);
    inlay_options options = {.has_time_frame = true, .time_frame = {{frame, 0}, INLAY_UNIT_NONE}};
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_evaluate(of.app, of.machine, processor_of, &options, &of.mapping, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    free(processor_of);
    return of;
}

typedef int draw_function(const inlay_mapping *, const inlay_picture *, const char *, inlay_diag *);

/** The picture's bytes, which the caller frees. */
static char *draw(draw_function *function, const drawn *of, const inlay_picture *picture)
{
    char path[] = "/tmp/inlay-render-XXXXXX";
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    inlay_diag *diag = inlay_diag_new();
    int status = function(of->mapping, picture, path, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);

    FILE *in = fopen(path, "rb");
    ck_assert(in != NULL && fseek(in, 0, SEEK_END) == 0);
    long size = ftell(in);
    char *bytes = calloc((size_t)size + 1, 1);
    ck_assert(bytes != NULL);
    rewind(in);
    ck_assert_uint_eq(fread(bytes, 1, (size_t)size, in), (size_t)size);
    fclose(in);
    unlink(path);
    return bytes;
}

static Agraph_t *draw_graph(const drawn *of, const inlay_picture *picture)
{
    char *dot = draw(inlay_mapping_draw_dot, of, picture);
    Agraph_t *graph = agmemread(dot);
    ck_assert_msg(graph != NULL, "not DOT:\n%s", dot);
    free(dot);
    return graph;
}

static const char *value(void *object, const char *attribute)
{
    const char *found = agget(object, (char *)attribute);
    return found ? found : "";
}

START_TEST(modules_stand_in_the_boxes_of_their_processors)
{
    drawn of = chain(NULL, 6, 2, 100);
    Agraph_t *graph = draw_graph(&of, NULL);
    ck_assert_int_eq(agnnodes(graph), 6);
    ck_assert_int_eq(agnedges(graph), 5);
    Agraph_t *box = agsubg(graph, (char *)"cluster_1", 0);
    ck_assert_ptr_nonnull(box);
    ck_assert_int_eq(agnnodes(box), 3);
    ck_assert_ptr_nonnull(agnode(box, (char *)"t1", 0));
    ck_assert_str_eq(value(agnode(graph, (char *)"t1", 0), "label"), "t1\\n10");
    ck_assert_ptr_nonnull(strstr(value(box, "label"), "processor 1: "));
    ck_assert_ptr_nonnull(strstr(value(box, "label"), "work 30 of 100 ticks"));
    ck_assert_ptr_nonnull(strstr(value(graph, "label"), "T = 100 ticks"));
    Agedge_t *edge = agedge(graph, agnode(graph, (char *)"t0", 0), agnode(graph, (char *)"t1", 0), NULL, 0);
    ck_assert_ptr_nonnull(edge);
    ck_assert_str_eq(value(edge, "label"), "2");
    agclose(graph);
    drawn_clear(&of);
}
END_TEST

START_TEST(what_does_not_fit_is_marked)
{
    drawn of = chain(NULL, 6, 2, 20);
    Agraph_t *graph = draw_graph(&of, NULL);
    Agraph_t *box = agsubg(graph, (char *)"cluster_0", 0);
    ck_assert_ptr_nonnull(box);
    ck_assert_ptr_nonnull(strstr(value(box, "label"), " %, over"));
    ck_assert_str_eq(value(box, "color"), "#C8102E");
    ck_assert_str_eq(value(box, "penwidth"), "3");
    agclose(graph);
    drawn_clear(&of);
}
END_TEST

/** Names that Graphviz or XML could misread, with the identifier and the label that the picture has for them. */
static const struct {
    const char *name, *id, *label;
} hard[] = {
    {"say \"hi\"", "say \"hi\"", "say \"hi\"\\n10"},
    {"\\N\\l", "\\\\N\\\\l", "\\\\N\\\\l\\n10"},
    {"ends in \\", "ends in \\\\", "ends in \\\\\\n10"},
    {"quote after \\\"", "quote after \\\\\"", "quote after \\\\\"\\n10"},
    {"<b>bold</b>", "<b>bold</b>", "<b>bold</b>\\n10"},
    {"a&lt;b &foo; &", "a&amp;lt;b &amp;foo; &amp;", "a&amp;lt;b &amp;foo; &amp;\\n10"},
    {"\xC3\xBC\xE2\x88\x91\xF0\x9F\x9A\x80", "\xC3\xBC\xE2\x88\x91\xF0\x9F\x9A\x80",
     "\xC3\xBC\xE2\x88\x91\xF0\x9F\x9A\x80\\n10"},
    {"bad \xFF\xC0\x80 utf", "bad \\xFF\\xC0\\x80 utf", "bad \\\\xFF\\\\xC0\\\\x80 utf\\n10"},
    {"tab\tline\n", "tab\\x09line\\x0A", "tab\\\\x09line\\\\x0A\\n10"},
    {"%3", "\\x253", "%3\\n10"},
    {"digraph", "digraph", "digraph\\n10"},
    {"a:b -> c; // x", "a:b -> c; // x", "a:b -> c; // x\\n10"},
    {"--", "--", "--\\n10"},
    {"a name that is very long indeed, 12", "a name that is very long indeed, 12",
     "a name that is v\xE2\x80\xA6 indeed, 12\\n10"},
};
enum { HARD = sizeof hard / sizeof *hard };

static drawn hard_chain(void)
{
    const char *names[HARD];
    for (int i = 0; i < HARD; i++) {
        names[i] = hard[i].name;
    }
    return chain(names, HARD, 3, 1000);
}

START_TEST(names_survive)
{
    drawn of = hard_chain();
    Agraph_t *graph = draw_graph(&of, NULL);
    ck_assert_int_eq(agnnodes(graph), HARD);
    for (int i = 0; i < HARD; i++) {
        Agnode_t *node = agnode(graph, (char *)hard[i].id, 0);
        ck_assert_msg(node != NULL, "no node %s", hard[i].id);
        ck_assert_str_eq(value(node, "label"), hard[i].label);
        ck_assert_int_eq(aghtmlstr(agget(node, (char *)"label")), 0);
    }
    agclose(graph);
    drawn_clear(&of);
}
END_TEST

static bool is_entity(const char *s)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#45;", "&#160;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strncmp(s, known[i], strlen(known[i])) == 0) return true;
    }
    return false;
}

/** Every tag is closed in its order, every & begins an entity, and no control characters stand in the text. */
static void assert_well_formed(const char *xml)
{
    const char *open[64];
    int depth = 0;
    for (const char *s = xml; *s; s++) {
        ck_assert_msg((unsigned char)*s >= ' ' || *s == '\n' || *s == '\t', "control character");
        ck_assert_msg(*s != '&' || is_entity(s), "no entity: %.20s", s);
        if (*s != '<') continue;
        if (strncmp(s, "<!--", 4) == 0) {
            const char *end = strstr(s + 4, "--");
            ck_assert_msg(end != NULL && end[2] == '>', "bad comment: %.40s", s);
            s = end + 2;
            continue;
        }
        const char *end = strchr(s, '>');
        ck_assert_ptr_nonnull(end);
        size_t name = strcspn(s + 2, " \n/>") + 1;
        if (s[1] == '/') {
            ck_assert_int_gt(depth, 0);
            depth--;
            ck_assert_msg(strncmp(open[depth] + 1, s + 2, name - 1) == 0, "closed in the wrong order: %.20s", s);
        } else if (s[1] != '?' && s[1] != '!' && end[-1] != '/') {
            ck_assert_int_lt(depth, 64);
            open[depth++] = s;
        }
        s = end;
    }
    ck_assert_int_eq(depth, 0);
}

START_TEST(svg_is_well_formed)
{
    drawn of = hard_chain();
    char *svg = draw(inlay_mapping_draw_svg, &of, NULL);
    ck_assert_ptr_nonnull(strstr(svg, "<svg "));
    ck_assert_ptr_nonnull(strstr(svg, ">&lt;b&gt;bold&lt;/b&gt;</text>"));
    ck_assert_ptr_nonnull(strstr(svg, ">a&amp;lt;b &amp;foo; &amp;</text>"));
    assert_well_formed(svg);
    free(svg);
    drawn_clear(&of);
}
END_TEST

START_TEST(the_same_picture_has_the_same_bytes)
{
    drawn of = chain(NULL, 40, 5, 100);
    draw_function *const functions[] = {inlay_mapping_draw_dot, inlay_mapping_draw_svg};
    for (int i = 0; i < 2; i++) {
        char *first = draw(functions[i], &of, NULL);
        char *second = draw(functions[i], &of, NULL);
        ck_assert_int_eq(strcmp(first, second), 0);
        free(first);
        free(second);
    }
    drawn_clear(&of);
}
END_TEST

START_TEST(many_modules_are_counted)
{
    drawn of = chain(NULL, 301, 3, 2000);
    Agraph_t *graph = draw_graph(&of, NULL);
    ck_assert_int_eq(agnnodes(graph), 3);
    ck_assert_int_eq(agnedges(graph), 3);
    Agnode_t *node = agnode(graph, (char *)"processor 0", 0);
    ck_assert_ptr_nonnull(node);
    ck_assert_ptr_nonnull(strstr(value(node, "label"), "101 modules"));
    ck_assert_ptr_nonnull(strstr(value(graph, "label"), "301 modules"));
    Agedge_t *edge = agedge(graph, node, agnode(graph, (char *)"processor 1", 0), NULL, 0);
    ck_assert_ptr_nonnull(edge);
    ck_assert_str_eq(value(edge, "label"), "200");
    agclose(graph);

    graph = draw_graph(&of, &(inlay_picture){.max_modules = 301});
    ck_assert_int_eq(agnnodes(graph), 301);
    agclose(graph);
    drawn_clear(&of);
}
END_TEST

START_TEST(too_many_boxes_are_refused)
{
    drawn of = chain(NULL, 1234, 1234, 10000);
    char path[] = "/tmp/inlay-render-never-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(path));
    char file[sizeof path + 8];
    snprintf(file, sizeof file, "%s/x.dot", path);
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_mapping_draw_dot(of.mapping, NULL, file, diag), INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(diag), "the picture would have 1,234 boxes; expected at most 300; "
                                               "--max-clusters 1234 draws it all the same");
    ck_assert_int_ne(access(file, F_OK), 0);
    inlay_diag_free(diag);
    rmdir(path);

    Agraph_t *graph = draw_graph(&of, &(inlay_picture){.max_clusters = 1234});
    ck_assert_int_eq(agnnodes(graph), 1234);
    agclose(graph);

    ck_assert_int_eq(inlay_mapping_draw_svg(of.mapping, &(inlay_picture){.max_modules = -1}, file, NULL),
                     INLAY_BAD_ARGUMENT);
    drawn_clear(&of);
}
END_TEST

START_TEST(what_cannot_be_written_is_reported)
{
    drawn of = chain(NULL, 3, 2, 100);
    ck_assert_int_eq(inlay_mapping_draw_dot(of.mapping, NULL, "/nowhere/x.dot", NULL), INLAY_SYSTEM);
    ck_assert_int_eq(inlay_mapping_draw_svg(of.mapping, NULL, "/nowhere/x.svg", NULL), INLAY_SYSTEM);
    drawn_clear(&of);
}
END_TEST

Suite *suite_render(void)
{
    Suite *suite = suite_create("render");
    TCase *pictures = tcase_create("pictures");
    tcase_add_test(pictures, modules_stand_in_the_boxes_of_their_processors);
    tcase_add_test(pictures, what_does_not_fit_is_marked);
    tcase_add_test(pictures, names_survive);
    tcase_add_test(pictures, svg_is_well_formed);
    tcase_add_test(pictures, the_same_picture_has_the_same_bytes);
    tcase_add_test(pictures, many_modules_are_counted);
    tcase_add_test(pictures, too_many_boxes_are_refused);
    tcase_add_test(pictures, what_cannot_be_written_is_reported);
    suite_add_tcase(suite, pictures);
    return suite;
}

/* Pictures: what Graphviz reads back, names that could be misread, thresholds, SVG, same bytes. */
#include "base/plain.h"
#include "random_app.h"
#include "svg_read.h"
#include "unit.h"

#include <cgraph.h>
#include <inlay/inlay.h>
#include <math.h>
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
    ck_assert_ptr_nonnull(strstr(value(box, "label"), "work 30"));
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

/* ---- Titles and lines: the geometry of the SVG ---- */

typedef struct rectangle {
    double left, top, right, bottom;
} rectangle;

static bool meet(rectangle a, rectangle b)
{
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Some of the numbers of "M1,2C3,4 5,6 7,8", up to the quote; how many. */
static size_t numbers(const char *s, double *to, size_t most)
{
    size_t count = 0;
    while (*s != '"') {
        char *end;
        double value = plain_number(s, &end);
        if (end == s) {
            s++;
            continue;
        }
        ck_assert_uint_lt(count, most);
        to[count++] = value;
        s = end;
    }
    return count;
}

/** What an element of Graphviz or a plate has for a number. */
static double attribute(const char *tag, const char *name)
{
    const char *text = svg_attribute_text(tag, name);
    ck_assert_msg(text != NULL, "no %s: %.60s", name, tag);
    return plain_number(text, NULL);
}

typedef struct line_place {
    double x, y;
    int line;
} line_place;

/** Places on all lines, 100 of each of their curves; the caller's to free. */
static line_place *places_on_lines(const char *svg, size_t *count)
{
    enum { MOST = 500000 };
    line_place *places = calloc(MOST, sizeof *places);
    int line = 0;
    ck_assert_ptr_nonnull(places);
    *count = 0;
    for (const char *edge = svg; (edge = strstr(edge + 1, "class=\"edge\"")); line++) {
        double p[2048];
        size_t corners = numbers(svg_attribute_text(svg_next(edge, "path"), "d"), p, 2048);
        for (size_t i = 0; i + 7 < corners; i += 6) {
            for (int step = 0; step <= 100; step++) {
                double t = step / 100.0, s = 1 - t, at[2];
                for (size_t k = 0; k < 2; k++) {
                    at[k] = s * s * s * p[i + k] + 3 * s * s * t * p[i + 2 + k] + 3 * s * t * t * p[i + 4 + k] +
                            t * t * t * p[i + 6 + k];
                }
                ck_assert_uint_lt(*count, MOST);
                places[(*count)++] = (line_place){at[0], at[1], line};
            }
        }
    }
    return places;
}

static int lines_through(const line_place *places, size_t count, rectangle box)
{
    int lines = 0, last = -1;
    for (size_t i = 0; i < count; i++) {
        bool inside =
            places[i].x > box.left && places[i].x < box.right && places[i].y > box.top && places[i].y < box.bottom;
        lines += inside && places[i].line != last;
        last = inside ? places[i].line : last;
    }
    return lines;
}

/** The box of a processor: corners of its path. */
static rectangle box_of_cluster(const char *group)
{
    double p[256];
    size_t count = numbers(svg_attribute_text(svg_next(group, "path"), "d"), p, 256);
    rectangle box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i + 1 < count; i += 2) {
        box = (rectangle){fmin(box.left, p[i]), fmin(box.top, p[i + 1]), fmax(box.right, p[i]),
                          fmax(box.bottom, p[i + 1])};
    }
    return box;
}

/** Labels of lines stand behind the last group; none touches a plate unless its whole line lies behind plates. */
static void assert_labels_beside(const char *svg, rectangle plate)
{
    for (const char *text = svg; (text = svg_next(text + 1, "text"));) {
        if (svg_attribute_text(text, "style") == NULL) continue;
        double x = attribute(text, "x"), y = attribute(text, "y");
        ck_assert_msg(!meet((rectangle){x - 2, y - 6, x + 2, y}, plate), "a label on a title: %.120s", text);
    }
}

/** Checks a picture; gives how many lines go behind plates. */
static int check_titles(const char *svg, inlay_id clusters)
{
    int behind = 0;
    inlay_id plates = 0;
    size_t count;
    line_place *places = places_on_lines(svg, &count);
    const char *group = svg, *last_edge = svg;
    for (const char *edge = svg; (edge = strstr(edge + 1, "class=\"edge\""));) {
        last_edge = edge;
    }
    for (const char *tag = svg; (tag = strstr(tag + 1, "<rect class=\"plate\"")); plates++) {
        double x = attribute(tag, "x"), y = attribute(tag, "y");
        rectangle plate = {x, y, x + attribute(tag, "width"), y + attribute(tag, "height")};
        group = strstr(group + 1, "class=\"cluster\"");
        rectangle box = box_of_cluster(group);
        ck_assert_msg(tag > last_edge, "a plate below lines");
        ck_assert(svg_attribute_text(tag, "fill")[0] == '#' && strstr(tag, "opacity") == NULL);
        ck_assert(plate.left > box.left && plate.right < box.right && plate.top > box.top && plate.bottom < box.bottom);
        int lines = 0;
        for (const char *text = svg_next(tag, "text"); text != NULL && strncmp(text + 1, "text ", 5) == 0; lines++) {
            ck_assert(attribute(text, "x") >= plate.left && attribute(text, "x") < plate.right);
            ck_assert(attribute(text, "y") < plate.bottom);
            ck_assert(attribute(text, "y") - attribute(text, "font-size") * 0.75 > plate.top);
            text = strchr(text, '\n') + 1;
            text = *text == '<' && svg_attribute_text(text, "style") == NULL ? text : NULL;
        }
        ck_assert_int_ge(lines, 2);
        /* Places are tried a step apart: one with fewer lines would be found where it is wider by that. */
        rectangle core = {plate.left + 2, plate.top + 2, plate.right - 2, plate.bottom - 2};
        double width = plate.right - plate.left, spare = 4 + (box.right - box.left) / 60;
        int here = lines_through(places, count, core);
        behind += here;
        for (double left = box.left + 8; here > 0 && left + width < box.right - 8; left += spare) {
            rectangle other = {left - spare, plate.top - 2, left + width + spare, plate.bottom + 2};
            ck_assert_msg(lines_through(places, count, other) >= here, "fewer lines at %g than at %g", left,
                          plate.left);
        }
        assert_labels_beside(svg, plate);
    }
    ck_assert_int_eq(plates, clusters);
    free(places);
    return behind;
}

START_TEST(no_line_crosses_a_title)
{
    int behind = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        uint64_t state = seed;
        random_times times;
        drawn of = {.app = random_app(&state, 8 + 2 * (inlay_id)seed, seed % 2 ? RANDOM_BLOCKS : 0, &times)};
        inlay_id processor_of[RANDOM_MODULES];
        for (inlay_id i = 0; i < inlay_app_modules(of.app); i++) {
            processor_of[i] = (inlay_id)random_below(&state, 2 + (int64_t)seed / 2);
        }
        ck_assert_int_eq(inlay_machine_parse("bus:16", &of.machine, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_evaluate(of.app, of.machine, processor_of, NULL, &of.mapping, NULL), INLAY_OK);
        char *svg = draw(inlay_mapping_draw_svg, &of, &(inlay_picture){.max_modules = 100});
        behind += check_titles(svg, inlay_mapping_summary(of.mapping)->clusters);
        free(svg);
        drawn_clear(&of);
    }
    ck_assert_int_gt(behind, 0); /* else the plates are not tested */
}
END_TEST

START_TEST(kinds_have_their_shares_and_a_legend)
{
    drawn of = {0};
    inlay_id processor_of[70];
    inlay_app_builder *builder = inlay_app_builder_new("a<b>", INLAY_UNIT_TICK);
    for (inlay_id i = 0; i < 70; i++) {
        const char *kind = i % 10 == 0 ? NULL : i % 2 ? "odd & \\n<i>" : "even";
        inlay_module module = {.name = "", .kind = kind, .time = {{i % 2 ? 2 : 4, 0}, INLAY_UNIT_NONE}};
        char name[8];
        snprintf(name, sizeof name, "t%d", (int)i);
        module.name = name;
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
        processor_of[i] = i / 35;
    }
    ck_assert_int_eq(inlay_app_build(builder, &of.app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    ck_assert_int_eq(inlay_machine_parse("bus:2", &of.machine, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_evaluate(of.app, of.machine, processor_of, NULL, &of.mapping, NULL), INLAY_OK);
    Agraph_t *graph = draw_graph(&of, NULL);
    /* Processor 0: 17 odd modules of 2, 4 without a kind and 14 even ones of 4 of 106 in all. */
    ck_assert_str_eq(value(agnode(graph, (char *)"processor 0", 0), "fillcolor"),
                     "#A9D3F0;0.321:#9CDCC4;0.528:#EFEFEF;0.151");
    ck_assert_str_eq(value(agnode(graph, (char *)"processor 0", 0), "style"), "striped");
    ck_assert_int_ne(aghtmlstr(agget(graph, (char *)"label")), 0);
    ck_assert_ptr_nonnull(strstr(value(graph, "label"), "a&lt;b&gt; on bus:2"));
    ck_assert_ptr_nonnull(
        strstr(value(graph, "label"), "<FONT COLOR=\"#A9D3F0\">\xE2\x96\xA0</FONT> odd &amp; \\n&lt;i&gt;"));
    ck_assert_ptr_nonnull(strstr(value(graph, "label"), "<FONT COLOR=\"#EFEFEF\">\xE2\x96\xA0</FONT> other"));
    agclose(graph);
    char *svg = draw(inlay_mapping_draw_svg, &of, NULL);
    assert_well_formed(svg);
    ck_assert_ptr_nonnull(strstr(svg, "fill=\"#a9d3f0\""));
    free(svg);
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
    tcase_add_test(pictures, no_line_crosses_a_title);
    tcase_add_test(pictures, kinds_have_their_shares_and_a_legend);
    suite_add_tcase(suite, pictures);
    return suite;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* Pictures of machines: what stands where and in which colour, against the mapping that they show. */
#include "base/plain.h"
#include "map_by_houstis.h"
#include "random_app.h"
#include "svg_read.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME = 160, MODULES = 60 };

/** A mapping and its picture. */
typedef struct picture {
    inlay_app *app;
    inlay_machine *machine;
    inlay_mapping *mapping;
    inlay_diag *diag;
    inlay_link_load *loads;
    size_t load_count;
    char *svg;
} picture;

/* ---- Making ---- */

static inlay_app *sample(void)
{
    uint64_t state = 5;
    random_times times;
    return random_app(&state, MODULES, 0, &times);
}

/** A tick of a second lets the sample run on whatever the machine counts in. */
static void lay_out(picture *p, inlay_machine *machine)
{
    p->app = sample();
    p->machine = machine;
    p->diag = inlay_diag_new();
    int status = map_by_houstis(p->app, machine, &(inlay_options){.tick_seconds = 1}, &p->mapping, p->diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(p->diag));
    ck_assert_int_eq(inlay_mapping_links(p->mapping, &p->loads, &p->load_count, p->diag), INLAY_OK);
    ck_assert_uint_gt(p->load_count, 0);
}

static void draw(picture *p)
{
    int status = inlay_mapping_draw_machine_svg(p->mapping, svg_path(), p->diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(p->diag));
    p->svg = svg_take();
}

static inlay_machine *parsed(const char *text)
{
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_machine_parse(text, &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return machine;
}

static inlay_machine *read_text(const char *text, const char *extension)
{
    char path[NAME];
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    snprintf(path, sizeof path, "/tmp/inlay-machine-%ld.%s", (long)getpid(), extension);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    int status = inlay_machine_read(path, &machine, diag);
    unlink(path);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return machine;
}

static void clear(picture *p)
{
    free(p->svg);
    free(p->loads);
    inlay_mapping_free(p->mapping);
    inlay_machine_free(p->machine);
    inlay_app_free(p->app);
    inlay_diag_free(p->diag);
}

/* ---- Reading ---- */

static double luminance(const char *colour)
{
    unsigned red, green, blue;
    ck_assert_int_eq(sscanf(colour, "#%2x%2x%2x", &red, &green, &blue), 3);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The element whose title begins so, "p3:" or "p3-p4:"; there must be one and no other. */
static const char *titled(const picture *p, const char *name)
{
    char title[NAME];
    snprintf(title, sizeof title, "<title>%s:", name);
    const char *found = strstr(p->svg, title);
    ck_assert_msg(found != NULL, "nothing is titled %s", name);
    ck_assert_ptr_null(strstr(found + 1, title));
    return found;
}

static svg_place centre_of_host(const picture *p, inlay_id host)
{
    char name[INLAY_MACHINE_NAME];
    const char *box = svg_next(titled(p, inlay_machine_node_name(p->machine, host, name)), "rect");
    return (svg_place){svg_attribute_number(box, "x") + svg_attribute_number(box, "width") / 2,
                       svg_attribute_number(box, "y") + svg_attribute_number(box, "height") / 2};
}

/** The path of a link that carries something. */
static const char *path_of(const picture *p, inlay_id link)
{
    char name[INLAY_MACHINE_NAME];
    return svg_next(titled(p, inlay_machine_link_name(p->machine, link, name)), "path");
}

/** First and last place of a path. */
static void ends_of(const char *path, svg_place end[2])
{
    const char *d = svg_attribute_text(path, "d");
    plain_scope scope = plain_enter();
    ck_assert_int_eq(sscanf(d, "M%lf,%lf", &end[0].x, &end[0].y), 2);
    size_t length = strcspn(d, "\"");
    const char *last = d + length;
    while (strchr("L ", last[-1]) == NULL) {
        last--;
    }
    ck_assert_int_eq(sscanf(last, "%lf,%lf", &end[1].x, &end[1].y), 2);
    plain_leave(scope);
}

/* ---- What every picture has ---- */

/** Each host one box, idle ones grey; those with a cluster name it and its work. */
static void expect_hosts(const picture *p)
{
    const inlay_summary *sum = inlay_mapping_summary(p->mapping);
    for (inlay_id host = 0; host < inlay_machine_hosts(p->machine); host++) {
        char name[INLAY_MACHINE_NAME];
        const char *title = titled(p, inlay_machine_node_name(p->machine, host, name));
        const char *end = strstr(title, "</title>"), *box = svg_next(title, "rect");
        bool idle = true;
        for (inlay_id c = 0; c < sum->clusters; c++) {
            inlay_cluster_info info = inlay_mapping_cluster(p->mapping, c);
            char line[NAME];
            snprintf(line, sizeof line, "\nprocessor %d: cluster %d, work ", info.processor, c);
            const char *found = strstr(title, line);
            bool here = inlay_machine_host(p->machine, info.processor) == host;
            ck_assert_int_eq(found != NULL && found < end, here);
            idle = idle && !here;
            if (here) {
                ck_assert_double_eq_tol(plain_number(found + strlen(line), NULL), info.work, 1e-6);
            }
        }
        ck_assert_int_eq(strncmp(svg_attribute_text(box, "fill"), "#D6D6D6", 7) == 0, idle);
    }
}

/** Whether a link is drawn as a line from node to node. */
static bool has_ends(const picture *p, inlay_id link)
{
    inlay_machine_link of = inlay_machine_link_at(p->machine, link);
    return of.to >= 0 && (of.from >= 0 || inlay_machine_family(p->machine) == INLAY_CROSSBAR);
}

/** Links that carry something are coloured, the darker the higher their u, and begin and end at their nodes. */
static void expect_links(const picture *p)
{
    double before = 0;
    for (size_t i = 0; i < p->load_count; i++) {
        if (!has_ends(p, p->loads[i].link)) {
            continue;
        }
        inlay_machine_link of = inlay_machine_link_at(p->machine, p->loads[i].link);
        const char *path = path_of(p, p->loads[i].link);
        double light = luminance(svg_attribute_text(path, "stroke"));
        ck_assert_double_ge(light, before);
        before = light;
        svg_place end[2];
        ends_of(path, end);
        const double aside = 20; /* as far as parallel cables stand from their line */
        if (of.from >= 0 && of.from < inlay_machine_hosts(p->machine)) {
            svg_place host = centre_of_host(p, of.from);
            ck_assert_double_le(hypot(end[0].x - host.x, end[0].y - host.y), aside);
        }
        if (of.to < inlay_machine_hosts(p->machine)) {
            svg_place host = centre_of_host(p, of.to);
            ck_assert_double_le(hypot(end[1].x - host.x, end[1].y - host.y), aside);
        }
    }
}

static const char *const families[] = {
    "crossbar:8",
    "star:7",
    "ring:8",
    "ring:6,duplex=half,cores=3",
    "mesh:4x3",
    "mesh:2x2x2",
    "torus:4x4",
    "torus:3x3x1",
    "hypercube:2",
    "hypercube:16",
    "tree:3x2",
    "fattree:2x3,up=1x2,cables=1x2",
    "fattree:49,cores=2",
    "dragonfly:1x2x2x1",
    "dragonfly:3x1x1x2",
    "mesh:18x2",
    "mesh:60x2",
    "dragonfly:1x1x3x2,cables=4x2x1",
};

START_TEST(families_show_hosts_and_links)
{
    picture p = {0};
    lay_out(&p, parsed(families[_i]));
    draw(&p);
    expect_hosts(&p);
    expect_links(&p);
    clear(&p);
}
END_TEST

/* ---- Places ---- */

START_TEST(mesh_is_a_grid)
{
    picture p = {0};
    lay_out(&p, parsed("mesh:4x3"));
    draw(&p);
    svg_place first = centre_of_host(&p, 0), right = centre_of_host(&p, 1), below = centre_of_host(&p, 4);
    ck_assert_double_gt(right.x, first.x);
    ck_assert_double_gt(below.y, first.y);
    for (inlay_id host = 0; host < 12; host++) {
        svg_place at = centre_of_host(&p, host);
        ck_assert_double_eq_tol(at.x, first.x + host % 4 * (right.x - first.x), 0.02);
        ck_assert_double_eq_tol(at.y, first.y + host / 4 * (below.y - first.y), 0.02);
    }
    clear(&p);
}
END_TEST

/* In both directions of the picture neighbours are one bit apart. */
START_TEST(hypercube_is_in_the_order_of_gray)
{
    picture p = {0};
    lay_out(&p, parsed("hypercube:16"));
    draw(&p);
    double step = INFINITY;
    for (inlay_id a = 1; a < 16; a++) {
        svg_place at = centre_of_host(&p, a), origin = centre_of_host(&p, 0);
        double apart = hypot(at.x - origin.x, at.y - origin.y);
        step = fmin(step, apart);
    }
    int neighbours = 0;
    for (inlay_id a = 0; a < 16; a++) {
        for (inlay_id b = 0; b < a; b++) {
            svg_place x = centre_of_host(&p, a), y = centre_of_host(&p, b);
            bool beside = (fabs(x.x - y.x) < 1 || fabs(x.y - y.y) < 1) && hypot(x.x - y.x, x.y - y.y) < 1.5 * step;
            if (beside) {
                neighbours++;
                ck_assert_int_eq(__builtin_popcount((unsigned)(a ^ b)), 1);
            }
        }
    }
    ck_assert_int_eq(neighbours, 24); /* 3 in each of 4 rows and 4 columns */
    clear(&p);
}
END_TEST

START_TEST(ring_is_a_circle)
{
    picture p = {0};
    lay_out(&p, parsed("ring:8"));
    draw(&p);
    svg_place top = centre_of_host(&p, 0), right = centre_of_host(&p, 2), bottom = centre_of_host(&p, 4);
    double middle_x = (top.x + bottom.x) / 2, middle_y = (top.y + bottom.y) / 2;
    double wide = right.x - middle_x, high = middle_y - top.y;
    for (inlay_id host = 0; host < 8; host++) {
        svg_place at = centre_of_host(&p, host);
        ck_assert_double_eq_tol(hypot((at.x - middle_x) / wide, (at.y - middle_y) / high), 1, 0.001);
    }
    clear(&p);
}
END_TEST

START_TEST(trees_stand_level_above_level)
{
    picture p = {0};
    lay_out(&p, parsed("tree:3x2"));
    draw(&p);
    double host_y = centre_of_host(&p, 0).y, last = host_y;
    for (inlay_id host = 1; host < 6; host++) {
        ck_assert_double_eq(centre_of_host(&p, host).y, host_y);
    }
    static const char *const up[] = {"s0", "s2"}; /* of the first level, and the root */
    for (int level = 0; level < 2; level++) {
        char title[NAME];
        snprintf(title, sizeof title, "<title>%s</title>", up[level]);
        const char *circle = strstr(p.svg, title);
        ck_assert_ptr_nonnull(circle);
        while (strncmp(circle, "<circle", 7) != 0) {
            circle--;
        }
        double y = svg_attribute_number(circle, "cy");
        ck_assert_double_lt(y, last);
        last = y;
    }
    clear(&p);
}
END_TEST

/* ---- Strokes ---- */

static const char unlike_links[] = "graph { graph [network=links]; s [kind=switch];\n"
                                   "  a -- s [capacity=\"4msg/s\"]; b -- s [capacity=\"1msg/s\"];\n"
                                   "  c -- s [capacity=\"2msg/s\", duplex=half];\n}\n";

/* The two ways of a cable stand apart; a shared one is in the middle. */
START_TEST(two_ways_stand_apart)
{
    picture p = {0};
    lay_out(&p, parsed("mesh:2x1"));
    draw(&p);
    svg_place forth[2], back[2];
    ck_assert_uint_eq(p.load_count, 2);
    ends_of(path_of(&p, 0), forth);
    ends_of(path_of(&p, 1), back);
    ck_assert_double_gt(forth[0].y, centre_of_host(&p, 0).y + 1); /* to the right of the way from left to right */
    ck_assert_double_lt(back[0].y, centre_of_host(&p, 0).y - 1);
    clear(&p);

    picture shared = {0};
    lay_out(&shared, parsed("mesh:2x1,duplex=half"));
    draw(&shared);
    ends_of(path_of(&shared, 0), forth);
    ck_assert_double_eq_tol(forth[0].y, centre_of_host(&shared, 0).y, 0.02);
    clear(&shared);
}
END_TEST

START_TEST(wider_means_more_capacity)
{
    picture p = {0};
    lay_out(&p, read_text(unlike_links, "dot"));
    draw(&p);
    int compared = 0;
    for (size_t i = 0; i < p.load_count; i++) {
        for (size_t j = 0; j < i; j++) {
            double a = inlay_machine_link_at(p.machine, p.loads[i].link).capacity;
            double b = inlay_machine_link_at(p.machine, p.loads[j].link).capacity;
            double wide_a = svg_attribute_number(path_of(&p, p.loads[i].link), "stroke-width");
            double wide_b = svg_attribute_number(path_of(&p, p.loads[j].link), "stroke-width");
            ck_assert_int_eq((a > b) - (a < b), (wide_a > wide_b) - (wide_a < wide_b));
            compared += a > b || a < b;
        }
    }
    ck_assert_int_gt(compared, 0);
    clear(&p);
}
END_TEST

/* ---- Machines of files ---- */

static const char odd_graph[] = "graph { graph [network=links];\n"
                                "  \"a<b\" [speed=2]; \"c&d\" [cores=2]; \"e\\\"f\"; s [kind=switch];\n"
                                "  \"a<b\" -- s [capacity=\"4msg/s\"]; \"c&d\" -- s [capacity=\"1msg/s\"];\n"
                                "  \"e\\\"f\" -- s [capacity=\"2msg/s\", duplex=half];\n}\n";

/* Link 1 and 2 are parts of routes: nothing says where they lie. */
static const char joints[] =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\n"
    "<host id=\"A\" speed=\"1Gf\"/><host id=\"B\" speed=\"1Gf\"/><host id=\"C\" speed=\"1Gf\"/>\n"
    "<link id=\"one\" bandwidth=\"1MBps\" latency=\"1ms\"/><link id=\"two\" bandwidth=\"9MBps\" latency=\"1ms\"/>\n"
    "<route src=\"A\" dst=\"B\"><link_ctn id=\"one\"/><link_ctn id=\"two\"/></route>\n"
    "<route src=\"A\" dst=\"C\"><link_ctn id=\"one\"/><link_ctn id=\"two\"/></route>\n"
    "<route src=\"B\" dst=\"C\"><link_ctn id=\"two\"/><link_ctn id=\"one\"/></route>\n"
    "</zone></platform>\n";

START_TEST(odd_names_are_drawn)
{
    picture p = {0};
    lay_out(&p, read_text(odd_graph, "dot"));
    draw(&p);
    ck_assert_ptr_nonnull(strstr(p.svg, "<title>a&lt;b"));
    ck_assert_ptr_nonnull(strstr(p.svg, "<title>c&amp;d"));
    ck_assert_ptr_nonnull(strstr(p.svg, "<title>e&quot;f"));
    clear(&p);
}
END_TEST

START_TEST(links_without_ends_are_dots)
{
    picture p = {0};
    lay_out(&p, read_text(joints, "xml"));
    draw(&p);
    expect_hosts(&p);
    ck_assert_uint_eq(p.load_count, 2);
    for (size_t i = 0; i < p.load_count; i++) {
        char name[INLAY_MACHINE_NAME];
        const char *title = titled(&p, inlay_machine_link_name(p.machine, p.loads[i].link, name));
        ck_assert_int_eq(strncmp(title - 1, ">", 1), 0);
        while (*title != '<' || strncmp(title, "<circle", 7) != 0) {
            title--;
        }
        ck_assert_int_ne(strncmp(svg_attribute_text(title, "fill"), "#D6D6D6", 7), 0);
    }
    clear(&p);
}
END_TEST

static const char *const same_twice[] = {"torus:4x4", "dot", "xml"};

START_TEST(same_bytes_twice)
{
    const char *what = same_twice[_i];
    char *before = NULL;
    for (int turn = 0; turn < 2; turn++) {
        picture p = {0};
        lay_out(&p, strcmp(what, "dot") == 0   ? read_text(odd_graph, what)
                    : strcmp(what, "xml") == 0 ? read_text(joints, what)
                                               : parsed(what));
        draw(&p);
        if (before != NULL) {
            ck_assert_str_eq(before, p.svg);
        }
        free(before);
        before = p.svg;
        p.svg = NULL;
        clear(&p);
    }
    free(before);
}
END_TEST

/* ---- Refusals ---- */

static void expect_refusal(const char *machine, int status, const char *message)
{
    picture p = {.app = sample(), .machine = parsed(machine), .diag = inlay_diag_new()};
    ck_assert_int_eq(map_by_houstis(p.app, p.machine, &(inlay_options){.tick_seconds = 1}, &p.mapping, p.diag),
                     INLAY_OK);
    ck_assert_int_eq(inlay_mapping_draw_machine_svg(p.mapping, svg_path(), p.diag), status);
    ck_assert_str_eq(inlay_diag_message(p.diag), message);
    ck_assert_int_ne(access(svg_path(), F_OK), 0);
    clear(&p);
}

START_TEST(too_much_and_too_little_are_refused)
{
    expect_refusal(
        "bus:4", INLAY_BAD_ARGUMENT,
        "bus:4,memory=distributed has no links to draw; expected a machine with links, for example mesh:4x4");
    expect_refusal("mesh:65x64", INLAY_NO_ANSWER, "4160 hosts are too many to draw; expected at most 4096");
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_mapping_draw_machine_svg(NULL, svg_path(), diag), INLAY_BAD_ARGUMENT);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_machine_picture(void)
{
    Suite *suite = suite_create("machine_picture");
    TCase *tc = tcase_create("pictures");
    tcase_add_loop_test(tc, families_show_hosts_and_links, 0, sizeof families / sizeof *families);
    tcase_add_test(tc, mesh_is_a_grid);
    tcase_add_test(tc, hypercube_is_in_the_order_of_gray);
    tcase_add_test(tc, ring_is_a_circle);
    tcase_add_test(tc, trees_stand_level_above_level);
    tcase_add_test(tc, two_ways_stand_apart);
    tcase_add_test(tc, wider_means_more_capacity);
    tcase_add_test(tc, odd_names_are_drawn);
    tcase_add_test(tc, links_without_ends_are_dots);
    tcase_add_loop_test(tc, same_bytes_twice, 0, sizeof same_twice / sizeof *same_twice);
    tcase_add_test(tc, too_much_and_too_little_are_refused);
    suite_add_tcase(suite, tc);
    return suite;
}

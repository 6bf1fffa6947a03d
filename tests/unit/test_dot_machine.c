// SPDX-License-Identifier: GPL-3.0-or-later
/* Explicit machines in DOT: what nodes and edges mean, what is refused, and that what is written reads back. */
#include "base/text.h"
#include "io/dot/dot.h"
#include "machine/machine.h"
#include "unit.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inlay_machine *machine_of(const char *dot)
{
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = dot_machine_from(dot, strlen(dot), "m.dot", &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return machine;
}

static const char cluster[] = "graph cluster {\n"
                              "  s0 [kind=switch]; // stands first in the file, and last among the nodes\n"
                              "  graph [network=links, switching=\"cut-through\", model=mm1, latency=2us];\n"
                              "  p0 [type=gpu, speed=2, memory=16GiB, cores=4];\n"
                              "  edge [capacity=\"1GB/s\", latency=5us];\n"
                              "  p0 -- s0 [name=up];\n"
                              "  p1 -- s0 [duplex=half, latency=\"0.5ms\", name=\"half one\"];\n"
                              "  p2 -- s0 [parallel=true, capacity=\"8Mbit/ms\"];\n"
                              "}\n";

START_TEST(nodes_of_a_cluster)
{
    inlay_machine *machine = machine_of(cluster);
    static const char *const names[] = {"p0", "p1", "p2", "s0"};
    char name[INLAY_MACHINE_NAME];
    ck_assert_int_eq(inlay_machine_family(machine), INLAY_GRAPH);
    ck_assert_str_eq(inlay_machine_name(machine), "cluster");
    ck_assert_int_eq(inlay_machine_nodes(machine), 4);
    ck_assert_int_eq(inlay_machine_hosts(machine), 3);
    ck_assert_int_eq(inlay_machine_processors(machine), 6);
    for (int i = 0; i < 4; i++) {
        ck_assert_str_eq(inlay_machine_node_name(machine, i, name), names[i]);
    }
    for (int i = 0; i < 6; i++) {
        inlay_processor p = inlay_machine_processor(machine, i);
        ck_assert_int_eq(inlay_machine_host(machine, i), i < 4 ? 0 : i - 3);
        ck_assert(i < 4 ? strcmp(p.type, "gpu") == 0 : p.type == NULL);
        ck_assert_double_eq(p.speed, i < 4 ? 2 : 1);
        ck_assert_int_eq(p.memory, i < 4 ? INT64_C(16) << 30 : -1);
    }
    ck_assert(inlay_machine_unlike(machine));
    ck_assert(inlay_machine_cut_through(machine) && inlay_machine_exponential(machine));
    ck_assert_int_eq(inlay_machine_latency(machine).value.digits, 2);
    inlay_machine_free(machine);
}
END_TEST

START_TEST(links_of_a_cluster)
{
    static const struct {
        const char *name;
        inlay_id from, to;
        double capacity, latency;
        bool shared, parallel;
    } expected[] = {{"up p0-s0", 0, 3, 1e9, 5e-6, false, false},
                    {"up s0-p0", 3, 0, 1e9, 5e-6, false, false},
                    {"half one", 1, 3, 1e9, 5e-4, true, false},
                    {"p2-s0", 2, 3, 1e9, 5e-6, false, true},
                    {"s0-p2", 3, 2, 1e9, 5e-6, false, true}};
    inlay_machine *machine = machine_of(cluster);
    char name[INLAY_MACHINE_NAME];
    ck_assert(inlay_machine_links_known(machine) && inlay_machine_links_in_bytes(machine));
    ck_assert_int_eq(inlay_machine_link_unit(machine), INLAY_UNIT_S);
    ck_assert_int_eq(inlay_machine_links(machine), 5);
    for (int i = 0; i < 5; i++) {
        inlay_machine_link link = inlay_machine_link_at(machine, i);
        ck_assert_str_eq(inlay_machine_link_name(machine, i, name), expected[i].name);
        ck_assert(link.from == expected[i].from && link.to == expected[i].to);
        ck_assert_double_eq_tol(link.capacity, expected[i].capacity, 1e-3);
        ck_assert_double_eq(link.latency, expected[i].latency);
        ck_assert(link.shared == expected[i].shared && link.parallel == expected[i].parallel);
    }
    inlay_id route[4];
    ck_assert_int_eq(inlay_machine_route(machine, 4, 0, route, 4), 2);
    ck_assert(route[0] == 2 && route[1] == 1);
    ck_assert_int_eq(inlay_machine_route(machine, 0, 3, route, 4), 0); /* cores of one host */
    ck_assert_int_eq(inlay_machine_route(machine, 3, 5, route, 4), 2);
    ck_assert(route[0] == 0 && route[1] == 4);
    inlay_machine_free(machine);
}
END_TEST

/* One host may have the main memory; what is written has it, too. */
START_TEST(main_memory)
{
    inlay_machine *machine = machine_of("graph { network=links; g -- m; m [main=true, cores=2] }"), *again;
    inlay_diag *diag = inlay_diag_new();
    text_buffer text = {0};
    ck_assert_int_eq(inlay_machine_main(machine), 1);
    ck_assert_int_eq(dot_machine_to(machine, &text, diag), INLAY_OK);
    again = machine_of(text.data);
    ck_assert_int_eq(inlay_machine_main(again), 1);
    inlay_machine_free(again);
    inlay_machine_free(machine);
    again = machine_of(cluster);
    ck_assert_int_eq(inlay_machine_main(again), -1);
    inlay_machine_free(again);
    text_clear(&text);
    inlay_diag_free(diag);
}
END_TEST

/* An edge of a digraph is one link; `duplex` makes it a cable. */
START_TEST(links_of_a_digraph)
{
    static const struct {
        inlay_id from, to;
        bool shared;
    } expected[] = {{0, 1, false}, {1, 2, false}, {2, 0, false}, {0, 2, false}, {2, 0, false}, {1, 2, true}};
    inlay_machine *machine = machine_of("digraph { graph [network=links]; a -> b -> c -> a; a -> c [duplex=full];\n"
                                        " b -> c [duplex=half] }");
    ck_assert_int_eq(inlay_machine_links(machine), 6);
    for (int i = 0; i < 6; i++) {
        inlay_machine_link link = inlay_machine_link_at(machine, i);
        ck_assert(link.from == expected[i].from && link.to == expected[i].to && link.shared == expected[i].shared);
    }
    ck_assert_int_eq(inlay_machine_distance(machine, 1, 0), 2);
    inlay_machine_free(machine);
}
END_TEST

START_TEST(ticks_and_messages)
{
    inlay_machine *machine = machine_of("graph { network=links; a -- b [capacity=\"2\", latency=3];\n"
                                        "b -- c [capacity=\"2msg/tick\", latency=\"3 ticks\"] }");
    ck_assert_int_eq(inlay_machine_link_unit(machine), INLAY_UNIT_TICK);
    ck_assert(!inlay_machine_links_in_bytes(machine));
    for (int i = 0; i < 4; i++) {
        ck_assert_double_eq(inlay_machine_link_at(machine, i).capacity, 2);
        ck_assert_double_eq(inlay_machine_link_at(machine, i).latency, 3);
    }
    inlay_machine_free(machine);
}
END_TEST

/* Cable by cable, a machine counts as the same one as a family does: to the last bit of 100us, and without capacities. */
START_TEST(links_as_those_of_a_family)
{
    static const char *const pairs[][2] = {
        {"graph { network=links; p0 -- p1 -- p2 [latency=100us] }", "mesh:3x1,link_latency=100us"},
        {"graph { network=links; p0 -- p1 -- p2 }", "mesh:3x1"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        inlay_machine *machine = machine_of(pairs[i][0]), *family = NULL;
        ck_assert_int_eq(inlay_machine_parse(pairs[i][1], &family, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_machine_links(machine), inlay_machine_links(family));
        for (inlay_id l = 0; l < inlay_machine_links(machine); l++) {
            ck_assert_double_eq(inlay_machine_link_at(machine, l).latency, inlay_machine_link_at(family, l).latency);
            ck_assert_double_eq(inlay_machine_link_at(machine, l).capacity, 1);
            ck_assert_double_eq(inlay_machine_link_at(family, l).capacity, 1);
        }
        inlay_machine_free(machine);
        inlay_machine_free(family);
    }
}
END_TEST

START_TEST(one_host_alone)
{
    inlay_machine *machine = machine_of("graph { network=links; alone [cores=3] }");
    ck_assert_int_eq(inlay_machine_processors(machine), 3);
    ck_assert_int_eq(inlay_machine_links(machine), 0);
    ck_assert(!inlay_machine_links_known(machine));
    ck_assert_int_eq(inlay_machine_distance(machine, 0, 2), 0);
    inlay_machine_free(machine);
}
END_TEST

/* ---- Refused ---- */

#define HEAD "graph m {\n  graph [network=links];\n"

static const struct {
    const char *dot, *message;
} refused[] = {
    {HEAD "  s [kind=switch];\n}", "m.dot:1: a machine without processors; expected a node that is no switch"},
    {HEAD "  a [kind=hub];\n}", "m.dot:3: bad kind 'hub' of 'a'; expected host, switch or router"},
    {HEAD "  node [speed=0];\n  a;\n}",
     "m.dot:3: bad speed '0' of 'a'; expected a positive number such as 1 or 2.5, or 2Gf"},
    {HEAD "  a;\n  b [memory=many];\n}", "m.dot:4: bad memory 'many' of 'b'; expected a positive size such as 64MiB"},
    {HEAD "  b [cores=0];\n}", "m.dot:3: bad cores '0' of 'b'; expected a whole number from 1 to 2147483647"},
    {HEAD "  b [cores=99999999999];\n}",
     "m.dot:3: bad cores '99999999999' of 'b'; expected a whole number from 1 to 2147483647"},
    {HEAD "  b [speeed=2];\n}",
     "m.dot:3: unknown attribute 'speeed', perhaps 'speed'; expected one of kind, type, speed, memory, cores, main"},
    {HEAD "  a [main=yes]; b;\n}",
     "m.dot:3: bad main 'yes' of 'a'; expected true for the host whose memory is the main memory, else false"},
    {HEAD "  a [main=true];\n  b [main=true];\n}",
     "m.dot:4: 'b' is main, and so is 'a'; expected one host with the main memory"},
    {HEAD "  a -- b [bandwidth=2];\n}",
     "m.dot:3: unknown attribute 'bandwidth'; expected one of capacity, latency, duplex, parallel, weight, name"},
    {HEAD "  a -- a;\n}", "m.dot:3: the link 'a' -- 'a' leads from a node to itself; expected two different nodes"},
    {HEAD "  a -- b [capacity=fast];\n}",
     "m.dot:3: bad capacity 'fast' of the link 'a' -- 'b'; expected a positive rate "
     "such as 1msg/tick, 100Mbit/s or 1.25GB/s"},
    {HEAD "  a -- b;\n  b -- c [latency=\"-1us\"];\n}",
     "m.dot:4: bad latency '-1us' of the link 'b' -- 'c'; expected a "
     "time of at least 0 such as 5us or 2 ticks"},
    {HEAD "  a -- b [duplex=none];\n}", "m.dot:3: bad duplex 'none' of the link 'a' -- 'b'; expected full, or half for "
                                        "one medium that both ways share"},
    {HEAD "  a -- b [parallel=yes];\n}", "m.dot:3: bad parallel 'yes' of the link 'a' -- 'b'; expected true where "
                                         "messages do not meet on the link, else false"},
    {HEAD "  a -- b [weight=0];\n}", "m.dot:3: bad weight '0' of the link 'a' -- 'b'; expected a positive number, what "
                                     "the link counts in the length of a route"},
    {HEAD "  a -- b [capacity=\"1GB/s\"];\n  b -- c;\n}", "m.dot:4: the link 'b' -- 'c' has no capacity and others "
                                                          "have one; expected capacity=RATE on every link, as in edge "
                                                          "[capacity=\"1GB/s\"], or on none"},
    {HEAD "  a -- b;\n  b -- c [capacity=\"1GB/s\"];\n}", "m.dot:3: the link 'a' -- 'b' has no capacity and others "
                                                          "have one; expected capacity=RATE on every link, as in edge "
                                                          "[capacity=\"1GB/s\"], or on none"},
    {HEAD "  a -- b [capacity=\"1GB/s\"];\n  b -- c [capacity=\"1msg/s\"];\n}",
     "m.dot:4: the link 'b' -- 'c' carries messages; expected bytes, which the first link carries"},
    {HEAD "  a -- b [capacity=\"1GB/s\"];\n  b -- c [capacity=\"1GB/tick\"];\n}",
     "m.dot:4: the link 'b' -- 'c' has a capacity in ticks; expected seconds, the unit of the first link"},
    {HEAD "  a -- b [capacity=\"1msg/tick\"];\n  b -- c [capacity=\"1msg/tick\", latency=1us];\n}",
     "m.dot:4: the link 'b' -- 'c' has a latency in seconds; expected ticks, the unit of the first link"},
    {HEAD "  a -- b;\n  c -- d;\n}",
     "m.dot: no links lead from 'a' to 'c'; expected a way from every host to every other"},
    {"digraph m {\n  graph [network=links];\n  a -> b;\n}",
     "m.dot: no links lead from 'b' to 'a'; expected a way from every host to every other"},
    {"graph m {\n  graph [network=links,\n    capacity=\"1GB/s\"];\n  a -- b;\n}",
     "m.dot:3: capacity is no attribute "
     "of links; expected none: nodes and edges have "
     "their own"},
};

START_TEST(refused_with_the_line)
{
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(dot_machine_from(refused[_i].dot, strlen(refused[_i].dot), "m.dot", &machine, diag),
                     INLAY_BAD_INPUT);
    const char *message = inlay_diag_message(diag), *expected = refused[_i].message;
    bool begins = expected[strlen(expected) - 1] == ' ';
    ck_assert_msg(begins ? strncmp(message, expected, strlen(expected)) == 0 : strcmp(message, expected) == 0,
                  "%s\ninstead of\n%s", message, expected);
    ck_assert_ptr_null(machine);
    inlay_diag_free(diag);
}
END_TEST

/* ---- Writing ---- */

static void expect_same(const inlay_machine *a, const inlay_machine *b)
{
    char first[INLAY_MACHINE_NAME], second[INLAY_MACHINE_NAME];
    ck_assert_int_eq(inlay_machine_hosts(a), inlay_machine_hosts(b));
    ck_assert_int_eq(inlay_machine_nodes(a), inlay_machine_nodes(b));
    ck_assert_int_eq(inlay_machine_links(a), inlay_machine_links(b));
    ck_assert_int_eq(inlay_machine_processors(a), inlay_machine_processors(b));
    ck_assert_int_eq(inlay_machine_link_unit(a), inlay_machine_link_unit(b));
    ck_assert_int_eq(inlay_machine_links_in_bytes(a), inlay_machine_links_in_bytes(b));
    ck_assert_int_eq(inlay_machine_cut_through(a), inlay_machine_cut_through(b));
    for (inlay_id i = 0; i < inlay_machine_nodes(a); i++) {
        ck_assert_str_eq(inlay_machine_node_name(a, i, first), inlay_machine_node_name(b, i, second));
    }
    for (inlay_id i = 0; i < inlay_machine_links(a); i++) {
        inlay_machine_link x = inlay_machine_link_at(a, i), y = inlay_machine_link_at(b, i);
        ck_assert_str_eq(inlay_machine_link_name(a, i, first), inlay_machine_link_name(b, i, second));
        ck_assert(x.from == y.from && x.to == y.to && x.shared == y.shared && x.parallel == y.parallel);
        ck_assert(x.capacity <= y.capacity && x.capacity >= y.capacity); /* to the last bit, or both infinite */
        ck_assert(x.latency <= y.latency && x.latency >= y.latency);
    }
    for (inlay_id p = 0; p < inlay_machine_processors(a); p++) {
        inlay_processor x = inlay_machine_processor(a, p), y = inlay_machine_processor(b, p);
        ck_assert(x.speed <= y.speed && x.speed >= y.speed && x.memory == y.memory);
        ck_assert(x.type == NULL ? y.type == NULL : y.type != NULL && strcmp(x.type, y.type) == 0);
        for (inlay_id q = 0; q < inlay_machine_processors(a); q++) {
            ck_assert_int_eq(inlay_machine_distance(a, p, q), inlay_machine_distance(b, p, q));
        }
    }
}

static void expect_round_trip(const char *dot, bool undirected)
{
    text_buffer written = {0}, twice = {0};
    inlay_machine *machine = machine_of(dot);
    ck_assert_int_eq(dot_machine_to(machine, &written, NULL), INLAY_OK);
    ck_assert_int_eq(strncmp(written.data, undirected ? "graph" : "digraph", 5), 0);
    inlay_machine *again = machine_of(written.data);
    expect_same(machine, again);
    ck_assert_int_eq(dot_machine_to(again, &twice, NULL), INLAY_OK);
    ck_assert_str_eq(written.data, twice.data);
    text_clear(&written);
    text_clear(&twice);
    inlay_machine_free(machine);
    inlay_machine_free(again);
}

START_TEST(what_is_written_reads_back)
{
    expect_round_trip(cluster, true);
    expect_round_trip(HEAD "a -- b; b -- c [weight=0.3]; b -- c [weight=0.3]; c -- a [weight=7] }", true);
    expect_round_trip("digraph { network=links; a -> b -> c -> a [latency=\"0.1 ticks\"]; a -> c [duplex=full]; }",
                      false);
    expect_round_trip("digraph { network=links; \"a b\" -> \"graph\" [duplex=half, name=\"x y\"]; }", true);
    expect_round_trip(HEAD "edge [capacity=\"0.1GB/s\", latency=\"0.30000000000000004us\"]; a -- b; b -- \"\"; }",
                      true);
}
END_TEST

static uint64_t state;

static long draw(long below)
{
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (long)((state >> 33) % (uint64_t)below);
}

/* In 0 .. 1, with as many digits as a double has. */
static double draw_share(void)
{
    return ((double)draw(1 << 30) + (double)draw(1 << 30) / (1 << 30)) / (1 << 30);
}

/* Random numbers of full length, and all that a cable can be. */
START_TEST(random_machines_read_back)
{
    state = (uint64_t)_i;
    text_buffer dot = {0};
    bool directed = _i % 2 == 1;
    text_add(&dot, directed ? "digraph { network=links;\n" : "graph { network=links;\n");
    for (int node = 0; node < 12; node++) {
        text_addf(&dot, "n%d [kind=%s, speed=%.17g, cores=%ld, memory=%ld];\n", node, draw(4) == 0 ? "switch" : "host",
                  draw_share() + 1e-3, 1 + draw(3), 1 + draw(1L << 30));
    }
    for (int edge = 0; edge < 40; edge++) {
        int from = edge < 12 ? edge : (int)(draw(12)), to = edge < 12 ? (edge + 1) % 12 : (int)(draw(12));
        if (from != to) {
            text_addf(&dot, "n%d -%c n%d [capacity=\"%.17gB/s\", latency=\"%.12fs\", weight=%ld, parallel=%s", from,
                      directed ? '>' : '-', to, 1e9 * draw_share() + 1, draw_share() / 1000, 1 + draw(3),
                      draw(2) == 0 ? "true" : "false");
            text_add(&dot, draw(3) == 0 ? ", duplex=half" : draw(3) == 0 ? ", duplex=full" : "");
            text_add(&dot, draw(2) == 0 ? ", name=cable];\n" : "];\n");
        }
    }
    text_add(&dot, "n0 [kind=host] }\n");
    expect_round_trip(dot.data, !directed);
    text_clear(&dot);
}
END_TEST

START_TEST(families_are_written_as_attributes)
{
    static const char *const strings[] = {"mesh:4x4,capacity=1GB/s", "crossbar:5", "fattree:4x4,up=1x2,cables=1x2"};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        inlay_machine *machine = NULL;
        text_buffer written = {0};
        ck_assert_int_eq(inlay_machine_parse(strings[i], &machine, NULL), INLAY_OK);
        ck_assert_int_eq(dot_machine_to(machine, &written, NULL), INLAY_OK);
        inlay_machine *again = machine_of(written.data);
        ck_assert_str_eq(inlay_machine_text(machine), inlay_machine_text(again));
        text_clear(&written);
        inlay_machine_free(machine);
        inlay_machine_free(again);
    }
}
END_TEST

/* A made-up platform whose links have no ends, or whose routes are no shortest ones. */
static bool long_way(const topology *t, inlay_id from, inlay_id to, route_list *route)
{
    (void)t;
    if (from == 0 && to == 1) {
        return route_add(route, 2) && route_add(route, 1);
    }
    return route_add(route, from + to == 1 ? 0 : from + to == 2 ? 2 : 1);
}

static inlay_machine *platform(inlay_id end)
{
    static const machine_host hosts[3] = {[0 ... 2] = {.cores = 1, .speed = 1, .memory = -1}};
    topology *t = calloc(1, sizeof *t);
    *t = (topology){.hosts = 3, .nodes = 3, .links = 3, .link = calloc(3, sizeof *t->link), .route = long_way};
    t->link[0] = (topology_link){INFINITY, 0, 0, 1, true, false};
    t->link[1] = (topology_link){INFINITY, 0, 1, end, true, false};
    t->link[2] = (topology_link){INFINITY, 0, 0, 2, true, false};
    machine_parts parts = {
        .name = "x", .source = "x.xml", .document = "", .format = "simgrid", .topology = t, .host = hosts};
    inlay_machine *machine = NULL;
    ck_assert_int_eq(machine_assemble(&parts, &machine, NULL), INLAY_OK);
    return machine;
}

START_TEST(what_dot_cannot_say)
{
    text_buffer written = {0};
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = platform(-1);
    ck_assert_int_eq(dot_machine_to(machine, &written, diag), INLAY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "expected --format simgrid, which writes routes"));
    ck_assert_uint_eq(written.size, 0);
    inlay_machine_free(machine);
    inlay_diag_free(diag);
    diag = inlay_diag_new();
    machine = platform(2);
    ck_assert_int_eq(dot_machine_to(machine, &written, diag), INLAY_OK);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_str_eq(inlay_diag_warning(diag, 0), "the routes of x are not in the graph: its readers take the shortest "
                                                  "ones, which are other ones for 1 of 6 pairs of hosts");
    text_clear(&written);
    inlay_machine_free(machine);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_dot_machine(void)
{
    Suite *suite = suite_create("machines in DOT");
    TCase *reading = tcase_create("reading");
    tcase_add_test(reading, nodes_of_a_cluster);
    tcase_add_test(reading, links_of_a_cluster);
    tcase_add_test(reading, links_of_a_digraph);
    tcase_add_test(reading, ticks_and_messages);
    tcase_add_test(reading, links_as_those_of_a_family);
    tcase_add_test(reading, one_host_alone);
    tcase_add_loop_test(reading, refused_with_the_line, 0, (int)(sizeof refused / sizeof *refused));
    suite_add_tcase(suite, reading);
    TCase *writing = tcase_create("writing");
    tcase_add_test(writing, what_is_written_reads_back);
    tcase_add_loop_test(writing, random_machines_read_back, 0, 30);
    tcase_add_test(writing, families_are_written_as_attributes);
    tcase_add_test(writing, what_dot_cannot_say);
    tcase_add_test(writing, main_memory);
    suite_add_tcase(suite, writing);
    return suite;
}

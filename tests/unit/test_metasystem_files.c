/* Metasystem files: read whole, damaged in every way, and every complaint. */
#include "starve.h"
#include "unit.h"

#include "io/dot/metasystem.h"
#include <inlay/inlay.h>
#include <inlay/metasystem.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inlay_metasystem *read_text(const char *text)
{
    inlay_metasystem *m = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = dot_metasystem_from(text, strlen(text), "in.dot", &m, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_msg(inlay_metasystem_check(m, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return m;
}

static void expect_way(const inlay_metasystem *m, int32_t from, int32_t to, double latency, double per_byte,
                       double coercion)
{
    inlay_metasystem_route way = inlay_metasystem_way(m, from, to), back = inlay_metasystem_way(m, to, from);
    ck_assert_int_eq(way.from, from);
    ck_assert_int_eq(way.to, to);
    ck_assert_double_eq_tol(way.latency, latency, 1e-12);
    ck_assert_double_eq_tol(way.per_byte, per_byte, 1e-12);
    ck_assert_double_eq_tol(way.coercion, coercion, 1e-12);
    ck_assert(back.latency == way.latency && back.per_byte == way.per_byte && back.coercion == way.coercion);
}

/* ---- A file read whole ---- */

static const char two_suns[] =
    "graph two_suns {\n"
    "  graph [kind=metasystem, time_unit=us,\n"
    "         router_latency=\"1ms\", router_per_byte=0.6, coercion=\"0.2us/B\"];\n"
    "  sparc2 [processors=6, rate=3.3, interconnect=bus, format=big, color=red,\n"
    "          \"1-D\"=\"c1=0, c2=850, c3=0.2, c4=0.8, f=linear\", ring=\" c1 = -5 ,c2=0.85ms,f=constant \"];\n"
    "  ipc    [processors=6, type=ipc_1, rate=\"1.7e6 / s\", loads=\"0.1 0.2, 1.9 0.1,0.51 0.5\", label=\"IPCs\",\n"
    "          tree=\"f=log\"];\n"
    "  mesh   [processors=32, available=7, interconnect=mesh, extent=\"4x8\", format=big];\n"
    "  cube   [processors=16, interconnect=hypercube, shape=box];\n"
    "  ring   [processors=0, interconnect=ring];\n"
    "  switch [processors=3, interconnect=switch, loads=\"1 2 3\", threshold=2];\n"
    "  sparc2 -- ipc [latency=\"1.2ms\", per_byte=0.7, coercion=0];\n"
    "  mesh -- sparc2 [latency=3];\n"
    "}\n";

static void expect_communication(const inlay_communication *t, double c1, double c2, double c3, double c4,
                                 inlay_growth growth)
{
    ck_assert(t->given);
    ck_assert(t->c1 == c1 && t->c2 == c2 && t->c3 == c3 && t->c4 == c4 && t->growth == growth);
}

static void expect_cluster(const inlay_metasystem_cluster *c, const char *name, int32_t total, int32_t available,
                           inlay_interconnect interconnect)
{
    ck_assert_str_eq(c->name, name);
    ck_assert_int_eq(c->total, total);
    ck_assert_int_eq(c->available, available);
    ck_assert_int_eq((int)c->interconnect, (int)interconnect);
}

START_TEST(everything_is_read)
{
    inlay_metasystem *m = read_text(two_suns);
    ck_assert_str_eq(m->name, "two_suns");
    ck_assert_int_eq(m->time_unit, INLAY_UNIT_US);
    ck_assert(m->router_latency == 1000 && m->router_per_byte == 0.6 && m->coercion == 0.2);
    ck_assert_uint_eq(m->clusters, 6);
    ck_assert_uint_eq(m->networks, 0);
    ck_assert_uint_eq(m->routes, 2);
    const inlay_metasystem_cluster *c = m->cluster;
    expect_cluster(&c[0], "sparc2", 6, 6, INLAY_INTERCONNECT_BUS);
    expect_cluster(&c[1], "ipc", 6, 4, INLAY_INTERCONNECT_BUS);
    expect_cluster(&c[2], "mesh", 32, 7, INLAY_INTERCONNECT_MESH);
    expect_cluster(&c[3], "cube", 16, 16, INLAY_INTERCONNECT_HYPERCUBE);
    expect_cluster(&c[4], "ring", 0, 0, INLAY_INTERCONNECT_RING);
    expect_cluster(&c[5], "switch", 3, 2, INLAY_INTERCONNECT_SWITCH);
    ck_assert(c[0].rate == 3.3 && c[1].rate == 1.7 && c[2].rate == 0);
    ck_assert(c[0].type == NULL && c[0].usable == NULL && c[1].format == NULL);
    ck_assert_str_eq(c[1].type, "ipc_1");
    ck_assert_str_eq(c[0].format, "big");
    ck_assert_int_eq(c[2].rows, 4);
    ck_assert_int_eq(c[2].columns, 8);
    static const bool usable[] = {true, true, false, true, false, true};
    ck_assert_mem_eq(c[1].usable, usable, sizeof usable);
    ck_assert(c[5].usable[0] && c[5].usable[1] && !c[5].usable[2]);
    expect_communication(&c[0].communication[INLAY_PATTERN_LINE], 0, 850, 0.2, 0.8, INLAY_GROWTH_LINEAR);
    expect_communication(&c[0].communication[INLAY_PATTERN_RING], -5, 850, 0, 0, INLAY_GROWTH_CONSTANT);
    expect_communication(&c[1].communication[INLAY_PATTERN_TREE], 0, 0, 0, 0, INLAY_GROWTH_LOG2);
    ck_assert(!c[0].communication[INLAY_PATTERN_TREE].given && !c[1].communication[INLAY_PATTERN_LINE].given);
    expect_way(m, 0, 1, 1200, 0.7, 0);
    expect_way(m, 0, 2, 3, 0, 0);
    expect_way(m, 0, 3, 1000, 0.6, 0.2); /* no format is a format */
    expect_way(m, 3, 4, 1000, 0.6, 0);
    expect_way(m, 2, 2, 0, 0, 0);
    inlay_metasystem_free(m);
}
END_TEST

/* The unit of the file is a second where it says nothing; ticks have no other unit. */
START_TEST(units_are_converted)
{
    inlay_metasystem *m = read_text("graph g { kind=metasystem; router_latency=\"20us\"\n"
                                    "a [processors=1, rate=\"45e3/ms\", tree=\"c2=7e-5, c4=0.3us\"] }");
    ck_assert_int_eq(m->time_unit, INLAY_UNIT_S);
    ck_assert(m->router_latency == 20e-6 && m->cluster[0].rate == 45e6);
    expect_communication(&m->cluster[0].communication[INLAY_PATTERN_TREE], 0, 7e-5, 0, 3e-7, INLAY_GROWTH_LINEAR);
    inlay_metasystem_free(m);
    m = read_text("graph g { kind=metasystem; time_unit=tick; router_latency=\"3 ticks\"\n"
                  "a [processors=1, rate=\"2/tick\"] }");
    ck_assert(m->time_unit == INLAY_UNIT_TICK && m->router_latency == 3 && m->cluster[0].rate == 2);
    inlay_metasystem_free(m);
}
END_TEST

/* ---- Networks ---- */

static const char nested[] =
    "graph campus {\n"
    "  graph [kind=metasystem, time_unit=us, router_latency=1000, router_per_byte=4, label=\"all\", coercion=0.5];\n"
    "  outside [processors=1, format=big];\n"
    "  subgraph cluster_campus {\n"
    "    router_latency=100; graph [router_per_byte=0.1];\n"
    "    subgraph cluster_lab { label=\"the lab\"; { sun, sgi [processors=2]; } }\n"
    "    {\n"
    "      rank=same;\n"
    "      subgraph cluster { router_latency=10; deep [processors=3];\n"
    "        subgraph clusterA { cube [processors=4]; } }\n"
    "    }\n"
    "    direct [processors=5];\n"
    "  }\n"
    "  subgraph cluster_lab { }\n"
    "}\n";

START_TEST(networks_are_subgraphs)
{
    static const char *const names[] = {"campus", "the lab", "cluster", "A", "outside"};
    static const int32_t parents[] = {-1, 0, 0, 2, -1};
    static const double latencies[] = {100, 0, 10, 0, 0}, per_bytes[] = {0.1, 0, 0, 0, 0};
    static const char *const clusters[] = {"outside", "sun", "sgi", "deep", "cube", "direct"};
    static const int32_t network[] = {4, 1, 1, 2, 3, 0};
    char text[sizeof nested];
    strcpy(text, nested);
    *strstr(text, "  subgraph cluster_lab { }") = '\0'; /* the same network at another place is refused */
    strcat(text, "}");
    inlay_metasystem *m = read_text(text);
    ck_assert_uint_eq(m->networks, 5);
    for (size_t i = 0; i < m->networks; i++) {
        ck_assert_str_eq(m->network[i].name, names[i]);
        ck_assert_int_eq(m->network[i].parent, parents[i]);
        ck_assert(m->network[i].router_latency == latencies[i] && m->network[i].router_per_byte == per_bytes[i]);
    }
    ck_assert_uint_eq(m->clusters, 6);
    for (size_t i = 0; i < m->clusters; i++) {
        ck_assert_str_eq(m->cluster[i].name, clusters[i]);
        ck_assert_int_eq(m->cluster[i].network, network[i]);
    }
    expect_way(m, 1, 2, 0, 0, 0);        /* one network */
    expect_way(m, 1, 3, 100, 0.1, 0);    /* two in the campus */
    expect_way(m, 1, 4, 110, 0.1, 0);    /* out of A, through `cluster`, over the campus */
    expect_way(m, 3, 4, 10, 0, 0);       /* A lies in the network of deep */
    expect_way(m, 5, 4, 110, 0.1, 0);    /* out of A and `cluster` into the campus */
    expect_way(m, 0, 5, 1000, 4, 0.5);   /* from the campus itself outside */
    expect_way(m, 0, 4, 1110, 4.1, 0.5); /* and out of all */
    inlay_metasystem_free(m);
}
END_TEST

/* What stands in several places, mentioned in edges, belongs to the innermost network. */
START_TEST(clusters_may_be_mentioned_again)
{
    inlay_metasystem *m = read_text("graph g { kind=metasystem; node [processors=2]; a; b;\n"
                                    "subgraph cluster_x { a -- b [latency=1]; subgraph cluster_y { b } b; c }\n"
                                    "subgraph cluster_x { d; }  a -- c [latency=2] }");
    static const int32_t network[] = {0, 1, 0, 0};
    ck_assert_uint_eq(m->networks, 2);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(m->cluster[i].network, network[i]);
    }
    inlay_metasystem_free(m);
}
END_TEST

/* ---- Files that are none ---- */

#define TIME_EXPECTED "expected a number, 0 or more, alone or with one of s, ms, us, ns, tick"
#define MESH_EXPECTED "expected rows x columns with as many processors as the cluster has, as in extent=\"4x8\""
#define RATE_EXPECTED "expected instructions per time_unit above 0, or with a unit as in 45e6/s"
#define G             "graph g { kind=metasystem\n"

static const struct {
    const char *dot, *message;
} hostile[] = {
    /* the graph */
    {"graph g {\n a [processors=1",
     "in.dot:2: syntax error near the end of the file; expected an attribute's name or ']'"},
    {"\ngraph g { a [processors=1] }", "in.dot:2: the graph has no attribute kind; expected a metasystem, graph "
                                       "[kind=metasystem], such as architectures/suns-metasystem.dot"},
    {"graph g {\n graph [kind=metasytem]; a [processors=1] }",
     "in.dot:2: kind 'metasytem' is unknown; expected metasystem"},
    {"digraph g {\n graph [kind=program] }",
     "in.dot:2: this is a program (kind=program); expected a metasystem, as in 'inlay select PROGRAM MACHINE'"},
    {"graph g {\n network=bus; processors=4 }",
     "in.dot:2: this is a machine (network=bus); expected a metasystem, graph [kind=metasystem]"},
    {"\n\ndigraph g { kind=metasystem; a [processors=1] }",
     "in.dot:3: the graph is directed; expected graph with '--' for a metasystem, whose ways cost the same in both "
     "directions"},
    {"\ngraph g { kind=metasystem }", "in.dot:2: no clusters; expected at least one node"},
    {G "time_unit=h; a [processors=1] }", "in.dot:2: unknown time_unit 'h'; expected s, ms, us, ns or tick"},
    {G "router_latencie=1; a [processors=1] }",
     "in.dot:2: unknown attribute 'router_latencie', perhaps 'router_latency'; expected one of kind, name, time_unit, "
     "router_latency, router_per_byte, coercion, currency"},
    {G "router_latency=-1; a [processors=1] }", "in.dot:2: router_latency '-1' is negative; " TIME_EXPECTED},
    {G "router_latency=nan; a [processors=1] }", "in.dot:2: router_latency 'nan' is not a time; " TIME_EXPECTED},
    {G "router_latency=1e999; a [processors=1] }", "in.dot:2: router_latency '1e999' is not a time; " TIME_EXPECTED},
    {G "router_latency=\"1ms/B\"; a [processors=1] }",
     "in.dot:2: router_latency '1ms/B' is not a time; " TIME_EXPECTED},
    {G "router_per_byte=\"1 tick\"; a [processors=1] }",
     "in.dot:2: router_per_byte '1 tick' is in ticks; expected seconds, or graph [time_unit=tick]"},
    {G "time_unit=tick;\n coercion=\"1us\"; a [processors=1] }",
     "in.dot:3: coercion '1us' is in seconds; expected ticks, the graph's time_unit"},
    /* processors */
    {G "a [rate=1] }", "in.dot:2: unknown cluster 'a': no statement gives it processors; expected processors=NUMBER"},
    {G "a [processors=1]\n a -- b [latency=1] }",
     "in.dot:3: unknown cluster 'b': no statement gives it processors; expected processors=NUMBER"},
    {G "a [procesors=1] }",
     "in.dot:2: unknown attribute 'procesors', perhaps 'processors'; expected one of processors, available, loads, "
     "threshold, rate, type, interconnect, extent, format, price, power, 1-D, ring, tree"},
    {G "a [processors=-1] }",
     "in.dot:2: processors '-1' of cluster 'a' cannot be read; expected a whole number from 0 to 16777216"},
    {G "a [processors=1.5] }",
     "in.dot:2: processors '1.5' of cluster 'a' cannot be read; expected a whole number from 0 to 16777216"},
    {G "a [processors=16777217] }",
     "in.dot:2: processors '16777217' of cluster 'a' cannot be read; expected a whole number from 0 to 16777216"},
    {G "a [processors=4,\n available=5] }",
     "in.dot:3: available '5' of cluster 'a' cannot be; expected a whole number from 0 to 4, the cluster's processors"},
    {G "a [processors=2, available=1, loads=\"0 1\"] }",
     "in.dot:2: available '1' of cluster 'a' stands beside loads; expected one of the two"},
    {G "a [processors=2, threshold=1] }",
     "in.dot:2: threshold '1' of cluster 'a' stands without loads; expected loads, which are held against it"},
    {G "a [processors=2, loads=\"0 1\", threshold=high] }",
     "in.dot:2: threshold 'high' of cluster 'a' cannot be read; expected a load, 0 or more"},
    {G "a [processors=2, loads=\"0 1 2\"] }",
     "in.dot:2: loads '0 1 2' of cluster 'a' has 3 numbers; expected 2, one a processor"},
    {G "a [processors=2, loads=\"0\"] }",
     "in.dot:2: loads '0' of cluster 'a' has 1 numbers; expected 2, one a processor"},
    {G "a [processors=2, loads=\"0 -1\"] }",
     "in.dot:2: loads '0 -1' of cluster 'a' cannot be read; expected numbers, 0 or more, one a processor"},
    {G "a [processors=2, loads=\"0;1\"] }",
     "in.dot:2: loads '0;1' of cluster 'a' cannot be read; expected numbers, 0 or more, one a processor"},
    /* rate */
    {G "a [processors=2, rate=0] }", "in.dot:2: rate '0' of cluster 'a' cannot be read; " RATE_EXPECTED},
    {G "a [processors=2, rate=-3] }", "in.dot:2: rate '-3' of cluster 'a' cannot be read; " RATE_EXPECTED},
    {G "a [processors=2, rate=\"3/\"] }", "in.dot:2: rate '3/' of cluster 'a' cannot be read; " RATE_EXPECTED},
    {G "a [processors=2, rate=\"3/h\"] }", "in.dot:2: rate '3/h' of cluster 'a' cannot be read; " RATE_EXPECTED},
    {G "a [processors=2, rate=\"3/2s\"] }", "in.dot:2: rate '3/2s' of cluster 'a' cannot be read; " RATE_EXPECTED},
    {G "a [processors=2, rate=\"3/e6\"] }", "in.dot:2: rate '3/e6' of cluster 'a' cannot be read; " RATE_EXPECTED},
    {G "a [processors=2, rate=\"45 mflops\"] }",
     "in.dot:2: rate '45 mflops' of cluster 'a' cannot be read; " RATE_EXPECTED},
    {G "a [processors=2, rate=\"1e308/ns\"] }",
     "in.dot:2: rate '1e308/ns' of cluster 'a' cannot be read; " RATE_EXPECTED},
    {G "a [processors=2, rate=\"3/tick\"] }",
     "in.dot:2: rate '3/tick' of cluster 'a' is in ticks; expected seconds, or graph [time_unit=tick]"},
    /* interconnect */
    {G "a [processors=2, interconnect=torus] }",
     "in.dot:2: interconnect 'torus' of cluster 'a' is unknown; expected bus, switch, ring, mesh or hypercube"},
    {G "a [processors=2, interconnect=mesh] }",
     "in.dot:2: interconnect 'mesh' of cluster 'a' has no extent; " MESH_EXPECTED},
    {G "a [processors=2, interconnect=mesh, extent=box] }",
     "in.dot:2: extent 'box' of cluster 'a' cannot be read; " MESH_EXPECTED},
    {G "a [processors=0, interconnect=mesh, extent=\"0x3\"] }",
     "in.dot:2: extent '0x3' of cluster 'a' cannot be read; " MESH_EXPECTED},
    {G "a [processors=8, interconnect=mesh,\n extent=\"2x2x2\"] }",
     "in.dot:3: extent '2x2x2' of cluster 'a' cannot be read; " MESH_EXPECTED},
    {G "a [processors=8, interconnect=mesh, extent=\"3x3\"] }",
     "in.dot:2: extent '3x3' of cluster 'a' has 9 processors where the cluster has 8; " MESH_EXPECTED},
    {G "a [processors=8, extent=\"2x4\"] }",
     "in.dot:2: extent '2x4' of cluster 'a' belongs to a mesh; expected interconnect=mesh, or no extent"},
    {G "a [processors=6, interconnect=hypercube] }",
     "in.dot:2: interconnect 'hypercube' of cluster 'a' has 6 processors; expected a power of 2"},
    /* communication */
    {G "a [processors=2, tree=linear] }", "in.dot:2: tree 'linear' of cluster 'a' has 'linear', which is no "
                                          "coefficient; expected NAME=VALUE between commas"},
    {G "a [processors=2, tree=\"c1=1,,c2=2\"] }",
     "in.dot:2: tree 'c1=1,,c2=2' of cluster 'a' has '', which is no coefficient; expected NAME=VALUE between commas"},
    {G "a [processors=2, \"1-D\"=\"c5=1\"] }",
     "in.dot:2: 1-D 'c5=1' of cluster 'a' has 'c5=1', which is unknown; expected c1, c2, c3, c4 and f, as in \"c1=0, "
     "c2=850, c4=0.8, f=linear\""},
    {G "a [processors=2, ring=\"c1=1, c1=2\"] }",
     "in.dot:2: ring 'c1=1, c1=2' of cluster 'a' has 'c1=2', which is given twice; expected each once"},
    {G "a [processors=2, ring=\"c1=1, f=square\"] }",
     "in.dot:2: ring 'c1=1, f=square' of cluster 'a' has 'f=square', which is unknown; expected f=linear, f=log or "
     "f=constant"},
    {G "a [processors=2, ring=\"c1=x\"] }",
     "in.dot:2: ring 'c1=x' of cluster 'a' has 'c1=x', which is not a time; " TIME_EXPECTED},
    {G "a [processors=2, ring=\"c3=1 tick\"] }",
     "in.dot:2: ring 'c3=1 tick' of cluster 'a' has 'c3=1 tick', which is in ticks; expected seconds, or graph "
     "[time_unit=tick]"},
    /* ways */
    {G "a [processors=2]\n a -- a [latency=1] }",
     "in.dot:3: the way 'a' -- 'a' leads from a cluster to itself; expected two different clusters"},
    {G "a, b [processors=2]\n a -- b }",
     "in.dot:3: the way 'a' -- 'b' says no cost; expected latency, per_byte or coercion, 0 where it is free"},
    {G "a, b [processors=2]\n a -- b [latency=1]\n b -- a [latency=1] }",
     "in.dot:4: the way 'b' -- 'a' is given twice; expected one edge between two clusters"},
    {G "a, b [processors=2]\n a -- b [latency=-1] }",
     "in.dot:3: latency '-1' of the way 'a' -- 'b' is negative; " TIME_EXPECTED},
    {G "a, b [processors=2]\n a -- b [coercion=much] }",
     "in.dot:3: coercion 'much' of the way 'a' -- 'b' is not a time; " TIME_EXPECTED},
    {G "a, b [processors=2]\n a -- b [bytes=1] }",
     "in.dot:3: unknown attribute 'bytes'; expected one of latency, per_byte, coercion"},
    /* networks */
    {G "subgraph cluster_x { a [processors=2] }\n subgraph cluster_y {\n a } }",
     "in.dot:4: cluster 'a' lies in the networks 'x' and 'y'; expected one"},
    {G "subgraph cluster_x { a [processors=2] }\n subgraph cluster_y {\n subgraph cluster_x { } } }",
     "in.dot:4: the network 'cluster_x' lies in two networks (it is also on line 2); expected one place, or another "
     "name"},
    {G "subgraph cluster_x { a [processors=2] }\n subgraph clusterx { } }",
     "in.dot:3: two networks are called 'x' (the other on line 2); expected different names of subgraphs, or labels"},
    {G "subgraph cluster_x { a [processors=2] }\n x [processors=1] }",
     "in.dot:3: two networks are called 'x' (the other on line 2); expected different names of subgraphs, or labels"},
    {G "subgraph cluster_x { a [processors=2];\n router_latency=-1 } }",
     "in.dot:3: router_latency '-1' of a subgraph is negative; " TIME_EXPECTED},
    {G "subgraph x { a [processors=2];\n router_latency=1 } }",
     "in.dot:3: router_latency '1' of a subgraph that is no network; expected a name that begins with cluster"},
    {G "subgraph cluster_x { a [processors=2];\n graph [coercion=1] } }",
     "in.dot:3: coercion '1' of a subgraph belongs to the whole metasystem; expected it in the graph itself"},
};

static void expect_refused(const char *dot, const char *message)
{
    inlay_metasystem *m = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(dot_metasystem_from(dot, strlen(dot), "in.dot", &m, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    ck_assert_ptr_null(m);
    inlay_diag_free(diag);
}

START_TEST(bad_input_has_its_message)
{
    expect_refused(hostile[_i].dot, hostile[_i].message);
}
END_TEST

START_TEST(a_network_has_one_place)
{
    expect_refused(nested, "in.dot:14: the network 'cluster_lab' lies in two networks (it is also on line 6); expected "
                           "one place, or another name");
}
END_TEST

static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(*state >> 33) % below;
}

/* Every file cut off anywhere, and with a byte changed: it is read or refused in one line, and nothing leaks. */
START_TEST(damaged_files_do_no_harm)
{
    static const char *const texts[] = {two_suns, nested};
    static char text[sizeof two_suns + sizeof nested];
    uint64_t state = 5;
    for (int i = 0; i < 4000; i++) {
        const char *of = texts[i % 2];
        size_t size = strlen(of);
        memcpy(text, of, size);
        for (unsigned changes = draw(&state, 3); changes > 0; changes--) {
            text[draw(&state, (unsigned)size)] = " \"{}[]=;,-0x\\/*1a"[draw(&state, 17)];
        }
        size = draw(&state, 3) == 0 ? draw(&state, (unsigned)size + 1) : size;
        inlay_metasystem *m = NULL;
        inlay_diag *diag = inlay_diag_new();
        int status = dot_metasystem_from(text, size, "in.dot", &m, diag);
        ck_assert(status == INLAY_OK ? inlay_metasystem_check(m, diag) == INLAY_OK : status == INLAY_BAD_INPUT);
        ck_assert(status == INLAY_OK || strncmp(inlay_diag_message(diag), "in.dot:", 7) == 0);
        inlay_metasystem_free(m);
        inlay_diag_free(diag);
    }
}
END_TEST

/* ---- Files ---- */

static const char *const examples[] = {"suns", "figure13", "gamma", "campus"};

START_TEST(examples_are_read)
{
    char path[64];
    (void)snprintf(path, sizeof path, "architectures/%s-metasystem.dot", examples[_i]);
    inlay_metasystem *m = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_msg(inlay_metasystem_read(path, &m, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_int_eq(inlay_metasystem_check(m, diag), INLAY_OK);
    ck_assert_str_eq(m->name, examples[_i]);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 0);
    /* a metasystem is a machine and no application */
    char wanted[200];
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_app_read(path, NULL, &app, diag), INLAY_BAD_INPUT);
    const char *line = strchr(inlay_diag_message(diag), ':') + 1;
    (void)snprintf(wanted, sizeof wanted,
                   " this is a metasystem (kind=metasystem), which 'inlay select PROGRAM %s' takes; expected an "
                   "application",
                   path);
    ck_assert_str_eq(strchr(line, ':') + 1, wanted);
    inlay_diag_free(diag);
    diag = inlay_diag_new();
    ck_assert_msg(inlay_machine_read(path, &machine, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_str_eq(inlay_machine_format(machine), "metasystem");
    inlay_machine_free(machine);
    inlay_diag_free(diag);
    inlay_metasystem_free(m);
}
END_TEST

START_TEST(standard_input_is_read)
{
    FILE *file = tmpfile();
    ck_assert_uint_eq(fwrite(two_suns, 1, strlen(two_suns), file), strlen(two_suns));
    rewind(file);
    ck_assert_int_eq(dup2(fileno(file), STDIN_FILENO), STDIN_FILENO);
    inlay_metasystem *m = NULL;
    ck_assert_int_eq(inlay_metasystem_read("-", &m, NULL), INLAY_OK);
    ck_assert_uint_eq(m->clusters, 6);
    inlay_metasystem_free(m);
    (void)fclose(file);
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_metasystem_read("no/such.dot", &m, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag),
                     "no/such.dot: No such file or directory; expected a machine: a file, a string such as bus:16, or "
                     "speeds such as 6,4,4");
    inlay_diag_free(diag);
    inlay_metasystem_free(NULL);
}
END_TEST

/* ---- Memory ---- */

static int try_read(const void *subject)
{
    inlay_metasystem *m = NULL;
    int status = dot_metasystem_from(subject, strlen(subject), "in.dot", &m, NULL);
    bool sound_end = (status == INLAY_OK) == (m != NULL);
    inlay_metasystem_free(m);
    return sound_end ? status : INLAY_SYSTEM;
}

START_TEST(reading_survives)
{
    char text[sizeof nested];
    strcpy(text, nested);
    *strstr(text, "  subgraph cluster_lab { }") = '\0';
    strcat(text, "}");
    starve(try_read, two_suns, 20);
    starve(try_read, text, 20);
}
END_TEST

#define TABLE(test, rows) tcase_add_loop_test(all, test, 0, sizeof(rows) / sizeof *(rows))

Suite *suite_metasystem_files(void)
{
    Suite *suite = suite_create("metasystem_files");
    TCase *all = tcase_create("metasystem_files");
    tcase_add_test(all, everything_is_read);
    tcase_add_test(all, units_are_converted);
    tcase_add_test(all, networks_are_subgraphs);
    tcase_add_test(all, clusters_may_be_mentioned_again);
    TABLE(bad_input_has_its_message, hostile);
    tcase_add_test(all, a_network_has_one_place);
    tcase_add_test(all, damaged_files_do_no_harm);
    TABLE(examples_are_read, examples);
    tcase_add_test(all, standard_input_is_read);
    tcase_add_test(all, reading_survives);
    suite_add_tcase(suite, all);
    return suite;
}

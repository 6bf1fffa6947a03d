/* Metasystems: the cost of ways against a slow search, and what cannot be. */
#include "starve.h"
#include "base/plain.h"
#include "unit.h"

#include "io/dot/metasystem.h"
#include <inlay/inlay.h>
#include <inlay/metasystem.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- Ways against a slow search ---- */

enum { TREES = 300, NETWORKS = 12, CLUSTERS = 10 };

static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(*state >> 33) % below;
}

typedef struct tree {
    inlay_metasystem_network network[NETWORKS];
    inlay_metasystem_cluster cluster[CLUSTERS];
    inlay_metasystem_route route[CLUSTERS];
    inlay_metasystem metasystem;
} tree;

static const char letters[][2] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};

static void draw_tree(uint64_t *state, tree *t)
{
    static const char *const formats[] = {NULL, "big", "small"};
    *t = (tree){0};
    inlay_metasystem *m = &t->metasystem;
    *m = (inlay_metasystem){.networks = 1 + draw(state, NETWORKS),
                            .network = t->network,
                            .clusters = 2 + draw(state, CLUSTERS - 1),
                            .cluster = t->cluster,
                            .routes = draw(state, 2),
                            .route = t->route,
                            .router_latency = draw(state, 1000),
                            .router_per_byte = draw(state, 100) / 8.0,
                            .coercion = 1 + draw(state, 10)};
    for (size_t i = 0; i < m->networks; i++) {
        t->network[i] = (inlay_metasystem_network){.name = letters[i],
                                                   .parent = (int32_t)draw(state, (unsigned)i + 1) - 1,
                                                   .router_latency = draw(state, 1000),
                                                   .router_per_byte = draw(state, 100) / 8.0};
    }
    for (size_t i = 0; i < m->clusters; i++) {
        t->cluster[i] = (inlay_metasystem_cluster){.name = letters[i],
                                                   .total = 1,
                                                   .available = 1,
                                                   .format = formats[draw(state, 3)],
                                                   .network = (int32_t)draw(state, (unsigned)m->networks)};
    }
    t->route[0] = (inlay_metasystem_route){.from = 1, .to = 0, .latency = 5, .per_byte = 6, .coercion = 7};
}

static int32_t depth_of(const tree *t, int32_t network)
{
    return network < 0 ? 0 : 1 + depth_of(t, t->network[network].parent);
}

/*
 * Walks over the tree of networks, whose root -1 is the metasystem, from `at` to `to` by depth-first search without a
 * look at numbers. A path pays the routers of all that it goes through but its two ends; the one nearest to the root
 * is always paid.
 */
static bool walk(const tree *t, int32_t at, int32_t from, int32_t *path, size_t *length, int32_t to)
{
    path[(*length)++] = at;
    if (at == to) {
        return true;
    }
    for (int32_t next = -1; next < (int32_t)t->metasystem.networks; next++) {
        bool joined = (at >= 0 && t->network[at].parent == next) || (next >= 0 && t->network[next].parent == at);
        if (joined && next != from && walk(t, next, at, path, length, to)) {
            return true;
        }
    }
    --*length;
    return false;
}

static inlay_metasystem_route slow_way(const tree *t, int32_t from, int32_t to)
{
    const inlay_metasystem *m = &t->metasystem;
    const inlay_metasystem_cluster *a = &m->cluster[from], *b = &m->cluster[to];
    inlay_metasystem_route way = {.from = from, .to = to};
    if (m->routes > 0 && ((from == 0 && to == 1) || (from == 1 && to == 0))) {
        return (inlay_metasystem_route){from, to, 5, 6, 7};
    }
    if (from == to) {
        return way;
    }
    int32_t path[NETWORKS + 1];
    size_t length = 0, top = 0;
    ck_assert(walk(t, a->network, -2, path, &length, b->network));
    for (size_t i = 1; i < length; i++) {
        top = depth_of(t, path[i]) < depth_of(t, path[top]) ? i : top;
    }
    for (size_t i = 0; i < length && length > 1; i++) {
        if ((i > 0 && i + 1 < length) || i == top) {
            way.latency += path[i] < 0 ? m->router_latency : m->network[path[i]].router_latency;
            way.per_byte += path[i] < 0 ? m->router_per_byte : m->network[path[i]].router_per_byte;
        }
    }
    bool alike =
        a->format == b->format || (a->format != NULL && b->format != NULL && strcmp(a->format, b->format) == 0);
    way.coercion = alike ? 0 : m->coercion;
    return way;
}

START_TEST(ways_are_those_of_a_slow_search)
{
    static tree t;
    uint64_t state = 11;
    int paid = 0;
    for (int i = 0; i < TREES; i++) {
        draw_tree(&state, &t);
        ck_assert_int_eq(inlay_metasystem_check(&t.metasystem, NULL), INLAY_OK);
        for (int32_t a = 0; a < (int32_t)t.metasystem.clusters; a++) {
            for (int32_t b = 0; b < (int32_t)t.metasystem.clusters; b++) {
                inlay_metasystem_route way = slow_way(&t, a, b);
                expect_way(&t.metasystem, a, b, way.latency, way.per_byte, way.coercion);
                paid += way.latency > 1000; /* several routers */
            }
        }
    }
    ck_assert_int_gt(paid, 100);
}
END_TEST

/* The clusters and networks of a drawn tree as text, networks within their parents. */
static size_t write_network(const tree *t, int32_t network, char *text, size_t room)
{
    const inlay_metasystem *m = &t->metasystem;
    size_t size = 0;
    for (size_t i = 0; i < m->clusters; i++) {
        if (m->cluster[i].network == network) {
            size += (size_t)snprintf(text + size, room - size, "%s [processors=1];\n", m->cluster[i].name);
        }
    }
    for (int32_t i = network + 1; i < (int32_t)m->networks; i++) {
        if (t->network[i].parent == network) {
            size += (size_t)plain_print(
                text + size, room - size, "subgraph cluster_%s { router_latency=%g; graph [router_per_byte=%g];\n",
                m->network[i].name, m->network[i].router_latency, m->network[i].router_per_byte);
            size += write_network(t, i, text + size, room - size);
            size += (size_t)snprintf(text + size, room - size, "}\n");
        }
    }
    return size;
}

static int32_t cluster_named(const inlay_metasystem *m, const char *name)
{
    int32_t i = 0;
    while (strcmp(m->cluster[i].name, name) != 0) {
        i++;
    }
    return i;
}

START_TEST(ways_of_files_are_those_of_a_slow_search)
{
    static tree t;
    static char text[20000];
    uint64_t state = 23;
    for (int i = 0; i < TREES; i++) {
        draw_tree(&state, &t);
        t.metasystem.routes = 0;
        size_t size = (size_t)plain_print(text, sizeof text,
                                          "graph g { graph [kind=metasystem, router_latency=%g, "
                                          "router_per_byte=%g];\n",
                                          t.metasystem.router_latency, t.metasystem.router_per_byte);
        size += write_network(&t, -1, text + size, sizeof text - size);
        (void)snprintf(text + size, sizeof text - size, "}\n");
        inlay_metasystem *m = read_text(text);
        ck_assert_uint_eq(m->clusters, t.metasystem.clusters);
        for (int32_t a = 0; a < (int32_t)m->clusters; a++) {
            for (int32_t b = 0; b < (int32_t)m->clusters; b++) {
                inlay_metasystem_route way = slow_way(&t, a, b);
                expect_way(m, cluster_named(m, t.cluster[a].name), cluster_named(m, t.cluster[b].name), way.latency,
                           way.per_byte, 0);
            }
        }
        inlay_metasystem_free(m);
    }
}
END_TEST

/* ---- What cannot be ---- */

typedef struct made {
    inlay_metasystem m;
    inlay_metasystem_cluster cluster[2];
    inlay_metasystem_network network[2];
    inlay_metasystem_route route[2];
    bool usable[4];
} made;

static void sound(made *of)
{
    *of = (made){.cluster = {{.name = "a", .total = 4, .available = 4}, {.name = "b", .total = 4, .available = 2}},
                 .network = {{.name = "x", .parent = -1}, {.name = "y", .parent = 0}},
                 .route = {{.from = 0, .to = 1}, {.from = 1, .to = 0}},
                 .usable = {true, false, true, false}};
    of->m = (inlay_metasystem){
        .clusters = 2, .cluster = of->cluster, .networks = 2, .network = of->network, .routes = 1, .route = of->route};
}

#define DAMAGES(D)                                                                                                     \
    D(of->m.clusters = 0, "the metasystem has no clusters; expected 1 or more")                                        \
    D(of->m.cluster = NULL, "the metasystem has no clusters; expected 1 or more")                                      \
    D(of->m.time_unit = (inlay_unit)9, "the metasystem has time unit 9; expected 0 to 5")                              \
    D(of->m.network = NULL, "2 networks and 1 routes, but nothing that they are; expected an array of each")           \
    D(of->m.route = NULL, "2 networks and 1 routes, but nothing that they are; expected an array of each")             \
    D(of->m.router_latency = -1, "the router between networks has a latency of -1, 0 per byte and a coercion of 0; "   \
                                 "expected numbers that are not "                                                      \
                                 "below 0")                                                                            \
    D(of->m.router_per_byte = INFINITY,                                                                                \
      "the router between networks has a latency of 0, inf per byte and a coercion of 0; expected numbers that are "   \
      "not below 0")                                                                                                   \
    D(of->m.coercion = -2, "the router between networks has a latency of 0, 0 per byte and a coercion of -2; "         \
                           "expected numbers that are not "                                                            \
                           "below 0")                                                                                  \
    D(of->cluster[1].name = NULL, "cluster 1 has no name; expected one")                                               \
    D(of->cluster[1].name = "", "cluster 1 has no name; expected one")                                                 \
    D(of->cluster[1].name = "a", "clusters 0 and 1 are both called 'a'; expected different names")                     \
    D(of->cluster[0].total = -1, "cluster 'a' has -1 processors; expected 0 or more")                                  \
    D(of->cluster[0].available = 5, "cluster 'a' has 5 available processors; expected 0 to 4")                         \
    D(of->cluster[0].available = -1, "cluster 'a' has -1 available processors; expected 0 to 4")                       \
    D(of->cluster[0].usable = of->usable,                                                                              \
      "cluster 'a' has 2 processors marked as usable; expected 4, as many as are available")                           \
    D(of->cluster[0].rate = -1, "cluster 'a' has rate -1; expected a number that is not below 0")                      \
    D(of->cluster[0].network = 2, "cluster 'a' is in network 2; expected 0 to 1")                                      \
    D(of->cluster[0].network = -1, "cluster 'a' is in network -1; expected 0 to 1")                                    \
    D(of->cluster[0].interconnect = (inlay_interconnect)5, "cluster 'a' has interconnect 5; expected 0 to 4")          \
    D(of->cluster[0].interconnect = INLAY_INTERCONNECT_MESH,                                                           \
      "cluster 'a' is a mesh of 0 x 0 for 4 processors; expected 4")                                                   \
    D((of->cluster[0].interconnect = INLAY_INTERCONNECT_HYPERCUBE, of->cluster[0].total = 6),                          \
      "cluster 'a' is a hypercube of 6 processors; expected a power of 2")                                             \
    D(of->cluster[1].communication[2] = ((inlay_communication){.given = true, .c2 = NAN}),                             \
      "cluster 'b' has c1 to c4 of 0, nan, 0, 0 for the pattern tree; expected finite numbers")                        \
    D(of->cluster[1].communication[0] = ((inlay_communication){.given = true, .growth = (inlay_growth)3}),             \
      "cluster 'b' has growth 3 for the pattern 1-D; expected 0 to 2")                                                 \
    D(of->network[1].name = NULL, "network 1 has no name; expected one")                                               \
    D(of->network[1].name = "x", "networks 0 and 1 are both called 'x'; expected different names")                     \
    D(of->network[1].parent = 1, "network 'y' lies in network 1; expected a number below its own, 1, or -1")           \
    D(of->network[0].parent = -2, "network 'x' lies in network -2; expected a number below its own, 0, or -1")         \
    D(of->network[1].router_per_byte = -1,                                                                             \
      "the router of network y has a latency of 0, -1 per byte and a coercion of 0; expected numbers that are not "    \
      "below 0")                                                                                                       \
    D(of->route[0].to = 2, "route 0 is from cluster 0 to 2; expected two different clusters from 0 to 1")              \
    D(of->route[0].from = -1, "route 0 is from cluster -1 to 1; expected two different clusters from 0 to 1")          \
    D(of->route[0].from = 1, "route 0 is from cluster 1 to 1; expected two different clusters from 0 to 1")            \
    D(of->route[0].coercion = NAN,                                                                                     \
      "the route to b has a latency of 0, 0 per byte and a coercion of nan; expected numbers that are not below 0")    \
    D(of->m.routes = 2, "two routes join the clusters 'a' and 'b'; expected one")

#define COUNT_DAMAGE(change, message) +1
enum { ALL_DAMAGES = 0 DAMAGES(COUNT_DAMAGE) };

/* Does damage number `which`; the message that names it. */
static const char *damage(made *of, int which)
{
    int i = 0;
#define DO_DAMAGE(change, message)                                                                                     \
    if (i++ == which) {                                                                                                \
        (void)(change);                                                                                                \
        return message;                                                                                                \
    }
    DAMAGES(DO_DAMAGE)
    return "";
}

START_TEST(what_cannot_be_is_refused)
{
    made of;
    sound(&of);
    ck_assert_int_eq(inlay_metasystem_check(&of.m, NULL), INLAY_OK);
    inlay_diag *diag = inlay_diag_new();
    const char *message = damage(&of, _i);
    ck_assert_int_eq(inlay_metasystem_check(&of.m, diag), INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(words_have_names)
{
    ck_assert_str_eq(inlay_pattern_name(INLAY_PATTERN_LINE), "1-D");
    ck_assert_str_eq(inlay_pattern_name(INLAY_PATTERN_RING), "ring");
    ck_assert_str_eq(inlay_pattern_name(INLAY_PATTERN_TREE), "tree");
    ck_assert_str_eq(inlay_growth_name(INLAY_GROWTH_LINEAR), "linear");
    ck_assert_str_eq(inlay_growth_name(INLAY_GROWTH_LOG2), "log");
    ck_assert_str_eq(inlay_growth_name(INLAY_GROWTH_CONSTANT), "constant");
    ck_assert_str_eq(inlay_interconnect_name(INLAY_INTERCONNECT_BUS), "bus");
    ck_assert_str_eq(inlay_interconnect_name(INLAY_INTERCONNECT_SWITCH), "switch");
    ck_assert_str_eq(inlay_interconnect_name(INLAY_INTERCONNECT_RING), "ring");
    ck_assert_str_eq(inlay_interconnect_name(INLAY_INTERCONNECT_MESH), "mesh");
    ck_assert_str_eq(inlay_interconnect_name(INLAY_INTERCONNECT_HYPERCUBE), "hypercube");
    ck_assert_ptr_null(inlay_pattern_name((inlay_pattern)INLAY_ALL_PATTERNS));
    ck_assert_ptr_null(inlay_growth_name((inlay_growth)-1));
    ck_assert_ptr_null(inlay_interconnect_name((inlay_interconnect)5));
}
END_TEST

static int try_check(const void *subject)
{
    return inlay_metasystem_check(subject, NULL);
}

START_TEST(checking_survives)
{
    made of;
    sound(&of);
    starve(try_check, &of.m, 3);
}
END_TEST

Suite *suite_metasystem(void)
{
    Suite *suite = suite_create("metasystem");
    TCase *all = tcase_create("metasystem");
    tcase_add_test(all, ways_are_those_of_a_slow_search);
    tcase_add_test(all, ways_of_files_are_those_of_a_slow_search);
    tcase_add_loop_test(all, what_cannot_be_is_refused, 0, ALL_DAMAGES);
    tcase_add_test(all, words_have_names);
    tcase_add_test(all, checking_survives);
    suite_add_tcase(suite, all);
    return suite;
}

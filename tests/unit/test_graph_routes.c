// SPDX-License-Identifier: GPL-3.0-or-later
/* Routes through random networks against Floyd's algorithm, and the rules by which one of several is taken. */
#include "machine/graph_routes.h"
#include "unit.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 24, MOST_LINKS = 160 };

typedef struct network {
    topology t;
    topology_link link[MOST_LINKS];
    double weight[MOST_LINKS];
    bool weighted;
    double apart[MOST_NODES][MOST_NODES]; /* Floyd's distances */
} network;

static uint64_t state;

static int draw(int below)
{
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (int)((state >> 33) % (uint64_t)below);
}

static void add(network *n, inlay_id from, inlay_id to, bool shared)
{
    static const double weights[] = {1, 0.1, 0.2, 0.3, 2.5, 1e6};
    n->weight[n->t.links] = n->weighted ? weights[draw(6)] : 1;
    n->link[n->t.links++] = (topology_link){.capacity = INFINITY, .from = from, .to = to, .shared = shared};
}

/* A way round all nodes, so that all are reached, and links anywhere: one way, shared, several side by side. */
static void build(network *n, unsigned seed)
{
    memset(n, 0, sizeof *n);
    state = seed;
    n->weighted = seed % 2 == 1;
    n->t.nodes = 2 + draw(MOST_NODES - 1);
    n->t.hosts = 1 + draw(n->t.nodes);
    n->t.link = n->link;
    for (inlay_id node = 0; node < n->t.nodes; node++) {
        add(n, node, (node + 1) % n->t.nodes, draw(2) == 0 && n->t.nodes > 2);
    }
    for (int more = draw(MOST_LINKS - MOST_NODES); more > 0; more--) {
        inlay_id from = draw(n->t.nodes), to = draw(n->t.nodes);
        if (from != to) {
            add(n, from, to, draw(3) == 0);
        }
    }
}

static void floyd(network *n)
{
    for (int a = 0; a < n->t.nodes; a++) {
        for (int b = 0; b < n->t.nodes; b++) {
            n->apart[a][b] = a == b ? 0 : INFINITY;
        }
    }
    for (inlay_id l = 0; l < n->t.links; l++) {
        const topology_link *link = &n->link[l];
        n->apart[link->from][link->to] = fmin(n->apart[link->from][link->to], n->weight[l]);
        if (link->shared) {
            n->apart[link->to][link->from] = fmin(n->apart[link->to][link->from], n->weight[l]);
        }
    }
    for (int k = 0; k < n->t.nodes; k++) {
        for (int a = 0; a < n->t.nodes; a++) {
            for (int b = 0; b < n->t.nodes; b++) {
                n->apart[a][b] = fmin(n->apart[a][b], n->apart[a][k] + n->apart[k][b]);
            }
        }
    }
}

static bool leads(const topology_link *link, inlay_id from, inlay_id to)
{
    return (link->from == from && link->to == to) || (link->shared && link->from == to && link->to == from);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/* The lowest node before `to` on a shortest way from host `from`, and of the links from there number `from` of all. */
static inlay_id expected_link(const network *n, inlay_id from, inlay_id to)
{
    for (inlay_id before = 0; before < n->t.nodes; before++) {
        inlay_id fitting[MOST_LINKS];
        int count = 0;
        for (inlay_id l = 0; l < n->t.links; l++) {
            if (leads(&n->link[l], before, to) && near(n->apart[from][before] + n->weight[l], n->apart[from][to])) {
                fitting[count++] = l;
            }
        }
        if (count > 0) {
            return fitting[from % count];
        }
    }
    return -1;
}

static void check_route(const network *n, inlay_id from, inlay_id to)
{
    route_list route = {0};
    ck_assert(n->t.route(&n->t, from, to, &route));
    ck_assert_int_eq(n->t.distance(&n->t, from, to), (int)route.count);
    inlay_id at = to;
    double length = 0;
    for (size_t i = route.count; i-- > 0;) {
        ck_assert_int_eq(route.link[i], expected_link(n, from, at));
        const topology_link *link = &n->link[route.link[i]];
        at = link->to == at ? link->from : link->to;
        length += n->weight[route.link[i]];
    }
    ck_assert_int_eq(at, from);
    ck_assert(near(length, n->apart[from][to]));
    route_clear(&route);
}

START_TEST(routes_are_the_shortest)
{
    static network n;
    build(&n, (unsigned)_i);
    floyd(&n);
    ck_assert_int_eq(graph_routes_make(&n.t, n.weighted ? n.weight : NULL, "n", NULL), INLAY_OK);
    ck_assert(graph_routes_are(&n.t));
    for (inlay_id from = 0; from < n.t.hosts; from++) {
        for (inlay_id to = 0; to < n.t.hosts; to++) {
            if (from != to) {
                check_route(&n, from, to);
            }
        }
    }
    for (inlay_id l = 0; l < n.t.links; l++) {
        ck_assert(near(graph_routes_weight(&n.t, l), n.weight[l]));
    }
    n.t.free_own(n.t.own);
}
END_TEST

/* A route goes behind what the list holds already. */
START_TEST(routes_are_appended)
{
    topology_link link[2] = {{.from = 0, .to = 1, .shared = true}, {.from = 1, .to = 2, .shared = true}};
    topology t = {.hosts = 3, .nodes = 3, .links = 2, .link = link};
    route_list route = {0};
    ck_assert_int_eq(graph_routes_make(&t, NULL, "n", NULL), INLAY_OK);
    ck_assert(t.route(&t, 2, 1, &route) && t.route(&t, 0, 2, &route));
    ck_assert_uint_eq(route.count, 3);
    ck_assert(route.link[0] == 1 && route.link[1] == 0 && route.link[2] == 1);
    route_clear(&route);
    t.free_own(t.own);
}
END_TEST

START_TEST(hosts_apart_are_refused)
{
    topology_link link[] = {{.from = 0, .to = 1}};
    char *names[] = {"one", "two"};
    topology t = {.hosts = 2, .nodes = 2, .links = 1, .link = link, .node_name = names};
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(graph_routes_make(&t, NULL, "n.dot", diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag),
                     "n.dot: no links lead from 'two' to 'one'; expected a way from every host to every other");
    ck_assert_ptr_null(t.own);
    inlay_diag_free(diag);
}
END_TEST

/* Nothing is allocated for a table that is too large: the links are not even looked at. */
START_TEST(large_tables_are_refused)
{
    topology t = {.hosts = 11586, .nodes = 11586};
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(graph_routes_make(&t, NULL, "n.dot", diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(
        inlay_diag_message(diag),
        "n.dot: the routes of 11586 hosts through 11586 nodes would take 513 MiB; expected at most 512 MiB, "
        "or a family such as torus, which needs none");
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_graph_routes(void)
{
    Suite *suite = suite_create("routes through graphs");
    TCase *tests = tcase_create("routes");
    tcase_add_loop_test(tests, routes_are_the_shortest, 1, 80);
    tcase_add_test(tests, routes_are_appended);
    tcase_add_test(tests, hosts_apart_are_refused);
    tcase_add_test(tests, large_tables_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}

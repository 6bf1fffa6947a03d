/*
 * Families with links, all of every machine: nodes, links and their ends against the slow reference and the families'
 * formulas, every route step by step, every distance against a search that knows the cables alone.
 */
#include "slow_routes.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))

/* ---- Which machines ---- */

static const slow_shape shapes[] = {
    {INLAY_STAR, 1, {1}, {1}, {1}},
    {INLAY_STAR, 1, {2}, {1}, {1}},
    {INLAY_STAR, 1, {16}, {1}, {1}},
    {INLAY_RING, 1, {1}, {1}, {1}},
    {INLAY_RING, 1, {2}, {1}, {1}},
    {INLAY_RING, 1, {3}, {1}, {1}},
    {INLAY_RING, 1, {4}, {1}, {1}},
    {INLAY_RING, 1, {5}, {1}, {1}},
    {INLAY_RING, 1, {16}, {1}, {1}},
    {INLAY_RING, 1, {31}, {1}, {1}},
    {INLAY_MESH, 1, {7}, {1}, {1}},
    {INLAY_MESH, 2, {1, 1}, {1, 1}, {1, 1}},
    {INLAY_MESH, 2, {1, 6}, {1, 1}, {1, 1}},
    {INLAY_MESH, 2, {2, 2}, {1, 1}, {1, 1}},
    {INLAY_MESH, 2, {8, 8}, {1, 1}, {1, 1}},
    {INLAY_MESH, 2, {5, 3}, {1, 1}, {1, 1}},
    {INLAY_MESH, 3, {2, 3, 4}, {1, 1, 1}, {1, 1, 1}},
    {INLAY_MESH, 3, {4, 1, 5}, {1, 1, 1}, {1, 1, 1}},
    {INLAY_MESH, 8, {2, 1, 2, 2, 1, 2, 1, 3}, {1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}},
    {INLAY_TORUS, 1, {9}, {1}, {1}},
    {INLAY_TORUS, 2, {2, 2}, {1, 1}, {1, 1}},
    {INLAY_TORUS, 2, {2, 3}, {1, 1}, {1, 1}},
    {INLAY_TORUS, 2, {3, 3}, {1, 1}, {1, 1}},
    {INLAY_TORUS, 2, {8, 8}, {1, 1}, {1, 1}},
    {INLAY_TORUS, 2, {7, 4}, {1, 1}, {1, 1}},
    {INLAY_TORUS, 3, {4, 4, 4}, {1, 1, 1}, {1, 1, 1}},
    {INLAY_TORUS, 3, {5, 1, 2}, {1, 1, 1}, {1, 1, 1}},
    {INLAY_TORUS, 4, {3, 2, 3, 2}, {1, 1, 1, 1}, {1, 1, 1, 1}},
    {INLAY_HYPERCUBE, 1, {1}, {1}, {1}},
    {INLAY_HYPERCUBE, 1, {2}, {1}, {1}},
    {INLAY_HYPERCUBE, 1, {8}, {1}, {1}},
    {INLAY_HYPERCUBE, 1, {64}, {1}, {1}},
    {INLAY_TREE, 1, {5}, {1}, {1}},
    {INLAY_TREE, 2, {4, 4}, {1, 1}, {1, 1}},
    {INLAY_TREE, 2, {3, 1}, {1, 1}, {1, 1}},
    {INLAY_TREE, 2, {1, 3}, {1, 1}, {1, 1}},
    {INLAY_TREE, 3, {2, 3, 4}, {1, 1, 1}, {1, 1, 1}},
    {INLAY_TREE, 4, {2, 2, 2, 2}, {1, 1, 1, 1}, {1, 1, 1, 1}},
    {INLAY_FAT_TREE, 1, {4}, {2}, {3}},
    {INLAY_FAT_TREE, 2, {4, 4}, {1, 2}, {1, 2}},
    {INLAY_FAT_TREE, 2, {4, 4}, {1, 4}, {1, 1}},
    {INLAY_FAT_TREE, 2, {4, 4}, {2, 3}, {1, 2}},
    {INLAY_FAT_TREE, 2, {6, 2}, {3, 5}, {2, 3}},
    {INLAY_FAT_TREE, 3, {3, 2, 2}, {1, 2, 3}, {1, 1, 2}},
    {INLAY_FAT_TREE, 3, {2, 3, 4}, {2, 1, 3}, {3, 2, 1}},
    {INLAY_FAT_TREE, 3, {2, 2, 2}, {2, 2, 2}, {2, 2, 2}},
    {INLAY_DRAGONFLY, 4, {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}},
    {INLAY_DRAGONFLY, 4, {1, 2, 3, 2}, {1, 1, 1, 1}, {2, 3, 4, 1}},
    {INLAY_DRAGONFLY, 4, {3, 4, 2, 4}, {1, 1, 1, 1}, {1, 1, 1, 1}},
    {INLAY_DRAGONFLY, 4, {5, 1, 1, 2}, {1, 1, 1, 1}, {3, 1, 1, 1}},
    {INLAY_DRAGONFLY, 4, {7, 1, 3, 1}, {1, 1, 1, 1}, {1, 5, 2, 1}},
    {INLAY_DRAGONFLY, 4, {6, 2, 2, 2}, {1, 1, 1, 1}, {3, 2, 5, 1}},
    {INLAY_DRAGONFLY, 4, {4, 3, 1, 2}, {1, 1, 1, 1}, {2, 2, 2, 1}},
};

static inlay_machine *machine_of(const slow_shape *shape, const char *attributes)
{
    char text[256];
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = NULL;
    slow_shape_text(shape, text, sizeof text - strlen(attributes));
    strcat(text, attributes);
    int status = inlay_machine_parse(text, &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_uint_eq(inlay_diag_warnings(diag), 0);
    inlay_diag_free(diag);
    return machine;
}

/* ---- Cables ---- */

/** Whether the link leads from the one node to the other. */
static bool leads(const inlay_machine_link *link, int from, int to)
{
    return (link->from == from && link->to == to) || (link->shared && link->from == to && link->to == from);
}

/** The n-th of the links that lead from a node to another, by number; -1 where there are fewer. */
static inlay_id nth_link(const inlay_machine *machine, int from, int to, int nth)
{
    for (inlay_id l = 0; l < inlay_machine_links(machine); l++) {
        inlay_machine_link link = inlay_machine_link_at(machine, l);
        if (leads(&link, from, to) && nth-- == 0) return l;
    }
    return -1;
}

/** All links between two nodes, in both directions, are those of the reference. */
static void check_bundle(const slow_shape *shape, const inlay_machine *machine, const int *count, int a, int b)
{
    slow_bundle want = slow_between(shape, a, b);
    ck_assert_msg(count[0] == want.cables && count[1] == want.cables, "%s: %d and %d links between %d and %d, not %d",
                  inlay_machine_text(machine), count[0], count[1], a, b, want.cables);
    for (int i = 0; i < want.cables; i++) {
        inlay_machine_link there = inlay_machine_link_at(machine, nth_link(machine, a, b, i));
        inlay_machine_link back = inlay_machine_link_at(machine, nth_link(machine, b, a, i));
        ck_assert_double_eq(there.capacity, want.width);
        ck_assert_double_eq(back.capacity, want.width);
    }
}

/** Links in every direction, [from * nodes + to]. */
static int *count_links(const inlay_machine *machine)
{
    size_t nodes = (size_t)inlay_machine_nodes(machine);
    int *count = calloc(nodes * nodes, sizeof *count);
    ck_assert_ptr_nonnull(count);
    for (inlay_id l = 0; l < inlay_machine_links(machine); l++) {
        inlay_machine_link link = inlay_machine_link_at(machine, l);
        ck_assert(link.from >= 0 && link.from < inlay_machine_nodes(machine));
        ck_assert(link.to >= 0 && link.to < inlay_machine_nodes(machine) && link.to != link.from);
        ck_assert(!link.parallel);
        ck_assert_double_eq(link.latency, 0);
        count[(size_t)link.from * nodes + (size_t)link.to]++;
        count[(size_t)link.to * nodes + (size_t)link.from] += link.shared;
    }
    return count;
}

static void check_cables(const slow_shape *shape, const inlay_machine *machine, bool shared)
{
    int nodes = slow_nodes(shape), cables = slow_cables(shape);
    ck_assert_int_eq(inlay_machine_hosts(machine), slow_hosts(shape));
    ck_assert_int_eq(inlay_machine_nodes(machine), nodes);
    ck_assert_int_eq(inlay_machine_links(machine), shared ? cables : 2 * cables);
    int *count = count_links(machine);
    for (int a = 0; a < nodes; a++)
        for (int b = 0; b < a; b++) {
            int both[2] = {count[a * nodes + b], count[b * nodes + a]};
            check_bundle(shape, machine, both, a, b);
        }
    for (inlay_id l = 0; l < inlay_machine_links(machine); l++)
        ck_assert_int_eq(inlay_machine_link_at(machine, l).shared, shared);
    free(count);
}

START_TEST(cables)
{
    inlay_machine *full = machine_of(&shapes[_i], ""), *half = machine_of(&shapes[_i], ",duplex=half");
    check_cables(&shapes[_i], full, false);
    check_cables(&shapes[_i], half, true);
    inlay_machine_free(full);
    inlay_machine_free(half);
}
END_TEST

/* ---- Routes ---- */

/** Step by step, each from where the one before ended, and never twice to one node. */
static void check_route(const slow_shape *shape, const inlay_machine *machine, int from, int to)
{
    inlay_id link[SLOW_ROUTE];
    slow_step want[SLOW_ROUTE];
    inlay_id length = inlay_machine_route(machine, from, to, link, SLOW_ROUTE);
    ck_assert_int_eq(length, slow_route(shape, from, to, want));
    ck_assert_int_eq(inlay_machine_distance(machine, from, to), length);
    ck_assert_int_eq(inlay_machine_distance(machine, to, from), length);
    for (int i = 0, at = from; i < length; at = want[i++].node) {
        inlay_id right = nth_link(machine, at, want[i].node, want[i].cable);
        ck_assert_msg(right >= 0 && link[i] == right, "%s: from %d to %d: step %d takes link %d, not %d to node %d",
                      inlay_machine_text(machine), from, to, i, link[i], right, want[i].node);
        ck_assert_int_ne(want[i].node, from);
        for (int before = 0; before < i; before++)
            ck_assert_int_ne(want[i].node, want[before].node);
    }
    ck_assert_int_eq(want[length - 1].node, to);
}

/** The search of all nodes that cables reach in one step, in two, ...: distance[node], -1 where none leads. */
static void search(const slow_shape *shape, int from, int *distance)
{
    int nodes = slow_nodes(shape);
    for (int n = 0; n < nodes; n++)
        distance[n] = n == from ? 0 : -1;
    bool found = true;
    for (int steps = 0; found; steps++) {
        found = false;
        for (int a = 0; a < nodes; a++)
            for (int b = 0; b < nodes && distance[a] == steps; b++)
                if (distance[b] < 0 && slow_between(shape, a, b).cables > 0) {
                    distance[b] = steps + 1;
                    found = true;
                }
    }
}

/** Routes are shortest ones, but in a dragonfly, where they take the one cable between two groups. */
static void check_distances(const slow_shape *shape, const inlay_machine *machine, int from)
{
    int *distance = malloc((size_t)slow_nodes(shape) * sizeof *distance);
    ck_assert_ptr_nonnull(distance);
    search(shape, from, distance);
    for (int to = 0; to < slow_hosts(shape); to++) {
        int found = inlay_machine_distance(machine, from, to);
        ck_assert(shape->family == INLAY_DRAGONFLY ? found >= distance[to] && found <= 7 : found == distance[to]);
    }
    free(distance);
}

static void check_routes(const slow_shape *shape, const inlay_machine *machine)
{
    inlay_id untouched = 77;
    for (int from = 0; from < slow_hosts(shape); from++) {
        for (int to = 0; to < slow_hosts(shape); to++)
            if (from != to) check_route(shape, machine, from, to);
        ck_assert_int_eq(inlay_machine_route(machine, from, from, &untouched, 1), 0);
        check_distances(shape, machine, from);
    }
    ck_assert_int_eq(untouched, 77);
}

START_TEST(routes)
{
    inlay_machine *machine = machine_of(&shapes[_i], ""), *half = machine_of(&shapes[_i], ",duplex=half");
    ck_assert(inlay_machine_has_links(machine) && inlay_machine_has_distance(machine));
    ck_assert_int_eq(inlay_machine_family(machine), shapes[_i].family);
    ck_assert_int_eq(inlay_machine_model(machine), 6);
    check_routes(&shapes[_i], machine);
    check_routes(&shapes[_i], half);
    inlay_machine_free(machine);
    inlay_machine_free(half);
}
END_TEST

/** Every host of a crossbar has one input, which is all that a message takes. */
START_TEST(crossbar)
{
    static const int sizes[] = {1, 2, 16};
    slow_shape shape = {INLAY_CROSSBAR, 1, {sizes[_i]}, {1}, {1}};
    inlay_machine *machine = machine_of(&shape, ",capacity=3msg/tick,link_latency=2tick");
    ck_assert_int_eq(inlay_machine_hosts(machine), sizes[_i]);
    ck_assert_int_eq(inlay_machine_nodes(machine), sizes[_i]);
    ck_assert_int_eq(inlay_machine_links(machine), sizes[_i]);
    for (inlay_id to = 0; to < sizes[_i]; to++)
        for (inlay_id from = 0; from < sizes[_i]; from++) {
            inlay_id input = -1;
            ck_assert_int_eq(inlay_machine_route(machine, from, to, &input, 1), from != to);
            ck_assert_int_eq(inlay_machine_distance(machine, from, to), from != to);
            if (from == to) continue;
            inlay_machine_link link = inlay_machine_link_at(machine, input);
            ck_assert_int_eq(link.to, to);
            ck_assert(link.from == -1 && !link.shared && !link.parallel);
            ck_assert_double_eq(link.capacity, 3);
            ck_assert_double_eq(link.latency, 2);
        }
    inlay_machine_free(machine);
}
END_TEST

/* ---- Cores, units, room ---- */

/** Processors are numbered host by host; between cores of one host nothing is on the way. */
START_TEST(cores)
{
    static const slow_shape shape = {INLAY_MESH, 2, {3, 2}, {1, 1}, {1, 1}};
    inlay_machine *machine = machine_of(&shape, ",cores=4"), *hosts = machine_of(&shape, "");
    ck_assert_int_eq(inlay_machine_processors(machine), 24);
    ck_assert_int_eq(inlay_machine_hosts(machine), 6);
    for (inlay_id a = 0; a < 24; a++) {
        ck_assert_int_eq(inlay_machine_host(machine, a), a / 4);
        for (inlay_id b = 0; b < 24; b++) {
            inlay_id route[SLOW_ROUTE], want[SLOW_ROUTE];
            inlay_id length = inlay_machine_route(machine, a, b, route, SLOW_ROUTE);
            ck_assert_int_eq(length, inlay_machine_route(hosts, a / 4, b / 4, want, SLOW_ROUTE));
            ck_assert_int_eq(inlay_machine_distance(machine, a, b), length);
            if (length > 0) ck_assert_mem_eq(route, want, (size_t)length * sizeof *route);
        }
    }
    inlay_machine_free(machine);
    inlay_machine_free(hosts);
}
END_TEST

/** What does not fit is left out, and the length is told all the same. */
START_TEST(little_room)
{
    static const slow_shape shape = {INLAY_MESH, 1, {6}, {1}, {1}};
    inlay_machine *machine = machine_of(&shape, "");
    inlay_id all[SLOW_ROUTE], some[3] = {-7, -7, -7};
    ck_assert_int_eq(inlay_machine_route(machine, 0, 5, all, SLOW_ROUTE), 5);
    ck_assert_int_eq(inlay_machine_route(machine, 0, 5, some, 2), 5);
    ck_assert_int_eq(inlay_machine_route(machine, 0, 5, NULL, 0), 5);
    ck_assert_mem_eq(some, all, 2 * sizeof *some);
    ck_assert_int_eq(some[2], -7);
    inlay_machine_free(machine);
}
END_TEST

/** Capacities and latencies, and in what they are counted. */
static const struct {
    const char *attributes;
    inlay_unit unit;
    bool known, in_bytes;
    double capacity, latency;
} units[] = {
    {"", INLAY_UNIT_TICK, false, false, 1, 0},
    {",capacity=2.5msg", INLAY_UNIT_TICK, true, false, 2.5, 0},
    {",capacity=8B/tick,link_latency=3", INLAY_UNIT_TICK, true, true, 8, 3},
    {",capacity=10MB/s", INLAY_UNIT_S, true, true, 1e7, 0},
    {",capacity=4msg/ms,link_latency=50us", INLAY_UNIT_S, true, false, 4000, 50e-6},
    {",link_latency=2ms", INLAY_UNIT_S, false, false, 1, 2e-3},
    {",link_latency=2 ticks", INLAY_UNIT_TICK, false, false, 1, 2},
    {",capacity=100Mbit/s,link_latency=0.25", INLAY_UNIT_S, true, true, 12.5e6, 0.25},
};

START_TEST(units_of_links)
{
    static const slow_shape shape = {INLAY_DRAGONFLY, 4, {2, 1, 1, 1}, {1, 1, 1, 1}, {5, 1, 1, 1}};
    inlay_machine *machine = machine_of(&shape, units[_i].attributes);
    ck_assert_int_eq(inlay_machine_link_unit(machine), units[_i].unit);
    ck_assert_int_eq(inlay_machine_links_known(machine), units[_i].known);
    ck_assert_int_eq(inlay_machine_links_in_bytes(machine), units[_i].in_bytes);
    for (inlay_id l = 0; l < inlay_machine_links(machine); l++) {
        inlay_machine_link link = inlay_machine_link_at(machine, l);
        double width = link.from >= 2 && link.to >= 2 ? 5 : 1; /* nodes 2 and 3 are the routers of the groups */
        ck_assert_double_eq_tol(link.capacity, width * units[_i].capacity, 1e-12 * link.capacity);
        ck_assert_double_eq_tol(link.latency, units[_i].latency, 1e-15);
    }
    inlay_machine_free(machine);
}
END_TEST

START_TEST(choices)
{
    static const slow_shape shape = {INLAY_RING, 1, {4}, {1}, {1}};
    inlay_machine *plain = machine_of(&shape, ""), *other = machine_of(&shape, ",switching=cut-through,model=mm1");
    ck_assert_str_eq(inlay_machine_text(plain), "ring:4,model=md1,switching=store-and-forward");
    ck_assert(!inlay_machine_cut_through(plain) && !inlay_machine_exponential(plain));
    ck_assert(inlay_machine_cut_through(other) && inlay_machine_exponential(other));
    ck_assert_int_eq(inlay_machine_model(plain), 6);
    ck_assert_int_eq(inlay_machine_model(other), 7);
    inlay_machine_free(plain);
    inlay_machine_free(other);
}
END_TEST

START_TEST(names)
{
    static const slow_shape star = {INLAY_STAR, 1, {2}, {1}, {1}}, crossbar_of_2 = {INLAY_CROSSBAR, 1, {2}, {1}, {1}};
    inlay_machine *machine = machine_of(&star, ""), *straight = machine_of(&crossbar_of_2, "");
    char name[INLAY_MACHINE_NAME];
    ck_assert_str_eq(inlay_machine_node_name(machine, 1, name), "p1");
    ck_assert_str_eq(inlay_machine_node_name(machine, 2, name), "s0");
    ck_assert_str_eq(inlay_machine_link_name(machine, nth_link(machine, 1, 2, 0), name), "p1-s0");
    ck_assert_str_eq(inlay_machine_link_name(machine, nth_link(machine, 2, 0, 0), name), "s0-p0");
    ck_assert_str_eq(inlay_machine_link_name(straight, 1, name), "to p1");
    inlay_machine_free(machine);
    inlay_machine_free(straight);
}
END_TEST

/** Machines without links say so. */
START_TEST(no_links)
{
    inlay_machine *bus = NULL;
    inlay_id route[1];
    ck_assert_int_eq(inlay_machine_parse("bus:4,speed=2,processor_memory=1KiB,type=a", &bus, NULL), INLAY_OK);
    ck_assert(!inlay_machine_has_links(bus) && !inlay_machine_unlike(bus) && !inlay_machine_links_known(bus));
    ck_assert_int_eq(inlay_machine_links(bus), 0);
    ck_assert_int_eq(inlay_machine_nodes(bus), 0);
    ck_assert_int_eq(inlay_machine_route(bus, 0, 1, route, 1), 0);
    ck_assert_int_eq(inlay_machine_distance(bus, 0, 1), 1);
    ck_assert_int_eq(inlay_machine_host(bus, 3), 3);
    ck_assert_ptr_null(inlay_machine_document(bus));
    ck_assert_ptr_null(inlay_machine_format(bus));
    inlay_processor processor = inlay_machine_processor(bus, 3);
    ck_assert_str_eq(processor.type, "a");
    ck_assert_double_eq(processor.speed, 2);
    ck_assert_int_eq(processor.memory, 1024);
    inlay_machine_free(bus);
}
END_TEST

Suite *suite_routes(void)
{
    Suite *suite = suite_create("routes");
    TCase *tests = tcase_create("routes");
    tcase_add_loop_test(tests, cables, 0, ROWS(shapes));
    tcase_add_loop_test(tests, routes, 0, ROWS(shapes));
    tcase_add_loop_test(tests, crossbar, 0, 3);
    tcase_add_test(tests, cores);
    tcase_add_test(tests, little_room);
    tcase_add_loop_test(tests, units_of_links, 0, ROWS(units));
    tcase_add_test(tests, choices);
    tcase_add_test(tests, names);
    tcase_add_test(tests, no_links);
    suite_add_tcase(suite, tests);
    return suite;
}

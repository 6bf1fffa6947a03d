// SPDX-License-Identifier: GPL-3.0-or-later
/* Rings of rings against a slow walk: which hosts are cabled, and every step of every way, from the words of docs/links.md. */
#include "unit.h"

#include <inlay/machine.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONGEST = 64, MOST = 64 };

static const int shapes[][2] = {{1, 1}, {1, 2}, {2, 1}, {1, 7}, {7, 1}, {2, 2}, {2, 3},
                                {3, 2}, {4, 4}, {4, 5}, {5, 4}, {6, 8}, {8, 6}};

static inlay_machine *machine_of(const int *shape, const char *attributes)
{
    char text[64];
    inlay_machine *machine = NULL;
    snprintf(text, sizeof text, "ringofrings:%dx%d%s", shape[0], shape[1], attributes);
    ck_assert_int_eq(inlay_machine_parse(text, &machine, NULL), INLAY_OK);
    return machine;
}

/** Neighbours on a ring of so many. */
static bool beside(int a, int b, int size)
{
    return a != b && ((a + 1) % size == b || (b + 1) % size == a);
}

static bool are_cabled(const int *shape, int a, int b)
{
    int hosts = shape[1];
    if (a / hosts == b / hosts) return beside(a % hosts, b % hosts, hosts);
    return a % hosts == 0 && b % hosts == 0 && beside(a / hosts, b / hosts, shape[0]);
}

START_TEST(cables)
{
    const int *shape = shapes[_i];
    inlay_machine *machine = machine_of(shape, "");
    int seen[MOST][MOST] = {{0}};
    ck_assert_int_eq(inlay_machine_processors(machine), shape[0] * shape[1]);
    ck_assert_int_eq(inlay_machine_nodes(machine), shape[0] * shape[1]);
    for (inlay_id l = 0; l < inlay_machine_links(machine); l++) {
        inlay_machine_link link = inlay_machine_link_at(machine, l);
        seen[link.from][link.to]++;
    }
    for (int a = 0; a < shape[0] * shape[1]; a++)
        for (int b = 0; b < shape[0] * shape[1]; b++)
            ck_assert_int_eq(seen[a][b], are_cabled(shape, a, b));
    inlay_machine_free(machine);
}
END_TEST

/** Round a ring the shorter way, forward where both are as long; places on it are `scale` numbers apart. */
static int walk(int at, int to, int size, int scale, int base, int *nodes)
{
    int ahead = (to - at + size) % size, back = (at - to + size) % size, length = 0;
    for (int step = ahead <= back ? 1 : size - 1; at != to;) {
        at = (at + step) % size;
        nodes[length++] = base + at * scale;
    }
    return length;
}

static int slow_route(const int *shape, int from, int to, int *nodes)
{
    int hosts = shape[1], r = from / hosts, goal = to / hosts;
    if (r == goal) return walk(from % hosts, to % hosts, hosts, 1, r * hosts, nodes);
    int length = walk(from % hosts, 0, hosts, 1, r * hosts, nodes);
    length += walk(r, goal, shape[0], hosts, 0, nodes + length);
    return length + walk(0, to % hosts, hosts, 1, goal * hosts, nodes + length);
}

static void check_routes(const int *shape, const inlay_machine *machine)
{
    for (int from = 0; from < shape[0] * shape[1]; from++)
        for (int to = 0; to < shape[0] * shape[1]; to++) {
            int want[LONGEST];
            inlay_id route[LONGEST], length = inlay_machine_route(machine, from, to, route, LONGEST);
            ck_assert_int_eq(length, slow_route(shape, from, to, want));
            ck_assert_int_eq(inlay_machine_distance(machine, from, to), length);
            for (int i = 0, at = from; i < length; at = want[i++]) {
                inlay_machine_link link = inlay_machine_link_at(machine, route[i]);
                bool forth = link.from == at && link.to == want[i];
                ck_assert(forth || (link.shared && link.to == at && link.from == want[i]));
            }
        }
}

START_TEST(routes)
{
    inlay_machine *full = machine_of(shapes[_i], ""), *half = machine_of(shapes[_i], ",duplex=half");
    check_routes(shapes[_i], full);
    check_routes(shapes[_i], half);
    inlay_machine_free(full);
    inlay_machine_free(half);
}
END_TEST

START_TEST(bad_sizes)
{
    static const char *const bad[] = {"ringofrings:4", "ringofrings:4x0", "ringofrings:2x2x2",
                                      "ringofrings:99999x99999"};
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_machine_parse(bad[_i], &machine, NULL), INLAY_BAD_INPUT);
}
END_TEST

Suite *suite_ring_of_rings(void)
{
    Suite *suite = suite_create("ring_of_rings");
    TCase *tests = tcase_create("ring_of_rings");
    int count = sizeof shapes / sizeof *shapes;
    tcase_add_loop_test(tests, cables, 0, count);
    tcase_add_loop_test(tests, routes, 0, count);
    tcase_add_loop_test(tests, bad_sizes, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}

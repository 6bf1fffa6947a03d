/* Tori, fat trees and dragonflies of platform files: numbering, routes and multiplicities, as taken down from SimGrid 3.32. */
#include "test_simgrid.h"
#include "unit.h"

#include "base/text.h"
#include <stdlib.h>
#include <string.h>

#define CLUSTER(id, radical, more)                                                                                     \
    "<cluster id='" id "' prefix='" id "-' suffix='' radical='" radical "' speed='1Gf' bw='125MBps' lat='50us' " more  \
    "/>"
#define SHAPE(name, parameters) "topology='" name "' topo_parameters='" parameters "' "

static int ring_distance(int a, int b, int size)
{
    int apart = abs(a - b);
    return apart < size - apart ? apart : size - apart;
}

/* Every route goes from link to link without a gap, and is as short as the rings allow. */
START_TEST(test_torus_all)
{
    enum { X = 5, Y = 4, Z = 3, HOSTS = X * Y * Z };
    inlay_machine *machine = simgrid_subject(CLUSTER("a", "0-59", SHAPE("TORUS", "5,4,3")));
    simgrid_expect_counts(machine, HOSTS, HOSTS, 0, 2 * 3 * HOSTS);
    for (int from = 0; from < HOSTS; from++) {
        for (int to = 0; to < HOSTS; to++) {
            inlay_id route[HOSTS];
            inlay_id length = inlay_machine_route(machine, from, to, route, HOSTS);
            ck_assert_int_eq(length, ring_distance(from % X, to % X, X) + ring_distance(from / X % Y, to / X % Y, Y) +
                                         ring_distance(from / X / Y, to / X / Y, Z));
            int at = from;
            for (inlay_id i = 0; i < length; i++) {
                inlay_machine_link link = inlay_machine_link_at(machine, route[i]);
                ck_assert_int_eq(link.from, at);
                at = link.to;
            }
            ck_assert_int_eq(at, to);
        }
    }
    inlay_machine_free(machine);
}
END_TEST

START_TEST(test_torus)
{
    inlay_machine *plain = simgrid_subject(CLUSTER("a", "0-15", SHAPE("TORUS", "4,4")));
    /* first dimension first; where both ways round are as long: up, but down from the middle to the begin */
    simgrid_expect_route(plain, "a-1", "a-7", "a_link_from_1_to_2_UP a_link_from_2_to_3_UP a_link_from_3_to_7_UP");
    simgrid_expect_route(plain, "a-2", "a-0", "a_link_from_1_to_2_DOWN a_link_from_0_to_1_DOWN");
    simgrid_expect_route(plain, "a-3", "a-1", "a_link_from_3_to_0_UP a_link_from_0_to_1_UP");
    inlay_machine_free(plain);
    inlay_machine *limited =
        simgrid_subject(CLUSTER("a", "10-16", SHAPE("TORUS", "7") "sharing_policy='SHARED' limiter_link='10MBps'"));
    simgrid_expect_counts(limited, 7, 7, 0, 14);
    simgrid_expect_route(limited, "a-10", "a-15",
                         "a_link_0_limiter a_link_from_6_to_0 a_link_6_limiter a_link_from_5_to_6 a_link_5_limiter");
    inlay_machine_free(limited);
}
END_TEST

START_TEST(test_fat_tree)
{
    inlay_machine *machine = simgrid_subject(CLUSTER("a", "0-23", SHAPE("FAT_TREE", "3;2,3,4;1,2,2;2,1,3")));
    /* cables: 24 x 1 x 2, 12 x 2 x 1, 8 x 2 x 3; each is two links */
    simgrid_expect_counts(machine, 24, 24, 0, 2 * (48 + 24 + 48));
    simgrid_expect_route(machine, "a-0", "a-10",
                         "link_from_0_47_0_UP link_from_47_35_48_UP link_from_35_25_77_UP link_from_33_25_87_DOWN "
                         "link_from_42_33_58_DOWN link_from_10_42_20_DOWN");
    simgrid_expect_route(machine, "a-0", "a-11",
                         "link_from_0_47_1_UP link_from_47_34_49_UP link_from_34_24_83_UP link_from_32_24_93_DOWN "
                         "link_from_42_32_59_DOWN link_from_11_42_23_DOWN");
    inlay_machine_free(machine);
}
END_TEST

/* SimGrid counts cables and positions on from one fat tree to the next. */
START_TEST(test_two_fat_trees)
{
    inlay_machine *machine =
        simgrid_subject("<zone id='w' routing='Full'>" CLUSTER("a", "0-4", SHAPE("FAT_TREE", "1;5;3;1")) CLUSTER(
            "b", "0-15", SHAPE("FAT_TREE", "2;4,4;2,2;1,2")) "<link id='bb' bandwidth='1GBps'/>"
                                                             "<zoneRoute src='a' dst='b' gw_src='a-0' "
                                                             "gw_dst='b-3'><link_ctn id='bb'/></zoneRoute></zone>");
    simgrid_expect_counts(machine, 21, 21, 0, 2 * 15 + 2 * (32 + 32) + 1);
    simgrid_expect_route(machine, "a-0", "a-3", "link_from_0_9_0_UP link_from_3_9_9_DOWN");
    simgrid_expect_route(machine, "a-1", "b-3", "link_from_1_9_3_UP link_from_0_9_0_DOWN bb");
    inlay_machine_free(machine);
}
END_TEST

START_TEST(test_fat_tree_limited)
{
    inlay_machine *machine = simgrid_subject(
        CLUSTER("a", "0-23", SHAPE("FAT_TREE", "3;4,3,2;1,2,1;1,2,2") "limiter_link='50MBps' sharing_policy='SHARED'"));
    simgrid_expect_route(machine, "a-0", "a-13",
                         "a_link_0_limiter link_from_0_47_0 a_link_47_limiter link_from_47_40_26 a_link_40_limiter "
                         "link_from_40_36_50 link_from_38_36_54 a_link_36_limiter link_from_44_38_39 a_link_38_limiter "
                         "link_from_13_44_13 a_link_44_limiter a_link_13_limiter");
    inlay_machine_free(machine);
}
END_TEST

START_TEST(test_dragonfly)
{
    inlay_machine *machine = simgrid_subject(CLUSTER("a", "0-47", SHAPE("DRAGONFLY", "3,4;2,3;4,2;2")));
    /* cables: 48 of the hosts, 6 x 6 green, 3 x 4 black, 3 blue */
    simgrid_expect_counts(machine, 48, 48, 0, 2 * (48 + 36 + 12 + 3));
    ck_assert_double_eq(simgrid_link_of(machine, "blue_link_between_group_0_and_1_routers_1_and_8_96_UP").capacity,
                        5e8);
    ck_assert_double_eq(
        simgrid_link_of(machine, "black_link_in_group_0_between_chassis_0_and_1_blade_1_85_UP").capacity, 3.75e8);
    ck_assert_double_eq(simgrid_link_of(machine, "green_link_in_chassis_0_between_routers_0_and_1_48_UP").capacity,
                        2.5e8);
    simgrid_expect_route(
        machine, "a-0", "a-31",
        "local_link_from_router_0_to_node_0_0_UP green_link_in_chassis_0_between_routers_0_and_1_48_UP "
        "blue_link_between_group_0_and_1_routers_1_and_8_96_UP "
        "green_link_in_chassis_0_between_routers_0_and_3_62_UP "
        "black_link_in_group_1_between_chassis_0_and_1_blade_3_91_UP "
        "local_link_from_router_15_to_node_1_31_DOWN");
    simgrid_expect_route(machine, "a-13", "a-33",
                         "local_link_from_router_6_to_node_1_13_UP "
                         "black_link_in_group_0_between_chassis_0_and_1_blade_2_86_DOWN "
                         "blue_link_between_group_0_and_2_routers_2_and_16_97_UP "
                         "local_link_from_router_16_to_node_1_33_DOWN");
    /* from chassis 1 to chassis 0 of a group, SimGrid passes the green cable alone */
    simgrid_expect_route(machine, "a-13", "a-1",
                         "local_link_from_router_6_to_node_1_13_UP "
                         "green_link_in_chassis_1_between_routers_0_and_2_55_DOWN "
                         "local_link_from_router_0_to_node_1_1_DOWN");
    inlay_machine_free(machine);
}
END_TEST

START_TEST(test_dragonfly_limited)
{
    inlay_machine *machine = simgrid_subject(
        CLUSTER("a", "0-47", SHAPE("DRAGONFLY", "4,1;3,1;4,1;1") "sharing_policy='SHARED' limiter_link='10MBps'"));
    simgrid_expect_route(machine, "a-0", "a-40",
                         "a_link_0_limiter local_link_from_router_0_to_node_0_0 a_link_95_limiter "
                         "green_link_in_chassis_0_between_routers_0_and_3_50 "
                         "blue_link_between_group_0_and_3_routers_3_and_36_170 a_link_92_limiter a_link_59_limiter "
                         "black_link_in_group_3_between_chassis_0_and_1_blade_0_156 a_link_55_limiter "
                         "local_link_from_router_40_to_node_0_40 a_link_40_limiter");
    inlay_machine_free(machine);
}
END_TEST

Suite *suite_simgrid_shapes(void)
{
    Suite *suite = suite_create("simgrid_shapes");
    TCase *tests = tcase_create("clusters");
    tcase_add_test(tests, test_torus_all);
    tcase_add_test(tests, test_torus);
    tcase_add_test(tests, test_fat_tree);
    tcase_add_test(tests, test_two_fat_trees);
    tcase_add_test(tests, test_fat_tree_limited);
    tcase_add_test(tests, test_dragonfly);
    tcase_add_test(tests, test_dragonfly_limited);
    suite_add_tcase(suite, tests);
    return suite;
}

/* Platform files of the data folder: counts by hand, routes as SimGrid's own. */
#include "test_simgrid.h"
#include "unit.h"

#include "base/file.h"
#include "io/simgrid/simgrid.h"
#include <stdio.h>
#include <string.h>

/* Links count those of SimGrid, one for every pair of a Vivaldi zone, and one that stands for missing routes. */
static const struct {
    const char *file;
    inlay_id hosts, processors, routers, links;
    const char *from, *to, *route;
} files[] = {
    {"bypassRoute.xml", 4, 4, 4 + 1, 9, "AS_1_host1", "AS_2_host3", "AS_1_link backbone AS_2_link4 AS_2_link3"},
    {"bypassRoute.xml", 4, 4, 4 + 1, 9, "AS_2_host1", "AS_2_host2", "AS_2_link7 AS_2_link6 AS_2_link5"},
    {"cluster_and_one_host.xml", 3, 3, 1, 5, "c-1.me", "host1", "datacenter_link_1_UP link1"},
    {"cluster_backbone.xml", 100, 100, 1, 201, "node-0.simgrid.org", "node-2.simgrid.org",
     "cluster0_link_0_UP cluster0_backbone cluster0_link_2_DOWN"},
    {"cluster_crossbar.xml", 65536, 65536, 1, 131072, "node-1.simgrid.org", "node-65535.simgrid.org",
     "cluster-crossbar_link_1_UP cluster-crossbar_link_65535_DOWN"},
    {"cluster_fat_tree.xml", 16, 16, 0, 16 + 2 * 32, "node-0.simgrid.org", "node-1.simgrid.org",
     "link_from_0_31_0_UP link_from_1_31_1_DOWN"},
    {"cluster_fat_tree.xml", 16, 16, 0, 16 + 2 * 32, "node-0.simgrid.org", "node-10.simgrid.org",
     "link_from_0_31_0_UP link_from_31_27_17_UP link_from_29_27_24_DOWN link_from_10_29_10_DOWN"},
    {"cluster_torus.xml", 12, 12, 0, 12 + 2 * 36, "node-0.simgrid.org", "node-10.simgrid.org",
     "bob_cluster_link_from_0_to_1_UP bob_cluster_link_from_1_to_4_UP bob_cluster_link_from_4_to_10_UP"},
    {"crosstraffic.xml", 2, 2, 0, 2, "S1", "C1", "1_DOWN"},
    {"energy_cluster.xml", 2, 8, 1, 5, "MyHost1", "MyHost2", "cluster_link_1_UP cluster_backbone cluster_link_2_DOWN"},
    {"energy_platform.xml", 3, 6, 0, 1, "MyHost3", "MyHost1", "bus"},
    {"griffon.xml", 92, 92, 3, 2 * 92 + 3 + 1, "griffon-1.nancy.grid5000.fr", "griffon-61.nancy.grid5000.fr",
     "griffon_cluster_cabinet1_link_1_UP griffon_cluster_cabinet1_backbone backbone griffon_cluster_cabinet3_backbone "
     "griffon_cluster_cabinet3_link_61_DOWN"},
    {"hosts_with_disks.xml", 3, 3, 0, 3, "carl", "alice", "link3"},
    {"multicore_machine.xml", 1, 6, 0, 0, NULL, NULL, NULL},
    {"onelink.xml", 2, 2, 0, 1, "S1", "C1", "1"},
    {"routing_cluster.xml", 6, 6, 2, 13, "host2", "host6", "l2_UP backbone1 link1-2 backbone2 l6"},
    {"routing_cluster.xml", 6, 6, 2, 13, "host3", "host1", "l3 backbone1 l1_DOWN"},
    {"small_platform.xml", 7, 7, 0, 24, "Fafard", "Tremblay", "8 1 0 2 3 4"},
    {"tesh-Dijkstra.xml", 2, 2, 1, 5, "NODO01", "NODO02", "1 2"},
    {"tesh-cluster_torus_noncontiguous_rad.xml", 4, 4, 0, 2 * 12 + 4 + 4, "node-0.simgrid.org", "node-102.simgrid.org",
     "bob_cluster_link_0_limiter bob_cluster_link_from_0_to_2_UP bob_cluster_link_2_limiter"},
    {"tesh-four_hosts_floyd.xml", 4, 4, 0, 4, "host1", "host4", "link2 link4"},
    {"tesh-host_attributes.xml", 5, 5, 0, 1, "alice", "erin", "no-route"},
    {"tesh-link_attributes.xml", 1, 1, 0, 4, NULL, NULL, NULL},
    {"tesh-two_hosts_one_link_splitduplex.xml", 2, 2, 0, 2, "bob", "alice", "link1_DOWN"},
    {"three_multicore_hosts.xml", 3, 10, 0, 1, "PM2", "PM0", "link1"},
    {"two_hosts.xml", 2, 2, 0, 1, "Tremblay", "Jupiter", "1"},
    {"two_hosts_platform_shared.xml", 2, 2, 0, 1, "cpu1", "cpu0", "link0"},
    {"two_peers.xml", 2, 2, 0, 4 + 1, "100030591", "100036570", "link_100030591_UP latency-0-0-1 link_100036570_DOWN"},
    {"vivaldi.xml", 40, 40, 0, 780, "100030591", "100036570", "latency-0-0-1"},
};

static const struct {
    const char *file, *message;
} refused[] = {
    {"tesh-bogus_missing_dst_gateway.xml",
     "in.xml:14: zoneRoute gw_dst='neud-grappe_router.grappe.fr'; expected a host or router in zone 'fr'"},
    {"tesh-bogus_two_hosts_asymetric.xml",
     "in.xml:17: a second route from 'alice' to 'bob'; expected one: routes hold both ways unless symmetrical is NO"},
    {"wifi.xml",
     "in.xml:7: zone 'WIFI zone' with routing Wifi; expected another routing: no medium is shared by radio here"},
};

static int read_file(const char *file, inlay_machine **machine, inlay_diag *diag)
{
    char path[512];
    file_content content = {0};
    snprintf(path, sizeof path, "%s/platform/simgrid/%s", unit_data(), file);
    ck_assert_int_eq(file_read(path, &content, diag), INLAY_OK);
    ck_assert(simgrid_looks_like(content.data, content.size));
    int status = simgrid_machine_from(content.data, content.size, "in.xml", NULL, 0, machine, diag);
    file_content_clear(&content);
    return status;
}

START_TEST(test_files)
{
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = read_file(files[_i].file, &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", files[_i].file, inlay_diag_message(diag));
    simgrid_expect_counts(machine, files[_i].hosts, files[_i].processors, files[_i].routers, files[_i].links);
    if (files[_i].from != NULL) {
        simgrid_expect_route(machine, files[_i].from, files[_i].to, files[_i].route);
    }
    inlay_machine_free(machine);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(test_refused)
{
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(read_file(refused[_i].file, &machine, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), refused[_i].message);
    inlay_diag_free(diag);
}
END_TEST

/* Latencies between the coordinates of hosts: sqrt(38.2^2 + 19.3^2) + 1.4 + 2.1 milliseconds. */
START_TEST(test_vivaldi)
{
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(read_file("vivaldi.xml", &machine, diag), INLAY_OK);
    simgrid_expect_latency(machine, "100030591", "100036570", 0.04629871493397904);
    inlay_machine_free(machine);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_simgrid_files(void)
{
    Suite *suite = suite_create("simgrid_files");
    TCase *tests = tcase_create("files");
    tcase_add_loop_test(tests, test_files, 0, (int)(sizeof files / sizeof *files));
    tcase_add_loop_test(tests, test_refused, 0, (int)(sizeof refused / sizeof *refused));
    tcase_add_test(tests, test_vivaldi);
    suite_add_tcase(suite, tests);
    return suite;
}

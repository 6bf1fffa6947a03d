/* Platform files: zones and their routes as SimGrid 3.32 has them, worked out by hand or taken down from it. */
#include "starve.h"
#include "test_simgrid.h"
#include "unit.h"

#include "base/text.h"
#include "io/simgrid/simgrid.h"
#include <inlay/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- What the tests share ---- */

inlay_machine *simgrid_subject_from(const char *document, inlay_diag *diag)
{
    inlay_machine *machine = NULL;
    int status = simgrid_machine_from(document, strlen(document), "in.xml", NULL, 0, &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    return machine;
}

inlay_machine *simgrid_subject(const char *zones)
{
    text_buffer text = {0};
    inlay_diag *diag = inlay_diag_new();
    text_addf(&text, "<platform version='4.1'>%s</platform>", zones);
    inlay_machine *machine = simgrid_subject_from(text.data, diag);
    text_clear(&text);
    inlay_diag_free(diag);
    return machine;
}

inlay_id simgrid_processor_of(const inlay_machine *machine, const char *host)
{
    char name[INLAY_MACHINE_NAME];
    for (inlay_id i = 0; i < inlay_machine_processors(machine); i++) {
        if (strcmp(inlay_machine_node_name(machine, inlay_machine_host(machine, i), name), host) == 0) {
            return i;
        }
    }
    ck_abort_msg("no host %s", host);
    return -1;
}

inlay_machine_link simgrid_link_of(const inlay_machine *machine, const char *name)
{
    char known[INLAY_MACHINE_NAME];
    inlay_id i = 0;
    while (i < inlay_machine_links(machine) && strcmp(inlay_machine_link_name(machine, i, known), name) != 0) {
        i++;
    }
    ck_assert_msg(i < inlay_machine_links(machine), "no link %s", name);
    return inlay_machine_link_at(machine, i);
}

enum { LONGEST = 64 };

static inlay_id route_of(const inlay_machine *machine, const char *from, const char *to, inlay_id route[LONGEST])
{
    inlay_id length = inlay_machine_route(machine, simgrid_processor_of(machine, from),
                                          simgrid_processor_of(machine, to), route, LONGEST);
    ck_assert_int_le(length, LONGEST);
    return length;
}

void simgrid_expect_route(const inlay_machine *machine, const char *from, const char *to, const char *links)
{
    inlay_id route[LONGEST];
    char name[INLAY_MACHINE_NAME];
    text_buffer found = {0};
    inlay_id length = route_of(machine, from, to, route);
    text_add(&found, "");
    for (inlay_id i = 0; i < length; i++) {
        text_addf(&found, "%s%s", i > 0 ? " " : "", inlay_machine_link_name(machine, route[i], name));
    }
    ck_assert_msg(strcmp(found.data, links) == 0, "%s to %s: %s, not %s", from, to, found.data, links);
    text_clear(&found);
}

void simgrid_expect_latency(const inlay_machine *machine, const char *from, const char *to, double seconds)
{
    inlay_id route[LONGEST];
    inlay_id length = route_of(machine, from, to, route);
    double sum = 0;
    for (inlay_id i = 0; i < length; i++) {
        sum += inlay_machine_link_at(machine, route[i]).latency;
    }
    ck_assert_double_eq_tol(sum, seconds, 1e-12);
}

void simgrid_expect_counts(const inlay_machine *machine, inlay_id hosts, inlay_id processors, inlay_id routers,
                           inlay_id links)
{
    ck_assert_int_eq(inlay_machine_hosts(machine), hosts);
    ck_assert_int_eq(inlay_machine_processors(machine), processors);
    ck_assert_int_eq(inlay_machine_nodes(machine) - inlay_machine_hosts(machine), routers);
    ck_assert_int_eq(inlay_machine_links(machine), links);
}

/* ---- Quantities ---- */

static const struct {
    const char *bandwidth, *latency;
    double bytes, seconds;
} quantities[] = {
    {"1Bps", "1s", 1, 1},
    {"8bps", "1ms", 1, 1e-3},
    {"1kBps", "1us", 1e3, 1e-6},
    {"1KiBps", "1ns", 1024, 1e-9},
    {"1MBps", "1ps", 1e6, 1e-12},
    {"1MiBps", "1m", 1048576, 60},
    {"8Mbps", "1h", 1e6, 3600},
    {"8Kibps", "1d", 1024, 86400},
    {"1GBps", "1w", 1e9, 604800},
    {"2.5TBps", "0", 2.5e12, 0},
    {"1.25e6Bps", "5e-5", 1.25e6, 5e-5},
    {"125000000", "0.5", 125000000, 0.5},
};

START_TEST(test_quantities)
{
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++) {
        text_buffer zones = {0};
        text_addf(&zones,
                  "<zone id='z' routing='Full'><host id='a' speed='1f'/><link id='l' bandwidth='%s' latency='%s'/>"
                  "</zone>",
                  quantities[i].bandwidth, quantities[i].latency);
        inlay_machine *machine = simgrid_subject(zones.data);
        inlay_machine_link link = simgrid_link_of(machine, "l");
        ck_assert_double_eq_tol(link.capacity, quantities[i].bytes, quantities[i].bytes * 1e-15 + 1e-300);
        ck_assert_double_eq_tol(link.latency, quantities[i].seconds, quantities[i].seconds * 1e-15 + 1e-300);
        text_clear(&zones);
        inlay_machine_free(machine);
    }
}
END_TEST

START_TEST(test_speeds)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = simgrid_subject_from(
        "<platform version='4'><AS id='z' routing='Full'><host id='a' speed='2Gf' core='3'/>"
        "<host id='b' speed='1Gf, 500Mf ,250Mf' pstate='1'/><host id='c' speed='3gigaflops'/></AS></platform>",
        diag);
    simgrid_expect_counts(machine, 3, 5, 0, 1);
    ck_assert(inlay_machine_unlike(machine));
    ck_assert_double_eq(inlay_machine_processor(machine, simgrid_processor_of(machine, "a")).speed, 2.0 / 3);
    ck_assert_double_eq(inlay_machine_processor(machine, simgrid_processor_of(machine, "b")).speed, 0.5 / 3);
    ck_assert_double_eq(inlay_machine_processor(machine, simgrid_processor_of(machine, "c")).speed, 1);
    ck_assert_int_eq(inlay_machine_distance(machine, 0, 2), 0);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_str_eq(inlay_diag_warning(diag, 0), "in.xml:1: no route from 'a' to 'b': a message between hosts without "
                                                  "a route counts as taking 1e6 s");
    simgrid_expect_route(machine, "a", "b", "no-route");
    inlay_machine_free(machine);
    inlay_diag_free(diag);
}
END_TEST

/* ---- Routes within a zone ---- */

#define HOSTS3      "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><host id='c' speed='1Gf'/>"
#define LINK(id)    "<link id='" id "' bandwidth='1MBps' latency='1ms'/>"
#define SPLIT(id)   "<link id='" id "' bandwidth='1MBps' latency='1ms' sharing_policy='SPLITDUPLEX'/>"
#define CTN(id)     "<link_ctn id='" id "'/>"
#define UP(id)      "<link_ctn id='" id "' direction='UP'/>"
#define DOWN(id)    "<link_ctn id='" id "' direction='DOWN'/>"
#define ROUTE(a, b) "<route src='" a "' dst='" b "'>"

START_TEST(test_full)
{
    inlay_machine *machine = simgrid_subject(
        "<zone id='z' routing='full'>" HOSTS3 LINK("l") SPLIT("s") LINK("m") ROUTE("a", "b") CTN("l")
            UP("s") "</route>" ROUTE("b", "c") DOWN("s") "</route>"
                                                         "<route src='a' dst='c' symmetrical='no'>" CTN(
                                                             "m") "</route>"
                                                                  "<route src='c' dst='a' symmetrical='NO'>" CTN("s_UP")
                                                                      CTN("m") "</route></zone>");
    simgrid_expect_counts(machine, 3, 3, 0, 4);
    simgrid_expect_route(machine, "a", "b", "l s_UP");
    simgrid_expect_route(machine, "b", "a", "s_DOWN l");
    simgrid_expect_route(machine, "b", "c", "s_DOWN");
    simgrid_expect_route(machine, "c", "b", "s_UP");
    simgrid_expect_route(machine, "a", "c", "m");
    simgrid_expect_route(machine, "c", "a", "s_UP m");
    simgrid_expect_route(machine, "a", "a", "");
    ck_assert(simgrid_link_of(machine, "l").shared);
    ck_assert(!simgrid_link_of(machine, "s_UP").shared);
    ck_assert(inlay_machine_cut_through(machine));
    inlay_machine_free(machine);
}
END_TEST

/* Where two ways round a ring of six are as long, the two algorithms take different ones. */
static inlay_machine *ring(const char *routing)
{
    static const int order[] = {3, 0, 5, 1, 4, 2};
    text_buffer zones = {0};
    text_addf(&zones, "<zone id='z' routing='%s'>", routing);
    for (int i = 0; i < 6; i++) {
        text_addf(&zones, "<host id='h%d' speed='1Gf'/><link id='l%d' bandwidth='1MBps' latency='1ms'/>", i, i);
    }
    for (int i = 0; i < 6; i++) {
        text_addf(&zones, "<route src='h%d' dst='h%d'><link_ctn id='l%d'/></route>", order[i], (order[i] + 1) % 6,
                  order[i]);
    }
    text_add(&zones, "</zone>");
    inlay_machine *machine = simgrid_subject(zones.data);
    text_clear(&zones);
    return machine;
}

START_TEST(test_shortest)
{
    inlay_machine *floyd = ring("Floyd");
    inlay_machine *dijkstra = ring("Dijkstra");
    simgrid_expect_route(floyd, "h0", "h2", "l0 l1");
    simgrid_expect_route(dijkstra, "h0", "h2", "l0 l1");
    simgrid_expect_route(floyd, "h0", "h3", "l0 l1 l2");
    simgrid_expect_route(dijkstra, "h0", "h3", "l5 l4 l3");
    simgrid_expect_route(floyd, "h4", "h1", "l3 l2 l1");
    simgrid_expect_route(dijkstra, "h4", "h1", "l4 l5 l0");
    inlay_machine_free(floyd);
    inlay_machine_free(dijkstra);
}
END_TEST

/* Lengths are numbers of links: two routes of a link each are shorter than one of three. */
START_TEST(test_lengths)
{
    const char *zones = "<zone id='z' routing='DijkstraCache'>" HOSTS3 "<router id='r'/>" LINK("1") LINK("2") LINK("3")
        LINK("4") LINK("5") ROUTE("a", "b") CTN("1") CTN("2") CTN("3") "</route>" ROUTE("a", "r")
            CTN("4") "</route>" ROUTE("r", "b") CTN("5") "</route>" ROUTE("r", "c") CTN("1") CTN("2") "</route></zone>";
    inlay_machine *machine = simgrid_subject(zones);
    simgrid_expect_counts(machine, 3, 3, 1, 5);
    simgrid_expect_route(machine, "a", "b", "4 5");
    simgrid_expect_route(machine, "c", "a", "2 1 4");
    inlay_machine_free(machine);
}
END_TEST

/* Zones that are too large for a table of ways seek them one by one. */
static void expect_long_chain(const char *routing)
{
    enum { HOSTS = 1100 };
    text_buffer zones = {0};
    text_addf(&zones, "<zone id='z' routing='%s'><router id='r'/>", routing);
    for (int i = 0; i < HOSTS; i++) {
        text_addf(&zones, "<host id='h%d' speed='1Gf'/><link id='l%d' bandwidth='1MBps' latency='1ms'/>", i, i);
    }
    for (int i = 0; i < HOSTS; i++) {
        text_addf(&zones, "<route src='h%d' dst='r'><link_ctn id='l%d'/></route>", i, i);
    }
    text_add(&zones, "</zone>");
    inlay_machine *machine = simgrid_subject(zones.data);
    simgrid_expect_route(machine, "h3", "h1099", "l3 l1099");
    simgrid_expect_route(machine, "h1099", "h0", "l1099 l0");
    text_clear(&zones);
    inlay_machine_free(machine);
}

START_TEST(test_large_zones)
{
    expect_long_chain("Dijkstra");
    expect_long_chain("Floyd");
}
END_TEST

/* ---- Clusters ---- */

#define HEAD(id, radical)                                                                                              \
    "<cluster id='" id "' prefix='" id "-' suffix='' radical='" radical "' speed='1Gf' bw='125MBps' lat='50us' "

START_TEST(test_flat_cluster)
{
    inlay_machine *machine = simgrid_subject("<zone id='w' routing='Full'>" HEAD(
        "a", "0-1,7") "bb_bw='1GBps' bb_lat='1us' bb_sharing_policy='FATPIPE' limiter_link='10MBps' "
                      "loopback_bw='1GBps'/>" HEAD("b", "3-3") "core='2' sharing_policy='SHARED' "
                                                               "router_id='out'/>" SPLIT("x") "<zoneRoute "
                                                                                              "src='a' dst='b' "
                                                                                              "gw_src='a-a_"
                                                                                              "router' "
                                                                                              "gw_dst='out'"
                                                                                              ">" UP("x") "</"
                                                                                                          "zone"
                                                                                                          "Rout"
                                                                                                          "e></"
                                                                                                          "zone"
                                                                                                          ">");
    simgrid_expect_counts(machine, 4, 5, 2, 3 * 4 + 1 + 1 + 2);
    simgrid_expect_route(machine, "a-0", "a-7",
                         "a_link_0_limiter a_link_0_UP a_backbone a_link_7_DOWN a_link_7_limiter");
    simgrid_expect_route(machine, "a-1", "b-3", "a_link_1_limiter a_link_1_UP a_backbone x_UP b_link_3");
    simgrid_expect_route(machine, "b-3", "a-1", "b_link_3 x_DOWN a_backbone a_link_1_DOWN a_link_1_limiter");
    simgrid_expect_latency(machine, "a-0", "a-7", 50e-6 + 1e-6 + 50e-6);
    ck_assert(simgrid_link_of(machine, "a_backbone").parallel);
    ck_assert(simgrid_link_of(machine, "a_link_0_loopback").parallel);
    ck_assert_double_eq(simgrid_link_of(machine, "a_link_7_limiter").capacity, 1e7);
    inlay_machine_free(machine);
}
END_TEST

/* A medium that is a host's way up and down, and a backbone, stand once on a route. */
START_TEST(test_cluster_zone)
{
    inlay_machine *machine = simgrid_subject(
        "<zone id='z' routing='Cluster'><router id='r'/><host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>"
        "<host_link id='a' up='s_UP' down='s_DOWN'/>" SPLIT("s")
            LINK("m") "<host_link id='b' up='m' down='m'/>"
                      "<cabinet id='k' prefix='n' suffix='' radical='4-5' speed='2Gf' bw='1GBps' lat='2us'/>"
                      "<backbone id='bb' bandwidth='1GBps' latency='1us'/></zone>");
    simgrid_expect_counts(machine, 4, 4, 1, 2 + 1 + 4 + 1);
    simgrid_expect_route(machine, "a", "b", "s_UP bb m");
    simgrid_expect_route(machine, "b", "a", "m bb s_DOWN");
    simgrid_expect_route(machine, "n4", "n5", "link_n4_UP bb link_n5_DOWN");
    simgrid_expect_route(machine, "n5", "b", "link_n5_UP bb m");
    ck_assert_double_eq(inlay_machine_processor(machine, simgrid_processor_of(machine, "n4")).speed, 1);
    ck_assert_double_eq(inlay_machine_processor(machine, simgrid_processor_of(machine, "a")).speed, 0.5);
    inlay_machine_free(machine);
}
END_TEST

/* ---- Zones in zones ---- */

#define PEERS                                                                                                          \
    "<zone id='v' routing='Vivaldi'>"                                                                                  \
    "<peer id='p1' coordinates='1 2 3' speed='1Gf' bw_in='1MBps' bw_out='2MBps'/>"                                     \
    "<peer id='p2' coordinates='4 6 1' speed='1Gf' bw_in='3MBps' bw_out='4MBps'/></zone>"
#define PAIR                                                                                                           \
    "<zone id='f' routing='Full'><host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>" LINK("ab") ROUTE("a", "b")      \
        CTN("ab") "</route></zone>"
#define ALONE "<zone id='n' routing='None'><host id='s' speed='1Gf'/></zone>"
#define BETWEEN                                                                                                        \
    LINK("L")                                                                                                          \
    LINK("M")                                                                                                          \
    "<zoneRoute src='v' dst='f' gw_src='p1' gw_dst='a'>" CTN(                                                          \
        "L") "</zoneRoute>"                                                                                            \
             "<zoneRoute src='f' dst='n' gw_src='b' gw_dst='s'>" CTN("M") "</zoneRoute>"

/* The distance of (1, 2) and (4, 6) is 5, and the heights 3 and 1 come on top: 9 ms. */
static void expect_nested(const char *routing)
{
    text_buffer zones = {0};
    text_addf(&zones, "<zone id='w' routing='%s'>%s</zone>", routing, PEERS PAIR ALONE BETWEEN);
    inlay_machine *machine = simgrid_subject(zones.data);
    simgrid_expect_route(machine, "p2", "p1", "link_p2_UP latency-1-0-1 link_p1_DOWN");
    simgrid_expect_route(machine, "p2", "s", "link_p2_UP latency-1-0-1 link_p1_DOWN L ab M");
    simgrid_expect_route(machine, "s", "p1", "M ab L");
    simgrid_expect_latency(machine, "p1", "p2", 9e-3);
    simgrid_expect_latency(machine, "b", "p2", 11e-3);
    ck_assert_double_eq(simgrid_link_of(machine, "link_p1_UP").capacity, 2e6);
    ck_assert_double_eq(simgrid_link_of(machine, "link_p1_DOWN").capacity, 1e6);
    text_clear(&zones);
    inlay_machine_free(machine);
}

START_TEST(test_nested)
{
    expect_nested("Floyd");
    expect_nested("Dijkstra");
}
END_TEST

/*
 * A cloud: zones in a Vivaldi zone, entered through the router that is called like them. In A a cluster stands behind
 * two routers; B is a Vivaldi zone itself, whose peers are as far from its router as coordinates say; C has a gateway
 * alone. The route back to the cluster is given again, as in SimGrid's cloud.xml. Between A and B are (1, 2, 3) and (4, 6, 1): 9 ms; between A and C (1, 2, 3) and (1, 10, 0): 11 ms.
 */
#define CLOUD                                                                                                          \
    "<AS id='w' routing='Vivaldi'>"                                                                                    \
    "<AS id='A' routing='Full'><cluster id='k' prefix='k' suffix='' radical='0-1' speed='1Gf' bw='1MBps' "             \
    "lat='100us'/>" LINK(                                                                                              \
        "up") "<AS id='gw' routing='Floyd'><router id='door'/><router id='router_A' coordinates='1 2 3'/>" LINK("isp") \
        ROUTE("door", "router_A")                                                                                      \
            CTN("isp") "</route></AS>"                                                                                 \
                       "<ASroute src='k' dst='gw' gw_src='kk_router' gw_dst='door'>" CTN(                              \
                           "up") "</ASroute><ASroute dst='k' src='gw' gw_dst='kk_router' "                             \
                                 "gw_src='door'>" CTN("up") "</ASroute></AS>"                                          \
                                                            "<zone id='B' routing='Vivaldi'><router "                  \
                                                            "id='router_B' coordinates='4 6 1'/>"                      \
                                                            "<peer id='p' coordinates='4 9 2' "                        \
                                                            "speed='1Gf' bw_in='1MBps' "                               \
                                                            "bw_out='2MBps'/></zone>"                                  \
                                                            "<zone id='C' routing='Full'><host "                       \
                                                            "id='router_C' speed='1Gf' coordinates='1 10 "             \
                                                            "0'/></zone></AS>"

START_TEST(test_cloud)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = simgrid_subject_from("<platform version='4.1'>" CLOUD "</platform>", diag);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_str_eq(inlay_diag_warning(diag, 0),
                     "in.xml: 2 routes between zones are given again as they are known: each counts once");
    inlay_diag_free(diag);
    simgrid_expect_counts(machine, 4, 4, 4, 4 + 2 + 2 + 1 + 3);
    simgrid_expect_route(machine, "k0", "k1", "k_link_0_UP k_link_1_DOWN");
    simgrid_expect_route(machine, "k1", "p", "k_link_1_UP up isp latency-0-0-1 latency-4-0-1 link_p_DOWN");
    simgrid_expect_route(machine, "p", "k0", "link_p_UP latency-4-0-1 latency-0-0-1 isp up k_link_0_DOWN");
    simgrid_expect_route(machine, "k0", "router_C", "k_link_0_UP up isp latency-0-0-2");
    simgrid_expect_latency(machine, "k1", "p", (100e-6 + 1e-3 + 1e-3) + 9e-3 + (3 + 2 + 1) * 1e-3);
    simgrid_expect_latency(machine, "router_C", "k1", 11e-3 + 1e-3 + 1e-3 + 100e-6);

    char path[64]; /* SimGrid 3.32 cannot read such a file: all routes are written one by one */
    inlay_machine *flat = NULL;
    snprintf(path, sizeof path, "/tmp/inlay-unit-%ld.cloud.xml", (long)getpid());
    ck_assert_int_eq(inlay_machine_write_as(machine, path, "simgrid", 0, NULL), INLAY_OK);
    inlay_machine_free(machine);
    ck_assert_int_eq(inlay_machine_read(path, &flat, NULL), INLAY_OK);
    unlink(path);
    simgrid_expect_counts(flat, 4, 4, 4, 4 + 2 + 2 + 1 + 3);
    simgrid_expect_route(flat, "k1", "p", "k_link_1_UP up isp latency-0-0-1 latency-4-0-1 link_p_DOWN");
    inlay_machine_free(flat);
}
END_TEST

/* Zones at drawn places, each with hosts on cables of drawn latencies: every pair by a formula of its own. */
START_TEST(test_cloud_at_random)
{
    enum { ZONES = 5, HOSTS = 3, ALL = ZONES * HOSTS };
    double at[ZONES][3], cable[ALL];
    unsigned state = 4711;
    text_buffer text = {0};
    text_add(&text, "<zone id='w' routing='Vivaldi'>");
    for (int z = 0; z < ZONES; z++) {
        for (int d = 0; d < 3; d++) {
            state = state * 1103515245 + 12345;
            at[z][d] = ((int)(state >> 8) % 2000 - 1000) / 8.0;
        }
        text_addf(&text, "<zone id='z%d' routing='%s'><router id='router_z%d' coordinates='%g %g %g'/>", z,
                  z % 2 == 0 ? "Dijkstra" : "Floyd", z, at[z][0], at[z][1], at[z][2]);
        for (int h = z * HOSTS; h < (z + 1) * HOSTS; h++) {
            cable[h] = (h + 1) * 1e-5;
            text_addf(&text,
                      "<host id='h%d' speed='1Gf'/><link id='l%d' bandwidth='1MBps' latency='%gs'/>"
                      "<route src='h%d' dst='router_z%d'><link_ctn id='l%d'/></route>",
                      h, h, cable[h], h, z, h);
        }
        text_add(&text, "</zone>");
    }
    text_add(&text, "</zone>");
    inlay_machine *machine = simgrid_subject(text.data);
    for (int a = 0; a < ALL; a++) {
        for (int b = 0; b < ALL; b++) {
            char from[16], to[16];
            const double *x = at[a / HOSTS], *y = at[b / HOSTS];
            double far = x == y ? 0 : hypot(x[0] - y[0], x[1] - y[1]) + fabs(x[2]) + fabs(y[2]);
            snprintf(from, sizeof from, "h%d", a);
            snprintf(to, sizeof to, "h%d", b);
            simgrid_expect_latency(machine, from, to, a == b ? 0 : cable[a] + cable[b] + far / 1000);
        }
    }
    text_clear(&text);
    inlay_machine_free(machine);
}
END_TEST

static int try_cloud(const void *subject)
{
    inlay_machine *machine = NULL;
    int status = inlay_machine_read_memory(subject, strlen(subject), "in.xml", "simgrid", &machine, NULL);
    inlay_machine_free(machine);
    return status;
}

START_TEST(test_starved_cloud)
{
    starve(try_cloud, "<platform version='4.1'>" CLOUD "</platform>", 60);
}
END_TEST

#define ONE(zone, host) "<zone id='" zone "' routing='Full'><host id='" host "' speed='1Gf'/></zone>"

START_TEST(test_bypass)
{
    inlay_machine *machine = simgrid_subject(
        "<zone id='w' routing='Full'><zone id='A' routing='Full'>" ONE("A1", "a1") ONE("A2", "a2")
            LINK("la") "<zoneRoute src='A1' dst='A2' gw_src='a1' gw_dst='a2'>" CTN(
                "la") "</zoneRoute></zone>"
                      "<zone id='B' routing='Full'><host id='b1' speed='1Gf'/><host id='b2' speed='1Gf'/>" LINK("lb")
                          LINK("lc") ROUTE("b1", "b2") CTN("lb") "</route><bypassRoute src='b2' dst='b1'>" CTN("lc")
                              CTN("lb") "</bypassRoute></zone>" LINK("L")
                                  LINK("by") "<zoneRoute src='A' dst='B' gw_src='a1' gw_dst='b1'>" CTN(
                                      "L") "</zoneRoute>"
                                           "<bypassZoneRoute src='A2' dst='B' gw_src='a2' gw_dst='b2'>" CTN(
                                               "by") "</bypassZoneRoute></zone>");
    simgrid_expect_route(machine, "a1", "b2", "L lb");
    simgrid_expect_route(machine, "a2", "b2", "by");
    simgrid_expect_route(machine, "a2", "b1", "by lc lb");
    simgrid_expect_route(machine, "b1", "b2", "lb");
    simgrid_expect_route(machine, "b1", "a2", "L la");
    inlay_machine_free(machine);
}
END_TEST

Suite *suite_simgrid(void)
{
    Suite *suite = suite_create("simgrid");
    TCase *tests = tcase_create("zones");
    tcase_add_test(tests, test_quantities);
    tcase_add_test(tests, test_speeds);
    tcase_add_test(tests, test_full);
    tcase_add_test(tests, test_shortest);
    tcase_add_test(tests, test_lengths);
    tcase_add_test(tests, test_large_zones);
    tcase_add_test(tests, test_flat_cluster);
    tcase_add_test(tests, test_cluster_zone);
    tcase_add_test(tests, test_nested);
    tcase_add_test(tests, test_cloud);
    tcase_add_test(tests, test_cloud_at_random);
    tcase_add_test(tests, test_starved_cloud);
    tcase_add_test(tests, test_bypass);
    suite_add_tcase(suite, tests);
    return suite;
}

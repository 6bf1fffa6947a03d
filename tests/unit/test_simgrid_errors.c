/* Platform files that are none: every bad input has its message with its line, and no bytes do harm. */
#include "random_app.h"
#include "test_simgrid.h"
#include "unit.h"

#include "base/text.h"
#include "io/simgrid/simgrid.h"
#include <stdlib.h>
#include <string.h>

static void expect_error(const char *data, size_t size, const char *message)
{
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(simgrid_machine_from(data, size, "in.xml", NULL, 0, &machine, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    ck_assert_ptr_null(machine);
    inlay_diag_free(diag);
}

#define P         "<platform version='4.1'>\n"
#define ZONE      P "<zone id='z' routing='Full'>\n"
#define END       "</zone></platform>"
#define HOSTS     "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>\n"
#define LINK      "<link id='l' bandwidth='1MBps'/>\n"
#define CLUSTER   "<cluster id='c' prefix='p' suffix='' speed='1Gf' bw='1MBps' lat='0' "
#define BANDWIDTH "expected a number above 0 with Bps, kBps, MiBps, Gbps, ..."
#define SPEED     "expected a number above 0 with f, kf, Mf, Gf, Tf, ..."
#define TIME      "expected a number, 0 or more, with s, ms, us, ns, ps, m, h, ..."

static const struct {
    const char *xml, *message;
} errors[] = {
    /* the document */
    {"", "in.xml:1: an empty file; expected a SimGrid platform"},
    {"\n\nrubbish", "in.xml:3: not well-formed XML (Start tag expected, '<' not found); expected a SimGrid platform"},
    {ZONE, "in.xml:3: not well-formed XML (Premature end of data in tag zone line 2); expected a SimGrid platform"},
    {ZONE "</platform>", "in.xml:3: not well-formed XML (Opening and ending tag mismatch: zone line 2 and platform); "
                         "expected a SimGrid platform"},
    {"<!DOCTYPE platform [\n<!ENTITY a 'x'>]>" P "</platform>",
     "in.xml:2: the document declares the entity 'a'; expected a SimGrid platform without entities"},
    {"<!DOCTYPE platform [\n<!ENTITY a SYSTEM 'file:///etc/passwd'>]>" P "</platform>",
     "in.xml:2: the document declares the entity 'a'; expected a SimGrid platform without entities"},
    {"<!DOCTYPE platform SYSTEM 'x.dtd' [\n<!ENTITY % p SYSTEM 'y.dtd'> %p;]>" P "</platform>",
     "in.xml:2: the document declares the entity 'p'; expected a SimGrid platform without entities"},
    {"<!DOCTYPE platform SYSTEM 'http://nowhere.invalid/x.dtd'>\n" P "<zone id='&foo;' routing='Full'/></platform>",
     "in.xml:3: not well-formed XML (Entity 'foo' not defined); expected a SimGrid platform"},
    {"<dax/>", "in.xml:1: unknown element 'dax'; expected one of SimGrid's platforms"},
    {"<host id='a' speed='1Gf'/>",
     "in.xml:1: a host by itself or within another element; expected platform around all"},
    {"<platform version='3'/>",
     "in.xml:1: platform version '3'; expected 4 or 4.1 (simgrid_update_xml brings older files up to date)"},
    {"<platform version='5'/>", "in.xml:1: platform version '5'; expected 4 or 4.1"},
    {P "</platform>", "in.xml: a platform without hosts; expected at least one"},
    {P "<include file='x'/></platform>", "in.xml:2: include of another file; expected all of the platform in one file"},

    /* elements and attributes */
    {ZONE "<hosst id='a'/>" END, "in.xml:3: unknown element 'hosst'; expected one of SimGrid's platforms"},
    {P "<host id='a' speed='1Gf'/></platform>", "in.xml:2: host in platform; expected it in zone"},
    {ZONE "<host\n id='a'/>" END, "in.xml:3: host without speed; expected speed=\"...\""},
    {ZONE "<host id='a' sped='1Gf'/>" END, "in.xml:3: host has no attribute 'sped'; expected one of version 4.1"},
    {ZONE "<host id='' speed='1Gf'/>" END, "in.xml:3: host with an empty name; expected one"},
    {ZONE HOSTS "<router id='a'/>" END,
     "in.xml:4: router 'a' is not the first of that name; expected hosts, routers and "
     "zones to have names of their own"},
    {ZONE LINK LINK END, "in.xml:4: link 'l' is not the first of that name; expected links to have names of their own"},

    /* quantities */
    {ZONE "<host id='a' speed='0f'/>" END, "in.xml:3: host speed='0f'; " SPEED},
    {ZONE "<host id='a' speed='nan'/>" END, "in.xml:3: host speed='nan'; " SPEED},
    {ZONE "<host id='a' speed='1e999f'/>" END, "in.xml:3: host speed='1e999f'; " SPEED},
    {ZONE "<host id='a' speed='1Gf' core='0'/>" END,
     "in.xml:3: host core='0'; expected a whole number from 1 to 1000000"},
    {ZONE "<host id='a' speed='1Gf' core='1.5'/>" END,
     "in.xml:3: host core='1.5'; expected a whole number from 1 to 1000000"},
    {ZONE "<host id='a' speed='1Gf,2Gf' pstate='2'/>" END,
     "in.xml:3: host pstate 2 of the speeds '1Gf,2Gf'; expected one that is in the list, from 0"},
    {ZONE "<link id='l' bandwidth='-1MBps'/>" END, "in.xml:3: link bandwidth='-1MBps'; " BANDWIDTH},
    {ZONE "<link id='l' bandwidth='inf'/>" END, "in.xml:3: link bandwidth='inf'; " BANDWIDTH},
    {ZONE "<link id='l' bandwidth='1MB'/>" END, "in.xml:3: link bandwidth='1MB'; " BANDWIDTH},
    {ZONE "<link id='l' bandwidth='1MBps' latency='-1us'/>" END, "in.xml:3: link latency='-1us'; " TIME},
    {ZONE "<link id='l' bandwidth='1MBps' latency='1 hour'/>" END, "in.xml:3: link latency='1 hour'; " TIME},
    {P "<zone id='v' routing='Vivaldi'>\n<host id='a' speed='1Gf' coordinates='1 2'/>" END,
     "in.xml:3: coordinates '1 2'; expected three numbers"},
    {P "<zone id='v' routing='Vivaldi'>\n<host id='a' speed='1Gf'/>" END,
     "in.xml:2: 'a' has no coordinates; expected some of all in a Vivaldi zone"},
    {P "<zone id='v' routing='Vivaldi'>\n<zone id='y' routing='Full'>\n" HOSTS "</zone>" END,
     "in.xml:3: zone 'y' in a Vivaldi zone; expected a router 'router_y' with coordinates in it, through which its "
     "messages go"},
    {P "<zone id='v' routing='Vivaldi'>\n<zone id='y' routing='Full'>\n<router id='router_y'/></zone>" END,
     "in.xml:3: zone 'y' in a Vivaldi zone; expected a router 'router_y' with coordinates in it, through which its "
     "messages go"},
    {P "<zone id='v' routing='Vivaldi'><zone id='x' routing='Full'><router id='router_x' coordinates='1 2 3'/>"
       "<router id='router_y' coordinates='1 2 3'/></zone>\n<zone id='y' routing='Full'>\n" HOSTS "</zone>" END,
     "in.xml:3: zone 'y' in a Vivaldi zone; expected a router 'router_y' with coordinates in it, through which its "
     "messages go"},
    {P "<zone id='z' routing='Cluster'>\n<zone id='y' routing='Full'/>" END,
     "in.xml:3: zone 'y' in a zone with routing Cluster; expected hosts there"},
    {ZONE "<host id='a' speed='1Gf' coordinates='1 2 x'/>" END,
     "in.xml:3: coordinates '1 2 x'; expected three numbers"},

    /* zones */
    {P "<zone id='z' routing='Fool'/></platform>", "in.xml:2: zone 'z' with routing 'Fool'; expected Full, Floyd, "
                                                   "Dijkstra, DijkstraCache, Cluster, Vivaldi or None"},
    {P "<zone id='z' routing='Wifi'/></platform>",
     "in.xml:2: zone 'z' with routing Wifi; expected another routing: no medium is shared by radio here"},
    {ZONE "<link id='l' bandwidth='54Mbps,36Mbps' sharing_policy='WIFI'/>" END,
     "in.xml:3: link 'l' with sharing_policy WIFI; expected SHARED, SPLITDUPLEX or FATPIPE: no medium is shared by "
     "radio here"},
    {ZONE "</zone>\n<zone id='y' routing='Full'/></platform>",
     "in.xml:4: zone 'y' beside another one; expected one zone around all"},
    {ZONE HOSTS "<zone id='y' routing='Full'/>" END,
     "in.xml:4: zone 'y' in a zone that holds hosts; expected either hosts or zones in a zone"},
    {ZONE "<zone id='y' routing='Full'/>\n" HOSTS END,
     "in.xml:4: host 'a' in a zone that holds zones; expected either hosts or zones in a zone"},
    {ZONE "<peer id='p' speed='1f' bw_in='1Bps' bw_out='1Bps'/>" END,
     "in.xml:3: peer 'p' in a zone with another routing; expected Vivaldi"},
    {ZONE HOSTS LINK "<host_link id='a' up='l' down='l'/>" END,
     "in.xml:5: host_link 'a' in a zone with another routing; expected Cluster"},
    {P "<zone id='z' routing='Cluster'>\n" HOSTS "<host_link id='a' up='l' down='l'/>\n" END,
     "in.xml:4: host_link up='l' names no link; expected one of the file (NAME_UP or NAME_DOWN of a split one)"},

    /* routes */
    {ZONE HOSTS "<route src='a' dst='c'/>" END,
     "in.xml:4: route dst='c' names nothing; expected a host or router that stands before it"},
    {ZONE HOSTS "<route src='a' dst='z'/>" END, "in.xml:4: route dst='z'; expected a host or router of zone 'z'"},
    {ZONE HOSTS "<route src='a' dst='b'/>" END, "in.xml:4: route without links; expected link_ctn in it"},
    {ZONE HOSTS "<route src='a' dst='b'>\n<link_ctn id='l'/></route>" END,
     "in.xml:5: link_ctn id='l' names no link; expected one that stands before it"},
    {ZONE HOSTS LINK "<route src='a' dst='b'>\n<link_ctn id='l' direction='UP'/></route>" END,
     "in.xml:6: link_ctn direction=UP of 'l', which is not split; expected no direction"},
    {ZONE HOSTS "<link id='l' bandwidth='1MBps' sharing_policy='SPLITDUPLEX'/><route src='a' dst='b'>\n"
                "<link_ctn id='l'/></route>" END,
     "in.xml:5: link_ctn of the split link 'l'; expected direction UP or DOWN"},
    {ZONE HOSTS LINK "<route src='a' dst='b'><link_ctn id='l'/></route>\n"
                     "<route src='b' dst='a'><link_ctn id='l'/></route>" END,
     "in.xml:6: a second route from 'b' to 'a'; expected one: routes hold both ways unless symmetrical is NO"},
    {ZONE "<zone id='x' routing='Full'><host id='p' speed='1Gf'/></zone><zone id='y' routing='Full'>"
          "<host id='q' speed='1Gf'/></zone>" LINK "<link id='m' bandwidth='1MBps'/>"
          "<zoneRoute src='x' dst='y' gw_src='p' gw_dst='q'><link_ctn id='l'/></zoneRoute>\n"
          "<zoneRoute src='y' dst='x' gw_src='q' gw_dst='p'><link_ctn id='m'/></zoneRoute>" END,
     "in.xml:5: a second route from 'y' to 'x'; expected one: routes hold both ways unless symmetrical is NO"},
    {ZONE HOSTS LINK "<route src='a' dst='b' symmetrical='maybe'><link_ctn id='l'/></route>" END,
     "in.xml:5: route symmetrical='maybe'; expected YES or NO"},
    {ZONE "<zone id='x' routing='Full'><host id='a' speed='1f'/></zone>\n"
          "<zone id='y' routing='Full'><host id='b' speed='1f'/></zone>\n" LINK
          "<zoneRoute src='x' dst='y' gw_src='a' gw_dst='a'><link_ctn id='l'/></zoneRoute>" END,
     "in.xml:6: zoneRoute gw_dst='a'; expected a host or router in zone 'y'"},
    {P "<zone id='z' routing='None'>\n" HOSTS LINK "<route src='a' dst='b'><link_ctn id='l'/></route>" END,
     "in.xml:5: route in a zone with routing None; expected none there"},
    {ZONE HOSTS LINK "<bypassRoute src='a' dst='b'><link_ctn id='l'/></bypassRoute>\n"
                     "<bypassRoute src='a' dst='b'><link_ctn id='l'/></bypassRoute>" END,
     "in.xml:6: a second bypass from 'a' to 'b'; expected one"},

    /* clusters */
    {P CLUSTER "radical='0-2000000000'/></platform>",
     "in.xml:2: cluster 'c' with radical '0-2000000000' brings more than 1000000 hosts; expected fewer"},
    {P CLUSTER "radical='0-99999999999'/></platform>",
     "in.xml:2: cluster 'c' with radical '0-99999999999'; expected numbers and ranges such as 0-3,7"},
    {P CLUSTER "radical='5-2'/></platform>",
     "in.xml:2: cluster 'c' with radical '5-2'; expected numbers and ranges such as 0-3,7"},
    {P CLUSTER "radical='0-3' bb_lat='1us'/></platform>",
     "in.xml:2: cluster 'c' with bb_lat but without bb_bw; expected both"},
    {P CLUSTER "radical='0-3' topology='CUBE'/></platform>",
     "in.xml:2: cluster 'c' with topology 'CUBE'; expected FLAT, TORUS, FAT_TREE or DRAGONFLY"},
    {P CLUSTER "radical='0-3' topology='TORUS' topo_parameters='999999,999999,999999'/></platform>",
     "in.xml:2: cluster 'c' brings more than 1000000 hosts or 8000000 links; expected fewer"},
    {P CLUSTER "radical='0-3' topology='TORUS' topo_parameters='3,2'/></platform>",
     "in.xml:2: cluster 'c' with 4 numbers in radical; expected 6, one for every host"},
    {P CLUSTER "radical='0-3' topology='FAT_TREE' topo_parameters='2;2,2;1'/></platform>",
     "in.xml:2: cluster 'c' with topo_parameters '2;2,2;1'; expected levels;children;parents;cables, each a level's, "
     "such as 2;4,4;1,2;1,2"},
    {P CLUSTER "radical='0-9' topology='DRAGONFLY' topo_parameters='5,1;1,1;2,1;1'/></platform>",
     "in.xml:2: cluster 'c' with topo_parameters '5,1;1,1;2,1;1'; expected "
     "groups,cables;chassis,cables;blades,cables;nodes, at most as many groups as blades: 3,4;4,3;5,1;2"},
};

START_TEST(test_errors)
{
    expect_error(errors[_i].xml, strlen(errors[_i].xml), errors[_i].message);
}
END_TEST

START_TEST(test_depth)
{
    text_buffer deep = {0};
    text_add(&deep, "<platform version='4.1'>");
    for (int i = 0; i < 10000; i++) {
        text_addf(&deep, "\n<zone id='z%d' routing='Full'>", i);
    }
    expect_error(deep.data, deep.size,
                 "in.xml:66: zone 'z64' is 64 deep in others; expected at most 64 zones in each other");
    text_clear(&deep);
}
END_TEST

/* Files that lose a part or have bytes changed: an answer or a message of one line, and no harm. */
START_TEST(test_damaged)
{
    static const char whole[] =
        "<?xml version='1.0'?><!DOCTYPE platform SYSTEM 'x.dtd'>" P "<zone id='w' routing='Floyd'>"
        "<zone id='x' routing='Full'>" HOSTS LINK "<route src='a' dst='b'><link_ctn id='l'/></route></zone>" CLUSTER
        "radical='0-3' topology='TORUS' topo_parameters='2,2' limiter_link='1MBps'/>"
        "<link id='m' bandwidth='1MBps' sharing_policy='SPLITDUPLEX'/><zoneRoute src='x' dst='c' gw_src='a' "
        "gw_dst='p1'>"
        "<link_ctn id='m' direction='UP'/></zoneRoute></zone></platform>";
    uint64_t state = 7;
    int read = 0;
    for (int round = 0; round < 4000; round++) {
        char data[sizeof whole];
        size_t size = sizeof whole - 1;
        memcpy(data, whole, sizeof whole);
        if (round % 2 == 0) {
            size = (size_t)random_below(&state, (int64_t)size);
        } else {
            data[random_below(&state, (int64_t)size)] = (char)random_below(&state, 256);
        }
        inlay_machine *machine = NULL;
        inlay_diag *diag = inlay_diag_new();
        int status = simgrid_machine_from(data, size, "in.xml", NULL, 0, &machine, diag);
        ck_assert(status == INLAY_OK || status == INLAY_BAD_INPUT);
        ck_assert_int_eq(status == INLAY_OK, machine != NULL);
        ck_assert_int_eq(status == INLAY_OK, inlay_diag_message(diag)[0] == '\0');
        ck_assert_ptr_null(strchr(inlay_diag_message(diag), '\n'));
        read += status == INLAY_OK;
        inlay_machine_free(machine);
        inlay_diag_free(diag);
    }
    ck_assert_int_gt(read, 10);
    ck_assert_int_lt(read, 2000);
}
END_TEST

START_TEST(test_looks_like)
{
    static const char *const platforms[] = {"<platform version='4'>", "\xEF\xBB\xBF<platform/>",
                                            "<?xml version='1.0'?>\n<!-- <dax> -->\n<!DOCTYPE platform SYSTEM 'x'>"};
    static const char *const others[] = {
        "", "<", "<!--", "<?xml version='1.0'?><adag/>", "digraph g {}", "<!DOCTYPE html>"};
    for (size_t i = 0; i < sizeof platforms / sizeof *platforms; i++) {
        ck_assert(simgrid_looks_like(platforms[i], strlen(platforms[i])));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        ck_assert(!simgrid_looks_like(others[i], strlen(others[i])));
    }
}
END_TEST

Suite *suite_simgrid_errors(void)
{
    Suite *suite = suite_create("simgrid_errors");
    TCase *tests = tcase_create("errors");
    tcase_add_loop_test(tests, test_errors, 0, (int)(sizeof errors / sizeof *errors));
    tcase_add_test(tests, test_depth);
    tcase_add_test(tests, test_damaged);
    tcase_add_test(tests, test_looks_like);
    suite_add_tcase(suite, tests);
    return suite;
}

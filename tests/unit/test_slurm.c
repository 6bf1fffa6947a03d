// SPDX-License-Identifier: GPL-3.0-or-later
/* Slurm's files as machines: records of every style by hand, lists of hosts and trees of switches at random. */
#include "starve.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <inlay/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROOM = 512 };

/* ---- Files of a folder of the test's own ---- */

static char folder[64];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/inlay-unit-slurm-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static const char *const file_names[] = {"slurm.conf", "topology.conf", "nodes.conf", "other.conf", "topology.yaml"};

static void path_of(const char *name, char path[ROOM])
{
    snprintf(path, ROOM, "%s/%s", folder, name);
}

static void put(const char *name, const char *text)
{
    char path[ROOM];
    path_of(name, path);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static void remove_folder(void)
{
    char path[ROOM];
    for (size_t i = 0; i < sizeof file_names / sizeof *file_names; i++) {
        path_of(file_names[i], path);
        unlink(path);
    }
    rmdir(folder);
}

static inlay_machine *machine_of(const char *attributes, inlay_diag *diag)
{
    char path[2 * ROOM];
    inlay_machine *machine = NULL;
    snprintf(path, sizeof path, "%s/slurm.conf%s", folder, attributes);
    int status = inlay_machine_read(path, &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    return machine;
}

static bool warned(const inlay_diag *diag, const char *text)
{
    bool found = false;
    for (size_t i = 0; i < inlay_diag_warnings(diag); i++) {
        found = found || strstr(inlay_diag_warning(diag, i), text) != NULL;
    }
    return found;
}

static void expect_warning(const inlay_diag *diag, const char *text)
{
    ck_assert_msg(warned(diag, text), "no warning '%s'", text);
}

/* "NAME:CORES:MEMORY:TYPE ..." of every host; memory in MiB. */
static void expect_hosts(const inlay_machine *machine, const char *expected)
{
    char found[4 * ROOM] = "", name[INLAY_MACHINE_NAME];
    inlay_id p = 0, processors = inlay_machine_processors(machine);
    for (inlay_id host = 0; host < inlay_machine_hosts(machine); host++) {
        inlay_processor is = inlay_machine_processor(machine, p);
        inlay_id first = p;
        while (p < processors && inlay_machine_host(machine, p) == host) {
            p++;
        }
        size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "%s%s:%d:%lld:%s", host == 0 ? "" : " ",
                 inlay_machine_node_name(machine, host, name), (int)(p - first),
                 (long long)(is.memory < 0 ? is.memory : is.memory >> 20), is.type != NULL ? is.type : "");
    }
    ck_assert_str_eq(found, expected);
}

/* ---- One file ---- */

static const struct {
    const char *text, *hosts;
} files[] = {
    {"NodeName=n1\n", "n1:1:-1:"},
    {"NodeName=n1 CPUs=8 RealMemory=1000 Features=a,b\n", "n1:8:1000:a"},
    {"nodename=n1 cpus=8 REALMEMORY=1000 features=a\n", "n1:8:1000:a"},
    {"NodeName = n1 CPUs = 8 RealMemory +=1000 Reason=\"bad fan # no\"\n# NodeName=n2\n",
     NULL}, /* `#` in quotes begins a comment, as in Slurm */
    {"NodeName = n1 CPUs = 8 RealMemory +=1000 Reason=\"bad fan\" # CPUs=9\n# NodeName=n2\n", "n1:8:1000:"},
    {"\xEF\xBB\xBFNodeName=n1 CPUs=8 \\\r\n  RealMemory=5 # here\r\n\r\nNodeName=n2 \\   \n CPUs=2",
     "n1:8:5: n2:2:-1:"},
    {"NodeName=n[08-11],m1-ib CPUs=2\n", "n08:2:-1: n09:2:-1: n10:2:-1: n11:2:-1: m1-ib:2:-1:"},
    {"NodeName=r[1-2]n[1,3]x\n", "r1n1x:1:-1: r1n3x:1:-1: r2n1x:1:-1: r2n3x:1:-1:"},
    {"NodeName=DEFAULT Sockets=2 CoresPerSocket=4 RealMemory=10\nNodeName=a\nNodeName=b CoresPerSocket=6\n"
     "NodeName=DEFAULT RealMemory=20\nNodeName=c\n",
     "a:8:10: b:12:10: c:8:20:"},
    /* cores, not threads */
    {"NodeName=a CPUs=64 Sockets=2 CoresPerSocket=16 ThreadsPerCore=2\n", "a:32:-1:"},
    {"NodeName=a Sockets=2 CoresPerSocket=16 ThreadsPerCore=2\n", "a:32:-1:"},
    {"NodeName=a Boards=2 SocketsPerBoard=2 CoresPerSocket=3\n", "a:12:-1:"},
    {"NodeName=a CPUs=64 ThreadsPerCore=2\n", "a:32:-1:"},
    {"NodeName=a CPUs=8 Sockets=2 CoresPerSocket=16\n", "a:8:-1:"},
    {"NodeName=a CPUs=16 Sockets=2 ThreadsPerCore=2\n", "a:8:-1:"},
    {"NodeName=a Procs=6\n", "a:6:-1:"},
    {"NodeName=a CPUs=1 ThreadsPerCore=2\n", "a:1:-1:"},
    /* states */
    {"NodeName=a\nNodeName=b State=DOWN\nNodeName=c State=drain\nNodeName=d State=FAILING\nNodeName=e State=CLOUD\n"
     "NodeName=f State=FUTURE\n",
     "a:1:-1: d:1:-1: e:1:-1:"},
    {"DownNodes=b[1-2] State=DOWN\nNodeName=b[0-3]\n", "b0:1:-1: b3:1:-1:"},
    {"NodeName=b[0-3]\nDownNodes=b0 State=UNKNOWN\n", "b0:1:-1: b1:1:-1: b2:1:-1: b3:1:-1:"},
    /* partitions */
    {"NodeName=a[1-3]\nPartitionName=p Nodes=a1\n", "a1:1:-1: a2:1:-1: a3:1:-1:"},
    {"NodeName=a[1-3]\nPartitionName=p Nodes=a1\npartitionname=q nodes=a[2-3] default=yes\n", "a2:1:-1: a3:1:-1:"},
    {"NodeName=a[1-3]\nPartitionName=DEFAULT Nodes=a2 Default=YES\nPartitionName=q\n", "a2:1:-1:"},
    {"NodeName=a[1-3]\nPartitionName=q Nodes=ALL Default=YES\n", "a1:1:-1: a2:1:-1: a3:1:-1:"},
    {"NodeSet=s Nodes=a3 Feature=x\nNodeName=a[1-3]\nNodeName=b Features=y,x\nPartitionName=q Nodes=s,a1 Default=YES\n",
     "a1:1:-1: a3:1:-1: b:1:-1:y"},
    /* sinfo */
    {"NODELIST CPUS MEMORY GRES PARTITION\nn1 8 1000 (null) p\nn2 4 2000+ gpu:2 p\nn2 4 2000 gpu:2 q*\n", "n2:4:2000:"},
    {"NODELIST  CPUS  S:C:T  STATE\nn[1-2]  16  2:4:2  idle\nn3 16+ 1:1:1+ down*\n\n", "n1:8:-1: n2:8:-1:"},
    {"\nCPUS(A/I/O/T) THREADS NODELIST CPUS AVAIL_FEATURES REASON\r\n1 2 a 8 x,y none at all\r\n", "a:4:-1:x"},
};

START_TEST(hosts_of_a_file)
{
    inlay_diag *diag = inlay_diag_new();
    put("slurm.conf", files[_i].text);
    if (files[_i].hosts != NULL) {
        inlay_machine *machine = machine_of("", diag);
        expect_hosts(machine, files[_i].hosts);
        inlay_machine_free(machine);
    } else {
        char path[ROOM];
        inlay_machine *machine = NULL;
        path_of("slurm.conf", path);
        ck_assert_int_eq(inlay_machine_read(path, &machine, diag), INLAY_BAD_INPUT);
    }
    inlay_diag_free(diag);
}
END_TEST

/* ---- Several files, attributes, and what is said ---- */

static void expect_link(const inlay_machine *machine, inlay_id from, inlay_id to, inlay_id length, double capacity,
                        double latency)
{
    inlay_id route[8];
    ck_assert_int_eq(inlay_machine_route(machine, from, to, route, 8), length);
    inlay_machine_link link = inlay_machine_link_at(machine, route[length / 2]);
    ck_assert_double_eq_tol(link.capacity, capacity, 1e-6 * capacity);
    ck_assert_double_eq_tol(link.latency, latency, 1e-12);
}

START_TEST(a_cluster)
{
    inlay_diag *diag = inlay_diag_new();
    put("slurm.conf", "ClusterName=lab\nInclude nodes.conf\nPartitionName=p Nodes=n[0-3] Default=YES MaxNodes=2\n"
                      "PartitionName=g Nodes=m[0-1]\n");
    put("nodes.conf", "include other.conf\nNodeName=n[0-3] Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 Spokes=4\n"
                      "NodeName=n4 State=DOWN\n");
    put("other.conf", "NodeName=m[0-1] CPUs=8 Gres=gpu:a100:4(S:0,1),shard:64,gpu Features=epyc\n");
    put("topology.conf", "SwitchName=s0 Nodes=n[0-1],m0 LinkSpeed=10\nSwitchName=s1 Nodes=n[2-3],m1 linkspeed=10\n"
                         "SwitchName=top Switches=s[0-1]\n");

    inlay_machine *machine = machine_of("", diag);
    ck_assert_str_eq(inlay_machine_name(machine), "lab");
    expect_hosts(machine, "n0:4:-1: n1:4:-1: n2:4:-1: n3:4:-1:");
    ck_assert_int_eq(inlay_machine_nodes(machine), 4 + 3);
    expect_link(machine, 0, 4, 2, 1.25e9, 5e-6);
    expect_link(machine, 0, 8, 4, 2.5e9, 5e-6);
    ck_assert_double_eq(inlay_machine_processor(machine, 0).speed, 1);
    expect_warning(diag, "the machine is the default partition 'p', 4 of 7 nodes");
    expect_warning(diag, "a job in the partition 'p' may have 2 nodes");
    expect_warning(diag, ": 16 further hardware threads are left out");
    expect_warning(diag, "nodes.conf:2: 'Spokes', which is no setting of a node, is left out (1 such in all)");
    expect_warning(diag, "LinkSpeed of 2 switches is left out");
    expect_warning(diag, "cables have 10 Gbit/s (capacity=) and 5 us (link_latency=)");
    ck_assert(!warned(diag, "GPU"));
    inlay_machine_free(machine);

    machine = machine_of(",partition=g,capacity=100Gbit/s,link_latency=1us,uplink_capacity=1GB/s,speed.epyc=2Gf", diag);
    expect_hosts(machine, "m0:8:-1:epyc m1:8:-1:epyc");
    expect_link(machine, 0, 8, 4, 1e9, 1e-6);
    expect_warning(diag, ": 10 GPUs of 2 nodes are left out");
    ck_assert(!warned(diag, "cables have") && !warned(diag, "the machine is"));
    inlay_machine_free(machine);

    machine = machine_of(",partition=all,topology=none", diag);
    ck_assert_int_eq(inlay_machine_hosts(machine), 6);
    ck_assert_int_eq(inlay_machine_nodes(machine), 7);
    expect_warning(diag, ": 1 node is left out, down or drained");
    inlay_machine_free(machine);

    machine = machine_of(",capacity=2msg/tick", diag);
    ck_assert_int_eq(inlay_machine_link_unit(machine), INLAY_UNIT_TICK);
    expect_link(machine, 0, 8, 4, 4, 0);
    inlay_machine_free(machine);
    inlay_diag_free(diag);
}
END_TEST

/* Blocks, parts that no switch joins, nodes without a switch and of another cluster, and a switch called like a node. */
START_TEST(topologies)
{
    inlay_diag *diag = inlay_diag_new();
    put("slurm.conf", "NodeName=n[0-4]\n");
    put("topology.conf", "BlockName=b0 Nodes=n[0-1]\nBlockName=n4 Nodes=n[2-3],x[1-3]\nBlockSizes=2,4\n");
    inlay_machine *machine = machine_of("", diag);
    ck_assert_int_eq(inlay_machine_nodes(machine), 5 + 3);
    ck_assert_int_eq(inlay_machine_distance(machine, 0, 1), 2);
    ck_assert_int_eq(inlay_machine_distance(machine, 0, 2), 4);
    ck_assert_int_eq(inlay_machine_distance(machine, 0, 4), 3);
    expect_warning(diag, "2 parts of the topology and 1 nodes without a switch are joined by one more switch");
    expect_warning(diag, "that the cluster does not have are left out: 3, such as 'x1'");
    inlay_machine_free(machine);

    put("topology.conf", "SwitchName=a Nodes=n[0-4]\nSwitchName=b Switches=a\nSwitchName=c Switches=b\n");
    machine = machine_of("", diag);
    ck_assert_int_eq(inlay_machine_nodes(machine), 5 + 1);
    inlay_machine_free(machine);
    inlay_diag_free(diag);
}
END_TEST

/* ---- At random ---- */

static unsigned draw(unsigned *state, unsigned below)
{
    *state = *state * 1103515245 + 12345;
    return (*state >> 8) % below;
}

/* A list in ranges, and beside it the names that it stands for, one by one. */
START_TEST(lists_at_random)
{
    static char list[8192], expected[65536];
    unsigned state = (unsigned)_i + 1, count = 1 + draw(&state, 6);
    size_t used = (size_t)snprintf(list, sizeof list, "NodeName="), told = 0;
    for (unsigned item = 0; item < count; item++) {
        unsigned width = 1 + draw(&state, 3), first = draw(&state, 12), last = first + draw(&state, 9);
        unsigned other = draw(&state, 3); /* names in a second bracket; 0: none */
        used += (size_t)snprintf(list + used, sizeof list - used, "%sk%u-[%0*u-%0*u,%0*u]", item > 0 ? "," : "", item,
                                 (int)width, first, (int)draw(&state, 4), last, (int)width, 100 + item);
        used += other == 0 ? 0 : (size_t)snprintf(list + used, sizeof list - used, "x[%u-%u]y", 7u, 6 + other);
        for (unsigned n = first; n <= last + 1; n++) {
            char name[64];
            snprintf(name, sizeof name, "k%u-%0*u", item,
                     (int)(n > last || width > (first > 9 ? 2 : 1) ? width
                           : first > 9                             ? 2
                                                                   : 1),
                     n > last ? 100 + item : n);
            for (unsigned o = 7; o <= 6 + other || (other == 0 && o == 7); o++) {
                told += (size_t)snprintf(expected + told, sizeof expected - told, "%s", name);
                told += other == 0 ? 0 : (size_t)snprintf(expected + told, sizeof expected - told, "x%uy", o);
                told += (size_t)snprintf(expected + told, sizeof expected - told, "\n");
            }
        }
    }
    snprintf(list + used, sizeof list - used, " CPUs=1\n");
    put("slurm.conf", list);
    inlay_machine *machine = machine_of("", NULL);
    const char *at = expected;
    for (inlay_id host = 0; host < inlay_machine_hosts(machine); host++) {
        char name[INLAY_MACHINE_NAME];
        inlay_machine_node_name(machine, host, name);
        size_t size = strcspn(at, "\n");
        ck_assert_msg(strlen(name) == size && memcmp(at, name, size) == 0, "%s\n%s, not %.*s", list, name, (int)size,
                      at);
        at += size + 1;
    }
    ck_assert_str_eq(at, "");
    inlay_machine_free(machine);
}
END_TEST

/* A tree of drawn parents: the links between two nodes, counted upwards from both until the ways meet. */
START_TEST(trees_at_random)
{
    enum { SWITCHES = 12, NODES = 20 };
    static char text[8192];
    unsigned state = (unsigned)_i * 31 + 7;
    int above[SWITCHES], of[NODES];
    size_t used = 0;
    for (int i = 0; i < SWITCHES; i++) {
        above[i] = i == 0 ? -1 : (int)draw(&state, (unsigned)i);
    }
    for (int n = 0; n < NODES; n++) {
        of[n] = (int)draw(&state, SWITCHES);
    }
    for (int i = SWITCHES; i-- > 0;) { /* those above stand behind those below, or not */
        const char *lead = " Nodes=";
        used += (size_t)snprintf(text + used, sizeof text - used, "SwitchName=s%02d", i);
        for (int n = 0; n < NODES; n++) {
            if (of[n] == i) {
                used += (size_t)snprintf(text + used, sizeof text - used, "%sn%d", lead, n);
                lead = ",";
            }
        }
        lead = " Switches=";
        for (int below = i + 1; below < SWITCHES; below++) {
            if (above[below] == i) {
                used += (size_t)snprintf(text + used, sizeof text - used, "%ss[%02d]", lead, below);
                lead = ",";
            }
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "\n");
    }
    put("slurm.conf", "NodeName=n[0-19]\n");
    put("topology.conf", text);
    inlay_machine *machine = machine_of("", NULL);
    for (int a = 0; a < NODES; a++) {
        for (int b = 0; b < NODES; b++) {
            int least = 1000, up = 1;
            for (int i = of[a]; i >= 0; i = above[i], up++) {
                int down = 1;
                for (int k = of[b]; k >= 0; k = above[k], down++) {
                    least = k == i && up + down < least ? up + down : least;
                }
            }
            ck_assert_int_eq(inlay_machine_distance(machine, a, b), a == b ? 0 : least);
        }
    }
    inlay_machine_free(machine);
}
END_TEST

/* ---- What is refused ---- */

static const struct {
    const char *text, *topology, *attributes, *message;
} refused[] = {
    {"ClusterName=x\n", NULL, "", ": no nodes; expected some"},
    {"NodeName=\n", NULL, "", ":1: the hosts '': an empty name; expected names such as n[0-3,7],m1"},
    {"NodeName=a,,b\n", NULL, "", ":1: the hosts 'a,,b': an empty name"},
    {"NodeName=n[0-3\n", NULL, "", ":1: the hosts 'n[0-3': a bracket that is not closed"},
    {"NodeName=n0-3]\n", NULL, "", ":1: the hosts 'n0-3]': a bracket that was not opened"},
    {"NodeName=n[]\n", NULL, "", ":1: the hosts 'n[]': a range that is none"},
    {"NodeName=n[3-1]\n", NULL, "", ":1: the hosts 'n[3-1]': a range that is none"},
    {"NodeName=n[1-]\n", NULL, "", ":1: the hosts 'n[1-]': a range that is none"},
    {"NodeName=n[1-2,]\n", NULL, "", ":1: the hosts 'n[1-2,]': a range that is none"},
    {"NodeName=n[1-99999999999]\n", NULL, "", ":1: the hosts 'n[1-99999999999]': a range that is none"},
    {"NodeName=n[0-999999999]\n", NULL, "", ":1: the hosts 'n[0-999999999]' are more than 100000"},
    {"NodeName=n[0-9][0-9][0-9][0-9][0-9][0-9]\n", NULL, "", "are more than 100000; expected fewer"},
    {"NodeName=[0][0][0][0][0][0][0][0][0]\n", NULL, "", "more than 8 brackets in a name"},
    {"NodeName=a\n\nNodeName=a\n", NULL, "", ":3: node 'a' is there already, at line 1; expected each once"},
    {"NodeName=a CPUs=0\n", NULL, "", ":1: CPUs=0 of 'a'; expected a whole number from 1 to 1000000"},
    {"NodeName=a CPUs=nan\n", NULL, "", ":1: CPUs=nan of 'a'; expected"},
    {"NodeName=a CPUs=1e3\n", NULL, "", ":1: CPUs=1e3 of 'a'; expected"},
    {"NodeName=a Sockets=10000 CoresPerSocket=10000\n", NULL, "", ":1: 'a' has 100000000 cores; expected at most"},
    {"NodeName=a RealMemory=99999999999999\n", NULL, "", ":1: RealMemory=99999999999999 of 'a'; expected"},
    {"NodeName=a and more\n", NULL, "", ":1: 'and' in a configuration of Slurm; expected Key=Value"},
    {"NodeName=a Reason=\"x\n", NULL, "", ":1: 'Reason=\"x' in a configuration of Slurm; expected a quote"},
    {"NodeName=a State=DOWN\n", NULL, "", ": all nodes are down or drained; expected some that are up"},
    {"NodeName=a\nInclude nothing.conf\n", NULL, "", ":2: Include nothing.conf, and there is no file "},
    {"NodeName=a\nInclude slurm.conf\n", NULL, "", ":1: node 'a' is there already"},
    {"ClusterName=x\nInclude slurm.conf\n", NULL, "", ":2: Include slurm.conf is one too many; expected"},
    {"NodeName=a\nPartitionName=p Nodes=b Default=YES\n", NULL, "", ":2: 'p' has the node 'b', which is not there"},
    {"NodeName=a\nPartitionName=p Nodes=a\nPartitionName=p\n", NULL, "",
     ":3: partition 'p' is there already, at line 2"},
    {"NodeName=a\nPartitionName=p Default=YES\n", NULL, "", ":2: partition 'p' has no nodes; expected some"},
    {"NodeName=a\nPartitionName=p Nodes=a\n", NULL, ",partition=q", ": no partition 'q'; expected one of p, ALL"},
    {"NodeName=a\n", NULL, ",speed.x=2", ": speed.x=2, and no processor is of that type"},
    {"NodeName=a\n", NULL, ",uplink_capacity=x", ": bad uplink_capacity 'x'; expected a positive rate"},
    {"NodeName=a\n", NULL, ",capacity=x", ": bad capacity 'x'; expected a positive rate"},
    {"NodeName=a\n", NULL, ",topology=/nowhere/topology.conf", "/nowhere/topology.conf: "},
    {"NodeName=a\n", "", "", "/topology.conf: no switches; expected SwitchName or BlockName"},
    {"NodeName=a\n", "NodeName=b\n", "", "/topology.conf:1: 'NodeName' in a topology of Slurm; expected"},
    {"NodeName=a\n", "SwitchName=s Nodes=a\nSwitchName=s\n", "",
     "/topology.conf:2: switch 's' is there already, at line 1"},
    {"NodeName=a\n", "SwitchName=s Nodes=a\nSwitchName=t Nodes=a\n", "", ":2: node 'a' is below 's' and 't'; expected"},
    {"NodeName=a\n", "SwitchName=s Switches=s\n", "", ":1: switch 's' has the switch 's', which is itself"},
    {"NodeName=a\n", "SwitchName=s Switches=t\n", "", ":1: switch 's' has the switch 't', which is not there"},
    {"NodeName=a\n", "SwitchName=s Switches=t\nSwitchName=t Switches=s Nodes=a\n", "",
     ":1: switch 's' is below itself"},
    {"NodeName=a\n", "SwitchName=s Switches=u\nSwitchName=t Switches=u\nSwitchName=u\n", "",
     ":2: switch 'u' is below 's' and 't'; expected a tree"},
    {"NODELIST CPUS\nn1\n", NULL, "", ":2: 1 words; expected 2, one under each column name"},
    {"NODELIST CPUS\nn1 0\n", NULL, "", ":2: '0' under CPUS; expected a whole number from 1 on"},
    {"NODELIST S:C:T\nn1 2:2\n", NULL, "", ":2: '2:2' under S:C:T; expected sockets, cores and threads"},
    {"NODELIST CPUS\n", NULL, "", ": no nodes; expected some"},
};

START_TEST(refusals)
{
    char path[2 * ROOM];
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    put("slurm.conf", refused[_i].text);
    if (refused[_i].topology != NULL) {
        put("topology.conf", refused[_i].topology);
    }
    snprintf(path, sizeof path, "%s/slurm.conf%s", folder, refused[_i].attributes);
    ck_assert_int_eq(inlay_machine_read(path, &machine, diag), INLAY_BAD_INPUT);
    ck_assert_ptr_null(machine);
    ck_assert_msg(strstr(inlay_diag_message(diag), refused[_i].message) != NULL, "'%s', not '%s'",
                  inlay_diag_message(diag), refused[_i].message);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(a_newer_topology)
{
    inlay_diag *diag = inlay_diag_new();
    put("slurm.conf", "NodeName=a[0-1]\n");
    put("topology.yaml", "- topology: x\n");
    inlay_machine *machine = machine_of("", diag);
    expect_warning(diag, "topology.yaml is left out: all nodes are at one switch");
    inlay_machine_free(machine);
    inlay_diag_free(diag);
}
END_TEST

static int try_machine(const void *subject)
{
    inlay_machine *machine = NULL;
    int status = inlay_machine_read(subject, &machine, NULL);
    inlay_machine_free(machine);
    return status;
}

START_TEST(starved)
{
    starve(try_machine, "docs/examples/cluster/slurm.conf,partition=ALL,speed=2Gf", 60);
    starve(try_machine, "tests/cli/machine-files/slurm/files/sinfo.txt", 40);
    starve(try_machine, "tests/cli/machine-files/slurm/files/cluster/slurm.conf", 60);
}
END_TEST

Suite *suite_slurm(void)
{
    Suite *suite = suite_create("slurm");
    TCase *tests = tcase_create("slurm");
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_loop_test(tests, hosts_of_a_file, 0, (int)(sizeof files / sizeof *files));
    tcase_add_test(tests, a_cluster);
    tcase_add_test(tests, topologies);
    tcase_add_test(tests, a_newer_topology);
    tcase_add_loop_test(tests, lists_at_random, 0, 100);
    tcase_add_loop_test(tests, trees_at_random, 0, 40);
    tcase_add_loop_test(tests, refusals, 0, (int)(sizeof refused / sizeof *refused));
    tcase_add_test(tests, starved);
    suite_add_tcase(suite, tests);
    return suite;
}

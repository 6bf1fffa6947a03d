/* Platform files that are written: read back, they are the same machine. */
#include "test_simgrid.h"
#include "unit.h"

#include "base/text.h"
#include "io/simgrid/simgrid.h"
#include <math.h>
#include <string.h>

static inlay_machine *machine_of(const char *text)
{
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_msg(inlay_machine_parse(text, &machine, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return machine;
}

static inlay_machine *written_and_read(const inlay_machine *machine, double tick, const char *contains)
{
    text_buffer text = {0};
    inlay_diag *diag = inlay_diag_new();
    int status = simgrid_machine_to(machine, tick, &text, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert(simgrid_looks_like(text.data, text.size));
    ck_assert_ptr_nonnull(strstr(text.data, contains));
    inlay_machine *back = simgrid_subject_from(text.data, diag);
    text_clear(&text);
    inlay_diag_free(diag);
    return back;
}

/* The same hosts, and between every two the same links one after the other; `seconds` in a unit of the first. */
static void expect_same(const inlay_machine *a, const inlay_machine *b, double seconds)
{
    enum { LONGEST = 64 };
    inlay_id n = inlay_machine_processors(a);
    ck_assert_int_eq(inlay_machine_processors(b), n);
    ck_assert_int_eq(inlay_machine_nodes(b), inlay_machine_nodes(a));
    for (inlay_id from = 0; from < n; from++) {
        ck_assert_int_eq(inlay_machine_host(b, from), inlay_machine_host(a, from));
        ck_assert_double_eq(inlay_machine_processor(b, from).speed, inlay_machine_processor(a, from).speed);
        for (inlay_id to = 0; to < n; to++) {
            inlay_id left[LONGEST];
            inlay_id right[LONGEST];
            inlay_id length = inlay_machine_route(a, from, to, left, LONGEST);
            ck_assert_int_eq(inlay_machine_route(b, from, to, right, LONGEST), length);
            for (inlay_id i = 0; i < length; i++) {
                inlay_machine_link x = inlay_machine_link_at(a, left[i]);
                inlay_machine_link y = inlay_machine_link_at(b, right[i]);
                ck_assert_double_eq_tol(x.capacity / seconds, y.capacity, y.capacity * 1e-15);
                ck_assert_double_eq_tol(x.latency * seconds, y.latency, 1e-18);
            }
        }
    }
}

static const struct {
    const char *machine, *contains;
} same[] = {
    {"mesh:4x4,capacity=1GB/s,link_latency=2us", "routing=\"Full\""},
    {"torus:3x3x2,capacity=1GB/s", "routing=\"Full\""},
    {"ring:5,capacity=1.25GB/s,cores=2,duplex=half", "core=\"2\""},
    {"hypercube:8,capacity=10Mbit/s", "bandwidth=\"1250000Bps\""},
    {"star:16,capacity=1GB/s,link_latency=1us", "routing=\"Cluster\""},
    {"crossbar:6,capacity=1GB/s", "routing=\"Full\""},
    {"tree:3x4,capacity=1GB/s,link_latency=1us", "routing=\"Dijkstra\""},
    {"tree:3x4,capacity=1GB/s,duplex=half", "symmetrical=\"YES\""},
    {"fattree:4x4,up=1x2,cables=1x2,capacity=1GB/s", "routing=\"Full\""},
    {"dragonfly:3x2x3x2,capacity=1GB/s", "routing=\"Full\""},
};

START_TEST(test_same)
{
    inlay_machine *machine = machine_of(same[_i].machine);
    inlay_machine *back = written_and_read(machine, 0, same[_i].contains);
    expect_same(machine, back, 1);
    inlay_machine_free(machine);
    inlay_machine_free(back);
}
END_TEST

/* A message of 100 bytes a tick of 10 us are 10 MB/s. */
START_TEST(test_ticks)
{
    inlay_machine *machine = machine_of("mesh:3x3,capacity=1msg/tick,message_size=100,link_latency=2tick");
    inlay_machine *back = written_and_read(machine, 1e-5, "bandwidth=\"10000000Bps\" latency=\"2e-05s\"");
    ck_assert_double_eq_tol(inlay_machine_link_at(back, 0).capacity, 1e7, 1e-6);
    inlay_machine_free(machine);
    inlay_machine_free(back);
}
END_TEST

/* Every message on a bus passes its one link, with what a message takes besides. */
START_TEST(test_bus)
{
    inlay_machine *machine = machine_of("bus:5,memory=distributed,capacity=1GB/s,latency=3us,transfers=2");
    inlay_machine *back = written_and_read(machine, 0, "routing=\"Cluster\"");
    simgrid_expect_counts(back, 5, 5, 0, 1);
    simgrid_expect_route(back, "p4", "p1", "bus");
    simgrid_expect_latency(back, "p4", "p1", 3e-6);
    ck_assert_double_eq(simgrid_link_of(back, "bus").capacity, 5e8);
    ck_assert(simgrid_link_of(back, "bus").shared);
    inlay_machine_free(machine);
    inlay_machine_free(back);
}
END_TEST

/* What a message takes besides is a link of its own on every route, which nobody waits for. */
START_TEST(test_message_latency)
{
    static const char *const machines[] = {"ring:4,capacity=1GB/s,latency=3us", "star:4,capacity=1GB/s,latency=3us"};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        inlay_machine *machine = machine_of(machines[i]);
        inlay_machine *back = written_and_read(machine, 0, "message");
        simgrid_expect_latency(back, "p0", "p1", 3e-6);
        ck_assert(isinf(simgrid_link_of(back, "message").capacity));
        inlay_machine_free(machine);
        inlay_machine_free(back);
    }
}
END_TEST

/* A platform file stays what it is; types, memory and speeds of its hosts survive where it has to be told anew. */
START_TEST(test_properties)
{
    static const char document[] =
        "<platform version='4.1'><zone id='z' routing='Full'><prop id='inlay_speed' value='2Gf'/>"
        "<host id='a&lt;' speed='1Gf' core='2'><prop id='inlay_type' value='gpu&quot;'/></host>"
        "<host id='b' speed='4Gf'><prop id='inlay_memory' value='4KiB'/></host>"
        "<link id='l' bandwidth='1MBps'/><route src='a&lt;' dst='b'><link_ctn id='l'/></route></zone></platform>";
    static const inlay_attribute late = {"latency", "1us", 0};
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *plain = simgrid_subject_from(document, diag);
    inlay_machine *changed = NULL;
    text_buffer text = {0};
    ck_assert_int_eq(simgrid_machine_to(plain, 0, &text, diag), INLAY_OK);
    ck_assert_str_eq(text.data, document);
    ck_assert_int_eq(simgrid_machine_from(document, strlen(document), "in.xml", &late, 1, &changed, diag), INLAY_OK);
    inlay_machine *back = written_and_read(changed, 0, "inlay_speed");
    inlay_processor a = inlay_machine_processor(back, simgrid_processor_of(back, "a<"));
    inlay_processor b = inlay_machine_processor(back, simgrid_processor_of(back, "b"));
    ck_assert_str_eq(a.type, "gpu\"");
    ck_assert_double_eq(a.speed, 0.5);
    ck_assert_double_eq(b.speed, 2);
    ck_assert_int_eq(b.memory, 4096);
    simgrid_expect_route(back, "b", "a<", "l message");
    text_clear(&text);
    inlay_machine_free(plain);
    inlay_machine_free(changed);
    inlay_machine_free(back);
    inlay_diag_free(diag);
}
END_TEST

static const struct {
    const char *machine, *message;
} refused[] = {
    {"multibus:4,memories=2,buses=2",
     "a machine of family multibus cannot be told as a platform file; expected a bus or a machine with links"},
    {"omega:4", "a machine of family omega cannot be told as a platform file; expected a bus or a machine with links"},
    {"mesh:3x3,capacity=1msg/tick",
     "the machine counts in ticks, a platform file in seconds; expected the length of a tick (--tick 1us)"},
    {"mesh:3x3,capacity=1msg/s",
     "the machine counts messages, a platform file bytes; expected a machine with message_size"},
    {"mesh:32x32,capacity=1GB/s",
     "the routes of 1024 hosts have more than 4000000 links in all; expected a platform file of fewer"},
};

START_TEST(test_refused)
{
    inlay_machine *machine = machine_of(refused[_i].machine);
    text_buffer text = {0};
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(simgrid_machine_to(machine, 0, &text, diag), INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(diag), refused[_i].message);
    ck_assert_uint_eq(text.size, 0);
    inlay_machine_free(machine);
    inlay_diag_free(diag);
    text_clear(&text);
}
END_TEST

Suite *suite_simgrid_write(void)
{
    Suite *suite = suite_create("simgrid_write");
    TCase *tests = tcase_create("writing");
    tcase_add_loop_test(tests, test_same, 0, (int)(sizeof same / sizeof *same));
    tcase_add_test(tests, test_ticks);
    tcase_add_test(tests, test_bus);
    tcase_add_test(tests, test_message_latency);
    tcase_add_test(tests, test_properties);
    tcase_add_loop_test(tests, test_refused, 0, (int)(sizeof refused / sizeof *refused));
    suite_add_tcase(suite, tests);
    return suite;
}

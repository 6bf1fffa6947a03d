// SPDX-License-Identifier: GPL-3.0-or-later
/* This computer as a machine: made-up ones through hwloc's own HWLOC_SYNTHETIC, and the one that the test runs on. */
#include "unit.h"
#include <inlay/inlay.h>
#include <inlay/io.h>
#include <stdlib.h>
#include <string.h>

static bool skipped(void)
{
    if (!inlay_reads_host()) {
        unit_skip("built without hwloc");
    }
    return !inlay_reads_host();
}

static inlay_machine *host_as(const char *synthetic, const char *text, inlay_diag *diag)
{
    inlay_machine *machine = NULL;
    ck_assert_int_eq(synthetic == NULL ? unsetenv("HWLOC_SYNTHETIC") : setenv("HWLOC_SYNTHETIC", synthetic, 1), 0);
    int status = inlay_machine_read(text, &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", synthetic, inlay_diag_message(diag));
    return machine;
}

static const struct {
    const char *synthetic;
    inlay_id hosts, processors;
    int64_t memory; /* of each host */
} computers[] = {
    {"core:6 pu:2", 1, 6, INT64_C(1) << 30}, /* hyperthreads are not counted */
    {"pu:3", 1, 3, INT64_C(1) << 30},
    {"numa:4(memory=16GB) core:8 pu:2", 4, 32, INT64_C(16000000000)},
    {"pack:2 numa:2(memory=1GiB) core:3 pu:1", 4, 12, INT64_C(1) << 30},
    {"pack:2 core:2 pu:1", 2, 4, INT64_C(1) << 29},                                         /* one memory for both */
    {"pack:2 [numa(memory=4GiB)] [numa(memory=1GiB)] core:2 pu:1", 2, 4, INT64_C(5) << 30}, /* two memories each */
};

START_TEST(made_up_computers)
{
    if (skipped()) {
        return;
    }
    inlay_machine *machine = host_as(computers[_i].synthetic, "host", NULL);
    inlay_id hosts = computers[_i].hosts;
    ck_assert_str_eq(inlay_machine_name(machine), "host");
    ck_assert_int_eq(inlay_machine_hosts(machine), hosts);
    ck_assert_int_eq(inlay_machine_nodes(machine), hosts);
    ck_assert_int_eq(inlay_machine_processors(machine), computers[_i].processors);
    ck_assert_int_eq(inlay_machine_links(machine), hosts * (hosts - 1));
    ck_assert(!inlay_machine_links_known(machine) && !inlay_machine_unlike(machine));
    for (inlay_id p = 0; p < inlay_machine_processors(machine); p++) {
        ck_assert_int_eq(inlay_machine_host(machine, p), p / (computers[_i].processors / hosts));
        ck_assert_int_eq(inlay_machine_processor(machine, p).memory, computers[_i].memory);
        ck_assert_int_eq(inlay_machine_distance(machine, 0, p), inlay_machine_host(machine, p) == 0 ? 0 : 1);
    }
    inlay_machine_free(machine);
}
END_TEST

START_TEST(links_are_the_users)
{
    if (skipped()) {
        return;
    }
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine =
        host_as("numa:3 core:2 pu:1", "host,capacity=10GB/s,model=mm1,link_latency=100ns,duplex=half", diag);
    ck_assert_int_eq(inlay_machine_links(machine), 3);
    ck_assert(inlay_machine_exponential(machine) && inlay_machine_links_in_bytes(machine));
    for (int i = 0; i < 3; i++) {
        inlay_machine_link link = inlay_machine_link_at(machine, i);
        ck_assert(link.shared);
        ck_assert_double_eq_tol(link.capacity, 1e10, 1);
        ck_assert_double_eq(link.latency, 1e-7);
    }
    ck_assert_str_eq(inlay_machine_text(machine), "host,capacity=10GB/s,model=mm1,link_latency=100ns,duplex=half");
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_ptr_nonnull(strstr(inlay_diag_warning(diag, 0), "nothing was measured"));
    inlay_machine_free(machine);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(wrong_attributes)
{
    static const char *const texts[] = {"host,capacity=fast", "host,link_latency=-1us", "host,duplex=simplex",
                                        "host,colour=red", "host,"};
    static const char *const messages[] = {
        "host: bad capacity 'fast'; expected ", "host: bad link_latency '-1us'; expected ",
        "host: bad duplex 'simplex'; expected full or half", "host: unknown attribute 'colour'; expected ",
        "host: '' is no attribute; expected attribute=value"};
    if (skipped()) {
        return;
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        inlay_machine *machine = NULL;
        inlay_diag *diag = inlay_diag_new();
        ck_assert_int_eq(inlay_machine_read(texts[i], &machine, diag), INLAY_BAD_INPUT);
        ck_assert_msg(strncmp(inlay_diag_message(diag), messages[i], strlen(messages[i])) == 0, "%s",
                      inlay_diag_message(diag));
        inlay_diag_free(diag);
    }
}
END_TEST

/* Whatever it is: some processors, and at least one host. */
START_TEST(this_computer)
{
    if (skipped()) {
        return;
    }
    inlay_machine *machine = host_as(NULL, "host", NULL);
    ck_assert_int_ge(inlay_machine_processors(machine), 1);
    ck_assert_int_le(inlay_machine_hosts(machine), inlay_machine_processors(machine));
    inlay_machine_free(machine);
}
END_TEST

/* Without hwloc the message says which package to install. */
START_TEST(without_hwloc)
{
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    if (inlay_reads_host()) {
        unit_skip("built with hwloc");
    } else {
        ck_assert_int_eq(inlay_machine_read("host", &machine, diag), INLAY_BAD_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "libhwloc-dev"));
    }
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_host(void)
{
    Suite *suite = suite_create("this computer");
    TCase *tests = tcase_create("this computer");
    tcase_add_loop_test(tests, made_up_computers, 0, (int)(sizeof computers / sizeof *computers));
    tcase_add_test(tests, links_are_the_users);
    tcase_add_test(tests, wrong_attributes);
    tcase_add_test(tests, this_computer);
    tcase_add_test(tests, without_hwloc);
    suite_add_tcase(suite, tests);
    return suite;
}

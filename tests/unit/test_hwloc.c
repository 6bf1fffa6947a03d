// SPDX-License-Identifier: GPL-3.0-or-later
/* hwloc's descriptions of computers as machines: real ones, counted here in the text of the file, and small ones by hand. */
#include "starve.h"
#include "unit.h"

#include "base/file.h"
#include "base/text.h"
#include <dirent.h>
#include <inlay/inlay.h>
#include <inlay/io.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool skipped(void)
{
    if (!inlay_reads_host()) {
        unit_skip("built without hwloc");
    }
    return !inlay_reads_host();
}

/* Whether one of the warnings has both texts. */
static bool warned(const inlay_diag *diag, const char *one, const char *other)
{
    bool found = false;
    for (size_t i = 0; i < inlay_diag_warnings(diag); i++) {
        const char *warning = inlay_diag_warning(diag, i);
        found = found || (strstr(warning, one) != NULL && strstr(warning, other) != NULL);
    }
    return found;
}

/* ---- Real ones ---- */

static int occurrences(const char *text, const char *word)
{
    int count = 0;
    for (; (text = strstr(text, word)) != NULL; text++) {
        count++;
    }
    return count;
}

/* The sum of all local_memory="BYTES". */
static int64_t local_memory(const char *text)
{
    static const char word[] = "local_memory=\"";
    int64_t sum = 0;
    for (; (text = strstr(text, word)) != NULL; text++) {
        sum += strtoll(text + strlen(word), NULL, 10);
    }
    return sum;
}

/* PCI devices in front of an OSDev of type 5. */
static int cards(const char *text)
{
    int count = 0;
    bool in_card = false;
    for (const char *at = text; (at = strstr(at, "<object ")) != NULL; at++) {
        size_t size = strcspn(at, ">");
        char *tag = strndup(at, size);
        ck_assert_ptr_nonnull(tag);
        in_card = in_card && strstr(tag, "\"PCIDev\"") == NULL;
        if (strstr(tag, "osdev_type=\"5\"") != NULL && !in_card) {
            in_card = true;
            count++;
        }
        free(tag);
    }
    return count;
}

/* With gpus=yes each card is a host of one core, with the memory of its first device. */
static void check_cards(const char *path, const char *text, int cores)
{
    int gpus = cards(text);
    const char *memory = strstr(text, "GlobalMemorySize\" value=\"");
    inlay_machine *machine = NULL;
    text_buffer argument = {0};
    text_addf(&argument, "%s,gpus=yes", path);
    inlay_diag *diag = inlay_diag_new();
    inlay_diag_keep_warnings(diag, true);
    ck_assert_msg(inlay_machine_read(argument.data, &machine, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert(!warned(diag, "GPU", " left out"));
    ck_assert_int_eq(inlay_machine_processors(machine), cores + gpus);
    ck_assert_int_eq(inlay_machine_main(machine), 0);
    ck_assert_int_eq(inlay_machine_links(machine), 2 * gpus);
    ck_assert_int_eq(inlay_machine_processor(machine, 0).memory, local_memory(text) > 0 ? local_memory(text) : -1);
    if (gpus > 0) {
        inlay_processor first = inlay_machine_processor(machine, cores);
        ck_assert_str_eq(first.type, "cuda");
        ck_assert_int_eq(first.memory, 1024 * strtoll(strchr(memory, '=') + 2, NULL, 10));
    }
    inlay_machine_free(machine);
    inlay_diag_free(diag);
    text_clear(&argument);
}

static void check_file(const char *path, const char *text)
{
    char number[64];
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_machine_read(path, &machine, diag);
    if (strstr(text, "<topology version=\"3.") != NULL && status != INLAY_OK) { /* of a later libhwloc */
        ck_assert_int_eq(status, INLAY_BAD_INPUT);
        ck_assert_ptr_nonnull(
            strstr(inlay_diag_message(diag), "hwloc's XML of version 3; expected one up to version 2"));
        inlay_diag_free(diag);
        return;
    }
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    int threads = occurrences(text, "<object type=\"PU\""), cores = occurrences(text, "<object type=\"Core\"");
    int nodes = occurrences(text, "<object type=\"NUMANode\""), gpus = cards(text);
    cores = cores > 0 ? cores : threads;
    int64_t memory = local_memory(text);
    ck_assert_int_eq(inlay_machine_hosts(machine), 1);
    ck_assert_int_eq(inlay_machine_links(machine), 0);
    ck_assert_int_eq(inlay_machine_processors(machine), cores);
    for (inlay_id p = 0; p < cores; p++) {
        inlay_processor is = inlay_machine_processor(machine, p);
        ck_assert(is.memory == (memory > 0 ? memory : -1));
        ck_assert_ptr_null(is.type);
        ck_assert_double_eq(is.speed, 1);
    }
    snprintf(number, sizeof number, ": %d further hardware thread", threads - cores);
    ck_assert(warned(diag, number, " left out") == (threads > cores));
    snprintf(number, sizeof number, ": %d GPU", gpus);
    ck_assert(warned(diag, number, " left out") == (gpus > 0));
    snprintf(number, sizeof number, ": %d NUMA nodes count as one", nodes);
    ck_assert(warned(diag, number, "") == (nodes > 1));
    ck_assert(warned(diag, "nothing is said of its memory", "") == (memory == 0));
    inlay_machine_free(machine);
    inlay_diag_free(diag);
    if (strstr(text, "<cpukind") == NULL) {
        check_cards(path, text, cores);
    }
}

START_TEST(real_computers)
{
    char folder[512], path[1024];
    if (skipped()) {
        return;
    }
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    snprintf(folder, sizeof folder, "%s/platform/hwloc", unit_data());
    DIR *all = opendir(folder);
    ck_assert_ptr_nonnull(all);
    int files = 0;
    for (const struct dirent *one; (one = readdir(all)) != NULL;) {
        if (strstr(one->d_name, ".xml") == NULL) {
            continue;
        }
        file_content content = {0};
        snprintf(path, sizeof path, "%s/%s", folder, one->d_name);
        ck_assert_int_eq(file_read(path, &content, NULL), INLAY_OK);
        check_file(path, content.data);
        file_content_clear(&content);
        files++;
    }
    closedir(all);
    ck_assert_int_ge(files, 9);
}
END_TEST

/* ---- Small ones ---- */

#define SETS(bits, nodes)                                                                                              \
    "cpuset=\"" bits "\" complete_cpuset=\"" bits "\" nodeset=\"" nodes "\" complete_nodeset=\"" nodes "\" "
#define PU(number, bit) "<object type=\"PU\" os_index=\"" number "\" " SETS(bit, "0x1") "gp_index=\"1" number "\"/>"
#define CORE(number, bits, threads)                                                                                    \
    "<object type=\"Core\" os_index=\"" number "\" " SETS(bits, "0x1") "gp_index=\"2" number "\">" threads "</object>"
#define MACHINE(version, bits, nodes, content)                                                                         \
    "<topology" version "><object type=\"Machine\" os_index=\"0\" " SETS(                                              \
        bits, nodes) "allowed_cpuset=\"" bits "\" allowed_nodeset=\"" nodes "\" gp_index=\"1\">" content "</object>"
#define NODE(number, bits, node, bytes)                                                                                \
    "<object type=\"NUMANode\" os_index=\"" number "\" " SETS(bits, node) "gp_index=\"3" number                        \
                                                                          "\" local_memory=\"" bytes "\"/>"
#define BANDWIDTH(node, bits, mebibytes)                                                                               \
    "<memattr_value target_obj_type=\"NUMANode\" target_obj_gp_index=\"3" node "\" value=\"" mebibytes                 \
    "\" initiator_cpuset=\"" bits "\"/>"
#define KIND(bits, efficiency, megahertz)                                                                              \
    "<cpukind cpuset=\"" bits "\" forced_efficiency=\"" efficiency                                                     \
    "\"><info name=\"FrequencyMaxMHz\" value=\"" megahertz "\"/></cpukind>"

/* One core of two threads, and two of one. */
#define BIG_AND_SMALL                                                                                                  \
    MACHINE(" version=\"2.0\"", "0xf", "0x1",                                                                          \
            NODE("0", "0xf", "0x1", "6000") CORE("0", "0x3", PU("0", "0x1") PU("1", "0x2"))                            \
                CORE("1", "0x4", PU("2", "0x4")) CORE("2", "0x8", PU("3", "0x8")))

/* Two NUMA nodes of two cores each. */
#define TWO_NODES                                                                                                      \
    MACHINE(" version=\"2.0\"", "0xf", "0x3",                                                                          \
            "<object type=\"Package\" os_index=\"0\" " SETS("0x3", "0x1") "gp_index=\"41\">" NODE(                     \
                "0", "0x3", "0x1", "4096") CORE("0", "0x1", PU("0", "0x1"))                                            \
                CORE("1", "0x2", PU("1", "0x2")) "</object>"                                                           \
                                                 "<object type=\"Package\" os_index=\"1\" " SETS(                      \
                                                     "0xc", "0x2") "gp_index=\"42\">" NODE("1", "0xc", "0x2", "8192")  \
                                                     CORE("2", "0x4", PU("2", "0x4"))                                  \
                                                         CORE("3", "0x8", PU("3", "0x8")) "</object>")

#define MEMATTR(values) "<memattr name=\"Bandwidth\" flags=\"5\">" values "</memattr>"

static inlay_machine *subject(const char *text, const inlay_attribute *attributes, size_t count, inlay_diag *diag)
{
    inlay_machine *machine = NULL;
    int status = inlay_machine_read_with(text, strlen(text), "in.xml", NULL, attributes, count, &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_str_eq(inlay_machine_name(machine), "in");
    return machine;
}

static void expect_processor(const inlay_machine *machine, inlay_id p, inlay_id host, const char *type, double speed,
                             int64_t memory)
{
    inlay_processor is = inlay_machine_processor(machine, p);
    ck_assert_int_eq(inlay_machine_host(machine, p), host);
    ck_assert_str_eq(is.type != NULL ? is.type : "", type);
    ck_assert_double_eq(is.speed, speed);
    ck_assert_int_eq(is.memory, memory);
}

START_TEST(kinds_of_cores)
{
    if (skipped()) {
        return;
    }
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine =
        subject(BIG_AND_SMALL KIND("0x3", "7", "3000") KIND("0xc", "2", "1500") "</topology>", NULL, 0, diag);
    ck_assert_int_eq(inlay_machine_processors(machine), 3);
    expect_processor(machine, 0, 0, "efficient", 0.5, 4000);
    expect_processor(machine, 1, 0, "efficient", 0.5, 4000);
    expect_processor(machine, 2, 1, "fast", 1, 2000);
    ck_assert(warned(diag, "cores of 2 kinds are hosts of their own", "as their FrequencyMaxMHz"));
    inlay_machine_free(machine);

    const inlay_attribute given[] = {{"speed", "4", 0}, {"speed.efficient", "1", 0}};
    machine = subject(BIG_AND_SMALL KIND("0x3", "7", "3000") KIND("0xc", "2", "1500") "</topology>", given, 2, diag);
    expect_processor(machine, 0, 0, "efficient", 1, 4000);
    expect_processor(machine, 2, 1, "fast", 4, 2000);
    inlay_machine_free(machine);

    machine = subject(BIG_AND_SMALL KIND("0x3", "7", "fast") KIND("0xc", "2", "1500") "</topology>", NULL, 0, diag);
    expect_processor(machine, 0, 0, "efficient", 1, 4000);
    expect_processor(machine, 2, 1, "fast", 1, 2000);
    ck_assert(warned(diag, "cores of 2 kinds are hosts of their own", "count as equal"));
    inlay_machine_free(machine);
    inlay_diag_free(diag);
}
END_TEST

/* MiB/s of each node: shared out where the nodes are alike, else of the host; not told of all, it is left out. */
START_TEST(bandwidth_of_memory)
{
    static const struct {
        const char *text;
        double bytes;    /* 0: none */
        inlay_id second; /* the memory of the second half of the cores */
    } cases[] = {
        {TWO_NODES MEMATTR(BANDWIDTH("0", "0x3", "1000") BANDWIDTH("1", "0xc", "1000")) "</topology>", 1048576000, 1},
        {TWO_NODES MEMATTR(BANDWIDTH("0", "0x3", "1000") BANDWIDTH("1", "0xc", "500")) "</topology>", 1572864000, 0},
        {TWO_NODES MEMATTR(BANDWIDTH("0", "0x3", "1000")) "</topology>", 0, 0},
        {TWO_NODES "</topology>", 0, 0},
    };
    if (skipped()) {
        return;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_rate host, core;
        inlay_diag *diag = inlay_diag_new();
        inlay_machine *machine = subject(cases[i].text, NULL, 0, diag);
        ck_assert_int_eq(inlay_machine_processors(machine), 4);
        expect_processor(machine, 3, 0, "", 1, 4096 + 8192);
        ck_assert(inlay_machine_memory_bandwidth(machine, &host, &core) == (cases[i].bytes > 0));
        ck_assert_double_eq(host.value, cases[i].bytes);
        ck_assert_int_eq(inlay_machine_board(machine, 1), 0);
        ck_assert_int_eq(inlay_machine_board(machine, 2), cases[i].second);
        ck_assert(warned(diag, "memory bandwidth is left out", "1 of 2 NUMA nodes") == (i == 2));
        inlay_machine_free(machine);
        inlay_diag_free(diag);
    }
}
END_TEST

/* As hwloc 1 wrote it: memory stands at what is around it. */
#define FIRST_VERSION                                                                                                  \
    "<topology><object type=\"Machine\" os_index=\"0\" cpuset=\"0xf\" complete_cpuset=\"0xf\" online_cpuset=\"0xf\" "  \
    "allowed_cpuset=\"0xf\" local_memory=\"1048576\"><object type=\"Socket\" os_index=\"0\" cpuset=\"0xf\" "           \
    "complete_cpuset=\"0xf\" online_cpuset=\"0xf\" allowed_cpuset=\"0xf\">"                                            \
    "<object type=\"Core\" os_index=\"0\" cpuset=\"0x3\" complete_cpuset=\"0x3\" online_cpuset=\"0x3\" "               \
    "allowed_cpuset=\"0x3\"><object type=\"PU\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" "                \
    "online_cpuset=\"0x1\" allowed_cpuset=\"0x1\"/><object type=\"PU\" os_index=\"1\" cpuset=\"0x2\" "                 \
    "complete_cpuset=\"0x2\" online_cpuset=\"0x2\" allowed_cpuset=\"0x2\"/></object>"                                  \
    "<object type=\"Core\" os_index=\"1\" cpuset=\"0xc\" complete_cpuset=\"0xc\" online_cpuset=\"0xc\" "               \
    "allowed_cpuset=\"0xc\"><object type=\"PU\" os_index=\"2\" cpuset=\"0x4\" complete_cpuset=\"0x4\" "                \
    "online_cpuset=\"0x4\" allowed_cpuset=\"0x4\"/><object type=\"PU\" os_index=\"3\" cpuset=\"0x8\" "                 \
    "complete_cpuset=\"0x8\" online_cpuset=\"0x8\" allowed_cpuset=\"0x8\"/></object></object></object></topology>"

START_TEST(first_version)
{
    if (skipped()) {
        return;
    }
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = subject(FIRST_VERSION, NULL, 0, diag);
    ck_assert_int_eq(inlay_machine_processors(machine), 2);
    expect_processor(machine, 1, 0, "", 1, 1048576);
    ck_assert(warned(diag, ": 2 further hardware threads are left out", ""));
    inlay_machine_free(machine);
    inlay_diag_free(diag);
}
END_TEST

/* Of the second core nothing was allowed where lstopo ran. */
START_TEST(what_was_not_allowed)
{
    if (skipped()) {
        return;
    }
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine =
        subject("<topology version=\"2.0\"><object type=\"Machine\" os_index=\"0\" " SETS(
                    "0xf", "0x1") "allowed_cpuset=\"0xb\" allowed_nodeset=\"0x1\" gp_index=\"1\">" NODE("0", "0xf",
                                                                                                        "0x1", "6000")
                    CORE("0", "0x3", PU("0", "0x1") PU("1", "0x2")) CORE("1", "0x4", PU("2", "0x4"))
                        CORE("2", "0x8", PU("3", "0x8")) "</object></topology>",
                NULL, 0, diag);
    ck_assert_int_eq(inlay_machine_processors(machine), 2);
    ck_assert(warned(diag, ": 1 further hardware thread is left out", ""));
    ck_assert(warned(diag, ": 1 hardware thread is left out", "not allowed"));
    inlay_machine_free(machine);
    inlay_diag_free(diag);
}
END_TEST

/* ---- What is refused ---- */

START_TEST(refused)
{
    static const struct {
        const char *text;
        inlay_attribute given;
        const char *message;
    } cases[] = {
        {"<topology version=\"2.0\">\n<info></topology>", {"price", "1", 0}, "in.xml:2: not well-formed XML ("},
        {"<topology version=\"2.0\"/>",
         {"price", "1", 0},
         "in.xml: hwloc's description of a computer without a hardware thread (PU) that may be used; expected one"},
        {"<topology version=\"99\"/>", {"price", "1", 0}, "in.xml: hwloc's XML of version 99; expected one up to "},
        {"<topology version=\"x\"><object type=\"Machine\"/></topology>",
         {"price", "1", 0},
         "in.xml:1: the object 'Machine' lacks one of its sets"},
        {MACHINE(" version=\"2.0\"", "0x3", "0x1",
                 NODE("0", "0x3", "0x1", "1") CORE("0", "0x2", PU("1", "0x2"))
                     CORE("1", "0x1", PU("0", "0x1"))) "</topology>",
         {"price", "1", 0},
         "in.xml:1: the object 'Core' is not behind its neighbours, or shares threads with one"},
        {MACHINE(" version=\"2.0\"", "0x1", "0x1",
                 NODE("0", "0x1", "0x1", "1") CORE("0", "0x2", PU("1", "0x2"))) "</topology>",
         {"price", "1", 0},
         "in.xml:1: the object 'Core' has threads that the object around it has not"},
        {MACHINE(" version=\"2.0\"", "0x3", "0x1", NODE("0", "0x3", "0x1", "1") PU("1", "0x1")) "</topology>",
         {"price", "1", 0},
         "in.xml:1: the object 'PU' has another set than its number"},
        {MACHINE(" version=\"2.0\"", "0x1", "0x1", PU("0", "0x1")) "</topology>",
         {"price", "1", 0},
         "in.xml: hwloc's description of a computer without memory (NUMANode) that may be used; expected one"},
        {"<!DOCTYPE topology [<!ENTITY a 'b'>]>\n<topology/>",
         {"price", "1", 0},
         "in.xml:1: the document declares the entity 'a'; expected hwloc's description of a computer without entities"},
        {BIG_AND_SMALL "</topology>", {"speed", "0", 0}, "in.xml: bad speed '0'; expected a positive number"},
        {BIG_AND_SMALL "</topology>", {"speed.gpu", "1", 0}, "in.xml: speed.gpu=1, and no processor is of that type; "},
        {BIG_AND_SMALL "</topology>", {"colour", "red", 0}, "in.xml: unknown attribute 'colour'"},
    };
    if (skipped()) {
        return;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_machine *machine = NULL;
        inlay_diag *diag = inlay_diag_new();
        int status = inlay_machine_read_with(cases[i].text, strlen(cases[i].text), "in.xml", NULL, &cases[i].given, 1,
                                             &machine, diag);
        ck_assert_int_eq(status, INLAY_BAD_INPUT);
        ck_assert_ptr_null(machine);
        ck_assert_msg(strncmp(inlay_diag_message(diag), cases[i].message, strlen(cases[i].message)) == 0, "%s",
                      inlay_diag_message(diag));
        inlay_diag_free(diag);
    }
}
END_TEST

START_TEST(without_hwloc)
{
    if (inlay_reads_host()) {
        unit_skip("built with hwloc");
        return;
    }
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_ne(inlay_machine_read_memory("<topology/>", 11, "in.xml", NULL, &machine, diag), INLAY_OK);
    ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "libhwloc-dev"));
    inlay_diag_free(diag);
}
END_TEST

/* ---- Several at once ---- */

static void *read_some(void *context)
{
    int *wrong = context;
    for (int i = 0; i < 20; i++) {
        inlay_machine *machine = NULL;
        *wrong += inlay_machine_read_memory(FIRST_VERSION, strlen(FIRST_VERSION), "in.xml", NULL, &machine, NULL) !=
                      INLAY_OK ||
                  inlay_machine_processors(machine) != 2;
        inlay_machine_free(machine);
    }
    return NULL;
}

START_TEST(several_threads)
{
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    int wrong[THREADS] = {0};
    if (skipped()) {
        return;
    }
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_create(&thread[i], NULL, read_some, &wrong[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
        ck_assert_int_eq(wrong[i], 0);
    }
}
END_TEST

/* libhwloc leaves a function with libxml2 that is gone by then: it must not be called for what comes next. */
START_TEST(another_document_behind_it)
{
    static const char broken[] = "<?xml version='1.0' encoding='EUC-JP'?><platform version='4.1'><zone id='\xD8 v'/>";
    if (skipped()) {
        return;
    }
    inlay_diag *diag = inlay_diag_new();
    inlay_machine_free(subject(FIRST_VERSION, NULL, 0, diag));
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_machine_read_memory(broken, strlen(broken), "in.xml", NULL, &machine, diag),
                     INLAY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "in.xml:1: not well-formed XML"));
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
    if (!skipped()) {
        starve(try_machine, "docs/examples/laptop.xml,speed=2Gf", 40);
    }
}
END_TEST

Suite *suite_hwloc(void)
{
    Suite *suite = suite_create("hwloc");
    TCase *tests = tcase_create("hwloc");
    tcase_add_test(tests, real_computers);
    tcase_add_test(tests, kinds_of_cores);
    tcase_add_test(tests, bandwidth_of_memory);
    tcase_add_test(tests, first_version);
    tcase_add_test(tests, what_was_not_allowed);
    tcase_add_test(tests, refused);
    tcase_add_test(tests, without_hwloc);
    tcase_add_test(tests, several_threads);
    tcase_add_test(tests, another_document_behind_it);
    tcase_add_test(tests, starved);
    suite_add_tcase(suite, tests);
    return suite;
}

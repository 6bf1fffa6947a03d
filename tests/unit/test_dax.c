/* DAX and GXL: what becomes of a file by hand, and what is said of bad ones. The real files are `make check-data`'s. */
#include "unit.h"
#include <inlay/inlay.h>
#include <stdio.h>
#include <string.h>

static inlay_app *app_of(const char *text, const inlay_reading *how)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_read_memory_as(text, strlen(text), "in.xml", how, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return app;
}

static void expect_link(const inlay_app *app, const char *from, const char *to, int64_t messages, int64_t bytes)
{
    inlay_links out = inlay_app_out(app, inlay_app_find_module(app, from));
    for (int64_t l = 0; l < out.count; l++) {
        if (strcmp(inlay_app_module_name(app, out.module[l]), to) == 0) {
            ck_assert_int_eq(out.messages[l], messages);
            ck_assert_int_eq(out.bytes[l], bytes);
            return;
        }
    }
    ck_abort_msg("no link %s -> %s", from, to);
}

/* ---- DAX ---- */

/* a writes x (100, which b calls 90) and y; b and c read x, c reads y; d reads what b writes, but is no child of it. */
static const char small[] =
    "<?xml version=\"1.0\"?>\n<adag xmlns=\"http://pegasus.isi.edu/schema/DAX\" version=\"2.1\" name=\"w\" "
    "jobCount=\"9\">"
    "<child ref=\"b\"><parent ref=\"a\"/></child>"
    "<job id=\"a\" name=\"first\" runtime=\"1.25\">"
    "<uses file=\"in\" link=\"input\" size=\"7\"/><uses file=\"x\" link=\"output\" size=\"100\"/>"
    "<uses file=\"y\" link=\"output\" size=\"2e1\"/></job>"
    "<job id=\"b\" runtime=\"2\" cores=\"3\"><argument>-i <filename file=\"x\"/></argument>"
    "<uses file=\"x\" link=\"input\" size=\"90\"/><uses file=\"z\" link=\"output\" size=\"-5\"/></job>"
    "<job id=\"c\" runtime=\"2\"><uses file=\"x\" link=\"input\"/><uses file=\"y\" link=\"input\"/></job>"
    "<job id=\"d\" runtime=\"2\"><uses file=\"z\" link=\"input\"/><uses file=\"out\" link=\"output\" size=\"9\"/></job>"
    "<child ref=\"c\"><parent ref=\"a\"/><parent ref=\"a\"/></child><child ref=\"d\"/>"
    "<child ref=\"d\"><parent ref=\"a\"/></child></adag>";

START_TEST(jobs_and_files)
{
    inlay_app *app = app_of(small, NULL);
    ck_assert_str_eq(inlay_app_name(app), "w");
    ck_assert_int_eq(inlay_app_unit(app), INLAY_UNIT_S);
    ck_assert_int_eq(inlay_app_modules(app), 4);
    ck_assert_int_eq(inlay_app_links(app), 3);
    ck_assert_int_eq(inlay_app_decimals(app), 2);
    ck_assert_int_eq(inlay_app_time(app, 0), 125);
    ck_assert_str_eq(inlay_app_module_kind(app, 0), "first");
    ck_assert_int_eq(inlay_app_cores(app, 1), 3);
    expect_link(app, "a", "b", 1, 100);
    expect_link(app, "a", "c", 1, 120);
    expect_link(app, "a", "d", 1, 0);
    ck_assert_int_eq(inlay_app_data(app), 2);
    inlay_datum x = inlay_app_datum(app, 0);
    ck_assert_str_eq(x.name, "x");
    ck_assert_int_eq(x.consumers, 2);
    ck_assert_int_eq(x.bytes, 100);
    inlay_app_free(app);
}
END_TEST

START_TEST(links_from_files)
{
    const inlay_reading how = {.file_links = true};
    inlay_app *app = app_of(small, &how);
    ck_assert_int_eq(inlay_app_links(app), 4);
    expect_link(app, "b", "d", 1, 0);
    inlay_app_free(app);
}
END_TEST

START_TEST(blocks_from_files)
{
    const inlay_reading how = {.file_blocks = true};
    inlay_app *app = app_of(small, &how);
    ck_assert_int_eq(inlay_app_blocks(app), 2);
    ck_assert_str_eq(inlay_app_block_name(app, 0), "in");
    ck_assert_int_eq(inlay_app_block_size(app, 0), 7);
    inlay_links uses = inlay_app_uses(app, 1);
    ck_assert_str_eq(inlay_app_block_name(app, 1), "out");
    ck_assert_int_eq(uses.count, 1);
    ck_assert_str_eq(inlay_app_module_name(app, uses.module[0]), "d");
    ck_assert_int_eq(uses.bytes[0], 9);
    inlay_app_free(app);
}
END_TEST

/* ---- GXL ---- */

START_TEST(weights)
{
    inlay_app *app = app_of("<gxl><graph id=\"g\"><attr name=\"Weight\"><int>9</int></attr>"
                            "<edge from=\"0\" to=\"1\"><attr name=\"Weight\"><int>5</int></attr></edge>"
                            "<node id=\"0\"><attr name=\"Weight\"><int> 57 </int></attr></node>"
                            "<node id=\"1\"><attr name=\"Colour\"><int>3</int></attr>"
                            "<attr name=\"Weight\"><float>1.5</float></attr></node>"
                            "<node id=\"2\"><attr name=\"Weight\"><int>0</int></attr></node>"
                            "<edge from=\"1\" to=\"2\"/></graph></gxl>",
                            NULL);
    ck_assert_str_eq(inlay_app_name(app), "g");
    ck_assert_int_eq(inlay_app_unit(app), INLAY_UNIT_TICK);
    ck_assert_int_eq(inlay_app_time(app, 0), 570);
    ck_assert_int_eq(inlay_app_time(app, 1), 15);
    expect_link(app, "0", "1", 5, 0);
    expect_link(app, "1", "2", 1, 0);
    inlay_app_free(app);
}
END_TEST

/* ---- Bad files ---- */

#define NODE(id) "<node id=\"" id "\"><attr name=\"Weight\"><int>1</int></attr></node>"
#define JOB(id)  "<job id=\"" id "\" runtime=\"1\">"

static const struct {
    const char *text, *message;
} bad[] = {
    {"<adag>\n<job id=\"a\"/></adag>", "in.xml:2: job without runtime; expected runtime=\"SECONDS\""},
    {"<adag><job runtime=\"1\"/></adag>", "in.xml:1: job without id; expected id=\"...\""},
    {"<adag>\n<job id=\"a\" runtime=\"-1\"/></adag>",
     "in.xml:2: runtime '-1' of job 'a' cannot be read; expected seconds, 0 or more"},
    {"<adag>\n<job id=\"a\" runtime=\"nan\"/></adag>",
     "in.xml:2: runtime 'nan' of job 'a' cannot be read; expected seconds, 0 or more"},
    {"<adag>" JOB("a") "</job>\n" JOB("a") "</job></adag>", "in.xml:2: duplicate module 'a'; expected every name once"},
    {"<adag>" JOB("a") "\n<uses file=\"x\" link=\"in\"/></job></adag>",
     "in.xml:2: link 'in' of file 'x' cannot be read; expected input, output or inout"},
    {"<adag>" JOB("a") "<uses name=\"x\" link=\"input\"/></job></adag>",
     "in.xml:1: uses without file; expected file=\"...\", as in version 2.1"},
    {"<adag>" JOB("a") "<uses file=\"x\" link=\"input\" size=\"1e30\"/></job></adag>",
     "in.xml:1: size '1e30' of file 'x' cannot be read; expected a number of bytes below 2^62"},
    {"<adag>" JOB("a") "</job><child ref=\"a\">\n<parent ref=\"b\"/></child></adag>",
     "in.xml:2: unknown module 'b'; expected the id of a job"},
    {"<adag version=\"3.6\"/>", "in.xml:1: version 3.6; expected 2.1"},
    {"<adag/>", "in.xml: no modules; expected at least one"},
    {"<adag>", "in.xml:1: not well-formed XML (Premature end of data in tag adag line 1); expected a DAX file"},
    {"<adag>" JOB("a") "</job>" JOB("b") "</job><child ref=\"a\"><parent ref=\"b\"/></child>\n"
                                         "<child ref=\"b\"><parent ref=\"a\"/></child></adag>",
     "in.xml:2: precedence cycle a -> b -> a; expected an acyclic graph (kind=traffic for traffic without precedence)"},
    {"<!DOCTYPE adag [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><adag/>",
     "in.xml:1: the document declares the entity 'e'; expected a DAX file without entities"},
    {"<gxl/>", "in.xml: no graph; expected one"},
    {"<gxl><graph>\n<node id=\"a\"/></graph></gxl>",
     "in.xml:2: node 'a' has no Weight; expected its time as the attribute Weight"},
    {"<gxl><graph><node/></graph></gxl>", "in.xml:1: node without id; expected id=\"...\""},
    {"<gxl><graph>" NODE("a") "\n<edge from=\"a\" to=\"b\"/></graph></gxl>",
     "in.xml:2: unknown module 'b'; expected the id of a node"},
    {"<gxl><graph><node id=\"a\"><attr name=\"Weight\"><int>x</int></attr></node></graph></gxl>",
     "in.xml:1: Weight 'x' of node 'a' cannot be read; expected a number, 0 or more"},
    {"<gxl><graph>" NODE("a")
         NODE("b") "<edge from=\"a\" to=\"b\"><attr name=\"Weight\"><float>1.5</float></attr></edge></graph></gxl>",
     "in.xml:1: Weight '1.5' of the edge from 'a' cannot be read; expected a whole number, 0 or more"},
    {"<gxl><graph/><graph/></gxl>", "in.xml:1: a second graph; expected one in a file"},
    {"<gxl><graph edgemode=\"undirected\"/></gxl>", "in.xml:1: edgemode is undirected; expected directed"},
    {"<gxl>" NODE("a") "</gxl>", "in.xml:1: node outside a graph; expected it in one"},
};

START_TEST(bad_files)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_read_memory(bad[_i].text, strlen(bad[_i].text), "in.xml", NULL, &app, diag);
    ck_assert_str_eq(inlay_diag_message(diag), bad[_i].message);
    ck_assert_int_eq(status, INLAY_BAD_INPUT);
    ck_assert_ptr_null(app);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_dax(void)
{
    Suite *suite = suite_create("dax");
    TCase *tests = tcase_create("files");
    tcase_add_test(tests, jobs_and_files);
    tcase_add_test(tests, links_from_files);
    tcase_add_test(tests, blocks_from_files);
    tcase_add_test(tests, weights);
    tcase_add_loop_test(tests, bad_files, 0, (int)(sizeof bad / sizeof *bad));
    suite_add_tcase(suite, tests);
    return suite;
}

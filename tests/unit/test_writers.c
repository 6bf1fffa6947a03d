/*
 * Every writer of the format table over random applications: what it wrote reads back, and written again is the same file.
 * Those without loss give the same application, which its JSON tells to the last digit. Tables of CSV and GraphML by hand,
 * and what is said of bad ones.
 */
#include "random_app.h"
#include "unit.h"

#include "base/file.h"
#include "base/memory.h"
#include <inlay/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 256, LARGE_SEED = 1 << 20 };

static char folder[PATH_ROOM];

static void set_up(void)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/inlay-writers-XXXXXX", tmp != NULL ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static const char *path_of(const char *name)
{
    static char path[2][PATH_ROOM * 2];
    static int which;
    which = 1 - which;
    snprintf(path[which], sizeof path[which], "%s/%s", folder, name);
    return path[which];
}

/** Removes the files that a test may have left, then the folder. */
static void tear_down(void)
{
    static const char *const names[] = {"a", "a.links", "b", "b.links", "x.csv", "x.links.csv", "x.graphml", "json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unlink(path_of(names[i]));
    }
    ck_assert_int_eq(rmdir(folder), 0);
}

static void write_app(const inlay_app *app, const char *name, const char *format)
{
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_write(app, path_of(name), format, diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", format, inlay_diag_message(diag));
    inlay_diag_free(diag);
}

static inlay_app *read_app(const char *name, const char *format)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_read(path_of(name), format, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", format == NULL ? name : format, inlay_diag_message(diag));
    inlay_diag_free(diag);
    return app;
}

/** All that an application says, but for its name, which some formats have from the file's. */
static char *all_of(const inlay_app *app)
{
    file_content json;
    write_app(app, "json", "json");
    ck_assert_int_eq(file_read(path_of("json"), &json, NULL), INLAY_OK);
    char *units = memory_string(strstr(json.data, "\"time_unit\""));
    file_content_clear(&json);
    return units;
}

static void expect_same_app(const inlay_app *a, const inlay_app *b, const char *format)
{
    char *first = all_of(a), *second = all_of(b);
    ck_assert_msg(strcmp(first, second) == 0, "%s:\n%.1000s\n%.1000s", format, first, second);
    free(first);
    free(second);
}

static const char *const without_loss[] = {"dot", "json", "tg", "graphml", "csv"};
enum { WITHOUT_LOSS = sizeof without_loss / sizeof *without_loss };

START_TEST(come_back_without_loss)
{
    uint64_t state = (uint64_t)_i + LARGE_SEED;
    random_times times;
    unsigned features = (unsigned)random_below(&state, 2 * RANDOM_DATA) |
                        (unsigned)random_below(&state, 2) * (RANDOM_DEADLINES | RANDOM_TRAFFIC_MEMORY);
    inlay_app *app = random_app(&state, 1 + (inlay_id)random_below(&state, RANDOM_MODULES), features, &times);
    for (size_t f = 0; f < WITHOUT_LOSS; f++) {
        write_app(app, "a", without_loss[f]);
        inlay_app *back = read_app("a", without_loss[f]);
        expect_same_app(app, back, without_loss[f]);
        inlay_app_free(back);
    }
    inlay_app_free(app);
}
END_TEST

/* What the others leave out they leave out once. */
START_TEST(written_again_is_the_same)
{
    uint64_t state = (uint64_t)_i + 3 * LARGE_SEED;
    random_times times;
    inlay_app *app = random_app(&state, 3 + (inlay_id)random_below(&state, RANDOM_MODULES - 3), 0, &times);
    size_t written = 0;
    for (size_t f = 0; f < inlay_formats(); f++) {
        inlay_format format = inlay_format_at(f);
        bool seconds = inlay_app_unit(app) != INLAY_UNIT_TICK;
        bool fits = strcmp(format.name, "stg") == 0 ? !seconds : strcmp(format.name, "wfformat") != 0 || seconds;
        if (!format.writes || !format.reads || !fits) {
            continue;
        }
        write_app(app, "a", format.name);
        inlay_app *back = read_app("a", format.name);
        ck_assert_int_ge(inlay_app_modules(back), inlay_app_modules(app));
        inlay_app *named = read_app("a", format.name);
        write_app(named, "b", format.name);
        inlay_app *again = read_app("b", format.name);
        expect_same_app(back, again, format.name);
        inlay_app_free(again);
        inlay_app_free(named);
        inlay_app_free(back);
        written++;
    }
    ck_assert_uint_eq(written, 10); /* of 11, of which STG has ticks and WfFormat seconds */
    inlay_app_free(app);
}
END_TEST

/** What CSV and XML escape, or could take for something of theirs. */
static const char *const odd_names[] = {"a b", "say \"hi\"", "\"",   "a,b",  "a;b",  "a\tb",  "a\nb", "\r\t",
                                        "x\t", " a",         "b ",   "<b>",  "a&b",  "&amp;", "]]>",  "é",
                                        "'",   "#a",         "from", "name", "time", "n0",    "\\\\", "-",
                                        "1e3", "%x",         "=1+1", "\n\n", "z"};
enum { ODD_NAMES = sizeof odd_names / sizeof *odd_names };

START_TEST(odd_names_come_back)
{
    inlay_app_builder *builder = inlay_app_builder_new("odd", INLAY_UNIT_TICK);
    for (inlay_id i = 0; i < ODD_NAMES; i++) {
        const inlay_module module = {
            .name = odd_names[i], .time = {{i, 0}, INLAY_UNIT_NONE}, .kind = odd_names[ODD_NAMES - 1 - i]};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
        const inlay_duration time = {{i, 1}, INLAY_UNIT_NONE};
        ck_assert_int_eq(inlay_app_add_type_time(builder, i, i % 2 ? "g,\"p\"u" : "a<&>", time, NULL), INLAY_OK);
        if (i > 0) {
            ck_assert_int_eq(inlay_app_add_data_link(builder, i - 1, i, odd_names[i], i, i, NULL), INLAY_OK);
        }
    }
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    for (size_t f = 3; f < WITHOUT_LOSS; f++) {
        write_app(app, "a", without_loss[f]);
        inlay_app *back = read_app("a", without_loss[f]);
        expect_same_app(app, back, without_loss[f]);
        inlay_app_free(back);
    }
    inlay_app_free(app);
}
END_TEST

START_TEST(graphml_refuses_control_characters)
{
    static const char data[] = "{\"inlay_application\": 1, \"modules\": [{\"name\": \"a\\u0001\", \"time\": 1}]}";
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_app_read_memory(data, strlen(data), "in", NULL, &app, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_write(app, path_of("x.graphml"), NULL, diag), INLAY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "expected UTF-8 without control characters"));
    inlay_diag_free(diag);
    inlay_app_free(app);
}
END_TEST

/* ---- By hand ---- */

static void put_file(const char *name, const char *data)
{
    ck_assert_int_eq(file_write(path_of(name), data, strlen(data), NULL), INLAY_OK);
}

#define GRAPHML(keys, graph) "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">" keys graph "</graphml>"
#define TIME_KEY             "<key id=\"d0\" for=\"node\" attr.name=\"time\"><default>2</default></key>"
#define GRAPH(content)       "<graph id=\"g\" edgedefault=\"directed\">" content "</graph>"

/* Each is a module a of 2 and one b of 3 with a link of 4 messages from a to b, in seconds. */
static const struct {
    const char *name, *data, *links; /* links: of CSV beside it; NULL: none */
} same[] = {
    {"x.csv", "name,time\na,2\nb,3\n", "from,to,messages\na,b,4\n"},
    {"x.csv", "\xEF\xBB\xBFname;time\r\na;2\r\n\"b\" ; 3\r\n", "\xEF\xBB\xBF\"from\";\"to\";\"messages\"\r\na;b;4"},
    {"x.csv", "time\tid\n2\ta\n3\tb\n\n\nsource\ttarget\tmessages\na\tb\t4\n\n", NULL},
    {"x.csv", "\n\nmodule,time,time_unit,pin\na,2,s,\nb,3,s,\n", "\nto,from,messages,kind\nb,a,4,\n"},
    {"x.graphml",
     GRAPHML(TIME_KEY "<key id=\"m\" for=\"edge\" attr.name=\"messages\" attr.type=\"int\"/>",
             GRAPH("<node id=\"a\"/><node id=\"b\"><data key=\"d0\">3</data></node>"
                   "<edge source=\"a\" target=\"b\"><data key=\"m\">4</data></edge>")),
     NULL},
    {"x.graphml",
     GRAPHML(
         TIME_KEY "<key id=\"n\" for=\"node\" attr.name=\"name\"/><key id=\"y\" for=\"node\" yfiles.type=\"x\"/>"
                  "<key id=\"m\" for=\"all\" attr.name=\"messages\"/><key id=\"u\" attr.name=\"time_unit\"/>",
         "<desc>x</desc>" GRAPH("<data key=\"u\">s</data><node id=\"n0\"><data key=\"n\">a</data><data "
                                "key=\"y\"><shape>5</shape></data><port name=\"p\"/></node><node id=\"n1\"><data "
                                "key=\"d0\">3</data><data key=\"n\">b</data></node>"
                                "<edge source=\"n0\" target=\"n1\" directed=\"true\"><data key=\"m\">4</data></edge>")),
     NULL},
};

START_TEST(by_hand)
{
    static const char meant[] = "digraph x { a [time=2]; b [time=3]; a -> b [messages=4] }";
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_read_memory(meant, strlen(meant), "x", NULL, &app, NULL), INLAY_OK);
    put_file(same[_i].name, same[_i].data);
    if (same[_i].links != NULL) {
        put_file("x.links.csv", same[_i].links);
    }
    inlay_app *read = read_app(same[_i].name, NULL);
    expect_same_app(app, read, same[_i].name);
    inlay_app_free(read);
    inlay_app_free(app);
}
END_TEST

static const struct {
    const char *name, *data, *links;
    const char *message; /* behind the folder and a slash */
} bad[] = {
    {"x.csv", "name,time\na,2,3\n", NULL, "x.csv:2: 3 fields; expected 2, as the first line has"},
    {"x.csv", "name,time\nb,1\na,\n", "from,to\n",
     "x.csv:3: unknown module 'a': no statement gives it a time; expected time=NUMBER"},
    {"x.csv", "name,time\na,soon\n", "from,to\n",
     "x.csv:2: time 'soon' of module 'a' is not a time; expected a number, 0 or more, alone or with one of s, ms, us, "
     "ns, "
     "tick"},
    {"x.csv", "name,time\n,1\n", NULL, "x.csv:2: no name; expected a module"},
    {"x.csv", "name,time\n\"a,1\n", NULL, "x.csv:2: a quote without its end; expected \"...\""},
    {"x.csv", "name,time\n\"a\"b,1\n", NULL, "x.csv:2: text behind a closing quote; expected the end of the field"},
    {"x.csv", "name,time,\na,1,2\n", NULL, "x.csv:1: column 3 has no name; expected one"},
    {"x.csv", "nom,time\na,1\n", NULL,
     "x.csv:1: no column name; expected the first line to name name, time and what else modules have"},
    {"x.csv", "name,time\na,1\n", "from,messages\na,1\n",
     "x.links.csv:1: no column from or to; expected the first line to name from, to and what links have"},
    {"x.csv", "name,time\na,1\nb,1\n", "from,to,messages\na,b,1\na,b,x\n",
     "x.links.csv:3: messages 'x' of the link 'a' -> 'b' cannot be read; expected a whole number, 0 or more"},
    {"x.csv", "name,time\na,1\nb,1\n", "from,to,weight\na,b,1\n", NULL},
    {"x.csv", "name,time\na,1\nb,1\n", "from,to,massages\na,b,1\n",
     "x.links.csv:2: unknown attribute 'massages', perhaps 'messages'; expected one of messages, bytes, kind, data"},
    {"x.graphml", GRAPHML("", ""), NULL, "x.graphml: there is no graph; expected one"},
    {"x.graphml", GRAPHML("", "<graph edgedefault=\"undirected\"></graph>"), NULL,
     "x.graphml:1: edgedefault is undirected; expected directed for an application"},
    {"x.graphml", GRAPHML("", GRAPH("\n<node/>")), NULL, "x.graphml:2: node without id; expected id=\"...\""},
    {"x.graphml", GRAPHML("", GRAPH("<node id=\"a\"/>\n<node id=\"a\"/>")), NULL,
     "x.graphml:2: two nodes with one id; expected every id once"},
    {"x.graphml", GRAPHML("", GRAPH("<node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/>")), NULL,
     "x.graphml:2: an edge of 'b', which is no node before it; expected nodes in front of their edges"},
    {"x.graphml", GRAPHML("", GRAPH("<node id=\"a\"/><edge source=\"a\" target=\"a\" directed=\"false\"/>")), NULL,
     "x.graphml:1: an edge without direction; expected directed ones for an application"},
    {"x.graphml", GRAPHML("", GRAPH("<node id=\"a\">\n<data key=\"k\">1</data></node>")), NULL,
     "x.graphml:2: data without a key that is told; expected key=\"...\" of a <key> in front of the graph"},
    {"x.graphml", GRAPHML("", GRAPH("<node id=\"a\">\n<graph/></node>")), NULL,
     "x.graphml:2: a second graph; expected one in a file, without graphs in its nodes"},
    {"x.graphml", GRAPHML("", GRAPH("<hyperedge/>")), NULL,
     "x.graphml:1: a hyperedge; expected edges from one node to another"},
    {"x.graphml", GRAPHML(TIME_KEY, "\n<node id=\"a\"/>"), NULL,
     "x.graphml:2: a node outside a graph; expected it in one"},
    {"x.graphml", GRAPHML(TIME_KEY, GRAPH("<node id=\"a\">\n<data key=\"d0\">-1</data></node>")), NULL,
     "x.graphml:2: time '-1' of module 'a' is negative; expected a number, 0 or more, alone or with one of s, ms, us, "
     "ns, "
     "tick"},
};

START_TEST(bad_files)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    put_file(bad[_i].name, bad[_i].data);
    if (bad[_i].links != NULL) {
        put_file("x.links.csv", bad[_i].links);
    }
    int status = inlay_app_read(path_of(bad[_i].name), NULL, &app, diag);
    if (bad[_i].message == NULL) {
        ck_assert_int_eq(status, INLAY_OK); /* Graphviz knows the attribute */
    } else {
        ck_assert_msg(status == INLAY_BAD_INPUT, "%s", bad[_i].message);
        ck_assert_ptr_null(app);
        ck_assert_str_eq(inlay_diag_message(diag) + strlen(folder) + 1, bad[_i].message);
    }
    inlay_diag_free(diag);
    inlay_app_free(app);
}
END_TEST

Suite *suite_writers(void)
{
    Suite *suite = suite_create("writers");
    TCase *tests = tcase_create("writers");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, come_back_without_loss, 0, 60);
    tcase_add_loop_test(tests, written_again_is_the_same, 0, 60);
    tcase_add_test(tests, odd_names_come_back);
    tcase_add_test(tests, graphml_refuses_control_characters);
    tcase_add_loop_test(tests, by_hand, 0, (int)(sizeof same / sizeof *same));
    tcase_add_loop_test(tests, bad_files, 0, (int)(sizeof bad / sizeof *bad));
    suite_add_tcase(suite, tests);
    return suite;
}

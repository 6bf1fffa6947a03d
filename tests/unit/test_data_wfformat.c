/* Data out of WfFormat's files, against a look at every file and every pair of tasks; written, they come back. */
#include "drawn.h"
#include "random_app.h"
#include "tg_subject.h"
#include "unit.h"

#include <inlay/io.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS = 7, FILES = 9 };

/** Who is whose parent, who writes and reads what. */
typedef struct truth {
    int tasks, files;
    bool edge[TASKS][TASKS], writes[TASKS][FILES], reads[TASKS][FILES];
    int64_t size[FILES];
} truth;

static truth draw(uint64_t *state)
{
    truth t = {.tasks = 2 + (int)random_below(state, TASKS - 1), .files = 1 + (int)random_below(state, FILES)};
    bool several = random_once_in(state, 3); /* producers of one file */
    for (int f = 0; f < t.files; f++) {
        t.size[f] = random_below(state, 4) * 100 + f;
        t.writes[random_below(state, t.tasks - 1)][f] = true;
        if (several) t.writes[random_below(state, t.tasks - 1)][f] = true;
        for (int i = 1; i < t.tasks; i++)
            t.reads[i][f] = random_once_in(state, 2);
    }
    for (int i = 0; i < t.tasks; i++)
        for (int j = i + 1; j < t.tasks; j++)
            t.edge[i][j] = !random_once_in(state, 3);
    return t;
}

static void list_uses(text_buffer *text, const char *member, const bool uses[FILES])
{
    const char *comma = "";
    text_addf(text, ", \"%s\": [", member);
    for (int f = 0; f < FILES; f++) {
        if (!uses[f]) continue;
        text_addf(text, "%s\"f%d\"", comma, f);
        comma = ", ";
    }
    text_add(text, "]");
}

static inlay_app *read(const text_buffer *text)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_read_memory(text->data, text->size, "w", "wfformat", &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s\n%s", inlay_diag_message(diag), text->data);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 0);
    inlay_diag_free(diag);
    return app;
}

static inlay_app *build(const truth *t)
{
    text_buffer text = {0};
    text_add(&text, "{\"schemaVersion\": \"1.5\", \"workflow\": {\"specification\": {\"tasks\": [");
    for (int i = 0; i < t->tasks; i++) {
        text_addf(&text, "%s{\"name\": \"t%d\", \"id\": \"t%d\", \"parents\": [", i > 0 ? ", " : "", i, i);
        const char *comma = "";
        for (int j = 0; j < i; j++) {
            if (!t->edge[j][i]) continue;
            text_addf(&text, "%s\"t%d\"", comma, j);
            comma = ", ";
        }
        text_add(&text, "]");
        list_uses(&text, "inputFiles", t->reads[i]);
        list_uses(&text, "outputFiles", t->writes[i]);
        text_add(&text, "}");
    }
    text_add(&text, "], \"files\": [");
    for (int f = 0; f < t->files; f++)
        text_addf(&text, "%s{\"id\": \"f%d\", \"sizeInBytes\": %d}", f > 0 ? ", " : "", f, (int)t->size[f]);
    text_add(&text, "]}, \"execution\": {\"tasks\": [");
    for (int i = 0; i < t->tasks; i++)
        text_addf(&text, "%s{\"id\": \"t%d\", \"runtimeInSeconds\": 1}", i > 0 ? ", " : "", i);
    text_add(&text, "]}}}");
    inlay_app *app = read(&text);
    text_clear(&text);
    return app;
}

static bool goes(const truth *t, int f, int from, int to)
{
    return t->edge[from][to] && t->writes[from][f] && t->reads[to][f];
}

static bool goes_anywhere(const truth *t, int f, int from)
{
    bool any = false;
    for (int to = 0; to < t->tasks; to++)
        any = any || goes(t, f, from, to);
    return any;
}

static bool same_consumers(const truth *t, int f, int g, int from)
{
    bool same = true;
    for (int to = 0; to < t->tasks; to++)
        same = same && goes(t, f, from, to) == goes(t, g, from, to);
    return same;
}

/* The datum whose first file is this one: its name, its bytes, its consumers. */
static void check_datum(const truth *t, int f, int from, const inlay_datum *d)
{
    char name[32];
    int64_t bytes = 0, consumers = 0;
    int more = -1;
    for (int g = f; g < t->files; g++) {
        if (!same_consumers(t, f, g, from)) continue;
        bytes += t->size[g];
        more++;
    }
    snprintf(name, sizeof name, more > 0 ? "f%d +%d" : "f%d", f, more);
    ck_assert_str_eq(d->name, name);
    ck_assert(d->producer == from && d->messages == 1 && d->bytes == bytes);
    for (int to = 0; to < t->tasks; to++)
        if (goes(t, f, from, to)) ck_assert_int_eq(d->consumer[consumers++], to);
    ck_assert_int_eq(d->consumers, consumers);
}

static void check_app(const truth *t, const inlay_app *app)
{
    inlay_id d = 0;
    for (int from = 0; from < t->tasks; from++)
        for (int f = 0; f < t->files; f++) {
            bool first = goes_anywhere(t, f, from);
            for (int g = 0; g < f; g++)
                first = first && !same_consumers(t, f, g, from);
            if (!first) continue;
            ck_assert_int_lt(d, inlay_app_data(app));
            inlay_datum datum = inlay_app_datum(app, d++);
            check_datum(t, f, from, &datum);
        }
    ck_assert_int_eq(inlay_app_data(app), d);
}

/* A pair is one link of one message, with all its bytes. */
static void check_pairs(const truth *t, const inlay_app *app)
{
    int64_t links = 0;
    for (int from = 0; from < t->tasks; from++) {
        inlay_links out = inlay_app_out(app, from);
        int64_t l = 0;
        for (int to = 0; to < t->tasks; to++) {
            int64_t bytes = 0;
            for (int f = 0; f < t->files; f++)
                bytes += goes(t, f, from, to) ? t->size[f] : 0;
            links += t->edge[from][to];
            if (!t->edge[from][to]) continue;
            ck_assert(l < out.count && out.module[l] == to && out.messages[l] == 1 && out.bytes[l] == bytes);
            l++;
        }
    }
    ck_assert_int_eq(inlay_app_links(app), links);
}

/* Names of data that several producers have are other ones then. */
static void expect_like(const inlay_app *app, const inlay_app *back)
{
    ck_assert_int_eq(inlay_app_data(back), inlay_app_data(app));
    for (inlay_id d = 0; d < inlay_app_data(app); d++) {
        inlay_datum one = inlay_app_datum(app, d), other = inlay_app_datum(back, d);
        ck_assert(one.producer == other.producer && one.messages == other.messages && one.bytes == other.bytes);
        ck_assert_int_eq(one.consumers, other.consumers);
        ck_assert_mem_eq(one.consumer, other.consumer, (size_t)one.consumers * sizeof *one.consumer);
        bool known = false;
        for (inlay_id e = 0; e < d; e++)
            known = known || strcmp(inlay_app_datum(app, e).name, one.name) == 0;
        ck_assert_int_eq(strcmp(one.name, other.name) != 0, known);
    }
}

START_TEST(files_are_data)
{
    uint64_t state = (uint64_t)_i + 1;
    truth t = draw(&state);
    inlay_app *app = build(&t);
    check_app(&t, app);
    check_pairs(&t, app);
    text_buffer written = tg_text(app, "wfformat");
    inlay_app *back = read(&written);
    expect_like(app, back);
    check_pairs(&t, back);
    text_clear(&written);
    inlay_app_free(back);
    inlay_app_free(app);
}
END_TEST

/* A name that a group would have may be a file's. */
START_TEST(names_are_apart)
{
    const char *const text =
        "{\"schemaVersion\": \"1.4\", \"workflow\": {\"tasks\": ["
        "{\"name\": \"a\", \"runtime\": 1, \"files\": [{\"link\": \"output\", \"name\": \"f +1\", \"size\": 4},"
        " {\"link\": \"output\", \"name\": \"f\", \"size\": 1}, {\"link\": \"output\", \"name\": \"g\", \"size\": 2}]},"
        "{\"name\": \"b\", \"runtime\": 1, \"parents\": [\"a\"], \"files\": [{\"link\": \"input\", \"name\": \"f\"},"
        " {\"link\": \"input\", \"name\": \"g\"}, {\"link\": \"input\", \"name\": \"f +1\"}]},"
        "{\"name\": \"c\", \"runtime\": 1, \"parents\": [\"a\"], \"files\": [{\"link\": \"input\", \"name\": \"f "
        "+1\"}]}]}}";
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_read_memory(text, strlen(text), "w", "wfformat", &app, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_data(app), 2);
    ck_assert_str_eq(inlay_app_datum(app, 0).name, "f +1");
    ck_assert_int_eq(inlay_app_datum(app, 0).bytes, 4);
    ck_assert_str_eq(inlay_app_datum(app, 1).name, "f +1+");
    ck_assert_int_eq(inlay_app_datum(app, 1).bytes, 3);
    inlay_app_free(app);
}
END_TEST

/* What a link carries beside a datum is a file of its own, and comes back as a datum; what is joined is told. */
START_TEST(links_are_files)
{
    const char *const text = "digraph { node [time=1]; a; b; c; a -> b [data=link_0, bytes=3]; a -> c [bytes=4];"
                             "a -> c [data=x, bytes=5]; a -> b [data=y, bytes=6]; a -> c [data=y, bytes=6];"
                             "b -> c [data=y, bytes=7]; a -> b [bytes=8] }";
    inlay_app *app = NULL, *back = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_app_read_memory(text, strlen(text), "d", "dot", &app, NULL), INLAY_OK);
    const char *path = tg_scratch("links.wfformat.json");
    ck_assert_int_eq(inlay_app_write(app, path, "wfformat", diag), INLAY_OK);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_str_eq(inlay_diag_warning(diag, 0), "WfFormat has no place for numbers of messages: left out");
    ck_assert_int_eq(inlay_app_read(path, "wfformat", &back, NULL), INLAY_OK);
    remove(path);
    static const struct {
        const char *name;
        int64_t bytes;
    } data[] = {{"link_0_ +1", 11}, {"link_1 +1", 9}, {"y", 6}, {"b.y", 7}};
    ck_assert_int_eq(inlay_app_data(back), 4);
    for (inlay_id d = 0; d < 4; d++) {
        ck_assert_str_eq(inlay_app_datum(back, d).name, data[d].name);
        ck_assert_int_eq(inlay_app_datum(back, d).bytes, data[d].bytes);
    }
    inlay_app_free(back);
    inlay_app_free(app);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(like_data_are_joined)
{
    const char *const text = "digraph { node [time=1]; a -> b [data=x, bytes=3]; a -> b [data=y, bytes=4]; }";
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_app_read_memory(text, strlen(text), "d", "dot", &app, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_write(app, tg_scratch("like.wfformat.json"), "wfformat", diag), INLAY_OK);
    remove(tg_scratch("like.wfformat.json"));
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_str_eq(inlay_diag_warning(diag, 0),
                     "WfFormat has one datum for all that goes from one module to the same others: joined");
    inlay_app_free(app);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_data_wfformat(void)
{
    Suite *suite = suite_create("data_wfformat");
    TCase *tests = tcase_create("data_wfformat");
    tcase_add_loop_test(tests, files_are_data, 0, DRAWN_DATA);
    tcase_add_test(tests, names_are_apart);
    tcase_add_test(tests, links_are_files);
    tcase_add_test(tests, like_data_are_joined);
    suite_add_tcase(suite, tests);
    return suite;
}

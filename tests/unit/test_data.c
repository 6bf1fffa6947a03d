/* Data of an application: what links make of them, against a count that goes through all links for every question. */
#include "drawn.h"
#include "random_app.h"
#include "tg_subject.h"
#include "unit.h"

#include <inlay/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODULES = 9, LINKS = 60, NAMES = 3 };
static const char *const names[NAMES] = {"x", "a \"b\"\\ c", "- \xC3\xBC "};

/* A link as it is given to the builder; name < 0: it carries no datum. */
typedef struct said {
    inlay_id from, to;
    int64_t messages, bytes;
    bool traffic;
    int name;
} said;

typedef struct truth {
    inlay_id modules;
    int count;
    said link[LINKS];
} truth;

/* Links in any order; those of one datum agree or not. */
static truth draw(uint64_t *state, bool agree)
{
    truth t = {.modules = 2 + (inlay_id)random_below(state, MODULES - 1)};
    t.count = (int)random_below(state, LINKS + 1);
    int common = 1 + (int)random_below(state, 4); /* how rare names are */
    for (int l = 0; l < t.count; l++) {
        said *s = &t.link[l];
        s->from = (inlay_id)random_below(state, t.modules - 1);
        s->to = s->from + 1 + (inlay_id)random_below(state, t.modules - s->from - 1);
        s->traffic = random_once_in(state, 6);
        s->name = s->traffic || !random_once_in(state, common) ? -1 : (int)random_below(state, NAMES);
        s->messages = random_below(state, 4);
        s->bytes = random_below(state, 4) * 1000;
        if (s->name >= 0 && agree) {
            s->messages = (s->from + s->name) % 3;
            s->bytes = 100 * s->from + s->name;
        }
    }
    return t;
}

static inlay_app *build(const truth *t, inlay_diag *diag)
{
    inlay_app_builder *builder = inlay_app_builder_new("data", INLAY_UNIT_TICK);
    for (inlay_id i = 0; i < t->modules; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d", (int)i);
        inlay_module module = {.name = name, .time = {{1 + i, 0}, INLAY_UNIT_NONE}};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, diag), INLAY_OK);
    }
    for (int l = 0; l < t->count; l++) {
        const said *s = &t->link[l];
        int status = s->name >= 0
                         ? inlay_app_add_data_link(builder, s->from, s->to, names[s->name], s->messages, s->bytes, diag)
                         : inlay_app_add_link(builder, s->from, s->to, s->messages, s->bytes,
                                              s->traffic ? INLAY_LINK_TRAFFIC_ONLY : 0, diag);
        ck_assert_int_eq(status, INLAY_OK);
    }
    inlay_app *app = NULL;
    int status = inlay_app_build(builder, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_app_builder_free(builder);
    return app;
}

/* ---- Slow answers ---- */

/* The largest that the links of a pair say of a datum; to < 0: of all consumers; -1 where there is none. */
static int64_t most(const truth *t, inlay_id from, inlay_id to, int name, bool bytes)
{
    int64_t found = -1;
    for (int l = 0; l < t->count; l++) {
        const said *s = &t->link[l];
        int64_t value = bytes ? s->bytes : s->messages;
        if (s->from == from && (to < 0 || s->to == to) && s->name == name && value > found) {
            found = value;
        }
    }
    return found;
}

static void check_link(const truth *t, inlay_id from, const inlay_links *out, int64_t l, bool any_data)
{
    inlay_id to = out->module[l];
    bool traffic = out->flags[l] & INLAY_LINK_TRAFFIC_ONLY;
    int64_t own_messages = -1, own_bytes = 0, bytes = 0, messages = 0;
    for (int k = 0; k < t->count; k++) {
        const said *s = &t->link[k];
        if (s->from == from && s->to == to && s->traffic == traffic && s->name < 0) {
            own_messages = (own_messages < 0 ? 0 : own_messages) + s->messages;
            own_bytes += s->bytes;
        }
    }
    for (int name = 0; !traffic && name < NAMES; name++) {
        int64_t b = most(t, from, to, name, true), m = most(t, from, to, name, false);
        bytes += b < 0 ? 0 : b;
        messages = m > messages ? m : messages;
    }
    ck_assert_int_eq(out->bytes[l], bytes + own_bytes);
    ck_assert_int_eq(out->messages[l], messages + (own_messages < 0 ? 0 : own_messages));
    ck_assert(any_data == (out->own_messages != NULL) && any_data == (out->own_bytes != NULL));
    if (any_data) {
        ck_assert_int_eq(out->own_messages[l], own_messages);
        ck_assert_int_eq(out->own_bytes[l], own_bytes);
    }
}

static void check_datum(const truth *t, const inlay_datum *d, inlay_id producer, int name)
{
    ck_assert_int_eq(d->producer, producer);
    ck_assert_str_eq(d->name, names[name]);
    ck_assert_int_eq(d->messages, most(t, producer, -1, name, false));
    ck_assert_int_eq(d->bytes, most(t, producer, -1, name, true));
    int64_t count = 0;
    for (inlay_id to = 0; to < t->modules; to++) {
        if (most(t, producer, to, name, true) >= 0) {
            ck_assert_int_lt(count, d->consumers);
            ck_assert_int_eq(d->consumer[count++], to);
        }
    }
    ck_assert_int_eq(count, d->consumers);
}

/* The place of the first link that names the datum; -1 where there is none. */
static int first_named(const truth *t, inlay_id producer, int name)
{
    for (int l = 0; l < t->count; l++) {
        if (t->link[l].from == producer && t->link[l].name == name) {
            return l;
        }
    }
    return -1;
}

static void check_app(const truth *t, const inlay_app *app)
{
    inlay_id d = 0;
    int64_t once = 0, each = 0;
    for (inlay_id i = 0; i < t->modules; i++) {
        for (int l = 0; l < t->count; l++) {
            int name = t->link[l].name;
            if (t->link[l].from == i && name >= 0 && first_named(t, i, name) == l) {
                ck_assert_int_lt(d, inlay_app_data(app));
                inlay_datum datum = inlay_app_datum(app, d++);
                check_datum(t, &datum, i, name);
                once += datum.bytes;
                each += datum.bytes * datum.consumers;
            }
        }
    }
    ck_assert_int_eq(inlay_app_data(app), d);
    int64_t links = 0;
    for (inlay_id i = 0; i < t->modules; i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++) {
            check_link(t, i, &out, l, d > 0);
        }
        links += out.count;
    }
    ck_assert_int_eq(inlay_app_links(app), links);
    inlay_app_info info;
    ck_assert_int_eq(inlay_app_describe(app, &info, NULL), INLAY_OK);
    ck_assert(info.data_bytes == once && info.data_bytes_each == each);
}

/* How many data have links that do not say the same. */
static int disagreeing(const truth *t)
{
    int count = 0;
    for (inlay_id i = 0; i < t->modules; i++) {
        for (int name = 0; name < NAMES; name++) {
            bool differs = false;
            for (int l = 0; l < t->count; l++) {
                const said *s = &t->link[l];
                differs =
                    differs || (s->from == i && s->name == name &&
                                (s->messages != most(t, i, -1, name, false) || s->bytes != most(t, i, -1, name, true)));
            }
            count += differs;
        }
    }
    return count;
}

/* ---- Tests ---- */

START_TEST(random_data)
{
    uint64_t state = (uint64_t)_i + 1;
    inlay_diag *diag = inlay_diag_new();
    truth t = draw(&state, _i % 2 == 0);
    inlay_app *app = build(&t, diag);
    check_app(&t, app);
    int differ = disagreeing(&t);
    ck_assert_uint_eq(inlay_diag_warnings(diag), differ > 0);
    if (differ > 0) {
        char expected[128];
        snprintf(expected, sizeof expected,
                 "application: %d of %d data have links that state different messages or bytes; the largest count",
                 differ, (int)inlay_app_data(app));
        ck_assert_str_eq(inlay_diag_warning(diag, 0), expected);
    }
    inlay_app_free(app);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(other_numbers_keep_data)
{
    uint64_t state = (uint64_t)_i + 1000;
    truth t = draw(&state, _i % 2 == 0);
    inlay_app *app = build(&t, NULL), *scaled = NULL;
    const inlay_scaling by = {.time = {7, 0}, .bytes = {3, 0}};
    ck_assert_int_eq(inlay_app_scale(app, &by, &scaled, NULL), INLAY_OK);
    for (int l = 0; l < t.count; l++) {
        t.link[l].bytes *= 3;
    }
    check_app(&t, scaled);
    inlay_app_free(scaled);
    inlay_app_free(app);
}
END_TEST

/* What is written says the same when it is read, and is written the same again. */
START_TEST(formats_keep_data)
{
    static const char *const formats[] = {"dot", "tg", "json"};
    uint64_t state = (uint64_t)_i + 5000;
    truth t = draw(&state, _i % 2 == 0);
    inlay_app *app = build(&t, NULL);
    for (int f = 0; f < 3; f++) {
        text_buffer text = tg_text(app, formats[f]);
        inlay_app *back = NULL;
        inlay_diag *diag = inlay_diag_new();
        int status = inlay_app_read_memory(text.data, text.size, "data", formats[f], &back, diag);
        ck_assert_msg(status == INLAY_OK, "%s\n%s", inlay_diag_message(diag), text.data);
        inlay_diag_free(diag);
        check_app(&t, back);
        text_buffer again = tg_text(back, formats[f]);
        ck_assert_str_eq(again.data, text.data);
        ck_assert_int_eq(f == 1 && text.data[3] == '2', f == 1 && inlay_app_data(app) > 0);
        text_clear(&text);
        text_clear(&again);
        inlay_app_free(back);
    }
    inlay_app_free(app);
}
END_TEST

/* Files that cannot be: each with what is said of it. */
static const struct {
    const char *format, *text, *message;
} bad_files[] = {
    {"dot", "digraph { a [time=1]; b [time=1];\na -> b [data=\"\"]; }",
     "f:2: data '' of the link 'a' -> 'b' is no name; expected the name of a datum, or no data"},
    {"dot", "digraph { a [time=1]; b [time=1];\n\na -> b [data=x, kind=traffic]; }",
     "f:3: data 'x' of the link 'a' -> 'b' belongs to no link with precedence; expected none for traffic alone and for "
     "uses of data blocks"},
    {"dot", "digraph { a [time=1]; b [kind=data, size=1];\nb -> a [data=x]; }",
     "f:2: data 'x' of the link 'b' -> 'a' belongs to no link with precedence; expected none for traffic alone and for "
     "uses of data blocks"},
    {"dot", "digraph { a [time=1]; b [time=1];\na -> b [data=x];\nb -> a [data=x]; }",
     "f:2: precedence cycle a -> b -> a; expected an acyclic graph (kind=traffic for traffic without precedence)"},
    {"tg", "tg 1 2 1 s\n1 - 0 a\n1 - 0 b\n0 1 1 1 - x\n",
     "f:4: more than was expected on this line; expected 'from to messages bytes flags'"},
    {"tg", "tg 2 2 1 s\n1 - 0 a\n1 - 0 b\n0 1 1 1 t x\n",
     "f:4: a datum of a link without precedence; expected 'from to messages bytes flags'"},
    {"tg", "tg 2 2 1 s\n1 - 0 a\n1 - 0 b\n0 1 1 1 - \"\"\n", "f:4: the name of the datum is missing; expected one"},
    {"tg", "tg 2 2 1 s\n1 - 0 a\n1 - 0 b\n0 1 1 1 - \"x\n",
     "f:4: the quotes of the name of the datum are not closed at the end of the line; expected '\"'"},
    {"tg", "tg 2 2 1 s\n1 - 0 a\n1 - 0 b\n0 1 1 1 - \\u00\n",
     "f:4: a broken escape in the name of the datum; expected text with the escapes of JSON"},
    {"tg", "tg 2 2 1 s\n1 - 0 a\n1 - 0 b\n0 1 1 1 x\n",
     "f:4: flags 'x' cannot be read; expected - or t (traffic without precedence)"},
    {"tg", "tg 3 2 1 s\n",
     "f:1: 'tg 3' is not how version 1 or 2 of this format begins; expected 'tg 1 MODULES LINKS TIME_UNIT'"},
    {"json",
     "{\"inlay_application\": 1, \"modules\": [{\"name\": \"a\", \"time\": 1}, {\"name\": \"b\", \"time\": 1}],\n"
     "\"links\": [{\"from\": \"a\", \"to\": \"b\", \"data\": \"\"}]}",
     "f:2: links[0].data is ''; expected the name of a datum"},
    {"json",
     "{\"inlay_application\": 1, \"modules\": [{\"name\": \"a\", \"time\": 1}, {\"name\": \"b\", \"time\": 1}],\n"
     "\"links\": [{\"from\": \"a\", \"to\": \"b\", \"data\": 7}]}",
     "f:2: links[0].data is 7; expected a text"},
    {"json",
     "{\"inlay_application\": 1, \"modules\": [{\"name\": \"a\", \"time\": 1}, {\"name\": \"b\", \"time\": 1}],\n"
     "\"links\": [{\"from\": \"a\", \"to\": \"b\", \"kind\": \"traffic\", \"data\": \"x\"}]}",
     "f:2: links[0].data is 'x'; expected no datum of a link without precedence"},
};
enum { BAD_FILES = sizeof bad_files / sizeof *bad_files };

START_TEST(bad_files_are_refused)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_app *app = NULL;
    const char *text = bad_files[_i].text;
    ck_assert_int_ne(inlay_app_read_memory(text, strlen(text), "f", bad_files[_i].format, &app, diag), INLAY_OK);
    ck_assert_str_eq(inlay_diag_message(diag), bad_files[_i].message);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(refused)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_app_builder *builder = inlay_app_builder_new("data", INLAY_UNIT_TICK);
    inlay_app *app = NULL;
    for (int i = 0; i < 5; i++) {
        inlay_module module = {.name = (const char *const[]){"a", "b", "c", "d", "e"}[i]};
        inlay_app_add_module(builder, &module, diag);
    }
    ck_assert_int_eq(inlay_app_add_data_link(builder, 0, 1, "", 1, 1, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), "application: the datum of link 'a' -> 'b' has no name; expected one");
    ck_assert_int_eq(inlay_app_add_data_link(builder, 0, 1, NULL, 1, 1, diag), INLAY_BAD_INPUT);
    ck_assert_int_eq(inlay_app_add_data_link(builder, 0, 0, "x", 1, 1, diag), INLAY_BAD_INPUT);
    ck_assert_int_eq(inlay_app_add_data_link(builder, 0, 9, "x", 1, 1, diag), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_app_add_data_link(builder, 0, 1, "x", 1, -1, diag), INLAY_BAD_INPUT);
    /* links fit, the largest of them times its consumers does not */
    for (inlay_id to = 1; to < 5; to++) {
        ck_assert_int_eq(inlay_app_add_data_link(builder, 0, to, "x", 1, to == 3 ? INT64_C(1) << 61 : 0, diag),
                         INLAY_OK);
    }
    ck_assert_int_eq(inlay_app_build(builder, &app, diag), INLAY_OVERFLOW);
    ck_assert_str_eq(inlay_diag_message(diag),
                     "application: messages or bytes of the data add up to more than 2^62 where "
                     "each goes to all its consumers; expected less");
    ck_assert_ptr_null(app);
    inlay_app_builder_free(builder);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_data(void)
{
    Suite *suite = suite_create("data");
    TCase *tests = tcase_create("data");
    tcase_add_loop_test(tests, random_data, 0, DRAWN_DATA);
    tcase_add_loop_test(tests, other_numbers_keep_data, 0, DRAWN_DATA / 4);
    tcase_add_loop_test(tests, formats_keep_data, 0, DRAWN_DATA / 2);
    tcase_add_loop_test(tests, bad_files_are_refused, 0, BAD_FILES);
    tcase_add_test(tests, refused);
    suite_add_tcase(suite, tests);
    return suite;
}

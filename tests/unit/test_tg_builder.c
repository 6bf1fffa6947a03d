/* Building large graphs: rows, sums, names and cycles against slow counts. */
#include "drawn.h"
#include "random_app.h"
#include "unit.h"

#include "base/hash.h"
#include "graph/names.h"
#include <inlay/app.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inlay_app_builder *builder_of(inlay_id modules)
{
    inlay_app_builder *builder = inlay_app_builder_new("t", INLAY_UNIT_TICK);
    for (inlay_id i = 0; i < modules; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d", (int)i);
        inlay_module module = {.name = name, .time = {{1, 0}, 0}};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    }
    return builder;
}

/* ---- Rows ---- */

enum { MODULES = 30, LINKS = 400 };

typedef struct link {
    inlay_id from, to;
    int64_t messages, bytes;
    unsigned flags;
} link;

/* One order in which links may come. */
static int by_source(const void *a, const void *b)
{
    const link *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
           : x->to != y->to   ? (x->to > y->to) - (x->to < y->to)
                              : (x->flags > y->flags) - (x->flags < y->flags);
}

static int by_target(const void *a, const void *b)
{
    const link *x = a, *y = b;
    return x->to != y->to ? (x->to > y->to) - (x->to < y->to) : (x->from < y->from) - (x->from > y->from);
}

static bool fits(const link *l, inlay_id from, inlay_id to, unsigned flags)
{
    return l->from == from && l->to == to && l->flags == flags;
}

/* The links of one pair and flag are one, with the sums of all that were added. Whether there is one. */
static bool expect_pair(const inlay_app *app, const link *links, size_t count, inlay_id from, inlay_id to,
                        unsigned flags)
{
    int64_t messages = 0, bytes = 0, same = 0, found = 0;
    for (size_t l = 0; l < count; l++) {
        bool counts = fits(&links[l], from, to, flags);
        same += counts;
        messages += counts ? links[l].messages : 0;
        bytes += counts ? links[l].bytes : 0;
    }
    inlay_links out = inlay_app_out(app, from);
    for (int64_t o = 0; o < out.count; o++) {
        bool counts = out.module[o] == to && out.flags[o] == flags;
        found += counts;
        ck_assert(!counts || (out.messages[o] == messages && out.bytes[o] == bytes));
    }
    ck_assert_int_eq(found, same > 0);
    return same > 0;
}

static void expect_predecessors(const inlay_app *app, const link *links, size_t count, int64_t expected)
{
    for (inlay_id j = 0; j < MODULES; j++) {
        int64_t in;
        const inlay_id *from = inlay_app_predecessors(app, j, &in);
        expected -= in;
        for (int64_t p = 0; p < in; p++) {
            bool found = false;
            for (size_t l = 0; l < count; l++) {
                found = found || fits(&links[l], from[p], j, 0);
            }
            ck_assert(found && (p == 0 || from[p - 1] < from[p]));
        }
    }
    ck_assert_int_eq(expected, 0);
}

static void expect_rows(const inlay_app *app, const link *links, size_t count)
{
    int64_t pairs[2] = {0}; /* with precedence, and without */
    for (inlay_id i = 0; i < MODULES; i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t o = 1; o < out.count; o++) { /* by the other end, then precedence first */
            ck_assert(out.module[o - 1] * 2 + out.flags[o - 1] < out.module[o] * 2 + out.flags[o]);
        }
        for (inlay_id j = 0; j < MODULES; j++) {
            for (unsigned flags = 0; flags < 2; flags++) {
                pairs[flags] += expect_pair(app, links, count, i, j, flags);
            }
        }
    }
    ck_assert_int_eq(inlay_app_links(app), pairs[0] + pairs[1]);
    expect_predecessors(app, links, count, pairs[0]);
}

static size_t random_links(uint64_t *state, int order, link *links)
{
    size_t count = (size_t)random_below(state, LINKS), distinct = 0;
    for (size_t l = 0; l < count; l++) {
        inlay_id a = (inlay_id)random_below(state, random_once_in(state, 3) ? 1 : MODULES - 1);
        inlay_id b = a + 1 + (inlay_id)random_below(state, MODULES - a - 1);
        links[l] = (link){a, b, random_below(state, 4), random_below(state, 9), random_once_in(state, 4)};
    }
    if (order > 0) {
        qsort(links, count, sizeof *links, order == 1 ? by_target : by_source);
    }
    for (size_t l = 0; order == 3 && l < count; l++) { /* every pair once: the rows stand there already */
        if (distinct == 0 || by_source(&links[distinct - 1], &links[l]) != 0) {
            links[distinct++] = links[l];
        }
    }
    return order == 3 ? distinct : count;
}

START_TEST(links_in_any_order)
{
    uint64_t state = (uint64_t)_i + 1;
    link links[LINKS];
    size_t count = random_links(&state, _i % 4, links);
    inlay_app_builder *builder = builder_of(MODULES);
    if (random_once_in(&state, 2)) {
        ck_assert_int_eq(inlay_app_builder_reserve(builder, MODULES, (int64_t)count, NULL), INLAY_OK);
    }
    for (size_t l = 0; l < count; l++) {
        const link *k = &links[l];
        ck_assert_int_eq(inlay_app_add_link(builder, k->from, k->to, k->messages, k->bytes, k->flags, NULL), INLAY_OK);
    }
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    expect_rows(app, links, count);
    inlay_app_free(app);
}
END_TEST

START_TEST(sums_have_a_limit)
{
    const int64_t most = INT64_C(1) << 62;
    for (int over = 0; over < 2; over++) {
        for (int use = 0; use < 2; use++) {
            inlay_app_builder *builder = builder_of(2);
            ck_assert_int_eq(inlay_app_add_block(builder, "d", 1, (inlay_duration){{0, 0}, 0}, NULL), INLAY_OK);
            for (int half = 0; half < 2; half++) {
                int64_t count = most / 2 + over * half;
                int status = use ? inlay_app_add_use(builder, 0, half, count, 0, NULL)
                                 : inlay_app_add_link(builder, 0, 1, 0, count, 0, NULL);
                ck_assert_int_eq(status, INLAY_OK);
            }
            inlay_app *app = NULL;
            ck_assert_int_eq(inlay_app_build(builder, &app, NULL), over ? INLAY_OVERFLOW : INLAY_OK);
            ck_assert((app == NULL) == (over == 1));
            inlay_app_free(app);
            inlay_app_builder_free(builder);
        }
    }
}
END_TEST

/* ---- In bulk ---- */

START_TEST(bulk_stops_at_the_first_refusal)
{
    enum { COUNT = 100, TWICE = 70 };
    static char names[COUNT][16];
    inlay_module modules[COUNT];
    for (int i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "m%d", i == TWICE ? 3 : i);
        const char *name = i == 90 ? NULL : names[i];
        modules[i] = (inlay_module){.name = name, .time = {{i, 0}, 0}, .pinned = i == 20, .pin = 5};
    }
    inlay_app_builder *builder = inlay_app_builder_new("t", INLAY_UNIT_TICK);
    ck_assert_int_eq(inlay_app_builder_reserve(builder, -1, 0, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_app_builder_reserve(builder, 1000, 1000, NULL), INLAY_OK);
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_app_add_modules(builder, modules, COUNT, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), "application: duplicate module 'm3'; expected every name once");
    inlay_diag_free(diag);
    ck_assert_int_eq(inlay_app_builder_find(builder, "m69"), 69);
    ck_assert_int_eq(inlay_app_builder_find(builder, "m71"), -1);
    ck_assert_int_eq(inlay_app_add_modules(builder, modules + 90, 1, NULL), INLAY_BAD_INPUT); /* no name */
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    ck_assert_int_eq(inlay_app_modules(app), TWICE);
    for (inlay_id i = 0; i < TWICE; i++) {
        ck_assert_str_eq(inlay_app_module_name(app, i), names[i]);
        ck_assert_int_eq(inlay_app_time(app, i), i);
        ck_assert_int_eq(inlay_app_pin(app, i), i == 20 ? 5 : -1);
    }
    inlay_app_free(app);
}
END_TEST

/* ---- Names ---- */

/* A map of many names against what was put in. */
START_TEST(many_names)
{
    enum { NAMES = 100000 };
    static const char *const shapes[] = {"%d", "x%d", "gemm_%d_0", "%010d",
                                         "a rather long name, number %d of them all"};
    name_map map = {0};
    name_store *store = NULL;
    char name[64];
    for (int i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, shapes[i % 5], i / 5);
        name_spot spot;
        ck_assert_int_eq(name_map_get(&map, name), -1);
        name_map_announce(&map, name, &spot);
        ck_assert(name_map_seek(&map, name, &spot));
        ck_assert_int_eq(spot.id, -1);
        name_map_fill(&map, &spot, name_store_keep(&store, name), i);
    }
    ck_assert(name_map_reserve(&map, 3 * NAMES));
    for (int i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, shapes[i % 5], i / 5);
        ck_assert_int_eq(name_map_get(&map, name), i);
    }
    ck_assert_int_eq(name_map_get(&map, ""), -1);
    ck_assert_int_eq(name_map_get(&map, "x"), -1);
    ck_assert(name_map_put(&map, "x7", 5)); /* replaces */
    ck_assert_int_eq(name_map_get(&map, "x7"), 5);
    name_map_clear(&map);
    name_store_free(store);
}
END_TEST

/* Kinds are words that recur; here every other module has its own. */
START_TEST(many_kinds)
{
    enum { KINDS = 20000 };
    inlay_app_builder *builder = inlay_app_builder_new("t", INLAY_UNIT_TICK);
    char name[16];
    for (int i = 0; i < KINDS; i++) {
        snprintf(name, sizeof name, "m%d", i);
        inlay_module module = {.name = name, .kind = i % 3 == 0 ? NULL : name};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    }
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    for (inlay_id i = 0; i < KINDS; i++) {
        snprintf(name, sizeof name, "m%d", (int)i);
        if (i % 3 == 0) {
            ck_assert_ptr_null(inlay_app_module_kind(app, i));
        } else {
            ck_assert_str_eq(inlay_app_module_kind(app, i), name);
        }
    }
    inlay_app_free(app);
}
END_TEST

/* ---- Cycles ---- */

/* Both modules of the cycle have many predecessors that are done: at every step back to try them all takes too long. */
START_TEST(a_cycle_among_many)
{
    enum { DONE = 200000 };
    inlay_app_builder *builder = builder_of(DONE + 2);
    for (inlay_id i = 0; i < DONE; i++) {
        ck_assert_int_eq(inlay_app_add_link(builder, i, DONE, 1, 0, 0, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_app_add_link(builder, i, DONE + 1, 1, 0, 0, NULL), INLAY_OK);
    }
    ck_assert_int_eq(inlay_app_add_link(builder, DONE + 1, DONE, 1, 0, 0, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_add_link(builder, DONE, DONE + 1, 1, 0, 0, NULL), INLAY_OK);
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_app_build(builder, &app, diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag),
                     "application: precedence cycle m200000 -> m200001 -> m200000; expected an acyclic graph "
                     "(kind=traffic for traffic without precedence)");
    ck_assert_ptr_null(app);
    inlay_diag_free(diag);
    inlay_app_builder_free(builder);
}
END_TEST

Suite *suite_tg_builder(void)
{
    Suite *suite = suite_create("tg builder");
    TCase *tests = tcase_create("tg builder");
    tcase_add_loop_test(tests, links_in_any_order, 0, DRAWN_TG_BUILDER);
    tcase_add_test(tests, sums_have_a_limit);
    tcase_add_test(tests, bulk_stops_at_the_first_refusal);
    tcase_add_test(tests, many_names);
    tcase_add_test(tests, many_kinds);
    tcase_add_test(tests, a_cycle_among_many);
    suite_add_tcase(suite, tests);
    return suite;
}

/* Grid decomposition: the figures of the thesis as golden/grid.json reproduces them, and its table 2. */
#include "grid_subject.h"
#include "slow_grid.h"
#include "unit.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double speeds_27[] = {4, 4, 3, 3, 3, 2, 2, 1, 1, 0};
static const double speeds_28[] = {4, 4, 4, 3, 3, 3, 0};

static void expect_block(const inlay_decomposition *d, int32_t processor, const json_t *rect)
{
    inlay_grid_block b;
    ck_assert(inlay_decomposition_block(d, processor, &b));
    int64_t edge[] = {b.top, b.left, b.bottom, b.right};
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(edge[i], json_integer_value(json_array_get(rect, i)));
}

/* ---- Figures 27 and 28 ---- */

typedef struct sending {
    int messages[SUBJECT_PROCESSORS], items[SUBJECT_PROCESSORS], all_messages, all_items;
} sending;

static void add_message(void *context, const inlay_grid_message *message)
{
    sending *s = context;
    s->messages[message->from]++;
    s->all_messages++;
    s->items[message->from] += (int)(message->bytes / 8);
    s->all_items += (int)(message->bytes / 8);
}

static sending sent(const inlay_decomposition *d)
{
    sending s = {0};
    const inlay_grid_pattern pattern = {.communication = INLAY_GRID_STENCIL5};
    ck_assert_int_eq(inlay_decomposition_messages(d, &pattern, add_message, &s, NULL), INLAY_OK);
    return s;
}

/* [messages, items / n] without one of the blocks that sends 7: the figure seems to sum up 8 of its 9 blocks. */
static void expect_remark(const json_t *remark, const sending *s, int processors, double n)
{
    size_t seen = 0;
    for (int i = 0; i < processors; i++) {
        if (s->messages[i] != 7) continue;
        const json_t *pair = json_array_get(remark, seen++);
        ck_assert_int_eq(s->all_messages - 7, json_integer_value(json_array_get(pair, 0)));
        ck_assert_double_eq_tol((s->all_items - s->items[i]) / n, json_number_value(json_array_get(pair, 1)), 5.1e-4);
    }
    ck_assert_uint_eq(seen, json_array_size(remark));
}

static void expect_picture(int64_t n, const char *name, const json_t *picture)
{
    static const struct {
        const char *name;
        inlay_grid_method method;
    } methods[] = {{"BRBD", INLAY_GRID_BRBD},
                   {"FBRD_alternate", INLAY_GRID_FBRD_ALTERNATE},
                   {"FBRD_longest", INLAY_GRID_FBRD},
                   {"PHD", INLAY_GRID_PHD}};
    grid_subject subject;
    grid_subject_square(n, strstr(name, "27") != NULL ? speeds_27 : speeds_28, &subject);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (strncmp(name, methods[i].name, strlen(methods[i].name)) != 0) continue;
        inlay_decomposition *d = grid_decomposed(&subject.problem, methods[i].method, NULL);
        sending s = sent(d);
        ck_assert_int_eq(s.all_messages, json_integer_value(json_object_get(picture, "messages")));
        ck_assert_int_eq(s.all_items, json_integer_value(json_object_get(picture, "items")));
        for (int p = 0; p < subject.problem.processors; p++) {
            json_t *label = json_array_get(json_object_get(picture, "labels"), (size_t)p);
            ck_assert_int_eq(s.messages[p], json_integer_value(label));
            expect_block(d, p, json_array_get(json_object_get(picture, "rects"), (size_t)p));
        }
        json_t *remark = json_object_get(picture, "without_a_block_with_7");
        if (remark != NULL) expect_remark(remark, &s, subject.problem.processors, (double)n);
        inlay_decomposition_free(d);
        return;
    }
    ck_abort_msg("no method for %s", name);
}

START_TEST(figures_27_and_28)
{
    json_t *file = unit_golden("grid");
    const char *n;
    const char *name;
    json_t *sizes = json_object_get(file, "fig27_28");
    json_t *size;
    json_t *picture;
    int pictures = 0;
    json_object_foreach(sizes, n, size)
    {
        json_object_foreach(size, name, picture)
        {
            expect_picture(strtoll(n, NULL, 10), name, picture);
            pictures++;
        }
    }
    ck_assert_int_eq(pictures, 48);
    json_decref(file);
}
END_TEST

/* ---- Figures 12, 17, 18, 21, 23 ---- */

START_TEST(figures_of_methods)
{
    static const struct {
        const char *name;
        inlay_grid_method method;
        int64_t n;
    } figures[] = {{"fig17_brbd_36", INLAY_GRID_BRBD, 36},
                   {"fig18_brbd_40", INLAY_GRID_BRBD, 40},
                   {"fig21_fbrd_39", INLAY_GRID_FBRD, 39},
                   {"fig23_phd_46", INLAY_GRID_PHD, 46}};
    json_t *file = unit_golden("grid");
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        json_t *blocks = json_object_get(file, figures[i].name);
        double speed[SUBJECT_PROCESSORS] = {0};
        grid_subject s;
        for (size_t p = 0; p < json_array_size(blocks); p++)
            speed[p] = json_number_value(json_object_get(json_array_get(blocks, p), "speed"));
        grid_subject_square(figures[i].n, speed, &s);
        inlay_decomposition *d = grid_decomposed(&s.problem, figures[i].method, NULL);
        for (int p = 0; p < s.problem.processors; p++)
            expect_block(d, p, json_object_get(json_array_get(blocks, (size_t)p), "rect"));
        inlay_decomposition_free(d);
    }
    json_decref(file);
}
END_TEST

START_TEST(figure_12)
{
    json_t *file = unit_golden("grid");
    json_t *pattern = json_object_get(file, "fig12b_pattern");
    grid_subject s;
    grid_subject_square(31, (double[]){4, 2, 2, 1, 0}, &s);
    inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_INTERLEAVED, NULL);
    for (int64_t r = 0; r < 31; r++) {
        json_t *owner = json_array_get(pattern, (size_t)r % json_array_size(pattern));
        ck_assert_int_eq(inlay_decomposition_owner(d, r, r % 7), json_integer_value(owner));
    }
    inlay_decomposition_free(d);
    /* (a): like processors take turns */
    d = grid_decomposed(&s.problem, INLAY_GRID_INTERLEAVED, &(inlay_grid_options){.alike = true});
    for (int64_t r = 0; r < 31; r++)
        ck_assert_int_eq(inlay_decomposition_owner(d, r, 3), r % 4);
    inlay_decomposition_free(d);
    json_decref(file);
}
END_TEST

/* ---- All patterns with all methods: speeds 4, 2, 2, 1 on 18 x 18 cells ---- */

static void expect_cost(const char *method_and_pattern, const json_t *expected)
{
    static const struct {
        const char *name;
        inlay_grid_method method;
    } methods[] = {{"point/", INLAY_GRID_POINT},
                   {"row/", INLAY_GRID_ROW},
                   {"interleaved/", INLAY_GRID_INTERLEAVED},
                   {"brbd/", INLAY_GRID_BRBD},
                   {"fbrd/", INLAY_GRID_FBRD},
                   {"phd/", INLAY_GRID_PHD},
                   {"scatter_seed1/", INLAY_GRID_SCATTER}};
    const char *pattern = strchr(method_and_pattern, '/') + 1;
    pattern = strcmp(pattern, "stencil3ew") == 0 ? "stencil3-across" : pattern;
    int communication = INLAY_GRID_SYSTOLIC;
    while (strcmp(inlay_grid_communication_name((inlay_grid_communication)communication), pattern) != 0)
        communication++;
    grid_subject s;
    grid_subject_square(18, (double[]){4, 2, 2, 1, 0}, &s);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (strncmp(method_and_pattern, methods[i].name, strlen(methods[i].name)) != 0) continue;
        inlay_decomposition *d = grid_decomposed(&s.problem, methods[i].method, &(inlay_grid_options){.seed = 1});
        inlay_grid_cost cost = grid_cost_of(d, &grid_ethernet, (inlay_grid_communication)communication);
        ck_assert_double_eq(cost.messages, json_number_value(json_object_get(expected, "messages")));
        ck_assert_double_eq(cost.bytes, 8 * json_number_value(json_object_get(expected, "items")));
        ck_assert_double_eq(cost.framed, json_number_value(json_object_get(expected, "bytes_with_frames")));
        ck_assert_double_eq(cost.latency_units, json_number_value(json_object_get(expected, "latency_units")));
        ck_assert_double_eq_tol(cost.seconds, json_number_value(json_object_get(expected, "cost")), 1e-12);
        inlay_decomposition_free(d);
        return;
    }
    ck_abort_msg("no method for %s", method_and_pattern);
}

START_TEST(patterns)
{
    json_t *file = unit_golden("grid");
    const char *name;
    json_t *expected;
    json_t *all = json_object_get(file, "patterns_4221_18x18");
    json_object_foreach(all, name, expected) expect_cost(name, expected);
    ck_assert_uint_eq(json_object_size(all), 42);
    json_decref(file);
}
END_TEST

/* ---- Table 2 ---- */

static double messages_of(const grid_subject *s, inlay_grid_method method)
{
    return grid_stencil5(&s->problem, method, NULL).messages;
}

START_TEST(table_2_alike)
{
    for (int p = 2; p <= 16; p++) {
        grid_subject s;
        grid_subject_alike(16 * p, 251, p, &s);
        ck_assert_double_eq(messages_of(&s, INLAY_GRID_INTERLEAVED), 2 * p);
        ck_assert_double_eq(messages_of(&s, INLAY_GRID_ROW), 2 * p);
        if (p <= 9) ck_assert_double_eq(messages_of(&s, INLAY_GRID_SCATTER), 4 * p * (p - 1));
        grid_subject_alike(15 * p + 1, 251, p, &s); /* all runs end within rows */
        ck_assert_double_eq(messages_of(&s, INLAY_GRID_POINT), 6 * p - 4);
    }
    static const int composite[] = {4, 8, 9, 16};
    for (size_t i = 0; i < sizeof composite / sizeof *composite; i++) {
        grid_subject s;
        grid_subject_alike(144, 144, composite[i], &s);
        ck_assert_double_eq(messages_of(&s, INLAY_GRID_BLOCK), 4 * composite[i]);
    }
    grid_subject s;
    grid_subject_alike(144, 144, 7, &s); /* 1 x 7 "blocks" */
    ck_assert_double_eq(messages_of(&s, INLAY_GRID_BLOCK), 2 * 7);
}
END_TEST

START_TEST(table_2_unlike)
{
    for (int p = 2; p <= 9; p++) {
        double speed[SUBJECT_PROCESSORS] = {0};
        grid_subject s;
        for (int i = 0; i < p; i++)
            speed[i] = p - i;
        grid_subject_square(360, speed, &s);
        ck_assert_double_eq(messages_of(&s, INLAY_GRID_INTERLEAVED), 4 * (p - 1));
        ck_assert_double_eq(messages_of(&s, INLAY_GRID_ROW), 2 * p);
        ck_assert_double_eq(messages_of(&s, INLAY_GRID_SCATTER), 4 * p * (p - 1));
    }
    grid_subject s;
    grid_subject_square(18, (double[]){4, 2, 2, 1, 0}, &s);
    ck_assert_double_eq(messages_of(&s, INLAY_GRID_INTERLEAVED), 10); /* two of like speed: below 4 (p - 1) */
}
END_TEST

/* Theorem 2, 6p - 4, bounds all block methods, and BRBD reaches it for 4 to 12 processors. */
START_TEST(theorem_2)
{
    static const inlay_grid_method methods[] = {INLAY_GRID_BRBD, INLAY_GRID_FBRD, INLAY_GRID_FBRD_ALTERNATE,
                                                INLAY_GRID_PHD};
    uint64_t state = 5;
    double most[13] = {0};
    for (int n = 0; n < 4000; n++) {
        int p = (int)grid_subject_between(&state, 2, 12);
        double speed[SUBJECT_PROCESSORS] = {0};
        grid_subject s;
        for (int i = 0; i < p; i++)
            speed[i] = (double)grid_subject_between(&state, 20, 60);
        grid_subject_square(grid_subject_between(&state, 97, 400), speed, &s);
        for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
            double messages = messages_of(&s, methods[i]);
            ck_assert_double_le(messages, p == 2 ? 8 : 6 * p - 4);
            most[p] = fmax(most[p], messages);
        }
    }
    ck_assert_double_eq(most[2], 4);
    ck_assert_double_eq(most[3], 12);
    for (int p = 4; p <= 12; p++)
        ck_assert_double_eq(most[p], 6 * p - 4);
}
END_TEST

Suite *suite_grid(void)
{
    Suite *suite = suite_create("grid");
    TCase *test = tcase_create("grid");
    tcase_add_test(test, figures_27_and_28);
    tcase_add_test(test, figures_of_methods);
    tcase_add_test(test, figure_12);
    tcase_add_test(test, patterns);
    tcase_add_test(test, table_2_alike);
    tcase_add_test(test, table_2_unlike);
    tcase_add_test(test, theorem_2);
    suite_add_tcase(suite, test);
    return suite;
}

/*
 * Speeds in operations a second: an application's times are those on a reference. Every file form keeps both, and times on
 * machines of any reference are the hand-made quotients.
 */
#include "unit.h"
#include "map_by_houstis.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Quantities ---- */

START_TEST(quantities)
{
    static const struct {
        const char *text;
        double flops; /* 0: refused */
    } rows[] = {{"1Gf", 1e9},    {"2.5 Tflop/s", 2.5e12},
                {"300f", 300},   {"4kflops", 4e3},
                {"1e3 Mf", 1e9}, {"1E", 0},
                {"1", 0},        {"0Gf", 0},
                {"-1Gf", 0},     {"Gf", 0},
                {"1 G f", 0},    {"1gf", 0},
                {"nanf", 0},     {"1GfGf", 0},
                {"", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double flops = 0;
        int status = inlay_flops_parse(rows[i].text, &flops);
        ck_assert_msg((status == INLAY_OK) == (rows[i].flops > 0), "%s", rows[i].text);
        ck_assert_msg(status != INLAY_OK || flops == rows[i].flops, "%s: %.17g", rows[i].text, flops);
    }
}
END_TEST

/* ---- Machines ---- */

static inlay_machine *machine_of(const char *text)
{
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_msg(inlay_machine_read(text, &machine, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return machine;
}

static const char hosts[] =
    "graph g { graph [network=links%s]; a [speed=\"%s\"]; b [speed=\"%s\"]; a -- b [capacity=\"1GB/s\"]; }\n";

/* The machine whose file has these words in it. */
static int read_hosts(const char *more, const char *a, const char *b, inlay_machine **machine, inlay_diag *diag)
{
    char text[400];
    int length = snprintf(text, sizeof text, hosts, more, a, b);
    return inlay_machine_read_memory(text, (size_t)length, "hosts", "dot", machine, diag);
}

START_TEST(references)
{
    static const struct {
        const char *more, *a, *b;
        double flops, first, second; /* 0: no unit */
    } rows[] = {{"", "1", "4", 0, 1, 4},
                {"", "1Gf", "4Gf", 4e9, 0.25, 1},
                {", reference_speed=\"2Gf\"", "1Gf", "4 Gflop/s", 2e9, 0.5, 2},
                {", reference_speed=\"8Gf\"", "4Gf", "4Gf", 8e9, 0.5, 0.5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        inlay_machine *machine = NULL;
        ck_assert_int_eq(read_hosts(rows[i].more, rows[i].a, rows[i].b, &machine, NULL), INLAY_OK);
        double flops = 0;
        ck_assert(inlay_machine_flops(machine, &flops) == (rows[i].flops > 0));
        ck_assert_double_eq(flops, rows[i].flops);
        ck_assert_double_eq(inlay_machine_processor(machine, 0).speed, rows[i].first);
        ck_assert_double_eq(inlay_machine_processor(machine, 1).speed, rows[i].second);
        ck_assert_int_eq(inlay_machine_refer(machine, 16e9, NULL), flops > 0 ? INLAY_OK : INLAY_BAD_ARGUMENT);
        if (flops > 0) {
            ck_assert_double_eq(inlay_machine_processor(machine, 0).speed, rows[i].first * flops / 16e9);
            ck_assert_double_eq(inlay_machine_processor(machine, 1).speed, rows[i].second * flops / 16e9);
        }
        ck_assert_int_eq(inlay_machine_refer(machine, 0, NULL), INLAY_BAD_ARGUMENT);
        ck_assert_int_eq(inlay_machine_refer(machine, INFINITY, NULL), INLAY_BAD_ARGUMENT);
        ck_assert_int_eq(inlay_machine_refer(machine, NAN, NULL), INLAY_BAD_ARGUMENT);
        inlay_machine_free(machine);
    }
}
END_TEST

/* A type with a reference of its own keeps it, whatever the others hold on; files that are written say the same. */
START_TEST(references_of_types)
{
    static const char of_types[] =
        "graph g { graph [network=links%s]; a [speed=\"1Gf\", type=cpu]; b [speed=\"4Gf\", type=gpu];"
        " c [speed=\"2Gf\", type=gpu]; a -- b [capacity=\"1GB/s\"]; b -- c [capacity=\"1GB/s\"]; }\n";
    static const struct {
        const char *more;
        double flops, speed[3], referred[3]; /* referred: to 8 Gflop/s; flops 0: refused */
    } rows[] = {{"", 4e9, {0.25, 1, 0.5}, {0.125, 0.5, 0.25}},
                {", \"reference_speed.gpu\"=\"2Gf\"", 1e9, {1, 2, 1}, {0.125, 2, 1}},
                {", \"reference_speed.cpu\"=\"2Gf\"", 4e9, {0.5, 1, 0.5}, {0.5, 0.5, 0.25}},
                {", \"reference_speed.gpu\"=\"1Gf\", reference_speed=\"2Gf\"", 2e9, {0.5, 4, 2}, {0.125, 4, 2}},
                {", \"reference_speed.gpu\"=\"1Gf\", \"reference_speed.cpu\"=\"4Gf\"", 1e9, {0.25, 4, 2}, {0.25, 4, 2}},
                {", \"reference_speed.fpga\"=\"1Gf\"", 0, {0}, {0}},
                {", \"reference_speed.gpu\"=1", 0, {0}, {0}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[500], path[64];
        inlay_machine *machine = NULL, *again = NULL;
        double flops = 0;
        int length = snprintf(text, sizeof text, of_types, rows[i].more);
        int status = inlay_machine_read_memory(text, (size_t)length, "hosts", "dot", &machine, NULL);
        ck_assert_int_eq(status, rows[i].flops > 0 ? INLAY_OK : INLAY_BAD_INPUT);
        if (status != INLAY_OK) continue;
        snprintf(path, sizeof path, "/tmp/inlay-unit-%ld.dot", (long)getpid());
        ck_assert_int_eq(inlay_machine_write(machine, path, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_machine_read(path, &again, NULL), INLAY_OK);
        unlink(path);
        for (inlay_id p = 0; p < 3; p++) {
            ck_assert_double_eq(inlay_machine_processor(machine, p).speed, rows[i].speed[p]);
            ck_assert_double_eq(inlay_machine_processor(again, p).speed, rows[i].speed[p]);
        }
        ck_assert(inlay_machine_flops(machine, &flops));
        if (i != 4) ck_assert_double_eq(flops, rows[i].flops); /* else nothing holds on it */
        ck_assert_int_eq(inlay_machine_refer(machine, 8e9, NULL), INLAY_OK);
        for (inlay_id p = 0; p < 3; p++)
            ck_assert_double_eq(inlay_machine_processor(machine, p).speed, rows[i].referred[p]);
        inlay_machine_free(machine);
        inlay_machine_free(again);
    }
}
END_TEST

START_TEST(both_kinds_are_refused)
{
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(read_hosts("", "1Gf", "2", &machine, diag), INLAY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "1 of 2, others have no unit"));
    ck_assert_int_eq(inlay_machine_read("bus:2,speed=3,reference_speed=1Gf", &machine, diag), INLAY_BAD_INPUT);
    inlay_diag_free(diag);
}
END_TEST

/* ---- Times ---- */

/* A module that takes 10 s on a processor of so many operations a second. */
static inlay_app *referring(double flops)
{
    inlay_app_builder *builder = inlay_app_builder_new("refers", INLAY_UNIT_S);
    const inlay_module a = {.name = "a", .time = {{10, 0}, INLAY_UNIT_S}};
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_add_module(builder, &a, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_builder_reference(builder, -1, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_app_builder_reference(builder, flops, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    return app;
}

/* The golden case: 10 s on a reference of 1 Gflop/s take 5 on a host of 2. */
START_TEST(golden)
{
    inlay_machine *machine = machine_of("bus:1,speed=2Gf,capacity=1GB/s");
    inlay_app *app = referring(1e9);
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(inlay_machine_refer(machine, inlay_app_reference_speed(app), NULL), INLAY_OK);
    ck_assert_int_eq(map_by_houstis(app, machine, NULL, &mapping, NULL), INLAY_OK);
    ck_assert_double_eq(inlay_mapping_summary(mapping)->estimate, 5);
    inlay_mapping_free(mapping);
    inlay_app_free(app);
    inlay_machine_free(machine);
}
END_TEST

/* ---- Files ---- */

/* Every form that can say it keeps the reference, also of scaled times; what is read back says the same. */
START_TEST(forms_keep_the_reference)
{
    static const char *const formats[] = {"dot", "json", "tg"};
    inlay_app *app = referring(1.25e9), *scaled = NULL;
    const inlay_scaling twice = {.time = {2, 0}, .bytes = {1, 0}};
    ck_assert_int_eq(inlay_app_scale(app, &twice, &scaled, NULL), INLAY_OK);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        char path[64];
        inlay_app *again = NULL;
        snprintf(path, sizeof path, "/tmp/inlay-unit-%ld.%s", (long)getpid(), formats[f]);
        ck_assert_int_eq(inlay_app_write(scaled, path, formats[f], NULL), INLAY_OK);
        ck_assert_int_eq(inlay_app_read(path, formats[f], &again, NULL), INLAY_OK);
        ck_assert_double_eq(inlay_app_reference_speed(again), 1.25e9);
        ck_assert_double_eq(inlay_app_in_units(again, inlay_app_time(again, 0)), 20);
        unlink(path);
        inlay_app_free(again);
    }
    inlay_app_free(app);
    inlay_app_free(scaled);
}
END_TEST

Suite *suite_speeds(void)
{
    Suite *suite = suite_create("speeds");
    TCase *all = tcase_create("speeds");
    tcase_add_test(all, quantities);
    tcase_add_test(all, references);
    tcase_add_test(all, references_of_types);
    tcase_add_test(all, both_kinds_are_refused);
    tcase_add_test(all, golden);
    tcase_add_test(all, forms_keep_the_reference);
    suite_add_tcase(suite, all);
    return suite;
}

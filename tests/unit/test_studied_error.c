/* The errors that mappings warn of are those that were measured: the table is worked out anew from the study's file. */
#include "mapping/studied_error.h"
#include "base/plain.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MODELS = 5, BANDS = 3, LINE = 256 };

typedef struct band {
    double sum, worst;
    int runs;
} band;

static void read_study(band bands[MODELS][BANDS])
{
    char line[LINE];
    plain_scope scope = plain_enter();
    FILE *file = fopen("docs/studies/estimate.csv", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file)); /* the heading */
    while (fgets(line, sizeof line, file) != NULL) {
        int model = 0;
        char rest[LINE] = "";
        double load = NAN;
        ck_assert_int_eq(sscanf(line, "%*[^,],%*[^,],%d,%*d,%lf,%255s", &model, &load, rest), 3);
        char *end, *simulated = rest;
        double estimate = plain_number(rest, &end);
        for (int field = 0; field < 2; field++) { /* the fixed point may be empty */
            simulated = strchr(field == 0 ? end : simulated, ',') + 1;
        }
        double error = estimate / plain_number(simulated, NULL) - 1;
        band *in = &bands[model - 1][(int)(load / 0.3)];
        in->runs++;
        in->sum += fabs(error);
        in->worst = fabs(error) > fabs(in->worst) ? error : in->worst;
    }
    ck_assert_int_eq(fclose(file), 0);
    plain_leave(scope);
}

START_TEST(the_table_is_the_study)
{
    static const char *const machines[MODELS] = {"bus:8,memory=common", "bus:8", "multibus:8,memories=8,buses=2",
                                                 "omega:8", "omega-pe:8"};
    band bands[MODELS][BANDS] = {0};
    int warned = 0;
    read_study(bands);
    for (int m = 0; m < MODELS; m++) {
        inlay_machine *machine = NULL;
        ck_assert_int_eq(inlay_machine_parse(machines[m], &machine, NULL), INLAY_OK);
        for (int b = 0; b < BANDS; b++) {
            const band *of = &bands[m][b];
            ck_assert_int_gt(of->runs, 100);
            const studied_error *first = studied_error_at(machine, 0.3 * b + 1e-9);
            const studied_error *last = studied_error_at(machine, 0.3 * (b + 1) - 1e-9);
            double mean = of->sum / of->runs;
            ck_assert_ptr_eq(first, last);
            ck_assert_msg((first != NULL) == (mean > 0.1), "%s, band %d: %g", machines[m], b, mean);
            if (first != NULL) {
                ck_assert_double_eq_tol(first->mean, mean, 0.0051);
                ck_assert_double_eq_tol(first->worst, of->worst, 0.0051);
                ck_assert_double_eq_tol(first->from, 0.3 * b, 1e-12);
                warned++;
            }
        }
        ck_assert_ptr_eq(studied_error_at(machine, 0.89), studied_error_at(machine, 5));
        inlay_machine_free(machine);
    }
    ck_assert_int_gt(warned, 0);
}
END_TEST

Suite *suite_studied_error(void)
{
    Suite *suite = suite_create("studied errors");
    TCase *tests = tcase_create("studied errors");
    tcase_add_test(tests, the_table_is_the_study);
    suite_add_tcase(suite, tests);
    return suite;
}

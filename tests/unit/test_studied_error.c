/* The bands of errors are those that were measured: the tables are those of the study's page. */
#include "mapping/studied_error.h"
#include "base/plain.h"
#include "golden.h"
#include "sound_run.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 6, BANDS = 3, LINE = 256 };

/* What the study has of estimates, or of screens, as shares. */
typedef struct counted {
    double mean, low, high;
    int runs;
} counted;

/* The table of the page: model, band, runs, and of the estimate the mean without a sign, a quantile, the least and the largest
   error; then a column of another estimate, and mean, least and largest of the screen, in percent. */
static void read_study(counted bands[MODELS][BANDS][2])
{
    enum { MODEL, BAND, COUNT, ESTIMATE, LEAST = 5, SCREEN = 8, WORDS = 11 };
    char line[LINE];
    plain_scope scope = plain_enter();
    FILE *file = fopen("docs/studies/estimate.md", "r");
    ck_assert_ptr_nonnull(file);
    do {
        ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    } while (strncmp(line, "| model | load | runs |", 23) != 0);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    for (int read = 0; read < MODELS * BANDS; read++) {
        double number[WORDS];
        ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
        const char *at = line;
        for (int word = 0; word < WORDS; word++, at = strchr(at, '|')) {
            ck_assert_ptr_nonnull(at);
            number[word] = plain_number(at + 2, NULL);
            at++;
        }
        counted *in = bands[(int)number[MODEL] - 1][(int)number[BAND]];
        for (int which = 0; which < 2; which++) {
            int from = which == 0 ? LEAST : SCREEN + 1;
            in[which] = (counted){number[which == 0 ? ESTIMATE : SCREEN] / 100, number[from] / 100,
                                  number[from + 1] / 100, (int)number[COUNT]};
        }
    }
    ck_assert_int_eq(fclose(file), 0);
    plain_leave(scope);
}

static bool band_at(const inlay_machine *machine, int which, double load, inlay_error_band *said)
{
    return which == 0 ? inlay_estimate_band(machine, load, said) : inlay_screen_band(machine, load, said);
}

static void expect_band(const inlay_machine *machine, int which, int b, const counted *of)
{
    static const double ends[] = {1e-9, 0.3 - 1e-9};
    double mean = of->mean;
    ck_assert_int_gt(of->runs, 100);
    for (int end = 0; end < 2; end++) {
        double load = 0.3 * b + ends[end];
        inlay_error_band said;
        ck_assert(band_at(machine, which, load, &said));
        ck_assert_double_eq_tol(said.mean, mean, 0.00051);
        ck_assert_double_le(fabs(said.low - of->low + 0.005), 0.005 + 1e-6); /* outwards */
        ck_assert_double_le(fabs(said.high - of->high - 0.005), 0.005 + 1e-6);
        if (which == 0) ck_assert(studied_error_tells(machine, load) == (mean > 0.1));
        if (which == 1 && b < 2) ck_assert_double_lt(said.mean, 0.1); /* what screens promise up to a load of 0.6 */
    }
}

START_TEST(the_table_is_the_study)
{
    static const char *const machines[MODELS] = {
        "bus:8,memory=common", "bus:8", "multibus:8,memories=8,buses=2", "omega:8", "omega-pe:8", "mesh:2x4"};
    counted bands[MODELS][BANDS][2] = {0};
    read_study(bands);
    for (int m = 0; m < MODELS; m++) {
        inlay_machine *machine = golden_machine(machines[m]);
        for (int which = 0; which < 2; which++) {
            inlay_error_band last, beyond;
            for (int b = 0; b < BANDS; b++)
                expect_band(machine, which, b, &bands[m][b][which]);
            ck_assert(band_at(machine, which, 0.89, &last) && band_at(machine, which, 5, &beyond));
            ck_assert_int_eq(memcmp(&last, &beyond, sizeof last), 0);
            ck_assert(!band_at(machine, which, NAN, &last));
        }
        inlay_machine_free(machine);
    }
}
END_TEST

START_TEST(without_queues_there_is_nothing_to_be_off)
{
    inlay_machine *alone = golden_machine("mesh:2x4,contention=none"), *mm1 = golden_machine("mesh:2x4,model=mm1");
    inlay_error_band band;
    ck_assert(!inlay_estimate_band(alone, 0.2, &band) && !inlay_estimate_band(mm1, 0.2, &band));
    ck_assert(inlay_screen_band(mm1, 0.2, &band) && band.low < 0 && band.high > 0);
    ck_assert(inlay_screen_band(alone, 0.2, &band) && band.low >= 0 && band.high <= 0 && band.mean <= 0);
    inlay_machine_free(alone);
    inlay_machine_free(mm1);
}
END_TEST

/* By hand, from the tables of docs/studies/estimate.md. */
START_TEST(bands_in_words)
{
    static const struct {
        const char *machine;
        double load;
        const char *estimate, *screen;
    } cases[] = {
        {"bus:8", 0.1, "studied -11 % to +4 %", "studied -4 % to +1 %"},
        {"omega-pe:8", 0.7, "studied -66 % to +618 %", "studied -7 % to +13 %"},
        {"bus:8", NAN, "unstudied", "unstudied"},
        {"mesh:2x4,model=mm1", 0.4, "unstudied", "studied -28 % to +16 %"},
        {"mesh:2x4,contention=none", 0.4, "unstudied", "exact"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[INLAY_BAND_TEXT];
        inlay_machine *machine = golden_machine(cases[i].machine);
        ck_assert_str_eq(inlay_estimate_band_text(machine, cases[i].load, text), cases[i].estimate);
        ck_assert_str_eq(inlay_screen_band_text(machine, cases[i].load, text), cases[i].screen);
        inlay_machine_free(machine);
    }
}
END_TEST

/* ---- A small study, anew ---- */

static double work_of(const inlay_app *app)
{
    double work = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++)
        work += (double)inlay_app_time(app, i);
    return inlay_app_in_units(app, (inlay_time)work);
}

static double load_of(const inlay_mapping *mapping)
{
    return inlay_mapping_summary(mapping)->load;
}

/* The machine, with links or buses as slow as gives that load: %g in `format` is the time of one message, or how many there are in a tick. */
static inlay_mapping *mapped_at(const inlay_app *app, const char *format, double slow, inlay_machine **machine)
{
    char text[160];
    inlay_mapping *mapping = NULL;
    plain_scope scope = plain_enter();
    snprintf(text, sizeof text, format, strstr(format, "capacity") != NULL ? 1 / slow : slow);
    plain_leave(scope);
    *machine = golden_machine(text);
    inlay_options options = {.method = inlay_method_named("houstis")};
    ck_assert_int_eq(inlay_map(app, *machine, &options, &mapping, NULL), INLAY_OK);
    return mapping;
}

static const char *const families[] = {
    "bus:8,memory=common,transfers=2,capacity=%gmsg/tick",
    "bus:8,capacity=%gmsg/tick",
    "multibus:8,memories=8,buses=2,capacity=%gmsg/tick",
    "omega:8,packets=4,cycle=%gtick",
    "omega-pe:8,packets=4,cycle=%gtick",
    "mesh:2x4,capacity=%gmsg/tick",
    "torus:2x4,switching=cut-through,capacity=%gmsg/tick",
    "star:8,capacity=%gmsg/tick",
    "fattree:2x4,capacity=%gmsg/tick",
};

/* Simulated and screen at that load: by how much the screen is off, as a share. */
static double screen_error(const inlay_app *app, const char *format, double slow, double load)
{
    inlay_machine *machine;
    inlay_mapping *mapping = mapped_at(app, format, slow, &machine);
    ck_assert_double_eq_tol(load_of(mapping), load, 1e-4);
    double error = screen_of(mapping, INLAY_CONTENTION_QUEUES) / simulated_makespan(mapping, NULL) - 1;
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    return error;
}

/* Screens on graphs of the study and others up to a load of 0.6: here off by less than 2 % on the average. */
START_TEST(screens_are_near)
{
    static const char *const graphs[] = {"graphs/cholesky4.dot", "graphs/cholesky5.dot", "graphs/toy.dot",
                                         "graphs/blocks.dot"};
    double sum = 0;
    int runs = 0;
    for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g++) {
        inlay_app *app = NULL;
        ck_assert_int_eq(inlay_app_read(graphs[g], NULL, &app, NULL), INLAY_OK);
        double slow = work_of(app) * 1e-6;
        inlay_machine *machine;
        inlay_mapping *mapping = mapped_at(app, families[_i], slow, &machine);
        slow /= load_of(mapping);
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
        for (double load = 0.05; load < 0.6; load += 0.1, runs++)
            sum += fabs(screen_error(app, families[_i], slow * load, load));
        inlay_app_free(app);
    }
    ck_assert_int_eq(runs, 24);
    ck_assert_msg(sum / runs < 0.02, "%s: %g", families[_i], sum / runs);
}
END_TEST

Suite *suite_studied_error(void)
{
    Suite *suite = suite_create("studied errors");
    TCase *tests = tcase_create("studied errors");
    tcase_add_test(tests, the_table_is_the_study);
    tcase_add_test(tests, without_queues_there_is_nothing_to_be_off);
    tcase_add_test(tests, bands_in_words);
    tcase_add_loop_test(tests, screens_are_near, 0, sizeof families / sizeof *families);
    suite_add_tcase(suite, tests);
    return suite;
}

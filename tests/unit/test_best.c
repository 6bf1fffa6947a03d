/*
 * Method best: before local search never longer, as simulated, than any method on any count of processors, which are all
 * tried again here one by one, and no longer after it; it names a winner that takes the time it says; more processors are
 * never worse; the checker finds nothing.
 */
#include "check_subject.h"
#include "random_app.h"
#include "unit.h"
#include <inlay/io.h>
#include <inlay/simulate.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SEEDS = 30, TEXT = 300, EVALUATIONS = 500 };

/* @ stands for the application's unit; the last has unlike processors. */
static const char *const machines[] = {
    "bus:3,capacity=1msg/@,latency=1@",
    "bus:4,capacity=8msg/@,processor_memory=20KiB",
    "mesh:3x1,capacity=1msg/@",
    "star:4,cores=2,processor_memory=24KiB,capacity=2msg/@,latency=1@",
    "multibus:4,memories=2,buses=2,capacity=2msg/@",
    "graph m { graph [network=links]; a; b [speed=2]; c [speed=0.5]; edge [capacity=\"1msg/@\"]; a -- b -- c; }",
};

enum { MACHINES = sizeof machines / sizeof *machines };

static inlay_machine *make_machine(const inlay_app *app, const char *form)
{
    char text[TEXT];
    size_t taken = 0;
    inlay_machine *machine = NULL;
    for (const char *c = form; *c != '\0'; c++)
        taken += (size_t)snprintf(text + taken, TEXT - taken, "%.*s", *c == '@' ? 4 : 1,
                                  *c == '@' ? inlay_unit_name(inlay_app_unit(app)) : c);
    int status = text[0] == 'g' ? inlay_machine_read_memory(text, strlen(text), "m.dot", "dot", &machine, NULL)
                                : inlay_machine_parse(text, &machine, NULL);
    ck_assert_msg(status == INLAY_OK, "%s", text);
    return machine;
}

static double simulated(const inlay_mapping *mapping)
{
    const inlay_simulation_options options = {.threads = 1};
    inlay_simulation *simulation = NULL;
    ck_assert_int_eq(inlay_simulate(mapping, &options, &simulation, NULL), INLAY_OK);
    double elapsed = inlay_simulation_result(simulation)->makespan;
    inlay_simulation_free(simulation);
    return elapsed;
}

/** The simulated time of a method's mapping; INFINITY where it has none. */
static double elapsed_by(const inlay_app *app, const inlay_machine *machine, const char *name, inlay_id processors,
                         int64_t evaluations, inlay_winner *winner)
{
    const inlay_options options = {
        .method = inlay_method_named(name), .processors = processors, .effort.evaluations = evaluations};
    inlay_mapping *mapping = NULL;
    if (inlay_map(app, machine, &options, &mapping, NULL) != INLAY_OK) return INFINITY;
    double elapsed = simulated(mapping);
    if (winner) *winner = inlay_mapping_summary(mapping)->winner;
    inlay_mapping_free(mapping);
    return elapsed;
}

/** Whether there is an answer. */
static bool beats_all(const inlay_app *app, const inlay_machine *machine, int seed)
{
    double before = INFINITY, improved_before = INFINITY;
    for (inlay_id q = 1; q <= inlay_machine_processors(machine); q++) {
        inlay_winner winner = {0};
        double improved = elapsed_by(app, machine, "best", q, EVALUATIONS, NULL);
        double best = elapsed_by(app, machine, "best", q, -1, &winner), least = before, named = INFINITY;
        for (size_t i = 0; i < inlay_methods(); i++) {
            const inlay_method *method = inlay_method_at(i);
            bool other = method->by_name || strcmp(method->name, "best") == 0;
            double elapsed = other ? INFINITY : elapsed_by(app, machine, method->name, q, 0, NULL);
            least = fmin(least, elapsed);
        }
        if (winner.method) {
            named = elapsed_by(app, machine, winner.method, winner.processors, 0, NULL);
            ck_assert_double_eq(winner.unimproved, best);
            ck_assert_int_le(winner.processors, q);
            ck_assert_double_eq(winner.elapsed, best);
        }
        /* Clusters of a method that does not place get the order of a list too. */
        bool ordered = winner.method && !inlay_method_named(winner.method)->places && q > 1;
        ck_assert_msg(ordered ? best <= least && best <= named : best == least && best == named,
                      "seed %d on %d of %s: best %g, least %g, %s on %d %g", seed, q, inlay_machine_text(machine), best,
                      least, winner.method ? winner.method : "-", winner.processors, named);
        ck_assert_msg(improved <= best && improved <= improved_before, "seed %d on %d: improved %g, best %g, before %g",
                      seed, q, improved, best, improved_before);
        before = best;
        improved_before = improved;
    }
    return isfinite(before);
}

START_TEST(never_behind_any)
{
    int answers = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = (uint64_t)seed * 31;
        random_times times;
        unsigned features = (unsigned)random_next(&state) & RANDOM_EVERYTHING & ~(unsigned)RANDOM_BLOCKS;
        inlay_app *app = random_app(&state, 2 + (inlay_id)random_below(&state, 9), features, &times);
        inlay_machine *machine = make_machine(app, machines[seed % MACHINES]);
        answers += beats_all(app, machine, seed);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    ck_assert_int_gt(answers, SEEDS / 2);
}
END_TEST

START_TEST(its_mapping_holds)
{
    const inlay_options options = {.method = inlay_method_named("best")};
    int judged = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = (uint64_t)seed;
        random_times times;
        inlay_app *drawn = random_app(&state, 2 + (inlay_id)random_below(&state, 9), RANDOM_EVERYTHING, &times);
        inlay_app *app = NULL;
        char machine[TEXT], what[TEXT + 40];
        ck_assert_int_eq(inlay_app_write(drawn, subject_app(), "dot", NULL), INLAY_OK);
        ck_assert_int_eq(inlay_app_read(subject_app(), NULL, &app, NULL), INLAY_OK);
        snprintf(machine, sizeof machine, "bus:%d,capacity=4msg/%s", 3 + seed % 3,
                 inlay_unit_name(inlay_app_unit(app)));
        snprintf(what, sizeof what, "seed %d on %s", seed, machine);
        if (subject_map(app, subject_app(), machine, &options, NULL)) {
            subject_findings(NULL, true, what);
            judged++;
        }
        inlay_app_free(app);
        inlay_app_free(drawn);
    }
    ck_assert_int_gt(judged, SEEDS / 2);
}
END_TEST

/* ---- Risk ---- */

/* The middle of 20 runs with times spread by each of 10 and 30 %, or the 18.1st of them by size, as it is written in the book. */
static double risk_by_hand(const inlay_mapping *mapping, inlay_risk by)
{
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        const inlay_spread spread = {INLAY_SPREAD_NORMAL, k == 0 ? 0.1 : 0.3};
        double made[20], mean = 0;
        for (int r = 0; r < 20; r++) {
            const inlay_simulation_options options = {
                .module_time = spread, .transfer_time = spread, .replications = r + 1, .threads = 1};
            inlay_simulation *simulation = NULL;
            int64_t count;
            ck_assert_int_eq(inlay_simulate(mapping, &options, &simulation, NULL), INLAY_OK);
            made[r] = inlay_simulation_makespans(simulation, &count)[r];
            inlay_simulation_free(simulation);
            mean += made[r] / 20;
            for (int j = r; j > 0 && made[j] < made[j - 1]; j--) {
                double swap = made[j];
                made[j] = made[j - 1];
                made[j - 1] = swap;
            }
        }
        sum += by == INLAY_RISK_MEAN ? mean : made[17] + 0.1 * (made[18] - made[17]);
    }
    return sum / 2;
}

/* The one that bears spread times best is none that is shorter, nor worse for it than the shortest one. */
START_TEST(risk_is_what_runs_take)
{
    int differ = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = (uint64_t)seed * 77;
        random_times times;
        inlay_app *app = random_app(&state, 6 + (inlay_id)random_below(&state, 9), 0, &times);
        inlay_machine *machine = make_machine(app, machines[seed % MACHINES]);
        for (inlay_risk by = INLAY_RISK_MEAN; by <= INLAY_RISK_Q90; by++) {
            const inlay_options plain = {.effort.evaluations = 50}, options = {.effort.evaluations = 50, .risk = by};
            inlay_mapping *exact = NULL, *mapping = NULL;
            if (inlay_map(app, machine, &plain, &exact, NULL) != INLAY_OK) {
                continue;
            }
            ck_assert_int_eq(inlay_map(app, machine, &options, &mapping, NULL), INLAY_OK);
            const inlay_winner *w = &inlay_mapping_summary(mapping)->winner;
            double elapsed = inlay_mapping_summary(exact)->elapsed;
            ck_assert(isnan(inlay_mapping_summary(exact)->winner.risk));
            ck_assert_double_eq_tol(w->risk, risk_by_hand(mapping, by), 1e-9 * w->risk);
            ck_assert_double_eq_tol(w->exact, elapsed, 1e-9 * elapsed);
            ck_assert_double_ge(w->elapsed, elapsed * (1 - 1e-9));
            ck_assert_double_le(w->risk, w->exact_risk * (1 + 1e-9));
            differ += w->risk < w->exact_risk;
            inlay_mapping_free(mapping);
            inlay_mapping_free(exact);
        }
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    ck_assert_int_gt(differ, 0);
}
END_TEST

Suite *suite_best(void)
{
    Suite *suite = suite_create("best");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, subject_set_up, subject_tear_down);
    tcase_add_test(all, never_behind_any);
    tcase_add_test(all, its_mapping_holds);
    tcase_add_test(all, risk_is_what_runs_take);
    suite_add_tcase(suite, all);
    return suite;
}

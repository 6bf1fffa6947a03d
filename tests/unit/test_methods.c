/*
 * The table of methods: every one over random applications and machines, judged by the checker; linear clustering against
 * a slow one; what a method takes no account of is refused.
 */
#include "check_subject.h"
#include "random_app.h"
#include "slow.h"
#include "unit.h"
#include <inlay/io.h>
#include <inlay/sweep.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 150, MOST_MODULES = 20, PROCESSORS = 32 };

/* ---- Every method ---- */

/* @ stands for the application's unit. */
static const char *const machines[] = {
    "bus:8,capacity=1000000msg/@",
    "bus:3,capacity=2000000msg/@",
    "bus:16,memory=distributed,processor_memory=16KiB,capacity=1000000msg/@",
    "omega:8,switch=2,packets=2,transit=0.001@,cycle=0.001@",
    "omega-pe:8,switch=2,packets=1,cycle=0.001@",
    "mesh:3x2,capacity=1000000msg/@",
    "star:5,capacity=2000000msg/@,latency=1@",
};

enum { MACHINES = sizeof machines / sizeof *machines, TEXT = 200 };

static void machine_text(const inlay_app *app, const char *form, char text[TEXT])
{
    size_t taken = 0;
    for (const char *c = form; *c != '\0'; c++)
        taken += (size_t)snprintf(text + taken, TEXT - taken, "%.*s", *c == '@' ? 4 : 1,
                                  *c == '@' ? inlay_unit_name(inlay_app_unit(app)) : c);
}

/** One mapping of every method that there is an answer for: the checker finds nothing. Returns how many there were. */
static int judge_all(const inlay_app *app, const char machine[TEXT], int seed)
{
    int judged = 0;
    for (size_t i = 0; i < inlay_methods(); i++) {
        const inlay_options options = {.method = inlay_method_at(i)};
        char what[2 * TEXT];
        snprintf(what, sizeof what, "seed %d: %s on %s", seed, inlay_method_at(i)->name, machine);
        if (subject_map(app, subject_app(), machine, &options, NULL)) {
            subject_findings(NULL, true, what);
            json_t *root = subject_load();
            ck_assert_str_eq(json_string_value(json_object_get(root, "method")), inlay_method_at(i)->name);
            json_decref(root);
            judged++;
        }
    }
    return judged;
}

START_TEST(mappings_hold)
{
    int judged = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = (uint64_t)seed;
        random_times times;
        char machine[TEXT];
        inlay_id modules = 1 + (inlay_id)random_below(&state, MOST_MODULES);
        inlay_app *drawn = random_app(&state, modules, (unsigned)random_next(&state) & RANDOM_EVERYTHING, &times);
        inlay_app *app = NULL;
        ck_assert_int_eq(inlay_app_write(drawn, subject_app(), "dot", NULL), INLAY_OK);
        ck_assert_int_eq(inlay_app_read(subject_app(), NULL, &app, NULL), INLAY_OK);
        machine_text(app, machines[seed % MACHINES], machine);
        judged += judge_all(app, machine, seed);
        inlay_app_free(app);
        inlay_app_free(drawn);
    }
    ck_assert_int_gt(judged, SEEDS * (int)inlay_methods() / 2);
}
END_TEST

START_TEST(names_are_found)
{
    ck_assert_ptr_null(inlay_method_at(inlay_methods()));
    ck_assert_ptr_null(inlay_method_named("placement"));
    for (size_t i = 0; i < inlay_methods(); i++) {
        ck_assert_ptr_eq(inlay_method_named(inlay_method_at(i)->name), inlay_method_at(i));
        ck_assert(inlay_method_at(i)->description[0] != '\0');
    }
}
END_TEST

/* ---- Linear clustering ---- */

/** The longest path from a module over those that are left, and the module behind it. */
static double longest_from(const slow_problem *p, const inlay_app *app, const bool *left, int i, int *behind)
{
    double most = 0;
    int best = -1, ignored;
    for (int j = 0; j < p->modules; j++) {
        if (!p->link[i][j] || !left[j]) continue;
        double message = (double)(p->transfers / p->capacity) * (double)p->link_traffic[i][j] +
                         (double)p->latency * (double)p->link_messages[i][j];
        double path = message + longest_from(p, app, left, j, &ignored);
        if (best < 0 || path > most) {
            most = path;
            best = j;
        }
    }
    *behind = best;
    return inlay_app_in_units(app, p->time[i]) + most;
}

static bool may_join(const slow_problem *p, const slow_clusters *c, int a, int b)
{
    int64_t memory = 0;
    int pin[2] = {-1, -1};
    for (int i = 0; i < p->modules; i++) {
        bool first = c->of[i] == c->of[a], second = c->of[i] == c->of[b];
        if (first || second) memory += p->memory[i];
        if (first && p->pin[i] >= 0) pin[0] = p->pin[i];
        if (second && p->pin[i] >= 0) pin[1] = p->pin[i];
    }
    bool pins = pin[0] < 0 || pin[1] < 0 || pin[0] == pin[1];
    return pins && (p->memory_limit < 0 || memory <= p->memory_limit);
}

static void join(const slow_problem *p, slow_clusters *c, int a, int b)
{
    int into = c->of[a] < c->of[b] ? c->of[a] : c->of[b], from = c->of[a] < c->of[b] ? c->of[b] : c->of[a];
    for (int i = 0; i < p->modules; i++)
        if (c->of[i] == from) c->of[i] = into;
}

static void slow_linear(const slow_problem *p, const inlay_app *app, slow_clusters *c)
{
    bool left[SLOW_MODULES];
    slow_singletons(p, c);
    for (int i = 0; i < p->modules; i++)
        left[i] = true;
    for (int taken = 0; taken < p->modules;) {
        int first = -1, ignored;
        double most = -1;
        for (int i = 0; i < p->modules; i++) {
            double length = left[i] ? longest_from(p, app, left, i, &ignored) : -1;
            if (length > most) {
                most = length;
                first = i;
            }
        }
        for (int i = first, last = first, behind; i >= 0; last = i, i = behind) {
            (void)longest_from(p, app, left, i, &behind);
            if (c->of[i] != c->of[last] && may_join(p, c, last, i)) join(p, c, last, i);
            left[i] = false;
            taken++;
        }
    }
}

START_TEST(linear_takes_the_longest_paths)
{
    const inlay_options options = {.method = inlay_method_named("linear"), .reduce = INLAY_REDUCE_NONE};
    int merged = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = (uint64_t)seed;
        random_times times;
        slow_problem problem;
        slow_clusters expected;
        char text[200];
        unsigned features = (unsigned)random_next(&state) & RANDOM_EVERYTHING & ~(unsigned)RANDOM_BLOCKS;
        inlay_id modules = 1 + (inlay_id)random_below(&state, 12);
        inlay_app *app = random_app(&state, modules, features, &times);
        inlay_machine *machine = NULL;
        inlay_mapping *mapping = NULL;
        const char *unit = inlay_unit_name(inlay_app_unit(app));
        snprintf(text, sizeof text, "bus:%d,capacity=%dmsg/%s,latency=%d%s,processor_memory=%dKiB", PROCESSORS,
                 1 << random_below(&state, 8), unit, (int)random_below(&state, 3), unit,
                 6 + (int)random_below(&state, 20));
        ck_assert_int_eq(inlay_machine_parse(text, &machine, NULL), INLAY_OK);
        slow_read(app, machine, &options, &problem);
        slow_linear(&problem, app, &expected);
        int status = inlay_map(app, machine, &options, &mapping, NULL);
        ck_assert_msg(status == INLAY_OK, "seed %d: %s", seed, inlay_status_text(status));
        for (int i = 0; i < problem.modules; i++)
            for (int j = 0; j < i; j++) {
                bool same = inlay_mapping_cluster_of(mapping, i) == inlay_mapping_cluster_of(mapping, j);
                ck_assert_msg(same == (expected.of[i] == expected.of[j]), "seed %d on %s: modules %d and %d", seed,
                              text, i, j);
                merged += same;
            }
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    ck_assert_int_gt(merged, SEEDS);
}
END_TEST

/* ---- What a method cannot do ---- */

START_TEST(only_methods_with_a_frame_are_swept)
{
    inlay_app *app = subject_read("digraph a { graph [time_unit=tick]; a [time=1]; b [time=2]; a -> b; }");
    inlay_machine *machine = NULL;
    inlay_sweep_result *sweep = NULL;
    inlay_clustering clustering;
    inlay_diag *diag = inlay_diag_new();
    inlay_sweep_options options = {.mapping.method = inlay_method_named("linear")};
    ck_assert_int_eq(inlay_machine_parse("bus:4", &machine, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_sweep(app, machine, &options, &sweep, diag), INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(diag), "method linear takes no account of the time frame; expected houstis");
    options.mapping.has_time_frame = true;
    options.mapping.time_frame = (inlay_duration){{3, 0}, INLAY_UNIT_TICK};
    ck_assert_int_eq(inlay_cluster(app, machine, &options.mapping, &clustering, diag), INLAY_BAD_ARGUMENT);
    inlay_diag_free(diag);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

Suite *suite_methods(void)
{
    Suite *suite = suite_create("methods");
    TCase *every = tcase_create("every"), *linear = tcase_create("linear"), *refused = tcase_create("refused");
    tcase_add_checked_fixture(every, subject_set_up, subject_tear_down);
    tcase_add_checked_fixture(refused, subject_set_up, subject_tear_down);
    tcase_add_test(every, mappings_hold);
    tcase_add_test(every, names_are_found);
    tcase_add_test(linear, linear_takes_the_longest_paths);
    tcase_add_test(refused, only_methods_with_a_frame_are_swept);
    suite_add_tcase(suite, every);
    suite_add_tcase(suite, linear);
    suite_add_tcase(suite, refused);
    return suite;
}

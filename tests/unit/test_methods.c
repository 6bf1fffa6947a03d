/*
 * The table of methods: every one over random applications and machines, judged by the checker; linear clustering and
 * dynamic levels against slow ones; what a method takes no account of is refused.
 */
#include "check_subject.h"
#include "drawn.h"
#include "random_app.h"
#include "slow.h"
#include "starve.h"
#include "unit.h"
#include <inlay/io.h>
#include <inlay/sweep.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = DRAWN_METHODS, LEVEL_SEEDS = DRAWN_METHODS_LEVEL, MOST_MODULES = 20, PROCESSORS = 32 };

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
    "star:8,cores=2,processor_memory=16KiB,capacity=2000000msg/@",
};

enum { MACHINES = sizeof machines / sizeof *machines, TEXT = 300 };

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

typedef struct question {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_options options;
} question;

static int try_map(const void *subject)
{
    const question *q = subject;
    inlay_mapping *mapping = NULL;
    int status = inlay_map(q->app, q->machine, &q->options, &mapping, NULL);
    bool sound = (status == INLAY_OK) == (mapping != NULL);
    inlay_mapping_free(mapping);
    return sound ? status : INLAY_SYSTEM;
}

START_TEST(want_of_memory_is_told)
{
    uint64_t state = 99;
    random_times times;
    inlay_machine *machine = NULL;
    inlay_app *app = random_app(&state, 12, RANDOM_MEMORY | RANDOM_BLOCKS, &times);
    ck_assert_int_eq(inlay_machine_parse("star:4,cores=2,processor_memory=40KiB", &machine, NULL), INLAY_OK);
    for (size_t i = 0; i < inlay_methods(); i++) {
        const question q = {app, machine, {.method = inlay_method_at(i), .tick_seconds = 1}};
        starve(try_map, &q, 20);
    }
    inlay_machine_free(machine);
    inlay_app_free(app);
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

/* ---- Dynamic level scheduling ---- */

/** A machine, and what one unit of traffic and one message take on it while it is idle. */
typedef struct level_machine {
    const char *form;
    double tau, latency;
} level_machine;

static const level_machine level_machines[] = {
    {"bus:4,capacity=4msg/@", 0.25, 0},
    {"bus:3,memory=distributed,processor_memory=12KiB,capacity=1msg/@,latency=2@,transfers=2", 2, 2},
    {"mesh:3x2,capacity=2msg/@", 0.5, 0},
    {"star:6,cores=2,processor_memory=10KiB,capacity=2msg/@", 0.5, 0},
    {"graph m { graph [network=links]; a [speed=2]; b; c [speed=0.5, cores=2]; d [speed=4];"
     " edge [capacity=\"1msg/@\"]; a -- b -- c -- d; }",
     1, 0},
    {"graph m { graph [network=links]; a [memory=\"6KiB\"]; b [speed=2, memory=\"9KiB\"]; c [cores=3, "
     "memory=\"12KiB\"];"
     " d; edge [capacity=\"8msg/@\"]; a -- b -- c -- d -- a; }",
     0.125, 0},
};

enum { LEVEL_MACHINES = sizeof level_machines / sizeof *level_machines };

typedef struct levels {
    slow_problem problem;
    const level_machine *idle;
    const inlay_app *app;
    const inlay_machine *machine;
    int processors;
    int of[SLOW_MODULES]; /**< processor, or -1 as yet */
    double start[SLOW_MODULES];
} levels;

static double time_on(const levels *d, inlay_time grains, int processor)
{
    return inlay_app_in_units(d->app, grains) / inlay_machine_processor(d->machine, processor).speed;
}

static double median_time(const levels *d, int i)
{
    double sorted[PROCESSORS];
    for (int q = 0; q < d->processors; q++) {
        int at = q;
        for (; at > 0 && sorted[at - 1] > time_on(d, d->problem.time[i], q); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = time_on(d, d->problem.time[i], q);
    }
    return (sorted[(d->processors - 1) / 2] + sorted[d->processors / 2]) / 2;
}

static double static_level(const levels *d, int i)
{
    double behind = 0;
    for (int j = 0; j < d->problem.modules; j++)
        if (d->problem.link[i][j]) behind = fmax(behind, static_level(d, j));
    return median_time(d, i) + behind;
}

/** When the data of a link that begins at `i` are at processor `q`. */
static double data_at(const levels *d, int i, int j, int q)
{
    const slow_problem *p = &d->problem;
    inlay_time lag = p->time[i];
    if (p->streamed) lag = p->earliest[j] - p->earliest[i] < lag ? p->earliest[j] - p->earliest[i] : lag;
    double satisfied = d->start[i] + time_on(d, lag < 0 ? 0 : lag, d->of[i]);
    if (d->of[i] == q) return satisfied;
    return satisfied + (double)p->link_traffic[i][j] * d->idle->tau * inlay_machine_distance(d->machine, d->of[i], q) +
           (double)p->link_messages[i][j] * d->idle->latency;
}

/** The earliest start; negative where a predecessor has no processor. */
static double start_at(const levels *d, int j, int q)
{
    double start = 0;
    for (int i = 0; i < d->problem.modules; i++) {
        if (d->problem.link[i][j] && d->of[i] < 0) return -1;
        if (d->problem.link[i][j]) start = fmax(start, data_at(d, i, j, q));
        if (d->of[i] == q) start = fmax(start, d->start[i] + time_on(d, d->problem.time[i], q));
    }
    return start;
}

/** Beside the modules that its host has, and those that are pinned to it. */
static bool may_be_at(const levels *d, int module, int q)
{
    int64_t used = d->problem.memory[module], room = inlay_machine_processor(d->machine, q).memory;
    inlay_id host = inlay_machine_host(d->machine, q);
    if (d->problem.pin[module] >= 0 && d->problem.pin[module] != q) return false;
    for (int i = 0; i < d->problem.modules; i++) {
        int at = d->of[i] >= 0 ? d->of[i] : d->problem.pin[i];
        if (i != module && at >= 0 && inlay_machine_host(d->machine, at) == host) used += d->problem.memory[i];
    }
    return room < 0 || used <= room;
}

/** False where pins or memory leave no answer. */
static bool slow_levels(levels *d)
{
    for (int i = 0; i < d->problem.modules; i++) {
        d->of[i] = -1;
        if (d->problem.pin[i] >= d->processors) return false;
    }
    for (int taken = 0; taken < d->problem.modules; taken++) {
        int module = -1, processor = -1;
        double most = 0;
        for (int i = 0; i < d->problem.modules; i++)
            for (int q = 0; q < d->processors && d->of[i] < 0; q++) {
                double start = start_at(d, i, q);
                double level = static_level(d, i) - start + median_time(d, i) - time_on(d, d->problem.time[i], q);
                if (start < 0 || !may_be_at(d, i, q) || (module >= 0 && level <= most)) continue;
                most = level;
                module = i;
                processor = q;
            }
        if (module < 0) return false;
        d->start[module] = start_at(d, module, processor);
        d->of[module] = processor;
    }
    return true;
}

static inlay_machine *level_machine_make(const char *text)
{
    inlay_machine *machine = NULL;
    int status = text[0] == 'g' ? inlay_machine_read_memory(text, strlen(text), "m.dot", "dot", &machine, NULL)
                                : inlay_machine_parse(text, &machine, NULL);
    ck_assert_msg(status == INLAY_OK, "%s", text);
    return machine;
}

/** Whether there is an answer; the placement is that of the slow one. */
static bool compare_levels(levels *d, const inlay_options *options, const char *text, int seed)
{
    inlay_mapping *mapping = NULL;
    slow_read(d->app, d->machine, options, &d->problem);
    bool answers = slow_levels(d);
    int status = inlay_map(d->app, d->machine, options, &mapping, NULL);
    ck_assert_msg(status == (answers ? INLAY_OK : INLAY_NO_ANSWER), "seed %d on %s: %s", seed, text,
                  inlay_status_text(status));
    for (int i = 0; answers && i < d->problem.modules; i++) {
        int found = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, i)).processor;
        ck_assert_msg(found == d->of[i], "seed %d on %d of %s: module %d is on %d, expected %d", seed, d->processors,
                      text, i, found, d->of[i]);
    }
    inlay_mapping_free(mapping);
    return answers;
}

START_TEST(dls_takes_the_greatest_levels)
{
    int answers = 0;
    for (int seed = 1; seed <= LEVEL_SEEDS; seed++) {
        uint64_t state = (uint64_t)seed;
        random_times times;
        char text[TEXT];
        unsigned features = (unsigned)random_next(&state) & RANDOM_EVERYTHING & ~(unsigned)RANDOM_DECIMALS;
        inlay_app *app = random_app(&state, 1 + (inlay_id)random_below(&state, 12), features, &times);
        levels d = {.app = app, .idle = &level_machines[seed % LEVEL_MACHINES]};
        machine_text(app, d.idle->form, text);
        inlay_machine *machine = level_machine_make(text);
        inlay_id all = inlay_machine_processors(machine);
        d.machine = machine;
        d.processors = random_once_in(&state, 3) ? 1 + (int)random_below(&state, all) : all;
        const inlay_options options = {.method = inlay_method_named("dls"), .processors = d.processors};
        answers += compare_levels(&d, &options, text, seed);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    ck_assert_int_gt(answers, LEVEL_SEEDS / 2);
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
    TCase *every = tcase_create("every"), *linear = tcase_create("linear"), *dls = tcase_create("dls"),
          *refused = tcase_create("refused");
    tcase_add_checked_fixture(every, subject_set_up, subject_tear_down);
    tcase_add_checked_fixture(refused, subject_set_up, subject_tear_down);
    tcase_add_test(every, mappings_hold);
    tcase_add_test(every, want_of_memory_is_told);
    tcase_add_test(every, names_are_found);
    tcase_add_test(linear, linear_takes_the_longest_paths);
    tcase_add_test(dls, dls_takes_the_greatest_levels);
    tcase_add_test(refused, only_methods_with_a_frame_are_swept);
    suite_add_tcase(suite, every);
    suite_add_tcase(suite, linear);
    suite_add_tcase(suite, dls);
    suite_add_tcase(suite, refused);
    return suite;
}

/* Explanations: every figure again by calls of the test's own. */
#include "base/plain.h"
#include "map_by_houstis.h"
#include "explain_subject.h"
#include "golden.h"
#include "sound_run.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Subjects ---- */

/* Layers of four modules; each feeds two of the next layer. Odd times, so that halves are no whole numbers. */
static sketch layered(inlay_unit unit)
{
    sketch s = {.unit = unit, .modules = SKETCH_MODULES};
    for (int i = 0; i < SKETCH_MODULES; i++) {
        s.time[i] = 3 + 2 * (i * 7 % 11);
        for (int k = 0; i >= 4 && k < 2; k++) {
            sketch_add_link(&s, (i / 4 - 1) * 4 + (i + k) % 4, i, 1 + (i + k) % 5, 40 * (1 + i % 3));
        }
    }
    return s;
}

/* ---- Changes again ---- */

static double makespan_with(const inlay_mapping *mapping, const inlay_simulation_options *run)
{
    inlay_simulation *simulation = NULL;
    ck_assert_int_eq(inlay_simulate(mapping, run, &simulation, NULL), INLAY_OK);
    double makespan = inlay_simulation_result(simulation)->makespan;
    inlay_simulation_free(simulation);
    return makespan;
}

/* The placement of the subject, of another application or on another machine. */
static double placed_makespan(const subject *s, const inlay_app *app, const char *machine_text)
{
    inlay_machine *machine = machine_text != NULL ? golden_machine(machine_text) : NULL;
    inlay_mapping *mapping = placed(app, machine != NULL ? machine : s->machine, s->processor, NULL);
    double makespan = makespan_with(mapping, &s->run);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    return makespan;
}

/* Whether processors run their modules in the same order. */
static bool is_same_order(const inlay_mapping *a, const inlay_mapping *b)
{
    for (inlay_id c = 0; c < inlay_mapping_summary(a)->clusters; c++) {
        inlay_cluster_info x = inlay_mapping_cluster(a, c), y = inlay_mapping_cluster(b, c);
        ck_assert_int_eq(x.modules, y.modules);
        if (memcmp(x.module, y.module, (size_t)x.modules * sizeof *x.module) != 0) return false;
    }
    return true;
}

/* NaN where the rule puts the modules of the other application into another order: an explanation keeps it. */
static double differing_makespan(const subject *s, difference d)
{
    inlay_app *app = sketch_build(&s->sketch, d);
    inlay_mapping *mapping = placed(app, s->machine, s->processor, NULL);
    double makespan = is_same_order(mapping, s->mapping) ? makespan_with(mapping, &s->run) : NAN;
    inlay_mapping_free(mapping);
    inlay_app_free(app);
    return makespan;
}

static double faster_makespan(const subject *s, inlay_id processor)
{
    inlay_id count = inlay_machine_processors(s->machine);
    double *scale = calloc((size_t)count, sizeof *scale);
    inlay_simulation_options run = s->run;
    for (inlay_id k = 0; k < count; k++)
        scale[k] = (s->run.processor_scale != NULL ? s->run.processor_scale[k] : 1) *
                   (processor < 0 || k == processor ? 0.5 : 1);
    run.processor_scale = scale;
    double makespan = makespan_with(s->mapping, &run);
    free(scale);
    return makespan;
}

/* By the options that the change names; how many processors are then used must be as it says. */
static double remapped_makespan(const subject *s, const inlay_change *change)
{
    inlay_mapping *mapping = NULL;
    inlay_machine *machine = change->machine != NULL ? golden_machine(change->machine) : NULL;
    ck_assert(change->maps_anew);
    ck_assert_int_eq(map_by_houstis(s->app, machine != NULL ? machine : s->machine, &change->mapping, &mapping, NULL),
                     INLAY_OK);
    ck_assert_int_eq(inlay_mapping_summary(mapping)->clusters, change->processors);
    double makespan = makespan_with(mapping, &s->run);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    return makespan;
}

/* Every module where it was; the search is held to a time of its own by test_improve.c. */
static double reordered_makespan(const subject *s)
{
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(inlay_improve(s->mapping, INLAY_KEEP_PLACES, NULL, &mapping, NULL), INLAY_OK);
    double makespan = makespan_with(mapping, &s->run);
    for (inlay_id i = 0; i < s->sketch.modules; i++)
        ck_assert_int_eq(inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, i)).processor,
                         s->processor[i]);
    inlay_mapping_free(mapping);
    return makespan;
}

static double makespan_again(const subject *s, const inlay_change *change)
{
    inlay_simulation_options run = s->run;
    switch (change->kind) {
    case INLAY_CHANGE_ALL_PROCESSORS: return faster_makespan(s, -1);
    case INLAY_CHANGE_PROCESSOR: return faster_makespan(s, change->processor);
    case INLAY_CHANGE_MODULE: return differing_makespan(s, (difference){change->module, 5, false});
    case INLAY_CHANGE_CAPACITY:
    case INLAY_CHANGE_LATENCY: return placed_makespan(s, s->app, change->machine);
    case INLAY_CHANGE_AGGREGATE: return differing_makespan(s, (difference){-1, 10, true});
    case INLAY_CHANGE_OVERLAP:
        ck_assert_int_ne(run.no_overlap, !change->overlap);
        run.no_overlap = !change->overlap;
        return makespan_with(s->mapping, &run);
    case INLAY_CHANGE_TIME_FRAME:
    case INLAY_CHANGE_PROCESSORS:
    case INLAY_CHANGE_REDUCTION:
    case INLAY_CHANGE_METHOD: return remapped_makespan(s, change);
    case INLAY_CHANGE_ORDER: return reordered_makespan(s);
    }
    return NAN;
}

/* All changes but those that cannot be made with the same order; how many there are of each kind. */
static void check_changes(const subject *s, const inlay_explanation *explanation, int *kinds)
{
    size_t count;
    double before = makespan_with(s->mapping, &s->run);
    const inlay_change *change = inlay_explanation_changes(explanation, &count);
    for (size_t i = 0; i < count; i++) {
        double after = makespan_again(s, &change[i]);
        if (isnan(after)) {
            ck_assert_int_eq(change[i].kind, INLAY_CHANGE_MODULE);
            continue;
        }
        ck_assert_msg(fabs(change[i].makespan - after) <= 1e-9 * after, "%s: %.17g, not %.17g",
                      inlay_change_name(change[i].kind), change[i].makespan, after);
        ck_assert_double_eq_tol(change[i].gain, 1 - after / before, 1e-9);
        ck_assert(i == 0 || change[i - 1].gain >= change[i].gain);
        kinds[change[i].kind]++; /* that were checked */
    }
}

/* ---- Parts again ---- */

static double makespan_under(const subject *s, inlay_contention contention)
{
    inlay_simulation_options run = s->run;
    run.contention = contention;
    return makespan_with(s->mapping, &run);
}

static double part_time(const inlay_part *part, inlay_part_kind kind)
{
    for (int i = 0; i < INLAY_PARTS; i++)
        if (part[i].kind == kind) return part[i].time;
    ck_abort_msg("no part %s", inlay_part_name(kind));
}

/* Busy times are those of the application; without factors of processors. */
static void check_parts(const subject *s, const inlay_explanation *explanation)
{
    inlay_app_info info;
    const inlay_part *part = inlay_explanation_parts(explanation);
    double busy[64] = {0}, most = 0, total = 0, sum = 0;
    inlay_id used = inlay_mapping_summary(s->mapping)->clusters;
    for (int i = 0; i < s->sketch.modules; i++) {
        double *own = &busy[s->processor[i]];
        *own += s->sketch.time[i];
        total += s->sketch.time[i];
        most = fmax(most, *own);
    }
    ck_assert_int_eq(inlay_app_describe(s->app, &info, NULL), INLAY_OK);
    double path = inlay_app_in_units(s->app, info.critical_path), mean = total / used;
    double free = makespan_under(s, INLAY_CONTENTION_FREE), alone = makespan_under(s, INLAY_CONTENTION_NONE);
    double makespan = makespan_under(s, INLAY_CONTENTION_QUEUES), digits = 1e-9 * makespan;
    ck_assert_double_eq_tol(part_time(part, INLAY_PART_APPLICATION), path, digits);
    ck_assert_double_eq_tol(part_time(part, INLAY_PART_WORK), fmax(path, mean) - path, digits);
    ck_assert_double_eq_tol(part_time(part, INLAY_PART_IMBALANCE), fmax(path, most) - fmax(path, mean), digits);
    ck_assert_double_eq_tol(part_time(part, INLAY_PART_ORDER), free - fmax(path, most), digits);
    ck_assert_double_eq_tol(part_time(part, INLAY_PART_TRANSFERS), alone - free, digits);
    ck_assert_double_eq_tol(part_time(part, INLAY_PART_QUEUES), makespan - alone, digits);
    for (int i = 0; i < INLAY_PARTS; i++) {
        sum += part[i].time;
        ck_assert_double_eq_tol(part[i].share, part[i].time / makespan, 1e-12);
        ck_assert(i == 0 || part[i - 1].time >= part[i].time);
    }
    ck_assert_double_eq_tol(sum, makespan, digits);
}

/* Figures of the run's critical path, from a recorded run. */
static void check_path(const subject *s, const inlay_explanation *explanation)
{
    const inlay_explanation_figures *f = inlay_explanation_figures_of(explanation);
    inlay_simulation *run = simulated(s->mapping, &s->run);
    size_t count;
    const inlay_step *step = inlay_simulation_path(run, &count);
    double on_processor[64] = {0}, on_module[SKETCH_MODULES] = {0}, compute = 0;
    for (size_t i = 0; i < count; i++)
        if (step[i].kind == INLAY_STEP_COMPUTE) {
            double length = step[i].to - step[i].from;
            on_processor[s->processor[step[i].module]] += length;
            on_module[step[i].module] += length;
            compute += length;
        }
    ck_assert_double_eq_tol(f->compute, compute / f->makespan, 1e-9);
    ck_assert_double_eq_tol(f->path_processor_time, on_processor[f->path_processor], 1e-9 * f->makespan);
    ck_assert_double_eq_tol(f->path_module_time, on_module[f->path_module], 1e-9 * f->makespan);
    for (int i = 0; i < s->sketch.modules; i++) {
        ck_assert_double_le(on_module[i], f->path_module_time + 1e-9);
        ck_assert_double_le(on_processor[s->processor[i]], f->path_processor_time + 1e-9);
    }
    inlay_simulation_free(run);
}

/* Those of the mapping, and none of them above the run. */
static void check_bounds(const subject *s, const inlay_explanation *explanation)
{
    const inlay_explanation_figures *f = inlay_explanation_figures_of(explanation);
    ck_assert_double_eq(f->bound.value, inlay_mapping_largest_bound(s->mapping, false).value);
    ck_assert_double_eq(f->placement_bound.value, inlay_mapping_largest_bound(s->mapping, true).value);
    ck_assert_double_le(fmax(f->bound.value, f->placement_bound.value), f->makespan * (1 + 1e-9));
}

/* ---- Many subjects ---- */

typedef struct asked {
    inlay_unit unit;
    const char *machine;
    inlay_options options;
    bool no_overlap;
    bool reorders; /**< with the faster module, the rule would order the modules otherwise */
} asked;

#define AT(ticks) .has_time_frame = true, .time_frame = {{ticks, 0}, INLAY_UNIT_TICK}

static const asked questions[] = {
    {INLAY_UNIT_TICK, "bus:16,capacity=8msg/tick", {AT(60)}, false, false},
    {INLAY_UNIT_TICK, "bus:16,capacity=2msg/tick,latency=3tick", {AT(100)}, false, false},
    {INLAY_UNIT_TICK, "bus:3,capacity=0.5msg/tick", {.start = INLAY_START_FINISH}, true, true},
    {INLAY_UNIT_TICK, "bus:3", {.reduce = INLAY_REDUCE_H1, .keep_unrelated = true}, false, true},
    {INLAY_UNIT_TICK, "omega:4,packets=2", {0}, false, false},
    {INLAY_UNIT_TICK, "omega:8,packets=2,cycle=3tick,transit=1tick", {AT(80)}, false, false},
    {INLAY_UNIT_TICK, "omega-pe:8,cycle=0.5tick,latency=0.5tick", {AT(70)}, false, false},
    {INLAY_UNIT_TICK, "multibus:8,memories=4,buses=2,capacity=1msg/tick", {AT(90)}, false, false},
    {INLAY_UNIT_S, "bus:4,capacity=50B/s,latency=250ms", {0}, false, true},
    {INLAY_UNIT_MS, "bus:8,capacity=100kB/s,latency=1ms", {.processors = 5}, true, false},
    {INLAY_UNIT_S, "bus:8", {0}, false, false},
};

START_TEST(figures_again)
{
    const asked *q = &questions[_i];
    int kinds[INLAY_CHANGE_ORDER + 1] = {0};
    subject s = mapped_subject(layered(q->unit), q->machine, q->options);
    s.run.no_overlap = q->no_overlap;
    inlay_explanation *explanation = explained(&s);
    check_parts(&s, explanation);
    check_path(&s, explanation);
    check_bounds(&s, explanation);
    check_changes(&s, explanation, kinds);
    const inlay_summary *sum = inlay_mapping_summary(s.mapping);
    bool in_bytes = sum->traffic_in_bytes, latency = inlay_machine_latency(s.machine).value.digits > 0;
    ck_assert_int_eq(kinds[INLAY_CHANGE_ALL_PROCESSORS], 1);
    ck_assert_int_ge(kinds[INLAY_CHANGE_PROCESSOR], 2);
    ck_assert_int_le(kinds[INLAY_CHANGE_PROCESSOR], sum->clusters);
    ck_assert_int_eq(kinds[INLAY_CHANGE_MODULE], !q->reorders);
    ck_assert_int_eq(kinds[INLAY_CHANGE_CAPACITY], !sum->free_network);
    ck_assert_int_eq(kinds[INLAY_CHANGE_LATENCY], latency);
    ck_assert_int_eq(kinds[INLAY_CHANGE_AGGREGATE], in_bytes);
    ck_assert_int_eq(kinds[INLAY_CHANGE_OVERLAP], 1);
    ck_assert_int_eq(kinds[INLAY_CHANGE_REDUCTION], sum->reduced_from >= 0);
    ck_assert_int_ge(kinds[INLAY_CHANGE_PROCESSORS], 1);
    ck_assert_int_ge(kinds[INLAY_CHANGE_METHOD], 15);
    ck_assert_int_eq(kinds[INLAY_CHANGE_ORDER], 1);
    inlay_explanation_free(explanation);
    subject_clear(&s);
}
END_TEST

START_TEST(nothing_bounds_scaled_times)
{
    subject s = mapped_subject(layered(INLAY_UNIT_TICK), "bus:8", (inlay_options){0});
    s.run.compute_scale = 0.25;
    inlay_explanation *explanation = explained(&s);
    const inlay_explanation_figures *f = inlay_explanation_figures_of(explanation);
    ck_assert_double_gt(inlay_mapping_largest_bound(s.mapping, false).value, f->makespan);
    ck_assert(isnan(f->bound.value) && isnan(f->placement_bound.value));
    inlay_explanation_free(explanation);
    subject_clear(&s);
}
END_TEST

/* ---- Which machines and time frames ---- */

START_TEST(machines_are_changed_in_one_thing)
{
    static const struct {
        const char *machine, *capacity, *latency;
    } cases[] = {
        {"bus:8", "bus:8,memory=distributed,capacity=2msg/tick", NULL},
        {"bus:8,capacity=0.1", "bus:8,memory=distributed,capacity=0.2msg", NULL},
        {"bus:8,capacity=4msg/tick,latency=5tick", "bus:8,memory=distributed,capacity=8msg/tick,latency=5tick",
         "bus:8,memory=distributed,capacity=4msg/tick,latency=2.5tick"},
        {"omega:8,packets=2", "omega:8,switch=2,packets=2,cycle=0.5tick", NULL},
        {"omega-pe:8,cycle=4tick,latency=0.1", "omega-pe:8,switch=2,packets=1,cycle=2tick,latency=0.1",
         "omega-pe:8,switch=2,packets=1,cycle=4tick,latency=0.05"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        subject s = mapped_subject(layered(INLAY_UNIT_TICK), cases[i].machine, (inlay_options){0});
        inlay_explanation *explanation = explained(&s);
        const inlay_change *capacity = find_change(explanation, INLAY_CHANGE_CAPACITY);
        const inlay_change *latency = find_change(explanation, INLAY_CHANGE_LATENCY);
        ck_assert_ptr_nonnull(capacity);
        ck_assert_str_eq(capacity->machine, cases[i].capacity);
        ck_assert_int_eq(latency != NULL, cases[i].latency != NULL);
        if (latency != NULL) ck_assert_str_eq(latency->machine, cases[i].latency);
        inlay_explanation_free(explanation);
        subject_clear(&s);
    }
}
END_TEST

/* The row of the sweep from which the clustering of a T is. */
static size_t row_at(const inlay_sweep_result *sweep, const inlay_app *app, double frame)
{
    size_t row = inlay_sweep_rows(sweep) - 1;
    while (row > 0 && inlay_app_in_units(app, inlay_sweep_row_at(sweep, row)->time_frame) > frame)
        row--;
    return row;
}

static double frame_of(const inlay_change *change)
{
    return change->time_frame[0] != '\0' ? plain_number(change->time_frame, NULL) : NAN;
}

/* No row is tried twice, nor the mapping's own; those that stand out and the neighbours are all there. */
START_TEST(time_frames_are_those_of_the_sweep)
{
    golden_case test;
    golden_set_up(&test);
    inlay_options options = options_at_ticks(200);
    subject s = {.app = test.app, .machine = test.bus, .mapping = mapped(&test, &options)};
    inlay_sweep_result *sweep = NULL;
    ck_assert_int_eq(inlay_sweep(s.app, s.machine, NULL, &sweep, NULL), INLAY_OK);
    inlay_explanation *explanation = explained(&s);
    bool tried[64] = {false};
    size_t count, own = row_at(sweep, s.app, 200);
    const inlay_change *change = inlay_explanation_changes(explanation, &count);
    const inlay_sweep_summary *sum = inlay_sweep_summary_of(sweep);
    for (size_t i = 0; i < count; i++) {
        if (change[i].kind != INLAY_CHANGE_TIME_FRAME) continue;
        size_t row = row_at(sweep, s.app, frame_of(&change[i]));
        ck_assert(!tried[row] && row != own);
        tried[row] = true;
        ck_assert_int_eq(change[i].processors, inlay_sweep_row_at(sweep, row)->clusters);
        ck_assert(change[i].frame != INLAY_FRAME_T_MIN || row == sum->t_min.row);
        ck_assert(change[i].frame != INLAY_FRAME_T_FIT || row == sum->t_fit.row);
        ck_assert(change[i].frame != INLAY_FRAME_T_PAR || row == sum->t_par.row);
        ck_assert(change[i].frame != INLAY_FRAME_SHORTER || row == own - 1);
        ck_assert(change[i].frame != INLAY_FRAME_LONGER || row == own + 1);
    }
    ck_assert(tried[sum->t_min.row] && tried[sum->t_fit.row] && tried[sum->t_par.row] && tried[sum->best.row]);
    ck_assert(tried[own - 1] && tried[own + 1]);
    inlay_explanation_free(explanation);
    inlay_sweep_free(sweep);
    inlay_mapping_free(s.mapping);
    golden_tear_down(&test);
}
END_TEST

Suite *suite_explain(void)
{
    Suite *suite = suite_create("explanations");
    TCase *tests = tcase_create("explanations");
    tcase_add_loop_test(tests, figures_again, 0, (int)(sizeof questions / sizeof *questions));
    tcase_add_test(tests, nothing_bounds_scaled_times);
    tcase_add_test(tests, machines_are_changed_in_one_thing);
    tcase_add_test(tests, time_frames_are_those_of_the_sweep);
    suite_add_tcase(suite, tests);
    return suite;
}

/* Bottlenecks that were planted are named first; calls that are refused. */
#include "explain_subject.h"
#include "unit.h"

#include <string.h>

static inlay_part_kind main_limit(const inlay_explanation *explanation)
{
    return inlay_explanation_parts(explanation)[0].kind;
}

/* Twelve equal modules on four processors, one of which is five times slower. */
START_TEST(a_slow_processor_is_named)
{
    static const double scale[] = {1, 1, 5, 1};
    static const inlay_id processor[12] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    sketch equal = {.unit = INLAY_UNIT_TICK, .modules = 12};
    for (int i = 0; i < 12; i++)
        equal.time[i] = 10;
    subject s = placed_subject(equal, "bus:4", processor);
    s.run.processor_scale = scale;
    inlay_explanation *explanation = explained(&s);
    const inlay_explanation_figures *f = inlay_explanation_figures_of(explanation);
    const inlay_change *change = find_change(explanation, INLAY_CHANGE_PROCESSOR);
    ck_assert_int_eq(main_limit(explanation), INLAY_PART_IMBALANCE);
    ck_assert_int_eq(f->busiest, 2);
    ck_assert_int_eq(f->path_processor, 2);
    ck_assert(f->busy == 150 && f->mean_busy == 60 && f->makespan == 150);
    ck_assert(change != NULL && change->processor == 2);
    ck_assert_double_eq_tol(change->gain, 0.5, 1e-12);
    inlay_explanation_free(explanation);
    subject_clear(&s);
}
END_TEST

/* Eight modules send fifty messages each at once: 400 ticks on the bus, where each alone takes 50. */
START_TEST(a_crowded_bus_is_named)
{
    inlay_id processor[16];
    sketch senders = {.unit = INLAY_UNIT_TICK, .modules = 16};
    for (int i = 0; i < 16; i++) {
        senders.time[i] = 10;
        processor[i] = i;
    }
    for (int i = 0; i < 8; i++)
        sketch_add_link(&senders, i, 8 + i, 50, 0);
    subject s = placed_subject(senders, "bus:16", processor);
    inlay_explanation *explanation = explained(&s);
    const inlay_explanation_figures *f = inlay_explanation_figures_of(explanation);
    size_t count;
    const inlay_change *change = inlay_explanation_changes(explanation, &count);
    ck_assert_int_eq(main_limit(explanation), INLAY_PART_QUEUES);
    ck_assert(f->has_resource && strcmp(f->resource.name, "bus") == 0);
    ck_assert(f->makespan == 420 && f->alone_makespan == 70 && f->free_makespan == 20);
    ck_assert_double_eq_tol(f->resource.utilisation, 400.0 / 420, 1e-12);
    /* two changes keep messages off the bus: twice as much room, and another mapping that sends none */
    ck_assert(change[0].maps_anew || change[0].kind == INLAY_CHANGE_CAPACITY);
    for (size_t i = 0; i < count && change[i].kind != INLAY_CHANGE_CAPACITY; i++)
        ck_assert(change[i].maps_anew);
    ck_assert(find_change(explanation, INLAY_CHANGE_CAPACITY)->makespan == 220);
    inlay_explanation_free(explanation);
    subject_clear(&s);
}
END_TEST

/* One link of very many messages has the bus to itself. */
START_TEST(long_messages_are_named)
{
    static const inlay_id processor[2] = {0, 1};
    sketch pair = {.unit = INLAY_UNIT_TICK, .modules = 2, .time = {10, 10}};
    sketch_add_link(&pair, 0, 1, 100, 0);
    subject s = placed_subject(pair, "bus:2", processor);
    inlay_explanation *explanation = explained(&s);
    ck_assert_int_eq(main_limit(explanation), INLAY_PART_TRANSFERS);
    ck_assert(inlay_explanation_parts(explanation)[0].time == 100);
    inlay_explanation_free(explanation);
    subject_clear(&s);
}
END_TEST

static void chain_on(const inlay_id *processor, double makespan)
{
    sketch chain = {.unit = INLAY_UNIT_TICK, .modules = 20};
    for (int i = 0; i < 20; i++) {
        chain.time[i] = i == 13 ? 100 : 10;
        if (i > 0) sketch_add_link(&chain, i - 1, i, 1, 0);
    }
    subject s = placed_subject(chain, "bus:4", processor);
    inlay_explanation *explanation = explained(&s);
    const inlay_explanation_figures *f = inlay_explanation_figures_of(explanation);
    const inlay_change *module = find_change(explanation, INLAY_CHANGE_MODULE);
    ck_assert_int_eq(main_limit(explanation), INLAY_PART_APPLICATION);
    ck_assert(inlay_explanation_parts(explanation)[0].time == 290);
    ck_assert(f->makespan == makespan);
    ck_assert(f->path_module == 13 && f->path_module_time == 100);
    ck_assert(module->module == 13 && module->makespan == makespan - 50);
    inlay_explanation_free(explanation);
    subject_clear(&s);
}

START_TEST(a_long_chain_is_named)
{
    inlay_id one[20] = {0}, two[20];
    for (int i = 0; i < 20; i++)
        two[i] = i % 2;
    chain_on(one, 290);
    chain_on(two, 290 + 19);
}
END_TEST

/* A chain on a processor half as fast as the fastest: its place is the cause, not the order. */
START_TEST(a_place_on_a_slow_host_is_named)
{
    static const inlay_id processor[4] = {2, 2, 2, 2};
    sketch chain = {.unit = INLAY_UNIT_TICK, .modules = 4, .time = {10, 10, 10, 10}};
    for (int i = 1; i < 4; i++)
        sketch_add_link(&chain, i - 1, i, 1, 0);
    subject s = placed_subject(chain, "architectures/unlike-ticks.dot", processor);
    inlay_explanation *explanation = explained(&s);
    const inlay_explanation_figures *f = inlay_explanation_figures_of(explanation);
    const inlay_part *part = inlay_explanation_parts(explanation);
    ck_assert(f->makespan == 40 && f->fast_makespan == 20 && f->fast_busy == 20 && f->fast_busiest == 2);
    ck_assert(part[0].kind == INLAY_PART_APPLICATION && part[0].time == 20);
    ck_assert(part[1].kind == INLAY_PART_SPEED && part[1].time == 20);
    inlay_explanation_free(explanation);
    subject_clear(&s);
}
END_TEST

/* Everything on one processor: what helps is a second one. */
START_TEST(too_few_processors_are_named)
{
    static const inlay_id processor[8] = {0};
    sketch equal = {.unit = INLAY_UNIT_TICK, .modules = 8, .time = {9, 9, 9, 9, 9, 9, 9, 9}};
    subject s = placed_subject(equal, "bus:4", processor);
    inlay_explanation *explanation = explained(&s);
    const inlay_change *more = find_change(explanation, INLAY_CHANGE_PROCESSORS);
    ck_assert_int_eq(main_limit(explanation), INLAY_PART_WORK);
    ck_assert_ptr_null(find_change(explanation, INLAY_CHANGE_PROCESSOR)); /* it is all of them */
    ck_assert_ptr_null(find_change(explanation, INLAY_CHANGE_CAPACITY));  /* no messages */
    ck_assert(more != NULL && more->processors == 2 && more->makespan == 36);
    inlay_explanation_free(explanation);
    subject_clear(&s);
}
END_TEST

/* Where all processors are used, one more is another machine. */
START_TEST(one_more_than_the_machine_has)
{
    static const inlay_id processor[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    sketch equal = {.unit = INLAY_UNIT_TICK, .modules = 8, .time = {9, 9, 9, 9, 9, 9, 9, 9}};
    subject s = placed_subject(equal, "bus:2,capacity=3msg/tick", processor);
    inlay_explanation *explanation = explained(&s);
    size_t count;
    bool found = false;
    const inlay_change *change = inlay_explanation_changes(explanation, &count);
    for (size_t i = 0; i < count; i++)
        if (change[i].kind == INLAY_CHANGE_PROCESSORS && change[i].processors == 3) {
            found = true;
            ck_assert_str_eq(change[i].machine, "bus:3,memory=distributed,capacity=3msg/tick");
            ck_assert_int_eq(change[i].mapping.processors, 3);
        }
    ck_assert(found);
    inlay_explanation_free(explanation);
    subject_clear(&s);
}
END_TEST

/* ---- Calls that are refused, and small ones ---- */

START_TEST(wrong_calls)
{
    static const inlay_id processor[1] = {0};
    sketch one = {.unit = INLAY_UNIT_TICK, .modules = 1, .time = {5}};
    subject s = placed_subject(one, "bus:2", processor);
    inlay_explanation *untouched = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_explain(NULL, NULL, &untouched, diag), INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(diag), "an explanation is that of a mapping");
    ck_assert_int_eq(inlay_explain(s.mapping, NULL, NULL, NULL), INLAY_BAD_ARGUMENT);
    s.run.compute_scale = -1;
    ck_assert_int_eq(inlay_explain(s.mapping, &s.run, &untouched, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_ptr_null(untouched);
    inlay_diag_free(diag);
    subject_clear(&s);
}
END_TEST

START_TEST(nothing_takes_time)
{
    static const inlay_id processor[2] = {0, 1};
    sketch idle = {.unit = INLAY_UNIT_TICK, .modules = 2};
    subject s = placed_subject(idle, "bus:2", processor);
    inlay_explanation *explanation = explained(&s);
    const inlay_part *part = inlay_explanation_parts(explanation);
    size_t count;
    const inlay_change *change = inlay_explanation_changes(explanation, &count);
    for (int i = 0; i < INLAY_PARTS; i++)
        ck_assert(part[i].time == 0 && part[i].share == 0);
    for (size_t i = 0; i < count; i++)
        ck_assert(change[i].gain == 0);
    ck_assert_int_eq(inlay_explanation_figures_of(explanation)->path_module, -1);
    inlay_explanation_free(explanation);
    subject_clear(&s);
}
END_TEST

Suite *suite_explain_planted(void)
{
    Suite *suite = suite_create("planted bottlenecks");
    TCase *tests = tcase_create("planted bottlenecks");
    tcase_add_test(tests, a_slow_processor_is_named);
    tcase_add_test(tests, a_crowded_bus_is_named);
    tcase_add_test(tests, long_messages_are_named);
    tcase_add_test(tests, a_long_chain_is_named);
    tcase_add_test(tests, a_place_on_a_slow_host_is_named);
    tcase_add_test(tests, too_few_processors_are_named);
    tcase_add_test(tests, one_more_than_the_machine_has);
    tcase_add_test(tests, wrong_calls);
    tcase_add_test(tests, nothing_takes_time);
    suite_add_tcase(suite, tests);
    return suite;
}

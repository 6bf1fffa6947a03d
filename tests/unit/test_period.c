/* Least periods of mappings, against sums on paper. */
#include "unit.h"
#include <inlay/inlay.h>
#include <string.h>

/* The least period of an application with processor_of[] on a machine. */
static inlay_least_period period_on(const char *text, const char *format, int32_t iterations, const char *machine_text,
                                    const inlay_id *processor_of)
{
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    inlay_diag *diag = inlay_diag_new();
    const inlay_reading how = {.format = format, .iterations = iterations};
    int status = inlay_app_read_memory_as(text, strlen(text), "in", &how, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_int_eq(inlay_machine_read(machine_text, &machine, diag), INLAY_OK);
    inlay_options options = {0};
    status = inlay_evaluate(app, machine, processor_of, &options, &mapping, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_least_period least = {0};
    ck_assert_int_eq(inlay_mapping_least_period(mapping, &least, diag), INLAY_OK);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
    inlay_diag_free(diag);
    return least;
}

START_TEST(of_processors_and_networks)
{
    static const char few[] = "digraph g { graph [time_unit=tick]; a [time=4]; b [time=5]; c [time=6];"
                              " a -> b [messages=3]; b -> c [messages=2]; }";
    static const char many[] = "digraph g { graph [time_unit=tick]; a [time=4]; b [time=5]; c [time=6];"
                               " a -> b [messages=3]; b -> c [messages=20]; }";
    const inlay_id together[] = {0, 0, 0}, split[] = {0, 1, 0}, apart[] = {0, 1, 2};
    inlay_least_period least = period_on(few, "dot", 0, "bus:3", together);
    ck_assert_double_eq(least.period, 15);
    ck_assert_int_eq(least.limit, INLAY_PERIOD_PROCESSOR);
    least = period_on(few, "dot", 0, "bus:3", split); /* 4 + 6; 5; 3 + 2 messages, one a tick */
    ck_assert_double_eq(least.period, 10);
    ck_assert_int_eq(least.number, 0);
    least = period_on(few, "dot", 0, "bus:3", apart);
    ck_assert_double_eq(least.period, 6);
    ck_assert_int_eq(least.number, 2);
    least = period_on(many, "dot", 0, "bus:3", apart); /* 23 messages, one a tick */
    ck_assert_int_eq(least.limit, INLAY_PERIOD_NETWORK);
    ck_assert_double_eq_tol(least.period, 23, 1e-9);
    least = period_on(many, "dot", 0, "ring:3,capacity=2msg/tick", apart); /* a link for each pair of neighbours */
    ck_assert_int_eq(least.limit, INLAY_PERIOD_LINK);
    ck_assert_double_eq_tol(least.period, 10, 1e-9);
}
END_TEST

/* Two actors, of which each feeds the other: a cycle of 7 + 2 ticks with two tokens. */
START_TEST(of_dataflow)
{
    static const char loop[] =
        "<sdf3 type='sdf'><applicationGraph><sdf><actor name='a'><port name='i' type='in' rate='1'/>"
        "<port name='o' type='out' rate='1'/></actor><actor name='b'><port name='i' type='in' rate='1'/>"
        "<port name='o' type='out' rate='1'/></actor><channel name='x' srcActor='a' srcPort='o' dstActor='b' "
        "dstPort='i'/><channel name='y' srcActor='b' srcPort='o' dstActor='a' dstPort='i' initialTokens='%d'/></sdf>"
        "<sdfProperties><actorProperties actor='a'><processor type='p'><executionTime time='7'/></processor>"
        "</actorProperties><actorProperties actor='b'><processor type='p'><executionTime time='2'/></processor>"
        "</actorProperties></sdfProperties></applicationGraph></sdf3>";
    char text[2000];
    const inlay_id apart[] = {0, 1, 0, 1}, together[] = {0, 0, 0, 0};
    snprintf(text, sizeof text, loop, 1);
    inlay_least_period least = period_on(text, "sdf3", 1, "bus:2", apart);
    ck_assert_int_eq(least.limit, INLAY_PERIOD_CYCLE);
    ck_assert_double_eq(least.period, 9);
    snprintf(text, sizeof text, loop, 2);
    least = period_on(text, "sdf3", 2, "bus:2", apart); /* the cycle needs 4.5; a's processor 7 */
    ck_assert_int_eq(least.limit, INLAY_PERIOD_PROCESSOR);
    ck_assert_double_eq(least.period, 7);
    least = period_on(text, "sdf3", 2, "bus:2", together);
    ck_assert_double_eq(least.period, 9);
    ck_assert_int_eq(least.limit, INLAY_PERIOD_PROCESSOR);
}
END_TEST

Suite *suite_period(void)
{
    Suite *suite = suite_create("period");
    TCase *tests = tcase_create("period");
    tcase_add_test(tests, of_processors_and_networks);
    tcase_add_test(tests, of_dataflow);
    suite_add_tcase(suite, tests);
    return suite;
}

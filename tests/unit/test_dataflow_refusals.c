/* Dataflow programs that are wired wrongly, count wrongly, or wait for ever: what is said of them. */
#include "dataflow_subject.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>

/* ---- What is refused ---- */

static void put_to_input(inlay_actor *self, void *state)
{
    inlay_put(inlay_input(self, 0), state);
}

static void get_from_output(inlay_actor *self, void *state)
{
    inlay_get(inlay_output(self, 0), state);
}

static void count_nan(inlay_actor *self, void *state)
{
    (void)state;
    inlay_count(self, INLAY_ADD, NAN);
}

static void count_unknown(inlay_actor *self, void *state)
{
    (void)state;
    inlay_count(self, INLAY_OPERATIONS, 1);
}

static void count_much(inlay_actor *self, void *state)
{
    (void)state;
    inlay_count(self, INLAY_ADD, 1e16);
}

START_TEST(test_wrong_programs)
{
    hand_program h = hand_begin();
    hand_refused(&h, NULL, INLAY_BAD_INPUT, "hand: the program has no modules; expected one or more");
    h = hand_of(put_to_input, put_one);
    inlay_program_wire(h.program, 1, 0, 0, 0, 4, 0, NULL);
    hand_refused(&h, NULL, INLAY_BAD_INPUT, "hand: module 'a' puts to an input; expected an output");
    h = hand_of(get_from_output, get_one);
    inlay_program_wire(h.program, 0, 0, 1, 0, 4, 0, NULL);
    hand_refused(&h, NULL, INLAY_BAD_INPUT, "hand: module 'a' gets from an output; expected an input");
    h = hand_of(nothing, count_nan);
    hand_refused(&h, NULL, INLAY_BAD_INPUT,
                 "hand: module 'b' counts operation 0 nan times; expected operations 0 to 7, and 0 times or more");
    h = hand_of(count_unknown, nothing);
    hand_refused(&h, NULL, INLAY_BAD_INPUT,
                 "hand: module 'a' counts operation 8 1 times; expected operations 0 to 7, and 0 times or more");
    h = hand_of(count_much, nothing);
    hand_refused(&h, NULL, INLAY_OVERFLOW,
                 "hand: the times pass 9007199254740992 grains of 10^-0; expected costs with fewer decimals, or less "
                 "work");
}
END_TEST

static void wire_refused(int from, int out, int to, int in, size_t size, int64_t capacity, const char *message)
{
    hand_program h = hand_of(nothing, nothing);
    ck_assert_int_eq(inlay_program_wire(h.program, 0, 0, 1, 0, 4, 0, h.diag), INLAY_OK);
    ck_assert_int_eq(inlay_program_wire(h.program, from, out, to, in, size, capacity, h.diag), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(h.diag), message);
    ck_assert_int_ge(inlay_program_module(h.program, "c", nothing, NULL, 0, h.diag), 0);
    ck_assert_str_eq(inlay_diag_message(h.diag), "");
    hand_refused(&h, NULL, INLAY_BAD_INPUT, message);
}

START_TEST(test_wrong_wires)
{
    wire_refused(-1, 0, 0, 0, 4, 0, "hand: a channel is wired to an output of module -1; expected 0 to 1");
    wire_refused(0, 1, 2, 0, 4, 0, "hand: a channel is wired to an input of module 2; expected 0 to 1");
    wire_refused(0, 65536, 1, 1, 4, 0, "hand: 'a' has no output 65536; expected 0 to 65535");
    wire_refused(0, 1, 1, -1, 4, 0, "hand: 'b' has no input -1; expected 0 to 65535");
    wire_refused(0, 0, 1, 1, 4, 0, "hand: output 0 of 'a' is wired twice; expected one channel a port");
    wire_refused(0, 1, 1, 0, 4, 0, "hand: input 0 of 'b' is wired twice; expected one channel a port");
    wire_refused(
        0, 1, 1, 1, 4, -1,
        "hand: the channel from 'a' to 'b' has room for -1 values of 4 bytes; expected 0 (any number) or more, "
        "and at most 2147483647 bytes");
}
END_TEST

START_TEST(test_wrong_modules)
{
    static const char *const name[] = {"", "a"};
    for (int i = 0; i < 2; i++) {
        hand_program h = hand_begin();
        char message[200];
        ck_assert_int_eq(inlay_program_module(h.program, "a", nothing, NULL, 0, h.diag), 0);
        ck_assert_int_eq(inlay_program_module(h.program, name[i], nothing, NULL, 0, h.diag), INLAY_BAD_INPUT);
        snprintf(message, sizeof message,
                 "hand: module 1 has the name '%s'; expected one that is not empty, and that no other module has",
                 name[i]);
        hand_refused(&h, NULL, INLAY_BAD_INPUT, message);
    }
}
END_TEST

static void cost_refused(inlay_program_options options, const char *message)
{
    hand_program h = hand_of(put_one, get_one);
    inlay_program_wire(h.program, 0, 0, 1, 0, 4, 0, NULL);
    hand_refused(&h, &options, INLAY_BAD_ARGUMENT, message);
}

START_TEST(test_wrong_costs)
{
    inlay_cost unknown = {"exchange", {{1, 0}, INLAY_UNIT_NONE}}, negative = {"add", {{-1, 0}, INLAY_UNIT_NONE}},
               seconds = {"add", {{1, 0}, INLAY_UNIT_S}}, fine = {"put", {{1, 0}, INLAY_UNIT_NS}};
    cost_refused((inlay_program_options){.cost = &unknown, .costs = 1},
                 "hand: a cost is given for 'exchange'; expected an operation of the program: add, multiply, divide, "
                 "sqrt, function, compare, get, put, or one of its own");
    cost_refused((inlay_program_options){.cost = &negative, .costs = 1},
                 "hand: the cost of 'add' is negative; expected 0 or more");
    cost_refused((inlay_program_options){.cost = &seconds, .costs = 1},
                 "hand: the cost of 'add' is in s; expected the unit of the run, ticks");
    cost_refused((inlay_program_options){.unit = INLAY_UNIT_S, .cost = &fine, .costs = 1},
                 "hand: operation 'get' has no cost; expected one in s");
    cost_refused((inlay_program_options){.measured = true, .unit = INLAY_UNIT_TICK},
                 "hand: times are measured, and told in ticks; expected a unit of seconds, and no costs");
    cost_refused((inlay_program_options){.measured = true, .cost = &fine, .costs = 1},
                 "hand: times are measured, and costs are given; expected a unit of seconds, and no costs");
    cost_refused((inlay_program_options){.stack = 100}, "hand: a stack has 100 bytes; expected 16384 or more");
}
END_TEST

/* ---- Deadlocks ---- */

START_TEST(test_deadlocks)
{
    hand_program h = hand_of(nothing, get_one);
    inlay_program_wire(h.program, 0, 3, 1, 0, 4, 0, NULL);
    hand_refused(&h, NULL, INLAY_NO_ANSWER,
                 "hand: deadlock: 1 of 2 modules wait for ever: 'b' waits for a value at input 0 (from 'a', which has "
                 "ended); expected a put for every get");
    h = hand_begin();
    wire_chain(h.program, 5, -1, add_one);
    inlay_program_wire(h.program, 0, 0, 4, 0, 4, 0, NULL);
    hand_refused(
        &h, NULL, INLAY_NO_ANSWER,
        "hand: deadlock: 5 of 5 modules wait for ever: 'm0' waits for a value at input 0 (from 'm1', which "
        "waits too), 'm1' waits for a value at input 0 (from 'm2', which waits too), 'm2' waits for a value at "
        "input 0 (from 'm3', which waits too), and 2 more; expected a put for every get");
    h = hand_of(put_three, get_one);
    inlay_program_wire(h.program, 0, 0, 1, 0, 4, 1, NULL);
    hand_refused(&h, NULL, INLAY_NO_ANSWER,
                 "hand: deadlock: 1 of 2 modules wait for ever: 'a' waits for room at output 0 (to 'b', which has "
                 "ended); expected a put for every get");
}
END_TEST

START_TEST(test_left_values)
{
    hand_program h = hand_of(put_three, get_one);
    inlay_program_wire(h.program, 0, 0, 1, 0, 4, 0, NULL);
    ck_assert_int_eq(hand_run(&h, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_profile_left(h.profile), 2);
    ck_assert_uint_eq(inlay_diag_warnings(h.diag), 1);
    ck_assert_str_eq(
        inlay_diag_warning(h.diag, 0),
        "hand: nobody got 2 of the 3 values put, in 1 of 1 channels; the first is that from output 0 of 'a' "
        "to input 0 of 'b'");
    hand_end(&h);
}
END_TEST

Suite *suite_dataflow_refusals(void)
{
    Suite *suite = suite_create("dataflow_refusals");
    TCase *tests = tcase_create("dataflow_refusals");
    tcase_add_test(tests, test_wrong_programs);
    tcase_add_test(tests, test_wrong_wires);
    tcase_add_test(tests, test_wrong_modules);
    tcase_add_test(tests, test_wrong_costs);
    tcase_add_test(tests, test_deadlocks);
    tcase_add_test(tests, test_left_values);
    suite_add_tcase(suite, tests);
    return suite;
}

/*
 * Where the delay function of a machine ends: saturation with its message, numbers that are none, units that do not
 * mix; and how far it is from the truth.
 */
#include "base/plain.h"
#include "delay_subject.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Saturation ---- */

static double number_after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    ck_assert_msg(at != NULL, "no '%s' in: %s", word, text);
    return plain_number(at + strlen(word), NULL);
}

/* One line that names the machine, the limit, and by how much u passes it, if it does. */
static void check_saturation_message(subject s, double u, const char *message)
{
    const char *text = inlay_machine_text(s.machine);
    double limit = inlay_delay_u_limit(s.delay);
    ck_assert_msg(strncmp(message, text, strlen(text)) == 0 && message[strlen(text)] == ':', "%s", message);
    ck_assert_ptr_null(strchr(message, '\n'));
    AGREES(number_after(message, "limit "), limit, 1e-5);
    if (u > limit)
        AGREES(number_after(message, " by "), u - limit, 1e-2);
    else
        ck_assert_msg(strstr(message, " at its limit") != NULL, "%s", message);
}

static void check_saturated(subject s, double u)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_delay_point point = {.u = 7, .tau = 7};
    ck_assert_int_eq(inlay_delay_at_utilisation(s.delay, u, &point, diag), INLAY_NO_ANSWER);
    check_saturation_message(s, u, inlay_diag_message(diag));
    ck_assert(point.u == 7 && point.tau == 7);
    ck_assert_int_eq(inlay_delay_at_utilisation(s.delay, u, &point, NULL), INLAY_NO_ANSWER);
    inlay_diag_free(diag);
}

START_TEST(saturation)
{
    static const struct {
        const char *string;
        double limit;
    } cases[] = {{"bus:17", 1},
                 {"bus:1,memory=common", 1},
                 {"multibus:17,memories=8,buses=3", 2.99160369437},
                 {"multibus:2,memories=8,buses=8", 1.5},
                 {"multibus:2,memories=8,buses=8,model=occupancy", 16. / 9},
                 {"omega:16,switch=16,packets=8,transit=3tick,cycle=1tick", 2},
                 {"omega:4096,packets=2", 2048},
                 {"omega-pe:64,packets=4", 1}};
    for (int i = 0; i < ROWS(cases); i++) {
        subject s = open_subject(cases[i].string);
        double limit = inlay_delay_u_limit(s.delay);
        inlay_delay_point below;
        AGREES(limit, cases[i].limit, 1e-10);
        check_saturated(s, limit);
        check_saturated(s, limit * 1.001);
        check_saturated(s, limit * 3);
        ck_assert_int_eq(inlay_delay_at_utilisation(s.delay, nextafter(limit, 0), &below, NULL), INLAY_OK);
        ck_assert(isfinite(below.delay) && isfinite(below.tau) && isfinite(below.rho) && below.load <= 1);
        close_subject(s);
    }
}
END_TEST

/* In an omega network the rate itself has a limit, 1 over the packets; a closed system takes every rate. */
START_TEST(saturation_by_rate)
{
    static const char *const open[] = {"omega:16,switch=4,packets=8", "omega-pe:16,packets=8,cycle=1us"};
    for (int i = 0; i < ROWS(open); i++) {
        subject s = open_subject(open[i]);
        inlay_diag *diag = inlay_diag_new();
        inlay_delay_point point = {.u = 7};
        ck_assert_int_eq(inlay_delay_at_rate(s.delay, 0.25, &point, diag), INLAY_NO_ANSWER);
        check_saturation_message(s, 2 * inlay_delay_u_limit(s.delay), inlay_diag_message(diag));
        ck_assert_int_eq(inlay_delay_at_rate(s.delay, 0.125, &point, NULL), INLAY_NO_ANSWER);
        ck_assert_double_eq(point.u, 7);
        inlay_diag_free(diag);
        close_subject(s);
    }
    static const char *const closed[] = {"bus:64", "bus:64,memory=common", "multibus:64,memories=16,buses=4"};
    for (int i = 0; i < ROWS(closed); i++) {
        subject s = open_subject(closed[i]);
        inlay_delay_point point = at_rate(s, 1e6);
        double limit = inlay_delay_u_limit(s.delay);
        ck_assert_double_le(point.u, limit);
        AGREES(point.u, limit, 1e-12);
        AGREES(point.delay, 64 / limit, 1e-6); /* delay.md section 0: k at most, k/beta_k in model 3 */
        close_subject(s);
    }
}
END_TEST

START_TEST(saturation_by_traffic)
{
    subject s = open_subject("bus:8,capacity=10msg/s,transfers=2");
    inlay_diag *diag = inlay_diag_new();
    inlay_delay_point point;
    ck_assert_int_eq(inlay_delay_at_traffic(s.delay, 60, 10, &point, diag), INLAY_NO_ANSWER);
    check_saturation_message(s, 1.2, inlay_diag_message(diag));
    ck_assert_int_eq(inlay_delay_at_traffic(s.delay, 50, 10, &point, NULL), INLAY_NO_ANSWER);
    ck_assert_int_eq(inlay_delay_at_traffic(s.delay, 49.9, 10, &point, NULL), INLAY_OK);
    inlay_diag_free(diag);
    close_subject(s);
}
END_TEST

START_TEST(numbers_that_are_none)
{
    static const char *const strings[] = {"bus:4", "multibus:4,memories=4,buses=2", "omega:4", "omega-pe:4"};
    static const double none[] = {-1, -DBL_MIN, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < ROWS(strings) * ROWS(none); i++) {
        subject s = open_subject(strings[i % ROWS(strings)]);
        double x = none[i / ROWS(strings)];
        inlay_diag *diag = inlay_diag_new();
        inlay_delay_point point = {.delay = 7};
        ck_assert_int_eq(inlay_delay_at_utilisation(s.delay, x, &point, diag), INLAY_BAD_ARGUMENT);
        ck_assert_str_ne(inlay_diag_message(diag), "");
        ck_assert_int_eq(inlay_delay_at_rate(s.delay, x, &point, NULL), INLAY_BAD_ARGUMENT);
        ck_assert_int_eq(inlay_delay_at_traffic(s.delay, x, 1, &point, NULL), INLAY_BAD_ARGUMENT);
        ck_assert_int_eq(inlay_delay_at_traffic(s.delay, 1, x, &point, NULL), INLAY_BAD_ARGUMENT);
        ck_assert_int_ne(inlay_delay_at_traffic(s.delay, 1, 0, &point, NULL), INLAY_OK);
        ck_assert_double_eq(point.delay, 7);
        inlay_diag_free(diag);
        close_subject(s);
    }
}
END_TEST

/* Ticks have no length in seconds. */
START_TEST(units_that_do_not_mix)
{
    static const char *const strings[] = {"bus:4,capacity=1GB/s,latency=2ticks",
                                          "bus:4,capacity=1msg/tick,latency=2us",
                                          "multibus:4,memories=4,buses=2,capacity=1msg/ms,latency=1tick",
                                          "omega:4,cycle=1us,transit=1tick",
                                          "omega:4,cycle=1tick,transit=1us",
                                          "omega-pe:4,cycle=1tick,latency=1us"};
    for (int i = 0; i < ROWS(strings); i++) {
        inlay_machine *machine = NULL;
        inlay_delay *delay = NULL;
        inlay_diag *diag = inlay_diag_new();
        ck_assert_int_eq(inlay_machine_parse(strings[i], &machine, NULL), INLAY_OK);
        const char *text = inlay_machine_text(machine);
        ck_assert_int_eq(inlay_delay_new(machine, &delay, diag), INLAY_BAD_INPUT);
        ck_assert(strncmp(inlay_diag_message(diag), text, strlen(text)) == 0);
        ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "; expected "));
        ck_assert_ptr_null(delay);
        inlay_diag_free(diag);
        inlay_machine_free(machine);
    }
}
END_TEST

/* ---- How far from the truth ---- */

/* Signed relative errors of u and D at rho are as the machine says, and as delay.md section 7 bounds them. */
static void compare_with_truth(int k, int m, int b, bool occupancy, double rho)
{
    char string[100];
    snprintf(string, sizeof string, "multibus:%d,memories=%d,buses=%d%s", k, m, b, occupancy ? ",model=occupancy" : "");
    subject s = open_subject(string);
    slow_point truth = slow_multibus_truth(k, m, b, rho);
    inlay_delay_point point = at_rate(s, rho);
    double u_error = (double)(point.u / truth.u - 1);
    double delay_error = (double)(point.delay / truth.delay - 1);
    inlay_known_error error = {0};
    ck_assert_int_eq(inlay_delay_known_error(s.delay, rho, &error), INLAY_OK);
    ck_assert(error.known);
    ck_assert_msg(fabs(error.utilisation - u_error) <= error.within + 1e-9 &&
                      fabs(error.delay - delay_error) <= error.within + 1e-9,
                  "%s at %g: %g, %g; said %g, %g within %g", string, rho, u_error, delay_error, error.utilisation,
                  error.delay, error.within);
    double least = occupancy ? -0.0165 : k < m ? -0.19 : m == b ? -0.1 : -0.117;
    double most = !occupancy && m == b && k >= m ? 0.124 : 1e-10;
    ck_assert_msg(u_error >= least && u_error <= most, "%s at %g: u is off by %g", string, rho, u_error);
    ck_assert(delay_error <= (occupancy ? 0.0166 : 0.24) && delay_error >= (most > 0.1 ? -0.115 : -1e-10));
    close_subject(s);
}

START_TEST(errors_of_multibus)
{
    static const double rates[] = {0.02, 0.1, 0.3, 1, 3, 10, 100};
    for (int k = 1; k <= 5; k++) {
        for (int i = 0; i < 15; i++) {
            static const int shapes[][2] = {{1, 1}, {2, 1}, {2, 2}, {3, 1}, {3, 2}, {3, 3}, {4, 1}, {4, 2},
                                            {4, 3}, {4, 4}, {5, 1}, {5, 2}, {5, 3}, {5, 4}, {5, 5}};
            double rho = rates[(i + k) % ROWS(rates)];
            compare_with_truth(k, shapes[i][0], shapes[i][1], false, rho);
            compare_with_truth(k, shapes[i][0], shapes[i][1], true, rho);
        }
    }
    compare_with_truth(8, 8, 4, false, 1);
    compare_with_truth(8, 4, 3, false, 1);
}
END_TEST

/* One bus and one memory of the chain is the bus itself, at every rate. */
START_TEST(bus_is_exact)
{
    static const double rates[] = {0.01, 0.3, 2, 50};
    for (int i = 0; i < 8 * ROWS(rates); i++) {
        int k = 1 + i / ROWS(rates);
        double rho = rates[i % ROWS(rates)];
        char string[40];
        inlay_known_error error = {0};
        slow_point truth = slow_multibus_truth(k, 1, 1, rho);
        snprintf(string, sizeof string, "bus:%d%s", k, i % 2 ? ",memory=common" : "");
        subject s = open_subject(string);
        inlay_delay_point point = at_rate(s, rho);
        AGREES(point.u, truth.u, 1e-10);
        AGREES(point.delay, truth.delay, 1e-10);
        ck_assert_int_eq(inlay_delay_known_error(s.delay, rho, &error), INLAY_OK);
        ck_assert(error.known && error.utilisation == 0 && error.delay == 0 && error.within == 0);
        close_subject(s);
    }
}
END_TEST

/* Simulated D of omega networks (delay.md section 7), transit and cycle 1: the whole transit, and the waiting alone. */
START_TEST(errors_of_omega)
{
    static const struct {
        int n, k, packets;
        double load, simulated, waiting_error;
    } seen[] = {{2, 64, 1, 0.1, 6.1716, -0.029}, {2, 64, 1, 0.5, 7.7154, -0.126}, {2, 64, 1, 0.7, 10.184, -0.163},
                {2, 64, 4, 0.3, 11.798, -0.081}, {2, 64, 4, 0.5, 15.869, -0.127}, {4, 64, 4, 0.3, 7.9911, -0.031},
                {4, 64, 4, 0.7, 17.191, -0.062}};
    for (int i = 0; i < ROWS(seen); i++) {
        char string[100];
        double rho = seen[i].load / seen[i].packets;
        inlay_known_error error = {0};
        snprintf(string, sizeof string, "omega:%d,switch=%d,packets=%d", seen[i].k, seen[i].n, seen[i].packets);
        subject s = open_subject(string);
        inlay_delay_point point = at_rate(s, rho);
        ck_assert_int_eq(inlay_delay_known_error(s.delay, rho, &error), INLAY_OK);
        ck_assert(error.known && error.utilisation == 0 && error.delay < 0);
        ck_assert_double_le(fabs(point.delay / seen[i].simulated - 1 - error.delay), fmin(error.within, 0.004));
        close_subject(s);

        snprintf(string, sizeof string, "omega-pe:%d,switch=%d,packets=%d", seen[i].k, seen[i].n, seen[i].packets);
        s = open_subject(string);
        ck_assert_int_eq(inlay_delay_known_error(s.delay, rho, &error), INLAY_OK);
        ck_assert(error.known);
        ck_assert_double_le(fabs(error.delay - seen[i].waiting_error), fmin(error.within, 0.006));
        close_subject(s);
    }
    subject large = open_subject("omega:1024,switch=2");
    inlay_known_error error = {.known = true};
    ck_assert_int_eq(inlay_delay_known_error(large.delay, 0.5, &error), INLAY_OK);
    ck_assert(!error.known);
    close_subject(large);
}
END_TEST

/* Simulated with messages of one length, (k, rho, D): the formula lies above by something between the two numbers. */
START_TEST(messages_of_one_length)
{
    static const double seen[][3] = {{17, 0.05, 2.138}, {4, 0.3, 1.666}};
    double least = 7;
    double most = 7;
    for (int i = 0; i < 2 * ROWS(seen); i++) {
        char string[40];
        plain_print(string, sizeof string, "bus:%.0f%s", seen[i / 2][0], i % 2 ? ",memory=common" : "");
        subject s = open_subject(string);
        inlay_delay_point point = at_rate(s, seen[i / 2][1]);
        double above = point.delay / seen[i / 2][2] - 1;
        ck_assert(inlay_delay_fixed_length_error(s.delay, &point, &least, &most));
        ck_assert(least > 0 && least <= above + 0.003 && above <= most && most < 0.5);
        close_subject(s);
    }
    subject others[] = {open_subject("multibus:4,memories=4,buses=2"), open_subject("omega:4"),
                        open_subject("omega-pe:4")};
    least = most = 7;
    for (int i = 0; i < ROWS(others); i++) {
        inlay_delay_point point = at_u(others[i], 0.5);
        ck_assert(!inlay_delay_fixed_length_error(others[i].delay, &point, &least, &most));
        ck_assert(least == 7 && most == 7);
        close_subject(others[i]);
    }
}
END_TEST

Suite *suite_delay_limits(void)
{
    Suite *suite = suite_create("delay_limits");
    TCase *refusals = tcase_create("refusals");
    tcase_add_test(refusals, saturation);
    tcase_add_test(refusals, saturation_by_rate);
    tcase_add_test(refusals, saturation_by_traffic);
    tcase_add_test(refusals, numbers_that_are_none);
    tcase_add_test(refusals, units_that_do_not_mix);
    suite_add_tcase(suite, refusals);
    TCase *errors = tcase_create("errors");
    tcase_add_test(errors, errors_of_multibus);
    tcase_add_test(errors, bus_is_exact);
    tcase_add_test(errors, errors_of_omega);
    tcase_add_test(errors, messages_of_one_length);
    suite_add_tcase(suite, errors);
    return suite;
}

/*
 * How far the delay formulas are from the truth: the published table against the exact Markov chain and the library,
 * and what the library says of its own errors against both.
 */
#include "slow_network.h"
#include "unit.h"

#include <inlay/network.h>

/* ---- Multiple bus: the table of known errors ---- */

/* NAN: not printed. The errors in per cent. */
typedef struct table_row {
    int k, m, b;
    double rho;
    double u_exact, u_paper, u_error, occupancy_error;
    double d_exact, d_paper, d_error;
} table_row;

static const table_row table[] = {
    {4, 4, 2, 0.3, 0.87842, 0.86595, -1.42, -0.08, 1.2203, 1.2859, 5.4},
    {6, 4, 2, 0.3, 1.25018, 1.22216, -2.24, -0.24, 1.4660, 1.5760, 7.5},
    {8, 4, 3, 1, 2.46474, 2.44509, -0.80, -0.74, 2.2458, 2.2719, 1.2},
    {8, 8, 4, 0.3, 1.75115, 1.65558, -5.46, -0.02, 1.2351, 1.4988, 21.4},
    {8, 8, 4, 1, 3.10856, 2.74904, -11.6, -0.40, 1.5735, 1.9101, 21.4},
    {10, 5, 3, 0.3, 2.01695, 1.95201, -3.22, -0.27, 1.6247, 1.7896, 10.2},
    {4, 4, 4, 5, 2.15295, 2.21527, 2.90, 0, 1.6579, 1.6057, -3.2},
    {6, 2, 2, 0.3, 1.16682, 1.19047, 2.03, 0, 1.8089, 1.7067, -5.6},
    {4, 16, 8, 1, 1.90782, 1.64384, -13.8, 0, 1.0966, 1.4333, 30.7},
    {14, 6, 5, 10, 4.30754, NAN, 0.99, -0.65, 3.1501, NAN, -1.0},
    {16, 4, 3, 1, 2.88432, NAN, 0.02, -1.04, 4.5472, NAN, -0.02},
};
enum { ROWS = sizeof table / sizeof *table };

/* `unit` is what the last printed digit counts; some numbers were rounded twice. */
static void printed(const char *what, int row, double got, double wanted, double unit)
{
    ck_assert_msg(isnan(wanted) || fabs(got - wanted) <= 0.55 * unit, "row %d: %s = %.9g, printed %g", row, what, got,
                  wanted);
}

static slow_point library_point(int k, int m, int b, double rho, inlay_multibus_model model)
{
    inlay_multibus *mb = NULL;
    double u;
    double delay;
    ck_assert_int_eq(inlay_multibus_new(k, m, b, model, &mb), INLAY_OK);
    ck_assert_int_eq(inlay_multibus_utilisation(mb, rho, &u, &delay, NULL), INLAY_OK);
    inlay_multibus_free(mb);
    return (slow_point){u, delay, u / rho};
}

static double per_cent(long double value, long double truth)
{
    return (double)(100 * (value / truth - 1));
}

START_TEST(published_table)
{
    for (int i = 0; i < ROWS; i++) {
        const table_row *t = &table[i];
        slow_point truth = slow_multibus_truth(t->k, t->m, t->b, t->rho);
        slow_point paper = library_point(t->k, t->m, t->b, t->rho, INLAY_MULTIBUS_PAPER);
        slow_point better = library_point(t->k, t->m, t->b, t->rho, INLAY_MULTIBUS_OCCUPANCY);
        printed("exact u", i, (double)truth.u, t->u_exact, 1e-5);
        printed("exact D", i, (double)truth.delay, t->d_exact, 1e-4);
        printed("paper's u", i, (double)paper.u, t->u_paper, 1e-5);
        printed("paper's D", i, (double)paper.delay, t->d_paper, 1e-4);
        printed("error of paper's u", i, per_cent(paper.u, truth.u), t->u_error, fabs(t->u_error) > 10 ? 0.1 : 0.01);
        printed("error of paper's D", i, per_cent(paper.delay, truth.delay), t->d_error, i < ROWS - 1 ? 0.1 : 0.01);
        printed("error of occupancy's u", i, per_cent(better.u, truth.u), t->occupancy_error, 0.01);
    }
}
END_TEST

/* b = 1 in both models; b = m, and b >= k, in the occupancy model. */
START_TEST(exact_where_it_should_be)
{
    static const double rates[] = {0.02, 0.3, 3, 100};
    int compared = 0;
    for (int k = 1; k <= 6; k++) {
        for (int m = 1; m <= 5; m++) {
            for (int i = 0; i < m * 4; i++) {
                int b = i / 4 + 1;
                double rho = rates[i % 4];
                if (b > 1 && b < m && b < k) continue;
                slow_point truth = slow_multibus_truth(k, m, b, rho);
                slow_point better = library_point(k, m, b, rho, INLAY_MULTIBUS_OCCUPANCY);
                AGREES(better.u, truth.u, 1e-10);
                AGREES(better.delay, truth.delay, 1e-10);
                if (b == 1) {
                    slow_point paper = library_point(k, m, b, rho, INLAY_MULTIBUS_PAPER);
                    AGREES(paper.u, truth.u, 1e-10);
                    AGREES(paper.delay, truth.delay, 1e-10);
                }
                compared++;
            }
        }
    }
    ck_assert_int_gt(compared, 100);
}
END_TEST

/* What is said of all small machines, and what the library says of itself there. */
static void compare_small(int k, int m, int b, double rho)
{
    slow_point truth = slow_multibus_truth(k, m, b, rho);
    for (int model = 0; model < 2; model++) {
        inlay_multibus *mb = NULL;
        inlay_known_error error;
        slow_point point = library_point(k, m, b, rho, (inlay_multibus_model)model);
        double u_error = (double)(point.u / truth.u - 1);
        double delay_error = (double)(point.delay / truth.delay - 1);
        if (model == INLAY_MULTIBUS_OCCUPANCY) {
            ck_assert(u_error <= 1e-10 && u_error >= -0.0165);
            ck_assert(delay_error >= -1e-10 && delay_error <= 0.0165);
        } else if (m > b && k >= m) {
            ck_assert(u_error <= 1e-10 && u_error >= -0.117);
            ck_assert(delay_error >= -1e-10 && delay_error <= 0.225);
        } else if (k < m) {
            ck_assert(u_error <= 1e-10 && u_error >= -0.19);
            ck_assert(delay_error >= -1e-10 && delay_error <= 0.24);
        } else {
            ck_assert(u_error <= 0.124 && delay_error >= -0.115);
        }
        ck_assert_int_eq(inlay_multibus_new(k, m, b, (inlay_multibus_model)model, &mb), INLAY_OK);
        ck_assert_int_eq(inlay_multibus_known_error(mb, rho, &error), INLAY_OK);
        ck_assert(error.known);
        ck_assert_msg(fabs(error.utilisation - u_error) <= error.within + 1e-9 &&
                          fabs(error.delay - delay_error) <= error.within + 1e-9,
                      "(%d,%d,%d) at %g: errors %g and %g, said to be %g and %g within %g", k, m, b, rho, u_error,
                      delay_error, error.utilisation, error.delay, error.within);
        inlay_multibus_free(mb);
    }
}

START_TEST(errors_of_small_machines)
{
    static const double rates[] = {0.02, 0.3, 1, 10};
    for (int k = 1; k <= 6; k++) {
        for (int m = 1; m <= 6; m++) {
            for (int i = 0; i < 4 * m; i++) {
                compare_small(k, m, i / 4 + 1, rates[i % 4]);
            }
        }
    }
}
END_TEST

START_TEST(errors_of_larger_machines)
{
    for (int i = 0; i < ROWS - 3; i++) {
        if (table[i].b == table[i].m || table[i].k < table[i].m || table[i].k > 8) continue;
        compare_small(table[i].k, table[i].m, table[i].b, table[i].rho);
    }
    /* the chain beyond the small machines, and simulations: (k, m, b, rho, u, D) */
    static const double seen[][6] = {
        {10, 5, 3, 0.3, 2.01695, 1.6247}, {4, 16, 8, 1, 1.90782, 1.0966}, {14, 6, 5, 10, 4.30754, 3.1501},
        {16, 4, 3, 1, 2.88432, 4.5472},   {32, 16, 8, 0.5, 7.593, 2.214}, {32, 16, 8, 0.2, 4.972, 1.434},
    };
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        for (int model = 0; model < 2; model++) {
            inlay_multibus *mb = NULL;
            inlay_known_error error;
            ck_assert_int_eq(inlay_multibus_new((int64_t)seen[i][0], (int64_t)seen[i][1], (int64_t)seen[i][2],
                                                (inlay_multibus_model)model, &mb),
                             INLAY_OK);
            double u;
            double delay;
            ck_assert_int_eq(inlay_multibus_utilisation(mb, seen[i][3], &u, &delay, NULL), INLAY_OK);
            ck_assert_int_eq(inlay_multibus_known_error(mb, seen[i][3], &error), INLAY_OK);
            ck_assert(error.known);
            ck_assert_double_le(fabs(u / seen[i][4] - 1 - error.utilisation), error.within + 4e-4);
            ck_assert_double_le(fabs(delay / seen[i][5] - 1 - error.delay), error.within + 4e-4);
            inlay_multibus_free(mb);
        }
    }
}
END_TEST

static inlay_known_error multibus_error(int64_t k, int64_t m, int64_t b, inlay_multibus_model model)
{
    inlay_multibus *mb = NULL;
    inlay_known_error error;
    ck_assert_int_eq(inlay_multibus_new(k, m, b, model, &mb), INLAY_OK);
    ck_assert_int_eq(inlay_multibus_known_error(mb, 0.1, &error), INLAY_OK);
    inlay_multibus_free(mb);
    return error;
}

/* A size that was never compared is unknown, unless the truth is a formula. */
START_TEST(unknown_is_said)
{
    static const struct {
        int64_t k, m, b;
        bool known[2]; /* the paper's model, the occupancy model */
        bool exact[2];
    } cases[] = {
        {32, 16, 8, {true, true}, {false, false}},    {33, 16, 8, {false, false}, {false, false}},
        {32, 17, 8, {false, false}, {false, false}},  {1000, 64, 1, {true, true}, {true, true}},
        {1000, 64, 64, {true, true}, {false, true}},  {50, 64, 50, {true, true}, {false, true}},
        {51, 64, 50, {false, false}, {false, false}}, {1, 20, 1, {true, true}, {true, true}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int model = 0; model < 2; model++) {
            inlay_known_error error = multibus_error(cases[i].k, cases[i].m, cases[i].b, (inlay_multibus_model)model);
            bool exact = error.known && error.utilisation == 0 && error.delay == 0 && error.within == 0;
            ck_assert_int_eq(error.known, cases[i].known[model]);
            ck_assert_int_eq(exact, cases[i].exact[model]);
            ck_assert(error.known || (error.utilisation == 0 && error.delay == 0 && error.within == 0));
        }
    }
}
END_TEST

/* ---- Omega ---- */

/* Simulated with frame-aligned messages and transit and cycle 1; errors of D and of the waiting in per cent. */
static const struct omega_row {
    int n, stages, packets;
    double load, delay, simulated, delay_error, waiting_error;
} omega_table[] = {
    {2, 6, 1, 0.1, 6.1667, 6.1716, -0.1, -2.9},  {2, 6, 1, 0.3, 6.6429, 6.7019, -0.9, -8.4},
    {2, 6, 1, 0.5, 7.5000, 7.7154, -2.8, -12.6}, {2, 6, 1, 0.7, 9.5000, 10.184, -6.7, -16.3},
    {2, 6, 4, 0.1, 9.6667, 9.6852, -0.2, -2.7},  {2, 6, 4, 0.3, 11.571, 11.798, -1.9, -8.1},
    {2, 6, 4, 0.5, 15.000, 15.869, -5.5, -12.7}, {4, 3, 1, 0.5, 4.1250, 4.1834, -1.4, -4.9},
    {4, 3, 4, 0.3, 7.9286, 7.9911, -0.8, -3.1},  {4, 3, 4, 0.5, 10.500, 10.740, -2.2, -5.1},
    {4, 3, 4, 0.7, 16.500, 17.191, -4.0, -6.2},
};

static inlay_omega omega(int n, int stages, int packets)
{
    return (inlay_omega){(int64_t)round(pow(n, stages)), n, packets, 1, 1};
}

START_TEST(omega_errors)
{
    for (size_t i = 0; i < sizeof omega_table / sizeof *omega_table; i++) {
        const struct omega_row *t = &omega_table[i];
        inlay_omega net = omega(t->n, t->stages, t->packets);
        double rho = t->load / t->packets;
        double delay;
        inlay_known_error whole;
        inlay_known_error waiting;
        ck_assert_int_eq(inlay_omega_utilisation(&net, rho, NULL, &delay), INLAY_OK);
        printed("D", (int)i, delay, t->delay, t->delay < 10 ? 1e-4 : 1e-3);
        ck_assert_int_eq(inlay_omega_known_error(&net, rho, &whole), INLAY_OK);
        ck_assert_int_eq(inlay_omega_pe_known_error(&net, rho, &waiting), INLAY_OK);
        ck_assert(whole.known && waiting.known);
        ck_assert_double_eq(whole.utilisation, 0);
        AGREES(whole.delay, t->delay / t->simulated - 1, 0.12);
        ck_assert_double_le(fabs(whole.delay - t->delay_error / 100), 0.004);
        ck_assert_double_le(fabs(waiting.delay - t->waiting_error / 100), 0.006);
    }
}
END_TEST

/* Errors of D at (2, 6, 4), for loads 0.1, 0.3, 0.5, 0.7: messages that start at any time, and messages that wait in a
   queue in front of the network. The simulated waiting is D less the 9 cycles without it. */
START_TEST(omega_errors_within)
{
    static const double loads[] = {0.1, 0.3, 0.5, 0.7};
    static const double other[2][4] = {{-0.002, -0.014, -0.045, -0.092}, {-0.003, -0.026, -0.072, -0.136}};
    inlay_omega net = omega(2, 6, 4);
    for (int i = 0; i < 8; i++) {
        double rho = loads[i % 4] / 4;
        double delay;
        inlay_known_error whole;
        inlay_known_error waiting;
        ck_assert_int_eq(inlay_omega_utilisation(&net, rho, NULL, &delay), INLAY_OK);
        ck_assert_int_eq(inlay_omega_known_error(&net, rho, &whole), INLAY_OK);
        ck_assert_int_eq(inlay_omega_pe_known_error(&net, rho, &waiting), INLAY_OK);
        double seen = other[i / 4][i % 4];
        double seen_waiting = (delay - 9) / (delay / (1 + seen) - 9) - 1;
        ck_assert(whole.known && fabs(whole.delay - seen) <= whole.within);
        ck_assert(waiting.known && fabs(waiting.delay - seen_waiting) <= waiting.within);
    }
}
END_TEST

START_TEST(omega_unknown_is_said)
{
    static const struct {
        int n, stages, packets;
        double load;
        bool known;
    } cases[] = {{2, 6, 4, 0.7, true},  {2, 6, 4, 0.71, false}, {2, 7, 4, 0.5, false}, {2, 6, 5, 0.5, false},
                 {5, 2, 1, 0.5, false}, {3, 4, 2, 0.5, true},   {4, 1, 1, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_omega net = omega(cases[i].n, cases[i].stages, cases[i].packets);
        double rho = cases[i].load / cases[i].packets;
        inlay_known_error whole;
        inlay_known_error waiting;
        ck_assert_int_eq(inlay_omega_known_error(&net, rho, &whole), INLAY_OK);
        ck_assert_int_eq(inlay_omega_pe_known_error(&net, rho, &waiting), INLAY_OK);
        ck_assert_int_eq(whole.known, cases[i].known);
        ck_assert_int_eq(waiting.known, cases[i].known);
        if (cases[i].load == 0 || !cases[i].known) {
            ck_assert(whole.delay == 0 && waiting.delay == 0);
        }
    }
    inlay_omega net = omega(2, 3, 1);
    inlay_known_error error;
    ck_assert_int_eq(inlay_omega_known_error(&net, 1, &error), INLAY_NO_ANSWER);
    ck_assert_int_eq(inlay_omega_pe_known_error(&net, 1, &error), INLAY_NO_ANSWER);
    ck_assert_int_eq(inlay_omega_known_error(&net, -1, &error), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_omega_known_error(&net, 0.5, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_omega_pe_known_error(&net, 0.5, NULL), INLAY_BAD_ARGUMENT);
}
END_TEST

/* ---- One bus, messages of one length ---- */

enum { MOST_PROCESSORS = 40 };

/*
 * Shares of departures that leave j requests behind, j < k, by elimination without subtractions (W. K. Grassmann,
 * M. I. Taksar, D. P. Heyman, Operations Research 33 (1985)). During one transfer each of the n that think asks with
 * probability 1 - e^-rho.
 */
static void solve_departures(int k, double rho, long double share[MOST_PROCESSORS])
{
    static long double a[MOST_PROCESSORS][MOST_PROCESSORS];
    long double asks = -expm1l(-(long double)rho), total = 1;
    for (int j = 0; j < k; j++) {
        int present = j > 0 ? j : 1, thinking = k - present;
        for (int i = 0; i < k; i++) {
            int asking = i - present + 1;
            a[j][i] =
                asking < 0
                    ? 0
                    : expl(lgammal(thinking + 1.0L) - lgammal(asking + 1.0L) - lgammal(thinking - asking + 1.0L)) *
                          powl(asks, asking) * powl(1 - asks, thinking - asking);
        }
    }
    for (int m = k - 1; m > 0; m--) {
        long double out = 0;
        for (int j = 0; j < m; j++)
            out += a[m][j];
        for (int i = 0; i < m; i++)
            a[i][m] /= out;
        for (int i = 0; i < m * m; i++)
            a[i / m][i % m] += a[i / m][m] * a[m][i % m];
    }
    share[0] = 1;
    for (int m = 1; m < k; m++) {
        share[m] = 0;
        for (int i = 0; i < m; i++)
            share[m] += share[i] * a[i][m];
        total += share[m];
    }
    for (int m = 0; m < k; m++)
        share[m] /= total;
}

/* One transfer a departure, and after a share of them a pause of 1/(k rho). */
static slow_point slow_one_length(int k, double rho)
{
    long double share[MOST_PROCESSORS];
    solve_departures(k, rho, share);
    long double u = 1 / (1 + share[0] / (k * (long double)rho));
    return (slow_point){.u = u, .delay = k / u - 1 / (long double)rho};
}

START_TEST(bus_with_fixed_lengths)
{
    static const int sizes[] = {1, 2, 3, 4, 17, MOST_PROCESSORS};
    static const double rates[] = {1e-3, 0.01, 0.05, 0.1, 0.3, 1, 5};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes * (sizeof rates / sizeof *rates); i++) {
        int k = sizes[i / (sizeof rates / sizeof *rates)];
        double rho = rates[i % (sizeof rates / sizeof *rates)], u, delay, back, again;
        slow_point truth = slow_one_length(k, rho);
        ck_assert_int_eq(inlay_bus_fixed_length(k, rho, &u, &delay), INLAY_OK);
        AGREES(u, truth.u, 1e-12);
        AGREES(delay, truth.delay, 1e-12);
        if (1 - u > 1e-6) {
            ck_assert_int_eq(inlay_bus_fixed_length_rate(k, u, &back, &again), INLAY_OK);
            AGREES(back, (long double)rho, 1e-9);
            AGREES(again, (long double)delay, 1e-9);
        }
    }
}
END_TEST

/* (k, rho, u and D as simulated, or as of infinitely many processors) */
START_TEST(bus_with_fixed_lengths_elsewhere)
{
    static const double seen[][5] = {{17, 0.05, 0.767, 2.138, 0.004}, {4, 0.3, NAN, 1.666, 0.001}};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        double u, delay;
        ck_assert_int_eq(inlay_bus_fixed_length((int64_t)seen[i][0], seen[i][1], &u, &delay), INLAY_OK);
        ck_assert(isnan(seen[i][2]) || fabs(u - seen[i][2]) < 0.001);
        AGREES(delay, (long double)seen[i][3], seen[i][4]);
    }
    for (double u = 1e-9; u < 0.9; u = u < 0.1 ? 100 * u : u + 0.2) {
        double delay;
        ck_assert_int_eq(inlay_bus_fixed_length_rate(1000000, u, NULL, &delay), INLAY_OK);
        AGREES(delay - 1, (long double)(u / (2 * (1 - u))), 1e-3 + 1e-15 / u);
    }
    double untouched = 7;
    ck_assert_int_eq(inlay_bus_fixed_length(0, 1, &untouched, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_bus_fixed_length(3, -1, &untouched, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_bus_fixed_length(3, INFINITY, &untouched, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_bus_fixed_length_rate(3, 1, &untouched, NULL), INLAY_NO_ANSWER);
    ck_assert_int_eq(inlay_bus_fixed_length_rate(3, NAN, &untouched, NULL), INLAY_BAD_ARGUMENT);
    ck_assert(untouched == 7);
    ck_assert_int_eq(inlay_bus_fixed_length(1000000, 1, &untouched, NULL), INLAY_OK);
    ck_assert(untouched == 1);
}
END_TEST

Suite *suite_known_error(void)
{
    Suite *suite = suite_create("known_error");
    TCase *multibus = tcase_create("multibus");
    tcase_add_test(multibus, published_table);
    tcase_add_test(multibus, exact_where_it_should_be);
    tcase_add_test(multibus, errors_of_small_machines);
    tcase_add_test(multibus, errors_of_larger_machines);
    tcase_add_test(multibus, unknown_is_said);
    suite_add_tcase(suite, multibus);
    TCase *others = tcase_create("omega and bus");
    tcase_add_test(others, omega_errors);
    tcase_add_test(others, omega_errors_within);
    tcase_add_test(others, omega_unknown_is_said);
    tcase_add_test(others, bus_with_fixed_lengths);
    tcase_add_test(others, bus_with_fixed_lengths_elsewhere);
    suite_add_tcase(suite, others);
    return suite;
}

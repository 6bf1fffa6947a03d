/* Profiles of dataflow programs by hand: the paper's Cholesky program, clocks, full channels, threads, parameters. */
#include "dataflow_subject.h"
#include "unit.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double units(const inlay_app *app, inlay_time time)
{
    return inlay_app_in_units(app, time);
}

/* ---- Clocks ---- */

START_TEST(test_chain)
{
    hand_program h = hand_begin();
    wire_chain(h.program, 3, 1, add_one);
    inlay_cost cost[] = {
        {"add", {{25, 1}, INLAY_UNIT_NONE}}, {"get", {{1, 0}, INLAY_UNIT_US}}, {"put", {{2, 0}, INLAY_UNIT_US}}};
    inlay_program_options options = {.unit = INLAY_UNIT_US, .cost = cost, .costs = 3};
    ck_assert_int_eq(hand_run(&h, &options), INLAY_OK);
    const inlay_app *app = inlay_profile_app(h.profile);
    static const double m[] = {4.5, 5.5, 3.5}, b[] = {0, 4.5, 10};
    ck_assert_int_eq(inlay_app_unit(app), INLAY_UNIT_US);
    ck_assert_str_eq(inlay_app_name(app), "hand");
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq(units(app, inlay_app_time(app, i)), m[i]);
        ck_assert_double_eq(units(app, inlay_app_blocking(app, i)), b[i]);
    }
    ck_assert_double_eq(inlay_profile_elapsed(h.profile), 13.5);
    hand_end(&h);
}
END_TEST

static void get_three_slowly(inlay_actor *self, void *state)
{
    for (int i = 0; i < 3; i++) {
        inlay_count(self, INLAY_ADD, 10);
        inlay_get(inlay_input(self, 0), state);
    }
}

/* A put waits for room until the get has ended. */
START_TEST(test_full_channel)
{
    hand_program h = hand_begin();
    ck_assert_int_eq(inlay_program_module(h.program, "p", put_three, &(char){0}, 1, NULL), 0);
    ck_assert_int_eq(inlay_program_module(h.program, "c", get_three_slowly, &(char){0}, 1, NULL), 1);
    ck_assert_int_eq(inlay_program_wire(h.program, 0, 0, 1, 0, 1, 1, NULL), INLAY_OK);
    ck_assert_int_eq(hand_run(&h, NULL), INLAY_OK);
    const inlay_app *app = inlay_profile_app(h.profile);
    /* puts end at 1, 12 and 23; gets begin at 10, 21 and 32 and take 1 */
    ck_assert_double_eq(units(app, inlay_app_time(app, 0)), 3);
    ck_assert_double_eq(units(app, inlay_app_blocking(app, 0)), 20);
    ck_assert_double_eq(units(app, inlay_app_time(app, 1)), 33);
    ck_assert_double_eq(units(app, inlay_app_blocking(app, 1)), 0);
    hand_end(&h);
}
END_TEST

/* ---- The Cholesky program of the paper's Figure 1 ---- */

enum { NORTH, WEST }; /* inputs */
enum { SOUTH, EAST }; /* outputs */

typedef struct cholesky_node {
    int i, j, n;
    double x;
    double *factor;
} cholesky_node;

static void put_where_wired(inlay_actor *self, int output, const double *x)
{
    if (inlay_output(self, output) != NULL) inlay_put(inlay_output(self, output), x);
}

static void cholesky(inlay_actor *self, void *state)
{
    cholesky_node *s = state;
    double y, z;
    for (int k = 1;; k++) {
        if (k == s->i && k == s->j) {
            s->x = sqrt(s->x);
            inlay_count(self, INLAY_SQRT, 1);
            put_where_wired(self, EAST, &s->x);
            put_where_wired(self, SOUTH, &s->x);
            break;
        }
        if (k == s->j || k == s->i) {
            inlay_get(inlay_input(self, k == s->j ? NORTH : WEST), &y);
            s->x /= y;
            inlay_count(self, INLAY_DIVIDE, 1);
            put_where_wired(self, EAST, k == s->j ? &s->x : &y);
            put_where_wired(self, SOUTH, k == s->j ? &y : &s->x);
            break;
        }
        inlay_get(inlay_input(self, NORTH), &y);
        inlay_get(inlay_input(self, WEST), &z);
        s->x -= y * z;
        inlay_count(self, INLAY_MULTIPLY, 1);
        inlay_count(self, INLAY_ADD, 1);
        put_where_wired(self, SOUTH, &y);
        put_where_wired(self, EAST, &z);
    }
    s->factor[(s->i - 1) * s->n + s->j - 1] = s->x;
}

static double entry(int n, int i, int j)
{
    return (i == j ? n : 0) + 1.0 / (i + j);
}

/* Places of modules in the grid are numbered from the last to the first where `backwards`. */
static inline int number(int n, int i, int j, bool backwards)
{
    int at = (i - 1) * n + j - 1;
    return backwards ? n * n - 1 - at : at;
}

static void wire_cholesky(inlay_program *program, int n, bool backwards, double *factor)
{
    for (int k = 0; k < n * n; k++) {
        int at = backwards ? n * n - 1 - k : k;
        cholesky_node node = {at / n + 1, at % n + 1, n, entry(n, at / n + 1, at % n + 1), factor};
        char name[32];
        snprintf(name, sizeof name, "m%d_%d", node.i, node.j);
        ck_assert_int_eq(inlay_program_module(program, name, cholesky, &node, sizeof node, NULL), k);
    }
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            int from = number(n, i, j, backwards);
            if (j < n) inlay_program_wire(program, from, EAST, number(n, i, j + 1, backwards), WEST, 8, 0, NULL);
            if (i < n) inlay_program_wire(program, from, SOUTH, number(n, i + 1, j, backwards), NORTH, 8, 0, NULL);
        }
}

static void expect_factor(int n, const double *factor)
{
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            double sum = 0; /* row i of L with row j of L; above the diagonal stands the same of U = L^T */
            for (int k = 1; k <= (i < j ? i : j); k++)
                sum += factor[(i - 1) * n + k - 1] * factor[(j - 1) * n + k - 1];
            ck_assert_double_eq_tol(sum, entry(n, i, j), 1e-12 * n);
        }
}

START_TEST(test_cholesky)
{
    int n = _i;
    double *factor = calloc((size_t)(n * n), sizeof *factor);
    hand_program h = hand_begin();
    wire_cholesky(h.program, n, false, factor);
    ck_assert_int_eq(hand_run(&h, NULL), INLAY_OK);
    const inlay_app *app = inlay_profile_app(h.profile);
    expect_factor(n, factor);
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            inlay_links out = inlay_app_out(app, number(n, i, j, false));
            ck_assert_int_eq(out.count, (i < n) + (j < n));
            for (int64_t l = 0; l < out.count; l++) {
                ck_assert_int_eq(out.messages[l], i < j ? i : j);
                ck_assert_int_eq(out.bytes[l], 8 * out.messages[l]);
                ck_assert_int_eq(out.flags[l], 0);
            }
        }
    free(factor);
    hand_end(&h);
}
END_TEST

/* All modules wait at once, and are many: numbered against the flow of the values. */
START_TEST(test_many_wait)
{
    enum { N = 100 };
    double *factor = calloc(N * N, sizeof *factor);
    double elapsed[2];
    for (int backwards = 0; backwards <= 1; backwards++) {
        hand_program h = hand_begin();
        wire_cholesky(h.program, N, backwards, factor);
        ck_assert_int_eq(hand_run(&h, NULL), INLAY_OK);
        elapsed[backwards] = inlay_profile_elapsed(h.profile);
        ck_assert_int_eq(inlay_profile_values(h.profile), 666600);
        expect_factor(N, factor);
        memset(factor, 0, N * N * sizeof *factor);
        hand_end(&h);
    }
    ck_assert_double_eq(elapsed[0], elapsed[1]);
    free(factor);
}
END_TEST

/* ---- Several threads ---- */

static void *profile_of_thread(void *context)
{
    int n = *(const int *)context;
    double *factor = calloc((size_t)(n * n), sizeof *factor);
    for (int round = 0; round < 10; round++) {
        hand_program h = hand_begin();
        wire_cholesky(h.program, n, true, factor);
        ck_assert_int_eq(hand_run(&h, NULL), INLAY_OK);
        expect_factor(n, factor);
        hand_end(&h);
    }
    free(factor);
    return NULL;
}

START_TEST(test_threads)
{
    enum { THREADS = 6 };
    pthread_t thread[THREADS];
    int n[THREADS];
    for (int t = 0; t < THREADS; t++) {
        n[t] = 8 + t;
        ck_assert_int_eq(pthread_create(&thread[t], NULL, profile_of_thread, &n[t]), 0);
    }
    for (int t = 0; t < THREADS; t++)
        ck_assert_int_eq(pthread_join(thread[t], NULL), 0);
}
END_TEST

/* ---- The same program again ---- */

static void count_up(inlay_actor *self, void *state)
{
    int *calls = state;
    ++*calls;
    inlay_count(self, INLAY_ADD, *calls);
}

START_TEST(test_fresh_state)
{
    hand_program h = hand_begin();
    inlay_program_module(h.program, "a", count_up, &(int){4}, sizeof(int), NULL);
    for (int run = 0; run < 3; run++) {
        ck_assert_int_eq(hand_run(&h, NULL), INLAY_OK);
        ck_assert_double_eq(inlay_profile_elapsed(h.profile), 5);
        inlay_profile_free(h.profile);
        h.profile = NULL;
    }
    hand_end(&h);
}
END_TEST

/* ---- Operations of its own, parameters, check ---- */

static void own_operation(inlay_actor *self, void *state)
{
    inlay_count(self, *(int *)state, 2.5);
}

START_TEST(test_own_operation)
{
    hand_program h = hand_begin();
    int exchange = inlay_program_operation(h.program, "exchange");
    ck_assert_int_eq(exchange, INLAY_OPERATIONS);
    ck_assert_int_eq(inlay_program_operation(h.program, "exchange"), exchange);
    ck_assert_int_eq(inlay_program_operation(h.program, "sqrt"), INLAY_SQRT);
    ck_assert_int_eq(inlay_program_operations(h.program), INLAY_OPERATIONS + 1);
    ck_assert_str_eq(inlay_program_operation_name(h.program, exchange), "exchange");
    inlay_program_module(h.program, "a", own_operation, &exchange, sizeof exchange, NULL);
    inlay_cost cost = {"exchange", {{3, 1}, INLAY_UNIT_NONE}};
    ck_assert_int_eq(hand_run(&h, &(inlay_program_options){.cost = &cost, .costs = 1}), INLAY_OK);
    ck_assert_double_eq(inlay_profile_elapsed(h.profile), 0.8); /* 0.75 to the nearest tenth, as the costs have it */
    ck_assert_double_eq(inlay_profile_count(h.profile, 0, exchange), 2.5);
    ck_assert_double_eq(inlay_app_arithmetic(inlay_profile_app(h.profile), 0), 0);
    hand_end(&h);
}
END_TEST

START_TEST(test_parameters)
{
    hand_program h = hand_begin();
    ck_assert_int_eq(inlay_program_set(h.program, "n", 8, h.diag), INLAY_OK);
    ck_assert_double_eq(inlay_parameter(h.program, "width", 3), 3);
    ck_assert_double_eq(inlay_parameter(h.program, "n", 4), 8);
    ck_assert_double_eq(inlay_parameter(h.program, "n", 5), 8);
    ck_assert_uint_eq(inlay_program_parameters(h.program), 2);
    inlay_program_parameter width = inlay_program_parameter_at(h.program, 0),
                            n = inlay_program_parameter_at(h.program, 1);
    ck_assert(strcmp(width.name, "width") == 0 && width.value == 3 && !width.given);
    ck_assert(strcmp(n.name, "n") == 0 && n.value == 8 && n.given);
    inlay_program_module(h.program, "a", nothing, NULL, 0, NULL);
    ck_assert_int_eq(hand_run(&h, NULL), INLAY_OK);
    inlay_profile_free(h.profile);
    h.profile = NULL;
    ck_assert_int_eq(inlay_program_set(h.program, "m", 8, h.diag), INLAY_OK);
    hand_refused(&h, NULL, INLAY_BAD_ARGUMENT, "hand: the program has no parameter 'm'; expected width, n");
    h = hand_begin();
    ck_assert_int_eq(inlay_program_set(h.program, "n", NAN, h.diag), INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(h.diag), "parameter 'n' is nan; expected a finite number");
    ck_assert_int_eq(inlay_program_refuse(NULL, "%d", 1), INLAY_BAD_ARGUMENT);
    hand_end(&h);
}
END_TEST

static const char *check_sum(void *context, char *text, size_t size)
{
    snprintf(text, size, "the sum is %d", *(int *)context);
    return *(int *)context == 3 ? NULL : "the sum is wrong; expected 3";
}

START_TEST(test_check)
{
    hand_program h = hand_begin();
    int *sum = inlay_program_memory(h.program, sizeof *sum);
    ck_assert_int_eq(*sum, 0);
    *sum = 3;
    inlay_program_check(h.program, check_sum, sum);
    inlay_program_module(h.program, "a", nothing, NULL, 0, NULL);
    ck_assert_int_eq(hand_run(&h, NULL), INLAY_OK);
    ck_assert_str_eq(inlay_profile_check(h.profile), "the sum is 3");
    inlay_profile_free(h.profile);
    h.profile = NULL;
    *sum = 4;
    hand_refused(&h, NULL, INLAY_BAD_INPUT, "hand: the numbers computed are wrong: the sum is wrong; expected 3");
}
END_TEST

/* Seconds of this thread's processor time. */
static double thread_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Works for some milliseconds, and says for how long; then hands on. */
static void burn(inlay_actor *self, void *state)
{
    double *took = *(double **)state, begin = thread_time();
    while (*took < 0.003)
        *took = thread_time() - begin;
    inlay_put(inlay_output(self, 0), "");
}

START_TEST(test_measured)
{
    double took = 0, *to = &took;
    hand_program h = hand_begin();
    inlay_program_module(h.program, "a", burn, &to, sizeof to, NULL);
    inlay_program_module(h.program, "b", get_one, "", 1, NULL);
    inlay_program_wire(h.program, 0, 0, 1, 0, 1, 0, NULL);
    double begin = thread_time();
    ck_assert_int_eq(hand_run(&h, &(inlay_program_options){.measured = true}), INLAY_OK);
    double all = thread_time() - begin;
    const inlay_app *app = inlay_profile_app(h.profile);
    ck_assert_int_eq(inlay_app_unit(app), INLAY_UNIT_S);
    double m[2], b[2];
    for (int i = 0; i < 2; i++) {
        m[i] = units(app, inlay_app_time(app, i));
        b[i] = units(app, inlay_app_blocking(app, i));
    }
    ck_assert_double_ge(m[0], took);
    ck_assert_double_ge(m[1] + b[1], took); /* b began at 0 too, and waited */
    ck_assert_double_eq(b[0], 0);
    ck_assert_double_le(m[0] + m[1], all); /* what the engine does is nobody's */
    hand_end(&h);
}
END_TEST

/* ---- Stacks ---- */

/* Takes some 100 KiB of stack, page by page. */
static int go_deep(int depth)
{
    volatile char page[4096];
    page[0] = (char)depth;
    return depth == 0 ? page[0] : go_deep(depth - 1) + page[0] - page[0];
}

static void deep(inlay_actor *self, void *state)
{
    inlay_count(self, INLAY_ADD, *(int *)state = 1 + go_deep(24));
}

START_TEST(test_large_stack)
{
    hand_program h = hand_of(deep, deep);
    ck_assert_int_eq(hand_run(&h, &(inlay_program_options){.stack = 1 << 20}), INLAY_OK);
    ck_assert_double_eq(inlay_profile_elapsed(h.profile), 1);
    hand_end(&h);
}
END_TEST

#ifndef __SANITIZE_ADDRESS__ /* which ends the process in its own way */
/* In front of the second stack stands that of a, who waits: without a guard b would run on in that. */
START_TEST(test_small_stack)
{
    hand_program h = hand_of(get_one, deep);
    inlay_program_wire(h.program, 1, 0, 0, 0, sizeof(int), 0, NULL);
    (void)hand_run(&h, NULL);
    ck_abort_msg("the stack has no end");
}
END_TEST
#endif

Suite *suite_dataflow_hand(void)
{
    Suite *suite = suite_create("dataflow_hand");
    TCase *tests = tcase_create("dataflow_hand");
    tcase_add_test(tests, test_chain);
    tcase_add_test(tests, test_full_channel);
    tcase_add_loop_test(tests, test_cholesky, 1, 13);
    tcase_add_test(tests, test_many_wait);
    tcase_add_test(tests, test_threads);
    tcase_add_test(tests, test_fresh_state);
    tcase_add_test(tests, test_own_operation);
    tcase_add_test(tests, test_parameters);
    tcase_add_test(tests, test_check);
    tcase_add_test(tests, test_measured);
    tcase_add_test(tests, test_large_stack);
#ifndef __SANITIZE_ADDRESS__
    tcase_add_test_raise_signal(tests, test_small_stack, SIGSEGV);
#endif
    suite_add_tcase(suite, tests);
    return suite;
}

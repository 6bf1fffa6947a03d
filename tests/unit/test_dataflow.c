/* Profiles of random dataflow programs beside a slow interpreter, with two orders in which modules are run. */
#include "random_app.h"
#include "simulate/dataflow_profile.h"
#include "slow_dataflow.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 60, KINDS = 8 };

static double units(const inlay_app *app, inlay_time time)
{
    return inlay_app_in_units(app, time);
}

/* ---- Random programs ---- */

/* Messages and bytes from one module to another, with and without precedence. */
static void expect_link(const inlay_app *app, const slow_program *p, const slow_profile *slow, int from, int to)
{
    int64_t values = 0, bytes = 0, found_values = 0, found_bytes = 0;
    for (int c = 0; from != to && c < p->channels; c++)
        if (p->channel[c].from == from && p->channel[c].to == to) {
            values += slow->put[c];
            bytes += (int64_t)slow->put[c] * p->channel[c].size;
        }
    inlay_links out = inlay_app_out(app, from);
    for (int64_t l = 0; l < out.count; l++)
        if (out.module[l] == to) {
            found_values += out.messages[l];
            found_bytes += out.bytes[l];
        }
    ck_assert_int_eq(found_values, values);
    ck_assert_int_eq(found_bytes, bytes);
}

/* Modules that a module feeds, perhaps through others: by trying all. */
static void reach(const slow_program *p, const slow_profile *slow, bool reached[STEP_MODULES][STEP_MODULES])
{
    for (int c = 0; c < p->channels; c++)
        reached[p->channel[c].from][p->channel[c].to] |= slow->put[c] > 0;
    for (int k = 0; k < p->modules; k++)
        for (int i = 0; i < p->modules; i++)
            for (int j = 0; j < p->modules; j++)
                reached[i][j] |= reached[i][k] && reached[k][j];
}

/* Within a circle only links to modules that wait longer precede; all others do. */
static int64_t expect_precedence(const inlay_app *app, const slow_program *p, const slow_profile *slow)
{
    bool reached[STEP_MODULES][STEP_MODULES] = {{false}};
    int64_t feedback = 0;
    reach(p, slow, reached);
    for (int i = 0; i < p->modules; i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++) {
            int j = out.module[l];
            int64_t bi = slow->end[i] - slow->work[i], bj = slow->end[j] - slow->work[j];
            bool back = reached[j][i] && (bj < bi || (bj == bi && j < i));
            ck_assert_int_eq(out.flags[l], back ? INLAY_LINK_TRAFFIC_ONLY : 0);
            feedback += back;
        }
    }
    return feedback;
}

static void expect_counts(const inlay_profile *profile, const slow_program *p)
{
    for (int i = 0; i < p->modules; i++) {
        double count[INLAY_OPERATIONS] = {0};
        for (int s = 0; s < p->steps[i]; s++) {
            const slow_step *step = &p->step[i][s];
            int o = step->kind == SLOW_GET ? INLAY_GET : step->kind == SLOW_PUT ? INLAY_PUT : step->operation;
            count[o] += step->kind == SLOW_COMPUTE ? step->times : 1;
        }
        for (int o = 0; o < INLAY_OPERATIONS; o++)
            ck_assert_double_eq(inlay_profile_count(profile, i, o), count[o]);
        const inlay_app *app = inlay_profile_app(profile);
        ck_assert_double_eq(inlay_app_arithmetic(app, i),
                            count[INLAY_ADD] + count[INLAY_MULTIPLY] + count[INLAY_DIVIDE] + count[INLAY_COMPARE]);
        ck_assert_double_eq(inlay_app_functions(app, i), count[INLAY_SQRT] + count[INLAY_FUNCTION]);
    }
}

static void expect_like(const inlay_profile *profile, const slow_program *p, const slow_profile *slow,
                        const uint64_t *result)
{
    const inlay_app *app = inlay_profile_app(profile);
    int64_t elapsed = 0, values = 0, left = 0;
    ck_assert(inlay_app_has_blocking(app));
    ck_assert_int_eq(inlay_app_modules(app), p->modules);
    for (int i = 0; i < p->modules; i++) {
        ck_assert_uint_eq(result[i], slow->result[i]);
        ck_assert_double_eq(units(app, inlay_app_time(app, i)), (double)slow->work[i]);
        ck_assert_double_eq(units(app, inlay_app_blocking(app, i)), (double)(slow->end[i] - slow->work[i]));
        elapsed = slow->end[i] > elapsed ? slow->end[i] : elapsed;
        for (int j = 0; j < p->modules; j++)
            expect_link(app, p, slow, i, j);
    }
    for (int c = 0; c < p->channels; c++) {
        values += slow->put[c];
        left += slow->put[c] - slow->got[c];
    }
    ck_assert_double_eq(inlay_profile_elapsed(profile), (double)elapsed);
    ck_assert_int_eq(inlay_profile_values(profile), values);
    ck_assert_int_eq(inlay_profile_left(profile), left);
    expect_counts(profile, p);
}

/* The first three that wait, in order, with what they wait for, and how many. */
static void expect_deadlock(const char *message, const slow_program *p, const slow_profile *slow)
{
    char expected[1024];
    int waiting = 0, named = 0;
    for (int i = 0; i < p->modules; i++)
        waiting += !slow->ended[i];
    int used =
        snprintf(expected, sizeof expected, "steps: deadlock: %d of %d modules wait for ever: ", waiting, p->modules);
    for (int i = 0; i < p->modules; i++) {
        if (slow->ended[i] || named == 3) continue;
        const slow_step *s = &p->step[i][slow->waits_at[i]];
        const slow_channel *c = &p->channel[s->channel];
        bool put = s->kind == SLOW_PUT;
        int other = put ? c->to : c->from;
        used +=
            snprintf(expected + used, sizeof expected - (size_t)used, "%s'p%d' waits for %s %d (%s 'p%d', which %s)",
                     named++ == 0 ? "" : ", ", i, put ? "room at output" : "a value at input", put ? c->out : c->in,
                     put ? "to" : "from", other, slow->ended[other] ? "has ended" : "waits too");
    }
    if (waiting > 3) used += snprintf(expected + used, sizeof expected - (size_t)used, ", and %d more", waiting - 3);
    snprintf(expected + used, sizeof expected - (size_t)used, "; expected a put for every get");
    ck_assert_str_eq(message, expected);
}

static const unsigned kinds[KINDS] = {0,
                                      SLOW_CAPACITY,
                                      SLOW_CYCLES,
                                      SLOW_CYCLES | SLOW_CAPACITY,
                                      SLOW_CYCLES | SLOW_CAPACITY | SLOW_FREE_PORTS,
                                      SLOW_MISMATCH,
                                      SLOW_MISMATCH | SLOW_CAPACITY,
                                      SLOW_MISMATCH | SLOW_CYCLES | SLOW_CAPACITY | SLOW_FREE_PORTS};

/* One program in both orders; gives how many links feed back. */
static int64_t compare(const slow_program *p, const slow_profile *slow, int *deadlocks, int *left)
{
    inlay_cost cost[INLAY_OPERATIONS];
    int64_t feedback = 0;
    slow_program_costs(p, cost);
    for (int order = PROFILE_LAST_FIRST; order <= PROFILE_FIRST_FIRST; order++) {
        uint64_t result[STEP_MODULES] = {0};
        inlay_program *program = slow_program_wire(p, result);
        inlay_program_options options = {.cost = cost, .costs = INLAY_OPERATIONS};
        inlay_diag *diag = inlay_diag_new();
        inlay_profile *profile = NULL;
        inlay_diag_keep_warnings(diag, true); /* the public call around this one keeps them otherwise */
        int status = dataflow_profile(program, &options, (profile_order)order, &profile, diag);
        if (slow->deadlock) {
            ck_assert_int_eq(status, INLAY_NO_ANSWER);
            ck_assert_ptr_null(profile);
            expect_deadlock(inlay_diag_message(diag), p, slow);
            (*deadlocks)++;
        } else {
            ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
            expect_like(profile, p, slow, result);
            feedback = expect_precedence(inlay_profile_app(profile), p, slow);
            ck_assert_uint_eq(inlay_diag_warnings(diag), inlay_profile_left(profile) > 0);
            *left += inlay_profile_left(profile) > 0;
        }
        inlay_profile_free(profile);
        inlay_program_free(program);
        inlay_diag_free(diag);
    }
    return feedback;
}

START_TEST(test_like_the_slow_one)
{
    uint64_t state = (uint64_t)_i + 1;
    int deadlocks = 0, left = 0;
    int64_t feedback = 0, values = 0;
    slow_program *p = malloc(sizeof *p);
    slow_profile *slow = malloc(sizeof *slow);
    for (int round = 0; round < ROUNDS; round++) {
        slow_program_draw(&state, kinds[_i], p);
        slow_profile_run(p, slow);
        feedback += compare(p, slow, &deadlocks, &left);
        for (int c = 0; c < p->channels; c++)
            values += slow->got[c];
    }
    ck_assert_int_gt(values, 20 * ROUNDS); /* or little was compared */
    ck_assert_int_gt(left, ROUNDS / 4);
    if (kinds[_i] & SLOW_MISMATCH) ck_assert_int_gt(deadlocks, ROUNDS / 6);
    if (!(kinds[_i] & SLOW_MISMATCH)) ck_assert_int_eq(deadlocks, 0);
    if (kinds[_i] & SLOW_CYCLES) ck_assert_int_gt(feedback, ROUNDS / 4);
    if (!(kinds[_i] & SLOW_CYCLES)) ck_assert_int_eq(feedback, 0);
    free(p);
    free(slow);
}
END_TEST

/* ---- Data ---- */

enum { FED = 5, PUTS = 14, KINDS_OF_VALUE = 4 };

/** What module 0 puts, in this order: values of 0 to 3, on the port that leads to module `to` + 1. */
typedef struct putting {
    int count, value[PUTS], to[PUTS];
    int size; /**< of a value, in bytes */
} putting;

static void put_all(inlay_actor *self, void *state)
{
    const putting *of = state;
    for (int k = 0; k < of->count; k++) {
        char bytes[16] = {(char)(of->value[k] + 1), 0, (char)of->value[k]};
        inlay_put(inlay_output(self, of->to[k]), bytes);
    }
}

static void put_nothing(inlay_actor *self, void *state)
{
    inlay_count(self, INLAY_ADD, 1);
    (void)state;
}

/** How many values went to exactly that set of modules, by bits, each time that a value was put counted once. */
static void count_sets(const putting *of, int64_t sets[1 << FED])
{
    for (int value = 0; value < KINDS_OF_VALUE; value++)
        for (int turn = 1; turn <= PUTS; turn++) {
            unsigned set = 0;
            for (int to = 0; to < FED; to++) {
                int times = 0;
                for (int k = 0; k < of->count; k++)
                    times += of->value[k] == value && of->to[k] == to;
                set |= times >= turn ? 1U << to : 0;
            }
            sets[set]++;
        }
}

static void expect_data(const inlay_app *app, const putting *of, bool named)
{
    int64_t sets[1 << FED] = {0};
    inlay_links out = inlay_app_out(app, 0);
    int data = 0;
    count_sets(of, sets);
    for (unsigned set = 1; set < 1 << FED; set++)
        data += (set & (set - 1)) != 0 && sets[set] > 0;
    ck_assert_int_eq(inlay_app_data(app), named && of->size > 0 ? data : 0);
    for (inlay_id d = 0; d < inlay_app_data(app); d++) {
        inlay_datum datum = inlay_app_datum(app, d);
        unsigned set = 0;
        for (int64_t k = 0; k < datum.consumers; k++)
            set |= 1U << (datum.consumer[k] - 1);
        ck_assert_int_eq(datum.producer, 0);
        ck_assert_int_eq(datum.messages, sets[set]);
        ck_assert_int_eq(datum.bytes, sets[set] * of->size);
    }
    for (int64_t l = 0; inlay_app_data(app) > 0 && l < out.count; l++) {
        int64_t own = sets[1U << (out.module[l] - 1)];
        ck_assert_int_eq(out.own_messages[l], own > 0 ? own : -1);
        ck_assert_int_eq(out.own_bytes[l], own * of->size);
    }
}

START_TEST(test_data)
{
    int data = 0;
    for (int round = 0; round < 5 * ROUNDS; round++) {
        uint64_t state = (uint64_t)round;
        putting of = {.count = (int)random_below(&state, PUTS + 1), .size = round % 7 == 0 ? 0 : 3 + round % 9};
        inlay_program *program = inlay_program_new("data");
        inlay_program_options options = {.data = round % 5 > 0};
        inlay_profile *profile = NULL;
        for (int k = 0; k < of.count; k++) {
            of.value[k] = (int)random_below(&state, KINDS_OF_VALUE);
            of.to[k] = (int)random_below(&state, FED);
        }
        inlay_program_module(program, "from", put_all, &of, sizeof of, NULL);
        for (int to = 0; to < FED; to++) {
            char name[] = {'t', (char)('0' + to), 0};
            inlay_program_module(program, name, put_nothing, NULL, 0, NULL);
            inlay_program_wire(program, 0, to, to + 1, 0, (size_t)of.size, 0, NULL);
        }
        ck_assert_int_eq(inlay_program_profile(program, &options, &profile, NULL), INLAY_OK);
        expect_data(inlay_profile_app(profile), &of, options.data);
        data += inlay_app_data(inlay_profile_app(profile));
        inlay_profile_free(profile);
        inlay_program_free(program);
    }
    ck_assert_int_gt(data, ROUNDS);
}
END_TEST

Suite *suite_dataflow(void)
{
    Suite *suite = suite_create("dataflow");
    TCase *tests = tcase_create("dataflow");
    tcase_add_loop_test(tests, test_like_the_slow_one, 0, KINDS);
    tcase_add_test(tests, test_data);
    suite_add_tcase(suite, tests);
    return suite;
}

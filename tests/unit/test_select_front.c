/* The front of time, price and more against all configurations, worked out by the slow evaluation. */
#include "general_subject.h"
#include "random_app.h"
#include "slow_general.h"
#include "unit.h"

#include <inlay/select.h>
#include <math.h>

enum { MEASURES = 3, MOST_CONFIGURATIONS = 5000 };

typedef struct front_subject {
    general_subject of;
    bool priced;
    inlay_select_beside beside;
    double value[MOST_CONFIGURATIONS][MEASURES];
    int count;
} front_subject;

/* Time; price, or processors; and energy, or processors times time. */
static void measure(const front_subject *s, const int32_t *processors, double value[MEASURES])
{
    const general_subject *of = &s->of;
    slow_general cost = slow_general_cost(&of->domain, &of->metasystem, &of->terms, processors);
    double price = 0, power = 0, all = 0;
    for (size_t i = 0; i < of->metasystem.clusters; i++) {
        price += processors[i] * of->cluster[i].price;
        power += processors[i] * of->cluster[i].power;
        all += processors[i];
    }
    value[0] = (double)cost.elapsed;
    value[1] = s->priced ? price * value[0] : all;
    value[2] = s->beside == INLAY_SELECT_NOTHING ? 0 : value[0] * (s->beside == INLAY_SELECT_ENERGY ? power : all);
}

static void measure_all(front_subject *s)
{
    const general_subject *of = &s->of;
    int32_t now[GENERAL_CLUSTERS] = {0};
    s->count = 0;
    for (size_t i = 0; i < of->metasystem.clusters;) {
        bool usable = slow_general_usable(&of->domain, &of->metasystem, &of->terms, (int)i);
        if (usable && now[i] < of->cluster[i].available) {
            now[i]++;
            i = 0;
            ck_assert_int_lt(s->count, MOST_CONFIGURATIONS);
            measure(s, now, s->value[s->count++]);
        } else {
            now[i++] = 0;
        }
    }
}

static bool is_no_worse(const double *a, const double *b, double rounding)
{
    bool good = true;
    for (int i = 0; i < MEASURES; i++) {
        good = good && a[i] <= b[i] * (1 + rounding);
    }
    return good;
}

/* Each configuration is met by one of the front, and none of the front is beaten. */
static void expect_front(const front_subject *s, const inlay_selection *front, int seed)
{
    size_t count = inlay_selection_count(front);
    for (int n = 0; n < s->count; n++) {
        bool met = false;
        for (size_t i = 0; i < count && !met; i++) {
            double value[MEASURES];
            measure(s, inlay_selection_at(front, i)->processors, value);
            met = is_no_worse(value, s->value[n], 1e-9);
        }
        ck_assert_msg(met, "subject %d: configuration %d is better than all of the front", seed, n);
    }
    for (size_t i = 0; i < count; i++) {
        const inlay_configuration *c = inlay_selection_at(front, i);
        double value[MEASURES];
        measure(s, c->processors, value);
        ck_assert_double_le(fabs(value[0] - c->t_elapsed), 1e-9 * value[0]);
        ck_assert(i == 0 || inlay_selection_at(front, i - 1)->t_elapsed <= c->t_elapsed);
        for (int n = 0; n < s->count; n++) {
            ck_assert_msg(!is_no_worse(s->value[n], value, -1e-9), "subject %d: row %zu of the front is beaten", seed,
                          i);
        }
    }
}

START_TEST(front_is_all)
{
    static front_subject s;
    uint64_t state = 97 + (uint64_t)_i;
    for (int n = 0; n < 200; n++) {
        inlay_selection *front = NULL;
        inlay_diag *diag = inlay_diag_new();
        const inlay_select_options options = {.method = n % 8 == 0 ? INLAY_SELECT_EXHAUSTIVE : INLAY_SELECT_EXACT};
        general_random(&state, 4, 10, &s.of);
        s.priced = random_below(&state, 4) != 0;
        s.beside = (inlay_select_beside)random_below(&state, 3);
        bool some = false;
        for (size_t i = 0; i < s.of.metasystem.clusters; i++) {
            s.of.cluster[i].price = s.priced ? (double)random_below(&state, 5) : 0;
            s.of.cluster[i].power = (double)random_below(&state, 50);
            some = some || s.of.cluster[i].price > 0;
        }
        s.priced = some;
        measure_all(&s);
        int status = inlay_select_front(&s.of.domain, &s.of.metasystem, &s.of.terms, &options, s.beside, &front, diag);
        ck_assert_msg(status == INLAY_OK, "subject %d: %s", n, inlay_diag_message(diag));
        ck_assert_msg(inlay_selection_optimal(front), "subject %d: no proof", n);
        expect_front(&s, front, n);
        inlay_selection_free(front);
        inlay_diag_free(diag);
    }
}
END_TEST

START_TEST(methods_without_a_front)
{
    general_subject s;
    uint64_t state = 5;
    inlay_selection *front = NULL;
    inlay_diag *diag = inlay_diag_new();
    const inlay_select_options options = {.method = INLAY_SELECT_H2};
    general_random(&state, 3, 6, &s);
    ck_assert_int_eq(
        inlay_select_front(&s.domain, &s.metasystem, &s.terms, &options, INLAY_SELECT_NOTHING, &front, diag),
        INLAY_BAD_ARGUMENT);
    ck_assert_ptr_null(front);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_select_front(void)
{
    Suite *suite = suite_create("select_front");
    TCase *test = tcase_create("select_front");
    tcase_add_loop_test(test, front_is_all, 0, 5);
    tcase_add_test(test, methods_without_a_front);
    suite_add_tcase(suite, test);
    return suite;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* Ranks of MPI programs, placed: the time is that of the slow simulator, every module where its rank is. */
#include "random_app.h"
#include "slow_run.h"
#include "starve.h"
#include "unit.h"
#include <inlay/inlay.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 60, RANKS = 3, MOST_MODULES = 22 };

typedef struct subject {
    inlay_app *app;
    inlay_machine *machine;
    inlay_id place[RANKS];
} subject;

static inlay_app *read(const char *text)
{
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_read_memory(text, strlen(text), "r.dot", "dot", &app, NULL), INLAY_OK);
    return app;
}

/* Of every seventh seed a module has no rank. */
static subject subject_of(uint64_t seed)
{
    enum { TEXT = 8000 };
    subject s = {.app = NULL};
    uint64_t state = seed;
    char text[TEXT];
    int modules = 2 + (int)random_below(&state, 20);
    size_t at = (size_t)snprintf(text, TEXT, "digraph r { graph [time_unit=s];");
    for (int i = 0; i < modules; i++) {
        at += (size_t)snprintf(text + at, TEXT - at, " m%d [time=%d", i, 1 + (int)random_below(&state, 20));
        if (seed % 7 != 0 || i > 0)
            at += (size_t)snprintf(text + at, TEXT - at, ", pin=%d", (int)random_below(&state, RANKS));
        at += (size_t)snprintf(text + at, TEXT - at, "];");
        for (int j = 0; j < i; j++)
            if (random_once_in(&state, 4))
                at += (size_t)snprintf(text + at, TEXT - at, " m%d -> m%d [messages=%d];", j, i,
                                       1 + (int)random_below(&state, 9));
    }
    snprintf(text + at, TEXT - at, " }");
    s.app = read(text);
    ck_assert_int_eq(inlay_machine_parse("bus:4,capacity=1msg/s", &s.machine, NULL), INLAY_OK);
    for (int r = 0; r < RANKS; r++)
        s.place[r] = (inlay_id)random_below(&state, 4);
    return s;
}

static void clear(subject *s)
{
    inlay_machine_free(s->machine);
    inlay_app_free(s->app);
}

static bool has_ranks(const inlay_app *app)
{
    for (inlay_id i = 0; i < inlay_app_modules(app); i++)
        if (inlay_app_pin(app, i) < 0) return false;
    return true;
}

/* As a rule says it, without the pins' help. */
static double slowly(const subject *s, slow_run *slow)
{
    inlay_id places[MOST_MODULES];
    inlay_mapping *mapping = NULL;
    for (inlay_id i = 0; i < inlay_app_modules(s->app); i++)
        places[i] = s->place[inlay_app_pin(s->app, i)];
    ck_assert_int_eq(inlay_evaluate(s->app, s->machine, places, NULL, &mapping, NULL), INLAY_OK);
    slow_simulate(mapping, &(inlay_simulation_options){.seed = 0}, slow);
    inlay_mapping_free(mapping);
    return slow->elapsed * inlay_unit_seconds(inlay_app_unit(s->app));
}

START_TEST(every_rank_in_its_place)
{
    slow_run *slow = malloc(sizeof *slow);
    int timed = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        subject s = subject_of(seed);
        double seconds = -1;
        inlay_diag *diag = inlay_diag_new();
        int status = inlay_ranks_time(s.app, s.machine, s.place, RANKS, &seconds, diag);
        ck_assert_int_eq(status, has_ranks(s.app) ? INLAY_OK : INLAY_BAD_INPUT);
        ck_assert_uint_eq(inlay_diag_warnings(diag), 0); /* none of pins */
        if (status == INLAY_OK) {
            double expected = slowly(&s, slow);
            ck_assert_double_eq_tol(seconds, expected, 1e-9 * expected);
            timed++;
        } else {
            ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "of no rank below 3"));
        }
        inlay_diag_free(diag);
        clear(&s);
    }
    ck_assert_int_eq(timed, SEEDS - SEEDS / 7);
    free(slow);
}
END_TEST

static int time_again(const void *context)
{
    const subject *s = context;
    double seconds;
    return inlay_ranks_time(s->app, s->machine, s->place, RANKS, &seconds, NULL);
}

START_TEST(out_of_memory)
{
    subject s = subject_of(1);
    starve(time_again, &s, 10);
    double seconds;
    ck_assert_int_eq(inlay_ranks_time(s.app, s.machine, s.place, 0, &seconds, NULL), INLAY_BAD_INPUT);
    clear(&s);
}
END_TEST

START_TEST(which_are_ranks)
{
    static const struct {
        const char *names[3];
        bool ranks;
    } cases[] = {{{"rank.0", "rank.1", "rank.2"}, true},
                 {{"rank.0", NULL}, true},
                 {{"rank.1", "rank.0", NULL}, false},
                 {{"rank.0", "rank.01", NULL}, false},
                 {{"a", NULL}, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[200] = "digraph r { graph [time_unit=s];";
        for (int i = 0; i < 3 && cases[k].names[i] != NULL; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), " \"%s\" [time=1];", cases[k].names[i]);
        snprintf(text + strlen(text), sizeof text - strlen(text), " }");
        inlay_app *app = read(text);
        ck_assert_int_eq(inlay_app_is_ranks(app), cases[k].ranks);
        inlay_app_free(app);
    }
}
END_TEST

Suite *suite_capture_ranks(void)
{
    Suite *suite = suite_create("capture_ranks");
    TCase *all = tcase_create("all");
    tcase_add_test(all, every_rank_in_its_place);
    tcase_add_test(all, out_of_memory);
    tcase_add_test(all, which_are_ranks);
    suite_add_tcase(suite, all);
    return suite;
}

/* Dataflow graphs: repetition vectors, deadlocks, firings and least periods, against executions token by token. */
#include "random_app.h"
#include "slow_sdf.h"
#include "starve.h"
#include "unit.h"
#include <glob.h>
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANDOM_ROUNDS = 400, MOST_ACTORS = 5, MOST_PHASES = 3, MOST_CYCLES = 4 };

/* ---- Random graphs ---- */

typedef struct drawn {
    inlay_sdf *sdf;
    int actors, cycles[MOST_ACTORS], phases[MOST_ACTORS];
} drawn;

/* A sum shared out among phases. */
static void draw_rates(uint64_t *state, int64_t sum, int phases, int64_t *rate)
{
    memset(rate, 0, MOST_PHASES * sizeof *rate);
    for (int64_t i = 0; i < sum; i++) {
        rate[random_below(state, phases)]++;
    }
}

static int64_t divisor_of(int64_t a, int64_t b)
{
    return b == 0 ? a : divisor_of(b, a % b);
}

static void draw_channel(uint64_t *state, const drawn *d, int from, int to, int64_t most_tokens)
{
    int64_t put[MOST_PHASES], taken[MOST_PHASES];
    int64_t factor = 1 + random_below(state, 2), common = divisor_of(d->cycles[from], d->cycles[to]);
    draw_rates(state, factor * d->cycles[to] / common, d->phases[from], put);
    draw_rates(state, factor * d->cycles[from] / common, d->phases[to], taken);
    const inlay_sdf_channel channel = {.name = "c",
                                       .from = from,
                                       .to = to,
                                       .produced = put,
                                       .consumed = taken,
                                       .tokens = random_below(state, most_tokens + 1),
                                       .token_bits = random_below(state, 20)};
    ck_assert_int_eq(inlay_sdf_add_channel(d->sdf, &channel, NULL), INLAY_OK);
}

/* Firings of one actor that differ in time do so one after the other, so that they end in the order of their tokens. */
static void draw_actor(uint64_t *state, drawn *d, int actor)
{
    inlay_decimal time[MOST_PHASES];
    char name[8];
    d->phases[actor] = (int)(random_once_in(state, 2) ? 1 : 1 + random_below(state, MOST_PHASES));
    d->cycles[actor] = (int)(1 + random_below(state, MOST_CYCLES));
    for (int p = 0; p < MOST_PHASES; p++) {
        time[p] = (inlay_decimal){random_below(state, 9), 0};
    }
    snprintf(name, sizeof name, "a%d", actor);
    ck_assert_int_eq(inlay_sdf_add_actor(d->sdf, name, d->phases[actor], NULL), INLAY_OK);
    ck_assert_int_eq(inlay_sdf_set_times(d->sdf, actor, NULL, time, NULL), INLAY_OK);
    if (d->phases[actor] > 1 || random_once_in(state, 2)) {
        const int64_t one[MOST_PHASES] = {1, 1, 1};
        int64_t at_once = d->phases[actor] > 1 ? 1 : 1 + random_below(state, 2);
        const inlay_sdf_channel self = {"self", actor, actor, one, one, at_once, 0, NULL, 0};
        ck_assert_int_eq(inlay_sdf_add_channel(d->sdf, &self, NULL), INLAY_OK);
    }
}

static drawn draw(uint64_t *state)
{
    drawn d = {.sdf = inlay_sdf_new("drawn", INLAY_UNIT_TICK), .actors = (int)(1 + random_below(state, MOST_ACTORS))};
    int64_t channels = random_below(state, 7);
    for (int a = 0; a < d.actors; a++) {
        draw_actor(state, &d, a);
    }
    for (int64_t c = 0; c < channels; c++) {
        int from = (int)random_below(state, d.actors), to = (int)random_below(state, d.actors);
        draw_channel(state, &d, from, to, from < to ? 4 : 24);
    }
    return d;
}

/* ---- Firings as modules ---- */

static inlay_id module_of(const inlay_sdf *sdf, int32_t iterations, inlay_id actor, int64_t firing)
{
    int64_t each = inlay_sdf_repetitions(sdf, actor), at = firing / each * inlay_sdf_firings(sdf) + firing % each;
    for (inlay_id a = 0; a < actor; a++) {
        at += inlay_sdf_repetitions(sdf, a);
    }
    ck_assert_int_lt(at, iterations * inlay_sdf_firings(sdf));
    return (inlay_id)at;
}

static int64_t link_at(const inlay_app *app, inlay_id from, inlay_id to, int64_t *messages)
{
    inlay_links out = inlay_app_out(app, from);
    for (int64_t l = 0; l < out.count; l++) {
        if (out.module[l] == to) {
            *messages = out.messages[l];
            return out.bytes[l];
        }
    }
    *messages = 0;
    return 0;
}

static void check_pair(const inlay_sdf *sdf, const inlay_app *app, int32_t iterations, inlay_id from, inlay_id to)
{
    for (int64_t f = 0; f < iterations * inlay_sdf_repetitions(sdf, from); f++) {
        for (int64_t t = 0; t < iterations * inlay_sdf_repetitions(sdf, to); t++) {
            int64_t messages = 0, bytes = 0, found;
            for (int64_t c = 0; c < inlay_sdf_channels(sdf); c++) {
                inlay_sdf_channel channel = inlay_sdf_channel_at(sdf, c);
                int64_t tokens = channel.from == from && channel.to == to ? slow_sdf_tokens(sdf, c, f, t) : 0;
                messages += tokens > 0;
                bytes += (tokens * channel.token_bits + 7) / 8;
            }
            int64_t has = link_at(app, module_of(sdf, iterations, from, f), module_of(sdf, iterations, to, t), &found);
            ck_assert_int_eq(found, messages);
            ck_assert_int_eq(has, bytes);
        }
    }
}

static void check_app(inlay_sdf *sdf, int32_t iterations)
{
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_sdf_app(sdf, iterations, &app, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_modules(app), iterations * inlay_sdf_firings(sdf));
    ck_assert_ptr_eq(inlay_app_sdf(app), sdf);
    ck_assert_int_eq(inlay_app_iterations(app), iterations);
    for (inlay_id a = 0; a < inlay_sdf_actors(sdf); a++) {
        for (inlay_id b = 0; b < inlay_sdf_actors(sdf); b++) {
            check_pair(sdf, app, iterations, a, b);
        }
        for (int64_t f = 0; f < iterations * inlay_sdf_repetitions(sdf, a); f++) {
            inlay_id module = module_of(sdf, iterations, a, f);
            int32_t phase = (int32_t)(f % inlay_sdf_phases(sdf, a));
            ck_assert_str_eq(inlay_app_module_kind(app, module), inlay_sdf_actor_name(sdf, a));
            ck_assert_double_eq(inlay_app_in_units(app, inlay_app_time(app, module)),
                                inlay_decimal_double(inlay_sdf_time(sdf, a, phase)));
        }
    }
    inlay_app_free(app);
}

/* ---- Tests ---- */

static void check_period(const inlay_sdf *sdf, const char *what)
{
    int64_t numerator = 0, denominator = 0;
    bool bounded = slow_sdf_period(sdf, &numerator, &denominator);
    inlay_sdf_period period = inlay_sdf_least_period(sdf);
    ck_assert_msg(period.bounded == bounded, "%s: bounded", what);
    if (bounded) {
        ck_assert_msg(period.numerator == numerator && period.denominator == denominator,
                      "%s: %lld/%lld, executed %lld/%lld", what, (long long)period.numerator,
                      (long long)period.denominator, (long long)numerator, (long long)denominator);
        ck_assert_int_gt(period.actors, 0);
    }
}

START_TEST(random_graphs)
{
    uint64_t state = (uint64_t)_i;
    drawn d = draw(&state);
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_sdf_seal(d.sdf, "drawn.xml", diag);
    bool live = slow_sdf_is_live(d.sdf); /* the repetition vector is there already */
    ck_assert(slow_sdf_balances(d.sdf));
    ck_assert_msg(status == (live ? INLAY_OK : INLAY_BAD_INPUT), "%s", inlay_diag_message(diag));
    if (live) {
        check_period(d.sdf, "drawn");
        check_app(d.sdf, 1);
        check_app(d.sdf, 3);
    } else {
        ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "deadlock: firings wait for each other"));
    }
    inlay_diag_free(diag);
    inlay_sdf_free(d.sdf);
}
END_TEST

/* The examples that come with SDF3 and others: an iteration returns all tokens, and takes the time that running it takes. */
START_TEST(real_graphs)
{
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    char pattern[512];
    glob_t files;
    snprintf(pattern, sizeof pattern, "%s/sdf3/*.xml", unit_data());
    ck_assert_int_eq(glob(pattern, 0, NULL, &files), 0);
    int graphs = 0;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        inlay_app *app = NULL;
        inlay_diag *diag = inlay_diag_new();
        int status = inlay_app_read(files.gl_pathv[i], NULL, &app, diag);
        if (status == INLAY_OK) {
            const inlay_sdf *sdf = inlay_app_sdf(app);
            ck_assert_msg(slow_sdf_balances(sdf), "%s", files.gl_pathv[i]);
            ck_assert_msg(slow_sdf_is_live(sdf), "%s", files.gl_pathv[i]);
            check_period(sdf, files.gl_pathv[i]);
            graphs++;
        } else {
            ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "'sadf' (scenario-aware dataflow)"));
        }
        inlay_app_free(app);
        inlay_diag_free(diag);
    }
    ck_assert_int_ge(graphs, 9);
    globfree(&files);
}
END_TEST

static inlay_sdf *pair(int64_t put, int64_t taken, int64_t tokens)
{
    inlay_sdf *sdf = inlay_sdf_new("pair", INLAY_UNIT_TICK);
    const inlay_sdf_channel there = {"there", 0, 1, &put, &taken, 0, 0, NULL, 3};
    const inlay_sdf_channel back = {"back", 1, 0, &taken, &put, tokens, 0, NULL, 4};
    ck_assert_int_eq(inlay_sdf_add_actor(sdf, "a", 1, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_sdf_add_actor(sdf, "b", 1, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_sdf_add_channel(sdf, &there, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_sdf_add_channel(sdf, &back, NULL), INLAY_OK);
    return sdf;
}

static void expect_refused(inlay_sdf *sdf, int status, const char *message)
{
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_sdf_seal(sdf, "in.xml", diag), status);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    inlay_diag_free(diag);
    inlay_sdf_free(sdf);
}

START_TEST(refused)
{
    const int64_t one = 1, two = 2, odd = 1000003, even = 1000000;
    expect_refused(pair(1, 1, 0), INLAY_BAD_INPUT,
                   "in.xml:4: deadlock: firings wait for each other ('a' for 'b' by 'back', 'b' for 'a' by 'there'); "
                   "expected tokens in a channel of every circle");
    inlay_sdf *sdf = pair(1, 1, 1);
    const inlay_sdf_channel wrong = {"wrong", 0, 1, &one, &two, 0, 0, NULL, 5};
    ck_assert_int_eq(inlay_sdf_add_channel(sdf, &wrong, NULL), INLAY_OK);
    expect_refused(sdf, INLAY_BAD_INPUT,
                   "in.xml:5: channel 'wrong': 'a' puts 1 tokens where 'b' takes 2; expected rates that agree over an "
                   "iteration");
    sdf = pair(odd, even, 0);
    const int64_t million = even;
    const inlay_sdf_channel more = {"more", 1, 2, &odd, &million, 0, 0, NULL, 5};
    ck_assert_int_eq(inlay_sdf_add_actor(sdf, "c", 1, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_sdf_add_channel(sdf, &more, NULL), INLAY_OK);
    expect_refused(
        sdf, INLAY_BAD_INPUT,
        "in.xml: an iteration of dataflow graph 'pair' has more than 4194304 firings; expected at most so many");
    expect_refused(inlay_sdf_new("none", INLAY_UNIT_TICK), INLAY_BAD_INPUT, "in.xml: no actors; expected at least one");
}
END_TEST

/* ---- Without memory ---- */

static int try_read(const void *subject)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    const inlay_reading how = {.graph = strstr(subject, ".tgff") != NULL ? "1" : NULL};
    int status = diag == NULL ? INLAY_NO_MEMORY : inlay_app_read_as(subject, &how, &app, diag);
    inlay_app_free(app);
    inlay_diag_free(diag);
    return status;
}

static int try_machine(const void *subject)
{
    inlay_machine *machine = NULL;
    int status = inlay_machine_read(subject, &machine, NULL);
    inlay_machine_free(machine);
    return status;
}

START_TEST(starved_readers)
{
    starve(try_read, "graphs/equalizer.sdf3.xml", 60);
    starve(try_read, "docs/examples/camera.tgff", 60);
    starve(try_read, "docs/examples/preesm/edges.scenario", 60);
    starve(try_machine, "docs/examples/preesm/quad.slam", 30);
}
END_TEST

Suite *suite_sdf(void)
{
    Suite *suite = suite_create("sdf");
    TCase *tests = tcase_create("sdf");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, random_graphs, 0, RANDOM_ROUNDS);
    tcase_add_test(tests, real_graphs);
    tcase_add_test(tests, refused);
    tcase_add_test(tests, starved_readers);
    suite_add_tcase(suite, tests);
    return suite;
}

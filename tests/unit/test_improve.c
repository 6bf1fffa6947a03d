/*
 * Local search on schedules: one schedule after another is judged as inlay_simulate() judges it; a schedule that is being
 * changed stays one that can be run, with the times that were promised; what comes out is no worse than what went in,
 * takes what the slow simulator says, does not depend on threads, and is the optimum of small graphs.
 */
#include "check_subject.h"
#include "mapping/mapping.h"
#include "optimum.h"
#include "problem/order.h"
#include "random_app.h"
#include "search/draft.h"
#include "simulate/rerun.h"
#include "slow_run.h"
#include "starve.h"
#include "unit.h"
#include <inlay/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 40, SCHEDULES = 6, MOVES = 60, TEXT = 400, MOST_MODULES = 24, SEED = 3 };

/* @ stands for the application's unit. On the last no message has to wait for another. */
static const char *const machines[] = {
    "bus:3,capacity=1msg/@,latency=1@",
    "multibus:4,memories=2,buses=2,capacity=2msg/@",
    "mesh:3x1,capacity=1msg/@",
    "star:4,cores=2,capacity=2msg/@,latency=1@",
    "omega-pe:4,switch=2,packets=2,cycle=1@",
    "graph m { graph [network=links]; a; b [speed=2]; c [speed=0.5]; edge [capacity=\"1msg/@\"]; a -- b -- c; }",
    "graph m { graph [network=links]; a; b [speed=2]; c; edge [capacity=\"1B/@\", parallel=true]; a -- b -- c; }",
};

enum { MACHINES = sizeof machines / sizeof *machines };

static inlay_machine *make_machine(const inlay_app *app, const char *form)
{
    char text[TEXT];
    size_t taken = 0;
    inlay_machine *machine = NULL;
    for (const char *c = form; *c != '\0'; c++)
        taken += (size_t)snprintf(text + taken, TEXT - taken, "%.*s", *c == '@' ? 4 : 1,
                                  *c == '@' ? inlay_unit_name(inlay_app_unit(app)) : c);
    int status = text[0] == 'g' ? inlay_machine_read_memory(text, strlen(text), "m.dot", "dot", &machine, NULL)
                                : inlay_machine_parse(text, &machine, NULL);
    ck_assert_msg(status == INLAY_OK, "%s", text);
    return machine;
}

typedef struct subject {
    inlay_app *app;
    inlay_machine *machine;
    problem p;
    rerun again;
    inlay_id places;
    inlay_id processor_of[MOST_MODULES], order[MOST_MODULES];
} subject;

static void set_up(subject *s, int seed, unsigned features, inlay_contention contention, uint64_t *state)
{
    const inlay_simulation_options options = {.threads = 1, .contention = contention};
    random_times times;
    *state = (uint64_t)seed * 77;
    s->app = random_app(state, 2 + (inlay_id)random_below(state, MOST_MODULES - 2), features, &times);
    s->machine = make_machine(s->app, machines[seed % MACHINES]);
    s->places = inlay_machine_processors(s->machine);
    ck_assert_int_eq(problem_make(s->app, s->machine, &(inlay_options){0}, &s->p, NULL), INLAY_OK);
    ck_assert_int_eq(rerun_make(&s->p, s->places, &options, &s->again, NULL), INLAY_OK);
}

static void tear_down(subject *s)
{
    rerun_clear(&s->again);
    problem_clear(&s->p);
    inlay_machine_free(s->machine);
    inlay_app_free(s->app);
}

static void draw_schedule(subject *s, uint64_t *state)
{
    random_topological(state, s->app, s->order);
    for (inlay_id i = 0; i < s->p.modules; i++)
        s->processor_of[i] = (inlay_id)random_below(state, s->places);
}

static inlay_mapping *scheduled(const subject *s)
{
    inlay_id processor[MOST_MODULES];
    inlay_mapping *mapping = NULL;
    for (inlay_id k = 0; k < s->p.modules; k++)
        processor[k] = s->processor_of[s->order[k]];
    const inlay_task_schedule schedule = {s->p.modules, (inlay_id *)s->order, processor, true, NULL};
    ck_assert_int_eq(inlay_evaluate_schedule(s->app, s->machine, &schedule, &(inlay_options){0}, &mapping, NULL),
                     INLAY_OK);
    return mapping;
}

/** By a mapping of its own, in grains. */
static double simulated(const subject *s)
{
    inlay_mapping *mapping = scheduled(s);
    double elapsed = 0;
    ck_assert_int_eq(optimum_elapsed(mapping, &elapsed), INLAY_OK);
    inlay_mapping_free(mapping);
    return elapsed;
}

START_TEST(judges_as_a_simulation_does)
{
    unsigned features = RANDOM_EVERYTHING & ~(unsigned)(RANDOM_BLOCKS | RANDOM_PINS);
    int given_up = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        subject s = {0};
        uint64_t state;
        unsigned some = ((unsigned)seed * 2654435761U >> 16 & features) | (seed % 3 == 0 ? RANDOM_DATA : 0);
        set_up(&s, seed, some, INLAY_CONTENTION_QUEUES, &state);
        double zero[MOST_MODULES] = {0}, elapsed, unit = pow(10, s.p.app->decimals);
        for (int k = 0; k < SCHEDULES; k++) {
            draw_schedule(&s, &state);
            double expected = simulated(&s);
            ck_assert_int_eq(rerun_schedule(&s.again, s.processor_of, s.order, NULL, INFINITY, &elapsed), INLAY_OK);
            ck_assert_msg(elapsed / unit == expected, "seed %d, schedule %d: %.17g, by a mapping %.17g", seed, k,
                          elapsed / unit, expected);
            double limit = elapsed * (double)random_below(&state, 10) / 8, within;
            ck_assert_int_eq(rerun_schedule(&s.again, s.processor_of, s.order, zero, limit, &within), INLAY_OK);
            ck_assert(within == elapsed || (isinf(within) && elapsed > limit));
            given_up += isinf(within);
        }
        tear_down(&s);
    }
    ck_assert_int_gt(given_up, SEEDS);
}
END_TEST

/** Every module once, behind its predecessors and behind what is before it on its processor. */
static void order_holds(const draft *d, int seed)
{
    const terms *t = d->t;
    for (inlay_id k = 0; k < t->modules; k++) {
        inlay_id i = d->order[k];
        ck_assert_int_eq(d->at[i], k);
        ck_assert_int_eq(d->mark[i], 0);
        ck_assert_msg(d->before[i] < 0 || d->at[d->before[i]] < k, "seed %d: module %d", seed, i);
        for (int64_t e = t->in_begin[i]; e < t->in_begin[i + 1]; e++)
            ck_assert_msg(d->at[t->in[e].other] < k, "seed %d: module %d", seed, i);
    }
}

/** Takes some modules out and puts them back; whether the promise of the last seat was to be kept. */
static bool move(draft *d, uint64_t *state, seat *promised)
{
    inlay_id n = d->t->modules, from = n, until = -1, out[3];
    int outs = 1 + (int)random_below(state, 3);
    const seat none = {.place = -1};
    for (int k = 0; k < outs; k++) {
        do
            out[k] = (inlay_id)random_below(state, n);
        while (n > outs && d->place_of[out[k]] < 0);
        if (d->place_of[out[k]] < 0) return false;
        from = d->at[out[k]] < from ? d->at[out[k]] : from;
        until = d->at[out[k]] > until ? d->at[out[k]] : until;
        draft_take_out(d, out[k]);
    }
    for (int k = 0; k < outs; k++) {
        draft_times(d, from, until);
        if (!draft_seat(d, out[k], &none, k == 0 ? 20000 : 0, state, promised)) return false;
        if (!draft_put(d, out[k], promised, &from, &until)) return false;
    }
    draft_times(d, from, until);
    return true;
}

static void keeps_its_promises(int seed, int *exact, int *moves)
{
    unsigned features = RANDOM_EVERYTHING & ~(unsigned)(RANDOM_BLOCKS | RANDOM_PINS | RANDOM_MEMORY);
    subject s = {0};
    terms t;
    memory_pool pool = {0};
    draft d, kept;
    uint64_t state;
    set_up(&s, seed, seed % 2 == 0 ? RANDOM_DATA : features, (inlay_contention)(seed / 2 % 3), &state);
    ck_assert_int_eq(terms_make(&s.p, &s.again.plan, s.places, &t), INLAY_OK);
    draft_make(&t, &pool, &d);
    draft_make(&t, &pool, &kept);
    draw_schedule(&s, &state);
    draft_set(&d, s.processor_of, s.order);
    for (int k = 0; k < MOVES; k++) {
        seat promised;
        double elapsed;
        draft_copy(&d, &kept);
        if (!move(&d, &state, &promised)) {
            draft_copy(&kept, &d);
            continue;
        }
        ++*moves;
        order_holds(&d, seed);
        ck_assert_msg(fabs(d.elapsed - promised.elapsed) <= 1e-9 * d.elapsed, "seed %d, move %d: %.17g, not %.17g",
                      seed, k, d.elapsed, promised.elapsed);
        ck_assert(d.elapsed >= t.least * (1 - 1e-9));
        ck_assert_int_eq(rerun_schedule(&s.again, d.place_of, d.order, NULL, INFINITY, &elapsed), INLAY_OK);
        ck_assert(isfinite(elapsed));
        if (t.exact) {
            ++*exact;
            ck_assert_msg(fabs(d.elapsed - elapsed) <= 1e-9 * elapsed, "seed %d, move %d: %.17g, simulated %.17g", seed,
                          k, d.elapsed, elapsed);
        }
    }
    pool_clear(&pool);
    terms_clear(&t);
    tear_down(&s);
}

START_TEST(changes_keep_their_promises)
{
    int exact = 0, moves = 0;
    for (int seed = 1; seed <= SEEDS; seed++)
        keeps_its_promises(seed, &exact, &moves);
    ck_assert_int_gt(exact, MOVES);
    ck_assert_int_gt(moves, SEEDS * MOVES / 2);
}
END_TEST

static inlay_mapping *best(const inlay_app *app, const inlay_machine *machine, int64_t evaluations, inlay_id threads)
{
    const inlay_options options = {
        .method = inlay_method_named("best"), .effort.evaluations = evaluations, .threads = threads, .seed = SEED};
    inlay_mapping *mapping = NULL;
    return inlay_map(app, machine, &options, &mapping, NULL) == INLAY_OK ? mapping : NULL;
}

static void same_schedule(const inlay_mapping *a, const inlay_mapping *b, int seed)
{
    const inlay_winner *x = &inlay_mapping_summary(a)->winner, *y = &inlay_mapping_summary(b)->winner;
    ck_assert_str_eq(x->method, y->method);
    ck_assert_int_eq(x->evaluations, y->evaluations);
    ck_assert_int_eq(inlay_mapping_summary(a)->clusters, inlay_mapping_summary(b)->clusters);
    for (inlay_id c = 0; c < inlay_mapping_summary(a)->clusters; c++) {
        inlay_cluster_info one = inlay_mapping_cluster(a, c), other = inlay_mapping_cluster(b, c);
        ck_assert_int_eq(one.processor, other.processor);
        ck_assert_int_eq(one.modules, other.modules);
        ck_assert_msg(memcmp(one.module, other.module, (size_t)one.modules * sizeof *one.module) == 0, "seed %d", seed);
    }
}

static double elapsed_of(const inlay_mapping *mapping)
{
    return inlay_mapping_summary(mapping)->elapsed;
}

/** Whether it is shorter than before. */
static bool is_no_worse(const inlay_app *app, const inlay_machine *machine, slow_run *slow, int seed)
{
    const inlay_simulation_options options = {.seed = SEED};
    inlay_mapping *before = best(app, machine, -1, 1), *one = best(app, machine, 3000, 1);
    inlay_mapping *four = best(app, machine, 3000, 4);
    bool shorter = false;
    ck_assert_msg(!before == !one && !before == !four, "seed %d", seed);
    if (before) {
        const inlay_winner *w = &inlay_mapping_summary(one)->winner;
        double was = elapsed_of(before), is = elapsed_of(one);
        slow_simulate(one, &options, slow);
        ck_assert_msg(is == slow->elapsed && is == w->elapsed, "seed %d: %.17g, slowly %.17g", seed, is, slow->elapsed);
        ck_assert_msg(is <= was && is <= w->unimproved, "seed %d: %.17g, before %.17g", seed, is, was);
        ck_assert_int_eq(inlay_mapping_summary(before)->winner.evaluations, 0);
        same_schedule(one, four, seed);
        shorter = is < was;
    }
    inlay_mapping_free(before);
    inlay_mapping_free(one);
    inlay_mapping_free(four);
    return shorter;
}

START_TEST(no_worse_and_the_same_on_any_threads)
{
    int shorter = 0;
    slow_run *slow = malloc(sizeof *slow);
    for (int seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = (uint64_t)seed * 1009;
        random_times times;
        unsigned features =
            (unsigned)random_next(&state) & (RANDOM_MEMORY | RANDOM_PINS | RANDOM_DECIMALS | RANDOM_DATA);
        inlay_app *app = random_app(&state, 4 + (inlay_id)random_below(&state, MOST_MODULES - 4), features, &times);
        inlay_machine *machine = make_machine(app, machines[seed % MACHINES]);
        shorter += is_no_worse(app, machine, slow, seed);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    free(slow);
    ck_assert_int_gt(shorter, SEEDS / 5);
}
END_TEST

/** By --effort, of a file as it is for a user: nothing is found, with evaluations or with a time. */
START_TEST(its_mapping_holds)
{
    static const inlay_effort efforts[] = {{.evaluations = -1}, {.evaluations = 500}, {.seconds = 0.01}, {0}};
    for (size_t k = 0; k < sizeof efforts / sizeof *efforts; k++) {
        const inlay_options options = {.method = inlay_method_named("best"), .effort = efforts[k]};
        uint64_t state = 5 + k;
        random_times times;
        inlay_app *drawn = random_app(&state, MOST_MODULES, RANDOM_MEMORY | RANDOM_PINS, &times), *app = NULL;
        char machine[TEXT];
        ck_assert_int_eq(inlay_app_write(drawn, subject_app(), "dot", NULL), INLAY_OK);
        ck_assert_int_eq(inlay_app_read(subject_app(), NULL, &app, NULL), INLAY_OK);
        snprintf(machine, sizeof machine, "bus:4,processor_memory=60KiB,capacity=1msg/%s",
                 inlay_unit_name(inlay_app_unit(app)));
        ck_assert(subject_map(app, subject_app(), machine, &options, NULL));
        subject_findings(NULL, true, machine);
        inlay_app_free(app);
        inlay_app_free(drawn);
    }
}
END_TEST

START_TEST(small_graphs_have_their_optimum)
{
    static const char unlike[] = "graph m { graph [network=links]; a; b [speed=2]; c [speed=0.5]; "
                                 "edge [capacity=\"1msg/tick\"]; a -- b -- c; }";
    static const char *const three[] = {"bus:3,capacity=1msg/tick", "mesh:3x1,capacity=1msg/tick", unlike};
    for (int seed = 1; seed <= 12; seed++) {
        char text[2000];
        uint64_t state = (uint64_t)seed;
        int modules = 3 + (int)random_below(&state, 4);
        size_t at = (size_t)snprintf(text, sizeof text, "digraph small { graph [time_unit=tick];");
        for (int i = 0; i < modules; i++) {
            at +=
                (size_t)snprintf(text + at, sizeof text - at, " m%d [time=%d];", i, 1 + (int)random_below(&state, 20));
            for (int j = 0; j < i; j++)
                if (random_below(&state, 2) == 0)
                    at += (size_t)snprintf(text + at, sizeof text - at, " m%d -> m%d [messages=%d];", j, i,
                                           1 + (int)random_below(&state, 20));
        }
        snprintf(text + at, sizeof text - at, " }");
        inlay_app *app = subject_read(text);
        inlay_machine *machine = make_machine(app, three[seed % 3]);
        inlay_mapping *mapping = best(app, machine, 0, 1);
        double elapsed = elapsed_of(mapping), optimum;
        ck_assert_int_eq(optimum_find(app, machine, false, elapsed, &optimum), INLAY_OK);
        ck_assert_msg(elapsed <= optimum, "seed %d: %.17g, optimum %.17g", seed, elapsed, optimum);
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
}
END_TEST

/* ---- A mapping that is there already ---- */

static void read_processors(const inlay_mapping *mapping, inlay_id *processor)
{
    for (inlay_id i = 0; i < inlay_app_modules(inlay_mapping_app(mapping)); i++)
        processor[i] = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, i)).processor;
}

/** The order of all modules that a mapping stands for. */
static void read_order(const subject *s, const inlay_mapping *mapping, inlay_id *order)
{
    ck_assert_int_eq(execution_order(&s->p, &mapping->lists, order, NULL), INLAY_OK);
}

/** Every processor runs its modules as they stand in `order`. */
static void keeps_order(const inlay_mapping *mapping, const inlay_id *order, inlay_id modules)
{
    inlay_id at[MOST_MODULES];
    for (inlay_id k = 0; k < modules; k++)
        at[order[k]] = k;
    for (inlay_id c = 0; c < inlay_mapping_summary(mapping)->clusters; c++) {
        inlay_cluster_info own = inlay_mapping_cluster(mapping, c);
        for (inlay_id k = 1; k < own.modules; k++)
            ck_assert_int_lt(at[own.module[k - 1]], at[own.module[k]]);
    }
}

/** The least time of all orders of these places, or of all places in this order. Tries every one. */
static double least_order(subject *s, inlay_id placed, uint32_t taken)
{
    double least = placed == s->p.modules ? simulated(s) : INFINITY;
    for (inlay_id i = 0; i < s->p.modules; i++) {
        bool free = !(taken >> i & 1);
        for (int64_t e = s->p.app->in_begin[i]; free && e < s->p.app->in_begin[i + 1]; e++)
            free = taken >> s->p.app->in_from[e] & 1;
        if (free) {
            s->order[placed] = i;
            least = fmin(least, least_order(s, placed + 1, taken | 1U << i));
        }
    }
    return least;
}

static double least_places(subject *s, inlay_id module)
{
    double least = INFINITY;
    if (module == s->p.modules) return simulated(s);
    for (s->processor_of[module] = 0; s->processor_of[module] < s->places; s->processor_of[module]++)
        least = fmin(least, least_places(s, module + 1));
    return least;
}

/** What stays stays, and what comes is no longer, and as long as the slow simulator says. Of small graphs the optimum. */
static bool is_improved(subject *s, inlay_kept kept, slow_run *slow, bool small)
{
    const inlay_simulation_options options = {.seed = 0};
    inlay_mapping *given = scheduled(s), *better = NULL;
    inlay_id was[MOST_MODULES], is[MOST_MODULES], order[MOST_MODULES];
    ck_assert_int_eq(inlay_improve(given, kept, &(inlay_effort){.evaluations = 2000}, &better, NULL), INLAY_OK);
    read_processors(given, was);
    read_processors(better, is);
    read_order(s, given, order);
    slow_simulate(better, &options, slow);
    double before = elapsed_of(given), after = elapsed_of(better);
    ck_assert_double_eq(after, slow->elapsed);
    ck_assert_double_le(after, before);
    if (kept == INLAY_KEEP_PLACES) ck_assert_mem_eq(was, is, (size_t)s->p.modules * sizeof *was);
    if (kept == INLAY_KEEP_ORDER) keeps_order(better, order, s->p.modules);
    if (small && kept != INLAY_KEEP_NOTHING) {
        memcpy(s->order, order, sizeof order);
        double least = kept == INLAY_KEEP_PLACES ? least_order(s, 0, 0) : least_places(s, 0);
        ck_assert_msg(fabs(after - least) <= 1e-9 * least, "%.17g, the least is %.17g", after, least);
    }
    inlay_mapping_free(given);
    inlay_mapping_free(better);
    return after < before;
}

START_TEST(given_ones_become_shorter)
{
    int shorter[INLAY_KEEP_ORDER + 1] = {0};
    slow_run *slow = malloc(sizeof *slow);
    for (int seed = 1; seed <= 4 * SEEDS; seed++) {
        subject s = {0};
        uint64_t state;
        inlay_kept kept = (inlay_kept)(seed % 3);
        set_up(&s, seed, 0, INLAY_CONTENTION_QUEUES, &state);
        draw_schedule(&s, &state);
        shorter[kept] += is_improved(&s, kept, slow, s.p.modules <= 5 && s.places == 3);
        tear_down(&s);
    }
    free(slow);
    for (int kept = 0; kept <= INLAY_KEEP_ORDER; kept++)
        ck_assert_int_gt(shorter[kept], SEEDS / 2);
}
END_TEST

START_TEST(small_ones_become_the_shortest)
{
    slow_run *slow = malloc(sizeof *slow);
    for (int seed = 1; seed <= SEEDS; seed++) {
        subject s = {0};
        uint64_t state = (uint64_t)seed * 31;
        random_times times;
        s.app = random_app(&state, 2 + (inlay_id)random_below(&state, 4), 0, &times);
        s.machine = make_machine(s.app, machines[seed % 2 == 0 ? 0 : MACHINES - 1]);
        s.places = 3;
        ck_assert_int_eq(problem_make(s.app, s.machine, &(inlay_options){0}, &s.p, NULL), INLAY_OK);
        draw_schedule(&s, &state);
        (void)is_improved(&s, seed % 4 < 2 ? INLAY_KEEP_PLACES : INLAY_KEEP_ORDER, slow, true);
        problem_clear(&s.p);
        inlay_machine_free(s.machine);
        inlay_app_free(s.app);
    }
    free(slow);
}
END_TEST

static int improve_again(const void *context)
{
    inlay_mapping *better = NULL;
    int status = inlay_improve(context, INLAY_KEEP_PLACES, &(inlay_effort){.evaluations = 20}, &better, NULL);
    inlay_mapping_free(better);
    return status;
}

START_TEST(refused_and_starved)
{
    subject s = {0};
    uint64_t state;
    inlay_mapping *better = NULL, *other = NULL;
    set_up(&s, 2, 0, INLAY_CONTENTION_QUEUES, &state);
    draw_schedule(&s, &state);
    inlay_mapping *given = scheduled(&s);
    starve(improve_again, given, 20);
    ck_assert_int_eq(inlay_improve(NULL, INLAY_KEEP_ORDER, NULL, &better, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_improve(given, INLAY_KEEP_ORDER, NULL, NULL, NULL), INLAY_BAD_ARGUMENT);
    const inlay_options ruled = {.order = INLAY_ORDER_PAPER};
    ck_assert_int_eq(inlay_evaluate(s.app, s.machine, s.processor_of, &ruled, &other, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_improve(other, INLAY_KEEP_ORDER, NULL, &better, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_ptr_null(better);
    inlay_mapping_free(other);
    inlay_mapping_free(given);
    tear_down(&s);
}
END_TEST

Suite *suite_improve(void)
{
    Suite *suite = suite_create("improve");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, subject_set_up, subject_tear_down);
    tcase_add_test(all, judges_as_a_simulation_does);
    tcase_add_test(all, changes_keep_their_promises);
    tcase_add_test(all, no_worse_and_the_same_on_any_threads);
    tcase_add_test(all, its_mapping_holds);
    tcase_add_test(all, small_graphs_have_their_optimum);
    tcase_add_test(all, given_ones_become_shorter);
    tcase_add_test(all, small_ones_become_the_shortest);
    tcase_add_test(all, refused_and_starved);
    suite_add_tcase(suite, all);
    return suite;
}

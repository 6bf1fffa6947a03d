/*
 * Least periods of mappings: against sums on paper; against runs that overlap, simulated here one module and message at a
 * time; and, as the objective of method best, against all placements.
 */
#include "check_subject.h"
#include "random_app.h"
#include "unit.h"
#include <inlay/inlay.h>
#include <math.h>
#include <string.h>

/* The least period of an application with processor_of[] on a machine. */
static inlay_bound period_on(const char *text, const char *format, int32_t iterations, const char *machine_text,
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
    inlay_least_period least = inlay_mapping_least_period(mapping);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
    inlay_diag_free(diag);
    return least.of_placement;
}

START_TEST(of_processors_and_networks)
{
    static const char few[] = "digraph g { graph [time_unit=tick]; a [time=4]; b [time=5]; c [time=6];"
                              " a -> b [messages=3]; b -> c [messages=2]; }";
    static const char many[] = "digraph g { graph [time_unit=tick]; a [time=4]; b [time=5]; c [time=6];"
                               " a -> b [messages=3]; b -> c [messages=20]; }";
    const inlay_id together[] = {0, 0, 0}, split[] = {0, 1, 0}, apart[] = {0, 1, 2};
    inlay_bound least = period_on(few, "dot", 0, "bus:3", together);
    ck_assert_double_eq(least.value, 15);
    ck_assert_str_eq(least.name, "compute");
    least = period_on(few, "dot", 0, "bus:3", split); /* 4 + 6; 5; 3 + 2 messages, one a tick */
    ck_assert_double_eq(least.value, 10);
    ck_assert_int_eq(least.at, 0);
    least = period_on(few, "dot", 0, "bus:3", apart);
    ck_assert_double_eq(least.value, 6);
    ck_assert_int_eq(least.at, 2);
    least = period_on(many, "dot", 0, "bus:3", apart); /* 23 messages, one a tick */
    ck_assert_str_eq(least.name, "bus");
    ck_assert_double_eq_tol(least.value, 23, 1e-9);
    least = period_on(many, "dot", 0, "ring:3,capacity=2msg/tick", apart); /* a link for each pair of neighbours */
    ck_assert_str_eq(least.name, "link");
    ck_assert_double_eq_tol(least.value, 10, 1e-9);
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
    inlay_bound least = period_on(text, "sdf3", 1, "bus:2", apart);
    ck_assert_str_eq(least.name, "cycle");
    ck_assert_double_eq(least.value, 9);
    snprintf(text, sizeof text, loop, 2);
    least = period_on(text, "sdf3", 2, "bus:2", apart); /* the cycle needs 4.5; a's processor 7 */
    ck_assert_str_eq(least.name, "compute");
    ck_assert_double_eq(least.value, 7);
    least = period_on(text, "sdf3", 2, "bus:2", together);
    ck_assert_double_eq(least.value, 9);
    ck_assert_str_eq(least.name, "compute");
}
END_TEST

/* ---- All placements ---- */

enum { SEEDS = 60, MOST = 6, PLACES = 3, RUNS = 80 };

typedef struct subject {
    const inlay_app *app;
    inlay_id modules, places;
    double speed[PLACES];
    double message; /* time that one message takes on the bus; 0: it takes none */
    inlay_id place[MOST];
} subject;

static double time_of(const subject *s, inlay_id i)
{
    return (double)inlay_app_time(s->app, i) / pow(10, inlay_app_decimals(s->app)) / s->speed[s->place[i]];
}

/* The most that one run asks of a processor, or of the bus. */
static double period_by_hand(const subject *s)
{
    double busy[PLACES + 1] = {0}, most = 0;
    for (inlay_id i = 0; i < s->modules; i++) {
        inlay_links out = inlay_app_out(s->app, i);
        busy[s->place[i]] += time_of(s, i);
        for (int64_t l = 0; l < out.count; l++)
            if (s->place[out.module[l]] != s->place[i]) busy[PLACES] += s->message * (double)out.messages[l];
    }
    for (int c = 0; c <= PLACES; c++)
        most = fmax(most, busy[c]);
    return most;
}

static double shortest_by_hand(subject *s)
{
    double shortest = INFINITY;
    int64_t placements = 1;
    for (inlay_id i = 0; i < s->modules; i++)
        placements *= s->places;
    for (int64_t number = 0; number < placements; number++) {
        bool pinned = true;
        int64_t left = number;
        for (inlay_id i = 0; i < s->modules; i++, left /= s->places) {
            s->place[i] = (inlay_id)(left % s->places);
            pinned = pinned && (inlay_app_pin(s->app, i) < 0 || inlay_app_pin(s->app, i) == s->place[i]);
        }
        if (pinned) shortest = fmin(shortest, period_by_hand(s));
    }
    return shortest;
}

typedef struct with {
    const char *machine; /* of an application in that unit */
    double speed[PLACES], message;
} with;

static const with machines[] = {
    {"bus:3,capacity=2msg/@", {1, 1, 1}, 0.5},
    {"bus:3,capacity=1000000msg/@", {1, 1, 1}, 1e-6},
    {"graph m { graph [network=links, contention=none]; a; b [speed=2]; c [speed=0.5]; a -- b -- c; }", {1, 2, 0.5}, 0},
};
enum { MACHINES = sizeof machines / sizeof *machines };

static inlay_machine *machine_for(const inlay_app *app, const with *w)
{
    char text[300];
    inlay_machine *machine = NULL;
    const char *at = strchr(w->machine, '@');
    snprintf(text, sizeof text, "%.*s%s", at ? (int)(at - w->machine) : 200, w->machine,
             at ? inlay_unit_name(inlay_app_unit(app)) : "");
    int status = at ? inlay_machine_parse(text, &machine, NULL)
                    : inlay_machine_read_memory(text, strlen(text), "m.dot", "dot", &machine, NULL);
    ck_assert_msg(status == INLAY_OK, "%s", text);
    return machine;
}

/* No placement is below the bound, nor the answer below the shortest; and nearly always the answer is that. */
START_TEST(the_shortest_of_all)
{
    const inlay_options options = {.method = inlay_method_named("best"), .objective = INLAY_OBJECTIVE_PERIOD};
    int met = 0, proven = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = (uint64_t)seed * 77;
        random_times times;
        const with *w = &machines[seed % MACHINES];
        unsigned features = seed % 2 ? RANDOM_PINS : RANDOM_DECIMALS;
        inlay_app *app = random_app(&state, 2 + (inlay_id)random_below(&state, MOST - 1), features, &times);
        inlay_machine *machine = machine_for(app, w);
        inlay_mapping *mapping = NULL;
        subject s = {.app = app, .modules = inlay_app_modules(app), .places = PLACES, .message = w->message};
        memcpy(s.speed, w->speed, sizeof s.speed);
        double shortest = shortest_by_hand(&s);
        ck_assert_int_eq(inlay_map(app, machine, &options, &mapping, NULL), INLAY_OK);
        inlay_least_period least = inlay_mapping_least_period(mapping);
        for (inlay_id i = 0; i < s.modules; i++)
            s.place[i] = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, i)).processor;
        double value = least.of_placement.value, hair = 1e-9 * shortest + 1e-12;
        ck_assert_double_eq_tol(value, period_by_hand(&s), hair);
        ck_assert_double_eq_tol(inlay_mapping_summary(mapping)->winner.period, value, hair);
        ck_assert_msg(value >= shortest - hair && least.of_any.value <= shortest + hair,
                      "seed %d: %g, the bound %g, of all %g", seed, value, least.of_any.value, shortest);
        met += value <= shortest + hair;
        proven += least.gap < 1e-9;
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
    ck_assert_msg(met == SEEDS, "the shortest in %d of %d", met, SEEDS);
    ck_assert_int_gt(proven, SEEDS / 4);
}
END_TEST

/* ---- Runs that overlap ---- */

/* A module, or what a link carries, of one run. */
typedef struct job {
    double ready, end; /* infinite: not known yet */
    int waits;         /* for so many others */
    bool done;
} job;

static int predecessors(const inlay_app *app, inlay_id module)
{
    int count = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++)
            count += out.module[l] == module;
    }
    return count;
}

/* The bus and each processor take what is ready, of the earliest run first, and are never idle where there is something. */
static double elapsed_of(const subject *s, int runs)
{
    static job module[RUNS][MOST], message[RUNS][MOST][MOST];
    double free[PLACES + 1] = {0}, last = 0;
    int64_t left = 0;
    for (int r = 0; r < runs; r++)
        for (inlay_id i = 0; i < s->modules; i++) {
            module[r][i] = (job){0, 0, predecessors(s->app, i), false};
            left += 1 + inlay_app_out(s->app, i).count;
            for (inlay_id j = 0; j < s->modules; j++)
                message[r][i][j] = (job){0, 0, 1, false};
        }
    while (left-- > 0) {
        double soonest = INFINITY;
        int run = -1, from = -1, to = -1;
        for (int r = 0; r < runs; r++)
            for (inlay_id i = 0; i < s->modules; i++) {
                const job *m = &module[r][i];
                double begin = fmax(m->ready, free[s->place[i]]);
                if (!m->done && m->waits == 0 && begin < soonest) {
                    soonest = begin;
                    run = r;
                    from = i;
                    to = -1;
                }
                inlay_links out = inlay_app_out(s->app, i);
                for (int64_t l = 0; l < out.count; l++) {
                    const job *g = &message[r][i][out.module[l]];
                    bool bus = s->place[i] != s->place[out.module[l]];
                    begin = bus ? fmax(g->ready, free[PLACES]) : g->ready;
                    if (!g->done && g->waits == 0 && begin < soonest) {
                        soonest = begin;
                        run = r;
                        from = i;
                        to = out.module[l];
                    }
                }
            }
        ck_assert_int_ge(run, 0);
        inlay_links out = inlay_app_out(s->app, from);
        if (to < 0) {
            job *m = &module[run][from];
            m->done = true;
            free[s->place[from]] = m->end = soonest + time_of(s, from);
            last = fmax(last, m->end);
            for (int64_t l = 0; l < out.count; l++) {
                message[run][from][out.module[l]].waits = 0;
                message[run][from][out.module[l]].ready = m->end;
            }
            continue;
        }
        job *g = &message[run][from][to];
        g->done = true;
        g->end = soonest;
        for (int64_t l = 0; l < out.count; l++)
            if (out.module[l] == to && s->place[from] != s->place[to]) {
                g->end = soonest + s->message * (double)out.messages[l];
                free[PLACES] = g->end;
            }
        last = fmax(last, g->end);
        module[run][to].waits--;
        module[run][to].ready = fmax(module[run][to].ready, g->end);
    }
    return last;
}

/* What each further run adds, when many have been made. */
START_TEST(of_runs_that_overlap)
{
    enum { FEW = 40 };
    for (int seed = 1; seed <= 20; seed++) {
        uint64_t state = (uint64_t)seed * 5;
        random_times times;
        const with *w = &machines[seed % MACHINES];
        inlay_app *app = random_app(&state, 2 + (inlay_id)random_below(&state, MOST - 1), 0, &times);
        inlay_machine *machine = machine_for(app, w);
        inlay_mapping *mapping = NULL;
        subject s = {.app = app, .modules = inlay_app_modules(app), .places = PLACES, .message = w->message};
        memcpy(s.speed, w->speed, sizeof s.speed);
        for (inlay_id i = 0; i < s.modules; i++)
            s.place[i] = (inlay_id)random_below(&state, PLACES);
        const inlay_options options = {0};
        ck_assert_int_eq(inlay_evaluate(app, machine, s.place, &options, &mapping, NULL), INLAY_OK);
        double period = inlay_mapping_least_period(mapping).of_placement.value;
        double few = elapsed_of(&s, FEW), more = elapsed_of(&s, 2 * FEW);
        ck_assert_msg(few >= FEW * period * (1 - 1e-9), "seed %d: %d runs take %g, the period is %g", seed, FEW, few,
                      period);
        ck_assert_msg(fabs(more - few - FEW * period) <= 0.02 * FEW * period,
                      "seed %d: a run more takes %g, the period is %g", seed, (more - few) / FEW, period);
        inlay_mapping_free(mapping);
        inlay_machine_free(machine);
        inlay_app_free(app);
    }
}
END_TEST

/* The checker agrees, and what it is told wrongly it finds. */
START_TEST(its_mapping_holds)
{
    const inlay_options options = {.method = inlay_method_named("best"), .objective = INLAY_OBJECTIVE_PERIOD};
    for (int seed = 1; seed <= 10; seed++) {
        uint64_t state = (uint64_t)seed;
        random_times times;
        inlay_app *drawn = random_app(&state, 2 + (inlay_id)random_below(&state, 9), RANDOM_MEMORY, &times);
        inlay_app *app = NULL;
        char machine[100], what[160];
        ck_assert_int_eq(inlay_app_write(drawn, subject_app(), "dot", NULL), INLAY_OK);
        ck_assert_int_eq(inlay_app_read(subject_app(), NULL, &app, NULL), INLAY_OK);
        snprintf(machine, sizeof machine, "bus:%d,capacity=4msg/%s,processor_memory=12KiB", 2 + seed % 3,
                 inlay_unit_name(inlay_app_unit(app)));
        snprintf(what, sizeof what, "seed %d on %s", seed, machine);
        if (subject_map(app, subject_app(), machine, &options, NULL)) subject_findings(NULL, true, what);
        inlay_app_free(app);
        inlay_app_free(drawn);
    }
}
END_TEST

Suite *suite_period(void)
{
    Suite *suite = suite_create("period");
    TCase *tests = tcase_create("period");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_test(tests, of_processors_and_networks);
    tcase_add_test(tests, of_dataflow);
    tcase_add_test(tests, the_shortest_of_all);
    tcase_add_test(tests, of_runs_that_overlap);
    tcase_add_test(tests, its_mapping_holds);
    suite_add_tcase(suite, tests);
    return suite;
}

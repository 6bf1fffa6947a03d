/* Nodes with accelerators: random small ones against a slow simulator, bounds, and cases by hand. */
#include "base/text.h"
#include "io/dot/dot.h"
#include "random_app.h"
#include "slow_nodes.h"
#include "starve.h"
#include "unit.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 300 };

static const char *const names[] = {"fifo", "lifo", "priority", "dmda", "dmdas", "stealing"};

static inlay_machine *machine_of(const char *dot)
{
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = dot_machine_from(dot, strlen(dot), "m.dot", &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return machine;
}

/* ---- Random subjects ---- */

typedef struct subject {
    inlay_app *app;
    inlay_machine *machine;
    int ahead;
    double overhead;
} subject;

/* Main memory and 1 to 3 accelerators: each on its own cable, behind one switch, or with a cable between two. */
static inlay_machine *random_machine(uint64_t *seed)
{
    static const char *const shapes[] = {"m -- g%d;", "s -- g%d;"};
    text_buffer dot = {0};
    int accelerators = 1 + (int)random_below(seed, 3), shape = (int)random_below(seed, 2);
    text_addf(&dot, "graph n { graph [network=links, switching=\"%s\"]; edge [capacity=\"8B/tick\", latency=%d];\n",
              random_once_in(seed, 2) ? "cut-through" : "store-and-forward", (int)random_below(seed, 3));
    text_addf(&dot, "m [main=true, type=cpu, cores=%d];\n", 1 + (int)random_below(seed, 3));
    if (shape == 1) {
        text_addf(&dot, "s [kind=switch]; m -- s [capacity=\"%dB/tick\"%s];\n", 8 << random_below(seed, 2),
                  random_once_in(seed, 2) ? ", duplex=half" : "");
    }
    for (int g = 0; g < accelerators; g++) {
        text_addf(&dot, "g%d [type=cuda, cores=%d", g, random_once_in(seed, 4) ? 2 : 1);
        if (!random_once_in(seed, 4)) {
            text_addf(&dot, ", memory=%d", 8 * (int)(8 + random_below(seed, 24)));
        }
        text_add(&dot, "];\n");
        text_addf(&dot, shapes[shape], g);
    }
    if (accelerators > 1 && random_once_in(seed, 3)) {
        text_add(&dot, "g0 -- g1;");
    }
    text_add(&dot, "}\n");
    inlay_machine *machine = machine_of(dot.data);
    text_clear(&dot);
    return machine;
}

static void add_random_module(inlay_app_builder *b, uint64_t *seed, int i, inlay_diag *diag)
{
    char name[16];
    (void)snprintf(name, sizeof name, "t%d", i);
    inlay_module module = {.name = name, .time = {.value = {random_below(seed, 40), 0}}};
    ck_assert_int_eq(inlay_app_add_module(b, &module, diag), INLAY_OK);
    int64_t kind = random_below(seed, 8);
    if (kind == 0) {
        ck_assert_int_eq(inlay_app_forbid_type(b, i, random_once_in(seed, 2) ? "cpu" : "cuda", diag), INLAY_OK);
    } else if (kind > 2) {
        inlay_duration time = {.value = {1 + random_below(seed, 10), 0}};
        ck_assert_int_eq(inlay_app_add_type_time(b, i, "cuda", time, diag), INLAY_OK);
    }
}

/* What a module sends is often the next version of what it receives. */
static inlay_app *random_nodes_app(uint64_t *seed, int modules)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_app_builder *b = inlay_app_builder_new("random", INLAY_UNIT_TICK);
    int blocks = (int)random_below(seed, 3);
    char sends[SLOW_MODULES][16], name[16];
    for (int i = 0; i < modules; i++) {
        add_random_module(b, seed, i, diag);
    }
    for (int k = 0; k < blocks; k++) {
        (void)snprintf(name, sizeof name, "b%d", k);
        ck_assert_int_eq(inlay_app_add_block(b, name, 8 * (1 + random_below(seed, 8)), (inlay_duration){0}, diag),
                         INLAY_OK);
    }
    int64_t bytes[SLOW_MODULES];
    for (int to = 0; to < modules; to++) {
        (void)snprintf(sends[to], sizeof sends[to], "d%d", to);
        bytes[to] = 8 * (1 + random_below(seed, 8));
        for (int k = 0; k < blocks; k++) {
            if (random_once_in(seed, 3)) {
                ck_assert_int_eq(inlay_app_add_use(b, k, to, 1, 0, diag), INLAY_OK);
                (void)snprintf(random_once_in(seed, 2) ? sends[to] : name, sizeof name, "b%d", k);
            }
        }
        for (int from = 0; from < to; from++) {
            if (random_once_in(seed, 3)) {
                ck_assert_int_eq(inlay_app_add_data_link(b, from, to, sends[from], 1, bytes[from], diag), INLAY_OK);
                if (random_once_in(seed, 2)) {
                    memcpy(sends[to], sends[from], sizeof sends[to]);
                }
            } else if (random_once_in(seed, 6)) {
                ck_assert_int_eq(inlay_app_add_link(b, from, to, 1, 8 * random_below(seed, 5), 0, diag), INLAY_OK);
            }
        }
    }
    inlay_app *app;
    int status = inlay_app_build(b, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_app_builder_free(b);
    inlay_diag_free(diag);
    return app;
}

static subject random_subject(int round)
{
    uint64_t seed = (uint64_t)round + 1;
    subject s = {.app = random_nodes_app(&seed, 2 + (int)random_below(&seed, 11)), .machine = random_machine(&seed)};
    s.ahead = (int)random_below(&seed, 4);
    s.overhead = random_once_in(&seed, 3) ? 2 : 0;
    return s;
}

static void clear(subject *s)
{
    inlay_machine_free(s->machine);
    inlay_app_free(s->app);
}

static int run(const subject *s, const char *name, inlay_scheduled **result)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_scheduled_options o = {.scheduler = name,
                                 .has_task_overhead = true,
                                 .task_overhead = {.value = {(int64_t)s->overhead, 0}},
                                 .prefetch = s->ahead == 0 ? -1 : s->ahead};
    int status = inlay_simulate_scheduled(s->app, s->machine, &o, result, diag);
    ck_assert_msg(status == INLAY_OK || status == INLAY_NO_ANSWER, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return status;
}

static void check_sums(const subject *s, const inlay_scheduled *run)
{
    const inlay_scheduled_summary *sum = inlay_scheduled_result(run);
    int64_t loaded = 0, least = 0;
    for (inlay_id k = 0; k < sum->processors; k++) {
        inlay_scheduled_core core = inlay_scheduled_core_at(run, k);
        ck_assert_double_eq_tol(core.busy + core.overhead + core.fetching + core.idle, sum->makespan, 1e-9);
    }
    for (inlay_id k = 0; k < inlay_machine_hosts(s->machine); k++) {
        inlay_scheduled_memory m = inlay_scheduled_memory_at(run, k);
        ck_assert(m.capacity < 0 || m.peak <= m.capacity);
        ck_assert(m.least <= m.loaded);
        loaded += m.loaded;
        least += m.least;
    }
    ck_assert_int_eq(loaded, sum->moved);
    ck_assert_int_eq(least, sum->least_moved);
    ck_assert(sum->path_bound <= sum->makespan && sum->area_bound <= sum->makespan + 1e-9);
    ck_assert(sum->hits <= sum->inputs);
}

static bool compare(const subject *s, const char *name)
{
    inlay_scheduled *own;
    slow_nodes_result slow = slow_nodes_run(s->app, s->machine, name, s->ahead, s->overhead);
    int status = run(s, name, &own);
    ck_assert_int_eq(status, slow.nowhere ? INLAY_NO_ANSWER : INLAY_OK);
    if (slow.nowhere) {
        return false;
    }
    const inlay_scheduled_summary *sum = inlay_scheduled_result(own);
    for (inlay_id i = 0; i < inlay_app_modules(s->app); i++) {
        inlay_scheduled_module at = inlay_scheduled_module_at(own, i);
        ck_assert_msg(at.processor == slow.worker[i], "%s: module %d on %d, slow %d", name, i, at.processor,
                      slow.worker[i]);
        ck_assert_msg(fabs(at.start - slow.start[i]) < 1e-9, "%s: module %d from %d, slow %d", name, i, (int)at.start,
                      (int)slow.start[i]);
    }
    ck_assert_double_eq_tol(sum->makespan, slow.elapsed, 1e-9);
    ck_assert_int_eq(sum->moved, slow.moved);
    ck_assert_int_eq(sum->evictions, slow.evictions);
    ck_assert_int_eq(sum->write_backs, slow.write_backs);
    check_sums(s, own);
    inlay_scheduled_free(own);
    return true;
}

START_TEST(random_runs)
{
    subject s = random_subject(_i);
    bool two = inlay_machine_processors(s.machine) == 2;
    for (size_t k = 0; k < sizeof names / sizeof *names - !two; k++) {
        (void)compare(&s, names[k]);
    }
    clear(&s);
}
END_TEST

/* The best is the least of all others. */
START_TEST(best_of_all)
{
    static const char *const others[] = {"stealing", "fifo", "lifo", "priority", "dmda", "dmdas", "planned"};
    subject s = random_subject(_i);
    inlay_scheduled *best, *other;
    if (run(&s, "best", &best) == INLAY_OK) {
        double least = INFINITY;
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            ck_assert_int_eq(run(&s, others[k], &other), INLAY_OK);
            check_sums(&s, other);
            least = fmin(least, inlay_scheduled_result(other)->makespan);
            inlay_scheduled_free(other);
        }
        check_sums(&s, best);
        ck_assert_double_eq(inlay_scheduled_result(best)->makespan, least);
        inlay_scheduled_free(best);
    }
    clear(&s);
}
END_TEST

/* That the random cases bind: memories are full, copies are written back, and modules find no room. */
START_TEST(random_cases_bind)
{
    int evicted = 0, written = 0, nowhere = 0;
    for (int round = 0; round < ROUNDS; round++) {
        subject s = random_subject(round);
        slow_nodes_result slow = slow_nodes_run(s.app, s.machine, "dmda", s.ahead, s.overhead);
        evicted += slow.evictions > 0;
        written += slow.write_backs > 0;
        nowhere += slow.nowhere;
        clear(&s);
    }
    ck_assert_msg(evicted > 40 && written > 20 && nowhere > 0 && nowhere < 60, "%d %d %d", evicted, written, nowhere);
}
END_TEST

/* ---- By hand ---- */

static inlay_app *app_of(const char *dot)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = dot_app_from(dot, strlen(dot), "a.dot", &(inlay_reading){0}, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return app;
}

#define NODE                                                                                                           \
    "graph n { graph [network=links]; edge [capacity=\"8B/tick\"]; m [main=true, type=cpu]; g [type=gpu, memory=16]; " \
    "m -- g }"

/* x is written back for b1, and fetched again. */
START_TEST(written_back)
{
    subject s = {.app = app_of("digraph { graph [time_unit=tick]; node [time=1, \"time.cpu\"=none]; w; r0; r1; r2; "
                               "node [kind=data, size=8]; b0; b1;"
                               "w -> r2 [bytes=8]; w -> r0 -> r1 -> r2; b0 -> r0; b1 -> r1 }"),
                 .machine = machine_of(NODE)};
    inlay_scheduled *got;
    ck_assert_int_eq(run(&s, "dmda", &got), INLAY_OK);
    const inlay_scheduled_summary *sum = inlay_scheduled_result(got);
    ck_assert_double_eq(sum->makespan, 8);
    ck_assert_int_eq(sum->moved, 32);
    ck_assert_int_eq(sum->evictions, 2);
    ck_assert_int_eq(sum->write_backs, 1);
    ck_assert_int_eq(sum->hits, 0);
    ck_assert_int_eq(inlay_scheduled_carried(got, 0) + inlay_scheduled_carried(got, 1), 32);
    inlay_scheduled_free(got);
    clear(&s);
}
END_TEST

/* Three blocks in turn where two have room: the least recently used one is always the next; who knows the future loads four times. */
START_TEST(next_use)
{
    subject s = {
        .app = app_of("digraph { graph [time_unit=tick]; node [time=1, \"time.cpu\"=none]; a -> b -> c -> d -> e -> f;"
                      "node [kind=data, size=8]; x; y; z; x -> a; y -> b; z -> c; x -> d; y -> e; z -> f }"),
        .machine = machine_of(NODE)};
    inlay_scheduled *got;
    ck_assert_int_eq(run(&s, "fifo", &got), INLAY_OK);
    ck_assert_int_eq(inlay_scheduled_result(got)->moved, 48);
    ck_assert_int_eq(inlay_scheduled_result(got)->least_moved, 32);
    inlay_scheduled_free(got);
    clear(&s);
}
END_TEST

/* Two kernels of two types: half of the time each, unless one is much better at one of them. */
START_TEST(work_by_types)
{
    subject s = {.app = app_of("digraph { graph [time_unit=tick]; node [time=4, \"time.gpu\"=1]; a; b; c; d; node "
                               "[time=2, \"time.gpu\"=2]; e; f; }"),
                 .machine = machine_of(NODE)};
    inlay_scheduled *got;
    ck_assert_int_eq(run(&s, "best", &got), INLAY_OK);
    ck_assert_double_eq_tol(inlay_scheduled_result(got)->area_bound, 4, 1e-6);
    ck_assert_double_eq(inlay_scheduled_result(got)->makespan, 4);
    ck_assert_double_eq(inlay_scheduled_result(got)->path_bound, 2);
    inlay_scheduled_free(got);
    clear(&s);
}
END_TEST

static const struct {
    const char *app, *machine, *says;
} refused[] = {{"digraph { graph [time_unit=tick]; a [time=1, \"time.cpu\"=none]; a -> b [bytes=17]; b [time=1] }",
                NODE, "module a, whose data take 17 bytes, can run nowhere"},
               {"digraph { graph [time_unit=tick]; a [time=1, pin=0]; }", NODE, "module a is pinned"},
               {"digraph { graph [time_unit=tick]; a [time=1, cores=2]; }", NODE,
                "module a needs 2 cores, and dmdas runs modules of one"},
               {"digraph { graph [time_unit=tick]; a [time=1]; b [kind=data, size=20]; b -> a }",
                "graph { network=links; m [main=true, memory=16]; m -- g }",
                "main memory has 16 bytes, and all data together take 20"},
               {"digraph { graph [time_unit=tick]; a [time=1] }", "graph { network=links; m -- g }",
                "dmdas is for nodes with accelerators"}};

START_TEST(refusals)
{
    inlay_diag *diag = inlay_diag_new();
    subject s = {.app = app_of(refused[_i].app), .machine = machine_of(refused[_i].machine)};
    inlay_scheduled *got = NULL;
    const inlay_scheduled_options o = {.scheduler = "dmdas"};
    int status = inlay_simulate_scheduled(s.app, s.machine, &o, &got, diag);
    ck_assert_msg(status == INLAY_NO_ANSWER && strstr(inlay_diag_message(diag), refused[_i].says) != NULL, "%s",
                  inlay_diag_message(diag));
    clear(&s);
    inlay_diag_free(diag);
}
END_TEST

static int try_best(const void *of)
{
    const subject *s = of;
    inlay_scheduled *got = NULL;
    int status = inlay_simulate_scheduled(s->app, s->machine,
                                          &(inlay_scheduled_options){.scheduler = "best", .threads = 1}, &got, NULL);
    inlay_scheduled_free(got);
    return status;
}

START_TEST(out_of_memory)
{
    subject s = random_subject(1);
    starve(try_best, &s, 40);
    clear(&s);
}
END_TEST

Suite *suite_nodes(void)
{
    Suite *suite = suite_create("nodes with accelerators");
    TCase *tests = tcase_create("nodes");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, random_runs, 0, ROUNDS);
    tcase_add_loop_test(tests, best_of_all, 0, 100);
    tcase_add_test(tests, random_cases_bind);
    tcase_add_test(tests, written_back);
    tcase_add_test(tests, next_use);
    tcase_add_test(tests, work_by_types);
    tcase_add_loop_test(tests, refusals, 0, (int)(sizeof refused / sizeof *refused));
    tcase_add_test(tests, out_of_memory);
    suite_add_tcase(suite, tests);
    return suite;
}

/* Run-time schedulers against a slow simulator of one page, Graham's bound, and cases by hand. */
#include "random_app.h"
#include "starve.h"
#include "unit.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 300, MOST_CORES = 6, MOST_INPUTS = 64 * 64 };

/* ---- The slow simulator: lists, scanned from their beginning at every step; messages on one bus ---- */

typedef enum doing { IDLE, PREPARING, FETCHING, RUNNING } doing;

typedef struct slow_core {
    doing is;
    inlay_id module;
    double until;                /* INFINITY while a message of it is on the bus or waits for it */
    inlay_id input[MOST_INPUTS]; /* cores from which a message has to come */
    int inputs;
    inlay_id queue[RANDOM_MODULES];
    int queued;
    double promised; /* dmda: of what it runs, the end that was expected */
} slow_core;

typedef struct slow {
    const inlay_app *app;
    const char *scheduler;
    inlay_id cores;
    double overhead, message; /* time of one message */
    inlay_contention contention;
    slow_core core[MOST_CORES];
    inlay_id bus[MOST_CORES]; /* who waits for the bus, the first has it */
    int on_bus;
    double bus_until;
    inlay_id ready[RANDOM_MODULES]; /* fifo, lifo and priority: in the order in which they became ready */
    int waiting;
    bool known[RANDOM_MODULES]; /* that it is ready */
    double end[RANDOM_MODULES], start[RANDOM_MODULES];
    inlay_id place[RANDOM_MODULES];
    double length[RANDOM_MODULES]; /* dmda: that was expected */
    double way[RANDOM_MODULES];    /* to the end, once it is known */
} slow;

static double time_of(const slow *s, inlay_id i)
{
    return inlay_app_in_units(s->app, inlay_app_time(s->app, i));
}

static double longest_way(slow *s, inlay_id i)
{
    inlay_links out = inlay_app_out(s->app, i);
    double longest = 0;
    for (int64_t k = 0; s->way[i] <= 0 && k < out.count; k++) {
        longest = fmax(longest, longest_way(s, out.module[k]));
    }
    s->way[i] = s->way[i] <= 0 ? time_of(s, i) + longest : s->way[i];
    return s->way[i];
}

static int64_t messages_between(const slow *s, inlay_id from, inlay_id to)
{
    inlay_links out = inlay_app_out(s->app, from);
    int64_t k = 0;
    while (out.module[k] != to) {
        k++;
    }
    return out.messages[k];
}

static bool all_ended(const slow *s, inlay_id i, double now)
{
    int64_t count;
    const inlay_id *before = inlay_app_predecessors(s->app, i, &count);
    bool all = true;
    for (int64_t k = 0; k < count; k++) {
        all = all && s->end[before[k]] <= now && s->core[s->place[before[k]]].module != before[k];
    }
    return all;
}

static double expected_end(const slow *s, inlay_id i, inlay_id c, double now, double *length)
{
    int64_t count;
    const inlay_id *before = inlay_app_predecessors(s->app, i, &count);
    double end = s->core[c].is == IDLE ? now : fmax(now, s->core[c].promised);
    for (int q = 0; q < s->core[c].queued; q++) {
        end += s->length[s->core[c].queue[q]];
    }
    *length = s->overhead + time_of(s, i);
    for (int64_t k = 0; k < count; k++) {
        bool far = s->place[before[k]] != c && s->contention != INLAY_CONTENTION_FREE;
        *length += far ? (double)messages_between(s, before[k], i) * s->message : 0;
    }
    return end + *length;
}

/* Core that ended the last of those before it: the highest of those that ended at one time. */
static inlay_id who_freed(const slow *s, inlay_id i)
{
    int64_t count;
    const inlay_id *before = inlay_app_predecessors(s->app, i, &count);
    inlay_id who = 0;
    double last = -1;
    for (int64_t k = 0; k < count; k++) {
        double end = s->end[before[k]];
        who = end > last || (end >= last && s->place[before[k]] > who) ? s->place[before[k]] : who;
        last = fmax(last, end);
    }
    return who;
}

static void make_ready(slow *s, inlay_id i, double now)
{
    s->known[i] = true;
    if (strcmp(s->scheduler, "stealing") == 0) {
        slow_core *c = &s->core[who_freed(s, i)];
        c->queue[c->queued++] = i;
    } else if (strcmp(s->scheduler, "dmda") == 0) {
        inlay_id best = 0;
        double least = INFINITY, length;
        for (inlay_id k = 0; k < s->cores; k++) {
            double end = expected_end(s, i, k, now, &length);
            if (end < least - 1e-9) {
                best = k;
                least = end;
                s->length[i] = length;
            }
        }
        s->core[best].queue[s->core[best].queued++] = i;
    } else {
        s->ready[s->waiting++] = i;
    }
}

static inlay_id take_out(inlay_id *list, int *count, int at)
{
    inlay_id taken = list[at];
    memmove(&list[at], &list[at + 1], (size_t)(*count - at - 1) * sizeof *list);
    --*count;
    return taken;
}

/* -1: none. With two cores there is one to steal from. */
static inlay_id choose(slow *s, inlay_id c)
{
    slow_core *own = &s->core[c], *other = &s->core[s->cores == 2 ? 1 - c : c];
    if (strcmp(s->scheduler, "stealing") == 0) {
        return own->queued > 0     ? take_out(own->queue, &own->queued, own->queued - 1)
               : other->queued > 0 ? take_out(other->queue, &other->queued, 0)
                                   : -1;
    }
    if (strcmp(s->scheduler, "dmda") == 0) {
        return own->queued > 0 ? take_out(own->queue, &own->queued, 0) : -1;
    }
    if (s->waiting == 0) {
        return -1;
    }
    int at = strcmp(s->scheduler, "lifo") == 0 ? s->waiting - 1 : 0;
    for (int k = 0; strcmp(s->scheduler, "priority") == 0 && k < s->waiting; k++) {
        double way = longest_way(s, s->ready[k]), best = longest_way(s, s->ready[at]);
        at = way > best || (way >= best && s->ready[k] < s->ready[at]) ? k : at;
    }
    return take_out(s->ready, &s->waiting, at);
}

/* A core has what it asked for, and goes on. */
static void go_on(slow *s, inlay_id k, double now)
{
    slow_core *c = &s->core[k];
    if (c->inputs > 0) {
        c->is = FETCHING;
        c->inputs--;
        c->until = now + s->message;
        if (s->contention == INLAY_CONTENTION_QUEUES) {
            c->until = INFINITY;
            s->bus_until = s->on_bus == 0 ? now + s->message : s->bus_until;
            s->bus[s->on_bus++] = k;
        }
        return;
    }
    c->is = RUNNING;
    s->start[c->module] = now;
    c->until = s->end[c->module] = now + time_of(s, c->module);
}

static void begin(slow *s, inlay_id k, inlay_id i, double now)
{
    slow_core *c = &s->core[k];
    int64_t count;
    const inlay_id *before = inlay_app_predecessors(s->app, i, &count);
    c->module = i;
    c->inputs = 0;
    for (int64_t b = 0; s->contention != INLAY_CONTENTION_FREE && b < count; b++) {
        c->inputs += s->place[before[b]] != k ? (int)messages_between(s, before[b], i) : 0;
    }
    s->place[i] = k;
    s->end[i] = INFINITY;
    c->promised = now + s->length[i];
    c->is = PREPARING;
    c->until = now + s->overhead;
    if (s->overhead <= 0) {
        go_on(s, k, now);
    }
}

static void dispatch(slow *s, double now)
{
    for (inlay_id i = 0; i < inlay_app_modules(s->app); i++) {
        if (!s->known[i] && all_ended(s, i, now)) {
            make_ready(s, i, now);
        }
    }
    for (inlay_id k = 0; k < s->cores; k++) {
        inlay_id i = s->core[k].is == IDLE ? choose(s, k) : -1;
        if (i >= 0) {
            begin(s, k, i, now);
        }
    }
}

/* The next event: a core's, or else the bus's. False where there is none. */
static bool next_event(slow *s, double *now)
{
    inlay_id first = 0;
    for (inlay_id k = 1; k < s->cores; k++) {
        first = s->core[k].until < s->core[first].until ? k : first;
    }
    double bus = s->on_bus > 0 ? s->bus_until : INFINITY, next = fmin(bus, s->core[first].until);
    if (next > *now) {
        dispatch(s, *now);
        double again = s->on_bus > 0 ? s->bus_until : INFINITY;
        for (inlay_id k = 0; k < s->cores; k++) {
            again = fmin(again, s->core[k].until);
        }
        if (again < next) {
            return true; /* what was begun comes first */
        }
        bus = s->on_bus > 0 ? s->bus_until : INFINITY;
        next = again;
        first = 0;
        for (inlay_id k = 1; k < s->cores; k++) {
            first = s->core[k].until < s->core[first].until ? k : first;
        }
    }
    if (isinf(next)) {
        return false;
    }
    *now = next;
    if (s->core[first].until <= bus) {
        slow_core *c = &s->core[first];
        if (c->is == RUNNING) {
            c->is = IDLE;
            c->module = -1;
            c->until = INFINITY;
        } else {
            go_on(s, first, *now);
        }
        return true;
    }
    inlay_id got = take_out(s->bus, &s->on_bus, 0);
    s->bus_until = s->on_bus > 0 ? *now + s->message : INFINITY;
    go_on(s, got, *now);
    return true;
}

static double slow_run(slow *s)
{
    double now = 0, last = 0;
    for (inlay_id k = 0; k < MOST_CORES; k++) {
        s->core[k].module = -1;
        s->core[k].until = INFINITY;
    }
    for (inlay_id i = 0; i < RANDOM_MODULES; i++) {
        s->end[i] = INFINITY;
    }
    while (next_event(s, &now)) {
    }
    for (inlay_id i = 0; i < inlay_app_modules(s->app); i++) {
        last = fmax(last, s->end[i]);
    }
    return last;
}

/* ---- Random cases ---- */

static inlay_machine *machine_of(const char *text)
{
    inlay_machine *machine;
    ck_assert_int_eq(inlay_machine_parse(text, &machine, NULL), INLAY_OK);
    return machine;
}

static inlay_scheduled *run_of(const inlay_app *app, const inlay_machine *machine, const inlay_scheduled_options *o)
{
    inlay_scheduled *run;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_simulate_scheduled(app, machine, o, &run, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return run;
}

static void accounts_for_all(const inlay_scheduled *run)
{
    const inlay_scheduled_summary *s = inlay_scheduled_result(run);
    const inlay_app *app = inlay_scheduled_app(run);
    for (inlay_id k = 0; k < s->processors; k++) {
        inlay_scheduled_core c = inlay_scheduled_core_at(run, k);
        double busy = 0;
        for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
            inlay_scheduled_module m = inlay_scheduled_module_at(run, i);
            busy += m.processor == k || (k > m.processor && k < m.processor + inlay_app_cores(app, i)) ? m.end - m.start
                                                                                                       : 0;
            ck_assert(m.ready <= m.taken && m.taken <= m.start && m.start <= m.end && m.end <= s->makespan);
        }
        ck_assert_double_eq_tol(c.busy, busy, 1e-9 * (1 + busy));
        ck_assert_double_eq_tol(c.busy + c.overhead + c.fetching + c.idle, s->makespan, 1e-9 * (1 + s->makespan));
    }
}

static const char *const names[] = {"stealing", "fifo", "lifo", "priority", "dmda"};
enum { NAMES = sizeof names / sizeof *names };

START_TEST(random_runs)
{
    uint64_t state = 7000 + (uint64_t)_i;
    random_times times;
    inlay_app *app = random_app(&state, (inlay_id)(1 + random_below(&state, RANDOM_MODULES)), 0, &times);
    const char *scheduler = names[_i % NAMES];
    bool stealing = strcmp(scheduler, "stealing") == 0;
    inlay_id cores = stealing ? 2 : (inlay_id)(1 + random_below(&state, MOST_CORES));
    int64_t overhead = random_below(&state, 4);
    char text[120];
    snprintf(text, sizeof text, "bus:6,capacity=0.5msg/tick,memory=distributed,task_overhead=%d%s",
             _i % 3 == 0 ? 7 : (int)overhead, inlay_unit_name(inlay_app_unit(app)));
    inlay_machine *machine = machine_of(text);
    inlay_scheduled_options o = {.scheduler = scheduler,
                                 .processors = cores,
                                 .has_task_overhead = _i % 3 == 0, /* instead of the machine's */
                                 .task_overhead = {{overhead, 0}, INLAY_UNIT_NONE},
                                 .tick_seconds = 1,
                                 .contention = (inlay_contention)random_below(&state, 3)};
    slow *s = calloc(1, sizeof *s);
    *s = (slow){.app = app, .scheduler = scheduler, .cores = cores, .overhead = (double)overhead, .message = 2};
    s->contention = o.contention;
    s->message = inlay_app_unit(app) == INLAY_UNIT_TICK ? 2 : 2 / inlay_unit_seconds(inlay_app_unit(app));
    inlay_scheduled *run = run_of(app, machine, &o);
    double expected = slow_run(s);
    ck_assert_double_eq_tol(inlay_scheduled_result(run)->makespan, expected, 1e-9 * (1 + expected));
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_scheduled_module m = inlay_scheduled_module_at(run, i);
        ck_assert_int_eq(m.processor, s->place[i]);
        ck_assert_double_eq_tol(m.start, s->start[i], 1e-9 * (1 + expected));
        ck_assert_double_eq_tol(m.end, s->end[i], 1e-9 * (1 + expected));
    }
    accounts_for_all(run);
    inlay_scheduled_free(run);
    inlay_machine_free(machine);
    free(s);
    inlay_app_free(app);
}
END_TEST

/* Graham's: all that leave no core idle while something is ready. */
START_TEST(graham)
{
    uint64_t state = 9000 + (uint64_t)_i;
    random_times times;
    inlay_app *app = random_app(&state, (inlay_id)(1 + random_below(&state, RANDOM_MODULES)), 0, &times);
    inlay_id cores = (inlay_id)(1 + random_below(&state, 12));
    inlay_machine *machine = machine_of("star:1,cores=12");
    inlay_app_info info;
    ck_assert_int_eq(inlay_app_describe(app, &info, NULL), INLAY_OK);
    double work = inlay_app_in_units(app, info.work), path = inlay_app_in_units(app, info.critical_path);
    for (int n = 0; n < NAMES; n++) {
        inlay_scheduled *run = run_of(
            app, machine, &(inlay_scheduled_options){.scheduler = names[n], .processors = cores, .seed = (uint64_t)_i});
        double makespan = inlay_scheduled_result(run)->makespan, least = fmax(path, work / cores);
        ck_assert(makespan >= least * (1 - 1e-12));
        ck_assert(strcmp(names[n], "dmda") == 0 || makespan <= (2 - 1.0 / cores) * least * (1 + 1e-12));
        accounts_for_all(run);
        inlay_scheduled_free(run);
    }
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

/* ---- By hand ---- */

static inlay_machine *read_machine(const char *text)
{
    inlay_machine *machine;
    ck_assert_int_eq(inlay_machine_read_memory(text, strlen(text), "m.dot", "dot", &machine, NULL), INLAY_OK);
    return machine;
}

static inlay_app *read_app(const char *text)
{
    inlay_app *app;
    ck_assert_int_eq(inlay_app_read_memory(text, strlen(text), "a.dot", "dot", &app, NULL), INLAY_OK);
    return app;
}

static void expect(const char *text, const char *machine_text, const char *scheduler, double makespan, int64_t messages)
{
    inlay_app *app = read_app(text);
    inlay_machine *machine = machine_of(machine_text);
    inlay_scheduled *run = run_of(app, machine, &(inlay_scheduled_options){.scheduler = scheduler});
    ck_assert_double_eq_tol(inlay_scheduled_result(run)->makespan, makespan, 1e-9);
    ck_assert_int_eq(inlay_scheduled_result(run)->messages, messages);
    accounts_for_all(run);
    inlay_scheduled_free(run);
    inlay_machine_free(machine);
    inlay_app_free(app);
}

/* Of two modules of three cores on four one waits, and holds back what would fit. */
START_TEST(several_cores_hold_back)
{
    expect("digraph { graph [time_unit=s]; a [time=10, cores=3]; b [time=10, cores=3]; c [time=1]; }", "star:1,cores=4",
           "fifo", 20, 0);
    expect("digraph { graph [time_unit=s]; a [time=1]; b [time=10, cores=3]; c [time=10, cores=2]; }", "star:2,cores=4",
           "fifo", 10, 0);
}
END_TEST

/* The second consumer on a host finds the datum there; two hosts share no memory. */
START_TEST(data_are_fetched_once_a_host)
{
    static const char text[] =
        "digraph { graph [time_unit=s]; a [time=1]; b [time=5]; c [time=5]; d [time=5]; e [time=5];"
        "a -> b [data=x, bytes=1000]; a -> c [data=x, bytes=1000]; a -> d [data=x, bytes=1000];"
        "a -> e [data=x, bytes=1000]; }";
    /* b and c run where a did; d fetches for 1 s; so does e beside it, which asks before that has come */
    expect(text, "star:2,cores=2,capacity=1kB/s,switching=cut-through", "fifo", 8, 2);
    expect(text, "star:2,cores=1,capacity=1kB/s,switching=cut-through", "fifo", 12, 1);
}
END_TEST

START_TEST(types_and_speeds)
{
    /* dmda sees that the second is faster, and fills it up to where the first is not later */
    inlay_app *app = read_app("digraph { graph [time_unit=s]; a [time=4, \"time.gpu\"=1]; b [time=4, \"time.gpu\"=1];"
                              "c [time=4, \"time.gpu\"=1]; d [time=4, \"time.gpu\"=1]; e [time=4, \"time.gpu\"=1]; }");
    inlay_machine *machine = read_machine("graph m { graph [network=links]; c [type=cpu]; g [type=gpu]; c -- g; }");
    inlay_scheduled *run = run_of(app, machine, &(inlay_scheduled_options){.scheduler = "dmda"});
    ck_assert_double_eq_tol(inlay_scheduled_result(run)->makespan, 4, 1e-9);
    ck_assert_int_eq(inlay_scheduled_core_at(run, 1).modules, 4);
    inlay_scheduled_free(run);
    inlay_app_free(app);
    /* both wait for the one processor where they may run, and no other scheduler takes them */
    app = read_app("digraph { graph [time_unit=s]; a [time=4, \"time.cpu\"=none]; b [time=4, \"time.cpu\"=none]; }");
    run = run_of(app, machine, &(inlay_scheduled_options){.scheduler = "dmda"});
    ck_assert_double_eq_tol(inlay_scheduled_result(run)->makespan, 8, 1e-9);
    ck_assert_int_eq(inlay_scheduled_core_at(run, 0).modules, 0);
    inlay_scheduled_free(run);
    run = NULL;
    ck_assert_int_eq(inlay_simulate_scheduled(app, machine, NULL, &run, NULL), INLAY_NO_ANSWER);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

START_TEST(times_of_a_kind_are_drawn)
{
    inlay_app *app = read_app("digraph { graph [time_unit=s]; a [time=1, kind=k]; b [time=3, kind=k]; a -> b; }");
    inlay_machine *machine = machine_of("star:1,cores=1");
    inlay_scheduled *run =
        run_of(app, machine, &(inlay_scheduled_options){.module_time = {INLAY_SPREAD_KIND, 0}, .replications = 400});
    const inlay_scheduled_summary *s = inlay_scheduled_result(run);
    ck_assert(s->random);
    ck_assert_double_eq_tol(s->least, 2, 1e-9); /* each is 1 or 3 */
    ck_assert_double_eq_tol(s->most, 6, 1e-9);
    ck_assert_double_eq_tol(s->makespan, 4, 3 * s->half_width / 1.96);
    inlay_mapping *mapping;
    inlay_simulation *simulation;
    const inlay_simulation_options options = {.module_time = {INLAY_SPREAD_KIND, 0}, .replications = 400};
    ck_assert_int_eq(inlay_map(app, machine, NULL, &mapping, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_simulate(mapping, &options, &simulation, NULL), INLAY_OK);
    const inlay_simulation_summary *same = inlay_simulation_result(simulation); /* draws the same numbers */
    ck_assert(same->random);
    ck_assert_double_eq_tol(same->makespan, s->makespan, 1e-9);
    ck_assert_double_eq_tol(same->least, 2, 1e-9);
    ck_assert_double_eq_tol(same->most, 6, 1e-9);
    inlay_simulation_free(simulation);
    inlay_mapping_free(mapping);
    inlay_scheduled_free(run);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

START_TEST(threads_change_nothing)
{
    uint64_t state = 1;
    random_times times;
    inlay_app *app = random_app(&state, (inlay_id)(1 + random_below(&state, RANDOM_MODULES)), 0, &times);
    inlay_machine *machine = machine_of("star:1,cores=8");
    inlay_scheduled_options o = {.replications = 20, .module_time = {INLAY_SPREAD_NORMAL, 0.2}, .threads = 1};
    inlay_scheduled *one = run_of(app, machine, &o);
    o.threads = 3;
    inlay_scheduled *three = run_of(app, machine, &o);
    ck_assert(memcmp(inlay_scheduled_result(one), inlay_scheduled_result(three), sizeof(inlay_scheduled_summary)) == 0);
    inlay_scheduled_free(one);
    inlay_scheduled_free(three);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

/* ---- What is refused ---- */

static void refused(const char *text, const char *machine_text, inlay_scheduled_options o, int status, const char *says)
{
    inlay_app *app = read_app(text);
    inlay_machine *machine = machine_of(machine_text);
    inlay_diag *diag = inlay_diag_new();
    inlay_scheduled *run = NULL;
    ck_assert_int_eq(inlay_simulate_scheduled(app, machine, &o, &run, diag), status);
    ck_assert_msg(strstr(inlay_diag_message(diag), says) != NULL, "%s", inlay_diag_message(diag));
    ck_assert_ptr_null(run);
    inlay_diag_free(diag);
    inlay_machine_free(machine);
    inlay_app_free(app);
}

START_TEST(refusals)
{
    static const char one[] = "digraph { graph [time_unit=s]; a [time=1]; }";
    refused(one, "bus:2", (inlay_scheduled_options){.scheduler = "heft"}, INLAY_BAD_ARGUMENT, "no scheduler 'heft'");
    refused(one, "bus:2", (inlay_scheduled_options){.processors = 3}, INLAY_BAD_ARGUMENT, "the machine has 2");
    refused(one, "bus:2",
            (inlay_scheduled_options){.has_task_overhead = true, .task_overhead = {{-1, 0}, INLAY_UNIT_NONE}},
            INLAY_BAD_ARGUMENT, "overhead of a task is -1");
    refused(one, "bus:2",
            (inlay_scheduled_options){.has_task_overhead = true, .task_overhead = {{1, 0}, INLAY_UNIT_TICK}},
            INLAY_BAD_ARGUMENT, "length of a tick");
    refused(one, "bus:2", (inlay_scheduled_options){.module_time = {INLAY_SPREAD_KIND, 0}}, INLAY_BAD_ARGUMENT, "kind");
    refused(one, "bus:2", (inlay_scheduled_options){.replications = -1}, INLAY_BAD_ARGUMENT, "replications");
    refused("digraph { graph [time_unit=s]; a [time=1, pin=1]; }", "bus:2", (inlay_scheduled_options){0},
            INLAY_NO_ANSWER, "module a is pinned");
    static const char wide[] = "digraph { graph [time_unit=s]; a [time=1, cores=2]; }";
    refused(wide, "star:1,cores=4", (inlay_scheduled_options){0}, INLAY_NO_ANSWER, "needs 2 cores, and stealing");
    refused(wide, "star:4", (inlay_scheduled_options){.scheduler = "fifo"}, INLAY_NO_ANSWER, "no host has more than 1");
}
END_TEST

/* ---- Speed-up ---- */

START_TEST(speedup_of_chain_and_crowd)
{
    inlay_app *app = read_app("digraph { graph [time_unit=s]; a [time=6]; b [time=2]; c [time=2]; d [time=2]; }");
    inlay_speedup_result *s;
    ck_assert_int_eq(inlay_speedup(app, NULL, &(inlay_speedup_options){.run.scheduler = "fifo"}, &s, NULL), INLAY_OK);
    ck_assert_uint_eq(inlay_speedup_points(s), 4);
    ck_assert_double_eq_tol(inlay_speedup_work(s), 12, 1e-9);
    static const double elapsed[] = {12, 6, 6, 6}, bound[] = {12, 6, 6, 6};
    for (size_t i = 0; i < 4; i++) {
        inlay_speedup_point at = inlay_speedup_point_at(s, i);
        ck_assert_double_eq_tol(at.elapsed, elapsed[i], 1e-9);
        ck_assert_double_eq_tol(at.lower_bound, bound[i], 1e-9);
        ck_assert_double_eq_tol(at.speedup, 12 / elapsed[i], 1e-9);
        ck_assert_double_eq_tol(at.efficiency, 12 / elapsed[i] / (double)(i + 1), 1e-9);
    }
    inlay_speedup_free(s);
    ck_assert_int_eq(inlay_speedup(app, NULL, &(inlay_speedup_options){.from = 30, .to = 100}, &s, NULL), INLAY_OK);
    static const inlay_id counts[] = {30, 31, 32, 48, 64, 96, 100};
    ck_assert_uint_eq(inlay_speedup_points(s), sizeof counts / sizeof *counts);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        ck_assert_int_eq(inlay_speedup_point_at(s, i).processors, counts[i]);
    }
    inlay_speedup_free(s);
    inlay_app_free(app);
}
END_TEST

/* ---- Out of memory ---- */

typedef struct question {
    const inlay_app *app;
    const inlay_machine *machine;
    const char *scheduler;
} question;

static int try_speedup(const void *subject)
{
    const question *q = subject;
    inlay_speedup_result *result = NULL;
    const inlay_speedup_options o = {
        .run = {.scheduler = q->scheduler, .module_time = {INLAY_SPREAD_NORMAL, 0.1}, .threads = 1},
        .from = 2,
        .to = 3};
    int status = inlay_speedup(q->app, q->machine, &o, &result, NULL);
    inlay_speedup_free(result);
    return status;
}

START_TEST(out_of_memory)
{
    static const char *const machines[] = {"bus:4,memory=common",
                                           "star:2,cores=2,capacity=1kB/s,switching=cut-through"};
    inlay_app *app = read_app("digraph { graph [time_unit=s]; a [time=1]; b [time=5]; c [time=5];"
                              "a -> b [data=x, bytes=10]; a -> c [data=x, bytes=10]; b -> c [bytes=5]; }");
    inlay_machine *machine = machine_of(machines[_i % 2]);
    starve(try_speedup, &(question){app, machine, names[_i]}, 20);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

Suite *suite_runtime(void)
{
    Suite *suite = suite_create("runtime");
    TCase *tests = tcase_create("runtime");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, random_runs, 0, ROUNDS);
    tcase_add_loop_test(tests, graham, 0, 60);
    tcase_add_test(tests, several_cores_hold_back);
    tcase_add_test(tests, data_are_fetched_once_a_host);
    tcase_add_test(tests, types_and_speeds);
    tcase_add_test(tests, times_of_a_kind_are_drawn);
    tcase_add_test(tests, threads_change_nothing);
    tcase_add_test(tests, refusals);
    tcase_add_test(tests, speedup_of_chain_and_crowd);
    tcase_add_loop_test(tests, out_of_memory, 0, NAMES);
    suite_add_tcase(suite, tests);
    return suite;
}

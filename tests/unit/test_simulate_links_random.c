/* The event engine on machines with links beside the slow simulator and the estimate, on random applications. */
#include "golden.h"
#include "random_app.h"
#include "simulate_subject.h"
#include "slow_run.h"
#include "sound_links.h"
#include "sound_run.h"
#include "unit.h"

#include "machine/machine.h"
#include "mapping/evaluate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODULES = 18, ROUNDS = 40 };

/* ---- What is simulated ---- */

/* % stands for the application's unit. */
static const char *const machines[] = {
    "mesh:3x3,capacity=0.25msg/%",
    "mesh:4x2,capacity=0.25msg/%,link_latency=1%,switching=cut-through",
    "torus:3x3,capacity=0.125msg/%,link_latency=2%,latency=1%",
    "torus:2x2x2,capacity=3kB/%,switching=cut-through,latency=1%",
    "hypercube:8,capacity=0.5kB/%,link_latency=0.5%,transfers=2",
    "hypercube:8,capacity=0.125msg/%,message_size=700,switching=cut-through,duplex=half",
    "star:8,capacity=0.25msg/%,transfers=1.5",
    "star:8,capacity=1kB/%,link_latency=1%,duplex=half",
    "ring:8,capacity=0.5msg/%,link_latency=0.25%",
    "ring:4,cores=2,capacity=0.125msg/%,switching=cut-through",
    "crossbar:8,capacity=0.125msg/%,link_latency=1%,message_size=400",
    "tree:2x4,capacity=0.25msg/%,link_latency=1%",
    "fattree:2x4,up=1x2,cables=1x2,capacity=0.25msg/%,link_latency=1%,switching=cut-through",
    "fattree:4x2,capacity=0.75kB/%,cores=2",
    "dragonfly:2x2x1x2,capacity=0.25msg/%,link_latency=1%",
    "star:8,capacity=0.5msg/%,latency=1%,broadcast=tree",
    "mesh:4x2,capacity=0.25msg/%,switching=cut-through,broadcast=tree",
    "ring:4,cores=2,capacity=0.25kB/%,link_latency=1%,transfers=2,broadcast=tree",
    "star:3,cores=4,capacity=0.25msg/%,latency=1%",
    "star:3,cores=4,capacity=0.5kB/%,latency_by_size=1%:0.5%/256:7%",
    "star:3,cores=4,capacity=0.25msg/%,latency=1%,o_send=2%,o_recv=1%",
    "ring:4,cores=2,capacity=0.25kB/%,link_latency=1%,broadcast=tree,o_send=1%:0.5%/256:4%,o_recv=2%",
    "mesh:4x2,capacity=0.25msg/%,switching=cut-through,message_size=400,o_send=0.5%:0.25%",
    "mesh:2x2,cores=4,capacity=0.125msg/%,link_latency=1%",
    "hypercube:4,cores=3,capacity=0.5kB/%,switching=cut-through,duplex=half",
    "star:3,cores=4,capacity=0.25msg/%,latency=1%,rendezvous=late",
    "ring:4,cores=2,capacity=0.25kB/%,link_latency=1%,broadcast=tree,o_send=1%,rendezvous=late,eager_limit=200",
};

enum { MACHINES = sizeof machines / sizeof *machines };

/* Links count in ticks or in seconds. */
static inlay_app *draw_app(uint64_t *state, inlay_id modules)
{
    for (;;) {
        random_times times;
        unsigned features =
            (unsigned)random_below(state, RANDOM_EVERYTHING + 1) & ~(unsigned)(RANDOM_MEMORY | RANDOM_PINS);
        if (random_once_in(state, 2)) features |= RANDOM_DATA;
        inlay_app *app = random_app(state, modules, features, &times);
        if (inlay_app_unit(app) == INLAY_UNIT_TICK || inlay_app_unit(app) == INLAY_UNIT_S) return app;
        inlay_app_free(app);
    }
}

/* Anywhere, and every other time modules of several cores where hosts have some. */
static inlay_mapping *place_any(uint64_t *state, inlay_app *app, const inlay_machine *machine, inlay_id *processor)
{
    bool cores = inlay_machine_hosts(machine) < inlay_machine_processors(machine) && random_once_in(state, 2);
    return cores ? placed_on_cores(state, app, machine) : placed_anyhow(state, app, machine, processor);
}

static small_case draw(uint64_t *state, const char *format)
{
    inlay_id processor[MODULES], modules = 1 + (inlay_id)random_below(state, MODULES);
    inlay_id spread = 1 + (inlay_id)random_below(state, 8);
    small_case drawn = {draw_app(state, modules), NULL, NULL};
    drawn.machine = golden_machine_for(drawn.app, format);
    for (inlay_id i = 0; i < modules; i++)
        processor[i] = (inlay_id)random_below(state, spread);
    drawn.mapping = place_any(state, drawn.app, drawn.machine, processor);
    return drawn;
}

/* ---- Machines that are drawn: trees of hosts and switches, no two links alike ---- */

enum { NODES = 14 };

typedef struct tree {
    inlay_id above[NODES], up[NODES], down[NODES]; /**< node, and links to and from it */
} tree;

/* Up to where both ways meet, then down. */
static bool tree_route(const topology *t, inlay_id from, inlay_id to, route_list *route)
{
    const tree *own = t->own;
    inlay_id down[NODES], count = 0;
    while (from != to) {
        if (from > to) { /* nodes stand behind what is above them */
            if (!route_add(route, own->up[from])) return false;
            from = own->above[from];
        } else {
            down[count++] = own->down[to];
            to = own->above[to];
        }
    }
    while (count > 0)
        if (!route_add(route, down[--count])) return false;
    return true;
}

static topology_link draw_link(uint64_t *state, inlay_id from, inlay_id to)
{
    static const double capacity[] = {0.125, 0.25, 1.0 / 3, 1, INFINITY};
    return (topology_link){.capacity = capacity[random_below(state, 5)],
                           .latency = (double)random_below(state, 4) / 2,
                           .from = from,
                           .to = to,
                           .parallel = random_once_in(state, 4)};
}

static topology *draw_tree(uint64_t *state)
{
    topology *t = calloc(1, sizeof *t);
    tree *own = calloc(1, sizeof *own);
    *t = (topology){.nodes = NODES, .link = calloc(2 * NODES, sizeof *t->link), .unit = INLAY_UNIT_TICK};
    t->has_capacity = true;
    t->hosts = 2 + (inlay_id)random_below(state, NODES - 1); /* some with others behind them */
    t->cut_through = random_once_in(state, 2);
    t->route = tree_route;
    t->own = own;
    t->free_own = free;
    for (inlay_id n = 1; n < NODES; n++) {
        own->above[n] = (inlay_id)random_below(state, n);
        own->up[n] = own->down[n] = t->links;
        t->link[t->links++] = draw_link(state, n, own->above[n]);
        if (random_once_in(state, 3)) {
            t->link[own->up[n]].shared = true;
            continue;
        }
        own->down[n] = t->links;
        t->link[t->links++] = draw_link(state, own->above[n], n);
    }
    return t;
}

static const char *const types[] = {"new", "old"};

static inlay_machine *draw_machine(uint64_t *state)
{
    static const double speed[] = {0.5, 1, 1.5, 2};
    static const inlay_attribute attributes[] = {
        {"transfers", "2", 0}, {"latency", "1tick", 0}, {"broadcast", "tree", 0}};
    machine_host host[NODES] = {0};
    inlay_machine *machine = NULL;
    machine_parts parts = {.name = "drawn", .source = "drawn", .document = "", .format = "dot"};
    parts.topology = draw_tree(state);
    for (int h = 0; h < NODES; h++) {
        host[h] = (machine_host){
            .cores = 1 + (inlay_id)random_below(state, 2), .speed = speed[random_below(state, 4)], .memory = -1};
        if (!random_once_in(state, 3)) host[h].type = (char *)types[random_below(state, 2)];
    }
    parts.host = host;
    parts.attributes = attributes;
    parts.count = (size_t)random_below(state, 4);
    ck_assert_int_eq(machine_assemble(&parts, &machine, NULL), INLAY_OK);
    return machine;
}

/* In ticks, with times for some types. */
static inlay_app *draw_typed_app(uint64_t *state, inlay_id modules, int64_t most_messages)
{
    inlay_app *app = NULL;
    inlay_app_builder *builder = inlay_app_builder_new("typed", INLAY_UNIT_TICK);
    bool streamed = random_once_in(state, 3), named = random_once_in(state, 2);
    for (inlay_id i = 0; i < modules; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d", (int)i);
        inlay_module module = {.name = name, .time = {{(i == 0) + random_below(state, 9), 0}, INLAY_UNIT_TICK}};
        module.has_blocking = streamed;
        module.blocking = (inlay_duration){{3 * i, 0}, INLAY_UNIT_TICK};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
        for (int t = 0; t < 2; t++) {
            inlay_duration own = {{(i == 0) + random_below(state, 9), 0}, INLAY_UNIT_TICK};
            if (random_once_in(state, 2)) inlay_app_add_type_time(builder, i, types[t], own, NULL);
        }
        for (inlay_id j = 0; j < i; j++) {
            if (!random_once_in(state, 4)) continue;
            const char *datum = random_once_in(state, 2) ? "x" : "y";
            if (named && random_once_in(state, 2))
                inlay_app_add_data_link(builder, j, i, datum, j % (most_messages + 1), 0, NULL);
            else
                inlay_app_add_link(builder, j, i, random_below(state, most_messages + 1), 0, 0, NULL);
        }
    }
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    return app;
}

static small_case draw_unlike(uint64_t *state, int64_t most_messages, bool cores)
{
    inlay_id processor[MODULES], modules = 2 + (inlay_id)random_below(state, MODULES - 1);
    small_case drawn = {draw_typed_app(state, modules, most_messages), draw_machine(state), NULL};
    for (inlay_id i = 0; i < modules; i++)
        processor[i] = (inlay_id)random_below(state, inlay_machine_processors(drawn.machine));
    drawn.mapping = cores ? place_any(state, drawn.app, drawn.machine, processor)
                          : placed_anyhow(state, drawn.app, drawn.machine, processor);
    return drawn;
}

/* ---- The slow simulator ---- */

/* In grains: of all ends and arrivals the latest. */
static double latest_of(const slow_run *slow, inlay_id modules)
{
    double latest = 0;
    for (inlay_id i = 0; i < modules; i++)
        latest = fmax(latest, slow->end[i]);
    for (int i = 0; i < slow->items; i++)
        latest = fmax(latest, slow->item[i].arrival);
    return latest;
}

/* All links that carried something, and no others. */
static void expect_same_links(const inlay_simulation *fast, const slow_run *slow, const inlay_app *app)
{
    double grain = pow(10, inlay_app_decimals(app)), most = -1, elapsed = latest_of(slow, inlay_app_modules(app));
    size_t found = 0;
    const inlay_machine *machine = inlay_mapping_machine(inlay_simulation_mapping(fast));
    if (slow->elapsed * grain > elapsed * (1 + 1e-12))
        elapsed = slow->elapsed * grain; /* overhead behind the last end */
    inlay_resource busiest;
    for (inlay_id l = 0; l < inlay_machine_links(machine); l++) {
        const slow_link *like = &slow->link[l];
        char name[INLAY_MACHINE_NAME];
        if (like->requests == 0) continue;
        inlay_resource said = inlay_simulation_resource(fast, found++);
        ck_assert_int_eq(said.kind, INLAY_RESOURCE_LINK);
        ck_assert_int_eq(said.index, l);
        ck_assert_str_eq(said.name, inlay_machine_link_name(machine, l, name));
        ck_assert_int_eq(said.transfers, like->requests);
        ck_assert_int_eq(said.largest_queue, like->largest);
        ck_assert_double_eq(said.utilisation, elapsed > 0 ? like->busy / elapsed : 0);
        ck_assert_double_eq(said.mean_queue, elapsed > 0 ? like->waited / elapsed : 0);
        ck_assert_double_eq(said.mean_delay, (like->waited + like->busy) / (double)like->requests / grain);
        if (!inlay_machine_link_at(machine, l).parallel) most = fmax(most, said.utilisation);
    }
    ck_assert_uint_eq(inlay_simulation_resources(fast), found);
    ck_assert(inlay_simulation_busiest_link(fast, &busiest) == (most >= 0));
    if (most >= 0) ck_assert_double_eq(busiest.utilisation, most);
}

START_TEST(test_like_the_slow_one)
{
    uint64_t state = (uint64_t)_i + 1;
    slow_run *slow = malloc(sizeof *slow);
    int64_t items = 0, queued = 0;
    for (int round = 0; round < ROUNDS; round++) {
        small_case drawn = _i < MACHINES ? draw(&state, machines[_i]) : draw_unlike(&state, 5, true);
        bool overlap = golden_needs_overlap(drawn.machine);
        inlay_simulation_options options = {.no_overlap = round % 3 == 0 && !overlap, .seed = (uint64_t)round};
        if (round % 5 == 0) options.transfer_time.kind = INLAY_SPREAD_EXPONENTIAL;
        inlay_simulation *fast = links_simulated(drawn.mapping, options);
        slow_simulate(drawn.mapping, &options, slow);
        expect_like_slow(fast, slow);
        expect_same_links(fast, slow, drawn.app);
        items += slow->items;
        for (int l = 0; l < inlay_machine_links(drawn.machine); l++)
            queued += slow->link[l].largest;
        inlay_simulation_free(fast);
        small_clear(&drawn);
    }
    ck_assert_int_gt(items, 5 * ROUNDS); /* or little was compared */
    ck_assert_int_gt(queued, ROUNDS);
    free(slow);
}
END_TEST

START_TEST(test_alone_like_the_slow_one)
{
    uint64_t state = (uint64_t)_i + 100;
    slow_run *slow = malloc(sizeof *slow);
    for (int round = 0; round < ROUNDS; round++) {
        small_case drawn = _i < MACHINES ? draw(&state, machines[_i]) : draw_unlike(&state, 5, true);
        bool overlap = golden_needs_overlap(drawn.machine);
        inlay_simulation_options options = {.no_overlap = round % 3 == 0 && !overlap,
                                            .contention = INLAY_CONTENTION_NONE};
        if (round % 10 == 9) options.contention = INLAY_CONTENTION_FREE;
        inlay_simulation *fast = links_simulated(drawn.mapping, options);
        size_t count;
        const inlay_simulated_message *m = inlay_simulation_messages(fast, &count);
        slow_simulate(drawn.mapping, &options, slow);
        expect_like_slow(fast, slow);
        ck_assert_uint_eq(inlay_simulation_resources(fast), 0);
        for (size_t i = 0; i < count; i++)
            ck_assert_double_eq_tol(m[i].service, m[i].sent - m[i].request, 1e-12 * fmax(1, m[i].sent));
        inlay_simulation_free(fast);
        small_clear(&drawn);
    }
    free(slow);
}
END_TEST

/* ---- Screens ---- */

START_TEST(test_screen_like_the_slow_one)
{
    uint64_t state = (uint64_t)_i + 200;
    slow_run *slow = malloc(sizeof *slow);
    int differ = 0;
    for (int round = 0; round < ROUNDS; round++) {
        small_case drawn =
            _i < MACHINES ? draw(&state, machines[_i]) : draw_unlike(&state, round % 2 == 0 ? 5 : 1, true);
        /* trains that overtake themselves on a parallel link, and hold what is behind it: a screen sees but their ends */
        if (_i >= MACHINES && round % 2 == 0 && inlay_machine_cut_through(drawn.machine)) {
            small_clear(&drawn);
            continue;
        }
        inlay_simulation *run = links_simulated(drawn.mapping, (inlay_simulation_options){0});
        slow_screen(drawn.mapping, INLAY_CONTENTION_QUEUES, slow);
        double latest = latest_of(slow, inlay_app_modules(drawn.app));
        expect_screen(run, slow->elapsed, 1e-12);
        for (inlay_id l = 0; l < inlay_machine_links(drawn.machine); l++)
            if (!inlay_machine_link_at(drawn.machine, l).parallel)
                ck_assert_double_ge(latest, slow->link[l].busy * (1 - 1e-12));
        differ += inlay_simulation_result(run)->makespan != screen_of(drawn.mapping, INLAY_CONTENTION_QUEUES);
        slow_screen(drawn.mapping, INLAY_CONTENTION_NONE, slow);
        ck_assert_double_eq_tol(screen_of(drawn.mapping, INLAY_CONTENTION_NONE), slow->elapsed,
                                1e-12 * fmax(1, slow->elapsed));
        inlay_simulation_free(run);
        small_clear(&drawn);
    }
    ck_assert_int_gt(differ, 0); /* or it were a simulation */
    free(slow);
}
END_TEST

/* ---- The estimate on idle links: one message an item, for of several the estimate knows nothing of the train ---- */

START_TEST(test_alone_like_the_estimate)
{
    uint64_t state = (uint64_t)_i + 300;
    inlay_options ages = {.has_time_frame = true, .time_frame = {{1, -13}, INLAY_UNIT_NONE}};
    for (int round = 0; round < ROUNDS; round++) {
        small_case drawn = draw_unlike(&state, 1, false);
        inlay_id processor[MODULES];
        for (inlay_id i = 0; i < inlay_app_modules(drawn.app); i++)
            processor[i] = inlay_mapping_cluster(drawn.mapping, inlay_mapping_cluster_of(drawn.mapping, i)).processor;
        inlay_mapping *idle = placed(drawn.app, drawn.machine, processor, &ages); /* u is next to nothing */
        inlay_simulation_options options = {.contention = INLAY_CONTENTION_NONE};
        inlay_simulation *run = links_simulated(idle, options);
        for (inlay_id i = 0; i < inlay_app_modules(drawn.app); i++)
            ck_assert_double_eq_tol(inlay_simulation_start(run, i), inlay_mapping_start(idle, i),
                                    1e-7 * fmax(1, inlay_mapping_start(idle, i)));
        inlay_simulation_free(run);
        inlay_mapping_free(idle);
        small_clear(&drawn);
    }
}
END_TEST

/* ---- Threads and seeds ---- */

static inlay_simulation *run_with(const inlay_mapping *mapping, int threads, uint64_t seed)
{
    inlay_simulation_options options = {.replications = 16,
                                        .threads = threads,
                                        .seed = seed,
                                        .module_time = {INLAY_SPREAD_NORMAL, 0.3},
                                        .transfer_time = {INLAY_SPREAD_EXPONENTIAL, 0}};
    inlay_simulation *run = NULL;
    ck_assert_int_eq(inlay_simulate(mapping, &options, &run, NULL), INLAY_OK);
    return run;
}

START_TEST(test_threads)
{
    uint64_t state = 7;
    small_case drawn = draw(&state, machines[_i]);
    inlay_simulation *one = run_with(drawn.mapping, 1, 7);
    int64_t count;
    for (int threads = 2; threads <= 8; threads *= 2) {
        inlay_simulation *more = run_with(drawn.mapping, threads, 7);
        ck_assert_int_eq(memcmp(inlay_simulation_makespans(one, &count), inlay_simulation_makespans(more, &count),
                                16 * sizeof(double)),
                         0);
        for (size_t i = 0; i < inlay_simulation_resources(one); i++) {
            inlay_resource a = inlay_simulation_resource(one, i), b = inlay_simulation_resource(more, i);
            ck_assert(a.utilisation == b.utilisation && a.mean_delay == b.mean_delay);
            ck_assert_int_eq(a.largest_queue, b.largest_queue);
        }
        inlay_simulation_free(more);
    }
    inlay_simulation *other = run_with(drawn.mapping, 2, 8);
    ck_assert(inlay_simulation_result(one)->random);
    ck_assert_double_ne(inlay_simulation_result(one)->makespan, inlay_simulation_result(other)->makespan);
    inlay_simulation_free(one);
    inlay_simulation_free(other);
    small_clear(&drawn);
}
END_TEST

/* ---- Refusals ---- */

/* Times that are no numbers any more are refused: latencies of 10^308 on a route of several links. */
START_TEST(test_past_all_numbers)
{
    uint64_t state = 3;
    inlay_diag *diag = inlay_diag_new();
    machine_host host[NODES] = {0};
    inlay_machine *machine = NULL;
    machine_parts parts = {.name = "far", .source = "far", .document = "", .format = "dot", .host = host};
    parts.topology = draw_tree(&state);
    parts.topology->cut_through = _i == 1;
    for (int h = 0; h < NODES; h++)
        host[h] = (machine_host){.cores = 1, .speed = 1, .memory = -1};
    for (inlay_id l = 0; l < parts.topology->links; l++)
        parts.topology->link[l].latency = 1e308;
    ck_assert_int_eq(machine_assemble(&parts, &machine, NULL), INLAY_OK);
    inlay_id far = 1;
    while (inlay_machine_distance(machine, 0, far) < 2)
        far++;
    inlay_app *app = cholesky4(INLAY_UNIT_TICK);
    inlay_id processor[CHOLESKY] = {0, 0, 0, far};
    inlay_id module[CHOLESKY];
    for (inlay_id i = 0; i < CHOLESKY; i++)
        module[i] = i;
    const inlay_task_schedule schedule = {CHOLESKY, module, processor, false, NULL};
    const placement_input input = {
        .method = "placement", .schedule = &schedule, .reduced_from = -1, .estimate_unreduced = NAN};
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(inlay_evaluate_schedule(app, machine, &schedule, NULL, &mapping, diag), INLAY_OVERFLOW);
    ck_assert_ptr_null(mapping);
    /* without its elapsed time there is one */
    ck_assert_int_eq(evaluate_placement(app, machine, &input, NULL, &mapping, NULL), INLAY_OK);
    for (int contention = INLAY_CONTENTION_QUEUES; contention < INLAY_CONTENTION_FREE; contention++) {
        inlay_simulation *run = NULL;
        inlay_simulation_options options = {.contention = (inlay_contention)contention};
        ck_assert_int_eq(inlay_simulate(mapping, &options, &run, diag), INLAY_OVERFLOW);
        ck_assert_ptr_null(run);
        ck_assert_str_eq(inlay_diag_message(diag), "the simulated times pass the range of numbers; expected less "
                                                   "traffic, or networks of more capacity");
    }
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_simulate_links_random(void)
{
    Suite *suite = suite_create("simulate_links_random");
    TCase *tests = tcase_create("simulate_links_random");
    tcase_add_loop_test(tests, test_like_the_slow_one, 0, MACHINES + 4);
    tcase_add_loop_test(tests, test_alone_like_the_slow_one, 0, MACHINES + 4);
    tcase_add_loop_test(tests, test_screen_like_the_slow_one, 0, MACHINES + 4);
    tcase_add_loop_test(tests, test_alone_like_the_estimate, 0, 4);
    tcase_add_loop_test(tests, test_threads, 0, MACHINES);
    tcase_add_loop_test(tests, test_past_all_numbers, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

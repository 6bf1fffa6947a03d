/*
 * Time and memory of the event engine on tiled Cholesky graphs, beside the reference simulator: same mapping, same run.
 * Tiles of 80 kB (100 x 100 numbers), 10^9 operations a second, 1.25 GB/s and 5 us a message.
 */
#include "bench.h"
#include "reference_simulator.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { TILES = 200, TILE = 100, SMALL_TILES = 50 };

static const char machine_text[] = "bus:64,capacity=1.25GB/s,latency=5us";
static const reference_network bus = {false, 1.25e9, 5e-6}, no_network = {.free = true};

typedef struct question {
    int tiles;
    inlay_id processors;
    bool free;
    bool once;   /* a tile goes once to each processor, which the reference does not know */
    bool weighs; /* memory is asked for, else time */
} question;

typedef struct answer {
    double modules, messages, events; /* events: module ends, transfers, arrivals */
    bench_time engine, reference;
    double bytes; /* of the engine above graph and mapping */
    double makespan, reference_makespan;
} answer;

typedef struct job {
    const inlay_mapping *mapping;
    const question *asked;
    answer *said;
} job;

static int run_engine(void *context)
{
    const job *j = context;
    inlay_simulation_options options = {.contention = j->asked->free ? INLAY_CONTENTION_FREE : INLAY_CONTENTION_QUEUES};
    inlay_simulation *simulation;
    int status = inlay_simulate(j->mapping, &options, &simulation, NULL);
    if (status == INLAY_OK) {
        const inlay_simulation_summary *s = inlay_simulation_result(simulation);
        j->said->makespan = s->makespan;
        j->said->messages = (double)s->messages;
        inlay_simulation_free(simulation);
    }
    return status;
}

static int run_reference(void *context)
{
    const job *j = context;
    return reference_simulate(j->mapping, j->asked->free ? &no_network : &bus, &j->said->reference_makespan);
}

/* Tile (i, j) of a task's result, the lower triangle, to processor (i mod a, j mod b) of an a x b grid. */
static int place(const inlay_app *app, const inlay_machine *machine, const question *q, inlay_mapping **mapping)
{
    inlay_id modules = inlay_app_modules(app);
    inlay_id *processor = malloc((size_t)modules * sizeof *processor);
    if (processor == NULL) {
        return INLAY_NO_MEMORY;
    }
    inlay_id side = (inlay_id)sqrt((double)q->processors), task = 0;
    for (inlay_id k = 0; k < q->tiles; k++) {
        for (inlay_id i = k; i < q->tiles && task < modules; i++) {
            processor[task++] = i % side * side + k % side; /* the factor, and the column under it */
        }
        for (inlay_id i = k + 1; i < q->tiles; i++) {
            for (inlay_id j = k + 1; j <= i && task < modules; j++) {
                processor[task++] = i % side * side + j % side; /* the rest of the triangle */
            }
        }
    }
    const inlay_options options = {.copies = q->once ? INLAY_COPIES_ONCE : INLAY_COPIES_EACH};
    int status = inlay_evaluate(app, machine, processor, &options, mapping, NULL);
    free(processor);
    return status;
}

static int measure(job *j)
{
    answer *a = j->said;
    int status = bench_measure(run_engine, j, &a->engine);
    if (status == INLAY_OK && !j->asked->once) {
        status = bench_measure(run_reference, j, &a->reference);
    }
    a->modules = inlay_app_modules(inlay_mapping_app(j->mapping));
    a->events = a->modules + (j->asked->free ? 0 : 2 * a->messages);
    return status;
}

/* ---- Memory ---- */

/* In a process that begins with graph and mapping, and holds no freed memory that the engine could take. */
static int weigh(const void *context, void *result)
{
    double before = bench_peak_memory();
    answer said;
    job j = *(const job *)context;
    j.said = &said;
    int status = run_engine(&j);
    *(double *)result = bench_peak_memory() - before;
    return status;
}

/* Blocks of some size go back to the system as soon as they are freed: slower, so not while time is measured. */
static void return_memory(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 16);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 16);
#endif
}

/* ---- One question, in a process of its own; another for its memory ---- */

static int with_mapping(const question *q, const inlay_app *app, const inlay_machine *machine, answer *a)
{
    inlay_mapping *mapping;
    int status = place(app, machine, q, &mapping);
    if (status != INLAY_OK) {
        return status;
    }
    job j = {mapping, q, a};
    status = q->weighs ? bench_apart(weigh, &j, &a->bytes, sizeof a->bytes) : measure(&j);
    inlay_mapping_free(mapping);
    return status;
}

static int answer_question(const void *asked, void *result)
{
    const question *q = asked;
    const inlay_generator_options tiled = {
        .kind = "cholesky", .sizes = {[INLAY_SIZE_TILES] = q->tiles, [INLAY_SIZE_TILE] = TILE}, .rate = 1e9};
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    if (q->weighs) {
        return_memory();
    }
    int status = inlay_generate(&tiled, &app, NULL);
    if (status == INLAY_OK) {
        status = inlay_machine_parse(machine_text, &machine, NULL);
    }
    if (status == INLAY_OK) {
        status = with_mapping(q, app, machine, result);
    }
    inlay_machine_free(machine);
    inlay_app_free(app);
    return status;
}

static int ask(question q, answer *a)
{
    answer weighed = {0};
    *a = (answer){0};
    int status = bench_apart(answer_question, &q, a, sizeof *a);
    q.weighs = true;
    if (status == INLAY_OK) {
        status = bench_apart(answer_question, &q, &weighed, sizeof weighed);
    }
    a->bytes = weighed.bytes;
    return status;
}

/* ---- The table ---- */

static void print_row(bench_table *table, const question *q, const answer *a)
{
    bench_cell(table, "%d", q->tiles);
    bench_cell(table, "%d", (int)a->modules);
    bench_cell(table, "%d", (int)q->processors);
    bench_cell(table, "%s", q->free ? "free" : "bus");
    bench_cell(table, "%s", q->once ? "once" : "each");
    bench_cell_number(table, a->events / 1e6, 2);
    bench_cell_time(table, a->engine.seconds);
    double reference = q->once ? (double)NAN : a->reference.seconds;
    bench_cell_time(table, reference);
    bench_cell_number(table, a->events / a->engine.seconds / 1e6, 1);
    bench_cell_number(table, a->events / reference / 1e6, 1);
    bench_cell_number(table, reference / a->engine.seconds, 2);
    bench_cell_number(table, a->bytes / a->modules, 0);
    bench_cell_number(table, 100 * fmax(a->engine.noise, a->reference.noise), 0);
}

/* Both must have simulated the same: the times of messages are added in another order. */
static bool same(const answer *a)
{
    return fabs(a->makespan - a->reference_makespan) <= 1e-9 * a->makespan;
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {{"N", 3},       {"modules", 7},   {"P", 3},     {"network", -7},
                                           {"copies", -6}, {"M events", 8},  {"time", 7},  {"reference", 9},
                                           {"Mev/s", 6},   {"ref Mev/s", 9}, {"ratio", 5}, {"B/module", 8},
                                           {"noise %", 7}};
    static const question questions[] = {
        {.tiles = SMALL_TILES, .processors = 16, .free = true}, {.tiles = SMALL_TILES, .processors = 16},
        {.tiles = TILES, .processors = 16, .free = true},       {.tiles = TILES, .processors = 16},
        {.tiles = TILES, .processors = 64, .free = true},       {.tiles = TILES, .processors = 64},
        {.tiles = TILES, .processors = 16, .once = true},       {.tiles = TILES, .processors = 64, .once = true}};
    bool full;
    if (!bench_arguments(argc, argv, &full)) {
        return 2;
    }
    bench_table table = bench_table_begin("Simulating the tiled Cholesky graph of N x N tiles on P processors "
                                          "(inlay_simulate), beside the reference",
                                          columns, sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (size_t i = 0; i < sizeof questions / sizeof *questions && status == INLAY_OK; i++) {
        answer a;
        status = ask(questions[i], &a);
        if (status == INLAY_OK) {
            print_row(&table, &questions[i], &a);
            if (!questions[i].once && !same(&a)) {
                (void)fprintf(stderr, "%s: the reference takes %g s, not %g\n", argv[0], a.reference_makespan,
                              a.makespan);
                return 3;
            }
        }
    }
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

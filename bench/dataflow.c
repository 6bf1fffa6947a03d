/*
 * Time and memory of dataflow programs: the Cholesky program of the paper's Figure 1, a module an entry of the matrix,
 * profiled; and run on a machine, beside the event engine on the graph that the profile gave.
 */
#include "bench.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- The program ---- */

enum { NORTH, WEST }; /* inputs */
enum { SOUTH, EAST }; /* outputs */

typedef struct node {
    int i, j; /* row and column, from 1 */
    double x; /* the entry */
} node;

static void put_on(inlay_actor *self, int output, const double *x)
{
    inlay_port *port = inlay_output(self, output);
    if (port != NULL) {
        inlay_put(port, x);
    }
}

static void last_step(inlay_actor *self, node *s)
{
    double y;
    bool above = s->j < s->i;
    if (s->i == s->j) {
        s->x = sqrt(s->x);
        inlay_count(self, INLAY_SQRT, 1);
        y = s->x;
    } else {
        inlay_get(inlay_input(self, above ? NORTH : WEST), &y);
        s->x /= y;
        inlay_count(self, INLAY_DIVIDE, 1);
    }
    put_on(self, EAST, above ? &s->x : &y);
    put_on(self, SOUTH, above ? &y : &s->x);
}

static void body(inlay_actor *self, void *state)
{
    node *s = state;
    int last = s->i < s->j ? s->i : s->j;
    for (int k = 1; k < last; k++) {
        double y, z;
        inlay_get(inlay_input(self, NORTH), &y);
        inlay_get(inlay_input(self, WEST), &z);
        s->x -= y * z;
        inlay_count(self, INLAY_MULTIPLY, 1);
        inlay_count(self, INLAY_ADD, 1);
        put_on(self, SOUTH, &y);
        put_on(self, EAST, &z);
    }
    last_step(self, s);
}

/* ---- What is measured ---- */

typedef struct question {
    int size;            /* rows and columns */
    bool against;        /* modules are numbered against the flow of the values: all of them wait at once */
    const char *machine; /* NULL: profile */
} question;

typedef struct answer {
    double modules, values, switches, messages;
    bench_time time, engine;
    double bytes;
    double elapsed, simulated;
} answer;

typedef struct job {
    const question *asked;
    answer *said;
    inlay_program *program;
    inlay_profile *profile;
    inlay_mapping *mapping;
} job;

static inlay_id number(const question *q, int i, int j)
{
    inlay_id at = (inlay_id)((i - 1) * q->size + j - 1);
    return q->against ? q->size * q->size - 1 - at : at;
}

static void wire(inlay_program *program, const question *q, int i, int j)
{
    inlay_id from = number(q, i, j);
    if (j < q->size) {
        (void)inlay_program_wire(program, from, EAST, number(q, i, j + 1), WEST, sizeof(double), 0, NULL);
    }
    if (i < q->size) {
        (void)inlay_program_wire(program, from, SOUTH, number(q, i + 1, j), NORTH, sizeof(double), 0, NULL);
    }
}

/* What fails here fails the run. */
static inlay_program *make_program(const question *q)
{
    inlay_program *program = inlay_program_new("cholesky");
    int cells = q->size * q->size;
    for (int k = 0; program != NULL && k < cells; k++) {
        int at = q->against ? cells - 1 - k : k;
        node n = {at / q->size + 1, at % q->size + 1, 0};
        char name[32];
        n.x = (n.i == n.j ? q->size : 0) + 1.0 / (n.i + n.j);
        (void)snprintf(name, sizeof name, "m%d_%d", n.i, n.j);
        (void)inlay_program_module(program, name, body, &n, sizeof n, NULL);
    }
    for (int k = 0; program != NULL && k < cells; k++) {
        wire(program, q, k / q->size + 1, k % q->size + 1);
    }
    return program;
}

static int run_profile(void *context)
{
    const job *j = context;
    inlay_profile *profile;
    int status = inlay_program_profile(j->program, NULL, &profile, NULL);
    if (status == INLAY_OK) {
        j->said->values = (double)inlay_profile_values(profile);
        j->said->switches = (double)inlay_profile_switches(profile);
        j->said->elapsed = inlay_profile_elapsed(profile);
        inlay_profile_free(profile);
    }
    return status;
}

static int run_mapped(void *context)
{
    const job *j = context;
    inlay_program_run *run;
    int status = inlay_program_execute(j->program, j->mapping, NULL, &run, NULL);
    if (status == INLAY_OK) {
        inlay_program_summary s = inlay_program_run_summary(run);
        j->said->messages = (double)s.messages;
        j->said->switches = (double)s.switches;
        j->said->elapsed = s.elapsed;
        inlay_program_run_free(run);
    }
    return status;
}

static int run_engine(void *context)
{
    const job *j = context;
    inlay_simulation *simulation;
    int status = inlay_simulate(j->mapping, NULL, &simulation, NULL);
    if (status == INLAY_OK) {
        j->said->simulated = inlay_simulation_result(simulation)->makespan;
        inlay_simulation_free(simulation);
    }
    return status;
}

/* Entry (i, j) to processor (i mod a, j mod a) of the first a x a. */
static int place(job *j, const inlay_machine *machine)
{
    const question *q = j->asked;
    inlay_id side = (inlay_id)sqrt((double)inlay_machine_processors(machine));
    inlay_id *processor = malloc((size_t)q->size * (size_t)q->size * sizeof *processor);
    if (processor == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (int i = 1; i <= q->size; i++) {
        for (int k = 1; k <= q->size; k++) {
            processor[number(q, i, k)] = i % side * side + k % side;
        }
    }
    int status = inlay_evaluate(inlay_profile_app(j->profile), machine, processor, NULL, &j->mapping, NULL);
    free(processor);
    return status;
}

static int measure_mapped(job *j)
{
    inlay_machine *machine = NULL;
    int status = inlay_machine_parse(j->asked->machine, &machine, NULL);
    if (status == INLAY_OK) {
        status = inlay_program_profile(j->program, NULL, &j->profile, NULL);
    }
    if (status == INLAY_OK) {
        status = place(j, machine);
    }
    if (status == INLAY_OK) {
        status = bench_measure(run_mapped, j, &j->said->time);
    }
    if (status == INLAY_OK) {
        status = bench_measure(run_engine, j, &j->said->engine);
    }
    inlay_mapping_free(j->mapping);
    inlay_profile_free(j->profile);
    inlay_machine_free(machine);
    return status;
}

static int answer_question(const void *asked, void *result)
{
    const question *q = asked;
    answer *a = result;
    job j = {.asked = q, .said = a, .program = make_program(q)};
    *a = (answer){.modules = (double)q->size * q->size};
    int status = j.program == NULL    ? INLAY_NO_MEMORY
                 : q->machine == NULL ? bench_measure(run_profile, &j, &a->time)
                                      : measure_mapped(&j);
    a->bytes = bench_peak_memory();
    inlay_program_free(j.program);
    return status;
}

/* ---- The tables ---- */

static void print_profile(bench_table *table, const question *q, const answer *a)
{
    bench_cell(table, "%d", q->size);
    bench_cell(table, "%s", q->against ? "against" : "with");
    bench_cell_number(table, a->modules, 0);
    bench_cell_number(table, a->values, 0);
    bench_cell_number(table, a->switches, 0);
    bench_cell_time(table, a->time.seconds);
    bench_cell_time(table, a->time.seconds / a->values);
    bench_cell_number(table, a->bytes / 1e6, 1);
    bench_cell_number(table, 100 * a->time.noise, 0);
}

static void print_mapped(bench_table *table, const question *q, const answer *a)
{
    bench_cell(table, "%d", q->size);
    bench_cell(table, "%s", q->machine);
    bench_cell_number(table, a->messages, 0);
    bench_cell_number(table, a->switches, 0);
    bench_cell_time(table, a->time.seconds);
    bench_cell_time(table, a->time.seconds / a->messages);
    bench_cell_time(table, a->engine.seconds);
    bench_cell_number(table, a->elapsed, 0);
    bench_cell_number(table, a->simulated, 0);
    bench_cell_number(table, a->elapsed / a->simulated, 3);
    bench_cell_number(table, 100 * a->time.noise, 0);
}

static int ask_all(bench_table *table, const question *question_list, size_t count,
                   void (*print)(bench_table *table, const question *q, const answer *a))
{
    int status = INLAY_OK;
    for (size_t i = 0; i < count && status == INLAY_OK; i++) {
        answer a;
        status = bench_apart(answer_question, &question_list[i], &a, sizeof a);
        if (status == INLAY_OK) {
            print(table, &question_list[i], &a);
        }
    }
    return status;
}

int main(int argc, char **argv)
{
    static const bench_column profile[] = {{"N", 3},       {"numbered", -8}, {"modules", 7},
                                           {"values", 8},  {"switches", 8},  {"time", 7},
                                           {"t/value", 7}, {"MB", 6},        {"noise %", 7}};
    static const bench_column mapped[] = {{"N", 3},         {"machine", -30}, {"messages", 8}, {"switches", 8},
                                          {"time", 7},      {"t/message", 9}, {"engine", 7},   {"elapsed", 8},
                                          {"simulated", 9}, {"ratio", 5},     {"noise %", 7}};
    static const question profiles[] = {{32, false, NULL}, {32, true, NULL},   {100, false, NULL},
                                        {100, true, NULL}, {170, false, NULL}, {170, true, NULL}};
    static const question runs[] = {{32, false, "bus:16,capacity=4msg/tick"},
                                    {100, false, "bus:16,capacity=4msg/tick"},
                                    {100, false, "omega:16,cycle=0.25tick"},
                                    {100, false, "torus:4x4,capacity=1msg/tick"},
                                    {100, false, "torus:8x8,capacity=1msg/tick"}};
    bool full;
    if (!bench_arguments(argc, argv, &full)) {
        return 2;
    }
    bench_table table =
        bench_table_begin("Profiling the Cholesky program of N x N modules (inlay_program_profile), which are "
                          "numbered with or against the flow of values",
                          profile, sizeof profile / sizeof *profile);
    int status = ask_all(&table, profiles, full ? 6 : 4, print_profile);
    if (status == INLAY_OK) {
        table = bench_table_begin("Running it mapped (inlay_program_execute), beside the event engine on its graph "
                                  "(inlay_simulate)",
                                  mapped, sizeof mapped / sizeof *mapped);
        status = ask_all(&table, runs, sizeof runs / sizeof *runs, print_mapped);
    }
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

/*
 * How long one evaluation of a delay function takes: the five models of <inlay/network.h>, both directions, at three
 * sizes and four loads; what making a multiple bus costs before; and the same through <inlay/delay.h>, with a machine's
 * own attributes and units.
 */
#include "bench.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { SIZES = 3, LOADS = 4, SWITCH = 10, PACKETS = 4 };

/* Processors: powers of SWITCH, which omega networks ask for. */
static const int64_t sizes[SIZES] = {10, 1000, 1000000};
static const double loads[LOADS] = {0.1, 0.5, 0.9, 0.999}; /* u / u_limit */

/* ---- The models ---- */

/* One network, the point that is evaluated, and the results. */
typedef struct network {
    int64_t k;
    inlay_multibus *multibus; /* ours; NULL in other models */
    inlay_omega omega;
    double u, rho;
    double result[3];
} network;

static double limit_one(const network *net)
{
    (void)net;
    return 1;
}

static double limit_multibus(const network *net)
{
    return inlay_multibus_limit(net->multibus);
}

static double limit_omega(const network *net)
{
    return inlay_omega_limit(&net->omega);
}

/* Forward: from net->rho to u and D. Inverse: from net->u to result[0] = rho, and D. */

static int bus_forward(void *context)
{
    network *net = context;
    return inlay_bus_utilisation(net->k, net->rho, &net->result[0], NULL, &net->result[1]);
}

static int common_inverse(void *context)
{
    network *net = context;
    int status = inlay_bus_rate(net->k, net->u, &net->result[0], &net->result[1]);
    return status != INLAY_OK ? status : inlay_bus_common_processor_rate(net->result[0], &net->result[2]);
}

static int distributed_inverse(void *context)
{
    network *net = context;
    int status = inlay_bus_rate(net->k, net->u, &net->result[0], &net->result[1]);
    return status != INLAY_OK ? status : inlay_bus_distributed_processor_rate(net->result[0], &net->result[2]);
}

static int multibus_forward(void *context)
{
    network *net = context;
    return inlay_multibus_utilisation(net->multibus, net->rho, &net->result[0], &net->result[1], NULL);
}

static int multibus_inverse(void *context)
{
    network *net = context;
    return inlay_multibus_rate(net->multibus, net->u, &net->result[0], &net->result[1]);
}

static int omega_forward(void *context)
{
    network *net = context;
    return inlay_omega_utilisation(&net->omega, net->rho, &net->result[0], &net->result[1]);
}

static int omega_inverse(void *context)
{
    network *net = context;
    return inlay_omega_rate(&net->omega, net->u, &net->result[0], &net->result[1]);
}

static int omega_pe_forward(void *context)
{
    network *net = context;
    return inlay_omega_pe_utilisation(&net->omega, net->rho, &net->result[0], &net->result[1]);
}

static int omega_pe_inverse(void *context)
{
    network *net = context;
    return inlay_omega_pe_rate(&net->omega, net->u, &net->result[0], &net->result[1]);
}

/* How many memories and buses a multiple bus of k processors has, and up to which k it is measured. */
typedef struct shape {
    int64_t memory_share;  /* m = k / memory_share, */
    int64_t most_memories; /* but no more than these */
    int64_t bus_share;     /* b = m / bus_share */
    int64_t most_processors;
} shape;

/* With few buses beta_l soon comes to b, whatever k is; with k/4 of them it does so late, and making it costs k^2. */
static const shape few = {1, 64, 4, 1000000};
static const shape many = {2, 500, 2, 1000};

typedef struct model {
    const char *name;
    const char *family, *attributes; /* of a machine of this model */
    const shape *multibus;           /* NULL in other models */
    inlay_multibus_model kind;       /* of a multibus */
    double (*limit)(const network *net);
    int (*forward)(void *net);
    int (*inverse)(void *net);
} model;

#define OMEGA "switch=10,packets=4,cycle=1tick" /* SWITCH, PACKETS */

static const model models[] = {
    {"1 bus, common", "bus", "memory=common", NULL, 0, limit_one, bus_forward, common_inverse},
    {"2 bus, distributed", "bus", "memory=distributed", NULL, 0, limit_one, bus_forward, distributed_inverse},
    {"3 multibus", "multibus", "model=paper", &few, INLAY_MULTIBUS_PAPER, limit_multibus, multibus_forward,
     multibus_inverse},
    {"3 multibus", "multibus", "model=paper", &many, INLAY_MULTIBUS_PAPER, limit_multibus, multibus_forward,
     multibus_inverse},
    {"3 occupancy", "multibus", "model=occupancy", &few, INLAY_MULTIBUS_OCCUPANCY, limit_multibus, multibus_forward,
     multibus_inverse},
    {"3 occupancy", "multibus", "model=occupancy", &many, INLAY_MULTIBUS_OCCUPANCY, limit_multibus, multibus_forward,
     multibus_inverse},
    {"4 omega", "omega", OMEGA ",transit=1tick", NULL, 0, limit_omega, omega_forward, omega_inverse},
    {"5 omega-pe", "omega-pe", OMEGA, NULL, 0, limit_one, omega_pe_forward, omega_pe_inverse},
};

enum { MODELS = sizeof models / sizeof *models };

static int64_t memories(const model *m, int64_t k)
{
    int64_t share = k / m->multibus->memory_share;
    return share < m->multibus->most_memories ? share : m->multibus->most_memories;
}

static int64_t buses(const model *m, int64_t k)
{
    return memories(m, k) / m->multibus->bus_share;
}

static bool covers(const model *m, int64_t k)
{
    return m->multibus == NULL || k <= m->multibus->most_processors;
}

/* ---- Rows ---- */

/* Times of one row at all loads. */
typedef struct row {
    bench_time at[LOADS];
    double mean; /* geometric */
    double noise;
} row;

static void summarise(row *r)
{
    double logs = 0;
    r->noise = 0;
    for (int i = 0; i < LOADS; i++) {
        logs += log(r->at[i].seconds);
        r->noise = fmax(r->noise, r->at[i].noise);
    }
    r->mean = exp(logs / LOADS);
}

/* "k", or "k x m x b". */
static void cell_size(bench_table *table, const model *m, int64_t k)
{
    if (m->multibus == NULL) {
        bench_cell(table, "%" PRId64, k);
    } else {
        bench_cell(table, "%" PRId64 " x %" PRId64 " x %" PRId64, k, memories(m, k), buses(m, k));
    }
}

/* The cells that close a row: against the number of processors, and against the row for the size before (0: none). */
static void cells_growth(bench_table *table, double seconds, double seconds_before, int size)
{
    double k = (double)sizes[size];
    double k_before = size > 0 ? (double)sizes[size - 1] : 0;
    bench_cell_time(table, seconds / k);
    bench_cell_number(table, size > 0 ? seconds / seconds_before : NAN, 1);
    bench_cell_number(table, bench_exponent(seconds_before, seconds, k_before, k), 2);
}

/* ---- Evaluations ---- */

static int network_new(const model *m, int64_t k, network *net)
{
    *net = (network){.k = k,
                     .omega = {.processors = k, .switch_size = SWITCH, .packets = PACKETS, .transit = 1, .cycle = 1}};
    return m->multibus == NULL ? INLAY_OK : inlay_multibus_new(k, memories(m, k), buses(m, k), m->kind, &net->multibus);
}

/* Both directions at every load: at the utilisation, and at the rate that belongs to it. */
static int measure_network(const model *m, network *net, row *forward, row *inverse)
{
    for (int i = 0; i < LOADS; i++) {
        net->u = loads[i] * m->limit(net);
        int status = bench_measure(m->inverse, net, &inverse->at[i]);
        net->rho = net->result[0];
        if (status == INLAY_OK) {
            status = bench_measure(m->forward, net, &forward->at[i]);
        }
        if (status != INLAY_OK) {
            return status;
        }
    }
    summarise(forward);
    summarise(inverse);
    return INLAY_OK;
}

static int measure_size(const model *m, int64_t k, row *forward, row *inverse)
{
    network net;
    int status = network_new(m, k, &net);
    if (status == INLAY_OK) {
        status = measure_network(m, &net, forward, inverse);
        inlay_multibus_free(net.multibus);
    }
    return status;
}

/* `forward` is NULL in a row that is that direction itself. */
static void print_evaluations(bench_table *table, const model *m, const row *r, const row *forward, double mean_before,
                              int size)
{
    bench_cell(table, "%s", m->name);
    cell_size(table, m, sizes[size]);
    bench_cell(table, forward == NULL ? "rho to u" : "u to rho");
    for (int i = 0; i < LOADS; i++) {
        bench_cell_time(table, r->at[i].seconds);
    }
    cells_growth(table, r->mean, mean_before, size);
    bench_cell_number(table, forward == NULL ? NAN : r->mean / forward->mean, 1);
    bench_cell_number(table, 100 * r->noise, 0);
}

static int bench_model(bench_table *table, const model *m)
{
    row forward = {0};
    row inverse = {0};
    for (int i = 0; i < SIZES && covers(m, sizes[i]); i++) {
        double forward_before = forward.mean;
        double inverse_before = inverse.mean;
        int status = measure_size(m, sizes[i], &forward, &inverse);
        if (status != INLAY_OK) {
            return status;
        }
        print_evaluations(table, m, &forward, NULL, forward_before, i);
        print_evaluations(table, m, &inverse, &forward, inverse_before, i);
    }
    return INLAY_OK;
}

static int bench_evaluations(void)
{
    static const bench_column columns[] = {
        {"model", -18},  {"k or k x m x b", -17}, {"from", -8},  {"at 0.1", 7}, {"at 0.5", 7},   {"at 0.9", 7},
        {"at 0.999", 8}, {"mean/k", 7},           {"growth", 6}, {"power", 5},  {"/forward", 8}, {"noise %", 7}};
    bench_table table = bench_table_begin("One evaluation at a load u/u_limit (inlay_bus_*, inlay_multibus_*, "
                                          "inlay_omega_*)",
                                          columns, sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (int i = 0; i < MODELS && status == INLAY_OK; i++) {
        status = bench_model(&table, &models[i]);
    }
    return status;
}

/* ---- Making a multiple bus ---- */

typedef struct plan {
    const model *m;
    int64_t k;
} plan;

static int make_and_free(void *context)
{
    const plan *p = context;
    network net;
    int status = network_new(p->m, p->k, &net);
    if (status == INLAY_OK) {
        inlay_multibus_free(net.multibus);
    }
    return status;
}

static int bench_making(void)
{
    static const bench_column columns[] = {{"model", -11}, {"k x m x b", -17}, {"time", 7},   {"time/k", 7},
                                           {"growth", 6},  {"power", 5},       {"noise %", 7}};
    bench_table table =
        bench_table_begin("Making a multiple bus (inlay_multibus_new)", columns, sizeof columns / sizeof *columns);
    for (int i = 0; i < MODELS; i++) {
        bench_time time = {0};
        for (int j = 0; models[i].multibus != NULL && j < SIZES && covers(&models[i], sizes[j]); j++) {
            double before = time.seconds;
            int status = bench_measure(make_and_free, &(plan){&models[i], sizes[j]}, &time);
            if (status != INLAY_OK) {
                return status;
            }
            bench_cell(&table, "%s", models[i].name);
            cell_size(&table, &models[i], sizes[j]);
            bench_cell_time(&table, time.seconds);
            cells_growth(&table, time.seconds, before, j);
            bench_cell_number(&table, 100 * time.noise, 0);
        }
    }
    return INLAY_OK;
}

/* ---- Through a machine ---- */

/* The same evaluation twice: through the machine, and by the formula alone. */
typedef struct machine_point {
    inlay_machine *machine;
    inlay_delay *delay;
    network net; /* its u is the point */
} machine_point;

typedef struct machine_times {
    bench_time making, evaluation, formula;
} machine_times;

static const double machine_load = 0.9;

static int machine_make(const model *m, int64_t k, inlay_machine **machine)
{
    char parts[64] = "";
    char text[160];
    if (m->multibus != NULL) {
        (void)snprintf(parts, sizeof parts, "memories=%" PRId64 ",buses=%" PRId64 ",", memories(m, k), buses(m, k));
    }
    (void)snprintf(text, sizeof text, "%s:%" PRId64 ",%s%s", m->family, k, parts, m->attributes);
    return inlay_machine_parse(text, machine, NULL);
}

static int delay_make_and_free(void *context)
{
    const machine_point *point = context;
    inlay_delay *delay;
    int status = inlay_delay_new(point->machine, &delay, NULL);
    if (status == INLAY_OK) {
        inlay_delay_free(delay);
    }
    return status;
}

static int delay_evaluate(void *context)
{
    const machine_point *point = context;
    inlay_delay_point result;
    return inlay_delay_at_utilisation(point->delay, point->net.u, &result, NULL);
}

static int point_make(const model *m, int64_t k, machine_point *point)
{
    int status = network_new(m, k, &point->net);
    if (status == INLAY_OK) {
        point->net.u = machine_load * m->limit(&point->net);
        status = machine_make(m, k, &point->machine);
    }
    if (status == INLAY_OK) {
        status = inlay_delay_new(point->machine, &point->delay, NULL);
    }
    return status;
}

static int measure_machine(const model *m, int64_t k, machine_times *times)
{
    machine_point point = {0};
    int status = point_make(m, k, &point);
    if (status == INLAY_OK) {
        status = bench_measure(delay_make_and_free, &point, &times->making);
    }
    if (status == INLAY_OK) {
        status = bench_measure(delay_evaluate, &point, &times->evaluation);
    }
    if (status == INLAY_OK) {
        status = bench_measure(m->inverse, &point.net, &times->formula);
    }
    inlay_delay_free(point.delay);
    inlay_machine_free(point.machine);
    inlay_multibus_free(point.net.multibus);
    return status;
}

static int bench_machine(bench_table *table, const model *m)
{
    machine_times times = {0};
    for (int i = 0; i < SIZES && covers(m, sizes[i]); i++) {
        double before = times.evaluation.seconds;
        int status = measure_machine(m, sizes[i], &times);
        if (status != INLAY_OK) {
            return status;
        }
        double seconds = times.evaluation.seconds;
        bench_cell(table, "%s", m->name);
        cell_size(table, m, sizes[i]);
        bench_cell_time(table, times.making.seconds);
        bench_cell_time(table, seconds);
        cells_growth(table, seconds, before, i);
        bench_cell_number(table, seconds / times.formula.seconds, 1);
        bench_cell_number(table, times.making.seconds / seconds, 1);
        bench_cell_number(table, 100 * fmax(times.making.noise, times.evaluation.noise), 0);
    }
    return INLAY_OK;
}

static int bench_machines(void)
{
    static const bench_column columns[] = {{"model", -18},     {"k or k x m x b", -17}, {"new", 7},   {"at 0.9", 7},
                                           {"time/k", 7},      {"growth", 6},           {"power", 5}, {"/formula", 8},
                                           {"new/at 0.9", 10}, {"noise %", 7}};
    bench_table table = bench_table_begin("Through a machine (inlay_delay_new, inlay_delay_at_utilisation)", columns,
                                          sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (int i = 0; i < MODELS && status == INLAY_OK; i++) {
        status = bench_machine(&table, &models[i]);
    }
    return status;
}

int main(int argc, char **argv)
{
    bool full; /* there is nothing larger to measure */
    if (!bench_arguments(argc, argv, &full)) {
        return 2;
    }
    int status = bench_evaluations();
    if (status == INLAY_OK) {
        status = bench_making();
    }
    if (status == INLAY_OK) {
        status = bench_machines();
    }
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

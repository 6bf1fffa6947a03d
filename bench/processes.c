/*
 * What process counts cost: the best placement of l processes on p processors that all differ, beside the paper's
 * algorithm, and the search through all l.
 */
#include "bench.h"
#include <inlay/processes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PROCESSORS = 10000, MEASURED = 4 };

static const int64_t data = INT64_C(1000000000); /* W */
static const double most_steps = 2e9;            /* of the paper's algorithm, p l: more take half a minute */

typedef struct platform {
    inlay_process_problem problem;
    inlay_processors row[MOST_PROCESSORS];
    inlay_performance *performance[MOST_PROCESSORS];
    double next[MOST_PROCESSORS]; /* of the paper's algorithm: t_i(l_i + 1) */
    int64_t l_i[MOST_PROCESSORS];
} platform;

typedef struct job {
    platform *on;
    inlay_process_options options;
    double time; /* the answer */
    int64_t total;
} job;

/* ---- Platforms ---- */

/* splitmix64 (Steele, Lea and Flood 2014) */
static double next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* A table of what the formula gives, from 1 to 8 processes and W/p/8 to 8 W/p data. */
static int make_table(const inlay_performance *formula, int processors, inlay_performance **made)
{
    inlay_measurement m[MEASURED * MEASURED];
    size_t count = 0;
    for (int j = 0; j < MEASURED; j++) {
        for (int k = 0; k < MEASURED; k++) {
            int64_t x = INT64_C(1) << j;
            double y = (double)data / processors * pow(4, k - 1.5);
            m[count++] = (inlay_measurement){x, y, inlay_performance_speed(formula, (double)x, y)};
        }
    }
    return inlay_performance_table(m, count, made, NULL);
}

static int make(int processors, inlay_performance_form form, platform *on)
{
    uint64_t state = 1;
    int status = INLAY_OK;
    on->problem = (inlay_process_problem){.rows = (size_t)processors, .row = on->row, .data = data};
    for (int i = 0; i < processors && status == INLAY_OK; i++) {
        double share = (double)data / processors;
        inlay_performance_numbers n = {0.1 + 0.9 * next(&state), 10 + 20 * next(&state),
                                       share * (3 + 5 * next(&state))};
        inlay_performance *made = NULL;
        if (form == INLAY_PERFORMANCE_CONSTANT) {
            n.a = n.b = 0;
        }
        status = inlay_performance_formula(INLAY_PERFORMANCE_OFFSET, &n, &made, NULL);
        on->performance[i] = made;
        if (status == INLAY_OK && form == INLAY_PERFORMANCE_TABLE) {
            status = make_table(made, processors, &on->performance[i]);
            inlay_performance_free(made);
        }
        on->row[i] = (inlay_processors){.count = 1, .performance = on->performance[i]};
    }
    return status;
}

static void clear(platform *on)
{
    for (size_t i = 0; i < on->problem.rows; i++) {
        inlay_performance_free(on->performance[i]);
        on->performance[i] = NULL;
    }
}

/* ---- Methods ---- */

static int run(void *context)
{
    job *j = context;
    inlay_process_plan *plan = NULL;
    int status = inlay_processes(&j->on->problem, &j->options, &plan, NULL);
    if (status == INLAY_OK) {
        j->time = inlay_process_plan_at(plan, 0)->time;
        j->total = inlay_process_plan_at(plan, 0)->total;
        inlay_process_plan_free(plan);
    }
    return status;
}

/* Process after process to the processor that would end first, as the paper has it. */
static int run_paper(void *context)
{
    job *j = context;
    platform *on = j->on;
    size_t p = on->problem.rows;
    double unit = (double)data / (double)j->options.to;
    j->time = 0;
    for (size_t i = 0; i < p; i++) {
        on->l_i[i] = 0;
        on->next[i] = inlay_processors_time(&on->row[i], 1, unit);
    }
    for (int64_t dealt = 0; dealt < j->options.to; dealt++) {
        size_t first = 0;
        for (size_t i = 1; i < p; i++) {
            first = on->next[i] < on->next[first] ? i : first;
        }
        double k = (double)(++on->l_i[first]);
        j->time = fmax(j->time, on->next[first]);
        on->next[first] = inlay_processors_time(&on->row[first], k + 1, (k + 1) * unit);
    }
    return INLAY_OK;
}

/* ---- Tables ---- */

typedef struct question {
    inlay_performance_form form;
    int processors;
    int64_t from, to;
    double goal; /* seconds; 0: none */
} question;

static const char *verdict(double seconds, double goal)
{
    return goal <= 0 ? "" : seconds <= goal ? "yes" : "NO";
}

/* One l, beside the paper's algorithm where that ends soon; the answers must agree. */
static int bench_one(const question *q, platform *on, bench_table *table)
{
    job j = {.on = on, .options = {.beyond_hoho = true, .from = q->from, .to = q->to}};
    bench_time time = {0};
    bench_time paper = {.seconds = NAN};
    int status = make(q->processors, q->form, on);
    if (status == INLAY_OK) {
        status = bench_measure(run, &j, &time);
    }
    double answer = j.time;
    if (status == INLAY_OK && (double)q->processors * (double)q->to <= most_steps) {
        status = bench_measure(run_paper, &j, &paper);
        status = j.time == answer ? status : INLAY_BAD_INPUT;
    }
    bench_cell(table, "%s", inlay_performance_form_name(q->form));
    bench_cell(table, "%d", q->processors);
    bench_cell(table, "%lld", (long long)q->to);
    bench_cell_time(table, time.seconds);
    bench_cell_time(table, paper.seconds);
    bench_cell_number(table, paper.seconds / time.seconds, 0);
    bench_cell(table, "%s", verdict(time.seconds, q->goal));
    bench_cell_number(table, 100 * time.noise, 0);
    clear(on);
    return status;
}

static int bench_scan(const question *q, bool beyond, platform *on, bench_table *table)
{
    job j = {.on = on, .options = {.beyond_hoho = beyond, .from = q->from, .to = q->to}};
    bench_time time = {0};
    int status = make(q->processors, q->form, on);
    if (status == INLAY_OK) {
        status = bench_measure(run, &j, &time);
    }
    bench_cell(table, "%s", inlay_performance_form_name(q->form));
    bench_cell(table, "%d", q->processors);
    bench_cell(table, "%lld", (long long)q->to);
    bench_cell(table, "%s", beyond ? "no" : "yes");
    bench_cell_time(table, time.seconds);
    bench_cell(table, "%lld", (long long)j.total);
    bench_cell(table, "%s", verdict(time.seconds, q->goal));
    bench_cell_number(table, 100 * time.noise, 0);
    clear(on);
    return status;
}

static int bench_ones(bool full, platform *on)
{
    static const question questions[] = {{INLAY_PERFORMANCE_OFFSET, 6, 1000000, 1000000, 0},
                                         {INLAY_PERFORMANCE_OFFSET, 100, 1000000, 1000000, 0},
                                         {INLAY_PERFORMANCE_OFFSET, 10000, 10000, 10000, 0},
                                         {INLAY_PERFORMANCE_OFFSET, 10000, 100000, 100000, 0},
                                         {INLAY_PERFORMANCE_OFFSET, 10000, 1000000, 1000000, 0.05},
                                         {INLAY_PERFORMANCE_TABLE, 10000, 1000000, 1000000, 0}};
    static const bench_column columns[] = {{"f", -8},      {"p", 6},     {"l", 8},        {"time", 8},
                                           {"paper's", 8}, {"ratio", 7}, {"in 50 ms", 8}, {"noise %", 7}};
    bench_table table = bench_table_begin("The best placement of l processes on p processors", columns,
                                          sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (size_t n = 0; n < sizeof questions / sizeof *questions && status == INLAY_OK; n++) {
        question q = questions[n];
        status = bench_one(&q, on, &table);
    }
    (void)full;
    return status;
}

static int bench_scans(bool full, platform *on)
{
    static const question questions[] = {
        {INLAY_PERFORMANCE_OFFSET, 6, 1, 1000000, 0.5},      {INLAY_PERFORMANCE_CONSTANT, 6, 1, 1000000, 0.5},
        {INLAY_PERFORMANCE_TABLE, 6, 1, 1000000, 0},         {INLAY_PERFORMANCE_OFFSET, 100, 1, 100000, 0},
        {INLAY_PERFORMANCE_CONSTANT, 2500, 1, 25000, 0},     {INLAY_PERFORMANCE_CONSTANT, 5000, 1, 50000, 0},
        {INLAY_PERFORMANCE_CONSTANT, 10000, 1, 100000, 0.5}, {INLAY_PERFORMANCE_OFFSET, 10000, 1, 100000, 0.5}};
    static const bench_column columns[] = {{"f", -8},   {"p", 6},      {"l up to", 8},  {"t_HoHo", 6},
                                           {"time", 8}, {"best l", 8}, {"in 0.5 s", 8}, {"noise %", 7}};
    bench_table table = bench_table_begin("The search through all l (t_HoHo: whether it binds)", columns,
                                          sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    (void)full;
    for (size_t n = 0; n < sizeof questions / sizeof *questions && status == INLAY_OK; n++) {
        status = bench_scan(&questions[n], false, on, &table);
        if (status == INLAY_OK) {
            status = bench_scan(&questions[n], true, on, &table);
        }
    }
    return status;
}

int main(int argc, char **argv)
{
    bool full = false;
    if (!bench_arguments(argc, argv, &full)) {
        return 2;
    }
    platform *on = calloc(1, sizeof *on);
    int status = on == NULL ? INLAY_NO_MEMORY : bench_ones(full, on);
    if (status == INLAY_OK) {
        status = bench_scans(full, on);
    }
    free(on);
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

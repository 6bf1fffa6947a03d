/*
 * The simulation study: its generator, then the jobs. A job is one metasystem of a cell with all its programs. Jobs have
 * random numbers of their own and what they add are counts, so that nothing depends on who does which.
 */
#include "study.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* ---- The generator ---- */

/* The next number of a stream (splitmix64: G. Steele, D. Lea and C. Flood, OOPSLA 2014). */
static uint64_t next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* States that are a few steps apart would give streams that are the same but for their begin: hence the mixing. */
uint64_t study_stream(uint64_t seed, uint64_t number)
{
    uint64_t state = next(&seed) ^ number * UINT64_C(0xd1342543de82ef95);
    return next(&state);
}

/* 1 .. most; `most` below 2^32. */
static int64_t whole(uint64_t *state, int64_t most)
{
    return 1 + (int64_t)(((next(state) >> 32) * (uint64_t)most) >> 32);
}

static double real(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(next(state) >> 11) * 0x1p-53);
}

/* Latencies up to 1000 usec, up to 6.4 + 11.9 p usec a byte. */
static inlay_select_cluster draw_cluster(uint64_t *state, const study_cell *cell)
{
    inlay_select_cluster c = {.processors = (int32_t)whole(state, STUDY_PROCESSORS)};
    c.rate = (double)whole(state, STUDY_RATE);
    bool mesh = cell->mixed && next(state) >> 63 != 0;
    double u = real(state, 0.01, 1);
    c.c2 = 1000 * u;
    c.c3 = 6.4 * u;
    c.c4 = 11.9 * u;
    if (mesh && cell->topology == INLAY_PATTERN_TREE) {
        c.growth = INLAY_GROWTH_LOG2;
    } else if (mesh && cell->topology == INLAY_PATTERN_LINE) {
        /* neighbours on the line are neighbours on the mesh: next to no dependence on p (footnote 4) */
        c.c1 = c.c2;
        c.c2 *= 0.01;
        c.c4 *= 0.01;
    }
    return c;
}

void study_draw_metasystem(uint64_t *state, const study_cell *cell, study_metasystem *made)
{
    *made = (study_metasystem){.clusters = (int32_t)whole(state, STUDY_CLUSTERS)};
    for (int32_t i = 0; i < made->clusters; i++) {
        made->cluster[i] = draw_cluster(state, cell);
    }
    if (cell->routers) {
        double v = real(state, 0, 1);
        made->router_latency = 1000 * v;
        made->router_per_byte = 6.4 * v;
    }
}

inlay_select_problem study_draw_program(uint64_t *state, const study_cell *cell, const study_metasystem *metasystem,
                                        int64_t instance)
{
    static const int64_t units[] = {1, 100, 500, 1000, 5000, 10000};
    inlay_select_problem program = {.clusters = (size_t)metasystem->clusters,
                                    .cluster = metasystem->cluster,
                                    .units = units[instance % 6],
                                    .topology = cell->topology,
                                    .router_latency = metasystem->router_latency,
                                    .router_per_byte = metasystem->router_per_byte};
    program.unit_work = (double)whole(state, STUDY_INSTRUCTIONS);
    program.bytes = (double)whole(state, program.units);
    return program;
}

/* ---- The jobs ---- */

enum { METASYSTEMS = 2000, INSTANCES = 36, CHECKED = 2000, MOST_THREADS = 256 };

/* Tables 2 and 3 as printed: with ordering within 5 and 10 %, without. */
static const struct {
    inlay_pattern pattern;
    bool mixed, routers;
    double paper[2][2];
} cells[STUDY_CELLS] = {
    {INLAY_PATTERN_RING, false, false, {{98.6, 99.5}, {63.9, 70.7}}},
    {INLAY_PATTERN_LINE, false, false, {{89.3, 94.4}, {72.7, 81.2}}},
    {INLAY_PATTERN_TREE, false, false, {{91.6, 95.3}, {61.5, 68.8}}},
    {INLAY_PATTERN_RING, false, true, {{98.7, 99.6}, {61.4, 67.7}}},
    {INLAY_PATTERN_LINE, false, true, {{88.9, 94.6}, {63.9, 70.7}}},
    {INLAY_PATTERN_TREE, false, true, {{92.6, 95.9}, {52.5, 59.7}}},
    {INLAY_PATTERN_RING, true, false, {{97.7, 99.3}, {67.5, 76.4}}},
    {INLAY_PATTERN_LINE, true, false, {{91.4, 95.0}, {69.9, 76.5}}},
    {INLAY_PATTERN_TREE, true, false, {{89.2, 91.7}, {63.3, 70.2}}},
    {INLAY_PATTERN_RING, true, true, {{98.8, 99.7}, {64.3, 71.1}}},
    {INLAY_PATTERN_LINE, true, true, {{92.3, 96.4}, {65.9, 73.0}}},
    {INLAY_PATTERN_TREE, true, true, {{88.1, 91.6}, {63.5, 71.1}}},
};

/* ---- Runs ---- */

/* Runs within 5 and 10 % of the optimum. */
typedef struct tally {
    int64_t h2[2][2], h3[2], exact[2];
    int64_t runs, checked, unequal;
} tally;

static int cycle_of(const inlay_select_problem *problem, const inlay_select_options *options, double *cycle)
{
    inlay_selection *selection = NULL;
    int status = inlay_select_plain(problem, options, &selection, NULL);
    if (status == INLAY_OK) {
        *cycle = inlay_selection_at(selection, 0)->t_cycle;
        inlay_selection_free(selection);
    }
    return status;
}

static void count(double cycle, double optimum, int64_t within[2])
{
    within[0] += cycle <= 1.05 * optimum;
    within[1] += cycle <= 1.1 * optimum;
}

static int check_exact(const inlay_select_problem *problem, double exact, tally *t)
{
    const inlay_select_options all = {.method = INLAY_SELECT_EXHAUSTIVE};
    double optimum = 0;
    int status = cycle_of(problem, &all, &optimum);
    if (status == INLAY_OK) {
        count(exact, optimum, t->exact);
        t->checked++;
        t->unequal += fabs(exact - optimum) > 1e-9 * optimum;
    }
    return status;
}

static int run_program(inlay_select_problem problem, inlay_select_map map, bool checked, tally *t)
{
    static const inlay_select_options methods[] = {
        {.method = INLAY_SELECT_H2}, {.method = INLAY_SELECT_H2, .as_given = true}, {.method = INLAY_SELECT_H3}};
    double optimum = 0, cycle[3] = {0};
    problem.map = INLAY_SELECT_REAL;
    int status = cycle_of(&problem, NULL, &optimum);
    if (status == INLAY_OK && checked) {
        status = check_exact(&problem, optimum, t);
    }
    problem.map = map == INLAY_SELECT_INTEGER ? INLAY_SELECT_REMAINDER : map;
    for (int n = 0; n < 3 && status == INLAY_OK; n++) {
        status = cycle_of(&problem, &methods[n], &cycle[n]);
    }
    if (status == INLAY_OK) {
        count(cycle[0], optimum, t->h2[0]);
        count(cycle[1], optimum, t->h2[1]);
        count(cycle[2], optimum, t->h3);
        t->runs++;
    }
    return status;
}

/* ---- Jobs ---- */

typedef struct study {
    study_options options; /* nothing left open */
    _Atomic int64_t next;  /* job */
    pthread_mutex_t lock;  /* of what follows */
    int status;            /* the first failure */
    tally tallies[STUDY_CELLS];
} study;

static int run_metasystem(const study_options *options, int cell, int64_t metasystem, tally *t)
{
    const study_cell kind = {cells[cell].pattern, cells[cell].mixed, cells[cell].routers};
    uint64_t state = study_stream(options->seed, (uint64_t)metasystem * STUDY_CELLS + (uint64_t)cell);
    study_metasystem made;
    study_draw_metasystem(&state, &kind, &made);
    int status = INLAY_OK;
    for (int64_t n = 0; n < options->instances && status == INLAY_OK; n++) {
        bool checked = metasystem * options->instances + n < options->exhaustive;
        status = run_program(study_draw_program(&state, &kind, &made, n), options->map, checked, t);
    }
    return status;
}

static void add(const tally *from, tally *to)
{
    for (int i = 0; i < 2; i++) {
        to->h2[0][i] += from->h2[0][i];
        to->h2[1][i] += from->h2[1][i];
        to->h3[i] += from->h3[i];
        to->exact[i] += from->exact[i];
    }
    to->runs += from->runs;
    to->checked += from->checked;
    to->unequal += from->unequal;
}

/* The metasystems of all cells in turn, so that those that are checked come first. */
static void *work(void *context)
{
    study *s = context;
    const int64_t jobs = (int64_t)s->options.metasystems * STUDY_CELLS;
    for (int64_t job; (job = atomic_fetch_add(&s->next, 1)) < jobs;) {
        int cell = (int)(job % STUDY_CELLS);
        tally t = {0};
        int status = run_metasystem(&s->options, cell, job / STUDY_CELLS, &t);
        pthread_mutex_lock(&s->lock);
        add(&t, &s->tallies[cell]);
        if (status != INLAY_OK) {
            s->status = s->status == INLAY_OK ? status : s->status;
            atomic_store(&s->next, jobs);
        }
        pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

/* A thread that cannot be had is not missed: this one does what is left. */
static void run_jobs(study *s, int threads)
{
    pthread_t helper[MOST_THREADS];
    int helping = 0;
    pthread_mutex_init(&s->lock, NULL);
    while (helping + 1 < threads && helping < MOST_THREADS && pthread_create(&helper[helping], NULL, work, s) == 0) {
        helping++;
    }
    (void)work(s);
    for (int n = 0; n < helping; n++) {
        pthread_join(helper[n], NULL);
    }
    pthread_mutex_destroy(&s->lock);
}

/* ---- The study ---- */

/* What is 0 gets its default. */
static study_options complete_options(const study_options *given)
{
    study_options options = given != NULL ? *given : (study_options){0};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    options.metasystems = options.metasystems > 0 ? options.metasystems : METASYSTEMS;
    options.instances = options.instances > 0 ? options.instances : INSTANCES;
    options.exhaustive = options.exhaustive > 0 ? options.exhaustive : CHECKED;
    options.threads = options.threads > 0 ? options.threads : cores > 1 ? (int)cores : 1;
    return options;
}

static double per_cent(int64_t part, int64_t of)
{
    return 100.0 * (double)part / (double)of;
}

static study_row cell_of(int number, const tally *t)
{
    study_row cell = {.pattern = cells[number].pattern,
                      .mixed = cells[number].mixed,
                      .routers = cells[number].routers,
                      .runs = t->runs,
                      .checked = t->checked,
                      .unequal = t->unequal};
    for (int i = 0; i < 2; i++) {
        for (int given = 0; given < 2; given++) {
            cell.paper[given][i] = cells[number].paper[given][i];
            cell.h2[given][i] = per_cent(t->h2[given][i], t->runs);
        }
        cell.h3[i] = per_cent(t->h3[i], t->runs);
        cell.exact[i] = per_cent(t->exact[i], t->checked);
    }
    return cell;
}

int study_run(const study_options *options, study_row cell[STUDY_CELLS])
{
    study s = {.options = complete_options(options)};
    run_jobs(&s, s.options.threads);
    for (int n = 0; n < STUDY_CELLS && s.status == INLAY_OK; n++) {
        cell[n] = cell_of(n, &s.tallies[n]);
    }
    return s.status;
}

double study_distance(const study_row cell[STUDY_CELLS])
{
    double sum = 0;
    for (int n = 0; n < STUDY_CELLS; n++) {
        for (int given = 0; given < 2; given++) {
            for (int i = 0; i < 2; i++) {
                double apart = cell[n].h2[given][i] - cell[n].paper[given][i];
                sum += apart * apart;
            }
        }
    }
    return sqrt(sum / (4 * STUDY_CELLS));
}

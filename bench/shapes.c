/*
 * Clustering of graphs that tempt an algorithm into quadratic time: independent modules, stars, chains, one level,
 * many small pieces; and the least graph there is.
 */
#include "bench.h"
#include "graphs.h"
#include <stdio.h>

static const char machine_text[] = "bus:1000000,memory=distributed,capacity=1e9msg/tick";

enum { SIZES = 2, FULL_SIZES = 3 };

static const inlay_id sizes[FULL_SIZES] = {10000, 100000, 1000000};

static const double most_seconds = 2; /* the goal for 10^5 modules */
enum { GOAL_MODULES = 100000 };

/* ---- The shapes ---- */

typedef struct shape {
    const char *name;
    /** Sets what inlay_generate() is to make with so many modules. */
    void (*choose)(inlay_id modules, inlay_generator_options *options);
    bool one_size;
} shape;

static void choose_independent(inlay_id modules, inlay_generator_options *options)
{
    options->kind = "erdos-renyi";
    options->sizes[INLAY_SIZE_MODULES] = modules;
    options->has_density = true; /* of 0 */
    options->heterogeneity = 1;
}

static void choose_equal(inlay_id modules, inlay_generator_options *options)
{
    choose_independent(modules, options);
    options->heterogeneity = 0;
}

/* A link for every second module: pieces of a few modules, on several levels. */
static void choose_pieces(inlay_id modules, inlay_generator_options *options)
{
    choose_independent(modules, options);
    options->density = 1.0 / modules;
}

static void choose_layers(inlay_id modules, inlay_generator_options *options)
{
    static const int levels = 100;
    options->kind = "layered";
    options->sizes[INLAY_SIZE_LEVELS] = levels;
    options->sizes[INLAY_SIZE_WIDTH] = modules / levels;
    options->heterogeneity = 1;
}

static void choose_star_in(inlay_id modules, inlay_generator_options *options)
{
    options->kind = "in-tree";
    options->sizes[INLAY_SIZE_LEVELS] = 2;
    options->sizes[INLAY_SIZE_DEGREE] = modules - 1;
}

static void choose_star_out(inlay_id modules, inlay_generator_options *options)
{
    choose_star_in(modules, options);
    options->kind = "out-tree";
}

static void choose_chain(inlay_id modules, inlay_generator_options *options)
{
    options->kind = "in-tree";
    options->sizes[INLAY_SIZE_LEVELS] = modules;
    options->sizes[INLAY_SIZE_DEGREE] = 1;
}

static void choose_one(inlay_id modules, inlay_generator_options *options)
{
    (void)modules;
    choose_equal(1, options);
}

static const shape shapes[] = {
    {"independent", choose_independent, false},
    {"one level, equal", choose_equal, false},
    {"star in", choose_star_in, false},
    {"star out", choose_star_out, false},
    {"chain", choose_chain, false},
    {"one module", choose_one, true},
    {"100 levels", choose_layers, false},
    {"pieces", choose_pieces, false},
};

/* ---- What is measured ---- */

/* T: as many times the largest module. The second lets a chain or a star become few clusters. */
static const int frames[] = {10, 1000};

typedef struct question {
    const shape *shape;
    inlay_id modules;
    int frame;
} question;

typedef struct answer {
    inlay_id modules, clusters;
    bench_time time;
    double bytes;
} answer;

typedef struct job {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_options options;
    inlay_id clusters; /* the result */
} job;

static int run(void *context)
{
    job *j = context;
    inlay_clustering clustering = {0};
    int status = inlay_cluster(j->app, j->machine, &j->options, &clustering, NULL);
    if (status == INLAY_OK) {
        j->clusters = clustering.clusters;
        inlay_clustering_clear(&clustering);
    }
    return status;
}

static int measure(const question *q, const inlay_app *app, answer *a)
{
    inlay_machine *machine;
    int status = inlay_machine_parse(machine_text, &machine, NULL);
    if (status != INLAY_OK) {
        return status;
    }
    bench_work work;
    job j = {.app = app, .machine = machine, .options = {.blocking = INLAY_BLOCKING_NO}};
    status = bench_sum_work(app, j.options.blocking, &work);
    if (status == INLAY_OK) {
        bench_set_frame(&j.options, &work, q->frame * work.largest);
        status = bench_measure(run, &j, &a->time);
    }
    a->modules = inlay_app_modules(app);
    a->clusters = j.clusters;
    a->bytes = bench_peak_memory();
    inlay_machine_free(machine);
    return status;
}

static int answer_question(const void *asked, void *result)
{
    const question *q = asked;
    inlay_generator_options options = {.seed = 1};
    inlay_app *app;
    q->shape->choose(q->modules, &options);
    int status = inlay_generate(&options, &app, NULL);
    if (status == INLAY_OK) {
        status = measure(q, app, result);
        inlay_app_free(app);
    }
    return status;
}

/* ---- The table ---- */

/* `before` is the answer for the size before; its modules are 0 where there is none. */
static void print_row(bench_table *table, const question *q, const answer *a, const answer *before)
{
    double modules = a->modules;
    bench_cell(table, "%s", q->shape->name);
    bench_cell(table, "%d max", q->frame);
    bench_cell(table, "%d", (int)a->modules);
    bench_cell(table, "%d", (int)a->clusters);
    bench_cell_time(table, a->time.seconds);
    bench_cell_time(table, a->time.seconds / modules);
    bench_cell_number(table, bench_exponent(before->time.seconds, a->time.seconds, before->modules, modules), 2);
    bench_cell_number(table, a->bytes / 1e6, 1);
    bench_cell(table, "%s", a->modules != GOAL_MODULES ? "-" : a->time.seconds <= most_seconds ? "yes" : "NO");
    bench_cell_number(table, 100 * a->time.noise, 0);
}

static int bench_shape(bench_table *table, const shape *s, int frame, int count)
{
    answer before = {0};
    for (int i = 0; i < (s->one_size ? 1 : count); i++) {
        const question q = {s, sizes[i], frame};
        answer a = {0};
        int status = bench_apart(answer_question, &q, &a, sizeof a);
        if (status != INLAY_OK) {
            return status;
        }
        print_row(table, &q, &a, &before);
        before = a;
    }
    return INLAY_OK;
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {{"shape", -16}, {"T", -8},       {"modules", 7}, {"clusters", 8},
                                           {"time", 7},    {"t/module", 8}, {"power", 5},   {"MB", 5},
                                           {"in 2 s", 6},  {"noise %", 7}};
    bool full;
    if (!bench_arguments(argc, argv, &full)) {
        return 2;
    }
    bench_table table = bench_table_begin("Clustering graphs of extreme shapes (inlay_cluster)", columns,
                                          sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && status == INLAY_OK; i++) {
        for (size_t j = 0; j < sizeof frames / sizeof *frames && status == INLAY_OK; j++) {
            status = bench_shape(&table, &shapes[i], frames[j], full ? FULL_SIZES : SIZES);
        }
    }
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

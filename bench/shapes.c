/*
 * Clustering of graphs that tempt an algorithm into quadratic time: independent modules, stars, chains, one level,
 * many small pieces; and the least graph there is.
 */
#include "bench.h"
#include "graphs.h"
#include <inlay/explain.h>
#include <inlay/pareto.h>
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

static void choose_deep(inlay_id modules, inlay_generator_options *options)
{
    static const int levels = 1000;
    choose_layers(modules, options);
    options->sizes[INLAY_SIZE_LEVELS] = levels;
    options->sizes[INLAY_SIZE_WIDTH] = modules / levels;
    options->heterogeneity = 0;
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

/* ---- Questions about such graphs ---- */

typedef struct subject {
    const char *name, *shape;
    void (*choose)(inlay_id modules, inlay_generator_options *options);
    int (*ask)(void *context);
    inlay_id modules[2];
} subject;

typedef struct whole {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_options options;
} whole;

/* No answer is one, too: T may be too short. */
static int map_whole(void *context)
{
    whole *w = context;
    inlay_mapping *mapping = NULL;
    inlay_diag *diag = inlay_diag_new(); /* so that a sufficient T is looked for */
    int status = inlay_map(w->app, w->machine, &w->options, &mapping, diag);
    inlay_diag_free(diag);
    inlay_mapping_free(mapping);
    return status == INLAY_NO_ANSWER ? INLAY_OK : status;
}

static int map_by_traffic(void *context)
{
    ((whole *)context)->options.reduce_by_traffic = true;
    return map_whole(context);
}

static int map_in_too_short_a_time(void *context)
{
    whole *w = context;
    w->options.has_time_frame = true;
    w->options.time_frame = (inlay_duration){{2000, 0}, INLAY_UNIT_TICK};
    return map_whole(w);
}

static int explain_whole(void *context)
{
    const whole *w = context;
    inlay_mapping *mapping = NULL;
    inlay_explanation *explanation = NULL;
    int status = inlay_map(w->app, w->machine, &w->options, &mapping, NULL);
    if (status == INLAY_OK) {
        status = inlay_explain(mapping, NULL, &explanation, NULL);
    }
    inlay_explanation_free(explanation);
    inlay_mapping_free(mapping);
    return status;
}

static int find_front(void *context)
{
    const whole *w = context;
    inlay_pareto_result *result = NULL;
    int status = inlay_pareto(w->app, w->machine, NULL, &result, NULL);
    inlay_pareto_free(result);
    return status;
}

static const subject subjects[] = {
    {"map, H2 by traffic", "star out", choose_star_out, map_by_traffic, {10000, 100000}},
    {"map, T too short", "star out", choose_star_out, map_in_too_short_a_time, {10000, 100000}},
    {"map, T too short", "chain", choose_chain, map_in_too_short_a_time, {10000, 100000}},
    {"map, T too short", "1000 levels", choose_deep, map_in_too_short_a_time, {10000, 100000}},
    {"explain", "chain", choose_chain, explain_whole, {10000, 100000}},
    {"pareto", "star out", choose_star_out, find_front, {1000, 10000}},
    {"pareto", "chain", choose_chain, find_front, {10000, 100000}},
};

typedef struct subject_question {
    const subject *subject;
    inlay_id modules;
} subject_question;

static int answer_subject(const void *asked, void *result)
{
    const subject_question *q = asked;
    inlay_generator_options options = {.seed = 1};
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    q->subject->choose(q->modules, &options);
    int status = inlay_generate(&options, &app, NULL);
    if (status == INLAY_OK) {
        status = inlay_machine_parse("bus:64", &machine, NULL);
    }
    if (status == INLAY_OK) {
        whole w = {.app = app, .machine = machine, .options.method = inlay_method_named("houstis")};
        status = bench_measure(q->subject->ask, &w, result);
    }
    inlay_machine_free(machine);
    inlay_app_free(app);
    return status;
}

static int bench_subjects(void)
{
    static const bench_column columns[] = {{"question", -19}, {"shape", -11}, {"modules", 7},
                                           {"time", 7},       {"power", 5},   {"noise %", 7}};
    bench_table table =
        bench_table_begin("Questions about extreme shapes, bus:64", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        const subject *s = &subjects[i];
        bench_time before = {0};
        for (int j = 0; j < 2; j++) {
            const subject_question q = {s, s->modules[j]};
            bench_time time = {0};
            int status = bench_apart(answer_subject, &q, &time, sizeof time);
            if (status != INLAY_OK) {
                return status;
            }
            bench_cell(&table, "%s", s->name);
            bench_cell(&table, "%s", s->shape);
            bench_cell(&table, "%d", (int)q.modules);
            bench_cell_time(&table, time.seconds);
            bench_cell_number(&table,
                              bench_exponent(before.seconds, time.seconds, j == 0 ? 0 : s->modules[0], q.modules), 2);
            bench_cell_number(&table, 100 * time.noise, 0);
            before = time;
        }
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
    status = status == INLAY_OK ? bench_subjects() : status;
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

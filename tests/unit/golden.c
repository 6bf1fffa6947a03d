/* Shared by the tests of the golden numbers. */
#include "golden.h"
#include "map_by_houstis.h"
#include "unit.h"
#include <inlay/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- The application, the machine, the file ---- */

const int64_t cholesky_time[CHOLESKY] = {24, 30, 30, 25, 27, 31, 37, 32, 27, 34, 38, 39, 21, 28, 35, 45};
const int64_t cholesky_blocking[CHOLESKY] = {0, 4, 14, 24, 15, 27, 37, 48, 33, 45, 61, 66, 51, 64, 76, 88};
const inlay_id figure5[CHOLESKY] = {0, 0, 0, 0, 1, 2, 2, 2, 1, 3, 0, 0, 1, 3, 3, 3};

static void add_link(inlay_app_builder *builder, int row, int column, int to)
{
    int64_t messages = row < column ? row + 1 : column + 1;
    ck_assert_int_eq(inlay_app_add_link(builder, row * CHOLESKY_SIDE + column, to, messages, 0, 0, NULL), INLAY_OK);
}

inlay_app *cholesky4(inlay_unit unit)
{
    inlay_app_builder *builder = inlay_app_builder_new("cholesky4", unit);
    for (int i = 0; i < CHOLESKY; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%d", i + 1);
        inlay_module module = {.name = name, .has_blocking = true};
        module.time = (inlay_duration){{cholesky_time[i], 0}, INLAY_UNIT_NONE};
        module.blocking = (inlay_duration){{cholesky_blocking[i], 0}, INLAY_UNIT_NONE};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    }
    for (int row = 0; row < CHOLESKY_SIDE; row++)
        for (int column = 0; column < CHOLESKY_SIDE; column++) {
            int at = row * CHOLESKY_SIDE + column;
            if (column + 1 < CHOLESKY_SIDE) add_link(builder, row, column, at + 1);
            if (row + 1 < CHOLESKY_SIDE) add_link(builder, row, column, at + CHOLESKY_SIDE);
        }
    inlay_app *made = NULL;
    ck_assert_int_eq(inlay_app_build(builder, &made, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    return made;
}

inlay_machine *golden_machine(const char *text)
{
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_machine_read(text, &machine, NULL), INLAY_OK);
    return machine;
}

inlay_machine *golden_machine_for(const inlay_app *app, const char *format)
{
    char text[200];
    const char *unit = inlay_unit_name(inlay_app_unit(app));
    size_t used = 0;
    for (const char *at = format; *at != '\0'; at++)
        used += (size_t)(*at == '%' ? snprintf(text + used, sizeof text - used, "%s", unit)
                                    : snprintf(text + used, sizeof text - used, "%c", *at));
    return golden_machine(text);
}

void golden_set_up(golden_case *test)
{
    test->app = cholesky4(INLAY_UNIT_TICK);
    test->bus = golden_machine("bus:17,memory=distributed");
    test->golden = unit_golden("clustering");
}

void golden_tear_down(golden_case *test)
{
    json_decref(test->golden);
    inlay_machine_free(test->bus);
    inlay_app_free(test->app);
}

inlay_options options_at(const char *frame)
{
    inlay_options options = {.has_time_frame = true};
    ck_assert_int_eq(inlay_duration_parse(frame, &options.time_frame), INLAY_OK);
    return options;
}

inlay_options options_at_ticks(inlay_time frame)
{
    return (inlay_options){.has_time_frame = true, .time_frame = {{frame, 0}, INLAY_UNIT_TICK}};
}

/* ---- Comparing ---- */

void expect_near(double value, double expected, double relative)
{
    ck_assert_double_eq_tol(value, expected, relative * fmax(1, fabs(expected)));
}

static inlay_id number_of(const inlay_app *app, const json_t *member)
{
    if (json_is_string(member)) return inlay_app_find_module(app, json_string_value(member));
    return (inlay_id)json_integer_value(member) - 1;
}

void expect_clusters(const json_t *expected, const inlay_app *app, inlay_id clusters, const inlay_id *cluster_of)
{
    size_t c, m;
    json_t *cluster, *member;
    inlay_id seen = 0;
    ck_assert_int_eq(clusters, (inlay_id)json_array_size(expected));
    json_array_foreach(expected, c, cluster) json_array_foreach(cluster, m, member)
    {
        inlay_id module = number_of(app, member);
        ck_assert_int_ge(module, 0);
        ck_assert_msg(cluster_of[module] == (inlay_id)c, "module %d is in cluster %d, not in %d", (int)module + 1,
                      (int)cluster_of[module], (int)c);
        seen++;
    }
    ck_assert_int_eq(seen, inlay_app_modules(app));
}

/* ---- Asking the reference and the library ---- */

inlay_id renumber(const slow_problem *problem, const slow_clusters *clusters, inlay_id *cluster_of)
{
    inlay_id count = 0;
    for (int i = 0; i < problem->modules; i++)
        cluster_of[i] = clusters->of[i] == i ? count++ : cluster_of[clusters->of[i]];
    return count;
}

static inlay_clustering reference_clusters(const golden_case *test, const inlay_options *options, inlay_time frame)
{
    slow_problem problem;
    slow_clusters clusters;
    inlay_clustering made = {0};
    slow_read(test->app, test->bus, options, &problem);
    ck_assert(slow_greedy(&problem, frame, &clusters, &made.next_frame));
    made.cluster_of = malloc(sizeof(inlay_id) * SLOW_MODULES);
    ck_assert_ptr_nonnull(made.cluster_of);
    made.clusters = renumber(&problem, &clusters, made.cluster_of);
    made.next_known = made.next_frame < INT64_MAX;
    return made;
}

inlay_clustering cluster_by(int who, const golden_case *test, const inlay_options *options, inlay_time frame)
{
    if (who == REFERENCE) return reference_clusters(test, options, frame);
    inlay_clustering made = {0};
    ck_assert_int_eq(inlay_cluster(test->app, test->bus, options, &made, NULL), INLAY_OK);
    return made;
}

reference_cost cost_of(const golden_case *test, const inlay_id *of, const inlay_options *options, double frame)
{
    slow_problem problem;
    reference_cost cost;
    slow_read(test->app, test->bus, options, &problem);
    slow_evaluate(&problem, of, (long double)frame, &cost.at_frame);
    cost.estimate = (double)cost.at_frame.estimate;
    cost.fixed_point = (double)slow_fixed_point(&problem, of);
    return cost;
}

inlay_mapping *evaluated(const golden_case *test, const inlay_id *processor_of, const inlay_options *options)
{
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(inlay_evaluate(test->app, test->bus, processor_of, options, &mapping, NULL), INLAY_OK);
    return mapping;
}

inlay_mapping *mapped(const golden_case *test, const inlay_options *options)
{
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(map_by_houstis(test->app, test->bus, options, &mapping, NULL), INLAY_OK);
    return mapping;
}

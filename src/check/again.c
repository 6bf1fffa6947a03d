/*
 * What the figures alone do not tell: whether these are the clusters, the reduction and the layout of the question that
 * the file says it answers, and the simulated times. The question is put once more through the public functions, and the
 * mapping simulated once more; nothing else of the check rests on that.
 */
#include "check/check.h"

#include <inlay/simulate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The question ---- */

/* The words of check_options.c, in the numbers of the library. */
static inlay_options question_of(const check *k)
{
    static const inlay_reduce reduce[] = {INLAY_REDUCE_NONE, INLAY_REDUCE_H1, INLAY_REDUCE_H2};
    static const inlay_blocking blocking[] = {INLAY_BLOCKING_AUTO, INLAY_BLOCKING_YES, INLAY_BLOCKING_NO};
    static const inlay_start start[] = {INLAY_START_AUTO, INLAY_START_STREAM, INLAY_START_FINISH};
    static const inlay_layout layout[] = {INLAY_LAYOUT_NEAREST, INLAY_LAYOUT_ORDER, INLAY_LAYOUT_SCOTCH};
    static const inlay_order order[] = {INLAY_ORDER_GIVEN, INLAY_ORDER_PAPER, INLAY_ORDER_BOTTOM_LEVEL};
    const json_t *options = json_object_get(k->root, "options");
    return (inlay_options){
        .method = k->method,
        .has_time_frame = k->frame_given || k->method == NULL,
        .time_frame = {.unit = INLAY_UNIT_NONE},
        .processors = k->processors,
        .reduce = k->reduce >= 0 ? reduce[k->reduce] : INLAY_REDUCE_H2,
        .reduce_when = k->reduce_before ? INLAY_REDUCE_BEFORE : INLAY_REDUCE_AFTER,
        .reduce_by_traffic = json_is_true(json_object_get(options, "reduce_by_traffic")),
        .parallel = k->parallel == CHECK_LEVEL ? INLAY_PARALLEL_LEVEL : INLAY_PARALLEL_OVERLAP,
        .keep_unrelated = json_is_false(json_object_get(options, "unrelated")),
        .blocking = blocking[k->blocking],
        .start = start[k->start],
        .layout = layout[k->layout],
        .order = order[k->order],
        .copies = k->copies_each ? INLAY_COPIES_EACH : INLAY_COPIES_ONCE,
        .ignore_cores = k->ignore_cores,
        .tick_seconds = k->tick_seconds,
        .seed = (uint64_t)json_integer_value(json_object_get(k->root, "seed")),
    };
}

/* The mapping of the method, or of the placement as it stands. */
static int ask(const check *k, bool placed, inlay_mapping **mapping)
{
    inlay_options options = question_of(k);
    inlay_id entries = k->cluster[k->clusters - 1].end;
    inlay_id *processor = malloc(((size_t)entries + 1) * sizeof *processor);
    if (!processor) return INLAY_NO_MEMORY;
    for (inlay_id c = 0; c < k->clusters; c++)
        for (inlay_id at = k->cluster[c].first; at < k->cluster[c].end; at++)
            processor[at] = k->cluster[c].processor;
    const inlay_task_schedule schedule = {entries, k->listed, processor, k->order_given, NULL};
    options.has_time_frame = options.has_time_frame || placed;
    int status = inlay_decimal_from_double(k->time_frame, &options.time_frame.value);
    if (status == INLAY_OK)
        status = placed ? inlay_evaluate_schedule(k->app, k->machine, &schedule, &options, mapping, NULL)
                        : inlay_map(k->app, k->machine, &options, mapping, NULL);
    free(processor);
    return status;
}

/* ---- The answer ---- */

static bool same_homes(const check *k, const inlay_mapping *mapping)
{
    for (inlay_id d = 0; d < k->blocks; d++)
        if (k->home[d] >= 0 && k->home[d] != inlay_mapping_home(mapping, d)) return false;
    return true;
}

/* Whether the clusters are the same, on the same processors, with the same blocks. */
static bool same_mapping(check *k, const inlay_mapping *mapping)
{
    check_counted(k, 1);
    if (inlay_mapping_summary(mapping)->clusters != k->clusters) {
        check_find(k, "clusters: with these options there are %ld, the file has %ld",
                   (long)inlay_mapping_summary(mapping)->clusters, (long)k->clusters);
        return false;
    }
    for (inlay_id i = 0; i < k->modules; i++) {
        inlay_id c = inlay_mapping_cluster_of(mapping, i), processor = inlay_mapping_cluster(mapping, c).processor;
        if (c == k->cluster_of[i] && processor == k->cluster[c].processor) continue;
        check_find(k, "cluster %ld: with these options module '%.100s' is in cluster %ld, on processor %ld",
                   (long)k->cluster_of[i], inlay_app_module_name(k->app, i), (long)c, (long)processor);
        return false;
    }
    if (!same_homes(k, mapping)) check_find(k, "clusters: with these options the data blocks live elsewhere");
    return same_homes(k, mapping);
}

/* Null, where it is negative. */
static void compare_or_null(check *k, const char *where, const json_t *object, const char *name, int64_t expected)
{
    check_number_within(k, where, object, name, expected < 0 ? NAN : (double)expected, 0);
}

static void compare_answer(check *k, const inlay_mapping *mapping)
{
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    const json_t *layout = json_object_get(k->root, "layout");
    if (!same_mapping(k, mapping)) return;
    if (fabs(sum->time_frame - k->time_frame) > 1e-15 * k->time_frame)
        check_find(k, "time_frame is %.15g with these options, the file says %.15g", sum->time_frame, k->time_frame);
    compare_or_null(k, NULL, k->root, "reduced_from", sum->reduced_from);
    compare_or_null(k, "layout", layout, "nearest", sum->weighted_nearest);
    check_number(k, "makespan", json_object_get(k->root, "makespan"), "estimate_unreduced", sum->estimate_unreduced);
    check_counted(k, 1);
}

/* A placement was not reduced. */
static void compare_placement(check *k)
{
    compare_or_null(k, NULL, k->root, "reduced_from", -1);
    check_number(k, "makespan", json_object_get(k->root, "makespan"), "estimate_unreduced", NAN);
}

/* ---- The simulated times ---- */

/* Of a mapping, where the file tells one. */
static int compare_simulated(check *k, const char *where, const json_t *object, const inlay_mapping *mapping)
{
    bool null;
    inlay_simulation *simulation = NULL;
    if (!json_object_get(object, "simulated") && strcmp(where, "makespan") == 0) return INLAY_OK; /* an old file */
    if (!check_field_or_null(k, where, object, "simulated", CHECK_NUMBER, &null) || !mapping) return INLAY_OK;
    const inlay_simulation_options options = {.seed = (uint64_t)json_integer_value(json_object_get(k->root, "seed")),
                                              .threads = 1};
    int status = inlay_simulate(mapping, &options, &simulation, NULL);
    if (status == INLAY_OK)
        check_number(k, where, object, "simulated", inlay_simulation_result(simulation)->makespan);
    else if (status != INLAY_NO_MEMORY)
        check_find(k, "%s: simulated is null, the mapping cannot be simulated", where);
    inlay_simulation_free(simulation);
    return status == INLAY_NO_MEMORY ? status : INLAY_OK;
}

static int compare_times(check *k, const inlay_mapping *mapping)
{
    const json_t *before = json_object_get(json_object_get(k->root, "layout"), "before");
    inlay_mapping *in_order = NULL;
    int status = compare_simulated(k, "makespan", json_object_get(k->root, "makespan"), mapping);
    if (status == INLAY_OK && before) {
        status = inlay_mapping_in_order(mapping, &in_order, NULL);
        status = status == INLAY_NO_MEMORY ? status : compare_simulated(k, "layout.before", before, in_order);
    }
    inlay_mapping_free(in_order);
    return status;
}

/* ---- Both ---- */

/* The point of a front was made from a time frame that the file does not name: it is checked as it stands. */
int check_again(check *k)
{
    const char *command = json_string_value(json_object_get(k->root, "command"));
    bool placement = k->method == NULL, front = !placement && command && strcmp(command, "pareto") == 0;
    inlay_mapping *mapping = NULL;
    if (placement) compare_placement(k);
    int status = ask(k, placement || front, &mapping);
    if (status == INLAY_NO_ANSWER && !placement && !front)
        check_find(k, "options: with these there is no mapping within the time frame and the processors");
    if (status == INLAY_OK && !placement && !front) compare_answer(k, mapping);
    if (status == INLAY_OK && same_homes(k, mapping)) status = compare_times(k, mapping);
    inlay_mapping_free(mapping);
    return status == INLAY_NO_MEMORY ? status : INLAY_OK;
}

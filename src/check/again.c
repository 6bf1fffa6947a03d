/*
 * What the figures alone do not tell: whether these are the clusters, the reduction and the layout that the method makes of
 * the question. Where the check is strict the question is put once more through the public functions; nothing else of
 * the check rests on that.
 */
#include "check/check.h"

#include "base/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The question ---- */

/* No evaluations are less than the library's default. */
static int64_t effort_of(const json_t *options)
{
    int64_t evaluations = json_integer_value(json_object_get(options, "effort"));
    return evaluations > 0 ? evaluations : -1;
}

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
        .has_time_frame = k->frame_given,
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
        .effort.evaluations = json_object_get(options, "effort") ? effort_of(options) : 0,
        .risk = k->risk,
        .objective = k->by_period ? INLAY_OBJECTIVE_PERIOD : INLAY_OBJECTIVE_MAKESPAN,
    };
}

/* The mapping of the method. */
static int ask(const check *k, inlay_mapping **mapping)
{
    inlay_options options = question_of(k);
    int status = inlay_decimal_from_double(k->time_frame, &options.time_frame.value);
    return status == INLAY_OK ? inlay_map(k->app, k->machine, &options, mapping, NULL) : status;
}

/* ---- The answer ---- */

static bool same_homes(const check *k, const inlay_mapping *mapping)
{
    for (inlay_id d = 0; d < k->blocks; d++)
        if (k->home[d] >= 0 && k->home[d] != inlay_mapping_home(mapping, d)) return false;
    return true;
}

/* Whether the modules of each cluster stand as the method orders them. */
static bool same_order(check *k, const inlay_mapping *mapping)
{
    bool given = inlay_mapping_summary(mapping)->order_given;
    if (given != k->order_given)
        check_find(k, "rules: with these options the order is %s", given ? "given" : "not given, but a rule's");
    for (inlay_id c = 0; given && c < k->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(mapping, c);
        inlay_id first = k->cluster[c].first, count = k->cluster[c].end - first;
        if (info.modules == count && memcmp(info.module, k->listed + first, (size_t)count * sizeof *info.module) == 0)
            continue;
        check_find(k, "cluster %ld: with these options its modules stand in another order", (long)c);
        return false;
    }
    return given == k->order_given;
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
    if (!same_order(k, mapping)) return false;
    if (!same_homes(k, mapping)) check_find(k, "clusters: with these options the data blocks live elsewhere");
    return same_homes(k, mapping);
}

/* Null, where it is negative. */
static void compare_or_null(check *k, const char *where, const json_t *object, const char *name, int64_t expected)
{
    check_number_within(k, where, object, name, expected < 0 ? NAN : (double)expected, 0);
}

/* What method best chose, and among how many. */
static void compare_winner(check *k, const inlay_winner *winner)
{
    const json_t *best = json_object_get(k->root, "best");
    if (winner->method == NULL) return;
    check_text(k, "best", best, "method", winner->method);
    check_count(k, "best", best, "processors", winner->processors);
    check_number(k, "best", best, "unimproved", winner->unimproved);
    check_count(k, "best", best, "evaluations", winner->evaluations);
    check_number(k, "best", best, "houstis", winner->houstis);
    check_count(k, "best", best, "judged", winner->judged);
    check_count(k, "best", best, "left_out", winner->left_out);
    if (k->risk != INLAY_RISK_NONE) {
        check_number(k, "best", best, "risk", winner->risk);
        check_number(k, "best", best, "exact", winner->exact);
        check_number(k, "best", best, "exact_risk", winner->exact_risk);
    }
    if (k->by_period) check_number(k, "best", best, "period_unimproved", winner->period_unimproved);
    const json_t *bounds = json_object_get(json_object_get(k->root, "makespan"), "bounds");
    check_number(k, "bounds", bounds, "branch_and_bound", winner->least > 0 ? winner->least : NAN);
}

static void compare_answer(check *k, const inlay_mapping *mapping)
{
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    const json_t *layout = json_object_get(k->root, "layout");
    if (!same_mapping(k, mapping)) return;
    if (fabs(sum->time_frame - k->time_frame) > 1e-15 * k->time_frame)
        check_find(k, "time_frame is %.15g with these options, the file says %.15g", sum->time_frame, k->time_frame);
    compare_or_null(k, NULL, k->root, "reduced_from", sum->reduced_from);
    compare_winner(k, &sum->winner);
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

/* ---- How sure the time is ---- */

/*
 * Runs that are drawn cannot be had from rules alone: the file is read as any command reads it, and its runs are made
 * again, which tells whether the figures are those of this mapping and this seed.
 */
int check_interval(check *k)
{
    const json_t *interval = json_object_get(k->root, "interval");
    const inlay_doubts doubts = inlay_machine_doubts(k->machine);
    bool once = file_comes_once(k->path) || (k->app_path && file_comes_once(k->app_path));
    bool doubtful = doubts.time_spread > 0 || doubts.time_error > 0 || doubts.network_error > 0;
    inlay_loaded loaded = {0};
    double low = NAN, high = NAN;
    if (doubtful && once) { /* what came through a pipe cannot be read again */
        check_believed(k, interval ? 3 : 0);
        return INLAY_OK;
    }
    int status = doubtful ? inlay_mapping_read(k->path, k->app_path, &loaded, NULL) : INLAY_BAD_INPUT;
    if (status == INLAY_OK) inlay_mapping_interval(loaded.mapping, &low, &high);
    inlay_loaded_clear(&loaded);
    if (isfinite(low)) {
        interval = check_field(k, NULL, k->root, "interval", CHECK_OBJECT);
        check_number(k, "interval", interval, "low", low);
        check_number(k, "interval", interval, "high", high);
        check_number(k, "interval", interval, "confidence", INLAY_CONFIDENCE);
    } else if (interval)
        check_find(
            k,
            "interval: there is none: this machine does not say how sure its figures are, or the mapping is too large");
    return status == INLAY_NO_MEMORY ? status : INLAY_OK;
}

/* ---- All of it ---- */

/* Without the method: how many clusters it reduced, what those before it and the first layout came to, what it chose among. */
static void believe_method(check *k)
{
    check_believed(k, json_is_null(json_object_get(json_object_get(k->root, "layout"), "nearest")) ? 2 : 3);
    if (json_object_get(k->root, "best")) check_believed(k, k->risk != INLAY_RISK_NONE ? 10 : k->by_period ? 8 : 7);
}

/*
 * The point of a front is found on the way to others, and a search of so many seconds does not repeat: they are checked as
 * they stand.
 */
int check_again(check *k)
{
    const char *command = json_string_value(json_object_get(k->root, "command"));
    inlay_mapping *mapping = NULL;
    if (k->method == NULL) {
        compare_placement(k);
        return INLAY_OK;
    }
    bool timed = json_object_get(json_object_get(k->root, "options"), "effort_seconds") != NULL;
    if (!k->strict || timed || (command && strcmp(command, "pareto") == 0)) {
        believe_method(k);
        return INLAY_OK;
    }
    int status = ask(k, &mapping);
    if (status == INLAY_NO_ANSWER)
        check_find(k, "options: with these there is no mapping within the time frame and the processors");
    if (status == INLAY_OK) compare_answer(k, mapping);
    inlay_mapping_free(mapping);
    return status == INLAY_NO_MEMORY ? status : INLAY_OK;
}

/* The main job, judged by its elapsed time. */
#include "base/diag.h"
#include "base/text.h"
#include "cluster/method.h"
#include "problem/remedy.h"
#include "search/elapsed.h"
#include <inlay/mapping.h>
#include <math.h>

/* ---- A mapping that is hardly faster than one processor ---- */

/* Up to so many modules other ways are tried out. */
enum { TRIED_MODULES = 20000 };

/* Another way to ask. */
typedef struct other_way {
    bool offered, alone, wide; /* alone: on one processor; wide: within the time that all work takes there */
    const char *option, *value;
} other_way;

static double elapsed_with(const inlay_mapping *mapping, const inlay_options *options)
{
    inlay_mapping *other = NULL;
    double elapsed = INFINITY;
    if (mapping_timed(mapping->app, mapping->machine, options, &other, NULL) == INLAY_OK) {
        elapsed = other->summary.elapsed;
    }
    inlay_mapping_free(other);
    return elapsed;
}

/* The best of the other ways becomes the remedy, where it is better by a twentieth; its time, else NaN. */
static double try_other_ways(const inlay_mapping *mapping, const inlay_options *asked, inlay_diag *diag)
{
    const inlay_summary *s = &mapping->summary;
    bool given = asked->has_time_frame && method_of(asked)->is.time_frame;
    double all = 0;
    for (inlay_id c = 0; c < s->clusters; c++) {
        all += mapping->clusters[c].work;
    }
    double grains = ceil(all * pow(10, inlay_app_decimals(mapping->app)) * (1 - 1e-14));
    const inlay_decimal whole = {grains < 9e18 ? (inlay_time)grains : INT64_MAX, inlay_app_decimals(mapping->app)};
    other_way ways[] = {{.offered = asked->reduce_by_traffic, .option = "--reduce-by", .value = "work"},
                        {.offered = true, .alone = true, .wide = given, .option = "--processors", .value = "1"},
                        {.offered = given, .wide = true}};
    const other_way *best = NULL;
    double least = 0.95 * s->elapsed;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        inlay_options options = *asked;
        options.reduce_by_traffic = options.reduce_by_traffic && i > 0;
        options.processors = ways[i].alone ? 1 : options.processors;
        if (ways[i].wide) {
            options.time_frame = (inlay_duration){whole, INLAY_UNIT_NONE};
        }
        double elapsed = ways[i].offered ? elapsed_with(mapping, &options) : INFINITY;
        if (elapsed < least) {
            least = elapsed;
            best = &ways[i];
        }
    }
    if (best == NULL) {
        return NAN;
    }
    if (best->option != NULL) {
        (void)diag_remedy_too(diag, best->option, best->value);
    }
    if (best->wide) {
        char text[DECIMAL_TEXT];
        (void)diag_remedy_too(diag, "-T", decimal_text(whole, text));
    }
    return least;
}

/*
 * A twentieth slower than one processor; or not twice as fast, and not a quarter as fast as the bounds allow. The best of
 * all methods has nothing beside it.
 */
static void warn_if_slow(const inlay_mapping *mapping, const inlay_options *asked, inlay_diag *diag)
{
    const inlay_summary *s = &mapping->summary;
    double alone = mapping->total_time, possible = alone / s->lower_bound;
    bool slower = s->speedup < 0.95, hardly = s->speedup < 2 && s->speedup < possible / 4;
    if (diag == NULL || s->processors < 2 || asked->method == &best_method.is || !(slower || hardly)) {
        return;
    }
    const char *unit = inlay_unit_word(inlay_app_unit(mapping->app));
    bool small = inlay_app_modules(mapping->app) <= TRIED_MODULES;
    double better = small ? try_other_ways(mapping, asked, diag) : NAN;
    text_buffer than = {0};
    if (!isnan(better)) {
        text_addf(&than, "; %.6g %s is possible", better, unit);
    }
    const char *end = than.size > 0 && !than.failed ? than.data : "";
    if (slower) {
        diag_warn(diag, "the elapsed time, %.6g %s, is longer than the %.6g that one processor takes%s", s->elapsed,
                  unit, alone, end);
    } else {
        diag_warn(diag,
                  "the speed-up, %.4g on %d processors, is less than a quarter of the %.4g that the bounds allow%s",
                  s->speedup, s->clusters, possible, end);
    }
    text_clear(&than);
}

/* ---- The method where none is named ---- */

/* The best of all; or the paper's own, where a time frame is given or anything that concerns its clusters alone. */
static const inlay_method *usual_method(const inlay_options *o)
{
    bool clusters = o->reduce != INLAY_REDUCE_H2 || o->reduce_when != INLAY_REDUCE_AFTER || o->reduce_by_traffic ||
                    o->parallel != INLAY_PARALLEL_LEVEL || o->keep_unrelated;
    return o->has_time_frame || clusters ? inlay_method_at(0) : &best_method.is;
}

static int ask_again(const void *context, const inlay_machine *machine, const inlay_options *options,
                     const inlay_diag *with, inlay_diag *diag)
{
    inlay_mapping *mapping = NULL;
    (void)with;
    int status = mapping_timed(context, machine, options, &mapping, diag);
    inlay_mapping_free(mapping);
    return status;
}

int inlay_map(const inlay_app *app, const inlay_machine *machine, const inlay_options *options, inlay_mapping **mapping,
              inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_options asked = options != NULL ? *options : (inlay_options){0};
    if (asked.method == NULL) {
        asked.method = usual_method(&asked);
    }
    if (asked.objective != INLAY_OBJECTIVE_MAKESPAN && asked.method != &best_method.is) {
        diag_remedy(diag, "--method", "best");
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "objective period is for method best; the method is %s",
                         asked.method->name);
    }
    int status = mapping_timed(app, machine, &asked, mapping, diag);
    if (status == INLAY_OK) {
        warn_if_slow(*mapping, &asked, diag);
    }
    return remedy_prove(status, machine, &asked, ask_again, app, diag);
}

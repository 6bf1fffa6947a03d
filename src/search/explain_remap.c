/* Changes that map the application anew: under another T, with other processors, with the other reduction. */
#include "base/decimal.h"
#include "base/diag.h"
#include "search/explain.h"
#include <inlay/sweep.h>
#include <stdio.h>
#include <string.h>

/* Larger applications may have very many clusterings: a sample of the sweep then, and few methods. */
enum { WHOLE_SWEEP_MODULES = 2000, SAMPLE = 24 };

/* ---- The mapping's own options ---- */

/* T as the mapping has it, where it was given. */
static inlay_options own_options(const explainer *x)
{
    const inlay_summary *s = inlay_mapping_summary(x->mapping);
    inlay_options o = s->options;
    o.has_time_frame = s->time_frame_given;
    o.processors = s->processors;
    return o;
}

static void set_frame(inlay_change *change, const explainer *x, const char *text)
{
    inlay_decimal value;
    if (inlay_decimal_parse(text, &value) == INLAY_OK) {
        change->mapping.has_time_frame = true;
        change->mapping.time_frame = (inlay_duration){value, inlay_app_unit(inlay_mapping_app(x->mapping))};
        (void)snprintf(change->time_frame, sizeof change->time_frame, "%s", text);
    }
}

static inlay_change change_of_mapping(const explainer *x, inlay_change_kind kind)
{
    inlay_change change = explain_change(x, kind);
    change.maps_anew = true;
    change.mapping = own_options(x);
    if (change.mapping.has_time_frame) {
        set_frame(&change, x, inlay_mapping_summary(x->mapping)->time_frame_text);
    }
    return change;
}

/* ---- Mapping anew ---- */

/* The mapping that the change asks for; NULL with INLAY_OK where there is none. */
static int map_anew(explainer *x, const inlay_machine *machine, const inlay_change *change, inlay_mapping **mapping)
{
    *mapping = NULL;
    int status = inlay_map(inlay_mapping_app(x->mapping), machine, &change->mapping, mapping, NULL);
    return explain_fails(status) ? diag_fail(x->diag, status, "%s", inlay_status_text(status)) : INLAY_OK;
}

static int try_mapping(explainer *x, const inlay_mapping *mapping, inlay_change change)
{
    change.processors = inlay_mapping_summary(mapping)->clusters;
    return explain_try(x, mapping, &x->run, change);
}

static int try_on_own_machine(explainer *x, inlay_change change)
{
    inlay_mapping *mapping;
    int status = map_anew(x, inlay_mapping_machine(x->mapping), &change, &mapping);
    if (status == INLAY_OK && mapping != NULL) {
        status = try_mapping(x, mapping, change);
    }
    inlay_mapping_free(mapping);
    return status;
}

/* ---- Another T ---- */

/* The row of the sweep that a T falls into. */
static size_t row_of(const inlay_sweep_result *sweep, double time_frame)
{
    size_t row = 0;
    while (row + 1 < inlay_sweep_rows(sweep) &&
           inlay_sweep_time(sweep, inlay_sweep_row_at(sweep, row + 1)->time_frame) <= time_frame) {
        row++;
    }
    return row;
}

/* T's that were tried, and those that there are to try. */
typedef struct frames {
    explainer *x;
    const inlay_sweep_result *sweep;
    size_t own;     /* row of the mapping's T */
    bool has_own;   /* whether the mapping is that of the row */
    size_t seen[8]; /* rows */
    size_t count;
} frames;

/* One T a row: more would give the same clusters. */
static int try_frame(frames *f, inlay_frame_kind kind, size_t row, const char *text)
{
    bool seen = f->has_own && row == f->own;
    for (size_t i = 0; i < f->count; i++) {
        seen = seen || f->seen[i] == row;
    }
    if (seen) {
        return INLAY_OK;
    }
    inlay_change change = change_of_mapping(f->x, INLAY_CHANGE_TIME_FRAME);
    f->seen[f->count++] = row;
    change.frame = kind;
    set_frame(&change, f->x, text);
    return try_on_own_machine(f->x, change);
}

static int try_point(frames *f, inlay_frame_kind kind, const inlay_sweep_point *point)
{
    return point->exists ? try_frame(f, kind, point->row, point->text) : INLAY_OK;
}

static int try_row(frames *f, inlay_frame_kind kind, size_t row)
{
    char text[INLAY_TIME_TEXT];
    const inlay_sweep_row *at = inlay_sweep_row_at(f->sweep, row);
    inlay_sweep_time_text(f->sweep, at->time_frame, text);
    return at->cost.saturated ? INLAY_OK : try_frame(f, kind, row, text);
}

static int try_frames(frames *f)
{
    const inlay_sweep_summary *s = inlay_sweep_summary_of(f->sweep);
    int status = try_point(f, INLAY_FRAME_T_MIN, &s->t_min);
    status = status == INLAY_OK ? try_point(f, INLAY_FRAME_T_FIT, &s->t_fit) : status;
    status = status == INLAY_OK ? try_point(f, INLAY_FRAME_T_PAR, &s->t_par) : status;
    status = status == INLAY_OK ? try_point(f, INLAY_FRAME_BEST, &s->best) : status;
    if (status == INLAY_OK && f->own > 0) {
        status = try_row(f, INLAY_FRAME_SHORTER, f->own - 1);
    }
    if (status == INLAY_OK && f->own + 1 < inlay_sweep_rows(f->sweep)) {
        status = try_row(f, INLAY_FRAME_LONGER, f->own + 1);
    }
    return status;
}

static int other_frames(explainer *x)
{
    const inlay_app *app = inlay_mapping_app(x->mapping);
    const inlay_summary *s = inlay_mapping_summary(x->mapping);
    inlay_sweep_result *sweep = NULL;
    inlay_sweep_options options = {.mapping = own_options(x), .threads = x->run.threads};
    options.mapping.has_time_frame = false;
    options.points = inlay_app_modules(app) > WHOLE_SWEEP_MODULES ? SAMPLE : 0;
    int status = inlay_sweep(app, inlay_mapping_machine(x->mapping), &options, &sweep, NULL);
    if (status != INLAY_OK) {
        return explain_fails(status) ? diag_fail(x->diag, status, "%s", inlay_status_text(status)) : INLAY_OK;
    }
    frames f = {.x = x, .sweep = sweep, .own = row_of(sweep, s->time_frame)};
    f.has_own = strcmp(s->method, "placement") != 0 && s->reduced_from < 0;
    status = try_frames(&f);
    inlay_sweep_free(sweep);
    return status;
}

/* ---- One processor fewer or more ---- */

/* T as given where that leaves so many clusters, else chosen: it is what decides how many there are. */
static int try_count(explainer *x, const inlay_machine *machine, const char *text, inlay_id wanted)
{
    inlay_id now = inlay_mapping_summary(x->mapping)->clusters;
    inlay_change change = change_of_mapping(x, INLAY_CHANGE_PROCESSORS);
    inlay_mapping *mapping;
    change.machine = text;
    change.mapping.processors = wanted;
    int status = map_anew(x, machine, &change, &mapping);
    bool fits = mapping != NULL && inlay_mapping_summary(mapping)->clusters == wanted;
    if (status == INLAY_OK && !fits && change.mapping.has_time_frame) {
        inlay_mapping_free(mapping);
        change.mapping.has_time_frame = false;
        change.time_frame[0] = '\0';
        status = map_anew(x, machine, &change, &mapping);
    }
    inlay_id clusters = mapping != NULL ? inlay_mapping_summary(mapping)->clusters : now;
    if (status == INLAY_OK && (wanted < now ? clusters < now : clusters > now)) {
        status = try_mapping(x, mapping, change);
    }
    inlay_mapping_free(mapping);
    return status;
}

/* On a larger machine where all processors are used, unless the options have a factor for each of this one's. */
static int one_more(explainer *x)
{
    const inlay_machine *machine = inlay_mapping_machine(x->mapping);
    inlay_id wanted = inlay_mapping_summary(x->mapping)->clusters + 1;
    if (wanted <= inlay_machine_processors(machine)) {
        return try_count(x, machine, NULL, wanted);
    }
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%d", (int)wanted);
    inlay_machine *larger = NULL;
    int status = x->run.processor_scale == NULL ? explain_machine_with(x, "processors", digits, &larger) : INLAY_OK;
    if (larger == NULL) {
        return status;
    }
    const char *text = explain_keep_text(x, larger);
    status = text != NULL ? try_count(x, larger, text, wanted) : diag_no_memory(x->diag);
    inlay_machine_free(larger);
    return status;
}

static int other_counts(explainer *x)
{
    inlay_id now = inlay_mapping_summary(x->mapping)->clusters;
    int status = now > 1 ? try_count(x, inlay_mapping_machine(x->mapping), NULL, now - 1) : INLAY_OK;
    return status == INLAY_OK ? one_more(x) : status;
}

/* ---- The other reduction ---- */

static int other_reduction(explainer *x)
{
    inlay_change change = change_of_mapping(x, INLAY_CHANGE_REDUCTION);
    if (inlay_mapping_summary(x->mapping)->reduced_from < 0 || change.mapping.reduce == INLAY_REDUCE_NONE) {
        return INLAY_OK;
    }
    change.mapping.reduce = change.mapping.reduce == INLAY_REDUCE_H2 ? INLAY_REDUCE_H1 : INLAY_REDUCE_H2;
    change.mapping.reduce_by_traffic = false;
    return try_on_own_machine(x, change);
}

/* ---- Another method, another order ---- */

static bool is_tried(const explainer *x, const inlay_method *method)
{
    bool small = inlay_app_modules(inlay_mapping_app(x->mapping)) <= WHOLE_SWEEP_MODULES;
    bool always = strcmp(method->name, "best") == 0 || strcmp(method->name, "one") == 0;
    return strcmp(method->name, inlay_mapping_summary(x->mapping)->method) != 0 && !method->by_name &&
           (small || always);
}

/* The last of the table, best, comes first, so that it stands before those that are as good. What concerns the own method alone is left out. */
static int other_methods(explainer *x)
{
    int status = INLAY_OK;
    size_t methods = inlay_methods();
    for (size_t k = 0; status == INLAY_OK && k < methods; k++) {
        inlay_change change = change_of_mapping(x, INLAY_CHANGE_METHOD);
        change.mapping.method = inlay_method_at((k + methods - 1) % methods);
        change.mapping.has_time_frame = false;
        change.time_frame[0] = '\0';
        change.mapping.risk = INLAY_RISK_NONE;
        change.mapping.objective = INLAY_OBJECTIVE_MAKESPAN;
        status = is_tried(x, change.mapping.method) ? try_on_own_machine(x, change) : INLAY_OK;
    }
    return status;
}

static int other_order(explainer *x)
{
    inlay_mapping *mapping = NULL;
    int status = inlay_improve(x->mapping, INLAY_KEEP_PLACES, NULL, &mapping, NULL);
    if (status != INLAY_OK) {
        return explain_fails(status) ? diag_fail(x->diag, status, "%s", inlay_status_text(status)) : INLAY_OK;
    }
    status = try_mapping(x, mapping, explain_change(x, INLAY_CHANGE_ORDER));
    inlay_mapping_free(mapping);
    return status;
}

int explain_map_anew(explainer *x)
{
    int status = other_frames(x);
    status = status == INLAY_OK ? other_counts(x) : status;
    status = status == INLAY_OK ? other_reduction(x) : status;
    status = status == INLAY_OK ? other_methods(x) : status;
    return status == INLAY_OK ? other_order(x) : status;
}

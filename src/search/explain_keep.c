/* Changes that keep the placement: what it runs on is another, or the application is. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "mapping/mapping.h"
#include "search/explain.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Processors ---- */

static int all_processors(explainer *x)
{
    inlay_simulation_options run = x->run;
    run.compute_scale = (run.compute_scale > 0 ? run.compute_scale : 1) / 2;
    return explain_try(x, x->mapping, &run, explain_change(x, INLAY_CHANGE_ALL_PROCESSORS));
}

/* The cluster with most of the critical path that is not in the list yet; -1 where none computes any of it. */
static inlay_id next_cluster(const explainer *x, const inlay_id *list, inlay_id listed)
{
    inlay_id best = -1;
    for (inlay_id c = 0; c < x->result->figures.processors; c++) {
        bool there = x->path_time[c] <= 0;
        for (inlay_id i = 0; i < listed; i++) {
            there = there || list[i] == c;
        }
        if (!there && (best < 0 || x->path_time[c] > x->path_time[best])) {
            best = c;
        }
    }
    return best;
}

static int one_processor(explainer *x, double *scale, inlay_id processor)
{
    inlay_simulation_options run = x->run;
    inlay_change change = explain_change(x, INLAY_CHANGE_PROCESSOR);
    double whole = scale[processor];
    change.processor = processor;
    scale[processor] = whole / 2;
    run.processor_scale = scale;
    int status = explain_try(x, x->mapping, &run, change);
    scale[processor] = whole;
    return status;
}

static int each_processor(explainer *x)
{
    inlay_id tried[INLAY_EXPLAIN_MOST], processors = inlay_machine_processors(inlay_mapping_machine(x->mapping));
    if (x->result->figures.processors == 1) {
        return INLAY_OK; /* which is all of them */
    }
    double *scale = memory_array((size_t)processors, sizeof *scale);
    if (scale == NULL) {
        return diag_no_memory(x->diag);
    }
    for (inlay_id k = 0; k < processors; k++) {
        scale[k] = x->run.processor_scale != NULL ? x->run.processor_scale[k] : 1;
    }
    int status = INLAY_OK;
    for (inlay_id i = 0; status == INLAY_OK && i < INLAY_EXPLAIN_MOST; i++) {
        tried[i] = next_cluster(x, tried, i);
        if (tried[i] < 0) {
            break;
        }
        status = one_processor(x, scale, inlay_mapping_cluster(x->mapping, tried[i]).processor);
    }
    free(scale);
    return status;
}

/* ---- The application ---- */

/* Simulates the placement with another application; the two have the same modules and links. */
static int try_app(explainer *x, const inlay_app *app, inlay_change change)
{
    inlay_mapping changed = *x->mapping;
    changed.app = app;
    return explain_try(x, &changed, &x->run, change);
}

/* `count` times in grains ten times finer (-1 stands for none); NULL where there are none, or no memory. */
static inlay_time *finer(const inlay_time *time, size_t count)
{
    inlay_time *copy = time != NULL ? memory_array(count, sizeof *copy) : NULL;
    for (size_t i = 0; copy != NULL && i < count; i++) {
        copy[i] = time[i] < 0 ? time[i] : 10 * time[i];
    }
    return copy;
}

/* Sums of times stay below 2^62 in grains; the finer ones may not. */
static bool can_be_finer(const inlay_app *app)
{
    inlay_time most = 0;
    for (inlay_id i = 0; i < app->modules; i++) {
        inlay_time blocking = app->blocking != NULL ? app->blocking[i] : 0;
        most = app->time[i] > most ? app->time[i] : most;
        most = blocking > most ? blocking : most;
        for (int t = 0; t < app->types; t++) {
            inlay_time own = app->type_time[(size_t)t * (size_t)app->modules + (size_t)i];
            most = own > most ? own : most;
        }
    }
    return most <= INT64_MAX / 10 / (app->modules + 1);
}

/* Half a grain is five finer ones. */
static int halve_module(explainer *x)
{
    const inlay_app *app = inlay_mapping_app(x->mapping);
    inlay_id module = x->result->figures.path_module;
    if (module < 0 || !can_be_finer(app)) {
        return INLAY_OK;
    }
    size_t n = (size_t)app->modules, types = (size_t)app->types;
    inlay_app changed = *app;
    changed.decimals++;
    changed.time = finer(app->time, n);
    changed.blocking = finer(app->blocking, n);
    changed.type_time = finer(types > 0 ? app->type_time : NULL, types * n);
    int status = changed.time != NULL && (changed.blocking != NULL || app->blocking == NULL) &&
                         (changed.type_time != NULL || types == 0)
                     ? INLAY_OK
                     : diag_no_memory(x->diag);
    if (status == INLAY_OK) {
        inlay_change change = explain_change(x, INLAY_CHANGE_MODULE);
        change.module = module;
        changed.time[module] /= 2;
        for (size_t t = 0; t < types; t++) {
            inlay_time *own = &changed.type_time[t * n + (size_t)module];
            *own = *own < 0 ? *own : *own / 2;
        }
        status = try_app(x, &changed, change);
    }
    free(changed.time);
    free(changed.blocking);
    free(changed.type_time);
    return status;
}

/* At most one each; whether there were more is told. NULL when out of memory. */
static int64_t *at_most_one(const int64_t *messages, int64_t count, bool *were_more)
{
    int64_t *copy = memory_array((size_t)count, sizeof *copy);
    for (int64_t i = 0; copy != NULL && i < count; i++) {
        copy[i] = messages[i] > 1 ? 1 : messages[i];
        *were_more = *were_more || messages[i] > 1;
    }
    return copy;
}

/* Where traffic is messages, fewer of them would be less traffic, and nobody knows how large they may be. */
static int aggregate(explainer *x)
{
    const inlay_app *app = inlay_mapping_app(x->mapping);
    bool were_more = false;
    if (!inlay_mapping_summary(x->mapping)->traffic_in_bytes) {
        return INLAY_OK;
    }
    inlay_app changed = *app;
    struct {
        int64_t **array;
        int64_t count;
    } counted[] = {{&changed.out_messages, app->links},
                   {&changed.own_messages, app->links},
                   {&changed.datum_messages, app->data},
                   {&changed.use_messages, app->use_begin[app->blocks]}};
    enum { ARRAYS = sizeof counted / sizeof *counted };
    int status = INLAY_OK;
    for (size_t k = 0; k < ARRAYS; k++) {
        const int64_t *had = *counted[k].array;
        *counted[k].array = had == NULL ? NULL : at_most_one(had, counted[k].count, &were_more);
        status = had != NULL && *counted[k].array == NULL ? INLAY_NO_MEMORY : status;
    }
    status = status == INLAY_OK ? INLAY_OK : diag_no_memory(x->diag);
    if (status == INLAY_OK && were_more) {
        status = try_app(x, &changed, explain_change(x, INLAY_CHANGE_AGGREGATE));
    }
    for (size_t k = 0; k < ARRAYS; k++) {
        free(*counted[k].array);
    }
    return status;
}

/* ---- The network ---- */

int explain_machine_with(explainer *x, const char *attribute, const char *value, inlay_machine **changed)
{
    const inlay_machine *machine = inlay_mapping_machine(x->mapping);
    size_t count = inlay_machine_attributes(machine), at = 0;
    inlay_attribute *attributes = memory_array(count + 1, sizeof *attributes);
    *changed = NULL;
    if (attributes == NULL) {
        return diag_no_memory(x->diag);
    }
    for (size_t i = 0; i < count; i++) {
        attributes[i] = inlay_machine_attribute(machine, i);
    }
    while (at < count && strcmp(attributes[at].name, attribute) != 0) {
        at++;
    }
    attributes[at] = (inlay_attribute){attribute, value, 0};
    count += at == count;
    int status = inlay_machine_make(inlay_machine_name(machine), "", attributes, count, changed, NULL);
    free(attributes);
    return explain_fails(status) ? diag_fail(x->diag, status, "%s", inlay_status_text(status)) : INLAY_OK;
}

const char *explain_keep_text(explainer *x, const inlay_machine *machine)
{
    inlay_explanation *to = x->result;
    char *text = memory_string(inlay_machine_text(machine));
    if (text != NULL) {
        to->machine_text[to->machine_texts++] = text;
    }
    return text;
}

/* The placement on the machine with one attribute changed. */
static int try_attribute(explainer *x, inlay_change_kind kind, const char *attribute, const char *value)
{
    inlay_change change = explain_change(x, kind);
    inlay_mapping changed = *x->mapping;
    inlay_machine *machine;
    int status = explain_machine_with(x, attribute, value, &machine);
    if (machine == NULL) {
        return status;
    }
    changed.machine = machine;
    change.machine = explain_keep_text(x, machine);
    status = change.machine != NULL ? explain_try(x, &changed, &x->run, change) : diag_no_memory(x->diag);
    inlay_machine_free(machine);
    return status;
}

enum { VALUE_TEXT = 80 };

/* Half of a time, exactly; false where it has too many digits. */
static bool half_text(inlay_duration time, char text[VALUE_TEXT])
{
    enum { MOST_SCALE = 18 };
    char digits[DECIMAL_TEXT];
    inlay_decimal half = time.value;
    if (half.digits % 2 == 0) {
        half.digits /= 2;
    } else if (half.scale < MOST_SCALE && half.digits <= INT64_MAX / 5) {
        half = (inlay_decimal){half.digits * 5, half.scale + 1};
    } else {
        return false;
    }
    (void)snprintf(text, VALUE_TEXT, "%s%s", decimal_text(half, digits), inlay_unit_name(time.unit));
    return true;
}

static int twice_the_capacity(explainer *x)
{
    const inlay_machine *machine = inlay_mapping_machine(x->mapping);
    inlay_rate rate = {1, INLAY_RATE_MESSAGES, INLAY_UNIT_TICK}; /* applications in ticks: the default */
    char value[VALUE_TEXT], number[DOUBLE_TEXT];
    (void)inlay_machine_capacity(machine, &rate);
    (void)snprintf(value, sizeof value, "%s%s%s%s", double_text(2 * rate.value, number),
                   rate.kind == INLAY_RATE_BYTES ? "B" : "msg", rate.per != INLAY_UNIT_NONE ? "/" : "",
                   inlay_unit_name(rate.per));
    return try_attribute(x, INLAY_CHANGE_CAPACITY, "capacity", value);
}

static int half_the_cycle(explainer *x)
{
    inlay_duration cycle = {{1, 0}, INLAY_UNIT_TICK}; /* applications in ticks: the default */
    char value[VALUE_TEXT];
    (void)inlay_machine_cycle(inlay_mapping_machine(x->mapping), &cycle);
    return half_text(cycle, value) ? try_attribute(x, INLAY_CHANGE_CAPACITY, "cycle", value) : INLAY_OK;
}

static int change_network(explainer *x)
{
    const inlay_machine *machine = inlay_mapping_machine(x->mapping);
    inlay_duration latency = inlay_machine_latency(machine);
    char value[VALUE_TEXT];
    int status = INLAY_OK;
    if (x->result->figures.messages == 0 || x->run.contention == INLAY_CONTENTION_FREE) {
        return INLAY_OK;
    }
    if (!inlay_mapping_summary(x->mapping)->free_network) {
        status = inlay_machine_switch(machine) > 0 ? half_the_cycle(x) : twice_the_capacity(x);
    }
    if (status == INLAY_OK && latency.value.digits > 0 && half_text(latency, value)) {
        status = try_attribute(x, INLAY_CHANGE_LATENCY, "latency", value);
    }
    return status == INLAY_OK ? aggregate(x) : status;
}

static int change_overlap(explainer *x)
{
    const inlay_machine *machine = inlay_mapping_machine(x->mapping);
    if (inlay_machine_broadcasts_in_trees(machine) || inlay_machine_rendezvous_above(machine) < INT64_MAX) {
        return INLAY_OK; /* which go with overlap alone */
    }
    inlay_simulation_options run = x->run;
    inlay_change change = explain_change(x, INLAY_CHANGE_OVERLAP);
    run.no_overlap = !run.no_overlap;
    change.overlap = !run.no_overlap;
    return x->result->figures.messages > 0 ? explain_try(x, x->mapping, &run, change) : INLAY_OK;
}

int explain_keep_placement(explainer *x)
{
    int status = all_processors(x);
    status = status == INLAY_OK ? each_processor(x) : status;
    status = status == INLAY_OK ? halve_module(x) : status;
    status = status == INLAY_OK ? change_network(x) : status;
    return status == INLAY_OK ? change_overlap(x) : status;
}

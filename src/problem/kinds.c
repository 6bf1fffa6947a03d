/* Kinds of processors. */
#include "problem/kinds.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void kinds_clear(kinds *k)
{
    free(k->kind);
    free(k->of);
    *k = (kinds){0};
}

static bool is_of(const processor_kind *k, const inlay_processor *processor)
{
    bool type =
        k->type == NULL || processor->type == NULL ? k->type == processor->type : strcmp(k->type, processor->type) == 0;
    return type && !(k->speed < processor->speed) && !(k->speed > processor->speed) && k->memory == processor->memory;
}

/* The kind of a processor, a new one where it is like none before; -1 where there are too many. */
static int find_kind(const inlay_app *app, kinds *k, const inlay_processor *processor)
{
    for (int i = 0; i < k->count; i++) {
        if (is_of(&k->kind[i], processor)) {
            return i;
        }
    }
    if (k->count == KINDS_MOST) {
        return -1;
    }
    k->kind[k->count] = (processor_kind){.cores = 1,
                                         .time = app_times_on(app, processor->type),
                                         .type = processor->type,
                                         .speed = processor->speed,
                                         .memory = processor->memory};
    return k->count++;
}

/* No module is done faster than where it runs best: then it is `speed` grains of work in a grain of time. */
static void fill_rates(const inlay_app *app, kinds *k)
{
    if (k->count == 1) {
        k->kind[0].rate = k->speed;
        return;
    }
    inlay_time *best = kinds_best(app, k);
    for (int i = 0; i < k->count; i++) {
        processor_kind *own = &k->kind[i];
        own->rate = best == NULL ? k->speed : 0;
        for (inlay_id m = 0; best != NULL && m < app->modules; m++) {
            inlay_time time = kind_runs(own, m) ? kind_time(app, own, m) : 0;
            own->rate = time > 0 ? fmax(own->rate, (double)best[m] * own->speed / (double)time) : own->rate;
        }
    }
    free(best);
}

static void count_cores(const inlay_machine *machine, kinds *k)
{
    inlay_id processors = inlay_machine_processors(machine);
    for (inlay_id p = 0, first = 0; p < processors && inlay_machine_has_links(machine); p++) {
        first = inlay_machine_host(machine, p) == inlay_machine_host(machine, first) ? first : p;
        processor_kind *own = &k->kind[k->of == NULL ? 0 : k->of[p]];
        own->cores = p - first + 1 > own->cores ? p - first + 1 : own->cores;
    }
}

/*
 * Times on a type that no processor is of, but nearly of one on which there are none: a slip. That a machine lacks some type
 * of an application's is none.
 */
static void warn_of_slips(const inlay_app *app, const kinds *k, inlay_diag *diag)
{
    const char *type[KINDS_MOST];
    char nearest[128];
    size_t types = 0;
    for (int i = 0; i < k->count; i++) {
        if (k->kind[i].type != NULL && app_times_on(app, k->kind[i].type) == NULL) {
            type[types++] = k->kind[i].type;
        }
    }
    for (int t = 0; t < inlay_app_types(app) && types > 0; t++) {
        const char *own = inlay_app_type_name(app, t);
        bool there = false;
        for (int i = 0; i < k->count; i++) {
            there = there || (k->kind[i].type != NULL && strcmp(k->kind[i].type, own) == 0);
        }
        inlay_nearest(own, type, types, "", nearest, sizeof nearest);
        if (!there && nearest[0] != '\0') {
            diag_warn(diag, "no processor is of type '%s', on which modules have times%s: these are not looked at", own,
                      nearest);
        }
    }
}

int kinds_make(const inlay_app *app, const inlay_machine *machine, kinds *result, inlay_diag *diag)
{
    kinds k = {.kind = memory_zeroed(KINDS_MOST, sizeof *k.kind)};
    inlay_id processors = inlay_machine_unlike(machine) ? inlay_machine_processors(machine) : 1;
    if (processors > 1) {
        k.of = memory_array((size_t)processors, sizeof *k.of);
    }
    if (k.kind == NULL || (processors > 1 && k.of == NULL)) {
        kinds_clear(&k);
        return diag_no_memory(diag);
    }
    for (inlay_id p = 0; p < processors; p++) {
        const inlay_processor processor = inlay_machine_processor(machine, p);
        int number = find_kind(app, &k, &processor);
        if (number < 0) {
            kinds_clear(&k);
            return diag_fail_at(diag, INLAY_OVERFLOW, inlay_machine_text(machine), 0,
                                "more than %d kinds of processors; expected fewer types, speeds and sizes of memory",
                                KINDS_MOST);
        }
        k.kind[number].count++;
        k.speed = fmax(k.speed, processor.speed);
        if (k.of != NULL) {
            k.of[p] = (uint8_t)number;
        }
    }
    if (processors == 1) {
        k.kind[0].count = inlay_machine_processors(machine);
    }
    count_cores(machine, &k);
    fill_rates(app, &k);
    warn_of_slips(app, &k, diag);
    *result = k;
    return INLAY_OK;
}

/* What is so little below a whole grain is that grain. */
static const double hair = 1e-14;

inlay_time *kinds_best(const inlay_app *app, const kinds *k)
{
    inlay_time *best = memory_array((size_t)app->modules, sizeof *best);
    for (inlay_id m = 0; best != NULL && m < app->modules; m++) {
        best[m] = INT64_MAX;
        bool somewhere = false; /* where nowhere, nothing is asked of its time */
        for (int i = 0; i < k->count; i++) {
            somewhere = somewhere || kind_runs(&k->kind[i], m);
        }
        for (int i = 0; i < k->count; i++) {
            if (somewhere && !kind_runs(&k->kind[i], m)) {
                continue;
            }
            double scaled = (double)kind_time(app, &k->kind[i], m) * (k->speed / k->kind[i].speed) * (1 + hair);
            inlay_time time =
                k->kind[i].speed < k->speed ? (inlay_time)fmin(scaled, 4e18) : kind_time(app, &k->kind[i], m);
            best[m] = time < best[m] ? time : best[m];
        }
    }
    return best;
}

static int compare_rates(const void *a, const void *b)
{
    const processor_kind *const *x = a, *const *y = b;
    return (*x)->rate != (*y)->rate ? ((*x)->rate < (*y)->rate) - ((*x)->rate > (*y)->rate) : (*x > *y) - (*x < *y);
}

void kinds_by_rate(const kinds *k, const processor_kind *sorted[KINDS_MOST])
{
    for (int i = 0; i < KINDS_MOST; i++) {
        sorted[i] = i < k->count ? &k->kind[i] : NULL;
    }
    qsort(sorted, (size_t)k->count, sizeof *sorted, compare_rates);
}

double kinds_rate(const kinds *k, inlay_id processors)
{
    const processor_kind *sorted[KINDS_MOST];
    double rate = 0;
    kinds_by_rate(k, sorted);
    for (int i = 0; i < k->count && processors > 0; i++) {
        inlay_id of_this = sorted[i]->count < processors ? sorted[i]->count : processors;
        rate += of_this * sorted[i]->rate;
        processors -= of_this;
    }
    return rate;
}

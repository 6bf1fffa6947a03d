/*
 * The kinds of processors that a machine has: of one type, speed and memory each.
 *
 * A module takes its time on the kind's type over the kind's speed. Where kinds differ, clusters are formed by what
 * modules take where they run fastest: `best` of every module, in grains at the speed of the fastest kind. A cluster's
 * work w takes at least w / speed, and nothing else is decided by it but which clusters merge.
 */
#ifndef PROBLEM_KINDS_H
#define PROBLEM_KINDS_H

#include <inlay/app.h>
#include <inlay/machine.h>

enum { KINDS_MOST = 64 };

typedef struct processor_kind {
    const inlay_time *time; /**< the application's times on the type, -1 where it gives none; NULL: none at all */
    const char *type;
    double speed;
    int64_t memory; /**< -1 unlimited */
    inlay_id count; /**< processors */
    inlay_id cores; /**< most of them on one host */
    double rate;    /**< most work, in grains at the fastest speed, that it does in a grain of time */
} processor_kind;

typedef struct kinds {
    processor_kind *kind;
    int count;
    uint8_t *of;  /**< of every processor; NULL where there is one kind */
    double speed; /**< of the fastest */
} kinds;

int kinds_make(const inlay_app *app, const inlay_machine *machine, kinds *result, inlay_diag *diag);
void kinds_clear(kinds *k);

static inline const processor_kind *kinds_of(const kinds *k, inlay_id processor)
{
    return &k->kind[k->of == NULL ? 0 : k->of[processor]];
}

/** Whether all processors are of one kind and of speed 1: what they do takes whole grains. */
static inline bool kinds_plain(const kinds *k)
{
    return k->count == 1 && !(k->speed < 1) && !(k->speed > 1);
}

/** Time of a module on a kind at speed 1, grains. */
static inline inlay_time kind_time(const inlay_app *app, const processor_kind *k, inlay_id module)
{
    inlay_time own = k->time == NULL ? -1 : k->time[module];
    return own < 0 ? inlay_app_time(app, module) : own;
}

/** Whether a module may run on a kind. */
static inline bool kind_runs(const processor_kind *k, inlay_id module)
{
    return k->time == NULL || k->time[module] != INLAY_NEVER;
}

/** Time of every module where it runs fastest, in grains at the fastest speed; NULL when out of memory. */
inlay_time *kinds_best(const inlay_app *app, const kinds *k);

/** All kinds, the fastest by rate first, then as they stand. */
void kinds_by_rate(const kinds *k, const processor_kind *sorted[KINDS_MOST]);

/** The work that the fastest `processors` processors do in a grain of time, in grains at the fastest speed. */
double kinds_rate(const kinds *k, inlay_id processors);

#endif

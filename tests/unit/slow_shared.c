/* The slow simulator of shared cores: no clock, no calendar; everything is worked out anew at every event. */
#include "slow_shared.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

typedef struct item {
    int number, from, to; /**< to: -1 nobody waits */
    double after;         /**< due when so much of the module is done */
    double takes;         /**< message and latency */
    bool crosses, released;
} item;

typedef struct cluster {
    inlay_cluster_info info;
    int at;
    bool computes;
    double done;  /**< of the module at hand */
    double until; /**< no overlap: its messages have arrived by then */
} cluster;

typedef struct slow {
    const inlay_mapping *mapping;
    const inlay_app *app;
    const slow_shared_options *options;
    slow_shared_run *run;
    double m[SLOW_SHARED_MODULES], ready[SLOW_SHARED_MODULES];
    int missing[SLOW_SHARED_MODULES];
    item item[SLOW_SHARED_LINKS];
    int items, clusters;
    cluster cluster[SLOW_SHARED_MODULES];
} slow;

/* ---- The mapping as lists ---- */

static double time_of_message(const slow *s)
{
    const inlay_machine *machine = inlay_mapping_machine(s->mapping);
    inlay_rate rate;
    ck_assert(inlay_machine_capacity(machine, &rate));
    ck_assert_int_eq(rate.kind, INLAY_RATE_MESSAGES);
    return inlay_machine_transfers(machine) / rate.value + inlay_decimal_double(inlay_machine_latency(machine).value);
}

static double lag(const slow *s, int from, int to)
{
    if (!inlay_mapping_summary(s->mapping)->streamed) return s->m[from];
    double wait = inlay_app_in_units(s->app, inlay_app_blocking(s->app, to) - inlay_app_blocking(s->app, from));
    return fmin(s->m[from], fmax(wait, 0));
}

static void list_items(slow *s)
{
    for (int i = 0; i < inlay_app_modules(s->app); i++) {
        inlay_links out = inlay_app_out(s->app, i);
        for (int64_t l = 0; l < out.count; l++) {
            bool alone = out.flags[l] & INLAY_LINK_TRAFFIC_ONLY;
            int to = out.module[l];
            bool crosses = inlay_mapping_cluster_of(s->mapping, i) != inlay_mapping_cluster_of(s->mapping, to);
            item made = {
                .number = s->items, .from = i, .to = alone ? -1 : to, .after = alone ? s->m[i] : lag(s, i, to)};
            made.crosses = crosses && out.messages[l] > 0 && !s->options->free;
            made.takes = made.crosses ? (double)out.messages[l] * time_of_message(s) : 0;
            if (made.crosses && s->options->no_overlap) made.after = s->m[i];
            if (!alone) s->missing[to]++;
            ck_assert_int_lt(s->items, SLOW_SHARED_LINKS);
            s->item[s->items++] = made;
        }
    }
}

/* ---- Events ---- */

static void release(slow *s, cluster *c, item *i, double now)
{
    i->released = true;
    s->run->due[i->number] = now;
    s->run->arrival[i->number] = now + i->takes;
    if (i->crosses) {
        s->run->makespan = fmax(s->run->makespan, now + i->takes);
        if (s->options->no_overlap) c->until = fmax(c->until, now + i->takes);
    }
    if (i->to < 0) return;
    s->missing[i->to]--;
    s->ready[i->to] = fmax(s->ready[i->to], now + i->takes);
}

/* How much of its module has to be done for something to happen. */
static double milestone(const slow *s, const cluster *c)
{
    int module = c->info.module[c->at];
    double next = s->m[module];
    for (int i = 0; i < s->items; i++)
        if (s->item[i].from == module && !s->item[i].released) next = fmin(next, s->item[i].after);
    return next;
}

static void happen(slow *s, cluster *c, double now)
{
    int module = c->info.module[c->at];
    for (int i = 0; i < s->items; i++)
        if (s->item[i].from == module && !s->item[i].released && s->item[i].after <= c->done)
            release(s, c, &s->item[i], now);
    if (c->done < s->m[module]) return;
    s->run->end[module] = now;
    s->run->busy[c - s->cluster] += now - s->run->start[module];
    s->run->makespan = fmax(s->run->makespan, now);
    c->computes = false;
    c->at++;
}

/* When a processor that does not compute begins to; INFINITY: not known. */
static double start_of(const slow *s, const cluster *c)
{
    if (c->computes || c->at == c->info.modules || s->missing[c->info.module[c->at]] > 0) return INFINITY;
    return fmax(s->ready[c->info.module[c->at]], c->until);
}

static void start_modules(slow *s, double now)
{
    for (int c = 0; c < s->clusters; c++) {
        if (start_of(s, &s->cluster[c]) > now) continue;
        s->cluster[c].computes = true;
        s->cluster[c].done = 0;
        s->run->start[s->cluster[c].info.module[s->cluster[c].at]] = now;
    }
}

static double speed(const slow *s)
{
    int n = 0;
    for (int c = 0; c < s->clusters; c++)
        n += s->cluster[c].computes;
    if (n > s->run->most) s->run->most = n;
    return n <= s->options->cores ? 1 : (double)s->options->cores / n;
}

/* From one event to the next; false where there is none. */
static bool step(slow *s, double *now)
{
    start_modules(s, *now);
    double each = speed(s), next = INFINITY, goal[SLOW_SHARED_MODULES], when[SLOW_SHARED_MODULES];
    for (int c = 0; c < s->clusters; c++) {
        cluster *x = &s->cluster[c];
        goal[c] = x->computes ? milestone(s, x) : 0;
        when[c] = x->computes ? *now + (goal[c] - x->done) / each : start_of(s, x);
        next = fmin(next, when[c]);
    }
    if (isinf(next)) return false;
    for (int c = 0; c < s->clusters; c++)
        if (s->cluster[c].computes)
            s->cluster[c].done = when[c] <= next ? goal[c] : s->cluster[c].done + (next - *now) * each;
    *now = next;
    for (int c = 0; c < s->clusters; c++)
        if (s->cluster[c].computes && when[c] <= next) happen(s, &s->cluster[c], next);
    return true;
}

void slow_shared(const inlay_mapping *mapping, const slow_shared_options *options, slow_shared_run *run)
{
    slow *s = calloc(1, sizeof *s);
    *s = (slow){.mapping = mapping, .app = inlay_mapping_app(mapping), .options = options, .run = run};
    *run = (slow_shared_run){0};
    s->clusters = inlay_mapping_summary(mapping)->clusters;
    ck_assert_int_le(inlay_app_modules(s->app), SLOW_SHARED_MODULES);
    for (int i = 0; i < inlay_app_modules(s->app); i++)
        s->m[i] = inlay_app_in_units(s->app, inlay_app_time(s->app, i));
    for (int c = 0; c < s->clusters; c++)
        s->cluster[c].info = inlay_mapping_cluster(mapping, c);
    list_items(s);
    double now = 0;
    while (step(s, &now)) {
    }
    for (int c = 0; c < s->clusters; c++)
        ck_assert_int_eq(s->cluster[c].at, s->cluster[c].info.modules);
    free(s);
}

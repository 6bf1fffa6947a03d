/*
 * Processors that differ: what a module takes on each, what it counts for where it is not known yet on which it runs, and
 * what the fastest of them do together.
 */
#include "check/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which kinds there are ---- */

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_like(const check_class *class, inlay_processor processor)
{
    return same_text(class->type, processor.type) && class->speed == processor.speed &&
           class->memory == processor.memory;
}

/* The number of a type in the application; -1 where no module has a time of its own there. */
static int type_number(const check *k, const char *type)
{
    for (int t = 0; type && t < inlay_app_types(k->app); t++)
        if (strcmp(inlay_app_type_name(k->app, t), type) == 0) return t;
    return -1;
}

/* The class of a processor, a new one where it is like none before. There is room for it. */
static int class_for(check *k, inlay_processor processor)
{
    for (int i = 0; i < k->classes; i++)
        if (is_like(&k->class[i], processor)) return i;
    k->class[k->classes] = (check_class){.type = processor.type,
                                         .speed = processor.speed,
                                         .memory = processor.memory,
                                         .type_number = type_number(k, processor.type)};
    return k->classes++;
}

static bool make_room(check *k)
{
    if ((k->classes & (k->classes - 1)) != 0) return true;
    size_t room = k->classes > 0 ? 2 * (size_t)k->classes : 1;
    check_class *larger = realloc(k->class, room * sizeof *larger);
    if (larger) k->class = larger;
    return larger != NULL;
}

/* Where all are alike, one stands for all. */
static int read_classes(check *k)
{
    inlay_id processors = inlay_machine_processors(k->machine);
    inlay_id looked_at = inlay_machine_unlike(k->machine) ? processors : 1;
    k->class_of = calloc((size_t)looked_at, sizeof *k->class_of);
    if (!k->class_of) return INLAY_NO_MEMORY;
    for (inlay_id p = 0; p < looked_at; p++) {
        if (!make_room(k)) return INLAY_NO_MEMORY;
        k->class_of[p] = class_for(k, inlay_machine_processor(k->machine, p));
        k->class[k->class_of[p]].processors += looked_at == 1 ? processors : 1;
    }
    for (int i = 0; i < k->classes; i++)
        k->speed = fmax(k->speed, k->class[i].speed);
    return INLAY_OK;
}

const check_class *check_class_of(const check *k, inlay_id processor)
{
    return &k->class[inlay_machine_unlike(k->machine) ? k->class_of[processor] : 0];
}

/* ---- Times ---- */

inlay_time check_time_on(const check *k, inlay_id module, const check_class *class)
{
    inlay_time own = class->type_number < 0 ? -1 : inlay_app_type_time(k->app, class->type_number, module);
    return own >= 0 ? own : inlay_app_time(k->app, module);
}

bool check_may_run_on(const check *k, inlay_id module, const check_class *class)
{
    return class->type_number < 0 || inlay_app_type_time(k->app, class->type_number, module) != INLAY_NEVER;
}

/* In whole grains at the fastest speed; what lacks a hair's breadth of one counts as one. */
static inlay_time at_fastest(const check *k, inlay_id module, const check_class *class)
{
    inlay_time time = check_time_on(k, module, class);
    if (class->speed == k->speed) return time;
    long double counted = (long double)time * k->speed / class->speed * (1 + 1e-14L);
    return counted < 4e18L ? (inlay_time)counted : (inlay_time)4e18L;
}

static void count_times(check *k)
{
    for (inlay_id i = 0; i < k->modules; i++) {
        bool first = true; /* of the classes on which it may run */
        k->time[i] = at_fastest(k, i, &k->class[0]);
        for (int c = 0; c < k->classes; c++) {
            inlay_time other = at_fastest(k, i, &k->class[c]);
            if (!check_may_run_on(k, i, &k->class[c])) continue;
            if (first || other < k->time[i]) k->time[i] = other;
            first = false;
        }
        for (inlay_id core = 0; core < check_cores(k, i); core++)
            k->total_time = check_add(k->total_time, k->time[i]);
        if (k->time[i] > k->longest) k->longest = k->time[i];
    }
}

/* A processor does at most so much of what is counted at the fastest speed in a unit of time. */
static void rate_classes(check *k)
{
    for (int c = 0; c < k->classes; c++) {
        check_class *class = &k->class[c];
        class->rate = k->classes == 1 ? class->speed : 0;
        for (inlay_id i = 0; i < k->modules && k->classes > 1; i++) {
            long double time = check_may_run_on(k, i, class) ? (long double)check_time_on(k, i, class) : 0;
            if (time > 0) class->rate = fmaxl(class->rate, (long double)k->time[i] * class->speed / time);
        }
    }
}

int check_kinds(check *k)
{
    int status = read_classes(k);
    if (status != INLAY_OK) return status;
    k->plain = k->classes == 1 && k->speed == 1;
    count_times(k);
    rate_classes(k);
    return INLAY_OK;
}

static int compare_rates(const void *a, const void *b)
{
    long double x = ((const check_class *)a)->rate, y = ((const check_class *)b)->rate;
    return (x < y) - (x > y);
}

/* Sorting the classes would move those that class_of names: a copy. */
int check_rate(const check *k, inlay_id processors, double *rate)
{
    check_class *by_rate = malloc((size_t)k->classes * sizeof *by_rate);
    long double sum = 0;
    if (!by_rate) return INLAY_NO_MEMORY;
    memcpy(by_rate, k->class, (size_t)k->classes * sizeof *by_rate);
    qsort(by_rate, (size_t)k->classes, sizeof *by_rate, compare_rates);
    for (int c = 0; c < k->classes && processors > 0; c++) {
        inlay_id taken = by_rate[c].processors < processors ? by_rate[c].processors : processors;
        sum += taken * by_rate[c].rate;
        processors -= taken;
    }
    free(by_rate);
    *rate = (double)sum;
    return INLAY_OK;
}

/* ---- Clusters on their processors ---- */

void check_own_times(check *k)
{
    for (inlay_id c = 0; c < k->clusters; c++) {
        check_cluster *cluster = &k->cluster[c];
        const check_class *class = check_class_of(k, cluster->processor);
        long double busy = 0, rest = (long double)cluster->work - (long double)cluster->busy;
        for (inlay_id at = cluster->first; at < cluster->end; at++)
            busy += (long double)check_time_on(k, k->listed[at], class) / class->speed;
        cluster->own_busy = (double)(busy / (long double)k->grains_per_unit);
        cluster->own_work = (double)((busy + rest / k->speed) / (long double)k->grains_per_unit);
    }
}

/* The time frame that is taken where the caller gives none. */
#include "check/check.h"

#include <math.h>
#include <stdlib.h>

/* The module that a data block counts with before it has a processor: most messages, most bytes, the smallest number. */
static inlay_id heaviest_user(const check *k, inlay_id block)
{
    inlay_links uses = inlay_app_uses(k->app, block);
    int64_t best = 0;
    for (int64_t u = 1; u < uses.count; u++)
        if (uses.messages[u] > uses.messages[best] ||
            (uses.messages[u] == uses.messages[best] && uses.bytes[u] > uses.bytes[best]))
            best = u;
    return uses.count > 0 ? uses.module[best] : 0;
}

/* A starting cluster: a module, or all that are pinned to one processor. */
typedef struct start {
    inlay_id pin;
    inlay_time work;
} start;

static int compare_pins(const void *a, const void *b)
{
    const start *x = a, *y = b;
    return (x->pin > y->pin) - (x->pin < y->pin);
}

/* The largest of them; `one` has an entry a module. */
static inlay_time largest_start(const check *k, start *one)
{
    inlay_time largest = 0, sum = 0;
    qsort(one, (size_t)k->modules, sizeof *one, compare_pins);
    for (inlay_id i = 0; i < k->modules; i++) {
        bool joins = i > 0 && one[i].pin >= 0 && one[i].pin == one[i - 1].pin;
        sum = joins ? check_add(sum, one[i].work) : one[i].work;
        if (sum > largest) largest = sum;
    }
    return largest > 0 ? largest : 1; /* where nothing takes time, the smallest that can be told */
}

/* max(largest work, total work over what P processors do in a unit of time) */
static int least_frame(const check *k, double *frame)
{
    start *one = calloc((size_t)k->modules + 1, sizeof *one);
    inlay_time all = 0;
    double rate = 0;
    int status = one ? check_rate(k, k->processors, &rate) : INLAY_NO_MEMORY;
    if (status != INLAY_OK) {
        free(one);
        return status;
    }
    for (inlay_id i = 0; i < k->modules; i++)
        one[i] = (start){inlay_app_pin(k->app, i), check_add(k->time[i], k->work_ready[i])};
    for (inlay_id d = 0; d < k->blocks; d++) {
        start *home = &one[heaviest_user(k, d)];
        home->work = check_add(home->work, inlay_app_block_time(k->app, d));
    }
    for (inlay_id i = 0; i < k->modules; i++)
        for (inlay_id core = 0; core < check_cores(k, i); core++)
            all = check_add(all, core == 0 ? one[i].work : k->time[i]);
    double largest = check_units(k, largest_start(k, one)) / k->speed;
    *frame = rate > 0 ? fmax(largest, check_units(k, all) / rate) : largest;
    free(one);
    return INLAY_OK;
}

/* To the twelve digits that a time frame is raised to. */
static bool close_to(double a, double b)
{
    return fabs(a - b) <= 3e-11 * fabs(b);
}

/*
 * The T of a placement, which is the same whatever T is: the default, or where the network would be saturated, twice the
 * least at which it is not. u x T does not depend on T.
 */
static void placed_frame(check *k, double least)
{
    double saturated = k->u * k->time_frame / (double)k->network.limit;
    double raised = 2 * saturated;
    double expected = saturated < least ? least : raised;
    bool either = close_to(saturated, least) && close_to(k->time_frame, raised);
    if (!either && !close_to(k->time_frame, expected))
        check_find(k, "time_frame is %.15g by default, the file says %.15g", expected, k->time_frame);
}

/* Clusters that follow T change with it, which is raised for them, too: it is at least what it would have been. */
int check_default_frame(check *k)
{
    double least = 0;
    if (k->frame_given) return INLAY_OK;
    int status = least_frame(k, &least);
    if (status != INLAY_OK) return status;
    check_counted(k, 1);
    /* a decimal has at most 18 places, which very short times are cut to */
    if (k->time_frame < least * (1 - 1e-12) - 1e-18)
        check_find(k, "time_frame is at least %.15g by default, the file says %.15g", least, k->time_frame);
    else if (k->method == NULL || !k->method->time_frame)
        placed_frame(k, least);
    return INLAY_OK;
}

/* Speeds, lambda and tau out of what --hosts measured. */
#include "base/diag.h"
#include "measure/analysis.h"
#include <math.h>
#include <stdlib.h>

/* ---- Speeds ---- */

static int by_seconds(const void *left, const void *right)
{
    const inlay_advisor_rank *const *a = left, *const *b = right;
    int order = ((*a)->seconds.median > (*b)->seconds.median) - ((*a)->seconds.median < (*b)->seconds.median);
    return order != 0 ? order : (*a > *b) - (*a < *b); /* by number, so that the same comes out everywhere */
}

/* Ranks from the fastest on that take up to so much longer are alike: methods that gather equal speeds must find them. */
static size_t group_end(inlay_advisor_rank *const *order, size_t from, size_t count)
{
    const double alike = 1.05;
    size_t end = from + 1;
    while (end < count && order[end]->seconds.median <= alike * order[from]->seconds.median) {
        end++;
    }
    return end;
}

static int find_rates(inlay_advisor_fit *a)
{
    const inlay_raw *r = a->of;
    size_t count = (size_t)r->ranks;
    inlay_advisor_rank **order = malloc(count * sizeof *order);
    if (order == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        a->rank[i].seconds = inlay_figure_of(&r->advisor.seconds[i]);
        order[i] = &a->rank[i];
    }
    qsort(order, count, sizeof *order, by_seconds);
    for (size_t from = 0, end; from < count; from = end) {
        double sum = 0;
        end = group_end(order, from, count);
        for (size_t i = from; i < end; i++) {
            sum += order[i]->seconds.median;
        }
        for (size_t i = from; i < end; i++) {
            order[i]->rate = r->advisor.operations * (double)(end - from) / sum;
        }
        a->unlike = a->unlike || end < count;
    }
    a->fastest = (int)(order[0] - a->rank);
    free(order);
    return INLAY_OK;
}

/* ---- The network ---- */

double advisor_share(const inlay_advisor_fit *a)
{
    return a->kind == INLAY_MEDIUM_BUS ? a->of->ranks : 1;
}

/* Points of each size, for so many series; `room` has four doubles for each of them. */
static inlay_fit_points points_in(double *room, const inlay_raw *r, int count)
{
    size_t points = (size_t)count * (size_t)r->sizes;
    return (inlay_fit_points){room, room + points, room + 2 * points, points, NULL};
}

static void set_point(inlay_fit_points *points, size_t at, int64_t size, const inlay_repeats *seconds)
{
    inlay_figure of = inlay_figure_of(seconds);
    points->size[at] = (double)size;
    points->seconds[at] = of.median;
    points->spread[at] = of.spread;
}

/* What a message takes alone, of all pairs together. */
static int fit_alone(const inlay_raw *r, double *room, inlay_message_fit *fit)
{
    const inlay_raw_advisor *of = &r->advisor;
    inlay_fit_points points = points_in(room, r, of->pairs);
    for (int s = 0; s < r->sizes; s++) {
        for (int i = 0; i < of->pairs; i++) {
            set_point(&points, (size_t)s * (size_t)of->pairs + (size_t)i, r->size[s], &of->pair[i].seconds[s]);
        }
    }
    return inlay_fit_messages(&points, r->size, r->sizes, fit);
}

/*
 * What is nearest in the ratio of a byte's times: on a switch a message has the way to itself, on half-duplex links two
 * share it, on a bus all. Slopes alone are compared: short messages pass a bus while others are still on their way.
 */
static inlay_medium find_kind(double shared, int ranks)
{
    const double messages[INLAY_MEDIA] = {
        [INLAY_MEDIUM_SWITCH] = 1, [INLAY_MEDIUM_BUS] = ranks, [INLAY_MEDIUM_HALF_DUPLEX] = 2};
    int kind = INLAY_MEDIUM_SWITCH;
    for (int i = 0; i < INLAY_MEDIA && shared > 0; i++) {
        kind = fabs(log(shared / messages[i])) < fabs(log(shared / messages[kind])) ? i : kind;
    }
    return (inlay_medium)kind;
}

/* y = lambda + tau x, weights 1 / y^2, with x what the medium carries in a step. */
static int fit_steps(inlay_advisor_fit *a, double *room)
{
    const inlay_raw *r = a->of;
    inlay_fit_points points = points_in(room, r, 1);
    inlay_message_fit alone, fit;
    int status = fit_alone(r, room, &alone);
    for (int s = 0; s < r->sizes; s++) {
        set_point(&points, (size_t)s, r->size[s], &r->advisor.ring.seconds[s]);
        a->step[s].seconds = (inlay_figure){points.seconds[s], points.spread[s]};
    }
    status = status == INLAY_OK ? inlay_fit_messages(&points, r->size, r->sizes, &fit) : status;
    if (status != INLAY_OK) {
        return status;
    }
    for (int s = 0; s < r->sizes; s++) {
        a->step[s].fitted = fit.latency + fit.per_byte * (double)r->size[s];
    }
    a->shared = alone.per_byte > 0 ? fit.per_byte / alone.per_byte : 0;
    a->kind = find_kind(a->shared, r->ranks);
    a->latency = fit.latency;
    a->per_byte = fit.per_byte / advisor_share(a);
    a->residual = fit.residual;
    a->largest = fit.largest;
    return INLAY_OK;
}

static int find_network(inlay_advisor_fit *a)
{
    const inlay_raw *r = a->of;
    size_t sizes = (size_t)r->sizes, pairs = (size_t)r->advisor.pairs;
    double *room = malloc(4 * sizes * pairs * sizeof *room);
    a->step = calloc(sizes, sizeof *a->step);
    int status = room == NULL || a->step == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    status = status == INLAY_OK ? fit_steps(a, room) : status;
    free(room);
    return status;
}

/* ---- The whole ---- */

static void warn_of_speeds(const inlay_advisor_fit *a, inlay_diag *diag)
{
    const double doubtful = 0.25;
    const inlay_raw *r = a->of;
    for (int i = 0; i < r->ranks; i++) {
        if (a->rank[i].seconds.spread > doubtful) {
            diag_warn(diag, "runs of processor %d differ by %.0f %%: something else ran on it", i,
                      100 * a->rank[i].seconds.spread);
        }
    }
    for (int h = 0; h < r->hosts; h++) {
        const inlay_raw_host *host = &r->host[h];
        if (host->cores > 0 && host->ranks > host->cores) {
            diag_warn(diag, "%d processes share the %d core%s of %s: each has as many operations as they leave it",
                      host->ranks, (int)host->cores, host->cores == 1 ? "" : "s", host->name);
        }
    }
}

static void warn_of_network(const inlay_advisor_fit *a, inlay_diag *diag)
{
    const double doubtful = 0.25, unlike = 1.5;
    if (a->per_byte <= 0) {
        diag_warn(diag, "messages do not take longer the larger they are: the bandwidth is not known");
    }
    if (a->residual > doubtful) {
        diag_warn(diag, "steps of the ring are no latency and bandwidth: the fit is off by %.0f %% (root mean square)",
                  100 * a->residual);
    }
    double ratio = a->shared / (a->kind == INLAY_MEDIUM_HALF_DUPLEX ? 2 : advisor_share(a));
    if (a->shared > 0 && (ratio > unlike || ratio < 1 / unlike)) {
        diag_warn(diag,
                  "a byte takes %.3g times as long in the ring as alone, like none of switch, half duplex and bus; "
                  "the nearest is %s",
                  a->shared, inlay_medium_name(a->kind));
    }
}

int advisor_make(const inlay_raw *measured, inlay_advisor_fit *a, inlay_diag *diag)
{
    a->of = measured;
    a->rank = calloc((size_t)measured->ranks, sizeof *a->rank);
    int status = a->rank == NULL ? INLAY_NO_MEMORY : find_rates(a);
    if (status == INLAY_OK && measured->ranks > 1) {
        status = find_network(a);
    }
    if (status != INLAY_OK) {
        return status;
    }
    analysis_warn_of_others(measured, diag);
    warn_of_speeds(a, diag);
    if (measured->ranks > 1) {
        warn_of_network(a, diag);
    }
    return INLAY_OK;
}

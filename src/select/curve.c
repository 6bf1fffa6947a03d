/*
 * The best cycle of each number of processors: of all configurations where there are not too many, else by exchanges
 * from what the neighbouring numbers have found.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "base/sorted.h"
#include "select/run.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CONFIGURATIONS = 200000, MOST_POINTS = 100000 };

typedef struct curve {
    const select_model *model;
    int32_t points;
    int64_t *total;      /* of each point, rising */
    double *cost;        /* the best found, infinite at first */
    int32_t *processors; /* its configuration, a row a point */
    int32_t *current;    /* scratch: a configuration */
    int64_t looked_at;
} curve;

static int32_t *row_of(const curve *c, int32_t point)
{
    return c->processors + (size_t)point * (size_t)c->model->clusters;
}

static void offer(const curve *c, int32_t point, const int32_t *processors, double cost)
{
    if (cost < c->cost[point]) {
        c->cost[point] = cost;
        memcpy(row_of(c, point), processors, (size_t)c->model->clusters * sizeof *processors);
    }
}

/* 1 to all, or `points` of these with even steps between them. */
static bool make_points(curve *c, int32_t points)
{
    int64_t all = c->model->processors;
    size_t m = (size_t)c->model->clusters;
    c->points = all < points ? (int32_t)all : points;
    size_t n = (size_t)c->points;
    if (!(c->total = memory_array(n, sizeof *c->total)) || !(c->cost = memory_array(n, sizeof *c->cost)) ||
        !(c->processors = memory_zeroed(n * m, sizeof *c->processors)) ||
        !(c->current = memory_zeroed(m, sizeof *c->current))) {
        return false;
    }
    for (int32_t at = 0; at < c->points; at++) {
        c->total[at] = c->points > 1 ? 1 + (all - 1) * at / (c->points - 1) : 1;
        c->cost[at] = INFINITY;
    }
    return true;
}

static void clear(curve *c)
{
    free(c->total);
    free(c->cost);
    free(c->processors);
    free(c->current);
}

/* ---- All configurations ---- */

static double configurations_of(const select_model *model)
{
    double configurations = 1;
    for (int32_t i = 0; i < model->clusters; i++) {
        configurations *= model->most[i] + 1.0;
    }
    return configurations - 1;
}

/* The point with this total; -1 where none has. */
static int32_t point_of(const curve *c, int64_t total)
{
    int32_t at = (int32_t)sorted_at_wide(c->total, 0, c->points - 1, total);
    return c->total[at] == total ? at : -1;
}

static void look_at_all(curve *c)
{
    int64_t total = 0;
    for (int32_t i = c->model->clusters - 1; i >= 0;) {
        if (c->current[i] == c->model->most[i]) {
            total -= c->current[i];
            c->current[i--] = 0;
            continue;
        }
        c->current[i]++;
        total++;
        int32_t point = point_of(c, total);
        if (point >= 0) {
            offer(c, point, c->current, select_cycle(c->model, c->current));
            c->looked_at++;
        }
        i = c->model->clusters - 1;
    }
}

/* ---- Exchanges ---- */

static double look_at(curve *c)
{
    c->looked_at++;
    return select_cycle(c->model, c->current);
}

/* Gives up to `step` processors to one cluster (takes them where `step` is below 0); how many that were. */
static int32_t change(curve *c, int32_t i, int64_t step)
{
    int64_t now = c->current[i];
    int64_t then = now + step;
    then = then < 0 ? 0 : then > c->model->most[i] ? c->model->most[i] : then;
    c->current[i] = (int32_t)then;
    return (int32_t)(then - now);
}

/* Moves towards `total` in at most STEPS parts, each by the cluster where it costs least. */
static void reach(curve *c, int64_t now, int64_t total)
{
    enum { STEPS = 64 };
    int64_t gap = total - now;
    int64_t part = (llabs(gap) + STEPS - 1) / STEPS;
    while (gap != 0) {
        int64_t step = gap > 0 ? (gap < part ? gap : part) : (-gap < part ? gap : -part);
        double least = INFINITY;
        int32_t best = -1;
        for (int32_t i = 0; i < c->model->clusters; i++) {
            int32_t changed = change(c, i, step);
            if (changed != 0 && now + changed > 0) {
                double cost = look_at(c);
                if (best < 0 || cost < least) {
                    least = cost;
                    best = i;
                }
            }
            c->current[i] -= changed;
        }
        int32_t changed = change(c, best, step);
        now += changed;
        gap -= changed;
    }
}

/* The best exchange of up to `step` processors between two clusters; whether it gains. */
static bool exchange(curve *c, int64_t step, double *cost)
{
    bool gained = false;
    for (int32_t from = 0; from < c->model->clusters; from++) {
        for (int32_t to = 0; to < c->model->clusters; to++) {
            int32_t room = c->model->most[to] - c->current[to];
            int32_t moved = (int32_t)(room < step ? room : step);
            moved = moved < c->current[from] ? moved : c->current[from];
            if (from == to || moved == 0) {
                continue;
            }
            c->current[from] -= moved;
            c->current[to] += moved;
            double tried = look_at(c);
            if (tried < *cost) {
                *cost = tried;
                gained = true;
            } else {
                c->current[from] += moved;
                c->current[to] -= moved;
            }
        }
    }
    return gained;
}

/* Exchanges of all sizes, large ones first, until nothing gains. */
static void improve(curve *c, int32_t point)
{
    enum { ROUNDS = 16 };
    double cost = look_at(c);
    bool gained = true;
    for (int round = 0; gained && round < ROUNDS; round++) {
        gained = false;
        for (int64_t step = c->total[point]; step > 0; step /= 4) {
            gained = exchange(c, step, &cost) || gained;
        }
    }
    offer(c, point, c->current, cost);
}

/* All processors of a point in one cluster, where they fit. */
static void start_alone(curve *c, int32_t point, int32_t cluster)
{
    memset(c->current, 0, (size_t)c->model->clusters * sizeof *c->current);
    if (change(c, cluster, c->total[point]) == c->total[point]) {
        offer(c, point, c->current, look_at(c));
    }
}

static void from_neighbour(curve *c, int32_t neighbour, int32_t point)
{
    memcpy(c->current, row_of(c, neighbour), (size_t)c->model->clusters * sizeof *c->current);
    reach(c, c->total[neighbour], c->total[point]);
    offer(c, point, c->current, look_at(c));
    memcpy(c->current, row_of(c, point), (size_t)c->model->clusters * sizeof *c->current);
    improve(c, point);
}

static void exchange_all(curve *c)
{
    for (int32_t at = 0; at < c->points; at++) {
        for (int32_t i = 0; i < c->model->clusters; i++) {
            start_alone(c, at, i);
        }
        from_neighbour(c, at > 0 ? at - 1 : at, at);
    }
    for (int32_t at = c->points - 2; at >= 0; at--) {
        from_neighbour(c, at + 1, at);
    }
}

/* ---- The curve ---- */

static int check_points(int32_t points, inlay_diag *diag)
{
    return points >= 2 && points <= MOST_POINTS
               ? INLAY_OK
               : diag_fail(diag, INLAY_BAD_ARGUMENT, "%d points are asked for; expected 2 to %d", (int)points,
                           MOST_POINTS);
}

static int draw(const select_subject *subject, int64_t limit, int32_t points, inlay_selection **selection,
                inlay_diag *diag)
{
    curve c = {.model = &subject->model};
    bool all = configurations_of(&subject->model) <= (double)limit;
    if (!make_points(&c, points)) {
        clear(&c);
        return diag_no_memory(diag);
    }
    if (all) {
        look_at_all(&c);
    } else {
        exchange_all(&c);
    }
    select_best best = {.clusters = subject->model.clusters,
                        .kept = c.points,
                        .cost = c.cost,
                        .processors = c.processors,
                        .looked_at = c.looked_at,
                        .proven = all};
    bool every = all && c.points == subject->model.processors;
    for (int32_t at = 0; every && at < c.points; at++) {
        best.lower_bound = at == 0 ? c.cost[0] : fmin(best.lower_bound, c.cost[at]);
    }
    int status = select_result(&subject->model, &subject->question, &best, selection, diag);
    clear(&c);
    return status;
}

int inlay_select_curve(const inlay_domain *domain, const inlay_metasystem *metasystem, const inlay_select_terms *terms,
                       const inlay_select_options *options, int32_t points, inlay_selection **selection,
                       inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_select_options none = {0};
    options = options == NULL ? &none : options;
    int status = select_check_options(options, diag);
    status = status == INLAY_OK ? check_points(points, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    select_subject subject;
    status = select_subject_make(domain, metasystem, terms, &subject, diag);
    if (status == INLAY_OK) {
        status = draw(&subject, options->limit > 0 ? options->limit : CONFIGURATIONS, points, selection, diag);
    }
    select_subject_clear(&subject);
    return status;
}

/*
 * E. B. Fernandez and B. Bussell, "Bounds on the number of processors and time for multiprocessor optimal schedules", IEEE
 * Transactions on Computers C-22(8), 1973: work that no schedule can keep out of an interval.
 *
 * At the critical path t a module starts at E_i at the soonest and ends at L_i at the latest. Of an interval [a, b] of end
 * points it takes at least its part of whichever is less, as early or as late as can be:
 *
 *     min(m_i, b - a, max(0, E_i + m_i - a), max(0, b - L_i + m_i))   on each of its cores.
 *
 * A schedule of t + d has d more behind b, so R(a, b) of these sums fits into P (b - a + d). For one a, a module's part grows
 * with b along one ramp: ramps are added up by where they begin and end, and all b are read off in one pass.
 *
 * Where processors differ, P counts as the work that the fastest do, and a module that begins before a counts only with
 * what lies behind a, once b reaches L_i: a slow processor may be busy with it for the whole interval and do less.
 */
#include "base/memory.h"
#include "mapping/bounds.h"
#include <stdlib.h>

/* End points: all of them up to MOST_POINTS, from MOST_GATHERED modules' times on those of every n-th module. */
enum { MOST_POINTS = 2000, MOST_GATHERED = 1 << 17 };
/* Modules looked at in all, over all left ends; and the fewest left ends. */
enum { MOST_STEPS = 4000000, FEWEST_LEFT = 8 };

/* What is added to R behind an end point. Sums wrap, and come out right: R itself is far below 2^63. */
typedef struct change {
    uint64_t slope, offset;
} change;

typedef struct intervals {
    const bounds_question *q;
    inlay_time *point; /* rising */
    int32_t points;
    int64_t all;         /* end points before any were left out */
    int32_t *late_start; /* of every module: the first point behind L_i - m_i ... */
    int32_t *late_end;   /* ... and behind L_i, or at it where processors differ */
    change *at;          /* points + 1 */
    double power;        /* what P processors do in a grain of time */
    double hair;         /* by less than this no interval is better: the first of equal ones is told */
    bool differ;
} intervals;

static inline inlay_time latest_start(const bounds_question *q, inlay_id i)
{
    return q->timing->critical_path - q->tail[i];
}

static int compare_times(const void *a, const void *b)
{
    inlay_time x = *(const inlay_time *)a, y = *(const inlay_time *)b;
    return (x > y) - (x < y);
}

/* Evenly out of those that are different, the first and the last among them. */
static void thin(intervals *v, int64_t count)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; k++) {
        if (kept == 0 || v->point[k] != v->point[kept - 1]) {
            v->point[kept++] = v->point[k];
        }
    }
    v->all = kept;
    v->points = (int32_t)(kept < MOST_POINTS ? kept : MOST_POINTS);
    for (int64_t k = 0; kept > MOST_POINTS && k < MOST_POINTS; k++) {
        v->point[k] = v->point[k * (kept - 1) / (MOST_POINTS - 1)];
    }
}

static bool gather_points(intervals *v)
{
    const bounds_question *q = v->q;
    inlay_id n = q->app->modules, stride = 1 + (n - 1) / (MOST_GATHERED / 2);
    v->point = memory_array((size_t)n / (size_t)stride * 2 + 4, sizeof *v->point);
    if (v->point == NULL) {
        return false;
    }
    int64_t count = 0;
    v->point[count++] = 0;
    v->point[count++] = q->timing->critical_path;
    for (inlay_id i = 0; i < n; i += stride) {
        v->point[count++] = q->earliest[i];
        v->point[count++] = latest_start(q, i) + q->timing->m[i];
    }
    qsort(v->point, (size_t)count, sizeof *v->point, compare_times);
    thin(v, count);
    return true;
}

/* The first point that is larger. */
static inline int32_t behind(const intervals *v, inlay_time time)
{
    int32_t low = 0, high = v->points;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (v->point[middle] <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool rank_modules(intervals *v)
{
    const bounds_question *q = v->q;
    size_t n = (size_t)q->app->modules;
    v->late_start = memory_array(n, sizeof *v->late_start);
    v->late_end = memory_array(n, sizeof *v->late_end);
    v->at = memory_array((size_t)v->points + 1, sizeof *v->at);
    if (v->late_start == NULL || v->late_end == NULL || v->at == NULL) {
        return false;
    }
    for (inlay_id i = 0; i < q->app->modules; i++) {
        inlay_time start = latest_start(q, i);
        v->late_start[i] = behind(v, start);
        v->late_end[i] = behind(v, start + q->timing->m[i]);
    }
    return true;
}

/* From `start` on one grain of work more for each of b, up to `end`. */
static inline void add_ramp(intervals *v, int32_t first, inlay_time start, int32_t last, inlay_time end, inlay_id cores)
{
    uint64_t slope = (uint64_t)cores;
    v->at[first].slope += slope;
    v->at[first].offset -= slope * (uint64_t)start;
    v->at[last].slope -= slope;
    v->at[last].offset += slope * (uint64_t)end;
}

static void add_modules(intervals *v, int32_t left)
{
    const bounds_question *q = v->q;
    inlay_time a = v->point[left];
    for (inlay_id i = 0; i < q->app->modules; i++) {
        inlay_time m = q->timing->m[i], part = q->earliest[i] + m - a, start = latest_start(q, i);
        if (part <= 0) {
            continue;
        }
        inlay_id cores = bounds_cores(q, i);
        if (part >= m) {
            add_ramp(v, v->late_start[i], start, v->late_end[i], start + m, cores);
        } else if (v->differ) { /* all at once, at the first b that is not before L_i */
            int32_t at = v->late_end[i];
            at -= at > 0 && v->point[at - 1] == start + m;
            v->at[at].offset += (uint64_t)cores * (uint64_t)part;
        } else if (start < a) {
            add_ramp(v, left + 1, a, behind(v, a + part), a + part, cores);
        } else {
            add_ramp(v, v->late_start[i], start, behind(v, start + part), start + part, cores);
        }
    }
}

/* All intervals that begin at one point. */
static void look_from(intervals *v, int32_t left, double *best, inlay_bound *bound)
{
    const bounds_question *q = v->q;
    for (int32_t k = left; k <= v->points; k++) {
        v->at[k] = (change){0, 0};
    }
    add_modules(v, left);
    uint64_t slope = 0, offset = 0;
    for (int32_t right = left; right < v->points; right++) {
        slope += v->at[right].slope;
        offset += v->at[right].offset;
        inlay_time from = v->point[left], to = v->point[right];
        double within = (double)(slope * (uint64_t)to + offset), over = within / v->power - (double)(to - from);
        if (over > *best + v->hair) {
            *best = over;
            bound->from = bounds_units(q, from);
            bound->to = bounds_units(q, to);
        }
    }
}

static void look(intervals *v, inlay_bound *bound)
{
    const bounds_question *q = v->q;
    int64_t lefts = MOST_STEPS / q->app->modules;
    lefts = lefts < FEWEST_LEFT ? FEWEST_LEFT : lefts;
    lefts = lefts < v->points ? lefts : v->points;
    double best = 0;
    for (int64_t k = 0; k < lefts; k++) {
        look_from(v, (int32_t)(k * v->points / lefts), &best, bound);
    }
    bound->value = bounds_units(q, q->timing->critical_path) + best * bounds_units(q, 1);
    bound->points = v->points;
    bound->all = v->all;
}

int bounds_interval(const bounds_question *q, inlay_bound *bound)
{
    if (q->processors == 0) {
        return INLAY_OK;
    }
    bool unlike = q->p != NULL && q->p->kinds.count > 1 && !q->timing->streamed;
    intervals v = {.q = q,
                   .differ = unlike,
                   .power = unlike ? kinds_rate(&q->p->kinds, q->processors) / q->speed : q->processors,
                   .hair = 1e-12 * (double)q->timing->critical_path};
    v.power = v.power > 0 ? v.power : q->processors; /* nothing takes time */
    bool fine = gather_points(&v) && rank_modules(&v);
    if (fine) {
        look(&v, bound);
    }
    free(v.point);
    free(v.late_start);
    free(v.late_end);
    free(v.at);
    return fine ? INLAY_OK : INLAY_NO_MEMORY;
}

/*
 * Going through numbers of processes by events. The queue of what is due may be early, since a shorter time or what was
 * taken back only makes things later; the queue of ends may be late, since with more processes all end sooner. What comes
 * to the front is computed anew. Decided is by the same times as the dealer's, so that nothing is rounded in another way.
 */
#include "processes/walk.h"
#include "base/memory.h"
#include "processes/plan.h"
#include <math.h>
#include <stdlib.h>

/* ---- Queues ---- */

static bool queue_make(walk_queue *queue, size_t rows)
{
    queue->key = memory_zeroed(rows, sizeof *queue->key);
    queue->row = memory_array(rows, sizeof *queue->row);
    queue->place = memory_array(rows, sizeof *queue->place);
    if (queue->key == NULL || queue->row == NULL || queue->place == NULL) {
        return false;
    }
    for (size_t q = 0; q < rows; q++) {
        queue->row[q] = queue->place[q] = q;
    }
    return true;
}

static void queue_clear(walk_queue *queue)
{
    free(queue->key);
    free(queue->row);
    free(queue->place);
}

static void put(walk_queue *queue, size_t at, size_t row)
{
    queue->row[at] = row;
    queue->place[row] = at;
}

/* The row's place in the queue after it got another key. */
static void queue_set(walk_queue *queue, size_t rows, size_t row, double key)
{
    size_t at = queue->place[row];
    queue->key[row] = key;
    for (; at > 0 && queue->key[queue->row[(at - 1) / 2]] > key; at = (at - 1) / 2) {
        put(queue, at, queue->row[(at - 1) / 2]);
    }
    for (size_t child = 2 * at + 1; child < rows; child = 2 * at + 1) {
        child += child + 1 < rows && queue->key[queue->row[child + 1]] < queue->key[queue->row[child]];
        if (!(queue->key[queue->row[child]] < key)) {
            break;
        }
        put(queue, at, queue->row[child]);
        at = child;
    }
    put(queue, at, row);
}

/* ---- Making ---- */

bool walk_make(walk *w, const inlay_process_problem *problem, spread *dealer, bool whole)
{
    *w = (walk){.problem = problem, .dealer = dealer, .whole = whole};
    w->each = memory_array(problem->rows, sizeof *w->each);
    return queue_make(&w->due, problem->rows) && queue_make(&w->ends, problem->rows) && w->each != NULL;
}

void walk_clear(walk *w)
{
    free(w->each);
    queue_clear(&w->due);
    queue_clear(&w->ends);
}

/* ---- Times ---- */

/* The time of k of `total` processes on a processor of a row. */
static double time_of(const walk *w, size_t row, int64_t k, int64_t total)
{
    double things = (double)k;
    return performance_time(&w->dealer->row[row].times, things, things * process_unit(w->problem, total, w->whole));
}

/* The first l from `from` on at which a processor of the row ends one process more within the time, hardly later. */
static double due_from(const walk *w, size_t row, int64_t from)
{
    static const double rounding = 1e-9; /* times of a table may rise by as much where they should not */
    double bound = w->time * (1 + rounding);
    int64_t k = w->each[row] + 1;
    if (from > w->last) {
        return INFINITY;
    }
    double now = time_of(w, row, k, from);
    if (now <= bound) {
        return (double)from;
    }
    int64_t low = from;                                                          /* too few, */
    int64_t high = w->last + 1;                                                  /* and enough, or beyond the last */
    int64_t look = (int64_t)fmin((double)from * (now / bound), (double)w->last); /* as if time were data */
    for (int64_t step = 1; high - low > 1; step *= 2) {
        look = look > low && look < high ? look : low + (high - low) / 2;
        if (time_of(w, row, k, look) <= bound) {
            high = look;
            look -= step;
        } else {
            low = look;
            look += step;
        }
    }
    return high <= w->last ? (double)high : INFINITY;
}

/* ---- Going ---- */

/* Beyond so many processes too many, dealing them all anew is faster than to take them back one by one. */
static bool is_far(const walk *w)
{
    return w->done - w->total > (int64_t)w->problem->rows;
}

/* All that is done within the time, from nothing. */
static void start(walk *w, int64_t total)
{
    spread *s = w->dealer;
    spread_set(s, false, process_unit(w->problem, total, w->whole), total);
    w->done = spread_reach(s, w->time);
    for (size_t q = 0; q < s->rows; q++) {
        w->each[q] = s->reach[q];
        queue_set(&w->due, s->rows, q, due_from(w, q, total));
        queue_set(&w->ends, s->rows, q, -spread_time(s, q, s->reach[q]));
    }
}

void walk_begin(walk *w, int64_t first, int64_t last, double time)
{
    w->time = time;
    w->last = last;
    start(w, first);
    w->total = first - 1;
}

bool walk_next(walk *w)
{
    size_t rows = w->problem->rows;
    w->total++;
    while (w->total <= w->last && !is_far(w)) {
        size_t q = w->due.row[0];
        double due = w->due.key[q];
        if (due > (double)w->total) {
            if (w->done >= w->total) {
                return true;
            }
            w->total = (int64_t)fmin(due, (double)w->last + 1);
            continue;
        }
        double time = time_of(w, q, w->each[q] + 1, w->total);
        if (time <= w->time) {
            w->each[q]++;
            w->done += w->dealer->row[q].count;
            queue_set(&w->ends, rows, q, -time);
        } else {
            queue_set(&w->due, rows, q, due_from(w, q, w->total + 1));
        }
    }
    return w->total <= w->last;
}

/* The row whose processors end last. */
static size_t latest(walk *w, double *time)
{
    for (;;) {
        size_t q = w->ends.row[0];
        *time = time_of(w, q, w->each[q], w->total);
        if (-*time <= w->ends.key[q]) {
            return q;
        }
        queue_set(&w->ends, w->problem->rows, q, -*time);
    }
}

/* Takes back a process of each processor of a row; whether it fits again is asked with the next l. */
static void take_back(walk *w, size_t q)
{
    size_t rows = w->problem->rows;
    w->each[q]--;
    w->done -= w->dealer->row[q].count;
    queue_set(&w->due, rows, q, (double)(w->total + 1));
    queue_set(&w->ends, rows, q, -time_of(w, q, w->each[q], w->total));
}

double walk_least(walk *w)
{
    double time = INFINITY;
    if (is_far(w)) {
        return time;
    }
    for (size_t q = latest(w, &time); w->done - w->dealer->row[q].count >= w->total; q = latest(w, &time)) {
        take_back(w, q);
    }
    return time;
}

void walk_shorten(walk *w, double time)
{
    double last = 0;
    w->time = time;
    if (is_far(w)) {
        start(w, w->total);
        return;
    }
    for (size_t q = latest(w, &last); last > time; q = latest(w, &last)) {
        take_back(w, q);
    }
}

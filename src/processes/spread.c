/*
 * Dealing by parametric search: a time t at which the processors together take fewer things than there are, with hardly
 * any left over, and then one by one by a heap. Going one by one from the start gives the same.
 */
#include "processes/spread.h"
#include "base/heap.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { ROUNDS_OF_GUESSING = 24 };

bool spread_make(spread *s, const inlay_process_problem *problem)
{
    size_t rows = problem->rows;
    *s = (spread){.rows = rows};
    s->row = pool_array(&s->arrays, rows, sizeof *s->row);
    s->reach = pool_zeroed(&s->arrays, rows, sizeof *s->reach);
    s->low = pool_array(&s->arrays, rows, sizeof *s->low);
    s->high = pool_array(&s->arrays, rows, sizeof *s->high);
    s->heap = pool_array(&s->arrays, rows, sizeof *s->heap);
    s->share = pool_zeroed(&s->arrays, rows, sizeof *s->share);
    if (s->arrays.failed) {
        return false;
    }
    for (size_t q = 0; q < rows; q++) {
        s->row[q] = (spread_row){performance_times_of(&problem->row[q]), problem->row[q].count};
    }
    return true;
}

void spread_clear(spread *s)
{
    pool_clear(&s->arrays);
    *s = (spread){0};
}

void spread_set(spread *s, bool divided, double unit, int64_t things)
{
    s->divided = divided;
    s->unit = unit;
    s->things = things;
}

/* ---- How much is done by a time ---- */

/* More than this many things a processor make the row alone take all. */
static int64_t most_of(const spread *s, size_t row)
{
    return (s->things - 1) / s->row[row].count + 1;
}

/* The largest k up to `most` that a processor of the row ends by `time`; near `hint`, where that is near to it. */
static int64_t reach_of(const spread *s, size_t row, double time, int64_t hint, int64_t most)
{
    int64_t low = 0;     /* ends by then */
    int64_t high = most; /* the last that may */
    hint = hint > most ? most : hint;
    if (hint > 0 && spread_time(s, row, hint) > time) {
        high = hint - 1;
        for (int64_t step = 1; step <= high; step *= 2) {
            if (spread_time(s, row, high - step + 1) <= time) {
                low = high - step + 1;
                break;
            }
            high -= step;
        }
    } else {
        low = hint;
        for (int64_t step = 1; step <= high - low; step *= 2) {
            if (spread_time(s, row, low + step) > time) {
                high = low + step - 1;
                break;
            }
            low += step;
        }
    }
    while (low < high) {
        int64_t middle = high - (high - low) / 2;
        if (spread_time(s, row, middle) <= time) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

int64_t spread_reach(spread *s, double time)
{
    static const int64_t plenty = INT64_MAX / 2;
    int64_t sum = 0;
    for (size_t q = 0; q < s->rows; q++) {
        int64_t count = s->row[q].count;
        s->reach[q] = reach_of(s, q, time, s->reach[q], most_of(s, q));
        sum = s->reach[q] > (plenty - sum) / count ? plenty : sum + s->reach[q] * count;
    }
    return sum;
}

bool spread_fits(spread *s, double time)
{
    return spread_reach(s, time) >= s->things;
}

/* ---- The bracket ---- */

/* `low` and `high` of the spread belong to these times; less than all is done by the one, all by the other. */
typedef struct bracket {
    double low, high;
    int64_t done_low, done_high;
} bracket;

/* Makes `time` one of the ends. */
static void look(spread *s, bracket *b, double time)
{
    int64_t done = spread_reach(s, time);
    bool all = done >= s->things;
    memcpy(all ? s->high : s->low, s->reach, s->rows * sizeof *s->reach);
    *(all ? &b->high : &b->low) = time;
    *(all ? &b->done_high : &b->done_low) = done;
}

double spread_alone(const spread *s, size_t row)
{
    return spread_time(s, row, most_of(s, row));
}

/* A time by which one of the rows could do everything alone. */
static double enough(const spread *s)
{
    double time = INFINITY;
    for (size_t q = 0; q < s->rows; q++) {
        time = fmin(time, spread_alone(s, q));
    }
    return time;
}

/*
 * Where to look where nothing is known: with a fair share of the things each processor has some speed, and with these
 * speeds all would be done by then.
 */
static double first_guess(spread *s)
{
    double processors = 0;
    double speed = 0;
    for (size_t q = 0; q < s->rows; q++) {
        processors += (double)s->row[q].count;
    }
    int64_t fair = 1 + (int64_t)((double)(s->things - 1) / processors);
    for (size_t q = 0; q < s->rows; q++) {
        s->heap[q].time = spread_time(s, q, fair);
        speed += (double)s->row[q].count / s->heap[q].time;
    }
    double time = (double)s->things / (speed * (double)fair);
    for (size_t q = 0; q < s->rows; q++) {
        double reach = time / s->heap[q].time * (double)fair;
        s->reach[q] = reach < (double)s->things ? (int64_t)reach : s->things;
    }
    return time;
}

/* Around the guess, widened twice as far each time. */
static void open_bracket(spread *s, bracket *b, double guess)
{
    double most = enough(s);
    double step = fmin(0.5, (double)s->rows / (double)s->things);
    *b = (bracket){.high = INFINITY};
    memset(s->low, 0, s->rows * sizeof *s->low);
    look(s, b, fmin(guess > 0 ? guess : first_guess(s), most));
    for (double time = b->low; b->high > most; step *= 2) {
        time *= 1 + step;
        look(s, b, fmin(time, most));
    }
    for (double time = b->high; b->low <= 0 && step < 1; step *= 2) {
        time *= 1 - step;
        look(s, b, time);
    }
}

/* How many things the heap would have to deal at most. */
static bool narrow(const spread *s, const bracket *b)
{
    double between = 0;
    if (s->things - b->done_low <= (int64_t)s->rows) {
        return true;
    }
    for (size_t q = 0; q < s->rows; q++) {
        between += (double)(s->high[q] - s->low[q]);
    }
    return between <= (double)s->rows;
}

/*
 * Times in turns by the middle and by straight lines between what is done, aimed so that some are left for the heap:
 * then the lower end is close enough.
 */
static void close_bracket(spread *s, bracket *b)
{
    for (int round = 0; !narrow(s, b); round++) {
        double share = 0.5;
        if (round < ROUNDS_OF_GUESSING && round % 3 != 2) {
            double wanted = (double)(s->things - b->done_low) - 0.5 * (double)s->rows;
            share = fmin(fmax(wanted / (double)(b->done_high - b->done_low), 0.01), 0.99);
        }
        double time = b->low + share * (b->high - b->low);
        if (!(time > b->low && time < b->high)) {
            return; /* neighbouring numbers */
        }
        for (size_t q = 0; q < s->rows; q++) {
            s->reach[q] = s->low[q] + (int64_t)(share * (double)(s->high[q] - s->low[q]));
        }
        look(s, b, time);
    }
}

/* ---- The rest, by a heap ---- */

static bool sooner(const void *context, const void *left, const void *right)
{
    const spread_next *a = left, *b = right;
    (void)context;
    return a->time < b->time || (a->time == b->time && a->row < b->row);
}

/* From the lower end of the bracket on. All processors of a row that have as much are served together. */
static void deal_rest(spread *s, int64_t left)
{
    for (size_t q = 0; q < s->rows; q++) {
        s->share[q] = (inlay_process_share){.each = s->low[q]};
        s->heap[q] = (spread_next){spread_time(s, q, s->low[q] + 1), q};
    }
    const heap next = {s->heap, sizeof *s->heap, sooner, NULL};
    heap_order(next, s->rows);
    while (left > 0) {
        spread_next *first = &s->heap[0];
        inlay_process_share *share = &s->share[first->row];
        int64_t count = s->row[first->row].count;
        if (left < count) {
            share->extra = left;
            return;
        }
        left -= count;
        share->each++;
        first->time = spread_time(s, first->row, share->each + 1);
        heap_sink(next, s->rows, 0);
    }
}

bool spread_solve(spread *s, double guess)
{
    bracket b;
    if (!isnormal(enough(s))) {
        return false;
    }
    open_bracket(s, &b, guess);
    close_bracket(s, &b);
    deal_rest(s, s->things - b.done_low);
    s->time = 0;
    for (size_t q = 0; q < s->rows; q++) {
        int64_t most = s->share[q].each + (s->share[q].extra > 0);
        s->time = fmax(s->time, most > 0 ? spread_time(s, q, most) : 0);
    }
    return true;
}

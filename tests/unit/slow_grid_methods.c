/* The methods of decomposition written from the specification: lists of processors, cells painted one by one. */
#include "slow_grid.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct canvas {
    int64_t rows, columns;
    int32_t number[SLOW_PROCESSORS]; /* of each rank */
    int64_t speed[SLOW_PROCESSORS];  /* by rank, in quarters */
    int processors;
    int32_t *owner;
} canvas;

typedef struct rect {
    int64_t top, left, bottom, right;
} rect;

/* Sorted by falling speed, stable. */
static void put_ranks(const inlay_grid_problem *problem, canvas *c)
{
    c->rows = problem->rows;
    c->columns = problem->columns;
    c->processors = 0;
    for (int i = 0; i < problem->processors; i++) {
        int64_t speed = (int64_t)(problem->speed[i] * 4);
        int at = c->processors++;
        for (; at > 0 && c->speed[at - 1] < speed; at--) {
            c->speed[at] = c->speed[at - 1];
            c->number[at] = c->number[at - 1];
        }
        c->speed[at] = speed;
        c->number[at] = i;
    }
}

static void paint(canvas *c, rect r, int rank)
{
    for (int64_t y = r.top; y < r.bottom; y++)
        for (int64_t x = r.left; x < r.right; x++)
            c->owner[y * c->columns + x] = c->number[rank];
}

/* ---- Shares ---- */

static void share_out(const canvas *c, inlay_grid_shares rule, int64_t count, int64_t *share)
{
    int64_t sum = 0, left = count, prefix = 0, before = 0;
    bool served[SLOW_PROCESSORS] = {0};
    for (int i = 0; i < c->processors; i++)
        sum += c->speed[i];
    for (int i = 0; i < c->processors; i++) {
        share[i] = count * c->speed[i] / sum;
        if (rule == INLAY_GRID_CUMULATIVE) {
            prefix += c->speed[i];
            int64_t end = (2 * count * prefix + sum) / (2 * sum);
            share[i] = end - before;
            before = end;
        }
        left -= share[i];
    }
    for (; left > 0; left--) {
        int best = -1;
        for (int i = 0; i < c->processors; i++) {
            if (served[i]) continue;
            bool first = best < 0;
            if (!first && rule == INLAY_GRID_MAKESPAN)
                first = (share[i] + 1) * c->speed[best] < (share[best] + 1) * c->speed[i];
            else if (!first)
                first = count * c->speed[i] % sum > count * c->speed[best] % sum;
            if (first) best = i;
        }
        share[best]++;
        served[best] = rule == INLAY_GRID_HAMILTON;
    }
}

/* ---- Cuts ---- */

static int64_t up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* Cuts for sums s1, s2 of p1, p2 processors; `vertical` may turn. */
static void cut(rect r, bool vertical, int64_t s1, int64_t p1, int64_t s2, int64_t p2, rect *first, rect *second)
{
    int64_t at = -1;
    for (int turn = 0; turn < 2 && at < 0; turn++, vertical = !vertical) {
        int64_t length = vertical ? r.right - r.left : r.bottom - r.top;
        int64_t width = vertical ? r.bottom - r.top : r.right - r.left;
        if (width == 0 || up(p1, width) > length - up(p2, width)) continue;
        at = (2 * length * s1 + s1 + s2) / (2 * (s1 + s2));
        if (at < up(p1, width)) at = up(p1, width);
        if (at > length - up(p2, width)) at = length - up(p2, width);
        vertical = !vertical; /* the loop turns it back */
    }
    if (at < 0) {
        int64_t length = vertical ? r.right - r.left : r.bottom - r.top;
        at = (2 * length * s1 + s1 + s2) / (2 * (s1 + s2));
    }
    *first = *second = r;
    if (vertical)
        first->right = second->left = r.left + at;
    else
        first->bottom = second->top = r.top + at;
}

static int64_t sum_of(const canvas *c, const int *list, int count)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += c->speed[list[i]];
    return sum;
}

static bool across_longer(rect r)
{
    return r.right - r.left >= r.bottom - r.top;
}

static void brbd(canvas *c, rect r, bool vertical, const int *list, int count)
{
    if (count == 1) {
        paint(c, r, list[0]);
        return;
    }
    int k = (count + 1) / 2;
    rect a, b;
    cut(r, vertical, sum_of(c, list, k), k, sum_of(c, list + k, count - k), count - k, &a, &b);
    brbd(c, a, !vertical, list, k);
    brbd(c, b, !vertical, list + k, count - k);
}

static void fbrd(canvas *c, rect r, int depth, bool alternate, const int *list, int count)
{
    if (count == 1) {
        paint(c, r, list[0]);
        return;
    }
    int lists[2][SLOW_PROCESSORS], n[2] = {0, 0}, i = 0;
    int64_t s[2] = {0, 0}, total = sum_of(c, list, count);
    for (; i < count && 2 * (s[i % 2] + c->speed[list[i]]) <= total; i++) {
        s[i % 2] += c->speed[list[i]];
        lists[i % 2][n[i % 2]++] = list[i];
    }
    for (; i < count; i++) {
        int to = s[1] <= s[0] ? 1 : 0;
        s[to] += c->speed[list[i]];
        lists[to][n[to]++] = list[i];
    }
    rect a, b;
    cut(r, alternate ? depth % 2 == 0 : across_longer(r), s[0], n[0], s[1], n[1], &a, &b);
    fbrd(c, a, depth + 1, alternate, lists[0], n[0]);
    fbrd(c, b, depth + 1, alternate, lists[1], n[1]);
}

/* a x b parts, b along the longer edge, boundaries rounded half up. */
static void even(canvas *c, rect r, const int *list, int count)
{
    int a = 1;
    for (int i = 1; i * i <= count; i++)
        if (count % i == 0) a = i;
    int b = count / a;
    int64_t m = r.bottom - r.top, n = r.right - r.left;
    int down = m > n ? b : a, across = m > n ? a : b;
    for (int i = 0; i < down; i++)
        for (int j = 0; j < across; j++) {
            rect part = {r.top + (2 * i * m + down) / (2 * down), r.left + (2 * j * n + across) / (2 * across),
                         r.top + (2 * (i + 1) * m + down) / (2 * down),
                         r.left + (2 * (j + 1) * n + across) / (2 * across)};
            paint(c, part, list[i * across + j]);
        }
}

static bool is_prime(int n)
{
    for (int i = 2; i < n; i++)
        if (n % i == 0) return false;
    return n > 1;
}

static void one_group(canvas *c, rect r, const int *list, int count)
{
    if (count == 1) {
        paint(c, r, list[0]);
    } else if (!is_prime(count)) {
        even(c, r, list, count);
    } else {
        rect a, b;
        cut(r, across_longer(r), 1, 1, count - 1, count - 1, &a, &b);
        paint(c, a, list[0]);
        one_group(c, b, list + 1, count - 1);
    }
}

/* Groups are lists of ranks of one speed. */
typedef struct group {
    int list[SLOW_PROCESSORS], count;
    int64_t speed, total;
} group;

static void groups_in(canvas *c, rect r, const group *g, int count)
{
    if (count == 1) {
        one_group(c, r, g[0].list, g[0].count);
        return;
    }
    group *sets[2] = {calloc((size_t)count, sizeof **sets), calloc((size_t)count, sizeof **sets)};
    int n[2] = {0, 0}, i = 0;
    int64_t s[2] = {0, 0}, p[2] = {0, 0}, total = 0;
    for (int k = 0; k < count; k++)
        total += g[k].total;
    for (int set = 0; set < 3; set++)
        while (i < count && (set == 2 || 2 * (s[set] + g[i].total) <= total)) {
            int to = set < 2 ? set : s[1] < s[0];
            s[to] += g[i].total;
            p[to] += g[i].count;
            sets[to][n[to]++] = g[i++];
        }
    rect a, b;
    cut(r, across_longer(r), s[0], p[0], s[1], p[1], &a, &b);
    groups_in(c, a, sets[0], n[0]);
    groups_in(c, b, sets[1], n[1]);
    free(sets[0]);
    free(sets[1]);
}

static void phd(canvas *c, rect r)
{
    static group g[SLOW_PROCESSORS];
    int count = 0;
    memset(g, 0, sizeof g);
    for (int i = 0; i < c->processors; i++) {
        if (i == 0 || c->speed[i] != c->speed[i - 1]) g[count++].speed = c->speed[i];
        g[count - 1].list[g[count - 1].count++] = i;
        g[count - 1].total += c->speed[i];
    }
    for (int i = 1; i < count; i++) /* falling totals, then falling speeds, as they are */
        for (int k = i; k > 0 && g[k].total > g[k - 1].total; k--) {
            group moved = g[k];
            g[k] = g[k - 1];
            g[k - 1] = moved;
        }
    groups_in(c, r, g, count);
}

/* ---- Strips, runs, units ---- */

static void strips(canvas *c, const inlay_grid_options *o, bool vertical)
{
    int64_t share[SLOW_PROCESSORS], at = 0;
    share_out(c, o->shares, vertical ? c->columns : c->rows, share);
    for (int i = 0; i < c->processors; at += share[i++])
        paint(c, vertical ? (rect){0, at, c->rows, at + share[i]} : (rect){at, 0, at + share[i], c->columns}, i);
}

static void runs(canvas *c, const inlay_grid_options *o)
{
    int64_t share[SLOW_PROCESSORS], x = 0;
    share_out(c, o->shares, c->rows * c->columns, share);
    for (int i = 0; i < c->processors; i++)
        for (int64_t n = 0; n < share[i]; n++, x++) {
            int64_t row = o->down ? x % c->rows : x / c->columns;
            int64_t column = o->down ? x / c->rows : x % c->columns;
            c->owner[row * c->columns + column] = c->number[i];
        }
}

/* The ranks of so many units. */
static void deal(const canvas *c, const inlay_grid_options *o, inlay_grid_method method, int64_t units, int *rank)
{
    int64_t unit = 0;
    if (method == INLAY_GRID_INTERLEAVED) {
        while (unit < units) {
            int64_t credit[SLOW_PROCESSORS], left = 0;
            for (int i = 0; i < c->processors; i++) {
                int64_t least = c->speed[c->processors - 1];
                credit[i] = o->alike ? 1 : c->speed[i] / least + (2 * (c->speed[i] % least) >= least);
                left += credit[i];
            }
            for (int i = 0; left > 0 && unit < units; i = (i + 1) % c->processors)
                if (credit[i] > 0) {
                    credit[i]--;
                    left--;
                    rank[unit++] = i;
                }
        }
        return;
    }
    int64_t share[SLOW_PROCESSORS];
    uint64_t state = o->seed;
    share_out(c, o->shares, units, share);
    for (int i = 0; i < c->processors; i++)
        for (int64_t n = 0; n < share[i]; n++)
            rank[unit++] = i;
    for (int64_t i = units - 1; i > 0; i--) {
        state += UINT64_C(0x9e3779b97f4a7c15);
        uint64_t z = state;
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        z ^= z >> 31;
        uint64_t below = (uint64_t)i + 1; /* the high word of z x below, in halves: below is small */
        int64_t j = (int64_t)(((z >> 32) * below + ((z & UINT32_MAX) * below >> 32)) >> 32);
        int kept = rank[i];
        rank[i] = rank[j];
        rank[j] = kept;
    }
}

static void units(canvas *c, const inlay_grid_options *o, inlay_grid_method method)
{
    static int rank[SLOW_CELLS];
    int64_t height = 1, width = 1;
    inlay_grid_unit usual = method == INLAY_GRID_SCATTER ? INLAY_GRID_UNIT_POINT : INLAY_GRID_UNIT_ROW;
    inlay_grid_unit unit = o->unit == INLAY_GRID_UNIT_USUAL ? usual : o->unit;
    if (unit == INLAY_GRID_UNIT_ROW) width = c->columns;
    if (unit == INLAY_GRID_UNIT_COLUMN) height = c->rows;
    if (unit == INLAY_GRID_UNIT_BLOCK) {
        height = o->unit_rows;
        width = o->unit_columns;
    }
    int64_t down = up(c->rows, height), across = up(c->columns, width);
    deal(c, o, method, down * across, rank);
    for (int64_t y = 0; y < c->rows; y++)
        for (int64_t x = 0; x < c->columns; x++)
            c->owner[y * c->columns + x] = c->number[rank[y / height * across + x / width]];
}

/* ---- Columns ---- */

/* Shares of which nobody has none; who has several gives one away. */
static void share_all(const canvas *c, inlay_grid_shares rule, int64_t count, int64_t *share)
{
    int64_t lacking = 0;
    share_out(c, rule, count, share);
    for (int i = 0; i < c->processors; i++)
        if (share[i] == 0) {
            share[i] = 1;
            lacking++;
        }
    while (lacking > 0)
        for (int i = 0; i < c->processors && lacking > 0; i++)
            if (share[i] > 1) {
                share[i]--;
                lacking--;
            }
}

/* Columns that end before ranks end[0], end[1], ..; turned: rows. */
static void paint_columns(canvas *c, const inlay_grid_options *o, bool turned, const int *end, int columns)
{
    canvas sums = {.processors = columns};
    int64_t width[SLOW_PROCESSORS], left = 0;
    for (int i = 0; i < columns; i++)
        for (int r = i > 0 ? end[i - 1] : 0; r < end[i]; r++)
            sums.speed[i] += c->speed[r];
    share_all(&sums, o->shares, turned ? c->rows : c->columns, width);
    for (int i = 0; i < columns; left += width[i++]) {
        int first = i > 0 ? end[i - 1] : 0;
        canvas in = {.processors = end[i] - first};
        int64_t height[SLOW_PROCESSORS], top = 0;
        for (int r = first; r < end[i]; r++)
            in.speed[r - first] = c->speed[r];
        share_all(&in, o->shares, turned ? c->columns : c->rows, height);
        for (int r = first; r < end[i]; top += height[r++ - first])
            paint(c,
                  turned ? (rect){left, top, left + width[i], top + height[r - first]}
                         : (rect){top, left, top + height[r - first], left + width[i]},
                  r);
    }
}

/* The least sum of heights and widths, by all beginnings of the last column; `each` more for every column. */
static double least_columns(const canvas *c, int64_t height, int64_t width, double each, int *end, int *columns)
{
    double least[SLOW_PROCESSORS + 1] = {0};
    int begin[SLOW_PROCESSORS + 1], p = c->processors;
    for (int to = 1; to <= p; to++) {
        least[to] = INFINITY;
        for (int from = 0; from < to; from++) {
            double sum = 0;
            for (int r = from; r < to; r++)
                sum += (double)c->speed[r];
            double cost = least[from] + each + (double)width * sum * (to - from);
            if (to - from > height || cost >= least[to]) continue;
            least[to] = cost;
            begin[to] = from;
        }
    }
    *columns = 0;
    for (int to = p; to > 0; to = begin[to])
        (*columns)++;
    for (int to = p, i = *columns; to > 0; to = begin[to])
        end[--i] = to;
    return least[p];
}

static void column_based(canvas *c, const inlay_grid_options *o)
{
    int end[2][SLOW_PROCESSORS], columns[2];
    double cost[2], total = 0;
    for (int i = 0; i < c->processors; i++)
        total += (double)c->speed[i];
    for (int turned = 0; turned < 2; turned++) {
        int64_t height = turned ? c->columns : c->rows, width = turned ? c->rows : c->columns;
        double each = total * (double)height;
        do {
            cost[turned] = least_columns(c, height, width, each, end[turned], &columns[turned]);
            each *= 2;
        } while (columns[turned] > width);
    }
    int best = cost[1] < cost[0];
    paint_columns(c, o, best, end[best], columns[best]);
}

/* As many columns along the longer edge as make the blocks square. */
static void jagged(canvas *c, const inlay_grid_options *o)
{
    bool turned = c->rows > c->columns;
    int64_t width = turned ? c->rows : c->columns, height = turned ? c->columns : c->rows;
    int end[SLOW_PROCESSORS], p = c->processors;
    int64_t columns = llround((double)width / sqrt((double)width * (double)height / p)), most = p < width ? p : width;
    if (columns > most) columns = most;
    if (columns < up(p, height)) columns = up(p, height);
    for (int i = 0; i < columns; i++)
        end[i] = (int)(p * (i + 1) / columns);
    paint_columns(c, o, turned, end, (int)columns);
}

void slow_grid_decompose(const inlay_grid_problem *problem, inlay_grid_method method, const inlay_grid_options *options,
                         int32_t owner[SLOW_CELLS])
{
    canvas c = {.owner = owner};
    int list[SLOW_PROCESSORS];
    put_ranks(problem, &c);
    for (int i = 0; i < c.processors; i++)
        list[i] = i;
    rect all = {0, 0, c.rows, c.columns};
    switch (method) {
    case INLAY_GRID_ROW: strips(&c, options, false); break;
    case INLAY_GRID_COLUMN: strips(&c, options, true); break;
    case INLAY_GRID_POINT: runs(&c, options); break;
    case INLAY_GRID_BLOCK: even(&c, all, list, c.processors); break;
    case INLAY_GRID_BRBD: brbd(&c, all, true, list, c.processors); break;
    case INLAY_GRID_FBRD: fbrd(&c, all, 0, false, list, c.processors); break;
    case INLAY_GRID_FBRD_ALTERNATE: fbrd(&c, all, 0, true, list, c.processors); break;
    case INLAY_GRID_PHD: phd(&c, all); break;
    case INLAY_GRID_JAGGED: jagged(&c, options); break;
    case INLAY_GRID_COLUMN_BASED: column_based(&c, options); break;
    case INLAY_GRID_INTERLEAVED:
    case INLAY_GRID_SCATTER: units(&c, options, method); break;
    default: ck_abort_msg("no slow method %d", (int)method);
    }
}

/* Process counts and process grids by looking at everything. */
#include "slow_processes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Counts ---- */

slow_platform slow_platform_of(const inlay_process_problem *problem)
{
    slow_platform made = {.data = (double)problem->data};
    for (size_t q = 0; q < problem->rows; q++)
        for (int64_t n = 0; n < problem->row[q].count && made.processors < SLOW_PROCESSORS; n++)
            made.row[made.processors++] = &problem->row[q];
    return made;
}

double slow_share_time(const slow_platform *platform, int processor, int64_t k, int64_t l, bool divided)
{
    double unit = divided ? 1 : platform->data / (double)l;
    if (k == 0) return 0;
    return inlay_processors_time(platform->row[processor], divided ? 1 : (double)k, (double)k * unit);
}

double slow_hoho(const slow_platform *platform)
{
    double time = 0;
    for (int i = 0; i < platform->processors; i++)
        time = fmax(time, inlay_processors_time(platform->row[i], 1, platform->data / platform->processors));
    return time;
}

double slow_deal(const slow_platform *platform, int64_t l, bool divided, double limit, int64_t *processes)
{
    double next[SLOW_PROCESSORS];
    double time = 0;
    for (int i = 0; i < platform->processors; i++) {
        processes[i] = 0;
        next[i] = slow_share_time(platform, i, 1, l, divided);
    }
    for (int64_t n = 0; n < l; n++) {
        int first = 0;
        for (int i = 1; i < platform->processors; i++)
            if (next[i] < next[first]) first = i;
        if (next[first] > limit) return INFINITY;
        time = fmax(time, next[first]);
        processes[first]++;
        next[first] = slow_share_time(platform, first, processes[first] + 1, l, divided);
    }
    return time;
}

/* With `left` things for the processors from `from` on. */
static double best_from(const slow_platform *platform, int from, int64_t left, int64_t l, bool divided, double limit)
{
    if (from == platform->processors) return left == 0 ? 0 : INFINITY;
    double best = INFINITY;
    for (int64_t k = 0; k <= left; k++) {
        double time = slow_share_time(platform, from, k, l, divided);
        if (time <= limit) best = fmin(best, fmax(time, best_from(platform, from + 1, left - k, l, divided, limit)));
    }
    return best;
}

double slow_best(const slow_platform *platform, int64_t l, bool divided, double limit)
{
    return best_from(platform, 0, l, l, divided, limit);
}

/* ---- Tables ---- */

/* The slope at a knot: Steffen's equation 11; at the ends that of the interval beside. */
static double slope_at(const inlay_measurement *column, size_t knots, size_t at)
{
    double width[2] = {0, 0};
    double slope[2] = {0, 0};
    for (size_t side = 0; side < 2; side++) {
        if ((side == 0 && at == 0) || (side == 1 && at + 1 == knots)) continue;
        const inlay_measurement *left = column + at + side - 1;
        width[side] = left[1].data - left[0].data;
        slope[side] = (left[1].speed - left[0].speed) / width[side];
    }
    if (at == 0) return slope[1];
    if (at + 1 == knots) return slope[0];
    double mean = (slope[0] * width[1] + slope[1] * width[0]) / (width[0] + width[1]);
    double sign = ((slope[0] > 0) - (slope[0] < 0)) + ((slope[1] > 0) - (slope[1] < 0));
    return sign * fmin(fmin(fabs(slope[0]), fabs(slope[1])), 0.5 * fabs(mean));
}

static double column_speed(const inlay_measurement *column, size_t knots, double y)
{
    size_t k = 0;
    if (y <= column[0].data || knots == 1) return column[0].speed;
    if (y >= column[knots - 1].data) return column[knots - 1].speed;
    while (column[k + 1].data < y)
        k++;
    double width = column[k + 1].data - column[k].data;
    double share = (y - column[k].data) / width;
    double left = column[k].speed + share * width * slope_at(column, knots, k);
    double right = column[k + 1].speed - (1 - share) * width * slope_at(column, knots, k + 1);
    /* Hermite's form: both ends, each with the weight that leaves the other end's slope alone */
    return (1 - share) * (1 - share) * (left + 2 * share * column[k].speed) +
           share * share * (right + 2 * (1 - share) * column[k + 1].speed);
}

double slow_table_speed(const slow_table *table, double x, double y)
{
    size_t j = 0;
    while (j + 1 < table->columns && (double)table->measurement[(j + 1) * table->knots].processes <= x)
        j++;
    const inlay_measurement *column = table->measurement + j * table->knots;
    double speed = column_speed(column, table->knots, y);
    if (x <= (double)column->processes || j + 1 == table->columns) return speed;
    const inlay_measurement *next = column + table->knots;
    double share = (x - (double)column->processes) / (double)(next->processes - column->processes);
    return speed + share * (column_speed(next, table->knots, y) - speed);
}

/* ---- Grids ---- */

/* Points of a block: the remainder of the division goes to the first ones. */
static int64_t block(int64_t points, int64_t blocks, int64_t at)
{
    return points / blocks + (at < points % blocks ? 1 : 0);
}

slow_exchange slow_exchange_of(const int64_t *shape, const int64_t *data, int64_t halo, const int32_t *processor)
{
    slow_exchange sum = {0};
    int64_t ranks = shape[0] * shape[1] * shape[2];
    double sent[SLOW_PROCESSORS] = {0};
    for (int64_t a = 0; a < ranks; a++) {
        int64_t p[3] = {a / (shape[1] * shape[2]), a / shape[2] % shape[1], a % shape[2]};
        for (int64_t b = 0; b < ranks; b++) {
            int64_t q[3] = {b / (shape[1] * shape[2]), b / shape[2] % shape[1], b % shape[2]};
            if (llabs(p[0] - q[0]) + llabs(p[1] - q[1]) + llabs(p[2] - q[2]) != 1) continue;
            double points = (double)halo;
            for (int d = 0; d < 3; d++)
                if (p[d] == q[d]) points *= (double)block(data[d], shape[d], p[d]);
            sum.volume += points;
            sum.links += a < b;
            sum.internal += a < b && processor[a] == processor[b];
            if (processor[a] != processor[b]) {
                sum.external += points;
                sent[processor[a]] += points;
            }
        }
    }
    for (int i = 0; i < SLOW_PROCESSORS; i++)
        sum.busiest = fmax(sum.busiest, sent[i]);
    return sum;
}

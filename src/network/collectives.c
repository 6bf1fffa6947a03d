/* The algorithms of collective communication: a table, and what its rows take. */
#include "network/collectives.h"
#include <math.h>
#include <string.h>

/* ---- Counts ---- */

/* The largest power of two that is not above p. */
static int64_t power_below(int64_t p)
{
    int64_t power = 1;
    while (power <= p / 2) {
        power *= 2;
    }
    return power;
}

/* ceil(log2 p) */
static int rounds(int64_t p)
{
    int count = 0;
    for (int64_t reached = 1; reached < p; reached *= 2) {
        count++;
    }
    return count;
}

enum { DIVISORS = 1536 /* most that a number below 2^31 has */ };

/* Adds those with `times` times the prime f to the divisors up to `root`. */
static int multiply(uint32_t *divisor, int count, uint32_t f, int times, uint32_t root)
{
    int before = count;
    for (int n = 0; n < before; n++) {
        uint64_t product = divisor[n];
        for (int k = 0; k < times && product * f <= root; k++) {
            product *= f;
            divisor[count++] = (uint32_t)product;
        }
    }
    return count;
}

/* The largest divisor of p that is not above its root of a degree. */
static int64_t near_root(int64_t p, int degree)
{
    uint32_t divisor[DIVISORS];
    uint32_t left = (uint32_t)p, best = 1;
    uint32_t root = (uint32_t)(degree == 2 ? sqrt((double)p) : cbrt((double)p) + 1e-9);
    int count = 1;
    divisor[0] = 1;
    for (uint32_t f = 2; f <= root && f <= left / f; f += f == 2 ? 1 : 2) {
        int times = 0;
        for (; left % f == 0; left /= f) {
            times++;
        }
        count = multiply(divisor, count, f, times, root);
    }
    count = left > 1 ? multiply(divisor, count, left, 1, root) : count;
    for (int n = 0; n < count; n++) {
        best = divisor[n] > best ? divisor[n] : best;
    }
    return best;
}

/* ---- All-to-all ---- */

static int pairwise(int64_t p, double bytes, double segments, collective_stage *stage)
{
    (void)segments;
    stage[0] = (collective_stage){(double)(p - 1), bytes};
    return 1;
}

/* In the stage of `bit` all blocks go whose distance has that bit: those of 1 .. p - 1 that do. */
static int bruck(int64_t p, double bytes, double segments, collective_stage *stage)
{
    (void)segments;
    int count = 0;
    for (int64_t bit = 1; bit < p; bit *= 2) {
        int64_t blocks = p / (2 * bit) * bit;
        blocks += p % (2 * bit) > bit ? p % (2 * bit) - bit : 0;
        stage[count++] = (collective_stage){1, (double)blocks * bytes};
    }
    return count;
}

/* ---- Allreduce ---- */

/* Where p is no power of two, what is above it goes to a neighbour first, and gets the result from it last. */
static int fold(int64_t p, double bytes, collective_stage *stage)
{
    stage[0] = (collective_stage){2, bytes};
    return p != power_below(p);
}

static int recursive_doubling(int64_t p, double bytes, double segments, collective_stage *stage)
{
    (void)segments;
    int count = fold(p, bytes, stage);
    stage[count] = (collective_stage){rounds(power_below(p)), bytes};
    return count + 1;
}

static int rabenseifner(int64_t p, double bytes, double segments, collective_stage *stage)
{
    (void)segments;
    int count = fold(p, bytes, stage);
    double part = bytes;
    for (int64_t left = power_below(p); left > 1; left /= 2) {
        part /= 2;
        stage[count++] = (collective_stage){2, part}; /* reduce-scatter, and back as allgather */
    }
    return count;
}

static int reducing_ring(int64_t p, double bytes, double segments, collective_stage *stage)
{
    (void)segments;
    stage[0] = (collective_stage){2 * (double)(p - 1), bytes / (double)p};
    return 1;
}

/* ---- Broadcast ---- */

static int binomial(int64_t p, double bytes, double segments, collective_stage *stage)
{
    (void)segments;
    stage[0] = (collective_stage){rounds(p), bytes};
    return 1;
}

/* Scatter in a binomial tree: the root keeps a power of two of the parts; then a ring gathers all. */
static int scatter_allgather(int64_t p, double bytes, double segments, collective_stage *stage)
{
    (void)segments;
    const double part = bytes / (double)p;
    int count = 0;
    for (int64_t left = p; left > 1;) {
        int64_t kept = power_below(left - 1);
        stage[count++] = (collective_stage){1, (double)(left - kept) * part};
        left = kept;
    }
    stage[count] = (collective_stage){(double)(p - 1), part};
    return count + 1;
}

static int pipeline(int64_t p, double bytes, double segments, collective_stage *stage)
{
    stage[0] = (collective_stage){(double)(p - 2) + segments, bytes / segments};
    return 1;
}

/* ---- Borders ---- */

/* An axis of n processes: to both neighbours, one after the other; at the ends there is one. */
static int axis(int64_t n, double bytes, collective_stage *stage)
{
    *stage = (collective_stage){n > 2 ? 2 : 1, bytes};
    return n > 1;
}

static int grid(const int64_t n[3], double bytes, collective_stage *stage)
{
    int count = 0;
    double p = (double)(n[0] * n[1] * n[2]);
    for (int k = 0; k < 3; k++) {
        count += axis(n[k], bytes / (p / (double)n[k]), stage + count);
    }
    return count;
}

static int strips(int64_t p, double bytes, double segments, collective_stage *stage)
{
    (void)segments;
    return axis(p, bytes, stage);
}

static int rectangle(int64_t p, double bytes, double segments, collective_stage *stage)
{
    (void)segments;
    int64_t n = near_root(p, 2);
    return grid((const int64_t[3]){p / n, n, 1}, bytes, stage);
}

static int box(int64_t p, double bytes, double segments, collective_stage *stage)
{
    (void)segments;
    int64_t n = near_root(p, 3);
    int64_t m = near_root(p / n, 2);
    return grid((const int64_t[3]){p / n / m, m, n}, bytes, stage);
}

/* ---- The table ---- */

static const collective table[] = {
    {INLAY_PATTERN_ALL_TO_ALL, "pairwise", "Thakur 2005", pairwise, 0},
    {INLAY_PATTERN_ALL_TO_ALL, "bruck", "Bruck 1997", bruck, 0},
    {INLAY_PATTERN_ALLREDUCE, "recursive-doubling", "Thakur 2005", recursive_doubling, 0},
    {INLAY_PATTERN_ALLREDUCE, "rabenseifner", "Thakur 2005", rabenseifner, 0},
    {INLAY_PATTERN_ALLREDUCE, "reducing-ring", "Chan 2007", reducing_ring, 0},
    {INLAY_PATTERN_BROADCAST, "binomial", "Thakur 2005", binomial, 0},
    {INLAY_PATTERN_BROADCAST, "scatter-allgather", "Chan 2007", scatter_allgather, 0},
    {INLAY_PATTERN_BROADCAST, "pipeline", "Chan 2007", pipeline, 1},
    {INLAY_PATTERN_2D, "grid", "-", rectangle, 0},
    {INLAY_PATTERN_2D, "strips", "-", strips, 0},
    {INLAY_PATTERN_3D, "box", "-", box, 0},
    {INLAY_PATTERN_3D, "columns", "-", rectangle, 0},
    {INLAY_PATTERN_3D, "slabs", "-", strips, 0},
};

enum { ROWS = sizeof table / sizeof *table };

const collective *collective_at(size_t i)
{
    return i < ROWS ? &table[i] : NULL;
}

const collective *collective_find(inlay_pattern pattern, const char *name)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (table[i].pattern == pattern && strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

/* ---- Times ---- */

static double slowest(const collective_link *link, size_t links, double bytes)
{
    double time = 0;
    for (size_t i = 0; i < links; i++) {
        time = fmax(time, link[i].latency + bytes * link[i].per_byte);
    }
    return time;
}

static double time_in(const collective *of, int64_t p, double bytes, double segments, const collective_links *links)
{
    collective_stage stage[COLLECTIVE_STAGES];
    int count = of->stages(p, bytes, segments, stage);
    double time = 0;
    for (int n = 0; n < count; n++) {
        time += stage[n].count * (slowest(links->inside, links->insides, stage[n].bytes) +
                                  slowest(links->between, links->betweens, stage[n].bytes));
    }
    return time;
}

/* (p - 2 + s) max (lambda + b tau / s) is convex in the segments s: halves until it no longer falls. */
static double best_segments(const collective *of, int64_t p, double bytes, const collective_links *links)
{
    int64_t low = 1;
    int64_t high = COLLECTIVE_SEGMENTS;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (time_in(of, p, bytes, (double)middle, links) <= time_in(of, p, bytes, (double)middle + 1, links)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return (double)low;
}

double collective_time(const collective *of, int64_t p, double bytes, const collective_links *links)
{
    if (p < 2) {
        return 0;
    }
    return time_in(of, p, bytes, of->segmented ? best_segments(of, p, bytes, links) : 1, links);
}

const collective *collective_cheapest(inlay_pattern pattern, int64_t p, double bytes, const collective_links *links,
                                      double *time)
{
    const collective *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < ROWS; i++) {
        if (table[i].pattern == pattern) {
            double its = collective_time(&table[i], p, bytes, links);
            if (best == NULL || its < least) {
                best = &table[i];
                least = its;
            }
        }
    }
    if (time != NULL) {
        *time = least;
    }
    return best;
}

void collective_critical_path(const collective *of, int64_t p, double bytes, double segments, double *messages,
                              double *volume)
{
    collective_stage stage[COLLECTIVE_STAGES];
    int count = p < 2 ? 0 : of->stages(p, bytes, segments, stage);
    *messages = 0;
    *volume = 0;
    for (int n = 0; n < count; n++) {
        *messages += stage[n].count;
        *volume += stage[n].count * stage[n].bytes;
    }
}

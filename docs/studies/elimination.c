/*
 * Which coefficients c1..c4 of EQ 1 make Gaussian elimination choose 2, 4, 16 and 28 of 32 processors, as the paper has
 * it for N = 128, 256, 512 and 1024? (J. B. Weissman, A. S. Grimshaw, "A framework for partitioning parallel
 * computations in heterogeneous environments", section 3.1 and figure 11.) Prints the answer in Markdown, with a proof
 * where there are none.
 *
 *     cc -std=c17 -O2 -o elimination docs/studies/elimination.c -lm && ./elimination
 *
 * A cycle on p processors takes T(p) = unit x (rows of a processor) + c1 + c2 f(p) + b (c3 + c4 f(p)), with messages of
 * b = 4 (N / 2) bytes. Where p varies, all that counts of the c is the slope s(N) = c2 + 2 N c4. That p* is no worse
 * than p bounds it:
 *
 *     s (f(p) - f(p*)) >= unit x (rows(p*) - rows(p))            below where p > p*, above where p < p*
 *
 * Bounds are whole nanoseconds, rounded so that no slope is left out: rational arithmetic, with logarithms between two
 * fractions. All contradictions are sums of such bounds in whole numbers. In the plane of c2 and c4 half-planes have a
 * common point where every three of them have one (Helly), so that looking at each three is enough.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

enum { SIZES = 4, PROCESSORS = 32, BITS = 24 /* of a logarithm behind the point */ };

static const int64_t size[SIZES] = {128, 256, 512, 1024};
static const int chosen[SIZES] = {2, 4, 16, 28}; /* by the paper */

typedef enum map { REAL, WHOLE, MAPS } map; /* rows of a processor: N / p, or the most of any, rounded up */
typedef enum growth { LOG, LINEAR, GROWTHS } growth;
typedef enum search { BEST, HALVING, SEARCHES } search;

static const char *const map_name[MAPS] = {"real", "whole rows"};
static const char *const growth_name[GROWTHS] = {"log2 p", "p"};
static const char *const search_name[SEARCHES] = {"best of all p", "halving"};

/* ---- Numbers between two others ---- */

/* f(p), in units of 2^-BITS, lies between two whole numbers, or is one. */
typedef struct between {
    int64_t low, high;
} between;

/*
 * log2 p bit by bit: where the square of a number from 1 to 2 is 2 or more, the next bit of its logarithm is 1. Numbers
 * are multiples of 2^-62 that are rounded down in one place and up in the other.
 */
static between logarithm(int p)
{
    const uint64_t one = (uint64_t)1 << 62;
    int64_t bits = 0;
    int whole = 0;
    while (p >> (whole + 1) > 0) {
        whole++;
    }
    uint64_t low = (uint64_t)p << (62 - whole), high = low;
    for (int i = 0; i < BITS; i++) {
        unsigned_wide below = (unsigned_wide)low * low >> 62;
        unsigned_wide above = ((unsigned_wide)high * high + (one - 1)) >> 62;
        bool bit = below >= 2 * (unsigned_wide)one;
        if (bit != (above >= 2 * (unsigned_wide)one)) {
            (void)fprintf(stderr, "elimination: too few digits for log2 %d\n", p);
            exit(3);
        }
        low = (uint64_t)(bit ? below / 2 : below);
        high = (uint64_t)(bit ? (above + 1) / 2 : above);
        bits = 2 * bits + bit;
    }
    bits += (int64_t)whole << BITS;
    return (between){bits, bits + (low > one)};
}

static between growth_of(growth f, int p)
{
    return f == LOG ? logarithm(p) : (between){(int64_t)p << BITS, (int64_t)p << BITS};
}

/* ---- Bounds of the slope ---- */

/* A slope in ns that p* = `chosen` allows, between two whole numbers; p gives the bound. */
typedef struct bound {
    int64_t low, high;
    int p;
} bound;

typedef struct range {
    bound least, most; /* s >= least, s < most */
} range;

/*
 * The slope at which T(p) = T(q), between two whole numbers of ns: unit (rows(p) - rows(q)) / (f(q) - f(p)) with p < q.
 * A row takes comp_complexity x arch_cost = 2 N^2 / (3 N - 3) x 0.18 us = 3 N^2 / (25 (N - 1)) us.
 */
static bound equal_at(map rows, growth f, int64_t n, int p, int q)
{
    between fp = growth_of(f, p), fq = growth_of(f, q);
    wide of = rows == REAL ? (wide)n * (q - p) : (n + p - 1) / p - (n + q - 1) / q;
    wide over = (wide)25 * (n - 1) * (rows == REAL ? (wide)p * q : 1);
    wide top = 1000 * 3 * (wide)n * n * of * ((wide)1 << BITS);
    wide low = over * (fq.high - fp.low), high = over * (fq.low - fp.high);
    return (bound){(int64_t)(top / low), (int64_t)((top + high - 1) / high), 0};
}

/* What follows from T(p*) being no worse than T(p), and better where p < p*. */
static void add_bound(map rows, growth f, int64_t n, int best, int p, range *r)
{
    bound b = p < best ? equal_at(rows, f, n, p, best) : equal_at(rows, f, n, best, p);
    b.p = p;
    if (p > best && b.low > r->least.low) {
        r->least = b;
    }
    if (p < best && b.high < r->most.high) {
        r->most = b;
    }
}

/*
 * Halving, a form of binary search: from the middle of all processors in steps of a quarter of them, then of half as
 * many and so on; a step goes to the better side, and where neither is better the search ends. These are the steps that
 * end at `best`.
 */
static range halving_range(map rows, growth f, int64_t n, int best)
{
    range r = {{0, 0, 0}, {INT64_MAX, INT64_MAX, 0}};
    for (int p = PROCESSORS / 2, step = PROCESSORS / 4; step > 0; step /= 2) {
        int next = best == p ? p : best < p ? p - step : p + step;
        const int near[] = {p - step, p, p + step};
        for (int i = 0; i < 3; i++) {
            if (near[i] != next && near[i] > 0) {
                add_bound(rows, f, n, next, near[i], &r);
            }
        }
        if (next == p) {
            return r;
        }
        p = next;
    }
    return r;
}

static range range_of(search how, map rows, growth f, int i)
{
    range r = {{0, 0, 0}, {INT64_MAX, INT64_MAX, 0}};
    if (how == HALVING) {
        return halving_range(rows, f, size[i], chosen[i]);
    }
    for (int p = 1; p <= PROCESSORS; p++) {
        if (p != chosen[i]) {
            add_bound(rows, f, size[i], chosen[i], p, &r);
        }
    }
    return r;
}

/* ---- Contradictions ---- */

enum { TEXT = 24 };

static double us(int64_t ns)
{
    return 1e-3 * (double)ns;
}

/* A factor with a blank; nothing for 1. */
static const char *times(int64_t factor, char text[TEXT])
{
    text[0] = '\0';
    if (factor != 1) {
        (void)snprintf(text, TEXT, "%" PRId64 " ", factor);
    }
    return text;
}

/* One size alone. */
static bool excludes_one(const range *r, int i, bool tell)
{
    bool found = r[i].least.low > r[i].most.high;
    if (found && tell) {
        printf("- N = %d alone: %d before %d asks for s >= %.1f, and %d before %d for s < %.1f.\n", (int)size[i],
               chosen[i], r[i].least.p, us(r[i].least.low), chosen[i], r[i].most.p, us(r[i].most.high));
    }
    return found;
}

/* s(N) = c2 + 2 N c4 never falls, since c4 >= 0, and never grows faster than N, since c2 >= 0. */
static bool excludes_two(const range *r, int i, int j, bool tell)
{
    bool falls = r[i].least.low > r[j].most.high;
    bool steep = size[i] * r[j].least.low > size[j] * r[i].most.high;
    if (falls && tell) {
        printf("- N = %d and %d: s(%d) >= %.1f and s(%d) < %.1f; but s(%d) - s(%d) = %d c4 >= 0.\n", (int)size[i],
               (int)size[j], (int)size[i], us(r[i].least.low), (int)size[j], us(r[j].most.high), (int)size[j],
               (int)size[i], (int)(2 * (size[j] - size[i])));
    }
    if (steep && tell) {
        int64_t by = size[j] / size[i];
        char text[TEXT];
        printf("- N = %d and %d: s(%d) >= %.1f and %d s(%d) < %.1f; but %d s(%d) - s(%d) = %sc2 >= 0.\n", (int)size[i],
               (int)size[j], (int)size[j], us(r[j].least.low), (int)by, (int)size[i], us(by * r[i].most.high), (int)by,
               (int)size[i], (int)size[j], times(by - 1, text));
    }
    return falls || steep;
}

/* The slope of the middle one is between the others', in proportion. Whatever the signs of c2 and c4. */
static bool excludes_three(const range *r, int i, int j, int k, bool tell)
{
    int64_t a = (size[k] - size[j]) / size[0], b = (size[j] - size[i]) / size[0];
    int64_t least = a * r[i].least.low + b * r[k].least.low, most = a * r[i].most.high + b * r[k].most.high;
    bool above = least > (a + b) * r[j].most.high, below = most < (a + b) * r[j].least.low;
    if ((above || below) && tell) {
        char text[2][TEXT];
        printf("- N = %d, %d and %d: %ss(%d) + %ss(%d) %s %.1f and %d s(%d) %s %.1f; but they are equal.\n",
               (int)size[i], (int)size[j], (int)size[k], times(a, text[0]), (int)size[i], times(b, text[1]),
               (int)size[k], above ? ">=" : "<", us(above ? least : most), (int)(a + b), (int)size[j],
               above ? "<" : ">=", us((a + b) * (above ? r[j].most.high : r[j].least.low)));
    }
    return above || below;
}

/* Whether sizes contradict each other: one, two or three of them of which no part does by itself. */
static bool excludes(const range *r, bool tell)
{
    bool one[SIZES], two[SIZES][SIZES], found = false;
    for (int i = 0; i < SIZES; i++) {
        one[i] = excludes_one(r, i, tell);
        found = found || one[i];
    }
    for (int j = 1; j < SIZES; j++) {
        for (int i = 0; i < j; i++) {
            two[i][j] = one[i] || one[j] || excludes_two(r, i, j, tell);
            found = found || two[i][j];
        }
    }
    for (int k = 2; k < SIZES; k++) {
        for (int j = 1; j < k; j++) {
            for (int i = 0; i < j; i++) {
                bool three = !two[i][j] && !two[i][k] && !two[j][k] && excludes_three(r, i, j, k, tell);
                found = found || three;
            }
        }
    }
    return found;
}

static void print_ranges(void)
{
    printf("| search | rows | f | N = 128 | 256 | 512 | 1024 | c2, c4 |\n| --- | --- | --- | --- | --- | --- | --- | "
           "--- |\n");
    for (int how = 0; how < SEARCHES; how++) {
        for (int rows = 0; rows < MAPS; rows++) {
            for (int f = 0; f < GROWTHS; f++) {
                range r[SIZES];
                printf("| %s | %s | %s ", search_name[how], map_name[rows], growth_name[f]);
                for (int i = 0; i < SIZES; i++) {
                    r[i] = range_of((search)how, (map)rows, (growth)f, i);
                    printf("| %.1f to %.1f ", us(r[i].least.low), us(r[i].most.high));
                }
                printf("| %s |\n", excludes(r, false) ? "none" : "exist");
            }
        }
    }
}

static void print_contradictions(void)
{
    for (int how = 0; how < SEARCHES; how++) {
        for (int rows = 0; rows < MAPS; rows++) {
            for (int f = 0; f < GROWTHS; f++) {
                range r[SIZES];
                for (int i = 0; i < SIZES; i++) {
                    r[i] = range_of((search)how, (map)rows, (growth)f, i);
                }
                if (excludes(r, false)) {
                    printf("\n%s, %s, f = %s:\n\n", search_name[how], map_name[rows], growth_name[f]);
                    (void)excludes(r, true);
                }
            }
        }
    }
}

/* ---- Coefficients ---- */

typedef struct point {
    double c2, c4; /* us, us a byte */
} point;

/* Whether slopes lie in the ranges of the sizes that are asked for, a bit each, but for rounding. */
static bool allows(const range *r, unsigned sizes, point c)
{
    bool good = c.c2 >= -1e-6 && c.c4 >= -1e-9;
    for (int i = 0; i < SIZES; i++) {
        double s = 1e3 * (c.c2 + 2 * (double)size[i] * c.c4);
        good = good && ((sizes >> i & 1) == 0 || (s >= (double)r[i].least.low - 2 && s <= (double)r[i].most.high + 2));
    }
    return good;
}

/* The smallest box around all c2 and c4 that the sizes allow: it touches corners, where two bounds meet. */
static void print_box(const char *what, const range *r, unsigned sizes)
{
    point low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (int a = 0; a < 2 * SIZES; a++) {
        for (int b = 0; b < 2 * SIZES; b++) {
            const range *of[] = {&r[a / 2], &r[b / 2]};
            double n[] = {(double)size[a / 2], (double)size[b / 2]};
            double s[] = {us(a % 2 ? of[0]->most.high : of[0]->least.low),
                          us(b % 2 ? of[1]->most.high : of[1]->least.low)};
            double c4 = n[0] < n[1] ? (s[1] - s[0]) / (2 * (n[1] - n[0])) : 0;
            point c = {s[0] - 2 * n[0] * c4, c4};
            bool corner = n[0] < n[1] && (sizes >> (a / 2) & sizes >> (b / 2) & 1) != 0;
            if (corner && allows(r, sizes, c)) {
                low = (point){fmin(low.c2, c.c2), fmin(low.c4, c.c4)};
                high = (point){fmax(high.c2, c.c2), fmax(high.c4, c.c4)};
            }
        }
    }
    printf("- %s: c2 from %.0f to %.0f us, c4 from %.2f to %.2f us a byte.\n", what, low.c2, high.c2, low.c4, high.c4);
}

static double cycle(map rows, growth f, int64_t n, int p, point c)
{
    double unit = 2.0 * (double)n * (double)n / (3.0 * (double)n - 3) * 0.18;
    double share = rows == REAL ? (double)n / p : (double)((n + p - 1) / p);
    return unit * share + (c.c2 + 2 * (double)n * c.c4) * (f == LOG ? log2(p) : p);
}

static int best_of_all(map rows, int64_t n, point c)
{
    int best = 1;
    for (int p = 2; p <= PROCESSORS; p++) {
        best = cycle(rows, LOG, n, p, c) < cycle(rows, LOG, n, best, c) ? p : best;
    }
    return best;
}

static int best_by_halving(map rows, int64_t n, point c)
{
    int p = PROCESSORS / 2;
    for (int step = p / 2; step > 0; step /= 2) {
        int side = cycle(rows, LOG, n, p - step, c) <= cycle(rows, LOG, n, p + step, c) ? p - step : p + step;
        if (cycle(rows, LOG, n, side, c) >= cycle(rows, LOG, n, p, c)) {
            return p;
        }
        p = side;
    }
    return p;
}

static void print_choices(point c)
{
    printf("| c2 = %g, c4 = %g | N = 128 | 256 | 512 | 1024 |\n| --- | ---: | ---: | ---: | ---: |\n", c.c2, c.c4);
    for (int how = 0; how < SEARCHES; how++) {
        for (int rows = 0; rows < MAPS; rows++) {
            printf("| %s, %s |", search_name[how], map_name[rows]);
            for (int i = 0; i < SIZES; i++) {
                printf(" %d |", (how == BEST ? best_of_all : best_by_halving)((map)rows, size[i], c));
            }
            printf("\n");
        }
    }
    printf("| the paper's p over the best, real |");
    for (int i = 0; i < SIZES; i++) {
        double best = cycle(REAL, LOG, size[i], best_of_all(REAL, size[i], c), c);
        printf(" %+.1f %% |", 100 * (cycle(REAL, LOG, size[i], chosen[i], c) / best - 1));
    }
    printf("\n");
}

int main(void)
{
    const point nearest = {600, 1.24};
    enum { ALL = 0xf, WITHOUT_512 = 0xb };
    range best[SIZES], halving[SIZES];
    for (int i = 0; i < SIZES; i++) {
        best[i] = range_of(BEST, REAL, LOG, i);
        halving[i] = range_of(HALVING, REAL, LOG, i);
    }
    print_ranges();
    print_contradictions();
    printf("\nCoefficients with f = log2 p and real shares:\n\n");
    print_box("best of all p, N = 512 left out", best, WITHOUT_512);
    print_box("halving, all four", halving, ALL);
    printf("\n");
    print_choices(nearest);
    return 0;
}

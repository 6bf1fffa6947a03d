/*
 * The fast Fourier transform and Gaussian elimination, as the literature on list scheduling draws them (Topcuoglu, Hariri
 * and Wu, IEEE Transactions on Parallel and Distributed Systems 13, 2002).
 */
#include "graph/generate.h"

/* ---- Fast Fourier transform: a tree of recursive calls, then butterflies ---- */

enum { CALL, BUTTERFLY, COMPLEX_BYTES = 16, BUTTERFLY_WORK = 8 /* a complex product and sum */ };
static const task_type fft_types[] = {{"call_", "call"}, {"butterfly_", "butterfly"}};

static int log2_of(int64_t points)
{
    int log = 0;
    while (points >> (log + 1) > 0) {
        log++;
    }
    return log;
}

static const char *fft_expects(const inlay_generator_options *o)
{
    int64_t points = o->sizes[INLAY_SIZE_SIZE];
    return (points & (points - 1)) == 0 ? NULL : "a size that is a power of two";
}

static graph_counts count_fft(const inlay_generator_options *o)
{
    double n = (double)o->sizes[INLAY_SIZE_SIZE];
    double log = log2_of(o->sizes[INLAY_SIZE_SIZE]);
    return (graph_counts){2 * n - 1 + n * log, 2 * n - 2 + 2 * n * log};
}

/* A call takes its points apart into two halves. Calls are numbered like a heap, level by level. */
static void draw_calls(sketch *s, int64_t points)
{
    for (int level = 0; points >> level > 0; level++) {
        int64_t share = points >> level;
        for (int64_t i = 0; i < INT64_C(1) << level; i++) {
            inlay_id call = sketch_module(s, CALL, (double)share, (task_index){2, {level, i}});
            if (level > 0) {
                sketch_link(s, (call - 1) / 2, COMPLEX_BYTES * share);
            }
        }
    }
}

/* Point i of level l needs points i and i + or - 2^(l - 1) of the level before; level 0 are the smallest calls. */
static void draw_fft(sketch *s, const inlay_generator_options *o)
{
    int64_t points = o->sizes[INLAY_SIZE_SIZE];
    draw_calls(s, points);
    inlay_id before = (inlay_id)(points - 1);
    for (int level = 1; level <= log2_of(points) && !s->failed; level++) {
        int64_t apart = INT64_C(1) << (level - 1);
        inlay_id begin = s->modules;
        for (int64_t i = 0; i < points; i++) {
            sketch_module(s, BUTTERFLY, BUTTERFLY_WORK, (task_index){2, {level, i}});
            sketch_datum(s, before + (inlay_id)(i & ~apart), COMPLEX_BYTES);
            sketch_datum(s, before + (inlay_id)(i | apart), COMPLEX_BYTES);
        }
        before = begin;
    }
}

const generator fft_generator = {
    .offer = {.name = "fft",
              .summary = "fast Fourier transform: a tree of calls, then butterflies; size points, a power of two",
              .modules = "2 size - 1 + size log2(size)",
              .links = "2 size - 2 + 2 size log2(size)",
              .sizes = {[INLAY_SIZE_SIZE] = {1, 16, INT32_MAX}},
              .density = -1},
    .types = fft_types,
    .type_count = sizeof fft_types / sizeof *fft_types,
    .datum = "point",
    .counted = true,
    .expects = fft_expects,
    .count = count_fft,
    .draw = draw_fft,
};

/* ---- Gaussian elimination: step k divides column k, then updates the columns behind it ---- */

enum { PIVOT, UPDATE };
static const task_type gauss_types[] = {{"pivot_", "pivot"}, {"update_", "update"}};

static graph_counts count_gauss(const inlay_generator_options *o)
{
    double n = (double)o->sizes[INLAY_SIZE_SIZE];
    return (graph_counts){(n * n + n - 2) / 2, n * n - n - 1};
}

/* A step has a module for each column from k on; what goes on from one step to the next is the column below row k. */
static void draw_gauss(sketch *s, const inlay_generator_options *o)
{
    int64_t n = o->sizes[INLAY_SIZE_SIZE];
    inlay_id last = 0;
    for (int64_t k = 0; k + 1 < n && !s->failed; k++) {
        int64_t below = n - 1 - k;
        inlay_id pivot = s->modules;
        for (int64_t j = k; j < n; j++) {
            if (j == k) {
                sketch_module(s, PIVOT, (double)below, (task_index){1, {k}});
            } else {
                sketch_module(s, UPDATE, 2 * (double)below, (task_index){2, {k, j}});
            }
            if (k > 0) {
                sketch_link(s, last + (inlay_id)(j - k + 1), 8 * (below + 1));
            }
            if (j > k) {
                sketch_datum(s, pivot, 8 * below);
            }
        }
        last = pivot;
    }
}

const generator gauss_generator = {
    .offer = {.name = "gauss",
              .summary = "Gaussian elimination by columns of a matrix of order size",
              .modules = "(size^2 + size - 2) / 2",
              .links = "size^2 - size - 1",
              .sizes = {[INLAY_SIZE_SIZE] = {2, 5, INT32_MAX}},
              .density = -1},
    .types = gauss_types,
    .type_count = sizeof gauss_types / sizeof *gauss_types,
    .datum = "column",
    .counted = true,
    .count = count_gauss,
    .draw = draw_gauss,
};
